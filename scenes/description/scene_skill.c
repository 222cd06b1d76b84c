// Reads skills: their descriptions and networks.
#include "scenes/description/scene_skill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/scene_assets.h"
#include "sim/base/safetensors.h"

// Whether a skill that was learnt with one body has the same inputs and actions with the other.
static bool has_same_joints(const BodyDef *a, const BodyDef *b) {
  bool same = a->part_count == b->part_count;
  for (int i = 0; i < a->part_count && same; i++) {
    const PartDef *one = &a->parts[i], *other = &b->parts[i];
    same = strcmp(one->name, other->name) == 0 && one->parent == other->parent &&
           one->joint.kind == other->joint.kind && one->joint.twist_axis == other->joint.twist_axis;
  }
  return same;
}

static bool read_parts(SceneDef *def, SkillDef *skill, const Node *map, const BodyDef *body, char network[512],
                       Error *error) {
  static const char *const keys[] = {"name", "body", "clip", "network", "control", "training", NULL};
  if (!node_check_keys(map, keys, error))
    return false;
  for (int i = 0; i < 4; i++)
    if (!node_find(map, keys[i]))
      return node_error(map, error, "a skill needs a '%s'", keys[i]);
  const Node *name = node_find(map, "name"), *control = node_find(map, "control");
  if (!node_text(name, skill->name, sizeof skill->name, error) || !node_check_name(name, skill->name, error) ||
      !node_text(node_find(map, "network"), network, 512, error))
    return false;
  skill->body = scene_body(def, node_find(map, "body"), error);
  if (!skill->body)
    return false;
  if (body && !has_same_joints(skill->body, body))
    return node_error(node_find(map, "body"), error, "the skill '%s' is for the body %s, the character has %s",
                      skill->name, skill->body->name, body->name);
  skill->trained_with = skill->body;
  if (body)
    skill->body = body;
  skill->clip = scene_clip(def, node_find(map, "clip"), &skill->body->skeleton, error);
  if (!skill->clip)
    return false;
  param_defaults(&skill_params, &skill->params);
  if (control && control->kind != NODE_MAP)
    return node_error(control, error, "'control' must be a map of keys and values");
  if (control && !param_read(&skill_params, &skill->params, control, NULL, error))
    return false;
  if (skill->params.delay * skill->params.rate > SKILL_MOST_LATE)
    return node_error(node_find(control, "delay"), error, "'delay' is at most %d decisions, which is %.3g s at %.3g Hz",
                      SKILL_MOST_LATE, SKILL_MOST_LATE / skill->params.rate, skill->params.rate);
  return skill_table_make(&skill->table, skill->body, &skill->params, error);
}

SkillDef *scene_skill_description(SceneDef *def, const File *file, const BodyDef *body, char network[512],
                                  Error *error) {
  Document document;
  SkillDef *skill = calloc(1, sizeof *skill);
  if (!skill) {
    error_set(error, "no memory for the skill %s", file->name);
    return NULL;
  }
  bool good = document_read(&document, file->name, file, error);
  if (good) {
    good = read_parts(def, skill, document.root, body, network, error);
    document_free(&document);
  }
  if (good)
    return skill;
  scene_skill_free(skill);
  return NULL;
}

bool scene_skill_describes(const Node *root) {
  return node_find(root, "network") || (node_find(root, "clip") && node_find(root, "body"));
}

SceneDef *scene_skill_alone(const char *path, SkillDef **skill, char network[512], Error *error) {
  FileSet found = {0};
  const File *file = scene_find(&found, path, error);
  SceneDef *def = file ? calloc(1, sizeof *def) : NULL;
  *skill = NULL;
  if (def && scene_folder(file->path, def->files.folder, sizeof def->files.folder))
    *skill = scene_skill_description(def, file, NULL, network, error);
  else if (file)
    error_set(error, "%s: out of memory, or the path is too long", path);
  files_free(&found);
  if (*skill)
    return def;
  scene_def_free(def);
  return NULL;
}

