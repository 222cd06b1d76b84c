// Ropes, and platforms that forces move: their statics, their motion, their scenes, and how traces and pictures show
// them.
#include "sim/world/rope.h"

#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"
#include "sim/world/platform.h"
#include "sim/world/world_body.h"
#include "tests/unit/recorded_run.h"
#include "viewer/source/source.h"

static const double LEVEL[4] = {1, 0, 0, 0}, BOARD[3] = {1, 0.1, 2};

static World *open_world(Solver solver) {
  WorldDef def;
  Error error = {0};
  param_defaults(&world_params, &def);
  def.solver = solver;
  World *world = world_create(&def, NULL, 1, &error);
  assert_non_null(world);
  return world;
}

static int add_board(World *world, double x, double y, double mass) {
  const double place[3] = {x, y, 0};
  int body = platform_create(world, "board", BOARD, place, LEVEL);
  assert_true(body >= 0 && platform_release(world, body, mass, NULL, 1e4));
  return body;
}

static void tie(World *world, int a, int b, const double on_a[3], const double on_b[3], double length) {
  double points[2][3];
  memcpy(points[0], on_a, sizeof points[0]);
  memcpy(points[1], on_b, sizeof points[1]);
  assert_true(rope_create(world, (const int[2]){a, b}, (const double(*)[3])points, length, 1e5, 2e3));
}

static void step(World *world, int count) {
  for (int i = 0; i < count; i++)
    assert_true(world_step(world));
}

// ---- Ropes ----

// Two ropes bear a board: half its weight each, and each is longer by half of it over the stiffness.
static void test_a_board_hangs(void **state) {
  (void)state;
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++) {
    World *world = open_world((Solver)solver);
    int board = add_board(world, 0, 1, 30);
    for (int side = -1; side <= 1; side += 2)
      tie(world, board, WORLD_GROUND, (const double[]){side * 0.4, 0.05, 0}, (const double[]){side * 0.4, 2, 0}, 0);
    step(world, 2400);
    double exact = 30 * 9.81 / 2, tolerance = solver == SOLVER_ITERATIVE ? 0.02 : 1e-3;
    assert_near(rope_tension(world, 0), exact, tolerance * exact);
    assert_near(rope_tension(world, 1), exact, tolerance * exact);
    assert_near(world_body_position(world, board)[1], 1 - exact / 1e5, 2e-5);
    double ends[2][3];
    rope_ends(world, 0, ends);
    assert_near(ends[0][0], -0.4, 1e-3);
    assert_near(ends[1][1], 2, 0);
    world_destroy(world);
  }
}

// It does not push: a board below its rope's end falls freely until the rope is taut, and then hangs on it.
static void test_a_slack_rope_does_nothing(void **state) {
  (void)state;
  World *world = open_world(SOLVER_REDUCED);
  int board = add_board(world, 0, 0, 10);
  tie(world, board, WORLD_GROUND, (const double[3]){0}, (const double[]){0, 0.2, 0}, 1);
  step(world, 48); // 0.2 s
  assert_near(world_body_velocity(world, board)[1], -9.81 * 0.2, 0.01);
  assert_near(rope_tension(world, 0), 0, 0);
  step(world, 4800);
  assert_near(world_body_position(world, board)[1], 0.2 - 1 - 10 * 9.81 / 1e5, 1e-3);
  assert_near(rope_tension(world, 0), 10 * 9.81, 0.1);
  world_destroy(world);
}

// What one end gains the other one loses, in all solvers.
static void test_two_boards_draw_each_other(void **state) {
  (void)state;
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++) {
    World *world = open_world((Solver)solver);
    dWorldSetGravity(world->ode, 0, 0, 0);
    int light = add_board(world, -2, 0, 10), heavy = add_board(world, 2, 0, 30);
    tie(world, light, heavy, (const double[]){0.5, 0, 0.3}, (const double[]){-0.5, 0, 0.1}, 3);
    dBodySetLinearVel(world->bodies[light].ode, -4, 0, 0);
    double fastest = 0;
    for (int i = 0; i < 480; i++) {
      step(world, 1);
      double sum = 10 * world_body_velocity(world, light)[0] + 30 * world_body_velocity(world, heavy)[0];
      assert_near(sum, -40 * exp(-world->time / 1e4), 0.02);
      fastest = fmin(fastest, world_body_velocity(world, heavy)[0]);
    }
    assert_true(fastest < -0.9); // of -1, which both would have if the rope took all of their relative motion
    world_destroy(world);
  }
}

