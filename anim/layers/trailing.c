#include "anim/layers/trailing.h"

#include <string.h>

#include "anim/curve.h"
#include "sim/numbers.h"

PARAM_TABLE(trailing_params, TrailingDef, TRAILING_PARAMS, "trailing",
            "Joints that trail behind what moves them: tails, ears, wings, loose limbs.")

static const double SHORTEST_STEP = 1e-5; // s
// At low rates a step goes in parts, for limits that are looked at now and then only let a particle run too far.
static const double LONGEST_PART = 1.0 / 240; // s
static const double MOST_PARTS = 32;          // so that a long pause costs no more
static const double ON_JOINT = 3e-5;          // m: nearer than that the particle has no direction
static const double OPPOSITE = 1e-6;          // sine of an angle that leaves the axis open
static const double AT_REST = 1e-9;           // m and m/s below which a particle has arrived
static const double SMALLEST_SWING = 1e-6;    // rad: less leaves the joint alone

// ---- Vectors and rotations in double ----

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

// to = from + scale * v; may be in place.
static void add_scaled(const double from[3], double scale, const double v[3], double to[3]) {
  for (int k = 0; k < 3; k++)
    to[k] = from[k] + scale * v[k];
}

// The same way, length 1. The vector must not be zero.
static void make_unit(double v[3]) {
  double length = length3(v);
  for (int k = 0; k < 3; k++)
    v[k] /= length;
}

// v turned by a unit quaternion, or back by it (way -1).
static void turn(const double q[4], double way, const double v[3], double out[3]) {
  double axis[3] = {way * q[0], way * q[1], way * q[2]}, once[3], twice[3];
  cross(axis, v, once);
  cross(axis, once, twice);
  for (int k = 0; k < 3; k++)
    out[k] = v[k] + 2 * (q[3] * once[k] + twice[k]);
}

// a b, of length 1; the identity when there is nothing to it.
static void turn_on(const double a[4], const double b[4], double out[4]) {
  double v[3];
  cross(a, b, v);
  double q[4] = {a[3] * b[0] + b[3] * a[0] + v[0], a[3] * b[1] + b[3] * a[1] + v[1], a[3] * b[2] + b[3] * a[2] + v[2],
                 a[3] * b[3] - dot(a, b)};
  double length = sqrt(dot(q, q) + q[3] * q[3]);
  for (int k = 0; k < 4; k++)
    out[k] = length > 0 ? q[k] / length : (k == 3);
}

// ---- One joint ----

// Where the particle stands seen from the joint, in the joint's frame.
typedef struct Bearing {
  double rest[3], direction[3]; // unit: where the bone rests, and where the particle is
  double axis[3];               // unit, at right angles to rest: the swing's
  double angle;                 // rad, 0 .. pi, from rest to direction
  double distance;              // m
} Bearing;

// Any unit vector at right angles to v.
static void find_perpendicular(const double v[3], double out[3]) {
  int smallest = fabs(v[0]) <= fabs(v[1]) ? (fabs(v[0]) <= fabs(v[2]) ? 0 : 2) : (fabs(v[1]) <= fabs(v[2]) ? 1 : 2);
  double other[3] = {smallest == 0, smallest == 1, smallest == 2};
  cross(v, other, out);
  make_unit(out);
}

// `before` tells the way when the particle stands straight behind the joint.
static void find_axis(Bearing *bearing, const double before[3]) {
  cross(bearing->rest, bearing->direction, bearing->axis);
  double sine = length3(bearing->axis), cosine = dot(bearing->rest, bearing->direction);
  bearing->angle = atan2(sine, cosine);
  if (sine < OPPOSITE && cosine < 0) {
    cross(bearing->rest, before, bearing->axis);
    sine = length3(bearing->axis);
  }
  if (sine < OPPOSITE && cosine < 0)
    find_perpendicular(bearing->rest, bearing->axis);
  else if (sine > 0)
    make_unit(bearing->axis);
}

