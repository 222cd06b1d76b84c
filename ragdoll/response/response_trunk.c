// Head and trunk: the startle, the bow over a struck place, and the look toward where the blow came from.
#include <math.h>

#include "ragdoll/response/responses_internal.h"
#include "sim/base/numbers.h"

// The startle, deg at full pain.
static const double DUCK = 14, SHOULDERS_FORWARD = 12, SHOULDERS_UP = 14, ELBOWS = 40, TRUNK = 6;

// The bow over a blow from the front, deg of the whole spine: to the belly, the chest, elsewhere; to the side.
static const double BOW_BELLY = 30, BOW_CHEST = 12, BOW_OTHER = 6, BEND_ASIDE = 12;
static const double BOW_MIDDLE = 0.6; // its share of a blow that did not come from the front

// The look, deg.
static const double FARTHEST_LOOK = 70;
static const double LOOK_OF_HEAD = 0.75, LOOK_OF_TRUNK = 0.25; // shares of the way

// Whether a part is below the chest on the way to the root: the belly or the pelvis.
static bool is_belly(const Responses *responses, int part) {
  const Skeleton *skeleton = &responses->body.body->skeleton;
  for (int joint = skeleton->parent[responses->body.chest]; joint >= 0; joint = skeleton->parent[joint])
    if (joint == part)
      return true;
  return false;
}

// Turns the spine as a whole, each of its joints by an equal share.
static void turn_spine(const Responses *responses, double x, double y, double z, Pose *pose) {
  const Skeleton *skeleton = &responses->body.body->skeleton;
  int count = 0;
  for (int joint = responses->body.chest; joint > 0; joint = skeleton->parent[joint])
    count++;
  for (int joint = responses->body.chest; joint > 0; joint = skeleton->parent[joint])
    response_turn(pose, joint, x / count, y / count, z / count);
}

void response_startle(Responses *responses, const Blow *blow, const ResponseStep *step) {
  const ResponsesDef *def = &responses->def;
  const BodyDef *body = responses->body.body;
  double start = def->startle * blow->size * blow->jolt, tense = def->tension * blow->size * blow->jolt;
  double size = response_course(blow, start, def->startle_latency, 0.08, 0.08, 0.45);
  double tension = response_course(blow, tense, def->startle_latency, 0.08, 0.25, 0.6);
  for (int i = 1; i < body->part_count; i++)
    if (!body->parts[i].carries)
      responses->tension[i] = fmaxf(responses->tension[i], (float)tension);
  if (size <= 0)
    return;
  response_turn(step->pose_w, responses->body.head, DUCK * size, 0, 0);
  turn_spine(responses, TRUNK * size, 0, 0, step->pose_w);
  for (int side = 0; side < 2; side++) {
    double out = side == RESPONSE_LEFT ? 1 : -1;
    response_turn(step->pose_w, responses->body.arms[side], -SHOULDERS_FORWARD * size, 0, out * SHOULDERS_UP * size);
    response_turn(step->pose_w, responses->body.forearms[side], -ELBOWS * size, 0, 0);
  }
}

void response_bow(Responses *responses, const Blow *blow, const ResponseStep *step) {
  const ResponsesDef *def = &responses->def;
  double size = response_wave(blow, def->bow, def->bow_latency, 0.25, 0.3 + 0.5 * blow->pain, 0.9);
  size *= 1 - responses->busy;
  if (size <= 0)
    return;
  Plane2 way = response_way(blow, step->heading);
  bool belly = is_belly(responses, blow->part);
  double most = belly ? BOW_BELLY : blow->part == responses->body.chest ? BOW_CHEST : BOW_OTHER;
  double forward = most * fmax(belly ? BOW_MIDDLE : 0, -way.z);
  turn_spine(responses, forward * size, 0, -BEND_ASIDE * way.x * size, step->pose_w);
}

void response_look(Responses *responses, const Blow *blow, const ResponseStep *step) {
  const ResponsesDef *def = &responses->def;
  Plane2 way = response_way(blow, step->heading);
  bool head = blow->part == responses->body.head; // covers its face rather
  double interest = 1 - exp(-4 * blow->pain);
  double size = blow->pain > 0 ? response_wave(blow, def->look, def->look_latency, 0.3, 0.5, 0.6) / blow->pain : 0;
  size = fmin(1, size) * interest * (head ? 0.3 : 1) * (1 - responses->busy);
  if (size <= 0 || plane2_length(way) <= 0)
    return;
  double from = atan2(-way.x, -way.z) / RAD_PER_DEGREE;
  from = fmax(-FARTHEST_LOOK, fmin(FARTHEST_LOOK, from)) * fmax(0.25, 1 - blow->pain);
  response_turn(step->pose_w, responses->body.head, 0, LOOK_OF_HEAD * from * size, 0);
  turn_spine(responses, 0, LOOK_OF_TRUNK * from * size, 0, step->pose_w);
}
