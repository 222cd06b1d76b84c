// What blend graphs come to under parameters, events and steps of time that are drawn: means over all steps to nine
// digits. They change with any weight, phase, limit or sign of a graph.
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/graph_fixture.h"

typedef struct Drill {
  const char *name, *text; // text: NULL, and it is a shipped file
} Drill;

static const Drill DRILLS[] = {
    {"graphs/walk_run.yaml", NULL},
    {"graphs/locomotion.yaml", NULL},
    {"graphs/layers.yaml", NULL},
    {"graphs/standing.yaml", NULL},
    {"graphs/human.yaml", NULL},
    {"graphs/start_stop.yaml", NULL},
    {"machine", "name: machine\n"
                "parameters: {x: {default: 0, range: [-2, 2]}, y: {default: 0.5, range: [0, 1]}}\n"
                "output:\n"
                "  machine:\n"
                "    start: a\n"
                "    states:\n"
                "      a: {clip: clips/idle.yaml}\n"
                "      b: {node: {clip: clips/walk.yaml, sync: true}, layers: {legs: 0.25, tail: 0}}\n"
                "      c: {clip: clips/punch.yaml, speed: 1.5, root_motion: true}\n"
                "      d: {node: {mirror: {clip: clips/run.yaml}, weight: y, time: 0.2}, layers: {tail: 0.5}}\n"
                "      e: {clip: clips/turn_90_left.yaml, start: 0.2, root_motion: true}\n"
                "    transitions:\n"
                "      - {from: a, to: b, when: [x > 0.5, y >= 0.2], kind: fade, time: 0.3}\n"
                "      - {from: b, to: d, when: x > 1, kind: fade, curve: linear, time: 0.5, start: phase}\n"
                "      - {from: d, to: b, when: x <= 1, after: 0.3, start: beginning}\n"
                "      - {from: b, to: a, when: x < 0, phase: [0.8, 0.3], kind: cut}\n"
                "      - {from: any, to: c, event: go, time: 0.1, safe: false}\n"
                "      - {from: c, to: a, end: 0.1}\n"
                "      - {from: [a, d], to: e, event: turn, turn: -90, kind: inertia, time: 0.2}\n"
                "      - {from: e, to: d, end: 0}\n"},
    {"layers and additions", "name: additions\n"
                             "parameters: {x: {default: 0, range: [-2, 2]}, y: {default: 0.5, range: [0, 1]}}\n"
                             "nodes:\n"
                             "  points:\n"
                             "    blend2: [x, y]\n"
                             "    directional: false\n"
                             "    sync: true\n"
                             "    children:\n"
                             "      - {at: [1, 0], clip: clips/walk.yaml, speed: 1.2}\n"
                             "      - {at: [-1, 0.5], clip: clips/run.yaml}\n"
                             "      - {at: [0, 1], node: {mirror: {clip: clips/side_step_left.yaml}}}\n"
                             "      - {at: [1.5, 1], clip: clips/walk_backward.yaml, start: 0.3}\n"
                             "  layered:\n"
                             "    layer: {clip: clips/run.yaml}\n"
                             "    over: points\n"
                             "    joints: {chest..: 1, abdomen: 0.5, head: 0.25, thigh_l..: 0.7}\n"
                             "    weight: y\n"
                             "  once:\n"
                             "    layer: {clip: clips/punch.yaml, start: 0.1}\n"
                             "    over: layered\n"
                             "    joints: [upper_arm_r.., pelvis]\n"
                             "    event: go\n"
                             "    fade: 0.15\n"
                             "output:\n"
                             "  add: {clip: clips/overlay_landing.yaml}\n"
                             "  to: once\n"
                             "  reference: {clip: clips/idle_breathe.yaml, time: 0.5}\n"
                             "  event: turn\n"
                             "  fade: 0.1\n"
                             "  weight: 0.8\n"},
    {"restless", "name: restless\n"
                 "output:\n"
                 "  idle:\n"
                 "    left: {clip: clips/idle_shift_left.yaml}\n"
                 "    breathing: {clip: clips/idle_breathe.yaml}\n"
                 "    right: {clip: clips/idle_shift_right.yaml}\n"
                 "    looks: [{at: [-1, 0], clip: clips/look_left.yaml}, {at: [1, 0], clip: clips/look_right.yaml},\n"
                 "      {at: [0, 1], clip: clips/look_up.yaml}]\n"
                 "    overlays: [{clip: clips/overlay_scratch.yaml}, {clip: clips/overlay_shrug.yaml}]\n"
                 "    shift_time: [0.5, 1]\n"
                 "    overlay_time: [0.3, 0.6]\n"},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { POSE, ROOT, PHASE, SHARES, TRACKS, SUMS };
static const char *const NAMES[SUMS] = {"pose", "root", "phase", "shares", "tracks"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-1.0888401129, -3.605419771, -0.71515221185, -0.6199433714, -0.3708232847},
    {-0.83183762657, -2.8227974962, -1.3063589935, -0.59434644515, 2.2333745361},
    {-0.83345850692, -2.3410796419, -1.6358546096, -0.63124317897, 1.6740849101},
    {-0.95254838813, -1.7180284696, -1.6927595265, -0.55741617183, 1.5785576731},
    {-0.85631029986, -1.4223274197, -1.3669101553, -4.9319484934, -1.3468325241},
    {-0.95317565716, -0.89657517846, -2.0417822146, -0.59142153535, 1.7464377194},
    {-0.93763023268, -1.2583851621, -2.7729839734, -0.22116184708, 1.7124379565},
    {-0.74756814061, -2.5571501719, -0.99617167319, -0.73862170243, -0.74690179289},
    {-0.99254657411, 0, -1.8372043015, -0.50966426844, -1.786587954},
};
enum { STEPS = 4000 };

