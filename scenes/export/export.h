// Exports of a trace to files of other programs. Every format has one file export_NAME.c and one row in the list of
// export.c; after writing, each reports how much the file differs from the trace when it is read back.
#ifndef STAGGER_SCENES_EXPORT_EXPORT_H
#define STAGGER_SCENES_EXPORT_EXPORT_H

#include <stdio.h>

#include "scenes/description/trace_motion.h"
#include "scenes/output/output_file.h"

typedef struct ExportOptions {
  const char *character; // NULL: the first; for GLB, CSV and MCAP: all
  TracePose pose;
  const char *table; // CSV: name of the table, NULL: joints
} ExportOptions;

// What is to be written, made before the user's file is touched; a description of the content; and the result of
// reading it back, one sentence such as "read back through assimp: joints within 0.011 mm and 0.02 deg at 1201
// moments".
typedef struct ExportResult {
  char *bytes; // of most formats; the caller frees it
  FILE *file;  // of those that an hour's trace does not fit into memory as: a temporary file, which the caller closes
  size_t size; // bytes
  char contents[256]; // "runner, output pose, 1201 frames at 60 Hz"; may be ""
  char round_trip[256];
} ExportResult;

typedef struct ExportFormat {
  const char *name, *file_kind, *doc; // "glb", which is also the files' ending; "a glTF binary"; for --help
  OutputKind output;                  // kind that an older file of that name must have
  bool (*make)(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
} ExportFormat;

extern const ExportFormat export_formats[]; // [export_format_count], and one without a name behind them
extern const int export_format_count;

bool export_glb(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_bvh(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_csv(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_sto(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_mot(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_trc(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_c3d(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_npz(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);
bool export_mcap(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error);

#endif
