// The command line of stagger-view.
#ifndef STAGGER_VIEWER_OPTIONS_H
#define STAGGER_VIEWER_OPTIONS_H

#include "scenes/usage/usage.h"
#include "viewer/app.h"

enum { OPTIONS_MAX_MOMENTS = 64, OPTIONS_MAX_OVERRIDES = 256, OPTIONS_MAX_PICTURES = 1000000 };

typedef enum Task {
  TASK_WINDOW,
  TASK_PICTURE,  // one file: a moment, several moments, or a sheet of them
  TASK_SEQUENCE, // a numbered file for every frame
  TASK_FILM,
  TASK_HELP, // this one and those below open nothing
  TASK_VERSION,
  TASK_COMPLETION,
  TASK_MAN
} Task;

// Texts are those of argv.
typedef struct Options {
  Task task;
  const char *inputs[APP_MAX_SOURCES];
  int input_count;
  const char *overrides[OPTIONS_MAX_OVERRIDES]; // "KEY=VALUE"
  int override_count;

  // What is shown.
  int width, height; // pixels
  const char *camera, *follow, *skin;
  unsigned layers;
  PictureColoring coloring;
  AppLayout layout;

  // Images and films.
  bool offscreen;
  const char *png, *film; // only the one for the task is set
  double from, to;        // s; to < 0: the end
  int fps;                // frames of a film or sequence per second
  double pace;            // simulated s per s of film
  double scale;           // of the window, see AppOptions
  double moments[OPTIONS_MAX_MOMENTS];
  int moment_count; // 0: given by `from` and `to`
  bool sheet;
  int columns, rows; // of a sheet

  // The window.
  const char *trace;
  bool paused;

  const char *shell; // of the completion
} Options;

// The table of the options, which is in options_usage.c, and the program as a whole.
extern const Usage options_usage;
extern const UsageProgram options_program;

// Reads and checks a command line. Nothing is opened, so options that depend on the scene (camera, follow, times,
// --set) are checked later. False and an error, without "stagger-view: " at its beginning and without a hint at --help.
bool options_read(Options *options, int argc, char **argv, Error *error);

// The name of the image with that number from a pattern such as "hit_%04d.png": one %d or %0Nd, and %% for a percent
// sign. False when the text is not a pattern (also without any %); text may be NULL.
bool options_picture_name(const char *pattern, int number, char *text, size_t size);

#endif
