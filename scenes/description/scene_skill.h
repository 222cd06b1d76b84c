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

// Reads all but the network, whose shape stays empty. body: for which it must be, NULL: for any. network: name of its
// file.
SkillDef *scene_skill_description(SceneDef *def, const File *file, const BodyDef *body, char network[512],
                                  Error *error);

// The network from a file of tensors, with the numbers of inputs and actions of the skill. Errors name the file.
bool scene_skill_network(SkillDef *skill, const File *file, const char *name, Error *error);

// The same of a network to learn on from. One that has all inputs of the skill but those of the slope (control.slope)
// gets these with weights of 0, so that it decides as before.
bool scene_skill_network_before(SkillDef *skill, const File *file, const char *name, Error *error);

// Whether a file is the description of a skill.
bool scene_skill_describes(const Node *root);

// Reads a skill by itself, as a program's user names it (see scene_find), in the same way. The result is a scene of no
// characters, whose folder is that of the description: it has the skill's files, body and clip, and must be freed after
// the skill, by scene_def_free. NULL and an error with line and column.
SceneDef *scene_skill_alone(const char *path, SkillDef **skill, char network[512], Error *error);

void scene_skill_free(SkillDef *skill);

#endif
