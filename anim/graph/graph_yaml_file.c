// Reads graph files: the file as a whole, and its parameters.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/graph/graph_yaml_internal.h"

// ---- Parameters ----

static bool read_parameter(GraphReader *reader, const Node *yaml, GraphParameter *parameter) {
  static const char *const keys[] = {"default", "range", "unit", "doc", NULL};
  Error *error = reader->error;
  *parameter = (GraphParameter){.min = -FLT_MAX, .max = FLT_MAX};
  if (!graph_copy_key(reader, yaml, parameter->name))
    return false;
  if (yaml->kind == NODE_SCALAR) // short form, `speed: 0`
    return node_real(yaml, &parameter->value, error);
  if (yaml->kind != NODE_MAP)
    return node_error(yaml, error, "expected {default: 0, range: [0, 1], unit: m/s} or just the default");
  if (!node_check_keys(yaml, keys, error))
    return false;

  const Node *range = node_find(yaml, "range"), *unit = node_find(yaml, "unit");
  double limits[2] = {parameter->min, parameter->max};
  if (unit && !node_text(unit, parameter->unit, sizeof parameter->unit, error))
    return false;
  if (range && !node_reals(range, limits, 2, error))
    return false;
  if (limits[0] >= limits[1])
    return node_error(range, error, "the range [%g, %g] is empty", limits[0], limits[1]);
  parameter->min = limits[0];
  parameter->max = limits[1];
  parameter->value = limits[0] > 0   ? limits[0]
                     : limits[1] < 0 ? limits[1]
                                     : 0; // the value in the range that is
                                          // nearest to 0
  return graph_read_within(reader, yaml, "default", limits[0], limits[1], &parameter->value);
}

static bool read_parameters(GraphReader *reader, const Node *map) {
  GraphDef *def = reader->def;
  if (map->kind != NODE_MAP)
    return node_error(map, reader->error, "expected a map of parameters, {speed: {default: 0, range: [0, 5]}}");
  if (map->count > GRAPH_MAX_PARAMETERS)
    return node_error(map, reader->error, "%d parameters are too many; a graph has at most %d", map->count,
                      GRAPH_MAX_PARAMETERS);
  for (const Node *n = map->first; n; n = n->next)
    if (!read_parameter(reader, n, &def->parameters[def->parameter_count++]))
      return false;
  return true;
}

// ---- The whole ----

static void warn_unused(GraphReader *reader) {
  for (const Node *n = reader->named ? reader->named->first : NULL; n; n = n->next) {
    bool used = reader->used_count == GRAPH_MAX_NODES;
    for (int i = 0; i < reader->used_count; i++)
      used |= reader->used[i] == n;
    if (!used)
      graph_warn(reader->def, "%s:%d:%d: the node '%s' is not used\n", n->file, n->key_line, n->key_column, n->key);
  }
}

// Number of temporary poses that the evaluation of a node needs in addition to the one for its result.
static int count_poses(const GraphDef *def, int node) {
  const GraphNode *n = &def->nodes[node];
  int below = 0;
  for (int i = 0; i < n->child_count; i++) {
    int need = count_poses(def, n->child[i]);
    below = need > below ? need : below;
  }
  switch (n->kind) {
  case GRAPH_BLEND:
    return below + 2; // at most two children are evaluated at once
  case GRAPH_BLEND2:
    return below + n->child_count;
  case GRAPH_MACHINE:
    return below + 3; // three for the beginning of an inertialization
  case GRAPH_CLIP:
  case GRAPH_IDLE:
    return below;
  default:
    return below + 1;
  }
}

static bool read_graph(GraphReader *reader, const Node *root) {
  static const char *const keys[] = {"name", "parameters", "nodes", "output", NULL};
  GraphDef *def = reader->def;
  if (!node_check_keys(root, keys, reader->error))
    return false;
  const Node *name = graph_required(reader, root, "name"), *output = graph_required(reader, root, "output");
  const Node *parameters = node_find(root, "parameters");
  if (!name || !output)
    return false;
  if (!node_text(name, def->name, sizeof def->name, reader->error) || !node_check_name(name, def->name, reader->error))
    return false;
  if (parameters && !read_parameters(reader, parameters))
    return false;
  reader->named = node_find(root, "nodes");
  if (reader->named && reader->named->kind != NODE_MAP)
    return node_error(reader->named, reader->error, "expected a map of nodes, {walk: {clip: clips/walk.yaml}}");
  if (graph_read_node(reader, output, (GraphPlace){-1, -1, false}) < 0)
    return false;
  warn_unused(reader);
  def->pose_need = count_poses(def, 0);
  return true;
}

GraphDef *graph_read(FileSet *files, const char *name, const Skeleton *skeleton, GraphClipFinder *find, void *context,
                     Error *error) {
  const File *file = files_read(files, name, error);
  Document document;
  if (!file || !document_read(&document, file->path, file, error))
    return NULL;

  bool good = false;
  GraphDef *def = calloc(1, sizeof *def);
  if (def)
    def->nodes = calloc(GRAPH_MAX_NODES, sizeof *def->nodes);
  if (def && def->nodes) {
    def->skeleton = skeleton;
    GraphReader reader = {.def = def, .find = find, .context = context, .error = error};
    good = read_graph(&reader, document.root);
  } else {
    error_set(error, "out of memory for the graph '%s'", name);
  }
  document_free(&document);
  if (good)
    return def;
  graph_def_free(def);
  return NULL;
}
