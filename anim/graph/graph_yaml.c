// Reads the nodes of graph files (format: scenes/graphs/README.md): values, clips and blends.
#include "anim/graph/graph_yaml_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LARGEST = 1e6; // limit of any number in a graph

// ---- Names and values ----

bool graph_unknown(GraphReader *reader, const Node *yaml, const char *what, const char *name, const char *const *names,
                   int count) {
  return node_error(yaml, reader->error, "unknown %s '%s'%s", what, name,
                    count > 0 ? name_hint(name, names, count).text : ", there are none");
}

bool graph_copy_key(GraphReader *reader, const Node *yaml, char name[SKELETON_NAME_SIZE]) {
  if (snprintf(name, SKELETON_NAME_SIZE, "%s", yaml->key) < SKELETON_NAME_SIZE)
    return node_check_key_name(yaml, reader->error);
  return node_key_error(yaml, reader->error, "the name is too long; at most %d characters", SKELETON_NAME_SIZE - 1);
}

const Node *graph_required(GraphReader *reader, const Node *map, const char *key) {
  const Node *node = node_find(map, key);
  if (!node)
    node_error(map, reader->error, "'%s' is missing here", key);
  return node;
}

// Reads a number in [low, high] that may be absent.
bool graph_read_within(GraphReader *reader, const Node *map, const char *key, double low, double high, double *value) {
  const Node *node = node_find(map, key);
  if (!node)
    return true;
  if (!node_real(node, value, reader->error))
    return false;
  if (*value < low || *value > high)
    return node_error(node, reader->error, "'%s' must lie in %g .. %g, not %g", key, low, high, *value);
  return true;
}

bool graph_read_parameter(GraphReader *reader, const Node *yaml, int *parameter) {
  const GraphDef *def = reader->def;
  if (yaml->kind != NODE_SCALAR)
    return node_error(yaml, reader->error, "expected the name of a parameter");
  *parameter = graph_parameter(def, yaml->text);
  if (*parameter >= 0)
    return true;
  const char *names[GRAPH_MAX_PARAMETERS];
  for (int i = 0; i < def->parameter_count; i++)
    names[i] = def->parameters[i].name;
  return graph_unknown(reader, yaml, "parameter", yaml->text, names, def->parameter_count);
}

bool graph_read_input(GraphReader *reader, const Node *yaml, GraphInput *input) {
  if (yaml->kind == NODE_SCALAR && strchr("+-.0123456789", yaml->text[0])) {
    if (!node_real(yaml, &input->value, reader->error))
      return false;
    if (input->value < 0 || input->value > 1)
      return node_error(yaml, reader->error, "a weight must lie in 0 .. 1, not %g", input->value);
    input->source = SOURCE_CONSTANT;
    return true;
  }
  input->source = SOURCE_PARAMETER;
  return graph_read_parameter(reader, yaml, &input->index);
}

bool graph_read_event(GraphReader *reader, const Node *yaml, int *event) {
  char name[SKELETON_NAME_SIZE];
  if (!node_text(yaml, name, sizeof name, reader->error) || !node_check_name(yaml, name, reader->error))
    return false;
  *event = graph_event_index(reader->def, name, true);
  return *event >= 0 || node_error(yaml, reader->error, "a graph knows at most %d events", GRAPH_MAX_EVENTS);
}

const Clip *graph_find_clip(GraphReader *reader, const Node *yaml) {
  if (yaml->kind != NODE_SCALAR) {
    node_error(yaml, reader->error, "expected the file of a clip, e.g. clips/walk.yaml");
    return NULL;
  }
  const Clip *clip = reader->find(reader->context, yaml, reader->error);
  if (!clip) {
    node_error(yaml, reader->error, "there is no clip '%s'", yaml->text);
    return NULL;
  }
  if (clip->skeleton->count == reader->def->skeleton->count)
    return clip;
  node_error(yaml, reader->error, "the clip '%s' has %d joints, '%s' has %d", yaml->text, clip->skeleton->count,
             reader->def->skeleton->name, reader->def->skeleton->count);
  return NULL;
}

// ---- Clips ----

static bool read_clip(GraphReader *reader, const Node *map, int node) {
  GraphNode *n = &reader->def->nodes[node];
  n->clip = graph_find_clip(reader, node_find(map, "clip"));
  if (!n->clip)
    return false;
  n->speed = 1;
  if (!graph_read_within(reader, map, "speed", 0, 100, &n->speed) ||
      !graph_read_within(reader, map, "start", 0, n->clip->duration, &n->start))
    return false;
  if (!n->name[0])
    snprintf(n->name, sizeof n->name, "%s", n->clip->name);

  const char *why = NULL;
  bool can_sync = sync_track_read(&n->track, n->clip, &why);
  if (n->group == node && !can_sync)
    return node_error(node_find(map, "clip"), reader->error, "the clip cannot keep step: %s", why);
  return true;
}

