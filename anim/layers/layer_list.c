// The layers of one character: read from a scene, stored with their states, faded in and out, and applied in order.
#include "anim/layers/layer_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/layer_kinds.h"
#include "sim/base/numbers.h"

PARAM_TABLE(layer_params, LayerBlend, LAYER_PARAMS, "layers", "What every layer has.")

// ---- Reading ----

static const LayerKind *read_kind(const Node *map, Error *error) {
  const Node *node = node_find(map, "kind");
  char name[LAYER_NAME_SIZE];
  const char *names[16] = {NULL};
  for (int i = 0; i < layer_kind_count; i++)
    names[i] = layer_kinds[i]->name;
  if (!node) {
    node_error(map, error, "a layer needs a 'kind'");
    return NULL;
  }
  if (!node_text(node, name, sizeof name, error))
    return NULL;
  const LayerKind *kind = layer_kind_find(name);
  if (kind)
    return kind;
  node_error(node, error, "there is no layer '%s'%s", name, name_hint(name, names, layer_kind_count).text);
  return NULL;
}

// The name of the dataset of weights, which the trace has in addition to those of the layers.
static const char RESERVED_NAME[] = "weight";

// The layer's name is given in the file or is that of its kind; names of layers must differ.
static bool read_name(const LayerListDef *list, LayerDef *layer, const Node *map, Error *error) {
  const Node *node = node_find(map, "name");
  snprintf(layer->name, sizeof layer->name, "%s", layer->kind->name);
  if (node && (!node_text(node, layer->name, sizeof layer->name, error) || !node_check_name(node, layer->name, error)))
    return false;
  if (strcmp(layer->name, RESERVED_NAME) == 0)
    return node_error(node, error, "'%s' is the name of the layers' weights in traces: give the layer another name",
                      layer->name);
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->layers[i].name, layer->name) == 0)
      return node_error(node ? node : map, error, "there is a layer '%s' already: give it a 'name' of its own",
                        layer->name);
  return true;
}

enum { KEYS_MAX = 64 };

static void add_keys(const char *keys[KEYS_MAX], int *count, const char *const *more) {
  for (; more && *more && *count < KEYS_MAX - 1; more++)
    keys[(*count)++] = *more;
}

static void add_rows(const char *keys[KEYS_MAX], int *count, const ParamTable *table) {
  for (int i = 0; i < table->count && *count < KEYS_MAX - 1; i++)
    keys[(*count)++] = table->rows[i].name;
}

// Two tables and the kind's own keys are read from one map, so each reader must allow the keys of the others.
static bool read_values(LayerDef *layer, const Node *map, Error *error) {
  static const char *const shared[] = {"kind", "name", NULL};
  const char *others[KEYS_MAX] = {NULL}, *blend[KEYS_MAX] = {NULL};
  int other_count = 0, blend_count = 0;
  add_keys(others, &other_count, shared);
  add_keys(others, &other_count, layer->kind->other_keys);
  memcpy(blend, others, sizeof blend);
  blend_count = other_count;
  add_rows(others, &other_count, &layer_params);
  add_rows(blend, &blend_count, layer->kind->params);
  param_defaults(&layer_params, &layer->blend);
  param_defaults(layer->kind->params, layer->values);
  return param_read(layer->kind->params, layer->values, map, others, error) &&
         param_read(&layer_params, &layer->blend, map, blend, error);
}

static bool read_layer(LayerListDef *list, const Node *map, const Skeleton *skeleton, Error *error) {
  LayerDef *layer = &list->layers[list->count];
  if (map->kind != NODE_MAP)
    return node_error(map, error, "a layer is a map with a 'kind'");
  layer->kind = read_kind(map, error);
  if (!layer->kind || !read_name(list, layer, map, error))
    return false;
  layer->values = calloc(1, layer->kind->def_size);
  if (!layer->values)
    return error_set(error, "out of memory for layer %s", layer->name);
  list->count++; // from here on layer_list_free frees the layer's memory
  return read_values(layer, map, error) &&
         (!layer->kind->read || layer->kind->read(layer->values, map, skeleton, error));
}

