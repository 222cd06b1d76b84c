// stagger-view: shows running scenes and traces in a window, or draws images and films of them without one.
#include <stdio.h>

#include "scenes/output/explanations.h"
#include "sim/base/files.h"
#include "sim/base/wall_clock.h"
#include "viewer/headless.h"
#include "viewer/shell.h"

enum { EXIT_DONE = HEADLESS_DONE, EXIT_BAD_INPUT = HEADLESS_BAD_INPUT, EXIT_NOT_WRITTEN = 3 };

// s; for displays that do not limit the frame rate themselves
static const double SHORTEST_FRAME = 1.0 / 60; // s

static const int IDLE_WAIT = 200; // ms between two frames while idle

static int run_window(const Options *options) {
  const AppOptions app_options = {
      .inputs = options->inputs,
      .input_count = options->input_count,
      .overrides = options->overrides,
      .override_count = options->override_count,
      .width = options->width,
      .height = options->height,
      .camera = options->camera,
      .follow = options->follow,
      .skin = options->skin,
      .layers = options->layers,
      .coloring = options->coloring,
      .layout = options->layout,
      .trace = options->trace,
      .paused = options->paused,
      .scale = options->scale,
  };
  Error error = {0};
  App *app = shell_open(&app_options, &error);
  if (!app) {
    explained_print(stderr, error.text);
    return EXIT_BAD_INPUT;
  }
  double elapsed = 0; // s
  for (double last = wall_seconds(); shell_frame(app, elapsed);) {
    if (app_is_idle(app))
      SDL_WaitEventTimeout(NULL, IDLE_WAIT);
    double early = SHORTEST_FRAME - (wall_seconds() - last);
    if (!app->gl.vsync && early > 0)
      SDL_Delay((Uint32)(1000 * early));
    double now = wall_seconds();
    elapsed = now - last;
    last = now;
  }
  return shell_close(app) ? EXIT_DONE : EXIT_NOT_WRITTEN;
}

int main(int argc, char **argv) {
  Options options;
  Error error = {0};
  files_keep_streams();
  if (!options_read(&options, argc, argv, &error)) {
    explained_printf(stderr, "stagger-view: %s", error.text);
    fputs("see 'stagger-view --help'\n", stderr);
    return EXIT_BAD_INPUT;
  }
  switch (options.task) {
  case TASK_HELP:
    usage_print(&options_usage, stdout);
    return EXIT_DONE;
  case TASK_VERSION:
    puts("stagger-view " STAGGER_VERSION);
    return EXIT_DONE;
  case TASK_COMPLETION:
    usage_complete(&options_program, options.shell, stdout);
    return EXIT_DONE;
  case TASK_MAN:
    usage_manual(&options_program, stdout);
    return EXIT_DONE;
  case TASK_WINDOW:
    return run_window(&options);
  default:
    return headless_run(&options);
  }
}
