// Doses of made responses, whose sizes and distances are known.
#include "tests/unit/study_fixture.h"

#include "scenes/sweep/dose.h"
#include "sim/base/numbers.h"
#include "sim/base/text_buffer.h"

static const char STUDY[] = "scene: small.yaml\n"
                            "repeats: 6\n"
                            "responses: true\n"
                            "axes:\n"
                            "  events.0.impulse: {values: [2, 4, 1], name: size}\n"
                            "  events.0.direction: {values: [0, 180], name: side}\n"
                            "  events.0.part: {values: [base, top], name: part}\n"
                            "metrics: [hit_response_size, hit_response_peak_time]\n";

// Response of a trial: the joint turns about x for hits on the base, about y for those on the top; deg.
typedef double (*Angle)(double impulse, bool front, bool top, int repeat);

static char folder[32];
static bool same_axis; // hits on both parts turn the joint about x

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/stagger_test_XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "%s/responses.bin", folder);
  unlink(path);
  return rmdir(folder);
}

static void write_response(const StudyDef *study, long trial, double degrees, bool top) {
  HitResponse response = {.frame_count = HIT_RESPONSE_FRAMES, .joint_count = 2};
  for (int f = 0; f < HIT_RESPONSE_FRAMES; f++)
    response.rotation[f][1][top && !same_axis ? 1 : 0] = (float)(degrees * RAD_PER_DEGREE);
  assert_true(response_file_write(folder, study, trial, &response));
}

static double value(const StudyDef *study, int axis, long trial) {
  char text[PARAM_TEXT_SIZE];
  study_value(study, axis, trial, text);
  return strtod(text, NULL);
}

// Trials for which `leave_out` returns true are not run.
static DoseTable *make(const StudyDef *study, Angle angle, bool (*leave_out)(long trial)) {
  static char csv[1 << 16];
  char *header = table_header(study->columns, study->column_count);
  int length = snprintf(csv, sizeof csv, "%s\n", header);
  free(header);
  for (long trial = study->trial_count - 1; trial >= 0; trial--) { // in any order
    const bool top = trial / study->run.repeats % 2 == 1;
    const double degrees =
        angle(value(study, 0, trial), value(study, 1, trial) > 0, top, (int)(trial % study->run.repeats));
    if (leave_out && leave_out(trial))
      continue;
    write_response(study, trial, degrees, top);
    length +=
        snprintf(csv + length, sizeof csv - (size_t)length, "%ld,%ld,%ld,1,%g,%g,%s,complete,1,1,%.9g,0.1\n", trial,
                 trial / 6, trial % 6, value(study, 0, trial), value(study, 1, trial), top ? "top" : "base", degrees);
  }
  Error error = {0};
  Table *table = table_parse("made", csv, (size_t)length, study->columns, study->column_count, &error);
  assert_string_equal(error.text, "");
  ResponseFile *responses = response_file_open(folder, study, &error);
  assert_non_null(responses);
  DoseTable *dose = dose_create(study, table, responses, &error);
  assert_non_null(dose);
  response_file_close(responses);
  table_free(table);
  return dose;
}

// The angle between turns of these sizes about x and y, deg.
static double across(double a, double b) {
  return 2 * acos(cos(a * RAD_PER_DEGREE / 2) * cos(b * RAD_PER_DEGREE / 2)) / RAD_PER_DEGREE;
}

static double proportional(double impulse, bool front, bool top, int repeat) {
  return impulse * (front ? 10 : 5) * (top ? 2 : 1) + (top ? 0 : repeat);
}

