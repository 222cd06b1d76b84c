// Routes over the known map: straight if nothing is in between, out of a trap, and none into a closed court.
#include "anim/planner/route.h"
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_plan.h"

enum { MOST = 64 };

// A wall as a row of circles.
static void add_wall(RouteObstacle *wall, int *count, double x0, double z0, double x1, double z1) {
  for (int i = 0; i <= 10; i++) {
    double share = i / 10.0;
    wall[(*count)++] = (RouteObstacle){{x0 + share * (x1 - x0), z0 + share * (z1 - z0)}, 0.3};
  }
}

static void test_a_free_way_is_straight(void **state) {
  (void)state;
  const double from[2] = {0, 0}, goal[2] = {1, 8};
  const RouteObstacle aside = {{2, 4}, 0.5};
  double waypoint[2], length;
  assert_true(route_is_free(&aside, 1, 0.3, from, goal));
  assert_true(route_find(&aside, 1, 0.3, from, goal, waypoint, &length));
  assert_true(hypot(waypoint[0] - goal[0], waypoint[1] - goal[1]) < 0.3);
  assert_true(length < 1.1 * hypot(1, 8));
}

// Out of a U, by waypoints each of which is visible from the one before.
static void test_the_way_out_of_a_trap(void **state) {
  (void)state;
  RouteObstacle walls[MOST];
  int count = 0;
  add_wall(walls, &count, -2, 6, 2, 6);
  add_wall(walls, &count, -2, 2, -2, 6);
  add_wall(walls, &count, 2, 2, 2, 6);
  const double goal[2] = {0, 10};
  double at[2] = {0, 5}, waypoint[2], length, whole = 0, went = 0;
  assert_false(route_is_free(walls, count, 0.35, at, goal));
  for (int i = 0; i < 20 && !route_is_free(walls, count, 0.35, at, goal); i++) {
    assert_true(route_find(walls, count, 0.35, at, goal, waypoint, &length));
    assert_true(route_is_free(walls, count, 0.35, at, waypoint));
    whole = i == 0 ? length : whole;
    went += hypot(waypoint[0] - at[0], waypoint[1] - at[1]);
    at[0] = waypoint[0];
    at[1] = waypoint[1];
  }
  assert_true(route_is_free(walls, count, 0.35, at, goal));
  went += hypot(goal[0] - at[0], goal[1] - at[1]);
  assert_true(whole > 10 && whole < 16);
  assert_true(went < 1.15 * whole);
}

static void test_no_way_into_a_closed_court(void **state) {
  (void)state;
  RouteObstacle walls[MOST];
  int count = 0;
  add_wall(walls, &count, -2, 4, 2, 4);
  add_wall(walls, &count, -2, 8, 2, 8);
  add_wall(walls, &count, -2, 4, -2, 8);
  add_wall(walls, &count, 2, 4, 2, 8);
  double waypoint[2], length;
  assert_false(route_find(walls, count, 0.35, (const double[2]){0, 0}, (const double[2]){0, 6}, waypoint, &length));
}

// Any map: a route that is found is free up to its waypoint and no shorter than the straight line.
static void test_random_maps(void **state) {
  (void)state;
  Rng rng = rng_make(11, "maps");
  int found = 0;
  for (int round = 0; round < 100; round++) {
    RouteObstacle map[MOST];
    for (int i = 0; i < MOST; i++)
      map[i] = (RouteObstacle){{rng_range(&rng, -6, 6), rng_range(&rng, 2, 14)}, rng_range(&rng, 0.1, 0.6)};
    const double from[2] = {0, 0}, goal[2] = {rng_range(&rng, -4, 4), 16};
    double waypoint[2], length;
    if (!route_find(map, MOST, 0.3, from, goal, waypoint, &length))
      continue;
    found++;
    assert_true(route_is_free(map, MOST, 0.3, from, waypoint));
    assert_true(length > hypot(goal[0], goal[1]) - 0.3);
  }
  assert_true(found > 50);
}

// ---- On the body ----

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

// Goals on all sides of open ground, with foot placement: the first turn used to cross the legs.
static void test_planner_and_foot_placement(void **state) {
  (void)state;
  for (int i = 0; i < 16; i++) {
    char goal[64];
    snprintf(goal, sizeof goal, "[%.3f, %.3f]", 10 * sin(i * M_PI / 8), 10 * cos(i * M_PI / 8));
    SceneDef *def;
    Scene *scene = planned(&def, "", goal, 18);
    run(scene, def);
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
  run(scene, def);
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

// A planner that cannot see walls goes straight to its goal: up to the wall.
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
      cmocka_unit_test(test_a_free_way_is_straight),           cmocka_unit_test(test_the_way_out_of_a_trap),
      cmocka_unit_test(test_no_way_into_a_closed_court),       cmocka_unit_test(test_random_maps),
      cmocka_unit_test(test_planner_and_foot_placement),       cmocka_unit_test(test_a_body_leaves_a_u),
      cmocka_unit_test(test_a_goal_without_a_way_is_reported), cmocka_unit_test(test_walls_are_solid_for_the_root),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
