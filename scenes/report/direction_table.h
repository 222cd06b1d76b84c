// Results of a study by direction, for pictures: for each direction and each value of one more axis, over all other
// axes, the share of trials that succeeded, and the strategies of balance.
#ifndef STAGGER_SCENES_REPORT_DIRECTION_TABLE_H
#define STAGGER_SCENES_REPORT_DIRECTION_TABLE_H

#include "scenes/sweep/summary.h"

enum { DIRECTION_MOST_SECTORS = 72, DIRECTION_MOST_RINGS = 16, DIRECTION_STRATEGIES = 5 };

extern const char *const direction_strategies[DIRECTION_STRATEGIES]; // as recovery_strategy has them, mildest first

// Trials of one direction and ring.
typedef struct DirectionCell {
  long count, successes;
  Interval interval;                     // of the share of successes: Wilson's, 95 %, repeats as clusters
  long told;                             // trials with a strategy
  long strategies[DIRECTION_STRATEGIES]; // of them
} DirectionCell;

typedef struct DirectionTable {
  const StudyAxis *turn, *outward; // outward NULL: there is but one ring
  int sector_count, ring_count;
  double directions[DIRECTION_MOST_SECTORS]; // deg
  bool has_strategies;
  DirectionCell cells[DIRECTION_MOST_RINGS * DIRECTION_MOST_SECTORS]; // [ring * sector_count + sector]
} DirectionTable;

// Whether an axis is of directions: values in deg, evenly spaced over a full turn.
bool direction_is_turn(const StudyAxis *axis);

// The axis of directions, the axis shown outward (of impulses in N s, else the first one of numbers), and the third
// crossed axis if there is exactly one; -1: none.
typedef struct DirectionAxes {
  int turn, outward, other;
} DirectionAxes;

DirectionAxes direction_axes(const StudyDef *study);

// Whether an axis goes around, with not too many values.
bool direction_table_fits(const StudyDef *study);

// A trial succeeds when it is `ok`; in scenes without expectations when the first character did not fall. other: only
// trials with that value of the other axis, -1: all. NULL: no axis goes around, too many values,
// no memory.
DirectionTable *direction_table_create(const StudyDef *study, const Table *table, int other);
void direction_table_destroy(DirectionTable *table);

#endif
