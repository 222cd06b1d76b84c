// Balance without help, in the running world: standing, pushes, walking. Pushes act on the pelvis for 0.1 s, in walking
// on the chest for 0.2 s.
#include "ragdoll/character/character_metrics.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

// Results of a run.
typedef struct Watch {
  double residual; // N: force from the body's momentum beyond weight, contacts and pushes
  bool fell;
} Watch;

static void start_balanced(Fixture *f) {
  fixture_init(f);
  f->character_def.balance.enabled = true;
  fixture_start(f);
}

// part: of the body; impulse: N s in this step; direction: deg.
static void push(Fixture *f, int part, double impulse, double direction) {
  int body = f->character->ragdoll->body[part];
  Impulse queued = {.body = body, .source = IMPULSE_PUSH};
  memcpy(queued.point, dBodyGetPosition(f->world->bodies[body].ode), sizeof queued.point);
  queued.impulse[0] = impulse * sin(direction * RAD_PER_DEGREE);
  queued.impulse[2] = impulse * cos(direction * RAD_PER_DEGREE);
  assert_true(world_apply_impulse(f->world, &queued));
}

// Unexplained change of momentum in the last step.
static double unexplained(const Fixture *f, const double before[3]) {
  const World *world = f->world;
  double mass = f->body->mass, dt = world->def.dt, rest[3], after[3], angular[3];
  fixture_momentum(world, after, angular);
  for (int i = 0; i < 3; i++)
    rest[i] = after[i] - before[i] - mass * world->def.gravity[i] * dt;
  for (int k = 0; k < world->contact_count; k++)
    for (int i = 0; i < 3; i++)
      if (world->contacts[k].other == WORLD_GROUND)
        rest[i] -= world->contacts[k].impulse[i];
  for (int k = 0; k < world->impulse_count; k++)
    for (int i = 0; i < 3; i++)
      rest[i] -= world->impulses[k].impulse[i];
  return length3(rest) / dt;
}

static void run(Fixture *f, double seconds, Watch *watch) {
  int steps = (int)(seconds / f->world_def.dt + 0.5);
  for (int i = 0; i < steps; i++) {
    double before[3], angular[3];
    fixture_momentum(f->world, before, angular);
    if (!fixture_step(f))
      fail_msg("%s", f->world->stop_reason);
    watch->residual = fmax(watch->residual, unexplained(f, before));
    watch->fell = watch->fell || f->character->sensed.fallen;
    if (f->world->steps % 4 == 0)
      character_sample_metrics(f->character);
  }
}

static void run_pushed_at(Fixture *f, int part, double impulse, double direction, double duration, Watch *watch) {
  int steps = (int)(duration / f->world_def.dt + 0.5);
  for (int i = 0; i < steps; i++) {
    push(f, part, impulse / steps, direction);
    run(f, f->world_def.dt, watch);
  }
}

static void run_pushed(Fixture *f, double impulse, double direction, Watch *watch) {
  run_pushed_at(f, 0, impulse, direction, 0.1, watch);
}

static void stands_still_without_a_step(void **state) {
  (void)state;
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  run(&f, 2, &watch);
  double feet[2][3], moved = 0;
  for (int i = 0; i < 2; i++)
    memcpy(feet[i], f.character->balance.feet[i].sole, sizeof feet[i]);
  run(&f, 58, &watch);
  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 3; axis++)
      moved = fmax(moved, fabs(f.character->balance.feet[i].sole[axis] - feet[i][axis]));
  assert_false(watch.fell);
  assert_true(moved < 5e-5); // 0.0 mm
  assert_int_equal(f.character->balance.steps + f.character->balance.realigning_steps, 0);
  assert_true(length3(f.character->sensed.com_velocity) < 1e-3);
  assert_true(watch.residual < 1e-9);
  fixture_end(&f);
}

