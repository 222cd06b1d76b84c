// The summary of a small study that can be checked by hand: two directions times three forces, two repeats.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/sweep/summary.h"

enum { COLUMNS = 11, FELL = 9, TIME = 8, STATUS = 6, OK = 7, STRATEGY = 10 };

static TableColumn columns[COLUMNS] = {
    {"trial", "", TABLE_NUMBER},
    {"cell", "", TABLE_NUMBER},
    {"repeat", "", TABLE_NUMBER},
    {"seed", "", TABLE_NUMBER},
    {"from", "", TABLE_TEXT},
    {"force", "N", TABLE_NUMBER},
    {"status", "", TABLE_TEXT},
    {"ok", "bool", TABLE_NUMBER},
    {"man.recovery_time", "s", TABLE_NUMBER},
    {"man.fell", "bool", TABLE_NUMBER},
    {"man.recovery_strategy", "", TABLE_TEXT},
};

static char *sides[] = {"left, near", "right"}, *forces[] = {"5", "10", "20"};

// Rows in any order; trials 10 and 11 do not exist yet.
static const char ROWS[] =
    "trial,cell,repeat,seed,from,force,status,ok,man.recovery_time,man.fell,man.recovery_strategy\n"
    "2,1,0,1,\"left, near\",10,complete,1,0.5,0,ankle\n"
    "0,0,0,1,\"left, near\",5,complete,1,0.25,0,ankle\n"
    "1,0,1,2,\"left, near\",5,complete,1,0.75,0,hip\n"
    "3,1,1,2,\"left, near\",10,complete,1,,1,fall\n"
    "4,2,0,1,\"left, near\",20,complete,0,,1,fall\n"
    "5,2,1,2,\"left, near\",20,stopped: a part is 120 m/s fast,0,,1,fall\n"
    "6,3,0,1,right,5,complete,1,1,0,ankle\n"
    "7,3,1,2,right,5,complete,1,2,0,ankle\n"
    "8,4,0,1,right,10,complete,1,3,0,hip\n"
    "9,4,1,2,right,10,crashed: signal 11,0,,,\n";

static StudyDef *make_study(void) {
  StudyDef *study = calloc(1, sizeof *study);
  assert_non_null(study);
  strcpy(study->name, "shove");
  study->run.seed = 1;
  study->run.repeats = 2;
  study->axis_count = 3;
  strcpy(study->axes[0].name, "from");
  study->axes[0].count = 2;
  study->axes[0].values = sides;
  strcpy(study->axes[1].name, "mass"); // drawn anew for every trial: not crossed
  strcpy(study->axes[2].name, "force");
  strcpy(study->axes[2].unit, "N");
  study->axes[2].count = 3;
  study->axes[2].values = forces;
  study->cell_count = 6;
  study->trial_count = 12;
  study->columns = columns;
  study->column_count = COLUMNS;
  return study;
}

static Table *make_table(const char *text) {
  Error error = {0};
  Table *table = table_parse("trials.csv", text, strlen(text), columns, COLUMNS, &error);
  assert_string_equal(error.text, "");
  return table;
}

typedef struct Fixture {
  StudyDef *study;
  Table *table;
  Summary *summary;
} Fixture;

static void fixture_start(Fixture *fixture, const char *text) {
  Error error = {0};
  fixture->study = make_study();
  fixture->table = make_table(text);
  fixture->summary = summary_create(fixture->study, fixture->table, &error);
  assert_non_null(fixture->summary);
}

static void fixture_end(Fixture *fixture) {
  summary_destroy(fixture->summary);
  table_free(fixture->table);
  free(fixture->study);
}

static const SummaryRow *find(const Fixture *fixture, SummaryScope scope, int axis, int value, long cell, int column,
                              const char *label) {
  const SummaryRow *found = NULL;
  for (int i = 0; i < fixture->summary->count; i++) {
    const SummaryRow *row = &fixture->summary->rows[i];
    if (row->scope == scope && row->axis == axis && row->value == value && row->cell == cell && row->column == column &&
        strcmp(row->label, label) == 0) {
      assert_null(found);
      found = row;
    }
  }
  assert_non_null(found);
  return found;
}

