// What reports of short runs of all kinds come to: which hits they tell of, gaits with their figures and curves, and to
// the letter the pictures of moments and the data of the replay. Numbers to nine digits.
#include "scenes/report/figure_strip.h"
#include "scenes/report/gait_page.h"
#include "scenes/report/page_run.h"
#include "scenes/report/report_data.h"
#include "tests/unit/drill.h"
#include "tests/unit/recorded_run.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *world, *characters; // YAML
  double seconds;                        // s
  long most_frames;                      // that the report keeps
  uint64_t strip, data, page;            // digests of texts
} Drill;

#define SHOWN "drive: {kinematic: true}"
#define MAN "body: bodies/human.yaml"

// Boxes, balls and capsules that are turned, on a root that nearly lies on its back, but shows which way it faces.
static const char TOY[] = "name: toy\n"
                          "parts:\n"
                          "  - name: base\n"
                          "    mass: 4\n"
                          "    com: [0, 0.3, 0]\n"
                          "    inertia: [0.05, 0.06, 0.07]\n"
                          "    joint: {kind: root, position: [0, 0.3, 0]}\n"
                          "    shapes: [{box: [0.2, 0.4, 0.3], center: [0, 0.3, 0], turn: [20, 30, 10]}, {sphere: 0.1, "
                          "center: [0, 0.3, 0.2]}]\n"
                          "  - name: arm_l\n"
                          "    parent: base\n"
                          "    mass: 2\n"
                          "    com: [0.3, 0.5, 0]\n"
                          "    inertia: [0.02, 0.02, 0.02]\n"
                          "    joint: {kind: ball, position: [0.1, 0.5, 0], twist_axis: x, strength: 50}\n"
                          "    shapes: [{capsule: [0.05, 0.3], axis: x, center: [0.3, 0.5, 0], turn: [0, 40, 25]}]\n";
static const char LIE[] = "name: lie\n"
                          "loop: false\n"
                          "duration: 1\n"
                          "root_position: [[0, 0.3, 0], [0, 0.4, 0.1]]\n"
                          "root_rotation: [[-81, 0, 0], [-85, 5, 3]]\n"
                          "joints: {arm_l: [[0, 0, 0], [10, 30, 50]]}\n";

#define TOYS "[{name: toy, body: toy.yaml, " SHOWN ", start: {heading: 40}, animation: {move: lie.yaml}}]"

static const Drill DRILLS[] = {
    {"walks and runs",
     "terrain: {kind: blocks, amplitude: 0.02}\ntrace: {rate: 240}\nexpect: [man.fell == 0, man.distance < 3, man.hits "
     "== 0]",
     "[{name: man, " MAN ", " SHOWN
     ", animation: {graph: graphs/human.yaml}, layers: [{kind: foot_placement}], intent: "
     "{speed: 1.3}, script: [{time: 5, speed: 3.2}, {time: 9, speed: 3.4, heading: 20}]}]",
     20, 200, 0xa1ae026a9e7185de, 0x5ada929130e19c99, 0x7263003260c52645},
    {"a biped, backward and still", "terrain: {kind: slope, pitch: 6, start: -20}",
     "[{name: man, " MAN ", " SHOWN ", layers: [{kind: biped}], intent: {speed: 1.1}, script: [{time: 5, speed: -0.7}, "
     "{time: 9, speed: 0}]}]",
     10, 3601, 0x75bfc6d8a9d6843f, 0xd6cb88605df9ecdb, 0xbe407aa10714512e},
    {"hit in a run",
     "events: [{kind: impulse, time: 0.4, character: man, part: chest, impulse: 40, direction: 60}, {kind: push, time: "
     "0.7, character: man, part: forearm_l, impulse: 10, duration: 0.1, direction: -90, elevation: 20}]\nexpect: "
     "[man.peak_pose_error < 1, man.recovery_time < 9, man.time_to_get_up < 1]",
     "[{name: man, " MAN ", animation: {move: clips/run.yaml}, intent: {speed: 3.2}, assist: {enabled: true}}]", 1.6,
     50, 0x6c032a6f8ae650be, 0x64a19406771403cf, 0xfe09530bc9c74bb5},
    {"falls over another",
     "events: [{kind: impulse, time: 0.3, character: limp, part: chest, impulse: 60, direction: 170}, {kind: "
     "projectile, "
     "time: 0.5, character: calm, part: chest, direction: 180, mass: 3, speed: 8, radius: 0.11}]\nprops: [{name: "
     "crate, "
     "size: [0.3, 0.2, 0.4], mass: 3, center: [0.6, 1, 0.3]}]\nplatforms: [{name: ferry, size: [1, 0.3, 1], center: "
     "[-2, "
     "0.2, 1], radius: 0.3}]",
     "[{name: calm, " MAN
     ", start: {position: [1.5, 0, 0]}, animation: {stand: clips/idle.yaml, move: clips/walk.yaml}},"
     " {name: limp, " MAN ", start: {heading: 70}, drive: {enabled: false}}]",
     1.5, 3601, 0x5236d0624318c191, 0xdf08e2410e9d1b31, 0xee3e7b7d00dae9bb},
    {"on four legs", "terrain: {kind: noise, amplitude: 0.02}",
     "[{name: lizard, body: bodies/lizard.yaml, " SHOWN ", layers: [{kind: stepper}], intent: {speed: 0.4}}]", 2, 7,
     0x0a86f5f152998933, 0xcfd517eaf554cdeb, 0x420e02f1110f2a0a},
    {"lies, turned", "world: {gravity: [0, 0, 0]}", TOYS, 1, 30, 0x43419b587b94a968, 0x04fb0dae65cc642e,
     0xb403f483e61522ef},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { RUN, HITS, METRICS, GAIT, FIGURES, CURVES, SUMS };
static const char *const NAMES[SUMS] = {"run", "hits", "metrics", "gait", "figures", "curves"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-73.311804043, 0.022999568826, 34.905058716, 89.943217333, -1.9025876181, 421.1317006},
    {-47.615893012, 0.022999568826, 47.970473937, 15.712123926, -36.911422407, -48.806147432},
    {-28.004552846, 56.114610943, 93.236036281, 0.11769732682, 0, 0},
    {-45.609665126, -19.491243161, 105.82396642, -2.1444087545, 0, 0},
    {-9.0780440204, 0.022999568826, 159.91802867, 0, 0, 0},
    {-26.121836577, 0.022999568826, -46.270535932, 0, 0, 0},
};

