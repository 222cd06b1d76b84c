// Reads a body from its YAML file: parts, shapes, joints with limits and strengths, and their skeleton; checks that it
// is complete.
#include "ragdoll/body/body_def.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_def_internal.h"
#include "sim/base/numbers.h"

PARAM_TABLE(joint_params, JointDef, JOINT_PARAMS, "joint",
            "How a part of a body is attached to its parent, and its drive.")
PARAM_TABLE(part_params, PartDef, PART_PARAMS, "part", "One rigid part of a body.")

static const double FARTHEST = 10; // m, limit of each coordinate of a point

static int part_find(const BodyDef *body, const char *name) {
  for (int i = 0; i < body->part_count; i++)
    if (strcmp(body->parts[i].name, name) == 0)
      return i;
  return -1;
}

static bool read_name(const Node *map, const char *key, char name[SKELETON_NAME_SIZE], Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return node_error(map, error, "missing '%s'", key);
  if (!node_text(node, name, SKELETON_NAME_SIZE, error))
    return false;
  if (name[0] == '\0')
    return node_error(node, error, "'%s' is empty", key);
  return node_check_name(node, name, error);
}

// The index of the part that the key names, among those read so far.
static bool read_part(const BodyDef *body, const Node *map, const char *key, int *index, Error *error) {
  char name[SKELETON_NAME_SIZE];
  if (!read_name(map, key, name, error))
    return false;
  *index = part_find(body, name);
  if (*index >= 0)
    return true;
  const char *names[BODY_MAX_PARTS];
  for (int i = 0; i < body->part_count; i++)
    names[i] = body->parts[i].name;
  return node_error(node_find(map, key), error, "no part '%s' above this line%s", name,
                    name_hint(name, names, body->part_count).text);
}

static bool read_point(const Node *map, const char *key, double point_m[3], Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return node_error(map, error, "missing '%s'", key);
  if (!node_reals(node, point_m, 3, error))
    return false;
  for (int i = 0; i < 3; i++)
    if (fabs(point_m[i]) > FARTHEST)
      return node_error(node, error, "'%s' lies within %g m of the origin", key, FARTHEST);
  return true;
}

// node: NULL: none.
static bool read_turn(ShapeDef *shape, const Node *node, Error *error) {
  double degrees[3];
  if (!node)
    return true;
  if (shape->kind == SHAPE_SPHERE)
    return node_key_error(node, error, "a sphere has no turn");
  if (!node_reals(node, degrees, 3, error))
    return false;
  if (!(length3(degrees) <= 180))
    return node_error(node, error, "'turn' is a rotation vector of at most 180 deg");
  for (int i = 0; i < 3; i++)
    shape->turn[i] = degrees[i] * RAD_PER_DEGREE;
  shape->turned = length3(degrees) > 0;
  return true;
}

static bool read_shape(ShapeDef *shape, const Node *node, Error *error) {
  static const char *const keys[] = {"box", "capsule", "sphere", "axis", "center", "turn", NULL};
  if (node->kind != NODE_MAP)
    return node_error(node, error, "a shape is a map such as {sphere: 0.1, center: [0, 1, 0]}");
  if (!node_check_keys(node, keys, error))
    return false;
  const Node *box = node_find(node, "box"), *capsule = node_find(node, "capsule"), *sphere = node_find(node, "sphere");
  if (!!box + !!capsule + !!sphere != 1)
    return node_error(node, error,
                      "a shape has exactly one of box: [x, y, z], capsule: [radius, length], sphere: radius");
  if (!read_point(node, "center", shape->center_m, error))
    return false;
  shape->axis = 1;
  const Node *axis = node_find(node, "axis");
  if (axis) {
    char text[8];
    if (!capsule)
      return node_key_error(axis, error, "only capsules have an axis");
    if (!node_text(axis, text, sizeof text, error))
      return false;
    if (strlen(text) != 1 || text[0] < 'x' || text[0] > 'z')
      return node_error(axis, error, "axis is x, y or z");
    shape->axis = text[0] - 'x';
  }
  shape->kind = box ? SHAPE_BOX : capsule ? SHAPE_CAPSULE : SHAPE_SPHERE;
  int sizes = box ? 3 : capsule ? 2 : 1;
  const Node *value = box ? box : capsule ? capsule : sphere;
  if (!(sphere ? node_real(sphere, shape->size, error) : node_reals(value, shape->size, sizes, error)))
    return false;
  for (int i = 0; i < sizes; i++)
    if (!(shape->size[i] > 0 && shape->size[i] <= 10))
      return node_error(value, error, "sizes lie above 0 and up to 10 m");
  return read_turn(shape, node_find(node, "turn"), error);
}

