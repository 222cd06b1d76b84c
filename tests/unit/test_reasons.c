// Why a character is where it is: of running scenes, and of what their traces have.

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/base/numbers.h"
#include "viewer/source/reasons.h"

static char folder[64] = "/tmp/stagger_reasons_XXXXXX";

static int enter_folder(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  unlink("scene.yaml");
  unlink("scene.h5");
  return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static Source *open_source(const char *path, const char *override) {
  Error error = {0};
  Source *source = source_open(path, &override, override != NULL, &error);
  if (!source)
    fail_msg("%s", error.text);
  return source;
}

static void run(Source *source, double seconds) {
  Error error = {0};
  live_advance(source->live, lround(seconds / source->live->scene->world->def.dt));
  assert_true(source_refresh(source, &error));
}

static double present(const Source *source) { return frames_time(source->frames, frames_end(source->frames) - 1); }

// The line of that name; "" when there is none.
static const char *line(const Reasons *reasons, const char *what) {
  for (int i = 0; i < reasons->count; i++)
    if (strcmp(reasons->rows[i].what, what) == 0)
      return reasons->rows[i].text;
  return "";
}

#define assert_says(reasons, what, words)                                                                              \
  do {                                                                                                                 \
    if (!strstr(line(reasons, what), words))                                                                           \
      fail_msg("%s: '%s' does not say '%s'", what, line(reasons, what), words);                                        \
  } while (0)

static void balance_leads_and_nobody_helps(void **state) {
  (void)state;
  Source *source = open_source("stand_push", NULL);
  Reasons reasons;
  run(source, 0.5);
  reasons_find(source, 0, present(source), &reasons);
  assert_true(reasons.present);
  assert_says(&reasons, "root", "balance: stands");
  assert_says(&reasons, "assist", "0 N");
  assert_string_equal(line(&reasons, "refused"), "");
  source_close(source, NULL);
}

static void the_skill_is_named_at_present_only(void **state) {
  (void)state;
  Source *source = open_source("hit_run", NULL);
  Reasons reasons;
  run(source, 0.2);
  reasons_find(source, 0, present(source), &reasons);
  assert_says(&reasons, "skill", "run");
  assert_says(&reasons, "root", "m/s");
  reasons_find(source, 0, 0, &reasons);
  assert_false(reasons.present);
  assert_says(&reasons, "skill", "not in the trace");
  source_close(source, NULL);
}

static void the_planner_leads(void **state) {
  (void)state;
  Source *source = open_source("plan_field", NULL);
  Reasons reasons;
  run(source, 0.1);
  reasons_find(source, 0, present(source), &reasons);
  assert_says(&reasons, "root", "planner: 0 of ");
  source_close(source, NULL);
}

// A blow, its responses, a fall, and the force of an assist: the same numbers in the run and in its trace.
static void a_trace_says_what_it_contains(void **state) {
  (void)state;
  FILE *file = fopen("scene.yaml", "w");
  assert_non_null(file);
  fputs("purpose: A held man is pushed.\nduration: 2\nterrain: {kind: flat}\n"
        "characters: [{name: man, body: bodies/human.yaml, assist: {enabled: true, force: 400},\n"
        "              responses: {enabled: true}}]\n"
        "events: [{kind: impulse, character: man, part: chest, time: 0.1, impulse: 25, direction: 180}]\n",
        file);
  fclose(file);
  Source *source = open_source("scene.yaml", NULL);
  Error error = {0};
  if (!live_record(source->live, "scene.h5", &error))
    fail_msg("%s", error.text);
  run(source, 0.25);
  assert_true(source_refresh(source, &error));
  Reasons now, recorded;
  double time = present(source);
  reasons_find(source, 0, time, &now);
  const double *force = source->live->scene->characters[0]->assist.force_w;
  assert_true(length3(force) > 5);
  assert_says(&now, "assist", " of 400 N, ");
  assert_says(&now, "blow", "N s on chest, 0.15 s ago");
  assert_says(&now, "responds", "tenses");
  assert_true(source_close(source, &error));

  source = open_source("scene.h5", NULL);
  reasons_find(source, 0, time, &recorded);
  assert_false(recorded.present);
  assert_string_equal(line(&recorded, "assist"), line(&now, "assist"));
  assert_string_equal(line(&recorded, "body"), line(&now, "body"));
  assert_string_equal(line(&recorded, "joints"), line(&now, "joints"));
  assert_says(&recorded, "blow", "on chest");
  assert_says(&recorded, "responds", "not in the trace");
  reasons_find(source, 0, 0, &recorded); // before the blow
  assert_string_equal(line(&recorded, "blow"), "");
  source_close(source, NULL);
}

static void a_fall_and_its_cause(void **state) {
  (void)state;
  Source *source = open_source("stand_push", "events.0.impulse=400");
  Reasons reasons;
  bool fell = false;
  for (int i = 0; i < 40 && !fell; i++) {
    run(source, 0.1);
    reasons_find(source, 0, present(source), &reasons);
    fell = strstr(line(&reasons, "root"), "fall: falls: ") != NULL;
  }
  assert_true(fell);
  assert_true(reasons.rows[0].notable);
  source_close(source, NULL);
}

static void refused_feet_are_named(void **state) {
  (void)state;
  Source *source = open_source("terrain_void", NULL);
  Reasons reasons;
  bool refused = false;
  for (int i = 0; i < 60 && !refused; i++) {
    run(source, 0.1);
    for (int who = 0; who < source->def->character_count && !refused; who++) {
      reasons_find(source, who, present(source), &reasons);
      refused = strstr(line(&reasons, "refused"), " foot: ") != NULL;
    }
  }
  assert_true(refused);
  source_close(source, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balance_leads_and_nobody_helps),
      cmocka_unit_test(the_skill_is_named_at_present_only),
      cmocka_unit_test(the_planner_leads),
      cmocka_unit_test(a_trace_says_what_it_contains),
      cmocka_unit_test(a_fall_and_its_cause),
      cmocka_unit_test(refused_feet_are_named),
  };
  return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
