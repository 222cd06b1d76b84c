// One trial of a study: a scene that is run to its end and results in one line of the study's table.
//
// Columns: trial, cell, repeat, seed; one for each axis; status ("complete", "stopped: why", "failed: why" when the
// scene could not be created, "crashed: signal" when the process died, "given up: ..." when it took too long), ok
// (bool: the scene's expectations hold and the status is complete), time (s simulated, empty without a scene); then the
// metrics, CHARACTER.METRIC: those that the study names, or all and CHARACTER.recovery_strategy (text). Nothing in a
// row depends on wall-clock time, so that a trial has the same row wherever and whenever it is run; realtime_factor is
// therefore not a column.
#ifndef STAGGER_SCENES_SWEEP_TRIAL_H
#define STAGGER_SCENES_SWEEP_TRIAL_H

#include "scenes/run/hit_response.h"
#include "scenes/sweep/study.h"

enum { TRIAL_LINE_SIZE = 1 << 16 };

// Ending of a trace's name until it is complete, so that a killed process leaves no incomplete trace.
#define TRIAL_PART ".part"

// Sets the columns of a study's table; called by study_read after scene and axes have been read. metrics: the list in
// the study file; NULL: all. Errors at its nodes: no such character or metric, duplicates.
bool trial_columns(StudyDef *study, const Node *metrics, Error *error);

// Whether a row, whose first cell is a trial of the study, has the planned cell, repeat, seed and values of axes. If
// not, `difference` names the first different cell and the expected value.
bool trial_fits_plan(const StudyDef *study, const Table *table, long row, char *difference, size_t size);

// Runs a trial; errors are reported in the line. trace (may be NULL): path of its trace; if that cannot be written the
// trial fails ("failed: ..."). keep_going (may be NULL) is called from time to time; if it returns false, the function
// returns false without a line, and the trace is removed. response: of a study with `responses`, receives the response
// to the first hit; otherwise, and without a hit, it has no frames. May be NULL.
bool trial_run(const StudyDef *study, long trial, const char *trace, bool (*keep_going)(void), char *line, size_t size,
               HitResponse *response);

// The line for a trial whose process died: status "crashed: ..." and no metrics.
void trial_lost(const StudyDef *study, long trial, const char *status, char *line, size_t size);

#endif
