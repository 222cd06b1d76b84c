// Channels of a character's layers: the weight of each, and values of its state.
//
//   /characters/NAME/layers/weight           [T, layers], names: the layers
//   /characters/NAME/layers/LAYER/CHANNEL    [T, rows, width], names: joints, legs ... of the layer
#ifndef STAGGER_SCENES_RECORD_RECORD_LAYERS_H
#define STAGGER_SCENES_RECORD_RECORD_LAYERS_H

#include "scenes/record/record.h"

typedef struct RecordLayers {
  int weight; // channel; -1: no layers
  int channels[LAYERS_MAX][LAYER_MAX_CHANNELS];
} RecordLayers;

// Declares the channels of a character's layers.
bool record_layers_declare(RecordLayers *record, const Character *character, const RecordSink *sink, Error *error);

// Fills the current frame.
void record_layers_fill(const RecordLayers *record, const Character *character, const RecordSink *sink);

#endif
