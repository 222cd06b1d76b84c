#include "sim/terrain_touch.h"

#include <string.h>

// Normals of edges on edges with less than this upward are given up for the triangle's.
#define STEEPEST 0.1

// ---- Candidates and contacts

void add_touch(TouchList *list, const double position[3], const double normal[3], double depth) {
  Touch *touch = &list->touches[0];
  if (list->count < MAX_TOUCHES) {
    touch = &list->touches[list->count++];
  } else {
    for (int i = 1; i < MAX_TOUCHES; i++)
      if (list->touches[i].depth < touch->depth)
        touch = &list->touches[i];
    if (touch->depth >= depth)
      return;
  }
  memcpy(touch->position, position, sizeof touch->position);
  memcpy(touch->normal, normal, sizeof touch->normal);
  touch->depth = depth;
}

// Chooses `max` of the touches: the deepest, then each time the one that lies farthest from the chosen ones over the
// ground, depth counting as distance. So the support under a resting box stays as wide as it is.
static void choose_touches(const TouchList *list, int max, bool chosen[MAX_TOUCHES]) {
  double distance[MAX_TOUCHES]; // to the nearest chosen one, m
  int next = 0;
  for (int i = 0; i < list->count; i++) {
    chosen[i] = false;
    distance[i] = INFINITY;
    if (list->touches[i].depth > list->touches[next].depth)
      next = i;
  }
  for (int count = 1;; count++) {
    chosen[next] = true;
    if (count == max)
      return;
    const double *from = list->touches[next].position;
    double best = -1;
    for (int i = 0; i < list->count; i++) {
      const Touch *touch = &list->touches[i];
      double x = touch->position[0] - from[0], z = touch->position[2] - from[2];
      distance[i] = fmin(distance[i], sqrt(x * x + z * z));
      if (!chosen[i] && distance[i] + touch->depth > best) {
        best = distance[i] + touch->depth;
        next = i;
      }
    }
  }
}

int write_contacts(const TouchList *list, dGeomID terrain, dGeomID shape, int flags, dContactGeom *contacts, int skip) {
  int max = flags & 0xffff, count = 0;
  bool chosen[MAX_TOUCHES];
  if (list->count > max)
    choose_touches(list, max, chosen);
  for (int i = 0; i < list->count; i++) {
    if (list->count > max && !chosen[i])
      continue;
    const Touch *touch = &list->touches[i];
    dContactGeom *contact = (dContactGeom *)((char *)contacts + (size_t)skip * (size_t)count++);
    for (int axis = 0; axis < 3; axis++) {
      contact->pos[axis] = touch->position[axis];
      contact->normal[axis] = -touch->normal[axis];
    }
    contact->pos[3] = contact->normal[3] = 0;
    contact->depth = touch->depth;
    contact->g1 = terrain;
    contact->g2 = shape;
    contact->side1 = contact->side2 = -1;
  }
  return count;
}

// ---- The ground under a shape

Patch find_patch(const Terrain *terrain, const dReal bounds[6]) {
  double right = (bounds[0] - terrain->origin_x) / terrain->cell,
         left = (bounds[1] - terrain->origin_x) / terrain->cell;
  double near = (bounds[4] - terrain->origin_z) / terrain->cell, far = (bounds[5] - terrain->origin_z) / terrain->cell;
  double last_column = terrain->columns - 1, last_row = terrain->rows - 1;
  Patch patch = {0, -1, 0, -1, INFINITY, -INFINITY};
  if (terrain->endless && !(right >= 0 && left <= last_column && near >= 0 && far <= last_row))
    patch.lowest = patch.highest = terrain->outside_height;
  if (!(right <= last_column && left >= 0 && near <= last_row && far >= 0))
    return patch;
  patch.first_i = terrain_cell(right, terrain->columns);
  patch.last_i = terrain_cell(left, terrain->columns) + 1;
  patch.first_k = terrain_cell(near, terrain->rows);
  patch.last_k = terrain_cell(far, terrain->rows) + 1;
  for (int k = patch.first_k; k <= patch.last_k; k++)
    for (int i = patch.first_i; i <= patch.last_i; i++) {
      double height = terrain_sample(terrain, i, k);
      patch.lowest = height < patch.lowest ? height : patch.lowest;
      patch.highest = height > patch.highest ? height : patch.highest;
    }
  return patch;
}

