// The gait of the stepper: which legs begin a step, in turn or out of turn, and the progress of steps.
#include <math.h>

#include "anim/layers/stepper/stepper_internal.h"
#include "sim/base/numbers.h"

static const double STILL_SPEED = 0.25; // units/s below which the body stands
static const double STILL_TURN = 0.05;  // rad/s
static const double SETTLE_AFTER = 0.2; // s of standing after which feet return to their references
static const double TOP_SPEED = 3;      // limit of a step's speed, in units of its mean speed; a smooth one needs 1.5
static const double HASTE = 0.6;        // of a step's usual time: a leg that has less time before it escapes steps
                                        // first
static const double IN_TIME = 0.9;      // of the time to an escape, as a margin for the body turning or speeding up
static const double FOOTHOLD = 0.1;     // leg lengths: largest distance to the ground at which a standing foot moves
                                        // with it
static const double CLEARANCE = 0.1;    // units: distance between a step and the highest bump on its path

// ---- Steps under way ----

// A curve from 0 to 1 and back over a step; its slope is 0 at both ends and in the middle.
static double hump(double progress) {
  double half = 4 * progress * (1 - progress);
  return half * half;
}

static double step_height(const StepperDef *def, double unit, const StepperFoot *foot, double progress) {
  return unit * def->lift * curve_value(&def->height, progress) + foot->clearance * hump(progress);
}

// Time in s from landing until the foot has to step again, if the body keeps its velocity.
static double stance_time(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg) {
  double velocity[2], level[2], offset[2], time = INFINITY;
  stepper_reference_velocity(stepper, root, leg, velocity);
  double speed = length_2d(velocity);
  if (speed > 0) {
    level_from_world(root->heading, velocity, level);
    stepper_landing_offset(def, stepper, root, leg, offset);
    double ahead = (offset[0] * level[0] + offset[1] * level[1]) / speed;
    time = (stepper_allowed(def, stepper->stance.unit, -level[1] / speed) + ahead) / speed;
  }
  if (root->turn_rate != 0)
    time = fmin(time, def->angle_limit * RAD_PER_DEGREE / fabs(root->turn_rate));
  return time;
}

double stepper_step_duration(const StepperDef *def, const Stepper *stepper, const StepperRoot *root) {
  double duration = def->step_time;
  int others = def->group_count > 1 ? def->group_count - 1 : 1;
  for (int i = 0; i < def->count && def->keep_up > 0; i++)
    duration = fmin(duration, def->keep_up * stance_time(def, stepper, root, i) / others);
  return fmax(duration, def->step_time_min);
}

// Time in s until a standing foot escapes or the body has turned too far.
static double time_to_escape(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg) {
  const StepperFoot *foot = &stepper->feet[leg];
  double velocity[2], level[2], offset[2], time = INFINITY;
  stepper_reference_velocity(stepper, root, leg, velocity);
  double speed2 = velocity[0] * velocity[0] + velocity[1] * velocity[1];
  if (speed2 > 0) {
    level_from_world(root->heading, velocity, level);
    stepper_foot_offset(foot, offset);
    double limit =
        def->escape * fmin(stepper_allowed(def, stepper->stance.unit, -level[1] / sqrt(speed2)), foot->allowed);
    double along = offset[0] * velocity[0] + offset[1] * velocity[1];
    double left = limit * limit - foot->distance * foot->distance;
    // solution of |offset - velocity t| = limit
    time = fmax((along + sqrt(fmax(along * along + speed2 * left, 0))) / speed2, 0);
  }
  if (root->turn_rate != 0) {
    double turned = -foot->angle * copysign(1, root->turn_rate);
    time = fmin(time, fmax(def->angle_limit * RAD_PER_DEGREE - turned, 0) / fabs(root->turn_rate));
  }
  return time;
}

