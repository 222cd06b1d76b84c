// The section on how hits went through the body: parts in the order in which they were reached, the largest difference
// in each stretch of time, and how many hits are shown. The hits are made by hand.
#include "tests/unit/small_scene.h"

#include "scenes/report/page_propagation.h"

enum { PARTS = 16, MOST_STEPS = 82 };

static const double DT = 1.0 / 240;
static float change[MOST_STEPS][BODY_MAX_PARTS][3];
static PropagationList list;

// A hit of 5 N s: part 3 and part 1 are reached in the first step, part 0 in the fifth, part 2 in the eleventh; parts 4
// and 5 by less than a hundredth of it, the others not at all.
static SceneDef *make_hit(int steps) {
  static const struct {
    int part, step;
    float size; // N s
  } sizes[] = {{1, 0, 2},    {1, 1, 0.5f},  {3, 0, 1},     {3, 5, 3},      {3, 6, -2},
               {0, 4, 0.2f}, {2, 10, 1.5f}, {5, 7, 0.03f}, {4, 20, 0.04f}, {2, 41, -0.7f}};
  Error error = {0};
  SceneDef *def = scene_def_read("stand.yaml", NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  assert_int_equal(def->characters[0].body->part_count, PARTS);
  memset(change, 0, sizeof change);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    change[sizes[i].step][sizes[i].part][i % 3] = sizes[i].size;
  list = (PropagationList){.count = 1};
  list.hits[0] = (Propagation){.time = 0.5,
                               .impulse = {3, 0, -4},
                               .struck = &def->characters[0],
                               .part = 3,
                               .step_count = steps,
                               .dt = DT,
                               .change = change};
  return def;
}

static char *make_page(void) {
  Html html = {0};
  page_propagation(&html, &list);
  return html.bytes;
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

// The place behind the next occurrence of a part.
static const char *after(const char *text, const char *part) {
  const char *at = strstr(text, part);
  if (!at)
    fail_msg("no '%s' in '%.200s'", part, text);
  return at ? at + strlen(part) : text;
}

// The first one above in the list, and below in the picture, whose rows go up.
static const int reached[PARTS] = {3, 1, 0, 2, 4, 5, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6};

static void test_parts_in_the_order_in_which_they_are_reached(void **state) {
  (void)state;
  static const struct {
    int first, peak_at; // steps; 0: none
    double peak;
  } told[6] = {{1, 6, 3}, {1, 1, 2}, {5, 5, 0.2}, {11, 11, 1.5}, {0, 21, 0.04}, {0, 8, 0.03}};
  SceneDef *def = make_hit(42);
  const PartDef *parts = def->characters[0].body->parts;
  char *page = make_page(), text[256];
  snprintf(text, sizeof text, "5.0 N s on %s at 0.500 s", parts[3].name);
  const char *at = after(page, text);
  for (int i = PARTS - 1; i >= 0; i--) {
    snprintf(text, sizeof text, ">%s</text>", parts[reached[i]].name);
    at = after(at, text);
  }
  at = after(at, "When parts were reached");
  for (int i = 0; i < PARTS; i++) {
    char first[64] = "<td class=\"number none\">\xe2\x80\x93</td>";
    const bool is_told = i < 6;
    if (is_told && told[i].first > 0)
      snprintf(first, sizeof first, "<td class=\"number\">%.1f</td>", 1000 * told[i].first * DT);
    snprintf(text, sizeof text, "<tr><td>%s</td>%s<td class=\"number\">%.3f</td><td class=\"number\">%.1f</td></tr>\n",
             parts[reached[i]].name, first, is_told ? told[i].peak : 0, is_told ? 1000 * told[i].peak_at * DT : 0);
    at = after(at, text);
  }
  free(page);
  scene_def_free(def);
}

// 42 steps are 21 stretches of two: each has the larger one of its two, and is named after its end, in ms.
static void test_the_largest_of_each_stretch(void **state) {
  (void)state;
  SceneDef *def = make_hit(42);
  char *page = make_page(), text[64];
  const char *at = page;
  for (int i = PARTS - 1; i >= 0; i--)
    for (int c = 0; c < 21; c++) {
      const double one = propagation_size(&list.hits[0], 2 * c, reached[i]);
      const double other = propagation_size(&list.hits[0], 2 * c + 1, reached[i]);
      at = after(after(at, "<text class=\"cell"), ">");
      assert_near(strtod(at, NULL), fmax(one, other), 0.03);
    }
  for (int c = 0; c < 21; c++) {
    snprintf(text, sizeof text, ">%.0f</text>", 2000 * (c + 1) * DT);
    at = after(at, text);
  }
  free(page);
  scene_def_free(def);
}

// At most 40 columns, of whole stretches of equal length; none without a step.
static void test_columns(void **state) {
  (void)state;
  static const int cases[][2] = {{1, 1}, {39, 39}, {40, 40}, {41, 20}, {42, 21}, {80, 40}, {81, 27}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SceneDef *def = make_hit(cases[i][0]);
    char *page = make_page();
    assert_int_equal(count_of(page, "<rect class=\"heat\""), PARTS * cases[i][1]);
    free(page);
    scene_def_free(def);
  }
  SceneDef *def = make_hit(0);
  char *page = make_page();
  assert_int_equal(count_of(page, "<svg"), 0);
  assert_int_equal(count_of(page, "<details>"), 1);
  free(page);
  scene_def_free(def);
}

// Twelve hits are shown; of the others their number.
static void test_number_of_hits(void **state) {
  (void)state;
  static const struct {
    int count, left_out, shown;
    const char *more;
  } cases[] = {{12, 0, 12, NULL}, {13, 0, 12, "And 1 more hits"}, {32, 4, 12, "And 24 more hits"}, {2, 0, 2, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SceneDef *def = make_hit(3);
    list.count = cases[i].count;
    list.left_out = cases[i].left_out;
    for (int n = 1; n < list.count; n++)
      list.hits[n] = list.hits[0];
    char *page = make_page();
    assert_int_equal(count_of(page, "<svg"), cases[i].shown);
    assert_int_equal(count_of(page, "<details>"), cases[i].shown);
    assert_int_equal(count_of(page, " more hits"), cases[i].more != NULL);
    if (cases[i].more)
      assert_non_null(strstr(page, cases[i].more));
    free(page);
    scene_def_free(def);
  }
  list = (PropagationList){0};
  char *page = make_page();
  assert_string_equal(page, "<p class=\"note\">Nobody was hit.</p>\n");
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts_in_the_order_in_which_they_are_reached),
      cmocka_unit_test(test_the_largest_of_each_stretch),
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_number_of_hits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
