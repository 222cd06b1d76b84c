// A chain of joints that turns a head: each joint takes its share of yaw and pitch within its limits; what joints at
// their limits lack is taken by the others.
#include "anim/layers/look_at/look_chain.h"

#include <assert.h>

#include "anim/lanes.h"
#include "anim/layers/look_at/look.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"

static const double AT_REST = 1e-6;                    // rad and rad/s below which the gaze is at its goal
static const double SIDE_MARGIN = 20 * RAD_PER_DEGREE; // rad beyond straight back
static const double NEAREST = 1e-6;                    // m: nearer points have no direction
static const double STEEPEST = 1e-4;                   // horizontal part of a direction below which it has no yaw
static const double TILTED = 0.1, UPRIGHT = 0.35;      // vertical component of a head's crown below which its yaw has
                                                       // no meaning, and above which it has
enum { SHORTEST_PART = 64 }; // of damp_seconds: longest part of a step, so that a gaze near its goal is noticed

static const vec3s AHEAD = {{0, 0, 1}};

// ---- Angles ----

double look_wrap(double angle) { return wrap_angle(angle); }

double look_keep_side(double angle, double last) {
  double best = look_wrap(angle);
  const double others[2] = {best + 2 * M_PI, best - 2 * M_PI};
  for (int i = 0; i < 2; i++)
    if (fabs(others[i]) <= M_PI + SIDE_MARGIN && fabs(others[i] - last) < fabs(best - last))
      best = others[i];
  return best;
}

void look_angles(const double direction[3], double *yaw, double *pitch) {
  double level = length_2d((double[2]){direction[0], direction[2]}), length = length3(direction);
  if (!isfinite(length) || length < NEAREST)
    return;
  if (level > STEEPEST * length)
    *yaw = atan2(direction[0], direction[2]);
  *pitch = atan2(direction[1], level);
}

// ---- The gaze ----

// One angle of a gaze far from its goal: the spring's goal is brought so near that the speed approaches `rate`, and
// moves ahead of the angle, v' = 2 w (rate - v). The speed thus has no corner where the limit begins or ceases to act.
static void run_limited(double *angle, double *velocity, double rate, double damp_seconds, double dt) {
  double decay_rate = 4 / damp_seconds, more = *velocity - rate;
  *angle += rate * dt - more * expm1(-decay_rate * dt) / decay_rate;
  *velocity = rate + more * exp(-decay_rate * dt);
}

void look_gaze_step(Gaze *gaze, double goal_yaw, double goal_pitch, double damp_seconds, double rate_limit, double dt) {
  if (!(dt > 0))
    return;
  double near = rate_limit * damp_seconds, shortest = damp_seconds / SHORTEST_PART;
  double way[2] = {goal_yaw - gaze->yaw, goal_pitch - gaze->pitch}, length = length_2d(way);
  while (dt > 0 && length > near) {
    double part = fmin(dt, fmax((length - near) / rate_limit, shortest)), rate = rate_limit / length;
    run_limited(&gaze->yaw, &gaze->yaw_velocity, rate * way[0], damp_seconds, part);
    run_limited(&gaze->pitch, &gaze->pitch_velocity, rate * way[1], damp_seconds, part);
    dt -= part;
    way[0] = goal_yaw - gaze->yaw;
    way[1] = goal_pitch - gaze->pitch;
    length = length_2d(way);
  }
  SpringStep spring = spring_over(damp_seconds, dt);
  spring_apply(&spring, &gaze->yaw, &gaze->yaw_velocity, goal_yaw);
  spring_apply(&spring, &gaze->pitch, &gaze->pitch_velocity, goal_pitch);
  const double left[2] = {goal_yaw - gaze->yaw, goal_pitch - gaze->pitch};
  const double speed[2] = {gaze->yaw_velocity, gaze->pitch_velocity};
  if (length_2d(left) < AT_REST && length_2d(speed) < AT_REST)
    *gaze = (Gaze){.yaw = goal_yaw, .pitch = goal_pitch};
}

// ---- The chain ----

