// Estimates the unit, the up axis and the front of a figure, and converts its motion to metres and our axes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_internal.h"
#include "anim/pose.h"

// ---- The reference pose that many recordings have as their first frame ----

// The largest rotation of a joint between a frame and the next one, rad. The root is left out: it stays where the actor
// stood.
static float frame_jump(const Motion *motion, int frame) {
  const versors *q = motion->rotation_l + (size_t)frame * (size_t)motion->joint_count;
  float jump = 0;
  for (int j = 1; j < motion->joint_count; j++)
    jump = fmaxf(jump, quat_angle_between(q[j], q[motion->joint_count + j]));
  return jump;
}

void motion_drop_rest_frame(Motion *motion) {
  const size_t joints = (size_t)motion->joint_count;
  if (motion->frame_count < 4 || joints < 5)
    return;
  float from_rest = 0, peak = 0, usual = 0;
  for (size_t j = 1; j < joints; j++)
    from_rest = fmaxf(from_rest, quat_angle_between(motion->joints[j].bind_rotation_l, motion->rotation_l[j]));
  // The change from the T-pose takes one frame, or several when it has been smoothed.
  int first = 0;
  const int last = motion->frame_count - 1;
  for (float jump; first < 8 && first + 3 < last && (jump = frame_jump(motion, first)) > 0.2f * peak; first++)
    peak = fmaxf(peak, jump);
  for (int f = first; f < first + 11 && f < last; f++)
    usual = fmaxf(usual, frame_jump(motion, f));
  // A T-pose need not be the rest pose (CMU's legs are spread there). Then it is recognised by a change faster than a
  // person moves from standing, 30 rad/s.
  const bool is_fast = from_rest < 0.02f || (double)peak * motion->frame_rate > 30;
  if (!(peak > 0.2f && peak > 4 * usual && is_fast))
    return;
  motion->frame_count -= first;
  const size_t kept = (size_t)motion->frame_count * joints, dropped = (size_t)first * joints;
  memmove(motion->position_l, motion->position_l + dropped, kept * sizeof *motion->position_l);
  memmove(motion->rotation_l, motion->rotation_l + dropped, kept * sizeof *motion->rotation_l);
  if (first == 1)
    motion_warn(motion, "The first frame is a reference pose, %.0f deg from the second: it is dropped.",
                (double)peak * 180 / M_PI);
  else
    motion_warn(motion, "The first frames come from a reference pose, by %.0f deg a frame: %d are dropped.",
                (double)peak * 180 / M_PI, first);
}

// ---- Unit ----

typedef struct Unit {
  double metres;
  const char *name;
} Unit;

static const Unit UNITS[] = {{1, "m"},
                             {0.01, "cm"},
                             {0.0254, "inch"},
                             {0.001, "mm"},
                             {0.0254 / 0.45, "inch / 0.45 (CMU)"},
                             {0.1, "dm"},
                             {0.3048, "foot"},
                             {1e-4, "0.1 mm (cm scaled by 100 once more)"}};
enum { UNIT_COUNT = sizeof UNITS / sizeof UNITS[0] };

static double find_unit(Motion *motion, const Figure *figure, double declared) {
  const double size = figure->is_human ? figure_stature(motion, figure) : motion_extent(motion);
  const double least = figure->is_human ? 1.2 : 0.05, most = figure->is_human ? 2.2 : 20,
               best = figure->is_human ? 1.7 : 1;
  const char *what = figure->is_human ? "tall" : "large";
  char *reason = motion->unit_reason;
  const size_t room = sizeof motion->unit_reason;
  if (!(size > 0)) {
    snprintf(reason, room, "all joints lie in one place");
    return declared > 0 ? declared : 1;
  }
  if (declared > 0 && declared * size >= least && declared * size <= most) {
    snprintf(reason, room, "as the file says, the figure is %.2f m %s", declared * size, what);
    return declared;
  }
  // A fictional figure may be a giant, but a wrong unit is off by a larger factor than 3.
  if (declared > 0 && declared * size >= least / 3 && declared * size <= most * 3) {
    snprintf(reason, room, "as the file says, though the figure is %.2f m %s", declared * size, what);
    motion_warn(motion, "The figure is %.2f m %s with the file's unit: give another one if that is wrong.",
                declared * size, what);
    return declared;
  }
  // The unit that gives the most plausible size. Units are in order of how common they are, so a later one must be
  // clearly better.
  const Unit *unit = NULL;
  double unit_error = INFINITY;
  for (int i = 0; i < UNIT_COUNT; i++) {
    const double metres = UNITS[i].metres * size, error = fabs(log(metres / best));
    if (metres >= least && metres <= most && error < unit_error - 0.2) {
      unit = &UNITS[i];
      unit_error = error;
    }
  }
  if (declared > 0)
    motion_warn(motion, "With the file's unit, %g m, the figure is %.4g m %s: another unit is taken.", declared,
                declared * size, what);
  if (!unit) {
    snprintf(reason, room, "no known unit fits, the figure is made %.1f m %s", best, what);
    motion_warn(motion, "No known unit gives a sensible size (%.4g units %s): it is made %.1f m.", size, what, best);
    return best / size;
  }
  snprintf(reason, room, "the figure is %.2f m %s in %s", unit->metres * size, what, unit->name);
  return unit->metres;
}

