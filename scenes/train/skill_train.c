// A training of a skill from its description to its file: stages, checkpoints, learning curve, test.
#include "scenes/train/skill_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "anim/planner/policy.h"
#include "scenes/description/scene_character.h"
#include "scenes/description/scene_skill.h"
#include "scenes/output/output_file.h"
#include "scenes/output/progress.h"
#include "scenes/sweep/launch.h"
#include "scenes/sweep/mpi_link.h"
#include "scenes/train/learning_curve.h"
#include "scenes/train/skill_file.h"
#include "scenes/train/skill_test.h"
#include "sim/base/reserve.h"
#include "sim/base/wall_clock.h"
#include "sim/world/ode_net.h"

PARAM_TABLE(skill_training_params, SkillTraining, SKILL_TRAINING_PARAMS, "training", "How a skill is trained.")

enum { MAX_STAGES = 16, ITERATIONS_PER_POINT = 10, ITERATIONS_PER_FADE = 5, TEST_SEED = 1000000 };

static const double CHECKPOINT_TIME = 60; // s of wall time between two checkpoints

// A point of the learning curve: means since the point before.
typedef struct CurvePoint {
  double samples, minutes, seconds_to_failure, reward, terms[SKILL_TERMS];
  double help, hit_share; // shares of the help in getting up and of the size of hits
  int stage;
} CurvePoint;

// The beginning of a checkpoint's file.
#define CHECKPOINT_MARK "Stagger skill 1"
typedef struct CheckpointHead {
  char mark[16];
  int64_t stage;
} CheckpointHead;

// Under MPI all ranks go through the same steps. What only one of them knows - the clock, a signal, an error - they
// share before they act on it, since a rank that acted alone would leave the others waiting.
typedef struct Training {
  const SkillTrainOptions *options;
  int threads; // of this rank
  FileSet found;
  const File *file; // of the description
  char network[512];
  const File *present; // of the network that scenes use at present; NULL: there is none
  SceneDef *scene;
  SkillDef *skill;
  SkillTraining def;
  SkillReward reward;
  LearnerDef learner_def;
  SkillStage stages[MAX_STAGES];
  int stage_count, stage;
  SkillTask task;
  Learner *learner;
  CurvePoint *points;
  int point_count, point_capacity;
  // Since the last point.
  double decisions, failures, reward_sum;
  double samples, samples_before; // so far, and those of earlier stages
  double began;                   // wall clock, s
  double minutes_before;          // of a training that was resumed
  bool resumed;                   // it continues from a checkpoint
  bool interrupted;               // by a signal to any rank
} Training;

// ---- The description ----

static bool read_stages(Training *training, const Node *list, Error *error) {
  if (!list || list->kind != NODE_LIST || list->count < 1 || list->count > MAX_STAGES)
    return list ? node_error(list, error, "'stages' must be a list of 1 to %d stages", MAX_STAGES)
                : error_set(error, "%s: 'training' needs 'stages'", training->file->name);
  for (const Node *item = list->first; item; item = item->next) {
    SkillStage *stage = &training->stages[training->stage_count++];
    param_defaults(&skill_stage_params, stage);
    if (item->kind != NODE_MAP)
      return node_error(item, error, "a stage must be a map of keys and values");
    if (!param_read(&skill_stage_params, stage, item, NULL, error))
      return false;
  }
  return true;
}

// Reads the scene in which it learns: named from the description's folder, or one of those that come with Stagger.
static bool read_scene(Training *training, const Node *key, Error *error) {
  Error cause = {0};
  char folder[512], path[1024];
  if (!scene_folder(training->file->path, folder, sizeof folder))
    return node_error(key, error, "%s: the path is too long", training->file->path);
  snprintf(path, sizeof path, "%s%s%s", folder, folder[0] ? "/" : "", training->def.scene);
  bool beside = access(path, R_OK) == 0;
  training->scene = scene_def_read(beside ? path : training->def.scene, NULL, 0, &cause);
  if (!training->scene)
    return node_error(key, error, "%s", cause.text);
  if (training->scene->world.solver == SOLVER_ITERATIVE) // ODE draws the order of its rows from one generator for all
    return node_error(key, error, "%s: 'world.solver: iterative' gives other results in each training: step or reduced",
                      training->def.scene);
  return training->scene->character_count > 0 ||
         node_error(key, error, "%s: the scene has no character", training->def.scene);
}

