// Reads state machines.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/graph/graph_yaml_internal.h"
#include "sim/base/numbers.h"

static const double LONGEST = 1e6; // limit of times, s

// ---- States ----

static bool find_state(GraphReader *reader, const GraphMachine *machine, const Node *yaml, int *state) {
  const char *names[GRAPH_MAX_STATES];
  if (yaml->kind != NODE_SCALAR)
    return node_error(yaml, reader->error, "expected the name of a state");
  for (*state = 0; *state < machine->state_count; ++*state) {
    names[*state] = machine->state_names[*state];
    if (strcmp(names[*state], yaml->text) == 0)
      return true;
  }
  return graph_unknown(reader, yaml, "state", yaml->text, names, machine->state_count);
}

// Finds the layer's index in the graph; an unknown name is added.
static bool find_layer(GraphReader *reader, const Node *yaml, int *layer) {
  GraphDef *def = reader->def;
  for (*layer = 0; *layer < def->layer_count; ++*layer)
    if (strcmp(def->layers[*layer], yaml->key) == 0)
      return true;
  if (def->layer_count == GRAPH_MAX_LAYERS)
    return node_key_error(yaml, reader->error, "a graph fades at most %d layers", GRAPH_MAX_LAYERS);
  return graph_copy_key(reader, yaml, def->layers[def->layer_count++]);
}

// Reads factors of layers such as {legs: 0, gaze: 0.5}.
static bool read_layers(GraphReader *reader, const Node *map, GraphMachine *machine, int state) {
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, reader->error, "expected a map of the character's layers to weights, {stepper: 0}");
  for (const Node *n = map->first; n; n = n->next) {
    double weight;
    int layer;
    if (!find_layer(reader, n, &layer) || !node_real(n, &weight, reader->error))
      return false;
    if (weight < 0 || weight > 1)
      return node_error(n, reader->error, "a weight must lie in 0 .. 1, not %g", weight);
    machine->layers[state][layer] = (float)weight;
  }
  return true;
}

// Reads a state with options for the character while it lasts; its node is given as `node` or `clip`.
static bool read_rich_state(GraphReader *reader, const Node *map, GraphMachine *machine, int state, GraphPlace below) {
  static const char *const keys[] = {"node", "clip", "speed", "start", "layers", "root_motion", NULL};
  const Node *root_motion = node_find(map, "root_motion");
  bool moves = false;
  if (!node_check_keys(map, keys, reader->error) || graph_read_item(reader, map, below) < 0 ||
      (root_motion && !node_bool(root_motion, &moves, reader->error)))
    return false;
  machine->root_motion |= (uint32_t)moves << state;
  return read_layers(reader, node_find(map, "layers"), machine, state);
}

static bool read_state(GraphReader *reader, const Node *yaml, GraphMachine *machine, int state, GraphPlace below) {
  bool rich = node_find(yaml, "node") || node_find(yaml, "layers") || node_find(yaml, "root_motion") ||
              (node_find(yaml, "clip") && !node_find(yaml, "sync"));
  for (int i = 0; i < GRAPH_MAX_LAYERS; i++)
    machine->layers[state][i] = 1;
  return rich ? read_rich_state(reader, yaml, machine, state, below) : graph_read_node(reader, yaml, below) >= 0;
}

static bool read_states(GraphReader *reader, const Node *map, GraphMachine *machine, GraphPlace below) {
  if (map->kind != NODE_MAP || map->count < 1)
    return node_error(map, reader->error, "expected a map of states and their nodes, {stand: {clip: ...}, ...}");
  if (map->count > GRAPH_MAX_STATES)
    return node_error(map, reader->error, "%d states are too many; a machine has at most %d", map->count,
                      GRAPH_MAX_STATES);
  below.group = -1; // every state has a phase of its own
  for (const Node *n = map->first; n; n = n->next) {
    if (strcmp(n->key, "any") == 0)
      return node_key_error(n, reader->error, "'any' stands for all states and cannot be the name of one");
    int state = machine->state_count++;
    if (!graph_copy_key(reader, n, machine->state_names[state]) || !read_state(reader, n, machine, state, below))
      return false;
  }
  return true;
}

// ---- Conditions ----

