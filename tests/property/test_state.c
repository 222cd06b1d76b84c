// A scene that is saved, restored in another process and continued has the same bits as one that was never interrupted:
// every shipped scene by the reduced solver, and by one of the two others, which take turns; random moments (fixed
// seeds). The hash of all bodies is compared after each step, and in the end the state itself, byte for byte, and all
// metrics.
//
// The other process is this program again. It restores the moments of a scene in random order: the first into a scene
// that was just created, the others into one that has run, mostly back in time. Usage: test_state [SCENE [SOLVER
// [SEED]]]; SCENE: a part of a scene's path, of which every solver is tried.
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenes/run/outcome.h"
#include "scenes/run/scene_state.h"
#include "sim/base/rng.h"

// Number of steps by which each moment is continued. Sanitizers are slow, and make fewer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MOMENTS = 2, STEPS_ON = 24 };
static const double LONGEST[] = {0.5, 0.5, 1}; // s, by solver
#else
enum { MOMENTS = 3, STEPS_ON = 120 };
static const double LONGEST[] = {4, 4, 12};
#endif

static const char *const SOLVERS[] = {"step", "iterative", "reduced"};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

// A scene with a solver.
typedef struct Case {
  const char *path, *solver;
  bool bad;
} Case;

static void fail(Case *one, const char *what, const char *detail) {
  printf("FAIL %s, %s: %s%s\n", one->path, one->solver, what, detail);
  one->bad = true;
}

static Scene *open_scene(Case *one) {
  char override[64];
  Error error = {0};
  snprintf(override, sizeof override, "world.solver=%s", one->solver);
  SceneDef *def = scene_def_read(one->path, (const char *const[]){override}, 1, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene) {
    fail(one, error.text, "");
    scene_def_free(def);
  }
  return scene;
}

static void close_scene(Scene *scene) {
  if (!scene)
    return;
  SceneDef *def = (SceneDef *)(uintptr_t)scene->def;
  scene_destroy(scene);
  scene_def_free(def);
}

// ---- States in memory and in files ----

typedef struct Bytes {
  unsigned char *bytes;
  size_t size;
} Bytes;

static Bytes save(Case *one, const Scene *scene) {
  Bytes state = {.size = scene_state_size(scene)};
  Error error = {0};
  state.bytes = malloc(state.size + 1);
  if (!state.bytes || !scene_state_save(scene, state.bytes, state.size, &error))
    fail(one, "not saved: ", error.text);
  return state;
}

static bool write_bytes(FILE *out, const void *bytes, size_t size) {
  return fwrite(&size, sizeof size, 1, out) == 1 && fwrite(bytes, 1, size, out) == size;
}

static Bytes read_bytes(FILE *in) {
  Bytes read = {0};
  if (fread(&read.size, sizeof read.size, 1, in) != 1)
    return read;
  read.bytes = malloc(read.size + 1);
  if (fread(read.bytes, 1, read.size, in) != read.size)
    read.size = 0;
  read.bytes[read.size] = '\0';
  return read;
}

static bool same_bytes(const Bytes *a, const Bytes *b) {
  return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// ---- Continuation of a moment ----

// Hashes after each step, the state at the end, and the metrics at that time.
static void run_on(Case *one, Scene *scene, FILE *out) {
  uint64_t hashes[STEPS_ON] = {0};
  for (int i = 0; i < STEPS_ON && scene_step(scene); i++)
    hashes[i] = world_hash(scene->world);
  Bytes state = save(one, scene);
  char *metrics = outcome_json(scene, &(RunOutcome){.status = "complete"});
  write_bytes(out, hashes, sizeof hashes);
  write_bytes(out, state.bytes, state.size);
  write_bytes(out, metrics, strlen(metrics));
  free(metrics);
  free(state.bytes);
}

static void compare(Case *one, long moment, FILE *mine, FILE *theirs) {
  static const char *const WHAT[] = {"the bodies of a step", "the state in the end", "the metrics"};
  for (int i = 0; i < 3; i++) {
    Bytes a = read_bytes(mine), b = read_bytes(theirs);
    char where[64];
    snprintf(where, sizeof where, " saved after %ld steps", moment);
    if (!a.bytes || !b.bytes || !same_bytes(&a, &b))
      fail(one, WHAT[i], where);
    free(a.bytes);
    free(b.bytes);
  }
}

// ---- The other process: reads states, and writes their continuations ----

static int other_process(char **argv) {
  Case one = {.path = argv[2], .solver = argv[3]};
  FILE *in = fopen(argv[4], "rb"), *out = fopen(argv[5], "wb");
  Scene *scene = open_scene(&one);
  for (Bytes state; scene && in && out && (state = read_bytes(in)).bytes;) {
    Error error = {0};
    if (!scene_state_restore(scene, state.bytes, state.size, &error))
      fail(&one, "not restored: ", error.text);
    Bytes again = save(&one, scene);
    if (!same_bytes(&again, &state))
      fail(&one, "what was restored is saved as something else", "");
    run_on(&one, scene, out);
    free(again.bytes);
    free(state.bytes);
  }
  close_scene(scene);
  return !in || !out || fclose(in) != 0 || fclose(out) != 0 || one.bad;
}

static bool run_other_process(const Case *one, const char *states, const char *results) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "test_state", "--other", one->path, one->solver, states, results, (char *)NULL);
    _exit(9);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// ---- This process ----

