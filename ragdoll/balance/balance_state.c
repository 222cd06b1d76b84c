// State of the controller: the measured feet and centre of mass, and the reset after a fall.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/support.h"

static const double FORCE_TIME = 0.02; // s over which the force on a foot is smoothed

void balance_restart(Balancer *balance, double heading, const double com[3]) {
  *balance = (Balancer){.def = balance->def,
                        .body = balance->body,
                        .sway = balance->sway,
                        .noise = balance->noise,
                        .heading = heading,
                        .reference = plane2_of(com),
                        .shifting_to_swing = -1,
                        .to_lift = -1,
                        .last_swing = BALANCE_RIGHT};
}

bool balance_init(Balancer *balance, const BalanceDef *def, const Ragdoll *ragdoll, double heading, Error *error) {
  *balance = (Balancer){.def = *def};
  if (!def->enabled)
    return true;
  if (!balance_init_body(&balance->body, ragdoll, error))
    return false;
  char name[32];
  snprintf(name, sizeof name, "sway.%d", ragdoll->world->bodies[ragdoll->body[0]].owner);
  balance->sway.rng = rng_make(ragdoll->world->seed, name);
  snprintf(name, sizeof name, "noise.%d", ragdoll->world->bodies[ragdoll->body[0]].owner);
  balance_noise_begin(&balance->noise, ragdoll->world->seed, name);
  double com[3], velocity[3];
  ragdoll_center_of_mass(ragdoll, com, velocity);
  balance_restart(balance, heading, com);
  return true;
}

void balance_retune(Balancer *balance, const BalanceDef *def) {
  bool enabled = balance->def.enabled;
  balance->def = *def;
  balance->def.enabled = enabled;
}

bool balance_steps_on_purpose(const Balancer *balance) { return balance->walking || balance->realigning_feet; }

double balance_divergence(const Balancer *balance) { return balance->walking ? balance->def.divergence : 1; }

static void measure_foot(Balancer *balance, const Ragdoll *ragdoll, int side) {
  const BalanceLeg *leg = &balance->body.legs[side];
  BalanceFoot *foot = &balance->feet[side];
  ragdoll_point(ragdoll, leg->leg->hip, GLMS_VEC3_ZERO, foot->hip);
  ragdoll_point(ragdoll, leg->leg->knee, GLMS_VEC3_ZERO, foot->knee);
  ragdoll_point(ragdoll, leg->leg->ankle, GLMS_VEC3_ZERO, foot->ankle);
  ragdoll_point(ragdoll, leg->leg->ankle, leg->leg->sole_l, foot->sole);
  const dReal *r = dBodyGetRotation(ragdoll->ode[leg->leg->ankle]); // 3 rows of 4 values
  foot->yaw = atan2(r[2], r[10]);
}

void balance_bearing_part(const BalanceLeg *leg, const BalanceFoot *foot, double *middle, double *half_length) {
  *middle = (foot->hangs[0] - foot->hangs[1]) / 2;
  *half_length = leg->half_length - (foot->hangs[0] + foot->hangs[1]) / 2;
}

Plane2 balance_inside_sole(const BalanceLeg *leg, const BalanceFoot *foot, Plane2 place, double side, double end) {
  double middle, half_length;
  balance_bearing_part(leg, foot, &middle, &half_length);
  place.z -= middle;
  place = plane2_clamp(place, leg->half_width - side, half_length - end);
  place.z += middle;
  return place;
}

static bool is_swinging(const Balancer *balance, int side) {
  return balance->mode == BALANCE_STEPPING && side == balance->swing;
}

// The soles' lowest corners; and the distance of xi to the border of the hull of both soles, m, positive inside. Soles
// without load count as well: a foot that is being unloaded can be loaded again at once.
static double measure_soles(Balancer *balance, const Ragdoll *ragdoll) {
  double corners[4 * BALANCE_LEGS][3];
  for (int i = 0; i < 4 * BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &balance->body.legs[i / 4];
    vec3s corner = leg->leg->sole_l;
    const double *hangs = balance->feet[i / 4].hangs;
    corner.z += (float)(i & 1 ? leg->half_length - hangs[1] : hangs[0] - leg->half_length);
    corner.x += (float)(i & 2 ? leg->half_width : -leg->half_width);
    ragdoll_point(ragdoll, leg->leg->ankle, corner, corners[i]);
    double *lowest = &balance->feet[i / 4].lowest;
    *lowest = i % 4 == 0 ? corners[i][1] : fmin(*lowest, corners[i][1]);
    corners[i][0] += balance->feet[i / 4].misplaced.x;
    corners[i][2] += balance->feet[i / 4].misplaced.z;
  }
  const double xi[3] = {balance->xi.x, 0, balance->xi.z};
  return support_distance(xi, (const double(*)[3])corners, 4 * BALANCE_LEGS, NULL);
}

void balance_move_with_ground(Balancer *balance, const BalanceCommand *command, double h) {
  const double *velocity = command->ground_velocity, turn = command->ground_turn * h;
  memcpy(balance->ground_velocity, velocity, sizeof balance->ground_velocity);
  Plane2 way = plane2_scale(plane2_of(velocity), h);
  balance->reference = plane2_add(balance->reference, way);
  balance->step_start = plane2_add(balance->step_start, way);
  balance_move_samples(balance, way);
  for (int i = 0; i < 3; i++) {
    balance->swing_ankle[i] += velocity[i] * h;
    for (int side = 0; side < BALANCE_LEGS; side++)
      balance->feet[side].place[i] += velocity[i] * h;
  }
  balance->heading += turn;
  balance->swing_yaw += turn;
  balance->lift_yaw += turn;
}

void balance_measure(Balancer *balance, const Ragdoll *ragdoll, const BalanceCommand *command, double h) {
  const BalanceBody *body = &balance->body;
  double felt = fmin(1, h / (FORCE_TIME * body->time));
  ragdoll_center_of_mass(ragdoll, balance->com, balance->velocity);
  for (int i = 0; i < 3; i++)
    balance->velocity[i] -= balance->ground_velocity[i];
  balance->pelvis = balance_part_rotation(ragdoll, 0);
  balance_feel_trunk(balance, h);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    BalanceFoot *foot = &balance->feet[i];
    measure_foot(balance, ragdoll, i);
    balance_feel_leg(balance, i);
    foot->loaded = command->foot_loaded[i];
    const bool begins = balance->mode_time == 0; // a foot need not carry yet
    if (foot->loaded || is_swinging(balance, i) || begins)
      memcpy(foot->place, foot->ankle, sizeof foot->place);
    for (int axis = 0; axis < 3; axis++)
      foot->force[axis] += felt * (command->foot_force[i][axis] - foot->force[axis]);
  }
  const BalanceFoot *feet = balance->feet;
  double floor =
      balance->mode == BALANCE_STANDING ? (feet[0].sole[1] + feet[1].sole[1]) / 2 : feet[1 - balance->swing].sole[1];
  double height = fmax(0.5 * body->length, fmin(1.2 * body->length, balance->com[1] - floor));
  balance->omega = sqrt(body->gravity / height);
  balance->held = command->held;
  balance_sense_late(balance, h);
  balance->xi = plane2_add(plane2_of(balance->com), plane2_scale(plane2_of(balance->velocity), 1 / balance->omega));
  balance->xi = plane2_add(balance->xi, balance->held);
  balance->margin = measure_soles(balance, ragdoll);
}
