// Reads the description of a training: the skill, its stages, and the scene in which it is learnt.
#include "scenes/train/skill_train_internal.h"

#include <stdio.h>
#include <unistd.h>

#include "scenes/description/scene_character.h"
#include "scenes/description/scene_skill.h"

PARAM_TABLE(skill_training_params, SkillTraining, SKILL_TRAINING_PARAMS, "training", "How a skill is trained.")

static bool read_stages(TrainingRun *training, const Node *list, Error *error) {
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
static bool read_scene(TrainingRun *training, const Node *key, Error *error) {
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

static bool read_training(TrainingRun *training, const Node *map, Error *error) {
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

bool skill_train_read(TrainingRun *training, Error *error) {
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
