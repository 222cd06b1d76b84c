// The public interface's rollouts: many runs from given states, by given controls, into arrays of the caller. Run i is
// made by copy i modulo the number of copies, whatever thread works on that.
#include <stdlib.h>
#include <string.h>

#include "scenes/library/library_batch_internal.h"

typedef struct Rollout {
  const StaggerRollout *wanted;
  StaggerView **views; // [views][copies]
  int parts;           // of the character
} Rollout;

// ---- Runs ----

static bool begin(StaggerScene *copy, const StaggerRollout *wanted, int run, StaggerError **error) {
  if (!wanted->states)
    return true;
  const int i = wanted->state_count == 1 ? 0 : run;
  return stagger_scene_restore(copy, wanted->states[i], wanted->state_sizes[i], error);
}

static void control(StaggerScene *copy, const Rollout *rollout, int run, int moment) {
  const StaggerRollout *wanted = rollout->wanted;
  if (!wanted->controls)
    return;
  const size_t row = wanted->control_count == 1 ? 0 : (size_t)run, moments = (size_t)wanted->moments;
  batch_set_offsets(copy, wanted->character,
                    wanted->controls + (row * moments + (size_t)moment) * 3 * (size_t)rollout->parts);
}

static void store(const Rollout *rollout, int copy, int run, int moment) {
  const StaggerRollout *wanted = rollout->wanted;
  const size_t row = (size_t)run * (size_t)wanted->moments + (size_t)moment;
  for (int i = 0; i < wanted->view_count; i++) {
    const StaggerView *view = &rollout->views[i][copy];
    const size_t size = view_size(view);
    memcpy((char *)wanted->outputs[i] + row * size, view->data, size);
  }
}

// The bytes of a scene's state, of which the caller becomes the owner. NULL and an error: out of memory.
static void *copy_state(const StaggerScene *scene, size_t *size, StaggerError **error) {
  *size = stagger_scene_state_size(scene);
  void *state = malloc(*size);
  if (!state) {
    library_error(error, "out of memory for a state of %zu bytes", *size);
    return NULL;
  }
  if (stagger_scene_save(scene, state, *size, error))
    return state;
  free(state);
  return NULL;
}

// States that are saved of each run.
static size_t states_of_run(const StaggerRollout *wanted) {
  return wanted->save_every > 0 ? (size_t)(wanted->moments / wanted->save_every) : 0;
}

static bool save(const StaggerScene *copy, const StaggerRollout *wanted, int run, int moment, StaggerError **error) {
  if (wanted->save_every == 0 || (moment + 1) % wanted->save_every != 0)
    return true;
  const size_t place = (size_t)run * states_of_run(wanted) + (size_t)(moment / wanted->save_every);
  wanted->saved[place] = copy_state(copy, &wanted->saved_sizes[place], error);
  return wanted->saved[place];
}

static bool make_moment(StaggerBatch *batch, int copy, const Rollout *rollout, int run, int moment,
                        StaggerError **error) {
  const StaggerRollout *wanted = rollout->wanted;
  StaggerScene *scene = batch->copies[copy];
  if (moment == 0 && !begin(scene, wanted, run, error))
    return false;
  control(scene, rollout, run, moment);
  const int made = stagger_scene_step(scene, wanted->every);
  store(rollout, copy, run, moment);
  if (wanted->made)
    wanted->made[run] = made + (moment > 0 ? wanted->made[run] : 0);
  return save(scene, wanted, run, moment, error);
}

// A turn of the moments of all runs of a copy.
static bool make_moments(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  const Rollout *rollout = context;
  const int moments = rollout->wanted->moments;
  const BatchTurn *turn = &batch->turns[copy];
  bool good = true;
  for (int64_t i = turn->from; i < turn->to && good; i++)
    good = make_moment(batch, copy, rollout, copy + batch->count * (int)(i / moments), (int)(i % moments), error);
  return good;
}

static bool make_runs(StaggerBatch *batch, Rollout *rollout, StaggerError **error) {
  const StaggerRollout *wanted = rollout->wanted;
  for (int i = 0; i < batch->count; i++) {
    const int runs = (wanted->count - i + batch->count - 1) / batch->count;
    batch->turns[i].length = (int64_t)runs * wanted->moments;
  }
  const int least = 1 + (BATCH_LEAST_STEPS - 1) / wanted->every;
  return batch_run_in_turns(batch, make_moments, least, rollout, error);
}

// ---- Checks ----

