// The list of layers: one row for each kind.
#include "anim/layers/arm_aim/arm_aim.h"
#include "anim/layers/biped/biped.h"
#include "anim/layers/foot_placement/foot_placement.h"
#include "anim/layers/look_at/look_at.h"
#include "anim/layers/stepper/stepper.h"
#include "anim/layers/trailing/trailing.h"

#include <math.h>

const LayerKind *const layer_kinds[] = {&look_at_layer, &arm_aim_layer,        &trailing_layer,
                                        &stepper_layer, &foot_placement_layer, &biped_layer};
const int layer_kind_count = (int)(sizeof layer_kinds / sizeof layer_kinds[0]);

void root_rebase_point(const RootRebase *carry, double point[3]) {
  double x = point[0] - carry->pivot[0], z = point[2] - carry->pivot[2];
  point[0] = carry->pivot[0] + x * cos(carry->turn) + z * sin(carry->turn) + carry->shift[0];
  point[1] += carry->shift[1];
  point[2] = carry->pivot[2] - x * sin(carry->turn) + z * cos(carry->turn) + carry->shift[2];
}
