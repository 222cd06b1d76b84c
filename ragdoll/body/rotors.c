// The rotors behind the gears of joints with armature: a motor beside that of the drive gives each axis their inertia.
#include "ragdoll/body/ragdoll.h"
#include "sim/base/numbers.h"

enum { OF_CHILD = 1 }; // ODE's `rel` of axes that are fixed in the first body

// Where an axis was some time ago that turns with a body at a rate, world.
static void axis_before(const dReal *rate, double ago, double axis[3]) {
  double change[3];
  cross3(rate, axis, change);
  for (int k = 0; k < 3; k++)
    axis[k] -= ago * change[k];
  const double length = length3(axis);
  for (int k = 0; k < 3; k++)
    axis[k] /= length;
}

// A rotor keeps its rate: its motor pulls toward the present one, with the compliance by which the torque is the
// armature times the change of rate per time.
static void hold_rotor(Ragdoll *ragdoll, int index, double h) {
  const PartDef *part = &ragdoll->def->parts[index];
  RagdollJoint *joint = &ragdoll->joints[index];
  const dReal *child = dBodyGetAngularVel(ragdoll->ode[index]),
              *parent = dBodyGetAngularVel(ragdoll->ode[part->parent]);
  const double relative[3] = {child[0] - parent[0], child[1] - parent[1], child[2] - parent[2]};
  const bool reduced = ragdoll->world->def.solver == SOLVER_REDUCED;
  const double ago = reduced ? h / 2 : h; // s: the reduced solver's velocities are those of the middle of a step
  for (int i = 0; i < joint->axis_count; i++) {
    const double armature = part->joint.armature[motor_axis(&part->joint, i)];
    dVector3 axis;
    dJointGetAMotorAxis(joint->rotor, i, axis);
    axis_before(dJointGetAMotorAxisRel(joint->rotor, i) == OF_CHILD ? child : parent, ago, axis);
    const double speed = dot3(axis, relative), compliance = armature > 0 ? h / armature : 1,
                 limit = armature > 0 ? dInfinity : 0;
    joint->rotor_order.speed[i] = speed;
    joint->rotor_order.compliance[i] = compliance;
    joint->rotor_order.limit[i] = limit;
    if (reduced)
      continue;
    const int group = dParamGroup * i;
    dJointSetAMotorParam(joint->rotor, dParamVel + group, speed);
    dJointSetAMotorParam(joint->rotor, dParamCFM + group, compliance);
    dJointSetAMotorParam(joint->rotor, dParamFMax + group, limit);
  }
}

void ragdoll_hold_rotors(Ragdoll *ragdoll, double h) {
  for (int i = 1; i < ragdoll->def->part_count; i++)
    if (ragdoll->joints[i].rotor)
      hold_rotor(ragdoll, i, h);
}
