// The table of all kinds of layers. It is separate from layer.h, which every kind includes.
#ifndef STAGGER_ANIM_LAYERS_LAYER_KINDS_H
#define STAGGER_ANIM_LAYERS_LAYER_KINDS_H

#include "anim/layers/layer.h"

extern const LayerKind *const layer_kinds[];
extern const int layer_kind_count;

// The kind with that name, NULL when there is none.
const LayerKind *layer_kind_find(const char *name);

#endif
