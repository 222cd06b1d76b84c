// Decides when to take a step, and with which foot.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double SLOWEST = 0.05;          // m/s: a slower command means standing
static const double TURN_TIME = 0.3;         // s: time constant of turning to the commanded heading
static const double TURN_ACCELERATION = 0.8; // rad/s^2, of a walker who begins to turn: it takes him a step
// rad: who stands turns farther than this by steps on the spot, as in walking, until so little is left.
static const double TURN_ON_THE_SPOT = 0.55, LEAST_TURN = 0.05;
static const double SLOWEST_TURN = 0.3;     // m/s: below this speed the turn rate is limited as at this speed
static const double QUICKENING_SPEED = 0.5; // m/s: above this speed steps take less time
static const double UNEVEN_TIME = 0.04;     // s by which steps up and down are quicker
// s: the swing of a walker who is as far off his path as can be, and the least that a foot in the air has left of it.
static const double HASTY_TIME = 0.33, HASTY_LEFT = 0.15;

static const double TRUST_BY_STEP = 0.25; // by which each step on even ground adds to the trust in it
static const double STEADY_GROUND = 0.05; // m/s by which its velocity may change from step to step

static const double STEP_SPEED = 0.6; // m/s: the slowest walk over steps of the ground

// On a slope of STEEP (20 deg) he walks at STEEP_SPEED at most, m/s, on gentler ones faster, m/s per unit of slope:
// uphill the ankle that stands comes to the end of its range, downhill feet slip.
static const double STEEP = 0.364, STEEP_SPEED = 0.3, SLOWER_BY_SLOPE = 5.2;

// Feet that are not side by side: one is this far ahead of the other, or they are this much nearer to each other or
// farther apart than the hips are, or one is turned.
static const double STAGGER_AHEAD = 0.13, STAGGER_NARROW = 0.09, STAGGER_WIDE = 0.2, STAGGER_YAW = 0.3; // m, rad
static const double CALM_TIME = 0.25, CALM_SPEED = 0.3; // s, m/s: they are realigned after this time below this speed
// After a step that caught the body the other foot follows without a pause, from farther away.
static const double FOLLOWING_SIDE = 0.08, FOLLOWING_AHEAD = 0.15; // m
static const double LONGEST_SQUARING = 3;                          // s

// Without need a foot is lifted only when xi is this near to the other foot, or after the longest time.
static const double RELIEVED_SIDE = 0.05, RELIEVED_AHEAD = 0.09;     // m
static const double LONGEST_SHIFT = 1.5, LONGEST_SQUARE_SHIFT = 0.7; // s
// Where a body that a step has caught is to stop: a share of the way from its centre of mass to xi.
static const double STOPPING_PLACE = 0.3;
static const double ARM_TIME = 0.02; // s of standing before a recovery step may begin

// Costs of lifting a foot, m.
static const double VIOLATION_COST = 3, REAR_COST = 0.5, AGAIN_COST = 0.02, AGAIN_COST_WALKING = 0.05;

// Least distance of the pressure to the sole's edge when a step is predicted to choose the swing foot.
static const double EDGE_AHEAD = 0.025, EDGE_SIDE = 0.015; // m

// Touch-down.
static const double EARLY_PHASE = 0.45, LATE_PHASE = 0.7, LOW_SOLE = 0.03; // shares of the step, m
static const double LONGEST_OVERTIME = 0.35;                               // s

// Largest share of a step that counts as passed when it is taken over in its middle: the foot still has time to land.
static const double LATE_SHARE = 0.6;

// Share of the speed error, at most LARGEST_LACK, that each step adds to the correction; m/s.
static const double INTEGRAL = 0.2, LARGEST_LACK = 0.1, LARGEST_EXCESS = 0.7;

// The time for which a foot swings in walking, s: in fast walking also that of the double support, which goes.
static double walking_duration(const Balancer *balance) {
  const BalanceDef *def = &balance->def;
  double fast = fmax(0, plane2_length(balance->speed) - QUICKENING_SPEED);
  double time = def->step_time - def->step_quickening * fast + def->double_support -
                balance_calm_double_support(balance) / balance->body.time;
  return time - (1 - balance->evenness) * UNEVEN_TIME - balance_haste(balance) * fmax(0, time - HASTY_TIME);
}

