// A body in the world: one rigid ODE body for each part, one joint and, apart from it, one motor and one limit motor
// for each joint (motor and stops in one ODE joint push the full torque into the stop).
#ifndef STAGGER_RAGDOLL_BODY_RAGDOLL_H
#define STAGGER_RAGDOLL_BODY_RAGDOLL_H

#include "anim/pose.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/state.h"
#include "sim/world/world.h"

// An ODE joint with its motor. Unit axes; axis 0 and 1 of a universal joint are fixed in parent and child.
typedef struct RagdollJoint {
  dJointID joint, motor, limit; // limit is NULL for hinges (their own stops) and unlimited joints
  dJointFeedback feedback;      // of the motor
  int axis_count;               // 3 ball, 2 universal, 1 hinge
  double motor_cfm;             // of all of the motor's axes, as the drive has set it; 0: not yet
  double torque_w[3];           // N m on the child in the last step, world
  double power;                 // W in the last step: torque . relative angular velocity
} RagdollJoint;

typedef struct Ragdoll {
  const BodyDef *def;
  World *world;
  dSpaceID space;
  int body[BODY_MAX_PARTS]; // indices into world->bodies
  dBodyID ode[BODY_MAX_PARTS];
  double com_l[BODY_MAX_PARTS][3];     // from a part's joint to its centre of mass, part's frame, m
  RagdollJoint joints[BODY_MAX_PARTS]; // entry 0 is unused
} Ragdoll;

// Builds the body in the bind pose, then moves it to start. NULL and an error when the world is full.
Ragdoll *ragdoll_create(const BodyDef *def, World *world, int owner, const Pose *start_w, Error *error);
void ragdoll_destroy(Ragdoll *ragdoll);

// Puts all parts where the pose has them, moving toward where next_pose_w has them dt seconds later (NULL: at rest). A
// pose that is not finite is refused and counted (drives_refused), and the parts stay where they are.
void ragdoll_set_pose(Ragdoll *ragdoll, const Pose *pose_w, const Pose *next_pose_w, double dt);

// From now on nothing moves the bodies but ragdoll_set_pose: they are heavier than anything that they meet, and their
// joints are off.
void ragdoll_set_kinematic(Ragdoll *ragdoll);

// The pose that the bodies have.
void ragdoll_measure(const Ragdoll *ragdoll, Pose *pose_w);
// Where a point in a part's joint frame is in the world, m.
void ragdoll_point(const Ragdoll *ragdoll, int part, vec3s point_l, double point_w[3]);

// Updates the limit motors' axes and angles; before every step.
void ragdoll_update_limits(Ragdoll *ragdoll);

// Reads the motors' torques of the last step.
void ragdoll_read_torques(Ragdoll *ragdoll);

// Mass-weighted position and velocity.
void ragdoll_center_of_mass(const Ragdoll *ragdoll, double position[3], double velocity[3]);

// The momentum (N s) of all parts and their angular momentum (N m s) about a point, world.
void ragdoll_momentum(const Ragdoll *ragdoll, const double about[3], double linear[3], double angular[3]);

// Saves or restores what the motors gave in the last step, and makes the drives set them anew; the bodies are the
// world's.
void ragdoll_state(Ragdoll *ragdoll, StateStream *stream);

#endif