static bool read_shapes(PartDef *part, const Node *part_node, Error *error) {
  const Node *list = node_find(part_node, "shapes");
  if (!list || list->kind != NODE_LIST || list->count < 1 || list->count > BODY_MAX_SHAPES)
    return node_error(list ? list : part_node, error, "'shapes' is a list of 1 to %d shapes", BODY_MAX_SHAPES);
  for (const Node *node = list->first; node; node = node->next)
    if (!read_shape(&part->shapes[part->shape_count++], node, error))
      return false;
  return true;
}

bool joint_turns(const JointDef *joint, int axis) {
  if (joint->kind == JOINT_HINGE)
    return axis == joint->twist_axis;
  if (joint->kind == JOINT_UNIVERSAL)
    return axis != joint->twist_axis;
  return true;
}

double joint_axis_strength(const JointDef *joint, int axis) {
  return joint->axis_strength[axis] > 0 ? joint->axis_strength[axis] : joint->strength;
}

void joint_set_frame(JointDef *joint) {
  const double angle = length3(joint->turn) * RAD_PER_DEGREE, share = angle > 0 ? sin(angle / 2) / angle : 0;
  joint->turned = angle > 0;
  joint->frame[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++)
    joint->frame[1 + i] = share * joint->turn[i] * RAD_PER_DEGREE;
}

void joint_vector_in(const JointDef *joint, const double vector[3], double in[3]) {
  const double *q = joint->frame, inverse[4] = {q[0], -q[1], -q[2], -q[3]};
  quaternion_turn(inverse, vector, in);
}

void joint_vector_out(const JointDef *joint, const double in[3], double vector[3]) {
  quaternion_turn(joint->frame, in, vector);
}

void joint_axis(const JointDef *joint, int axis, double direction[3]) {
  for (int i = 0; i < 3; i++)
    direction[i] = i == axis;
  if (joint->turned)
    joint_vector_out(joint, direction, direction);
}

versors joint_versor(const JointDef *joint) {
  const double *q = joint->frame;
  return (versors){{(float)q[1], (float)q[2], (float)q[3], (float)q[0]}};
}

vec3s joint_point_in(const JointDef *joint, vec3s vector) {
  return joint->turned ? glms_quat_rotatev(glms_quat_conjugate(joint_versor(joint)), vector) : vector;
}

vec3s joint_point_out(const JointDef *joint, vec3s vector) {
  return joint->turned ? glms_quat_rotatev(joint_versor(joint), vector) : vector;
}

// The keys of a joint that depend on the axes about which it turns.
static bool read_axes(JointDef *joint, const Node *node, Error *error) {
  if (!(length3(joint->turn) <= 180))
    return node_error(node_find(node, "turn"), error, "'turn' is a rotation vector of at most 180 deg");
  joint_set_frame(joint);
  for (int i = 0; i < 3; i++) {
    if (joint_turns(joint, i))
      continue;
    if (joint->axis_strength[i] > 0)
      return node_error(node_find(node, "axis_strength"), error,
                        "this joint does not turn about %c, so it has no torque there", "xyz"[i]);
    if (joint->armature[i] > 0)
      return node_error(node_find(node, "armature"), error,
                        "this joint does not turn about %c, so it has no armature there", "xyz"[i]);
  }
  return true;
}

