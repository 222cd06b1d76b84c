// The viewer's main loop: events go to the panels first and then to the input of the scene; then time advances, and
// sources and panels are drawn.
#include "viewer/shell.h"

#include <stdio.h>

#include "scenes/output/explanations.h"
#include "viewer/drop.h"
#include "viewer/input.h"
#include "viewer/panels/panels.h"

// ---- Events ----

// Events that a text field uses; not the function keys.
static bool is_of_keyboard(const SDL_Event *event) {
  if (event->type == SDL_KEYDOWN)
    return event->key.keysym.sym < SDLK_F1 || event->key.keysym.sym > SDLK_F12;
  return event->type == SDL_TEXTINPUT;
}

// Releases are passed to both, since the receiver of a press must receive its release.
static bool is_of_mouse(const SDL_Event *event) {
  return event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEWHEEL;
}

static bool is_of_drop(const SDL_Event *event) {
  return event->type >= SDL_DROPFILE && event->type <= SDL_DROPCOMPLETE;
}

static void handle_drop(App *app, const SDL_DropEvent *drop) {
  if (drop->type == SDL_DROPBEGIN)
    drop_begin(app);
  else if (drop->type == SDL_DROPCOMPLETE)
    drop_end(app);
  else if (drop->type == SDL_DROPFILE)
    drop_file(app, drop->file);
  SDL_free(drop->file); // who takes the event frees the name
}

static void handle_events(App *app) {
  SDL_Event event;
  app->idle_frames++;
  while (SDL_PollEvent(&event)) {
    app->idle_frames = 0;
    gui_event(app->gui, &event);
    bool taken =
        (is_of_keyboard(&event) && gui_wants_keyboard(app->gui)) || (is_of_mouse(&event) && gui_wants_mouse(app->gui));
    if (event.type == SDL_QUIT)
      app->quit = true;
    else if (is_of_drop(&event))
      handle_drop(app, &event.drop);
    else if (!taken)
      input_event(app, &event);
  }
}

// ---- Frames ----

bool shell_frame(App *app, double elapsed) {
  Error error = {0};
  handle_events(app);
  if (app->quit)
    return false;
  input_held(app, elapsed);
  app_advance(app, elapsed);
  if (gl_lost(&app->gl) && !app_restore(app, &error)) {
    explained_printf(stderr, "stagger-view: %s", error.text);
    return false;
  }
  if (!app_draw(app, panels_view(app), &error))
    app_message(app, "%s", error.text);
  app_film_frame(app, elapsed);
  gui_begin_frame(app->gui, elapsed);
  panels_draw(app);
  gui_end_frame(app->gui);
  app_take_screenshot(app);
  gl_swap(&app->gl);
  return !app->quit;
}

// ---- The window ----

static void open_gamepad(App *app) {
  if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0)
    return; // a gamepad is optional
  for (int i = 0; i < SDL_NumJoysticks() && !app->gamepad; i++)
    if (SDL_IsGameController(i))
      app->gamepad = SDL_GameControllerOpen(i);
}

App *shell_open(const AppOptions *options, Error *error) {
  App *app = app_create(options, error);
  if (app)
    open_gamepad(app);
  return app;
}

bool shell_close(App *app) {
  if (!app)
    return true;
  if (app->gamepad)
    SDL_GameControllerClose(app->gamepad);
  panels_free(app);
  return app_destroy(app);
}
