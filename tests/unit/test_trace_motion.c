// The motion of a character from a trace: compared with the trace's physical parts; and errors.
#include "tests/unit/recorded_run.h"

#include "scenes/description/trace_motion.h"

static TraceMotion *read_motion(const RecordedRun *run, const char *character, TracePose pose) {
  Error error = {0};
  TraceMotion *motion = trace_motion_read(run->reader, run->def, character, pose, &error);
  if (!motion) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return motion;
}

// The runner of hit_assist is hit at 3 s: his parts are then up to some mm off unstretched joints.
static void test_measured_pose_is_where_the_parts_are(void **state) {
  const RecordedRun *run = *state;
  TraceMotion *motion = read_motion(run, NULL, TRACE_POSE_MEASURED);
  assert_string_equal(motion->character, "runner");
  assert_int_equal(motion->frame_count, 3.5 * 60 + 1);
  assert_int_equal(motion->joint_count, 16);
  assert_near(motion->frame_rate, 60, 1e-9);
  assert_near(motion->time[210], 3.5, 1e-9);
  enum { FRAMES = 211, PARTS = 16 };
  static double center[FRAMES][PARTS][3], rotation[FRAMES][PARTS][4];
  Error error = {0};
  assert_true(trace_read(run->reader, "/characters/runner/parts/position", TRACE_FLOAT64, 0, FRAMES, center, &error) &&
              trace_read(run->reader, "/characters/runner/parts/rotation", TRACE_FLOAT64, 0, FRAMES, rotation, &error));
  for (int f = 0; f < FRAMES; f++) {
    vec3s positions[PARTS], alone[PARTS];
    versors rotations[PARTS];
    trace_motion_place(motion, f, positions, rotations);
    trace_motion_place(motion, f, alone, NULL);
    assert_memory_equal(positions, alone, sizeof alone);
    for (int i = 0; i < PARTS; i++) {
      const PartDef *part = &motion->body->parts[i];
      vec3s to_center;
      for (int k = 0; k < 3; k++)
        to_center.raw[k] = (float)(part->com[k] - part->joint.position[k]);
      to_center = glms_vec3_add(positions[i], glms_quat_rotatev(rotations[i], to_center));
      double gap = 0;
      for (int k = 0; k < 3; k++)
        gap = fmax(gap, fabs((double)to_center.raw[k] - center[f][i][k]));
      assert_near(gap, 0, i == 0 ? 1e-5 : 0.006); // the root has no joint that could open
      versors part_rotation;
      for (int k = 0; k < 4; k++)
        part_rotation.raw[k] = (float)rotation[f][i][k];
      assert_near((double)quat_angle_between(part_rotation, rotations[i]), 0, 1e-4);
    }
  }
  trace_motion_free(motion);
}

static void test_poses_differ(void **state) {
  const RecordedRun *run = *state;
  TraceMotion *motions[TRACE_POSE_COUNT];
  double distance[TRACE_POSE_COUNT] = {0};
  for (int p = 0; p < TRACE_POSE_COUNT; p++)
    motions[p] = read_motion(run, "runner", (TracePose)p);
  for (int f = 0; f < motions[0]->frame_count; f++)
    for (int j = 0; j < motions[0]->joint_count; j++) {
      size_t sample = (size_t)f * (size_t)motions[0]->joint_count + (size_t)j;
      for (int p = 0; p < TRACE_POSE_COUNT; p++) {
        assert_near((double)glms_quat_norm(motions[p]->rotation[sample]), 1, 1e-6);
        versors a = motions[p]->rotation[sample], b = motions[(p + 1) % TRACE_POSE_COUNT]->rotation[sample];
        distance[p] = fmax(distance[p], (double)quat_angle_between(a, b));
      }
    }
  for (int p = 0; p < TRACE_POSE_COUNT; p++) {
    assert_true(distance[p] > 0.01);
    assert_int_equal((int)motions[p]->pose, p);
    trace_motion_free(motions[p]);
  }
}

// Pieces of any size, one after the other and back, have the frames of the whole motion.
static void test_pieces_are_the_whole(void **state) {
  const RecordedRun *run = *state;
  Error error = {0};
  static const int pieces[][2] = {{0, 50}, {50, 100}, {150, 1000}, {200, 11}, {3, 1}, {0, 211}};
  TraceMotion *whole = read_motion(run, NULL, TRACE_POSE_MEASURED);
  TraceMotion *motion = trace_motion_open(run->reader, run->def, NULL, TRACE_POSE_MEASURED, &error);
  assert_non_null(motion);
  assert_int_equal(motion->frame_count, 0);
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    const int first = pieces[i][0], left = whole->frame_count - first;
    const size_t count = (size_t)(pieces[i][1] < left ? pieces[i][1] : left), joints = (size_t)whole->joint_count;
    assert_true(trace_motion_load(motion, first, pieces[i][1], &error));
    assert_int_equal(motion->first, first);
    assert_int_equal(motion->frame_count, count);
    assert_memory_equal(motion->time, whole->time + first, count * sizeof *motion->time);
    assert_memory_equal(motion->root_position, whole->root_position + first, count * sizeof *motion->root_position);
    assert_memory_equal(motion->rotation, whole->rotation + (size_t)first * joints,
                        count * joints * sizeof *motion->rotation);
  }
  trace_motion_free(motion);
  trace_motion_free(whole);
}

