// Parts of the responses, see responses.h. Only for ragdoll/response.
#ifndef STAGGER_RAGDOLL_RESPONSE_RESPONSES_INTERNAL_H
#define STAGGER_RAGDOLL_RESPONSE_RESPONSES_INTERNAL_H

#include "ragdoll/response/responses.h"

// Activation of a response over time: 0 during its latency (s), up to its strength in `rise` s, held for `hold` s, and
// back to 0 in `fall` s.
double response_course(const Blow *blow, double strength, double latency, double rise, double hold, double fall);

// The same of a response whose strength is its size times that of the blow and what it hurts.
double response_wave(const Blow *blow, double size, double latency, double rise, double hold, double fall);

// Turns a joint of the pose about the axes of its parent's frame, deg.
void response_turn(Pose *pose, int joint, double x, double y, double z);

// Unit, level: the way of the blow ahead and to the left in the character's frame; 0 of one from above or below.
Plane2 response_way(const Blow *blow, double heading);

vec3s response_place(const Ragdoll *ragdoll, int part);      // m, world: of its joint
versors response_rotation(const Ragdoll *ragdoll, int part); // world

// response_trunk.c
void response_startle(Responses *responses, const Blow *blow, const ResponseStep *step);
void response_bow(Responses *responses, const Blow *blow, const ResponseStep *step);
void response_look(Responses *responses, const Blow *blow, const ResponseStep *step);

// response_arms.c
void response_arms(Responses *responses, const ResponseStep *step);

// response_hands.c: which hand goes to a blow; and where it goes.
ResponseHand response_choose_hand(Responses *responses, const Ragdoll *ragdoll, const Blow *blow);
void response_reach(Responses *responses, const Blow *blow, const ResponseStep *step);
void response_guard(Responses *responses, const Blow *blow, const ResponseStep *step);

// response_legs.c
void response_buckle(Responses *responses, const Blow *blow, const ResponseStep *step);
void response_hop(Responses *responses, const Blow *blow, const ResponseStep *step);

#endif
