// The layer that looks at points of a scene: it finds the direction to its target, gives up when the target moves
// behind the character, and turns its chain of joints.
#include "anim/layers/look_at/look_at.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double JUMP = 0.5;            // rad in a step: a larger turn counts as a jump of the goal
static const double AIM_TOLERANCE = 1e-5;  // rad
static const double SAME_GOAL = 1e-9;      // m
static const double NEAREST = 1e-6;        // m
static const double SHORTEST_REACH = 1e-3; // m
enum { AIM_ROUNDS = 8 };                   // at most; 3 or 4 suffice for goals beyond arm's length

static const double FARTHEST_SHOWN = 1000; // m
static const uint32_t GOAL_COLOR = 0x1899b8ff, PRESENT_COLOR = 0x1899b880;

PARAM_TABLE(look_at_params, LookAtDef, LOOK_AT_PARAMS, "look_at",
            "Turns a chain of joints so that the head faces a point.")

// ---- The goal ----

static bool has_target(const LookAtDef *def, const LayerStep *step) {
  return def->target_index >= 0 && def->target_index < step->target_count;
}

void look_at_goal(const LookAtDef *def, const LayerStep *step, double goal_w[3]) {
  if (has_target(def, step)) {
    memcpy(goal_w, step->targets[def->target_index], 3 * sizeof *goal_w);
    return;
  }
  double yaw = step->wanted_heading + step->look_yaw, level = def->distance * cos(step->look_pitch);
  goal_w[0] = step->root_position[0] + level * sin(yaw);
  goal_w[1] = step->root_position[1] + def->distance * sin(step->look_pitch) + def->height;
  goal_w[2] = step->root_position[2] + level * cos(yaw);
}

static double clamp(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

// The gaze to the goal within the limits. If the limits allow facing backward, the gaze may go beyond straight back, as
// far as goals keep their side.
static void limited_goal(const LookAtDef *def, const LookAtState *state, double goal[2]) {
  goal[0] = def->yaw_limit < 180 ? clamp(state->goal_yaw, def->yaw_limit * RAD_PER_DEGREE) : state->goal_yaw;
  goal[1] = clamp(state->goal_pitch, def->pitch_limit * RAD_PER_DEGREE);
}

// The goal from the pose's root joint, m.
static void goal_from_root(const LookAtState *state, const LayerStep *step, double goal[3]) {
  for (int i = 0; i < 3; i++)
    goal[i] = state->goal_w[i] - (double)step->pose_w->position[0].raw[i];
}

// A guess of where the eyes are once the chain faces the goal, where they then come out, and the difference; m from the
// pose's root joint.
typedef struct Guess {
  double eyes[3], out[3], error[3];
} Guess;

// Sets the goal's angles as the guessed eyes see it; returns how far that guess is off, as an angle.
static double try_guess(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at,
                        const double goal[3], double *side, Guess *guess) {
  const double way[3] = {goal[0] - guess->eyes[0], goal[1] - guess->eyes[1], goal[2] - guess->eyes[2]};
  double yaw = step->heading + state->goal_yaw, limited[2];
  look_angles(way, &yaw, &state->goal_pitch);
  state->goal_yaw = look_keep_side(yaw - step->heading, state->goal_yaw);
  limited_goal(def, state, limited);
  versors turns[LOOK_MOST_JOINTS];
  bool turned = look_chain_turns(&def->chain, at, step->heading + limited[0], limited[1], side, turns);
  vec3_to_doubles(look_chain_eyes(&def->chain, at, turned ? turns : NULL), guess->out);
  for (int i = 0; i < 3; i++)
    guess->error[i] = guess->out[i] - guess->eyes[i];
  return length3(guess->error) / fmax(length3(way), NEAREST);
}

// The next guess is the gaze from where the eyes are after the last one. From the second guess on it is corrected by
// the errors of the last two (Anderson mixing of depth 1, bounded); without that, eyes close to their goal would
// oscillate.
static void next_guess(Guess *guess, const Guess *before) {
  double along = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    double change = guess->error[i] - before->error[i];
    along += guess->error[i] * change;
    square += change * change;
  }
  double mix = square > 0 ? fmax(-3, fmin(along / square, 0.9)) : 0;
  for (int i = 0; i < 3; i++)
    guess->eyes[i] = guess->out[i] - mix * (guess->out[i] - before->out[i]);
}

// Finds the gaze at which the eyes see the goal straight ahead; iteratively, since turning the chain moves the eyes.
// side: see look_chain_turns.
static void aim(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at,
                double *side) {
  double goal[3];
  Guess guess = {{0}, {0}, {0}}, before = guess;
  goal_from_root(state, step, goal);
  vec3_to_doubles(look_chain_eyes(&def->chain, at, NULL), guess.eyes);
  for (int round = 0; round < AIM_ROUNDS; round++) {
    if (try_guess(def, state, step, at, goal, side, &guess) < AIM_TOLERANCE)
      break;
    Guess tried = guess;
    if (round == 0)
      memcpy(guess.eyes, guess.out, sizeof guess.eyes);
    else
      next_guess(&guess, &before);
    before = tried;
  }
}

