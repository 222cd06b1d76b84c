// The traces of a folder, for `stagger export FOLDER --rig`.
#ifndef STAGGER_SCENES_CLI_EXPORT_TRACES_H
#define STAGGER_SCENES_CLI_EXPORT_TRACES_H

#include "sim/base/error.h"

typedef struct ExportTraces {
  int count;
  char **paths;
  char **settings; // of a study's trials: "direction 45 deg, impulse 60 N s"; otherwise "" each
} ExportTraces;

// Finds the traces (.h5) in a folder, by name; of a study's folder those that it keeps. To be freed with
// export_traces_free, also on error: no folder, no traces in it, a study that cannot be read, no memory.
bool export_traces_find(ExportTraces *traces, const char *folder, Error *error);
void export_traces_free(ExportTraces *traces);

#endif
