// The points of a scene that layers look at or aim at: at rest, on a circle, on a path of keys, or moving with a
// character. They affect animation only.
#ifndef STAGGER_SCENES_DESCRIPTION_TARGET_DEF_H
#define STAGGER_SCENES_DESCRIPTION_TARGET_DEF_H

#include "ragdoll/character/character.h"
#include "scenes/description/point_motion.h"

enum { SCENE_MAX_TARGETS = LAYER_MAX_TARGETS };

#define TARGET_PARAMS(ROW, T)                                                                                          \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "Name for the `target` of layers: letters, digits, `_`, `-`.")                  \
  ROW(T, TEXT, follow, "\"\"", 0, 0, "", "Character whose root it moves with; \"\": it is fixed in the world.")        \
  ROW(T, VECTOR, center, "[0, 1.5, 2]", -2000, 2000, "m",                                                              \
      "Its position, or the centre of its circle; with `follow` relative to the root.")                                \
  POINT_MOTION_PARAMS(ROW, T)

typedef struct TargetDef {
  TARGET_PARAMS(PARAM_FIELD, TargetDef)
  MotionPath path;
  int subject; // index of the character; -1: none
} TargetDef;

extern const ParamTable target_params;
extern const char *const target_other_keys[]; // keys that are not in the table: path

// Reads one item of a scene's `targets` as targets[index]; `follow` is looked up later by target_def_resolve, when the
// characters are known. Errors: no name, a name that is taken, times of a path that decrease.
bool target_def_read(TargetDef *targets, int index, const Node *map, Error *error);
bool target_def_resolve(TargetDef *target, const Node *map, const CharacterDef *characters, int count, Error *error);

// Finds the targets that the layers of a character name; node: its `layers`. Error: there is no such target.
bool target_def_find(const LayerListDef *layers, const Node *node, const TargetDef *targets, int count, Error *error);

// Position at a time (s): m, world. root: of the character that it follows, NULL without one.
void target_place(const TargetDef *target, double time, const double root[3], double position[3]);

#endif