// ---- The gaze ----

// Updates the goal's former position, which moves with the root unless it is a target. Only motion of the goal is
// smoothed, not motion of the eyes. True when the goal is still there.
static bool stays_put(const LookAtDef *def, LookAtState *state, const LayerStep *step, double goal_w[3]) {
  double moved[3];
  look_at_goal(def, step, goal_w);
  for (int i = 0; i < 3; i++) {
    if (!has_target(def, step))
      state->goal_w[i] += step->root_position[i] - state->root[i];
    moved[i] = goal_w[i] - state->goal_w[i];
  }
  return length3(moved) < SAME_GOAL;
}

// 0 .. 1: distance of a goal from the eyes compared with how far the chain can move them: 0 is too near to be followed.
static double is_far(const LookAtDef *def, const LookAtState *state, const LayerStep *step, const LookChainPose *at) {
  double goal[3], eyes[3], reach = SHORTEST_REACH;
  for (int k = 0; k < def->chain.count; k++)
    reach += (double)glms_vec3_norm(at->link[k]);
  goal_from_root(state, step, goal);
  vec3_to_doubles(look_chain_eyes(&def->chain, at, NULL), eyes);
  const double way[3] = {goal[0] - eyes[0], goal[1] - eyes[1], goal[2] - eyes[2]};
  return smooth_step(length3(way) / reach - 1);
}

// Turns the gaze along with a goal at rest whose direction has changed because the body has turned or moved the eyes.
// was: the goal's angles before, within the limits, so that a body that turns away from the goal takes the head along.
static void carry_gaze(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at,
                       const double was[2]) {
  double goal[2];
  limited_goal(def, state, goal);
  double carry[2] = {goal[0] - was[0], goal[1] - was[1]}, share = is_far(def, state, step, at);
  if (length_2d(carry) > JUMP) // the goal passed behind or above
    return;
  state->gaze.yaw += share * carry[0];
  state->gaze.pitch += share * carry[1];
}

// Limits the head's angular speed in the world to the parameter or, if that is faster, to the body's own.
static void limit_rate(const LookAtDef *def, Gaze *gaze, const Gaze *before, double turned, double dt) {
  double farthest = fmax(def->rate_limit * RAD_PER_DEGREE * dt, fabs(turned));
  double yaw = turned + gaze->yaw - before->yaw, pitch = gaze->pitch - before->pitch;
  if (length_2d((double[2]){yaw, pitch}) <= farthest)
    return;
  yaw = clamp(yaw, farthest);
  gaze->yaw = before->yaw + yaw - turned;
  gaze->pitch = before->pitch + clamp(pitch, sqrt(farthest * farthest - yaw * yaw));
}

static void note_root(LookAtState *state, const LayerStep *step) {
  state->heading = step->heading;
  memcpy(state->root, step->root_position, sizeof state->root);
}

static void move_gaze(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at) {
  double turned = look_wrap(step->heading - state->heading), goal_w[3], goal[2];
  bool jumped = fabs(turned) > JUMP;
  limited_goal(def, state, goal);
  state->goal_yaw -= turned;
  if (jumped) { // the pose does not yet show the jump: the head keeps its direction in the world
    state->gaze.yaw -= turned;
    turned = 0;
  }
  Gaze before = state->gaze;
  bool same_goal = stays_put(def, state, step, goal_w);
  double side = state->side;
  aim(def, state, step, at, &side);
  if (!jumped)
    carry_gaze(def, state, step, at, goal);
  memcpy(state->goal_w, goal_w, sizeof goal_w);
  if (!same_goal)
    aim(def, state, step, at, &side);
  limited_goal(def, state, goal);
  look_gaze_step(&state->gaze, goal[0], goal[1], def->damp_seconds, def->rate_limit * RAD_PER_DEGREE, step->dt);
  limit_rate(def, &state->gaze, &before, turned, step->dt);
  state->gaze.yaw = look_keep_side(state->gaze.yaw, state->gaze.yaw);
  note_root(state, step);
}

static void snap_gaze(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at) {
  double goal[2];
  *state = (LookAtState){0};
  look_at_goal(def, step, state->goal_w);
  aim(def, state, step, at, &state->side);
  limited_goal(def, state, goal);
  state->gaze = (Gaze){.yaw = goal[0], .pitch = goal[1]};
  note_root(state, step);
}

// ---- The layer ----

