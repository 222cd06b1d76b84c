// Advances the shown moment with wall-clock time: speed, pause, loop, single steps.
#include "viewer/playback.h"

#include <math.h>

static const double LONGEST_FRAME = 0.1; // s of wall-clock time: limit of a frame

// s: a moment this close to the end of a trace counts as its end, since times are sums of many frames.
static const double SLIVER = 1e-9;

static double clamp(double value, double low, double high) { return fmax(low, fmin(value, high)); }

Playback playback_begin(bool live, double step) {
  return (Playback){.playing = true, .pace = 1, .live = live, .step = step};
}

void playback_set_range(Playback *playback, double first, double last) {
  const bool whole = playback->looping && playback->loop_from <= playback->first && playback->loop_to >= playback->last;
  playback->first = first;
  playback->last = last;
  playback->time = clamp(playback->time, first, last);
  if (whole)
    playback_loop(playback, first, last);
}

static void advance_trace(Playback *playback, double elapsed) {
  double end = playback->looping ? playback->loop_to : playback->last;
  playback->time += elapsed * playback->pace;
  if (playback->time < end - SLIVER)
    return;
  if (playback->looping) {
    double length = playback->loop_to - playback->loop_from;
    playback->time = playback->loop_from + fmod(fmax(playback->time - playback->loop_from, 0), length);
  } else {
    playback->time = playback->last;
    playback->playing = false;
  }
}

long playback_advance(Playback *playback, double elapsed) {
  if (!playback->playing || !(elapsed > 0))
    return 0;
  elapsed = fmin(elapsed, LONGEST_FRAME);
  if (!playback->live) {
    advance_trace(playback, elapsed);
    return 0;
  }
  playback->debt += elapsed * playback->pace;
  // Rounding must not delay a step that is due.
  long steps = (long)floor(playback->debt / playback->step + 1e-6);
  playback->debt = fmax(playback->debt - (double)steps * playback->step, 0);
  playback->time = playback->last;
  return steps;
}

void playback_toggle(Playback *playback) {
  playback->playing = !playback->playing;
  playback->debt = 0;
  if (playback->playing && !playback->live && playback->time >= playback->last - SLIVER)
    playback->time = playback->looping ? playback->loop_from : playback->first;
}

void playback_faster(Playback *playback) { playback->pace = fmin(2 * playback->pace, PLAYBACK_FASTEST); }

void playback_slower(Playback *playback) { playback->pace = fmax(playback->pace / 2, PLAYBACK_SLOWEST); }

void playback_seek(Playback *playback, double time) {
  if (!isnan(time))
    playback->time = clamp(time, playback->first, playback->last);
}

void playback_loop(Playback *playback, double from, double to) {
  playback->loop_from = clamp(from, playback->first, playback->last);
  playback->loop_to = clamp(to, playback->first, playback->last);
  playback->looping = playback->loop_to > playback->loop_from;
}
