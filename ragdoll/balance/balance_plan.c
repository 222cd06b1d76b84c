// Plans the landing of the swing foot: the step that stops the extrapolated centre of mass, or the next one of a walk,
// at the height of the ground.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"
#include "sim/base/numbers.h"

static const double LONGEST_AHEAD = 0.75, LONGEST_SIDE = 0.75, LONGEST = 0.80; // m, of a step
static const double LOWEST_HIP = 0.70;                                         // m over the ankle at landing
static const double CROSSING = 0.08;       // m: a recovery step nearer than the least by this is allowed
static const double RECOVERY_WIDER = 0.02; // m: a recovery step lands this much outside the predicted xi
static const double SINKING = 1;           // m/s^2: growth of the fall of the body until a recovery step lands
// m: a foot that crosses the stance leg lands at least CROSSED_AHEAD before or behind the stance foot and at most
// CROSSED_SIDE beyond it. Crossing is chosen only if it reduces the violation by more than its cost.
static const double CROSSED_AHEAD = 0.28, CROSSED_SIDE = 0.2, CROSSING_COST = 0.15, WALKING_CROSSING_COST = 0.3;
static const double LARGEST_TURN = 0.6; // rad, of the landing foot relative to the stance foot

// Search for a shorter duration of the step.
static const double VIOLATION = 0.01;  // m: a landing farther out of reach than this starts the search
static const double TIME_COST = 0.05;  // m of violation per second of shortening
static const double SWING_SPEED = 4;   // m/s, the mean of a quick swing
static const double GAIN = 0.002;      // m: least reduction of the violation
static const double TIME_STEP = 0.01;  // s
static const double LEAST_LEFT = 0.03; // s

// Landings beside an edge of the ground instead of across it.
static const double LEVEL = 0.03; // slope of a landing that is not looked at closely
// Largest changes of the duration in TIME_STEP, and of the way in EDGE_STEP: for a margin, and for ground at all.
enum { EDGE_TIMES = 15, ROOM_STEPS = 3, EDGE_STEPS = 14 };
static const double EDGE_LEAST_LEFT = 0.08; // s: the swing that a changed step has left
static const double EDGE_MARGIN = 0.03;     // m between an edge and the sole, where there is room
static const double EDGE_STEP = 0.02;       // m
static const double LOWER = 0.05;           // m: ground so much lower than the foot that stands is a step down
// m: ground that is higher by HIGHER, and by no more than HIGHEST, is a step up.
static const double HIGHER = 0.08, HIGHEST = 0.28;
enum { DOWN_STEPS = 5, UP_STEPS = 7 }; // of the search for them, ahead
// The latest landing, in shares of the time of a slow step: a body that waits for longer falls over its standing foot.
static const double EDGE_LATEST = 0.95;

// Limits a step to the reach of the swing leg from the predicted place of its hip. Returns the excess, m.
static double limit_reach(const Balancer *balance, int swing, double time_left, Plane2 pressure, Plane2 *sole) {
  const BalanceLeg *leg = &balance->body.legs[swing];
  double omega = balance_divergence(balance) * balance->omega, length = balance->body.length;
  double whole = BALANCE_REACH * (leg->thigh + leg->shin), low = LOWEST_HIP * length;
  double most = sqrt(whole * whole - low * low);
  Plane2 com = plane2_of(balance->com),
         way = plane2_sub(lipm_center(com, balance->xi, pressure, omega, time_left), com);
  Plane2 hip = plane2_add(plane2_of(balance->feet[swing].hip), way);
  hip = plane2_add(hip, plane2_turn((Plane2){.x = 0, .z = leg->sole_ahead}, balance->heading));
  Plane2 apart = plane2_sub(*sole, hip);
  double distance = plane2_length(apart);
  if (distance <= most)
    return 0;
  *sole = plane2_add(hip, plane2_scale(apart, most / distance));
  return distance - most;
}

static double crossing_cost(const Balancer *balance) {
  return (balance->walking ? WALKING_CROSSING_COST : CROSSING_COST) * balance->body.length;
}

// The paths past the stance leg: beside it, or across before or behind it.
enum { BESIDE, BEFORE, BEHIND, WAYS };

