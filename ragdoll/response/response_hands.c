// Hands: one goes to the struck place, both go before the face after a blow to the head, and a forearm guards against
// the direction that the blow came from. Arms are solved by inverse kinematics along a straight path of the wrist.
#include <math.h>

#include "anim/ik.h"
#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// Places that hands do not go to, m in the chest's frame from its joint: far down, and between the shoulder blades.
static const float LOWEST = -0.75f, BEHIND = -0.05f, BACK_HALF_WIDTH = 0.18f, BACK_LOW = -0.2f;
static const double BOTH_HANDS = 0.28; // pain from which both hands go before the face
static const double MIDDLE = 0.06;     // m: to a place this near to the middle either hand may go
static const double LEAST_PAIN = 0.1,
                    SURE = 0.04; // least pain for which a hand goes, and the range of pain over which it goes farther
static const float PALM = 0.07f, WRIST_BELOW = 0.06f; // m: the wrist's place off the struck one
static const double ACROSS = 0.04;   // m: within so much about the middle the elbow comes before the body
static const float AROUND = 0.24f;   // m: the wrist passes the trunk as far before the chest
static const float BESIDE = 0.17f;   // m from the middle: to places farther out the wrist need not pass the trunk
static const float LOW = -0.15f;     // m in the chest's frame: an elbow that hangs is as low
static const float IN_FRONT = 0.06f; // m before the chest's joint

// Places of the left wrist, m in the chest's frame from its joint: the palm before the face, and the guard before the
// chin.
static const vec3s FACE_PLACE = {{0.06f, 0.28f, 0.2f}}, GUARD_PLACE = {{0.08f, 0.2f, 0.27f}};
// The same of a struck hand or forearm, which is bent before the belly for the other hand to hold it.
static const vec3s HELD_PLACE = {{0.1f, -0.02f, 0.24f}};
static const float HALF_HAND = 0.08f;                   // m: as far the wrist stays from a place that its hand holds
static const double GUARD_PAIN = 0.4, GUARD_SURE = 0.2; // pain above which another blow is expected

static bool hangs_on(const BodyDef *body, int part, int ancestor) {
  while (part >= 0 && part != ancestor)
    part = body->parts[part].parent;
  return part == ancestor;
}

// A point in a part's frame, m, in the chest's.
static vec3s in_chest(const Responses *responses, const Ragdoll *ragdoll, int part, vec3s point_l) {
  vec3s point_w =
      glms_vec3_add(response_place(ragdoll, part), glms_quat_rotatev(response_rotation(ragdoll, part), point_l));
  versors chest = response_rotation(ragdoll, responses->body.chest);
  return glms_quat_rotatev(glms_quat_conjugate(chest),
                           glms_vec3_sub(point_w, response_place(ragdoll, responses->body.chest)));
}

// The side of the arm that is struck, or -1.
static int struck_arm(const Responses *responses, const Blow *blow) {
  for (int side = 0; side < 2; side++)
    if (hangs_on(responses->body.body, blow->part, responses->body.arms[side]))
      return side;
  return -1;
}

ResponseHand response_choose_hand(Responses *responses, const Ragdoll *ragdoll, const Blow *blow) {
  int arm = struck_arm(responses, blow);
  if (arm >= 0)
    return arm == RESPONSE_LEFT ? RESPONSE_RIGHT : RESPONSE_LEFT; // the other one holds it
  vec3s place = in_chest(responses, ragdoll, blow->part, blow->point_l);
  if (blow->part == responses->body.head && blow->pain > BOTH_HANDS)
    return RESPONSE_BOTH;
  bool back = place.z < BEHIND && place.y > BACK_LOW && fabsf(place.x) < BACK_HALF_WIDTH;
  if (place.y < LOWEST || (back && blow->part != responses->body.head))
    return RESPONSE_NO_HAND;
  if (blow->hand != RESPONSE_NO_HAND && blow->age > 0)
    return blow->hand; // it has been chosen
  return (double)place.x + rng_range(&responses->rng, -MIDDLE, MIDDLE) > 0 ? RESPONSE_LEFT : RESPONSE_RIGHT;
}

// 0 where a value is less than a threshold by half of a range or more, 1 where it is greater by as much.
static float share_past(float value, float threshold, float range) {
  return (float)smooth_step((double)((value - threshold) / range) + 0.5);
}