// For each repeat the number of successes, and of trials to which the share applies.
static void assert_share(const SummaryRow *row, long trials, long first, long first_count, long second,
                         long second_count) {
  ShareTally tally = {0};
  statistics_tally(&tally, first, first_count);
  statistics_tally(&tally, second, second_count);
  assert_int_equal(row->trials, trials);
  assert_int_equal(row->count, tally.count);
  assert_int_equal(row->repeats, tally.clusters);
  if (tally.count == 0) {
    assert_true(isnan(row->share) && isnan(row->share_interval.low) && isnan(row->share_interval.high));
    assert_true(isnan(row->effective));
  } else {
    const Interval interval = statistics_share_interval(&tally);
    assert_true(row->share == (double)tally.successes / (double)tally.count);
    assert_true(row->share_interval.low == interval.low && row->share_interval.high == interval.high);
    assert_true(row->effective == statistics_effective_count(&tally));
  }
  assert_true(isnan(row->sample.mean) && isnan(row->sample.quartile[1]) && isnan(row->sample.median.low));
}

static void test_there_is_a_row_for_every_scope_column_and_label(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, ROWS);
  // 3 statuses, ok, time, fell, 3 strategies; in the whole, 2 + 3 values and 6 cells.
  assert_int_equal(fixture.summary->count, 9 * (1 + 5 + 6));
  assert_int_equal(fixture.summary->rows[0].scope, SUMMARY_ALL);
  assert_int_equal(fixture.summary->rows[9].scope, SUMMARY_AXIS);
  assert_int_equal(fixture.summary->rows[9 * 3].axis, 2);
  assert_int_equal(fixture.summary->rows[9 * 6].scope, SUMMARY_CELL);
  fixture_end(&fixture);
}

static void test_shares_are_of_the_trials_to_which_they_apply(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, ROWS);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, FELL, ""), 10, 1, 5, 1, 3);
  assert_share(find(&fixture, SUMMARY_AXIS, 0, 0, 0, FELL, ""), 6, 1, 3, 1, 2);
  assert_share(find(&fixture, SUMMARY_AXIS, 0, 1, 0, FELL, ""), 4, 0, 2, 0, 1);
  assert_share(find(&fixture, SUMMARY_AXIS, 2, 1, 0, FELL, ""), 4, 0, 2, 1, 1);
  assert_share(find(&fixture, SUMMARY_AXIS, 2, 2, 0, FELL, ""), 2, 1, 1, 0, 0);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 1, FELL, ""), 2, 0, 1, 1, 1);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 4, FELL, ""), 2, 0, 1, 0, 0);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 5, FELL, ""), 0, 0, 0, 0, 0);
  // In a cell every trial is its own cluster.
  const Interval plain = statistics_wilson(1, 2),
                 cell = find(&fixture, SUMMARY_CELL, 0, 0, 1, FELL, "")->share_interval;
  assert_true(cell.low == plain.low && cell.high == plain.high);
  fixture_end(&fixture);
}

// A trial to which a yes or no does not apply counts neither as one nor as the other.
static void test_what_does_not_apply_does_not_count(void **state) {
  (void)state;
  Fixture fixture;
  char rows[sizeof ROWS];
  snprintf(rows, sizeof rows, "%s", ROWS);
  char *cell = strstr(rows, "1,3,0,hip");
  assert_non_null(cell);
  memmove(cell + 4, cell + 5, strlen(cell + 5) + 1); // of trial 8: whether he fell
  fixture_start(&fixture, rows);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, FELL, ""), 10, 1, 4, 1, 3);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 4, FELL, ""), 2, 0, 0, 0, 0);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, OK, ""), 10, 4, 5, 3, 5);
  fixture_end(&fixture);
}

