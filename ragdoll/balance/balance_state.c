// State of the controller: the dimensions of the body, the measured feet and centre of mass, and the reset after a
// fall.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anim/ik.h"
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/support.h"

// The body that the gains were found on.
static const double GAINS_MASS = 75, GAINS_LEG = 0.84, GAINS_GRAVITY = 9.81; // kg, m, m/s^2

// A leg is straight if its joints are above each other within this distance.
static const double STRAIGHT_LEG = 0.02; // m

static const double FORCE_TIME = 0.02; // s over which the force on a foot is smoothed

static double bind_height(const BodyDef *body, int joint) { return body->parts[joint].joint.position[1]; }

static bool is_straight(const BodyDef *body, const Leg *leg) {
  const double *hip = body->parts[leg->hip].joint.position;
  const double *knee = body->parts[leg->knee].joint.position, *ankle = body->parts[leg->ankle].joint.position;
  for (int axis = 0; axis < 3; axis += 2)
    if (fabs(hip[axis] - knee[axis]) > STRAIGHT_LEG || fabs(knee[axis] - ankle[axis]) > STRAIGHT_LEG)
      return false;
  return body->parts[leg->hip].parent == 0 && body->parts[leg->knee].parent == leg->hip &&
         body->parts[leg->ankle].parent == leg->knee;
}

static bool init_leg(BalanceLeg *built, const BodyDef *body, const Leg *leg, Error *error) {
  if (!leg_is_hinged(&body->skeleton, leg) || !is_straight(body, leg))
    return error_set(error, "balance: leg %s must hang straight from the first part and have a hinged knee", leg->name);
  double left = body->parts[leg->hip].joint.position[0] - body->parts[0].joint.position[0];
  *built = (BalanceLeg){.leg = leg,
                        .side = left > 0 ? 1 : -1,
                        .hip_left = left,
                        .thigh = bind_height(body, leg->hip) - bind_height(body, leg->knee),
                        .shin = bind_height(body, leg->knee) - bind_height(body, leg->ankle),
                        .foot_height = -(double)leg->sole_l.y,
                        .sole_ahead = (double)leg->sole_l.z,
                        .half_length = (double)(leg->toe_l.z - leg->heel_l.z) / 2,
                        .half_width = (double)leg->half_width};
  return true;
}

// Finds the spine (the joints from the pelvis up to the part where the body branches) and the arms (the limbs at that
// part that have a twin on the other side).
static void find_spine(BalanceBody *built, const BodyDef *body) {
  int at = 0, children = 0;
  built->arms[0] = built->arms[1] = -1;
  do {
    int child = -1;
    children = 0;
    for (int i = 1; i < body->part_count; i++)
      if (body->parts[i].parent == at && i != built->legs[0].leg->hip && i != built->legs[1].leg->hip) {
        child = i;
        children++;
      }
    if (children == 1 && built->spine_count < BALANCE_SPINE)
      at = built->spine[built->spine_count++] = child;
    else
      children = 0;
  } while (children == 1);
  for (int i = 1; i < body->part_count && at > 0; i++)
    if (body->parts[i].parent == at && body->parts[i].twin != i)
      built->arms[body->parts[i].joint.position[0] > 0 ? BALANCE_LEFT : BALANCE_RIGHT] = i;
}

static bool init_body(BalanceBody *built, const Ragdoll *ragdoll, Error *error) {
  const BodyDef *body = ragdoll->def;
  const Skeleton *skeleton = &body->skeleton;
  *built = (BalanceBody){.mass = body->mass, .gravity = fmax(0.1, -ragdoll->world->def.gravity[1])};
  if (skeleton->leg_count != BALANCE_LEGS)
    return error_set(error, "balance: the body has %d legs, not 2", skeleton->leg_count);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const Leg *leg = &skeleton->legs[i];
    int side =
        body->parts[leg->hip].joint.position[0] > body->parts[0].joint.position[0] ? BALANCE_LEFT : BALANCE_RIGHT;
    if (!init_leg(&built->legs[side], body, leg, error))
      return false;
  }
  if (!built->legs[BALANCE_LEFT].leg || !built->legs[BALANCE_RIGHT].leg)
    return error_set(error, "balance: both legs are on one side");
  find_spine(built, body);
  Pose bind = pose_bind(skeleton);
  built->rest_shift = balance_pose_shift(built, ragdoll, &bind);
  built->hip_height = bind_height(body, 0) - bind_height(body, built->legs[0].leg->hip);
  built->length = (built->legs[0].thigh + built->legs[0].shin) / GAINS_LEG;
  built->time = sqrt(built->length * GAINS_GRAVITY / built->gravity);
  built->force = built->mass / GAINS_MASS * built->gravity / GAINS_GRAVITY;
  return true;
}

