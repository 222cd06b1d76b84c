// Reflexes: torques at a joint that answer, after a nerve's delay, to how far the joint was off its goal (the stretch
// reflex) and to how far a part was turned in space (of the head: the vestibulocollic reflex).
#ifndef STAGGER_RAGDOLL_BODY_REFLEX_H
#define STAGGER_RAGDOLL_BODY_REFLEX_H

#include "ragdoll/body/drive.h"

// Moments that are remembered, at least REFLEX_INTERVAL apart.
enum { REFLEX_MEMORY = 32 };
#define REFLEX_INTERVAL 0.004 // s

// What the nerves of a joint told.
typedef struct Felt {
  vec3s error, error_rate;       // rad, rad/s: from where the joint was to its goal, parent's frame
  vec3s space_error, space_rate; // the same of the part in the world
} Felt;

typedef struct Reflexes {
  Felt felt[REFLEX_MEMORY][BODY_MAX_PARTS];
  int newest, moments; // index of the last moment; how many there are
  int steps;           // since that moment
} Reflexes;

// Adds what the reflexes of all joints give to their goals' torques, in a step of length h, s. part_w: rotation that
// each part shall have in the world. strength: 0..1 of each joint.
void reflexes_step(Reflexes *reflexes, const DriveDef *def, const Ragdoll *ragdoll, const versors part_w[],
                   const float strength[], double h, JointGoal goals[]);

// Saves or restores them.
void reflexes_state(Reflexes *reflexes, const BodyDef *body, StateStream *stream);

#endif
