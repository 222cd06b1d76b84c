// Reads the nodes that modify others: additive, masked layer, mirror, idle randomizer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/graph/graph_yaml_internal.h"
#include "anim/mirror.h"

// ---- What adds and layers share: weight, and playing once at an event ----

static bool read_weight(GraphReader *reader, const Node *map, GraphNode *n) {
  const Node *weight = node_find(map, "weight");
  n->input[0] = (GraphInput){.source = SOURCE_CONSTANT, .value = 1};
  return !weight || graph_read_input(reader, weight, &n->input[0]);
}

static bool read_event(GraphReader *reader, const Node *map, GraphNode *n) {
  const Node *event = node_find(map, "event"), *fade = node_find(map, "fade");
  n->fade = 0.1;
  if (!graph_read_within(reader, map, "fade", 0, 10, &n->fade))
    return false;
  if (!event)
    return !fade || node_error(fade, reader->error, "'fade' is only for a clip that plays once at an 'event'");
  const GraphNode *played = &reader->def->nodes[n->child[1]];
  if (played->kind != GRAPH_CLIP || played->clip->loop)
    return node_error(event, reader->error, "only a clip that ends can play once at an event");
  return graph_read_event(reader, event, &n->event);
}

// The place of the overlaid node. One that plays once starts at its beginning and is not synchronised with other clips.
static GraphPlace place_on_top(const Node *map, GraphPlace below) {
  return node_find(map, "event") ? (GraphPlace){below.parent, -1, below.in_mirror} : below;
}

// ---- Additive ----

static bool set_reference(GraphReader *reader, const Node *yaml, GraphNode *n, const Clip *clip, double time) {
  if (time > clip->duration)
    return node_error(yaml, reader->error, "the time %g s lies outside the clip's 0 .. %g s", time,
                      (double)clip->duration);
  n->reference = malloc(sizeof *n->reference);
  if (!n->reference)
    return error_set(reader->error, "out of memory");
  clip_sample(clip, (float)time, n->reference);
  return true;
}

// The reference pose: a time of the added clip itself in s, or {clip: ..., time: ...}.
static bool read_reference(GraphReader *reader, const Node *map, GraphNode *n) {
  static const char *const keys[] = {"clip", "time", NULL};
  const Node *yaml = node_find(map, "reference");
  const GraphNode *added = &reader->def->nodes[n->child[1]];
  double time = 0;
  if (!yaml || yaml->kind == NODE_SCALAR) {
    if (added->kind != GRAPH_CLIP)
      return node_error(yaml ? yaml : map, reader->error,
                        "the added node is not a single clip: give the pose that it is relative to, 'reference: {clip: "
                        "..., time: 0}'");
    return graph_read_within(reader, map, "reference", 0, added->clip->duration, &time) &&
           set_reference(reader, yaml, n, added->clip, time);
  }
  if (yaml->kind != NODE_MAP)
    return node_error(yaml, reader->error, "expected a time in s or {clip: ..., time: 0}");
  const Node *clip_yaml = graph_required(reader, yaml, "clip");
  if (!clip_yaml || !node_check_keys(yaml, keys, reader->error))
    return false;
  const Clip *clip = graph_find_clip(reader, clip_yaml);
  return clip && graph_read_within(reader, yaml, "time", 0, clip->duration, &time) &&
         set_reference(reader, yaml, n, clip, time);
}

bool graph_read_add(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  GraphNode *n = &reader->def->nodes[node];
  const Node *to = graph_required(reader, map, "to");
  return to && graph_read_node(reader, to, below) >= 0 &&
         graph_read_node(reader, node_find(map, "add"), place_on_top(map, below)) >= 0 && read_weight(reader, map, n) &&
         read_event(reader, map, n) && read_reference(reader, map, n);
}

// ---- Masked layers ----

static bool is_below(const Skeleton *skeleton, int joint, int top) {
  while (joint >= 0 && joint != top)
    joint = skeleton->parent[joint];
  return joint == top;
}

// "chest" is one joint, "chest.." that joint and all below it.
static bool mask_joint(GraphReader *reader, const Node *yaml, const char *text, float weight, float *mask) {
  const Skeleton *skeleton = reader->def->skeleton;
  char name[SKELETON_NAME_SIZE + 2];
  size_t length = strlen(text);
  bool whole = length > 2 && strcmp(text + length - 2, "..") == 0;
  snprintf(name, sizeof name, "%.*s", (int)(whole ? length - 2 : length), text);
  int joint = skeleton_find(skeleton, name);
  if (joint < 0)
    return node_error(yaml, reader->error, "unknown joint '%s'%s", name, skeleton_joint_hint(skeleton, name).text);
  for (int i = 0; i < skeleton->count; i++)
    if (i == joint || (whole && is_below(skeleton, i, joint)))
      mask[i] = weight;
  return true;
}

