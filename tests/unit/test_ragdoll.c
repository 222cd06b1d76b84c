// The body on its drives: tracking, limits of torque and motion, momentum, the honest assist.
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

static double norm3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// Holds the pelvis at its place by a strong assist, in the air.
static void hang(Fixture *f) {
  f->terrain_def.endless = false;
  f->terrain_def.height = -50;
  f->character_def.start.position[1] = 60;
  f->character_def.assist.enabled = true;
  f->character_def.assist.force = 20000;
  f->character_def.assist.torque = 20000;
  f->character_def.assist.frequency = 30;
  f->character_def.assist.turn_stiffness = 100000;
  f->character_def.assist.turn_damping = 10000;
}

static void test_stands_for_a_minute_without_slipping(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  int foot = fixture_part(&f, "foot_l");
  double start[3] = {0}, slip = 0;
  for (int i = 0; i < 60 * 240; i++) {
    assert_true(fixture_step(&f));
    const dReal *p = dBodyGetPosition(f.character->ragdoll->ode[foot]);
    if (i == 240)
      memcpy(start, p, sizeof start);
    if (i > 240)
      slip = fmax(slip, hypot(p[0] - start[0], p[2] - start[2]));
  }
  assert_true(slip < 0.000005); // 0.00 mm
  assert_true(f.character->sensed.pose.position[0].y > 0.92f);
  assert_int_equal(f.world->warnings.lcp_messages, 0);
  fixture_end(&f);
}

// Also with drives of a quarter of the gains, whose reflexes are as much weaker: if they were not, these would shake
// the spine.
static void test_settles_at_rest(void **state) {
  (void)state;
  for (int quarters = 4; quarters >= 1; quarters -= 3) {
    Fixture f;
    fixture_init(&f);
    f.character_def.drive.stiffness = f.character_def.drive.damping = quarters / 4.0;
    fixture_start(&f);
    double sum = 0;
    for (int i = 0; i < 480; i++) {
      fixture_step(&f);
      for (int k = 0; i >= 240 && k < f.body->part_count; k++) {
        double spin = norm3(dBodyGetAngularVel(f.character->ragdoll->ode[k]));
        sum += spin * spin / (240.0 * f.body->part_count);
      }
    }
    assert_true(sqrt(sum) < 0.05);
    fixture_end(&f);
  }
}

// Drives that hold a pose by their stiffness alone: no torques are fed forward.
static void stiffen(BodyDef *body) {
  for (int i = 1; i < body->part_count; i++) {
    JointDef *joint = &body->parts[i].joint;
    joint->stiffness = 20 * joint->strength;
    joint->damping = joint->strength;
    joint->torque_stiffness = joint->reflex_stiffness = joint->reflex_damping = 0;
    joint->space_stiffness = joint->space_damping = 0;
  }
}

// A body of twice the mass with drives twice as strong moves the same to the bit, by each solver: the factor reaches
// all masses and inertias. Control does not know it, so nothing is fed forward here.
static void test_masses_have_a_factor(void **state) {
  (void)state;
  for (int solver = 0; solver <= SOLVER_REDUCED; solver++) {
    vec3s place[2];
    versors thigh[2];
    double mass[2], momentum[2];
    for (int k = 0; k < 2; k++) {
      Fixture f;
      fixture_init(&f);
      f.world_def.solver = solver;
      f.character_def.start.position[1] = 2;
      f.character_def.actual.mass = 1 + k;
      f.character_def.drive.strength = f.character_def.drive.stiffness = f.character_def.drive.damping = 1 + k;
      f.character_def.drive.feed_forward = 0;
      f.character_def.assist.enabled = false;
      stiffen(f.body);
      fixture_start(&f);
      dRandSetSeed(1);
      ragdoll_add_spin(f.character->ragdoll, fixture_part(&f, "chest"), (const double[]){9, 5, -4});
      for (int i = 0; i < 96; i++) // 0.4 s: it falls and turns, and does not land
        assert_true(fixture_step(&f));
      place[k] = f.character->sensed.pose.position[0];
      thigh[k] = f.character->sensed.pose.rotation[fixture_part(&f, "thigh_l")];
      double linear[3], angular[3], center[3], velocity[3];
      ragdoll_center_of_mass(f.character->ragdoll, center, velocity);
      ragdoll_momentum(f.character->ragdoll, center, linear, angular);
      mass[k] = ragdoll_mass(f.character->ragdoll);
      momentum[k] = linear[1];
      fixture_end(&f);
    }
    assert_true(mass[1] == 2 * mass[0]);
    assert_true(fabs(momentum[1] - 2 * momentum[0]) < 1e-6 * fabs(momentum[1]));
    assert_true(glms_vec3_distance(place[0], place[1]) < 1e-6f);
    assert_true(fabsf(glms_quat_dot(thigh[0], thigh[1])) > 1 - 1e-6f);
  }
}

