// Queries of a graph's definition: parameters, events and layers by name, and the warnings from reading it.
#include "anim/graph/graph_def_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const graph_kind_names[GRAPH_KINDS] = {"clip",  "blend",  "blend2", "add",
                                                   "layer", "mirror", "idle",   "machine"};

void graph_def_free(GraphDef *def) {
  if (!def)
    return;
  for (int i = 0; def->nodes && i < def->node_count; i++) {
    free(def->nodes[i].reference);
    free(def->nodes[i].states);
    free(def->nodes[i].randomizer);
  }
  free(def->nodes);
  free(def);
}

const char *graph_warnings(const GraphDef *def) { return def->warnings; }

void graph_warn(GraphDef *def, const char *format, ...) {
  size_t used = strlen(def->warnings);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(def->warnings + used, sizeof def->warnings - used, format, arguments);
  va_end(arguments);
}

int graph_parameter(const GraphDef *def, const char *name) {
  for (int i = 0; i < def->parameter_count; i++)
    if (strcmp(def->parameters[i].name, name) == 0)
      return i;
  return -1;
}

int graph_parameter_count(const GraphDef *def) { return def->parameter_count; }

const char *graph_parameter_name(const GraphDef *def, int parameter) { return def->parameters[parameter].name; }

double graph_parameter_default(const GraphDef *def, int parameter) { return def->parameters[parameter].value; }

void graph_parameter_range(const GraphDef *def, int parameter, double range[2]) {
  range[0] = def->parameters[parameter].min;
  range[1] = def->parameters[parameter].max;
}

bool graph_has_event(const GraphDef *def, const char *event) {
  for (int i = 0; i < def->event_count; i++)
    if (strcmp(def->events[i], event) == 0)
      return true;
  return false;
}

int graph_layer_count(const GraphDef *def) { return def->layer_count; }

const char *graph_layer_name(const GraphDef *def, int layer) { return def->layers[layer]; }

int graph_event_index(GraphDef *def, const char *name, bool add) {
  for (int i = 0; i < def->event_count; i++)
    if (strcmp(def->events[i], name) == 0)
      return i;
  if (!add || def->event_count == GRAPH_MAX_EVENTS)
    return -1;
  snprintf(def->events[def->event_count], sizeof def->events[0], "%s", name);
  return def->event_count++;
}
