// Curves of a running scene: where they stand in the file, what is accepted, what acts at once and what is saved.
#include "tests/unit/edited_scene.h"

// The curves of a hit in four forms: alone, as one of a map, in block style, and not there.
static const char CURVED[] = "purpose: A doll.\n"
                             "duration: 2\n"
                             "characters:\n"
                             "  - name: a\n"
                             "    body: boxes.yaml\n"
                             "    hit_reaction:\n"
                             "      # what a blow takes\n"
                             "      strength_drop: [[0, 0],  # nothing\n"
                             "                      [1, 0.50]]\n"
                             "      blend: {direction: [[0, 1], [180, 0.5]]} # less from the front\n"
                             "events:\n"
                             "  - {time: 0.05, part: top, impulse: 2} # a blow\n";

static int find_curve(const Edits *edits, const char *name) {
  for (int i = 0; i < edits_curve_count(edits); i++)
    if (strcmp(edits_curve(edits, i)->row->name, name) == 0)
      return i;
  fail_msg("no curve %s", name);
  return -1;
}

static void set_curve(Edits *edits, const char *name, const Curve *curve) {
  Error error = {0};
  if (!edits_set_curve(edits, find_curve(edits, name), curve, &error))
    fail_msg("%s", error.text);
}

// The saved text contains a line, and reads back to the scene as it is now.
static void assert_saved(Edits *edits, const char *line) {
  Error error = {0};
  char *text = edits_text(edits, &error);
  if (!text || !strstr(text, line))
    fail_msg("not there: %s\n%s%s", line, text ? text : "", error.text);
  SceneDef *again = small_def(text);
  Edits *there = make_edits(again);
  for (int i = 0; i < edits_curve_count(edits); i++)
    assert_true(curve_is_equal(edits_curve_now(there, i), edits_curve_now(edits, i)));
  edits_destroy(there);
  scene_def_free(again);
  free(text);
}

