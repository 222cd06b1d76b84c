// The marks of balance and contact, from plain numbers.
#include "sim/base/support.h"
#include "sim/metrics/metrics.h"
#include "tests/fixture.h"
#include "viewer/source/balance_marks.h"

static const float NEAR = 1e-6f;

static bool is_at(const float point[3], double x, double y, double z) {
  return point && fabsf(point[0] - (float)x) < NEAR && fabsf(point[1] - (float)y) < NEAR &&
         fabsf(point[2] - (float)z) < NEAR;
}

// The n-th item of a group with a shape; the test fails if there is none.
static const DebugItem *find_item(const DebugDraw *draw, DebugGroup group, DebugShape shape, int n) {
  for (int i = 0; i < draw->count; i++)
    if (draw->items[i].group == group && draw->items[i].shape == shape && n-- == 0)
      return &draw->items[i];
  fail_msg("no such item in group %d", (int)group);
  return NULL;
}

static int count_items(const DebugDraw *draw, DebugGroup group, DebugShape shape) {
  int count = 0;
  for (int i = 0; i < draw->count; i++)
    count += draw->items[i].group == group && draw->items[i].shape == shape;
  return count;
}

// The first label of a group that contains a text.
static const DebugItem *find_label(const DebugDraw *draw, DebugGroup group, const char *text) {
  for (int i = 0; i < draw->count; i++)
    if (draw->items[i].group == group && draw->items[i].shape == DEBUG_LABEL && strstr(draw->items[i].text, text))
      return &draw->items[i];
  return NULL;
}

static const DebugItem *margin_line(const DebugDraw *draw) {
  const DebugItem *line = NULL;
  for (int i = 0; i + 1 < draw->count; i++)
    if (draw->items[i].shape == DEBUG_LINE && draw->items[i].group == DEBUG_BALANCE)
      line = &draw->items[i]; // the last one
  return line;
}

// Two feet of 20 x 20 cm, 20 cm apart, each with a contact of 1.25 N s at every corner; 1 / omega0 = 0.5 s.
static Balance stance(void) {
  Balance b = {.com = {0, STANDARD_GRAVITY / 4, 0}, .com_velocity = {0.316, 3, 0}, .weight = 600, .time = 1.0 / 60};
  for (int i = 0; i < 8; i++)
    b.contacts[b.contact_count++] =
        (BalanceContact){.position = {(i & 1 ? 0.1 : 0.3) * (i & 2 ? 1 : -1), 0, i & 4 ? 0.1 : -0.1},
                         .impulse = {0, 1.25, 0},
                         .leg = i & 2 ? 0 : 1,
                         .ground = true};
  return b;
}

static void test_capture_point_support_and_margin(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  Balance b = stance();
  balance_mark(&b, draw);
  assert_int_equal(draw->dropped, 0);

  assert_true(is_at(find_item(draw, DEBUG_BALANCE, DEBUG_POINT, 0)->a, 0, STANDARD_GRAVITY / 4, 0));
  const DebugItem *plumb = find_item(draw, DEBUG_BALANCE, DEBUG_LINE, 0);
  assert_true(is_at(plumb->a, 0, STANDARD_GRAVITY / 4, 0) && is_at(plumb->b, 0, 0, 0));
  assert_true(is_at(find_item(draw, DEBUG_BALANCE, DEBUG_POINT, 1)->a, 0, 0, 0));
  assert_true(is_at(find_item(draw, DEBUG_BALANCE, DEBUG_POINT, 2)->a, 0.158, 0, 0));
  assert_non_null(find_label(draw, DEBUG_BALANCE, "capture point"));

  // Plumb line, four sides, margin. The nearest side is the one at z = 0.1 or -0.1, 10 cm away.
  assert_int_equal(count_items(draw, DEBUG_BALANCE, DEBUG_LINE), 6);
  for (int i = 1; i < 5; i++) {
    const DebugItem *side = find_item(draw, DEBUG_BALANCE, DEBUG_LINE, i);
    assert_true(fabsf(fabsf(side->a[0]) - 0.3f) < NEAR && fabsf(fabsf(side->b[2]) - 0.1f) < NEAR);
  }
  const DebugItem *margin = margin_line(draw);
  assert_true(is_at(margin->a, 0.158, 0, 0));
  assert_true(fabsf(fabsf(margin->b[2]) - 0.1f) < NEAR && fabsf(margin->b[0] - 0.158f) < NEAR);
  assert_string_equal(find_label(draw, DEBUG_BALANCE, "margin")->text, "margin +10.0 cm");
  uint32_t inside = margin->color;

  // Faster: outside, past the left side, red.
  debug_clear(draw);
  b.com_velocity[0] = 0.684;
  balance_mark(&b, draw);
  margin = margin_line(draw);
  assert_true(is_at(margin->a, 0.342, 0, 0) && is_at(margin->b, 0.3, 0, 0));
  assert_string_equal(find_label(draw, DEBUG_BALANCE, "margin")->text, "margin -4.2 cm");
  assert_int_not_equal(margin->color, inside);
  assert_true(margin->color >> 24 > (margin->color >> 16 & 255) && inside >> 24 < (inside >> 16 & 255)); // red, green
  free(draw);
}

// In the air, on the hands, or against another body there is no support.
static void test_no_support_without_feet_on_the_ground(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  Balance b = stance();
  for (int i = 0; i < b.contact_count; i++) {
    if (i < 3)
      b.contacts[i].leg = -1;
    else if (i < 6)
      b.contacts[i].ground = false;
    else
      b.contacts[i].impulse[1] = i == 6 ? 0 : -1;
  }
  balance_mark(&b, draw);
  assert_int_equal(count_items(draw, DEBUG_BALANCE, DEBUG_LINE), 1); // the plumb line
  assert_null(find_label(draw, DEBUG_BALANCE, "margin"));
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_POINT), 8);

  debug_clear(draw);
  b.contact_count = 0;
  balance_mark(&b, draw);
  assert_int_equal(count_items(draw, DEBUG_BALANCE, DEBUG_POINT), 3);
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_POINT), 0);
  free(draw);
}

