// The layers of a character: read from a file, applied in their order, faded in and out while it runs.
//
//   layers:
//     - {kind: trailing, name: tail, chain: {from: tail_1, to: tail_6}}
//     - {kind: look_at, weight: 0.5, fade: 1}
#ifndef STAGGER_ANIM_LAYERS_LAYER_LIST_H
#define STAGGER_ANIM_LAYERS_LAYER_LIST_H

#include "anim/layers/layer.h"
#include "sim/base/state.h"

// What every layer has, whatever its kind.
#define LAYER_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, weight, "1", 0, 1, "-", "How much of the layer is wanted; 0 is the animation without it.")              \
  ROW(T, REAL, fade, "0.3", 0, 60, "s", "Time in which the layer fades from none to all.")

typedef struct LayerBlend {
  LAYER_PARAMS(PARAM_FIELD, LayerBlend)
} LayerBlend;

extern const ParamTable layer_params;

typedef struct LayerDef {
  char name[LAYER_NAME_SIZE]; // its kind, unless the file gives one
  const LayerKind *kind;
  LayerBlend blend;
  void *values; // [kind->def_size]
} LayerDef;

typedef struct LayerListDef {
  LayerDef layers[LAYERS_MAX];
  int count;
} LayerListDef;

// Reads a list of layers (NULL: none). Errors with file, line and column; the list is then empty. Free with
// layer_list_free.
bool layer_list_read(LayerListDef *list, const Node *node, const Skeleton *skeleton, Error *error);
void layer_list_free(LayerListDef *list);

// The layers while they run.
typedef struct Layer {
  const LayerDef *def;
  float wanted, weight; // 0 .. 1: where the fade goes, and where it is
  void *state;          // [kind->state_size]
} Layer;

typedef struct LayerList {
  Layer layers[LAYERS_MAX];
  int count;
} LayerList;

// The pose of the step is where the character starts; layers begin at rest and, without a fade, at their weight. False
// when memory runs out; free with layers_free all the same.
bool layers_init(LayerList *list, const LayerListDef *def, const LayerStep *step);
void layers_free(LayerList *list);

// Applies all layers to the pose of the step; plans of feet are those of the last layer that counts at least half and
// has some. A layer without weight leaves the pose alone, bit for bit, and begins
// anew from the pose that it then finds when it fades in again. Allocates nothing.
void layers_apply(LayerList *list, const LayerStep *step);

// Takes along what layers keep in the world; before layers_apply.
void layers_rebase(LayerList *list, const RootRebase *rebase);

// The layer of that name, -1 when there is none.
int layers_find(const LayerList *list, const char *name);

// How much of a layer is wanted from now on (clamped to 0 .. 1): it fades there in its time.
void layers_want(LayerList *list, int layer, double weight);

void layers_debug(const LayerList *list, const LayerStep *step, DebugDraw *draw);

// Saves or restores: into layers of the same list.
void layers_state(LayerList *list, StateStream *stream);

#endif
