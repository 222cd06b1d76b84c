// What clips bring beside their pose, mixed as the poses are: root motion and contacts by weight; the end, safety and
// the cycle by the heaviest clip.
#include <math.h>

#include "anim/graph/graph_internal.h"
#include "anim/mirror.h"

// ---- Mixing ----

static void take_decisions(ClipMotion *sum, const ClipMotion *flow, float weight) {
  if (flow->weight * weight > sum->weight) {
    sum->weight = flow->weight * weight;
    sum->safe = flow->safe;
    sum->left = flow->left;
    sum->ran = flow->ran;
    sum->root_turn = flow->root_turn;
  }
  if (flow->cycle_weight * weight > sum->cycle_weight) {
    sum->cycle_weight = flow->cycle_weight * weight;
    sum->phase = flow->phase;
    sum->cycle = flow->cycle;
    sum->lead = flow->lead;
    sum->lead_mirrored = flow->lead_mirrored;
    sum->lead_time = flow->lead_time;
    sum->lead_pace = flow->lead_pace;
  }
}

void way_add(RootMotionRate *sum, const RootMotionRate *way, float weight) {
  sum->share += weight * way->share;
  sum->velocity = glms_vec3_muladds(way->velocity, weight, sum->velocity);
  sum->turn_rate += weight * way->turn_rate;
}

static RootMotionRate way_between(RootMotionRate a, RootMotionRate b, float share) {
  RootMotionRate sum = {0};
  way_add(&sum, &a, 1 - share);
  way_add(&sum, &b, share);
  return sum;
}

static RootMotionRate way_mirrored(RootMotionRate way) {
  return (RootMotionRate){way.share, mirror_vector(way.velocity), -way.turn_rate};
}

void flow_mix(ClipMotion *sum, const ClipMotion *flow, float weight) {
  if (!(weight > 0))
    return;
  if (weight == 1) {
    *sum = *flow;
    return;
  }
  sum->velocity = glms_vec3_muladds(flow->velocity, weight, sum->velocity);
  sum->made_for = glms_vec3_muladds(flow->made_for, weight, sum->made_for);
  sum->turn_rate += weight * flow->turn_rate;
  way_add(&sum->way, &flow->way, weight);
  way_add(&sum->taken, &flow->taken, weight);
  take_decisions(sum, flow, weight);
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    sum->contact[i] += weight * flow->contact[i];
}

// ---- Kinds of nodes ----

// From one moment of a clip to a later one, around a loop's end; INFINITY when it comes no more.
static float time_between(const Clip *clip, float from, float to) {
  if (to >= from)
    return to - from;
  return clip->loop ? to + clip->duration - from : INFINITY;
}

// How surely a foot stands (> 0) or not (< 0): the time to where that changes, in cycles. Mixed by weight the feet of
// clips in step leave the ground between when one clip's and when the other's would, and change once only.
static float stand_score(const Clip *clip, int leg, float time, float cycle) {
  bool stands = clip_contact(clip, leg, time);
  float nearest = INFINITY;
  for (int i = 0; i < clip->contact_count; i++) {
    const ClipContact *c = &clip->contacts[i];
    if (c->leg != leg || c->end - c->begin >= clip->duration)
      continue;
    nearest = fminf(nearest, fminf(time_between(clip, c->begin, time), time_between(clip, time, c->begin)));
    nearest = fminf(nearest, fminf(time_between(clip, c->end, time), time_between(clip, time, c->end)));
  }
  float score = fminf(fmaxf(nearest / cycle, 1e-6f), 0.5f);
  return stands ? score : -score;
}

// Whether a looping clip in a group passed its end in the last step.
static bool has_wrapped(const GraphNode *n, const NodeState *leader, double shift) {
  double start = n->track.phase[0] - shift, cycles = n->track.cycles; // where its first cycle begins
  return n->clip->loop && floor((leader->phase - start) / cycles) != floor((leader->phase_before - start) / cycles);
}

