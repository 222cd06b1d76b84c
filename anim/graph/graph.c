// The public functions of a graph: it is created, reset, given parameters and events, and stepped through its stages;
// the active nodes are listed for traces and the viewer.
#include "anim/graph/graph.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/graph/graph_internal.h"

// Share of the pose above which a clip's cycle leads the feet.
static const float LEADING = 0.3f;

// ---- Life ----

Graph *graph_create(const GraphDef *def, uint64_t seed, const char *name, Error *error) {
  Graph *graph = calloc(1, sizeof *graph);
  if (graph) {
    graph->def = def;
    graph->seed = seed;
    snprintf(graph->name, sizeof graph->name, "%s", name);
    graph->nodes = calloc((size_t)def->node_count, sizeof *graph->nodes);
    graph->machines = calloc((size_t)def->machine_count + 1, sizeof *graph->machines);
    graph->idles = calloc((size_t)def->idle_count + 1, sizeof *graph->idles);
    graph->stack = calloc((size_t)def->pose_need + 1, sizeof *graph->stack);
  }
  if (!graph || !graph->nodes || !graph->machines || !graph->idles || !graph->stack) {
    error_set(error, "out of memory for the graph '%s'", def->name);
    graph_destroy(graph);
    return NULL;
  }
  graph_reset(graph);
  return graph;
}

void graph_destroy(Graph *graph) {
  if (!graph)
    return;
  free(graph->nodes);
  free(graph->machines);
  free(graph->idles);
  free(graph->stack);
  free(graph);
}

void graph_reset(Graph *graph) {
  for (int i = 0; i < graph->def->parameter_count; i++)
    graph->values[i] = graph->def->parameters[i].value;
  graph_begin(graph);
}

void graph_begin(Graph *graph) {
  const GraphDef *def = graph->def;
  graph->events = 0;
  graph->steps = graph->refusals = 0;
  graph->pace = 1;
  memset(graph->nodes, 0, (size_t)def->node_count * sizeof *graph->nodes);
  memset(graph->machines, 0, (size_t)def->machine_count * sizeof *graph->machines);
  for (int i = 0; i < def->node_count; i++) {
    const GraphNode *node = &def->nodes[i];
    if (node->kind != GRAPH_IDLE)
      continue;
    char name[128];
    snprintf(name, sizeof name, "%s.%s.%d", graph->name, node->name, node->idle);
    idle_init(&graph->idles[node->idle], node->randomizer, graph->seed, name);
  }
  graph->change_pace = 1;
  graph_enter(graph, 0, -1, false);
}

Pose *stack_take(Graph *graph, int count) {
  graph->stack_used += count;
  assert(graph->stack_used <= graph->def->pose_need);
  return &graph->stack[graph->stack_used - count];
}

void stack_release(Graph *graph, int count) { graph->stack_used -= count; }

// ---- Requests ----

void graph_set(Graph *graph, int parameter, double value) {
  if (parameter < 0 || parameter >= graph->def->parameter_count || isnan(value))
    return;
  const GraphParameter *p = &graph->def->parameters[parameter];
  graph->values[parameter] = fmin(fmax(value, p->min), p->max);
}

double graph_get(const Graph *graph, int parameter) {
  return parameter >= 0 && parameter < graph->def->parameter_count ? graph->values[parameter] : 0;
}

void graph_disturb(Graph *graph, bool disturbed) { graph->disturbed = disturbed; }

void graph_change_pace(Graph *graph, double pace) { graph->change_pace = pace > 0 && isfinite(pace) ? pace : 1; }

void graph_event(Graph *graph, const char *event) {
  for (int i = 0; i < graph->def->event_count; i++)
    if (strcmp(graph->def->events[i], event) == 0)
      graph->events |= (uint64_t)1 << i;
}

long graph_refusals(const Graph *graph) { return graph->refusals; }

// ---- Step ----