// Stiff ropes on a light board stay quiet, since they are implicit: an explicit spring of 1e7 N/m on 1 kg would need
// steps of 0.6 ms.
static void test_a_stiff_rope_is_stable(void **state) {
  (void)state;
  World *world = open_world(SOLVER_STEP);
  int board = add_board(world, 0, 1, 1);
  double points[2][3] = {{0, 0.05, 0}, {0, 3, 0}};
  assert_true(rope_create(world, (const int[2]){board, WORLD_GROUND}, (const double(*)[3])points, 0, 1e7, 0));
  step(world, 240);
  assert_near(world_body_position(world, board)[1], 1, 1e-4);
  assert_near(rope_tension(world, 0), 9.81, 0.1);
  world_destroy(world);
}

// Between two things that no force moves it does nothing.
static void test_a_rope_of_fixed_things(void **state) {
  (void)state;
  World *world = open_world(SOLVER_REDUCED);
  const double place[3] = {0, 1, 0}, beside[3] = {5, 1, 0};
  int a = platform_create(world, "a", BOARD, place, LEVEL), b = platform_create(world, "b", BOARD, beside, LEVEL);
  tie(world, a, b, (const double[3]){0}, (const double[3]){0}, 1);
  tie(world, a, WORLD_GROUND, (const double[3]){0}, (const double[3]){0}, 0.1);
  step(world, 10);
  assert_near(rope_tension(world, 0) + rope_tension(world, 1), 0, 0);
  int board = add_board(world, 0, -1, 5); // and the second end may be the one that moves
  tie(world, a, board, (const double[]){0, -0.05, 0}, (const double[]){0, 0.05, 0}, 0);
  step(world, 480);
  assert_near(rope_tension(world, 2), 5 * 9.81, 0.05);
  world_destroy(world);
}

static void test_ropes_that_are_refused(void **state) {
  (void)state;
  World *world = open_world(SOLVER_REDUCED);
  int board = add_board(world, 0, 1, 5);
  const double good[2][3] = {{0}}, odd[2][3] = {{0}, {NAN, 0, 0}};
  const int ends[2] = {board, WORLD_GROUND};
  assert_false(rope_create(world, (const int[2]){board, board}, good, 1, 1, 1));
  assert_false(rope_create(world, (const int[2]){board, board + 1}, good, 1, 1, 1));
  assert_false(rope_create(world, (const int[2]){WORLD_GROUND, board}, good, 1, 1, 1));
  assert_false(rope_create(world, ends, odd, 1, 1, 1));
  assert_false(rope_create(world, ends, good, -1, 1, 1));
  assert_false(rope_create(world, ends, good, INFINITY, 1, 1));
  assert_false(rope_create(world, ends, good, 1, 0, 1));
  assert_false(rope_create(world, ends, good, 1, 1, -1));
  assert_false(rope_create(world, ends, good, 1, 1, NAN));
  for (int i = 0; i < WORLD_MAX_ROPES; i++)
    assert_true(rope_create(world, ends, good, 1, 1, 1));
  assert_false(rope_create(world, ends, good, 1, 1, 1));
  world_destroy(world);
}

// ---- Platforms that forces move ----

// A seesaw turns about its axle alone, by the torque of its weight: alpha = m g d / (I + m d^2).
static void test_a_seesaw_tips(void **state) {
  (void)state;
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++) {
    World *world = open_world((Solver)solver);
    const double place[3] = {0, 1, 0};
    int board = platform_create(world, "board", BOARD, place, LEVEL);
    const PlatformAxle axle = {{0, 1, 0.1}, {2, 0, 0}};
    assert_true(platform_release(world, board, 40, &axle, 1e4));
    step(world, 24); // 0.1 s
    double inertia = 40.0 / 12 * (0.1 * 0.1 + 2 * 2) + 40 * 0.1 * 0.1, rate = 40 * 9.81 * 0.1 / inertia * 0.1;
    assert_near(world_body_spin(world, board)[0], -rate, 0.03 * rate);
    step(world, 120);
    double pivot[3];
    world_body_point_to_world(world, board, (const double[]){0, 0, 0.1}, pivot);
    assert_near(pivot[1], 1, 1e-3);
    assert_near(pivot[2], 0.1, 1e-3);
    assert_near(world_body_spin(world, board)[1], 0, 1e-6);
    world_destroy(world);
  }
}

// Its bearings slow it down: to 1/e in the given time.
static void test_its_motion_decays(void **state) {
  (void)state;
  World *world = open_world(SOLVER_REDUCED);
  dWorldSetGravity(world->ode, 0, 0, 0);
  const double place[3] = {0, 1, 0};
  int board = platform_create(world, "board", BOARD, place, LEVEL);
  assert_true(platform_release(world, board, 40, NULL, 0.5));
  dBodySetLinearVel(world->bodies[board].ode, 1, 0, 0);
  dBodySetAngularVel(world->bodies[board].ode, 0, 0.8, 0);
  step(world, 240);
  assert_near(world_body_velocity(world, board)[0], exp(-2), 0.01);
  assert_near(world_body_spin(world, board)[1], 0.8 * exp(-2), 0.01);
  world_destroy(world);
}

