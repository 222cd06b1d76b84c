// The contents of a trace for a report: its characters' metrics, hits, expectations and curves, of all frames. Of the
// values of each frame only every stride-th are kept, and of curves what is drawn, so that an hour takes little more
// memory than a minute.
#ifndef STAGGER_SCENES_REPORT_REPORT_RUN_H
#define STAGGER_SCENES_REPORT_REPORT_RUN_H

#include "scenes/description/scene_def.h"
#include "scenes/record/hit_table.h"
#include "scenes/report/svg_plot.h"

enum {
  REPORT_MAX_PLOTS = 24,
  REPORT_MOST_FRAMES = 3601,
  REPORT_MOST_POSES = 100000,
  REPORT_MOST_STUDY_FRAMES = 6000 // of all traces of a study
};

// A curve: one value a frame, NAN where there is none.
typedef struct ReportSeries {
  char name[TRACE_NAME_SIZE];
  float *values; // [kept_count]
  SvgLine *line; // through the values of all frames; NULL: is not drawn
  bool is_zero;  // in all frames
} ReportSeries;

typedef struct ReportPlot {
  const char *group, *label, *unit;
  const char *path; // below the character: the channel that it is made from
  bool is_summary;  // a few curves for the whole body; others have one for each joint and the like
  ReportSeries *series;
  int series_count;
} ReportPlot;

typedef struct ReportCharacter {
  const CharacterDef *def;
  double *metrics;   // [metric_row_count], NAN: does not apply or was not recorded
  char strategy[16]; // of the worst hit, "" when unhit
  ReportPlot plots[REPORT_MAX_PLOTS];
  int plot_count;
} ReportCharacter;

typedef struct ReportExpect {
  const char *text;
  double value; // NAN: does not apply
  bool known;   // false: not in the trace
  bool holds;
} ReportExpect;

typedef struct ReportRun {
  TraceReader *reader;
  SceneDef *def;
  char name[64], status[512];
  long trial; // of a study; -1
  int frame_count;
  int stride, kept_count; // every stride-th frame is in the report's data, from the first on
  double frame_rate;      // Hz
  double *time;           // [frame_count] s
  ReportCharacter *characters;
  int character_count;
  TraceEvent *events; // every step of a push has one
  int event_count;
  HitRecord *hits;
  int hit_count;
  bool hits_are_judged; // false: only time, part and impulse are known, from the events
  ReportExpect expects[SCENE_MAX_EXPECTS];
  int expect_count;
} ReportRun;

// Reads all of a trace but the motion. def: its scene. Both must outlive it. most_frames: that are kept, also at most
// REPORT_MOST_POSES poses of parts; at least 2. NULL and an error: no frames, damaged, no memory.
ReportRun *report_run_read(TraceReader *reader, SceneDef *def, long most_frames, Error *error);
void report_run_free(ReportRun *run); // NULL is fine

bool report_run_is_complete(const ReportRun *run);
int report_run_failures(const ReportRun *run); // expectations that do not hold

// A metric's value by name; NAN when it does not apply.
double report_run_metric(const ReportCharacter *character, const char *name);

// The hit with the worst outcome: a fall, else one without recovery, else the largest displacement of the centre of
// mass. NULL: none.
const HitRecord *report_run_worst_hit(const ReportRun *run);

// Part of it: the curves of a character (report_plots.c).
bool report_plots_read(ReportRun *run, ReportCharacter *character, Error *error);
void report_plots_free(ReportCharacter *character);

#endif
