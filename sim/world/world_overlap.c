// Looks for overlapping bodies, pair by pair, and stores the deepest place of each two owners.
#include "sim/world/world_overlap.h"

#include "sim/world/world_internal.h"

typedef struct Search {
  const World *world;
  WorldOverlap *list;
  int count, most;
} Search;

static int owner_of(const World *world, int body) {
  return body == WORLD_GROUND ? WORLD_NO_OWNER : world->bodies[body].owner;
}

static bool is_same_owner(const World *world, int a, int b) {
  return a == b || (owner_of(world, a) != WORLD_NO_OWNER && owner_of(world, a) == owner_of(world, b));
}

static void note(Search *search, int body, int other, double depth) {
  for (int i = 0; i < search->count && i < search->most; i++) {
    WorldOverlap *known = &search->list[i];
    if (!is_same_owner(search->world, known->body, body) || !is_same_owner(search->world, known->other, other))
      continue;
    if (depth > known->depth)
      *known = (WorldOverlap){body, other, depth};
    return;
  }
  if (search->count < search->most)
    search->list[search->count] = (WorldOverlap){body, other, depth};
  search->count++;
}

static bool are_apart(dGeomID a, dGeomID b) {
  dReal box[2][6];
  dGeomGetAABB(a, box[0]);
  dGeomGetAABB(b, box[1]);
  for (int i = 0; i < 6; i += 2)
    if (box[0][i] > box[1][i + 1] || box[1][i] > box[0][i + 1])
      return true;
  return false;
}

static double shape_depth(dGeomID a, dGeomID b) {
  dContactGeom contacts[WORLD_PAIR_CONTACTS];
  const int count = are_apart(a, b) ? 0 : dCollide(a, b, WORLD_PAIR_CONTACTS, contacts, sizeof contacts[0]);
  double depth = 0;
  for (int i = 0; i < count; i++)
    depth = contacts[i].depth > depth ? contacts[i].depth : depth;
  return depth;
}

// The largest depth of all shapes of a body in a shape, or chain of shapes, of another one.
static double body_depth(const WorldBody *body, dGeomID other, bool chain) {
  double deepest = 0;
  for (dGeomID a = dBodyGetFirstGeom(body->ode); a; a = dBodyGetNextGeom(a))
    for (dGeomID b = other; b; b = chain ? dBodyGetNextGeom(b) : NULL) {
      const double depth = shape_depth(a, b);
      deepest = depth > deepest ? depth : deepest;
    }
  return deepest;
}

// Pair by pair, since dSpaceCollide would change the order of shapes, and thus the next step.
int world_overlaps(const World *world, double least, WorldOverlap list[], int most) {
  Search search = {.world = world, .list = list, .most = most};
  for (int i = 0; i < world->body_count; i++) {
    const WorldBody *body = &world->bodies[i];
    double depth = world->ground && world_bodies_collide(body, NULL) ? body_depth(body, world->ground, false) : 0;
    if (depth > least)
      note(&search, i, WORLD_GROUND, depth);
    for (int k = i + 1; k < world->body_count; k++) {
      if (is_same_owner(world, i, k) || !world_bodies_collide(body, &world->bodies[k]))
        continue;
      depth = body_depth(body, dBodyGetFirstGeom(world->bodies[k].ode), true);
      if (depth > least)
        note(&search, i, k, depth);
    }
  }
  return search.count;
}
