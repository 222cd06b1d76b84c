// What a motor shall do in the coming step, told to the reduced solver in memory: ODE's functions take a call for each
// number of each axis, which costs more than its use.
#ifndef STAGGER_SIM_REDUCED_MOTOR_ORDER_H
#define STAGGER_SIM_REDUCED_MOTOR_ORDER_H

#include <stdbool.h>

enum { MOTOR_MOST_AXES = 3 };

// The data of an angular motor's joint (dJointSetData), if it has any; it replaces ODE's parameters of the same
// meaning: dParamVel, dParamCFM, dParamFMax. All numbers are finite.
typedef struct MotorOrder {
  double speed[MOTOR_MOST_AXES];      // rad/s
  double compliance[MOTOR_MOST_AXES]; // rad/s per N m
  double limit[MOTOR_MOST_AXES];      // N m, not negative; 0: off
  bool stops_are_far;                 // no stop has been reached: the angles need not be compared
} MotorOrder;

// The data of a ball joint, if it has any: the axes of its degrees of freedom, unit and perpendicular to each other, in
// the frame of the body that is its parent in the tree (see forest.h). Without it they are along that frame's axes.
typedef struct BallAxes {
  double axes[3][3];
} BallAxes;

#endif