static void add(const GraphDef *def, const Graph *graph, const GraphOutput *o, double means[SUMS]) {
  DrillSum sums[SUMS] = {{0}};
  for (int i = 0; i < o->pose.count; i++)
    drill_add_floats(&sums[POSE], o->pose.rotation[i].raw, 4);
  drill_add_floats(&sums[POSE], o->pose.position[0].raw, 3);
  drill_add_floats(&sums[ROOT], o->root_velocity_l.raw, 3);
  const double root[] = {o->clip_speed, o->root_turn_rate, o->root_turn, 100 * o->root_motion.turn,
                         (double)o->root_motion.share};
  drill_add_all(&sums[ROOT], root, 5);
  for (int k = 0; k < 3; k++)
    drill_add(&sums[ROOT], 100 * (double)o->root_motion.shift_l.raw[k]);
  const double phase[] = {o->phase,         o->cycle,        o->lead_time,   o->lead_pace,
                          o->lead_mirrored, o->lead ? 1 : 0, o->change.wait, o->change.left};
  drill_add_all(&sums[PHASE], phase, 8);
  drill_add(&sums[SHARES], o->contact[0]);
  drill_add(&sums[SHARES], o->contact[1]);
  drill_add(&sums[SHARES], o->may_cancel);
  drill_add(&sums[SHARES], (double)graph_refusals(graph));
  drill_add_floats(&sums[SHARES], o->layers, graph_layer_count(def));
  float weights[GRAPH_MAX_TRACKS];
  graph_track_weights(graph, weights);
  drill_add_floats(&sums[TRACKS], weights, graph_track_count(def));
  GraphActive active[GRAPH_MAX_ACTIVE];
  const int count = graph_active(graph, active, GRAPH_MAX_ACTIVE);
  for (int i = 0; i < count; i++) {
    drill_add(&sums[TRACKS], (double)active[i].weight);
    drill_add(&sums[TRACKS], (double)active[i].time);
  }
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum / STEPS;
}

static const Graph *saved_graph;

static void save_output(GraphOutput *output, StateStream *stream) { graph_output_state(saved_graph, output, stream); }

static void run(GraphFixture *f, const Drill *drill, double means[SUMS]) {
  GraphDef *def = drill->text ? fixture_graph(f, drill->text) : fixture_graph_file(f, drill->name);
  Graph *graph = fixture_start_graph(def);
  static const char *const events[] = {"go", "turn", "turn_back", "punch", "land", "stumble"};
  Rng rng = rng_make(8, drill->name);
  double pace = 1;
  bool disturbed = false;
  for (int i = 0; i < STEPS; i++) {
    for (int p = 0; p < graph_parameter_count(def) && i % 40 == 0; p++) {
      double range[2];
      graph_parameter_range(def, p, range);
      const double wide = rng_index(&rng, 3) ? 0 : 0.3 * (range[1] - range[0]);
      graph_set(graph, p,
                rng_index(&rng, 4) ? rng_range(&rng, range[0] - wide, range[1] + wide)
                                   : graph_parameter_default(def, p));
    }
    if (rng_index(&rng, 60) == 0)
      graph_event(graph, events[rng_index(&rng, 6)]);
    if (i % 100 == 0)
      pace = rng_index(&rng, 4) ? rng_range(&rng, 0.5, 1.6) : 0;
    if (i % 150 == 0)
      graph_change_pace(graph, rng_range(&rng, 0.5, 1.5));
    if (i % 300 == 0)
      disturbed = rng_index(&rng, 2);
    graph_disturb(graph, disturbed);
    if (i == 700)
      graph_begin(graph);
    GraphOutput output;
    graph_step(graph, i % 97 == 0 ? 0 : rng_index(&rng, 10) ? 1.0 / 60 : 0.2, pace, &output);
    if (i % 250 == 125) {
      Graph *fresh = fixture_start_graph(def);
      DRILL_RENEW(graph, fresh, graph_state);
      graph_destroy(graph);
      graph = fresh;
      GraphOutput same = {.phase = -1};
      saved_graph = graph;
      DRILL_RENEW(&output, &same, save_output);
      output = same;
    }
    add(def, graph, &output, means);
  }
  graph_destroy(graph);
  graph_def_free(def);
}

static void drills_come_to(void **state) {
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(*state, &DRILLS[i], means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, graph_set_up, graph_tear_down);
}