static bool read_training(Training *training, const Node *map, Error *error) {
  static const char *const keys[] = {"stages", "learner", "reward", NULL};
  const Node *node = node_find(map, "training");
  if (!node || node->kind != NODE_MAP)
    return error_set(error, "%s: a skill is trained by its 'training', which is missing", training->file->name);
  param_defaults(&skill_training_params, &training->def);
  const Node *scene = node_find(node, "scene");
  if (!scene)
    return node_error(node, error, "'training' needs a 'scene'");
  return param_read(&skill_training_params, &training->def, node, keys, error) &&
         param_read_section(&learner_params, &training->learner_def, node, error) &&
         param_read_section(&skill_reward_params, &training->reward, node, error) &&
         read_stages(training, node_find(node, "stages"), error) && read_scene(training, scene, error);
}

static bool read_description(Training *training, Error *error) {
  Document document;
  training->file = scene_find(&training->found, training->options->skill, error);
  if (!training->file || !document_read(&document, training->file->name, training->file, error))
    return false;
  bool good = read_training(training, document.root, error);
  document_free(&document);
  if (!good)
    return false;
  const CharacterDef *pupil = &training->scene->characters[0];
  training->skill = scene_skill_description(training->scene, training->file, pupil->body, training->network, error);
  if (training->skill && !scene_character_plays(pupil, training->skill->clip))
    return error_set(error, "%s: the pupil %s does not play the skill's clip '%s'", training->def.scene, pupil->name,
                     training->skill->clip->name);
  if (training->options->seed >= 0)
    training->def.seed = training->options->seed;
  return training->skill != NULL;
}

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

