// The loops over joints that every pose passes through, with four joints at once, or eight on processors with AVX2.
// Both compute the same bits.
#ifndef STAGGER_ANIM_POSE_LOOPS_H
#define STAGGER_ANIM_POSE_LOOPS_H

#include <cglm/struct.h>

// `count`: 0 .. SKELETON_MAX_JOINTS; `out` may be a or b; t: 0 .. 1; quaternions are unit, x y z w.
typedef struct PoseLoops {
  // a + t (b - a)
  void (*lerp)(const vec3s *a, const vec3s *b, float t, int count, vec3s *out);
  // Along the shorter arc between a and b: normalised linear, and slerp.
  void (*mix)(const versors *a, const versors *b, float t, int count, versors *out);
  void (*slerp)(const versors *a, const versors *b, float t, int count, versors *out);
  void (*normalize)(versors *q, int count);
  // The rotation vectors (rad) of the shorter arcs from a to b: quat_log(b conj(a)).
  void (*turns)(const versors *a, const versors *b, int count, vec3s *out);
} PoseLoops;

// The loops for this processor.
const PoseLoops *pose_loops(void);

extern const PoseLoops pose_loops_4;
#ifdef __x86_64__
extern const PoseLoops pose_loops_8; // for processors with AVX2 only
#endif

#endif
