// Foot placement: fits the feet of what plays to uneven ground and keeps the animation's style. The animation stands on
// its own level ground, at the height of the leading root; each foot is carried over to the true one, its sole on it.
//
//   - {kind: foot_placement}
//   - {kind: foot_placement, rotation_limit: 30, plant: false}
//
// Rays for each foot, from `ray_start_height` above the ankle down to foot_height + extra_ray_distance below it: at the
// ankle (height), a foot length ahead and at the heel (pitch), half a foot's width to either side (roll). Yaw is the
// animation's. Rays that meet another surface than the highest one that can support the foot do not tilt it.
// Where a foot is to stand, and as long as it does not move there, its sole lies on the ground between heel and toe as
// a board would: seven rays along the sole are sent once for a place.
//
// With plans (foot_plan.h) standing feet are locked in the world, and swings rise over what lies on their way and come
// down where the foot will stand; a landing place that cannot support the foot is moved to the nearest one that can.
// Without plans a foot stands while its sole is on the animation's ground. The pelvis sinks until the leg that is
// farthest from its goal reaches it, stretched by no more than `stretch` or than the animation stretches it; before the
// pelvis sinks, a foot that rolls over its toes in the animation rolls farther. A sole that stands across an edge rolls
// over the edge until its end in the air meets the ground below. A character that starts with a foot half over an edge
// or inside a riser has it put beside. Moving ground takes standing feet along, each foot with the ground under it;
// rays see the ground where it is when the step begins.
//
// A standing foot whose ground leaves it, as the edge of a platform does, comes down to the next ground at the speed of
// a swing; meanwhile it does not stand, and the stance is refused. Feet that the animation has deeper in its own ground
// than 2 mm, as blends of clips do, are raised. A side of the sole alone does not support a foot.
//
// A foot for which no ray hits follows the animation. Where the ray of the toe, of the heel or of a side misses or
// meets another surface, the slope follows from the other rays, or from the normals where they hit. Ground that is
// higher than the start of the rays, deeper than the pelvis sinks, or too steep is refused: the foot follows the
// animation.
//
// Sources: parameters and steps of the Mec Foot Placer article and asset, as collected in its public documentation.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_H
#define STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_H

#include "anim/layers/layer.h"
#include "anim/spring.h"

#define FOOT_PLACEMENT_PARAMS(ROW, T)                                                                                  \
  ROW(T, VECTOR, up, "[0, 1, 0]", -1, 1, "-",                                                                          \
      "Against the rays; made a unit vector. Another than the world's is for walls, without plans.")                   \
  ROW(T, REAL, ray_start_height, "0.5", 0, 10, "m", "Rays start so far above the ankle.")                              \
  ROW(T, REAL, foot_length, "0", 0, 2, "m", "From the ankle's ray to the toe's. 0: as the skeleton's sole has it.")    \
  ROW(T, REAL, foot_half_width, "0", 0, 1, "m", "To the side ray. 0: as the skeleton's sole has it.")                  \
  ROW(T, REAL, foot_height, "0", 0, 1, "m", "Ankle over sole. 0: as the skeleton's sole has it.")                      \
  ROW(T, REAL, extra_ray_distance, "0.3", -1, 10, "m", "Rays end so far below the animation's sole.")                  \
  ROW(T, REAL, rotation_limit, "45", 0, 89, "deg", "Farthest that a foot is tilted with the ground.")                  \
  ROW(T, REAL, steepest, "60", 0, 89, "deg", "Steeper ground is a wall: it carries no foot.")                          \
  ROW(T, REAL, transition_time, "0.2", 0, 10, "s", "From the animation to the ground when a ray hits, and back.")      \
  ROW(T, VECTOR, hint_offset, "[0, 0, 0]", -10, 10, "m", "Added to where the knees point, root's frame.")              \
  ROW(T, BOOL, plant, "true", 0, 1, "", "Whether standing feet are locked in the world.")                              \
  ROW(T, REAL, plant_distance, "0.3", 0, 10, "m", "A planted foot lets go when the animation's is farther away.")      \
  ROW(T, REAL, plant_angle, "60", 0, 180, "deg", "A planted foot lets go when the animation's has turned farther.")    \
  ROW(T, REAL, pelvis_drop, "0.4", 0, 10, "m", "Farthest that the pelvis sinks so that feet reach.")                   \
  ROW(T, REAL, pelvis_damp, "0.1", 0, 10, "s", "Time of the spring that smooths the pelvis' height.")                  \
  ROW(T, REAL, stretch, "0.99", 0.5, 1, "-", "Longest distance from hip to ankle, of the leg's length.")

