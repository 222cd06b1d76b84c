// When memory runs out, at whichever allocation, there is an error and no crash.
#define _GNU_SOURCE // dladdr

#include "tests/unit/recorded_run.h"

#include "scenes/export/export.h"
#include "scenes/report/gait_trace.h"
#include "scenes/sweep/study.h"
#include "scenes/sweep/trial_table.h"
#include "scenes/train/learner.h"
#include "tests/unit/motion_fixture.h"

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

#include "tests/unit/refusals.h"

static void reset(void *context, int environment, float inputs[]) {
  (void)context, (void)environment;
  inputs[0] = inputs[1] = 0;
}

static bool create_learner(void *context, Error *error) {
  const LearnerDef *def = context;
  const LearningTask task = {.inputs = 2, .outputs = 1, .environments = 2, .reset = reset};
  Learner *learner = learner_create(def, &task, 1, 1, error);
  learner_destroy(learner);
  return learner != NULL;
}

static bool sort_table(void *context, Error *error) {
  (void)context;
  static const char text[] = "trial,status\n5,a\n2,b\n5,c\n0,d\n";
  static const TableColumn columns[] = {{"trial", "", TABLE_NUMBER}, {"status", "", TABLE_TEXT}};
  Table *table = table_parse("trials.csv", text, sizeof text - 1, columns, 2, error);
  const bool good = table && table_sort(table, error);
  if (good)
    assert_int_equal(table->row_count, 3);
  table_free(table);
  return good;
}

static bool read_gait(void *context, Error *error) {
  GaitReport report;
  const ReportRun *run = context;
  return gait_report_read(run, &run->characters[0], &report, error);
}

// What an export as BVH needs of its own for as many joints: HDF5 and assimp, which it calls, are left alone.
static bool write_bvh(void *context, Error *error) {
  RecordedRun *run = context;
  ExportResult result = {0};
  const ExportOptions options = {.pose = TRACE_POSE_OUTPUT};
  const bool good = export_bvh(run->reader, run->def, &options, &result, error);
  if (result.file)
    fclose(result.file);
  free(result.bytes);
  return good;
}

static void test_bvh(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run(&run, "stand", "duration=0.1");
  const size_t joints = 2 * (size_t)run.def->characters[0].body->part_count;
  int good;
  items = joints;
  assert_int_equal(refuse_each(write_bvh, &run, &good), 1);
  assert_int_equal(good, 0);
  items = joints * 2048; // frames of a piece
  assert_int_equal(refuse_each(write_bvh, &run, &good), 2);
  assert_int_equal(good, 0);
  items = 0;
  recorded_run_end(&run);
}

static void test_learner(void **state) {
  (void)state;
  LearnerDef def;
  param_defaults(&learner_params, &def);
  def.hidden_first = def.hidden_second = 8;
  def.environments = 2;
  def.horizon = def.minibatch = 16;
  int good;
  assert_true(refuse_each(create_learner, &def, &good) > 20);
  assert_int_equal(good, 0);
}

static void test_table(void **state) {
  (void)state;
  int good;
  assert_true(refuse_each(sort_table, NULL, &good) > 5);
  assert_int_equal(good, 0);
}

// A pose whose motion cannot be read has no strides. What is refused are lists of a value for each frame: HDF5, which
// may be part of the program, does not stand it.
static void test_gait(void **state) {
  (void)state;
  Error error = {0};
  RecordedRun recorded;
  recorded_run(&recorded, "stand", "duration=0.28");
  ReportRun *run = report_run_read(recorded.reader, recorded.def, REPORT_MOST_FRAMES, &error);
  assert_non_null(run);
  int good;
  items = (size_t)run->frame_count;
  const int count = refuse_each(read_gait, run, &good);
  items = 0;
  assert_int_equal(count, 3 * (2 + 2)); // also whether each foot stands
  assert_int_equal(good, 3 * 2);        // each pose's times and places
  report_run_free(run);
  recorded_run_end(&recorded);
}

// ---- Whole scenes ----

static bool read_scene(void *context, Error *error) {
  SceneDef *def = scene_def_read(context, NULL, 0, error);
  scene_def_free(def);
  return def != NULL;
}

static bool read_study(void *context, Error *error) {
  StudyDef *study = study_read(context, error);
  study_free(study);
  return study != NULL;
}

// One refusal is borne: that of a path where the scene might also be, but is not.
static void test_reading(void **state) {
  (void)state;
  static const char *const scenes[] = {"limp", "bridge", "terrain_image", "walk_skill"};
  int good;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    assert_true(refuse_each(read_scene, (void *)(uintptr_t)scenes[i], &good) > 40);
    assert_true(good <= 1);
  }
  assert_true(refuse_each(read_study, (void *)(uintptr_t) "studies/laboratory_patch", &good) > 200);
}

// Creates the scene of a description and makes some steps.
static bool run_scene(void *context, Error *error) {
  Scene *scene = scene_create(context, error);
  bool good = scene != NULL;
  for (int i = 0; i < 12 && good; i++)
    good = scene_step(scene) || (error_set(error, "%s", scene->world->stop_reason), false);
  scene_destroy(scene);
  return good;
}

static void test_running(void **state) {
  (void)state;
  static const char *const scenes[] = {"bridge",     "hit_props", "scarf",       "terrain_image",
                                       "walk_skill", "aim",       "lizard_rough"};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    Error error = {0};
    SceneDef *def = scene_def_read(scenes[i], NULL, 0, &error);
    if (!def)
      fail_msg("%s", error.text);
    int good;
    assert_true(refuse_some(run_scene, def, 7, &good) > 100);
    assert_int_equal(good, 0);
    scene_def_free(def);
  }
}

// ---- Recorded motion ----

typedef struct Recorded {
  const BodyDef *body;
  const Motion *motion;
} Recorded;

static bool retarget_motion(void *context, Error *error) {
  const Recorded *recorded = context;
  const RetargetLimits limits = {0};
  const RetargetOptions options = retarget_options_default();
  RetargetMap map;
  RetargetReport report;
  const Skeleton *skeleton = &recorded->body->skeleton;
  Clip *clip = retarget_map(&map, recorded->motion, skeleton, NULL, error)
                   ? retarget(recorded->motion, &map, skeleton, &limits, &options, &report, error)
                   : NULL;
  clip_free(clip);
  return clip != NULL;
}

static void test_retargeting(void **state) {
  (void)state;
  FileSet files = {.sealed = false};
  Error error = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  Clip *walk = body ? clip_read(&files, "clips/walk.yaml", &body->skeleton, &error) : NULL;
  if (!walk) {
    fail_msg("%s", error.text);
    return;
  }
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  int good;
  assert_true(refuse_each(retarget_motion, &(Recorded){body, motion}, &good) > 5);
  assert_int_equal(good, 0);
  motion_free(motion);
  clip_free(walk);
  body_free(body);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reading), cmocka_unit_test(test_running), cmocka_unit_test(test_retargeting),
      cmocka_unit_test(test_learner), cmocka_unit_test(test_table),   cmocka_unit_test(test_gait),
      cmocka_unit_test(test_bvh),
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
