// Runs the missing trials, repeats those whose worker died, and repeats some with a trace.
#include "scenes/sweep/sweep_trials.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenes/output/progress.h"
#include "scenes/sweep/method.h"
#include "scenes/sweep/response_file.h"
#include "scenes/sweep/trial.h"
#include "sim/base/wall_clock.h"

void sweep_complain(Complaints *complaints, const char *format, ...) {
  if (complaints->count < COMPLAINTS_SHOWN) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaints->lines[complaints->count], sizeof complaints->lines[0], format, arguments);
    va_end(arguments);
  }
  complaints->count++;
}

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

bool trial_is_bad(const char *status) { return strcmp(status, "complete") != 0; }

bool trial_can_be_retried(const char *status) {
  return begins_with(status, "crashed") || begins_with(status, "failed") || begins_with(status, "given up");
}

// ---- The worker's part ----

// The path of a trial's trace, and its path until its row has been found to be the same again.
static void trace_paths(const char *folder, long trial, char path[SWEEP_PATH_SIZE], char part[SWEEP_PATH_SIZE]) {
  char name[64];
  study_trace_name(trial, name, sizeof name);
  sweep_folder_path(folder, name, path);
  snprintf(part, SWEEP_PATH_SIZE, "%s" TRIAL_PART, path);
}

static void run_trial(const TrialsContext *trials, long trial, char *text, size_t size) {
  static HitResponse response;
  trial_run(trials->study, trial, NULL, NULL, text, size, &response);
  if (trials->study->run.responses && !response_file_write(trials->folder, trials->study, trial, &response))
    trial_lost(trials->study, trial, "failed: responses.bin cannot be written", text, size);
}

// Sets the values of the trial that the method searches. False, with a line that says why: it cannot be run.
static bool place_trial(const TrialsContext *trials, long trial, char *text, size_t size) {
  Error error = {0};
  if (!trials->method->place || trials->method->place(trials->study, trials->folder, trial, &error))
    return true;
  char status[ERROR_TEXT_SIZE + 16];
  snprintf(status, sizeof status, "failed: %s", error.text);
  trial_lost(trials->study, trial, status, text, size);
  return false;
}

void trials_work(void *context, long job, char *text, size_t size) {
  const TrialsContext *trials = context;
  long count = trials->study->trial_count;
  if (!place_trial(trials, job % count, text, size))
    return;
  if (job < count) {
    run_trial(trials, job, text, size);
    return;
  }
  char path[SWEEP_PATH_SIZE], part[SWEEP_PATH_SIZE];
  trace_paths(trials->folder, job - count, path, part);
  trial_run(trials->study, job - count, part, NULL, text, size, NULL);
}

// ---- Jobs ----

typedef struct Jobs {
  long *list;
  long count, taken;
  const char *what; // "trials"
  long bad, fell;   // among the rows so far
  double started;   // s, wall clock
} Jobs;

typedef bool (*TakeReply)(Trials *trials, Jobs *jobs, const PoolReply *reply, const Table *table, Error *error);

static void show_progress(Progress *progress, const Jobs *jobs) {
  char note[160], fell[40] = "", bad[40] = "";
  double seconds = wall_seconds() - jobs->started;
  if (jobs->fell > 0)
    snprintf(fell, sizeof fell, ", %ld fell", jobs->fell);
  if (jobs->bad > 0)
    snprintf(bad, sizeof bad, ", %ld went wrong", jobs->bad);
  snprintf(note, sizeof note, ", %ld of %ld %s, %.3g a second%s%s", jobs->taken, jobs->count, jobs->what,
           seconds > 0 ? (double)jobs->taken / seconds : 0, fell, bad);
  progress_update_with(progress, (double)jobs->taken / (double)jobs->count, note);
}

static bool give_jobs(Ranks *ranks, const Jobs *jobs, long *given, Error *error) {
  while (*given < jobs->count && ranks_room(ranks) > 0)
    if (!ranks_give(ranks, jobs->list[(*given)++]))
      return error_set(error, "out of memory for jobs");
  return true;
}

