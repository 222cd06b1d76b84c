// Reads the points that layers look at, resolves the characters that they follow, and computes their positions.
#include "scenes/description/target_def.h"

#include <string.h>

#include "scenes/description/lookup.h"

PARAM_TABLE(target_params, TargetDef, TARGET_PARAMS, "targets", "Points that layers look at or aim at.")

const char *const target_other_keys[] = {"path", NULL};

static int find(const TargetDef *targets, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(targets[i].name, name) == 0)
      return i;
  return -1;
}

bool target_def_read(TargetDef *targets, int index, const Node *map, Error *error) {
  TargetDef *target = &targets[index];
  *target = (TargetDef){.subject = -1};
  param_defaults(&target_params, target);
  const Node *name = node_find(map, "name");
  if (!param_read(&target_params, target, map, target_other_keys, error))
    return false;
  if (!name)
    return node_error(map, error, "a target needs a 'name'");
  if (!node_check_name(name, target->name, error))
    return false;
  if (find(targets, index, target->name) >= 0)
    return node_error(name, error, "there is a target '%s' already", target->name);
  return motion_path_read(&target->path, "path", node_find(map, "path"), error);
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
  return node_error(node, error, "there is no target '%s' in the scene's 'targets'%s", name,
                    name_hint(name, names, count).text);
}

bool target_def_find(const LayerListDef *layers, const Node *node, const TargetDef *targets, int count, Error *error) {
  for (int i = 0; i < layers->count; i++) {
    const LayerKind *kind = layers->layers[i].kind;
    char *values = layers->layers[i].values;
    const Param *row = param_find(kind->params, "target");
    if (kind->target_offset == 0 || !row)
      continue;
    const char *name = values + row->offset;
    int index = find(targets, count, name);
    memcpy(values + kind->target_offset, &index, sizeof index);
    if (name[0] != '\0' && index < 0)
      return no_target(name, node_find(node_at(node, i), "target"), targets, count, error);
  }
  return true;
}

void target_place(const TargetDef *target, double time, const double root[3], double position[3]) {
  const PointMotion motion = {target->radius, target->rise, target->period, target->loop, &target->path, 0};
  double offset[3];
  point_motion_offset(&motion, time, offset);
  for (int i = 0; i < 3; i++)
    position[i] = target->center[i] + offset[i] + (root ? root[i] : 0);
}
