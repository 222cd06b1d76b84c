// Files that a program writes: nothing is overwritten but an older file of the same kind, and a file is written in
// whole or not at all.
#ifndef STAGGER_SCENES_OUTPUT_OUTPUT_FILE_H
#define STAGGER_SCENES_OUTPUT_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

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
  OUTPUT_HTML,
  OUTPUT_POLICY,
  OUTPUT_SVG
} OutputKind;

// Whether a file of that kind may be written there, without writing anything. Errors: a file that is neither empty nor
// of that kind, a file of a study's results, a folder, a place that cannot be written; for traces, films and scenes
// also a device or a pipe. Of traces, metrics, reports, policies and glTF binaries only those that Stagger has written
// are of the kind; of other formats all files are.
bool output_check(const char *path, OutputKind kind, Error *error);

// Whether two paths name the same file, which need not exist yet.
bool output_is_same(const char *a, const char *b);

// Of the functions below that write, an error has `unwritten` set.

// Writes a file through a temporary one beside it, so that an older file stays until the new one is whole. A device or
// a pipe is written as it is, a link stays a link.
bool output_write(const char *path, const void *bytes, size_t size, Error *error);

// For files that another program writes: an empty file beside `path` (where it points to, when it is a link), which
// output_replace then puts in its place. The caller frees the name; NULL and an error when it cannot be made.
char *output_temporary(const char *path, Error *error);

// Puts a finished temporary file in the place of `path`. On error the temporary file is removed.
bool output_replace(const char *temporary, const char *path, Error *error);

#endif