enum { FOOT_RAYS = 5 };

// A leg as foot placement needs it. Along the level foot from its ankle: m to the side (positive left) and ahead.
typedef struct PlacedLeg {
  Leg leg;
  double offset[FOOT_RAYS][2]; // of the rays: ankle, toe, heel, outer side, inner side
  double sole[2];              // of the sole's middle
  double length, height;       // m: the sole, the ankle over it
  double reach;                // m: from hip to ankle with a straight knee
  double side;                 // 1: a left leg, -1: a right one, 0: in the middle
} PlacedLeg;

typedef struct FootPlacementDef {
  FOOT_PLACEMENT_PARAMS(PARAM_FIELD, FootPlacementDef)
  PlacedLeg legs[SKELETON_MAX_LEGS];
  int count;
} FootPlacementDef;

// How a sole lies on the ground between its heel and its toe, relative to the plane found by its rays.
typedef struct SoleProfile {
  bool known;
  double lift, rise;  // m: height added under the sole's middle, and rise added from heel to toe
  double uneven;      // m between the higher end of the sole and the ground that should support it
  bool blocked;       // a wall rises between heel and toe
  double at[2], yaw;  // m, rad: where the rays were sent, carried along with the ground since
  int supported_rays; // as in FootGround, at that time
} SoleProfile;

// What rays found of the ground under a sole. World.
typedef struct FootGround {
  bool found; // the ground supports the foot; otherwise `refusal` says why not
  FootRefusal refusal;
  double place[3], normal[3];    // m: below the middle of the sole; the unit normal of the sole that stands on it
  double velocity[3], turn_rate; // of the ground, m/s and rad/s about up
  int supported,
      supported_rays;     // rays that met the surface which supports the foot: their number, and one bit for each
  double support_span[2]; // where that surface begins and ends under the sole: share of its length from the heel
  double drop[2];         // m from the sole down to the ground under heel and toe
  bool blocked;           // a ray met a wall, or ground above the sole
  SoleProfile sole;
  bool met[FOOT_RAYS]; // for drawing: which rays hit, and where
  double start[FOOT_RAYS][3], hit[FOOT_RAYS][3];
} FootGround;

enum { FOOT_CORNERS = 16 };

// The corners of the upper convex hull of the ground between the place that a swinging foot left and its landing place.
// along: 0 .. 1 of the level distance; height: m over the place left; length: m along the hull up to the corner.
typedef struct SwingHull {
  double along[FOOT_CORNERS], height[FOOT_CORNERS], length[FOOT_CORNERS];
  int count;        // 0: not built yet
  double way[3];    // m: from one place to the other when the hull was built
  double normal[3]; // of the ground at the landing place, then
} SwingHull;

