// The search for thresholds: what it finds where the answer is known, which trials it runs for that, and what it
// refuses.
#include "tests/fixture.h"

#include "scenes/search/threshold.h"
#include "tests/unit/search_fixture.h"

// Two angles, of which each has a threshold of its own, over 40 sizes; the grown axis is the first and the last one.
static const char LAST[] = "scene: small.yaml\n"
                           "repeats: 8\n"
                           "axes:\n"
                           "  events.0.direction: {values: [0, 90, 180], name: angle}\n"
                           "  events.0.impulse: {from: 1, to: 40, steps: 40, name: size}\n"
                           "threshold: {axis: size, withstood: ok == 1, share: 0.5}\n"
                           "metrics: [doll.fell]\n";
static const char FIRST[] = "scene: small.yaml\n"
                            "repeats: 8\n"
                            "axes:\n"
                            "  events.0.impulse: {from: 1, to: 40, steps: 40, name: size}\n"
                            "  events.0.direction: {values: [0, 90, 180], name: angle}\n"
                            "threshold: {axis: size, withstood: ok == 1, share: 0.5}\n"
                            "metrics: [doll.fell]\n";
enum { SIZES = 40, ANGLES = 3, REPEATS = 8 };

// Whether a trial withstands, as a world with known answers.
typedef bool (*Answer)(const void *world, int angle, int size, int repeat);

// Runs the search in this world to its end. batches: how many it has taken.
static Table *search(const StudyDef *study, Answer answer, const void *world, int *batches) {
  const int size = study->threshold.axis_index, angle = 1 - size;
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  for (*batches = 0; *batches < 100; ++*batches) {
    long count;
    Error error = {0};
    long *trials = threshold_method.next(study, table, &count, &error);
    assert_non_null(trials);
    for (long i = 0; i < count; i++) {
      const long cell = trials[i] / REPEATS;
      const bool withstood = answer(world, study_cell_value(study, angle, cell), study_cell_value(study, size, cell),
                                    (int)(trials[i] % REPEATS));
      search_add_row(study, trials[i], withstood, 0, &rows);
    }
    free(trials);
    if (count == 0)
      break;
    table_free(table);
    table = search_table(study, &rows);
  }
  text_free(&rows);
  return table;
}

typedef struct Found {
  int index, low, high;
  bool has_interval;
  ThresholdValue values[SIZES];
} Found;

static Found found_in(const StudyDef *study, const Table *table, int angle) {
  static unsigned char withstood[SIZES * REPEATS];
  Found found = {0};
  Bootstrap *bootstrap = bootstrap_create(1);
  threshold_read(study, table, angle, found.values, withstood);
  found.index = threshold_index(study, found.values);
  found.has_interval = threshold_interval(study, found.values, withstood, bootstrap, &found.low, &found.high);
  bootstrap_destroy(bootstrap);
  return found;
}

// ---- Worlds ----

// Every angle has a largest size that all repeats withstand.
static bool below_limit(const void *world, int angle, int size, int repeat) {
  (void)repeat;
  return size <= ((const int *)world)[angle];
}

// Every repeat has a limit of its own, the same for all angles.
static bool below_own_limit(const void *world, int angle, int size, int repeat) {
  (void)angle;
  return size <= ((const int *)world)[repeat];
}

// Sizes that are withstood, the same for all angles.
static bool listed(const void *world, int angle, int size, int repeat) {
  (void)angle;
  (void)repeat;
  return ((const bool *)world)[size];
}

// ---- Tests ----

// Any limits, from none (-1) to all sizes: they are found to the step, by far fewer trials than the plan has.
static void test_limits_are_found(void **state) {
  (void)state;
  const char *texts[] = {LAST, FIRST};
  for (int order = 0; order < 2; order++) {
    StudyDef *study = study_of(texts[order]);
    for (int limit = -1; limit < SIZES; limit += 4) {
      const int limits[ANGLES] = {limit, SIZES - 2 - limit, (limit + 13) % SIZES};
      int batches;
      Table *table = search(study, below_limit, limits, &batches);
      for (int angle = 0; angle < ANGLES; angle++)
        assert_int_equal(found_in(study, table, angle).index, limits[angle]);
      assert_true(batches <= 18);
      assert_true(table->row_count <= 18L * ANGLES * REPEATS);
      table_free(table);
    }
    study_free(study);
  }
}

// A size that is withstood above a loss is an island; a loss in a gap, found by its checks, moves the threshold down.
static void test_islands_do_not_count(void **state) {
  (void)state;
  StudyDef *study = study_of(LAST);
  bool withstood[SIZES] = {0};
  for (int size = 0; size < SIZES; size++)
    withstood[size] = size <= 20 || size == 31;
  int batches;
  Table *table = search(study, listed, withstood, &batches); // goes up by 0, 1, 3, 7, 15, 31, 39
  Found found = found_in(study, table, 0);
  assert_int_equal(threshold_outcome(study, &found.values[31]), THRESHOLD_WON);
  assert_int_equal(threshold_outcome(study, &found.values[35]), THRESHOLD_LOST);
  // Between 15 and 31 the check of gaps sees the losses.
  assert_int_equal(found.index, 20);
  table_free(table);

  withstood[11] = false; // the middle of the gap between 7 and 15
  table = search(study, listed, withstood, &batches);
  found = found_in(study, table, 0);
  assert_int_equal(found.index, 10);
  table_free(table);
  study_free(study);
}

