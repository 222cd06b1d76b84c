// Finds the files of the manual.
#include "scenes/cli/manual.h"

#include <stdio.h>

// The build says where its own files are.
#ifndef STAGGER_SOURCE_SCENES
#define STAGGER_SOURCE_SCENES "scenes"
#endif

const File *manual_read(FileSet *set, const char *name, Error *error) {
  char installed[FILES_PATH_SIZE], path[FILES_PATH_SIZE];
  const bool is_installed = files_installed_folder("/share/stagger/scenes/manual", installed);
  const int length = snprintf(path, sizeof path, "%s%s/%s", is_installed ? installed : STAGGER_SOURCE_SCENES,
                              is_installed ? "" : "/manual", name);
  if (length < 0 || (size_t)length >= sizeof path) {
    error_set(error, "the manual: the path is too long");
    return NULL;
  }
  return files_read(set, path, error);
}
