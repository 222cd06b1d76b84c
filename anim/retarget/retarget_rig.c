// Converts poses of a motion to poses of a skeleton. Limbs are converted as directions of their bones, together with
// the axes about which their hinges bend; trunk, head, hands and feet as rotations from a corrected rest pose.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"

static const float TINY = 1e-5f;
static const float HINGE_SURE = 0.12f; // sine of the bend above which the bend alone determines the hinge axis (7 deg)
static const float HINGE_LEARNT = 0.05f;   // mean sine of the bend that is needed to learn the axis from the motion
static const float HINGE_STEADY = 0.8f;    // least agreement of the observed axes (length of their mean)
static const float NEARLY_UPRIGHT = 0.85f; // cosine (32 deg)
enum { LEARN_FRAMES = 400 };               // most frames examined

static vec3s unit_or(vec3s v, vec3s fallback) { return glms_vec3_norm(v) > TINY ? glms_vec3_normalize(v) : fallback; }

static vec3s across(vec3s v, vec3s unit_axis) { return glms_vec3_muladds(unit_axis, -glms_vec3_dot(v, unit_axis), v); }

versors retarget_frame_turn(vec3s a, vec3s x, vec3s b, vec3s y) {
  vec3s from[3], to[3];
  from[0] = unit_or(across(x, a), (vec3s){{1, 0, 0}});
  to[0] = unit_or(across(y, b), (vec3s){{1, 0, 0}});
  from[1] = a;
  to[1] = b;
  from[2] = glms_vec3_cross(from[0], from[1]);
  to[2] = glms_vec3_cross(to[0], to[1]);
  mat3s m;
  for (int column = 0; column < 3; column++)
    for (int row = 0; row < 3; row++)
      m.raw[column][row] = to[0].raw[row] * from[0].raw[column] + to[1].raw[row] * from[1].raw[column] +
                           to[2].raw[row] * from[2].raw[column];
  return glms_quat_normalize(glms_mat3_quat(m));
}

// ---- The source's joints in its world ----

void retarget_place_rest(const Motion *motion, vec3s *positions, versors *rotations) {
  for (int i = 0; i < motion->joint_count; i++) {
    const MotionJoint *joint = &motion->joints[i];
    int p = joint->parent;
    positions[i] = p < 0 ? joint->bind_position_l
                         : glms_vec3_add(positions[p], glms_quat_rotatev(rotations[p], joint->bind_position_l));
    rotations[i] = p < 0 ? joint->bind_rotation_l : glms_quat_mul(rotations[p], joint->bind_rotation_l);
  }
}

void retarget_rig_place(const RetargetRig *rig, double time) {
  const Motion *motion = rig->motion;
  double at = fmin(fmax(time * motion->frame_rate, 0), motion->frame_count - 1);
  int first = (int)at, second = first + 1 < motion->frame_count ? first + 1 : first;
  float t = (float)(at - first);
  size_t count = (size_t)motion->joint_count;
  const vec3s *pa = motion->position_l + (size_t)first * count, *pb = motion->position_l + (size_t)second * count;
  const versors *qa = motion->rotation_l + (size_t)first * count, *qb = motion->rotation_l + (size_t)second * count;
  for (size_t i = 0; i < count; i++) {
    vec3s p = glms_vec3_lerp(pa[i], pb[i], t);
    versors q = quat_slerp(qa[i], qb[i], t);
    int parent = motion->joints[i].parent;
    rig->positions[i] =
        parent < 0 ? p : glms_vec3_add(rig->positions[parent], glms_quat_rotatev(rig->rotations[parent], p));
    rig->rotations[i] = parent < 0 ? q : glms_quat_normalize(glms_quat_mul(rig->rotations[parent], q));
  }
}

static double motion_duration(const Motion *motion) { return (motion->frame_count - 1) / motion->frame_rate; }

// ---- Limbs ----

