// Reads a study, and gives the values and the seed of each of its trials.
#include "scenes/sweep/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenes/description/lookup.h"
#include "scenes/sweep/study_internal.h"
#include "scenes/sweep/trial.h"

PARAM_TABLE(study_params, StudyRun, STUDY_PARAMS, "", "The study as a whole, at the top level of a study file.")

static const char *const study_keys[] = {"scene",     "set",     "axes",        "metrics",  "traces",
                                         "threshold", "compare", "sensitivity", "optimise", NULL};

// ---- Finding files ----

// The path of the file in the folder, with ".yaml" appended if necessary. False when there is none.
static bool file_in(const char *folder, const char *name, char *path, size_t size) {
  static const char *const endings[] = {"", ".yaml"};
  for (int i = 0; i < 2; i++) {
    struct stat found;
    int length = snprintf(path, size, "%s%s%s%s", folder, folder[0] != '\0' ? "/" : "", name, endings[i]);
    if (length > 0 && (size_t)length < size && stat(path, &found) == 0 && !S_ISDIR(found.st_mode))
      return true;
  }
  return false;
}

const File *study_find(FileSet *found, const char *path, Error *error) {
  char studies[512], full[512];
  snprintf(studies, sizeof studies, "%s/studies", files_scenes_folder());
  const char *folders[] = {"", studies, files_scenes_folder()};
  for (int i = 0; i < (path[0] == '/' ? 1 : 3) && path[0] != '\0'; i++)
    if (file_in(folders[i], path, full, sizeof full))
      return files_read(found, full, error);
  char close[256];
  const bool is_close = error && lookup_file(path, folders, 2, true, close, sizeof close);
  error_set(error, "%.300s: there is no such study in . or %s%s%s%s", path, studies, is_close ? "; did you mean '" : "",
            is_close ? close : "", is_close ? "'?" : "");
  return NULL;
}

// file: may be NULL.
static bool holds_study(const File *file) {
  Document document;
  if (!file || !document_read(&document, file->name, file, NULL))
    return false;
  // Any key that scenes do not have will do, since a faulty study may lack its scene.
  bool is_study = false;
  for (int i = 0; study_keys[i]; i++)
    is_study = is_study || node_find(document.root, study_keys[i]);
  is_study = (is_study || node_find(document.root, "repeats")) && !node_find(document.root, "characters");
  document_free(&document);
  return is_study;
}

bool study_is_study(const char *path) {
  FileSet found = {0};
  const File *file = scene_find(&found, path, NULL);
  bool is_study = holds_study(file ? file : study_find(&found, path, NULL));
  files_free(&found);
  return is_study;
}

// ---- The scene ----

static bool read_sets(StudyDef *study, const Node *list, Error *error) {
  if (!list)
    return true;
  if (list->kind != NODE_LIST)
    return node_error(list, error, "'set' must be a list of assignments, e.g. [duration=3, world.friction=0.5]");
  if (list->count > STUDY_MAX_SETS)
    return node_error(list, error, "%d assignments, allowed are up to %d", list->count, STUDY_MAX_SETS);
  for (const Node *item = list->first; item; item = item->next) {
    if (item->kind != NODE_SCALAR || item->text[0] == '-' || !strchr(item->text, '='))
      return node_error(item, error, "expected an assignment KEY=VALUE, e.g. duration=3");
    if (strncmp(item->text, "seed=", 5) == 0)
      return node_error(item, error, "the scene's seed comes from 'seed' and 'repeats' of the study");
    study->sets[study->set_count] = strdup(item->text);
    if (!study->sets[study->set_count])
      return node_error(item, error, "out of memory");
    study->set_count++;
  }
  return true;
}

