// The layers of a character: read from a file, applied in order, and faded in and out at run time.
//
//   layers:
//     - {kind: trailing, name: tail, chain: {from: tail_1, to: tail_6}}
//     - {kind: look_at, weight: 0.5, fade: 1}
#ifndef STAGGER_ANIM_LAYERS_LAYER_LIST_H
#define STAGGER_ANIM_LAYERS_LAYER_LIST_H

#include "anim/layers/layer.h"
#include "sim/base/state.h"

// Parameters of layers of every kind.
#define LAYER_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, weight, "1", 0, 1, "-", "Weight of the layer; 0: the animation without it.")                            \
  ROW(T, REAL, fade, "0.3", 0, 60, "s", "Time in which the weight fades from 0 to 1.")

typedef struct LayerBlend {
  LAYER_PARAMS(PARAM_FIELD, LayerBlend)
} LayerBlend;

extern const ParamTable layer_params;

typedef struct LayerDef {
  char name[LAYER_NAME_SIZE]; // the name of its kind unless the file gives one
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

// A layer at run time.
typedef struct Layer {
  const LayerDef *def;
  float wanted, weight; // 0 .. 1: target of the fade, and present weight
  void *state;          // [kind->state_size]
} Layer;

typedef struct LayerList {
  Layer layers[LAYERS_MAX];
  int count;
} LayerList;

// Starts the layers from the step's pose, at rest and without fading in. False when memory runs out; free with
// layers_free even then.
bool layers_init(LayerList *list, const LayerListDef *def, const LayerStep *step);
void layers_free(LayerList *list);

// Applies all layers to the pose of the step. The plans of feet become those of the last layer that has plans and a
// weight of at least a half. A layer of weight 0 leaves the pose unchanged to the bit, and restarts from the present
// pose when it fades in again. Allocates nothing.
void layers_apply(LayerList *list, const LayerStep *step);

// Moves the layers' world coordinates along with the root; call before layers_apply.
void layers_rebase(LayerList *list, const RootRebase *rebase);

// The index of the layer with that name, -1 when there is none.
int layers_find(const LayerList *list, const char *name);

// Sets the wanted weight of a layer (clamped to 0 .. 1); it fades there in its own time.
void layers_want(LayerList *list, int layer, double weight);

void layers_debug(const LayerList *list, const LayerStep *step, DebugDraw *draw);

// Saves the layers or restores them into a list of the same definition.
void layers_state(LayerList *list, StateStream *stream);

#endif
