// The one clock of the viewer: turns wall-clock time into a moment of the run to show, or into physics steps to do.
// Knows nothing of scenes and traces, so that it can be tested by itself.
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
  double first, last; // s, what can be shown
  bool live;          // the run goes on beyond `last` by physics steps
  double step;        // s, length of a physics step of a live run
  double debt;        // s of simulated time that is owed to a live run, less than a step when nothing is late
  bool looping;
  double loop_from, loop_to; // s
} Playback;

// At the beginning, at real time. A live run plays, a trace plays as well.
Playback playback_begin(bool live, double step);

// What can be shown has changed (a live run went on, forgot frames, or was reset). A loop over all that
// could be shown becomes one over all that can.
void playback_set_range(Playback *playback, double first, double last);

// Lets `elapsed` seconds of wall-clock time pass (more than 0.1 s counts as 0.1 s, so that a stall does not jump).
// A trace moves its time and stops at its end, or goes round in its loop. A live run returns how many whole physics
// steps are due; shown is then its latest moment.
long playback_advance(Playback *playback, double elapsed);

void playback_toggle(Playback *playback); // play or pause; a trace at its end starts again
void playback_faster(Playback *playback);
void playback_slower(Playback *playback);
void playback_seek(Playback *playback, double time);            // pauses nothing, clamps to the range
void playback_loop(Playback *playback, double from, double to); // to <= from: no loop

#endif