// Limits a step (m ahead and left of the stance sole) that passes the stance leg on `way`. Returns the violation, m.
static double limit_step(const Balancer *balance, int swing, double time_left, Plane2 pressure, double heading, int way,
                         Plane2 *step) {
  double side = balance->body.legs[swing].side, length = balance->body.length, beyond = 0;
  StepLimits limits = {.ahead = LONGEST_AHEAD * length,
                       .side = LONGEST_SIDE * length,
                       .length = LONGEST * length,
                       .apart = balance_least_apart(balance),
                       .tolerated = balance->walking ? 0 : CROSSING * length};
  if (way != BESIDE) {
    double sign = way == BEFORE ? 1 : -1, lack = fmax(0, CROSSED_AHEAD * length - sign * step->z);
    beyond = crossing_cost(balance) + lack;
    step->z += sign * lack;
    limits.apart = -CROSSED_SIDE * length;
    limits.tolerated = 0;
  }
  beyond += lipm_limit_step(step, side, &limits);
  Plane2 stance = plane2_of(balance->feet[1 - swing].sole), sole = plane2_add(stance, plane2_turn(*step, heading));
  beyond += limit_reach(balance, swing, time_left, pressure, &sole);
  *step = plane2_turn(plane2_sub(sole, stance), -heading);
  return beyond;
}

// How far xi comes back as a leg lands at a place: the leg stops the fall of the body by a blow along itself, which
// takes the more of its horizontal motion the farther the leg is put out.
static Plane2 lost_in_landing(const Balancer *balance, Plane2 place, double time_left, Plane2 pressure, double omega) {
  double fall = fmax(0, -balance->velocity[1]) + SINKING * time_left;
  Plane2 center = lipm_center(plane2_of(balance->com), balance->xi, pressure, omega, time_left);
  return plane2_scale(plane2_sub(center, place), fall * omega / balance->body.gravity);
}

double balance_plan(const Balancer *balance, int swing, double time_left, double duration, Plane2 pressure,
                    Plane2 *sole) {
  const BalanceBody *body = &balance->body;
  double omega = balance_divergence(balance) * balance->omega, side = body->legs[swing].side, length = body->length;
  double heading = balance->heading + balance->turn_rate * time_left;
  Plane2 stance = plane2_of(balance->feet[1 - swing].sole);
  Plane2 xi = lipm_predict(balance_xi_as_it_counts(balance, pressure), pressure, omega, time_left);
  if (!balance_steps_on_purpose(balance))
    xi = plane2_add(xi, lost_in_landing(balance, xi, time_left, pressure, omega));
  Plane2 wanted = plane2_turn(plane2_sub(xi, stance), -heading);
  if (balance_steps_on_purpose(balance)) {
    Plane2 velocity = plane2_add(balance->speed, balance->speed_excess);
    double width = balance_step_width(balance);
    double both = balance_double_support(balance);
    wanted = balance_gait_step(balance, wanted, balance_gait_offset(balance, velocity, width, -side, duration, both));
  } else {
    wanted = plane2_scale(wanted, balance->def.overshoot);
    wanted.x += side * RECOVERY_WIDER * length;
  }
  Plane2 step = wanted;
  double least = limit_step(balance, swing, time_left, pressure, heading, BESIDE, &step);
  for (int way = BEFORE; way < WAYS && least > crossing_cost(balance); way++) {
    Plane2 across = wanted;
    double beyond = limit_step(balance, swing, time_left, pressure, heading, way, &across);
    if (beyond < least) {
      least = beyond;
      step = across;
    }
  }
  *sole = plane2_add(stance, plane2_turn(step, heading));
  return least;
}

// Whether the swing foot can reach a place within a time, s.
static bool is_in_time(const Balancer *balance, Plane2 place, double time) {
  double way = plane2_length(plane2_sub(place, plane2_of(balance->feet[balance->swing].sole)));
  return way <= SWING_SPEED * balance->body.length / balance->body.time * time;
}

