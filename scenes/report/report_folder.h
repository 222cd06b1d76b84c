// The contents of a study's folder for a report: its plan, its trials so far, their summary, and some of its traces.
#ifndef STAGGER_SCENES_REPORT_REPORT_FOLDER_H
#define STAGGER_SCENES_REPORT_REPORT_FOLDER_H

#include <cjson/cJSON.h>

#include "scenes/report/html.h"
#include "scenes/report/report_run.h"
#include "scenes/sweep/summary.h"

enum { REPORT_MOST_TRACES = 12 }; // that are read, and shown

typedef struct ReportTrace {
  TraceReader *reader;
  SceneDef *def;
  ReportRun *run;
} ReportTrace;

typedef struct ReportFolder {
  char path[512], name[64]; // name: of the study
  StudyDef *study;
  Table *table; // sorted by trials
  Summary *summary;
  cJSON *info; // sweep.json; NULL: there is none
  ReportTrace traces[REPORT_MOST_TRACES];
  int trace_count;
  int kept_count; // traces in the folder; of more than REPORT_MOST_TRACES some are taken, evenly
} ReportFolder;

// notes: a sentence on every trace that cannot be read. NULL and an error: not a study's folder, not readable, no
// memory.
ReportFolder *report_folder_read(const char *path, Html *notes, Error *error);

// The same without traces and summary, which take long to read; there may be no trial yet.
ReportFolder *report_folder_open(const char *path, Error *error);
void report_folder_close(ReportFolder *folder); // NULL is fine

// "complete" or why it is not, as sweep.json has it; without that file by the number of trials.
const char *report_folder_status(const ReportFolder *folder);

// A search is complete without all trials of the crossed axes.
bool report_folder_is_complete(const ReportFolder *folder);

// The summary row over all trials for a column and label ("" for numbers and bools); NULL: none.
const SummaryRow *report_folder_whole(const ReportFolder *folder, const char *column, const char *label);

#endif
