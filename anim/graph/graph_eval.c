// Evaluates the pose of a node at a moment from its children's poses. Children of weight 0 are not evaluated; a single
// child of weight 1 is returned unchanged to the bit.
#include <math.h>

#include "anim/graph/graph_internal.h"
#include "anim/mirror.h"

static Moment lighter(Moment moment, float share) {
  moment.weight *= share;
  return moment;
}

static void pose_of_blend(Graph *graph, int node, Moment moment, Pose *pose) {
  const GraphNode *n = &graph->def->nodes[node];
  const float *all = graph->nodes[node].child_weight;
  const Pose *poses[GRAPH_MAX_CHILDREN];
  float weights[GRAPH_MAX_CHILDREN];
  int playing[GRAPH_MAX_CHILDREN], count = 0;
  for (int i = 0; i < n->child_count; i++)
    if (all[i] > 0) {
      weights[count] = all[i];
      playing[count++] = n->child[i];
    }
  if (count == 1) {
    graph_pose(graph, playing[0], moment, pose);
    return;
  }
  for (int i = 0; i < count; i++) {
    Pose *one = stack_take(graph, 1);
    graph_pose(graph, playing[i], lighter(moment, weights[i]), one);
    poses[i] = one;
  }
  pose_blend_many(poses, weights, count, pose);
  stack_release(graph, count);
}

static void pose_of_add(Graph *graph, int node, Moment moment, Pose *pose) {
  const GraphNode *n = &graph->def->nodes[node];
  float amount = graph->nodes[node].amount;
  graph_pose(graph, n->child[0], moment, pose);
  if (!(amount > 0))
    return;
  Pose *difference = stack_take(graph, 1);
  graph_pose(graph, n->child[1], lighter(moment, amount), difference);
  pose_difference(difference, n->reference, difference);
  pose_add(pose, difference, amount, pose);
  stack_release(graph, 1);
}

static void pose_of_layer(Graph *graph, int node, Moment moment, Pose *pose) {
  const GraphNode *n = &graph->def->nodes[node];
  float amount = graph->nodes[node].amount, weights[SKELETON_MAX_JOINTS];
  graph_pose(graph, n->child[0], moment, pose);
  if (!(amount > 0))
    return;
  Pose *over = stack_take(graph, 1);
  graph_pose(graph, n->child[1], lighter(moment, amount), over);
  for (int i = 0; i < over->count; i++)
    weights[i] = amount * n->mask[i];
  pose_blend(pose, over, 0, weights, pose);
  stack_release(graph, 1);
}

// In a sync group the mirrored side plays half a cycle later: mirroring swaps the feet, so this keeps them in step.
static void pose_of_mirror(Graph *graph, int node, Moment moment, Pose *pose) {
  const GraphNode *n = &graph->def->nodes[node];
  const Skeleton *skeleton = graph->def->skeleton;
  float amount = graph->nodes[node].amount;
  Moment swapped = lighter(moment, amount);
  swapped.shift += n->group >= 0 ? 0.5 : 0;
  if (amount == 0) {
    graph_pose(graph, n->child[0], moment, pose);
  } else if (amount == 1) {
    graph_pose(graph, n->child[0], swapped, pose);
    mirror_pose(skeleton, pose, pose);
  } else {
    Pose *mirrored = stack_take(graph, 1);
    graph_pose(graph, n->child[0], lighter(moment, n->group >= 0 ? 1 - amount : 1), pose);
    if (n->group >= 0)
      graph_pose(graph, n->child[0], swapped, mirrored);
    mirror_pose(skeleton, n->group >= 0 ? mirrored : pose, mirrored);
    pose_blend_many((const Pose *const[]){pose, mirrored}, (float[]){1 - amount, amount}, 2, pose);
    stack_release(graph, 1);
  }
}

void graph_pose(Graph *graph, int node, Moment moment, Pose *pose) {
  const GraphNode *n = &graph->def->nodes[node];
  if (moment.shown)
    graph->nodes[node].weight += moment.weight;
  switch (n->kind) {
  case GRAPH_CLIP:
    clip_sample(n->clip, (float)clip_moment(graph, node, moment.lead, moment.shift), pose);
    break;
  case GRAPH_BLEND:
  case GRAPH_BLEND2:
    pose_of_blend(graph, node, moment, pose);
    break;
  case GRAPH_ADD:
    pose_of_add(graph, node, moment, pose);
    break;
  case GRAPH_LAYER:
    pose_of_layer(graph, node, moment, pose);
    break;
  case GRAPH_MIRROR:
    pose_of_mirror(graph, node, moment, pose);
    break;
  case GRAPH_IDLE:
    graph_pose(graph, n->child[0], moment, pose);
    break;
  case GRAPH_MACHINE:
    machine_pose(graph, node, moment, pose);
    break;
  case GRAPH_KINDS:
    break;
  }
}
