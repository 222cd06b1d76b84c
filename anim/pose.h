// Poses and operations on them. A pose is a value that is copied, so that steps do not allocate. Entry 0 is the root
// joint in the outer space of the pose (model or world), the other joints are relative to their parents.
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

// Every joint in the same space: position of the joint and rotation of its bone.
typedef Pose ModelPose;

Pose pose_bind(const Skeleton *skeleton);

// Copies the joints of a pose; entries beyond them, which no loop looks at, keep what they have. Cheaper than `=`.
void pose_copy(const Pose *pose, Pose *out);

// Whether two poses of one skeleton are the same, bit for bit.
bool pose_is_same(const Pose *a, const Pose *b);

// Loops over poses only access the first `count` entries, several joints at once (anim/lanes.h). An output may be one
// of the inputs. Quaternions must have unit length, and results have within rounding.

// From local to model space (or world: the space of entry 0), and back.
void pose_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model);
void pose_from_model(const Skeleton *skeleton, const ModelPose *model, Pose *local);

// The same rotations without the positions.
void pose_turn_to_model(const Skeleton *skeleton, const Pose *local, versors rotation[]);

// That of one joint, with the same bits.
versors pose_turn_joint(const Skeleton *skeleton, const Pose *local, int joint);

// Like pose_to_model, with the same bits, but only for the joints from joint 0 to the ankles; other joints are not set.
void pose_legs_to_model(const Skeleton *skeleton, const Pose *local, ModelPose *model);

// One joint in the space of entry 0, without computing the others: position of the joint and rotation of its bone. A
// negative joint gives that space itself.
void pose_joint_transform(const Skeleton *skeleton, const Pose *local, int joint, vec3s *position, versors *rotation);

// Length of a leg in a pose, from hip to ankle along the bones, m.
double pose_leg_length(const ModelPose *model, const Leg *leg);

// Transforms a pose from a root's frame to the outer space of this root (changes only entry 0).
void pose_transform(Pose *pose, vec3s root_position, versors root_rotation);

// out = a where weight is 0 and b where it is 1 (with the same bits), the shorter arc in between (slerp within 5e-7
// rad). weight: 0 .. 1; weights: one for each joint, or NULL to use `weight` for all.
void pose_blend(const Pose *a, const Pose *b, float weight, const float *weights, Pose *out);

// The normalised weighted mean of several poses (weights >= 0); a single pose of weight 1 keeps its bits.
void pose_blend_many(const Pose *const *poses, const float *weights, int count, Pose *out);

// Additive poses: the difference of a pose from a reference, and a pose plus this difference scaled by weight (-1 to
// 1). Adding the difference to its reference gives the pose within 1e-6; the difference of the reference from itself is
// the identity.
void pose_difference(const Pose *pose, const Pose *reference, Pose *difference);
void pose_add(const Pose *base, const Pose *difference, float weight, Pose *out);

static inline void vec3_to_doubles(vec3s v, double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (double)v.raw[i];
}

static inline vec3s vec3_from_doubles(const double v[3]) { return (vec3s){{(float)v[0], (float)v[1], (float)v[2]}}; }

// Rotations (x y z w, unit quaternions). Functions that are used for every joint in every step are inline.
versors quat_shortest_arc(vec3s from, vec3s to); // unit vectors; for opposite ones, about any perpendicular axis
versors quat_exp(vec3s rotation_vector);         // rad
versors quat_about(int axis, double angle);      // rad, about x, y or z (0 .. 2)
void quat_swing_twist(versors q, vec3s axis, versors *swing,
                      versors *twist);             // q = swing * twist, twist about the unit axis
float vec3_angle_between(vec3s a, vec3s b);        // rad, 0 .. pi; of unit vectors
versors quat_slerp(versors a, versors b, float t); // along the shorter arc; exact at t = 0 and t = 1

static inline versors quat_negate(versors q) { return (versors){{-q.x, -q.y, -q.z, -q.w}}; }

// The angle whose half has this sine and this cosine >= 0. For small angles, the usual case, the series of 2 asin is
// used: below a sine of 0.3 it is exact to a float's precision and much cheaper than atan2f.
static inline float quat_angle_of_half(float sine, float cosine) {
  if (sine > 0.3f)
    return 2 * atan2f(sine, cosine);
  float s2 = sine * sine;
  return 2 * sine *
         (1 + s2 * (1.0f / 6 + s2 * (3.0f / 40 + s2 * (15.0f / 336 + s2 * (105.0f / 3456 + s2 * (945.0f / 42240))))));
}

// The rotation vector of the shorter arc, rad.
static inline vec3s quat_log(versors q) {
  if (q.w < 0)
    q = quat_negate(q);
  vec3s v = {{q.x, q.y, q.z}};
  float sine = glms_vec3_norm(v);
  float scale = sine > 1e-6f ? quat_angle_of_half(sine, q.w) / sine : 2; // angle/sin(angle/2) tends to 2
  return glms_vec3_scale(v, scale);
}

// The rotation vectors, rad, of the shorter arcs from each of `count` rotations to another one, with the bits of
// quat_log(glms_quat_mul(to, glms_quat_conjugate(from))). count: 0 .. SKELETON_MAX_JOINTS.
void quats_turns(const versors *from, const versors *to, int count, vec3s *turns);

// The angle between two rotations, rad, 0 .. pi.
static inline float quat_angle_between(versors a, versors b) {
  versors d = glms_quat_mul(glms_quat_conjugate(a), b);
  return quat_angle_of_half(sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), fabsf(d.w));
}

// Saves or restores a pose of a skeleton with this number of joints; a pose that was never set has no joints.
void pose_state(Pose *pose, int joints, StateStream *stream);

#endif
