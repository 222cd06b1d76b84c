// Writes bodies as models of MuJoCo.
#include "ragdoll/body/body_mjcf.h"

#include <math.h>

#include "sim/base/numbers.h"

// x, y, z of MuJoCo (forward, left, up) as axes of a body's frame (left, up, forward).
static const int OF_BODY[3] = {2, 0, 1};

static void write_vector(const char *name, const double v[3], TextBuffer *text) {
  text_print(text, " %s=\"%.9g %.9g %.9g\"", name, v[OF_BODY[0]] + 0.0, v[OF_BODY[1]] + 0.0, v[OF_BODY[2]] + 0.0);
}

static void indent(int depth, TextBuffer *text) { text_print(text, "%*s", 2 * depth, ""); }

static void write_shape(const ShapeDef *shape, const double joint[3], TextBuffer *text) {
  double center[3];
  for (int i = 0; i < 3; i++)
    center[i] = shape->center_m[i] - joint[i];
  double rotation[4];
  shape_rotation(shape, rotation);
  if (shape->kind == SHAPE_CAPSULE) {
    double ends[6], half[3] = {0};
    half[shape->axis] = shape->size[1] / 2;
    if (shape->turned)
      quaternion_turn(rotation, half, half);
    for (int i = 0; i < 6; i++) {
      const int axis = OF_BODY[i % 3];
      ends[i] = center[axis] + (i < 3 ? -half[axis] : half[axis]);
    }
    text_print(text, "<geom type=\"capsule\" size=\"%.9g\" fromto=\"%.9g %.9g %.9g %.9g %.9g %.9g\"/>\n",
               shape->size[0], ends[0] + 0.0, ends[1] + 0.0, ends[2] + 0.0, ends[3] + 0.0, ends[4] + 0.0,
               ends[5] + 0.0);
    return;
  }
  if (shape->kind == SHAPE_BOX) {
    const double half[3] = {shape->size[0] / 2, shape->size[1] / 2, shape->size[2] / 2};
    text_print(text, "<geom type=\"box\"");
    write_vector("size", half, text);
    if (shape->turned)
      text_print(text, " quat=\"%.9g %.9g %.9g %.9g\"", rotation[0], rotation[3], rotation[1], rotation[2]);
  } else {
    text_print(text, "<geom type=\"sphere\" size=\"%.9g\"", shape->size[0]);
  }
  write_vector("pos", center, text);
  text_print(text, "/>\n");
}

// The axes of a joint that are not locked, from the parent to the part: the swing about the two others, then the twist.
// Returns their number.
static int order_axes(const JointDef *joint, int axes[3]) {
  int count = 0;
  for (int i = 1; i <= 3; i++) {
    const int axis = (joint->twist_axis + i) % 3;
    if (joint_turns(joint, axis) && joint->limit[axis][0] < joint->limit[axis][1])
      axes[count++] = axis;
  }
  return count;
}

static void write_joints(const PartDef *part, int depth, TextBuffer *text) {
  const JointDef *joint = &part->joint;
  if (joint->kind == JOINT_ROOT) {
    indent(depth, text);
    text_print(text, "<freejoint name=\"%s\"/>\n", part->name);
    return;
  }
  int axes[3];
  const int count = order_axes(joint, axes);
  for (int i = 0; i < count; i++) {
    const int axis = axes[i];
    const double *limit = joint->limit[axis];
    indent(depth, text);
    double direction[3];
    joint_axis(joint, axis, direction);
    text_print(text, "<joint name=\"%s_%c\"", part->name, "xyz"[axis]);
    write_vector("axis", direction, text);
    text_print(text, " damping=\"%.9g\"", joint->damping);
    if (joint->armature[axis] > 0)
      text_print(text, " armature=\"%.9g\"", joint->armature[axis]);
    if (limit[1] - limit[0] < 2 * M_PI - 1e-9)
      text_print(text, " limited=\"true\" range=\"%.9g %.9g\"", limit[0], limit[1]);
    text_print(text, "/>\n");
  }
}

