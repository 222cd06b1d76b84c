// Boxes, capsules and balls that hit a level at 20 m/s do not pass through its floors, walls and roofs, and gain no
// energy, on each solver.
//
//   level_bodies --table    what happened, by shape, level, time step and solver, instead of the tests

#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/world/world.h"
#include "sim/world/world_body.h"
#include "tests/terrain_fixture.h"

enum { BODIES = 40 };
typedef enum Shape { CAPSULE, BOX, BALL, SHAPES } Shape;
static const char *const shape_names[] = {"capsule", "box", "ball"};

// Where the bodies are shot: onto a house from above, around a closed hall, against a board 2 cm thick in it.
typedef enum Place { HOUSE, HALL, BOARD, PLACES } Place;
static const char *const place_names[] = {"house", "hall", "board"};

#define SPEED 20.0      // m/s
#define HALL_SIZE 4.0   // m, along each axis, around the origin
#define BOARD_HALF 0.01 // m, half its thickness
#define SECONDS 3.0

// ---- Levels ----

// The faces of a box, facing outward, or inward.
static int add_box(LevelTriangle *triangles, const double half[3], bool inward) {
  static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  int count = 0;
  for (int face = 0; face < 6; face++)
    for (int half_face = 0; half_face < 2; half_face++, count++)
      for (int v = 0; v < 3; v++) {
        int turn = v == 0 ? 0 : v + half_face, corner = faces[face][inward ? (4 - turn) % 4 : turn];
        for (int axis = 0; axis < 3; axis++)
          triangles[count][v][axis] = (float)(corner >> axis & 1 ? half[axis] : -half[axis]);
      }
  return count;
}

static Terrain *make_hall(bool board) {
  const double hall[3] = {HALL_SIZE / 2, HALL_SIZE / 2, HALL_SIZE / 2};
  const double plate[3] = {BOARD_HALF, HALL_SIZE / 2, HALL_SIZE / 2};
  LevelTriangle *triangles = malloc(24 * sizeof *triangles);
  int count = add_box(triangles, hall, true);
  if (board)
    count += add_box(triangles + count, plate, false);
  Error error = {0};
  Terrain *terrain = calloc(1, sizeof *terrain);
  terrain->level = level_create(triangles, count, &error);
  assert_non_null(terrain->level);
  terrain->lowest = -HALL_SIZE / 2;
  terrain->highest = HALL_SIZE / 2;
  return terrain;
}

