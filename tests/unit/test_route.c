// Routes over the known map: straight if nothing is in between, out of a trap, and none into a closed court.
#include "anim/planner/route.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

enum { MOST = 64 };

// A wall as a row of circles.
static void add_wall(RouteObstacle *wall, int *count, double x0, double z0, double x1, double z1) {
  for (int i = 0; i <= 10; i++) {
    double share = i / 10.0;
    wall[(*count)++] = (RouteObstacle){{x0 + share * (x1 - x0), z0 + share * (z1 - z0)}, 0.3};
  }
}

static void test_a_free_way_is_straight(void **state) {
  (void)state;
  const double from[2] = {0, 0}, goal[2] = {1, 8};
  const RouteObstacle aside = {{2, 4}, 0.5};
  double waypoint[2], length;
  assert_true(route_is_free(&aside, 1, 0.3, from, goal));
  assert_true(route_find(&aside, 1, 0.3, from, goal, waypoint, &length));
  assert_true(hypot(waypoint[0] - goal[0], waypoint[1] - goal[1]) < 0.3);
  assert_true(length < 1.1 * hypot(1, 8));
}

// Out of a U, by waypoints each of which is visible from the one before.
static void test_the_way_out_of_a_trap(void **state) {
  (void)state;
  RouteObstacle walls[MOST];
  int count = 0;
  add_wall(walls, &count, -2, 6, 2, 6);
  add_wall(walls, &count, -2, 2, -2, 6);
  add_wall(walls, &count, 2, 2, 2, 6);
  const double goal[2] = {0, 10};
  double at[2] = {0, 5}, waypoint[2], length, whole = 0, went = 0;
  assert_false(route_is_free(walls, count, 0.35, at, goal));
  for (int i = 0; i < 20 && !route_is_free(walls, count, 0.35, at, goal); i++) {
    assert_true(route_find(walls, count, 0.35, at, goal, waypoint, &length));
    assert_true(route_is_free(walls, count, 0.35, at, waypoint));
    whole = i == 0 ? length : whole;
    went += hypot(waypoint[0] - at[0], waypoint[1] - at[1]);
    at[0] = waypoint[0];
    at[1] = waypoint[1];
  }
  assert_true(route_is_free(walls, count, 0.35, at, goal));
  went += hypot(goal[0] - at[0], goal[1] - at[1]);
  assert_true(whole > 10 && whole < 16);
  assert_true(went < 1.15 * whole);
}

static void test_no_way_into_a_closed_court(void **state) {
  (void)state;
  RouteObstacle walls[MOST];
  int count = 0;
  add_wall(walls, &count, -2, 4, 2, 4);
  add_wall(walls, &count, -2, 8, 2, 8);
  add_wall(walls, &count, -2, 4, -2, 8);
  add_wall(walls, &count, 2, 4, 2, 8);
  double waypoint[2], length;
  assert_false(route_find(walls, count, 0.35, (const double[2]){0, 0}, (const double[2]){0, 6}, waypoint, &length));
}

// One of the eight ways in which a square lies on itself: turned by quarters, and turned over.
static void lay(int symmetry, const double place[2], double laid[2]) {
  double x = symmetry & 1 ? -place[0] : place[0], z = symmetry & 2 ? -place[1] : place[1];
  laid[0] = symmetry & 4 ? z : x;
  laid[1] = symmetry & 4 ? x : z;
}

