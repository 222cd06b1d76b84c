// Converts a scene's keys to poses. All of it is computed with world matrices, so that nodes that are not joints
// (pivots, armatures) and scales are folded into the joints below them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_assimp_internal.h"
#include "anim/pose.h"

mat4s motion_assimp_matrix(const struct aiMatrix4x4 *m) {
  return (mat4s){{{m->a1, m->b1, m->c1, m->d1},
                  {m->a2, m->b2, m->c2, m->d2},
                  {m->a3, m->b3, m->c3, m->d3},
                  {m->a4, m->b4, m->c4, m->d4}}};
}

// Keys must be finite, not too many, and in order of time; assimp does not guarantee it.
static bool check_channel(const AssimpScene *scene, const struct aiNodeAnim *channel) {
  const unsigned counts[] = {channel->mNumPositionKeys, channel->mNumRotationKeys, channel->mNumScalingKeys};
  for (int kind = 0; kind < 3; kind++) {
    double last = -INFINITY;
    for (unsigned k = 0; k < counts[kind]; k++) {
      double time, sum;
      if (kind == 1) {
        const struct aiQuatKey *key = &channel->mRotationKeys[k];
        time = key->mTime;
        sum = (double)key->mValue.x + (double)key->mValue.y + (double)key->mValue.z + (double)key->mValue.w;
      } else {
        const struct aiVectorKey *key = kind == 0 ? &channel->mPositionKeys[k] : &channel->mScalingKeys[k];
        time = key->mTime;
        sum = (double)key->mValue.x + (double)key->mValue.y + (double)key->mValue.z;
      }
      if (!isfinite(time) || !isfinite(sum))
        return error_at(scene->error, scene->file->name, 0, 0, "key %u of '%s' is not finite", k + 1,
                        channel->mNodeName.data);
      if (time < last)
        return error_at(scene->error, scene->file->name, 0, 0, "key %u of '%s' lies before the one before it", k + 1,
                        channel->mNodeName.data);
      last = time;
    }
  }
  return true;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// Rate of the keys in Hz: the inverse of their usual spacing, or a multiple that is fast enough for interpolation by
// slerp to follow the arcs.
static double find_rate(const struct aiNodeAnim *densest, double ticks) {
  const bool by_rotation = densest->mNumRotationKeys >= densest->mNumPositionKeys;
  const unsigned count = by_rotation ? densest->mNumRotationKeys : densest->mNumPositionKeys;
  double *gaps = count > 1 ? malloc((count - 1) * sizeof *gaps) : NULL;
  if (!gaps)
    return 30;
  unsigned used = 0;
  for (unsigned k = 1; k < count; k++) {
    const double gap = by_rotation ? densest->mRotationKeys[k].mTime - densest->mRotationKeys[k - 1].mTime
                                   : densest->mPositionKeys[k].mTime - densest->mPositionKeys[k - 1].mTime;
    if (gap > 0)
      gaps[used++] = gap / ticks;
  }
  qsort(gaps, used, sizeof *gaps, compare_doubles);
  double rate = used > 0 ? 1 / gaps[used / 2] : 30;
  free(gaps);
  if (fabs(rate - round(rate)) < 2e-4 * rate) // rounded: 0.008333 in the file means 120 Hz
    rate = round(rate);
  if (rate > 1000)
    return 1000;
  return rate < 10 ? rate * ceil(24 / rate) : rate;
}

static bool find_times(AssimpScene *scene, Motion *motion) {
  const struct aiAnimation *animation = scene->animation;
  if (!animation) {
    motion->frame_count = 1;
    motion->frame_rate = 30;
    return true;
  }
  // assimp reports 0 when it is unknown.
  const double ticks = animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
  double first = INFINITY, last = -INFINITY;
  const struct aiNodeAnim *densest = NULL;
  unsigned most = 0;
  for (unsigned c = 0; c < animation->mNumChannels; c++) {
    const struct aiNodeAnim *channel = animation->mChannels[c];
    const int node = motion_assimp_channel_node(scene, channel, false);
    if (!check_channel(scene, channel))
      return false;
    if (node < 0)
      continue;
    scene->nodes[node].channel = channel;
    const unsigned p = channel->mNumPositionKeys, r = channel->mNumRotationKeys;
    if (p > 0) {
      first = fmin(first, channel->mPositionKeys[0].mTime);
      last = fmax(last, channel->mPositionKeys[p - 1].mTime);
    }
    if (r > 0) {
      first = fmin(first, channel->mRotationKeys[0].mTime);
      last = fmax(last, channel->mRotationKeys[r - 1].mTime);
    }
    if (!densest || p > most || r > most) {
      densest = channel;
      most = p > r ? p : r;
    }
  }
  if (!isfinite(ticks) || (densest && !isfinite(last - first)))
    return motion_assimp_fail(scene, "its frame time is not finite or not above zero");
  scene->start = densest ? first / ticks : 0;
  scene->end = densest ? last / ticks : 0;
  motion->frame_rate = densest ? find_rate(densest, ticks) : 30;
  const double frames = floor((scene->end - scene->start) * motion->frame_rate + 0.5) + 1;
  if (!motion_fits(frames, motion->joint_count))
    return error_at(scene->error, scene->file->name, 0, 0,
                    "is too large: %.0f frames of %d joints, at most %d frames and %d in all are allowed", frames,
                    motion->joint_count, MOTION_MAX_FRAMES, MOTION_MAX_SAMPLES);
  motion->frame_count = (int)frames;
  return true;
}

// The last key at or before a time, 0 .. count - 2. part: the fraction of the way to the next key, 0 .. 1.
static unsigned find_key(const char *times, size_t stride, unsigned count, double time, float *part) {
  unsigned low = 0, high = count - 1;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (*(const double *)(const void *)(times + middle * stride) <= time)
      low = middle;
    else
      high = middle;
  }
  const double before = *(const double *)(const void *)(times + low * stride);
  const double after = *(const double *)(const void *)(times + high * stride);
  const double ratio = after > before ? (time - before) / (after - before) : 1;
  *part = (float)fmax(0, fmin(1, ratio));
  return low;
}

