// Long computations on a terminal: a progress bar with the remaining time, and orderly interruption.
#ifndef STAGGER_SCENES_OUTPUT_PROGRESS_H
#define STAGGER_SCENES_OUTPUT_PROGRESS_H

#include <stdbool.h>

// A progress bar on stderr if that is a terminal; otherwise nothing is shown.
typedef struct Progress {
  bool shown;
  double started, updated; // s, wall clock
} Progress;

Progress progress_begin(bool wanted);
void progress_update(Progress *progress, double share); // 0..1

// With a note after the remaining time, cut at the width of the terminal.
void progress_update_with(Progress *progress, double share, const char *note);
void progress_end(Progress *progress);

// From now on the first SIGINT or SIGTERM only sets a flag; the second one ends the program as usual.
void interrupt_catch(void);

// The same. If the program has not ended 0.3 s after the first signal, `late` is called every 0.1 s from the handler of
// SIGALRM, in the middle of whatever is running; it may leave that by longjmp.
void interrupt_catch_with(void (*late)(void));
bool interrupt_requested(void);

#endif