// From the front a hit of 2 on the base turns by 20 to 25 deg, by seeds, on the top by 40; from behind by half of it.
static void test_known_responses(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  assert_true(dose_applies(study));
  DoseTable *dose = make(study, proportional, NULL);
  assert_int_equal(dose->size_count, 3);
  for (int s = 0; s < 3; s++) {
    const double impulse = 1 << s;
    assert_true(dose->sizes[s] == impulse); // ascending, not as in the study
    const DoseFigure *base = &dose->measures[DOSE_SIZE][0][s], *top = &dose->measures[DOSE_SIZE][1][s];
    assert_int_equal(base->count, 12);
    assert_near(top->value, (10 + 20) / 2.0 * impulse, 1e-6);
    assert_true(base->low <= base->value && base->value <= base->high && base->high > base->low);
    assert_near(dose->measures[DOSE_PEAK_TIME][1][s].value, 0.1, 1e-9);
    double distance[2] = {0}, size[2] = {0};
    for (int front = 0; front < 2; front++)
      for (int r = 0; r < 6; r++) {
        const double a = proportional(impulse, front, false, r), b = proportional(impulse, front, true, r);
        distance[front] += across(a, b) / 6;
        size[front] += (a + b) / 2 / 6;
      }
    assert_near(dose->distance[s][0][1], distance[1], 0.01); // responses are kept in steps of 1e-4 rad
    assert_true(dose->distance[s][1][0] == dose->distance[s][0][1] && dose->distance[s][0][0] == 0);
    assert_near(dose->front[s].value, distance[1] / size[1], 1e-3);
    assert_near(dose->around[s].value, (distance[0] + distance[1]) / (size[0] + size[1]), 1e-3);
    assert_int_equal(dose->front[s].count, 6);
    assert_true(dose->front[s].low < dose->front[s].value && dose->front[s].value < dose->front[s].high);
  }
  assert_true(dose->chosen[0] && dose->chosen[1]);
  assert_int_equal(dose->rising.count, 2 * 2 * 2 * 6);
  assert_true(dose->rising.value == 1);
  assert_near(dose->joint_peak[1][1], 30, 0.01);
  assert_near(dose->joint_peak_time[1][1], 1 / 60.0, 1e-9);
  dose_destroy(dose);
  study_free(study);
}

// Two seeds of one part and side shrink from 2 to 4.
static double saturating(double impulse, bool front, bool top, int repeat) {
  return impulse > 3 && front && top && repeat < 2 ? 1 : proportional(impulse, front, top, repeat);
}

static void test_rising(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  DoseTable *dose = make(study, saturating, NULL);
  assert_near(dose->rising.value, 46.0 / 48, 1e-12);
  assert_true(dose->rising.low < 46.0 / 48 && dose->rising.high > 46.0 / 48);
  assert_true(dose->rising_of[0].value == 1);
  assert_near(dose->rising_of[1].value, 22.0 / 24, 1e-12);
  assert_true(dose->rising_from[1][0].value == 1);
  assert_near(dose->rising_from[1][1].value, 10.0 / 12, 1e-12);
  assert_true(dose->rising_toward[1][0].value == 1);
  assert_near(dose->rising_toward[1][1].value, 10.0 / 12, 1e-12);
  dose_destroy(dose);
  study_free(study);
}

static double alike(double impulse, bool front, bool top, int repeat) {
  (void)top;
  return 10 * impulse + front + repeat;
}

// All hits are answered in the same way: the part does not matter.
static void test_no_part_dependence(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  same_axis = true;
  DoseTable *dose = make(study, alike, NULL);
  same_axis = false;
  for (int s = 0; s < 3; s++) {
    assert_near(dose->front[s].value, 0, 1e-5);
    assert_near(dose->distance[s][0][1], 0, 1e-3);
  }
  dose_destroy(dose);
  study_free(study);
}

static bool strikes_the_top(long trial) { return trial / 6 % 2 == 1; }

// Trials that were not run leave no pairs.
static void test_part_of_a_study(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  DoseTable *dose = make(study, alike, strikes_the_top);
  assert_true(isnan(dose->front[0].value) && isnan(dose->distance[0][0][1]));
  assert_true(isnan(dose->measures[DOSE_SIZE][1][0].value) && isfinite(dose->measures[DOSE_SIZE][0][0].value));
  assert_int_equal(dose->rising.count, 2 * 2 * 6);
  dose_destroy(dose);
  study_free(study);
}

