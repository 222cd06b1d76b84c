// No key and no mixture of events breaks the window, whatever it shows. Run best under the sanitizers.
#include "tests/window/window.h"

enum { SMALL_WIDTH = 240, SMALL_HEIGHT = 160, RANDOM_FRAMES = 300 };

static App *open_small(const char *first, const char *second) {
  App *app = window_open_with((AppOptions){.width = SMALL_WIDTH, .height = SMALL_HEIGHT}, first, second);
  app->show_panels = true;
  app->step_budget = 0; // a few steps a frame at most
  return app;
}

static int write_all(void **state) {
  write_scenes(state);
  Error error = {0};
  Live *live = live_open("two.yaml", NULL, 0, &error);
  if (!live || !live_record(live, "two.h5", &error) || live_advance(live, 120) != 120 || !live_close(live, &error))
    fail_msg("%s", error.text);
  return 0;
}

static void press_every_key(App *app) {
  window_settle(app);
  move_mouse(SMALL_WIDTH / 2.0f, SMALL_HEIGHT / 2.0f, 0, 0);
  for (int i = 0; i < input_row_count; i++) {
    const InputRow *row = &input_rows[i];
    if (row->key == 0 || row->action == INPUT_QUIT)
      continue;
    push_key(SDL_KEYDOWN, row->key, row->with);
    frames(app, 1);
    push_key(SDL_KEYUP, row->key, row->with);
    frames(app, 1);
  }
  window_close(app);
}

static void every_key_in_a_scene(void **state) {
  (void)state;
  press_every_key(open_small("two.yaml", NULL));
}

static void every_key_in_a_trace(void **state) {
  (void)state;
  press_every_key(open_small("two.h5", NULL));
}

static void every_key_in_two_traces(void **state) {
  (void)state;
  press_every_key(open_small("two.h5", "two.h5"));
}

static void every_key_with_nothing_open(void **state) {
  (void)state;
  press_every_key(open_small(NULL, NULL));
}

// Numbers of xorshift32 by Marsaglia, the same every time.
static unsigned random_below(unsigned *state, unsigned end) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state % end;
}

static void push_random_key(unsigned *state) {
  const InputRow *row = &input_rows[random_below(state, (unsigned)input_row_count)];
  SDL_Keymod held = random_below(state, 4) == 0 ? KMOD_LSHIFT : KMOD_NONE;
  SDL_EventType type = random_below(state, 3) > 0 ? SDL_KEYDOWN : SDL_KEYUP;
  if (row->key != 0 && row->action != INPUT_QUIT)
    push_key(type, row->key, held);
}

static void push_random_text(unsigned *state) {
  static const char LETTERS[] = "0123456789.-aes/";
  SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
  event.text.text[0] = LETTERS[random_below(state, sizeof LETTERS - 1)];
  assert_int_equal(SDL_PushEvent(&event), 1);
}

static void push_random_mouse(const App *app, unsigned *state) {
  static const Uint8 BUTTONS[] = {SDL_BUTTON_LEFT, SDL_BUTTON_LEFT, SDL_BUTTON_RIGHT, SDL_BUTTON_MIDDLE};
  float x = app->cursor_x, y = app->cursor_y;
  float to_x = (float)random_below(state, (unsigned)app->target.width);
  float to_y = (float)random_below(state, (unsigned)app->target.height);
  Uint8 button = BUTTONS[random_below(state, 4)];
  switch (random_below(state, 6)) {
  case 0:
  case 1:
    push_button(SDL_MOUSEBUTTONDOWN, button, x, y);
    break;
  case 2:
    push_button(SDL_MOUSEBUTTONUP, button, x, y);
    break;
  case 3:
    push_wheel((int)random_below(state, 7) - 3);
    break;
  default:
    move_mouse(to_x, to_y, to_x - x, to_y - y);
  }
}

static void drive_at_random(App *app, unsigned seed, int count) {
  unsigned state = seed;
  window_settle(app);
  for (int i = 0; i < count; i++) {
    push_random_key(&state);
    push_random_text(&state);
    for (int k = 0; k < 3; k++) {
      push_random_mouse(app, &state);
      if (k == 1) // a button that goes down and up within a frame, or over several
        push_random_key(&state);
    }
    frames(app, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    if (i % 50 == 49) // from time to time, since the layout may have changed
      app->show_panels = true;
  }
  window_close(app);
}

static void random_events_in_a_scene(void **state) {
  (void)state;
  drive_at_random(open_small("two.yaml", NULL), 1, RANDOM_FRAMES);
}

static void random_events_in_traces(void **state) {
  (void)state;
  drive_at_random(open_small("two.h5", "two.h5"), 2, RANDOM_FRAMES);
}

// Large enough for all panels.
static void random_events_on_panels(void **state) {
  (void)state;
  App *app =
      window_open_with((AppOptions){.width = 900, .height = 500, .layers = 1u << LAYER_LABELS}, "two.yaml", NULL);
  app->show_panels = app->show_plots = true;
  app->step_budget = 0;
  drive_at_random(app, 3, RANDOM_FRAMES / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_in_a_scene),     cmocka_unit_test(every_key_in_a_trace),
      cmocka_unit_test(every_key_in_two_traces),  cmocka_unit_test(every_key_with_nothing_open),
      cmocka_unit_test(random_events_in_a_scene), cmocka_unit_test(random_events_in_traces),
      cmocka_unit_test(random_events_on_panels),
  };
  return cmocka_run_group_tests(tests, write_all, NULL);
}
