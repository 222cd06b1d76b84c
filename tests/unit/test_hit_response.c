// The response to a hit: sizes and distances of known motions, and that of a scene beside the same scene without the
// hit.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "scenes/run/hit_response.h"
#include "sim/base/numbers.h"

static const double DEGREE = RAD_PER_DEGREE;

// All frames of a body of a root and two joints; nothing turns.
static void still(HitResponse *response) {
  *response = (HitResponse){.frame_count = HIT_RESPONSE_FRAMES, .joint_count = 3};
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++)
    response->trunk[f] = response->head[f] = NAN;
  for (int i = 0; i < 3; i++)
    response->torque_onset[i] = response->command_onset[i] = NAN;
  response->pressure_shift = response->pressure_onset = NAN;
  response->head_joint = -1;
}

static void turn(HitResponse *response, int frame, int joint, int axis, double degrees) {
  response->rotation[frame][joint][axis] = (float)(degrees * DEGREE);
}

static double size(const HitResponse *response) {
  const ResponseFrames frames = hit_response_frames(response);
  return response_size(&frames) / DEGREE;
}

static double distance(const HitResponse *a, const HitResponse *b) {
  const ResponseFrames p = hit_response_frames(a), q = hit_response_frames(b);
  return response_distance(&p, &q) / DEGREE;
}

// The mean over joints and frames, without the root.
static void test_size(void **state) {
  (void)state;
  HitResponse response;
  still(&response);
  assert_true(size(&response) == 0);
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++) {
    turn(&response, f, 0, 1, 90); // the root does not count
    turn(&response, f, 1, 0, f < 24 ? 10 : 20);
  }
  assert_near(size(&response), 15.0 / 2, 1e-5);
}

// Between the rotations: along one axis the difference of angles, of right angles about two axes 120 deg. The first of
// two that are alike and one that turns is as far from each.
static void test_distance(void **state) {
  (void)state;
  HitResponse a, b, c;
  still(&a);
  still(&b);
  still(&c);
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++) {
    turn(&a, f, 1, 0, 30);
    turn(&b, f, 1, 0, -10);
    turn(&c, f, 2, 0, 90);
  }
  assert_near(distance(&a, &a), 0, 1e-4);
  assert_near(distance(&a, &b), 40.0 / 2, 1e-4);
  assert_near(distance(&b, &a), 40.0 / 2, 1e-4);
  assert_near(distance(&a, &c), (30 + 90) / 2.0, 1e-4);
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++) {
    turn(&a, f, 1, 0, 90);
    turn(&b, f, 1, 0, 0);
    turn(&b, f, 1, 1, 90);
  }
  assert_near(distance(&a, &b), 120.0 / 2, 1e-4);
  a.frame_count = b.frame_count = 1; // the mean of one
  assert_near(distance(&a, &b), 120.0 / 2, 1e-4);
  b.joint_count = 2;
  assert_true(isnan(distance(&a, &b)));
}

// The largest mean over joints and its time; those of trunk and head where there are any.
static void test_peaks(void **state) {
  (void)state;
  HitResponse response;
  still(&response);
  turn(&response, 5, 1, 2, -8);
  turn(&response, 5, 2, 0, 4);
  turn(&response, 6, 1, 2, 11);
  response.trunk[0] = response.head[0] = 0;
  response.head[11] = (float)(25 * DEGREE);
  MetricsHitResponse metrics = hit_response_metrics(&response);
  assert_near(metrics.peak, 6, 1e-5);
  assert_near(metrics.peak_time, 6 / 60.0, 1e-12);
  assert_true(metrics.trunk_peak == 0 && isnan(metrics.trunk_peak_time));
  assert_near(metrics.head_peak, 25, 1e-5);
  assert_near(metrics.head_peak_time, 0.2, 1e-12);
  assert_near(metrics.size, (6 + 5.5) / HIT_RESPONSE_FRAMES, 1e-5);
  response.frame_count--; // the run has ended too early
  metrics = hit_response_metrics(&response);
  assert_true(isnan(metrics.size) && isnan(metrics.peak) && isnan(metrics.peak_time) && isnan(metrics.head_peak));
}

// The earliest of all joints and of the legs', and that of the head's.
static void test_onsets(void **state) {
  (void)state;
  HitResponse response;
  still(&response);
  assert_true(isnan(hit_response_metrics(&response).torque_onset));
  response.torque_onset[1] = 0.02;
  response.torque_onset[2] = 0.05;
  response.leg_joint[2] = true;
  response.head_joint = 1;
  response.pressure_shift = 0.03;
  response.pressure_onset = 0.2;
  response.struck_leg[2] = true;
  response.command_onset[1] = 0.01;
  response.command_onset[2] = 0.09;
  response.placement = (PlacementShift){0.25, 0.012};
  response.removed = (ErrorRemoved){.ahead = 0.7, .side = 0.9};
  const MetricsHitResponse metrics = hit_response_metrics(&response);
  assert_near(metrics.torque_onset, 0.02, 1e-12);
  assert_near(metrics.neck_onset, 0.02, 1e-12);
  assert_near(metrics.leg_onset, 0.05, 1e-12);
  assert_near(metrics.pressure_shift, 0.03, 1e-12);
  assert_near(metrics.pressure_onset, 0.2, 1e-12);
  assert_near(metrics.struck_leg_torque, 0.05, 1e-12);
  assert_near(metrics.struck_leg_command, 0.09, 1e-12);
  assert_near(metrics.placement_time, 0.25, 1e-12);
  assert_near(metrics.placement_shift, 0.012, 1e-12);
  assert_near(metrics.removed_ahead, 0.7, 1e-12);
  assert_near(metrics.removed_side, 0.9, 1e-12);
}

