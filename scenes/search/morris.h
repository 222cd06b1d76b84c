// Which axes of a study move its metrics: elementary effects (Morris 1991, Factorial sampling plans for preliminary
// computational experiments, Technometrics 33). A trajectory begins at a random combination of the axes' values and
// changes one axis after the other, in random order, by half of its values up or down. The change of a metric over the
// step's share of the axis, by the order of its values, is an elementary effect: what the whole axis would do if its
// effect were the same everywhere.
//
// Over the trajectories, the mean size of the effects (mu* of Campolongo, Cariboni and Saltelli 2007, Environ. Model.
// Softw. 22) tells how much an axis matters, their mean whether up or down, and their deviation how much that depends
// on the place: interactions with other axes, or a curve.
#ifndef STAGGER_SCENES_SEARCH_MORRIS_H
#define STAGGER_SCENES_SEARCH_MORRIS_H

#include "scenes/sweep/bootstrap.h"
#include "scenes/sweep/method.h"

extern const SweepMethod sensitivity_method;

typedef struct MorrisTrajectory {
  int steps;                      // number of crossed axes
  long cells[STUDY_MAX_AXES + 1]; // of the study: the beginning, and after each step
  int axes[STUDY_MAX_AXES];       // changed in the step
  double changes[STUDY_MAX_AXES]; // as a share of the axis, negative for down
} MorrisTrajectory;

// Trajectory 0 to trajectories - 1; it depends on the study's seed and axes alone.
void morris_trajectory(const StudyDef *study, int number, MorrisTrajectory *trajectory);

typedef struct MorrisEffect {
  int axis, count;        // number of trajectories whose effect is known
  double size, mean;      // mu*, mu; in the metric's unit, for the whole axis; NAN: count is 0
  double deviation;       // sigma; NAN for one effect
  Interval size_interval; // 95 %, a bootstrap of the trajectories; NAN for fewer than 6
} MorrisEffect;

// The effect of an axis on a column of numbers, whose value at a place is the mean of the repeats that are complete.
MorrisEffect morris_effect(const StudyDef *study, const Table *table, int column, int axis, Bootstrap *bootstrap);

// Writes sensitivity.csv and .json: a row for each metric and axis, the largest sizes of a metric first.
bool morris_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error);

#endif
