// Inverse dynamics: the joint torques that a motion of the body requires, from the masses of its parts, by the
// recursive Newton-Euler algorithm (Luh, Walker and Paul 1980, J. Dyn. Sys. Meas. Control 102:69-76; Featherstone 2008,
// Rigid Body Dynamics Algorithms, ch. 5). With these as feed-forward torques, drives can follow with springs as soft as
// muscles.
#ifndef STAGGER_RAGDOLL_BODY_INVERSE_DYNAMICS_H
#define STAGGER_RAGDOLL_BODY_INVERSE_DYNAMICS_H

#include "ragdoll/body/ragdoll.h"

// The motion of a pose, from its last three values: of the root in the world, of the other joints in their parents'
// frames.
typedef struct PoseMotion {
  int moments;                       // number of poses so far: velocities need two, accelerations three
  vec3s turn[BODY_MAX_PARTS];        // rad/s
  vec3s turn_change[BODY_MAX_PARTS]; // rad/s^2
  double place[3], velocity[3];      // m, m/s of the root joint
  vec3s acceleration;                // m/s^2 of the root joint
} PoseMotion;

// Adds the pose at the end of a step of length h, s. previous: one step earlier. place: of the root joint at the end,
// m, in double precision, since far from the origin the rounding of a float would appear as an acceleration. Speeds and
// accelerations beyond those of living bodies are jumps of the animation, and are limited.
void pose_motion_step(PoseMotion *motion, int joint_count, const Pose *pose, const Pose *previous,
                      const double place[3], double h);

// Saves or restores it.
void pose_motion_state(PoseMotion *motion, int joint_count, StateStream *stream);

// Torque on each part from its parent at their joint, N m, in the parent's frame, if nothing touches the parts beyond
// the joint: ground forces are not known here, so that joints through which they act (`carries`) get 0. rotation:
// those of a pose, of which the first is that of the root in the world. motion: NULL for a body at rest. gravity:
// m/s^2. Entry 0 of the torques is unused.
void inverse_dynamics(const Ragdoll *ragdoll, const versors rotation[], const PoseMotion *motion,
                      const double gravity[3], vec3s torque_l[BODY_MAX_PARTS]);

#endif
