// Bodies of models of the simulation world.
#ifndef STAGGER_RAGDOLL_BODY_LINK_BODY_H
#define STAGGER_RAGDOLL_BODY_LINK_BODY_H

#include "ragdoll/body/link_model.h"

// Makes a body of a model, which is changed: links without joints are merged into their parents; hinges of robots that
// follow each other become one joint, unless the model is to be taken as it is; the lowest shape stands on the ground;
// the hinges of a link become a hinge, a universal joint or a ball with their axes, the last one the twist, each with
// its own strength and armature; left and right that are alike become twins; legs are those whose soles the model marks
// or, if it marks none, chains of three links that end on the ground. Where no actuator says more, drives reach their
// strength at 3 deg and are damped by 0.05 s of their stiffness. human: a body with a human's parts, NULL: none: a
// model with the limbs of a human gets its names and hanging arms, so that clips apply. The model's notes tell what was
// changed. NULL and an error with the place in the file, when links lack mass or the body would not be a valid one.
BodyDef *link_body(LinkModel *model, const BodyDef *human, Error *error);

// Where the joint of a link is: the point that is nearest to the axes of all its hinges, m.
void link_joint_place(const Link *link, double place[3]);

// Gives hands that are fixed to the end of an arm a locked hinge, so that they stay parts: retargeting directs arms by
// them. So for the two feet of a biped that are fixed to its shins: legs have feet.
void links_keep_ends(LinkModel *model);

// The half of it that is for models with a human's limbs: names parts as the human's, turns the model to face forward,
// makes toes parts of feet and the pelvis the first link, at the height of the hips, and lets arms and legs hang
// straight. False: the model is no human's, with an error if the user's table says that it is.
bool links_as_human(LinkModel *model, const BodyDef *human, Error *error);

#endif
