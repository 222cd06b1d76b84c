// Skills as files: a description in YAML, and the weights of its network as safetensors.
//
//   name: run
//   body: bodies/human.yaml
//   clip: clips/run.yaml
//   network: skills/run.safetensors
//   control: {rate: 30, mirror: true, speed: [2.5, 4.5]}
//   training: ...                       # read by `stagger train`
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_SKILL_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_SKILL_H

#include "ragdoll/skill/skill.h"
#include "scenes/description/scene_def.h"
#include "sim/base/safetensors.h"


// Reads all but the network, whose shape stays empty. network: name of its file.
SkillDef *scene_skill_description(SceneDef *def, const File *file, const BodyDef *body, char network[512],
                                  Error *error);

// The network from a file of tensors, with the numbers of inputs and actions of the skill. Errors name the file.
bool scene_skill_network(SkillDef *skill, const Tensors *tensors, const char *name, Error *error);

void scene_skill_free(SkillDef *skill);

#endif
