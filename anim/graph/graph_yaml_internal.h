// Declarations shared by the readers of a graph file.
#ifndef STAGGER_ANIM_GRAPH_GRAPH_YAML_INTERNAL_H
#define STAGGER_ANIM_GRAPH_GRAPH_YAML_INTERNAL_H

#include "anim/graph/graph_def_internal.h"
#include "sim/base/document.h"

typedef struct GraphReader {
  GraphDef *def;
  GraphClipFinder *find;
  void *context;
  Error *error;
  const Node *named;                  // the map of named nodes in the file; NULL: none
  const Node *chain[GRAPH_MAX_NODES]; // names being read at present, to detect cycles
  int depth;                          //
  const Node *used[GRAPH_MAX_NODES];  // named nodes that were used, to warn of unused ones
  int used_count;
} GraphReader;

// The place of a new node in the tree.
typedef struct GraphPlace {
  int parent, group; // -1: none
  bool in_mirror;    // somewhere below a mirror node
} GraphPlace;

// Reads a node by its name or from its map. Returns the index of the first node made, which is already linked to its
// parent, or -1 and an error. All readers return false or -1 with an error at the place in the file.
int graph_read_node(GraphReader *reader, const Node *yaml, GraphPlace place);

// The same for an item of a list, {node: ...} or {clip: ...} with further keys that the caller checks.
int graph_read_item(GraphReader *reader, const Node *item, GraphPlace place);

// Adds an empty node and links it to its parent. name may be "".
int graph_add_node(GraphReader *reader, const Node *yaml, GraphKind kind, const char *name, GraphPlace place);

// Reads the contents of each kind of node; `node` has been added already.
bool graph_read_add(GraphReader *reader, const Node *map, int node, GraphPlace below);
bool graph_read_layer(GraphReader *reader, const Node *map, int node, GraphPlace below);
bool graph_read_mirror(GraphReader *reader, const Node *map, int node, GraphPlace below);
bool graph_read_idle(GraphReader *reader, const Node *map, int node, GraphPlace below);
bool graph_read_machine(GraphReader *reader, const Node *map, int node, GraphPlace below);

// Readers of single values.
const Node *graph_required(GraphReader *reader, const Node *map, const char *key);
bool graph_read_parameter(GraphReader *reader, const Node *yaml, int *parameter);
bool graph_read_input(GraphReader *reader, const Node *yaml, GraphInput *input); // a parameter, or a number in 0..1
bool graph_read_event(GraphReader *reader, const Node *yaml, int *event);
bool graph_read_within(GraphReader *reader, const Node *map, const char *key, double low, double high, double *value);
const Clip *graph_find_clip(GraphReader *reader, const Node *yaml);

// Copies the key as a name. Error at the key when it is too long.
bool graph_copy_key(GraphReader *reader, const Node *yaml, char name[SKELETON_NAME_SIZE]);

// Sets an error such as "unknown parameter `sped`, did you mean `speed`?" or a list of the allowed names. Returns
// false.
bool graph_unknown(GraphReader *reader, const Node *yaml, const char *what, const char *name, const char *const *names,
                   int count);

#endif
