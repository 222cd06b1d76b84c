// stagger-view: pictures of traces and scenes.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output_file.h"
#include "viewer/capture.h"
#include "viewer/source.h"

#ifndef STAGGER_VERSION
#define STAGGER_VERSION "0.1.0"
#endif

static const char HELP[] =
    "usage: stagger-view TRACE.h5|SCENE.yaml --offscreen --png FILE [options]\n\n"
    "Draws moments of a recorded run, or of a scene that is run up to there, into a PNG file.\n\n"
    "  --offscreen          draws without a display\n"
    "  --png FILE           where the picture goes; only an older PNG file is replaced\n"
    "  --size WxH           of the picture in pixels (1280x720)\n"
    "  --from S             the moment, s (0); with --sheet the first one\n"
    "  --moments S,S,...    several moments side by side\n"
    "  --sheet COLSxROWS    moments evenly from --from to --to, row by row\n"
    "  --to S               the last moment of a sheet, s (the end of the run)\n"
    "  --camera NAME        side, front, back, top or chase (side)\n"
    "  --hide LAYER,...     leaves out output, target, measured or debug\n"
    "  --help, --version\n\n"
    "exit status: 0 done, 2 bad usage or input, or no OpenGL 3.3 (nothing was written)\n\n"
    "example: stagger-view hit_run.h5 --offscreen --png hit.png --size 1600x520 --moments 5.0,5.05,5.2,6.0\n";

enum { EXIT_DONE = 0, EXIT_BAD_INPUT = 2, MAX_MOMENTS = 64 };

typedef struct Options {
  const char *input, *png;
  bool offscreen, sheet, help, version;
  int width, height, columns, rows;
  CameraKind camera;
  unsigned layers;
  double from, to; // s; to < 0: the end
  double moments[MAX_MOMENTS];
  int moment_count; // 0: from `from` and `to`
} Options;

static bool usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool usage_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("stagger-view: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("; see stagger-view --help\n", stderr);
  va_end(arguments);
  return false;
}

// A time in s at the beginning of the text; *end is what follows it.
static bool read_time(const char *option, const char *text, double *time, char **end) {
  errno = 0;
  *time = strtod(text, end);
  if (*end == text || errno != 0 || !isfinite(*time) || *time < 0)
    return usage_error("%s: '%s' is not a time in s of 0 or more", option, text);
  return true;
}

static bool read_one_time(const char *option, const char *text, double *time) {
  char *end;
  if (!read_time(option, text, time, &end))
    return false;
  return *end == '\0' || usage_error("%s: '%s' is not a time in s", option, text);
}

static bool read_moments(Options *options, const char *text) {
  options->moment_count = 0;
  for (;;) {
    char *end;
    if (options->moment_count == MAX_MOMENTS)
      return usage_error("--moments: at most %d", MAX_MOMENTS);
    if (!read_time("--moments", text, &options->moments[options->moment_count++], &end))
      return false;
    if (*end == '\0')
      break;
    if (*end != ',')
      return usage_error("--moments: times in s, separated by commas, not '%s'", text);
    text = end + 1;
  }
  return true;
}

// Two whole numbers, such as 1280x720.
static bool read_pair(const char *option, const char *text, int most, int *a, int *b) {
  char rest;
  int first, second;
  if (strlen(text) > 11 || sscanf(text, "%5dx%5d%c", &first, &second, &rest) != 2 || first < 1 || second < 1 ||
      first > most || second > most)
    return usage_error("%s: '%s' is not two numbers of 1 to %d like 4x3", option, text, most);
  *a = first;
  *b = second;
  return true;
}

static bool read_hidden(Options *options, const char *text) {
  for (;;) {
    size_t length = strcspn(text, ",");
    PictureLayer layer;
    if (!picture_layer_from_name(text, length, &layer))
      return usage_error("--hide: '%.*s' is none of output, target, measured, debug", (int)length, text);
    options->layers &= ~(1u << layer);
    if (text[length] == '\0')
      return true;
    text += length + 1;
  }
}

enum {
  OPTION_OFFSCREEN = 1000,
  OPTION_PNG,
  OPTION_SIZE,
  OPTION_FROM,
  OPTION_TO,
  OPTION_MOMENTS,
  OPTION_SHEET,
  OPTION_CAMERA,
  OPTION_HIDE,
  OPTION_HELP,
  OPTION_VERSION
};