static Terrain *make_place(Place place) {
  if (place != HOUSE)
    return make_hall(place == BOARD);
  FileSet files = {0};
  TerrainDef def = default_def();
  Error error = {0};
  def.kind = TERRAIN_MESH;
  snprintf(def.file, sizeof def.file, "terrain/house.glb");
  Terrain *terrain = terrain_create(&def, 1, &files, &error);
  files_free(&files);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

// ---- Bodies ----

typedef struct Shot {
  World *world;
  double start[BODIES][3];
  double least[BODIES]; // J, the least energy so far
} Shot;

static void add_body(Shot *shot, Shape shape, const double turn[4]) {
  World *world = shot->world;
  dMass mass;
  dGeomID geom;
  if (shape == CAPSULE) {
    dMassSetCapsuleTotal(&mass, 3, 3, 0.05, 0.32);
    geom = dCreateCapsule(world->space, 0.05, 0.32);
  } else if (shape == BOX) {
    dMassSetBoxTotal(&mass, 1.03, 0.1, 0.08, 0.25);
    geom = dCreateBox(world->space, 0.1, 0.08, 0.25);
  } else {
    dMassSetSphereTotal(&mass, 1, 0.05);
    geom = dCreateSphere(world->space, 0.05);
  }
  dBodyID body = dBodyCreate(world->ode);
  dBodySetMass(body, &mass);
  dBodySetQuaternion(body, turn);
  dGeomSetBody(geom, body);
  dGeomSetCategoryBits(geom, 2); // bodies touch the ground only
  dGeomSetCollideBits(geom, 1);
  world_add_body(world, (WorldBody){.ode = body, .owner = WORLD_NO_OWNER, .name = "body"});
}

static void shoot_body(Shot *shot, Place place, Shape shape, int index, Rng *rng) {
  const double turn[4] = {rng_normal(rng), rng_normal(rng), rng_normal(rng), rng_normal(rng)};
  double way[3] = {rng_normal(rng), rng_normal(rng), rng_normal(rng)}, *at = shot->start[index];
  if (place == HOUSE) {
    at[0] = rng_range(rng, -4, 4);
    at[1] = rng_range(rng, 7.5, 9);
    at[2] = rng_range(rng, 1, 11);
    way[0] *= 0.2;
    way[1] = -1;
    way[2] *= 0.2;
  } else {
    for (int axis = 0; axis < 3; axis++)
      at[axis] = rng_range(rng, -1, 1);
    at[0] = place == BOARD ? copysign(rng_range(rng, 0.3, 1.5), at[0]) : at[0];
    way[0] = place == BOARD ? -copysign(2, at[0]) : way[0];
  }
  double scale = SPEED / length3(way);
  add_body(shot, shape, turn);
  dBodyID body = shot->world->bodies[index].ode;
  dBodySetPosition(body, at[0], at[1], at[2]);
  dBodySetLinearVel(body, way[0] * scale, way[1] * scale, way[2] * scale);
}

static double energy_of(const World *world, int body) {
  double mass, inertia[3][3], spin[3];
  const double *v = world_body_velocity(world, body);
  world_body_inertia(world, body, &mass, inertia);
  world_body_vector_from_world(world, body, world_body_spin(world, body), spin);
  double energy = 0.5 * mass * dot3(v, v) + mass * 9.81 * world_body_position(world, body)[1];
  for (int axis = 0; axis < 3; axis++)
    energy += 0.5 * spin[axis] * dot3(inertia[axis], spin);
  return energy;
}

static bool is_through(Place place, const Shot *shot, int body) {
  const double *p = world_body_position(shot->world, body), half = HALL_SIZE / 2;
  if (place == HOUSE) { // below the ground, or inside although it came from outside
    bool inside = fabs(p[0]) < 2.9 && p[2] > 2.1 && p[2] < 9.4 && p[1] < 4.6;
    return (p[1] < 0 && fabs(p[0]) < 12 && p[2] > -8 && p[2] < 16) || inside;
  }
  bool outside = fabs(p[0]) > half || fabs(p[1]) > half || fabs(p[2]) > half;
  return outside || (place == BOARD && p[0] * shot->start[body][0] < 0);
}

typedef struct Outcome {
  int through;
  double gain, rest_speed; // J for each kg, the most that a body gained after a time; m/s, root mean square at the end
  bool stopped;
} Outcome;

static Outcome shoot(Place place, Shape shape, double dt, Solver solver) {
  Terrain *terrain = make_place(place);
  WorldDef def;
  Error error = {0};
  param_defaults(&world_params, &def);
  def.dt = dt;
  def.solver = solver;
  Shot shot = {.world = world_create(&def, terrain, 1, &error)};
  Rng rng = rng_make(7, "shot");
  for (int i = 0; i < BODIES; i++) {
    shoot_body(&shot, place, shape, i, &rng);
    shot.least[i] = energy_of(shot.world, i);
  }
  Outcome outcome = {0};
  for (long step = lround(SECONDS / dt); step > 0 && !outcome.stopped; step--) {
    outcome.stopped = !world_step(shot.world);
    for (int i = 0; i < BODIES; i++) {
      double energy = energy_of(shot.world, i);
      outcome.gain = fmax(outcome.gain, (energy - shot.least[i]) / shot.world->bodies[i].mass);
      shot.least[i] = fmin(shot.least[i], energy);
    }
  }
  double squares = 0;
  for (int i = 0; i < BODIES; i++) {
    const double *v = world_body_velocity(shot.world, i);
    outcome.through += is_through(place, &shot, i);
    squares += dot3(v, v) / BODIES;
  }
  outcome.rest_speed = sqrt(squares);
  world_destroy(shot.world);
  terrain_destroy(terrain);
  return outcome;
}

// A body of 1 kg at 20 m/s has 200 J. Penetrations are pushed out at up to 1 m/s, which is 0.5 J; a body that is pushed
// out of two walls at once may have twice that.
#define MOST_GAIN 1.0

// On the reduced solver the energy of balls alone is tested: it lets other bodies that spin freely gain energy, in the
// air as well.
static void assert_sound(Place place, double dt, Solver solver) {
  for (Shape shape = 0; shape < SHAPES; shape++) {
    Outcome outcome = shoot(place, shape, dt, solver);
    bool gained = outcome.gain >= MOST_GAIN && (solver != SOLVER_REDUCED || shape == BALL);
    if (outcome.stopped || outcome.through > 0 || gained)
      fail_msg("%s, %s, dt %g, solver %d: %d of %d through, %g J/kg gained%s", place_names[place], shape_names[shape],
               dt, solver, outcome.through, BODIES, outcome.gain, outcome.stopped ? ", stopped" : "");
  }
}

static void test_onto_house(void **state) {
  (void)state;
  for (Solver solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++)
    assert_sound(HOUSE, 1.0 / 240, solver);
}

static void test_in_hall(void **state) {
  (void)state;
  for (Solver solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++)
    assert_sound(HALL, 1.0 / 240, solver);
  assert_sound(HALL, 1.0 / 60, SOLVER_STEP);
}

static void test_against_board(void **state) {
  (void)state;
  for (Solver solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++)
    assert_sound(BOARD, 1.0 / 240, solver);
}

static void print_table(void) {
  static const double rates[] = {60, 120, 240, 480};
  printf("level,shape,steps_per_second,solver,through,gain_J_per_kg,rest_speed\n");
  for (Place place = 0; place < PLACES; place++)
    for (Shape shape = 0; shape < SHAPES; shape++)
      for (int rate = 0; rate < 4; rate++)
        for (Solver solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++) {
          Outcome outcome = shoot(place, shape, 1 / rates[rate], solver);
          printf("%s,%s,%g,%d,%d,%.3f,%.4f%s\n", place_names[place], shape_names[shape], rates[rate], solver,
                 outcome.through, outcome.gain, outcome.rest_speed, outcome.stopped ? ",stopped" : "");
          fflush(stdout);
        }
}

int main(int argc, char **argv) {
  dInitODE2(0);
  if (argc == 2 && strcmp(argv[1], "--table") == 0) {
    print_table();
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_onto_house), cmocka_unit_test(test_in_hall),
                                     cmocka_unit_test(test_against_board)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
