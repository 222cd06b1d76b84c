// Writes bodies as glTF with rigid bodies.
#include "scenes/export/body_glb.h"

#include <math.h>
#include <stdio.h>

#include "scenes/export/body_mesh.h"
#include "scenes/export/glb_scene.h"

#define RIGID_BODIES "KHR_physics_rigid_bodies"
#define IMPLICIT_SHAPES "KHR_implicit_shapes"

static const double FRICTION = 0.9;
static const double FLOOR_SIZE[3] = {40, 0.2, 40}; // m
static const float BODY_COLOR[3] = {0.55f, 0.50f, 0.45f}, FLOOR_COLOR[3] = {0.30f, 0.32f, 0.34f};

typedef struct BodyGlb {
  GlbScene scene;
  cJSON *shapes, *rigid; // the extensions' objects at the root
  int shape_count, material;
} BodyGlb;

static cJSON *add_extension(GlbWriter *glb, cJSON *object, const char *name) {
  cJSON *extensions = cJSON_GetObjectItemCaseSensitive(object, "extensions");
  return glb_object(glb, extensions ? extensions : glb_object(glb, object, "extensions"), name);
}

// Translates a node: a place of the model's frame, seen from a part's joint, NULL: from the origin. m
static void place_node(GlbWriter *glb, cJSON *node, const double place[3], const PartDef *from) {
  double way[3];
  for (int i = 0; i < 3; i++)
    way[i] = place[i] - (from ? from->joint.position[i] : 0);
  glb_reals(glb, node, "translation", way, 3);
}

// ---- Motion ----

// The principal axes of a symmetric tensor, kg m^2, by Jacobi's rotations: moments, and the rotation from them to the
// tensor's frame.
static versors find_principal_axes(double tensor[3][3], double moments[3]) {
  mat3s axes = GLMS_MAT3_IDENTITY;
  for (int sweep = 0; sweep < 30; sweep++) {
    int p = 0, q = 1; // the largest entry off the diagonal
    for (int i = 0; i < 3; i++)
      if (fabs(tensor[i][(i + 1) % 3]) > fabs(tensor[p][q])) {
        p = i;
        q = (i + 1) % 3;
      }
    if (fabs(tensor[p][q]) < 1e-15 * (fabs(tensor[0][0]) + fabs(tensor[1][1]) + fabs(tensor[2][2])))
      break;
    const double angle = 0.5 * atan2(2 * tensor[p][q], tensor[p][p] - tensor[q][q]), c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
      const double a = tensor[i][p], b = tensor[i][q];
      tensor[i][p] = c * a + s * b;
      tensor[i][q] = c * b - s * a;
    }
    for (int i = 0; i < 3; i++) {
      const double a = tensor[p][i], b = tensor[q][i];
      tensor[p][i] = c * a + s * b;
      tensor[q][i] = c * b - s * a;
      const double u = (double)axes.raw[p][i], v = (double)axes.raw[q][i]; // columns
      axes.raw[p][i] = (float)(c * u + s * v);
      axes.raw[q][i] = (float)(c * v - s * u);
    }
  }
  for (int i = 0; i < 3; i++)
    moments[i] = tensor[i][i];
  if (glms_mat3_det(axes) < 0)
    axes.col[2] = glms_vec3_negate(axes.col[2]);
  return glms_quat_normalize(glms_mat3_quat(axes));
}

static void add_motion(GlbWriter *glb, cJSON *rigid, const PartDef *part) {
  cJSON *motion = glb_object(glb, rigid, "motion");
  const double *m = part->inertia, *p = part->products;
  double tensor[3][3] = {{m[0], p[0], p[1]}, {p[0], m[1], p[2]}, {p[1], p[2], m[2]}}, moments[3], com[3];
  const versors axes = find_principal_axes(tensor, moments);
  for (int i = 0; i < 3; i++)
    com[i] = part->com[i] - part->joint.position[i];
  glb_number(glb, motion, "mass", part->mass);
  glb_reals(glb, motion, "centerOfMass", com, 3);
  glb_reals(glb, motion, "inertiaDiagonal", moments, 3);
  if (part_has_products(part))
    glb_numbers(glb, motion, "inertiaOrientation", axes.raw, 4);
}

// ---- Colliders ----

// Capsules of the draft stand along y.
static versors find_rotation(const ShapeDef *shape) {
  const versors turned = shape_versor(shape);
  if (shape->kind != SHAPE_CAPSULE || shape->axis == 1)
    return turned;
  const float half = (float)M_SQRT1_2;
  const versors along_x = {{0, 0, -half, half}}, along_z = {{half, 0, 0, half}};
  return glms_quat_mul(turned, shape->axis == 0 ? along_x : along_z);
}