// 10 N s in 1/60 s are 600 N: an arrow of 60 cm. Ten times as much is cut at 1.2 m.
static void test_force_arrows_and_loads(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  Balance b = {.weight = 750, .time = 1.0 / 60, .com = {0, 1, 0}, .contact_count = 4};
  b.contacts[0] = (BalanceContact){.position = {0.1, 0, 0}, .impulse = {6, 8, 0}, .leg = 0, .ground = true};
  b.contacts[1] = (BalanceContact){.position = {0.4, 0, 0}, .impulse = {0, 4, 0}, .leg = 0, .ground = true};
  b.contacts[2] = (BalanceContact){.position = {-1, 0, 2}, .impulse = {0, 100, 0}, .leg = 1, .ground = true};
  b.contacts[3] = (BalanceContact){.position = {0, 1, 0}, .impulse = {0, 0, 0}, .leg = -1};
  balance_mark(&b, draw);
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_ARROW), 3);
  const DebugItem *arrow = find_item(draw, DEBUG_CONTACTS, DEBUG_ARROW, 0);
  assert_true(is_at(arrow->a, 0.1, 0, 0) && is_at(arrow->b, 0.1 + 0.36, 0.48, 0));
  arrow = find_item(draw, DEBUG_CONTACTS, DEBUG_ARROW, 2);
  assert_true(is_at(arrow->a, -1, 0, 2) && is_at(arrow->b, -1, 1.2, 2));

  // (8 + 4) N s * 60 / 750 N, at the centre of pressure.
  const DebugItem *label = find_item(draw, DEBUG_CONTACTS, DEBUG_LABEL, 0);
  assert_string_equal(label->text, "0.96 BW");
  assert_true(is_at(label->a, (8 * 0.1 + 4 * 0.4) / 12, 0, 0));
  assert_string_equal(find_item(draw, DEBUG_CONTACTS, DEBUG_LABEL, 1)->text, "8.00 BW");
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_LABEL), 2);

  // Without time no force is known.
  debug_clear(draw);
  b.time = 0;
  balance_mark(&b, draw);
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_POINT), 4);
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_ARROW), 0);
  free(draw);
}

static void test_damaged_numbers_are_left_out(void **state) {
  (void)state;
  DebugDraw *draw = calloc(1, sizeof *draw);
  Balance b = stance();
  b.contacts[2].position[0] = NAN;
  b.contacts[5].impulse[1] = INFINITY;
  balance_mark(&b, draw);
  b.com_velocity[2] = NAN;
  balance_mark(&b, draw);
  assert_int_equal(count_items(draw, DEBUG_CONTACTS, DEBUG_POINT), 12);
  for (int i = 0; i < draw->count; i++)
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(draw->items[i].a[k]) && isfinite(draw->items[i].b[k]));
  free(draw);
}

// Of the contacts of two men, those of the second one: his feet are recognised as legs, and impulses by the first one
// on him have their signs reversed.
static void test_contacts_of_one_character(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  int parts = f.body->part_count, left = fixture_part(&f, "foot_l"), right = fixture_part(&f, "foot_r");
  int chest = fixture_part(&f, "chest");
  const FrameContact contacts[] = {
      {.body = left, .other = WORLD_GROUND, .impulse_w = {{0, 9, 0}}}, // of the first man
      {.body = parts + left, .other = WORLD_GROUND, .position_w = {{1, 2, 3}}, .impulse_w = {{0, 5, 0}}},
      {.body = parts + right, .other = WORLD_GROUND, .impulse_w = {{0, 6, 0}}},
      {.body = chest, .other = parts + chest, .impulse_w = {{1, 2, -3}}},
      {.body = 2 * parts, .other = parts + chest, .impulse_w = {{4, 0, 0}}}, // a ball
  };
  Balance *b = calloc(1, sizeof *b);
  b->contact_count = 77;
  balance_take_contacts(b, contacts, 5, f.body, parts);
  assert_int_equal(b->contact_count, 4);
  assert_true(b->contacts[0].ground && b->contacts[0].impulse[1] == 5 && b->contacts[0].position[2] == 3);
  assert_string_equal(f.body->skeleton.legs[b->contacts[0].leg].name, "left");
  assert_string_equal(f.body->skeleton.legs[b->contacts[1].leg].name, "right");
  assert_false(b->contacts[2].ground);
  assert_int_equal(b->contacts[2].leg, -1);
  assert_true(b->contacts[2].impulse[0] == -1 && b->contacts[2].impulse[2] == 3);
  assert_true(b->contacts[3].impulse[0] == -4);

  FrameContact many[BALANCE_MAX_CONTACTS + 10] = {0};
  for (int i = 0; i < BALANCE_MAX_CONTACTS + 10; i++)
    many[i].other = WORLD_GROUND;
  balance_take_contacts(b, many, BALANCE_MAX_CONTACTS + 10, f.body, 0);
  assert_int_equal(b->contact_count, BALANCE_MAX_CONTACTS);
  free(b);
  body_free(f.body);
  files_free(&f.files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_capture_point_support_and_margin),
      cmocka_unit_test(test_no_support_without_feet_on_the_ground),
      cmocka_unit_test(test_force_arrows_and_loads),
      cmocka_unit_test(test_damaged_numbers_are_left_out),
      cmocka_unit_test(test_contacts_of_one_character),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
