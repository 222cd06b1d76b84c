// Aiming with the arms: each arm is stretched out and turned so that its forearm points exactly at a point of the
// scene, or in a fixed direction.
//
//   - {kind: arm_aim, target: ball}
//   - {kind: arm_aim, direction: [1, 0, 1], arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l,
//      pole: [0, -1, 0], cone_axis: [0.5, -0.2, 1], cone_angle: 80}]}
//
// The direction of aim follows its goal on the sphere like a critically damped spring with limited speed, and the arm
// rises into the aim from the animated pose. The roll of the arm about the aim follows the animation's bend or the
// pole, at most at the same speed; it does not change where these do not determine it: where the animated arm points
// opposite to the aim, or the pole along it. A cone about an axis in the frame of the upper arm's parent keeps the arm
// from passing through the trunk; `clamped` reports that the arm was limited by it.
#ifndef STAGGER_ANIM_LAYERS_ARM_AIM_ARM_AIM_H
#define STAGGER_ANIM_LAYERS_ARM_AIM_ARM_AIM_H

#include "anim/ik.h"
#include "anim/layers/layer.h"
#include "anim/spring.h"

enum { ARM_AIM_MOST_ARMS = 8 };

#define ARM_AIM_PARAMS(ROW, T)                                                                                         \
  ROW(T, TEXT, target, "\"\"", 0, 0, "",                                                                               \
      "Point of the scene's `targets` to aim at; without it the arms aim along `direction`.")                          \
  ROW(T, VECTOR, direction, "[0, 0, 1]", -1, 1, "-",                                                                   \
      "Without a target: direction of aim relative to the heading (x left, z forward), any length.")                   \
  ROW(T, BOOL, through_point, "true", 0, 1, "",                                                                        \
      "true: the forearm's line goes through the target; false: it is parallel to that from shoulder to target.")      \
  ROW(T, REAL, reach, "0.99", 0.3, 0.99, "-", "Share of its length to which the arm is stretched out.")                \
  ROW(T, REAL, damp_seconds, "0.15", 0.001, 10, "s", "Smoothing time of the aim; 41 % of the angle remains after it.") \
  ROW(T, REAL, rate_limit, "360", 1, 100000, "deg/s",                                                                  \
      "Largest angular speed of the aim in the world, and of the roll about it.")

#define ARM_PARAMS(ROW, T)                                                                                             \
  ROW(T, TEXT, upper_arm, "\"\"", 0, 0, "", "Joint of the shoulder.")                                                  \
  ROW(T, TEXT, forearm, "\"\"", 0, 0, "", "Joint of the elbow, a child of `upper_arm`.")                               \
  ROW(T, TEXT, hand, "\"\"", 0, 0, "", "Joint of the wrist, a child of `forearm`.")                                    \
  ROW(T, REAL, weight, "1", 0, 1, "-", "Share of the aim in the arm's pose; 0: the animation.")                        \
  ROW(T, CHOICE, elbow, "hinge", 0, 0, "hinge|free",                                                                   \
      "hinge: bends about `elbow_axis` alone; free: in the plane in which the animation bends it.")                    \
  ROW(T, VECTOR, elbow_axis, "[0, 0, 0]", -1, 1, "-",                                                                  \
      "Axis in the forearm's frame; a positive rotation about it bends the elbow. [0, 0, 0]: from the bind pose, or "  \
      "forward.")                                                                                                      \
  ROW(T, VECTOR, pole, "[0, 0, 0]", -1, 1, "-",                                                                        \
      "Direction of the elbow relative to the heading; [0, 0, 0]: as the animation bends it.")                         \
  ROW(T, VECTOR, cone_axis, "[0, 0, 1]", -1, 1, "-",                                                                   \
      "Axis of the cone of allowed aims, in the frame of the upper arm's parent.")                                     \
  ROW(T, REAL, cone_angle, "180", 0, 180, "deg", "How far from `cone_axis` the arm may aim; 180: anywhere.")

typedef struct AimingArm {
  ARM_PARAMS(PARAM_FIELD, AimingArm)
  int joints[3]; // upper arm, forearm, hand
  vec3s hinge;   // elbow_axis, or the automatic axis if that is [0, 0, 0]
} AimingArm;

typedef struct ArmAimDef {
  ARM_AIM_PARAMS(PARAM_FIELD, ArmAimDef)
  AimingArm arms[ARM_AIM_MOST_ARMS]; // without `arms` in the file: those of a human, left and right
  int arm_count;
  int target_index; // in LayerStep.targets; -1: none; reading sets it to -1
} ArmAimDef;

typedef enum ArmAimClamp {
  ARM_AIM_NOT_CLAMPED,
  ARM_AIM_AT_CONE,   // the goal is outside the cone
  ARM_AIM_TOO_NEAR,  // the target is nearer than the hand
  ARM_AIM_NO_LENGTH, // a bone has no length
  ARM_AIM_CLAMP_COUNT
} ArmAimClamp;

// A direction that follows another one on the sphere.
typedef struct AimDirection {
  double unit[3], velocity[3]; // world frame; velocity in rad/s, as the rate of a rotation vector
} AimDirection;

typedef struct AimedArm {
  AimDirection aim; // from the shoulder
  Spring nearness;  // 1/m: inverse distance of the point aimed at, 0 for a direction; 1/m/s
  Spring raised;    // 0 .. 1: share of the aim in the pose, as the arm rises into it; 1/s
  // Roll about the aim, in the frame of the upper arm's parent.
  bool rolled;   // the arm has aimed before, so that the following fields are known
  versors upper; // rotation of the upper arm in the aim
  vec3s along;   // unit: direction of the aim
  double roll;   // rad: lag behind the roll of the animation or the pole
  // The arm in the output pose, world frame, m.
  vec3s shoulder, elbow, hand, goal;
  double error;         // rad: between the forearm and its wanted direction
  double hand_distance; // m: from the hand to the ray from the shoulder to the goal
  bool pole_fallback;   // the elbow's direction was determined by the elbow's axis only
  ArmAimClamp clamped;
} AimedArm;

typedef struct ArmAimState {
  AimedArm arms[ARM_AIM_MOST_ARMS];
} ArmAimState;

extern const ParamTable arm_aim_params, arm_params;

// Advances by dt >= 0 s toward the unit vector `goal`. From rest it does not overshoot; its angular speed is limited to
// rate_limit (rad/s). The arc between opposite directions goes over up, or over forward when they are up and down.
void aim_direction_step(AimDirection *aim, const double goal[3], double damp_seconds, double rate_limit, double dt);

// Turns a unit direction into the cone by the shortest arc. Returns whether it was outside. angle: rad.
bool aim_into_cone(double unit[3], const double axis[3], double angle);

// Starts in the direction from the shoulder to the hand, at rest. A teleport moves the aim to its goal at once.
extern const LayerKind arm_aim_layer;

#endif
