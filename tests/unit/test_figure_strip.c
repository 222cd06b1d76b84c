// Pictures of a run side by side: which moments they show, and where a figure of known size is drawn in them.
#include "tests/unit/recorded_run.h"

#include "scenes/report/figure_strip.h"

// A box on the ground with a long bar that stands on it, and can tip over ahead; a ball and a capsule beside it.
static const char TOY[] =
    "name: toy\n"
    "parts:\n"
    "  - name: base\n"
    "    mass: 4\n"
    "    com: [0, 0.3, 0]\n"
    "    inertia: [0.05, 0.06, 0.07]\n"
    "    joint: {kind: root, position: [0, 0.3, 0]}\n"
    "    shapes: [{box: [0.2, 0.4, 0.3], center: [0, 0.3, 0]}, {sphere: 0.1, center: [0, 0.3, 0.2]}]\n"
    "  - name: bar\n"
    "    parent: base\n"
    "    mass: 2\n"
    "    com: [0, 1.1, 0]\n"
    "    inertia: [0.02, 0.02, 0.02]\n"
    "    joint: {kind: ball, position: [0, 0.5, 0], twist_axis: y, strength: 50}\n"
    "    shapes: [{capsule: [0.05, 1.1], axis: y, center: [0, 1.1, 0]}]\n";

// Upright at both ends of the clip; on its way it tips ahead by 90 deg, and is down in the middle.
static const char TIP[] = "name: tip\n"
                          "loop: false\n"
                          "duration: 1\n"
                          "root_position: [[0, 0.3, 0], [0, 0.3, 0], [0, 0.3, 0]]\n"
                          "joints: {bar: [[0, 0, 0], [90, 0, 0], [0, 0, 0]]}\n";

