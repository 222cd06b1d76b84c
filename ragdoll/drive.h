// Drives: every joint is pulled toward its target rotation by an implicit spring and damper with an exact torque limit
// (ODE's velocity motor with compliance). What ODE solves in a step of length h is
//   torque = clamp(kp (e - h w) + kd (w_target - w) + feed-forward), |torque| <= strength,
// with e the rotation from where the joint is to its target at the end of the step and w the new angular velocity.
#ifndef STAGGER_RAGDOLL_DRIVE_H
#define STAGGER_RAGDOLL_DRIVE_H

#include "ragdoll/ragdoll.h"

#define DRIVE_PARAMS(ROW, T)                                                                                           \
  ROW(T, BOOL, enabled, "true", 0, 1, "", "Whether the joints are driven at all; limp otherwise.")                     \
  ROW(T, BOOL, kinematic, "false", 0, 1, "",                                                                           \
      "The body is moved with its target, whatever that takes: animation alone. The force is told as the assist's.")   \
  ROW(T, REAL, strength, "1", 0, 10, "-", "Factor on every joint's torque limit.")                                     \
  ROW(T, REAL, stiffness, "1", 0, 100, "-", "Factor on every joint's stiffness.")                                      \
  ROW(T, REAL, damping, "1", 0, 100, "-", "Factor on every joint's damping.")

typedef struct DriveDef {
  DRIVE_PARAMS(PARAM_FIELD, DriveDef)
} DriveDef;

extern const ParamTable drive_params;

typedef struct Drive {
  DriveDef def;
  float strength[BODY_MAX_PARTS]; // 0..1 for each joint: scales stiffness, damping and torque limit (hit reaction)
  vec3s feed_forward_l[BODY_MAX_PARTS]; // N m, parent's frame
} Drive;

void drive_init(Drive *drive, const DriveDef *def);

// Sets the motors for a step of length h. target: where the joints shall be at the end of the step; previous: the same
// one step earlier (their difference is the target velocity).
void drive_apply(Drive *drive, Ragdoll *ragdoll, const Pose *target, const Pose *previous, double h);

#endif
