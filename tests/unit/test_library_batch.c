// Batches of the public interface: copies equal to single scenes, for any number of threads, to the bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <stagger/stagger.h>

enum { COPIES = 5, MOST_PARTS = 32 };

static const char *const NAMES[] = {"parts/position", "parts/rotation", "parts/linear_velocity",
                                    "parts/angular_velocity"};
// Random balls at a runner, the first soon.
#define BALLS "events=[{kind: projectile, part: any, every: [0.1, 0.4], direction: [0, 360], mass: 1, speed: [5, 12]}]"

enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0] };

static void check(bool good, StaggerError *error) {
  if (!good)
    fail_msg("%s", stagger_error_text(error));
}

// Fails unless the error contains that; frees it.
static void assert_says(StaggerError **error, const char *text) {
  if (!strstr(stagger_error_text(*error), text))
    fail_msg("'%s' is not in '%s'", text, stagger_error_text(*error));
  stagger_error_free(*error);
  *error = NULL;
}

static StaggerBatch *open_batch(const char *path, const char *const *overrides, int count, int copies, int threads) {
  StaggerError *error = NULL;
  StaggerBatch *batch = stagger_batch_open(path, overrides, count, copies, threads, &error);
  check(batch != NULL, error);
  return batch;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

static uint64_t hash_scene(StaggerScene *scene) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < NAME_COUNT; i++) {
    StaggerError *error = NULL;
    StaggerView view;
    check(stagger_scene_view(scene, 0, NAMES[i], &view, &error), error);
    hash = hash_bytes(hash, view.data, (size_t)view.rows * (size_t)view.columns * sizeof(double));
  }
  return hash;
}

static void *save(StaggerScene *scene, size_t *size) {
  StaggerError *error = NULL;
  *size = stagger_scene_state_size(scene);
  void *bytes = malloc(*size);
  check(stagger_scene_save(scene, bytes, *size, &error), error);
  return bytes;
}

// ---- Copies and single scenes ----

// Seeds that differ, a solver, and random balls: each copy goes the way of a scene of its own.
static void copies_equal_single_scenes(const char *solver, int threads, int steps, uint64_t hashes[COPIES]) {
  const int64_t seeds[COPIES] = {11, 12, 13, 14, 15};
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("hit_assist", (const char *const[]){solver, BALLS}, 2, COPIES, threads);
  assert_int_equal(stagger_batch_count(batch), COPIES);
  assert_int_equal(stagger_batch_threads(batch), threads);
  check(stagger_batch_reset(batch, seeds, &error), error);
  int made[COPIES];
  assert_int_equal(stagger_batch_step(batch, steps, made), COPIES);
  for (int i = 0; i < COPIES; i++) {
    assert_int_equal(made[i], steps);
    assert_int_equal(stagger_scene_seed(stagger_batch_scene(batch, i)), seeds[i]);
    hashes[i] = hash_scene(stagger_batch_scene(batch, i));
  }
  stagger_batch_close(batch);
}

static void compare_solver(const char *solver, int steps) {
  uint64_t single[COPIES];
  StaggerError *error = NULL;
  for (int i = 0; i < COPIES; i++) {
    char seed[32];
    snprintf(seed, sizeof seed, "seed=%d", 11 + i);
    const char *const overrides[] = {solver, BALLS, seed};
    StaggerScene *scene = stagger_scene_open("hit_assist", overrides, 3, &error);
    check(scene != NULL, error);
    assert_int_equal(stagger_scene_step(scene, steps), steps);
    single[i] = hash_scene(scene);
    stagger_scene_close(scene);
  }
  assert_true(single[0] != single[1]);
  for (int threads = 1; threads <= 3; threads++) {
    uint64_t hashes[COPIES];
    copies_equal_single_scenes(solver, threads, steps, hashes);
    assert_memory_equal(hashes, single, sizeof single);
  }
}

static void test_copies_equal_single_scenes(void **state) {
  (void)state;
  compare_solver("world.solver=step", 200);
  compare_solver("world.solver=reduced", 200);
}

// ODE has one sequence of random numbers for all worlds.
static void test_iterative_solver_in_threads(void **state) {
  (void)state;
  compare_solver("world.solver=iterative", 100);
}

