// Contacts of boxes with a level. The direction in which a box and a triangle are least deep in each other is found by
// the separating axis test; the contacts are where the faces on both sides, cut to each other, overlap.
//
// Everything is in the box's frame, with its middle at the origin.
#include <string.h>

#include "sim/terrain/level_internal.h"

enum { MAX_CORNERS = 8 }; // of a quadrilateral cut by three lines, or of a triangle cut by four
enum { ALL_EDGES = 7 };

// See level_touch.c.
#define SUNK 0.5
// m by which another direction than the face's own must be shallower; faces make the steadier contacts.
#define FACE_FIRST 5e-3
#define BOX_FACE_FIRST 1e-4
// Directions this far (cosine) from a triangle's plane are from neither side of it.
#define BEHIND 1e-3
// The smallest square of the sine between two edges that have a common perpendicular.
#define PARALLEL2 1e-8

typedef struct Box {
  const dReal *position, *rotation; // rows of four
  double half[3];                   // m
} Box;

// A corner of the box or triangle itself, one made by a cut, or one made by a cut along a seam, where the neighbouring
// triangle goes on.
typedef enum CornerKind { OWN, CUT, SEAM } CornerKind;
typedef struct Corner {
  double point[3];
  CornerKind kind;
} Corner;

typedef struct Polygon {
  Corner corners[MAX_CORNERS];
  int count;
} Polygon;

typedef struct Facing {
  double vertices[3][3], edges[3][3], normal[3];
  unsigned continued;     // see Level
  double low[3], high[3]; // bounds
} Facing;

// A direction in which box and triangle may touch. normal: from the triangle to the box.
typedef enum Direction { TRIANGLE_FACE, BOX_FACE, EDGES } Direction;
typedef struct Meeting {
  Direction direction;
  int box_axis, edge; // of the box's face or edge; of the triangle's edge
  double normal[3];
  double apart; // m, negative: their depth
} Meeting;

static void to_world(const Box *box, const double local[3], double world[3]) {
  for (int axis = 0; axis < 3; axis++)
    world[axis] = dot3(box->rotation + 4 * axis, local);
}

// point: of the box's surface.
static void add_touch(const Box *box, TouchList *list, const double point[3], const double normal[3], double depth) {
  double position_w[3], normal_w[3];
  to_world(box, point, position_w);
  add_scaled(box->position, 1, position_w, position_w);
  to_world(box, normal, normal_w);
  terrain_add_touch(list, position_w, normal_w, depth);
}

// Brings a triangle into the box's frame.
static void face_triangle(const Box *box, const LevelTriangle *triangle, Facing *facing) {
  const dReal *r = box->rotation;
  for (int axis = 0; axis < 3; axis++) {
    facing->low[axis] = INFINITY;
    facing->high[axis] = -INFINITY;
  }
  for (int v = 0; v < 3; v++) {
    double from[3];
    for (int axis = 0; axis < 3; axis++)
      from[axis] = (double)(*triangle)[v][axis] - box->position[axis];
    for (int axis = 0; axis < 3; axis++) {
      double place = r[axis] * from[0] + r[4 + axis] * from[1] + r[8 + axis] * from[2];
      facing->vertices[v][axis] = place;
      facing->low[axis] = min_d(place, facing->low[axis]);
      facing->high[axis] = max_d(place, facing->high[axis]);
    }
  }
}

static double extent(const Box *box, const double direction[3]) {
  return box->half[0] * fabs(direction[0]) + box->half[1] * fabs(direction[1]) + box->half[2] * fabs(direction[2]);
}

// ---- The direction of least depth ----

// Tests one axis. False when the two are more than `reach` apart along it.
static bool test_axis(const Facing *facing, const double axis[3], double low, double high, double half, double reach,
                      Meeting candidate, double margin, Meeting *best) {
  double over = -high - half, under = low - half; // the box is on the positive side, on the negative
  if (over >= reach || under >= reach)
    return false;
  double facing_axis = dot3(axis, facing->normal);
  bool both = fabs(facing_axis) < BEHIND;
  bool positive = both ? over > under : facing_axis > 0;
  candidate.apart = positive ? over : under;
  if (!(candidate.apart > best->apart + margin))
    return true;
  for (int i = 0; i < 3; i++)
    candidate.normal[i] = positive ? axis[i] : -axis[i];
  *best = candidate;
  return true;
}

static bool test_box_axes(const Box *box, const Facing *facing, double reach, Meeting *best) {
  for (int i = 0; i < 3; i++) {
    double axis[3] = {i == 0, i == 1, i == 2};
    double margin = best->direction == TRIANGLE_FACE ? FACE_FIRST : 0;
    if (!test_axis(facing, axis, facing->low[i], facing->high[i], box->half[i], reach,
                   (Meeting){.direction = BOX_FACE, .box_axis = i}, margin, best))
      return false;
  }
  return true;
}

