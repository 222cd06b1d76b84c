// Roses: the axes they take, shares with intervals over the axes that they do not show, and cells at their places.
#include "tests/unit/study_fixture.h"

#include "scenes/report/svg_rose.h"

static const char STUDY[] = "scene: small.yaml\n"
                            "repeats: 2\n"
                            "axes:\n"
                            "  events.0.time: {values: [0.1, 0.15], name: moment}\n"
                            "  events.0.direction: {from: 0, to: 270, steps: 4, name: side}\n"
                            "  events.0.impulse: {values: [1, 2], name: push}\n"
                            "metrics: [fell, recovery_strategy]\n";

// A row for every trial: it succeeds unless the push of 2 N s goes to the left at the first moment.
static Table *make_table(const StudyDef *study) {
  Html csv = {0};
  char *header = table_header(study->columns, study->column_count);
  html_add(&csv, header);
  free(header);
  html_add(&csv, "\n");
  for (long trial = 0; trial < study->trial_count; trial++) {
    char side[PARAM_TEXT_SIZE], push[PARAM_TEXT_SIZE], moment[PARAM_TEXT_SIZE];
    study_value(study, 0, trial, moment);
    study_value(study, 1, trial, side);
    study_value(study, 2, trial, push);
    const bool falls = strcmp(side, "90") == 0 && strcmp(push, "2") == 0 && strcmp(moment, "0.1") == 0;
    text_print(&csv, "%ld,%ld,%ld,1,%s,%s,%s,complete,%d,0.2,%d,%s\n", trial, trial / 2, trial % 2, moment, side, push,
               !falls, falls,
               falls       ? "fall"
               : trial % 2 ? "step"
                           : "ankle");
  }
  Error error = {0};
  Table *table = table_parse("trials.csv", csv.bytes, csv.size, study->columns, study->column_count, &error);
  if (!table)
    fail_msg("%s", error.text);
  text_free(&csv);
  return table;
}

static const DirectionCell *cell_of(const DirectionTable *table, int ring, int sector) {
  return &table->cells[ring * table->sector_count + sector];
}

static void test_axes_and_shares(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  Table *table = make_table(study);
  const DirectionAxes axes = direction_axes(study);
  assert_int_equal(axes.turn, 1);
  assert_int_equal(axes.outward, 2); // of N s, before the moment
  assert_int_equal(axes.other, 0);

  DirectionTable *all = direction_table_create(study, table, -1), *early = direction_table_create(study, table, 0);
  assert_true(all->sector_count == 4 && all->ring_count == 2 && all->has_strategies);
  assert_near(all->directions[3], 270, 0);
  const DirectionCell *good = cell_of(all, 0, 1), *left = cell_of(all, 1, 1), *fallen = cell_of(early, 1, 1);
  assert_true(good->count == 4 && good->successes == 4 && good->strategies[0] == 2 && good->strategies[2] == 2);
  assert_true(left->count == 4 && left->successes == 2 && left->strategies[4] == 2);
  assert_true(fallen->count == 2 && fallen->successes == 0 && fallen->strategies[4] == 2);
  // Two trials of one cell are independent, the two moments of a repeat are not.
  const Interval of_two = statistics_wilson(0, 2), of_four = statistics_wilson(4, 4);
  assert_near(fallen->interval.high, of_two.high, 1e-12);
  assert_true(good->interval.low < of_four.low);
  direction_table_destroy(all);
  direction_table_destroy(early);
  table_free(table);
  study_free(study);
}

