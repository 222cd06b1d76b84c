// The file of a trained skill: its network as safetensors, with the record of its training.
#ifndef STAGGER_SCENES_TRAIN_SKILL_FILE_H
#define STAGGER_SCENES_TRAIN_SKILL_FILE_H

#include "ragdoll/skill/skill.h"
#include "sim/base/files.h"

// What is told of a training in the file's metadata, as texts: "samples", "seed", "wall_minutes" and so on; the hashes
// of the description, the body and the clip; the names of inputs and actions.
typedef struct SkillRecord {
  double samples, minutes;   // so far; minutes of wall time
  double seconds_to_failure; // mean, with the noise of training
  int seed, environments;
} SkillRecord;

// Writes the file in whole or not at all. files: the set with the files of body and clip.
bool skill_file_write(const char *path, const SkillDef *skill, const SkillNetwork *network, const File *description,
                      const FileSet *files, const SkillRecord *record, Error *error);

// Reads the network of a skill from a file, which must have its inputs and actions.
bool skill_file_read(const char *path, SkillDef *skill, Error *error);

// The same of a network to learn on from, which may lack the inputs of the slope (see scene_skill_network_before).
bool skill_file_read_before(const char *path, SkillDef *skill, Error *error);

#endif