// Shortens the duration of a step that is out of reach, because xi is nearer at an earlier time. Of the times at which
// the foot can have arrived, the one with the least violation is taken (Khadiv et al. 2020, IEEE Trans. Robotics
// 36:629-643).
static void shorten(Balancer *balance, Plane2 pressure, double violation, Plane2 *sole) {
  double left = fmax(0, balance->duration - balance->step_time), best = left;
  double least = is_in_time(balance, *sole, left) ? violation : HUGE_VAL;
  double earliest = fmax(LEAST_LEFT, balance->def.least_time * balance->body.time - balance->step_time);
  double time = left;
  while (time >= earliest) {
    Plane2 place;
    double beyond = balance_plan(balance, balance->swing, time, balance->duration, pressure, &place);
    beyond += TIME_COST * (left - time);
    if (beyond < least - GAIN && is_in_time(balance, place, time)) {
      least = beyond;
      best = time;
      *sole = place;
    }
    time -= TIME_STEP;
  }
  if (best < left)
    balance->duration = balance->step_time + best;
}

// Where the sole of a landing has its ankle, and how the ground there is.
static void land_at(Balancer *balance, const Ground *ground, Plane2 sole) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  BalanceLanding *landing = &balance->landing;
  Plane2 ankle = plane2_sub(sole, plane2_turn((Plane2){.x = 0, .z = leg->sole_ahead}, landing->yaw));
  double from = balance->feet[balance->swing].hip[1];
  landing->ankle[0] = ankle.x;
  landing->ankle[2] = ankle.z;
  landing->ankle[1] = balance_foot_ground(ground, leg, ankle, from, landing->yaw, landing->normal) + leg->foot_height;
  memset(landing->hangs, 0, sizeof landing->hangs);
}

// A walker lands with heel or toes over an edge, as people do on stairs, if enough of the sole has ground.
static bool hang_over(Balancer *balance, const Ground *ground, Plane2 sole) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  BalanceLanding *landing = &balance->landing;
  double height, hangs[2];
  if (!balance->walking ||
      !balance_overhangs(ground, leg, sole, balance->feet[balance->swing].hip[1], landing->yaw, hangs, &height))
    return false;
  land_at(balance, ground, sole);
  landing->ankle[1] = height + leg->foot_height;
  memcpy(landing->normal, (const double[3]){0, 1, 0}, sizeof landing->normal);
  memcpy(landing->hangs, hangs, sizeof landing->hangs);
  return true;
}

static bool lands_on_edge(const Balancer *balance, const Ground *ground, Plane2 sole, double margin) {
  return balance_on_edge(ground, &balance->body.legs[balance->swing], sole, balance->feet[balance->swing].hip[1],
                         balance->landing.yaw, margin);
}

// A walker steps sooner or later, as the extrapolated centre of mass then is where the whole sole finds ground.
static bool avoid_edge_by_time(Balancer *balance, const Ground *ground, Plane2 pressure, double margin, Plane2 *sole) {
  double left = balance->duration - balance->step_time;
  for (int i = 1; i <= EDGE_TIMES && balance->walking; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      double time = left + sign * i * TIME_STEP * balance->body.time;
      Plane2 place;
      if (time < EDGE_LEAST_LEFT * balance->body.time ||
          balance->step_time + time > EDGE_LATEST * balance->def.step_time * balance->body.time ||
          balance_plan(balance, balance->swing, time, balance->duration, pressure, &place) > VIOLATION ||
          lands_on_edge(balance, ground, place, margin))
        continue;
      balance->duration = balance->step_time + time;
      *sole = place;
      return true;
    }
  return false;
}

// The place of a sole that lands so far ahead along the foot, m of a body of usual size.
static Plane2 moved_along_foot(const Balancer *balance, Plane2 sole, double way) {
  return plane2_add(sole, plane2_turn((Plane2){.x = 0, .z = way * balance->body.length}, balance->landing.yaw));
}

// Otherwise the landing moves along the foot to the nearest such place, by at most so many steps of the search.
static bool avoid_edge_by_way(const Balancer *balance, const Ground *ground, double margin, int steps, Plane2 *sole) {
  for (int i = 1; i <= steps; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      Plane2 place = moved_along_foot(balance, *sole, sign * i * EDGE_STEP);
      if (!lands_on_edge(balance, ground, place, margin)) {
        *sole = place;
        return true;
      }
    }
  return false;
}

