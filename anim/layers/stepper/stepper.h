// The stepper: legs of any number that walk by themselves under a body that is moved about.
//
// Every leg has a reference: the place of its foot in the pose in which the character starts, carried along by the root
// over the ground. A foot stays where it stands, to the last bit, until its reference is too far away; then it steps to
// a place as far ahead of the reference as it was allowed to fall behind. Legs step in groups, in turn; a leg that was
// left too far behind (escaped) steps out of turn. The body follows: it rises with the lifted feet, leans with the
// ground under them and turns after them.
//
//   - {kind: stepper}
//   - kind: stepper
//     step_time: 0.2
//     offset: [[-1, 1.5], [0, 1.25], [1, 1.0]]
//     height: {smooth: true, keys: [[0, 0], [0.5, 0.5], [1, 0]]}
//     groups: [[front_l, hind_r], [front_r, hind_l]]
//     spine: [back_1, back_2, back_3]
//
// `offset` is the distance that a foot may be away from its reference, in units of `scale`, over the cosine of the
// angle between the way from the reference to the foot and the front. With the curve above a stride over the body is
// 2.5 units whatever the direction; only the share behind and ahead differs. `height` is the height of a step, in units
// of `scale` times `lift`, over its progress from 0 to 1. Legs that no group names step only when they have escaped;
// without `groups` neighbours take turns: diagonals on four legs, tripods on six; one group of all legs hops. `spine`:
// joints from the hind legs to the front legs, which bend to the side to which the feet are turned.
#ifndef STAGGER_ANIM_LAYERS_STEPPER_STEPPER_H
#define STAGGER_ANIM_LAYERS_STEPPER_STEPPER_H

#include "anim/curve.h"
#include "anim/layers/layer.h"
#include "anim/spring.h"

enum { STEPPER_MAX_SPINE = 8 };

// How a knee bends. auto: a hinge when the bind pose bends about the knee's x axis or is straight.
typedef enum StepperKnee { STEPPER_KNEE_AUTO, STEPPER_KNEE_HINGE, STEPPER_KNEE_FREE } StepperKnee;

// Which pose defines how the legs stand. A clip that walks has no such pose.
typedef enum StepperRest { STEPPER_REST_START, STEPPER_REST_BIND } StepperRest;

#define STEPPER_PARAMS(ROW, T)                                                                                         \
  ROW(T, REAL, scale, "0", 0, 100, "m",                                                                                \
      "Length of one unit of offset and height. 0: a fifth of a leg, less where feet are close or reach no farther.")  \
  ROW(T, REAL, escape, "1.5", 1, 10, "-", "Multiple of the allowed offset beyond which a leg steps out of turn.")      \
  ROW(T, REAL, angle_limit, "30", 1, 180, "deg", "A foot steps when the body has turned so far away from it.")         \
  ROW(T, REAL, step_time, "0.25", 0.02, 10, "s", "Time of a step that has time.")                                      \
  ROW(T, REAL, step_time_min, "0.06", 0.01, 10, "s", "Shortest time of a step: faster than that legs fall behind.")    \
  ROW(T, REAL, keep_up, "0.8", 0, 1, "-",                                                                              \
      "Share of its turn that a step takes at most: steps shorten with speed. 0: only to be in time for an escape.")   \
  ROW(T, REAL, lift, "1", 0, 10, "-", "Factor of the height of steps.")                                                \
  ROW(T, REAL, lead_time, "0.15", 0, 2, "s", "Feet land turned ahead by as much as the body turns in this time.")      \
  ROW(T, REAL, together, "0.1", 0, 1, "-",                                                                             \
      "Legs of a group that have used so much of what they are allowed step along with the first.")                    \
  ROW(T, REAL, settle, "0.2", 0.01, 1, "-",                                                                            \
      "Share of the allowed offset that starts a step when the body stands still or sets out. 1: all of it.")          \
  ROW(T, CHOICE, knee, "auto", 0, 0, "auto|hinge|free",                                                                \
      "hinge: about the knee's x axis; free: to the side of the pose at rest, for sprawled legs; auto: by the bind "   \
      "pose.")                                                                                                         \
  ROW(T, CHOICE, rest, "start", 0, 0, "start|bind",                                                                    \
      "How the legs stand. start: as in the pose in which the character starts; bind: as in the bind pose, for clips " \
      "that walk.")                                                                                                    \
  ROW(T, REAL, bob, "0.5", -10, 10, "-",                                                                               \
      "Rise of the body with the mean height of lifted feet. 0: standing feet only.")                                  \
  ROW(T, REAL, bob_damp, "0.08", 0, 10, "s", "Time of the spring that smooths the body's height.")                     \
  ROW(T, REAL, slope, "1", 0, 2, "-", "How far the body leans with the ground under its feet.")                        \
  ROW(T, REAL, slope_limit, "35", 0, 80, "deg", "Farthest that it leans with the ground.")                             \
  ROW(T, REAL, slope_damp, "0.2", 0, 10, "s", "Time of the spring that smooths the lean.")                             \
  ROW(T, REAL, sink, "0.2", 0, 1, "legs", "Farthest that the body sinks so that legs reach, in lengths of a leg.")     \
  ROW(T, VECTOR, sway, "[1, 0.3, 0.3]", -10, 10, "-", "Yaw, pitch and roll of the body with the mean of its feet.")    \
  ROW(T, REAL, bend, "1", -10, 10, "-", "Bend of the spine with the difference of front and hind feet.")               \
  ROW(T, REAL, sway_limit, "12", 0, 90, "deg", "Farthest sway about each axis, and farthest bend.")                    \
  ROW(T, REAL, sway_damp, "0.1", 0, 10, "s", "Time of the spring that smooths sway and bend.")                         \
  ROW(T, REAL, ray_up, "1", 0.01, 100, "legs", "Rays to the ground start so far above the root, in lengths of a leg.") \
  ROW(T, REAL, ray_down, "1.5", 0.01, 100, "legs", "Rays end so far below the root, in lengths of a leg.")             \
  ROW(T, REAL, steepest, "60", 0, 89, "deg", "Steeper ground carries no foot.")

