// Creates ropes, and makes a contact of each that is stretched.
#include "sim/world/rope.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/world_body.h"
#include "sim/world/world_internal.h"

void rope_ends(const World *world, int index, double ends[2][3]) {
  const WorldRope *rope = &world->ropes[index];
  for (int i = 0; i < 2; i++) {
    if (rope->bodies[i] == WORLD_GROUND)
      memcpy(ends[i], rope->points_l[i], sizeof ends[i]);
    else
      world_body_point_to_world(world, rope->bodies[i], rope->points_l[i], ends[i]);
  }
}

double rope_tension(const World *world, int index) { return length3(world->ropes[index].feedback.f1); }

// The distance between a rope's ends, m, and the way from the first to the second.
static double span(const World *world, int rope, double ends[2][3], double way[3]) {
  rope_ends(world, rope, ends);
  for (int k = 0; k < 3; k++)
    way[k] = ends[1][k] - ends[0][k];
  return length3(way);
}

// Comparisons are written so that NaN makes them false.
bool rope_create(World *world, const int bodies[2], const double points_l[2][3], double length, double stiffness,
                 double damping) {
  bool exist = bodies[0] >= 0 && bodies[1] >= WORLD_GROUND && bodies[0] < world->body_count &&
               bodies[1] < world->body_count && bodies[0] != bodies[1];
  if (!exist || world->rope_count == WORLD_MAX_ROPES || !finite3(points_l[0]) || !finite3(points_l[1]) ||
      !(length >= 0 && isfinite(length)) || !(stiffness > 0 && isfinite(stiffness)) ||
      !(damping >= 0 && isfinite(damping)))
    return false;
  int index = world->rope_count++;
  WorldRope *rope = &world->ropes[index];
  *rope = (WorldRope){.length = length, .stiffness = stiffness, .damping = damping};
  memcpy(rope->bodies, bodies, sizeof rope->bodies);
  memcpy(rope->points_l, points_l, sizeof rope->points_l);
  if (length == 0)
    rope->length = span(world, index, (double[2][3]){{0}}, (double[3]){0});
  return true;
}

static const WorldBody *body_at(const World *world, const WorldRope *rope, int end) {
  return rope->bodies[end] == WORLD_GROUND ? NULL : &world->bodies[rope->bodies[end]];
}

// The contact that draws one end toward the other. Any point of the rope's line will do.
static dContact contact_along(const World *world, const WorldRope *rope, const double way[3], double distance) {
  const double dt = world->def.dt, firmness = rope->stiffness * dt + rope->damping;
  dContact contact = {.surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                  .mu = 0,
                                  .soft_erp = rope->stiffness * dt / firmness,
                                  .soft_cfm = 1 / firmness},
                      .geom = {.depth = distance - rope->length}};
  for (int i = 0; i < 3; i++)
    contact.geom.normal[i] = way[i] / distance;
  return contact;
}

bool ropes_pull(World *world) {
  for (int i = 0; i < world->rope_count; i++) {
    WorldRope *rope = &world->ropes[i];
    double ends[2][3], way[3], distance = span(world, i, ends, way);
    rope->feedback = (dJointFeedback){.f1 = {0}};
    const int first = world_is_moved(body_at(world, rope, 0)) ? 0 : 1; // a contact's first body is one that forces move
    const WorldBody *drawn = body_at(world, rope, first), *other = body_at(world, rope, 1 - first);
    if (!world_is_moved(drawn) || !(distance > rope->length))
      continue;
    for (int k = 0; k < 3 && first == 1; k++)
      way[k] = -way[k];
    dContact contact = contact_along(world, rope, way, distance);
    memcpy(contact.geom.pos, ends[0], sizeof ends[0]);
    if (!world_join(world, drawn, other, other ? other->ode : 0, &contact, &rope->feedback))
      return false;
  }
  return true;
}