static LearningTask learning_task(Training *training) {
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
static LearnerDef learner_def_of(const Training *training) {
  LearnerDef def = training->learner_def;
  const double *limits = training->stages[training->stage].deviation;
  if (limits[1] > 0) {
    memcpy(def.deviation_limits, limits, sizeof def.deviation_limits);
    def.deviation = fmax(limits[0], fmin(def.deviation, limits[1]));
  }
  return def;
}

// Begins the present stage with the networks of the one before.
static bool begin_stage(Training *training, Error *error) {
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

static double minutes_now(const Training *training) {
  return training->minutes_before + (wall_seconds() - training->began) / 60;
}

static bool add_point(Training *training, double samples, Error *error) {
  skill_task_gather(&training->task);
  if (!reserve(&training->points, &training->point_capacity, training->point_count + 1, sizeof *training->points))
    return error_set(error, "no memory for the learning curve");
  CurvePoint *point = &training->points[training->point_count++];
  *point = (CurvePoint){.samples = training->samples_before + samples,
                        .minutes = minutes_now(training),
                        .seconds_to_failure =
                            training->decisions / training->skill->params.rate / fmax(1, training->failures),
                        .reward = training->reward_sum / fmax(1, training->decisions),
                        .help = training->task.assist,
                        .hit_share = training->task.hit_share,
                        .stage = training->stage};
  skill_task_terms(&training->task, point->terms);
  training->decisions = training->failures = training->reward_sum = 0;
  return true;
}

static void show(Progress *progress, const Training *training, const LearnerReport *report) {
  const SkillStage *stage = &training->stages[training->stage];
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  double total = 0, samples = training->samples_before + (double)report->samples;
  for (int i = 0; i < training->stage_count; i++)
    total += training->stages[i].samples;
  char note[256];
  snprintf(note, sizeof note, "%s: %.2f M samples, %.0f /s; %.1f s to a fall, reward %.3f", stage->name, 1e-6 * samples,
           (double)report->samples / fmax(1e-3, 60 * minutes_now(training)), last ? last->seconds_to_failure : 0,
           last ? last->reward : report->reward);
  if (stage->growth < 1)
    snprintf(note + strlen(note), sizeof note - strlen(note), ", hits %.0f %%", 100 * training->task.hit_share);
  if (stage->assist > 0)
    snprintf(note + strlen(note), sizeof note - strlen(note), ", help %.0f %%", 100 * training->task.assist);
  progress_update_with(progress, samples / total, note);
}

static bool write_result(const Training *training, Error *error) {
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  SkillRecord record = {.samples = training->samples,
                        .minutes = minutes_now(training),
                        .seconds_to_failure = last ? last->seconds_to_failure : 0,
                        .seed = training->def.seed,
                        .environments = training->learner_def.environments};
  return skill_file_write(training->options->out, training->skill, learner_network(training->learner), training->file,
                          &training->scene->files, &record, error);
}

// Whether the user or rank 0's clock ends the training before it is done. Called by all ranks together.
static bool is_stopped(Training *training) {
  double limit = training->options->minutes;
  bool late = limit > 0 && minutes_now(training) >= training->minutes_before + limit;
  link_share(0, &late, sizeof late);
  training->interrupted = link_min(interrupt_requested() ? 0 : 1) == 0;
  return late || training->interrupted;
}

// Whether the present stage is done.
static bool is_over(const Training *training, const LearnerReport *report) {
  const CurvePoint *last = training->point_count > 0 ? &training->points[training->point_count - 1] : NULL;
  bool enough = last && last->stage == training->stage && training->def.enough > 0 &&
                last->seconds_to_failure > training->def.enough;
  return enough || (double)report->samples >= training->stages[training->stage].samples;
}

// ---- The learning curve ----

// The curve as a table. NULL: no memory.
static char *curve_table(const Training *training) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "stage,samples,minutes,seconds_to_failure,reward");
  for (int k = 0; k < SKILL_TERMS; k++)
    fprintf(out, ",%s", skill_term_names[k]);
  fprintf(out, ",help,hit_share\n");
  for (int i = 0; i < training->point_count; i++) {
    const CurvePoint *p = &training->points[i];
    fprintf(out, "%d,%.0f,%.3f,%.3f,%.5f", p->stage + 1, p->samples, p->minutes, p->seconds_to_failure, p->reward);
    for (int k = 0; k < SKILL_TERMS; k++)
      fprintf(out, ",%.5g", p->terms[k]);
    fprintf(out, ",%.4f,%.4f\n", p->help, p->hit_share);
  }
  return fclose(out) == 0 ? text : NULL;
}

// The curve as a picture, of the terms that lie between 0 and 1. NULL: no memory.
static char *curve_picture(const Training *training) {
  LearningStage stages[MAX_STAGES];
  LearningCurve curve = {.title = training->skill->name,
                         .row_count = training->point_count,
                         .term_names = skill_term_names,
                         .term_count = SKILL_TERM_CHANGE,
                         .stages = stages};
  LearningRow *rows = calloc((size_t)training->point_count + 1, sizeof *rows);
  if (!rows)
    return NULL;
  for (int i = 0; i < training->point_count; i++) {
    const CurvePoint *p = &training->points[i];
    rows[i] = (LearningRow){p->samples, p->minutes, p->seconds_to_failure, p->reward, {0}};
    memcpy(rows[i].terms, p->terms, SKILL_TERM_CHANGE * sizeof *p->terms);
    if (i == 0 || p->stage != training->points[i - 1].stage)
      stages[curve.stage_count++] =
          (LearningStage){training->stages[p->stage].name, i == 0 ? 0 : training->points[i - 1].samples};
  }
  curve.rows = rows;
  char *picture = learning_curve_svg(&curve);
  free(rows);
  return picture;
}

static bool is_picture(const char *path) {
  const char *ending = strrchr(path, '.');
  return ending && strcmp(ending, ".svg") == 0;
}

static bool write_curve(const Training *training, Error *error) {
  const char *path = training->options->curve;
  if (!path)
    return true;
  char *text = is_picture(path) ? curve_picture(training) : curve_table(training);
  bool good =
      text ? output_write(path, text, strlen(text), error) : error_set(error, "no memory for the learning curve");
  free(text);
  return good;
}

// ---- Checkpoints ----