// Of all views of a character, at most 512.
static uint64_t hash_all_views(StaggerScene *scene) {
  static const size_t sizes[] = {
      [STAGGER_FLOAT32] = 4, [STAGGER_FLOAT64] = 8, [STAGGER_UINT8] = 1, [STAGGER_INT32] = 4, [STAGGER_UINT64] = 8};
  uint64_t hash = 1;
  const char *name;
  for (int i = 0; i < 512 && (name = stagger_view_name(scene, 0, i)); i++) {
    StaggerError *error = NULL;
    StaggerView view;
    check(stagger_scene_view(scene, 0, name, &view, &error), error);
    hash = hash_bytes(hash, view.data, sizes[view.type] * (size_t)view.rows * (size_t)view.columns);
  }
  return hash;
}

// Long calls are made in turns by more than one thread: views show the last step of a call nevertheless, contacts and
// forces too, not that of a turn.
static void test_views_of_work_in_turns(void **state) {
  (void)state;
  static const int steps[] = {64, 9, 1};
  uint64_t hashes[COPIES][3];
  for (int threads = 1; threads <= 3; threads++) {
    StaggerBatch *batch =
        open_batch("hit_assist", (const char *const[]){"world.solver=reduced", BALLS}, 2, COPIES, threads);
    StaggerError *error = NULL;
    check(stagger_batch_reset(batch, (const int64_t[COPIES]){1, 2, 3, 4, 5}, &error), error);
    for (int i = 0; i < COPIES; i++)
      hash_all_views(stagger_batch_scene(batch, i));
    for (int call = 0; call < 3; call++) {
      assert_int_equal(stagger_batch_step(batch, steps[call], NULL), COPIES);
      for (int i = 0; i < COPIES; i++) {
        const uint64_t hash = hash_all_views(stagger_batch_scene(batch, i));
        assert_true(threads == 1 || hash == hashes[i][call]);
        hashes[i][call] = hash;
      }
    }
    assert_true(hashes[0][0] != hashes[0][1] && hashes[0][0] != hashes[1][0]);
    stagger_batch_close(batch);
  }
}

static void test_batch_from_text(void **state) {
  (void)state;
  StaggerError *error = NULL;
  const char *text = "seed: 3\ncharacters: [{name: man, body: bodies/human.yaml}]\n";
  StaggerBatch *batch = stagger_batch_parse(text, "made.yaml", NULL, 0, 2, 2, &error);
  check(batch != NULL, error);
  assert_int_equal(stagger_batch_step(batch, 10, NULL), 2);
  assert_int_equal(stagger_scene_seed(stagger_batch_scene(batch, 1)), 3);
  assert_int_equal(hash_scene(stagger_batch_scene(batch, 0)), hash_scene(stagger_batch_scene(batch, 1)));
  assert_null(stagger_batch_scene(batch, 2));
  assert_null(stagger_batch_scene(batch, -1));
  stagger_batch_close(batch);
  stagger_batch_close(NULL);
  batch = open_batch("stand", NULL, 0, 1, 0);
  assert_true(stagger_batch_threads(batch) >= 1);
  stagger_batch_close(batch);
}

// ---- One moment, many continuations ----

