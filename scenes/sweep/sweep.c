// Runs a study from its plan to its summary, and continues one that was interrupted.
#include "scenes/sweep/sweep.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenes/output/explanations.h"
#include "scenes/output/progress.h"
#include "scenes/sweep/method.h"
#include "scenes/sweep/mpi_link.h"
#include "scenes/sweep/response_file.h"
#include "scenes/sweep/sweep_info.h"
#include "scenes/sweep/sweep_trials.h"
#include "sim/base/wall_clock.h"

typedef struct Sweep {
  const SweepOptions *options;
  StudyDef *study;
  TrialsContext context; // for the workers
  Ranks *ranks;
  SweepFolder folder; // on rank 0 only, like the following fields
  cJSON *info;
  double started; // s, wall clock
  Trials trials;
  Table *table;  // sorted
  bool complete; // no more trials are needed
} Sweep;

// ---- Messages ----

static void print_error(const Error *error) { explained_print(stderr, error->text); }

static void print_complaints(const Complaints *complaints) {
  for (long i = 0; i < complaints->count && i < COMPLAINTS_SHOWN; i++)
    fprintf(stderr, "%s\n", complaints->lines[i]);
  if (complaints->count > COMPLAINTS_SHOWN)
    fprintf(stderr, "... and %ld more\n", complaints->count - COMPLAINTS_SHOWN);
}

// ---- Files ----

static bool write_info(const Sweep *sweep, Error *error) {
  char *text = sweep_info_text(sweep->info);
  return sweep_folder_take(&sweep->folder, "sweep.json", text, text ? strlen(text) : 0, error);
}

static bool write_rows(const Sweep *sweep, Error *error) {
  size_t size = 0;
  char *text = table_csv(sweep->table, &size);
  return sweep_folder_take(&sweep->folder, "trials.csv", text, size, error);
}

static bool read_rows(Sweep *sweep, Error *error) {
  table_free(sweep->table);
  sweep->table = sweep_folder_read(&sweep->folder, error);
  return sweep->table && table_sort(sweep->table, error);
}

// Writes the complete table, sorted, as CSV and HDF5.
static bool write_table(const Sweep *sweep, Error *error) {
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(sweep->folder.path, "trials.h5", path);
  const bool has_responses = sweep->study->run.responses;
  ResponseFile *responses = has_responses ? response_file_open(sweep->folder.path, sweep->study, error) : NULL;
  const HdfBlock block = responses ? response_file_block(responses, sweep->table) : (HdfBlock){0};
  bool good = (responses || !has_responses) && write_rows(sweep, error) &&
              table_write_hdf5(sweep->table, responses ? &block : NULL, path, error);
  response_file_close(responses);
  return good;
}

// Removes the rows of trials that will be tried again from the table and its file.
static bool drop_bad_rows(Sweep *sweep, Error *error) {
  Table *table = sweep->table;
  size_t columns = (size_t)table->column_count;
  int status = table_find(table, "status");
  long kept = 0;
  for (long row = 0; row < table->row_count; row++) {
    if (trial_can_be_retried(table_text(table, row, status)))
      continue;
    memmove(table->numbers + (size_t)kept * columns, table->numbers + (size_t)row * columns,
            columns * sizeof *table->numbers);
    memmove(table->texts + (size_t)kept * columns, table->texts + (size_t)row * columns,
            columns * sizeof *table->texts);
    kept++;
  }
  bool changed = kept < table->row_count;
  table->row_count = kept;
  return !changed || write_rows(sweep, error);
}

// ---- The end ----

static long complain_of_trials(const Table *table) {
  Complaints complaints = {0};
  int status = table_find(table, "status");
  for (long row = 0; row < table->row_count; row++)
    if (trial_is_bad(table_text(table, row, status)))
      sweep_complain(&complaints, "trial %ld: %s", (long)table_number(table, row, 0), table_text(table, row, status));
  print_complaints(&complaints);
  return complaints.count;
}

static void print_end(const Sweep *sweep, TrialsEnd end, double seconds) {
  const Trials *trials = &sweep->trials;
  printf("%s: %ld of %ld trials", sweep->folder.path, sweep->table->row_count, sweep->study->trial_count);
  if (trials->run > 0)
    printf(", %ld of them now in %.1f s by %d worker%s", trials->run, seconds, ranks_workers(sweep->ranks),
           ranks_workers(sweep->ranks) == 1 ? "" : "s");
  if (trials->traced > 0)
    printf(", %ld trace%s", trials->traced, trials->traced == 1 ? "" : "s");
  if (trials->without_trace > 0)
    printf(", no trace of %ld that ended early again", trials->without_trace);
  if (end == TRIALS_INTERRUPTED)
    printf("; interrupted%s", sweep->complete ? " before all traces and results were made" : "");
  puts(!sweep->complete || end != TRIALS_DONE ? "; go on with --resume" : "");
}

