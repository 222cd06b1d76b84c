#include "scenes/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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