// A board comes to lie on a fixed platform, as on ground, and one board on another.
static void test_they_lie_on_each_other(void **state) {
  (void)state;
  for (int solver = SOLVER_STEP; solver <= SOLVER_REDUCED; solver++) {
    World *world = open_world((Solver)solver);
    const double place[3] = {0, 0, 0};
    platform_create(world, "floor", (const double[]){4, 0.2, 4}, place, LEVEL);
    int low = add_board(world, 0, 0.2, 20), high = add_board(world, 0.3, 0.4, 10);
    step(world, 480);
    assert_near(world_body_position(world, low)[1], 0.15, 2e-3);
    assert_near(world_body_position(world, high)[1], 0.25, 3e-3);
    double borne = 0;
    for (int i = 0; i < world->contact_count; i++)
      if (world->contacts[i].body == low && world->contacts[i].other == 0)
        borne += world->contacts[i].impulse[1] / world->def.dt;
    assert_near(borne, 30 * 9.81, solver == SOLVER_ITERATIVE ? 30 : 3);
    world_destroy(world);
  }
}

static void test_releases_that_are_refused(void **state) {
  (void)state;
  World *world = open_world(SOLVER_REDUCED);
  const double place[3] = {0, 1, 0};
  int board = platform_create(world, "board", BOARD, place, LEVEL);
  const PlatformAxle none = {{0}, {0, 0, 0}}, odd = {{NAN, 0, 0}, {1, 0, 0}};
  assert_near(world->bodies[board].mass, 0, 0);
  assert_false(platform_release(world, board, 0, NULL, 1));
  assert_false(platform_release(world, board, INFINITY, NULL, 1));
  assert_false(platform_release(world, board, 1, NULL, 0));
  assert_false(platform_release(world, board, 1, &none, 1));
  assert_false(platform_release(world, board, 1, &odd, 1));
  assert_false(platform_release(world, board + 1, 1, NULL, 1));
  assert_false(platform_release(world, -1, 1, NULL, 1));
  assert_true(platform_move(world, board, place, LEVEL));
  assert_true(platform_release(world, board, 3, NULL, 1));
  assert_near(world->bodies[board].mass, 3, 0);
  assert_false(platform_move(world, board, place, LEVEL)); // forces move it now
  world_destroy(world);
}

// ---- Scenes ----

static const char HEAD[] =
    "duration: 1\ncharacters: [{name: doll, body: boxes.yaml, start: {position: [0, -0.3, 0]}}]\n";
static const char SWING[] = "platforms:\n"
                            "  - {name: pier, size: [1, 1, 1], center: [3, 2, 0]}\n"
                            "  - {name: seat, size: [1, 0.1, 0.4], center: [4.2, 1, 0], mass: 8, decay: 3}\n"
                            "props: [{name: sack, size: [0.2, 0.4, 0.2], center: [6, 2, 0], mass: 4}]\n"
                            "ropes:\n"
                            "  - {from: seat, at: [-0.5, 0, 0], to: pier, to_at: [0.5, 0.5, 0], stiffness: 1e5}\n"
                            "  - {from: seat, at: [0.5, 0, 0], to_at: [4.8, 3, 0]}\n"
                            "  - {from: sack, at: [0, 0.2, 0], to_at: [6, 3, 0], length: 1}\n";

static SceneDef *swing_with(const char *override, Error *error) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s", HEAD, SWING);
  return small_def_try(text, &override, override ? 1 : 0, error);
}

