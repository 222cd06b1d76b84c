// The swing leg: its ankle moves to the planned landing, which may change in every step of the simulation.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

static const double HIP_STIFFNESS = 1000, KNEE_STIFFNESS = 800, ANKLE_STIFFNESS = 300; // N m/rad
static const double DAMPING_TIME = 0.07, ANKLE_DAMPING_TIME = 0.05;                    // s
// N m/rad, of a step that catches the body or realigns the feet: a leg as soft as in walking, thrown aside as fast as
// that, passes its landing by 6 to 10 cm; with these by 4 to 5. Behind slow muscles so stiff a leg swings about its
// goal.
static const double QUICK_HIP_STIFFNESS = 3000, QUICK_KNEE_STIFFNESS = 2000;

static const double ARRIVAL = 0.9; // share of the time in which the foot arrives above its landing
static const double RISING = 0.45; // share of the step in which the foot rises
static const double ALIGNED = 0.5; // share of the step in which the sole becomes parallel to a slope downhill
static const double LEAST_TIME = 0.04, LEAST_TIME_DOWN = 0.03, LEAST_TIME_UP = 0.02; // s
static const double LARGEST_ACCELERATION = 120, LARGEST_LIFT = 150;                  // m/s^2
static const double FASTEST = 6, FASTEST_LIFT = 3;                                   // m/s
static const double TOUCH_DEPTH = 0.003; // m: depth below the ground of the ankle's goal
// A foot that lands on its heel, WHOLE_HEEL rad or more, comes down at a speed, m/s, with a deeper goal, m, that is
// lower still by what the foot lags behind, m: a foot that lands late finds a body that has begun to fall.
static const double WHOLE_HEEL = 0.03, HEEL_SPEED = 0.3, HEEL_DEPTH = 0.009, LARGEST_LAG = 0.03;
static const double SEARCH_SPEED = 0.5;             // m/s: downward speed if no ground is met in time
static const double EDGE = 0.03, EDGE_LEAST = 0.06; // m above an edge that the foot still has to pass; its least height
static const double SEARCH_SPEED_BY_DROP = 5;       // m/s per m that the landing is below the stance foot
static const double SHOE = 0.08;                    // m ahead of the ankle, where the ground is sampled
static const double FASTEST_TURN = 15;              // rad/s of the joints' goals
static const double CLEAR_AHEAD = 0.22;             // m from the stance ankle: clear of the leg
// A foot that has not been raised yet waits before a riser, ground that is higher by RISER, m, than its sole and than a
// slope as of the landing, this far away from it, m; it stops, and goes on rising, within a time, s.
static const double RISER = 0.02, BEFORE_RISER = 0.04, WAITING_TIME = 0.06;
static const double UNROLLED = 0.5; // share of the step in which a raised heel sinks
// Shares of the step between which the toes turn down for a landing below, or up for one on the heel.
static const double TOES_FROM = 0.4, TOES_UNTIL = 0.8;
// m: the foot is raised higher by HIGHER_DOWN where its landing is deeper than its path's highest ground by WHOLE_FALL
// or more, and by nothing up to LEAST_FALL: its leg folds late under a body that sinks, and its ankle cannot keep the
// sole level.
static const double HIGHER_DOWN = 0.07, LEAST_FALL = 0.1, WHOLE_FALL = 0.2;
enum { PATH_POINTS = 6 };

// A goal that a coordinate of the ankle comes to after `left`, s, with a velocity.
typedef struct Arrival {
  double goal, velocity, left; // m, m/s, s
} Arrival;

// One step of the cubic that does so: its acceleration now (Hermite).
static void approach(double *place, double *velocity, Arrival end, double most, double fastest, double h) {
  double left = end.left;
  double acceleration = 6 * (end.goal - *place) / (left * left) - (4 * *velocity + 2 * end.velocity) / left;
  *velocity += fmax(-most, fmin(most, acceleration)) * h;
  *velocity = fmax(-fastest, fmin(fastest, *velocity));
  *place += *velocity * h;
}

