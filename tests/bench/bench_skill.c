// Cost of learnt controllers: one decision of networks of several sizes, and the learning part of the learner alone, on
// one thread, in a task that costs nothing. Prints CSV: median and smallest of several runs.
//
//   bench_skill                  times
//   bench_skill --instructions   also instructions per decision, from a run under valgrind --tool=callgrind

#include "ragdoll/skill/skill_network.h"
#include "scenes/train/learner.h"
#include "sim/base/rng.h"
#include "tests/bench/measure.h"

enum { RUNS = 9, DECISIONS = 2000, INPUTS = 127, OUTPUTS = 27 };

static const NetworkShape shapes[] = {
    {INPUTS, {256, 128}, OUTPUTS}, {INPUTS, {256, 256}, OUTPUTS}, {INPUTS, {128, 64}, OUTPUTS}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static _Noreturn void stop(const char *message) {
  fprintf(stderr, "bench_skill: %s\n", message);
  exit(1);
}

static SkillNetwork random_network(NetworkShape shape) {
  Error error = {0};
  SkillNetwork network;
  Rng rng = rng_make(1, "bench");
  if (!skill_network_init(&network, shape, &error))
    stop(error.text);
  for (size_t i = 0; i < network_size(shape); i++)
    network.weights[i] = (float)rng_range(&rng, -0.1, 0.1);
  return network;
}

// Each decision depends on the one before; callgrind counts only this.
void decide(const SkillNetwork *network, float inputs[INPUTS]);
__attribute__((noinline, noclone)) void decide(const SkillNetwork *network, float inputs[INPUTS]) {
  float outputs[OUTPUTS];
  for (int i = 0; i < DECISIONS; i++) {
    skill_network_run(network, inputs, outputs);
    for (int k = 0; k < OUTPUTS; k++)
      inputs[k] = 0.5f * inputs[k] + outputs[k];
  }
}

static void print_row(const char *what, const char *unit, double times[RUNS], double instructions) {
  qsort(times, RUNS, sizeof times[0], compare_doubles);
  printf("skill,%s,%s,%.0f,%.0f,", what, unit, times[RUNS / 2], times[0]);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\n");
}

static void bench_decision(NetworkShape shape, const char *program, int index, bool counts) {
  SkillNetwork network = random_network(shape);
  float inputs[INPUTS] = {1};
  double times[RUNS], instructions = -1;
  char what[64], argument[16];
  for (int run = 0; run < RUNS; run++) {
    const double start = thread_seconds();
    decide(&network, inputs);
    times[run] = 1e9 * (thread_seconds() - start) / DECISIONS;
  }
  snprintf(argument, sizeof argument, "%d", index);
  if (counts)
    instructions = callgrind_instructions(program, argument, "decide") / DECISIONS;
  snprintf(what, sizeof what, "decision_%dx%dx%dx%d", shape.inputs, shape.hidden[0], shape.hidden[1], shape.outputs);
  print_row(what, "ns", times, instructions);
  skill_network_free(&network);
}

// A task whose inputs are random numbers.
static void task_inputs(Rng *rng, float inputs[]) {
  for (int i = 0; i < INPUTS; i++)
    inputs[i] = (float)rng_unit(rng);
}

static void task_reset(void *context, int environment, float inputs[]) {
  task_inputs((Rng *)context + environment, inputs);
}

static LearningStep task_step(void *context, int environment, const float action[], float inputs[]) {
  task_inputs((Rng *)context + environment, inputs);
  return (LearningStep){.reward = action[0] > 0 ? 1 : 0};
}

static void task_state(void *context, int environment, StateStream *stream) {
  state_rng((Rng *)context + environment, stream);
}

// ns per sample, of all epochs.
static void bench_learning(void) {
  LearnerDef def;
  Error error = {0};
  LearnerReport report;
  double times[RUNS];
  static Rng random[4096];
  param_defaults(&learner_params, &def);
  const LearningTask task = {.inputs = INPUTS,
                             .outputs = OUTPUTS,
                             .environments = def.environments,
                             .context = random,
                             .reset = task_reset,
                             .step = task_step,
                             .state = task_state};
  for (int i = 0; i < def.environments; i++)
    random[i] = rng_make((uint64_t)i, "bench");
  Learner *learner = learner_create(&def, &task, 1, 1, &error);
  if (!learner)
    stop(error.text);
  for (int run = 0; run < RUNS; run++) {
    const double start = thread_seconds();
    learner_iterate(learner, &report);
    const double learning = thread_seconds() - start - report.collecting_s;
    times[run] = 1e9 * learning / (def.environments * def.horizon);
  }
  learner_destroy(learner);
  print_row("learning_sample", "ns", times, -1);
  printf("skill,learning,samples/s,%.0f,%.0f,\n", 1e9 / times[RUNS / 2], 1e9 / times[0]);
}

int main(int argc, char **argv) {
  const bool counts = argc == 2 && strcmp(argv[1], "--instructions") == 0;
  if (argc == 2 && !counts) { // for callgrind
    SkillNetwork network = random_network(shapes[(unsigned)atoi(argv[1]) % SHAPES]);
    float inputs[INPUTS] = {1};
    decide(&network, inputs);
    skill_network_free(&network);
    return 0;
  }
  for (int i = 0; i < SHAPES; i++)
    bench_decision(shapes[i], argv[0], i, counts);
  bench_learning();
  return 0;
}
