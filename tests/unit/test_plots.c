// Plots: peaks stay, gaps stay, names and options are as users write them.
#include "tests/unit/small_scene.h"

#include "viewer/panels/plots.h"

enum { FRAMES = 100000 };

// A trace of known curves, 100 frames a second.
typedef struct Fixture {
  char path[32];
  TraceReader *reader;
  Frames *frames;
} Fixture;

static int declare(TraceWriter *writer, TraceChannel channel) {
  Error error = {0};
  int index = trace_channel(writer, &channel, &error);
  assert_true(index >= 0);
  return index;
}

static Fixture fixture_begin(int count) {
  static const TraceInfo INFO = {.scene_name = "none.yaml", .scene = "", .dt = 0.01, .frame_rate = 100};
  static const char *const JOINTS[] = {"elbow", "knee"};
  Error error = {0};
  Fixture f;
  small_file(f.path);
  TraceWriter *writer = trace_create(f.path, &INFO, &error);
  int spike = declare(writer, (TraceChannel){.path = "/spike", .unit = "m"});
  int gaps = declare(writer, (TraceChannel){.path = "/gaps"});
  int angle = declare(
      writer,
      (TraceChannel){.path = "/characters/doll/joints/error", .unit = "rad", .shape = {2}, .row_names = JOINTS});
  int spin = declare(
      writer,
      (TraceChannel){.path = "/characters/doll/joints/spin", .unit = "rad/s", .shape = {2, 3}, .row_names = JOINTS});
  declare(writer, (TraceChannel){.path = "/characters/doll/joints/grade", .unit = "radish", .shape = {2}});
  for (int i = 0; i < count; i++) {
    *(float *)trace_row(writer, spike) = i == 77777 ? 5 : i == 33333 ? -4 : sinf((float)i * 0.001f);
    *(float *)trace_row(writer, gaps) = i >= 20000 && i < 30000 ? NAN : i == 10 ? NAN : (float)i;
    ((float *)trace_row(writer, angle))[1] = (float)i;
    float *turn = trace_row(writer, spin);
    turn[3] = 2, turn[4] = -3, turn[5] = 6;
    assert_true(trace_end_frame(writer, 0.01 * i));
  }
  assert_true(trace_close(writer, "complete", &error));
  f.reader = trace_open(f.path, &error);
  f.frames = frames_of_trace(f.reader, &error);
  assert_non_null(f.frames);
  return f;
}

static void fixture_end(Fixture *f) {
  frames_free(f->frames);
  trace_reader_close(f->reader);
  remove(f->path);
}

static PlotCurve parse(const Fixture *f, const char *text) {
  PlotCurve curve;
  Error error = {0};
  if (!plots_parse(text, f->frames, &curve, &error))
    fail_msg("%s", error.text);
  return curve;
}

static bool has_value(const float *values, int count, float value) {
  for (int i = 0; i < count; i++)
    if (values[i] == value)
      return true;
  return false;
}

static void test_peaks_stay(void **state) {
  (void)state;
  Fixture f = fixture_begin(FRAMES);
  PlotCurve curve = parse(&f, "/spike");
  static float times[PLOTS_MAX_POINTS], values[PLOTS_MAX_POINTS];
  const int mosts[] = {PLOTS_MAX_POINTS, 1000, 37, 4, 2};
  for (int k = 0; k < 5; k++) {
    int count = plots_points(&curve, f.frames, 0, 1000, mosts[k], times, values);
    assert_in_range(count, 2, (uintmax_t)mosts[k]);
    assert_true(mosts[k] < 8 || count > mosts[k] / 4); // no thinner than necessary
    assert_true(has_value(values, count, 5) && has_value(values, count, -4));
    for (int i = 1; i < count; i++)
      assert_true(times[i] > times[i - 1]);
  }
  // A window that moves has the same points inside: groups do not move.
  static float later_times[PLOTS_MAX_POINTS], later_values[PLOTS_MAX_POINTS];
  int count = plots_points(&curve, f.frames, 100, 400, 500, times, values);
  int later = plots_points(&curve, f.frames, 100.37, 400.37, 500, later_times, later_values);
  int same = 0;
  for (int i = 0; i < count; i++)
    for (int n = 0; n < later; n++)
      same += times[i] == later_times[n] && values[i] == later_values[n];
  assert_true(same >= count - 4);

  assert_int_equal(plots_points(&curve, f.frames, 5, 4, 100, times, values), 0);
  assert_int_equal(plots_points(&curve, f.frames, -5, -4, 100, times, values), 0);
  assert_int_equal(plots_points(&curve, f.frames, 2000, 3000, 100, times, values), 0);
  assert_int_equal(plots_points(&curve, f.frames, 0, 1000, 1, times, values), 0);
  assert_int_equal(plots_points(&curve, f.frames, NAN, NAN, 100, times, values), 0);
  // Both ends are included, and few frames are all kept.
  count = plots_points(&curve, f.frames, frames_time(f.frames, 3), frames_time(f.frames, 9), 7, times, values);
  assert_int_equal(count, 7);
  assert_true(times[0] == (float)frames_time(f.frames, 3) && values[6] == sinf(9 * 0.001f));
  assert_int_equal(plots_points(&curve, f.frames, frames_time(f.frames, 3), frames_time(f.frames, 3), 7, times, values),
                   1);
  fixture_end(&f);
}

