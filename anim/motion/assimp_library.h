// Loads assimp when a file is first read through it. assimp and the libraries that it needs take 5 MB, which a process
// that reads no such files saves.
#ifndef STAGGER_ANIM_MOTION_ASSIMP_LIBRARY_H
#define STAGGER_ANIM_MOTION_ASSIMP_LIBRARY_H

#include <assimp/cimport.h>

#include "sim/base/error.h"

// The functions of assimp that are used here.
#define ASSIMP_FUNCTIONS(F)                                                                                            \
  F(aiCreatePropertyStore)                                                                                             \
  F(aiReleasePropertyStore)                                                                                            \
  F(aiSetImportPropertyInteger)                                                                                        \
  F(aiImportFileExWithProperties)                                                                                      \
  F(aiReleaseImport)                                                                                                   \
  F(aiGetErrorString)

typedef struct Assimp {
#define ASSIMP_POINTER(name) __typeof__(name) *(name);
  ASSIMP_FUNCTIONS(ASSIMP_POINTER)
#undef ASSIMP_POINTER
} Assimp;

// Loads the library, once; it stays loaded. NULL and an error when it is not installed. file: the name of the file to
// be read, for the error.
const Assimp *assimp_library(const char *file, Error *error);

#endif
