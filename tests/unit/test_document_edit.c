// Assignments made in the text of a document: what stays, where they are inserted, and what document_set makes of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/base/document.h"

// One assignment. document_edit itself checks that its result agrees with document_set.
static void assert_edit(const char *text, const char *assignment, const char *wanted) {
  Error error = {0};
  char *edited = document_edit("text", text, &assignment, 1, &error);
  if (!edited)
    fail_msg("%s", error.text);
  assert_string_equal(edited, wanted);
  free(edited);
}

static void test_values_give_way(void **state) {
  (void)state;
  assert_edit("# head\na: 1   # one\nb: 2\n", "a=1.5", "# head\na: 1.5   # one\nb: 2\n");
  assert_edit("world: {dt: 1/240, gravity: [0, -9.81, 0]}  # Earth\n", "world.gravity=[0, -1.62, 0]",
              "world: {dt: 1/240, gravity: [0, -1.62, 0]}  # Earth\n");
  assert_edit("a: 'it''s \"so\"' # no\n", "a=\"yes\"", "a: \"yes\" # no\n");
  assert_edit("purpose: Grüße, überall. # ü\nx: 1 # y\n", "purpose=kurz", "purpose: kurz # ü\nx: 1 # y\n");
  assert_edit("list:\n- {name: p, v: 1}\n- {name: q, v: 2} # the second\n", "list.q.v=7",
              "list:\n- {name: p, v: 1}\n- {name: q, v: 7} # the second\n");
  assert_edit("seed: 1 # of all\n", "--seed 7", "seed: 7 # of all\n");
}

static void test_new_keys_find_a_place(void **state) {
  (void)state;
  assert_edit("a: {b: 1} # c\n", "a.d=2", "a: {b: 1, d: 2} # c\n");
  assert_edit("a: {} # c\n", "a.d=2", "a: {d: 2} # c\n");
  assert_edit("a:\n  b: 1 # deep\n# tail\n", "a.d=2", "a:\n  b: 1 # deep\n  d: 2\n# tail\n");
  assert_edit("a: 1 # c\n", "world.gravity=[0, -1, 0]", "a: 1 # c\nworld: {gravity: [0, -1, 0]}\n");
  assert_edit("a: 1", "b.c.d=x", "a: 1\nb: {c: {d: x}}");
  assert_edit("world:  # empty\na: 1\n", "world.dt=2", "world: {dt: 2}  # empty\na: 1\n");
  assert_edit("c:\n  - name: one # first\n    body: b\n  - name: two\n", "c.one.drive.strength=0.3",
              "c:\n  - name: one # first\n    body: b\n    drive: {strength: 0.3}\n  - name: two\n");
  assert_edit("a: 1\r\nb: 2\r\n", "a=3", "a: 3\r\nb: 2\r\n");
}

static void test_items_are_appended(void **state) {
  (void)state;
  assert_edit("e:\n  # the first\n  - {t: 1} # one\nf: 1\n", "e.+={t: 2}",
              "e:\n  # the first\n  - {t: 1} # one\n  - {t: 2}\nf: 1\n");
  assert_edit("e:\n- t: 1\n  u: 2\n", "e.+={t: 2}", "e:\n- t: 1\n  u: 2\n- {t: 2}\n");
  assert_edit("e: [1, 2] # c\n", "e.+=3", "e: [1, 2, 3] # c\n");
  assert_edit("e: []\n", "e.+=3", "e: [3]\n");
  assert_edit("e:\n", "e.+=3", "e: [3]\n");
  assert_edit("a: 1\n", "e.+={t: 2}", "a: 1\ne:\n  - {t: 2}\n");
  assert_edit("a: {b: 1}\n", "a.e.+=2", "a: {b: 1, e: [2]}\n");
  assert_edit("a: {+: 1}\n", "a.+=2", "a: {+: 2}\n"); // in a map it is a key
}

