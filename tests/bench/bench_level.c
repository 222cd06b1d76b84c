// Cost of a level made of triangles: reading a million of them, rays, and a standing foot beside the height field of
// the same shape. Prints CSV: median and smallest time of a window.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/terrain/level.h"
#include "sim/terrain/terrain.h"
#include "tests/bench/measure.h"

enum { QUERIES = 8192, WINDOWS = 15, LOADS = 3, SIDE = 708, MAX_CONTACTS = 4 }; // 2 * 707 * 707 triangles: a million

typedef struct Query {
  double origin[3], direction[3];
  dMatrix3 rotation;
} Query;

typedef struct GroundPair {
  const char *name;
  Terrain *field, *level; // the same triangles
  dGeomID field_geom, level_geom;
  Query vertical[QUERIES], slanted[QUERIES], resting[QUERIES];
} GroundPair;

// ---- Files ----

typedef struct Text {
  char *bytes;
  size_t size, capacity;
} Text;

static void add_bytes(Text *text, const void *bytes, size_t size) {
  if (!text->bytes || text->size + size > text->capacity) {
    text->capacity = 2 * (text->size + size) + 64;
    text->bytes = realloc(text->bytes, text->capacity);
    if (!text->bytes)
      exit(1);
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
}

static void corner_numbers(int cell, int columns, int triangles[2][3]) { // the split of the height field
  int corner = cell / (columns - 1) * columns + cell % (columns - 1);
  const int split[2][3] = {{corner, corner + columns, corner + 1},
                           {corner + 1, corner + columns, corner + columns + 1}};
  memcpy(triangles, split, sizeof split);
}

static void vertex_at(const Terrain *field, int i, float vertex[3]) {
  const int column = i % field->columns, row = i / field->columns;
  vertex[0] = (float)(field->origin_x + column * field->cell);
  vertex[1] = field->heights[i];
  vertex[2] = (float)(field->origin_z + row * field->cell);
}

static File make_obj(const Terrain *field) {
  Text text = {0};
  char line[128];
  for (int i = 0; i < field->columns * field->rows; i++) {
    float v[3];
    vertex_at(field, i, v);
    add_bytes(&text, line, (size_t)sprintf(line, "v %.9g %.9g %.9g\n", (double)v[0], (double)v[1], (double)v[2]));
  }
  for (int cell = 0; cell < (field->columns - 1) * (field->rows - 1); cell++) {
    int triangles[2][3];
    corner_numbers(cell, field->columns, triangles);
    for (int t = 0; t < 2; t++)
      add_bytes(&text, line,
                (size_t)sprintf(line, "f %d %d %d\n", triangles[t][0] + 1, triangles[t][1] + 1, triangles[t][2] + 1));
  }
  add_bytes(&text, "", 1);
  return (File){.name = "level.obj", .bytes = text.bytes, .size = text.size - 1};
}

static File make_glb(const Terrain *field) {
  const int vertices = field->columns * field->rows, cells = (field->columns - 1) * (field->rows - 1);
  const uint32_t position_size = (uint32_t)vertices * 12, index_size = (uint32_t)cells * 24;
  char json[1024];
  int length = snprintf(json, sizeof json,
                        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                        "\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,"
                        "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5125,\"count\":%d,"
                        "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u},"
                        "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],\"buffers\":[{\"byteLength\":%u}]}",
                        vertices, 6 * cells, position_size, position_size, index_size, position_size + index_size);
  while (length % 4 != 0)
    json[length++] = ' ';
  Text text = {0};
  const uint32_t header[5] = {0x46546c67, 2, (uint32_t)length + 28 + position_size + index_size, (uint32_t)length,
                              0x4e4f534a};
  const uint32_t chunk[2] = {position_size + index_size, 0x004e4942};
  add_bytes(&text, header, sizeof header);
  add_bytes(&text, json, (size_t)length);
  add_bytes(&text, chunk, sizeof chunk);
  for (int i = 0; i < vertices; i++) {
    float vertex[3];
    vertex_at(field, i, vertex);
    add_bytes(&text, vertex, sizeof vertex);
  }
  for (int cell = 0; cell < cells; cell++) {
    int triangles[2][3];
    corner_numbers(cell, field->columns, triangles);
    add_bytes(&text, triangles, sizeof triangles);
  }
  return (File){.name = "level.glb", .bytes = text.bytes, .size = text.size};
}

// ---- Set up ----

static void fail(const char *cause) {
  fprintf(stderr, "bench_level: %s\n", cause);
  exit(1);
}

static Terrain *make_field(TerrainKind kind, int samples, double cell, double amplitude) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = (int)kind;
  def.cell = cell;
  def.x[0] = def.z[0] = -(samples - 1) * cell / 2;
  def.x[1] = def.z[1] = (samples - 1) * cell / 2;
  def.amplitude = amplitude;
  def.wavelength = 10 * cell;
  def.endless = false;
  Error error = {0};
  Terrain *terrain = terrain_create(&def, 1, NULL, &error);
  if (!terrain)
    fail(error.text);
  return terrain;
}

