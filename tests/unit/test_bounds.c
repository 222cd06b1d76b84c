// Lists of scenes and studies that may have so many items and not one more: the largest allowed number is read, the
// next one is refused with both numbers or with a text that names the limit.
#include "tests/unit/study_fixture.h"

#include "sim/base/text_buffer.h"

// A file with a list: what stands before its items, an item, whose %d is its number, and what follows.
typedef struct Bound {
  const char *before, *item, *after;
  int least, most;
  const char *refusal;
  const char *later; // what is refused of the allowed number, after that was counted; NULL: nothing
} Bound;

#define DOLL "characters: [{name: doll, body: boxes.yaml}]\n"
#define STUDY "scene: small.yaml\n"

static const Bound SCENES[] = {
    {"duration: 1\ncharacters: [", "{name: doll%d, body: boxes.yaml}", "]", 1, 256, " characters, allowed are 1 to 256",
     NULL},
    {DOLL "targets: [", "{name: place%d, center: [0, 1, 2]}", "]", 0, 32, "33 targets, allowed are up to 32", NULL},
    {DOLL "cameras: [", "{name: view%d}", "]", 0, 32, "33 cameras, allowed are up to 32", NULL},
    {DOLL "props: [", "{name: crate%d, size: [0.1, 0.1, 0.1], mass: 1, center: [%d, 1, 5]}", "]", 0, 64,
     "65 props, allowed are up to 64", NULL},
    {DOLL "platforms: [", "{name: deck%d, size: [0.1, 0.1, 0.1], center: [%d, 0, 9]}", "]", 0, 64,
     " platforms, allowed are up to ", NULL},
    {DOLL "props: [{name: bag, size: [0.1, 0.1, 0.1], mass: 1, center: [0, 1, 5]}]\nropes: [",
     "{from: bag, to_at: [0, 2, 5]}", "]", 0, 256, " ropes, allowed are up to ", NULL},
    {DOLL "events: [", "{time: 0.1, part: top, impulse: 0.5}", "]", 0, 256, "257 events, allowed are up to 256", NULL},
    {DOLL "expect: [", "doll.fell == 0", "]", 0, 64, "65 expectations, allowed are up to 64", NULL},
    {"characters: [{name: doll, body: boxes.yaml, script: [", "{time: 1}", "]}]", 0, 64,
     "65 steps, allowed are up to 64", NULL},
    {DOLL "targets: [{name: place, center: [0, 1, 2], path: [", "[%d, 0, 1, 2]", "]}]", 0, 64,
     "'path' is a list of up to 64 keys", NULL},
    {"characters: [{name: doll, body: boxes.yaml, script: [{time: 1, layers: {", "name%d: 1", "}}]}]", 0, 16,
     "'layers' is a map of up to 16 names", "unknown key 'name0'"},
    {"characters: [{name: doll, body: boxes.yaml, script: [{time: 1, tones: {", "name%d: 1", "}}]}]", 0, 16,
     "'tones' is a map of up to 16 names", "there is no part 'name0'"},
};

static const Bound STUDIES[] = {
    {STUDY "set: [", "duration=0.3", "]", 0, 64, "65 assignments, allowed are up to 64", NULL},
    {STUDY "traces: [", "{trials: [0]}", "]", 0, 32, "33 items, allowed are up to 32", NULL},
    {STUDY "axes: {duration: [", "0.%d1", "]}", 1, 100000, " values, allowed are 1 to 100000", NULL},
    {STUDY "axes: {duration: [1, 2]}\nthreshold: {axis: duration, withstood: [", "ok == 1", "]}", 1, 8,
     " conditions, allowed are 1 to 8", NULL},
    {STUDY "optimise: {parameters: {world.friction: {low: 0, high: 1}}, cost: [", "{metric: doll.fell}", "]}", 1, 16,
     "'cost' must be a list of 1 to 16 terms", NULL},
};

static char *text_of(const Bound *bound, int count) {
  TextBuffer text = {0};
  text_print(&text, "%s", bound->before);
  for (int i = 0; i < count; i++) {
    text_print(&text, i > 0 ? ", " : "");
    const char *rest = bound->item;
    for (const char *number = strstr(rest, "%d"); number; number = strstr(rest, "%d")) {
      text_print(&text, "%.*s%d", (int)(number - rest), rest, i);
      rest = number + 2;
    }
    text_print(&text, "%s", rest);
  }
  text_print(&text, "%s\n", bound->after);
  return text.bytes;
}

static bool is_read(const Bound *bound, bool is_study, int count, Error *error) {
  char *text = text_of(bound, count);
  bool good;
  if (is_study) {
    StudyDef *study = study_try(text, error);
    good = study != NULL;
    study_free(study);
  } else {
    SceneDef *def = small_def_try(text, NULL, 0, error);
    good = def != NULL;
    scene_def_free(def);
  }
  free(text);
  return good;
}

static void assert_bound(const Bound *bound, bool is_study) {
  const int counts[] = {bound->least, bound->most, bound->least - 1, bound->most + 1};
  for (int i = 0; i < 4; i++) {
    Error error = {0};
    if (counts[i] < 0)
      continue;
    const char *refusal = i < 2 ? (counts[i] > 0 ? bound->later : NULL) : bound->refusal;
    const bool good = is_read(bound, is_study, counts[i], &error);
    if (good != !refusal || (refusal && !strstr(error.text, refusal)))
      fail_msg("%d of %s...: %s", counts[i], bound->before, good ? "read" : error.text);
  }
}

static void lists_of_scenes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++)
    assert_bound(&SCENES[i], false);
}

static void lists_of_studies(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof STUDIES / sizeof *STUDIES; i++)
    assert_bound(&STUDIES[i], true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_of_scenes),
      cmocka_unit_test(lists_of_studies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