// Finds the scene beside the study, in the working folder, or among those that come with Stagger. The study's own file,
// which may have the scene's name, is not taken.
static bool find_scene(StudyDef *study, const Node *node, Error *error) {
  char name[sizeof study->scene_path], beside[sizeof study->path];
  if (!node_text(node, name, sizeof name, error))
    return false;
  scene_folder(study->path, beside, sizeof beside);
  const char *folders[] = {beside, "", files_scenes_folder()};
  FileSet found = {0};
  bool is_found = false;
  for (int i = name[0] == '/'; i < (name[0] == '/' ? 2 : 3) && name[0] != '\0' && !is_found; i++)
    is_found = file_in(folders[i], name, study->scene_path, sizeof study->scene_path) &&
               !holds_study(files_read(&found, study->scene_path, NULL));
  Error cause = {0};
  if (!is_found) {
    scene_find(&found, name, &cause);
    node_error(node, error, "%s", cause.text[0] != '\0' ? cause.text : "is a study, not a scene");
  }
  files_free(&found);
  return is_found;
}

// files: NULL: read from the disk.
static bool read_scene(StudyDef *study, const Node *root, FileSet *files, Error *error) {
  const Node *node = node_find(root, "scene"), *set = node_find(root, "set");
  const char *const *sets = (const char *const *)study->sets;
  if (!node)
    return node_error(root, error, "this study names no scene: add one, e.g. 'scene: hit_stand'");
  Error cause = {0};
  if (files) {
    if (!node_text(node, study->scene_path, sizeof study->scene_path, error))
      return false;
    const File *file = files_read(files, study->scene_path, &cause);
    if (!file)
      return node_error(node, error, "%s", cause.text);
    char *text = strdup(file->bytes); // copied, since the scene takes the file set over
    if (!text)
      return node_error(node, error, "out of memory");
    study->scene = scene_def_from_text(study->scene_path, text, files, sets, study->set_count, &cause);
    free(text);
  } else {
    if (!find_scene(study, node, error))
      return false;
    study->scene = scene_def_read(study->scene_path, sets, study->set_count, &cause);
  }
  for (int i = 0; i < study->set_count && !study->scene; i++)
    if (study_blames(study->sets[i], &cause))
      return study_assignment_error(node_at(set, i), study->sets[i], &cause, error);
  return study->scene || error_set(error, "%s", cause.text);
}

// ---- The study ----

static bool count_trials(StudyDef *study, const Node *place, Error *error) {
  // The product does not overflow: an axis has at most 100000 values, a cell at most a million repeats.
  study->cell_count = study->optimise.candidates;
  for (int i = 0; i < study->axis_count && study->cell_count <= STUDY_MAX_TRIALS; i++)
    study->cell_count *= study->axes[i].count > 0 ? study->axes[i].count : 1;
  study->trial_count = study->cell_count * study->run.repeats;
  return study->trial_count <= STUDY_MAX_TRIALS ||
         node_error(place, error, "%ld trials or more, allowed are up to %d: crossed values times 'repeats'%s",
                    study->trial_count, STUDY_MAX_TRIALS,
                    study->optimise.candidates > 1 ? " times the candidates of 'optimise'" : "");
}

static bool read_study(StudyDef *study, const Node *root, FileSet *files, Error *error) {
  if (node_find(root, "characters"))
    return node_key_error(node_find(root, "characters"), error, "this is a scene; a study names one as its 'scene'");
  param_defaults(&study_params, &study->run);
  const Node *axes = node_find(root, "axes");
  return param_read(&study_params, &study->run, root, study_keys, error) &&
         read_sets(study, node_find(root, "set"), error) && read_scene(study, root, files, error) &&
         study_axes_read(study, axes, error) && study_optimise_read(study, node_find(root, "optimise"), error) &&
         count_trials(study, axes ? axes : root, error) && trial_columns(study, node_find(root, "metrics"), error) &&
         study_keeps_read(study, node_find(root, "traces"), error) &&
         study_threshold_read(study, node_find(root, "threshold"), error) &&
         study_compare_read(study, node_find(root, "compare"), error) &&
         study_sensitivity_read(study, node_find(root, "sensitivity"), error) &&
         study_costs_read(study, node_find(root, "optimise"), error) && study_axes_check(study, root, error);
}

