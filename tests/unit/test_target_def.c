// Targets of scenes: where they are, and what is refused; how layers find them.
#include "tests/unit/small_scene.h"

static const char HEAD[] = "duration: 1\n"
                           "characters: [{name: a, body: boxes.yaml, start: {position: [1, 0, 2]}, layers: "
                           "[{kind: look_at, chain: [top], target: moon}]}]\n";

static SceneDef *read_scene(const char *targets, Error *error) {
  char text[1024];
  snprintf(text, sizeof text, "%s%s", HEAD, targets);
  return small_def_try(text, NULL, 0, error);
}

static void assert_place(const TargetDef *target, double time, const double root[3], double x, double y, double z) {
  double position[3];
  target_place(target, time, root, position);
  assert_near(position[0], x, 1e-12);
  assert_near(position[1], y, 1e-12);
  assert_near(position[2], z, 1e-12);
}

static void test_targets_circle_and_follow(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def =
      read_scene("targets: [{name: moon, center: [0, 2, 1], radius: 3, rise: 0.5, period: 8, follow: a}]", &error);
  assert_string_equal(error.text, "");
  const TargetDef *moon = &def->targets[0];
  assert_int_equal(moon->subject, 0);
  assert_place(moon, 0, NULL, 0, 2, 4);
  assert_place(moon, 2, NULL, 3, 2.5, 1);
  assert_place(moon, 4, NULL, 0, 2, -2);
  assert_place(moon, 2, (const double[3]){10, 1, 20}, 13, 3.5, 21);
  scene_def_free(def);
}

static void test_targets_go_along_a_path(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def =
      read_scene("targets: [{name: moon, center: [0, 1, 0], path: [[1, 0, 0, 0], [3, 4, 0, 2], [3, 0, 5, 0], "
                 "[4, 0, 6, 0]]}]",
                 &error);
  assert_string_equal(error.text, "");
  TargetDef moon = def->targets[0];
  assert_place(&moon, 0, NULL, 0, 1, 0); // before its first key
  assert_place(&moon, 2, NULL, 2, 1, 1);
  assert_place(&moon, 3, NULL, 0, 6, 0); // a jump: two keys of one time
  assert_place(&moon, 9, NULL, 0, 7, 0); // stays at its end
  moon.loop = true;
  assert_place(&moon, 5, NULL, 2, 1, 1); // 1 s into the second round
  scene_def_free(def);
}

static void test_a_layer_sees_its_target(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = read_scene("targets: [{name: sun}, {name: moon, follow: a, center: [0, 1, 3]}]", &error);
  assert_string_equal(error.text, "");
  Scene *scene = scene_create(def, &error);
  assert_string_equal(error.text, "");
  assert_near(scene->targets[1][0], 1, 1e-12); // of a character that is not created yet: where it starts
  assert_near(scene->targets[1][2], 5, 1e-12);
  assert_true(scene_step(scene));
  const Character *character = scene->characters[0];
  assert_int_equal(character->target_count, 2);
  assert_near(character->targets[1][2], character->root.position[2] + 3, 1e-9);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_bad_targets_are_refused(void **state) {
  (void)state;
  const struct {
    const char *targets, *message;
  } cases[] = {
      {"targets: [{name: mono}]",
       "small.yaml:2:119: there is no target 'moon' in the scene's 'targets', did you mean 'mono'?"},
      {"targets: [{radius: 1}]", "small.yaml:3:11: a target needs a 'name'"},
      {"targets: [{name: moon}, {name: moon}]", "small.yaml:3:32: there is a target 'moon' already"},
      {"targets: [{name: moon, path: [[2, 0, 0, 0], [1, 0, 0, 0]]}]",
       "small.yaml:3:45: 1 s comes before 2 s, the key above it"},
      {"targets: [{name: moon, path: [[2, 0, 0]]}]", "small.yaml:3:31: expected a list of 4 numbers, got a list of 3"},
      {"targets: [{name: moon, follow: b}]", "small.yaml:3:32: there is no character 'b', allowed are a"},
      {"targets: 3", "small.yaml:3:10: 'targets' must be a list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    assert_null(read_scene(cases[i].targets, &error));
    assert_string_equal(error.text, cases[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_targets_circle_and_follow),
      cmocka_unit_test(test_targets_go_along_a_path),
      cmocka_unit_test(test_a_layer_sees_its_target),
      cmocka_unit_test(test_bad_targets_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
