// Contacts of balls and capsules with a level, and what of all candidates becomes a contact.
//
// Triangles are handled one by one, without knowledge of their neighbours. A shape touches the faces that its middle is
// in front of. It may also touch edges and vertices; but most edges are inside a floor or a wall, where nothing may
// catch. Such an edge is never above the face beside it, so candidates at edges count only where they rise above the
// planes of all contacts with faces: a convex shape is on the front side of each plane that it touches.
#include <string.h>

#include "sim/terrain/level_internal.h"

// A shape whose middle is behind a triangle by more than this share of its extent is on the other side.
#define SUNK 0.5
// m: an edge that rises less than this above a contact's plane belongs to the same face.
#define RISE 1e-4
// Contacts with this cosine between their normals support in the same direction.
#define PARALLEL 0.9999
// m added to the distance of two contacts with opposite normals when the most different ones are chosen.
#define TURN 0.5
// Of contacts of the same depth the one farthest from the middle is taken first: m of depth for a m of distance.
#define OUTWARD 1e-4

// A triangle of the level in doubles.
typedef struct Facing {
  double vertices[3][3], edges[3][3], normal[3];
  unsigned continued; // see Level
} Facing;

static void face_triangle(const Level *level, int index, Facing *facing) {
  for (int v = 0; v < 3; v++)
    for (int axis = 0; axis < 3; axis++)
      facing->vertices[v][axis] = (double)level->triangles[index][v][axis];
  level_triangle_normal((const double(*)[3])facing->vertices, facing->edges, facing->normal);
  facing->continued = level->continued[index];
}

// m that a point is in front of the triangle's plane.
static double above_plane(const Facing *facing, const double point[3]) {
  double from[3];
  add_scaled(point, -1, facing->vertices[0], from);
  return dot3(from, facing->normal);
}

// ---- Balls ----

// Whether a point is over the triangle, seen along its normal.
static bool is_over(const Facing *facing, const double point[3]) {
  for (int i = 0; i < 3; i++) {
    double from[3], across[3];
    add_scaled(point, -1, facing->vertices[i], from);
    cross3(facing->edges[i], from, across);
    if (dot3(across, facing->normal) < 0)
      return false;
  }
  return true;
}

static void add_near_point(const double centre[3], double radius, const double point[3], double reach,
                           TouchList *list) {
  double normal[3], position[3];
  add_scaled(centre, -1, point, normal);
  double distance2 = dot3(normal, normal);
  if (distance2 >= (radius + reach) * (radius + reach) || distance2 < 1e-24)
    return;
  double distance = sqrt(distance2);
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= distance;
  add_scaled(centre, -radius, normal, position);
  terrain_add_touch(list, position, normal, radius - distance);
}

// A ball against a triangle. above: its centre's distance from the plane.
static void touch_ball(const Facing *facing, const double centre[3], double radius, double above,
                       LevelTouches *touches) {
  if (above >= radius + touches->reach)
    return;
  if (is_over(facing, centre)) {
    double position[3];
    add_scaled(centre, -radius, facing->normal, position);
    terrain_add_touch(&touches->faces, position, facing->normal, radius - above);
    return;
  }
  if (above <= 0)
    return;
  double nearest[3] = {0}, best = INFINITY;
  bool seam = false;
  for (int i = 0; i < 3; i++) {
    double from[3], point[3], away[3];
    add_scaled(centre, -1, facing->vertices[i], from);
    double share = min_d(max_d(dot3(from, facing->edges[i]) / dot3(facing->edges[i], facing->edges[i]), 0), 1);
    add_scaled(facing->vertices[i], share, facing->edges[i], point);
    add_scaled(centre, -1, point, away);
    if (dot3(away, away) < best) {
      best = dot3(away, away);
      seam = (facing->continued >> i & 1) && share > 0 && share < 1;
      memcpy(nearest, point, sizeof nearest);
    }
  }
  if (!seam)
    add_near_point(centre, radius, nearest, touches->reach, &touches->edges);
}

static void touch_sphere(const Level *level, dGeomID shape, LevelTouches *touches) {
  const dReal *centre = dGeomGetPosition(shape);
  double radius = dGeomSphereGetRadius(shape);
  dReal bounds[6];
  dGeomGetAABB(shape, bounds);
  LevelSearch search;
  level_search_begin(&search, level, bounds, touches->reach);
  for (int index; (index = level_search_next(&search)) >= 0;) {
    Facing facing;
    face_triangle(level, index, &facing);
    double above = above_plane(&facing, centre);
    if (above > -SUNK * radius)
      touch_ball(&facing, centre, radius, above, touches);
  }
}

// ---- Capsules ----

typedef struct Capsule {
  double ends[2][3], along[3], radius; // along: from one end to the other
  double length2;
} Capsule;

// The side of a capsule against an edge of a triangle: the nearest points of the capsule's axis and of the edge.
static void touch_side(const Capsule *capsule, const double start[3], const double edge[3], const double normal[3],
                       LevelTouches *touches) {
  double from[3], point[3], centre[3];
  add_scaled(capsule->ends[0], -1, start, from);
  double edge2 = dot3(edge, edge), both = dot3(edge, capsule->along);
  double on_edge = dot3(edge, from), on_axis = dot3(capsule->along, from);
  double denominator = edge2 * capsule->length2 - both * both;
  if (denominator < 1e-12 * edge2 * capsule->length2)
    return; // parallel: its ends touch, or the edge's vertices do
  double share = min_d(max_d((on_edge * capsule->length2 - both * on_axis) / denominator, 0), 1);
  double along = (both * share - on_axis) / capsule->length2;
  if (along <= 0 || along >= 1)
    return; // an end of the capsule is nearer
  add_scaled(start, share, edge, point);
  add_scaled(capsule->ends[0], along, capsule->along, centre);
  double away[3];
  add_scaled(centre, -1, point, away);
  if (dot3(away, normal) > 0)
    add_near_point(centre, capsule->radius, point, touches->reach, &touches->edges);
}

