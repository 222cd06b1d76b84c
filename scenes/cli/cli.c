#include "scenes/cli/cli.h"

#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

bool cli_arguments(int argc, char **argv, const char *help, int least, int most, int *code) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
  for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (option == 'h')
      fputs(help, stdout);
    *code = option == 'h' ? EXIT_DONE : EXIT_BAD_INPUT;
    return false;
  }
  int count = argc - optind;
  if (count >= least && count <= most)
    return true;
  *code = cli_usage_error(argv[0], count < least ? "a file is missing" : "too many arguments: %s",
                          count < least ? "" : argv[optind + most]);
  return false;
}

int cli_usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", command);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\nsee '%s --help'\n", command);
  va_end(arguments);
  return EXIT_BAD_INPUT;
}

int cli_error(const Error *error) {
  fprintf(stderr, "%s\n", error->text);
  return EXIT_BAD_INPUT;
}

// Progress.

double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_begin(bool wanted) {
  double now = wall_seconds();
  return (Progress){.shown = wanted && isatty(STDERR_FILENO), .started = now, .updated = now};
}

void progress_update(Progress *progress, double share) {
  if (!progress->shown)
    return;
  double now = wall_seconds();
  if (now - progress->updated < 0.1 || share <= 0)
    return;
  progress->updated = now;
  enum { WIDTH = 40 };
  static const char full[] = "########################################";
  int filled = (int)(share * WIDTH);
  double left = (now - progress->started) * (1 - share) / share;
  fprintf(stderr, "\r[%-*.*s] %3d %%, %.0f s left \033[K", WIDTH, filled, full, (int)(100 * share), left);
}

void progress_end(Progress *progress) {
  if (progress->shown)
    fprintf(stderr, "\r\033[K");
  progress->shown = false;
}

// Interruption.

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

void interrupt_catch(void) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool interrupt_requested(void) { return interrupted != 0; }
