// Heights, and rays by traversing the cells of the grid (a two-dimensional digital differential analyser, after
// Amanatides and Woo 1987). Inside a triangle the height of the ray above the ground is linear, so the first hit is
// where that line reaches zero: no root search and no tolerance is needed.
#include "sim/terrain/terrain_internal.h"

// Horizontal components of a direction below this count as zero: over 1 km the ray is within 1e-9 m of a vertical one.
#define VERTICAL 1e-12
// m: a ray that is this deep in the ground at the border has hit the wall there, not the surface.
#define WALL_DEPTH 1e-9

// A ray in grid coordinates: u, v count cells, y and the parameter t are metres.
typedef struct Line {
  double u, v, y;
  double du, dv, dy; // per m of t
} Line;

// The part of a ray over the grid, and the axes (0 or 2) across which it enters and leaves.
typedef struct Span {
  double enter, leave; // m along the ray
  int enter_axis, leave_axis;
} Span;

bool terrain_height_below(const Terrain *terrain, double x, double z, double from, double *height, double normal[3]) {
  if (terrain->level)
    return level_height(terrain->level, x, z, from, height, normal);
  Facet facet;
  if (!terrain_facet(terrain, x, z, &facet))
    return false;
  *height = facet.height;
  if (normal)
    facet_normal(&facet, normal);
  return true;
}

bool terrain_height(const Terrain *terrain, double x, double z, double *height, double normal[3]) {
  return terrain_height_below(terrain, x, z, GROUND_HIGHEST, height, normal);
}

// A triangle contains the whole line between two of its points. In a level this is not known.
bool terrain_is_plane(const Terrain *terrain, const double from[2], const double to[2]) {
  double a[2], b[2];
  int cell[2], other[2];
  if (terrain->level)
    return false;
  if (!terrain_place(terrain, from[0], from[1], a, cell) || !terrain_place(terrain, to[0], to[1], b, other))
    return false;
  return cell[0] == other[0] && cell[1] == other[1] &&
         (a[0] - cell[0] + a[1] - cell[1] <= 1) == (b[0] - cell[0] + b[1] - cell[1] <= 1);
}

static bool set_hit(GroundHit *hit, const double origin[3], const double direction[3], double distance) {
  for (int axis = 0; axis < 3; axis++)
    hit->position_w[axis] = origin[axis] + direction[axis] * distance;
  hit->distance = distance;
  for (int axis = 0; axis < 3; axis++)
    hit->velocity_w[axis] = 0;
  hit->turn_rate = 0;
  hit->kind = GROUND_TERRAIN;
  return true;
}

static bool ray_hits_facet(const double origin[3], const double direction[3], double distance, const Facet *facet,
                           GroundHit *hit) {
  facet_normal(facet, hit->normal_w);
  return set_hit(hit, origin, direction, distance);
}

// A wall between the grid's border and the ground outside; its normal points against the ray.
static bool ray_hits_wall(const double origin[3], const double direction[3], double distance, int axis,
                          GroundHit *hit) {
  for (int i = 0; i < 3; i++)
    hit->normal_w[i] = 0;
  hit->normal_w[axis] = direction[axis] > 0 ? -1 : 1;
  return set_hit(hit, origin, direction, distance);
}

static bool ray_vertical(const Terrain *terrain, const double origin[3], const double direction[3], double length,
                         GroundHit *hit) {
  Facet facet;
  if (direction[1] == 0 || !isfinite(origin[1] + direction[1]) || !terrain_facet(terrain, origin[0], origin[2], &facet))
    return false;
  double gap = origin[1] - facet.height;
  if (gap <= 0)
    return ray_hits_facet(origin, direction, 0, &facet, hit);
  double distance = gap / -direction[1];
  if (!(direction[1] < 0 && distance <= length))
    return false;
  ray_hits_facet(origin, direction, distance, &facet, hit);
  hit->position_w[1] = facet.height;
  return true;
}

// The flat ground outside, for the part of the ray from `from` to `to`.
static bool ray_outside(const Terrain *terrain, const double origin[3], const double direction[3], double from,
                        double to, GroundHit *hit) {
  const Facet plane = {terrain->outside_height, 0, 0, true};
  double distance = from;
  if (origin[1] + direction[1] * from > plane.height) {
    if (direction[1] >= 0)
      return false;
    distance = max_d((plane.height - origin[1]) / direction[1], from);
  }
  return distance <= to && ray_hits_facet(origin, direction, distance, &plane, hit);
}