static double step_duration(const Balancer *balance) {
  const BalanceDef *def = &balance->def;
  double time = balance->walking           ? walking_duration(balance)
                : balance->realigning_feet ? def->realign_time
                                           : def->recovery_time;
  return fmax(def->least_time, time) * balance->body.time;
}

// A walker who is thrown off his path while a foot swings lands it sooner, if it has the time to get there.
static void hurry(Balancer *balance) {
  if (!balance->walking || balance->step_time < 0 || !(balance_haste(balance) > 0))
    return;
  double quick = step_duration(balance), least = balance->step_time + HASTY_LEFT * balance->body.time;
  if (quick < balance->duration)
    balance->duration = fmax(quick, fmin(balance->duration, least));
}

// The fastest walk on the slope of the ground ahead, m/s.
static double slope_speed(const Balancer *balance) {
  double slope = balance->mode == BALANCE_STEPPING ? fabs(balance_slope_ahead(balance)) : 0;
  return STEEP_SPEED + SLOWER_BY_SLOPE * fmax(0, STEEP - slope);
}

// m/s: over steps of the ground, not on slopes, he goes no slower than this. Each tread takes one step, and for a
// slower one he would have to stop in the middle of it.
static double least_speed(const Balancer *balance) {
  bool steps = balance->mode == BALANCE_STEPPING && !balance->landing.sloped;
  return steps ? STEP_SPEED * (1 - balance->evenness) : 0;
}

// A turn that sets in within a step puts the body off its path; one that ends does not.
static void turn_at(Balancer *balance, double rate, double h) {
  double more = rate - balance->turn_rate, most = TURN_ACCELERATION / (balance->body.time * balance->body.time) * h;
  bool begins = fabs(rate) > fabs(balance->turn_rate) || rate * balance->turn_rate < 0;
  balance->turn_rate += balance->walking && begins ? fmax(-most, fmin(most, more)) : more;
}

static void follow_command(Balancer *balance, const BalanceCommand *command, double h) {
  double to_turn = wrap_angle(command->heading - balance->heading);
  bool goes =
      plane2_length(command->velocity) > SLOWEST || (balance->walking && plane2_length(balance->speed) > SLOWEST);
  bool turns = fabs(to_turn) > (balance->walking ? LEAST_TURN : TURN_ON_THE_SPOT);
  balance->walking = goes || turns;
  double asked = plane2_length(command->velocity);
  double speed = fmin(fmax(asked, least_speed(balance)), slope_speed(balance));
  Plane2 wanted = asked > SLOWEST ? plane2_scale(command->velocity, speed / asked) : command->velocity;
  Plane2 lack = plane2_sub(wanted, balance->speed);
  double change = plane2_length(lack), most = balance->def.acceleration * h;
  if (!balance->walking)
    balance->speed = (Plane2){.x = 0, .z = 0};
  else if (balance->mode == BALANCE_STEPPING) // gait begins on the spot
    balance->speed = plane2_add(balance->speed, plane2_scale(lack, change > most ? most / change : 1));

  double most_turn = balance->def.lateral_acceleration / fmax(SLOWEST_TURN, plane2_length(balance->speed));
  double turn = turns && !goes && balance->mode == BALANCE_STANDING ? 0 : to_turn / TURN_TIME;
  turn_at(balance, fmax(-most_turn, fmin(most_turn, turn)), h);
  balance->heading += balance->turn_rate * h;
}

static double mean_yaw(const BalanceFoot feet[BALANCE_LEGS]) {
  return feet[0].yaw + wrap_angle(feet[1].yaw - feet[0].yaw) / 2;
}

