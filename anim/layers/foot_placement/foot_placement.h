// Foot placement: adapts the feet of an animation to uneven ground and keeps the style of the animation. The animation
// stands on its own level ground, at the height of the leading root; each foot is moved from there so that its sole
// lies on the true ground.
//
//   - {kind: foot_placement}
//   - {kind: foot_placement, rotation_limit: 30, plant: false}
//
// Each foot casts rays from `ray_start_height` above the ankle down to foot_height + extra_ray_distance below it: at
// the ankle (height), a foot length ahead and at the heel (pitch), and half a foot's width to either side (roll). The
// yaw is the animation's. Rays that hit another surface than the highest one that can support the foot do not tilt it.
// For a stance the sole is laid on the ground between heel and toe as a board would lie: seven rays along the sole are
// cast once, and again only if the place changes.
//
// With plans (foot_plan.h) standing feet are locked in the world. Swings rise over obstacles on their path and come
// down where the foot will stand; a landing place that cannot support the foot is moved to the nearest one that can.
// Without plans a foot stands while its sole is on the animation's ground. The pelvis is lowered until the leg that is
// farthest from its goal reaches it, stretched by no more than `stretch` or than the animation stretches it; before
// that, a foot that rolls over its toes in the animation rolls farther. A sole that stands across an edge rolls over
// the edge until its end in the air meets the ground below. If a character starts with a foot half over an edge or
// inside a riser, that foot is placed beside it. Moving ground carries standing feet along, each foot with the ground
// under it; rays see the ground where it is at the beginning of the step.
//
// If the ground leaves a standing foot, as the edge of a moving platform does, the foot comes down to the next ground
// at the speed of a swing; until then it does not stand, and the stance is refused. Feet that are more than 2 mm below
// the animation's own ground, as in blends of clips, are raised. A surface touched by a side of the sole only does not
// support a foot.
//
// A foot for which no ray hits follows the animation. Where the ray of the toe, of the heel or of a side misses or
// meets another surface, the slope is taken from the other rays, or from the surface normals. Ground that is higher
// than the start of the rays, lower than the pelvis may be lowered, or too steep is refused: the foot follows the
// animation.
//
// Sources: parameters and steps of the Mec Foot Placer article and asset, as collected in its public documentation.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_H
#define STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_H

#include "anim/layers/layer.h"
#include "anim/spring.h"

#define FOOT_PLACEMENT_PARAMS(ROW, T)                                                                                  \
  ROW(T, VECTOR, up, "[0, 1, 0]", -1, 1, "-",                                                                          \
      "Up direction, opposite to the rays; normalised. One other than the world's is for walls, without plans.")       \
  ROW(T, REAL, ray_start_height, "0.5", 0, 10, "m", "Height above the ankle at which rays start.")                     \
  ROW(T, REAL, foot_length, "0", 0, 2, "m",                                                                            \
      "Distance from the ankle's ray to the toe's. 0: from the skeleton's sole.")                                      \
  ROW(T, REAL, foot_half_width, "0", 0, 1, "m", "Distance to the side ray. 0: from the skeleton's sole.")              \
  ROW(T, REAL, foot_height, "0", 0, 1, "m", "Height of the ankle above the sole. 0: from the skeleton's sole.")        \
  ROW(T, REAL, extra_ray_distance, "0.3", -1, 10, "m", "Depth below the animation's sole at which rays end.")          \
  ROW(T, REAL, rotation_limit, "45", 0, 89, "deg", "Largest tilt of a foot with the ground.")                          \
  ROW(T, REAL, steepest, "60", 0, 89, "deg", "Steeper ground is a wall, which does not support a foot.")               \
  ROW(T, REAL, transition_time, "0.2", 0, 10, "s",                                                                     \
      "Time of the blend from the animation to the ground when a ray hits, and back.")                                 \
  ROW(T, VECTOR, hint_offset, "[0, 0, 0]", -10, 10, "m", "Vector added to the direction of the knees, root's frame.")  \
  ROW(T, BOOL, plant, "true", 0, 1, "", "Whether standing feet are locked in the world.")                              \
  ROW(T, REAL, plant_distance, "0.3", 0, 10, "m", "A planted foot lets go when the animation's is farther away.")      \
  ROW(T, REAL, plant_angle, "60", 0, 180, "deg", "A planted foot lets go when the animation's has turned farther.")    \
  ROW(T, REAL, pelvis_drop, "0.4", 0, 10, "m", "Largest lowering of the pelvis so that feet reach.")                   \
  ROW(T, REAL, pelvis_damp, "0.1", 0, 10, "s", "Time of the spring that smooths the pelvis' height.")                  \
  ROW(T, REAL, stretch, "0.99", 0.5, 1, "-", "Largest distance from hip to ankle, as a share of the leg's length.")

