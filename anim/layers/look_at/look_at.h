// Looking at a point: head, neck and spine, or the whole front of a lizard, turn so that the head faces a goal.
//
//   - {kind: look_at, target: ball, eyes: [0, 0.12, 0.08],
//      chain: [{joint: chest, weight: 0.2, yaw_limit: 20}, {joint: neck, weight: 0.3}, {joint: head, weight: 0.5}]}
//   - {kind: look_at, chain: [spine_3, neck, head], distance: 1.5, height: 0.2}
//
// Without a target the goal is ahead of the root in the wanted heading, so that the head turns before the body does.
// The gaze, a yaw and a pitch, moves smoothly and with limited speed to where the eyes see the goal straight ahead.
// Only motion of the goal is smoothed; turning and motion of the body below the head are compensated at once. From one
// side to the other the gaze moves over the front, never over the back.
//
// The animation of the chain is kept: each joint is turned, relative to its animation, by its share of the angle from
// the direction of the animated head to the gaze. The head thus faces the goal whatever its animation, with the
// animation's roll, and the joints keep the animation's bends. With `additive` the angle is measured from straight
// ahead of the root instead: the head faces the goal when the animated head faces ahead, and nods and glances as the
// animation does.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_AT_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_AT_H

#include "anim/layers/layer.h"
#include "anim/layers/look_at/look_chain.h"

#define LOOK_AT_PARAMS(ROW, T)                                                                                         \
  ROW(T, TEXT, target, "\"\"", 0, 0, "",                                                                               \
      "Point of the scene's `targets` to look at; without it the goal is ahead in the wanted heading.")                \
  ROW(T, REAL, distance, "2", 0.01, 1000, "m", "Without a target: distance of the goal ahead of the root.")            \
  ROW(T, REAL, height, "0", -1000, 1000, "m", "Without a target: height of the goal above the root's ground.")         \
  ROW(T, REAL, damp_seconds, "0.15", 0.001, 10, "s",                                                                   \
      "Smoothing time of the gaze; 41 % of the angle remains after it.")                                               \
  ROW(T, REAL, rate_limit, "360", 1, 100000, "deg/s", "Largest angular speed of the gaze in the world.")               \
  ROW(T, REAL, yaw_limit, "90", 0, 180, "deg", "Largest angle of the gaze to either side, relative to the heading.")   \
  ROW(T, REAL, pitch_limit, "60", 0, 90, "deg", "Largest angle of the gaze up and down, relative to the horizon.")     \
  ROW(T, VECTOR, forward, "[0, 0, 1]", -1, 1, "-", "Direction of the face in the bind pose; any length.")              \
  ROW(T, VECTOR, eyes, "[0, 0, 0]", -100, 100, "m",                                                                    \
      "Position of the eyes relative to the head's joint in the bind pose.")                                           \
  ROW(T, BOOL, additive, "false", 0, 1, "", "Adds the gaze to the direction of the animated head.")

typedef struct LookAtDef {
  LOOK_AT_PARAMS(PARAM_FIELD, LookAtDef)
  LookChain chain;
  int target_index; // in LayerStep.targets; -1: none; reading sets it to -1
} LookAtDef;

typedef struct LookAtState {
  Gaze gaze;               // angles relative to the heading, rad; velocities relative to the body, rad/s
  double heading, root[3]; // rad, m: of the previous step
  // The gaze at which the eyes would see the goal straight ahead, without limits: rad relative to the heading; the yaw
  // goes beyond +-pi when the goal has passed behind.
  double goal_yaw, goal_pitch;
  double side;      // rad: see look_chain_turns
  double goal_w[3]; // m
  // Results: position of the eyes (m), direction of the head (unit), and the angle between that and the goal (rad).
  double eyes_w[3], forward_w[3], error;
} LookAtState;

// The goal's position, m: the target, or
//   root + distance * facing(wanted_heading + look_yaw, look_pitch) + height * up.
void look_at_goal(const LookAtDef *def, const LayerStep *step, double goal_w[3]);

// Starts in the direction of the animated head, at rest. A teleport moves the gaze to its goal at once. The head's
// angular speed in the world is limited to rate_limit or, if a faster turning body carries the head, to that; with
// `additive`, or where joints are at their limits, the animation's own speed is added. A heading that jumps by more
// than 0.5 rad in a step does not carry the head, since the pose then still shows the old one. The head faces a goal to
// within 0.01 deg if the goal is at least 2.5 times the chain's length away and less than 65 deg steep; nearer goals as
// well as possible.
extern const LayerKind look_at_layer;

#endif
