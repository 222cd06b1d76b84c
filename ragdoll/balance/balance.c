// The balance controller's step, top to bottom: measure, decide whether to stand or to step, plan, and turn that into
// goals and torques of the joints.
#include "ragdoll/balance/balance.h"

#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

PARAM_TABLE(
    balance_params, BalanceDef, BALANCE_PARAMS, "balance",
    "Balance, recovery steps and walking by the joints alone: no hidden hand. xi: the extrapolated centre of mass.")

// Of the joints of a spine whose own drives are no softer than that.
static const double SPINE_STIFFNESS = 1500, SPINE_DAMPING_TIME = 0.1; // N m/rad, s
static const double LEAN = 0.02, LEAN_BY_SPEED = 0.02;                // rad, rad per m/s, in walking
// rad per unit of slope, uphill: leaning forward, as people do, the ankle that stands has to bend less.
static const double LEAN_BY_SLOPE = 0.5;
static const double LARGEST_TWIST = 0.5; // rad of the pelvis against the stance foot
// rad: largest yaw error that the goal of the pelvis asks to correct, in walking. A foot on its edge can resist little
// yaw torque; in a quick step it resists none, and pivots instead: the pelvis then turns as it does.
static const double LARGEST_YAW_ERROR = 0.07;

// The pressure under the stance foot in a step.
static const double PRESSURE_PLACE = -0.005;              // m from the middle of the sole
static const double EDGE_AHEAD = 0.02, EDGE_SIDE = 0.015; // m: least distance to the sole's edge
static const double EXPECTED_PRESSURE = 0.7;              // share of the pressure's shift used to predict landings

static void aim_pelvis(BalanceStep *step) {
  const Balancer *balance = step->balance;
  const BalanceFoot *feet = balance->feet;
  double lean = 0;
  if (balance->mode == BALANCE_STANDING) {
    step->pelvis_yaw = feet[0].yaw + wrap_angle(feet[1].yaw - feet[0].yaw) / 2;
  } else {
    double stance = feet[1 - balance->swing].yaw, twist = wrap_angle(balance->heading - stance);
    step->pelvis_yaw = stance + fmax(-LARGEST_TWIST, fmin(LARGEST_TWIST, twist));
    vec3s front = glms_quat_rotatev(balance->pelvis, (vec3s){{0, 0, 1}});
    double present = atan2((double)front.x, (double)front.z), off = wrap_angle(step->pelvis_yaw - present);
    double most = balance->walking ? LARGEST_YAW_ERROR : 0;
    step->pelvis_yaw = present + fmax(-most, fmin(most, off));
    if (balance->walking)
      lean = LEAN + LEAN_BY_SPEED * balance->speed.z + LEAN_BY_SLOPE * fmax(0, balance_slope_ahead(balance));
  }
  versors yaw = quat_about(1, step->pelvis_yaw), forward = quat_about(0, lean);
  const double *tilt = balance->tilt;
  versors turn = glms_quat_mul(glms_quat_mul(balance_lean_turn(balance), forward), quat_exp(vec3_from_ode(tilt)));
  step->pelvis = glms_quat_mul(yaw, turn);
}

// The spine keeps the bend of the animation as if the pelvis had its goal rotation. The pelvis' rotation error is
// distributed evenly over the spine's joints, so that the last joint keeps the chest's orientation in the world.
static void aim_spine(BalanceStep *step, const Pose *pose_w) {
  const BalanceBody *body = &step->balance->body;
  versors pelvis = step->balance->pelvis, bend = glms_quat_identity();
  vec3s off = quat_log(glms_quat_mul(glms_quat_conjugate(pelvis), step->pelvis));
  for (int i = 0; i < body->spine_count; i++) {
    int joint = body->spine[i];
    versors parent = balance_part_rotation(step->ragdoll, step->ragdoll->def->parts[joint].parent);
    bend = glms_quat_mul(bend, pose_w->rotation[joint]);
    versors taken = quat_exp(glms_vec3_scale(off, (float)(i + 1) / (float)body->spine_count));
    versors goal = glms_quat_mul(glms_quat_mul(pelvis, taken), bend);
    if (step->ragdoll->def->parts[joint].joint.stiffness < SPINE_STIFFNESS * body->force)
      balance_turn(step, joint, parent, goal);
    else
      balance_aim(step, joint, parent, goal, SPINE_STIFFNESS, SPINE_DAMPING_TIME);
  }
}

// The nearest place along the line to the middle that is inside an ellipse. The corners of a sole are left out: a foot
// that is pressed at a corner has no friction against a turn about it, and pivots.
static Plane2 inside_ellipse(Plane2 place, double half_width, double half_length) {
  double size = hypot(place.x / half_width, place.z / half_length);
  return size > 1 ? plane2_scale(place, 1 / size) : place;
}

// m/s: the walking speed that the stance foot sees to. To go faster, the body falls forward over it at once. To go
// slower is left to the place of the next step: pressure under the toes alone would turn the foot on the spot.
static Plane2 speed_over_foot(const Balancer *balance) {
  return plane2_length(balance->speed) < plane2_length(balance->step_speed) ? balance->step_speed : balance->speed;
}