// The training between two iterations: a run that is continued from here is the same to the bit as one without a stop.
static void training_state(Training *training, StateStream *stream) {
  state_section(stream, "training", 3);
  state_same(stream, (long)policy_hash(training->file->bytes, training->file->size), "the skill's description");
  state_same(stream, training->def.seed, "the seed");
  STATE(stream, training->samples, training->samples_before, training->decisions, training->failures,
        training->reward_sum, training->task.assist, training->task.hit_share);
  double minutes = minutes_now(training);
  state_bytes(stream, &minutes, sizeof minutes);
  if (state_restores(stream))
    training->minutes_before = minutes;
  state_array(stream, &training->points, &training->point_count, &training->point_capacity, sizeof *training->points);
  learner_state(training->learner, stream);
}

// Name of the file beside the result. The caller frees it.
static char *checkpoint_path(const Training *training) {
  size_t size = strlen(training->options->out) + sizeof ".checkpoint";
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.checkpoint", training->options->out);
  return path;
}

static bool write_checkpoint(Training *training, Error *error) {
  StateStream count = state_stream_count();
  training_state(training, &count);
  size_t size = sizeof(CheckpointHead) + count.at;
  char *path = checkpoint_path(training), *bytes = malloc(size);
  bool good = path && bytes;
  if (good) {
    CheckpointHead head = {CHECKPOINT_MARK, training->stage};
    memcpy(bytes, &head, sizeof head);
    StateStream save = state_stream_save(bytes + sizeof head, count.at, error);
    training_state(training, &save);
    good = !save.failed && output_write(path, bytes, size, error);
  } else {
    error_set(error, "no memory for a checkpoint");
  }
  free(path);
  free(bytes);
  return good;
}

// Reads the checkpoint, if there is one: `bytes`, which the caller frees, are NULL where nothing has been written yet.
// A result without a checkpoint is of a training that is done, and stays.
static bool load_checkpoint(const Training *training, char **bytes, size_t *size, Error *error) {
  FileSet files = {0};
  char *path = checkpoint_path(training), *full = path ? realpath(path, NULL) : NULL;
  const File *file = full ? files_read(&files, full, error) : NULL;
  const char *out = training->options->out;
  bool good = !full || file;
  if (!full && access(out, F_OK) == 0)
    good = error_set(error, "%s: is complete, there is no %s.checkpoint to go on from; without --resume it begins anew",
                     out, out);
  if (file) {
    *size = file->size;
    *bytes = malloc(file->size + 1);
    if (*bytes)
      memcpy(*bytes, file->bytes, file->size);
    else
      good = error_set(error, "no memory for %s", path);
  }
  files_free(&files);
  free(full);
  free(path);
  return good;
}

// Continues from a checkpoint.
static bool restore_checkpoint(Training *training, const char *bytes, size_t size, Error *error) {
  CheckpointHead head = {0};
  Error cause = {0};
  const bool whole = bytes && size >= sizeof head;
  if (whole)
    memcpy(&head, bytes, sizeof head);
  if (!whole || memcmp(head.mark, CHECKPOINT_MARK, sizeof head.mark) != 0 || head.stage < 0 ||
      head.stage >= training->stage_count)
    return error_set(error, "%s.checkpoint: is not a checkpoint of this training", training->options->out);
  training->stage = (int)head.stage;
  if (!begin_stage(training, error))
    return false;
  StateStream restore = state_stream_restore(bytes + sizeof head, size - sizeof head, &cause);
  training_state(training, &restore);
  training->resumed = !restore.failed;
  return training->resumed || error_set(error, "%s.checkpoint: %s", training->options->out, cause.text);
}

// All ranks continue from the checkpoint that rank 0 has, or begin where nothing has been written yet.
static bool read_checkpoint(Training *training, Error *error) {
  Error mine = {0};
  char *bytes = NULL;
  size_t size = 0;
  if (link_rank() == 0)
    load_checkpoint(training, &bytes, &size, &mine);
  bool there = bytes != NULL;
  link_share(0, &there, sizeof there);
  link_share(0, &size, sizeof size);
  if (there && !bytes && !(bytes = malloc(size + 1)))
    error_set(&mine, "no memory for a checkpoint");
  bool good = link_agree(&mine, error);
  if (good && there) {
    link_share(0, bytes, size);
    restore_checkpoint(training, bytes, size, &mine);
    good = link_agree(&mine, error);
  }
  free(bytes);
  return good;
}

