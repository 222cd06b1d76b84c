// Reads the bodies of an MJCF file: joints, geoms and masses, all put into the model's frame.
#include "ragdoll/body/mjcf_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/body/mjcf_internal.h"
#include "sim/base/numbers.h"

static const double LARGEST_SIZE = 10, LARGEST_MASS = 1e5, LARGEST_ARMATURE = 100; // m, kg, kg m^2

// ---- Joints ----

static bool read_range(const MjcfNode *at, LinkJoint *joint) {
  double range[2] = {0, 0}, reference = 0;
  int limited = -1;
  if (!mjcf_reals(at, "range", 2, range) || !mjcf_switch(at, "limited", &limited) ||
      !mjcf_reals(at, "ref", 1, &reference))
    return false;
  joint->limited = limited == 1 || (limited < 0 && at->mjcf->autolimits && mjcf_text(at, "range"));
  if (joint->limited && !(range[0] < range[1]))
    return xml_error(at->node, at->mjcf->error, "range is %g to %g, needed is a low and a high end", range[0],
                     range[1]);
  const double unit = at->mjcf->radians ? 1 : RAD_PER_DEGREE;
  for (int i = 0; i < 2; i++)
    joint->range[i] = (range[i] - (joint->ball ? 0 : reference)) * unit;
  return true;
}

static bool read_joint(const MjcfNode *at, Link *link, const Frame *body) {
  const char *type = mjcf_text(at, "type"), *name = xml_attribute(at->node, "name");
  Error *error = at->mjcf->error;
  if (!mjcf_check_class(at))
    return false;
  if (xml_is(at->node, "freejoint") || (type && strcmp(type, "free") == 0))
    return link->parent < 0 || xml_error(at->node, error, "a free joint is allowed on the first body only");
  LinkJoint joint = {.ball = type && strcmp(type, "ball") == 0, .node = at->node};
  if (link->parent < 0) { // the first body moves freely
    link_note(at->mjcf->model, "%s: as the first body it moves freely; its joint '%s' is left out", link->name,
              name ? name : "");
    return true;
  }
  if (type && strcmp(type, "slide") == 0) {
    link_note(at->mjcf->model, "%s: its slide joint '%s' is held still", link->name, name ? name : "");
    return true;
  }
  if (!joint.ball && type && strcmp(type, "hinge") != 0)
    return xml_error(at->node, error, "type is '%s', allowed are hinge, ball, slide and, of the first body, free",
                     type);
  if (link->joint_count == LINK_MOST_JOINTS || (link->joint_count > 0 && (joint.ball || link->joints[0].ball)))
    return xml_error(at->node, error, "the body '%s' has too many joints, allowed are a ball or up to %d hinges",
                     link->name, LINK_MOST_JOINTS);
  snprintf(joint.name, sizeof joint.name, "%s", name ? name : "");
  double axis[3] = {0, 0, 1}, place[3] = {0}, own[3], force[2] = {0, 0};
  if (!mjcf_reals(at, "axis", 3, axis) || !mjcf_reals(at, "pos", 3, place) ||
      !mjcf_reals(at, "damping", 1, &joint.damping) || !mjcf_reals(at, "armature", 1, &joint.armature) ||
      !mjcf_reals(at, "actuatorfrcrange", 2, force) || !read_range(at, &joint))
    return false;
  if (!(length3(axis) > 1e-9))
    return xml_error(at->node, error, "axis has no direction: its length is 0");
  mjcf_to_ours(axis, own);
  quaternion_turn(body->rotation, own, joint.axis);
  const double length = length3(axis);
  for (int i = 0; i < 3; i++)
    joint.axis[i] /= length;
  mjcf_to_ours(place, own);
  frame_point(body, own, joint.place);
  if (at->mjcf->global && !mjcf_text(at, "pos"))
    memcpy(joint.place, link->place, sizeof joint.place);
  joint.damping = fmax(joint.damping, 0);
  if (!(joint.armature >= 0 && joint.armature <= LARGEST_ARMATURE))
    return xml_error(at->node, error, "armature is %g kg m^2, allowed is 0 to %g", joint.armature, LARGEST_ARMATURE);
  joint.strength = fmax(fabs(force[0]), fabs(force[1]));
  link->joints[link->joint_count++] = joint;
  return true;
}

