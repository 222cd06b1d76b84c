// The leading root of a character: the place and heading on the ground from where its animation is told. It goes as
// intended, with the ground under it, and waits for its body.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H

#include "ragdoll/character/character.h"

// Puts it where the character starts.
void character_root_init(Character *character);

// What a driver finds: where the root stood before the step, and the ground to which the platform under it has carried
// `character->root` since.
typedef struct RootStep {
  RootState before;
  double ground;  // m: height of the ground under the root; balance has it in worlds with platforms only
  bool over_void; // there is none
  double dt;      // s
} RootStep;

// What a driver wants of the root: how it stands and moves at the end of the step.
typedef struct RootMotion {
  double position[3]; // m, world
  double velocity[3]; // m/s
  double heading;     // rad about up
  double turn_rate;   // rad/s
  double speed[2];    // m/s along the heading and to the left of it
  bool airborne;      // it falls freely
} RootMotion;

// Leads the root for a step: the intent, the planner, balance or a fall, see character_root_step. A driver writes
// nothing of the root itself.
typedef RootMotion RootDriver(Character *character, const RootStep *step);

// Lets the root go where a body that no force holds is (see RootDef), carries it on with the platform under it, and
// moves it as its driver wants.
void character_root_step(Character *character, double dt);

// For drivers: the root stands still.
RootMotion character_root_rest(const Character *character);

// For drivers: the smoothed height on the way to the ground (m), and its velocity, counted from the height `from`.
void character_root_rise(const Character *character, double ground, double from, double dt, RootMotion *motion);

// For drivers: goes with the motion's speed and heading, waits for a body that lags behind, and rises with the ground.
// Where that is more than 0.35 m lower, or where there is none, it falls freely.
void character_root_go(const Character *character, const RootStep *step, RootMotion *motion);

// The root goes on as the graph's clips with root motion do, on top of what its driver leaves of its own way.
void character_root_add_clips(Character *character, double dt);

// Puts the root to a place (m, world) with a heading (rad): where the body has come to stand or gets up.
void character_root_place(Character *character, const double position[3], double heading);

// Beyond this distance (m) of the root the animation says nothing about the body any more.
#define CHARACTER_LOST_GAP 0.25

// Distance in m between where the animation has the root and where the body has it.
double character_root_gap(const Character *character);

// Turn about up from one rotation to another, rad.
double character_turn_between(versors from, versors to);

// A pose that stands in the world as the root sees it.
void character_root_frame(const Character *character, Pose *pose);

// What the root does by itself, m/s: without its leash, on which a body that is struck or falls drags it along.
void character_root_own_velocity(const Character *character, double velocity[3]);

#endif
