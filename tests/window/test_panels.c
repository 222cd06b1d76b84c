// The panels' widgets in use: when a slider takes a value, keys faster than frames, and which part has the mouse.
#include "tests/window/window.h"

static const float ROW_Y = 18; // points, the middle of the first row of a window without a title

static double slider_value, slider_typed;
static bool slider_beyond;
static int slider_changes;
static GuiScale slider_scale;
static char field_text[64];

// A panel with a slider and a field, instead of the viewer's own.
static void draw(App *app, const char *first) {
  gui_begin_frame(app->gui, WINDOW_FRAME);
  gui_window_begin("test", (GuiRect){0, 0, 300, 100}, GUI_BARE, NULL);
  gui_next_width(200);
  if (strcmp(first, "slider") == 0 && gui_slider("##value", &slider_value, 0, 10, "%.4g N", slider_scale, 1)) {
    slider_changes++;
    slider_beyond = gui_typed_beyond(&slider_typed);
  }
  gui_next_width(200);
  gui_input("##field", "", field_text, sizeof field_text);
  gui_window_end();
  gui_end_frame(app->gui);
}

static void settle(App *app, const char *first) {
  for (int i = 0; i < 24; i++)
    draw(app, first);
}

static App *open_panel(const char *first) {
  App *app = window_open(NULL);
  window_settle(app);
  slider_value = 1;
  slider_changes = 0;
  slider_scale = GUI_LINEAR;
  field_text[0] = '\0';
  settle(app, first);
  return app;
}

// Events that are sent to the panels alone, all in the same frame.

static void key(App *app, SDL_EventType type, SDL_Keycode code, SDL_Keymod held) {
  SDL_Event event = {.key = {.type = type, .keysym = {.sym = code, .mod = held}}};
  event.key.keysym.scancode = SDL_GetScancodeFromKey(code);
  gui_event(app->gui, &event);
}

static void tap(App *app, SDL_Keycode code, SDL_Keymod held) {
  key(app, SDL_KEYDOWN, code, held);
  key(app, SDL_KEYUP, code, held);
}

static void write_text(App *app, const char *text) {
  for (; *text != '\0'; text++) {
    SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
    event.text.text[0] = *text;
    key(app, SDL_KEYDOWN, (SDL_Keycode)*text, KMOD_NONE);
    gui_event(app->gui, &event);
    key(app, SDL_KEYUP, (SDL_Keycode)*text, KMOD_NONE);
  }
}

static void point(App *app, float x, float y) {
  SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION, .x = (Sint32)x, .y = (Sint32)y}};
  gui_event(app->gui, &event);
}

static void button(App *app, SDL_EventType type, float x, float y) {
  SDL_Event event = {.button = {.type = type, .button = SDL_BUTTON_LEFT, .x = (Sint32)x, .y = (Sint32)y}};
  gui_event(app->gui, &event);
}

static void click(App *app, float x, float y) {
  button(app, SDL_MOUSEBUTTONDOWN, x, y);
  button(app, SDL_MOUSEBUTTONUP, x, y);
}

static void begin_typing(App *app) {
  point(app, 100, ROW_Y);
  settle(app, "slider");
  key(app, SDL_KEYDOWN, SDLK_LCTRL, KMOD_LCTRL);
  click(app, 100, ROW_Y);
  key(app, SDL_KEYUP, SDLK_LCTRL, KMOD_NONE);
  settle(app, "slider");
  assert_true(gui_wants_keyboard(app->gui));
  slider_changes = 0;
}

static void what_is_typed_acts_on_enter(void **state) {
  (void)state;
  App *app = open_panel("slider");
  for (int scale = GUI_LINEAR; scale <= GUI_CENTRED; scale++) {
    slider_scale = (GuiScale)scale;
    slider_value = 1;
    begin_typing(app);
    write_text(app, "0.5"); // which is also the share of 1 on the centred scale
    settle(app, "slider");
    assert_near(slider_value, 1, 0);
    tap(app, SDLK_RETURN, KMOD_NONE);
    settle(app, "slider");
    assert_near(slider_value, 0.5, 0);
    assert_int_equal(slider_changes, 1);
    assert_false(slider_beyond);

    begin_typing(app); // all in one frame
    write_text(app, "0.123456");
    tap(app, SDLK_RETURN, KMOD_NONE);
    settle(app, "slider");
    assert_near(slider_value, 0.123456, 0);
    assert_int_equal(slider_changes, 1);
  }
  window_close(app);
}

static void what_is_typed_acts_on_leaving_but_not_on_escape(void **state) {
  (void)state;
  App *app = open_panel("slider");
  begin_typing(app);
  write_text(app, "3");
  settle(app, "slider");
  tap(app, SDLK_ESCAPE, KMOD_NONE);
  settle(app, "slider");
  assert_near(slider_value, 1, 0);
  begin_typing(app);
  write_text(app, "4");
  settle(app, "slider");
  click(app, 280, 90); // beside it
  settle(app, "slider");
  assert_near(slider_value, 4, 0);
  begin_typing(app);
  write_text(app, "5");
  settle(app, "slider");
  click(app, 100, ROW_Y + 24); // into the other field
  settle(app, "slider");
  assert_near(slider_value, 5, 0);
  assert_int_equal(slider_changes, 1);
  window_close(app);
}

