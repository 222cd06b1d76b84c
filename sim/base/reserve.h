// Growing arrays.
#ifndef STAGGER_SIM_BASE_RESERVE_H
#define STAGGER_SIM_BASE_RESERVE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Makes an array at least `count` long, by doubling; its content is kept. False when out of memory.
static inline bool reserve(void *array, int *capacity, int count, size_t size) {
  if (count <= 0 || count <= *capacity)
    return true;
  int larger = *capacity * 2 > count ? *capacity * 2 : count;
  void *old, *moved;
  memcpy(&old, array, sizeof old);
  moved = realloc(old, (size_t)larger * size);
  if (!moved)
    return false;
  memcpy(array, &moved, sizeof moved);
  *capacity = larger;
  // cppcheck-suppress memleak ; the caller's pointer has it
  return true;
}

#endif
