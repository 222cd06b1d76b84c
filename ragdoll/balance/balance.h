// Balance without any help: standing, recovery steps and walking by joint torques alone. The body is taken as a linear
// inverted pendulum: the extrapolated centre of mass xi = c + v / w, w = sqrt(g / height), runs away from the centre of
// pressure r by xi(t) = r + (xi(0) - r) exp(w t) (Hof, Gazendam and Sinke 2005, J. Biomech. 38:1-8; Pratt et al. 2006
// call it the capture point). From this:
//  1. Standing: the ankles bring r beyond xi, inside the soles.
//  2. When xi leaves the hull of the soles, a foot is put where xi will be (Koolen et al. 2012, Int. J. Robotics
//     Research 31:1094-1113).
//  3. Walking is the same step, but the foot is put a little beside and behind that place: by how much sets speed and
//     width of the gait (Hof 2008, Human Movement Science 27:112-125).
// Forces of the feet become torques of the joints by the transposed Jacobian: virtual model control (Pratt et al. 2001,
// Int. J. Robotics Research 20:129-143). Legs must hang straight down in the bind pose and have hinged knees.
//
// Gains hold for a body of 75 kg with legs of 0.84 m; with others, stiffness and force go with mass and leg length,
// lengths with leg length, times with its root. Where no source is named, a figure was found by probing.
#ifndef STAGGER_RAGDOLL_BALANCE_BALANCE_H
#define STAGGER_RAGDOLL_BALANCE_BALANCE_H

#include "ragdoll/body/drive.h"
#include "sim/base/plane2.h"
#include "sim/base/rng.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

// Range of speeds ahead, m/s, in which the controller walks. Faster commands are not reached and lead to falls sooner.
#define BALANCE_LEAST_SPEED (-0.4)
#define BALANCE_MOST_SPEED 1.5

