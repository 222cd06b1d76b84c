// Collects the candidates for contacts between a shape and the terrain: triangles under it, edges and peaks; of
// candidates close together the deepest is kept.
#include "sim/terrain/terrain_touch_internal.h"

#include <string.h>

// If the normal of an edge against an edge has a smaller vertical component, the triangle's normal is used instead.
#define STEEPEST 0.1
// Crossings this near to a vertex count as on it, as a share of the edge.
#define VERTEX 1e-6

// Touches nearer than this (m) whose normals are this close (cosine) count as one: duplicate contacts make ODE's exact
// stepper fail.
#define SAME_PLACE 1e-3
#define SAME_NORMAL 0.99

// ---- Candidates and contacts ----

static bool is_same_touch(const Touch *touch, const double position[3], const double normal[3]) {
  double apart[3];
  add_scaled(touch->position, -1, position, apart);
  return dot3(apart, apart) < SAME_PLACE * SAME_PLACE && dot3(touch->normal, normal) > SAME_NORMAL;
}

// The list's entry for a touch of that depth, NULL when it is not needed.
static Touch *find_slot(TouchList *list, const double position[3], const double normal[3], double depth) {
  Touch *shallowest = &list->touches[0];
  for (Touch *touch = list->touches; touch < list->touches + list->count; touch++) {
    if (is_same_touch(touch, position, normal))
      return touch->depth < depth ? touch : NULL;
    if (touch->depth < shallowest->depth)
      shallowest = touch;
  }
  if (list->count < MAX_TOUCHES)
    return &list->touches[list->count++];
  return shallowest->depth < depth ? shallowest : NULL;
}

void terrain_add_touch(TouchList *list, const double position[3], const double normal[3], double depth) {
  Touch *touch = find_slot(list, position, normal, depth);
  if (!touch)
    return;
  memcpy(touch->position, position, sizeof touch->position);
  memcpy(touch->normal, normal, sizeof touch->normal);
  touch->depth = depth;
}

// Chooses `max` touches: the deepest, then repeatedly the one farthest from those chosen (horizontally, with depth
// added to the distance). The support under a resting box is thus as wide as possible.
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
    if (count >= max)
      return;
    const double *from = list->touches[next].position;
    double best = -1;
    for (int i = 0; i < list->count; i++) {
      const Touch *touch = &list->touches[i];
      double x = touch->position[0] - from[0], z = touch->position[2] - from[2];
      distance[i] = min_d(distance[i], sqrt(x * x + z * z));
      if (!chosen[i] && distance[i] + touch->depth > best) {
        best = distance[i] + touch->depth;
        next = i;
      }
    }
  }
}

int terrain_write_contacts(const TouchList *list, dGeomID terrain, dGeomID shape, int flags, dContactGeom *contacts,
                           int skip) {
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

// ---- The ground under a shape ----

// Deviations are measured from a plane through three of the outermost samples: adding a plane does not change how far
// the ground deviates from a straight line.
static void measure_patch(const Terrain *terrain, Patch *patch) {
  double base = terrain_sample(terrain, patch->first_i, patch->first_k), slope_i = 0, slope_k = 0;
  if (patch->inside) {
    slope_i = (terrain_sample(terrain, patch->last_i, patch->first_k) - base) / (patch->last_i - patch->first_i);
    slope_k = (terrain_sample(terrain, patch->first_i, patch->last_k) - base) / (patch->last_k - patch->first_k);
  }
  double lowest = INFINITY, highest = -INFINITY; // deviations
  if (!patch->inside)
    lowest = highest = terrain->endless ? terrain->outside_height - base : INFINITY;
  for (int k = patch->first_k; k <= patch->last_k; k++)
    for (int i = patch->first_i; i <= patch->last_i; i++) {
      double height = terrain_sample(terrain, i, k);
      double deviation = height - base - slope_i * (i - patch->first_i) - slope_k * (k - patch->first_k);
      patch->highest = max_d(patch->highest, height);
      lowest = min_d(lowest, deviation);
      highest = max_d(highest, deviation);
    }
  patch->roughness = highest - lowest;
}

Patch terrain_find_patch(const Terrain *terrain, const dReal bounds[6]) {
  double scale = 1 / terrain->cell, last_column = terrain->columns - 1, last_row = terrain->rows - 1;
  double right = (bounds[0] - terrain->origin_x) * scale, left = (bounds[1] - terrain->origin_x) * scale;
  double near = (bounds[4] - terrain->origin_z) * scale, far = (bounds[5] - terrain->origin_z) * scale;
  Patch patch = {0, -1, 0, -1, false, -INFINITY, 0};
  patch.inside = right >= 0 && left <= last_column && near >= 0 && far <= last_row;
  if (!patch.inside && terrain->endless)
    patch.highest = terrain->outside_height;
  if (!(right <= last_column && left >= 0 && near <= last_row && far >= 0))
    return patch;
  patch.first_i = terrain_cell(right, terrain->columns);
  patch.last_i = terrain_cell(left, terrain->columns) + 1;
  patch.first_k = terrain_cell(near, terrain->rows);
  patch.last_k = terrain_cell(far, terrain->rows) + 1;
  measure_patch(terrain, &patch);
  return patch;
}

bool terrain_is_peak(const Terrain *terrain, int i, int k, const double normal[3]) {
  static const int neighbours[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}};
  double height = terrain_sample(terrain, i, k), lowest = 0;
  for (int n = 0; n < 6; n++) {
    int a = i + neighbours[n][0], b = k + neighbours[n][1];
    if (a < 0 || b < 0 || a >= terrain->columns || b >= terrain->rows)
      continue;
    double rise = terrain->cell * (neighbours[n][0] * normal[0] + neighbours[n][1] * normal[2]) +
                  (terrain_sample(terrain, a, b) - height) * normal[1];
    if (rise > TERRAIN_FLATNESS)
      return false;
    lowest = rise < lowest ? rise : lowest;
  }
  return lowest < -TERRAIN_FLATNESS;
}

