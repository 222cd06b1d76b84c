// A single leg of the stepper: where its foot will stand, and the pose of the leg that places it there.
#include <math.h>

#include "anim/ik.h"
#include "anim/lanes.h"
#include "anim/layers/stepper/stepper_internal.h"
#include "sim/base/numbers.h"

static const double OVERSHOOT_FROM = 0.5; // units/s: for a slower body, feet land less far ahead
static const double FOOT_GAP = 0.5;       // of the gap between two references: least distance of landing feet
static const double SINK_DAMP = 0.08;     // s
static const double MISSED = 0.1; // leg lengths between a foot and its place above which the leg has failed to reach it
static const double DOWN[3] = {0, -1, 0};

// ---- References ----

Heading stepper_heading(double angle) { return (Heading){.angle = angle, .sine = sin(angle), .cosine = cos(angle)}; }

void stepper_foot_offset(const StepperFoot *foot, double offset[2]) {
  offset[0] = foot->place[0] - foot->reference[0];
  offset[1] = foot->place[2] - foot->reference[2];
}

double stepper_allowed(const StepperDef *def, double unit, double cosine) {
  return unit * curve_value(&def->offset, cosine);
}

// The allowed distance along a horizontal vector of the body's frame; without a direction, that to the side.
static double allowed_along(const StepperDef *def, double unit, const double level[2]) {
  double length = length_2d(level);
  return stepper_allowed(def, unit, length > 0 ? level[1] / length : 0);
}

void stepper_reference_velocity(const Stepper *stepper, const StepperRoot *root, int leg, double velocity[2]) {
  double arm[2];
  level_to_world(root->heading, stepper->stance.legs[leg].reference, arm);
  velocity[0] = root->velocity[0] + root->turn_rate * arm[1]; // cross product of up and arm
  velocity[1] = root->velocity[1] - root->turn_rate * arm[0];
}

void stepper_measure(const StepperDef *def, Stepper *stepper, const StepperRoot *root) {
  for (int i = 0; i < def->count; i++) {
    StepperFoot *foot = &stepper->feet[i];
    double arm[2], offset[2], level[2];
    level_to_world(root->heading, stepper->stance.legs[i].reference, arm);
    foot->reference[0] = root->position[0] + arm[0];
    foot->reference[1] = root->position[1];
    foot->reference[2] = root->position[2] + arm[1];
    stepper_foot_offset(foot, offset);
    level_from_world(root->heading, offset, level);
    foot->distance = length_2d(level);
    foot->allowed = allowed_along(def, stepper->stance.unit, level);
    foot->angle = wrap_angle(foot->yaw - root->heading.angle);
    foot->escaped = !foot->stepping && foot->distance > def->escape * foot->allowed;
  }
}

// ---- Landing points ----

// The landing point is ahead along the motion by the allowed distance there, and turned ahead; the total offset is
// limited to the allowed distance.
void stepper_landing_offset(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg,
                            double offset[2]) {
  const double *reference = stepper->stance.legs[leg].reference, unit = stepper->stance.unit;
  double move[2], lead[2];
  level_from_world(root->heading, root->velocity, move);
  double ahead = smooth_step(root->speed / (OVERSHOOT_FROM * unit)) * allowed_along(def, unit, move);
  level_to_world(root->lead, reference, lead);
  for (int k = 0; k < 2; k++)
    offset[k] = (root->speed > 0 ? move[k] / root->speed * ahead : 0) + lead[k] - reference[k];
  double length = length_2d(offset), most = allowed_along(def, unit, offset);
  if (length > most) {
    offset[0] *= most / length;
    offset[1] *= most / length;
  }
}

FootRefusal stepper_ground(const StepperDef *def, const LayerStep *step, double x, double z, double place[3],
                           double normal[3]) {
  double up = def->ray_up * def->leg_length, length = up + def->ray_down * def->leg_length;
  const double origin[3] = {x, step->root_position[1] + up, z};
  GroundHit hit;
  if (!step->ground->ray(step->ground->context, GROUND_TERRAIN | GROUND_PLATFORMS, origin, DOWN, length, &hit))
    return FOOT_NO_GROUND;
  if (!(hit.distance > 0)) // the ray started inside an object: that is a wall, not ground
    return FOOT_TOO_HIGH;
  if (!(hit.normal_w[1] >= cos(def->steepest * RAD_PER_DEGREE)))
    return FOOT_TOO_STEEP;
  place[0] = x;
  place[1] = hit.position_w[1];
  place[2] = z;
  for (int k = 0; k < 3; k++)
    normal[k] = hit.normal_w[k];
  return FOOT_NOT_REFUSED;
}

// Limits a landing point so that it stays on its own side of every other foot.
static void keep_apart(const StepperDef *def, const Stepper *stepper, int leg, Heading heading, double point[2]) {
  const StepperStance *stance = &stepper->stance;
  for (int k = 0; k < def->count; k++) {
    if (k == leg)
      continue;
    const double *own = stance->legs[leg].reference, *other = stance->legs[k].reference;
    double gap[2] = {other[0] - own[0], other[1] - own[1]}, toward[2];
    double width = length_2d(gap);
    if (!(width > 0))
      continue;
    level_to_world(heading, gap, toward);
    const StepperFoot *foot = &stepper->feet[k];
    const double *stand = foot->stepping ? foot->landing : foot->place;
    double left = ((stand[0] - point[0]) * toward[0] + (stand[2] - point[1]) * toward[1]) / width;
    // limited, so that a foot that lags far behind does not drag others along
    double missing = fmin(FOOT_GAP * width - left, 2 * stance->unit);
    if (missing > 0) {
      point[0] -= toward[0] / width * missing;
      point[1] -= toward[1] / width * missing;
    }
  }
}