static void record(RecordedRun *run, const Drill *drill) {
  FileSet files = {0};
  char text[2048];
  files_put(&files, "toy.yaml", TOY, sizeof TOY - 1);
  files_put(&files, "lie.yaml", LIE, sizeof LIE - 1);
  snprintf(text, sizeof text, "seed: 3\nduration: %g\n%s\ncharacters: %s\n", drill->seconds, drill->world,
           drill->characters);
  recorded_run_of(run, shipped_def(drill->name, text, &files));
}

// A number of which none may be, and large ones.
static double told(double value) { return isnan(value) ? -1.5 : value / (1 + 0.01 * fabs(value)); }

static void add_all(DrillSum *sum, const double values[], int count) {
  for (int i = 0; i < count; i++)
    drill_add(sum, told(values[i]));
}

static void add_run(const ReportRun *run, DrillSum sums[SUMS]) {
  const double counts[] = {run->frame_count, run->stride,       run->kept_count,          run->frame_rate,
                           run->hit_count,   run->expect_count, report_run_failures(run), report_run_is_complete(run)};
  add_all(&sums[RUN], counts, 8);
  add_all(&sums[RUN], run->time, run->frame_count);
  const HitRecord *worst = report_run_worst_hit(run);
  for (int i = 0; i < run->hit_count; i++) {
    const MetricsHit *hit = &run->hits[i].hit;
    const double values[] = {
        hit->time,           hit->impulse,           hit->recovery_time,         hit->peak_pose_error,
        hit->assist_impulse, hit->peak_assist_force, hit->peak_com_displacement, worst == &run->hits[i],
        run->hits_are_judged};
    add_all(&sums[HITS], values, 9);
    drill_add(&sums[HITS], (double)(text_digest(hit->strategy) % 1000 + text_digest(hit->part) % 1000) / 1000);
  }
  for (int c = 0; c < run->character_count; c++) {
    const ReportCharacter *character = &run->characters[c];
    drill_add(&sums[HITS], (double)(text_digest(character->strategy) % 1000) / 1000);
    add_all(&sums[METRICS], character->metrics, metric_row_count);
    for (int p = 0; p < character->plot_count; p++)
      for (int s = 0; s < character->plots[p].series_count; s++)
        drill_add(&sums[METRICS], character->plots[p].series[s].is_zero);
  }
}

static void add_mean(const GaitMean *mean, DrillSum sums[SUMS]) {
  drill_add(&sums[GAIT], mean->count);
  if (mean->count == 0)
    return;
  add_all(&sums[FIGURES], mean->mean, GAIT_FIGURES);
  add_all(&sums[FIGURES], mean->deviation, GAIT_FIGURES);
  for (int joint = 0; joint < GAIT_JOINTS; joint++) {
    add_all(&sums[CURVES], mean->curve.degrees[joint], GAIT_POINTS);
    add_all(&sums[CURVES], mean->curve_deviation.degrees[joint], GAIT_POINTS);
  }
}

