// Summaries of drawn studies as they are printed, and as CSV, to the letter: few and many metrics and values, lengths
// in mm and m, tiny and large numbers, metrics that apply to no trial, labels that need several lines.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/sweep/summary.h"
#include "sim/base/rng.h"
#include "tests/unit/text_digest.h"

enum { FIRST = 6, MOST = FIRST + 24 };

// What a study is like.
typedef struct Kind {
  const char *name;
  int metrics, values, repeats;
  bool one_character, whole; // all metrics are of the man; all trials are there and complete
  bool alike;                // repeats have the same results
  uint64_t printed, csv;     // digests
} Kind;

static const Kind KINDS[] = {
    {"small", 3, 2, 2, true, true, false, 0x177cb2baf227cfbf, 0xaa9df561ae219709},
    {"no metrics", 0, 3, 1, true, true, false, 0x83ffe9af80a93872, 0x4cb4ac37220d8620},
    {"wide", 24, 4, 3, true, false, false, 0x10c38f3e6d3bc7cb, 0xfeaa6f078dc921cc},
    {"two characters", 9, 3, 12, false, false, false, 0x6c2edb26449fe5db, 0x1ab4253c9792afd7},
    {"many values", 5, 30, 2, false, true, false, 0x37ee8c6d54735e9c, 0x3bd8d3f89c924131},
    {"alike", 4, 3, 3, true, true, true, 0xda1982199e5d1c9c, 0xf653cbe2fade9124},
};

static TableColumn columns[MOST] = {{"trial", "", TABLE_NUMBER},  {"cell", "", TABLE_NUMBER},
                                    {"repeat", "", TABLE_NUMBER}, {"seed", "", TABLE_NUMBER},
                                    {"status", "", TABLE_TEXT},   {"time", "s", TABLE_NUMBER}};

// Names of metrics, their units, their largest size, and how many of ten trials they apply to.
static const struct {
  const char *name, *unit;
  double size;
  int applies;
} METRICS[] = {{"peak_torque", "N m", 400, 10},
               {"peak_com_displacement", "m", 0.05, 10},
               {"fell", "bool", 1, 10},
               {"distance", "m", 3, 10},
               {"recovery_strategy", "text", 0, 8},
               {"mean_power", "W", 50000, 10},
               {"never", "s", 1, 0},
               {"rounding", "-", 1e-14, 10},
               {"slip", "m", 0.0999, 9},
               {"reach", "m", 0.15, 9},
               {"tiny", "m", 1e-4, 10},
               {"recovery_time", "s", 2, 6},
               {"steps_taken", "-", 9, 10}};
enum { METRIC_COUNT = sizeof METRICS / sizeof *METRICS };

static char *heights[32];

static void add_value(const Kind *kind, Rng *rng, int metric, FILE *out) {
  static const char *const labels[] = {"ankle",
                                       "a hip that bends far",
                                       "steps",
                                       "a step aside, and then one back",
                                       "falls toward the left",
                                       "falls toward the right"};
  const int m = metric % METRIC_COUNT;
  const bool applies = rng_index(rng, 10) < METRICS[m].applies;
  const double drawn = kind->alike ? 0.5 : rng_range(rng, -0.2, 1);
  const int label = kind->alike ? 0 : rng_index(rng, 6);
  fprintf(out, ",");
  if (!applies && !kind->alike)
    return;
  if (strcmp(METRICS[m].unit, "text") == 0)
    fprintf(out, "\"%s\"", labels[label]);
  else if (strcmp(METRICS[m].unit, "bool") == 0)
    fprintf(out, "%d", drawn > 0.4);
  else if (METRICS[m].applies > 0)
    fprintf(out, "%.6g", METRICS[m].size * drawn);
}

static char *make_rows(const Kind *kind, Rng *rng, int column_count) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  for (int i = 0; i < column_count; i++)
    fprintf(out, "%s%s", i > 0 ? "," : "", columns[i].name);
  fprintf(out, "\n");
  for (int trial = 0; trial < 2 * kind->values * kind->repeats; trial++) {
    const bool complete = kind->whole || rng_index(rng, 6) > 0;
    if (!kind->whole && rng_index(rng, 10) == 0)
      continue; // not there yet
    fprintf(out, "%d,%d,%d,%d,%s,%.3g", trial, trial / kind->repeats, trial % kind->repeats, 1 + trial % kind->repeats,
            complete ? "complete" : "stopped: a part is 120 m/s fast", kind->alike ? 1 : rng_range(rng, 1, 2));
    for (int i = 0; i < kind->metrics; i++)
      add_value(kind, rng, i, out);
    fprintf(out, "\n");
  }
  fclose(out);
  return text;
}

static bool is_kept(const Kind *kind) {
  static char *sides[] = {"left", "right"};
  Rng rng = rng_make(4, kind->name);
  Error error = {0};
  for (int i = 0; i < kind->metrics; i++) {
    const int m = i % METRIC_COUNT;
    TableColumn *column = &columns[FIRST + i];
    *column = (TableColumn){.kind = strcmp(METRICS[m].unit, "text") == 0 ? TABLE_TEXT : TABLE_NUMBER};
    snprintf(column->name, sizeof column->name, "%s.%s%s", kind->one_character || i % 2 ? "man" : "woman",
             METRICS[m].name, i < METRIC_COUNT ? "" : "_again");
    snprintf(column->unit, sizeof column->unit, "%s", column->kind == TABLE_TEXT ? "" : METRICS[m].unit);
  }
  StudyDef *study = calloc(1, sizeof *study);
  assert_non_null(study);
  snprintf(study->name, sizeof study->name, "%s", kind->name);
  study->run.seed = 1;
  study->run.repeats = kind->repeats;
  study->axis_count = 2;
  strcpy(study->axes[0].name, "from");
  study->axes[0].count = 2;
  study->axes[0].values = sides;
  strcpy(study->axes[1].name, "height");
  strcpy(study->axes[1].unit, "m");
  study->axes[1].count = kind->values;
  study->axes[1].values = heights;
  study->cell_count = 2 * kind->values;
  study->trial_count = study->cell_count * kind->repeats;
  study->columns = columns;
  study->column_count = FIRST + kind->metrics;
  char *rows = make_rows(kind, &rng, study->column_count);
  Table *table = table_parse("trials.csv", rows, strlen(rows), columns, study->column_count, &error);
  assert_string_equal(error.text, "");
  Summary *summary = summary_create(study, table, &error);
  assert_non_null(summary);

  size_t size;
  char *csv = summary_csv(study, summary, &size), *printed = NULL;
  FILE *out = open_memstream(&printed, &size);
  assert_true(csv && out);
  summary_print(out, study, table, summary);
  fclose(out);
  bool same = text_is_kept(kind->name, printed, kind->printed);
  same &= text_is_kept(kind->name, csv, kind->csv);
  free(csv);
  free(printed);
  summary_destroy(summary);
  table_free(table);
  free(rows);
  free(study);
  return same;
}

static void summaries_to_the_letter(void **state) {
  (void)state;
  static char names[32][8];
  for (int i = 0; i < 32; i++) {
    snprintf(names[i], sizeof names[i], "%g", 0.05 * i);
    heights[i] = names[i];
  }
  int wrong = 0;
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    wrong += !is_kept(&KINDS[i]);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(summaries_to_the_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