// The progress per second of a step. A step is faster if a foot of another group would escape meanwhile.
static double step_rate(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg, double dt) {
  double rate = 1 / root->step_duration, left = 1 - stepper->feet[leg].progress;
  for (int i = 0; i < def->count; i++) {
    const StepperFoot *other = &stepper->feet[i];
    bool waits = !other->stepping && (def->legs[i].group != def->legs[leg].group || def->legs[i].group < 0);
    if (waits)
      rate = fmax(rate, left / fmax(IN_TIME * time_to_escape(def, stepper, root, i) - dt, def->step_time_min * left));
  }
  return rate;
}

// A standing foot moves with the ground under it, a foot in the air with the ground under the root.
static void ride_ground(const StepperDef *def, StepperFoot *foot, const LayerStep *step) {
  const double reach = FOOTHOLD * def->leg_length, down[3] = {0, -1, 0};
  const double origin[3] = {foot->place[0], foot->place[1] + reach, foot->place[2]};
  GroundHit hit = {.distance = 0};
  const double *velocity = step->ground_velocity;
  if (!foot->stepping) {
    unsigned mask = GROUND_TERRAIN | GROUND_PLATFORMS;
    if (!step->ground->ray(step->ground->context, mask, origin, down, 2 * reach, &hit))
      return;
    velocity = hit.velocity_w;
  }
  for (int k = 0; k < 3; k++)
    foot->place[k] += velocity[k] * step->dt;
  if (foot->stepping || hit.turn_rate == 0)
    return;
  double turn = hit.turn_rate * step->dt;
  versors rotation = quat_about(1, turn);
  foot->yaw = wrap_angle(foot->yaw + turn);
  foot->rotation = glms_quat_normalize(glms_quat_mul(rotation, foot->rotation));
}

static void land(Stepper *stepper, StepperFoot *foot) {
  for (int k = 0; k < 3; k++)
    foot->place[k] = foot->landing[k];
  foot->yaw = foot->landing_yaw;
  foot->stepping = false;
  foot->settled = stepper->standing;
  foot->lift = foot->progress = foot->clearance = 0;
  foot->landed = true;
}

// Moves the foot by this step's share of the remaining path: a moving landing point then causes no jump and is still
// reached.
static void step_on(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root, int leg) {
  StepperFoot *foot = &stepper->feet[leg];
  double rate = step_rate(def, stepper, root, leg, step->dt), before = foot->progress;
  double after = before + rate * step->dt;
  after = after > 1 - 1e-9 ? 1 : after;
  stepper_find_landing(def, stepper, step, root, leg, (1 - after) / rate);

  double done = smooth_step(before), share = after < 1 ? (smooth_step(after) - done) / (1 - done) : 1;
  double way[3], velocity[2];
  for (int k = 0; k < 3; k++)
    way[k] = foot->landing[k] - foot->place[k];
  stepper_reference_velocity(stepper, root, leg, velocity);
  double mean_speed = rate * 2 * stepper->stance.unit * curve_value(&def->offset, 0) + length_2d(velocity);
  double most = TOP_SPEED * mean_speed * step->dt, wanted = share * length3(way);
  if (wanted > most) { // the landing point has moved away: the step takes longer
    share *= most / wanted;
    after = before + (after - before) * (most / wanted);
  }
  for (int k = 0; k < 3; k++)
    foot->place[k] += share * way[k];
  versors goal = stepper_foot_rotation(&stepper->stance.legs[leg], foot->normal, foot->landing_yaw);
  foot->rotation = quat_slerp(foot->rotation, goal, (float)share);
  foot->yaw = wrap_angle(foot->yaw + share * wrap_angle(foot->landing_yaw - foot->yaw));
  foot->progress = after;
  foot->lift = step_height(def, stepper->stance.unit, foot, after);
  if (after >= 1)
    land(stepper, foot);
}

// ---- Beginning a step ----

