// Cost of a step of a character beside bare ODE; it is hit while it runs (scenes/hit_assist.yaml), stands, walks, runs
// or has fallen. Variants of one run:
//   bare   ODE alone: the same bodies, joints and motors with the motor settings of the full run, recorded before;
//          collision, contact joints and ODE's step, nothing else
//   full   the whole step: animation, layers, drives, assist, hit reaction, measuring, metrics, and a trace at 60 Hz
//   ratio  full / bare, window by window; both runs pass through the same states, bit for bit, or the program fails
// The exact step that first leaves bounds out, the default of scenes, is compared with bare ODE with all bounds, and
// the reduced solver with QuickStep's bare run at 20 iterations; the states of these bare runs are their own ones of
// the same scene. Times are processor time of the simulating thread. With --instructions both run once more under
// callgrind, which also gives the instructions of the full step's stages. These exclude the hand-over of a trace to its
// writer: it is timed by the clock, and is fifty times as frequent in a program that is so much slower.
#define _GNU_SOURCE // RTLD_NEXT

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "scenes/run/scene.h"
#include "tests/bench/measure.h"
#include "tests/bench/ode_log.h"

enum {
  WINDOW = 120,      // steps that are timed together
  MOST_WINDOWS = 40, // 20 s
};

// A part of a scene: windows that pass first, those that are timed, and the steps that are counted under callgrind.
typedef struct Situation {
  const char *name, *scene;
  int skipped, windows, counted_steps;
} Situation;

static const Situation situations[] = {
    {"", "hit_assist.yaml", 0, MOST_WINDOWS, 960}, // with two hits
    {"_standing", "stand_quiet.yaml", 1, 8, 120},  {"_walking", "walk_free.yaml", 4, 8, 240},
    {"_running", "hit_assist.yaml", 2, 4, 120}, // before the first hit
    {"_fallen", "limp.yaml", 4, 8, 120},
};
enum { SITUATIONS = sizeof situations / sizeof situations[0] };

// The solver of the full step and the one of bare ODE.
typedef struct Mode {
  const char *name, *solver, *bare_solver, *iterations, *limits; // limits: of the full step; bare ODE always has them
  bool same_states;                                              // the states of bare ODE are those of the full step
} Mode;

#define ALWAYS "world.motor_limits=always"

static const Mode modes[] = {
    {"", "world.solver=step", "world.solver=step", "world.iterations=50", ALWAYS, true},
    {"_exact", "world.solver=step", "world.solver=step", "world.iterations=50", "world.motor_limits=reached", false},
    {"_iterative", "world.solver=iterative", "world.solver=iterative", "world.iterations=50", ALWAYS, true},
    {"_reduced", "world.solver=reduced", "world.solver=iterative", "world.iterations=20", ALWAYS, false},
};
enum { MODES = sizeof modes / sizeof modes[0] };

typedef struct Benchmark {
  char name[64];
  const Situation *situation;
  const Mode *mode;
} Benchmark;

static Benchmark benchmark_at(int index) {
  Benchmark benchmark = {.situation = &situations[index / MODES % SITUATIONS], .mode = &modes[index % MODES]};
  snprintf(benchmark.name, sizeof benchmark.name, "step%s%s", benchmark.situation->name, benchmark.mode->name);
  return benchmark;
}

static const char *const stages[] = {"events_step",         "character_pre_step",       "world_step",
                                     "character_post_step", "character_sample_metrics", "recorder_step",
                                     "recorder_frame"};
enum { STAGES = sizeof stages / sizeof stages[0] };

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "bench_step: ");
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

// A scene with everything that its run needs.
typedef struct Run {
  SceneDef *def;
  Scene *scene;
  TraceWriter *trace; // NULL: none
  char trace_path[64];
  OdeTargets targets;
} Run;

static void add_target(OdeTargets *targets, void *item) {
  if (targets->count == LOG_MAX_TARGETS)
    die("too many joints");
  if (item)
    targets->items[targets->count++] = item;
}

static void find_targets(Run *run) {
  for (int i = 0; i < run->scene->world->body_count; i++)
    add_target(&run->targets, run->scene->world->bodies[i].ode);
  for (int i = 0; i < run->scene->character_count; i++) {
    const Character *character = run->scene->characters[i];
    for (int k = 1; k < character->def->body->part_count; k++) {
      add_target(&run->targets, character->ragdoll->joints[k].motor);
      add_target(&run->targets, character->ragdoll->joints[k].limit);
    }
    add_target(&run->targets, character->assist.linear);
    add_target(&run->targets, character->assist.angular);
  }
}

