// Blends the data of clips other than their poses: root motion and contacts are weighted means; the remaining time, the
// safe interval and the cycle are those of the clip with the largest weight.
#include <math.h>

#include "anim/graph/graph_internal.h"
#include "anim/mirror.h"

// ---- Blending ----

static void take_decisions(ClipMotion *sum, const ClipMotion *motion, float weight) {
  if (motion->weight * weight > sum->weight) {
    sum->weight = motion->weight * weight;
    sum->safe = motion->safe;
    sum->left = motion->left;
    sum->ran = motion->ran;
    sum->change = motion->change;
    sum->root_turn = motion->root_turn;
  }
  if (motion->cycle_weight * weight > sum->cycle_weight) {
    sum->cycle_weight = motion->cycle_weight * weight;
    sum->phase = motion->phase;
    sum->cycle = motion->cycle;
    sum->lead = motion->lead;
    sum->lead_mirrored = motion->lead_mirrored;
    sum->lead_time = motion->lead_time;
    sum->lead_pace = motion->lead_pace;
  }
}

void root_motion_add(RootMotionRate *sum, const RootMotionRate *rate, float weight) {
  sum->share += weight * rate->share;
  sum->velocity = glms_vec3_muladds(rate->velocity, weight, sum->velocity);
  sum->turn_rate += weight * rate->turn_rate;
}

static RootMotionRate root_motion_between(RootMotionRate a, RootMotionRate b, float share) {
  RootMotionRate sum = {0};
  root_motion_add(&sum, &a, 1 - share);
  root_motion_add(&sum, &b, share);
  return sum;
}

static RootMotionRate root_motion_mirrored(RootMotionRate rate) {
  return (RootMotionRate){rate.share, mirror_vector(rate.velocity), -rate.turn_rate};
}

void clip_motion_add(ClipMotion *sum, const ClipMotion *motion, float weight) {
  if (!(weight > 0))
    return;
  if (weight == 1) {
    *sum = *motion;
    return;
  }
  sum->velocity = glms_vec3_muladds(motion->velocity, weight, sum->velocity);
  sum->made_for = glms_vec3_muladds(motion->made_for, weight, sum->made_for);
  sum->turn_rate += weight * motion->turn_rate;
  root_motion_add(&sum->root_motion, &motion->root_motion, weight);
  root_motion_add(&sum->taken, &motion->taken, weight);
  take_decisions(sum, motion, weight);
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    sum->contact[i] += weight * motion->contact[i];
}

// ---- Kinds of nodes ----

// Time in s from one moment of a clip to a later one, continued around a loop's end; INFINITY when the later one never
// comes.
static float time_between(const Clip *clip, float from, float to) {
  if (to >= from)
    return to - from;
  return clip->loop ? to + clip->duration - from : INFINITY;
}

// How long a foot still stands (> 0) or swings (< 0): the time to its next change, in cycles. Mixing these by weight
// lets the feet of synchronised clips leave the ground between the moments of the clips, and change only once.
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

// Whether a looping clip of a sync group passed its end in the last step.
static bool has_wrapped(const GraphNode *n, const NodeState *leader, double shift) {
  double start = n->track.phase[0] - shift, cycles = n->track.cycles; // phase at which the clip's first cycle begins
  return n->clip->loop && floor((leader->phase - start) / cycles) != floor((leader->phase_before - start) / cycles);
}

// A clip in a sync group is played faster or slower than it was made; its root motion is scaled alike.
static ClipMotion motion_of_clip(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  const NodeState *state = &graph->nodes[node];
  const Clip *clip = n->clip;
  double time = clip_moment(graph, node, 0, shift), rate = clip_rate(graph, n), cycle = 0;
  bool wrapped = state->wrapped;
  ClipMotion motion = {.weight = 1};
  if (n->track.count > 0 && n->group >= 0) {
    const NodeState *leader = &graph->nodes[n->group];
    rate = leader->cycle > 0 ? n->track.cycle / leader->cycle : 1;
    cycle = graph->pace > 0 ? leader->cycle / graph->pace : 0;
    wrapped = has_wrapped(n, leader, shift);
    motion.phase = wrap_phase(leader->phase + shift);
    motion.cycle_weight = 1;
  } else if (n->track.count > 0 && rate > 0) {
    cycle = n->track.cycle / rate;
    motion.phase = wrap_phase(sync_phase(&n->track, time));
    motion.cycle_weight = 1;
  }
  motion.cycle = cycle;
  motion.lead = motion.cycle_weight > 0 ? clip : NULL;
  motion.lead_time = time;
  motion.lead_pace = cycle > 0 ? n->track.cycle / cycle : 0;
  motion.velocity = glms_vec3_scale(clip->root_velocity_l, (float)rate);
  motion.turn_rate = clip->root_turn_rate * (float)rate;
  bool ended = !clip->loop && time >= clip->duration;
  motion.ran = ended ? state->ran : 1;
  motion.root_motion =
      motion.ran > 0 ? (RootMotionRate){1, motion.velocity, motion.turn_rate} : (RootMotionRate){.share = 1};
  if (ended) { // a clip that ended stands still in its last pose
    motion.velocity = glms_vec3_zero();
    motion.turn_rate = 0;
  }
  motion.made_for = motion.velocity;
  motion.safe = time >= clip->safe_from && time <= clip->safe_to;
  motion.change = (GraphVelocityChange){(double)clip->change_from - time, (double)clip->change_to - time};
  motion.left = wrapped ? 0 : rate > 0 ? (clip->duration - time) / rate : INFINITY;
  for (int i = 0; i < graph->def->skeleton->leg_count; i++)
    motion.contact[i] = stand_score(clip, i, (float)time, n->track.count > 0 ? (float)n->track.cycle : clip->duration);
  return motion;
}