// Runs all jobs as workers become available.
static TrialsEnd do_jobs(Trials *trials, Jobs *jobs, TakeReply take, const Table *table, Error *error) {
  static PoolReply reply;
  Progress progress = progress_begin(!trials->quiet);
  TrialsEnd end = TRIALS_DONE;
  long given = 0;
  jobs->started = wall_seconds();
  while (end == TRIALS_DONE && jobs->taken < jobs->count) {
    bool good = give_jobs(trials->ranks, jobs, &given, error);
    if (good && ranks_take(trials->ranks, &reply)) {
      jobs->taken++;
      good = take(trials, jobs, &reply, table, error);
    }
    good = good && ranks_can_work(trials->ranks, error) && sweep_folder_flush(trials->folder, false, error);
    if (!good)
      end = TRIALS_FAILED;
    else if (ranks_interrupted(trials->ranks))
      end = TRIALS_INTERRUPTED;
    show_progress(&progress, jobs);
  }
  progress_end(&progress);
  return end;
}

// Makes the line for a reply, also for that of a dead worker.
static void reply_line(const TrialsContext *context, long trial, const PoolReply *reply, char line[TRIAL_LINE_SIZE]) {
  char status[160];
  if (!reply->died) {
    snprintf(line, TRIAL_LINE_SIZE, "%s", reply->text);
    return;
  }
  if (strcmp(reply->text, POOL_TIME_LIMIT) == 0)
    snprintf(status, sizeof status, "given up: not done in %g s", context->study->run.time_limit);
  else
    snprintf(status, sizeof status, "crashed: %s", reply->text);
  if (place_trial(context, trial, line, TRIAL_LINE_SIZE))
    trial_lost(context->study, trial, status, line, TRIAL_LINE_SIZE);
}

// Reads the line as a table of one row. NULL and an error: it does not belong to this trial.
static Table *read_line(const StudyDef *study, long trial, const char *line, Error *error) {
  char name[64];
  snprintf(name, sizeof name, "row of trial %ld", trial);
  char *header = table_header(study->columns, study->column_count);
  size_t size = strlen(line) + 3 + (header ? strlen(header) : 0);
  char *text = malloc(size);
  Table *table = NULL;
  if (header && text) {
    snprintf(text, size, "%s\n%s\n", header, line);
    table = table_parse(name, text, size - 1, study->columns, study->column_count, error);
  } else {
    error_set(error, "%s: out of memory", name);
  }
  free(header);
  free(text);
  if (!table || (table->row_count == 1 && table_number(table, 0, 0) == (double)trial))
    return table;
  error_set(error, "%s: a worker has sent another one", name);
  table_free(table);
  return NULL;
}

static const char *row_status(const Table *table, long row) {
  return table_text(table, row, table_find(table, "status"));
}

static bool row_fell(const Table *table, long row) {
  for (int column = 0; column < table->column_count; column++) {
    const char *dot = strrchr(table->columns[column].name, '.');
    if (dot && strcmp(dot, ".fell") == 0 && table_number(table, row, column) == 1)
      return true;
  }
  return false;
}

// ---- Trials without a trace ----

static bool take_trial(Trials *trials, Jobs *jobs, const PoolReply *reply, const Table *table, Error *error) {
  (void)table;
  static char line[TRIAL_LINE_SIZE];
  reply_line(trials->context, reply->job, reply, line);
  Table *row = read_line(trials->folder->study, reply->job, line, error);
  if (!row)
    return false;
  jobs->bad += trial_is_bad(row_status(row, 0));
  jobs->fell += row_fell(row, 0);
  table_free(row);
  trials->run++;
  return sweep_folder_append(trials->folder, line, error);
}

TrialsEnd trials_run(Trials *trials, long *list, long count, Error *error) {
  Jobs jobs = {.what = "trials", .list = list, .count = count};
  TrialsEnd end = do_jobs(trials, &jobs, take_trial, NULL, error);
  return sweep_folder_flush(trials->folder, true, error) ? end : TRIALS_FAILED;
}

