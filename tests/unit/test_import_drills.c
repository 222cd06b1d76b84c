// What drawn clip files make of a recorded motion, with each of their keys at, just within and just beyond its limits:
// clips and reports to nine digits, names, notes and errors to the letter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "anim/retarget/clip_import.h"
#include "ragdoll/body/body_def.h"
#include "scenes/description/scene_assets.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/drill.h"
#include "tests/unit/motion_fixture.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *clip, *body;
  int cycles, dropped; // frames at the end
  double rate;         // Hz
  int files;
} Drill;

static const Drill DRILLS[] = {
    {"a walk", "clips/walk.yaml", "bodies/human.yaml", 2, 0, 50, 90},
    {"a part of a run", "clips/run.yaml", "bodies/human.yaml", 1, 9, 60, 70},
    {"a punch", "clips/punch.yaml", "bodies/human.yaml", 1, 0, 40, 90},
    {"of another figure", "clips/lizard_walk.yaml", "bodies/human.yaml", 1, 0, 30, 8},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { KEYS, SPANS, REPORTS, CONTACTS, TOLD, GOOD, SUMS };
static const char *const NAMES[SUMS] = {"keys", "spans", "reports", "contacts", "told", "good"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.067769351185, -48.954647609, 0.31364625016, -0.023900066483, 0.20688144667, 0.19338976791},
    {0.094102858557, -17.637300714, 0.83925370735, -0.0017648888989, 0.18884205513, 0.097681566443},
    {-0.086993608428, -9.3456143082, 4.5400302057, -0.007939145546, 0.25795375093, 0.1381355485},
    {0, 0, 0, 0, 0.42463730957, 0},
};

static FileSet files;

// A number at, within or beyond a limit.
static double at_limit(Rng *rng, double limit, double step) {
  static const double shares[] = {0, -0.98, 0.98, 1.02, -1.02, 2.2};
  return limit + step * shares[rng_index(rng, 6)];
}

static void add_lines(TextBuffer *text, double length, double rate, Rng *rng) {
  static const char *const loops[] = {"true", "false", "cycle", "often"}, *const flags[] = {"true", "false", "true",
                                                                                            "no?"};
  static const char *const ups[] = {"y", "y", "y", "z", "w"}, *const fronts[] = {"z", "z", "-x", "y", "-z"};
  const double frame = 0.5 / rate;
  const int span = rng_index(rng, 5);
  if (span == 1 || span == 2)
    text_print(text, "from: %.9g\n", span == 1 ? rng_range(rng, 0, 0.4 * length) : at_limit(rng, length, frame));
  if (span >= 1 && span <= 3)
    text_print(text, "to: %.9g\n", span == 2 ? 2 * length : at_limit(rng, length, frame));
  if (rng_index(rng, 3) == 0)
    text_print(text, "reference: %.9g\n", rng_index(rng, 2) ? at_limit(rng, length, frame) : rng_range(rng, 0, length));
  else if (rng_index(rng, 3) == 0)
    text_print(text, "reference: {time: %s, head: [%.5g, 10, 0]}\n", rng_index(rng, 2) ? "rest" : "0.1",
               at_limit(rng, 180, 1));
  if (rng_index(rng, 3) == 0)
    text_print(text, "loop: %s\n", loops[rng_index(rng, 4)]);
  if (rng_index(rng, 4) == 0)
    text_print(text, "loop_blend: %.6g\n", rng_index(rng, 3) ? rng_range(rng, 0, 0.4) : at_limit(rng, 10, 0.01));
  if (rng_index(rng, 4) == 0)
    text_print(text, "clearance: %.6g\n", rng_index(rng, 3) ? rng_range(rng, 0, 0.05) : at_limit(rng, 0.5, 0.01));
  if (rng_index(rng, 4) == 0)
    text_print(text, "rate: %.6g\n",
               rng_index(rng, 2) ? rng_range(rng, 10, 60) : at_limit(rng, rng_index(rng, 2) ? 1 : 1000, 0.01));
  if (rng_index(rng, 5) == 0)
    text_print(text, "unit: %.8g\n", rng_index(rng, 2) ? rng_range(rng, 0.008, 0.012) : at_limit(rng, 1e-6, 1e-7));
  if (rng_index(rng, 6) == 0)
    text_print(text, "up: %s\nfront: %s\n", ups[rng_index(rng, 5)], fronts[rng_index(rng, 5)]);
  if (rng_index(rng, 4) == 0)
    text_print(text, "keep_root: %s\n", flags[rng_index(rng, 4)]);
  if (rng_index(rng, 4) == 0)
    text_print(text, "plant: %s\n", flags[rng_index(rng, 4)]);
  if (rng_index(rng, 4) == 0)
    text_print(text, "force: %s\n", flags[rng_index(rng, 4)]);
  if (rng_index(rng, 4) == 0)
    text_print(text, "name: %s\n", rng_index(rng, 3) ? "own_name" : "not-a.name");
  if (rng_index(rng, 8) == 0)
    text_print(text, "joints: {%s: head}\n", rng_index(rng, 2) ? "head" : "hat");
}