enum { FOOT_RAYS = 5 };

// A leg for foot placement. Offsets in m relative to the ankle of the level foot: to the side (positive left) and
// ahead.
typedef struct PlacedLeg {
  Leg leg;
  double offset[FOOT_RAYS][2]; // of the rays: ankle, toe, heel, outer side, inner side
  double sole[2];              // of the sole's middle
  double length, height;       // m: length of the sole, height of the ankle over it
  double reach;                // m: from hip to ankle with a straight knee
  double side;                 // 1: a left leg, -1: a right one, 0: in the middle
} PlacedLeg;

typedef struct FootPlacementDef {
  FOOT_PLACEMENT_PARAMS(PARAM_FIELD, FootPlacementDef)
  PlacedLeg legs[SKELETON_MAX_LEGS];
  int count;
} FootPlacementDef;

// The position of a sole on the ground between its heel and its toe, relative to the plane found by its rays.
typedef struct SoleProfile {
  bool known;
  double lift, rise;  // m: height added under the sole's middle, and height difference added from heel to toe
  double uneven;      // m: gap between the higher end of the sole and the ground that should support it
  bool blocked;       // a wall rises between heel and toe
  double at[2], yaw;  // m, rad: where the rays were cast, moved along with the ground since
  int supported_rays; // as in FootGround, at that time
} SoleProfile;

// What the rays found about the ground under a sole. World frame.
typedef struct FootGround {
  bool found; // the ground supports the foot; otherwise `refusal` says why not
  FootRefusal refusal;
  double place[3], normal[3];    // m: point below the middle of the sole; unit normal of the sole that stands there
  double velocity[3], turn_rate; // of the ground, m/s and rad/s about up
  int supported,
      supported_rays;         // rays that met the surface which supports the foot: their number, and one bit for each
  double support_span[2];     // where that surface begins and ends under the sole: shares of its length from the heel
  double drop[2];             // m from the sole down to the ground under heel and toe
  bool blocked;               // a ray met a wall, or ground above the sole
  int highest;                // ray that met the highest ground, which may not support the foot; -1: none did
  double highest_velocity[3]; // m/s, of that ground
  SoleProfile sole;
  bool met[FOOT_RAYS]; // for drawing: which rays hit, and where
  double start[FOOT_RAYS][3], hit[FOOT_RAYS][3];
} FootGround;

enum { FOOT_CORNERS = 16 };

// The corners of the upper convex hull of the ground between the place that a swinging foot left and its landing place.
// along: 0 .. 1 of the horizontal distance; height: m above the place left; length: m along the hull to the corner.
typedef struct SwingHull {
  double along[FOOT_CORNERS], height[FOOT_CORNERS], length[FOOT_CORNERS];
  int count;        // 0: not built yet
  double way[3];    // m: from the place left to the landing place when the hull was built
  double normal[3]; // normal of the ground at the landing place, at that time
} SwingHull;