// Moves the wrist of an arm of the target a share of the straight way to a place in the chest's frame, m. Interpolated
// angles would throw the elbow outward on the way.
static void move_wrist(const Responses *responses, int side, vec3s place, double share, Pose *pose) {
  const Skeleton *skeleton = &responses->body.body->skeleton;
  int arm = responses->body.arms[side], forearm = responses->body.forearms[side], hand = responses->body.hands[side];
  if (hand < 0 || share <= 0)
    return;
  float sign = side == RESPONSE_LEFT ? 1 : -1, way = (float)share;
  TwoBoneJob job = {
      .root = skeleton->bind_position_l[arm], .mode = TWO_BONE_HINGE, .hinge = {{-1, 0, 0}}, .soft = 0.1f};
  job.root_rotation = pose->rotation[arm];
  job.mid_rotation = glms_quat_mul(job.root_rotation, pose->rotation[forearm]);
  job.end_rotation = glms_quat_mul(job.mid_rotation, pose->rotation[hand]);
  job.mid = glms_vec3_add(job.root, glms_quat_rotatev(job.root_rotation, skeleton->bind_position_l[forearm]));
  job.end = glms_vec3_add(job.mid, glms_quat_rotatev(job.mid_rotation, skeleton->bind_position_l[hand]));
  // Forward or back first and inward last: on the straight way the forearm would be caught at the side of the trunk.
  const float early = 1 - (1 - way) * (1 - way), late = way * way, out = sign * place.x;
  const float before = share_past(place.z, BEHIND, 0.1f), inside = 1 - share_past(out, BESIDE, 0.1f);
  job.target.x = job.end.x + late * (place.x - job.end.x);
  job.target.y = job.end.y + way * (place.y - job.end.y);
  job.target.z = job.end.z + early * (place.z - job.end.z) + before * inside * AROUND * 4 * way * (1 - way);
  const float across = (float)smooth_step((ACROSS - (double)out) / ACROSS + 0.5); // the elbow stays low
  const vec3s beside = {{sign * 0.5f, -0.85f, 0.05f}}, in_front = {{sign * 1.4f, -1, 1}},
              behind = {{sign * 1.5f, -0.85f, -1}};
  job.pole = glms_vec3_lerp(behind, glms_vec3_lerp(beside, in_front, across), before);
  two_bone_solve(&job);
  versors lower = glms_quat_mul(glms_quat_conjugate(job.new_root_rotation), job.new_mid_rotation);
  float turn = (float)smooth_step(1.4 * share); // the bend of the elbow's plane comes with it
  pose->rotation[arm] = quat_slerp(pose->rotation[arm], job.new_root_rotation, turn);
  pose->rotation[forearm] = quat_slerp(pose->rotation[forearm], lower, turn);
}

static vec3s mirrored(vec3s place, int side) {
  place.x *= side == RESPONSE_LEFT ? 1 : -1;
  return place;
}

// The place of the wrist at which the hand covers the struck place, chest's frame.
static vec3s covering_place(const Responses *responses, const Blow *blow, const Ragdoll *ragdoll, int side) {
  if (blow->hand == RESPONSE_BOTH)
    return mirrored(FACE_PLACE, side);
  vec3s point = blow->point_l, center = vec3_from_ode(ragdoll->com_l[blow->part]);
  vec3s out = glms_vec3_sub(point, center);
  out.y = 0;
  float length = glms_vec3_norm(out);
  if (length > 1e-3f)
    point = glms_vec3_add(point, glms_vec3_scale(out, PALM / length));
  // A forearm comes to a high place from below, and to a low one before the body from above.
  vec3s place = in_chest(responses, ragdoll, blow->part, blow->point_l);
  float from_above = share_past(place.z, IN_FRONT, 0.06f) * (1 - share_past(place.y, LOW, 0.2f));
  point.y -= WRIST_BELOW * (1 - 2 * from_above);
  return in_chest(responses, ragdoll, blow->part, point);
}

// The place of the wrist at which the hand holds the struck place of the other arm: before it, chest's frame.
static vec3s holding_place(const Responses *responses, const Blow *blow, const Ragdoll *ragdoll, int side) {
  vec3s axis = vec3_from_ode(ragdoll->com_l[blow->part]);
  axis.y = blow->point_l.y;
  const vec3s off = {{HALF_HAND, 0, PALM}};
  return glms_vec3_add(in_chest(responses, ragdoll, blow->part, axis), mirrored(off, side));
}

void response_reach(Responses *responses, const Blow *blow, const ResponseStep *step) {
  const ResponsesDef *def = &responses->def;
  bool head = blow->part == responses->body.head;
  double latency = def->reach_latency - (head ? 0.06 : 0), rise = 0.45 - 0.08 * blow->pain;
  double strength = smooth_step((blow->pain * def->reach - LEAST_PAIN) / SURE);
  // How far it goes does not depend on how much it hurts: it goes there or not.
  double there = fmin(1, strength * response_course(blow, 1, latency, rise, 0.5 + 0.9 * blow->pain, 0.7));
  there *= 1 - responses->busy;
  const int arm = struck_arm(responses, blow);
  if (arm >= 0 && blow->part != responses->body.arms[arm])
    move_wrist(responses, arm, mirrored(HELD_PLACE, arm), there, step->pose_w);
  for (int side = 0; side < 2 && there > 0; side++)
    if (blow->hand == (ResponseHand)side || blow->hand == RESPONSE_BOTH) {
      vec3s place = arm >= 0 ? holding_place(responses, blow, step->ragdoll, side)
                             : covering_place(responses, blow, step->ragdoll, side);
      move_wrist(responses, side, place, there, step->pose_w);
    }
}

void response_guard(Responses *responses, const Blow *blow, const ResponseStep *step) {
  const ResponsesDef *def = &responses->def;
  if (blow->pain < GUARD_PAIN || blow->hand == RESPONSE_BOTH)
    return;
  Plane2 way = response_way(blow, step->heading);
  if (way.z > 0.5) // from behind: he does not see it
    return;
  double strength = smooth_step((blow->pain * def->guard - GUARD_PAIN) / GUARD_SURE);
  double size = strength * response_course(blow, 1, def->guard_latency, 0.3, 0.7, 0.9) * (1 - responses->busy);
  int side = blow->hand == RESPONSE_LEFT ? RESPONSE_RIGHT : RESPONSE_LEFT; // the hand that is free
  if (blow->hand == RESPONSE_NO_HAND)
    side = way.x > 0 ? RESPONSE_RIGHT : RESPONSE_LEFT; // the one that is nearer to it
  if (side == struck_arm(responses, blow))             // it is held
    return;
  vec3s place = mirrored(GUARD_PLACE, side);
  place.x -= 0.12f * (float)way.x;
  move_wrist(responses, side, place, size, step->pose_w);
}
