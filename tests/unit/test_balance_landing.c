// Where a step of a balancing body lands: sooner where its foot cannot get far enough, beside an edge instead of across
// it, and flat on the ground there.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

static const BalanceLeg LEG = {
    .thigh = 0.43, .shin = 0.42, .foot_height = 0.07, .sole_ahead = 0.05, .half_length = 0.13, .half_width = 0.05};

// Ground with a step at z, m, of this height; with a slope ahead and to the left; and a bump of 2 cm about x, z.
typedef struct Steps {
  double edge, rise, ahead, left, bump, x, z;
} Steps;

static double height_of(const Steps *steps, double x, double z) {
  const double bump = hypot(x - steps->x, z - steps->z) < 0.02 ? steps->bump : 0;
  return (z > steps->edge ? steps->rise : 0) + steps->ahead * z + steps->left * x + bump;
}

static bool steps_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                      double length, GroundHit *hit) {
  const double height = height_of(context, origin[0], origin[2]);
  *hit = (GroundHit){.position_w = {origin[0], height, origin[2]}, .normal_w = {0, 1, 0}, .kind = GROUND_TERRAIN};
  return mask == (GROUND_TERRAIN | GROUND_PLATFORMS) && direction[1] == -1 && origin[1] >= height &&
         origin[1] - height <= length;
}

static Ground ground_of(const Steps *steps) { return (Ground){.context = steps, .ray = steps_ray}; }

static void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

// ---- The ground under a sole ----

static void ground_is_looked_for_three_metres_down(void **state) {
  (void)state;
  const Steps level = {.edge = INFINITY};
  const Ground ground = ground_of(&level);
  assert_near(balance_ground(&ground, (Plane2){.x = 1, .z = 2}, 2.99, -7), 0, 0);
  assert_near(balance_ground(&ground, (Plane2){.x = 1, .z = 2}, 3.01, -7), -7, 0);
}

// The height is that under the ankle of the plane through the sole's corners, whose normal leans by a slope of 0.5 at
// most; a bump under the middle carries half of the sole.
static void sole_lies_on_its_corners(void **state) {
  (void)state;
  double normal[3];
  const double slopes[][4] = {{0.2, 0, 0.2, 0}, {0, -0.3, 0, -0.3}, {0.6, 0, 0.5, 0}, {-0.6, 0.7, -0.5, 0.5}};
  for (int i = 0; i < 4; i++) {
    const Steps steps = {.edge = INFINITY, .ahead = slopes[i][0], .left = slopes[i][1]};
    const Ground ground = ground_of(&steps);
    const Plane2 ankle = {.x = 0.1, .z = 0.3};
    const double height = balance_foot_ground(&ground, &LEG, ankle, 1, 0, normal);
    const double length = sqrt(1 + slopes[i][2] * slopes[i][2] + slopes[i][3] * slopes[i][3]);
    assert_near(height, height_of(&steps, 0.1, 0.3), 1e-12);
    assert_near(normal[0], -slopes[i][3] / length, 1e-12);
    assert_near(normal[1], 1 / length, 1e-12);
    assert_near(normal[2], -slopes[i][2] / length, 1e-12);
  }
  const Steps turned = {.edge = INFINITY, .ahead = 0.2};
  Ground ground = ground_of(&turned);
  assert_near(balance_foot_ground(&ground, &LEG, (Plane2){.x = 0, .z = 1}, 1, M_PI / 2, normal), 0.2, 1e-12);
  assert_near(normal[2] / normal[1], -0.2, 1e-12);
  const Steps bump = {.edge = INFINITY, .bump = 0.04, .x = 0.1, .z = 0.35},
              hole = {.edge = INFINITY, .bump = -0.04, .x = 0.1, .z = 0.35};
  ground = ground_of(&bump);
  assert_near(balance_foot_ground(&ground, &LEG, (Plane2){.x = 0.1, .z = 0.3}, 1, 0, normal), 0.02, 1e-12);
  ground = ground_of(&hole);
  assert_near(balance_foot_ground(&ground, &LEG, (Plane2){.x = 0.1, .z = 0.3}, 1, 0, normal), 0, 1e-12);
}

