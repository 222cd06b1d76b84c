// Saved, restored in another process and continued, a scene goes on to the same bits as one that was never interrupted:
// every scene that comes with Stagger, by every solver, at random moments (fixed seeds). After each step the hash of
// all bodies is compared, and in the end all metrics.
//
// The other process is this program again, with arguments. Usage: test_state [SCENE [SOLVER [STEPS BEFORE]]]
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

// Sanitizers make it slow; they see a part of it.
#ifdef __SANITIZE_ADDRESS__
enum { SOLVER_COUNT = 3, STEPS_AFTER = 48, LONGEST_STEPS = 96 };
#else
enum { SOLVER_COUNT = 3, STEPS_AFTER = 480, LONGEST_STEPS = 1920 };
#endif

static const char *const SOLVERS[] = {"step", "iterative", "reduced"};

static void fail(const char *scene, const char *solver, const char *what) {
  printf("FAIL %s, %s: %s\n", scene, solver, what);
}

// A scene at its beginning. NULL with a message.
static Scene *open_scene(const char *path, const char *solver) {
  char override[64];
  Error error = {0};
  snprintf(override, sizeof override, "world.solver=%s", solver);
  SceneDef *def = scene_def_read(path, (const char *const[]){override}, 1, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene)
    fail(path, solver, error.text);
  return scene;
}

static void close_scene(Scene *scene) {
  SceneDef *def = (SceneDef *)(uintptr_t)scene->def;
  scene_destroy(scene);
  scene_def_free(def);
}

// Steps, with the hash after each, then a hash of the metrics. Lines of text.
static void run_on(Scene *scene, FILE *out) {
  for (int i = 0; i < STEPS_AFTER && scene_step(scene); i++)
    fprintf(out, "%ld %016" PRIx64 "\n", scene->world->steps, world_hash(scene->world));
  scene_finish(scene);
  char *json = outcome_json(scene, &(RunOutcome){.status = "complete"});
  fprintf(out, "metrics %016" PRIx64 "\n%s\n", state_hash(STATE_HASH, json, strlen(json)), json);
  free(json);
}

// ---- The other process ----

static int resume(const char *path, const char *solver, const char *file) {
  Scene *scene = open_scene(path, solver);
  FILE *in = fopen(file, "rb");
  if (!scene || !in)
    return 1;
  fseek(in, 0, SEEK_END);
  const size_t size = (size_t)ftell(in);
  rewind(in);
  void *bytes = malloc(size + 1);
  Error error = {0};
  bool good = bytes && fread(bytes, 1, size, in) == size;
  fclose(in);
  good = good && scene_state_restore(scene, bytes, size, &error);
  if (good)
    run_on(scene, stdout);
  else
    printf("not restored: %s\n", error.text);
  free(bytes);
  close_scene(scene);
  return 0;
}

// ---- Here ----

static bool save(const Scene *scene, const char *file) {
  const size_t size = scene_state_size(scene);
  void *bytes = malloc(size);
  Error error = {0};
  bool good = bytes && scene_state_save(scene, bytes, size, &error);
  FILE *out = good ? fopen(file, "wb") : NULL;
  good = out && fwrite(bytes, 1, size, out) == size;
  good = out && fclose(out) == 0 && good;
  free(bytes);
  return good;
}

// The first line in which two texts differ; NULL: none does.
static const char *first_difference(const char *a, const char *b) {
  const char *line = a;
  for (; *a && *a == *b; a++, b++)
    if (*a == '\n')
      line = a + 1;
  return *a == *b ? NULL : line;
}

static char *read_all(FILE *in) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  char part[4096];
  for (size_t count; (count = fread(part, 1, sizeof part, in)) > 0;)
    fwrite(part, 1, count, memory);
  fclose(memory);
  return text;
}

// What the other process prints.
static char *ask(const char *path, const char *solver, const char *file) {
  char command[2048], self[1024] = "";
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    return NULL;
  snprintf(command, sizeof command, "'%s' --resume '%s' '%s' '%s'", self, path, solver, file);
  FILE *in = popen(command, "r"); // NOLINT(cert-env33-c)
  char *text = in ? read_all(in) : NULL;
  if (in)
    pclose(in);
  return text;
}

static bool try_moment(const char *path, const char *solver, long before, const char *file) {
  Scene *scene = open_scene(path, solver);
  if (!scene)
    return false;
  while (scene->world->steps < before && scene_step(scene))
    continue;
  char *mine = NULL, *theirs = NULL;
  size_t size = 0;
  bool good = save(scene, file);
  FILE *memory = open_memstream(&mine, &size);
  run_on(scene, memory);
  fclose(memory);
  theirs = good ? ask(path, solver, file) : NULL;
  const char *line = theirs ? first_difference(mine, theirs) : NULL;
  if (!theirs)
    fail(path, solver, "cannot be saved, or the other process does not run");
  if (line) {
    char text[160];
    snprintf(text, sizeof text, "saved after %ld steps, differs at: %.60s", before, line);
    fail(path, solver, text);
  }
  free(mine);
  free(theirs);
  close_scene(scene);
  return good && theirs && !line;
}

// A moment of a scene: it depends on the scene and the solver alone.
static long draw_moment(const char *path, const char *solver) {
  const char *slash = strrchr(path, '/');
  char name[256];
  snprintf(name, sizeof name, "%s.%s", slash ? slash + 1 : path, solver);
  Rng rng = rng_make(1, name);
  return rng_index(&rng, LONGEST_STEPS);
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--resume") == 0)
    return resume(argv[2], argv[3], argv[4]);
  const char *scenes = getenv("STAGGER_SCENES");
  char pattern[1024], file[] = "/tmp/stagger-state-XXXXXX";
  snprintf(pattern, sizeof pattern, "%s/%s.yaml", scenes ? scenes : "scenes", argc > 1 ? argv[1] : "*");
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0)
    return 1;
  close(mkstemp(file));
  int passed = 0, failed = 0;
  for (size_t i = 0; i < found.gl_pathc; i++)
    for (int k = 0; k < SOLVER_COUNT; k++) {
      if (argc > 2 && strcmp(argv[2], SOLVERS[k]) != 0)
        continue;
      const char *path = found.gl_pathv[i];
      long before = argc > 3 ? strtol(argv[3], NULL, 10) : draw_moment(path, SOLVERS[k]);
      *(try_moment(path, SOLVERS[k], before, file) ? &passed : &failed) += 1;
    }
  unlink(file);
  globfree(&found);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}
