// What a study's columns are called and what is said of them, and what counts as a success, to the letter.
#include "tests/unit/study_fixture.h"

#include "scenes/report/study_results.h"

static TableColumn column_of(const char *name) {
  TableColumn column = {.unit = ""};
  snprintf(column.name, sizeof column.name, "%s", name);
  return column;
}

// Each metric, the first and the last included, says what it is, of any character; so do the columns of all studies.
static void columns_say_what_they_are(void **state) {
  (void)state;
  char name[128];
  for (int i = 0; i < metric_row_count; i++) {
    snprintf(name, sizeof name, "doll.%s", metric_rows[i].name);
    const TableColumn column = column_of(name);
    assert_string_equal(study_results_doc(&column), metric_rows[i].doc);
  }
  static const char *const others[][2] = {{"trial", "Its number in the study's plan."},
                                          {"cell", "Which combination of the crossed axes' values it has."},
                                          {"repeat", "Which one of its cell, from 0."},
                                          {"seed", "All random numbers of the trial come from it."},
                                          {"status", "How it ended."},
                                          {"ok", "It is complete and the scene's expectations held."},
                                          {"time", "Simulated time."},
                                          {"doll.recovery_strategy", "How the worst hit was taken."},
                                          {"recovery_strategy", ""},
                                          {"fell", ""},
                                          {"doll.mood", ""},
                                          {"mood", ""}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const TableColumn column = column_of(others[i][0]);
    assert_string_equal(study_results_doc(&column), others[i][1]);
  }
}

// Of a single character its name is left out, of several it stays.
static void names_leave_out_what_is_clear(void **state) {
  (void)state;
  static const char *const scenes[] = {"small", "two"};
  static const char *const names[][3] = {{"doll.fell", "fell", "doll.fell"},
                                         {"ok", "ok", "ok"},
                                         {"doll.", "doll.", "doll."},
                                         {"a.b.peak_pose_error", "peak_pose_error", "a.b.peak_pose_error"}};
  for (int s = 0; s < 2; s++) {
    char text[200];
    snprintf(text, sizeof text, "scene: %s.yaml\nrepeats: 2\n", scenes[s]);
    StudyDef *study = study_of(text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      const TableColumn column = column_of(names[i][0]);
      assert_string_equal(study_results_name(study, &column), names[i][1 + s]);
    }
    study_free(study);
  }
}

// As many expectations as have room in 42 letters, and that there are more.
static void success_has_room_in_a_title(void **state) {
  (void)state;
  static const struct {
    int count;
    const char *expects[4], *told;
  } cases[] = {
      {0, {NULL}, "he does not fall"},
      {1, {"doll.fell == 0"}, "doll.fell == 0"},
      {2, {"doll.fell == 0", "doll.hits < 5"}, "doll.fell == 0, doll.hits < 5"},
      {2, {"12345678901234567890", "12345678901234567890"}, "12345678901234567890, 12345678901234567890"},
      {2, {"12345678901234567890", "123456789012345678901"}, "12345678901234567890, ..."},
      {3, {"12345678901234567890", "123456789012345", "123"}, "12345678901234567890, 123456789012345, 123"},
      {3, {"12345678901234567890", "123456789012345", "1234"}, "12345678901234567890, 123456789012345, ..."},
      {3, {"12345678901234567890", "1234567890123456", "1"}, "12345678901234567890, ..."},
      {3, {"a", "b", "c"}, "a, b, c"},
      {1, {"12345678901234567890123456789012345678901234567890"}, "12345678901234567890123456789012345678901234567890"},
  };
  StudyDef *study = study_of("scene: small.yaml\nrepeats: 2\n");
  SceneDef *scene = study->scene;
  const int kept = scene->expect_count;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    scene->expect_count = cases[i].count;
    for (int k = 0; k < cases[i].count; k++)
      snprintf(scene->expects[k].text, sizeof scene->expects[k].text, "%s", cases[i].expects[k]);
    study_results_success(study, text, sizeof text);
    assert_string_equal(text, cases[i].told);
  }
  scene->expect_count = kept;
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_say_what_they_are),
      cmocka_unit_test(names_leave_out_what_is_clear),
      cmocka_unit_test(success_has_room_in_a_title),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
