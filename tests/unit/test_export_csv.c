// CSV tables of a trace: exact cells, what becomes a table and a column, quoting, and numbers to the last bit.
#include "tests/unit/trace_fixture.h"

#include "scenes/export/csv_text.h"
#include "scenes/export/trace_table.h"

static const char TWO[] = "characters:\n  - {name: ann, body: boxes.yaml}\n  - {name: bob, body: boxes.yaml}\n";

static const char *const HIPS[] = {"hip", "a \"b\", c"}, *const HIP[] = {"hip"};
static const char *const BODIES[] = {"ann/foot", "bob/foot", "ball"};
static const char *const STRATEGIES[] = {"step", "fall"};

typedef struct Fixture {
  TraceFixture trace;
  SceneDef *def;
} Fixture;

// Two frames with two characters, one of which has fewer channels.
static int start(void **state) {
  static Fixture f;
  f.def = small_def(TWO);
  trace_fixture_start(&f.trace, 4);
  TraceFixture *t = &f.trace;
  const int error = trace_fixture_channel(t, "/characters/ann/joints/error", TRACE_FLOAT32, 2, 0, "rad", HIPS);
  const int torque = trace_fixture_channel(t, "/characters/ann/joints/torque", TRACE_FLOAT32, 2, 3, "N m", HIPS);
  const int turn = trace_fixture_channel(t, "/characters/ann/pose/target/rotation", TRACE_FLOAT64, 2, 4, "", HIPS);
  const int other = trace_fixture_channel(t, "/characters/bob/joints/error", TRACE_FLOAT32, 1, 0, "rad", HIP);
  const int down = trace_fixture_channel(t, "/characters/bob/state", TRACE_INT32, 0, 0, "-", NULL);
  const int speed = trace_fixture_channel(t, "/characters/bob/com/velocity", TRACE_FLOAT64, 3, 0, "m/s^2", NULL);
  const int muscle = trace_fixture_channel(t, "/characters/bob/muscles/on", TRACE_UINT8, 1, 0, "-", HIP);
  const int ball = trace_fixture_channel(t, "/objects/ball/position", TRACE_FLOAT64, 3, 0, "m", NULL);
  const int cup = trace_fixture_channel(t, "/objects/cup/position", TRACE_FLOAT64, 3, 0, "m", NULL);
  const int wind = trace_fixture_channel(t, "/wind/pair", TRACE_UINT64, 2, 0, "-", NULL);
  const int first = trace_fixture_channel(t, "/contacts/first", TRACE_INT32, 0, 0, "-", NULL);
  const int count = trace_fixture_channel(t, "/contacts/count", TRACE_INT32, 0, 0, "-", NULL);
  const int lists[] = {trace_fixture_list(t, "/contacts/part", TRACE_INT32, 0, "-", BODIES, 3),
                       trace_fixture_list(t, "/contacts/other", TRACE_INT32, 0, "-", BODIES, 3),
                       trace_fixture_list(t, "/contacts/impulse", TRACE_FLOAT64, 3, "N s", NULL, 0)};
  const char *const people[] = {"ann", "bob"};
  const int hits[] = {trace_fixture_list(t, "/hits/character", TRACE_INT32, 0, "-", people, 2),
                      trace_fixture_list(t, "/hits/part", TRACE_INT32, 0, "-", BODIES, 3),
                      trace_fixture_list(t, "/hits/strategy", TRACE_INT32, 0, "-", STRATEGIES, 2),
                      trace_fixture_list(t, "/hits/time", TRACE_FLOAT64, 0, "s", NULL, 0)};
  for (int i = 0; i < 2; i++) {
    ((float *)trace_row(t->writer, error))[0] = i == 0 ? 0.1f : NAN;
    ((float *)trace_row(t->writer, error))[1] = i == 0 ? -0.0f : INFINITY;
    ((float *)trace_row(t->writer, torque))[3] = 1.0f / 3;
    ((double *)trace_row(t->writer, turn))[7] = 1.0 / 3;
    *(float *)trace_row(t->writer, other) = 2;
    *(int32_t *)trace_row(t->writer, down) = -i;
    ((double *)trace_row(t->writer, speed))[1] = 1e-310;
    *(uint8_t *)trace_row(t->writer, muscle) = 255;
    ((double *)trace_row(t->writer, ball))[2] = i;
    for (int k = 0; k < 3; k++)
      ((double *)trace_row(t->writer, cup))[k] = i == 0 ? NAN : 5; // it comes with the second frame
    ((uint64_t *)trace_row(t->writer, wind))[1] = UINT64_MAX;
    *(int32_t *)trace_row(t->writer, first) = 0;
    *(int32_t *)trace_row(t->writer, count) = i == 0 ? 0 : 3;
    trace_end_frame(t->writer, 0.25 * i);
  }
  // The last one belongs to a frame that was not written any more.
  const int32_t parts[] = {0, 2, 1, 1}, others[] = {-1, 1, -1, -1};
  const double impulses[4][3] = {{0, 1.5, 0}, {1, 2, 3}, {0, 4, 0}, {0, 5, 0}};
  trace_append(t->writer, lists[0], parts, 4);
  trace_append(t->writer, lists[1], others, 4);
  trace_append(t->writer, lists[2], impulses, 4);
  const int32_t who[] = {1, 0}, where[] = {1, -1}, how[] = {0, 1};
  const double when[] = {0.1, 0.2};
  trace_append(t->writer, hits[0], who, 2);
  trace_append(t->writer, hits[1], where, 2);
  trace_append(t->writer, hits[2], how, 2);
  trace_append(t->writer, hits[3], when, 2);
  trace_append_event(t->writer, &(TraceEvent){0.125, "bullet", "ann", "hip", {1, 2, 3}, {0, 0, -2.5f}});
  trace_append_event(t->writer, &(TraceEvent){0.25, "push", "bob", "hip", {0, 0, 0}, {1, 0, 0}});
  trace_fixture_read(t);
  *state = &f;
  return 0;
}

