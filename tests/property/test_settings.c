// Any settings of any shipped scene, valid or not, and physics beyond all ranges: the run continues, is refused or
// stops, the latter two with a reason. It never crashes or hangs, and leaves finite numbers only. Usage: settings
// [COUNT [FIRST]]: number of random combinations, and the first one; combination i is always the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/description/scene_list.h"
#include "scenes/run/outcome.h"
#include "scenes/run/scene.h"
#include "sim/base/rng.h"

enum { MOST_SETTINGS = 4096, MOST_OVERRIDES = 6, MOST_STEPS = 60, CPU_SECONDS = 60, PATH_SIZE = 256, VALUE_SIZE = 64 };
enum { RAN = 0, REFUSED = 2, STOPPED = 3, WRONG = 99 }; // exit statuses of a child

static long trial_count = 120, first_trial;
static SceneList scenes;
static SceneDef *defs[256]; // as shipped, read when first needed

// The parameters of a scene that can be set.
typedef struct Setting {
  char path[PATH_SIZE];
  const Param *row;
} Setting;

static Setting settings[MOST_SETTINGS];
static int setting_count;

static void add_table(const char *prefix, const ParamTable *table) {
  for (int i = 0; i < table->count && setting_count < MOST_SETTINGS; i++) {
    Setting *setting = &settings[setting_count++];
    setting->row = &table->rows[i];
    snprintf(setting->path, sizeof setting->path, "%s%s", prefix, table->rows[i].name);
  }
}

static void add_list(const char *key, int count, const ParamTable *table) {
  char prefix[PATH_SIZE];
  for (int i = 0; i < count; i++) {
    snprintf(prefix, sizeof prefix, "%s.%d.", key, i);
    add_table(prefix, table);
  }
}

static void add_character(const CharacterDef *character, int index) {
  char prefix[PATH_SIZE];
  for (int i = 0; i < character_section_count; i++) {
    snprintf(prefix, sizeof prefix, "characters.%d.%s.", index, character_sections[i].key);
    add_table(prefix, character_sections[i].table);
  }
  for (int i = 0; i < character->layers.count; i++) {
    snprintf(prefix, sizeof prefix, "characters.%d.layers.%d.", index, i);
    add_table(prefix, &layer_params);
    add_table(prefix, character->layers.layers[i].kind->params);
  }
}

static void collect_settings(const SceneDef *def) {
  char prefix[PATH_SIZE];
  setting_count = 0;
  add_table("", &run_params);
  for (int i = 0; i < scene_section_count; i++) {
    snprintf(prefix, sizeof prefix, "%s.", scene_sections[i].key);
    add_table(prefix, scene_sections[i].table);
  }
  for (int i = 0; i < def->character_count && i < 4; i++)
    add_character(&def->characters[i], i);
  add_list("events", def->event_count, &event_params);
  add_list("cameras", def->camera_count, &camera_params);
  add_list("targets", def->target_count, &target_params);
  add_list("platforms", def->platform_count, &platform_params);
  add_list("props", def->prop_count, &prop_params);
}

// Values in the range, at its limits, and far outside.
static double any_number(const Param *row, Rng *rng) {
  const double out[] = {0, -1, 1e9, -1e9, 1e-6, 1e308, 1e-308, 0.5, row->max * 1.000001, row->min - 1e-6};
  switch (rng_index(rng, 8)) {
  case 0:
    return row->min;
  case 1:
    return row->max;
  case 2:
    return out[rng_index(rng, sizeof out / sizeof out[0])];
  case 3: { // also small ones
    const double least = row->min > 0 ? row->min : row->max * 1e-6;
    return least * pow(row->max / least, rng_unit(rng));
  }
  default:
    return rng_range(rng, row->min, row->max);
  }
}

static void any_value(const Param *row, Rng *rng, char text[VALUE_SIZE]) {
  static const char *const wrong[] = {"",       "nan",      ".inf", "-.inf",       "text", "[]",     "{}",
                                      "[1, 2]", "[1, [2]]", "1/0",  "1e999",       "~",    "{a: 1}", "-",
                                      "'1'",    "true",     "\xff", "[nan, 1, 2]", "0x10", "- 1",    "&a 1"};
  if (rng_index(rng, 12) == 0) {
    snprintf(text, VALUE_SIZE, "%s", wrong[rng_index(rng, sizeof wrong / sizeof wrong[0])]);
    return;
  }
  switch (row->type) {
  case PARAM_BOOL:
    snprintf(text, VALUE_SIZE, "%s", rng_index(rng, 2) ? "true" : "false");
    break;
  case PARAM_INT:
    snprintf(text, VALUE_SIZE, "%.0f", any_number(row, rng));
    break;
  case PARAM_REAL:
    snprintf(text, VALUE_SIZE, "%.9g", any_number(row, rng));
    break;
  case PARAM_RANGE:
    snprintf(text, VALUE_SIZE, "[%.9g, %.9g]", any_number(row, rng), any_number(row, rng));
    break;
  case PARAM_VECTOR:
    snprintf(text, VALUE_SIZE, "[%.9g, %.9g, %.9g]", any_number(row, rng), any_number(row, rng), any_number(row, rng));
    break;
  case PARAM_CHOICE: { // one of the names between the bars
    const char *name = row->unit;
    for (int skip = rng_index(rng, 9); skip > 0; skip--) {
      const char *bar = strchr(name, '|');
      name = bar ? bar + 1 : row->unit;
    }
    snprintf(text, VALUE_SIZE, "%.*s", (int)strcspn(name, "|"), name);
    break;
  }
  case PARAM_TEXT:
    snprintf(text, VALUE_SIZE, "%s", (const char *[]){"x", "pelvis", "any", "clips/run.yaml", "."}[rng_index(rng, 5)]);
    break;
  }
}

