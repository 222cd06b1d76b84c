// Every error and warning in the source has a row among the explanations: the source is searched for calls that make
// one.
#define _GNU_SOURCE // FTW_PHYS
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ctype.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes/output/explanations.h"
#include "sim/base/files.h"

enum { MOST_ROWS = 128 };

static int found, unexplained;
static bool in_source[MOST_ROWS][EXPLANATION_WORDS]; // words of rows that stand in a literal of the source

static void mark_words(const char *literal) {
  for (int i = 0; i < explanation_row_count; i++)
    for (int k = 0; k < EXPLANATION_WORDS && explanation_rows[i].words[k]; k++)
      in_source[i][k] = in_source[i][k] || strstr(literal, explanation_rows[i].words[k]);
}

// Whether the text says something: two words of letters beside its conversions.
static bool says_something(const char *text) {
  int words = 0;
  for (const char *at = text; *at != '\0';) {
    const char *begin = at;
    while (isalpha((unsigned char)*at) || *at == '-')
      at++;
    words += at - begin >= 2 && (begin == text || begin[-1] != '%');
    at += at == begin;
  }
  return words >= 2;
}

// Reads the literal at `at`, which is a quotation mark, and those that follow it, into `text`. Returns its end.
static const char *read_literal(const char *at, char *text, size_t size) {
  size_t used = 0;
  while (*at == '"') {
    for (at++; *at != '"' && *at != '\0'; at++) {
      at += *at == '\\' && at[1] != '\0';
      if (used + 1 < size)
        text[used++] = *at;
    }
    at += *at == '"';
    at += strspn(at, " \n");
  }
  text[used] = '\0';
  return at;
}

// The call's arguments begin at `at`, behind its bracket. Copies what it says, if it says anything; false: it has no
// row.
static bool is_explained(const char *at, char *said, size_t size) {
  char text[1024];
  bool explained = false;
  said[0] = '\0';
  for (int depth = 1; depth > 0 && *at != '\0';) {
    if (*at == '"') {
      at = read_literal(at, text, sizeof text);
      if (says_something(text))
        snprintf(said, size, "%s", text);
      explained = explained || explanation_of(text);
      continue;
    }
    depth += (*at == '(') - (*at == ')');
    at++;
  }
  return explained || said[0] == '\0';
}

// Whether a function of that name makes messages for users of the programs. Those of the library go to its callers, and
// those of saved states are part of another message.
static bool makes_messages(const char *name) {
  static const char *const parts[] = {"error", "fail", "warn", "complain", "refuse", "explained_printf"};
  static const char *const others[] = {"library_error", "library_fail", "state_fail", "strerror", "png_error"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strcmp(name, others[i]) == 0)
      return false;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(name, parts[i]))
      return true;
  return false;
}

// Looks at the call whose bracket is at `at`.
static void look_at_call(const char *path, const char *text, const char *at) {
  char name[64], said[1024];
  const char *begin = at;
  while (begin > text && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
    begin--;
  snprintf(name, sizeof name, "%.*s", (int)(at - begin), begin);
  if (!makes_messages(name))
    return;
  found++;
  if (is_explained(at + 1, said, sizeof said))
    return;
  unexplained++;
  print_error("%s: no row of explanation_rows.c has words of: %s\n", path, said);
}

// The end of a character, such as '"', that begins at `at`.
static const char *skip_character(const char *at) {
  for (at++; *at != '\'' && *at != '\n' && *at != '\0'; at++)
    at += *at == '\\' && at[1] != '\0';
  return at + (*at == '\'');
}

static int look_at_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)place;
  const size_t length = strlen(path);
  if (kind != FTW_F || length < 2 || strcmp(path + length - 2, ".c") != 0 || strstr(path, "explanation_rows.c"))
    return 0;
  FileSet files = {0};
  const File *file = files_read(&files, path, NULL);
  assert_non_null(file);
  char literal[4096];
  for (const char *at = file->bytes; *at != '\0';) {
    if (*at == '\'')
      at = skip_character(at);
    else if (at[0] == '/' && at[1] == '/')
      at += strcspn(at, "\n");
    else if (*at == '"') {
      at = read_literal(at, literal, sizeof literal);
      mark_words(literal);
    } else {
      if (*at == '(')
        look_at_call(path, file->bytes, at);
      at++;
    }
  }
  files_free(&files);
  return 0;
}

