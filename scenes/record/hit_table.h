// The table of hits in a trace: the effects of each hit, written when the run has ended. Reports are made from it.
#ifndef STAGGER_SCENES_RECORD_HIT_TABLE_H
#define STAGGER_SCENES_RECORD_HIT_TABLE_H

#include "scenes/record/record.h"
#include "sim/metrics/metrics.h"

enum { HIT_COLUMNS = 3 + METRIC_HIT_ROWS };

// One list for each column: who, where, how, and the figures of HIT_ROWS: /hits/part, /hits/time ...
extern const RecordChannel hit_channels[HIT_COLUMNS];

// Declares the lists in a trace. characters and bodies ("runner/chest"): names for the indices in the table.
bool hit_table_declare(TraceWriter *trace, const char *const *characters, int character_count,
                       const char *const *bodies, int body_count, int lists[HIT_COLUMNS], Error *error);

// Appends a hit. character, body: indices; body -1: unknown.
void hit_table_add(TraceWriter *trace, const int lists[HIT_COLUMNS], int character, int body, const MetricsHit *hit);

typedef struct HitRecord {
  char character[TRACE_NAME_SIZE];
  MetricsHit hit;
} HitRecord;

// The hits of a trace in order of characters and of time; the caller frees them. NULL: none (count 0; runs that did not
// end have none), or an error (count -1).
HitRecord *hit_table_read(TraceReader *reader, int *count, Error *error);

#endif
