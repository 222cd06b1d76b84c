// Computes the results of a study for its report: for the whole, over axes one by one, in twos and threes, and over
// directions. All shares, medians and intervals come from scenes/sweep/summary.h.
#include "scenes/report/study_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRIDS = 2 + STUDY_MAX_AXES + STUDY_MAX_AXES * (STUDY_MAX_AXES - 1) / 2 };

// Names.

static const char *metric_of(const char *column) {
  const char *dot = strrchr(column, '.');
  return dot ? dot + 1 : "";
}

const char *study_results_name(const StudyDef *study, const TableColumn *column) {
  const char *metric = metric_of(column->name);
  return study->scene->character_count == 1 && metric[0] != '\0' ? metric : column->name;
}

const char *study_results_doc(const TableColumn *column) {
  static const struct {
    const char *name, *doc;
  } own[] = {
      {"trial", "Its number in the study's plan."},
      {"cell", "Which combination of the crossed axes' values it has."},
      {"repeat", "Which one of its cell, from 0."},
      {"seed", "All random numbers of the trial come from it."},
      {"status", "How it ended."},
      {"ok", "It is complete and the scene's expectations held."},
      {"time", "Simulated time."},
  };
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (strcmp(column->name, own[i].name) == 0)
      return own[i].doc;
  const char *dot = strrchr(column->name, '.');
  for (int i = 0; dot && i < metric_row_count; i++)
    if (strcmp(metric_rows[i].name, dot + 1) == 0)
      return metric_rows[i].doc;
  return dot && strcmp(dot, ".recovery_strategy") == 0 ? "How the worst hit was taken." : "";
}

void study_results_success(const StudyDef *study, char *text, size_t size) {
  enum { ROOM = 42 }; // letters that fit over half of the picture
  const SceneDef *scene = study->scene;
  snprintf(text, size, "%s", scene->expect_count == 0 ? "he does not fall" : "");
  for (int i = 0; i < scene->expect_count; i++) {
    const size_t length = strlen(text), rest = i + 1 < scene->expect_count ? strlen(", ...") : 0;
    if (i > 0 && length + strlen(", ") + strlen(scene->expects[i].text) + rest > ROOM) {
      snprintf(text + length, size - length, ", ...");
      return;
    }
    snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", scene->expects[i].text);
  }
}

// Rows.

const TableColumn *study_results_column(const StudyResults *results, int measure) {
  return &results->folder->study->columns[results->folder->summary->rows[measure].column];
}

const char *study_results_label(const StudyResults *results, int measure) {
  return results->folder->summary->rows[measure].label;
}

const ResultGrid *study_results_cells(const StudyResults *results) {
  for (int i = 0; i < results->grid_count; i++)
    if (results->grids[i].axis_count > 1 && !results->grids[i].own)
      return &results->grids[i];
  return NULL;
}

const SummaryRow *study_results_row(const StudyResults *results, const ResultGrid *grid, long group, int measure) {
  return &grid->rows[group * results->measure_count + measure];
}

ResultValue study_results_value(const SummaryRow *row) {
  return isfinite(row->share) ? (ResultValue){row->share, row->share_interval}
                              : (ResultValue){row->sample.quartile[1], row->sample.median};
}

// The most important measures.

static void add_main(StudyResults *results, int measure) {
  for (int i = 0; i < results->main_count; i++)
    if (results->main[i] == measure)
      return;
  if (results->main_count < RESULTS_MOST_MAIN)
    results->main[results->main_count++] = measure;
}

static void find_main(StudyResults *results) {
  static const char *const favourites[] = {"fell",           "recovery_time",         "peak_pose_error",
                                           "rms_pose_error", "peak_com_displacement", "mean_assist_force",
                                           "assist_impulse", "support_margin_min"};
  for (size_t k = 0; k < sizeof favourites / sizeof favourites[0]; k++)
    for (int m = 0; m < results->measure_count; m++)
      if (strcmp(metric_of(study_results_column(results, m)->name), favourites[k]) == 0)
        add_main(results, m);
  // A study without these: its first metrics, else `ok`.
  for (int m = 0; m < results->measure_count; m++)
    if (study_results_label(results, m)[0] == '\0' && metric_of(study_results_column(results, m)->name)[0] != '\0')
      add_main(results, m);
  for (int m = 0; m < results->measure_count && results->main_count == 0; m++)
    if (strcmp(study_results_column(results, m)->name, "ok") == 0)
      add_main(results, m);
}

