// Reads and checks the command line of stagger-view.
#include "viewer/options.h"

#include <errno.h>
#include <getopt.h> // optarg, optind, opterr
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "viewer/draw/capture.h"
#include "viewer/draw/film.h"
#include "viewer/options_internal.h"

static const double SLOWEST_PACE = 0.001, FASTEST_PACE = 1000;

enum { MOST_FPS = 1000, DEFAULT_FPS = 60, DEFAULT_GIF_FPS = 25, DEFAULT_WIDTH = 1280, DEFAULT_HEIGHT = 720 };

// ---- Values: each reader returns false with an error that begins with the option ----

// Reads a time in s at the beginning of the text; *end is what follows it.
static bool read_time(const char *option, const char *text, double *time, char **end, Error *error) {
  errno = 0;
  *time = strtod(text, end);
  if (*end == text || errno != 0 || !isfinite(*time) || *time < 0)
    return error_set(error, "%s: '%s' is not a time in s of 0 or more", option, text);
  return true;
}

static bool read_one_time(const char *option, const char *text, double *time, Error *error) {
  char *end;
  return read_time(option, text, time, &end, error) &&
         (*end == '\0' || error_set(error, "%s: '%s' is not a time in s", option, text));
}

static bool read_moments(Options *options, const char *text, Error *error) {
  options->moment_count = 0;
  for (;;) {
    char *end;
    if (options->moment_count == OPTIONS_MAX_MOMENTS)
      return error_set(error, "--moments: at most %d", OPTIONS_MAX_MOMENTS);
    if (!read_time("--moments", text, &options->moments[options->moment_count++], &end, error))
      return false;
    if (*end == '\0')
      return true;
    if (*end != ',')
      return error_set(error, "--moments: times in s, separated by commas, not '%s'", text);
    text = end + 1;
  }
}

// Reads two integers, such as 1280x720.
static bool read_pair(const char *option, const char *text, int most, int *a, int *b, Error *error) {
  char rest;
  int first, second;
  if (strlen(text) > 11 || sscanf(text, "%5dx%5d%c", &first, &second, &rest) != 2 || first < 1 || second < 1 ||
      first > most || second > most)
    return error_set(error, "%s: '%s' is not two numbers of 1 to %d like 4x3", option, text, most);
  *a = first;
  *b = second;
  return true;
}

static bool read_fps(const char *text, int *fps, Error *error) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < 1 || value > MOST_FPS)
    return error_set(error, "--fps: '%s' is not a whole number of 1 to %d", text, MOST_FPS);
  *fps = (int)value;
  return true;
}

static bool read_factor(const char *option, const char *text, double least, double most, double *factor, Error *error) {
  char *end;
  errno = 0;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || errno != 0 || !(value >= least && value <= most))
    return error_set(error, "--%s: '%s' is not a number of %g to %g", option, text, least, most);
  *factor = value;
  return true;
}

static bool layer_error(const char *option, const char *name, size_t length, Error *error) {
  char all[512] = "debug";
  for (int i = 0; i < LAYER_COUNT; i++) {
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, ", %s", picture_layer_name((PictureLayer)i));
  }
  return error_set(error, "%s: '%.*s' is no layer, allowed are %s", option, (int)length, name, all);
}

// Reads layers by name, separated by commas.
static bool read_layers(const char *option, const char *text, unsigned *layers, Error *error) {
  *layers = 0;
  for (;;) {
    size_t length = strcspn(text, ",");
    unsigned some = picture_layers_from_name(text, length);
    if (some == 0)
      return layer_error(option, text, length, error);
    *layers |= some;
    if (text[length] == '\0')
      return true;
    text += length + 1;
  }
}

static bool read_layout(const char *text, AppLayout *layout, Error *error) {
  bool overlay = strcmp(text, "overlay") == 0;
  *layout = overlay ? LAYOUT_OVERLAY : LAYOUT_SIDE_BY_SIDE;
  return overlay || strcmp(text, "side") == 0 || error_set(error, "--layout: '%s' is none of side, overlay", text);
}

static bool read_override(Options *options, const char *text, Error *error) {
  if (options->override_count == OPTIONS_MAX_OVERRIDES)
    return error_set(error, "--set: more than %d overrides", OPTIONS_MAX_OVERRIDES);
  options->overrides[options->override_count++] = text;
  return true;
}

// ---- Options ----