static bool test_edges(const Box *box, const Facing *facing, double reach, Meeting *best) {
  for (int i = 0; i < 3; i++)
    for (int e = 0; e < 3; e++) {
      if (facing->continued >> e & 1)
        continue; // the neighbour's face meets the box first
      const double *edge = facing->edges[e];
      int j = (i + 1) % 3, k = (i + 2) % 3;
      double axis[3] = {0}, length2 = edge[j] * edge[j] + edge[k] * edge[k];
      if (length2 < PARALLEL2 * dot3(edge, edge))
        continue;
      double scale = 1 / sqrt(length2);
      axis[j] = -edge[k] * scale;
      axis[k] = edge[j] * scale;
      double on_edge = dot3(axis, facing->vertices[e]), opposite = dot3(axis, facing->vertices[(e + 2) % 3]);
      double margin = best->direction == TRIANGLE_FACE ? FACE_FIRST : best->direction == BOX_FACE ? BOX_FACE_FIRST : 0;
      if (!test_axis(facing, axis, min_d(on_edge, opposite), max_d(on_edge, opposite), extent(box, axis), reach,
                     (Meeting){.direction = EDGES, .box_axis = i, .edge = e}, margin, best))
        return false;
    }
  return true;
}

// ---- The overlap of two faces ----

// Keeps the part of a polygon where direction . point <= limit. seam: corners made by this cut are none to touch at.
static void cut(Polygon *polygon, const double direction[3], double limit, bool seam) {
  double over[MAX_CORNERS], most = -INFINITY;
  for (int i = 0; i < polygon->count; i++) {
    over[i] = dot3(direction, polygon->corners[i].point) - limit;
    most = max_d(most, over[i]);
  }
  if (most <= 0)
    return;
  const Polygon whole = *polygon;
  polygon->count = 0;
  for (int i = 0; i < whole.count; i++) {
    int next = i + 1 < whole.count ? i + 1 : 0;
    const Corner *corner = &whole.corners[i];
    if (over[i] <= 0 && polygon->count < MAX_CORNERS)
      polygon->corners[polygon->count++] = *corner;
    if (polygon->count == MAX_CORNERS || !((over[i] < 0 && over[next] > 0) || (over[i] > 0 && over[next] < 0)))
      continue;
    Corner *made = &polygon->corners[polygon->count++];
    for (int axis = 0; axis < 3; axis++)
      made->point[axis] = corner->point[axis] +
                          (whole.corners[next].point[axis] - corner->point[axis]) * over[i] / (over[i] - over[next]);
    made->kind = seam || corner->kind == SEAM || whole.corners[next].kind == SEAM ? SEAM : CUT;
  }
}

// The face of the box whose outside is nearest to a direction.
static void box_face(const Box *box, const double direction[3], Polygon *face) {
  int axis = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(direction[i]) > fabs(direction[axis]))
      axis = i;
  int j = (axis + 1) % 3, k = (axis + 2) % 3;
  face->count = 4;
  for (int i = 0; i < 4; i++) {
    double *point = face->corners[i].point;
    point[axis] = copysign(box->half[axis], direction[axis]);
    point[j] = i == 1 || i == 2 ? box->half[j] : -box->half[j];
    point[k] = i >= 2 ? box->half[k] : -box->half[k];
    face->corners[i].kind = OWN;
  }
}

// The box's lowest face over the triangle. Its own corners come first: where the contacts must be fewer, those stay.
// False when no part of it is over the triangle, nor beyond its seams.
static bool touch_face(const Box *box, const Facing *facing, double height, LevelTouches *touches) {
  const double down[3] = {-facing->normal[0], -facing->normal[1], -facing->normal[2]};
  Polygon face;
  box_face(box, down, &face);
  for (int pass = 0; pass < 2; pass++) { // borders, then seams: what is beyond a seam is over the neighbour
    for (int e = 0; e < 3 && face.count > 0; e++) {
      bool seam = facing->continued >> e & 1;
      double outward[3];
      if (seam != (pass == 1))
        continue;
      cross3(facing->edges[e], facing->normal, outward);
      cut(&face, outward, dot3(outward, facing->vertices[e]), seam);
    }
    if (face.count == 0)
      return pass == 1;
  }
  bool met = false;
  for (int kind = OWN; kind <= CUT; kind++)
    for (int i = 0; i < face.count; i++) {
      const Corner *corner = &face.corners[i];
      double depth = -dot3(facing->normal, corner->point) - height;
      met |= depth > -touches->reach;
      if ((int)corner->kind == kind && depth > -touches->reach)
        add_touch(box, &touches->faces, corner->point, facing->normal, depth);
    }
  return met;
}

// The part of the triangle that is under a face of the box.
static void touch_box_face(const Box *box, const Facing *facing, const Meeting *meeting, LevelTouches *touches) {
  Polygon part = {.count = 3};
  for (int v = 0; v < 3; v++) {
    part.corners[v].kind = OWN;
    memcpy(part.corners[v].point, facing->vertices[v], sizeof part.corners[v].point);
  }
  for (int i = 0; i < 3; i++) {
    if (i == meeting->box_axis)
      continue;
    for (int side = -1; side <= 1; side += 2) {
      double outward[3] = {0};
      outward[i] = side;
      cut(&part, outward, box->half[i], false);
    }
  }
  for (int i = 0; i < part.count; i++) {
    double *point = part.corners[i].point, depth = dot3(meeting->normal, point) + box->half[meeting->box_axis];
    if (depth <= -touches->reach)
      continue;
    add_scaled(point, -depth, meeting->normal, point);
    add_touch(box, &touches->edges, point, meeting->normal, depth);
  }
}