static void test_one_moment_pushed_differently(void **state) {
  (void)state;
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open("stand_push", (const char *const[]){"events=[]"}, 1, &error);
  check(scene != NULL, error);
  stagger_scene_step(scene, 100);
  size_t size;
  void *moment = save(scene, &size);
  StaggerBatch *batch = open_batch("stand_push", (const char *const[]){"events=[]"}, 1, COPIES, 2);
  stagger_batch_step(batch, 7, NULL);
  check(stagger_batch_restore(batch, (const void *const[]){moment}, &size, 1, &error), error);
  for (int i = 0; i < COPIES; i++)
    check(stagger_push(stagger_batch_scene(batch, i), 0, 0, (double[]){0, 0, 10 * i}, NULL, 0.1, &error), error);
  stagger_batch_step(batch, 60, NULL);
  double com[COPIES][3];
  check(stagger_batch_gather(batch, 0, "com/position", com, sizeof com, &error), error);
  for (int i = 1; i < COPIES; i++)
    assert_true(com[i][2] > com[i - 1][2]);
  check(stagger_push(scene, 0, 0, (double[]){0, 0, 30}, NULL, 0.1, &error), error);
  stagger_scene_step(scene, 60);
  assert_int_equal(hash_scene(scene), hash_scene(stagger_batch_scene(batch, 3)));

  // A state for each: each copy gets the one of its neighbour.
  void *states[COPIES];
  size_t sizes[COPIES];
  uint64_t hashes[COPIES];
  for (int i = 0; i < COPIES; i++) {
    hashes[i] = hash_scene(stagger_batch_scene(batch, i));
    states[i] = save(stagger_batch_scene(batch, (i + 1) % COPIES), &sizes[i]);
  }
  check(stagger_batch_restore(batch, (const void *const *)states, sizes, COPIES, &error), error);
  for (int i = 0; i < COPIES; i++)
    assert_int_equal(hash_scene(stagger_batch_scene(batch, i)), hashes[(i + 1) % COPIES]);

  // A damaged one among them changes none.
  ((char *)states[3])[sizes[3] / 2] ^= 1;
  assert_false(stagger_batch_restore(batch, (const void *const *)states, sizes, COPIES, &error));
  assert_says(&error, "copy 3: the state is damaged");
  assert_int_equal(hash_scene(stagger_batch_scene(batch, 0)), hashes[1]);
  assert_false(stagger_batch_restore(batch, (const void *const *)states, sizes, 2, &error));
  assert_says(&error, "2 states for 5 copies");

  // A state belongs to a seed.
  check(stagger_batch_reset(batch, (const int64_t[COPIES]){9, 9, 9, 9, 9}, &error), error);
  assert_false(stagger_batch_restore(batch, (const void *const[]){moment}, &size, 1, &error));
  assert_says(&error, "another scene");
  const int64_t opened = stagger_scene_seed(scene);
  check(stagger_batch_reset(batch, (const int64_t[COPIES]){opened, opened, opened, opened, opened}, &error), error);
  check(stagger_batch_restore(batch, (const void *const[]){moment}, &size, 1, &error), error);
  for (int i = 0; i < COPIES; i++)
    free(states[i]);
  free(moment);
  stagger_batch_close(batch);
  stagger_scene_close(scene);
}

// ---- Rollouts ----

enum { RUNS = 7, MOMENTS = 6, EVERY = 5 };

typedef struct Result {
  double position[RUNS][MOMENTS][MOST_PARTS * 3], com[RUNS][MOMENTS][3];
  int made[RUNS];
} Result;

// Random offsets of up to 0.2 rad for each joint.
static void write_controls(double *controls, int parts) {
  uint32_t random = 1;
  for (int i = 0; i < RUNS * MOMENTS * parts * 3; i++) {
    random = random * 1664525u + 1013904223u;
    controls[i] = i / 3 % parts == 0 ? 0 : 0.2 * ((double)(random >> 8) / (1 << 24) - 0.5);
  }
}

// Rows of `position` are packed: parts * 3 values each.
static void roll_out(int copies, int threads, const void *const *states, const size_t *sizes, const double *controls,
                     int parts, Result *result) {
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("stand_push", NULL, 0, copies, threads);
  memset(result, 0, sizeof *result);
  const StaggerRollout rollout = {
      .count = RUNS,
      .moments = MOMENTS,
      .every = EVERY,
      .states = states,
      .state_sizes = sizes,
      .state_count = RUNS,
      .controls = controls,
      .control_count = RUNS,
      .views = (const char *const[]){"parts/position", "com/position"},
      .outputs = (void *const[]){result->position, result->com},
      .output_sizes = (const size_t[]){sizeof(double) * (size_t)(RUNS * MOMENTS * parts * 3), sizeof result->com},
      .view_count = 2,
      .made = result->made};
  check(stagger_batch_rollout(batch, &rollout, &error), error);
  stagger_batch_close(batch);
}