LookChain look_chain_make(const Skeleton *skeleton, const int *joints, int count) {
  assert(count > 0 && count <= LOOK_MOST_JOINTS);
  LookChain chain = {.count = count};
  for (int k = 0; k < count; k++) {
    chain.joint[k] = joints[k];
    chain.share[k] = 1.0 / count;
    chain.yaw_limit[k] = chain.pitch_limit[k] = INFINITY;
  }
  look_chain_head(&chain, skeleton, AHEAD, (vec3s){{0, 0, 0}});
  return chain;
}

void look_chain_head(LookChain *chain, const Skeleton *skeleton, vec3s forward, vec3s eyes) {
  Pose bind = pose_bind(skeleton);
  ModelPose bind_m;
  pose_to_model(skeleton, &bind, &bind_m);
  versors to_local = glms_quat_conjugate(bind_m.rotation[chain->joint[chain->count - 1]]);
  chain->forward_l = glms_quat_rotatev(to_local, glms_vec3_normalize(forward));
  chain->eyes_l = glms_quat_rotatev(to_local, eyes);
  vec3s up = glms_quat_rotatev(to_local, (vec3s){{0, 1, 0}});
  up = glms_vec3_sub(up, glms_vec3_scale(chain->forward_l, glms_vec3_dot(up, chain->forward_l)));
  chain->up_l =
      glms_vec3_norm(up) > 1e-3f ? glms_vec3_normalize(up) : glms_vec3_normalize(glms_vec3_ortho(chain->forward_l));
}

// Finds the direction from which the turn to the gaze is measured.
static void find_start(const LookChain *chain, double heading, versors head, LookChainPose *at) {
  at->yaw = heading;
  at->trust = 1;
  if (!chain->additive) {
    const double forward[3] = {(double)at->forward.x, (double)at->forward.y, (double)at->forward.z};
    look_angles(forward, &at->yaw, &at->pitch);
    double crown = (double)quat_turn(head, chain->up_l).y;
    at->trust = smooth_step((crown - TILTED) / (UPRIGHT - TILTED));
  }
  at->back = glms_quat_conjugate(look_rotation(at->yaw, at->pitch));
}

LookChainPose look_chain_pose(const LookChain *chain, const Skeleton *skeleton, double heading, const Pose *pose) {
  LookChainPose at = {.base = {{0, 0, 0}}};
  int path[SKELETON_MAX_JOINTS], length = 0;
  for (int i = chain->joint[chain->count - 1]; i > 0; i = skeleton->parent[i])
    path[length++] = i;
  versors rotation = pose->rotation[0];
  vec3s position = {{0, 0, 0}}, last = position;
  for (int k = 0; length > 0;) { // from the root on
    int i = path[--length];
    versors parent = rotation;
    position = glms_vec3_add(position, quat_turn(parent, pose->position[i]));
    rotation = glms_quat_normalize(glms_quat_mul(parent, pose->rotation[i]));
    if (i != chain->joint[k])
      continue;
    at.parent[k] = parent;
    if (k == 0)
      at.base = position;
    else
      at.link[k - 1] = glms_vec3_sub(position, last);
    last = position;
    k++;
  }
  at.link[chain->count - 1] = quat_turn(rotation, chain->eyes_l);
  at.forward = quat_turn(rotation, chain->forward_l);
  find_start(chain, heading, rotation, &at);
  return at;
}

// Marks the joints whose part of the remaining turn exceeds their limit; returns their number.
static int fill_joints(double way, int count, const double *share, const double *limit, bool *full, double *part) {
  double left = way, open = 0;
  for (int k = 0; k < count; k++) {
    left -= full[k] ? limit[k] : 0;
    open += full[k] ? 0 : share[k];
  }
  *part = open > 0 ? left / open : 0; // turn for a share of 1
  int filled = 0;
  for (int k = 0; k < count; k++)
    if (!full[k] && share[k] * *part > limit[k]) {
      full[k] = true;
      filled++;
    }
  return filled;
}