// They have metrics too, up to the time at which they were stopped.
static void test_incomplete_trials_count_in_status_and_ok_alone(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, ROWS);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, STATUS, "complete"), 10, 5, 5, 3, 5);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, STATUS, "crashed"), 10, 0, 5, 1, 5);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, STATUS, "stopped"), 10, 0, 5, 1, 5);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, OK, ""), 10, 4, 5, 3, 5);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 2, STATUS, "stopped"), 2, 0, 1, 1, 1);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 2, OK, ""), 2, 0, 1, 0, 1);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 2, FELL, ""), 2, 1, 1, 0, 0);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 2, STRATEGY, "fall"), 2, 1, 1, 0, 0);
  fixture_end(&fixture);

  char rows[sizeof ROWS]; // the stopped trial recovered before
  snprintf(rows, sizeof rows, "%s", ROWS);
  char *cell = strstr(rows, "0,,1,fall\n6,");
  assert_non_null(cell);
  memcpy(cell, "0,9,0,hip", 9);
  fixture_start(&fixture, rows);
  const SummaryRow *time = find(&fixture, SUMMARY_CELL, 0, 0, 2, TIME, "");
  assert_true(time->trials == 2 && time->count == 0);
  assert_true(find(&fixture, SUMMARY_ALL, 0, 0, 0, TIME, "")->sample.max == 3);
  fixture_end(&fixture);
}

static void test_every_label_that_occurs_has_a_share_everywhere(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, ROWS);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, STRATEGY, "ankle"), 10, 3, 5, 1, 3);
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, STRATEGY, "hip"), 10, 1, 5, 1, 3);
  assert_share(find(&fixture, SUMMARY_AXIS, 0, 1, 0, STRATEGY, "fall"), 4, 0, 2, 0, 1);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 2, STRATEGY, "ankle"), 2, 0, 1, 0, 0);
  assert_share(find(&fixture, SUMMARY_CELL, 0, 0, 5, STRATEGY, "fall"), 0, 0, 0, 0, 0);
  fixture_end(&fixture);
}

static void test_numbers_are_samples_of_those_to_which_they_apply(void **state) {
  (void)state;
  Fixture fixture;
  fixture_start(&fixture, ROWS);
  const SummaryRow *all = find(&fixture, SUMMARY_ALL, 0, 0, 0, TIME, "");
  assert_int_equal(all->trials, 10);
  assert_int_equal(all->count, 6);
  assert_int_equal(all->repeats, 2);
  assert_true(isnan(all->share) && isnan(all->share_interval.low) && isnan(all->effective));
  assert_true(all->sample.mean == 1.25 && all->sample.min == 0.25 && all->sample.max == 3);
  assert_true(all->sample.quartile[1] == 0.875);                                // of .25 .5 .75 1 2 3
  assert_true(isnan(all->sample.median.low) && isnan(all->sample.median.high)); // six values, of two repeats

  const SummaryRow *right = find(&fixture, SUMMARY_AXIS, 0, 1, 0, TIME, "");
  assert_true(right->count == 3 && right->sample.quartile[1] == 2 && right->sample.deviation == 1);
  const SummaryRow *five = find(&fixture, SUMMARY_AXIS, 2, 0, 0, TIME, "");
  assert_true(five->count == 4 && five->sample.mean == 1);
  const SummaryRow *cell = find(&fixture, SUMMARY_CELL, 0, 0, 1, TIME, "");
  assert_true(cell->count == 1 && cell->sample.quartile[1] == 0.5 && isnan(cell->sample.deviation));
  const SummaryRow *fallen = find(&fixture, SUMMARY_CELL, 0, 0, 2, TIME, "");
  assert_true(fallen->trials == 2 && fallen->count == 0 && isnan(fallen->sample.quartile[1]));
  fixture_end(&fixture);
}

// A table of `cells` cells with 9 repeats each, cell by cell.
static char *many_rows(int cells) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out, "%.*s\n", (int)strcspn(ROWS, "\n"), ROWS);
  for (int trial = 0; trial < 9 * cells; trial++)
    fprintf(out, "%d,%d,%d,%d,x,5,complete,1,%.3f,%d,hip\n", trial, trial / 9, trial % 9, 1 + trial % 9,
            1 + sin(trial * trial), trial % 9 < 4);
  fclose(out);
  return text;
}

static void assert_same_interval(Interval a, Interval b) { assert_true(a.low == b.low && a.high == b.high); }