static bool read_option(Options *options, OptionId option, const char *value, Error *error) {
  unsigned layers;
  switch (option) {
  case OPTION_OFFSCREEN:
    return options->offscreen = true;
  case OPTION_PNG:
    options->png = value;
    return true;
  case OPTION_FILM:
    options->film = value;
    return true;
  case OPTION_SIZE:
    return read_pair("--size", value, CAPTURE_MAX_SIDE, &options->width, &options->height, error);
  case OPTION_FROM:
    return read_one_time("--from", value, &options->from, error);
  case OPTION_TO:
    return read_one_time("--to", value, &options->to, error);
  case OPTION_FPS:
    return read_fps(value, &options->fps, error);
  case OPTION_PACE:
    return read_factor("pace", value, SLOWEST_PACE, FASTEST_PACE, &options->pace, error);
  case OPTION_MOMENTS:
    return read_moments(options, value, error);
  case OPTION_SHEET:
    options->sheet = true;
    return read_pair("--sheet", value, OPTIONS_MAX_MOMENTS, &options->columns, &options->rows, error);
  case OPTION_CAMERA:
    options->camera = value;
    return true;
  case OPTION_FOLLOW:
    options->follow = value;
    return true;
  case OPTION_HIDE:
    if (!read_layers("--hide", value, &layers, error))
      return false;
    options->layers &= ~layers;
    return true;
  case OPTION_SHOW:
    if (!read_layers("--show", value, &layers, error))
      return false;
    options->layers |= layers;
    return true;
  case OPTION_COLOR:
    return picture_coloring_from_name(value, &options->coloring) ||
           error_set(error, "--color: '%s' is none of blend, torque, strength, error, none", value);
  case OPTION_SKIN:
    options->skin = value;
    return true;
  case OPTION_LAYOUT:
    return read_layout(value, &options->layout, error);
  case OPTION_SET:
    return read_override(options, value, error);
  case OPTION_TRACE:
    options->trace = value;
    return true;
  case OPTION_SCALE:
    return read_factor("scale", value, APP_LEAST_SCALE, 1, &options->scale, error);
  case OPTION_PAUSED:
    return options->paused = true;
  case OPTION_COMPLETION:
    options->task = TASK_COMPLETION;
    options->shell = value;
    return strcmp(value, "bash") == 0 || strcmp(value, "zsh") == 0 ||
           error_set(error, "--completion: '%s' is none of bash, zsh", value);
  default:
    options->task = option == OPTION_HELP ? TASK_HELP : option == OPTION_MAN ? TASK_MAN : TASK_VERSION;
    return true;
  }
}

// "png"
static const char *option_name(OptionId option) {
  for (int i = 0; i < options_usage.option_count; i++)
    if (options_usage.options[i].code == FIRST_OPTION + (int)option)
      return options_usage.options[i].name;
  return "";
}

// ---- Checking combinations ----

enum {
  GIVEN_TIMES =
      1 << OPTION_FROM | 1 << OPTION_TO | 1 << OPTION_FPS | 1 << OPTION_PACE | 1 << OPTION_MOMENTS | 1 << OPTION_SHEET,
  OFFSCREEN_ONLY = GIVEN_TIMES | 1 << OPTION_PNG | 1 << OPTION_FILM,
  WINDOW_ONLY = 1 << OPTION_TRACE | 1 << OPTION_PAUSED | 1 << OPTION_SCALE,
  FRAMES_ONLY = 1 << OPTION_FPS | 1 << OPTION_PACE,
  PICTURE_ONLY = 1 << OPTION_MOMENTS | 1 << OPTION_SHEET
};

// The name of the first of these options that was given; NULL: none.
static const char *first_given(unsigned given, unsigned some) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (given & some & 1u << i)
      return option_name((OptionId)i);
  return NULL;
}

static bool refuse(unsigned given, unsigned some, const char *why, Error *error) {
  const char *name = first_given(given, some);
  return !name || error_set(error, "--%s %s", name, why);
}

static bool exclude(unsigned given, OptionId a, OptionId b, Error *error) {
  return !(given & 1u << a && given & 1u << b) ||
         error_set(error, "--%s and --%s exclude each other", option_name(a), option_name(b));
}

// Checks the ending, ignoring case, so that a typing error does not write an image over a scene or a trace.
static bool is_png(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcasecmp(path + length - 4, ".png") == 0;
}

static bool check_film(Options *options, unsigned given, Error *error) {
  FilmKind kind;
  options->task = TASK_FILM;
  if (!film_kind_from_path(options->film, &kind))
    return error_set(error, "--film: '%s' does not end with .mp4, .mkv, .webm or .gif", options->film);
  if (!(given & 1u << OPTION_FPS) && kind == FILM_GIF)
    options->fps = DEFAULT_GIF_FPS;
  if (kind == FILM_GIF && options->fps > FILM_GIF_MAX_FPS)
    return error_set(error, "--fps: a GIF has at most %d frames per second", FILM_GIF_MAX_FPS);
  return refuse(given, PICTURE_ONLY, "and --film exclude each other", error);
}