static int child_of(const Motion *motion, int joint) {
  for (int i = joint + 1; i < motion->joint_count; i++)
    if (motion->joints[i].parent == joint && glms_vec3_norm(motion->joints[i].bind_position_l) > TINY)
      return i;
  return -1;
}

static void add_limb(RetargetRig *rig, int upper, int lower, int end, float flexion) {
  const int *source = rig->map->source;
  int source_end = source[end] >= 0 ? source[end] : child_of(rig->motion, source[lower]);
  if (source[upper] < 0 || source[lower] < 0 || source_end < 0 || rig->limb_count == RETARGET_MAX_LIMBS)
    return;
  const ModelPose *bind = &rig->bind_m;
  vec3s down = {{0, -1, 0}};
  Limb *limb = &rig->limbs[rig->limb_count++];
  *limb = (Limb){.upper = upper,
                 .lower = lower,
                 .end = end,
                 .flexion = flexion,
                 .source_upper = source[upper],
                 .source_lower = source[lower],
                 .source_end = source_end};
  limb->upper_m = unit_or(glms_vec3_sub(bind->position[lower], bind->position[upper]), down);
  limb->lower_m = unit_or(glms_vec3_sub(bind->position[end], bind->position[lower]), limb->upper_m);
  limb->hinge_m =
      unit_or(across(glms_quat_rotatev(bind->rotation[lower], (vec3s){{1, 0, 0}}), limb->upper_m), (vec3s){{1, 0, 0}});
  limb->bind_bend = atan2f(glms_vec3_dot(glms_vec3_cross(limb->upper_m, limb->lower_m), limb->hinge_m),
                           glms_vec3_dot(limb->upper_m, limb->lower_m));
}

static void find_limbs(RetargetRig *rig) {
  const Skeleton *skeleton = rig->skeleton;
  for (int l = 0; l < skeleton->leg_count; l++)
    add_limb(rig, skeleton->legs[l].hip, skeleton->legs[l].knee, skeleton->legs[l].ankle, 1);
  for (int i = 0; i < skeleton->count; i++) { // an arm: upper arm, forearm and hand in sequence
    static const Role roles[3] = {ROLE_HAND, ROLE_FOREARM, ROLE_UPPER_ARM};
    int chain[4] = {i};
    bool arm = true;
    for (int k = 0; k < 3 && arm; k++) {
      JointMeaning meaning = {.role = ROLE_NONE};
      arm = chain[k] >= 0 && joint_meanings(skeleton->names[chain[k]], &meaning, 1) > 0 && meaning.role == roles[k];
      if (arm)
        chain[k + 1] = skeleton->parent[chain[k]];
    }
    if (arm)
      add_limb(rig, chain[2], chain[1], chain[0], -1);
  }
}

static void limb_directions(const RetargetRig *rig, const Limb *limb, vec3s *upper, vec3s *lower) {
  vec3s mid = rig->positions[limb->source_lower];
  *upper = unit_or(glms_vec3_sub(mid, rig->positions[limb->source_upper]), limb->upper_m);
  *lower = unit_or(glms_vec3_sub(rig->positions[limb->source_end], mid), *upper);
}

