// Updates inputs, weights and times of the nodes that play.
#include <math.h>
#include <string.h>

#include "anim/graph/blend_weights.h"
#include "anim/graph/graph_internal.h"
#include "sim/base/numbers.h"

static const double PHASE_PERIOD = 720720; // cycles after which phases start again: a multiple of the number of cycles
                                           // of any clip
static const double LARGEST = 1e9;         // limit of positions in a blend

// ---- Inputs ----

static double input_value(const Graph *graph, const GraphInput *input) {
  const Idle *idle = &graph->idles[input->idle];
  switch (input->source) {
  case SOURCE_CONSTANT:
    return input->value;
  case SOURCE_PARAMETER:
    return graph->values[input->index];
  case SOURCE_IDLE_SHIFT:
    return idle->shift.value[0];
  case SOURCE_IDLE_LOOK_X:
    return idle->look.value[0];
  case SOURCE_IDLE_LOOK_Y:
    return idle->look.value[1];
  case SOURCE_IDLE_OVERLAY:
    return idle_overlay_weight(idle, input->index);
  }
  return 0;
}

// Limited so that squares of it are finite.
static float input_position(const Graph *graph, const GraphInput *input) {
  return (float)fmin(fmax(input_value(graph, input), -LARGEST), LARGEST);
}

static float input_weight(const Graph *graph, const GraphInput *input) {
  return (float)fmin(fmax(input_value(graph, input), 0), 1);
}

// ---- Cycles of groups ----

typedef struct CycleMix {
  double weight, cycle; // share of the children with a cycle, and their mean cycle in s
} CycleMix;

// The weighted mean cycle of what plays in a sync group; additive nodes, layers and clips without marks do not count.
static CycleMix mix_cycles(const Graph *graph, int node) {
  const GraphNode *n = &graph->def->nodes[node];
  if (n->kind == GRAPH_CLIP)
    return n->track.count > 0 ? (CycleMix){1, n->track.cycle} : (CycleMix){0, 0};
  if (n->kind == GRAPH_ADD || n->kind == GRAPH_LAYER || n->kind == GRAPH_MIRROR)
    return mix_cycles(graph, n->child[0]);
  CycleMix sum = {0, 0};
  if (n->kind != GRAPH_BLEND && n->kind != GRAPH_BLEND2)
    return sum;
  for (int i = 0; i < n->child_count; i++) {
    double weight = graph->nodes[node].child_weight[i];
    CycleMix mix = weight > 0 ? mix_cycles(graph, n->child[i]) : (CycleMix){0, 0};
    sum.weight += weight * mix.weight;
    sum.cycle += weight * mix.weight * mix.cycle;
  }
  sum.cycle = sum.weight > 0 ? sum.cycle / sum.weight : 0;
  return sum;
}

// ---- Update ----

static bool is_blend(const GraphNode *n) { return n->kind == GRAPH_BLEND || n->kind == GRAPH_BLEND2; }

// Whether an update has nothing to do: a clip that leads no sync group.
static bool is_plain_clip(const Graph *graph, int node) {
  const GraphNode *n = &graph->def->nodes[node];
  return n->kind == GRAPH_CLIP && n->group != node;
}

static void update_blend(Graph *graph, int node) {
  const GraphNode *n = &graph->def->nodes[node];
  float *weights = graph->nodes[node].child_weight;
  float value[2] = {input_position(graph, &n->input[0]), 0};
  if (n->kind == GRAPH_BLEND2) {
    value[1] = input_position(graph, &n->input[1]);
    (n->directional ? blend_weights_polar : blend_weights_flat)(n->at, n->child_count, value, weights);
    return;
  }
  float positions[GRAPH_MAX_CHILDREN];
  for (int i = 0; i < n->child_count; i++)
    positions[i] = n->at[i][0];
  blend_weights(positions, n->child_count, value[0], weights);
}

// Fade in and out of a clip that plays once: 0 at its ends, 1 between the fades.
static double envelope(const NodeState *played, const GraphNode *clip, double fade) {
  double edge = fmin(played->time, clip->clip->duration - played->time);
  return fade > 0 ? smooth_step(edge / fade) : 1;
}

// The present weight of an additive node or a layer. A clip that plays once fades in and out and stops at its end.
static void settle_on_top(Graph *graph, int node) {
  const GraphNode *n = &graph->def->nodes[node];
  NodeState *state = &graph->nodes[node];
  state->amount = input_weight(graph, &n->input[0]);
  if (n->input[0].source == SOURCE_IDLE_OVERLAY && state->amount == 0)
    graph->nodes[n->child[1]].time = 0; // an overlay starts from its beginning
  if (n->event < 0)
    return;
  const NodeState *played = &graph->nodes[n->child[1]];
  const GraphNode *clip = &graph->def->nodes[n->child[1]];
  state->playing &= played->time < clip->clip->duration;
  state->amount *= state->playing ? (float)envelope(played, clip, n->fade) : 0;
}

static void update_on_top(Graph *graph, int node) {
  const GraphNode *n = &graph->def->nodes[node];
  if (n->event >= 0 && graph->events >> n->event & 1) {
    graph_enter(graph, n->child[1], -1, false);
    graph->nodes[node].playing = true;
  }
  settle_on_top(graph, node);
}

static void update_mirror(Graph *graph, int node, double dt) {
  const GraphNode *n = &graph->def->nodes[node];
  float *amount = &graph->nodes[node].amount, goal = input_weight(graph, &n->input[0]);
  float step = n->fade > 0 ? (float)(dt / n->fade) : 1;
  *amount = *amount < goal ? fminf(*amount + step, goal) : fmaxf(*amount - step, goal);
}