// ---- A straight edge over the edges of triangles ----

// A point where the edge passes over an edge of a triangle.
typedef struct Crossing {
  double t;        // 0..1 along the edge
  double gap;      // m from the ground up to the edge
  double along[3]; // vector of the triangle's edge, m
  double share;    // 0..1 along the edge of the triangle
} Crossing;

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
  crossing.share = family == 1 ? u - i : v - k;
  crossing.gap = y - (start + rise * crossing.share);
  crossing.along[0] = step_i * terrain->cell;
  crossing.along[1] = rise;
  crossing.along[2] = step_k * terrain->cell;
  return crossing;
}

// Whether the edge rests on the crossing: the gap is not smaller at the neighbours, and larger on one side at least.
static bool is_support(double before, double gap, double after) {
  return before >= gap - TERRAIN_FLATNESS && after >= gap - TERRAIN_FLATNESS &&
         (before > gap + TERRAIN_FLATNESS || after > gap + TERRAIN_FLATNESS);
}

// The normal of an edge on the edge of a triangle: perpendicular to both.
static void find_crossing_normal(const Terrain *terrain, const double position[3], const double edge[3],
                                 const Crossing *crossing, double normal[3]) {
  if (crossing->share < VERTEX || crossing->share > 1 - VERTEX) {
    // On a vertex, where edges of several directions meet: perpendicular to the shape's edge only.
    static const double up[3] = {0, 1, 0};
    add_scaled(up, -edge[1] / dot3(edge, edge), edge, normal);
  } else {
    dCalcVectorCross3(normal, crossing->along, edge);
  }
  double length = sqrt(dot3(normal, normal));
  if (fabs(normal[1]) <= STEEPEST * length) {
    // Nearly parallel to the edge of the triangle: the normal of its face is used.
    Facet facet;
    terrain_facet(terrain, position[0], position[2], &facet);
    facet_normal(&facet, normal);
    return;
  }
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= copysign(length, normal[1]);
}

// An edge below the edge of a triangle, pushed out along the normal. radius: of a capsule around the edge.
static void touch_from_below(const Terrain *terrain, const double start[3], const double edge[3], double radius,
                             const Crossing *crossing, TouchList *list) {
  double position[3], normal[3];
  add_scaled(start, crossing->t, edge, position);
  find_crossing_normal(terrain, position, edge, crossing, normal);
  add_scaled(position, -radius, normal, position);
  terrain_add_touch(list, position, normal, radius - crossing->gap * normal[1]);
}

// A capsule whose axis is above the edge of a triangle: the nearest points of axis and edge.
static void touch_from_above(const double start[3], const double edge[3], double radius, const Crossing *crossing,
                             TouchList *list) {
  const double *along = crossing->along;
  double along2 = dot3(along, along), both = dot3(along, edge), edge2 = dot3(edge, edge);
  double rise_along = along[1] * crossing->gap, rise_edge = edge[1] * crossing->gap;
  // From the crossing, `a` is measured along the edge of the triangle and `b` along the axis.
  double a = (rise_along * edge2 - both * rise_edge) / (along2 * edge2 - both * both);
  a = min_d(max_d(a, -crossing->share), 1 - crossing->share);
  double b = (a * both - rise_edge) / edge2;
  if (crossing->t + b < 0 || crossing->t + b > 1)
    return; // nearer to an end of the capsule, which is handled as a sphere
  double normal[3] = {0, crossing->gap, 0}, position[3];
  add_scaled(normal, b, edge, normal);
  add_scaled(normal, -a, along, normal);
  double distance = sqrt(dot3(normal, normal));
  if (!(distance < radius) || normal[1] <= 0)
    return;
  for (int axis = 0; axis < 3; axis++)
    normal[axis] /= distance;
  add_scaled(start, crossing->t + b, edge, position);
  add_scaled(position, -radius, normal, position);
  terrain_add_touch(list, position, normal, radius - distance);
}