static bool is_of_another_repeat(long trial) { return trial % 6 != 0; }

// A figure of one repeat has no interval: those that were not run do not count as if they agreed.
static void test_one_repeat(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  DoseTable *dose = make(study, proportional, is_of_another_repeat);
  assert_int_equal(dose->front[0].count, 1);
  assert_true(isfinite(dose->front[0].value) && isnan(dose->front[0].low) && isnan(dose->front[0].high));
  dose_destroy(dose);
  study_free(study);
}

static const char SIX[] =
    "name: six\n"
    "parts:\n"
    "  - {name: pelvis, mass: 4, com: [0, 1, 0], inertia: [0.1, 0.1, 0.1], joint: {kind: root, position: [0, 1, 0]},\n"
    "     shapes: [{sphere: 0.1, center: [0, 1, 0]}]}\n";

// The body's parts beside the root, each a ball at a place of its own.
static const char *const OTHERS[] = {"head", "shin_l", "chest", "thigh_l", "upper_arm_l"};
enum { OTHER_COUNT = sizeof OTHERS / sizeof *OTHERS };

// A study of one body, which is struck at a part.
static StudyDef *study_of_body(const char *body, size_t length, const char *part, const char *text) {
  char scene[256];
  const int size = snprintf(scene, sizeof scene,
                            "duration: 0.2\ncharacters: [{name: doll, body: six.yaml}]\n"
                            "events: [{time: 0.1, part: %s, impulse: 0.5, direction: 0}]\n",
                            part);
  FileSet files = {.sealed = false};
  files_put(&files, "six.yaml", body, length);
  files_put(&files, "scene.yaml", scene, (size_t)size);
  files.sealed = true;
  Error error = {0};
  StudyDef *study = study_from_text("push.yaml", text, &files, &error);
  if (!study) {
    fail_msg("%s", error.text);
    exit(1); // not reached
  }
  return study;
}

static StudyDef *study_of_six(const char *parts) {
  char body[4096], text[512];
  size_t length = (size_t)snprintf(body, sizeof body, "%s", SIX);
  for (int i = 0; i < OTHER_COUNT; i++)
    length += (size_t)snprintf(body + length, sizeof body - length,
                               "  - {name: %s, parent: pelvis, mass: 1, com: [%d, 1, 0], inertia: [0.1, 0.1, 0.1],\n"
                               "     joint: {kind: ball, position: [%d, 1, 0], twist_axis: y, strength: 50},\n"
                               "     shapes: [{sphere: 0.1, center: [%d, 1, 0]}]}\n",
                               OTHERS[i], i + 1, i + 1, i + 1);
  snprintf(text, sizeof text,
           "scene: scene.yaml\nrepeats: 1\nresponses: true\nmetrics: [hit_response_size]\naxes:\n"
           "  events.0.impulse: {values: [1, 2], name: size}\n  events.0.part: {values: [%s], name: part}\n",
           parts);
  return study_of_body(body, length, "head", text);
}

static DoseTable *without_trials(const StudyDef *study) {
  Error error = {0};
  char csv[4096], *header = table_header(study->columns, study->column_count);
  const int length = snprintf(csv, sizeof csv, "%s\n", header);
  free(header);
  Table *table = table_parse("made", csv, (size_t)length, study->columns, study->column_count, &error);
  assert_string_equal(error.text, "");
  write_response(study, 0, 1, false);
  ResponseFile *responses = response_file_open(folder, study, &error);
  DoseTable *dose = dose_create(study, table, responses, &error);
  assert_non_null(dose);
  response_file_close(responses);
  table_free(table);
  return dose;
}