// Where a landing across an edge is little short of a step down, it is that step. An earlier one before the edge would
// stop the walk there, and a later one is for a body that has begun to fall.
static bool step_down(const Balancer *balance, const Ground *ground, Plane2 *sole) {
  const double highest = balance->feet[1 - balance->swing].lowest - LOWER * balance->body.length;
  for (int i = 0; i <= DOWN_STEPS && balance->walking; i++) {
    Plane2 place = moved_along_foot(balance, *sole, i * EDGE_STEP);
    double height = balance_ground(ground, place, balance->feet[balance->swing].hip[1], -HUGE_VAL);
    if (height < highest && !lands_on_edge(balance, ground, place, 0)) {
      *sole = place;
      return true;
    }
  }
  return false;
}

// Where it is little short of a step up, it is that one, with the heel over its edge if need be. An earlier landing
// would bring the foot beside the other one, with the body too fast to stay there, and the next foot would have to go
// up by two steps at once. A place is searched farther ahead than down a step: going up, the body gets slower.
static bool step_up(Balancer *balance, const Ground *ground, Plane2 *sole) {
  const double stance = balance->feet[1 - balance->swing].lowest, length = balance->body.length;
  const double heel = balance->body.legs[balance->swing].half_length / length + EDGE_MARGIN;
  Plane2 before = moved_along_foot(balance, *sole, -heel);
  // Before the edge it goes up already: one step is enough.
  if (balance_ground(ground, before, balance->feet[balance->swing].hip[1], -HUGE_VAL) > stance + HIGHER * length)
    return false;
  for (int i = 0; i <= UP_STEPS && balance->walking && balance->speed.z > 0; i++) {
    Plane2 place = moved_along_foot(balance, *sole, i * EDGE_STEP);
    double rise = balance_ground(ground, place, balance->feet[balance->swing].hip[1], -HUGE_VAL) - stance;
    if (rise > HIGHEST * length)
      return false;
    if (rise <= HIGHER * length)
      continue;
    bool whole = !lands_on_edge(balance, ground, place, 0);
    if (!whole && !hang_over(balance, ground, place))
      continue;
    if (whole)
      land_at(balance, ground, place);
    *sole = place;
    return true;
  }
  return false;
}

void balance_plan_landing(Balancer *balance, const Ground *ground, Plane2 pressure) {
  const BalanceFoot *stance = &balance->feet[1 - balance->swing];
  double left = fmax(0, balance->duration - balance->step_time);
  Plane2 sole;
  double violation = balance_plan(balance, balance->swing, left, balance->duration, pressure, &sole);
  bool shared_enough = balance->double_support + balance->step_time >= balance_double_support(balance);
  if (balance->step_time < 0 && (violation > VIOLATION || shared_enough)) {
    balance_lift_off(balance);
    left = balance->duration;
    violation = balance_plan(balance, balance->swing, left, balance->duration, pressure, &sole);
  }
  if (violation > VIOLATION)
    shorten(balance, pressure, violation, &sole);

  balance_avoid_obstacle(balance, &sole);
  left = fmax(0, balance->duration - balance->step_time);
  BalanceLanding *landing = &balance->landing;
  double turn = wrap_angle(balance->heading + balance->turn_rate * (left + balance->duration / 2) - stance->yaw);
  landing->yaw = stance->yaw + fmax(-LARGEST_TURN, fmin(LARGEST_TURN, turn));
  land_at(balance, ground, sole);
  // A level landing is not across an edge: most need no closer look.
  double margin = EDGE_MARGIN * balance->body.length;
  bool tilted = hypot(landing->normal[0], landing->normal[2]) > LEVEL;
  bool edge = tilted && lands_on_edge(balance, ground, sole, margin);
  landing->sloped = tilted && !edge;
  if (edge && !step_up(balance, ground, &sole) && !hang_over(balance, ground, sole) &&
      (step_down(balance, ground, &sole) || avoid_edge_by_time(balance, ground, pressure, margin, &sole) ||
       avoid_edge_by_time(balance, ground, pressure, 0, &sole) ||
       avoid_edge_by_way(balance, ground, margin, ROOM_STEPS, &sole) ||
       avoid_edge_by_way(balance, ground, 0, EDGE_STEPS, &sole)))
    land_at(balance, ground, sole);
}
