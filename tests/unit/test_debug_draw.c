// Debug drawing: what is appended, what is dropped, and lists that are NULL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/base/debug_draw.h"

static const double A[3] = {1, 2, 3}, B[3] = {4, 5, 6};

static void test_items_are_appended(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  debug_line(draw, A, B, 0.5f, 0xff0000ffu);
  debug_arrow(draw, B, A, 0.25f, 0x00ff00ffu);
  debug_point(draw, B, 0.125f, 0x0000ffffu);
  assert_int_equal(draw->count, 3);
  assert_int_equal(draw->items[0].shape, DEBUG_LINE);
  assert_int_equal(draw->items[0].color, 0xff0000ffu);
  assert_true(draw->items[0].a[2] == 3.0f && draw->items[0].b[0] == 4.0f && draw->items[0].size == 0.5f);
  assert_int_equal(draw->items[1].shape, DEBUG_ARROW);
  assert_true(draw->items[1].a[0] == 4.0f && draw->items[1].b[0] == 1.0f);
  assert_int_equal(draw->items[2].shape, DEBUG_POINT);
  assert_true(draw->items[2].a[1] == 5.0f && draw->items[2].size == 0.125f);
  free(draw);
}

static void test_full_list_counts_what_it_drops(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  for (int i = 0; i < DEBUG_DRAW_MAX + 5; i++)
    debug_point(draw, A, 1, 0);
  assert_int_equal(draw->count, DEBUG_DRAW_MAX);
  assert_int_equal(draw->dropped, 5);
  debug_clear(draw);
  assert_int_equal(draw->count, 0);
  assert_int_equal(draw->dropped, 0);
  free(draw);
}

// Items belong to the group named last; a label keeps as much of its text as fits.
static void test_groups_and_labels(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  debug_group(draw, DEBUG_LOOK);
  debug_point(draw, A, 1, 0);
  debug_group(draw, DEBUG_FEET);
  debug_label(draw, B, 0x123456ffu, "%.1f cm and %s", 4.25, "a word that is far too long for it");
  assert_int_equal(draw->items[0].group, DEBUG_LOOK);
  assert_int_equal(draw->items[1].group, DEBUG_FEET);
  assert_int_equal(draw->items[1].shape, DEBUG_LABEL);
  assert_string_equal(draw->items[1].text, "4.2 cm and a word that is far t");
  assert_true(draw->items[1].a[0] == 4 && draw->items[1].color == 0x123456ffu);
  debug_clear(draw);
  debug_point(draw, A, 1, 0);
  assert_int_equal(draw->items[0].group, DEBUG_HITS);
  free(draw);
}

// A quarter turn about +X (left), from up to forward, in six pieces; the last one is an arrow.
static void test_arc_turns_right_handed(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  const double axis[3] = {7, 0, 0}, none[3] = {0, 0, 0};
  debug_arc(draw, A, axis, 0.5, 1.5707963267948966, 0.1f, 0x11223344u);
  assert_int_equal(draw->count, 6);
  assert_true(draw->items[0].a[0] == 1 && draw->items[0].a[1] == 2.5f && draw->items[0].a[2] == 3);
  for (int i = 0; i < 6; i++) {
    const DebugItem *item = &draw->items[i];
    assert_int_equal(item->shape, i < 5 ? DEBUG_LINE : DEBUG_ARROW);
    assert_true(i == 0 || (item->a[1] == draw->items[i - 1].b[1] && item->a[2] == draw->items[i - 1].b[2]));
    float y = item->b[1] - 2, z = item->b[2] - 3;
    assert_true(item->b[0] == 1 && fabsf(y * y + z * z - 0.25f) < 1e-6f);
  }
  assert_true(fabsf(draw->items[5].b[1] - 2) < 1e-6f && fabsf(draw->items[5].b[2] - 3.5f) < 1e-6f);

  debug_clear(draw);
  debug_arc(draw, A, none, 1, 1, 0.1f, 0);
  debug_arc(draw, A, axis, 1, 0, 0.1f, 0);
  assert_int_equal(draw->count, 0);
  debug_arc(draw, A, (const double[3]){0, -2, 0}, 1, 100, 0.1f, 0); // no more than once around
  assert_int_equal(draw->count, 24);
  free(draw);
}

static void test_null_swallows_everything(void **state) {
  (void)state;
  debug_line(NULL, A, B, 1, 0);
  debug_arrow(NULL, A, B, 1, 0);
  debug_point(NULL, A, 1, 0);
  debug_arc(NULL, A, B, 1, 1, 1, 0);
  debug_label(NULL, A, 0, "%d", 1);
  debug_group(NULL, DEBUG_LOOK);
  debug_clear(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_items_are_appended),       cmocka_unit_test(test_full_list_counts_what_it_drops),
      cmocka_unit_test(test_groups_and_labels),        cmocka_unit_test(test_arc_turns_right_handed),
      cmocka_unit_test(test_null_swallows_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