static Run run_start(const Benchmark *benchmark, bool bare, bool traced) {
  Run run = {0};
  Error error = {0};
  const char *settings[] = {bare ? benchmark->mode->bare_solver : benchmark->mode->solver, benchmark->mode->iterations,
                            bare ? ALWAYS : benchmark->mode->limits, "world.dt=1/240"};
  run.def = scene_def_read(benchmark->situation->scene, settings, 4, &error);
  if (!run.def)
    die("%s", error.text);
  run.scene = scene_create(run.def, &error);
  if (!run.scene)
    die("%s", error.text);
  find_targets(&run);
  if (!traced)
    return run;
  TraceInfo info = scene_trace_info(run.def);
  snprintf(run.trace_path, sizeof run.trace_path, "/tmp/stagger_bench_%ld.h5", (long)getpid());
  run.trace = trace_create(run.trace_path, &info, &error);
  if (!run.trace || !scene_record(run.scene, run.trace, &error))
    die("%s", error.text);
  return run;
}

static void run_end(Run *run) {
  Error error = {0};
  if (run->trace) {
    scene_finish(run->scene);
    if (!trace_close(run->trace, "complete", &error))
      die("%s", error.text);
    remove(run->trace_path);
  }
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

// Full run.

static void step_full(Scene *scene, int count) {
  for (int i = 0; i < count; i++)
    if (!scene_step(scene))
      die("the scene stopped: %s", scene->world->stop_reason);
}

__attribute__((noinline)) static void bench_full_loop(Scene *scene, int count) { step_full(scene, count); }

// Bare run: a step of a program that uses nothing but ODE.

typedef struct Bare {
  World *world; // only its ODE parts and its settings are used
  const OdeTargets *targets;
  const OdeLog *log;
  int step;
} Bare;

static const WorldBody *body_of_geom(dGeomID geom) {
  dBodyID body = dGeomGetBody(geom);
  return body ? dBodyGetData(body) : NULL;
}

static bool bodies_collide(const WorldBody *a, const WorldBody *b) {
  if (!a || !b)
    return a || b;
  return a->owner != b->owner || a->collides[b->part];
}

static void collide_bare(void *data, dGeomID geom_a, dGeomID geom_b) {
  const World *world = data;
  if (dGeomIsSpace(geom_a) || dGeomIsSpace(geom_b)) {
    dSpaceCollide2(geom_a, geom_b, data, collide_bare);
    return;
  }
  const WorldBody *a = body_of_geom(geom_a), *b = body_of_geom(geom_b);
  if (!bodies_collide(a, b))
    return;
  enum { MOST = 16 };
  dContact contacts[MOST];
  int count = dCollide(geom_a, geom_b, world->def.contacts_per_pair, &contacts[0].geom, sizeof contacts[0]);
  for (int i = 0; i < count; i++) {
    contacts[i].surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
    contacts[i].surface.mu = world->def.friction;
    contacts[i].surface.soft_erp = world->def.contact_erp;
    contacts[i].surface.soft_cfm = world->def.contact_cfm;
    for (int k = 0; !a && k < 3; k++)
      contacts[i].geom.normal[k] = -contacts[i].geom.normal[k];
    dJointID joint = dJointCreateContact(world->ode, world->contact_group, &contacts[i]);
    const WorldBody *first = a ? a : b, *second = a ? b : NULL;
    dJointAttach(joint, first->ode, second ? second->ode : 0);
  }
}

// The steps before are full steps: a falling body gets contacts a step ahead, which a plain program does not make.
static void skip(Bare *bare, Scene *scene, int count) {
  step_full(scene, count);
  bare->step = count;
}

__attribute__((noinline)) static void bench_bare_loop(Bare *bare, int count) {
  World *world = bare->world;
  for (int i = 0; i < count; i++) {
    log_play(bare->log, bare->targets, bare->step++);
    dSpaceCollide(world->space, world, collide_bare);
    for (int k = 0; k < dSpaceGetNumGeoms(world->space); k++) {
      dGeomID geom = dSpaceGetGeom(world->space, k);
      if (dGeomIsSpace(geom))
        dSpaceCollide((dSpaceID)geom, world, collide_bare);
    }
    if (world->def.solver == SOLVER_ITERATIVE)
      dWorldQuickStep(world->ode, world->def.dt);
    else
      dWorldStep(world->ode, world->def.dt);
    dJointGroupEmpty(world->contact_group);
  }
}

// Recording: a full run before, untimed and without a trace.
static void record_log(const Benchmark *benchmark, int steps, OdeLog *log) {
  *log = (OdeLog){.first = calloc((size_t)steps + 1, sizeof *log->first)};
  if (!log->first)
    die("out of memory");
  Run run = run_start(benchmark, true, false);
  recording = log;
  recorded_targets = &run.targets;
  for (int i = 0; i < steps; i++) {
    log_begin_step(log);
    step_full(run.scene, 1);
  }
  recording = NULL;
  log->first[steps] = log->count;
  run_end(&run);
}

// Times.

typedef struct Result {
  double median, min;
} Result;

static Result summarize(double values[], int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return (Result){.median = (values[(count - 1) / 2] + values[count / 2]) / 2, .min = values[0]};
}

typedef struct Times {
  Result full, bare, ratio;
} Times;

// Both runs, in turns, so that disturbances of the machine affect both.
static Times measure_times(const Benchmark *benchmark, const OdeLog *log) {
  Run full = run_start(benchmark, false, true), other = run_start(benchmark, true, false);
  Bare bare = {.world = other.scene->world, .targets = &other.targets, .log = log};
  double full_us[MOST_WINDOWS], bare_us[MOST_WINDOWS], ratios[MOST_WINDOWS];
  const int windows = benchmark->situation->windows;
  step_full(full.scene, benchmark->situation->skipped * WINDOW);
  skip(&bare, other.scene, benchmark->situation->skipped * WINDOW);
  for (int i = 0; i < windows; i++) {
    double t0 = thread_seconds();
    bench_full_loop(full.scene, WINDOW);
    double t1 = thread_seconds();
    bench_bare_loop(&bare, WINDOW);
    double t2 = thread_seconds();
    full_us[i] = (t1 - t0) / WINDOW * 1e6;
    bare_us[i] = (t2 - t1) / WINDOW * 1e6;
    ratios[i] = full_us[i] / bare_us[i];
    uint64_t full_hash = world_hash(full.scene->world), bare_hash = world_hash(bare.world);
    if (benchmark->mode->same_states && full_hash != bare_hash)
      die("%s: the runs differ after %ld steps (%016" PRIx64 ", bare %016" PRIx64 ")", benchmark->name,
          full.scene->world->steps, full_hash, bare_hash);
  }
  run_end(&full);
  run_end(&other);
  return (Times){
      .full = summarize(full_us, windows), .bare = summarize(bare_us, windows), .ratio = summarize(ratios, windows)};
}

// Instructions: the program runs itself under callgrind, which counts only inside of the loop.

typedef struct Counts {
  double bare, full; // instructions per step, 0: not counted
  double stage[STAGES];
} Counts;

static double counted_total(const char *profile) {
  FILE *file = fopen(profile, "r");
  if (!file)
    return 0;
  char line[4096];
  double total = 0;
  while (total == 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "summary: %lf", &total) != 1)
      sscanf(line, "totals: %lf", &total);
  fclose(file);
  return total;
}

