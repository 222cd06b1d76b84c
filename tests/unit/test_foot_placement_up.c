// The turn to a ground that is no floor: a rotation, that brings the given up to the world's, and is the shortest one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

static FootPlacementDef facing(const double up[3]) {
  FootPlacementDef def;
  param_defaults(&foot_placement_params, &def);
  memcpy(def.up, up, sizeof def.up);
  return def;
}

static void is_near(const double v[3], const double wanted[3], double most) {
  for (int k = 0; k < 3; k++)
    if (!(fabs(v[k] - wanted[k]) <= most))
      fail_msg("%.9g, not %.9g, at %d", v[k], wanted[k], k);
}

static void check_turn(const double up[3]) {
  static const double worlds[3] = {0, 1, 0};
  const FootPlacementDef def = facing(up);
  const FootAxes axes = foot_up_axes(&def);
  const double size = length3(up);
  double unit[3], turned[3], across[3];
  for (int k = 0; k < 3; k++)
    unit[k] = up[k] / size;
  foot_up_turn(&axes, false, unit, turned);
  is_near(turned, worlds, 1e-9);
  // What is across both stays: no turn is shorter.
  cross3(unit, worlds, across);
  foot_up_turn(&axes, false, across, turned);
  is_near(turned, across, 1e-9);
  // Right-handed, of the same lengths, and undone by the way back.
  double ends[3][3], product[3];
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    foot_up_turn(&axes, false, axis, ends[k]);
    assert_true(fabs(length3(ends[k]) - 1) < 1e-9);
    foot_up_turn(&axes, true, ends[k], turned);
    is_near(turned, axis, 1e-9);
  }
  cross3(ends[0], ends[1], product);
  is_near(product, ends[2], 1e-9);
  assert_int_equal(foot_up_is_worlds(&def), 1 - unit[1] < 1e-9);
}

static void any_up_becomes_the_worlds(void **state) {
  (void)state;
  static const double some[][3] = {{0, 1, 0},  {0, 5, 0},    {1, 0, 0},     {0, 0, -1},
                                   {0, -1, 0}, {-0.5, 0, 0}, {1e-3, -1, 0}, {0, -1, 1e-3}};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    check_turn(some[i]);
  Rng rng = rng_make(1, "up");
  for (int i = 0; i < 300; i++)
    check_turn((const double[3]){rng_range(&rng, -2, 2), rng_range(&rng, -2, 2), rng_range(&rng, -2, 2)});
  const FootPlacementDef none = facing((const double[3]){0, 0, 0});
  assert_true(foot_up_is_worlds(&none));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_up_becomes_the_worlds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
