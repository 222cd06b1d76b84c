// BVH files: in centimetres, with bones of their length, with curves that do not jump; they read back to the trace.
#include "tests/unit/recorded_run.h"

#include "anim/motion/motion.h"
#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"

// The text of the file in which the result is.
static ExportResult export(const RecordedRun *run, const char *character, TracePose pose) {
  Error error = {0};
  ExportResult result = {0};
  const ExportOptions options = {.character = character, .pose = pose};
  if (!export_bvh(run->reader, run->def, &options, &result, &error)) {
    fail_msg("%s", error.text);
    exit(1);
  }
  assert_null(result.bytes);
  result.bytes = calloc(result.size + 1, 1);
  rewind(result.file);
  assert_int_equal(fread(result.bytes, 1, result.size + 1, result.file), result.size);
  fclose(result.file);
  assert_int_equal(result.size, strlen(result.bytes));
  return result;
}

static RoundTrip measure(const RecordedRun *run, const ExportResult *result, TracePose pose) {
  Error error = {0};
  RoundTrip trip = {0};
  TraceMotion *motion = trace_motion_read(run->reader, run->def, NULL, pose, &error);
  if (!round_trip_measure("x.bvh", result->bytes, result->size, 0.01, motion, &trip, &error))
    fail_msg("%s", error.text);
  trace_motion_free(motion);
  return trip;
}

static void test_all_poses_read_back(void **state) {
  const RecordedRun *run = *state;
  for (int p = 0; p < TRACE_POSE_COUNT; p++) {
    ExportResult result = export(run, NULL, (TracePose)p);
    const RoundTrip trip = measure(run, &result, (TracePose)p);
    assert_int_equal(trip.moments, 211);
    assert_true(trip.distance < 1e-4 && trip.angle < 1e-4); // m, rad
    assert_non_null(strstr(result.contents, "cm"));
    // What the export says of itself, which it measured piece by piece.
    double distance, angle; // mm, deg
    int moments;
    assert_int_equal(sscanf(result.round_trip, "read back through assimp: joints within %lf mm and %lf deg at %d",
                            &distance, &angle, &moments),
                     3);
    assert_int_equal(moments, 211);
    assert_near(distance, 1000 * trip.distance, 0.05 * distance);
    assert_near(angle, trip.angle * 180 / M_PI, 0.1 * angle);
    free(result.bytes);
  }
}

// As an importer without settings: unit, axes and front are found out.
static void test_is_understood_without_help(void **state) {
  const RecordedRun *run = *state;
  ExportResult result = export(run, "runner", TRACE_POSE_OUTPUT);
  char name[] = "x.bvh";
  const File file = {.name = name, .path = name, .bytes = result.bytes, .size = result.size};
  Error error = {0};
  Motion *motion = motion_read(&file, NULL, &error);
  assert_non_null(motion);
  assert_near(motion->found.unit, 0.01, 1e-12);
  assert_int_equal(motion->found.up_axis, 1);
  assert_int_equal(motion->found.front_axis, 2);
  assert_near(motion->frame_rate, 60, 1e-6);
  motion_free(motion);
  assert_memory_equal(result.bytes, "HIERARCHY\nROOT pelvis\n", 22);
  assert_non_null(strstr(result.bytes, "OFFSET 0.0000000 93.0000000 0.0000000\n"));
  assert_non_null(strstr(result.bytes, "\nFrames: 211\nFrame Time: 0.01666666667\n"));
  // The head ends at its top, 25 cm above the neck.
  assert_non_null(strstr(strstr(result.bytes, "JOINT head"), "OFFSET 0.0000000 25.0000000 1.0000000"));
  free(result.bytes);
}

// The largest step of an angle between two frames, deg. The root's first three values are its position.
static double largest_step(const char *bvh, int first, int count) {
  const char *at = strstr(bvh, "Frame Time");
  double last[64], step = 0;
  assert_non_null(at);
  at = strchr(at, '\n') + 1;
  for (int frame = 0; *at != '\0'; frame++)
    for (int i = 0; i < 51; i++) {
      char *end;
      const double value = strtod(at, &end);
      assert_true(end > at);
      if (frame > 0 && i >= first && i < first + count)
        step = fmax(step, fabs(value - last[i]));
      last[i] = value;
      at = end + strspn(end, " \n");
    }
  return step;
}

// Turning on the spot takes the heading through 90 and 180 degrees, where angles of an unsuitable order or range jump.
static void test_angles_do_not_jump(void **state) {
  (void)state;
  RecordedRun run;
  Error error = {0};
  const char *overrides[] = {"duration=3", "characters.man.script.0={time: 0.1, heading: 180}"};
  SceneDef *def = scene_def_read("responsive", overrides, 2, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  recorded_run_of(&run, def);
  ExportResult result = export(&run, NULL, TRACE_POSE_MEASURED);
  const RoundTrip trip = measure(&run, &result, TRACE_POSE_MEASURED);
  assert_true(trip.distance < 1e-4 && trip.angle < 1e-4);
  assert_true(largest_step(result.bytes, 3, 3) < 15);
  assert_true(largest_step(result.bytes, 6, 45) < 40);
  free(result.bytes);
  recorded_run_end(&run);
}

// A body of one part is a root alone; of several characters the first is exported, and that is reported.
static void test_small_and_several(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, small_def("duration: 0.5\n"
                                  "characters:\n"
                                  "  - {name: a, body: boxes.yaml, animation: {move: nod.yaml}}\n"
                                  "  - {name: b, body: boxes.yaml, start: {position: [3, 0, 0]}}\n"));
  ExportResult first = export(&run, NULL, TRACE_POSE_OUTPUT), second = export(&run, "b", TRACE_POSE_OUTPUT);
  assert_memory_equal(first.contents, "a, the first of several,", 24);
  assert_memory_equal(second.contents, "b, output pose,", 15);
  assert_true(measure(&run, &first, TRACE_POSE_OUTPUT).distance < 1e-5);
  assert_true(measure(&run, &second, TRACE_POSE_OUTPUT).distance > 2.9); // it is another one
  free(first.bytes);
  free(second.bytes);
  recorded_run_end(&run);
}

static int record(void **state) {
  static RecordedRun run;
  recorded_run(&run, "hit_run", "duration=3.5");
  *state = &run;
  return 0;
}

static int end(void **state) {
  recorded_run_end(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_poses_read_back),
      cmocka_unit_test(test_is_understood_without_help),
      cmocka_unit_test(test_angles_do_not_jump),
      cmocka_unit_test(test_small_and_several),
  };
  return cmocka_run_group_tests(tests, record, end);
}