// "1,234,567 (12.3%)  scenes/x.c:name [...]": the number at the beginning of a line of callgrind_annotate.
static double leading_number(const char *line) {
  double number = 0;
  for (; *line == ' ' || *line == ',' || (*line >= '0' && *line <= '9'); line++)
    if (*line >= '0' && *line <= '9')
      number = 10 * number + (*line - '0');
  return number;
}

static void count_stages(const char *profile, double counts[STAGES]) {
  char command[512], line[4096];
  snprintf(command, sizeof command, "callgrind_annotate --inclusive=yes --threshold=100 '%s' 2>/dev/null", profile);
  FILE *pipe = popen(command, "r");
  while (pipe && fgets(line, sizeof line, pipe))
    for (int i = 0; i < STAGES; i++) {
      char name[64];
      snprintf(name, sizeof name, ":%s", stages[i]);
      const char *found = strstr(line, name);
      if (found && strchr(" \n[", found[strlen(name)]))
        counts[i] = fmax(counts[i], leading_number(line));
    }
  if (pipe)
    pclose(pipe);
}

static double count_variant(int benchmark, const char *variant, const char *log_path, double stage[STAGES]) {
  char program[256], profile[64], command[1024];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return 0;
  program[length] = '\0';
  snprintf(profile, sizeof profile, "/tmp/stagger_bench_%ld.callgrind", (long)getpid());
  snprintf(
      command, sizeof command,
      "valgrind --tool=callgrind --toggle-collect=bench_%s_loop --toggle-collect=hand_over --callgrind-out-file='%s' "
      "'%s' --count %d %s '%s' >/dev/null 2>'%s.log'",
      variant, profile, program, benchmark, variant, log_path, profile);
  bool ran = system(command) == 0;
  double total = ran ? counted_total(profile) : 0;
  if (!ran)
    fprintf(stderr, "bench_step: no instruction counts: %s.log tells why\n", profile);
  if (ran && stage)
    count_stages(profile, stage);
  remove(profile);
  snprintf(command, sizeof command, "%s.log", profile);
  if (ran)
    remove(command);
  const double steps = benchmark_at(benchmark).situation->counted_steps;
  for (int i = 0; stage && i < STAGES; i++)
    stage[i] /= steps;
  return total / steps;
}

