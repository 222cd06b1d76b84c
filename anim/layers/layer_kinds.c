// The table of all kinds of layers, one row for each. A new kind of layer is added here and nowhere else.
#include "anim/layers/layer_kinds.h"

#include <string.h>

#include "anim/layers/arm_aim/arm_aim.h"
#include "anim/layers/biped/biped.h"
#include "anim/layers/foot_placement/foot_placement.h"
#include "anim/layers/look_at/look_at.h"
#include "anim/layers/stepper/stepper.h"
#include "anim/layers/trailing/trailing.h"

const LayerKind *const layer_kinds[] = {&look_at_layer, &arm_aim_layer,        &trailing_layer,
                                        &stepper_layer, &foot_placement_layer, &biped_layer};
const int layer_kind_count = (int)(sizeof layer_kinds / sizeof layer_kinds[0]);

const LayerKind *layer_kind_find(const char *name) {
  for (int i = 0; i < layer_kind_count; i++)
    if (strcmp(layer_kinds[i]->name, name) == 0)
      return layer_kinds[i];
  return NULL;
}
