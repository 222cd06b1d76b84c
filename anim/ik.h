// Two-bone inverse kinematics for limbs: a job with inputs, outputs and no hidden state.
#ifndef STAGGER_ANIM_IK_H
#define STAGGER_ANIM_IK_H

#include "anim/pose.h"

// Turns a limb's upper and lower joint so that its end reaches the target, keeping the plane of the input bend (or that
// of the pole). All in one space (model or world). Reach is limited to 99.9 % of the limb's length and to at least the
// difference of its bones. Bone lengths are kept.
typedef struct TwoBoneJob {
  vec3s root, mid, end;                // in: positions of the three joints, m
  versors root_rotation, mid_rotation; // in: rotations of the two bones
  vec3s target;                        // in: where the end shall be
  vec3s pole;                          // in: direction in which the middle shall point; zero keeps the input's bend
  versors new_root_rotation, new_mid_rotation; // out
  vec3s new_mid, new_end;                      // out, m
  bool reached;                                // out: false when the target was out of reach
  float error;                                 // out: distance from new_end to target, m
} TwoBoneJob;

void two_bone_solve(TwoBoneJob *job);

// Puts a leg's foot at a world position and rotation, by turning hip, knee and ankle (each the child of the one
// before). pose_w: a pose whose entry 0 stands in the world. The knee stays a pure hinge about its x axis, bent in
// flexion (+x); the hip turns the shortest way, so the leg's plane is carried along. Returns the remaining distance in
// m.
float leg_reach(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w);

#endif