static int end(void **state) {
  Fixture *f = *state;
  trace_fixture_end(&f->trace);
  scene_def_free(f->def);
  return 0;
}

static void check(void **state, const char *table, const char *character, const char *expected) {
  Fixture *f = *state;
  char *text = trace_fixture_export(&f->trace, export_csv, f->def,
                                    (ExportOptions){.table = table, .character = character}, NULL);
  assert_string_equal(text, expected);
  free(text);
}

#define JOINTS_HEADER                                                                                                  \
  "time,character,joint,error_rad,torque_x_N_m,torque_y_N_m,torque_z_N_m,target_rotation_x,target_rotation_y,"         \
  "target_rotation_z,target_rotation_w\n"

// A row for each time, character and joint; missing values and NaN are empty.
static void test_joints(void **state) {
  static const char ANN[] = JOINTS_HEADER "0,ann,hip,0.1,0,0,0,0,0,0,0\n"
                                          "0,ann,\"a \"\"b\"\", c\",-0,0.333333343,0,0,0,0,0,0.3333333333333333\n"
                                          "0.25,ann,hip,,0,0,0,0,0,0,0\n"
                                          "0.25,ann,\"a \"\"b\"\", c\",inf,0.333333343,0,0,0,0,0,0.3333333333333333\n";
  static const char BOTH[] = JOINTS_HEADER "0,ann,hip,0.1,0,0,0,0,0,0,0\n"
                                           "0,ann,\"a \"\"b\"\", c\",-0,0.333333343,0,0,0,0,0,0.3333333333333333\n"
                                           "0,bob,hip,2,,,,,,,\n"
                                           "0.25,ann,hip,,0,0,0,0,0,0,0\n"
                                           "0.25,ann,\"a \"\"b\"\", c\",inf,0.333333343,0,0,0,0,0,0.3333333333333333\n"
                                           "0.25,bob,hip,2,,,,,,,\n";
  check(state, NULL, NULL, BOTH);
  check(state, "joints", NULL, BOTH);
  check(state, "joints", "ann", ANN);
  check(state, "joints", "bob", "time,character,joint,error_rad\n0,bob,hip,2\n0.25,bob,hip,2\n");
}

