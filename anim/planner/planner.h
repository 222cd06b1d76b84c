// Where to go and by which moves. A fuzzy controller turns what is sensed into a demand, a turn and a speed; a table
// that was learnt picks the move (a clip or its mirror image) and the blend that fulfil the demand best from the
// present foot phase. The table's state is {turn, speed, phase}, whatever the world has in it, so that it holds in
// scenes never seen. For comparison the same can be done by a table over the whole state, with no rules (`direct`).
#ifndef STAGGER_ANIM_PLANNER_PLANNER_H
#define STAGGER_ANIM_PLANNER_PLANNER_H

#include "anim/planner/bent_legs.h"
#include "anim/planner/fuzzy.h"
#include "anim/planner/moves.h"
#include "anim/planner/qlearning.h"
#include "anim/planner/sense.h"
#include "sim/base/state.h"

enum { PLANNER_MAX_LEVELS = 16, PLANNER_MAX_BLENDS = 4, PLANNER_MAX_ACTIONS = MOVES_MAX * PLANNER_MAX_BLENDS };

// Borders that cut a number into levels: [1, 2] makes three. Or centres, of which the nearest counts.
typedef struct PlannerLevels {
  double values[PLANNER_MAX_LEVELS];
  int count;
} PlannerLevels;

// Immutable after reading.
typedef struct PlannerDef {
  char name[SKELETON_NAME_SIZE];
  SenseDef sense;
  FuzzyController fuzzy;
  SenseInput sources[FUZZY_MAX_VARIABLES]; // of the controller's inputs
  int turn_output, speed_output;
  PlannerLevels turns, speeds; // centres: deg/s, m/s
  PlannerLevels blends;        // s
  MoveSet moves;

  // Of the direct table: centres of bearings come in equal sectors, distances by borders in m.
  int goal_sectors, obstacle_sectors;
  PlannerLevels goal_borders, obstacle_borders;
} PlannerDef;

// Reads a planner's file (format: scenes/planners/README.md) for a skeleton. NULL, and an error with file, line and
// column. Keys `training` and `field` are read by the training. Free with planner_def_free.
PlannerDef *planner_def_read(FileSet *files, const char *name, const Skeleton *skeleton, MoveClipFinder *find,
                             void *context, Error *error);
void planner_def_free(PlannerDef *def);

// The size of its table, and what its rows and columns mean.
int planner_states(const PlannerDef *def, bool direct);
int planner_actions(const PlannerDef *def);
const char *planner_action_name(const PlannerDef *def, int action, char *text, size_t size);
const char *planner_state_name(const PlannerDef *def, bool direct, int state, char *text, size_t size);

typedef struct Planner Planner;

// Picks the action for a state among those that are allowed, [planner_actions].
typedef int PlannerChooser(void *context, const Planner *planner, int state, const bool *allowed);

// The state of one character. A value: copied freely.
struct Planner {
  const PlannerDef *def;
  const QTable *table; // what was learnt; NULL: the move that is closest to the demand
  bool direct;
  PlannerChooser *choose; // NULL: the best of the table
  void *context;

  int move;
  double time;              // s in its clip
  double since;             // s since it began
  double blend, first_pace; // s, clip seconds per second
  double due;               // s since it began: of a move that holds, the next decision
  Pose offset;              // of the pose at its beginning, which fades
  BentLegs legs;
  double inputs[SENSE_INPUT_COUNT];
  double demand_turn, demand_speed; // rad/s, m/s
  double strengths[FUZZY_MAX_RULES];
  int state, action;       // of the last decision; -1: none yet
  long decisions, unknown; // so many, and those for which nothing had been learnt
};

// The result of a step.
typedef struct PlannerStep {
  bool decided; // a move began in this step
  double shift_left,
      shift_forward;    // m by which the root is put aside at once, in its own frame; the pose makes up for it
  double forward, left; // m/s of the root in its own frame
  double turn;          // rad/s about up
} PlannerStep;

// Standing, at the first move.
Planner planner_make(const PlannerDef *def, const QTable *table, bool direct);

// Lets dt (s, at most as long as a move) pass: senses, demands, and where the present move may be left chooses the
// next.
PlannerStep planner_step(Planner *planner, const Sense *sense, double dt);

// Whether the next step begins with a decision.
bool planner_is_due(const Planner *planner);

// The present pose in the root's frame: that of the move, what is left of the one before it (inertialization), and the
// legs turned on a bent way.
void planner_pose(const Planner *planner, Pose *pose);

// The demand alone: inputs, strengths of the rules, demand_turn and demand_speed.
void planner_demand(Planner *planner, const Sense *sense);

// The row of the table that belongs to the demand, or to what is sensed, and to the phase behind a move.
int planner_state(const Planner *planner, const Sense *sense, int move);

// Which actions are open behind a move, [planner_actions]. Returns how many.
int planner_allowed(const PlannerDef *def, int move, bool *allowed);

// The best action that is known, else the one that is closest to the demand (*known is false then).
int planner_best(const Planner *planner, int state, const bool *allowed, bool *known);

// Saves or restores what it does now: into a planner of the same definition and table. (planner_state is the table's.)
void planner_run_state(Planner *planner, StateStream *stream);

#endif
