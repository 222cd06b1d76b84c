// Study files: the plan of the trials to the last digit, columns, which trials keep a trace, and the errors of
// mistakes.
#include "tests/unit/study_fixture.h"

#include <sys/stat.h>

// The plan.

static void test_plan(void **state) {
  (void)state;
  StudyDef *study = study_of("purpose: A doll is pushed.\n"
                             "scene: small.yaml\n"
                             "seed: 7\n"
                             "repeats: 2\n"
                             "time_limit: 60\n"
                             "set: [duration=0.1, 'world.gravity=[0, -9, 0]']\n"
                             "axes:\n"
                             "  events.0.impulse: {from: 0, to: 1, steps: 11, name: impulse}\n"
                             "  world.solver: [step, iterative]\n"
                             "  characters.doll.start.position: {values: [[0, 0, 0], [0, 1, 2]], name: place}\n");
  assert_string_equal(study->name, "push");
  assert_string_equal(study->run.purpose, "A doll is pushed.");
  assert_true(study->run.time_limit == 60);
  assert_string_equal(study->scene_path, "small.yaml");
  assert_true(study->scene->run.duration == 0.1);
  assert_true(study->scene->world.gravity[1] == -9);
  assert_int_equal(study->set_count, 2);
  assert_int_equal(study->axis_count, 3);
  assert_int_equal(study->cell_count, 11 * 2 * 2);
  assert_int_equal(study->trial_count, 11 * 2 * 2 * 2);
  assert_string_equal(study->axes[0].unit, "N s");
  assert_string_equal(study->axes[1].unit, "");
  assert_string_equal(study->axes[2].unit, "m");
  assert_true(study->axes[0].is_number && !study->axes[1].is_number && !study->axes[2].is_number);

  static const struct {
    long trial, cell;
    int repeat;
    const char *impulse, *solver, *place, *seed;
  } cases[] = {
      {0, 0, 0, "0", "step", "[0, 0, 0]", "seed=7"},        {1, 0, 1, "0", "step", "[0, 0, 0]", "seed=8"},
      {2, 1, 0, "0", "step", "[0, 1, 2]", "seed=7"},        {4, 2, 0, "0", "iterative", "[0, 0, 0]", "seed=7"},
      {7, 3, 1, "0", "iterative", "[0, 1, 2]", "seed=8"},   {8, 4, 0, "0.1", "step", "[0, 0, 0]", "seed=7"},
      {24, 12, 0, "0.3", "step", "[0, 0, 0]", "seed=7"},    {63, 31, 1, "0.7", "iterative", "[0, 1, 2]", "seed=8"},
      {87, 43, 1, "1", "iterative", "[0, 1, 2]", "seed=8"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    StudyTrial plan;
    char wanted[3][64];
    study_trial(study, cases[i].trial, &plan);
    assert_int_equal(plan.trial, cases[i].trial);
    assert_int_equal(plan.cell, cases[i].cell);
    assert_int_equal(plan.repeat, cases[i].repeat);
    assert_int_equal(plan.seed, 7 + cases[i].repeat);
    assert_int_equal(plan.override_count, 4);
    snprintf(wanted[0], sizeof wanted[0], "events.0.impulse=%s", cases[i].impulse);
    snprintf(wanted[1], sizeof wanted[1], "world.solver=%s", cases[i].solver);
    snprintf(wanted[2], sizeof wanted[2], "characters.doll.start.position=%s", cases[i].place);
    for (int k = 0; k < 3; k++)
      assert_string_equal(plan.overrides[k], wanted[k]);
    assert_string_equal(plan.overrides[3], cases[i].seed);
  }
  study_free(study);
}

static void test_no_axes(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\nrepeats: 3\n");
  StudyTrial plan;
  assert_int_equal(study->cell_count, 1);
  assert_int_equal(study->trial_count, 3);
  study_trial(study, 2, &plan);
  assert_int_equal(plan.override_count, 1);
  assert_string_equal(plan.overrides[0], "seed=3");
  study_free(study);
}

static void assert_values(const StudyAxis *axis, const char *const *values, int count) {
  assert_int_equal(axis->count, count);
  for (int i = 0; i < count; i++)
    assert_string_equal(axis->values[i], values[i]);
}

static void test_values(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\n"
                             "axes:\n"
                             "  events.0.direction: {from: 0, to: 337.5, steps: 4}\n"
                             "  events.0.impulse: {from: 10, to: 1, steps: 3, scale: log}\n"
                             "  events.0.elevation: {from: -0.3, to: 0.3, steps: 7}\n"
                             "  characters.doll.drive.strength: {from: 0.4, to: 1, steps: 4}\n"
                             "  world.dt: [1/240, 0.0010, 1e-3]\n"
                             "  world.friction: {values: [0.1, 3/4]}\n"
                             "  characters.doll.drive.enabled: [true, false]\n"
                             "  purpose: [plain, two words, '12', \"a, \\\"b\\\": c\", '']\n"
                             "  events.+: {values: [{time: 0.1, impulse: 1, part: [top, base]}], name: hit}\n");
  assert_values(&study->axes[0], (const char *[]){"0", "112.5", "225", "337.5"}, 4);
  assert_values(&study->axes[1], (const char *[]){"10", "3.1622776601683795", "1"}, 3);
  assert_values(&study->axes[2], (const char *[]){"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"}, 7);
  assert_values(&study->axes[3], (const char *[]){"0.4", "0.6", "0.8", "1"}, 4);
  assert_values(&study->axes[4], (const char *[]){"0.004166666666666667", "0.001", "0.001"}, 3);
  assert_values(&study->axes[5], (const char *[]){"0.1", "0.75"}, 2);
  assert_values(&study->axes[6], (const char *[]){"true", "false"}, 2);
  assert_values(&study->axes[7], (const char *[]){"plain", "two words", "\"12\"", "\"a, \\\"b\\\": c\"", "\"\""}, 5);
  assert_values(&study->axes[8], (const char *[]){"{time: 0.1, impulse: 1, part: [top, base]}"}, 1);
  assert_false(study->axes[7].is_number);
  assert_string_equal(study->axes[0].unit, "deg");
  assert_string_equal(study->axes[4].unit, "s");
  assert_string_equal(study->axes[8].unit, "");
  assert_string_equal(study->axes[8].name, "hit");
  study_free(study);
}

