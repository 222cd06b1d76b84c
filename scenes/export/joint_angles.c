// Converts joint rotations to named angles about OpenSim's axes and back, and finds the axes of a body's joints.
#include "scenes/export/joint_angles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AXIS_X, AXIS_Y, AXIS_Z };

// Adding 0 turns -0 into 0, which makes files easier to read.
void opensim_vector(const double v[3], double out[3]) {
  const double turned[3] = {v[2], v[1], 0 - v[0]};
  memcpy(out, turned, sizeof turned);
}

// Rotations in double, so that angles keep their precision.
typedef struct Turn {
  double q[4]; // x y z w
} Turn;

static Turn turn_of(versors q) {
  Turn turn = {{(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
  double square = 0;
  for (int k = 0; k < 4; k++)
    square += turn.q[k] * turn.q[k];
  for (int k = 0; k < 4; k++)
    turn.q[k] /= sqrt(square);
  return turn;
}

static Turn turn_about(int axis, double angle) {
  Turn turn = {{0, 0, 0, cos(angle / 2)}};
  turn.q[axis] = sin(angle / 2);
  return turn;
}

static Turn turn_product(Turn a, Turn b) {
  const double *p = a.q, *q = b.q;
  return (Turn){
      {p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1], p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
       p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0], p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]}};
}

// [row][column]: a column is an axis of the child in its parent's frame.
static void turn_matrix(Turn turn, double m[3][3]) {
  const double x = turn.q[0], y = turn.q[1], z = turn.q[2], w = turn.q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  memcpy(m, rows, sizeof rows);
}

// ---- Which coordinates a body has ----

// Parts that get the names of OpenSim's coordinates if their joints are of the same kind.
typedef struct KnownPart {
  const char *stem;
  int kind, twist_axis; // JointKind
  const char *names[3];
  double flip; // sign of the first axis: +1 turns a hanging child forward
} KnownPart;

static const KnownPart known_parts[] = {
    {"thigh", JOINT_BALL, AXIS_Y, {"hip_flexion", "hip_adduction", "hip_rotation"}, 1},
    {"shin", JOINT_HINGE, AXIS_X, {"knee_angle"}, -1},
    {"foot", JOINT_UNIVERSAL, AXIS_Y, {"ankle_angle", "subtalar_angle"}, 1},
    {"upper_arm", JOINT_BALL, AXIS_Y, {"arm_flex", "arm_add", "arm_rot"}, 1},
    {"forearm", JOINT_HINGE, AXIS_X, {"elbow_flex"}, 1},
};

// 'l', 'r', or '\0' for parts without a side.
static char side_of(const char *part) {
  const size_t length = strlen(part);
  const bool has_side = length > 2 && part[length - 2] == '_' && (part[length - 1] == 'l' || part[length - 1] == 'r');
  return has_side ? part[length - 1] : '\0';
}

static const KnownPart *find_known(const PartDef *part) {
  if (side_of(part->name) == '\0')
    return NULL;
  for (size_t i = 0; i < sizeof known_parts / sizeof known_parts[0]; i++) {
    const KnownPart *known = &known_parts[i];
    if (strlen(known->stem) == strlen(part->name) - 2 && strncmp(known->stem, part->name, strlen(known->stem)) == 0 &&
        known->kind == part->joint.kind && known->twist_axis == part->joint.twist_axis)
      return known;
  }
  return NULL;
}

static AngleGroup *add_group(JointAngles *angles, int joint, int base) {
  AngleGroup *group = &angles->groups[angles->group_count++];
  *group = (AngleGroup){.joint = joint, .base = base, .first = angles->count};
  return group;
}

// OpenSim's z is Stagger's -x, its x is z.
static double axis_sign(int axis) { return axis == AXIS_X ? -1 : 1; }

static void add_angle(JointAngles *angles, AngleGroup *group, int axis, double sign) {
  group->axes[group->count++] = axis;
  angles->sign[angles->count++] = sign;
}

static char *last_name(JointAngles *angles) { return angles->names[angles->count - 1]; }

// Three named angles, about x (OpenSim's z), z and y.
static void add_body_angles(JointAngles *angles, AngleGroup *group, const char *prefix, const char *const names[3]) {
  static const int order[3] = {AXIS_X, AXIS_Z, AXIS_Y};
  for (int i = 0; i < 3; i++) {
    add_angle(angles, group, order[i], axis_sign(order[i]));
    snprintf(last_name(angles), ANGLE_NAME_SIZE, "%s_%s", prefix, names[i]);
  }
}

