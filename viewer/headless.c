// Draws images, sequences, sheets and films at exact times, without a window.
#include "viewer/headless.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/explanations.h"
#include "scenes/output/output_file.h"
#include "scenes/output/progress.h"
#include "viewer/draw/capture.h"
#include "viewer/draw/film.h"

static const double SLIVER = 1e-6;    // s; times are written with few digits
static const double RUN_PIECE = 0.25; // s; interval at which a running scene checks for Ctrl-C

enum { NAME_SIZE = 4096 };

// One of the shown runs.
typedef struct View {
  Source *source;
  int subject;
  CameraRig rig;
} View;

typedef struct Headless {
  const Options *options;
  View views[APP_MAX_SOURCES];
  int view_count;
  double end; // s, of the longest run
  GlContext gl;
  Capture capture;
  Picture *picture;
  Skin *skin;       // NULL: none
  bool rigs_placed; // set by the first image
  bool interrupted;
} Headless;

long headless_frame_count(double from, double to, int fps, double pace) {
  return (long)fmin(floor((to - from) * fps / pace + SLIVER), 1e15) + 1;
}

// ---- Runs ----

// Sets up the rig for a subject. Whether the camera exists does not depend on the subject.
static bool find_camera(const Options *options, View *view, const Subject *subject, Error *error) {
  const SceneDef *def = view->source->def;
  const char *own = def->camera_count > 0 ? def->cameras[0].name : camera_style(CAMERA_SIDE).name;
  const char *name = options->camera ? options->camera : own;
  return source_find_camera(view->source, name, subject, &view->rig, error);
}

static bool open_view(Headless *headless, const char *path, Error *error) {
  const Options *options = headless->options;
  const Subject anywhere = {.height = 1, .width = 1};
  View *view = &headless->views[headless->view_count];
  view->source = source_open(path, options->overrides, options->override_count, error);
  if (!view->source)
    return false;
  headless->view_count++;
  headless->end = fmax(headless->end, source_end(view->source));
  if ((options->follow && !source_find_character(view->source, options->follow, &view->subject, error)) ||
      !find_camera(options, view, &anywhere, error))
    return false;
  view->subject = camera_rig_subject(&view->rig, view->source->def, view->subject);
  return true;
}

static bool check_time(const Headless *headless, double time, Error *error) {
  return time <= headless->end + SLIVER ||
         error_set(error, "there is no picture at %g s, the run goes from 0 to %g s", time, headless->end);
}

// Brings a run to a time; a shorter one stays at its end. It goes in pieces of a whole number of the scene's frames, so
// that a Ctrl-C is noticed and no additional frame is made.
static bool run_to(Headless *headless, Source *source, double time, Error *error) {
  time = fmin(time, source_end(source));
  const Live *live = source->live;
  double frame = live ? live->def->steps_per_frame * live->def->world.dt : 0;
  double piece = live ? frame * fmax(1, round(RUN_PIECE / frame)) : 0;
  for (;;) {
    headless->interrupted = headless->interrupted || interrupt_requested();
    if (headless->interrupted)
      return false;
    double next = live ? piece * (floor(live->scene->world->time / piece + SLIVER) + 1) : time;
    if (next >= time)
      return source_run_to(source, time, error);
    if (!source_run_to(source, next, error))
      return false;
  }
}

// ---- Images ----

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Draws the name of a run above its subject, in the colour of the run.
static void label_run(Picture *picture, const Source *source, int index) {
  static const uint32_t INK = 0x202830ff;
  const Subject *subject = &picture->subject;
  vec4s tint = picture_source_tint(index);
  uint32_t color = 0xff;
  for (int i = 0; i < 3; i++)
    color |= (uint32_t)lroundf(255 * tint.raw[i]) << (24 - 8 * i);
  const double at[3] = {(double)subject->center_w.x, (double)(subject->center_w.y + 0.6f * subject->height),
                        (double)subject->center_w.z};
  debug_group(&picture->debug, DEBUG_HITS);
  debug_label(&picture->debug, at, tint.w > 0 ? color : INK, "%.30s", file_name(source->path));
}

// What an image has only once; if several runs are overlaid it is taken from the first.
typedef struct Caption {
  const Terrain *terrain;
  Subject subject;
  double time;
  float speed;
  char scene[PICTURE_TEXT_SIZE], who[PICTURE_TEXT_SIZE], lead[PICTURE_TEXT_SIZE], event[PICTURE_TEXT_SIZE];
} Caption;

static Caption keep_caption(const Picture *picture) {
  Caption caption = {picture->terrain, picture->subject, picture->time, picture->speed, "", "", "", ""};
  memcpy(caption.scene, picture->scene, sizeof caption.scene);
  memcpy(caption.who, picture->who, sizeof caption.who);
  memcpy(caption.lead, picture->lead, sizeof caption.lead);
  memcpy(caption.event, picture->event, sizeof caption.event);
  return caption;
}

