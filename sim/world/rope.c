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

// The contact that draws the first body toward the second. Any point of the rope's line will do.
static dContact contact_along(const World *world, const WorldRope *rope, const double ends[2][3], double distance) {
  const double dt = world->def.dt, firmness = rope->stiffness * dt + rope->damping;
  dContact contact = {.surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                  .mu = 0,
                                  .soft_erp = rope->stiffness * dt / firmness,
                                  .soft_cfm = 1 / firmness},
                      .geom = {.depth = distance - rope->length}};
  for (int i = 0; i < 3; i++) {
    contact.geom.pos[i] = ends[0][i];
    contact.geom.normal[i] = (ends[1][i] - ends[0][i]) / distance;
  }
  return contact;
}

static bool pull(World *world, WorldRope *rope, const double ends[2][3], double distance) {
  const WorldBody *first = &world->bodies[rope->bodies[0]];
  const WorldBody *second = rope->bodies[1] == WORLD_GROUND ? NULL : &world->bodies[rope->bodies[1]];
  dContact contact = contact_along(world, rope, ends, distance);
  if (dBodyIsKinematic(first->ode)) { // a contact's first body is one that forces move
    const WorldBody *fixed = first;
    first = second;
    second = fixed;
    for (int i = 0; i < 3; i++)
      contact.geom.normal[i] = -contact.geom.normal[i];
  }
  return world_join(world, first, second, second ? second->ode : 0, &contact, &rope->feedback);
}

bool ropes_pull(World *world) {
  for (int i = 0; i < world->rope_count; i++) {
    WorldRope *rope = &world->ropes[i];
    double ends[2][3], way[3];
    rope->feedback = (dJointFeedback){.f1 = {0}};
    double distance = span(world, i, ends, way);
    bool moves = !dBodyIsKinematic(world->bodies[rope->bodies[0]].ode) ||
                 (rope->bodies[1] != WORLD_GROUND && !dBodyIsKinematic(world->bodies[rope->bodies[1]].ode));
    if (moves && distance > rope->length && !pull(world, rope, (const double(*)[3])ends, distance))
      return false;
  }
  return true;
}
