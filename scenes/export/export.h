// Exports of a trace to files of other programs. Every format is one file export_NAME.c and one row in the list of
// export.c; each says after writing how far what it wrote lies from the trace when it is read back.
#ifndef STAGGER_SCENES_EXPORT_EXPORT_H
#define STAGGER_SCENES_EXPORT_EXPORT_H

#include <stdio.h>

#include "scenes/description/trace_motion.h"
#include "scenes/output/output_file.h"

typedef struct ExportOptions {
  const char *character; // NULL: the first; GLB and CSV: all
  TracePose pose;
  const char *table; // CSV: which table, NULL: joints
} ExportOptions;

// What is written, in memory, before any file is touched; what is in it; then what reading it back gave, for people:
// one sentence such as "read back through assimp: joints within 0.011 mm and 0.02 deg at 1201 moments".
typedef struct ExportResult {
  char *bytes; // the caller frees it
  size_t size;
  char contents[256]; // "runner, output pose, 1201 frames at 60 Hz"; may be ""
  char round_trip[256];
} ExportResult;

typedef struct ExportFormat {
  const char *name, *file_kind, *doc; // "glb", which is the files' ending, too; "a glTF binary"; for --help
  OutputKind output;                  // what an older file of that name must be
  bool (*make)(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
} ExportFormat;

extern const ExportFormat export_formats[];
extern const int export_format_count;

bool export_glb(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_bvh(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_csv(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_sto(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_mot(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);

#endif
