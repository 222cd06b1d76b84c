// Puts poses of a body onto a rig: rotations of matched joints first, then the joints between and below them, then all
// positions.
#include "anim/retarget/retarget_back.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "anim/retarget/retarget_internal.h"
#include "sim/base/numbers.h"

static const float TINY = 1e-6f;
static const float ALIKE = 1e-4f; // of a limb's length

// A limb of the rig: its bones and its hinge in the frames of its own joints.
typedef struct BackLimb {
  const Limb *limb;
  int leg; // of the skeleton, -1: an arm
  vec3s upper_l, upper_hinge_l, lower_l, lower_hinge_l;
  float upper_length, lower_length; // m of the rig
  float scale;                      // the rig's length for one of the body's, of this limb
  bool is_alike;                    // its bones have the body's proportions, so the body's directions reach its end
} BackLimb;

// A joint that no part stands for, between two matched ones of the trunk.
typedef struct Between {
  int base, end; // matched joints of the rig below and above; end -1: not between two
  float share;   // of the turn from one to the other
} Between;

struct RetargetBack {
  RetargetOptions options;
  RetargetRig rig;
  BackLimb limbs[RETARGET_MAX_LIMBS];
  vec3s *rest_positions; // [joint_count], in the rest pose
  versors *rest_rotations;
  int *part;         // [joint_count] the joint of the skeleton that is matched with it, -1: none
  Between *betweens; // [joint_count]
  int first;         // the joint above all that move
  float ground;      // m of the rig by which its soles are higher above its ankles than the body's, scaled
  versors *turned;   // [joint_count], scratch memory: rotations of matched joints
};

static int parent_of(const RetargetBack *back, int joint) { return back->rig.motion->joints[joint].parent; }

// How a vector of the rest pose turns with a joint.
static vec3s carried(const RetargetBack *back, int joint, versors rotation, vec3s rest) {
  return glms_quat_rotatev(rotation, glms_quat_rotatev(glms_quat_conjugate(back->rest_rotations[joint]), rest));
}

// A joint's rotation when it turns rigidly with another one.
static versors carried_rotation(const RetargetBack *back, int with, versors rotation, int joint) {
  const versors apart = glms_quat_mul(glms_quat_conjugate(back->rest_rotations[with]), back->rest_rotations[joint]);
  return glms_quat_normalize(glms_quat_mul(rotation, apart));
}

// ---- What is known of the rig ----

static void measure_limb(RetargetBack *back, int index) {
  const RetargetRig *rig = &back->rig;
  const Limb *limb = &rig->limbs[index];
  BackLimb *own = &back->limbs[index];
  const vec3s *at = back->rest_positions;
  const versors unturn_upper = glms_quat_conjugate(back->rest_rotations[limb->source_upper]);
  const versors unturn_lower = glms_quat_conjugate(back->rest_rotations[limb->source_lower]);
  const vec3s upper = glms_vec3_sub(at[limb->source_lower], at[limb->source_upper]);
  const vec3s lower = glms_vec3_sub(at[limb->source_end], at[limb->source_lower]);
  *own = (BackLimb){.limb = limb,
                    .leg = skeleton_leg_of_ankle(rig->skeleton, limb->end),
                    .upper_length = glms_vec3_norm(upper),
                    .lower_length = glms_vec3_norm(lower),
                    .upper_hinge_l = limb->source_hinge_l};
  own->upper_l = glms_quat_rotatev(unturn_upper, glms_vec3_normalize(upper));
  own->lower_l = glms_quat_rotatev(unturn_lower, glms_vec3_normalize(lower));
  const vec3s hinge = glms_quat_rotatev(back->rest_rotations[limb->source_upper], limb->source_hinge_l);
  own->lower_hinge_l = glms_quat_rotatev(unturn_lower, hinge);
  const vec3s *ours = rig->bind_m.position;
  const float our_upper = glms_vec3_distance(ours[limb->upper], ours[limb->lower]);
  const float our_lower = glms_vec3_distance(ours[limb->lower], ours[limb->end]);
  own->scale = (own->upper_length + own->lower_length) / (our_upper + our_lower);
  own->is_alike = fabsf(own->upper_length - own->scale * our_upper) < ALIKE * (own->upper_length + own->lower_length);
}

