// The panel of curves in use: keys are dragged, added and removed by the mouse, and saved into the scene's file.
#include "tests/window/window.h"

#include "viewer/panels/panels.h"

static const char CURVED[] = "purpose: A man is struck.\n"
                             "duration: 2\n"
                             "terrain: {kind: flat}\n"
                             "characters:\n"
                             "  - name: man\n"
                             "    body: bodies/human.yaml\n"
                             "    hit_reaction:\n"
                             "      strength_drop: [[0, 0],   # a touch\n"
                             "                      [2, 0.5], # a blow\n"
                             "                      [8, 1]]\n";

// The panel in a window of its own, instead of the viewer's others.
static void draw(App *app) {
  gui_begin_frame(app->gui, WINDOW_FRAME);
  gui_window_begin("test", (GuiRect){0, 0, 400, 320}, GUI_BARE, NULL);
  gui_next_open(true);
  panel_curves(app);
  gui_window_end();
  gui_end_frame(app->gui);
}

static App *open_panel(void) {
  write_file("curved.yaml", CURVED);
  App *app = window_open("curved.yaml");
  window_settle(app);
  draw(app);
  draw(app);
  return app;
}

// ---- The mouse, in the curve's units ----

static void send(App *app, SDL_EventType type, int button, double x, double y) {
  const CurveCanvas *canvas = &app->panels->curve_canvas;
  const Sint32 at_x = (Sint32)lroundf(curve_canvas_x(canvas, x)), at_y = (Sint32)lroundf(curve_canvas_y(canvas, y));
  SDL_Event event = {.button = {.type = type, .button = (Uint8)button, .x = at_x, .y = at_y}};
  if (type == SDL_MOUSEMOTION)
    event = (SDL_Event){.motion = {.type = type, .x = at_x, .y = at_y}};
  gui_event(app->gui, &event);
  draw(app);
}

static void drag(App *app, double from_x, double from_y, double to_x, double to_y) {
  send(app, SDL_MOUSEMOTION, 0, from_x, from_y);
  send(app, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, from_x, from_y);
  send(app, SDL_MOUSEMOTION, 0, (from_x + to_x) / 2, (from_y + to_y) / 2);
  send(app, SDL_MOUSEMOTION, 0, to_x, to_y);
  send(app, SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, to_x, to_y);
  draw(app);
}

static void click(App *app, int button, int times, double x, double y) {
  send(app, SDL_MOUSEMOTION, 0, x, y);
  for (int i = 0; i < times; i++) {
    send(app, SDL_MOUSEBUTTONDOWN, button, x, y);
    send(app, SDL_MOUSEBUTTONUP, button, x, y);
  }
  for (int i = 0; i < 30; i++) // long enough that the next click is not a double one
    draw(app);
}

static const Curve *curve(const App *app) { return edits_curve_now(app_live(app)->edits, app->panels->curve); }

// A pixel is 0.03 m/s wide and 0.01 high.
static void assert_key(const App *app, int key, double x, double y) {
  assert_near(curve(app)->x[key], x, 0.06);
  assert_near(curve(app)->y[key], y, 0.02);
}

static void keys_are_dragged(void **state) {
  (void)state;
  App *app = open_panel();
  assert_int_equal(app->panels->curve, 0);
  assert_near(app->panels->curve_canvas.x_to, 10, 1e-9); // 1.25 * 8
  drag(app, 2, 0.5, 4, 0.8);
  assert_int_equal(curve(app)->count, 3);
  assert_key(app, 1, 4, 0.8);
  drag(app, 4, 0.8, 9.5, 0.3); // not beyond its neighbour
  assert_key(app, 1, 7.98, 0.3);
  drag(app, 5, 0.9, 6, 0.2); // there is no key: nothing happens
  assert_key(app, 1, 7.98, 0.3);
  const Character *man = app_live(app)->scene->characters[0];
  assert_true(curve_is_equal(&man->hit_reaction.def.strength_drop.by_dv, curve(app))); // acts at once
  window_close(app);
  unlink("curved.unsaved-1.yaml"); // the changes, which are kept
}

