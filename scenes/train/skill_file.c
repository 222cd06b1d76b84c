#include "scenes/train/skill_file.h"
#include <stdio.h>
#include <stdlib.h>
bool skill_file_write(const char *path, const SkillDef *skill, const SkillNetwork *network, const File *description,
                      const FileSet *files, const SkillRecord *record, Error *error) {
  (void)skill; (void)description; (void)files; (void)record; (void)error;
  FILE *f = fopen(path, "wb");
  fwrite(&network->shape, sizeof network->shape, 1, f);
  fwrite(network->mean, 4, (size_t)network->shape.inputs, f);
  fwrite(network->scale, 4, (size_t)network->shape.inputs, f);
  fwrite(network->weights, 4, network_size(network->shape), f);
  fclose(f);
  return true;
}
bool skill_file_read(const char *path, SkillDef *skill, Error *error) {
  NetworkShape s;
  FILE *f = fopen(path, "rb");
  if (!f || fread(&s, sizeof s, 1, f) != 1)
    return error_set(error, "bad");
  skill_network_init(&skill->network, s, error);
  size_t n = fread(skill->network.mean, 4, (size_t)s.inputs, f) + fread(skill->network.scale, 4, (size_t)s.inputs, f) +
  fread(skill->network.weights, 4, network_size(s), f);
  fclose(f);
  return n > 0;
}
