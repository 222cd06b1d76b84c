// NumPy's archives: what they contain of any body, what of a human one as AMASS has it, and what is too large.
#include "tests/unit/trace_fixture.h"

#include "anim/motion/motion.h"
#include "anim/motion/npz.h"
#include "scenes/export/smpl_pose.h"

static ExportResult export(const TraceFixture *trace, SceneDef *def) {
  Error error = {0};
  ExportResult result = {0};
  if (!export_npz(trace->reader, def, &(ExportOptions){.pose = TRACE_POSE_MEASURED}, &result, &error)) {
    fail_msg("%s", error.text);
    exit(1); // not reached
  }
  return result;
}

static File file_of(const ExportResult *result) {
  static char name[] = "x.npz";
  return (File){.name = name, .path = name, .bytes = result->bytes, .size = result->size};
}

static vec3s place_of(const Motion *motion, const char *joint) {
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  motion_place(motion, motion->frame_count - 1, positions, rotations);
  for (int j = 0; j < motion->joint_count; j++)
    if (strcmp(motion->joints[j].name, joint) == 0)
      return positions[j];
  fail_msg("no joint %s", joint);
  return (vec3s){{0, 0, 0}};
}

static void assert_hangs(vec3s from, vec3s to) {
  assert_true(to.y < from.y - 0.2f);
  assert_near((double)to.x, (double)from.x, 1e-4);
  assert_near((double)to.z, (double)from.z, 1e-4);
}

