// Trains a planner: training episodes, tests on unseen fields, and the file with what was learnt.
#include "scenes/train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/explanations.h"
#include "scenes/output/output_file.h"
#include "scenes/output/progress.h"
#include "scenes/train/training.h"

// A table that is being trained, and its file.
typedef struct Pupil {
  const char *name, *path;
  Policy policy;
  Training training;
  bool wanted;
} Pupil;

typedef struct Train {
  const TrainOptions *options;
  SceneDef *scene;
  const CharacterDef *character;
  TrainingDef def;
  FieldDef field;
  Terrain *terrain; // NULL: flat
  Ground ground;
  Pupil pupils[2]; // over the demand, and over the whole state
} Train;

enum { BY_RULES, DIRECT };

// ---- Set up ----

// The file of the character's planner, as named in the scene.
static const char *planner_file(const Train *train) {
  for (int i = 0; i < train->scene->asset_count; i++)
    if (train->scene->assets[i].object == train->character->planner)
      return train->scene->assets[i].file;
  return NULL;
}

static bool find_planner(Train *train, Error *error) {
  SceneDef *scene = train->scene;
  for (int i = 0; i < scene->character_count && !train->character; i++)
    if (scene->characters[i].planner)
      train->character = &scene->characters[i];
  if (!train->character) {
    error_set(error, "%s: no character has a 'planner'", train->options->scene);
    return false;
  }
  if (!training_read(&train->def, &train->field, &scene->files, planner_file(train), error))
    return false;
  if (scene->terrain.kind == TERRAIN_FLAT)
    return true;
  train->terrain = terrain_create(&scene->terrain, (uint64_t)scene->run.seed, &scene->files, error);
  if (train->terrain)
    train->ground = terrain_ground(train->terrain);
  return train->terrain != NULL;
}

// Lists the files on which a policy depends: the planner's, the body's, the clips'. The scene is not one of them, since
// it may show the policy anywhere.
static void list_inputs(const SceneDef *scene, Policy *policy) {
  for (int i = 0; i < scene->files.count && policy->input_count < POLICY_MAX_INPUTS; i++) {
    const File *file = &scene->files.files[i];
    bool used = false;
    for (int k = 0; k < scene->asset_count; k++) {
      AssetKind kind = scene->assets[k].kind;
      bool hangs = kind == ASSET_PLANNER || kind == ASSET_BODY || kind == ASSET_CLIP;
      used |= hangs && strcmp(scene->assets[k].file, file->name) == 0;
    }
    if (!used)
      continue;
    PolicyInput *input = &policy->inputs[policy->input_count++];
    snprintf(input->name, sizeof input->name, "%s", file->name);
    input->hash = policy_hash(file->bytes, file->size);
  }
}

static bool same_inputs(const Policy *a, const Policy *b, const char *path, Error *error) {
  for (int i = 0; i < a->input_count; i++) {
    bool same = false;
    for (int k = 0; k < b->input_count; k++)
      same |= strcmp(a->inputs[i].name, b->inputs[k].name) == 0 && a->inputs[i].hash == b->inputs[k].hash;
    if (!same)
      return error_set(error, "%s: was learnt with another %s; without --resume it begins anew", path,
                       a->inputs[i].name);
  }
  return a->input_count == b->input_count || error_set(error, "%s: was learnt with other files", path);
}

// Takes over the contents of the file if it belongs to the same training.
static bool resume(Pupil *pupil, const char *text, Error *error) {
  Policy old;
  if (!policy_read(&old, pupil->training.planner, pupil->path, text, error))
    return false;
  const Policy *fresh = &pupil->policy;
  bool good = same_inputs(fresh, &old, pupil->path, error);
  if (good && old.direct != fresh->direct)
    good = error_set(error, "%s: is a policy %s", pupil->path, old.direct ? "of a direct table" : "by rules");
  if (good && (old.seed != fresh->seed || old.planned != fresh->planned))
    good = error_set(error, "%s: was learnt with seed %d and %ld decisions; without --resume it begins anew",
                     pupil->path, old.seed, old.planned);
  policy_free(good ? &pupil->policy : &old);
  if (good)
    pupil->policy = old;
  return good;
}

