// Falling and getting up of a character: detection, and the motion that replaces the animation.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_H

#include "ragdoll/character/character_root.h"

void character_fall_init(Character *character);

// Whether the body is led by falling, lying or getting up, instead of animation, layers and balance.
bool character_fall_leads(const Character *character);

// Whether a character that gets up is still to lie, roll over or push itself up: its target's pelvis is low.
bool character_fall_on_ground(const Character *character);

// The root of a character that is down: under the body, or where it gets up. A RootDriver.
RootMotion character_fall_root(Character *character, const RootStep *step);

// Sets the target after animation and layers: guard, limp pose or get-up clip while the character is down, and blends
// to and from these, which add at most `match_rate` to the angular speed of a joint.
void character_fall_pose(Character *character, double dt);

// Strength of a part's joint, 0..1. Hands have less, since they get caught under the body.
float character_fall_strength(const Character *character, int part);

// Gives the joints of a body that falls or lies the tone of one, in place of that with which they follow the animation.
void character_fall_soften(const Character *character, JointGoal goals[]);

// For trials that begin in the middle: puts a character that gets up to a moment of its clip (0..1), moving as that
// does.
void character_fall_rise_at(Character *character, double share);

// Call after measuring: changes of state between falling, lying, getting up and standing. Sets `down` and the state of
// the assist.
void character_fall_update(Character *character);

#endif