// A 1 Hz sweep of up to 27 deg about x of all joints, hanging: the drives follow within half a degree.
static void test_tracks_a_sweep(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  stiffen(f.body);
  hang(&f);
  fixture_start(&f);
  Character *c = f.character;
  double sum = 0;
  long count = 0;
  Pose target = c->target, previous;
  for (int i = 0; i < 4 * 240; i++) {
    double t = (i + 1) / 240.0, ease = fmin(t, 1);
    previous = target;
    for (int j = 1; j < f.body->part_count; j++) {
      const JointDef *joint = &f.body->parts[j].joint;
      // Around the middle of the joint's range.
      double low = fmax(joint->limit[0][0], -30 * DEG), high = fmin(joint->limit[0][1], 30 * DEG);
      double middle = (low + high) / 2, half = fmin((high - low) / 2, 15 * DEG) * 0.9;
      double angle = ease * (middle + half * sin(2 * 3.14159265358979 * t + j));
      target.rotation[j] = quat_exp((vec3s){{(float)angle, 0, 0}});
    }
    JointGoal goals[BODY_MAX_PARTS];
    drive_follow(f.body, &target, &previous, f.world_def.dt, goals);
    drive_apply(&c->drive, c->ragdoll, goals, f.world_def.dt);
    assist_apply(&c->assist, c->ragdoll, &c->assist_target, f.world_def.dt);
    ragdoll_update_limits(c->ragdoll);
    if (!world_step(f.world))
      fail_msg("%s", f.world->stop_reason);
    ragdoll_measure(c->ragdoll, &c->sensed.pose);
    for (int j = 1; i >= 240 && j < f.body->part_count; j++, count++) {
      double error = (double)quat_angle_between(target.rotation[j], c->sensed.pose.rotation[j]);
      sum += error * error;
    }
  }
  assert_true(sqrt(sum / (double)count) < 0.5 * DEG);
  fixture_end(&f);
}

// A blow on the hand that the shoulder cannot resist: its torque stays at its limit, as a norm.
static void test_torque_limit_is_never_exceeded(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  stiffen(f.body);
  hang(&f);
  fixture_start(&f);
  Character *c = f.character;
  int hand = fixture_part(&f, "hand_l");
  double strongest = 0;
  for (int i = 0; i < 480; i++) {
    if (i > 100 && i < 160) {
      Impulse push = {.body = c->ragdoll->body[hand], .impulse = {0.5, 1.0, -3.0}, .source = IMPULSE_PUSH, .event = 1};
      memcpy(push.point, dBodyGetPosition(c->ragdoll->ode[hand]), sizeof push.point);
      assert_true(world_apply_impulse(f.world, &push));
    }
    assert_true(fixture_step(&f));
    for (int j = 1; j < f.body->part_count; j++) {
      double share = norm3(c->ragdoll->joints[j].torque_w) / f.body->parts[j].joint.strength;
      assert_true(share <= 1 + 1e-9);
      strongest = fmax(strongest, share);
    }
  }
  if (strongest < 0.999)
    fail_msg("only %.2f of the limit was asked for", strongest); // else nothing was tested
  fixture_end(&f);
}

