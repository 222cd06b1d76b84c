#include "scenes/scene_assets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 256 };

// The files of one folder that a wrong name could have meant, as the scene would name them.
typedef struct Candidates {
  char *names[MAX_CANDIDATES];
  int count;
} Candidates;

static void add_candidates(Candidates *candidates, const char *folder, const char *subfolder) {
  char path[1024];
  snprintf(path, sizeof path, "%s%s%s", folder[0] != '\0' ? folder : ".", subfolder[0] != '\0' ? "/" : "", subfolder);
  DIR *directory = opendir(path);
  if (directory == NULL)
    return;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL && candidates->count < MAX_CANDIDATES;) {
    if (entry->d_name[0] == '.')
      continue;
    char name[1024];
    snprintf(name, sizeof name, "%s%s%s", subfolder, subfolder[0] != '\0' ? "/" : "", entry->d_name);
    candidates->names[candidates->count] = strdup(name);
    if (candidates->names[candidates->count] != NULL)
      candidates->count++;
  }
  closedir(directory);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// The error of a file that is missing, with the name of a file that is close.
static void missing_file(const SceneDef *def, const Node *node, const char *name, const char *cause, Error *error) {
  char subfolder[512] = "";
  const char *slash = strrchr(name, '/');
  if (slash != NULL)
    snprintf(subfolder, sizeof subfolder, "%.*s", (int)(slash - name), name);
  Candidates candidates = {0};
  if (!def->files.sealed && name[0] != '/') {
    add_candidates(&candidates, def->files.folder, subfolder);
    add_candidates(&candidates, files_scenes_folder(), subfolder);
    qsort(candidates.names, (size_t)candidates.count, sizeof candidates.names[0], compare_names);
  }
  const char *close = closest_name(name, (const char *const *)candidates.names, candidates.count);
  node_error(node, error, "%s%s%s%s", cause, close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
  for (int i = 0; i < candidates.count; i++)
    free(candidates.names[i]);
}

const File *scene_file(SceneDef *def, const Node *node, Error *error) {
  char name[512];
  if (!node_text(node, name, sizeof name, error))
    return NULL;
  Error cause = {0};
  const File *file = files_read(&def->files, name, &cause);
  if (file == NULL)
    missing_file(def, node, name, cause.text, error);
  return file;
}

const BodyDef *scene_body(SceneDef *def, const Node *node, Error *error) {
  const File *file = scene_file(def, node, error);
  if (file == NULL)
    return NULL;
  for (int i = 0; i < def->body_count; i++)
    if (strcmp(def->body_files[i], file->name) == 0)
      return def->bodies[i];
  if (def->body_count == SCENE_MAX_BODIES) {
    node_error(node, error, "more than %d bodies", SCENE_MAX_BODIES);
    return NULL;
  }
  BodyDef *body = body_read(&def->files, file->name, error);
  if (body == NULL)
    return NULL;
  def->bodies[def->body_count] = body;
  def->body_files[def->body_count++] = file->name;
  return body;
}

RetargetLimits scene_limits(const BodyDef *body) {
  RetargetLimits limits = {0};
  for (int i = 0; i < body->part_count; i++) {
    const JointDef *joint = &body->parts[i].joint;
    limits.hinge[i] = joint->kind == JOINT_HINGE;
    limits.twist_axis[i] = joint->twist_axis;
    memcpy(limits.range[i], joint->limit, sizeof limits.range[i]);
    if (joint->kind == JOINT_UNIVERSAL) // does not turn about its bone
      limits.range[i][joint->twist_axis][0] = limits.range[i][joint->twist_axis][1] = 0;
  }
  return limits;
}

static const BodyDef *body_of(const SceneDef *def, const Skeleton *skeleton) {
  for (int i = 0; i < def->body_count; i++)
    if (&def->bodies[i]->skeleton == skeleton)
      return def->bodies[i];
  return NULL;
}

const Clip *scene_clip(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  const File *file = scene_file(def, node, error);
  if (file == NULL)
    return NULL;
  for (int i = 0; i < def->clip_count; i++)
    if (strcmp(def->clip_files[i], file->name) == 0 && def->clips[i]->skeleton == skeleton)
      return def->clips[i];
  if (def->clip_count == SCENE_MAX_CLIPS) {
    node_error(node, error, "more than %d clips", SCENE_MAX_CLIPS);
    return NULL;
  }
  const BodyDef *body = body_of(def, skeleton);
  RetargetLimits limits = {0};
  if (body != NULL)
    limits = scene_limits(body);
  Clip *clip = clip_load(&def->files, file->name, skeleton, body != NULL ? &limits : NULL, NULL, error);
  if (clip == NULL)
    return NULL;
  def->clips[def->clip_count] = clip;
  def->clip_files[def->clip_count++] = file->name;
  return clip;
}

typedef struct ClipFinder {
  SceneDef *def;
  const Skeleton *skeleton;
} ClipFinder;

static const Clip *find_clip(void *context, const Node *node, Error *error) {
  const ClipFinder *finder = context;
  return scene_clip(finder->def, node, finder->skeleton, error);
}

const GraphDef *scene_graph(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  const File *file = scene_file(def, node, error);
  if (file == NULL)
    return NULL;
  for (int i = 0; i < def->graph_count; i++)
    if (strcmp(def->graph_files[i], file->name) == 0 && def->graph_skeletons[i] == skeleton)
      return def->graphs[i];
  if (def->graph_count == SCENE_MAX_GRAPHS) {
    node_error(node, error, "more than %d graphs", SCENE_MAX_GRAPHS);
    return NULL;
  }
  ClipFinder finder = {def, skeleton};
  GraphDef *graph = graph_read(&def->files, file->name, skeleton, find_clip, &finder, error);
  if (graph == NULL)
    return NULL;
  def->graphs[def->graph_count] = graph;
  def->graph_files[def->graph_count] = file->name;
  def->graph_skeletons[def->graph_count++] = skeleton;
  return graph;
}

const PlannerDef *scene_planner(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  const File *file = scene_file(def, node, error);
  if (file == NULL)
    return NULL;
  for (int i = 0; i < def->planner_count; i++)
    if (strcmp(def->planner_files[i], file->name) == 0 && def->planner_skeletons[i] == skeleton)
      return def->planners[i];
  if (def->planner_count == SCENE_MAX_PLANNERS) {
    node_error(node, error, "more than %d planners", SCENE_MAX_PLANNERS);
    return NULL;
  }
  ClipFinder finder = {def, skeleton};
  const char *name = file->name; // reading clips moves the files, not their names
  PlannerDef *planner = planner_def_read(&def->files, name, skeleton, find_clip, &finder, error);
  if (planner == NULL)
    return NULL;
  def->planners[def->planner_count] = planner;
  def->planner_files[def->planner_count] = name;
  def->planner_skeletons[def->planner_count++] = skeleton;
  return planner;
}

const Policy *scene_policy(SceneDef *def, const Node *node, const PlannerDef *planner, Error *error) {
  const File *file = scene_file(def, node, error);
  if (file == NULL)
    return NULL;
  for (int i = 0; i < def->policy_count; i++)
    if (strcmp(def->policy_files[i], file->name) == 0 && def->policy_planners[i] == planner)
      return def->policies[i];
  if (def->policy_count == SCENE_MAX_PLANNERS) {
    node_error(node, error, "more than %d policies", SCENE_MAX_PLANNERS);
    return NULL;
  }
  Policy *policy = calloc(1, sizeof *policy);
  if (policy == NULL || !policy_read(policy, planner, file->name, file->bytes, error)) {
    if (policy == NULL)
      error_set(error, "no memory for the policy %s", file->name);
    free(policy);
    return NULL;
  }
  def->policies[def->policy_count] = policy;
  def->policy_files[def->policy_count] = file->name;
  def->policy_planners[def->policy_count++] = planner;
  return policy;
}
