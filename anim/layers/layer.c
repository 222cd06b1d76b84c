// The list of layers: one row for each kind.
#include "anim/layers/arm_aim.h"
#include "anim/layers/look_at.h"
#include "anim/layers/stepper.h"
#include "anim/layers/trailing.h"

const LayerKind *const layer_kinds[] = {&look_at_layer, &arm_aim_layer, &trailing_layer, &stepper_layer};
const int layer_kind_count = (int)(sizeof layer_kinds / sizeof layer_kinds[0]);