// ---- The whole sweep, on rank 0 ----

// Runs one batch of the trials that the method wants, up to `most` of them; sets `complete` when it wants none.
static TrialsEnd run_batch(Sweep *sweep, long most, Error *error) {
  long count;
  long *batch = sweep->options->method->next(sweep->study, sweep->table, &count, error);
  TrialsEnd end = batch ? TRIALS_DONE : TRIALS_FAILED;
  sweep->complete = batch && count == 0;
  if (batch && count > 0 && most > 0)
    end = trials_run(&sweep->trials, batch, count < most ? count : most, error);
  free(batch);
  return end;
}

// Runs batch after batch until no more trials are wanted or the limit is reached.
static TrialsEnd run_batches(Sweep *sweep, Error *error) {
  const long limit = sweep->options->limit > 0 ? sweep->options->limit : LONG_MAX;
  TrialsEnd end = TRIALS_DONE;
  for (bool limited = false; end == TRIALS_DONE && !limited && !sweep->complete;) {
    const long left = limit - sweep->trials.run;
    limited = left == 0;
    end = run_batch(sweep, left, error);
    if (!read_rows(sweep, error))
      return TRIALS_FAILED;
  }
  return end;
}

// Runs the missing trials and, when none is missing, makes traces and results.
static TrialsEnd run_all(Sweep *sweep, Error *error) {
  const SweepOptions *options = sweep->options;
  sweep->trials =
      (Trials){.context = &sweep->context, .folder = &sweep->folder, .ranks = sweep->ranks, .quiet = options->quiet};
  if (!sweep_folder_append_to(&sweep->folder, error))
    return TRIALS_FAILED;
  TrialsEnd end = run_batches(sweep, error);
  if (end == TRIALS_DONE && sweep->complete) {
    end = trials_trace(&sweep->trials, sweep->table, error);
    if (end == TRIALS_DONE &&
        !(write_table(sweep, error) && options->method->finish(&sweep->folder, sweep->table, options->quiet, error)))
      end = TRIALS_FAILED;
  }
  return end;
}

static void describe_end(const Sweep *sweep, TrialsEnd end, const Error *error, char *status, size_t size) {
  if (end == TRIALS_FAILED)
    snprintf(status, size, "stopped: %.300s", error->text);
  else
    snprintf(status, size, "%s", end == TRIALS_INTERRUPTED ? "interrupted" : sweep->complete ? "complete" : "partial");
}

static SweepResult run_sweep(Sweep *sweep) {
  Error error = {0};
  TrialsEnd end = run_all(sweep, &error);
  ranks_dismiss(sweep->ranks);
  double seconds = wall_seconds() - sweep->started;
  char status[400];
  describe_end(sweep, end, &error, status, sizeof status);
  sweep_info_end(sweep->info, status, sweep->trials.run, sweep->trials.traced, seconds);
  if (!write_info(sweep, &error))
    end = TRIALS_FAILED;
  if (end == TRIALS_FAILED)
    print_error(&error);
  long bad = sweep->table ? complain_of_trials(sweep->table) : 0;
  print_complaints(&sweep->trials.complaints);
  if (sweep->table && !sweep->options->quiet)
    print_end(sweep, end, seconds);
  if (end == TRIALS_INTERRUPTED)
    return SWEEP_INTERRUPTED;
  return end == TRIALS_FAILED || bad > 0 || sweep->trials.complaints.count > 0 ? SWEEP_FAILED : SWEEP_DONE;
}

// ---- Preparation ----

// The steps that need no other rank and must precede the start of MPI: reads the study and forks the workers.
static bool prepare_process(Sweep *sweep, const Launch *launch, Pool **pool, Error *error) {
  const SweepOptions *options = sweep->options;
  sweep->study = study_read(options->study, error);
  if (!sweep->study || !options->method->accepts(sweep->study, error))
    return false;
  const char *out = options->out ? options->out : sweep->study->name;
  if (strlen(out) >= sizeof sweep->context.folder)
    return error_set(error, "the path of the study's folder is too long: %.100s...", out);
  sweep->context.study = sweep->study;
  sweep->context.method = options->method;
  snprintf(sweep->context.folder, sizeof sweep->context.folder, "%s", out);
  int workers = options->jobs > 0 ? options->jobs : launch->workers;
  *pool = pool_start(workers, trials_work, &sweep->context, sweep->study->run.time_limit, error);
  return *pool != NULL;
}