static bool read_mask(GraphReader *reader, const Node *map, GraphNode *n) {
  const Node *joints = graph_required(reader, map, "joints");
  if (!joints)
    return false;
  if (joints->kind == NODE_SCALAR || joints->count == 0)
    return node_error(joints, reader->error, "expected joints, [chest.., thigh_l] or {chest..: 1, abdomen: 0.5}");
  for (const Node *n_joint = joints->first; n_joint; n_joint = n_joint->next) {
    double weight = 1;
    if (joints->kind == NODE_MAP) {
      if (!graph_read_within(reader, joints, n_joint->key, 0, 1, &weight))
        return false;
    } else if (n_joint->kind != NODE_SCALAR) {
      return node_error(n_joint, reader->error, "expected the name of a joint");
    }
    const char *text = joints->kind == NODE_MAP ? n_joint->key : n_joint->text;
    if (!mask_joint(reader, n_joint, text, (float)weight, n->mask))
      return false;
  }
  return true;
}

bool graph_read_layer(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  GraphNode *n = &reader->def->nodes[node];
  const Node *over = graph_required(reader, map, "over");
  return over && graph_read_node(reader, over, below) >= 0 &&
         graph_read_node(reader, node_find(map, "layer"), place_on_top(map, below)) >= 0 && read_mask(reader, map, n) &&
         read_weight(reader, map, n) && read_event(reader, map, n);
}

// ---- Mirrored ----

// Warns that a skeleton with an asymmetric bind pose does not become its exact mirror image.
static void warn_of_asymmetry(GraphReader *reader, const Node *map) {
  char names[256];
  if (mirror_asymmetry(reader->def->skeleton, names, sizeof names) > 0)
    graph_warn(reader->def, "%s:%d:%d: mirrors a skeleton that is not symmetric in its bind pose: %s\n", map->file,
               map->line, map->column, names);
}

bool graph_read_mirror(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  GraphNode *n = &reader->def->nodes[node];
  if (below.in_mirror)
    return node_error(map, reader->error, "a mirrored node cannot contain a mirrored node");
  below.in_mirror = true;
  warn_of_asymmetry(reader, map);
  return graph_read_node(reader, node_find(map, "mirror"), below) >= 0 && read_weight(reader, map, n) &&
         graph_read_within(reader, map, "time", 0, 10, &n->fade);
}

// ---- The idle randomizer: blends and adds whose inputs it drives ----

static GraphInput idle_input(GraphSource source, int idle, int index) {
  return (GraphInput){.source = source, .idle = idle, .index = index};
}

// Reads the poses left, breathing, right of the weight shift at -1, 0, 1. Returns the breathing node; -1 and an error.
static int read_shift(GraphReader *reader, const Node *map, int idle, GraphPlace place) {
  static const char *const keys[3] = {"left", "breathing", "right"};
  int node = graph_add_node(reader, map, GRAPH_BLEND, "shift", place), breathing = -1;
  if (node < 0 || !graph_required(reader, map, "breathing"))
    return -1;
  GraphNode *n = &reader->def->nodes[node];
  n->input[0] = idle_input(SOURCE_IDLE_SHIFT, idle, 0);
  for (int i = 0; i < 3; i++) {
    const Node *yaml = node_find(map, keys[i]);
    if (!yaml)
      continue;
    n->at[n->child_count][0] = (float)(i - 1);
    int child = graph_read_node(reader, yaml, (GraphPlace){node, place.group, place.in_mirror});
    if (child < 0)
      return -1;
    if (i == 1)
      breathing = child;
  }
  return breathing;
}

// Adds a single frame of a clip, which does not play.
static bool add_frame(GraphReader *reader, const Node *yaml, const GraphNode *of, GraphPlace place) {
  int node = graph_add_node(reader, yaml, GRAPH_CLIP, "reference", place);
  if (node < 0)
    return false;
  reader->def->nodes[node].clip = of->clip;
  return true;
}

