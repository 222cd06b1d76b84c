// Moments of a recorded run that a scene is brought to by the states in its trace: each is that of the last frame, to
// the bit, wherever it lies between two states; and moments and traces from which nothing can go on.
#include "tests/unit/recorded_run.h"

#include "scenes/run/trace_states.h"

enum { STEPS = 240, PER_FRAME = 4 };
static const double STEP = 1.0 / 240; // s

#define DOLLS                                                                                                          \
  "duration: 1\nworld: {dt: 1/240}\nterrain: {kind: flat}\ncharacters:\n"                                              \
  "  - {name: doll, body: boxes.yaml, animation: {move: nod.yaml}}\n"                                                  \
  "  - {name: other, body: boxes.yaml, start: {position: [0.7, 0.2, 0]}, drive: {enabled: false}}\n"                   \
  "events: [{character: doll, time: 0.3, part: top, impulse: 3}]\n"

// The world's hash after each step of the run.
static void find_hashes(uint64_t hashes[STEPS + 1]) {
  SceneDef *def = small_def(DOLLS);
  Scene *scene = small_scene(def);
  for (int i = 0; i <= STEPS; i++) {
    hashes[i] = world_hash(scene->world);
    assert_true(i == STEPS || scene_step(scene));
  }
  scene_destroy(scene);
  scene_def_free(def);
}

static bool go_to(const RecordedRun *run, double time, long *step, uint64_t *hash, Error *error) {
  Scene *scene = small_scene(run->def);
  const bool good = trace_states_go_to(run->reader, scene, time, error);
  *step = scene->world->steps;
  *hash = world_hash(scene->world);
  scene_destroy(scene);
  return good;
}

static void test_all_moments(void **state) {
  (void)state;
  static uint64_t hashes[STEPS + 1];
  RecordedRun run;
  double first, last;
  find_hashes(hashes);
  recorded_run_of(&run, small_def(DOLLS "trace: {states: 0.25, rate: 60}\n"));
  const int count = trace_states_count(run.reader, &first, &last);
  assert_int_equal(count, 5);
  assert_near(first, 0, 0);
  assert_near(last, 1, 1e-9);
  const int frames = trace_frame_count(run.reader);
  double begin = 0, end = 0;
  assert_true(trace_read_column(run.reader, trace_time_channel.path, TRACE_FLOAT64, 0, 1, &begin, NULL) &&
              trace_read_column(run.reader, trace_time_channel.path, TRACE_FLOAT64, frames - 1, 1, &end, NULL));
  int reached = 0;
  for (int i = 0; i <= STEPS; i++)
    for (int between = 0; between < 3; between++) {
      const double time = (i + 0.45 * between) * STEP;
      Error error = {0};
      long step;
      uint64_t hash;
      const bool good = go_to(&run, time, &step, &hash, &error);
      if (good != (time >= begin && time <= end && time >= first))
        fail_msg("%g s: %s", time, error.text);
      if (!good)
        continue;
      assert_int_equal(step, i / PER_FRAME * PER_FRAME);
      assert_true(hash == hashes[step]);
      reached++;
    }
  assert_true(reached > STEPS);
  recorded_run_end(&run);
}

static void test_a_single_state(void **state) {
  (void)state;
  RecordedRun run;
  Error error = {0};
  double first, last;
  long step;
  uint64_t hash;
  recorded_run_of(&run, small_def(DOLLS "trace: {states: 2, rate: 60}\n"));
  assert_int_equal(trace_states_count(run.reader, &first, &last), 1);
  assert_true(go_to(&run, 0.1, &step, &hash, &error));
  assert_int_equal(step, 24);
  recorded_run_end(&run);
}

static void test_what_nothing_goes_on_from(void **state) {
  (void)state;
  static const struct {
    const char *trace;
    double time;
    const char *cause;
  } cases[] = {{"", 0.5, "the trace has no states: record it again"},
               {"trace: {states: 0.5}\n", -0.01, "-0.01 s is outside of the recorded run, which is from "},
               {"trace: {states: 0.5}\n", 1.01, "1.01 s is outside of the recorded run, which is from "},
               {"trace: {states: 0.5}\n", NAN, "nan s is outside of the recorded run, which is from "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1000];
    RecordedRun run;
    Error error = {0};
    double first, last;
    long step;
    uint64_t hash;
    snprintf(text, sizeof text, DOLLS "%s", cases[i].trace);
    recorded_run_of(&run, small_def(text));
    assert_true((trace_states_count(run.reader, &first, &last) > 0) == (i > 0));
    assert_false(go_to(&run, cases[i].time, &step, &hash, &error));
    assert_int_equal(step, 0);
    if (!strstr(error.text, cases[i].cause))
      fail_msg("'%s' instead of '%s'", error.text, cases[i].cause);
    recorded_run_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_moments),
      cmocka_unit_test(test_a_single_state),
      cmocka_unit_test(test_what_nothing_goes_on_from),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