// A clip in a group is played faster or slower than it was made, and moves over the ground so.
static ClipMotion flow_of_clip(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  const NodeState *state = &graph->nodes[node];
  const Clip *clip = n->clip;
  double time = clip_moment(graph, node, 0, shift), rate = n->speed, cycle = 0;
  bool wrapped = state->wrapped;
  ClipMotion flow = {.weight = 1};
  if (n->track.count > 0 && n->group >= 0) {
    const NodeState *leader = &graph->nodes[n->group];
    rate = leader->cycle > 0 ? n->track.cycle / leader->cycle : 1;
    cycle = graph->pace > 0 ? leader->cycle / graph->pace : 0;
    wrapped = has_wrapped(n, leader, shift);
    flow.phase = wrap_phase(leader->phase + shift);
    flow.cycle_weight = 1;
  } else if (n->track.count > 0 && rate > 0) {
    cycle = n->track.cycle / rate;
    flow.phase = wrap_phase(sync_phase(&n->track, time));
    flow.cycle_weight = 1;
  }
  flow.cycle = cycle;
  flow.lead = flow.cycle_weight > 0 ? clip : NULL;
  flow.lead_time = time;
  flow.lead_pace = cycle > 0 ? n->track.cycle / cycle : 0;
  flow.velocity = glms_vec3_scale(clip->root_velocity_l, (float)rate);
  flow.turn_rate = clip->root_turn_rate * (float)rate;
  bool ended = !clip->loop && time >= clip->duration;
  flow.ran = ended ? state->ran : 1;
  flow.way = flow.ran > 0 ? (RootMotionRate){1, flow.velocity, flow.turn_rate} : (RootMotionRate){.share = 1};
  if (ended) { // it stands still at its end
    flow.velocity = glms_vec3_zero();
    flow.turn_rate = 0;
  }
  flow.made_for = flow.velocity;
  flow.safe = time >= clip->safe_from && time <= clip->safe_to;
  flow.left = wrapped ? 0 : rate > 0 ? (clip->duration - time) / rate : INFINITY;
  for (int i = 0; i < graph->def->skeleton->leg_count; i++)
    flow.contact[i] = stand_score(clip, i, (float)time, n->track.count > 0 ? (float)n->track.cycle : clip->duration);
  return flow;
}

static ClipMotion flow_of_blend(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  ClipMotion sum = {0};
  for (int i = 0; i < n->child_count; i++) {
    float weight = graph->nodes[node].child_weight[i];
    if (!(weight > 0))
      continue;
    ClipMotion flow = graph_flow(graph, n->child[i], shift);
    flow_mix(&sum, &flow, weight);
  }
  return sum;
}

// A layer that moves the root joint brings its root motion, one that moves a foot its contact.
static ClipMotion flow_of_layer(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  const Skeleton *skeleton = graph->def->skeleton;
  float amount = graph->nodes[node].amount, root = amount * n->mask[0];
  ClipMotion flow = graph_flow(graph, n->child[0], shift);
  if (!(amount > 0))
    return flow;
  ClipMotion over = graph_flow(graph, n->child[1], shift);
  if (root > 0) {
    flow.velocity = glms_vec3_lerp(flow.velocity, over.velocity, root);
    flow.made_for = glms_vec3_lerp(flow.made_for, over.made_for, root);
    flow.turn_rate += root * (over.turn_rate - flow.turn_rate);
    flow.way = way_between(flow.way, over.way, root);
    flow.taken = way_between(flow.taken, over.taken, root);
  }
  for (int i = 0; i < skeleton->leg_count; i++) {
    float share = amount * n->mask[skeleton->legs[i].ankle];
    flow.contact[i] += share * (over.contact[i] - flow.contact[i]);
  }
  return flow;
}

static ClipMotion flow_mirrored(const Skeleton *skeleton, ClipMotion flow) {
  ClipMotion image = flow;
  image.velocity = mirror_vector(flow.velocity);
  image.made_for = mirror_vector(flow.made_for);
  image.turn_rate = -flow.turn_rate;
  image.way = way_mirrored(flow.way);
  image.taken = way_mirrored(flow.taken);
  image.root_turn = -flow.root_turn;
  image.phase = wrap_phase(flow.phase + 0.5);
  image.lead_mirrored = !flow.lead_mirrored;
  for (int i = 0; i < skeleton->leg_count; i++)
    image.contact[i] = flow.contact[mirror_leg(skeleton, i)];
  return image;
}

static ClipMotion flow_of_mirror(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  float amount = graph->nodes[node].amount;
  ClipMotion sum = {0};
  if (amount < 1) {
    ClipMotion flow = graph_flow(graph, n->child[0], shift);
    flow_mix(&sum, &flow, 1 - amount);
  }
  if (amount > 0) {
    ClipMotion flow = graph_flow(graph, n->child[0], n->group >= 0 ? shift + 0.5 : shift);
    flow = flow_mirrored(graph->def->skeleton, flow);
    flow_mix(&sum, &flow, amount);
  }
  return sum;
}

ClipMotion graph_flow(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  switch (n->kind) {
  case GRAPH_CLIP:
    return flow_of_clip(graph, node, shift);
  case GRAPH_BLEND:
  case GRAPH_BLEND2:
    return flow_of_blend(graph, node, shift);
  case GRAPH_LAYER:
    return flow_of_layer(graph, node, shift);
  case GRAPH_MIRROR:
    return flow_of_mirror(graph, node, shift);
  case GRAPH_MACHINE:
    return machine_flow(graph, node);
  case GRAPH_ADD: // what is added moves joints alone
  case GRAPH_IDLE:
  case GRAPH_KINDS:
    break;
  }
  return graph_flow(graph, n->child[0], shift);
}
