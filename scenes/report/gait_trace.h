// The gait of a trace's characters: their strides in each of the three poses, grouped.
#ifndef STAGGER_SCENES_REPORT_GAIT_TRACE_H
#define STAGGER_SCENES_REPORT_GAIT_TRACE_H

#include "scenes/description/trace_motion.h"
#include "scenes/report/gait.h"
#include "scenes/report/report_run.h"

// The source of whether a foot stands.
typedef enum GaitContact { GAIT_BY_LOAD, GAIT_BY_PLAN, GAIT_BY_SOLE } GaitContact;

typedef struct GaitReport {
  bool is_human; // has two legs with hip, knee and ankle as bodies/human.yaml; otherwise nothing else is set
  double leg;    // m, height of the hips upright
  GaitContact contacts[TRACE_POSE_COUNT];
  int strides[TRACE_POSE_COUNT]; // steady ones, also those in no group
  GaitGroup groups[GAIT_MAX_GROUPS];
  int group_count;
} GaitReport;

// A pose that cannot be read has no strides. False and an error: no memory.
bool gait_report_read(const ReportRun *run, const ReportCharacter *character, GaitReport *report, Error *error);

#endif
