// A live scene in the window: it runs with the clock, pauses, goes step by step, shows the past, and starts again.
#include "tests/window/window.h"

static void a_scene_runs_and_is_seen(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  assert_int_equal(world_of(app)->steps, 0);
  frames(app, 60);
  assert_int_equal(world_of(app)->steps, 240);
  assert_near(app->playback.time, 1, 1e-9);
  assert_true(world_hash(world_of(app)) == undisturbed("standing.yaml", NULL, 240));

  float x, y;
  project(app, body_position(app, "chest"), &x, &y);
  assert_true(is_skin(look_at(app, x, y)));
  assert_true(is_pale(look_at(app, 10, y)));                                        // beside it
  assert_true(is_pale(look_at(app, WINDOW_WIDTH / 2.0f, 3)));                       // above it
  assert_true(look_at(app, x, 3).blue > look_at(app, 10, WINDOW_HEIGHT - 10).blue); // sky over ground
  window_close(app);
}

static void space_pauses_and_arrows_step(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  frames(app, 5);
  assert_int_equal(world_of(app)->steps, 20);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 5);
  assert_int_equal(world_of(app)->steps, 20);
  type_key(SDLK_RIGHT, KMOD_NONE);
  frames(app, 2);
  assert_int_equal(world_of(app)->steps, 21);
  type_key(SDLK_RIGHT, KMOD_LSHIFT);
  frames(app, 2);
  assert_int_equal(world_of(app)->steps, 31);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 3);
  assert_int_equal(world_of(app)->steps, 43);
  assert_true(world_hash(world_of(app)) == undisturbed("standing.yaml", NULL, 43));
  window_close(app);
}

static void a_held_space_pauses_once(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = SDLK_SPACE}}};
  event.key.keysym.scancode = SDL_SCANCODE_SPACE;
  for (int i = 0; i < 4; i++) {
    event.key.repeat = i > 0;
    SDL_PushEvent(&event);
    frames(app, 1);
  }
  assert_false(app->playback.playing);
  assert_int_equal(world_of(app)->steps, 0);
  for (int i = 0; i < 3; i++) { // steps are made for as long as the key is held
    event.key.keysym = (SDL_Keysym){.sym = SDLK_RIGHT, .scancode = SDL_SCANCODE_RIGHT};
    event.key.repeat = i > 0;
    SDL_PushEvent(&event);
    frames(app, 1);
  }
  assert_int_equal(world_of(app)->steps, 3);
  window_close(app);
}

static void the_pace_is_halved_and_doubled(void **state) {
  (void)state;
  App *app = window_open("standing.yaml");
  window_settle(app);
  type_key(SDLK_MINUS, KMOD_NONE);
  type_key(SDLK_MINUS, KMOD_NONE);
  frames(app, 8);
  assert_int_equal(world_of(app)->steps, 8); // a quarter of 32
  type_key(SDLK_EQUALS, KMOD_NONE);
  type_key(SDLK_EQUALS, KMOD_NONE);
  type_key(SDLK_EQUALS, KMOD_NONE);
  frames(app, 2);
  assert_int_equal(world_of(app)->steps, 24);
  window_close(app);
}

// Showing the past changes nothing of the run.
static void the_past_is_shown_and_the_run_goes_on(void **state) {
  (void)state;
  App *app = window_open("limp.yaml");
  window_settle(app);
  Shot beginning = take_shot(app);
  frames(app, 36);
  Shot present = take_shot(app);
  type_key(SDLK_SPACE, KMOD_NONE);
  type_key(SDLK_HOME, KMOD_NONE);
  frames(app, 1);
  assert_near(app->playback.time, 0, 1e-12);
  Shot past = take_shot(app);
  assert_true(count_changes(&past, &present, 20) > 500);
  assert_int_equal(count_changes(&past, &beginning, 2), 0);

  type_key(SDLK_END, KMOD_NONE);
  frames(app, 1);
  Shot again = take_shot(app);
  assert_int_equal(count_changes(&again, &present, 2), 0);

  type_key(SDLK_LEFT, KMOD_LSHIFT); // ten frames back, and forward again
  frames(app, 1);
  assert_true(app->playback.time < app->playback.last);
  assert_int_equal(world_of(app)->steps, 144);
  type_key(SDLK_RIGHT, KMOD_NONE);
  frames(app, 1);
  assert_int_equal(world_of(app)->steps, 144);
  type_key(SDLK_SPACE, KMOD_NONE);
  frames(app, 4);
  assert_int_equal(world_of(app)->steps, 160);
  assert_near(app->playback.time, app->playback.last, 0);
  assert_true(world_hash(world_of(app)) == undisturbed("limp.yaml", NULL, 160));
  free_shot(&beginning);
  free_shot(&present);
  free_shot(&past);
  free_shot(&again);
  window_close(app);
}

