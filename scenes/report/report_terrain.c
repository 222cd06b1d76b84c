// Samples the ground around the way of a run's characters for the 3-D replay.
#include "scenes/report/report_terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_json.h"
#include "sim/terrain/terrain_triangles.h"

enum { MOST_VERTICES = 12000, MOST_LEVEL_TRIANGLES = 20000 };

static const double MARGIN = 2;     // m around the characters' ways
static const double LONGEST = 4000; // m: a character farther away has left the scene

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

// Every step-th sample from before a range to beyond it.
static TerrainRange find_samples(const Range *range, double origin, double cell, int step) {
  const double spacing = cell * step;
  return (TerrainRange){(long)floor((range->low - MARGIN - origin) / spacing) * step,
                        (long)ceil((range->high + MARGIN - origin) / spacing) * step, step};
}

static bool is_level_at_zero(const float (*position)[3], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (position[i][1] != 0) // NAN as well
      return false;
  return true;
}

// Triangles of all cells that are ground. Returns how many.
static int make_triangles(long columns, long rows, const float (*position)[3], int32_t (*index)[3]) {
  int count = 0;
  for (long row = 0; row + 1 < rows; row++)
    for (long column = 0; column + 1 < columns; column++) {
      uint32_t triangles[2][3];
      terrain_cell_triangles((uint32_t)(row * columns + column), (uint32_t)columns, triangles);
      for (int t = 0; t < 2; t++) {
        const uint32_t *v = triangles[t];
        if (isfinite(position[v[0]][1] + position[v[1]][1] + position[v[2]][1]))
          memcpy(index[count++], v, sizeof index[0]);
      }
    }
  return count;
}

static bool add_mesh(cJSON *trace, const Terrain *terrain, const TerrainRange *x, const TerrainRange *z) {
  const long columns = terrain_range_count(x), rows = terrain_range_count(z);
  const size_t count = (size_t)columns * (size_t)rows;
  float(*position)[3] = calloc(count, sizeof *position);
  int32_t(*index)[3] = malloc(2 * count * sizeof *index);
  bool good = position && index;
  if (good)
    terrain_vertices(terrain, x, z, position);
  if (good && !is_level_at_zero((const float(*)[3])position, count)) {
    const int triangles = make_triangles(columns, rows, (const float(*)[3])position, index);
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

static bool add_triangles(cJSON *trace, LevelTriangle *triangles, long count) {
  int32_t(*index)[3] = malloc((size_t)(count + 1) * sizeof *index);
  for (long i = 0; index && i < 3 * count; i++)
    index[i / 3][i % 3] = (int32_t)i;
  cJSON *object = index ? cJSON_AddObjectToObject(trace, "terrain") : NULL;
  bool good = object && json_add_array(object, "position", ARRAY_F32, 3 * count, 3, 0, 1, triangles) &&
              json_add_array(object, "index", ARRAY_I32, count, 3, 0, 1, index);
  free(index);
  return good;
}

// The triangles of a level around the ways. Where they are too many, the area is smaller, and at last some are missing.
static bool add_level(cJSON *trace, const Level *level, const Range *x, const Range *z) {
  long count = 0;
  double margin = 2 * MARGIN, area[2][2];
  do {
    margin /= 2;
    const double smaller[2][2] = {{x->low - margin, x->high + margin}, {z->low - margin, z->high + margin}};
    memcpy(area, smaller, sizeof area);
    count = level_crop(level, area[0], area[1], NULL, 0);
  } while (count > MOST_LEVEL_TRIANGLES && margin > 0.1);
  count = count < MOST_LEVEL_TRIANGLES ? count : MOST_LEVEL_TRIANGLES;
  LevelTriangle *triangles = malloc((size_t)(count + 1) * sizeof *triangles);
  bool good = triangles != NULL;
  if (good) {
    level_crop(level, area[0], area[1], triangles, count);
    good = add_triangles(trace, triangles, count);
  }
  free(triangles);
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
  if (terrain->level) {
    bool added = add_level(trace, terrain->level, &x, &z);
    terrain_destroy(terrain);
    return added;
  }
  TerrainRange samples[2];
  for (int step = 1; step == 1 || terrain_range_count(&samples[0]) * terrain_range_count(&samples[1]) > MOST_VERTICES;
       step++) {
    samples[0] = find_samples(&x, terrain->origin_x, terrain->cell, step);
    samples[1] = find_samples(&z, terrain->origin_z, terrain->cell, step);
  }
  bool good = add_mesh(trace, terrain, &samples[0], &samples[1]);
  terrain_destroy(terrain);
  return good;
}
