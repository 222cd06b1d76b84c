// A training of a skill from its description to its file: stages, results, test.
#include "scenes/train/skill_train_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/planner/policy.h"
#include "scenes/description/scene_skill.h"
#include "scenes/output/explanations.h"
#include "scenes/output/output_file.h"
#include "scenes/output/progress.h"
#include "scenes/sweep/launch.h"
#include "scenes/sweep/mpi_link.h"
#include "scenes/train/skill_file.h"
#include "scenes/train/skill_test.h"
#include "sim/base/wall_clock.h"
#include "sim/world/ode_net.h"

enum { ITERATIONS_PER_POINT = 10, ITERATIONS_PER_FADE = 5, TEST_SEED = 1000000 };

static const double CHECKPOINT_TIME = 60; // s of wall time between two checkpoints

// Whether the file is the description of a skill, with that key if it is not NULL.
static bool is_skill_with(const char *path, const char *key) {
  FileSet found = {0};
  Document document;
  const File *file = scene_find(&found, path, NULL);
  bool is = file && document_read(&document, file->name, file, NULL);
  if (is) {
    is = scene_skill_describes(document.root) && (!key || node_find(document.root, key));
    document_free(&document);
  }
  files_free(&found);
  return is;
}

bool skill_train_knows(const char *path) { return is_skill_with(path, NULL); }

// ---- The learner's environments ----

static void begin_thread(void *context) {
  (void)context;
  ode_prepare(); // of the process it has succeeded already
}

static void reset(void *context, int environment, float inputs[]) { skill_task_reset(context, environment, inputs); }

static LearningStep step(void *context, int environment, const float action[], float inputs[]) {
  SkillOutcome outcome = skill_task_step(context, environment, action, inputs);
  return (LearningStep){outcome.reward, outcome.ended, outcome.failed};
}

static void state(void *context, int environment, StateStream *stream) {
  skill_task_state(context, environment, stream);
}

static LearningTask learning_task(TrainingRun *training) {
  const SkillTable *table = &training->skill->table;
  return (LearningTask){.inputs = table->input_count,
                        .outputs = table->action_count,
                        .environments = training->learner_def.environments,
                        .context = &training->task,
                        .begin_thread = begin_thread,
                        .reset = reset,
                        .step = step,
                        .state = state};
}

// ---- Stages ----

// The learner of the present stage.
static LearnerDef learner_def_of(const TrainingRun *training) {
  LearnerDef def = training->learner_def;
  const double *limits = training->stages[training->stage].deviation;
  if (limits[1] > 0) {
    memcpy(def.deviation_limits, limits, sizeof def.deviation_limits);
    def.deviation = fmax(limits[0], fmin(def.deviation, limits[1]));
  }
  return def;
}

// Begins the present stage with the networks of the one before.
bool skill_train_begin_stage(TrainingRun *training, Error *error) {
  LearningTask task = learning_task(training);
  uint64_t seed = (uint64_t)training->def.seed * 1000 + (uint64_t)training->stage;
  if (!skill_task_begin(&training->task, training->stage, &training->stages[training->stage], error))
    return false;
  Error cause = {0};
  Learner *before = training->learner;
  LearnerDef def = learner_def_of(training);
  training->learner = learner_create(&def, &task, seed, training->threads, &cause);
  bool good = training->learner || error_set(error, "%s: %s", training->file->name, cause.text);
  if (good && before) {
    float deviations[SKILL_MAX_ACTIONS];
    for (int i = 0; i < task.outputs; i++)
      deviations[i] = (float)learner_deviation(before, i);
    good = learner_start_from(training->learner, learner_network(before), deviations, learner_critic(before), error);
  } else if (good && training->skill->network.weights) {
    good = learner_start_from(training->learner, &training->skill->network, NULL, NULL, error);
  }
  learner_destroy(before);
  return good;
}

double skill_train_minutes(const TrainingRun *training) {
  return training->minutes_before + (wall_seconds() - training->began) / 60;
}

