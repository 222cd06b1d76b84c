// What drawn throws come to: which balls are taken again and which are busy, where they fly and how they slow down, to
// nine digits; and the limits of a throw.
#include "sim/world/projectile.h"

#include <float.h>
#include <string.h>

#include "sim/base/rng.h"
#include "tests/terrain_fixture.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name;
  double arrival, top; // s: the latest; m/s: the world's limit
  int throws;
  bool ground;
} Drill;

static const Drill DRILLS[] = {{"not aimed", 0, 100, 60, true},
                               {"on their way for long", 3, 100, 60, false},
                               {"on their way for a while", 0.4, 60, 90, true},
                               {"as fast as may be", 0.2, 8, 60, true}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { THROWN, RING, PLACES, SPINS, SUMS };
static const char *const NAMES[SUMS] = {"thrown", "ring", "places", "spins"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {3.8954224678, 16.487836847, 3.1323279212, 22.480775154},
    {9.541713013, 15.441559924, 81.259748952, -19.010283444},
    {4.0957190132, 25.635246618, 4.5195851205, 8.6704731909},
    {4.0715452922, 17.343102819, 4.064513912, -12.805034527},
};

static World *make_world(Terrain *terrain, double top) {
  Error error = {0};
  WorldDef def;
  param_defaults(&world_params, &def);
  def.dt = 1.0 / 120;
  def.max_speed = top;
  def.max_angular_speed = 40;
  World *world = world_create(&def, terrain, 1, &error);
  assert_non_null(world);
  return world;
}

static Projectile draw_ball(const Drill *drill, Rng *rng, int event) {
  Projectile ball = {.mass = rng_range(rng, 0.1, 4), .radius = rng_range(rng, 0.05, 0.3), .event = event};
  ball.arrival = rng_index(rng, 4) ? rng_range(rng, 0, drill->arrival) : 0;
  double way[3];
  rng_direction(rng, way);
  for (int k = 0; k < 3; k++) {
    ball.position[k] = rng_range(rng, -6, 6) + (k == 1 ? 7 : 0);
    ball.velocity[k] = drill->top * rng_unit(rng) * 0.5 * way[k];
  }
  if (rng_index(rng, 10) == 0)
    ball.radius = 6; // is refused
  return ball;
}

static void add(const Projectiles *balls, const World *world, DrillSum sums[SUMS]) {
  drill_add(&sums[RING], balls->count);
  drill_add(&sums[RING], balls->oldest);
  for (int i = 0; i < balls->count; i++) {
    drill_add(&sums[RING], balls->bodies[i]);
    drill_add(&sums[RING], balls->busy_until[i]);
  }
  for (int i = 0; i < world->body_count; i++) {
    dBodyID ode = world->bodies[i].ode;
    drill_add(&sums[RING], world->bodies[i].event);
    drill_add(&sums[RING], world->bodies[i].mass);
    drill_add_all(&sums[PLACES], dBodyGetPosition(ode), 3);
    drill_add_all(&sums[PLACES], dBodyGetLinearVel(ode), 3);
    drill_add_all(&sums[SPINS], dBodyGetAngularVel(ode), 3);
    drill_add_all(&sums[SPINS], dBodyGetQuaternion(ode), 4);
  }
}

static World *world_of_balls;

static void save_balls(Projectiles *balls, StateStream *stream) { projectiles_state(balls, world_of_balls, stream); }

// Every tenth throw is with a spin, which the next step bounds.
static void run(const Drill *drill, double means[SUMS]) {
  TerrainDef terrain_def = default_def();
  Terrain *terrain = drill->ground ? create(&terrain_def, 1) : NULL;
  World *world = make_world(terrain, drill->top);
  Rng rng = rng_make(1, drill->name);
  static Projectiles balls;
  memset(&balls, 0, sizeof balls);
  for (int n = 0; n < drill->throws; n++) {
    DrillSum sums[SUMS] = {{0}};
    const Projectile ball = draw_ball(drill, &rng, n);
    const int body = projectiles_throw(&balls, world, &ball);
    drill_add(&sums[THROWN], body);
    if (body >= 0 && n % 10 == 0)
      dBodySetAngularVel(world->bodies[body].ode, 30, -20, 25);
    for (int i = 0; i < 8; i++)
      assert_true(world_step(world));
    if (n % 20 == 13) {
      Projectiles fresh = {.count = 0};
      world_of_balls = world;
      DRILL_RENEW(&balls, &fresh, save_balls);
      balls = fresh;
    }
    add(&balls, world, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / drill->throws;
  }
  world_destroy(world);
  terrain_destroy(terrain);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

static void throws_have_their_limits(void **state) {
  (void)state;
  World *world = make_world(NULL, 50);
  const struct {
    double mass, radius, speed;
    bool taken;
  } cases[] = {{1, 0.1, 0, true},          {0.001, 0.005, 50, true},
               {1000, 5, -50, true},       {0.001 - DBL_EPSILON, 0.1, 0, false},
               {1000.0001, 0.1, 0, false}, {1, 0.005 - DBL_EPSILON, 0, false},
               {1, 5.0001, 0, false},      {1, 0.1, 50.0001, false},
               {1, 0.1, -50.0001, false},  {(double)NAN, 0.1, 0, false},
               {1, (double)NAN, 0, false}, {1, 0.1, (double)NAN, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Projectile ball = {.mass = cases[i].mass, .radius = cases[i].radius, .velocity = {0, cases[i].speed, 0}};
    assert_int_equal(projectile_create(world, &ball) >= 0, cases[i].taken);
    assert_int_equal(projectile_relaunch(world, 0, &ball), cases[i].taken);
  }
  assert_false(projectile_relaunch(world, -1, &(Projectile){.mass = 1, .radius = 1}));
  assert_false(projectile_relaunch(world, world->body_count, &(Projectile){.mass = 1, .radius = 1}));
  world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(throws_have_their_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
