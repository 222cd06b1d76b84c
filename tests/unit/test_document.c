// Documents: what is read and its place, what is refused and with which words, overrides, writing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/document_trees.h"

static const char SCENE[] = "# a comment\n"
                            "seed: 7\n"
                            "world: {dt: 1/240, gravity: [0, -9.81, 0]}\n"
                            "characters:\n"
                            "  - name: runner\n"
                            "    drive:\n"
                            "      strength: 1.5\n"
                            "  - name: walker\n"
                            "    drive: {}\n"
                            "purpose: \"7\"\n";

static Document parse(const char *text) {
  Document document;
  Error error = {0};
  if (!document_parse(&document, "scene.yaml", text, &error))
    fail_msg("%s", error.text);
  return document;
}

static void assert_refused(const char *text, const char *message) {
  Document document;
  Error error = {0};
  assert_false(document_parse(&document, "scene.yaml", text, &error));
  assert_string_equal(error.text, message);
  assert_null(document.root);
  assert_null(document.memory);
}

static void assert_round_trip(const Document *document) {
  char *text = document_write(document);
  assert_non_null(text);
  Document again = parse(text);
  if (!trees_are_equal(document->root, again.root))
    fail_msg("not the same tree:\n%s", text);
  free(text);
  document_free(&again);
}

static void test_files_are_text(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t size;
    const char *message; // NULL: it is text
  } cases[] = {
      {"a: 1\n", 5, NULL},
      {"\xef\xbb\xbf"
       "a: 1\n",
       8, NULL},
      {"a: 1\n\0b: 2\n", 11, "scene.yaml:2:1: a zero byte: allowed is text in UTF-8"},
      {"a: \xc3\xa4\0", 6, "scene.yaml:1:5: a zero byte: allowed is text in UTF-8"}, // columns count characters
      {"\xff\xfe"
       "a\0",
       4, "scene.yaml:1:1: the text is in UTF-16 or UTF-32, allowed is UTF-8"},
      {"\xfe\xff\0a", 4, "scene.yaml:1:1: the text is in UTF-16 or UTF-32, allowed is UTF-8"},
      {"\xff\xfe", 2, "scene.yaml:1:1: the text is in UTF-16 or UTF-32, allowed is UTF-8"}, // nothing but a mark
      {"\xfe\xff", 2, "scene.yaml:1:1: the text is in UTF-16 or UTF-32, allowed is UTF-8"},
      {"a\0:\0", 4, "scene.yaml:1:2: a zero byte: allowed is text in UTF-8"}, // UTF-16 without a mark
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    Document document;
    char bytes[16] = "";
    memcpy(bytes, cases[i].bytes, cases[i].size);
    const File file = {.name = "scene.yaml", .path = "scene.yaml", .bytes = bytes, .size = cases[i].size};
    assert_int_equal(document_read(&document, "scene.yaml", &file, &error), !cases[i].message);
    assert_string_equal(error.text, cases[i].message ? cases[i].message : "");
    if (!cases[i].message) {
      assert_string_equal(node_find(document.root, "a")->text, "1");
      assert_int_equal(node_find(document.root, "a")->key_column, 1);
    }
    document_free(&document);
  }
}

static void test_nodes_know_their_place(void **state) {
  (void)state;
  Document document = parse(SCENE);
  const Node *dt = node_find(node_find(document.root, "world"), "dt");
  assert_string_equal(dt->file, "scene.yaml");
  assert_string_equal(dt->text, "1/240");
  assert_int_equal(dt->line, 3);
  assert_int_equal(dt->column, 13);
  assert_int_equal(dt->key_line, 3);
  assert_int_equal(dt->key_column, 9);

  const Node *walker = node_at(node_find(document.root, "characters"), 1);
  assert_int_equal(walker->line, 8);
  assert_int_equal(walker->column, 5);
  assert_null(walker->key);
  assert_false(walker->flow);
  assert_true(node_find(walker, "drive")->flow);
  assert_int_equal(document.root->count, 4);
  assert_true(node_find(document.root, "purpose")->quoted);
  assert_false(node_find(document.root, "seed")->quoted);
  document_free(&document);
}

