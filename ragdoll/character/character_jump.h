// A character that plays an animation jumps from both feet: it steps to the place of take-off while it crouches, pushes
// itself off, flies, lands and stands up. The centre of mass goes along a JumpArc exactly, the feet stand where they
// are until take-off and from touchdown on, and the clip `animation.jump` gives the posture of pelvis, trunk, head and
// arms. The root goes with the centre of mass;
// in flight its height, too, is that of a projectile, from ground to ground.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_JUMP_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_JUMP_H

#include "ragdoll/character/character_root.h"

// The phases of a jump, and the marks at which they end in its clip; the last one ends with the clip.
typedef enum JumpPhase {
  JUMP_CROUCHES,
  JUMP_PUSHES,
  JUMP_FLIES,
  JUMP_ABSORBS,
  JUMP_STANDS_UP,
  JUMP_PHASE_COUNT
} JumpPhase;

extern const char *const jump_marks[JUMP_PHASE_COUNT - 1];

// Whether a clip has the marks of a jump in their order, and goes on after them. NULL, or what is wrong.
const char *jump_clip_problem(const Clip *clip);

// Whether it is jumping.
bool character_jumps(const Character *character);

// Whether layers may act: not in a jump, until it stands up, so that they lead again when it ends.
bool character_jump_has_layers(const Character *character);

// Begins to jump toward the heading of the root, from as near as it can stop. Without effect on who is down, in the air
// or jumping, is led by balance, a skill or a planner, or has no ground where it would land. context: the character.
void character_jump(void *context, const JumpGoal *goal);

// Call at the beginning of a step: advances a jump, and begins one before a gap in the ground ahead (`root.jump`). A
// root that has come off the ground falls as in the flight of a jump, and lands.
void character_jump_step(Character *character, double dt);

// m/s: the speed at which the root may go on toward a gap over which it will jump.
double character_jump_approach(const Character *character);

// The root of a character that jumps. A RootDriver.
RootMotion character_jump_root(Character *character, const RootStep *step);

// Call between animation and layers: leads from the end of a jump into the animation.
void character_jump_return(Character *character, double dt);

// Sets target and plans of the feet after animation and layers, while it jumps.
void character_jump_pose(Character *character, double dt);

// The pose in which a jump begins and ends, in the root's frame.
Pose jump_rest(const Character *character);

// The clip's posture at present in the world, in a share that suits the jump; its place is not right yet.
void character_jump_posture(const Character *character, Pose *pose_w);

// The present phase and how much of it has passed, 0 .. 1. Only while it jumps.
JumpPhase jump_phase(const CharacterJump *jump, double *share);

// The centre of mass at present, m, world; `time`: s since the jump began.
void jump_com(const Character *character, double time, double com_w[3]);

// The centre of mass of a pose, m, in the space of its entry 0.
void character_pose_com(const Character *character, const Pose *pose, double com[3]);

// Saves or restores.
void character_jump_state(Character *character, StateStream *stream);

#endif
