// Reads the cameras of a scene, and finds one by its name.
#include "scenes/description/camera_def.h"

#include <math.h>
#include <string.h>

#include "scenes/description/lookup.h"

PARAM_TABLE(camera_params, CameraDef, CAMERA_PARAMS, "cameras",
            "Viewpoints for the viewer; they do not affect results.")

const char *const camera_reserved_names[] = {"side",  "front",  "back",         "top", "chase",
                                             "orbit", "follow", "first_person", NULL};

int camera_def_find(const CameraDef *cameras, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(cameras[i].name, name) == 0)
      return i;
  return -1;
}

static bool check_name(const CameraDef *cameras, int index, const Node *node, Error *error) {
  const char *name = cameras[index].name;
  if (!node_check_name(node, name, error))
    return false;
  for (int i = 0; camera_reserved_names[i]; i++)
    if (strcmp(name, camera_reserved_names[i]) == 0)
      return node_error(node, error, "'%s' is a camera of the viewer, choose another name", name);
  if (camera_def_find(cameras, index, name) >= 0)
    return node_error(node, error, "there is a camera '%s' already", name);
  return true;
}

bool camera_def_read(CameraDef *cameras, int index, const Node *map, const CharacterDef *characters, int count,
                     Error *error) {
  CameraDef *def = &cameras[index];
  *def = (CameraDef){.subject = -1};
  param_defaults(&camera_params, def);
  if (!param_read(&camera_params, def, map, NULL, error))
    return false;
  const Node *name = node_find(map, "name"), *target = node_find(map, "target");
  if (!name)
    return node_error(map, error, "a camera needs a 'name'");
  if (!check_name(cameras, index, name, error))
    return false;
  if (def->follow[0] != '\0') {
    def->subject = lookup_character(def->follow, characters, count, node_find(map, "follow"), error);
    if (def->subject < 0)
      return false;
  }
  double distance =
      hypot(hypot(def->eye[0] - def->target[0], def->eye[1] - def->target[1]), def->eye[2] - def->target[2]);
  if (distance < 0.001)
    return node_error(target ? target : map, error, "the camera's 'target' is where its 'eye' is");
  return true;
}
