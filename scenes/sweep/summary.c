// Summarises the trials of a study: shares and medians with their intervals, for every cell, for every value, and for
// the whole.
#include "scenes/sweep/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column of the table to be summarised. Labels of texts are numbered, so that counting is fast.
typedef struct Subject {
  int column;
  bool is_text, is_bool;
  bool of_all;                     // of all trials, also those that are not complete
  char (*labels)[TABLE_NAME_SIZE]; // in alphabetical order
  int label_count;
  int *codes; // [row_count]: index of the label, -1: none
} Subject;

// A division of the trials: all in one group, by the values of an axis, by cells, or as the caller wants.
typedef struct Split {
  SummaryScope scope;
  int axis;
  long groups;
  const long *of_row; // SUMMARY_GROUP
} Split;

typedef struct Maker {
  const StudyDef *study;
  const Table *table;
  int cell_column, repeat_column, status_column;
  Subject *subjects;
  int subject_count;
  long rows_per_group;
  long *start, *order; // rows of group g: order[start[g]] .. order[start[g + 1] - 1], ascending
  double *values;      // values of a group's rows
  long *repeats;
  long *repeat_trials, *repeat_successes; // [study->run.repeats], 0 between groups
  Sampler *sampler;
  Summary *summary;
} Maker;

bool summary_is_share(const TableColumn *column) {
  return column->kind == TABLE_TEXT || strcmp(column->unit, "bool") == 0;
}

static bool is_crossed(const StudyDef *study, int axis) { return study->axes[axis].count > 0; }

// ---- Labels ----

// The label of a text: for a status the part before the ':'.
static void label_of(const Maker *maker, int column, long row, char label[TABLE_NAME_SIZE]) {
  snprintf(label, TABLE_NAME_SIZE, "%s", table_text(maker->table, row, column));
  if (strcmp(maker->table->columns[column].name, "status") == 0)
    label[strcspn(label, ":")] = '\0';
}

static int find_label(const Subject *subject, const char *label) {
  for (int i = 0; i < subject->label_count; i++)
    if (strcmp(subject->labels[i], label) == 0)
      return i;
  return -1;
}

static bool add_label(Subject *subject, const char *label) {
  char(*labels)[TABLE_NAME_SIZE] = realloc(subject->labels, (size_t)(subject->label_count + 1) * sizeof *labels);
  if (!labels)
    return false;
  memcpy(labels[subject->label_count++], label, TABLE_NAME_SIZE);
  subject->labels = labels;
  return true;
}

static int compare_labels(const void *a, const void *b) { return strcmp(a, b); }

static bool collect_labels(Maker *maker, Subject *subject) {
  char label[TABLE_NAME_SIZE];
  const long rows = maker->table->row_count;
  subject->codes = calloc((size_t)rows + 1, sizeof *subject->codes);
  if (!subject->codes)
    return false;
  for (long row = 0; row < rows; row++) {
    label_of(maker, subject->column, row, label);
    if (label[0] != '\0' && find_label(subject, label) < 0 && !add_label(subject, label))
      return false;
  }
  if (subject->label_count > 0)
    qsort(subject->labels, (size_t)subject->label_count, sizeof *subject->labels, compare_labels);
  for (long row = 0; row < rows; row++) {
    label_of(maker, subject->column, row, label);
    subject->codes[row] = find_label(subject, label);
  }
  return true;
}

static bool collect_subjects(Maker *maker, bool shares_only) {
  const Table *table = maker->table;
  const int first = maker->status_column;
  maker->subjects = calloc((size_t)table->column_count, sizeof *maker->subjects);
  if (!maker->subjects)
    return false;
  for (int i = first; i >= 0 && i < table->column_count; i++) {
    if (shares_only && !summary_is_share(&table->columns[i]))
      continue;
    Subject *subject = &maker->subjects[maker->subject_count++];
    subject->column = i;
    subject->is_text = table->columns[i].kind == TABLE_TEXT;
    subject->is_bool = !subject->is_text && summary_is_share(&table->columns[i]);
    subject->of_all = i == first || strcmp(table->columns[i].name, "ok") == 0;
    if (subject->is_text && !collect_labels(maker, subject))
      return false;
    maker->rows_per_group += subject->is_text ? subject->label_count : 1;
  }
  return true;
}

// ---- Groups ----

// -1: the row's cell or repeat does not belong to the study, so it is in no group.
static long group_of(const Maker *maker, const Split *split, long row) {
  const double cell = table_number(maker->table, row, maker->cell_column);
  const double repeat = table_number(maker->table, row, maker->repeat_column);
  if (!(cell >= 0 && cell < (double)maker->study->cell_count && repeat >= 0 &&
        repeat < (double)maker->study->run.repeats))
    return -1;
  return split->scope == SUMMARY_ALL     ? 0
         : split->scope == SUMMARY_CELL  ? (long)cell
         : split->scope == SUMMARY_GROUP ? split->of_row[row]
                                         : study_cell_value(maker->study, split->axis, (long)cell);
}

