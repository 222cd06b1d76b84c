// Looking at a point: head, neck and spine, or the whole front of a lizard, turn so that the head faces a goal.
//
//   - {kind: look_at, target: ball, eyes: [0, 0.12, 0.08],
//      chain: [{joint: chest, weight: 0.2, yaw_limit: 20}, {joint: neck, weight: 0.3}, {joint: head, weight: 0.5}]}
//   - {kind: look_at, chain: [spine_3, neck, head], distance: 1.5, height: 0.2}
//
// Without a target the goal lies ahead of the root in the direction that it wants to face, so that the head turns
// before the body does. The gaze, a yaw and a pitch, goes to where the eyes will see the goal straight ahead of them,
// smoothed and with a limited speed. Smoothing is for what the goal does: what the body does below the head,
// turning and moving, is made up for at once. From one side to the other the gaze goes over the front, never through
// the back.
//
// What the animation does with the chain stays below: each joint is turned, on top of its animation, by its share of
// the way from where the animated head faces to the gaze. So the head faces the goal whatever the animation does with
// it, and keeps the animation's roll; the joints keep the animation's bends. With `additive` the way begins straight
// ahead of the root instead: the head faces the goal when the animated head faces ahead, and nods and glances as that
// does.
#ifndef STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_AT_H
#define STAGGER_ANIM_LAYERS_LOOK_AT_LOOK_AT_H

#include "anim/layers/layer.h"
#include "anim/layers/look_at/look_chain.h"

#define LOOK_AT_PARAMS(ROW, T)                                                                                         \
  ROW(T, TEXT, target, "\"\"", 0, 0, "", "Point of the scene's `targets` to look at; none: where it wants to face.")   \
  ROW(T, REAL, distance, "2", 0.01, 1000, "m", "Without a target: how far ahead of the root the goal lies.")           \
  ROW(T, REAL, height, "0", -1000, 1000, "m", "Without a target: how high the goal lies over the root's ground.")      \
  ROW(T, REAL, damp_seconds, "0.15", 0.001, 10, "s", "Smoothing of the gaze; 41 % of the way is left after it.")       \
  ROW(T, REAL, rate_limit, "360", 1, 100000, "deg/s", "Largest angular speed of the gaze in the world.")               \
  ROW(T, REAL, yaw_limit, "90", 0, 180, "deg", "Farthest gaze to the sides, against the heading.")                     \
  ROW(T, REAL, pitch_limit, "60", 0, 90, "deg", "Farthest gaze up and down, against the horizon.")                     \
  ROW(T, VECTOR, forward, "[0, 0, 1]", -1, 1, "-", "Where the head faces in the bind pose; of any length.")            \
  ROW(T, VECTOR, eyes, "[0, 0, 0]", -100, 100, "m", "From the head's joint to its eyes in the bind pose.")             \
  ROW(T, BOOL, additive, "false", 0, 1, "", "Adds the look to where the animated head faces.")

typedef struct LookAtDef {
  LOOK_AT_PARAMS(PARAM_FIELD, LookAtDef)
  LookChain chain;
  int target_index; // in LayerStep.targets; -1: none, which is what reading sets
} LookAtDef;

typedef struct LookAtState {
  Gaze gaze;               // angles against the heading, rad; velocities of its own, without the body's, rad/s
  double heading, root[3]; // rad, m: of the step before
  // The gaze at which the eyes would see the goal straight ahead, without limits: rad against the heading; the yaw goes
  // beyond the back when the goal went by behind.
  double goal_yaw, goal_pitch;
  double side;      // rad: of look_chain_turns
  double goal_w[3]; // m
  // What came of it: where the eyes are (m), where the head faces (unit), and the angle between that and the goal
  // (rad).
  double eyes_w[3], forward_w[3], error;
} LookAtState;

// Where to look, m: the target, or
//   root + distance * facing(wanted_heading + look_yaw, look_pitch) + height * up.
void look_at_goal(const LookAtDef *def, const LayerStep *step, double goal_w[3]);

// Begins where the animated head faces, at rest. A teleport snaps to the goal. The head's angular speed in the world
// stays within rate_limit or, where a body that turns faster takes the head along, within that; with `additive` or
// where joints are at their limits the animation's own speed comes on top. A heading that jumps by more than 0.5 rad in
// a step does not take the head along, since the pose then still shows the old one. The head faces goals within 0.01
// deg that are at least 2.5 times the chain's length away and less than 65 deg steep; nearer ones as well as it can.
extern const LayerKind look_at_layer;

#endif
