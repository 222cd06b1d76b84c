// Footing: keeps the steps of a clip on uneven ground. A clip is made for flat ground; this layer raises or lowers each
// foot by the ground where it stands or, in swing, by the way from where it stood to where it will land.
#ifndef STAGGER_ANIM_LAYERS_FOOTING_H
#define STAGGER_ANIM_LAYERS_FOOTING_H

#include "anim/layers/foot_plan.h"
#include "sim/debug_draw.h"
#include "sim/ground.h"

// What was done with a foot in the last step. World, m.
typedef struct FootPlacement {
  bool used;                // the clip moves this foot
  double hit[3], normal[3]; // the ground that it stands on or will land on; its unit normal
  vec3s hip, ankle_goal;    // where the leg hangs, and where the ankle shall be
  float missing;            // m that the ankle lacks to get there
  FootRefusal refusal;      // since its last touch-down, or for the coming one
} FootPlacement;

typedef struct Footing {
  bool standing[SKELETON_MAX_LEGS];
  double from[SKELETON_MAX_LEGS];          // m, world: height of the ground that the foot left or stands on
  vec3s landing_ankle[SKELETON_MAX_LEGS];  // m, in the clip's root frame: where the ankle is at touch-down
  versors landing_foot[SKELETON_MAX_LEGS]; // in the root's frame: the foot as it then stands, level
  FootPlacement placed[SKELETON_MAX_LEGS]; // for looking at only
} Footing;

// Takes the ground under the feet of the pose as the first footing, and learns where the clip's feet land.
void footing_init(Footing *footing, const Clip *clip, const Pose *pose_w, const Ground *ground);

// Learns where the feet of another clip land; what they stand on stays.
void footing_change(Footing *footing, const Clip *clip);

// Moves the feet of pose_w, which shows the clip at `time` (s; `pace` seconds of clip pass in a second), to the ground.
// sag: m by which the body hangs below its animation; a swinging foot is lifted by as much (at most 0.15 m), as people
// lift theirs over what they trip on. Clips without contacts are left alone. Feet out of reach go as far as they reach.
// Returns how many feet touched down in this step without reaching their place.
int footing_apply(Footing *footing, const Clip *clip, double time, double pace, const FootRoot *root, double sag,
                  const Ground *ground, Pose *pose_w);

// Draws what footing_apply did. Group DEBUG_FEET: the ray from hip height down to the place on which each foot stands
// or will land, with the ground's normal there; refused ones in red with the reason. Group DEBUG_IK: the goals of the
// ankles, the directions in which the knees of pose_w point, and what is missing to a goal when more than 1 mm.
void footing_debug(const Footing *footing, const Skeleton *skeleton, const Pose *pose_w, DebugDraw *draw);

#endif