// Pushed from standing: upright and calm after that many seconds, with at most that many steps of recovery.
static void check_push_for(double seconds, double impulse, double direction, int most_steps) {
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  run(&f, 1.5, &watch);
  run_pushed(&f, impulse, direction, &watch);
  run(&f, seconds, &watch);
  Character *c = f.character;
  if (watch.fell || c->balance.steps > most_steps || watch.residual > 1e-9 ||
      hypot(c->sensed.com_velocity[0], c->sensed.com_velocity[2]) > 0.25)
    fail_msg("%g N s to %g deg: %s with %d steps, %g N unexplained", impulse, direction, watch.fell ? "fell" : "stood",
             c->balance.steps, watch.residual);
  assert_true(watch.residual < 1e-9);
  fixture_end(&f);
}

static void check_push(double impulse, double direction, int most_steps) {
  check_push_for(3.4, impulse, direction, most_steps);
}

static void keeps_its_feet_in_place(void **state) {
  (void)state;
  check_push(38, 0, 0);
  check_push(31, 180, 0);
  check_push(35, 90, 0);
  check_push(35, -90, 0);
}

static void takes_one_step(void **state) {
  (void)state;
  check_push(60, 5, 1);
  check_push(45, 175, 1);
  check_push(50, 85, 1);
  check_push(50, -85, 1);
}

static void takes_some_steps(void **state) {
  (void)state;
  check_push(75, 3, 3);
  check_push(60, 178, 3);
  check_push(60, 92, 3);
  check_push(100, 30, 6);
  check_push(100, -70, 6);
  check_push_for(6.4, 120, 180, 10); // as long as trials of push_table are
  check_push_for(6.4, 120, 90, 10);
}

// s from a push until the feet stand side by side for good, at most `longest`.
static double time_to_stand(double impulse, double direction, double longest) {
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  run(&f, 1.5, &watch);
  run_pushed(&f, impulse, direction, &watch);
  const Balancer *balance = &f.character->balance;
  double stands = 0, dt = f.world_def.dt;
  for (double time = 0.1; time < longest; time += dt) {
    run(&f, dt, &watch);
    if (balance->mode != BALANCE_STANDING || balance->staggered)
      stands = time;
  }
  assert_false(watch.fell);
  assert_true(balance->steps > 0); // it had to step
  fixture_end(&f);
  return stands;
}

// The other foot follows the step that caught the body without a pause: no lunge is held.
static void other_foot_follows_at_once(void **state) {
  (void)state;
  double ahead = time_to_stand(60, 0, 4), aside = time_to_stand(80, 90, 4);
  if (ahead > 1 || aside > 1.5)
    fail_msg("stands %g and %g s after the push", ahead, aside);
}

// The foot that catches the body lands where it was sent, and is not turned much under the body by what follows.
static void foot_lands_where_it_was_sent_and_stays(void **state) {
  (void)state;
  for (double direction = 0; direction <= 180; direction += 90) {
    Fixture f;
    Watch watch = {0};
    start_balanced(&f);
    run(&f, 1.5, &watch);
    run_pushed(&f, 60, direction, &watch);
    const Balancer *balance = &f.character->balance;
    double missed = 0, turned = 0;
    for (int i = 0; i < 480 && balance->mode == BALANCE_STEPPING; i++) {
      const double *foot = balance->feet[balance->swing].ankle, *landing = balance->landing.ankle;
      missed = hypot(foot[0] - landing[0], foot[2] - landing[2]);
      run(&f, f.world_def.dt, &watch);
    }
    const BalanceFoot *foot = &balance->feet[balance->last_swing];
    const double yaw = foot->yaw;
    for (int i = 0; i < 96; i++) {
      run(&f, f.world_def.dt, &watch);
      turned = fmax(turned, fabs(wrap_angle(foot->yaw - yaw)) / RAD_PER_DEGREE);
    }
    print_message("%g deg: missed by %.3f m, turned by %.0f deg\n", direction, missed, turned);
    assert_false(watch.fell);
    assert_true(missed < 0.06 && turned < 25);
    fixture_end(&f);
  }
}