static bool read_joint(JointDef *joint, const Node *part_node, bool root, Error *error) {
  const Node *node = node_find(part_node, "joint");
  if (!node || node->kind != NODE_MAP)
    return node_error(node ? node : part_node, error, "'joint' is a map");
  param_defaults(&joint_params, joint);
  joint_set_frame(joint);
  if (!param_read(&joint_params, joint, node, NULL, error))
    return false;
  if (!node_find(node, "position"))
    return node_error(node, error, "missing 'position' of the joint");
  if ((joint->kind == JOINT_ROOT) != root)
    return node_error(node, error, root ? "the first part's joint has kind root" : "only the first part is the root");
  static const char *const root_keys[] = {"kind", "position", NULL};
  if (root)
    return node_check_keys(node, root_keys, error);
  if (!read_axes(joint, node, error))
    return false;
  static const char *const axes[] = {"x", "y", "z"};
  double *const ranges[] = {joint->x, joint->y, joint->z};
  for (int i = 0; i < 3; i++) {
    const Node *range = node_find(node, axes[i]);
    if (range && !joint_turns(joint, i))
      return node_key_error(range, error, "this joint does not turn about %s, so it has no range there", axes[i]);
    if (ranges[i][0] > 0 || ranges[i][1] < 0)
      return node_error(range, error, "the range of %s leaves out the bind pose (0 deg)", axes[i]);
    joint->limit[i][0] = ranges[i][0] * RAD_PER_DEGREE;
    joint->limit[i][1] = ranges[i][1] * RAD_PER_DEGREE;
    if (ranges[i][0] > -180 || ranges[i][1] < 180)
      joint->limited = true;
  }
  return true;
}

// Checks keys that have no default.
static bool check_required(const Node *map, const char *const *keys, Error *error) {
  for (; *keys; keys++)
    if (!node_find(map, *keys))
      return node_error(map, error, "missing '%s'", *keys);
  return true;
}

// The mean squares of the places of a body's mass, as a matrix, are those of a real body only if none of its minors is
// negative.
static bool check_products(const PartDef *part, const Node *node, Error *error) {
  const double *p = part->products, *inertia = part->inertia;
  const double half = (inertia[0] + inertia[1] + inertia[2]) / 2;
  const double s[3] = {half - inertia[0], half - inertia[1], half - inertia[2]};
  const double whole =
      s[0] * (s[1] * s[2] - p[2] * p[2]) - s[1] * p[1] * p[1] - s[2] * p[0] * p[0] - 2 * p[0] * p[1] * p[2];
  const double least = -1e-6 * half;
  if (s[0] * s[1] - p[0] * p[0] >= least * half && s[0] * s[2] - p[1] * p[1] >= least * half &&
      s[1] * s[2] - p[2] * p[2] >= least * half && whole >= least * half * half)
    return true;
  return node_error(node_find(node, "products"), error, "no body has the moments and products of inertia of '%s'",
                    part->name);
}

static bool check_inertia(const PartDef *part, const Node *node, Error *error) {
  const double *inertia = part->inertia;
  for (int i = 0; i < 3; i++)
    if (inertia[i] > inertia[(i + 1) % 3] + inertia[(i + 2) % 3])
      return node_error(node_find(node, "inertia"), error,
                        "inertia of '%s': no body has one moment larger than the sum of the other two", part->name);
  return !part_has_products(part) || check_products(part, node, error);
}

