// Sums the trials of a study by direction and one more axis: shares of successes with intervals, and counts of
// strategies.
#include "scenes/report/direction_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const direction_strategies[DIRECTION_STRATEGIES] = {"ankle", "hip", "step", "steps", "fall"};

static double axis_number(const StudyAxis *axis, int value) { return strtod(axis->values[value], NULL); }

bool direction_is_turn(const StudyAxis *axis) {
  if (!axis->is_number || axis->count < 4 || strcmp(axis->unit, "deg") != 0)
    return false;
  const double step = axis_number(axis, 1) - axis_number(axis, 0);
  for (int i = 2; i < axis->count; i++)
    if (fabs(axis_number(axis, i) - axis_number(axis, i - 1) - step) > 1e-6)
      return false;
  const double turn = fabs(step) * axis->count;
  return fabs(turn - 360) < 1e-6 || fabs(turn - fabs(step) - 360) < 1e-6;
}

DirectionAxes direction_axes(const StudyDef *study) {
  DirectionAxes found = {-1, -1, -1};
  for (int i = 0; i < study->axis_count && found.turn < 0; i++)
    if (direction_is_turn(&study->axes[i]))
      found.turn = i;
  for (int i = 0; i < study->axis_count; i++) {
    const StudyAxis *axis = &study->axes[i];
    if (i == found.turn || axis->count < 2 || !axis->is_number)
      continue;
    if (found.outward < 0 || (strcmp(axis->unit, "N s") == 0 && strcmp(study->axes[found.outward].unit, "N s") != 0))
      found.outward = i;
  }
  int others = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (i != found.turn && i != found.outward && study->axes[i].count > 1) {
      found.other = i;
      others++;
    }
  if (others != 1)
    found.other = -1;
  return found;
}

// Which of a crossed axis' values a trial has.
static int value_of_trial(const StudyDef *study, int axis, long trial) {
  long index = trial / study->run.repeats;
  for (int i = study->axis_count - 1; i > axis; i--)
    index /= study->axes[i].count > 0 ? study->axes[i].count : 1;
  return (int)(index % study->axes[axis].count);
}

// Columns of success and of strategies.
typedef struct Source {
  int success; // column
  bool falls;  // the column of success is that of falls
  int strategy, status;
} Source;

static bool ends_with(const char *name, const char *end) {
  const size_t length = strlen(name), wanted = strlen(end);
  return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

static int find_column(const StudyDef *study, const char *end) {
  for (int i = 0; i < study->column_count; i++)
    if (ends_with(study->columns[i].name, end))
      return i;
  return -1;
}

static Source find_source(const StudyDef *study, const Table *table) {
  const int fell = find_column(study, ".fell");
  const bool falls = study->scene->expect_count == 0 && fell >= 0;
  return (Source){.success = falls ? fell : table_find(table, "ok"),
                  .falls = falls,
                  .strategy = find_column(study, ".recovery_strategy"),
                  .status = table_find(table, "status")};
}

static void count_strategy(DirectionCell *cell, const char *strategy) {
  for (int i = 0; i < DIRECTION_STRATEGIES; i++)
    if (strcmp(strategy, direction_strategies[i]) == 0) {
      cell->strategies[i]++;
      cell->told++;
    }
}

// The directions, each once: 360 deg is 0 deg.
static int list_directions(const StudyAxis *turn, double directions[]) {
  const double span = fabs(axis_number(turn, turn->count - 1) - axis_number(turn, 0));
  const int count = turn->count - (fabs(span - 360) < 1e-6);
  for (int i = 0; i < count && i < DIRECTION_MOST_SECTORS; i++)
    directions[i] = axis_number(turn, i);
  return count;
}

// Successes and trials of every repeat in every cell: [cell][repeat].
typedef struct Clusters {
  long *successes, *counts;
} Clusters;

static void count_rows(DirectionTable *made, const StudyDef *study, const Table *table, DirectionAxes axes, int other,
                       Clusters *clusters) {
  const Source source = find_source(study, table);
  made->has_strategies = source.strategy >= 0;
  const int trials = table_find(table, "trial");
  for (long row = 0; row < table->row_count; row++) {
    const long trial = lround(table_number(table, row, trials));
    if (other >= 0 && axes.other >= 0 && value_of_trial(study, axes.other, trial) != other)
      continue;
    const int ring = axes.outward >= 0 ? value_of_trial(study, axes.outward, trial) : 0;
    const int place = ring * made->sector_count + value_of_trial(study, axes.turn, trial) % made->sector_count;
    const bool complete = strcmp(table_text(table, row, source.status), "complete") == 0;
    const double told = table_number(table, row, source.success);
    if (complete && source.strategy >= 0)
      count_strategy(&made->cells[place], table_text(table, row, source.strategy));
    if (!isfinite(told) || (source.falls && !complete))
      continue;
    const long cluster = (long)place * study->run.repeats + trial % study->run.repeats;
    clusters->counts[cluster]++;
    clusters->successes[cluster] += (told != 0) != source.falls;
  }
}

static void take_shares(DirectionTable *made, int repeats, const Clusters *clusters) {
  for (int i = 0; i < made->ring_count * made->sector_count; i++) {
    ShareTally tally = {0};
    for (long k = (long)i * repeats; k < (long)(i + 1) * repeats; k++)
      statistics_tally(&tally, clusters->successes[k], clusters->counts[k]);
    made->cells[i].count = tally.count;
    made->cells[i].successes = tally.successes;
    made->cells[i].interval = statistics_share_interval(&tally);
  }
}

DirectionTable *direction_table_create(const StudyDef *study, const Table *table, int other) {
  const DirectionAxes axes = direction_axes(study);
  if (axes.turn < 0 || study->axes[axes.turn].count > DIRECTION_MOST_SECTORS ||
      (axes.outward >= 0 && study->axes[axes.outward].count > DIRECTION_MOST_RINGS))
    return NULL;
  DirectionTable *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->turn = &study->axes[axes.turn];
  made->outward = axes.outward >= 0 ? &study->axes[axes.outward] : NULL;
  made->sector_count = list_directions(made->turn, made->directions);
  made->ring_count = made->outward ? made->outward->count : 1;
  const size_t size = (size_t)made->ring_count * (size_t)made->sector_count * (size_t)study->run.repeats;
  Clusters clusters = {calloc(size, sizeof *clusters.successes), calloc(size, sizeof *clusters.counts)};
  const bool good = clusters.successes && clusters.counts;
  if (good) {
    count_rows(made, study, table, axes, other, &clusters);
    take_shares(made, study->run.repeats, &clusters);
  }
  free(clusters.successes);
  free(clusters.counts);
  if (good)
    return made;
  free(made);
  return NULL;
}

void direction_table_destroy(DirectionTable *table) { free(table); }
