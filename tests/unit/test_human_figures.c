// Figures beside those of people, of runs and tables whose metrics are known.
#include "tests/unit/study_fixture.h"

#include "scenes/report/human_figures.h"

typedef struct Made {
  SceneDef def;
  CharacterDef man;
  ReportCharacter character;
  ReportRun run;
  double *metrics;
} Made;

static Made made; // large

static void make(Protocol protocol) {
  memset(&made, 0, sizeof made);
  made.metrics = calloc((size_t)metric_row_count, sizeof *made.metrics);
  assert_non_null(made.metrics);
  for (int i = 0; i < metric_row_count; i++)
    made.metrics[i] = NAN;
  snprintf(made.man.name, sizeof made.man.name, "man");
  made.def.protocol.name = (int)protocol;
  made.character = (ReportCharacter){.def = &made.man, .metrics = made.metrics};
  made.run = (ReportRun){.def = &made.def, .characters = &made.character, .character_count = 1};
}

static void set(const char *metric, double value) {
  for (int i = 0; i < metric_row_count; i++)
    if (strcmp(metric_rows[i].name, metric) == 0) {
      made.metrics[i] = value;
      return;
    }
  fail_msg("no metric %s", metric);
}

static HumanFigures *figures_of(void) {
  Error error = {0};
  HumanFigures *figures = human_figures_run(&made.run, false, &error);
  assert_string_equal(error.text, "");
  free(made.metrics);
  return figures;
}

// Every row names a metric, its band is in order, and its source is said.
static void test_table(void **state) {
  (void)state;
  for (int i = 0; i < human_band_count; i++) {
    const HumanBand *band = &human_bands[i];
    make(PROTOCOL_NONE);
    set(band->metric, 1);
    if (band->when)
      set(band->when, 1);
    free(made.metrics);
    assert_true(band->low <= band->high && band->scale > 0);
    assert_true(band->check[0] && band->shown[0] && band->people[0] && band->source[0]);
  }
}

// 337 ms, SD 88: inside up to two deviations, outside beyond; 5 cm is inside.
static void test_inside_and_outside(void **state) {
  (void)state;
  static const double times[] = {0.161, 0.513, 0.160, 0.514};
  for (int i = 0; i < 4; i++) {
    make(PROTOCOL_PLATFORM_SIDEWAYS);
    set("first_step_lift_off", times[i]);
    set("first_step_length", 0.05);
    HumanFigures *figures = figures_of();
    assert_string_equal(figures->protocol, "platform_sideways");
    assert_int_equal(figures->count, 2);
    assert_near(figures->list[0].value, 1000 * times[i], 1e-9);
    assert_true(figures->list[0].fits == (i < 2) && figures->list[1].fits);
    assert_int_equal(figures->counted, 2);
    assert_int_equal(figures->fitting, i < 2 ? 2 : 1);
    human_figures_free(figures);
  }
}

// Without a protocol only what needs none, as of a fall; a figure that was recalled is shown and does not count.
static void test_what_counts(void **state) {
  (void)state;
  make(PROTOCOL_NONE);
  set("first_step_lift_off", 0.3);
  set("fall_pelvis_speed", 2);
  HumanFigures *figures = figures_of();
  assert_int_equal(figures->count, 1);
  assert_string_equal(figures->list[0].band->metric, "fall_pelvis_speed");
  human_figures_free(figures);

  make(PROTOCOL_GET_UP);
  set("rise_time", 9);
  figures = figures_of();
  assert_int_equal(figures->count, 2);
  assert_int_equal(figures->counted, 1);
  assert_int_equal(figures->fitting, 0);
  human_figures_free(figures);
}

// Which strategy is right depends on the phase of the trip; between the bands none is wrong.
static void test_conditions(void **state) {
  (void)state;
  static const double shares[] = {0.2, 0.5, 0.9};
  for (int i = 0; i < 3; i++) {
    make(PROTOCOL_TRIP);
    set("trip_swing_share", shares[i]);
    set("trip_elevates", 1);
    HumanFigures *figures = figures_of();
    assert_int_equal(figures->count, i == 1 ? 0 : 1);
    assert_int_equal(figures->fitting, i == 0);
    human_figures_free(figures);
  }
}