// Joints pushed far beyond their range of motion by their own drives stop at it, within a few degrees.
static void test_range_of_motion_holds(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  hang(&f);
  fixture_start(&f);
  Character *c = f.character;
  static const char *const joints[] = {"upper_arm_l", "forearm_l", "thigh_r", "shin_r", "hand_r", "foot_l", "head"};
  static const float turns[][3] = {{2.0f, 0, 0}, {0.8f, 0, 0}, {1.5f, 0, 0}, {-1, 0, 0},
                                   {0, 0, 1.4f}, {1.6f, 0, 0}, {0, 2.0f, 0}};
  Pose target = c->target;
  for (int k = 0; k < 7; k++)
    target.rotation[fixture_part(&f, joints[k])] = quat_exp((vec3s){{turns[k][0], turns[k][1], turns[k][2]}});
  for (int i = 0; i < 480; i++) {
    JointGoal goals[BODY_MAX_PARTS];
    drive_follow(f.body, &target, &target, f.world_def.dt, goals);
    drive_apply(&c->drive, c->ragdoll, goals, f.world_def.dt);
    assist_apply(&c->assist, c->ragdoll, &c->assist_target, f.world_def.dt);
    ragdoll_update_limits(c->ragdoll);
    if (!world_step(f.world))
      fail_msg("%s", f.world->stop_reason);
  }
  ragdoll_measure(c->ragdoll, &c->sensed.pose);
  static const double reached[] = {60, 0, 30, 0, -35, 50, 70}; // deg: the hand's range is mirrored
  static const int axes[] = {0, 0, 0, 0, 2, 0, 1};
  for (int k = 0; k < 7; k++) {
    vec3s turn = quat_log(c->sensed.pose.rotation[fixture_part(&f, joints[k])]);
    double angle = (double)turn.raw[axes[k]] / DEG;
    double allowed = k == 4 ? 20 : reached[k];
    if (fabs(angle - allowed) > 4)
      fail_msg("%s stops at %.2f deg, range ends at %.0f deg", joints[k], angle, allowed);
  }
  fixture_end(&f);
}

static void test_limp_flight_conserves_momentum(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.terrain_def.endless = false;
  f.character_def.start.position[1] = 90;
  f.character_def.start.position[2] = 500; // far off the grid
  f.character_def.drive.enabled = false;
  for (int i = 0; i < 3; i++)
    f.world_def.gravity[i] = 0;
  fixture_start(&f);
  Character *c = f.character;
  int chest = fixture_part(&f, "chest");
  Impulse hit = {.body = c->ragdoll->body[chest], .impulse = {9, 4, -6}, .source = IMPULSE_BULLET, .event = 1};
  memcpy(hit.point, dBodyGetPosition(c->ragdoll->ode[chest]), sizeof hit.point);
  world_apply_impulse(f.world, &hit);
  fixture_step(&f);
  double linear[3], angular[3];
  fixture_momentum(f.world, linear, angular);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(linear[k] - hit.impulse[k]) < 1e-9); // J = change of momentum
  for (int i = 0; i < 240; i++)
    fixture_step(&f);
  double later[3];
  fixture_momentum(f.world, later, angular);
  for (int k = 0; k < 3; k++)
    assert_true(fabs(later[k] - linear[k]) < 1e-9);
  fixture_end(&f);
}

// The assist's reported wrench is complete: nothing else but gravity acts on a body in the air.
static void test_assist_reports_all_it_does(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  hang(&f);
  f.character_def.assist.force = 900;
  f.character_def.assist.torque = 80;
  f.character_def.assist.frequency = 2;
  f.character_def.fall.enabled = false; // which would release a body in the air
  fixture_start(&f);
  Character *c = f.character;
  double before[3], after[3], spin[3];
  fixture_momentum(f.world, before, spin);
  for (int i = 0; i < 480; i++) {
    c->assist_target.position[0] += 0.004; // pull it along
    character_pre_step(c);
    world_step(f.world);
    character_post_step(c);
    fixture_momentum(f.world, after, spin);
    for (int k = 0; k < 3; k++) {
      double force = (after[k] - before[k]) / f.world_def.dt - f.body->mass * f.world_def.gravity[k];
      assert_true(fabs(force - c->assist.force_w[k]) < 1e-8); // N; measured 3e-10
    }
    assert_true(norm3(c->assist.force_w) <= 900 * (1 + 1e-9));
    assert_true(norm3(c->assist.torque_w) <= 80 * (1 + 1e-9));
    memcpy(before, after, sizeof before);
  }
  fixture_end(&f);
}

static void test_assist_off_leaves_no_trace(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 10; i++)
    fixture_step(&f);
  assert_true(norm3(f.character->assist.force_w) == 0 && norm3(f.character->assist.torque_w) == 0);
  fixture_end(&f);
}