// ---- Masses ----

static bool read_inertial(const MjcfNode *at, Link *link, const Frame *body) {
  Frame inner = FRAME_NONE;
  double mass = 0, moments[3] = {0}, full[6] = {0};
  if (!mjcf_text(at, "mass") || !mjcf_text(at, "pos"))
    return xml_error(at->node, at->mjcf->error, "mass and pos are needed");
  if (!mjcf_frame(at, &inner) || !mjcf_reals(at, "mass", 1, &mass))
    return false;
  const int diagonal = mjcf_numbers(at, "diaginertia", 3, 3, moments);
  const int whole = mjcf_numbers(at, "fullinertia", 6, 6, full); // xx yy zz xy xz yz
  if (diagonal < 0 || whole < 0)
    return false;
  if ((diagonal > 0) == (whole > 0))
    return xml_error(at->node, at->mjcf->error, "needed is one of diaginertia and fullinertia");
  if (!(mass >= 0 && mass <= LARGEST_MASS))
    return xml_error(at->node, at->mjcf->error, "mass is %g kg, allowed is 0 to %g", mass, LARGEST_MASS);
  const Frame frame = frame_within(body, &inner);
  double own[3], tensor[3][3];
  if (diagonal) {
    mjcf_to_ours(moments, own);
    turned_inertia(own, frame.rotation, tensor);
  } else {
    const double in[3][3] = {{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}};
    static const int theirs[3] = {1, 2, 0};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        tensor[i][k] = in[theirs[i]][theirs[k]];
    tensor_turn(tensor, frame.rotation);
  }
  link->mass = 0;
  memset(link->inertia, 0, sizeof link->inertia);
  link_add_mass(link, mass, frame.place, tensor);
  return true;
}

// ---- Geoms ----

typedef struct Geom {
  LinkShape shape;
  bool cylinder, mesh, collides;
  double volume, moments[3]; // m^3; kg m^2 for 1 kg
} Geom;

// The ends of a geom that is given by them: its middle, its direction along y, and half its length.
static bool read_ends(const MjcfNode *at, Frame *frame, double *half, bool *given) {
  double ends[6], along[3], way[3], middle[3];
  const int count = mjcf_numbers(at, "fromto", 6, 6, ends);
  *given = count > 0;
  if (count <= 0)
    return count == 0;
  for (int i = 0; i < 3; i++) {
    middle[i] = (ends[i] + ends[3 + i]) / 2;
    way[i] = ends[3 + i] - ends[i];
  }
  mjcf_to_ours(way, along);
  const double length = length3(along);
  if (!(length > 1e-9))
    return xml_error(at->node, at->mjcf->error, "fromto: both ends are at the same place");
  mjcf_to_ours(middle, frame->place);
  const double upright[3] = {0, 1, 0};
  rotation_between(upright, along, frame->rotation);
  *half = length / 2;
  return true;
}

// A shape of another kind of about the same size. half: m, of its axes left, up, forward.
static void replace_ellipsoid(LinkShape *shape, const double half[3]) {
  shape->kind = SHAPE_BOX;
  for (int i = 0; i < 3; i++)
    shape->size[i] = 2 * half[i] * cbrt(M_PI / 6); // of the same volume
}

static bool check_sizes(const MjcfNode *at, const double size[], int count) {
  for (int i = 0; i < count; i++)
    if (!(size[i] > 0 && size[i] <= LARGEST_SIZE))
      return xml_error(at->node, at->mjcf->error, "size is %g m, allowed is above 0 up to %g", size[i], LARGEST_SIZE);
  return true;
}

