// The layer of trailing joints: its members in their chains, a step, and its debug drawing and trace channels.
#include "anim/layers/trailing/trailing.h"

#include <string.h>

#include "anim/layers/trailing/trailing_internal.h"

PARAM_TABLE(trailing_params, TrailingDef, TRAILING_PARAMS, "trailing",
            "Joints that lag behind what moves them: tails, ears, wings, loose limbs.")

// Long time steps are divided into parts, since limits that are checked rarely let a particle move too far.
static const double LONGEST_PART = 1.0 / 240; // s
static const double MOST_PARTS = 32;          // limits the cost of a long pause
static const double SMALLEST_SWING = 1e-6;    // rad: with a smaller swing the joint is left unchanged

// ---- Frames ----

// In double, as all that follows: a character far from the origin must not tremble more than its root does.
static TrailingFrame frame_of(const Pose *pose, int i, const TrailingFrame *parent) {
  vec3s p = pose->position[i];
  versors q = pose->rotation[i];
  const double position_l[3] = {(double)p.x, (double)p.y, (double)p.z};
  const double rotation_l[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
  TrailingFrame frame;
  turn(parent->rotation, 1, position_l, frame.position);
  add_scaled(parent->position, 1, frame.position, frame.position);
  turn_product(parent->rotation, 1, rotation_l, frame.rotation);
  make_turn(frame.rotation);
  return frame;
}

// The frame at a share of the motion, with positions on the chord.
static void frame_between(const TrailingFrame *from, const TrailingFrame *to, double share, TrailingFrame *frame) {
  const double *a = from->rotation, *b = to->rotation;
  double rest = dot3(a, b) + a[3] * b[3] < 0 ? share - 1 : 1 - share; // the shorter rotation
  for (int k = 0; k < 3; k++)
    frame->position[k] = (1 - share) * from->position[k] + share * to->position[k];
  for (int k = 0; k < 4; k++)
    frame->rotation[k] = rest * a[k] + share * b[k];
  make_turn(frame->rotation);
}

// ---- A step ----

// The parameters of a member: its own, or those of the layer, which may be changed at run time.
static TrailingJoint member_joint(const TrailingDef *def, const TrailingMember *member) {
  double degrees = member->angle_limit >= 0 ? member->angle_limit : def->angle_limit;
  TrailingJoint joint = {.damp_seconds = member->damp_seconds > 0 ? member->damp_seconds : def->damp_seconds,
                         .angle_limit = RAD_PER_DEGREE * degrees,
                         .distance = {def->distance[0], def->distance[1]},
                         .gravity = def->gravity};
  memcpy(joint.rest_offset, member->rest_offset, sizeof joint.rest_offset);
  return joint;
}

// A member during a step.
typedef struct Link {
  const struct Link *above; // the nearest member above; NULL: none
  TrailingFigures figures;
  SpringStep spring;     // for a part of the step
  TrailingFrame arrived; // without any swing, at the end of the step
  // After the last part of the step: the joint without any swing and with all swings including its own, and the
  // rotation from the one to the other.
  TrailingFrame animated, swung;
  double turned[4];
  TrailingBearing bearing;
  double swing[4]; // the joint's own swing, in its frame
} Link;

static void find_links(const TrailingDef *def, const LayerStep *step, double dt, Link *links) {
  static const TrailingFrame world = {.rotation = {0, 0, 0, 1}};
  TrailingFrame frames[SKELETON_MAX_JOINTS];
  const Link *nearest[SKELETON_MAX_JOINTS]; // for each joint: itself or the nearest member above it
  for (int i = 0, next = 0; next < def->count; i++) {
    if (!def->is_needed[i])
      continue;
    int parent = step->skeleton->parent[i];
    frames[i] = frame_of(step->pose_w, i, parent >= 0 ? &frames[parent] : &world);
    nearest[i] = parent >= 0 ? nearest[parent] : NULL;
    if (def->members[next].joint != i)
      continue;
    TrailingJoint joint = member_joint(def, &def->members[next]);
    Link *link = &links[next++];
    *link = (Link){.above = nearest[i],
                   .figures = trailing_figures(&joint),
                   .spring = spring_over(joint.damp_seconds, dt),
                   .arrived = frames[i]};
    nearest[i] = link;
  }
}

// Moves the particle along with the displacement of the rest point by swings of joints above since the last step,
// except for the share `whip`, behind which it trails. swung: the present displacement.
static void carry_along(double whip, const double swung[3], double swung_by[3], TrailingState *state) {
  double shift[3];
  for (int k = 0; k < 3; k++) {
    shift[k] = (1 - whip) * (swung[k] - swung_by[k]);
    swung_by[k] = swung[k];
  }
  trailing_carry(state, shift);
}

// Moves the joint by the swings of joints above. rest: the resulting rest point, in the world; swung: its displacement
// from where it would be without swings.
static void swing_from_above(Link *link, double rest[3], double swung[3]) {
  const Link *above = link->above;
  double arm[3], offset[3];
  trailing_rest_arm(&link->figures, link->animated.rotation, arm);
  add_scaled(link->animated.position, 1, arm, rest);
  memset(swung, 0, 3 * sizeof *swung);
  link->swung = link->animated;
  if (!above)
    return;
  add_scaled(link->animated.position, -1, above->animated.position, offset);
  turn(above->turned, 1, offset, offset);
  turn(above->turned, 1, arm, arm);
  add_scaled(above->swung.position, 1, offset, link->swung.position);
  turn_product(above->turned, 1, link->animated.rotation, link->swung.rotation);
  for (int k = 0; k < 3; k++) {
    swung[k] = link->swung.position[k] + arm[k] - rest[k];
    rest[k] = link->swung.position[k] + arm[k];
  }
}

static bool is_swing(const double rotation[4]) {
  return dot3(rotation, rotation) >= SMALLEST_SWING * SMALLEST_SWING / 4; // compared with the square of half the angle
}

// Applies the joint's own swing.
static void swing_on(Link *link, const TrailingState *state) {
  static const double none[4] = {0, 0, 0, 1};
  trailing_swing_rotation(&link->figures, &link->bearing, state->direction_l, link->swing);
  if (is_swing(link->swing)) {
    turn_product(link->swung.rotation, 1, link->swing, link->swung.rotation);
    turn_product(link->swung.rotation, -1, link->animated.rotation, link->turned);
  } else
    memcpy(link->turned, link->above ? link->above->turned : none, sizeof link->turned);
}

// Updates all members at a share of the step, parents first: advances them by a part of the step, or not at all, or
// puts them at rest.
static void move_links(const TrailingDef *def, TrailingLayer *layer, double share, bool moves, bool reset,
                       Link *links) {
  for (int m = 0; m < def->count; m++) {
    Link *link = &links[m];
    TrailingState *state = &layer->joints[m];
    const double *position = link->swung.position, *rotation = link->swung.rotation;
    double rest[3], swung[3];
    link->animated = link->arrived;
    if (share < 1)
      frame_between(&layer->animated[m], &link->arrived, share, &link->animated);
    swing_from_above(link, rest, swung);
    if (reset || moves)
      carry_along(def->whip, swung, layer->swung_by[m], state);
    if (reset)
      trailing_reset(&link->figures.joint, position, rotation, state);
    if (moves && !reset)
      trailing_move(&link->figures, &link->spring, position, rotation, rest, state, &link->bearing);
    else
      trailing_bearing(&link->figures, position, rotation, state, &link->bearing);
    swing_on(link, state);
  }
}

// The joint's rotation with its swing applied.
static versors swing_joint(versors q, const double swing[4]) {
  double swung[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
  turn_product(swung, 1, swing, swung);
  make_turn(swung);
  return (versors){{(float)swung[0], (float)swung[1], (float)swung[2], (float)swung[3]}};
}

// pose: receives the swings; NULL: none are written.
static void move_layer(const TrailingDef *def, TrailingLayer *layer, const LayerStep *step, bool reset, Pose *pose) {
  Link links[SKELETON_MAX_JOINTS];
  bool moves = step->dt >= TRAILING_SHORTEST_STEP;
  int parts = moves && !reset ? (int)fmin(fmax(ceil(step->dt / LONGEST_PART - 1e-6), 1), MOST_PARTS) : 1;
  find_links(def, step, step->dt / parts, links);
  for (int i = 1; i < parts; i++)
    move_links(def, layer, (double)i / parts, moves, reset, links);
  move_links(def, layer, 1, moves, reset, links);
  for (int m = 0; m < def->count; m++) {
    const Link *link = &links[m];
    int joint = def->members[m].joint;
    layer->angles[m] = trailing_swing_angle(&link->figures, &link->bearing);
    if (moves || reset)
      layer->animated[m] = link->arrived;
    if (pose && is_swing(link->swing))
      pose->rotation[joint] = swing_joint(pose->rotation[joint], link->swing);
  }
}

static void trailing_init(const void *def, void *state, const LayerStep *step) {
  move_layer(def, state, step, true, NULL);
}

static void trailing_apply(const void *def, void *state, const LayerStep *step) {
  move_layer(def, state, step, step->teleported, step->pose_w);
}

// Moves all world coordinates along with a displaced root.
static void trailing_rebase(const void *def, void *state, const RootRebase *rebase) {
  const double rotation[4] = {0, sin(0.5 * rebase->turn), 0, cos(0.5 * rebase->turn)};
  TrailingLayer *layer = state;
  for (int i = 0; i < ((const TrailingDef *)def)->count; i++) {
    TrailingState *joint = &layer->joints[i];
    TrailingFrame *frame = &layer->animated[i];
    double *const points[] = {joint->particle, joint->joint, joint->rest, frame->position};
    for (int k = 0; k < 4; k++)
      root_rebase_point(rebase, points[k]);
    turn(rotation, 1, joint->velocity, joint->velocity);
    turn(rotation, 1, layer->swung_by[i], layer->swung_by[i]);
    turn_product(rotation, 1, frame->rotation, frame->rotation);
    make_turn(frame->rotation);
  }
}

// ---- Debug drawing ----

static const uint32_t TRAIL_COLOR = 0xb8651bff, LIMIT_COLOR = 0xd62728ff;
enum { CONE_SIDES = 12 };

// Draws the edge of the cone at the particle's distance, and lines to it from the joint.
static void debug_cone(const TrailingState *state, double angle, DebugDraw *draw) {
  double axis[3], side[3], up[3], offset[3], last[3];
  add_scaled(state->rest, -1, state->joint, axis);
  make_unit(axis);
  trailing_perpendicular(axis, side);
  cross(axis, side, up);
  add_scaled(state->particle, -1, state->joint, offset);
  double distance = length3(offset);
  for (int i = 0; i <= CONE_SIDES; i++) {
    double around = RAD_PER_DEGREE * 360 * i / CONE_SIDES, point[3];
    for (int k = 0; k < 3; k++)
      point[k] = state->joint[k] +
                 distance * (cos(angle) * axis[k] + sin(angle) * (cos(around) * side[k] + sin(around) * up[k]));
    if (i > 0)
      debug_line(draw, last, point, 0.003f, LIMIT_COLOR);
    if (i % 3 == 0 && i < CONE_SIDES)
      debug_line(draw, state->joint, point, 0.002f, LIMIT_COLOR);
    memcpy(last, point, sizeof last);
  }
}

// Draws rest point and particle, and the cone where it limits the particle.
static void trailing_debug(const void *values, const void *layer_state, const LayerStep *step, DebugDraw *draw) {
  const TrailingDef *def = values;
  const TrailingLayer *layer = layer_state;
  (void)step;
  debug_group(draw, DEBUG_IK);
  for (int i = 0; i < def->count; i++) {
    const TrailingState *state = &layer->joints[i];
    uint32_t color = state->clamped ? LIMIT_COLOR : TRAIL_COLOR;
    debug_point(draw, state->rest, 0.008f, TRAIL_COLOR);
    debug_line(draw, state->joint, state->rest, 0.003f, TRAIL_COLOR);
    debug_point(draw, state->particle, 0.012f, color);
    debug_line(draw, state->rest, state->particle, 0.005f, color);
    if (state->clamped)
      debug_cone(state, member_joint(def, &def->members[i]).angle_limit, draw);
  }
}

// ---- For the trace ----

enum { CHANNEL_SWING, CHANNEL_CLAMPED, CHANNEL_COUNT };

static const LayerChannel channels[CHANNEL_COUNT] = {
    {"swing", "rad", "Angle by which the joint is turned away from the animation", 1},
    {"clamped", "-", "1 while the joint is at its angle_limit", 1},
};

static int trailing_rows(const void *def) { return ((const TrailingDef *)def)->count; }

static const char *trailing_row_name(const void *def, const Skeleton *skeleton, int row) {
  return skeleton->names[((const TrailingDef *)def)->members[row].joint];
}

static void trailing_record(const void *def, const void *state, int channel, float *values) {
  const TrailingLayer *layer = state;
  for (int i = 0; i < trailing_rows(def); i++)
    values[i] = channel == CHANNEL_SWING ? (float)layer->angles[i] : (float)layer->joints[i].clamped;
}

static bool read_layer(void *def, const Node *map, const Skeleton *skeleton, Error *error) {
  return trailing_read(def, map, skeleton, error);
}

static const char *const other_keys[] = {"joints", "chain", NULL};
static const char *const other_docs[] = {
    "Names, or maps {joint, rest_offset, damp_seconds, angle_limit}.",
    "{from, to, damp_seconds, angle_limit} or a list of them: all joints from one to another below it."};

// ---- Saving and restoring ----

static void joint_state(TrailingLayer *layer, int member, StateStream *stream) {
  TrailingState *joint = &layer->joints[member];
  TrailingFrame *animated = &layer->animated[member];
  STATE(stream, joint->particle, joint->velocity, joint->joint, joint->rest, joint->direction_l, joint->clamped);
  STATE(stream, animated->position, animated->rotation, layer->swung_by[member], layer->angles[member]);
}

static void save_or_restore(const void *def, void *state, StateStream *stream) {
  for (int i = 0; i < ((const TrailingDef *)def)->count; i++)
    joint_state(state, i, stream);
}

const LayerKind trailing_layer = {
    .name = "trailing",
    .doc = "Joints that lag behind what moves them: tails, ears, wings, loose limbs.",
    .params = &trailing_params,
    .def_size = sizeof(TrailingDef),
    .state_size = sizeof(TrailingLayer),
    .other_keys = other_keys,
    .other_docs = other_docs,
    .read = read_layer,
    .init = trailing_init,
    .state = save_or_restore,
    .apply = trailing_apply,
    .rebase = trailing_rebase,
    .debug = trailing_debug,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .rows = trailing_rows,
    .row_name = trailing_row_name,
    .record = trailing_record,
};
