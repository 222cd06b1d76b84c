// Trailing joints: tails, ears, wings, scarves and loose limbs that lag behind the motion of what carries them.
//
// A particle in the world follows the rest position of a point on the bone like a critically damped spring; the joint
// turns by the shortest swing that points the bone at the particle. Motions of the whole character thus have the same
// effect as those of the joint alone. In chains, parents are updated before children, which they carry along.
//
//   - {kind: trailing, chain: {from: tail_1, to: tail_6}}
//   - kind: trailing
//     damp_seconds: 0.15
//     joints: [ear_l, ear_r, {joint: antenna, rest_offset: [0, 0.1, 0], angle_limit: 60}]
//
// Meaning of damp_seconds: 41 % of an offset remains after it, 9 % after twice, 1.7 % after three times it (1 % after
// 3.32 times). In a chain this holds for the first joint; each further one begins to settle when the one above it does,
// so a tail of six needs 12 times damp_seconds to come from the limit to within 1 deg. With `whip: 0` all joints settle
// like the first, but their swings add up: a sudden turn curls the end of a long tail the wrong way. That is for short
// chains, such as arms.
#ifndef STAGGER_ANIM_LAYERS_TRAILING_TRAILING_H
#define STAGGER_ANIM_LAYERS_TRAILING_TRAILING_H

#include "anim/layers/layer.h"

// m: a shorter rest offset has no useful direction.
#define TRAILING_SHORTEST_OFFSET 1e-4

// ---- One joint ----

typedef struct TrailingJoint {
  double rest_offset[3]; // m, in the joint's frame: the point that trails; if it is too short the joint does not trail
  double damp_seconds;   // s, > 0
  double angle_limit;    // rad, 0 .. pi: half angle of the cone that limits the swing
  double distance[2];    // distance of the particle from the joint, in lengths of rest_offset: 0 <= least <= 1 <= most
  double gravity;        // m/s^2, >= 0: the particle comes to rest gravity damp_seconds^2 / 4 below the rest point
} TrailingJoint;

// In the world frame unless stated otherwise. Plain data.
typedef struct TrailingState {
  double particle[3], velocity[3]; // m, m/s
  double joint[3], rest[3];        // m: positions of the joint and the rest point at the last step
  double direction_l[3];           // unit, in the joint's frame: from the joint to the particle
  bool clamped;                    // limited by the cone
} TrailingState;

// The joint's resulting rotation is rotation * swing, where rotation is the joint's without trailing.
typedef struct TrailingSwing {
  double rotation[4]; // x y z w, unit, in the joint's frame
  double angle;       // rad, 0 .. angle_limit
} TrailingSwing;

// position (m) and rotation (x y z w, unit): the joint in the world, from the animation and the joints above.
// All results are finite for input that a float can hold.

// Puts the particle at rest at the joint's rest point: at the start and after teleports.
void trailing_reset(const TrailingJoint *joint, const double position[3], const double rotation[4],
                    TrailingState *state);

// Advances the particle by dt, during which the rest point moves in a straight line from its previous to its present
// position. The particle is then brought back into the cone and between the distances; velocity that would leave them
// is removed. Below 1e-5 s nothing changes. Away from the limits dt may have any size; at the limits it should be 1/240
// s or less.
void trailing_step(const TrailingJoint *joint, const double position[3], const double rotation[4], double dt,
                   TrailingState *state);

// Moves particle and rest point by a shift (m, world) before a step, for a motion of the joint that should not make it
// trail.
void trailing_carry(TrailingState *state, const double shift[3]);

// The swing toward the particle. If the particle is on the joint or straight behind it, the last direction is used.
TrailingSwing trailing_swing(const TrailingJoint *joint, const double position[3], const double rotation[4],
                             const TrailingState *state);

// ---- The layer ----

#define TRAILING_PARAMS(ROW, T)                                                                                        \
  ROW(T, REAL, damp_seconds, "0.2", 0.01, 10, "s", "Time constant of the spring; 41 % of an offset remains after it.") \
  ROW(T, REAL, angle_limit, "30", 0, 170, "deg", "Largest angle of a joint away from the animation.")                  \
  ROW(T, RANGE, distance, "[0.667, 1.333]", 0, 1000, "lengths",                                                        \
      "Allowed distance of the trailing point from its joint, in lengths of rest_offset.")                             \
  ROW(T, REAL, gravity, "0", 0, 100, "m/s^2", "Pull downward: joints hang lower the softer they are.")                 \
  ROW(T, REAL, whip, "1", 0, 1, "-",                                                                                   \
      "Share of the swings of joints above behind which a joint lags, too: 1 sends waves down a chain, 0 settles "     \
      "soonest.")

// A member of the layer, with the values that the file gives for it alone.
typedef struct TrailingMember {
  int joint;
  double rest_offset[3]; // m, in the joint's frame
  double damp_seconds;   // s; 0: use the layer's value
  double angle_limit;    // deg; negative: use the layer's value
} TrailingMember;

typedef struct TrailingDef {
  TRAILING_PARAMS(PARAM_FIELD, TrailingDef)
  TrailingMember members[SKELETON_MAX_JOINTS]; // parents before children
  int count;
  bool is_needed[SKELETON_MAX_JOINTS]; // the members and all joints above them
} TrailingDef;

// Position and rotation of a joint in the world: m; x y z w, unit.
typedef struct TrailingFrame {
  double position[3], rotation[4];
} TrailingFrame;

// One entry of each array for each member.
typedef struct TrailingLayer {
  TrailingState joints[SKELETON_MAX_JOINTS];
  TrailingFrame animated[SKELETON_MAX_JOINTS]; // without any swing, after the last step
  double swung_by[SKELETON_MAX_JOINTS][3];     // m, world: displacement of the rest point by swings of joints above
  double angles[SKELETON_MAX_JOINTS];          // rad: the last swings
} TrailingLayer;

extern const ParamTable trailing_params;

// Def: TrailingDef, state: TrailingLayer. Keys in the file in addition to the parameters, at least one of:
//   joints: names, or maps {joint, rest_offset, damp_seconds, angle_limit}
//   chain: {from, to, damp_seconds, angle_limit}, or a list of them: all joints from one to another below it
// Without a rest_offset the bone points to the joint's child in the layer, or else to its first child, or else
// continues the direction from its parent. In each step the pose must be the animation's, not the layer's previous
// result; only rotations of members change, and only if they swing by more than 1e-6 rad.
extern const LayerKind trailing_layer;

// The layer's `read` function: fills members and is_needed from `joints` and `chain`.
bool trailing_read(TrailingDef *def, const Node *map, const Skeleton *skeleton, Error *error);

#endif