static bool check_picture(Options *options, unsigned given, Error *error) {
  if (!is_png(options->png))
    return error_set(error, "--png: '%s' does not end with .png", options->png);
  static const char needs_frames[] = "needs --film FILE, or --png with a number such as frame_%04d.png";
  if (options_picture_name(options->png, 0, NULL, 0)) {
    options->task = TASK_SEQUENCE;
    return refuse(given, PICTURE_ONLY, "makes one picture: --png needs a name without a number", error);
  }
  options->task = TASK_PICTURE;
  if (strchr(options->png, '%'))
    return error_set(error, "--png: '%s' needs one %%d or %%04d for the number, and %%%% for a percent sign",
                     options->png);
  if (!refuse(given, FRAMES_ONLY, needs_frames, error) || !exclude(given, OPTION_MOMENTS, OPTION_SHEET, error) ||
      !exclude(given, OPTION_MOMENTS, OPTION_FROM, error) || !exclude(given, OPTION_MOMENTS, OPTION_TO, error))
    return false;
  if (!options->sheet && !refuse(given, 1u << OPTION_TO, "needs --sheet, --film, or a numbered --png", error))
    return false;
  bool rows = options->layout == LAYOUT_SIDE_BY_SIDE && options->input_count > 1;
  if (options->sheet && rows)
    return error_set(error, "--sheet shows one run, or several with --layout overlay");
  if (options->columns * options->rows > OPTIONS_MAX_MOMENTS ||
      (rows && options->moment_count * options->input_count > OPTIONS_MAX_MOMENTS))
    return error_set(error, "--%s: at most %d pictures", options->sheet ? "sheet" : "moments", OPTIONS_MAX_MOMENTS);
  return true;
}

static bool check_options(Options *options, unsigned given, Error *error) {
  if (!options->offscreen)
    return refuse(given, OFFSCREEN_ONLY, "needs --offscreen", error) &&
           (!options->trace || options->input_count == 1 ||
            error_set(error, "--trace records one scene, there are %d", options->input_count));
  if (!refuse(given, WINDOW_ONLY, "belongs to the window, not to --offscreen", error))
    return false;
  if (options->input_count == 0)
    return error_set(error, "a trace or a scene is missing");
  if (!options->png && !options->film)
    return error_set(error, "--offscreen needs --png FILE or --film FILE");
  if (options->to >= 0 && options->to < options->from)
    return error_set(error, "--to: %g s is before --from, %g s", options->to, options->from);
  return exclude(given, OPTION_PNG, OPTION_FILM, error) &&
         (options->film ? check_film(options, given, error) : check_picture(options, given, error));
}

bool options_read(Options *options, int argc, char **argv, Error *error) {
  *options = (Options){.width = DEFAULT_WIDTH,
                       .height = DEFAULT_HEIGHT,
                       .layers = DEFAULT_LAYERS,
                       .to = -1,
                       .fps = DEFAULT_FPS,
                       .pace = 1,
                       .scale = 1,
                       .columns = 1,
                       .rows = 1};
  unsigned given = 0;
  optind = 0; // restarts getopt, including its order of words
  for (int result; (result = usage_next(&options_usage, argc, argv)) != -1;) {
    if (result < FIRST_OPTION)
      return usage_bad_option(&options_usage, result, argv, error);
    OptionId option = (OptionId)(result - FIRST_OPTION);
    given |= 1u << option;
    if (!read_option(options, option, optarg, error))
      return false;
    if (options->task >= TASK_HELP)
      return true;
  }
  if (argc - optind > APP_MAX_SOURCES)
    return error_set(error, "at most %d traces at a time", APP_MAX_SOURCES);
  while (optind < argc)
    options->inputs[options->input_count++] = argv[optind++];
  return check_options(options, given, error);
}

bool options_picture_name(const char *pattern, int number, char *text, size_t size) {
  size_t used = 0;
  int numbers = 0;
  for (const char *c = pattern; *c != '\0'; c++) {
    char piece[32] = {*c, '\0'};
    if (*c == '%' && c[1] == '%') {
      c++;
    } else if (*c == '%') {
      int digits = 0;
      if (c[1] == '0' && c[2] >= '1' && c[2] <= '9')
        digits = c[2] - '0', c += 2;
      if (*++c != 'd')
        return false;
      numbers++;
      snprintf(piece, sizeof piece, "%0*d", digits, number);
    }
    size_t length = strlen(piece);
    if (text && used + length >= size)
      return false;
    if (text)
      memcpy(text + used, piece, length + 1);
    used += length;
  }
  return numbers == 1;
}
