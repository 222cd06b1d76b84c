// A whole character: it runs, is hit, reacts and runs on.
#include "ragdoll/shown/physics_blend.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

// Loads the run and its unstable variants; the character runs at 3.5 m/s with the assist of the scene hit_assist.
static void prepare_runner(Fixture *f, Clip *clips[1 + STAGGER_COUNT]) {
  static const char *const names[1 + STAGGER_COUNT] = {"clips/run.yaml", "clips/run_stagger_left.yaml",
                                                       "clips/run_stagger_forward.yaml", "clips/run_stagger_right.yaml",
                                                       "clips/run_stagger_backward.yaml"};
  Error error = {0};
  fixture_init(f);
  for (int i = 0; i < 1 + STAGGER_COUNT; i++) {
    clips[i] = clip_read(&f->files, names[i], &f->body->skeleton, &error);
    fixture_check(&error);
  }
  f->character_def.move = clips[0];
  for (int i = 0; i < STAGGER_COUNT; i++)
    f->character_def.stagger[i] = clips[1 + i];
  f->character_def.intent.speed = 3.5;
  f->character_def.assist.enabled = true;
}

static void end_runner(Fixture *f, Clip *clips[1 + STAGGER_COUNT]) {
  fixture_end(f);
  for (int i = 0; i < 1 + STAGGER_COUNT; i++)
    clip_free(clips[i]);
}

static void strike(Fixture *f, const char *part, double x, double y, double z) {
  int index = fixture_part(f, part);
  Impulse hit = {.body = f->character->ragdoll->body[index], .impulse = {x, y, z}, .event = 1};
  memcpy(hit.point, dBodyGetPosition(f->character->ragdoll->ode[index]), sizeof hit.point);
  assert_true(world_apply_impulse(f->world, &hit));
}

static double rms_error(const Character *c) {
  double sum = 0;
  int count = c->def->body->part_count;
  for (int i = 1; i < count; i++)
    sum += (double)(c->sensed.joint_error[i] * c->sensed.joint_error[i]);
  return sqrt(sum / (count - 1));
}

static void test_runs_close_to_its_clip(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  double sum = 0;
  for (int i = 0; i < 5 * 240; i++) {
    assert_true(fixture_step(&f));
    if (i >= 240)
      sum += rms_error(f.character) * rms_error(f.character) / (4 * 240);
  }
  assert_true(sqrt(sum) < 3 * DEG);
  assert_true(fabs((double)f.character->sensed.pose.position[0].z - 5 * 3.5) < 0.1);
  assert_true(fabs((double)f.character->sensed.pose.position[0].x) < 0.05); // straight on
  assert_false(f.character->sensed.fallen);
  end_runner(&f, clips);
}

// m and deg: the largest distance of a shown part from the body's.
static void shown_off(const Character *character, float *distance, float *angle) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose shown, body;
  pose_to_model(skeleton, &character->shown.pose, &shown);
  pose_to_model(skeleton, &character->sensed.pose, &body);
  *distance = *angle = 0;
  for (int i = 0; i < skeleton->count; i++) {
    *distance = fmaxf(*distance, glms_vec3_distance(shown.position[i], body.position[i]));
    *angle = fmaxf(*angle, quat_angle_between(shown.rotation[i], body.rotation[i]) / (float)DEG);
  }
}

// The animation is shown where the body is close to it; nothing is shown farther than 5 cm and 9 deg from the body,
// also when a hit drives the two much farther apart.
static void test_the_shown_pose_stays_by_the_body(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  const BodyDef *body = f.body;
  float distance, angle, farthest = 0, most = 0, animated = 0;
  for (int i = 0; i < 3 * 240; i++) {
    if (i == 240)
      strike(&f, "chest", 20, 0, 4);
    fixture_step(&f);
    shown_off(f.character, &distance, &angle);
    farthest = fmaxf(farthest, distance);
    most = fmaxf(most, angle);
    for (int k = 1; k < body->part_count; k++)
      animated =
          fmaxf(animated,
                quat_angle_between(f.character->target.rotation[k], f.character->sensed.pose.rotation[k]) / (float)DEG);
  }
  print_message("shown up to %.1f cm and %.1f deg from the body, which is up to %.1f deg from the animation\n",
                100 * (double)farthest, (double)most, (double)animated);
  assert_true(farthest < 0.05f && most < 9);
  assert_true(animated > 10);
  end_runner(&f, clips);
}

