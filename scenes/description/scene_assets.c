// Loads the bodies, clips, graphs, planners, policies and skills that a scene names, each file once, and frees them in
// the order that their references require.
#include "scenes/description/scene_assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_measure.h"
#include "scenes/description/lookup.h"
#include "scenes/description/scene_skill.h"

static const double FAR_BEYOND = 0.262; // rad, 15 degrees: recordings of people exceed the ranges by a few degrees

// The error for a missing file, with a similar name.
static void missing_file(const SceneDef *def, const Node *node, const char *name, const char *cause, Error *error) {
  const char *const folders[] = {def->files.folder, files_scenes_folder()};
  char close[1024];
  const bool found = !def->files.sealed && lookup_file(name, folders, 2, false, close, sizeof close);
  node_error(node, error, "%s%s%s%s", cause, found ? "; did you mean '" : "", found ? close : "", found ? "'?" : "");
}

const File *scene_file(SceneDef *def, const Node *node, Error *error) {
  char name[512];
  if (!node_text(node, name, sizeof name, error))
    return NULL;
  Error cause = {0};
  const File *file = files_read(&def->files, name, &cause);
  if (!file)
    missing_file(def, node, name, cause.text, error);
  return file;
}

// The asset that the scene has already read from the file for that owner, or NULL.
static void *known_asset(const SceneDef *def, AssetKind kind, const File *file, const void *owner) {
  for (int i = 0; i < def->asset_count; i++) {
    const SceneAsset *asset = &def->assets[i];
    if (asset->kind == kind && asset->owner == owner && strcmp(asset->file, file->name) == 0)
      return asset->object;
  }
  return NULL;
}

// Stores an asset that was read; NULL, with nothing stored, when reading failed or there is no room.
static void *keep_asset(SceneDef *def, const Node *node, const SceneAsset *asset, Error *error) {
  if (!asset->object)
    return NULL;
  if (def->asset_count == SCENE_MAX_ASSETS) {
    scene_asset_free(asset);
    node_error(node, error, "more than %d bodies, clips, graphs, planners, policies and skills", SCENE_MAX_ASSETS);
    return NULL;
  }
  def->assets[def->asset_count++] = *asset;
  return asset->object;
}

// A body that the scene has already made of the file with these measures.
static const BodyDef *known_body(const SceneDef *def, const File *file, const BodyMeasures *measures) {
  for (int i = 0; i < def->asset_count; i++) {
    const SceneAsset *asset = &def->assets[i];
    const BodyDef *body = asset->object;
    if (asset->kind == ASSET_BODY && strcmp(asset->file, file->name) == 0 &&
        body_measures_equal(&body->measures, measures))
      return body;
  }
  return NULL;
}

const BodyDef *scene_body(SceneDef *def, const Node *node, Error *error) {
  const bool measured = node->kind == NODE_MAP;
  BodyMeasures measures = {0};
  if (measured && !body_measures_read(&measures, node, error))
    return NULL;
  const File *file = scene_file(def, measured ? node_find(node, "base") : node, error);
  if (!file)
    return NULL;
  const BodyDef *known = known_body(def, file, &measures);
  if (known)
    return known;
  BodyDef *body = body_read(&def->files, file->name, error);
  if (body && measured && !body_measure(body, &measures, node, error)) {
    body_free(body);
    return NULL;
  }
  return keep_asset(def, node, &(SceneAsset){ASSET_BODY, file->name, NULL, body, "", ""}, error);
}

RetargetLimits scene_limits(const BodyDef *body) {
  RetargetLimits limits = {0};
  for (int i = 0; i < body->part_count; i++) {
    const JointDef *joint = &body->parts[i].joint;
    limits.hinge[i] = joint->kind == JOINT_HINGE;
    limits.twist_axis[i] = joint->twist_axis;
    limits.turned[i] = joint->turned;
    limits.frame[i] = joint_versor(joint);
    memcpy(limits.range[i], joint->limit, sizeof limits.range[i]);
    if (joint->kind == JOINT_UNIVERSAL) // a universal joint does not turn about its bone
      limits.range[i][joint->twist_axis][0] = limits.range[i][joint->twist_axis][1] = 0;
  }
  return limits;
}

static const BodyDef *body_of(const SceneDef *def, const Skeleton *skeleton) {
  for (int i = 0; i < def->asset_count; i++) {
    const BodyDef *body = def->assets[i].object;
    if (def->assets[i].kind == ASSET_BODY && &body->skeleton == skeleton)
      return body;
  }
  return NULL;
}