// ---- In scenes ----

#define NODDER                                                                                                         \
  "duration: 1.5\nterrain: {kind: flat}\n"                                                                             \
  "characters:\n"                                                                                                      \
  "  - {name: other, body: boxes.yaml, start: {position: [3, 0, 0]}}\n"                                                \
  "  - {name: doll, body: boxes.yaml, animation: {move: nod.yaml}, hit_reaction: {enabled: false}}\n"                  \
  "events:\n"

#define FIRST "  - {kind: push, character: doll, part: top, time: 0.25, impulse: 0.4, direction: 90, duration: 0.05}\n"
#define LATER "  - {character: doll, part: base, time: 0.9, impulse: 1, direction: 30, point: [0, 0, 0]}\n"

static void measure_def(SceneDef *def, HitResponse *response) {
  Error error = {0};
  HitResponseWatch *watch = hit_response_watch(def, response, &error);
  assert_non_null(watch);
  Scene *scene = small_scene(def);
  while (scene->world->steps < def->step_count) {
    assert_true(scene_step(scene));
    hit_response_step(watch, scene);
  }
  hit_response_end(watch);
  scene_destroy(scene);
  scene_def_free(def);
}

static void measure(const char *text, HitResponse *response) { measure_def(small_def(text), response); }

// Frame by frame the angle between the shown poses of two runs, one of which does not have the push. The blow that
// comes later strikes in both.
static void test_is_that_of_two_runs(void **state) {
  (void)state;
  HitResponse response;
  measure(NODDER FIRST LATER, &response);
  assert_int_equal(response.frame_count, HIT_RESPONSE_FRAMES);
  assert_int_equal(response.character, 1);
  assert_int_equal(response.part, 1);
  assert_int_equal(response.joint_count, 2);
  assert_near(response.time, 0.25, 1e-9);
  assert_true(isnan(response.trunk[0]) && isnan(response.head[0]));
  SceneDef *defs[2] = {small_def(NODDER FIRST LATER), small_def(NODDER LATER)};
  Scene *scenes[2] = {small_scene(defs[0]), small_scene(defs[1])};
  const ResponseFrames frames = hit_response_frames(&response);
  double most = 0, onset = NAN;
  for (int step = 1; step <= 60 + 4 * HIT_RESPONSE_FRAMES; step++) {
    assert_true(scene_step(scenes[0]) && scene_step(scenes[1]));
    const double *a = scenes[0]->characters[1]->ragdoll->joints[1].torque_w;
    const double *b = scenes[1]->characters[1]->ragdoll->joints[1].torque_w;
    if (isnan(onset) && length3((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}) > 1)
      onset = step / 240.0 - 0.25;
    if (step <= 60 || step % 4 != 0)
      continue;
    const double angle = (double)quat_angle_between(scenes[0]->characters[1]->shown.pose.rotation[1],
                                                    scenes[1]->characters[1]->shown.pose.rotation[1]);
    assert_near(response_angle(&frames, (step - 60) / 4 - 1), angle, 1e-6);
    most = fmax(most, angle);
  }
  assert_true(most > 5 * DEGREE && onset > 0); // there is something to compare
  assert_near(response.torque_onset[1], onset, 1e-9);
  assert_near(hit_response_metrics(&response).torque_onset, onset, 1e-9);
  assert_true(isnan(hit_response_metrics(&response).neck_onset));
  for (int i = 0; i < 2; i++) {
    scene_destroy(scenes[i]);
    scene_def_free(defs[i]);
  }
}

// ---- Of a man who runs ----

#define RUNNER                                                                                                         \
  "duration: 0.4\nworld: {solver: reduced}\nterrain: {kind: flat}\n"                                                   \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3.5}}\n"

