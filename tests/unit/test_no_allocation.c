// A step in the steady state allocates no memory, neither in this code nor in ODE's, with the trace being written and
// the frames kept in memory. The program's own malloc, calloc and realloc replace libc's and count the calls of the
// simulating thread.
#define _GNU_SOURCE // dladdr

#include "tests/fixture.h"

#include <dlfcn.h>
#include <unistd.h>

#include "scenes/run/scene.h"
#include "viewer/source/frames.h"

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

// libc's own functions, under their other names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

// Volatile, as compilers assume that malloc changes no variable of the program.
static _Thread_local volatile bool counting;
static _Thread_local volatile long allocations;
static _Thread_local void *first_caller;

static void count_allocation(void *caller) {
  if (!counting)
    return;
  if (allocations++ == 0)
    first_caller = caller;
}

void *malloc(size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_allocation(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}

static void start_counting(void) {
  allocations = 0;
  counting = true;
}

static long stop_counting(void) {
  counting = false;
  return allocations;
}

// Fails with the library and function of the first call.
static void check_none(long count, const char *what) {
  if (count == 0)
    return;
  Dl_info info = {0};
  dladdr(first_caller, &info);
  fail_msg("%s: %ld allocations, the first one by %s (%s)", what, count, info.dli_fname ? info.dli_fname : "?",
           info.dli_sname ? info.dli_sname : "a local function");
}

static void test_the_counter_counts(void **state) {
  (void)state;
  start_counting();
  void *volatile memory = malloc(10);
  void *volatile larger = realloc(memory, 20);
  void *volatile more = calloc(1, 1);
  long count = stop_counting();
  free(larger);
  free(more);
  assert_int_equal(count, 3);

  start_counting(); // a library's calls count too
  dGeomID sphere = dCreateSphere(0, 1);
  count = stop_counting();
  dGeomDestroy(sphere);
  assert_true(count > 0);
}

typedef struct RecordedScene {
  SceneDef *def;
  Scene *scene;
  TraceWriter *trace;
  char path[64];
  Frames *frames;
} RecordedScene;

static void start_scene(RecordedScene *run, const char *const *overrides, int override_count) {
  Error error = {0};
  run->def = scene_def_read("hit_run.yaml", overrides, override_count, &error);
  fixture_check(&error);
  run->scene = scene_create(run->def, &error);
  fixture_check(&error);
  snprintf(run->path, sizeof run->path, "/tmp/stagger_test_%ld.h5", (long)getpid());
  TraceInfo info = scene_trace_info(run->def);
  run->trace = trace_create(run->path, &info, &error);
  fixture_check(&error);
  assert_true(scene_record(run->scene, run->trace, &error));
  run->frames = frames_of_run(run->scene->world, run->scene->characters, run->scene->character_count, 1 << 20, &error);
  fixture_check(&error);
}

static void end_scene(RecordedScene *run) {
  Error error = {0};
  scene_finish(run->scene);
  assert_true(trace_close(run->trace, "complete", &error));
  remove(run->path);
  frames_free(run->frames);
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

static void step_scene(const RecordedScene *run, int count) {
  for (int i = 0; i < count; i++) {
    if (!scene_step(run->scene))
      fail_msg("the scene stopped: %s", run->scene->world->stop_reason);
    frames_step(run->frames);
    frames_add(run->frames);
  }
}

enum { WARM_UP = 480, COUNTED = 960 }; // 2 s, then 4 s with hits and with blocks of the trace handed over

static void test_steps_allocate_nothing(void **state) {
  (void)state;
  static const char *const solvers[] = {"world.solver=step", "world.solver=iterative", "world.solver=reduced"};
  for (int i = 0; i < 3; i++) {
    RecordedScene run;
    start_scene(&run, &solvers[i], 1);
    step_scene(&run, WARM_UP);
    start_counting();
    step_scene(&run, COUNTED);
    check_none(stop_counting(), solvers[i]);
    end_scene(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_counter_counts),
      cmocka_unit_test(test_steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_is_skipped(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_is_skipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