static void touch_crossing(const Terrain *terrain, const double start[3], const double edge[3], double radius,
                           const Crossing *crossing, TouchList *list) {
  if (crossing->gap > 0 && radius > 0)
    touch_from_above(start, edge, radius, crossing, list);
  else if (crossing->gap < radius)
    touch_from_below(terrain, start, edge, radius, crossing, list);
}

static double floor_of(double value) {
  if (!(fabs(value) < 1e9))
    return 1e9; // far outside the grid
  double whole = (double)(int)value;
  return whole > value ? whole - 1 : whole;
}

EdgeEnd terrain_edge_end(const Terrain *terrain, const double position[3], Facet *below) {
  double scale = 1 / terrain->cell;
  double u = (position[0] - terrain->origin_x) * scale, v = (position[2] - terrain->origin_z) * scale;
  EdgeEnd end = {{position[0], position[1], position[2]}, INFINITY, {u, v, u + v}, {0, 0, 0}};
  if (terrain_facet(terrain, position[0], position[2], below))
    end.gap = position[1] - below->height;
  for (int family = 0; family < FAMILIES; family++)
    end.line[family] = floor_of(end.at[family]);
  return end;
}

// The part of start + t * rate, t in from..to, inside 0..last.
static void clip_to_grid(double start, double rate, double last, double *from, double *to) {
  if (fabs(rate) < TERRAIN_BORDER) {
    if (start < -TERRAIN_BORDER || start > last + TERRAIN_BORDER)
      *to = -1;
    return;
  }
  double low = (-TERRAIN_BORDER - start) / rate, high = (last + TERRAIN_BORDER - start) / rate;
  *from = max_d(*from, min_d(low, high));
  *to = min_d(*to, max_d(low, high));
}

void touch_edge(const Terrain *terrain, const Patch *patch, const EdgeEnd *start, const EdgeEnd *end, double radius,
                TouchList *list) {
  if (start->line[0] == end->line[0] && start->line[1] == end->line[1] && start->line[2] == end->line[2])
    return; // inside one triangle
  double edge[3], rate[FAMILIES], from = 0, to = 1;
  add_scaled(end->position, -1, start->position, edge);
  for (int family = 0; family < FAMILIES; family++)
    rate[family] = end->at[family] - start->at[family];
  if (!patch->inside) {
    clip_to_grid(start->at[0], rate[0], terrain->columns - 1, &from, &to);
    clip_to_grid(start->at[1], rate[1], terrain->rows - 1, &from, &to);
    if (!(from < to))
      return;
  }

  // The first line of each family, and where it is crossed.
  const double *at = start->at;
  double line[FAMILIES], next[FAMILIES], inverse[FAMILIES];
  for (int family = 0; family < FAMILIES; family++) {
    double now = at[family] + rate[family] * from, last = at[family] + rate[family] * to;
    line[family] = rate[family] > 0 ? floor_of(now) + 1 : -floor_of(-now) - 1;
    bool crossed = rate[family] > 0 ? line[family] < last : line[family] > last;
    inverse[family] = crossed ? 1 / rate[family] : 0;
    next[family] = crossed ? (line[family] - at[family]) * inverse[family] : INFINITY;
  }

  double before = start->gap;
  Crossing crossing = {.t = -1};
  for (;;) {
    int family = next[0] < next[1] ? 0 : 1;
    if (next[2] < next[family])
      family = 2;
    double t = next[family];
    if (!(t < to))
      break;
    // At a vertex lines of several families meet: they make one crossing.
    if (crossing.t < 0 || t - crossing.t > TERRAIN_BORDER) {
      Crossing after = make_crossing(terrain, family, line[family], t, at[0] + rate[0] * t, at[1] + rate[1] * t,
                                     start->position[1] + edge[1] * t);
      if (crossing.t >= 0) {
        if (is_support(before, crossing.gap, after.gap))
          touch_crossing(terrain, start->position, edge, radius, &crossing, list);
        before = crossing.gap;
      }
      crossing = after;
    }
    line[family] += rate[family] > 0 ? 1 : -1;
    next[family] = (line[family] - at[family]) * inverse[family];
  }
  if (crossing.t >= 0 && is_support(before, crossing.gap, end->gap))
    touch_crossing(terrain, start->position, edge, radius, &crossing, list);
}