static vec3s sample_vector(const struct aiVectorKey *keys, unsigned count, double time) {
  float part = 0;
  const unsigned k = count > 1 ? find_key((const char *)&keys->mTime, sizeof *keys, count, time, &part) : 0;
  const struct aiVector3D a = keys[k].mValue, b = keys[count > 1 ? k + 1 : k].mValue;
  return glms_vec3_lerp((vec3s){{a.x, a.y, a.z}}, (vec3s){{b.x, b.y, b.z}}, part);
}

static versors sample_rotation(const struct aiQuatKey *keys, unsigned count, double time) {
  float part = 0;
  const unsigned k = count > 1 ? find_key((const char *)&keys->mTime, sizeof *keys, count, time, &part) : 0;
  const struct aiQuaternion a = keys[k].mValue, b = keys[count > 1 ? k + 1 : k].mValue;
  return quat_slerp(glms_quat_normalize((versors){{a.x, a.y, a.z, a.w}}),
                    glms_quat_normalize((versors){{b.x, b.y, b.z, b.w}}), part);
}

static mat4s sample_node(const AssimpNode *node, double time) {
  const mat4s rest = motion_assimp_matrix(&node->source->mTransformation);
  const struct aiNodeAnim *channel = node->channel;
  if (!channel)
    return rest;
  mat4s rotation = glms_mat4_identity();
  vec3s scale = {{glms_vec3_norm(glms_vec3(rest.col[0])), glms_vec3_norm(glms_vec3(rest.col[1])),
                  glms_vec3_norm(glms_vec3(rest.col[2]))}};
  vec3s position = glms_vec3(rest.col[3]);
  if (channel->mNumRotationKeys > 0)
    rotation = glms_quat_mat4(sample_rotation(channel->mRotationKeys, channel->mNumRotationKeys, time));
  else
    for (int c = 0; c < 3; c++)
      if (scale.raw[c] > 0)
        rotation.col[c] = glms_vec4_scale(rest.col[c], 1 / scale.raw[c]);
  if (channel->mNumScalingKeys > 0)
    scale = sample_vector(channel->mScalingKeys, channel->mNumScalingKeys, time);
  if (channel->mNumPositionKeys > 0)
    position = sample_vector(channel->mPositionKeys, channel->mNumPositionKeys, time);
  for (int c = 0; c < 3; c++)
    rotation.col[c] = glms_vec4_scale(rotation.col[c], scale.raw[c]);
  rotation.col[3] = glms_vec4(position, 1);
  return rotation;
}

// ---- Poses ----

