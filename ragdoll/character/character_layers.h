// The layers of a character on its target pose: inputs and results.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_LAYERS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_LAYERS_H

#include "ragdoll/character/character.h"

// The input of a layer at present; pose_w and plans (of the feet, may be NULL) are changed by it. dt in s.
LayerStep character_layer_step(const Character *character, double dt, Pose *pose_w, FootPlan *plans);

// Starts the layers from the target pose. False and an error: no memory.
bool character_layers_init(Character *character, Error *error);

// Applies them to the target, and updates the animation (in the root's frame) from the result. Without layers nothing
// changes, to the bit.
void character_layers_apply(Character *character, double dt);

// Fades all layers to the weights of the description.
void character_layers_want(Character *character);

// Fades a layer of the character (a Character) to a weight; called by scripts. Unknown layers are ignored.
void character_layers_fade(void *character, const char *layer, double weight);

#endif
