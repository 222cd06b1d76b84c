// Recorded runs in the window: played, scrubbed with the mouse, looped, stepped, and compared with each other.
#include "tests/window/window.h"

// One second of a scene as a trace.
static void record(const char *scene, const char *override, const char *path) {
  Error error = {0};
  Live *live = live_open(scene, &override, override != NULL, &error);
  if (!live || !live_record(live, path, &error) || live_advance(live, 240) != 240 || !live_close(live, &error))
    fail_msg("%s", error.text);
}

static int write_traces(void **state) {
  write_scenes(state);
  record("limp.yaml", NULL, "limp.h5");
  record("limp.yaml", "characters.man.drive.enabled=true", "stiff.h5");
  return 0;
}

static void a_trace_plays_to_its_end_and_again(void **state) {
  (void)state;
  App *app = window_open("limp.h5");
  window_settle(app);
  assert_null(app_live(app));
  assert_near(app->playback.last, 1, 1e-6);
  Shot first = take_shot(app);
  frames(app, 30);
  assert_near(app->playback.time, 0.5, 1e-6);
  frames(app, 40);
  assert_near(app->playback.time, 10.0 / 60, 1e-6); // from the beginning again, until the loop is switched off
  playback_loop(&app->playback, 0, 0);
  frames(app, 60);
  assert_near(app->playback.time, 1, 1e-6);
  assert_false(app->playback.playing);
  Shot last = take_shot(app);
  assert_true(count_changes(&first, &last, 20) > 500);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 6);
  assert_near(app->playback.time, 0.1, 1e-6);
  type_key(SDLK_EQUALS, KMOD_NONE); // twice as fast
  frames(app, 6);
  assert_near(app->playback.time, 0.3, 1e-6);
  type_key(SDLK_HOME, KMOD_NONE);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  Shot again = take_shot(app);
  assert_int_equal(count_changes(&first, &again, 2), 0);
  free_shot(&first);
  free_shot(&last);
  free_shot(&again);
  window_close(app);
}

static void arrows_go_frame_by_frame(void **state) {
  (void)state;
  App *app = window_open_with((AppOptions){.paused = true}, "limp.h5", NULL);
  window_settle(app);
  type_key(SDLK_RIGHT, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 1.0 / 60, 1e-6);
  type_key(SDLK_RIGHT, KMOD_LSHIFT);
  type_key(SDLK_LEFT, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 10.0 / 60, 1e-6);
  type_key(SDLK_LEFT, KMOD_LSHIFT);
  type_key(SDLK_LEFT, KMOD_LSHIFT);
  frames(app, 1);
  assert_near(app->playback.time, 0, 0);
  type_key(SDLK_END, KMOD_NONE);
  type_key(SDLK_RIGHT, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 1, 1e-6);
  window_close(app);
}

static void a_loop_goes_round(void **state) {
  (void)state;
  App *app = window_open("limp.h5");
  window_settle(app);
  playback_loop(&app->playback, 0.2, 0.4);
  for (int i = 0; i < 60; i++) {
    frames(app, 1);
    assert_true(app->playback.time < 0.4 && (i < 12 || app->playback.time >= 0.2));
  }
  assert_true(app->playback.playing);
  window_close(app);
}

// The bar along the bottom: found by pressing from the lower border of the window upwards.
static void the_mouse_scrubs_the_timeline(void **state) {
  (void)state;
  enum { WIDTH = 900, HEIGHT = 300 };
  App *app = window_open_with((AppOptions){.width = WIDTH, .height = HEIGHT}, "limp.h5", NULL);
  app->show_panels = true;
  window_settle(app);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  CameraRig camera = app->camera;
  float y = HEIGHT - 4;
  for (; y > HEIGHT / 2.0f && app->playback.time < 0.1; y -= 5) {
    move_mouse(WIDTH / 2.0f, y, 0, 0);
    frames(app, 1);
    push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, WIDTH / 2.0f, y);
    frames(app, 1);
    if (app->playback.time > 0.1)
      break;
    push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, WIDTH / 2.0f, y);
    frames(app, 1);
  }
  assert_near(app->playback.time, 0.5, 0.02);
  for (int i = 0; i < 4; i++) { // moves along while the button is held, also beyond the bar
    float x = WIDTH / 2.0f + 100 * (float)i;
    move_mouse(x, y - 60, 100, 0);
    frames(app, 1);
    assert_near(app->playback.time, x / WIDTH, 0.03);
  }
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, 750, y);
  move_mouse(100, y, -650, 0);
  frames(app, 2);
  assert_true(app->playback.time > 0.7);
  assert_false(app->playback.playing);
  assert_memory_equal(&camera, &app->camera, sizeof camera);
  window_close(app);
}