// ---- Up ----

// How often the body's long axis points along x, y and z.
typedef struct Stance {
  double share[3];
} Stance;

// The direction from the feet to the head or, for a figure that is not human, to the hips.

static bool body_axis(const Figure *figure, const vec3s *positions, vec3s *axis) {
  if (figure->feet[0] < 0)
    return false;
  const int top = figure->is_human ? figure->head : figure->hips;
  *axis = glms_vec3_sub(positions[top], figure_feet(figure, positions));
  const float length = glms_vec3_norm(*axis);
  if (!(length > 0))
    return false;
  *axis = glms_vec3_scale(*axis, 1 / length);
  return true;
}

static void add_stance(Stance *stance, vec3s axis, double weight) {
  for (int i = 0; i < 3; i++)
    stance->share[i] += axis.raw[i] > 0.8f ? weight : 0;
}

static int find_up(Motion *motion, const Figure *figure, double declared_unit) {
  vec3s positions[MOTION_MAX_JOINTS], axis, first = {{0}}, last = {{0}};
  versors rotations[MOTION_MAX_JOINTS];
  Stance rest = {0}, frames = {0};
  const char *standard = declared_unit > 0 ? "as the format says" : "as is usual, no sign of another";
  snprintf(motion->up_reason, sizeof motion->up_reason, "%s", standard);
  motion_place_bind(motion, positions, rotations);
  if (!body_axis(figure, positions, &axis) || (!figure->is_human && declared_unit > 0))
    return 1;
  add_stance(&rest, axis, 1);
  const int step = motion->frame_count > 500 ? motion->frame_count / 500 : 1;
  double seen = 0;
  for (int f = 0; f < motion->frame_count; f += step, seen++) {
    motion_place(motion, f, positions, rotations);
    if (body_axis(figure, positions, &axis))
      add_stance(&frames, axis, 1);
    first = f == 0 ? positions[figure->hips] : first;
    last = positions[figure->hips];
  }
  int up = 0;
  for (int i = 1; i < 3; i++)
    up = frames.share[i] > frames.share[up] ? i : up;
  const double share = frames.share[up] / seen;
  if (up == 1 && share > 0.5) {
    snprintf(motion->up_reason, sizeof motion->up_reason, "the body stands along y in %.0f %% of the frames",
             100 * share);
    return 1;
  }
  // The figure may be lying. The axis of the frames is taken only if the rest pose has the same one, or if the figure
  // moves perpendicular to it.
  vec3s way = glms_vec3_sub(last, first);
  const float along = fabsf(way.raw[up]);
  way.raw[up] = 0;
  const bool walks =
      (double)glms_vec3_norm(way) > 0.5 * figure_stature(motion, figure) && along < 0.2f * glms_vec3_norm(way);
  if (share > 0.6 && frames.share[1] < 0.1 * seen && (rest.share[up] > 0 || walks)) {
    snprintf(motion->up_reason, sizeof motion->up_reason, "the body stands along %c in %.0f %% of the frames%s",
             "xyz"[up], 100 * share, rest.share[up] > 0 ? " and in the rest pose" : " and walks across it");
    return up;
  }
  return 1;
}

// ---- Front ----

// The direction in which the figure faces, from its left and right joints or from its toes; not unit. Zero: unknown.
static vec3s find_facing(const Motion *motion, const vec3s *positions, vec3s up) {
  vec3s middle[2] = {0}, facing = {{0}};
  float counts[2] = {0, 0};
  for (int j = 0; j < motion->joint_count; j++) {
    const int side = motion_side(motion->joints[j].name);
    if (side != 0) {
      middle[side < 0] = glms_vec3_add(middle[side < 0], positions[j]);
      counts[side < 0]++;
    }
  }
  if (counts[0] > 0 && counts[1] > 0)
    return glms_vec3_cross(
        glms_vec3_sub(glms_vec3_scale(middle[0], 1 / counts[0]), glms_vec3_scale(middle[1], 1 / counts[1])), up);
  for (int j = 0; j < motion->joint_count; j++)
    if (motion->joints[j].parent >= 0 && motion_has_word(motion->joints[j].name, (const char *const[]){"toe", NULL}))
      facing = glms_vec3_add(facing, glms_vec3_sub(positions[j], positions[motion->joints[j].parent]));
  return glms_vec3_sub(facing, glms_vec3_scale(up, glms_vec3_dot(facing, up)));
}