// Random values.

static const char RANDOM[] = "scene: small.yaml\n"
                             "seed: %d\n"
                             "repeats: 400\n"
                             "axes:\n"
                             "  events.0.impulse: {random: {low: 2, high: 5, count: 3}}\n"
                             "  events.0.elevation: {random: {distribution: normal, mean: 10, deviation: 5}}\n"
                             "  world.friction: {random: {distribution: log_uniform, low: 0.01, high: 1}}\n"
                             "  characters.doll.drive.strength:\n"
                             "    random: {distribution: normal, mean: 1, deviation: 0.5, low: 0.8, high: 2}\n";

static StudyDef *random_study(int seed) {
  char text[1024];
  snprintf(text, sizeof text, RANDOM, seed);
  return study_of(text);
}

static void test_random_values(void **state) {
  (void)state;
  StudyDef *study = random_study(3), *again = random_study(3), *other = random_study(4);
  assert_int_equal(study->cell_count, 3);
  assert_int_equal(study->trial_count, 1200);
  double sum[4] = {0}, squares[4] = {0}, low[4] = {0}, high[4] = {0};
  for (long trial = 0; trial < study->trial_count; trial++)
    for (int i = 0; i < 4; i++) {
      char value[PARAM_TEXT_SIZE], same[PARAM_TEXT_SIZE], unlike[PARAM_TEXT_SIZE];
      study_value(study, i, trial, value);
      study_value(again, i, trial, same);
      study_value(other, i, trial, unlike);
      assert_string_equal(value, same);
      assert_string_not_equal(value, unlike);
      double number = strtod(value, NULL);
      if (trial == 0)
        low[i] = high[i] = number;
      low[i] = fmin(low[i], number);
      high[i] = fmax(high[i], number);
      double counted = i == 2 ? log(number) : number;
      sum[i] += counted / 1200;
      squares[i] += counted * counted / 1200;
    }
  assert_true(low[0] >= 2 && high[0] < 5);
  assert_string_equal(study->axes[0].values[0], again->axes[0].values[0]);
  assert_near(sum[1], 10, 4 * 5 / sqrt(1200));
  assert_near(sqrt(squares[1] - sum[1] * sum[1]), 5, 0.5);
  assert_true(low[1] < 0); // not cut off
  assert_near(sum[2], log(0.1), 4 * log(100) / sqrt(12 * 1200));
  assert_true(low[2] >= 0.01 && low[2] < 0.011 && high[2] <= 1 && high[2] > 0.95);
  assert_true(low[3] >= 0.8 && low[3] < 0.81 && high[3] <= 2 && high[3] > 1.9); // none accumulated at an end
  assert_near(sum[3], 1.2484, 0.03);                                            // of the truncated normal distribution
  study_free(study);
  study_free(again);
  study_free(other);
}

