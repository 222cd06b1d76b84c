#include "anim/skeleton.h"

#include <string.h>

int skeleton_find(const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < skeleton->count; i++)
    if (strcmp(skeleton->names[i], name) == 0)
      return i;
  return -1;
}

float skeleton_leg_length(const Skeleton *skeleton, const Leg *leg) {
  return glms_vec3_norm(skeleton->bind_position_l[leg->knee]) + glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
}