static void touch_capsule(const Level *level, dGeomID shape, LevelTouches *touches) {
  const dReal *rotation = dGeomGetRotation(shape);
  const double axis[3] = {rotation[2], rotation[6], rotation[10]};
  Capsule capsule;
  dReal bounds[6], length;
  dGeomGetAABB(shape, bounds);
  dGeomCapsuleGetParams(shape, &capsule.radius, &length);
  for (int end = 0; end < 2; end++)
    add_scaled(dGeomGetPosition(shape), (end - 0.5) * length, axis, capsule.ends[end]);
  add_scaled(capsule.ends[1], -1, capsule.ends[0], capsule.along);
  capsule.length2 = dot3(capsule.along, capsule.along);

  LevelSearch search;
  level_search_begin(&search, level, bounds, touches->reach);
  for (int index; (index = level_search_next(&search)) >= 0;) {
    Facing facing;
    face_triangle(level, index, &facing);
    const double above[2] = {above_plane(&facing, capsule.ends[0]), above_plane(&facing, capsule.ends[1])};
    double middle = (above[0] + above[1]) / 2, extent = capsule.radius + fabs(above[1] - above[0]) / 2;
    if (middle < -SUNK * extent || min_d(above[0], above[1]) >= capsule.radius + touches->reach)
      continue;
    for (int end = 0; end < 2; end++)
      touch_ball(&facing, capsule.ends[end], capsule.radius, above[end], touches);
    for (int i = 0; i < 3 && capsule.length2 > 0; i++)
      if ((facing.continued >> i & 1) == 0)
        touch_side(&capsule, facing.vertices[i], facing.edges[i], facing.normal, touches);
  }
}

// ---- From candidates to contacts ----

// Whether a candidate at an edge does not rise above the plane of another contact. The candidate's point of the edge is
// `depth` from its position along the normal.
static bool is_covered(const Touch *touch, const Touch *by) {
  if (dot3(touch->normal, by->normal) > PARALLEL)
    return false; // the same support in another place
  double from[3];
  add_scaled(touch->position, touch->depth, touch->normal, from);
  add_scaled(from, -1, by->position, from);
  return dot3(from, by->normal) - by->depth < RISE;
}

static bool is_covered_by_any(const Touch *touch, const TouchList *list, int count) {
  for (int i = 0; i < count; i++)
    if (is_covered(touch, &list->touches[i]))
      return true;
  return false;
}

// Adds the candidates at edges to the contacts with faces, the deepest first, unless one of either covers them.
static void add_edges(TouchList *faces, TouchList *edges) {
  while (edges->count > 0) {
    int deepest = 0;
    for (int i = 1; i < edges->count; i++)
      if (edges->touches[i].depth > edges->touches[deepest].depth)
        deepest = i;
    Touch touch = edges->touches[deepest];
    edges->touches[deepest] = edges->touches[--edges->count];
    if (!is_covered_by_any(&touch, faces, faces->count))
      terrain_add_touch(faces, touch.position, touch.normal, touch.depth);
  }
}

static double difference(const Touch *a, const Touch *b) {
  double apart[3];
  add_scaled(a->position, -1, b->position, apart);
  return length3(apart) + TURN * (1 - dot3(a->normal, b->normal)) / 2;
}

// Keeps `most` touches: the deepest, then repeatedly the one that differs most from those kept in place and direction,
// so that a shape in a corner is held by the floor and by both walls, and a standing one as widely as possible.
static void keep_touches(TouchList *list, const double middle[3], int most) {
  if (list->count <= most)
    return;
  double distance[MAX_TOUCHES] = {0}, best = -INFINITY; // to the nearest of those kept, m
  int next = 0;
  for (int i = 0; i < list->count; i++) {
    double away[3];
    add_scaled(list->touches[i].position, -1, middle, away);
    double rank = list->touches[i].depth + OUTWARD * length3(away);
    distance[i] = INFINITY;
    if (rank > best) {
      best = rank;
      next = i;
    }
  }
  for (int kept = 0; kept < most; kept++) {
    Touch touch = list->touches[next];
    list->touches[next] = list->touches[kept];
    distance[next] = distance[kept];
    list->touches[kept] = touch;
    best = -INFINITY;
    for (int i = kept + 1; i < list->count; i++) {
      distance[i] = min_d(distance[i], difference(&list->touches[i], &touch));
      if (distance[i] + list->touches[i].depth > best) {
        best = distance[i] + list->touches[i].depth;
        next = i;
      }
    }
  }
  list->count = most;
}

int level_touch(const Level *level, dGeomID terrain, dGeomID shape, double reach, int flags, dContactGeom *contacts,
                int skip) {
  LevelTouches touches;
  touches.faces.count = touches.edges.count = 0;
  touches.reach = reach;
  switch (dGeomGetClass(shape)) {
  case dSphereClass:
    touch_sphere(level, shape, &touches);
    break;
  case dCapsuleClass:
    touch_capsule(level, shape, &touches);
    break;
  default:
    level_touch_box(level, shape, &touches);
  }
  add_edges(&touches.faces, &touches.edges);
  int most = flags & 0xffff;
  keep_touches(&touches.faces, dGeomGetPosition(shape), most);
  return terrain_write_contacts(&touches.faces, terrain, shape, flags, contacts, skip);
}