// The place of the chest in a trace, in the frame that is shown.
static vec3s chest_of(const App *app, int index) {
  const Source *source = app->sources[index];
  int channel = frames_find(source->frames, "/characters/man/parts/position");
  int part = skeleton_find(&source->def->characters[0].body->skeleton, "chest");
  float values[3 * BODY_MAX_PARTS];
  Error error = {0};
  int frame = frames_near(source->frames, app_time(app, source));
  if (!frames_read(source->frames, channel, frame, values, &error))
    fail_msg("%s", error.text);
  return (vec3s){{values[3 * part], values[3 * part + 1], values[3 * part + 2]}};
}

static void two_traces_stand_side_by_side_and_overlaid(void **state) {
  (void)state;
  App *app = window_open_with((AppOptions){.width = 640}, "stiff.h5", "limp.h5");
  app->layers = 1u << LAYER_OUTPUT;
  window_settle(app);
  frames(app, 48);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 0.8, 1e-6); // one clock for both
  assert_int_equal(app->view_count, 2);
  for (int i = 0; i < 2; i++) {
    float x, y;
    project_in(app, i, chest_of(app, i), &x, &y);
    assert_true(i == 0 ? x < 320 : x > 320);
    assert_true(is_body(look_at(app, x, y)));
  }
  assert_true(chest_of(app, 1).y < chest_of(app, 0).y - 0.2f);
  assert_true(count_spots(app, is_green) < 20);

  type_key(SDLK_o, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->view_count, 1);
  float x, y;
  project(app, chest_of(app, 0), &x, &y);
  assert_true(is_body(look_at(app, x, y)));
  project(app, chest_of(app, 1), &x, &y);
  assert_true(is_green(look_at(app, x, y)));
  assert_true(count_spots(app, is_green) > 300);
  type_key(SDLK_o, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(app->view_count, 2);
  window_close(app);
}

static void only_traces_are_added(void **state) {
  (void)state;
  App *app = window_open("limp.h5");
  window_settle(app);
  assert_false(app_add(app, "standing.yaml"));
  assert_non_null(strstr(app->message, "only traces"));
  for (int i = 1; i < APP_MAX_SOURCES; i++)
    assert_true(app_add(app, "stiff.h5"));
  assert_false(app_add(app, "stiff.h5"));
  assert_int_equal(app->source_count, APP_MAX_SOURCES);
  frames(app, 1);
  assert_int_equal(app->view_count, APP_MAX_SOURCES);
  window_close(app);
}

// No poke, edit, seed or recording touches a trace.
static void a_trace_is_only_shown(void **state) {
  (void)state;
  App *app = window_open_with((AppOptions){.paused = true}, "limp.h5", NULL);
  window_settle(app);
  float x, y;
  project(app, chest_of(app, 0), &x, &y);
  move_mouse(x, y, 0, 0);
  type_key(SDLK_f, KMOD_NONE);
  type_key(SDLK_b, KMOD_NONE);
  type_key(SDLK_n, KMOD_NONE);
  type_key(SDLK_F5, KMOD_NONE);
  frames(app, 2);
  assert_int_equal(app->sources[0]->hit_count, 0);
  assert_non_null(strstr(app->message, "can be saved"));
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, x, y); // turns the camera
  frames(app, 1);
  assert_true(app->orbiting && !app->dragging);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, x, y);
  frames(app, 1);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trace_plays_to_its_end_and_again),
      cmocka_unit_test(arrows_go_frame_by_frame),
      cmocka_unit_test(a_loop_goes_round),
      cmocka_unit_test(the_mouse_scrubs_the_timeline),
      cmocka_unit_test(two_traces_stand_side_by_side_and_overlaid),
      cmocka_unit_test(only_traces_are_added),
      cmocka_unit_test(a_trace_is_only_shown),
  };
  return cmocka_run_group_tests(tests, write_traces, NULL);
}
