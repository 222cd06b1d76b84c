// Loads assimp when the first file needs it and looks up the functions that are used.
#include "anim/motion/assimp_library.h"

#include <dlfcn.h>
#include <string.h>

const Assimp *assimp_library(const char *file, Error *error) {
  static Assimp assimp;
  void *library = dlopen(STAGGER_ASSIMP, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    error_at(error, file, 0, 0, "it is read through assimp, whose library cannot be loaded: %s", dlerror());
    return NULL;
  }
#define ASSIMP_FIND(name)                                                                                              \
  {                                                                                                                    \
    void *found = dlsym(library, #name);                                                                               \
    if (!found) {                                                                                                      \
      error_at(error, file, 0, 0, "it is read through assimp, and %s has no %s", STAGGER_ASSIMP, #name);               \
      return NULL;                                                                                                     \
    }                                                                                                                  \
    memcpy(&assimp.name, &found, sizeof found); /* POSIX: functions have such addresses, too */                        \
  }
  ASSIMP_FUNCTIONS(ASSIMP_FIND)
#undef ASSIMP_FIND
  return &assimp;
}