// Counting sort: the size of each group, the end of each, then every row to its place; going backward leaves every
// group's start in `start`.
static void sort_into_groups(Maker *maker, const Split *split) {
  const long rows = maker->table->row_count;
  memset(maker->start, 0, (size_t)(split->groups + 1) * sizeof *maker->start);
  for (long row = 0; row < rows; row++) {
    const long group = group_of(maker, split, row);
    if (group >= 0)
      maker->start[group]++;
  }
  for (long group = 1; group <= split->groups; group++)
    maker->start[group] += maker->start[group - 1];
  for (long row = rows - 1; row >= 0; row--) {
    const long group = group_of(maker, split, row);
    if (group >= 0)
      maker->order[--maker->start[group]] = row;
  }
}

// ---- Rows ----

static SummaryRow *add_row(Maker *maker, const Split *split, long group, int column) {
  SummaryRow *row = &maker->summary->rows[maker->summary->count++];
  *row = (SummaryRow){.scope = split->scope,
                      .column = column,
                      .trials = maker->start[group + 1] - maker->start[group],
                      .share = NAN,
                      .share_interval = {NAN, NAN},
                      .effective = NAN,
                      .sample = sample_none};
  if (split->scope == SUMMARY_AXIS)
    row->axis = split->axis, row->value = (int)group;
  if (split->scope == SUMMARY_CELL || split->scope == SUMMARY_GROUP)
    row->cell = group;
  return row;
}

static long repeat_of(const Maker *maker, long row) {
  return (long)table_number(maker->table, row, maker->repeat_column);
}

// Metrics of an incomplete trial are not those of a whole trial, so they do not count.
static bool counts(const Maker *maker, const Subject *subject, long row) {
  return subject->of_all || strcmp(table_text(maker->table, row, maker->status_column), "complete") == 0;
}

// Whether a row has the label, or the value yes; -1: it has no value.
static int answer_of(const Maker *maker, const Subject *subject, int label, long row) {
  if (!counts(maker, subject, row))
    return -1;
  if (subject->is_text)
    return subject->codes[row] < 0 ? -1 : subject->codes[row] == label;
  const double value = table_number(maker->table, row, subject->column);
  return isnan(value) ? -1 : value != 0;
}

// First the totals of each repeat, then the sums over the repeats.
static ShareTally tally_group(Maker *maker, long group, const Subject *subject, int label) {
  const long first = maker->start[group], end = maker->start[group + 1];
  for (long i = first; i < end; i++) {
    const int answer = answer_of(maker, subject, label, maker->order[i]);
    const long repeat = repeat_of(maker, maker->order[i]);
    maker->repeat_trials[repeat] += answer >= 0;
    maker->repeat_successes[repeat] += answer > 0;
  }
  ShareTally tally = {0};
  for (long i = first; i < end; i++) {
    const long repeat = repeat_of(maker, maker->order[i]);
    statistics_tally(&tally, maker->repeat_successes[repeat], maker->repeat_trials[repeat]);
    maker->repeat_trials[repeat] = maker->repeat_successes[repeat] = 0;
  }
  return tally;
}

static SummaryRow *add_share_row(Maker *maker, const Split *split, long group, const Subject *subject, int label) {
  const ShareTally tally = tally_group(maker, group, subject, label);
  SummaryRow *row = add_row(maker, split, group, subject->column);
  row->count = tally.count;
  row->repeats = tally.clusters;
  if (tally.count == 0)
    return row;
  row->share = (double)tally.successes / (double)tally.count;
  row->share_interval = statistics_share_interval(&tally);
  row->effective = statistics_effective_count(&tally);
  return row;
}

static void add_label_rows(Maker *maker, const Split *split, long group, const Subject *subject) {
  for (int label = 0; label < subject->label_count; label++) {
    SummaryRow *row = add_share_row(maker, split, group, subject, label);
    memcpy(row->label, subject->labels[label], sizeof row->label);
  }
}

static void add_number_row(Maker *maker, const Split *split, long group, const Subject *subject) {
  long count = 0;
  for (long i = maker->start[group]; i < maker->start[group + 1]; i++) {
    if (!counts(maker, subject, maker->order[i]))
      continue;
    maker->values[count] = table_number(maker->table, maker->order[i], subject->column);
    maker->repeats[count++] = repeat_of(maker, maker->order[i]);
  }
  SummaryRow *row = add_row(maker, split, group, subject->column);
  row->sample = sample_take(maker->sampler, maker->values, maker->repeats, count);
  row->count = row->sample.count;
  row->repeats = row->sample.clusters;
}

