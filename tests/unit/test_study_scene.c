// The scene that a study names is looked for on the disk: what is said where there is none.
#include "tests/unit/study_fixture.h"

#include <sys/stat.h>

static char folder[] = "/tmp/stagger_test_XXXXXX";

static int set_up(void **state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  study_write_file(folder, "boxes.yaml", BOXES);
  study_write_file(folder, "fall.yaml", "characters: [{name: doll, body: boxes.yaml}]\n");
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  static const char *const names[] = {"boxes.yaml", "fall.yaml", "study.yaml", "other.yaml"};
  char path[256];
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

// Reads a study that names a scene. NULL and an error when it cannot be read.
static StudyDef *study_with(const char *scene, Error *error) {
  char text[256], path[256];
  snprintf(text, sizeof text, "scene: %s\n", scene);
  study_write_file(folder, "study.yaml", text);
  snprintf(path, sizeof path, "%s/study.yaml", folder);
  return study_read(path, error);
}

static void assert_refused(const char *scene, const char *message) {
  Error error = {0};
  assert_null(study_with(scene, &error));
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
}

static void scenes_of_a_study(void **state) {
  (void)state;
  char path[256];
  Error error = {0};
  StudyDef *study = study_with("fall", &error);
  assert_string_equal(error.text, "");
  study_free(study);
  snprintf(path, sizeof path, "%s/fall.yaml", folder);
  study = study_with(path, &error);
  assert_string_equal(error.text, "");
  assert_string_equal(study->scene_path, path);
  study_free(study);

  study_write_file(folder, "other.yaml", "scene: fall\nrepeats: 2\n");
  snprintf(path, sizeof path, "%s/other.yaml", folder);
  assert_refused(path, "study.yaml:1:8: is a study, not a scene");
  assert_refused("no_such_scene", "study.yaml:1:8: no_such_scene: there is no such file in ");
  snprintf(path, sizeof path, "%s/no_such_scene.yaml", folder);
  assert_refused(path, "no_such_scene.yaml: ");
  assert_refused("''", "study.yaml:1:8:");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_of_a_study)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