static void test_each_message_has_a_row(void **state) {
  (void)state;
  static const char *const folders[] = {"sim", "anim", "ragdoll", "scenes", "viewer"};
  const char *source = getenv("SOURCE");
  assert_non_null(source);
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", source, folders[i]);
    assert_int_equal(nftw(path, look_at_file, 16, FTW_PHYS), 0);
  }
  assert_true(found > 1000);
  assert_int_equal(unexplained, 0);
}

// After the search. Of the system are the words of one.
static void test_words_of_rows_stand_in_the_source(void **state) {
  (void)state;
  int unused = 0;
  assert_true(explanation_row_count <= MOST_ROWS);
  for (int i = 0; i < explanation_row_count; i++)
    for (int k = 0; k < EXPLANATION_WORDS && explanation_rows[i].words[k]; k++)
      if (!in_source[i][k] && strcmp(explanation_rows[i].words[k], "No such file or directory") != 0) {
        print_error("%s: no message has the words '%s'\n", explanation_rows[i].code, explanation_rows[i].words[k]);
        unused++;
      }
  assert_int_equal(unused, 0);
}

static void test_search_sees_what_has_no_row(void **state) {
  (void)state;
  char said[1024];
  assert_false(is_explained("error, \"the moon is \" \"full\", 1)", said, sizeof said));
  assert_string_equal(said, "the moon is full");
  assert_true(is_explained("error, \"%s: %s\", path, cause)", said, sizeof said));
  assert_true(is_explained("error, f(1), \"unknown key '%s'\")", said, sizeof said));
}

static void check_code(const char *message, const char *code) {
  const Explanation *row = explanation_of(message);
  assert_non_null(row);
  assert_string_equal(row->code, code);
}

// Rows of special words come first.
static void test_codes_of_messages(void **state) {
  (void)state;
  check_code("a.yaml:1:1: unknown key 'seeed', allowed are seed, duration", "key_unknown");
  check_code("nod.yaml:7:3: 'human' has no joint 'trunk', allowed are pelvis, chest", "name_unknown");
  check_code("a.h5: cannot be read: No such file or directory", "file_missing");
  check_code("a.h5: cannot be read: Permission denied", "file_unreadable");
  check_code("no/m.json: cannot be written: No such file or directory", "unwritable");
  check_code("stagger run: there is no option '--sed', did you mean '--seed'?", "option_unknown");
  check_code("stagger run: the scene is missing", "argument_missing");
  check_code("a.yaml: is a study, not a scene: 'stagger sweep a.yaml' runs its trials", "file_kind");
  check_code("swing.yaml:8:10: 2 keys, but 'trunk' in line 7 has 4; a list has as many keys or just one", "value");
  check_code("a.yaml: warning: post starts 0.02 m inside of the ground", "starts_inside");
  check_code(
      "a.yaml: warning: post starts 0.02 m inside of b: they are driven apart, which 'world.solver: reduced' does far "
      "faster",
      "starts_inside");
  check_code("a.yaml: the step at 1 s took 2 s: for heaps of bodies 'world.solver: reduced' and 'iterative' are faster",
             "long_step");
  check_code("world.solver: reduced: the reduced solver does not support loops of joints", "reduced_solver");
  assert_null(explanation_of("all is well"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_search_sees_what_has_no_row),
      cmocka_unit_test(test_each_message_has_a_row),
      cmocka_unit_test(test_words_of_rows_stand_in_the_source),
      cmocka_unit_test(test_codes_of_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
