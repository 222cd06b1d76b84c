// Cost of a character among others: 1, 4, 16, 64 and 256 men who stand by themselves, 2 m apart, in one world
// (`shared`) or each in a world of his own (`separate`), by the exact and by the reduced solver. Also two limp men, one
// on top of the other (`heap`), beside one (`lying`), and two who stand with their arms against each other (`close`),
// beside one (`standing`). Prints CSV, for a step of one character; for heap and close, of both. `growth_N` is shared_N
// / shared_1, `touching` is heap / lying and `touching_standing` close / standing, turn by turn. With --instructions
// each world runs once more under callgrind, which counts the same steps of all of them.
#include <math.h>

#include "scenes/run/scene.h"
#include "tests/bench/measure.h"

enum { MOST = 256, TURNS = 7, TURN_STEPS = 256 };

typedef enum Arrangement { APART, CLOSE, LIMP } Arrangement;

// Steps before the measurement, and measured steps: contacts begin and end.
static const int warm_up[] = {[APART] = 2, [CLOSE] = 720, [LIMP] = 480};
static const int counted_steps[] = {[APART] = 2, [CLOSE] = 60, [LIMP] = 60};

static const char *const solvers[] = {"step", "reduced"};
static const int sizes[] = {1, 4, 16, 64, MOST};
enum { SOLVERS = sizeof solvers / sizeof solvers[0], SIZES = sizeof sizes / sizeof sizes[0] };

static _Noreturn void stop(const char *message) {
  fprintf(stderr, "bench_crowd: %s\n", message);
  exit(1);
}

// Worlds that are stepped in turns.
typedef struct Crowd {
  SceneDef *def; // of all of them
  Scene *scenes[MOST];
  int count;
} Crowd;

// As an override of a scene. They stand in rows of 16, so close that arms overlap, or apart; limp ones are one above
// the other, in the air.
static void write_characters(int count, Arrangement arrangement, char *text, size_t size) {
  const bool limp = arrangement == LIMP;
  const double spacing = arrangement == CLOSE ? 0.42 : 2;
  size_t length = (size_t)snprintf(text, size, "characters=[");
  for (int i = 0; i < count; i++) {
    const int row = i / 16, column = i % 16;
    const double x = limp ? 0.1 * i : spacing * column, y = limp ? 0.5 + 0.4 * i : 0, z = limp ? 0 : 2.0 * row;
    const int heading = limp ? 90 * i % 360 : 0; // across each other, so that none slides off
    const char *way = limp ? "drive: {enabled: false}" : "balance: {enabled: true}";
    length +=
        (size_t)snprintf(text + length, size - length,
                         "{name: c%d, body: bodies/human.yaml, %s, start: {position: [%g, %g, %g], heading: %d}}, ", i,
                         way, x, y, z, heading);
  }
  snprintf(text + length, size - length, "]");
}

static void step(Crowd *crowd, int count) {
  for (int k = 0; k < count; k++)
    for (int i = 0; i < crowd->count; i++)
      if (!scene_step(crowd->scenes[i]))
        stop(crowd->scenes[i]->world->stop_reason);
}

// `worlds` of them with `characters` each.
static Crowd *crowd_create(const char *solver, int worlds, int characters, Arrangement arrangement) {
  static char text[MOST * 128];
  char solver_text[32];
  Error error = {0};
  Crowd *crowd = calloc(1, sizeof *crowd);
  if (!crowd)
    stop("out of memory");
  write_characters(characters, arrangement, text, sizeof text);
  snprintf(solver_text, sizeof solver_text, "world.solver=%s", solver);
  crowd->def = scene_def_read("stand.yaml", (const char *const[]){text, solver_text, "expect=[]"}, 3, &error);
  if (!crowd->def)
    stop(error.text);
  for (crowd->count = 0; crowd->count < worlds; crowd->count++)
    if (!(crowd->scenes[crowd->count] = scene_create(crowd->def, &error)))
      stop(error.text);
  step(crowd, warm_up[arrangement]);
  return crowd;
}

static void crowd_free(Crowd *crowd) {
  for (int i = 0; i < crowd->count; i++)
    scene_destroy(crowd->scenes[i]);
  scene_def_free(crowd->def);
  free(crowd);
}

// Whether characters touched each other in the last step.
static bool touches(const World *world) {
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    if (contact->other >= 0 && world->bodies[contact->body].owner != world->bodies[contact->other].owner)
      return true;
  }
  return false;
}

// Duration of a step of the crowd, us.
static double time_steps(Crowd *crowd, int count) {
  const double from = thread_seconds();
  step(crowd, count);
  return 1e6 * (thread_seconds() - from) / count;
}