// However near the limits are, no rounding leads out of them.
static void test_draws_stay_within_their_limits(void **state) {
  (void)state;
  static const char *const distributions[] = {"uniform", "log_uniform"};
  for (int i = 0; i < 80; i++) {
    const int step = i / 2;
    double low = 0.03 + 0.005 * step, high = low * (1 + 4e-16);
    char text[512];
    snprintf(text, sizeof text,
             "scene: small.yaml\nrepeats: 20\naxes:\n"
             "  world.friction: {random: {distribution: %s, low: %.17g, high: %.17g}}\n",
             distributions[i % 2], low, high);
    StudyDef *study = study_of(text);
    for (long trial = 0; trial < study->trial_count; trial++) {
      char value[PARAM_TEXT_SIZE];
      study_value(study, 0, trial, value);
      double number = strtod(value, NULL);
      assert_true(number >= low && number <= high);
    }
    study_free(study);
  }
}

// A draw belongs to its axis and trial: another axis before it, or more repeats, change nothing.
static void test_draws_are_independent(void **state) {
  (void)state;
  StudyDef *one = study_of("scene: small.yaml\n"
                           "axes: {world.friction: {random: {low: 0, high: 1}}}\n");
  StudyDef *two = study_of("scene: small.yaml\n"
                           "repeats: 9\n"
                           "axes:\n"
                           "  events.0.impulse: {random: {low: 0, high: 1}}\n"
                           "  world.friction: {random: {low: 0, high: 1}}\n");
  char a[PARAM_TEXT_SIZE], b[PARAM_TEXT_SIZE], c[PARAM_TEXT_SIZE], d[PARAM_TEXT_SIZE];
  study_value(one, 0, 0, a);
  study_value(two, 1, 0, b);
  study_value(two, 0, 0, c);
  study_value(two, 1, 1, d);
  assert_string_equal(a, b);
  assert_string_not_equal(b, c);
  assert_string_not_equal(b, d);
  study_free(one);
  study_free(two);
}

// Columns.

static void assert_column(const StudyDef *study, int index, const char *name, const char *unit, TableKind kind) {
  assert_true(index < study->column_count);
  assert_string_equal(study->columns[index].name, name);
  assert_string_equal(study->columns[index].unit, unit);
  assert_int_equal(study->columns[index].kind, kind);
}

static void test_columns(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\n"
                             "axes: {events.0.impulse: {values: [1], name: impulse}, world.solver: [step]}\n"
                             "metrics: [doll.fell, recovery_time, recovery_strategy, doll.hits]\n");
  assert_column(study, 0, "trial", "", TABLE_NUMBER);
  assert_column(study, 1, "cell", "", TABLE_NUMBER);
  assert_column(study, 2, "repeat", "", TABLE_NUMBER);
  assert_column(study, 3, "seed", "", TABLE_NUMBER);
  assert_column(study, 4, "impulse", "N s", TABLE_NUMBER);
  assert_column(study, 5, "world.solver", "", TABLE_TEXT);
  assert_column(study, 6, "status", "", TABLE_TEXT);
  assert_column(study, 7, "ok", "bool", TABLE_NUMBER);
  assert_column(study, 8, "time", "s", TABLE_NUMBER);
  assert_column(study, 9, "doll.fell", "bool", TABLE_NUMBER);
  assert_column(study, 10, "doll.recovery_time", "s", TABLE_NUMBER);
  assert_column(study, 11, "doll.recovery_strategy", "", TABLE_TEXT);
  assert_column(study, 12, "doll.hits", "", TABLE_NUMBER);
  assert_int_equal(study->column_count, 13);
  study_free(study);

  study = study_of("scene: two.yaml\n"); // all metrics of both, without realtime_factor and with the strategy
  assert_int_equal(study->column_count, 7 + 2 * metric_row_count);
  for (int i = 0; i < study->column_count; i++)
    assert_null(strstr(study->columns[i].name, "realtime_factor"));
  assert_column(study, 7 + metric_row_count - 1, "a.recovery_strategy", "", TABLE_TEXT);
  assert_column(study, 7 + 2 * metric_row_count - 1, "b.recovery_strategy", "", TABLE_TEXT);
  study_free(study);
}

