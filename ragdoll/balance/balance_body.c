// What the controller knows of the body: dimensions of its legs, the joints of spine and arms, where its weight lies,
// and the scales by which gains found on one body serve others.
#include <math.h>

#include "anim/ik.h"
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/wide.h"
#include "sim/world/convert.h"

// The body that the gains were found on.
static const double GAINS_MASS = 75, GAINS_LEG = 0.84, GAINS_GRAVITY = 9.81; // kg, m, m/s^2

// A leg is straight if its joints are above each other within this distance.
static const double STRAIGHT_LEG = 0.02; // m

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

WIDE Plane2 balance_pose_shift(const BalanceBody *body, const Ragdoll *ragdoll, const Pose *pose_m) {
  const BodyDef *def = ragdoll->def;
  ModelPose model;
  pose_to_model(&def->skeleton, pose_m, &model);
  Plane2 center = {.x = 0, .z = 0}, soles = {.x = 0, .z = 0};
  for (int i = 0; i < def->part_count; i++) {
    vec3s offset = glms_quat_rotatev(model.rotation[i], vec3_from_ode(ragdoll->com_l[i]));
    Plane2 place = {.x = (double)(model.position[i].x + offset.x), .z = (double)(model.position[i].z + offset.z)};
    center = plane2_add(center, plane2_scale(place, def->parts[i].mass / def->mass));
  }
  for (int i = 0; i < BALANCE_LEGS; i++) {
    int ankle = body->legs[i].leg->ankle;
    vec3s offset = glms_quat_rotatev(model.rotation[ankle], body->legs[i].leg->sole_l);
    Plane2 place = {.x = (double)(model.position[ankle].x + offset.x),
                    .z = (double)(model.position[ankle].z + offset.z)};
    soles = plane2_add(soles, plane2_scale(place, 1.0 / BALANCE_LEGS));
  }
  return plane2_sub(center, soles);
}

bool balance_init_body(BalanceBody *built, const Ragdoll *ragdoll, Error *error) {
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
