#include "anim/pose.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "anim/lanes.h"

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

float vec3_angle_between(vec3s a, vec3s b) { return acosf(fmaxf(-1, fminf(glms_vec3_dot(a, b), 1))); }

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

bool pose_is_same(const Pose *a, const Pose *b) {
  size_t count = (size_t)a->count;
  return a->count == b->count && memcmp(a->position, b->position, count * sizeof a->position[0]) == 0 &&
         memcmp(a->rotation, b->rotation, count * sizeof a->rotation[0]) == 0;
}

LANES_BLOCK void normalize_block(versors *q, int count) {
  quats_store(q, count, quats_normalize(quats_load(q, count)));
}

// Places joint 0 and the joints of a list (NULL: all), parents before children; `slot` says where in the list a joint
// is. Down the chains, where each joint waits for its parent, products only; then they are normalised by fours.
LANES_BLOCK void place_joints(const int *parent, const Pose *local, const int *list, const int *slot, int count,
                              ModelPose *model) {
  versors listed[SKELETON_MAX_JOINTS], *rotation = list ? listed : model->rotation;
  Lanes position[SKELETON_MAX_JOINTS];
  int i;
  model->position[0] = local->position[0];
  model->rotation[0] = rotation[0] = local->rotation[0];
  position[0] = lanes_from_point(local->position[0]);

  for (i = 1; i < count; i++) {
    int joint = list ? list[i] : i, before = list ? slot[parent[joint]] : parent[i];
    rotation[i] = glms_quat_mul(rotation[before], local->rotation[joint]);
  }
  for (i = 1; i + LANES <= count; i += LANES)
    normalize_block(&rotation[i], LANES);
  if (i < count)
    normalize_block(&rotation[i], count - i);

  for (i = 1; i < count; i++) {
    int joint = list ? list[i] : i, before = list ? slot[parent[joint]] : parent[i];
    Lanes offset = lanes_turn(lanes_load(rotation[before].raw), lanes_from_point(local->position[joint]));
    position[i] = position[before] + offset;
    model->position[joint] = lanes_to_point(position[i]);
    model->rotation[joint] = rotation[i];
  }
}

void pose_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model) {
  model->count = local->count;
  place_joints(skeleton->parent, local, NULL, NULL, local->count, model);
}

void pose_legs_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model) {
  bool carries[SKELETON_MAX_JOINTS] = {true};
  int list[SKELETON_MAX_JOINTS], slot[SKELETON_MAX_JOINTS], count = 0;
  for (int i = 0; i < skeleton->leg_count; i++)
    for (int joint = skeleton->legs[i].ankle; !carries[joint]; joint = skeleton->parent[joint])
      carries[joint] = true;
  for (int i = 0; i < local->count; i++)
    if (carries[i]) {
      slot[i] = count;
      list[count++] = i;
    }
  model->count = local->count;
  place_joints(skeleton->parent, local, list, slot, count, model);
}

LANES_BLOCK void from_model_block(const ModelPose *model, const int *parent, int i, int count, Pose *local) {
  Quats to_parent = quats_conjugate(quats_gather(model->rotation, &parent[i], count));
  Points from = points_gather(model->position, &parent[i], count), to = points_load(&model->position[i], count);
  Quats rotation = quats_mul(to_parent, quats_load(&model->rotation[i], count));
  points_store(&local->position[i], count, points_turn(to_parent, points_sub(to, from)));
  quats_store(&local->rotation[i], count, quats_normalize(rotation));
}

void pose_from_model(const Skeleton *skeleton, const ModelPose *model, Pose *local) {
  int count = local->count = model->count, i = count; // children first, so that both may be the same pose
  for (; i - LANES >= 1; i -= LANES)
    from_model_block(model, skeleton->parent, i - LANES, LANES, local);
  if (i > 1)
    from_model_block(model, skeleton->parent, 1, i - 1, local);
  local->position[0] = model->position[0];
  local->rotation[0] = model->rotation[0];
}

void pose_place_joint(const Skeleton *skeleton, const Pose *local, int joint, vec3s *position, versors *rotation) {
  *position = glms_vec3_zero();
  *rotation = glms_quat_identity();
  for (int i = joint; i >= 0; i = skeleton->parent[i]) {
    *position = glms_vec3_add(local->position[i], quat_turn(local->rotation[i], *position));
    *rotation = glms_quat_mul(local->rotation[i], *rotation);
  }
  *rotation = glms_quat_normalize(*rotation);
}