static void refuses(const RecordedRun *run, const char *character, TracePose pose, const char *text) {
  Error error = {0};
  assert_null(trace_motion_read(run->reader, run->def, character, pose, &error));
  if (!strstr(error.text, text))
    fail_msg("'%s' is not in '%s'", text, error.text);
}

static void test_wrong_names(void **state) {
  const RecordedRun *run = *state;
  refuses(run, "runer", TRACE_POSE_OUTPUT, "no character 'runer' in the trace, did you mean 'runner'?");
  refuses(run, "xyz", TRACE_POSE_OUTPUT, "allowed are runner");
  refuses(run, NULL, TRACE_POSE_COUNT, "no pose");
  refuses(run, NULL, (TracePose)-1, "no pose");
  trace_motion_free(NULL);
}

// ---- Traces with any contents ----

static const char DOLL[] = "duration: 1\n"
                           "characters:\n"
                           "  - {name: doll, body: boxes.yaml}\n";

typedef struct Forged {
  int frames;
  float root[4], joint[4], height;
  bool with_joints;
} Forged;

static const Forged GOOD = {3, {0, 0, 0, 1}, {0, 0, 0, 1}, 1, true};

static void forge(RecordedRun *run, const Forged *forged) {
  Error error = {0};
  small_file(run->path);
  SceneDef *def = small_def(DOLL);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(run->path, &info, &error);
  const TraceChannel position = {"/characters/doll/pose/output/root_position", TRACE_FLOAT32, {3}, "m", "", NULL};
  const TraceChannel root = {"/characters/doll/pose/output/root_rotation", TRACE_FLOAT32, {4}, "", "", NULL};
  const TraceChannel joints = {"/characters/doll/pose/output/rotation", TRACE_FLOAT32, {1, 4}, "", "", NULL};
  int channels[3] = {trace_channel(writer, &position, &error), trace_channel(writer, &root, &error), -1};
  if (forged->with_joints)
    channels[2] = trace_channel(writer, &joints, &error);
  for (int f = 0; f < forged->frames; f++) {
    bool last = f == forged->frames - 1;
    float *p = trace_row(writer, channels[0]), *q = trace_row(writer, channels[1]);
    p[1] = last ? forged->height : 1;
    memcpy(q, last ? forged->root : GOOD.root, sizeof forged->root);
    if (forged->with_joints)
      memcpy(trace_row(writer, channels[2]), last ? forged->joint : GOOD.joint, sizeof forged->joint);
    trace_end_frame(writer, 0.02 * f);
  }
  assert_true(trace_close(writer, "stopped: test", &error));
  scene_def_free(def);
  run->reader = trace_open(run->path, &error);
  run->def = scene_def_from_trace(run->reader, &error);
  assert_non_null(run->def);
}

static void forged_is_refused(Forged forged, const char *text) {
  RecordedRun run;
  forge(&run, &forged);
  refuses(&run, "doll", TRACE_POSE_OUTPUT, text);
  recorded_run_end(&run);
}

// A piece is refused for its own frames alone, with their numbers in the trace.
static void test_a_broken_piece(void **state) {
  (void)state;
  RecordedRun run;
  Forged forged = GOOD;
  Error error = {0};
  forged.height = NAN;
  forge(&run, &forged);
  TraceMotion *motion = trace_motion_open(run.reader, run.def, NULL, TRACE_POSE_OUTPUT, &error);
  assert_non_null(motion);
  assert_true(trace_motion_load(motion, 0, 2, &error));
  assert_false(trace_motion_load(motion, 1, 2, &error));
  assert_non_null(strstr(error.text, "of 'base' in frame 2, at 0.04"));
  trace_motion_free(motion);
  recorded_run_end(&run);
}

static void test_broken_values(void **state) {
  (void)state;
  RecordedRun run;
  forge(&run, &GOOD);
  trace_motion_free(read_motion(&run, NULL, TRACE_POSE_OUTPUT));
  refuses(&run, NULL, TRACE_POSE_TARGET, "the trace has no /characters/doll/pose/target/root_position");
  recorded_run_end(&run);

  Forged forged = GOOD;
  forged.frames = 0;
  forged_is_refused(forged, "the trace has no frames");
  forged = GOOD;
  forged.height = NAN;
  forged_is_refused(forged,
                    "the output pose of 'doll' has a position that is not finite of 'base' in frame 2, at 0.04");
  forged = GOOD;
  forged.root[3] = INFINITY;
  forged_is_refused(forged, "no unit rotation of 'base' in frame 2");
  forged = GOOD;
  forged.joint[3] = 0;
  forged_is_refused(forged, "no unit rotation of 'top' in frame 2");
  forged = GOOD;
  forged.with_joints = false;
  forged_is_refused(forged, "the trace has no /characters/doll/pose/output/rotation");
}

static int record(void **state) {
  static RecordedRun run;
  recorded_run(&run, "hit_assist", "duration=3.5");
  *state = &run;
  return 0;
}

static int end(void **state) {
  recorded_run_end(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_measured_pose_is_where_the_parts_are),
      cmocka_unit_test(test_poses_differ),
      cmocka_unit_test(test_wrong_names),
      cmocka_unit_test(test_pieces_are_the_whole),
      cmocka_unit_test(test_a_broken_piece),
      cmocka_unit_test(test_broken_values),
  };
  return cmocka_run_group_tests(tests, record, end);
}