// The axes of a joint in the order of its rotations. Those of a universal joint are as in ragdoll.c.
static int joint_axes(const JointDef *joint, int axes[3]) {
  static const int of_ball[3][3] = {{AXIS_Z, AXIS_Y, AXIS_X}, {AXIS_X, AXIS_Z, AXIS_Y}, {AXIS_X, AXIS_Y, AXIS_Z}};
  static const int of_universal[3][2] = {{AXIS_Y, AXIS_Z}, {AXIS_X, AXIS_Z}, {AXIS_X, AXIS_Y}};
  switch (joint->kind) {
  case JOINT_HINGE:
    axes[0] = joint->twist_axis;
    return 1;
  case JOINT_UNIVERSAL:
    memcpy(axes, of_universal[joint->twist_axis], 2 * sizeof axes[0]);
    axes[2] = joint->twist_axis;
    return 2;
  case JOINT_BALL:
  case JOINT_ROOT:
    break;
  }
  memcpy(axes, of_ball[joint->twist_axis], 3 * sizeof axes[0]);
  return 3;
}

static void add_joint(JointAngles *angles, int joint) {
  static const char opensim_axes[3] = {[AXIS_X] = 'z', [AXIS_Y] = 'y', [AXIS_Z] = 'x'};
  const PartDef *part = &angles->body->parts[joint];
  const KnownPart *known = find_known(part);
  const char side = side_of(part->name);
  AngleGroup *group = add_group(angles, joint, part->parent);
  int axes[3] = {0};
  const int count = joint_axes(&part->joint, axes);
  for (int i = 0; i < count; i++) {
    double sign = axis_sign(axes[i]);
    if (known)
      sign *= axes[i] == AXIS_X ? known->flip : side == 'l' ? -1 : 1;
    add_angle(angles, group, axes[i], sign);
    if (known)
      snprintf(last_name(angles), ANGLE_NAME_SIZE, "%s_%c", known->names[i], side);
    else
      snprintf(last_name(angles), ANGLE_NAME_SIZE, "%s_%c", part->name, opensim_axes[axes[i]]);
  }
  group->axes[2] = axes[2]; // the axis that a universal joint lacks
}

// The part to which arms are attached, if there are joints between it and the root; -1: none.
static int find_torso(const BodyDef *body) {
  for (int i = 1; i < body->part_count; i++) {
    const KnownPart *known = find_known(&body->parts[i]);
    const int parent = body->parts[i].parent;
    if (known && strcmp(known->stem, "upper_arm") == 0 && body->parts[parent].parent > 0)
      return parent;
  }
  return -1;
}

void joint_angles_init(JointAngles *angles, const BodyDef *body) {
  static const char *const of_root[3] = {"tilt", "list", "rotation"};
  static const char *const of_torso[3] = {"extension", "bending", "rotation"};
  *angles = (JointAngles){.body = body};
  add_body_angles(angles, add_group(angles, 0, -1), body->parts[0].name, of_root);
  for (int i = 1; i < body->part_count; i++)
    add_joint(angles, i);
  const int torso = find_torso(body);
  if (torso < 0)
    return;
  AngleGroup *group = add_group(angles, torso, 0);
  add_body_angles(angles, group, "lumbar", of_torso);
  group->is_extra = true;
}

// ---- Measuring ----

// The angle plus the number of whole turns that brings it nearest to `other`.
static double near_to(double angle, double other) { return angle + 2 * M_PI * round((other - angle) / (2 * M_PI)); }

static double twist_of(Turn turn, int axis, double before) {
  return near_to(2 * atan2(turn.q[axis], turn.q[3]), before);
}

// Angles a, b, c with m = turn(i, a) turn(j, b) turn(k, c), near those of the frame before. For axes i j k in cyclic
// order: m[i][k] = sin b, m[j][k] = -sin a cos b, m[k][k] = cos a cos b, m[i][j] = -cos b sin c, m[i][i] = cos b cos c;
// in the other order all angles have the opposite sign.
static void sequence_of(double m[3][3], const int axes[3], const double before[3], double angles[3]) {
  const int i = axes[0], j = axes[1], k = axes[2];
  const double sense = (i + 1) % 3 == j ? 1 : -1, sine = fmin(fmax(m[i][k], -1), 1);
  const double cosine = hypot(m[i][i], m[i][j]);
  double one[3], other[3], distance[2] = {0, 0};
  if (cosine > 1e-7) {
    one[0] = sense * atan2(-m[j][k], m[k][k]);
    one[2] = sense * atan2(-m[i][j], m[i][i]);
  } else { // gimbal lock: only a + c or c - a is determined
    one[2] = before[2];
    const double sum = sense * atan2(m[j][i], m[j][j]);
    one[0] = sine > 0 ? sum - one[2] : one[2] - sum;
  }
  one[1] = sense * atan2(sine, cosine);
  other[0] = one[0] + M_PI;
  other[1] = M_PI - one[1];
  other[2] = one[2] + M_PI;
  for (int n = 0; n < 3; n++) {
    one[n] = near_to(one[n], before[n]);
    other[n] = near_to(other[n], before[n]);
    distance[0] += (one[n] - before[n]) * (one[n] - before[n]);
    distance[1] += (other[n] - before[n]) * (other[n] - before[n]);
  }
  memcpy(angles, distance[0] <= distance[1] ? one : other, sizeof one);
}