// Traces that are kept.

static const char KEPT_ROWS[] = "trial,cell,repeat,seed,impulse,status,ok,time,doll.fell,doll.recovery_strategy\n"
                                "0,0,0,1,3,complete,1,1,0,step\n"
                                "1,0,1,2,3,complete,1,1,1,fall\n"
                                "2,1,0,1,5,\"stopped: fast, too\",0,0.5,,\n"
                                "3,1,1,2,5,complete,1,1,1,fall\n"
                                "4,2,0,1,9,complete,1,1,0,steps\n"; // trial 5 has no row

static void check_kept(const char *traces, const char *wanted) {
  char text[1024], found[256] = "";
  snprintf(text, sizeof text,
           "scene: small.yaml\nrepeats: 2\n"
           "axes: {events.0.impulse: {values: [3, 5, 9], name: impulse}}\n"
           "metrics: [fell, recovery_strategy]\ntraces: [%s]\n",
           traces);
  StudyDef *study = study_of(text);
  Error error = {0};
  Table *table =
      table_parse("trials.csv", KEPT_ROWS, sizeof KEPT_ROWS - 1, study->columns, study->column_count, &error);
  assert_string_equal(error.text, "");
  int count = -1;
  long *kept = study_kept(study, table, &count, &error);
  assert_string_equal(error.text, "");
  assert_true((!kept) == (count == 0));
  for (int i = 0; i < count && kept; i++)
    sprintf(found + strlen(found), "%s%ld", i > 0 ? " " : "", kept[i]);
  if (strcmp(found, wanted) != 0)
    fail_msg("%s keeps '%s', not '%s'", traces, found, wanted);
  free(kept);
  table_free(table);
  study_free(study);
}

static void test_kept(void **state) {
  (void)state;
  check_kept("", "");
  check_kept("{repeats: 1}", "0 2 4");
  check_kept("{repeats: 2}", "0 1 2 3 4");
  check_kept("{trials: [4, 5, 0, 4]}", "0 4");
  check_kept("{where: doll.fell == 1}", "1 3");
  check_kept("{where: fell == true, most: 1}", "1");
  check_kept("{where: fell != 1}", "0 4"); // trial 2 has no value
  check_kept("{where: impulse >= 5}", "2 3 4");
  check_kept("{where: status != complete}", "2");
  check_kept("{where: status == stopped}", "2");
  check_kept("{where: doll.recovery_strategy == step}", "0"); // not steps
  check_kept("{highest: impulse}", "4");
  check_kept("{highest: impulse, most: 2}", "2 4"); // of equal ones the first
  check_kept("{lowest: impulse, most: 3}", "0 1 2");
  check_kept("{highest: fell, most: 100}", "0 1 3 4");
  check_kept("{lowest: fell}, {trials: [3]}, {where: ok == 0}", "0 2 3");
}

static void test_trace_names(void **state) {
  (void)state;
  char name[64];
  study_trace_name(17, name, sizeof name);
  assert_string_equal(name, "traces/trial_000017.h5");
  study_trace_name(9999999, name, sizeof name);
  assert_string_equal(name, "traces/trial_9999999.h5");
}

// Mistakes.