static ClipMotion motion_of_blend(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  ClipMotion sum = {0};
  for (int i = 0; i < n->child_count; i++) {
    float weight = graph->nodes[node].child_weight[i];
    if (!(weight > 0))
      continue;
    ClipMotion motion = graph_clip_motion(graph, n->child[i], shift);
    clip_motion_add(&sum, &motion, weight);
  }
  return sum;
}

// A layer that includes the root joint contributes its root motion; one that includes a foot contributes its contact.
static ClipMotion motion_of_layer(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  const Skeleton *skeleton = graph->def->skeleton;
  float amount = graph->nodes[node].amount, root = amount * n->mask[0];
  ClipMotion motion = graph_clip_motion(graph, n->child[0], shift);
  if (!(amount > 0))
    return motion;
  ClipMotion over = graph_clip_motion(graph, n->child[1], shift);
  if (root > 0) {
    motion.velocity = glms_vec3_lerp(motion.velocity, over.velocity, root);
    motion.made_for = glms_vec3_lerp(motion.made_for, over.made_for, root);
    motion.turn_rate += root * (over.turn_rate - motion.turn_rate);
    motion.root_motion = root_motion_between(motion.root_motion, over.root_motion, root);
    motion.taken = root_motion_between(motion.taken, over.taken, root);
  }
  for (int i = 0; i < skeleton->leg_count; i++) {
    float share = amount * n->mask[skeleton->legs[i].ankle];
    motion.contact[i] += share * (over.contact[i] - motion.contact[i]);
  }
  return motion;
}

static ClipMotion motion_mirrored(const Skeleton *skeleton, ClipMotion motion) {
  ClipMotion image = motion;
  image.velocity = mirror_vector(motion.velocity);
  image.made_for = mirror_vector(motion.made_for);
  image.turn_rate = -motion.turn_rate;
  image.root_motion = root_motion_mirrored(motion.root_motion);
  image.taken = root_motion_mirrored(motion.taken);
  image.root_turn = -motion.root_turn;
  image.phase = wrap_phase(motion.phase + 0.5);
  image.lead_mirrored = !motion.lead_mirrored;
  for (int i = 0; i < skeleton->leg_count; i++)
    image.contact[i] = motion.contact[mirror_leg(skeleton, i)];
  return image;
}

static ClipMotion motion_of_mirror(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  float amount = graph->nodes[node].amount;
  ClipMotion sum = {0};
  if (amount < 1) {
    ClipMotion motion = graph_clip_motion(graph, n->child[0], shift);
    clip_motion_add(&sum, &motion, 1 - amount);
  }
  if (amount > 0) {
    ClipMotion motion = graph_clip_motion(graph, n->child[0], n->group >= 0 ? shift + 0.5 : shift);
    motion = motion_mirrored(graph->def->skeleton, motion);
    clip_motion_add(&sum, &motion, amount);
  }
  return sum;
}

ClipMotion graph_clip_motion(const Graph *graph, int node, double shift) {
  const GraphNode *n = &graph->def->nodes[node];
  switch (n->kind) {
  case GRAPH_CLIP:
    return motion_of_clip(graph, node, shift);
  case GRAPH_BLEND:
  case GRAPH_BLEND2:
    return motion_of_blend(graph, node, shift);
  case GRAPH_LAYER:
    return motion_of_layer(graph, node, shift);
  case GRAPH_MIRROR:
    return motion_of_mirror(graph, node, shift);
  case GRAPH_MACHINE:
    return machine_clip_motion(graph, node);
  case GRAPH_ADD: // an additive pose moves joints only
  case GRAPH_IDLE:
  case GRAPH_KINDS:
    break;
  }
  return graph_clip_motion(graph, n->child[0], shift);
}
