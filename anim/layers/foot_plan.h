// The plan for each foot: whether it stands or swings, how far its swing is, and where it will land. It is set by what
// moves the legs, the leading clip or a walking layer, and read by foot placement and the metrics.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLAN_H
#define STAGGER_ANIM_LAYERS_FOOT_PLAN_H

#include "anim/clip.h"
#include "sim/base/foot_refusal.h"
#include "sim/base/state.h"

// World, m. The animation's ground is level, at the height of the leading root.
typedef struct FootPlan {
  bool known;         // this foot is moved by something that plans it; the rest is valid only then
  bool on_ground;     // it has been put on the true ground already: foot placement leaves it alone
  bool standing;      // it is to stand now
  bool slides;        // while it stands the animation may move it over the ground: it is not to be locked
  double progress;    // 0 .. 1: share of its swing's time; 1 when it stands
  double time_left;   // s until it stands
  double landing[2];  // x and z of the middle of its sole when it will stand, or does
  double landing_yaw; // rad about up: the way its toes will point then

  // What foot placement found; without it the animation stands on its own ground. The last two
  // lines are all 0 without it: the foot is then where the pose has it.
  FootRefusal refusal; // of the stance under way or, in a swing, of the coming one
  bool refused_now;    // a stance that is refused has begun in this step
  double animated[3];  // the middle of the sole before foot placement
  double clearance;    // m of the sole's lowest point over the animation's ground before it
  double heel, toe;    // m of the sole's ends over it
} FootPlan;

// Where the feet of a clip, or of its mirror image, land: found once for each that leads.
typedef struct FootLandings {
  const Clip *clip;                    // NULL: none
  bool mirrored;                       // left and right are swapped
  vec3s sole_m[SKELETON_MAX_LEGS];     // m, in the root's frame: the middle of the sole that touches down, flat
  float yaw_m[SKELETON_MAX_LEGS];      // rad: the way its toes then point
  bool known[SKELETON_MAX_LEGS];       // the clip has contacts of this foot
  float swing_time[SKELETON_MAX_LEGS]; // s of clip
} FootLandings;

// Where the clip is played: its root in the world, m and m/s, and how it moves.
typedef struct FootRoot {
  double position[3], velocity[3];
  versors rotation;
  double still; // 0 .. 1: share of the pose that stands on the spot instead of showing the clip
} FootRoot;

// A foot in the world: the ends and the middle of its sole, m, and the direction of its left.
typedef struct FootPoints {
  vec3s heel, toe, sole, left;
} FootPoints;

FootPoints foot_points(const Leg *leg, vec3s ankle_w, versors foot_w);

// Where a foot stands, or would once it is flat: heel first it comes down about its heel, lifted it stands on its toes.
// middle: x and z of the middle of the sole, m; yaw: rad. For feet whose frame is the model's in the bind pose.
void foot_print(const Leg *leg, const FootPoints *points, double middle[2], double *yaw);

// The heading (rad about up) to which a rotation has turned the left, whatever the pitch.
double foot_plan_heading(versors rotation);

void foot_landings_find(FootLandings *landings, const Clip *clip, bool mirrored);

// Plans of that clip's feet at `time` (s; `pace` seconds of clip pass in a second). pose_w: the animation in the world.
// plans: [the skeleton's legs]; those without contacts in the clip are not known.
void foot_plan_from_clip(const FootLandings *landings, double time, double pace, const FootRoot *root,
                         const Pose *pose_w, FootPlan *plans);

// Plans of a pose that stands: all feet, where they are.
void foot_plan_standing(const Skeleton *skeleton, const Pose *pose_w, FootPlan *plans);

// Saves or restores.
void foot_plan_state(FootPlan *plan, StateStream *stream);

#endif
