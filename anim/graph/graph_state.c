// Saves and restores a graph: the state of each node and machine, the shown poses that machines store, and the idle
// randomizers. Transitions and clips are written as their indices in the definition.
#include "anim/graph/graph_internal.h"

static void node_state(NodeState *node, StateStream *stream) {
  STATE(stream, node->time, node->phase, node->phase_before, node->cycle, node->wrapped, node->ran, node->playing,
        node->amount, node->child_weight, node->weight);
}

static void rate_state(RootMotionRate *rate, StateStream *stream) {
  STATE(stream, rate->share, rate->velocity.raw, rate->turn_rate);
}

// The state that fades out and its transition, both as indices; either both exist or neither. A machine that has not
// been entered yet has neither.
static void fade_state(const GraphMachine *def, MachineState *machine, StateStream *stream) {
  int fade = machine->fade ? (int)(machine->fade - def->transitions) : -1;
  int from = machine->fade ? machine->from : -1;
  state_int(stream, &fade, -1, def->transition_count - 1);
  state_int(stream, &from, -1, fade < 0 ? -1 : def->state_count - 1);
  if (!state_restores(stream) || stream->failed)
    return;
  machine->fade = fade < 0 ? NULL : &def->transitions[fade];
  machine->from = from;
}

static void machine_state(const GraphMachine *def, int joints, MachineState *machine, StateStream *stream) {
  state_int(stream, &machine->state, 0, def->state_count - 1);
  fade_state(def, machine, stream);
  STATE(stream, machine->age, machine->fade_age, machine->velocity_offset.raw, machine->turn_offset, machine->root_turn,
        machine->refused, machine->interval, machine->step);
  inertia_state(&machine->inertia, joints, stream);
  rate_state(&machine->taken_offset, stream);
  pose_state(&machine->shown, joints, stream);
  pose_state(&machine->before, joints, stream);
  state_int(stream, &machine->history, 0, 2);
  if (state_restores(stream) &&
      ((machine->history > 0 && machine->shown.count == 0) || (machine->history > 1 && machine->before.count == 0)))
    state_fail(stream, "a machine has shown no pose");
}

void graph_state(Graph *graph, StateStream *stream) {
  const GraphDef *def = graph->def;
  int joints = def->skeleton->count;
  state_section(stream, "graph", 2);
  state_same(stream, def->node_count, "nodes of the graph");
  STATE(stream, graph->values, graph->events, graph->steps, graph->refusals, graph->dt, graph->pace,
        graph->change_pace);
  for (int i = 0; i < def->node_count; i++) {
    const GraphNode *node = &def->nodes[i];
    node_state(&graph->nodes[i], stream);
    if (node->kind == GRAPH_MACHINE)
      machine_state(node->states, joints, &graph->machines[node->machine], stream);
    if (node->kind == GRAPH_IDLE)
      idle_state(&graph->idles[node->idle], node->overlay_count, stream);
  }
}

// The leading clip, as the index of a node that plays it; -1 for none.
static void lead_state(const GraphDef *def, const Clip **lead, StateStream *stream) {
  int number = -1;
  for (int i = 0; i < def->node_count && number < 0 && *lead; i++)
    if (def->nodes[i].clip == *lead)
      number = i;
  state_int(stream, &number, -1, def->node_count - 1);
  if (!state_restores(stream) || stream->failed)
    return;
  *lead = number < 0 ? NULL : def->nodes[number].clip;
  if (number >= 0 && !*lead)
    state_fail(stream, "a node that is no clip leads");
}

void graph_output_state(const Graph *graph, GraphOutput *output, StateStream *stream) {
  pose_state(&output->pose, graph->def->skeleton->count, stream);
  lead_state(graph->def, &output->lead, stream);
  STATE(stream, output->root_velocity_l.raw, output->clip_speed, output->root_turn_rate, output->root_turn,
        output->phase, output->cycle, output->lead_mirrored, output->lead_time, output->lead_pace, output->contact,
        output->may_cancel, output->root_motion.share, output->root_motion.shift_l.raw, output->root_motion.turn,
        output->change.wait, output->change.left);
  state_bytes(stream, output->layers, (size_t)graph->def->layer_count * sizeof *output->layers);
}