static SceneDef *swing(void) {
  Error error = {0};
  SceneDef *def = swing_with(NULL, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static void assert_refused(const char *override, const char *expected) {
  Error error = {0};
  assert_null(swing_with(override, &error));
  if (!strstr(error.text, expected))
    fail_msg("\"%s\" is not in \"%s\"", expected, error.text);
}

static void test_what_scenes_refuse(void **state) {
  (void)state;
  assert_refused("ropes.0.to=seat", "both ends of the rope are tied to 'seat'");
  assert_refused("ropes.0.to=peer", "there is no platform or prop 'peer'");
  assert_refused("ropes.0.from=doll", "there is no platform or prop 'doll'");
  assert_refused("ropes=[{to: seat}]", "a rope needs a 'from'");
  assert_refused("ropes.0.stiffness=0", "stiffness");
  assert_refused("platforms.1.turn=3", "'turn' belongs to a platform without a 'mass'");
  assert_refused("platforms.1.tilts=[[0, 1, 0]]", "'tilts' belongs to a platform without a 'mass'");
  Error error = {0};
  SceneDef *still = swing_with("platforms.1.turn=0", &error); // which is no motion
  assert_non_null(still);
  scene_def_free(still);
  still = swing_with("platforms.0.axle=[0, 0, 0]", &error);
  assert_non_null(still);
  scene_def_free(still);
  assert_refused("platforms.0.axle=[1, 0, 0]", "'axle' belongs to a platform with a 'mass'");
}

// The trace has the tensions, and the seat as an object with its mass; the pier has none.
static void test_the_trace_tells(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, swing());
  Error error = {0};
  double tensions[3], mass, inertia[3], place[3];
  const int last = trace_frame_count(run.reader) - 1;
  assert_true(trace_read(run.reader, "/ropes/tension", TRACE_FLOAT64, last, 1, tensions, &error));
  assert_near(tensions[2], 4 * 9.81, 1);
  char names[3][TRACE_NAME_SIZE];
  assert_int_equal(trace_row_names(run.reader, "/ropes/tension", names, 3), 3);
  assert_string_equal(names[0], "0: seat, pier");
  assert_string_equal(names[2], "2: sack, the world");
  assert_true(tensions[0] > 20 && tensions[1] > 20);
  assert_int_equal(trace_values(run.reader, "/objects/seat", "mass", &mass, 1), 1);
  assert_near(mass, 8, 0);
  assert_int_equal(trace_values(run.reader, "/objects/seat", "inertia", inertia, 3), 3);
  assert_near(inertia[0], 8.0 / 12 * (0.1 * 0.1 + 0.4 * 0.4), 1e-9);
  assert_int_equal(trace_values(run.reader, "/objects/pier", "mass", &mass, 1), 1);
  assert_near(mass, 0, 0);
  assert_true(trace_read(run.reader, "/objects/seat/position", TRACE_FLOAT64, last, 1, place, &error));
  assert_true(fabs(place[0] - 4.2) > 0.01 && place[1] > 0.5); // it swings
  recorded_run_end(&run);
}

// A run that continues from a saved state has the same bits.
static void test_it_continues(void **state) {
  (void)state;
  SceneDef *def = swing();
  Scene *scene = small_scene(def), *again = small_scene(def);
  for (int i = 0; i < 100; i++)
    assert_true(scene_step(scene));
  Error error = {0};
  const size_t size = scene_state_size(scene);
  void *bytes = malloc(size);
  assert_true(bytes && scene_state_save(scene, bytes, size, &error));
  assert_true(scene_state_restore(again, bytes, size, &error));
  assert_near(rope_tension(again->world, 1), rope_tension(scene->world, 1), 0);
  for (int i = 0; i < 100; i++)
    assert_true(scene_step(scene) && scene_step(again));
  assert_true(world_hash(scene->world) == world_hash(again->world));
  free(bytes);
  scene_destroy(scene);
  scene_destroy(again);
  scene_def_free(def);
}

// A picture of the trace shows the seat where it is, not where it began, and the ropes at it.
static void test_the_picture_shows_them(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, swing());
  Error error = {0};
  double place[3];
  assert_true(trace_read(run.reader, "/objects/seat/position", TRACE_FLOAT64, trace_frame_count(run.reader) - 1, 1,
                         place, &error));
  Source *source = source_open(run.path, NULL, 0, &error);
  Picture *picture = calloc(1, sizeof *picture);
  assert_true(source && picture);
  picture_clear(picture);
  assert_true(source_picture(source, 1, &(SourceLook){.subject = 0}, picture, &error));
  int seats = 0, ropes = 0;
  for (int i = 0; i < picture->shape_count; i++) {
    const PictureShape *shape = &picture->shapes[i];
    seats += fabs((double)shape->position_w.x - place[0]) < 1e-4 && fabs((double)shape->half_size.x - 0.5) < 1e-4 &&
             fabs((double)shape->position_w.y - place[1]) < 1e-4;
    ropes += shape->half_size.x < 0.02f && shape->half_size.y > 0.3f && shape->half_size.z < 0.02f;
  }
  assert_int_equal(seats, 1);
  assert_int_equal(ropes, 3);
  free(picture);
  assert_true(source_close(source, &error));
  recorded_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_board_hangs),
      cmocka_unit_test(test_a_slack_rope_does_nothing),
      cmocka_unit_test(test_two_boards_draw_each_other),
      cmocka_unit_test(test_a_stiff_rope_is_stable),
      cmocka_unit_test(test_a_rope_of_fixed_things),
      cmocka_unit_test(test_ropes_that_are_refused),
      cmocka_unit_test(test_a_seesaw_tips),
      cmocka_unit_test(test_its_motion_decays),
      cmocka_unit_test(test_they_lie_on_each_other),
      cmocka_unit_test(test_releases_that_are_refused),
      cmocka_unit_test(test_what_scenes_refuse),
      cmocka_unit_test(test_the_trace_tells),
      cmocka_unit_test(test_it_continues),
      cmocka_unit_test(test_the_picture_shows_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
