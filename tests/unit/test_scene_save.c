// Scenes saved with their edits: what the file contains and keeps, where its files are found, and what is not replaced.
#include "tests/unit/edited_scene.h"

#include <limits.h>
#include <sys/stat.h>

// Each test works in a folder of its own with the scene and its files.

static char folder[64], start[PATH_MAX];

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static char *get(const char *path) {
  static char text[8192];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static int enter_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/stagger_edits_XXXXXX");
  if (!getcwd(start, sizeof start) || !mkdtemp(folder) || chdir(folder) != 0 || mkdir("sub", 0700) != 0)
    return -1;
  put("scene.yaml", SCENE);
  put("boxes.yaml", BOXES);
  put("nod.yaml", NOD);
  return 0;
}

static int leave_folder(void **state) {
  (void)state;
  static const char *const files[] = {"scene.yaml",     "boxes.yaml",     "nod.yaml",     "saved.yaml", "body.yaml",
                                      "sub/saved.yaml", "sub/boxes.yaml", "sub/nod.yaml", "empty.yaml", "own"};
  chmod("sub", 0700);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    unlink(files[i]);
  rmdir("sub");
  return chdir(start) == 0 ? rmdir(folder) : -1; // fails if any other file remains
}

static SceneDef *read_scene(const char *path, const char *const *overrides, int count) {
  Error error = {0};
  SceneDef *def = scene_def_read(path, overrides, count, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static void assert_not_saved(Edits *edits, const char *path, const char *message) {
  Error error = {0};
  assert_false(edits_save(edits, path, &error));
  assert_string_equal(error.text, message);
}

static void save(Edits *edits, const char *path) {
  Error error = {0};
  if (!edits_save(edits, path, &error))
    fail_msg("%s", error.text);
}

static void test_saved_runs_as_with_overrides(void **state) {
  (void)state;
  static const char *const overrides[] = {"world.friction=0.5", "characters.a.drive.strength=0.25", "world.dt=1/300",
                                          "events.1.impulse=[1, 2]"};
  SceneDef *def = read_scene("scene.yaml", overrides, 1); // the first is given, the others are edits
  Edits *edits = make_edits(def);
  set(edits, "characters.a.drive", "strength", "0.25");
  set(edits, "world", "dt", "1/300");
  set(edits, "events.1", "impulse", "[1, 2]");
  assert_true(edits_unsaved(edits));
  save(edits, "saved.yaml");
  assert_false(edits_unsaved(edits));
  SceneDef *saved = read_scene("saved.yaml", NULL, 0), *wanted = read_scene("scene.yaml", overrides, 4);
  assert_true(run_def(saved, 300) == run_def(wanted, 300));
  assert_string_equal(get("scene.yaml"), SCENE);
  scene_def_free(saved);
  scene_def_free(wanted);

  // Another edit is unsaved until it is undone.
  set(edits, "", "seed", "3");
  assert_true(edits_unsaved(edits));
  set(edits, "", "seed", "1");
  assert_false(edits_unsaved(edits));
  int group = find_group(edits, "world");
  assert_true(edits_revert(edits, group, find_row(edits, group, "dt"), NULL)); // the file has another value
  assert_true(edits_unsaved(edits));
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_comments_survive(void **state) {
  (void)state;
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  save(edits, "saved.yaml");
  assert_string_equal(get("saved.yaml"), SCENE);
  set(edits, "world", "gravity", "[0, -1.62, 0]");
  set(edits, "", "duration", "3.5");
  set(edits, "characters.a.drive", "strength", "0.5");
  set(edits, "characters.b.intent", "heading", "90");
  set(edits, "events.0", "impulse", "[3, 4]");
  assert_true(edits_add_event(edits, "{kind: push, character: b, time: 0.5, part: top, impulse: 7}", NULL));
  save(edits, "saved.yaml");
  assert_string_equal(
      get("saved.yaml"),
      "# Two dolls and what befalls them.\n"
      "purpose: Two dolls.\n"
      "duration: 3.5 # s\n"
      "world: {gravity: [0, -1.62, 0]}  # nearly Earth\n"
      "characters:\n"
      "  # the first\n"
      "  - name: a\n"
      "    body: boxes.yaml # two of them\n"
      "    animation: {move: nod.yaml}\n"
      "    start: {position: [0, 0.3, 0]}\n"
      "    assist: {part: top, force: 20}\n"
      "    drive: {strength: 0.5}\n"
      "  - {name: b, body: boxes.yaml, start: {position: [3, 0, 0]}, assist: {part: base}, intent: {heading: 90}}\n"
      "events:\n"
      "  - {character: a, time: 0.1, part: top, impulse: [3, 4]} # a single one\n"
      "  - {character: b, kind: push, every: [0.2, 0.3], from: 0.1, until: 1, impulse: 4}\n"
      "  - {kind: push, character: b, time: 0.5, part: top, impulse: 7}\n"
      "expect: [a.fell == 0] # not yet\n");
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_added_events(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  assert_false(edits_add_event(edits, "{character: a, time: 1, part: tail, impulse: 1}", &error));
  assert_string_equal(error.text, "event:1:31: there is no part 'tail' in body 'boxes', allowed are base, top");
  assert_false(edits_unsaved(edits));
  assert_true(edits_add_event(edits, "{character: a, time: 1, impulse: 1}", NULL));
  assert_true(edits_unsaved(edits));
  SceneDef *again = edits_reread(edits, NULL, 0, NULL); // not in the running scene
  assert_int_equal(again->event_count, 2);
  scene_def_free(again);
  save(edits, "scene.yaml");
  assert_false(edits_unsaved(edits));
  SceneDef *saved = read_scene("scene.yaml", NULL, 0);
  assert_int_equal(saved->event_count, 3);
  assert_true(saved->events[2].time[0] == 1);
  scene_def_free(saved);
  for (int i = 3; i < EVENTS_MAX; i++)
    assert_true(edits_add_event(edits, "{character: a, time: 1, impulse: 1}", NULL) && edits_unsaved(edits));
  assert_false(edits_add_event(edits, "{character: a, time: 1, impulse: 1}", &(Error){0}));
  edits_destroy(edits);
  scene_def_free(def);
}

// Names that mean another file in the new folder, or none, become paths to the same files.
static void test_saved_elsewhere(void **state) {
  (void)state;
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  set(edits, "characters.b.drive", "strength", "0.5");
  put("sub/nod.yaml", NOD);
  save(edits, "sub/saved.yaml");
  const char *text = get("sub/saved.yaml");
  assert_non_null(strstr(text, "    body: ../boxes.yaml # two of them\n"));
  assert_non_null(strstr(text, "{name: b, body: ../boxes.yaml,"));
  assert_non_null(strstr(text, "{move: nod.yaml}")); // the same file is there
  SceneDef *saved = read_scene("sub/saved.yaml", NULL, 0);
  assert_true(run_def(saved, 100) == run_def(def, 100));
  scene_def_free(saved);
  put("sub/nod.yaml", "name: another\n");
  save(edits, "sub/saved.yaml");
  assert_non_null(strstr(get("sub/saved.yaml"), "{move: ../nod.yaml}"));

  // The body has changed since: the file that was read cannot be named any more.
  put("boxes.yaml", "name: boxes\n");
  char message[256];
  snprintf(message, sizeof message,
           "characters.0.body: boxes.yaml would not be found from the folder sub as it was read: boxes.yaml: there is "
           "no such file in sub or %s",
           files_scenes_folder());
  assert_not_saved(edits, "sub/saved.yaml", message);
  edits_destroy(edits);
  scene_def_free(def);
}

// All files that a scene can name, through a link that is not in the other folder: each gets another name there.
static void test_every_file_is_found_from_elsewhere(void **state) {
  (void)state;
  static const char SCENE_OF_FILES[] =
      "purpose: Every file.\n"
      "terrain: {kind: image, image: own/terrain/hills.png, image_height: 1.2, cell: 0.1, x: [-4, 4], z: [-2, 22]}\n"
      "characters:\n"
      "  - name: man\n"
      "    body: own/bodies/human.yaml\n"
      "    animation:\n"
      "      move: own/clips/walk.yaml\n"
      "      stand: own/clips/idle.yaml\n"
      "      stagger: {left: own/clips/walk_stagger_left.yaml, right: own/clips/walk_stagger_right.yaml,\n"
      "                forward: own/clips/walk_stagger_forward.yaml, backward: own/clips/walk_stagger_backward.yaml}\n"
      "    fall: {prone: own/clips/get_up_prone.yaml, supine: own/clips/get_up_supine.yaml}\n";
  char scenes[PATH_MAX];
  assert_non_null(realpath(files_scenes_folder(), scenes));
  assert_int_equal(symlink(scenes, "own"), 0);
  put("scene.yaml", SCENE_OF_FILES);
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  save(edits, "sub/saved.yaml");
  assert_null(strstr(get("sub/saved.yaml"), " own/"));
  SceneDef *saved = read_scene("sub/saved.yaml", NULL, 0);
  assert_true(run_def(saved, 100) == run_def(def, 100));
  scene_def_free(saved);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_a_trace_has_no_folder(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE); // its files are on no disk
  Edits *edits = make_edits(def);
  save(edits, "saved.yaml"); // the same ones lie here
  char message[256];
  snprintf(message, sizeof message,
           "characters.0.body: boxes.yaml would not be found from the folder sub as it was read: boxes.yaml: there is "
           "no such file in sub or %s",
           files_scenes_folder());
  assert_not_saved(edits, "sub/saved.yaml", message);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_what_is_not_replaced(void **state) {
  (void)state;
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  set(edits, "", "seed", "5");
  put("body.yaml", BOXES);
  assert_not_saved(edits, "body.yaml", "body.yaml: exists and is not a scene, so it is not replaced");
  put("body.yaml", "characters: [");
  assert_not_saved(edits, "body.yaml", "body.yaml: exists and is not a scene, so it is not replaced");
  assert_string_equal(get("body.yaml"), "characters: [");
  assert_not_saved(edits, "sub", "sub: cannot be written: Is a directory");
  assert_not_saved(edits, "none/saved.yaml", "none/saved.yaml: cannot be written: No such file or directory");
  assert_not_saved(edits, "", "'' is not the name of a file");
  put("empty.yaml", "");
  save(edits, "empty.yaml");
  edits_destroy(edits);
  scene_def_free(def);
}

// A failure leaves the older file as it was, and no other file (leave_folder checks that).
static void test_failure_keeps_the_old_file(void **state) {
  (void)state;
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  put("sub/boxes.yaml", BOXES);
  put("sub/nod.yaml", NOD);
  save(edits, "sub/saved.yaml");
  set(edits, "", "seed", "5");
  if (geteuid() != 0) { // root may write anywhere
    chmod("sub", 0500);
    assert_not_saved(edits, "sub/saved.yaml", "sub/saved.yaml: cannot be written: Permission denied");
    chmod("sub", 0700);
  }
  put("boxes.yaml", "name: broken\n");
  assert_not_saved(edits, "saved.yaml",
                   "characters.0.body: boxes.yaml would not be found from the folder . as it was read: another file "
                   "has its name");
  assert_int_equal(access("saved.yaml", F_OK), -1);
  assert_string_equal(get("sub/saved.yaml"), SCENE);
  assert_true(edits_unsaved(edits));
  edits_destroy(edits);
  scene_def_free(def);
}

// The scene's own file may be replaced, again and again, but not after somebody else has changed it.
static void test_changed_on_the_disk(void **state) {
  (void)state;
  static const char CHANGED[] =
      "scene.yaml: was changed on the disk since it was read; save under another name, or open "
      "it again";
  Error error = {0};
  SceneDef *def = read_scene("scene.yaml", NULL, 0);
  Edits *edits = make_edits(def);
  set(edits, "characters.a.drive", "strength", "0.5");
  assert_true(edits_save(edits, "scene.yaml", &error));
  set(edits, "characters.a.drive", "strength", "0.25");
  assert_true(edits_save(edits, "./scene.yaml", &error));
  assert_non_null(strstr(get("scene.yaml"), "drive: {strength: 0.25}"));
  put("scene.yaml", SCENE);
  assert_not_saved(edits, "scene.yaml", CHANGED);
  assert_string_equal(get("scene.yaml"), SCENE);
  assert_true(edits_save(edits, "saved.yaml", &error));
  unlink("scene.yaml");
  assert_true(edits_save(edits, "scene.yaml", &error)); // nothing of anybody is lost
  edits_destroy(edits);
  scene_def_free(def);

  put("scene.yaml", SCENE);
  def = read_scene("scene.yaml", NULL, 0);
  edits = make_edits(def);
  put("scene.yaml", "characters: []\n");
  assert_not_saved(edits, "scene.yaml", CHANGED);
  edits_destroy(edits);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_saved_runs_as_with_overrides, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_changed_on_the_disk, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_comments_survive, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_added_events, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_saved_elsewhere, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_every_file_is_found_from_elsewhere, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_a_trace_has_no_folder, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_what_is_not_replaced, enter_folder, leave_folder),
      cmocka_unit_test_setup_teardown(test_failure_keeps_the_old_file, enter_folder, leave_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