#define BALANCE_PARAMS(ROW, T)                                                                                         \
  ROW(T, BOOL, enabled, "false", 0, 1, "",                                                                             \
      "Whether the body stands, steps and walks by joint torques alone, at -0.4 to 1.5 m/s.")                          \
  ROW(T, REAL, acceleration, "0.6", 0.01, 10, "m/s^2", "Largest change of the walking speed.")                         \
  ROW(T, REAL, lateral_acceleration, "0.4", 0.01, 10, "m/s^2",                                                         \
      "Largest acceleration to the side in a turn: speed times turn rate.")                                            \
  ROW(T, REAL, step_time, "0.56", 0.2, 2, "s", "Duration of a step in slow walking.")                                  \
  ROW(T, REAL, step_quickening, "0.2", 0, 0.3, "s per m/s", "By how much a step shortens with speed above 0.5 m/s.")   \
  ROW(T, REAL, double_support, "0.13", 0, 0.3, "s",                                                                    \
      "In walking on even ground: time in which the weight goes from the rear foot to the front one, before each "     \
      "step; the rear heel rises. It goes where there is no time for it: from 1 to 1.4 m/s, and off the path. "        \
      "0: a foot is lifted as the other lands (people: about 0.12).")                                                  \
  ROW(T, REAL, recovery_time, "0.36", 0.15, 2, "s", "Duration of a recovery step (people: 0.3 to 0.4).")               \
  ROW(T, REAL, realign_time, "0.34", 0.2, 2, "s", "Duration of a step that brings the feet side by side.")             \
  ROW(T, REAL, least_time, "0.22", 0.1, 1, "s", "Shortest duration of any step.")                                      \
  ROW(T, REAL, step_width, "0.11", 0.05, 0.5, "m",                                                                     \
      "Distance between the feet in calm walking, of who has hips 0.18 m apart; off the path at least 0.2.")           \
  ROW(T, REAL, clearance, "0.07", 0.01, 0.3, "m", "Height above the ground at which a foot swings.")                   \
  ROW(T, REAL, leg_stretch, "0.833", 0.6, 0.835, "m", "Height of the hip over the ankle in standing.")                 \
  ROW(T, REAL, walking_stretch, "0.81", 0.6, 0.835, "m", "Height of the hip over the ankle in walking.")               \
  ROW(T, REAL, trigger, "0.01", -0.05, 0.1, "m", "Distance of xi beyond the soles from which it steps.")               \
  ROW(T, REAL, standing_gain, "1.6", 0.1, 5, "-", "In standing: shift of the pressure per error of xi, beyond xi.")    \
  ROW(T, REAL, stepping_gain, "1.2", 0, 5, "-",                                                                        \
      "In a step: shift of the pressure under the stance foot per error of xi.")                                       \
  ROW(T, REAL, standing_place, "-0.013", -0.05, 0.05, "m",                                                             \
      "Goal of the centre of mass, ahead of the middle of the soles.")                                                 \
  ROW(T, REAL, overshoot, "1", 0.8, 1.5, "-", "Length of a recovery step as a multiple of the way to xi.")             \
  ROW(T, REAL, divergence, "0.78", 0.5, 1.2, "-",                                                                      \
      "Factor on w = sqrt(g / height), fitted to how the walking body falls away.")                                    \
  ROW(T, REAL, height_stiffness, "3000", 0, 30000, "N/m", "Stiffness of the force that holds the height of the hips.") \
  ROW(T, REAL, height_damping, "300", 0, 5000, "N s/m", "Damping of the force that holds the height of the hips.")     \
  ROW(T, REAL, delay, "0", 0, 0.3, "s",                                                                                \
      "Age of what is known of the body's motion over the ground, as senses and nerves are late (people: about 0.1). " \
      "The present is predicted from that and from the own pressure since; a push is not. At most 255 steps.")         \
  ROW(T, REAL, noise_velocity, "0", 0, 1, "m/s",                                                                       \
      "Standard deviation of the noise in what is known of the centre of mass' velocity, in either direction.")        \
  ROW(T, REAL, noise_trunk, "0", 0, 20, "deg",                                                                         \
      "The same for the trunk's pitch and roll (people: about 1 by the vestibular sense alone).")                      \
  ROW(T, REAL, noise_joints, "0", 0, 20, "deg", "The same for each angle of hip, knee and ankle (people: about 0.2).") \
  ROW(T, REAL, noise_time, "0.1", 0.001, 10, "s", "Time constant of all that noise.")                                  \
  ROW(T, REAL, sway, "0", 0, 3, "-", "Size of the sway in quiet standing: 1 as of young adults, 0 none.")              \
  ROW(T, REAL, arm_swing, "0.42", 0, 2, "rad/m", "Arms swing against the legs: pitch per distance of the ankles.")     \
  ROW(T, REAL, take_over, "0.5", 0.05, 10, "m/s",                                                                      \
      "Of a body that a skill leads: error of the centre of mass' velocity from which balance leads instead.")         \
  ROW(T, REAL, give_back, "0.4", 0, 10, "m/s", "The error below which it may give the lead back.")                     \
  ROW(T, REAL, calm_time, "1", 0, 10, "s", "So long the error stays below that before it does.")                       \
  ROW(T, REAL, arm_spread, "0.34", 0, 1.6, "rad",                                                                      \
      "Angle by which the arms spread when a walking step has to catch the body.")

typedef struct BalanceDef {
  BALANCE_PARAMS(PARAM_FIELD, BalanceDef)
} BalanceDef;

extern const ParamTable balance_params;

enum { BALANCE_LEFT, BALANCE_RIGHT, BALANCE_LEGS, BALANCE_SPINE = 8 };

// A leg as it is built, m.
typedef struct BalanceLeg {
  const Leg *leg;
  double side;                     // 1 left, -1 right
  double hip_left;                 // of the hip from the middle of the pelvis
  double thigh, shin, foot_height; // hip to knee, knee to ankle, ankle to sole
  double sole_ahead;               // middle of the sole before the ankle
  double half_length, half_width;  // of the sole
} BalanceLeg;

// The body as it is built.
typedef struct BalanceBody {
  BalanceLeg legs[BALANCE_LEGS];
  int spine[BALANCE_SPINE], spine_count; // joints from the pelvis up to where arms and neck branch off
  int arms[2];                           // left and right shoulder, -1: none
  double mass, gravity;                  // kg, m/s^2
  double hip_height;                     // m, of the pelvis' joint over the hips
  Plane2 rest_shift;                     // m: centre of mass before and left of the soles' middle in the bind pose
  double length, time, force; // scales; force also for stiffness per m, which makes that of joints force*length
} BalanceBody;

// A leg as measured in this step, in the world.
typedef struct BalanceFoot {
  double hip[3], knee[3], ankle[3], sole[3]; // m
  double yaw;                                // rad: where the foot points
  double place[3];                           // m: where the ankle was when the foot last carried or swung
  bool loaded;
  double force[3];  // N: the ground's force on the foot, smoothed
  Plane2 misplaced; // m: from the sole to where unsure senses have it
  double lowest;    // m: height of the sole's lowest corner
  double hangs[2];  // m of the sole at heel and toes that stick out over an edge, without ground
} BalanceFoot;