static bool on_edge(const Steps *steps, double z, double margin) {
  const Ground ground = ground_of(steps);
  return balance_on_edge(&ground, &LEG, (Plane2){.x = 0, .z = z}, 1, 0, margin);
}

// A sole stands across an edge where the ground steps by more than 5 cm between its heel and its toes, each longer by
// the margin, or where its sides differ by more than 8 cm.
static void sole_stands_across_an_edge(void **state) {
  (void)state;
  const Steps low = {.rise = 0.049}, high = {.rise = 0.051}, down = {.rise = -0.051};
  assert_true(!on_edge(&low, 0, 0) && on_edge(&high, 0, 0) && on_edge(&down, 0, 0));
  assert_true(on_edge(&high, 0.129, 0) && !on_edge(&high, 0.131, 0) && on_edge(&high, -0.129, 0) &&
              !on_edge(&high, -0.131, 0));
  assert_true(on_edge(&high, 0.159, 0.03) && !on_edge(&high, 0.161, 0.03));
  const Steps flat = {.edge = INFINITY, .left = 0.79}, steep = {.edge = INFINITY, .left = 0.81},
              right = {.edge = INFINITY, .left = -0.81};
  assert_true(!on_edge(&flat, 0, 0) && on_edge(&steep, 0, 0) && on_edge(&right, 0, 0));
  const Steps ramp = {.edge = INFINITY, .ahead = 0.76},
              cliff = {.edge = INFINITY, .ahead = 0.78}; // 6.5 cm from row to row
  assert_true(!on_edge(&ramp, 0, 0) && on_edge(&cliff, 0, 0));
}

static bool overhangs(const Steps *steps, double z, double hangs[2], double *height) {
  const Ground ground = ground_of(steps);
  return balance_overhangs(&ground, &LEG, (Plane2){.x = 0, .z = z}, 1, 0, hangs, height);
}

// The heel over the lower side of an edge at 0, m, or the toes: by rows of a quarter of half the sole, three at most.
// The rest is level within 1.5 cm, and what hangs is over ground that is lower by 5 cm at least.
static void sole_hangs_over_an_edge(void **state) {
  (void)state;
  const Steps up = {.rise = 0.17}, down = {.rise = -0.17}, low = {.rise = 0.051}, lower = {.rise = 0.049},
              rough = {.edge = INFINITY, .ahead = 0.11}, rougher = {.edge = INFINITY, .ahead = 0.12};
  double hangs[2], height;
  const double row = LEG.half_length / 4;
  for (int rows = 0; rows <= 8; rows++) {
    const double heel = LEG.half_length - (rows - 0.5) * row; // m: the sole's middle, so that so many rows are behind 0
    assert_int_equal(overhangs(&up, heel, hangs, &height), rows <= 3);
    if (rows <= 3) {
      assert_near(hangs[0], rows * row, 1e-12);
      assert_near(hangs[1], 0, 0);
      assert_near(height, 0.17, 0);
    }
    assert_int_equal(overhangs(&down, -heel, hangs, &height), rows <= 3);
    if (rows <= 3) {
      assert_near(hangs[0], 0, 0);
      assert_near(hangs[1], rows * row, 1e-12);
      assert_near(height, 0, 0);
    }
  }
  assert_true(overhangs(&low, 0.1, hangs, &height) && !overhangs(&lower, 0.1, hangs, &height));
  assert_true(overhangs(&rough, 0, hangs, &height) && !overhangs(&rougher, 0, hangs, &height));
}

// ---- Landings ----

