// A man runs in a circle over bumps, is struck every second or two (scenes/hit_run.yaml), gets up after falls and
// continues: the memory in use stays the same, and a second run passes through the same states. Usage: soak [SECONDS]:
// simulated time; a day is 86400.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/run/scene.h"
#include "sim/base/numbers.h"

static double seconds = 20;
static bool tells; // the largest deviations of the run

static const double RADIUS = 25;          // m
static const size_t MOST_GROWTH = 100000; // bytes after a quarter of the time: lists that double once more

static Scene *start(SceneDef **def) {
  static const char *const settings[] = {
      "duration=3600",
      "events.0.from=1",
      "terrain.x=[-40, 40]",
      "terrain.z=[-40, 40]",
      "characters.0.start.position=[-25, 0, 0]",
      "characters.0.fall.prone=clips/get_up_prone.yaml",
      "characters.0.fall.supine=clips/get_up_supine.yaml",
      "characters.0.fall.force=600",
  };
  Error error = {0};
  *def = scene_def_read("hit_run.yaml", settings, sizeof settings / sizeof settings[0], &error);
  if (!*def)
    fail_msg("%s", error.text);
  Scene *scene = scene_create(*def, &error);
  if (!scene)
    fail_msg("%s", error.text);
  return scene;
}

static void finish(Scene *scene, SceneDef *def) {
  scene_destroy(scene);
  scene_def_free(def);
}

// Steers the runner around the middle, and back to the circle after a hit or a fall.
static void lead(Character *runner) {
  const double x = runner->root.position[0], z = runner->root.position[2];
  const double off = fmax(-1, fmin(1, 0.2 * (hypot(x, z) - RADIUS)));
  runner->intent.heading =
      atan2(z - off * x, -x - off * z) / RAD_PER_DEGREE; // along the circle, and inward by the share `off`
}

static void step(Scene *scene) {
  lead(scene->characters[0]);
  if (!scene_step(scene))
    fail_msg("%s", scene->world->stop_reason);
}

static void a_second_run_has_the_same_states_and_memory_is_constant(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = start(&def);
  const long half = lround(seconds / def->world.dt / 2);
  size_t early = 0;
  uint64_t hash_at_half = 0;
  long steps_down = 0, falls = 0;
  for (long i = 0; i < 2 * half; i++) {
    const bool was_down = scene->characters[0]->down;
    step(scene);
    steps_down += scene->characters[0]->down;
    falls += scene->characters[0]->down && !was_down;
    if (i + 1 == half / 2)
      early = mallinfo2().uordblks;
    if (i + 1 == half)
      hash_at_half = world_hash(scene->world);
    if (tells && (i + 1) % (half / 24 + 1) == 0)
      fprintf(stderr, "%.0f s: %zu bytes, state %016" PRIx64 ", %ld falls, %.1f m from the middle\n",
              scene->world->time, mallinfo2().uordblks, world_hash(scene->world), falls,
              hypot(scene->characters[0]->root.position[0], scene->characters[0]->root.position[2]));
  }
  const size_t late = mallinfo2().uordblks;
  printf("%.0f s: memory grew by %lld bytes, %ld falls, %.1f s down\n", seconds, (long long)late - (long long)early,
         falls, (double)steps_down * def->world.dt);
  finish(scene, def);
  assert_in_range(late > early ? late - early : 0, 0, MOST_GROWTH);
  assert_true((double)steps_down < 0.5 * (double)(2 * half));

  scene = start(&def);
  for (long i = 0; i < half; i++)
    step(scene);
  assert_true(world_hash(scene->world) == hash_at_half);
  finish(scene, def);
}

int main(int argc, char *argv[]) {
  if (argc > 1) {
    seconds = strtod(argv[1], NULL);
    tells = true;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_second_run_has_the_same_states_and_memory_is_constant)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