static void add_split(Maker *maker, const Split *split) {
  sort_into_groups(maker, split);
  for (long group = 0; group < split->groups; group++) {
    for (int i = 0; i < maker->subject_count; i++) {
      const Subject *subject = &maker->subjects[i];
      if (subject->is_text)
        add_label_rows(maker, split, group, subject);
      else if (subject->is_bool)
        add_share_row(maker, split, group, subject, 0);
      else
        add_number_row(maker, split, group, subject);
    }
  }
}

// ---- The whole ----

static bool has_room(const Maker *maker, long groups) {
  return maker->rows_per_group == 0 || groups <= SUMMARY_MAX_ROWS / maker->rows_per_group;
}

static int list_splits(const Maker *maker, Split splits[STUDY_MAX_AXES + 2]) {
  const StudyDef *study = maker->study;
  int count = 0;
  splits[count++] = (Split){.scope = SUMMARY_ALL, .groups = 1};
  for (int i = 0; i < study->axis_count; i++)
    if (is_crossed(study, i) && has_room(maker, study->axes[i].count))
      splits[count++] = (Split){.scope = SUMMARY_AXIS, .axis = i, .groups = study->axes[i].count};
  if (has_room(maker, study->cell_count))
    splits[count++] = (Split){.scope = SUMMARY_CELL, .groups = study->cell_count};
  return count;
}

static bool allocate(Maker *maker, const Split *splits, int split_count) {
  long groups = 0, most_groups = 0;
  for (int i = 0; i < split_count; i++) {
    groups += splits[i].groups;
    most_groups = splits[i].groups > most_groups ? splits[i].groups : most_groups;
  }
  const size_t rows = (size_t)maker->table->row_count;
  maker->summary = calloc(1, sizeof *maker->summary);
  maker->start = calloc((size_t)most_groups + 1, sizeof *maker->start);
  maker->order = calloc(rows + 1, sizeof *maker->order);
  maker->values = calloc(rows + 1, sizeof *maker->values);
  maker->repeats = calloc(rows + 1, sizeof *maker->repeats);
  maker->repeat_trials = calloc((size_t)maker->study->run.repeats, sizeof *maker->repeat_trials);
  maker->repeat_successes = calloc((size_t)maker->study->run.repeats, sizeof *maker->repeat_successes);
  maker->sampler = sampler_create((uint64_t)maker->study->run.seed, maker->table->row_count);
  if (!maker->summary || !maker->start || !maker->order || !maker->values || !maker->repeats || !maker->repeat_trials ||
      !maker->repeat_successes || !maker->sampler)
    return false;
  maker->summary->rows_per_group = maker->rows_per_group;
  maker->summary->rows = calloc((size_t)(groups * maker->rows_per_group) + 1, sizeof *maker->summary->rows);
  return maker->summary->rows != NULL;
}

static void free_work(Maker *maker) {
  for (int i = 0; i < maker->subject_count; i++) {
    free(maker->subjects[i].labels);
    free(maker->subjects[i].codes);
  }
  free(maker->subjects);
  free(maker->start);
  free(maker->order);
  free(maker->values);
  free(maker->repeats);
  free(maker->repeat_trials);
  free(maker->repeat_successes);
  sampler_destroy(maker->sampler);
}

// groups: NULL for the whole, the axes and the cells.
static Summary *make(const StudyDef *study, const Table *table, const SummaryGroups *groups, Error *error) {
  Maker maker = {.study = study, .table = table};
  maker.cell_column = table_find(table, "cell");
  maker.repeat_column = table_find(table, "repeat");
  maker.status_column = table_find(table, "status");
  Split splits[STUDY_MAX_AXES + 2] = {{.scope = SUMMARY_GROUP}};
  int split_count = 1;
  bool ok = collect_subjects(&maker, groups && groups->shares_only);
  if (groups) {
    splits[0].groups = groups->count;
    splits[0].of_row = groups->of_row;
  } else {
    split_count = ok ? list_splits(&maker, splits) : 0;
  }
  ok = ok && allocate(&maker, splits, split_count);
  for (int i = 0; i < split_count && ok; i++)
    add_split(&maker, &splits[i]);
  free_work(&maker);
  if (ok)
    return maker.summary;
  summary_destroy(maker.summary);
  error_set(error, "%s: no memory for the summary of %ld trials", study->name, table->row_count);
  return NULL;
}

Summary *summary_create(const StudyDef *study, const Table *table, Error *error) {
  return make(study, table, NULL, error);
}