static void test_hit_weakens_the_struck_chain_and_is_felt(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  int arm = fixture_part(&f, "upper_arm_l"), foot = fixture_part(&f, "foot_r");
  for (int i = 0; i < 240; i++)
    fixture_step(&f);
  double calm = rms_error(f.character), worst = 0;
  strike(&f, "upper_arm_l", -6, 0, -6);
  float weakest = 1;
  for (int i = 0; i < 72; i++) {
    fixture_step(&f);
    weakest = fminf(weakest, f.character->drive.strength[arm]);
    assert_true(f.character->drive.strength[foot] > 0.9f);
    worst = fmax(worst, (double)f.character->sensed.joint_error[arm]);
  }
  assert_true(weakest < 0.75f);
  assert_true(worst > 5 * DEG && worst > 2 * calm);
  for (int i = 0; i < 480; i++)
    assert_true(fixture_step(&f));
  assert_true(rms_error(f.character) < 3 * DEG); // runs on
  assert_false(f.character->sensed.fallen);
  end_runner(&f, clips);
}

// A blow to the left arm and its mirror image to the right arm of a standing body: mirrored within 2 %.
static void stand_and_strike(Fixture *f, const char *part, double x) {
  fixture_init(f);
  fixture_start(f);
  for (int i = 0; i < 120; i++)
    fixture_step(f);
  strike(f, part, x, 0, 3);
  for (int i = 0; i < 72; i++)
    fixture_step(f);
}

