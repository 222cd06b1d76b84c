// One trial of a study: a scene run to its end, told as one line of the study's table.
//
// Columns: trial, cell, repeat, seed; one for each axis; status ("complete", "stopped: why", "failed: why" when the
// scene could not be made, "crashed: signal" when the process died, "given up: ..." when it took too long), ok (bool:
// the scene's expectations held and the status is complete), time (s simulated, empty when there was no scene); then
// the metrics, CHARACTER.METRIC: those the study names, or all and CHARACTER.recovery_strategy (text). Nothing in a row
// hangs on wall time, so that a trial has the same row wherever and whenever it runs; realtime_factor is no column.
#ifndef STAGGER_SCENES_SWEEP_TRIAL_H
#define STAGGER_SCENES_SWEEP_TRIAL_H

#include "scenes/sweep/study.h"

enum { TRIAL_LINE_SIZE = 1 << 16 };

// The end of a trace's name until it is whole, so that a kill leaves no half one.
#define TRIAL_PART ".part"

// The columns of a study's table. Called by study_read, which has read scene and axes. metrics: the list of the study
// file; NULL: all. Errors at its nodes: no such character or metric, twice the same.
bool trial_columns(StudyDef *study, const Node *metrics, Error *error);

// Whether a row, whose first cell is a trial of the study, has the cell, repeat, seed and values of axes that the study
// plans for that trial. If not: the first that differs, and what is expected.
bool trial_fits_plan(const StudyDef *study, const Table *table, long row, char *difference, size_t size);

// Runs a trial; what goes wrong is told in the line. trace (may be NULL): where its trace goes; a trace that cannot be
// written makes it fail ("failed: ..."). keep_going (may be NULL) is asked now and then; false: nothing is told and the
// function returns false, the trace is removed.
bool trial_run(const StudyDef *study, long trial, const char *trace, bool (*keep_going)(void), char *line, size_t size);

// The line of a trial that could not tell its own: status "crashed: ..." and no metrics.
void trial_lost(const StudyDef *study, long trial, const char *status, char *line, size_t size);

#endif
