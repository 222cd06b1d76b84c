#include "anim/pose.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static versors quat_negate(versors q) { return (versors){{-q.x, -q.y, -q.z, -q.w}}; }

// ---- Rotations ----

versors quat_shortest_arc(vec3s from, vec3s to) {
  // In double: close to opposite vectors the half-way vector is the small difference of large numbers.
  double f[3] = {from.x, from.y, from.z}, t[3] = {to.x, to.y, to.z};
  double from_length = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
  double to_length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  if (!(from_length > 0) || !(to_length > 0))
    return glms_quat_identity();

  double half[3], half_length = 0;
  for (int i = 0; i < 3; i++) {
    f[i] /= from_length;
    half[i] = f[i] + t[i] / to_length;
    half_length += half[i] * half[i];
  }
  half_length = sqrt(half_length);
  if (half_length < 1e-7) { // opposite: half a turn about an axis at right angles to `from`
    vec3s axis = fabs(f[0]) < 0.7 ? (vec3s){{0, -(float)f[2], (float)f[1]}} : (vec3s){{(float)f[2], 0, -(float)f[0]}};
    axis = glms_vec3_normalize(axis);
    return (versors){{axis.x, axis.y, axis.z, 0}};
  }
  for (int i = 0; i < 3; i++)
    half[i] /= half_length;
  return (versors){{(float)(f[1] * half[2] - f[2] * half[1]), (float)(f[2] * half[0] - f[0] * half[2]),
                    (float)(f[0] * half[1] - f[1] * half[0]),
                    (float)(f[0] * half[0] + f[1] * half[1] + f[2] * half[2])}};
}

// The angle whose half has this sine and cosine >= 0. For small angles, the usual case, the series of 2 asin is exact
// to a float's precision below 0.3 and much cheaper than an arc tangent.
static float angle_of_half(float sine, float cosine) {
  if (sine > 0.3f)
    return 2 * atan2f(sine, cosine);
  float s2 = sine * sine;
  return 2 * sine *
         (1 + s2 * (1.0f / 6 + s2 * (3.0f / 40 + s2 * (15.0f / 336 + s2 * (105.0f / 3456 + s2 * (945.0f / 42240))))));
}

vec3s quat_log(versors q) {
  if (q.w < 0)
    q = quat_negate(q);
  vec3s v = {{q.x, q.y, q.z}};
  float sine = glms_vec3_norm(v);
  float scale = sine > 1e-6f ? angle_of_half(sine, q.w) / sine : 2; // angle/sin(angle/2) tends to 2
  return glms_vec3_scale(v, scale);
}

versors quat_exp(vec3s rotation_vector) {
  float angle = glms_vec3_norm(rotation_vector);
  float scale = angle > 1e-4f ? sinf(angle / 2) / angle : 0.5f - angle * angle / 48;
  vec3s v = glms_vec3_scale(rotation_vector, scale);
  return glms_quat_normalize((versors){{v.x, v.y, v.z, cosf(angle / 2)}});
}

void quat_swing_twist(versors q, vec3s axis, versors *swing, versors *twist) {
  float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  // A swing of half a turn leaves the twist open: none, then. (glms_quat_normalize gives the identity for zero.)
  *twist = glms_quat_normalize((versors){{along * axis.x, along * axis.y, along * axis.z, q.w}});
  *swing = glms_quat_mul(q, glms_quat_conjugate(*twist));
}

float quat_angle_between(versors a, versors b) {
  versors d = glms_quat_mul(glms_quat_conjugate(a), b);
  return angle_of_half(sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), fabsf(d.w));
}

versors quat_slerp(versors a, versors b, float t) {
  if (t == 0)
    return a;
  if (t == 1)
    return b;
  if (glms_quat_dot(a, b) < 0)
    b = quat_negate(b);
  // The angle from the chords is exact for small angles too, where acos(dot) is not.
  versors sum = glms_quat_add(a, b), difference = glms_quat_sub(b, a);
  float angle = 2 * atan2f(glms_quat_norm(difference), glms_quat_norm(sum));
  float wa = 1 - t, wb = t;
  if (angle > 1e-3f) {
    wa = sinf((1 - t) * angle) / sinf(angle);
    wb = sinf(t * angle) / sinf(angle);
  }
  return glms_quat_normalize(
      (versors){{wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w}});
}

// ---- Poses ----

Pose pose_bind(const Skeleton *skeleton) {
  Pose pose = {.count = skeleton->count};
  for (int i = 0; i < skeleton->count; i++) {
    pose.position[i] = skeleton->bind_position_l[i];
    pose.rotation[i] = skeleton->bind_rotation_l[i];
  }
  return pose;
}

