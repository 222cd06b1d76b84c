// The hash of the tables of what scenes come to.
#ifndef STAGGER_TESTS_SCENE_HASH_H
#define STAGGER_TESTS_SCENE_HASH_H

#include <stddef.h>
#include <stdint.h>

// FNV-1a of 64 bits (Fowler, Noll and Vo); its first value.
static const uint64_t HASH_START = UINT64_C(0xcbf29ce484222325);

static inline void hash_add(uint64_t *hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
}

#endif
