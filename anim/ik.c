#include "anim/ik.h"

#include <assert.h>
#include <math.h>

static const float REACH = 0.999f;   // of the limb's length: it never becomes quite straight
static const float TINY = 1e-6f;     // m: shorter bones and distances have no direction
static const float STRAIGHT = 1e-4f; // sine of a bend below which the limb's plane is not known

// The part of v at right angles to the unit axis, as a unit vector; zero when there is none.
static vec3s unit_across(vec3s v, vec3s axis) {
  vec3s across = glms_vec3_muladds(axis, -glms_vec3_dot(v, axis), v);
  if (!(glms_vec3_norm(across) > STRAIGHT * glms_vec3_norm(v)))
    return glms_vec3_zero();
  across = glms_vec3_normalize(across);
  // Once more: what rounding left along the axis has grown with the normalisation.
  return glms_vec3_normalize(glms_vec3_muladds(axis, -glms_vec3_dot(across, axis), across));
}

static bool is_zero(vec3s v) { return v.x == 0 && v.y == 0 && v.z == 0; }

// v as a unit vector, or the fallback when it is too short.
static vec3s unit_or(vec3s v, vec3s fallback) { return glms_vec3_norm(v) > TINY ? glms_vec3_normalize(v) : fallback; }

// The axis about which the limb bends: normal to both bones, or, for a straight limb, the middle joint's own x axis
// (that of a knee), or else its z axis.
static vec3s bend_axis(vec3s upper, vec3s lower, versors mid_rotation) {
  vec3s normal = glms_vec3_cross(upper, lower);
  if (glms_vec3_norm(normal) > STRAIGHT)
    return unit_across(normal, upper);
  vec3s x = unit_across(glms_quat_rotatev(mid_rotation, (vec3s){{1, 0, 0}}), upper);
  return is_zero(x) ? unit_across(glms_quat_rotatev(mid_rotation, (vec3s){{0, 0, 1}}), upper) : x;
}

// The turn that takes the direction `from` to `to` and the normal along with it to `to_normal`: with it a hinge stays a
// hinge, which two shortest arcs would not keep.
static versors plane_turn(vec3s from, vec3s normal, vec3s to, vec3s to_normal) {
  versors swing = quat_shortest_arc(from, to);
  vec3s carried = glms_quat_rotatev(swing, normal);
  float roll = atan2f(glms_vec3_dot(glms_vec3_cross(carried, to_normal), to), glms_vec3_dot(carried, to_normal));
  return glms_quat_mul(quat_exp(glms_vec3_scale(to, roll)), swing);
}

void two_bone_solve(TwoBoneJob *job) {
  vec3s to_mid = glms_vec3_sub(job->mid, job->root), to_end = glms_vec3_sub(job->end, job->root);
  vec3s mid_to_end = glms_vec3_sub(job->end, job->mid), to_target = glms_vec3_sub(job->target, job->root);
  float a = glms_vec3_norm(to_mid), b = glms_vec3_norm(mid_to_end), wanted = glms_vec3_norm(to_target);

  // The input's limb: directions of its bones, of its end, and the axis of its bend.
  vec3s down = glms_quat_rotatev(job->root_rotation, (vec3s){{0, -1, 0}});
  vec3s upper = unit_or(to_mid, unit_or(mid_to_end, down));
  vec3s lower = unit_or(mid_to_end, upper);
  vec3s axis = bend_axis(upper, lower, job->mid_rotation);
  vec3s end_direction = unit_or(to_end, upper);

  // The plane of the solution: the pole's, or the input's carried along the shortest way.
  vec3s direction = unit_or(to_target, end_direction);
  vec3s pole = is_zero(job->pole) ? job->pole : unit_across(job->pole, direction);
  if (is_zero(pole)) {
    vec3s carried = glms_quat_rotatev(quat_shortest_arc(end_direction, direction), axis);
    pole = glms_vec3_normalize(glms_vec3_cross(direction, carried));
  }
  vec3s new_axis = glms_vec3_cross(pole, direction);

  // Law of cosines for the angle at the root.
  float reach = fmaxf(fminf(wanted, REACH * (a + b)), fabsf(a - b));
  double cosine = a > TINY && reach > TINY
                      ? ((double)reach * reach + (double)a * a - (double)b * b) / (2.0 * (double)a * (double)reach)
                      : 0;
  cosine = fmin(fmax(cosine, -1), 1);
  double sine = sqrt((1 - cosine) * (1 + cosine));
  vec3s new_to_mid =
      glms_vec3_add(glms_vec3_scale(direction, (float)(a * cosine)), glms_vec3_scale(pole, (float)(a * sine)));
  vec3s new_to_end = glms_vec3_scale(direction, reach);
  vec3s new_upper = unit_or(new_to_mid, direction);
  vec3s new_lower = unit_or(glms_vec3_sub(new_to_end, new_to_mid), new_upper);

  job->new_root_rotation =
      glms_quat_normalize(glms_quat_mul(plane_turn(upper, axis, new_upper, new_axis), job->root_rotation));
  job->new_mid_rotation =
      glms_quat_normalize(glms_quat_mul(plane_turn(lower, axis, new_lower, new_axis), job->mid_rotation));
  job->new_mid = glms_vec3_add(job->root, new_to_mid);
  job->new_end = glms_vec3_add(job->root, new_to_end);
  job->reached = reach == wanted;
  job->error = glms_vec3_distance(job->new_end, job->target);
}

