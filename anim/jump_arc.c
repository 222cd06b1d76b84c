// The course of the centre of mass in a jump from both feet.
#include "anim/jump_arc.h"

#include <math.h>

#include "sim/base/numbers.h"

// Upward over forward speed at take-off: 39 deg. People prefer 31 to 39 deg when they jump as far as they can, although
// lower ones lead farther: Wakai, Linthorne (2005) Hum Mov Sci 24:81-96.
static const double JUMP_SLOPE = 0.8;

// m: height of the centre of mass over standing at take-off, from the toes of straight legs; and at touchdown, with
// legs that reach ahead the more the farther the jump goes.
static const double ON_TOES = 0.06, REACHING = -0.03, REACHING_AHEAD = -0.06; // the last for each metre

// s and share: in the deepest crouch the centre of mass leads by what it flies in this time, and goes at this share of
// the velocity of take-off. Both together make JUMP_LEAD.
static const double LEAN_TIME = 0.07, START_SHARE = 0.28;

static const double LEAST_RISE = 0.04; // m

// m: the centre of mass sinks by no more than this after touchdown, however hard it is.
static const double DEEPEST = 0.34;

// The landing of a flight that comes down at that speed.
static void land(JumpArc *arc) {
  arc->absorb = min_d(JUMP_ABSORB, 2 * DEEPEST / arc->down);
  arc->absorbed = arc->touch_down - arc->down * arc->absorb / 2;
}

// The lean with which a push to the forward velocity begins.
static void lean(JumpArc *arc) {
  arc->lean = LEAN_TIME * arc->ahead;
  arc->start = START_SHARE * arc->ahead;
}

// Flight time, and the speeds that go with it, of a flight that rises by `rise` m.
static void fly(JumpArc *arc, double rise) {
  double drop = arc->take_off - arc->touch_down - arc->step;
  rise = max_d(rise, LEAST_RISE - drop); // onto a step it has to rise higher
  rise = max_d(rise, LEAST_RISE);
  arc->up = sqrt(2 * arc->gravity * rise);
  arc->down = sqrt(2 * arc->gravity * (rise + drop));
  arc->flight = (arc->up + arc->down) / arc->gravity;
  land(arc);
  arc->ahead = arc->distance / (JUMP_LEAD + arc->flight + JUMP_BRAKE / 2);
  lean(arc);
}

JumpLimit jump_arc_find(const JumpGoal *goal, double step, double gravity, JumpArc *arc) {
  *arc = (JumpArc){.gravity = gravity, .distance = goal->distance, .step = step, .take_off = ON_TOES};
  arc->touch_down = REACHING + REACHING_AHEAD * goal->distance;
  // the higher the slower ahead: the slope of the take-off grows with the rise
  double low = 0, high = goal->distance;
  for (int i = 0; i < 50 && goal->rise <= 0; i++) {
    double middle = (low + high) / 2;
    fly(arc, middle);
    if (arc->up < JUMP_SLOPE * arc->ahead)
      low = middle;
    else
      high = middle;
  }
  fly(arc, goal->rise > 0 ? goal->rise : high);
  arc->crouch = arc->take_off - arc->up * JUMP_PUSH / 2;
  if (!(hypot(arc->ahead, arc->up) <= JUMP_FASTEST))
    return JUMP_TOO_FAST;
  return arc->down <= JUMP_HARDEST ? JUMP_POSSIBLE : JUMP_TOO_HARD;
}

void jump_arc_fall(double ahead, double up, double height, double step, double gravity, JumpArc *arc) {
  *arc = (JumpArc){.gravity = gravity, .ahead = ahead, .up = up, .take_off = height, .step = step};
  arc->touch_down = REACHING;
  double drop = max_d(height - arc->touch_down - step, 0);
  arc->down = sqrt(up * up + 2 * gravity * drop);
  arc->flight = (up + arc->down) / gravity;
  arc->crouch = arc->take_off - arc->up * JUMP_PUSH / 2;
  land(arc);
  arc->distance = ahead * (JUMP_LEAD + arc->flight + JUMP_BRAKE / 2);
  lean(arc);
}

double jump_arc_duration(const JumpArc *arc) { return JUMP_PUSH + arc->flight + arc->absorb + JUMP_RISE; }

void jump_arc_place(const JumpArc *arc, double time, double *ahead, double *above) {
  double t = max_d(time, 0);
  if (t < JUMP_PUSH) {
    *ahead = arc->lean + arc->start * t + (arc->ahead - arc->start) * t * t / (2 * JUMP_PUSH);
    *above = arc->crouch + arc->up * t * t / (2 * JUMP_PUSH);
    return;
  }
  t -= JUMP_PUSH;
  if (t < arc->flight) {
    *ahead = arc->ahead * (JUMP_LEAD + t);
    *above = arc->take_off + arc->up * t - arc->gravity * t * t / 2;
    return;
  }
  t -= arc->flight;
  double brakes = max_d(JUMP_BRAKE - t, 0), sinks = max_d(arc->absorb - t, 0);
  *ahead = arc->distance - arc->ahead * brakes * brakes / (2 * JUMP_BRAKE);
  if (sinks > 0)
    *above = arc->step + arc->absorbed + arc->down * sinks * sinks / (2 * arc->absorb);
  else
    *above = arc->step + arc->absorbed * (1 - smooth_step((t - arc->absorb) / JUMP_RISE));
}
