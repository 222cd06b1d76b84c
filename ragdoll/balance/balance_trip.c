// Reaction of a swing foot that is caught on an obstacle. People who trip early in a swing raise the foot over the
// obstacle; late in a swing they put the foot down before it. Both make the next steps higher. A reflex starts the
// reaction some 80 ms after the contact (Eng,
// Winter and Patla 1994, Exp. Brain Res. 102:339-349).
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"

static const double REFLEX = 0.08; // s
// s after lift-off: a foot that is touched until then has not met an obstacle. It touched the riser before it, or the
// edge behind it, as it stood.
static const double LEAVING = 0.04;
static const double EARLY = 0.6;        // share of a step: before it the foot is raised, after it lowered
static const double RAISE_TIME = 0.1;   // s of rising without horizontal motion
static const double ABOVE_TIME = 0.1;   // s for which the foot stays up while it moves on
static const double PASSING_TIME = 0.3; // s, at least, from the reflex to the landing
static const double LOWER_TIME = 0.08;  // s to put the foot down
static const double HIGHER = 0.15;      // m of additional clearance
static const double ROOM = 0.06;        // m between the obstacle and a sole that lands
// m: a foot does not go on with its toes this near before the obstacle, or so little past it, unless it is so high.
static const double NEAR = 0.04, PAST = 0.05, HIGH = 0.1;
enum { HIGH_STEPS = 3 }; // until both feet are past the obstacle

void balance_trip_begin_step(Balancer *balance) {
  BalanceTrip *trip = &balance->trip;
  if (trip->high_steps > 0)
    trip->high_steps--;
  trip->caught = trip->raising = false;
  trip->time = 0;
}

static void react(Balancer *balance) {
  BalanceTrip *trip = &balance->trip;
  trip->unseen = balance->evenness >= 1;
  trip->place = balance_swing_toes(balance);
  double scale = balance->body.time, now = balance->step_time;
  trip->high_steps = HIGH_STEPS;
  trip->raising = now < EARLY * balance->duration;
  if (!trip->raising) {
    balance->duration = fmin(balance->duration, now + LOWER_TIME * scale);
    return;
  }
  balance->duration = fmax(balance->duration, now + PASSING_TIME * scale);
  memcpy(balance->swing_ankle, balance->feet[balance->swing].ankle, sizeof balance->swing_ankle);
  memset(balance->swing_velocity, 0, sizeof balance->swing_velocity);
}

void balance_update_trip(Balancer *balance, const BalanceCommand *command, double h) {
  BalanceTrip *trip = &balance->trip;
  if (balance->mode != BALANCE_STEPPING || balance->step_time < 0)
    return;
  if (!trip->caught) {
    trip->caught = command->foot_caught[balance->swing] && balance->step_time >= LEAVING * balance->body.time;
    return;
  }
  double before = trip->time, reflex = REFLEX * balance->body.time;
  trip->time += h;
  if (before < reflex && trip->time >= reflex)
    react(balance);
}

// Landings and paths of the feet have to be kept off the obstacle: what is seen of the ground accounts for the others.
static bool is_to_be_passed(const BalanceTrip *trip) { return trip->high_steps > 0 && trip->unseen; }

void balance_avoid_obstacle(const Balancer *balance, Plane2 *sole) {
  const BalanceTrip *trip = &balance->trip;
  if (!is_to_be_passed(trip))
    return;
  double room = balance->body.legs[balance->swing].half_length + ROOM * balance->body.length;
  double ahead = plane2_turn(plane2_sub(*sole, trip->place), -balance->heading).z;
  if (fabs(ahead) >= room)
    return;
  bool over = trip->raising || ahead > 0;
  Plane2 way = {.x = 0, .z = (over ? room : -room) - ahead};
  *sole = plane2_add(*sole, plane2_turn(way, balance->heading));
}

bool balance_before_obstacle(const Balancer *balance, const double ankle[3]) {
  const BalanceTrip *trip = &balance->trip;
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  double length = balance->body.length, lowest = balance->feet[1 - balance->swing].lowest + leg->foot_height;
  if (!is_to_be_passed(trip) || ankle[1] > lowest + HIGH * length)
    return false;
  double ahead = plane2_turn(plane2_sub(trip->place, plane2_of(ankle)), -balance->heading).z;
  double toes = leg->sole_ahead + leg->half_length;
  return ahead > toes - PAST * length && ahead < toes + NEAR * length;
}

double balance_raise_left(const Balancer *balance, bool *in_place) {
  const BalanceTrip *trip = &balance->trip;
  double scale = balance->body.time, over = trip->time - REFLEX * scale;
  *in_place = trip->raising && over < RAISE_TIME * scale;
  return trip->raising ? fmax(0, (RAISE_TIME + ABOVE_TIME) * scale - over) : 0;
}

double balance_clearance(const Balancer *balance) {
  return (balance->def.clearance + (balance->trip.high_steps > 0 ? HIGHER : 0)) * balance->body.length;
}
