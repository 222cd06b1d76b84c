// sweep.json: how a sweep was run, with an entry for each time that it was continued.
//
//   {"format": "stagger-sweep", "stagger_version", "method": the command, "study", "study_file", "scene_file",
//    "inputs": a hash of the study, the scene and the files that it names, "trials": of the study, "status": "running",
//    "complete", "partial", "interrupted" or "stopped: why"; of earlier runs also "killed",
//    "runs": [{"command", "host", "process", "started": UTC, "ranks", "workers": of all ranks, "status",
//              "trials": run this time, "traces": made this time, "wall_time": s}, ...]}
#ifndef STAGGER_SCENES_SWEEP_SWEEP_INFO_H
#define STAGGER_SCENES_SWEEP_SWEEP_INFO_H

#include <cjson/cJSON.h>

#include "scenes/sweep/sweep_folder.h"

// Adds a run to the contents of the folder's sweep.json; nothing is written. NULL and an error: no memory, or the
// inputs or the version of Stagger were different before.
cJSON *sweep_info_begin(const SweepFolder *folder, const SweepOptions *options, int ranks, int workers, Error *error);

// Whether the text of a sweep.json belongs to this study with the same files.
bool sweep_info_is_of(const char *text, const StudyDef *study);

void sweep_info_end(cJSON *info, const char *status, long trials, long traces, double wall_time);

// JSON as text that ends in a line break. The caller frees it; NULL: no memory.
char *sweep_info_text(const cJSON *info);

#endif