// For one axis, reduces the span to where start + rate * t is in 0 .. last.
static void clip_span(double start, double rate, double last, int axis, Span *span) {
  if (rate == 0) {
    if (start < -TERRAIN_BORDER || start > last + TERRAIN_BORDER)
      span->leave = -1;
    return;
  }
  double inverse = 1 / rate;
  double low = (-TERRAIN_BORDER - start) * inverse, high = (last + TERRAIN_BORDER - start) * inverse;
  double enter = rate > 0 ? low : high, leave = rate > 0 ? high : low;
  if (enter > span->enter) {
    span->enter = enter;
    span->enter_axis = axis;
  }
  if (leave < span->leave) {
    span->leave = leave;
    span->leave_axis = axis;
  }
}

// The first point of the ray's part from..to inside one triangle that is not above the triangle.
static bool stretch_hits(const Terrain *terrain, const Line *line, int i, int k, double u, double v, double from,
                         double to, double *distance, Facet *facet) {
  *facet = terrain_cell_facet(terrain, i, k, u, v);
  double slope_u = facet->slope_x * terrain->cell, slope_v = facet->slope_z * terrain->cell;
  double plane = facet->height - slope_u * u - slope_v * v;                         // height at the cell's corner
  double gap = line->y - plane - slope_u * (line->u - i) - slope_v * (line->v - k); // at t = 0
  double rate = line->dy - slope_u * line->du - slope_v * line->dv;
  *distance = from;
  if (gap + rate * from <= 0)
    return true;
  if (gap + rate * to > 0)
    return false;
  *distance = min_d(max_d(-gap / rate, from), to);
  return true;
}

// Tests both triangles of a cell, in the order in which the ray passes them.
static bool cell_hits(const Terrain *terrain, const Line *line, int i, int k, double from, double to, double *distance,
                      Facet *facet) {
  double start = line->u - i + line->v - k - 1, rate = line->du + line->dv; // across the diagonal
  double side_from = start + rate * from, side_to = start + rate * to;
  bool far_from = side_from > 0, far_to = side_to > 0;
  double corner_from = far_from ? 1 : 0, corner_to = far_to ? 1 : 0;
  if (far_from == far_to)
    return stretch_hits(terrain, line, i, k, corner_from, corner_from, from, to, distance, facet);
  double middle = min_d(max_d(-start / rate, from), to);
  return stretch_hits(terrain, line, i, k, corner_from, corner_from, from, middle, distance, facet) ||
         stretch_hits(terrain, line, i, k, corner_to, corner_to, middle, to, distance, facet);
}

static bool walk_cells(const Terrain *terrain, const Line *line, double from, double end, double *distance,
                       Facet *facet) {
  int i = terrain_cell(line->u + line->du * from, terrain->columns);
  int k = terrain_cell(line->v + line->dv * from, terrain->rows);
  int step_i = line->du > 0 ? 1 : -1, step_k = line->dv > 0 ? 1 : -1;
  // t at a grid line is computed from the line's number, not by summing, so that rounding errors do not accumulate.
  double metres_u = line->du == 0 ? 0 : 1 / line->du, metres_v = line->dv == 0 ? 0 : 1 / line->dv;
  double next_u = line->du == 0 ? INFINITY : (i + (step_i > 0) - line->u) * metres_u;
  double next_v = line->dv == 0 ? INFINITY : (k + (step_k > 0) - line->v) * metres_v;
  for (;;) {
    double to = max_d(min_d(min_d(next_u, next_v), end), from);
    const float *row = terrain->heights + (size_t)k * (size_t)terrain->columns + (size_t)i;
    float near_top = row[0] > row[1] ? row[0] : row[1];
    float far_top =
        row[terrain->columns] > row[terrain->columns + 1] ? row[terrain->columns] : row[terrain->columns + 1];
    double top = (double)(near_top > far_top ? near_top : far_top);
    double lowest = line->y + line->dy * (line->dy < 0 ? to : from);
    if (lowest <= top && cell_hits(terrain, line, i, k, from, to, distance, facet))
      return true;
    if (to >= end)
      return false;
    if (next_u < next_v) {
      i += step_i;
      if (i < 0 || i > terrain->columns - 2)
        return false;
      next_u = (i + (step_i > 0) - line->u) * metres_u;
    } else {
      k += step_k;
      if (k < 0 || k > terrain->rows - 2)
        return false;
      next_v = (k + (step_k > 0) - line->v) * metres_v;
    }
    from = to;
  }
}

