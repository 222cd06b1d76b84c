#include "anim/skeleton.h"

#include <string.h>

int skeleton_find(const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < skeleton->count; i++)
    if (strcmp(skeleton->names[i], name) == 0)
      return i;
  return -1;
}