// ---- Blends ----

// Whether a node below belongs to the sync group; without any, `sync` is an error.
static bool has_track(const GraphDef *def, int node) {
  const GraphNode *n = &def->nodes[node];
  if (n->kind == GRAPH_CLIP)
    return n->track.count > 0;
  for (int i = 0; i < n->child_count; i++)
    if (def->nodes[n->child[i]].group == n->group && has_track(def, n->child[i]))
      return true;
  return false;
}

static bool check_sync(GraphReader *reader, const Node *map, int node) {
  if (reader->def->nodes[node].group != node || has_track(reader->def, node))
    return true;
  return node_error(node_find(map, "sync"), reader->error,
                    "no clip below has a mark 'left_strike', so there are no steps to keep");
}

static bool read_position(GraphReader *reader, const Node *item, GraphNode *n, int i) {
  const Node *yaml = graph_required(reader, item, "at");
  double at[2] = {0, 0};
  if (!yaml)
    return false;
  if (n->kind == GRAPH_BLEND ? !node_real(yaml, at, reader->error) : !node_reals(yaml, at, 2, reader->error))
    return false;
  if (fabs(at[0]) > LARGEST || fabs(at[1]) > LARGEST)
    return node_error(yaml, reader->error, "positions lie within +-%g", LARGEST);
  n->at[i][0] = (float)at[0];
  n->at[i][1] = (float)at[1];
  if (n->kind == GRAPH_BLEND) {
    if (i == 0 || n->at[i][0] > n->at[i - 1][0])
      return true;
    return node_error(yaml, reader->error, "positions must rise, but %g follows %g", at[0], (double)n->at[i - 1][0]);
  }
  for (int j = 0; j < i; j++)
    if (hypotf(n->at[i][0] - n->at[j][0], n->at[i][1] - n->at[j][1]) < 1e-3f)
      return node_error(yaml, reader->error, "child %d lies at the same point", j + 1);
  return true;
}

static bool read_children(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  static const char *const keys[] = {"at", "node", "clip", "speed", "start", NULL};
  const Node *list = graph_required(reader, map, "children");
  if (!list)
    return false;
  if (list->kind != NODE_LIST || list->count < 1)
    return node_error(list, reader->error, "expected a list of children, [{at: 0, clip: clips/idle.yaml}, ...]");
  if (list->count > GRAPH_MAX_CHILDREN)
    return node_error(list, reader->error, "%d children are too many; a blend has at most %d", list->count,
                      GRAPH_MAX_CHILDREN);
  GraphNode *n = &reader->def->nodes[node];
  for (const Node *item = list->first; item; item = item->next) {
    if (item->kind != NODE_MAP)
      return node_error(item, reader->error, "expected a child, {at: 0, clip: clips/idle.yaml}");
    if (!node_check_keys(item, keys, reader->error) || !read_position(reader, item, n, n->child_count) ||
        graph_read_item(reader, item, below) < 0)
      return false;
  }
  return true;
}

static bool read_blend(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  GraphInput *input = &reader->def->nodes[node].input[0];
  input->source = SOURCE_PARAMETER;
  return graph_read_parameter(reader, node_find(map, "blend"), &input->index) &&
         read_children(reader, map, node, below);
}

static bool read_blend2(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  const Node *pair = node_find(map, "blend2"), *directional = node_find(map, "directional");
  GraphNode *n = &reader->def->nodes[node];
  GraphInput *input = n->input;
  n->directional = true;
  if (directional && !node_bool(directional, &n->directional, reader->error))
    return false;
  if (pair->kind != NODE_LIST || pair->count != 2)
    return node_error(pair, reader->error, "expected two parameters, [left, forward]");
  for (int i = 0; i < 2; i++) {
    input[i].source = SOURCE_PARAMETER;
    if (!graph_read_parameter(reader, node_at(pair, i), &input[i].index))
      return false;
  }
  return read_children(reader, map, node, below);
}

// ---- Nodes ----

static const char *const kind_keys[GRAPH_KINDS][9] = {
    {"clip", "speed", "start", "sync", NULL},
    {"blend", "children", "sync", NULL},
    {"blend2", "directional", "children", "sync", NULL},
    {"add", "to", "weight", "reference", "event", "fade", "sync", NULL},
    {"layer", "over", "joints", "weight", "event", "fade", "sync", NULL},
    {"mirror", "weight", "time", "sync", NULL},
    {"idle", NULL},
    {"machine", NULL},
};

int graph_add_node(GraphReader *reader, const Node *yaml, GraphKind kind, const char *name, GraphPlace place) {
  GraphDef *def = reader->def;
  if (def->node_count == GRAPH_MAX_NODES) {
    node_error(yaml, reader->error, "the graph has too many nodes, at most %d; a named node counts wherever it is used",
               GRAPH_MAX_NODES);
    return -1;
  }
  int node = def->node_count++;
  GraphNode *n = &def->nodes[node];
  n->kind = kind;
  n->parent = place.parent;
  n->group = place.group;
  n->event = -1;
  snprintf(n->name, sizeof n->name, "%s", name);
  if (place.parent >= 0) {
    GraphNode *parent = &def->nodes[place.parent];
    parent->child[parent->child_count++] = node;
  }
  return node;
}