// The front of a figure whose joints have no telling names: the rest pose is symmetric, and the front is perpendicular
// to that axis, where the tips of the feet are. Zero: unknown.
static vec3s find_symmetry(const Motion *motion, const vec3s *positions, int up) {
  const int count = motion->joint_count, axes[2] = {(up + 1) % 3, (up + 2) % 3};
  double mismatch[2] = {0, 0};
  float low = INFINITY, high = -INFINITY;
  for (int j = 0; j < count; j++) {
    low = fminf(low, positions[j].raw[up]);
    high = fmaxf(high, positions[j].raw[up]);
    for (int a = 0; a < 2; a++) {
      // Mirrored about the root, which lies in the middle plane.
      vec3s mirrored = positions[j];
      mirrored.raw[axes[a]] = 2 * positions[0].raw[axes[a]] - mirrored.raw[axes[a]];
      float nearest = INFINITY;
      for (int k = 0; k < count; k++)
        nearest = fminf(nearest, glms_vec3_distance2(mirrored, positions[k]));
      mismatch[a] += sqrt((double)nearest);
    }
  }
  const int across = mismatch[0] < mismatch[1] ? 0 : 1, ahead = axes[1 - across];
  vec3s facing = {{0}};
  if (count < 8 || mismatch[across] > 0.3 * mismatch[1 - across])
    return facing;
  for (int j = 1; j < count; j++) {
    bool is_tip = positions[j].raw[up] < low + 0.15f * (high - low);
    for (int k = j + 1; k < count && is_tip; k++)
      is_tip = motion->joints[k].parent != j;
    if (is_tip)
      facing.raw[ahead] += positions[j].raw[ahead] - positions[motion->joints[j].parent].raw[ahead];
  }
  return facing;
}

static vec3s axis_vector(int axis) { // 0 +x .. 5 -z
  vec3s vector = {{0}};
  vector.raw[axis % 3] = axis < 3 ? 1 : -1;
  return vector;
}

static int nearest_axis(vec3s vector, int up) {
  int best = up == 2 ? 0 : 2;
  for (int axis = 0; axis < 6; axis++)
    if (axis % 3 != up && glms_vec3_dot(vector, axis_vector(axis)) > glms_vec3_dot(vector, axis_vector(best)) + 1e-6f)
      best = axis;
  return best;
}

static const char *axis_name(int axis) {
  static const char *const NAMES[] = {"+x", "+y", "+z", "-x", "-y", "-z"};
  return NAMES[axis];
}

static int find_front(Motion *motion, int up_axis) {
  const vec3s up = axis_vector(up_axis);
  char *reason = motion->front_reason;
  const size_t room = sizeof motion->front_reason;
  vec3s positions[MOTION_MAX_JOINTS], sum = {{0}}, first = {{0}}, last = {{0}};
  versors rotations[MOTION_MAX_JOINTS];
  const int step = motion->frame_count > 500 ? motion->frame_count / 500 : 1;
  float seen = 0;
  for (int f = 0; f < motion->frame_count; f += step, seen++) {
    motion_place(motion, f, positions, rotations);
    sum = glms_vec3_add(sum, glms_vec3_normalize(find_facing(motion, positions, up)));
    first = f == 0 ? positions[0] : first;
    last = positions[0];
  }
  motion_place_bind(motion, positions, rotations);
  const vec3s rest = glms_vec3_normalize(find_facing(motion, positions, up));
  const float steadiness = glms_vec3_norm(sum) / seen;
  if (steadiness > 0.7f) {
    const int front = nearest_axis(sum, up_axis), rest_front = nearest_axis(rest, up_axis);
    snprintf(reason, room, "it faces there in the frames, by left and right%s%s",
             rest_front != front ? "; in the rest pose " : "", rest_front != front ? axis_name(rest_front) : "");
    return front;
  }
  if (glms_vec3_norm(rest) > 0.5f) {
    snprintf(reason, room, "the rest pose faces there, by left and right");
    return nearest_axis(rest, up_axis);
  }
  const vec3s symmetric = find_symmetry(motion, positions, up_axis);
  if ((double)glms_vec3_norm(symmetric) > 0.01 * motion_extent(motion)) {
    snprintf(reason, room, "the rest pose is the same on both sides across it, and its feet point there");
    return nearest_axis(symmetric, up_axis);
  }
  vec3s way = glms_vec3_sub(last, first);
  way.raw[up_axis] = 0;
  if ((double)glms_vec3_norm(way) > 0.3 * motion_extent(motion)) {
    snprintf(reason, room, "it goes there");
    return nearest_axis(way, up_axis);
  }
  snprintf(reason, room, "as is usual, no sign of another");
  return up_axis == 2 ? 4 : 2; // Z up: front is -y, as in Blender
}

