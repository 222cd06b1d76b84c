// The assist: pulls one part toward its target in the world by an implicit spring and damper with exact limits, and
// reports its force and torque after every step, so that this help from outside is not hidden. Off by default.
#ifndef STAGGER_RAGDOLL_BODY_ASSIST_H
#define STAGGER_RAGDOLL_BODY_ASSIST_H

#include "ragdoll/body/ragdoll.h"
#include "sim/base/state.h"

#define ASSIST_PARAMS(ROW, T)                                                                                          \
  ROW(T, BOOL, enabled, "false", 0, 1, "", "Whether the assist may act.")                                              \
  ROW(T, TEXT, part, "pelvis", 0, 0, "", "The part that it holds.")                                                    \
  ROW(T, REAL, force, "600", 0, 20000, "N", "Largest force (norm).")                                                   \
  ROW(T, REAL, torque, "150", 0, 20000, "N m", "Largest torque (norm).")                                               \
  ROW(T, REAL, frequency, "2", 0.05, 30, "Hz", "Natural frequency of the whole body's mass on the spring.")            \
  ROW(T, REAL, damping_ratio, "1", 0, 10, "-", "Damping of the force, 1 is critical.")                                 \
  ROW(T, REAL, turn_stiffness, "1000", 0, 100000, "N m/rad", "Stiffness of the torque.")                               \
  ROW(T, REAL, turn_damping, "100", 0, 10000, "N m s/rad", "Damping of the torque.")

typedef struct AssistDef {
  ASSIST_PARAMS(PARAM_FIELD, AssistDef)
} AssistDef;

extern const ParamTable assist_params;

typedef struct Assist {
  AssistDef def;
  int part;
  double mass; // kg: mass to which the spring is scaled, that of the whole body
  dJointID linear, angular;
  dJointFeedback linear_feedback, angular_feedback;
  double fade;                    // 0..1, factor of the limits
  double force, torque;           // N, N m: limits before `fade`; those of def unless changed at run time
  double force_w[3], torque_w[3]; // N and N m in the last step; the force acts at the part's centre of mass
} Assist;

// Error: there is no such part.
bool assist_init(Assist *assist, const AssistDef *def, Ragdoll *ragdoll, Error *error);

// Takes over changed parameters at run time, except for the part; only if no part has been held yet, the assist begins
// with the new one.
bool assist_retune(Assist *assist, const AssistDef *def, Ragdoll *ragdoll, Error *error);

// The wanted state of the part at the end of a step: its centre of mass, its rotation, and their velocities. World
// frame.
typedef struct AssistTarget {
  double position[3], velocity[3]; // m, m/s
  versors rotation;
  vec3s angular_velocity; // rad/s
} AssistTarget;

// Sets the motors for a step of length h.
void assist_apply(Assist *assist, Ragdoll *ragdoll, const AssistTarget *target, double h);

// Reads force and torque of the last step.
void assist_read(Assist *assist);

// Saves or restores.
void assist_state(Assist *assist, StateStream *stream);

#endif
