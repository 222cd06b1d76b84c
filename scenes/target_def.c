#include "scenes/target_def.h"

#include <math.h>
#include <string.h>

#include "scenes/lookup.h"

PARAM_TABLE(target_params, TargetDef, TARGET_PARAMS, "targets", "Points that layers look at or aim at.")

const char *const target_other_keys[] = {"path", NULL};

static int find(const TargetDef *targets, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(targets[i].name, name) == 0)
      return i;
  return -1;
}

static bool read_path(TargetDef *target, const Node *list, Error *error) {
  if (list == NULL)
    return true;
  if (list->kind != NODE_LIST || list->count > TARGET_MAX_KEYS)
    return node_error(list, error, "'path' is a list of up to %d keys [time, x, y, z]", TARGET_MAX_KEYS);
  for (const Node *item = list->first; item != NULL; item = item->next) {
    double *key = target->keys[target->key_count];
    if (!node_reals(item, key, 4, error))
      return false;
    for (int i = 0; i < 4; i++)
      if (fabs(key[i]) > 360000)
        return node_error(item, error, "%g is out of range, allowed is -360000 to 360000", key[i]);
    if (target->key_count > 0 && key[0] < key[-4])
      return node_error(item, error, "%g s comes before %g s, the key above it", key[0], key[-4]);
    target->key_count++;
  }
  return true;
}

bool target_def_read(TargetDef *targets, int index, const Node *map, Error *error) {
  TargetDef *target = &targets[index];
  *target = (TargetDef){.subject = -1};
  param_defaults(&target_params, target);
  const Node *name = node_find(map, "name");
  if (!param_read(&target_params, target, map, target_other_keys, error))
    return false;
  if (name == NULL)
    return node_error(map, error, "a target needs a 'name'");
  if (!lookup_check_name(target->name, name, error))
    return false;
  if (find(targets, index, target->name) >= 0)
    return node_error(name, error, "there is a target '%s' already", target->name);
  return read_path(target, node_find(map, "path"), error);
}

bool target_def_resolve(TargetDef *target, const Node *map, const CharacterDef *characters, int count, Error *error) {
  if (target->follow[0] == '\0')
    return true;
  target->subject = lookup_character(target->follow, characters, count, node_find(map, "follow"), error);
  return target->subject >= 0;
}

static bool no_target(const char *name, const Node *node, const TargetDef *targets, int count, Error *error) {
  const char *names[SCENE_MAX_TARGETS];
  for (int i = 0; i < count; i++)
    names[i] = targets[i].name;
  const char *close = closest_name(name, names, count);
  return node_error(node, error, "there is no target '%s' in the scene's 'targets'%s%s%s", name,
                    close != NULL ? ", did you mean '" : "", close != NULL ? close : "", close != NULL ? "'?" : "");
}

bool target_def_find(const LayerListDef *layers, const Node *node, const TargetDef *targets, int count, Error *error) {
  for (int i = 0; i < layers->count; i++) {
    const LayerKind *kind = layers->layers[i].kind;
    char *values = layers->layers[i].values;
    const Param *row = param_find(kind->params, "target");
    if (kind->target_offset == 0 || row == NULL)
      continue;
    const char *name = values + row->offset;
    int index = find(targets, count, name);
    memcpy(values + kind->target_offset, &index, sizeof index);
    if (name[0] != '\0' && index < 0)
      return no_target(name, node_find(node_at(node, i), "target"), targets, count, error);
  }
  return true;
}

static void place_on_path(const TargetDef *target, double time, double offset[3]) {
  const double(*keys)[4] = target->keys;
  int last = target->key_count - 1;
  double begin = keys[0][0], length = keys[last][0] - begin;
  if (target->loop && length > 0 && time > begin)
    time = begin + fmod(time - begin, length);
  int next = 0;
  while (next <= last && keys[next][0] <= time)
    next++;
  int from = next > 0 ? next - 1 : 0, to = next <= last ? next : last;
  double span = keys[to][0] - keys[from][0], share = span > 0 ? (time - keys[from][0]) / span : 0;
  for (int i = 0; i < 3; i++)
    offset[i] = keys[from][1 + i] + share * (keys[to][1 + i] - keys[from][1 + i]);
}

void target_place(const TargetDef *target, double time, const double root[3], double position[3]) {
  double turn = 2 * M_PI * time / target->period, offset[3] = {0};
  if (target->key_count > 0)
    place_on_path(target, time, offset);
  offset[0] += target->radius * sin(turn);
  offset[1] += target->rise * sin(turn);
  offset[2] += target->radius * cos(turn);
  for (int i = 0; i < 3; i++)
    position[i] = target->center[i] + offset[i] + (root != NULL ? root[i] : 0);
}
