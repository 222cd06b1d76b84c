// Layers on characters: files, scripts, fading, roots that follow their bodies, bodies that animation moves alone.
#include "tests/unit/small_scene.h"

#include "scenes/run/edits.h"

static Scene *start(SceneDef **def, const char *text) {
  Error error = {0};
  *def = small_def_try(text, NULL, 0, &error);
  assert_string_equal(error.text, "");
  Scene *scene = scene_create(*def, &error);
  assert_string_equal(error.text, "");
  return scene;
}

static void stop(Scene *scene, SceneDef *def) {
  scene_destroy(scene);
  scene_def_free(def);
}

static void steps(Scene *scene, int count) {
  for (int i = 0; i < count; i++)
    if (!scene_step(scene))
      fail_msg("%s", scene->world->stop_reason);
}

static const char LOOKING[] = "duration: 2\n"
                              "world: {dt: 1/240}\n"
                              "targets: [{name: left, center: [5, 1.2, 0]}]\n"
                              "characters: [{name: a, body: boxes.yaml, layers: [{kind: look_at, name: gaze, chain: "
                              "[top], target: left, fade: 0.1}], script: [{time: 1, layers: {gaze: 0}}]}]\n";

static float yaw_of_top(const Scene *scene) {
  versors q = scene->characters[0]->target.rotation[1];
  return 2 * atan2f(q.y, q.w);
}

// 90 deg to the left, then by the script back to the animation, bit for bit.
static void test_a_script_fades_a_layer(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = start(&def, LOOKING);
  steps(scene, 235);
  assert_near(yaw_of_top(scene), M_PI / 2, 0.02);
  assert_near(scene->characters[0]->layers.layers[0].weight, 1, 0);
  steps(scene, 12);
  assert_true(scene->characters[0]->layers.layers[0].weight < 1);
  steps(scene, 40);
  assert_true(yaw_of_top(scene) == 0);
  stop(scene, def);
}

// A slider of the running scene has the same effect.
static void test_a_slider_fades_a_layer(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def;
  Scene *scene = start(&def, LOOKING);
  Edits *edits = edits_create(def, &error);
  steps(scene, 100);
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    if (strcmp(group->path, "characters.a.layers.0") != 0 || group->table != &layer_params)
      continue;
    const Param *row = param_find(group->table, "weight");
    assert_true(edits_is_live(group, row));
    assert_true(edits_set(edits, i, row, "0", &error) && scene_retune(scene, group, row, &error));
  }
  steps(scene, 40);
  assert_true(yaw_of_top(scene) == 0);
  edits_destroy(edits);
  stop(scene, def);
}

static void test_bad_layers_are_refused(void **state) {
  (void)state;
  const struct {
    const char *layers, *message;
  } cases[] = {
      {"[{kind: lok_at}]", "small.yaml:2:60: there is no layer 'lok_at', did you mean 'look_at'?"},
      {"[{name: x}]", "small.yaml:2:53: a layer needs a 'kind'"},
      {"{kind: trailing}", "small.yaml:2:52: 'layers' must be a list"},
      {"[{kind: trailing, joints: [top]}, {kind: trailing, joints: [top]}]",
       "small.yaml:2:86: there is a layer 'trailing' already: give it a 'name' of its own"},
      {"[{kind: trailing, name: '', joints: [top]}]",
       "small.yaml:2:76: '' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {"[{kind: trailing, name: a/b, joints: [top]}]",
       "small.yaml:2:76: 'a/b' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {"[{kind: trailing, name: weight, joints: [top]}]",
       "small.yaml:2:76: 'weight' is the name of the layers' weights in traces: give the layer another name"},
      {"[{kind: trailing, joints: [top], weight: 2}]", "small.yaml:2:93: layers.weight is 2, allowed are 0 to 1"},
      {"[{kind: trailing, joints: [top], wieght: 1}]", "small.yaml:2:85: unknown key 'wieght', did you mean 'weight'?"},
      {"[{kind: trailing, joints: [top]}], script: [{time: 1, layers: {tail: 0}}]",
       "small.yaml:2:115: unknown key 'tail' in layers, allowed are trailing"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    char text[512];
    snprintf(text, sizeof text, "duration: 1\ncharacters: [{name: a, body: boxes.yaml, layers:   %s}]\n",
             cases[i].layers);
    assert_null(small_def_try(text, NULL, 0, &error));
    assert_string_equal(error.text, cases[i].message);
  }
}

// Animation alone: the body is its target, and the hand that holds it carries its weight.
static void test_a_kinematic_body_is_its_target(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = start(&def, "duration: 2\nworld: {dt: 1/240}\ncharacters: [{name: a, body: boxes.yaml, animation: "
                             "{move: nod.yaml}, start: {position: [0, 0.5, 0]}, intent: {speed: 0}, drive: "
                             "{kinematic: true}}]\n");
  double lifted = 0; // N s
  for (int i = 0; i < 480; i++) {
    steps(scene, 1);
    const Character *character = scene->characters[0];
    assert_true(glms_vec3_distance(character->target.position[0], character->sensed.pose.position[0]) < 1e-5f);
    assert_true(quat_angle_between(character->target.rotation[1], character->sensed.pose.rotation[1]) < 1e-4f);
    if (i >= 240)
      lifted += character->assist.force_w[1] / 240;
  }
  assert_near(lifted, 6 * 9.81, 0.5); // in a cycle of the clip, whose end is its beginning
  stop(scene, def);
}

// A body that was pushed away: the root follows it, without any force.
static void test_a_root_follows_its_body(void **state) {
  (void)state;
  for (int follows = 0; follows < 2; follows++) {
    SceneDef *def;
    char text[512];
    snprintf(text, sizeof text,
             "duration: 3\nworld: {dt: 1/240, friction: 0}\nterrain: {kind: flat}\ncharacters: [{name: a, body: "
             "boxes.yaml, root: {follow: %g, leash: 10}, start: {position: [0, -0.8, 0]}}]\nevents: [{time: 0.2, part: "
             "base, impulse: 1.2}]\n",
             follows * 0.1);
    Scene *scene = start(&def, text);
    steps(scene, 480);
    const Character *character = scene->characters[0];
    double gone = (double)character->sensed.pose.position[0].z;
    assert_true(gone > 0.2);
    if (follows)
      assert_near((double)character->target.position[0].z, gone, 0.05);
    else
      assert_near((double)character->target.position[0].z, 0, 1e-6);
    stop(scene, def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_script_fades_a_layer),  cmocka_unit_test(test_a_slider_fades_a_layer),
      cmocka_unit_test(test_bad_layers_are_refused),  cmocka_unit_test(test_a_kinematic_body_is_its_target),
      cmocka_unit_test(test_a_root_follows_its_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