static bool open_pupil(Train *train, int which, Error *error) {
  Pupil *pupil = &train->pupils[which];
  pupil->name = which == DIRECT ? "direct" : "rules";
  pupil->path = which == DIRECT ? train->options->baseline : train->options->policy;
  pupil->wanted = pupil->path != NULL;
  if (!pupil->wanted)
    return true;
  if (!output_check(pupil->path, OUTPUT_POLICY, error))
    return false;
  const PlannerDef *planner = train->character->planner;
  if (!policy_init(&pupil->policy, planner, which == DIRECT))
    return error_set(error, "no memory for a table of %d states", planner_states(planner, which == DIRECT));
  Policy *policy = &pupil->policy;
  snprintf(policy->scene, sizeof policy->scene, "%s", train->scene->name);
  snprintf(policy->version, sizeof policy->version, "%s", STAGGER_VERSION);
  policy->seed = train->scene->run.seed;
  policy->planned = train->def.decisions;
  list_inputs(train->scene, policy);
  pupil->training = (Training){
      &train->def, &train->field, planner, train->terrain ? &train->ground : NULL, train->scene->run.seed, policy};
  FileSet files = {0};
  char *full = train->options->resume ? realpath(pupil->path, NULL) : NULL;
  const File *file = full ? files_read(&files, full, NULL) : NULL;
  bool good = !file || file->size == 0 || resume(pupil, file->bytes, error);
  files_free(&files);
  free(full);
  return good;
}

static bool open_all(Train *train, Error *error) {
  const TrainOptions *options = train->options;
  if (options->baseline && output_is_same(options->policy, options->baseline)) {
    error_set(error, "%s: the policy and the baseline are the same file", options->policy);
    return false;
  }
  const char *const tables[] = {options->policy, options->baseline};
  for (int i = 0; i < 2 && options->curve; i++)
    if (tables[i] && output_is_same(tables[i], options->curve))
      return error_set(error, "%s: the learning curves and a policy are the same file", options->curve);
  if (options->curve && !output_check(options->curve, OUTPUT_CSV, error))
    return false;
  train->scene = scene_def_read(options->scene, options->overrides, options->override_count, error);
  return train->scene && find_planner(train, error) && open_pupil(train, BY_RULES, error) &&
         open_pupil(train, DIRECT, error);
}

static void close_all(Train *train) {
  for (int i = 0; i < 2; i++)
    policy_free(&train->pupils[i].policy);
  terrain_destroy(train->terrain);
  scene_def_free(train->scene);
}

// ---- Learning ----

static bool write_policy(const Pupil *pupil, Error *error) {
  char *text = policy_write(&pupil->policy, pupil->training.planner);
  bool good = text ? output_write(pupil->path, text, strlen(text), error)
                   : error_set(error, "no memory to write %s", pupil->path);
  free(text);
  return good;
}

static void show(Progress *progress, const Pupil *pupil) {
  const Policy *policy = &pupil->policy;
  char note[128];
  const PolicyPoint *last = policy->point_count > 0 ? &policy->curve[policy->point_count - 1] : NULL;
  snprintf(note, sizeof note, "%s: %ld decisions, %ld episodes, %.0f %% reach the goal untouched", pupil->name,
           policy->decisions, policy->episodes, last ? 100 * last->success : 0);
  progress_update_with(progress, (double)policy->decisions / (double)policy->planned, note);
}

// Trains episode by episode; writes the file at each point of the curve, and at the end.
static TrainResult teach(const TrainOptions *options, Pupil *pupil, Error *error) {
  Policy *policy = &pupil->policy;
  long end = options->limit > 0 ? policy->decisions + options->limit : policy->planned;
  Progress progress = progress_begin(!options->quiet);
  bool written = true;
  while (!training_is_done(&pupil->training) && policy->decisions < end && !interrupt_requested() && written) {
    if (training_episode(&pupil->training))
      written = write_policy(pupil, error);
    show(&progress, pupil);
  }
  progress_end(&progress);
  written = written && write_policy(pupil, error);
  return !written ? TRAIN_FAILED : interrupt_requested() ? TRAIN_INTERRUPTED : TRAIN_DONE;
}

// ---- Results ----

static long tried_entries(const QTable *table) {
  long count = 0;
  for (int i = 0; i < table->states * table->actions; i++)
    count += table->visits[i] > 0;
  return count;
}

static void print_rules(const FuzzyController *fuzzy, const FieldScore *score) {
  char text[512];
  puts("\nRules, and the share of the time for which each was active");
  for (int i = 0; i < fuzzy->rule_count; i++)
    printf("  %-20s %5.1f %%  %s\n", fuzzy->rules[i].name, 100 * score->fired[i] / score->seconds,
           fuzzy_rule_text(fuzzy, i, text, sizeof text));
}

