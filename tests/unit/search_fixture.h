// Tables of trials as a search sees them, of worlds whose answers are known.
#ifndef STAGGER_TESTS_SEARCH_FIXTURE_H
#define STAGGER_TESTS_SEARCH_FIXTURE_H

#include "sim/base/text_buffer.h"
#include "tests/unit/study_fixture.h"

// Adds the row of a complete trial: its plan, ok, and the value of its only metric.
static inline void search_add_row(const StudyDef *study, long trial, bool ok, double metric, TextBuffer *rows) {
  StudyTrial plan;
  char line[512] = "";
  study_trial(study, trial, &plan);
  const double numbers[] = {(double)trial, (double)plan.cell, plan.repeat, plan.seed};
  for (int i = 0; i < 4; i++)
    table_add_number(line, sizeof line, numbers[i]);
  for (int i = 0; i < study->axis_count; i++) {
    char value[PARAM_TEXT_SIZE];
    study_value(study, i, trial, value);
    table_add_text(line, sizeof line, value);
  }
  table_add_text(line, sizeof line, "complete");
  table_add_number(line, sizeof line, ok);
  table_add_number(line, sizeof line, 0.2);
  table_add_number(line, sizeof line, metric);
  text_print(rows, "%s\n", line);
}

// The sorted table of these rows.
static inline Table *search_table(const StudyDef *study, const TextBuffer *rows) {
  char *header = table_header(study->columns, study->column_count);
  TextBuffer text = {0};
  text_print(&text, "%s\n", header);
  if (rows->size > 0)
    text_append(&text, rows->bytes, rows->size);
  Error error = {0};
  Table *table = table_parse("rows", text.bytes, text.size, study->columns, study->column_count, &error);
  if (!table || !table_sort(table, &error))
    fail_msg("%s", error.text);
  free(header);
  text_free(&text);
  return table;
}

#endif
