// Graph files: what they may contain, and errors that name the place and what is allowed.
#include "tests/unit/graph_fixture.h"

#include "anim/graph/graph_def_internal.h"

typedef struct ErrorCase {
  const char *text, *error;
} ErrorCase;

#define MACHINE(body)                                                                                                  \
  "name: g\nparameters: {speed: 0}\noutput:\n  machine:\n    states: {a: {clip: clips/walk.yaml}, b: {clip: "          \
  "clips/run.yaml}}\n    transitions:\n      - " body "\n"

static const ErrorCase ERRORS[] = {
    {"output: {clip: clips/walk.yaml}", ":1:1: 'name' is missing here"},
    {"name: g", ":1:1: 'output' is missing here"},
    {"name: =g\noutput: {clip: clips/walk.yaml}", ":1:7: '=g' cannot be a name"},
    {"name: g\nparameters: {a b: 0}\noutput: {clip: clips/walk.yaml}", ":2:14: 'a b' cannot be a name"},
    {"name: g\noutptu: {clip: clips/walk.yaml}", ":2:1: unknown key 'outptu', did you mean 'output'?"},
    {"name: g\noutput: 5", ":2:9: unknown node '5', there are none"},
    {"name: g\nnodes: {walk: {clip: clips/walk.yaml}}\noutput: wlak",
     ":3:9: unknown node 'wlak', did you mean 'walk'?"},
    {"name: g\nnodes: [1]\noutput: walk", ":2:8: expected a map of nodes"},
    {"name: g\noutput: [walk]", ":2:9: expected a node, e.g. {clip: clips/walk.yaml}, or the name of one"},
    {"name: g\noutput: {clipp: clips/walk.yaml}", ":2:9: unknown kind of node 'clipp', did you mean 'clip'?"},
    {"name: g\noutput: {sing: 1}",
     ":2:9: unknown kind of node 'sing', allowed are clip, blend, blend2, add, layer, mirror, idle, machine"},
    {"name: g\noutput: {clip: clips/walk.yaml, blend: x}", ":2:9: a node is of one kind, not both 'clip' and 'blend'"},
    {"name: g\noutput: {clip: wlak}", ":2:16: there is no clip 'wlak'"},
    {"name: g\noutput: {clip: [a]}", ":2:16: expected the file of a clip"},
    {"name: g\noutput: {clip: clips/walk.yaml, speed: -1}", ":2:40: 'speed' must lie in 0 .. 100, not -1"},
    {"name: g\noutput: {clip: clips/walk.yaml, sped: 1}", ":2:33: unknown key 'sped'"},
    {"name: g\noutput: {clip: clips/idle.yaml, sync: true}",
     ":2:16: the clip cannot keep step: it has no mark 'left_strike'"},
    // Cycles.
    {"name: g\nnodes:\n  a: b\n  b: {mirror: a}\noutput: a", ":4:15: the node 'a' would contain itself (through 'b')"},
    // Parameters.
    {"name: g\nparameters: {speed: {range: [1, 0]}}\noutput: {clip: clips/walk.yaml}",
     ":2:29: the range [1, 0] is empty"},
    {"name: g\nparameters: {speed: {default: 9, range: [0, 1]}}\noutput: {clip: clips/walk.yaml}",
     ":2:31: 'default' must lie in 0 .. 1, not 9"},
    {"name: g\nparameters: {speed: {defalt: 9}}\noutput: {clip: clips/walk.yaml}", ":2:22: unknown key 'defalt'"},
    {"name: g\nparameters: {speed: fast}\noutput: {clip: clips/walk.yaml}", ":2:21: "},
    // Blends.
    {"name: g\nparameters: {speed: 0}\noutput: {blend: sped, children: []}",
     ":3:17: unknown parameter 'sped', did you mean 'speed'?"},
    {"name: g\noutput: {blend: x}", ":2:17: unknown parameter 'x', there are none"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x}", ":3:9: 'children' is missing here"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: []}", ":3:30: expected a list of children"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [{at: 1, clip: clips/run.yaml}, {at: 1, clip: "
     "clips/run.yaml}]}",
     ":3:67: positions must rise, but 1 follows 1"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [{at: 1, clip: a, node: b}]}",
     ":3:31: expected either 'node: name' or 'clip: file' here"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [{at: 1, clip: clips/run.yaml, speed: 101}]}",
     ":3:68: 'speed' must lie in 0 .. 100, not 101"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [{at: 1, clip: wlak}]}",
     ":3:45: there is no clip 'wlak'"},
    {"name: g\nparameters: {x: 0}\noutput: {blend2: x, children: []}", ":3:18: expected two parameters"},
    {"name: g\nparameters: {x: 0}\noutput: {blend2: [x, x], children: [{at: [1, 2], clip: clips/run.yaml}, {at: [1, "
     "2], clip: clips/run.yaml}]}",
     ":3:78: child 1 lies at the same point"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, sync: true, children: [{at: 1, clip: clips/idle.yaml}]}",
     ":3:26: no clip below has a mark 'left_strike', so there are no steps to keep"},
    // Layers, additive, mirrored.
    {"name: g\noutput: {layer: {clip: clips/run.yaml}, over: {clip: clips/walk.yaml}, joints: [chset..]}",
     ":2:81: unknown joint 'chset', did you mean 'chest'?"},
    {"name: g\noutput: {layer: {clip: clips/run.yaml}, over: {clip: clips/walk.yaml}}",
     ":2:9: 'joints' is missing here"},
    {"name: g\noutput: {layer: {clip: clips/run.yaml}, over: {clip: clips/walk.yaml}, joints: {head: 2}}",
     ":2:87: 'head' must lie in 0 .. 1, not 2"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, weight: 2}",
     ":2:76: a weight must lie in 0 .. 1, not 2"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, event: land}",
     ":2:75: only a clip that ends can play once at an event"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, reference: 2}",
     ":2:79: 'reference' must lie in 0 .. 0.7"},
    {"name: g\noutput: {mirror: {mirror: {clip: clips/walk.yaml}}}",
     ":2:18: a mirrored node cannot contain a mirrored node"},
    // The idle.
    {"name: g\noutput: {idle: {}}", ":2:16: 'breathing' is missing here"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, breth: 1}}", ":2:53: unknown key 'breth'"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, shift: [-3, 3]}}", ":2:6"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, looks: [{at: [0, 0], clip: clips/idle.yaml}]}}",
     "straight ahead, [0, 0], is there already"},
    // Machines.
    {"name: g\noutput: {machine: {}}", ":2:19: 'states' is missing here"},
    {"name: g\noutput: {machine: {states: {any: {clip: clips/walk.yaml}}}}", ":2:29: 'any' stands for all states"},
    {"name: g\noutput: {machine: {start: c, states: {walk: {clip: clips/walk.yaml}}}}",
     ":2:27: unknown state 'c', allowed are walk"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/run.yaml}, b: {clip: clips/walk.yaml, speed: -1}}}}",
     ":2:90: 'speed' must lie in 0 .. 100, not -1"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, looks: [{at: [1, 0], clip: wlak}]}}",
     ":2:80: there is no clip 'wlak'"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/walk.yaml, layers: {legs: 2}}}}}",
     ":2:71: a weight must lie in 0 .. 1, not 2"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/walk.yaml, layers: [legs]}}}}",
     ":2:64: expected a map of the character's layers to weights, {stepper: 0}"},
    {"name: g\noutput: {machine: {states: {a: {layers: {legs: 0}}}}}",
     ":2:32: expected either 'node: name' or 'clip: file' here"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/walk.yaml, root_motoin: true}}}}",
     ":2:56: unknown key 'root_motoin' in a, did you mean 'root_motion'?"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/walk.yaml, root_motion: 3}}}}",
     ":2:69: expected true or false"},
    {MACHINE("{from: a}"), ":7:9: 'to' is missing here"},
    {MACHINE("{from: a, to: c, event: x}"), ":7:23: unknown state 'c', allowed are a, b"},
    {MACHINE("{from: a, to: b}"), ":7:9: the transition never happens"},
    {MACHINE("{from: a, to: b, when: speed = 3}"), ":7:32: there is no comparison '='"},
    {MACHINE("{from: a, to: b, when: sped > 3}"), ":7:32: unknown parameter 'sped', did you mean 'speed'?"},
    {MACHINE("{from: a, to: b, when: speed > fast}"), ":7:32: expected a comparison"},
    {MACHINE("{from: a, to: b, when: speed > 3, king: cut}"), ":7:43: unknown key 'king'"},
    {MACHINE("{from: a, to: b, event: x, kind: crossfade}"),
     ":7:42: unknown kind 'crossfade', allowed are inertia, fade, cut"},
    {MACHINE("{from: a, to: b, event: x, kind: cut, time: 1}"), ":7:53: a cut takes no time"},
    {MACHINE("{from: a, to: b, event: x, kind: fade, turn: 180}"), ":7:42: a turn is 'cut' or 'inertia', never 'fade'"},
    {MACHINE("{from: a, to: b, phase: [0, 2]}"), ":7:33: phases lie in 0 .. 1"},
    {MACHINE("{from: [], to: b, event: x}"), "expected a state, a list of states, or 'any'"},
    // Values of another kind.
    {"name: g\nparameters: {a_name_that_is_longer_than_31_bytes: 1}\noutput: {clip: clips/walk.yaml}",
     ":2:14: the name is too long; at most 31 characters"},
    {"name: g\nparameters: [1]\noutput: {clip: clips/walk.yaml}",
     ":2:13: expected a map of parameters, {speed: {default: 0, range: [0, 5]}}"},
    {"name: g\nparameters: {x: [1]}\noutput: {clip: clips/walk.yaml}",
     ":2:17: expected {default: 0, range: [0, 1], unit: m/s} or just the default"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: [x], children: []}", ":3:17: expected the name of a parameter"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [5]}",
     ":3:31: expected a child, {at: 0, clip: clips/idle.yaml}"},
    {"name: g\nparameters: {x: 0}\noutput: {blend: x, children: [{at: 1e9, clip: clips/run.yaml}]}",
     ":3:36: positions lie within +-1e+06"},
    {"name: g\nparameters: {x: 0}\noutput: {blend2: [x, y], children: []}",
     ":3:22: unknown parameter 'y', allowed are x"},
    {"name: g\noutput: {layer: {clip: clips/run.yaml}, over: {clip: clips/walk.yaml}, joints: 5}",
     ":2:80: expected joints, [chest.., thigh_l] or {chest..: 1, abdomen: 0.5}"},
    {"name: g\noutput: {layer: {clip: clips/run.yaml}, over: {clip: clips/walk.yaml}, joints: [[a]]}",
     ":2:81: expected the name of a joint"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, fade: 1}",
     ":2:74: 'fade' is only for a clip that plays once at an 'event'"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, reference: [1]}",
     ":2:79: expected a time in s or {clip: ..., time: 0}"},
    {"name: g\noutput: {add: {clip: clips/run.yaml}, to: {clip: clips/walk.yaml}, weight: fast}",
     ":2:76: unknown parameter 'fast', there are none"},
    {"name: g\noutput: {idle: 5}", ":2:16: expected {breathing: ..., left: ..., right: ..., looks: [...]}"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, looks: []}}",
     ":2:60: expected 1 .. 15 looks, [{at: [1, 0], clip: clips/look_right.yaml}, ...]"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, looks: [5]}}",
     ":2:61: expected a look, {at: [1, 0], clip: clips/look_right.yaml}"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, looks: [{at: [2, 0], clip: clips/idle.yaml}]}}",
     ":2:66: looks lie in -1 .. 1"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, overlays: 5}}",
     ":2:63: expected a list of nodes, [{clip: clips/stretch.yaml}, ...]"},
    {"name: g\noutput: {idle: {breathing: {clip: clips/idle.yaml}, overlays: [{mirror: {clip: clips/idle.yaml}}]}}",
     ":2:64: an overlay must be a clip"},
    {"name: g\noutput: {machine: 5}", ":2:19: expected {start: ..., states: {...}, transitions: [...]}"},
    {"name: g\noutput: {machine: {states: []}}",
     ":2:28: expected a map of states and their nodes, {stand: {clip: ...}, ...}"},
    {"name: g\noutput: {machine: {states: {a: 5}}}", ":2:32: unknown node '5', there are none"},
    {"name: g\noutput: {machine: {states: {a: {clip: clips/walk.yaml}}, transitions: 5}}",
     ":2:71: expected a list of transitions"},
    {MACHINE("5"), ":7:9: expected a transition, {from: stand, to: walk, when: speed > 0.2}"},
    {MACHINE("{from: [[a]], to: b, event: x}"), ":7:17: expected the name of a state"},
    {MACHINE("{from: a, to: [b], event: x}"), ":7:23: expected the name of a state"},
    {MACHINE("{from: a, to: b, when: []}"), ":7:32: a transition has 1 .. 8 conditions, not 0"},
    {MACHINE("{from: a, to: b, when: [speed > 3, 5]}"),
     ":7:44: expected a comparison with >, <, >= or <=, e.g. 'speed > 0.5'"},
    {MACHINE("{from: a, to: b, when: [speed > 3, speed > 3, speed > 3, speed > 3, speed > 3, speed > 3, speed > 3, "
             "speed > 3, speed > 3]}"),
     ":7:32: a transition has 1 .. 8 conditions, not 9"},
    {MACHINE("{from: a, to: b, event: [x]}"), ":7:33: expected text, got a list"},
    {MACHINE("{from: a, to: b, event: x, kind: [cut]}"), ":7:42: expected one word"},
    {MACHINE("{from: a, to: b, event: x, kind: cut, curve: linear}"), ":7:54: 'curve' belongs to 'kind: fade'"},
    {MACHINE("{from: a, to: b, event: x, kind: fade, curve: linera}"),
     ":7:55: unknown curve 'linera', did you mean 'linear'?"},
    {MACHINE("{from: a, to: b, event: x, time: -1}"), ":7:42: 'time' must lie in 0 .. 10, not -1"},
    {MACHINE("{from: a, to: b, event: x, time: .inf}"), ":7:42: expected a number, got .inf"},
    {MACHINE("{from: a, to: b, phase: 0.5}"), ":7:33: expected a list of 2 numbers, got 0.5"},
};