// Reads the poses of the look at points of the plane; straight ahead is the first frame of breathing.
static bool read_looks(GraphReader *reader, const Node *list, int idle, const GraphNode *breathing, GraphPlace place) {
  static const char *const keys[] = {"at", "node", "clip", NULL};
  Error *error = reader->error;
  if (list->kind != NODE_LIST || list->count < 1 || list->count >= GRAPH_MAX_CHILDREN)
    return node_error(list, error, "expected 1 .. %d looks, [{at: [1, 0], clip: clips/look_right.yaml}, ...]",
                      GRAPH_MAX_CHILDREN - 1);
  int node = graph_add_node(reader, list, GRAPH_BLEND2, "looks", place);
  if (node < 0)
    return false;
  GraphNode *n = &reader->def->nodes[node];
  GraphPlace below = {node, -1, place.in_mirror};
  n->input[0] = idle_input(SOURCE_IDLE_LOOK_X, idle, 0);
  n->input[1] = idle_input(SOURCE_IDLE_LOOK_Y, idle, 0);
  if (!add_frame(reader, list, breathing, below))
    return false;
  for (const Node *item = list->first; item; item = item->next) {
    if (item->kind != NODE_MAP || !node_check_keys(item, keys, error))
      return node_error(item, error, "expected a look, {at: [1, 0], clip: clips/look_right.yaml}");
    const Node *at = graph_required(reader, item, "at");
    double point[2];
    if (!at || !node_reals(at, point, 2, error))
      return false;
    for (int k = 0; k < 2; k++) {
      if (point[k] < -1 || point[k] > 1)
        return node_error(at, error, "looks lie in -1 .. 1");
      n->at[n->child_count][k] = (float)point[k];
    }
    for (int i = 0; i < n->child_count; i++)
      if (hypotf(n->at[i][0] - (float)point[0], n->at[i][1] - (float)point[1]) < 1e-3f)
        return node_error(at, error, "two looks at the same point; straight ahead, [0, 0], is there already");
    if (graph_read_item(reader, item, below) < 0)
      return false;
  }
  return true;
}

// Adds an additive node whose base is the node that is added as its first child.
static int add_on_top(GraphReader *reader, const Node *yaml, const char *name, GraphInput weight, GraphPlace place) {
  int node = graph_add_node(reader, yaml, GRAPH_ADD, name, place);
  if (node >= 0)
    reader->def->nodes[node].input[0] = weight;
  return node;
}

bool graph_read_idle(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  static const char *const keys[] = {"breathing", "left", "right", "looks", "overlays", NULL};
  const Node *idle_yaml = node_find(map, "idle");
  GraphDef *def = reader->def;
  GraphNode *n = &def->nodes[node];
  if (idle_yaml->kind != NODE_MAP)
    return node_error(idle_yaml, reader->error, "expected {breathing: ..., left: ..., right: ..., looks: [...]}");
  n->idle = def->idle_count++;
  n->randomizer = calloc(1, sizeof *n->randomizer);
  if (!n->randomizer)
    return error_set(reader->error, "out of memory");
  param_defaults(&idle_params, n->randomizer);
  if (!param_read(&idle_params, n->randomizer, idle_yaml, keys, reader->error))
    return false;

  const Node *overlays = node_find(idle_yaml, "overlays"), *looks = node_find(idle_yaml, "looks");
  if (overlays && overlays->kind != NODE_LIST)
    return node_error(overlays, reader->error, "expected a list of nodes, [{clip: clips/stretch.yaml}, ...]");
  below.group = -1;

  // Overlays are added on looks, and looks on the weight shift. The tree is built from its top, so an additive node's
  // base, its first child, is created last; the order of the two children is corrected afterwards.
  int overlay_nodes[GRAPH_MAX_CHILDREN], looks_node = -1, count = overlays ? overlays->count : 0;
  if (count > GRAPH_MAX_CHILDREN)
    return node_error(overlays, reader->error, "%d overlays are too many, at most %d", count, GRAPH_MAX_CHILDREN);
  n->overlay_count = count;
  for (int i = 0; i < count; i++) {
    GraphInput weight = idle_input(SOURCE_IDLE_OVERLAY, n->idle, i);
    overlay_nodes[i] = add_on_top(reader, node_at(overlays, i), "overlay", weight, below);
    if (overlay_nodes[i] < 0)
      return false;
    below.parent = overlay_nodes[i];
  }
  if (looks) {
    GraphInput weight = {.source = SOURCE_CONSTANT, .value = 1};
    looks_node = add_on_top(reader, looks, "look", weight, below);
    if (looks_node < 0)
      return false;
    below.parent = looks_node;
  }
  int breathing = read_shift(reader, idle_yaml, n->idle, below);
  if (breathing < 0)
    return false;

  const GraphNode *frame = &def->nodes[breathing];
  if ((looks || count > 0) && frame->kind != GRAPH_CLIP)
    return node_error(node_find(idle_yaml, "breathing"), reader->error,
                      "looks and overlays are relative to the first frame of 'breathing', so that must be a clip");
  below.parent = looks_node;
  if (looks && (!read_looks(reader, looks, n->idle, frame, below) ||
                !set_reference(reader, looks, &def->nodes[looks_node], frame->clip, 0)))
    return false;
  for (int i = 0; i < count; i++) {
    const Node *yaml = node_at(overlays, i);
    below.parent = overlay_nodes[i];
    int overlay = graph_read_node(reader, yaml, below);
    if (overlay < 0)
      return false;
    if (def->nodes[overlay].kind != GRAPH_CLIP)
      return node_error(yaml, reader->error, "an overlay must be a clip");
    if (!set_reference(reader, yaml, &def->nodes[overlay_nodes[i]], frame->clip, 0))
      return false;
  }
  return true;
}