// Grids.

// As many rows as a grid over these axes has.
static double count_rows(const StudyResults *results, const int *axes, int count) {
  double rows = results->measure_count;
  for (int i = 0; i < count; i++)
    rows *= results->folder->study->axes[axes[i]].count;
  return rows;
}

static ResultGrid *add_grid(StudyResults *results, const int *axes, int count) {
  ResultGrid *grid = &results->grids[results->grid_count++];
  grid->axis_count = count;
  grid->group_count = 1;
  for (int i = 0; i < count; i++) {
    grid->axes[i] = axes[i];
    grid->sizes[i] = results->folder->study->axes[axes[i]].count;
    grid->group_count *= grid->sizes[i];
  }
  return grid;
}

// Adds a grid whose rows are in the folder's summary, unless they were left out there or are too many.
static void add_summarised(StudyResults *results, const int *axes, int count, SummaryScope scope) {
  const Summary *summary = results->folder->summary;
  if (count > 0 && count_rows(results, axes, count) > RESULTS_MOST_ROWS)
    return;
  for (int i = 0; i < summary->count; i += results->measure_count) {
    const SummaryRow *row = &summary->rows[i];
    if (row->scope == scope && (scope != SUMMARY_AXIS || row->axis == axes[0])) {
      add_grid(results, axes, count)->rows = row;
      return;
    }
  }
}

// Computes the rows of a grid. of_row: the group of each row of the table.
static bool sum_groups(StudyResults *results, ResultGrid *grid, const long *of_row, Error *error) {
  const ReportFolder *folder = results->folder;
  const SummaryGroups groups = {.count = grid->group_count, .of_row = of_row};
  grid->own = summary_of_groups(folder->study, folder->table, &groups, error);
  grid->rows = grid->own ? grid->own->rows : NULL;
  return grid->own != NULL;
}

static bool add_pair(StudyResults *results, int slow, int fast, Error *error) {
  const StudyDef *study = results->folder->study;
  const Table *table = results->folder->table;
  const int column = table_find(table, "cell");
  ResultGrid *grid = add_grid(results, (int[]){slow, fast}, 2);
  long *of_row = calloc((size_t)table->row_count + 1, sizeof *of_row);
  for (long row = 0; of_row && row < table->row_count; row++) {
    const double cell = table_number(table, row, column);
    of_row[row] = -1;
    if (cell >= 0 && cell < (double)study->cell_count)
      of_row[row] =
          (long)study_cell_value(study, slow, (long)cell) * grid->sizes[1] + study_cell_value(study, fast, (long)cell);
  }
  const bool good = of_row ? sum_groups(results, grid, of_row, error) : error_set(error, "out of memory");
  free(of_row);
  return good;
}

// Every axis and every two axes with several values, and all three where there are just three. The cells are the finest
// of these.
static bool add_crossed(StudyResults *results, Error *error) {
  const StudyDef *study = results->folder->study;
  int axes[STUDY_MAX_AXES], count = 0;
  double rows = 0; // of pairs
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count > 1)
      axes[count++] = i;
  for (int i = 0; i < count; i++)
    add_summarised(results, &axes[i], 1, SUMMARY_AXIS);
  if (count == 2 || count == 3)
    add_summarised(results, axes, count, SUMMARY_CELL);
  for (int i = 0; count > 2 && i < count; i++)
    for (int k = i + 1; k < count; k++) {
      const double more = count_rows(results, (int[]){axes[i], axes[k]}, 2);
      if (rows + more > RESULTS_MOST_ROWS)
        continue;
      rows += more;
      if (!add_pair(results, axes[i], axes[k], error))
        return false;
    }
  return true;
}

// An axis drawn for every trial: bins of equal numbers of trials.

typedef struct Drawn {
  double value;
  long row;
} Drawn;

static int compare_drawn(const void *a, const void *b) {
  const Drawn *x = a, *y = b;
  return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->row > y->row) - (x->row < y->row);
}

