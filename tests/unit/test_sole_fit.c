// Soles on grounds of known shape: their depth in it, their height above it, and the plane that they lie on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "ragdoll/shown/sole_fit.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/terrain/terrain.h"
#include "tests/unit/drill.h"

static const double LENGTH = 0.26; // m, of the soles here

// Height at z, m: 0 before `edge`, then `rise` up (or down) at once or over `lean`, then a slope; a wall beside.
typedef struct Step {
  double edge, rise, lean; // m
  double slope;            // everywhere
  double wall;             // x at which a wall of 1 m begins, 0: none
  double end;              // no ground behind, 0: none
} Step;

static bool step_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  const Step *step = context;
  if (step->end != 0 && z > step->end)
    return false;
  double part = step->lean > 0 ? fmin(fmax((z - step->edge) / step->lean, 0), 1) : z > step->edge;
  bool leans = part > 0 && part < 1;
  double steepness = step->slope + (leans ? step->rise / step->lean : 0);
  *height = part * step->rise + step->slope * z + (step->wall != 0 && x > step->wall);
  if (normal) {
    double length = hypot(1, steepness);
    normal[0] = 0, normal[1] = 1 / length, normal[2] = -steepness / length;
  }
  return true;
}

// Heel and toe over the height 0, the heel at z.
static SoleFit fit_at(const Step *step, double z, double heel, double toe) {
  const Ground ground = {.context = step, .height = step_height};
  const double run = sqrt(LENGTH * LENGTH - (toe - heel) * (toe - heel));
  return sole_fit(&ground, (const double[3]){0, heel, z}, (const double[3]){0, toe, z + run});
}

static void check(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("line %d: %.9g is not %.9g", line, a, b);
}
#define assert_near(a, b, tolerance) check(a, b, tolerance, __LINE__)

static void test_level_ground(void **state) {
  (void)state;
  const Step level = {.edge = 0};
  SoleFit fit = fit_at(&level, 0, 0, 0);
  assert_near(fit.depth + fit.lift + fit.gap + fabs(fit.rise), 0, 0);
  assert_near(fit.normal[1], 1, 0);
  assert_near(fit.place[1], LENGTH / 2, 1e-12);
  fit = fit_at(&level, 0, -0.004, -0.004);
  assert_near(fit.depth, 0.004, 1e-12);
  assert_near(fit.gap, 0, 0);
  fit = fit_at(&level, 0, 0.05, 0.05); // hangs over it
  assert_near(fit.lift, 0.05, 1e-12);
  assert_near(fit.gap, 0.05, 1e-12);
  fit = fit_at(&level, 0, 0.1, 0); // on its toes
  assert_near(fit.lift, 0, 0);
  assert_near(fit.gap, 0.1, 1e-12);
  assert_near(fit.rise, -0.1, 1e-12);
  assert_near(fit.place[1], sqrt(LENGTH * LENGTH - 0.1 * 0.1), 1e-9);
  fit = fit_at(&level, 0, 0, 0.1); // on its heel
  assert_near(fit.gap, 0.1, 1e-12);
  assert_near(fit.place[1], 0, 0);
}

static void test_slope(void **state) {
  (void)state;
  const Step slope = {.slope = 0.5};
  SoleFit fit = fit_at(&slope, 0, 0, 0); // level on a slope: the toe is in it
  assert_near(fit.depth, 0.5 * LENGTH, 1e-12);
  double run = LENGTH / hypot(1, 0.5);
  fit = fit_at(&slope, 0, 0, 0.5 * run);
  assert_near(fit.depth + fit.gap + fabs(fit.rise), 0, 1e-12);
  assert_near(fit.normal[1], 1 / hypot(1, 0.5), 1e-12);
  assert_near(fit.normal[2], -0.5 / hypot(1, 0.5), 1e-12);
}

// Where the ground was last asked for, and how often it was asked whether it is one plane up to there.
typedef struct Asked {
  Step step;
  double last[2];
  int planes;
} Asked;