static bool is_staggered(const Balancer *balance) {
  const BalanceFoot *feet = balance->feet;
  const BalanceBody *body = &balance->body;
  double width = body->legs[BALANCE_LEFT].hip_left - body->legs[BALANCE_RIGHT].hip_left;
  Plane2 apart = plane2_sub(plane2_of(feet[BALANCE_LEFT].sole), plane2_of(feet[BALANCE_RIGHT].sole));
  apart = plane2_turn(apart, -mean_yaw(feet));
  double wider = (apart.x - width) / body->length;
  return fabs(apart.z) > STAGGER_AHEAD * body->length || wider < -STAGGER_NARROW || wider > STAGGER_WIDE ||
         fabs(wrap_angle(feet[0].yaw - balance->heading)) > STAGGER_YAW ||
         fabs(wrap_angle(feet[1].yaw - balance->heading)) > STAGGER_YAW;
}

// Predicted centre of pressure while only the foot of this side carries.
static Plane2 pressure_under(const Balancer *balance, int side) {
  const BalanceFoot *foot = &balance->feet[side];
  const BalanceLeg *leg = &balance->body.legs[side];
  double length = balance->body.length;
  Plane2 sole = plane2_of(foot->sole), offset = plane2_turn(plane2_sub(balance->xi, sole), -foot->yaw);
  offset = balance_inside_sole(leg, foot, offset, EDGE_SIDE * length, EDGE_AHEAD * length);
  return plane2_add(sole, plane2_turn(offset, foot->yaw));
}

// The foot to swing: if a step is needed, the one whose step is least out of reach; otherwise the one farther from xi.
static int choose_swing(const Balancer *balance, bool need) {
  const BalanceDef *def = &balance->def;
  double cost[BALANCE_LEGS];
  for (int i = 0; i < BALANCE_LEGS; i++) {
    double rear = plane2_length(plane2_sub(plane2_of(balance->feet[1 - i].sole), balance->xi));
    double duration = (balance_steps_on_purpose(balance) ? def->step_time : def->recovery_time) * balance->body.time;
    bool again = i == balance->last_swing;
    Plane2 sole;
    double beyond = balance_plan(balance, i, duration, duration, pressure_under(balance, 1 - i), &sole);
    cost[i] = need ? VIOLATION_COST * beyond + REAR_COST * rear + (again ? AGAIN_COST : 0)
                   : rear + (again && balance->walking ? AGAIN_COST_WALKING : 0);
  }
  return cost[BALANCE_RIGHT] < cost[BALANCE_LEFT] ? BALANCE_RIGHT : BALANCE_LEFT;
}

static bool is_relieved(const Balancer *balance, int swing) {
  const BalanceFoot *feet = balance->feet;
  double length = balance->body.length;
  Plane2 lack = plane2_turn(plane2_sub(balance->xi, plane2_of(feet[1 - swing].sole)), -mean_yaw(feet));
  double inward = balance->body.legs[swing].side * lack.x;
  double aside = balance->recovering ? FOLLOWING_SIDE : RELIEVED_SIDE;
  double ahead = balance->recovering ? FOLLOWING_AHEAD : RELIEVED_AHEAD;
  bool near = inward < aside * length && (!balance->realigning_feet || fabs(lack.z) < ahead * length);
  double longest = balance->realigning_feet ? LONGEST_SQUARE_SHIFT : LONGEST_SHIFT;
  return near || balance->mode_time >= longest * balance->body.time;
}

// On ground that is even, and moves as it did in the last step, his trust in it grows.
static void learn_trust(Balancer *balance) {
  double change = 0;
  for (int i = 0; i < 3; i++)
    change = fmax(change, fabs(balance->ground_velocity[i] - balance->trusted_velocity[i]));
  bool steady = change < STEADY_GROUND * balance->body.length / balance->body.time;
  balance->trust = steady ? fmin(balance->evenness, balance->trust + TRUST_BY_STEP) : 0;
  memcpy(balance->trusted_velocity, balance->ground_velocity, sizeof balance->trusted_velocity);
}

