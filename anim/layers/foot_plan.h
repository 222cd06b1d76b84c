// The plan for each foot: whether it stands or swings, the progress of its swing, and where it will land. It is written
// by the leading clip or a walking layer, whichever moves the legs, and read by foot placement and the metrics.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLAN_H
#define STAGGER_ANIM_LAYERS_FOOT_PLAN_H

#include "anim/clip.h"
#include "sim/base/foot_refusal.h"
#include "sim/base/state.h"

// World frame, m. The ground of the animation is level, at the height of the leading root.
typedef struct FootPlan {
  bool known;         // a clip or layer plans this foot; the other fields are valid only then
  bool on_ground;     // the foot has been placed on the true ground already, so foot placement leaves it alone
  bool standing;      // the foot should stand now
  bool slides;        // while the foot stands the animation may move it over the ground, so it must not be locked
  double progress;    // 0 .. 1: share of its swing's time; 1 when it stands
  double time_left;   // s until it stands
  double landing[2];  // x and z of the middle of the sole when it will stand or, in a stance, stands
  double landing_yaw; // rad about up: the direction of its toes then

  // Results of foot placement; without it the animation stands on its own level ground. `animated` and the values after
  // it are 0 without foot placement: the foot is then where the pose has it.
  FootRefusal refusal; // of the present stance or, in a swing, of the next one
  bool refused_now;    // a refused stance has begun in this step
  double animated[3];  // the middle of the sole before foot placement
  double clearance;    // m: height of the sole's lowest point above the animation's ground, before foot placement
  double heel, toe;    // m: heights of the sole's ends above it
} FootPlan;

// Where the feet of a clip, or of its mirror image, land; computed once for each clip that leads.
typedef struct FootLandings {
  const Clip *clip;                    // NULL: none
  bool mirrored;                       // left and right are swapped
  double stride;                       // length of the strides in shares of the clip's
  vec3s sole_m[SKELETON_MAX_LEGS];     // m, in the root's frame: middle of the sole at touchdown, level
  float yaw_m[SKELETON_MAX_LEGS];      // rad: direction of the toes then
  bool known[SKELETON_MAX_LEGS];       // the clip has contacts of this foot
  float swing_time[SKELETON_MAX_LEGS]; // s of clip
} FootLandings;

// The root of the clip in the world, m and m/s.
typedef struct FootRoot {
  double position[3], velocity[3];
  versors rotation;
  double still; // 0 .. 1: share of the pose that stands still instead of showing the clip
} FootRoot;

// A foot in the world: ends and middle of its sole, m, and the direction of its left side.
typedef struct FootPoints {
  vec3s heel, toe, sole, left;
} FootPoints;

FootPoints foot_points(const Leg *leg, vec3s ankle_w, versors foot_w);

// The print of a foot: its place when it stands level, or would after pivoting about the heel (when it lands on the
// heel) or the toes (when it is lifted). middle: x and z of the middle of the sole, m; yaw: rad. For feet whose frame
// is parallel to the model's in the bind pose.
void foot_print(const Leg *leg, const FootPoints *points, double middle[2], double *yaw);

// The heading (rad about up) of a rotation's left direction, whatever its pitch.
double foot_plan_heading(versors rotation);

// stride: length of the strides in shares of the clip's, 0 .. 1 (stride_scale).
void foot_landings_find(FootLandings *landings, const Clip *clip, bool mirrored, double stride);

// Writes the plans for that clip's feet at `time` (s; `pace` clip seconds pass per second). pose_w: the animation in
// the world; NULL: the plans tell nothing of places, as where a foot stands. plans: [the skeleton's legs]; feet without
// contacts in the clip are marked as not known.
void foot_plan_from_clip(const FootLandings *landings, double time, double pace, const FootRoot *root,
                         const Pose *pose_w, FootPlan *plans);

// Plans of a standing pose: all feet stand where they are. pose_w may be NULL likewise.
void foot_plan_standing(const Skeleton *skeleton, const Pose *pose_w, FootPlan *plans);

// Saves or restores.
void foot_plan_state(FootPlan *plan, StateStream *stream);

#endif