// A body whose left foot swings.
static Balancer stepper(double xi_ahead, double xi_left) {
  Balancer balance = {.omega = 3.2, .swing = BALANCE_LEFT, .duration = 0.36, .step_time = 0.1};
  param_defaults(&balance_params, &balance.def);
  balance.body.length = balance.body.time = 1;
  balance.body.gravity = 9.81;
  balance.xi = (Plane2){.x = xi_left, .z = xi_ahead};
  balance.com[1] = 0.9;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double side = i == BALANCE_LEFT ? 1 : -1;
    balance.body.legs[i] = LEG;
    balance.body.legs[i].side = side;
    balance.feet[i].hip[0] = side * 0.09;
    balance.feet[i].hip[1] = 0.9;
    balance.feet[i].sole[0] = side * 0.1;
  }
  return balance;
}

// The whole landing that balance_plan_landing should find on level ground: of the times at which the foot can have
// arrived, at 4 m/s, each 0.01 s, the one with the least violation, where each second sooner costs 5 cm and a gain of
// less than 2 mm is none; not sooner than 0.03 s from now, nor than the shortest step.
static double best_duration(const Balancer *balance, Plane2 pressure) {
  const double left = balance->duration - balance->step_time;
  const Plane2 from = plane2_of(balance->feet[BALANCE_LEFT].sole);
  Plane2 sole;
  double least = balance_plan(balance, BALANCE_LEFT, left, balance->duration, pressure, &sole), best = left;
  if (least <= 0.01)
    return balance->duration;
  if (plane2_length(plane2_sub(sole, from)) > 4 * left)
    least = HUGE_VAL;
  const double earliest = fmax(0.03, balance->def.least_time - balance->step_time);
  for (double time = left; time >= earliest; time -= 0.01) {
    const double beyond = balance_plan(balance, BALANCE_LEFT, time, balance->duration, pressure, &sole);
    if (beyond + 0.05 * (left - time) < least - 0.002 && plane2_length(plane2_sub(sole, from)) <= 4 * time) {
      least = beyond + 0.05 * (left - time);
      best = time;
    }
  }
  return best < left ? balance->step_time + best : balance->duration;
}

static void step_out_of_reach_is_shortened(void **state) {
  (void)state;
  const Steps level = {.edge = INFINITY};
  const Ground ground = ground_of(&level);
  const Plane2 pressure = {.x = -0.1, .z = 0};
  Rng rng = rng_make(3, "shortened");
  int shortened = 0, kept = 0, early = 0;
  for (int i = 0; i < 2000; i++) {
    Balancer balance = stepper(rng_range(&rng, -0.45, 0.45), rng_range(&rng, -0.2, 0.35));
    balance.step_time = rng_range(&rng, 0, 0.34);
    const double wanted = best_duration(&balance, pressure);
    Plane2 sole;
    balance_plan(&balance, BALANCE_LEFT, wanted - balance.step_time, 0.36, pressure, &sole);
    balance_plan_landing(&balance, &ground, pressure);
    assert_near(balance.duration, wanted, 1e-12);
    assert_near(balance.landing.ankle[0], sole.x - LEG.sole_ahead * sin(balance.landing.yaw), 1e-12);
    assert_near(balance.landing.ankle[2], sole.z - LEG.sole_ahead * cos(balance.landing.yaw), 1e-12);
    assert_near(balance.landing.ankle[1], LEG.foot_height, 1e-12);
    shortened += wanted < 0.36;
    kept += wanted == 0.36;
    early += wanted < 0.36 && wanted - balance.step_time < 0.1;
  }
  print_message("%d shortened, %d of them much, %d kept\n", shortened, early, kept);
  assert_true(shortened > 100 && kept > 100 && early > 5);
}

