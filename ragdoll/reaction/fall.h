// The state machine of falling and getting up. It knows no bodies: it takes what was sensed and returns the next state
// and its cause. A character falls when its balance is lost or when something other than its feet bears weight, lies
// when its body has come to rest, gets up when it may, and falls again when it is thrown while it gets up.
//
//                     +------ caught itself ------+
//                     v                           |
//   UPRIGHT --lost, on the ground--> FALLING --settled--> LYING --rested--> RISING --stands--> UPRIGHT
//                                       ^                   |                  |
//                                       +------ lifted -> UPRIGHT              |
//                                       +---------- thrown, stuck -------------+
#ifndef STAGGER_RAGDOLL_REACTION_FALL_H
#define STAGGER_RAGDOLL_REACTION_FALL_H

#include <stdbool.h>

#include "sim/base/param.h"
#include "sim/base/state.h"

#define FALL_PARAMS(ROW, T)                                                                                            \
  ROW(T, BOOL, enabled, "true", 0, 1, "", "Whether it guards itself when it falls; only bodies with arms do.")         \
  ROW(T, REAL, reach, "0.8", 0.1, 5, "-",                                                                              \
      "Balance is lost when the extrapolated centre of mass is farther from both feet, as a share of the legs.")       \
  ROW(T, REAL, reaction, "0.1", 0.01, 1, "s",                                                                          \
      "Time in which its joints come to full speed toward the guard, and are as soft as when it falls.")               \
  ROW(T, REAL, hand_speed, "3", 0.1, 50, "m/s", "Fastest motion of a hand by the arm as it reaches for the ground.")   \
  ROW(T, REAL, strength, "0.5", 0, 1, "-", "Share of their strength that the joints have while it falls.")             \
  ROW(T, REAL, lying_strength, "0.2", 0, 1, "-", "Share that they keep while it lies.")                                \
  ROW(T, REAL, release, "0.35", 0.01, 60, "s",                                                                         \
      "Time constant with which its muscles let go on the ground: what they hold up sinks.")                           \
  ROW(T, REAL, settle_speed, "0.25", 0.001, 10, "m/s", "It lies still when its parts go slower than this (RMS).")      \
  ROW(T, REAL, settle_time, "0.15", 0, 10, "s", "For so long it must have been still.")                                \
  ROW(T, REAL, rest, "0.2", 0, 3600, "s", "For so long it lies before it gets up.")                                    \
  ROW(T, BOOL, get_up, "true", 0, 1, "", "Whether it gets up, if it has clips for that.")                              \
  ROW(T, REAL, match_rate, "110", 1, 720, "deg/s",                                                                     \
      "Fastest turn of a joint from how it lies to where the clip begins.")                                            \
  ROW(T, REAL, pace, "1", 0.1, 3, "-", "Seconds of the clip in a second.")                                             \
  ROW(T, REAL, lag, "0.12", 0.01, 1, "m", "The clip waits for a pelvis that is so far from its place.")                \
  ROW(T, REAL, patience, "0.7", 0.05, 60, "s",                                                                         \
      "Who cannot follow the clip for so long begins to get up anew from where he is.")                                \
  ROW(T, REAL, force, "0", 0, 20000, "N",                                                                              \
      "Largest force of the assist while it gets up by no skill; 0: as at other times.")                               \
  ROW(T, REAL, torque, "0", 0, 20000, "N m", "Largest torque of it then; 0: as at other times.")

typedef struct FallDef {
  FALL_PARAMS(PARAM_FIELD, FallDef)
} FallDef;

extern const ParamTable fall_params;

// In the trace as `state`.
typedef enum FallState { FALL_UPRIGHT, FALL_LYING, FALL_FALLING, FALL_RISING } FallState;

// Why the character is in its state.
typedef enum FallReason {
  FALL_NOTHING,  // the initial state
  FALL_LOST,     // falling: no step can catch the body
  FALL_GROUND,   // falling: a part other than a foot has borne weight for a while
  FALL_THROWN,   // falling: the body was thrown while it got up
  FALL_STUCK,    // rising anew, or falling: the body did not follow its get-up clip
  FALL_SETTLED,  // lying
  FALL_RESTED,   // rising
  FALL_CAUGHT,   // upright: stands on its feet without having got up
  FALL_STANDING, // upright: got up
} FallReason;

// What was sensed in a step.
typedef struct FallSense {
  bool lost;     // balance, beyond what any step can do
  bool loaded;   // a part other than a foot bears weight
  bool at_ease;  // the body is in an upright pose
  double speed;  // m/s, RMS of the parts, by mass
  bool can_rise; // there are clips, and drives
  bool waits;    // RISING: the clip waits for the body, or has ended and the body is not there yet
  bool thrown;   // RISING: the body is far from the clip
  bool risen;    // RISING: the clip is over and the body stands
} FallSense;

typedef struct FallMachine {
  FallState state;
  FallReason reason;
  double time;   // s in the state
  double loaded; // s for which more than the feet bears weight: rises and falls with time, to FALL_LOAD_TIME
  double still;  // s at rest
  double stuck;  // s of waiting
  int tries;     // failed attempts to get up since it lay
} FallMachine;

// s for which a part other than a foot bears weight until the character counts as down.
#define FALL_LOAD_TIME 0.3 // s

// Advances by dt, s. Returns whether the state has changed, or begun anew.
bool fall_step(FallMachine *machine, const FallDef *def, const FallSense *sense, double dt);

// Saves or restores.
void fall_state(FallMachine *machine, StateStream *stream);

#endif