static void test_finding_what_is_not_there(void **state) {
  (void)state;
  Document document = parse(SCENE);
  const Node *list = node_find(document.root, "characters");
  assert_null(node_find(document.root, "wind"));
  assert_null(node_find(NULL, "wind"));
  assert_null(node_find(list, "wind"));
  assert_null(node_at(list, 2));
  assert_null(node_at(list, -1));
  assert_null(node_at(document.root, 0));
  assert_null(node_at(NULL, 0));
  document_free(&document);
}

static void test_bad_text_is_refused_with_its_place(void **state) {
  (void)state;
  assert_refused("", "scene.yaml:1:1: the file is empty, expected keys and values (key: value)");
  assert_refused("# nothing\n", "scene.yaml:1:1: the file is empty, expected keys and values (key: value)");
  assert_refused("\n- a\n- b\n", "scene.yaml:2:1: expected keys and values (key: value)");
  assert_refused("just text", "scene.yaml:1:1: expected keys and values (key: value)");
  assert_refused("a: 1\nb: 2\na: 3\n", "scene.yaml:3:1: key 'a' appears twice, first in line 1");
  assert_refused("a: &x 1\n", "scene.yaml:1:4: anchors (&), aliases (*) and tags (!) are not allowed");
  assert_refused("a: *x\n", "scene.yaml:1:4: anchors (&), aliases (*) and tags (!) are not allowed");
  assert_refused("a:\n  - !!int 1\n", "scene.yaml:2:5: anchors (&), aliases (*) and tags (!) are not allowed");
  assert_refused("a: 1\n---\nb: 2\n", "scene.yaml:2:1: only one document is allowed in a file");
  assert_refused("{[a]: 1}", "scene.yaml:1:2: a key must be a word, not a list or a map");
  assert_refused("a: 1\n\"\": 2\n", "scene.yaml:2:1: a key must have 1 to 120 characters and no control characters");
  assert_refused("a: \"\\0\"\n", "scene.yaml:1:4: text must not hold a zero byte");
}

static void test_broken_yaml_is_refused_with_its_place(void **state) {
  (void)state;
  assert_refused("a: [1, 2\nb: 3\n",
                 "scene.yaml:2:2: not valid YAML: did not find expected ',' or ']' while parsing a flow sequence");
  assert_refused("a: 1\nb: \x01\n", "scene.yaml:2:4: not valid YAML: control characters are not allowed");
  assert_refused("a: 1\nb: [2",
                 "scene.yaml:2:6: not valid YAML: did not find expected ',' or ']' while parsing a flow sequence");
  assert_refused("\xc3\xa4: \xff\n", "scene.yaml:1:4: not valid YAML: invalid leading UTF-8 octet");
  assert_refused("a: 1\nb: c\xff\n", "scene.yaml:2:5: not valid YAML: invalid leading UTF-8 octet");
  assert_refused("\xc3\xa4:\n\tb: 1\n", "scene.yaml:2:1: a tab cannot indent, use spaces");
  assert_refused("a: @b\n",
                 "scene.yaml:1:4: not valid YAML: found character that cannot start any token while scanning "
                 "for the next token");
  assert_refused("a: b: c\n", "scene.yaml:1:5: not valid YAML: mapping values are not allowed in this context, quote a "
                              "text that contains ': '");
}

static void test_nesting_is_limited(void **state) {
  (void)state;
  char text[128] = "a: ";
  memset(text + 3, '[', 31);
  memset(text + 34, ']', 31);
  Document document = parse(text); // with the map itself 32 levels
  assert_round_trip(&document);
  document_free(&document);
  char deeper[160];
  snprintf(deeper, sizeof deeper, "a: [%s]", text + 3);
  assert_refused(deeper, "scene.yaml:1:35: nested too deeply, at most 32 levels are allowed");
}

static void test_size_is_limited(void **state) {
  (void)state;
  size_t size = (16 << 20) + 1;
  char *text = malloc(size + 1);
  memset(text, ' ', size);
  memcpy(text, "a: 1", 4);
  text[size] = '\0';
  assert_refused(text, "scene.yaml:1:1: too large, at most 16 MiB are allowed");
  free(text);
}

