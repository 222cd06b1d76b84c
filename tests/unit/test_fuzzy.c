// The fuzzy controller: memberships, both kinds of inference, and what its reader refuses.
// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "anim/planner/fuzzy.h"

#define INPUTS                                                                                                         \
  "inputs:\n"                                                                                                          \
  "  way: {range: [-90, 90], terms: {left: [0, 40, 90, 90], ahead: [-40, 0, 40], right: [-90, -90, -40, 0]}}\n"        \
  "  room: {range: [0, 4], terms: {little: [0, 0, 1, 3], much: [1, 3, 4, 4]}}\n"
#define SUGENO                                                                                                         \
  "method: sugeno\n" INPUTS "outputs:\n"                                                                               \
  "  turn: {range: [-60, 60], terms: {hard_left: 60, none: 0, hard_right: -60}}\n"                                     \
  "  speed: {range: [0, 3], fallback: 0.5, terms: {slow: 1, fast: 3}}\n"                                               \
  "rules:\n"                                                                                                           \
  "  - {if: {way: left}, then: {turn: hard_left}}\n"                                                                   \
  "  - {if: {way: ahead}, then: {turn: none}}\n"                                                                       \
  "  - {if: {way: right}, then: {turn: hard_right}}\n"                                                                 \
  "  - {name: dash, if: {room: much, way: not left}, then: {speed: fast}}\n"                                           \
  "  - {if: {room: little, way: [left, right]}, then: {speed: slow}, weight: 0.5}\n"

static bool try_read(FuzzyController *fuzzy, const char *text, Error *error) {
  Document document;
  if (!document_parse(&document, "fuzzy.yaml", text, error))
    return false;
  bool good = fuzzy_read(fuzzy, document.root, error);
  document_free(&document);
  return good;
}

static void read(FuzzyController *fuzzy, const char *text) {
  Error error = {0};
  if (!try_read(fuzzy, text, &error))
    fail_msg("%s", error.text);
}

static void assert_near(double value, double wanted) {
  if (!(fabs(value - wanted) < 1e-12))
    fail_msg("%.15g, not %.15g", value, wanted);
}

static void a_term_is_a_trapezoid(void **state) {
  (void)state;
  FuzzyTerm term = {.corners = {1, 2, 4, 8}}, step = {.corners = {0, 0, 1, 1}};
  const double at[] = {0.5, 1, 1.25, 2, 3, 4, 5, 8, 9}, wanted[] = {0, 0, 0.25, 1, 1, 1, 0.75, 0, 0};
  for (int i = 0; i < 9; i++)
    assert_near(fuzzy_membership(&term, at[i]), wanted[i]);
  assert_near(fuzzy_membership(&step, 0), 1);
  assert_near(fuzzy_membership(&step, 1), 1);
  assert_near(fuzzy_membership(&step, 1.001), 0);
}

// way = 20: left 0.5, ahead 0.5; room = 2.5: much 0.75, little 0.25.
// Outputs are found by their names; what lies beyond their number is none.
static void outputs_have_names(void **state) {
  (void)state;
  static FuzzyController fuzzy;
  read(&fuzzy, SUGENO);
  fuzzy.outputs[fuzzy.output_count] = fuzzy.outputs[0];
  strcpy(fuzzy.outputs[fuzzy.output_count].name, "ghost");
  assert_int_equal(fuzzy_output(&fuzzy, "turn"), 0);
  assert_int_equal(fuzzy_output(&fuzzy, "speed"), 1);
  assert_int_equal(fuzzy_output(&fuzzy, "ghost"), -1);
}

