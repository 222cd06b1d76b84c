// The props of a scene: boxes and balls that fall, swing or are obstacles.
#ifndef STAGGER_SCENES_DESCRIPTION_PROP_DEF_H
#define STAGGER_SCENES_DESCRIPTION_PROP_DEF_H

#include "scenes/description/platform_def.h"
#include "sim/world/prop.h"

enum { SCENE_MAX_PROPS = 64 };

#define PROP_PARAMS(ROW, T)                                                                                            \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "What traces and reports call it: letters, digits, `_`, `-`.")                  \
  ROW(T, CHOICE, shape, "box", 0, 0, "box|ball", "Its shape.")                                                         \
  ROW(T, VECTOR, size, "[0.3, 0.3, 0.3]", 0.01, 1000, "m",                                                             \
      "Along its own x, y and z; the first is a ball's diameter.")                                                     \
  ROW(T, REAL, mass, "10", 0.001, 1e5, "kg", "Spread evenly.")                                                         \
  ROW(T, VECTOR, center, "[0, 1, 2]", -2000, 2000, "m", "Where its middle is at first.")                               \
  ROW(T, REAL, yaw, "0", -360, 360, "deg", "How far it is turned about up, to the left, at first.")                    \
  ROW(T, BOOL, fixed, "false", 0, 1, "", "Whether it stays there for ever: an obstacle.")                              \
  ROW(T, REAL, release, "0", 0, 360000, "s", "It is held there until then.")                                           \
  ROW(T, VECTOR, velocity, "[0, 0, 0]", -1000, 1000, "m/s", "With which it is let go, at most `world.max_speed`.")

typedef struct PropDef {
  PROP_PARAMS(PARAM_FIELD, PropDef)
  bool hangs; // `anchor` is given
  double anchor[3];
} PropDef;

extern const ParamTable prop_params;
extern const char *const prop_other_keys[]; // keys that are not in the table: anchor

// Reads one item of a scene's `props` as props[index]. Errors: no name, a name that a prop or a platform has, a fixed
// prop that moves, an anchor inside the prop.
bool prop_def_read(PropDef *props, int index, const Node *map, const PlatformDef *platforms, int platform_count,
                   Error *error);

// The description of the prop for the world. event: see Impulse.
Prop prop_def_prop(const PropDef *def, int event);

#endif