static bool asked_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  Asked *asked = (Asked *)(uintptr_t)context;
  asked->last[0] = x;
  asked->last[1] = z;
  return step_height(&asked->step, x, z, from, height, normal);
}

static bool asked_plane(const void *context, const double from[2], const double to[2]) {
  Asked *asked = (Asked *)(uintptr_t)context;
  assert_near(hypot(to[0] - asked->last[0], to[1] - asked->last[1]), 0, 0);
  assert_true(hypot(to[0] - from[0], to[1] - from[1]) > 1e-6);
  asked->planes++;
  return false;
}

// Whether the ground is one plane is asked from a point of the sole to where the way ends whose depth was asked.
static void test_planes_reach_to_the_ends_of_ways(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    Asked asked = {.step = {.edge = 0.1, .rise = 0.1 + 0.01 * i, .lean = i % 3 == 0 ? 0.05 : 0, .slope = 0.1}};
    const Ground ground = {.context = &asked, .height = asked_height, .is_plane = asked_plane};
    const double heel[3] = {0.2, -0.004 * i, 0}, ahead = 0.5 * i;
    sole_fit(&ground, heel, (const double[3]){0.2 + LENGTH * sin(ahead), -0.03, LENGTH * cos(ahead)});
    assert_true(asked.planes > 0);
  }
}

// A toe against a riser is as deep as it is in the riser's face.
static void test_risers(void **state) {
  (void)state;
  const Step wall = {.edge = 1, .rise = 0.17}, leaning = {.edge = 1, .rise = 0.17, .lean = 0.05};
  const double touch = 1 - LENGTH;
  assert_near(fit_at(&wall, touch - 1e-6, 0, 0).depth, 0, 0);
  assert_near(fit_at(&wall, touch + 1e-6, 0, 0).depth, 1e-6, 1e-4);
  assert_near(fit_at(&wall, touch + 0.001, 0, 0).depth, 0.001, 1e-4);
  SoleFit fit = fit_at(&wall, touch + 0.08, 0, 0);
  assert_near(fit.depth, 0.08, 1e-3);
  assert_near(fit.normal[1], 1, 0); // it stands on the tread, and flat
  assert_near(fit.rise, 0, 0);
  assert_near(fit.lift + fit.gap, 0, 0);
  // Heel in a riser behind, and a sole whose middle is in the slanted face.
  const Step down = {.edge = 1, .rise = -0.17};
  assert_near(fit_at(&down, 0.97, -0.17, -0.17).depth, 0.03, 1e-3);
  fit = fit_at(&leaning, 1.025 - LENGTH / 2, 0, 0);
  assert_near(fit.normal[1], 1, 0);
  assert_true(fit.depth > 0.1);
}

// A sole that is on the floor, or a little in it, and touches a wall with its toe: the wall is not as deep as it is
// high.
static void test_floor_before_a_wall(void **state) {
  (void)state;
  const Step wall = {.edge = 1, .rise = 0.12};
  const double touch = 1 - LENGTH;
  assert_near(fit_at(&wall, touch + 0.002, -1e-7, -1e-7).depth, 0.002, 1e-4);
  assert_near(fit_at(&wall, touch + 0.002, -0.003, -0.003).depth, 0.005, 1e-4); // back by 2 mm and up by 3
}

// A heel in a riser, over the floor before it, is as deep as the way to the riser's face; a toe in a wall and in the
// floor is no deeper than it is below the wall's top.
static void test_ways_out_to_other_floors(void **state) {
  (void)state;
  const Step down = {.edge = 1, .rise = -0.17}, up = {.edge = 1, .rise = 0.1};
  assert_near(fit_at(&down, 0.97, -0.16, -0.16).depth, 0.03, 1e-3);
  assert_near(fit_at(&down, 0.97, -0.1, -0.1).depth, 0.03, 1e-3);
  assert_near(fit_at(&up, 1.102 - LENGTH, -0.004, -0.004).depth, 0.104, 1e-9);
  assert_near(fit_at(&up, 1.06 - LENGTH, -0.004, -0.004).depth, 0.064, 1e-4);
}

