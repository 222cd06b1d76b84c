// Trailing joints: tails, ears, wings, scarves, loose limbs trail behind what moves them.
//
// A particle follows the place where a point on the bone would rest, in the world, like a critically damped spring; the
// joint turns by the shortest swing that points the bone at the particle. Moves and turns of the whole character thus
// trail as well as those of the joint alone. In chains parents come first: the children of a joint are carried along.
//
//   - {kind: trailing, chain: {from: tail_1, to: tail_6}}
//   - kind: trailing
//     damp_seconds: 0.15
//     joints: [ear_l, ear_r, {joint: antenna, rest_offset: [0, 0.1, 0], angle_limit: 60}]
//
// Of the time that damp_seconds names: 41 % of an offset is left after it, 9 % after twice, 1.7 % after three times it
// (1 % after 3.32 times). In a chain that holds of the first joint; each further one begins to settle when the one
// above it does, so a tail of six from the limit takes 12 times damp_seconds to come within 1 deg. With `whip: 0` all
// joints settle like the first, but then their swings add up: a sudden turn curls the end of a long tail the wrong way.
// That is for short chains, such as arms.
#ifndef STAGGER_ANIM_LAYERS_TRAILING_TRAILING_H
#define STAGGER_ANIM_LAYERS_TRAILING_TRAILING_H

#include "anim/layers/layer.h"

// m: a rest offset that is shorter has no direction worth following.
#define TRAILING_SHORTEST_OFFSET 1e-4

// ---- One joint ----

typedef struct TrailingJoint {
  double rest_offset[3]; // m, in the joint's frame: the point that trails; too short: none does
  double damp_seconds;   // s, > 0
  double angle_limit;    // rad, 0 .. pi: half angle of the cone that the swing keeps to
  double distance[2];    // the particle's from the joint, in lengths of rest_offset: 0 <= least <= 1 <= most
  double gravity;        // m/s^2, >= 0: the particle comes to rest gravity damp_seconds^2 / 4 below the rest point
} TrailingJoint;

// All in the world unless said otherwise. Plain data.
typedef struct TrailingState {
  double particle[3], velocity[3]; // m, m/s
  double joint[3], rest[3];        // m: the joint and the rest point when the particle last moved
  double direction_l[3];           // unit, in the joint's frame: from the joint to the particle
  bool clamped;                    // at the edge of the cone
} TrailingState;

// How the joint turns: rotation * swing, where rotation is the joint's without trailing.
typedef struct TrailingSwing {
  double rotation[4]; // x y z w, unit, in the joint's frame
  double angle;       // rad, 0 .. angle_limit
} TrailingSwing;

// position (m) and rotation (x y z w, unit) of the joint in the world, as the animation and the joints above put it.
// All results are finite for input that a float can hold.

// The particle at rest where the joint stands now: at the start and after teleports.
void trailing_reset(const TrailingJoint *joint, const double position[3], const double rotation[4],
                    TrailingState *state);

// Moves the particle on by dt, in which the rest point goes in a straight line from where it was to where it is now.
// Then brings it back into the cone and between the distances; velocity that would leave them again is lost. Below
// 1e-5 s nothing changes. Away from the limits any dt will do; at them 1/240 s or less.
void trailing_step(const TrailingJoint *joint, const double position[3], const double rotation[4], double dt,
                   TrailingState *state);

// Takes particle and rest point along by a shift (m, world), before a step: what moved the joint that way shall not
// make it trail.
void trailing_carry(TrailingState *state, const double shift[3]);

// A particle that lies on the joint or straight behind it turns the joint the way it turned last.
TrailingSwing trailing_swing(const TrailingJoint *joint, const double position[3], const double rotation[4],
                             const TrailingState *state);

// ---- The layer ----

#define TRAILING_PARAMS(ROW, T)                                                                                        \
  ROW(T, REAL, damp_seconds, "0.2", 0.01, 10, "s", "Time of the spring; 41 % of an offset is left after it.")          \
  ROW(T, REAL, angle_limit, "30", 0, 170, "deg", "Farthest that a joint turns away from the animation.")               \
  ROW(T, RANGE, distance, "[0.667, 1.333]", 0, 1000, "lengths",                                                        \
      "Distance that the trailing point keeps from its joint, in lengths of rest_offset.")                             \
  ROW(T, REAL, gravity, "0", 0, 100, "m/s^2", "Pull downward: joints hang lower the softer they are.")                 \
  ROW(T, REAL, whip, "1", 0, 1, "-",                                                                                   \
      "How much of the swings above a joint trails behind too: 1 sends waves down a chain, 0 settles soonest.")

// A joint of the layer, with what the file says of it alone.
typedef struct TrailingMember {
  int joint;
  double rest_offset[3]; // m, in the joint's frame
  double damp_seconds;   // s; 0: the layer's
  double angle_limit;    // deg; negative: the layer's
} TrailingMember;

typedef struct TrailingDef {
  TRAILING_PARAMS(PARAM_FIELD, TrailingDef)
  TrailingMember members[SKELETON_MAX_JOINTS]; // parents before children
  int count;
  bool is_needed[SKELETON_MAX_JOINTS]; // the members and all joints above them
} TrailingDef;

// Place and turn of a joint in the world: m; x y z w, unit.
typedef struct TrailingFrame {
  double position[3], rotation[4];
} TrailingFrame;

// Entries: one for each member.
typedef struct TrailingLayer {
  TrailingState joints[SKELETON_MAX_JOINTS];
  TrailingFrame animated[SKELETON_MAX_JOINTS]; // without any swing, after the last step
  double swung_by[SKELETON_MAX_JOINTS][3];     // m, world: how far the swings above took the rest point from its place
  double angles[SKELETON_MAX_JOINTS];          // rad: the swings applied last
} TrailingLayer;

extern const ParamTable trailing_params;

// Def: TrailingDef, state: TrailingLayer. In the file beside the parameters, one of these or both:
//   joints: names, or maps {joint, rest_offset, damp_seconds, angle_limit}
//   chain: {from, to, damp_seconds, angle_limit}, or a list of them: all joints from one to another below it
// Without a rest_offset the bone leads to the joint's child in the layer, else to its first child, else straight on.
// The pose must be the animation's, afresh in each step: only the rotations of members change, and those only of
// joints that swing by more than 1e-6 rad.
extern const LayerKind trailing_layer;

// Its `read`: members and is_needed from `joints` and `chain`.
bool trailing_read(TrailingDef *def, const Node *map, const Skeleton *skeleton, Error *error);

#endif
