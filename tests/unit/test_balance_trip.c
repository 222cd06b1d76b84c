// A walking man whose foot is caught: at any phase of his stride he continues, over the bar.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ragdoll/character/character_metrics.h"
#include "scenes/run/scene.h"

typedef struct Trip {
  double fell, hits, distance;
  int high_steps; // largest number of steps to come
} Trip;

static double value_of(const Scene *scene, const char *name) {
  double value = NAN;
  assert_true(metrics_value(scene->characters[0]->judged->metrics, name, &value));
  return value;
}

static Trip walk_over(double height, double place) {
  char size[64], center[64];
  snprintf(size, sizeof size, "props.0.size=[1.2, %g, 0.04]", height);
  snprintf(center, sizeof center, "props.0.center=[0, %g, %g]", height / 2, place);
  const char *const overrides[] = {size, center, "duration=9"};
  Error error = {0};
  SceneDef *def = scene_def_read("trip.yaml", overrides, 3, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene) {
    fail_msg("%s", error.text);
    exit(1);
  }
  Trip trip = {0};
  for (long i = 0; i < def->step_count; i++) {
    assert_true(scene_step(scene));
    int high = scene->characters[0]->balance.trip.high_steps;
    trip.high_steps = high > trip.high_steps ? high : trip.high_steps;
  }
  trip.fell = value_of(scene, "fell");
  trip.hits = value_of(scene, "hits");
  trip.distance = scene->characters[0]->sensed.com[2];
  scene_destroy(scene);
  scene_def_free(def);
  return trip;
}

// A stride at 1 m/s is 1.1 m: ten bars strike its feet early and late in their swings.
static void test_he_goes_on_over_a_bar(void **state) {
  (void)state;
  int caught = 0;
  for (int i = 0; i < 10; i++) {
    double place = 3.7 + 0.11 * i;
    Trip trip = walk_over(0.06, place);
    assert_true(trip.hits >= 1);
    assert_true(trip.fell == 0);
    assert_true(trip.distance > place + 2);
    caught += trip.high_steps == 3;
  }
  assert_true(caught >= 2); // on the others a foot stepped onto the bar
}

// What is lower than his feet swing is not felt, and feet go no higher for it.
static void test_a_flat_bar_is_passed(void **state) {
  (void)state;
  Trip trip = walk_over(0.01, 6.15);
  assert_true(trip.fell == 0);
  assert_true(trip.distance > 7);
  assert_int_equal(trip.high_steps, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_he_goes_on_over_a_bar),
      cmocka_unit_test(test_a_flat_bar_is_passed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
