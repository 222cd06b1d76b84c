// Writes bodies as body files.
#include "ragdoll/body/body_write.h"

#include <math.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"
#include "sim/base/numbers.h"

static void write_about(const char *about, TextBuffer *text) {
  while (about && *about != '\0') {
    const size_t length = strcspn(about, "\n");
    text_print(text, length > 0 ? "# %.*s\n" : "#%.*s\n", (int)length, about);
    about += length + (about[length] == '\n');
  }
}

static void write_point(TextBuffer *text, const double p[3]) {
  double rounded[3];
  for (int i = 0; i < 3; i++)
    rounded[i] = fabs(p[i]) > 1e-12 ? p[i] : 0; // what rounding has left of 0, and -0
  text_print(text, "[%.7g, %.7g, %.7g]", rounded[0], rounded[1], rounded[2]);
}

static void write_shape(const ShapeDef *shape, TextBuffer *text) {
  const double *size = shape->size;
  if (shape->kind == SHAPE_BOX)
    text_print(text, "{box: [%.7g, %.7g, %.7g], center: ", size[0], size[1], size[2]);
  else if (shape->kind == SHAPE_CAPSULE)
    text_print(text, "{capsule: [%.7g, %.7g], axis: %c, center: ", size[0], size[1], "xyz"[shape->axis]);
  else
    text_print(text, "{sphere: %.7g, center: ", size[0]);
  write_point(text, shape->center_m);
  if (shape->turned) {
    const double *t = shape->turn;
    text_print(text, ", turn: ");
    write_point(text, (const double[]){t[0] / RAD_PER_DEGREE, t[1] / RAD_PER_DEGREE, t[2] / RAD_PER_DEGREE});
  }
  text_print(text, "}");
}

static void write_drive(const JointDef *joint, TextBuffer *text) {
  JointDef usual;
  param_defaults(&joint_params, &usual);
  for (int i = 0; i < joint_params.count; i++) {
    const Param *row = &joint_params.rows[i];
    const double *value = (const double *)(const void *)((const char *)joint + row->offset);
    if (param_is_equal(row, joint, &usual) || value == joint->position || value == joint->turn)
      continue;
    if (row->type == PARAM_REAL)
      text_print(text, ", %s: %.7g", row->name, *value);
    if (row->type == PARAM_VECTOR) {
      text_print(text, ", %s: ", row->name);
      write_point(text, value);
    }
  }
}

static void write_joint(const JointDef *joint, TextBuffer *text) {
  static const char *const kinds[] = {"root", "ball", "universal", "hinge"};
  const double *const ranges[] = {joint->x, joint->y, joint->z};
  text_print(text, "    joint: {kind: %s, position: ", kinds[joint->kind]);
  write_point(text, joint->position);
  if (joint->kind != JOINT_ROOT) {
    if (joint->turned) {
      text_print(text, ", turn: ");
      write_point(text, joint->turn);
    }
    text_print(text, ", twist_axis: %c", "xyz"[joint->twist_axis]);
    for (int i = 0; i < 3; i++)
      if (joint_turns(joint, i))
        text_print(text, ", %c: [%.7g, %.7g]", "xyz"[i], ranges[i][0], ranges[i][1]);
    text_print(text, ",\n           ");
    TextBuffer drive = {0};
    write_drive(joint, &drive);
    if (drive.size > 2)
      text_append(text, drive.bytes + 1, drive.size - 1); // without the first comma
    text->failed = text->failed || drive.failed;
    text_free(&drive);
  }
  text_print(text, "}\n");
}

// Whether numbers are the same in a file, in units of `size`.
static bool are_near(const double *a, const double *b, int count, double size) {
  for (int i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= 1e-7 * size))
      return false;
  return true;
}

static bool are_joints_near(const JointDef *a, const JointDef *b) {
  for (int i = 0; i < joint_params.count; i++) {
    const Param *row = &joint_params.rows[i];
    const double *of_a = (const double *)(const void *)((const char *)a + row->offset),
                 *of_b = (const double *)(const void *)((const char *)b + row->offset);
    if (row->type == PARAM_CHOICE && !param_is_equal(row, a, b))
      return false;
    const int count = row->type == PARAM_REAL ? 1 : row->type == PARAM_RANGE ? 2 : row->type == PARAM_VECTOR ? 3 : 0;
    const double size = fmax(1, row->type == PARAM_REAL ? fabs(*of_a) : row->type == PARAM_RANGE ? 180 : 1);
    if (!are_near(of_a, of_b, count, size))
      return false;
  }
  return true;
}