static void remove_checkpoint(const Training *training) {
  char *path = checkpoint_path(training);
  if (path)
    unlink(path);
  free(path);
}

// ---- Learning ----

// Begins the present stage on all ranks.
static bool begin_stage_together(Training *training, Error *error) {
  Error mine = {0};
  begin_stage(training, &mine);
  return link_agree(&mine, error);
}

// Rank 0 writes the result and the curve, and a checkpoint while the training is not done. Called by all ranks
// together.
static bool write_files(Training *training, bool done, Error *error) {
  Error mine = {0};
  if (!done)
    learner_gather(training->learner, &mine);
  bool writes = link_rank() == 0 && mine.text[0] == '\0';
  if (writes && write_result(training, &mine) && (done || write_checkpoint(training, &mine)) &&
      write_curve(training, &mine) && done)
    remove_checkpoint(training);
  return link_agree(&mine, error);
}

// One iteration, and what the curve and the help in getting up have from it. Called by all ranks together; an error may
// be of one rank alone.
static void iterate(Training *training, LearnerReport *report, bool *over, Error *error) {
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
    add_point(training, (double)report->samples, error);
  *over = is_over(training, report);
  if (*over && !due)
    add_point(training, (double)report->samples, error);
}

// Whether it is time for a checkpoint by rank 0's clock.
static bool checkpoint_is_due(double written) {
  bool due = wall_seconds() - written > CHECKPOINT_TIME;
  link_share(0, &due, sizeof due);
  return due;
}

// Learns until the stage is over, and begins the next one; or until the training is stopped.
static bool run_stage(Training *training, Progress *progress, Error *error) {
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

static TrainResult learn(Training *training, Error *error) {
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

static void print_heading(const Training *training) {
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
static bool test(Training *training, const SkillNetwork *learnt, Error *error) {
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
static bool read_inputs(Training *training, Error *error) {
  const SkillTrainOptions *options = training->options;
  if (!ode_prepare()) {
    error_set(error, "no memory for ODE");
    return false;
  }
  bool writes = link_rank() == 0;
  if ((writes && options->out && !output_check(options->out, OUTPUT_TENSORS, error)) ||
      (writes && options->curve &&
       !output_check(options->curve, is_picture(options->curve) ? OUTPUT_SVG : OUTPUT_CSV, error)) ||
      !read_description(training, error))
    return false;
  training->present = files_read(&training->scene->files, training->network, NULL);
  return !options->from || skill_file_read(options->from, training->skill, error);
}

// A number for the contents of all files that have been read, wherever they are.
static uint64_t inputs_hash(const Training *training) {
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
static bool open_training(Training *training, Error *error) {
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
  return link_agree(&mine, error) && (!options->out || !options->resume || read_checkpoint(training, error)) &&
         (!options->out || training->resumed || begin_stage_together(training, error));
}

static void close_training(Training *training) {
  learner_destroy(training->learner);
  skill_task_free(&training->task);
  scene_skill_free(training->skill);
  scene_def_free(training->scene);
  files_free(&training->found);
  free(training->points);
}

bool skill_train_check(const char *path, Error *error) {
  SkillTrainOptions options = {.skill = path, .seed = -1};
  Training training = {.options = &options};
  bool good = !is_skill_with(path, "training") || read_description(&training, error);
  close_training(&training);
  return good;
}

// Takes over the network that scenes use at present, for comparison: it may not exist yet, or be older than the
// description. Its file was read before the training, which may replace it. False: there is none, and none was learnt.
static bool take_present(Training *training, Error *error) {
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
static TrainResult train(Training *training, Error *error) {
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
  Training training = {.options = options, .began = wall_seconds()};
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
    fprintf(stderr, "%s\n", error.text);
  close_training(&training);
  link_end();
  return first ? result : TRAIN_DONE;
}