static const struct option LONG_OPTIONS[] = {
    {"offscreen", no_argument, NULL, OPTION_OFFSCREEN}, {"png", required_argument, NULL, OPTION_PNG},
    {"size", required_argument, NULL, OPTION_SIZE},     {"from", required_argument, NULL, OPTION_FROM},
    {"to", required_argument, NULL, OPTION_TO},         {"moments", required_argument, NULL, OPTION_MOMENTS},
    {"sheet", required_argument, NULL, OPTION_SHEET},   {"camera", required_argument, NULL, OPTION_CAMERA},
    {"hide", required_argument, NULL, OPTION_HIDE},     {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},     {NULL, 0, NULL, 0},
};

static bool read_option(Options *options, int option, const char *value) {
  switch (option) {
  case OPTION_OFFSCREEN:
    options->offscreen = true;
    return true;
  case OPTION_PNG:
    options->png = value;
    return true;
  case OPTION_SIZE:
    return read_pair("--size", value, CAPTURE_MAX_SIDE, &options->width, &options->height);
  case OPTION_FROM:
    return read_one_time("--from", value, &options->from);
  case OPTION_TO:
    return read_one_time("--to", value, &options->to);
  case OPTION_MOMENTS:
    return read_moments(options, value);
  case OPTION_SHEET:
    options->sheet = true;
    return read_pair("--sheet", value, MAX_MOMENTS, &options->columns, &options->rows);
  case OPTION_CAMERA:
    return camera_kind_from_name(value, &options->camera) ||
           usage_error("--camera: '%s' is none of side, front, back, top, chase", value);
  case OPTION_HIDE:
    return read_hidden(options, value);
  case OPTION_HELP:
    return options->help = true;
  case OPTION_VERSION:
    return options->version = true;
  default: // getopt has told what
    fputs("see stagger-view --help\n", stderr);
    return false;
  }
}

static bool read_options(Options *options, int argc, char **argv) {
  *options = (Options){.width = 1280, .height = 720, .columns = 1, .rows = 1, .layers = ALL_LAYERS, .to = -1};
  int option;
  while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
    if (!read_option(options, option, optarg))
      return false;
    if (options->help || options->version)
      return true;
  }
  if (optind + 1 != argc)
    return usage_error(optind == argc ? "a trace or a scene is missing" : "one trace or scene at a time");
  options->input = argv[optind];
  if (!options->offscreen || !options->png)
    return usage_error("--offscreen and --png FILE are needed, there is no window yet");
  if (options->moment_count > 0 && options->sheet)
    return usage_error("--moments and --sheet exclude each other");
  if (options->moment_count > 0)
    options->columns = options->moment_count;
  if (options->columns * options->rows > MAX_MOMENTS)
    return usage_error("--sheet: at most %d pictures", MAX_MOMENTS);
  return true;
}

// The moments of a single picture or a sheet.
static void spread_moments(Options *options, double end) {
  if (options->moment_count > 0)
    return;
  options->moment_count = options->columns * options->rows;
  double to = options->to < 0 ? end : options->to;
  for (int i = 0; i < options->moment_count; i++) {
    double share = options->moment_count > 1 ? (double)i / (options->moment_count - 1) : 0;
    options->moments[i] = options->from + share * (to - options->from);
  }
}

// All panels look along the same direction, however the body turns.
static bool draw_moments(const Options *options, Source *source, Capture *capture, Error *error) {
  static Picture picture; // large
  float heading = 0;      // of the first moment
  for (int i = 0; i < options->moment_count; i++) {
    if (!source_picture(source, options->moments[i], &picture, error))
      return false;
    if (i == 0)
      heading = picture.subject.heading;
    picture.subject.heading = heading;
    Camera camera = camera_for(options->camera, &picture.subject, capture_panel_aspect(capture));
    if (!capture_panel(capture, i, &picture, &camera, options->layers, error))
      return false;
  }
  return true;
}

static bool view(Options *options, Error *error) {
  GlContext gl = {0};
  Capture capture = {0};
  Source *source = output_check(options->png, OUTPUT_PNG, error) ? source_open(options->input, error) : NULL;
  bool ok = source && gl_open(&gl, options->offscreen, error) &&
            capture_open(&capture, options->width, options->height, options->columns, options->rows, error);
  if (ok) {
    spread_moments(options, source_end(source));
    ok = draw_moments(options, source, &capture, error) && capture_write(&capture, options->png, error);
  }
  capture_close(&capture);
  gl_close(&gl);
  source_close(source);
  return ok;
}

int main(int argc, char **argv) {
  Options options;
  if (!read_options(&options, argc, argv))
    return EXIT_BAD_INPUT;
  if (options.help || options.version) {
    fputs(options.help ? HELP : "stagger-view " STAGGER_VERSION "\n", stdout);
    return EXIT_DONE;
  }
  Error error = {0};
  if (!view(&options, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_BAD_INPUT;
  }
  return EXIT_DONE;
}