static bool read_part_def(BodyDef *body, const Node *node, Error *error) {
  static const char *const keys[] = {"name", "parent", "mirror", "twin", "joint", "shapes", NULL};
  if (node->kind != NODE_MAP)
    return node_error(node, error, "a part is a map");
  if (body->part_count == BODY_MAX_PARTS)
    return node_error(node, error, "more than %d parts", BODY_MAX_PARTS);
  PartDef *part = &body->parts[body->part_count];
  bool root = body->part_count == 0;
  param_defaults(&part_params, part);
  if (!param_read(&part_params, part, node, keys, error))
    return false;
  static const char *const required[] = {"name", "mass", "com", "inertia", NULL};
  if (!check_required(node, required, error) || !read_name(node, "name", part->name, error))
    return false;
  if (part_find(body, part->name) >= 0)
    return node_error(node_find(node, "name"), error, "a second part '%s'", part->name);
  part->parent = -1;
  part->twin = body->part_count;
  const Node *parent = node_find(node, "parent"), *mirror = node_find(node, "mirror");
  if (root && parent)
    return node_key_error(parent, error, "the first part has no parent");
  if (root && mirror)
    return node_key_error(mirror, error, "the first part has no mirror image");
  if (!root && !parent)
    return node_error(node, error, "missing 'parent': an earlier part");
  if (!root && !read_part(body, node, "parent", &part->parent, error))
    return false;
  if (!read_joint(&part->joint, node, root, error) || !read_shapes(part, node, error))
    return false;
  if (!check_inertia(part, node, error))
    return false;
  body->part_count++;
  return true;
}

// The part on the other side, when it is described by itself and not as a mirror image.
static bool read_twin(BodyDef *body, const Node *node, Error *error) {
  const int index = body->part_count - 1;
  const Node *twin = node_find(node, "twin");
  int other;
  if (!twin)
    return true;
  if (index == 0 || node_find(node, "mirror"))
    return node_key_error(twin, error, "%s has no twin beside",
                          index == 0 ? "the first part" : "a part with a mirror image");
  if (!read_part(body, node, "twin", &other, error))
    return false;
  if (other == index || other == 0 || body->parts[other].twin != other)
    return node_error(twin, error, "'%s' cannot be its twin: it is the part itself, the first one, or another part's",
                      body->parts[other].name);
  if (body->parts[body->parts[other].parent].twin != body->parts[index].parent)
    return node_error(twin, error,
                      "'%s' cannot be its twin: their parents are not twins, nor the same part in the middle",
                      body->parts[other].name);
  body->parts[other].twin = index;
  body->parts[index].twin = other;
  return true;
}

static void mirror_range(double range[2]) {
  double low = range[0];
  range[0] = -range[1];
  range[1] = -low;
}

void body_mirror_part(PartDef *part) {
  JointDef *joint = &part->joint;
  part->com[0] = -part->com[0];
  for (int i = 0; i < 2 && part_has_products(part); i++)
    part->products[i] = -part->products[i]; // xy and xz
  joint->position[0] = -joint->position[0];
  for (int i = 0; i < part->shape_count; i++) {
    ShapeDef *shape = &part->shapes[i];
    shape->center_m[0] = -shape->center_m[0];
    for (int k = 1; k < 3; k++)
      shape->turn[k] = shape->turned ? -shape->turn[k] : 0;
  }
  for (int k = 1; k < 3 && joint->turned; k++) // rotations about y and z change their sign in the mirror
    joint->turn[k] = -joint->turn[k];
  joint_set_frame(joint);
  mirror_range(joint->y);
  mirror_range(joint->z);
  mirror_range(joint->limit[1]);
  mirror_range(joint->limit[2]);
}

// Adds the mirror image of the last part on the other side of the plane x = 0, with the name given by `mirror:`.
static bool add_mirror_image(BodyDef *body, const Node *node, Error *error) {
  int index = body->part_count;
  if (index == BODY_MAX_PARTS)
    return node_error(node, error, "more than %d parts", BODY_MAX_PARTS);
  PartDef *original = &body->parts[index - 1], *image = &body->parts[index];
  *image = *original;
  if (!read_name(node, "mirror", image->name, error))
    return false;
  if (part_find(body, image->name) >= 0)
    return node_error(node_find(node, "mirror"), error, "a second part '%s'", image->name);
  body_mirror_part(image);
  image->twin = index - 1;
  original->twin = index;
  image->parent = body->parts[original->parent].twin;
  body->part_count++;
  return true;
}

