// The results of a run: its metrics as JSON for programs and as a table for people, and the verdict on its
// expectations.
#ifndef STAGGER_SCENES_RUN_OUTCOME_H
#define STAGGER_SCENES_RUN_OUTCOME_H

#include <stdio.h>

#include "scenes/run/scene.h"

// How a run ended; the scene does not contain this.
typedef struct RunOutcome {
  const char *status;     // "complete", "interrupted", "stopped: why"
  double realtime_factor; // simulated time divided by wall-clock time
} RunOutcome;

// outcome_holds: whether all expectations hold; outcome_value: the value of one of them (NAN when it does not apply).
// Call after scene_finish.
bool outcome_holds(const Scene *scene);
double outcome_value(const Scene *scene, const Expect *expect);

// A metric as text for people, with digits by unit, and its unit: lengths of feet and of the shown pose in mm, booleans
// as yes and no, "-" for NAN. unit (may be NULL): "" when there is none.
void outcome_metric_text(const MetricRow *row, double value, char *text, size_t size, const char **unit);

// {"scene", "seed", "status", "duration", "realtime_factor", "characters": {NAME: {METRIC: value}}, "hits": [...],
// "responses": [...], "warnings": {...}, "expect": [{"text", "value", "ok"}], "ok"}. NAN becomes null. The caller frees
// it; NULL: no memory.
char *outcome_json(const Scene *scene, const RunOutcome *outcome);

// Hits, metrics, expectations with PASS or FAIL, in aligned columns with units.
void outcome_table(FILE *out, const Scene *scene, const RunOutcome *outcome);

// The lines of the failed expectations.
void outcome_failures(FILE *out, const Scene *scene, const RunOutcome *outcome);

#endif