static Counts measure_instructions(int benchmark, const OdeLog *log) {
  Counts counts = {0};
  char path[64];
  snprintf(path, sizeof path, "/tmp/stagger_bench_%ld.log", (long)getpid());
  if (!log_write(log, path))
    die("%s: %s", path, strerror(errno));
  counts.bare = count_variant(benchmark, "bare", path, NULL);
  counts.full = count_variant(benchmark, "full", path, counts.stage);
  remove(path);
  return counts;
}

// The child process' part: one variant only.
static void run_counted(const Benchmark *benchmark, const char *variant, const char *log_path) {
  bool is_full = strcmp(variant, "full") == 0;
  Run run = run_start(benchmark, !is_full, is_full);
  const int skipped = benchmark->situation->skipped * WINDOW, counted = benchmark->situation->counted_steps;
  if (is_full) {
    step_full(run.scene, skipped);
    bench_full_loop(run.scene, counted);
  } else {
    OdeLog log;
    if (!log_read(&log, log_path) || log.step_count < skipped + counted)
      die("%s: not a log", log_path);
    Bare bare = {.world = run.scene->world, .targets = &run.targets, .log = &log};
    skip(&bare, run.scene, skipped);
    bench_bare_loop(&bare, counted);
    log_free(&log);
  }
  run_end(&run);
}

// Results.

static void print_row(const char *benchmark, const char *variant, const char *unit, const Result *result,
                      double instructions, int decimals) {
  printf("%s,%s,%s,", benchmark, variant, unit);
  if (result)
    printf("%.3f,%.3f,", result->median, result->min);
  else
    printf(",,");
  if (instructions > 0)
    printf("%.*f", decimals, instructions);
  printf("\n");
}

static void print_results(const Benchmark *benchmark, const Times *times, const Counts *counts) {
  print_row(benchmark->name, "bare", "us/step", &times->bare, counts->bare, 0);
  print_row(benchmark->name, "full", "us/step", &times->full, counts->full, 0);
  print_row(benchmark->name, "ratio", "-", &times->ratio, counts->bare > 0 ? counts->full / counts->bare : 0, 4);
  for (int i = 0; i < STAGES && counts->full > 0; i++)
    print_row(benchmark->name, stages[i], "us/step", NULL, counts->stage[i], 0);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--count") == 0) {
    const Benchmark benchmark = benchmark_at(atoi(argv[2]));
    run_counted(&benchmark, argv[3], argv[4]);
    return 0;
  }
  bool counting = argc > 1 && strcmp(argv[1], "--instructions") == 0;
  if (counting && system("valgrind --version >/dev/null 2>&1") != 0) {
    fprintf(stderr, "bench_step: no valgrind, so no instruction counts\n");
    counting = false;
  }
  for (int i = 0; i < SITUATIONS * MODES; i++) {
    const Benchmark benchmark = benchmark_at(i);
    OdeLog log;
    record_log(&benchmark, (benchmark.situation->skipped + benchmark.situation->windows) * WINDOW, &log);
    Times times = measure_times(&benchmark, &log);
    Counts counts = counting ? measure_instructions(i, &log) : (Counts){0};
    print_results(&benchmark, &times, &counts);
    log_free(&log);
  }
  return 0;
}
