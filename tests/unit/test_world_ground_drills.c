// What drawn questions to a world's ground come to: rays, heights and planes over terrain, platforms that lie, tilt and
// move, and objects. To nine digits.
#include <string.h>

#include "sim/base/rng.h"
#include "sim/world/platform.h"
#include "sim/world/projectile.h"
#include "sim/world/world_ground.h"
#include "tests/terrain_fixture.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name;
  bool terrain;
  int platforms, balls;
  double tilt, speed; // rad: the largest; m and rad a step
} Drill;

static const Drill DRILLS[] = {{"terrain alone", true, 0, 0, 0, 0},
                               {"level platforms", true, 6, 0, 0, 0},
                               {"tilted platforms", true, 6, 0, 2.5, 0},
                               {"moving platforms", true, 6, 0, 0.4, 0.002},
                               {"balls", true, 0, 8, 0, 0},
                               {"without terrain", false, 4, 4, 0.5, 0.001},
                               {"one of each", true, 1, 1, 0.3, 0.001}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { MET, PLACES, NORMALS, RATES, HEIGHTS, UNDER, PLANES, SUMS };
static const char *const NAMES[SUMS] = {"met", "places", "normals", "rates", "heights", "platforms under", "planes"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.078447726055, 0.1403162944, -0.043867839338, 0, -0.24957518253, -0.62160996827, 0.00646474367},
    {0.090190950088, 0.035573052498, -0.044076638554, 0, -0.36445137894, 0.072448641802, 0},
    {0.091463230589, 0.059422620688, -0.043021714019, 0, -0.35008970793, -0.095261727637, 0},
    {0.089196262739, 0.071727075523, -0.044014732841, 0.0025362492164, -0.37044225463, -0.016752388645, 0},
    {0.06911451933, 0.083821338812, -0.043465317538, 0.027146912001, -0.24921173374, -0.62160996827, 0.0046309942636},
    {0.012011401379, -0.1165660141, 0.0050756203871, -0.0047056065173, -0.12888099827, -0.27646103339, 0},
    {0.08149642768, 0.1084085166, -0.044044272749, 0.0018958645005, -0.2774939186, -0.59015650388, 0},
};

static void turned(Rng *rng, double most, double rotation[4]) {
  double axis[3];
  rng_direction(rng, axis);
  const double angle = most > 0 ? rng_range(rng, -most, most) : 3 * rng_unit(rng);
  if (most == 0) // about up alone
    axis[0] = axis[2] = 0, axis[1] = 1;
  rotation[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++)
    rotation[1 + k] = sin(angle / 2) * axis[k];
}

static void add_platforms(World *world, const Drill *drill, Rng *rng) {
  for (int i = 0; i < drill->platforms; i++) {
    char name[16];
    double size[3], place[3], rotation[4];
    snprintf(name, sizeof name, "p%d", i);
    for (int k = 0; k < 3; k++) {
      size[k] = rng_range(rng, 0.3, 2);
      place[k] = rng_range(rng, -1.5, 1.5) + (k == 1 ? 1.5 : 0);
    }
    turned(rng, drill->tilt, rotation);
    const int body = platform_create(world, name, size, place, rotation);
    assert_true(body >= 0);
    if (drill->speed == 0)
      continue;
    double turn[4], after[4];
    turned(rng, drill->speed, turn);
    dQMultiply0(after, turn, rotation);
    for (int k = 0; k < 3; k++)
      place[k] += rng_range(rng, -drill->speed, drill->speed);
    assert_true(platform_move(world, body, place, after));
  }
  for (int i = 0; i < drill->balls; i++) {
    Projectile ball = {.mass = 1, .radius = rng_range(rng, 0.1, 0.6), .event = i + 1};
    for (int k = 0; k < 3; k++) {
      ball.position[k] = rng_range(rng, -1.5, 1.5) + (k == 1 ? 1.5 : 0);
      ball.velocity[k] = rng_range(rng, -2, 2);
    }
    const int body = projectile_create(world, &ball);
    assert_true(body >= 0);
    dBodySetAngularVel(world->bodies[body].ode, 0.3, -0.7, 0.2);
  }
}

static void add_hit(const GroundHit *hit, DrillSum sums[SUMS]) {
  drill_add(&sums[MET], (double)hit->kind);
  drill_add(&sums[PLACES], hit->distance);
  drill_add_all(&sums[PLACES], hit->position_w, 3);
  drill_add_all(&sums[NORMALS], hit->normal_w, 3);
  drill_add_all(&sums[RATES], hit->velocity_w, 3);
  drill_add(&sums[RATES], hit->turn_rate);
}

// One in three is along an axis, as most are that ask for the ground, and may go along a platform's side.
static void cast(const Ground *ground, Rng *rng, DrillSum sums[SUMS]) {
  double origin[3], direction[3];
  GroundHit hit = {.distance = 0};
  rng_direction(rng, direction);
  for (int k = 0; k < 3; k++)
    origin[k] = rng_range(rng, -2.5, 2.5) + (k == 1 ? 1.5 : 0);
  if (rng_index(rng, 3) == 0) {
    const int axis = rng_index(rng, 3);
    for (int k = 0; k < 3; k++)
      direction[k] = k != axis ? 0 : rng_index(rng, 2) ? 1 : -1;
  }
  const unsigned masks[] = {GROUND_ALL, GROUND_TERRAIN, GROUND_PLATFORMS, GROUND_PROPS,
                            GROUND_TERRAIN | GROUND_PLATFORMS};
  const bool met =
      ground->ray(ground->context, masks[rng_index(rng, 5)], origin, direction, rng_range(rng, 0, 6), &hit);
  drill_add(&sums[MET], met);
  if (met)
    add_hit(&hit, sums);
}

static void ask(const World *world, const Ground *ground, Rng *rng, DrillSum sums[SUMS]) {
  const double x = rng_range(rng, -2.5, 2.5), z = rng_range(rng, -2.5, 2.5);
  const double from = rng_index(rng, 2) ? GROUND_HIGHEST : rng_range(rng, -1, 4);
  double height = 0, normal[3] = {0};
  const bool found = ground->height(ground->context, x, z, from, &height, normal);
  const double values[] = {found, height, normal[0], normal[1], normal[2]};
  drill_add_all(&sums[HEIGHTS], values, 5);
  const WorldPlatform *under = world_platform_under(world, x, z, from);
  drill_add(&sums[UNDER], under ? (double)(under - world->platforms) : -1);
  const double to[2] = {x + rng_range(rng, -1, 1), z + rng_range(rng, -1, 1)};
  drill_add(&sums[PLANES], ground->is_plane(ground->context, (const double[2]){x, z}, to));
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { QUESTIONS = 20000 };
  Error error = {0};
  Rng rng = rng_make(1, drill->name);
  TerrainDef def = default_def();
  def.kind = TERRAIN_KERB;
  def.rise = 0.3;
  def.start = 0;
  WorldDef world_def;
  param_defaults(&world_params, &world_def);
  Terrain *terrain = drill->terrain ? create(&def, 1) : NULL;
  World *world = world_create(&world_def, terrain, 1, &error);
  assert_non_null(world);
  add_platforms(world, drill, &rng);
  const Ground ground = world_ground(world);
  for (int n = 0; n < QUESTIONS; n++) {
    DrillSum sums[SUMS] = {{0}};
    cast(&ground, &rng, sums);
    ask(world, &ground, &rng, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / QUESTIONS;
  }
  world_destroy(world);
  terrain_destroy(terrain);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