// With one axis its values are the cells; with one value it is the whole, too.
static void test_the_same_trials_have_the_same_interval(void **state) {
  (void)state;
  for (int cells = 1; cells <= 2; cells++) {
    char *rows = many_rows(cells);
    Fixture fixture = {make_study(), make_table(rows), NULL};
    Error error = {0};
    fixture.study->axis_count = 1;
    fixture.study->axes[0].count = cells;
    fixture.study->cell_count = cells;
    fixture.study->run.repeats = 9;
    fixture.study->trial_count = 9 * cells;
    fixture.summary = summary_create(fixture.study, fixture.table, &error);
    assert_non_null(fixture.summary);
    for (int i = 0; i < cells; i++) {
      const SummaryRow *axis = find(&fixture, SUMMARY_AXIS, 0, i, 0, TIME, "");
      const SummaryRow *cell = find(&fixture, SUMMARY_CELL, 0, 0, i, TIME, "");
      assert_true(cell->sample.median.low < cell->sample.median.high);
      assert_same_interval(axis->sample.median, cell->sample.median);
      const Interval fell = find(&fixture, SUMMARY_AXIS, 0, i, 0, FELL, "")->share_interval;
      assert_same_interval(fell, find(&fixture, SUMMARY_CELL, 0, 0, i, FELL, "")->share_interval);
      assert_same_interval(fell, statistics_wilson(4, 9));
    }
    const SummaryRow *time = find(&fixture, SUMMARY_ALL, 0, 0, 0, TIME, "");
    const SummaryRow *fell = find(&fixture, SUMMARY_ALL, 0, 0, 0, FELL, "");
    if (cells == 1) {
      assert_same_interval(time->sample.median, find(&fixture, SUMMARY_AXIS, 0, 0, 0, TIME, "")->sample.median);
      assert_same_interval(fell->share_interval, statistics_wilson(4, 9));
    } else {
      // Both cells fall with the same seeds: together they give little more information than one of them.
      assert_true(fell->count == 18 && fell->repeats == 9 && fell->effective < 9);
    }
    fixture_end(&fixture);
    free(rows);
  }
}

// The text of the summary of a table; the caller frees it.
static char *csv_of(const char *rows) {
  Fixture fixture;
  fixture_start(&fixture, rows);
  size_t size = 0;
  char *text = summary_csv(fixture.study, fixture.summary, &size);
  assert_non_null(text);
  assert_int_equal(size, strlen(text));
  fixture_end(&fixture);
  return text;
}

// Lines, with their ends, in the opposite order behind the first.
static void reverse_rows(char *reversed, const char *rows) {
  const char *body = strchr(rows, '\n') + 1, *end = rows + strlen(rows);
  size_t used = (size_t)(body - rows);
  memcpy(reversed, rows, used);
  while (end > body) {
    const char *line = end - 1;
    while (line > body && line[-1] != '\n')
      line--;
    memcpy(reversed + used, line, (size_t)(end - line));
    used += (size_t)(end - line);
    end = line;
  }
  reversed[used] = '\0';
}

static void test_summary_depends_on_the_trials_alone(void **state) {
  (void)state;
  char reversed[sizeof ROWS];
  reverse_rows(reversed, ROWS);
  char *first = csv_of(ROWS), *again = csv_of(ROWS), *backward = csv_of(reversed);
  assert_string_equal(first, again);
  assert_string_equal(first, backward);
  free(first), free(again), free(backward);
}

static int count_lines(const char *text) {
  int count = 0;
  for (; *text != '\0'; text++)
    count += *text == '\n';
  return count;
}

static void assert_has(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("no '%s' in:\n%s", part, text);
}

static void test_csv_is_tidy(void **state) {
  (void)state;
  char *text = csv_of(ROWS);
  assert_int_equal(count_lines(text), 1 + 9 * 12);
  assert_int_equal(
      strncmp(text,
              "scope,from,force,metric,label,unit,trials,count,repeats,share,share_low,share_high,effective,mean,"
              "deviation,min,quartile_1,median,quartile_3,max,median_low,median_high\n"
              "all,,,status,complete,,10,10,2,0.8,",
              190),
      0);
  assert_true(summary_has_column("scope") && summary_has_column("metric") && summary_has_column("median_high") &&
              summary_has_column("effective"));
  assert_false(summary_has_column("force"));
  assert_has(text, "\naxis,\"left, near\",,man.fell,,bool,6,5,2,0.4,");
  assert_has(text, "\naxis,,20,man.fell,,bool,2,1,1,1,");
  assert_has(text, "\ncell,right,10,man.fell,,bool,2,1,1,0,0,");
  assert_has(text, "\ncell,right,5,man.recovery_time,,s,2,2,2,,,,,1.5,0.7071067811865476,1,1.25,1.5,1.75,2,,\n");
  assert_has(text, "\ncell,right,20,man.recovery_time,,s,0,0,0,,,,,,,,,,,,,\n");
  free(text);
}

