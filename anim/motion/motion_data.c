// The data of a motion, used by every other file of motion import: its memory, its warnings, world positions of its
// joints, and the file endings of known formats.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/motion/motion_internal.h"

static const char *const ENDINGS[] = {".bvh", ".fbx", ".gltf", ".glb", ".dae", ".json", ".npz", ".vrm", ".vrma"};
static const char *const MARKERS[] = {".trc", ".c3d"};
// Of other programs, with motions or figures that are not read.
static const char *const OTHERS[] = {".asf",  ".amc",  ".mot",   ".sto", ".osim", ".usd",
                                     ".usda", ".usdz", ".blend", ".htr", ".pkl",  ".vmd"};

bool motion_has_ending(const char *name, const char *ending) {
  const char *own = strrchr(name, '.');
  return own && strcasecmp(own, ending) == 0;
}

bool motion_is_known(const char *name) {
  for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++)
    if (motion_has_ending(name, ENDINGS[i]))
      return true;
  return false;
}

bool motion_check_ending(const char *name, Error *error) {
  for (size_t i = 0; i < sizeof MARKERS / sizeof MARKERS[0]; i++)
    if (motion_has_ending(name, MARKERS[i]))
      return error_at(
          error, name, 0, 0,
          "has markers on a body and no joints, whose angles are needed: allowed are %s; programs that solve for "
          "a skeleton write them",
          MOTION_ENDINGS);
  for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
    if (motion_has_ending(name, OTHERS[i]))
      return error_at(error, name, 0, 0, "is no motion file by its ending, allowed are %s", MOTION_ENDINGS);
  return true;
}

MotionOptions motion_options_default(void) { return (MotionOptions){.unit = 0, .up_axis = -1, .front_axis = -1}; }

void motion_free(Motion *motion) {
  if (!motion)
    return;
  free(motion->joints);
  free(motion->position_l);
  free(motion->rotation_l);
  free(motion->vertices);
  free(motion->mesh_vertices);
  free(motion->triangles);
  free(motion);
}

void motion_warn(Motion *motion, const char *format, ...) {
  size_t length = strlen(motion->warnings);
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length + strlen(text) + 2 < sizeof motion->warnings)
    snprintf(motion->warnings + length, sizeof motion->warnings - length, "%s\n", text);
}

static void place(const Motion *motion, int frame, vec3s *positions, versors *rotations) {
  const size_t first = (size_t)frame * (size_t)motion->joint_count;
  for (int j = 0; j < motion->joint_count; j++) {
    const MotionJoint *joint = &motion->joints[j];
    const vec3s position = frame < 0 ? joint->bind_position_l : motion->position_l[first + (size_t)j];
    const versors rotation = frame < 0 ? joint->bind_rotation_l : motion->rotation_l[first + (size_t)j];
    if (joint->parent < 0) {
      positions[j] = position;
      rotations[j] = rotation;
    } else {
      positions[j] = glms_vec3_add(positions[joint->parent], glms_quat_rotatev(rotations[joint->parent], position));
      rotations[j] = glms_quat_normalize(glms_quat_mul(rotations[joint->parent], rotation));
    }
  }
}

void motion_place(const Motion *motion, int frame, vec3s *positions, versors *rotations) {
  place(motion, frame < 0 ? 0 : frame >= motion->frame_count ? motion->frame_count - 1 : frame, positions, rotations);
}

void motion_place_bind(const Motion *motion, vec3s *positions, versors *rotations) {
  place(motion, -1, positions, rotations);
}
