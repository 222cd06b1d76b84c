// The moves among which a planner chooses, and which of them can follow which. A move is a span of a clip or of its
// mirror image, played at a pace and on a path of a given curvature. The rest is computed from the clips: the body's
// speed where a move begins and ends, the distance of standing feet between two poses, and the point of the next clip
// at which that distance is smallest.
#ifndef STAGGER_ANIM_PLANNER_MOVES_H
#define STAGGER_ANIM_PLANNER_MOVES_H

#include "anim/clip.h"
#include "sim/base/param.h"

enum { MOVES_MAX = 192, MOVES_MAX_PHASES = 16, MOVES_NAME_SIZE = 48 };

// Limits within which one move may follow another, so that speed and feet are continuous.
#define MOVE_LIMIT_PARAMS(ROW, T)                                                                                      \
  ROW(T, REAL, slip, "0.02", 0, 1, "m", "Largest slip of standing feet where one move follows another.")               \
  ROW(T, REAL, shift, "0.06", 0, 1, "m", "Largest shift of the root there, which keeps a standing foot in place.")     \
  ROW(T, REAL, jump, "0.3", 0, 10, "m/s", "Largest change of the body's speed there.")                                 \
  ROW(T, REAL, slowest, "0.5", 0.05, 1, "-", "Least pace at which a clip is entered, to match the speed before it.")   \
  ROW(T, REAL, fastest, "1.6", 1, 10, "-", "Largest pace at which a clip is entered.")

typedef struct MoveLimits {
  MOVE_LIMIT_PARAMS(PARAM_FIELD, MoveLimits)
} MoveLimits;

extern const ParamTable move_limit_params;

typedef struct Move {
  char name[MOVES_NAME_SIZE];
  const Clip *clip;
  bool mirrored;
  double from, to;      // s in the clip; for a loop `to` may lie behind the clip's end
  double cancel;        // s: between here and `to` the next move may begin
  double pace;          // clip seconds per second
  double forward, left; // m/s of the root at that pace
  double turn;          // rad/s about up, positive to the left: the sum of the clip's turn and `bend`
  double bend;          // rad/s: turn that is added to the clip's
  double entry, exit;   // m/s: forward speed of the pelvis over the ground at `from` and `cancel`, at that pace
  int phase;            // index of the foot phase in which the move ends
  bool holds;           // a loop that goes on by itself, with a decision every `cancel` - `from` seconds
} Move;

// The change from one move to another. The root shifts so that the feet that stand in the next pose stay in place.
typedef struct MoveChange {
  bool open;           // the change is within the limits
  float entry;         // s: time in the next clip at which it is entered
  float pace;          // initial pace of the next clip
  float left, forward; // m: shift of the root
  float slip;          // m: remaining slip of a standing foot
  float jump;          // m/s: change of the body's speed
  float jolt;          // rad: difference of the poses, mean over the joints
} MoveChange;

typedef struct MoveSet {
  const Skeleton *skeleton;
  MoveLimits limits;
  Move moves[MOVES_MAX];
  int count;
  char phases[MOVES_MAX_PHASES][SKELETON_NAME_SIZE]; // names of foot phases; 0: that of the first move, in which every
                                                     // run begins
  int phase_count;
  MoveChange *changes; // [count * count]: from the move of the row to that of the column
} MoveSet;

// Finds the clip that a node names. NULL and an error at the node.
typedef const Clip *MoveClipFinder(void *context, const Node *node, Error *error);

// Reads a list of moves (format: scenes/planners/README.md) and computes the changes between them. Free with
// moves_free, also after an error. Errors: a span outside its clip, an unknown mark, a move that no other may follow, a
// first move that is not a loop.
bool moves_read(MoveSet *set, const Node *list, const MoveLimits *limits, const Skeleton *skeleton,
                MoveClipFinder *find, void *context, Error *error);
void moves_free(MoveSet *set);

static inline const MoveChange *moves_change(const MoveSet *set, int from, int to) {
  return &set->changes[from * set->count + to];
}

// The pose of a move in the root's frame; time in s of its clip.
void move_pose(const Move *move, double time, Pose *pose);

// Whether the foot of a leg stands at a time of the move's clip.
bool move_stands(const Move *move, int leg, double time);

// Computes all changes; for moves_read. False: no memory.
bool moves_find_changes(MoveSet *set);

#endif