// Learns the axis about which a limb of the source bends, in its upper joint's frame: the mean over the frames. Where
// the limb hardly bends, the axis comes from the rest pose: our hinge axis turned along with the bone. rest: our model
// frame in the source's world.
static void learn_hinges(RetargetRig *rig, versors rest) {
  for (int i = 0; i < rig->limb_count; i++) {
    Limb *limb = &rig->limbs[i];
    vec3s upper, lower;
    limb_directions(rig, limb, &upper, &lower);
    versors carried = glms_quat_mul(quat_shortest_arc(glms_quat_rotatev(rest, limb->upper_m), upper), rest);
    vec3s hinge = glms_quat_rotatev(carried, limb->hinge_m);
    limb->source_hinge_l = glms_quat_rotatev(glms_quat_conjugate(rig->rotations[limb->source_upper]), hinge);
  }

  vec3s sum[RETARGET_MAX_LIMBS] = {{{0, 0, 0}}};
  float weight[RETARGET_MAX_LIMBS] = {0};
  int step = rig->motion->frame_count / LEARN_FRAMES + 1, frames = 0;
  for (int f = 0; f < rig->motion->frame_count; f += step, frames++) {
    retarget_rig_place(rig, f / rig->motion->frame_rate);
    for (int i = 0; i < rig->limb_count; i++) {
      const Limb *limb = &rig->limbs[i];
      vec3s upper, lower;
      limb_directions(rig, limb, &upper, &lower);
      vec3s bend = glms_vec3_scale(glms_vec3_cross(upper, lower), limb->flexion);
      bend = glms_quat_rotatev(glms_quat_conjugate(rig->rotations[limb->source_upper]), bend);
      sum[i] = glms_vec3_add(sum[i], bend);
      weight[i] += glms_vec3_norm(bend);
    }
  }
  for (int i = 0; i < rig->limb_count; i++) {
    float length = glms_vec3_norm(sum[i]);
    if (weight[i] > HINGE_LEARNT * (float)frames && length > HINGE_STEADY * weight[i])
      rig->limbs[i].source_hinge_l = glms_vec3_scale(sum[i], 1 / length);
  }
}

// Bone directions are kept exactly; the upper bone turns about itself until the hinge is perpendicular to both bones. A
// straight limb does not determine the hinge, so the source's axis is taken. Hinges never bend backward: that part of
// the motion is lost.
static void solve_limb(const RetargetRig *rig, const Limb *limb, ModelPose *model, Pose *pose) {
  const Skeleton *skeleton = rig->skeleton;
  vec3s upper, lower;
  limb_directions(rig, limb, &upper, &lower);
  vec3s axis = glms_quat_rotatev(rig->rotations[limb->source_upper], limb->source_hinge_l);
  axis = unit_or(across(axis, upper), limb->hinge_m);
  vec3s bend = glms_vec3_scale(glms_vec3_cross(upper, lower), limb->flexion);
  bend = glms_vec3_muladds(axis, -fminf(glms_vec3_dot(bend, axis), 0), bend);
  vec3s hinge = unit_or(glms_vec3_muladds(axis, HINGE_SURE, bend), axis);

  versors turn = retarget_frame_turn(limb->upper_m, limb->hinge_m, upper, hinge);
  float angle = atan2f(glms_vec3_dot(glms_vec3_cross(upper, lower), hinge), glms_vec3_dot(upper, lower));
  angle = limb->flexion * fmaxf(limb->flexion * angle, 0) - limb->bind_bend;
  int parent = skeleton->parent[limb->upper];
  model->rotation[limb->upper] = glms_quat_mul(turn, rig->bind_m.rotation[limb->upper]);
  pose->rotation[limb->upper] =
      glms_quat_mul(glms_quat_conjugate(model->rotation[parent]), model->rotation[limb->upper]);
  versors knee = {{sinf(angle / 2), 0, 0, cosf(angle / 2)}};
  pose->rotation[limb->lower] = glms_quat_mul(skeleton->bind_rotation_l[limb->lower], knee);
  model->rotation[limb->lower] = glms_quat_mul(model->rotation[limb->upper], pose->rotation[limb->lower]);
}

// ---- The reference pose ----

// The world axis nearest to a direction if it is close, otherwise the direction.
static vec3s upright(vec3s v) {
  int largest = fabsf(v.x) > fabsf(v.y) ? (fabsf(v.x) > fabsf(v.z) ? 0 : 2) : fabsf(v.y) > fabsf(v.z) ? 1 : 2;
  vec3s axis = {{0, 0, 0}};
  axis.raw[largest] = copysignf(1, v.raw[largest]);
  return fabsf(v.raw[largest]) > NEARLY_UPRIGHT ? axis : v;
}

