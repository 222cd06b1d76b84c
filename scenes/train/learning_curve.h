// The learning curve of a skill as a picture of its own: over the samples, above the mean time to a failure on a
// logarithmic axis, below the mean reward and its terms; stages of the training are dashed lines. Light and dark by the
// reader's setting.
#ifndef STAGGER_SCENES_TRAIN_LEARNING_CURVE_H
#define STAGGER_SCENES_TRAIN_LEARNING_CURVE_H

enum { LEARNING_MOST_TERMS = 8 };

// Means over the episodes since the row before. What is not finite is a gap in its line.
typedef struct LearningRow {
  double samples;         // since the beginning of the training, ascending from row to row
  double minutes;         // of computing since the beginning
  double time_to_failure; // s; a gap also below 1e-9 and above 1e9
  double reward;          // of a decision
  double terms[LEARNING_MOST_TERMS];
} LearningRow;

typedef struct LearningStage {
  const char *name;
  double samples; // at its beginning, ascending
} LearningStage;

typedef struct LearningCurve {
  const char *title;
  const LearningRow *rows;
  int row_count;
  const char *const *term_names; // [term_count], up to 20 characters each fit
  int term_count;                // at most LEARNING_MOST_TERMS
  const LearningStage *stages;
  int stage_count;
} LearningCurve;

// The text of an SVG file, which the caller frees. NULL: no memory.
char *learning_curve_svg(const LearningCurve *curve);

#endif
