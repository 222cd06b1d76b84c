// Jumps of a character of animation: take-off and landing at the asked places, a ballistic centre of mass, gaps and
// ledges, and jumps that are refused.
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_metrics.h"
#include "sim/base/numbers.h"
#include "tests/unit/small_scene.h"

typedef struct Run {
  SceneDef *def;
  Scene *scene;
  Character *man;
} Run;

// A man with a clip for jumps; `more`: the rest of his keys.
static SceneDef *read_scene(const char *world, const char *more, Error *error) {
  char text[4096];
  snprintf(text, sizeof text, "duration: 8\n%scharacters:\n  - {name: man, body: bodies/human.yaml, %s}\n", world,
           more);
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  return scene_def_from_text("jump.yaml", text, &files, NULL, 0, error);
}

static Run begin(const char *world, const char *more) {
  Error error = {0};
  Run run = {.def = read_scene(world, more, &error)};
  if (!run.def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  run.scene = small_scene(run.def);
  run.man = run.scene->characters[0];
  return run;
}

static void end(Run *run) {
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

static double value_of(const Run *run, const char *name) {
  double value = NAN;
  assert_true(metrics_value(run->man->judged->metrics, name, &value));
  return value;
}

// The middle of a sole, m.
static vec3s sole_of(const Character *man, int leg) {
  const Leg *joints = &man->def->body->skeleton.legs[leg];
  vec3s ankle;
  versors rotation;
  pose_joint_transform(&man->def->body->skeleton, &man->target, joints->ankle, &ankle, &rotation);
  return foot_points(joints, ankle, rotation).sole;
}

#define CLIPS "move: clips/walk.yaml, stand: clips/idle_breathe.yaml, jump: clips/jump.yaml"
#define ANIMATED "drive: {kinematic: true}, animation: {" CLIPS "}"
#define STANDS ANIMATED ", intent: {speed: 0}"

// From a stand: both feet leave the ground and land 1.2 m ahead, to the millimetre, after the centre of mass has flown
// as a projectile; nothing slides or sinks, and no pose jumps.
static void test_a_jump_from_a_stand(void **state) {
  (void)state;
  enum { MOST = 240, APART = 12 };
  Run run = begin("", STANDS ", script: [{time: 0.5, jump: {distance: 1.2, rise: 0.2}}]");
  const double h = run.def->world.dt, span = APART * h;
  vec3s from[2], last[2];
  double highest = 0, com[MOST][3];
  int flown = 0;
  for (int k = 0; k < 2; k++)
    from[k] = last[k] = sole_of(run.man, k);
  for (int i = 0; i < 5 / h; i++) {
    assert_true(scene_step(run.scene));
    if (run.man->root.airborne) {
      character_pose_com(run.man, &run.man->target, com[flown]);
      highest = fmax(highest, com[flown][1]);
      assert_true(++flown < MOST);
    }
    for (int k = 0; k < 2; k++) { // fastest in the middle of the flight
      vec3s now = sole_of(run.man, k);
      assert_true((double)glms_vec3_distance(now, last[k]) < 6 * h);
      last[k] = now;
    }
  }
  assert_near(flown * h, run.man->jump.arc.flight, 2 * h);
  for (int i = APART; i + APART < flown; i++) { // poses are floats
    assert_near((com[i + APART][1] - 2 * com[i][1] + com[i - APART][1]) / (span * span), -9.81, 0.05);
    assert_near((com[i + APART][2] - com[i][2]) / span, run.man->jump.arc.ahead, 1e-3);
    assert_near(com[i][0], com[0][0], 1e-4);
  }
  assert_false(character_jumps(run.man));
  for (int k = 0; k < 2; k++) {
    assert_near(last[k].z - from[k].z, 1.2, 1e-3);
    assert_near(last[k].x, from[k].x, 1e-3);
    assert_near(last[k].y, 0, 1e-3);
  }
  Pose pose;
  double rest[3];
  clip_sample(run.man->def->jump, 0, &pose);
  character_pose_com(run.man, &pose, rest);
  assert_near(highest, rest[1] + run.man->jump.arc.take_off + 0.2, 5e-4);
  assert_near(run.man->root.position[2], 1.2, 1e-3);
  assert_true(value_of(&run, "output_foot_slip_max") < 0.001);
  assert_true(value_of(&run, "foot_penetration_max") < 0.002);
  assert_true(value_of(&run, "target_jump_max_angle") < 8);
  end(&run);
}

// Joints stay in their ranges, but for less than a degree, and legs reach their feet, in jumps near and far, high and
// up.
static void test_joints_stay_in_their_ranges(void **state) {
  (void)state;
  static const char *const jumps[] = {"0.3", "1.2", "2", "0, rise: 0.4"};
  for (int j = 0; j < 4; j++) {
    char more[256];
    snprintf(more, sizeof more, STANDS ", script: [{time: 0.5, jump: {distance: %s}}]", jumps[j]);
    Run run = begin("", more);
    const Skeleton *skeleton = &run.man->def->body->skeleton;
    float straightest = 9;
    for (long i = 0; i < run.def->step_count / 2; i++) {
      assert_true(scene_step(run.scene));
      for (int k = 0; k < 2; k++) {
        vec3s knee = quat_log(run.man->target.rotation[skeleton->legs[k].knee]);
        vec3s foot = quat_log(run.man->target.rotation[skeleton->legs[k].ankle]);
        assert_true(knee.x < 145 * RAD_PER_DEGREE && fabsf(knee.y) < 0.01f && fabsf(knee.z) < 0.01f);
        if (!(foot.x > -41 * RAD_PER_DEGREE && foot.x < 51 * RAD_PER_DEGREE))
          printf("%s t %.3f foot %.1f %.1f %.1f knee %.1f\n", jumps[j], run.scene->world->time, foot.x * 57.3,
                 foot.y * 57.3, foot.z * 57.3, knee.x * 57.3);
        if (0)
          assert_true(foot.x > -41 * RAD_PER_DEGREE && foot.x < 51 * RAD_PER_DEGREE);
        straightest = fminf(straightest, knee.x);
      }
    }
    assert_true(straightest > 0.08f && straightest < 0.6f); // rad: stretched at take-off, never locked
    assert_true(value_of(&run, "output_foot_slip_max") < 0.002);
    end(&run);
  }
}

// Walkers at any speed and phase, and a runner, come over two gaps, and their feet stand on ground alone.
static void test_gaps_are_jumped_over(void **state) {
  (void)state;
  static const char world[] =
      "terrain: {kind: gap, start: 3, length: 4.4, depth: 2, cell: 0.05, x: [-2, 2], z: [-3, 30]}\n"
      "platforms: [{name: block, size: [2, 2, 2.5], center: [0, -1, 4.95]}]\n";
  for (int i = 0; i < 6; i++) {
    char more[512];
    snprintf(more, sizeof more,
             "start: {position: [0, 0, %g]}, layers: [{kind: foot_placement}], root: {jump: 1.3}, "
             "drive: {kinematic: true}, animation: {%s}, intent: {speed: %g}",
             0.23 * i, i < 5 ? CLIPS : "graph: graphs/human.yaml, jump: clips/jump.yaml", i < 5 ? 0.8 + 0.15 * i : 3.2);
    Run run = begin(world, more);
    int jumps = 0;
    bool jumping = false;
    while (run.scene->world->time < 12) {
      assert_true(scene_step(run.scene));
      jumps += !jumping && character_jumps(run.man);
      jumping = character_jumps(run.man);
      assert_true(run.man->root.position[1] > -0.01);
    }
    assert_int_equal(jumps, 2);
    assert_true(run.man->root.position[2] > 7.4);
    assert_true(value_of(&run, "foot_penetration_max") < 0.005);
    assert_true(value_of(&run, "foot_float_max") < 0.006);
    assert_near(value_of(&run, "foot_refusals"), 0, 0);
    if (i < 5)
      assert_true(value_of(&run, "output_foot_slip_max") < 0.002);
    end(&run);
  }
}

// A gap that is wider than `root.jump` is not jumped over, nor is one without far ground or without `root.jump`: he
// falls in, and lands on its ground.
static void test_gaps_that_are_too_wide(void **state) {
  (void)state;
  static const char world[] =
      "terrain: {kind: gap, start: 3, length: 1.5, depth: 1, cell: 0.05, x: [-2, 2], z: [-3, 30]}\n";
  static const char *const roots[] = {"root: {jump: 1.4}", "root: {jump: 0}"};
  for (int i = 0; i < 2; i++) {
    char more[512];
    snprintf(more, sizeof more, "layers: [{kind: foot_placement}], " ANIMATED ", intent: {speed: 1.1}, %s", roots[i]);
    Run run = begin(world, more);
    double lowest = 0;
    while (run.scene->world->time < 5) {
      assert_true(scene_step(run.scene));
      lowest = fmin(lowest, run.man->root.position[1]);
    }
    assert_near(lowest, -1, 0.005);
    end(&run);
  }
}

// Off a ledge he falls for sqrt(2 h / g), less what the legs reach, and lands on both feet, which do not slide.
static void test_a_ledge(void **state) {
  (void)state;
  Run run = begin("platforms: [{name: ledge, size: [3, 0.8, 4], center: [0, 0.4, 0]}]\n",
                  "layers: [{kind: foot_placement}], " ANIMATED ", intent: {speed: 1.1}");
  double air = 0;
  while (run.scene->world->time < 6) {
    assert_true(scene_step(run.scene));
    air += run.man->root.airborne ? run.def->world.dt : 0;
  }
  assert_near(air, sqrt(2 * 0.8 / 9.81), 0.03);
  assert_near(run.man->root.position[1], 0, 1e-3);
  assert_true(value_of(&run, "output_foot_slip_max") < 0.002);
  assert_true(value_of(&run, "foot_penetration_max") < 0.003);
  end(&run);
}

// Without ground at the landing, in the air, or while he jumps already, nothing begins.
static void test_jumps_that_do_not_begin(void **state) {
  (void)state;
  Run run = begin("terrain: {kind: noise, amplitude: 0.001, x: [-5, 5], z: [-3, 1], endless: false}\n",
                  STANDS ", script: [{time: 0.5, jump: {distance: 1.5}}, {time: 1, jump: {distance: 0.5}}, "
                         "{time: 1.2, jump: {distance: 0.3}}]");
  while (run.scene->world->time < 0.9)
    assert_true(scene_step(run.scene));
  assert_false(character_jumps(run.man));
  while (run.scene->world->time < 1.5)
    assert_true(scene_step(run.scene));
  assert_true(character_jumps(run.man));
  assert_near(run.man->jump.arc.distance, 0.5, 0);
  end(&run);
}

static void test_bad_descriptions_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *world, *more, *message;
  } cases[] = {
      {"", "script: [{time: 1, jump: {distance: 1}}]", "a jump needs a clip: animation: {jump: clips/jump.yaml}"},
      {"", STANDS ", script: [{time: 1, jump: {distance: 2.1, rise: 0.5}}]",
       "people cannot jump so: it takes 3.63 m/s at take-off, allowed are 3.2"},
      {"world: {gravity: [0, 0, 0]}\n", STANDS ", script: [{time: 1, jump: {distance: 1}}]",
       "a jump needs a world.gravity that pulls down"},
      {"", "animation: {" CLIPS "}, balance: {enabled: true}, script: [{time: 1, jump: {distance: 1}}]",
       "who balances by himself, has a skill or a planner cannot jump"},
      {"", "animation: {jump: clips/walk.yaml}",
       "the clip 'walk' of a jump has to have the marks crouched, take_off, touch_down and absorbed, one after the "
       "other"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    SceneDef *def = read_scene(cases[i].world, cases[i].more, &error);
    assert_null(def);
    if (!strstr(error.text, cases[i].message))
      fail_msg("%s", error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_jump_from_a_stand),
      cmocka_unit_test(test_joints_stay_in_their_ranges),
      cmocka_unit_test(test_gaps_are_jumped_over),
      cmocka_unit_test(test_gaps_that_are_too_wide),
      cmocka_unit_test(test_a_ledge),
      cmocka_unit_test(test_jumps_that_do_not_begin),
      cmocka_unit_test(test_bad_descriptions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