static Bearing find_bearing(const TrailingJoint *joint, const double position[3], const double rotation[4],
                            const TrailingState *state) {
  Bearing bearing;
  memcpy(bearing.rest, joint->rest_offset, sizeof bearing.rest);
  make_unit(bearing.rest);
  double offset_w[3];
  add_scaled(state->particle, -1, position, offset_w);
  turn(rotation, -1, offset_w, bearing.direction);
  bearing.distance = length3(bearing.direction);
  if (bearing.distance > ON_JOINT)
    make_unit(bearing.direction);
  else
    memcpy(bearing.direction, state->direction_l, sizeof bearing.direction);
  find_axis(&bearing, state->direction_l);
  return bearing;
}

static bool can_trail(const TrailingJoint *joint) { return length3(joint->rest_offset) >= TRAILING_SHORTEST_OFFSET; }

static void find_rest(const TrailingJoint *joint, const double position[3], const double rotation[4], double rest[3]) {
  turn(rotation, 1, joint->rest_offset, rest);
  add_scaled(position, 1, rest, rest);
}

// How far below the rest point the pull and the spring are in balance, m.
static double find_sag(const TrailingJoint *joint) {
  return joint->gravity * joint->damp_seconds * joint->damp_seconds / 4;
}

// One axis of the particle, whose goal goes from one place to another at an even speed. Behind such a goal the spring
// settles into a lag of speed * damp_seconds; about that it moves as about a goal that stands still.
static void follow(double *x, double *velocity, double goal_from, double goal_to, double damp_seconds, double dt) {
  double speed = (goal_to - goal_from) / dt, lag = speed * damp_seconds;
  double offset = *x - (goal_from - lag), rate = *velocity - speed;
  spring_step(&offset, &rate, 0, damp_seconds, dt);
  if (fabs(offset) < AT_REST && fabs(rate) < AT_REST)
    offset = rate = 0;
  *x = goal_to - lag + offset;
  *velocity = speed + rate;
}

// Takes away what of the velocity goes the way of a unit vector, in the world.
static void stop_along(TrailingState *state, const double way[3]) {
  add_scaled(state->velocity, -fmax(0, dot(state->velocity, way)), way, state->velocity);
}

// The bearing at the edge of the cone. What leaves the cone goes round the joint, at right angles to its axis.
static void stay_in_cone(const TrailingJoint *joint, const double rotation[4], Bearing *bearing, TrailingState *state) {
  double side[3], outward_l[3], outward[3];
  cross(bearing->axis, bearing->rest, side);
  for (int k = 0; k < 3; k++)
    bearing->direction[k] = cos(joint->angle_limit) * bearing->rest[k] + sin(joint->angle_limit) * side[k];
  cross(bearing->axis, bearing->direction, outward_l);
  turn(rotation, 1, outward_l, outward);
  stop_along(state, outward);
}

// The bearing no nearer and no farther than allowed.
static void stay_at_distance(double distance, const double rotation[4], Bearing *bearing, TrailingState *state) {
  double leaving[3];
  turn(rotation, 1, bearing->direction, leaving);
  for (int k = 0; k < 3 && bearing->distance < distance; k++)
    leaving[k] = -leaving[k];
  stop_along(state, leaving);
  bearing->distance = distance;
}

// Both limits stand at right angles to each other, so that neither brings back what the other took away.
static void keep_within_limits(const TrailingJoint *joint, const double position[3], const double rotation[4],
                               TrailingState *state) {
  Bearing bearing = find_bearing(joint, position, rotation, state);
  double length = length3(joint->rest_offset);
  double distance = fmin(fmax(bearing.distance, joint->distance[0] * length), joint->distance[1] * length);
  bool is_near_or_far = distance != bearing.distance;
  state->clamped = bearing.angle > joint->angle_limit;
  if (state->clamped)
    stay_in_cone(joint, rotation, &bearing, state);
  if (is_near_or_far)
    stay_at_distance(distance, rotation, &bearing, state);
  if (state->clamped || is_near_or_far) {
    turn(rotation, 1, bearing.direction, state->particle);
    for (int k = 0; k < 3; k++)
      state->particle[k] = position[k] + bearing.distance * state->particle[k];
  }
  memcpy(state->direction_l, bearing.direction, sizeof state->direction_l);
}

