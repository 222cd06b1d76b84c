// Reflexes: torques at a joint that respond, after a nerve's delay, to the joint's deviation from its goal (the stretch
// reflex) and to a part's rotation in space (for the head: the vestibulocollic reflex).
#ifndef STAGGER_RAGDOLL_BODY_REFLEX_H
#define STAGGER_RAGDOLL_BODY_REFLEX_H

#include "ragdoll/body/sense_noise.h"

// Number of stored moments, at least REFLEX_INTERVAL apart.
enum { REFLEX_MEMORY = 32 };
#define REFLEX_INTERVAL 0.004 // s

// The sensory signals of a joint.
typedef struct Felt {
  vec3s error, error_rate;       // rad, rad/s: from the joint's rotation to its goal, parent's frame
  vec3s space_error, space_rate; // the same for the part in the world
} Felt;

typedef struct Reflexes {
  Felt felt[REFLEX_MEMORY][BODY_MAX_PARTS];
  int newest, moments; // index of the last moment; number of moments
  int steps;           // since that moment
} Reflexes;

// Adds the reflex torques of all joints to their goals, in a step of length h, s. wanted: the target pose, by whose
// rotations in the world parts are held. strength: 0..1 of each joint. noise: of what is sensed now.
void reflexes_step(Reflexes *reflexes, const DriveDef *def, const SenseNoise *noise, const Ragdoll *ragdoll,
                   const Pose *wanted, const float strength[], double h, JointGoal goals[]);

// Saves or restores them.
void reflexes_state(Reflexes *reflexes, const BodyDef *body, StateStream *stream);

#endif
