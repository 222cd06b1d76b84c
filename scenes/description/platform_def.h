// The platforms of a scene: boxes on which characters stand and walk; they are at rest, move on a circle or a path of
// keys, turn, tilt, or are moved by what stands on them.
#ifndef STAGGER_SCENES_DESCRIPTION_PLATFORM_DEF_H
#define STAGGER_SCENES_DESCRIPTION_PLATFORM_DEF_H

#include "scenes/description/point_motion.h"
#include "sim/world/platform.h"

enum { SCENE_MAX_PLATFORMS = PLATFORM_MAX };

#define PLATFORM_PARAMS(ROW, T)                                                                                        \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "Name in traces and reports: letters, digits, `_`, `-`.")                       \
  ROW(T, VECTOR, size, "[2, 0.2, 2]", 0.01, 1000, "m", "Size of the box along its own x, y and z.")                    \
  ROW(T, VECTOR, center, "[0, 0, 2]", -2000, 2000, "m", "Middle of the box, or the centre of its circle.")             \
  ROW(T, REAL, yaw, "0", -360, 360, "deg", "Initial rotation about up, to the left.")                                  \
  ROW(T, REAL, turn, "0", -720, 720, "deg/s", "Rate of rotation to the left.")                                         \
  ROW(T, VECTOR, hinge, "[0, 0, 0]", -1000, 1000, "m",                                                                 \
      "Point about which `tilts` or its `axle` turn it, along its own x, y and z from its middle.")                    \
  ROW(T, REAL, mass, "0", 0, 1e6, "kg",                                                                                \
      "Mass, distributed evenly: what stands on it moves it. 0: it follows its given motion, which no force changes.") \
  ROW(T, VECTOR, axle, "[0, 0, 0]", -1, 1, "-",                                                                        \
      "With a mass: direction, along its own x, y and z, of an axle through `hinge` that is fixed to the world; "      \
      "[0, 0, 0]: without one it moves freely, as on `ropes`.")                                                        \
  ROW(T, REAL, decay, "2", 0.01, 1e4, "s", "With a mass: time in which bearings and air slow it down to 1/e.")         \
  POINT_MOTION_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, friction, "-1", -1, 10, "-",                                                                            \
      "Coulomb friction of what touches it, as of a slippery patch; below 0: the world's.")                            \
  ROW(T, REAL, ease, "1", 0.01, 1000, "s",                                                                             \
      "Time in which circular motion and rotation reach full speed; on a path it rests at every key.")

typedef struct PlatformDef {
  PLATFORM_PARAMS(PARAM_FIELD, PlatformDef)
  MotionPath path;
  MotionPath speeds; // s, m/s: of a belt
  MotionPath tilts;  // s, deg: pitch (rises ahead) and roll (rises to the left), along its own axes
} PlatformDef;

extern const ParamTable platform_params;
extern const char *const platform_other_keys[]; // keys that are not in the table: path, speeds, tilts

// The number of the platform of that name, -1: none.
int platform_def_find(const PlatformDef *platforms, int count, const char *name);

// Whether an object of a scene may have this name.
bool object_name_check(const Node *node, const char *name, Error *error);

// Reads one item of a scene's `platforms` as platforms[index]. Errors: no name, a name that is taken; a path,
// speeds or tilts that jump.
bool platform_def_read(PlatformDef *platforms, int index, const Node *map, Error *error);

// Position of the platform's middle (m, world) and its rotation (w x y z) at a time (s, not negative).
void platform_def_place(const PlatformDef *platform, double time, double position[3], double rotation[4]);

#endif
