// Reads the links and joints of a URDF file into a model of links.
#include "ragdoll/body/urdf_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double LARGEST_SIZE = 10, LARGEST_MASS = 1e5; // m, kg

typedef struct Urdf {
  const XmlNode *root;
  LinkModel *model;
  Error *error;
} Urdf;

// x forward, y left, z up as left, up, forward. Not in place.
static void to_ours(const double v[3], double out[3]) {
  out[0] = v[1];
  out[1] = v[2];
  out[2] = v[0];
}

// ---- Values ----

// Numbers of an attribute, which may be absent unless it is needed.
static bool read_reals(const Urdf *urdf, const XmlNode *node, const char *attribute, int count, bool needed,
                       double values[]) {
  const char *text = node ? xml_attribute(node, attribute) : NULL;
  if (!text)
    return !needed || xml_error(node, urdf->error, "'%s' is missing", attribute);
  return xml_numbers(node, attribute, text, count, count, values, urdf->error) > 0;
}

static const XmlNode *need_child(const Urdf *urdf, const XmlNode *node, const char *name) {
  const XmlNode *child = xml_child(node, name);
  if (!child)
    xml_error(node, urdf->error, "<%s> is missing", name);
  return child;
}

// The place and the fixed-axis angles roll, pitch, yaw of an <origin>, which may be absent.
static bool read_origin(const Urdf *urdf, const XmlNode *node, Frame *frame) {
  const XmlNode *origin = xml_child(node, "origin");
  double place[3] = {0}, angles[3] = {0}, q[4] = {1, 0, 0, 0};
  if (!read_reals(urdf, origin, "xyz", 3, false, place) || !read_reals(urdf, origin, "rpy", 3, false, angles))
    return false;
  for (int i = 0; i < 3; i++) {
    double turn[4] = {cos(angles[i] / 2), 0, 0, 0}, old[4];
    turn[1 + i] = sin(angles[i] / 2);
    memcpy(old, q, sizeof old);
    quaternion_times(turn, old, q);
  }
  to_ours(place, frame->place);
  frame->rotation[0] = q[0];
  to_ours(q + 1, frame->rotation + 1);
  return true;
}

// ---- Links ----

