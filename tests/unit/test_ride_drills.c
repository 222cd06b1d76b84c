// The ground that carries a root, over drawn grounds: over holes, under bridges, in objects and over nothing. To nine
// digits.
#include "ragdoll/character/character_platform.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

// Squares of ground about a place, each at its own height.
enum { ACROSS = 11 };
static const double SIDE = 0.12; // m
typedef struct Squares {
  double heights[ACROSS][ACROSS]; // m; NAN: none
  unsigned kind;
} Squares;

static double square_at(const Squares *squares, double x, double z) {
  int i = (int)floor(x / SIDE + 0.5 * ACROSS), j = (int)floor(z / SIDE + 0.5 * ACROSS);
  return i < 0 || j < 0 || i >= ACROSS || j >= ACROSS ? NAN : squares->heights[i][j];
}

static bool height_of(const void *context, double x, double z, double from, double *height, double normal_w[3]) {
  (void)normal_w;
  double found = square_at(context, x, z);
  if (isnan(found) || found > from)
    return false;
  *height = found;
  return true;
}

static bool ray_of(const void *context, unsigned mask, const double origin_w[3], const double direction_w[3],
                   double length, GroundHit *hit) {
  const Squares *squares = context;
  double found = square_at(squares, origin_w[0], origin_w[2]), distance = origin_w[1] - found;
  if (isnan(found) || distance > length || !(mask & squares->kind) || direction_w[1] != -1)
    return false;
  *hit = (GroundHit){.distance = fmax(distance, 0), .kind = squares->kind, .turn_rate = 0.3 + found};
  for (int i = 0; i < 3; i++) {
    hit->position_w[i] = origin_w[i] + hit->distance * direction_w[i];
    hit->velocity_w[i] = 0.2 * i - found;
  }
  return true;
}

static const Ground GROUND = {.ray = ray_of, .height = height_of};

// Heights of steps, holes and walls, and nothing.
static void draw(Squares *squares, Rng *rng) {
  static const double heights[] = {0, 0, 0.02, -0.3, -0.6, -0.24, 0.2, 0.3, 1.2, -3.5};
  for (int i = 0; i < ACROSS; i++)
    for (int j = 0; j < ACROSS; j++)
      squares->heights[i][j] = rng_index(rng, 24) ? heights[rng_index(rng, 10)] + rng_range(rng, 0, 0.02) : NAN;
  squares->kind = rng_index(rng, 4) ? GROUND_TERRAIN : rng_index(rng, 3) ? GROUND_PLATFORMS : GROUND_PROPS;
}

enum { HEIGHT, CARRIED, VOID, VELOCITY, POINT, SUMS };
static const char *const NAMES[SUMS] = {"height", "carried", "void", "velocity", "point"};
static const double OUTCOMES[1][SUMS] = {
    {39.352218296, 9.8623704182, -12.570846811, 11.549886225, -192.88441844},
};

static void rides_come_to(void **state) {
  (void)state;
  enum { DRAWS = 40000 };
  Rng rng = rng_make(3, "rides");
  Character *character = calloc(1, sizeof *character);
  assert_non_null(character);
  Squares squares;
  character->ground = GROUND;
  character->ground.context = &squares;
  DrillSum sums[SUMS] = {{0}};
  for (int k = 0; k < DRAWS; k++) {
    if (k % 8 == 0)
      draw(&squares, &rng);
    for (int i = 0; i < 3; i++) {
      character->root.position[i] = rng_range(&rng, -0.2, 0.2);
      character->root.platform_travel[i] = rng_range(&rng, -1, 1);
      character->root.ground_velocity[i] = rng_range(&rng, -1, 1);
    }
    character->root.heading = rng_range(&rng, -4, 4);
    character->root.platform_turn = rng_range(&rng, -4, 4);
    PlatformRide ride = character_platform(character);
    drill_add(&sums[HEIGHT], ride.height);
    drill_add(&sums[CARRIED], ride.carried);
    drill_add(&sums[VOID], ride.over_void);
    drill_add_all(&sums[VELOCITY], ride.velocity, 3);
    drill_add(&sums[VELOCITY], ride.turn_rate);
    double point[3] = {rng_range(&rng, -2, 2), rng_range(&rng, -2, 2), rng_range(&rng, -2, 2)}, velocity[3] = {1, 2, 3};
    character_platform_point(character, point);
    character_platform_velocity(character, velocity);
    drill_add_all(&sums[POINT], point, 3);
    drill_add_all(&sums[POINT], velocity, 3);
  }
  free(character);
  double means[SUMS];
  for (int k = 0; k < SUMS; k++)
    means[k] = sums[k].sum;
  assert_true(drill_is_kept("rides", NAMES, means, OUTCOMES[0], SUMS));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rides_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
