// The public interface's batches: independent copies of a scene, stepped by threads that stay. Each copy is worked on
// by one thread at a time and shares with the others only what nobody changes, so that no result depends on the
// threads.
#include "scenes/library/library_batch_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/train/worker_pool.h"
#include "sim/base/numbers.h"
#include "sim/world/ode_net.h"

enum { MOST_COPIES = 65536, MOST_THREADS = 256 };

// ---- Work on all copies ----

typedef struct BatchJob {
  StaggerBatch *batch;
  BatchWork work;
  void *context;
  int64_t least; // units of a turn
  int in_turns;  // the first of the copies that are worked on in turns
} BatchJob;

// Does the next turn of the work on a copy. Each turn is half of what is left: the last ones, after which threads wait
// for each other, are short, and they are few, since a turn finds what it needs no longer in the caches (30 us, about
// half a step). Returns whether there is more to do.
static bool work_on(const BatchJob *job, int copy) {
  StaggerBatch *batch = job->batch;
  BatchTurn *turn = &batch->turns[copy];
  const int64_t left = turn->length - turn->to;
  turn->from = turn->to;
  turn->to += copy >= job->in_turns && left >= 2 * job->least ? left / 2 : left;
  return job->work(batch, copy, job->context, &batch->errors[copy]) && turn->to < turn->length;
}

static bool run_job(void *context, int index, int worker) {
  const BatchJob *job = context;
  StaggerBatch *batch = job->batch;
  if (batch->apart[index])
    return false;
  if (!batch->prepared[worker])
    batch->prepared[worker] = ode_prepare();
  if (batch->prepared[worker])
    return work_on(job, index);
  return library_error(&batch->errors[index], "out of memory for a thread");
}

// Passes on the first error, as the error of its copy, and frees all.
static bool collect_errors(StaggerBatch *batch, StaggerError **error) {
  bool good = true;
  for (int i = 0; i < batch->count; i++) {
    if (batch->errors[i] && good)
      good = library_error(error, "copy %d: %s", i, stagger_error_text(batch->errors[i]));
    stagger_error_free(batch->errors[i]);
    batch->errors[i] = NULL;
  }
  return good;
}

// The copies up to the last that has something to do.
static int count_busy(const StaggerBatch *batch) {
  int count = batch->count;
  while (count > 0 && batch->turns[count - 1].length == 0)
    count--;
  return count;
}

// Only the last copies are worked on in turns: those before are done when the threads may wait for each other. They
// need more copies than threads to share out.
static int first_in_turns(const StaggerBatch *batch, int busy) {
  const bool shared = batch->threads > 1 && busy > batch->threads;
  return shared ? busy - WORKER_TURNS * batch->threads : busy;
}

bool batch_run_in_turns(StaggerBatch *batch, BatchWork work, int64_t least, void *context, StaggerError **error) {
  const int busy = count_busy(batch);
  BatchJob job = {batch, work, context, least, first_in_turns(batch, busy)};
  for (int i = 0; i < busy; i++) {
    batch->turns[i].to = 0;
    batch->apart[i] = batch->copies[i] && batch->copies[i]->trace;
  }
  worker_pool_run(batch->pool, busy, run_job, &job);
  for (int i = 0; i < busy; i++)
    while (batch->apart[i] && work_on(&job, i)) {
    }
  return collect_errors(batch, error);
}

bool batch_run(StaggerBatch *batch, BatchWork work, void *context, StaggerError **error) {
  for (int i = 0; i < batch->count; i++)
    batch->turns[i].length = 1;
  return batch_run_in_turns(batch, work, 1, context, error);
}

// ---- Life ----

static bool open_copy(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  (void)context;
  Error cause = {0};
  SceneDef *const lender = batch->def;
  SceneDef *def = scene_def_variant(lender, (const char *const *)lender->overrides, lender->override_count, &cause);
  batch->copies[copy] = def ? library_open(def, lender, &cause) : NULL;
  return batch->copies[copy] || library_fail(error, &cause);
}

static bool start(StaggerBatch *batch, int copies, int threads, Error *cause) {
  batch->copies = calloc((size_t)copies, sizeof(StaggerScene *));
  batch->errors = calloc((size_t)copies, sizeof(StaggerError *));
  batch->turns = calloc((size_t)copies, sizeof(BatchTurn));
  batch->apart = calloc((size_t)copies, sizeof(bool));
  batch->prepared = calloc((size_t)threads, sizeof(bool));
  if (!batch->copies || !batch->errors || !batch->turns || !batch->apart || !batch->prepared)
    return error_set(cause, "out of memory for a batch");
  batch->count = copies;
  batch->threads = threads;
  batch->pool = worker_pool_create(threads, cause);
  return batch->pool != NULL;
}

// The batch of a description, which it takes over, also on error.
static StaggerBatch *open_batch(SceneDef *def, int copies, int threads, Error *cause, StaggerError **error) {
  StaggerBatch *batch = def ? calloc(1, sizeof *batch) : NULL;
  if (!batch) {
    if (def)
      error_set(cause, "out of memory for a batch");
    scene_def_free(def);
    library_fail(error, cause);
    return NULL;
  }
  batch->def = def;
  if (!start(batch, copies, threads, cause))
    library_fail(error, cause);
  else if (batch_run(batch, open_copy, NULL, error))
    return batch;
  stagger_batch_close(batch);
  return NULL;
}