// "studies/push.yaml" -> "push"
static void name_study(StudyDef *study, const char *path) {
  const char *slash = strrchr(path, '/');
  snprintf(study->path, sizeof study->path, "%s", path);
  snprintf(study->name, sizeof study->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(study->name, '.');
  if (dot && dot != study->name)
    *dot = '\0';
}

StudyDef *study_from_text(const char *path, const char *text, FileSet *files, Error *error) {
  StudyDef *study = calloc(1, sizeof *study);
  Document document;
  bool good = study != NULL, parsed = false;
  if (good) {
    name_study(study, path);
    study->text = strdup(text);
    good = study->text != NULL;
  }
  if (!good)
    error_set(error, "%s: out of memory", path);
  else
    good = parsed = document_parse(&document, path, text, error);
  good = good && read_study(study, document.root, files, error);
  if (parsed)
    document_free(&document);
  if (files)
    files_free(files); // empty when the scene has taken the files over
  if (good)
    return study;
  study_free(study);
  return NULL;
}

StudyDef *study_read(const char *path, Error *error) {
  FileSet found = {0};
  const File *file = study_find(&found, path, error);
  StudyDef *study =
      file && document_is_text(file->path, file, error) ? study_from_text(file->path, file->bytes, NULL, error) : NULL;
  files_free(&found);
  return study;
}

void study_free(StudyDef *study) {
  if (!study)
    return;
  for (int i = 0; i < study->axis_count; i++) {
    for (int k = 0; k < study->axes[i].count && study->axes[i].values; k++)
      free(study->axes[i].values[k]);
    free(study->axes[i].values);
  }
  for (int i = 0; i < study->set_count; i++)
    free(study->sets[i]);
  for (int i = 0; i < study->keep_count; i++)
    free(study->keeps[i].trials);
  scene_def_free(study->scene);
  free(study->columns);
  free(study->text);
  free(study);
}

// ---- The plan ----

// Number of cells from one value of an axis to the next.
static long axis_stride(const StudyDef *study, int axis) {
  long stride = 1;
  for (int i = study->axis_count - 1; i > axis; i--)
    stride *= study->axes[i].count > 0 ? study->axes[i].count : 1;
  return stride;
}

int study_cell_value(const StudyDef *study, int axis, long cell) {
  return (int)(cell / axis_stride(study, axis) % study->axes[axis].count);
}

long study_cell_with(const StudyDef *study, long cell, int axis, int value) {
  return cell + (value - study_cell_value(study, axis, cell)) * axis_stride(study, axis);
}

void study_value(const StudyDef *study, int axis, long trial, char value[PARAM_TEXT_SIZE]) {
  const StudyAxis *wanted = &study->axes[axis];
  if (wanted->searched) {
    table_number_text(study->optimise.point[axis - (study->axis_count - study->optimise.parameter_count)], value);
    return;
  }
  if (wanted->count == 0) { // the same for each candidate, so that all are judged by the same trials
    study_axis_draw(wanted, study->run.seed, trial % (study->trial_count / study->optimise.candidates), value);
    return;
  }
  snprintf(value, PARAM_TEXT_SIZE, "%s", wanted->values[study_cell_value(study, axis, trial / study->run.repeats)]);
}

void study_trial(const StudyDef *study, long trial, StudyTrial *plan) {
  *plan = (StudyTrial){.trial = trial, .cell = trial / study->run.repeats};
  plan->repeat = (int)(trial % study->run.repeats);
  plan->seed = study->run.seed + plan->repeat;
  for (int i = 0; i < study->axis_count; i++) {
    char value[PARAM_TEXT_SIZE];
    study_value(study, i, trial, value);
    snprintf(plan->overrides[plan->override_count++], STUDY_OVERRIDE_SIZE, "%s=%s", study->axes[i].key, value);
  }
  snprintf(plan->overrides[plan->override_count++], STUDY_OVERRIDE_SIZE, "seed=%d", plan->seed);
}

void study_trace_name(long trial, char *name, size_t size) { snprintf(name, size, "traces/trial_%06ld.h5", trial); }