static void show(Progress *progress, const TrainingRun *training, const LearnerReport *report) {
  const SkillStage *stage = &training->stages[training->stage];
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  double total = 0, samples = training->samples_before + (double)report->samples;
  for (int i = 0; i < training->stage_count; i++)
    total += training->stages[i].samples;
  char note[256];
  snprintf(note, sizeof note, "%s: %.2f M samples, %.0f /s; %.1f s to a fall, reward %.3f", stage->name, 1e-6 * samples,
           (double)report->samples / fmax(1e-3, 60 * skill_train_minutes(training)),
           last ? last->seconds_to_failure : 0, last ? last->reward : report->reward);
  if (stage->growth < 1)
    snprintf(note + strlen(note), sizeof note - strlen(note), ", hits %.0f %%", 100 * training->task.hit_share);
  if (stage->assist > 0)
    snprintf(note + strlen(note), sizeof note - strlen(note), ", help %.0f %%", 100 * training->task.assist);
  progress_update_with(progress, samples / total, note);
}

static bool write_result(const TrainingRun *training, Error *error) {
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  SkillRecord record = {.samples = training->samples,
                        .minutes = skill_train_minutes(training),
                        .seconds_to_failure = last ? last->seconds_to_failure : 0,
                        .seed = training->def.seed,
                        .environments = training->learner_def.environments};
  return skill_file_write(training->options->out, training->skill, learner_network(training->learner), training->file,
                          &training->scene->files, &record, error);
}

// Whether the user or rank 0's clock ends the training before it is done. Called by all ranks together.
static bool is_stopped(TrainingRun *training) {
  double limit = training->options->minutes;
  bool late = limit > 0 && skill_train_minutes(training) >= training->minutes_before + limit;
  link_share(0, &late, sizeof late);
  training->interrupted = link_min(interrupt_requested() ? 0 : 1) == 0;
  return late || training->interrupted;
}

// Whether the present stage is done.
static bool is_over(const TrainingRun *training, const LearnerReport *report) {
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  bool enough = last && last->stage == training->stage && training->def.enough > 0 &&
                last->seconds_to_failure > training->def.enough;
  return enough || (double)report->samples >= training->stages[training->stage].samples;
}

// ---- Learning ----

// Begins the present stage on all ranks.
static bool begin_stage_together(TrainingRun *training, Error *error) {
  Error mine = {0};
  skill_train_begin_stage(training, &mine);
  return link_agree(&mine, error);
}

// Rank 0 writes the result and the curve, and a checkpoint while the training is not done. Called by all ranks
// together.
static bool write_files(TrainingRun *training, bool done, Error *error) {
  Error mine = {0};
  if (!done)
    learner_gather(training->learner, &mine);
  bool writes = link_rank() == 0 && mine.text[0] == '\0';
  if (writes && write_result(training, &mine) && (done || skill_train_write_checkpoint(training, &mine)) &&
      skill_train_write_curve(training, &mine) && done)
    skill_train_remove_checkpoint(training);
  return link_agree(&mine, error);
}

// One iteration, and what the curve and the help in getting up have from it. Called by all ranks together; an error may
// be of one rank alone.
static void iterate(TrainingRun *training, LearnerReport *report, bool *over, Error *error) {
  learner_iterate(training->learner, report);
  double decisions = (double)training->learner_def.environments * training->learner_def.horizon;
  training->decisions += decisions;
  training->samples = training->samples_before + (double)report->samples;
  training->failures += report->failures;
  training->reward_sum += report->reward * decisions;
  if (report->iterations % ITERATIONS_PER_FADE == 0) {
    skill_task_gather(&training->task);
    skill_task_fade(&training->task);
  }
  if (training->task.broken)
    error_set(error, "a scene could not be restored: out of memory, or the physics failed");
  bool due = report->iterations % ITERATIONS_PER_POINT == 0;
  if (due)
    skill_train_add_point(training, (double)report->samples, error);
  *over = is_over(training, report);
  if (*over && !due)
    skill_train_add_point(training, (double)report->samples, error);
}

// Whether it is time for a checkpoint by rank 0's clock.
static bool checkpoint_is_due(double written) {
  bool due = wall_seconds() - written > CHECKPOINT_TIME;
  link_share(0, &due, sizeof due);
  return due;
}