static double angle_between(const double a[3], const double b[3]) {
  const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  return atan2(length3(cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

static void note_result(const LookAtDef *def, LookAtState *state, const LayerStep *step, const LookChainPose *at,
                        const versors *turns) {
  double goal[3], eyes[3], way[3];
  goal_from_root(state, step, goal);
  vec3_to_doubles(look_chain_eyes(&def->chain, at, turns), eyes);
  vec3s forward = turns ? glms_quat_rotatev(turns[def->chain.count - 1], at->forward) : at->forward;
  vec3_to_doubles(forward, state->forward_w);
  for (int i = 0; i < 3; i++) {
    way[i] = goal[i] - eyes[i];
    state->eyes_w[i] = eyes[i] + (double)step->pose_w->position[0].raw[i];
  }
  state->error = angle_between(way, state->forward_w);
}

static void init(const void *definition, void *memory, const LayerStep *step) {
  const LookAtDef *def = definition;
  LookAtState *state = memory;
  LookChainPose at = look_chain_pose(&def->chain, step->skeleton, step->heading, step->pose_w);
  *state = (LookAtState){0};
  look_at_goal(def, step, state->goal_w);
  double side = 0;
  aim(def, state, step, &at, &side);
  state->gaze.yaw = look_wrap(at.yaw - step->heading);
  state->gaze.pitch = at.pitch;
  note_root(state, step);
  note_result(def, state, step, &at, NULL);
}

static void apply(const void *definition, void *memory, const LayerStep *step) {
  const LookAtDef *def = definition;
  LookAtState *state = memory;
  LookChainPose at = look_chain_pose(&def->chain, step->skeleton, step->heading, step->pose_w);
  if (step->teleported)
    snap_gaze(def, state, step, &at);
  else if (step->dt > 0)
    move_gaze(def, state, step, &at);
  versors turns[LOOK_MOST_JOINTS];
  bool turned =
      look_chain_turns(&def->chain, &at, step->heading + state->gaze.yaw, state->gaze.pitch, &state->side, turns);
  note_result(def, state, step, &at, turned ? turns : NULL);
  if (turned)
    look_chain_apply(&def->chain, &at, turns, step->pose_w);
}

static void debug(const void *definition, const void *memory, const LayerStep *step, DebugDraw *draw) {
  (void)definition;
  (void)step;
  const LookAtState *state = memory;
  double way[3], present[3];
  for (int i = 0; i < 3; i++)
    way[i] = state->goal_w[i] - state->eyes_w[i];
  for (int i = 0; i < 3; i++)
    present[i] = state->eyes_w[i] + fmin(length3(way), FARTHEST_SHOWN) * state->forward_w[i];
  debug_group(draw, DEBUG_LOOK);
  debug_line(draw, state->eyes_w, state->goal_w, 0.008f, GOAL_COLOR);
  debug_point(draw, state->goal_w, 0.03f, GOAL_COLOR);
  debug_line(draw, state->eyes_w, present, 0.004f, PRESENT_COLOR);
}

// ---- Reading ----

static bool read_limit(const Node *map, const char *key, double *limit, Error *error) {
  const Node *node = node_find(map, key);
  double degrees;
  if (!node)
    return true;
  if (!node_real(node, &degrees, error))
    return false;
  if (degrees < 0 || degrees > 180)
    return node_error(node, error, "%s is %g, allowed are 0 to 180 deg", key, degrees);
  *limit = degrees * RAD_PER_DEGREE;
  return true;
}

static bool read_weight(const Node *map, double *weight, Error *error) {
  const Node *node = node_find(map, "weight");
  if (!node)
    return true;
  if (!node_real(node, weight, error))
    return false;
  if (*weight < 0 || *weight > 1000)
    return node_error(node, error, "weight is %g, allowed are 0 to 1000", *weight);
  return true;
}

static bool hangs_on(const Skeleton *skeleton, int joint, int other) {
  for (int i = skeleton->parent[joint]; i >= 0; i = skeleton->parent[i])
    if (i == other)
      return true;
  return false;
}

static bool check_order(const LookChain *chain, const Skeleton *skeleton, const Node *node, Error *error) {
  int k = chain->count, joint = chain->joint[k];
  const char *name = skeleton->names[joint];
  if (joint == 0)
    return node_error(node, error, "'%s' is the root joint, which would turn the whole body with the head", name);
  if (k > 0 && !hangs_on(skeleton, joint, chain->joint[k - 1]))
    return node_error(node, error, "'%s' is not a descendant of '%s': a chain goes from the trunk to the head", name,
                      skeleton->names[chain->joint[k - 1]]);
  return true;
}

// Reads one joint: its name, or a map. The weights are normalised later.
static bool read_joint(LookChain *chain, const Node *item, const Skeleton *skeleton, Error *error) {
  static const char *const keys[] = {"joint", "weight", "yaw_limit", "pitch_limit", NULL};
  int k = chain->count;
  const Node *name = item;
  chain->share[k] = 1;
  chain->yaw_limit[k] = chain->pitch_limit[k] = INFINITY;
  if (item->kind == NODE_MAP) {
    if (!node_check_keys(item, keys, error))
      return false;
    name = node_find(item, "joint");
    if (!name)
      return node_error(item, error, "which 'joint'?");
    if (!read_weight(item, &chain->share[k], error) || !read_limit(item, "yaw_limit", &chain->yaw_limit[k], error) ||
        !read_limit(item, "pitch_limit", &chain->pitch_limit[k], error))
      return false;
  }
  chain->joint[k] = skeleton_read_joint(skeleton, name, error);
  if (chain->joint[k] < 0 || !check_order(chain, skeleton, name, error))
    return false;
  chain->count++;
  return true;
}

static bool read_chain(LookChain *chain, const Node *map, const Skeleton *skeleton, Error *error) {
  const Node *list = node_find(map, "chain");
  if (!list)
    return node_error(map, error, "a look_at layer needs a 'chain': [neck, head]");
  if (list->kind != NODE_LIST || list->count < 1 || list->count > LOOK_MOST_JOINTS)
    return node_error(list, error, "expected a list of 1 to %d joints from the trunk to the head: [neck, head]",
                      LOOK_MOST_JOINTS);
  *chain = (LookChain){0};
  for (const Node *item = list->first; item; item = item->next)
    if (!read_joint(chain, item, skeleton, error))
      return false;
  double sum = 0;
  for (int k = 0; k < chain->count; k++)
    sum += chain->share[k];
  if (!(sum > 0))
    return node_error(list, error, "all weights of the chain are 0, so that nothing would turn");
  for (int k = 0; k < chain->count; k++)
    chain->share[k] /= sum;
  return true;
}

static bool read(void *definition, const Node *map, const Skeleton *skeleton, Error *error) {
  LookAtDef *def = definition;
  def->target_index = -1;
  if (strcmp(def->target, "none") == 0)
    def->target[0] = '\0';
  if (!(length3(def->forward) > 1e-3))
    return node_error(node_find(map, "forward"), error, "'forward' has no direction");
  if (!read_chain(&def->chain, map, skeleton, error))
    return false;
  const double *forward = def->forward, *eyes = def->eyes;
  look_chain_head(&def->chain, skeleton, vec3_from_doubles(forward), vec3_from_doubles(eyes));
  def->chain.additive = def->additive;
  return true;
}

// ---- The trace ----

enum { CHANNEL_YAW, CHANNEL_PITCH, CHANNEL_ERROR, CHANNEL_COUNT };

static int rows(const void *def) {
  (void)def;
  return 1;
}

static const char *row_name(const void *definition, const Skeleton *skeleton, int row) {
  const LookChain *chain = &((const LookAtDef *)definition)->chain;
  (void)row;
  return skeleton->names[chain->joint[chain->count - 1]];
}

static void record(const void *def, const void *memory, int channel, float *values) {
  (void)def;
  const LookAtState *state = memory;
  const double recorded[CHANNEL_COUNT] = {state->gaze.yaw, state->gaze.pitch, state->error};
  values[0] = (float)recorded[channel];
}

static const char *const other_keys[] = {"chain", NULL};
static const char *const other_docs[] = {"Joints that turn, from trunk to head: names, or maps {joint, weight, "
                                         "yaw_limit, pitch_limit}; the last one faces the goal."};

static const LayerChannel channels[CHANNEL_COUNT] = {
    {"yaw", "rad", "Angle from heading to gaze, positive to the left", 1},
    {"pitch", "rad", "Angle from the horizon to the gaze, positive up", 1},
    {"error", "rad", "Angle between the direction of the head and that to the goal", 1},
};

// ---- Saving and restoring ----

static void save_or_restore(const void *def, void *state, StateStream *stream) {
  (void)def;
  LookAtState *look = state;
  STATE(stream, look->gaze.yaw, look->gaze.pitch, look->gaze.yaw_velocity, look->gaze.pitch_velocity, look->heading,
        look->root, look->goal_yaw, look->goal_pitch, look->side, look->goal_w, look->eyes_w, look->forward_w,
        look->error);
}

const LayerKind look_at_layer = {
    .name = "look_at",
    .doc = "Turns a chain of joints so that the head faces a point.",
    .params = &look_at_params,
    .def_size = sizeof(LookAtDef),
    .target_offset = offsetof(LookAtDef, target_index),
    .state_size = sizeof(LookAtState),
    .other_keys = other_keys,
    .other_docs = other_docs,
    .read = read,
    .init = init,
    .state = save_or_restore,
    .apply = apply,
    .debug = debug,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .rows = rows,
    .row_name = row_name,
    .record = record,
};
