// The part of its soles on which a balancing body can stand.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/support.h"
#include "tests/fixture.h"

// Corner k of a sole, of whose length the heel and the toes hang over an edge.
static void find_corner(const Fixture *f, int side, int k, const double hangs[2], double corner[3]) {
  const BalanceLeg *leg = &f->character->balance.body.legs[side];
  const double ends[2] = {-leg->half_length + hangs[0], leg->half_length - hangs[1]};
  const vec3s place_l = {{leg->leg->sole_l.x + (float)(k < 2 ? -leg->half_width : leg->half_width), leg->leg->sole_l.y,
                          leg->leg->sole_l.z + (float)ends[k % 2]}};
  ragdoll_point(f->character->ragdoll, leg->leg->ankle, place_l, corner);
}

// The margin is the distance of xi to the border of the parts of both soles that have ground below them.
static void hanging_heels_and_toes_do_not_bear(void **state) {
  (void)state;
  static const double cases[][2] = {{0, 0}, {0.03, 0}, {0, 0.12}, {0.02, 0.14}, {0.1, 0.01}}; // m of heel and toes
  Fixture f;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  for (int i = 0; i < 120; i++)
    assert_true(fixture_step(&f));
  double whole = 0;
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    Balancer balance = f.character->balance;
    double corners[4 * BALANCE_LEGS][3];
    for (int side = 0; side < BALANCE_LEGS; side++) {
      memcpy(balance.feet[side].hangs, cases[n], sizeof cases[n]);
      for (int k = 0; k < 4; k++)
        find_corner(&f, side, k, cases[n], corners[4 * side + k]);
    }
    balance_measure(&balance, f.character->ragdoll, &(BalanceCommand){.foot_loaded = {true, true}}, f.world_def.dt);
    const double xi[3] = {balance.xi.x, 0, balance.xi.z};
    const double margin = support_distance(xi, (const double(*)[3])corners, 4 * BALANCE_LEGS, NULL);
    assert_true(fabs(balance.margin - margin) < 1e-6);
    whole = n == 0 ? margin : whole;
    assert_true(n == 0 ? margin > 0.01 : margin < whole - 0.005);
    for (int side = 0; side < BALANCE_LEGS; side++) {
      double lowest = INFINITY;
      for (int k = 0; k < 4; k++)
        lowest = fmin(lowest, corners[4 * side + k][1]);
      assert_true(fabs(balance.feet[side].lowest - lowest) < 1e-6);
    }
  }
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hanging_heels_and_toes_do_not_bear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