// All of it turned about up.
typedef struct TurnedStep {
  Step step;
  double heading; // rad, from z toward x
} TurnedStep;

static void turn_about_up(double heading, double v[3]) {
  const double s = sin(heading), c = cos(heading), x = v[0];
  v[0] = c * x + s * v[2];
  v[2] = c * v[2] - s * x;
}

static bool turned_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  const TurnedStep *turned = context;
  double at[3] = {x, 0, z};
  turn_about_up(-turned->heading, at);
  const bool found = step_height(&turned->step, at[0], at[2], from, height, normal);
  if (found && normal)
    turn_about_up(turned->heading, normal);
  return found;
}

static void test_any_heading(void **state) {
  (void)state;
  static const Step steps[] = {{.edge = 1, .rise = 0.17},
                               {.edge = 1, .rise = -0.17},
                               {.edge = 1, .rise = 0.17, .lean = 0.05},
                               {.edge = 0.9, .rise = 0.02, .slope = 0.1},
                               {.edge = 5, .wall = -0.03}};
  static const double ends[][2] = {{0.003, 0.001}, {-0.012, -0.013}, {-0.16, -0.15}, {0.03, -0.02}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
      for (int t = 0; t < 12; t++) {
        const SoleFit straight = fit_at(&steps[i], 0.83, ends[k][0], ends[k][1]);
        const TurnedStep turned = {steps[i], (30 * t + 7) * RAD_PER_DEGREE};
        const double run = sqrt(LENGTH * LENGTH - (ends[k][1] - ends[k][0]) * (ends[k][1] - ends[k][0]));
        double heel[3] = {0, ends[k][0], 0.83}, toe[3] = {0, ends[k][1], 0.83 + run}, normal[3];
        memcpy(normal, straight.normal, sizeof normal);
        turn_about_up(turned.heading, heel);
        turn_about_up(turned.heading, toe);
        turn_about_up(turned.heading, normal);
        const SoleFit fit = sole_fit(&(Ground){.context = &turned, .height = turned_height}, heel, toe);
        assert_near(fit.depth, straight.depth, 1e-9);
        assert_near(fit.lift, straight.lift, 1e-9);
        assert_near(fit.gap, straight.gap, 1e-9);
        assert_near(fit.rise, straight.rise, 1e-9);
        for (int axis = 0; axis < 3; axis++)
          assert_near(fit.normal[axis], normal[axis], 1e-9);
      }
}

static void test_walls_beside(void **state) {
  (void)state;
  const Step level = {.wall = -0.006};
  assert_near(fit_at(&level, 0, 0, 0).depth, 0.006, 1e-3);
}

static void test_edges(void **state) {
  (void)state;
  const Step down = {.edge = 1, .rise = -0.17, .lean = 0.05}, up = {.edge = 1, .rise = 0.17, .lean = 0.05};
  const double half = 1 - LENGTH / 2;
  // The toe, or the heel, overhangs: no float, flat on the tread.
  SoleFit fit = fit_at(&down, half - 0.01, 0, 0);
  assert_near(fit.gap + fit.lift + fit.depth + fabs(fit.rise), 0, 0);
  assert_near(fit.normal[1], 1, 0);
  fit = fit_at(&up, 1, 0.17, 0.17);
  assert_near(fit.gap + fit.lift + fabs(fit.rise), 0, 1e-12);
  // Above the tread it floats; with its heel up too, by the distance of its end from the tread.
  fit = fit_at(&down, half - 0.01, 0.02, 0.02);
  assert_near(fit.lift, 0.02, 1e-12);
  assert_near(fit.gap, 0.02, 1e-12);
  fit = fit_at(&down, half - 0.05, 0.06, -0.03);
  assert_near(fit.gap, 0.06, 1e-12);
  assert_near(fit.lift, 0, 1e-3); // it rolls over the edge
  // Over the edge, but about its toe in the air.
  fit = fit_at(&down, half - 0.01, 0.1, 0);
  assert_true(fit.lift > 0.03);
  // A hollow within reach is no overhang.
  const Step hollow = {.edge = 1, .rise = -0.02, .lean = 0.05};
  assert_near(fit_at(&hollow, half - 0.01, 0, 0).gap, 0.02, 1e-12);
}

// From block to block a sole lies on both.
static void test_bridges(void **state) {
  (void)state;
  const Step blocks = {.edge = 1, .rise = 0.05};
  SoleFit fit = fit_at(&blocks, 1 - 0.24, 0, 0.05);
  assert_near(fit.rise, 0, 1e-9);
  assert_near(fit.gap, 0, 1e-9);
  // The best fit of a line through the ground under heel and toe, and under the point next to the heel, which is 6 mm
  // higher than the heel and supports too: at 0, 1/8 and 1 of the sole it is 0, 0 and 5 cm high, and rises by 1/19 m.
  double pitch = 1.0 / 19 / sqrt(LENGTH * LENGTH - 0.05 * 0.05);
  assert_near(fit.normal[2], -pitch / hypot(1, pitch), 1e-9);
}

static void test_no_ground(void **state) {
  (void)state;
  const Step end = {.end = 1};
  SoleFit fit = fit_at(&end, 2, 0, 0);
  assert_near(fit.depth + fit.lift + fit.gap, 0, 0);
  assert_near(fit.normal[1], 1, 0);
  fit = fit_at(&end, 0.9, 0.004, 0.004); // the toe over the void
  assert_near(fit.gap, 0.004, 1e-12);
  assert_near(fit.lift, 0.004, 1e-12);
}

// If the ground reports its planes, fewer points are examined, with the same result.
static void test_planes_of_the_ground(void **state) {
  (void)state;
  Error error = {0};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = TERRAIN_NOISE;
  Terrain *terrain = terrain_create(&def, 1, NULL, &error);
  assert_non_null(terrain);
  Ground ground = terrain_ground(terrain), blind = ground;
  blind.is_plane = NULL;
  Rng rng = rng_make(1, "soles");
  int hanging = 0;
  for (int i = 0; i < 2000; i++) {
    double yaw = rng_range(&rng, 0, 2 * M_PI), height, heel[3], toe[3];
    heel[0] = rng_range(&rng, -5, 5);
    heel[2] = rng_range(&rng, -5, 5);
    toe[0] = heel[0] + LENGTH * sin(yaw);
    toe[2] = heel[2] + LENGTH * cos(yaw);
    assert_true(ground.height(ground.context, heel[0], heel[2], GROUND_HIGHEST, &height, NULL));
    heel[1] = height + rng_range(&rng, -0.02, 0.05);
    toe[1] = height + rng_range(&rng, -0.02, 0.05);
    SoleFit fit = sole_fit(&ground, heel, toe), whole = sole_fit(&blind, heel, toe);
    assert_memory_equal(&fit, &whole, sizeof fit);
    hanging += fit.lift > 0;
  }
  assert_in_range(hanging, 200, 1900);
  terrain_destroy(terrain);
}

// ---- Drawn soles: the means to nine digits ----

enum { DEPTH, LIFT, GAP, NORMAL, RISE, PLACE, SUMS };
static const char *const NAMES[SUMS] = {"depth", "lift", "gap", "normal", "rise", "place"};
enum { GROUNDS = 3 };
static const double OUTCOMES[GROUNDS][SUMS] = {
    {0.012338540157, 0.00087640725034, 0.0088324324609, -0.2195839934, -8.4850285459e-05, -0.015121500003},
    {0.0093654546943, 0.00095541202626, 0.0091470547829, -0.26986791236, -0.00028603360457, -0.0016940522479},
    {0.016588595505, 0.00053319916521, 0.0067225277492, -0.23176027, -0.00092785688656, -0.0018053922792},
};

// A step up or down, sharp or leaning, high or low, on a level or a slope; now and then a wall beside or an end.
static Step drawn_step(Rng *rng) {
  return (Step){.edge = rng_range(rng, -0.1, 0.4),
                .rise = rng_range(rng, -0.2, 0.2) * (rng_index(rng, 2) ? 1 : 0.15),
                .lean = rng_index(rng, 2) ? 0 : rng_range(rng, 0, 0.1),
                .slope = rng_index(rng, 2) ? 0 : rng_range(rng, -0.6, 0.6),
                .wall = rng_index(rng, 5) ? 0 : rng_range(rng, -0.05, 0.05),
                .end = rng_index(rng, 5) ? 0 : rng_range(rng, 0, 0.3)};
}

static void drawn_soles_come_to(void **state) {
  (void)state;
  enum { DRAWS = 2000 };
  int wrong = 0;
  for (int g = 0; g < GROUNDS; g++) { // steps; waves; blocks
    Rng rng = rng_make((uint64_t)g, "soles on grounds");
    Error error = {0};
    TerrainDef def;
    param_defaults(&terrain_params, &def);
    def.kind = g == 1 ? TERRAIN_NOISE : TERRAIN_BLOCKS;
    def.cell = g == 1 ? 0.1 : 0.02;
    def.wavelength = g == 1 ? 1 : 0.15;
    def.amplitude = 0.05;
    def.x[0] = def.z[0] = -2;
    def.x[1] = def.z[1] = 2;
    Terrain *terrain = terrain_create(&def, 1, NULL, &error);
    assert_non_null(terrain);
    double means[SUMS] = {0};
    for (int i = 0; i < DRAWS; i++) {
      const Step step = drawn_step(&rng);
      const Ground ground = g == 0 ? (Ground){.context = &step, .height = step_height} : terrain_ground(terrain);
      const double heading = g == 0 && rng_index(&rng, 2) ? 0 : rng_range(&rng, -M_PI, M_PI);
      double ends[2][3];
      for (int e = 0; e < 2; e++) {
        double height = 0;
        ends[e][0] = e == 0 ? rng_range(&rng, -0.1, 0.1) : ends[0][0] + LENGTH * sin(heading);
        ends[e][2] = e == 0 ? rng_range(&rng, -0.3, 0.3) : ends[0][2] + LENGTH * cos(heading);
        ground.height(ground.context, ends[e][0], ends[e][2], GROUND_HIGHEST, &height, NULL);
        ends[e][1] = height + rng_range(&rng, -0.06, 0.06) * (rng_index(&rng, 2) ? 1 : 0.1);
      }
      const SoleFit fit = sole_fit(&ground, ends[0], ends[1]);
      DrillSum sums[SUMS] = {{0}};
      drill_add(&sums[DEPTH], fit.depth);
      drill_add(&sums[LIFT], fit.lift);
      drill_add(&sums[GAP], fit.gap);
      drill_add_all(&sums[NORMAL], fit.normal, 3);
      drill_add(&sums[RISE], fit.rise);
      drill_add_all(&sums[PLACE], fit.place, 2);
      for (int k = 0; k < SUMS; k++)
        means[k] += sums[k].sum / DRAWS;
    }
    terrain_destroy(terrain);
    wrong += !drill_is_kept("drawn soles", NAMES, means, OUTCOMES[g], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_level_ground),
      cmocka_unit_test(test_slope),
      cmocka_unit_test(test_planes_reach_to_the_ends_of_ways),
      cmocka_unit_test(test_risers),
      cmocka_unit_test(test_ways_out_to_other_floors),
      cmocka_unit_test(test_any_heading),
      cmocka_unit_test(test_walls_beside),
      cmocka_unit_test(test_floor_before_a_wall),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_bridges),
      cmocka_unit_test(test_no_ground),
      cmocka_unit_test(test_planes_of_the_ground),
      cmocka_unit_test(drawn_soles_come_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
