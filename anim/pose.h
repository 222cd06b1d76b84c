// Poses and their algebra. A pose is a value: entry 0 is the root joint in the pose's outer space (model or world), the
// others are local to their parent. Copied, never allocated in a step.
#ifndef STAGGER_ANIM_POSE_H
#define STAGGER_ANIM_POSE_H

#include <math.h>

#include "anim/skeleton.h"
#include "sim/base/state.h"

typedef struct Pose {
  int count;
  vec3s position[SKELETON_MAX_JOINTS];   // m
  versors rotation[SKELETON_MAX_JOINTS]; // x y z w, unit
} Pose;

// Every joint in one space: position of the joint and rotation of its bone.
typedef Pose ModelPose;

Pose pose_bind(const Skeleton *skeleton);

// Whether two poses of one skeleton are the same, bit for bit.
bool pose_is_same(const Pose *a, const Pose *b);

// Loops over poses touch the first `count` entries only, several joints at once (anim/lanes.h). An output may be one of
// the inputs. Quaternions must be unit; those that come out are, within rounding.

// Local to model (or world: the space of entry 0), and back.
void pose_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model);
void pose_from_model(const Skeleton *skeleton, const ModelPose *model, Pose *local);

// As pose_to_model, bit for bit, of the joints from joint 0 to the ankles alone; of the others nothing is set.
void pose_legs_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model);

// One joint in the space of entry 0 without the others: position of the joint and rotation of its bone. A joint below 0
// is that space itself.
void pose_joint_transform(const Skeleton *skeleton, const Pose *local, int joint, vec3s *position, versors *rotation);

// m from hip to ankle along the bones of a leg in a pose.
double pose_leg_length(const ModelPose *model, const Leg *leg);

// Puts a pose that stands in a root's frame into that root's outer space (changes entry 0 only).
void pose_transform(Pose *pose, vec3s root_position, versors root_rotation);

// out = a where weight is 0 (bit for bit), b where it is 1 (bit for bit), the shortest way between otherwise (slerp
// within 5e-7 rad). weight: 0 .. 1; weights: one for each joint, or NULL to use `weight` for all.
void pose_blend(const Pose *a, const Pose *b, float weight, const float *weights, Pose *out);

// The normalised weighted mean of several poses (weights >= 0, one pose of weight 1 comes out bit for bit).
void pose_blend_many(const Pose *const *poses, const float *weights, int count, Pose *out);

// Additive poses: the difference of a pose to a reference, and that difference scaled (weight -1 to 1) put on top of a
// pose. Applying the difference of a pose to its reference gives the pose within 1e-6; the reference's own is the
// identity.
void pose_difference(const Pose *pose, const Pose *reference, Pose *difference);
void pose_add(const Pose *base, const Pose *difference, float weight, Pose *out);

static inline void vec3_to_doubles(vec3s v, double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (double)v.raw[i];
}

static inline vec3s vec3_from_doubles(const double v[3]) { return (vec3s){{(float)v[0], (float)v[1], (float)v[2]}}; }

// Rotations (x y z w, unit quaternions). Those of every joint in every step are inline.
versors quat_shortest_arc(vec3s from, vec3s to); // unit vectors; opposite ones turn about any axis at right angles
versors quat_exp(vec3s rotation_vector);         // rad
void quat_swing_twist(versors q, vec3s axis, versors *swing,
                      versors *twist);             // q = swing * twist, twist about the unit axis
float vec3_angle_between(vec3s a, vec3s b);        // rad, 0 .. pi; of unit vectors
versors quat_slerp(versors a, versors b, float t); // shortest way; exact at t = 0 and t = 1

static inline versors quat_negate(versors q) { return (versors){{-q.x, -q.y, -q.z, -q.w}}; }

// The angle whose half has this sine and cosine >= 0. For small angles, the usual case, the series of 2 asin is exact
// to a float's precision below 0.3 and much cheaper than an arc tangent.
static inline float quat_angle_of_half(float sine, float cosine) {
  if (sine > 0.3f)
    return 2 * atan2f(sine, cosine);
  float s2 = sine * sine;
  return 2 * sine *
         (1 + s2 * (1.0f / 6 + s2 * (3.0f / 40 + s2 * (15.0f / 336 + s2 * (105.0f / 3456 + s2 * (945.0f / 42240))))));
}

// The rotation vector in rad, the short way.
static inline vec3s quat_log(versors q) {
  if (q.w < 0)
    q = quat_negate(q);
  vec3s v = {{q.x, q.y, q.z}};
  float sine = glms_vec3_norm(v);
  float scale = sine > 1e-6f ? quat_angle_of_half(sine, q.w) / sine : 2; // angle/sin(angle/2) tends to 2
  return glms_vec3_scale(v, scale);
}

// rad, 0 .. pi
static inline float quat_angle_between(versors a, versors b) {
  versors d = glms_quat_mul(glms_quat_conjugate(a), b);
  return quat_angle_of_half(sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), fabsf(d.w));
}

// Saves or restores a pose of a skeleton with so many joints; one that was never set has none.
void pose_state(Pose *pose, int joints, StateStream *stream);

#endif