// both: the rear foot carries on for a while.
static void begin_step(Balancer *balance, int swing, bool both, const Ragdoll *ragdoll, const Ground *ground) {
  balance->mode = BALANCE_STEPPING;
  balance->shifting_to_swing = balance->to_lift = -1;
  balance->swing = swing;
  balance->mode_time = 0;
  balance->evenness = balance_evenness(balance, ground, 1 - swing);
  learn_trust(balance);
  balance->calmness = balance_calmness(balance);
  balance->double_support = both ? balance_double_support(balance) : 0;
  balance->step_time = -balance->double_support;
  balance->rolled = balance->landed_pitch = 0;
  balance->duration = step_duration(balance);
  balance->step_start = plane2_of(balance->com);
  balance->step_speed = balance->speed;
  balance->has_swing_goal = false;
  balance_trip_begin_step(balance);
  *(balance->realigning_feet ? &balance->realigning_steps : &balance->steps) += 1;
  BalanceFoot *foot = &balance->feet[swing];
  memset(foot->hangs, 0, sizeof foot->hangs);
  const dReal *velocity = dBodyGetLinearVel(ragdoll->ode[balance->body.legs[swing].leg->ankle]);
  memcpy(balance->swing_ankle, foot->ankle, sizeof balance->swing_ankle);
  balance->swing_velocity[0] = velocity[0] - balance->ground_velocity[0];
  balance->swing_velocity[1] = 0;
  balance->swing_velocity[2] = velocity[2] - balance->ground_velocity[2];
  balance->lift_yaw = balance->swing_yaw = foot->yaw;
}

static bool is_calm(const Balancer *balance) {
  return balance->mode_time > CALM_TIME * balance->body.time &&
         plane2_length(plane2_of(balance->velocity)) < CALM_SPEED;
}

// Begins a step if balance needs one, or if one is wanted and the swing foot is unloaded.
static void decide_standing(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground) {
  const BalanceBody *body = &balance->body;
  if (balance_is_held(balance)) { // a body that trusts its cable does not step
    balance->shifting_to_swing = -1;
    return;
  }
  bool need = balance->margin < -balance->def.trigger * body->length && balance->mode_time > ARM_TIME;
  bool apart = is_staggered(balance);
  balance->staggered = apart && !balance->walking;
  if (need || balance->walking || balance->mode_time > LONGEST_SQUARING)
    balance->realigning_feet = false;
  else if (apart && !balance->realigning_feet && (balance->recovering || is_calm(balance))) {
    balance->realigning_feet = true;
    balance->mode_time = 0;
  }
  bool wanted = balance_steps_on_purpose(balance) || balance->to_lift >= 0;
  if (wanted && !balance->wanted_to_step)
    balance->mode_time = 0;
  balance->wanted_to_step = wanted;
  if (!need && !wanted) {
    balance->shifting_to_swing = -1;
    return;
  }
  if (need) {
    begin_step(balance, choose_swing(balance, true), false, ragdoll, ground);
    return;
  }
  if (balance->shifting_to_swing < 0)
    balance->shifting_to_swing = balance->to_lift >= 0 ? balance->to_lift : choose_swing(balance, false);
  if (is_relieved(balance, balance->shifting_to_swing))
    begin_step(balance, balance->shifting_to_swing, false, ragdoll, ground);
}

// A command lifts a foot once, of a standing body only.
static void hear_lifts(Balancer *balance, const BalanceCommand *command) {
  for (int i = 0; i < BALANCE_LEGS; i++) {
    if (command->lift_foot[i] && !balance->lift_wanted[i] && !balance->walking)
      balance->to_lift = i;
    balance->lift_wanted[i] = command->lift_foot[i];
  }
  if (balance->walking)
    balance->to_lift = -1;
}

static bool has_landed(const Balancer *balance, const Ground *ground) {
  const BalanceFoot *foot = &balance->feet[balance->swing];
  double phase = balance->step_time / balance->duration, length = balance->body.length;
  if (balance->step_time > balance->duration + LONGEST_OVERTIME * balance->body.time)
    return true;
  if (!foot->loaded || phase <= EARLY_PHASE)
    return false;
  double height = foot->sole[1] - balance_ground(ground, plane2_of(foot->sole), foot->hip[1], foot->sole[1]);
  return phase > LATE_PHASE || (balance->swing_velocity[1] < 0 && height < LOW_SOLE * length);
}