// Of a list that keeps its length only the numbers that differ are replaced, so that its comments and columns stay.
static void test_lists_keep_their_layout(void **state) {
  (void)state;
  assert_edit("c: [[0,   0],   # begin\n    [0.50, 1/2], # middle\n    [2,   1]]\n", "c=[[0, 0], [0.5, 0.75], [3, 1]]",
              "c: [[0,   0],   # begin\n    [0.50, 0.75], # middle\n    [3,   1]]\n");
  assert_edit("c: # curve\n  - [0, 0] # begin\n  - [1, 1]\nd: 2\n", "c=[[0, 0.5], [1, 1]]",
              "c: # curve\n  - [0, 0.5] # begin\n  - [1, 1]\nd: 2\n");
  assert_edit("c: {dv: [[0,  1]],  by: [1,  2]} # two\n", "c={dv: [[0, 1]], by: [1, 3]}",
              "c: {dv: [[0,  1]],  by: [1,  3]} # two\n");
}

// A list in block style gives way to one in flow style; what surrounds it stays.
static void test_block_lists_give_way(void **state) {
  (void)state;
  assert_edit("a: # kept\n- 1\n- 2 # gone\n- 3 # kept, too\nb: 1 # one\n", "a=[3, 4]",
              "a: # kept\n  [3, 4] # kept, too\nb: 1 # one\n");
  assert_edit("m:\n  a:\n    - [1, 2]\n    - [3, 4]\n  b: 1\n", "m.a=[[1, 2]]", "m:\n  a:\n    [[1, 2]]\n  b: 1\n");
}

// Where the text cannot be edited, it is written anew, without comments, with the same contents.
static void test_the_rest_is_written_anew(void **state) {
  (void)state;
  assert_edit("a: |\n  text\nb: 1\n", "a=x", "a: x\nb: 1\n");
  assert_edit("a: {b: 1} # lost\n", "a.c=two, three", "a:\n  b: 1\n  c: two, three\n");
}

static void test_one_after_the_other(void **state) {
  (void)state;
  static const char *const assignments[] = {"a.b=2", "a.c=3", "e.+=1", "e.+={x: [1, 2]}", "a.c=4"};
  char *edited = document_edit("text", "# one\na: {b: 1} # two\n", assignments, 5, NULL);
  assert_string_equal(edited, "# one\na: {b: 2, c: 4} # two\ne:\n  - 1\n  - {x: [1, 2]}\n");
  free(edited);
  edited = document_edit("text", "a:   1 # as it was\n", NULL, 0, NULL);
  assert_string_equal(edited, "a:   1 # as it was\n");
  free(edited);
}

// A byte order mark takes no column of the first line.
static void test_byte_order_mark(void **state) {
  (void)state;
  const char *assignment = "a=2";
  char *edited = document_edit("text",
                               "\xef\xbb\xbf"
                               "a: 1 # as it was\nb: 3\n",
                               &assignment, 1, NULL);
  assert_string_equal(edited, "a: 2 # as it was\nb: 3\n");
  free(edited);
}

static void test_errors(void **state) {
  (void)state;
  Error error = {0};
  const char *assignment = "a.b=1";
  assert_null(document_edit("text", "a: 1\n", &assignment, 1, &error));
  assert_string_equal(error.text, "--set a.b=1: 'a' is a plain value and has no keys");
  error = (Error){0};
  assert_null(document_edit("text", "a: [\n", NULL, 0, &error));
  assert_memory_equal(error.text, "text:", 5);
}

static void test_paths(void **state) {
  (void)state;
  Document document;
  assert_true(document_parse(&document, "text", "a:\n  - {name: x, v: [1, 2]}\n", NULL));
  assert_string_equal(node_path(document.root, "a.x.v.1")->text, "2");
  assert_ptr_equal(node_path(document.root, "a.0.v"), node_path(document.root, "a.x.v"));
  assert_null(node_path(document.root, "a.y.v"));
  assert_null(node_path(document.root, "a.x.v.2"));
  assert_null(node_path(document.root, "a.x.v.1.z"));
  document_free(&document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_give_way),
      cmocka_unit_test(test_new_keys_find_a_place),
      cmocka_unit_test(test_items_are_appended),
      cmocka_unit_test(test_lists_keep_their_layout),
      cmocka_unit_test(test_block_lists_give_way),
      cmocka_unit_test(test_the_rest_is_written_anew),
      cmocka_unit_test(test_one_after_the_other),
      cmocka_unit_test(test_byte_order_mark),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
