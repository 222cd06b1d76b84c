// Cameras of a scene file: values and defaults, and errors with their place.
#include "tests/unit/small_scene.h"

#define TWO_DOLLS                                                                                                      \
  "characters:\n"                                                                                                      \
  "  - {name: a, body: boxes.yaml}\n"                                                                                  \
  "  - {name: b, body: boxes.yaml, start: {heading: 90}}\n"

static void test_values_and_defaults(void **state) {
  (void)state;
  SceneDef *def = small_def(TWO_DOLLS "cameras:\n"
                                      "  - {name: gate, eye: [1, 2, 3], target: [4, 5, 6.5], fov: 50}\n"
                                      "  - {name: with-b, follow: b}\n");
  assert_int_equal(def->camera_count, 2);
  const CameraDef *gate = &def->cameras[0], *with_b = &def->cameras[1];
  assert_string_equal(gate->name, "gate");
  assert_int_equal(gate->subject, -1);
  assert_true(gate->eye[0] == 1 && gate->eye[1] == 2 && gate->eye[2] == 3);
  assert_true(gate->target[0] == 4 && gate->target[1] == 5 && gate->target[2] == 6.5);
  assert_true(gate->fov == 50);
  assert_int_equal(with_b->subject, 1);
  assert_true(with_b->fov == 35); // default
  assert_int_equal(camera_def_find(def->cameras, 2, "with-b"), 1);
  assert_int_equal(camera_def_find(def->cameras, 1, "with-b"), -1);
  scene_def_free(def);
}

static void test_scenes_without_cameras(void **state) {
  (void)state;
  static const char *const texts[] = {TWO_DOLLS, TWO_DOLLS "cameras: []\n"};
  for (int i = 0; i < 2; i++) {
    SceneDef *def = small_def(texts[i]);
    assert_int_equal(def->camera_count, 0);
    scene_def_free(def);
  }
}

// A camera is found by its name in overrides, and is in the text that a trace contains.
static void test_overrides_and_round_trip(void **state) {
  (void)state;
  static const char *const overrides[] = {"cameras.gate.fov=20", "cameras.gate.follow=a"};
  Error error = {0};
  SceneDef *def = small_def_try(TWO_DOLLS "cameras: [{name: gate}]\n", overrides, 2, &error);
  assert_string_equal(error.text, "");
  SceneDef *again = def ? small_def(def->text) : NULL;
  if (!def || !again)
    return; // not reached: small_def fails the test; the analyser does not know
  assert_true(def->cameras[0].fov == 20);
  assert_int_equal(def->cameras[0].subject, 0);
  assert_memory_equal(def->cameras, again->cameras, sizeof def->cameras);
  scene_def_free(def);
  scene_def_free(again);
}

static void test_errors_name_their_place(void **state) {
  (void)state;
  static const struct {
    const char *cameras, *error;
  } cases[] = {
      {"cameras: 3\n", "small.yaml:4:10: 'cameras' must be a list"},
      {"cameras: [3]\n", "small.yaml:4:11: 'cameras' must be a map of keys and values"},
      {"cameras: [{fov: 30}]\n", "small.yaml:4:11: a camera needs a 'name'"},
      {"cameras: [{name: \"\"}]\n", "small.yaml:4:18: '' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {"cameras: [{name: a b}]\n",
       "small.yaml:4:18: 'a b' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {"cameras: [{name: side}]\n", "small.yaml:4:18: 'side' is a camera of the viewer, choose another name"},
      {"cameras: [{name: first_person}]\n",
       "small.yaml:4:18: 'first_person' is a camera of the viewer, choose another name"},
      {"cameras: [{name: x}, {name: x}]\n", "small.yaml:4:29: there is a camera 'x' already"},
      {"cameras: [{name: x, follow: nobody}]\n", "small.yaml:4:29: there is no character 'nobody', allowed are a, b"},
      {"cameras: [{name: x, eye: [1, 2, 3], target: [1, 2, 3]}]\n",
       "small.yaml:4:45: the camera's 'target' is where its 'eye' is"},
      {"cameras: [{name: x, eye: [0, 1, 0]}]\n", "small.yaml:4:11: the camera's 'target' is where its 'eye' is"},
      {"cameras: [{name: x, zoom: 2}]\n", "small.yaml:4:21: unknown key 'zoom'"},
      {"cameras: [{name: x, fov: 0}]\n", "small.yaml:4:26: "},
      {"cameras: [{name: x, fov: .nan}]\n", "small.yaml:4:26: "},
      {"cameras: [{name: x, eye: [0, 1]}]\n", "small.yaml:4:26: "},
      {"cameras: [{name: x, eye: [0, 1, 3000]}]\n", "small.yaml:4:26: "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text, TWO_DOLLS "%s", cases[i].cameras);
    Error error = {0};
    assert_null(small_def_try(text, NULL, 0, &error));
    if (strncmp(error.text, cases[i].error, strlen(cases[i].error)) != 0)
      fail_msg("%s, not %s", error.text, cases[i].error);
  }
}

static void test_too_many(void **state) {
  (void)state;
  char text[4096] = TWO_DOLLS "cameras:\n";
  for (int i = 0; i <= SCENE_MAX_CAMERAS; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "  - {name: c%d}\n", i);
  }
  Error error = {0};
  assert_null(small_def_try(text, NULL, 0, &error));
  assert_string_equal(error.text, "small.yaml:5:3: 33 cameras, allowed are up to 32");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_and_defaults),
      cmocka_unit_test(test_scenes_without_cameras),
      cmocka_unit_test(test_overrides_and_round_trip),
      cmocka_unit_test(test_errors_name_their_place),
      cmocka_unit_test(test_too_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