static int add_shape(BodyGlb *file, const ShapeDef *shape) {
  static const char *const KINDS[] = {[SHAPE_BOX] = "box", [SHAPE_CAPSULE] = "capsule", [SHAPE_SPHERE] = "sphere"};
  GlbWriter *glb = &file->scene.glb;
  cJSON *item = glb_item(glb, file->shapes, "shapes");
  glb_text(glb, item, "type", KINDS[shape->kind]);
  cJSON *measures = glb_object(glb, item, KINDS[shape->kind]);
  if (shape->kind == SHAPE_BOX) {
    glb_reals(glb, measures, "size", shape->size, 3);
  } else if (shape->kind == SHAPE_SPHERE) {
    glb_number(glb, measures, "radius", shape->size[0]);
  } else {
    glb_number(glb, measures, "height", shape->size[1]);
    glb_number(glb, measures, "radiusTop", shape->size[0]);
    glb_number(glb, measures, "radiusBottom", shape->size[0]);
  }
  return file->shape_count++;
}

// filter: index of the filter of collisions, -1: all.
static void add_collider(BodyGlb *file, cJSON *node, const ShapeDef *shape, int filter) {
  GlbWriter *glb = &file->scene.glb;
  cJSON *collider = glb_object(glb, add_extension(glb, node, RIGID_BODIES), "collider");
  glb_number(glb, glb_object(glb, collider, "geometry"), "shape", add_shape(file, shape));
  glb_number(glb, collider, "physicsMaterial", 0);
  if (filter >= 0)
    glb_number(glb, collider, "collisionFilter", filter);
}

static void add_colliders(BodyGlb *file, cJSON *node, const PartDef *part, int filter) {
  GlbWriter *glb = &file->scene.glb;
  char name[SKELETON_NAME_SIZE + 16];
  snprintf(name, sizeof name, "%s_collider", part->name);
  for (int i = 0; i < part->shape_count; i++) {
    const ShapeDef *shape = &part->shapes[i];
    int index;
    cJSON *below = glb_node(glb, name, &index);
    place_node(glb, below, shape->center_m, part);
    glb_numbers(glb, below, "rotation", find_rotation(shape).raw, 4);
    add_collider(file, below, shape, filter);
    glb_index(glb, node, "children", index);
  }
}

static void add_filter(BodyGlb *file, const BodyDef *body, int part) {
  GlbWriter *glb = &file->scene.glb;
  cJSON *filter = glb_item(glb, file->rigid, "collisionFilters");
  glb_name(glb, filter, "collisionSystems", body->parts[part].name);
  for (int i = 0; i < body->part_count; i++)
    if (i != part && !body->collides[part][i] && !body->collides[i][part])
      glb_name(glb, filter, "notCollideWithSystems", body->parts[i].name);
}

static void add_mesh(BodyGlb *file, cJSON *node, const PartDef *part, int material) {
  GlbWriter *glb = &file->scene.glb;
  BodyMesh mesh;
  body_mesh(part, &mesh);
  if (mesh.index_count == 0)
    return;
  const GlbPrimitive primitive = {glb_accessor(glb, GLB_FLOAT, 3, mesh.vertex_count, mesh.positions, GLB_VERTICES),
                                  glb_accessor(glb, GLB_FLOAT, 3, mesh.vertex_count, mesh.normals, GLB_VERTICES),
                                  mesh.indices, mesh.index_count, material};
  char name[SKELETON_NAME_SIZE + 16];
  int index;
  snprintf(name, sizeof name, "%s_shape", part->name);
  glb_number(glb, glb_node(glb, name, &index), "mesh", glb_scene_mesh(&file->scene, part->name, &primitive, 1));
  glb_index(glb, node, "children", index);
}

// ---- Joints ----

static void add_limit(GlbWriter *glb, cJSON *joint, const char *kind, int axis, const double range[2]) {
  cJSON *limit = glb_item(glb, joint, "limits");
  for (int i = 0; i < 3; i++)
    if (axis < 0 || axis == i)
      glb_index(glb, limit, kind, i);
  glb_number(glb, limit, "min", range[0]);
  glb_number(glb, limit, "max", range[1]);
}

static void add_drive(GlbWriter *glb, cJSON *joint, int axis, const JointDef *def) {
  cJSON *drive = glb_item(glb, joint, "drives");
  glb_text(glb, drive, "type", "angular");
  glb_text(glb, drive, "mode", "force");
  glb_number(glb, drive, "axis", axis);
  glb_number(glb, drive, "maxForce", joint_axis_strength(def, axis));
  glb_number(glb, drive, "positionTarget", 0);
  glb_number(glb, drive, "stiffness", def->stiffness);
  glb_number(glb, drive, "damping", def->damping);
}

// The joint's own axes are those of two nodes at its place, one in each of the two parts. Returns the index of the one
// in the part itself: the part's own node, unless the joint is turned.
static int add_turned_end(BodyGlb *file, cJSON *node, const PartDef *def, int index) {
  GlbWriter *glb = &file->scene.glb;
  char name[SKELETON_NAME_SIZE + 16];
  if (!def->joint.turned)
    return index;
  snprintf(name, sizeof name, "%s_joint_end", def->name);
  glb_numbers(glb, glb_node(glb, name, &index), "rotation", joint_versor(&def->joint).raw, 4);
  glb_index(glb, node, "children", index);
  return index;
}