static void record(RecordedRun *run, const char *animation) {
  Error error = {0};
  FileSet files = {.sealed = false};
  char text[512];
  files_put(&files, "toy.yaml", TOY, sizeof TOY - 1);
  files_put(&files, "tip.yaml", TIP, sizeof TIP - 1);
  files.sealed = true;
  snprintf(text, sizeof text,
           "duration: 1\nworld: {gravity: [0, 0, 0]}\n"
           "characters:\n  - {name: toy, body: toy.yaml, drive: {kinematic: true}%s}\n",
           animation);
  SceneDef *def = scene_def_from_text("toy.yaml", text, &files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  recorded_run_of(run, def);
}

// The strip of a run; the caller frees it.
static char *strip_of(const RecordedRun *recorded, StripPlan *plan) {
  Error error = {0};
  Html html = {0};
  ReportRun *run = report_run_read(recorded->reader, recorded->def, REPORT_MOST_FRAMES, &error);
  if (!run) {
    fail_msg("%s", error.text);
    exit(1);
  }
  *plan = strip_plan(run);
  assert_true(figure_strip(&html, run, plan, &error));
  report_run_free(run);
  return html.bytes;
}

static void assert_contains(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("no '%s' in '%s'", part, text);
}

// A figure of 1.7 m is drawn 1.8 m high, at the ground: 190 px from the top of its head's room to its feet. Root in the
// middle of the parts' extent, from the back of the box to the front of the ball: 0.225 m before the back of the box.
static void standing_figure_is_where_it_belongs(void **state) {
  (void)state;
  RecordedRun recorded;
  StripPlan plan;
  record(&recorded, "");
  char *text = strip_of(&recorded, &plan), part[200];
  const double scale = 190 / (1.7 + 0.1), floor = 12 + 190;
  for (int i = 0; i < STRIP_MOMENTS; i++) {
    const double middle = 150 * i + 75, ahead = 0.5 * (0.3 - 0.15); // m, of the middle before the root
    assert_near(plan.times[i], i / 7.0, 0.02);
    snprintf(part, sizeof part, "<circle class=\"part near\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
             middle + scale * (0.2 - ahead), floor - scale * 0.3, scale * 0.1);
    assert_contains(text, part);
    const double left = middle - scale * (0.15 + ahead), right = middle + scale * (0.15 - ahead);
    const double top = floor - scale * 0.5, low = floor - scale * 0.1;
    snprintf(part, sizeof part, "<path class=\"part near\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", left,
             top, right, top, right, low, left, low);
    assert_contains(text, part);
    const double x = middle - scale * ahead;
    snprintf(part, sizeof part, "stroke-width:%.1fpx\" d=\"M%.1f %.1fL%.1f %.1f\"/>", 2 * 0.05 * scale + 1.6, x,
             floor - scale * 0.55, x + 0.01, floor - scale * 1.65);
    assert_contains(text, part);
    snprintf(part, sizeof part, "stroke-width:%.1fpx\" d=\"M%.1f %.1fL", 2 * 0.05 * scale - 0.4, x,
             floor - scale * 0.55);
    assert_contains(text, part);
    snprintf(part, sizeof part, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\"", middle, floor + 20);
    assert_contains(text, part);
    snprintf(part, sizeof part, "L%.1f %.1fL%.1f %.1f\"/>", 150 * (i + 15 / 16.0), floor, 150.0 * (i + 1), floor);
    assert_contains(text, part);
  }
  assert_contains(text, "viewBox=\"0 0 1200 232\"");
  free(text);
  recorded_run_end(&recorded);
}

// A figure that is widest in the middle of the run fits into all pictures by one scale: 75 px from its middle to its
// side and 10 cm of room.
static void widest_moment_fits(void **state) {
  (void)state;
  RecordedRun recorded;
  StripPlan plan;
  record(&recorded, ", animation: {move: tip.yaml}");
  char *text = strip_of(&recorded, &plan);
  const char *circle = strstr(text, "<circle class=\"part near\"");
  double x = 0, y = 0, r = 0, least = INFINITY, most = -INFINITY;
  assert_non_null(circle);
  assert_int_equal(sscanf(circle, "<circle class=\"part near\" cx=\"%lf\" cy=\"%lf\" r=\"%lf\"", &x, &y, &r), 3);
  for (const char *path = strstr(text, "class=\"limb"); path; path = strstr(path + 1, "class=\"limb")) {
    double from[2], to[2];
    const char *line = strstr(path, "d=\"M");
    assert_int_equal(sscanf(line, "d=\"M%lf %lfL%lf %lf", &from[0], &from[1], &to[0], &to[1]), 4);
    const double panel = floor(from[0] / 150);
    least = fmin(least, fmin(from[0], to[0]) - 150 * panel);
    most = fmax(most, fmax(from[0], to[0]) - 150 * panel);
  }
  assert_true(least >= 0);
  const double scale = r / 0.1; // the ball's radius is 10 cm, the bar's 5
  assert_true(scale < 100);     // upright figures alone would have a larger one
  assert_near(most + (0.05 + 0.1) * scale, 150, 0.8);
  free(text);
  recorded_run_end(&recorded);
}

// Around a hit the moments follow it: up to 1 s after it, or 1.8 s where the body falls, and within the run.
static void moments_follow_the_hit(void **state) {
  (void)state;
  static const double steady[] = {-0.1, 0, 0.06, 0.14, 0.26, 0.42, 0.65, 1};
  static const double falling[] = {-0.1, 0, 0.1, 0.25, 0.5, 0.8, 1.2, 1.8};
  double time[601];
  for (int i = 0; i <= 600; i++)
    time[i] = i / 60.0;
  CharacterDef defs[2] = {{.name = "first"}, {.name = "second"}};
  ReportCharacter characters[2] = {{.def = &defs[0]}, {.def = &defs[1]}};
  HitRecord hit = {.character = "second", .hit = {.time = 4, .strategy = "step"}};
  ReportRun run = {.frame_count = 601,
                   .time = time,
                   .characters = characters,
                   .character_count = 2,
                   .hits = &hit,
                   .hit_count = 1,
                   .hits_are_judged = true};
  for (int i = 0; i < 3; i++) {
    snprintf(hit.hit.strategy, sizeof hit.hit.strategy, "%s", i == 1 ? "fall" : "step");
    run.hits_are_judged = i < 2; // unless it is known how it ended, it may have been a fall
    const StripPlan plan = strip_plan(&run);
    assert_int_equal(plan.character, 1);
    for (int m = 0; m < STRIP_MOMENTS; m++)
      assert_near(plan.times[m], 4 + (i == 0 ? steady : falling)[m], 1e-12);
  }
  hit.hit.time = 9.5;
  StripPlan plan = strip_plan(&run);
  assert_near(plan.times[STRIP_MOMENTS - 1], 10, 1e-12);
  hit.hit.time = 0.05;
  plan = strip_plan(&run);
  assert_near(plan.times[0], 0, 0);
  run.hit_count = 0;
  plan = strip_plan(&run);
  assert_true(plan.character == 0 && !plan.hit);
  for (int m = 0; m < STRIP_MOMENTS; m++)
    assert_near(plan.times[m], 10 * m / 7.0, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standing_figure_is_where_it_belongs),
      cmocka_unit_test(widest_moment_fits),
      cmocka_unit_test(moments_follow_the_hit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
