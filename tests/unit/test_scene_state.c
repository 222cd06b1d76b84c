// States of scenes: what is refused, that saving changes nothing, and that a refused state leaves the scene as it was.
// property/state tests that restored scenes continue with the same bits.
#include "tests/unit/small_scene.h"

#include "scenes/run/scene_state.h"
#include "sim/base/state.h"

// The head of a state: the offsets of its version and its checksum, the first byte covered by it, its size, and the
// length of the head.
enum { VERSION_AT = 8, CHECKSUM_AT = 16, CHECKED_FROM = 24, SIZE_AT = 24, HEAD = 72 };

// Corrects the checksum.
static void sign(unsigned char *bytes, size_t size) {
  const uint64_t check = state_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM);
  memcpy(bytes + CHECKSUM_AT, &check, sizeof check);
}

static Scene *open_scene(const char *name, const char *override) {
  Error error = {0};
  SceneDef *def = scene_def_read(name, &override, override != NULL, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene)
    fail_msg("%s", error.text);
  return scene;
}

static void close_scene(Scene *scene) {
  SceneDef *def = (SceneDef *)(uintptr_t)scene->def;
  scene_destroy(scene);
  scene_def_free(def);
}

static void run(Scene *scene, int steps) {
  for (int i = 0; i < steps; i++)
    assert_true(scene_step(scene));
}

static unsigned char *saved(const Scene *scene, size_t *size) {
  Error error = {0};
  *size = scene_state_size(scene);
  unsigned char *bytes = malloc(*size);
  if (!scene_state_save(scene, bytes, *size, &error))
    fail_msg("%s", error.text);
  return bytes;
}

static void assert_refused(Scene *scene, const void *bytes, size_t size, const char *text) {
  Error error = {0};
  const uint64_t before = world_hash(scene->world);
  const long steps = scene->world->steps;
  assert_false(scene_state_restore(scene, bytes, size, &error));
  if (!strstr(error.text, text))
    fail_msg("'%s' is not in '%s'", text, error.text);
  assert_int_equal(world_hash(scene->world), before);
  assert_int_equal(scene->world->steps, steps);
}

static void test_saving_changes_nothing_and_repeats(void **state) {
  (void)state;
  Scene *scene = open_scene("hit_props", NULL), *other = open_scene("hit_props", NULL);
  run(scene, 500);
  run(other, 500);
  size_t size, again_size;
  unsigned char *bytes = saved(scene, &size), *again = saved(scene, &again_size);
  assert_int_equal(size, again_size);
  assert_memory_equal(bytes, again, size);
  run(scene, 300);
  run(other, 300);
  assert_int_equal(world_hash(scene->world), world_hash(other->world));
  free(bytes);
  free(again);
  close_scene(scene);
  close_scene(other);
}

// Late senses are part of the state: what is still on its way arrives after a restore too.
static void test_late_senses(void **state) {
  (void)state;
  Scene *scene = open_scene("stand_push", "characters.man.balance.delay=0.1");
  run(scene, 400); // in the push
  size_t size;
  unsigned char *bytes = saved(scene, &size);
  run(scene, 200);
  const uint64_t later = world_hash(scene->world);
  Error error = {0};
  if (!scene_state_restore(scene, bytes, size, &error))
    fail_msg("%s", error.text);
  run(scene, 200);
  assert_int_equal(world_hash(scene->world), later);
  free(bytes);
  close_scene(scene);
}

