// The arms reach out in the direction in which the body falls, the more the farther it is beyond what its feet can
// hold.
#include <math.h>

#include "anim/spring.h"
#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"

static const double BACK_TIME = 0.45; // s in which the arms come down again
static const double TURN_TIME = 0.08; // s in which they follow another way
static const double MOST_OUT = 1.2, TENSION = 0.7;

// Angles of a fully raised arm, deg, by the direction of the fall: ahead, back, to either side.
static const double FLEXION_AHEAD = 48, FLEXION_BACK = 30, FLEXION_ASIDE = 14;
static const double ABDUCTION = 16, ABDUCTION_NEAR = 46, ABDUCTION_FAR = 30;
static const double ELBOW_AHEAD = 40, ELBOW_BACK = 45, ELBOW_ASIDE = 30;

void response_arms(Responses *responses, const ResponseStep *step) {
  double length = plane2_length(step->off), share = fmin(1, step->h / TURN_TIME);
  if (step->beyond > 0 && length > 0) {
    Plane2 way = plane2_scale(step->off, 1 / length);
    responses->thrown = plane2_add(responses->thrown, plane2_scale(plane2_sub(way, responses->thrown), share));
  }
  double goal = responses->def.arms * smooth_step(step->beyond);
  double ahead = fmax(0, responses->thrown.z), back = fmax(0, -responses->thrown.z), aside = fabs(responses->thrown.x);
  for (int side = 0; side < 2; side++) {
    double *out = &responses->arms_out[side], sign = side == RESPONSE_LEFT ? 1 : -1;
    double time = goal > *out ? responses->def.arms_latency : BACK_TIME;
    spring_step(out, &responses->arms_velocity[side], goal, time * responses->arms_uneven[side], step->h);
    double size = fmax(0, fmin(MOST_OUT, *out)) * responses->arms_uneven[side];
    if (size < 1e-3)
      continue;
    double near = fmax(0, sign * responses->thrown.x), far = fmax(0, -sign * responses->thrown.x);
    double flexion = FLEXION_AHEAD * ahead + FLEXION_BACK * back + FLEXION_ASIDE * aside;
    double abduction = ABDUCTION + ABDUCTION_NEAR * near + ABDUCTION_FAR * far;
    double elbow = ELBOW_AHEAD * ahead + ELBOW_BACK * back + ELBOW_ASIDE * aside;
    response_turn(step->pose_w, responses->body.arms[side], -flexion * size, 0, sign * abduction * size);
    response_turn(step->pose_w, responses->body.forearms[side], -elbow * size, 0, 0);
    float *tension = responses->tension;
    tension[responses->body.arms[side]] = tension[responses->body.forearms[side]] = (float)(TENSION * fmin(1, size));
  }
}
