// Cost of rays and of contacts against the terrain, beside ODE's own height field over the same samples in the same
// run. Prints CSV: median and smallest time of a window, per ray or pair of shapes.
//
//   bench_rays                  times
//   bench_rays --instructions   also instructions, from a run of each row under valgrind --tool=callgrind
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"
#include "sim/terrain/terrain.h"
#include "sim/world/platform.h"
#include "sim/world/world_ground.h"
#include "tests/bench/measure.h"

enum { QUERIES = 8192, WINDOWS = 15, SAMPLES = 257, MAX_CONTACTS = 4 };

typedef struct Query {
  double origin[3], direction[3];
  dMatrix3 rotation;
} Query;

typedef struct Bench {
  Terrain *terrain;   // rough: 257 by 257 samples, 0.25 m, +-0.3 m
  Terrain *fine;      // walkable: 0.1 m, +-1.5 cm
  World *bare, *busy; // on the rough one: without platforms, with four of them
  dGeomID geom, fine_geom, height_field;
  dGeomID ray, box, capsule, sphere;
  Query vertical[QUERIES], slanted[QUERIES], resting[QUERIES], fine_resting[QUERIES];
} Bench;

typedef struct Row {
  const char *benchmark, *variant;
  double (*run)(const Bench *bench, int query); // any number that depends on the result
} Row;

// ---- What is measured ----

static double run_own(const Terrain *terrain, const Query *query) {
  GroundHit hit;
  return terrain_ray(terrain, query->origin, query->direction, 2, &hit) ? hit.distance : 0;
}

static double run_ode(const Bench *bench, const Query *query) {
  dContactGeom contact;
  const double *o = query->origin, *d = query->direction;
  dGeomRaySet(bench->ray, o[0], o[1], o[2], d[0], d[1], d[2]);
  return dCollide(bench->ray, bench->height_field, 1, &contact, sizeof contact) ? contact.depth : 0;
}

static double vertical_own(const Bench *bench, int i) { return run_own(bench->terrain, &bench->vertical[i]); }
static double slanted_own(const Bench *bench, int i) { return run_own(bench->terrain, &bench->slanted[i]); }
static double vertical_ode(const Bench *bench, int i) { return run_ode(bench, &bench->vertical[i]); }
static double slanted_ode(const Bench *bench, int i) { return run_ode(bench, &bench->slanted[i]); }

// As animation queries the ground: through a world, with a mask.
static double run_ground(const World *world, const Query *query) {
  GroundHit hit;
  Ground ground = world_ground(world);
  bool met = ground.ray(ground.context, GROUND_TERRAIN | GROUND_PLATFORMS, query->origin, query->direction, 2, &hit);
  return met ? hit.distance : 0;
}

static double vertical_bare(const Bench *bench, int i) { return run_ground(bench->bare, &bench->vertical[i]); }
static double slanted_bare(const Bench *bench, int i) { return run_ground(bench->bare, &bench->slanted[i]); }
static double vertical_busy(const Bench *bench, int i) { return run_ground(bench->busy, &bench->vertical[i]); }
static double slanted_busy(const Bench *bench, int i) { return run_ground(bench->busy, &bench->slanted[i]); }

static double height_own(const Bench *bench, int i) {
  double height = 0, normal[3];
  terrain_height(bench->terrain, bench->vertical[i].origin[0], bench->vertical[i].origin[2], &height, normal);
  return height + normal[0];
}

// half: from the shape's centre to its underside, m.
static double run_shape(dGeomID shape, double half, dGeomID ground, const Query *query) {
  dContactGeom contacts[MAX_CONTACTS];
  dGeomSetPosition(shape, query->origin[0], query->origin[1] + half, query->origin[2]);
  dGeomSetRotation(shape, query->rotation);
  return dCollide(shape, ground, MAX_CONTACTS, contacts, sizeof *contacts);
}

