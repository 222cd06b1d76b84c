// Films of the window: the picture as it is seen, without panels and messages, in the user's time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/output/explanations.h"
#include "viewer/app.h"
#include "viewer/draw/capture.h"
#include "viewer/draw/film.h"

enum { FILM_FPS = 30 };

static const double LONGEST = 0.1; // s: a stall makes no still picture in the film, as it makes no jump of the clock

struct AppFilm {
  Film *film;
  char path[64];
  int width, height; // pixels, even
  double due;        // s of the film that have not been written
  long frames;
  uint8_t *pixels; // RGB
};

// Films need even sides.
static void film_size(const App *app, int *width, int *height) {
  gl_window_size(&app->gl, width, height);
  *width -= *width % 2;
  *height -= *height % 2;
}

static void film_free(App *app) {
  free(app->film->pixels);
  free(app->film);
  app->film = NULL;
  SDL_SetWindowTitle(app->gl.window, APP_TITLE);
}

static void begin_film(App *app) {
  AppFilm *film = app->film = calloc(1, sizeof *film);
  Error error = {0};
  if (!film) {
    app_message(app, "a film needs more memory");
    return;
  }
  app_free_name("mp4", film->path);
  film_size(app, &film->width, &film->height);
  film->pixels = malloc(3 * (size_t)film->width * (size_t)film->height);
  if (film->pixels)
    film->film = film_open(film->path, film->width, film->height, FILM_FPS, &error);
  else
    error_set(&error, "%s: out of memory", film->path);
  if (!film->film) {
    film_free(app);
    app_message(app, "%s", error.text);
    return;
  }
  char title[128];
  snprintf(title, sizeof title, "%s: filming %s", APP_TITLE, film->path);
  SDL_SetWindowTitle(app->gl.window, title);
  app_message(app, "filming %s; F9 ends it", film->path);
}

bool app_film_end(App *app) {
  AppFilm *film = app->film;
  if (!film)
    return true;
  Error error = {0};
  bool good = film_close(film->film, &error);
  if (good) {
    app_message(app, "film %s, %.1f s", film->path, (double)film->frames / FILM_FPS);
  } else { // also for the terminal, as the window may be closing
    app_message(app, "%s", error.text);
    explained_printf(stderr, "stagger-view: %s", error.text);
  }
  film_free(app);
  return good;
}

void app_film(App *app) {
  if (app->film)
    app_film_end(app);
  else
    begin_film(app);
}

// Writes the picture as often as its time in the film is long.
static bool write_frames(AppFilm *film, Error *error) {
  if (film->due * FILM_FPS < 1)
    return true;
  capture_read_window(film->width, film->height, film->pixels);
  for (; film->due * FILM_FPS >= 1; film->due -= 1.0 / FILM_FPS, film->frames++)
    if (!film_add(film->film, film->pixels, error))
      return false;
  return true;
}

void app_film_frame(App *app, double elapsed) {
  AppFilm *film = app->film;
  if (!film)
    return;
  int width, height;
  film_size(app, &width, &height);
  if (width != film->width || height != film->height) {
    if (app_film_end(app))
      app_message(app, "the window has another size: the film has ended");
    return;
  }
  film->due += fmin(elapsed, LONGEST);
  Error error = {0};
  if (write_frames(film, &error))
    return;
  film_abort(film->film);
  film_free(app);
  app_message(app, "%s", error.text);
}
