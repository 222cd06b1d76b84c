// The arms go out in the direction in which the body falls, the more the farther it is beyond what its feet can hold.
// They do so once, and come down though the next steps still catch him: arms that went out again with each step, each
// time to another side, would flap.
#include <math.h>

#include "anim/spring.h"
#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"

// s from when he loses his balance until the arms begin: muscles of the shoulder act as early as those of the ankle
// (McIlroy and Maki 1995, Neurosci. Lett. 184:177-180), which do so after about 0.1 s.
static const double ONSET = 0.1;
static const double BACK_TIME = 0.45;                    // s in which the arms come down again
static const double TURN_TIME = 0.08, AIMING_TIME = 0.2; // s: they follow another way fast, but only at first
static const double LATE_TURN_TIME = 0.8;                // s in which they follow it later
// One reaction: after UP_TIME s what is asked of the arms fades within FADE_TIME s to AGAIN, until he has been calm
// (the body beyond its feet by less than CALM of what can be caught) for CALM_TIME s.
static const double UP_TIME = 0.45, FADE_TIME = 0.4, AGAIN = 0.35, CALM = 0.1, CALM_TIME = 0.5;
static const double MOST_OUT = 1.2, TENSION = 0.7;

// Angles of a fully raised arm, deg, by the direction of the fall: ahead, back, to either side.
static const double FLEXION_AHEAD = 40, FLEXION_BACK = 30, FLEXION_ASIDE = 14;
static const double ABDUCTION = 22, ABDUCTION_NEAR = 40, ABDUCTION_FAR = 26;
static const double ELBOW_AHEAD = 55, ELBOW_BACK = 50, ELBOW_ASIDE = 42;

// Share of what the body's loss of balance asks of the arms that they still do.
static double find_readiness(Responses *responses, const ResponseStep *step) {
  responses->calm_time = step->beyond < CALM ? responses->calm_time + step->h : 0;
  if (responses->calm_time >= CALM_TIME)
    responses->arms_time = 0;
  else
    responses->arms_time += step->h;
  if (responses->arms_time < ONSET)
    return 0;
  return 1 - (1 - AGAIN) * smooth_step((responses->arms_time - UP_TIME) / FADE_TIME);
}

void response_arms(Responses *responses, const ResponseStep *step) {
  double goal = responses->def.arms * smooth_step(step->beyond) * find_readiness(responses, step);
  double turn_time = responses->arms_time < AIMING_TIME ? TURN_TIME : LATE_TURN_TIME;
  double length = plane2_length(step->off), share = fmin(1, step->h / turn_time);
  if (step->beyond > 0 && length > 0) {
    Plane2 way = plane2_scale(step->off, 1 / length);
    responses->thrown = plane2_add(responses->thrown, plane2_scale(plane2_sub(way, responses->thrown), share));
  }
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
