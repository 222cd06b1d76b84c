// Rays that pass beside a grid, along its borders: they meet the ground around it alone, if there is
// one, however high the grid stands.
#include "sim/base/rng.h"
#include "tests/terrain_fixture.h"

enum { SAMPLES = 5 };
static const double HALF = 2; // m: of the grid's side

// level: m, of the ground around. The direction is unit, along x or z but for its slope.
static void check_ray(const Terrain *terrain, double level, const double origin[3], const double direction[3]) {
  GroundHit hit = {0};
  const bool found = terrain_ray(terrain, origin, direction, 30, &hit);
  const double distance = direction[1] < 0 ? (level - origin[1]) / direction[1] : INFINITY;
  assert_int_equal(found, terrain->endless && distance <= 30);
  if (!found)
    return;
  assert_near(hit.distance, distance, 1e-9);
  for (int axis = 0; axis < 3; axis++) {
    assert_near(hit.position_w[axis], origin[axis] + distance * direction[axis], 1e-9);
    assert_near(hit.normal_w[axis], axis == 1, 1e-12);
  }
}

static void rays_beside_a_grid_meet_the_ground_around(void **state) {
  (void)state;
  Rng rng = rng_make(1, "beside");
  for (int n = 0; n < 40; n++) {
    float heights[SAMPLES * SAMPLES];
    for (int i = 0; i < SAMPLES * SAMPLES; i++)
      heights[i] = (float)rng_range(&rng, -1, 3);
    Terrain terrain = make_terrain(heights, SAMPLES, 1);
    terrain.outside_height = n % 2 ? 0 : -0.5;
    terrain.endless = n % 4 > 0;
    for (int i = 0; i < 200; i++) {
      const int along = i % 2 ? 0 : 2, aside = 2 - along;
      const double beside = rng_range(&rng, HALF + 0.01, HALF + 3), slope = i % 3 ? rng_range(&rng, -1, 0.3) : 0;
      double origin[3], direction[3] = {0, sin(slope), 0};
      origin[along] = rng_range(&rng, -4, 4);
      origin[aside] = rng_index(&rng, 2) ? beside : -beside;
      origin[1] = terrain.outside_height + rng_range(&rng, 0.1, 4);
      direction[along] = rng_index(&rng, 2) ? cos(slope) : -cos(slope);
      check_ray(&terrain, terrain.outside_height, origin, direction);
      check_ray(&terrain, terrain.outside_height, origin, (const double[3]){0, -1, 0}); // straight down
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rays_beside_a_grid_meet_the_ground_around)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