static void keys_are_added_and_removed(void **state) {
  (void)state;
  App *app = open_panel();
  click(app, SDL_BUTTON_LEFT, 1, 5, 0.2); // a single click does nothing
  assert_int_equal(curve(app)->count, 3);
  click(app, SDL_BUTTON_LEFT, 2, 5, 0.2);
  assert_int_equal(curve(app)->count, 4);
  assert_key(app, 2, 5, 0.2);
  click(app, SDL_BUTTON_RIGHT, 1, 2, 0.5);
  assert_int_equal(curve(app)->count, 3);
  assert_key(app, 1, 5, 0.2);
  window_close(app);
  unlink("curved.unsaved-1.yaml");
}

static void press(App *app, SDL_Keycode key) {
  input_event(app, &(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = KMOD_CTRL}}});
  draw(app);
}

static void changes_are_undone_and_redone(void **state) {
  (void)state;
  App *app = open_panel();
  const Curve opened = *curve(app);
  press(app, SDLK_z); // nothing to undo
  assert_true(curve_is_equal(curve(app), &opened));
  drag(app, 2, 0.5, 4, 0.8); // one step, although the mouse moved twice
  const Curve dragged = *curve(app);
  click(app, SDL_BUTTON_LEFT, 2, 6, 0.2);
  const Curve added = *curve(app);
  assert_int_equal(added.count, 4);
  click(app, SDL_BUTTON_RIGHT, 1, 6, 0.2);
  assert_int_equal(curve(app)->count, 3);
  press(app, SDLK_z);
  assert_true(curve_is_equal(curve(app), &added));
  press(app, SDLK_z);
  assert_true(curve_is_equal(curve(app), &dragged));
  press(app, SDLK_z);
  assert_true(curve_is_equal(curve(app), &opened));
  assert_false(edits_unsaved(app_live(app)->edits));
  press(app, SDLK_y);
  press(app, SDLK_y);
  assert_true(curve_is_equal(curve(app), &added));
  const Character *man = app_live(app)->scene->characters[0];
  assert_true(curve_is_equal(&man->hit_reaction.def.strength_drop.by_dv, &added)); // acts at once
  press(app, SDLK_z);
  drag(app, 4, 0.8, 4, 0.4); // takes the step away that could be redone
  const Curve other = *curve(app);
  press(app, SDLK_y);
  assert_true(curve_is_equal(curve(app), &other));
  Error error = {0};
  assert_true(edits_revert_all(app_live(app)->edits, app_live(app)->scene, &error));
  press(app, SDLK_z); // not to a curve of before
  assert_true(curve_is_equal(curve(app), &opened));
  window_close(app);
  unlink("curved.unsaved-1.yaml");
}

static void only_the_last_steps_are_kept(void **state) {
  (void)state;
  CurveHistory history = {0};
  Curve before = {.count = 1}, after = {.count = 1};
  for (int i = 0; i < CURVE_HISTORY_MOST + 3; i++) {
    before.y[0] = i, after.y[0] = i + 1;
    curve_history_add(&history, 0, &before, &after);
    curve_history_close(&history);
  }
  const CurveStep *step = NULL;
  int undone = 0;
  for (const CurveStep *next; (next = curve_history_undo(&history)) != NULL; undone++)
    step = next;
  assert_int_equal(undone, CURVE_HISTORY_MOST);
  assert_true(step && step->before.y[0] == 3);
}

static void changes_are_saved_between_comments(void **state) {
  (void)state;
  App *app = open_panel();
  drag(app, 2, 0.5, 2, 0.75);
  Curve rounded = *curve(app); // a pixel is no round number
  rounded.x[1] = 2, rounded.y[1] = 0.75;
  Error error = {0};
  assert_true(edits_set_curve(app_live(app)->edits, app->panels->curve, &rounded, &error));
  app_save(app, app_live(app)->def->path);
  char text[1024] = "", wanted[1024];
  FILE *file = fopen("curved.yaml", "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  snprintf(wanted, sizeof wanted, "%s", CURVED);
  char *number = strstr(wanted, "0.5], # a blow");
  memmove(number + 4, number + 3, strlen(number + 3) + 1);
  memcpy(number, "0.75", 4);
  assert_string_equal(text, wanted);
  window_close(app);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_dragged),
      cmocka_unit_test(keys_are_added_and_removed),
      cmocka_unit_test(changes_are_undone_and_redone),
      cmocka_unit_test(only_the_last_steps_are_kept),
      cmocka_unit_test(changes_are_saved_between_comments),
  };
  return cmocka_run_group_tests(tests, write_scenes, NULL);
}
