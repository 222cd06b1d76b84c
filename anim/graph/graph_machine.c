// State machines: choice of transitions, their execution, and the pose during one.
#include <math.h>
#include <string.h>

#include "anim/graph/graph_internal.h"
#include "sim/base/numbers.h"

static MachineState *machine_of(const Graph *graph, int node) {
  return &graph->machines[graph->def->nodes[node].machine];
}

static int node_of_state(const Graph *graph, int node, int state) { return graph->def->nodes[node].child[state]; }

void machine_enter(Graph *graph, int node) {
  MachineState *machine = machine_of(graph, node);
  machine->state = graph->def->nodes[node].states->start;
  machine->from = -1;
  machine->age = 0;
  machine->history = 0;
  machine->inertia.time = machine->inertia.age = 0;
  memset(machine->refused, 0, sizeof machine->refused);
  graph_enter(graph, node_of_state(graph, node, machine->state), -1, false);
}

// ---- Decisions ----

static bool holds(const Graph *graph, const GraphCondition *condition) {
  double value = graph->values[condition->parameter];
  switch (condition->compare) {
  case COMPARE_GREATER:
    return value > condition->value;
  case COMPARE_LESS:
    return value < condition->value;
  case COMPARE_AT_LEAST:
    return value >= condition->value;
  case COMPARE_AT_MOST:
    return value <= condition->value;
  }
  return false;
}

static bool phase_is_within(const double range[2], double phase) {
  return range[0] <= range[1] ? phase >= range[0] && phase < range[1] : phase >= range[0] || phase < range[1];
}

// What a transition asks of the state, of events and of parameters.
static bool is_asked_for(const Graph *graph, const MachineState *machine, const GraphTransition *t) {
  if (!(t->from >> machine->state & 1) || machine->age < t->after)
    return false;
  if (t->event >= 0 && !(graph->events >> t->event & 1))
    return false;
  for (int i = 0; i < t->condition_count; i++)
    if (!holds(graph, &t->conditions[i]))
      return false;
  return true;
}

// What it asks of the moment of the clips, except the safe interval.
static bool fits_clips(const GraphTransition *t, const ClipMotion *motion) {
  if (t->end >= 0 && motion->left > t->end)
    return false;
  return !t->has_phase || (motion->cycle_weight != 0 && phase_is_within(t->phase, motion->phase));
}

// The first transition in the file's order that is requested and allowed; NULL when there is none. A refused request
// counts once for as long as it lasts; every event is a new request. motion: out, that of the present state, which is
// found if any is requested.
static const GraphTransition *decide(Graph *graph, int node, ClipMotion *motion) {
  const GraphMachine *def = graph->def->nodes[node].states;
  MachineState *machine = machine_of(graph, node);
  const GraphTransition *chosen = NULL;
  bool found = false;
  for (int i = 0; i < def->transition_count; i++) {
    const GraphTransition *t = &def->transitions[i];
    bool asked = is_asked_for(graph, machine, t);
    if (asked && !found)
      *motion = graph_clip_motion(graph, node_of_state(graph, node, machine->state), 0);
    found |= asked;
    asked = asked && fits_clips(t, motion);
    const bool allowed = asked && (!t->safe || t->end >= 0 || motion->safe);
    if (asked && !allowed && !chosen && (!machine->refused[i] || t->event >= 0))
      graph->refusals++;
    machine->refused[i] = asked && !allowed;
    if (allowed && !chosen)
      chosen = t;
  }
  return chosen;
}

// ---- Transitions ----

// Turns the stored shown poses into the frame of a root that has turned.
static void turn_history(MachineState *machine, float angle) {
  versors back = glms_quat(-angle, 0, 1, 0);
  pose_transform(&machine->shown, glms_vec3_zero(), back);
  pose_transform(&machine->before, glms_vec3_zero(), back);
  machine->velocity_offset = glms_quat_rotatev(back, machine->velocity_offset);
  machine->taken_offset.velocity = glms_quat_rotatev(back, machine->taken_offset.velocity);
}

// Starts the inertia with the difference between the last shown pose and the present state at the same moment. The new
// state need not have a past, so its pose one interval earlier is extrapolated: its next pose mirrored in time.
static void begin_inertia(Graph *graph, int node, double time) {
  MachineState *machine = machine_of(graph, node);
  int child = node_of_state(graph, node, machine->state);
  float h = (float)machine->interval;
  Pose *now = stack_take(graph, 3), *after = now + 1, *before = now + 2;
  graph_pose(graph, child, (Moment){0}, now);
  graph_pose(graph, child, (Moment){.lead = machine->interval}, after);
  pose_difference(now, after, after);
  pose_add(now, after, 1, before);
  bool moved = machine->history > 1 && h > 0;
  inertia_begin(&machine->inertia, &machine->shown, moved ? &machine->before : NULL, now, moved ? before : NULL, h,
                (float)time);
  stack_release(graph, 3);
}

