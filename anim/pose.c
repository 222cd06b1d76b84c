// Poses and rotations: blends of two or more, differences and sums, and conversion from parents' frames to model space.
#include "anim/pose.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "anim/lanes.h"
#include "anim/pose_loops.h"
#include "sim/base/numbers.h"
#include "sim/base/wide.h"

// ---- Rotations ----

versors quat_shortest_arc(vec3s from, vec3s to) {
  // In double, since for nearly opposite vectors the half-way vector is a small difference of large numbers.
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
  if (half_length < 1e-7) { // opposite: half a turn about an axis perpendicular to `from`
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
  double sine, cosine;
  sincos((double)(angle / 2), &sine, &cosine);
  float scale = angle > 1e-4f ? (float)sine / angle : 0.5f - angle * angle / 48;
  vec3s v = glms_vec3_scale(rotation_vector, scale);
  return glms_quat_normalize((versors){{v.x, v.y, v.z, (float)cosine}});
}

versors quat_about(int axis, double angle) {
  double sine, cosine;
  sincos(angle / 2, &sine, &cosine);
  versors q = {{0, 0, 0, (float)cosine}};
  q.raw[axis] = (float)sine;
  return q;
}

void quats_turns(const versors *from, const versors *to, int count, vec3s *turns) {
  pose_loops()->turns(from, to, count, turns);
}

void quat_swing_twist(versors q, vec3s axis, versors *swing, versors *twist) {
  float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  // After a swing of half a turn the twist is undefined and set to none. (glms_quat_normalize gives the identity for
  // zero.)
  *twist = glms_quat_normalize((versors){{along * axis.x, along * axis.y, along * axis.z, q.w}});
  *swing = glms_quat_mul(q, glms_quat_conjugate(*twist));
}

float vec3_angle_between(vec3s a, vec3s b) { return (float)angle_of_cosine((double)glms_vec3_dot(a, b)); }

versors quat_slerp(versors a, versors b, float t) {
  if (t == 0)
    return a;
  if (t == 1)
    return b;
  if (glms_quat_dot(a, b) < 0)
    b = quat_negate(b);
  // The angle from the chords is accurate for small angles as well, unlike acos(dot).
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

void pose_copy(const Pose *pose, Pose *out) {
  if (out == pose)
    return;
  size_t count = (size_t)pose->count;
  out->count = pose->count;
  memcpy(out->position, pose->position, count * sizeof pose->position[0]);
  memcpy(out->rotation, pose->rotation, count * sizeof pose->rotation[0]);
}

bool pose_is_same(const Pose *a, const Pose *b) {
  size_t count = (size_t)a->count;
  return a->count == b->count && memcmp(a->position, b->position, count * sizeof a->position[0]) == 0 &&
         memcmp(a->rotation, b->rotation, count * sizeof a->rotation[0]) == 0;
}

// Multiplies the rotations along the chains, where each joint waits for its parent. The products are not normalised
// yet. The parent is usually the previous joint, whose rotation need not be read from memory again.
static void turn_chains(const int *parent, const versors *local, int count, versors *model) {
  Lanes turn = lanes_load(local[0].raw);
  lanes_store(model[0].raw, turn);
  for (int i = 1; i < count; i++) {
    if (parent[i] != i - 1)
      turn = lanes_load(model[parent[i]].raw);
    turn = lanes_quat_mul(turn, lanes_load(local[i].raw));
    lanes_store(model[i].raw, turn);
  }
}

// Sets the positions of joints i .. i + count - 1 from the rotations of their parents; `last` is the position of the
// previous joint. Returns the position of the last of these joints.
LANES_BLOCK Lanes place_block(const int *parent, const Pose *local, int i, int count, Lanes last, ModelPose *model) {
  Quats to_model = quats_gather(model->rotation, &parent[i], count);
  Points turned = points_turn(to_model, points_load(&local->position[i], count));
  Lanes offset[LANES] = {turned.x, turned.y, turned.z};
  lanes_transpose(&offset[0], &offset[1], &offset[2], &offset[3]);
  for (int k = 0; k < count; k++) {
    int p = parent[i + k];
    last = (p == i + k - 1 ? last : lanes_from_point(model->position[p])) + offset[k];
    model->position[i + k] = lanes_to_point(last);
  }
  return last;
}

void pose_turn_to_model(const Skeleton *skeleton, const Pose *local, versors rotation[]) {
  turn_chains(skeleton->parent, local->rotation, local->count, rotation);
  pose_loops()->normalize(&rotation[1], local->count - 1);
}

versors pose_turn_joint(const Skeleton *skeleton, const Pose *local, int joint) {
  int chain[SKELETON_MAX_JOINTS], length = 0;
  for (int i = joint; i > 0; i = skeleton->parent[i])
    chain[length++] = i;
  versors rotation = local->rotation[0];
  for (int i = length - 1; i >= 0; i--)
    rotation = glms_quat_mul(rotation, local->rotation[chain[i]]);
  if (length > 0)
    pose_loops()->normalize(&rotation, 1);
  return rotation;
}

WIDE void pose_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model) {
  const int *parent = skeleton->parent;
  int count = model->count = local->count, i;
  pose_turn_to_model(skeleton, local, model->rotation);

  model->position[0] = local->position[0];
  Lanes position = lanes_from_point(local->position[0]);
  for (i = 1; i + LANES <= count; i += LANES)
    position = place_block(parent, local, i, LANES, position, model);
  if (i < count)
    place_block(parent, local, i, count - i, position, model);
}

WIDE void pose_legs_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model) {
  bool carries[SKELETON_MAX_JOINTS];
  memset(carries, false, (size_t)local->count * sizeof *carries);
  carries[0] = true;
  for (int i = 0; i < skeleton->leg_count; i++)
    for (int joint = skeleton->legs[i].ankle; !carries[joint]; joint = skeleton->parent[joint])
      carries[joint] = true;

  // The same products as in turn_chains, for a list of joints that begins with the root; `slot` is the index of a joint
  // in it.
  int list[SKELETON_MAX_JOINTS], slot[SKELETON_MAX_JOINTS], count = 1;
  versors rotation[SKELETON_MAX_JOINTS];
  rotation[0] = local->rotation[0];
  list[0] = slot[0] = 0;
  for (int i = 1; i < local->count; i++)
    if (carries[i]) {
      rotation[count] = glms_quat_mul(rotation[slot[skeleton->parent[i]]], local->rotation[i]);
      slot[i] = count;
      list[count++] = i;
    }
  pose_loops()->normalize(&rotation[1], count - 1);

  model->count = local->count;
  model->rotation[0] = rotation[0];
  model->position[0] = local->position[0];
  for (int i = 1; i < count; i++) {
    int joint = list[i], parent = skeleton->parent[joint];
    Lanes offset = lanes_turn(lanes_load(model->rotation[parent].raw), lanes_from_point(local->position[joint]));
    model->position[joint] = lanes_to_point(lanes_from_point(model->position[parent]) + offset);
    model->rotation[joint] = rotation[i];
  }
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

void pose_joint_transform(const Skeleton *skeleton, const Pose *local, int joint, vec3s *position, versors *rotation) {
  *position = glms_vec3_zero();
  *rotation = glms_quat_identity();
  for (int i = joint; i >= 0; i = skeleton->parent[i]) {
    *position = glms_vec3_add(local->position[i], quat_turn(local->rotation[i], *position));
    *rotation = glms_quat_mul(local->rotation[i], *rotation);
  }
  *rotation = glms_quat_normalize(*rotation);
}

double pose_leg_length(const ModelPose *model, const Leg *leg) {
  return (double)(glms_vec3_distance(model->position[leg->hip], model->position[leg->knee]) +
                  glms_vec3_distance(model->position[leg->knee], model->position[leg->ankle]));
}

void pose_transform(Pose *pose, vec3s root_position, versors root_rotation) {
  pose->position[0] = glms_vec3_add(root_position, glms_quat_rotatev(root_rotation, pose->position[0]));
  pose->rotation[0] = glms_quat_normalize(glms_quat_mul(root_rotation, pose->rotation[0]));
}

// Blends every joint with a weight of its own, exact at 0 and 1.
LANES_BLOCK void blend_masked_block(const Pose *a, const Pose *b, const float *weights, int i, int count, Pose *out) {
  Lanes t = lanes_load_some(&weights[i], count);
  Quats qa = quats_load(&a->rotation[i], count), qb = quats_load(&b->rotation[i], count);
  Points pa = points_load(&a->position[i], count), pb = points_load(&b->position[i], count);
  ArcWeights w = arc_weights(quats_dot(qa, qb), t);
  Quats rotation = quats_normalize(quats_mix(qa, w.a, qb, w.b));
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
  const PoseLoops *loops = pose_loops();
  int count = out->count = a->count;
  loops->lerp(a->position, b->position, weight, count, out->position);
  loops->slerp(a->rotation, b->rotation, weight, count, out->rotation);
}

// The signs of quaternions are chosen relative to the heaviest pose, so that their sum cannot vanish.
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

WIDE void pose_blend_many(const Pose *const *poses, const float *weights, int count, Pose *out) {
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

WIDE void pose_difference(const Pose *pose, const Pose *reference, Pose *difference) {
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
  // The shorter arc by a part of the angle, times the sine of the whole angle, which the normalisation removes.
  Lanes along = lanes_flip(weight * sine_over_angle(part), d.w);
  Quats turn = {along * d.x, along * d.y, along * d.z, sine_over_angle(square) * cosine_of_angle(part)};
  Quats rotation = quats_mul(quats_load(&base->rotation[i], count), turn);
  Points offset = points_scale(points_load(&difference->position[i], count), weight);
  Points position = points_add(points_load(&base->position[i], count), offset);
  quats_store(&out->rotation[i], count, quats_normalize(rotation));
  points_store(&out->position[i], count, position);
}

WIDE void pose_add(const Pose *base, const Pose *difference, float weight, Pose *out) {
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

// ---- Saving and restoring ----

void pose_state(Pose *pose, int joints, StateStream *stream) {
  bool is_set = pose->count > 0;
  STATE(stream, is_set);
  if (state_restores(stream) && !stream->failed)
    pose->count = is_set ? joints : 0;
  state_bytes(stream, pose->position, (size_t)pose->count * sizeof *pose->position);
  state_bytes(stream, pose->rotation, (size_t)pose->count * sizeof *pose->rotation);
}