static bool read_inertial(const Urdf *urdf, const XmlNode *node, Link *link, const Frame *frame) {
  static const char *const names[3][3] = {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
  static const int theirs[3] = {1, 2, 0};
  const XmlNode *mass_node = need_child(urdf, node, "mass"),
                *inertia = mass_node ? need_child(urdf, node, "inertia") : NULL;
  Frame inner;
  double mass = 0, tensor[3][3];
  if (!inertia || !read_origin(urdf, node, &inner) || !read_reals(urdf, mass_node, "value", 1, true, &mass))
    return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (!read_reals(urdf, inertia, names[theirs[i]][theirs[k]], 1, true, &tensor[i][k]))
        return false;
  if (!(mass >= 0 && mass <= LARGEST_MASS))
    return xml_error(mass_node, urdf->error, "value is %g kg, allowed is 0 to %g", mass, LARGEST_MASS);
  const Frame whole = frame_within(frame, &inner);
  tensor_turn(tensor, whole.rotation);
  if (mass > 0)
    link_add_mass(link, mass, whole.place, tensor);
  return true;
}

static bool check_sizes(const Urdf *urdf, const XmlNode *node, const double size[], int count) {
  for (int i = 0; i < count; i++)
    if (!(size[i] > 0 && size[i] <= LARGEST_SIZE))
      return xml_error(node, urdf->error, "a size is %g m, allowed is above 0 up to %g", size[i], LARGEST_SIZE);
  return true;
}

// Sets kind and size; mesh: it has no shape that is read.
static bool read_geometry(const Urdf *urdf, const XmlNode *node, LinkShape *shape, bool *mesh) {
  const XmlNode *box = xml_child(node, "box"), *cylinder = xml_child(node, "cylinder"),
                *sphere = xml_child(node, "sphere"), *capsule = xml_child(node, "capsule");
  const XmlNode *round = cylinder ? cylinder : capsule;
  double size[3] = {0};
  *mesh = xml_child(node, "mesh") != NULL;
  if (box) {
    shape->kind = SHAPE_BOX;
    if (!read_reals(urdf, box, "size", 3, true, size))
      return false;
    to_ours(size, shape->size);
    return check_sizes(urdf, box, size, 3);
  }
  if (round) {
    if (!read_reals(urdf, round, "radius", 1, true, &size[0]) ||
        !read_reals(urdf, round, "length", 1, true, &size[1]) || !check_sizes(urdf, round, size, 2))
      return false;
    if (cylinder) {
      link_cylinder_shape(size[0], size[1], shape);
    } else { // its length is that without its ends
      shape->kind = SHAPE_CAPSULE;
      memcpy(shape->size, size, sizeof size);
    }
    return true;
  }
  if (sphere) {
    shape->kind = SHAPE_SPHERE;
    return read_reals(urdf, sphere, "radius", 1, true, shape->size) && check_sizes(urdf, sphere, shape->size, 1);
  }
  return *mesh || xml_error(node, urdf->error, "allowed are box, cylinder, capsule, sphere, mesh");
}

// The shapes of a link's <collision> or <visual> elements.
static bool read_shapes(const Urdf *urdf, const XmlNode *node, const char *element, Link *link, const Frame *frame,
                        bool *mesh) {
  for (const XmlNode *part = xml_child(node, element); part; part = xml_next(part)) {
    const XmlNode *geometry = need_child(urdf, part, "geometry");
    LinkShape shape = {.frame = FRAME_NONE};
    bool is_mesh;
    Frame inner;
    if (!geometry || !read_origin(urdf, part, &inner) || !read_geometry(urdf, geometry, &shape, &is_mesh))
      return false;
    *mesh |= is_mesh;
    shape.frame = frame_within(frame, &inner);
    if (!is_mesh)
      link_add_shape(link, &shape);
  }
  return true;
}

static bool read_link(const Urdf *urdf, const XmlNode *node, Link *link, const Frame *frame) {
  bool mesh = false;
  const XmlNode *inertial = xml_child(node, "inertial");
  const bool is_part = link->parent < 0 || link->joint_count > 0;
  const bool by_looks = is_part && !xml_child(node, "collision") && xml_child(node, "visual");
  if (inertial && !read_inertial(urdf, inertial, link, frame))
    return false;
  if (!read_shapes(urdf, node, by_looks ? "visual" : "collision", link, frame, &mesh))
    return false;
  if (by_looks && link->shape_count > 0)
    link_note(urdf->model, "%s has no <collision>; it collides as it looks", link->name);
  if (mesh && link->shape_count == 0 && link->mass > 0)
    link_add_inertia_box(urdf->model, link, "the mesh is replaced");
  return true;
}

// ---- Joints ----

static const XmlNode *find_named(const Urdf *urdf, const char *element, const char *name) {
  for (const XmlNode *node = xml_child(urdf->root, element); node; node = xml_next(node)) {
    const char *own = xml_attribute(node, "name");
    if (own && strcmp(own, name) == 0)
      return node;
  }
  return NULL;
}

static bool is_type(const XmlNode *joint, const char *type) {
  const char *own = xml_attribute(joint, "type");
  return own && strcmp(own, type) == 0;
}

// The name of a joint's parent or child, which must be a link.
static const char *linked(const Urdf *urdf, const XmlNode *joint, const char *end) {
  const XmlNode *node = need_child(urdf, joint, end);
  const char *name = node ? xml_attribute(node, "link") : NULL;
  if (node && !name)
    xml_error(node, urdf->error, "'link' is missing");
  if (name && !find_named(urdf, "link", name)) {
    xml_error(node, urdf->error, "there is no link '%s'", name);
    return NULL;
  }
  return name;
}

static bool read_hinge(const Urdf *urdf, const XmlNode *node, LinkJoint *joint, const Frame *frame) {
  const XmlNode *axis_node = xml_child(node, "axis"), *limit = xml_child(node, "limit"),
                *dynamics = xml_child(node, "dynamics");
  const char *name = xml_attribute(node, "name");
  double axis[3] = {1, 0, 0}, own[3];
  *joint = (LinkJoint){.node = node, .limited = is_type(node, "revolute"), .ball = is_type(node, "spherical")};
  snprintf(joint->name, sizeof joint->name, "%s", name ? name : "");
  if (!read_reals(urdf, axis_node, "xyz", 3, false, axis) ||
      !read_reals(urdf, limit, "lower", 1, false, &joint->range[0]) ||
      !read_reals(urdf, limit, "upper", 1, false, &joint->range[1]) ||
      !read_reals(urdf, limit, "effort", 1, false, &joint->strength) ||
      !read_reals(urdf, dynamics, "damping", 1, false, &joint->damping))
    return false;
  if (joint->ball) // its axis has no meaning
    memcpy(axis, (const double[3]){1, 0, 0}, sizeof axis);
  if (!(length3(axis) > 1e-9))
    return xml_error(axis_node, urdf->error, "xyz has no direction: its length is 0");
  if (joint->limited && !limit)
    return xml_error(node, urdf->error, "<limit> is missing, which a revolute joint needs");
  if (joint->limited && !(joint->range[0] <= joint->range[1]))
    return xml_error(limit, urdf->error, "lower is %g and upper %g rad", joint->range[0], joint->range[1]);
  to_ours(axis, own);
  quaternion_turn(frame->rotation, own, joint->axis);
  for (int i = 0; i < 3; i++)
    joint->axis[i] /= length3(axis);
  memcpy(joint->place, frame->place, sizeof joint->place);
  return true;
}

static bool read_tree(const Urdf *urdf, const XmlNode *node, int parent, const XmlNode *by, const Frame *frame);

static bool is_held_still(const XmlNode *joint) { return is_type(joint, "prismatic") || is_type(joint, "planar"); }

static bool check_type(const Urdf *urdf, const XmlNode *joint) {
  const char *name = xml_attribute(joint, "name");
  if (is_held_still(joint))
    link_note(urdf->model, "the %s joint '%s' is held still", xml_attribute(joint, "type"), name ? name : "");
  else if (!is_type(joint, "revolute") && !is_type(joint, "continuous") && !is_type(joint, "spherical") &&
           !is_type(joint, "fixed"))
    return xml_error(
        joint, urdf->error,
        "type is '%s', allowed are revolute, continuous, spherical, fixed, prismatic, planar and, of the first "
        "link, floating",
        xml_attribute(joint, "type") ? xml_attribute(joint, "type") : "");
  return true;
}

// The links below one, by the joints that name it as their parent.
static bool read_children(const Urdf *urdf, const char *name, int index, const Frame *frame) {
  for (const XmlNode *joint = xml_child(urdf->root, "joint"); joint; joint = xml_next(joint)) {
    const char *parent = linked(urdf, joint, "parent"), *child = parent ? linked(urdf, joint, "child") : NULL;
    if (!child)
      return false;
    if (strcmp(parent, name) != 0)
      continue;
    Frame inner;
    if (!check_type(urdf, joint) || !read_origin(urdf, joint, &inner))
      return false;
    const Frame whole = frame_within(frame, &inner);
    if (!read_tree(urdf, find_named(urdf, "link", child), index, joint, &whole))
      return false;
  }
  return true;
}

// by: the joint that attaches the link to its parent; NULL for the first one.
static bool read_tree(const Urdf *urdf, const XmlNode *node, int parent, const XmlNode *by, const Frame *frame) {
  LinkModel *model = urdf->model;
  const int index = model->count;
  if (index == LINKS_MOST)
    return xml_error(node, urdf->error, "there are more than %d links, or they form a circle", LINKS_MOST);
  const char *name = xml_attribute(node, "name");
  Link *link = &model->links[model->count++];
  *link = (Link){.parent = parent, .node = node};
  memcpy(link->place, frame->place, sizeof link->place);
  snprintf(link->name, sizeof link->name, "%s", name);
  if (by && !is_type(by, "fixed") && !is_held_still(by)) {
    if (!read_hinge(urdf, by, &link->joints[0], frame))
      return false;
    link->joint_count = 1;
  }
  return read_link(urdf, node, link, frame) && read_children(urdf, name, index, frame);
}

// ---- The file ----

// The first link that is no joint's child, or the child of a floating joint.
static const XmlNode *find_first(const Urdf *urdf) {
  for (const XmlNode *joint = xml_child(urdf->root, "joint"); joint; joint = xml_next(joint))
    if (is_type(joint, "floating")) {
      const char *child = linked(urdf, joint, "child");
      return child ? find_named(urdf, "link", child) : NULL;
    }
  for (const XmlNode *link = xml_child(urdf->root, "link"); link; link = xml_next(link)) {
    const char *name = xml_attribute(link, "name");
    bool is_child = !name;
    for (const XmlNode *joint = xml_child(urdf->root, "joint"); joint && name; joint = xml_next(joint)) {
      const char *child = xml_attribute(xml_child(joint, "child"), "link");
      is_child |= child && strcmp(child, name) == 0;
    }
    if (!is_child)
      return link;
  }
  xml_error(urdf->root, urdf->error, "there is no <link> with a name that is no joint's child");
  return NULL;
}

enum { MOST_ELEMENTS = 1024 }; // links and joints: each is looked up among all

static bool check_elements(const Urdf *urdf) {
  int count = 0, mimics = 0;
  for (const XmlNode *node = urdf->root->first; node; node = node->next) {
    if (++count > MOST_ELEMENTS)
      return xml_error(node, urdf->error, "there are more than %d elements", MOST_ELEMENTS);
    if (strncmp(node->name, "xacro:", 6) == 0)
      return xml_error(node, urdf->error,
                       "is of xacro's macros, which are not read; `xacro FILE > robot.urdf` expands "
                       "them");
    mimics += xml_is(node, "joint") && xml_child(node, "mimic");
  }
  if (mimics > 0)
    link_note(urdf->model, "%d joint%s that mimic%s another one %s free", mimics, mimics == 1 ? "" : "s",
              mimics == 1 ? "s" : "", mimics == 1 ? "is" : "are");
  return true;
}

bool urdf_read(LinkModel *model, const XmlDocument *document, Error *error) {
  const Urdf urdf = {.root = document->root, .model = model, .error = error};
  if (!xml_is(urdf.root, "robot"))
    return xml_error(urdf.root, error, "is not a URDF file, whose first element is <robot>");
  if (!check_elements(&urdf))
    return false;
  const char *name = xml_attribute(urdf.root, "name");
  snprintf(model->name, sizeof model->name, "%s", name ? name : "");
  const XmlNode *first = find_first(&urdf);
  const Frame world = FRAME_NONE;
  if (!first || !read_tree(&urdf, first, -1, NULL, &world))
    return false;
  links_merge_fixed(model);
  model->fills_masses = true;
  return true;
}