static Terrain *make_level(const File *file) {
  Error error = {0};
  Terrain *terrain = calloc(1, sizeof *terrain);
  Level *level = level_read(file, 1, 0, &error);
  if (!terrain || !level)
    fail(error.text);
  terrain->level = level; // NOLINT(clang-analyzer-core.NullDereference): fail() ends the program
  return terrain;
}

// Rays from 0.3 to 1.5 m above the ground, down or forward and down at 45 degrees to any side; and a foot's box that
// lies along the ground, 1 mm in it. reach: of their places from the origin, m.
static void make_queries(GroundPair *pair, double reach, Rng *rng) {
  for (int i = 0; i < QUERIES; i++) {
    double x = rng_range(rng, -reach, reach), z = rng_range(rng, -reach, reach), turn = rng_range(rng, 0, 2 * M_PI);
    double height = 0, normal[3] = {0, 1, 0};
    terrain_height(pair->field, x, z, &height, normal);
    pair->vertical[i] = (Query){.origin = {x, height + rng_range(rng, 0.3, 1.5), z}, .direction = {0, -1, 0}};
    pair->slanted[i] = pair->vertical[i];
    const double direction[3] = {sqrt(0.5) * sin(turn), -sqrt(0.5), sqrt(0.5) * cos(turn)};
    memcpy(pair->slanted[i].direction, direction, sizeof direction);
    Query *resting = &pair->resting[i];
    *resting = (Query){.origin = {x, height + 0.04 - 0.001, z}};
    dMatrix3 yaw, tilt;
    dRFromAxisAndAngle(yaw, 0, 1, 0, turn);
    dRFromAxisAndAngle(tilt, normal[2], 1e-9, -normal[0], acos(fmin(normal[1], 1)));
    dMultiply0_333(resting->rotation, tilt, yaw);
  }
}

// spread: share of the ground on which the queries lie.
static void make_pair(GroundPair *pair, const char *name, double spread, Terrain *field, const File *file) {
  Rng rng = rng_make(1, "bench");
  *pair = (GroundPair){.name = name, .field = field, .level = make_level(file)};
  pair->field_geom = terrain_add_geom(field, NULL);
  pair->level_geom = terrain_add_geom(pair->level, NULL);
  make_queries(pair, spread * (field->columns - 1) * field->cell * 0.45, &rng);
}

// ---- What is measured ----

static dGeomID foot;

static double run_ray(const Terrain *terrain, const Query *query) {
  GroundHit hit;
  return terrain_ray(terrain, query->origin, query->direction, 2, &hit) ? hit.distance : 0;
}

static double run_foot(dGeomID ground, const Query *query) {
  dContactGeom contacts[MAX_CONTACTS];
  dGeomSetPosition(foot, query->origin[0], query->origin[1], query->origin[2]);
  dGeomSetRotation(foot, query->rotation);
  return dCollide(foot, ground, MAX_CONTACTS, contacts, sizeof *contacts);
}

