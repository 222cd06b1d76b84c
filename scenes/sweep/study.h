// A study: a scene that is run for all combinations of some values of its parameters, several times each with different
// seeds. The plan of its trials depends on the study file alone, not on who runs them and in which order. The format is
// described in scenes/studies/README.md.
#ifndef STAGGER_SCENES_SWEEP_STUDY_H
#define STAGGER_SCENES_SWEEP_STUDY_H

#include "scenes/description/scene_def.h"
#include "scenes/sweep/trial_table.h"

enum {
  STUDY_MAX_AXES = 16,
  STUDY_MAX_VALUES = 100000, // of an axis
  STUDY_MAX_TRIALS = 10000000,
  STUDY_MAX_METRICS = 1024,
  STUDY_MAX_COLUMNS = STUDY_MAX_METRICS + STUDY_MAX_AXES + 16,
  STUDY_MAX_KEEPS = 32,
  STUDY_MAX_SETS = 64,
  STUDY_OVERRIDE_SIZE = 2 * PARAM_TEXT_SIZE
};

#define STUDY_PARAMS(ROW, T)                                                                                           \
  ROW(T, TEXT, purpose, "\"\"", 0, 0, "", "What the study asks, in one sentence.")                                     \
  ROW(T, INT, seed, "1", 0, 1000000000, "-", "Seed of the first repeat; those of the others follow it.")               \
  ROW(T, INT, repeats, "1", 1, 1000000, "-", "Trials of every cell, each with a seed of its own.")                     \
  ROW(T, REAL, time_limit, "0", 0, 86400, "s", "Wall time after which a trial is given up; 0: never.")                 \
  ROW(T, BOOL, responses, "false", 0, 0, "",                                                                           \
      "Each trial is also run without its first hit, to measure the response to it.")

typedef enum StudyDistribution { STUDY_UNIFORM, STUDY_LOG_UNIFORM, STUDY_NORMAL } StudyDistribution; // as in the row

// The distribution of a random axis. Not all rows apply to every distribution, see StudyAxis.
#define STUDY_RANDOM_PARAMS(ROW, T)                                                                                    \
  ROW(T, CHOICE, distribution, "uniform", 0, 0, "uniform|log_uniform|normal", "Distribution of the values.")           \
  ROW(T, REAL, low, "0", -1e12, 1e12, "", "Smallest value; for normal only if values are limited.")                    \
  ROW(T, REAL, high, "0", -1e12, 1e12, "", "Largest value; for normal only if values are limited.")                    \
  ROW(T, REAL, mean, "0", -1e12, 1e12, "", "normal: mean.")                                                            \
  ROW(T, REAL, deviation, "0", 0, 1e12, "", "normal: standard deviation, before values are limited.")                  \
  ROW(T, INT, count, "0", 0, 100000, "-", "Number of values that are drawn and crossed; 0: a new one for every trial.")

typedef struct StudyRandom {
  STUDY_RANDOM_PARAMS(PARAM_FIELD, StudyRandom)
} StudyRandom;

// low, high: for uniform and log_uniform the limits; for normal, values outside are drawn again (+-INFINITY: no limit).
typedef struct StudyAxis {
  char key[PARAM_TEXT_SIZE];  // path of the parameter, see document_set
  char name[TABLE_NAME_SIZE]; // of its column
  char unit[TABLE_UNIT_SIZE]; // "" when not known
  int count;                  // number of crossed values; 0: drawn for every trial, or searched
  bool searched;              // a parameter of `optimise`: a trial's value is that of optimise.point
  char **values;              // [count] as YAML in one line, which is also the table's cell; numbers are formatted as
                              // in tables
  bool is_number;             // all values are numbers
  StudyRandom random;
} StudyAxis;

// A condition on a trial's row: a column of numbers and any operator, or a column of texts and == or !=.
typedef struct StudyWhere {
  int column; // of the table
  ExpectOp op;
  double value;
  char label[PARAM_TEXT_SIZE]; // for a column of texts, instead of `value`: the text, or its part up to a ':'
} StudyWhere;

typedef enum StudyKeepKind { KEEP_REPEATS, KEEP_TRIALS, KEEP_WHERE, KEEP_HIGHEST, KEEP_LOWEST } StudyKeepKind;

typedef struct StudyKeep {
  StudyKeepKind kind;
  int repeats;  // KEEP_REPEATS: the first ones of every cell
  long *trials; // KEEP_TRIALS
  int trial_count;
  StudyWhere where; // KEEP_WHERE; of KEEP_HIGHEST and KEEP_LOWEST its column alone
  long most;        // trials; by default 1000 for KEEP_WHERE, 1 for KEEP_HIGHEST and KEEP_LOWEST
} StudyKeep;

