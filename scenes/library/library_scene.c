// The public interface's scenes: opening, stepping, resetting and closing them, and the names of what is in them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_metrics.h"
#include "scenes/library/library_internal.h"
#include "scenes/output/output_file.h"
#include "scenes/run/outcome.h"

const char *stagger_version(void) { return STAGGER_VERSION; }

// ---- Life ----

StaggerScene *library_open(SceneDef *def, SceneDef *opened, Error *cause) {
  StaggerScene *scene = calloc(1, sizeof *scene);
  if (!scene)
    error_set(cause, "%s: out of memory", def->path);
  Edits *edits = scene ? edits_create(def, cause) : NULL;
  Scene *running = edits ? scene_create(def, cause) : NULL;
  if (!running) {
    edits_destroy(edits);
    scene_def_free(def);
    free(scene);
    return NULL;
  }
  *scene = (StaggerScene){
      .opened = opened ? opened : def, .shared = opened != NULL, .def = def, .edits = edits, .scene = running};
  return scene;
}

SceneDef *library_parse(const char *text, const char *path, const char *const *overrides, int count, Error *cause) {
  FileSet files = {0};
  if (scene_folder(path, files.folder, sizeof files.folder))
    return scene_def_from_text(path, text, &files, overrides, count, cause);
  error_set(cause, "%s: the path is too long", path);
  return NULL;
}

static StaggerScene *open_description(SceneDef *def, Error *cause, StaggerError **error) {
  StaggerScene *scene = def ? library_open(def, NULL, cause) : NULL;
  if (!scene)
    library_fail(error, cause);
  return scene;
}

StaggerScene *stagger_scene_open(const char *path, const char *const *overrides, int count, StaggerError **error) {
  Error cause = {0};
  return open_description(scene_def_read(path, overrides, count, &cause), &cause, error);
}

StaggerScene *stagger_scene_parse(const char *text, const char *path, const char *const *overrides, int count,
                                  StaggerError **error) {
  Error cause = {0};
  return open_description(library_parse(text, path, overrides, count, &cause), &cause, error);
}

// Ends a recording, if there is one.
static bool close_trace(StaggerScene *scene, const char *status, Error *error) {
  TraceWriter *trace = scene->trace;
  scene->trace = NULL;
  return !trace || trace_close(trace, status, error);
}

void library_end_recording(StaggerScene *scene) {
  close_trace(scene, "interrupted", NULL);
  scene_stop_recording(scene->scene);
}

// The present description, unless it is the one that lends its assets.
static void free_description(StaggerScene *scene) {
  if (scene->def != scene->opened)
    scene_def_free(scene->def);
}

void stagger_scene_close(StaggerScene *scene) {
  if (!scene)
    return;
  library_end_recording(scene);
  views_free(&scene->views);
  scene_destroy(scene->scene);
  edits_destroy(scene->edits);
  free_description(scene);
  if (!scene->shared)
    scene_def_free(scene->opened);
  free(scene);
}

// The description for another run, with all that was set. Without an override if it has that seed anyway: a state fits
// the description with which it was saved.
static SceneDef *read_again(const StaggerScene *scene, int seed, Error *cause) {
  const char *const *present;
  const int count = edits_overrides(scene->edits, &present);
  SceneDef *def = scene_def_variant(scene->opened, present, count, cause);
  if (!def || def->run.seed == seed)
    return def;
  scene_def_free(def);
  const char **overrides = calloc((size_t)count + 1, sizeof *overrides);
  if (!overrides) {
    error_set(cause, "%s: out of memory", scene->def->path);
    return NULL;
  }
  char text[32];
  snprintf(text, sizeof text, "seed=%d", seed);
  for (int i = 0; i < count; i++)
    overrides[i] = present[i];
  overrides[count] = text;
  def = scene_def_variant(scene->opened, overrides, count + 1, cause);
  free(overrides);
  return def;
}

