// What foot placement draws.
#include "tests/unit/foot_placement_fixture.h"

#include "anim/layers/foot_placement/foot_placement_internal.h"

static void point_on_ground(const Stand *stand, const float point[3], double most) {
  double height = NAN;
  assert_true(stage_height(&stand->stage, (double)point[0], (double)point[2], GROUND_HIGHEST, &height, NULL));
  if (!(fabs(height - (double)point[1]) <= most))
    fail_msg("drawn %.3f m off the ground", (double)point[1] - height);
}

// On a slope the picture shows where rays met it, which way it faces, and the outline of each sole, which lies on it.
static void test_picture_lies_on_the_ground(void **state) {
  (void)state;
  static DebugDraw draw;
  Stand stand;
  set_up(&stand);
  stand.stage.pitch = 0.15;
  stand.stage.roll = -0.1;
  stand_still(&stand);
  debug_clear(&draw);
  foot_placement_debug(&stand.def, &stand.placement, &stand.step, &draw);
  int arrows = 0, points = 0, edges = 0, goals = 0;
  const DebugItem *last = NULL;
  for (int i = 0; i < draw.count; i++) {
    const DebugItem *item = &draw.items[i];
    if (item->group == DEBUG_IK) {
      goals += item->shape == DEBUG_POINT;
      continue;
    }
    assert_int_equal(item->group, DEBUG_FEET);
    vec3s a = {{item->a[0], item->a[1], item->a[2]}}, b = {{item->b[0], item->b[1], item->b[2]}};
    if (item->shape == DEBUG_POINT) {
      point_on_ground(&stand, item->a, 1e-4);
      points++;
    } else if (item->shape == DEBUG_ARROW) {
      vec3s up = glms_vec3_normalize((vec3s){{(float)-tan(stand.stage.roll), 1, (float)-tan(stand.stage.pitch)}});
      point_on_ground(&stand, item->a, 1e-4);
      assert_true((double)glms_vec3_dot(glms_vec3_normalize(glms_vec3_sub(b, a)), up) > 0.9999);
      arrows++;
    } else if (fabsf(a.x - b.x) + fabsf(a.z - b.z) > 1e-6f) { // no ray: an edge of an outline
      const PlacedLeg *leg = &stand.def.legs[edges / 4];
      point_on_ground(&stand, item->a, 2e-3);
      point_on_ground(&stand, item->b, 2e-3);
      double length = hypot((double)(a.x - b.x), (double)(a.z - b.z)), half = fabs(leg->offset[3][0]);
      assert_true(fabs(length - (edges % 2 ? leg->length : 2 * half)) < 1e-5);
      if (edges % 4 > 0) // one goes on where the other ended
        assert_memory_equal(last->b, item->a, sizeof item->a);
      last = item;
      edges++;
    }
  }
  assert_int_equal(points, 2 * FOOT_RAYS);
  assert_int_equal(arrows, 2);
  assert_int_equal(edges, 8);
  assert_int_equal(goals, 2);

  stand.stage.hole_from = -5; // no ground any more: neither met rays nor soles
  stand.stage.hole_to = 5;
  for (int i = 0; i < 90; i++)
    apply(&stand, 1.0 / 60);
  debug_clear(&draw);
  foot_placement_debug(&stand.def, &stand.placement, &stand.step, &draw);
  for (int i = 0; i < draw.count; i++) {
    const DebugItem *item = &draw.items[i];
    bool upright = fabsf(item->a[0] - item->b[0]) + fabsf(item->a[2] - item->b[2]) < 1e-6f;
    assert_true(item->group == DEBUG_IK || (item->shape == DEBUG_LINE ? upright : item->shape != DEBUG_POINT));
  }
  tear_down(&stand);
}

// The next item of a list, as expected.
static const DebugItem *take(const DebugDraw *draw, int *index, DebugShape shape, float size, uint32_t color) {
  assert_true(*index < draw->count);
  const DebugItem *item = &draw->items[(*index)++];
  assert_int_equal(item->shape, shape);
  assert_true(item->size == size);
  assert_int_equal(item->color, color);
  return item;
}

