// The changes between moves to nine digits: those of the human's planner, and between moves that are drawn from its
// clips with other spans, paces, mirrors and limits; whether feet stand, and how the changes are allowed.
#include "tests/unit/drill.h"
#include "tests/unit/planner_fixture.h"

enum { WHEN, WAY, SLIPS, OPEN, STANDS, SUMS };
static const char *const NAMES[SUMS] = {"when", "way", "slips", "open", "stands"};

enum { DRILL_COUNT = 3 };
static const char *const DRILLS[DRILL_COUNT] = {"as read", "drawn spans", "drawn limits"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-1.1224593268, -0.25305422324, 79.115121658, 2.3302159155, -0.79706348618},
    {-3.0498245523, -0.83856820935, -27.161450761, 2.0113544801, 4.6821870955},
    {4.4586023905, -0.79662822504, 2.0360011042, 7.0826141997, -3.4084174796},
};

static double bounded(float value) { return isfinite(value) ? (double)value : 9; }

static void add_changes(const MoveSet *set, DrillSum sums[SUMS]) {
  for (int i = 0; i < set->count; i++)
    for (int k = 0; k < set->count; k++) {
      const MoveChange *change = moves_change(set, i, k);
      drill_add(&sums[WHEN], bounded(change->entry));
      drill_add(&sums[WHEN], bounded(change->pace));
      drill_add(&sums[WAY], bounded(change->left));
      drill_add(&sums[WAY], bounded(change->forward));
      drill_add(&sums[SLIPS], bounded(change->slip));
      drill_add(&sums[SLIPS], bounded(change->jump));
      drill_add(&sums[SLIPS], bounded(change->jolt));
      drill_add(&sums[OPEN], change->open);
    }
  for (int i = 0; i < set->count; i++) {
    const Move *move = &set->moves[i];
    for (int n = 0; n < 8; n++)
      for (int leg = 0; leg < set->skeleton->leg_count; leg++)
        drill_add(&sums[STANDS], move_stands(move, leg, move->from + n * (move->to - move->from) / 8));
    const double values[] = {move->entry, move->exit, move->forward, move->left, move->turn, move->cancel, move->phase};
    drill_add_all(&sums[STANDS], values, 7);
  }
}

// Spans within the clip, with a decision somewhere in them.
static void draw_moves(MoveSet *set, Rng *rng) {
  for (int i = 0; i < set->count; i++) {
    Move *move = &set->moves[i];
    const double duration = (double)move->clip->duration;
    move->from = rng_range(rng, 0, 0.6) * duration;
    move->to = move->from + rng_range(rng, 0.1, move->clip->loop ? 1 : 0.39) * duration;
    move->cancel = move->from + rng_range(rng, 0.3, 1) * (move->to - move->from);
    move->pace = rng_range(rng, 0.6, 1.5);
    move->mirrored = rng_index(rng, 2);
    move->phase = rng_index(rng, set->phase_count);
    move->holds = move->clip->loop && rng_index(rng, 2);
    move->entry = rng_range(rng, 0, 3);
    move->exit = rng_range(rng, 0, 3);
  }
}

static void run(int number, const PlannerFixture *f, double means[SUMS]) {
  enum { MOST = 24 };
  const int rounds = number == 0 ? 1 : 3;
  Rng rng = rng_make(1, DRILLS[number]);
  for (int n = 0; n < rounds; n++) {
    static MoveSet set;
    DrillSum sums[SUMS] = {{0}};
    set = f->def->moves;
    if (number > 0) {
      set.count = set.count < MOST ? set.count : MOST;
      set.changes = NULL;
      draw_moves(&set, &rng);
    }
    if (number == 2) {
      set.limits.slip = rng_range(&rng, 0, 0.1);
      set.limits.shift = rng_range(&rng, 0, 0.3);
      set.limits.jump = rng_range(&rng, 0, 2);
      set.limits.slowest = rng_range(&rng, 0.3, 1);
      set.limits.fastest = rng_range(&rng, 1, 3);
    }
    assert_true(number == 0 || moves_find_changes(&set));
    add_changes(&set, sums);
    if (number > 0)
      moves_free(&set);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / rounds;
  }
}

static void drills_come_to(void **state) {
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(i, *state, means);
    wrong += !drill_is_kept(DRILLS[i], NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, planner_set_up, planner_tear_down);
}