void pose_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model) {
  model->count = local->count;
  model->position[0] = local->position[0];
  model->rotation[0] = local->rotation[0];
  for (int i = 1; i < local->count; i++) {
    int parent = skeleton->parent[i];
    versors parent_rotation = model->rotation[parent];
    model->position[i] = glms_vec3_add(model->position[parent], glms_quat_rotatev(parent_rotation, local->position[i]));
    model->rotation[i] = glms_quat_normalize(glms_quat_mul(parent_rotation, local->rotation[i]));
  }
}

void pose_from_model(const Skeleton *skeleton, const ModelPose *model, Pose *local) {
  local->count = model->count;
  for (int i = model->count - 1; i > 0; i--) { // children first, so that both may be the same pose
    int parent = skeleton->parent[i];
    versors to_parent = glms_quat_conjugate(model->rotation[parent]);
    vec3s offset = glms_vec3_sub(model->position[i], model->position[parent]);
    local->position[i] = glms_quat_rotatev(to_parent, offset);
    local->rotation[i] = glms_quat_normalize(glms_quat_mul(to_parent, model->rotation[i]));
  }
  local->position[0] = model->position[0];
  local->rotation[0] = model->rotation[0];
}

void pose_place(Pose *pose, vec3s root_position, versors root_rotation) {
  pose->position[0] = glms_vec3_add(root_position, glms_quat_rotatev(root_rotation, pose->position[0]));
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(root_rotation, pose->rotation[0]));
}

// Exact at t = 0 and t = 1, where a + t (b - a) is not.
static vec3s position_blend(vec3s a, vec3s b, float t) {
  if (t == 0)
    return a;
  if (t == 1)
    return b;
  return glms_vec3_lerp(a, b, t);
}

void pose_blend(const Pose *a, const Pose *b, float weight, const float *weights, Pose *out) {
  assert(a->count == b->count);
  out->count = a->count;
  for (int i = 0; i < a->count; i++) {
    float t = weights ? weights[i] : weight;
    out->position[i] = position_blend(a->position[i], b->position[i], t);
    out->rotation[i] = quat_slerp(a->rotation[i], b->rotation[i], t);
  }
}

void pose_blend_many(const Pose *const *poses, const float *weights, int count, Pose *out) {
  assert(count > 0);
  // Signs are taken from the heaviest pose, so that the sum of the quaternions cannot vanish.
  int heaviest = 0, used = 0;
  float total = 0;
  for (int k = 0; k < count; k++) {
    assert(poses[k]->count == poses[0]->count);
    if (weights[k] > weights[heaviest])
      heaviest = k;
    used += weights[k] > 0;
    total += weights[k];
  }
  if (used <= 1) {
    *out = *poses[heaviest];
    return;
  }

  Pose mean = {.count = poses[0]->count};
  for (int i = 0; i < mean.count; i++) {
    versors reference = poses[heaviest]->rotation[i], sum = {{0, 0, 0, 0}};
    vec3s position = {{0, 0, 0}};
    for (int k = 0; k < count; k++) {
      float w = weights[k] / total;
      versors q = poses[k]->rotation[i];
      float signed_w = copysignf(w, glms_quat_dot(reference, q));
      sum = (versors){{sum.x + signed_w * q.x, sum.y + signed_w * q.y, sum.z + signed_w * q.z, sum.w + signed_w * q.w}};
      position = glms_vec3_muladds(poses[k]->position[i], w, position);
    }
    mean.position[i] = position;
    mean.rotation[i] = glms_quat_normalize(sum);
  }
  *out = mean;
}

void pose_difference(const Pose *pose, const Pose *reference, Pose *difference) {
  assert(pose->count == reference->count);
  difference->count = pose->count;
  for (int i = 0; i < pose->count; i++) {
    difference->position[i] = glms_vec3_sub(pose->position[i], reference->position[i]);
    difference->rotation[i] =
        glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(reference->rotation[i]), pose->rotation[i]));
  }
}

void pose_add(const Pose *base, const Pose *difference, float weight, Pose *out) {
  assert(base->count == difference->count);
  if (weight == 0) {
    *out = *base;
    return;
  }
  out->count = base->count;
  for (int i = 0; i < base->count; i++) {
    versors turn = quat_slerp(glms_quat_identity(), difference->rotation[i], weight);
    out->position[i] = glms_vec3_muladds(difference->position[i], weight, base->position[i]);
    out->rotation[i] = glms_quat_normalize(glms_quat_mul(base->rotation[i], turn));
  }
}
