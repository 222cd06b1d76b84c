// Bodies of rigged characters: a human body with the lengths and the thickness of a figure in a file of another
// program.
#ifndef STAGGER_RAGDOLL_BODY_BODY_RIG_H
#define STAGGER_RAGDOLL_BODY_BODY_RIG_H

#include "anim/retarget/retarget.h"
#include "ragdoll/body/body_def.h"

typedef struct RigOptions {
  double height; // m, to which the figure is scaled; 0: its own
  double mass;   // kg; 0: the human's, in proportion to the height squared
} RigOptions;

// Changes the body `human` into that of a figure with skin (MotionOptions.skin). It stands upright with hanging arms:
// lengths are those between the rig's joints; breadths, soles and the head those of the vertices that the joints
// dominate, left and right taken together; the trunk is divided as the human's. Shares of mass, strength, stiffness and
// ranges are the human's, scaled. False, and the body must not be used, with an error that says which joints are
// missing, that there are no vertices, or that the figure does not stand.
bool body_from_rig(BodyDef *human, const Motion *rig, const RetargetMap *map, const RigOptions *options, Error *error);

#endif
