// Reads props, checks that they do not overlap an anchor or move when fixed, and converts them to the world's props.
#include "scenes/description/prop_def.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

PARAM_TABLE(prop_params, PropDef, PROP_PARAMS, "props", "Boxes and balls that fall, swing or are obstacles.")

const char *const prop_other_keys[] = {"anchor", NULL};

static const double SHORTEST_ROD = 0.01; // m

int prop_def_find(const PropDef *props, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(props[i].name, name) == 0)
      return i;
  return -1;
}

static bool check_name(const PropDef *props, int index, const PlatformDef *platforms, int platform_count,
                       const Node *node, Error *error) {
  const char *name = props[index].name;
  if (!object_name_check(node, name, error))
    return false;
  if (prop_def_find(props, index, name) >= 0)
    return node_error(node, error, "there is a prop '%s' already", name);
  return platform_def_find(platforms, platform_count, name) < 0 ||
         node_error(node, error, "there is a platform '%s' already", name);
}

static bool read_anchor(PropDef *prop, const Node *node, Error *error) {
  prop->hangs = node != NULL;
  if (!node)
    return true;
  if (!node_reals(node, prop->anchor, 3, error))
    return false;
  double rod[3];
  for (int i = 0; i < 3; i++) {
    rod[i] = prop->anchor[i] - prop->center[i];
    if (!(fabs(prop->anchor[i]) <= 2000))
      return node_error(node_at(node, i), error, "%g m is out of range, allowed is -2000 to 2000 m", prop->anchor[i]);
  }
  return length3(rod) >= SHORTEST_ROD ||
         node_error(node, error, "the anchor is at the prop's center; a rod is at least %g m long", SHORTEST_ROD);
}

// A fixed prop must neither move nor hang.
static bool check_fixed(const PropDef *prop, const Node *map, Error *error) {
  static const char *const moving[] = {"release", "velocity", "anchor"};
  for (int i = 0; prop->fixed && i < 3; i++) {
    const Node *key = node_find(map, moving[i]);
    if (key)
      return node_key_error(key, error, "'%s' belongs to a prop that is not 'fixed'", moving[i]);
  }
  return true;
}

bool prop_def_read(PropDef *props, int index, const Node *map, const PlatformDef *platforms, int platform_count,
                   Error *error) {
  PropDef *prop = &props[index];
  *prop = (PropDef){.hangs = false};
  param_defaults(&prop_params, prop);
  const Node *name = node_find(map, "name");
  if (!param_read(&prop_params, prop, map, prop_other_keys, error))
    return false;
  if (!name)
    return node_error(map, error, "a prop needs a 'name'");
  return check_name(props, index, platforms, platform_count, name, error) &&
         read_anchor(prop, node_find(map, "anchor"), error) && check_fixed(prop, map, error);
}

Prop prop_def_prop(const PropDef *def, int event) {
  Prop prop = {.name = def->name,
               .shape = (PropShape)def->shape,
               .mass = def->mass,
               .yaw = def->yaw * RAD_PER_DEGREE,
               .hangs = def->hangs,
               .event = event};
  memcpy(prop.size, def->size, sizeof prop.size);
  memcpy(prop.position, def->center, sizeof prop.position);
  memcpy(prop.anchor, def->anchor, sizeof prop.anchor);
  return prop;
}