// Copies the tensors of a layer, whose weights are [outputs][inputs] in the file, as in PyTorch. inputs: of the file,
// at most those of the layer, whose others keep weights of 0.
static bool read_layer(SkillNetwork *network, int index, int inputs, const Tensors *tensors, Error *error) {
  NetworkLayer layer = network_layer(network->shape, index);
  char name[64];
  snprintf(name, sizeof name, "actor.%d.weight", index);
  const Tensor *weights = tensors_find(tensors, name, 2, (int[2]){layer.outputs, inputs}, error);
  snprintf(name, sizeof name, "actor.%d.bias", index);
  const Tensor *bias = weights ? tensors_find(tensors, name, 1, &layer.outputs, error) : NULL;
  if (!bias)
    return false;
  for (int o = 0; o < layer.outputs; o++) {
    for (int i = 0; i < inputs; i++)
      network->weights[layer.weights + (size_t)i * (size_t)layer.outputs + (size_t)o] =
          weights->values[(size_t)o * (size_t)inputs + (size_t)i];
    network->weights[layer.bias + (size_t)o] = bias->values[o];
  }
  return true;
}

// inputs: number of those that the file has, which are the first of the skill's.
static bool take_network(SkillDef *skill, const Tensors *tensors, int inputs, const char *name, Error *error) {
  const SkillTable *table = &skill->table;
  NetworkShape shape = {table->input_count, {0, 0}, table->action_count};
  for (int i = 0; i < 2; i++) {
    char bias[64];
    snprintf(bias, sizeof bias, "actor.%d.bias", i);
    for (int k = 0; k < tensors->count; k++)
      if (strcmp(tensors->tensors[k].name, bias) == 0)
        shape.hidden[i] = tensors->tensors[k].shape[0];
  }
  const Tensor *mean = tensors_find(tensors, "mean", 1, &inputs, error);
  const Tensor *scale = mean ? tensors_find(tensors, "scale", 1, &inputs, error) : NULL;
  if (!scale)
    return false;
  Error cause = {0};
  if (!skill_network_init(&skill->network, shape, &cause))
    return error_set(error, "%s: %s", name, cause.text);
  memcpy(skill->network.mean, mean->values, sizeof(float) * (size_t)inputs);
  memcpy(skill->network.scale, scale->values, sizeof(float) * (size_t)inputs);
  for (int i = 0; i < NETWORK_LAYERS; i++)
    if (!read_layer(&skill->network, i, i == 0 ? inputs : network_layer(shape, i).inputs, tensors, error)) {
      skill_network_free(&skill->network);
      return false;
    }
  return true;
}

bool scene_skill_network(SkillDef *skill, const File *file, const char *name, Error *error) {
  Tensors tensors;
  bool good = tensors_read(&tensors, file->bytes, file->size, name, error) &&
              take_network(skill, &tensors, skill->table.input_count, name, error);
  tensors_free(&tensors);
  return good;
}

// Whether a list of names, one in a line, is that of the first inputs of a skill.
static bool lists_first_inputs(const char *names, const SkillTable *table, int count) {
  for (int i = 0; i < count; i++) {
    const size_t length = strcspn(names, "\n");
    if (strlen(table->inputs[i].name) != length || memcmp(table->inputs[i].name, names, length) != 0)
      return false;
    names += length + (names[length] == '\n' && i + 1 < count);
  }
  return *names == '\0';
}

// The number of inputs of a network to learn on from: all, or all but those of the slope.
static bool count_inputs_before(const SkillDef *skill, const Tensors *tensors, const char *name, int *count,
                                Error *error) {
  const int all = skill->table.input_count, before = skill->params.slope ? all - SKILL_SLOPE_INPUTS : all;
  const char *names = tensors_metadata(tensors, "inputs");
  *count = all;
  for (int i = 0; i < tensors->count; i++)
    if (strcmp(tensors->tensors[i].name, "mean") == 0 && tensors->tensors[i].shape[0] == before)
      *count = before;
  return *count == all || lists_first_inputs(names ? names : "", &skill->table, before) ||
         error_set(error, "%s: its inputs are not those of the skill without '%s' and '%s'", name,
                   skill->table.inputs[before].name, skill->table.inputs[before + 1].name);
}

bool scene_skill_network_before(SkillDef *skill, const File *file, const char *name, Error *error) {
  Tensors tensors;
  int inputs = 0;
  bool good = tensors_read(&tensors, file->bytes, file->size, name, error) &&
              count_inputs_before(skill, &tensors, name, &inputs, error) &&
              take_network(skill, &tensors, inputs, name, error);
  for (int i = inputs; good && i < skill->table.input_count; i++)
    skill->network.scale[i] = 1 / SKILL_SLOPE_DEVIATION;
  tensors_free(&tensors);
  return good;
}

void scene_skill_free(SkillDef *skill) {
  if (skill)
    skill_network_free(&skill->network);
  free(skill);
}
