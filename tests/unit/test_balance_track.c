// The track of a walk: how far apart the feet of a walker land, and how near the swing foot passes the other leg.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static Fixture f;
static Balancer walker; // calm, on his path, on even ground

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  walker = f.character->balance;
  walker.body.length = walker.body.time = 1;
  walker.mode = BALANCE_STEPPING;
  walker.walking = true;
  walker.heading = 0;
  walker.swing = BALANCE_LEFT;
  walker.evenness = walker.trust = walker.calmness = 1;
  walker.error = (Plane2){.x = 0, .z = 0};
  walker.speed = (Plane2){.x = 0, .z = 1};
  walker.body.legs[BALANCE_LEFT].half_width = 0.048;
  walker.body.legs[BALANCE_LEFT].hip_left = 0.09;
  walker.body.legs[BALANCE_RIGHT].hip_left = -0.09;
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static void near(double value, double wanted) {
  if (!(fabs(value - wanted) < 1e-12))
    fail_msg("%.15g, not %.15g", value, wanted);
}

// In calm walking feet land 0.11 m apart, as wanted, and pass each other 4 mm apart; otherwise 0.2 m, or more if so
// much is wanted, with 0.16 m at least and 0.13 m on the way; between the two in proportion.
static void narrow_if_calm(void **state) {
  (void)state;
  for (int i = 0; i <= 4; i++) {
    Balancer balance = walker;
    balance.calmness = i / 4.0;
    near(balance_step_width(&balance), 0.2 - 0.09 * i / 4);
    near(balance_least_apart(&balance), 0.16 - 0.06 * i / 4);
    near(balance_clear_side(&balance), 0.13 - 0.03 * i / 4);
    balance.body.length = 1.25; // of a tall body, whose feet and hips are as wide
    near(balance_step_width(&balance), 0.25 - 0.14 * i / 4);
    near(balance_least_apart(&balance), 0.2 + (0.096 + 0.005 - 0.2) * i / 4);
    balance.body.length = 1;
    balance.def.step_width = 0.3;
    near(balance_step_width(&balance), 0.3);
  }
}

// Whose hips are twice as far apart puts his feet twice as far apart, and never nearer than who is not calm.
static void hips_far_apart_need_a_wide_track(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.body.legs[BALANCE_LEFT].hip_left = 0.2;
  balance.body.legs[BALANCE_RIGHT].hip_left = -0.16;
  near(balance_step_width(&balance), 0.22);
  balance.calmness = 0;
  near(balance_step_width(&balance), 0.22);
  balance.def.step_width = 0.08;
  near(balance_step_width(&balance), 0.2);
}

// Feet as wide as these never land or pass nearer than they do otherwise.
static void wide_feet_keep_their_distance(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.body.legs[BALANCE_LEFT].half_width = 0.07; // of the foot that swings
  near(balance_least_apart(&balance), 0.144);
  near(balance_clear_side(&balance), 0.13);
  balance.body.legs[BALANCE_LEFT].half_width = 0.1;
  near(balance_least_apart(&balance), 0.16);
}

// Who is thrown off his path, or stops, in the middle of a step lands wide, although the step began as a calm one.
static void who_is_thrown_lands_wide(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.error.x = 0.0675; // half of the way from 0.045 to 0.09
  near(balance_least_apart(&balance), 0.13);
  near(balance_step_width(&balance), 0.11); // the path of the step stays
  balance.error.x = 0.09;
  near(balance_least_apart(&balance), 0.16);
  balance = walker;
  balance.walking = false;
  near(balance_least_apart(&balance), 0.16);
}

// A step is as calm as the ground is trusted and the body is on its path; only walking ahead is.
static void calmness_of_a_step(void **state) {
  (void)state;
  Balancer balance = walker;
  near(balance_calmness(&balance), 1);
  balance.trust = 0.75;
  near(balance_calmness(&balance), 0.75);
  balance.error.x = -0.0675;
  near(balance_calmness(&balance), 0.375);
  balance.evenness = 0.5;
  near(balance_calmness(&balance), 0.1875);
  balance.speed.z = -0.1;
  near(balance_calmness(&balance), 0);
  balance = walker;
  balance.speed.z = 1.4; // at any speed
  near(balance_calmness(&balance), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(narrow_if_calm, begin, end),
      cmocka_unit_test_setup_teardown(hips_far_apart_need_a_wide_track, begin, end),
      cmocka_unit_test_setup_teardown(wide_feet_keep_their_distance, begin, end),
      cmocka_unit_test_setup_teardown(who_is_thrown_lands_wide, begin, end),
      cmocka_unit_test_setup_teardown(calmness_of_a_step, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