// Reads a condition such as "speed > 0.5".
static bool read_condition(GraphReader *reader, const Node *yaml, GraphCondition *condition) {
  static const char *const signs[] = {">=", "<=", ">", "<"};
  static const GraphCompare compares[] = {COMPARE_AT_LEAST, COMPARE_AT_MOST, COMPARE_GREATER, COMPARE_LESS};
  char name[SKELETON_NAME_SIZE], sign[3], rest;
  double value;
  if (yaml->kind != NODE_SCALAR || sscanf(yaml->text, " %31[^<>= \t] %2[<>=] %lf %c", name, sign, &value, &rest) != 3 ||
      !isfinite(value))
    return node_error(yaml, reader->error, "expected a comparison with >, <, >= or <=, e.g. 'speed > 0.5'");
  Node parameter = *yaml;
  parameter.text = name;
  if (!graph_read_parameter(reader, &parameter, &condition->parameter))
    return false;
  condition->value = value;
  for (int i = 0; i < 4; i++) {
    if (strcmp(sign, signs[i]) != 0)
      continue;
    condition->compare = compares[i];
    return true;
  }
  return node_error(yaml, reader->error, "there is no comparison '%s'; allowed are >, <, >= and <=", sign);
}

static bool read_conditions(GraphReader *reader, const Node *yaml, GraphTransition *t) {
  if (yaml->kind == NODE_LIST && (yaml->count < 1 || yaml->count > GRAPH_MAX_CONDITIONS))
    return node_error(yaml, reader->error, "a transition has 1 .. %d conditions, not %d", GRAPH_MAX_CONDITIONS,
                      yaml->count);
  const Node *item = yaml->kind == NODE_LIST ? yaml->first : yaml;
  for (; item; item = yaml->kind == NODE_LIST ? item->next : NULL)
    if (!read_condition(reader, item, &t->conditions[t->condition_count++]))
      return false;
  return true;
}

static bool read_phase(GraphReader *reader, const Node *yaml, GraphTransition *t) {
  if (!node_reals(yaml, t->phase, 2, reader->error))
    return false;
  for (int i = 0; i < 2; i++)
    if (t->phase[i] < 0 || t->phase[i] > 1)
      return node_error(yaml, reader->error, "phases lie in 0 .. 1, 0 at the left foot's strike; not %g", t->phase[i]);
  t->has_phase = true;
  return true;
}

static bool read_when(GraphReader *reader, const Node *map, GraphTransition *t) {
  const Node *when = node_find(map, "when"), *event = node_find(map, "event"), *phase = node_find(map, "phase"),
             *safe = node_find(map, "safe");
  t->end = -1;
  t->event = -1;
  t->safe = true;
  if ((when && !read_conditions(reader, when, t)) || (event && !graph_read_event(reader, event, &t->event)) ||
      (phase && !read_phase(reader, phase, t)) || (safe && !node_bool(safe, &t->safe, reader->error)) ||
      !graph_read_within(reader, map, "after", 0, LONGEST, &t->after) ||
      !graph_read_within(reader, map, "end", 0, LONGEST, &t->end))
    return false;
  if (t->condition_count == 0 && t->event < 0 && t->end < 0 && !t->has_phase && !node_find(map, "after"))
    return node_error(map, reader->error,
                      "the transition never happens: say 'when', 'event', 'after', 'end' or 'phase'");
  return true;
}

// ---- How ----

static bool read_choice(GraphReader *reader, const Node *map, const char *key, const char *const *names, int count,
                        int *choice) {
  const Node *yaml = node_find(map, key);
  if (!yaml)
    return true;
  if (yaml->kind != NODE_SCALAR)
    return node_error(yaml, reader->error, "expected one word");
  for (int i = 0; i < count; i++) {
    if (strcmp(names[i], yaml->text) != 0)
      continue;
    *choice = i;
    return true;
  }
  return graph_unknown(reader, yaml, key, yaml->text, names, count);
}

static bool read_how(GraphReader *reader, const Node *map, GraphTransition *t) {
  static const char *const kinds[] = {"inertia", "fade", "cut"}, *const curves[] = {"smooth", "linear"},
                           *const starts[] = {[START_BEGINNING] = "beginning", [START_IN_PHASE] = "phase"};
  double degrees = 0;
  if (!graph_read_within(reader, map, "turn", -360, 360, &degrees))
    return false;
  int kind = degrees != 0 ? BLENDING_CUT : BLENDING_INERTIA, curve = FADE_SMOOTH;
  int start = degrees != 0 ? START_BEGINNING : START_LOOPS_IN_PHASE;
  t->time = 0.25;
  t->turn = degrees * RAD_PER_DEGREE;
  if (!read_choice(reader, map, "kind", kinds, 3, &kind) || !read_choice(reader, map, "curve", curves, 2, &curve) ||
      !read_choice(reader, map, "start", starts, 2, &start) || !graph_read_within(reader, map, "time", 0, 10, &t->time))
    return false;
  if (kind == BLENDING_FADE && degrees != 0)
    return node_error(node_find(map, "kind"), reader->error, "a turn is 'cut' or 'inertia', never 'fade'");
  if (kind == BLENDING_CUT && node_find(map, "time"))
    return node_error(node_find(map, "time"), reader->error, "a cut takes no time");
  if (kind != BLENDING_FADE && node_find(map, "curve"))
    return node_error(node_find(map, "curve"), reader->error, "'curve' belongs to 'kind: fade'");
  t->blending = (GraphBlending)kind;
  t->curve = (GraphFadeCurve)curve;
  t->start = (GraphStart)start;
  return true;
}