void trailing_reset(const TrailingJoint *joint, const double position[3], const double rotation[4],
                    TrailingState *state) {
  *state = (TrailingState){0};
  memcpy(state->joint, position, sizeof state->joint);
  find_rest(joint, position, rotation, state->rest);
  memcpy(state->particle, state->rest, sizeof state->particle);
  if (!can_trail(joint))
    return;
  memcpy(state->direction_l, joint->rest_offset, sizeof state->direction_l);
  make_unit(state->direction_l);
  if (joint->gravity > 0) {
    state->particle[1] -= find_sag(joint);
    keep_within_limits(joint, position, rotation, state);
  }
}

void trailing_step(const TrailingJoint *joint, const double position[3], const double rotation[4], double dt,
                   TrailingState *state) {
  if (!(dt >= SHORTEST_STEP) || !can_trail(joint))
    return;
  const double sag[3] = {0, find_sag(joint), 0};
  double rest[3];
  find_rest(joint, position, rotation, rest);
  for (int k = 0; k < 3; k++)
    follow(&state->particle[k], &state->velocity[k], state->rest[k] - sag[k], rest[k] - sag[k], joint->damp_seconds,
           dt);
  memcpy(state->joint, position, sizeof state->joint);
  memcpy(state->rest, rest, sizeof state->rest);
  keep_within_limits(joint, position, rotation, state);
}

void trailing_carry(TrailingState *state, const double shift[3]) {
  add_scaled(state->particle, 1, shift, state->particle);
  add_scaled(state->rest, 1, shift, state->rest);
}

// The angle is limited here too: without a step the joint may have turned, and the particle stays.
TrailingSwing trailing_swing(const TrailingJoint *joint, const double position[3], const double rotation[4],
                             const TrailingState *state) {
  TrailingSwing swing = {.rotation = {0, 0, 0, 1}};
  if (!can_trail(joint))
    return swing;
  Bearing bearing = find_bearing(joint, position, rotation, state);
  swing.angle = fmin(bearing.angle, joint->angle_limit);
  double sine = sin(swing.angle / 2);
  for (int k = 0; k < 3; k++)
    swing.rotation[k] = sine * bearing.axis[k];
  swing.rotation[3] = cos(swing.angle / 2);
  return swing;
}

// ---- The layer: what it does in a step ----