typedef enum BalanceMode { BALANCE_STANDING, BALANCE_STEPPING } BalanceMode;

// The planned landing of the swing foot.
typedef struct BalanceLanding {
  double ankle[3], yaw, normal[3]; // m, rad, unit: world
  double hangs[2];                 // m, as of the foot
  bool sloped;                     // the normal is that of a slope, not of a landing across an edge
} BalanceLanding;

// State of the sway processes, each of standard deviation 1 (smooth: a little less), ahead and left: balance_sway.c.
typedef struct BalanceSway {
  Rng rng;
  Plane2 rambling, smooth, trembling; // smooth: rambling without its jitter
} BalanceSway;

// What senses have of the body's motion over the ground: centre of mass (m, world), its velocity (m/s over the ground);
// and the centre of pressure (m, world) that the controller applied in the step after that.
// The centre of mass counts as moved by `held`, m, see BalanceCommand.
typedef struct BalanceSample {
  Plane2 com, velocity, pressure, held;
} BalanceSample;

// Late senses, see balance_nerves.c: the last samples, newest at `newest`.
enum { BALANCE_MOST_LATE = 256 }; // steps
typedef struct BalanceNerves {
  BalanceSample samples[BALANCE_MOST_LATE];
  int count, newest;
} BalanceNerves;

// Unsure senses, see balance_noise.c: processes of standard deviation 1. Of the velocity: along x and z; of the trunk:
// pitch and roll; of each leg: pitch and roll of the hip, the knee, pitch and roll of the ankle.
enum {
  BALANCE_NOISE_VELOCITY = 0,
  BALANCE_NOISE_TRUNK = 2,
  BALANCE_NOISE_LEGS = 4,
  BALANCE_NOISES_OF_LEG = 5,
  BALANCE_NOISES = BALANCE_NOISE_LEGS + BALANCE_LEGS * BALANCE_NOISES_OF_LEG
};
typedef struct BalanceNoise {
  Rng rng;
  double value[BALANCE_NOISES];
} BalanceNoise;

// Input of one step.
typedef struct BalanceCommand {
  Plane2 velocity; // m/s ahead and to the left of the heading
  double heading;  // rad
  Plane2 shift;    // m ahead and to the left: the animation's shift of weight, see balance_read_animation
  vec3s tilt;      // rad: rotation vector of the animation's pelvis in the heading's frame
  double ground_velocity[3], ground_turn; // m/s, rad/s to the left: motion of the supporting ground
  Plane2 held; // m, world: moment of a cable that holds the body, about the ground and over the weight
  double arms; // 0 .. 1: share of the arm swing that the animation provides
  bool foot_loaded[BALANCE_LEGS];
  double foot_force[BALANCE_LEGS][3]; // N, on the foot, in the last step
  bool arms_are_held;                 // another part of the character holds their weight
  bool muscles_are_slow;              // the joints' torques lag behind what is asked (muscle.h)
  bool lift_foot[BALANCE_LEGS];       // request to lift this foot when balance allows it
  bool foot_caught[BALANCE_LEGS];     // an obstacle blocks the foot, see Character.foot_caught
} BalanceCommand;

// Reaction of a swing foot that is caught on an obstacle, see balance_trip.c.
typedef struct BalanceTrip {
  bool caught;    // in this step
  double time;    // s since then
  bool raising;   // the foot is raised over the obstacle
  int high_steps; // steps left with more clearance, including this one
  bool unseen;    // the obstacle is not of the ground: eyes that look for even ground have not seen it
  Plane2 place;   // m, world: where the toes met it
} BalanceTrip;