void graph_step(Graph *graph, double dt, double pace, GraphOutput *output) {
  dt = dt > 0 && isfinite(dt) ? dt : 0;
  graph->dt = dt;
  graph->pace = pace > 0 && isfinite(pace) ? pace : 0;
  graph->steps++;
  for (int i = 0; i < graph->def->machine_count; i++)
    graph->machines[i].root_turn = 0;

  graph_update(graph, 0, true, dt); // the weights still belong to the last shown pose
  graph_advance(graph, 0, dt);
  for (int i = 0; i < graph->def->node_count; i++)
    graph->nodes[i].weight = 0;
  graph_pose(graph, 0, (Moment){.weight = 1, .shown = true}, &output->pose);
  ClipMotion motion = graph_clip_motion(graph, 0, 0);
  graph->events = 0;

  output->root_velocity_l = motion.velocity;
  output->clip_speed = glms_vec3_norm(motion.made_for);
  output->root_turn_rate = motion.turn_rate;
  output->root_turn = motion.root_turn;
  output->phase = motion.cycle_weight > 0 ? motion.phase : 0;
  output->cycle = motion.cycle_weight > 0 ? motion.cycle : 0;
  output->lead = motion.cycle_weight > LEADING ? motion.lead : NULL;
  output->lead_mirrored = motion.lead_mirrored;
  output->lead_time = motion.lead_time;
  output->lead_pace = motion.lead_pace;
  output->may_cancel = motion.safe;
  double moved = dt * motion.ran; // s
  output->root_motion.share = motion.taken.share;
  output->root_motion.shift_l = glms_vec3_scale(motion.taken.velocity, (float)moved);
  output->root_motion.turn = (double)motion.taken.turn_rate * moved;
  output->change = motion.change;
  machines_layers(graph, output->layers);
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    output->contact[i] = motion.contact[i] > 0;
}

// ---- Inspection ----

// A row of what is recorded: a clip, or a state of a machine.
typedef struct Track {
  int node, state; // state -1: the clip itself
} Track;

// Moves on to the next track; {-1, -1} begins. False: there are no more.
static bool next_track(const GraphDef *def, Track *track) {
  const GraphNode *node = track->node >= 0 ? &def->nodes[track->node] : NULL;
  if (node && node->kind == GRAPH_MACHINE && track->state + 1 < node->states->state_count) {
    track->state++;
    return true;
  }
  int next = track->node + 1;
  while (next < def->node_count && def->nodes[next].kind != GRAPH_CLIP && def->nodes[next].kind != GRAPH_MACHINE)
    next++;
  if (next == def->node_count)
    return false;
  *track = (Track){next, def->nodes[next].kind == GRAPH_MACHINE ? 0 : -1};
  return true;
}

int graph_track_count(const GraphDef *def) {
  int count = 0;
  for (Track track = {-1, -1}; count < GRAPH_MAX_TRACKS && next_track(def, &track);)
    count++;
  return count;
}

void graph_track_name(const GraphDef *def, int index, char name[GRAPH_TRACK_NAME_SIZE]) {
  Track track = {-1, -1};
  for (int i = 0; i <= index; i++)
    next_track(def, &track);
  const GraphNode *node = &def->nodes[track.node];
  const char *own = node->name[0] ? node->name : graph_kind_names[node->kind];
  if (track.state < 0)
    snprintf(name, GRAPH_TRACK_NAME_SIZE, "%s", own);
  else
    snprintf(name, GRAPH_TRACK_NAME_SIZE, "%s.%s", own, node->states->state_names[track.state]);
}

static float state_weight(const Graph *graph, int node, int state) {
  const MachineState *machine = &graph->machines[graph->def->nodes[node].machine];
  float fade = machine_fade(graph, node), whole = graph->nodes[node].weight;
  return (state == machine->state ? (1 - fade) * whole : 0) + (fade > 0 && state == machine->from ? fade * whole : 0);
}

void graph_track_weights(const Graph *graph, float *weights) {
  Track track = {-1, -1};
  for (int i = 0; i < GRAPH_MAX_TRACKS && next_track(graph->def, &track); i++)
    weights[i] = track.state < 0 ? graph->nodes[track.node].weight : state_weight(graph, track.node, track.state);
}

int graph_active(const Graph *graph, GraphActive *active, int most) {
  int count = 0;
  for (int i = 0; i < graph->def->node_count; i++) {
    const GraphNode *node = &graph->def->nodes[i];
    const NodeState *state = &graph->nodes[i];
    if (!(state->weight > 0))
      continue;
    const char *kind = graph_kind_names[node->kind];
    float time = node->kind == GRAPH_CLIP ? (float)clip_moment(graph, i, 0, 0) : 0;
    if (count < most)
      active[count++] = (GraphActive){node->name[0] ? node->name : kind, kind, state->weight, time};
    if (node->kind != GRAPH_MACHINE)
      continue;
    const MachineState *machine = &graph->machines[node->machine];
    float fade = machine_fade(graph, i);
    const GraphMachine *def = node->states;
    if (count < most)
      active[count++] =
          (GraphActive){def->state_names[machine->state], "state", (1 - fade) * state->weight, (float)machine->age};
    if (fade > 0 && count < most)
      active[count++] =
          (GraphActive){def->state_names[machine->from], "state", fade * state->weight, (float)machine->fade_age};
  }
  return count;
}
