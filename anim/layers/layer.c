// The list of layers: one row for each kind.
#include "anim/layers/layer.h"

const LayerKind *const layer_kinds[] = {NULL};
const int layer_kind_count = (int)(sizeof layer_kinds / sizeof layer_kinds[0]) - 1;
