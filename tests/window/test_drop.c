// Files dropped onto the window: scenes, traces, motions, levels, and what is none of them.
#include "tests/window/window.h"

#include "sim/base/files.h"

// A floor of 8 by 8 m at y = 0 and over a quarter of it, in its middle, a roof at y = 3.
static const char YARD[] = "v -4 0 -4\nv -4 0 4\nv 4 0 4\nv 4 0 -4\n"
                           "v -2 3 -2\nv -2 3 2\nv 2 3 2\nv 2 3 -2\n"
                           "f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n";

static const char SLOPE[] = "v -4 0 -4\nv -4 0 4\nv 4 4 4\nv 4 4 -4\nf 1 2 3\nf 1 3 4\n";

static const char MEASURED[] = "purpose: A tall man stands.\n"
                               "duration: 2\n"
                               "terrain: {kind: flat}\n"
                               "characters: [{name: tall, body: {base: bodies/human.yaml, height: 1.95, mass: 92}}]\n";

static int write_all(void **state) {
  write_scenes(state);
  write_file("yard.obj", YARD);
  write_file("slope.obj", SLOPE);
  write_file("measured.yaml", MEASURED);
  write_file("text.txt", "neither scene nor motion\n");
  write_file("body.yaml", "parts: []\n");
  write_file("broken.bvh", "HIERARCHY\nROOT hips\n");
  write_file("broken.glb", "glTF");
  Error error = {0};
  Live *live = live_open("limp.yaml", NULL, 0, &error);
  if (!live || !live_record(live, "limp.h5", &error) || live_advance(live, 24) != 24 || !live_close(live, &error))
    fail_msg("%s", error.text);
  return 0;
}

// NOLINTBEGIN(clang-analyzer-unix.Malloc): who takes the event frees the name
static void push_drop(SDL_EventType type, const char *path) {
  SDL_Event event = {.drop = {.type = type, .file = path ? SDL_strdup(path) : NULL}};
  assert_int_equal(SDL_PushEvent(&event), 1);
}
// NOLINTEND(clang-analyzer-unix.Malloc)

static App *open_paused(const char *scene) {
  App *app = window_open(scene);
  window_settle(app);
  app->playback.playing = false;
  return app;
}

static void drop(App *app, const char *path) {
  app->message[0] = '\0';
  push_drop(SDL_DROPFILE, path);
  frames(app, 1);
}

static const char *scene_file(char path[FILES_PATH_SIZE], const char *name) {
  snprintf(path, FILES_PATH_SIZE, "%.2000s/%s", files_scenes_folder(), name);
  return path;
}

static void a_scene_and_a_trace_are_opened(void **state) {
  (void)state;
  App *app = open_paused(NULL);
  drop(app, "two.yaml");
  assert_string_equal(app->sources[0]->def->name, "two");
  type_key(SDLK_RIGHTBRACKET, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->subject, 1);
  drop(app, "limp.h5"); // has no second character
  assert_null(app_live(app));
  assert_int_equal(app->source_count, 1);
  assert_int_equal(app->subject, 0);
  window_close(app);
}

static void traces_dropped_together_are_shown_together(void **state) {
  (void)state;
  App *app = open_paused("standing.yaml");
  for (int again = 0; again < 2; again++) { // the second drop replaces the first
    push_drop(SDL_DROPBEGIN, NULL);
    push_drop(SDL_DROPFILE, "limp.h5");
    push_drop(SDL_DROPFILE, "limp.h5");
    push_drop(SDL_DROPCOMPLETE, NULL);
    frames(app, 1);
    assert_int_equal(app->source_count, 2);
  }
  window_close(app);
}

static void a_motion_moves_the_present_body(void **state) {
  (void)state;
  char path[FILES_PATH_SIZE];
  App *app = open_paused("measured.yaml");
  double mass = app->sources[0]->def->characters[0].body->mass;
  drop(app, scene_file(path, "clips/walk.yaml"));
  const SceneDef *def = app->sources[0]->def;
  assert_string_equal(def->name, "mocap");
  assert_non_null(def->characters[0].move);
  assert_near(def->characters[0].body->mass, mass, 1e-9);
  assert_true(fabs(mass - 92) < 0.5);
  assert_non_null(strstr(app->message, "walk.yaml"));
  frames(app, 1);
  type_key(SDLK_r, KMOD_NONE); // the motion stays through a reset
  frames(app, 2);
  assert_near(app->sources[0]->def->characters[0].body->mass, mass, 1e-9);
  assert_non_null(app->sources[0]->def->characters[0].move);
  window_close(app);
}

// Its feet cannot be found in it.
static void a_motion_that_the_body_cannot_play_moves_the_human(void **state) {
  (void)state;
  char scene[FILES_PATH_SIZE], path[FILES_PATH_SIZE];
  App *app = open_paused(scene_file(scene, "spider.yaml"));
  drop(app, scene_file(path, "clips/walk.yaml"));
  assert_string_equal(app->sources[0]->def->name, "mocap");
  assert_true(skeleton_find(&app->sources[0]->def->characters[0].body->skeleton, "forearm_l") >= 0);
  assert_non_null(strstr(app->message, "human"));
  window_close(app);
}

static void a_level_becomes_the_ground(void **state) {
  (void)state;
  App *app = open_paused("standing.yaml");
  drop(app, "yard.obj");
  assert_non_null(app_live(app));
  assert_non_null(app->sources[0]->terrain->level);
  const double *place = app->sources[0]->def->characters[0].start.position;
  assert_near(place[1], 0, 1e-6); // on the floor, not on the roof, and not under it
  assert_true(fabs(place[0]) > 2 || fabs(place[2]) > 2);
  assert_true(hypot(place[0], place[2]) < 3);
  live_advance(app_live(app), 120);
  assert_near(metric(app, "fell"), 0, 0);
  app_save(app, "kept.yaml"); // the saved scene finds the level again
  Error error = {0};
  SceneDef *kept = scene_def_read("kept.yaml", NULL, 0, &error);
  if (!kept) {
    fail_msg("%s", error.text);
    return;
  }
  assert_near(kept->characters[0].start.position[0], place[0], 1e-3);
  scene_def_free(kept);
  char path[FILES_PATH_SIZE];
  drop(app, scene_file(path, "terrain/house.glb"));
  assert_non_null(strstr(app->message, "house.glb"));
  assert_true(app->sources[0]->terrain->level->count > 100);
  window_close(app);
}

static void nothing_else_changes_anything(void **state) {
  (void)state;
  char folder[FILES_PATH_SIZE];
  App *app = open_paused("standing.yaml");
  const Source *source = app->sources[0];
  const char *const files[] = {"text.txt",   "body.yaml", "missing.yaml", "missing.glb", "broken.bvh",
                               "broken.glb", "slope.obj", "limp.yaml/x",  ".",           getcwd(folder, sizeof folder)};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    drop(app, files[i]);
    if (app->source_count != 1 || app->sources[0] != source || app->message[0] == '\0')
      fail_msg("%s: '%s'", files[i], app->message);
  }
  drop(app, "text.txt");
  assert_non_null(strstr(app->message, "text.txt"));
  assert_non_null(strstr(app->message, ".bvh"));
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_and_a_trace_are_opened),
      cmocka_unit_test(traces_dropped_together_are_shown_together),
      cmocka_unit_test(a_motion_moves_the_present_body),
      cmocka_unit_test(a_motion_that_the_body_cannot_play_moves_the_human),
      cmocka_unit_test(a_level_becomes_the_ground),
      cmocka_unit_test(nothing_else_changes_anything),
  };
  return cmocka_run_group_tests(tests, write_all, NULL);
}