static double highest_on_path(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  Plane2 from = plane2_of(balance->swing_ankle), to = plane2_of(balance->landing.ankle);
  Plane2 shoe = plane2_turn((Plane2){.x = 0, .z = SHOE * balance->body.length}, balance->swing_yaw);
  double highest = -HUGE_VAL, above = balance->feet[balance->swing].hip[1];
  for (int i = 0; i <= PATH_POINTS; i++) {
    Plane2 place = plane2_add(plane2_between(from, to, (double)i / PATH_POINTS), shoe);
    highest = fmax(highest, balance_ground(step->ground, place, above, -HUGE_VAL));
  }
  return highest;
}

// The end of the sole that is the last to pass an edge, of a foot whose ankle is there, m, world.
static Plane2 last_end(const Balancer *balance, Plane2 ankle) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  Plane2 end = {.x = 0, .z = leg->sole_ahead + (balance->speed.z >= 0 ? -leg->half_length : leg->half_length)};
  return plane2_add(ankle, plane2_turn(end, balance->swing_yaw));
}

static double height_behind(const BalanceStep *step, Plane2 ankle) {
  const Balancer *balance = step->balance;
  return balance_ground(step->ground, last_end(balance, ankle), balance->feet[balance->swing].hip[1], -HUGE_VAL);
}

// Height of the ground under the end of the sole that is the last to pass an edge, over the plane of the landing, m.
static double edge_below(const BalanceStep *step, Plane2 ankle) {
  const Balancer *balance = step->balance;
  const BalanceLanding *landing = &balance->landing;
  Plane2 way = plane2_sub(last_end(balance, ankle), plane2_of(landing->ankle));
  double plane = landing->ankle[1] - balance->body.legs[balance->swing].foot_height + balance_plane_rise(landing, way);
  return height_behind(step, ankle) - plane;
}

// The foot lags behind its goal: both have to pass.
static double edge_to_pass(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  return fmax(edge_below(step, plane2_of(balance->swing_ankle)),
              edge_below(step, plane2_of(balance->feet[balance->swing].ankle)));
}

// Height of the ground that a rising foot has to clear, m: the highest before it, or the edge that its heel has not
// passed yet. On a slope the ground behind is higher without an edge.
static double height_to_clear(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  double highest = highest_on_path(step);
  double behind = fmax(height_behind(step, plane2_of(balance->swing_ankle)),
                       height_behind(step, plane2_of(balance->feet[balance->swing].ankle)));
  return !balance->landing.sloped && behind > highest + EDGE_LEAST ? behind : highest;
}

// Horizontal goal of the swing ankle on its way to where it touches the ground, so that the foot goes around the stance
// leg: the ankle passes the stance leg on the swing leg's own side, and crosses to the other side only after that.
static Plane2 lead_around(const Balancer *balance, const double touching[3]) {
  double length = balance->body.length, clear = CLEAR_AHEAD * length, apart = balance_clear_side(balance);
  double side = balance->body.legs[balance->swing].side;
  const BalanceFoot *stance = &balance->feet[1 - balance->swing];
  Plane2 now = plane2_turn(plane2_sub(plane2_of(balance->swing_ankle), plane2_of(stance->ankle)), -stance->yaw);
  Plane2 goal = plane2_turn(plane2_sub(plane2_of(touching), plane2_of(stance->ankle)), -stance->yaw);
  bool passed = fabs(now.z) >= clear, same = now.z * goal.z > 0 && fabs(goal.z) >= clear;
  if (side * now.x < apart && passed && !same)
    goal.z = copysign(clear, now.z);
  if (side * goal.x < apart && !(passed && same))
    goal.x = side * apart;
  return plane2_add(plane2_of(stance->ankle), plane2_turn(goal, stance->yaw));
}

// Whether the foot, with its ankle there, would strike a riser as it goes on: it has not been raised enough yet.
static bool is_before_riser(const BalanceStep *step, const double ankle[3], Plane2 goal) {
  const Balancer *balance = step->balance;
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  Plane2 way = plane2_turn(plane2_sub(goal, plane2_of(ankle)), -balance->swing_yaw);
  double before = leg->half_length + fmin(BEFORE_RISER * balance->body.length, fabs(way.z));
  Plane2 end = {.x = 0, .z = leg->sole_ahead + (way.z >= 0 ? before : -before)};
  Plane2 place = plane2_add(plane2_of(ankle), plane2_turn(end, balance->swing_yaw));
  double above = balance->feet[balance->swing].hip[1], riser = RISER * balance->body.length;
  if (balance_before_obstacle(balance, ankle))
    return true;
  double ground = balance_ground(step->ground, place, above, -HUGE_VAL);
  if (!(ground > ankle[1] - leg->foot_height + riser))
    return false;
  double slope =
      balance->landing.sloped ? balance_plane_rise(&balance->landing, plane2_sub(place, plane2_of(ankle))) : 0;
  return ground > balance_ground(step->ground, plane2_of(ankle), above, -HUGE_VAL) + fmax(0, slope) + riser;
}