static void add_joint(BodyGlb *file, cJSON *parent, const BodyDef *body, int part, int node) {
  static const double NONE[2] = {0, 0};
  GlbWriter *glb = &file->scene.glb;
  const PartDef *def = &body->parts[part];
  cJSON *joint = glb_item(glb, file->rigid, "physicsJoints");
  add_limit(glb, joint, "linearAxes", -1, NONE);
  for (int axis = 0; axis < 3; axis++) {
    const double *range = def->joint.limit[axis];
    if (!joint_turns(&def->joint, axis))
      add_limit(glb, joint, "angularAxes", axis, NONE);
    else if (range[1] - range[0] < 2 * M_PI - 1e-9)
      add_limit(glb, joint, "angularAxes", axis, range);
  }
  for (int axis = 0; axis < 3; axis++)
    if (joint_turns(&def->joint, axis))
      add_drive(glb, joint, axis, &def->joint);
  char name[SKELETON_NAME_SIZE + 16];
  int index;
  snprintf(name, sizeof name, "%s_joint", def->name);
  cJSON *place = glb_node(glb, name, &index);
  place_node(glb, place, def->joint.position, &body->parts[def->parent]);
  if (def->joint.turned)
    glb_numbers(glb, place, "rotation", joint_versor(&def->joint).raw, 4);
  cJSON *connection = glb_object(glb, add_extension(glb, place, RIGID_BODIES), "joint");
  glb_number(glb, connection, "connectedNode", node);
  glb_number(glb, connection, "joint", part - 1);
  glb_index(glb, parent, "children", index);
}

// ---- The file ----

static void add_material(GlbWriter *glb, cJSON *rigid) {
  cJSON *material = glb_item(glb, rigid, "physicsMaterials");
  glb_number(glb, material, "staticFriction", FRICTION);
  glb_number(glb, material, "dynamicFriction", FRICTION);
  glb_number(glb, material, "restitution", 0);
  glb_text(glb, material, "frictionCombine", "minimum");
}

static void add_body(BodyGlb *file, const BodyDef *body) {
  GlbWriter *glb = &file->scene.glb;
  cJSON *nodes[BODY_MAX_PARTS] = {NULL};
  int index[BODY_MAX_PARTS] = {0}, root;
  const int material = glb_scene_material(&file->scene, "body", BODY_COLOR, 0.7f);
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    nodes[i] = glb_node(glb, part->name, &index[i]);
    place_node(glb, nodes[i], part->joint.position, i > 0 ? &body->parts[part->parent] : NULL);
    add_motion(glb, add_extension(glb, nodes[i], RIGID_BODIES), part);
    add_filter(file, body, i);
    add_colliders(file, nodes[i], part, i);
    add_mesh(file, nodes[i], part, material);
    if (i > 0) {
      glb_index(glb, nodes[part->parent], "children", index[i]);
      add_joint(file, nodes[part->parent], body, i, add_turned_end(file, nodes[i], part, index[i]));
    }
  }
  glb_index(glb, glb_node(glb, body->name, &root), "children", index[0]);
  glb_index(glb, file->scene.scene, "nodes", root);
}

static void add_floor(BodyGlb *file) {
  GlbWriter *glb = &file->scene.glb;
  PartDef floor = {.name = "floor", .shape_count = 1};
  floor.shapes[0] = (ShapeDef){.kind = SHAPE_BOX, .size = {FLOOR_SIZE[0], FLOOR_SIZE[1], FLOOR_SIZE[2]}};
  int index;
  cJSON *node = glb_node(glb, floor.name, &index);
  glb_reals(glb, node, "translation", (const double[]){0, -FLOOR_SIZE[1] / 2, 0}, 3);
  add_collider(file, node, &floor.shapes[0], -1);
  add_mesh(file, node, &floor, glb_scene_material(&file->scene, "floor", FLOOR_COLOR, 0.9f));
  glb_index(glb, file->scene.scene, "nodes", index);
}

bool body_write_glb(const BodyDef *body, char **bytes, size_t *size) {
  BodyGlb file = {0};
  GlbWriter *glb = &file.scene.glb;
  glb_begin(glb, "Stagger " STAGGER_VERSION);
  glb_number(glb, glb->root, "scene", 0);
  file.scene.scene = glb_add(glb, "scenes", NULL);
  glb_text(glb, file.scene.scene, "name", body->name);
  glb_name(glb, glb->root, "extensionsUsed", IMPLICIT_SHAPES);
  glb_name(glb, glb->root, "extensionsUsed", RIGID_BODIES);
  file.shapes = add_extension(glb, glb->root, IMPLICIT_SHAPES);
  file.rigid = add_extension(glb, glb->root, RIGID_BODIES);
  add_material(glb, file.rigid);
  add_body(&file, body);
  add_floor(&file);
  return glb_end(glb, bytes, size);
}
