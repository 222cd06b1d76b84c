// Samples the ground around the way of a run's characters for the 3-D replay.
#include "scenes/report/report_terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_json.h"
#include "sim/terrain/terrain.h"

enum { MOST_VERTICES = 12000 };

static const double MARGIN = 2;     // m around the characters' ways
static const double LONGEST = 4000; // m: whoever goes farther has left the scene

typedef struct Range {
  double low, high;
} Range;

static void widen(Range *range, double value) {
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

// Where the centres of mass were. False: no memory; the ranges stay empty when no trace of them can be read.
static bool find_ways(const ReportRun *run, Range *x, Range *z) {
  double(*com)[3] = malloc((size_t)run->frame_count * sizeof *com);
  for (int i = 0; com && i < run->character_count; i++) {
    char path[2 * TRACE_NAME_SIZE];
    int shape[2];
    snprintf(path, sizeof path, "/characters/%s/com/position", run->characters[i].def->name);
    if (!trace_channel_shape(run->reader, path, shape) || shape[0] != 3 || shape[1] != 0 ||
        !trace_read(run->reader, path, TRACE_FLOAT64, 0, run->frame_count, com, NULL))
      continue;
    for (int f = 0; f < run->frame_count; f++)
      if (fabs(com[f][0]) < LONGEST && fabs(com[f][2]) < LONGEST) {
        widen(x, com[f][0]);
        widen(z, com[f][2]);
      }
  }
  bool good = com != NULL;
  free(com);
  return good;
}

// Vertices along an axis, on the terrain's own samples.
typedef struct Line {
  double start, spacing; // m
  int count;
} Line;

static Line make_line(const Range *range, double origin, double cell, int step) {
  const double spacing = cell * step, first = floor((range->low - MARGIN - origin) / spacing);
  const double last = ceil((range->high + MARGIN - origin) / spacing);
  return (Line){origin + first * spacing, spacing, (int)(last - first) + 1};
}

// Vertices row by row along x. Where there is no ground their height is NAN. Returns whether all are at y = 0.
static bool place_vertices(const Terrain *terrain, const Line *x, const Line *z, float (*position)[3]) {
  bool flat = true;
  for (int i = 0; i < x->count * z->count; i++) {
    const int column = i % x->count, row = i / x->count;
    const double at_x = x->start + column * x->spacing, at_z = z->start + row * z->spacing;
    double height = NAN;
    terrain_height(terrain, at_x, at_z, &height, NULL);
    position[i][0] = (float)at_x;
    position[i][1] = (float)height;
    position[i][2] = (float)at_z;
    flat = flat && height == 0;
  }
  return flat;
}

// Two triangles for each square, as the terrain splits its cells, counter-clockwise seen from above. Returns how many.
static int make_triangles(const Line *x, const Line *z, const float (*position)[3], int32_t (*index)[3]) {
  int count = 0;
  for (int row = 0; row + 1 < z->count; row++)
    for (int column = 0; column + 1 < x->count; column++) {
      const int corner = row * x->count + column, next = corner + x->count;
      const int32_t triangles[2][3] = {{corner, next, corner + 1}, {corner + 1, next, next + 1}};
      for (int t = 0; t < 2; t++) {
        const int32_t *v = triangles[t];
        if (isfinite(position[v[0]][1] + position[v[1]][1] + position[v[2]][1]))
          memcpy(index[count++], v, sizeof index[0]);
      }
    }
  return count;
}

static bool add_mesh(cJSON *trace, const Terrain *terrain, const Line *x, const Line *z) {
  const size_t count = (size_t)x->count * (size_t)z->count;
  float(*position)[3] = calloc(count, sizeof *position);
  int32_t(*index)[3] = malloc(2 * count * sizeof *index);
  bool good = position && index;
  if (good && !place_vertices(terrain, x, z, position)) {
    const int triangles = make_triangles(x, z, (const float(*)[3])position, index);
    for (size_t i = 0; i < count; i++)
      position[i][1] = isfinite(position[i][1]) ? position[i][1] : 0; // in no triangle
    cJSON *object = cJSON_AddObjectToObject(trace, "terrain");
    good = object && json_add_array(object, "position", ARRAY_F32, (long)count, 3, 0, 1, position) &&
           json_add_array(object, "index", ARRAY_I32, triangles, 3, 0, 1, index);
  }
  free(position);
  free(index);
  return good;
}

bool report_terrain_add(cJSON *trace, const ReportRun *run) {
  Range x = {INFINITY, -INFINITY}, z = x;
  if (!find_ways(run, &x, &z))
    return false;
  Terrain *terrain = terrain_create(&run->def->terrain, (uint64_t)run->def->run.seed, &run->def->files, NULL);
  if (!terrain || !(x.low <= x.high)) { // the replay goes without
    terrain_destroy(terrain);
    return true;
  }
  Line lines[2];
  for (int step = 1; step == 1 || (double)lines[0].count * lines[1].count > MOST_VERTICES; step++) {
    lines[0] = make_line(&x, terrain->origin_x, terrain->cell, step);
    lines[1] = make_line(&z, terrain->origin_z, terrain->cell, step);
  }
  bool good = add_mesh(trace, terrain, &lines[0], &lines[1]);
  terrain_destroy(terrain);
  return good;
}