static void test_mirrored_hit_gives_the_mirrored_reaction(void **state) {
  (void)state;
  Fixture left, right;
  stand_and_strike(&left, "upper_arm_l", -4);
  stand_and_strike(&right, "upper_arm_r", 4);
  double difference = 0, size = 0;
  for (int i = 0; i < left.body->part_count; i++) {
    const dReal *a = dBodyGetLinearVel(left.character->ragdoll->ode[i]);
    const dReal *b = dBodyGetLinearVel(right.character->ragdoll->ode[left.body->parts[i].twin]);
    difference += fabs(a[0] + b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
    size += fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
  }
  assert_true(size > 0.1); // it moved
  assert_true(difference < 0.02 * size);
  fixture_end(&left);
  fixture_end(&right);
}

// The shown pose changes no faster than animation and body do, except for a little by its changing share.
static void test_share_follows_its_goal_without_popping(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  Pose target = pose_bind(skeleton), measured = target;
  int arm = fixture_part(&f, "upper_arm_l"), thigh = fixture_part(&f, "thigh_r");
  measured.rotation[arm] = quat_exp((vec3s){{1, 0, 0}});
  measured.position[0].y -= 0.1f;
  BlendPair pair = {&target, &measured};
  float goals[BODY_MAX_PARTS] = {0}, weights[BODY_MAX_PARTS] = {0};
  goals[arm] = 1;
  goals[thigh] = 0.5f;
  int steps = 0;
  while (weights[arm] < 1 && steps < 1000) {
    float before = weights[arm], root_before = weights[0];
    physics_blend_follow(skeleton, &pair, &pair, goals, 0.01f, 0.002f, weights);
    assert_true((weights[arm] - before) * 1 <= 0.01001f);        // rad of the arm's difference of 1 rad
    assert_true((weights[0] - root_before) * 0.1f <= 0.002001f); // m of the root's difference of 0.1 m
    steps++;
  }
  assert_in_range(steps, 100, 101);
  assert_true(weights[0] == 0.5f); // the pelvis is supported by both legs: they share the thigh's goal
  assert_true(weights[fixture_part(&f, "foot_l")] == 0.5f);
  assert_true(weights[fixture_part(&f, "head")] == 0);
  memset(goals, 0, sizeof goals);
  for (int i = 0; i < 200; i++)
    physics_blend_follow(skeleton, &pair, &pair, goals, 0.01f, 0.002f, weights);
  for (int i = 0; i < f.body->part_count; i++)
    assert_true(weights[i] == 0); // back to the animation exactly
  body_free(f.body);
  files_free(&f.files);
}

// Strafing moves the root at right angles to its heading: to the left of +X (heading 90 degrees) is -Z.
static void test_strafe_goes_sideways(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.start.heading = f.character_def.intent.heading = 90;
  f.character_def.intent.speed = 0.5;
  f.character_def.intent.strafe = 0.25;
  fixture_start(&f);
  for (int i = 0; i < 24; i++)
    fixture_step(&f);
  assert_true(fabs(f.character->root.velocity[0] - 0.5) < 1e-12);
  assert_true(fabs(f.character->root.velocity[2] + 0.25) < 1e-12);
  assert_true(fabs(f.character->root.position[0] - 0.05) < 1e-12);
  assert_true(fabs(f.character->root.position[2] + 0.025) < 1e-12);
  fixture_end(&f);
}

// A speed that is changed while it runs is reached with the root's acceleration: 2 m/s after 0.5 s at 4 m/s^2.
static void test_speed_does_not_jump(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.root.leash = 10;
  fixture_start(&f);
  f.character->intent.speed = 1.6; // 2 m/s in all, in the direction of 3 : 4
  f.character->intent.strafe = -1.2;
  for (int i = 0; i < 120; i++) {
    fixture_step(&f);
    double speed = hypot(f.character->root.velocity[0], f.character->root.velocity[2]);
    assert_true(fabs(speed - 4 * (i + 1) / 240.0) < 1e-9);
    assert_true(fabs(0.75 * f.character->root.velocity[2] + f.character->root.velocity[0]) < 1e-9);
  }
  fixture_step(&f);
  assert_true(f.character->root.speed[0] == 1.6 && f.character->root.speed[1] == -1.2); // reached, exactly
  fixture_end(&f);
}

static void test_any_intent_is_safe(void **state) {
  (void)state;
  Intent intent = {.speed = NAN, .strafe = 1e300, .heading = 725, .look_yaw = -INFINITY, .look_pitch = -61};
  intent_check(&intent);
  assert_true(intent.speed == 0 && intent.strafe == 5 && intent.heading == 5 && intent.look_yaw == 0);
  assert_true(intent.look_pitch == -60);
  Intent good = {.speed = -4, .strafe = 0.1, .heading = -360, .look_yaw = 90, .look_pitch = 12}, same = good;
  intent_check(&same);
  assert_memory_equal(&same, &good, sizeof good);

  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  f.character->intent = (Intent){.speed = NAN, .strafe = INFINITY, .heading = NAN, .look_yaw = 1e9, .look_pitch = NAN};
  f.character->intent.strafe = NAN;
  for (int i = 0; i < 60; i++)
    assert_true(fixture_step(&f));
  assert_true(f.character->intent.look_yaw == 90 && f.character->intent.heading == 0);
  assert_true(isfinite(f.character->root.position[0]) && f.character->world->warnings.drives_refused == 0);
  fixture_end(&f);
}

// The head of the target faces the requested direction, against the heading, as far as its joint turns (70 degrees).
static void test_look_turns_the_head(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.start.heading = f.character_def.intent.heading = 40;
  fixture_start(&f);
  int head = fixture_part(&f, "head");
  static const double asked[][2] = {{30, 20}, {-90, 0}}, seen[][2] = {{30, 20}, {-70, 0}};
  for (int i = 0; i < 2; i++) {
    f.character->intent.look_yaw = asked[i][0];
    f.character->intent.look_pitch = asked[i][1];
    for (int k = 0; k < 480; k++)
      assert_true(fixture_step(&f));
    ModelPose model;
    pose_to_model(&f.body->skeleton, &f.character->target, &model);
    vec3s gaze = glms_quat_rotatev(model.rotation[head], (vec3s){{0, 0, 1}});
    double yaw = (40 + seen[i][0]) * DEG, pitch = seen[i][1] * DEG;
    vec3s expected = {{(float)(sin(yaw) * cos(pitch)), (float)sin(pitch), (float)(cos(yaw) * cos(pitch))}};
    assert_true(glms_vec3_distance(gaze, expected) < 1e-5f);
  }
  assert_true(f.character->sensed.joint_error[head] < 0.05f); // and the body has followed
  fixture_end(&f);
}

// The predicted path: straight on at a steady speed; around a bend if it has to turn.
static void test_path_is_where_the_root_goes(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.intent.speed = 1;
  f.character_def.intent.strafe = 0.5;
  f.character_def.root.turn_rate = 90;
  fixture_start(&f);
  double points[21][3];
  character_path(f.character, 0.1, points, 21);
  assert_true(fabs(points[20][0] - 1) < 1e-12 && points[20][1] == 0 && fabs(points[20][2] - 2) < 1e-12);
  f.character->intent.heading = 180;
  f.character->intent.strafe = 0;
  f.character->root.speed[1] = 0;
  character_path(f.character, 0.01, points, 21);
  double before[3] = {points[20][0], points[20][1], points[20][2]};
  for (int i = 0; i < 48; i++)
    fixture_step(&f);
  assert_true(hypot(before[0] - f.character->root.position[0], before[2] - f.character->root.position[2]) < 0.01);
  fixture_end(&f);
}

// A runner that is told to stand comes to stand on both feet, in its bind pose.
static void test_stops_on_both_feet(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  vec3s before[2] = {0};
  for (int i = 0; i < 4 * 240; i++) {
    if (i == 250)
      f.character->intent.speed = 0;
    assert_true(fixture_step(&f));
    ModelPose model;
    pose_to_model(skeleton, &f.character->target, &model);
    for (int k = 0; k < 2; k++) {
      vec3s ankle = model.position[skeleton->legs[k].ankle];
      assert_true(i == 0 || glms_vec3_distance(ankle, before[k]) * 240 < 3 * 3.5f + 2); // m/s: no jump
      before[k] = ankle;
    }
  }
  assert_true(f.character->play.moving == 0 && f.character->root.speed[0] == 0);
  Pose bind = pose_bind(skeleton);
  for (int i = 1; i < f.body->part_count; i++)
    assert_true(quat_angle_between(f.character->target.rotation[i], bind.rotation[i]) <
                0.15f); // the knees give a little
  assert_false(f.character->sensed.fallen);
  assert_true(f.character->sensed.foot_loaded[0] && f.character->sensed.foot_loaded[1]);
  end_runner(&f, clips);
}

static int count_group(const DebugDraw *draw, DebugGroup group) {
  int count = 0;
  for (int i = 0; i < draw->count; i++)
    count += draw->items[i].group == group;
  return count;
}

// A hidden hand that takes hold of the pelvis in the middle of a run is as weak as one that held it all along.
static void test_a_hand_that_takes_hold_later_is_as_weak(void **state) {
  (void)state;
  Fixture f;
  Error error = {0};
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 24; i++)
    assert_true(fixture_step(&f));
  assert_true(f.character->assist.part < 0);
  f.character->assist.fade = 0.25;
  f.character_def.assist.enabled = true;
  assert_true(character_retune(f.character, &error));
  assert_int_equal(f.character->assist.part, 0);
  assert_true(f.character->assist.fade == 0.25);
  assert_true(fixture_step(&f));
  assert_true(length3(f.character->assist_target.velocity) < 0.1); // m/s: it begins where the body is to be
  fixture_end(&f);
}