// In the same scene, from later back to earlier: what was added since, including balls, is removed.
static void test_back_in_time(void **state) {
  (void)state;
  Scene *scene = open_scene("hit_props", NULL);
  size_t size, again_size;
  run(scene, 400);
  unsigned char *bytes = saved(scene, &size);
  const int bodies = scene->world->body_count;
  run(scene, 1000);
  const uint64_t later = world_hash(scene->world);
  assert_true(scene->world->body_count > bodies);
  Error error = {0};
  for (int i = 0; i < 2; i++) {
    if (!scene_state_restore(scene, bytes, size, &error))
      fail_msg("%s", error.text);
    assert_int_equal(scene->world->body_count, bodies);
    unsigned char *again = saved(scene, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    free(again);
    run(scene, 1000);
    assert_int_equal(world_hash(scene->world), later);
  }
  free(bytes);
  close_scene(scene);
}

static void test_what_is_no_state_of_the_scene_is_refused(void **state) {
  (void)state;
  Scene *scene = open_scene("hit_stand", NULL), *seeded = open_scene("hit_stand", "seed=9");
  Scene *other = open_scene("stand_push", NULL);
  run(scene, 600);
  size_t size, other_size, seeded_size;
  unsigned char *bytes = saved(scene, &size), *others = saved(other, &other_size), *sown = saved(seeded, &seeded_size);
  run(scene, 10);
  assert_refused(scene, "", 0, "no state");
  assert_refused(scene, "some text that is long enough to be the head of something else, and that is longer", 80,
                 "no state");
  assert_refused(scene, others, other_size, "of another scene");
  assert_refused(scene, sown, seeded_size, "with other parameters");
  for (size_t less = 1; less < size; less = 2 * less + size / 64)
    assert_refused(scene, bytes, size - less, size - less < HEAD ? "no state" : "cut short");
  for (size_t at = HEAD; at < size; at += size / 37) {
    bytes[at] ^= 0x40;
    assert_refused(scene, bytes, size, "damaged: its checksum");
    bytes[at] ^= 0x40;
  }
  bytes[VERSION_AT] ^= 2;
  assert_refused(scene, bytes, size, "of version 3; this program restores version 1");
  bytes[VERSION_AT] ^= 2;
  Error error = {0};
  assert_true(scene_state_restore(scene, bytes, size, &error));
  free(bytes);
  free(others);
  free(sown);
  close_scene(scene);
  close_scene(seeded);
  close_scene(other);
}

// A body with NaN, under a correct checksum: it must not reach ODE, and the scene continues as it was.
static void test_nan_does_not_reach_the_world(void **state) {
  (void)state;
  Scene *scene = open_scene("stand", NULL);
  run(scene, 100);
  size_t size;
  unsigned char *bytes = saved(scene, &size);
  const double height = dBodyGetPosition(scene->world->bodies[0].ode)[1];
  // The offset of the pelvis' height among the bytes.
  uint64_t bits;
  memcpy(&bits, &height, sizeof bits);
  size_t at = 0;
  for (size_t i = 56; i + sizeof height <= size && at == 0; i++)
    if (memcmp(bytes + i, &bits, sizeof bits) == 0)
      at = i;
  assert_true(at > 0);
  const double none = NAN;
  memcpy(bytes + at, &none, sizeof none);
  sign(bytes, size);
  assert_refused(scene, bytes, size, "damaged in section world: a number is not finite");
  run(scene, 100);
  Scene *other = open_scene("stand", NULL);
  run(other, 200);
  assert_int_equal(world_hash(scene->world), world_hash(other->world));
  free(bytes);
  close_scene(scene);
  close_scene(other);
}

// More bytes than a state has, under a correct size and checksum: the message says how many.
static void test_bytes_after_the_end_are_refused(void **state) {
  (void)state;
  Scene *scene = open_scene("stand", NULL);
  run(scene, 100);
  size_t size;
  unsigned char *bytes = saved(scene, &size), *longer = calloc(1, size + 24);
  memcpy(longer, bytes, size);
  const uint64_t claimed = size + 24;
  memcpy(longer + SIZE_AT, &claimed, sizeof claimed);
  sign(longer, size + 24);
  assert_refused(scene, longer, size + 24, ": 24 bytes follow its end");
  free(bytes);
  free(longer);
  close_scene(scene);
}

// How many steps a state was saved after; -1 of what is none.
static void test_steps_of_a_state(void **state) {
  (void)state;
  Scene *scene = open_scene("stand", NULL);
  for (int steps = 0; steps < 6; steps += 5) {
    size_t size;
    run(scene, steps);
    unsigned char *bytes = saved(scene, &size);
    assert_int_equal(scene_state_steps(bytes, size), steps);
    assert_int_equal(scene_state_steps(bytes, size - 1), -1);
    assert_int_equal(scene_state_steps(bytes, 3), -1);
    bytes[size / 2] ^= 1;
    assert_int_equal(scene_state_steps(bytes, size), -1);
    free(bytes);
  }
  close_scene(scene);
}

static void test_too_small_a_buffer(void **state) {
  (void)state;
  Scene *scene = open_scene("stand", NULL);
  const size_t size = scene_state_size(scene);
  unsigned char *bytes = malloc(size);
  for (size_t less = 1; less < size; less = 3 * less) {
    Error error = {0};
    assert_false(scene_state_save(scene, bytes, size - less, &error));
    assert_non_null(strstr(error.text, "a state needs"));
  }
  free(bytes);
  close_scene(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_saving_changes_nothing_and_repeats),
      cmocka_unit_test(test_late_senses),
      cmocka_unit_test(test_back_in_time),
      cmocka_unit_test(test_what_is_no_state_of_the_scene_is_refused),
      cmocka_unit_test(test_steps_of_a_state),
      cmocka_unit_test(test_nan_does_not_reach_the_world),
      cmocka_unit_test(test_bytes_after_the_end_are_refused),
      cmocka_unit_test(test_too_small_a_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