static void print_score(const FieldScore *score) {
  double share = 100.0 / score->walkers;
  printf(" %8.0f %% %8.0f %% %9.0f %% %7.3f %6.0f %8.2f\n", share * score->reached, share * score->touched,
         share * score->succeeded, score->path, score->turn_error, score->speed_error);
}

static void print_pupil(const Pupil *pupil, const FieldScore *score) {
  const QTable *table = &pupil->policy.table;
  printf("  %-8s %7d %8d %9ld %10ld %9ld", pupil->name, table->states, table->states * table->actions,
         tried_entries(table), pupil->policy.decisions, pupil->policy.episodes);
  print_score(score);
}

// For comparison: the same rules without a learnt table, taking the move nearest to the demand.
static bool print_nearest(const Train *train, Error *error) {
  Policy blank;
  if (!policy_init(&blank, train->character->planner, false))
    return error_set(error, "no memory for an empty table");
  Training untaught = train->pupils[BY_RULES].training;
  untaught.policy = &blank;
  FieldScore score = training_try(&untaught, "test", train->def.test_fields);
  printf("  %-8s %7s %8s %9s %10s %9s", "nearest", "-", "-", "-", "-", "-");
  print_score(&score);
  policy_free(&blank);
  return true;
}

static void print_crowds(const Train *train) {
  if (train->def.test_crowds == 0)
    return;
  FieldScore score = training_crowds(&train->pupils[BY_RULES].training, train->def.test_crowds);
  printf("In %d crowds of %d that cross a circle %d of %d walkers reach their goals, %d are touched; their paths are "
         "%.3f times the shortest\n",
         train->def.test_crowds, train->def.crowd, score.reached, score.walkers, score.touched, score.path);
}

static bool print_results(const Train *train, Error *error) {
  FieldScore scores[2] = {{0}};
  printf("On %d unseen fields\n", train->def.test_fields);
  printf("  table     states  entries     tried  decisions  episodes   reached    touched  untouched    path  "
         "deg/s*     m/s*\n");
  for (int i = 0; i < 2; i++)
    if (train->pupils[i].wanted) {
      scores[i] = training_try(&train->pupils[i].training, "test", train->def.test_fields);
      print_pupil(&train->pupils[i], &scores[i]);
    }
  if (!print_nearest(train, error))
    return false;
  puts("  path: length over that of the shortest path, for arrivals without a touch; * mean distance from the rules'\n "
       " demand; nearest: no table, the move nearest to the demand");
  if (train->pupils[DIRECT].wanted)
    printf("The direct table is %.1f times as large.\n",
           (double)train->pupils[DIRECT].policy.table.states / train->pupils[BY_RULES].policy.table.states);
  print_crowds(train);
  print_rules(&train->character->planner->fuzzy, &scores[BY_RULES]);
  return true;
}

static bool write_curve(const Train *train, Error *error) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return error_set(error, "no memory for the learning curve");
  fprintf(out, "table,decisions,episodes,success,touched,path,reward\n");
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < train->pupils[i].policy.point_count; k++) {
      const PolicyPoint *p = &train->pupils[i].policy.curve[k];
      fprintf(out, "%s,%ld,%ld,%.9g,%.9g,%.9g,%.9g\n", train->pupils[i].name, p->decisions, p->episodes, p->success,
              p->touched, p->path, p->reward);
    }
  bool good = fclose(out) == 0 && output_write(train->options->curve, text, size, error);
  free(text);
  return good;
}

static bool is_done(const Train *train) {
  return training_is_done(&train->pupils[BY_RULES].training) &&
         (!train->pupils[DIRECT].wanted || training_is_done(&train->pupils[DIRECT].training));
}

TrainResult train_run(const TrainOptions *options) {
  Error error = {0};
  Train train = {.options = options};
  TrainResult result = open_all(&train, &error) && train.character ? TRAIN_DONE : TRAIN_BAD_INPUT;
  interrupt_catch();
  for (int i = 0; i < 2 && result == TRAIN_DONE; i++)
    if (train.pupils[i].wanted)
      result = teach(options, &train.pupils[i], &error);
  if (result == TRAIN_DONE && options->curve && !write_curve(&train, &error))
    result = TRAIN_FAILED;
  if (result == TRAIN_DONE && is_done(&train))
    result = print_results(&train, &error) ? TRAIN_DONE : TRAIN_FAILED;
  else if (result == TRAIN_DONE)
    printf("%ld of %ld decisions; go on with --resume\n", train.pupils[BY_RULES].policy.decisions,
           train.pupils[BY_RULES].policy.planned);
  if (error.text[0] != '\0')
    explained_print(stderr, error.text);
  close_all(&train);
  return result;
}
