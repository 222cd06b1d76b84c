// Characters led by a planner: they reach their goals, stop there and avoid obstacles; their animation does not jump
// from one move to the next.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_plan.h"
#include "scenes/run/scene.h"
#include "tests/unit/drill.h"

typedef struct Walk {
  SceneDef *def;
  Scene *scene;
} Walk;

static Walk begin(const char *name, const char *const *overrides, int count) {
  Error error = {0};
  Walk walk = {.def = scene_def_read(name, overrides, count, &error)};
  walk.scene = walk.def ? scene_create(walk.def, &error) : NULL;
  if (!walk.scene) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return walk;
}

static void end(Walk *walk) {
  scene_destroy(walk->scene);
  scene_def_free(walk->def);
}

static double value_of(const Character *character, const char *name) {
  double value = NAN;
  assert_true(metrics_value(character->judged->metrics, name, &value));
  return value;
}

static double distance_to(const Character *character, const double goal[2]) {
  return hypot(character->sensed.com[0] - goal[0], character->sensed.com[2] - goal[1]);
}

// The root shifts at once where a move begins, and the pose compensates it: the body continues at its speed.
static void test_he_gets_to_his_goal_and_stops(void **state) {
  (void)state;
  static const char *const overrides[] = {"characters.man.drive.kinematic=true", "world.dt=1/120", "events=[]"};
  Walk walk = begin("plan_hit.yaml", overrides, 3);
  const Character *man = walk.scene->characters[0];
  const double *goal = man->def->goals[0], fastest = 4; // m/s, of his pelvis
  assert_true(distance_to(man, goal) > 9);
  for (long i = 0; i < walk.def->step_count; i++) {
    vec3s before = man->target.position[0];
    assert_true(scene_step(walk.scene));
    assert_true((double)glms_vec3_distance(before, man->target.position[0]) < fastest * walk.def->world.dt);
  }
  assert_true(distance_to(man, goal) < 1.2);
  assert_true(fabs(man->root.speed[0]) < 1e-9);
  assert_true(value_of(man, "goals_reached") == 1);
  assert_true(value_of(man, "goal_clearance_min") > 0.1);
  assert_true(value_of(man, "clip_changes") > 10);
  end(&walk);
}

// An obstacle that the planner does not see is touched: it is the pillar that makes him go around.
static void test_he_goes_around_an_obstacle(void **state) {
  (void)state;
  double aside[2];
  for (int blocked = 0; blocked < 2; blocked++) {
    const char *const overrides[] = {"characters.man.drive.kinematic=true", "world.dt=1/120", "events=[]",
                                     blocked ? "props.0.center=[0.2, 1, 4]" : "props.0.center=[9, 1, 4]"};
    Walk walk = begin("plan_hit.yaml", overrides, 4);
    const Character *man = walk.scene->characters[0];
    aside[blocked] = 0;
    while (man->sensed.com[2] < 6 && scene_step(walk.scene))
      if (fabs(man->sensed.com[2] - 4) < 0.2)
        aside[blocked] = fmax(aside[blocked], fabs(man->sensed.com[0] - 0.2));
    assert_true(man->sensed.com[2] >= 6);
    end(&walk);
  }
  assert_true(aside[0] < 0.3);
  assert_true(aside[1] > 0.6); // half a pillar and half a man
}

// A low prop and a high one are no obstacles, and no character is an obstacle to itself.
static void test_only_what_is_in_the_way_counts(void **state) {
  (void)state;
  static const char *const overrides[] = {"events=[]"};
  Walk walk = begin("plan_hit.yaml", overrides, 1);
  Character *man = walk.scene->characters[0];
  const PlanObstacle obstacles[] = {{.position = {0, 1}, .radius = 0.2, .low = 0, .high = 0.2, .owner = -1},
                                    {.position = {0, 1}, .radius = 0.2, .low = 2.5, .high = 3, .owner = -1},
                                    {.position = {0, 0}, .radius = 0.3, .low = 0, .high = 2, .owner = man->index},
                                    {.position = {1, 2}, .radius = 0.2, .low = 0, .high = 2, .owner = 7}};
  character_plan_sense(man, obstacles, 4);
  assert_int_equal(man->plan.sense.count, 1);
  assert_true(fabs(man->plan.sense.obstacles[0].left - 1) < 1e-9);
  assert_true(fabs(man->plan.sense.obstacles[0].forward - 2) < 1e-9);
  end(&walk);
}

static void test_a_planner_plays_alone(void **state) {
  (void)state;
  static const char *const overrides[][1] = {{"characters.man.balance.enabled=true"},
                                             {"characters.man.animation={move: clips/walk.yaml}"}};
  static const char *const parts[] = {"cannot have a planner", "no 'animation' beside it"};
  for (int i = 0; i < 2; i++) {
    Error error = {0};
    assert_null(scene_def_read("plan_hit.yaml", overrides[i], 1, &error));
    if (!strstr(error.text, parts[i]))
      fail_msg("%s", error.text);
  }
}

// What a man among props and platforms of all shapes sees of them, to nine digits: boxes as rows of circles.
static const double OUTCOMES[1][4] = {
    {-17.566954592, -1.4140554215, 0.00035449341703, 3163},
};

static void test_what_is_seen_of_props_and_platforms(void **state) {
  (void)state;
  static const char *const overrides[] = {
      "props=[{name: a, size: [2.1, 1, 0.4], center: [1, 0.5, 2], yaw: 20, fixed: true}, {name: b, size: [0.3, 1.2, "
      "3], "
      "center: [-1.5, 0.6, 1], fixed: true}, {name: c, shape: ball, size: [0.7, 0.7, 0.7], center: [0.5, 0.35, -2], "
      "fixed: true}, {name: d, size: [1, 0.9, 0.05], center: [-0.5, 0.45, 2.5], yaw: -70, fixed: true}, {name: e, "
      "size: [0.2, 0.2, 0.2], center: [1, 0.1, -1], mass: 2, velocity: [0.5, 0, 0.2]}]",
      "platforms=[{name: p, size: [1.3, 1, 0.6], center: [2.5, 0.5, 0], radius: 0.4, period: 3}, {name: q, size: [9, "
      "1, 0.2], center: [0, 0.5, -3]}]"};
  static const char *const names[] = {"places", "sizes", "velocities", "number"};
  Walk walk = begin("plan_field.yaml", overrides, 2);
  for (int i = 0; i < 12; i++)
    assert_true(scene_step(walk.scene));
  double found[4] = {0};
  for (int c = 0; c < 2; c++) {
    const Sense *sense = &walk.scene->characters[c]->plan.sense;
    DrillSum sums[3] = {{0}};
    for (int i = 0; i < sense->count; i++) {
      const SenseObstacle *o = &sense->obstacles[i];
      drill_add(&sums[0], o->left);
      drill_add(&sums[0], o->forward);
      drill_add(&sums[1], o->radius);
      drill_add(&sums[2], o->velocity_left);
      drill_add(&sums[2], o->velocity_forward);
    }
    for (int k = 0; k < 3; k++)
      found[k] += sums[k].sum * (1 + c);
    found[3] += sense->count * (1 + 100 * c);
  }
  end(&walk);
  const bool same = drill_matches("surroundings", names, found, OUTCOMES[0], 4);
  if (!same)
    drill_print(found, 4);
  assert_true(same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_he_gets_to_his_goal_and_stops),       cmocka_unit_test(test_he_goes_around_an_obstacle),
      cmocka_unit_test(test_only_what_is_in_the_way_counts),      cmocka_unit_test(test_a_planner_plays_alone),
      cmocka_unit_test(test_what_is_seen_of_props_and_platforms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
