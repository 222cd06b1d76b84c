// Difficult ground: edges that move away, roofs, narrow stones, gaps and the end of the terrain.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

// The status of a run, and its metrics.
typedef struct Outcome {
  SceneDef *def;
  Scene *scene;
  const Character *man;
} Outcome;

// A kinematic walker with foot placement, unless `more` changes it.
static Outcome run(const char *world, const char *more, double duration, double speed) {
  char text[4096];
  snprintf(text, sizeof text,
           "duration: %g\n%scharacters:\n"
           "  - {name: man, body: bodies/human.yaml, layers: [{kind: foot_placement}], intent: {speed: %g}, %s}\n",
           duration, world, speed, more);
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  Outcome outcome = {.def = scene_def_from_text("ground.yaml", text, &files, NULL, 0, &error)};
  if (!outcome.def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  outcome.scene = small_scene(outcome.def);
  outcome.man = outcome.scene->characters[0];
  return outcome;
}

static void end(Outcome *outcome) {
  scene_destroy(outcome->scene);
  scene_def_free(outcome->def);
}

static bool steps(const Outcome *outcome) {
  for (long i = 0; i < outcome->def->step_count; i++)
    if (!scene_step(outcome->scene))
      return false;
  return true;
}

static double value_of(const Outcome *outcome, const char *name) {
  double value = NAN;
  assert_true(metrics_value(outcome->man->judged->metrics, name, &value));
  return value;
}

#define WALKS "drive: {kinematic: true}, animation: {move: clips/walk.yaml}"

// ---- Edges ----

// As the edge of a turning platform passes under a standing foot, the foot neither rises nor stands on air, and the
// stances that lost their ground are counted.
static void test_an_edge_that_leaves_a_foot(void **state) {
  (void)state;
  Outcome walk = run("platforms:\n"
                     "  - {name: d0, size: [3, 0.12, 3], center: [0, 0.06, 3], turn: -20}\n"
                     "  - {name: d1, size: [3, 0.12, 3], center: [0, 0.06, 7.6], turn: 20}\n",
                     WALKS, 12, 0.95);
  const Skeleton *skeleton = &walk.man->def->body->skeleton;
  double highest = 0;
  for (long i = 0; i < walk.def->step_count; i++) {
    assert_true(scene_step(walk.scene));
    ModelPose pose;
    pose_to_model(skeleton, &walk.man->target, &pose);
    for (int leg = 0; leg < 2; leg++)
      highest = fmax(highest, (double)pose.position[skeleton->legs[leg].ankle].y);
  }
  assert_true(highest < 0.6); // it was 1.5
  assert_true(value_of(&walk, "foot_float_max") < 0.05);
  assert_true(value_of(&walk, "foot_penetration_max") < 0.01);
  assert_true(value_of(&walk, "foot_refusals_no_ground") >= 1);
  end(&walk);
}

// The same at speeds at which edges come over feet that stand beside the platform, or leave feet that are about to
// land.
static void test_edges_that_come_and_leave(void **state) {
  (void)state;
  static const double speeds[] = {0.7, 0.8, 0.9, 1.3};
  for (int i = 0; i < 4; i++) {
    Outcome walk = run("platforms:\n"
                       "  - {name: d0, size: [3, 0.12, 3], center: [0, 0.06, 3], turn: -20}\n"
                       "  - {name: d1, size: [3, 0.12, 3], center: [0, 0.06, 7.6], turn: 20}\n",
                       WALKS, 12, speeds[i]);
    assert_true(steps(&walk));
    double floats = value_of(&walk, "foot_float_max"), depth = value_of(&walk, "foot_penetration_max");
    if (!(floats < 0.01 && depth < 0.06)) // it was 0.12; corners may sweep over the tip of a foot
      fail_msg("at %g m/s feet float by %.1f mm and are %.1f mm deep", speeds[i], 1e3 * floats, 1e3 * depth);
    end(&walk);
  }
}

// Heel (0) or toe (1) as animated.
static vec3s end_of_foot(const Outcome *outcome, int leg, int which) {
  const Skeleton *skeleton = &outcome->man->def->body->skeleton;
  const Leg *l = &skeleton->legs[leg];
  ModelPose pose;
  pose_to_model(skeleton, &outcome->man->target, &pose);
  vec3s arm = glms_quat_rotatev(pose.rotation[l->ankle], which ? l->toe_l : l->heel_l);
  return glms_vec3_add(pose.position[l->ankle], arm);
}

// z of the front of a block of 1 m, m.
static double front_of(const Outcome *outcome) {
  return dBodyGetPosition(outcome->scene->world->bodies[outcome->scene->platforms[0]].ode)[2] - 0.5;
}

// A walker turned by 37 deg has his heels and toes as high as one who is not, to 0.1 mm.
static void test_a_turned_walker_has_the_same_feet(void **state) {
  (void)state;
  Outcome walks[] = {run("", WALKS, 4, 1),
                     run("", "start: {heading: 37}, script: [{time: 0, heading: 37}], " WALKS, 4, 1)};
  double apart = 0, deepest = 0;
  for (long i = 0; i < walks[0].def->step_count; i++) {
    assert_true(scene_step(walks[0].scene) && scene_step(walks[1].scene));
    for (int leg = 0; leg < 2; leg++)
      for (int which = 0; which < 2; which++) {
        double height = (double)end_of_foot(&walks[0], leg, which).y;
        apart = fmax(apart, fabs((double)end_of_foot(&walks[1], leg, which).y - height));
        deepest = fmax(deepest, -height);
      }
  }
  if (!(apart < 1e-4 && deepest < 1e-3))
    fail_msg("feet %.3f mm apart, %.3f mm in the ground", 1e3 * apart, 1e3 * deepest);
  end(&walks[0]);
  end(&walks[1]);
}

// A block of 12 cm comes from ahead: it pushes both feet before it, and they stay on the floor.
static void test_an_edge_pushes_feet(void **state) {
  (void)state;
  Outcome stand =
      run("platforms:\n"
          "  - {name: block, size: [3, 0.12, 1], center: [0, 0.06, 1], path: [[0, 0, 0, 0], [4, 0, 0, -0.8]]}\n",
          "drive: {kinematic: true}", 2.6, 0);
  double start[2] = {0}, gone[2] = {0}, over = -HUGE_VAL, off = 0;
  for (long i = 0; i < stand.def->step_count; i++) {
    assert_true(scene_step(stand.scene));
    for (int leg = 0; leg < 2; leg++) {
      vec3s toe = end_of_foot(&stand, leg, 1), heel = end_of_foot(&stand, leg, 0);
      start[leg] = i == 0 ? (double)toe.z : start[leg];
      gone[leg] = start[leg] - (double)toe.z;
      over = fmax(over, (double)toe.z - front_of(&stand));
      off = fmax(off, fmax(fabs((double)toe.y), fabs((double)heel.y)));
    }
  }
  double reached = start[0] - front_of(&stand);
  if (!(reached > 0.15 && over < 0.004 && off < 0.003 && fabs(gone[0] - reached) < 0.004 &&
        fabs(gone[1] - reached) < 0.004))
    fail_msg("the block goes %.3f m beyond the toes; feet %.3f and %.3f m, %.1f mm into it, %.1f mm off the floor",
             reached, gone[0], gone[1], 1e3 * over, 1e3 * off);
  end(&stand);
}

// Stances without ground, or beside the ground that should support them, are counted; no leg jumps.
static void test_stances_without_ground_are_counted(void **state) {
  (void)state;
  static const struct {
    const char *terrain;
    double speed;
  } walks[] = {{"terrain: {kind: stones, size: 0.1, spacing: 0.8, depth: 1.5, cell: 0.05}\n", 1.2},
               {"terrain: {kind: stones, size: 0.24, spacing: 0.58, depth: 0.93, cell: 0.05}\n", 1.26},
               {"terrain: {kind: gap, start: 3, length: 0.61, depth: 0.52, across: [-10, 10], cell: 0.05, x: [-5,5], "
                "z: [-3, 25]}\n",
                0.93},
               {"terrain: {kind: gap, start: 3, length: 0.34, depth: 1.55, across: [-10, 10], cell: 0.05, x: [-5,5], "
                "z: [-3, 25]}\n",
                1.30}};
  for (int i = 0; i < 4; i++) {
    Outcome walk = run(walks[i].terrain, WALKS, 8, walks[i].speed);
    assert_true(steps(&walk));
    assert_true(value_of(&walk, "foot_float_max") > 0.05);
    assert_true(value_of(&walk, "foot_refusals_no_ground") >= 1);
    end(&walk);
  }
}

// ---- Roofs ----

static void test_a_roof_is_not_the_ground(void **state) {
  (void)state;
  Outcome walk = run("platforms:\n"
                     "  - {name: ceiling, size: [4, 0.2, 6], center: [0, 2.3, 5]}\n"
                     "  - {name: step, size: [4, 0.15, 2], center: [0, 0.075, 6]}\n",
                     WALKS, 9, 1);
  double highest = 0;
  for (long i = 0; i < walk.def->step_count; i++) {
    assert_true(scene_step(walk.scene));
    highest = fmax(highest, walk.man->root.position[1]);
  }
  assert_near(highest, 0.15, 0.01); // it went over the step in the room, and not on the roof
  assert_true(walk.man->root.position[2] > 8);
  assert_true(value_of(&walk, "foot_penetration_max") < 0.005);
  assert_true(value_of(&walk, "foot_float_max") < 0.005);
  end(&walk);
}

// ---- Speeds that no clip is made for ----

static void test_blended_feet_are_on_the_ground(void **state) {
  (void)state;
  static const double speeds[] = {0.5, 0.9, 1.8, 2.3, 3};
  for (int i = 0; i < 5; i++) {
    Outcome walk = run("", "drive: {kinematic: true}, animation: {graph: graphs/human.yaml}", 6, speeds[i]);
    assert_true(steps(&walk));
    assert_true(value_of(&walk, "foot_penetration_max") < 0.005);
    assert_true(value_of(&walk, "foot_float_max") < 0.005);
    end(&walk);
  }
}

// ---- Falls ----

// Over a gap the root falls freely, lands, and continues.
static void test_a_walker_falls_into_a_gap(void **state) {
  (void)state;
  Outcome walk = run(
      "terrain: {kind: gap, start: 4, length: 2, depth: 3, across: [-10, 10], cell: 0.05, x: [-5, 5], z: [-3, 25]}\n",
      WALKS, 6, 1.2);
  const double dt = walk.def->world.dt;
  double fastest = 0, lowest = 0, before = 0;
  int lifted = 0; // feet that stood as he fell
  for (long i = 0; i < walk.def->step_count; i++) {
    assert_true(scene_step(walk.scene));
    double velocity = walk.man->root.velocity[1];
    if (walk.man->root.airborne && velocity < 0)
      assert_near(velocity, before - 9.81 * dt, 1e-9);
    for (int k = 0; walk.man->root.airborne && k < 2; k++) {
      const FootPlan *plan = &walk.man->foot_plans[k];
      assert_true(plan->known && !plan->standing);
      lifted += plan->progress == 0.5 && plan->time_left == 0.3;
    }
    before = velocity;
    fastest = fmin(fastest, velocity);
    lowest = fmin(lowest, walk.man->root.position[1]);
  }
  assert_true(lifted > 0);
  assert_near(lowest, -3, 0.01);
  assert_near(fastest, -sqrt(2 * 9.81 * 3), 0.1);
  end(&walk);
}

// From the bottom of a ditch a foot goes to its edge, close to the hip: the leg does not spin about the hip as the foot
// passes it, as it did once its shin turned at 500 rad/s.
static void test_a_foot_passes_the_hip(void **state) {
  (void)state;
  Outcome walk = run("terrain: {kind: gap, start: 4, length: 1, depth: 0.5, across: [-10, 10], cell: 0.05, x: [-5, 5], "
                     "z: [-3, 25]}\n",
                     "start: {position: [1, 0, 0]}, " WALKS, 6, 1.2);
  const Skeleton *skeleton = &walk.man->def->body->skeleton;
  double fastest = 0, nearest = 1;
  for (long i = 0; i < walk.def->step_count; i++) {
    assert_true(scene_step(walk.scene));
    for (int leg = 0; leg < 2; leg++) {
      const Leg *joints = &skeleton->legs[leg];
      double hip[3], ankle[3];
      ragdoll_point(walk.man->ragdoll, joints->hip, GLMS_VEC3_ZERO, hip);
      ragdoll_point(walk.man->ragdoll, joints->ankle, GLMS_VEC3_ZERO, ankle);
      const dReal *turn = dBodyGetAngularVel(walk.man->ragdoll->ode[joints->knee]);
      fastest = fmax(fastest, sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]));
      nearest = fmin(nearest, sqrt(pow(hip[0] - ankle[0], 2) + pow(hip[1] - ankle[1], 2) + pow(hip[2] - ankle[2], 2)));
    }
  }
  assert_true(nearest > 0.25 && nearest < 0.3); // m: as near as a knee folds
  assert_true(fastest < 30);                    // rad/s
  end(&walk);
}