// The printed text, and that no line is longer than allowed.
static char *printed(const char *rows) {
  Fixture fixture;
  fixture_start(&fixture, rows);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  summary_print(out, fixture.study, fixture.table, fixture.summary);
  fclose(out);
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 100);
  fixture_end(&fixture);
  return text;
}

static void test_print_is_for_people(void **state) {
  (void)state;
  char *text = printed(ROWS);
  assert_has(text, "shove: 10 of 12 trials, 6 cells with 2 trials each");
  assert_has(text, "  2 trials are not complete: they count in status and ok alone\n");
  assert_has(text, "  status                  complete 80.0 % [2.3, 99.9], crashed");
  assert_has(text, "] of 10\n");
  assert_has(text, "  man.fell                25.0 % ["); // of complete trials
  assert_has(text, "] of 8\n");
  assert_has(text, "ankle 50.0 % [");
  assert_has(text, "0.875 [-]"); // the median, without interval
  assert_has(text, "] n=5");     // left, near: fell
  assert_has(text, "recovery_time");
  assert_has(text, "  left, near ");
  assert_has(text, "force N");
  assert_null(strstr(text, "no trial"));
  free(text);

  // No trial withstood a hit upright.
  char rows[256];
  snprintf(rows, sizeof rows, "%.*s\n0,0,0,1,\"left, near\",5,complete,1,,1,fall\n", (int)strcspn(ROWS, "\n"), ROWS);
  text = printed(rows);
  assert_null(strstr(text, "recovery_time"));
  assert_has(text, "  1 metric applies to no trial\n");
  free(text);
}

// Two cells with two repeats each, with these columns from `status` on.
static void check_alike(const char *const rows[4], bool alike) {
  char text[1024];
  int length = snprintf(text, sizeof text, "%.*s\n", (int)strcspn(ROWS, "\n"), ROWS);
  for (int i = 0; i < 4; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%d,%d,%d,%d,right,%d,complete,%s\n", i, i / 2,
                       i % 2, 1 + i % 2, 5 + 5 * (i / 2), rows[i]);
  Table *table = make_table(text);
  assert_int_equal(summary_repeats_alike(table), alike);
  table_free(table);
  char *print = printed(text);
  assert_true((strstr(print, "intervals mean nothing") != NULL) == alike);
  free(print);
}

static void test_repeats_that_are_alike_are_reported(void **state) {
  (void)state;
  check_alike((const char *[]){"1,0.5,0,ankle", "1,0.5,0,ankle", "1,,1,fall", "1,,1,fall"}, true);
  check_alike((const char *[]){"1,0.5,0,ankle", "1,0.5000001,0,ankle", "1,,1,fall", "1,,1,fall"}, false);
  check_alike((const char *[]){"1,0.5,0,ankle", "1,0.5,0,ankle", "1,,1,fall", "1,0.5,1,fall"}, false);
  check_alike((const char *[]){"1,0.5,0,ankle", "1,0.5,0,hip", "1,,1,fall", "1,,1,fall"}, false);
  check_alike((const char *[]){"1,1,0,ankle", "1,1,0,ankle", "1,,1,fall", "1,,1,fall"}, false); // may be chance
}

static void test_a_study_without_rows_has_a_summary(void **state) {
  (void)state;
  char head[256];
  snprintf(head, sizeof head, "%.*s\n", (int)strcspn(ROWS, "\n"), ROWS);
  Fixture fixture;
  fixture_start(&fixture, head);
  assert_int_equal(fixture.summary->count, 3 * 12); // ok, time, fell; no label occurs
  assert_share(find(&fixture, SUMMARY_ALL, 0, 0, 0, FELL, ""), 0, 0, 0, 0, 0);
  fixture_end(&fixture);
  char *text = printed(head);
  assert_has(text, "shove: 0 of 12 trials");
  free(text);
}