// Replaces 0 threads by one for each processor. False with an error: a number out of its range.
static bool check_numbers(int copies, int *threads, StaggerError **error) {
  if (copies < 1 || copies > MOST_COPIES)
    return library_error(error, "a batch has 1 to %d copies, not %d", (int)MOST_COPIES, copies);
  if (*threads < 0 || *threads > MOST_THREADS)
    return library_error(error, "a batch has 1 to %d threads, or 0 for one of each processor, not %d",
                         (int)MOST_THREADS, *threads);
  if (*threads == 0)
    *threads = (int)fmin(fmax((double)sysconf(_SC_NPROCESSORS_ONLN), 1), MOST_THREADS);
  return true;
}

StaggerBatch *stagger_batch_open(const char *path, const char *const *overrides, int count, int copies, int threads,
                                 StaggerError **error) {
  Error cause = {0};
  if (!check_numbers(copies, &threads, error))
    return NULL;
  return open_batch(scene_def_read(path, overrides, count, &cause), copies, threads, &cause, error);
}

StaggerBatch *stagger_batch_parse(const char *text, const char *path, const char *const *overrides, int count,
                                  int copies, int threads, StaggerError **error) {
  Error cause = {0};
  if (!check_numbers(copies, &threads, error))
    return NULL;
  return open_batch(library_parse(text, path, overrides, count, &cause), copies, threads, &cause, error);
}

void stagger_batch_close(StaggerBatch *batch) {
  if (!batch)
    return;
  worker_pool_destroy(batch->pool);
  for (int i = 0; i < batch->count; i++)
    stagger_scene_close(batch->copies[i]);
  scene_def_free(batch->def);
  free(batch->copies);
  free(batch->errors);
  free(batch->turns);
  free(batch->apart);
  free(batch->prepared);
  free(batch);
}

int stagger_batch_count(const StaggerBatch *batch) { return batch->count; }

int stagger_batch_threads(const StaggerBatch *batch) { return batch->threads; }

StaggerScene *stagger_batch_scene(StaggerBatch *batch, int copy) {
  return copy >= 0 && copy < batch->count ? batch->copies[copy] : NULL;
}

// ---- Steps and resets ----

static bool step_copy(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  (void)error;
  int *made = context;
  const BatchTurn *turn = &batch->turns[copy];
  made[copy] += stagger_scene_step(batch->copies[copy], (int)(turn->to - turn->from));
  return true;
}

// steps: for each copy, or one number for all.
static int step_all(StaggerBatch *batch, const int *steps, bool each, int *made) {
  int *own = made ? NULL : calloc((size_t)batch->count, sizeof *own);
  int whole = 0;
  made = made ? made : own;
  for (int i = 0; i < batch->count && made; i++) {
    const int wanted = steps[each ? i : 0];
    batch->turns[i].length = wanted > 0 ? wanted : 0;
    made[i] = 0;
  }
  if (made && batch_run_in_turns(batch, step_copy, BATCH_LEAST_STEPS, made, NULL))
    for (int i = 0; i < batch->count; i++)
      whole += made[i] >= steps[each ? i : 0];
  free(own);
  return whole;
}

int stagger_batch_step(StaggerBatch *batch, int steps, int *made) { return step_all(batch, &steps, false, made); }

int stagger_batch_step_each(StaggerBatch *batch, const int *steps, int *made) {
  return step_all(batch, steps, true, made);
}

static const int64_t KEEP = -1, SPARE = -2; // the seed of a copy that keeps it, or is not reset

static bool reset_copy(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  const int64_t *seeds = context, seed = seeds ? seeds[copy] : KEEP;
  return seed == SPARE || stagger_scene_reset(batch->copies[copy], seed, error);
}

static bool check_seed(int copy, int64_t seed, StaggerError **error) {
  return (seed >= KEEP && seed <= INT32_MAX) ||
         library_error(error, "copy %d: a seed is from 0 to 2147483647, or -1 for the present one, not %lld", copy,
                       (long long)seed);
}

bool stagger_batch_reset(StaggerBatch *batch, const int64_t *seeds, StaggerError **error) {
  for (int i = 0; i < batch->count && seeds; i++)
    if (!check_seed(i, seeds[i], error))
      return false;
  return batch_run(batch, reset_copy, (void *)seeds, error);
}

// Stores the seeds of the copies that are to be reset at their places.
static bool place_seeds(const StaggerBatch *batch, const int *copies, const int64_t *seeds, int count, int64_t *placed,
                        StaggerError **error) {
  for (int i = 0; i < count; i++) {
    const int copy = copies[i];
    if (copy < 0 || copy >= batch->count)
      return library_error(error, "there is no copy %d: there are 0 to %d", copy, batch->count - 1);
    if (placed[copy] != SPARE)
      return library_error(error, "copy %d is there twice", copy);
    placed[copy] = seeds ? seeds[i] : KEEP;
    if (!check_seed(copy, placed[copy], error))
      return false;
  }
  return true;
}

