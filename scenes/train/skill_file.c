// Writes and reads the network of a skill.
#include "scenes/train/skill_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/planner/policy.h"
#include "scenes/description/scene_skill.h"
#include "scenes/output/output_file.h"
#include "sim/base/safetensors.h"
#include "sim/base/text_buffer.h"

enum { TEXT_SIZE = 64, TEXTS = 8 };

// The layers as in PyTorch, whose weights are [outputs][inputs]. The caller frees the values.
static float *add_layers(Tensors *tensors, const SkillNetwork *network) {
  float *values = malloc(network_size(network->shape) * sizeof *values), *next = values;
  for (int l = 0; l < NETWORK_LAYERS && values; l++) {
    NetworkLayer layer = network_layer(network->shape, l);
    Tensor *weight = &tensors->tensors[tensors->count++], *bias = &tensors->tensors[tensors->count++];
    *weight = (Tensor){.rank = 2, .shape = {layer.outputs, layer.inputs}, .values = next};
    snprintf(weight->name, sizeof weight->name, "actor.%d.weight", l);
    for (int o = 0; o < layer.outputs; o++)
      for (int i = 0; i < layer.inputs; i++)
        *next++ = network->weights[layer.weights + (size_t)i * (size_t)layer.outputs + (size_t)o];
    *bias = (Tensor){.rank = 1, .shape = {layer.outputs}, .values = &network->weights[layer.bias]};
    snprintf(bias->name, sizeof bias->name, "actor.%d.bias", l);
  }
  return values;
}

static void add_vector(Tensors *tensors, const char *name, int length, const float *values) {
  Tensor *tensor = &tensors->tensors[tensors->count++];
  *tensor = (Tensor){.rank = 1, .shape = {length}, .values = values};
  snprintf(tensor->name, sizeof tensor->name, "%s", name);
}

static void add_text(Tensors *tensors, const char *key, const char *value) {
  tensors->metadata[tensors->metadata_count++] = (TensorText){key, value};
}

// Names of channels, one in a line. The caller frees it.
static char *channel_names(const SkillChannel channels[], int count) {
  char *text = malloc((size_t)count * (SKILL_NAME_SIZE + 1) + 1), *end = text;
  for (int i = 0; i < count && text; i++)
    end += sprintf(end, "%s%s", i > 0 ? "\n" : "", channels[i].name);
  return text;
}

// A file's name as others may know it: a whole path says only where it was on one machine.
static const char *name_elsewhere(const char *name) {
  const char *last = strrchr(name, '/');
  return name[0] == '/' && last ? last + 1 : name;
}

// Hashes of the files with which the skill was trained, each with its name, one in a line. The caller frees it.
static char *file_hashes(const File *description, const FileSet *files) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%016" PRIx64 " %s", policy_hash(description->bytes, description->size),
          name_elsewhere(description->name));
  for (int i = 0; i < files->count; i++)
    fprintf(out, "\n%016" PRIx64 " %s", policy_hash(files->files[i].bytes, files->files[i].size),
            name_elsewhere(files->files[i].name));
  return fclose(out) == 0 ? text : NULL;
}

bool skill_file_write(const char *path, const SkillDef *skill, const SkillNetwork *network, const File *description,
                      const FileSet *files, const SkillRecord *record, Error *error) {
  Tensors tensors = {0};
  char texts[TEXTS][TEXT_SIZE];
  const SkillTable *table = &skill->table;
  char *inputs = channel_names(table->inputs, table->input_count);
  char *actions = channel_names(table->actions, table->action_count);
  char *hashes = file_hashes(description, files);
  add_vector(&tensors, "mean", network->shape.inputs, network->mean);
  add_vector(&tensors, "scale", network->shape.inputs, network->scale);
  float *values = add_layers(&tensors, network);
  snprintf(texts[0], TEXT_SIZE, "Stagger %s", STAGGER_VERSION);
  snprintf(texts[1], TEXT_SIZE, "%.0f", record->samples);
  snprintf(texts[2], TEXT_SIZE, "%.1f", record->minutes);
  snprintf(texts[3], TEXT_SIZE, "%.2f", record->seconds_to_failure);
  snprintf(texts[4], TEXT_SIZE, "%d", record->seed);
  snprintf(texts[5], TEXT_SIZE, "%d", record->environments);
  add_text(&tensors, "made_by", texts[0]);
  add_text(&tensors, "skill", skill->name);
  add_text(&tensors, "samples", texts[1]);
  add_text(&tensors, "wall_minutes", texts[2]);
  add_text(&tensors, "seconds_to_failure", texts[3]);
  add_text(&tensors, "seed", texts[4]);
  add_text(&tensors, "environments", texts[5]);
  add_text(&tensors, "files", hashes ? hashes : "");
  add_text(&tensors, "inputs", inputs ? inputs : "");
  add_text(&tensors, "actions", actions ? actions : "");
  size_t size = 0;
  char *bytes = values && hashes && inputs && actions ? tensors_write(&tensors, &size) : NULL;
  bool good = bytes ? output_write(path, bytes, size, error) : error_set(error, "no memory to write %s", path);
  free(bytes);
  free(values);
  free(hashes);
  free(inputs);
  free(actions);
  return good;
}

typedef bool TakeNetwork(SkillDef *skill, const File *file, const char *name, Error *error);

static bool read_network(const char *path, SkillDef *skill, TakeNetwork *take, Error *error) {
  FileSet files = {0};
  char *full = realpath(path, NULL);
  const File *file = files_read(&files, full ? full : path, error);
  bool good = file && take(skill, file, path, error);
  files_free(&files);
  free(full);
  return good;
}

bool skill_file_read(const char *path, SkillDef *skill, Error *error) {
  return read_network(path, skill, scene_skill_network, error);
}

bool skill_file_read_before(const char *path, SkillDef *skill, Error *error) {
  return read_network(path, skill, scene_skill_network_before, error);
}