static double box_own(const Bench *bench, int i) {
  return run_shape(bench->box, 0.04, bench->geom, &bench->resting[i]);
}
static double box_fine(const Bench *bench, int i) {
  return run_shape(bench->box, 0.04, bench->fine_geom, &bench->fine_resting[i]);
}
static double box_ode(const Bench *bench, int i) {
  return run_shape(bench->box, 0.04, bench->height_field, &bench->resting[i]);
}
static double capsule_own(const Bench *bench, int i) {
  return run_shape(bench->capsule, 0.05, bench->geom, &bench->resting[i]);
}
static double capsule_fine(const Bench *bench, int i) {
  return run_shape(bench->capsule, 0.05, bench->fine_geom, &bench->fine_resting[i]);
}
static double capsule_ode(const Bench *bench, int i) {
  return run_shape(bench->capsule, 0.05, bench->height_field, &bench->resting[i]);
}
static double sphere_own(const Bench *bench, int i) {
  return run_shape(bench->sphere, 0.05, bench->geom, &bench->resting[i]);
}
static double sphere_ode(const Bench *bench, int i) {
  return run_shape(bench->sphere, 0.05, bench->height_field, &bench->resting[i]);
}

static const Row rows[] = {
    {"height_lookup", "own", height_own},
    {"ray_vertical_2m", "own", vertical_own},
    {"ray_vertical_2m", "own_as_ground", vertical_bare},
    {"ray_vertical_2m", "own_as_ground_4_platforms", vertical_busy},
    {"ray_vertical_2m", "ode_heightfield", vertical_ode},
    {"ray_slanted_2m", "own", slanted_own},
    {"ray_slanted_2m", "own_as_ground", slanted_bare},
    {"ray_slanted_2m", "own_as_ground_4_platforms", slanted_busy},
    {"ray_slanted_2m", "ode_heightfield", slanted_ode},
    {"box_foot", "own_rough_0.25", box_own},
    {"box_foot", "own_walkable_0.1", box_fine},
    {"box_foot", "ode_heightfield_rough_0.25", box_ode},
    {"capsule", "own_rough_0.25", capsule_own},
    {"capsule", "own_walkable_0.1", capsule_fine},
    {"capsule", "ode_heightfield_rough_0.25", capsule_ode},
    {"sphere", "own_rough_0.25", sphere_own},
    {"sphere", "ode_heightfield_rough_0.25", sphere_ode},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

// ---- Set up ----

static Terrain *make_terrain(double cell, double amplitude, double wavelength) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = TERRAIN_NOISE;
  def.cell = cell;
  def.x[0] = def.z[0] = -(SAMPLES - 1) * cell / 2;
  def.x[1] = def.z[1] = (SAMPLES - 1) * cell / 2;
  def.amplitude = amplitude;
  def.wavelength = wavelength;
  Error error = {0};
  Terrain *terrain = terrain_create(&def, 1, NULL, &error);
  if (!terrain) {
    fprintf(stderr, "bench_rays: %s\n", error.text);
    exit(1);
  }
  return terrain;
}

static dGeomID make_height_field(const Terrain *terrain) {
  dHeightfieldDataID data = dGeomHeightfieldDataCreate();
  double side = (SAMPLES - 1) * terrain->cell;
  dGeomHeightfieldDataBuildSingle(data, terrain->heights, 0, side, side, SAMPLES, SAMPLES, 1, 0, 1, 0);
  return dCreateHeightfield(NULL, data, 1);
}

// Rays from 0.3 to 1.5 m above the ground, down or forward and down at 45 degrees to any side.
static void make_rays(Bench *bench, Rng *rng) {
  for (int i = 0; i < QUERIES; i++) {
    Query *down = &bench->vertical[i], *slanted = &bench->slanted[i];
    double x = rng_range(rng, -28, 28), z = rng_range(rng, -28, 28), height = 0, turn = rng_range(rng, 0, 2 * M_PI);
    terrain_height(bench->terrain, x, z, &height, NULL);
    *down = (Query){.origin = {x, height + rng_range(rng, 0.3, 1.5), z}, .direction = {0, -1, 0}};
    *slanted = *down;
    slanted->direction[0] = sqrt(0.5) * sin(turn);
    slanted->direction[1] = -sqrt(0.5);
    slanted->direction[2] = sqrt(0.5) * cos(turn);
  }
}