// The same for a universal joint, which has no c. Both angles are known at any b, and nearest to m where c is not 0:
// m[j][j] = cos a, m[k][j] = sin a, m[i][i] = cos b, m[i][k] = sin b.
static void universal_of(double m[3][3], const int axes[3], const double before[2], double angles[2]) {
  const int i = axes[0], j = axes[1], k = axes[2];
  const double sense = (i + 1) % 3 == j ? 1 : -1;
  angles[0] = near_to(sense * atan2(m[k][j], m[j][j]), before[0]);
  angles[1] = near_to(sense * atan2(m[i][k], m[i][i]), before[1]);
}

// The rotation of a group's joint in the frame of its base.
static Turn turn_in_base(const JointAngles *angles, const AngleGroup *group, const versors *local) {
  Turn turn = turn_of(local[group->joint]);
  const JointDef *joint = &angles->body->parts[group->joint].joint;
  for (int p = angles->body->parts[group->joint].parent; p != group->base; p = angles->body->parts[p].parent)
    turn = turn_product(turn_of(local[p]), turn);
  if (joint->turned && !group->is_extra)
    joint_vector_in(joint, turn.q, turn.q);
  return turn;
}

static void measure_group(const JointAngles *angles, const AngleGroup *group, const versors *local,
                          const double *before, double *values) {
  double last[3] = {0}, now[3], m[3][3];
  for (int n = 0; n < group->count && before; n++)
    last[n] = before[group->first + n] * angles->sign[group->first + n];
  const Turn turn = turn_in_base(angles, group, local);
  if (group->count == 1) {
    now[0] = twist_of(turn, group->axes[0], last[0]);
  } else {
    turn_matrix(turn, m);
    if (group->count == 2)
      universal_of(m, group->axes, last, now);
    else
      sequence_of(m, group->axes, last, now);
  }
  for (int n = 0; n < group->count; n++)
    values[group->first + n] = now[n] * angles->sign[group->first + n] + 0.0;
}

void joint_angles_measure(const JointAngles *angles, const TraceMotion *motion, const double *before, double *values,
                          size_t stride) {
  for (int f = 0; f < motion->frame_count; f++) {
    const versors *local = &motion->rotation[(size_t)f * (size_t)motion->joint_count];
    double *row = values + (size_t)f * stride;
    for (int g = 0; g < angles->group_count; g++)
      measure_group(angles, &angles->groups[g], local, f > 0 ? row - stride : before, row);
  }
}

// ---- Rebuilding ----

static double turn_angle(const JointAngles *angles, const AngleGroup *group, const double *values, int number) {
  return values[group->first + number] * angles->sign[group->first + number];
}

void joint_angles_rebuild(const JointAngles *angles, const double *values, versors *rotations) {
  for (int g = 0; g < angles->group_count; g++) {
    const AngleGroup *group = &angles->groups[g];
    if (group->is_extra)
      continue;
    Turn turn = {{0, 0, 0, 1}};
    for (int n = 0; n < group->count; n++)
      turn = turn_product(turn, turn_about(group->axes[n], turn_angle(angles, group, values, n)));
    const JointDef *joint = &angles->body->parts[group->joint].joint;
    if (joint->turned)
      joint_vector_out(joint, turn.q, turn.q);
    for (int k = 0; k < 4; k++)
      rotations[group->joint].raw[k] = (float)turn.q[k];
  }
}

void joint_angles_axes(const JointAngles *angles, const AngleGroup *group, const double *values, versors base_w,
                       double axes[3][3]) {
  Turn turn = turn_of(base_w);
  const JointDef *joint = &angles->body->parts[group->joint].joint;
  if (joint->turned && !group->is_extra)
    turn = turn_product(turn, turn_of(joint_versor(joint)));
  for (int n = 0; n < group->count; n++) {
    double m[3][3];
    turn_matrix(turn, m);
    for (int k = 0; k < 3; k++)
      axes[n][k] = m[k][group->axes[n]] * angles->sign[group->first + n];
    turn = turn_product(turn, turn_about(group->axes[n], turn_angle(angles, group, values, n)));
  }
}
