// ODE's motors and stops in the reduced step. An axis of a motor with speed s, compliance c and limit F applies (s -
// rate) / c, at most F in magnitude. If the axes are the dofs of a joint, this is part of the matrix while it is within
// the limit (implicit, as a number on the diagonal); otherwise it is a row.
#ifndef STAGGER_SIM_REDUCED_MOTORS_H
#define STAGGER_SIM_REDUCED_MOTORS_H

#include "sim/reduced/motor_order.h"
#include "sim/reduced/rows.h"

typedef struct MotorAxis {
  const double *axis_w; // its dof's, or own_axis_w
  double own_axis_w[3];
  double speed, compliance, limit; // rad/s or m/s, rate per N m or N, N m or N; limit 0: off
  double force;                    // N m or N: in the matrix, at the rates at which its limit was checked last
  int row;                         // -1: in the matrix, or off
  bool around_zero;                // its stops have 0 between them
  bool in_matrix;                  // in this round
  bool saturated;                  // was at its limit in the last step, or is in this one: it is a row
  RowState state;                  // state of that row
} MotorAxis;

typedef struct Motor {
  dJointID joint;
  dJointFeedback *feedback; // NULL: not requested
  const MotorOrder *order;  // NULL: it has ODE's parameters
  int body, other;          // forest bodies, other -1: the world
  int first_dof;            // its axes are the dofs from here on, and it has no stops; otherwise -1
  bool linear;              // LMotor
  bool hinge;               // a hinge with stops, without a motor
  bool stops;               // had stops and no force when it was found: used for its stops only
  bool may_have_rows;       // in this round: it is not in the matrix as a whole
  double hinge_axis[3];     // of a hinge, in the body's frame
  double clear[2];          // of a hinge: the tangents of half the angles between which no stop is reached
  int axis_count;
  MotorAxis axes[MOTOR_MOST_AXES];
} Motor;

typedef struct Motors {
  Motor *motors;
  int count, capacity;
} Motors;

void motors_free(Motors *motors);

// Finds the motors of the bodies of a forest that has been read. Errors: out of memory; motors of unknown kinds or
// modes. A motor that is taken for stops only is never asked for a force again; its angle is taken to be within the
// stops when it is 0 and they had 0 between them. The stops of a hinge are those that it has now.
bool motors_build(Motors *motors, const Forest *forest, Error *error);

// Reads axes from ODE, and speeds and limits from the motors' orders or ODE.
void motors_read(Motors *motors, const Forest *forest);

// Adds the contribution of motors in the matrix to its diagonal and to the right side, for each dof.
void motors_drive(Motors *motors, int dofs, double h, double *stiffness, double *drive);

// Adds rows for stops that have been reached and for motors that are not in the matrix.
void motors_add_rows(Motors *motors, Rows *rows, const Forest *forest, double h);

// Marks motors in the matrix whose torque would exceed their limits at these rates; with `all`, if there is any, every
// one in the matrix that has a limit. Returns their number.
int motors_find_saturated(Motors *motors, const double *u, bool all);

// Writes the motors' forces, at the rates at which none was found to be saturated, to ODE's feedbacks, and stores which
// motors are rows at their limits.
void motors_tell(Motors *motors, const Rows *rows, double h);

#endif
