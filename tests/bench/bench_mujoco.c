// The same man here and in MuJoCo: masses, joints, limits, shapes and gains by `stagger body`, standing in his bind
// pose by his drives alone in steps of 1/240 s; here with all that a character has (animation, senses, metrics). Beside
// it, with the same MuJoCo: the man of stand_push, who balances and is pushed, and the runner of hit_run with his
// network. Prints CSV: steps a second of processor time, median and smallest of several turns that alternate, and how
// many times MuJoCo's that is. MuJoCo 2 or later is loaded while it runs (Debian: libmujoco-dev); without it there is
// nothing to compare.
#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

#include <stagger/stagger.h>

#include "ragdoll/body/body_mjcf.h"
#include "tests/bench/measure.h"

enum { TURNS = 7, STEPS = 480 };

typedef struct MuJoCo {
  void *(*load)(const char *path, const void *files, char *error, int size);
  void *(*make)(const void *model);
  void (*step)(const void *model, void *data);
  void (*reset)(const void *model, void *data);
  void *model, *data;
} MuJoCo;

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "bench_mujoco: %s\n", why);
  exit(1);
}

// A file of that ending that only this process uses. The caller frees the name.
static char *write_file(const char *ending, const char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/bench_mujoco_%ld.%s", (long)getpid(), ending);
  FILE *out = fopen(path, "w");
  if (!out || fwrite(text, 1, size, out) != size || fclose(out) != 0)
    stop("the folder /tmp cannot be written");
  return strdup(path);
}

// False: there is no MuJoCo.
static bool open_mujoco(MuJoCo *mujoco) {
  void *library = dlopen("libmujoco.so", RTLD_NOW);
  if (!library)
    return false;
  *mujoco = (MuJoCo){0};
  *(void **)&mujoco->load = dlsym(library, "mj_loadXML");
  *(void **)&mujoco->make = dlsym(library, "mj_makeData");
  *(void **)&mujoco->step = dlsym(library, "mj_step");
  *(void **)&mujoco->reset = dlsym(library, "mj_resetData");
  if (!mujoco->load || !mujoco->make || !mujoco->step || !mujoco->reset)
    stop("libmujoco.so lacks a function");
  Error error = {0};
  FileSet files = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  if (!body)
    stop(error.text);
  TextBuffer text = {0};
  body_write_mjcf(body, &text);
  char *path = write_file("xml", text.bytes, text.size), why[1000] = "";
  mujoco->model = mujoco->load(path, NULL, why, sizeof why);
  unlink(path);
  if (!mujoco->model)
    stop(why);
  mujoco->data = mujoco->make(mujoco->model);
  free(path);
  text_free(&text);
  body_free(body);
  files_free(&files);
  return true;
}

static double mujoco_rate(const MuJoCo *mujoco) {
  mujoco->reset(mujoco->model, mujoco->data);
  const double from = thread_seconds();
  for (int i = 0; i < STEPS; i++)
    mujoco->step(mujoco->model, mujoco->data);
  return STEPS / (thread_seconds() - from);
}

static StaggerScene *open_scene(const char *scene, const char *solver) {
  StaggerError *error = NULL;
  char override[64];
  snprintf(override, sizeof override, "world.solver=%s", solver);
  const char *const overrides[] = {"expect=[]", override};
  StaggerScene *opened = stagger_scene_open(scene, overrides, 2, &error);
  if (!opened)
    stop(stagger_error_text(error));
  return opened;
}

static double stagger_rate(StaggerScene *scene) {
  stagger_scene_reset(scene, 1, NULL);
  const double from = thread_seconds();
  if (stagger_scene_step(scene, STEPS) != STEPS)
    stop(stagger_scene_stop_reason(scene));
  return STEPS / (thread_seconds() - from);
}

static void print_row(const char *variant, const char *unit, double values[TURNS]) {
  qsort(values, TURNS, sizeof values[0], compare_doubles);
  printf("mujoco,%s,%s,%.4g,%.4g,\n", variant, unit, values[TURNS / 2], values[0]);
  fflush(stdout);
}

int main(void) {
  MuJoCo mujoco;
  if (!open_mujoco(&mujoco)) {
    fprintf(stderr, "bench_mujoco: there is no libmujoco.so\n");
    return 0;
  }
  static const char man[] = "purpose: A man stands by his drives alone.\n"
                            "duration: 60\nterrain: {kind: flat}\nworld: {dt: 1/240}\n"
                            "characters: [{name: man, body: bodies/human.yaml}]\n";
  char *path = write_file("yaml", man, sizeof man - 1);
  const struct {
    const char *name, *scene, *solver;
  } variants[] = {{"standing_reduced", path, "reduced"},
                  {"standing_step", path, "step"},
                  {"balance_reduced", "stand_push", "reduced"},
                  {"skill_reduced", "hit_run", "reduced"}};
  for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
    StaggerScene *scene = open_scene(variants[v].scene, variants[v].solver);
    double here[TURNS], there[TURNS], times[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      here[turn] = stagger_rate(scene);
      there[turn] = mujoco_rate(&mujoco);
      times[turn] = here[turn] / there[turn];
    }
    char row[64];
    print_row(variants[v].name, "steps/s", here);
    print_row("mujoco_standing", "steps/s", there);
    snprintf(row, sizeof row, "%s_to_mujoco", variants[v].name);
    print_row(row, "-", times);
    stagger_scene_close(scene);
  }
  unlink(path);
  free(path);
  return 0;
}