static void sugeno_is_the_weighted_mean(void **state) {
  (void)state;
  FuzzyController fuzzy;
  read(&fuzzy, SUGENO);
  double outputs[2], strengths[5];
  fuzzy_evaluate(&fuzzy, (double[]){20, 2.5}, outputs, strengths);
  const double wanted[] = {0.5, 0.5, 0, 0.5, 0.125};
  for (int i = 0; i < 5; i++)
    assert_near(strengths[i], wanted[i]);
  assert_near(outputs[0], 30);
  assert_near(outputs[1], (0.5 * 3 + 0.125 * 1) / 0.625);

  fuzzy_evaluate(&fuzzy, (double[]){500, 0}, outputs, strengths); // brought into the range
  assert_near(outputs[0], 60);
  assert_near(outputs[1], 1);
  fuzzy_evaluate(&fuzzy, (double[]){NAN, NAN}, outputs, strengths); // the lower ends
  assert_near(outputs[0], -60);
  assert_near(outputs[1], 1);
  fuzzy_evaluate(&fuzzy, (double[]){0, 0}, outputs, strengths); // no rule says how fast
  assert_near(outputs[1], 0.5);
}

// Both clauses of a rule hold as little as the lesser of them does, whichever is named first.
static void and_is_the_least_of_all(void **state) {
  (void)state;
  FuzzyController fuzzy;
  read(&fuzzy, INPUTS "outputs:\n  turn: {range: [0, 1], terms: {yes: 1}}\n"
                      "rules:\n  - {if: {way: left, room: much}, then: {turn: yes}}\n"
                      "  - {if: {room: much, way: left}, then: {turn: yes}}\n"
                      "  - {if: {way: [ahead, right], room: little}, then: {turn: yes}}\n");
  const double ways[] = {10, 20, 30}, rooms[] = {2.5, 1.5, 2.9}; // left: 0.25, 0.5, 0.75; much: 0.75, 0.25, 0.95
  const double least[] = {0.25, 0.25, 0.75};
  for (int i = 0; i < 3; i++) {
    double output, strengths[3];
    fuzzy_evaluate(&fuzzy, (double[]){ways[i], rooms[i]}, &output, strengths);
    assert_near(strengths[0], least[i]);
    assert_near(strengths[1], least[i]);
  }
}

static void and_may_be_a_product(void **state) {
  (void)state;
  FuzzyController fuzzy;
  read(&fuzzy, "and: product\n" INPUTS "outputs:\n  turn: {range: [0, 1], terms: {yes: 1}}\n"
               "rules:\n  - {if: {way: left, room: much}, then: {turn: yes}}\n"
               "  - {if: {way: [ahead, right], room: little}, then: {turn: yes}}\n");
  double output, strengths[2];
  fuzzy_evaluate(&fuzzy, (double[]){20, 2.5}, &output, strengths);
  assert_near(strengths[0], 0.5 * 0.75);
  assert_near(strengths[1], 0.5 * 0.25);
}

// A triangle over its whole range has its centroid in the middle, clipped at any height; a rectangle and another one of
// the same height have it between them.
static void mamdani_is_the_centroid(void **state) {
  (void)state;
  FuzzyController fuzzy;
  read(&fuzzy,
       "method: mamdani\n" INPUTS "outputs:\n"
       "  turn: {range: [-60, 60], terms: {middle: [-60, 0, 60], all: [-60, -60, 60, 60], up: [0, 0, 60, 60]}}\n"
       "rules:\n  - {if: {way: ahead}, then: {turn: middle}}\n  - {if: {way: left}, then: {turn: up}}\n"
       "  - {if: {way: right, room: [little, much]}, then: {turn: all}}\n");
  double output, strengths[3];
  fuzzy_evaluate(&fuzzy, (double[]){0, 0}, &output, strengths);
  assert_near(output, 0);
  fuzzy_evaluate(&fuzzy, (double[]){-30, 0}, &output, strengths); // middle at 0.25, all at 0.75: symmetric
  assert_near(output, 0);
  fuzzy_evaluate(&fuzzy, (double[]){90, 0}, &output, strengths); // up alone: samples at 0 .. 60, 60 counts half
  assert_true(fabs(output - 30) < 0.4);
}

