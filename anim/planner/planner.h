// Plans where to go and by which moves. A fuzzy controller turns sensed values into a demand, a turn rate and a speed;
// a learnt table picks the move (a clip or its mirror image) and the blend time that best fulfil the demand from the
// present foot phase. The table's state is {turn, speed, phase} and contains nothing of the surroundings, so what is
// learnt also applies to scenes not seen in training. For comparison, a table over the whole sensed state without fuzzy
// rules can be used (`direct`).
#ifndef STAGGER_ANIM_PLANNER_PLANNER_H
#define STAGGER_ANIM_PLANNER_PLANNER_H

#include "anim/planner/bent_legs.h"
#include "anim/planner/fuzzy.h"
#include "anim/planner/moves.h"
#include "anim/planner/qlearning.h"
#include "anim/planner/sense.h"
#include "sim/base/state.h"

enum { PLANNER_MAX_LEVELS = 16, PLANNER_MAX_BLENDS = 4, PLANNER_MAX_ACTIONS = MOVES_MAX * PLANNER_MAX_BLENDS };

// Borders that divide a number into levels ([1, 2] makes three), or centres, of which the nearest is taken.
typedef struct PlannerLevels {
  double values[PLANNER_MAX_LEVELS];
  int count;
} PlannerLevels;

// Immutable after it has been read.
typedef struct PlannerDef {
  char name[SKELETON_NAME_SIZE];
  SenseDef sense;
  FuzzyController fuzzy;
  SenseInput sources[FUZZY_MAX_VARIABLES]; // the sensed value of each of the controller's inputs
  int turn_output, speed_output;
  PlannerLevels turns, speeds; // centres: deg/s, m/s
  PlannerLevels blends;        // s
  MoveSet moves;

  // For the direct table: bearings are divided into equal sectors, distances at borders in m.
  int goal_sectors, obstacle_sectors;
  PlannerLevels goal_borders, obstacle_borders;
} PlannerDef;

// Reads a planner's file (format: scenes/planners/README.md) for a skeleton. NULL and an error with file, line and
// column. The keys `training` and `field` are read by the training. Free with planner_def_free.
PlannerDef *planner_def_read(FileSet *files, const char *name, const Skeleton *skeleton, MoveClipFinder *find,
                             void *context, Error *error);
void planner_def_free(PlannerDef *def);

// The size of the planner's table, and the meaning of its rows and columns.
int planner_states(const PlannerDef *def, bool direct);
int planner_actions(const PlannerDef *def);
const char *planner_action_name(const PlannerDef *def, int action, char *text, size_t size);
const char *planner_state_name(const PlannerDef *def, bool direct, int state, char *text, size_t size);

typedef struct Planner Planner;

// Picks an action for a state among the allowed ones, [planner_actions].
typedef int PlannerChooser(void *context, const Planner *planner, int state, const bool *allowed);

// The state of one character's planner. It is plain data and may be copied.
struct Planner {
  const PlannerDef *def;
  const QTable *table; // the learnt table; NULL: the move closest to the demand is taken
  bool direct;
  PlannerChooser *choose; // NULL: the best action of the table is taken
  void *context;

  int move;
  double time;              // s in its clip
  double since;             // s since the move began
  double blend, first_pace; // blend time in s; initial pace in clip seconds per second
  double due;               // s since the move began: time of the next decision of a move that holds
  Pose offset;              // offset of the pose at the move's beginning, which decays
  BentLegs legs;
  double inputs[SENSE_INPUT_COUNT];
  double demand_turn, demand_speed; // rad/s, m/s
  double strengths[FUZZY_MAX_RULES];
  int state, action;       // of the last decision; -1: none yet
  long decisions, unknown; // number of decisions, and of those for which nothing had been learnt
};

// The output of a step.
typedef struct PlannerStep {
  bool decided; // a move began in this step
  double shift_left,
      shift_forward;    // m by which the root is put aside at once, in its own frame; the pose makes up for it
  double forward, left; // m/s of the root in its own frame
  double turn;          // rad/s about up
} PlannerStep;

// A planner at its first move, which stands.
Planner planner_make(const PlannerDef *def, const QTable *table, bool direct);

// Advances by dt (s, at most the duration of a move): computes the demand and, where the present move may be left,
// chooses the next one.
PlannerStep planner_step(Planner *planner, const Sense *sense, double dt);

// Whether the next step begins with a decision.
bool planner_is_due(const Planner *planner);

// The present pose in the root's frame: the pose of the move, the remaining offset from the move before
// (inertialization), and the turning of the legs.
void planner_pose(const Planner *planner, Pose *pose);

// Computes the demand alone: inputs, strengths of the rules, demand_turn and demand_speed.
void planner_demand(Planner *planner, const Sense *sense);

// The row of the table for the demand (or, when direct, for what is sensed) and for the foot phase in which a move
// ends.
int planner_state(const Planner *planner, const Sense *sense, int move);

// Which actions are possible after a move, [planner_actions]. Returns how many.
int planner_allowed(const PlannerDef *def, int move, bool *allowed);

// The best action learnt or, if none has been learnt, the one closest to the demand (*known is then false).
int planner_best(const Planner *planner, int state, const bool *allowed, bool *known);

// Saves the planner or restores it into one of the same definition and table. (planner_state is a row of the table.)
void planner_run_state(Planner *planner, StateStream *stream);

#endif
