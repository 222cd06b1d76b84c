// Debug drawing: what is appended, what is dropped, and lists that nobody keeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/debug_draw.h"

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

static void test_null_swallows_everything(void **state) {
  (void)state;
  debug_line(NULL, A, B, 1, 0);
  debug_arrow(NULL, A, B, 1, 0);
  debug_point(NULL, A, 1, 0);
  debug_clear(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_items_are_appended),
      cmocka_unit_test(test_full_list_counts_what_it_drops),
      cmocka_unit_test(test_null_swallows_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