// The rotation in a matrix with any scale, by Gram-Schmidt orthogonalisation; a reflection is removed.
static versors rotation_of(mat4s m, bool *is_skewed) {
  vec3s x = glms_vec3(m.col[0]), y = glms_vec3(m.col[1]), z = glms_vec3(m.col[2]);
  const float lx = glms_vec3_norm(x), ly = glms_vec3_norm(y), lz = glms_vec3_norm(z);
  if (!(lx > 1e-12f && ly > 1e-12f && lz > 1e-12f)) {
    *is_skewed = true;
    return glms_quat_identity();
  }
  x = glms_vec3_scale(x, 1 / lx);
  y = glms_vec3_scale(y, 1 / ly);
  z = glms_vec3_scale(z, 1 / lz);
  const bool is_mirrored = glms_vec3_dot(glms_vec3_cross(x, y), z) < 0;
  const float skew = fmaxf(fabsf(glms_vec3_dot(x, y)), fmaxf(fabsf(glms_vec3_dot(y, z)), fabsf(glms_vec3_dot(z, x))));
  if (skew > 0.02f || fabsf(lx - ly) > 0.02f * lx || fabsf(lx - lz) > 0.02f * lx || is_mirrored)
    *is_skewed = true;
  y = glms_vec3_normalize(glms_vec3_sub(y, glms_vec3_scale(x, glms_vec3_dot(x, y))));
  z = glms_vec3_cross(x, y);
  mat3s rotation = {.col = {x, y, z}};
  return glms_quat_normalize(glms_mat3_quat(rotation));
}

// Local positions and rotations of all joints from the nodes' world matrices. before: rotations of the previous frame,
// whose quaternion signs are kept, or NULL.
static void store_pose(const AssimpScene *scene, const MotionJoint *joints, const versors *before, vec3s *positions,
                       versors *rotations, vec3s *world_positions, versors *world_rotations, bool *is_skewed) {
  for (int i = 0; i < scene->count; i++) {
    const AssimpNode *node = &scene->nodes[i];
    const int j = node->joint;
    if (j < 0)
      continue;
    const int parent = joints[j].parent;
    world_positions[j] = glms_vec3(node->world.col[3]);
    world_rotations[j] = rotation_of(node->world, is_skewed);
    positions[j] = world_positions[j];
    rotations[j] = world_rotations[j];
    if (parent >= 0) {
      const versors back = glms_quat_conjugate(world_rotations[parent]);
      positions[j] = glms_quat_rotatev(back, glms_vec3_sub(world_positions[j], world_positions[parent]));
      rotations[j] = glms_quat_normalize(glms_quat_mul(back, world_rotations[j]));
    }
    const versors *last = before ? &before[j] : NULL;
    if (last ? glms_quat_dot(*last, rotations[j]) < 0 : rotations[j].w < 0)
      rotations[j] = (versors){{-rotations[j].x, -rotations[j].y, -rotations[j].z, -rotations[j].w}};
  }
}

static void place_nodes(AssimpScene *scene, bool is_rest, double time) {
  for (int i = 0; i < scene->count; i++) {
    AssimpNode *node = &scene->nodes[i];
    const mat4s local = is_rest ? motion_assimp_matrix(&node->source->mTransformation) : sample_node(node, time);
    node->world = node->parent >= 0 ? glms_mat4_mul(scene->nodes[node->parent].world, local) : local;
  }
}

// The rest pose from the skins' bind matrices: world transforms of the bones, in `bind`. by_mesh: the transform of the
// mesh is included (in FBX; not in glTF). Returns the mean cosine between the directions of its bones and those of
// `start`, -1 .. 1, or -1 when bone lengths differ, since then the file was misinterpreted.
static double find_bind_pose(const AssimpScene *scene, bool by_mesh, const vec3s *start, mat4s *bind) {
  double along = 0, all = 0;
  int good = 0, bones = 0;
  for (int i = 0; i < scene->count; i++) {
    const AssimpNode *node = &scene->nodes[i];
    if (node->bone && node->is_joint) {
      const mat4s offset = glms_mat4_inv(motion_assimp_matrix(&node->bone->mOffsetMatrix));
      bind[i] = by_mesh ? glms_mat4_mul(scene->nodes[node->mesh_node].world, offset) : offset;
    } else {
      const mat4s local = motion_assimp_matrix(&node->source->mTransformation);
      bind[i] = node->parent >= 0 && i != scene->root ? glms_mat4_mul(bind[node->parent], local) : node->world;
    }
    if (!node->bone || !node->is_joint || node->parent < 0 || !scene->nodes[node->parent].bone)
      continue;
    const vec3s a = glms_vec3_sub(glms_vec3(bind[i].col[3]), glms_vec3(bind[node->parent].col[3]));
    const vec3s b = glms_vec3_sub(start[i], start[node->parent]);
    const float la = glms_vec3_norm(a), lb = glms_vec3_norm(b);
    bones++;
    good += fabsf(la - lb) <= 0.02f * lb + 1e-6f && isfinite(la) ? 1 : 0;
    along += (double)glms_vec3_dot(a, b);
    all += (double)la * (double)lb;
  }
  return bones > 0 && good >= 0.9 * bones && all > 0 ? along / all : -1;
}

