// Mirroring at run time, from left to right. A pose is mirrored at the plane X = 0 of its root's frame: twin joints
// swap, joints in the middle are mirrored in place; heights and the forward direction do not change. Only the bind pose
// is needed: since the rotation away from the bind pose is mirrored, the axes of the joints' frames may point in any
// direction on either side.
#ifndef STAGGER_ANIM_MIRROR_H
#define STAGGER_ANIM_MIRROR_H

#include "anim/clip.h"

// Works on arrays of any number of joints, parents before children. If joints are twins, so must be their parents.
// Transforms in model space are mirrored by M = I - 2 n n' (R' = M R M, p' = M p), twins swap, and asymmetries of the
// bind pose are corrected: bones keep their lengths, and the bind pose stays the bind pose.
typedef struct MirrorJob {
  int count;
  const int *parent, *twin;       // [count]
  const vec3s *bind_position_l;   // [count]
  const versors *bind_rotation_l; // [count]
  const vec3s *position_l;        // in [count]; entry 0 in the root's frame
  const versors *rotation_l;      // in
  vec3s *out_position_l;          // out; must not be the input
  versors *out_rotation_l;        // out; must not be the input
  versors *scratch;               // [2 * count], provided by the caller
} MirrorJob;

void mirror_solve(const MirrorJob *job);

// Mirrors a pose of a skeleton; out may be the same pose. Mirroring twice restores the pose within 1e-6.
void mirror_pose(const Skeleton *skeleton, const Pose *pose, Pose *out);

// Finds joints whose bind pose is not the mirror image of their twin's within 1 mm and 0.5 deg, or whose parents are
// not twins. Writes as many names as fit, separated by commas, and returns the number of joints. Frames that differ by
// quarter turns count as mirror images, since rigs choose the axes of joints freely.
int mirror_asymmetry(const Skeleton *skeleton, char *names, size_t size);

// The mirror image of a point, a velocity or a rotation. A turn rate about the up axis changes its sign.
static inline vec3s mirror_vector(vec3s v) { return (vec3s){{-v.x, v.y, v.z}}; }
static inline versors mirror_rotation(versors q) { return (versors){{q.x, -q.y, -q.z, q.w}}; }

// The leg on the other side, for contacts; the leg itself if there is none. In names of marks "left_strike" becomes
// "right_strike" and the reverse; other marks keep their names. `mirrored` may be `name`.
int mirror_leg(const Skeleton *skeleton, int leg);
void mirror_mark_name(const char *name, char mirrored[SKELETON_NAME_SIZE]);

#endif
