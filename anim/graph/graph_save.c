// Saving and restoring a graph: nodes, machines and idles are plain values but for the transition that a machine is in.
#include "anim/graph/graph_internal.h"

// The transition that fades is a number among those of its machine; -1: none.
static void machine_state(MachineState *state, const GraphMachine *machine, StateStream *stream) {
  const int states = machine->state_count, transitions = machine->transition_count;
  const int fade = state_restores(stream) || !state->fade ? -1 : (int)(state->fade - machine->transitions);
  const int found = state_number(stream, fade, -1, transitions - 1);
  state_struct(stream, state, sizeof *state,
               (StateKept[]){STATE_KEEP(state->fade), STATE_KEEP(state->shown), STATE_KEEP(state->before)}, 3);
  pose_state(&state->shown, stream);
  pose_state(&state->before, stream);
  if (!state_restores(stream) || state_failed(stream))
    return;
  state->fade = found < 0 ? NULL : &machine->transitions[found];
  if (state->state < 0 || state->state >= states || state->from < -1 || state->from >= states ||
      (state->from >= 0 && !state->fade))
    state_fail(stream, "is in a state that there is not");
}

void graph_state(Graph *graph, StateStream *stream) {
  const GraphDef *def = graph->def;
  state_section(stream, "a graph", (size_t)def->node_count * sizeof(NodeState));
  STATE(stream, graph->values);
  STATE(stream, graph->events);
  STATE(stream, graph->steps);
  STATE(stream, graph->refusals);
  STATE(stream, graph->dt);
  STATE(stream, graph->pace);
  state_bytes(stream, graph->nodes, (size_t)def->node_count * sizeof *graph->nodes);
  state_bytes(stream, graph->idles, (size_t)def->idle_count * sizeof *graph->idles);
  for (int i = 0; i < def->node_count && !state_failed(stream); i++)
    if (def->nodes[i].kind == GRAPH_MACHINE)
      machine_state(&graph->machines[def->nodes[i].machine], def->nodes[i].states, stream);
}

int graph_clip_number(const GraphDef *def, const Clip *clip) {
  for (int i = 0; i < def->node_count && clip; i++)
    if (def->nodes[i].kind == GRAPH_CLIP && def->nodes[i].clip == clip)
      return i;
  return -1;
}

const Clip *graph_clip(const GraphDef *def, int number) {
  return number >= 0 && number < def->node_count && def->nodes[number].kind == GRAPH_CLIP ? def->nodes[number].clip
                                                                                          : NULL;
}