// Of each matched joint of the trunk, the joints down to the next matched one.
static void find_betweens(RetargetBack *back) {
  const RetargetRig *rig = &back->rig;
  for (int j = 0; j < rig->motion->joint_count; j++)
    back->betweens[j].end = -1;
  for (int j = 0; j < rig->motion->joint_count; j++) {
    if (back->part[j] <= 0 || rig->skeleton->twin[back->part[j]] != back->part[j])
      continue;
    int base = parent_of(back, j), count = 0;
    for (; base >= 0 && back->part[base] < 0; base = parent_of(back, base))
      count++;
    int done = count;
    for (int i = parent_of(back, j); base >= 0 && i != base; i = parent_of(back, i), done--)
      back->betweens[i] = (Between){.base = base, .end = j, .share = (float)done / (float)(count + 1)};
  }
}

// The lowest joint that is above all matched ones.
static int find_first(const RetargetBack *back) {
  const Motion *motion = back->rig.motion;
  int first = back->rig.map->source[0];
  for (int j = 0; j < motion->joint_count; j++)
    while (back->part[j] >= 0 && first > 0 && !retarget_is_above(motion, first, j))
      first = motion->joints[first].parent;
  return first;
}

// By how much the body's ankles must be raised, after scaling, for the rig's soles to stand where the body's do.
static float find_ground(const RetargetBack *back) {
  const RetargetRig *rig = &back->rig;
  float floor = HUGE_VALF, theirs = 0, ours = 0;
  for (int l = 0; l < rig->skeleton->leg_count; l++) {
    const Leg *leg = &rig->skeleton->legs[l];
    const int foot = rig->map->source[leg->ankle];
    for (int v = 0; v < rig->motion->vertex_count; v++) {
      const MotionVertex *vertex = &rig->motion->vertices[v];
      if (!retarget_is_above(rig->motion, foot, vertex->joint))
        continue;
      const vec3s place = glms_quat_rotatev(back->rest_rotations[vertex->joint], vertex->position_l);
      floor = fminf(floor, back->rest_positions[vertex->joint].y + place.y);
    }
    const float share = 1 / (float)rig->skeleton->leg_count;
    theirs += share * back->rest_positions[foot].y;
    ours -= share * glms_quat_rotatev(rig->bind_m.rotation[leg->ankle], leg->sole_l).y;
  }
  const bool stands = rig->reference < 0 && floor < HUGE_VALF;
  return stands ? theirs - floor - ours / (float)rig->scale : 0;
}

static bool allocate(RetargetBack *back, int joints, Error *error) {
  const size_t count = (size_t)joints;
  back->rest_positions = calloc(count, sizeof *back->rest_positions);
  back->rest_rotations = calloc(count, sizeof *back->rest_rotations);
  back->turned = calloc(count, sizeof *back->turned);
  back->part = calloc(count, sizeof *back->part);
  back->betweens = calloc(count, sizeof *back->betweens);
  return (back->rest_positions && back->rest_rotations && back->turned && back->part && back->betweens) ||
         error_set(error, "out of memory for the %d joints of a rig", joints);
}

