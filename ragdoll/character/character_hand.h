// The force and torque that the motion of a kinematic body requires in addition to gravity, contacts and hits.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_HAND_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_HAND_H

#include "ragdoll/character/own_contacts_internal.h"

// Call before the bodies are set for a step: stores their momentum.
void character_hand_begin(Character *character);

// Call after the step: writes the mean force (N) and torque (N m) of the step as those of the assist. The force acts
// where the centre of mass was when the step began to move the bodies: sensed.com minus a step of sensed.com_velocity.
//   F dt = P' - P - m g dt - sum J
//   T dt = L' - L - (c - o) x m g dt - sum ((p - o) x J)
// P, L and c are momentum, angular momentum and centre of mass at character_hand_begin, P' and L' those now; angular
// momenta are about the point o at which the force acts; J are all impulses on the body at points p: contacts and hits.
void character_hand_weigh(Character *character, const OwnContacts *own);

#endif