// A map with very many keys is read quickly.
static void test_many_keys_are_read_quickly(void **state) {
  (void)state;
  enum { KEYS = 200000 };
  char *text = malloc(KEYS * 12), *end = text;
  for (int i = 0; i < KEYS; i++)
    end += sprintf(end, "k%d: %d\n", i, i % 10);
  Document document = parse(text);
  assert_int_equal(document.root->count, KEYS);
  document_free(&document);
  sprintf(end, "k5: 0\n");
  assert_refused(text, "scene.yaml:200001:1: key 'k5' appears twice, first in line 6");
  free(text);
}

static void assert_real(const char *text, double expected) {
  char yaml[128];
  snprintf(yaml, sizeof yaml, "a: %s\n", text);
  Document document = parse(yaml);
  double value = -777;
  Error error = {0};
  assert_true(node_real(node_find(document.root, "a"), &value, &error));
  assert_true(value == expected);
  document_free(&document);
}

static void assert_no_real(const char *text, const char *message) {
  char yaml[128];
  snprintf(yaml, sizeof yaml, "a: %s\n", text);
  Document document = parse(yaml);
  double value = -777;
  Error error = {0};
  assert_false(node_real(node_find(document.root, "a"), &value, &error));
  assert_string_equal(error.text, message);
  assert_true(value == -777);
  document_free(&document);
}

static void test_numbers(void **state) {
  (void)state;
  assert_real("1", 1);
  assert_real("-9.81", -9.81);
  assert_real("+.5", 0.5);
  assert_real("5.", 5);
  assert_real("1e-5", 1e-5);
  assert_real("2.5E+3", 2500);
  assert_real("1/240", 1.0 / 240);
  assert_real("-1.5/0.5", -3);
  assert_real("1e-400", 0);
  assert_no_real("fast", "scene.yaml:1:4: expected a number, got fast");
  assert_no_real("\"1\"", "scene.yaml:1:4: expected a number, got \"1\"");
  assert_no_real("", "scene.yaml:1:3: expected a number, got \"\"");
  assert_no_real("[1]", "scene.yaml:1:4: expected a number, got a list");
  assert_no_real("{b: 1}", "scene.yaml:1:4: expected a number, got a map");
  static const char *const NOT_NUMBERS[] = {"nan",   ".nan", "inf",  "-.inf", "infinity", "0x10", "1 m",
                                            "1e",    "1e+",  ".",    "1,5",   "1_0",      "1/",   "/2",
                                            "1/2/3", "1/x",  "1 /2", "--1",   "e5"};
  for (size_t i = 0; i < sizeof NOT_NUMBERS / sizeof NOT_NUMBERS[0]; i++) {
    char message[128];
    snprintf(message, sizeof message, "scene.yaml:1:4: expected a number, got %s", NOT_NUMBERS[i]);
    assert_no_real(NOT_NUMBERS[i], message);
  }
  assert_no_real("1e999", "scene.yaml:1:4: expected a finite number, got 1e999");
  assert_no_real("1/0", "scene.yaml:1:4: expected a finite number, got 1/0");
  assert_no_real("0/0", "scene.yaml:1:4: expected a finite number, got 0/0");
}

