// Declares, writes and reads the lists of hits in a trace: who, where and how, then one list for each row of HIT_ROWS.
#include "scenes/record/hit_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef enum HitColumn { HIT_CHARACTER, HIT_PART, HIT_STRATEGY, HIT_FIGURES } HitColumn;

#define HIT_CHANNEL(field, unit, shown_unit, whole, heading, column, width, digits, doc)                               \
  {"/hits/" #field, (whole) ? TRACE_INT32 : TRACE_FLOAT64, ROWS_ONE, 1, unit, doc},

const RecordChannel hit_channels[HIT_COLUMNS] = {
    [HIT_CHARACTER] = {"/hits/character", TRACE_INT32, ROWS_ONE, 1, "-", "Character that was hit: index into `names`"},
    [HIT_PART] = {"/hits/part", TRACE_INT32, ROWS_ONE, 1, "-",
                  "Part with the largest impulse: index into `names`, -1: unknown"},
    [HIT_STRATEGY] = {"/hits/strategy", TRACE_INT32, ROWS_ONE, 1, "-", "Recovery strategy: index into `names`"},
    HIT_ROWS(HIT_CHANNEL)};

static const char *const strategies[] = {"ankle", "hip", "step", "steps", "fall"};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

bool hit_table_declare(TraceWriter *trace, const char *const *characters, int character_count,
                       const char *const *bodies, int body_count, int lists[HIT_COLUMNS], Error *error) {
  for (int i = 0; i < HIT_COLUMNS; i++) {
    const RecordChannel *row = &hit_channels[i];
    const TraceChannel channel = {
        .path = row->path, .type = row->type, .unit = row->unit, .description = row->description};
    lists[i] = trace_list(trace, &channel, error);
    if (lists[i] < 0)
      return false;
  }
  return trace_names(trace, hit_channels[HIT_CHARACTER].path, characters, character_count, error) &&
         trace_names(trace, hit_channels[HIT_PART].path, bodies, body_count, error) &&
         trace_names(trace, hit_channels[HIT_STRATEGY].path, strategies, STRATEGIES, error);
}

void hit_table_add(TraceWriter *trace, const int lists[HIT_COLUMNS], int character, int body, const MetricsHit *hit) {
  int32_t strategy = 0;
  while (strategy < STRATEGIES - 1 && strcmp(hit->strategy, strategies[strategy]) != 0)
    strategy++;
  const int32_t whole[HIT_FIGURES] = {[HIT_CHARACTER] = character, [HIT_PART] = body, [HIT_STRATEGY] = strategy};
  for (int i = 0; i < HIT_FIGURES; i++)
    trace_append(trace, lists[i], &whole[i], 1);
  for (int i = 0; i < METRIC_HIT_ROWS; i++) {
    const double figure = metric_hit_figure(hit, i);
    const int32_t count = (int32_t)figure;
    trace_append(trace, lists[HIT_FIGURES + i], metric_hit_rows[i].whole ? (const void *)&count : &figure, 1);
  }
}

// ---- Reading ----

enum { MOST_NAMES = 4096 };

// Reads the names for a column's indices into all hits: "" for an index without a name. width: size of a text.
static bool read_texts(TraceReader *reader, HitColumn column, HitRecord *hits, long count, size_t offset, size_t width,
                       Error *error) {
  const char *path = hit_channels[column].path;
  int32_t *index = calloc((size_t)count, sizeof *index);
  char(*names)[TRACE_NAME_SIZE] = calloc(MOST_NAMES, sizeof *names);
  bool good = index && names;
  if (!good)
    error_set(error, "%s: out of memory", path);
  good = good && trace_read(reader, path, TRACE_INT32, 0, count, index, error);
  int known = good ? trace_row_names(reader, path, names, MOST_NAMES) : 0;
  for (long i = 0; good && i < count; i++) {
    const char *name = index[i] >= 0 && index[i] < known ? names[index[i]] : "";
    const char *part = column == HIT_PART ? strchr(name, '/') : NULL; // without the character's name
    snprintf((char *)&hits[i] + offset, width, "%s", part ? part + 1 : name);
  }
  free(names);
  free(index);
  return good;
}

static bool read_figures(TraceReader *reader, int row, HitRecord *hits, long count, double *values, Error *error) {
  if (!trace_read(reader, hit_channels[HIT_FIGURES + row].path, TRACE_FLOAT64, 0, count, values, error))
    return false;
  for (long i = 0; i < count; i++)
    memcpy((char *)&hits[i].hit + metric_hit_rows[row].offset, &values[i], sizeof values[i]);
  return true;
}

// The number of rows that all columns have; a run killed during writing leaves some columns longer than others.
static bool count_rows(TraceReader *reader, long *count, Error *error) {
  *count = 0;
  for (int i = 0; i < HIT_COLUMNS; i++) {
    long rows;
    int width;
    if (!trace_shape(reader, hit_channels[i].path, &rows, &width)) {
      *count = 0; // a trace of an older version
      return true;
    }
    if (width != 1 || rows > INT_MAX)
      return error_set(error, "%s: the trace's table of hits is damaged", hit_channels[i].path);
    if (i == 0 || rows < *count)
      *count = rows;
  }
  return true;
}

HitRecord *hit_table_read(TraceReader *reader, int *count, Error *error) {
  long rows;
  *count = -1;
  if (!count_rows(reader, &rows, error))
    return NULL;
  if (rows == 0) {
    *count = 0;
    return NULL;
  }
  HitRecord *hits = calloc((size_t)rows, sizeof *hits);
  double *values = calloc((size_t)rows, sizeof *values);
  bool good = hits && values;
  if (!good)
    error_set(error, "/hits: out of memory");
  const size_t at = offsetof(HitRecord, hit);
  good = good &&
         read_texts(reader, HIT_CHARACTER, hits, rows, offsetof(HitRecord, character), sizeof hits->character, error) &&
         read_texts(reader, HIT_PART, hits, rows, at + offsetof(MetricsHit, part), sizeof hits->hit.part, error) &&
         read_texts(reader, HIT_STRATEGY, hits, rows, at + offsetof(MetricsHit, strategy), sizeof hits->hit.strategy,
                    error);
  for (int i = 0; good && i < METRIC_HIT_ROWS; i++)
    good = read_figures(reader, i, hits, rows, values, error);
  free(values);
  if (!good) {
    free(hits);
    return NULL;
  }
  *count = (int)rows;
  return hits;
}