static void test_errors_name_the_place(void **state) {
  GraphFixture *f = *state;
  for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
    Error error = {0};
    GraphDef *def = fixture_try_graph(f, ERRORS[i].text, &error);
    if (def || !strstr(error.text, ERRORS[i].error) || !strstr(error.text, ".yaml:"))
      fail_msg("%s\nshould say %s\nbut says %s", ERRORS[i].text, ERRORS[i].error, def ? "nothing" : error.text);
  }
}

static void test_too_many_nodes(void **state) {
  GraphFixture *f = *state;
  char text[8192] = "name: g\nparameters: {x: 0}\nnodes:\n  n0: {clip: clips/walk.yaml}\n";
  for (int i = 1; i < 60; i++) { // twice as many nodes with every line
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "  n%d: {blend: x, children: [{at: 0, node: n%d}, {at: 1, node: n%d}]}\n",
             i, i - 1, i - 1);
  }
  strcat(text, "output: n59\n");
  Error error = {0};
  assert_null(fixture_try_graph(f, text, &error));
  assert_non_null(strstr(error.text, "the graph has too many nodes, at most 128"));
}

static void test_too_deep(void **state) {
  GraphFixture *f = *state;
  char text[8192] = "name: g\nnodes:\n  n0: {clip: clips/walk.yaml}\n";
  for (int i = 1; i < 300; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "  n%d: n%d\n", i, i - 1);
  }
  strcat(text, "output: n299\n");
  Error error = {0};
  assert_null(fixture_try_graph(f, text, &error));
  assert_non_null(strstr(error.text, "nodes are nested too deep"));
}

