// Code common to layers of all kinds: how a point in the world moves when the root is displaced.
#include "anim/layers/layer.h"

#include <math.h>

void root_rebase_point(const RootRebase *rebase, double point[3]) {
  double x = point[0] - rebase->pivot[0], z = point[2] - rebase->pivot[2];
  point[0] = rebase->pivot[0] + x * cos(rebase->turn) + z * sin(rebase->turn) + rebase->shift[0];
  point[1] += rebase->shift[1];
  point[2] = rebase->pivot[2] - x * sin(rebase->turn) + z * cos(rebase->turn) + rebase->shift[2];
}
