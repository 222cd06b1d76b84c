// Intent and scripts of it: ranges, what a step changes and what it leaves, events, bad scripts.
#include "tests/unit/small_scene.h"

#include "ragdoll/character/intent.h"

static void read_script(const char *text, IntentScript *script, Error *error) {
  Document document;
  if (!document_parse(&document, "s.yaml", text, error))
    return;
  intent_script_read(script, node_find(document.root, "script"), error);
  document_free(&document);
}

static void note_event(void *context, const char *name) { strcat(context, name); }

static void note_fade(void *context, const char *layer, double weight) {
  char text[64];
  snprintf(text, sizeof text, " %s %g", layer, weight);
  strcat(context, text);
}

static void note_tone(void *context, const char *joint, double tone) {
  char text[64];
  snprintf(text, sizeof text, " %s:%g", joint, tone);
  strcat(context, text);
}

static void note_jump(void *context, const JumpGoal *goal) {
  char text[64];
  snprintf(text, sizeof text, " jump %g %g", goal->distance, goal->rise);
  strcat(context, text);
}

static void test_a_step_changes_only_what_it_names(void **state) {
  (void)state;
  Error error = {0};
  IntentScript script = {0};
  read_script("script: [{time: 1, speed: 1.5}, {time: 2, heading: 90, event: turn}, "
              "{time: 2, speed: 0, layers: {tail: 0.5, look: 0}, tones: {body: -1, hand_l: 0.5}, "
              "jump: {rise: 0.2}}]",
              &script, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(script.count, 3);
  Intent intent = {.speed = 0.5, .heading = 10, .look_yaw = 5};
  char events[64] = "";
  int next = 0;
  const IntentListener listener = {events, note_event, note_fade, note_tone, note_jump};
  intent_script_apply(&script, 0.5, &next, &intent, &listener);
  assert_near(intent.speed, 0.5, 0);
  double dt = 1.0 / 240, time = 0;
  for (int i = 0; i < 240; i++) // a sum, not exactly 1
    time += dt;
  intent_script_apply(&script, time, &next, &intent, &listener);
  assert_near(intent.speed, 1.5, 0);
  assert_near(intent.heading, 10, 0);
  intent.speed = 3; // the user's keys; they hold until the script changes them
  intent_script_apply(&script, 1.9, &next, &intent, &listener);
  assert_near(intent.speed, 3, 0);
  intent_script_apply(&script, 2.5, &next, &intent, &listener);
  assert_near(intent.speed, 0, 0);
  assert_near(intent.heading, 90, 0);
  assert_near(intent.look_yaw, 5, 0);
  assert_string_equal(events, "turn tail 0.5 look 0 body:-1 hand_l:0.5 jump 1 0.2");
  assert_int_equal(next, 3);
}

static void test_bad_scripts_are_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"script: 3", "s.yaml:1:9: 'script' must be a list of steps: [{time: 2, speed: 1.3}]"},
      {"script: [3]", "s.yaml:1:10: a step of a script is a map: {time: 2, speed: 1.3}"},
      {"script: [{speed: 1}]", "s.yaml:1:10: 'time' of the step is missing, in s"},
      {"script: [{time: 1, layers: {tail: 2}}]", "s.yaml:1:35: 2 is out of range, allowed is 0 to 1"},
      {"script: [{time: 1, jump: 2}]", "s.yaml:1:26: 'jump' is a map: {distance: 1.2, rise: 0.2}, in m"},
      {"script: [{time: 1, jump: {distance: 3}}]", "s.yaml:1:37: jump.distance is 3, allowed are 0 to 2.1 m"},
      {"script: [{time: -1}]", "s.yaml:1:17: -1 s is out of range, allowed is 0 to 360000 s"},
      {"script: [{time: 2}, {time: 1}]", "s.yaml:1:28: 1 s comes before 2 s, the step above it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    IntentScript script;
    read_script(cases[i].text, &script, &error);
    assert_string_equal(error.text, cases[i].message);
  }
  Error error = {0};
  IntentScript script;
  read_script("script: [{time: 1, sped: 2}]", &script, &error);
  assert_non_null(strstr(error.text, "did you mean 'speed'"));
}

static void test_an_intent_is_brought_into_its_ranges(void **state) {
  (void)state;
  Intent intent = {.speed = 99, .strafe = NAN, .heading = 725, .look_yaw = -100, .look_pitch = 10};
  intent_check(&intent);
  assert_near(intent.speed, 8, 0);
  assert_near(intent.strafe, 0, 0);
  assert_near(intent.heading, 5, 1e-9);
  assert_near(intent.look_yaw, -90, 0);
  assert_near(intent.look_pitch, 10, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_step_changes_only_what_it_names),
      cmocka_unit_test(test_bad_scripts_are_refused),
      cmocka_unit_test(test_an_intent_is_brought_into_its_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