typedef struct StepperLeg {
  Leg leg;
  double length, reach; // m from hip to ankle: along the bones, and the most
  bool hinge;
  int group; // -1: none
} StepperLeg;

// How a leg stands in a pose. "Level" coordinates: x to the left, z forward, in m from the root on the ground.
typedef struct StepperRestLeg {
  double reference[2];     // level x, z: of the sole
  versors foot_rotation_m; // of the foot joint, model frame
  vec3s pole_p;            // side to which the middle of a free leg points, frame of the hip's parent
  double easy_reach;       // m from hip to ankle up to which the body need not sink
  bool front;              // nearer to the front than the mean of all legs
} StepperRestLeg;

// How all of them do.
typedef struct StepperStance {
  StepperRestLeg legs[SKELETON_MAX_LEGS];
  double unit;       // m: `scale`, or the automatic value where that is 0
  double hip_height; // m: of the root joint over the ground
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

// A foot. World, m.
typedef struct StepperFoot {
  double place[3];                 // of the sole on the ground; in a step: on the way from lift-off to landing
  double lift;                     // over place
  versors rotation;                // of the foot joint
  double yaw;                      // rad: heading of the body for which it stands straight
  bool stepping;                   // off the ground
  double progress;                 // 0 .. 1 of its step
  double clearance;                // what the step rises in addition, for bumps on its way
  double landing[3], normal[3];    // where the step goes, and the ground there or under the foot
  double landing_yaw;              // rad
  double reference[3];             // where it would stand
  double distance, allowed, angle; // level, m, from its reference; what is allowed in that direction; rad off the body
  bool escaped;                    // farther than allowed times `escape`
  bool taken;                      // it has stepped in this turn of its group
  bool settled;                    // it has stepped since the body stands still
  FootRefusal refusal;             // why the landing point, or the place where it stands, is not the wanted one
  bool landed;                     // in this step
  float missing;                   // what the leg lacked to put the foot there, in the pose given out last
} StepperFoot;

typedef struct Stepper {
  StepperStance stance; // found when it begins for the first time
  bool has_stance;
  StepperFoot feet[SKELETON_MAX_LEGS];
  int active;                    // group whose turn it is; -1: whichever is first
  bool active_moved;             // it has begun
  bool standing;                 // the body stands, or sets out and nothing has stepped yet
  double still_time;             // s
  long steps, escapes, refusals; // since init: steps, those out of turn, landings without the ground wanted
  // The body's reaction. sunk: so that legs reach; lean: rotation vector with the ground, about the world's x and z;
  // sway: yaw about up, pitch about the body's left (positive: nose down), roll about its front (positive: left side
  // up); bend: of the front against the hind end, about up. m and rad.
  Spring bob, sink, lean[2], sway[3], bend;
  double sunk;
} Stepper;

extern const ParamTable stepper_params;

// Finds legs, groups, curves and spine; the rows of the table have been read. map may be NULL: all by default. False
// with an error at the node, or when the skeleton has no legs.
bool stepper_read(StepperDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Feet stand, or step down at once, from where the pose has them; the body is at rest. After a pause too: the pose that
// follows is the one given. The state must be zero before the first time.
void stepper_init(const StepperDef *def, Stepper *stepper, const LayerStep *step);

// Moves on by step->dt, then puts body and legs of step->pose_w, and sets step->plans unless it is NULL. The pose must
// be the animation's, afresh in each step.
void stepper_apply(const StepperDef *def, Stepper *stepper, const LayerStep *step);

// Group DEBUG_FEET: references with the curve of the allowed offset, soles, landing points; escaped legs in red.
void stepper_debug(const StepperDef *def, const Stepper *stepper, const LayerStep *step, DebugDraw *draw);

// How the legs stand in a pose in the root's frame.
void stepper_find_stance(const StepperDef *def, const Skeleton *skeleton, const Pose *pose, StepperStance *stance);

// m that a foot may be away from its reference in a direction with this cosine to the front.
double stepper_allowed(const StepperDef *def, double unit, double cosine);

// The mean direction of angles (rad), right across +-pi; 0 when there is none.
double stepper_mean_angle(const double *angles, int count);

// Def: StepperDef, state: Stepper. Rows of the trace: legs.
extern const LayerKind stepper_layer;

#endif