// ---- Into our frame ----

// The rotation that brings the axes `up` and `front` to our Y and Z: its rows are our axes in the file's frame.
static mat3s turn_from(vec3s up, vec3s front) {
  return glms_mat3_transpose((mat3s){.col = {glms_vec3_cross(up, front), up, front}});
}

static void turn_root(vec3s *position, versors *rotation, mat3s turn) {
  *position = glms_mat3_mulv(turn, *position);
  *rotation = glms_quat_normalize(glms_quat_mul(glms_quat_normalize(glms_mat3_quat(turn)), *rotation));
}

// The rest pose may have another up axis or front than the frames. It is turned to stand along Y and face +Z, since
// retargeting compares it with our bind pose.
static void turn_rest_pose(Motion *motion, const Figure *figure) {
  vec3s positions[MOTION_MAX_JOINTS], body;
  versors rotations[MOTION_MAX_JOINTS];
  motion_place_bind(motion, positions, rotations);
  int up = 1;
  if (figure->is_human && body_axis(figure, positions, &body))
    for (int axis = 0; axis < 6; axis++)
      up = glms_vec3_dot(body, axis_vector(axis)) > 0.8f ? axis : up;
  const vec3s facing = find_facing(motion, positions, axis_vector(up));
  const int front = glms_vec3_norm(facing) > 0 ? nearest_axis(facing, up % 3) : up % 3 == 2 ? 1 : 2;
  if ((up == 1 && front == 2) || front % 3 == up % 3)
    return;
  turn_root(&motion->joints[0].bind_position_l, &motion->joints[0].bind_rotation_l,
            turn_from(axis_vector(up), axis_vector(front)));
}

void motion_to_our_frame(Motion *motion, const MotionOptions *options, const MotionSource *source) {
  const Figure figure = motion_figure(motion);
  MotionOptions *found = &motion->found;
  *found = *options;
  snprintf(found->animation, sizeof found->animation, "%s", motion->name);
  snprintf(motion->unit_reason, sizeof motion->unit_reason, "given");
  snprintf(motion->up_reason, sizeof motion->up_reason, "given");
  snprintf(motion->front_reason, sizeof motion->front_reason, "given");
  if (!(found->unit > 0))
    found->unit = find_unit(motion, &figure, source->declared_unit);
  if ((found->up_axis < 0 || found->up_axis > 2) && source->declared_up > 0) {
    found->up_axis = source->declared_up - 1;
    snprintf(motion->up_reason, sizeof motion->up_reason, "as the format says");
  }
  if (found->up_axis < 0 || found->up_axis > 2)
    found->up_axis = find_up(motion, &figure, source->declared_unit);
  if (found->front_axis < 0 || found->front_axis > 5 || found->front_axis % 3 == found->up_axis)
    found->front_axis = find_front(motion, found->up_axis);

  const mat3s turn = turn_from(axis_vector(found->up_axis), axis_vector(found->front_axis));
  const float unit = (float)found->unit;
  const size_t joints = (size_t)motion->joint_count, samples = (size_t)motion->frame_count * joints;
  for (size_t i = 0; i < samples + joints; i++) {
    const bool is_bind = i >= samples;
    vec3s *position = is_bind ? &motion->joints[i - samples].bind_position_l : &motion->position_l[i];
    versors *rotation = is_bind ? &motion->joints[i - samples].bind_rotation_l : &motion->rotation_l[i];
    *position = glms_vec3_scale(*position, unit);
    if (i % joints == 0)
      turn_root(position, rotation, turn);
  }
  for (int i = 0; i < motion->vertex_count; i++)
    motion->vertices[i].position_l = glms_vec3_scale(motion->vertices[i].position_l, unit);
  for (int i = 0; i < motion->mesh_vertex_count; i++)
    for (int k = 0; k < MOTION_MESH_JOINTS; k++)
      motion->mesh_vertices[i].position_l[k] = glms_vec3_scale(motion->mesh_vertices[i].position_l[k], unit);
  turn_rest_pose(motion, &figure);
}