// The ends of soles are sites, by which the legs are found again.
static void write_soles(const BodyDef *body, int part, int depth, TextBuffer *text) {
  for (int i = 0; i < body->skeleton.leg_count; i++) {
    const Leg *leg = &body->skeleton.legs[i];
    for (int end = 0; end < 2 && leg->ankle == part; end++) {
      const vec3s place = end == 0 ? leg->heel_l : leg->toe_l;
      indent(depth, text);
      text_print(text, "<site name=\"%s_%s\" size=\"%.7g\"", leg->name, end == 0 ? "heel" : "toe",
                 (double)leg->half_width);
      write_vector("pos", (const double[]){(double)place.x, (double)place.y, (double)place.z}, text);
      text_print(text, "/>\n");
    }
  }
}

static void write_part(const BodyDef *body, int index, int depth, TextBuffer *text) {
  const PartDef *part = &body->parts[index];
  const double *joint = part->joint.position;
  double place[3], com[3];
  for (int i = 0; i < 3; i++) {
    place[i] = joint[i] - (index > 0 ? body->parts[part->parent].joint.position[i] : 0);
    com[i] = part->com[i] - joint[i];
  }
  indent(depth, text);
  text_print(text, "<body name=\"%s\"", part->name);
  write_vector("pos", place, text);
  text_print(text, ">\n");
  indent(depth + 1, text);
  text_print(text, "<inertial mass=\"%.9g\"", part->mass);
  write_vector("pos", com, text);
  if (part_has_products(part)) {
    const double *m = part->inertia, *p = part->products;
    text_print(text, " fullinertia=\"%.9g %.9g %.9g %.9g %.9g %.9g\"", m[2], m[0], m[1], p[1], p[2], p[0]);
  } else {
    write_vector("diaginertia", part->inertia, text);
  }
  text_print(text, "/>\n");
  write_joints(part, depth + 1, text);
  for (int i = 0; i < part->shape_count; i++) {
    indent(depth + 1, text);
    write_shape(&part->shapes[i], joint, text);
  }
  write_soles(body, index, depth + 1, text);
  for (int i = index + 1; i < body->part_count; i++)
    if (body->parts[i].parent == index)
      write_part(body, i, depth + 1, text);
  indent(depth, text);
  text_print(text, "</body>\n");
}

// MuJoCo itself lets no part touch its parent.
static void write_excludes(const BodyDef *body, TextBuffer *text) {
  for (int i = 0; i < body->part_count; i++)
    for (int k = i + 1; k < body->part_count; k++)
      if (!body->collides[i][k] && body->parts[k].parent != i)
        text_print(text, "    <exclude body1=\"%s\" body2=\"%s\"/>\n", body->parts[i].name, body->parts[k].name);
}

static void write_motors(const BodyDef *body, TextBuffer *text) {
  for (int i = 1; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    int axes[3];
    const int count = order_axes(&part->joint, axes);
    for (int k = 0; k < count; k++) {
      const char axis = "xyz"[axes[k]];
      const double strength = joint_axis_strength(&part->joint, axes[k]);
      text_print(text,
                 "    <position name=\"%s_%c\" joint=\"%s_%c\" kp=\"%.9g\" forcelimited=\"true\" "
                 "forcerange=\"%.9g %.9g\"/>\n",
                 part->name, axis, part->name, axis, part->joint.stiffness, -strength, strength);
    }
  }
}

// The strength of joints of several axes as the norm over them, for Stagger itself.
static void write_norms(const BodyDef *body, TextBuffer *text) {
  for (int i = 1; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    int axes[3];
    if (order_axes(&part->joint, axes) > 1)
      text_print(text, "    <numeric name=\"%s_strength\" data=\"%.9g\"/>\n", part->name, part->joint.strength);
  }
}

void body_write_mjcf(const BodyDef *body, TextBuffer *text) {
  text_print(text,
             "<!-- A body made by `stagger body`. X forward, Y left, Z up; m, kg, rad. -->\n"
             "<mujoco model=\"%s\">\n"
             "  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
             "  <option timestep=\"%.9g\"/>\n"
             "  <default>\n"
             "    <geom friction=\"0.9 0.005 0.0001\"/>\n"
             "  </default>\n"
             "  <worldbody>\n"
             "    <geom name=\"ground\" type=\"plane\" size=\"50 50 1\"/>\n",
             body->name, 1.0 / 240);
  write_part(body, 0, 2, text);
  text_print(text, "  </worldbody>\n  <contact>\n");
  write_excludes(body, text);
  text_print(text, "  </contact>\n  <actuator>\n");
  write_motors(body, text);
  text_print(text, "  </actuator>\n  <custom>\n");
  write_norms(body, text);
  text_print(text, "  </custom>\n</mujoco>\n");
}