// The additional height needed over bumps on the path, beyond the usual height of a step.
static double find_clearance(const StepperDef *def, double unit, const StepperFoot *foot, const Ground *ground) {
  double most = 0.5 * def->leg_length, clearance = 0;
  for (int i = 1; i < 4; i++) {
    double progress = i / 4.0, way = smooth_step(progress), height, point[3];
    for (int k = 0; k < 3; k++)
      point[k] = foot->place[k] + way * (foot->landing[k] - foot->place[k]);
    if (!ground->height(ground->context, point[0], point[2], point[1] + most, &height, NULL))
      continue;
    double bump = height - point[1], usual = unit * def->lift * curve_value(&def->height, progress);
    if (bump > 0)
      clearance = fmax(clearance, (bump + CLEARANCE * unit - usual) / hump(progress));
  }
  return fmin(clearance, most);
}

static void lift_off(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root, int leg) {
  StepperFoot *foot = &stepper->feet[leg];
  foot->stepping = true;
  foot->progress = foot->lift = 0;
  for (int k = 0; k < 3; k++)
    foot->landing[k] = foot->place[k];
  double duration = 1 / step_rate(def, stepper, root, leg, step->dt);
  stepper_find_landing(def, stepper, step, root, leg, duration);
  foot->clearance = find_clearance(def, stepper->stance.unit, foot, step->ground);
  stepper->steps++;
  if (root->speed > STILL_SPEED * stepper->stance.unit || fabs(root->turn_rate) > STILL_TURN)
    stepper->standing = false;
}

static bool is_still(const Stepper *stepper, const StepperRoot *root) {
  return root->speed <= STILL_SPEED * stepper->stance.unit && fabs(root->turn_rate) <= STILL_TURN;
}

// The share of its allowed offset that a foot has used; above 1 it needs a step. 0 while its reference comes nearer.
static double used_up(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg) {
  const StepperFoot *foot = &stepper->feet[leg];
  double velocity[2], offset[2];
  stepper_reference_velocity(stepper, root, leg, velocity);
  stepper_foot_offset(foot, offset);
  bool nearing = offset[0] * velocity[0] + offset[1] * velocity[1] > 0;
  double turned = foot->angle * root->turn_rate > 0 ? 0 : fabs(foot->angle) / (def->angle_limit * RAD_PER_DEGREE);
  return fmax(nearing && !foot->escaped ? 0 : foot->distance / foot->allowed, turned);
}

// A foot that has returned to its place under a standing body stays, unless it is too far away.
static bool wants_step(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int leg, double share) {
  const StepperFoot *foot = &stepper->feet[leg];
  bool settles = stepper->standing && !(foot->settled && is_still(stepper, root));
  return !foot->stepping && used_up(def, stepper, root, leg) > share * (settles ? def->settle : 1);
}

static bool group_wants(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int group) {
  for (int i = 0; i < def->count; i++)
    if (def->legs[i].group == group && wants_step(def, stepper, root, i, 1))
      return true;
  return false;
}

static int count_stepping(const StepperDef *def, const Stepper *stepper, int group, bool of_group) {
  int count = 0;
  for (int i = 0; i < def->count; i++)
    count += stepper->feet[i].stepping && (def->legs[i].group == group) == of_group;
  return count;
}

// A leg may step when no other leg is in the air or, in turn, when at least half of the legs stay on the ground.
static bool may_step(const StepperDef *def, const Stepper *stepper, int leg, bool in_turn) {
  int group = def->legs[leg].group;
  int others = count_stepping(def, stepper, group, false), own = count_stepping(def, stepper, group, true);
  return (in_turn && others == 0) || 2 * (own + others + 1) <= def->count;
}

static void begin_turn(const StepperDef *def, Stepper *stepper, int group) {
  stepper->active = group;
  stepper->active_moved = false;
  for (int i = 0; i < def->count; i++)
    stepper->feet[i].taken = false;
}

// The shortest time until a standing leg of a group (-1: of no group) escapes.
static double group_time(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, int group) {
  double time = INFINITY;
  for (int i = 0; i < def->count; i++)
    if (def->legs[i].group == group && !stepper->feet[i].stepping)
      time = fmin(time, time_to_escape(def, stepper, root, i));
  return time;
}