static void test_rollouts_equal_single_scenes(void **state) {
  (void)state;
  static Result result, other;
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open("stand_push", NULL, 0, &error);
  check(scene != NULL, error);
  const int parts = stagger_part_count(scene, 0);
  assert_true(parts <= MOST_PARTS);
  double *controls = calloc(3 * (size_t)RUNS * MOMENTS * (size_t)parts, sizeof *controls);
  write_controls(controls, parts);
  void *states[RUNS];
  size_t sizes[RUNS];
  for (int i = 0; i < RUNS; i++) {
    stagger_scene_step(scene, 20);
    states[i] = save(scene, &sizes[i]);
  }
  roll_out(3, 2, (const void *const *)states, sizes, controls, parts, &result);
  const int shapes[][2] = {{1, 1}, {3, 1}, {RUNS, 3}, {RUNS + 2, 2}};
  for (int i = 0; i < 4; i++) {
    roll_out(shapes[i][0], shapes[i][1], (const void *const *)states, sizes, controls, parts, &other);
    assert_memory_equal(&other, &result, sizeof result);
  }

  StaggerView position;
  check(stagger_scene_view(scene, 0, "parts/position", &position, &error), error);
  const double *packed = &result.position[0][0][0];
  for (int run = 0; run < RUNS; run++) {
    check(stagger_scene_restore(scene, states[run], sizes[run], &error), error);
    for (int moment = 0; moment < MOMENTS; moment++) {
      const size_t row = (size_t)(run * MOMENTS + moment) * (size_t)parts * 3;
      for (int part = 1; part < parts; part++)
        check(stagger_set_joint_offset(scene, 0, part, controls + row + 3 * part, &error), error);
      assert_int_equal(stagger_scene_step(scene, EVERY), EVERY);
      assert_memory_equal(packed + row, position.data, (size_t)parts * 3 * sizeof(double));
    }
    assert_int_equal(result.made[run], MOMENTS * EVERY);
  }
  for (int i = 0; i < RUNS; i++)
    free(states[i]);
  free(controls);
  stagger_scene_close(scene);
}

// Saved states of a rollout continue it, whatever threads made it.
static void test_rollouts_save_states(void **state) {
  (void)state;
  StaggerError *error = NULL;
  uint64_t first = 0;
  for (int threads = 1; threads <= 2; threads++) {
    StaggerBatch *batch = open_batch("stand_push", NULL, 0, 2, threads);
    void *saved[2][3];
    size_t sizes[2][3];
    const StaggerRollout rollout = {
        .count = 2, .moments = 6, .every = 5, .save_every = 2, .saved = &saved[0][0], .saved_sizes = &sizes[0][0]};
    check(stagger_batch_rollout(batch, &rollout, &error), error);
    StaggerScene *copy = stagger_batch_scene(batch, 1);
    const uint64_t end = hash_scene(copy);
    check(stagger_scene_restore(copy, saved[1][1], sizes[1][1], &error), error);
    assert_true(fabs(stagger_scene_time(copy) - 20.0 / 240) < 1e-9);
    stagger_scene_step(copy, 10);
    assert_int_equal(hash_scene(copy), end);
    check(stagger_scene_restore(copy, saved[1][2], sizes[1][2], &error), error);
    assert_int_equal(hash_scene(copy), end);
    const uint64_t bytes = hash_bytes(1, saved[0][0], sizes[0][0]);
    assert_true(threads == 1 || bytes == first);
    first = bytes;
    stagger_states_free(&saved[0][0], 6);
    assert_null(saved[1][2]);
    stagger_batch_close(batch);
  }
}

// Without states the copies continue, and offsets set before stay.
static void test_rollout_continues(void **state) {
  (void)state;
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("stand", NULL, 0, 2, 2), *stepped = open_batch("stand", NULL, 0, 2, 1);
  const int parts = stagger_part_count(stagger_batch_scene(batch, 0), 0);
  double *offsets = calloc(2 * 3 * (size_t)parts, sizeof *offsets);
  offsets[3 * (parts + 1)] = 0.1; // of part 1 in copy 1
  check(stagger_batch_set_joint_offsets(batch, 0, offsets, 2, &error), error);
  check(stagger_batch_set_joint_offsets(stepped, 0, offsets, 2, &error), error);
  check(stagger_batch_rollout(batch, &(StaggerRollout){.count = 2, .moments = 3, .every = 20}, &error), error);
  stagger_batch_step(stepped, 60, NULL);
  for (int i = 0; i < 2; i++)
    assert_int_equal(hash_scene(stagger_batch_scene(batch, i)), hash_scene(stagger_batch_scene(stepped, i)));
  assert_true(hash_scene(stagger_batch_scene(batch, 0)) != hash_scene(stagger_batch_scene(batch, 1)));
  check(stagger_batch_set_joint_offsets(batch, 0, offsets, 1, &error), error); // and the same for all
  free(offsets);
  stagger_batch_close(batch);
  stagger_batch_close(stepped);
}