static void test_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"repeats: 2\n", "push.yaml:1:1: this study names no scene: add one, e.g. 'scene: hit_stand'"},
      {"scene: smal.yaml\n", "push.yaml:1:8: smal.yaml: is not among the files in the trace"},
      {"characters: []\n", "push.yaml:1:1: this is a scene; a study names one as its 'scene'"},
      {"scene: small.yaml\nrepeat: 2\n", "push.yaml:2:1: unknown key 'repeat', did you mean 'repeats'?"},
      {"scene: small.yaml\nrepeats: 0\n", "push.yaml:2:10: repeats is 0, allowed are whole numbers from 1 to 1000000"},
      {"scene: small.yaml\nset: duration=3\n",
       "push.yaml:2:6: 'set' must be a list of assignments, e.g. [duration=3, world.friction=0.5]"},
      {"scene: small.yaml\nset: [duration]\n", "push.yaml:2:7: expected an assignment KEY=VALUE, e.g. duration=3"},
      {"scene: small.yaml\nset: [seed=3]\n",
       "push.yaml:2:7: the scene's seed comes from 'seed' and 'repeats' of the study"},
      {"scene: small.yaml\nset: [world.dt=0.01, duration=-3]\n",
       "push.yaml:2:22: duration=-3: duration is -3, allowed are 0.001 to 360000 s"},
      {"scene: small.yaml\nset: [characters.dol.drive.strength=1]\n",
       "push.yaml:2:7: characters.dol.drive.strength=1: no item 'dol' in the list, did you mean 'doll'?"},

      // Axes.
      {"scene: small.yaml\naxes: [world.dt]\n", "push.yaml:2:7: 'axes' must be a map of parameters and their values"},
      {"scene: small.yaml\naxes:\n  world.dt: 3\n",
       "push.yaml:3:13: expected a list of values, {from, to, steps}, {values: [...]} or {random: {...}}"},
      {"scene: small.yaml\naxes:\n  world.dt: {from: 1, values: [1]}\n",
       "push.yaml:3:13: expected a list of values, {from, to, steps}, {values: [...]} or {random: {...}}"},
      {"scene: small.yaml\naxes:\n  world.dt: {name: dt}\n",
       "push.yaml:3:13: expected a list of values, {from, to, steps}, {values: [...]} or {random: {...}}"},
      {"scene: small.yaml\naxes:\n  world.dt: {form: 1, to: 2}\n",
       "push.yaml:3:14: unknown key 'form' in world.dt, did you mean 'from'?"},
      {"scene: small.yaml\naxes:\n  world.dt: {from: 0.001, to: 0.002}\n",
       "push.yaml:3:13: 'steps' is missing: 'from', 'to' and 'steps' belong together"},
      {"scene: small.yaml\naxes:\n  world.dt: {from: 0.001, to: 0.002, steps: 1}\n",
       "push.yaml:3:45: steps is 1, allowed are whole numbers from 2 to 100000"},
      {"scene: small.yaml\naxes:\n  world.dt: {from: 0.001, to: 0.001, steps: 2}\n",
       "push.yaml:3:31: 'to' is the same as 'from'; one value is a list, [0.001]"},
      {"scene: small.yaml\naxes:\n  world.friction: {from: 0, to: 1, steps: 2, scale: log}\n",
       "push.yaml:3:26: with 'scale: log' both ends must be above 0"},
      {"scene: small.yaml\naxes:\n  world.dt: []\n", "push.yaml:3:13: 0 values, allowed are 1 to 100000"},
      {"scene: small.yaml\naxes:\n  world.dt: {values: 3}\n", "push.yaml:3:22: 'values' must be a list"},
      {"scene: small.yaml\naxes:\n  seed: [1, 2]\n",
       "push.yaml:3:3: seeds come from 'seed' and 'repeats' of the study"},
      {"scene: small.yaml\naxes:\n  world dt: [1]\n",
       "push.yaml:3:3: 'world dt' is not the path of a parameter, as in events.0.impulse"},
      {"scene: small.yaml\naxes:\n  world.dt: {values: [0.001], name: 3d}\n",
       "push.yaml:3:37: '3d' cannot be a name: a letter, then letters, digits, '_' or '-'"},
      {"scene: small.yaml\naxes:\n  world.dt: {values: [0.001], name: time}\n",
       "push.yaml:3:31: there is a column 'time' already"},
      {"scene: small.yaml\naxes:\n  world.dt: {values: [0.001], name: median}\n", // of the summary
       "push.yaml:3:31: there is a column 'median' already"},
      {"scene: small.yaml\naxes:\n  world.dt: {values: [0.001], name: x}\n  duration: {values: [1], name: x}\n",
       "push.yaml:4:27: there is a column 'x' already"},
      {"scene: small.yaml\nrepeats: 1000000\naxes:\n  duration: {from: 1, to: 2, steps: 11}\n",
       "push.yaml:4:3: 11000000 trials or more, allowed are up to 10000000: crossed values times 'repeats'"},

      // Axes that the scene does not accept: the study's place, the scene's reason.
      {"scene: small.yaml\naxes:\n  events.0.impulse: [5, 20000]\n",
       "push.yaml:3:25: events.0.impulse=20000: events.impulse is 20000, allowed are a number or [low, high], from 0 "
       "to "
       "10000 N s"},
      {"scene: small.yaml\naxes:\n  events.0.impulse: {from: -1, to: 5, steps: 3}\n",
       "push.yaml:3:28: events.0.impulse=-1: events.impulse is -1, allowed are a number or [low, high], from 0 to "
       "10000 N "
       "s"},
      {"scene: small.yaml\naxes:\n  events.0.impulse: {from: 5, to: 20000, steps: 2000}\n",
       "push.yaml:3:35: events.0.impulse=20000: events.impulse is 20000, allowed are a number or [low, high], from 0 "
       "to "
       "10000 N s"},
      {"scene: small.yaml\naxes:\n  world.iterations: {from: 10, to: 21, steps: 3}\n",
       "push.yaml:3:21: world.iterations=15.5: world.iterations is 15.5, allowed are "
       "whole numbers from 5 to 500"},
      {"scene: small.yaml\naxes:\n  world.dt: [0.001]\n  characters.doll.drive.strenght: [1]\n",
       "push.yaml:4:36: characters.doll.drive.strenght=1: unknown key 'strenght' in drive, did you mean 'strength'?"},
      {"scene: small.yaml\naxes:\n  world.solver: [step, quick]\n",
       "push.yaml:3:24: world.solver=quick: world.solver is quick, allowed are step, iterative, reduced"},
      {"scene: small.yaml\naxes:\n  events.1.impulse: [1]\n",
       "push.yaml:3:22: events.1.impulse=1: no item '1' in the list, it has 1; an item is named by its index from 0, "
       "by its name or by its kind"},
      {"scene: small.yaml\naxes:\n  world..dt: [1]\n",
       "push.yaml:3:15: world..dt=1: expected keys of 1 to 120 characters, separated by dots"},
      {"scene: small.yaml\naxes:\n  events.0.part: [top, botom]\n",
       "push.yaml:3:24: events.0.part=botom: there is no part 'botom' in body 'boxes', allowed are base, top"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {low: -1, high: 1}}\n",
       "push.yaml:3:28: world.friction=-1: world.friction is -1, allowed are 0 to 10"},

      // Random axes.
      {"scene: small.yaml\naxes:\n  world.friction: {random: {low: 1}}\n",
       "push.yaml:3:28: 'high' is missing: a distribution uniform needs 'low' and 'high'"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {distribution: gauss, low: 1}}\n",
       "push.yaml:3:43: random.distribution is gauss, allowed are uniform, log_uniform, normal"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {low: 1, high: 1}}\n",
       "push.yaml:3:43: 'high' is 1, but it must be above 'low', 1"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {low: 0, high: 1, mean: 1}}\n",
       "push.yaml:3:46: 'mean' and 'deviation' belong to a normal one"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {distribution: log_uniform, low: 0, high: 1}}\n",
       "push.yaml:3:61: a log_uniform distribution needs a 'low' above 0"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {distribution: normal, mean: 1}}\n",
       "push.yaml:3:28: 'deviation' is missing: a distribution normal needs 'mean' and 'deviation'"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {distribution: normal, mean: 1, deviation: 0}}\n",
       "push.yaml:3:71: 'deviation' must be above 0"},
      {"scene: small.yaml\naxes:\n  world.friction: {random: {distribution: normal, mean: 3, deviation: 1, high: 2}}\n",
       "push.yaml:3:57: 'mean' must lie between 'low' and 'high', beyond which values are drawn again"},
      {"scene: small.yaml\naxes:\n"
       "  world.friction: {random: {distribution: normal, mean: 1, deviation: 1, low: 1, high: 1.01}}\n",
       "push.yaml:3:88: 'low' and 'high' must be at least a tenth of 'deviation' apart"},

      // Metrics.
      {"scene: small.yaml\nmetrics: doll.fell\n",
       "push.yaml:2:10: 'metrics' must be a list of metrics, e.g. [man.fell]; without it all are kept"},
      {"scene: small.yaml\nmetrics: [doll.fel]\n", "push.yaml:2:11: there is no metric 'fel', did you mean 'fell'?"},
      {"scene: small.yaml\nmetrics: [dol.fell]\n", "push.yaml:2:11: there is no character 'dol', did you mean 'doll'?"},
      {"scene: small.yaml\nmetrics: [doll.fell, fell]\n", "push.yaml:2:22: there is a column 'doll.fell' already"},
      {"scene: small.yaml\nmetrics: [doll.realtime_factor]\n",
       "push.yaml:2:11: realtime_factor depends on the machine, so it cannot be a column of a study"},
      {"scene: two.yaml\nmetrics: [fell]\n",
       "push.yaml:2:11: 'fell': with several characters, say whose metric it is: 'a.fell'"},

      // Traces.
      {"scene: small.yaml\ntraces: all\n",
       "push.yaml:2:9: 'traces' must be a list; each item says which trials keep their trace"},
      {"scene: small.yaml\ntraces: [{repeats: 1, trials: [0]}]\n",
       "push.yaml:2:10: expected one of {repeats: 1}, {trials: [0, 17]}, {where: column op value, most: 10}, {highest: "
       "column, most: 3}, {lowest: column, most: 3}"},
      {"scene: small.yaml\ntraces: [{higest: fell}]\n",
       "push.yaml:2:11: unknown key 'higest', did you mean 'highest'?"},
      {"scene: small.yaml\ntraces: [{repeats: 0}]\n",
       "push.yaml:2:20: 'repeats' is 0, allowed are whole numbers from 1"},
      {"scene: small.yaml\ntraces: [{repeats: 1, most: 2}]\n",
       "push.yaml:2:23: 'most' belongs to 'where', 'highest' and 'lowest'"},
      {"scene: small.yaml\nrepeats: 5\ntraces: [{trials: [4, 5]}]\n",
       "push.yaml:3:23: there is no trial 5, allowed are 0 to 4"},
      {"scene: small.yaml\ntraces: [{where: doll.fell}]\n",
       "push.yaml:2:18: 'doll.fell': expected 'column op value' with one of < <= > >= == !=, e.g. 'man.fell == 1'"},
      {"scene: small.yaml\ntraces: [{where: doll.fell == yes}]\n",
       "push.yaml:2:18: 'doll.fell == yes': expected 'column op value' with one of < <= > >= == !=, e.g. 'man.fell == "
       "1'"},
      {"scene: small.yaml\ntraces: [{where: doll.fel == 1}]\n",
       "push.yaml:2:18: there is no column 'doll.fel', did you mean 'doll.fell'?"},
      {"scene: small.yaml\ntraces: [{where: status < complete}]\n",
       "push.yaml:2:18: 'status < complete': texts are compared by == and != only"},
      {"scene: small.yaml\ntraces: [{highest: status}]\n",
       "push.yaml:2:20: 'status' is a column of texts, which have no order"},
      {"scene: small.yaml\ntraces: [{highest: fell, most: 0}]\n",
       "push.yaml:2:32: 'most' is 0, allowed are whole numbers from 1"},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    StudyDef *study = study_try(cases[i].text, &error);
    if (!study && strcmp(error.text, cases[i].error) == 0)
      continue;
    print_error("%s\n  says   %s\n  not    %s\n", cases[i].text, error.text, cases[i].error);
    study_free(study);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

