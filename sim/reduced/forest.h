// The bodies of an ODE world as trees in reduced coordinates: the trees follow from ODE's joints, the state is that of
// its bodies, and after a step the new state is written to the bodies. A body without joints is a tree of its own;
// kinematic bodies are in no tree.
//
// Every degree of freedom (dof) k is a motion vector (a, v) in world axes about its tree's origin O, the root's centre
// of mass: at rate u_k a body below it rotates at a_k u_k, and its point at r from O moves at (v_k + a_k x r) u_k. A
// free root has three linear and three angular dofs along the world's axes, a ball joint three about axes fixed in its
// parent, a universal joint one fixed in the parent and one fixed in the child, a hinge one.
#ifndef STAGGER_SIM_REDUCED_FOREST_H
#define STAGGER_SIM_REDUCED_FOREST_H

#include <ode/ode.h>

#include "sim/base/error.h"
#include "sim/reduced/motor_order.h"
#include "sim/reduced/spatial.h"

typedef enum ForestJoint { FOREST_FREE, FOREST_BALL, FOREST_UNIVERSAL, FOREST_HINGE } ForestJoint;

// Vectors of four numbers are of three: nobody reads the last one.
typedef struct ForestBody {
  dBodyID ode;
  int parent, root;          // indices into bodies; parent -1: free, or attached to the world
  ForestJoint joint;         // to the parent
  int first, dofs;           // the dofs of its joint
  int depth;                 // number of dofs from the root on, including its own
  const int *path;           // indices of those dofs, from the root down
  double anchor_l[4];        // m, of the joint relative to its centre of mass, own frame
  double anchor_parent_l[4]; // m, the same relative to the parent's, in the parent's frame; without parent: in the
                             // world
  double axis_parent_l[4];   // for a universal joint or hinge: the axis fixed in the parent
  double axis_l[4];          // for the same: the axis fixed in the body
  const BallAxes *ball;      // for a ball joint: its axes in the parent's frame; NULL: that frame's
  bool damped;               // ODE damps it or limits its angular velocity
  const dReal *rotation, *position, *quaternion, *velocity, *spin_rate, *force, *torque; // ODE's arrays
  double axes[3][4];           // its own in the world: the columns of its rotation
  double mass;                 // kg
  double inertia_w[3][4];      // kg m^2 about its centre of mass, world axes: columns
  double center[4], pivot[4];  // m from O: centre of mass, joint
  double momentum[4], spin[4]; // N s, N m s about its centre: at the beginning of the step, with gravity and forces
  double rate[4];              // rad/s
  double bias_acceleration[4], bias_spin[4]; // m/s^2 of its centre, rad/s^2: accelerations at constant rates u
  double v[4], w[4];                         // m/s of its centre of mass, and rad/s, at the rates computed for the step
  dQuaternion now_q, next_q;                 // at the ends of the step
  double next_center[4];                     // m from the present O
} ForestBody;

typedef struct ForestDof {
  double motion[6];         // a, v
  double push[6];           // share of the wrench that gives a unit rate with the dofs below free: wrench / D
  double inverse, whitener; // 1 / D and its root, see articulated.h
} ForestDof;

// 6 x 6, symmetric: maps a motion to a wrench of momentum.
typedef struct ForestInertia {
  SpatialVector rows[6];
} ForestInertia;

typedef struct Forest {
  ForestBody *bodies; // parents before children, the bodies of a tree consecutive
  ForestDof *dofs;
  int *paths;                // see ForestBody
  int *of_outer;             // for each given body its index in bodies, -1: kinematic
  ForestInertia *inertia;    // for each body, see articulated_factor
  double (*past_bias)[3][4]; // for each body: rate, bias acceleration and bias spin, see forest_move_again
  int body_count, dof_count, outer_count;
  int body_capacity, dof_capacity, path_capacity, outer_capacity, inertia_capacity, past_capacity;
} Forest;

void forest_free(Forest *forest);

// Finds the trees of these bodies of one ODE world. Errors: joints of other kinds than ball, universal, hinge and
// motors; loops of joints; damping of jointed bodies; out of memory.
bool forest_build(Forest *forest, const dBodyID bodies[], int count, Error *error);

// The index in bodies, -1: not one of them.
int forest_index(const Forest *forest, dBodyID body);

// Reads state and forces from ODE: dofs, momenta and u, the rates of the dofs.
void forest_read(Forest *forest, double h, double *u);

// Computes rates and bias acceleration of all bodies from these rates of the dofs, for a step of length h.
void forest_move(Forest *forest, const double *u, double h);

// The same, unless no part's velocity would change by more than `least` m/s at a distance of 1 m from its centre of
// mass: then all are unchanged. Returns whether they have changed.
bool forest_move_again(Forest *forest, const double *u, double h, double least);

// The momentum of the bodies at the beginning of the step, minus half a step of bias acceleration and of gyroscopic
// torque at the present rates: a wrench of momentum for each body, 6 numbers, M v_old + h f in the step's equation M u
// = J^T (M v_old + h f).
void forest_bring(const Forest *forest, double h, double *wrenches);

// Advances the bodies by a step with these rates, for which `motions` are the bodies' motions, and writes the state to
// ODE: velocities are those at half the step. Clears ODE's forces. Limits angular velocities in both arguments where
// ODE does.
void forest_write(Forest *forest, double *u, double *motions, double h);

// Rotates an ODE body by its angular velocity w for a time, exactly.
void forest_turn(dBodyID body, const double w[3], double time);

#endif