// ---- Trials with a trace ----

static bool same_cell(const Table *a, long row_a, const Table *b, long row_b, int column) {
  if (a->columns[column].kind == TABLE_TEXT)
    return strcmp(table_text(a, row_a, column), table_text(b, row_b, column)) == 0;
  double x = table_number(a, row_a, column), y = table_number(b, row_b, column);
  return x == y || (x != x && y != y);
}

static void cell_text(const Table *table, long row, int column, char *text, size_t size) {
  char number[TABLE_CELL_SIZE];
  table_number_text(table_number(table, row, column), number);
  snprintf(text, size, "%s", table->columns[column].kind == TABLE_TEXT ? table_text(table, row, column) : number);
}

// Whether a repeated trial has given the same row; otherwise the first different cell is reported.
static bool check_row(Trials *trials, long trial, const Table *table, const Table *again) {
  long row = table_row_from(table, (double)trial);
  for (int column = 0; column < table->column_count; column++) {
    if (same_cell(table, row, again, 0, column))
      continue;
    char before[128], now[128];
    cell_text(table, row, column, before, sizeof before);
    cell_text(again, 0, column, now, sizeof now);
    sweep_complain(&trials->complaints,
                   "trial %ld: %s is '%s' in the table, and '%s' when it was run again for its trace", trial,
                   table->columns[column].name, before, now);
    return false;
  }
  return true;
}

// Gives a complete trace its final name. A trial that died has no trace.
static bool keep_trace(Trials *trials, long trial, bool may_lack, Error *error) {
  char path[SWEEP_PATH_SIZE], part[SWEEP_PATH_SIZE];
  trace_paths(trials->folder->path, trial, path, part);
  bool kept = rename(part, path) == 0, lacks = !kept && may_lack && errno == ENOENT;
  trials->traced += kept;
  trials->without_trace += lacks;
  return kept || lacks || error_set(error, "%s: cannot be written: %s", path, strerror(errno));
}

static bool take_trace(Trials *trials, Jobs *jobs, const PoolReply *reply, const Table *table, Error *error) {
  (void)jobs;
  static char line[TRIAL_LINE_SIZE];
  const StudyDef *study = trials->folder->study;
  long trial = reply->job - study->trial_count;
  reply_line(trials->context, trial, reply, line);
  Table *again = read_line(study, trial, line, error);
  if (!again)
    return false;
  bool good = true;
  if (check_row(trials, trial, table, again))
    good = keep_trace(trials, trial, trial_can_be_retried(row_status(again, 0)), error);
  table_free(again);
  return good;
}

// Removes kept trials from the list whose traces exist already.
static void drop_present(const Trials *trials, Jobs *jobs, const long *kept, int count) {
  for (int i = 0; i < count; i++) {
    char path[SWEEP_PATH_SIZE], part[SWEEP_PATH_SIZE];
    trace_paths(trials->folder->path, kept[i], path, part);
    if (access(path, F_OK) != 0)
      jobs->list[jobs->count++] = kept[i] + trials->folder->study->trial_count;
  }
}

TrialsEnd trials_trace(Trials *trials, const Table *table, Error *error) {
  int count = 0;
  long *kept = study_kept(trials->folder->study, table, &count, error);
  if (!kept)
    return error->text[0] == '\0' ? TRIALS_DONE : TRIALS_FAILED;
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(trials->folder->path, "traces", path);
  Jobs jobs = {.what = "traces", .list = malloc((size_t)count * sizeof *jobs.list)};
  TrialsEnd end = TRIALS_FAILED;
  if (mkdir(path, 0777) != 0 && errno != EEXIST) {
    error_set(error, "%s: cannot be made: %s", path, strerror(errno));
  } else if (!jobs.list) {
    error_set(error, "out of memory for %d traces", count);
  } else {
    drop_present(trials, &jobs, kept, count);
    sweep_folder_remove_parts(trials->folder); // left by a sweep that was killed
    end = do_jobs(trials, &jobs, take_trace, table, error);
  }
  free(jobs.list);
  free(kept);
  return end;
}