// While the body is pushed onto one leg, the foot of the other stays where it stood until it steps.
static void foot_without_load_keeps_its_place(void **state) {
  (void)state;
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  run(&f, 1.5, &watch);
  const Balancer *balance = &f.character->balance;
  const BalanceFoot *foot = &balance->feet[BALANCE_RIGHT];
  double before[3], moved = 0, unloaded = 0;
  memcpy(before, foot->ankle, sizeof before);
  for (int i = 0; i < 96 && balance->mode == BALANCE_STANDING; i++) {
    if (i < 24)
      push(&f, 0, 45.0 / 24, 135);
    run(&f, f.world_def.dt, &watch);
    unloaded += foot->loaded ? 0 : f.world_def.dt;
    moved = fmax(moved, hypot(foot->ankle[0] - before[0], foot->ankle[2] - before[2]));
  }
  if (unloaded < 0.02 || moved > 0.025)
    fail_msg("%g s without load, moved by %g m", unloaded, moved);
  fixture_end(&f);
}

// A blow on the chest to the side sets the body spinning, and both feet leave the ground. The foot that has to carry
// does not go out as far as the spin would take it (0.31 to 0.34 m) until the other one lands.
static void spinning_body_keeps_its_foot(void **state) {
  (void)state;
  for (double direction = 60; direction <= 120; direction += 30) {
    Fixture f;
    Watch watch = {0};
    start_balanced(&f);
    run(&f, 1.5, &watch);
    run_pushed_at(&f, fixture_part(&f, "chest"), 110, direction, 0.1, &watch);
    const Balancer *balance = &f.character->balance;
    double went = 0;
    while (balance->mode == BALANCE_STEPPING && balance->steps == 1) {
      const BalanceFoot *foot = &balance->feet[1 - balance->swing];
      went = fmax(went, hypot(foot->ankle[0] - foot->place[0], foot->ankle[2] - foot->place[2]));
      run(&f, f.world_def.dt, &watch);
    }
    if (!(went < 0.275))
      fail_msg("%g deg: the foot went %.3f m", direction, went);
    fixture_end(&f);
  }
}

// Turns on the spot: within 5.5 s he stands, feet side by side, as he was told to, whatever the angle.
static void turns_on_the_spot(void **state) {
  (void)state;
  const double angles[] = {33, -90, 130, -179};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    const double angle = angles[i];
    Fixture f;
    Watch watch = {0};
    start_balanced(&f);
    run(&f, 1, &watch);
    f.character->intent.heading = angle;
    run(&f, 5.5, &watch);
    const Balancer *balance = &f.character->balance;
    const double off = fabs(wrap_angle(balance->heading - angle * RAD_PER_DEGREE)) / RAD_PER_DEGREE;
    const double speed = hypot(f.character->sensed.com_velocity[0], f.character->sensed.com_velocity[2]);
    double slip;
    assert_true(metrics_value(f.character->judged->metrics, "foot_slip_max", &slip));
    if (watch.fell || off > 0.1 || balance->mode != BALANCE_STANDING || balance->staggered || speed > 0.05 ||
        slip > 0.03)
      fail_msg("%g deg: %s, %g deg off, %g m/s, slipped %g m", angle, watch.fell ? "fell" : "up", off, speed, slip);
    for (int side = 0; side < 2; side++)
      assert_true(fabs(wrap_angle(balance->feet[side].yaw - angle * RAD_PER_DEGREE)) < 0.3);
    fixture_end(&f);
  }
}

// Walks at the speed in m/s for 20 s, measured from 4 s on; then stops.
static void check_walk(double speed) {
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  Character *c = f.character;
  run(&f, 0.5, &watch);
  c->intent.speed = speed;
  run(&f, 3.5, &watch);
  double from = c->sensed.com[2];
  run(&f, 16, &watch);
  double reached = (c->sensed.com[2] - from) / 16;
  if (watch.fell || fabs(reached - speed) > 0.05 * fabs(speed))
    fail_msg("asked for %g m/s: %s at %g m/s", speed, watch.fell ? "fell" : "went", reached);
  assert_true(fabs(c->sensed.com[0]) < 0.3);
  assert_true(c->balance.steps > 20);
  double slip;
  assert_true(metrics_value(c->judged->metrics, "foot_slip_max", &slip));
  if (!(slip < 0.01))
    fail_msg("asked for %g m/s: a foot slipped %g m", speed, slip);
  c->intent.speed = 0;
  run(&f, fabs(speed) / 0.6 + 0.8, &watch); // his deceleration is 0.6 m/s^2; no steps on the spot follow
  assert_int_equal(c->balance.mode, BALANCE_STANDING);
  run(&f, 2, &watch);
  assert_false(watch.fell);
  assert_true(hypot(c->sensed.com_velocity[0], c->sensed.com_velocity[2]) < 0.02);
  assert_true(watch.residual < 1e-9);
  metrics_finish(c->judged->metrics);
  assert_true(metrics_value(c->judged->metrics, "foot_slip_max", &slip));
  if (!(slip < (speed <= 1 ? 0.01 : 0.015))) // in a fast walk a foot still slides by 8 mm as it lands
    fail_msg("asked for %g m/s, then to stop: a foot slipped %g m", speed, slip);
  fixture_end(&f);
}