// A foot's state. World frame, m, rad. The animated foot is moved to the ground in steps: on the animation's level it
// is turned about up and shifted (`turn`, `shift`); then the level below `place` is laid on the plane through `place`
// with `normal`; then `nudge` is added.
typedef struct PlacedFoot {
  bool active;
  double plant_weight, plant_goal, plant_speed; // 0 .. 1; 1/s
  double weight;                                // 0 .. 1: share of the ground, as against the animation
  double place[3], normal[3];
  double shift[2], turn, nudge[3];
  double lead[2];        // in a swing: added to shift, so that the foot moves ahead of the animation and lands behind
                         // an edge
  bool standing, let_go; // locked; no longer locked because the animation has moved too far away
  bool dragged;          // its leg is too short: the foot follows the animation in this step
  bool touched;          // it touched down in the last step
  bool lost;             // the surface on which it stood, or was about to, has left it: it comes down to the next
  bool refused;          // this stance has been reported as refused
  double lock_shift[2], lock_turn, base_shift[2], base_turn; // shift and turn of the whole lock, and at touchdown
  double held[2][2], held_yaw;     // x and z of the ends of the supported part of the sole, as locked, on the
                                   // animation's level; yaw
  double support_span[2], drop[2]; // as in FootGround, for the ground on which it stands or which it has left
  double dip;                      // m by which the foot is lower, so that it rolls over an edge instead of resting on
                                   // its end
  double from[3], from_normal[3];  // in a swing: place and normal of the ground that it left
  SwingHull hull;
  FootGround ground;                 // the ground under the standing foot, or at its landing place
  bool spot_moved;                   // the landing place is not the animation's
  double spot[2];                    // m: displacement of the landing place
  double progress, begin;            // progress of the swing; share of the path at which it began
  double animated[3], shown[3];      // middle of the sole in the last step, before and after foot placement
  double offset, lacking, extension; // for the trace: m over the animation, m short of the goal, share of the reach
  FootRefusal refusal;               // of the present or the next stance
  vec3s hip, goal;                   // the hip joint, and the place for the ankle
  versors goal_rotation;
  Spring push; // rad: additional roll of the foot over its toes because the leg is too short
} PlacedFoot;

typedef struct FootPlacement {
  PlacedFoot feet[SKELETON_MAX_LEGS];
  bool begun;                            // true after the first init; settings made at run time are kept by later ones
  bool settles;                          // the next step starts with the pelvis at the height that its feet need
  unsigned mask;                         // mask of the rays
  double drop, drop_velocity, held_drop; // m by which the pelvis is lowered; its rate; least value that it should have
  double shift[2], shift_velocity[2];    // m by which the pelvis is shifted with its feet: x and z
  double ahead[3];                       // m: predicted displacement of the root in the near future
} FootPlacement;

extern const ParamTable foot_placement_params;

// Finds the legs, after the rows of the table have been read. map may be NULL. False with an error at the node when the
// skeleton has no legs. Knees must be hinges about their x axis, and the feet's frames parallel to the model's in the
// bind pose.
bool foot_placement_read(FootPlacementDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Starts with the feet where the pose has them, at rest.
void foot_placement_init(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Moves feet and pelvis of step->pose_w. In each step the pose must be the animation's, not the layer's previous
// result.
void foot_placement_apply(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Heights in m between which rays look for ground, and below which ground is too low.
typedef struct FootRange {
  double top, bottom, lowest;
} FootRange;

// The range given by the parameters for a foot on the animation's ground at `level`.
FootRange foot_range(const FootPlacementDef *def, const PlacedLeg *leg, double level);

// Finds the ground for a sole whose middle is at x, z, with the toes in direction `yaw`.
FootGround foot_ground_find(const FootPlacementDef *def, const PlacedLeg *leg, unsigned mask, const LayerStep *step,
                            const double middle[2], double yaw, const FootRange *range);

// Draws in group DEBUG_FEET rays, their hits and the sole's plane (locked soles outlined, refused ones red with the
// reason), and in group DEBUG_IK the goals of the ankles.
void foot_placement_debug(const FootPlacementDef *def, const FootPlacement *placement, const LayerStep *step,
                          DebugDraw *draw);

// Control of single feet at run time (for demos, tests, games). foot: index of the leg; for an index without a leg
// setters do nothing, and the foot is reported as inactive. speed: 1/s, rate of the weight's change; 0 or less: at
// once.
void foot_placement_set_active(FootPlacement *placement, int foot, bool active);
bool foot_placement_is_active(const FootPlacement *placement, int foot);
void foot_placement_enable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_disable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_set_plant_weight(FootPlacement *placement, int foot, double weight); // 0 .. 1, at once
double foot_placement_get_plant_weight(const FootPlacement *placement, int foot);
void foot_placement_set_ray_mask(FootPlacement *placement, unsigned mask); // GROUND_ALL initially; see ground.h
unsigned foot_placement_get_ray_mask(const FootPlacement *placement);

// Def: FootPlacementDef, state: FootPlacement. Rows of the trace: one for each leg.
extern const LayerKind foot_placement_layer;

#endif