void stepper_find_landing(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root,
                          int leg, double time_left) {
  StepperFoot *foot = &stepper->feet[leg];
  Heading heading = stepper_heading(root->heading.angle + root->turn_rate * time_left);
  double offset[2], arm[2], ahead[2], base[2], point[2];
  level_to_world(heading, stepper->stance.legs[leg].reference, arm);
  stepper_landing_offset(def, stepper, root, leg, offset);
  level_to_world(heading, offset, ahead);
  for (int k = 0; k < 2; k++) {
    base[k] = root->position[2 * k] + root->velocity[k] * time_left + arm[k];
    point[k] = base[k] + ahead[k];
  }
  keep_apart(def, stepper, leg, heading, point);
  foot->landing_yaw = wrap_angle(heading.angle + root->lead.angle);

  // Nearer and nearer to the reference, until the ground supports the foot.
  foot->refusal = FOOT_NOT_REFUSED;
  for (int quarter = 4; quarter >= 0; quarter--) {
    double share = quarter / 4.0;
    double x = base[0] + share * (point[0] - base[0]), z = base[1] + share * (point[1] - base[1]);
    FootRefusal refusal = stepper_ground(def, step, x, z, foot->landing, foot->normal);
    if (refusal == FOOT_NOT_REFUSED)
      return;
    if (foot->refusal == FOOT_NOT_REFUSED) // keeps the reason for the wanted place
      foot->refusal = refusal;
  }
  // No ground anywhere: at the height where it stood last.
  foot->landing[0] = point[0];
  foot->landing[2] = point[1];
}

versors stepper_foot_rotation(const StepperRestLeg *rest, const double normal[3], double yaw) {
  versors turn = quat_about(1, yaw);
  vec3s up = {{(float)normal[0], (float)normal[1], (float)normal[2]}};
  versors lean = quat_shortest_arc((vec3s){{0, 1, 0}}, up);
  return glms_quat_normalize(glms_quat_mul(lean, glms_quat_mul(turn, rest->foot_rotation_m)));
}

// ---- Pose ----

static vec3s ankle_goal(const StepperLeg *leg, const StepperFoot *foot) {
  vec3s sole = {{(float)foot->place[0], (float)(foot->place[1] + foot->lift), (float)foot->place[2]}};
  return glms_vec3_sub(sole, quat_turn(foot->rotation, leg->leg.sole_l));
}

// How far a hip must be lowered for its ankle to be within reach.
static double sink_for(vec3s hip, vec3s ankle, double reach) {
  double x = (double)(hip.x - ankle.x), z = (double)(hip.z - ankle.z);
  return fmax((double)(hip.y - ankle.y) - sqrt(fmax(reach * reach - x * x - z * z, 0)), 0);
}

void stepper_find_sink(const StepperDef *def, Stepper *stepper, const LayerStep *step) {
  double most = def->sink * def->leg_length, easy = 0, needed = 0;
  for (int i = 0; i < def->count; i++) {
    const StepperLeg *leg = &def->legs[i];
    const StepperFoot *foot = &stepper->feet[i];
    vec3s hip, ankle = ankle_goal(leg, foot);
    versors rotation;
    pose_joint_transform(step->skeleton, step->pose_w, leg->leg.hip, &hip, &rotation);
    // The weight of a foot in the air decreases with its distance from both ends of the step, so that nothing jumps.
    double half = 4 * foot->progress * (1 - foot->progress), share = 1 - half * half;
    easy = fmax(easy, share * sink_for(hip, ankle, stepper->stance.legs[i].easy_reach));
    needed = fmax(needed, share * sink_for(hip, ankle, leg->reach));
  }
  spring_follow(&stepper->sink, fmin(easy, most), SINK_DAMP, step->dt);
  stepper->sunk = fmin(fmax(stepper->sink.value, needed), most);
}

void stepper_place_legs(const StepperDef *def, Stepper *stepper, const LayerStep *step) {
  step->pose_w->position[0].y -= (float)stepper->sunk;
  for (int i = 0; i < def->count; i++) {
    const StepperLeg *leg = &def->legs[i];
    StepperFoot *foot = &stepper->feet[i];
    vec3s ankle = ankle_goal(leg, foot);
    vec3s pole = stepper->stance.legs[i].pole_p;
    foot->missing = leg->hinge
                        ? leg_reach_hinged(step->skeleton, &leg->leg, ankle, foot->rotation, step->pose_w)
                        : leg_reach_sprawled(step->skeleton, &leg->leg, ankle, foot->rotation, pole, step->pose_w);
    if (foot->landed && foot->refusal == FOOT_NOT_REFUSED && (double)foot->missing > MISSED * leg->length)
      foot->refusal = FOOT_OUT_OF_REACH;
  }
}
