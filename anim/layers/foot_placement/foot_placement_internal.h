// Declarations shared by the files of foot placement: the parts of its step.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_INTERNAL_H
#define STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_INTERNAL_H

#include "anim/layers/foot_placement/foot_placement.h"

// m below the end of the rays within which ground is still found for a foot that stands or is about to land.
#define FOOT_STAYS 0.3

// The rays of a foot.
enum { FOOT_RAY_ANKLE, FOOT_RAY_TOE, FOOT_RAY_HEEL, FOOT_RAY_OUTER, FOOT_RAY_INNER };

// m of height difference between two places, beyond what the slopes explain, above which there is an edge between them.
#define FOOT_EDGE 0.015

// m: largest gap between an end of a standing sole and its ground.
#define FOOT_EVEN 0.004

// m: largest depth of an animation's sole in its own ground; a deeper one is raised to this depth.
#define FOOT_SINKS 0.002

// m/s by which a foot may move faster than the animation's.
#define FOOT_FASTEST 1.15

// A foot in the pose. World frame, m, rad.
typedef struct FootPose {
  vec3s ankle;
  versors rotation;
  double heel[3], toe[3], middle[3]; // of the sole
  double yaw;                        // direction of its toes
  double print[2], print_yaw;        // x and z of the sole's middle if it stood level; its yaw
  double clearance;                  // height of its lower end over the animation's ground
  double sunk;                       // m: excess depth in that ground, as in a blend of two clips
} FootPose;

FootPose foot_pose(const PlacedLeg *leg, const ModelPose *model, double level);

// A sole whose ground is looked for. Its middle (x and z) is that at the beginning of the step.
typedef struct FootLook {
  const FootPlacementDef *def;
  const PlacedLeg *leg;
  unsigned mask;
  const LayerStep *step;
  double middle[2], yaw;
  FootRange range;
} FootLook;

// Lays a sole, for which the rays have found ground, on the ground's profile between heel and toe. Casts rays for that
// unless the place is known from `before`, the result of the last step, which may be NULL.
void foot_look_closer(const FootLook *look, const FootGround *before, FootGround *ground);

// When an edge that moves, as that of a platform which turns, comes over the ground of a foot that stands or is about
// to land, the foot does not climb it: it keeps its own ground, `before`, and an edge that approaches pushes it along.
// Only where the ground of its ankle is covered does `ground` remain what has come. From then on `look` sees what the
// foot sees, from just above its sole.
void foot_stay_below_edge(FootLook *look, const FootGround *before, FootGround *ground);

// Whether such an edge has left a foot that is about to land: what is below instead is lower and moves otherwise.
bool foot_edge_has_left(const FootGround *before, const FootGround *now);

// Height of the highest ground at x, z that rays from around `level` meet. False where there is none.
bool foot_height_at(const FootPlacementDef *def, unsigned mask, const LayerStep *step, const double at[2], double level,
                    double *height);

// Moves a landing place (x and z) outward until the sole there, toes in direction `yaw`, does not overlap another
// foot's.
void foot_keep_apart(const FootPlacementDef *def, const FootPlacement *placement, double heading, int index, double yaw,
                     double place[2]);

// Whether the sole is not inside a wall, not across ground on which it cannot lie, and not half of it in the air.
bool foot_stands_well(const FootGround *ground);

// Where a foot will stand: the ground under its planned landing place, or the nearest place that supports the foot.
void foot_find_spot(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                    const FootPlan *plan);

// Starts a foot as the pose has it, on the ground if there is any.
void foot_start(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan);

// Advances a foot by step->dt: it stands, swings, or returns to the animation.
void foot_move(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
               const FootPose *pose, const FootPlan *plan);

// The ankle's position and rotation after placement.
void foot_place(const PlacedFoot *foot, const FootPose *pose, double level, vec3s *ankle, versors *rotation);

// Quantities of the mapping to the ground that are common to all points of a foot; valid until its turn or tilt
// changes.
typedef struct FootFrame {
  double sine, cosine;           // of the foot's yaw on the ground
  double turn_sine, turn_cosine; // of its turn from the animation
  double axes[3][3];             // left, up and front on the ground
} FootFrame;

FootFrame foot_frame(const PlacedFoot *foot, const FootPose *pose);

// Maps a point of the animated foot to the ground, with weight 1.
void foot_carry(const FootFrame *frame, const PlacedFoot *foot, const FootPose *pose, double level,
                const double point[3], double carried[3]);

// The same for the middle of the sole.
void foot_carry_middle(const PlacedFoot *foot, const FootPose *pose, double level, double carried[3]);

// foot_shift_point: a point, turned and shifted horizontally with the foot: x and z. foot_set_normal: sets the normal,
// limited by the largest tilt.
void foot_shift_point(const PlacedFoot *foot, const FootPose *pose, const double point[3], double shifted[2]);
void foot_set_normal(PlacedFoot *foot, const FootPlacementDef *def, const double normal[3]);

// The ends of the supported part of the sole; support_span: shares of its length from the heel.
void foot_support_ends(const FootPose *pose, const double support_span[2], double ends[2][3]);

// m by which a foot is lower because ends of its sole are unsupported: it rolls over the supported part until they
// reach the ground below.
double foot_dip(const FootPose *pose, const double support_span[2], const double drop[2]);

// foot_most_way: m that a foot may move in this step. foot_limit_speed: limits its motion since `before`, the former
// place of the middle of its sole; true when that was necessary.
double foot_most_way(const PlacedFoot *foot, const FootPose *pose, const LayerStep *step);
bool foot_limit_speed(PlacedFoot *foot, const FootFrame *frame, const FootPose *pose, double level,
                      const double before[3], double most);

// foot_lift_off begins a swing; foot_swing advances it by step->dt and is false where no ground is found for it.
void foot_lift_off(PlacedFoot *foot);
bool foot_swing(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan);

// Predicts the motion of the root; call before foot_push_off and foot_find_drop.
void foot_look_ahead(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Turns a goal about its toes, heel up, where the leg is too short. heel_height: m, of the animation's heel.
void foot_push_off(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                   const ModelPose *model, double heel_height);

// Shifts the pelvis along with the displacement of its feet, so that legs keep the animation's shape. Also shifts
// `model`.
void foot_shift_pelvis(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, ModelPose *model,
                       const FootPlan *plans);

// foot_find_drop computes the lowering of the pelvis; foot_place_legs poses the legs.
void foot_find_drop(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                    const ModelPose *model, const FootPlan *plans);
void foot_place_legs(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                     const ModelPose *model, FootPlan *plans);

// For an `up` other than the world's: a step that is turned so that `up` is vertical. Plans, which are in x and z, are
// meaningless then.
typedef struct FootAxes {
  double row[3][3]; // the turned frame's axes in the world
} FootAxes;

typedef struct FootUp {
  const Ground *ground;
  FootAxes axes;
  Ground turned;
} FootUp;

bool foot_up_is_worlds(const FootPlacementDef *def);
FootAxes foot_up_axes(const FootPlacementDef *def);
void foot_up_turn(const FootAxes *axes, bool back, const double v[3], double turned[3]);
LayerStep foot_up_begin(const FootPlacementDef *def, const LayerStep *step, FootUp *up); // also turns step->pose_w
void foot_up_end(const FootUp *up, const LayerStep *step);                               // turns step->pose_w back

// Saves or restores the state of the layer.
void foot_placement_state(const FootPlacementDef *def, FootPlacement *placement, StateStream *stream);

#endif