// Five parts of a human are shown if a study strikes them all, otherwise all that it strikes.
static void test_chosen_parts(void **state) {
  (void)state;
  static const struct {
    const char *parts;
    int count, left_out;
  } cases[] = {{"head, shin_l, chest, pelvis, thigh_l, upper_arm_l", 6, 1},
               {"head, chest, pelvis, thigh_l, upper_arm_l, shin_l", 6, 5},
               {"head, chest, pelvis, thigh_l, shin_l", 5, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    StudyDef *study = study_of_six(cases[i].parts);
    DoseTable *dose = without_trials(study);
    assert_int_equal(dose->part_count, cases[i].count);
    for (int p = 0; p < dose->part_count; p++)
      assert_true(dose->chosen[p] == (p != cases[i].left_out));
    dose_destroy(dose);
    study_free(study);
  }
}

// As many parts, sizes and directions as a table can have: of what was not run there is no figure.
static void test_a_table_as_large_as_it_can_be(void **state) {
  (void)state;
  TextBuffer body = {0}, text = {0};
  text_print(&body, "%s", SIX);
  text_print(&text, "scene: scene.yaml\nrepeats: 1\nresponses: true\nmetrics: [hit_response_size]\naxes:\n"
                    "  events.0.part: {name: part, values: [pelvis");
  for (int i = 1; i < DOSE_MOST_PARTS; i++) {
    text_print(&body,
               "  - {name: p%d, parent: pelvis, mass: 1, com: [%g, 1, 0], inertia: [0.1, 0.1, 0.1],\n"
               "     joint: {kind: ball, position: [%g, 1, 0], twist_axis: y, strength: 50},\n"
               "     shapes: [{sphere: 0.1, center: [%g, 1, 0]}]}\n",
               i, 0.5 * i, 0.5 * i, 0.5 * i);
    text_print(&text, ", p%d", i);
  }
  text_print(&text, "]}\n  events.0.impulse: {name: size, values: [");
  for (int i = 0; i < DOSE_MOST_SIZES; i++)
    text_print(&text, "%s%d", i > 0 ? ", " : "", DOSE_MOST_SIZES - i);
  text_print(&text, "]}\n  events.0.direction: {name: direction, values: [");
  for (int i = 0; i < DOSE_MOST_DIRECTIONS; i++)
    text_print(&text, "%s%d", i > 0 ? ", " : "", 10 * i);
  text_print(&text, "]}\n");
  StudyDef *study = study_of_body(body.bytes, body.size, "pelvis", text.bytes);
  DoseTable *dose = without_trials(study);
  assert_true(dose->part_count == DOSE_MOST_PARTS && dose->size_count == DOSE_MOST_SIZES);
  assert_int_equal(dose->direction_count, DOSE_MOST_DIRECTIONS);
  for (int p = 0; p < DOSE_MOST_PARTS; p++) {
    assert_true(dose->chosen[p] && isnan(dose->rising_of[p].value));
    for (int s = 0; s < DOSE_MOST_SIZES; s++) {
      assert_true(dose->sizes[s] == s + 1 && isnan(dose->front[s].value) && isnan(dose->around[s].value));
      assert_true(isnan(dose->measures[DOSE_SIZE][p][s].value));
      for (int q = 0; q < DOSE_MOST_PARTS; q++)
        assert_true(p == q ? dose->distance[s][p][q] == 0 : isnan(dose->distance[s][p][q]));
    }
  }
  dose_destroy(dose);
  study_free(study);
  text_free(&body);
  text_free(&text);
}

// In trials.h5: whole responses, those that end early or have fewer joints, and none, where all is missing.
static void test_block(void **state) {
  (void)state;
  enum { ROW = HIT_RESPONSE_FRAMES * 2 * 3 };
  static const struct {
    int trial, frames, joints; // 0 frames: the trial is not written, or lies beyond the end
  } rows[] = {{3, HIT_RESPONSE_FRAMES, 2}, {0, 20, 2}, {2, HIT_RESPONSE_FRAMES, 1}, {1, 0, 0}, {5, 1, 1}, {9, 0, 0}};
  StudyDef *study = study_of(STUDY);
  char csv[4096], *header = table_header(study->columns, study->column_count);
  int length = snprintf(csv, sizeof csv, "%s\n", header);
  free(header);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    HitResponse response = {.frame_count = rows[i].frames, .joint_count = rows[i].joints};
    for (int f = 0; f < rows[i].frames; f++)
      for (int k = 0; k < 6; k++)
        response.rotation[f][k / 3][k % 3] = 1e-4f * (float)(10 * f + k - 200);
    assert_true(rows[i].frames == 0 || response_file_write(folder, study, rows[i].trial, &response));
    length +=
        snprintf(csv + length, sizeof csv - (size_t)length, "%d,0,0,1,2,0,top,complete,1,1,1,0.1\n", rows[i].trial);
  }
  Error error = {0};
  Table *table = table_parse("made", csv, (size_t)length, study->columns, study->column_count, &error);
  ResponseFile *responses = response_file_open(folder, study, &error);
  assert_true(table && responses);
  const HdfBlock block = response_file_block(responses, table);
  assert_true(block.rank == 3 && block.dims[0] == HIT_RESPONSE_FRAMES && block.dims[1] == 2 && block.dims[2] == 3);
  assert_true(block.label_dim == 1 && block.scale == RESPONSE_UNIT);
  assert_string_equal(block.labels[0], "base");
  assert_string_equal(block.labels[1], "top");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int16_t values[ROW];
    assert_true(block.read(block.context, (long)i, values));
    for (int f = 0; f < HIT_RESPONSE_FRAMES; f++)
      for (int k = 0; k < 6; k++)
        assert_int_equal(values[6 * f + k], f < rows[i].frames && k < 3 * rows[i].joints ? 10 * f + k - 200 : -32768);
  }
  response_file_close(responses);
  table_free(table);
  study_free(study);
}