bool stagger_scene_reset(StaggerScene *scene, int64_t seed, StaggerError **error) {
  if (seed < -1 || seed > INT32_MAX)
    return library_error(error, "a seed is from 0 to 2147483647, or -1 for the present one, not %lld", (long long)seed);
  Error cause = {0};
  SceneDef *def = read_again(scene, (int)(seed < 0 ? scene->def->run.seed : seed), &cause);
  Scene *running = def ? scene_create(def, &cause) : NULL;
  // The views are the last to change: what can fail has been done before.
  if (!running || !edits_attach(scene->edits, def, &cause)) {
    scene_destroy(running);
    scene_def_free(def);
    return library_fail(error, &cause);
  }
  library_end_recording(scene);
  const bool seen = scene->views.recorder;
  views_detach(&scene->views);
  scene_destroy(scene->scene);
  free_description(scene);
  scene->def = def;
  scene->scene = running;
  scene->finished = false;
  return !seen || views_attach(&scene->views, running, &cause) || library_fail(error, &cause);
}

int stagger_scene_step(StaggerScene *scene, int steps) {
  int made = 0;
  while (made < steps && !scene->finished && scene_step(scene->scene))
    made++;
  if (made > 0)
    views_update(&scene->views, scene->scene, true);
  return made;
}

const char *stagger_scene_stop_reason(const StaggerScene *scene) {
  const Scene *running = scene->scene;
  return running->world->stopped  ? running->world->stop_reason
         : running->record_failed ? "the trace cannot be written"
                                  : "";
}

double stagger_scene_time(const StaggerScene *scene) { return scene->scene->world->time; }

double stagger_scene_time_step(const StaggerScene *scene) { return scene->scene->world->def.dt; }

double stagger_scene_duration(const StaggerScene *scene) {
  return (double)scene->def->step_count * scene->scene->world->def.dt;
}

int64_t stagger_scene_seed(const StaggerScene *scene) { return scene->def->run.seed; }

// The group and the row of a parameter's path; NULL when there is none.
static const Param *find_parameter(const Edits *edits, const char *path, int *group) {
  for (*group = 0; *group < edits_group_count(edits); (*group)++) {
    const EditGroup *place = edits_group(edits, *group);
    size_t length = strlen(place->path);
    const char *name = path;
    if (length > 0) {
      if (strncmp(path, place->path, length) != 0 || path[length] != '.')
        continue;
      name = path + length + 1;
    }
    const Param *row = param_find(place->table, name);
    if (row && edits_is_offered(place, row))
      return row;
  }
  return NULL;
}

bool stagger_scene_set(StaggerScene *scene, const char *path, const char *value, bool *live, StaggerError **error) {
  int group;
  const Param *row = find_parameter(scene->edits, path, &group);
  if (!row)
    return library_error(error, "%s: there is no parameter '%s' that can be set in an open scene", scene->def->path,
                         path);
  Error cause = {0};
  if (!edits_set(scene->edits, group, row, value, &cause))
    return library_fail(error, &cause);
  const EditGroup *place = edits_group(scene->edits, group);
  if (live)
    *live = edits_is_live(place, row);
  return scene_retune(scene->scene, place, row, &cause) || library_fail(error, &cause);
}

// ---- Names ----

int stagger_character_count(const StaggerScene *scene) { return scene->scene->character_count; }

const char *stagger_character_name(const StaggerScene *scene, int character) {
  const Character *found = library_character(scene, character, NULL);
  return found ? found->def->name : NULL;
}

int stagger_character_index(const StaggerScene *scene, const char *name) {
  for (int i = 0; i < scene->scene->character_count; i++)
    if (strcmp(scene->scene->characters[i]->def->name, name) == 0)
      return i;
  return -1;
}

int stagger_part_count(const StaggerScene *scene, int character) {
  const Character *found = library_character(scene, character, NULL);
  return found ? found->def->body->part_count : 0;
}

const char *stagger_part_name(const StaggerScene *scene, int character, int part) {
  const Character *found = library_part(scene, character, part, NULL);
  return found ? found->def->body->parts[part].name : NULL;
}

int stagger_part_index(const StaggerScene *scene, int character, const char *name) {
  const Character *found = library_character(scene, character, NULL);
  return found ? skeleton_find(&found->def->body->skeleton, name) : -1;
}

