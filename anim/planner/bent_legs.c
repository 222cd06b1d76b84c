// Turns the legs of a planned pose about the up axis: standing feet keep their direction while the body turns over
// them; swinging feet turn ahead of the body.
#include "anim/planner/bent_legs.h"

#include <math.h>

#include "sim/base/numbers.h"

void bent_legs_step(BentLegs *legs, const Move *move, double time, double dt) {
  const double lead = 0.3, quick = 0.08; // s: half the duration of a stance; time constant of a swinging foot's turn
  const double most = 35 * RAD_PER_DEGREE;
  for (int i = 0; i < move->clip->skeleton->leg_count; i++) {
    double *yaw = &legs->yaw[i];
    if (move_stands(move, i, time))
      *yaw -= move->bend * dt;
    else
      *yaw += (move->bend * lead - *yaw) * -expm1(-dt / quick);
    *yaw = fmin(fmax(*yaw, -most), most);
  }
}

// Part of the turn is about the up axis through the hip, the rest about the line from ankle to hip; the foot is turned
// by the sum. The hip's part moves the foot sideways. With half of the turn the feet would be placed on the arc of the
// path, but the outer foot would come so far inward that it strikes the other one.
static versors turn_of(const Skeleton *skeleton, const Pose *pose, const Leg *leg, float yaw) {
  const float aside = 0.25f;
  vec3s hip, ankle;
  versors rotation;
  pose_joint_transform(skeleton, pose, leg->hip, &hip, &rotation);
  pose_joint_transform(skeleton, pose, leg->ankle, &ankle, &rotation);
  return glms_quat_mul(glms_quatv(yaw * aside, (vec3s){{0, 1, 0}}),
                       glms_quatv(yaw * (1 - aside), glms_vec3_sub(hip, ankle)));
}

void bent_legs_pose(const BentLegs *legs, const Skeleton *skeleton, Pose *pose) {
  for (int i = 0; i < skeleton->leg_count; i++) {
    if (legs->yaw[i] == 0)
      continue;
    const Leg *leg = &skeleton->legs[i];
    vec3s position;
    versors above, turn = turn_of(skeleton, pose, leg, (float)legs->yaw[i]);
    pose_joint_transform(skeleton, pose, skeleton->parent[leg->hip], &position, &above);
    versors turned = glms_quat_mul(glms_quat_inv(above), glms_quat_mul(turn, above));
    pose->rotation[leg->hip] = glms_quat_mul(turned, pose->rotation[leg->hip]);
  }
}

void bent_legs_state(BentLegs *legs, int count, StateStream *stream) {
  state_bytes(stream, legs->yaw, (size_t)count * sizeof *legs->yaw);
}
