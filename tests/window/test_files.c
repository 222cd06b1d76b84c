// Files in and out of the window: what it opens, what it refuses, and what it writes on closing.
#include "tests/window/window.h"

static void set_strength(App *app) {
  Edits *edits = app_live(app)->edits;
  Error error = {0};
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    if (strcmp(group->path, "characters.man.drive") == 0 &&
        !edits_set(edits, i, param_find(group->table, "strength"), "0.375", &error))
      fail_msg("%s", error.text);
  }
  assert_true(edits_unsaved(edits));
}

static SceneDef *read_scene(const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static void changes_that_are_not_saved_are_kept(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  set_strength(app);
  push_plain(SDL_QUIT);
  assert_false(shell_frame(app, WINDOW_FRAME));
  window_close(app);
  SceneDef *def = read_scene("standing.unsaved-1.yaml");
  assert_near(def->characters[0].drive.strength, 0.375, 0);
  scene_def_free(def);
  def = read_scene("standing.yaml"); // untouched
  assert_near(def->characters[0].drive.strength, 1, 0);
  scene_def_free(def);

  // Another time does not overwrite it, and opening another scene counts as closing.
  app = window_open("standing.yaml");
  window_settle(app);
  set_strength(app);
  assert_true(app_load(app, "limp.yaml"));
  window_close(app);
  assert_int_equal(access("standing.unsaved-2.yaml", R_OK), 0);
  assert_int_not_equal(access("limp.unsaved-1.yaml", F_OK), 0);
}

static void saved_changes_leave_nothing_behind(void **state) {
  (void)state;
  App *app = window_open("pushed.yaml");
  window_settle(app);
  set_strength(app);
  assert_string_equal(app->save_path, "pushed_edited.yaml"); // not over the scene itself
  app_save(app, "saved.yaml");
  assert_non_null(strstr(app->message, "saved.yaml"));
  type_key(SDLK_q, KMOD_LCTRL);
  assert_false(shell_frame(app, WINDOW_FRAME));
  window_close(app);
  assert_int_not_equal(access("pushed.unsaved-1.yaml", F_OK), 0);
  SceneDef *def = read_scene("saved.yaml");
  assert_near(def->characters[0].drive.strength, 0.375, 0);
  scene_def_free(def);
}

static void quitting_ends_the_trace(void **state) {
  (void)state;
  App *app = window_open("limp.yaml");
  window_settle(app);
  frames(app, 3);
  app_record(app, "cut.h5"); // from the beginning on
  assert_int_equal(world_of(app)->steps, 0);
  frames(app, 20);
  push_plain(SDL_QUIT);
  assert_false(shell_frame(app, WINDOW_FRAME));
  window_close(app);
  Error error = {0};
  TraceReader *trace = trace_open("cut.h5", &error);
  if (!trace)
    fail_msg("%s", error.text);
  assert_string_equal(trace_text(trace, "status"), "interrupted");
  assert_int_equal(trace_frame_count(trace), 21);
  trace_reader_close(trace);

  app = window_open("cut.h5");
  window_settle(app);
  playback_loop(&app->playback, 0, 0);
  frames(app, 25);
  assert_near(app->playback.time, 20.0 / 60, 1e-6);
  window_close(app);
}

static void a_reset_ends_the_recording(void **state) {
  (void)state;
  App *app = window_open_with((AppOptions){.trace = "option.h5"}, "limp.yaml", NULL);
  window_settle(app);
  frames(app, 6);
  assert_non_null(app_live(app)->trace);
  type_key(SDLK_r, KMOD_NONE);
  frames(app, 1);
  assert_null(app_live(app)->trace);
  window_close(app);
  Error error = {0};
  TraceReader *trace = trace_open("option.h5", &error);
  assert_non_null(trace);
  assert_int_equal(trace_frame_count(trace), 7);
  trace_reader_close(trace);
}

// A scene, not a trace: stays as it is.
static void a_scene_is_not_recorded_over(void **state) {
  (void)state;
  App *app = window_open("limp.yaml");
  window_settle(app);
  frames(app, 5);
  app_record(app, "standing.yaml");
  assert_string_not_equal(app->message, "");
  assert_null(app_live(app)->trace);
  frames(app, 5);
  assert_int_equal(world_of(app)->steps, 40);
  app_record(app, "no/such/folder.h5");
  assert_string_not_equal(app->message, "");
  assert_null(app_live(app)->trace);
  frames(app, 1);
  window_close(app);
  scene_def_free(read_scene("standing.yaml"));
}

static void what_cannot_be_opened_changes_nothing(void **state) {
  (void)state;
  write_file("bad.yaml", "characters: [{name: man, body: bodies/human.yaml, drive: {strong: 1}}]\n");
  write_file("broken.yaml", "characters: [\n");
  write_file("broken.h5", "\211HDF\r\n\032\n and nothing else");
  App *app = window_open("standing.yaml");
  window_settle(app);
  frames(app, 5);
  const char *const files[] = {"missing.yaml", "missing.h5", "bad.yaml", "broken.yaml", "broken.h5", "."};
  for (int i = 0; i < 6; i++) {
    app->message[0] = '\0';
    assert_false(app_load(app, files[i]));
    assert_string_not_equal(app->message, "");
    assert_true(app->message_left > 0);
    frames(app, 1);
  }
  assert_int_equal(world_of(app)->steps, 44);
  assert_true(world_hash(world_of(app)) == undisturbed("standing.yaml", NULL, 44));
  window_close(app);
}

static void the_error_names_the_place(void **state) {
  (void)state;
  write_file("typo.yaml", "duration: 1\ncharacters: [{name: man, body: bodies/human.yaml, drive: {strong: 1}}]\n");
  App *app = window_open(NULL);
  window_settle(app);
  assert_false(app_load(app, "typo.yaml"));
  assert_non_null(strstr(app->message, "typo.yaml:2:"));
  assert_non_null(strstr(app->message, "strong"));
  frames(app, 1);
  window_close(app);
}

static void bad_options_are_refused(void **state) {
  (void)state;
  const char *scene = "standing.yaml", *broken = "missing.yaml", *override = "characters.man.drive.strong=1";
  const struct {
    AppOptions options;
    const char *word;
  } cases[] = {
      {{.inputs = &broken, .input_count = 1}, "missing.yaml"},
      {{.inputs = &scene, .input_count = 1, .camera = "nowhere"}, "nowhere"},
      {{.inputs = &scene, .input_count = 1, .follow = "nobody"}, "nobody"},
      {{.inputs = &scene, .input_count = 1, .trace = "no/folder/x.h5"}, "no/folder/x.h5"},
      {{.inputs = &scene, .input_count = 1, .overrides = &override, .override_count = 1}, "strong"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    AppOptions options = cases[i].options;
    options.width = options.height = 64;
    Error error = {0};
    assert_null(shell_open(&options, &error));
    if (!strstr(error.text, cases[i].word))
      fail_msg("'%s' does not name '%s'", error.text, cases[i].word);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_that_are_not_saved_are_kept),
      cmocka_unit_test(saved_changes_leave_nothing_behind),
      cmocka_unit_test(quitting_ends_the_trace),
      cmocka_unit_test(a_reset_ends_the_recording),
      cmocka_unit_test(a_scene_is_not_recorded_over),
      cmocka_unit_test(what_cannot_be_opened_changes_nothing),
      cmocka_unit_test(the_error_names_the_place),
      cmocka_unit_test(bad_options_are_refused),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
