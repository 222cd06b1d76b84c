// The progress bar, which is shown on terminals only, and the handling of interrupts.
#include "scenes/output/progress.h"

#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "sim/base/wall_clock.h"

Progress progress_begin(bool wanted) {
  double now = wall_seconds();
  return (Progress){.shown = wanted && isatty(STDERR_FILENO), .started = now, .updated = now};
}

// Width of the terminal in characters; a large number when it is unknown.
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

// ---- Interruption ----

static volatile sig_atomic_t interrupted;

static void (*late_call)(void); // NULL: none

static void be_late(int number) {
  (void)number;
  late_call();
}

static void note_interrupt(int number) {
  (void)number;
  interrupted = 1;
  const struct itimerval timer = {.it_interval = {.tv_usec = 100000}, .it_value = {.tv_usec = 300000}};
  if (late_call)
    setitimer(ITIMER_REAL, &timer, NULL);
}

void interrupt_catch(void) {
  struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void interrupt_catch_with(void (*late)(void)) {
  late_call = late;
  struct sigaction action = {.sa_handler = be_late, .sa_flags = (int)SA_NODEFER | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  interrupt_catch();
}

bool interrupt_requested(void) { return interrupted != 0; }