bool is_peak(const Terrain *terrain, int i, int k, const double normal[3]) {
  static const int neighbours[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
  double height = terrain_sample(terrain, i, k), lowest = 0;
  for (int n = 0; n < 6; n++) {
    int a = i + neighbours[n][0], b = k + neighbours[n][1];
    if (a < 0 || b < 0 || a >= terrain->columns || b >= terrain->rows)
      continue;
    double rise = terrain->cell * (neighbours[n][0] * normal[0] + neighbours[n][1] * normal[2]) +
                  (terrain_sample(terrain, a, b) - height) * normal[1];
    if (rise > FLATNESS)
      return false;
    lowest = rise < lowest ? rise : lowest;
  }
  return lowest < -FLATNESS;
}

// ---- A straight edge over the edges of triangles

// A place where the edge passes over an edge of a triangle.
typedef struct Crossing {
  double t;        // 0..1 along the edge
  double gap;      // m from the ground up to the edge
  double along[3]; // direction of the triangle's edge, m
} Crossing;

// The three families of lines that bound the triangles, as coordinate u, v or u + v reaching whole numbers.
enum { FAMILIES = 3 };

static Crossing make_crossing(const Terrain *terrain, int family, double line, double t, double u, double v, double y) {
  Crossing crossing = {.t = t};
  int i, k, step_i = 0, step_k = 0;
  if (family == 0) {
    i = (int)line;
    k = terrain_cell(v, terrain->rows);
    step_k = 1;
  } else if (family == 1) {
    i = terrain_cell(u, terrain->columns);
    k = (int)line;
    step_i = 1;
  } else {
    // From (i+1, k) to (i, k+1), where i + k + 1 is the line.
    k = (int)line - 1 - terrain_cell(u, terrain->columns);
    k = k < 0 ? 0 : k > terrain->rows - 2 ? terrain->rows - 2 : k;
    i = (int)line - k;
    i = i < 1 ? 1 : i > terrain->columns - 1 ? terrain->columns - 1 : i;
    step_i = -1;
    step_k = 1;
  }
  double start = terrain_sample(terrain, i, k), rise = terrain_sample(terrain, i + step_i, k + step_k) - start;
  double share = family == 1 ? u - i : v - k;
  crossing.gap = y - (start + rise * share);
  crossing.along[0] = step_i * terrain->cell;
  crossing.along[1] = rise;
  crossing.along[2] = step_k * terrain->cell;
  return crossing;
}

// The edge rests on the crossing: nowhere near is the gap smaller, and on one side at least it is larger.
static bool is_support(double before, double gap, double after) {
  return before >= gap - FLATNESS && after >= gap - FLATNESS && (before > gap + FLATNESS || after > gap + FLATNESS);
}

// Edge on edge: the normal is at right angles to both. radius is that of a capsule around the edge.
static void touch_crossing(const Terrain *terrain, const double start[3], const double edge[3], double radius,
                           const Crossing *crossing, TouchList *list) {
  if (crossing->gap * STEEPEST >= radius)
    return;
  double position[3], normal[3];
  add_scaled(start, crossing->t, edge, position);
  dCalcVectorCross3(normal, crossing->along, edge);
  double length = sqrt(dot(normal, normal));
  if (normal[1] < 0)
    length = -length;
  if (fabs(normal[1]) < STEEPEST * fabs(length) || length == 0) {
    // Nearly along the ground's edge: the triangle will do.
    Facet facet;
    if (!terrain_facet(terrain, position[0], position[2], &facet))
      return;
    facet_normal(&facet, normal);
    length = 1;
  }
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= length;
  double depth = radius - crossing->gap * normal[1];
  if (depth <= 0)
    return;
  add_scaled(position, -radius, normal, position);
  add_touch(list, position, normal, depth);
}

void touch_edge(const Terrain *terrain, const double start[3], const double end[3], double gap_start, double gap_end,
                double radius, TouchList *list) {
  double edge[3];
  add_scaled(end, -1, start, edge);
  double u = (start[0] - terrain->origin_x) / terrain->cell, du = edge[0] / terrain->cell;
  double v = (start[2] - terrain->origin_z) / terrain->cell, dv = edge[2] / terrain->cell;
  const double at[FAMILIES] = {u, v, u + v}, rate[FAMILIES] = {du, dv, du + dv};
  const double last[2] = {terrain->columns - 1, terrain->rows - 1};

  // The part over the grid, border included.
  double from = 0, to = 1;
  for (int axis = 0; axis < 2; axis++) {
    if (fabs(rate[axis]) < TERRAIN_BORDER)
      continue;
    double low = (-TERRAIN_BORDER - at[axis]) / rate[axis],
           high = (last[axis] + TERRAIN_BORDER - at[axis]) / rate[axis];
    from = fmax(from, fmin(low, high));
    to = fmin(to, fmax(low, high));
  }
  if (!(from < to) || !terrain_covers(terrain, u + du * (from + to) / 2, v + dv * (from + to) / 2))
    return;

  double line[FAMILIES], next[FAMILIES];
  for (int family = 0; family < FAMILIES; family++) {
    double now = at[family] + rate[family] * from;
    line[family] = rate[family] > 0 ? floor(now) + 1 : ceil(now) - 1;
    next[family] = fabs(rate[family]) < TERRAIN_BORDER ? INFINITY : (line[family] - at[family]) / rate[family];
  }

  double before = gap_start;
  Crossing crossing = {.t = -1};
  for (;;) {
    int family = next[0] < next[1] ? 0 : 1;
    if (next[2] < next[family])
      family = 2;
    double t = next[family];
    if (!(t < to))
      break;
    // At a vertex lines of several families meet: one crossing.
    if (crossing.t < 0 || t - crossing.t > TERRAIN_BORDER) {
      Crossing after = make_crossing(terrain, family, line[family], t, u + du * t, v + dv * t, start[1] + edge[1] * t);
      if (crossing.t >= 0) {
        if (is_support(before, crossing.gap, after.gap))
          touch_crossing(terrain, start, edge, radius, &crossing, list);
        before = crossing.gap;
      }
      crossing = after;
    }
    line[family] += rate[family] > 0 ? 1 : -1;
    next[family] = (line[family] - at[family]) / rate[family];
  }
  if (crossing.t >= 0 && is_support(before, crossing.gap, gap_end))
    touch_crossing(terrain, start, edge, radius, &crossing, list);
}