static bool make_solid(const MjcfNode *at, Geom *geom, const char *type, double size[3], bool by_ends) {
  LinkShape *shape = &geom->shape;
  const bool is_long = strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0;
  const int needed = strcmp(type, "sphere") == 0 ? 1 : is_long ? 2 : 3;
  if (by_ends && needed == 1)
    return xml_error(at->node, at->mjcf->error, "fromto has no meaning for a sphere");
  if (!check_sizes(at, size, needed))
    return false;
  if (strcmp(type, "sphere") == 0) {
    shape->kind = SHAPE_SPHERE;
    shape->size[0] = size[0];
  } else if (strcmp(type, "capsule") == 0) {
    shape->kind = SHAPE_CAPSULE;
    shape->size[0] = size[0];
    shape->size[1] = 2 * size[1];
  } else if (strcmp(type, "cylinder") == 0) {
    geom->volume = 2 * M_PI * size[0] * size[0] * size[1];
    cylinder_inertia(size[0], 2 * size[1], 1, geom->moments);
    link_cylinder_shape(size[0], 2 * size[1], shape);
    return true;
  } else {
    double half[3];
    mjcf_to_ours(size, half);
    shape->kind = SHAPE_BOX;
    for (int i = 0; i < 3; i++)
      shape->size[i] = 2 * half[i];
    if (strcmp(type, "ellipsoid") == 0) {
      geom->volume = 4.0 / 3 * M_PI * half[0] * half[1] * half[2];
      for (int i = 0; i < 3; i++)
        geom->moments[i] = (half[(i + 1) % 3] * half[(i + 1) % 3] + half[(i + 2) % 3] * half[(i + 2) % 3]) / 5;
      replace_ellipsoid(shape, half);
      return true;
    }
  }
  geom->volume = solid_volume(shape->kind, shape->size);
  solid_inertia(shape->kind, shape->size, 1, geom->moments);
  return true;
}

static bool make_geom(const MjcfNode *at, Geom *geom) {
  static const char *const types[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh", "sdf"};
  const char *type = mjcf_text(at, "type");
  if (!type)
    type = mjcf_text(at, "mesh") ? "mesh" : "sphere";
  bool known = false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    known |= strcmp(type, types[i]) == 0;
  if (!known)
    return xml_error(at->node, at->mjcf->error, "type is '%s', allowed are sphere, capsule, box, cylinder, ellipsoid",
                     type);
  double size[3] = {0}, contype = 1, conaffinity = 1, half = 0;
  bool by_ends = false;
  geom->shape.frame = FRAME_NONE;
  geom->mesh = strcmp(type, "mesh") == 0 || strcmp(type, "sdf") == 0;
  if (!mjcf_reals(at, "contype", 1, &contype) || !mjcf_reals(at, "conaffinity", 1, &conaffinity))
    return false;
  geom->collides = contype > 0 || conaffinity > 0;
  if (geom->mesh)
    return true;
  if (!mjcf_frame(at, &geom->shape.frame) || mjcf_numbers(at, "size", 1, 3, size) < 0 ||
      !read_ends(at, &geom->shape.frame, &half, &by_ends))
    return false;
  if (by_ends) { // a box and an ellipsoid are as wide as thick
    size[1] = strcmp(type, "box") == 0 || strcmp(type, "ellipsoid") == 0 ? size[0] : half;
    size[2] = half;
  }
  if (!make_solid(at, geom, type, size, by_ends))
    return false;
  if (geom->collides && (strcmp(type, "cylinder") == 0 || strcmp(type, "ellipsoid") == 0))
    link_note(at->mjcf->model, "%s:%d: the %s collides as a %s", at->node->file, at->node->line, type,
              geom->shape.kind == SHAPE_BOX ? "box" : "capsule");
  return true;
}

// with_mass: whether the geom's mass counts.
static bool read_geom(const MjcfNode *at, Link *link, const Frame *body, bool with_mass, bool *has_mesh) {
  Geom geom = {0};
  double density = 1000, mass = -1;
  if (!mjcf_check_class(at) || !make_geom(at, &geom) || !mjcf_reals(at, "density", 1, &density) ||
      !mjcf_reals(at, "mass", 1, &mass))
    return false;
  *has_mesh |= geom.mesh && geom.collides;
  if (geom.mesh)
    return !with_mass || !geom.collides ||
           xml_error(at->node, at->mjcf->error,
                     "meshes are not read, and the body '%s' has no <inertial> that could "
                     "stand for it; allowed are sphere, capsule, box",
                     link->name);
  geom.shape.frame = frame_within(body, &geom.shape.frame);
  if (mass < 0)
    mass = density * geom.volume;
  if (!(mass >= 0 && mass <= LARGEST_MASS))
    return xml_error(at->node, at->mjcf->error, "mass is %g kg, allowed is 0 to %g", mass, LARGEST_MASS);
  if (with_mass && mass > 0) {
    double tensor[3][3];
    for (int i = 0; i < 3; i++)
      geom.moments[i] *= mass;
    turned_inertia(geom.moments, geom.shape.frame.rotation, tensor);
    link_add_mass(link, mass, geom.shape.frame.place, tensor);
  }
  if (geom.collides)
    link_add_shape(link, &geom.shape);
  return true;
}

// ---- Bodies ----

// The sites NAME_heel and NAME_toe of a foot mark the ends of its sole, and their size half its width.
static bool read_site(const MjcfNode *at, Link *link, const Frame *body) {
  const char *name = xml_attribute(at->node, "name"), *end = name ? strrchr(name, '_') : NULL;
  const bool heel = end && strcmp(end, "_heel") == 0, toe = end && strcmp(end, "_toe") == 0;
  double place[3] = {0}, size[3] = {0}, own[3];
  if (!heel && !toe)
    return true;
  if (!mjcf_reals(at, "pos", 3, place) || mjcf_numbers(at, "size", 1, 3, size) < 0)
    return false;
  mjcf_to_ours(place, own);
  frame_point(body, own, heel ? link->heel : link->toe);
  link->has_heel |= heel;
  link->has_toe |= toe;
  link->half_width = size[0];
  snprintf(link->leg, sizeof link->leg, "%.*s", (int)(end - name), name);
  return true;
}

static bool is_in(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0)
      return true;
  return false;
}

