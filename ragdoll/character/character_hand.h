// The hand that moves a kinematic body: force and torque that its motion takes beside gravity, contacts and hits.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_HAND_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_HAND_H

#include "ragdoll/character/own_contacts_internal.h"

// Before the bodies are set for a step: remembers their momentum.
void character_hand_begin(Character *character);

// After the step: writes the mean force (N) and torque (N m) of the step as those of the assist. The force acts where
// the centre of mass was when the step began to move the bodies: sensed.com less a step of sensed.com_velocity.
//   F dt = P' - P - m g dt - sum J
//   T dt = L' - L - (c - o) x m g dt - sum ((p - o) x J)
// P and L, with the centre of mass c, are those at character_hand_begin, P' and L' those of now, angular momenta are
// about the point o where the force acts, and J are all impulses on the body at points p: contacts and hits.
void character_hand_weigh(Character *character, const OwnContacts *own);

#endif