// The part of the ray over the grid, and the wall at its border.
static bool ray_grid(const Terrain *terrain, const double origin[3], const double direction[3], const Line *line,
                     const Span *span, GroundHit *hit) {
  Facet facet;
  double distance, from = span->enter;
  if (from > 0) {
    double u = line->u + line->du * from, v = line->v + line->dv * from;
    int i = terrain_cell(u, terrain->columns), k = terrain_cell(v, terrain->rows);
    facet = terrain_cell_facet(terrain, i, k, u - i, v - k);
    if (line->y + line->dy * from < facet.height - WALL_DEPTH)
      return ray_hits_wall(origin, direction, from, span->enter_axis, hit);
  }
  // There is nothing to hit above the highest sample.
  if (line->y + line->dy * from > terrain->highest) {
    if (line->dy >= 0)
      return false;
    from = max_d(from, (terrain->highest - line->y) / line->dy);
  }
  if (from > span->leave || !walk_cells(terrain, line, from, span->leave, &distance, &facet))
    return false;
  return ray_hits_facet(origin, direction, distance, &facet, hit);
}

static bool ray_level(const Level *level, const double origin[3], const double direction[3], double length,
                      GroundHit *hit) {
  double distance, sum = origin[0] + origin[1] + origin[2] + direction[0] + direction[1] + direction[2];
  return isfinite(sum) && level_ray(level, origin, direction, length, &distance, hit->normal_w) &&
         set_hit(hit, origin, direction, distance);
}

bool terrain_ray(const Terrain *terrain, const double origin[3], const double direction[3], double length,
                 GroundHit *hit) {
  if (!(length >= 0))
    return false;
  if (terrain->level)
    return ray_level(terrain->level, origin, direction, length, hit);
  if (fabs(direction[0]) < VERTICAL && fabs(direction[2]) < VERTICAL)
    return ray_vertical(terrain, origin, direction, length, hit);
  double sum = origin[0] + origin[1] + origin[2] + direction[0] + direction[1] + direction[2];
  if (!isfinite(sum))
    return false;

  double dx = fabs(direction[0]) < VERTICAL ? 0 : direction[0], dz = fabs(direction[2]) < VERTICAL ? 0 : direction[2];
  double scale = 1 / terrain->cell;
  Line line = {(origin[0] - terrain->origin_x) * scale,
               (origin[2] - terrain->origin_z) * scale,
               origin[1],
               dx * scale,
               dz * scale,
               direction[1]};
  Span span = {0, length, 0, 0};
  clip_span(line.u, line.du, terrain->columns - 1, 0, &span);
  clip_span(line.v, line.dv, terrain->rows - 1, 2, &span);
  if (span.enter > span.leave)
    return terrain->endless && ray_outside(terrain, origin, direction, 0, length, hit);

  if (terrain->endless && span.enter > 0 && ray_outside(terrain, origin, direction, 0, span.enter, hit))
    return true;
  if (ray_grid(terrain, origin, direction, &line, &span, hit))
    return true;
  if (!terrain->endless || span.leave >= length)
    return false;
  if (origin[1] + direction[1] * span.leave < terrain->outside_height - WALL_DEPTH)
    return ray_hits_wall(origin, direction, span.leave, span.leave_axis, hit);
  return ray_outside(terrain, origin, direction, span.leave, length, hit);
}

static bool ground_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                       double length, GroundHit *hit) {
  return (mask & GROUND_TERRAIN) && terrain_ray(context, origin, direction, length, hit);
}

static bool ground_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  return terrain_height_below(context, x, z, from, height, normal);
}

static bool ground_is_plane(const void *context, const double from[2], const double to[2]) {
  return terrain_is_plane(context, from, to);
}

Ground terrain_ground(const Terrain *terrain) { return (Ground){terrain, ground_ray, ground_height, ground_is_plane}; }