static void test_parameters(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(f, "name: g\n"
                                   "parameters:\n"
                                   "  speed: {default: 1.5, range: [0, 4], unit: m/s, doc: how fast}\n"
                                   "  turn: -3\n"
                                   "  high: {range: [2, 5]}\n"
                                   "output: {clip: clips/walk.yaml}\n");
  assert_int_equal(graph_parameter_count(def), 3);
  assert_string_equal(graph_parameter_name(def, 1), "turn");
  assert_int_equal(graph_parameter(def, "high"), 2);
  assert_int_equal(graph_parameter(def, "nothing"), -1);
  Graph *graph = fixture_start_graph(def);
  assert_true(graph_get(graph, 0) == 1.5 && graph_get(graph, 1) == -3 && graph_get(graph, 2) == 2);
  graph_set(graph, 0, 9);
  assert_true(graph_get(graph, 0) == 4);
  graph_set(graph, 0, -INFINITY);
  assert_true(graph_get(graph, 0) == 0);
  graph_set(graph, 0, NAN);
  assert_true(graph_get(graph, 0) == 0);
  graph_set(graph, 1, 1e30);
  assert_true(graph_get(graph, 1) == 1e30);
  graph_set(graph, 3, 1);
  graph_set(graph, -1, 1);
  graph_destroy(graph);
  graph_def_free(def);
}