// Moments of a scene: they depend on the scene, the solver and the seed only.
static void draw_moments(const Case *one, const Scene *scene, unsigned seed, long moments[MOMENTS]) {
  const char *slash = strrchr(one->path, '/');
  char name[256];
  int solver = 0;
  while (strcmp(SOLVERS[solver], one->solver) != 0)
    solver++;
  snprintf(name, sizeof name, "%s.%s", slash ? slash + 1 : one->path, one->solver);
  Rng rng = rng_make(seed, name);
  long steps = (long)(LONGEST[solver] / scene->world->def.dt), most = scene->def->step_count;
  steps = (steps < most ? steps : most) - STEPS_ON;
  for (int i = 0; i < MOMENTS; i++)
    moments[i] = rng_index(&rng, steps > 1 ? (int)steps : 1);
}

// An uninterrupted run to the end of the last moment's steps. states: at the moments; mine: the continuation of each.
static void run_through(Case *one, Scene *scene, const long moments[MOMENTS], FILE *states, FILE *mine[MOMENTS]) {
  static uint64_t hashes[MOMENTS][STEPS_ON];
  Bytes saved[MOMENTS] = {0};
  memset(hashes, 0, sizeof hashes);
  for (bool running = true; running;) {
    long now = scene->world->steps;
    bool left = false;
    for (int i = 0; i < MOMENTS; i++) {
      if (now == moments[i] && !saved[i].bytes)
        saved[i] = save(one, scene);
      left = left || now < moments[i] + STEPS_ON;
      if (now != moments[i] + STEPS_ON)
        continue;
      Bytes state = save(one, scene);
      char *metrics = outcome_json(scene, &(RunOutcome){.status = "complete"});
      write_bytes(mine[i], hashes[i], sizeof hashes[i]);
      write_bytes(mine[i], state.bytes, state.size);
      write_bytes(mine[i], metrics, strlen(metrics));
      free(metrics);
      free(state.bytes);
    }
    running = left && scene_step(scene);
    for (int i = 0; i < MOMENTS && running; i++)
      if (now >= moments[i] && now < moments[i] + STEPS_ON)
        hashes[i][now - moments[i]] = world_hash(scene->world);
  }
  for (int i = 0; i < MOMENTS; i++) {
    if (saved[i].bytes)
      write_bytes(states, saved[i].bytes, saved[i].size);
    free(saved[i].bytes);
  }
}

static bool try_case(Case *one, unsigned seed, const char *folder) {
  char states_path[256], results_path[256];
  snprintf(states_path, sizeof states_path, "%s/states", folder);
  snprintf(results_path, sizeof results_path, "%s/results", folder);
  Scene *scene = open_scene(one);
  FILE *states = fopen(states_path, "wb"), *mine[MOMENTS];
  long moments[MOMENTS];
  for (int i = 0; i < MOMENTS; i++)
    mine[i] = tmpfile();
  if (!scene || !states)
    return false;
  draw_moments(one, scene, seed, moments);
  run_through(one, scene, moments, states, mine);
  bool stopped = scene->world->stopped;
  fclose(states);
  if (!run_other_process(one, states_path, results_path))
    fail(one, "the other process failed", "");
  FILE *theirs = fopen(results_path, "rb");
  for (int i = 0; i < MOMENTS; i++) {
    rewind(mine[i]);
    if (theirs && !stopped)
      compare(one, moments[i], mine[i], theirs);
    fclose(mine[i]);
  }
  if (!theirs || fclose(theirs) != 0)
    fail(one, "no results", "");
  unlink(states_path);
  unlink(results_path);
  close_scene(scene);
  return !one->bad;
}

int main(int argc, char **argv) {
  if (argc == 6 && strcmp(argv[1], "--other") == 0)
    return other_process(argv);
  const char *scenes = getenv("STAGGER_SCENES"), *part = argc > 1 ? argv[1] : "";
  unsigned seed = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
  char pattern[1024], folder[] = "/tmp/stagger-state-XXXXXX";
  snprintf(pattern, sizeof pattern, "%s/*.yaml", scenes ? scenes : "scenes");
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0 || !mkdtemp(folder))
    return 1;
  int passed = 0, failed = 0;
  for (size_t i = 0; i < found.gl_pathc; i++)
    for (int k = 0; k < SOLVER_COUNT; k++) {
      const bool others_turn = argc < 2 && k < 2 && k != (int)i % 2;
      if (others_turn || !strstr(found.gl_pathv[i], part) || (argc > 2 && strcmp(argv[2], SOLVERS[k]) != 0))
        continue;
      Case one = {.path = found.gl_pathv[i], .solver = SOLVERS[k]};
      *(try_case(&one, seed, folder) ? &passed : &failed) += 1;
    }
  rmdir(folder);
  globfree(&found);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}
