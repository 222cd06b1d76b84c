// Tone of a body that falls and lies: how stiff each of its joints is, and how fast it goes to the guard.
#ifndef STAGGER_RAGDOLL_REACTION_FALL_TONE_H
#define STAGGER_RAGDOLL_REACTION_FALL_TONE_H

#include "ragdoll/reaction/fall_pose.h"

// Of a joint at its full strength, of which `strength` and `lying_strength` leave a share.
typedef struct FallTone {
  double stiffness, damping; // N m/rad, N m s/rad
  double rate;               // rad/s: fastest turn toward the guard
} FallTone;

// hand_speed: m/s, of a hand by its arm.
FallTone fall_tone(const FallBody *fall, int joint, double hand_speed);

#endif
