// A planned body on its route: open ground with its feet put on it, out of a trap, a goal without a way, solid walls.
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_plan.h"

static Scene *planned(SceneDef **def, const char *platforms, const char *goal, double duration) {
  char text[4096];
  snprintf(text, sizeof text,
           "seed: 1\nduration: %g\n%scharacters:\n"
           "  - name: man\n    body: bodies/human.yaml\n    assist: {enabled: true, force: 600, torque: 150}\n"
           "    layers: [{kind: foot_placement}]\n"
           "    planner: {def: planners/human.yaml, policy: planners/human_policy.yaml, goals: [%s]}\n",
           duration, platforms, goal);
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  *def = scene_def_from_text("plan.yaml", text, &files, NULL, 0, &error);
  if (!*def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return small_scene(*def);
}

static double value_of(const Scene *scene, const char *name) {
  double value = NAN;
  assert_true(metrics_value(scene->characters[0]->judged->metrics, name, &value));
  return value;
}

static void run(Scene *scene, const SceneDef *def) {
  for (long i = 0; i < def->step_count; i++)
    assert_true(scene_step(scene));
}

// To its end, or until a second after the goal has been reached.
static void run_to_goal(Scene *scene, const SceneDef *def) {
  long end = def->step_count;
  for (long i = 0; i < end; i++) {
    assert_true(scene_step(scene));
    if (end == def->step_count && value_of(scene, "goals_reached") == 1)
      end = i + (long)(1 / def->world.dt);
  }
  assert_true(end < def->step_count);
}

// Goals on all sides of open ground, with the feet put on it: the first turn used to cross the legs.
static void test_planner_and_foot_placement(void **state) {
  (void)state;
  for (int i = 0; i < 16; i++) {
    char goal[64];
    snprintf(goal, sizeof goal, "[%.3f, %.3f]", 10 * sin(i * M_PI / 8), 10 * cos(i * M_PI / 8));
    SceneDef *def;
    Scene *scene = planned(&def, "", goal, 18);
    run_to_goal(scene, def);
    assert_true(value_of(scene, "fell") == 0);
    assert_true(value_of(scene, "goals_reached") == 1);
    scene_destroy(scene);
    scene_def_free(def);
  }
}

static void test_a_body_leaves_a_u(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = planned(&def,
                         "platforms:\n"
                         "  - {name: a, size: [4, 2, 0.3], center: [0, 1, 6]}\n"
                         "  - {name: b, size: [0.3, 2, 4], center: [-2, 1, 4]}\n"
                         "  - {name: c, size: [0.3, 2, 4], center: [2, 1, 4]}\n",
                         "[0, 10]", 40);
  run_to_goal(scene, def);
  assert_true(value_of(scene, "fell") == 0);
  assert_true(value_of(scene, "goals_reached") == 1);
  assert_true(value_of(scene, "goal_clearance_min") > 0.1);
  assert_true(value_of(scene, "goal_stuck_time") == 0);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_a_goal_without_a_way_is_reported(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = planned(&def,
                         "platforms:\n"
                         "  - {name: a, size: [6, 2, 0.3], center: [0, 1, 4]}\n"
                         "  - {name: b, size: [6, 2, 0.3], center: [0, 1, 10]}\n"
                         "  - {name: c, size: [0.3, 2, 6.3], center: [-3, 1, 7]}\n"
                         "  - {name: d, size: [0.3, 2, 6.3], center: [3, 1, 7]}\n",
                         "[0, 7]", 8);
  run(scene, def);
  assert_true(value_of(scene, "fell") == 0);
  assert_true(value_of(scene, "goals_reached") == 0);
  assert_near(value_of(scene, "goal_stuck_time"), 8, 0.1);
  scene_destroy(scene);
  scene_def_free(def);
}

// A planner that sees no wall, since nobody lets it look around, goes straight to its goal: up to the wall.
static void test_walls_are_solid_for_the_root(void **state) {
  (void)state;
  for (int walled = 0; walled < 2; walled++) {
    SceneDef *def;
    Scene *scene =
        planned(&def, walled ? "platforms: [{name: a, size: [8, 2, 0.3], center: [0, 1, 3]}]\n" : "", "[0, 10]", 1);
    Character *man = scene->characters[0];
    double farthest = 0;
    for (int i = 0; i < 1500; i++) {
      const RootStep step = {.before = man->root, .dt = def->world.dt};
      RootMotion motion = character_plan_root(man, &step);
      memcpy(man->root.position, motion.position, sizeof motion.position);
      man->root.heading = motion.heading;
      farthest = fmax(farthest, man->root.position[2]);
    }
    assert_true(walled ? farthest > 2 && farthest < 2.7 : farthest > 4);
    scene_destroy(scene);
    scene_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planner_and_foot_placement),
      cmocka_unit_test(test_a_body_leaves_a_u),
      cmocka_unit_test(test_a_goal_without_a_way_is_reported),
      cmocka_unit_test(test_walls_are_solid_for_the_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