// How the ankle comes down to the height at which its foot touches the ground.
static Arrival touch_down(const Balancer *balance, double ground, double left) {
  double heel = fmax(0, fmin(1, -balance_landing_pitch(balance) / WHOLE_HEEL));
  double lag = balance->feet[balance->swing].ankle[1] - balance->swing_ankle[1];
  double most = LARGEST_LAG * balance->body.length;
  double depth = TOUCH_DEPTH + heel * (HEEL_DEPTH * balance->body.length + fmax(0, fmin(most, lag)));
  return (Arrival){.goal = ground - depth, .velocity = -heel * HEEL_SPEED, .left = fmax(left, LEAST_TIME_DOWN)};
}

static void move_ankle(BalanceStep *step) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  double *place = balance->swing_ankle, *velocity = balance->swing_velocity, h = step->h;
  double left = balance->duration - balance->step_time, touching[3];
  balance_touching_ankle(balance, touching);
  double ground = touching[1];
  double drop = fmax(0, balance->feet[1 - balance->swing].ankle[1] - ground) / body->length;
  double over = fmax(ARRIVAL * left, LEAST_TIME);
  bool in_place;
  double raise = balance_raise_left(balance, &in_place);
  Plane2 goal = in_place ? plane2_of(place) : lead_around(balance, touching);
  bool waits = is_before_riser(step, place, goal) || is_before_riser(step, balance->feet[balance->swing].ankle, goal);
  if (waits) {
    goal = plane2_of(place);
    over = WAITING_TIME;
  }
  const double goals[3] = {goal.x, 0, goal.z};
  for (int axis = 0; axis < 3; axis += 2)
    approach(&place[axis], &velocity[axis], (Arrival){.goal = goals[axis], .left = over}, LARGEST_ACCELERATION, FASTEST,
             h);

  double rising = fmax(RISING * balance->duration - balance->step_time, fmax(raise, waits ? WAITING_TIME : 0));
  double edge = rising > LEAST_TIME_UP ? 0 : edge_to_pass(step);
  if (rising > LEAST_TIME_UP) {
    double passed = height_to_clear(step) + body->legs[balance->swing].foot_height;
    double fall = (passed - balance->landing.ankle[1]) / body->length;
    double higher = HIGHER_DOWN * fmax(0, fmin(1, (fall - LEAST_FALL) / (WHOLE_FALL - LEAST_FALL)));
    double top = fmax(passed, ground) + balance_clearance(balance) + higher * body->length;
    approach(&place[1], &velocity[1], (Arrival){.goal = top, .left = rising}, LARGEST_LIFT, FASTEST_LIFT, h);
  } else if (edge > EDGE_LEAST) {
    const Arrival over_edge = {.goal = ground + edge + EDGE, .left = LEAST_TIME_DOWN};
    approach(&place[1], &velocity[1], over_edge, LARGEST_LIFT, FASTEST_LIFT, h);
  } else if (left > 0) {
    approach(&place[1], &velocity[1], touch_down(balance, ground, left), LARGEST_LIFT, FASTEST_LIFT, h);
  } else {
    velocity[1] = -SEARCH_SPEED - SEARCH_SPEED_BY_DROP * drop;
    place[1] += velocity[1] * h;
  }
}

// Sets the goal's angular velocity to its mean velocity since the previous simulation step.
static void lead(BalanceStep *step, int number, int joint) {
  Balancer *balance = step->balance;
  versors now = step->goals[joint].rotation;
  if (balance->has_swing_goal) {
    vec3s turn = quat_log(glms_quat_mul(now, glms_quat_conjugate(balance->swing_goal[number])));
    for (int axis = 0; axis < 3; axis++) {
      double rate = (double)turn.raw[axis] / step->h;
      step->goals[joint].angular_velocity_l.raw[axis] = (float)fmax(-FASTEST_TURN, fmin(FASTEST_TURN, rate));
    }
  }
  balance->swing_goal[number] = now;
}