static vec3s in_joint_frame(const BodyDef *body, int part, const double point_m[3]) {
  const double *joint = body->parts[part].joint.position;
  return (vec3s){{(float)(point_m[0] - joint[0]), (float)(point_m[1] - joint[1]), (float)(point_m[2] - joint[2])}};
}

static Leg mirrored_leg(const BodyDef *body, const Leg *leg) {
  Leg image = *leg;
  image.hip = body->parts[leg->hip].twin;
  image.knee = body->parts[leg->knee].twin;
  image.ankle = body->parts[leg->ankle].twin;
  image.sole_l.x = -leg->sole_l.x;
  image.heel_l.x = -leg->heel_l.x;
  image.toe_l.x = -leg->toe_l.x;
  return image;
}

static bool check_leg_name(const Skeleton *skeleton, const Node *node, const char *name, Error *error) {
  for (int i = 0; i < skeleton->leg_count; i++)
    if (strcmp(skeleton->legs[i].name, name) == 0)
      return node_error(node, error, "a second leg '%s'", name);
  return true;
}

static bool read_leg_chain(const BodyDef *body, const Node *node, Leg *leg, Error *error) {
  if (!read_part(body, node, "hip", &leg->hip, error) || !read_part(body, node, "knee", &leg->knee, error) ||
      !read_part(body, node, "ankle", &leg->ankle, error))
    return false;
  const PartDef *hip = &body->parts[leg->hip], *knee = &body->parts[leg->knee], *ankle = &body->parts[leg->ankle];
  if (knee->parent != leg->hip)
    return node_error(node_find(node, "knee"), error, "'%s' does not hang on the hip's part '%s'", knee->name,
                      hip->name);
  if (ankle->parent != leg->knee)
    return node_error(node_find(node, "ankle"), error, "'%s' does not hang on the knee's part '%s'", ankle->name,
                      knee->name);
  if (!ankle->foot)
    return node_error(node_find(node, "ankle"), error, "'%s' bears no weight: it needs 'foot: true'", ankle->name);
  return true;
}

static bool read_sole(const BodyDef *body, const Node *node, Leg *leg, Error *error) {
  double heel[3], toe[3], half_width;
  if (!read_point(node, "heel", heel, error) || !read_point(node, "toe", toe, error))
    return false;
  const Node *width = node_find(node, "half_width");
  if (!width)
    return node_error(node, error, "missing 'half_width'");
  if (!node_real(width, &half_width, error))
    return false;
  if (!(half_width > 0 && half_width <= FARTHEST))
    return node_error(width, error, "'half_width' lies above 0 and up to %g m", FARTHEST);
  leg->heel_l = in_joint_frame(body, leg->ankle, heel);
  leg->toe_l = in_joint_frame(body, leg->ankle, toe);
  leg->sole_l = glms_vec3_scale(glms_vec3_add(leg->heel_l, leg->toe_l), 0.5f);
  leg->half_width = (float)half_width;
  return true;
}

static bool add_leg(Skeleton *skeleton, const Node *node, const char *key, Leg leg, Error *error) {
  if (skeleton->leg_count == SKELETON_MAX_LEGS)
    return node_error(node, error, "more than %d legs", SKELETON_MAX_LEGS);
  if (!read_name(node, key, leg.name, error))
    return false;
  if (!check_leg_name(skeleton, node_find(node, key), leg.name, error))
    return false;
  skeleton->legs[skeleton->leg_count++] = leg;
  return true;
}

