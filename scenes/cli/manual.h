// The files of the manual: its pages, and the starting points of `stagger new`.
#ifndef STAGGER_SCENES_CLI_MANUAL_H
#define STAGGER_SCENES_CLI_MANUAL_H

#include "sim/base/files.h"

// A file of the manual by its name in the folder ("scene.md", "new/body.yaml"): of the one that is installed with the
// program, else of the source tree. NULL with an error when it cannot be read. The file belongs to the set, which is to
// be zero before, and freed with files_free.
const File *manual_read(FileSet *set, const char *name, Error *error);

#endif
