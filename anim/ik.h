// Inverse kinematics of limbs of two bones. Each job is a struct with inputs and outputs; there is no hidden state.
//
// Both bones turn about the axis of the limb's bend. That axis is the normal of the plane in which the input is bent
// or, for a straight limb and for a pure hinge, the hinge axis of the middle joint. The angle of the bend follows from
// the law of cosines; then the whole limb turns so that its end lies on the target. Without a pole the limb turns the
// shortest way from the old end to the new one; the bending plane turns with it and does not change while the target
// only moves nearer or farther away. With a pole the limb also rolls about the line to the target until the middle
// points to the pole's side. Because both bones turn with the bending plane, a hinge in the input stays a hinge.
#ifndef STAGGER_ANIM_IK_H
#define STAGGER_ANIM_IK_H

#include "anim/pose.h"
#include "sim/base/debug_draw.h"

typedef enum TwoBoneMode {
  TWO_BONE_FREE, // bends in the plane in which the input is bent
  TWO_BONE_HINGE // bends about the given hinge alone, to its positive side, however the input is bent
} TwoBoneMode;

// Why the end is not on the target.
typedef enum TwoBoneClamp {
  TWO_BONE_NOT_CLAMPED,
  TWO_BONE_TOO_FAR,    // beyond the reach of the stretched-out limb
  TWO_BONE_TOO_NEAR,   // nearer than the fully folded limb reaches
  TWO_BONE_SOFTENED,   // held back by the soft limit just short of the longest reach
  TWO_BONE_DEGENERATE, // cannot bend: a bone has no length or lies along the hinge
  TWO_BONE_CLAMP_COUNT
} TwoBoneClamp;

// Turns a limb's upper and lower joint so that its end reaches the target. All quantities are in one space (model or
// world), in m. The longest reach is 1 cm (for limbs below 1 m: 1 %) short of the stretched-out length, and the
// shortest is 1e-5 of the length above the fully folded one, so that the bending plane is always defined. Any finite
// input gives finite outputs; output rotations are unit quaternions.
typedef struct TwoBoneJob {
  vec3s root, mid, end;                              // in: positions of the three joints
  versors root_rotation, mid_rotation, end_rotation; // in: rotations of the two bones and of the child at the end
  vec3s target;                                      // in: wanted position of the end
  vec3s pole;             // in: direction in which the middle should point, any length; zero keeps the input's bend
  vec3s hinge;            // in: axis in the middle joint's frame; a positive turn about it bends the limb; zero means
                          // +x, as of a knee
  TwoBoneMode mode;       // in
  bool keep_end_rotation; // in: false: the child at the end turns with the lower bone
  float soft;             // in: share of the longest reach, 0 .. 0.5, over which the end slows down before the limit;
                          // with 0 the joints stop abruptly when the target leaves the reach
  float stretch;          // in: largest factor by which bones may lengthen to reach, 1 .. 10; values below 1 count as
                          // 1: no stretch

  versors new_root_rotation, new_mid_rotation, new_end_rotation; // out
  vec3s new_mid, new_end;                                        // out
  float stretched;      // out: length factor of both bones, 1 unless job.stretch allows more
  bool reached;         // out: the end is on the target
  bool pole_fallback;   // out: the pole lies along the target's direction, so the input's bend was used instead; or
                        // there was no pole and the input was straight, so the hinge was used
  TwoBoneClamp clamped; // out: what kept the end from the target
  float error;          // out: distance from new_end to target
} TwoBoneJob;

void two_bone_solve(TwoBoneJob *job);

// Points a limb: extends it to a share of its length and turns it so that its *lower* bone lies exactly on the line of
// aim. That line goes through the point `distance` along `direction` from the root or, with a distance of 0, is
// parallel to `direction`. A bent limb's end therefore lies slightly off the ray from the root. If the point is
// nearer than the limb reaches, the end is put on the ray and `clamped` is TWO_BONE_TOO_NEAR. The limb's target, soft
// and stretch are not read; its `error` is the angle in rad between the lower bone and the line of aim.
typedef struct AimJob {
  TwoBoneJob limb;
  vec3s direction;     // in: any length; zero keeps the limb's present direction
  float distance;      // in: m from the root to the point aimed at; 0: a point at infinity
  float reach;         // in: share of the limb's length, 0.99 for an arm; limited to what the limb can reach
  float hand_distance; // out: from the end to the ray from the root along the direction, m
} AimJob;

void two_bone_aim(AimJob *job);

const char *two_bone_clamp_name(TwoBoneClamp clamped); // "too far"; "" when not clamped

// Draws a solved job in group DEBUG_IK: the target, the pole or bend, and the remaining error (red when clamped).
void two_bone_debug(const TwoBoneJob *job, DebugDraw *draw);

// Whether the knee is a hinge about its x axis, as a human's: in the bind pose it is bent about that axis, or straight.
// Other legs are sprawled, as a lizard's.
bool leg_is_hinged(const Skeleton *skeleton, const Leg *leg);

// Puts a leg's foot at a world position and rotation by turning hip, knee and ankle (each the child of the one before).
// pose_w: a pose whose entry 0 is in the world frame. Calls leg_reach_hinged or leg_reach_sprawled (without a pole),
// whichever leg_is_hinged selects. Returns the remaining distance in m.
float leg_reach(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w);

// The knee stays a pure hinge about its x axis, bent in flexion (+x). The hip turns the shortest way, so the leg's
// plane turns with it. Reaches 99.9 % of the leg's length.
float leg_reach_hinged(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w);

// The knee bends as in two_bone_solve: in the plane in which the leg is bent, or to the side of the pole (in the frame
// of the hip's parent; zero: no pole).
float leg_reach_sprawled(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, vec3s pole_p,
                         Pose *pose_w);

#endif