// A file that was changed by hand.
static void test_rows_of_no_cell_or_repeat_count_nowhere(void **state) {
  (void)state;
  char rows[2 * sizeof ROWS];
  snprintf(rows, sizeof rows, "%s%s", ROWS,
           "10,6,0,1,right,5,complete,1,9,1,hip\n11,-1,0,1,right,5,complete,1,9,1,hip\n12,,0,1,right,5,complete,1,9,1,"
           "hip\n13,3,2,1,right,5,complete,1,9,1,hip\n14,3,-1,1,right,5,complete,1,9,1,hip\n15,3,,1,right,5,complete,1,"
           "9,1,hip\n");
  char *text = csv_of(rows), *clean = csv_of(ROWS);
  assert_string_equal(text, clean);
  free(text), free(clean);
}

// More cells than anybody reads, each of one trial: axes and the whole are still listed.
static void test_too_many_cells_are_left_out(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  fixture_start(&fixture, ROWS);
  summary_destroy(fixture.summary);
  static char *many[1000];
  for (int i = 0; i < 1000; i++)
    many[i] = sides[0];
  fixture.study->axes[0].values = fixture.study->axes[2].values = many;
  fixture.study->axes[0].count = fixture.study->axes[2].count = 1000;
  fixture.study->cell_count = 1000000;
  fixture.summary = summary_create(fixture.study, fixture.table, &error);
  assert_non_null(fixture.summary);
  assert_int_equal(fixture.summary->count, 9 * 2001);
  fixture_end(&fixture);
}

// Groups of one's own: by force they are those of the axis; rows of no group count nowhere.
static void test_groups_of_ones_own(void **state) {
  (void)state;
  Fixture fixture;
  Error error = {0};
  fixture_start(&fixture, ROWS);
  long of_row[16];
  for (long row = 0; row < fixture.table->row_count; row++)
    of_row[row] = lround(table_number(fixture.table, row, 1)) % 3;
  SummaryGroups groups = {.count = 3, .of_row = of_row};
  Summary *own = summary_of_groups(fixture.study, fixture.table, &groups, &error);
  assert_non_null(own);
  assert_int_equal(own->rows_per_group, 9);
  assert_int_equal(own->count, 3 * own->rows_per_group);
  for (int i = 0; i < own->count; i++) {
    SummaryRow *row = &own->rows[i];
    assert_int_equal(row->scope, SUMMARY_GROUP);
    assert_int_equal(row->cell, i / 9);
    row->scope = SUMMARY_AXIS, row->axis = 2, row->value = i / 9;
  }
  size_t size;
  const Summary axis = {.rows = &fixture.summary->rows[9 * 3], .count = own->count}; // the force
  char *text = summary_csv(fixture.study, own, &size), *wanted = summary_csv(fixture.study, &axis, &size);
  assert_string_equal(text, wanted);
  free(text), free(wanted);
  summary_destroy(own);

  of_row[0] = of_row[1] = -1; // trials 2 and 0
  groups.shares_only = true;
  own = summary_of_groups(fixture.study, fixture.table, &groups, &error);
  assert_non_null(own);
  assert_int_equal(own->rows_per_group, 8); // all but the recovery time
  long trials = 0;
  for (int i = 0; i < own->count; i += 8)
    trials += own->rows[i].trials;
  assert_int_equal(trials, fixture.table->row_count - 2);
  summary_destroy(own);
  fixture_end(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_is_a_row_for_every_scope_column_and_label),
      cmocka_unit_test(test_shares_are_of_the_trials_to_which_they_apply),
      cmocka_unit_test(test_what_does_not_apply_does_not_count),
      cmocka_unit_test(test_incomplete_trials_count_in_status_and_ok_alone),
      cmocka_unit_test(test_every_label_that_occurs_has_a_share_everywhere),
      cmocka_unit_test(test_numbers_are_samples_of_those_to_which_they_apply),
      cmocka_unit_test(test_the_same_trials_have_the_same_interval),
      cmocka_unit_test(test_summary_depends_on_the_trials_alone),
      cmocka_unit_test(test_csv_is_tidy),
      cmocka_unit_test(test_print_is_for_people),
      cmocka_unit_test(test_repeats_that_are_alike_are_reported),
      cmocka_unit_test(test_a_study_without_rows_has_a_summary),
      cmocka_unit_test(test_rows_of_no_cell_or_repeat_count_nowhere),
      cmocka_unit_test(test_too_many_cells_are_left_out),
      cmocka_unit_test(test_groups_of_ones_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