static bool read_body(const Mjcf *mjcf, const XmlNode *node, int parent, const Frame *outer, const char *childclass);

// What is in a body, or in a <frame> in it. with_mass: geoms have mass; pass 0: all but bodies, 1: bodies.
static bool read_content(const Mjcf *mjcf, const XmlNode *node, int index, const Frame *frame, const char *childclass,
                         bool with_mass, int pass, bool *has_mesh) {
  static const char *const unread[] = {"site",   "camera",   "light",     "plugin", "composite",
                                       "attach", "flexcomp", "replicate", NULL};
  const Frame world = FRAME_NONE;
  Link *link = &mjcf->model->links[index];
  frame = mjcf->global ? &world : frame;
  for (const XmlNode *child = node->first; child; child = child->next) {
    const MjcfNode at = {mjcf, child, childclass};
    bool good = true;
    if (xml_is(child, "body")) {
      good = pass == 0 || read_body(mjcf, child, index, frame, childclass);
    } else if (xml_is(child, "frame")) {
      Frame inner = FRAME_NONE;
      const char *class = xml_attribute(child, "childclass");
      good = mjcf_frame(&at, &inner);
      const Frame whole = frame_within(frame, &inner);
      good = good && read_content(mjcf, child, index, &whole, class ? class : childclass, with_mass, pass, has_mesh);
    } else if (pass == 1) {
      continue;
    } else if (xml_is(child, "joint") || xml_is(child, "freejoint")) {
      good = read_joint(&at, link, frame);
    } else if (xml_is(child, "geom")) {
      good = read_geom(&at, link, frame, with_mass, has_mesh);
    } else if (xml_is(child, "inertial")) {
      good = with_mass || read_inertial(&at, link, frame);
    } else if (xml_is(child, "site")) {
      good = read_site(&at, link, frame);
    } else if (!is_in(child->name, unread)) {
      good = xml_error(child, mjcf->error,
                       "is not read in a body; allowed are body, joint, freejoint, geom, inertial, "
                       "site, frame");
    } else if (!xml_is(child, "camera") && !xml_is(child, "light")) {
      link_note(mjcf->model, "%s:%d: <%s> is left out", child->file, child->line, child->name);
    }
    if (!good)
      return false;
  }
  return true;
}

