// Lists of layers while they run: order, fading, layers without weight, copies.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "anim/layers/layer_list.h"

// A layer that raises the root, by more in every step since it began.
typedef struct LiftDef {
  float rise; // m each step
} LiftDef;

typedef struct LiftState {
  int steps, starts;
} LiftState;

static void lift_init(const void *def, void *state, const LayerStep *step) {
  (void)def;
  (void)step;
  LiftState *lift = state;
  lift->steps = 0;
  lift->starts++;
}

static void lift_apply(const void *def, void *state, const LayerStep *step) {
  LiftState *lift = state;
  lift->steps += step->dt > 0;
  step->pose_w->position[0].y += ((const LiftDef *)def)->rise * (float)lift->steps;
}

static const LayerKind lift = {.name = "lift",
                               .def_size = sizeof(LiftDef),
                               .state_size = sizeof(LiftState),
                               .init = lift_init,
                               .apply = lift_apply};

// A layer that doubles the height: order matters.
static void nothing(const void *def, void *state, const LayerStep *step) {
  (void)def;
  (void)state;
  (void)step;
}

static void double_apply(const void *def, void *state, const LayerStep *step) {
  (void)def;
  (void)state;
  step->pose_w->position[0].y *= 2;
}

static const LayerKind twice = {
    .name = "twice", .def_size = 1, .state_size = 1, .init = nothing, .apply = double_apply};

typedef struct Fixture {
  Skeleton skeleton;
  Pose pose;
  LiftDef rise;
  char unused;
  LayerListDef def;
  LayerStep step;
} Fixture;

static void set_up(Fixture *fixture, double weight, double fade) {
  memset(fixture, 0, sizeof *fixture);
  fixture->skeleton.count = 1;
  fixture->skeleton.parent[0] = -1;
  fixture->skeleton.bind_rotation_l[0] = glms_quat_identity();
  fixture->rise.rise = 0.25f;
  fixture->def.count = 2;
  fixture->def.layers[0] = (LayerDef){"up", &lift, {weight, fade}, &fixture->rise};
  fixture->def.layers[1] = (LayerDef){"twice", &twice, {1, 0}, &fixture->unused};
  fixture->step = (LayerStep){.skeleton = &fixture->skeleton, .dt = 0.125, .pose_w = &fixture->pose};
}

static float height(Fixture *fixture, LayerList *list) {
  fixture->pose = pose_bind(&fixture->skeleton);
  fixture->pose.position[0].y = 1;
  layers_apply(list, &fixture->step);
  return fixture->pose.position[0].y;
}

static void test_layers_apply_in_their_order(void **state) {
  (void)state;
  Fixture fixture;
  LayerList list;
  set_up(&fixture, 1, 0);
  assert_true(layers_init(&list, &fixture.def, &fixture.step));
  assert_true(height(&fixture, &list) == 2.5f); // (1 + 0.25) * 2
  assert_true(height(&fixture, &list) == 3.0f);
  assert_int_equal(layers_find(&list, "twice"), 1);
  assert_int_equal(layers_find(&list, "thrice"), -1);
  layers_free(&list);
}

static void test_a_layer_without_weight_changes_nothing(void **state) {
  (void)state;
  Fixture fixture;
  LayerList list;
  set_up(&fixture, 0, 0.5);
  assert_true(layers_init(&list, &fixture.def, &fixture.step));
  for (int i = 0; i < 10; i++)
    assert_true(height(&fixture, &list) == 2.0f);
  layers_free(&list);
}

// In over 0.5 s, four steps: a quarter of the weight each, eased; it starts anew when it comes back.
static void test_a_layer_fades_in_its_time(void **state) {
  (void)state;
  Fixture fixture;
  LayerList list;
  set_up(&fixture, 0, 0.5);
  assert_true(layers_init(&list, &fixture.def, &fixture.step));
  const LiftState *lifted = list.layers[0].state;
  int starts = lifted->starts;
  layers_want(&list, 0, 1);
  for (int i = 1; i <= 6; i++) {
    double weight = fmin(1, 0.25 * i), eased = weight * weight * (3 - 2 * weight);
    assert_true(fabs((double)height(&fixture, &list) - 2 * (1 + eased * 0.25 * i)) < 1e-6);
    assert_true((double)list.layers[0].weight == weight);
  }
  assert_int_equal(lifted->starts, starts + 1);
  layers_want(&list, 0, -3); // taken as 0
  for (int i = 0; i < 4; i++)
    height(&fixture, &list);
  assert_true(height(&fixture, &list) == 2.0f);
  layers_want(&list, 0, 1);
  height(&fixture, &list);
  assert_int_equal(lifted->starts, starts + 2);
  assert_int_equal(lifted->steps, 1);
  layers_free(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layers_apply_in_their_order),
      cmocka_unit_test(test_a_layer_without_weight_changes_nothing),
      cmocka_unit_test(test_a_layer_fades_in_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
