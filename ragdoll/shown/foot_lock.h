// Planted feet of the shown pose. Where animation and physics are mixed, a foot is shown between those of the two, and
// would slide as the blend changes; so a foot that stands keeps its distance from the animation's foot, which does not
// slide, until it is lifted. Then it goes to where the blend has it.
#ifndef STAGGER_RAGDOLL_SHOWN_FOOT_LOCK_H
#define STAGGER_RAGDOLL_SHOWN_FOOT_LOCK_H

#include "anim/layers/layer.h"
#include "anim/pose.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

// Offset of a standing shown foot from the animation's.
typedef struct FootOffset {
  vec3s shift_w;  // m, of the ankle
  versors turn_w; // of the foot
} FootOffset;

// Offset of a shown foot from its place in the blend, and its rate.
typedef struct FootRelease {
  vec3s slide_w;                      // m/s, of the shown foot against the animation's
  double shift[3], shift_velocity[3]; // m, m/s
  double turn[3], turn_velocity[3];   // rad, rad/s: rotation vector
  bool held;
  bool turns;  // since it came down it is held in its place alone
  double bend; // rad, of the shown knee beyond that of the blend
} FootRelease;

// A step in which no foot is held.
typedef struct FootPass {
  Pose target_w, output_w; // the animation, and the blend, which is shown
  double dt;               // s
} FootPass;

typedef struct FootLock {
  FootOffset shown[SKELETON_MAX_LEGS];
  FootRelease rest[SKELETON_MAX_LEGS];
  bool active[SKELETON_MAX_LEGS]; // there is a rest
  FootPass passed[2];             // the last steps that are not in the offsets yet
  int passes, newest;             // number of those; index of the last one
} FootLock;

void foot_lock_init(FootLock *foot_lock);

// Places the feet of the shown pose: output_w is the blend of target_w and the measured pose on entry. standing: for
// each leg, whether the animation's foot stands and the body follows it. A foot that is shown where the blend has it is
// not changed, bit for bit. turns: for each leg, whether only the place of a landing foot is held, not its rotation:
// for a foot shown as the body's, which settles on the ground by itself.
void foot_lock_apply(FootLock *foot_lock, const Skeleton *skeleton, const Ground *ground, const Pose *target_w,
                     const bool standing[], const bool turns[], double dt, Pose *output_w);

// Before foot_lock_apply, of an animation that was displaced to where its body is: feet that are held stay where they
// are shown.
void foot_lock_rebase(FootLock *foot_lock, const Skeleton *skeleton, const Pose *target_w, const RootRebase *rebase);

// Saves or restores it.
void foot_lock_state(FootLock *foot_lock, const Skeleton *skeleton, StateStream *stream);

#endif
