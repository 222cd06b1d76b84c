// Skeletons: finds joints by name, and reads annotations (legs, twins); suggests similar names in errors.
#include "anim/skeleton.h"

#include <string.h>

int skeleton_find(const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < skeleton->count; i++)
    if (strcmp(skeleton->names[i], name) == 0)
      return i;
  return -1;
}

bool skeleton_lacks(const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < skeleton->absent_count; i++)
    if (strcmp(skeleton->absent[i], name) == 0)
      return true;
  return false;
}

int skeleton_read_joint(const Skeleton *skeleton, const Node *node, Error *error) {
  char name[SKELETON_NAME_SIZE];
  if (!node_text(node, name, sizeof name, error))
    return -1;
  const int joint = skeleton_find(skeleton, name);
  if (joint < 0)
    node_error(node, error, "'%s' has no joint '%s'%s", skeleton->name, name, skeleton_joint_hint(skeleton, name).text);
  return joint;
}

NameHint skeleton_joint_hint(const Skeleton *skeleton, const char *name) {
  const char *names[SKELETON_MAX_JOINTS];
  for (int i = 0; i < skeleton->count; i++)
    names[i] = skeleton->names[i];
  return name_hint(name, names, skeleton->count);
}

NameHint skeleton_leg_hint(const Skeleton *skeleton, const char *name) {
  const char *names[SKELETON_MAX_LEGS];
  for (int i = 0; i < skeleton->leg_count; i++)
    names[i] = skeleton->legs[i].name;
  return name_hint(name, names, skeleton->leg_count);
}

int skeleton_find_leg(const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < skeleton->leg_count; i++)
    if (strcmp(skeleton->legs[i].name, name) == 0)
      return i;
  return -1;
}

int skeleton_leg_of_ankle(const Skeleton *skeleton, int ankle) {
  for (int i = 0; i < skeleton->leg_count; i++)
    if (skeleton->legs[i].ankle == ankle)
      return i;
  return -1;
}

float skeleton_leg_length(const Skeleton *skeleton, const Leg *leg) {
  return glms_vec3_norm(skeleton->bind_position_l[leg->knee]) + glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
}

float skeleton_clip_scale(const Skeleton *skeleton) { return skeleton->clip_scale > 0 ? skeleton->clip_scale : 1; }