static void update_idle(Graph *graph, int node, double dt) {
  const GraphNode *n = &graph->def->nodes[node];
  Idle *idle = &graph->idles[n->idle];
  if (graph->steps > 0) // in the first step nothing has been shown before
    idle_show(idle, graph->disturbed ? 0 : graph->nodes[node].weight, dt);
  idle_step(idle, n->overlay_count, dt);
}

void graph_update(Graph *graph, int node, bool counts, double dt) {
  const GraphNode *n = &graph->def->nodes[node];
  if (n->kind == GRAPH_MACHINE) {
    machine_update(graph, node, dt);
    return;
  }
  if (n->kind == GRAPH_IDLE)
    update_idle(graph, node, dt);
  else if (is_blend(n) && counts)
    update_blend(graph, node);
  else if (n->kind == GRAPH_ADD || n->kind == GRAPH_LAYER)
    update_on_top(graph, node);
  else if (n->kind == GRAPH_MIRROR)
    update_mirror(graph, node, dt);
  for (int i = 0; i < n->child_count; i++)
    if (!is_plain_clip(graph, n->child[i]))
      graph_update(graph, n->child[i], counts && !(is_blend(n) && graph->nodes[node].child_weight[i] == 0), dt);
  if (n->group == node)
    graph->nodes[node].cycle = mix_cycles(graph, node).cycle;
}

// ---- Time ----

static bool follows_phase(const GraphNode *n) { return n->group >= 0 && n->track.count > 0; }

double clip_rate(const Graph *graph, const GraphNode *clip) {
  bool changes = clip->clip->change_to > clip->clip->change_from;
  return changes ? clip->speed * graph->change_pace : clip->speed;
}

double clip_moment(const Graph *graph, int node, double lead, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  if (!follows_phase(n))
    return graph->nodes[node].time + lead * clip_rate(graph, n);
  const NodeState *leader = &graph->nodes[n->group];
  double phase = leader->phase + shift;
  if (leader->cycle > 0)
    phase += lead * graph->pace / leader->cycle;
  return sync_time(&n->track, phase);
}

static void advance_clip(Graph *graph, int node, double dt) {
  const GraphNode *n = &graph->def->nodes[node];
  NodeState *state = &graph->nodes[node];
  double duration = n->clip->duration;
  if (follows_phase(n))
    return;
  double before = state->time;
  state->time += dt * clip_rate(graph, n);
  state->ran = state->time > duration ? fmax(duration - before, 0) / (state->time - before) : 1;
  state->wrapped = n->clip->loop && state->time >= duration;
  if (state->wrapped)
    state->time = fmod(state->time, duration);
  else
    state->time = fmin(state->time, duration);
}

void graph_advance(Graph *graph, int node, double dt) {
  const GraphNode *n = &graph->def->nodes[node];
  NodeState *state = &graph->nodes[node];
  if (n->group == node) {
    state->phase_before = state->phase;
    if (state->cycle > 0)
      state->phase = fmod(state->phase + dt * graph->pace / state->cycle, PHASE_PERIOD);
  }
  if (n->kind == GRAPH_CLIP)
    advance_clip(graph, node, dt);
  if (n->kind == GRAPH_MACHINE) {
    machine_advance(graph, node, dt);
    return;
  }
  for (int i = 0; i < n->child_count; i++)
    graph_advance(graph, n->child[i], dt);
  if (n->kind == GRAPH_ADD || n->kind == GRAPH_LAYER)
    settle_on_top(graph, node);
}

// ---- Beginnings ----

// The phase at which the first clip with foot strikes begins; 0 without one.
static double first_phase(const Graph *graph, int node, int group) {
  const GraphNode *n = &graph->def->nodes[node];
  if (n->kind == GRAPH_CLIP && n->track.count > 0)
    return sync_phase(&n->track, n->start);
  for (int i = 0; i < n->child_count; i++) {
    double phase = graph->def->nodes[n->child[i]].group == group ? first_phase(graph, n->child[i], group) : 0;
    if (phase != 0)
      return phase;
  }
  return 0;
}

// The time of a clip at a phase; of a clip that plays once in its first cycle.
static double time_in_phase(const GraphNode *n, double phase) {
  if (n->clip->loop)
    return sync_time(&n->track, phase);
  double first = sync_phase(&n->track, 0);
  return sync_time(&n->track, first + wrap_phase(phase - first));
}

void graph_enter(Graph *graph, int node, double phase, bool once) {
  const GraphNode *n = &graph->def->nodes[node];
  NodeState *state = &graph->nodes[node];
  state->wrapped = state->playing = false;
  state->ran = 0;
  if (n->group == node)
    state->phase = state->phase_before = phase >= 0 ? phase : first_phase(graph, node, node);
  if (n->kind == GRAPH_CLIP && (n->clip->loop || once) && n->track.count > 0 && phase >= 0)
    state->time = time_in_phase(n, phase);
  else if (n->kind == GRAPH_CLIP)
    state->time = n->start;
  if (n->kind == GRAPH_MACHINE) {
    machine_enter(graph, node);
    return;
  }
  if (n->kind == GRAPH_MIRROR) {
    state->amount = input_weight(graph, &n->input[0]);
    if (n->group < 0 && phase >= 0 && state->amount > 0.5f)
      phase = wrap_phase(phase + 0.5);
  }
  for (int i = 0; i < n->child_count; i++)
    graph_enter(graph, n->child[i], phase, once);
}