// The rest pose of the nodes is often just the pose in which the file was saved, whereas skins store the pose that they
// were bound in. The bind pose is used if it is plausible: bone lengths agree, and directions are similar to those at
// the animation's start.
static void place_rest(AssimpScene *scene) {
  mat4s *bind = malloc((size_t)scene->count * sizeof *bind);
  vec3s *start = malloc((size_t)scene->count * sizeof *start);
  place_nodes(scene, !scene->animation, scene->start * scene->ticks);
  for (int i = 0; start && i < scene->count; i++)
    start[i] = glms_vec3(scene->nodes[i].world.col[3]);
  place_nodes(scene, true, 0);
  if (bind && start) {
    const bool by_mesh = find_bind_pose(scene, true, start, bind) >= find_bind_pose(scene, false, start, bind);
    if (find_bind_pose(scene, by_mesh, start, bind) > 0.5)
      for (int i = 0; i < scene->count; i++)
        scene->nodes[i].world = bind[i];
  }
  free(bind);
  free(start);
}

static bool fill_poses(AssimpScene *scene, Motion *motion) {
  const size_t joints = (size_t)motion->joint_count, samples = (size_t)motion->frame_count * joints;
  motion->position_l = calloc(samples, sizeof *motion->position_l);
  motion->rotation_l = calloc(samples, sizeof *motion->rotation_l);
  vec3s *positions = calloc(2 * joints, sizeof *positions);
  versors *rotations = calloc(2 * joints, sizeof *rotations);
  bool is_skewed = false, is_ok = false;
  if (motion->position_l && motion->rotation_l && positions && rotations) {
    place_rest(scene);
    store_pose(scene, motion->joints, NULL, positions + joints, rotations + joints, positions, rotations, &is_skewed);
    for (size_t j = 0; j < joints; j++) {
      motion->joints[j].bind_position_l = positions[joints + j];
      motion->joints[j].bind_rotation_l = rotations[joints + j];
    }
    const bool has_skin = (!scene->wants_skin || motion_assimp_skin(scene, motion, positions, rotations)) &&
                          (!scene->wants_mesh || motion_assimp_mesh(scene, motion, positions, rotations));
    for (int frame = 0; frame < motion->frame_count; frame++) {
      const size_t first = (size_t)frame * joints;
      place_nodes(scene, !scene->animation, (scene->start + frame / motion->frame_rate) * scene->ticks);
      store_pose(scene, motion->joints, frame > 0 ? motion->rotation_l + first - joints : NULL,
                 motion->position_l + first, motion->rotation_l + first, positions, rotations, &is_skewed);
    }
    is_ok = has_skin || motion_assimp_fail(scene, "out of memory");
  } else {
    motion_assimp_fail(scene, "out of memory");
  }
  for (size_t i = 0; is_ok && i < samples + joints; i++) {
    const vec3s p = i < samples ? motion->position_l[i] : motion->joints[i - samples].bind_position_l;
    const versors q = i < samples ? motion->rotation_l[i] : motion->joints[i - samples].bind_rotation_l;
    if (!isfinite(p.x + p.y + p.z) || !isfinite(q.x + q.y + q.z + q.w))
      is_ok = error_at(scene->error, scene->file->name, 0, 0, "joint '%s' has a place that is not finite",
                       motion->joints[i % joints].name);
  }
  if (is_skewed)
    motion_warn(motion, "Some joints are scaled unevenly, mirrored or flat: their places are kept, the scale is not.");
  free(positions);
  free(rotations);
  return is_ok;
}

bool motion_assimp_fill(AssimpScene *scene, Motion *motion) {
  return find_times(scene, motion) && fill_poses(scene, motion);
}