static bool read_body(const Mjcf *mjcf, const XmlNode *node, int parent, const Frame *outer, const char *childclass) {
  LinkModel *model = mjcf->model;
  const int index = model->count;
  if (index == LINKS_MOST)
    return xml_error(node, mjcf->error, "there are more than %d bodies", LINKS_MOST);
  Link *link = &model->links[model->count++];
  *link = (Link){.parent = parent, .node = node};
  const char *name = xml_attribute(node, "name"), *class = xml_attribute(node, "childclass");
  if (name)
    snprintf(link->name, sizeof link->name, "%s", name);
  else
    snprintf(link->name, sizeof link->name, "body_%d", index);
  const MjcfNode at = {mjcf, node, ""};
  Frame inner = FRAME_NONE;
  if (!mjcf_frame(&at, &inner))
    return false;
  const Frame frame = mjcf->global ? inner : frame_within(outer, &inner);
  memcpy(link->place, frame.place, sizeof link->place);
  const bool with_mass = mjcf->inertia_from_geom > 0 || (mjcf->inertia_from_geom < 0 && !xml_child(node, "inertial"));
  bool has_mesh = false;
  class = class ? class : childclass;
  if (!read_content(mjcf, node, index, &frame, class, with_mass, 0, &has_mesh))
    return false;
  if (has_mesh && link->shape_count == 0 && link->mass > 0)
    link_add_inertia_box(model, link, "the mesh is replaced");
  if (mjcf->global && !xml_attribute(node, "pos"))
    memcpy(link->place, link->com, sizeof link->place);
  return read_content(mjcf, node, index, &frame, class, with_mass, 1, &has_mesh);
}

// ---- The file ----

static bool read_compiler(Mjcf *mjcf, const XmlNode *node) {
  const MjcfNode at = {mjcf, node, ""};
  const char *angle = xml_attribute(node, "angle"), *order = xml_attribute(node, "eulerseq"),
             *coordinate = xml_attribute(node, "coordinate");
  int autolimits = mjcf->autolimits;
  if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
    return xml_error(node, mjcf->error, "angle is '%s', allowed are degree, radian", angle);
  if (angle)
    mjcf->radians = angle[0] == 'r';
  if (order && (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3))
    return xml_error(node, mjcf->error, "eulerseq is '%s', allowed are three letters of x, y, z, X, Y, Z", order);
  if (order)
    memcpy(mjcf->euler, order, sizeof mjcf->euler);
  if (coordinate && strcmp(coordinate, "local") != 0 && strcmp(coordinate, "global") != 0)
    return xml_error(node, mjcf->error, "coordinate is '%s', allowed are local, global", coordinate);
  mjcf->global = coordinate ? coordinate[0] == 'g' : mjcf->global;
  if (!mjcf_switch(&at, "inertiafromgeom", &mjcf->inertia_from_geom) || !mjcf_switch(&at, "autolimits", &autolimits))
    return false;
  mjcf->autolimits = autolimits != 0;
  return true;
}

bool mjcf_read(LinkModel *model, const XmlDocument *document, Error *error) {
  const XmlNode *root = document->root;
  Mjcf mjcf = {
      .root = root, .autolimits = true, .inertia_from_geom = -1, .euler = "xyz", .model = model, .error = error};
  if (!xml_is(root, "mujoco"))
    return xml_error(root, error,
                     "is not a model of MuJoCo or a robot of ROS, whose first element is <mujoco> or <robot>");
  const char *name = xml_attribute(root, "model");
  snprintf(model->name, sizeof model->name, "%s", name ? name : "");
  for (const XmlNode *node = xml_child(root, "compiler"); node; node = xml_next(node))
    if (!read_compiler(&mjcf, node))
      return false;
  Frame outer;
  const XmlNode *first = mjcf_find_body(&mjcf, &outer);
  if (!first)
    return error->text[0] == '\0' ? xml_error(root, error, "there is no <body> in its <worldbody>") : false;
  return read_body(&mjcf, first, -1, &outer, "") && mjcf_actuators(&mjcf);
}
