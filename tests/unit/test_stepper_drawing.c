// What the stepper draws for debugging: every item's shape, place, size and colour.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/stepper_fixture.h"

enum { CORNERS = 24 }; // of the line around the allowed offsets

static const uint32_t GREEN = 0x2f9e44ff, BLUE = 0x1971c2ff, RED = 0xe03131ff;

static void check_place(const float drawn[3], const double wanted[3]) {
  for (int k = 0; k < 3; k++)
    assert_true(fabs((double)drawn[k] - wanted[k]) < 1e-6);
}

// The next item of the list. to: NULL for shapes that have one place.
static void check_item(const DebugDraw *draw, int *next, DebugShape shape, const double from[3], const double to[3],
                       double size, uint32_t color) {
  assert_true(*next < draw->count);
  const DebugItem *item = &draw->items[(*next)++];
  assert_int_equal(item->shape, shape);
  assert_int_equal(item->group, DEBUG_FEET);
  assert_int_equal(item->color, color);
  assert_true(fabs((double)item->size - size) < 1e-9);
  check_place(item->a, from);
  if (to)
    check_place(item->b, to);
}

// A point at the rest position of the foot, as far around it as the foot may be, and a line from it to the foot.
static void check_foot(const Walk *walk, int leg, const DebugDraw *draw, int *next) {
  const StepperFoot *foot = &walk->stepper.feet[leg];
  const double unit = walk->stepper.stance.unit, *rest = foot->reference;
  const double sole[3] = {foot->place[0], foot->place[1] + foot->lift, foot->place[2]};
  const uint32_t around = foot->escaped ? RED : GREEN, color = foot->escaped ? RED : BLUE;
  check_item(draw, next, DEBUG_POINT, rest, NULL, 0.1 * unit, around);
  double last[3];
  for (int i = 0; i <= CORNERS; i++) { // the walker heads along z
    const double angle = 2 * M_PI * i / CORNERS, allowed = stepper_allowed(&walk->def, unit, cos(angle));
    const double corner[3] = {rest[0] + allowed * sin(angle), rest[1], rest[2] + allowed * cos(angle)};
    if (i > 0)
      check_item(draw, next, DEBUG_LINE, last, corner, 0.002, around);
    memcpy(last, corner, sizeof last);
  }
  check_item(draw, next, DEBUG_LINE, rest, sole, 0.002, color);
  check_item(draw, next, DEBUG_POINT, sole, NULL, 0.1 * unit, color);
}

// Four feet: one stands, one has escaped, one steps, and one steps to a place that is not the wanted one.
static void test_each_item_that_is_drawn(void **state) {
  (void)state;
  static Walk walk;
  static DebugDraw draw;
  walk_init(&walk, make_walker(4), (TestGround){0}, "");
  for (int i = 0; i < 60; i++)
    walk_on(&walk, 1.0 / 240, 0, 0.1, 0);
  StepperFoot *feet = walk.stepper.feet;
  for (int i = 0; i < 4; i++) {
    feet[i].escaped = i == 1;
    feet[i].stepping = i >= 2;
    feet[i].lift = i >= 2 ? 0.03 : 0;
    feet[i].refusal = i == 3 ? FOOT_TOO_STEEP : FOOT_NOT_REFUSED;
  }
  stepper_layer.debug(&walk.def, &walk.stepper, &walk.step, &draw);
  int next = 0;
  for (int i = 0; i < 4; i++) {
    const double sole[3] = {feet[i].place[0], feet[i].place[1] + feet[i].lift, feet[i].place[2]};
    check_foot(&walk, i, &draw, &next);
    if (i >= 2)
      check_item(&draw, &next, DEBUG_ARROW, sole, feet[i].landing, 0.003, i == 3 ? RED : BLUE);
  }
  assert_string_equal(draw.items[next].text, foot_refusal_name(FOOT_TOO_STEEP));
  check_item(&draw, &next, DEBUG_LABEL, feet[3].landing, NULL, 0, RED);
  assert_int_equal(draw.count, next);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_item_that_is_drawn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