static bool check_numbers(const StaggerBatch *batch, const StaggerRollout *wanted, StaggerError **error) {
  if (wanted->count < 1 || wanted->moments < 1 || wanted->every < 1 || wanted->view_count < 0)
    return library_error(error, "a rollout has 1 or more runs, moments and steps between them, not %d, %d and %d",
                         wanted->count, wanted->moments, wanted->every);
  if (wanted->save_every < 0 || (wanted->save_every > 0 && wanted->moments % wanted->save_every != 0))
    return library_error(error, "states are saved every so many moments as divide %d, or 0 for never, not %d",
                         wanted->moments, wanted->save_every);
  if (wanted->count > INT32_MAX - batch->count || wanted->every > INT32_MAX / wanted->moments)
    return library_error(error, "%d runs of %d times %d steps are too many", wanted->count, wanted->moments,
                         wanted->every);
  if (!wanted->states && wanted->count != batch->count)
    return library_error(error, "%d runs without states: they are as many as copies, %d", wanted->count, batch->count);
  if (wanted->states && wanted->state_count != 1 && wanted->state_count != wanted->count)
    return library_error(error, "%d states for %d runs: give 1, or one for each", wanted->state_count, wanted->count);
  if (wanted->controls && wanted->control_count != 1 && wanted->control_count != wanted->count)
    return library_error(error, "controls for %d runs of %d: give them for 1, or for each", wanted->control_count,
                         wanted->count);
  return true;
}

// Checks the states of a copy's runs.
static bool check_states(StaggerBatch *batch, int copy, void *context, StaggerError **error) {
  const StaggerRollout *wanted = context;
  for (int run = copy; run < wanted->count; run += batch->count) {
    const int i = wanted->state_count == 1 ? 0 : run;
    Error cause = {0};
    if (!scene_state_fits(batch->copies[copy]->scene, wanted->states[i], wanted->state_sizes[i], &cause))
      return library_error(error, "run %d: %s", run, cause.text);
    if (wanted->state_count == 1)
      break; // the same for all
  }
  return true;
}

static bool find_views(StaggerBatch *batch, Rollout *rollout, StaggerError **error) {
  const StaggerRollout *wanted = rollout->wanted;
  const size_t rows = (size_t)wanted->count * (size_t)wanted->moments;
  for (int i = 0; i < wanted->view_count; i++) {
    rollout->views[i] = batch_find_views(batch, wanted->character, wanted->views[i], error);
    if (!rollout->views[i])
      return false;
    const size_t size = view_size(rollout->views[i]);
    if (wanted->output_sizes[i] != rows * size)
      return library_error(error, "the view '%s' of %d runs at %d moments has %zu bytes, not %zu", wanted->views[i],
                           wanted->count, wanted->moments, rows * size, wanted->output_sizes[i]);
  }
  return true;
}

// ---- All of it ----

static bool roll_out(StaggerBatch *batch, Rollout *rollout, StaggerError **error) {
  const StaggerRollout *wanted = rollout->wanted;
  const size_t controls = (size_t)wanted->control_count * (size_t)wanted->moments;
  if (!check_numbers(batch, wanted, error) || !library_character(batch->copies[0], wanted->character, error))
    return false;
  rollout->parts = stagger_part_count(batch->copies[0], wanted->character);
  if (wanted->controls && !batch_check_offsets(batch, wanted->character, wanted->controls, controls, error))
    return false;
  if (!find_views(batch, rollout, error) || (wanted->states && !batch_run(batch, check_states, (void *)wanted, error)))
    return false;
  const size_t saved = (size_t)wanted->count * states_of_run(wanted);
  for (size_t i = 0; i < saved; i++)
    wanted->saved[i] = NULL;
  if (make_runs(batch, rollout, error))
    return true;
  stagger_states_free(wanted->saved, saved);
  return false;
}

void stagger_states_free(void **states, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(states[i]);
    states[i] = NULL;
  }
}

bool stagger_batch_rollout(StaggerBatch *batch, const StaggerRollout *wanted, StaggerError **error) {
  const size_t views = wanted->view_count > 0 ? (size_t)wanted->view_count : 0;
  Rollout rollout = {.wanted = wanted, .views = calloc(views + 1, sizeof *rollout.views)};
  if (!rollout.views)
    return library_error(error, "out of memory for a rollout");
  const bool good = roll_out(batch, &rollout, error);
  for (size_t i = 0; i < views; i++)
    free(rollout.views[i]);
  free(rollout.views);
  return good;
}