static bool read_kind(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  switch (reader->def->nodes[node].kind) {
  case GRAPH_CLIP:
    return read_clip(reader, map, node);
  case GRAPH_BLEND:
    return read_blend(reader, map, node, below);
  case GRAPH_BLEND2:
    return read_blend2(reader, map, node, below);
  case GRAPH_ADD:
    return graph_read_add(reader, map, node, below);
  case GRAPH_LAYER:
    return graph_read_layer(reader, map, node, below);
  case GRAPH_MIRROR:
    return graph_read_mirror(reader, map, node, below);
  case GRAPH_IDLE:
    return graph_read_idle(reader, map, node, below);
  case GRAPH_MACHINE:
    return graph_read_machine(reader, map, node, below);
  case GRAPH_KINDS:
    break;
  }
  return false;
}

static int read_map(GraphReader *reader, const Node *map, const char *name, GraphPlace place) {
  if (map->kind != NODE_MAP) {
    node_error(map, reader->error, "expected a node, e.g. {clip: clips/walk.yaml}, or the name of one");
    return -1;
  }
  int kind = -1;
  for (int i = 0; i < GRAPH_KINDS; i++) {
    if (!node_find(map, graph_kind_names[i]))
      continue;
    if (kind >= 0) {
      node_error(map, reader->error, "a node is of one kind, not both '%s' and '%s'", graph_kind_names[kind],
                 graph_kind_names[i]);
      return -1;
    }
    kind = i;
  }
  if (kind < 0) {
    const char *given = map->first ? map->first->key : "";
    graph_unknown(reader, map, "kind of node", given, graph_kind_names, GRAPH_KINDS);
    return -1;
  }
  if (!node_check_keys(map, kind_keys[kind], reader->error))
    return -1;

  bool sync = false;
  const Node *sync_yaml = node_find(map, "sync");
  if (sync_yaml && !node_bool(sync_yaml, &sync, reader->error))
    return -1;
  int node = graph_add_node(reader, map, (GraphKind)kind, name, place);
  if (node < 0)
    return -1;
  if (sync && place.group < 0)
    reader->def->nodes[node].group = node;
  GraphPlace below = {node, reader->def->nodes[node].group, place.in_mirror};
  return read_kind(reader, map, node, below) && check_sync(reader, map, node) ? node : -1;
}

static int read_named(GraphReader *reader, const Node *yaml, GraphPlace place) {
  const Node *found = node_find(reader->named, yaml->text);
  if (!found) {
    const char *names[GRAPH_MAX_NODES];
    int count = 0;
    for (const Node *n = reader->named ? reader->named->first : NULL; n && count < GRAPH_MAX_NODES; n = n->next)
      names[count++] = n->key;
    graph_unknown(reader, yaml, "node", yaml->text, names, count);
    return -1;
  }
  for (int i = 0; i < reader->depth; i++) {
    if (reader->chain[i] != found)
      continue;
    node_error(yaml, reader->error, "the node '%s' would contain itself (through '%s')", found->key,
               reader->chain[reader->depth - 1]->key);
    return -1;
  }
  if (reader->depth == GRAPH_MAX_NODES) {
    node_error(yaml, reader->error, "nodes are nested too deep, at most %d", GRAPH_MAX_NODES);
    return -1;
  }
  char name[SKELETON_NAME_SIZE];
  if (!graph_copy_key(reader, found, name))
    return -1;
  bool known = false;
  for (int i = 0; i < reader->used_count; i++)
    known |= reader->used[i] == found;
  if (!known && reader->used_count < GRAPH_MAX_NODES)
    reader->used[reader->used_count++] = found;

  reader->chain[reader->depth++] = found;
  int node = found->kind == NODE_SCALAR ? read_named(reader, found, place) : read_map(reader, found, name, place);
  reader->depth--;
  return node;
}

int graph_read_node(GraphReader *reader, const Node *yaml, GraphPlace place) {
  return yaml->kind == NODE_SCALAR ? read_named(reader, yaml, place) : read_map(reader, yaml, "", place);
}

int graph_read_item(GraphReader *reader, const Node *item, GraphPlace place) {
  const Node *named = node_find(item, "node"), *clip = node_find(item, "clip");
  if (!named == !clip) {
    node_error(item, reader->error, "expected either 'node: name' or 'clip: file' here");
    return -1;
  }
  if (named)
    return graph_read_node(reader, named, place);
  int node = graph_add_node(reader, item, GRAPH_CLIP, "", place);
  return node >= 0 && read_clip(reader, item, node) ? node : -1;
}