static void is_at(const float point[3], const double place[3]) {
  for (int k = 0; k < 3; k++)
    assert_true(fabs((double)point[k] - place[k]) <= 1e-6);
}

// Of a man who stands locked, each foot: where its rays met the ground, at most the last 25 cm of them, the normal, the
// sole, the ankle's goal and the way to it from the hip.
static void test_all_items_of_a_stand(void **state) {
  (void)state;
  static DebugDraw draw;
  const uint32_t green = 0x2f7d4fff, pale_green = 0x2f7d4f80, blue = 0x1971c2ff, orange = 0xb8651bff;
  Stand stand;
  int longer = 0, shorter = 0;
  for (int raised = 0; raised < 2; raised++) {
    set_up(&stand);
    stand.stage.raised = raised ? 0.4 : 0;
    stand_still(&stand);
    debug_clear(&draw);
    foot_placement_debug(&stand.def, &stand.placement, &stand.step, &draw);
    int index = 0;
    for (int i = 0; i < 2; i++) {
      const PlacedFoot *foot = &stand.placement.feet[i];
      const FootGround *ground = &foot->ground;
      for (int r = 0; r < FOOT_RAYS; r++) {
        const double *hit = ground->hit[r], length = ground->start[r][1] - hit[1];
        const DebugItem *line = take(&draw, &index, DEBUG_LINE, 0.003f, pale_green);
        is_at(line->a, (const double[]){hit[0], hit[1] + (length > 0.25 ? 0.25 : length), hit[2]});
        is_at(line->b, hit);
        is_at(take(&draw, &index, DEBUG_POINT, 0.006f, green)->a, hit);
        *(length > 0.25 ? &longer : &shorter) += 1;
      }
      const DebugItem *normal = take(&draw, &index, DEBUG_ARROW, 0.006f, green);
      is_at(normal->a, ground->place);
      is_at(normal->b, (const double[]){ground->place[0], ground->place[1] + 0.12, ground->place[2]});
      for (int edge = 0; edge < 4; edge++)
        take(&draw, &index, DEBUG_LINE, 0.006f, blue);
      const double *goal = (const double[]){(double)foot->goal.x, (double)foot->goal.y, (double)foot->goal.z};
      is_at(take(&draw, &index, DEBUG_POINT, 0.02f, orange)->a, goal);
      const DebugItem *way = take(&draw, &index, DEBUG_LINE, 0.003f, orange);
      is_at(way->a, (const double[]){(double)foot->hip.x, (double)foot->hip.y, (double)foot->hip.z});
      is_at(way->b, goal);
    }
    assert_int_equal(index, draw.count);
    tear_down(&stand);
  }
  assert_true(longer > 0 && shorter > 0);
}

// Where another direction is up, the picture is turned from the frame in which that is vertical.
static void test_another_up_turns_the_picture(void **state) {
  (void)state;
  static DebugDraw draw, turned;
  Stand stand;
  set_up(&stand);
  stand.stage.pitch = 0.1;
  stand_still(&stand);
  debug_clear(&draw);
  debug_clear(&turned);
  foot_placement_debug(&stand.def, &stand.placement, &stand.step, &draw);
  const double up[3] = {0.48, 0.6, -0.64};
  memcpy(stand.def.up, up, sizeof up);
  const FootAxes axes = foot_up_axes(&stand.def);
  debug_point(&turned, (const double[]){1, 2, 3}, 1, 0); // what others have drawn stays
  foot_placement_debug(&stand.def, &stand.placement, &stand.step, &turned);
  assert_true(turned.count == draw.count + 1 && draw.count > 20);
  is_at(turned.items[0].a, (const double[]){1, 2, 3});
  for (int i = 0; i < draw.count; i++)
    for (int p = 0; p < 2; p++) {
      const float *from = p ? draw.items[i].b : draw.items[i].a,
                  *to = p ? turned.items[i + 1].b : turned.items[i + 1].a;
      double place[3] = {(double)from[0], (double)from[1], (double)from[2]};
      foot_up_turn(&axes, true, place, place);
      is_at(to, place);
    }
  tear_down(&stand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_picture_lies_on_the_ground),
      cmocka_unit_test(test_all_items_of_a_stand),
      cmocka_unit_test(test_another_up_turns_the_picture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
