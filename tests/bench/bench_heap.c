// Limp bodies that fall onto each other and lie in a heap, by ODE's exact stepper alone (`step`, limits of motors
// always part of the solution: one plain dWorldStep) and by the reduced solver. Times of a step of the world with its
// collision, while they fall and while they lie, and the worst one; each step's time is the least of several runs,
// which pass through the same states. Prints CSV: benchmark,variant,unit,median,min,instructions; `worst` is a row of
// its own. Usage: bench_heap [BODIES]
#define _GNU_SOURCE // CLOCK_THREAD_CPUTIME_ID

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/run/scene.h"
#include "sim/reduced/reduced.h"
#include "tests/bench/measure.h"

enum { STEPS = 480, LYING = 300, RUNS = 2, MOST_BODIES = 8 };

static void fail(const char *text) {
  fprintf(stderr, "bench_heap: %s\n", text);
  exit(1);
}

// Dolls one above the other, turned and shifted a little so that they come to lie across.
static void write_scene(const char *path, int bodies) {
  FILE *file = fopen(path, "w");
  if (!file)
    fail("no scene");
  fprintf(file, "seed: 1\nduration: 4\nworld: {dt: 1/240}\nterrain: {kind: flat}\ncharacters:\n");
  for (int i = 0; i < bodies; i++)
    fprintf(file,
            "  - {name: doll%d, body: bodies/human.yaml, start: {position: [%g, %g, %g], heading: %d},\n"
            "     drive: {enabled: false}, hit_reaction: {enabled: false}}\n",
            i, 0.1 * i, 0.3 + 0.5 * i, 0.12 * (i % 3), 100 * i % 360);
  fclose(file);
}

// Least times of each step over the runs, us. Returns the largest number of contacts.
static int measure(const char *path, const char *solver, double us[STEPS]) {
  Error error = {0};
  int contacts = 0;
  for (int run = 0; run < RUNS; run++) {
    const char *settings[] = {solver, "world.motor_limits=always"};
    SceneDef *def = scene_def_read(path, settings, 2, &error);
    Scene *scene = def ? scene_create(def, &error) : NULL;
    if (!scene)
      fail(error.text);
    for (int i = 0; i < STEPS; i++) {
      double before = thread_seconds();
      if (!world_step(scene->world))
        fail(scene->world->stop_reason);
      double taken = 1e6 * (thread_seconds() - before);
      us[i] = run == 0 || taken < us[i] ? taken : us[i];
      contacts = scene->world->contact_count > contacts ? scene->world->contact_count : contacts;
    }
    if (run == 0 && scene->world->reduced) {
      ReducedStats stats = reduced_stats(scene->world->reduced);
      printf(
          "heap,reduced_problems,1/step,%.2f,,\nheap,reduced_pivots,1/step,%.2f,,\nheap,reduced_swept,1/step,%.3f,,\n",
          (double)stats.problems / STEPS, (double)stats.pivots / STEPS, (double)stats.swept / STEPS);
    }
    scene_destroy(scene);
    scene_def_free(def);
  }
  return contacts;
}

static void print_part(const char *name, const char *part, double us[], int count) {
  double sum = 0, worst = 0;
  for (int i = 0; i < count; i++) {
    sum += us[i];
    worst = us[i] > worst ? us[i] : worst;
  }
  qsort(us, (size_t)count, sizeof *us, compare_doubles);
  printf("heap,%s_%s,us/step,%.1f,%.1f,\n", name, part, us[count / 2], us[0]);
  printf("heap,%s_%s_mean,us/step,%.1f,,\n", name, part, sum / count);
  printf("heap,%s_%s_worst,us/step,%.1f,,\n", name, part, worst);
}

int main(int argc, char **argv) {
  bool given = argc > 1 && strcmp(argv[1], "--instructions") != 0; // an option of all benchmarks; this one counts none
  int bodies = given ? (int)strtol(argv[1], NULL, 10) : 2;
  const char *path = "/tmp/stagger_bench_heap.yaml";
  static const char *const names[] = {"step", "reduced"};
  if (bodies < 1 || bodies > MOST_BODIES)
    fail("1 to 8 bodies");
  write_scene(path, bodies);
  for (int i = 0; i < 2; i++) {
    static double us[STEPS];
    char setting[32];
    snprintf(setting, sizeof setting, "world.solver=%s", names[i]);
    int contacts = measure(path, setting, us);
    print_part(names[i], "falling", us, LYING);
    print_part(names[i], "lying", us + LYING, STEPS - LYING);
    printf("heap,%s_contacts,-,%d,,\n", names[i], contacts);
    fflush(stdout);
  }
  remove(path);
  return 0;
}