bool stagger_batch_reset_some(StaggerBatch *batch, const int *copies, const int64_t *seeds, int count,
                              StaggerError **error) {
  int64_t *placed = calloc((size_t)batch->count, sizeof *placed);
  if (!placed)
    return library_error(error, "out of memory for seeds");
  for (int i = 0; i < batch->count; i++)
    placed[i] = SPARE;
  const bool good =
      place_seeds(batch, copies, seeds, count, placed, error) && batch_run(batch, reset_copy, placed, error);
  free(placed);
  return good;
}

// ---- States ----

typedef struct BatchStates {
  const void *const *states;
  const size_t *sizes;
  int count;
} BatchStates;

static bool check_state(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  const BatchStates *given = context;
  const int i = given->count == 1 ? 0 : copy;
  Error cause = {0};
  return scene_state_fits(batch->copies[copy]->scene, given->states[i], given->sizes[i], &cause) ||
         library_fail(error, &cause);
}

static bool restore_copy(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  const BatchStates *given = context;
  const int i = given->count == 1 ? 0 : copy;
  return stagger_scene_restore(batch->copies[copy], given->states[i], given->sizes[i], error);
}

bool stagger_batch_restore(StaggerBatch *batch, const void *const *states, const size_t *sizes, int count,
                           StaggerError **error) {
  if (count != 1 && count != batch->count)
    return library_error(error, "%d states for %d copies: give 1, or one for each", count, batch->count);
  BatchStates given = {states, sizes, count};
  return batch_run(batch, check_state, &given, error) && batch_run(batch, restore_copy, &given, error);
}

// ---- Joint offsets ----

bool batch_check_offsets(const StaggerBatch *batch, int character, const double *offsets, size_t count,
                         StaggerError **error) {
  const Character *owner = library_character(batch->copies[0], character, error);
  if (!owner)
    return false;
  const size_t parts = (size_t)owner->def->body->part_count;
  for (size_t i = 0; i < count * parts; i++) {
    const double *offset = offsets + 3 * i;
    if (!(length3(offset) <= M_PI)) // also when it is not a number
      return library_error(error, "offset [%zu, %zu]: an offset of a joint is a rotation vector of at most pi rad",
                           i / parts, i % parts);
    if (i % parts == 0 && length3(offset) > 0)
      return library_error(error, "offset [%zu, 0]: part 0 of %s has no joint: its offset is 0", i / parts,
                           owner->def->name);
  }
  return true;
}

void batch_set_offsets(StaggerScene *copy, int character, const double *offsets) {
  Character *owner = copy->scene->characters[character];
  for (int part = 1; part < owner->def->body->part_count; part++)
    character_set_joint_offset(owner, part, vec3_from_doubles(offsets + 3 * part));
}

bool stagger_batch_set_joint_offsets(StaggerBatch *batch, int character, const double *offsets, int count,
                                     StaggerError **error) {
  if (count != 1 && count != batch->count)
    return library_error(error, "offsets for %d copies of %d: give them for 1, or for each", count, batch->count);
  if (!batch_check_offsets(batch, character, offsets, (size_t)count, error))
    return false;
  const int row = count == 1 ? 0 : 3 * stagger_part_count(batch->copies[0], character);
  for (int i = 0; i < batch->count; i++)
    batch_set_offsets(batch->copies[i], character, offsets + (size_t)i * (size_t)row);
  return true;
}

// ---- Views ----

size_t view_size(const StaggerView *view) {
  static const size_t SIZES[] = {[STAGGER_FLOAT32] = sizeof(float),
                                 [STAGGER_FLOAT64] = sizeof(double),
                                 [STAGGER_UINT8] = sizeof(uint8_t),
                                 [STAGGER_INT32] = sizeof(int32_t),
                                 [STAGGER_UINT64] = sizeof(uint64_t)};
  return SIZES[view->type] * (size_t)view->rows * (size_t)view->columns;
}

StaggerView *batch_find_views(StaggerBatch *batch, int character, const char *name, StaggerError **error) {
  StaggerView *views = calloc((size_t)batch->count, sizeof *views);
  bool good = views || library_error(error, "out of memory for a view");
  for (int i = 0; i < batch->count && good; i++)
    good = stagger_scene_view(batch->copies[i], character, name, &views[i], error);
  if (good)
    return views;
  free(views);
  return NULL;
}

bool stagger_batch_gather(StaggerBatch *batch, int character, const char *view, void *values, size_t size,
                          StaggerError **error) {
  StaggerView *views = batch_find_views(batch, character, view, error);
  if (!views)
    return false;
  const size_t each = view_size(views), whole = each * (size_t)batch->count;
  for (int i = 0; i < batch->count && size == whole; i++)
    memcpy((char *)values + (size_t)i * each, views[i].data, each);
  free(views);
  return size == whole ||
         library_error(error, "the view '%s' of %d copies has %zu bytes, not %zu", view, batch->count, whole, size);
}