// The remaining share of the velocity offset: the derivative of u (1 - u)^3 (1 + 3u), with which the inertia's own
// velocity decays. The root's delay then equals that of the pose in the root's frame, so that standing feet stay in
// place.
static float velocity_rest(const MachineState *machine) {
  const Inertia *inertia = &machine->inertia;
  float time = inertia->position[0].time > 0 ? inertia->position[0].time : inertia->time;
  float u = inertia->age < inertia->time && inertia->age < time ? inertia->age / time : 1;
  return (1 - u) * (1 - u) * (1 + u * (2 - 15 * u));
}

// Turns the stored poses of the enclosing machines and of their transitions in progress as well.
static void turn_outer_machines(Graph *graph, int node, float angle) {
  for (int outer = graph->def->nodes[node].parent; outer >= 0; outer = graph->def->nodes[outer].parent) {
    const GraphNode *n = &graph->def->nodes[outer];
    if (n->kind == GRAPH_MIRROR && graph->nodes[outer].amount > 0.5f)
      angle = -angle;
    if (n->kind != GRAPH_MACHINE)
      continue;
    MachineState *machine = &graph->machines[n->machine];
    turn_history(machine, angle);
    float left = machine->inertia.time - machine->inertia.age, rest = velocity_rest(machine);
    if (!(left > 0) || machine->history == 0)
      continue;
    machine->velocity_offset = glms_vec3_scale(machine->velocity_offset, rest);
    machine->turn_offset *= rest;
    machine->taken_offset.velocity = glms_vec3_scale(machine->taken_offset.velocity, rest);
    machine->taken_offset.turn_rate *= rest;
    begin_inertia(graph, outer, left);
  }
}

// The clip motion of a state. With `root_motion` the root has to obey it.
static ClipMotion motion_of_state(const Graph *graph, int node, int state) {
  ClipMotion motion = graph_clip_motion(graph, node_of_state(graph, node, state), 0);
  if (graph->def->nodes[node].states->root_motion >> state & 1)
    motion.taken = motion.root_motion;
  return motion;
}

// Lets the root's velocity change smoothly from the one before, which is turned into the new frame.
static void begin_velocity(Graph *graph, int node, const ClipMotion *before) {
  MachineState *machine = machine_of(graph, node);
  ClipMotion after = motion_of_state(graph, node, machine->state);
  versors back = glms_quat(-machine->root_turn, 0, 1, 0);
  machine->velocity_offset = glms_vec3_sub(glms_quat_rotatev(back, before->velocity), after.velocity);
  machine->turn_offset = before->turn_rate - after.turn_rate;
  machine->taken_offset.velocity = glms_vec3_sub(glms_quat_rotatev(back, before->taken.velocity), after.taken.velocity);
  machine->taken_offset.turn_rate = before->taken.turn_rate - after.taken.turn_rate;
}

static void take_transition(Graph *graph, int node, const GraphTransition *t, const ClipMotion *motion) {
  MachineState *machine = machine_of(graph, node);
  ClipMotion before = machine_clip_motion(graph, node);
  int from = machine->state, to = node_of_state(graph, node, t->to);
  bool was_shown = machine->history > 0 && machine->step == graph->steps - 1;
  // A fade that is interrupted, or from a state to itself, would need nodes at two moments; inertia is used instead.
  bool fades = t->blending == BLENDING_FADE && machine->from < 0 && from != t->to && t->time > 0;

  machine->state = t->to;
  machine->from = fades ? from : -1;
  machine->fade = t;
  machine->age = machine->fade_age = 0;
  memset(machine->refused, 0, sizeof machine->refused);
  bool in_phase = t->start != START_BEGINNING && motion->cycle_weight > 0;
  graph_enter(graph, to, in_phase ? motion->phase : -1, t->start == START_IN_PHASE);
  graph_update(graph, to, true, 0);
  machine->root_turn = (float)t->turn;
  if (t->turn != 0)
    turn_history(machine, machine->root_turn);

  if (t->blending == BLENDING_CUT || !was_shown) {
    machine->inertia.time = 0;
    // Without a turn, the jump of the pose must not be taken for a velocity.
    machine->history = t->turn != 0 ? machine->history : 0;
  } else if (!fades) {
    begin_inertia(graph, node, t->time);
    begin_velocity(graph, node, &before);
  }
  if (t->turn != 0)
    turn_outer_machines(graph, node, machine->root_turn);
}