// Learns until the stage is over, and begins the next one; or until the training is stopped.
static bool run_stage(TrainingRun *training, Progress *progress, Error *error) {
  LearnerReport report;
  double written = wall_seconds();
  bool over = false;
  while (!over && !is_stopped(training)) {
    Error mine = {0};
    iterate(training, &report, &over, &mine);
    if (!link_agree(&mine, error))
      return false;
    show(progress, training, &report);
    if (!over && checkpoint_is_due(written)) {
      if (!write_files(training, false, error))
        return false;
      written = wall_seconds();
    }
  }
  if (!over)
    return true;
  training->samples_before = training->samples;
  return ++training->stage == training->stage_count || begin_stage_together(training, error);
}

static TrainResult learn(TrainingRun *training, Error *error) {
  Progress progress = progress_begin(!training->options->quiet && link_rank() == 0);
  bool good = true;
  while (good && training->stage < training->stage_count && !is_stopped(training))
    good = run_stage(training, &progress, error);
  progress_end(&progress);
  bool done = training->stage == training->stage_count;
  if (!good || !write_files(training, done, error))
    return TRAIN_FAILED;
  learner_share(training->learner); // for the test
  return training->interrupted ? TRAIN_INTERRUPTED : TRAIN_DONE;
}

// ---- Test ----

static void print_score(const char *name, const SkillScore *score) {
  printf("  %-24s %4d of %4d", name, score->lasted, score->trials);
  if (isfinite(score->to_failure))
    printf(" %9.1f", score->to_failure);
  else
    printf(" %9s", "never");
  printf(" %7.3f", score->reward);
  for (int i = 0; i < SKILL_TERMS; i++)
    printf(" %8.3g", score->terms[i]);
  printf("\n");
}

static void print_heading(const TrainingRun *training) {
  const SkillStage *last = &training->stages[training->stage_count - 1];
  printf("%d trials of the stage '%s', no longer than %g s each, by other random numbers than those of learning\n",
         training->def.trials, last->name, last->episode);
  printf("  %-24s %12s %9s %7s", "network", "to the end", "s/failure", "reward");
  for (int i = 0; i < SKILL_TERMS; i++)
    printf(" %8s", skill_term_names[i]);
  printf("\n");
}

// Runs trials of the last stage by the network that was learnt, and for comparison by the skill's present one. Called
// by all ranks together.
static bool test(TrainingRun *training, const SkillNetwork *learnt, Error *error) {
  Error mine = {0};
  WorkerPool *pool = worker_pool_create(training->threads, &mine);
  SkillTask task;
  int last = training->stage_count - 1, trials = training->def.trials;
  int copies = trials < training->learner_def.environments ? trials : training->learner_def.environments;
  const struct {
    const char *name;
    const SkillNetwork *network;
  } tested[] = {{training->options->from ? training->options->from : training->network, &training->skill->network},
                {training->options->out, learnt}};
  bool good = link_agree(&mine, error);
  if (link_rank() == 0)
    print_heading(training);
  for (int i = 0; i < 2 && good; i++) {
    if (!tested[i].network || !tested[i].network->weights)
      continue;
    if (skill_task_init(&task, training->scene, training->skill, &training->reward, copies,
                        training->def.seed + TEST_SEED, &mine))
      skill_task_begin(&task, last, &training->stages[last], &mine);
    good = link_agree(&mine, error);
    if (good) {
      SkillScore score = skill_test(&task, tested[i].network, trials, pool);
      if (link_rank() == 0)
        print_score(tested[i].name, &score);
    }
    skill_task_free(&task);
  }
  worker_pool_destroy(pool);
  return good;
}

// ---- All of it ----

// Reads all files, and sees to it that the results can be written.
static bool read_inputs(TrainingRun *training, Error *error) {
  const SkillTrainOptions *options = training->options;
  if (!ode_prepare()) {
    error_set(error, "no memory for ODE");
    return false;
  }
  bool writes = link_rank() == 0;
  if ((writes && options->out && !output_check(options->out, OUTPUT_TENSORS, error)) ||
      (writes && options->curve &&
       !output_check(options->curve, skill_train_is_picture(options->curve) ? OUTPUT_SVG : OUTPUT_CSV, error)) ||
      !skill_train_read(training, error))
    return false;
  memcpy(training->compared.folder, training->scene->files.folder, sizeof training->compared.folder);
  training->present = files_read(&training->compared, training->network, NULL);
  return !options->from || skill_file_read_before(options->from, training->skill, error);
}

