// Footing: keeps the steps of a clip on uneven ground. A clip is made for flat ground; this layer raises or lowers each
// foot by the ground where it stands or, in swing, by the way from where it stood to where it will land.
#ifndef STAGGER_ANIM_LAYERS_FOOTING_H
#define STAGGER_ANIM_LAYERS_FOOTING_H

#include "anim/clip.h"
#include "sim/ground.h"

// Where the clip is played: its root in the world and how it moves.
typedef struct FootingRoot {
  double position[3], velocity[3]; // m, m/s
  versors rotation;
} FootingRoot;

typedef struct Footing {
  bool standing[SKELETON_MAX_LEGS];
  double from[SKELETON_MAX_LEGS];          // m, world: height of the ground that the foot left or stands on
  vec3s landing_ankle[SKELETON_MAX_LEGS];  // m, in the clip's root frame: where the ankle is at touch-down
  versors landing_foot[SKELETON_MAX_LEGS]; // in the root's frame: the foot as it then stands, level
} Footing;

// Takes the ground under the feet of the pose as the first footing, and learns where the clip's feet land.
void footing_init(Footing *footing, const Clip *clip, const Pose *pose_w, const Ground *ground);

// Moves the feet of pose_w, which shows the clip at `time` (s; `pace` seconds of clip pass in a second), to the ground.
// sag: m by which the body hangs below its animation; a swinging foot is lifted by as much (at most 0.15 m), as people
// lift theirs over what they trip on. Clips without contacts are left alone. Feet out of reach go as far as they reach.
// Returns how many feet touched down in this step without reaching their place.
int footing_apply(Footing *footing, const Clip *clip, double time, double pace, const FootingRoot *root, double sag,
                  const Ground *ground, Pose *pose_w);

#endif