// A landing across an edge moves along the foot, in steps of 2 cm: by up to 6 cm to where the sole is 3 cm beside the
// edge, otherwise to the nearest place where it is beside it at all.
static void landing_moves_beside_an_edge(void **state) {
  (void)state;
  const Plane2 pressure = {.x = -0.1, .z = 0};
  for (int i = 0; i < 40; i++) {
    Balancer balance = stepper(0.1, 0.02), level = balance;
    const Steps flat = {.edge = INFINITY};
    Ground ground = ground_of(&flat);
    balance_plan_landing(&level, &ground, pressure);
    const double sole = level.landing.ankle[2] + LEG.sole_ahead; // m, its middle
    const Steps kerb = {.edge = sole - 0.2 + 0.01 * i + 0.0051, .rise = 0.15};
    ground = ground_of(&kerb);
    balance_plan_landing(&balance, &ground, pressure);
    double wanted = 0;
    const double rooms[] = {LEG.half_length + 0.03, LEG.half_length};
    const int most[] = {3, 14};
    if (fabs(kerb.edge - sole) < LEG.half_length) // its corners differ, so it is looked at
      for (int way = 0; way < 2; way++)
        for (int k = 1; k <= most[way] && wanted == 0; k++)
          wanted = fabs(kerb.edge - sole - 0.02 * k) > rooms[way]   ? 0.02 * k
                   : fabs(kerb.edge - sole + 0.02 * k) > rooms[way] ? -0.02 * k
                                                                    : 0;
    assert_near(balance.landing.ankle[2] - level.landing.ankle[2], wanted, 1e-9);
    assert_near(balance.duration, level.duration, 0);
    const double height = kerb.edge < sole + wanted ? 0.15 : 0;
    if (fabs(kerb.edge - sole - wanted) > LEG.half_length)
      assert_near(balance.landing.ankle[1], height + LEG.foot_height, 1e-9);
  }
}

// Rows of 9 under a sole that stick out over an edge, m, beyond which the ground is lower by 15 cm: some with the heel,
// or with the toes; or -1, as the sole does not stand there: its middle has to be on top, and three rows at most may
// hang.
static int rows_that_hang(double edge, double rise, double middle) {
  const double over = rise > 0 ? edge - middle : middle - edge;
  const int rows = (int)ceil((over + LEG.half_length) / (LEG.half_length / 4));
  return over < 0 && rows <= 3 ? rows : -1;
}

// The least change of a step's duration, s, by which its landing is beside an edge: by 3 cm, else just so; it ends
// 0.513 s after its begin at the latest. 0: none.
static double change_for(const Balancer *balance, double edge, Plane2 pressure) {
  const double left = balance->duration - balance->step_time;
  for (double margin = 0.03; margin >= 0; margin -= 0.03)
    for (int k = 1; k <= 15; k++)
      for (int sign = 1; sign >= -1; sign -= 2) {
        const double time = left + 0.01 * sign * k;
        Plane2 place;
        if (time >= 0.08 && time <= 0.95 * 0.56 - balance->step_time &&
            balance_plan(balance, BALANCE_LEFT, time, balance->duration, pressure, &place) <= 0.01 &&
            fabs(edge - place.z) > LEG.half_length + margin)
          return 0.01 * sign * k;
      }
  return 0;
}

// How far ahead, in steps of 2 cm and up to 10 cm, a sole that would be across an edge finds room beyond it. 0:
// nowhere.
static double way_beyond(double edge, double sole) {
  for (int k = 1; k <= 5; k++)
    if (sole + 0.02 * k - edge > LEG.half_length)
      return 0.02 * k;
  return 0;
}

// The steps of 2 cm by which a sole that would be across the edge of a step up is moved ahead to stand on it, and the
// rows that hang over it then. -1: there is no place within 14 cm.
static int steps_up(double edge, double sole, int *rows) {
  for (int i = 0; i <= 7; i++) {
    const double over = edge - sole - 0.02 * i;
    *rows = (int)fmax(0, ceil((over + LEG.half_length) / (LEG.half_length / 4)));
    if (over < 0 && *rows <= 3)
      return i;
  }
  return -1;
}