// Our model's frame in the source's reference pose: left from the hips, up along the trunk. Rest poses are taken to
// stand upright even if the joints' positions are tilted: in many rigs the hips lie in front of the spine.
static versors rest_frame(const RetargetRig *rig) {
  const Leg *legs = rig->skeleton->legs;
  const int *source = rig->map->source;
  vec3s middle = glms_vec3_zero(), ours_middle = glms_vec3_zero();
  for (int l = 0; l < rig->skeleton->leg_count; l++) {
    float share = 1.0f / (float)rig->skeleton->leg_count;
    middle = glms_vec3_muladds(rig->positions[source[legs[l].hip]], share, middle);
    ours_middle = glms_vec3_muladds(rig->bind_m.position[legs[l].hip], share, ours_middle);
  }
  vec3s left = {{1, 0, 0}}, up = {{0, 1, 0}}, our_left = {{1, 0, 0}}, our_up = {{0, 1, 0}};
  if (rig->skeleton->leg_count > 1) {
    left = glms_vec3_sub(rig->positions[source[legs[0].hip]], rig->positions[source[legs[1].hip]]);
    our_left = glms_vec3_sub(rig->bind_m.position[legs[0].hip], rig->bind_m.position[legs[1].hip]);
  }
  // Up is taken from the highest matched joint of the trunk (a joint without a twin on the other side).
  for (int i = 1; i < rig->skeleton->count; i++)
    if (source[i] >= 0 && rig->skeleton->twin[i] == i) {
      vec3s to = glms_vec3_sub(rig->positions[source[i]], middle);
      if (glms_vec3_norm(to) > TINY)
        up = to, our_up = glms_vec3_sub(rig->bind_m.position[i], ours_middle);
    }
  up = upright(unit_or(up, (vec3s){{0, 1, 0}}));
  our_up = upright(unit_or(our_up, (vec3s){{0, 1, 0}}));
  return retarget_frame_turn(our_up, our_left, up, left);
}

// The rotation between our bind pose and the source's rest pose, for parts at the end of a limb.
static versors end_correction(const RetargetRig *rig, int joint, versors rest) {
  int source = rig->map->source[joint], leg = skeleton_leg_of_ankle(rig->skeleton, joint),
      child = child_of(rig->motion, source);
  if (leg >= 0) { // a foot: its heading only, since soles are level in a rest pose
    if (child < 0)
      return rest;
    vec3s toe = glms_vec3_sub(rig->positions[child], rig->positions[source]);
    toe = glms_quat_rotatev(glms_quat_conjugate(rest), toe);
    vec3s ours = glms_quat_rotatev(rig->bind_m.rotation[joint], rig->skeleton->legs[leg].toe_l);
    float turn = atan2f(toe.x, toe.z) - atan2f(ours.x, ours.z);
    bool forward = toe.z > fabsf(toe.x) && toe.z > 0.3f * fabsf(toe.y); // otherwise that joint is not a toe
    return forward ? glms_quat_mul(rest, (versors){{0, sinf(turn / 2), 0, cosf(turn / 2)}}) : rest;
  }
  for (int i = 0; i < rig->limb_count; i++) // a hand: taken to be straight with the forearm
    if (rig->limbs[i].end == joint) {
      vec3s upper, lower;
      limb_directions(rig, &rig->limbs[i], &upper, &lower);
      return glms_quat_mul(quat_shortest_arc(glms_quat_rotatev(rest, rig->limbs[i].lower_m), lower), rest);
    }
  return rest;
}