static bool are_shapes_near(const ShapeDef *a, const ShapeDef *b) {
  return a->kind == b->kind && a->axis == b->axis && a->turned == b->turned && are_near(a->size, b->size, 3, 1) &&
         are_near(a->center_m, b->center_m, 3, 1) && are_near(a->turn, b->turn, 3, 100); // a turn is rounded in deg
}

// Whether the file has the part as the mirror image of the one before it.
static bool is_image(const BodyDef *body, int index) {
  const PartDef *part = &body->parts[index];
  if (index < 1 || part->twin != index - 1 || part->foot != body->parts[index - 1].foot ||
      part->parent != body->parts[body->parts[index - 1].parent].twin)
    return false;
  PartDef image = body->parts[index - 1];
  body_mirror_part(&image);
  const double size = part->inertia[0] + part->inertia[1] + part->inertia[2];
  bool same = part->shape_count == image.shape_count && are_near(&part->mass, &image.mass, 1, part->mass) &&
              are_near(part->com, image.com, 3, 1) && are_near(part->inertia, image.inertia, 3, size) &&
              are_near(part->products, image.products, 3, size) && are_joints_near(&part->joint, &image.joint);
  for (int i = 0; same && i < part->shape_count; i++)
    same = are_shapes_near(&part->shapes[i], &image.shapes[i]);
  return same;
}

static void write_part(const BodyDef *body, int index, TextBuffer *text) {
  const PartDef *part = &body->parts[index];
  text_print(text, "  - name: %s\n", part->name);
  if (part->twin == index + 1 && is_image(body, index + 1))
    text_print(text, "    mirror: %s\n", body->parts[part->twin].name);
  if (part->parent >= 0)
    text_print(text, "    parent: %s\n", body->parts[part->parent].name);
  if (part->twin < index && part->twin >= 0)
    text_print(text, "    twin: %s\n", body->parts[part->twin].name);
  text_print(text, "    mass: %.7g\n    com: ", part->mass);
  write_point(text, part->com);
  text_print(text, "\n    inertia: ");
  write_point(text, part->inertia);
  if (part_has_products(part)) {
    text_print(text, "\n    products: ");
    write_point(text, part->products);
  }
  text_print(text, part->foot ? "\n    foot: true\n" : "\n");
  write_joint(&part->joint, text);
  for (int i = 0; i < part->shape_count; i++) {
    text_print(text, i == 0 ? "    shapes: [" : ",\n             ");
    write_shape(&part->shapes[i], text);
  }
  text_print(text, "]\n");
}

static void write_leg_point(const BodyDef *body, int ankle, const char *key, vec3s point_l, TextBuffer *text) {
  double point[3];
  for (int i = 0; i < 3; i++)
    point[i] = body->parts[ankle].joint.position[i] + (double)point_l.raw[i];
  if (point[1] < 1e-6 && point[1] > -1e-6)
    point[1] = 0; // the sole is on the ground but for rounding
  text_print(text, "%s: ", key);
  write_point(text, point);
}

// The mirror image of a leg is written with it.
static void write_legs(const BodyDef *body, TextBuffer *text) {
  const Skeleton *skeleton = &body->skeleton;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i], *next = i + 1 < skeleton->leg_count ? leg + 1 : NULL;
    if (is_image(body, leg->ankle))
      continue;
    text_print(text, "%s  - {name: %s, ", i == 0 ? "legs:\n" : "", leg->name);
    if (next && is_image(body, next->ankle) && body->parts[next->ankle].twin == leg->ankle)
      text_print(text, "mirror: %s, ", next->name);
    text_print(text, "hip: %s, knee: %s, ankle: %s,\n     ", body->parts[leg->hip].name, body->parts[leg->knee].name,
               body->parts[leg->ankle].name);
    write_leg_point(body, leg->ankle, "heel", leg->heel_l, text);
    write_leg_point(body, leg->ankle, ", toe", leg->toe_l, text);
    text_print(text, ", half_width: %.7g}\n", (double)leg->half_width);
  }
}

void body_write(const BodyDef *body, const char *about, TextBuffer *text) {
  write_about(about, text);
  text_print(text, "name: %s\n", body->name);
  if (fabsf(skeleton_clip_scale(&body->skeleton) - 1) > 1e-6f)
    text_print(text, "clip_scale: %.7g\n", (double)skeleton_clip_scale(&body->skeleton));
  for (int i = 0; i < body->skeleton.absent_count; i++)
    text_print(text, "%s%s%s", i == 0 ? "absent: [" : ", ", body->skeleton.absent[i],
               i + 1 == body->skeleton.absent_count ? "]\n" : "");
  text_print(text, "parts:\n");
  for (int i = 0; i < body->part_count; i++)
    if (!is_image(body, i))
      write_part(body, i, text);
  write_legs(body, text);
}
