// What a study of responses tells about dose and place: how the response to a hit grows with its size, how it differs
// by the part that is struck, and when it is largest. For studies with `responses` whose axes have an event's `part`
// and `impulse`; an axis of its `direction` and others may be there.
//
// Trials are compared that differ in one axis alone: all other axes and the seed, and so the run without the hit, are
// the same. Repeats are the clusters of all intervals, since their seeds are the same in all cells.
#ifndef STAGGER_SCENES_SWEEP_DOSE_H
#define STAGGER_SCENES_SWEEP_DOSE_H

#include "scenes/sweep/response_file.h"
#include "scenes/sweep/sample.h"

enum { DOSE_MOST_PARTS = 16, DOSE_MOST_SIZES = 16, DOSE_MOST_DIRECTIONS = 36 };

#define DOSE_FRONT 180.0 // deg: a push backward, from the front

// A figure with its 95 % interval; NAN: unknown. count: of trials, or of pairs of trials.
typedef struct DoseFigure {
  double value, low, high;
  long count;
} DoseFigure;

// The measures of a response over its size; the metrics that they are the medians of.
typedef enum DoseMeasure {
  DOSE_SIZE,
  DOSE_PEAK,
  DOSE_PEAK_TIME,
  DOSE_TRUNK_PEAK,
  DOSE_TRUNK_PEAK_TIME,
  DOSE_HEAD_PEAK,
  DOSE_HEAD_PEAK_TIME,
  DOSE_MEASURES
} DoseMeasure;

typedef struct DoseMeasureRow {
  const char *metric, *unit, *title;
} DoseMeasureRow;

extern const DoseMeasureRow dose_measures[DOSE_MEASURES];

typedef struct DoseTable {
  const StudyAxis *part_axis, *size_axis, *direction_axis; // the last one may be NULL
  int part_count, size_count, joint_count;
  const char *parts[DOSE_MOST_PARTS];
  double sizes[DOSE_MOST_SIZES]; // N s, ascending
  const char *joints[BODY_MAX_PARTS];
  int direction_count; // 0: none, or more than the most
  bool has_front;      // some direction is DOSE_FRONT; otherwise "front" below means all directions

  // Medians over all other axes and repeats, with intervals by the bootstrap.
  DoseFigure measures[DOSE_MEASURES][DOSE_MOST_PARTS][DOSE_MOST_SIZES];

  // From the front: deg, mean distance of the responses to hits on two parts; on the diagonal 0.
  double distance[DOSE_MOST_SIZES][DOSE_MOST_PARTS][DOSE_MOST_PARTS];

  // Part-dependence: the mean distance over pairs of the chosen parts, over their mean size. Intervals by the variance
  // of a ratio of cluster totals (Kish 1965, Survey Sampling, section 6.5) with Student's t.
  bool chosen[DOSE_MOST_PARTS]; // head, chest, pelvis, thigh_l, upper_arm_l where the study has these, else all
  DoseFigure front[DOSE_MOST_SIZES], around[DOSE_MOST_SIZES]; // from the front; over all directions

  // The share of neighbouring sizes of which the larger one has the larger response: in all, of a part, of a part from
  // a size to the next, and of a part in a direction.
  DoseFigure rising, rising_of[DOSE_MOST_PARTS], rising_from[DOSE_MOST_PARTS][DOSE_MOST_SIZES];
  DoseFigure rising_toward[DOSE_MOST_PARTS][DOSE_MOST_DIRECTIONS];

  // deg, s: median over trials of the largest angle of a joint in its parent, and of its time; of the size shown_size.
  int shown_size;
  double joint_peak[DOSE_MOST_PARTS][BODY_MAX_PARTS], joint_peak_time[DOSE_MOST_PARTS][BODY_MAX_PARTS];
} DoseTable;

// Whether dose_create can make a table of the study: `responses`, axes of parts and sizes of one event with at least
// two values, no more than the most, and no axis that is drawn for every trial.
bool dose_applies(const StudyDef *study);

// table: some or all trials of the study. The caller frees the result with dose_destroy. NULL and an error: no memory.
DoseTable *dose_create(const StudyDef *study, const Table *table, ResponseFile *responses, Error *error);
void dose_destroy(DoseTable *dose); // NULL is fine

// Tidy CSV, one line for each figure: figure, part, other (part or joint), impulse, direction (front, all), unit,
// count, value, low, high. The caller frees it; NULL: no memory.
char *dose_csv(const DoseTable *dose, size_t *size);

// A table for people: sizes of responses, part-dependence, and the share that rises.
void dose_print(FILE *out, const DoseTable *dose);

#endif
