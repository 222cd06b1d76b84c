// The map between a clip's own time and the phase that synchronised clips share, piecewise linear between foot strikes.
#include "anim/graph/sync.h"

#include <math.h>
#include <string.h>

// left: 0, right: 1, other names: -1.
static int strike_side(const char *name) {
  return strcmp(name, "left_strike") == 0 ? 0 : strcmp(name, "right_strike") == 0 ? 1 : -1;
}

bool sync_track_read(SyncTrack *track, const Clip *clip, const char **why) {
  *track = (SyncTrack){.cycles = 1, .cycle = clip->duration, .loop = clip->loop, .duration = clip->duration};
  int sides[CLIP_MAX_MARKS], count = 0, per_side[2] = {0, 0};
  for (int i = 0; i < clip->mark_count; i++) {
    int side = strike_side(clip->marks[i].name), at = count;
    double time = clip->marks[i].time;
    if (side < 0 || (clip->loop && time >= track->duration)) // the end of a loop is the same moment as its beginning
      continue;
    for (; at > 0 && track->time[at - 1] > time; at--) { // insertion keeps strikes sorted by time
      track->time[at] = track->time[at - 1];
      sides[at] = sides[at - 1];
    }
    track->time[at] = time;
    sides[at] = side;
    per_side[side]++;
    count++;
  }
  if (per_side[0] == 0) {
    *why = "it has no mark 'left_strike'";
    return false;
  }

  // From one knot to the next: half a cycle between left and right, a whole one when only left strikes are marked.
  double step = per_side[1] > 0 ? 0.5 : 1;
  for (int i = 0; i < count; i++) {
    bool clash = i > 0 && (track->time[i] <= track->time[i - 1] || (per_side[1] > 0 && sides[i] == sides[i - 1]));
    if (clash || (clip->loop && per_side[1] > 0 && per_side[0] != per_side[1])) {
      *why = "its marks 'left_strike' and 'right_strike' do not alternate";
      return false;
    }
    track->phase[i] = (sides[0] == 1 ? -0.5 : 0) + i * step;
  }
  track->count = count;
  track->cycles = clip->loop ? per_side[0] : 1;
  if (clip->loop)
    track->cycle = track->duration / track->cycles;
  else if (count > 1)
    track->cycle = (track->time[count - 1] - track->time[0]) / (track->phase[count - 1] - track->phase[0]);
  return true;
}

// Knot i of the periodic sequence of a loop's knots (i from 0 to count).
static double knot(const double *values, const SyncTrack *track, int i, double period) {
  return i < track->count ? values[i] : values[0] + period;
}

// Interpolates y at x linearly between the knots, periodically for a loop; a clip that ends is extrapolated with its
// mean slope.
static double look_up(const SyncTrack *track, const double *xs, double x_period, const double *ys, double y_period,
                      double x) {
  int last = track->loop ? track->count : track->count - 1;
  double turns = 0;
  if (track->loop) {
    turns = floor((x - xs[0]) / x_period);
    x -= turns * x_period;
  } else if (x <= xs[0] || x >= xs[last]) {
    double slope = y_period / x_period;
    return x <= xs[0] ? ys[0] + (x - xs[0]) * slope : ys[last] + (x - xs[last]) * slope;
  }
  int i = 0;
  while (i + 1 < last && x >= knot(xs, track, i + 1, x_period))
    i++;
  double x0 = knot(xs, track, i, x_period), x1 = knot(xs, track, i + 1, x_period);
  double y0 = knot(ys, track, i, y_period), y1 = knot(ys, track, i + 1, y_period);
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0) + turns * y_period;
}

double sync_time(const SyncTrack *track, double phase) {
  double period = track->loop ? track->duration : track->cycle;
  double time = look_up(track, track->phase, track->cycles, track->time, period, phase);
  if (!track->loop)
    return fmin(fmax(time, 0), track->duration);
  time -= floor(time / track->duration) * track->duration;
  return time < track->duration ? time : 0; // rounding may make the sum equal to the duration
}

double sync_phase(const SyncTrack *track, double time) {
  double period = track->loop ? track->duration : track->cycle;
  return look_up(track, track->time, period, track->phase, track->cycles, time);
}