// Round a pillar it is as far as along two tangents and an arc, but for the corners of a way over square cells; and the
// same map, however it lies, has the same ways.
static void test_lengths_are_those_of_the_map(void **state) {
  (void)state;
  const double radius = 0.3, far = 5, reach = 1.5;
  const double shortest = 2 * sqrt(far * far - reach * reach) + reach * (M_PI - 2 * acos(reach / far));
  const double walls[][2] = {{0, 0}, {2.4, 1}, {-2.8, 2}, {-4, -1}, {3.5, -3}};
  double first[3];
  for (int symmetry = 0; symmetry < 8; symmetry++) {
    for (int map = 0; map < 3; map++) { // the pillar alone, between others, and aslant
      RouteObstacle obstacles[5];
      const double begin[2] = {map == 2 ? -2 : 0.03, -far + 0.07}, end[2] = {0.06, far - 0.05}; // on no cell's edge
      double from[2], goal[2], waypoint[2], length;
      for (int i = 0; i < 5; i++) {
        lay(symmetry, walls[i], obstacles[i].position);
        obstacles[i].radius = i == 0 ? reach - radius : 0.4;
      }
      lay(symmetry, begin, from);
      lay(symmetry, end, goal);
      assert_true(route_find(obstacles, map == 0 ? 1 : 5, radius, from, goal, waypoint, &length));
      if (map == 0)
        assert_true(length > shortest - 0.3 && length < 1.09 * shortest);
      if (symmetry == 0)
        first[map] = length;
      assert_near(length, first[map], 1e-3);
    }
  }
}

// Any map: a way that is found is free up to its waypoint and no shorter than the straight line.
static void test_random_maps(void **state) {
  (void)state;
  Rng rng = rng_make(11, "maps");
  int found = 0;
  for (int round = 0; round < 100; round++) {
    RouteObstacle map[MOST];
    for (int i = 0; i < MOST; i++)
      map[i] = (RouteObstacle){{rng_range(&rng, -6, 6), rng_range(&rng, 2, 14)}, rng_range(&rng, 0.1, 0.6)};
    const double from[2] = {0, 0}, goal[2] = {rng_range(&rng, -4, 4), 16};
    double waypoint[2], length;
    if (!route_find(map, MOST, 0.3, from, goal, waypoint, &length))
      continue;
    found++;
    assert_true(route_is_free(map, MOST, 0.3, from, waypoint));
    assert_true(length > hypot(goal[0], goal[1]) - 0.3);
  }
  assert_true(found > 50);
}

// ---- Drawn maps: the means to nine digits ----

enum { LENGTH, WAYPOINT, FOUND, FREE, SUMS };
static const char *const NAMES[SUMS] = {"length", "waypoint", "found", "free"};
static const double OUTCOMES[1][SUMS] = {
    {6.2827524848, -0.091871853275, 0.60088963599, 0.3833261471},
};

// Few and many obstacles in a small and a wide field; some ways begin or end inside one.
static void drawn_maps_come_to(void **state) {
  (void)state;
  enum { MAPS = 300 };
  Rng rng = rng_make(2, "maps");
  double means[SUMS] = {0};
  for (int m = 0; m < MAPS; m++) {
    RouteObstacle obstacles[MOST];
    const int count = rng_index(&rng, rng_index(&rng, 2) ? 8 : 40);
    const double size = rng_range(&rng, 2, rng_index(&rng, 4) ? 8 : 40), radius = rng_range(&rng, 0, 0.5);
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < 2; k++)
        obstacles[i].position[k] = rng_range(&rng, -size, size);
      obstacles[i].radius = rng_range(&rng, 0.1, 1);
    }
    double from[2], goal[2], waypoint[2] = {0, 0}, length = 0;
    for (int k = 0; k < 2; k++) {
      from[k] = rng_range(&rng, -size, size);
      goal[k] = rng_range(&rng, -1.2 * size, 1.2 * size);
    }
    DrillSum sums[SUMS] = {{0}};
    drill_add(&sums[FREE], route_is_free(obstacles, count, radius, from, goal));
    drill_add(&sums[FOUND], route_find(obstacles, count, radius, from, goal, waypoint, &length));
    drill_add(&sums[LENGTH], length);
    drill_add_all(&sums[WAYPOINT], waypoint, 2);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / MAPS;
  }
  const bool same = drill_matches("drawn maps", NAMES, means, OUTCOMES[0], SUMS);
  if (!same)
    drill_print(means, SUMS);
  assert_true(same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_free_way_is_straight),
      cmocka_unit_test(test_the_way_out_of_a_trap),
      cmocka_unit_test(test_no_way_into_a_closed_court),
      cmocka_unit_test(test_lengths_are_those_of_the_map),
      cmocka_unit_test(test_random_maps),
      cmocka_unit_test(drawn_maps_come_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
