// The ropes of a scene: elastic lines between platforms and props, or from them to points of the world.
#ifndef STAGGER_SCENES_DESCRIPTION_ROPE_DEF_H
#define STAGGER_SCENES_DESCRIPTION_ROPE_DEF_H

#include "scenes/description/prop_def.h"

enum { SCENE_MAX_ROPES = WORLD_MAX_ROPES };

#define ROPE_PARAMS(ROW, T)                                                                                            \
  ROW(T, TEXT, from, "\"\"", 0, 0, "", "The platform or prop at its first end.")                                       \
  ROW(T, VECTOR, at, "[0, 0, 0]", -1000, 1000, "m", "Where it is tied to that: along its x, y and z from its middle.") \
  ROW(T, TEXT, to, "\"\"", 0, 0, "", "The platform or prop at its other end; empty: it is tied to the world.")         \
  ROW(T, VECTOR, to_at, "[0, 0, 0]", -2000, 2000, "m", "Where it is tied to that, in the same way, or in the world.")  \
  ROW(T, REAL, length, "0", 0, 1000, "m", "Its length at rest; 0: that between its ends at the beginning.")            \
  ROW(T, REAL, stiffness, "2e5", 1, 1e8, "N/m", "Its tension for each metre that it is longer than at rest.")          \
  ROW(T, REAL, damping, "2e3", 0, 1e7, "N s/m",                                                                        \
      "Its tension for each m/s at which it grows longer. It bears no more than (stiffness `world.dt` + damping) "     \
      "`world.correction_speed`, and gives way beyond.")

typedef struct RopeDef {
  ROPE_PARAMS(PARAM_FIELD, RopeDef)
  int ends[2]; // what it ties: the number of a platform, or that of a prop + SCENE_MAX_PLATFORMS; -1: the world
} RopeDef;

extern const ParamTable rope_params;

// Reads one item of a scene's `ropes`. Errors: no `from`, names that no platform or prop has, both ends on the same
// one.
bool rope_def_read(RopeDef *rope, const Node *map, const PlatformDef *platforms, int platform_count,
                   const PropDef *props, int prop_count, Error *error);

#endif