static void restore_caption(Picture *picture, const Caption *caption) {
  picture->terrain = caption->terrain;
  picture->subject = caption->subject;
  picture->time = caption->time;
  picture->speed = caption->speed;
  memcpy(picture->scene, caption->scene, sizeof picture->scene);
  memcpy(picture->who, caption->who, sizeof picture->who);
  memcpy(picture->lead, caption->lead, sizeof picture->lead);
  memcpy(picture->event, caption->event, sizeof picture->event);
}

static bool compose_picture(Headless *headless, int first, int count, double time, Error *error) {
  Picture *picture = headless->picture;
  Caption caption = {0};
  picture_clear(picture);
  for (int i = 0; i < count; i++) {
    const View *view = &headless->views[first + i];
    SourceLook look = {.subject = view->subject, .coloring = headless->options->coloring, .skin = headless->skin};
    if (count > 1)
      look.tint = picture_source_tint(i);
    if (!run_to(headless, view->source, time, error) ||
        !source_picture(view->source, fmin(time, source_end(view->source)), &look, picture, error))
      return false;
    if (count > 1)
      label_run(picture, view->source, i);
    if (i == 0)
      caption = keep_caption(picture);
  }
  restore_caption(picture, &caption);
  return true;
}

// Draws a panel with one run, or several overlaid. All images have the same viewing direction, however the bodies turn.
static bool draw_panel(Headless *headless, int panel, int first, int count, double time, Error *error) {
  if (!compose_picture(headless, first, count, time, error))
    return false;
  Picture *picture = headless->picture;
  if (!headless->rigs_placed)
    for (int i = 0; i < headless->view_count; i++)
      if (!find_camera(headless->options, &headless->views[i], &picture->subject, error))
        return false;
  headless->rigs_placed = true;
  if (count == 1 && headless->view_count > 1)
    snprintf(picture->who, sizeof picture->who, "%s", file_name(headless->views[first].source->path));
  const View *view = &headless->views[first];
  Camera camera =
      camera_rig_camera(&view->rig, view->source->def, &picture->subject, capture_panel_aspect(&headless->capture));
  unsigned layers = headless->options->layers | source_layers(view->source);
  return capture_panel(&headless->capture, panel, picture, &camera, layers, error);
}

static bool is_side_by_side(const Headless *headless) {
  return headless->view_count > 1 && headless->options->layout == LAYOUT_SIDE_BY_SIDE;
}

// Draws all runs at one time.
static bool draw_frame(Headless *headless, double time, Error *error) {
  if (!is_side_by_side(headless))
    return draw_panel(headless, 0, 0, headless->view_count, time, error);
  for (int i = 0; i < headless->view_count; i++)
    if (!draw_panel(headless, i, i, 1, time, error))
      return false;
  return true;
}

// ---- Tasks ----

// Films need even sides, since colours are stored for pairs of pixels.
static bool open_capture(Headless *headless, int columns, int rows, Error *error) {
  const Options *options = headless->options;
  int width = options->width, height = options->height;
  FilmKind kind;
  bool even = options->task == TASK_FILM && film_kind_from_path(options->film, &kind) && kind != FILM_GIF;
  if (even && (width % 2 || height % 2)) {
    width -= width % 2;
    height -= height % 2;
    fprintf(stderr, "%s: its sides must be even, so it is %dx%d\n", options->film, width, height);
  }
  if (!gl_open(&headless->gl, true, error) || !capture_open(&headless->capture, width, height, columns, rows, error))
    return false;
  // In an image the light comes from over the viewer's shoulder; in a film it does not turn with the camera.
  headless->capture.drawer.quality.sun_stands_still = options->task != TASK_PICTURE;
  return true;
}

// Draws several moments into one image; of several runs side by side each has its own row, or column for a single
// moment.
static bool make_picture(Headless *headless, Error *error) {
  const Options *options = headless->options;
  bool side = is_side_by_side(headless);
  int count = options->moment_count > 0 ? options->moment_count : options->columns * options->rows;
  int columns = options->moment_count > 0 ? count : options->columns, rows = options->rows;
  double moments[OPTIONS_MAX_MOMENTS], to = options->to < 0 ? headless->end : options->to;
  for (int i = 0; i < count; i++) {
    double share = count > 1 ? (double)i / (count - 1) : 0;
    moments[i] = options->moment_count > 0 ? options->moments[i] : options->from + share * (to - options->from);
    if (!check_time(headless, moments[i], error))
      return false;
  }
  if (side) {
    columns = count > 1 ? count : headless->view_count;
    rows = count > 1 ? headless->view_count : 1;
  }
  if (!open_capture(headless, columns, rows, error))
    return false;
  Progress progress = progress_begin(true);
  bool good = true;
  for (int i = 0; i < count && good; i++) {
    if (count == 1)
      good = draw_frame(headless, moments[0], error);
    else if (!side)
      good = draw_panel(headless, i, 0, headless->view_count, moments[i], error);
    for (int v = 0; v < headless->view_count && good && side && count > 1; v++)
      good = draw_panel(headless, v * columns + i, v, 1, moments[i], error);
    progress_update(&progress, (double)(i + 1) / count);
  }
  progress_end(&progress);
  return good && capture_write(&headless->capture, options->png, error);
}

