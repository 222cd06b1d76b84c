// How people jump from both feet: the course of the centre of mass from the deepest crouch over take-off, flight and
// landing until they stand again. Over the ground it is pushed, flies as a projectile, and is braked; each push and
// brake is an even acceleration. It leans over the toes before the push and is behind the heels at touchdown, by so
// much that the force of the ground, which goes through it nearly, acts within the soles.
//
// Sources: distance and take-off angle of standing long jumps, see JUMP_FARTHEST and JUMP_SLOPE; the other figures are
// made up within what people do.
#ifndef STAGGER_ANIM_JUMP_ARC_H
#define STAGGER_ANIM_JUMP_ARC_H

#include <stdbool.h>

// m: how far the toes come in standing long jumps with free arms, 2.09 m: Ashby, Heegaard (2002) J Biomech 35:1631-7.
#define JUMP_FARTHEST 2.1
// m/s: the fastest take-off, of a jump that rises by 0.5 m; the farthest one takes 2.9 m/s here.
#define JUMP_FASTEST 3.2
// m/s: the fastest touchdown, after a fall of 1.3 m.
#define JUMP_HARDEST 5.0

#define JUMP_PUSH 0.35   // s from the deepest crouch to take-off
#define JUMP_ABSORB 0.18 // s from touchdown to the deepest crouch, at most
#define JUMP_BRAKE 0.3   // s from touchdown until it does not go ahead any more
#define JUMP_LEAD 0.294  // s: at take-off it is as far ahead of the feet as it flies in this time
#define JUMP_RISE 0.65   // s from there until standing

// A jump as a script asks for it.
typedef struct JumpGoal {
  double distance; // m ahead, 0 .. JUMP_FARTHEST: from where the feet stand to where they land
  double rise;     // m that the centre of mass goes up in flight; 0: as people choose for that distance
} JumpGoal;

// The course of a jump. Heights of the centre of mass are relative to standing, at take-off over the ground there.
typedef struct JumpArc {
  double gravity;              // m/s^2
  double flight, absorb;       // s: in the air; from touchdown to the deepest crouch
  double ahead, up, down;      // m/s: velocity at take-off, and downward at touchdown
  double take_off, touch_down; // m: heights at these moments
  double crouch, absorbed;     // m: heights in the deepest crouch before and after
  double lean, start;          // m, m/s: in the deepest crouch before, how far it is ahead of the feet and how fast
  double distance, step;       // m ahead and up, from standing to standing
} JumpArc;

typedef enum JumpLimit { JUMP_POSSIBLE, JUMP_TOO_FAST, JUMP_TOO_HARD } JumpLimit;

// Finds the arc of a jump onto ground that is `step` m higher. gravity: m/s^2, > 0. Sets the arc also of a jump that is
// beyond people.
JumpLimit jump_arc_find(const JumpGoal *goal, double step, double gravity, JumpArc *arc);

// Finds the arc of a fall: of who has left the ground already, with that velocity (m/s, ahead and up) and the centre of
// mass that much (m) higher than when standing there, and comes down on ground that is `step` m higher. The arc goes as
// if he had pushed himself off; its distance follows.
void jump_arc_fall(double ahead, double up, double height, double step, double gravity, JumpArc *arc);

// Duration in s of all that the arc describes: from the deepest crouch until standing.
double jump_arc_duration(const JumpArc *arc);

// The centre of mass `time` s after the deepest crouch: m ahead of and above where it is when standing before the jump.
void jump_arc_place(const JumpArc *arc, double time, double *ahead, double *above);

#endif