// Callgrind counts only this.
void bench_crowd_steps(Crowd *crowd, int count);
__attribute__((noinline, noclone)) void bench_crowd_steps(Crowd *crowd, int count) { step(crowd, count); }

// Instructions of a step of the crowd, counted in another process; 0: not counted.
static double count_steps(const char *program, const char *solver, int characters, Arrangement arrangement) {
  char arguments[64];
  if (!program)
    return 0;
  snprintf(arguments, sizeof arguments, "--count %s %d %d", solver, characters, (int)arrangement);
  return fmax(callgrind_instructions(program, arguments, "bench_crowd_steps"), 0) / counted_steps[arrangement];
}

// In the child process.
static void run_counted(const char *solver, int characters, Arrangement arrangement) {
  Crowd *crowd = crowd_create(solver, 1, characters, arrangement);
  bench_crowd_steps(crowd, counted_steps[arrangement]);
  if (arrangement != APART && characters > 1 && !touches(crowd->scenes[0]->world))
    stop("nobody touches anybody");
  crowd_free(crowd);
}

static void print_row(const char *solver, const char *variant, int number, const char *unit, double values[TURNS],
                      double instructions) {
  qsort(values, TURNS, sizeof values[0], compare_doubles);
  printf("crowd_%s,%s", solver, variant);
  if (number > 0)
    printf("_%d", number);
  printf(",%s,%.4g,%.4g,", unit, values[TURNS / 2], values[0]);
  if (instructions > 0)
    printf(unit[0] == '-' ? "%.4f" : "%.0f", instructions);
  printf("\n");
  fflush(stdout);
}

static void measure_growth(const char *program, const char *solver) {
  Crowd *shared[SIZES], *separate[SIZES];
  double shared_us[SIZES][TURNS], separate_us[SIZES][TURNS], growth[SIZES][TURNS], instructions[SIZES];
  for (int i = 0; i < SIZES; i++) {
    shared[i] = crowd_create(solver, 1, sizes[i], APART);
    separate[i] = crowd_create(solver, sizes[i], 1, APART);
  }
  for (int turn = 0; turn < TURNS; turn++)
    for (int i = 0; i < SIZES; i++) {
      const int steps = TURN_STEPS / sizes[i];
      shared_us[i][turn] = time_steps(shared[i], steps) / sizes[i];
      separate_us[i][turn] = time_steps(separate[i], steps) / sizes[i];
      growth[i][turn] = shared_us[i][turn] / shared_us[0][turn];
    }
  for (int i = 0; i < SIZES; i++) {
    instructions[i] = count_steps(program, solver, sizes[i], APART) / sizes[i];
    print_row(solver, "separate", sizes[i], "us/step", separate_us[i], 0);
    print_row(solver, "shared", sizes[i], "us/step", shared_us[i], instructions[i]);
    print_row(solver, "growth", sizes[i], "-", growth[i], instructions[0] > 0 ? instructions[i] / instructions[0] : 0);
    crowd_free(shared[i]);
    crowd_free(separate[i]);
  }
}

// One beside two who touch.
static void measure_touching(const char *program, const char *solver, Arrangement arrangement,
                             const char *const names[]) {
  Crowd *alone = crowd_create(solver, 1, 1, arrangement), *both = crowd_create(solver, 1, 2, arrangement);
  double alone_us[TURNS], both_us[TURNS], ratio[TURNS];
  for (int turn = 0; turn < TURNS; turn++) {
    alone_us[turn] = time_steps(alone, TURN_STEPS / 2);
    both_us[turn] = time_steps(both, TURN_STEPS / 2);
    ratio[turn] = both_us[turn] / alone_us[turn];
    if (!touches(both->scenes[0]->world))
      stop("nobody touches anybody");
  }
  const double one = count_steps(program, solver, 1, arrangement), two = count_steps(program, solver, 2, arrangement);
  print_row(solver, names[0], 0, "us/step", alone_us, one);
  print_row(solver, names[1], 0, "us/step", both_us, two);
  print_row(solver, names[2], 0, "-", ratio, one > 0 ? two / one : 0);
  crowd_free(alone);
  crowd_free(both);
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--count") == 0) {
    run_counted(argv[2], atoi(argv[3]), (Arrangement)atoi(argv[4]));
    return 0;
  }
  const char *program = argc > 1 && strcmp(argv[1], "--instructions") == 0 ? argv[0] : NULL;
  for (int i = 0; i < SOLVERS; i++) {
    measure_growth(program, solvers[i]);
    measure_touching(program, solvers[i], LIMP, (const char *[]){"lying", "heap", "touching"});
    measure_touching(program, solvers[i], CLOSE, (const char *[]){"standing", "close", "touching_standing"});
  }
  return 0;
}