// ---- Transitions ----

// `any` means every state but the one that the transition leads to.
static bool read_from(GraphReader *reader, const GraphMachine *machine, const Node *yaml, GraphTransition *t) {
  if (yaml->kind == NODE_SCALAR && strcmp(yaml->text, "any") == 0) {
    for (int i = 0; i < machine->state_count; i++)
      t->from |= i == t->to ? 0 : (uint32_t)1 << i;
    return true;
  }
  const Node *item = yaml->kind == NODE_LIST ? yaml->first : yaml;
  for (; item; item = yaml->kind == NODE_LIST ? item->next : NULL) {
    int state = 0;
    if (!find_state(reader, machine, item, &state))
      return false;
    t->from |= (uint32_t)1 << state;
  }
  return t->from != 0 || node_error(yaml, reader->error, "expected a state, a list of states, or 'any'");
}

static bool read_transition(GraphReader *reader, const GraphMachine *machine, const Node *map, GraphTransition *t) {
  static const char *const keys[] = {"from", "to",   "when", "event", "after", "end",   "phase",
                                     "safe", "kind", "time", "curve", "turn",  "start", NULL};
  if (map->kind != NODE_MAP)
    return node_error(map, reader->error, "expected a transition, {from: stand, to: walk, when: speed > 0.2}");
  if (!node_check_keys(map, keys, reader->error))
    return false;
  const Node *from = graph_required(reader, map, "from"), *to = graph_required(reader, map, "to");
  return from && to && find_state(reader, machine, to, &t->to) && read_from(reader, machine, from, t) &&
         read_when(reader, map, t) && read_how(reader, map, t);
}

static void warn_unreachable(GraphReader *reader, const Node *states, const GraphMachine *machine) {
  uint32_t reached = (uint32_t)1 << machine->start, before = 0;
  while (reached != before) {
    before = reached;
    for (int i = 0; i < machine->transition_count; i++)
      if (machine->transitions[i].from & reached)
        reached |= (uint32_t)1 << machine->transitions[i].to;
  }
  int i = 0;
  for (const Node *n = states->first; n; n = n->next, i++)
    if (!(reached >> i & 1))
      graph_warn(reader->def, "%s:%d:%d: no transition leads to the state '%s'\n", n->file, n->key_line, n->key_column,
                 n->key);
}

bool graph_read_machine(GraphReader *reader, const Node *map, int node, GraphPlace below) {
  static const char *const keys[] = {"start", "states", "transitions", NULL};
  const Node *yaml = node_find(map, "machine");
  Error *error = reader->error;
  GraphNode *n = &reader->def->nodes[node];
  if (yaml->kind != NODE_MAP)
    return node_error(yaml, error, "expected {start: ..., states: {...}, transitions: [...]}");
  if (!node_check_keys(yaml, keys, error))
    return false;
  const Node *states = graph_required(reader, yaml, "states"), *start = node_find(yaml, "start"),
             *list = node_find(yaml, "transitions");
  GraphMachine *machine = n->states = calloc(1, sizeof *machine);
  if (!machine)
    return error_set(error, "out of memory");
  n->machine = reader->def->machine_count++;
  if (!states || !read_states(reader, states, machine, below) ||
      (start && !find_state(reader, machine, start, &machine->start)))
    return false;

  if (list && list->kind != NODE_LIST)
    return node_error(list, error, "expected a list of transitions");
  if (list && list->count > GRAPH_MAX_TRANSITIONS)
    return node_error(list, error, "%d transitions are too many; a machine has at most %d", list->count,
                      GRAPH_MAX_TRANSITIONS);
  for (const Node *item = list ? list->first : NULL; item; item = item->next)
    if (!read_transition(reader, machine, item, &machine->transitions[machine->transition_count++]))
      return false;
  warn_unreachable(reader, states, machine);
  return true;
}
