// Drives: every joint is pulled toward its target rotation by an implicit spring and damper with an exact torque limit
// (ODE's velocity motor with compliance). In a step of length h ODE solves
//   torque = clamp(kp (e - h w) + kd (w_target - w) + feed-forward), |torque| <= strength,
// with e the rotation from the joint's present to its target at the end of the step, and w the new angular velocity.
// With muscles (see muscle.h) the torque lags behind changes of what is asked.
#ifndef STAGGER_RAGDOLL_BODY_DRIVE_H
#define STAGGER_RAGDOLL_BODY_DRIVE_H

#include "ragdoll/body/muscle.h"
#include "ragdoll/body/ragdoll.h"

#define DRIVE_PARAMS(ROW, T)                                                                                           \
  ROW(T, BOOL, enabled, "true", 0, 1, "", "Whether the joints are driven at all; limp otherwise.")                     \
  ROW(T, BOOL, kinematic, "false", 0, 1, "",                                                                           \
      "The body is moved exactly with its target: animation alone. The force and torque that this requires beside "    \
      "gravity, contacts and hits are reported as those of the assist.")                                               \
  ROW(T, REAL, strength, "1", 0, 10, "-", "Factor on every joint's torque limit.")                                     \
  ROW(T, REAL, stiffness, "1", 0, 100, "-", "Factor on every joint's stiffness, and that of its reflexes.")            \
  ROW(T, REAL, damping, "1", 0, 100, "-", "Factor on every joint's damping, and that of its reflexes.")                \
  ROW(T, REAL, feed_forward, "1", 0, 1, "-",                                                                           \
      "Share of the torques for gravity and motion that is applied in advance, at joints that do not carry legs.")     \
  ROW(T, REAL, reflex_delay, "0.05", 0, 0.1, "s", "Delay of reflexes, including the response time of the muscle.")     \
  ROW(T, REAL, noise_joints, "0", 0, 20, "deg",                                                                        \
      "Standard deviation of the noise in each joint's angle as reflexes and skills sense it (people: about 0.2).")    \
  ROW(T, REAL, noise_trunk, "0", 0, 20, "deg",                                                                         \
      "The same for the orientation in space, by which reflexes hold the head and skills the trunk (people: about "    \
      "1).")                                                                                                           \
  ROW(T, REAL, noise_turn, "0", 0, 200, "deg/s", "The same for the angular velocity in space (people: about 1).")      \
  ROW(T, REAL, noise_time, "0.1", 0.001, 10, "s", "Time constant of that noise.")                                      \
  ROW(T, REAL, muscle_rise, "0", 0, 0.5, "s",                                                                          \
      "Time constant with which the torque of a joint rises to what its drive asks (muscles: about 0.01); 0: at "      \
      "once.")                                                                                                         \
  ROW(T, REAL, muscle_fall, "0", 0, 0.5, "s",                                                                          \
      "Time constant with which it falls when less is asked (muscles: about 0.04); 0: at once.")                       \
  ROW(T, REAL, muscle_rate, "0", 0, 1000, "1/s",                                                                       \
      "Fastest change of the torque, in shares of the joint's strength; 0: no limit.")

typedef struct DriveDef {
  DRIVE_PARAMS(PARAM_FIELD, DriveDef)
} DriveDef;

extern const ParamTable drive_params;

typedef struct Drive {
  DriveDef def;
  float strength[BODY_MAX_PARTS]; // 0..1 for each joint: factor of stiffness, damping and torque limit (hit reaction)
  Muscle muscles[BODY_MAX_PARTS][3]; // of the axes of each joint
} Drive;

// The goal of a joint.
typedef struct JointGoal {
  versors rotation;          // of the child in its parent's frame, at the end of the step
  vec3s angular_velocity_l;  // rad/s, parent's frame
  vec3s feed_forward_l;      // N m on the child, parent's frame: limited together with the spring by the joint's
                             // strength
  double stiffness, damping; // N m/rad, N m s/rad, before the drive's factors
} JointGoal;

void drive_init(Drive *drive, const DriveDef *def);

// Whether the torques of joints lag behind what is asked.
bool drive_has_muscles(const DriveDef *def);

// Computes the goals that follow a pose with the body's own gains, for joints 1 and up. target: the wanted pose at the
// end of a step of length h; previous: the same one step earlier (their difference is the target velocity).
void drive_follow(const BodyDef *body, const Pose *target, const Pose *previous, double h, JointGoal goals[]);

// Sets the motors for a step of length h. It reads the torques of the last one.
void drive_apply(Drive *drive, Ragdoll *ragdoll, const JointGoal goals[], double h);

// Saves or restores the muscles and the strength of all joints.
void drive_state(Drive *drive, const BodyDef *body, StateStream *stream);

#endif