// Runs of copies end and begin again at different times: some are reset, and each makes its own number of steps.
static void test_some_copies(void **state) {
  (void)state;
  StaggerError *error = NULL;
  const int steps[4] = {30, 0, -5, 12};
  int made[4];
  for (int threads = 1; threads <= 3; threads++) {
    StaggerBatch *batch = open_batch("stand_push", NULL, 0, 4, threads);
    const uint64_t start = hash_scene(stagger_batch_scene(batch, 1));
    stagger_batch_step(batch, 8, NULL);
    const uint64_t eighth = hash_scene(stagger_batch_scene(batch, 1));
    check(stagger_batch_reset_some(batch, (const int[]){3, 1}, (const int64_t[]){7, -1}, 2, &error), error);
    assert_int_equal(hash_scene(stagger_batch_scene(batch, 1)), start);
    assert_int_equal(hash_scene(stagger_batch_scene(batch, 0)), eighth);
    assert_int_equal(stagger_scene_seed(stagger_batch_scene(batch, 3)), 7);
    assert_int_equal(stagger_scene_seed(stagger_batch_scene(batch, 1)), 1);
    assert_int_equal(stagger_batch_step_each(batch, steps, made), 4);
    assert_memory_equal(made, ((const int[4]){30, 0, 0, 12}), sizeof made);
    assert_int_equal(hash_scene(stagger_batch_scene(batch, 1)), start);
    assert_int_equal(hash_scene(stagger_batch_scene(batch, 2)), eighth);
    StaggerScene *single = stagger_scene_open("stand_push", (const char *const[]){"seed=7"}, 1, &error);
    check(single != NULL, error);
    stagger_scene_step(single, 12);
    assert_int_equal(hash_scene(stagger_batch_scene(batch, 3)), hash_scene(single));
    stagger_scene_close(single);
    check(stagger_batch_reset_some(batch, NULL, NULL, 0, &error), error);
    stagger_batch_close(batch);
  }
}

// ---- What is wrong ----

static void test_what_cannot_be_opened(void **state) {
  (void)state;
  StaggerError *error = NULL;
  assert_null(stagger_batch_open("no_such_scene", NULL, 0, 2, 1, &error));
  assert_says(&error, "no_such_scene");
  assert_null(stagger_batch_open("stand", NULL, 0, 0, 1, &error));
  assert_says(&error, "1 to 65536 copies, not 0");
  assert_null(stagger_batch_open("stand", NULL, 0, 1, -1, &error));
  assert_says(&error, "1 to 256 threads");
  assert_null(stagger_batch_open("stand", NULL, 0, 1, 1000, NULL));
  assert_null(stagger_batch_parse("characters: 7", "made.yaml", NULL, 0, 2, 1, &error));
  assert_says(&error, "made.yaml:1:");
}