static void test_warnings(void **state) {
  GraphFixture *f = *state;
  GraphDef *def =
      fixture_graph(f, "name: g\n"
                       "nodes:\n"
                       "  spare: {clip: clips/run.yaml}\n"
                       "output:\n"
                       "  machine:\n"
                       "    states: {a: {clip: clips/walk.yaml}, b: {clip: clips/run.yaml},\n"
                       "             lonely: {clip: clips/idle.yaml}}\n"
                       "    transitions: [{from: a, to: b, event: go}, {from: lonely, to: a, event: go}]\n");
  assert_non_null(strstr(graph_warnings(def), ":3:3: the node 'spare' is not used\n"));
  assert_non_null(strstr(graph_warnings(def), ":7:14: no transition leads to the state 'lonely'\n"));
  assert_null(strstr(graph_warnings(def), "'b'"));
  graph_def_free(def);
}

// A6: an asymmetric body is reported where it is mirrored, with the joint's name.
static void test_mirroring_what_is_not_symmetric(void **state) {
  GraphFixture *f = *state;
  Skeleton *skeleton = &f->body->skeleton;
  int joint = skeleton_find(skeleton, "forearm_l");
  skeleton->bind_position_l[joint].y += 0.02f;
  GraphDef *def = fixture_graph(f, "name: g\noutput: {mirror: {clip: clips/walk.yaml}}\n");
  skeleton->bind_position_l[joint].y -= 0.02f;
  assert_non_null(strstr(graph_warnings(def), "is not symmetric in its bind pose: "));
  assert_non_null(strstr(graph_warnings(def), "forearm_l"));
  graph_def_free(def);
}