// Unknown channels are columns, and groups of them tables.
static void test_any_channel_is_in_a_table(void **state) {
  check(state, "character", NULL,
        "time,character,com_velocity_x_m_per_s2,com_velocity_y_m_per_s2,com_velocity_z_m_per_s2,state\n"
        "0,bob,0,9.99999999999997e-311,0,0\n0.25,bob,0,9.99999999999997e-311,0,-1\n");
  check(state, "muscles", NULL, "time,character,muscle,on\n0,bob,hip,255\n0.25,bob,hip,255\n");
  check(state, "objects", NULL,
        "time,object,position_x_m,position_y_m,position_z_m\n0,ball,0,0,0\n0.25,ball,0,0,1\n0.25,cup,5,5,5\n");
  check(state, "world", NULL, "time,wind_pair_0,wind_pair_1\n0,0,18446744073709551615\n0.25,0,18446744073709551615\n");
}

static void test_contacts(void **state) {
  check(state, "contacts", NULL,
        "time,character,part,other_character,other,impulse_x_N_s,impulse_y_N_s,impulse_z_N_s\n"
        "0.25,ann,foot,,ground,0,1.5,0\n"
        "0.25,,ball,bob,foot,1,2,3\n"
        "0.25,bob,foot,,ground,0,4,0\n");
  check(state, "contacts", "bob",
        "time,character,part,other_character,other,impulse_x_N_s,impulse_y_N_s,impulse_z_N_s\n"
        "0.25,,ball,bob,foot,1,2,3\n"
        "0.25,bob,foot,,ground,0,4,0\n");
}

static void test_events_and_lists_without_frames(void **state) {
  check(state, "events", NULL,
        "time,kind,character,part,point_x_m,point_y_m,point_z_m,impulse_x_N_s,impulse_y_N_s,impulse_z_N_s\n"
        "0.125,bullet,ann,hip,1,2,3,0,0,-2.5\n0.25,push,bob,hip,0,0,0,1,0,0\n");
  check(state, "events", "bob",
        "time,kind,character,part,point_x_m,point_y_m,point_z_m,impulse_x_N_s,impulse_y_N_s,impulse_z_N_s\n"
        "0.25,push,bob,hip,0,0,0,1,0,0\n");
  check(state, "hits", NULL, "row,time,character,part,strategy\n0,0.1,bob,foot,step\n1,0.2,ann,,fall\n");
  check(state, "hits", "ann", "row,time,character,part,strategy\n1,0.2,ann,,fall\n");
}

// One row a value.
static void test_all(void **state) {
  Fixture *f = *state;
  char *text = trace_fixture_export(&f->trace, export_csv, f->def, (ExportOptions){.table = "all"}, NULL);
  assert_int_equal(strncmp(text, "time,owner,channel,row,component,value,unit\n", 44), 0);
  assert_non_null(strstr(text, "\n0,ann,joints/torque,\"a \"\"b\"\", c\",x,0.333333343,N m\n"));
  assert_non_null(strstr(text, "\n0.25,ann,joints/error,hip,,,rad\n"));
  assert_non_null(strstr(text, "\n0.25,bob,state,,,-1,\n"));
  assert_non_null(strstr(text, "\n0,,wind/pair,,1,18446744073709551615,\n"));
  int lines = 0;
  for (const char *c = text; *c != '\0'; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 1 + 2 * (2 + 6 + 8 + 1 + 1 + 3 + 1 + 3 + 2) + 3);
  free(text);
}