// Axes are tried together, since some values depend on each other.
static void test_axes_that_need_each_other(void **state) {
  (void)state;
  study_free(study_of("scene: small.yaml\n"
                      "axes:\n"
                      "  characters.doll.assist.enabled: [true]\n" // without a part: an error
                      "  characters.doll.assist.part: [top, base]\n"));
  Error error = {0};
  assert_null(study_try("scene: small.yaml\n"
                        "axes:\n"
                        "  world.dt: [0.001]\n"
                        "  characters.doll.assist.enabled: [true]\n",
                        &error));
  assert_string_equal(error.text, "push.yaml:4:36: characters.doll.assist.enabled=true: there is no part 'pelvis' in "
                                  "body 'boxes', allowed are base, top");
}

// On the disk.

static void test_files(void **state) {
  (void)state;
  char folder[] = "/tmp/stagger_test_XXXXXX", path[128], command[128], here[1024];
  assert_non_null(mkdtemp(folder));
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(folder), 0);
  assert_int_equal(mkdir("studies", 0755), 0);
  study_write_file(folder, "boxes.yaml", BOXES);
  study_write_file(folder, "drop.yaml", "purpose: outer\ncharacters: [{name: doll, body: boxes.yaml}]\n");
  study_write_file(folder, "studies/drop.yaml", "scene: ../drop\nrepeats: 2\n");
  study_write_file(folder, "studies/limp.yaml", "scene: limp\n"); // not itself
  study_write_file(folder, "studies/far.yaml", "scene: limp\n");  // a scene that comes with Stagger

  Error error = {0};
  StudyDef *study = study_read("studies/drop", &error); // with ".yaml" appended, and the scene beside the study
  assert_string_equal(error.text, "");
  assert_string_equal(study->scene_path, "studies/../drop.yaml");
  assert_string_equal(study->scene->run.purpose, "outer");
  assert_string_equal(study->path, "studies/drop.yaml");
  assert_string_equal(study->text, "scene: ../drop\nrepeats: 2\n");
  study_free(study);
  for (int i = 0; i < 2; i++) {
    study = study_read(i == 0 ? "studies/far.yaml" : "studies/limp.yaml", &(Error){0});
    assert_non_null(study);
    assert_string_equal(study->scene->name, "limp");
    assert_int_equal(study->scene->character_count, 1);
    study_free(study);
  }
  snprintf(path, sizeof path, "%s/studies/drop.yaml", folder);
  study = study_read(path, &(Error){0});
  assert_non_null(study);
  study_free(study);

  assert_true(study_is_study("studies/drop"));
  assert_false(study_is_study("drop"));
  assert_false(study_is_study("limp"));
  assert_false(study_is_study("nowhere"));
  assert_false(study_is_study("studies"));
  error = (Error){0};
  assert_null(study_read("nowhere", &error));
  assert_non_null(strstr(error.text, "nowhere: there is no such study in . or "));

  // Studies are found in the scenes' folder by their name alone.
  char scenes[1024] = "";
  if (getenv("STAGGER_SCENES"))
    snprintf(scenes, sizeof scenes, "%s", getenv("STAGGER_SCENES"));
  setenv("STAGGER_SCENES", folder, 1);
  assert_int_equal(chdir("/"), 0);
  study = study_read("far", &error);
  assert_null(study); // there is no limp now
  assert_true(study_is_study("far"));
  study = study_read("drop", &(Error){0}); // before the scene of that name
  assert_non_null(study);
  study_free(study);
  assert_false(study_is_study("drop")); // but commands for both take the scene
  if (scenes[0] != '\0')
    setenv("STAGGER_SCENES", scenes, 1);
  else
    unsetenv("STAGGER_SCENES");
  assert_int_equal(chdir(here), 0);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

