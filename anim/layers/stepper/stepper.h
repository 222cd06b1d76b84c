// The stepper: any number of legs that walk by themselves under a body that is moved.
//
// Every leg has a reference: the place of its foot in the pose in which the character starts, moved by the root over
// the ground. A foot keeps its place exactly until its reference is too far away; then it steps to a place as far ahead
// of the reference as it was allowed to fall behind. Groups of legs step in turn; a leg that has fallen too far behind
// (escaped) steps out of turn. The body follows its feet: it rises with the lifted ones, leans with the ground under
// them and turns after them.
//
//   - {kind: stepper}
//   - kind: stepper
//     step_time: 0.2
//     offset: [[-1, 1.5], [0, 1.25], [1, 1.0]]
//     height: {smooth: true, keys: [[0, 0], [0.5, 0.5], [1, 0]]}
//     groups: [[front_l, hind_r], [front_r, hind_l]]
//     spine: [back_1, back_2, back_3]
//
// `offset` is the allowed distance of a foot from its reference, in units of `scale`, as a function of the cosine of
// the angle between the direction from the reference to the foot and the front. With the curve above, a stride over the
// body is 2.5 units in all directions; only its shares behind and ahead differ. `height` is the height of a step, in
// units of `scale` times `lift`, as a function of its progress from 0 to 1. Legs that are in no group step only when
// they have escaped; without `groups` neighbours take turns: diagonals on four legs, tripods on six; with all legs in
// one group the character hops. `spine`: joints from the hind legs to the front legs, which bend to the side toward
// which the feet are turned.
#ifndef STAGGER_ANIM_LAYERS_STEPPER_STEPPER_H
#define STAGGER_ANIM_LAYERS_STEPPER_STEPPER_H

#include "anim/curve.h"
#include "anim/layers/layer.h"
#include "anim/spring.h"

enum { STEPPER_MAX_SPINE = 8 };

// How a knee bends. auto: as a hinge if, in the bind pose, it is straight or bent about its x axis.
typedef enum StepperKnee { STEPPER_KNEE_AUTO, STEPPER_KNEE_HINGE, STEPPER_KNEE_FREE } StepperKnee;

// Which pose defines how the legs stand. Clips of walking contain no such pose.
typedef enum StepperRest { STEPPER_REST_START, STEPPER_REST_BIND } StepperRest;

#define STEPPER_PARAMS(ROW, T)                                                                                         \
  ROW(T, REAL, scale, "0", 0, 100, "m",                                                                                \
      "Length of one unit of offset and height. 0: a fifth of a leg, less where feet are close together or have a "    \
      "shorter reach.")                                                                                                \
  ROW(T, REAL, escape, "1.5", 1, 10, "-", "Multiple of the allowed offset beyond which a leg steps out of turn.")      \
  ROW(T, REAL, angle_limit, "30", 1, 180, "deg", "Angle between body and foot above which the foot steps.")            \
  ROW(T, REAL, step_time, "0.25", 0.02, 10, "s", "Duration of a step that need not hurry.")                            \
  ROW(T, REAL, step_time_min, "0.06", 0.01, 10, "s",                                                                   \
      "Shortest duration of a step; legs that would need shorter ones fall behind.")                                   \
  ROW(T, REAL, keep_up, "0.8", 0, 1, "-",                                                                              \
      "Largest share of a group's turn that a step takes, so that steps become shorter with speed. 0: they become "    \
      "shorter only before an escape.")                                                                                \
  ROW(T, REAL, lift, "1", 0, 10, "-", "Factor of the height of steps.")                                                \
  ROW(T, REAL, lead_time, "0.15", 0, 2, "s", "Feet land turned ahead by as much as the body turns in this time.")      \
  ROW(T, REAL, together, "0.1", 0, 1, "-",                                                                             \
      "Legs of a group that have used this share of their allowed offset step together with the first.")               \
  ROW(T, REAL, settle, "0.2", 0.01, 1, "-",                                                                            \
      "Share of the allowed offset that starts a step when the body stands or begins to move. 1: all of it.")          \
  ROW(T, CHOICE, knee, "auto", 0, 0, "auto|hinge|free",                                                                \
      "hinge: about the knee's x axis; free: to the side of the pose at rest, for sprawled legs; auto: by the bind "   \
      "pose.")                                                                                                         \
  ROW(T, CHOICE, rest, "start", 0, 0, "start|bind",                                                                    \
      "How the legs stand. start: as in the pose in which the character starts; bind: as in the bind pose, for clips " \
      "that walk.")                                                                                                    \
  ROW(T, REAL, bob, "0.5", -10, 10, "-",                                                                               \
      "Rise of the body with the mean height of lifted feet. 0: standing feet only.")                                  \
  ROW(T, REAL, bob_damp, "0.08", 0, 10, "s", "Time of the spring that smooths the body's height.")                     \
  ROW(T, REAL, slope, "1", 0, 2, "-", "Factor of the body's lean with the ground under its feet.")                     \
  ROW(T, REAL, slope_limit, "35", 0, 80, "deg", "Largest lean with the ground.")                                       \
  ROW(T, REAL, slope_damp, "0.2", 0, 10, "s", "Time of the spring that smooths the lean.")                             \
  ROW(T, REAL, sink, "0.2", 0, 1, "legs", "Largest lowering of the body so that legs reach, in lengths of a leg.")     \
  ROW(T, VECTOR, sway, "[1, 0.3, 0.3]", -10, 10, "-", "Yaw, pitch and roll of the body with the mean of its feet.")    \
  ROW(T, REAL, bend, "1", -10, 10, "-", "Bend of the spine with the difference of front and hind feet.")               \
  ROW(T, REAL, sway_limit, "12", 0, 90, "deg", "Largest sway about each axis, and largest bend.")                      \
  ROW(T, REAL, sway_damp, "0.1", 0, 10, "s", "Time of the spring that smooths sway and bend.")                         \
  ROW(T, REAL, ray_up, "1", 0.01, 100, "legs",                                                                         \
      "Height above the root at which rays to the ground start, in lengths of a leg.")                                 \
  ROW(T, REAL, ray_down, "1.5", 0.01, 100, "legs", "Depth below the root at which rays end, in lengths of a leg.")     \
  ROW(T, REAL, steepest, "60", 0, 89, "deg", "Steeper ground does not support a foot.")