static void test_errors(void **state) {
  Fixture *f = *state;
  static const struct {
    const char *table, *character, *error;
  } cases[] = {
      {"joint", NULL, "there is no table 'joint' in the trace, did you mean 'joints'?"},
      {"qqqqqqqqq", NULL, "muscles, objects, world, contacts, hits, events, all"},
      {NULL, "anna", "there is no character 'anna' in the trace, did you mean 'ann'?"},
      {"muscles", "ann", "the trace has no table 'muscles' of 'ann'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    ExportResult result = {0};
    const ExportOptions options = {.table = cases[i].table, .character = cases[i].character};
    assert_false(export_csv(f->trace.reader, f->def, &options, &result, &error));
    assert_null(result.bytes);
    if (!strstr(error.text, cases[i].error))
      fail_msg("\"%s\" is not in \"%s\"", cases[i].error, error.text);
  }
}

// Numbers of all sizes read back to the same bits, and a changed text does not.
static void put_numbers(CsvText *csv) {
  uint64_t bits = 0x9E3779B97F4A7C15u;
  for (int i = 0; i < 5000; i++) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    double wide;
    float narrow;
    const uint32_t half = (uint32_t)(bits >> 32);
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &half, sizeof narrow);
    csv_put_number(csv, TRACE_FLOAT64, &wide);
    csv_put_number(csv, TRACE_FLOAT32, &narrow);
    csv_put_number(csv, TRACE_UINT64, &bits);
    csv_put_text(csv, "\"quoted\"\r\n, \"");
    csv_end_row(csv);
  }
}

// A text that a spreadsheet would take for a formula begins with an apostrophe; and reads back.
static void test_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"man", "=1+1", "+1", "-a", "@a,b", "\tx", "=\"a\"\n", "", "'", "a=b", "-"};
  CsvText csv = {.is_reading = false};
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
      csv_put_text(&csv, texts[i]);
    csv_end_row(&csv);
    if (pass == 0)
      csv_read_back(&csv);
  }
  assert_string_equal(csv.text.bytes, "man,'=1+1,'+1,'-a,\"'@a,b\",'\tx,\"'=\"\"a\"\"\n\",,',a=b,'-\n");
  assert_int_equal(csv.differences, 0);
  assert_true(csv_is_at_end(&csv));
  text_free(&csv.text);
}

static void test_reading_back_notices_a_changed_digit(void **state) {
  (void)state;
  CsvText csv = {.is_reading = false};
  put_numbers(&csv);
  csv_read_back(&csv);
  put_numbers(&csv);
  assert_int_equal(csv.differences, 0);
  assert_int_equal(csv.rows, 5000);
  assert_int_equal(csv.numbers, 15000);
  assert_true(csv_is_at_end(&csv));
  char *digit = csv.text.bytes + csv.text.size / 2;
  while (*digit < '1' || *digit > '8' || digit[-1] < '0' || digit[-1] > '9')
    digit++;
  (*digit)++;
  csv_read_back(&csv);
  put_numbers(&csv);
  assert_int_equal(csv.differences, 1);
  text_free(&csv.text);
}

