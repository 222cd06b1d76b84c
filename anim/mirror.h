// Mirroring at run time: left becomes right. A pose is reflected at the plane X = 0 of its root's frame: twins swap,
// joints in the middle reflect; heights and the way forward stay. Derived from the bind pose alone, with no axes to
// set: whatever way the joints' frames point, on either side, the turn away from the bind pose is what is reflected.
#ifndef STAGGER_ANIM_MIRROR_H
#define STAGGER_ANIM_MIRROR_H

#include "anim/clip.h"

// Works on any number of joints: arrays of the caller, parents before children; twins of each other, as must be their
// parents. Model-space transforms are reflected by M = I - 2 n n' (R' = M R M, p' = M p), twins swap, and the bind
// poses' own asymmetry is corrected: bones keep their lengths, and the bind pose stays the bind pose.
typedef struct MirrorJob {
  int count;
  const int *parent, *twin;       // [count]
  const vec3s *bind_position_l;   // [count]
  const versors *bind_rotation_l; // [count]
  const vec3s *position_l;        // in [count]; entry 0 in the root's frame
  const versors *rotation_l;      // in
  vec3s *out_position_l;          // out; may not be the input
  versors *out_rotation_l;        // out; may not be the input
  versors *scratch;               // [2 * count] the caller's
} MirrorJob;

void mirror_solve(const MirrorJob *job);

// A pose of a skeleton; out may be the pose. Twice gives the pose back within 1e-6.
void mirror_pose(const Skeleton *skeleton, const Pose *pose, Pose *out);

// Joints whose bind pose is not the mirror image of their twin's within 1 mm and 0.5 deg, or whose parents are not
// twins: names, comma-separated, as many as fit; "" when there are none. Returns how many. Frames that differ by
// quarter turns are the mirror image too: rigs choose the axes of their joints as they like.
int mirror_asymmetry(const Skeleton *skeleton, char *names, size_t size);

// The image of a point, a velocity or a rotation. A turn rate about up changes its sign.
static inline vec3s mirror_vector(vec3s v) { return (vec3s){{-v.x, v.y, v.z}}; }
static inline versors mirror_rotation(versors q) { return (versors){{q.x, -q.y, -q.z, q.w}}; }

// The leg on the other side, for contacts; itself when there is none. "left_strike" becomes "right_strike" and the
// other way round; other marks keep their name. mirrored may be name.
int mirror_leg(const Skeleton *skeleton, int leg);
void mirror_mark_name(const char *name, char mirrored[SKELETON_NAME_SIZE]);

#endif
