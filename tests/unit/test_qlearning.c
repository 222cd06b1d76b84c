// Q-learning against value iteration on a small decision process whose actions take different times.
// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "anim/planner/qlearning.h"

enum { STATES = 6, ACTIONS = 3 };

// A ring: back, on, or a leap of two that takes 2.5 s. State 4 has the reward; leaps from odd states are not allowed,
// and state 5 is terminal by chance once in four times.
typedef struct Outcome {
  int next; // -1: the end
  double reward, duration;
} Outcome;

static Outcome act(int state, int action, Rng *rng) {
  static const int ways[] = {STATES - 1, 1, 2};
  Outcome outcome = {(state + ways[action]) % STATES, -0.1, action == 2 ? 2.5 : 1};
  if (outcome.next == 4)
    outcome.reward += 1;
  if (state == 5 && rng && rng_index(rng, 4) == 0)
    outcome.next = -1;
  return outcome;
}

static void list_allowed(int state, bool allowed[ACTIONS]) {
  for (int a = 0; a < ACTIONS; a++)
    allowed[a] = a != 2 || state % 2 == 0;
}

static double value_of(double values[STATES][ACTIONS], int state) {
  bool allowed[ACTIONS];
  double best = -INFINITY;
  list_allowed(state, allowed);
  for (int a = 0; a < ACTIONS; a++)
    best = allowed[a] ? fmax(best, values[state][a]) : best;
  return best;
}

static void iterate_values(double discount, double values[STATES][ACTIONS]) {
  memset(values, 0, sizeof(double[STATES][ACTIONS]));
  for (int sweep = 0; sweep < 500; sweep++)
    for (int s = 0; s < STATES; s++)
      for (int a = 0; a < ACTIONS; a++) {
        Outcome outcome = act(s, a, NULL);
        double future = pow(discount, outcome.duration) * value_of(values, outcome.next);
        values[s][a] = outcome.reward + (s == 5 ? 0.75 : 1) * future;
      }
}

static void learns_what_value_iteration_finds(void **state) {
  (void)state;
  const QLearning learning = {.rate = 0.002, .discount = 0.8};
  double wanted[STATES][ACTIONS];
  iterate_values(learning.discount, wanted);
  QTable table;
  assert_true(q_table_init(&table, STATES, ACTIONS));
  Rng rng = rng_make(1, "q");
  int here = 0;
  for (int step = 0; step < 400000; step++) {
    bool allowed[ACTIONS], then[ACTIONS];
    list_allowed(here, allowed);
    int action = q_explore(&table, here, allowed, 0.5, &rng);
    Outcome outcome = act(here, action, &rng);
    if (outcome.next >= 0)
      list_allowed(outcome.next, then);
    q_learn(&table, &learning, here, action, outcome.reward, outcome.duration, outcome.next, then);
    here = outcome.next >= 0 ? outcome.next : 0;
  }
  for (int s = 0; s < STATES; s++)
    for (int a = 0; a < ACTIONS; a++)
      if (a == 2 && s % 2 == 1)
        assert_int_equal(*q_visits(&table, s, a), 0);
      else if (fabs((double)*q_value(&table, s, a) - wanted[s][a]) > 0.03)
        fail_msg("Q(%d, %d) is %.4f, not %.4f", s, a, (double)*q_value(&table, s, a), wanted[s][a]);
  q_table_free(&table);
}

static void first_values_are_means(void **state) {
  (void)state;
  const QLearning learning = {.rate = 0.1, .discount = 0.5};
  QTable table;
  assert_true(q_table_init(&table, 2, 2));
  const double rewards[] = {4, 8, 3};
  for (int i = 0; i < 3; i++)
    q_learn(&table, &learning, 1, 0, rewards[i], 1, -1, NULL);
  assert_true(fabsf(*q_value(&table, 1, 0) - 5) < 1e-6f);
  assert_int_equal(*q_visits(&table, 1, 0), 3);
  q_learn(&table, &learning, 0, 1, 1, 2, 1, NULL); // 1 + 0.5^2 * 5
  assert_true(fabsf(*q_value(&table, 0, 1) - 2.25f) < 1e-6f);
  q_learn(&table, &learning, 0, 0, 1, 2, 1, (bool[]){false, true}); // the best allowed action there has value 0
  assert_true(fabsf(*q_value(&table, 0, 0) - 1) < 1e-6f);
  q_table_free(&table);
}

static void picks_among_the_allowed(void **state) {
  (void)state;
  QTable table;
  Rng rng = rng_make(2, "q");
  assert_true(q_table_init(&table, 1, 4));
  for (int a = 0; a < 4; a++)
    *q_value(&table, 0, a) = (float)(a % 3);
  assert_int_equal(q_best(&table, 0, NULL), 2);
  assert_int_equal(q_best(&table, 0, (bool[]){true, false, false, true}), 0); // of equals the first
  assert_int_equal(q_best(&table, 0, (bool[4]){false}), -1);
  assert_int_equal(q_explore(&table, 0, (bool[4]){false}, 1, &rng), -1);
  int counts[4] = {0};
  for (int i = 0; i < 4000; i++)
    counts[q_explore(&table, 0, (bool[]){true, true, false, true}, 0.6, &rng)]++;
  assert_int_equal(counts[2], 0); // best is 1: 0.4 + 0.2 of the time, the others 0.2 each
  assert_in_range(counts[0], 700, 900);
  assert_in_range(counts[1], 2280, 2520);
  assert_in_range(counts[3], 700, 900);
  q_table_free(&table);
  assert_false(q_table_init(&table, 0, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(learns_what_value_iteration_finds),
      cmocka_unit_test(first_values_are_means),
      cmocka_unit_test(picks_among_the_allowed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
