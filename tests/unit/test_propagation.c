// The path of a hit's momentum: it is conserved, and moves along the body.
#include "tests/unit/small_scene.h"

#include "scenes/run/propagation.h"

static PropagationList list;

static void measure(SceneDef *def) {
  Error error = {0};
  if (!propagation_measure(def, &list, &error))
    fail_msg("%s", error.text);
}

// Free flight: after every step the parts' differences sum up to the hit's momentum; a second hit counts by itself.
static void test_momentum_is_conserved(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 0.5\n" SMALL_FLIGHT "events:\n"
                            "  - {time: 0.1, part: top, impulse: 3, direction: 90}\n"
                            "  - {time: 0.2, part: base, impulse: 2, kind: push, duration: 0.05}\n");
  measure(def);
  assert_int_equal(list.count, 2);
  assert_near(list.hits[0].impulse[0], 3, 1e-12);
  assert_near(list.hits[1].impulse[2], 2, 1e-12);
  for (int n = 0; n < 2; n++) {
    const Propagation *hit = &list.hits[n];
    assert_int_equal(hit->step_count, 72);
    for (int s = n == 0 ? 0 : 12; s < hit->step_count; s++)
      for (int k = 0; k < 3; k++) {
        double sum = (double)hit->change[s][0][k] + (double)hit->change[s][1][k];
        assert_near(sum, hit->impulse[k], 2e-6);
      }
  }
  propagation_free(&list);
  scene_def_free(def);
}

static void test_no_hit(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 0.1\n" SMALL_FLIGHT "events: [{time: 0.05, part: top, impulse: 0}]\n");
  measure(def);
  assert_int_equal(list.count, 0);
  char *text = propagation_csv(&list);
  assert_string_equal(text, "hit,time,character,struck,impulse,part,age,x,y,z,size,along\n");
  free(text);
  propagation_free(&list);
  scene_def_free(def);
}

// Beyond the largest number that is measured a hit counts once, in however many steps it strikes.
static void test_hits_that_are_left_out(void **state) {
  (void)state;
  char yaml[4096] = "duration: 0.1\n" SMALL_FLIGHT "events:\n";
  for (int i = 0; i < PROPAGATION_MOST_HITS + 2; i++) {
    size_t length = strlen(yaml);
    const char *kind = i < PROPAGATION_MOST_HITS ? "impulse" : "push, duration: 0.05";
    snprintf(yaml + length, sizeof yaml - length, "  - {time: 0.02, part: top, impulse: 0.1, kind: %s}\n", kind);
  }
  SceneDef *def = small_def(yaml);
  measure(def);
  assert_int_equal(list.count, PROPAGATION_MOST_HITS);
  assert_int_equal(list.left_out, 2);
  propagation_free(&list);
  scene_def_free(def);
}

// From the hand up the arm to the chest and the other hand: each peak is lower than the one before, and not earlier.
static void test_up_the_arm(void **state) {
  (void)state;
  char path[512];
  Error error = {0};
  snprintf(path, sizeof path, "%s/hit_stand.yaml", files_scenes_folder());
  const char *const overrides[] = {
      "duration=1", "characters.man.balance.enabled=false", "characters.man.assist.enabled=true",
      "events=[{kind: impulse, part: forearm_r, time: 0.5, direction: 180, impulse: 5, point: [0, 0, 0]}]"};
  SceneDef *def = scene_def_read(path, overrides, 4, &error);
  if (!def)
    fail_msg("%s", error.text);
  measure(def);
  assert_int_equal(list.count, 1);
  static const char *const chain[] = {"forearm_r", "upper_arm_r", "chest"};
  double last_time = 0;
  for (int i = 0; i < 3; i++) {
    const int part = skeleton_find(&list.hits[0].struck->body->skeleton, chain[i]);
    const PartArrival arrival = propagation_arrival(&list.hits[0], part);
    print_message("%s: from %.4f s, most at %.4f s\n", chain[i], arrival.first, arrival.peak_time);
    assert_true(arrival.first > 0 && arrival.first <= arrival.peak_time);
    assert_true(arrival.peak_time >= last_time);
    last_time = arrival.peak_time;
  }
  propagation_free(&list);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_momentum_is_conserved),
      cmocka_unit_test(test_no_hit),
      cmocka_unit_test(test_hits_that_are_left_out),
      cmocka_unit_test(test_up_the_arm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