static void add_gait(const ReportRun *run, const ReportCharacter *character, DrillSum sums[SUMS]) {
  Error error = {0};
  static GaitReport report;
  assert_true(gait_report_read(run, character, &report, &error));
  const double whole[] = {report.is_human, report.leg, report.group_count};
  add_all(&sums[GAIT], whole, 3);
  for (int pose = 0; pose < TRACE_POSE_COUNT; pose++) {
    drill_add(&sums[GAIT], (double)report.contacts[pose]);
    drill_add(&sums[GAIT], report.strides[pose]);
  }
  for (int g = 0; g < report.group_count; g++) {
    const GaitGroup *group = &report.groups[g];
    const double values[] = {group->runs, group->speed, group->begin, group->end};
    add_all(&sums[GAIT], values, 4);
    for (int pose = 0; pose < TRACE_POSE_COUNT; pose++)
      add_mean(&group->poses[pose], sums);
  }
}

// The parts of the page that do not depend on the program that shows it.
static void write_page(Html *html, const ReportRun *run) {
  Error error = {0};
  page_run_badges(html, run);
  page_run_figures(html, run);
  page_run_hits(html, run, "hits");
  assert_true(gait_page_run(html, run, &error));
  page_run_plots_note(html, run);
  page_run_plots(html, run);
  page_run_metrics(html, run);
  page_run_expects(html, run);
}

static bool texts_are_kept(const ReportRun *run, const Drill *drill) {
  Error error = {0};
  Html html = {0}, page = {0};
  const StripPlan plan = strip_plan(run);
  assert_true(figure_strip(&html, run, &plan, &error));
  cJSON *trace = report_trace(run, &error);
  char *data = cJSON_PrintUnformatted(trace);
  assert_non_null(data);
  write_page(&page, run);
  const uint64_t digests[] = {text_digest(html.bytes), text_digest(data), text_digest(page.bytes)};
  const bool same = digests[0] == drill->strip && digests[1] == drill->data && digests[2] == drill->page;
  if (!same)
    printf("%s: the digests of its pictures, data and page are 0x%016llx, 0x%016llx, 0x%016llx\n", drill->name,
           (unsigned long long)digests[0], (unsigned long long)digests[1], (unsigned long long)digests[2]);
  cJSON_free(data);
  cJSON_Delete(trace);
  text_free(&html);
  text_free(&page);
  return same;
}

static bool is_as_kept(int number) {
  const Drill *drill = &DRILLS[number];
  Error error = {0};
  RecordedRun recorded;
  DrillSum sums[SUMS] = {{0}};
  double means[SUMS];
  record(&recorded, drill);
  ReportRun *run = report_run_read(recorded.reader, recorded.def, drill->most_frames, &error);
  if (!run) {
    fail_msg("%s: %s", drill->name, error.text);
    return false;
  }
  run->trial = number - 1;
  add_run(run, sums);
  for (int c = 0; c < run->character_count; c++)
    add_gait(run, &run->characters[c], sums);
  for (int k = 0; k < SUMS; k++)
    means[k] = sums[k].sum;
  const bool kept = drill_is_kept(drill->name, NAMES, means, OUTCOMES[number], SUMS);
  const bool same = texts_are_kept(run, drill) && kept;
  report_run_free(run);
  recorded_run_end(&recorded);
  return same;
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++)
    wrong += !is_as_kept(i);
  assert_int_equal(wrong, 0);
}

static void has_note(const Html *html, const char *of_what, int left_out) {
  char note[80];
  snprintf(note, sizeof note, "Without the %s of %d more characters.", of_what, left_out);
  assert_true((strstr(html->bytes, "more characters") != NULL) == (left_out > 0));
  assert_true((strstr(html->bytes, note) != NULL) == (left_out > 0));
}

// The first characters have curves, and a note says how many others there are.
static void characters_without_curves_are_counted(void **state) {
  (void)state;
  for (int count = PAGE_MOST_CHARACTERS - 1; count <= PAGE_MOST_CHARACTERS + 2; count++) {
    TextBuffer text = {0};
    Error error = {0};
    RecordedRun recorded;
    text_print(&text, "duration: 0.1\nworld: {gravity: [0, 0, 0]}\ncharacters:\n");
    for (int i = 0; i < count; i++)
      text_print(&text, "  - {name: doll_%d, body: boxes.yaml, start: {position: [%d, 0, 0]}}\n", i, 2 * i);
    recorded_run_of(&recorded, small_def(text.bytes));
    ReportRun *run = report_run_read(recorded.reader, recorded.def, 100, &error);
    assert_non_null(run);
    Html curves = {0}, gait = {0};
    page_run_plots(&curves, run);
    assert_true(gait_page_run(&gait, run, &error));
    const int left_out = count > PAGE_MOST_CHARACTERS ? count - PAGE_MOST_CHARACTERS : 0;
    has_note(&curves, "curves", left_out);
    has_note(&gait, "gait", left_out);
    char last[32];
    snprintf(last, sizeof last, "doll_%d", PAGE_MOST_CHARACTERS);
    assert_null(strstr(curves.bytes, last));
    text_free(&curves);
    text_free(&gait);
    text_free(&text);
    report_run_free(run);
    recorded_run_end(&recorded);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(characters_without_curves_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
