// The leading root of a character: the place and heading on the ground that are the origin of its animation. It follows
// the intent, moves with the ground under it, and waits for its body.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H

#include "ragdoll/character/character.h"

// Puts the root at the character's start.
void character_root_init(Character *character);

// Puts the root at a place, x, height over the ground, z, m.
void character_root_stand(Character *character, const double place[3]);

// Input of a driver: the state of the root before the step, and the ground to which a platform has moved
// `character->root` since.
typedef struct RootStep {
  RootState before;
  double ground;  // m: height of the ground under the root; for balance it is set only in worlds with platforms
  bool over_void; // there is no ground
  double dt;      // s
} RootStep;

// The motion that a driver wants: state of the root at the end of the step.
typedef struct RootMotion {
  double position[3]; // m, world
  double velocity[3]; // m/s
  double heading;     // rad about up
  double turn_rate;   // rad/s
  double speed[2];    // m/s along the heading and to the left of it
  bool airborne;      // it falls freely
} RootMotion;

// Leads the root for a step: the intent, the planner, a jump, balance or a fall, see character_root_step. A driver does
// not write the root itself.
typedef RootMotion RootDriver(Character *character, const RootStep *step);

// Moves the root toward a body that no force holds (see RootDef), then with the platform under it, and finally as its
// driver wants.
void character_root_step(Character *character, double dt);

// Velocity over the ground, m/s, x and z; speed: along the heading (rad) and to the left of it, m/s.
void character_root_velocity(double heading, const double speed[2], double velocity[2]);

// For drivers: the root stands still.
RootMotion character_root_rest(const Character *character);

// For drivers: sets the smoothed height on its way to the ground (m), and its velocity, starting from the height
// `from`.
void character_root_rise(const Character *character, double ground, double from, double dt, RootMotion *motion);

// For drivers: moves with the motion's speed and heading, waits for a body that lags behind, and follows the height of
// the ground. If that is more than 0.35 m lower, or if there is none, the root falls freely.
void character_root_go(const Character *character, const RootStep *step, RootMotion *motion);

// Pace, clip seconds per second, of a clip that changes the root's velocity (`accelerates`).
double character_change_pace(const Character *character);

// Adds the root motion of the graph's clips to the remaining part of the driver's motion.
void character_root_add_clips(Character *character, double dt);

// Puts the root at a place (m, world) with a heading (rad), where the body has come to stand or gets up.
void character_root_place(Character *character, const double position[3], double heading);

// m: if the body is farther than this from the root, the animation does not describe it any more.
#define CHARACTER_LOST_GAP 0.25

// Distance in m between the animation's and the body's position of the root.
double character_root_gap(const Character *character);

// Rotation about up from one rotation to another, rad.
double character_turn_between(versors from, versors to);

// Converts a pose from the world to the root's frame.
void character_root_frame(const Character *character, Pose *pose);

// The velocity of the root by its own motion, m/s: without that of the leash, by which a body that is hit or falls
// drags it along.
void character_root_own_velocity(const Character *character, double velocity[3]);

#endif
