// Reads the curves, masks and tones of a hit reaction; masks and tones are keyed by names of a body's parts.
#include "scenes/description/hit_reaction_read.h"

#include "scenes/description/lookup.h"

const char *const hit_reaction_keys[] = {"strength_drop", "blend", "stagger", "mask", "tones", NULL};

// Reads a map of joints to values.
static bool read_joints(const Node *map, const BodyDef *body, double min, double max, float values[], Error *error) {
  for (const Node *item = map->first; item; item = item->next) {
    const int joint = lookup_part(item->key, body, item, error);
    double value;
    if (joint < 0 || !node_real(item, &value, error))
      return false;
    if (!(value >= min && value <= max))
      return node_error(item, error, "%g is out of range, allowed is %g to %g", value, min, max);
    values[joint] = (float)value;
  }
  return true;
}

static bool read_mask(HitReactionDef *def, const Node *node, const BodyDef *body, Error *error) {
  if (!node)
    return true;
  if (node->kind == NODE_SCALAR)
    return node_error(node, error, "'mask' is a list of joints, or a map of joints to shares from 0 to 1");
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    def->mask[i] = 0;
  if (node->kind == NODE_MAP)
    return read_joints(node, body, 0, 1, def->mask, error);
  for (const Node *item = node->first; item; item = item->next) {
    char name[PARAM_TEXT_SIZE];
    const int joint = node_text(item, name, sizeof name, error) ? lookup_part(name, body, item, error) : -1;
    if (joint < 0)
      return false;
    def->mask[joint] = 1;
  }
  return true;
}

static bool read_tones(HitReactionDef *def, const Node *node, const BodyDef *body, Error *error) {
  if (node && node->kind != NODE_MAP)
    return node_error(node, error, "'tones' is a map of joints to tones from -1 (slack) to 1 (tense)");
  return !node || read_joints(node, body, -1, 1, def->tones, error);
}

bool hit_reaction_read(HitReactionDef *def, const Node *section, const BodyDef *body, Error *error) {
  return curve_table_read(&hit_reaction_curves, def, section, error) &&
         read_mask(def, node_find(section, "mask"), body, error) &&
         read_tones(def, node_find(section, "tones"), body, error);
}