// The wanted centre of pressure under the stance foot, world: shifted from its rest place by stepping_gain times the
// error of xi from its nominal path, limited to the sole. expected: out, the centre of pressure to predict landings.
static Plane2 stance_pressure(Balancer *balance, Plane2 *expected) {
  const BalanceBody *body = &balance->body;
  int side = 1 - balance->swing;
  const BalanceLeg *leg = &body->legs[side];
  const BalanceFoot *foot = &balance->feet[side];
  double omega = balance_divergence(balance) * balance->omega, place = PRESSURE_PLACE * body->length;
  double sine, cosine;
  sincos(foot->yaw, &sine, &cosine);
  Plane2 sole = plane2_of(foot->sole),
         rest = plane2_add(sole, plane2_turn_by((Plane2){.x = 0, .z = place}, sine, cosine)), offset = {.x = 0, .z = 0};
  if (balance_steps_on_purpose(balance)) {
    Plane2 velocity = plane2_add(speed_over_foot(balance), balance->speed_excess);
    double width = balance_step_width(balance), inward = body->legs[balance->swing].side;
    offset = balance_gait_offset(balance, velocity, width, inward, balance->duration, balance->double_support);
    offset = plane2_turn(offset, balance->heading);
  }
  double time = balance->double_support + fmin(balance->step_time, balance->duration);
  Plane2 nominal = lipm_predict(plane2_add(rest, offset), rest, omega, time);
  balance->error = plane2_sub(balance_xi_as_it_counts(balance, rest), nominal);
  Plane2 shift = plane2_scale(plane2_turn_by(balance->error, -sine, cosine), balance->def.stepping_gain);
  double middle, half_length;
  balance_bearing_part(leg, foot, &middle, &half_length);
  shift.z += place - middle;
  shift = inside_ellipse(shift, leg->half_width - EDGE_SIDE * body->length, half_length - EDGE_AHEAD * body->length);
  shift.z += middle;
  Plane2 pressure = plane2_add(sole, plane2_turn_by(shift, sine, cosine));
  *expected = plane2_between(rest, pressure, EXPECTED_PRESSURE);
  return pressure;
}

// Writes the resulting pose: pelvis and feet at their goals, with the legs between them by inverse kinematics.
static void show_pose(const BalanceStep *step, Pose *pose_w) {
  const Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  Plane2 middle = {.x = (body->legs[BALANCE_LEFT].hip_left + body->legs[BALANCE_RIGHT].hip_left) / 2, .z = 0};
  double sine, cosine;
  sincos(step->pelvis_yaw, &sine, &cosine);
  Plane2 root = plane2_sub(step->hips, plane2_turn_by(middle, sine, cosine));
  const double place[3] = {root.x, balance->hip_height + body->hip_height, root.z};
  pose_w->position[0] = vec3_from_ode(place);
  pose_w->rotation[0] = step->pelvis;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &body->legs[i];
    const BalanceFootGoal *foot = &step->feet[i];
    Plane2 hip = plane2_add(root, plane2_turn_by((Plane2){.x = leg->hip_left, .z = 0}, sine, cosine));
    const double hip_w[3] = {hip.x, balance->hip_height, hip.z};
    versors thigh;
    double angle =
        balance_leg_reach(leg, hip_w, foot->ankle, foot->yaw, BALANCE_REACH * (leg->thigh + leg->shin), &thigh);
    versors knee = quat_about(0, angle), shin = glms_quat_mul(thigh, knee);
    pose_w->rotation[leg->leg->hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(step->pelvis), thigh));
    pose_w->rotation[leg->leg->knee] = knee;
    pose_w->rotation[leg->leg->ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin), foot->sole));
  }
}

void balance_step(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                  double h, Pose *pose_w, const Pose *previous_w, JointGoal goals[BODY_MAX_PARTS]) {
  balance_move_with_ground(balance, command, h);
  balance_measure(balance, ragdoll, command, h);
  balance_decide(balance, ragdoll, ground, command, h);
  balance_update_trip(balance, command, h);
  balance_follow_animation(balance, command, h);
  balance_lean(balance, h);
  balance_move_arms(balance, 1 - command->arms, h, pose_w);
  balance_calm_spine(balance, pose_w, previous_w, h);
  drive_follow(ragdoll->def, pose_w, previous_w, h, goals);
  Plane2 hips = plane2_between(plane2_of(balance->feet[0].hip), plane2_of(balance->feet[1].hip), 0.5);
  BalanceStep step = {.balance = balance,
                      .ragdoll = ragdoll,
                      .ground = ground,
                      .h = h,
                      .goals = goals,
                      .hips = hips,
                      .muscles_are_slow = command->muscles_are_slow};
  aim_pelvis(&step);
  aim_spine(&step, pose_w);
  for (int i = 0; i < 2 && !command->arms_are_held; i++)
    if (balance->body.arms[i] >= 0)
      balance_hold_weight(&step, balance->body.arms[i]);
  if (balance->mode == BALANCE_STANDING) {
    balance_stand(&step);
  } else {
    Plane2 expected, pressure = stance_pressure(balance, &expected);
    balance_plan_landing(balance, ground, expected);
    Plane2 whole = balance_whole_pressure(balance, pressure);
    balance_stance(&step, pressure);
    if (balance->step_time < 0)
      balance_push_off(&step, whole);
    else
      balance_swing(&step);
    balance_apply_pressure(balance, whole);
  }
  show_pose(&step, pose_w);
}