void pose_place(Pose *pose, vec3s root_position, versors root_rotation) {
  pose->position[0] = glms_vec3_add(root_position, glms_quat_rotatev(root_rotation, pose->position[0]));
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(root_rotation, pose->rotation[0]));
}

static void pose_copy(const Pose *pose, Pose *out) {
  if (out == pose)
    return;
  size_t count = (size_t)pose->count;
  out->count = pose->count;
  memcpy(out->position, pose->position, count * sizeof pose->position[0]);
  memcpy(out->rotation, pose->rotation, count * sizeof pose->rotation[0]);
}

// sin(angle) / angle within 5e-9, by the square of the angle, 0 .. pi/2.
LANES_BLOCK Lanes sine_over_angle(Lanes square) {
  Lanes fourth = square * square;
  return (1 - 0.16666658f * square) + fourth * ((0.00833305106f - 0.000198090753f * square) + fourth * 2.60522491e-6f);
}

// cos(angle) within 1e-9, likewise.
LANES_BLOCK Lanes cosine_of_angle(Lanes square) {
  Lanes fourth = square * square;
  Lanes high = (-0.00138883614f + 2.47601614e-5f * square) - fourth * 2.60514953e-7f;
  return (1 - 0.499999994f * square) + fourth * (0.0416666363f + square * high);
}

// The square of the angle with this cosine, 0 .. 1, within 1e-7. Unlike the angle itself it is smooth where that is 0.
LANES_BLOCK Lanes square_of_angle(Lanes cosine) {
  Lanes c = 1 - cosine, cc = c * c;
  Lanes low = (2 + 0.333344221f * c) + cc * (0.0886750292f + 0.0301588674f * c);
  Lanes high = (0.0044644899f + 0.0146078317f * c) + cc * (-0.00905629701f + 0.00520695828f * c);
  return c * (low + (cc * cc) * high);
}

// On the arc from a to b the short way (slerp), t 0 .. 1, still to be normalised: the weights are as sin((1 - t) angle)
// to sin(t angle). The polynomials are fitted for the least largest error; what comes out is within 5e-8 rad of the
// true rotation before rounding.
LANES_BLOCK Quats quats_on_arc(Quats a, Quats b, Lanes t) {
  Lanes cosine = quats_dot(a, b), rest = 1 - t;
  Lanes square = square_of_angle(lanes_flip(cosine, cosine));
  Lanes wa = rest * sine_over_angle(rest * rest * square), wb = t * sine_over_angle(t * t * square);
  return quats_mix(a, wa, b, lanes_flip(wb, cosine));
}

LANES_BLOCK void blend_block(const versors *a, const versors *b, Lanes t, int count, versors *out) {
  quats_store(out, count, quats_normalize(quats_on_arc(quats_load(a, count), quats_load(b, count), t)));
}

// Every joint by a weight of its own, exact at 0 and 1.
LANES_BLOCK void blend_masked_block(const Pose *a, const Pose *b, const float *weights, int i, int count, Pose *out) {
  Lanes t = lanes_load_some(&weights[i], count);
  Quats qa = quats_load(&a->rotation[i], count), qb = quats_load(&b->rotation[i], count);
  Points pa = points_load(&a->position[i], count), pb = points_load(&b->position[i], count);
  Quats rotation = quats_normalize(quats_on_arc(qa, qb, t));
  Points position = points_add(pa, points_scale(points_sub(pb, pa), t));
  quats_store(&out->rotation[i], count, quats_select(t == 0, qa, quats_select(t == 1, qb, rotation)));
  points_store(&out->position[i], count, points_select(t == 0, pa, points_select(t == 1, pb, position)));
}

static void pose_blend_masked(const Pose *a, const Pose *b, const float *weights, Pose *out) {
  int count = out->count = a->count, i = 0;
  for (; i + LANES <= count; i += LANES)
    blend_masked_block(a, b, weights, i, LANES, out);
  if (i < count)
    blend_masked_block(a, b, weights, i, count - i, out);
}

static bool all_equal(const float *weights, int count) {
  int i = 1;
  while (i < count && weights[i] == weights[0])
    i++;
  return i >= count;
}