static void test_other_values(void **state) {
  (void)state;
  Document document = parse("n: -12\nbig: 3000000000\nhuge: 99999999999999999999\npart: 1.5\nyes: true\nno: false\n"
                            "maybe: yes\nword: some words\nempty: ''\nv: [1, 1/2, -3]\nw: [1, x, 3]\n");
  const Node *root = document.root;
  Error error = {0};
  int n = 0;
  assert_true(node_int(node_find(root, "n"), &n, &error));
  assert_int_equal(n, -12);
  assert_false(node_int(node_find(root, "big"), &n, &error));
  assert_string_equal(error.text,
                      "scene.yaml:2:6: expected a whole number from -2147483648 to 2147483647, got 3000000000");
  assert_false(node_int(node_find(root, "huge"), &n, NULL));
  error = (Error){0};
  assert_false(node_int(node_find(root, "part"), &n, &error));
  assert_string_equal(error.text, "scene.yaml:4:7: expected a whole number, got 1.5");

  bool flag = false;
  assert_true(node_bool(node_find(root, "yes"), &flag, NULL) && flag);
  assert_true(node_bool(node_find(root, "no"), &flag, NULL) && !flag);
  error = (Error){0};
  assert_false(node_bool(node_find(root, "maybe"), &flag, &error));
  assert_string_equal(error.text, "scene.yaml:7:8: expected true or false, got yes");

  char text[11];
  assert_true(node_text(node_find(root, "word"), text, sizeof text, NULL));
  assert_string_equal(text, "some words");
  error = (Error){0};
  assert_false(node_text(node_find(root, "word"), text, 10, &error));
  assert_string_equal(error.text, "scene.yaml:8:7: the text is 10 bytes long, at most 9 are allowed");
  assert_true(node_text(node_find(root, "empty"), text, 1, NULL));
  assert_string_equal(text, "");
  assert_false(node_text(node_find(root, "v"), text, sizeof text, NULL));

  double v[3];
  assert_true(node_reals(node_find(root, "v"), v, 3, NULL));
  assert_true(v[0] == 1 && v[1] == 0.5 && v[2] == -3);
  error = (Error){0};
  assert_false(node_reals(node_find(root, "v"), v, 2, &error));
  assert_string_equal(error.text, "scene.yaml:10:4: expected a list of 2 numbers, got a list of 3");
  error = (Error){0};
  assert_false(node_reals(node_find(root, "w"), v, 3, &error));
  assert_string_equal(error.text, "scene.yaml:11:8: expected a number, got x");
  document_free(&document);
}

static void test_unknown_keys_get_a_suggestion(void **state) {
  (void)state;
  static const char *const KEYS[] = {"dt", "gravity", "friction", NULL};
  Document document = parse("world:\n  dt: 1\n  frction: 2\nother:\n  wind: 3\n");
  Error error = {0};
  assert_false(node_check_keys(node_find(document.root, "world"), KEYS, &error));
  assert_string_equal(error.text, "scene.yaml:3:3: unknown key 'frction' in world, did you mean 'friction'?");
  error = (Error){0};
  assert_false(node_check_keys(node_find(document.root, "other"), KEYS, &error));
  assert_string_equal(error.text, "scene.yaml:5:3: unknown key 'wind' in other, allowed are dt, gravity, friction");
  error = (Error){0};
  assert_false(node_check_keys(document.root, KEYS, &error));
  assert_string_equal(error.text, "scene.yaml:1:1: unknown key 'world', allowed are dt, gravity, friction");
  document_free(&document);

  document = parse("friction:\n  - name: ice\nice: 2\n");
  error = (Error){0};
  assert_false(node_check_keys(document.root, KEYS, &error));
  assert_string_equal(error.text, "scene.yaml:3:1: unknown key 'ice', did you mean 'friction.ice'?");
  document_free(&document);

  document = parse("dt: 1\ngravity: 2\n");
  assert_true(node_check_keys(document.root, KEYS, NULL));
  document_free(&document);
}

static void test_closest_name(void **state) {
  (void)state;
  static const char *const NAMES[] = {"dt", "strength", "friction", "max_speed"};
  assert_string_equal(closest_name("strenght", NAMES, 4), "strength"); // swapped neighbours
  assert_string_equal(closest_name("frction", NAMES, 4), "friction");
  assert_string_equal(closest_name("maxspeed", NAMES, 4), "max_speed");
  assert_string_equal(closest_name("dtt", NAMES, 4), "dt");
  assert_null(closest_name("wind", NAMES, 4));
  assert_null(closest_name("x", NAMES, 4));
  static const char *const FILES[] = {"dash.yaml", "hit_run.yaml"};
  assert_null(closest_name("nosuch.yaml", FILES, 2)); // the ending alone is the same
  assert_string_equal(closest_name("hit_rn.yaml", FILES, 2), "hit_run.yaml");
  assert_null(closest_name("", NAMES, 4));
  assert_null(closest_name("dt", NAMES, 0));
  char long_word[200];
  memset(long_word, 'a', sizeof long_word - 1);
  long_word[sizeof long_word - 1] = '\0';
  assert_null(closest_name(long_word, NAMES, 4));
  const char *long_names[] = {long_word};
  assert_null(closest_name("aaa", long_names, 1));
}