static void walks_and_stops(void **state) {
  (void)state;
  check_walk(0.5);
  check_walk(1);
  check_walk(1.5);
  check_walk(-0.4);
}

// Pushes at the chest from all sides, each in another phase of the stride, in no order. Of the study
// push_table_walk without responses, 96 % of 70 N s and 67 % of 100 are stood.
static void check_walking_pushes(double impulse, int count, int least) {
  int stood = 0;
  for (int i = 0; i < count; i++) {
    Fixture f;
    Watch watch = {0};
    start_balanced(&f);
    f.character->intent.speed = 1;
    run(&f, 7 + 1.12 * i / count, &watch);
    run_pushed_at(&f, fixture_part(&f, "chest"), impulse, fmod(78.75 * i, 360), 0.2, &watch);
    run(&f, 3, &watch);
    stood += !watch.fell && f.character->sensed.com_velocity[2] > 0.5;
    assert_true(watch.residual < 1e-9);
    fixture_end(&f);
  }
  if (stood < least)
    fail_msg("walked on after %d of %d pushes of %g N s", stood, count, impulse);
}

static void walks_on_when_pushed(void **state) {
  (void)state;
  check_walking_pushes(70, 16, 14);
  check_walking_pushes(100, 32, 17);
}

// m: the largest distance between the hands in a while.
static double hands_apart(Fixture *f, double seconds, Watch *watch) {
  double farthest = 0, left[3], right[3];
  int steps = (int)(seconds / f->world_def.dt + 0.5);
  for (int i = 0; i < steps; i++) {
    run(f, f->world_def.dt, watch);
    ragdoll_point(f->character->ragdoll, fixture_part(f, "hand_l"), GLMS_VEC3_ZERO, left);
    ragdoll_point(f->character->ragdoll, fixture_part(f, "hand_r"), GLMS_VEC3_ZERO, right);
    const double apart[3] = {left[0] - right[0], left[1] - right[1], left[2] - right[2]};
    farthest = fmax(farthest, length3(apart));
  }
  return farthest;
}

// Arms hang in quiet walking, are spread a little while steps catch the body, and come down again.
static void arms_go_out_when_pushed(void **state) {
  (void)state;
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  f.character->intent.speed = 1;
  double before = hands_apart(&f, 4, &watch);
  run_pushed_at(&f, fixture_part(&f, "chest"), 70, 180, 0.2, &watch);
  double after = hands_apart(&f, 1, &watch);
  run(&f, 2.5, &watch);
  double later = hands_apart(&f, 1, &watch);
  if (watch.fell || before > 0.7 || after < before + 0.25 || later > 0.7)
    fail_msg("hands %g m apart, %g when pushed, then %g", before, after, later);
  fixture_end(&f);
}

static void turns_to_its_heading(void **state) {
  (void)state;
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  Character *c = f.character;
  c->intent.speed = 0.7;
  run(&f, 4, &watch);
  c->intent.heading = 90;
  run(&f, 8, &watch);
  assert_false(watch.fell);
  assert_true(fabs(c->root.heading - M_PI / 2) < 0.01);
  vec3s ahead = glms_quat_rotatev(c->sensed.pose.rotation[0], (vec3s){{0, 0, 1}});
  assert_true(fabs(atan2((double)ahead.x, (double)ahead.z) - M_PI / 2) < 0.15);
  assert_true(c->sensed.com_velocity[0] > 0.5);
  fixture_end(&f);
}

