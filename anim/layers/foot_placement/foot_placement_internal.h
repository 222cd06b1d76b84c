// Between the files of foot placement: how a step of it is made.
#ifndef STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_INTERNAL_H
#define STAGGER_ANIM_LAYERS_FOOT_PLACEMENT_FOOT_PLACEMENT_INTERNAL_H

#include "anim/layers/foot_placement/foot_placement.h"

// m below the end of the rays in which ground is still found for a foot that stands or is about to land.
#define FOOT_STAYS 0.3

// The rays of a foot.
enum { FOOT_RAY_ANKLE, FOOT_RAY_TOE, FOOT_RAY_HEEL, FOOT_RAY_OUTER, FOOT_RAY_INNER };

// m of height between two places, beyond what the slopes explain, above which an edge lies between them.
#define FOOT_EDGE 0.015

// m that an end of a sole may be over its ground.
#define FOOT_EVEN 0.004

// m by which the sole of an animation may be in its own ground; one that is deeper is raised to that.
#define FOOT_SINKS 0.002

// m/s by which a foot may be faster than the animation's.
#define FOOT_FASTEST 1.15

// A foot as the pose has it. World, m, rad.
typedef struct FootPose {
  vec3s ankle;
  versors rotation;
  double heel[3], toe[3], middle[3]; // of the sole
  double yaw;                        // the way its toes point
  double print[2], print_yaw;        // x and z of the sole's middle if it stood flat; its yaw
  double clearance;                  // of the lower end over the animation's ground
  double sunk;                       // m by which it is too deep in that ground, as in a blend of two clips
} FootPose;

FootPose foot_pose(const PlacedLeg *leg, const ModelPose *model, double level);

// A sole that is looked under. Its middle (x and z) as the step begins.
typedef struct FootLook {
  const FootPlacementDef *def;
  const PlacedLeg *leg;
  unsigned mask;
  const LayerStep *step;
  double middle[2], yaw;
  FootRange range;
} FootLook;

// Lays a sole that the rays have found ground for on what is between its heel and its toe. Sends rays there unless
// `before`, what was found in the last step, already knows the place; it may be NULL.
void foot_look_closer(const FootLook *look, const FootGround *before, FootGround *ground);

// Height of the highest ground at x, z that rays from around `level` meet. False where there is none.
bool foot_height_at(const FootPlacementDef *def, unsigned mask, const LayerStep *step, const double at[2], double level,
                    double *height);

// Moves a landing place (x and z) outward as far as the sole there, its toes to `yaw`, would stand on another foot's.
void foot_keep_apart(const FootPlacementDef *def, const FootPlacement *placement, double heading, int index, double yaw,
                     double place[2]);

// Whether the sole is not in a wall, nor across what it cannot lie on, nor half of it in the air.
bool foot_stands_well(const FootGround *ground);

// Where a foot will stand: the ground under its planned landing place, or the nearest place that supports the foot.
void foot_find_spot(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                    const FootPlan *plan);

// A foot begins as the pose has it, on the ground if there is any.
void foot_start(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan);

// A foot moves on by step->dt: it stands, swings, goes back to the animation.
void foot_move(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
               const FootPose *pose, const FootPlan *plan);

// Where the animated foot is put.
void foot_place(const PlacedFoot *foot, const FootPose *pose, double level, vec3s *ankle, versors *rotation);

// What the way to the ground is made of, for all points of a foot. It holds as long as the foot turns and tilts no
// more.
typedef struct FootFrame {
  double sine, cosine;           // of the foot's yaw on the ground
  double turn_sine, turn_cosine; // of its turn from the animation
  double axes[3][3];             // left, up and front on the ground
} FootFrame;

FootFrame foot_frame(const PlacedFoot *foot, const FootPose *pose);

// A point of the animated foot as carried over to the ground, without weight.
void foot_carry(const FootFrame *frame, const PlacedFoot *foot, const FootPose *pose, double level,
                const double point[3], double carried[3]);

// The same of the middle of the sole.
void foot_carry_middle(const PlacedFoot *foot, const FootPose *pose, double level, double carried[3]);

// A point on the level, turned and shifted with the foot: x and z. The normal, as far as a foot may tilt.
void foot_shift_point(const PlacedFoot *foot, const FootPose *pose, const double point[3], double shifted[2]);
void foot_set_normal(PlacedFoot *foot, const FootPlacementDef *def, const double normal[3]);

// The ends of the supported part of the sole, which begins and ends at these shares of its length from the heel.
void foot_support_ends(const FootPose *pose, const double support_span[2], double ends[2][3]);

// m by which a foot hangs lower where ends of its sole do not bear: it rolls over what does, until they reach
// the ground below.
double foot_dip(const FootPose *pose, const double support_span[2], const double drop[2]);

// m that a foot may move in this step; it is held back to that since `before`, where the middle of its sole was: true
// when it had to be.
double foot_most_way(const PlacedFoot *foot, const FootPose *pose, const LayerStep *step);
bool foot_limit_speed(PlacedFoot *foot, const FootFrame *frame, const FootPose *pose, double level,
                      const double before[3], double most);

// A swing begins; it goes on by step->dt. False where no ground is found for it.
void foot_lift_off(PlacedFoot *foot);
bool foot_swing(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan);

// Finds where the root soon goes; before the two below.
void foot_look_ahead(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step);

// Turns a goal about its toes, heel up, where the leg is too short. heel_height: m, of the animation's.
void foot_push_off(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                   const ModelPose *model, double heel_height);

// The pelvis goes along with the places of its feet where these are not the animation's, so that legs keep its shape.
// Also shifts `model`.
void foot_shift_pelvis(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, ModelPose *model,
                       const FootPlan *plans);

// The pelvis sinks, and the legs reach.
void foot_find_drop(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                    const ModelPose *model, const FootPlan *plans);
void foot_place_legs(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step,
                     const ModelPose *model, FootPlan *plans);

// A step in which another direction than the world's is up, turned so that it is. What plans say of places in x and z
// means nothing then.
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
void foot_up_end(const FootUp *up, const LayerStep *step);                               // turns it back

// Saves or restores the state of the layer.
void foot_placement_state(const FootPlacementDef *def, FootPlacement *placement, StateStream *stream);

#endif
