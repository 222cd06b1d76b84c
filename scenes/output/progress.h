// Long work on a terminal: a bar with the time left, and stopping in good order.
#ifndef STAGGER_SCENES_OUTPUT_PROGRESS_H
#define STAGGER_SCENES_OUTPUT_PROGRESS_H

#include <stdbool.h>

// A bar with the time left on stderr when that is a terminal, nothing otherwise.
typedef struct Progress {
  bool shown;
  double started, updated; // s, wall clock
} Progress;

Progress progress_begin(bool wanted);
void progress_update(Progress *progress, double share); // 0..1

// With more to tell behind the time left, cut where the terminal ends.
void progress_update_with(Progress *progress, double share, const char *note);
void progress_end(Progress *progress);

// From now on SIGINT and SIGTERM only set a flag; the second one ends the program as usual.
void interrupt_catch(void);

// The same; and where the program has not ended 0.3 s after the first signal, `late` is called every 0.1 s, by SIGALRM,
// from inside of whatever goes on then: it may leave that by a jump.
void interrupt_catch_with(void (*late)(void));
bool interrupt_requested(void);

#endif
