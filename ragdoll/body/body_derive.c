// What follows from the parts of a body: its skeleton, which parts collide, its mass, and warnings.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"
#include "sim/base/numbers.h"

// m: parts closer than this in the bind pose would always touch, so they never collide with each other.
static const double BIND_GAP = 0.005;

// Above this ratio of neighbouring masses iterative solvers converge slowly.
static const double MASS_RATIO = 3;

double shape_own_half_size(const ShapeDef *shape, int axis) {
  if (shape->kind == SHAPE_BOX)
    return shape->size[axis] / 2;
  bool along = shape->kind == SHAPE_CAPSULE && axis == shape->axis;
  return along ? shape->size[0] + shape->size[1] / 2 : shape->size[0];
}

void shape_rotation(const ShapeDef *shape, double rotation[4]) {
  const double angle = length3(shape->turn), share = angle > 0 ? sin(angle / 2) / angle : 0;
  rotation[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    rotation[1 + i] = share * shape->turn[i];
}

versors shape_versor(const ShapeDef *shape) {
  double q[4];
  shape_rotation(shape, q);
  return (versors){{(float)q[1], (float)q[2], (float)q[3], (float)q[0]}};
}

double shape_half_size(const ShapeDef *shape, int axis) {
  if (!shape->turned || shape->kind == SHAPE_SPHERE)
    return shape_own_half_size(shape, axis);
  double rotation[4], half = shape->kind == SHAPE_BOX ? 0 : shape->size[0]; // round ends reach as far to all sides
  shape_rotation(shape, rotation);
  for (int k = 0; k < 3; k++) {
    double direction[3] = {0};
    direction[k] = 1;
    quaternion_turn(rotation, direction, direction);
    const double straight = shape->kind == SHAPE_BOX ? shape->size[k] / 2 : k == shape->axis ? shape->size[1] / 2 : 0;
    half += straight * fabs(direction[axis]);
  }
  return half;
}

static void shape_bounds(const ShapeDef *shape, double low[3], double high[3]) {
  for (int i = 0; i < 3; i++) {
    double half = shape_half_size(shape, i);
    low[i] = shape->center_m[i] - half;
    high[i] = shape->center_m[i] + half;
  }
}

// Bounding boxes parallel to the axes in the bind pose show which parts are too close.
static bool parts_overlap(const PartDef *a, const PartDef *b) {
  for (int i = 0; i < a->shape_count; i++)
    for (int k = 0; k < b->shape_count; k++) {
      double low_a[3], high_a[3], low_b[3], high_b[3];
      shape_bounds(&a->shapes[i], low_a, high_a);
      shape_bounds(&b->shapes[k], low_b, high_b);
      bool apart = false;
      for (int axis = 0; axis < 3; axis++)
        if (low_a[axis] > high_b[axis] + BIND_GAP || low_b[axis] > high_a[axis] + BIND_GAP)
          apart = true;
      if (!apart)
        return true;
    }
  return false;
}

static void find_collisions(BodyDef *body) {
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < body->part_count; k++) {
      const PartDef *a = &body->parts[i], *b = &body->parts[k];
      body->collides[i][k] = i != k && a->parent != k && b->parent != i && !parts_overlap(a, b);
    }
}

static void build_skeleton(BodyDef *body) {
  Skeleton *skeleton = &body->skeleton;
  snprintf(skeleton->name, sizeof skeleton->name, "%s", body->name);
  skeleton->count = body->part_count;
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    snprintf(skeleton->names[i], sizeof skeleton->names[i], "%s", part->name);
    skeleton->parent[i] = part->parent;
    skeleton->twin[i] = part->twin;
    const double *from = part->parent >= 0 ? body->parts[part->parent].joint.position : (const double[3]){0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
      skeleton->bind_position_l[i].raw[axis] = (float)(part->joint.position[axis] - from[axis]);
    skeleton->bind_rotation_l[i] = glms_quat_identity();
  }
}

// Appends a sentence, or nothing if it does not fit.
__attribute__((format(printf, 2, 3))) static void warn(char warnings[BODY_WARNINGS_SIZE], const char *format, ...) {
  size_t used = strlen(warnings), room = BODY_WARNINGS_SIZE - used;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(warnings + used, room, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= room)
    warnings[used] = '\0';
}

static void find_warnings(BodyDef *body) {
  for (int i = 1; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i], *parent = &body->parts[part->parent];
    if (part->twin < i)
      continue; // its mirror image has been checked
    const PartDef *light = part->mass < parent->mass ? part : parent, *heavy = light == part ? parent : part;
    if (heavy->mass > MASS_RATIO * light->mass)
      warn(body->mass_warnings,
           "%s: %s weighs %.1f times as much; the iterative solver wants a factor of 3 at most (%.2f kg or more)\n",
           light->name, heavy->name, heavy->mass / light->mass, heavy->mass / MASS_RATIO);
    if (part->joint.stiffness == 0)
      continue;
    double angle = part->joint.strength / part->joint.stiffness; // rad at which the drive saturates
    // with torque_stiffness muscles become stiffer as they pull
    bool soft = angle > 180 * RAD_PER_DEGREE && part->joint.torque_stiffness <= 0;
    if (angle < 0.5 * RAD_PER_DEGREE || soft)
      warn(body->warnings, "%s: stiffness %g N m/rad reaches the strength of %g N m at %.3g deg; try %.4g N m/rad\n",
           part->name, part->joint.stiffness, part->joint.strength, angle / RAD_PER_DEGREE,
           part->joint.strength / (3 * RAD_PER_DEGREE));
  }
}

// Finds which joints carry, and which motions torques at the others depend on.
static void find_loads(BodyDef *body) {
  for (int i = 0; i < body->skeleton.leg_count; i++)
    for (int k = body->skeleton.legs[i].ankle; k > 0; k = body->parts[k].parent)
      body->parts[k].carries = true;
  for (int i = 1; i < body->part_count; i++) {
    PartDef *part = &body->parts[i];
    part->loads = part->moves = !part->carries || body->parts[part->parent].loads;
  }
  for (int i = body->part_count - 1; i > 0; i--)
    body->parts[body->parts[i].parent].moves |= body->parts[i].moves;
}

void body_derive(BodyDef *body) {
  build_skeleton(body);
  body->mass = 0;
  for (int i = 0; i < body->part_count; i++)
    body->mass += body->parts[i].mass;
  find_loads(body);
  find_collisions(body);
  body->warnings[0] = body->mass_warnings[0] = '\0';
  find_warnings(body);
}