static void test_name_hint(void **state) {
  (void)state;
  static const char *const NAMES[] = {"dt", "strength"};
  assert_string_equal(name_hint("strenght", NAMES, 2).text, ", did you mean 'strength'?");
  assert_string_equal(name_hint("wind", NAMES, 2).text, ", allowed are dt, strength");
  assert_string_equal(name_hint("wind", NAMES, 0).text, "");

  // Of more names than fit, the first ones.
  const char *many[100];
  for (int i = 0; i < 100; i++)
    many[i] = "friction";
  const NameHint hint = name_hint("x", many, 100);
  assert_int_equal(strncmp(hint.text, ", allowed are friction, friction", 32), 0);
  assert_string_equal(hint.text + strlen(hint.text) - 15, ", friction, ...");

  // A name that does not fit at all.
  char long_name[400];
  memset(long_name, 'a', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = '\0';
  const char *one[] = {long_name};
  assert_string_equal(name_hint("x", one, 1).text, ", allowed are ...");
}

static void assert_set(Document *document, const char *assignment) {
  Error error = {0};
  if (!document_set(document, assignment, &error))
    fail_msg("%s", error.text);
  assert_round_trip(document);
}

static void test_set_replaces_and_makes(void **state) {
  (void)state;
  Document document = parse(SCENE);
  assert_set(&document, "seed=8");
  assert_set(&document, "world.dt=1/480");
  assert_set(&document, "world.gravity.1=-1.62");
  assert_set(&document, "characters.walker.drive.strength=0.5");
  assert_set(&document, "characters.0.drive.strength=0.25");
  assert_set(&document, "trace.channels.contacts={every: 2, names: [a, b]}");
  assert_set(&document, "purpose=");

  const Node *root = document.root, *characters = node_find(root, "characters");
  const Node *seed = node_find(root, "seed");
  assert_string_equal(seed->text, "8");
  assert_string_equal(seed->file, "--set seed=8");
  assert_int_equal(seed->line, 0); // an override has no lines
  assert_int_equal(seed->key_line, 0);
  assert_ptr_equal(root->first, seed); // in its old place
  assert_string_equal(node_find(node_find(root, "world"), "dt")->text, "1/480");
  assert_string_equal(node_at(node_find(node_find(root, "world"), "gravity"), 1)->text, "-1.62");
  assert_string_equal(node_find(node_find(node_at(characters, 0), "drive"), "strength")->text, "0.25");
  assert_string_equal(node_find(node_find(node_at(characters, 1), "drive"), "strength")->text, "0.5");
  const Node *contacts = node_find(node_find(node_find(root, "trace"), "channels"), "contacts");
  assert_int_equal(node_find(contacts, "names")->count, 2);
  assert_string_equal(node_find(root, "purpose")->text, "");
  assert_int_equal(root->count, 5);
  document_free(&document);
}

// An item without a name is found by its kind, unless several have it.
static void test_set_finds_items_by_their_kind(void **state) {
  (void)state;
  Document document =
      parse("layers: [{kind: stepper}, {kind: tail, name: a}, {kind: tail}, {kind: arm, name: stepper2},"
            " {kind: eye}, {kind: eye}]\n");
  assert_set(&document, "layers.stepper.scale=0.1");
  assert_set(&document, "layers.tail.damp=1");
  assert_set(&document, "layers.a.damp=2");
  const Node *layers = node_find(document.root, "layers");
  assert_string_equal(node_find(node_at(layers, 0), "scale")->text, "0.1");
  assert_string_equal(node_find(node_at(layers, 2), "damp")->text, "1");
  assert_string_equal(node_find(node_at(layers, 1), "damp")->text, "2");
  assert_ptr_equal(node_path(document.root, "layers.stepper2"), node_at(layers, 3));
  assert_null(node_path(document.root, "layers.arm"));
  assert_null(node_path(document.root, "layers.eye"));
  Error error = {0};
  assert_false(document_set(&document, "layers.steper.scale=0.1", &error));
  assert_string_equal(error.text,
                      "--set layers.steper.scale=0.1: no item 'steper' in the list, did you mean 'stepper'?");
  document_free(&document);
}

static void test_set_fills_an_empty_section(void **state) {
  (void)state;
  Document document = parse("world:\nseed: 1\n");
  assert_set(&document, "world.dt=0.01");
  assert_string_equal(node_find(node_find(document.root, "world"), "dt")->text, "0.01");
  document_free(&document);
}

static void assert_set_refused(const char *assignment, const char *message) {
  Document document = parse(SCENE), untouched = parse(SCENE);
  Error error = {0};
  assert_false(document_set(&document, assignment, &error));
  assert_string_equal(error.text, message);
  assert_true(trees_are_equal(document.root, untouched.root));
  document_free(&document);
  document_free(&untouched);
}

static void test_set_takes_the_form_of_an_option(void **state) {
  (void)state;
  Document document = parse(SCENE);
  assert_set(&document, "--seed 8");
  assert_set(&document, "--world.dt 1/480");
  const Node *seed = node_find(document.root, "seed");
  assert_string_equal(seed->text, "8");
  assert_string_equal(seed->file, "--seed 8");
  assert_string_equal(node_find(node_find(document.root, "world"), "dt")->text, "1/480");
  assert_set_refused("--seed", "--seed: expected path=value, as in world.dt=1/240");
  assert_set_refused("--seed [1", "--seed [1: not valid YAML: did not find expected ',' or ']' while parsing a flow "
                                  "sequence");
  document_free(&document);
}

static void test_set_refuses_nonsense(void **state) {
  (void)state;
  assert_set_refused("seed", "--set seed: expected path=value, as in world.dt=1/240");
  assert_set_refused("=1", "--set =1: expected path=value, as in world.dt=1/240");
  assert_set_refused("world..dt=1", "--set world..dt=1: expected keys of 1 to 120 characters, separated by dots");
  assert_set_refused("world.=1", "--set world.=1: expected keys of 1 to 120 characters, separated by dots");
  assert_set_refused("seed.x=1", "--set seed.x=1: 'seed' is a plain value and has no keys");
  assert_set_refused("characters.runer.body=x",
                     "--set characters.runer.body=x: no item 'runer' in the list, did you mean 'runner'?");
  assert_set_refused("characters.2.body=x", "--set characters.2.body=x: no item '2' in the list, it has 2; an item is "
                                            "named by its index from 0, by its name or by its kind");
  assert_set_refused("seed=[1", "--set seed=[1: not valid YAML: did not find expected ',' or ']' while parsing a flow "
                                "sequence");
  assert_set_refused("seed=*x", "--set seed=*x: anchors (&), aliases (*) and tags (!) are not allowed");
  assert_set_refused("seed={a: 1, a: 2}", "--set seed={a: 1, a: 2}: key 'a' appears twice");
  assert_set_refused("w\xc3\xa4rme=1", "--set w\xc3\xa4rme=1: a new key must be made of printable ASCII characters");
  const char *deep = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a";
  char assignment[128], message[256];
  snprintf(assignment, sizeof assignment, "%s.a.a=1", deep);
  snprintf(message, sizeof message, "--set %s: nested too deeply, at most 32 levels are allowed", assignment);
  assert_set_refused(assignment, message);
  snprintf(assignment, sizeof assignment, "%s=[[1]]", deep);
  snprintf(message, sizeof message, "--set %s: nested too deeply, at most 32 levels are allowed", assignment);
  assert_set_refused(assignment, message);
}

// A long assignment does not displace the message, and no character is cut in two.
static void test_long_assignments_are_cut_in_messages(void **state) {
  (void)state;
  char assignment[1024] = "seed=[ ", message[1024];
  for (size_t i = strlen(assignment); i + 2 < sizeof assignment; i += 2)
    memcpy(assignment + i, "\xc3\xa4", 3);
  snprintf(message, sizeof message,
           "--set %.199s...: not valid YAML: did not find expected ',' or ']' while parsing a "
           "flow sequence",
           assignment);
  assert_set_refused(assignment, message);
}

static void test_errors_of_overrides_name_the_override(void **state) {
  (void)state;
  Document document = parse(SCENE);
  assert_set(&document, "world.frction=fast");
  const Node *node = node_find(node_find(document.root, "world"), "frction");
  double value;
  Error error = {0};
  assert_false(node_real(node, &value, &error));
  assert_string_equal(error.text, "--set world.frction=fast: expected a number, got fast");
  error = (Error){0};
  assert_false(node_key_error(node, &error, "unknown key"));
  assert_string_equal(error.text, "--set world.frction=fast: unknown key");
  document_free(&document);
}

static void test_written_text_parses_to_the_same_tree(void **state) {
  (void)state;
  static const char *const TEXTS[] = {
      SCENE,
      "{}",
      "{a: }",
      "a:\nb: ''\nc: []\nd: {}\n",
      "a: |\n  two\n  lines\nb: >-\n  folded\n  text\n",
      "a: one\n\n  two\n",
      "a: 'it''s'\nb: \"tab\\tquote\\\" \\u00e9\"\n",
      "a: 12:30\nb: [12:30, x?y, -]\nc: what? {no}, yes\n",
      "a: ---x\nb: -1\nc: ...\n",
      "a: h\xc3\xb6he\nb: \xf0\x9f\x8f\x83\n\"h\xc3\xb6he\": 1\n",
      "\"a b\": 1\n\"#c\": 2\n\": \": 3\n'- d': 4\n",
      "a:\n- - 1\n  - [2, {b: [3]}]\n- c:\n  - d\n",
      "expect:\n  - runner.fell == 0\n  - runner.distance > 60\n",
      "a: true\nb: \"true\"\nc: ~\nd: '~'\n",
      "a: '  spaces  '\nb: \"line\\nbreak \\n\"\n",
  };
  for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
    Document document = parse(TEXTS[i]);
    assert_round_trip(&document);
    document_free(&document);
  }
}