// The nearest points of an edge of the box and one of the triangle, if both are inside their edges.
static void touch_edges(const Box *box, const Facing *facing, const Meeting *meeting, LevelTouches *touches) {
  int axis = meeting->box_axis;
  double corner[3], from[3], point[3];
  for (int i = 0; i < 3; i++)
    corner[i] = i == axis ? 0 : copysign(box->half[i], -meeting->normal[i]);
  const double *edge = facing->edges[meeting->edge], *start = facing->vertices[meeting->edge];
  add_scaled(start, -1, corner, from);
  // Perpendicular to the box's edge, the distance is smallest at:
  double edge2 = dot3(edge, edge) - edge[axis] * edge[axis];
  double share = -(dot3(edge, from) - edge[axis] * from[axis]) / edge2;
  add_scaled(start, share, edge, point);
  if (share < 0 || share > 1 || fabs(point[axis]) > box->half[axis])
    return;
  add_scaled(point, meeting->apart, meeting->normal, point);
  add_touch(box, &touches->edges, point, meeting->normal, -meeting->apart);
}

// The same for a triangle that lies inside a floor or a hollow: the ground goes on beyond all of its edges, so that
// only the box's own corners can be deepest.
static void touch_inner_face(const Box *box, const Facing *facing, double height, LevelTouches *touches) {
  const double down[3] = {-facing->normal[0], -facing->normal[1], -facing->normal[2]};
  Polygon face;
  box_face(box, down, &face);
  bool over[4] = {true, true, true, true};
  for (int e = 0; e < 3; e++) {
    double outward[3];
    cross3(facing->edges[e], facing->normal, outward);
    double limit = dot3(outward, facing->vertices[e]);
    for (int i = 0; i < 4; i++)
      over[i] &= dot3(outward, face.corners[i].point) <= limit;
  }
  for (int i = 0; i < 4; i++) {
    double depth = -dot3(facing->normal, face.corners[i].point) - height;
    if (over[i] && depth > -touches->reach)
      add_touch(box, &touches->faces, face.corners[i].point, facing->normal, depth);
  }
}

static void touch_triangle(const Box *box, const LevelTriangle *triangle, unsigned continued, LevelTouches *touches) {
  Facing facing;
  face_triangle(box, triangle, &facing);
  facing.continued = continued;
  for (int axis = 0; axis < 3; axis++)
    if (facing.low[axis] - box->half[axis] >= touches->reach || -facing.high[axis] - box->half[axis] >= touches->reach)
      return;
  level_triangle_normal((const double(*)[3])facing.vertices, facing.edges, facing.normal);
  double height = -dot3(facing.normal, facing.vertices[0]), half = extent(box, facing.normal); // of the box's middle
  double apart = height - half;
  if (apart >= touches->reach || height < -SUNK * half)
    return;
  // No other direction can be shallower by more than the face is deep.
  if (apart > -FACE_FIRST && continued == ALL_EDGES) {
    touch_inner_face(box, &facing, height, touches);
    return;
  }
  if (apart > -FACE_FIRST && apart <= 0 && touch_face(box, &facing, height, touches))
    return;
  Meeting best = {.direction = TRIANGLE_FACE, .apart = apart};
  if (!test_box_axes(box, &facing, touches->reach, &best) || !test_edges(box, &facing, touches->reach, &best))
    return;
  if (best.direction == TRIANGLE_FACE && touch_face(box, &facing, height, touches))
    return;
  if (best.direction == TRIANGLE_FACE) { // they meet beside the box's lowest face, or are apart along a seam
    best.apart = apart - 2 * FACE_FIRST;
    test_box_axes(box, &facing, touches->reach, &best);
    test_edges(box, &facing, touches->reach, &best);
  }
  if (best.direction == BOX_FACE)
    touch_box_face(box, &facing, &best, touches);
  else if (best.direction == EDGES)
    touch_edges(box, &facing, &best, touches);
}

void level_touch_box(const Level *level, dGeomID shape, LevelTouches *touches) {
  dVector3 sides;
  dReal bounds[6];
  dGeomBoxGetLengths(shape, sides);
  Box box = {dGeomGetPosition(shape), dGeomGetRotation(shape), {sides[0] / 2, sides[1] / 2, sides[2] / 2}};
  dGeomGetAABB(shape, bounds);
  LevelSearch search;
  level_search_begin(&search, level, bounds, touches->reach);
  for (int index; (index = level_search_next(&search)) >= 0;)
    touch_triangle(&box, (const LevelTriangle *)&level->triangles[index], level->continued[index], touches);
}