// Checks the files of a sequence before anything is computed.
static bool check_sequence(const Options *options, long count, Error *error) {
  char name[NAME_SIZE];
  for (long i = 0; i < count; i++) {
    if (!options_picture_name(options->png, (int)i, name, sizeof name))
      return error_set(error, "%s: the name is too long", options->png);
    if (!output_check(name, OUTPUT_PNG, error))
      return false;
  }
  return true;
}

static bool write_frame(Headless *headless, Film *film, long number, Error *error) {
  char name[NAME_SIZE];
  if (film)
    return film_add(film, headless->capture.pixels, error);
  options_picture_name(headless->options->png, (int)number, name, sizeof name);
  return capture_write(&headless->capture, name, error);
}

// Makes frames as a film or as numbered files.
static bool make_frames(Headless *headless, Error *error) {
  const Options *options = headless->options;
  double from = options->from, to = options->to < 0 ? headless->end : options->to;
  if (!check_time(headless, from, error) || !check_time(headless, to, error))
    return false;
  to = fmin(to, headless->end);
  long count = headless_frame_count(fmin(from, to), to, options->fps, options->pace);
  if (count > OPTIONS_MAX_PICTURES)
    return error_set(error, "that makes %ld pictures, at most %d are allowed", count, OPTIONS_MAX_PICTURES);
  bool is_film = options->task == TASK_FILM;
  if (!is_film && !check_sequence(options, count, error))
    return false;
  if (!open_capture(headless, is_side_by_side(headless) ? headless->view_count : 1, 1, error))
    return false;
  Film *film =
      is_film ? film_open(options->film, headless->capture.width, headless->capture.height, options->fps, error) : NULL;
  bool good = film || !is_film;
  Progress progress = progress_begin(true);
  for (long i = 0; i < count && good; i++) {
    double time = fmin(from + (double)i * options->pace / options->fps, to);
    good = draw_frame(headless, time, error) && write_frame(headless, film, i, error);
    progress_update(&progress, (double)(i + 1) / (double)count);
  }
  progress_end(&progress);
  if (good)
    return !film || film_close(film, error);
  film_abort(film);
  return false;
}

// Checks the output files before any input is read.
static bool check_output(const Options *options, Error *error) {
  if (options->task == TASK_FILM)
    return film_check(options->film, error);
  return options->task == TASK_SEQUENCE ? check_sequence(options, 1, error)
                                        : output_check(options->png, OUTPUT_PNG, error);
}

static bool do_task(Headless *headless, Error *error) {
  const Options *options = headless->options;
  if (!check_output(options, error))
    return false;
  headless->picture = malloc(sizeof *headless->picture);
  if (!headless->picture)
    return error_set(error, "out of memory");
  for (int i = 0; i < options->input_count; i++)
    if (!open_view(headless, options->inputs[i], error))
      return false;
  const Source *first = headless->views[0].source;
  if (options->skin && first &&
      (!(headless->skin = skin_create(options->skin, error)) || !skin_check(headless->skin, first->def, error)))
    return false;
  interrupt_catch();
  return options->task == TASK_PICTURE ? make_picture(headless, error) : make_frames(headless, error);
}

int headless_run(const Options *options) {
  Error error = {0};
  Headless headless = {.options = options};
  bool done = do_task(&headless, &error), stopped = false;
  capture_close(&headless.capture);
  gl_close(&headless.gl);
  for (int i = 0; i < headless.view_count; i++) {
    const Live *live = headless.views[i].source->live;
    stopped = stopped || (live && live->stopped);
    source_close(headless.views[i].source, NULL);
  }
  skin_destroy(headless.skin);
  free(headless.picture);
  if (done)
    return HEADLESS_DONE;
  explained_print(stderr, headless.interrupted ? "interrupted" : error.text);
  return headless.interrupted         ? HEADLESS_INTERRUPTED
         : stopped || error.unwritten ? HEADLESS_STOPPED
                                      : HEADLESS_BAD_INPUT;
}