// ---- One run, in a process of its own ----

static bool is_finite(const Scene *scene) {
  for (int i = 0; i < scene->world->body_count; i++) {
    const dReal *position = dBodyGetPosition(scene->world->bodies[i].ode);
    const dReal *velocity = dBodyGetLinearVel(scene->world->bodies[i].ode);
    if (!isfinite(position[0] + position[1] + position[2] + velocity[0] + velocity[1] + velocity[2]))
      return false;
  }
  return true;
}

// The trace can be opened, has the run's status, and its positions are finite.
static bool trace_is_sound(const char *path, const Scene *scene, const char *status) {
  Error error = {0};
  char parts[PATH_SIZE];
  TraceReader *reader = trace_open(path, &error);
  bool good = reader && strcmp(trace_text(reader, "status"), status) == 0;
  for (int i = 0; good && i < scene->character_count; i++) {
    long rows;
    int size;
    snprintf(parts, sizeof parts, "/characters/%s/parts/position", scene->def->characters[i].name);
    good = trace_shape(reader, parts, &rows, &size);
    float *values = good ? calloc((size_t)rows * (size_t)size + 1, sizeof *values) : NULL;
    good = values && trace_read(reader, parts, TRACE_FLOAT32, 0, rows, values, &error);
    for (long k = 0; good && k < rows * size; k++)
      good = isfinite(values[k]);
    free(values);
  }
  trace_reader_close(reader);
  return good;
}

// Prints what is wrong; the parent adds the settings.
static int wrong(const char *what) {
  fprintf(stderr, "%s\n", what);
  return WRONG;
}

static int run(SceneDef *def, long steps, bool recorded, Error *error) {
  char path[] = "/tmp/stagger_settings_XXXXXX";
  Scene *scene = scene_create(def, error);
  if (!scene)
    return error->text[0] != '\0' ? REFUSED : wrong("refused without a reason");
  TraceWriter *trace = NULL;
  if (recorded) {
    close(mkstemp(path));
    const TraceInfo info = scene_trace_info(def);
    trace = trace_create(path, &info, error);
    if (!trace || !scene_record(scene, trace, error))
      return wrong(error->text);
  }
  while (scene->world->steps < steps && scene->world->steps < def->step_count && scene_step(scene))
    continue;
  scene_finish(scene);
  const World *world = scene->world;
  char status[320] = "complete";
  if (world->stopped)
    snprintf(status, sizeof status, "stopped: %s", world->stop_reason);
  char *json = outcome_json(scene, &(RunOutcome){.status = status, .realtime_factor = 1});
  int code = world->stopped ? STOPPED : RAN;
  if (!json || (world->stopped ? world->stop_reason[0] == '\0' : !is_finite(scene)))
    code = wrong("stopped without a reason, or not finite");
  free(json);
  if (trace && (!trace_close(trace, status, error) || !trace_is_sound(path, scene, status)))
    code = wrong(error->text[0] != '\0' ? error->text : "the trace is not sound");
  if (recorded)
    unlink(path);
  scene_destroy(scene);
  return code;
}

// The child process, with a limit of processor time; a signal ends it later.
static pid_t begin_child(void) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    static const int signals[] = {SIGSEGV, SIGFPE, SIGILL, SIGBUS}; // cmocka would catch them
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
      signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS});
  }
  return child;
}