static void test_csv(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  DoseTable *dose = make(study, proportional, NULL);
  size_t size;
  char *csv = dose_csv(dose, &size);
  assert_non_null(csv);
  assert_int_equal(strlen(csv), size);
  assert_non_null(
      strstr(csv, "figure,part,other,impulse,direction,unit,count,value,low,high\npart_dependence,,,1,front,,6,"));
  assert_non_null(strstr(csv, "\nrising,,,,all,share,48,1,"));
  assert_non_null(strstr(csv, "\nhit_response_size,top,,2,all,deg,12,30,"));
  assert_non_null(strstr(csv, "\ndistance,base,top,4,front,deg,0,"));
  assert_null(strstr(csv, "nan"));
  free(csv);
  dose_destroy(dose);
  study_free(study);
}

#define RESPONDS "scene: small.yaml\nresponses: true\naxes: "

static void test_other_studies_have_none(void **state) {
  (void)state;
  static const char *const texts[] = {
      "scene: small.yaml\naxes: {events.0.impulse: [1, 2], events.0.part: [base, top]}\n",
      RESPONDS "{events.0.impulse: [1, 2]}\n",
      RESPONDS "{events.0.part: [base, top]}\n",
      RESPONDS "{events.0.impulse: [1, 2], events.0.direction: [0, 180]}\n",
      RESPONDS "{events.0.part: [base, top], events.0.direction: [0, 180]}\n",
      RESPONDS "{events.0.impulse: [1, 2], events.0.part: [base, top],\n"
               "  events.0.direction: {random: {low: 0, high: 9}}}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    StudyDef *study = study_of(texts[i]);
    assert_false(dose_applies(study));
    study_free(study);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_known_responses, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_rising, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_no_part_dependence, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_part_of_a_study, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_one_repeat, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_chosen_parts, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_a_table_as_large_as_it_can_be, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_block, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(test_csv, make_folder, remove_folder),
      cmocka_unit_test(test_other_studies_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
