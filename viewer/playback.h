// The clock of the viewer: converts wall-clock time to a moment of the run, or to a number of physics steps.
// Independent of scenes and traces, so that it can be tested separately.
#ifndef STAGGER_VIEWER_PLAYBACK_H
#define STAGGER_VIEWER_PLAYBACK_H

#include <stdbool.h>

// Slowest and fastest pace; each step of the control doubles or halves it.
#define PLAYBACK_SLOWEST (1.0 / 64)
#define PLAYBACK_FASTEST 16.0

typedef struct Playback {
  bool playing;
  double pace;        // simulated s per s of wall-clock time
  double time;        // s, the moment that is shown
  double first, last; // s: range that can be shown
  bool live;          // the run can be continued beyond `last` by physics steps
  double step;        // s, length of a physics step of a live run
  double debt;        // s of simulated time due for a live run; less than a step when it is not late
  bool looping;
  double loop_from, loop_to; // s
} Playback;

// At the beginning, with pace 1, playing.
Playback playback_begin(bool live, double step);

// Sets the range after a change (a live run continued, forgot frames, or was reset). A loop over the whole old range
// becomes one over the whole new range.
void playback_set_range(Playback *playback, double first, double last);

// Advances by `elapsed` s of wall-clock time (at most 0.1 s, so that a stall causes no jump). For a trace the moment
// advances and stops at its end, or repeats in its loop. For a live run the number of due physics steps is returned;
// its latest moment is then shown.
long playback_advance(Playback *playback, double elapsed);

void playback_toggle(Playback *playback); // play or pause; a trace at its end restarts
void playback_faster(Playback *playback);
void playback_slower(Playback *playback);
void playback_seek(Playback *playback, double time);            // does not pause; clamped to the range
void playback_loop(Playback *playback, double from, double to); // to <= from: no loop

#endif