bool stagger_joint(const StaggerScene *scene, int character, int part, StaggerJoint *joint, StaggerError **error) {
  const Character *owner = library_part(scene, character, part, error);
  if (!owner)
    return false;
  if (part == 0)
    return library_error(error, "part 0 of %s has no joint", owner->def->name);
  const PartDef *described = &owner->def->body->parts[part];
  const DriveDef *drive = &owner->drive.def;
  *joint = (StaggerJoint){.parent = described->parent,
                          .torque = drive->enabled ? described->joint.strength * drive->strength : 0,
                          .stiffness = described->joint.stiffness * drive->stiffness,
                          .damping = described->joint.damping * drive->damping};
  for (int axis = 0; axis < 3; axis++) {
    joint->turns[axis] = joint_turns(&described->joint, axis);
    joint_axis(&described->joint, axis, joint->axes[axis]);
    if (!joint->turns[axis])
      continue;
    joint->axis_torque[axis] = fmin(joint_axis_strength(&described->joint, axis) * drive->strength, joint->torque);
    joint->armature[axis] = described->joint.armature[axis];
    joint->lower[axis] = described->joint.limit[axis][0];
    joint->upper[axis] = described->joint.limit[axis][1];
  }
  return true;
}

// ---- Results ----

bool stagger_scene_record(StaggerScene *scene, const char *path, StaggerError **error) {
  Error cause = {0};
  if (scene->trace || scene->finished)
    return library_error(error, "%s: %s", path,
                         scene->trace ? "a recording is under way" : "the scene is finished: reset it first");
  TraceInfo info = scene_trace_info(scene->def);
  if (output_check(path, OUTPUT_TRACE, &cause))
    scene->trace = trace_create(path, &info, &cause);
  if (scene->trace && scene_record(scene->scene, scene->trace, &cause))
    return true;
  close_trace(scene, "stopped: could not be recorded", NULL);
  scene_stop_recording(scene->scene);
  return library_fail(error, &cause);
}

bool stagger_scene_finish(StaggerScene *scene, StaggerError **error) {
  if (scene->finished)
    return true;
  const char *reason = stagger_scene_stop_reason(scene);
  char status[320];
  snprintf(status, sizeof status, *reason ? "stopped: %s" : "complete", reason);
  scene_finish(scene->scene);
  scene->finished = true;
  Error cause = {0};
  return close_trace(scene, status, &cause) || library_fail(error, &cause);
}

// Whether metrics are closed, so that they can be read.
static bool is_finished(const StaggerScene *scene, StaggerError **error) {
  return scene->finished || library_error(error, "the metrics are not closed: call stagger_scene_finish first");
}

bool stagger_metric(const StaggerScene *scene, int character, const char *name, double *value, StaggerError **error) {
  const Character *found = library_character(scene, character, error);
  if (!found || !is_finished(scene, error))
    return false;
  return metrics_value(found->judged->metrics, name, value) || library_error(error, "there is no metric '%s'", name);
}

const char *stagger_metric_name(int index, const char **unit) {
  if (index < 0 || index >= metric_row_count)
    return NULL;
  if (unit)
    *unit = metric_rows[index].unit;
  return metric_rows[index].name;
}

int stagger_hit_count(const StaggerScene *scene, int character) {
  const Character *found = library_character(scene, character, NULL);
  int count = 0;
  if (found && scene->finished)
    metrics_hits(found->judged->metrics, &count);
  return count;
}

bool stagger_hit_figure(const StaggerScene *scene, int character, int hit, const char *name, double *value,
                        StaggerError **error) {
  const Character *found = library_character(scene, character, error);
  if (!found || !is_finished(scene, error))
    return false;
  int count;
  const MetricsHit *hits = metrics_hits(found->judged->metrics, &count);
  if (hit < 0 || hit >= count)
    return library_error(error, "there is no hit %d: %s took %d", hit, found->def->name, count);
  for (int i = 0; i < METRIC_HIT_ROWS; i++)
    if (strcmp(metric_hit_rows[i].name, name) == 0) {
      *value = metric_hit_figure(&hits[hit], i);
      return true;
    }
  return library_error(error, "there is no figure '%s' of hits", name);
}

char *stagger_scene_outcome(const StaggerScene *scene, StaggerError **error) {
  if (!is_finished(scene, error))
    return NULL;
  const char *reason = stagger_scene_stop_reason(scene);
  char status[320];
  snprintf(status, sizeof status, *reason ? "stopped: %s" : "complete", reason);
  RunOutcome outcome = {.status = status};
  char *text = outcome_json(scene->scene, &outcome);
  if (!text)
    library_error(error, "%s: out of memory", scene->def->path);
  return text;
}

void stagger_text_free(char *text) { free(text); }
