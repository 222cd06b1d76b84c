// stagger inspect: describes a study file, the folder of its results, or its table of trials.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/cli/cli.h"
#include "scenes/cli/inspect.h"
#include "scenes/report/report_folder.h"
#include "sim/trace/columns_hdf5.h"

// ---- The plan ----

enum { MOST_VALUES = 12 }; // most printed values of an axis

static void print_axis(const StudyAxis *axis) {
  static const char *const distributions[] = {"uniform", "log_uniform", "normal"};
  const StudyRandom *random = &axis->random;
  printf("  axis %s%s%s", axis->name, axis->unit[0] != '\0' ? ", " : "", axis->unit);
  if (strcmp(axis->name, axis->key) != 0)
    printf(" (%s)", axis->key);
  if (axis->searched) {
    printf(": searched from %g to %g\n", random->low, random->high);
    return;
  }
  if (axis->count > 0) {
    printf(": %d value%s\n   ", axis->count, axis->count > 1 ? "s" : "");
    for (int i = 0; i < axis->count; i++)
      if (axis->count <= MOST_VALUES || i < MOST_VALUES - 2 || i == axis->count - 1)
        printf(" %s%s", axis->values[i], i < axis->count - 1 ? "," : "");
      else if (i == axis->count - 2)
        printf(" ...,");
    putchar('\n');
    return;
  }
  printf(": drawn anew for every trial, %s", distributions[random->distribution]);
  if (random->distribution == STUDY_NORMAL)
    printf(", mean %g, deviation %g", random->mean, random->deviation);
  if (isfinite(random->low))
    printf(", from %g", random->low);
  if (isfinite(random->high))
    printf(", to %g", random->high);
  putchar('\n');
}

static void print_keep(const StudyDef *study, const StudyKeep *keep) {
  const char *column = study->columns[keep->where.column].name, *plural = keep->most > 1 ? "s" : "";
  char condition[2 * PARAM_TEXT_SIZE];
  switch (keep->kind) {
  case KEEP_REPEATS:
    printf("  keeps the traces of the first %d repeat%s of every cell\n", keep->repeats, keep->repeats > 1 ? "s" : "");
    break;
  case KEEP_TRIALS:
    printf("  keeps the traces of %d trial%s by number\n", keep->trial_count, keep->trial_count != 1 ? "s" : "");
    break;
  case KEEP_WHERE:
    study_where_text(study, &keep->where, condition, sizeof condition);
    printf("  keeps the traces of at most %ld trial%s where %s\n", keep->most, plural, condition);
    break;
  case KEEP_HIGHEST:
  case KEEP_LOWEST:
    printf("  keeps the trace%s of the %ld trial%s with the %s %s\n", plural, keep->most, plural,
           keep->kind == KEEP_HIGHEST ? "highest" : "lowest", column);
    break;
  }
}

static void print_threshold(const StudyDef *study) {
  const StudyThreshold *threshold = &study->threshold;
  if (threshold->axis_index < 0)
    return;
  printf("  threshold of %s:", threshold->axis);
  for (int i = 0; i < threshold->withstood_count; i++) {
    char condition[2 * PARAM_TEXT_SIZE];
    study_where_text(study, &threshold->withstood[i], condition, sizeof condition);
    printf("%s %s", i > 0 ? " and" : "", condition);
  }
  printf(" in a share of %g\n", threshold->share);
}

static void print_column(const char *name, const char *unit, bool is_text) {
  const char *word = is_text ? "text" : unit;
  printf("    %-*s%s%s\n", word[0] != '\0' ? 40 : 0, name, word[0] != '\0' ? " " : "", word);
}

