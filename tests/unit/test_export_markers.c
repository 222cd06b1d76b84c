// Markers of .trc and .c3d: names and places on known bodies, the form of the files, more frames than 16 bits can
// count.
#define _GNU_SOURCE // memmem
#include "tests/unit/trace_fixture.h"

#include "scenes/export/trace_markers.h"

static void assert_marker(const TraceMarkers *markers, int frame, const char *name, double x, double y, double z) {
  int m = 0;
  while (m < markers->count && strcmp(markers->markers[m].name, name) != 0)
    m++;
  if (m == markers->count)
    fail_msg("no marker %s", name);
  const vec3s place = markers->places[frame * markers->count + m];
  if (!(fabs((double)place.x - x) + fabs((double)place.y - y) + fabs((double)place.z - z) < 1e-5))
    fail_msg("%s is at %g %g %g", name, (double)place.x, (double)place.y, (double)place.z);
}

// A man who looks to his left: what is in front of him lies in +x.
static void test_places(void **state) {
  (void)state;
  SceneDef *def = trace_fixture_def("stand");
  TraceFixture trace;
  TraceMarkers markers;
  Error error = {0};
  trace_fixture_standing(&trace, def, 11, 90);
  assert_true(trace_markers_read(&markers, trace.reader, def, NULL, TRACE_POSE_MEASURED, &error));
  assert_int_equal(markers.count, 16 + 4 + 3);
  assert_marker(&markers, 0, "pelvis", 0, 0.93, 0);
  assert_marker(&markers, 0, "thigh_l", 0, 0.93, -0.09);
  assert_marker(&markers, 0, "foot_l.heel", -0.08, 0, -0.09);
  assert_marker(&markers, 0, "foot_r.toe", 0.18, 0, 0.09);
  assert_marker(&markers, 0, "head.end", 0.01, 1.75, 0);
  assert_marker(&markers, 10, "head.end", 0.01, 1.75, 0.01);
  assert_marker(&markers, 10, "hand_r.end", 0, 0.67, 0.225);
  trace_markers_free(&markers);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// Bodies of any shape: every marker has a name of its own.
static void test_names_differ(void **state) {
  (void)state;
  static const char *const scenes[] = {"spider", "lizard"};
  for (int i = 0; i < 2; i++) {
    SceneDef *def = trace_fixture_def(scenes[i]);
    TraceFixture trace;
    TraceMarkers markers;
    Error error = {0};
    trace_fixture_standing(&trace, def, 1, 0);
    assert_true(trace_markers_read(&markers, trace.reader, def, NULL, TRACE_POSE_MEASURED, &error));
    for (int m = 0; m < markers.count; m++)
      for (int n = 0; n < m; n++)
        assert_string_not_equal(markers.markers[m].name, markers.markers[n].name);
    trace_markers_free(&markers);
    trace_fixture_end(&trace);
    scene_def_free(def);
  }
}

static void test_trc(void **state) {
  (void)state;
  SceneDef *def = trace_fixture_def("stand");
  TraceFixture trace;
  char told[256];
  trace_fixture_standing(&trace, def, 2, 0);
  char *text = trace_fixture_export(&trace, export_trc, def, (ExportOptions){.pose = TRACE_POSE_MEASURED}, told);
  static const char START[] = "PathFileType\t4\t(X/Y/Z)\tsmall_stander_measured.trc\n"
                              "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t"
                              "OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
                              "100\t100\t2\t23\tmm\t100\t1\t2\n"
                              "Frame#\tTime\tpelvis\t\t\tabdomen\t\t\tchest\t\t\thead\t\t\tupper_arm_l\t\t\t";
  assert_memory_equal(text, START, strlen(START));
  // x forward, y up, z to the right: the left arm has a negative z.
  double shoulder[3];
  const char *row = strstr(text, "\n\n1\t0\t0\t930\t0\t");
  assert_non_null(row);
  assert_int_equal(sscanf(row, "%*d %*f %*f %*f %*f %*f %*f %*f %*f %*f %*f %*f %*f %*f %lf %lf %lf", &shoulder[0],
                          &shoulder[1], &shoulder[2]),
                   3);
  assert_near(shoulder[0], 0, 0);
  assert_near(shoulder[1], 1420, 1e-3);
  assert_near(shoulder[2], -215, 1e-3);
  assert_non_null(strstr(text, "\n2\t0.01\t1\t930\t0\t1\t"));
  assert_string_equal(told, "read back: 142 numbers, all the same bits");
  free(text);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// The values of a C3D parameter.
static const char *parameter(const ExportResult *file, const char *name) {
  const char *at = memmem(file->bytes, 16384, name, strlen(name));
  assert_non_null(at);
  at += strlen(name) + 2; // behind the distance to the next record
  return at + 2 + at[1];  // behind type, number of dimensions, dimensions
}

static unsigned word(const char *at) { return (unsigned char)at[0] | (unsigned)(unsigned char)at[1] << 8; }

static float number(const char *at) {
  float value;
  memcpy(&value, at, sizeof value);
  return value;
}

// Boundary: 65535 already means "look elsewhere".
static void test_c3d_counts_frames(void **state) {
  (void)state;
  static const int counts[] = {65534, 70000};
  SceneDef *def = small_def("duration: 1\ncharacters:\n  - {name: doll, body: boxes.yaml}\n");
  for (int i = 0; i < 2; i++) {
    const int frames = counts[i];
    TraceFixture trace;
    ExportResult file = {0};
    Error error = {0};
    trace_fixture_standing(&trace, def, frames, 0);
    assert_true(export_c3d(trace.reader, def, &(ExportOptions){.pose = TRACE_POSE_MEASURED}, &file, &error));
    const unsigned short_count = frames < 65535 ? (unsigned)frames : 65535;
    assert_int_equal(word(file.bytes + 6), 1);
    assert_int_equal(word(file.bytes + 8), short_count);
    assert_int_equal(word(parameter(&file, "FRAMES")), short_count);
    assert_true(number(parameter(&file, "LONG_FRAMES")) == (float)frames);
    const char *start = parameter(&file, "ACTUAL_START_FIELD"), *end = parameter(&file, "ACTUAL_END_FIELD");
    assert_int_equal(word(start) | word(start + 2) << 16, 1);
    assert_int_equal(word(end) | word(end + 2) << 16, frames);
    // The last frame is whole: its first point is the root, (frames - 1) mm ahead.
    const unsigned points = word(file.bytes + 2), block = word(file.bytes + 16);
    const char *last = file.bytes + 512 * (block - 1) + 16 * (size_t)points * ((size_t)frames - 1);
    assert_true(last + 16 * points <= file.bytes + file.size);
    assert_near((double)number(last), frames - 1, 0.1);
    free(file.bytes);
    trace_fixture_end(&trace);
  }
  scene_def_free(def);
}

static void test_errors(void **state) {
  (void)state;
  SceneDef *def = trace_fixture_def("stand");
  TraceFixture trace;
  trace_fixture_standing(&trace, def, 1, 0);
  static MakeExport *const makers[] = {export_trc, export_c3d};
  static const struct {
    ExportOptions options;
    const char *error;
  } cases[] = {
      {{.pose = TRACE_POSE_TARGET}, "pose/target/root_position"},
      {{.pose = TRACE_POSE_MEASURED, .character = "woman"}, "there is no character 'woman'"},
  };
  for (int i = 0; i < 4; i++) {
    Error error = {0};
    ExportResult result = {0};
    assert_false(makers[i / 2](trace.reader, def, &cases[i % 2].options, &result, &error));
    assert_null(result.bytes);
    if (!strstr(error.text, cases[i % 2].error))
      fail_msg("\"%s\" is not in \"%s\"", cases[i % 2].error, error.text);
  }
  trace_fixture_end(&trace);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places), cmocka_unit_test(test_names_differ),
      cmocka_unit_test(test_trc),    cmocka_unit_test(test_c3d_counts_frames),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