// The turn passes to the next group when all feet of the group have landed. A group that needs no step is skipped, and
// so is one that can wait if another group could not wait for it to finish.
static void choose_group(const StepperDef *def, Stepper *stepper, const StepperRoot *root) {
  int groups = def->group_count, chosen = -1, first = stepper->active < 0 ? 0 : stepper->active;
  if (stepper->active >= 0 && stepper->active_moved) {
    if (count_stepping(def, stepper, stepper->active, true) > 0)
      return;
    first = (stepper->active + 1) % groups;
    begin_turn(def, stepper, first);
  }
  double patience = HASTE * root->step_duration, time = INFINITY;
  for (int i = 0; i < groups; i++) {
    int group = (first + i) % groups;
    if (!group_wants(def, stepper, root, group))
      continue;
    double left = group_time(def, stepper, root, group);
    if (chosen < 0 || (left < patience && left < time)) {
      chosen = group;
      time = left;
    }
  }
  if (chosen >= 0 && chosen != stepper->active)
    begin_turn(def, stepper, chosen);
}

// A leg of no group that is about to escape steps first; legs of a group that are late wait for its next turn.
static bool must_wait(const StepperDef *def, const Stepper *stepper, const StepperRoot *root, bool first) {
  double other = group_time(def, stepper, root, -1), own = group_time(def, stepper, root, stepper->active);
  for (int group = 0; group < def->group_count && !first; group++)
    if (group != stepper->active)
      other = fmin(other, group_time(def, stepper, root, group));
  return other < HASTE * root->step_duration && other < own;
}

// No leg of a group may begin a step in a turn after the first one has landed, so that late legs do not keep other
// groups waiting.
static bool is_closing(const StepperDef *def, const Stepper *stepper) {
  for (int i = 0; i < def->count; i++)
    if (stepper->feet[i].taken && !stepper->feet[i].stepping)
      return true;
  return false;
}

static void start_active(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root) {
  bool first = !stepper->active_moved && group_wants(def, stepper, root, stepper->active);
  bool wants[SKELETON_MAX_LEGS] = {false};
  if (is_closing(def, stepper) || must_wait(def, stepper, root, first))
    return;
  for (int i = 0; i < def->count; i++) // before any lift-off changes what standing feet need
    wants[i] = def->legs[i].group == stepper->active && wants_step(def, stepper, root, i, first ? def->together : 1);
  for (int i = 0; i < def->count; i++)
    if (wants[i] && may_step(def, stepper, i, true)) {
      lift_off(def, stepper, step, root, i);
      stepper->feet[i].taken = stepper->active_moved = true;
    }
}

static void start_escaped(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root) {
  for (int i = 0; i < def->count; i++)
    if (stepper->feet[i].escaped && !stepper->feet[i].stepping && may_step(def, stepper, i, false)) {
      lift_off(def, stepper, step, root, i);
      stepper->escapes++;
    }
}

static void watch_standing(const StepperDef *def, Stepper *stepper, const StepperRoot *root, double dt) {
  stepper->still_time = is_still(stepper, root) ? stepper->still_time + dt : 0;
  if (stepper->still_time < SETTLE_AFTER || stepper->standing)
    return;
  stepper->standing = true;
  for (int i = 0; i < def->count; i++)
    stepper->feet[i].settled = false;
}

void stepper_walk(const StepperDef *def, Stepper *stepper, const LayerStep *step, const StepperRoot *root) {
  for (int i = 0; i < def->count; i++)
    ride_ground(def, &stepper->feet[i], step);
  watch_standing(def, stepper, root, step->dt);
  for (int i = 0; i < def->count; i++)
    stepper->feet[i].landed = false;
  for (int i = 0; i < def->count; i++)
    if (stepper->feet[i].stepping)
      step_on(def, stepper, step, root, i);
  stepper_measure(def, stepper, root);
  choose_group(def, stepper, root);
  if (stepper->active >= 0)
    start_active(def, stepper, step, root);
  start_escaped(def, stepper, step, root);
}