static void test_gaps_stay(void **state) {
  (void)state;
  Fixture f = fixture_begin(40000);
  PlotCurve curve = parse(&f, "/gaps");
  static float times[PLOTS_MAX_POINTS], values[PLOTS_MAX_POINTS];
  int count = plots_points(&curve, f.frames, 0, 400, 200, times, values), gaps = 0;
  for (int i = 0; i < count; i++) {
    assert_true(isnan(values[i]) ? times[i] >= 199 && times[i] < 300 : times[i] < 200 || times[i] >= 300);
    gaps += isnan(values[i]);
  }
  assert_true(gaps > 10 && count > 80);
  // Unthinned, even a single frame is a gap.
  count = plots_points(&curve, f.frames, 0.05, 0.15, 100, times, values);
  assert_int_equal(count, 11);
  for (int i = 0; i < count; i++)
    assert_true(isnan(values[i]) ? i == 5 : values[i] == (float)(5 + i));
  fixture_end(&f);
}

static void test_norm_and_degrees(void **state) {
  (void)state;
  Fixture f = fixture_begin(10);
  float times[16], values[16];
  PlotCurve norm = parse(&f, "doll/joints/spin[knee]");
  assert_int_equal(norm.column, FRAMES_NORM);
  norm.degrees = false;
  assert_int_equal(plots_points(&norm, f.frames, 0, 1, 16, times, values), 10);
  assert_true(values[4] == 7);
  norm.degrees = true;
  plots_points(&norm, f.frames, 0, 1, 16, times, values);
  assert_near((double)values[4], 7 * 180 / M_PI, 1e-4);
  PlotCurve angle = parse(&f, "doll/joints/error[1]");
  assert_true(angle.degrees);
  plots_points(&angle, f.frames, 0, 1, 16, times, values);
  assert_near((double)values[9], 9 * 180 / M_PI, 1e-4);

  angle.row = 2;
  assert_int_equal(plots_points(&angle, f.frames, 0, 1, 16, times, values), -1);
  snprintf(angle.channel, sizeof angle.channel, "/nothing");
  assert_int_equal(plots_points(&angle, f.frames, 0, 1, 16, times, values), -1);
  fixture_end(&f);
}

static void check_label(const Fixture *f, const char *option, const char *expected, const char *expected_unit) {
  PlotCurve curve = parse(f, option);
  char text[200], unit[32];
  plots_label(&curve, f->frames, text, sizeof text, unit);
  assert_string_equal(text, expected);
  assert_string_equal(unit, expected_unit);
}

static void test_labels(void **state) {
  (void)state;
  Fixture f = fixture_begin(2);
  check_label(&f, "/characters/doll/joints/error[0]", "doll joints/error elbow", "deg");
  check_label(&f, "doll/joints/spin[knee,z]", "doll joints/spin knee z", "deg/s");
  check_label(&f, "doll/joints/spin[1,1]", "doll joints/spin knee y", "deg/s");
  check_label(&f, "doll/joints/spin[1,norm]", "doll joints/spin knee norm", "deg/s");
  check_label(&f, "doll/joints/grade[0,1]", "doll joints/grade y", "radish");
  check_label(&f, "/spike", "spike", "m");
  check_label(&f, "/time[0,0]", "time", "s");

  PlotCurve curve = parse(&f, "doll/joints/error[1]");
  char text[200], unit[32];
  curve.degrees = false;
  plots_label(&curve, f.frames, text, sizeof text, unit);
  assert_string_equal(unit, "rad");
  curve.row = 7;
  plots_label(&curve, f.frames, text, sizeof text, unit);
  assert_string_equal(text, "doll joints/error 7 0");
  curve = (PlotCurve){.channel = "/characters/doll", .row = 1, .column = -1};
  plots_label(&curve, f.frames, text, sizeof text, unit);
  assert_string_equal(text, "doll 1 norm");
  assert_string_equal(unit, "");
  fixture_end(&f);
}