// The table `threshold`: the axis whose values grow, and when a trial has withstood one. See scenes/search/threshold.h.
#define STUDY_THRESHOLD_PARAMS(ROW, T)                                                                                 \
  ROW(T, TEXT, axis, "\"\"", 0, 0, "", "Name of the axis whose largest withstood value is searched.")                  \
  ROW(T, REAL, share, "0.9", 0.001, 1, "-", "Share of the repeats that must withstand a value.")                       \
  ROW(T, INT, spacing, "4", 1, 100000, "-", "Of so many neighbouring values up to the threshold at least one is tried.")

enum { STUDY_MAX_CONDITIONS = 8 };

typedef struct StudyThreshold {
  STUDY_THRESHOLD_PARAMS(PARAM_FIELD, StudyThreshold)
  int axis_index;                             // -1: the study has no such table
  StudyWhere withstood[STUDY_MAX_CONDITIONS]; // all must hold
  int withstood_count;
} StudyThreshold;

// The table `compare`: the axis with the two controllers, and the metric by which they are told apart. See
// scenes/search/compare.h.
#define STUDY_COMPARE_PARAMS(ROW, T)                                                                                   \
  ROW(T, TEXT, axis, "\"\"", 0, 0, "", "Name of the axis whose two values are compared.")                              \
  ROW(T, TEXT, metric, "\"\"", 0, 0, "", "The column of numbers that decides.")                                        \
  ROW(T, INT, block, "10", 6, 500, "-", "Repeats from one look at the results to the next.")                           \
  ROW(T, REAL, margin, "0", 0, 1e12, "", "Differences within it, to both sides, count as none; 0: no difference does.")

typedef struct StudyCompare {
  STUDY_COMPARE_PARAMS(PARAM_FIELD, StudyCompare)
  int axis_index; // -1: the study has no such table
  int column;     // of the metric
} StudyCompare;

// The table `sensitivity`: see scenes/search/morris.h.
#define STUDY_SENSITIVITY_PARAMS(ROW, T)                                                                               \
  ROW(T, INT, trajectories, "10", 2, 500, "-", "Ways through the axes' values, each of which changes every axis once.")

typedef struct StudySensitivity {
  STUDY_SENSITIVITY_PARAMS(PARAM_FIELD, StudySensitivity)
  bool is_given;
} StudySensitivity;

// The table `optimise`: which parameters are varied to make which metrics small. See scenes/search/optimise.h.
#define STUDY_OPTIMISE_PARAMS(ROW, T)                                                                                  \
  ROW(T, INT, generations, "50", 1, 100000, "-", "Most generations of candidates, of all restarts together.")          \
  ROW(T, INT, population, "0", 0, 4096, "-", "Candidates of a generation, 4 or more; 0: 4 + 3 ln(parameters).")        \
  ROW(T, INT, restarts, "0", 0, 8, "-",                                                                                \
      "How often a search that has converged begins anew elsewhere, with twice the population.")                       \
  ROW(T, REAL, deviation, "0.25", 0.001, 1, "-", "First standard deviation, as a share of each parameter's range.")    \
  ROW(T, REAL, tolerance, "0.001", 1e-12, 1, "-",                                                                      \
      "The search has converged when no standard deviation is larger, as a share of the range.")                       \
  ROW(T, REAL, target, "-1e12", -1e12, 1e12, "", "Cost at which the search ends.")                                     \
  ROW(T, REAL, failure, "1000", 0, 1e12, "", "Cost of a trial that crashed, failed, was stopped or given up.")

#define STUDY_PARAMETER_PARAMS(ROW, T)                                                                                 \
  ROW(T, REAL, low, "0", -1e12, 1e12, "", "Smallest value.")                                                           \
  ROW(T, REAL, high, "0", -1e12, 1e12, "", "Largest value.")                                                           \
  ROW(T, REAL, start, "0", -1e12, 1e12, "", "Value of the first candidate; by default the middle of the range.")       \
  ROW(T, CHOICE, scale, "linear", 0, 0, "linear|log", "Whether steps or factors are alike over the range.")            \
  ROW(T, TEXT, name, "\"\"", 0, 0, "", "Name of its column, by default the path.")

#define STUDY_COST_PARAMS(ROW, T)                                                                                      \
  ROW(T, TEXT, metric, "\"\"", 0, 0, "", "A column of numbers of the table.")                                          \
  ROW(T, REAL, weight, "1", -1e12, 1e12, "", "Factor; negative for a metric that is to be large.")                     \
  ROW(T, REAL, goal, "0", -1e12, 1e12, "", "The distance from it counts; by default the metric itself does.")          \
  ROW(T, CHOICE, side, "both", 0, 0, "both|above|below", "Which side of the goal counts.")                             \
  ROW(T, REAL, missing, "0", -1e12, 1e12, "", "Value in a trial to which the metric does not apply.")