static void test_written_text_keeps_its_style(void **state) {
  (void)state;
  Document document = parse("seed: 7\nname: \"7\"\nworld: {dt: 1/240, gravity: [0, -9.81, 0]}\nlist:\n  - a\n");
  char *text = document_write(&document);
  assert_string_equal(text, "seed: 7\nname: \"7\"\nworld: {dt: 1/240, gravity: [0, -9.81, 0]}\nlist:\n- a\n");
  free(text);
  document_free(&document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_files_are_text),
      cmocka_unit_test(test_nodes_know_their_place),
      cmocka_unit_test(test_finding_what_is_not_there),
      cmocka_unit_test(test_bad_text_is_refused_with_its_place),
      cmocka_unit_test(test_broken_yaml_is_refused_with_its_place),
      cmocka_unit_test(test_nesting_is_limited),
      cmocka_unit_test(test_size_is_limited),
      cmocka_unit_test(test_many_keys_are_read_quickly),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_other_values),
      cmocka_unit_test(test_unknown_keys_get_a_suggestion),
      cmocka_unit_test(test_closest_name),
      cmocka_unit_test(test_name_hint),
      cmocka_unit_test(test_set_replaces_and_makes),
      cmocka_unit_test(test_set_finds_items_by_their_kind),
      cmocka_unit_test(test_set_fills_an_empty_section),
      cmocka_unit_test(test_set_takes_the_form_of_an_option),
      cmocka_unit_test(test_set_refuses_nonsense),
      cmocka_unit_test(test_long_assignments_are_cut_in_messages),
      cmocka_unit_test(test_errors_of_overrides_name_the_override),
      cmocka_unit_test(test_written_text_parses_to_the_same_tree),
      cmocka_unit_test(test_written_text_keeps_its_style),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
