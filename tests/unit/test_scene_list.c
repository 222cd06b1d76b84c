// The list of scenes: those of a folder in the order of their names, without other files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "scenes/description/scene_list.h"

static char folder[] = "/tmp/stagger_scene_list_XXXXXX";
static const char *const NAMES[] = {"b.yaml", "a.yaml", "body.yaml", "broken.yaml", "notes.txt"};
static const char *const TEXTS[] = {"purpose: The second one.\ncharacters: []\n", "characters: []\n", "parts: []\n",
                                    "purpose: [\n", "characters: []\n"};
enum { FILE_COUNT = sizeof NAMES / sizeof NAMES[0] };

static void path_of(int index, char path[128]) { snprintf(path, 128, "%s/%s", folder, NAMES[index]); }

static int make_folder(void **state) {
  (void)state;
  return !mkdtemp(folder) || setenv("STAGGER_SCENES", folder, 1) != 0;
}

static int remove_folder(void **state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++) {
    char path[128];
    path_of(i, path);
    unlink(path);
  }
  return rmdir(folder);
}

static void test_an_empty_folder_is_an_error(void **state) {
  (void)state;
  SceneList list;
  Error error = {0};
  assert_false(scene_list_read(&list, &error));
  assert_non_null(strstr(error.text, folder));
  assert_int_equal(list.count, 0);
  scene_list_free(&list);
}

static void test_scenes_are_listed_with_purpose_or_problem(void **state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++) {
    char path[128];
    path_of(i, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(TEXTS[i], file);
    assert_int_equal(fclose(file), 0);
  }
  SceneList list;
  Error error = {0};
  assert_true(scene_list_read(&list, &error));
  assert_int_equal(list.count, 3);
  assert_string_equal(list.entries[0].name, "a.yaml");
  assert_string_equal(list.entries[0].purpose, "");
  assert_null(list.entries[0].problem);
  assert_string_equal(list.entries[1].name, "b.yaml");
  assert_string_equal(list.entries[1].purpose, "The second one.");
  assert_string_equal(list.entries[2].name, "broken.yaml");
  assert_non_null(strstr(list.entries[2].problem, "broken.yaml:2")); // file and line
  scene_list_free(&list);
  assert_int_equal(list.count, 0);
}

static void test_studies_are_listed_below_scenes(void **state) {
  (void)state;
  SceneList list;
  Error error = {0};
  assert_true(study_list_read(&list, &error)); // there is no folder of them
  assert_int_equal(list.count, 0);
  scene_list_free(&list);

  char studies[64], path[96];
  snprintf(studies, sizeof studies, "%s/studies", folder);
  snprintf(path, sizeof path, "%s/s.yaml", studies);
  assert_int_equal(mkdir(studies, 0700), 0);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("purpose: How much?\naxes: {}\n", file);
  assert_int_equal(fclose(file), 0);
  assert_true(study_list_read(&list, &error));
  assert_int_equal(list.count, 1);
  assert_string_equal(list.entries[0].name, "studies/s.yaml");
  assert_string_equal(list.entries[0].purpose, "How much?");
  scene_list_free(&list);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(studies), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_empty_folder_is_an_error),
      cmocka_unit_test(test_scenes_are_listed_with_purpose_or_problem),
      cmocka_unit_test(test_studies_are_listed_below_scenes),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