// The reported pose is the one that it aims at, and the root goes with the body.
static void target_is_what_the_body_does(void **state) {
  (void)state;
  Fixture f;
  Watch watch = {0};
  start_balanced(&f);
  f.character->intent.speed = 1;
  for (int i = 0; i < 8; i++) {
    run(&f, 1, &watch);
    const Character *c = f.character;
    assert_true(hypot(c->root.position[0] - c->sensed.com[0], c->root.position[2] - c->sensed.com[2]) < 0.01);
    assert_true(glms_vec3_distance(c->target.position[0], c->sensed.pose.position[0]) < 0.06f);
    for (int k = 1; k < f.body->part_count; k++)
      assert_true(c->sensed.joint_error[k] < 0.5f); // rad
  }
  assert_false(watch.fell);
  fixture_end(&f);
}

// Other mass and size, with the same gains: all lengths and masses of the body are scaled.
static void scale_body(BodyDef *body, double mass, double length) {
  double torque = mass * length;
  for (int i = 0; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    part->mass *= mass;
    for (int k = 0; k < 3; k++) {
      part->inertia[k] *= mass * length * length;
      part->com[k] *= length;
      part->joint.position[k] *= length;
      for (int s = 0; s < part->shape_count; s++) {
        part->shapes[s].size[k] *= length;
        part->shapes[s].center_m[k] *= length;
      }
    }
    part->joint.strength *= torque;
    part->joint.stiffness *= torque;
    part->joint.damping *= torque * sqrt(length);
    part->joint.reflex_stiffness *= torque;
    part->joint.reflex_damping *= torque * sqrt(length);
    part->joint.space_stiffness *= torque;
    part->joint.space_damping *= torque * sqrt(length);
    body->skeleton.bind_position_l[i] = glms_vec3_scale(body->skeleton.bind_position_l[i], (float)length);
  }
  for (int i = 0; i < body->skeleton.leg_count; i++) {
    Leg *leg = &body->skeleton.legs[i];
    vec3s *points[] = {&leg->sole_l, &leg->heel_l, &leg->toe_l};
    for (int k = 0; k < 3; k++)
      *points[k] = glms_vec3_scale(*points[k], (float)length);
    leg->half_width *= (float)length;
  }
  body->mass *= mass;
}

static void same_gains_fit_other_bodies(void **state) {
  (void)state;
  static const double bodies[][2] = {{0.7, 1}, {1.45, 1}, {0.6, 0.84}, {1.3, 1.08}}; // mass and length against ours
  for (int i = 0; i < 4; i++) {
    Fixture f;
    Watch watch = {0};
    double mass = bodies[i][0], length = bodies[i][1];
    fixture_init(&f);
    scale_body(f.body, mass, length);
    f.character_def.balance.enabled = true;
    fixture_start(&f);
    run(&f, 0.6, &watch);
    run_pushed(&f, 60 * mass * sqrt(length), 90, &watch);
    run(&f, 3, &watch);
    f.character->intent.speed = sqrt(length);
    run(&f, 5, &watch);
    if (watch.fell)
      fail_msg("fell with %g times the mass and %g times the length", mass, length);
    assert_true(f.character->sensed.com_velocity[2] > 0.7 * sqrt(length));
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stands_still_without_a_step),
      cmocka_unit_test(keeps_its_feet_in_place),
      cmocka_unit_test(takes_one_step),
      cmocka_unit_test(takes_some_steps),
      cmocka_unit_test(other_foot_follows_at_once),
      cmocka_unit_test(foot_lands_where_it_was_sent_and_stays),
      cmocka_unit_test(foot_without_load_keeps_its_place),
      cmocka_unit_test(spinning_body_keeps_its_foot),
      cmocka_unit_test(turns_on_the_spot),
      cmocka_unit_test(walks_and_stops),
      cmocka_unit_test(walks_on_when_pushed),
      cmocka_unit_test(arms_go_out_when_pushed),
      cmocka_unit_test(turns_to_its_heading),
      cmocka_unit_test(target_is_what_the_body_does),
      cmocka_unit_test(same_gains_fit_other_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