// In double, like all that follows: a character far from the origin shall not tremble more than its root does.
static TrailingFrame frame_of(const Pose *pose, int i, const TrailingFrame *parent) {
  vec3s p = pose->position[i];
  versors q = pose->rotation[i];
  const double position_l[3] = {(double)p.x, (double)p.y, (double)p.z};
  const double rotation_l[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
  TrailingFrame frame;
  turn(parent->rotation, 1, position_l, frame.position);
  add_scaled(parent->position, 1, frame.position, frame.position);
  turn_on(parent->rotation, rotation_l, frame.rotation);
  return frame;
}

// At a share of the way, on the chord.
static TrailingFrame frame_between(const TrailingFrame *from, const TrailingFrame *to, double share) {
  static const double none[4] = {0, 0, 0, 1};
  const double *a = from->rotation, *b = to->rotation;
  double mixed[4], sign = dot(a, b) + a[3] * b[3] < 0 ? -1 : 1;
  TrailingFrame frame;
  for (int k = 0; k < 3; k++)
    frame.position[k] = (1 - share) * from->position[k] + share * to->position[k];
  for (int k = 0; k < 4; k++)
    mixed[k] = (1 - share) * sign * a[k] + share * b[k];
  turn_on(mixed, none, frame.rotation);
  return frame;
}

// Where `frame` goes when what carries it goes from one place to another.
static TrailingFrame frame_carried(const TrailingFrame *frame, const TrailingFrame *from, const TrailingFrame *to) {
  const double *q = from->rotation, back[4] = {-q[0], -q[1], -q[2], q[3]};
  double offset[3], rotation[4];
  TrailingFrame carried;
  add_scaled(frame->position, -1, from->position, offset);
  turn(from->rotation, -1, offset, offset);
  turn(to->rotation, 1, offset, offset);
  add_scaled(to->position, 1, offset, carried.position);
  turn_on(back, frame->rotation, rotation);
  turn_on(to->rotation, rotation, carried.rotation);
  return carried;
}

// What holds of a member: its own figures, or the layer's, which may be changed while it runs.
static TrailingJoint member_joint(const TrailingDef *def, const TrailingMember *member) {
  double degrees = member->angle_limit >= 0 ? member->angle_limit : def->angle_limit;
  TrailingJoint joint = {.damp_seconds = member->damp_seconds > 0 ? member->damp_seconds : def->damp_seconds,
                         .angle_limit = RAD_PER_DEGREE * degrees,
                         .distance = {def->distance[0], def->distance[1]},
                         .gravity = def->gravity};
  memcpy(joint.rest_offset, member->rest_offset, sizeof joint.rest_offset);
  return joint;
}

// The joint with its swing on top.
static versors swing_joint(versors q, const TrailingSwing *swing) {
  const double rotation[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
  double swung[4];
  turn_on(rotation, swing->rotation, swung);
  return (versors){{(float)swung[0], (float)swung[1], (float)swung[2], (float)swung[3]}};
}

// What the swings above did to the rest point since the last step takes the particle along, but for the share of it
// behind which it trails. animated, swung: the joint without and with the swings above.
static void carry_along(const TrailingJoint *joint, double whip, const TrailingFrame *animated,
                        const TrailingFrame *swung, double swung_by[3], TrailingState *state) {
  double place[3], is[3], shift[3];
  find_rest(joint, animated->position, animated->rotation, place);
  find_rest(joint, swung->position, swung->rotation, is);
  for (int k = 0; k < 3; k++) {
    shift[k] = (1 - whip) * (is[k] - place[k] - swung_by[k]);
    swung_by[k] = is[k] - place[k];
  }
  trailing_carry(state, shift);
}

// What a step knows of the members.
typedef struct Members {
  int above[SKELETON_MAX_JOINTS];              // the nearest member above; -1: none
  TrailingFrame animated[SKELETON_MAX_JOINTS]; // without any swing, at the end of the step
  TrailingSwing swings[SKELETON_MAX_JOINTS];
} Members;

static void find_members(const TrailingDef *def, const LayerStep *step, Members *members) {
  static const TrailingFrame world = {.rotation = {0, 0, 0, 1}};
  TrailingFrame frames[SKELETON_MAX_JOINTS];
  int member[SKELETON_MAX_JOINTS]; // by joint: itself or the nearest member above
  for (int i = 0, next = 0; next < def->count; i++) {
    if (!def->is_needed[i])
      continue;
    int parent = step->skeleton->parent[i];
    frames[i] = frame_of(step->pose_w, i, parent >= 0 ? &frames[parent] : &world);
    member[i] = parent >= 0 ? member[parent] : -1;
    if (def->members[next].joint != i)
      continue;
    members->above[next] = member[i];
    members->animated[next] = frames[i];
    member[i] = next++;
  }
}

// All members at a share of the step, parents first, moved on by dt (s; 0: not at all).
static void move_members(const TrailingDef *def, TrailingLayer *layer, double share, double dt, bool reset,
                         Members *members) {
  TrailingFrame animated[SKELETON_MAX_JOINTS], swung[SKELETON_MAX_JOINTS];
  for (int m = 0; m < def->count; m++) {
    int above = members->above[m];
    TrailingJoint joint = member_joint(def, &def->members[m]);
    TrailingState *state = &layer->joints[m];
    animated[m] = members->animated[m];
    if (share < 1)
      animated[m] = frame_between(&layer->animated[m], &members->animated[m], share);
    swung[m] = animated[m];
    if (above >= 0)
      swung[m] = frame_carried(&animated[m], &animated[above], &swung[above]);
    if (reset || dt > 0)
      carry_along(&joint, def->whip, &animated[m], &swung[m], layer->swung_by[m], state);
    if (reset)
      trailing_reset(&joint, swung[m].position, swung[m].rotation, state);
    else
      trailing_step(&joint, swung[m].position, swung[m].rotation, dt, state);
    TrailingSwing *swing = &members->swings[m];
    *swing = trailing_swing(&joint, swung[m].position, swung[m].rotation, state);
    if (swing->angle >= SMALLEST_SWING)
      turn_on(swung[m].rotation, swing->rotation, swung[m].rotation);
  }
}

// pose: where the swings go; NULL: nowhere.
static void move_layer(const TrailingDef *def, TrailingLayer *layer, const LayerStep *step, bool reset, Pose *pose) {
  Members members;
  find_members(def, step, &members);
  bool moves = step->dt >= SHORTEST_STEP;
  int parts = moves && !reset ? (int)fmin(fmax(ceil(step->dt / LONGEST_PART - 1e-6), 1), MOST_PARTS) : 1;
  for (int i = 1; i <= parts; i++)
    move_members(def, layer, i < parts ? (double)i / parts : 1, moves ? step->dt / parts : 0, reset, &members);
  if (moves || reset)
    memcpy(layer->animated, members.animated, (size_t)def->count * sizeof layer->animated[0]);
  for (int m = 0; m < def->count; m++) {
    int joint = def->members[m].joint;
    const TrailingSwing *swing = &members.swings[m];
    layer->angles[m] = swing->angle;
    if (pose && swing->angle >= SMALLEST_SWING)
      pose->rotation[joint] = swing_joint(pose->rotation[joint], swing);
  }
}

static void trailing_init(const void *def, void *state, const LayerStep *step) {
  move_layer(def, state, step, true, NULL);
}

static void trailing_apply(const void *def, void *state, const LayerStep *step) {
  move_layer(def, state, step, step->teleported, step->pose_w);
}

// All that is in the world goes along with a root that was put elsewhere.
static void trailing_go_along(const void *def, void *state, const LayerCarry *carry) {
  const double rotation[4] = {0, sin(0.5 * carry->turn), 0, cos(0.5 * carry->turn)};
  TrailingLayer *layer = state;
  for (int i = 0; i < ((const TrailingDef *)def)->count; i++) {
    TrailingState *joint = &layer->joints[i];
    TrailingFrame *frame = &layer->animated[i];
    double *const points[] = {joint->particle, joint->joint, joint->rest, frame->position};
    for (int k = 0; k < 4; k++)
      layer_carry_point(carry, points[k]);
    turn(rotation, 1, joint->velocity, joint->velocity);
    turn(rotation, 1, layer->swung_by[i], layer->swung_by[i]);
    turn_on(rotation, frame->rotation, frame->rotation);
  }
}

// ---- What is to be seen ----

static const uint32_t TRAIL_COLOR = 0xb8651bff, LIMIT_COLOR = 0xd62728ff;
enum { CONE_SIDES = 12 };

// The cone's edge at the particle's distance, and lines to it from the joint.
static void debug_cone(const TrailingState *state, double angle, DebugDraw *draw) {
  double axis[3], side[3], up[3], offset[3], last[3];
  add_scaled(state->rest, -1, state->joint, axis);
  make_unit(axis);
  find_perpendicular(axis, side);
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

// Rest point, particle, and the cone where it holds the particle back.
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
    {"clamped", "-", "1 where the joint is at its angle_limit", 1},
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

const LayerKind trailing_layer = {
    .name = "trailing",
    .doc = "Joints that trail behind what moves them: tails, ears, wings, loose limbs.",
    .params = &trailing_params,
    .def_size = sizeof(TrailingDef),
    .state_size = sizeof(TrailingLayer),
    .other_keys = other_keys,
    .other_docs = other_docs,
    .read = read_layer,
    .init = trailing_init,
    .apply = trailing_apply,
    .carry = trailing_go_along,
    .debug = trailing_debug,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .rows = trailing_rows,
    .row_name = trailing_row_name,
    .record = trailing_record,
};