bool layer_list_read(LayerListDef *list, const Node *node, const Skeleton *skeleton, Error *error) {
  *list = (LayerListDef){0};
  if (!node)
    return true;
  if (node->kind != NODE_LIST)
    return node_error(node, error, "'layers' must be a list");
  if (node->count > LAYERS_MAX)
    return node_error(node, error, "%d layers, allowed are up to %d", node->count, LAYERS_MAX);
  for (const Node *item = node->first; item; item = item->next) {
    if (read_layer(list, item, skeleton, error))
      continue;
    layer_list_free(list);
    return false;
  }
  return true;
}

void layer_list_free(LayerListDef *list) {
  for (int i = 0; i < list->count; i++)
    free(list->layers[i].values);
  *list = (LayerListDef){0};
}

// ---- Running ----

bool layers_init(LayerList *list, const LayerListDef *def, const LayerStep *step) {
  *list = (LayerList){0};
  for (int i = 0; i < def->count; i++) {
    Layer *layer = &list->layers[i];
    layer->def = &def->layers[i];
    layer->wanted = layer->weight = (float)layer->def->blend.weight;
    layer->state = calloc(1, layer->def->kind->state_size);
    if (!layer->state)
      return false;
    list->count++;
    layer->def->kind->init(layer->def->values, layer->state, step);
  }
  return true;
}

void layers_free(LayerList *list) {
  for (int i = 0; i < list->count; i++)
    free(list->layers[i].state);
  *list = (LayerList){0};
}

static void fade(Layer *layer, double dt) {
  double time = layer->def->blend.fade, most = time > 0 ? dt / time : 1;
  double gap = (double)layer->wanted - (double)layer->weight;
  layer->weight = fabs(gap) <= most ? layer->wanted : layer->weight + (float)copysign(most, gap);
}

static void apply(Layer *layer, const LayerStep *step) {
  const LayerKind *kind = layer->def->kind;
  bool was_off = layer->weight <= 0;
  fade(layer, step->dt);
  if (layer->weight <= 0)
    return;
  if (was_off)
    kind->init(layer->def->values, layer->state, step);
  if (layer->weight >= 1) {
    kind->apply(layer->def->values, layer->state, step);
    return;
  }
  Pose before = *step->pose_w;
  FootPlan plans[SKELETON_MAX_LEGS];
  size_t plans_size = step->plans ? (size_t)step->skeleton->leg_count * sizeof *plans : 0;
  if (plans_size > 0)
    memcpy(plans, step->plans, plans_size);
  kind->apply(layer->def->values, layer->state, step);
  if (layer->weight < 0.5f && plans_size > 0)
    memcpy(step->plans, plans, plans_size);
  pose_blend(&before, step->pose_w, (float)smooth_step((double)layer->weight), NULL, step->pose_w);
}

void layers_apply(LayerList *list, const LayerStep *step) {
  for (int i = 0; i < list->count; i++)
    apply(&list->layers[i], step);
}

void layers_rebase(LayerList *list, const RootRebase *rebase) {
  for (int i = 0; i < list->count; i++) {
    const Layer *layer = &list->layers[i];
    if (layer->def->kind->rebase && layer->weight > 0)
      layer->def->kind->rebase(layer->def->values, layer->state, rebase);
  }
}

int layers_find(const LayerList *list, const char *name) {
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->layers[i].def->name, name) == 0)
      return i;
  return -1;
}

void layers_want(LayerList *list, int layer, double weight) {
  list->layers[layer].wanted = (float)fmax(0, fmin(weight, 1));
}

void layers_debug(const LayerList *list, const LayerStep *step, DebugDraw *draw) {
  for (int i = 0; i < list->count; i++) {
    const Layer *layer = &list->layers[i];
    if (layer->def->kind->debug && layer->weight > 0)
      layer->def->kind->debug(layer->def->values, layer->state, step, draw);
  }
}

// ---- Saving and restoring ----

void layers_state(LayerList *list, StateStream *stream) {
  state_section(stream, "layers", 1);
  state_same(stream, list->count, "layers");
  for (int i = 0; i < list->count; i++) {
    Layer *layer = &list->layers[i];
    STATE(stream, layer->wanted, layer->weight);
    layer->def->kind->state(layer->def->values, layer->state, stream);
  }
}