static void add_clip(const Clip *clip, const Skeleton *skeleton, DrillSum sums[SUMS]) {
  for (int i = 0; i < clip->key_count; i += 1 + clip->key_count / 12) {
    drill_add_floats(&sums[KEYS], clip->keys[i].position[0].raw, 3);
    for (int k = 0; k < clip->keys[i].count; k++)
      drill_add_floats(&sums[KEYS], clip->keys[i].rotation[k].raw, 4);
  }
  const double spans[] = {(double)clip->duration, clip->loop, clip->key_count};
  drill_add_all(&sums[SPANS], spans, 3);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const ClipContact *contact = clip_first_contact(clip, i);
    drill_add(&sums[CONTACTS], contact ? (double)contact->begin : -1);
  }
  drill_add(&sums[TOLD], (double)(text_digest(clip->name) % 1000) / 1000);
}

static void add_report(const RetargetReport *report, const Skeleton *skeleton, DrillSum sums[SUMS]) {
  char text[400] = "";
  const double numbers[] = {report->is_cut,
                            report->reference,
                            report->sole_tilt_max,
                            report->tread_speed,
                            report->recorded,
                            report->from,
                            report->to,
                            report->scale,
                            report->slip_max,
                            report->ground_gap_max,
                            report->limit_excess_max,
                            report->contact_count};
  drill_add_all(&sums[REPORTS], numbers, sizeof numbers / sizeof *numbers);
  drill_add_all(&sums[REPORTS], report->joint_excess, skeleton->count);
  drill_add_all(&sums[REPORTS], report->joint_far, skeleton->count);
  retarget_note_text(report, text, sizeof text);
  drill_add(&sums[TOLD], (double)(text_digest(text) % 1000) / 1000);
  retarget_excess_text(report, skeleton, 0.1, text, sizeof text);
  drill_add(&sums[TOLD], (double)(text_digest(text) % 1000) / 1000);
}

static void import(const Motion *motion, const BodyDef *body, Rng *rng, DrillSum sums[SUMS]) {
  const RetargetLimits limits = scene_limits(body);
  FileSet set = {0};
  Error error = {0};
  RetargetReport report = {0};
  TextBuffer text = {0};
  char *bvh = motion_write_bvh(motion);
  text_print(&text, "import: made.bvh\n");
  add_lines(&text, (motion->frame_count - 1) / motion->frame_rate, motion->frame_rate, rng);
  files_put(&set, "made.bvh", bvh, strlen(bvh));
  files_put(&set, "made.yaml", text.bytes, text.size);
  set.sealed = true;
  Clip *clip = clip_load(&set, "made.yaml", &body->skeleton, &limits, &report, &error);
  if (clip) {
    add_clip(clip, &body->skeleton, sums);
    add_report(&report, &body->skeleton, sums);
  }
  drill_add(&sums[GOOD], clip != NULL);
  drill_add(&sums[TOLD], (double)(text_digest(error.text) % 1000) / 1000);
  clip_free(clip);
  files_free(&set);
  text_free(&text);
  free(bvh);
}

static void run(const Drill *drill, double means[SUMS]) {
  Error error = {0};
  Rng rng = rng_make(1, drill->name);
  BodyDef *body = body_read(&files, drill->body, &error);
  BodyDef *own = body_read(&files, strstr(drill->clip, "lizard") ? "bodies/lizard.yaml" : drill->body, &error);
  Clip *clip = body && own ? clip_read(&files, drill->clip, &own->skeleton, &error) : NULL;
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  Motion *motion = motion_from_clip(clip, drill->cycles, drill->rate, 1, 0, true);
  motion->frame_count -= drill->dropped;
  for (int n = 0; n < drill->files; n++) {
    DrillSum sums[SUMS] = {{0}};
    import(motion, body, &rng, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / drill->files;
  }
  motion_free(motion);
  clip_free(clip);
  body_free(own);
  body_free(body);
}

// Whether a motion is a loop is as its file says, unless a cycle is asked for, of which a figure that stands has none.
static void files_say_what_loops(void **state) {
  (void)state;
  static const struct {
    const char *in_motion, *in_clip;
    int loops; // -1: is refused
  } cases[] = {{",\"Loop\":\"wrap\"", "", 1},
               {",\"Loop\":\"none\"", "", 0},
               {"", "", 0},
               {",\"Loop\":\"wrap\"", "loop: cycle\n", -1},
               {",\"Loop\":\"none\"", "loop: true\n", 1},
               {",\"Loop\":\"wrap\"", "loop: false\n", 0}};
  Error error = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  if (!body) {
    fail_msg("%s", error.text);
    return;
  }
  const RetargetLimits limits = scene_limits(body);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FileSet set = {.sealed = false};
    TextBuffer motion = {0}, text = {0};
    RetargetReport report = {0};
    error = (Error){0};
    text_print(&motion, "{\"Frames\":[");
    for (int f = 0; f < 40; f++)
      text_print(&motion,
                 "%s[0.02,0,0.9,0,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0]",
                 f > 0 ? "," : "");
    text_print(&motion, "]%s}", cases[i].in_motion);
    text_print(&text, "import: made.json\n%s", cases[i].in_clip);
    files_put(&set, "made.json", motion.bytes, motion.size);
    files_put(&set, "made.yaml", text.bytes, text.size);
    set.sealed = true;
    Clip *clip = clip_load(&set, "made.yaml", &body->skeleton, &limits, &report, &error);
    if ((clip ? clip->loop : -1) != cases[i].loops)
      fail_msg("%zu: %s", i, clip ? clip->loop ? "loops" : "does not loop" : error.text);
    if (!clip)
      assert_non_null(strstr(error.text, "nothing in this motion repeats"));
    clip_free(clip);
    text_free(&motion);
    text_free(&text);
    files_free(&set);
  }
  body_free(body);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_say_what_loops), cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