// A real run, of which the parts' table is compared with the trace.
static void test_a_run(void **state) {
  (void)state;
  static const char SCENE[] = "duration: 1.5\ncharacters:\n  - {name: doll, body: boxes.yaml}\n"
                              "events: [{time: 0.4, part: top, impulse: 2}]\n";
  SceneDef *def = small_def(SCENE);
  TraceFixture trace;
  trace_fixture_run(&trace, def);
  char told[256];
  char *text = trace_fixture_export(&trace, export_csv, def, (ExportOptions){.table = "parts"}, told);
  const int frames = trace_frame_count(trace.reader);
  char expected[256];
  snprintf(expected, sizeof expected, "read back: %d numbers, all the same bits", frames * 2 * (1 + 13));
  assert_string_equal(told, expected);
  double *velocity = calloc((size_t)frames * 6, sizeof *velocity);
  Error error = {0};
  trace_read(trace.reader, "/characters/doll/parts/linear_velocity", TRACE_FLOAT64, 0, frames, velocity, &error);
  trace_check(&error);
  const char *line = strchr(text, '\n') + 1;
  for (int i = 0; i < 2 * frames; i++, line = strchr(line, '\n') + 1) {
    double x[6];
    char part[8];
    assert_int_equal(sscanf(line, "%*[^,],doll,%7[a-z],%*[^,],%*[^,],%*[^,],%lf,%lf,%lf", part, &x[0], &x[1], &x[2]),
                     4);
    assert_string_equal(part, i % 2 == 0 ? "base" : "top");
    assert_memory_equal(x, &velocity[3 * i], 3 * sizeof x[0]);
  }
  assert_string_equal(line, "");
  free(velocity);
  free(text);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// A trace whose run was over before it began has a header and no rows.
static void test_no_frames(void **state) {
  (void)state;
  TraceFixture trace;
  SceneDef *def = small_def(TWO);
  trace_fixture_start(&trace, 4);
  trace_fixture_channel(&trace, "/characters/ann/joints/error", TRACE_FLOAT32, 1, 0, "rad", HIP);
  trace_fixture_read(&trace);
  char *text = trace_fixture_export(&trace, export_csv, def, (ExportOptions){.table = NULL}, NULL);
  assert_string_equal(text, "time,character,joint,error_rad\n");
  free(text);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

// A path that is longer than there is room for is in no table.
static void test_long_paths(void **state) {
  (void)state;
  SceneDef *def = small_def(TWO);
  for (int length = TRACE_TABLE_PATH_SIZE - 1; length <= TRACE_TABLE_PATH_SIZE; length++) {
    TraceFixture trace;
    char path[TRACE_TABLE_PATH_SIZE + 1], wanted[2 * TRACE_TABLE_PATH_SIZE];
    snprintf(path, sizeof path, "/characters/ann/%0*d", length - 16, 7);
    assert_int_equal(strlen(path), length);
    trace_fixture_start(&trace, 4);
    const int there = trace_fixture_channel(&trace, "/characters/ann/state", TRACE_INT32, 0, 0, "-", NULL);
    const int at = trace_fixture_channel(&trace, path, TRACE_INT32, 0, 0, "-", NULL);
    *(int32_t *)trace_row(trace.writer, there) = 5;
    *(int32_t *)trace_row(trace.writer, at) = 4;
    trace_end_frame(trace.writer, 0);
    trace_fixture_read(&trace);
    const bool fits = length < TRACE_TABLE_PATH_SIZE;
    snprintf(wanted, sizeof wanted, "time,character,%s%sstate\n0,ann,%s5\n", fits ? path + 16 : "", fits ? "," : "",
             fits ? "4," : "");
    char *text = trace_fixture_export(&trace, export_csv, def, (ExportOptions){.table = "character"}, NULL);
    assert_string_equal(text, wanted);
    free(text);
    trace_fixture_end(&trace);
  }
  scene_def_free(def);
}

// No run writes such a file, but other programs may.
static void test_first_contacts_of_another_shape(void **state) {
  (void)state;
  TraceFixture trace;
  Error error = {0};
  SceneDef *def = small_def(TWO);
  trace_fixture_start(&trace, 4);
  trace_fixture_channel(&trace, "/contacts/first", TRACE_INT32, 300, 0, "-", NULL);
  trace_fixture_channel(&trace, "/contacts/count", TRACE_INT32, 0, 0, "-", NULL);
  trace_fixture_list(&trace, "/contacts/part", TRACE_INT32, 0, "-", BODIES, 3);
  trace_end_frame(trace.writer, 0);
  trace_fixture_read(&trace);
  ExportResult result = {0};
  assert_false(export_csv(trace.reader, def, &(ExportOptions){.table = "contacts"}, &result, &error));
  assert_string_equal(error.text, "/contacts/first: the trace has 300 values in a row there, not one");
  free(result.bytes);
  trace_fixture_end(&trace);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_joints, start, end),
      cmocka_unit_test_setup_teardown(test_any_channel_is_in_a_table, start, end),
      cmocka_unit_test_setup_teardown(test_contacts, start, end),
      cmocka_unit_test_setup_teardown(test_events_and_lists_without_frames, start, end),
      cmocka_unit_test_setup_teardown(test_all, start, end),
      cmocka_unit_test_setup_teardown(test_errors, start, end),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_reading_back_notices_a_changed_digit),
      cmocka_unit_test(test_a_run),
      cmocka_unit_test(test_no_frames),
      cmocka_unit_test(test_long_paths),
      cmocka_unit_test(test_first_contacts_of_another_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
