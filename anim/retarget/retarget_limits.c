// Limits poses to the joints' ranges of motion. The limit is soft, so that a motion that exceeds it slows down instead
// of stopping abruptly.
#include <math.h>

#include "anim/retarget/retarget_internal.h"
#include "sim/base/numbers.h"

const float RETARGET_MARGIN = 0.07f;     // 4 deg
static const float MARGIN_SHARE = 0.25f; // share of the range that the margin may take at most

// x unchanged inside the range; beyond hi - m the result approaches hi asymptotically.
static float soft_clamp(float x, const double range[2], float margin, double *excess) {
  float lo = (float)range[0], hi = (float)range[1];
  float m = fminf(margin, MARGIN_SHARE * (hi - lo));
  *excess = fmax(*excess, fmax((double)(x - hi), (double)(lo - x)));
  if (!(m > 0))
    return fminf(fmaxf(x, lo), hi);
  if (x > hi - m)
    return hi - m * expf(-(x - (hi - m)) / m);
  if (x < lo + m)
    return lo + m * expf((x - (lo + m)) / m);
  return x;
}

static vec3s axis_of(int axis) {
  vec3s v = {{0, 0, 0}};
  v.raw[axis] = 1;
  return v;
}

// Angles of q = Rx Rz Ry; a universal joint has the first two.
static void angles_xzy(versors q, float *x, float *z) {
  *x = atan2f(2 * (q.x * q.w + q.y * q.z), 1 - 2 * (q.x * q.x + q.z * q.z));
  *z = (float)angle_of_sine((double)(2 * (q.z * q.w - q.x * q.y)));
}

static versors limit_joint(const RetargetLimits *limits, int joint, versors q, float margin, double *excess) {
  int twist_axis = limits->twist_axis[joint];
  const double(*range)[2] = limits->range[joint];
  vec3s axis = axis_of(twist_axis);
  versors swing, twist;
  quat_swing_twist(q, axis, &swing, &twist);
  float angle = 2 * atan2f(twist.raw[twist_axis], twist.w);
  angle = angle > GLM_PIf ? angle - 2 * GLM_PIf : angle < -GLM_PIf ? angle + 2 * GLM_PIf : angle;

  if (limits->hinge[joint])
    return quat_exp(glms_vec3_scale(axis, soft_clamp(angle, range[twist_axis], margin, excess)));
  if (twist_axis == 1 && range[1][0] == range[1][1]) { // a universal joint
    float x, z;
    angles_xzy(q, &x, &z);
    versors qx = quat_exp((vec3s){{soft_clamp(x, range[0], margin, excess), 0, 0}});
    return glms_quat_mul(qx, quat_exp((vec3s){{0, 0, soft_clamp(z, range[2], margin, excess)}}));
  }
  vec3s s = quat_log(swing);
  for (int a = 0; a < 3; a++)
    s.raw[a] = a == twist_axis ? 0 : soft_clamp(s.raw[a], range[a], margin, excess);
  return glms_quat_mul(quat_exp(s),
                       quat_exp(glms_vec3_scale(axis, soft_clamp(angle, range[twist_axis], margin, excess))));
}

// The same for axes that are turned: the rotation in these axes is limited.
static versors limit_turned(const RetargetLimits *limits, int joint, versors q, float margin, double *excess) {
  const versors frame = limits->frame[joint], back = glms_quat_conjugate(frame);
  const versors own = glms_quat_mul(back, glms_quat_mul(q, frame));
  return glms_quat_mul(frame, glms_quat_mul(limit_joint(limits, joint, own, margin, excess), back));
}

double retarget_limit(const Skeleton *skeleton, const RetargetLimits *limits, float margin, Pose *pose,
                      double *joint_excess) {
  double most = 0;
  for (int i = 1; limits && i < skeleton->count; i++) {
    versors bind = skeleton->bind_rotation_l[i];
    versors q = glms_quat_mul(glms_quat_conjugate(bind), pose->rotation[i]);
    double excess = 0;
    const versors limited =
        limits->turned[i] ? limit_turned(limits, i, q, margin, &excess) : limit_joint(limits, i, q, margin, &excess);
    pose->rotation[i] = glms_quat_normalize(glms_quat_mul(bind, limited));
    most = fmax(most, excess);
    if (joint_excess)
      joint_excess[i] = fmax(joint_excess[i], excess);
  }
  return most;
}