static void print_study(const StudyDef *study) {
  inspect_section("", &study_params, &study->run);
  printf("  scene %s, %g s\n", study->scene_path, study->scene->run.duration);
  for (int i = 0; i < study->set_count; i++)
    printf("  set %s\n", study->sets[i]);
  for (int i = 0; i < study->axis_count; i++)
    print_axis(&study->axes[i]);
  printf("  %ld cell%s x %d repeat%s = %ld trial%s\n", study->cell_count, study->cell_count > 1 ? "s" : "",
         study->run.repeats, study->run.repeats > 1 ? "s" : "", study->trial_count, study->trial_count > 1 ? "s" : "");
  for (int i = 0; i < study->keep_count; i++)
    print_keep(study, &study->keeps[i]);
  print_threshold(study);
  printf("  %d columns\n", study->column_count);
  for (int i = 0; i < study->column_count; i++)
    print_column(study->columns[i].name, study->columns[i].unit, study->columns[i].kind == TABLE_TEXT);
}

int inspect_study(const char *path) {
  Error error = {0};
  StudyDef *study = study_read(path, &error);
  if (!study)
    return cli_error(&error);
  printf("%s: study\n", study->path);
  print_study(study);
  study_free(study);
  return EXIT_DONE;
}

// ---- Statuses, each up to its ':', and their numbers of trials ----

enum { MOST_STATUSES = 8, STATUS_SIZE = 32 };

typedef struct Statuses {
  char names[MOST_STATUSES][STATUS_SIZE];
  long counts[MOST_STATUSES];
  int count;
} Statuses;

static void count_status(Statuses *statuses, const char *status) {
  char name[STATUS_SIZE];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(status, ":"), status);
  int i = 0;
  while (i < statuses->count && strcmp(statuses->names[i], name) != 0)
    i++;
  if (i == MOST_STATUSES)
    return;
  if (i == statuses->count)
    memcpy(statuses->names[statuses->count++], name, sizeof name);
  statuses->counts[i]++;
}

// Prints "  trials 6 of 8: 3 complete, 3 given up"; all: 0 when the total is unknown.
static void print_statuses(const Statuses *statuses, long rows, long all) {
  printf("  trials %ld", rows);
  if (all > 0)
    printf(" of %ld", all);
  for (int i = 0; i < statuses->count; i++)
    printf("%s%ld %s", i == 0 ? ": " : ", ", statuses->counts[i], statuses->names[i]);
  putchar('\n');
}

// ---- Results ----

int inspect_folder(const char *path) {
  Error error = {0};
  ReportFolder *folder = report_folder_open(path, &error);
  if (!folder)
    return cli_error(&error);
  const Table *table = folder->table;
  Statuses statuses = {0};
  int status = table_find(table, "status"), ok = table_find(table, "ok");
  long held = 0;
  for (long row = 0; row < table->row_count; row++) {
    count_status(&statuses, table_text(table, row, status));
    held += table_number(table, row, ok) == 1;
  }
  printf("%s: results of the study %s, %s\n", path, folder->name, report_folder_status(folder));
  print_statuses(&statuses, table->row_count, folder->study->trial_count);
  printf("  ok %ld: complete, and their scene's expectations held\n", held);
  printf("  traces %d\n", folder->kept_count);
  print_study(folder->study);
  report_folder_close(folder);
  return EXIT_DONE;
}

typedef struct Columns {
  int count;
  long rows;
  bool listing; // false: trials are only counted
} Columns;

static void take_column(void *context, const char *name, const char *unit, bool is_text, long rows) {
  Columns *columns = context;
  columns->count++;
  columns->rows = rows;
  if (columns->listing)
    print_column(name, unit, is_text);
}

int inspect_trials(const char *path) {
  Columns columns = {0};
  Statuses statuses = {0};
  long rows = 0;
  size_t size = 0;
  char *texts = columns_read_texts(path, "status", &rows, &size);
  if (!texts || !columns_visit_hdf5(path, take_column, &columns)) {
    Error error = {0};
    error_set(&error, "%s: is damaged: its column 'status' cannot be read", path);
    free(texts);
    return cli_error(&error);
  }
  for (long row = 0; row < rows; row++)
    count_status(&statuses, texts + (size_t)row * size);
  printf("%s: table of a study's trials, one dataset a column, the same as trials.csv\n", path);
  print_statuses(&statuses, rows, 0);
  printf("  %d columns\n", columns.count);
  columns = (Columns){.listing = true};
  columns_visit_hdf5(path, take_column, &columns);
  free(texts);
  return EXIT_DONE;
}
