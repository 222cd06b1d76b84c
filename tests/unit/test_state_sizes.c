// How many bytes the state of scenes of all kinds is, and that a fresh scene that gets it has all of it: what is not
// saved, or restored, differs when it is saved again.
#include "tests/unit/renewed_scene.h"

// Steps are those until something has happened that leaves its mark in the state.
static const struct {
  const char *scene, *overrides[3];
  int steps;
  size_t size; // bytes
} SCENES[] = {
    {"hit_assist", {"events.0.from=0.02"}, 60, 60713},
    {"lizard", {"duration=1"}, 24, 153976},
    {"lizard_attack", {"duration=1"}, 24, 111248},
    {"spider", {"duration=1"}, 24, 55026},
    {"scarf", {"duration=1"}, 24, 70510},
    {"dash", {"duration=1"}, 24, 212748},
    {"aim", {"duration=1"}, 24, 63360},
    {"biped", {"duration=1"}, 24, 286580},
    {"jump_gap", {"duration=1"}, 24, 243977},
    {"plan_hit", {"duration=1"}, 24, 60060},
    {"push_skill", {"duration=1"}, 24, 58604},
    {"fall_getup", {"events.0.time=0.05"}, 240, 256212},
    {"bridge", {"duration=1"}, 24, 63513},
    {"hit_props", {"duration=1"}, 24, 85995},
    {"walk_free", {"duration=1"}, 24, 59968},
    {"laboratory/lean_release", {"events.0.time=1", "world.solver=reduced"}, 24, 62687},
};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

static unsigned char *saved(const Scene *scene, size_t size) {
  Error error = {0};
  unsigned char *bytes = malloc(size);
  assert_non_null(bytes);
  if (!scene_state_save(scene, bytes, size, &error))
    fail_msg("%s", error.text);
  return bytes;
}

static SceneDef *read_scene(int i) {
  Error error = {0};
  int count = 0;
  while (count < 3 && SCENES[i].overrides[count])
    count++;
  SceneDef *def = scene_def_read(SCENES[i].scene, SCENES[i].overrides, count, &error);
  if (!def) {
    fail_msg("%s: %s", SCENES[i].scene, error.text);
    exit(1); // not reached
  }
  return def;
}

static void all_of_a_state_is_there(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < SCENE_COUNT; i++) {
    SceneDef *def = read_scene(i);
    Scene *scene = small_scene(def);
    for (int k = 0; k < SCENES[i].steps; k++)
      assert_true(scene_step(scene));
    const size_t size = scene_state_size(scene);
    if (size != SCENES[i].size)
      printf("%s: %zu bytes, not %zu\n", SCENES[i].scene, size, SCENES[i].size);
    unsigned char *first = saved(scene, size);
    scene = renewed_scene(scene, def);
    assert_int_equal(scene_state_size(scene), size);
    unsigned char *again = saved(scene, size);
    const bool same = memcmp(first, again, size) == 0;
    if (!same)
      printf("%s: its state is another one in a fresh scene\n", SCENES[i].scene);
    wrong += size != SCENES[i].size || !same;
    free(first);
    free(again);
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_a_state_is_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
