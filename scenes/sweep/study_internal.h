// The sections of a study file, each read by a source file of its own. Only for study*.c and trial.c.
#ifndef STAGGER_SCENES_SWEEP_STUDY_INTERNAL_H
#define STAGGER_SCENES_SWEEP_STUDY_INTERNAL_H

#include "scenes/sweep/study.h"

// Reads the axes in the order of the file. map NULL: none.
bool study_axes_read(StudyDef *study, const Node *map, Error *error);

// Checks that their values and those of `optimise` can be set in the scene: one axis after the other, while the others
// have their first value. root: of the study.
bool study_axes_check(const StudyDef *study, const Node *root, Error *error);

// Draws the value of a random axis for a trial.
void study_axis_draw(const StudyAxis *axis, int seed, long trial, char value[PARAM_TEXT_SIZE]);

// Reads which trials keep their trace. list NULL: none. The columns must be known.
bool study_keeps_read(StudyDef *study, const Node *list, Error *error);

// Finds a column by its name; if there is one character, its name may be omitted. -1 and an error at the node.
int study_column_find(const StudyDef *study, const char *name, const Node *node, Error *error);

// The index of an axis by its name. -1 and an error at the node.
int study_axis_find(const StudyDef *study, const char *name, const Node *node, Error *error);

// Reads a condition 'column op value'. The columns must be known.
bool study_where_read(const StudyDef *study, const Node *node, StudyWhere *where, Error *error);

// Reads the table `threshold`. map NULL: none. Axes and columns must be known.
bool study_threshold_read(StudyDef *study, const Node *map, Error *error);

// The same for the tables `compare` and `sensitivity`.
bool study_compare_read(StudyDef *study, const Node *map, Error *error);

bool study_sensitivity_read(StudyDef *study, const Node *map, Error *error);

// Reads the parameters of the table `optimise` as axes, and, when the columns are known, its costs. map NULL: none.
bool study_optimise_read(StudyDef *study, const Node *map, Error *error);
bool study_costs_read(StudyDef *study, const Node *map, Error *error);

// Reads the key of the newest axis, whose name must not be taken.
bool study_axis_begin(StudyDef *study, const Node *node, Error *error);
bool study_axis_name(StudyDef *study, const Node *node, Error *error);

// Number of all overrides of a trial: `set`, the axes, the seed.
enum { STUDY_MAX_OVERRIDES = STUDY_MAX_SETS + STUDY_MAX_AXES + 1 };

// The character and the metric of a column "CHARACTER.METRIC", or "METRIC" if there is one character.
// recovery_strategy, a text, is included.
typedef struct StudyMetric {
  int character;
  const char *name;
  const char *unit; // "" for none
  bool is_text;
} StudyMetric;

// False and an error at the node when there is no such metric.
bool study_metric_find(const SceneDef *scene, const char *text, const Node *node, StudyMetric *metric, Error *error);

// Columns before those of the axes, and between them and the metrics.
enum { TRIAL_PLAN_COLUMNS = 4, TRIAL_OUTCOME_COLUMNS = 3 };

// Whether every table has a column with that name.
bool trial_has_column(const char *name);

// Sets the error of an assignment of the study at its node: "file:line:column: KEY=VALUE: what".
bool study_assignment_error(const Node *node, const char *assignment, const Error *cause, Error *error);

// Whether the error `cause` concerns this assignment, from its text.
bool study_blames(const char *assignment, const Error *cause);

#endif