typedef struct Balancer {
  BalanceDef def;
  BalanceBody body;

  // Measured in this step.
  double com[3], velocity[3]; // m, m/s over the ground
  double ground_velocity[3];  // m/s
  double omega;               // 1/s
  Plane2 held;                // m: the command's, as late as senses are
  Plane2 xi;                  // m: with the centre of mass moved by `held`
  double margin;              // m: distance of xi to the border of the soles' hull, positive inside
  BalanceFoot feet[BALANCE_LEGS];
  versors pelvis; // rotation
  BalanceNerves nerves;
  BalanceNoise noise;

  // Current activity.
  BalanceMode mode;
  double mode_time;          // s
  double heading, turn_rate; // rad, rad/s: the command's heading with a limited turn rate
  Plane2 speed;              // m/s ahead and to the left: the command's, with limited acceleration
  Plane2 speed_excess;       // m/s: integral of the walking speed's error
  bool walking;              // steps because a velocity is commanded
  bool wanted_to_step;       // in the previous simulation step

  // Standing.
  Plane2 reference;                // m: the goal of the centre of mass, world
  bool recovering;                 // the last step caught the body, so the other foot follows it at once
  bool settling;                   // a step has just caught the body: it comes to rest where it is
  bool staggered, realigning_feet; // feet are not side by side; steps bring them side by side
  Plane2 shift;                    // m: the animation's shift of weight, limited to the soles
  BalanceSway sway;
  double tilt[3];        // rad: the animation's tilt of the pelvis, filtered
  Plane2 lean;           // rad ahead and left: of a body that a cable holds, see balance_lean.c
  int shifting_to_swing; // foot that is being unloaded before it is lifted, -1: none
  int last_swing;
  bool lift_wanted[BALANCE_LEGS]; // one step ago
  int to_lift;                    // foot that is to come off the ground as soon as it can, -1: none

  double arms_spread; // 0 .. 1: how far the arms are spread to the sides

  // Stepping.
  int swing;                  // foot in the air
  double step_time, duration; // s since lift-off, negative before it; s planned from there
  double double_support;      // s for which both feet carry before lift-off
  double evenness;            // 0 .. 1: of the ground along this step, see balance_evenness
  double rolled;              // rad by which the heel of the swing foot was raised at lift-off
  double calmness;            // 0 .. 1: how calm the walk was as this step began, see balance_calmness
  double trust;               // 0 .. 1: how even and steady the ground has been of late, see balance_straightness
  double trusted_velocity[3]; // m/s: the ground's as the step began
  double landed_pitch;        // rad, negative: the toes of the standing foot pointed up by that as it landed
  Plane2 step_start;          // m: centre of mass at lift-off
  Plane2 step_speed;          // m/s: `speed` at lift-off
  Plane2 error;               // m, world: error of xi from its nominal path
  BalanceLanding landing;
  double swing_ankle[3], swing_velocity[3]; // m, m/s: goal of the swing ankle
  double lift_yaw, swing_yaw;               // rad
  versors swing_goal[2];                    // hip and knee, in the previous simulation step
  bool has_swing_goal;
  BalanceTrip trip;

  int steps, realigning_steps; // begun so far
  double hip_height;           // m, world: of the hips' target
} Balancer;

// Errors: not two legs with hinged knees that hang straight.
bool balance_init(Balancer *balance, const BalanceDef *def, const Ragdoll *ragdoll, double heading, Error *error);

// Changes the parameters from the next step on, except `enabled`, which keeps its value.
void balance_retune(Balancer *balance, const BalanceDef *def);

// Resets the balancer to standing, for a character that has got up. com: m, world.
void balance_restart(Balancer *balance, double heading, const double com[3]);

// A body in motion, which something else has led so far.
typedef struct BalanceMotion {
  double heading; // rad
  Plane2 speed;   // m/s over the ground, ahead and left of the heading: at which it walks; 0: it stands
  double share;   // of the present step that has passed, 0 to 1, if one foot alone carries
} BalanceMotion;

// Begins to lead a body in motion, as `command` and the ragdoll have it at present: a foot in the air swings on from
// where it is.
void balance_take_over(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                       const BalanceMotion *motion, double h);

// Sets shift and tilt of the command from an animation that stands on both feet: its shift of weight and its tilt of
// the pelvis, both 0 in the bind pose. animation_m: in its root's frame.
void balance_read_animation(const Balancer *balance, const Ragdoll *ragdoll, const Pose *animation_m,
                            BalanceCommand *command);

// One step of h seconds. pose_w: in: the animation's pose; out: the goal pose of the body, which keeps the animation's
// arms, head and bend of the spine; previous_w: pose_w as the previous step returned it. goals: out, for joints 1 and
// up.
void balance_step(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                  double h, Pose *pose_w, const Pose *previous_w, JointGoal goals[BODY_MAX_PARTS]);

// Saves or restores: into a balancer of the same body.
void balance_state(Balancer *balance, StateStream *stream);

#endif
