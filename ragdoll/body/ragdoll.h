// A body in the world: for each part one rigid ODE body, and for each joint one ODE joint, one motor and one limit
// motor (if one ODE joint had both motor and stops, the full motor torque would push into the stop).
#ifndef STAGGER_RAGDOLL_BODY_RAGDOLL_H
#define STAGGER_RAGDOLL_BODY_RAGDOLL_H

#include "anim/pose.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/state.h"
#include "sim/reduced/motor_order.h"
#include "sim/world/world.h"

// An ODE joint with its motor. Axes are unit; axes 0 and 1 of a universal joint are fixed in parent and child.
typedef struct RagdollJoint {
  dJointID joint, motor, limit; // limit is NULL for hinges, which have their own stops, and for unlimited joints
  dJointID rotor;               // the motor that has the inertia of the armature; NULL without
  dJointFeedback feedback;      // of the motor
  int axis_count;               // 3 ball, 2 universal, 1 hinge
  double motor_cfm[3];          // of the axes of the motor, as the drive has told ODE; 0: not yet
  MotorOrder order;             // of the motor, for the reduced solver
  MotorOrder rotor_order;       // of the rotor
  BallAxes ball;                // of a turned ball joint
  MotorOrder limit_order;       // of the limit: where its stops are far, its angles in ODE are 0
  double torque_w[3];           // N m on the child in the last step, world
  double power;                 // W in the last step: torque . relative angular velocity
} RagdollJoint;

// The state of a part's body, in ODE's memory.
typedef struct RagdollPart {
  const dReal *position, *rotation, *quaternion, *velocity, *spin;
} RagdollPart;

typedef struct Ragdoll {
  const BodyDef *def;
  World *world;
  dSpaceID space;
  double mass_factor;       // of all masses and inertias, see ragdoll_set_mass
  int body[BODY_MAX_PARTS]; // indices into world->bodies
  dBodyID ode[BODY_MAX_PARTS];
  RagdollPart parts[BODY_MAX_PARTS];
  double com_l[BODY_MAX_PARTS][3];     // from a part's joint to its centre of mass, part's frame, m
  RagdollJoint joints[BODY_MAX_PARTS]; // entry 0 is unused
} Ragdoll;

// Builds the body in the bind pose, then sets the start pose. NULL and an error when the world is full.
Ragdoll *ragdoll_create(const BodyDef *def, World *world, int owner, const Pose *start_w, Error *error);
void ragdoll_destroy(Ragdoll *ragdoll);

// Puts all parts where the pose has them, with the velocity toward next_pose_w, which they reach dt seconds later
// (NULL: at rest). A pose that is not finite is refused and counted (drives_refused), and the parts are not changed.
void ragdoll_set_pose(Ragdoll *ragdoll, const Pose *pose_w, const Pose *next_pose_w, double dt);

// Gives all parts `factor` times the mass and inertia that the definition has; 1 after ragdoll_create. To be called
// before ragdoll_set_kinematic. All solvers read the masses in every step.
void ragdoll_set_mass(Ragdoll *ragdoll, double factor);

// The mass of the whole body, kg, with that factor.
double ragdoll_mass(const Ragdoll *ragdoll);

// From now on the bodies move only by ragdoll_set_pose: they are not affected by forces, and their joints are disabled.
void ragdoll_set_kinematic(Ragdoll *ragdoll);

// The pose of the bodies.
void ragdoll_measure(const Ragdoll *ragdoll, Pose *pose_w);
// Of all joints from 1 on: the child's rotation and its relative angular velocity (rad/s), in the parent's frame.
void ragdoll_joint_rotations(const Ragdoll *ragdoll, versors rotation[]);
void ragdoll_joint_velocities(const Ragdoll *ragdoll, vec3s velocity[]);
// The world position, m, of a point in a part's joint frame.
void ragdoll_point(const Ragdoll *ragdoll, int part, vec3s point_l, double point_w[3]);

// Updates the limit motors' axes and angles; call before every step.
void ragdoll_update_limits(Ragdoll *ragdoll);

// Gives joints with armature its inertia in a step of length h; call before every step, after all changes of velocity.
void ragdoll_hold_rotors(Ragdoll *ragdoll, double h);

// The axis of the joint, 0 x to 2 z, about which an axis of its motor is.
int motor_axis(const JointDef *joint, int number);

// Reads the motors' torques of the last step.
void ragdoll_read_torques(Ragdoll *ragdoll);

// Position and velocity of the centre of mass.
void ragdoll_center_of_mass(const Ragdoll *ragdoll, double position[3], double velocity[3]);

// The momentum (N s) of all parts and their angular momentum (N m s) about a point, world.
void ragdoll_momentum(const Ragdoll *ragdoll, const double about[3], double linear[3], double angular[3]);

// Adds to the angular velocity of a part, rad/s, world.
void ragdoll_add_spin(Ragdoll *ragdoll, int part, const double spin[3]);

// Saves or restores the motors' torques of the last step, and makes the drives set the motors again; the bodies are
// saved by the world.
void ragdoll_state(Ragdoll *ragdoll, StateStream *stream);

#endif
