// Channels of layers: the weight of each, and the values of its state that its kind records.
#include "scenes/record/record_layers.h"

#include <stdio.h>

static bool declare_weights(RecordLayers *record, const Character *character, const RecordSink *sink, Error *error) {
  const LayerList *layers = &character->layers;
  const char *names[LAYERS_MAX];
  char path[256];
  for (int i = 0; i < layers->count; i++)
    names[i] = layers->layers[i].def->name;
  snprintf(path, sizeof path, "/characters/%s/layers/weight", character->def->name);
  TraceChannel channel = {.path = path,
                          .type = TRACE_FLOAT32,
                          .shape = {layers->count},
                          .unit = "-",
                          .description = "Weight of each layer: 0 no effect, 1 full effect",
                          .row_names = names};
  record->weight = sink->declare(sink->context, &channel, error);
  return record->weight >= 0;
}

static bool declare_layer(int channels[LAYER_MAX_CHANNELS], const Character *character, const LayerDef *layer,
                          const RecordSink *sink, Error *error) {
  const LayerKind *kind = layer->kind;
  const char *names[SKELETON_MAX_JOINTS];
  int rows = kind->channel_count > 0 ? kind->rows(layer->values) : 0;
  for (int i = 0; i < rows; i++)
    names[i] = kind->row_name(layer->values, &character->def->body->skeleton, i);
  for (int i = 0; i < kind->channel_count && rows > 0; i++) {
    const LayerChannel *row = &kind->channels[i];
    char path[256];
    snprintf(path, sizeof path, "/characters/%s/layers/%s/%s", character->def->name, layer->name, row->name);
    TraceChannel channel = {.path = path,
                            .type = TRACE_FLOAT32,
                            .shape = {rows, row->width > 1 ? row->width : 0},
                            .unit = row->unit,
                            .description = row->description,
                            .row_names = names};
    channels[i] = sink->declare(sink->context, &channel, error);
    if (channels[i] < 0)
      return false;
  }
  return true;
}

bool record_layers_declare(RecordLayers *record, const Character *character, const RecordSink *sink, Error *error) {
  const LayerList *layers = &character->layers;
  record->weight = -1;
  if (layers->count == 0)
    return true;
  if (!declare_weights(record, character, sink, error))
    return false;
  for (int i = 0; i < layers->count; i++)
    if (!declare_layer(record->channels[i], character, layers->layers[i].def, sink, error))
      return false;
  return true;
}

void record_layers_fill(const RecordLayers *record, const Character *character, const RecordSink *sink) {
  const LayerList *layers = &character->layers;
  if (record->weight < 0)
    return;
  float *weights = sink->row(sink->context, record->weight);
  for (int i = 0; i < layers->count; i++) {
    const Layer *layer = &layers->layers[i];
    const LayerKind *kind = layer->def->kind;
    weights[i] = layer->weight;
    bool any = kind->channel_count > 0 && kind->rows(layer->def->values) > 0;
    for (int k = 0; any && k < kind->channel_count; k++)
      kind->record(layer->def->values, layer->state, k, sink->row(sink->context, record->channels[i][k]));
  }
}