// A pose that was set is measured again.
static void test_set_pose_then_measure(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  Pose pose = pose_bind(&f.body->skeleton), measured;
  pose.position[0] = (vec3s){{1, 2, 3}};
  pose.rotation[0] = quat_exp((vec3s){{0.2f, -0.7f, 0.1f}});
  for (int j = 1; j < pose.count; j++)
    pose.rotation[j] = quat_exp((vec3s){{-0.1f * (float)(j % 3), 0.05f, 0.02f}});
  ragdoll_set_pose(f.character->ragdoll, &pose, NULL, 0);
  ragdoll_measure(f.character->ragdoll, &measured);
  assert_true(glms_vec3_distance(pose.position[0], measured.position[0]) < 1e-6f);
  for (int j = 0; j < pose.count; j++)
    assert_true(quat_angle_between(pose.rotation[j], measured.rotation[j]) < 1e-3f);

  // A point of a part is where the pose has it.
  ModelPose model_w;
  pose_to_model(&f.body->skeleton, &pose, &model_w);
  for (int j = 0; j < pose.count; j++) {
    const vec3s point_l = {{0.1f, -0.2f, 0.3f}};
    double point_w[3];
    ragdoll_point(f.character->ragdoll, j, point_l, point_w);
    vec3s expected = glms_vec3_add(model_w.position[j], glms_quat_rotatev(model_w.rotation[j], point_l));
    for (int k = 0; k < 3; k++)
      assert_true(fabs(point_w[k] - (double)expected.raw[k]) < 1e-5);
  }
  fixture_end(&f);
}

// An arm straight up that is 100 deg beyond the end of its range returns slowly; it is not flung.
static void test_arm_beyond_its_range_comes_back_slowly(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  hang(&f);
  fixture_start(&f);
  Character *c = f.character;
  int arm = fixture_part(&f, "upper_arm_r");
  Pose pose = c->sensed.pose;
  for (int i = 0; i < 3; i++) {
    const float aside[] = {50, 67, 85}; // deg
    pose.rotation[arm] = quat_exp(glms_vec3_scale((vec3s){{-157, -7, aside[i]}}, (float)DEG));
    ragdoll_set_pose(c->ragdoll, &pose, NULL, 0);
    for (int step = 0; step < 120; step++) { // limp
      ragdoll_update_limits(c->ragdoll);
      if (!world_step(f.world))
        fail_msg("%s", f.world->stop_reason);
      assert_true(norm3(dBodyGetAngularVel(c->ragdoll->ode[arm])) < 30); // rad/s
    }
  }
  fixture_end(&f);
}

// With a target that is far off and rotated away both reach their limits, except for what the body yields in the step,
// and fade with the hand in proportion: without gravity, from rest.
static void test_force_and_torque_of_the_hand_fade(void **state) {
  (void)state;
  static const double fades[] = {1, 0.25, 0};
  double whole[2] = {0};
  for (int i = 0; i < 3; i++) {
    Fixture f;
    fixture_init(&f);
    hang(&f);
    memset(f.world_def.gravity, 0, sizeof f.world_def.gravity);
    f.character_def.assist.force = 400;
    f.character_def.assist.torque = 40;
    f.character_def.assist.frequency = 2;
    f.character_def.assist.damping_ratio = 0; // the velocity gained in the step takes nothing from it
    f.character_def.assist.turn_stiffness = 1000;
    f.character_def.assist.turn_damping = 10;
    fixture_start(&f);
    Assist *assist = &f.character->assist;
    AssistTarget target = f.character->assist_target;
    target.position[0] += 10;
    target.rotation = glms_quat_mul(quat_exp((vec3s){{0, 2, 0}}), target.rotation);
    assist->fade = fades[i];
    assist_apply(assist, f.character->ragdoll, &target, f.world_def.dt);
    assert_true(world_step(f.world));
    assist_read(assist);
    double force = norm3(assist->force_w), torque = norm3(assist->torque_w);
    print_message("fade %.2f: %.2f N, %.2f N m\n", fades[i], force, torque);
    if (i == 0) {
      whole[0] = force;
      whole[1] = torque;
      assert_true(force > 200 && force <= 400 && torque > 20 && torque <= 40);
    }
    assert_true(fabs(force - fades[i] * whole[0]) < 1e-3 * whole[0]);
    assert_true(fabs(torque - fades[i] * whole[1]) < 1e-3 * whole[1]);
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stands_for_a_minute_without_slipping),
      cmocka_unit_test(test_settles_at_rest),
      cmocka_unit_test(test_masses_have_a_factor),
      cmocka_unit_test(test_tracks_a_sweep),
      cmocka_unit_test(test_torque_limit_is_never_exceeded),
      cmocka_unit_test(test_range_of_motion_holds),
      cmocka_unit_test(test_arm_beyond_its_range_comes_back_slowly),
      cmocka_unit_test(test_limp_flight_conserves_momentum),
      cmocka_unit_test(test_assist_reports_all_it_does),
      cmocka_unit_test(test_assist_off_leaves_no_trace),
      cmocka_unit_test(test_set_pose_then_measure),
      cmocka_unit_test(test_force_and_torque_of_the_hand_fade),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