// A number for the contents of all files that have been read, wherever they are.
static uint64_t inputs_hash(const TrainingRun *training) {
  const FileSet *files = &training->scene->files;
  const SkillNetwork *network = &training->skill->network;
  uint64_t hash = policy_hash(training->file->bytes, training->file->size);
  for (int i = 0; i < files->count; i++)
    hash = hash * 31 + policy_hash(files->files[i].bytes, files->files[i].size);
  if (network->weights)
    hash = hash * 31 + policy_hash((const char *)network->weights, network_size(network->shape) * sizeof(float));
  return hash;
}

// Called by all ranks together.
static bool open_training(TrainingRun *training, Error *error) {
  const SkillTrainOptions *options = training->options;
  Error mine = {0};
  bool is_read = read_inputs(training, &mine);
  if (!link_agree(&mine, error) || !is_read)
    return false;
  uint64_t own = inputs_hash(training), first = own;
  link_share(0, &first, sizeof first);
  if (first != own)
    error_set(&mine, "it reads another description, scene, clip or network than rank 0");
  if (options->out)
    skill_task_init(&training->task, training->scene, training->skill, &training->reward,
                    training->learner_def.environments, training->def.seed, &mine);
  return link_agree(&mine, error) &&
         (!options->out || !options->resume || skill_train_read_checkpoint(training, error)) &&
         (!options->out || training->resumed || begin_stage_together(training, error));
}

static void close_training(TrainingRun *training) {
  learner_destroy(training->learner);
  skill_task_free(&training->task);
  scene_skill_free(training->skill);
  scene_def_free(training->scene);
  files_free(&training->found);
  files_free(&training->compared);
  free(training->points);
}

bool skill_train_check(const char *path, Error *error) {
  SkillTrainOptions options = {.skill = path, .seed = -1};
  TrainingRun training = {.options = &options};
  bool good = !is_skill_with(path, "training") || skill_train_read(&training, error);
  close_training(&training);
  return good;
}

// Takes over the network that scenes use at present, for comparison: it may not exist yet, or be older than the
// description. Its file was read before the training, which may replace it. False: there is none, and none was learnt.
static bool take_present(TrainingRun *training, Error *error) {
  const File *file = training->present;
  const char *made = training->options->out;
  if (training->skill->network.weights)
    return true;
  if (file)
    return scene_skill_network(training->skill, file, file->name, made ? NULL : error) || made;
  return made || error_set(error, "%s: there is no such network to test; 'stagger train %s -o FILE' makes one",
                           training->network, training->options->skill);
}

// Trains, writes and tests. Called by all ranks together.
static TrainResult train(TrainingRun *training, Error *error) {
  const SkillTrainOptions *options = training->options;
  TrainResult result = open_training(training, error) ? TRAIN_DONE : TRAIN_BAD_INPUT;
  if (result == TRAIN_DONE && options->out)
    result = learn(training, error);
  if (result != TRAIN_DONE)
    return result;
  Error mine = {0};
  take_present(training, &mine);
  if (!link_agree(&mine, error))
    return TRAIN_BAD_INPUT;
  return test(training, training->learner ? learner_network(training->learner) : NULL, error) ? TRAIN_DONE
                                                                                              : TRAIN_FAILED;
}

TrainResult skill_train_run(const SkillTrainOptions *options) {
  Error error = {0};
  TrainingRun training = {.options = options, .began = wall_seconds()};
  TrainResult result = TRAIN_BAD_INPUT;
  Launch launch;
  bool known = launch_read(&launch, &error);
  if (known && launch.mpi)
    link_start();
  interrupt_catch();
  training.threads = options->threads > 0 ? options->threads : launch.workers;
  if (known && launch_is_complete(&launch, &error))
    result = train(&training, &error);
  bool first = launch.task == 0;
  if (error.text[0] != '\0' && first)
    explained_print(stderr, error.text);
  close_training(&training);
  link_end();
  return first ? result : TRAIN_DONE;
}