void pose_blend(const Pose *a, const Pose *b, float weight, const float *weights, Pose *out) {
  assert(a->count == b->count);
  if (weights && !all_equal(weights, a->count)) {
    pose_blend_masked(a, b, weights, out);
    return;
  }
  weight = weights ? weights[0] : weight;
  if (weight == 0 || weight == 1) {
    pose_copy(weight == 0 ? a : b, out);
    return;
  }
  int count = out->count = a->count, i = 0;
  points_lerp(a->position, b->position, weight, count, out->position);
  for (; i + LANES <= count; i += LANES)
    blend_block(&a->rotation[i], &b->rotation[i], lanes_all(weight), LANES, &out->rotation[i]);
  if (i < count)
    blend_block(&a->rotation[i], &b->rotation[i], lanes_all(weight), count - i, &out->rotation[i]);
}

// The signs of quaternions are taken from the heaviest pose, so that their sum cannot vanish.
LANES_BLOCK void mean_block(const Pose *const *poses, const float *weights, int pose_count, int heaviest, float total,
                            int i, int count, Pose *out) {
  Quats reference = quats_load(&poses[heaviest]->rotation[i], count), sum = {0};
  Points position = {0};
  for (int k = 0; k < pose_count; k++) {
    Lanes w = lanes_all(weights[k] / total);
    Quats q = quats_load(&poses[k]->rotation[i], count);
    sum = quats_mix(sum, lanes_all(1), q, lanes_flip(w, quats_dot(reference, q)));
    position = points_add(position, points_scale(points_load(&poses[k]->position[i], count), w));
  }
  quats_store(&out->rotation[i], count, quats_normalize(sum));
  points_store(&out->position[i], count, position);
}

void pose_blend_many(const Pose *const *poses, const float *weights, int count, Pose *out) {
  assert(count > 0);
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
    pose_copy(poses[heaviest], out);
    return;
  }
  int joints = poses[0]->count, i = 0;
  out->count = joints;
  for (; i + LANES <= joints; i += LANES)
    mean_block(poses, weights, count, heaviest, total, i, LANES, out);
  if (i < joints)
    mean_block(poses, weights, count, heaviest, total, i, joints - i, out);
}

LANES_BLOCK void difference_block(const Pose *pose, const Pose *reference, int i, int count, Pose *difference) {
  Quats back = quats_conjugate(quats_load(&reference->rotation[i], count));
  Points from = points_load(&reference->position[i], count), to = points_load(&pose->position[i], count);
  Quats rotation = quats_mul(back, quats_load(&pose->rotation[i], count));
  quats_store(&difference->rotation[i], count, quats_normalize(rotation));
  points_store(&difference->position[i], count, points_sub(to, from));
}

void pose_difference(const Pose *pose, const Pose *reference, Pose *difference) {
  assert(pose->count == reference->count);
  int count = difference->count = pose->count, i = 0;
  for (; i + LANES <= count; i += LANES)
    difference_block(pose, reference, i, LANES, difference);
  if (i < count)
    difference_block(pose, reference, i, count - i, difference);
}

LANES_BLOCK void add_block(const Pose *base, const Pose *difference, Lanes weight, int i, int count, Pose *out) {
  Quats d = quats_load(&difference->rotation[i], count);
  Lanes square = square_of_angle(lanes_flip(d.w, d.w)), part = weight * weight * square;
  // The short way, by a part of the angle; times the sine of the whole one, which the normalisation takes out.
  Lanes along = lanes_flip(weight * sine_over_angle(part), d.w);
  Quats turn = {along * d.x, along * d.y, along * d.z, sine_over_angle(square) * cosine_of_angle(part)};
  Quats rotation = quats_mul(quats_load(&base->rotation[i], count), turn);
  Points offset = points_scale(points_load(&difference->position[i], count), weight);
  Points position = points_add(points_load(&base->position[i], count), offset);
  quats_store(&out->rotation[i], count, quats_normalize(rotation));
  points_store(&out->position[i], count, position);
}

void pose_add(const Pose *base, const Pose *difference, float weight, Pose *out) {
  assert(base->count == difference->count);
  if (weight == 0) {
    pose_copy(base, out);
    return;
  }
  int count = out->count = base->count, i = 0;
  for (; i + LANES <= count; i += LANES)
    add_block(base, difference, lanes_all(weight), i, LANES, out);
  if (i < count)
    add_block(base, difference, lanes_all(weight), i, count - i, out);
}