static void what_is_typed_beyond_the_limits_is_reported(void **state) {
  (void)state;
  App *app = open_panel("slider");
  slider_scale = GUI_CENTRED;
  begin_typing(app);
  write_text(app, "99");
  tap(app, SDLK_RETURN, KMOD_NONE);
  settle(app, "slider");
  assert_near(slider_value, 10, 0);
  assert_true(slider_beyond);
  assert_near(slider_typed, 99, 0);
  begin_typing(app);
  write_text(app, "-1e999");
  tap(app, SDLK_RETURN, KMOD_NONE);
  settle(app, "slider");
  assert_near(slider_value, 0, 0);
  assert_true(slider_beyond);
  begin_typing(app);
  write_text(app, "-");
  tap(app, SDLK_RETURN, KMOD_NONE);
  settle(app, "slider");
  assert_near(slider_value, 0, 0);
  assert_int_equal(slider_changes, 0);
  window_close(app);
}

// The middle of the slider is the default; a dragged value acts at once and has three digits.
static void dragging_acts_at_once(void **state) {
  (void)state;
  App *app = open_panel("slider");
  slider_scale = GUI_CENTRED;
  point(app, 108, ROW_Y);
  settle(app, "slider");
  button(app, SDL_MOUSEBUTTONDOWN, 108, ROW_Y);
  for (float x = 108; x <= 250; x++) {
    double before = slider_value;
    point(app, x, ROW_Y);
    draw(app, "slider");
    if (x > 108)
      assert_true(slider_value >= before);
    assert_true(slider_value <= 10 && slider_value > 0.7);
    if (x < 112)
      assert_true(fabs(slider_value - 1) < 0.15);
    double digits = slider_value * (slider_value < 1 ? 1000 : slider_value < 10 ? 100 : 10);
    assert_near(digits, round(digits), 1e-9);
  }
  assert_near(slider_value, 10, 0);
  assert_true(slider_changes > 20);
  button(app, SDL_MOUSEBUTTONUP, 250, ROW_Y);
  settle(app, "slider");
  window_close(app);
}

static void keys_of_one_frame_are_all_seen(void **state) {
  (void)state;
  App *app = open_panel("field");
  click(app, 100, ROW_Y);
  settle(app, "field");
  write_text(app, "abcd");
  tap(app, SDLK_BACKSPACE, KMOD_NONE);
  tap(app, SDLK_BACKSPACE, KMOD_NONE);
  write_text(app, "e");
  tap(app, SDLK_HOME, KMOD_NONE);
  tap(app, SDLK_DELETE, KMOD_NONE);
  write_text(app, "x");
  settle(app, "field");
  assert_string_equal(field_text, "xbe");
  key(app, SDL_KEYDOWN, SDLK_LCTRL, KMOD_LCTRL);
  tap(app, SDLK_a, KMOD_LCTRL);
  key(app, SDL_KEYUP, SDLK_LCTRL, KMOD_NONE);
  write_text(app, "whole");
  settle(app, "field");
  assert_string_equal(field_text, "whole");
  for (int i = 0; i < 400; i++) // more than the queue holds, and none that stays down
    tap(app, SDLK_BACKSPACE, KMOD_NONE);
  for (int i = 0; i < 20; i++)
    settle(app, "field");
  assert_string_equal(field_text, "");
  write_text(app, "y");
  settle(app, "field");
  assert_string_equal(field_text, "y");
  window_close(app);
}

static void the_mouse_belongs_to_what_is_under_it(void **state) {
  (void)state;
  App *app = open_panel("slider");
  point(app, 400, 200);
  settle(app, "slider");
  assert_false(gui_wants_mouse(app->gui));
  point(app, 150, 50); // no frame has seen it there yet
  assert_true(gui_wants_mouse(app->gui));
  point(app, 400, 200);
  assert_false(gui_wants_mouse(app->gui));
  // A held slider keeps the mouse beyond the panel.
  point(app, 100, ROW_Y);
  button(app, SDL_MOUSEBUTTONDOWN, 100, ROW_Y);
  settle(app, "slider");
  point(app, 400, 200);
  settle(app, "slider");
  assert_true(gui_wants_mouse(app->gui));
  button(app, SDL_MOUSEBUTTONUP, 400, 200);
  settle(app, "slider");
  assert_false(gui_wants_mouse(app->gui));
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_typed_acts_on_enter),
      cmocka_unit_test(what_is_typed_acts_on_leaving_but_not_on_escape),
      cmocka_unit_test(what_is_typed_beyond_the_limits_is_reported),
      cmocka_unit_test(dragging_acts_at_once),
      cmocka_unit_test(keys_of_one_frame_are_all_seen),
      cmocka_unit_test(the_mouse_belongs_to_what_is_under_it),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