static void test_bad_input_changes_nothing(void **state) {
  (void)state;
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("stand", NULL, 0, 2, 2);
  const int parts = stagger_part_count(stagger_batch_scene(batch, 0), 0);
  const uint64_t before = hash_scene(stagger_batch_scene(batch, 0));
  double com[2][3], *offsets = calloc(3 * (size_t)parts, sizeof *offsets);
  assert_false(stagger_batch_reset(batch, (const int64_t[]){1, -2}, &error));
  assert_says(&error, "copy 1: a seed is from 0");
  assert_false(stagger_batch_reset_some(batch, (const int[]){0, 1}, (const int64_t[]){1, -2}, 2, &error));
  assert_says(&error, "copy 1: a seed is from 0");
  assert_false(stagger_batch_reset_some(batch, (const int[]){0, 0}, NULL, 2, &error));
  assert_says(&error, "copy 0 is there twice");
  assert_false(stagger_batch_reset_some(batch, (const int[]){0, 2}, NULL, 2, &error));
  assert_says(&error, "there is no copy 2: there are 0 to 1");
  assert_false(stagger_batch_gather(batch, 0, "com/colour", com, sizeof com, &error));
  assert_says(&error, "com/colour");
  assert_false(stagger_batch_gather(batch, 1, "com/position", com, sizeof com, &error));
  assert_says(&error, "there is no character 1");
  assert_false(stagger_batch_gather(batch, 0, "com/position", com, sizeof com - 8, &error));
  assert_says(&error, "has 48 bytes, not 40");
  assert_false(stagger_batch_set_joint_offsets(batch, 0, offsets, 3, &error));
  assert_says(&error, "offsets for 3 copies of 2");
  assert_false(stagger_batch_set_joint_offsets(batch, 1, offsets, 1, NULL));
  offsets[4] = NAN;
  assert_false(stagger_batch_set_joint_offsets(batch, 0, offsets, 1, &error));
  assert_says(&error, "offset [0, 1]");
  offsets[4] = 0;
  offsets[2] = 0.1;
  assert_false(stagger_batch_set_joint_offsets(batch, 0, offsets, 1, &error));
  assert_says(&error, "has no joint");

  StaggerRollout rollout = {.count = 2, .moments = 1, .every = 1, .controls = offsets, .control_count = 1};
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "has no joint");
  rollout.control_count = 3;
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "controls for 3 runs of 2");
  rollout.controls = NULL;
  rollout.save_every = 2;
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "divide 1");
  rollout.save_every = 0;
  rollout.count = 3;
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "as many as copies, 2");
  rollout = (StaggerRollout){.count = 2,
                             .moments = 1,
                             .every = 1,
                             .views = (const char *const[]){"com/position"},
                             .outputs = (void *const[]){com},
                             .output_sizes = (const size_t[]){8},
                             .view_count = 1};
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "has 48 bytes, not 8");
  rollout.character = 4;
  assert_false(stagger_batch_rollout(batch, &rollout, NULL));
  const StaggerRollout none[] = {{.count = 0, .moments = 1, .every = 1},
                                 {.count = 2, .moments = 0, .every = 1},
                                 {.count = 2, .moments = 1, .every = 0},
                                 {.count = 2, .moments = 1, .every = 1, .view_count = -1}};
  for (int i = 0; i < 4; i++) {
    assert_false(stagger_batch_rollout(batch, &none[i], &error));
    assert_says(&error, "1 or more");
  }
  rollout = (StaggerRollout){.count = 3,
                             .moments = 1,
                             .every = 1,
                             .states = (const void *const[]){"nonsense"},
                             .state_sizes = (const size_t[]){8},
                             .state_count = 1};
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "are no state");
  rollout.state_count = 2;
  assert_false(stagger_batch_rollout(batch, &rollout, &error));
  assert_says(&error, "2 states for 3 runs");
  assert_int_equal(hash_scene(stagger_batch_scene(batch, 0)), before);
  assert_true(stagger_scene_time(stagger_batch_scene(batch, 1)) == 0);
  free(offsets);
  stagger_batch_close(batch);
}

// A single copy makes a single run of a single step.
static void test_least_rollout(void **state) {
  (void)state;
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("stand", NULL, 0, 1, 1);
  check(stagger_batch_rollout(batch, &(StaggerRollout){.count = 1, .moments = 1, .every = 1}, &error), error);
  assert_true(stagger_scene_time(stagger_batch_scene(batch, 0)) > 0);
  stagger_batch_close(batch);
}

// A copy records while all are stepped.
static void test_a_copy_records(void **state) {
  (void)state;
  char file[] = "/tmp/stagger-batch-XXXXXX";
  close(mkstemp(file));
  StaggerError *error = NULL;
  StaggerBatch *batch = open_batch("stand", NULL, 0, 3, 2);
  check(stagger_scene_record(stagger_batch_scene(batch, 1), file, &error), error);
  assert_int_equal(stagger_batch_step(batch, 240, NULL), 3);
  check(stagger_scene_finish(stagger_batch_scene(batch, 1), &error), error);
  assert_int_equal(stagger_batch_step(batch, 1, NULL), 2); // the finished one makes none
  StaggerTrace *trace = stagger_trace_open(file, &error);
  check(trace != NULL, error);
  assert_int_equal(stagger_trace_frame_count(trace), 61);
  stagger_trace_close(trace);
  stagger_batch_close(batch);
  unlink(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies_equal_single_scenes),
      cmocka_unit_test(test_iterative_solver_in_threads),
      cmocka_unit_test(test_views_of_work_in_turns),
      cmocka_unit_test(test_batch_from_text),
      cmocka_unit_test(test_one_moment_pushed_differently),
      cmocka_unit_test(test_rollouts_equal_single_scenes),
      cmocka_unit_test(test_rollouts_save_states),
      cmocka_unit_test(test_rollout_continues),
      cmocka_unit_test(test_some_copies),
      cmocka_unit_test(test_what_cannot_be_opened),
      cmocka_unit_test(test_bad_input_changes_nothing),
      cmocka_unit_test(test_least_rollout),
      cmocka_unit_test(test_a_copy_records),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
