// Output files of the programs: only an older file of the same kind is ever overwritten, and a file is written in whole
// or not at all.
#ifndef STAGGER_SCENES_OUTPUT_OUTPUT_FILE_H
#define STAGGER_SCENES_OUTPUT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/error.h"

typedef enum OutputKind {
  OUTPUT_TRACE,
  OUTPUT_JSON, // a run's metrics
  OUTPUT_PNG,
  OUTPUT_MP4,
  OUTPUT_MATROSKA, // and WebM
  OUTPUT_GIF,
  OUTPUT_SCENE,
  OUTPUT_GLB,
  OUTPUT_BVH,
  OUTPUT_CSV,
  OUTPUT_STO, // OpenSim's tables, .sto and .mot
  OUTPUT_TRC,
  OUTPUT_C3D,
  OUTPUT_NPZ,
  OUTPUT_MCAP,
  OUTPUT_HTML,
  OUTPUT_POLICY,
  OUTPUT_SVG,
  OUTPUT_TENSORS,
  OUTPUT_HUMAN, // figures beside people's, as JSON
  OUTPUT_BODY,
  OUTPUT_MJCF // a model of MuJoCo
} OutputKind;

// Checks, without writing, whether a file of that kind may be written to the path. Errors: an existing file that is
// neither empty nor of that kind, a file of a study's results, a folder, a place that cannot be written; for traces,
// films and scenes also a device or a pipe. Traces, metrics, reports, policies, glTF binaries, C3D and MCAP files
// and NumPy archives are of the kind only if Stagger has written them; for other formats any file of the format is.
bool output_check(const char *path, OutputKind kind, Error *error);

// Whether a path ends with this, such as ".xml".
bool output_has_ending(const char *path, const char *ending);

// Whether two paths refer to the same file, which need not exist yet.
bool output_is_same(const char *a, const char *b);

// The functions below set `unwritten` in their errors.

// Writes a file by way of a temporary one in the same folder, so that an older file remains until the new one is
// complete. Devices and pipes are written directly; a link remains a link.
bool output_write(const char *path, const void *bytes, size_t size, Error *error);

// The same with the whole of an open file, which is read in blocks.
bool output_copy(const char *path, FILE *from, Error *error);

// For files that another program writes: creates an empty file beside `path` (or beside the target of the link that it
// is), which output_replace then moves to `path`. The caller frees the name; NULL and an error when it cannot be
// created.
char *output_temporary(const char *path, Error *error);

// Moves a finished temporary file to `path`. On error the temporary file is removed.
bool output_replace(const char *temporary, const char *path, Error *error);

#endif
