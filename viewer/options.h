// The command line of stagger-view.
#ifndef STAGGER_VIEWER_OPTIONS_H
#define STAGGER_VIEWER_OPTIONS_H

#include "viewer/app.h"

enum { OPTIONS_MAX_MOMENTS = 64, OPTIONS_MAX_OVERRIDES = 256, OPTIONS_MAX_PICTURES = 1000000 };

typedef enum Task {
  TASK_WINDOW,
  TASK_PICTURE,  // one file: a moment, several, or a sheet of them
  TASK_SEQUENCE, // a numbered file for every frame
  TASK_FILM,
  TASK_HELP,
  TASK_VERSION
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
  const char *camera, *follow;
  unsigned layers;
  PictureColoring coloring;
  AppLayout layout;

  // Pictures and films.
  bool offscreen;
  const char *png, *film; // of the two, the one of the task is there
  double from, to;        // s; to < 0: the end
  int fps;                // frames of a film or sequence per second
  double pace;            // simulated s per s of the film
  double moments[OPTIONS_MAX_MOMENTS];
  int moment_count; // 0: from `from` and `to`
  bool sheet;
  int columns, rows; // of a sheet

  // The window.
  const char *trace;
  bool paused;
} Options;

extern const char options_help[];

// Reads and checks a command line; nothing is opened yet, so what depends on the scene (camera, follow, times, --set)
// is checked later. False and an error without "stagger-view: " before it and without a hint at --help behind it.
bool options_read(Options *options, int argc, char **argv, Error *error);

// The name of the picture with that number for a pattern such as "hit_%04d.png": one %d or %0Nd, and %% for a percent
// sign. False when the pattern is none; text may be NULL. A name without any % is none either.
bool options_picture_name(const char *pattern, int number, char *text, size_t size);

#endif