RetargetBack *retarget_back_create(const Motion *rig, const RetargetMap *map, const Skeleton *skeleton, Error *error) {
  RetargetBack *back = calloc(1, sizeof *back);
  if (!back) {
    error_set(error, "out of memory");
    return NULL;
  }
  back->options = retarget_options_default();
  char how[RETARGET_HOW_SIZE];
  if (skeleton->leg_count != 2)
    snprintf(how, sizeof how, "rigs are moved by bodies with two legs");
  if (skeleton->leg_count != 2 || !retarget_posture_fits(rig, map, skeleton, how))
    error_set(error, "its figure stands otherwise than '%s': %s", skeleton->name, how);
  if (how[0] != '\0' || !allocate(back, rig->joint_count, error) ||
      !retarget_rig_init(&back->rig, rig, map, skeleton, &back->options, error)) {
    retarget_back_destroy(back);
    return NULL;
  }
  retarget_place_rest(rig, back->rest_positions, back->rest_rotations);
  for (int j = 0; j < rig->joint_count; j++)
    back->part[j] = -1;
  for (int i = skeleton->count - 1; i >= 0; i--)
    if (map->source[i] >= 0)
      back->part[map->source[i]] = i;
  for (int i = 0; i < back->rig.limb_count; i++)
    measure_limb(back, i);
  find_betweens(back);
  back->first = find_first(back);
  back->ground = find_ground(back);
  return back;
}

void retarget_back_destroy(RetargetBack *back) {
  if (!back)
    return;
  retarget_rig_free(&back->rig);
  free(back->rest_positions);
  free(back->rest_rotations);
  free(back->turned);
  free(back->part);
  free(back->betweens);
  free(back);
}

double retarget_back_scale(const RetargetBack *back) { return back->rig.scale; }

bool retarget_back_moves(const RetargetBack *back, int joint) {
  return retarget_is_above(back->rig.motion, back->first, joint);
}

// ---- Rotations ----

// The axis of a limb's hinge in the world, as one of its parts holds it.
static vec3s hinge_of(const RetargetRig *rig, const Limb *limb, const ModelPose *body, int part) {
  const versors turn = glms_quat_mul(body->rotation[part], glms_quat_conjugate(rig->bind_m.rotation[part]));
  return glms_quat_rotatev(turn, limb->hinge_m);
}

// The directions of a leg's bones with which the rig's own lengths reach the body's ankle. The knee bends about the
// hinge to the same side.
static void reach(const BackLimb *own, vec3s to_ankle, vec3s hinge, vec3s *upper, vec3s *lower) {
  const float a = own->upper_length, b = own->lower_length;
  const vec3s way = glms_vec3_scale(to_ankle, own->scale);
  const float distance = fminf(fmaxf(glms_vec3_norm(way), fabsf(a - b) + TINY), a + b);
  const float cosine = (a * a + distance * distance - b * b) / (2 * a * distance);
  const float angle = (float)angle_of_cosine((double)cosine);
  const vec3s axis = glms_vec3_muladds(way, -glms_vec3_dot(hinge, way) / glms_vec3_norm2(way), hinge);
  if (!(glms_vec3_norm(way) > TINY && glms_vec3_norm(axis) > TINY))
    return;
  const vec3s along = glms_vec3_normalize(way);
  *upper = glms_quat_rotatev(glms_quatv(-own->limb->flexion * angle, glms_vec3_normalize(axis)), along);
  *lower = glms_vec3_normalize(glms_vec3_sub(glms_vec3_scale(along, distance), glms_vec3_scale(*upper, a)));
}

