// Inverse kinematics of limbs of two bones: jobs with inputs, outputs and no hidden state.
//
// The limb's plane: both bones turn about the axis of its bend. That is the normal of the plane in which the input is
// bent or, for a straight limb and for a pure hinge, the middle joint's own hinge. How much it bends follows from the
// law of cosines; then the whole limb turns so that its end lies on the target. Without a pole it turns the shortest
// way from the old end to the new one, so that the plane is carried along and stays while the target moves away or
// nearer; with a pole it also rolls about the line to the target until the middle points to the pole's side.
// Because both bones turn with that plane, what was a hinge in the input stays a hinge.
#ifndef STAGGER_ANIM_IK_H
#define STAGGER_ANIM_IK_H

#include "anim/pose.h"
#include "sim/base/debug_draw.h"

typedef enum TwoBoneMode {
  TWO_BONE_FREE, // bends in the plane in which the input is bent
  TWO_BONE_HINGE // bends about the given hinge alone, to its positive side, whatever the input's bend
} TwoBoneMode;

// Why the end is not on the target.
typedef enum TwoBoneClamp {
  TWO_BONE_NOT_CLAMPED,
  TWO_BONE_TOO_FAR,    // beyond the reach, also when stretched
  TWO_BONE_TOO_NEAR,   // nearer than the limb folds
  TWO_BONE_SOFTENED,   // held back on the last bit of the way to the longest reach
  TWO_BONE_DEGENERATE, // a bone without length, or one along the hinge: nothing that bends
  TWO_BONE_CLAMP_COUNT
} TwoBoneClamp;

// Turns a limb's upper and lower joint so that its end reaches the target. All in one space (model or world), m. The
// reach ends 1 cm short of the stretched-out limb, 1 % for limbs below 1 m, and 1e-5 of the limb before it is folded,
// so that the plane of its bend is always known. Any finite input gives finite outputs; rotations are unit.
typedef struct TwoBoneJob {
  vec3s root, mid, end;                              // in: positions of the three joints
  versors root_rotation, mid_rotation, end_rotation; // in: rotations of the two bones and of the child at the end
  vec3s target;                                      // in: where the end shall be
  vec3s pole;             // in: direction in which the middle shall point, any length; zero keeps the input's bend
  vec3s hinge;            // in: axis in the middle joint's frame, a positive turn about it bends; zero is +x, a knee's
  TwoBoneMode mode;       // in
  bool keep_end_rotation; // in: false: the child at the end turns with the lower bone
  float soft;             // in: last share of the reach in which the end falls behind the target, 0 .. 0.5; without it
                          // (0) the joints stop dead when the target leaves the reach
  float stretch;          // in: up to what factor bones may lengthen to reach, 1 .. 10; below 1 as 1: never

  versors new_root_rotation, new_mid_rotation, new_end_rotation; // out
  vec3s new_mid, new_end;                                        // out
  float stretched;      // out: factor of both bones, 1 unless job.stretch allows more
  bool reached;         // out: nothing held it back
  bool pole_fallback;   // out: the pole lies along the target's direction, so that the input's bend was taken; or,
                        // without a pole, the input was straight, so that the hinge was
  TwoBoneClamp clamped; // out: what held it back
  float error;          // out: distance from new_end to target
} TwoBoneJob;

void two_bone_solve(TwoBoneJob *job);

// Points a limb: extends it to a share of its length and turns it so that its *lower* bone lies exactly on the aim: on
// the line through the point `distance` along the direction from the root, or, with a distance of 0, parallel to the
// direction. The end is a little beside the ray from the root, as far as the limb is bent. A point nearer than the
// limb reaches puts the end on the ray and is clamped, too near. The limb's target, soft and stretch are not read; its
// `error` is the angle in rad by which the lower bone misses the aim.
typedef struct AimJob {
  TwoBoneJob limb;
  vec3s direction;     // in: any length; zero keeps that of the limb
  float distance;      // in: m from the root to the point aimed at; 0: aims at infinity
  float reach;         // in: share of the limb's length, 0.99 for an arm; not nearer or farther than a limb reaches
  float hand_distance; // out: from the end to the ray from the root along the direction, m
} AimJob;

void two_bone_aim(AimJob *job);

const char *two_bone_clamp_name(TwoBoneClamp clamped); // "too far"; "" when not clamped

// Draws a solved job in group DEBUG_IK: target, pole or bend, and what was missed, in red when it was clamped.
void two_bone_debug(const TwoBoneJob *job, DebugDraw *draw);

// A leg whose knee is a hinge about its x axis, as a human's: it is bent about it in the bind pose, or straight. Other
// legs are sprawled, as a lizard's.
bool leg_is_hinged(const Skeleton *skeleton, const Leg *leg);

// Puts a leg's foot at a world position and rotation, by turning hip, knee and ankle (each the child of the one
// before). pose_w: a pose whose entry 0 stands in the world. Knees bend as they do in the bind pose, see leg_is_hinged:
// leg_reach_hinged, or leg_reach_sprawled without a pole. Returns the remaining distance in m.
float leg_reach(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w);

// The knee stays a pure hinge about its x axis, bent in flexion (+x); the hip turns the shortest way, so the leg's
// plane is carried along. Reaches 99.9 % of the leg's length.
float leg_reach_hinged(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w);

// The knee bends in the plane in which the leg is bent, or to the side of the pole (frame of the hip's parent, zero:
// none), as two_bone_solve does.
float leg_reach_sprawled(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, vec3s pole_p,
                         Pose *pose_w);

#endif