// Whether the foot lands on a slope below the other one. There heel or toes of a sole that is not parallel to it yet
// would touch the ground early.
static bool is_downhill(const Balancer *balance) {
  return balance->landing.sloped && balance->landing.ankle[1] < balance->feet[1 - balance->swing].ankle[1];
}

// The normal of the sole's goal, not of unit length: from the vertical, or downhill from that of the ground under the
// foot, to that of its landing.
static void sole_normal(const BalanceStep *step, double normal[3]) {
  const Balancer *balance = step->balance;
  double under[3] = {0, 1, 0}, share = fmin(1, balance->step_time / balance->duration);
  if (is_downhill(balance)) {
    const BalanceFoot *foot = &balance->feet[balance->swing];
    balance_foot_ground(step->ground, &balance->body.legs[balance->swing], plane2_of(foot->ankle), foot->hip[1],
                        balance->swing_yaw, under);
    share = fmin(1, share / ALIGNED);
  }
  for (int i = 0; i < 3; i++)
    normal[i] = share * balance->landing.normal[i] + (1 - share) * under[i];
}

// Turns the sole to its goal; downhill the sole keeps its direction as the shin turns, instead of lagging behind.
static void aim_sole(BalanceStep *step, versors sole) {
  const Balancer *balance = step->balance;
  const Leg *leg = balance->body.legs[balance->swing].leg;
  versors shin = balance_part_rotation(step->ragdoll, leg->knee);
  balance_aim(step, leg->ankle, shin, sole, ANKLE_STIFFNESS, ANKLE_DAMPING_TIME);
  if (!is_downhill(balance))
    return;
  vec3s spin = vec3_from_ode(dBodyGetAngularVel(step->ragdoll->ode[leg->knee]));
  step->goals[leg->ankle].angular_velocity_l = glms_quat_rotatev(glms_quat_conjugate(shin), glms_vec3_negate(spin));
}

void balance_swing(BalanceStep *step) {
  Balancer *balance = step->balance;
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  const BalanceFoot *foot = &balance->feet[balance->swing];
  move_ankle(step);
  double phase = balance->step_time / balance->duration;
  double turned = smooth_step(phase / ARRIVAL) * wrap_angle(balance->landing.yaw - balance->lift_yaw);
  balance->swing_yaw = balance->lift_yaw + turned;

  double longest = BALANCE_REACH * (leg->thigh + leg->shin), normal[3];
  versors thigh;
  double knee = balance_leg_reach(leg, foot->hip, balance->swing_ankle, balance->swing_yaw, longest, &thigh);
  bool stiff = !balance->walking && !step->muscles_are_slow;
  balance_aim(step, leg->leg->hip, balance->pelvis, thigh, stiff ? QUICK_HIP_STIFFNESS : HIP_STIFFNESS, DAMPING_TIME);
  balance_aim_knee(step, leg->leg->knee, knee, stiff ? QUICK_KNEE_STIFFNESS : KNEE_STIFFNESS, DAMPING_TIME);
  lead(step, 0, leg->leg->hip);
  lead(step, 1, leg->leg->knee);
  balance->has_swing_goal = true;
  balance_hold_weight(step, leg->leg->hip);
  balance_hold_weight(step, leg->leg->knee);

  sole_normal(step, normal);
  BalanceFootGoal *goal = &step->feet[balance->swing];
  *goal = (BalanceFootGoal){.yaw = balance->swing_yaw, .sole = balance_foot_rotation(normal, balance->swing_yaw)};
  goal->sole = balance_raise_heel(goal->sole, balance->rolled * (1 - smooth_step(phase / UNROLLED)));
  double turning = smooth_step((phase - TOES_FROM) / (TOES_UNTIL - TOES_FROM));
  goal->sole = balance_raise_heel(goal->sole, turning * balance_landing_pitch(balance));
  memcpy(goal->ankle, balance->swing_ankle, sizeof goal->ankle);
  aim_sole(step, goal->sole);
}