static void test_debug_draws_every_layer_and_changes_nothing(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  f.character_def.intent.look_yaw = 20;
  fixture_start(&f);
  for (int i = 0; i < 60; i++)
    fixture_step(&f);
  memcpy(f.character->assist.torque_w, (double[3]){0, 0, -60}, 3 * sizeof(double));
  Character *before = malloc(sizeof *before);
  memcpy(before, f.character, sizeof *before);
  DebugDraw *draw = calloc(1, sizeof *draw);
  character_debug(f.character, draw);
  assert_memory_equal(before, f.character, sizeof *before);
  assert_int_equal(count_group(draw, DEBUG_LOOK), 3);
  assert_int_equal(count_group(draw, DEBUG_PATH), 20);
  assert_int_equal(count_group(draw, DEBUG_ASSIST), 6); // 1.2 rad in pieces of at most 15 degrees, and a label
  const DebugItem *last = &draw->items[draw->count - 1];
  assert_string_equal(last->text, "60 N m");
  for (int i = 0; i < draw->count; i++) {
    if (draw->items[i].group == DEBUG_PATH && draw->items[i].shape == DEBUG_ARROW)
      assert_true(fabs((double)draw->items[i].b[2] - (f.character->root.position[2] + 7)) < 1e-3); // 3.5 m/s, 2 s
  }
  character_debug(f.character, NULL);
  free(draw);
  free(before);
  end_runner(&f, clips);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs_close_to_its_clip),
      cmocka_unit_test(test_the_shown_pose_stays_by_the_body),
      cmocka_unit_test(test_hit_weakens_the_struck_chain_and_is_felt),
      cmocka_unit_test(test_mirrored_hit_gives_the_mirrored_reaction),
      cmocka_unit_test(test_share_follows_its_goal_without_popping),
      cmocka_unit_test(test_strafe_goes_sideways),
      cmocka_unit_test(test_speed_does_not_jump),
      cmocka_unit_test(test_any_intent_is_safe),
      cmocka_unit_test(test_look_turns_the_head),
      cmocka_unit_test(test_path_is_where_the_root_goes),
      cmocka_unit_test(test_stops_on_both_feet),
      cmocka_unit_test(test_a_hand_that_takes_hold_later_is_as_weak),
      cmocka_unit_test(test_debug_draws_every_layer_and_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