Summary *summary_of_groups(const StudyDef *study, const Table *table, const SummaryGroups *groups, Error *error) {
  return make(study, table, groups, error);
}

void summary_destroy(Summary *summary) {
  if (!summary)
    return;
  free(summary->rows);
  free(summary);
}

// ---- CSV ----

enum { LINE_SIZE = 2 * STUDY_MAX_AXES * PARAM_TEXT_SIZE + 4 * TABLE_NAME_SIZE + 1024 };

static const char SCOPE[] = "scope"; // followed by the axes
static const char *const CSV_COLUMNS[] = {"metric",     "label",     "unit",       "trials",     "count",
                                          "repeats",    "share",     "share_low",  "share_high", "effective",
                                          "mean",       "deviation", "min",        "quartile_1", "median",
                                          "quartile_3", "max",       "median_low", "median_high"};
enum { CSV_COLUMN_COUNT = sizeof CSV_COLUMNS / sizeof CSV_COLUMNS[0] };

bool summary_has_column(const char *name) {
  for (int i = 0; i < CSV_COLUMN_COUNT; i++)
    if (strcmp(name, CSV_COLUMNS[i]) == 0)
      return true;
  return strcmp(name, SCOPE) == 0;
}

static void write_header(FILE *out, const StudyDef *study) {
  char line[LINE_SIZE];
  snprintf(line, sizeof line, "%s", SCOPE);
  for (int i = 0; i < study->axis_count; i++)
    if (is_crossed(study, i))
      table_add_text(line, sizeof line, study->axes[i].name);
  for (int i = 0; i < CSV_COLUMN_COUNT; i++)
    table_add_text(line, sizeof line, CSV_COLUMNS[i]);
  fprintf(out, "%s\n", line);
}

// The value of an axis if the row's scope fixes it, otherwise "".
static const char *fixed_value(const StudyDef *study, const SummaryRow *row, int axis) {
  if (row->scope == SUMMARY_CELL)
    return study->axes[axis].values[study_cell_value(study, axis, row->cell)];
  return row->scope == SUMMARY_AXIS && row->axis == axis ? study->axes[axis].values[row->value] : "";
}

static void write_row(FILE *out, const StudyDef *study, const SummaryRow *row) {
  static const char *const SCOPES[] = {"all", "axis", "cell", "group"};
  const TableColumn *column = &study->columns[row->column];
  const Sample *sample = &row->sample;
  const double numbers[] = {
      (double)row->trials,      (double)row->count,  (double)row->repeats, row->share,        row->share_interval.low,
      row->share_interval.high, row->effective,      sample->mean,         sample->deviation, sample->min,
      sample->quartile[0],      sample->quartile[1], sample->quartile[2],  sample->max,       sample->median.low,
      sample->median.high};
  char line[LINE_SIZE];
  snprintf(line, sizeof line, "%s", SCOPES[row->scope]);
  for (int i = 0; i < study->axis_count; i++)
    if (is_crossed(study, i))
      table_add_text(line, sizeof line, fixed_value(study, row, i));
  table_add_text(line, sizeof line, column->name);
  table_add_text(line, sizeof line, row->label);
  table_add_text(line, sizeof line, column->unit);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    table_add_number(line, sizeof line, numbers[i]);
  fprintf(out, "%s\n", line);
}

char *summary_csv(const StudyDef *study, const Summary *summary, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out)
    return NULL;
  write_header(out, study);
  for (int i = 0; i < summary->count; i++)
    write_row(out, study, &summary->rows[i]);
  const bool failed = ferror(out) != 0;
  if (fclose(out) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

// ---- Repeats ----

static bool same_cells(const Table *table, long a, long b, int column) {
  if (table->columns[column].kind == TABLE_TEXT)
    return strcmp(table_text(table, a, column), table_text(table, b, column)) == 0;
  const double x = table_number(table, a, column), y = table_number(table, b, column);
  return x == y || (isnan(x) && isnan(y));
}

bool summary_repeats_alike(const Table *table) {
  const int cell = table_find(table, "cell"), first = table_find(table, "seed") + 1;
  // telling: a number with a fraction was compared; booleans and counts may be equal by chance
  bool compared = false, telling = false;
  for (long row = 1; row < table->row_count; row++) {
    if (table_number(table, row, cell) != table_number(table, row - 1, cell))
      continue;
    compared = true;
    for (int i = first; i < table->column_count; i++) {
      const double value = table->columns[i].kind == TABLE_NUMBER ? table_number(table, row, i) : 0;
      if (!same_cells(table, row - 1, row, i))
        return false;
      telling = telling || (i > table_find(table, "time") && isfinite(value) && value != round(value));
    }
  }
  return compared && telling;
}