// The largest number of axes is a study, one more is not.
static void test_most_axes(void **state) {
  (void)state;
  static const char *const axes[STUDY_MAX_AXES + 1] = {
      "duration: [0.1]",
      "world.dt: [0.004]",
      "world.friction: [0.5]",
      "world.contact_erp: [0.2]",
      "world.contact_cfm: [1e-5]",
      "world.correction_speed: [1]",
      "world.contacts_per_pair: [4]",
      "world.iterations: [20]",
      "world.solver: [step]",
      "events.0.impulse: [1]",
      "events.0.time: [0.1]",
      "events.0.direction: [0]",
      "events.0.elevation: [0]",
      "events.0.part: [top]",
      "characters.doll.drive.strength: [1]",
      "characters.doll.start.heading: [0]",
      "characters.doll.intent.heading: [0]",
  };
  char text[2048];
  size_t length = (size_t)snprintf(text, sizeof text, "scene: small.yaml\naxes:\n");
  for (int i = 0; i < STUDY_MAX_AXES; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "  %s\n", axes[i]);
  StudyDef *study = study_of(text);
  assert_int_equal(study->axis_count, STUDY_MAX_AXES);
  study_free(study);
  snprintf(text + length, sizeof text - length, "  %s\n", axes[STUDY_MAX_AXES]);
  Error error = {0};
  assert_null(study_try(text, &error));
  assert_non_null(strstr(error.text, "17 axes, allowed are up to 16"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plan),
      cmocka_unit_test(test_no_axes),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_random_values),
      cmocka_unit_test(test_draws_stay_within_their_limits),
      cmocka_unit_test(test_draws_are_independent),
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_kept),
      cmocka_unit_test(test_trace_names),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_axes_that_need_each_other),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_most_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
