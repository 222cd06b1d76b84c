// Expectations: how they are read, when they hold, and the errors of wrong ones.
#include "tests/unit/small_scene.h"

static const CharacterDef characters[2] = {{.name = "runner"}, {.name = "walker"}};

// Reads "expect: <text>" with one or two characters.
static bool read_text(const char *text, int count, Expect *expect, Error *error) {
  char yaml[256];
  snprintf(yaml, sizeof yaml, "expect: \"%s\"\n", text);
  Document document;
  assert_true(document_parse(&document, "x.yaml", yaml, error));
  bool good = expect_read(expect, node_find(document.root, "expect"), characters, count, error);
  document_free(&document);
  return good;
}

static void expect_error(const char *text, int count, const char *wanted) {
  Expect expect;
  Error error = {0};
  assert_false(read_text(text, count, &expect, &error));
  assert_string_equal(error.text, wanted);
}

static void test_all_forms_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int character;
    const char *metric;
    ExpectOp op;
    double value;
  } cases[] = {
      {"walker.distance > 60", 1, "distance", EXPECT_MORE, 60},
      {"runner.distance >= -1.5e2", 0, "distance", EXPECT_AT_LEAST, -150},
      {"runner.fell==0", 0, "fell", EXPECT_EQUAL, 0},
      {"runner.fell == false", 0, "fell", EXPECT_EQUAL, 0},
      {"runner.fell != true", 0, "fell", EXPECT_NOT, 1},
      {"  walker.speed_mean<3 ", 1, "speed_mean", EXPECT_LESS, 3},
      {"walker.speed_mean  <=3", 1, "speed_mean", EXPECT_AT_MOST, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Expect expect;
    Error error = {0};
    if (!read_text(cases[i].text, 2, &expect, &error))
      fail_msg("%s", error.text);
    assert_int_equal(expect.character, cases[i].character);
    assert_string_equal(expect.metric, cases[i].metric);
    assert_int_equal(expect.op, cases[i].op);
    assert_true(expect.value == cases[i].value);
    assert_string_equal(expect.text, cases[i].text);
  }
}

static void test_one_character_needs_no_name(void **state) {
  (void)state;
  Expect expect;
  Error error = {0};
  assert_true(read_text("distance > 60", 1, &expect, &error));
  assert_int_equal(expect.character, 0);
  assert_string_equal(expect.metric, "distance");
}

static void test_every_metric_can_be_expected(void **state) {
  (void)state;
  for (int i = 0; i < metric_row_count; i++) {
    char text[128];
    Expect expect;
    Error error = {0};
    snprintf(text, sizeof text, "%s < 1", metric_rows[i].name);
    if (!read_text(text, 1, &expect, &error))
      fail_msg("%s", error.text);
    assert_string_equal(expect.metric, metric_rows[i].name);
  }
}

static void test_errors_say_what_is_meant(void **state) {
  (void)state;
  expect_error("distanse > 60", 1, "x.yaml:1:9: there is no metric 'distanse', did you mean 'distance'?");
  expect_error("qqqqqqqq > 60", 1, "x.yaml:1:9: there is no metric 'qqqqqqqq'; 'stagger reference' lists them");
  expect_error("runer.distance > 60", 2, "x.yaml:1:9: there is no character 'runer', did you mean 'runner'?");
  expect_error("distance > 60", 2,
               "x.yaml:1:9: 'distance > 60': with several characters, say whose metric it is: 'runner.distance'");
  static const char *const malformed[] = {"distance", "distance 60",    "distance > x",  "> 60",
                                          "",         "distance > 60s", "distance = 60", "distance > inf"};
  for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "x.yaml:1:9: '%s': expected 'metric op value' with one of < <= > >= == !=, e.g. 'runner.distance > 60'",
             malformed[i]);
    expect_error(malformed[i], 1, wanted);
  }
}

static void test_operators(void **state) {
  (void)state;
  static const struct {
    ExpectOp op;
    bool below, equal, above;
  } cases[] = {
      {EXPECT_LESS, true, false, false},    {EXPECT_AT_MOST, true, true, false}, {EXPECT_MORE, false, false, true},
      {EXPECT_AT_LEAST, false, true, true}, {EXPECT_EQUAL, false, true, false},  {EXPECT_NOT, true, false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Expect expect = {.op = cases[i].op, .value = 2};
    assert_int_equal(expect_holds(&expect, 1), cases[i].below);
    assert_int_equal(expect_holds(&expect, 2), cases[i].equal);
    assert_int_equal(expect_holds(&expect, 3), cases[i].above);
    assert_false(expect_holds(&expect, NAN)); // does not apply
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_forms_are_read),
      cmocka_unit_test(test_one_character_needs_no_name),
      cmocka_unit_test(test_every_metric_can_be_expected),
      cmocka_unit_test(test_errors_say_what_is_meant),
      cmocka_unit_test(test_operators),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