// No gap between tried values up to the threshold is wider than `spacing`.
static void test_gaps_are_tried(void **state) {
  (void)state;
  StudyDef *study = study_of(LAST);
  for (study->threshold.spacing = 1; study->threshold.spacing < 20; study->threshold.spacing += 3) {
    const int limits[ANGLES] = {SIZES - 1, 33, 18};
    int batches;
    Table *table = search(study, below_limit, limits, &batches);
    for (int angle = 0; angle < ANGLES; angle++) {
      const Found found = found_in(study, table, angle);
      assert_int_equal(found.index, limits[angle]);
      int since = 0;
      for (int v = 0; v <= found.index; v++) {
        since = threshold_outcome(study, &found.values[v]) == THRESHOLD_UNTRIED ? since + 1 : 0;
        assert_true(since < study->threshold.spacing);
      }
    }
    table_free(table);
  }
  study_free(study);
}

// With half of the repeats needed the threshold is the fourth largest of eight limits. Tried are 7, 11, 15, 19, 20, 21,
// 23 and 31. A tail of 0.57 % (Student's t of 7 degrees, expanded) is beyond each end: resamples with fewer than 4 of 8
// are 2.7 % at 15, which 6 withstand, and none at 11; with 4 or more 1.1 % at 23, which one withstands, and none at 31.
static void test_share_and_interval(void **state) {
  (void)state;
  StudyDef *study = study_of(LAST);
  const int limits[REPEATS] = {12, 14, 15, 17, 19, 20, 22, 25};
  int batches;
  Table *table = search(study, below_own_limit, limits, &batches);
  const Found found = found_in(study, table, 0);
  assert_int_equal(found.index, 19);
  assert_int_equal(found.values[19].withstood, 4);
  assert_true(found.has_interval);
  assert_int_equal(found.low, 11);
  assert_int_equal(found.high, 31);
  table_free(table);

  study->threshold.share = 1; // all must withstand
  table = search(study, below_own_limit, limits, &batches);
  assert_int_equal(found_in(study, table, 0).index, 12);
  table_free(table);
  study_free(study);
}

static void test_few_repeats_have_no_interval(void **state) {
  (void)state;
  StudyDef *study = study_of(LAST);
  study->run.repeats = 5;
  const ThresholdValue values[SIZES] = {0};
  const unsigned char withstood[SIZES * REPEATS] = {0};
  Bootstrap *bootstrap = bootstrap_create(1);
  int low, high;
  assert_false(threshold_interval(study, values, withstood, bootstrap, &low, &high));
  bootstrap_destroy(bootstrap);
  study_free(study);
}

static void assert_refused(const char *threshold, const char *message) {
  char text[1024];
  Error error = {0};
  snprintf(text, sizeof text,
           "scene: small.yaml\naxes:\n"
           "  events.0.direction: {random: {low: 0, high: 90}, name: angle}\n"
           "  events.0.impulse: {values: [1, 3, 2], name: size}\n"
           "  events.0.time: {from: 0.1, to: 0.2, steps: 3, name: time_of_hit}\n"
           "%s\n",
           threshold);
  StudyDef *study = study_try(text, &error);
  assert_null(study);
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
}

static void test_bad_tables(void **state) {
  (void)state;
  assert_refused("threshold: [size]", "push.yaml:6:12: 'threshold' must be a map");
  assert_refused("threshold: {axis: time_of_hit}", "push.yaml:6:12: 'withstood' is missing");
  assert_refused("threshold: {withstood: ok == 1}", "push.yaml:6:12: 'axis' is missing");
  assert_refused("threshold: {axis: sise, withstood: ok == 1}", "push.yaml:6:19:");
  assert_refused("threshold: {axis: sise, withstood: ok == 1}", "size");
  assert_refused("threshold: {axis: size, withstood: ok == 1}",
                 "push.yaml:6:19: the values of 'size' must be two or more");
  assert_refused("threshold: {axis: angle, withstood: ok == 1}", "push.yaml:6:19: the values of 'angle' must be two");
  assert_refused("threshold: {axis: time_of_hit, withstood: ok}", "push.yaml:6:43: 'ok': expected 'column op value'");
  assert_refused("threshold: {axis: time_of_hit, withstood: doll.fel == 0}", "push.yaml:6:43:");
  assert_refused("threshold: {axis: time_of_hit, withstood: []}", "push.yaml:6:43: 0 conditions, allowed are 1 to 8");
  assert_refused("threshold: {axis: time_of_hit, withstood: status < 1}", "texts are compared by == and != only");
  assert_refused("threshold: {axis: time_of_hit, withstood: ok == 1, share: 1.5}", "push.yaml:6:59:");
  assert_refused("threshold: {axis: time_of_hit, withstood: ok == 1, spacing: 0}", "push.yaml:6:61:");
  assert_refused("threshold: {axis: time_of_hit, withstood: ok == 1, shares: 1}", "'share'");
  assert_refused("repeats: 501\nthreshold: {axis: time_of_hit, withstood: ok == 1}", "push.yaml:7:12: 501 'repeats'");
}

// A study without the table is refused with an example of one.
static void test_other_studies_are_refused(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\n");
  Error error = {0};
  assert_false(threshold_method.accepts(study, &error));
  assert_non_null(strstr(error.text, "push.yaml: has no table 'threshold'"));
  study_free(study);
  study = study_of(LAST);
  assert_true(threshold_method.accepts(study, &error));
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limits_are_found),
      cmocka_unit_test(test_islands_do_not_count),
      cmocka_unit_test(test_gaps_are_tried),
      cmocka_unit_test(test_share_and_interval),
      cmocka_unit_test(test_few_repeats_have_no_interval),
      cmocka_unit_test(test_bad_tables),
      cmocka_unit_test(test_other_studies_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
