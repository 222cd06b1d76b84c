// A study: a scene that is run for all combinations of some values of its parameters, several times each with different
// seeds. The plan of its trials follows from the study file alone, whoever runs them and in whatever order.
//
//   purpose: A standing man is pushed from all sides.
//   scene: stand_hit                      # a scene, found as `stagger run` finds it, or beside the study
//   seed: 1                               # trial seeds are seed, seed + 1, ... one for each repeat, the same in all
//   cells repeats: 20 set: [duration=3]                     # overrides of all trials axes: # crossed in their order,
//   the last one fastest
//     events.0.direction: {from: 0, to: 337.5, steps: 16, name: direction}
//     events.0.impulse: {values: [5, 10, 20], name: impulse}
//     world.solver: [step, iterative]
//     world.friction: {random: {distribution: uniform, low: 0.4, high: 1, count: 5}}   # five drawn values, crossed
//     characters.man.drive.strength: {random: {distribution: normal, mean: 1, deviation: 0.1}} # no count: drawn anew
//                                                                                      # for every trial
//   metrics: [man.fell, man.recovery_time]  # columns; without it all metrics of all characters
//   traces:                                 # which trials keep a trace; chosen when the table is complete
//     - {repeats: 1}                        # the first repeat of every cell
//     - {trials: [0, 17]}
//     - {where: man.fell == 1, most: 10}    # in the order of trials
//     - {highest: man.peak_pose_error, most: 3}
//     - {lowest: man.support_margin_min, most: 3}
#ifndef STAGGER_SCENES_SWEEP_STUDY_H
#define STAGGER_SCENES_SWEEP_STUDY_H

#include "scenes/scene_def.h"
#include "scenes/sweep/trial_table.h"

enum { STUDY_MAX_AXES = 16, STUDY_MAX_METRICS = 1024, STUDY_MAX_KEEPS = 32, STUDY_MAX_SETS = 64 };

#define STUDY_PARAMS(ROW, T)                                                                                           \
  ROW(T, TEXT, purpose, "\"\"", 0, 0, "", "What the study asks, in one sentence.")                                     \
  ROW(T, INT, seed, "1", 0, 1000000000, "-", "Seed of the first repeat; the others count on from it.")                 \
  ROW(T, INT, repeats, "1", 1, 1000000, "-", "Trials of every cell, each with a seed of its own.")                     \
  ROW(T, REAL, time_limit, "0", 0, 86400, "s", "Wall time after which a trial is given up; 0: never.")

typedef enum StudyDistribution { STUDY_UNIFORM, STUDY_LOG_UNIFORM, STUDY_NORMAL } StudyDistribution;

typedef struct StudyAxis {
  char key[PARAM_TEXT_SIZE];  // path of the parameter, see document_set
  char name[TABLE_NAME_SIZE]; // of its column
  char unit[TABLE_UNIT_SIZE]; // "" when not known
  int count;                  // crossed values; 0: drawn anew for every trial
  char **values;              // [count] as YAML; of numbers with %.17g
  bool is_number;             // all values are
  StudyDistribution distribution;
  double low, high;       // of uniform and log_uniform
  double mean, deviation; // of normal
} StudyAxis;

typedef enum StudyKeepKind { KEEP_REPEATS, KEEP_TRIALS, KEEP_WHERE, KEEP_HIGHEST, KEEP_LOWEST } StudyKeepKind;

typedef struct StudyKeep {
  StudyKeepKind kind;
  int repeats;  // KEEP_REPEATS: the first ones of every cell
  long *trials; // KEEP_TRIALS
  int trial_count;
  int column;  // of the table: KEEP_WHERE, KEEP_HIGHEST, KEEP_LOWEST
  ExpectOp op; // KEEP_WHERE
  double value;
  long most; // trials; 1000 unless told
} StudyKeep;

typedef struct StudyRun {
  STUDY_PARAMS(PARAM_FIELD, StudyRun)
} StudyRun;

extern const ParamTable study_params;

typedef struct StudyDef {
  char path[512];
  char name[64]; // file name without folder and ".yaml"
  char *text;    // the file as it was written
  StudyRun run;
  char scene_path[512];
  SceneDef *scene; // with `set` applied; no axis
  char *sets[STUDY_MAX_SETS];
  int set_count;
  StudyAxis axes[STUDY_MAX_AXES];
  int axis_count;
  long cell_count;  // combinations of crossed values
  long trial_count; // cell_count * repeats
  StudyKeep keeps[STUDY_MAX_KEEPS];
  int keep_count;
  TableColumn *columns; // of the table, see trial.h
  int column_count;
} StudyDef;

// Reads a study and its scene, and checks that the first and the last value of every axis can be set. For the path see
// scene_find; studies are looked for in the folder `studies` of the scenes too. NULL and an error with file, line and
// column: unknown keys, no such parameter or metric, a scene that cannot be read, more than 10 million trials.
StudyDef *study_read(const char *path, Error *error);
void study_free(StudyDef *study);

// The plan of a trial: its cell, repeat and seed, and its overrides as for scene_def_read (besides `set`).
typedef struct StudyTrial {
  long trial, cell;
  int repeat, seed;
  char overrides[STUDY_MAX_AXES + 1][2 * PARAM_TEXT_SIZE]; // axes, then the seed
  int override_count;
} StudyTrial;

// Trials are numbered cell by cell, the repeats of a cell in a row. 0 <= trial < trial_count.
void study_trial(const StudyDef *study, long trial, StudyTrial *plan);

// The trials that keep their trace, by the complete table: ascending, each once. The caller frees it. NULL: none, or
// no memory (then an error).
long *study_kept(const StudyDef *study, const Table *table, int *count, Error *error);

// The file name of a trial's trace below the study's folder: "traces/trial_000017.h5".
void study_trace_name(long trial, char *name, size_t size);

#endif