static void fill_bins(ResultGrid *grid, const Drawn *drawn, long count, long *of_row) {
  for (int bin = 0; bin < grid->sizes[0]; bin++) {
    const long first = bin * count / grid->sizes[0], end = (bin + 1) * count / grid->sizes[0];
    for (long i = first; i < end; i++)
      of_row[drawn[i].row] = bin;
    const long middle = first + (end - first) / 2;
    grid->bins[bin] =
        (ResultBin){drawn[first].value,
                    (end - first) % 2 ? drawn[middle].value : 0.5 * (drawn[middle - 1].value + drawn[middle].value),
                    drawn[end - 1].value};
  }
}

static bool add_drawn(StudyResults *results, int axis, Error *error) {
  enum { LEAST_TRIALS = 8 }; // of a bin
  const Table *table = results->folder->table;
  const int column = table_find(table, results->folder->study->axes[axis].name);
  Drawn *drawn = calloc((size_t)table->row_count + 1, sizeof *drawn);
  long *of_row = calloc((size_t)table->row_count + 1, sizeof *of_row), count = 0;
  for (long row = 0; drawn && of_row && row < table->row_count; row++) {
    of_row[row] = -1;
    drawn[count] = (Drawn){table_number(table, row, column), row};
    count += isfinite(drawn[count].value);
  }
  bool good = drawn && of_row ? true : error_set(error, "out of memory");
  if (good && count > 0) {
    qsort(drawn, (size_t)count, sizeof *drawn, compare_drawn);
    ResultGrid *grid = add_grid(results, &axis, 1);
    const long bins = count / LEAST_TRIALS;
    grid->sizes[0] = (int)(bins < 1 ? 1 : bins < RESULTS_MOST_BINS ? bins : RESULTS_MOST_BINS);
    grid->group_count = grid->sizes[0];
    fill_bins(grid, drawn, count, of_row);
    good = sum_groups(results, grid, of_row, error);
  }
  free(drawn);
  free(of_row);
  return good;
}

static bool fill_grids(StudyResults *results, Error *error) {
  const StudyDef *study = results->folder->study;
  add_summarised(results, NULL, 0, SUMMARY_ALL);
  bool good = add_crossed(results, error);
  for (int i = 0; good && i < study->axis_count; i++)
    if (study->axes[i].count == 0)
      good = add_drawn(results, i, error);
  return good;
}

// Directions: a table of all trials, and one for each value of the third axis.
static bool add_directions(StudyResults *results, Error *error) {
  const ReportFolder *folder = results->folder;
  const DirectionAxes axes = direction_axes(folder->study);
  study_results_success(folder->study, results->success, sizeof results->success);
  int slices = axes.other >= 0 ? folder->study->axes[axes.other].count : 0;
  if (slices > RESULTS_MOST_SLICES)
    slices = 0;
  for (int i = -1; direction_table_fits(folder->study) && i < slices; i++) {
    DirectionTable *table = direction_table_create(folder->study, folder->table, i);
    if (!table)
      return error_set(error, "out of memory");
    results->directions[results->direction_count++] = table;
  }
  return true;
}

// The whole.

StudyResults *study_results_create(const ReportFolder *folder, Error *error) {
  StudyResults *results = calloc(1, sizeof *results);
  ResultGrid *grids = calloc(MOST_GRIDS, sizeof *grids);
  if (!results || !grids) {
    free(results);
    free(grids);
    error_set(error, "out of memory");
    return NULL;
  }
  *results = (StudyResults){.folder = folder, .grids = grids, .measure_count = (int)folder->summary->rows_per_group};
  find_main(results);
  const SummaryRow *complete = report_folder_whole(folder, "status", "complete");
  results->incomplete = folder->table->row_count - (complete ? lround(complete->share * (double)complete->count) : 0);
  results->repeats_alike = summary_repeats_alike(folder->table);
  if (fill_grids(results, error) && add_directions(results, error))
    return results;
  study_results_destroy(results);
  return NULL;
}

void study_results_destroy(StudyResults *results) {
  if (!results)
    return;
  for (int i = 0; i < results->grid_count; i++)
    summary_destroy(results->grids[i].own);
  for (int i = 0; i < results->direction_count; i++)
    free(results->directions[i]);
  free(results->grids);
  free(results);
}
