// Reads ropes, and finds what they tie.
#include "scenes/description/rope_def.h"

PARAM_TABLE(rope_params, RopeDef, ROPE_PARAMS, "ropes", "Elastic lines that hold platforms and props.")

// As in RopeDef.ends; -1 and an error if there is none.
static int find_end(const Node *node, const char *name, const PlatformDef *platforms, int platform_count,
                    const PropDef *props, int prop_count, Error *error) {
  int platform = platform_def_find(platforms, platform_count, name), prop = prop_def_find(props, prop_count, name);
  if (platform >= 0)
    return platform;
  if (prop >= 0)
    return SCENE_MAX_PLATFORMS + prop;
  node_error(node, error, "there is no platform or prop '%s'", name);
  return -1;
}

bool rope_def_read(RopeDef *rope, const Node *map, const PlatformDef *platforms, int platform_count,
                   const PropDef *props, int prop_count, Error *error) {
  *rope = (RopeDef){.ends = {-1, -1}};
  param_defaults(&rope_params, rope);
  if (!param_read(&rope_params, rope, map, NULL, error))
    return false;
  const Node *from = node_find(map, "from"), *to = node_find(map, "to");
  if (!from)
    return node_error(map, error, "a rope needs a 'from': the platform or prop that it holds");
  rope->ends[0] = find_end(from, rope->from, platforms, platform_count, props, prop_count, error);
  if (rope->ends[0] < 0)
    return false;
  if (rope->to[0] == '\0')
    return true;
  rope->ends[1] = find_end(to, rope->to, platforms, platform_count, props, prop_count, error);
  if (rope->ends[1] < 0)
    return false;
  return rope->ends[0] != rope->ends[1] || node_error(to, error, "both ends of the rope are tied to '%s'", rope->to);
}