static void test_full_turn_counts_its_ends_once(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\naxes: {events.0.direction: {from: 0, to: 360, steps: 5, name: side}}\n"
                             "metrics: [fell]\n");
  Html csv = {0};
  char *header = table_header(study->columns, study->column_count);
  text_print(&csv, "%s\n0,0,0,1,0,complete,1,0.2,0\n4,4,0,1,360,complete,0,0.2,1\n", header);
  free(header);
  Table *table = table_parse("trials.csv", csv.bytes, csv.size, study->columns, study->column_count, NULL);
  assert_non_null(table);
  DirectionTable *made = direction_table_create(study, table, -1);
  assert_true(made->sector_count == 4 && made->ring_count == 1 && !made->outward && !made->has_strategies);
  assert_true(cell_of(made, 0, 0)->count == 2 && cell_of(made, 0, 0)->successes == 1 &&
              cell_of(made, 0, 1)->count == 0);
  direction_table_destroy(made);
  table_free(table);
  text_free(&csv);
  study_free(study);

  study = study_of("scene: small.yaml\naxes: {events.0.direction: {from: 0, to: 90, steps: 5}}\nmetrics: [fell]\n");
  assert_null(direction_table_create(study, NULL, -1)); // a quarter is no turn
  study_free(study);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void test_picture(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  Table *table = make_table(study);
  DirectionTable *all = direction_table_create(study, table, -1);
  Html html = {0};
  svg_rose(&html, all, "a < b", true);
  assert_int_equal(strncmp(html.bytes, "<svg xmlns=", 11), 0);
  assert_non_null(strstr(html.bytes, "Success: a &lt; b"));
  // What each cell tells, and its stripes: the lower end of the interval, the share, the upper end, in their colours.
  for (int i = 0; i < all->ring_count * all->sector_count; i++) {
    const DirectionCell *cell = &all->cells[i];
    const double told[] = {cell->interval.low, (double)cell->successes / (double)cell->count, cell->interval.high};
    char title[160];
    snprintf(title, sizeof title,
             "<title>side %d deg, push %d N s: %ld of 4, 95 %% interval %.1f to %.1f %%</title><path fill=\"",
             90 * (i % 4), 1 + i / 4, cell->successes, 100 * told[0], 100 * told[2]);
    const char *at = strstr(html.bytes, title);
    if (!at) {
      fail_msg("no '%s'", title);
      exit(1); // not reached
    }
    for (int k = 0; k < 3; k++) {
      char color[8];
      svg_rose_color(told[k], color);
      at = strstr(at, "<path fill=\"");
      assert_non_null(at);
      at += strlen("<path fill=\"");
      assert_memory_equal(at, color, 7);
    }
  }
  assert_non_null(
      strstr(html.bytes, "<title>side 90 deg, push 2 N s, ankle 1 of 4, one step 1 of 4, fall 2 of 4</title>"));
  assert_int_equal(count_of(html.bytes, "class=\"rose-cell\""), 2 * 8);
  // The outer ring to the left: from 45 to 135 deg about (660, 236), from 106 to 172 px; falls fill its outer half.
  char patch[128];
  snprintf(patch, sizeof patch, "<path fill=\"#a92b34\" d=\"M%.1f %.1fL%.1f %.1fA172.0 172.0 0 0 0",
           660 - 139 * sqrt(0.5), 236 - 139 * sqrt(0.5), 660 - 172 * sqrt(0.5), 236 - 172 * sqrt(0.5));
  assert_non_null(strstr(html.bytes, patch));
  // Its share, about (220, 236): a fifth of its width for each end of the interval, the lower end last.
  const double stripes[][2] = {{117, 135}, {63, 117}, {45, 63}}; // deg
  const char *at = strstr(html.bytes, "<title>side 90 deg, push 2 N s: ");
  for (int i = 0; i < 3; i++) {
    const double from = stripes[i][0] * M_PI / 180, to = stripes[i][1] * M_PI / 180;
    snprintf(patch, sizeof patch, "d=\"M%.1f %.1fL%.1f %.1fA172.0 172.0 0 0 0 %.1f %.1fL", 220 - 106 * sin(from),
             236 - 106 * cos(from), 220 - 172 * sin(from), 236 - 172 * cos(from), 220 - 172 * sin(to),
             236 - 172 * cos(to));
    at = strstr(at, patch);
    if (!at) {
      fail_msg("no stripe '%s'", patch);
      exit(1); // not reached
    }
  }
  assert_null(strstr(html.bytes, "nan"));
  text_free(&html);
  svg_rose(&html, all, "", false);
  assert_null(strstr(html.bytes, "http"));
  text_free(&html);
  const DirectionTable *const both[] = {all, all};
  const char *const names[] = {"early", "late"};
  svg_roses(&html, both, names, 2);
  assert_int_equal(count_of(html.bytes, "class=\"rose-cell\""), 2 * 8);
  text_free(&html);
  direction_table_destroy(all);
  table_free(table);
  study_free(study);
}

static void test_colors(void **state) {
  (void)state;
  char low[8], middle[8], high[8], beyond[8];
  svg_rose_color(0, low);
  svg_rose_color(0.5, middle);
  svg_rose_color(1, high);
  svg_rose_color(1.2, beyond);
  assert_string_equal(low, "#9e1f2f");
  assert_string_equal(middle, "#f3e6cf");
  assert_string_equal(high, "#1b5a9a");
  assert_string_equal(beyond, high);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_axes_and_shares),
      cmocka_unit_test(test_full_turn_counts_its_ends_once),
      cmocka_unit_test(test_picture),
      cmocka_unit_test(test_colors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
