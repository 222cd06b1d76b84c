// Limits of what a user's drag may ask for: taken up to the last value allowed, ignored beyond it.
#include "tests/unit/small_scene.h"

#include "scenes/run/poke.h"

typedef void SetGoal(Poke *poke, const double value[3]);

static void check_limit(Poke *poke, SetGoal *set, const double is[3], double most) {
  const double kept[3] = {1, 2, 3}, across[3] = {0.8 * most, 0.8 * most, 0};
  for (int i = 0; i < 6; i++) {
    const int axis = i % 3;
    const double sign = i < 3 ? 1 : -1;
    double value[3] = {0};
    value[axis] = sign * most;
    set(poke, value);
    assert_memory_equal(is, value, sizeof value);
    set(poke, kept);
    const double beyond[] = {sign * nextafter(most, HUGE_VAL), sign * HUGE_VAL, (double)NAN};
    for (int k = 0; k < 3; k++) {
      value[axis] = beyond[k];
      set(poke, value);
      assert_memory_equal(is, kept, sizeof kept);
    }
  }
  set(poke, across); // its length counts
  assert_memory_equal(is, kept, sizeof kept);
}

static void test_goals_have_their_limits(void **state) {
  (void)state;
  SceneDef *def = small_def("characters: [{name: doll, body: boxes.yaml}]\n");
  Scene *scene = small_scene(def);
  Poke poke;
  poke_init(&poke);
  poke_drag_begin(&poke, scene, &(WorldHit){.body = 0, .point = {0, 1, 0}});
  assert_true(poke.drag.active);
  check_limit(&poke, poke_drag_move, poke.drag.goal_w, 1e5);           // m
  check_limit(&poke, poke_drag_carry, poke.drag.goal_velocity_w, 100); // m/s
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_goals_have_their_limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