static void correct_rest(RetargetRig *rig) {
  if (rig->reference >= 0)
    retarget_rig_place(rig, rig->reference);
  else
    retarget_place_rest(rig->motion, rig->positions, rig->rotations);
  versors rest = rest_frame(rig);
  for (int i = 0; i < rig->skeleton->count; i++) {
    int source = rig->map->source[i];
    rig->correction[i] = glms_quat_identity();
    if (source < 0)
      continue;
    versors ours = glms_quat_mul(end_correction(rig, i, rest), rig->bind_m.rotation[i]);
    ours = glms_quat_mul(ours, rig->options->reference_turn[i]);
    rig->correction[i] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(rig->rotations[source]), ours));
  }
  for (int i = 0; i < rig->limb_count; i++) { // for hands: the forearm's direction in the rest pose
    int lower = rig->limbs[i].lower, source = rig->limbs[i].source_lower;
    versors ours = glms_quat_mul(end_correction(rig, rig->limbs[i].end, rest), rig->bind_m.rotation[lower]);
    rig->correction[lower] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(rig->rotations[source]), ours));
  }
  learn_hinges(rig, rest);
}

// Ratio of the leg lengths, hip to ankle.
static double find_scale(const RetargetRig *rig) {
  const int *source = rig->map->source;
  double ours = 0, theirs = 0;
  for (int l = 0; l < rig->skeleton->leg_count; l++) {
    const Leg *leg = &rig->skeleton->legs[l];
    const vec3s *p = rig->bind_m.position, *q = rig->positions;
    ours += (double)(glms_vec3_distance(p[leg->hip], p[leg->knee]) + glms_vec3_distance(p[leg->knee], p[leg->ankle]));
    theirs += (double)(glms_vec3_distance(q[source[leg->hip]], q[source[leg->knee]]) +
                       glms_vec3_distance(q[source[leg->knee]], q[source[leg->ankle]]));
  }
  return theirs > 0 ? ours / theirs : 0;
}

bool retarget_rig_init(RetargetRig *rig, const Motion *motion, const RetargetMap *map, const Skeleton *skeleton,
                       const RetargetOptions *options, Error *error) {
  *rig = (RetargetRig){.motion = motion, .map = map, .skeleton = skeleton, .options = options};
  rig->positions = malloc((size_t)motion->joint_count * sizeof *rig->positions);
  rig->rotations = malloc((size_t)motion->joint_count * sizeof *rig->rotations);
  if (!rig->positions || !rig->rotations)
    return error_set(error, "out of memory for the %d joints of '%s'", motion->joint_count, motion->name);
  Pose bind = pose_bind(skeleton);
  pose_to_model(skeleton, &bind, &rig->bind_m);
  find_limbs(rig);
  rig->reference = retarget_find_reference(rig);
  correct_rest(rig);
  // Lengths are measured in a frame of the motion, since rest poses may lack the offsets.
  retarget_rig_place(rig, motion_duration(motion) / 2);
  rig->scale = find_scale(rig);
  if (!(rig->scale > 1e-3 && rig->scale < 1e3))
    return error_set(error, "the legs of '%s' have no length that makes sense (ours are %g times as long)",
                     motion->name, rig->scale);
  return true;
}

void retarget_rig_free(RetargetRig *rig) {
  free(rig->positions);
  free(rig->rotations);
}

// ---- A pose ----

// Joints without a source between two matched joints share the rotation between those, as an abdomen does when the rig
// has a single spine joint.
static void share_turn(const RetargetRig *rig, int joint, ModelPose *model) {
  const Skeleton *skeleton = rig->skeleton;
  int free_joints = 0, top = joint;
  for (int i = skeleton->parent[joint]; i >= 0 && rig->map->source[i] < 0; i = skeleton->parent[i]) {
    free_joints++;
    top = i;
  }
  if (free_joints == 0 || skeleton->parent[top] < 0 || skeleton->twin[joint] != joint)
    return;
  int base = skeleton->parent[top], done = free_joints;
  versors unbind_joint = glms_quat_conjugate(rig->bind_m.rotation[joint]);
  versors unbind_base = glms_quat_conjugate(rig->bind_m.rotation[base]);
  versors turn_base = glms_quat_mul(model->rotation[base], unbind_base);
  versors turn_joint = glms_quat_mul(model->rotation[joint], unbind_joint);
  for (int i = skeleton->parent[joint]; i != base; i = skeleton->parent[i], done--) {
    versors turn = quat_slerp(turn_base, turn_joint, (float)done / (float)(free_joints + 1));
    model->rotation[i] = glms_quat_mul(turn, rig->bind_m.rotation[i]);
  }
}