// The reader of AMASS' files finds a man who stands with hanging arms, faces his left (+x) and has gone 1 cm to +z.
static void test_a_man_is_one_of_amass(void **state) {
  (void)state;
  SceneDef *def = trace_fixture_def("stand");
  TraceFixture trace;
  Error error = {0};
  trace_fixture_standing(&trace, def, 11, 90);
  ExportResult result = export(&trace, def);
  assert_string_equal(result.contents,
                      "stander, measured pose, 11 frames at 100 Hz, 16 joints, 23 markers, 39 angles, AMASS");
  const File file = file_of(&result);
  Motion *motion = motion_read(&file, &(MotionOptions){.unit = 1, .up_axis = 2, .front_axis = 4}, &error);
  trace_check(&error);
  assert_non_null(motion);
  assert_int_equal(motion->frame_count, 11);
  assert_near(motion->frame_rate, 100, 1e-9);
  const vec3s pelvis = place_of(motion, "Pelvis"), shoulder = place_of(motion, "L_Shoulder");
  const vec3s elbow = place_of(motion, "L_Elbow"), hip = place_of(motion, "L_Hip"), knee = place_of(motion, "L_Knee");
  const vec3s ankle = place_of(motion, "L_Ankle"), toes = place_of(motion, "L_Foot");
  assert_near((double)pelvis.x, 0, 1e-5);
  assert_near((double)pelvis.y, 0.93, 1e-5);
  assert_near((double)pelvis.z, 0.01, 1e-5);
  assert_true(shoulder.z < pelvis.z - 0.15f && hip.z < pelvis.z - 0.05f); // his left is at -z
  assert_hangs(shoulder, elbow);
  assert_hangs(hip, knee);
  assert_hangs(knee, ankle);
  assert_true(toes.x > ankle.x + 0.1f && fabsf(toes.z - ankle.z) < 0.05f);
  motion_free(motion);
  free(result.bytes);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// Two boxes have joints, markers and angles, but nothing of a man.
static void test_any_body(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 1\ncharacters:\n  - {name: doll, body: boxes.yaml}\n");
  TraceFixture trace;
  Error error = {0};
  trace_fixture_standing(&trace, def, 3, 90);
  ExportResult result = export(&trace, def);
  assert_string_equal(result.contents, "doll, measured pose, 3 frames at 100 Hz, 2 joints, 3 markers, 6 angles");
  // 3 times, a rate, 2 parents, 2 rotations and 3 places and 6 angles in each frame.
  assert_string_equal(result.round_trip, "read back: 75 numbers, all the same bits");
  const File file = file_of(&result);
  assert_true(npz_has(&file, "joint_names") && npz_has(&file, "marker_names") && npz_has(&file, "angle_names"));
  assert_false(npz_has(&file, "poses") || npz_has(&file, "trans") || npz_has(&file, "mocap_framerate"));
  NpzArray markers = {0};
  assert_true(npz_read(&file, "marker_positions", &markers, &error));
  assert_int_equal(markers.rank, 3);
  assert_int_equal(markers.count, 3 * 3 * 3);
  const double expected[] = {0, 1, 0.002, 0, 1.2, 0.002, 0, 1.5, 0.002}; // base, top, top.end of the last frame
  for (int i = 0; i < 9; i++)
    assert_near(markers.values[18 + i], expected[i], 1e-6);
  npz_free(&markers);
  free(result.bytes);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// A limb of less than 1 cm points nowhere, so that a body with one has no pose of AMASS.
static void test_limbs_have_a_length(void **state) {
  (void)state;
  static BodyDef body;
  SceneDef *def = trace_fixture_def("stand");
  body = *def->characters[0].body;
  const int shin = skeleton_find(&body.skeleton, "shin_l");
  assert_true(smpl_pose_fits(&body));
  body.skeleton.bind_position_l[shin] = (vec3s){{0, -0.011f, 0}};
  assert_true(smpl_pose_fits(&body));
  body.skeleton.bind_position_l[shin] = (vec3s){{0, -0.009f, 0}};
  assert_false(smpl_pose_fits(&body));
  scene_def_free(def);
}

// A directory can point 4 GB far, which no test writes.
static void test_too_large(void **state) {
  (void)state;
  Error error = {0};
  NpzWriter writer = {.file = {.size = (size_t)UINT32_MAX}};
  writer.directory.size = 46;
  assert_false(npz_finish(&writer, &error));
  assert_string_equal(error.text, "the arrays have 4.3 GB, more than the 4 that a file can have");
}

// Texts have the length of the longest, one letter at least, and are filled with zeros, each letter in four bytes.
static void test_texts(void **state) {
  (void)state;
  static const struct {
    size_t count;
    const char *texts[3], *header;
    size_t values; // bytes
  } cases[] = {{1, {"a"}, "{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", 4},
               {2, {"", ""}, "{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }", 8},
               {3, {"ab", "", "c"}, "{'descr': '<U2', 'fortran_order': False, 'shape': (3,), }", 24}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    NpzWriter writer = {.count = 0};
    npz_put_texts(&writer, "names", cases[i].count, cases[i].texts);
    const size_t size = writer.file.size, longest = cases[i].values / (4 * cases[i].count);
    const char *values = writer.file.bytes + size - cases[i].values;
    size_t at = 0;
    while (at + 10 < size && memcmp(writer.file.bytes + at, "{'descr': ", 10) != 0)
      at++;
    if (strncmp(writer.file.bytes + at, cases[i].header, strlen(cases[i].header)) != 0)
      fail_msg("case %d: %.80s", (int)i, writer.file.bytes + at);
    assert_int_equal(values[-1], '\n');
    for (size_t k = 0; k < cases[i].values; k++) {
      const char *text = cases[i].texts[k / (4 * longest)];
      const size_t letter = k / 4 % longest;
      assert_int_equal(values[k], k % 4 == 0 && letter < strlen(text) ? text[letter] : 0);
    }
    npz_writer_free(&writer);
  }
}

static void test_errors(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 1\ncharacters:\n  - {name: doll, body: boxes.yaml}\n");
  TraceFixture trace;
  Error error = {0};
  ExportResult result = {0};
  trace_fixture_standing(&trace, def, 1, 0);
  assert_false(export_npz(trace.reader, def, &(ExportOptions){.character = "bear"}, &result, &error));
  assert_null(result.bytes);
  assert_non_null(strstr(error.text, "there is no character 'bear'"));
  trace_fixture_end(&trace);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_man_is_one_of_amass),
      cmocka_unit_test(test_any_body),
      cmocka_unit_test(test_limbs_have_a_length),
      cmocka_unit_test(test_too_large),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