// What needs the run without the hit is found by running it again, and is of the one who is struck.
static void test_figures_beside_the_twin(void **state) {
  (void)state;
  FileSet files = {0};
  SceneDef *def =
      shipped_def("twin",
                  "duration: 1.4\nworld: {dt: 1/120}\nprotocol: {name: head_push}\ncharacters: [{name: other, body: "
                  "bodies/human.yaml, start: {position: [2, 0, 0]}}, {name: man, body: bodies/human.yaml}]\n"
                  "events: [{character: man, part: head, time: 0.1, impulse: 3, direction: 180}]\n",
                  &files);
  double *metrics = calloc((size_t)metric_row_count, sizeof *metrics);
  assert_non_null(metrics);
  for (int i = 0; i < metric_row_count; i++)
    metrics[i] = NAN;
  ReportCharacter characters[2] = {{.def = &def->characters[0], .metrics = metrics},
                                   {.def = &def->characters[1], .metrics = metrics}};
  const ReportRun run = {.def = def, .characters = characters, .character_count = 2};
  for (int rerun = 0; rerun < 2; rerun++) {
    Error error = {0};
    HumanFigures *figures = human_figures_run(&run, rerun, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(figures->count, rerun);
    if (rerun) {
      assert_string_equal(figures->list[0].character, "man");
      assert_true(figures->list[0].value > 0 && figures->list[0].value < 200); // ms
    }
    human_figures_free(figures);
  }
  free(metrics);
  scene_def_free(def);
}

// A run that cannot be made again, here for want of its picture of the ground, has no figures but an error.
static void test_a_twin_that_cannot_run(void **state) {
  (void)state;
  FileSet files = {0};
  SceneDef *def = shipped_def("no twin",
                              "duration: 0.2\nprotocol: {name: head_push}\ncharacters: [{name: man, body: "
                              "bodies/human.yaml}]\n"
                              "events: [{part: head, time: 0.1, impulse: 3, direction: 180}]\n",
                              &files);
  def->terrain.kind = TERRAIN_IMAGE;
  snprintf(def->terrain.image, sizeof def->terrain.image, "nothing.png");
  double *metrics = calloc((size_t)metric_row_count, sizeof *metrics);
  assert_non_null(metrics);
  ReportCharacter character = {.def = &def->characters[0], .metrics = metrics};
  const ReportRun run = {.def = def, .characters = &character, .character_count = 1};
  Error error = {0};
  assert_null(human_figures_run(&run, true, &error));
  assert_non_null(strstr(error.text, "nothing.png"));
  free(metrics);
  scene_def_free(def);
}

// ---- Studies ----

static HumanFigures *study_figures(Protocol protocol, const char *axis, const char *const names[], int columns,
                                   const double *numbers, long rows) {
  static StudyDef study;
  static SceneDef scene;
  static CharacterDef man;
  TableColumn table_columns[4] = {0};
  memset(&study, 0, sizeof study);
  memset(&scene, 0, sizeof scene);
  snprintf(man.name, sizeof man.name, "man");
  scene.protocol.name = (int)protocol;
  scene.characters = &man;
  scene.character_count = 1;
  study.scene = &scene;
  study.axis_count = 1;
  snprintf(study.axes[0].key, sizeof study.axes[0].key, "%s", axis);
  snprintf(study.axes[0].name, sizeof study.axes[0].name, "size");
  for (int i = 0; i < columns; i++)
    snprintf(table_columns[i].name, sizeof table_columns[i].name, "%s", names[i]);
  double copy[64];
  memcpy(copy, numbers, sizeof *copy * (size_t)(columns * rows));
  const Table table = {.column_count = columns, .columns = table_columns, .row_count = rows, .numbers = copy};
  Error error = {0};
  HumanFigures *figures = human_figures_study(&study, &table, &error);
  assert_string_equal(error.text, "");
  return figures;
}

static const HumanFigure *find(const HumanFigures *figures, HumanKind kind, const char *metric) {
  for (int i = 0; i < figures->count; i++)
    if (figures->list[i].band->kind == kind && strcmp(figures->list[i].band->metric, metric) == 0)
      return &figures->list[i];
  fail_msg("no figure of %s", metric);
  return NULL;
}

// Of four trials three fell, and of these one with its head down.
static void test_shares_and_medians(void **state) {
  (void)state;
  static const char *const names[] = {"size", "man.fell", "man.fall_head_speed", "man.fall_pelvis_speed"};
  const double numbers[] = {1, 1, NAN, 2, 1, 1, 3.5, 3, 1, 0, NAN, NAN, 1, 1, NAN, 9};
  HumanFigures *figures = study_figures(PROTOCOL_FALL_SIDEWAYS, "events.0.impulse", names, 4, numbers, 4);
  assert_near(find(figures, HUMAN_SHARE, "fall_head_speed")->value, 1.0 / 3, 1e-12);
  const HumanFigure *pelvis = find(figures, HUMAN_VALUE, "fall_pelvis_speed");
  assert_near(pelvis->value, 3, 1e-12);
  assert_near(pelvis->low, 2.2, 1e-12);
  assert_near(pelvis->high, 7.8, 1e-12);
  assert_int_equal(pelvis->count, 3);
  assert_int_equal(pelvis->inside, 2);
  assert_true(pelvis->fits);
  human_figures_free(figures);
}

// R2 on the axis of impulses: of a line 1, of what has nothing to do with it 0; without such an axis there is none.
static void test_fit_on_size(void **state) {
  (void)state;
  static const char *const names[] = {"size", "man.first_step_length", "man.first_step_lift_off"};
  const double numbers[] = {10, 0.1, 0.2, 20, 0.2, 0.4, 30, 0.3, 0.4, 40, 0.4, 0.2, 50, 0.5, NAN};
  HumanFigures *figures = study_figures(PROTOCOL_PUSH, "events.0.impulse", names, 3, numbers, 5);
  assert_near(find(figures, HUMAN_FIT, "first_step_length")->value, 1, 1e-12);
  assert_near(find(figures, HUMAN_FIT, "first_step_lift_off")->value, 0, 1e-12);
  assert_int_equal(figures->fitting, 2);
  human_figures_free(figures);
  figures = study_figures(PROTOCOL_PUSH, "events.0.direction", names, 3, numbers, 5);
  assert_int_equal(figures->count, 0);
  human_figures_free(figures);
}

// The largest of the leans, whatever their order; leans without a value do not count.
static void test_most(void **state) {
  (void)state;
  static const char *const names[] = {"size", "man.release_lean_recovered"};
  const double numbers[] = {20, 20.5, 40, NAN, 30, 31, 10, 10};
  HumanFigures *figures = study_figures(PROTOCOL_LEAN_RELEASE, "events.0.lean", names, 2, numbers, 4);
  const HumanFigure *figure = find(figures, HUMAN_MOST, "release_lean_recovered");
  assert_near(figure->value, 31, 1e-12);
  assert_true(figure->fits);
  human_figures_free(figures);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_inside_and_outside),
      cmocka_unit_test(test_what_counts),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_shares_and_medians),
      cmocka_unit_test(test_most),
      cmocka_unit_test(test_fit_on_size),
      cmocka_unit_test(test_figures_beside_the_twin),
      cmocka_unit_test(test_a_twin_that_cannot_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
