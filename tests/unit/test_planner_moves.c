// Where one move enters the next: the point of its first fifth at which standing feet move least, or the first that is
// good enough; and the limits within which the change is open.
#include "planner_fixture.h"

enum { KEYS = 40 }; // of a clip of 1 s: the points of entry, 25 ms apart, are its keys

static GraphFixture clips;
static MoveSet set;

static int set_up(void **state) {
  (void)state;
  graph_fixture_init(&clips);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  moves_free(&set);
  graph_fixture_end(&clips);
  return 0;
}

// A loop on both feet, whose feet are ahead in its first keys, m; and a move that goes through it once.
static void add_move(const char *name, const double *ahead, int count) {
  Clip *clip = fixture_make_clip(&clips, name, true, 1, KEYS);
  for (int leg = 0; leg < clips.skeleton->leg_count; leg++)
    clip->contacts[clip->contact_count++] = (ClipContact){.leg = leg, .begin = 0, .end = 2};
  for (int k = 0; k < count; k++)
    clip->keys[k].position[0].z += (float)ahead[k];
  set.moves[set.count++] = (Move){.clip = clip, .to = 1, .cancel = 1, .pace = 1};
}

static const MoveChange *change_to(const double *ahead, int count) {
  moves_free(&set);
  set = (MoveSet){.skeleton = clips.skeleton,
                  .limits = {.slip = 0.02, .shift = 0.06, .jump = 10, .slowest = 1, .fastest = 1}};
  add_move("first", NULL, 0);
  add_move("next", ahead, count);
  assert_true(moves_find_changes(&set));
  return moves_change(&set, 0, 1);
}

static void entry_is_good_enough_or_best(void **state) {
  (void)state;
  static const struct {
    double ahead[9], entry, shift; // m, s, m
  } cases[] = {
      {{0}, 0, 0},
      {{0.0019, 0}, 0, 0.0019},
      {{0.0021, 0}, 0.025, 0},
      {{0.01, 0.003, 0}, 0.05, 0},
      {{0.01, 0.003, 0.0015, 0}, 0.05, 0.0015},
      {{0.01, -0.003, 0.004, 0.006, 0.0025, -0.0022, 0.02, 0.03, 0.004}, 0.125, -0.0022},
      {{0.05, 0.04, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.01}, 0.2, 0.01},
      {{0.05, 0.04, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03}, 0.05, 0.03},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const MoveChange *change = change_to(cases[i].ahead, 9);
    assert_true(change->open);
    assert_float_equal(change->entry, cases[i].entry, 1e-6f);
    assert_float_equal(change->forward, -cases[i].shift, 1e-6f);
    assert_float_equal(change->left, 0, 1e-6f);
    assert_float_equal(change->slip, 0, 1e-6f);
  }
}

// Slip counts as much as the root's shift.
static void slip_counts_in_the_choice(void **state) {
  (void)state;
  static const double ahead[9] = {0.01, 0.006, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02};
  static const float apart[] = {0.004f, 0.002f}; // m of the second key: its slip, and its shift aside
  for (int i = 0; i < 2; i++) {
    change_to(ahead, 9);
    set.moves[1].clip->keys[1].position[clips.skeleton->legs[0].ankle].x += 2 * apart[i];
    free(set.changes);
    assert_true(moves_find_changes(&set));
    assert_float_equal(moves_change(&set, 0, 1)->entry, i == 0 ? 0 : 0.025f, 1e-6f);
  }
}

// Both feet are ahead and one is aside: the root follows by the mean, the rest is slip. Limits of both
// are inclusive.
static void change_is_open_within_its_limits(void **state) {
  (void)state;
  change_to(NULL, 0);
  const Leg *leg = &clips.skeleton->legs[0];
  for (int step = 0; step < 2; step++) {
    for (int k = 0; k < KEYS; k++) {
      Pose *key = &set.moves[1].clip->keys[k];
      *key = pose_bind(clips.skeleton);
      key->position[0].z += 0.05f;
      key->position[leg->ankle].x += step == 1 ? 0.03f : 0;
    }
    free(set.changes);
    assert_true(moves_find_changes(&set));
    const MoveChange *change = moves_change(&set, 0, 1);
    assert_float_equal(change->forward, -0.05, 1e-6f);
    assert_float_equal(change->left, step == 1 ? -0.015f : 0, 1e-6f);
    assert_float_equal(change->slip, step == 1 ? 0.015f : 0, 1e-6f);
    MoveLimits limits = set.limits;
    const double slip = (double)change->slip, moved = (double)hypotf(change->left, change->forward);
    for (int i = 0; i < 4; i++) {
      set.limits = limits;
      *(i < 2 ? &set.limits.slip : &set.limits.shift) = (i < 2 ? slip : moved) - (i % 2 == 1 ? 1e-9 : 0);
      free(set.changes);
      assert_true(moves_find_changes(&set));
      assert_int_equal(moves_change(&set, 0, 1)->open, i % 2 == 0);
    }
    set.limits = limits;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entry_is_good_enough_or_best),
                                     cmocka_unit_test(slip_counts_in_the_choice),
                                     cmocka_unit_test(change_is_open_within_its_limits)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