static void a_reset_repeats_and_a_seed_changes_the_run(void **state) {
  (void)state;
  App *app = window_open("two.yaml");
  window_settle(app);
  frames(app, 20);
  uint64_t first = world_hash(world_of(app));
  type_key(SDLK_r, KMOD_NONE);
  frames(app, 20);
  assert_int_equal(world_of(app)->steps, 80);
  assert_true(world_hash(world_of(app)) == first);
  type_key(SDLK_n, KMOD_NONE);
  frames(app, 20);
  assert_int_equal(world_of(app)->steps, 80);
  assert_int_equal(app_live(app)->def->run.seed, 2);
  assert_true(world_hash(world_of(app)) != first);
  assert_true(world_hash(world_of(app)) == undisturbed("two.yaml", "seed=2", 80));
  window_close(app);
}

static void set_parameter(App *app, const char *path, const char *name, const char *text) {
  Edits *edits = app_live(app)->edits;
  Error error = {0};
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    if (strcmp(group->path, path) != 0)
      continue;
    const Param *row = param_find(group->table, name);
    assert_non_null(row);
    bool ok = text ? edits_set(edits, i, row, text, &error) : edits_revert(edits, i, row, &error);
    if (!ok || !live_retune(app_live(app), group, row, &error))
      fail_msg("%s", error.text);
    return;
  }
  fail_msg("no group %s", path);
}

static double bend(App *app, int count) {
  frames(app, count);
  return metric(app, "peak_pose_error");
}

// A slider's effect: at once in the run, again after a reset, and gone when it is undone.
static void a_parameter_acts_at_once_and_stays(void **state) {
  (void)state;
  enum { FRAMES = 30 };
  App *app = window_open("pushed.yaml");
  window_settle(app);
  double strong = bend(app, FRAMES);
  type_key(SDLK_r, KMOD_NONE);
  frames(app, 5);
  set_parameter(app, "characters.man.drive", "strength", "0.03");
  double weak = bend(app, FRAMES - 5);
  assert_true(weak > 1.8 * strong);
  type_key(SDLK_r, KMOD_NONE);
  assert_true(bend(app, FRAMES) > 1.8 * strong);
  assert_true(edits_unsaved(app_live(app)->edits));
  set_parameter(app, "characters.man.drive", "strength", NULL);
  assert_false(edits_unsaved(app_live(app)->edits));
  type_key(SDLK_r, KMOD_NONE);
  assert_near(bend(app, FRAMES), strong, 0);
  assert_true(world_hash(world_of(app)) == undisturbed("pushed.yaml", NULL, 4 * FRAMES));
  window_close(app);
}

// Held keys steer the followed character, and only for as long as they are held.
static void held_keys_steer(void **state) {
  (void)state;
  App *app = window_open("two.yaml");
  window_settle(app);
  type_key(SDLK_RIGHTBRACKET, KMOD_NONE);
  push_key(SDL_KEYDOWN, SDLK_w, KMOD_NONE);
  push_key(SDL_KEYDOWN, SDLK_a, KMOD_NONE);
  push_key(SDL_KEYDOWN, SDLK_q, KMOD_NONE);
  frames(app, 30); // 0.5 s
  const Intent *intent = &app_live(app)->scene->characters[1]->intent;
  assert_near(intent->speed, 1, 1e-6);      // 2 m/s^2
  assert_near(intent->heading, 22.5, 1e-6); // 45 deg/s
  assert_near(intent->strafe, 0.25, 1e-9);
  push_key(SDL_KEYUP, SDLK_w, KMOD_NONE);
  push_key(SDL_KEYUP, SDLK_a, KMOD_NONE);
  push_key(SDL_KEYUP, SDLK_q, KMOD_NONE);
  frames(app, 5);
  assert_near(intent->speed, 1, 1e-6);
  assert_near(intent->heading, 22.5, 1e-6);
  assert_near(intent->strafe, 0, 0);
  assert_near(app_live(app)->scene->characters[0]->intent.speed, 0, 0);
  type_key(SDLK_x, KMOD_NONE);
  frames(app, 1);
  assert_near(intent->speed, 0, 0);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_runs_and_is_seen),
      cmocka_unit_test(space_pauses_and_arrows_step),
      cmocka_unit_test(a_held_space_pauses_once),
      cmocka_unit_test(the_pace_is_halved_and_doubled),
      cmocka_unit_test(the_past_is_shown_and_the_run_goes_on),
      cmocka_unit_test(a_reset_repeats_and_a_seed_changes_the_run),
      cmocka_unit_test(a_parameter_acts_at_once_and_stays),
      cmocka_unit_test(held_keys_steer),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
