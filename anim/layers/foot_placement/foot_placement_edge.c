// Edges that come over the ground of a foot, as that of a platform which turns: the foot keeps its ground, and the edge
// pushes it aside.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

static const double EDGE_SPEED = 0.01; // m/s of an edge over a foot's ground from which it counts as moving
static const double EDGE_NEAR = 0.02;  // m: a foot that is farther from where its ground was has moved onto the edge
enum { EDGE_ROUNDS = 8 };

// An edge seen by a foot at the beginning of a step.
typedef struct Edge {
  const FootLook *look;
  const FootGround *ground; // what the foot's rays met
  double height;            // m: what is higher is beyond the edge
  double over[2];           // m/s, x and z: its velocity over the foot's own ground
} Edge;

static bool is_beyond(const Edge *edge, const double at[2]) {
  static const double down[3] = {0, -1, 0};
  const FootLook *look = edge->look;
  const Ground *ground = look->step->ground;
  const double start[3] = {at[0], look->range.top, at[1]};
  GroundHit hit;
  return ground->ray(ground->context, look->mask, start, down, look->range.top - look->range.bottom, &hit) &&
         hit.position_w[1] > edge->height;
}

static bool ray_is_beyond(const Edge *edge, int ray) {
  return edge->ground->met[ray] && edge->ground->hit[ray][1] > edge->height;
}

// The place (x and z) of the edge between a ray that is beyond it and one that is not.
static void find_between(const Edge *edge, int beyond, int before, double place[2]) {
  double in[2] = {edge->ground->start[beyond][0], edge->ground->start[beyond][2]};
  double out[2] = {edge->ground->start[before][0], edge->ground->start[before][2]};
  for (int round = 0; round < EDGE_ROUNDS; round++) {
    const double middle[2] = {0.5 * (in[0] + out[0]), 0.5 * (in[1] + out[1])};
    memcpy(is_beyond(edge, middle) ? in : out, middle, sizeof in);
  }
  memcpy(place, out, sizeof out);
}

// The velocity at which the edge pushes the foot: that part of its own which is across it, toward the ankle. The line
// of the edge is known from its places between the ray that is beyond it and two rays at its sides.
static void find_push(const Edge *edge, double push[2]) {
  const int beyond = edge->ground->highest;
  const bool end = beyond == FOOT_RAY_TOE || beyond == FOOT_RAY_HEEL;
  const int sides[2] = {end ? FOOT_RAY_OUTER : FOOT_RAY_TOE, end ? FOOT_RAY_INNER : FOOT_RAY_HEEL};
  double places[2][2];
  for (int i = 0; i < 2; i++) {
    bool over = ray_is_beyond(edge, sides[i]);
    find_between(edge, over ? sides[i] : beyond, over ? FOOT_RAY_ANKLE : sides[i], places[i]);
  }
  const double *ankle = edge->ground->start[FOOT_RAY_ANKLE];
  const double along[2] = {places[1][0] - places[0][0], places[1][1] - places[0][1]};
  const double to_ankle[2] = {ankle[0] - places[0][0], ankle[2] - places[0][1]};
  double length = max_d(length_2d(along), 1e-9), across[2] = {-along[1] / length, along[0] / length};
  double sign = across[0] * to_ankle[0] + across[1] * to_ankle[1] < 0 ? -1 : 1;
  double speed = sign * (across[0] * edge->over[0] + across[1] * edge->over[1]);
  for (int k = 0; k < 2; k++)
    push[k] = sign * across[k] * min_d(max_d(speed, 0), FOOT_FASTEST);
}

static bool moves(const double velocity[3]) { return length_2d((double[2]){velocity[0], velocity[2]}) >= EDGE_SPEED; }

// Whether a ray met ground that is higher than where the foot was, and one of both moves.
static bool is_covered(const FootGround *before, const FootGround *now, const FootLook *look) {
  const double away[2] = {look->middle[0] - before->place[0], look->middle[1] - before->place[2]};
  return before->found && now->found && now->highest >= 0 && length_2d(away) < EDGE_NEAR &&
         now->hit[now->highest][1] > before->place[1] + FOOT_EDGE &&
         (moves(now->highest_velocity) || moves(before->velocity));
}

void foot_stay_below_edge(FootLook *look, const FootGround *before, FootGround *ground) {
  if (!is_covered(before, ground, look))
    return;
  FootRange low = look->range; // rays from there begin inside what is higher, which counts as a wall
  low.top = before->place[1] + FOOT_EDGE;
  FootGround own = foot_ground_find(look->def, look->leg, look->mask, look->step, look->middle, look->yaw, &low);
  const Edge edge = {
      .look = look,
      .ground = ground,
      .height = before->place[1] + FOOT_EDGE,
      .over = {ground->highest_velocity[0] - own.velocity[0], ground->highest_velocity[2] - own.velocity[2]}};
  double push[2];
  if (!own.found || length_2d(edge.over) < EDGE_SPEED)
    return;
  find_push(&edge, push);
  for (int k = 0; k < 2; k++) {
    own.velocity[2 * k] += push[k];
    own.place[2 * k] += push[k] * look->step->dt;
  }
  // The foot's own ground goes on below the edge: it does not roll over it as over the brink of a hole.
  memcpy(own.support_span, before->support_span, sizeof own.support_span);
  memcpy(own.drop, before->drop, sizeof own.drop);
  look->range = low;
  *ground = own;
}

bool foot_edge_has_left(const FootGround *before, const FootGround *now) {
  const double over[2] = {before->velocity[0] - now->velocity[0], before->velocity[2] - now->velocity[2]};
  return before->found && now->found && before->place[1] - now->place[1] > FOOT_EDGE && length_2d(over) > EDGE_SPEED;
}