// A character that leaves the terrain, as animation or as a body, ends the run with a reason, and nothing is reported
// of feet in the air.
static void test_the_end_of_the_terrain(void **state) {
  (void)state;
  static const char world[] = "terrain: {kind: noise, amplitude: 0.01, x: [-5, 5], z: [-3, 2], endless: false}\n";
  static const char *const men[] = {
      WALKS, "assist: {enabled: true, force: 600, torque: 150}, animation: {move: clips/walk.yaml}"};
  for (int i = 0; i < 2; i++) {
    Outcome walk = run(world, men[i], 10, 1.2);
    assert_false(steps(&walk));
    assert_non_null(strstr(walk.scene->world->stop_reason, "fallen off the terrain at "));
    assert_true(walk.scene->world->time < 6);
    assert_true(value_of(&walk, "foot_float_max") < (i == 0 ? 0.01 : 0.5)); // a body topples over the edge first
    assert_true(value_of(&walk, "foot_refusals") == 0);
    end(&walk);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_edge_that_leaves_a_foot),
      cmocka_unit_test(test_edges_that_come_and_leave),
      cmocka_unit_test(test_an_edge_pushes_feet),
      cmocka_unit_test(test_a_turned_walker_has_the_same_feet),
      cmocka_unit_test(test_stances_without_ground_are_counted),
      cmocka_unit_test(test_a_roof_is_not_the_ground),
      cmocka_unit_test(test_blended_feet_are_on_the_ground),
      cmocka_unit_test(test_a_walker_falls_into_a_gap),
      cmocka_unit_test(test_a_foot_passes_the_hip),
      cmocka_unit_test(test_the_end_of_the_terrain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
