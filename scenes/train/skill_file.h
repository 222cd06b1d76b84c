// The file of a trained skill: its network as safetensors, with the record of its training.
#ifndef STAGGER_SCENES_TRAIN_SKILL_FILE_H
#define STAGGER_SCENES_TRAIN_SKILL_FILE_H

#include "ragdoll/skill/skill.h"
#include "sim/base/files.h"

typedef struct SkillRecord {
  double samples, minutes;
} SkillRecord;

bool skill_file_write(const char *path, const SkillDef *skill, const SkillNetwork *network, const File *description,
                      const FileSet *files, const SkillRecord *record, Error *error);
bool skill_file_read(const char *path, SkillDef *skill, Error *error);

#endif