const Clip *scene_clip(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  const File *file = scene_file(def, node, error);
  if (!file)
    return NULL;
  const Clip *known = known_asset(def, ASSET_CLIP, file, skeleton);
  if (known)
    return known;
  const BodyDef *body = body_of(def, skeleton);
  RetargetLimits limits = {0};
  RetargetReport report = {0};
  if (body)
    limits = scene_limits(body);
  Clip *clip = clip_load(&def->files, file->name, skeleton, body ? &limits : NULL, &report, error);
  SceneAsset asset = {ASSET_CLIP, file->name, skeleton, clip, "", ""};
  retarget_excess_text(&report, skeleton, FAR_BEYOND, asset.excess, sizeof asset.excess);
  retarget_note_text(&report, asset.note, sizeof asset.note);
  return keep_asset(def, node, &asset, error);
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
  if (!file)
    return NULL;
  const GraphDef *known = known_asset(def, ASSET_GRAPH, file, skeleton);
  if (known)
    return known;
  ClipFinder finder = {def, skeleton};
  GraphDef *graph = graph_read(&def->files, file->name, skeleton, find_clip, &finder, error);
  return keep_asset(def, node, &(SceneAsset){ASSET_GRAPH, file->name, skeleton, graph, "", ""}, error);
}

const PlannerDef *scene_planner(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error) {
  const File *file = scene_file(def, node, error);
  if (!file)
    return NULL;
  const PlannerDef *known = known_asset(def, ASSET_PLANNER, file, skeleton);
  if (known)
    return known;
  ClipFinder finder = {def, skeleton};
  PlannerDef *planner = planner_def_read(&def->files, file->name, skeleton, find_clip, &finder, error);
  return keep_asset(def, node, &(SceneAsset){ASSET_PLANNER, file->name, skeleton, planner, "", ""}, error);
}

static Policy *read_policy(const File *file, const PlannerDef *planner, Error *error) {
  Policy *policy = calloc(1, sizeof *policy);
  if (!policy) {
    error_set(error, "no memory for the policy %s", file->name);
    return NULL;
  }
  if (document_is_text(file->name, file, error) && policy_read(policy, planner, file->name, file->bytes, error))
    return policy;
  free(policy);
  return NULL;
}

const Policy *scene_policy(SceneDef *def, const Node *node, const PlannerDef *planner, Error *error) {
  const File *file = scene_file(def, node, error);
  if (!file)
    return NULL;
  const Policy *known = known_asset(def, ASSET_POLICY, file, planner);
  if (known)
    return known;
  Policy *policy = read_policy(file, planner, error);
  return keep_asset(def, node, &(SceneAsset){ASSET_POLICY, file->name, planner, policy, "", ""}, error);
}

// The file of a network has no place in the scene's text: errors about it are told at the skill's name.
static bool read_network(SceneDef *def, const Node *node, SkillDef *skill, const char *network, Error *error) {
  Error cause = {0};
  const File *file = files_read(&def->files, network, &cause);
  return (file && scene_skill_network(skill, file, file->name, &cause)) || node_error(node, error, "%s", cause.text);
}

const SkillDef *scene_skill(SceneDef *def, const Node *node, const BodyDef *body, Error *error) {
  const File *file = scene_file(def, node, error);
  if (!file)
    return NULL;
  const SkillDef *known = known_asset(def, ASSET_SKILL, file, body);
  if (known)
    return known;
  char network[512];
  SkillDef *skill = scene_skill_description(def, file, body, network, error);
  if (skill && !read_network(def, node, skill, network, error)) {
    scene_skill_free(skill);
    return NULL;
  }
  return keep_asset(def, node, &(SceneAsset){ASSET_SKILL, file->name, body, skill, "", ""}, error);
}

void scene_asset_free(const SceneAsset *asset) {
  switch (asset->kind) {
  case ASSET_BODY:
    body_free(asset->object);
    break;
  case ASSET_CLIP:
    clip_free(asset->object);
    break;
  case ASSET_GRAPH:
    graph_def_free(asset->object);
    break;
  case ASSET_PLANNER:
    planner_def_free(asset->object);
    break;
  case ASSET_SKILL:
    scene_skill_free(asset->object);
    break;
  case ASSET_POLICY:
    policy_free(asset->object);
    free(asset->object);
    break;
  }
}
