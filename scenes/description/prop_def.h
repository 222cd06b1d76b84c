// The props of a scene: boxes and balls that fall, swing or are obstacles.
#ifndef STAGGER_SCENES_DESCRIPTION_PROP_DEF_H
#define STAGGER_SCENES_DESCRIPTION_PROP_DEF_H

#include "scenes/description/platform_def.h"
#include "sim/world/prop.h"

enum { SCENE_MAX_PROPS = 64 };

#define PROP_PARAMS(ROW, T)                                                                                            \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "Name in traces and reports: letters, digits, `_`, `-`.")                       \
  ROW(T, CHOICE, shape, "box", 0, 0, "box|ball", "Its shape.")                                                         \
  ROW(T, VECTOR, size, "[0.3, 0.3, 0.3]", 0.01, 1000, "m",                                                             \
      "Size along its own x, y and z; for a ball the first is its diameter.")                                          \
  ROW(T, REAL, mass, "10", 0.001, 1e5, "kg", "Mass, distributed evenly.")                                              \
  ROW(T, VECTOR, center, "[0, 1, 2]", -2000, 2000, "m", "Initial position of its middle.")                             \
  ROW(T, REAL, yaw, "0", -360, 360, "deg", "Initial rotation about up, to the left.")                                  \
  ROW(T, BOOL, fixed, "false", 0, 1, "", "Whether it never moves: an obstacle.")                                       \
  ROW(T, REAL, blocks, "0", 0, 3600, "s",                                                                              \
      "Time after its first hit on a character from when characters pass through it, as an obstacle of an "            \
      "experiment gives way; 0: never.")                                                                               \
  ROW(T, REAL, release, "0", 0, 360000, "s", "Time until which it is held in place.")                                  \
  ROW(T, VECTOR, velocity, "[0, 0, 0]", -1000, 1000, "m/s", "Velocity at its release, at most `world.max_speed`.")

typedef struct PropDef {
  PROP_PARAMS(PARAM_FIELD, PropDef)
  bool hangs; // `anchor` is given
  double anchor[3];
} PropDef;

extern const ParamTable prop_params;
extern const char *const prop_other_keys[]; // keys that are not in the table: anchor

// The number of the prop of that name, -1: none.
int prop_def_find(const PropDef *props, int count, const char *name);

// Reads one item of a scene's `props` as props[index]. Errors: no name, a name that a prop or a platform has, a fixed
// prop that moves, an anchor inside the prop.
bool prop_def_read(PropDef *props, int index, const Node *map, const PlatformDef *platforms, int platform_count,
                   Error *error);

// The description of the prop for the world. event: see Impulse.
Prop prop_def_prop(const PropDef *def, int event);

#endif
