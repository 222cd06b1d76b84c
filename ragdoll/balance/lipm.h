// The linear inverted pendulum in formulas (Kajita et al. 2001; Hof 2008; Koolen et al. 2012). SI units.
#ifndef STAGGER_RAGDOLL_BALANCE_LIPM_H
#define STAGGER_RAGDOLL_BALANCE_LIPM_H

#include "sim/base/plane2.h"

// xi after a time t with the centre of pressure resting at r.
Plane2 lipm_predict(Plane2 xi, Plane2 r, double omega, double t);

// The centre of mass after a time t with the centre of pressure resting at r: r + (c - r) cosh(w t) + v / w sinh(w t),
// with v = w (xi - c).
Plane2 lipm_center(Plane2 center, Plane2 xi, Plane2 r, double omega, double t);

// Steady gait: the offset of xi, m, from the new stance foot at every touch-down, so that steps of `duration` s go at a
// velocity (ahead, left of the heading) with feet `width` apart. side: 1 if the new stance foot is the right
// one, -1 if it is the left one: xi is on the inner side of this foot.
// From xi_T - r' = b at the beginning of a step and b e^(wT) = (step) + b' at its end:
// b = velocity T / (e^(wT) - 1) ahead, and inward width / (e^(wT) + 1) besides.
Plane2 lipm_offset(Plane2 velocity, double width, double side, double omega, double duration);

// Double support of `time` s, in which the centre of pressure moves evenly from the rear foot to the front one: the
// share of that way by which xi counts as farther ahead at its beginning, as if the front foot carried alone at once.
// From xi' = w (xi - r) with r = rear + way t / time: 1 - (1 - e^(-w time)) / (w time), 0 for no time (Englsberger et
// al. 2014, IEEE-RAS Int. Conf. Humanoid Robots, 660-667).
double lipm_handover(double omega, double time);

// A gait whose steps begin with double support. handover: its lipm_handover(); roll: the way, m, that the pressure
// under the rear foot has gone when double support begins, from where it is in single support.
typedef struct HandOver {
  double handover;
  Plane2 roll;
} HandOver;

// The offset of such a gait, in place of that of lipm_offset() for steps of the whole duration, s, at which the foot
// that lands is to carry: b (1 - handover) + handover roll / (e^(wT) - 1). It is that of xi as it counts, see above.
Plane2 lipm_shared_offset(Plane2 offset, double omega, double duration, const HandOver *over);

// The step from stance foot to landing, m. ahead: of xi before the stance foot at touch-down; offset: of the gait.
Plane2 lipm_shared_step(Plane2 ahead, Plane2 offset, const HandOver *over);

// Limits of a step from the middle of the stance sole to that of the landing one, m.
typedef struct StepLimits {
  double ahead, side, length; // largest
  double apart;               // least distance to the side
  double tolerated;           // a step nearer than `apart` by at most this is no violation
} StepLimits;

// Brings a step (ahead and to the left of the stance sole; swing_side 1: left foot) within the limits. Returns by how
// many m the step exceeded them; an excess toward the stance leg counts double.
double lipm_limit_step(Plane2 *step, double swing_side, const StepLimits *limits);

#endif
