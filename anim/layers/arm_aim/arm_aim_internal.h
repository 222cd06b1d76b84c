// Declarations shared by the files of the layer that aims arms.
#ifndef STAGGER_ANIM_LAYERS_ARM_AIM_ARM_AIM_INTERNAL_H
#define STAGGER_ANIM_LAYERS_ARM_AIM_ARM_AIM_INTERNAL_H

#include "anim/layers/arm_aim/arm_aim.h"

enum { SHOULDER, ELBOW, WRIST }; // indices of AimingArm.joints

// Finds the joints of the arms and how their elbows bend, after the rows of the table have been read. def: ArmAimDef.
bool arm_aim_read(void *def, const Node *map, const Skeleton *skeleton, Error *error);

#endif