// Integrates the speed error of the step that ends, to correct the speed of the next steps. Nothing is learnt while the
// wanted speed changes, which steps follow late, and little from a step of a body that was thrown off its path: what
// they lack would be made up for afterwards.
static void learn_speed(Balancer *balance) {
  if (!balance->walking) {
    balance->speed_excess.z = 0;
    return;
  }
  if (plane2_length(plane2_sub(balance->speed, balance->step_speed)) > 0)
    return;
  Plane2 way = plane2_sub(plane2_of(balance->com), balance->step_start);
  double time = balance->double_support + balance->step_time;
  double lack = balance->speed.z - plane2_turn(plane2_scale(way, 1 / time), -balance->heading).z;
  double excess = balance->speed_excess.z + INTEGRAL * fmax(-LARGEST_LACK, fmin(LARGEST_LACK, lack));
  balance->speed_excess.z = fmax(-LARGEST_EXCESS, fmin(LARGEST_EXCESS, excess));
}

static void end_step(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground) {
  balance->last_swing = balance->swing;
  memcpy(balance->feet[balance->swing].hangs, balance->landing.hangs, sizeof balance->landing.hangs);
  learn_speed(balance);
  if (balance->walking) {
    double pitch = balance_landing_pitch(balance);
    begin_step(balance, 1 - balance->swing, true, ragdoll, ground);
    balance->landed_pitch = fmin(0, pitch);
    return;
  }
  balance->mode = BALANCE_STANDING;
  balance->mode_time = 0;
  balance->recovering = !balance->realigning_feet;
  balance->settling = true;
  balance->realigning_feet = balance->wanted_to_step = false;
  balance->reference = plane2_between(plane2_of(balance->com), balance->xi, STOPPING_PLACE);
}

// The foot that swings, or in a walk begins to. -1: none; of a body that stands, a sole that is on the ground without
// load may take it again.
static int swing_at_take_over(const Balancer *balance) {
  const BalanceFoot *feet = balance->feet;
  bool left = feet[BALANCE_LEFT].loaded, right = feet[BALANCE_RIGHT].loaded;
  double rise = feet[BALANCE_LEFT].sole[1] - feet[BALANCE_RIGHT].sole[1];
  if (left && right)
    return balance->walking ? choose_swing(balance, true) : -1;
  int free = left || (!right && rise < 0) ? BALANCE_RIGHT : BALANCE_LEFT;
  return balance->walking || fabs(rise) > LOW_SOLE * balance->body.length ? free : -1;
}

void balance_take_over(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                       const BalanceMotion *motion, double h) {
  const int steps = balance->steps, realigning = balance->realigning_steps;
  double com[3], velocity[3];
  ragdoll_center_of_mass(ragdoll, com, velocity);
  balance_restart(balance, motion->heading, com);
  balance->steps = steps;
  balance->realigning_steps = realigning;
  balance_measure(balance, ragdoll, command, h);
  balance->speed = motion->speed;
  balance->walking = plane2_length(motion->speed) > SLOWEST;
  const int swing = swing_at_take_over(balance);
  if (swing < 0)
    return;
  const bool alone = !balance->feet[swing].loaded && balance->feet[1 - swing].loaded;
  begin_step(balance, swing, false, ragdoll, ground);
  balance->step_time = alone ? fmax(0, fmin(motion->share, LATE_SHARE)) * balance->duration : 0;
}

void balance_decide(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                    double h) {
  balance->mode_time += h;
  balance->step_time += h;
  follow_command(balance, command, h);
  hear_lifts(balance, command);
  if (balance->mode == BALANCE_STANDING)
    decide_standing(balance, ragdoll, ground);
  else {
    hurry(balance);
    if (has_landed(balance, ground))
      end_step(balance, ragdoll, ground);
  }
}