// A foot's state. World, m, rad. How the animated foot is carried to the ground: on the animation's level it is turned
// about up and shifted (`turn`, `shift`), then the level below `place` is laid on the plane through `place` with
// `normal`; `nudge` is added.
typedef struct PlacedFoot {
  bool active;
  double plant_weight, plant_goal, plant_speed; // 0 .. 1; 1/s
  double weight;                                // 0 .. 1: of the ground against the animation
  double place[3], normal[3];
  double shift[2], turn, nudge[3];
  double lead[2];        // in a swing, added to shift: ahead of the animation, to land behind an edge
  bool standing, let_go; // locked; no longer locked because the animation went too far away
  bool dragged;          // its leg reaches no farther: the foot follows the animation for this step
  bool touched;          // it touched down in the last step
  bool lost;             // the surface that it stood on has left it: it comes down to the next one
  bool refused;          // this stance has been reported as refused
  double lock_shift[2], lock_turn, base_shift[2], base_turn; // of the whole lock, and at touch-down
  double held[2][2], held_yaw;     // x and z of the ends of the supported part, as locked, on the level; yaw
  double support_span[2], drop[2]; // as in FootGround, of the ground stood on, or left
  double dip;                      // m by which the foot is lower, to roll over an edge and not over its end
  double from[3], from_normal[3];  // in a swing: the ground it left
  SwingHull hull;
  FootGround ground;                 // under the standing foot, or where it will land
  bool spot_moved;                   // the landing place is not the animation's
  double spot[2];                    // m: how far from it
  double progress, begin;            // of the swing; where along the way it began
  double animated[3], shown[3];      // the sole's middle in the last step, before and after
  double offset, lacking, extension; // for the trace: m over the animation, m short of the goal, share of the reach
  FootRefusal refusal;               // of the stance under way or the coming one
  vec3s hip, goal;                   // the hip joint, and the place for the ankle
  versors goal_rotation;
  Spring push; // rad: how much farther the foot rolls over its toes because the leg is too short
} PlacedFoot;

typedef struct FootPlacement {
  PlacedFoot feet[SKELETON_MAX_LEGS];
  bool begun;                            // from the first init on; settings made by functions are kept from then on
  bool settles;                          // the next step starts the pelvis at the height that its feet need
  unsigned mask;                         // of the rays
  double drop, drop_velocity, held_drop; // m by which the pelvis is lower; the least that it should be
  double shift[2], shift_velocity[2];    // m by which the pelvis is moved with its feet: x and z
  double ahead[3];                       // m: displacement of the root foreseen for the near future
} FootPlacement;

extern const ParamTable foot_placement_params;

// Finds the legs; the rows of the table have been read. map may be NULL. False with an error at the node when the
// skeleton has no legs. Knees bend as hinges about their x axis; the feet's frames are the model's in the bind pose.
bool foot_placement_read(FootPlacementDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Feet stand, or are, where the pose has them, at rest.
void foot_placement_init(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Puts feet and pelvis of step->pose_w. The pose must be the animation's, afresh in each step.
void foot_placement_apply(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Between which heights rays look for ground, and below which it is too low, m.
typedef struct FootRange {
  double top, bottom, lowest;
} FootRange;

// As the parameters say, for a foot that stands on the animation's ground at `level`.
FootRange foot_range(const FootPlacementDef *def, const PlacedLeg *leg, double level);

// The ground for a sole whose middle stands at x, z, its toes pointing to `yaw`.
FootGround foot_ground_find(const FootPlacementDef *def, const PlacedLeg *leg, unsigned mask, const LayerStep *step,
                            const double middle[2], double yaw, const FootRange *range);

// Group DEBUG_FEET: rays, what they hit, the sole's plane; locked soles are outlined, refused ones red with the reason.
// Group DEBUG_IK: the goals of the ankles.
void foot_placement_debug(const FootPlacementDef *def, const FootPlacement *placement, const LayerStep *step,
                          DebugDraw *draw);

// Control of single feet at run time (for demos, tests, games). foot: index of the leg; an index without a leg is
// ignored, and reported as inactive. speed: 1/s at which the weight goes from 0 to 1; 0 or less: at once.
void foot_placement_set_active(FootPlacement *placement, int foot, bool active);
bool foot_placement_is_active(const FootPlacement *placement, int foot);
void foot_placement_enable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_disable_plant(FootPlacement *placement, int foot, double speed);
void foot_placement_set_plant_weight(FootPlacement *placement, int foot, double weight); // 0 .. 1, at once
double foot_placement_get_plant_weight(const FootPlacement *placement, int foot);
void foot_placement_set_ray_mask(FootPlacement *placement, unsigned mask); // GROUND_ALL at first; see ground.h
unsigned foot_placement_get_ray_mask(const FootPlacement *placement);

// Def: FootPlacementDef, state: FootPlacement. Rows of the trace: legs.
extern const LayerKind foot_placement_layer;

#endif
