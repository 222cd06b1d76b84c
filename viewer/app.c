// The viewer's state and actions: opens window and sources, runs scenes by the clock, and performs the actions of keys,
// mouse and panels. The main loop is in shell.c.
#include "viewer/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/output/explanations.h"
#include "sim/base/wall_clock.h"
#include "viewer/draw/capture.h"

static const double MESSAGE_TIME = 6;    // s
static const double STEP_BUDGET = 0.025; // s of wall-clock time
static const double SMOOTHING = 0.1;     // of displayed figures: share of the newest value
static const int IDLE_FRAMES = 30;       // number of frames without an event after which nothing changes any more
static const long STEPS_AT_ONCE = 8;     // between two readings of the clock

void app_message(App *app, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(app->message, sizeof app->message, format, arguments);
  va_end(arguments);
  app->message_left = MESSAGE_TIME;
}

Live *app_live(const App *app) { return app->source_count == 1 ? app->sources[0]->live : NULL; }

// ---- OpenGL ----

static bool open_drawing(App *app, Error *error) {
  if (!drawer_open(&app->drawer, error) || !overlay_open(&app->overlay, error))
    return false;
  drawer_set_quality(&app->drawer, draw_quality_window());
  app->gui = gui_open(app->gl.window, app->gl.context, gl_window_density(&app->gl));
  return app->gui || error_set(error, "the panels cannot be drawn: no memory or no OpenGL");
}

static void close_drawing(App *app) {
  if (app->gui)
    gui_close(app->gui);
  app->gui = NULL;
  gl_target_free(&app->target);
  overlay_close(&app->overlay);
  drawer_close(&app->drawer);
}

bool app_restore(App *app, Error *error) {
  close_drawing(app);
  return gl_reopen(&app->gl, error) && open_drawing(app, error);
}

// ---- Sources ----

// Sets the range of the clock: that of all sources together, or the stored frames of a run.
static void update_range(App *app) {
  double first = 0, last = 0;
  Live *live = app_live(app);
  if (live) {
    first = frames_time(live->frames, frames_first(live->frames));
    last = frames_time(live->frames, frames_end(live->frames) - 1);
  }
  for (int i = 0; !live && i < app->source_count; i++)
    last = fmax(last, source_end(app->sources[i]));
  playback_set_range(&app->playback, first, last);
}

void app_refresh(App *app) {
  Error error = {0};
  for (int i = 0; i < app->source_count; i++)
    if (!source_refresh(app->sources[i], &error))
      app_message(app, "%s", error.text);
  update_range(app);
}