static void test_shipped_graphs_have_no_warnings(void **state) {
  GraphFixture *f = *state;
  static const char *const names[] = {"graphs/walk_run.yaml",     "graphs/locomotion.yaml", "graphs/layers.yaml",
                                      "graphs/standing.yaml",     "graphs/human.yaml",      "graphs/start_stop.yaml",
                                      "graphs/mirrored_walk.yaml"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    GraphDef *def = fixture_graph_file(f, names[i]);
    assert_string_equal(graph_warnings(def), "");
    graph_def_free(def);
  }
  Error error = {0};
  assert_null(graph_read(&f->files, "graphs/absent.yaml", f->skeleton, fixture_find_clip, f, &error));
  assert_non_null(strstr(error.text, "absent.yaml"));
}

static int node_named(const GraphDef *def, const char *name) {
  for (int i = 0; i < def->node_count; i++)
    if (strcmp(def->nodes[i].name, name) == 0)
      return i;
  fail_msg("no node %s", name);
  return -1;
}

// What is below a node with `sync` keeps its step; the states of a machine and all of an idle have phases of their own.
static void test_who_keeps_step_with_whom(void **state) {
  GraphFixture *f = *state;
  GraphDef *def = fixture_graph(
      f,
      "name: g\nparameters: {x: 0}\nnodes:\n  stands: {idle: {breathing: {clip: clips/idle_breathe.yaml}, left: {clip: "
      "clips/idle_shift_left.yaml}, right: {clip: clips/idle_shift_right.yaml}, looks: [{at: [1, 0], clip: "
      "clips/look_right.yaml}], overlays: [{clip: clips/overlay_stretch.yaml}]}}\n"
      "  runs: {machine: {states: {a: {clip: clips/run.yaml}, b: {clip: clips/idle.yaml}}, transitions: [{from: a, "
      "to: b, event: go}]}}\n"
      "output:\n  blend: x\n  sync: true\n  children: [{at: 0, node: stands}, {at: 1, clip: clips/walk.yaml}, {at: 2, "
      "node: runs}]\n");
  const int walk = node_named(def, "walk"), leader = def->nodes[walk].parent;
  int followers = 0;
  assert_int_equal(def->nodes[leader].group, leader);
  for (int i = 0; i < def->node_count; i++) {
    bool apart = false;
    for (int above = def->nodes[i].parent; above >= 0; above = def->nodes[above].parent)
      apart |= def->nodes[above].kind == GRAPH_IDLE || def->nodes[above].kind == GRAPH_MACHINE;
    assert_int_equal(def->nodes[i].group, apart ? -1 : leader);
    followers += !apart;
  }
  assert_int_equal(followers, 4); // the blend, and its children
  assert_true(def->node_count > 10);
  graph_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors_name_the_place),
      cmocka_unit_test(test_too_many_nodes),
      cmocka_unit_test(test_too_deep),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_warnings),
      cmocka_unit_test(test_who_keeps_step_with_whom),
      cmocka_unit_test(test_mirroring_what_is_not_symmetric),
      cmocka_unit_test(test_shipped_graphs_have_no_warnings),
  };
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
