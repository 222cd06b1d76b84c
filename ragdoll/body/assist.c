// The assist's two motors on one part, linear and angular: sets their speeds, compliance and limits for a step, and
// reads the force and torque that they applied.
#include "ragdoll/body/assist.h"

#include <math.h>
#include <string.h>

#include "ragdoll/body/soft_motor.h"
#include "sim/world/convert.h"

PARAM_TABLE(assist_params, AssistDef, ASSIST_PARAMS, "assist",
            "A force and torque on one part from outside (a hidden hand), limited and always reported.")

bool assist_init(Assist *assist, const AssistDef *def, Ragdoll *ragdoll, Error *error) {
  *assist = (Assist){.def = *def, .part = -1, .mass = ragdoll->def->mass, .fade = 1};
  assist->force = def->force;
  assist->torque = def->torque;
  if (!def->enabled)
    return true;
  assist->part = skeleton_find(&ragdoll->def->skeleton, def->part);
  if (assist->part < 0)
    return error_set(error, "assist: the body has no part '%s'", def->part);
  dBodyID body = ragdoll->ode[assist->part];
  assist->linear = dJointCreateLMotor(ragdoll->world->ode, 0);
  assist->angular = dJointCreateAMotor(ragdoll->world->ode, 0);
  dJointAttach(assist->linear, body, 0);
  dJointAttach(assist->angular, body, 0);
  dJointSetLMotorNumAxes(assist->linear, 3);
  dJointSetAMotorMode(assist->angular, dAMotorUser);
  dJointSetAMotorNumAxes(assist->angular, 3);
  for (int i = 0; i < 3; i++) { // world axes
    dJointSetLMotorAxis(assist->linear, i, 0, i == 0, i == 1, i == 2);
    dJointSetAMotorAxis(assist->angular, i, 0, i == 0, i == 1, i == 2);
  }
  dJointSetFeedback(assist->linear, &assist->linear_feedback);
  dJointSetFeedback(assist->angular, &assist->angular_feedback);
  return true;
}

static void set_linear(dJointID motor, int axis, const SoftAxis *soft, double limit) {
  int group = dParamGroup * axis;
  dJointSetLMotorParam(motor, dParamVel + group, soft->speed);
  dJointSetLMotorParam(motor, dParamCFM + group, soft->cfm);
  dJointSetLMotorParam(motor, dParamFMax + group, limit);
}

static void set_angular(dJointID motor, int axis, const SoftAxis *soft, double limit) {
  int group = dParamGroup * axis;
  dJointSetAMotorParam(motor, dParamVel + group, soft->speed);
  dJointSetAMotorParam(motor, dParamCFM + group, soft->cfm);
  dJointSetAMotorParam(motor, dParamFMax + group, limit);
}

bool assist_retune(Assist *assist, const AssistDef *def, Ragdoll *ragdoll, Error *error) {
  if (assist->part < 0 && def->enabled)
    return assist_init(assist, def, ragdoll, error);
  AssistDef retuned = *def;
  if (assist->part >= 0)
    memcpy(retuned.part, assist->def.part, sizeof retuned.part);
  bool released = assist->part >= 0 && assist->def.enabled && !def->enabled;
  assist->def = retuned;
  assist->force = def->force;
  assist->torque = def->torque;
  for (int i = 0; i < 3 && released; i++) { // otherwise the motors would keep their last settings
    dJointSetLMotorParam(assist->linear, dParamFMax + dParamGroup * i, 0);
    dJointSetAMotorParam(assist->angular, dParamFMax + dParamGroup * i, 0);
  }
  return true;
}

void assist_apply(Assist *assist, Ragdoll *ragdoll, const AssistTarget *target, double h) {
  if (!assist->def.enabled)
    return;
  dBodyID body = ragdoll->ode[assist->part];
  const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
  versors measured = quat_from_ode(dBodyGetQuaternion(body));
  vec3s turn = quat_log(glms_quat_mul(target->rotation, glms_quat_conjugate(measured)));
  double gap[3], distance = 0;
  for (int i = 0; i < 3; i++) {
    gap[i] = target->position[i] - x[i];
    distance += gap[i] * gap[i];
  }
  distance = sqrt(distance);

  double omega = 2 * M_PI * assist->def.frequency, limit = assist->force * assist->fade;
  double kp = assist->mass * omega * omega, kd = 2 * assist->def.damping_ratio * assist->mass * omega;
  // A saturated spring overshoots: the target is not taken farther away than where the force reaches its limit.
  double reach = limit / kp, pull = distance > reach ? reach / distance : 1;

  SoftAxis linear[3], angular[3];
  bool finite = isfinite(distance);
  for (int i = 0; i < 3; i++) {
    linear[i] = soft_axis(kp, kd, gap[i] * pull, target->velocity[i], v[i], 0, h);
    angular[i] = soft_axis(assist->def.turn_stiffness, assist->def.turn_damping, (double)turn.raw[i],
                           (double)target->angular_velocity.raw[i], w[i], 0, h);
    if (!isfinite(linear[i].speed) || !isfinite(angular[i].speed))
      finite = false;
  }
  double force[3] = {0}, torque[3] = {0};
  if (finite) {
    soft_share_limit(linear, 3, limit, force);
    soft_share_limit(angular, 3, assist->torque * assist->fade, torque);
  } else { // no assist, rather than a value that is not finite in ODE
    ragdoll->world->warnings.drives_refused++;
    for (int i = 0; i < 3; i++)
      linear[i] = angular[i] = (SoftAxis){.cfm = 1};
  }
  for (int i = 0; i < 3; i++) {
    set_linear(assist->linear, i, &linear[i], force[i]);
    set_angular(assist->angular, i, &angular[i], torque[i]);
  }
}

void assist_read(Assist *assist) {
  for (int i = 0; i < 3; i++) {
    assist->force_w[i] = assist->def.enabled ? assist->linear_feedback.f1[i] : 0;
    assist->torque_w[i] = assist->def.enabled ? assist->angular_feedback.t1[i] : 0;
  }
}

void assist_state(Assist *assist, StateStream *stream) {
  state_section(stream, "assist", 1);
  state_same(stream, assist->part, "part that is held");
  STATE(stream, assist->fade, assist->force, assist->torque, assist->force_w, assist->torque_w);
  state_finite(stream, assist->linear_feedback.f1, 3);
  state_finite(stream, assist->linear_feedback.t1, 3);
  state_finite(stream, assist->angular_feedback.f1, 3);
  state_finite(stream, assist->angular_feedback.t1, 3);
}
