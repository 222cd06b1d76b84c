// The cameras of a scene: viewpoints that belong to what the scene shows. They do not affect the simulation.
#ifndef STAGGER_SCENES_DESCRIPTION_CAMERA_DEF_H
#define STAGGER_SCENES_DESCRIPTION_CAMERA_DEF_H

#include "ragdoll/character/character.h"

enum { SCENE_MAX_CAMERAS = 32 };

#define CAMERA_PARAMS(ROW, T)                                                                                          \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "Name for `--camera` and the viewer: letters, digits, `_`, `-`.")               \
  ROW(T, TEXT, follow, "\"\"", 0, 0, "", "Character that it follows; \"\": none.")                                     \
  ROW(T, VECTOR, eye, "[-4, 1.5, 2]", -2000, 2000, "m",                                                                \
      "Position in the world; with `follow` relative to the character on the ground, rotated by its initial heading.") \
  ROW(T, VECTOR, target, "[0, 1, 0]", -2000, 2000, "m", "Point that it looks at, given like `eye`.")                   \
  ROW(T, REAL, fov, "35", 1, 150, "deg", "Vertical field of view.")

typedef struct CameraDef {
  CAMERA_PARAMS(PARAM_FIELD, CameraDef)
  int subject; // index of the character that it follows; -1: none
} CameraDef;

extern const ParamTable camera_params;

// Names of the viewer's own cameras: "side", "orbit", ... NULL-terminated.
extern const char *const camera_reserved_names[];

// Reads one item of a scene's `cameras` as cameras[index]. Errors: no name, a name that another of cameras[0 .. index)
// or the viewer has, an unknown character, eye and target in the same place.
bool camera_def_read(CameraDef *cameras, int index, const Node *map, const CharacterDef *characters, int count,
                     Error *error);

// The index of a camera by its name, -1 when there is none.
int camera_def_find(const CameraDef *cameras, int count, const char *name);

#endif
