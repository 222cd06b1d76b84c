// Where the swing foot shall land: the step that catches the extrapolated centre of mass, or the next one of a walk,
// put on the ground that is there.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"
#include "sim/base/numbers.h"

static const double LONGEST_AHEAD = 0.75, LONGEST_SIDE = 0.75, LONGEST = 0.80; // m, of a step
static const double LOWEST_HIP = 0.70;                                         // m over the ankle at landing
static const double LEAST_APART = 0.16;                                        // m: a foot keeps off the other one
static const double CROSSING = 0.08;       // m that a recovery step may want to come nearer without being shortened
static const double RECOVERY_WIDER = 0.02; // m to the outside of where xi will be
// m: a foot that comes down across the stance leg does so this much before or behind it, at most this far beyond it,
// and only where that brings so much.
static const double CROSSED_AHEAD = 0.28, CROSSED_SIDE = 0.2, CROSSING_COST = 0.15, WALKING_CROSSING_COST = 0.3;
static const double LARGEST_TURN = 0.6; // rad, of a foot against the other

// Where a step is searched for that is shorter in time.
static const double VIOLATION = 0.01;  // m out of reach for which it is worth while
static const double TIME_COST = 0.05;  // m/s: what a shorter time must bring
static const double SWING_SPEED = 4;   // m/s, the mean of a quick swing
static const double GAIN = 0.002;      // m that it must bring
static const double TIME_STEP = 0.01;  // s
static const double LEAST_LEFT = 0.03; // s

// Brings a step within what the swing leg reaches from where its hip will be. Returns by how much it was beyond, m.
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

// The ways past the stance leg: beside it, or across before or behind it.
enum { BESIDE, BEFORE, BEHIND, WAYS };

// Brings a step (ahead and left of the stance sole) within reach on one of the ways. Returns by how much it was beyond.
static double limit_step(const Balancer *balance, int swing, double time_left, Plane2 pressure, double heading, int way,
                         Plane2 *step) {
  double side = balance->body.legs[swing].side, length = balance->body.length, beyond = 0;
  StepLimits limits = {.ahead = LONGEST_AHEAD * length,
                       .side = LONGEST_SIDE * length,
                       .length = LONGEST * length,
                       .apart = LEAST_APART * length,
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

double balance_plan(const Balancer *balance, int swing, double time_left, double duration, Plane2 pressure,
                    Plane2 *sole) {
  const BalanceBody *body = &balance->body;
  double omega = balance_divergence(balance) * balance->omega, side = body->legs[swing].side, length = body->length;
  double heading = balance->heading + balance->turn_rate * time_left;
  Plane2 stance = plane2_of(balance->feet[1 - swing].sole);
  Plane2 xi = lipm_predict(balance->xi, pressure, omega, time_left);
  Plane2 wanted = plane2_turn(plane2_sub(xi, stance), -heading);
  if (balance_steps_on_purpose(balance)) {
    Plane2 velocity = plane2_add(balance->speed, balance->speed_excess);
    double width = balance->def.step_width * length;
    wanted = plane2_sub(wanted, lipm_offset(velocity, width, -side, omega, duration));
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

// Whether the swing foot gets to a place in a time.
static bool is_in_time(const Balancer *balance, Plane2 place, double time) {
  double way = plane2_length(plane2_sub(place, plane2_of(balance->feet[balance->swing].sole)));
  return way <= SWING_SPEED * balance->body.length / balance->body.time * time;
}

// A step that would have to go too far comes down at the time at which it comes nearest to where it should: earlier,
// while xi is nearer, but no earlier than the foot gets there (Khadiv et al. 2020, IEEE Trans. Robotics 36:629-643).
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

void balance_plan_landing(Balancer *balance, const Ground *ground, Plane2 pressure) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  const BalanceFoot *stance = &balance->feet[1 - balance->swing];
  double left = fmax(0, balance->duration - balance->step_time);
  Plane2 sole;
  double violation = balance_plan(balance, balance->swing, left, balance->duration, pressure, &sole);
  if (violation > VIOLATION)
    shorten(balance, pressure, violation, &sole);

  left = fmax(0, balance->duration - balance->step_time);
  BalanceLanding *landing = &balance->landing;
  double turn = wrap_angle(balance->heading + balance->turn_rate * (left + balance->duration / 2) - stance->yaw);
  landing->yaw = stance->yaw + fmax(-LARGEST_TURN, fmin(LARGEST_TURN, turn));
  Plane2 ankle = plane2_sub(sole, plane2_turn((Plane2){.x = 0, .z = leg->sole_ahead}, landing->yaw));
  double from = balance->feet[balance->swing].hip[1];
  landing->ankle[0] = ankle.x;
  landing->ankle[2] = ankle.z;
  landing->ankle[1] = balance_foot_ground(ground, leg, ankle, from, landing->yaw, landing->normal) + leg->foot_height;
}