void machine_update(Graph *graph, int node, double dt) {
  MachineState *machine = machine_of(graph, node);
  int child = node_of_state(graph, node, machine->state);
  graph_update(graph, child, true, dt);
  if (machine->from >= 0)
    graph_update(graph, node_of_state(graph, node, machine->from), true, dt);
  ClipMotion motion = {0};
  const GraphTransition *transition = decide(graph, node, &motion);
  if (transition)
    take_transition(graph, node, transition, &motion);
}

// ---- What is shown ----

void machine_advance(Graph *graph, int node, double dt) {
  MachineState *machine = machine_of(graph, node);
  machine->age += dt;
  machine->inertia.age += (float)dt;
  graph_advance(graph, node_of_state(graph, node, machine->state), dt);
  if (machine->from < 0)
    return;
  machine->fade_age += dt;
  if (machine->fade_age >= machine->fade->time)
    machine->from = -1;
  else
    graph_advance(graph, node_of_state(graph, node, machine->from), dt);
}

float machine_fade(const Graph *graph, int node) {
  const MachineState *machine = machine_of(graph, node);
  if (machine->from < 0)
    return 0;
  double done = machine->fade_age / machine->fade->time; // below 1; of a fade that takes no time no number
  return (float)(1 - (machine->fade->curve == FADE_SMOOTH ? smooth_step(done) : fmax(done, 0)));
}

static void remember(const Graph *graph, MachineState *machine, const Pose *pose) {
  bool goes_on = machine->history > 0 && machine->step == graph->steps - 1;
  if (!goes_on) {
    machine->history = 1;
  } else if (graph->dt > 0) {
    pose_copy(&machine->shown, &machine->before);
    machine->interval = graph->dt;
    machine->history = 2;
  }
  pose_copy(pose, &machine->shown);
  machine->step = graph->steps;
}

void machine_pose(Graph *graph, int node, Moment moment, Pose *pose) {
  MachineState *machine = machine_of(graph, node);
  float fade = machine_fade(graph, node), weight = moment.weight;
  moment.shift = 0; // states are in no sync group
  moment.weight = weight * (1 - fade);
  graph_pose(graph, node_of_state(graph, node, machine->state), moment, pose);
  if (fade > 0) {
    Pose *from = stack_take(graph, 1);
    moment.weight = weight * fade;
    graph_pose(graph, node_of_state(graph, node, machine->from), moment, from);
    pose_blend_many((const Pose *const[]){pose, from}, (float[]){1 - fade, fade}, 2, pose);
    stack_release(graph, 1);
  }
  float age = machine->inertia.age;
  machine->inertia.age += (float)moment.lead;
  inertia_apply(&machine->inertia, 0, pose);
  machine->inertia.age = age;
  if (moment.shown)
    remember(graph, machine, pose);
}

ClipMotion machine_clip_motion(const Graph *graph, int node) {
  const MachineState *machine = machine_of(graph, node);
  float fade = machine_fade(graph, node), rest = velocity_rest(machine);
  ClipMotion sum = {0}, motion = motion_of_state(graph, node, machine->state);
  clip_motion_add(&sum, &motion, 1 - fade);
  if (fade > 0) {
    motion = motion_of_state(graph, node, machine->from);
    clip_motion_add(&sum, &motion, fade);
  }
  sum.velocity = glms_vec3_muladds(machine->velocity_offset, rest, sum.velocity);
  sum.turn_rate += rest * machine->turn_offset;
  root_motion_add(&sum.taken, &machine->taken_offset, rest);
  if (machine->root_turn != 0)
    sum.root_turn = machine->root_turn;
  return sum;
}

void machines_layers(const Graph *graph, float *layers) {
  const GraphDef *def = graph->def;
  for (int i = 0; i < def->layer_count; i++)
    layers[i] = 1;
  for (int node = 0; node < def->node_count && def->layer_count > 0; node++) {
    const GraphNode *n = &def->nodes[node];
    float shown = graph->nodes[node].weight;
    for (int i = 0; n->kind == GRAPH_MACHINE && i < def->layer_count; i++) {
      float left = n->states->layers[machine_of(graph, node)->state][i];
      layers[i] *= shown < 1 ? 1 - shown * (1 - left) : left;
    }
  }
}