static void check_refused(const Fixture *f, const char *option, const char *expected) {
  PlotCurve curve = {.row = 77};
  Error error = {0};
  assert_false(plots_parse(option, f->frames, &curve, &error));
  if (!strstr(error.text, expected))
    fail_msg("%s: \"%s\" does not say \"%s\"", option, error.text, expected);
  assert_int_equal(curve.row, 77);
}

static void test_parse_errors(void **state) {
  (void)state;
  Fixture f = fixture_begin(2);
  const char *const malformed[] = {"",           "[0]",        "/spike[",    "/spike[]",     "/spike[0",
                                   "/spike[0,]", "/spike[0,0", "/spike[0]x", "/spike[0,0,0]"};
  for (int i = 0; i < 9; i++)
    check_refused(&f, malformed[i], "wanted is channel[row,column], channel[row] or channel");
  check_refused(&f, "/nothing", "/nothing: there is no such channel; there are /characters/doll/joints/error, ");
  check_refused(&f, "runner/joints/spin[0]", "no such channel; there are /characters/doll/joints/spin");
  check_refused(&f, "doll/joints/spin", "has 2 rows, wanted is doll/joints/spin[row] or doll/joints/spin[row,column]");
  check_refused(&f, "doll/joints/spin[hip]", "there is no row \"hip\", wanted is 0 to 1 or a name (elbow, ...)");
  check_refused(&f, "doll/joints/spin[2]", "there is no row \"2\"");
  check_refused(&f, "doll/joints/spin[-1]", "there is no row \"-1\"");
  check_refused(&f, "doll/joints/spin[99999999999999999999]", "there is no row");
  check_refused(&f, "doll/joints/spin[1,3]", "no column \"3\", wanted is 0 to 2, a letter (x, y, ...) or norm");
  check_refused(&f, "doll/joints/spin[1,w]", "no column \"w\"");
  check_refused(&f, "/spike[0,1]", "no column \"1\", wanted is 0 to 0 or norm");
  char longest[400];
  memset(longest, 'a', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  check_refused(&f, longest, "wanted is channel");
  longest[159] = '\0';
  check_refused(&f, longest, "no such channel");
  fixture_end(&f);
}

static void test_curves_are_chosen_once(void **state) {
  (void)state;
  Plots plots;
  plots_init(&plots);
  assert_true(plots.count == 0 && plots.span > 0);
  PlotCurve curve = {.channel = "/spike"};
  assert_true(plots_add(&plots, &curve));
  curve.degrees = true;
  assert_false(plots_add(&plots, &curve));
  for (curve.row = 1; curve.row < PLOTS_MAX_CURVES; curve.row++)
    assert_true(plots_add(&plots, &curve));
  assert_false(plots_add(&plots, &curve));
  assert_int_equal(plots.count, PLOTS_MAX_CURVES);
  plots_remove(&plots, 3);
  assert_int_equal(plots.count, PLOTS_MAX_CURVES - 1);
  assert_int_equal(plots.curves[2].row, 2);
  assert_int_equal(plots.curves[3].row, 4);
  plots_remove(&plots, PLOTS_MAX_CURVES - 1);
  plots_remove(&plots, -1);
  assert_int_equal(plots.count, PLOTS_MAX_CURVES - 1);
  plots_remove(&plots, PLOTS_MAX_CURVES - 2);
  assert_int_equal(plots.curves[plots.count - 1].row, PLOTS_MAX_CURVES - 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_peaks_stay),       cmocka_unit_test(test_gaps_stay),
      cmocka_unit_test(test_norm_and_degrees), cmocka_unit_test(test_labels),
      cmocka_unit_test(test_parse_errors),     cmocka_unit_test(test_curves_are_chosen_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