// The child's exit status; -1: ended by a signal.
static int end_child(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_overrides(const SceneDef *def, char (*overrides)[PATH_SIZE + VALUE_SIZE], int count, long steps,
                         bool recorded) {
  const char *texts[MOST_OVERRIDES];
  for (int i = 0; i < count; i++)
    texts[i] = overrides[i];
  Error error = {0};
  SceneDef *variant = scene_def_variant(def, texts, count, &error);
  if (!variant)
    return error.text[0] != '\0' ? REFUSED : wrong("refused without a reason");
  const int code = run(variant, steps, recorded, &error);
  scene_def_free(variant);
  return code;
}

static const SceneDef *read_scene(int index) {
  Error error = {0};
  if (!defs[index])
    defs[index] = scene_def_read(scenes.entries[index].name, NULL, 0, &error);
  if (!defs[index])
    fail_msg("%s", error.text);
  return defs[index];
}

// Returns the exit status, and prints the command line of a run that failed.
static int run_trial(long trial) {
  char name[32], overrides[MOST_OVERRIDES][PATH_SIZE + VALUE_SIZE], value[VALUE_SIZE];
  snprintf(name, sizeof name, "settings %ld", trial);
  Rng rng = rng_make(1, name);
  const int index = rng_index(&rng, scenes.count), count = 1 + rng_index(&rng, MOST_OVERRIDES);
  const SceneDef *def = read_scene(index);
  collect_settings(def);
  for (int i = 0; i < count; i++) {
    const Setting *setting = &settings[rng_index(&rng, setting_count)];
    any_value(setting->row, &rng, value);
    snprintf(overrides[i], sizeof overrides[i], "%s=%s", setting->path, value);
  }
  const long steps = (long)pow(MOST_STEPS, rng_unit(&rng));
  const bool recorded = rng_index(&rng, 8) == 0;
  const pid_t child = begin_child();
  if (child == 0)
    _exit(run_overrides(def, overrides, count, steps, recorded));
  const int code = end_child(child);
  if (code != RAN && code != REFUSED && code != STOPPED) {
    fprintf(stderr, "combination %ld (%s): %ld steps of stagger run %s", trial,
            code < 0 ? "a crash, or too slow" : "wrong", steps, def->name);
    for (int i = 0; i < count; i++)
      fprintf(stderr, " --set '%s'", overrides[i]);
    fputc('\n', stderr);
  }
  return code;
}

static void any_settings_run_or_say_why_not(void **state) {
  (void)state;
  long counts[4] = {0}, failed = 0;
  Error error = {0};
  assert_true(scene_list_read(&scenes, &error) && scenes.count > 0 && scenes.count < 256);
  for (long i = first_trial; i < first_trial + trial_count; i++) {
    const int code = run_trial(i);
    if (code == RAN || code == REFUSED || code == STOPPED)
      counts[code]++;
    else
      failed++;
  }
  print_message("%ld combinations: %ld ran, %ld were refused, %ld stopped, %ld failed\n", trial_count, counts[RAN],
                counts[REFUSED], counts[STOPPED], failed);
  assert_int_equal(failed, 0);
  assert_true(counts[RAN] > 0 && counts[REFUSED] > 0);
  for (int i = 0; i < scenes.count; i++)
    scene_def_free(defs[i]);
  scene_list_free(&scenes);
}

// ---- Physics beyond all ranges ----

// The first character's description, which only this run uses.
static BodyDef *body_of(const SceneDef *def) { return (BodyDef *)(uintptr_t)def->characters[0].body; }

static void stiff(SceneDef *def) {
  for (int k = 0; k < body_of(def)->part_count; k++) {
    JointDef *joint = &body_of(def)->parts[k].joint;
    joint->stiffness *= 1e9;
    joint->damping *= 1e9;
    joint->strength *= 1e9;
  }
}

static void light(SceneDef *def) {
  for (int k = 1; k < body_of(def)->part_count; k += 2) {
    PartDef *part = &body_of(def)->parts[k];
    for (int axis = 0; axis < 3; axis++)
      part->inertia[axis] *= 1e-6 / part->mass;
    part->mass = 1e-6;
  }
}

static void short_steps(SceneDef *def) { def->world.dt = 1e-5; }
static void long_steps(SceneDef *def) { def->world.dt = 0.1; }
static void underground(SceneDef *def) { def->characters[0].start.position[1] = -0.6; }
static void deep(SceneDef *def) { def->characters[0].start.position[1] = -500; }

// 1e9 N.
static void struck(SceneDef *def) {
  EventDef *event = &def->events[0];
  event->impulse[0] = event->impulse[1] = 1e9 * def->world.dt;
}

static void extreme_physics_is_contained(void **state) {
  (void)state;
  static void (*const extremes[])(SceneDef *) = {stiff, light, short_steps, long_steps, underground, deep, struck};
  static const char *const extreme_names[] = {"stiff",       "light", "short steps", "long steps",
                                              "underground", "deep",  "struck"};
  static const char *const names[] = {"hit_run", "walk_push", "spider"};
  static const char *const blow = "events=[{time: 0.02, impulse: 1, part: any}]";
  static const char *const solvers[] = {"world.solver=step", "world.solver=iterative", "world.solver=reduced"};
  int stopped = 0;
  for (int i = 0; i < 3 * 3 * 7; i++) {
    const char *name = names[i % 3], *overrides[] = {solvers[i / 3 % 3], blow};
    const pid_t child = begin_child();
    if (child == 0) {
      Error error = {0};
      SceneDef *def = scene_def_read(name, overrides, 2, &error);
      if (!def)
        _exit(wrong(error.text));
      extremes[i / 9](def);
      _exit(run(def, 100, true, &error));
    }
    const int code = end_child(child);
    if (code != RAN && code != STOPPED)
      fail_msg("%s, %s, %s: %d", name, overrides[0], extreme_names[i / 9], code);
    stopped += code == STOPPED;
  }
  print_message("63 extremes, %d of them stopped\n", stopped);
  assert_true(stopped > 0);
}

int main(int argc, char **argv) {
  if (argc > 1)
    trial_count = strtol(argv[1], NULL, 10);
  if (argc > 2)
    first_trial = strtol(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_settings_run_or_say_why_not),
      cmocka_unit_test(extreme_physics_is_contained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