static bool read_leg(BodyDef *body, const Node *node, Error *error) {
  static const char *const keys[] = {"name", "mirror", "hip", "knee", "ankle", "heel", "toe", "half_width", NULL};
  if (node->kind != NODE_MAP)
    return node_error(node, error, "a leg is a map");
  if (!node_check_keys(node, keys, error))
    return false;
  Leg leg = {0};
  if (!read_leg_chain(body, node, &leg, error) || !read_sole(body, node, &leg, error))
    return false;
  if (!add_leg(&body->skeleton, node, "name", leg, error))
    return false;
  const Node *mirror = node_find(node, "mirror");
  if (!mirror)
    return true;
  const int chain[] = {leg.hip, leg.knee, leg.ankle};
  for (int i = 0; i < 3; i++)
    if (body->parts[chain[i]].twin == chain[i])
      return node_error(mirror, error, "'%s' has no mirror image", body->parts[chain[i]].name);
  return add_leg(&body->skeleton, node, "mirror", mirrored_leg(body, &leg), error);
}

static bool read_clip_scale(BodyDef *body, const Node *node, Error *error) {
  double scale = 1;
  if (node && !node_real(node, &scale, error))
    return false;
  body->skeleton.clip_scale = (float)scale;
  return (scale >= 0.1 && scale <= 10) || node_error(node, error, "'clip_scale' lies within 0.1 and 10");
}

// list: NULL: none.
static bool read_absent(BodyDef *body, const Node *list, Error *error) {
  Skeleton *skeleton = &body->skeleton;
  if (list && (list->kind != NODE_LIST || list->count > SKELETON_MAX_ABSENT))
    return node_error(list, error, "'absent' is a list of up to %d names of parts", SKELETON_MAX_ABSENT);
  for (const Node *node = list ? list->first : NULL; node; node = node->next) {
    char *name = skeleton->absent[skeleton->absent_count];
    if (!node_text(node, name, SKELETON_NAME_SIZE, error) || !node_check_name(node, name, error))
      return false;
    if (part_find(body, name) >= 0)
      return node_error(node, error, "the body has a part '%s'", name);
    skeleton->absent_count++;
  }
  return true;
}

static bool read_body(BodyDef *body, const Node *root, Error *error) {
  static const char *const keys[] = {"name", "parts", "legs", "clip_scale", "absent", NULL};
  if (!node_check_keys(root, keys, error) || !read_name(root, "name", body->name, error) ||
      !read_clip_scale(body, node_find(root, "clip_scale"), error))
    return false;
  const Node *parts = node_find(root, "parts"), *legs = node_find(root, "legs");
  if (!parts || parts->kind != NODE_LIST || parts->count == 0)
    return node_error(parts ? parts : root, error, "'parts' is a list with at least one part");
  if (legs && legs->kind != NODE_LIST)
    return node_error(legs, error, "'legs' is a list");
  for (const Node *node = parts->first; node; node = node->next) {
    if (!read_part_def(body, node, error) || !read_twin(body, node, error))
      return false;
    if (node_find(node, "mirror") && !add_mirror_image(body, node, error))
      return false;
  }
  for (const Node *node = legs ? legs->first : NULL; node; node = node->next)
    if (!read_leg(body, node, error))
      return false;
  if (!read_absent(body, node_find(root, "absent"), error))
    return false;
  body_derive(body);
  return true;
}

BodyDef *body_read(FileSet *files, const char *name, Error *error) {
  const File *file = files_read(files, name, error);
  if (!file)
    return NULL;
  Document document;
  if (!document_read(&document, file->path, file, error))
    return NULL;
  BodyDef *body = calloc(1, sizeof *body);
  bool read = body ? read_body(body, document.root, error) : error_set(error, "out of memory for body %s", name);
  document_free(&document);
  if (read)
    return body;
  free(body);
  return NULL;
}

void body_free(BodyDef *body) { free(body); }