// ---- Legs ----

// A joint in the pose's outer space.
static void joint_place(const Skeleton *skeleton, const Pose *pose, int joint, vec3s *position, versors *rotation) {
  *position = glms_vec3_zero();
  *rotation = glms_quat_identity();
  for (int i = joint; i >= 0; i = skeleton->parent[i]) {
    *position = glms_vec3_add(pose->position[i], glms_quat_rotatev(pose->rotation[i], *position));
    *rotation = glms_quat_normalize(glms_quat_mul(pose->rotation[i], *rotation));
  }
}

// The knee's rotation that brings the ankle to a distance from the hip: a turn about the knee's x axis, of which the
// solution on the side of flexion (positive) is taken. thigh_l, shin_l: bones in the knee joint's bind frame.
static float knee_angle(vec3s thigh_l, vec3s shin_l, float distance) {
  float a = hypotf(thigh_l.y, thigh_l.z), b = hypotf(shin_l.y, shin_l.z);
  if (a < TINY || b < TINY)
    return 0;
  float sideways = thigh_l.x + shin_l.x;
  float reach = sqrtf(fmaxf(distance * distance - sideways * sideways, 0)); // in the plane of the hinge
  reach = fmaxf(fminf(reach, REACH * (a + b)), fabsf(a - b));
  float cosine = (reach * reach - a * a - b * b) / (2 * a * b);
  float bend = acosf(fminf(fmaxf(cosine, -1), 1)); // 0: straight
  float bind = atan2f(thigh_l.y * shin_l.z - thigh_l.z * shin_l.y, thigh_l.y * shin_l.y + thigh_l.z * shin_l.z);
  return bend - bind;
}

float leg_reach(const Skeleton *skeleton, const Leg *leg, vec3s ankle_w, versors foot_rotation_w, Pose *pose_w) {
  int hip = leg->hip, knee = leg->knee, ankle = leg->ankle;
  assert(skeleton->parent[knee] == hip && skeleton->parent[ankle] == knee);

  vec3s hip_w;
  versors thigh_w;
  joint_place(skeleton, pose_w, hip, &hip_w, &thigh_w);
  vec3s to_ankle = glms_vec3_sub(ankle_w, hip_w);

  // Knee: a pure hinge.
  versors knee_bind = skeleton->bind_rotation_l[knee];
  vec3s thigh_l = glms_quat_rotatev(glms_quat_conjugate(knee_bind), pose_w->position[knee]);
  float angle = knee_angle(thigh_l, pose_w->position[ankle], glms_vec3_norm(to_ankle));
  versors knee_turn = {{sinf(angle / 2), 0, 0, cosf(angle / 2)}};
  versors knee_rotation = glms_quat_mul(knee_bind, knee_turn);

  // Hip: the shortest way to the target, which carries the plane of the leg along.
  vec3s reached_l = glms_vec3_add(pose_w->position[knee], glms_quat_rotatev(knee_rotation, pose_w->position[ankle]));
  versors swing = glms_vec3_norm(to_ankle) > TINY ? quat_shortest_arc(glms_quat_rotatev(thigh_w, reached_l), to_ankle)
                                                  : glms_quat_identity();
  versors new_thigh_w = glms_quat_normalize(glms_quat_mul(swing, thigh_w));

  // Ankle: the foot's rotation as asked for.
  versors shin_w = glms_quat_mul(new_thigh_w, knee_rotation);
  versors parent_w = glms_quat_mul(thigh_w, glms_quat_conjugate(pose_w->rotation[hip]));
  pose_w->rotation[hip] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent_w), new_thigh_w));
  pose_w->rotation[knee] = knee_rotation;
  pose_w->rotation[ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin_w), foot_rotation_w));
  vec3s reached_w = glms_vec3_add(hip_w, glms_quat_rotatev(new_thigh_w, reached_l));
  return glms_vec3_distance(reached_w, ankle_w);
}