// Places for shapes that lie along the ground, 2 mm in it.
static void make_resting(const Terrain *terrain, Query *queries, Rng *rng) {
  double reach = (SAMPLES - 1) * terrain->cell * 0.45;
  for (int i = 0; i < QUERIES; i++) {
    double x = rng_range(rng, -reach, reach), z = rng_range(rng, -reach, reach), height = 0, normal[3];
    terrain_height(terrain, x, z, &height, normal);
    Query *query = &queries[i];
    *query = (Query){.origin = {x, height - 0.002, z}};
    dMatrix3 turn, tilt;
    dRFromAxisAndAngle(turn, 0, 1, 0, rng_range(rng, 0, 2 * M_PI));
    dRFromAxisAndAngle(tilt, normal[2], 1e-9, -normal[0], acos(fmin(normal[1], 1)));
    dMultiply0_333(query->rotation, tilt, turn);
  }
}

// Most rays pass beside the platforms, as in a scene.
static World *make_world(const Terrain *terrain, int platforms) {
  static const double size[3] = {4, 0.4, 4};
  WorldDef def;
  Error error = {0};
  param_defaults(&world_params, &def);
  World *world = world_create(&def, terrain, 1, &error);
  for (int i = 0; world && i < platforms; i++) {
    const double place[3] = {i % 2 ? 16 : -16, 0.2, i < 2 ? 16 : -16};
    if (platform_create(world, "platform", size, place, (const double[]){cos(0.15 * i), 0, sin(0.15 * i), 0}) < 0)
      exit(1);
  }
  if (!world) {
    fprintf(stderr, "bench_rays: %s\n", error.text);
    exit(1);
  }
  return world;
}

static void set_up(Bench *bench) {
  Rng rng = rng_make(1, "bench");
  bench->terrain = make_terrain(0.25, 0.3, 2);
  bench->fine = make_terrain(0.1, 0.015, 0.8);
  bench->bare = make_world(bench->terrain, 0);
  bench->busy = make_world(bench->terrain, 4);
  bench->geom = terrain_add_geom(bench->terrain, NULL);
  bench->fine_geom = terrain_add_geom(bench->fine, NULL);
  bench->height_field = make_height_field(bench->terrain);
  bench->ray = dCreateRay(NULL, 2);
  dGeomRaySetClosestHit(bench->ray, 1);
  bench->box = dCreateBox(NULL, 0.096, 0.08, 0.26);
  bench->capsule = dCreateCapsule(NULL, 0.05, 0.32);
  bench->sphere = dCreateSphere(NULL, 0.05);
  make_rays(bench, &rng);
  make_resting(bench->terrain, bench->resting, &rng);
  make_resting(bench->fine, bench->fine_resting, &rng);
}

// ---- Measuring ----

// One window; callgrind counts only this.
double run_window(const Bench *bench, const Row *row);
__attribute__((noinline, noclone)) double run_window(const Bench *bench, const Row *row) {
  double sum = 0;
  for (int i = 0; i < QUERIES; i++)
    sum += row->run(bench, i);
  return sum;
}

// Instructions per query of one row, counted in another process; negative when that is not possible.
static double count_instructions(const char *program, int row) {
  char arguments[32];
  snprintf(arguments, sizeof arguments, "--row %d", row);
  double count = callgrind_instructions(program, arguments, "run_window");
  return count < 0 ? count : count / QUERIES;
}

static void measure(const Bench *bench, int index, const char *program, bool instructions) {
  const Row *row = &rows[index];
  volatile double sink = run_window(bench, row); // warm up
  double times[WINDOWS];
  for (int window = 0; window < WINDOWS; window++) {
    double start = 1e9 * thread_seconds();
    sink = run_window(bench, row);
    times[window] = (1e9 * thread_seconds() - start) / QUERIES;
  }
  (void)sink;
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("%s,%s,ns,%.1f,%.1f,", row->benchmark, row->variant, times[WINDOWS / 2], times[0]);
  double count = instructions ? count_instructions(program, index) : -1;
  if (count >= 0)
    printf("%.0f", count);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  static Bench bench;
  dInitODE2(0);
  set_up(&bench);
  if (argc == 3 && strcmp(argv[1], "--row") == 0) { // for callgrind
    int row = atoi(argv[2]);
    return row < 0 || row >= ROWS || run_window(&bench, &rows[row]) == -1;
  }
  for (int row = 0; row < ROWS; row++)
    measure(&bench, row, argv[0], argc == 2 && strcmp(argv[1], "--instructions") == 0);
  return 0;
}