static SceneDef *runner_def(const char *text) {
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  SceneDef *def = scene_def_from_text("runner.yaml", text, &files, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

// N m: what a goal asks for from a joint that is at 0 and rests.
static vec3s asked_for(const JointGoal *goal) {
  vec3s torque = goal->feed_forward_l, spring = quat_log(goal->rotation);
  for (int k = 0; k < 3; k++)
    torque.raw[k] += spring.raw[k] * (float)goal->stiffness + goal->angular_velocity_l.raw[k] * (float)goal->damping;
  return torque;
}

// Torques of a runner's joints are large in every direction, with the hit and without: the onset of a joint is when the
// two differ by 1 N m, as a vector.
static void test_onsets_of_all_joints(void **state) {
  (void)state;
  static const char HIT[] = RUNNER "events: [{part: chest, time: 0.1, impulse: 12, direction: 60, point: [0, 0, 0]}]\n";
  HitResponse response;
  measure_def(runner_def(HIT), &response);
  SceneDef *defs[2] = {runner_def(HIT), runner_def(RUNNER)};
  Scene *scenes[2] = {small_scene(defs[0]), small_scene(defs[1])};
  double torque[BODY_MAX_PARTS], command[BODY_MAX_PARTS];
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    torque[i] = command[i] = NAN;
  int first = 0, later = 0;
  for (int step = 1; step <= 96; step++) {
    assert_true(scene_step(scenes[0]) && scene_step(scenes[1]));
    const Character *with = scenes[0]->characters[0], *without = scenes[1]->characters[0];
    for (int i = 1; i < response.joint_count; i++) {
      const double *a = with->ragdoll->joints[i].torque_w, *b = without->ragdoll->joints[i].torque_w;
      if (isnan(torque[i]) && length3((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}) > 1)
        torque[i] = step / 240.0 - 0.1;
      const vec3s change = glms_vec3_sub(asked_for(&with->joint_goals[i]), asked_for(&without->joint_goals[i]));
      if (isnan(command[i]) && glms_vec3_norm(change) > 1)
        command[i] = step / 240.0 - 0.1;
    }
  }
  for (int i = 1; i < response.joint_count; i++) {
    assert_int_equal(isnan(response.torque_onset[i]), isnan(torque[i]));
    assert_int_equal(isnan(response.command_onset[i]), isnan(command[i]));
    if (!isnan(torque[i]))
      assert_near(response.torque_onset[i], torque[i], 1e-9);
    if (!isnan(command[i]))
      assert_near(response.command_onset[i], command[i], 1e-9);
    first += torque[i] > 0 && torque[i] < 0.02;
    later += torque[i] > 0.02;
  }
  assert_true(first > 0 && later > 0); // there is something to compare
  for (int i = 0; i < 2; i++) {
    scene_destroy(scenes[i]);
    scene_def_free(defs[i]);
  }
}

// A ball of a scene that strikes the doll: its twin is the same scene in which it passes, as if there were none.
static void test_props_strike(void **state) {
  (void)state;
  static const char DOLL[] =
      "duration: 1.5\nterrain: {kind: flat}\n"
      "characters:\n"
      "  - {name: doll, body: boxes.yaml, animation: {move: nod.yaml}, hit_reaction: {enabled: false}}\n";
  static const char BALL[] = "props:\n"
                             "  - {name: ball, shape: ball, size: [0.1, 0.1, 0.1], mass: 0.5, center: [0.5, 1.4, 0], "
                             "velocity: [-6, 0, 0]}\n";
  char text[1024];
  HitResponse response;
  snprintf(text, sizeof text, "%s%s", DOLL, BALL);
  measure(text, &response);
  assert_int_equal(response.frame_count, HIT_RESPONSE_FRAMES);
  assert_int_equal(response.part, 1);
  assert_true(response.time > 0.04 && response.time < 0.07);
  SceneDef *defs[2] = {small_def(text), small_def(DOLL)};
  Scene *scenes[2] = {small_scene(defs[0]), small_scene(defs[1])};
  const ResponseFrames frames = hit_response_frames(&response);
  const int first = (int)lround(240 * response.time);
  for (int step = 1; step <= first + 4 * HIT_RESPONSE_FRAMES; step++) {
    assert_true(scene_step(scenes[0]) && scene_step(scenes[1]));
    if (step <= first || (step - first) % 4 != 0)
      continue;
    const double angle = (double)quat_angle_between(scenes[0]->characters[0]->shown.pose.rotation[1],
                                                    scenes[1]->characters[0]->shown.pose.rotation[1]);
    assert_near(response_angle(&frames, (step - first) / 4 - 1), angle, 1e-5);
  }
  assert_true(response_size(&frames) > 0.05 * DEGREE); // there is something to compare
  for (int i = 0; i < 2; i++) {
    scene_destroy(scenes[i]);
    scene_def_free(defs[i]);
  }
}

static void test_nobody_is_hit(void **state) {
  (void)state;
  HitResponse response;
  measure(NODDER "  - {character: doll, part: top, time: 0.25, impulse: 0}\n", &response);
  assert_int_equal(response.frame_count, 0);
  assert_true(isnan(hit_response_metrics(&response).size));
}

// A run that ends within the window has the frames until then.
static void test_the_run_ends(void **state) {
  (void)state;
  HitResponse response;
  measure(NODDER "  - {character: doll, part: top, time: 1.4, impulse: 0.4}\n", &response);
  assert_int_equal(response.frame_count, 6);
  assert_true(isnan(hit_response_metrics(&response).size));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_peaks),
      cmocka_unit_test(test_onsets),
      cmocka_unit_test(test_is_that_of_two_runs),
      cmocka_unit_test(test_onsets_of_all_joints),
      cmocka_unit_test(test_props_strike),
      cmocka_unit_test(test_nobody_is_hit),
      cmocka_unit_test(test_the_run_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