static void test_list(void **state) {
  (void)state;
  SceneDef *def = small_def(CURVED);
  Edits *edits = make_edits(def);
  assert_int_equal(edits_curve_count(edits), 6);
  const EditCurve *drop = edits_curve(edits, find_curve(edits, "strength_drop.dv"));
  assert_string_equal(edits_group(edits, drop->group)->path, "characters.a.hit_reaction");
  assert_int_equal(drop->line, 8);
  assert_int_equal(drop->column, 22);
  assert_int_equal(edits_curve(edits, find_curve(edits, "strength_drop.direction"))->line, 0);
  assert_int_equal(edits_curve(edits, find_curve(edits, "blend.dv"))->line, 0);
  assert_int_equal(edits_curve(edits, find_curve(edits, "blend.direction"))->line, 10);
  assert_int_equal(edits_curve(edits, find_curve(edits, "stagger.dv"))->line, 0);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_saved_in_the_form_of_the_file(void **state) {
  (void)state;
  SceneDef *def = small_def(CURVED);
  Edits *edits = make_edits(def);
  set_curve(edits, "strength_drop.dv", &(Curve){.count = 2, .x = {0, 1}, .y = {0.25, 0.5}});
  assert_saved(edits, "      # what a blow takes\n"
                      "      strength_drop: [[0, 0.25],  # nothing\n"
                      "                      [1, 0.50]]\n");
  set_curve(edits, "strength_drop.dv", &(Curve){.count = 1, .x = {0}, .y = {0.5}});
  assert_saved(edits, "      strength_drop: [[0, 0.5]]\n      blend: {direction: [[0, 1], [180, 0.5]]} # less");
  set_curve(edits, "strength_drop.direction", &(Curve){.count = 2, .x = {0, 180}, .y = {1, 0}});
  assert_saved(edits, "      strength_drop: {dv: [[0, 0.5]], direction: [[0, 1], [180, 0]]}\n");
  set_curve(edits, "blend.direction", &(Curve){.count = 2, .x = {0, 90}, .y = {1, 0.5}});
  assert_saved(edits, "      blend: {direction: [[0, 1], [90, 0.5]]} # less from the front\n");
  set_curve(edits, "blend.dv", &(Curve){.count = 1, .smooth = true, .y = {1}});
  assert_saved(edits, "{dv: {smooth: true, keys: [[0, 1]]}, direction: [[0, 1], [90, 0.5]]} # less");
  set_curve(edits, "stagger.dv", &(Curve){.count = 2, .x = {0, 1.0 / 3}, .y = {0, 1}});
  assert_saved(edits, "      stagger: [[0, 0], [0.3333333333333333, 1]]\n");
  assert_int_equal(edits_change_count(edits), 3); // keys of the file
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_back_is_no_change(void **state) {
  (void)state;
  SceneDef *def = small_def(CURVED);
  Edits *edits = make_edits(def);
  const int drop = find_curve(edits, "strength_drop.dv"), blend = find_curve(edits, "blend.dv");
  const Curve before = *edits_curve_now(edits, drop);
  Error error = {0};
  set_curve(edits, "strength_drop.dv", &(Curve){.count = 1, .y = {0.5}});
  set_curve(edits, "blend.dv", &(Curve){.count = 1, .y = {0.5}});
  assert_true(edits_curve_is_changed(edits, drop) && edits_unsaved(edits));
  assert_true(curve_is_equal(edits_curve_opened(edits, drop), &before));
  set_curve(edits, "strength_drop.dv", &before);
  assert_false(edits_curve_is_changed(edits, drop));
  assert_int_equal(edits_change_count(edits), 1);
  assert_true(edits_revert_all(edits, NULL, &error));
  assert_false(edits_curve_is_changed(edits, blend) || edits_unsaved(edits));
  char *text = edits_text(edits, &error);
  assert_string_equal(text, CURVED);
  free(text);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_bad_curves_change_nothing(void **state) {
  (void)state;
  SceneDef *def = small_def(CURVED);
  Edits *edits = make_edits(def);
  const int drop = find_curve(edits, "strength_drop.dv");
  const Curve before = *edits_curve_now(edits, drop);
  const Curve bad[] = {
      {.count = 0}, {.count = 1, .y = {1.5}}, {.count = 1, .y = {NAN}}, {.count = 2, .x = {1, 1}, .y = {0, 1}}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    Error error = {0};
    assert_false(edits_set_curve(edits, drop, &bad[i], &error));
    assert_true(error.text[0] != '\0');
    assert_true(curve_is_equal(edits_curve_now(edits, drop), &before) && !edits_unsaved(edits));
  }
  edits_destroy(edits);
  scene_def_free(def);
}

// A blow at 0.05 s takes the strength of the curve as it is then; a reset keeps it.
static void test_acts_at_once(void **state) {
  (void)state;
  uint64_t hashes[3];
  for (int i = 0; i < 2; i++) {
    Error error = {0};
    SceneDef *def = small_def(CURVED);
    Edits *edits = make_edits(def);
    Scene *scene = small_scene(def);
    run(scene, 6);
    if (i == 1) {
      set_curve(edits, "strength_drop.dv", &(Curve){.count = 1, .y = {1}});
      const EditCurve *edit = edits_curve(edits, find_curve(edits, "strength_drop.dv"));
      assert_true(scene_retune_curve(scene, edits_group(edits, edit->group), &error));
    }
    hashes[i] = run(scene, 60);
    scene_destroy(scene);
    if (i == 1) {
      SceneDef *reread = edits_reread(edits, NULL, 0, &error);
      assert_non_null(reread);
      hashes[2] = run_def(reread, 66);
      scene_def_free(reread);
    }
    edits_destroy(edits);
    scene_def_free(def);
  }
  assert_true(hashes[0] != hashes[1]);
  assert_true(hashes[1] == hashes[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_saved_in_the_form_of_the_file),
      cmocka_unit_test(test_back_is_no_change),
      cmocka_unit_test(test_bad_curves_change_nothing),
      cmocka_unit_test(test_acts_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