static void turn_limb(const RetargetBack *back, const BackLimb *own, const ModelPose *body) {
  const RetargetRig *rig = &back->rig;
  const Limb *limb = own->limb;
  const vec3s hip = body->position[limb->upper], knee = body->position[limb->lower], ankle = body->position[limb->end];
  const vec3s upper_hinge = hinge_of(rig, limb, body, limb->upper),
              lower_hinge = hinge_of(rig, limb, body, limb->lower);
  vec3s upper = glms_vec3_normalize(glms_vec3_sub(knee, hip)), lower = glms_vec3_normalize(glms_vec3_sub(ankle, knee));
  if (own->leg >= 0 && !own->is_alike)
    reach(own, glms_vec3_sub(ankle, hip), upper_hinge, &upper, &lower);
  back->turned[limb->source_upper] = retarget_frame_turn(own->upper_l, own->upper_hinge_l, upper, upper_hinge);
  back->turned[limb->source_lower] = retarget_frame_turn(own->lower_l, own->lower_hinge_l, lower, lower_hinge);
  const int end = rig->map->source[limb->end];
  if (end < 0 || own->leg >= 0)
    return;
  // A hand turns with the forearm, as in retarget_rig_pose.
  const versors wrist = glms_quat_mul(glms_quat_conjugate(body->rotation[limb->lower]), body->rotation[limb->end]);
  versors turned = glms_quat_mul(back->turned[limb->source_lower], rig->correction[limb->lower]);
  turned = glms_quat_mul(glms_quat_mul(turned, wrist), glms_quat_conjugate(rig->correction[limb->end]));
  back->turned[end] = glms_quat_normalize(turned);
}

// The rotations of matched joints, in `turned`.
static void turn_matched(const RetargetBack *back, const ModelPose *body) {
  const RetargetRig *rig = &back->rig;
  for (int i = 0; i < rig->skeleton->count; i++)
    if (rig->map->source[i] >= 0)
      back->turned[rig->map->source[i]] =
          glms_quat_normalize(glms_quat_mul(body->rotation[i], glms_quat_conjugate(rig->correction[i])));
  for (int i = 0; i < rig->limb_count; i++)
    turn_limb(back, &back->limbs[i], body);
}

static versors rotation_between(const RetargetBack *back, int joint, const versors *rotations) {
  const Between *between = &back->betweens[joint];
  const versors own = carried_rotation(back, between->base, rotations[between->base], joint);
  const versors end = carried_rotation(back, between->base, rotations[between->base], between->end);
  const versors turn = glms_quat_mul(back->turned[between->end], glms_quat_conjugate(end));
  const versors part = quat_slerp(glms_quat_identity(), glms_quat_normalize(turn), between->share);
  return glms_quat_normalize(glms_quat_mul(part, own));
}

// ---- Positions ----

// Some rigs have feet and hands that do not hang on the limb, for controls of their own. They are put at its end.
static void attach_end(const RetargetBack *back, const Limb *limb, vec3s *positions, const versors *rotations) {
  const Motion *motion = back->rig.motion;
  const int end = limb->source_end, lower = limb->source_lower;
  if (retarget_is_above(motion, lower, end))
    return;
  const vec3s apart = glms_vec3_sub(back->rest_positions[end], back->rest_positions[lower]);
  const vec3s place = glms_vec3_add(positions[lower], carried(back, lower, rotations[lower], apart));
  const vec3s way = glms_vec3_sub(place, positions[end]);
  for (int j = end; j < motion->joint_count; j++)
    if (retarget_is_above(motion, end, j))
      positions[j] = glms_vec3_add(positions[j], way);
}

// Moves the whole rig so that the middle between its hips is the body's.
static void put_hips(const RetargetBack *back, const ModelPose *body, vec3s *positions) {
  const RetargetRig *rig = &back->rig;
  const float share = 1 / (float)rig->skeleton->leg_count;
  vec3s way = {{0, back->ground, 0}};
  for (int l = 0; l < rig->skeleton->leg_count; l++) {
    const int hip = rig->skeleton->legs[l].hip;
    way = glms_vec3_muladds(body->position[hip], share / (float)rig->scale, way);
    way = glms_vec3_muladds(positions[rig->map->source[hip]], -share, way);
  }
  for (int j = 0; j < rig->motion->joint_count; j++)
    positions[j] = glms_vec3_add(positions[j], way);
}

