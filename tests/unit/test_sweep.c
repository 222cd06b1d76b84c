// Sweeps that are refused: they say why by their result, and leave the process's files as they were, whichever of their
// own they had not opened yet.
#include "tests/unit/small_scene.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "scenes/sweep/method.h"
#include "scenes/sweep/sweep.h"

enum { FILES = 32 };

static void find_open(bool open[FILES]) {
  for (int i = 0; i < FILES; i++)
    open[i] = fcntl(i, F_GETFD) >= 0;
}

static void refused_sweeps_close_what_is_theirs(void **state) {
  (void)state;
  char folder[64], file[96];
  snprintf(folder, sizeof folder, "/tmp/stagger_test_XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/other.txt", folder);
  FILE *other = fopen(file, "wx");
  assert_non_null(other);
  fclose(other);
  const SweepOptions bad[] = {
      {.study = "there is none", .out = folder},
      {.study = "stand", .out = folder},     // a scene, no study
      {.study = "hit_stand", .out = file},   // no folder
      {.study = "hit_stand", .out = folder}, // with a file of something else
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    SweepOptions options = bad[i];
    bool before[FILES], after[FILES];
    options.method = &sweep_method;
    options.jobs = 1;
    options.limit = 1;
    options.quiet = true;
    options.command = "a test";
    find_open(before);
    assert_true(before[1] && before[2]);
    const SweepResult result = sweep_run(&options);
    find_open(after);
    assert_true(result == SWEEP_BAD_INPUT || result == SWEEP_FAILED);
    for (int k = 0; k < FILES; k++)
      if (before[k] != after[k])
        fail_msg("case %zu: file %d was %s", i, k, before[k] ? "closed" : "left open");
  }
  assert_int_equal(remove(file), 0);
  assert_int_equal(rmdir(folder), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused_sweeps_close_what_is_theirs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