// Writes unsaved changes to a new file in the working folder or in the folder for temporary files.
static bool rescue_edits(const Live *live) {
  const char *folders[] = {".", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp"};
  Error error = {0};
  for (int f = 0; f < 2; f++) {
    for (int i = 1; i < 1000; i++) {
      char path[512];
      snprintf(path, sizeof path, "%s/%s.unsaved-%d.yaml", folders[f], live->def->name, i);
      if (access(path, F_OK) == 0)
        continue;
      if (!edits_save(live->edits, path, &error))
        break;
      explained_printf(stderr, "stagger-view: changes that were not saved are kept in %s", path);
      return true;
    }
  }
  explained_printf(stderr, "stagger-view: changes are lost: %s", error.text);
  return false;
}

static bool close_source(Source *source) {
  Error error = {0};
  bool ok = !source->live || !edits_unsaved(source->live->edits) || rescue_edits(source->live);
  if (source_close(source, &error))
    return ok;
  explained_printf(stderr, "stagger-view: %s", error.text);
  return false;
}

static bool close_sources(App *app) {
  bool ok = true;
  for (int i = 0; i < app->source_count; i++)
    ok = close_source(app->sources[i]) && ok;
  app->source_count = 0;
  return ok;
}

// Sets up camera and clock for new sources.
static void begin(App *app) {
  const Source *source = app->sources[0];
  app->playback = playback_begin(source->live != NULL, source->def->world.dt);
  app->subject = 0;
  app->dragging = app->orbiting = app->panning = false;
  snprintf(app->save_path, sizeof app->save_path, "%s_edited.yaml", source->def->name);
  drawer_forget(&app->drawer);
  app_refresh(app);
  if (!source->live)
    playback_loop(&app->playback, app->playback.first, app->playback.last);
  SourceLook look = {.coloring = app->coloring};
  Error error = {0};
  picture_clear(app->picture);
  if (source_picture(app->sources[0], 0, &look, app->picture, &error))
    app->camera = camera_rig(CAMERA_SIDE, &app->picture->subject);
  else
    app_message(app, "%s", error.text);
}

bool app_open(App *app, const char *path, const char *const *assignments, int count, Error *error) {
  Source *source = source_open(path, assignments, count, error);
  if (!source)
    return false;
  close_sources(app);
  app->sources[0] = source;
  app->source_count = 1;
  begin(app);
  return true;
}

bool app_open_also(App *app, const char *path, Error *error) {
  if (app->source_count == 0)
    return app_open(app, path, NULL, 0, error);
  if (app->source_count == APP_MAX_SOURCES)
    return error_set(error, "%s: at most %d traces at once", path, APP_MAX_SOURCES);
  if (app_live(app) || !trace_is_hdf5(path))
    return error_set(error, "%s: only traces can be shown together; a scene or a motion file is shown alone", path);
  Source *source = source_open(path, NULL, 0, error);
  if (!source)
    return false;
  app->sources[app->source_count++] = source;
  app_refresh(app);
  return true;
}

bool app_load(App *app, const char *path) {
  Error error = {0};
  bool ok = app_open(app, path, NULL, 0, &error);
  if (!ok)
    app_message(app, "%s", error.text);
  return ok;
}

bool app_add(App *app, const char *path) {
  Error error = {0};
  bool ok = app_open_also(app, path, &error);
  if (!ok)
    app_message(app, "%s", error.text);
  return ok;
}

// ---- Commands ----

void app_reset(App *app, int seed) {
  Live *live = app_live(app);
  Error error = {0};
  app->dragging = false;
  if (live && !live_reset(live, seed, &error))
    app_message(app, "%s", error.text);
  if (live) {
    drawer_forget(&app->drawer);
    app->playback.step = live->scene->world->def.dt;
  }
  app_refresh(app);
  playback_seek(&app->playback, 0);
  app->playback.debt = 0;
  if (live && seed >= 0)
    app_message(app, "seed %d", live->def->run.seed);
}

// Reports characters that have fallen since the last call.
static void tell_falls(App *app, const Live *live) {
  for (int i = 0; i < live->scene->character_count; i++) {
    const Character *character = live->scene->characters[i];
    if (character->down && !app->was_down[i])
      app_message(app, "%s is down at %.2f s", character->def->name, live->scene->world->time);
    app->was_down[i] = character->down;
  }
}

// Shows the present of a run again, with a message when it cannot continue.
static void show_present(App *app, const Live *live) {
  app_refresh(app);
  playback_seek(&app->playback, app->playback.last);
  tell_falls(app, live);
  if (live->stopped && app->playback.playing) {
    app->playback.playing = false;
    app_message(app, "stopped: %s", live->stop_reason);
  }
}

void app_step(App *app, int direction) {
  if (app->source_count == 0)
    return;
  Playback *playback = &app->playback;
  Live *live = app_live(app);
  Frames *frames = app->sources[0]->frames;
  playback->playing = false;
  int frame = frames_near(frames, playback->time) + direction, last = frames_end(frames) - 1;
  if (live && frame > last) {
    live_advance(live, frame - last);
    show_present(app, live);
  } else {
    frame = frame < frames_first(frames) ? frames_first(frames) : frame > last ? last : frame;
    playback_seek(playback, frames_time(frames, frame));
  }
}

void app_follow(App *app, int subject) {
  int count = app->source_count > 0 ? app->sources[0]->def->character_count : 0;
  if (count > 0)
    app->subject = ((subject % count) + count) % count;
}

bool app_camera(App *app, const char *name) {
  const SceneDef *def = app->source_count > 0 ? app->sources[0]->def : NULL;
  return camera_rig_from_name(&app->camera, name, def, &app->picture->subject);
}

void app_save(App *app, const char *path) {
  Live *live = app_live(app);
  Error error = {0};
  if (!live)
    app_message(app, "only a scene that runs can be saved");
  else if (edits_save(live->edits, path, &error)) {
    char *full = realpath(path, NULL); // so that the message has the folder
    app_message(app, "saved %s", full ? full : path);
    free(full);
  } else
    app_message(app, "%s", error.text);
}

void app_record(App *app, const char *path) {
  Live *live = app_live(app);
  Error error = {0};
  if (!live)
    return;
  if (!live_record(live, path, &error))
    app_message(app, "%s", error.text);
  else if (path)
    app_message(app, "recording %s from the beginning", path);
  app->playback.step = live->scene->world->def.dt;
  app_refresh(app);
  playback_seek(&app->playback, 0);
}

const char *app_free_name(const char *ending, char path[64]) {
  for (int i = 1; i < 100000; i++) {
    snprintf(path, 64, "stagger-%d.%s", i, ending);
    if (access(path, F_OK) != 0)
      break;
  }
  return path;
}

void app_screenshot(App *app, const char *path) {
  char own[64];
  snprintf(app->screenshot, sizeof app->screenshot, "%s", path ? path : app_free_name("png", own));
}

// Called when the window's image is complete and before it is shown, after which its pixels are undefined.
void app_take_screenshot(App *app) {
  int width, height;
  gl_window_size(&app->gl, &width, &height);
  Error error = {0};
  if (app->screenshot[0] == '\0')
    return;
  if (capture_window(width, height, app->screenshot, &error))
    app_message(app, "picture %s", app->screenshot);
  else
    app_message(app, "%s", error.text);
  app->screenshot[0] = '\0';
}

// ---- Frames ----

// Makes the steps that are due, within the frame's budget of time.
static void run_steps(App *app, Live *live, long due) {
  double started = wall_seconds();
  long done = 0;
  while (done < due && !live->stopped && (done == 0 || wall_seconds() - started < app->step_budget))
    done += live_advance(live, due - done < STEPS_AT_ONCE ? due - done : STEPS_AT_ONCE);
  app->realtime_share += SMOOTHING * ((double)done / (double)due - app->realtime_share);
  show_present(app, live);
}

void app_advance(App *app, double elapsed) {
  Live *live = app_live(app);
  long due = playback_advance(&app->playback, elapsed);
  if (live && due > 0)
    run_steps(app, live, due);
  app->message_left = fmax(0, app->message_left - elapsed);
  if (elapsed > 0)
    app->frame_time += SMOOTHING * (elapsed - app->frame_time);
}

bool app_is_idle(const App *app) {
  return !app->playback.playing && app->idle_frames > IDLE_FRAMES && app->message_left <= 0 && !app->dragging &&
         !app->film;
}

// ---- The window ----

static bool open_inputs(App *app, const AppOptions *options, Error *error) {
  if (options->skin && !(app->skin = skin_create(options->skin, error)))
    return false;
  if (options->input_count == 0)
    return true; // the panels offer the list of scenes
  if (!app_open(app, options->inputs[0], options->overrides, options->override_count, error))
    return false;
  for (int i = 1; i < options->input_count; i++)
    if (!app_open_also(app, options->inputs[i], error))
      return false;
  const Source *source = app->sources[0];
  if (options->follow && !source_find_character(source, options->follow, &app->subject, error))
    return false;
  if (options->camera && !source_find_camera(source, options->camera, &app->picture->subject, &app->camera, error))
    return false;
  if (options->trace && !app_live(app))
    return error_set(error, "--trace: only a scene can be recorded");
  if (options->trace && !live_record(app_live(app), options->trace, error))
    return false;
  if (app->skin && !skin_check(app->skin, source->def, error))
    return false;
  app_refresh(app);
  app->playback.playing = !options->paused;
  return true;
}

App *app_create(const AppOptions *options, Error *error) {
  App *app = calloc(1, sizeof *app);
  if (app)
    app->picture = calloc(1, sizeof *app->picture);
  if (!app || !app->picture) {
    free(app);
    error_set(error, "out of memory");
    return NULL;
  }
  app->layers = options->layers ? options->layers : (unsigned)DEFAULT_LAYERS;
  app->coloring = options->coloring;
  app->layout = options->layout;
  app->scale = options->scale > 0 ? (float)options->scale : 1;
  app->show_panels = app->show_metrics = true;
  app->step_budget = STEP_BUDGET;
  app->frame_time = 1.0 / 60;
  app->realtime_share = 1;
  app->picture->subject = (Subject){.height = 1, .width = 1};
  plots_init(&app->plots);
  app->camera = camera_rig(CAMERA_SIDE, &app->picture->subject);
  if (gl_open_window(&app->gl, APP_TITLE, options->width, options->height, error) && open_drawing(app, error) &&
      open_inputs(app, options, error))
    return app;
  app_destroy(app);
  return NULL;
}

bool app_destroy(App *app) {
  if (!app)
    return true;
  bool ok = app_film_end(app);
  ok = close_sources(app) && ok;
  if (app->gl.context)
    close_drawing(app);
  gl_close(&app->gl);
  skin_destroy(app->skin);
  free(app->picture);
  free(app);
  return ok;
}
