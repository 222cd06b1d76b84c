// The platforms of a scene: boxes that characters stand on and walk over, at rest, on a circle, on a path of keys, or
// turning.
#ifndef STAGGER_SCENES_DESCRIPTION_PLATFORM_DEF_H
#define STAGGER_SCENES_DESCRIPTION_PLATFORM_DEF_H

#include "scenes/description/point_motion.h"
#include "sim/world/platform.h"

enum { SCENE_MAX_PLATFORMS = PLATFORM_MAX };

#define PLATFORM_PARAMS(ROW, T)                                                                                        \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "What traces and reports call it: letters, digits, `_`, `-`.")                  \
  ROW(T, VECTOR, size, "[2, 0.2, 2]", 0.01, 1000, "m", "Of the box along its own x, y and z.")                         \
  ROW(T, VECTOR, center, "[0, 0, 2]", -2000, 2000, "m", "Middle of the box, or what that circles.")                    \
  ROW(T, REAL, yaw, "0", -360, 360, "deg", "How far it is turned about up, to the left, at first.")                    \
  ROW(T, REAL, turn, "0", -720, 720, "deg/s", "How fast it turns to the left.")                                        \
  POINT_MOTION_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, ease, "1", 0.01, 1000, "s",                                                                             \
      "Time in which its rounds and its turning set in; on a path it rests at "                                        \
      "every key.")

typedef struct PlatformDef {
  PLATFORM_PARAMS(PARAM_FIELD, PlatformDef)
  MotionPath path;
} PlatformDef;

extern const ParamTable platform_params;
extern const char *const platform_other_keys[]; // beside the table: path

// Whether an object of a scene may be called so.
bool object_name_check(const Node *node, const char *name, Error *error);

// Reads one item of a scene's `platforms` as platforms[index]. Errors: no name or one that is taken, a path that jumps.
bool platform_def_read(PlatformDef *platforms, int index, const Node *map, Error *error);

// Where its middle is at a time (s, not negative): m, world; and how far it is turned: rad about up.
void platform_def_place(const PlatformDef *platform, double time, double position[3], double *yaw);

#endif