static void a_rule_reads_as_a_sentence(void **state) {
  (void)state;
  FuzzyController fuzzy;
  char text[256];
  read(&fuzzy, INPUTS "outputs:\n  turn: {range: [0, 1], terms: {yes: 1}}\n"
                      "rules:\n  - {if: {way: not ahead, room: [little, much]}, then: {turn: yes}, weight: 0.5}\n"
                      "  - {if: {way: [left, right]}, then: {turn: yes}}\n");
  assert_string_equal(fuzzy_rule_text(&fuzzy, 0, text, sizeof text),
                      "if way is not ahead and room is little or much then turn is yes (weight 0.5)");
  assert_string_equal(fuzzy_rule_text(&fuzzy, 0, text, 10), "if way is");
}

static void refuses(const char *text, const char *message) {
  FuzzyController fuzzy;
  Error error = {0};
  if (try_read(&fuzzy, text, &error))
    fail_msg("was read: %s", text);
  if (!strstr(error.text, message))
    fail_msg("'%s' says nothing of '%s'", error.text, message);
}

#define OUT "outputs:\n  turn: {range: [0, 1], terms: {yes: 1}}\n"
#define IN "inputs:\n  way: {range: [0, 1], terms: {low: [0, 0, 1], high: [0, 1, 1]}}\n"
#define RULES "rules:\n  - {if: {way: [low, high]}, then: {turn: yes}}\n"

static void errors_name_their_place(void **state) {
  (void)state;
  refuses(IN OUT, "fuzzy.yaml:1:1: 'rules' is missing here");
  refuses(IN OUT "rules: []\n", "expected 1 to 96 rules");
  refuses("method: magic\n" IN OUT RULES, "fuzzy.yaml:1:9: 'method' must be sugeno or mamdani");
  refuses(IN OUT "rules:\n  - {if: {way: hihg}, then: {turn: yes}}\n",
          "fuzzy.yaml:6:16: 'way' has no term 'hihg', did you mean 'high'?");
  refuses(IN OUT "rules:\n  - {if: {wya: high}, then: {turn: yes}}\n", "unknown variable 'wya', did you mean 'way'?");
  refuses(IN OUT "rules:\n  - {if: {way: high}, then: {}}\n", "must set a term of an output");
  refuses(IN OUT "rules:\n  - {if: {way: high}, then: {turn: yes}, weight: 2}\n", "above 0 and at most 1");
  refuses(IN OUT "rules:\n  - {if: {way: high}, then: {turn: yes}}\n", "no rule asks for the term 'low'");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [1, 0, 1]}}\n" OUT RULES, "the corners of a term must rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [0, 0.6, 0.4, 1]}}\n" OUT RULES, "must rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [0.2, 0.1, 0.4, 1]}}\n" OUT RULES, "must rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [0, 0.1, 1, 0.9]}}\n" OUT RULES, "must rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [0.5, 0.5, 0.5]}}\n" OUT RULES, "must rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: 3}}\n" OUT RULES, "three or four numbers that rise");
  refuses("inputs:\n  way: {range: [0, 1], terms: {low: [4, 5, 6]}}\n" OUT RULES, "lies outside of the range 0 .. 1");
  refuses("inputs:\n  way: {range: [1, 1], terms: {low: [0, 0, 1]}}\n" OUT RULES, "the range must rise");
  refuses(IN "outputs:\n  turn: {range: [0, 1], terms: {yes: [0, 0, 1]}}\n" RULES, "are numbers with 'method: sugeno'");
  refuses("method: mamdani\n" IN OUT RULES, "corners of a triangle or trapezoid");
  refuses(IN OUT RULES "extra: 1\n", "unknown key 'extra'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_term_is_a_trapezoid),       cmocka_unit_test(outputs_have_names),
      cmocka_unit_test(sugeno_is_the_weighted_mean), cmocka_unit_test(and_is_the_least_of_all),
      cmocka_unit_test(and_may_be_a_product),        cmocka_unit_test(mamdani_is_the_centroid),
      cmocka_unit_test(a_rule_reads_as_a_sentence),  cmocka_unit_test(errors_name_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