// Rank 0 opens the folder and records the beginning of the run. Returns the text of sweep.json; NULL: an error.
static char *prepare_folder(Sweep *sweep, Error *error) {
  if (!sweep_folder_open(&sweep->folder, sweep->context.folder, sweep->study,
                         sweep->options->resume || sweep->options->retry, error))
    return NULL;
  sweep->info =
      sweep_info_begin(&sweep->folder, sweep->options, ranks_count(sweep->ranks), ranks_workers(sweep->ranks), error);
  bool good = sweep->info && read_rows(sweep, error) && (!sweep->options->retry || drop_bad_rows(sweep, error)) &&
              write_info(sweep, error);
  return good ? sweep_info_text(sweep->info) : NULL;
}

// Checks that this rank has the same study as rank 0 and sees its folder. On a network's disk other hosts may see new
// files with a delay.
static bool check_folder(const Sweep *sweep, const char *text, Error *error) {
  if (!sweep_info_is_of(text, sweep->study))
    return error_set(error, "it reads another study, scene or clip than rank 0: all ranks need the same files");
  SweepFolder folder = {.lock = -1, .rows = -1};
  snprintf(folder.path, sizeof folder.path, "%s", sweep->context.folder);
  for (double until = wall_seconds() + 10; wall_seconds() < until;) {
    size_t size;
    char *seen = sweep_folder_text(&folder, "sweep.json", &size);
    bool same = seen && strcmp(seen, text) == 0;
    free(seen);
    if (same)
      return true;
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  }
  return error_set(error, "%s is not the folder that rank 0 sees: name one on a disk that all hosts share with --out",
                   folder.path);
}

// All ranks together: checks that the folder is accessible to all.
static bool prepare_ranks(Sweep *sweep, Error *error) {
  Error own = {0};
  bool first = ranks_number(sweep->ranks) == 0;
  char *text = first ? prepare_folder(sweep, &own) : NULL;
  char *shared = ranks_share(sweep->ranks, first && !text ? "" : text);
  if (!first && shared[0] != '\0')
    check_folder(sweep, shared, &own);
  else if (first && (!text || !shared))
    error_set(&own, "%s: out of memory", sweep->context.folder);
  free(text);
  free(shared);
  return link_agree(&own, error);
}

static SweepResult run_ranks(Sweep *sweep, const Error *mine) {
  Error error = {0};
  bool first = ranks_number(sweep->ranks) == 0;
  if (!link_agree(mine, &error) || !prepare_ranks(sweep, &error)) {
    if (first)
      print_error(&error);
    sweep_folder_close(&sweep->folder, true);
    return !first ? SWEEP_DONE : error.unwritten ? SWEEP_FAILED : SWEEP_BAD_INPUT;
  }
  if (first)
    return run_sweep(sweep);
  ranks_serve(sweep->ranks);
  return SWEEP_DONE;
}

// Prints an error that concerns all processes, in only one of them.
static SweepResult refuse(const Launch *launch, const Error *error) {
  if (launch->task == 0)
    print_error(error);
  return launch->task == 0 ? SWEEP_BAD_INPUT : SWEEP_DONE;
}

static SweepResult start_ranks(Sweep *sweep, const Launch *launch) {
  Error error = {0};
  Pool *pool = NULL;
  prepare_process(sweep, launch, &pool, &error);
  sweep->ranks = ranks_start(launch, pool);
  if (!sweep->ranks)
    error_set(&error, "out of memory");
  else if (launch_is_complete(launch, &error))
    return run_ranks(sweep, &error);
  return refuse(launch, &error);
}

SweepResult sweep_run(const SweepOptions *options) {
  Sweep sweep = {.options = options, .started = wall_seconds(), .folder = {.lock = -1, .rows = -1}};
  Error error = {0};
  Launch launch;
  if (!launch_read(&launch, &error))
    return refuse(&launch, &error);
  interrupt_catch();
  SweepResult result = start_ranks(&sweep, &launch);
  ranks_end(sweep.ranks);
  if (sweep.trials.folder) // this process has opened the folder, and no worker is running
    sweep_folder_remove_parts(sweep.trials.folder);
  sweep_folder_close(&sweep.folder, false);
  cJSON_Delete(sweep.info);
  table_free(sweep.table);
  study_free(sweep.study);
  return result;
}