void retarget_back_pose(const RetargetBack *back, const ModelPose *body, vec3s *positions, versors *rotations) {
  const Motion *motion = back->rig.motion;
  const int first = back->first, pelvis = back->rig.map->source[0];
  turn_matched(back, body);
  positions[first] = glms_vec3_zero();
  rotations[first] = carried_rotation(back, pelvis, back->turned[pelvis], first);
  for (int j = 0; j < motion->joint_count; j++) {
    const int parent = motion->joints[j].parent;
    if (j == first)
      continue;
    if (!retarget_back_moves(back, j)) {
      const vec3s apart = glms_vec3_sub(back->rest_positions[j], back->rest_positions[first]);
      positions[j] = carried(back, first, rotations[first], apart);
      rotations[j] = carried_rotation(back, first, rotations[first], j);
      continue;
    }
    if (back->part[j] >= 0)
      rotations[j] = back->turned[j];
    else if (back->betweens[j].end >= 0)
      rotations[j] = rotation_between(back, j, rotations);
    else
      rotations[j] = glms_quat_normalize(glms_quat_mul(rotations[parent], motion->joints[j].bind_rotation_l));
    positions[j] =
        glms_vec3_add(positions[parent], glms_quat_rotatev(rotations[parent], motion->joints[j].bind_position_l));
  }
  for (int i = 0; i < back->rig.limb_count; i++)
    attach_end(back, &back->rig.limbs[i], positions, rotations);
  put_hips(back, body, positions);
}

// ---- How far they are apart ----

static double bone_angle(vec3s ours, vec3s theirs) {
  return (double)atan2f(glms_vec3_norm(glms_vec3_cross(ours, theirs)), glms_vec3_dot(ours, theirs));
}

static void compare_limb(const RetargetBack *back, const Limb *limb, const ModelPose *body, const vec3s *positions,
                         RetargetDeviation *deviation) {
  const float scale = 1 / (float)back->rig.scale;
  const int parts[3] = {limb->upper, limb->lower, limb->end};
  const int joints[3] = {limb->source_upper, limb->source_lower, limb->source_end};
  const bool is_leg = skeleton_leg_of_ankle(back->rig.skeleton, limb->end) >= 0;
  double *distance = is_leg ? &deviation->legs : &deviation->arms;
  vec3s ours = glms_vec3_zero(), theirs = glms_vec3_zero();
  for (int k = 0; k < 2; k++) {
    const vec3s our_bone = glms_vec3_sub(body->position[parts[k + 1]], body->position[parts[k]]);
    const vec3s their_bone = glms_vec3_sub(positions[joints[k + 1]], positions[joints[k]]);
    deviation->angle = fmax(deviation->angle, bone_angle(our_bone, their_bone));
    ours = glms_vec3_muladds(our_bone, scale, ours);
    theirs = glms_vec3_add(theirs, their_bone);
    *distance = fmax(*distance, (double)glms_vec3_distance(ours, theirs));
  }
  const float height = body->position[limb->end].y * scale + back->ground;
  if (is_leg)
    deviation->ground = fmax(deviation->ground, (double)fabsf(positions[limb->source_end].y - height));
}

void retarget_back_compare(const RetargetBack *back, const ModelPose *body, const vec3s *positions,
                           const versors *rotations, RetargetDeviation *deviation) {
  const RetargetRig *rig = &back->rig;
  bool done[SKELETON_MAX_JOINTS] = {false};
  for (int i = 0; i < rig->limb_count; i++) {
    const Limb *limb = &rig->limbs[i];
    compare_limb(back, limb, body, positions, deviation);
    done[limb->upper] = done[limb->lower] = true;
    done[limb->end] = skeleton_leg_of_ankle(rig->skeleton, limb->end) < 0;
  }
  for (int i = 0; i < rig->skeleton->count; i++) {
    const int source = rig->map->source[i];
    if (source < 0 || done[i])
      continue;
    const versors theirs = glms_quat_mul(rotations[source], rig->correction[i]);
    deviation->angle = fmax(deviation->angle, (double)quat_angle_between(theirs, body->rotation[i]));
  }
}