// A walker takes a step up that is up to 14 cm farther away. Otherwise he lands with heel or toes over the edge if most
// of the sole has ground. Otherwise he takes a step down that is up to 10 cm farther away; else he steps sooner or
// later, by as little as it takes in steps of 0.01 s, up to 0.15 s.
static void walker_steps_sooner_or_later_at_an_edge(void **state) {
  (void)state;
  const Plane2 pressure = {.x = -0.1, .z = 0};
  int sooner = 0, later = 0, moved = 0, hung = 0, down = 0, up = 0;
  for (int i = 0; i < 240; i++) {
    Balancer balance = stepper(i < 120 ? 0.12 : 0.2, 0.0);
    balance.walking = true;
    balance.speed.z = 0.6;
    balance.duration = 0.4;
    balance.step_time = 0.1;
    Balancer level = balance;
    const Steps flat = {.edge = INFINITY};
    Ground ground = ground_of(&flat);
    balance_plan_landing(&level, &ground, pressure);
    const double sole = level.landing.ankle[2] + LEG.sole_ahead;
    const Steps kerb = {.edge = sole - 0.3 + 0.01 * (i % 60) + 0.0051, .rise = i % 120 < 60 ? 0.15 : -0.15};
    ground = ground_of(&kerb);
    const bool across = fabs(kerb.edge - sole) < LEG.half_length;
    int hanging, ahead = across && kerb.rise > 0 ? steps_up(kerb.edge, sole, &hanging) : -1;
    if (ahead >= 0) {
      balance_plan_landing(&balance, &ground, pressure);
      assert_near(balance.duration, level.duration, 0);
      assert_near(balance.landing.ankle[1], kerb.rise + LEG.foot_height, 1e-12);
      assert_near(balance.landing.ankle[2], level.landing.ankle[2] + 0.02 * ahead, 1e-12);
      assert_near(balance.landing.hangs[0], hanging * LEG.half_length / 4, 1e-12);
      assert_near(balance.landing.hangs[1], 0, 0);
      up++;
      continue;
    }
    const int rows = across ? rows_that_hang(kerb.edge, kerb.rise, sole) : -1;
    const double beyond = across && rows < 0 && kerb.rise < 0 ? way_beyond(kerb.edge, sole) : 0;
    const double change = across && rows < 0 && beyond == 0 ? change_for(&balance, kerb.edge, pressure) : 0;
    balance_plan_landing(&balance, &ground, pressure);
    assert_near(balance.duration, level.duration + change, 1e-9);
    for (int end = 0; end < 2; end++) // heel, toes
      assert_near(balance.landing.hangs[end], rows > 0 && end == (kerb.rise < 0) ? rows * LEG.half_length / 4 : 0,
                  1e-12);
    if (rows > 0) {
      assert_near(balance.landing.ankle[1], fmax(0, kerb.rise) + LEG.foot_height, 1e-12);
      assert_near(balance.landing.ankle[2], level.landing.ankle[2], 1e-12);
      assert_near(balance.landing.normal[1], 1, 0);
    }
    if (beyond > 0) {
      assert_near(balance.landing.ankle[1], kerb.rise + LEG.foot_height, 1e-12);
      assert_near(balance.landing.ankle[2], level.landing.ankle[2] + beyond, 1e-12);
    }
    hung += rows > 0;
    down += beyond > 0;
    sooner += change < 0;
    later += change > 0;
    moved += change == 0 && fabs(balance.landing.ankle[2] - level.landing.ankle[2]) > 0.01;
  }
  print_message("%d up, %d hung, %d down, %d sooner, %d later, %d moved\n", up, hung, down, sooner, later, moved);
  assert_true(up > 5 && hung > 5 && down > 5 && sooner > 2 && later > 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ground_is_looked_for_three_metres_down),
      cmocka_unit_test(sole_lies_on_its_corners),
      cmocka_unit_test(sole_stands_across_an_edge),
      cmocka_unit_test(sole_hangs_over_an_edge),
      cmocka_unit_test(step_out_of_reach_is_shortened),
      cmocka_unit_test(landing_moves_beside_an_edge),
      cmocka_unit_test(walker_steps_sooner_or_later_at_an_edge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
