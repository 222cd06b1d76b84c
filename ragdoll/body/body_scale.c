// Makes a part of a body larger or smaller, with its shapes, its mass and its drive.
#include <math.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"

static void scale_shape(ShapeDef *shape, const double scale[3]) {
  if (shape->kind == SHAPE_BOX) {
    for (int i = 0; i < 3; i++)
      shape->size[i] *= scale[i];
  } else if (shape->kind == SHAPE_SPHERE) {
    shape->size[0] *= pow(scale[0] * scale[1] * scale[2], 1.0 / 3);
  } else {
    const double whole = (2 * shape->size[0] + shape->size[1]) * scale[shape->axis];
    shape->size[0] *= sqrt(scale[(shape->axis + 1) % 3] * scale[(shape->axis + 2) % 3]);
    shape->size[1] = fmax(whole - 2 * shape->size[0], 1e-3 * whole);
  }
}

// Mean squares of the places of a part's mass along x, y, z, times the mass, give its moments.
static void scale_inertia(double inertia[3], double mass, const double scale[3]) {
  const double half = (inertia[0] + inertia[1] + inertia[2]) / 2;
  double squares[3];
  for (int i = 0; i < 3; i++)
    squares[i] = fmax(half - inertia[i], 0) * scale[i] * scale[i] * mass;
  for (int i = 0; i < 3; i++)
    inertia[i] = squares[(i + 1) % 3] + squares[(i + 2) % 3];
}

void body_scale_part(PartDef *part, const double place[3], const double scale[3], double mass) {
  double joint[3];
  memcpy(joint, part->joint.position, sizeof joint);
  for (int i = 0; i < 3; i++) {
    part->joint.position[i] = place[i];
    part->com[i] = place[i] + (part->com[i] - joint[i]) * scale[i];
  }
  for (int k = 0; k < part->shape_count; k++) {
    ShapeDef *shape = &part->shapes[k];
    for (int i = 0; i < 3; i++)
      shape->center_m[i] = place[i] + (shape->center_m[i] - joint[i]) * scale[i];
    scale_shape(shape, scale);
  }
  scale_inertia(part->inertia, mass, scale);
  part->products[0] *= mass * scale[0] * scale[1];
  part->products[1] *= mass * scale[0] * scale[2];
  part->products[2] *= mass * scale[1] * scale[2];
  part->mass *= mass;
}

void body_scale_drive(JointDef *joint, double torque, double time) {
  joint->strength *= torque;
  double *const stiffness[] = {&joint->stiffness, &joint->reflex_stiffness, &joint->space_stiffness};
  double *const damping[] = {&joint->damping, &joint->reflex_damping, &joint->space_damping};
  for (int i = 0; i < 3; i++) {
    *stiffness[i] *= torque;
    *damping[i] *= torque * time;
  }
}

double body_top(const BodyDef *body) {
  double top = 0;
  for (int i = 0; i < body->part_count; i++)
    for (int k = 0; k < body->parts[i].shape_count; k++)
      top = fmax(top, body->parts[i].shapes[k].center_m[1] + shape_half_size(&body->parts[i].shapes[k], 1));
  return top;
}
