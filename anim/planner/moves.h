// What a planner chooses among: moves, each a span of a clip or of its mirror image, at a pace, on a bent way; and
// which of them can follow which. All of that is found out from the clips: how fast the body goes where a move begins
// and ends, how far the standing feet are apart between two poses, where in the next clip they are the least apart.
#ifndef STAGGER_ANIM_PLANNER_MOVES_H
#define STAGGER_ANIM_PLANNER_MOVES_H

#include "anim/clip.h"
#include "sim/base/param.h"

enum { MOVES_MAX = 192, MOVES_MAX_PHASES = 16, MOVES_NAME_SIZE = 48 };

// In which the next move begins: continuous in speed and feet.
#define MOVE_LIMIT_PARAMS(ROW, T)                                                                                      \
  ROW(T, REAL, slip, "0.02", 0, 1, "m", "Standing feet move at most so far where one move follows another.")           \
  ROW(T, REAL, shift, "0.06", 0, 1, "m", "The root goes aside at most so far there, so that a standing foot stays.")   \
  ROW(T, REAL, jump, "0.3", 0, 10, "m/s", "The body's speed changes at most so much there.")                           \
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
  double from, to;      // s in the clip; of a loop `to` may lie behind its end
  double cancel;        // s: from here on, up to `to`, the next move may begin
  double pace;          // clip seconds per second
  double forward, left; // m/s of the root, at that pace
  double turn;          // rad/s about up, positive to the left: the clip's and the bend of its way
  double bend;          // rad/s of it that is the bend
  double entry, exit;   // m/s forward of the pelvis over the ground at `from` and `cancel`, at that pace
  int phase;            // of the feet behind it
  bool holds;           // goes on by itself, decides every `cancel` - `from`
} Move;

// From one move to another. The root shifts so that the feet that stand in the next pose are where they were.
typedef struct MoveChange {
  bool open;           // within the limits
  float entry;         // s in the next clip
  float pace;          // of the next clip at first
  float left, forward; // m that the root shifts
  float slip;          // m of a standing foot beyond that
  float jump;          // m/s
  float jolt;          // rad, mean of the joints
} MoveChange;

typedef struct MoveSet {
  const Skeleton *skeleton;
  MoveLimits limits;
  Move moves[MOVES_MAX];
  int count;
  char phases[MOVES_MAX_PHASES][SKELETON_NAME_SIZE]; // 0: that of the first move, where all begins
  int phase_count;
  MoveChange *changes; // [count * count]: from the row to the column
} MoveSet;

// Finds the clip that a node names; NULL and an error at the node.
typedef const Clip *MoveClipFinder(void *context, const Node *node, Error *error);

// Reads a list of moves (format: scenes/planners/README.md) and finds the changes between them. Free with moves_free,
// also after an error. Errors: a span outside of its clip, an unknown mark, a move after which none may follow, a first
// move that does not hold.
bool moves_read(MoveSet *set, const Node *list, const MoveLimits *limits, const Skeleton *skeleton,
                MoveClipFinder *find, void *context, Error *error);
void moves_free(MoveSet *set);

static inline const MoveChange *moves_change(const MoveSet *set, int from, int to) {
  return &set->changes[from * set->count + to];
}

// The pose of a move at a time of its clip, in the root's frame.
void move_pose(const Move *move, double time, Pose *pose);

// Whether a foot of a leg stands there.
bool move_stands(const Move *move, int leg, double time);

// Finds all changes; for moves_read. False: no memory.
bool moves_find_changes(MoveSet *set);

#endif