static versors source_rotation(const RetargetRig *rig, int joint) {
  return glms_quat_normalize(glms_quat_mul(rig->rotations[rig->map->source[joint]], rig->correction[joint]));
}

static const Limb *limb_with(const RetargetRig *rig, int joint) {
  for (int i = 0; i < rig->limb_count; i++)
    if (rig->limbs[i].upper == joint || rig->limbs[i].lower == joint || rig->limbs[i].end == joint)
      return &rig->limbs[i];
  return NULL;
}

// Position of the root joint at which our hips coincide with the source's, scaled.
static vec3s root_position(const RetargetRig *rig, versors root_rotation) {
  const Skeleton *skeleton = rig->skeleton;
  vec3s theirs = glms_vec3_zero(), ours = glms_vec3_zero();
  for (int l = 0; l < skeleton->leg_count; l++) {
    int hip = skeleton->legs[l].hip;
    theirs = glms_vec3_add(theirs, rig->positions[rig->map->source[hip]]);
    ours = glms_vec3_add(ours, glms_vec3_sub(rig->bind_m.position[hip], rig->bind_m.position[0]));
  }
  float share = 1.0f / (float)skeleton->leg_count;
  versors turn = glms_quat_mul(root_rotation, glms_quat_conjugate(rig->bind_m.rotation[0]));
  vec3s hips = glms_quat_rotatev(turn, glms_vec3_scale(ours, share));
  return glms_vec3_sub(glms_vec3_scale(theirs, (float)rig->scale * share), hips);
}

void retarget_rig_pose(const RetargetRig *rig, double time, Pose *pose_w) {
  const Skeleton *skeleton = rig->skeleton;
  retarget_rig_place(rig, time);
  *pose_w = pose_bind(skeleton);
  ModelPose model = rig->bind_m;

  // Trunk and head: world rotations.
  for (int i = 0; i < skeleton->count; i++) {
    int parent = skeleton->parent[i];
    if (rig->map->source[i] >= 0 && !limb_with(rig, i)) {
      model.rotation[i] = source_rotation(rig, i);
      share_turn(rig, i, &model);
    } else if (parent >= 0) {
      model.rotation[i] = glms_quat_mul(model.rotation[parent], skeleton->bind_rotation_l[i]);
    }
  }
  for (int i = 0; i < skeleton->count; i++) {
    int parent = skeleton->parent[i];
    pose_w->rotation[i] =
        parent < 0 ? model.rotation[i] : glms_quat_mul(glms_quat_conjugate(model.rotation[parent]), model.rotation[i]);
  }

  // Limbs: directions of the bones; parts at their ends: rotation relative to the last bone (hand) or in the world
  // (foot).
  for (int i = 0; i < rig->limb_count; i++) {
    const Limb *limb = &rig->limbs[i];
    solve_limb(rig, limb, &model, pose_w);
    if (rig->map->source[limb->end] < 0) {
      pose_w->rotation[limb->end] = skeleton->bind_rotation_l[limb->end];
      continue;
    }
    versors last = skeleton_leg_of_ankle(skeleton, limb->end) >= 0 ? model.rotation[limb->lower]
                                                                   : source_rotation(rig, limb->lower);
    pose_w->rotation[limb->end] = glms_quat_mul(glms_quat_conjugate(last), source_rotation(rig, limb->end));
  }
  for (int i = 0; i < skeleton->count; i++)
    pose_w->rotation[i] = glms_quat_normalize(pose_w->rotation[i]);
  pose_w->position[0] = root_position(rig, pose_w->rotation[0]);
}
