// The progress bar, which shows on terminals alone, and the handling of interrupts.
#include "scenes/output/progress.h"

#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/base/wall_clock.h"

Progress progress_begin(bool wanted) {
  double now = wall_seconds();
  return (Progress){.shown = wanted && isatty(STDERR_FILENO), .started = now, .updated = now};
}

// Characters in a line of the terminal; many when it does not say.
static int terminal_columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 1000;
}

void progress_update(Progress *progress, double share) { progress_update_with(progress, share, ""); }

void progress_update_with(Progress *progress, double share, const char *note) {
  if (!progress->shown)
    return;
  double now = wall_seconds();
  if (now - progress->updated < 0.1 || share <= 0)
    return;
  progress->updated = now;
  static const char full[] = "########################################";
  int width = note[0] != '\0' ? 20 : 40, filled = (int)(share * width);
  double left = (now - progress->started) * (1 - share) / share;
  char line[512];
  snprintf(line, sizeof line, "[%-*.*s] %3d %%, %.0f s left%s ", width, filled, full, (int)(100 * share), left, note);
  fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, line);
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
