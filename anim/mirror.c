// Mirrors poses at the plane x = 0: twin joints swap their rotations, joints in the middle mirror their own.
#include "anim/mirror.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "anim/lanes.h"
#include "sim/base/numbers.h"

static const float POSITION_TOLERANCE = 1e-3f;   // m
static const float ROTATION_TOLERANCE = 0.0087f; // rad, 0.5 deg

// ---- Poses ----

static Quats quats_mirror(Quats q) { return (Quats){q.x, -q.y, -q.z, q.w}; }

static int block_size(int count, int first) { return count - first < LANES ? count - first : LANES; }

// Sets bind rotations in model space, B, and for each joint the rotation from its frame to the mirror image of its
// twin's frame, c = B^-1 M B_twin M. This is the identity if the frames are mirror images of each other.
static void find_frames(const MirrorJob *job, versors *bind_m, versors *frame) {
  bind_m[0] = job->bind_rotation_l[0];
  for (int i = 1; i < job->count; i++) {
    assert(job->parent[i] < i && job->twin[job->twin[i]] == i);
    bind_m[i] = glms_quat_mul(bind_m[job->parent[i]], job->bind_rotation_l[i]);
  }
  for (int i = 0; i < job->count; i += LANES) {
    int n = block_size(job->count, i);
    Quats own = quats_load(bind_m + i, n), twin = quats_gather(bind_m, job->twin + i, n);
    quats_store(frame + i, n, quats_normalize(quats_mul(quats_conjugate(own), quats_mirror(twin))));
  }
}

// Displacements of the twins of n joints from the bind pose, mirrored.
static Points gather_moved(const MirrorJob *job, const int *twin, int n) {
  vec3s moved[LANES];
  for (int k = 0; k < n; k++)
    moved[k] = mirror_vector(glms_vec3_sub(job->position_l[twin[k]], job->bind_position_l[twin[k]]));
  return points_load(moved, n);
}

// In model space, and relative to the bind pose, R' = (M R_twin B_twin^-1 M) B. Relative to the parent's R' all terms
// cancel except those of the joint's own frame and the parent's, so that each joint can be mirrored by itself: r' =
// c_parent (M r_twin M) c^-1. Its displacement from the bind pose is mirrored likewise: d' = c_parent M d_twin.
void mirror_solve(const MirrorJob *job) {
  versors *bind_m = job->scratch, *frame = job->scratch + job->count;
  assert(job->count > 0 && job->twin[0] == 0);
  find_frames(job, bind_m, frame);

  // The position of the root is a place in its frame, not an offset along a bone.
  job->out_position_l[0] = mirror_vector(job->position_l[0]);
  job->out_rotation_l[0] =
      glms_quat_normalize(glms_quat_mul(mirror_rotation(job->rotation_l[0]), glms_quat_conjugate(frame[0])));
  for (int i = 1; i < job->count; i += LANES) {
    int n = block_size(job->count, i);
    Quats parent = quats_gather(frame, job->parent + i, n), own = quats_load(frame + i, n);
    Quats turned = quats_mul(parent, quats_mirror(quats_gather(job->rotation_l, job->twin + i, n)));
    quats_store(job->out_rotation_l + i, n, quats_normalize(quats_mul(turned, quats_conjugate(own))));
    Points moved = points_turn(parent, gather_moved(job, job->twin + i, n));
    points_store(job->out_position_l + i, n, points_add(points_load(job->bind_position_l + i, n), moved));
  }
}

void mirror_pose(const Skeleton *skeleton, const Pose *pose, Pose *out) {
  assert(pose->count == skeleton->count);
  versors scratch[2 * SKELETON_MAX_JOINTS];
  Pose copy;
  if (out == pose) {
    copy = *pose;
    pose = &copy;
  }
  out->count = pose->count;
  mirror_solve(&(MirrorJob){.count = skeleton->count,
                            .parent = skeleton->parent,
                            .twin = skeleton->twin,
                            .bind_position_l = skeleton->bind_position_l,
                            .bind_rotation_l = skeleton->bind_rotation_l,
                            .position_l = pose->position,
                            .rotation_l = pose->rotation,
                            .out_position_l = out->position,
                            .out_rotation_l = out->rotation,
                            .scratch = scratch});
}

// ---- Bind poses ----

// The angle to the nearest of the 24 rotations that permute the axes. Their quaternions, apart from signs and order of
// components, are (1 0 0 0), (1 1 0 0)/sqrt 2 and (1 1 1 1)/2.
static float angle_to_quarter_turns(versors q) {
  float sum = 0, largest = 0, second = 0;
  for (int k = 0; k < 4; k++) {
    float component = fabsf(q.raw[k]);
    sum += component;
    second = fmaxf(second, fminf(component, largest));
    largest = fmaxf(largest, component);
  }
  float cosine = fmaxf(largest, fmaxf((largest + second) * GLM_SQRT1_2f, sum / 2));
  return 2 * (float)angle_of_cosine((double)cosine);
}

static bool joint_is_symmetric(const Skeleton *skeleton, const ModelPose *bind_m, int joint) {
  int twin = skeleton->twin[joint], parent = skeleton->parent[joint], twin_parent = skeleton->parent[twin];
  if (skeleton->twin[twin] != joint || (parent < 0) != (twin_parent < 0))
    return false;
  if (parent >= 0 && skeleton->twin[parent] != twin_parent)
    return false;
  vec3s image = mirror_vector(bind_m->position[twin]);
  versors frame = glms_quat_mul(glms_quat_conjugate(bind_m->rotation[joint]), mirror_rotation(bind_m->rotation[twin]));
  return glms_vec3_distance(bind_m->position[joint], image) <= POSITION_TOLERANCE &&
         angle_to_quarter_turns(frame) <= ROTATION_TOLERANCE;
}

int mirror_asymmetry(const Skeleton *skeleton, char *names, size_t size) {
  Pose bind = pose_bind(skeleton);
  ModelPose bind_m;
  pose_to_model(skeleton, &bind, &bind_m);
  int count = 0;
  size_t used = 0;
  if (size > 0)
    names[0] = '\0';
  for (int i = 0; i < skeleton->count; i++) {
    if (joint_is_symmetric(skeleton, &bind_m, i))
      continue;
    const char *comma = count++ > 0 ? ", " : "";
    if (used + strlen(comma) + strlen(skeleton->names[i]) < size)
      used += (size_t)snprintf(names + used, size - used, "%s%s", comma, skeleton->names[i]);
  }
  return count;
}

// ---- Clips ----

int mirror_leg(const Skeleton *skeleton, int leg) {
  for (int k = 0; k < skeleton->leg_count; k++)
    if (skeleton->legs[k].ankle == skeleton->twin[skeleton->legs[leg].ankle])
      return k;
  return leg;
}

void mirror_mark_name(const char *name, char mirrored[SKELETON_NAME_SIZE]) {
  char copy[SKELETON_NAME_SIZE];
  snprintf(copy, sizeof copy, "%s", name);
  if (strncmp(copy, "left_", 5) == 0)
    snprintf(mirrored, SKELETON_NAME_SIZE, "right_%s", copy + 5);
  else if (strncmp(copy, "right_", 6) == 0)
    snprintf(mirrored, SKELETON_NAME_SIZE, "left_%s", copy + 6);
  else
    snprintf(mirrored, SKELETON_NAME_SIZE, "%s", copy);
}
