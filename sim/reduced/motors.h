// ODE's motors and stops as the reduced step sees them. An axis of a motor with speed s, compliance c and limit F pulls
// with (s - rate) / c, |pull| <= F. Where the axes are the dofs of a joint, the pull is part of the matrix as long as
// it is within the limit (implicit, at the price of a number on the diagonal); else it is a row.
#ifndef STAGGER_SIM_REDUCED_MOTORS_H
#define STAGGER_SIM_REDUCED_MOTORS_H

#include "sim/reduced/rows.h"

typedef struct MotorAxis {
  double axis_w[3];
  double speed, compliance, limit; // rad/s or m/s, its share per N m or N, N m or N; limit 0: off
  int row;                         // -1: in the matrix, or off
  bool around_zero;                // its stops have 0 between them
  bool saturated;                  // was at its limit in the last step, or is in this one: a row
  RowState state;                  // then
} MotorAxis;

typedef struct Motor {
  dJointID joint;
  dJointFeedback *feedback; // NULL: nobody asks
  int body, other;          // forest bodies, other -1: the world
  int first_dof;            // its axes are the dofs from here on, and it has no stops; -1: otherwise
  bool linear;              // LMotor
  bool hinge;               // a hinge with stops, no motor
  bool stops;               // gave no force and had stops when it was found: taken for stops alone
  int axis_count;
  MotorAxis axes[3];
} Motor;

typedef struct Motors {
  Motor *motors;
  int count, capacity;
} Motors;

void motors_free(Motors *motors);

// Finds the motors at the bodies of a forest that has been read. Errors: out of memory; motors of kinds or modes that
// are not known. What is taken for stops alone is never asked for a force again, and is clear of them where its angle
// is 0 and they had that inside.
bool motors_build(Motors *motors, const Forest *forest, Error *error);

// Reads axes, speeds and limits from ODE.
void motors_read(Motors *motors, const Forest *forest);

// What the motors that are part of the matrix add to its diagonal, and to the right side, by dof.
void motors_drive(const Motors *motors, int dofs, double h, double *stiffness, double *drive);

// Adds rows for stops that are reached, and for motors that are not part of the matrix.
void motors_add_rows(Motors *motors, Rows *rows, const Forest *forest, double h);

// Marks the motors in the matrix that would pull beyond their limits at these rates; if there are any and with all:
// every one in the matrix. Returns how many.
int motors_find_saturated(Motors *motors, const double *u, bool all);

// Tells ODE's feedbacks what the motors gave in a step with these rates, and remembers which are saturated.
void motors_tell(Motors *motors, const Rows *rows, const double *u, double h);

#endif
