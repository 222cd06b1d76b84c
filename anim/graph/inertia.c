// Decaying offsets of a transition: computed at the switch from the last two shown poses, and added to the new
// animation until they have decayed.
#include "anim/graph/inertia.h"

#include <assert.h>
#include <math.h>

static const float LEAST_TIME = 1.0f / 3; // least share of the requested time to which a curve may be shortened

// With x(0) = x0, x'(0) = v0, x''(0) = 0 and all three zero at t = T, where u = t/T:
//   x = (1 - u)^3 (x0 (1 + 3u + 6u^2) + T v0 u (1 + 3u))
// x does not change sign as long as 10 x0 >= -4 T v0 (the bracket at u = 1).
InertiaCurve inertia_curve(vec3s value, vec3s velocity, float time) {
  InertiaCurve curve = {value, velocity, time};
  float size = 2.5f * glms_vec3_norm(value), speed = glms_vec3_norm(velocity);
  if (size < speed * time)
    curve.time = fmaxf(size / speed, LEAST_TIME * time);
  return curve;
}

vec3s inertia_value(const InertiaCurve *curve, float t) {
  if (!(t < curve->time))
    return glms_vec3_zero();
  float u = t / curve->time, rest = (1 - u) * (1 - u) * (1 - u);
  vec3s from_value = glms_vec3_scale(curve->value, rest * (1 + u * (3 + 6 * u)));
  return glms_vec3_muladds(curve->velocity, rest * t * (1 + 3 * u), from_value);
}

// ---- Poses ----

static vec3s position_offset(const Pose *shown, const Pose *next, int joint) {
  return glms_vec3_sub(shown->position[joint], next->position[joint]);
}

static vec3s rotation_offset(const Pose *shown, const Pose *next, int joint) {
  return quat_log(glms_quat_mul(shown->rotation[joint], glms_quat_conjugate(next->rotation[joint])));
}

// The same rotation with the opposite axis and the complementary angle, if that vector is nearer to `to`: near half a
// turn the shorter way may change from one moment to the next.
static vec3s nearer_way(vec3s rotation, vec3s to) {
  float angle = glms_vec3_norm(rotation);
  if (!(angle > 0))
    return rotation;
  vec3s other = glms_vec3_scale(rotation, 1 - 2 * GLM_PIf / angle);
  return glms_vec3_distance2(other, to) < glms_vec3_distance2(rotation, to) ? other : rotation;
}

static InertiaCurve offset_curve(vec3s offset, vec3s before, float dt, float time) {
  vec3s change = glms_vec3_sub(offset, before);
  if (glms_vec3_norm2(offset) == 0 && glms_vec3_norm2(change) == 0)
    return (InertiaCurve){0};
  return inertia_curve(offset, glms_vec3_scale(change, 1 / dt), time);
}

void inertia_begin(Inertia *inertia, const Pose *shown, const Pose *before, const Pose *next, const Pose *next_before,
                   float dt, float time) {
  assert(shown->count == next->count);
  *inertia = (Inertia){.count = shown->count, .time = time};
  if (!(time > 0)) {
    inertia->time = 0;
    return;
  }
  bool moved = before && next_before && dt > 0;
  for (int i = 0; i < shown->count; i++) {
    vec3s position = position_offset(shown, next, i), rotation = rotation_offset(shown, next, i);
    vec3s position_before = position, rotation_before = rotation;
    if (moved) {
      position_before = position_offset(before, next_before, i);
      rotation_before = nearer_way(rotation_offset(before, next_before, i), rotation);
    }
    inertia->position[i] = offset_curve(position, position_before, moved ? dt : 1, time);
    inertia->rotation[i] = offset_curve(rotation, rotation_before, moved ? dt : 1, time);
  }
}

void inertia_apply(Inertia *inertia, float dt, Pose *pose) {
  if (!(inertia->age < inertia->time))
    return;
  assert(inertia->count == pose->count);
  inertia->age += dt;
  for (int i = 0; i < pose->count; i++) {
    if (inertia->age < inertia->position[i].time)
      pose->position[i] = glms_vec3_add(pose->position[i], inertia_value(&inertia->position[i], inertia->age));
    if (inertia->age < inertia->rotation[i].time) {
      versors offset = quat_exp(inertia_value(&inertia->rotation[i], inertia->age));
      pose->rotation[i] = glms_quat_normalize(glms_quat_mul(offset, pose->rotation[i]));
    }
  }
}

// ---- Saving and restoring ----

// Curves that have fully decayed are not written, only their times.
void inertia_state(Inertia *inertia, int joints, StateStream *stream) {
  STATE(stream, inertia->age, inertia->time);
  if (!(inertia->age < inertia->time))
    return;
  if (state_restores(stream))
    inertia->count = joints;
  state_bytes(stream, inertia->position, (size_t)inertia->count * sizeof *inertia->position);
  state_bytes(stream, inertia->rotation, (size_t)inertia->count * sizeof *inertia->rotation);
}