typedef struct StepperLeg {
  Leg leg;
  double length, reach; // m from hip to ankle: along the bones, and the most
  bool hinge;
  int group; // -1: none
} StepperLeg;

// The stance of a leg in a pose. "Level" coordinates: x to the left, z forward, in m from the root on the ground.
typedef struct StepperRestLeg {
  double reference[2];     // level x, z: of the sole
  versors foot_rotation_m; // of the foot joint, model frame
  vec3s pole_p;            // side to which the middle of a free leg points, in the frame of the hip's parent
  double easy_reach;       // m from hip to ankle up to which the body need not be lowered
  bool front;              // further forward than the mean of all legs
} StepperRestLeg;

// The stance of all legs.
typedef struct StepperStance {
  StepperRestLeg legs[SKELETON_MAX_LEGS];
  double unit;       // m: `scale`, or its automatic value if `scale` is 0
  double hip_height; // m: height of the root joint over the ground
} StepperStance;

typedef struct StepperDef {
  STEPPER_PARAMS(PARAM_FIELD, StepperDef)
  Curve offset, height; // units of `unit`
  StepperLeg legs[SKELETON_MAX_LEGS];
  int count, group_count;
  int spine[STEPPER_MAX_SPINE], spine_count; // joints
  double leg_length;                         // m: mean of the legs from hip to ankle along the bones
  StepperStance bind;
} StepperDef;

// The state of a foot. World frame, m.
typedef struct StepperFoot {
  double place[3];                 // place of the sole on the ground; in a step, on the path from lift-off to landing
  double lift;                     // height over `place`
  versors rotation;                // of the foot joint
  double yaw;                      // rad: heading of the body for which the foot stands straight
  bool stepping;                   // off the ground
  double progress;                 // 0 .. 1 of its step
  double clearance;                // additional height of the step for bumps on its path
  double landing[3], normal[3];    // where the step goes; normal of the ground there or under the foot
  double landing_yaw;              // rad
  double reference[3];             // rest position of the foot
  double distance, allowed, angle; // m, horizontal: distance from its reference, and the largest allowed in that
                                   // direction; rad relative to the body
  bool escaped;                    // the distance is above allowed times `escape`
  bool taken;                      // it has stepped in this turn of its group
  bool settled;                    // it has stepped since the body stands still
  FootRefusal refusal;             // why the landing point, or the place where it stands, is not the wanted one
  bool landed;                     // in this step
  float missing;                   // m by which the leg failed to reach the foot's place in the last pose
} StepperFoot;

typedef struct Stepper {
  StepperStance stance; // found when the layer begins for the first time
  bool has_stance;
  StepperFoot feet[SKELETON_MAX_LEGS];
  int active;                    // group whose turn it is; -1: any group may begin
  bool active_moved;             // that group has begun to step
  bool standing;                 // the body stands, or begins to move and no leg has stepped yet
  double still_time;             // s
  long steps, escapes, refusals; // since init: number of steps, of steps out of turn, and of landings away from the
                                 // wanted ground
  // Reaction of the body. sunk: lowering so that legs reach; lean: rotation vector with the ground, about the world's x
  // and z; sway: yaw about up, pitch about the body's left (positive: nose down), roll about its front (positive: left
  // side up); bend: turn of the front relative to the hind end, about up. In m and rad.
  Spring bob, sink, lean[2], sway[3], bend;
  double sunk;
} Stepper;

extern const ParamTable stepper_params;
extern const CurveTable stepper_curves;

// Finds legs, groups, curves and spine, after the rows of the table have been read. map may be NULL: all defaults.
// False with an error at the node, or when the skeleton has no legs.
bool stepper_read(StepperDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Starts with the feet where the pose has them: they stand or step down at once, and the body is at rest. To be called
// after a pause, too. The state must be zero before the first call.
void stepper_init(const StepperDef *def, Stepper *stepper, const LayerStep *step);

// Advances by step->dt, then poses body and legs in step->pose_w, and writes step->plans unless it is NULL. In each
// step the pose must be the animation's, not the layer's previous result.
void stepper_apply(const StepperDef *def, Stepper *stepper, const LayerStep *step);

// Draws in group DEBUG_FEET references with the curve of the allowed offset, soles and landing points; escaped legs in
// red.
void stepper_debug(const StepperDef *def, const Stepper *stepper, const LayerStep *step, DebugDraw *draw);

// Finds the stance of all legs in a pose in the root's frame.
void stepper_find_stance(const StepperDef *def, const Skeleton *skeleton, const Pose *pose, StepperStance *stance);

// Allowed distance in m of a foot from its reference, in a direction with this cosine to the front.
double stepper_allowed(const StepperDef *def, double unit, double cosine);

// The mean direction of angles (rad), correct across +-pi; 0 when there is none.
double stepper_mean_angle(const double *angles, int count);

// Def: StepperDef, state: Stepper. Rows of the trace: one for each leg.
extern const LayerKind stepper_layer;

#endif