// Divides a turn in proportion to the shares, within the limits. reached[k]: sum of joints 0 .. k.
static void share_way(double way, int count, const double *share, const double *limit, double *reached) {
  bool full[LOOK_MOST_JOINTS] = {false};
  double part, sum = 0;
  while (fill_joints(fabs(way), count, share, limit, full, &part) > 0)
    ;
  for (int k = 0; k < count; k++) {
    sum += full[k] ? limit[k] : share[k] * part;
    reached[k] = copysign(sum, way);
  }
}

// A head that lies, faces up or down or is upside down has no yaw to start from: the turn is then the shortest arc.
// Between there and where the yaw is reliable the two are blended, with the same final direction.
static void mix_with_arc(const LookChain *chain, const LookChainPose *at, versors whole, versors *turns) {
  vec3s from = glms_quat_rotatev(glms_quat_conjugate(at->back), AHEAD), to = glms_quat_rotatev(whole, AHEAD);
  vec3s arc = quat_log(quat_shortest_arc(from, to));
  float angle = glms_vec3_norm(arc);
  double limit[LOOK_MOST_JOINTS] = {0}, reached[LOOK_MOST_JOINTS];
  for (int k = 0; k < chain->count; k++)
    limit[k] = fmin(chain->yaw_limit[k], chain->pitch_limit[k]);
  share_way((double)angle, chain->count, chain->share, limit, reached);
  for (int k = 0; k < chain->count; k++) {
    vec3s part = angle > 0 ? glms_vec3_scale(arc, (float)reached[k] / angle) : arc;
    turns[k] = quat_slerp(quat_exp(part), turns[k], (float)at->trust);
  }
}

bool look_chain_turns(const LookChain *chain, const LookChainPose *at, double yaw, double pitch, double *side,
                      versors turns[LOOK_MOST_JOINTS]) {
  double yaw_way = look_keep_side(yaw - at->yaw, *side), pitch_way = pitch - at->pitch;
  *side = yaw_way;
  if (yaw_way == 0 && pitch_way == 0)
    return false;
  double yaws[LOOK_MOST_JOINTS], pitches[LOOK_MOST_JOINTS];
  share_way(yaw_way, chain->count, chain->share, chain->yaw_limit, yaws);
  share_way(pitch_way, chain->count, chain->share, chain->pitch_limit, pitches);
  // Yaw and pitch continue from their start, so that what is passed on to the next joint has no roll.
  for (int k = 0; k < chain->count; k++)
    turns[k] = glms_quat_mul(look_rotation(at->yaw + yaws[k], at->pitch + pitches[k]), at->back);
  if (at->trust < 1)
    mix_with_arc(chain, at, look_rotation(yaw, pitch), turns);
  return true;
}

vec3s look_chain_eyes(const LookChain *chain, const LookChainPose *at, const versors *turns) {
  vec3s eyes = at->base;
  for (int k = 0; k < chain->count; k++)
    eyes = glms_vec3_add(eyes, turns ? quat_turn(turns[k], at->link[k]) : at->link[k]);
  return eyes;
}

void look_chain_apply(const LookChain *chain, const LookChainPose *at, const versors *turns, Pose *pose) {
  for (int k = 0; k < chain->count; k++) {
    if (chain->share[k] == 0)
      continue;
    // The joint's own turn, in the frame of its parent, which the joints before have already turned.
    versors own = k > 0 ? glms_quat_mul(glms_quat_conjugate(turns[k - 1]), turns[k]) : turns[k];
    versors own_l = glms_quat_mul(glms_quat_conjugate(at->parent[k]), glms_quat_mul(own, at->parent[k]));
    versors *rotation = &pose->rotation[chain->joint[k]];
    *rotation = glms_quat_normalize(glms_quat_mul(own_l, *rotation));
  }
}

void look_chain_turn(const LookChain *chain, const Skeleton *skeleton, double heading, double yaw, double pitch,
                     double *side, Pose *pose) {
  LookChainPose at = look_chain_pose(chain, skeleton, heading, pose);
  versors turns[LOOK_MOST_JOINTS];
  if (look_chain_turns(chain, &at, heading + yaw, pitch, side, turns))
    look_chain_apply(chain, &at, turns, pose);
}