static double ray_vertical_field(const GroundPair *pair, int i) { return run_ray(pair->field, &pair->vertical[i]); }
static double ray_vertical_level(const GroundPair *pair, int i) { return run_ray(pair->level, &pair->vertical[i]); }
static double ray_slanted_field(const GroundPair *pair, int i) { return run_ray(pair->field, &pair->slanted[i]); }
static double ray_slanted_level(const GroundPair *pair, int i) { return run_ray(pair->level, &pair->slanted[i]); }
static double foot_field(const GroundPair *pair, int i) { return run_foot(pair->field_geom, &pair->resting[i]); }
static double foot_level(const GroundPair *pair, int i) { return run_foot(pair->level_geom, &pair->resting[i]); }

typedef struct Row {
  const char *benchmark, *variant;
  double (*run)(const GroundPair *pair, int query); // any number that depends on the result
} Row;

static const Row rows[] = {
    {"ray_vertical_2m", "height_field", ray_vertical_field}, {"ray_vertical_2m", "level", ray_vertical_level},
    {"ray_slanted_2m", "height_field", ray_slanted_field},   {"ray_slanted_2m", "level", ray_slanted_level},
    {"standing_foot", "height_field", foot_field},           {"standing_foot", "level", foot_level},
};

static void measure(const GroundPair *pair, const Row *row) {
  volatile double sink = 0;
  double times[WINDOWS];
  for (int window = -1; window < WINDOWS; window++) { // the first one warms up
    double start = 1e9 * thread_seconds(), sum = 0;
    for (int i = 0; i < QUERIES; i++)
      sum += row->run(pair, i);
    sink = sum;
    if (window >= 0)
      times[window] = (1e9 * thread_seconds() - start) / QUERIES;
  }
  (void)sink;
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("%s,%s,%s,ns,%.1f,%.1f\n", row->benchmark, pair->name, row->variant, times[WINDOWS / 2], times[0]);
  fflush(stdout);
}

static void measure_load(const File *file) {
  double times[LOADS];
  int count = 0;
  for (int i = 0; i < LOADS; i++) {
    Error error = {0};
    double start = thread_seconds();
    Level *level = level_read(file, 1, 0, &error);
    times[i] = thread_seconds() - start;
    if (!level)
      fail(error.text);
    count = level->count; // NOLINT(clang-analyzer-core.NullDereference)
    level_destroy(level);
  }
  qsort(times, LOADS, sizeof times[0], compare_doubles);
  printf("load,%d_triangles,%s,s,%.3f,%.3f\n", count, strrchr(file->name, '.') + 1, times[LOADS / 2], times[0]);
  fflush(stdout);
}

int main(void) {
  static GroundPair large, near, rough, flat;
  dInitODE2(0);
  foot = dCreateBox(NULL, 0.096, 0.08, 0.26);
  printf("benchmark,ground,variant,unit,median,least\n");

  Terrain *field = make_field(TERRAIN_NOISE, SIDE, 0.1, 0.015);
  File obj = make_obj(field), glb = make_glb(field);
  measure_load(&obj);
  measure_load(&glb);
  make_pair(&large, "million_0.1", 1, field, &glb);
  make_pair(&near, "million_0.1_within_6_m", 0.1, field, &glb);

  field = make_field(TERRAIN_NOISE, 257, 0.25, 0.05);
  File rough_glb = make_glb(field);
  make_pair(&rough, "rough_0.25", 1, field, &rough_glb);
  field = make_field(TERRAIN_FLAT, 81, 0.25, 0);
  File flat_glb = make_glb(field);
  make_pair(&flat, "flat_0.25", 1, field, &flat_glb);

  const GroundPair *pairs[] = {&large, &near, &rough, &flat};
  for (int pair = 0; pair < 4; pair++)
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
      measure(pairs[pair], &rows[row]);
  return 0;
}
