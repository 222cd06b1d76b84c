// What layers of all kinds share: how a point in the world is moved when the root is put elsewhere.
#include "anim/layers/layer.h"

#include <math.h>

void root_rebase_point(const RootRebase *carry, double point[3]) {
  double x = point[0] - carry->pivot[0], z = point[2] - carry->pivot[2];
  point[0] = carry->pivot[0] + x * cos(carry->turn) + z * sin(carry->turn) + carry->shift[0];
  point[1] += carry->shift[1];
  point[2] = carry->pivot[2] - x * sin(carry->turn) + z * cos(carry->turn) + carry->shift[2];
}
