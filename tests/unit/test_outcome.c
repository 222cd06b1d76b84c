// What is said of a run for people and for programs, to the letter: tables of hits, of responses to the intent and of
// metrics, expectations that hold, fail, or do not apply, warnings; and the same as JSON.
#include "scenes/run/outcome.h"
#include "tests/unit/small_scene.h"
#include "tests/unit/text_digest.h"

static const char SCENE[] =
    "purpose: A doll is struck in flight, and a man walks.\n"
    "seed: 3\n"
    "duration: 3\n"
    "world: {gravity: [0, 0, 0], dt: 1/240}\n"
    "terrain: {kind: flat}\n"
    "characters:\n"
    "  - {name: doll, body: boxes.yaml, start: {position: [0, 5, 0]}, animation: {move: nod.yaml}}\n"
    "  - name: walker\n"
    "    body: bodies/human.yaml\n"
    "    start: {position: [3, 0, 0]}\n"
    "    animation: {graph: graphs/locomotion.yaml}\n"
    "    drive: {kinematic: true}\n"
    "    script: [{time: 0.5, speed: 1.3}, {time: 1.6, heading: 90}, {time: 2.9, speed: 0}]\n"
    "events:\n"
    "  - {kind: impulse, character: doll, part: base, time: 0.8, direction: 10, impulse: 2}\n"
    "  - {kind: impulse, character: doll, part: top, time: 2, direction: -100, elevation: 20, impulse: 1}\n"
    "expect:\n"
    "  - doll.fell == 0\n"
    "  - doll.hits == 3\n"
    "  - doll.peak_torque < 0.01\n"
    "  - walker.recovery_time < 2\n"
    "  - walker.distance > 0.1\n";

typedef struct Print {
  const char *name, *status;
  void (*print)(FILE *out, const Scene *scene, const RunOutcome *outcome);
  uint64_t kept;
} Print;

static void print_json(FILE *out, const Scene *scene, const RunOutcome *outcome) {
  char *text = outcome_json(scene, outcome);
  assert_non_null(text);
  fputs(text, out);
  free(text);
}

static const Print PRINTS[] = {
    {"table", "complete", outcome_table, 0xdb5f7525f3a405c5},
    {"table of a run that stopped", "stopped: a part is 120 m/s fast", outcome_table, 0xf5ef7b2d21ef1e5c},
    {"failures", "complete", outcome_failures, 0x18929b7ccb2037bb},
    {"json", "complete", print_json, 0x79ef1e864f3d54be}};

static void outcomes_to_the_letter(void **state) {
  (void)state;
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  files_put(&files, "nod.yaml", NOD, sizeof NOD - 1);
  SceneDef *def = scene_def_from_text("men.yaml", SCENE, &files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    return;
  }
  Scene *scene = small_scene(def);
  for (long i = 0; i < def->step_count; i++)
    assert_true(scene_step(scene));
  scene_finish(scene);
  int wrong = 0;
  for (size_t i = 0; i < sizeof PRINTS / sizeof *PRINTS; i++) {
    const RunOutcome outcome = {.status = PRINTS[i].status, .realtime_factor = 12.5};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    PRINTS[i].print(out, scene, &outcome);
    fclose(out);
    wrong += !text_is_kept(PRINTS[i].name, text, PRINTS[i].kept);
    free(text);
  }
  assert_false(outcome_holds(scene));
  scene_destroy(scene);
  scene_def_free(def);
  assert_int_equal(wrong, 0);
}

// A metric's digits go by its unit; lengths of feet and of the shown pose are in mm; shares have two digits, counts
// none.
static void metrics_have_the_digits_of_their_units(void **state) {
  (void)state;
  static const struct {
    const char *group, *unit;
    double value;
    const char *text, *shown;
  } cases[] = {{"Hits", "s", 1.23456, "1.235", "s"},
               {"Hits", "m", 1.23456, "1.235", "m"},
               {"Feet", "m", 0.0123456, "12.3", "mm"},
               {"Output", "m", 0.0123456, "12.3", "mm"},
               {"Hits", "m/s", 1.23456, "1.23", "m/s"},
               {"Hits", "deg", 1.23456, "1.23", "deg"},
               {"Hits", "N s", 1.23456, "1.23", "N s"},
               {"Hits", "N m s", 1.23456, "1.23", "N m s"},
               {"Hits", "N m", 1.23456, "1.2", "N m"},
               {"Hits", "N", 1.23456, "1.2", "N"},
               {"Hits", "W", 1.23456, "1.2", "W"},
               {"Hits", "%", 1.23456, "1.23", "%"},
               {"Hits", "deg/s^2", 1.6, "2", "deg/s^2"},
               {"Hits", "-", 3, "3", ""},
               {"Hits", "-", 0.456, "0.46", ""},
               {"Hits", "bool", 1, "yes", ""},
               {"Hits", "bool", 0, "no", ""},
               {"Hits", "bool", NAN, "-", ""},
               {"Hits", "m", NAN, "-", "m"},
               {"Feet", "m", NAN, "-", "mm"},
               {"Feet", "s", 0.5, "0.500", "s"},
               {"Hits", "kg", 2, "2", "kg"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const MetricRow row = {.group = cases[i].group, .unit = cases[i].unit, .name = "made"};
    char text[64];
    const char *unit;
    outcome_metric_text(&row, cases[i].value, text, sizeof text, &unit);
    assert_string_equal(text, cases[i].text);
    assert_string_equal(unit, cases[i].shown);
    outcome_metric_text(&row, cases[i].value, text, sizeof text, NULL);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outcomes_to_the_letter),
      cmocka_unit_test(metrics_have_the_digits_of_their_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