enum { STUDY_MAX_COSTS = 16 };

typedef struct StudyParameter {
  STUDY_PARAMETER_PARAMS(PARAM_FIELD, StudyParameter)
} StudyParameter;

typedef struct StudyCost {
  STUDY_COST_PARAMS(PARAM_FIELD, StudyCost)
  int column;
  bool has_goal;
} StudyCost;

typedef struct StudyOptimise {
  STUDY_OPTIMISE_PARAMS(PARAM_FIELD, StudyOptimise)
  StudyParameter parameters[STUDY_MAX_AXES]; // of the last axes of the study
  int parameter_count;                       // 0: the study has no such table
  StudyCost costs[STUDY_MAX_COSTS];
  int cost_count;
  long candidates;              // most that can be tried; each has all cells of the crossed axes; 1 without the table
  double point[STUDY_MAX_AXES]; // values of the parameters in the trial that is run at present
} StudyOptimise;

typedef struct StudyRun {
  STUDY_PARAMS(PARAM_FIELD, StudyRun)
} StudyRun;

extern const ParamTable study_params, study_random_params, study_threshold_params, study_compare_params,
    study_sensitivity_params, study_optimise_params, study_parameter_params, study_cost_params;

typedef struct StudyDef {
  char path[512];
  char name[64]; // file name without folder and ".yaml"
  char *text;    // the text of the file
  StudyRun run;
  char scene_path[512]; // where the scene was found
  SceneDef *scene;      // with `set` applied, but not the axes
  char *sets[STUDY_MAX_SETS];
  int set_count;
  StudyAxis axes[STUDY_MAX_AXES];
  int axis_count;
  long cell_count;  // number of combinations of crossed values, for each candidate of `optimise`
  long trial_count; // cell_count * repeats
  StudyKeep keeps[STUDY_MAX_KEEPS];
  int keep_count;
  StudyThreshold threshold;
  StudyCompare compare;
  StudySensitivity sensitivity;
  StudyOptimise optimise;
  TableColumn *columns; // of the table of trials, see trial.h
  int column_count;
  bool names_metrics; // otherwise all metrics are kept
} StudyDef;

// Finds a study file: tries the path as given, then in the folder `studies` of the scenes, then in the scenes folder,
// each also with ".yaml" appended. NULL with an error when there is none.
const File *study_find(FileSet *found, const char *path, Error *error);

// Whether the path, looked up as by scene_find and study_find, is that of a study rather than a scene.
bool study_is_study(const char *path);

// Reads a study and its scene, and checks that every axis' values can be set: all of them if there are at most 100,
// otherwise the first and the last; for an axis drawn for every trial, values at the ends and in the middle of its
// range. NULL and an error with file, line and column: unknown keys, unknown parameter or metric, a scene that cannot
// be read, too many trials.
StudyDef *study_read(const char *path, Error *error);

// Reads a study from a text. files: the scene and its files; they are taken over, also on error. NULL: read from the
// disk, the scene beside `path` or where scene_find finds it.
StudyDef *study_from_text(const char *path, const char *text, FileSet *files, Error *error);
void study_free(StudyDef *study);

// Whether a trial's row fulfils a condition; an empty cell of numbers never does.
bool study_where_holds(const StudyWhere *where, const Table *table, long row);

// The condition in words: "man.fell == 0".
void study_where_text(const StudyDef *study, const StudyWhere *where, char *text, size_t size);

// The plan of a trial: its cell, repeat (from 0) and seed, and its overrides for scene_def_read (in addition to `set`).
typedef struct StudyTrial {
  long trial, cell;
  int repeat, seed;
  char overrides[STUDY_MAX_AXES + 1][STUDY_OVERRIDE_SIZE]; // of the axes, then the seed
  int override_count;
} StudyTrial;

// Trials are numbered cell by cell, with the repeats of a cell in sequence; the last crossed axis varies fastest.
// 0 <= trial < trial_count.
void study_trial(const StudyDef *study, long trial, StudyTrial *plan);

// Which of its values a crossed axis has in a cell.
int study_cell_value(const StudyDef *study, int axis, long cell);

// The cell that differs from another in the value of one crossed axis alone.
long study_cell_with(const StudyDef *study, long cell, int axis, int value);

// The value of an axis in a trial, as YAML in one line.
void study_value(const StudyDef *study, int axis, long trial, char value[PARAM_TEXT_SIZE]);

// The trials whose traces are kept, from the complete table (trials without a row have none): ascending, without
// duplicates. Of equal values the trials with lower numbers come first. The caller frees the result. NULL: there are
// none, or no memory (then with an error).
long *study_kept(const StudyDef *study, const Table *table, int *count, Error *error);

// The file name of a trial's trace relative to the study's folder: "traces/trial_000017.h5".
void study_trace_name(long trial, char *name, size_t size);

#endif
