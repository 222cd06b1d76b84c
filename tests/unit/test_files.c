// Files: the order of folders, reading once, sealed sets, and errors that name the file and the cause.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/base/files.h"

// A folder `own` beside a folder `scenes`; $STAGGER_SCENES names the second one.
typedef struct Folders {
  char root[256], own[300], scenes[300];
} Folders;

static void write_file(const char *folder, const char *name, const char *text) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
  fclose(stream);
}

static int make_folders(void **state) {
  static Folders folders;
  const char *temporary = getenv("TMPDIR");
  snprintf(folders.root, sizeof folders.root, "%s/stagger_files_XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folders.root))
    return -1;
  snprintf(folders.own, sizeof folders.own, "%s/own", folders.root);
  snprintf(folders.scenes, sizeof folders.scenes, "%s/scenes", folders.root);
  if (mkdir(folders.own, 0700) != 0 || mkdir(folders.scenes, 0700) != 0)
    return -1;
  setenv("STAGGER_SCENES", folders.scenes, 1);
  *state = &folders;
  return 0;
}

static int remove_folders(void **state) {
  const Folders *folders = *state;
  char command[400];
  snprintf(command, sizeof command, "rm -r '%s'", folders->root);
  return system(command);
}

static FileSet set_in(const char *folder) {
  FileSet set = {0};
  snprintf(set.folder, sizeof set.folder, "%s", folder);
  return set;
}

static void test_own_folder_comes_first(void **state) {
  const Folders *folders = *state;
  write_file(folders->own, "both.txt", "own");
  write_file(folders->scenes, "both.txt", "installed");
  write_file(folders->scenes, "only.txt", "installed");
  FileSet set = set_in(folders->own);
  Error error = {0};

  const File *both = files_read(&set, "both.txt", &error);
  assert_non_null(both);
  assert_string_equal(both->bytes, "own");
  assert_int_equal(both->size, 3);
  char path[600];
  snprintf(path, sizeof path, "%s/both.txt", folders->own);
  assert_string_equal(both->path, path);
  assert_string_equal(both->name, "both.txt");

  const File *only = files_read(&set, "only.txt", &error);
  assert_non_null(only);
  assert_string_equal(only->bytes, "installed");
  assert_string_equal(error.text, "");
  files_free(&set);
}

static void test_file_is_read_once_and_stays_put(void **state) {
  const Folders *folders = *state;
  write_file(folders->own, "once.txt", "before");
  FileSet set = set_in(folders->own);
  const File *first = files_read(&set, "once.txt", NULL);
  write_file(folders->own, "once.txt", "after");
  for (int i = 0; i < 500; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", i);
    assert_non_null(files_put(&set, name, "x", 1));
  }
  assert_ptr_equal(files_read(&set, "once.txt", NULL), first);
  assert_string_equal(first->bytes, "before");
  files_free(&set);
}

static void test_absolute_and_climbing_names(void **state) {
  const Folders *folders = *state;
  write_file(folders->root, "above.txt", "above");
  FileSet set = set_in(folders->own);
  char path[600];
  snprintf(path, sizeof path, "%s/above.txt", folders->root);
  const File *absolute = files_read(&set, path, NULL);
  const File *climbing = files_read(&set, "../above.txt", NULL);
  assert_non_null(absolute);
  assert_non_null(climbing);
  assert_string_equal(absolute->bytes, climbing->bytes);
  files_free(&set);
}

// Zero bytes inside a file are kept; a large one crosses the buffer's growth; an empty one is a file too.
static void test_bytes_are_kept_exactly(void **state) {
  const Folders *folders = *state;
  enum { SIZE = 200001 };
  static char bytes[SIZE];
  for (int i = 0; i < SIZE; i++)
    bytes[i] = (char)(i * 7);
  char path[600];
  snprintf(path, sizeof path, "%s/large.bin", folders->own);
  FILE *stream = fopen(path, "wb");
  assert_int_equal(fwrite(bytes, 1, SIZE, stream), SIZE);
  fclose(stream);
  write_file(folders->own, "empty.txt", "");

  FileSet set = set_in(folders->own);
  const File *large = files_read(&set, "large.bin", NULL), *empty = files_read(&set, "empty.txt", NULL);
  assert_int_equal(large->size, SIZE);
  assert_memory_equal(large->bytes, bytes, SIZE);
  assert_int_equal(large->bytes[SIZE], 0);
  assert_int_equal(empty->size, 0);
  assert_string_equal(empty->bytes, "");
  files_free(&set);
}

static void test_errors_name_file_and_cause(void **state) {
  const Folders *folders = *state;
  FileSet set = set_in(folders->own);
  Error error = {0};
  char expected[ERROR_TEXT_SIZE];

  assert_null(files_read(&set, "gone.yaml", &error));
  snprintf(expected, sizeof expected, "gone.yaml: there is no such file in %s or %s", folders->own, folders->scenes);
  assert_string_equal(error.text, expected);

  error = (Error){0};
  assert_null(files_read(&set, "", &error));
  assert_non_null(strstr(error.text, "there is no such file"));

  error = (Error){0};
  assert_null(files_read(&set, ".", &error));
  snprintf(expected, sizeof expected, "%s/.: cannot be read: Is a directory", folders->own);
  assert_string_equal(error.text, expected);
  assert_int_equal(set.count, 0);
  files_free(&set);
}

static void test_sealed_set_never_reads_the_disk(void **state) {
  const Folders *folders = *state;
  write_file(folders->own, "disk.txt", "disk");
  FileSet set = set_in(folders->own);
  assert_non_null(files_put(&set, "kept.txt", "kept", 4));
  set.sealed = true;
  Error error = {0};
  assert_string_equal(files_read(&set, "kept.txt", &error)->bytes, "kept");
  assert_null(files_read(&set, "disk.txt", &error));
  assert_string_equal(error.text, "disk.txt: is not among the files in the trace");
  files_free(&set);
}

static void test_put_keeps_the_first_bytes(void **state) {
  (void)state;
  FileSet set = {0};
  const File *first = files_put(&set, "a", "one", 3);
  assert_ptr_equal(files_put(&set, "a", "two", 3), first);
  assert_string_equal(first->bytes, "one");
  assert_int_equal(set.count, 1);
  files_free(&set);
  files_free(&set); // freeing twice is harmless
}

static void test_full_set_refuses(void **state) {
  const Folders *folders = *state;
  write_file(folders->own, "more.txt", "more");
  FileSet set = set_in(folders->own);
  for (int i = 0; i < FILES_MAX; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", i);
    assert_non_null(files_put(&set, name, "x", 1));
  }
  assert_null(files_put(&set, "more", "x", 1));
  Error error = {0};
  assert_null(files_read(&set, "more.txt", &error));
  assert_string_equal(error.text, "more.txt: too many files, at most 1024");
  files_free(&set);
}

static void fill_pipe(const char *path, const char *text) {
  if (fork() != 0)
    return;
  FILE *pipe = fopen(path, "w");
  fputs(text, pipe);
  fclose(pipe);
  _exit(0);
}

// A library reads a pipe anew each time; a program that reads its arguments twice asks for them to be kept.
static void test_pipes(void **state) {
  const Folders *folders = *state;
  char path[320];
  snprintf(path, sizeof path, "%s/pipe", folders->own);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_true(files_is_stream(path));
  assert_true(files_is_stream("/dev/null"));
  assert_false(files_is_stream(folders->own));
  assert_false(files_is_stream("/nowhere"));
  static const char *const wanted[] = {"first", "second", "third", "third", "third"};
  for (int i = 0; i < 5; i++) {
    if (i == 2)
      files_keep_streams();
    if (i < 3)
      fill_pipe(path, wanted[i]);
    FileSet set = set_in(folders->own);
    const File *file = files_read(&set, "pipe", NULL);
    assert_non_null(file);
    assert_string_equal(file->bytes, wanted[i]);
    files_free(&set);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_folder_comes_first),
      cmocka_unit_test(test_file_is_read_once_and_stays_put),
      cmocka_unit_test(test_absolute_and_climbing_names),
      cmocka_unit_test(test_bytes_are_kept_exactly),
      cmocka_unit_test(test_errors_name_file_and_cause),
      cmocka_unit_test(test_sealed_set_never_reads_the_disk),
      cmocka_unit_test(test_put_keeps_the_first_bytes),
      cmocka_unit_test(test_full_set_refuses),
      cmocka_unit_test(test_pipes),
  };
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
