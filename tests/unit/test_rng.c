// Random numbers: the published sequence, independence of consumers, and the shapes of the distributions.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/rng.h"

enum { BINS = 64, DRAWS = 64000 };

// The published test vector of xoshiro256**: state 1, 2, 3, 4.
static void test_generator_gives_the_published_sequence(void **state) {
  (void)state;
  const uint64_t expected[] = {11520u,
                               0u,
                               1509978240u,
                               1215971899390074240u,
                               1216172134540287360u,
                               607988272756665600u,
                               16172922978634559625u,
                               8476171486693032832u,
                               10595114339597558777u,
                               2904607092377533576u};
  Rng rng = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    assert_true(rng_next(&rng) == expected[i]);
}

// Computed independently of this program, from the published splitmix64, FNV-1a and xoshiro256**.
static void test_seed_and_consumer_give_known_numbers(void **state) {
  (void)state;
  static const struct {
    uint64_t seed;
    const char *consumer;
    uint64_t numbers[4];
  } CASES[] = {
      {1, "terrain", {0x122976b94e228300u, 0x44adbf3fe67f30d2u, 0xf823d110e2a335f1u, 0x8db86090c02fca58u}},
      {UINT64_MAX, "events.0", {0xdf34f57a22dd7d57u, 0x0f4d1c4e9bdcb3c7u, 0xf0024e5b54aba1b9u, 0xd5e50ebe803e2c49u}},
      {0, "", {0x1e28178eedbf0f30u, 0x32dadb1a9e4a4d08u, 0x4ef49088479a6d5cu, 0x03b90a6cd230303eu}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    Rng rng = rng_make(CASES[i].seed, CASES[i].consumer);
    for (int k = 0; k < 4; k++)
      assert_true(rng_next(&rng) == CASES[i].numbers[k]);
  }
  Rng rng = rng_make(1, "terrain");
  assert_true(rng_unit(&rng) == 0x1.22976b94e2280p-4);
}

// Bits of one generator's numbers that agree with another's: half of them, give or take 5 standard deviations.
static void assert_unrelated(Rng a, Rng b) {
  enum { WORDS = 1000 };
  int equal_bits = 0;
  for (int i = 0; i < WORDS; i++)
    equal_bits += __builtin_popcountll(~(rng_next(&a) ^ rng_next(&b)));
  double deviation = sqrt(64.0 * WORDS * 0.25);
  assert_true(fabs(equal_bits - 32.0 * WORDS) < 5 * deviation);
}

static void test_consumers_and_seeds_are_unrelated(void **state) {
  (void)state;
  assert_unrelated(rng_make(1, "events.0"), rng_make(1, "events.1"));
  assert_unrelated(rng_make(1, "terrain"), rng_make(2, "terrain"));
  assert_unrelated(rng_make(0, ""), rng_make(0, "terrain"));
  assert_unrelated(rng_make(1, "terrain"), rng_make(2, "events.0"));
}

// Chi-square over BINS - 1 = 63 degrees of freedom: mean 63, standard deviation 11.2. The bounds are five of them away,
// on both sides, as numbers that are too even are wrong, too.
static void assert_uniform(const int counts[BINS]) {
  double chi_square = 0, expected = (double)DRAWS / BINS;
  for (int i = 0; i < BINS; i++)
    chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
  assert_true(chi_square > 63 - 5 * 11.2 && chi_square < 63 + 5 * 11.2);
}

static void test_unit_is_uniform(void **state) {
  (void)state;
  Rng rng = rng_make(7, "unit");
  int counts[BINS] = {0};
  for (int i = 0; i < DRAWS; i++) {
    double unit = rng_unit(&rng);
    assert_true(unit >= 0 && unit < 1);
    counts[(int)(unit * BINS)]++;
  }
  assert_uniform(counts);
}

static void test_index_is_uniform(void **state) {
  (void)state;
  Rng rng = rng_make(7, "index");
  int counts[BINS] = {0};
  for (int i = 0; i < DRAWS; i++) {
    int index = rng_index(&rng, BINS);
    assert_in_range(index, 0, BINS - 1);
    counts[index]++;
  }
  assert_uniform(counts);
  for (int i = 0; i < 100; i++)
    assert_int_equal(rng_index(&rng, 1), 0);
}

static void test_range_keeps_to_its_ends(void **state) {
  (void)state;
  Rng rng = rng_make(7, "range");
  int counts[BINS] = {0};
  for (int i = 0; i < DRAWS; i++) {
    double value = rng_range(&rng, -3, 5);
    assert_true(value >= -3 && value < 5);
    counts[(int)((value + 3) / 8 * BINS)]++;
  }
  assert_uniform(counts);
  double next = nextafter(1, 2);
  for (int i = 0; i < 1000; i++) {
    assert_true(rng_range(&rng, 1, next) == 1); // the upper end is never reached, not even by rounding
    assert_true(isfinite(rng_range(&rng, -1.7e308, 1.7e308)));
  }
  assert_true(rng_range(&rng, 2, 2) == 2);
  assert_true(rng_range(&rng, 2, 1) == 2);
}

// An empty range takes a number from the sequence like any other, so that later ones stay the same.
static void test_empty_range_draws_too(void **state) {
  (void)state;
  Rng a = rng_make(3, "range"), b = a;
  rng_range(&a, 2, 2);
  rng_range(&b, 0, 9);
  assert_memory_equal(&a, &b, sizeof a);
}

static void test_normal_has_its_moments(void **state) {
  (void)state;
  Rng rng = rng_make(7, "normal");
  double sum[5] = {0};
  int within_one = 0;
  for (int i = 0; i < DRAWS; i++) {
    double x = rng_normal(&rng), power = x;
    assert_true(isfinite(x));
    within_one += fabs(x) < 1;
    for (int k = 1; k <= 4; k++, power *= x)
      sum[k] += power;
  }
  // Five standard errors each: 1, sqrt 2, sqrt 15, sqrt 96 over sqrt n, and sqrt(p (1 - p)) over sqrt n.
  double error = 5 / sqrt(DRAWS);
  assert_true(fabs(sum[1] / DRAWS) < error);
  assert_true(fabs(sum[2] / DRAWS - 1) < error * sqrt(2));
  assert_true(fabs(sum[3] / DRAWS) < error * sqrt(15));
  assert_true(fabs(sum[4] / DRAWS - 3) < error * sqrt(96));
  assert_true(fabs((double)within_one / DRAWS - 0.6827) < error * 0.466);
}

static void test_direction_is_uniform_on_the_sphere(void **state) {
  (void)state;
  Rng rng = rng_make(7, "direction");
  int heights[BINS] = {0}, angles[BINS] = {0};
  for (int i = 0; i < DRAWS; i++) {
    double d[3];
    rng_direction(&rng, d);
    assert_true(fabs(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1) < 1e-12);
    double turn = atan2(d[2], d[0]) / 6.283185307179586 + 0.5;
    heights[(int)fmin((d[1] + 1) / 2 * BINS, BINS - 1)]++;
    angles[(int)fmin(turn * BINS, BINS - 1)]++;
  }
  assert_uniform(heights);
  assert_uniform(angles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_generator_gives_the_published_sequence),
      cmocka_unit_test(test_seed_and_consumer_give_known_numbers),
      cmocka_unit_test(test_consumers_and_seeds_are_unrelated),
      cmocka_unit_test(test_unit_is_uniform),
      cmocka_unit_test(test_index_is_uniform),
      cmocka_unit_test(test_range_keeps_to_its_ends),
      cmocka_unit_test(test_empty_range_draws_too),
      cmocka_unit_test(test_normal_has_its_moments),
      cmocka_unit_test(test_direction_is_uniform_on_the_sphere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