void balance_restart(Balancer *balance, double heading, const double com[3]) {
  *balance = (Balancer){.def = balance->def,
                        .body = balance->body,
                        .sway = balance->sway,
                        .heading = heading,
                        .reference = plane2_of(com),
                        .shifting_to_swing = -1,
                        .last_swing = BALANCE_RIGHT};
}

bool balance_init(Balancer *balance, const BalanceDef *def, const Ragdoll *ragdoll, double heading, Error *error) {
  *balance = (Balancer){.def = *def};
  if (!def->enabled)
    return true;
  if (!init_body(&balance->body, ragdoll, error))
    return false;
  char name[32];
  snprintf(name, sizeof name, "sway.%d", ragdoll->world->bodies[ragdoll->body[0]].owner);
  balance->sway.rng = rng_make(ragdoll->world->seed, name);
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

bool balance_goes(const Balancer *balance) { return balance->walking || balance->realigning_feet; }

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

// Distance of xi to the border of the hull of both soles, m, positive inside. Soles without load count as well: a foot
// that is being unloaded can be loaded again at once.
static double measure_margin(const Balancer *balance, const Ragdoll *ragdoll) {
  double corners[4 * BALANCE_LEGS][3];
  for (int i = 0; i < 4 * BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &balance->body.legs[i / 4];
    vec3s corner = leg->leg->sole_l;
    corner.z += (float)(i & 1 ? leg->half_length : -leg->half_length);
    corner.x += (float)(i & 2 ? leg->half_width : -leg->half_width);
    ragdoll_point(ragdoll, leg->leg->ankle, corner, corners[i]);
  }
  const double xi[3] = {balance->xi.x, 0, balance->xi.z};
  return support_distance(xi, (const double(*)[3])corners, 4 * BALANCE_LEGS, NULL);
}

void balance_ride(Balancer *balance, const BalanceCommand *command, double h) {
  const double *velocity = command->ground_velocity, turn = command->ground_turn * h;
  memcpy(balance->ground_velocity, velocity, sizeof balance->ground_velocity);
  Plane2 way = plane2_scale(plane2_of(velocity), h);
  balance->reference = plane2_add(balance->reference, way);
  balance->step_start = plane2_add(balance->step_start, way);
  for (int i = 0; i < 3; i++)
    balance->swing_ankle[i] += velocity[i] * h;
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
  for (int i = 0; i < BALANCE_LEGS; i++) {
    measure_foot(balance, ragdoll, i);
    balance->feet[i].loaded = command->foot_loaded[i];
    for (int axis = 0; axis < 3; axis++)
      balance->feet[i].force[axis] += felt * (command->foot_force[i][axis] - balance->feet[i].force[axis]);
  }
  const BalanceFoot *feet = balance->feet;
  double floor =
      balance->mode == BALANCE_STANDING ? (feet[0].sole[1] + feet[1].sole[1]) / 2 : feet[1 - balance->swing].sole[1];
  double height = fmax(0.5 * body->length, fmin(1.2 * body->length, balance->com[1] - floor));
  balance->omega = sqrt(body->gravity / height);
  balance->xi = plane2_add(plane2_of(balance->com), plane2_scale(plane2_of(balance->velocity), 1 / balance->omega));
  balance->margin = measure_margin(balance, ragdoll);
}
