// Bodies as glTF with rigid bodies: the numbers of the file are those of the body.
#include "tests/fixture.h"

#include <cjson/cJSON.h>

#include "scenes/export/body_glb.h"

static const char *const BODIES[] = {"human", "lizard", "spider", "winged", "human_scarf"};
static const char RIGID[] = "KHR_physics_rigid_bodies", SHAPES[] = "KHR_implicit_shapes";

static BodyDef *open_body(const char *name) {
  FileSet set = {0};
  Error error = {0};
  char path[64];
  snprintf(set.folder, sizeof set.folder, "%s", files_scenes_folder());
  snprintf(path, sizeof path, "bodies/%s.yaml", name);
  BodyDef *body = body_read(&set, path, &error);
  files_free(&set);
  fixture_check(&error);
  return body;
}

static cJSON *write_and_parse(const BodyDef *body) {
  char *bytes;
  size_t size;
  uint32_t json;
  assert_true(body_write_glb(body, &bytes, &size));
  assert_memory_equal(bytes, "glTF\2\0\0\0", 8);
  memcpy(&json, bytes + 12, 4);
  cJSON *root = cJSON_ParseWithLength(bytes + 20, json);
  assert_non_null(root);
  free(bytes);
  return root;
}

static const cJSON *get(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!item)
    fail_msg("no %s", name);
  return item;
}

static double number(const cJSON *object, const char *name) { return get(object, name)->valuedouble; }

static void numbers(const cJSON *object, const char *name, int count, double values[]) {
  const cJSON *list = get(object, name);
  assert_int_equal(cJSON_GetArraySize(list), count);
  for (int i = 0; i < count; i++)
    values[i] = cJSON_GetArrayItem(list, i)->valuedouble;
}

static void assert_near(double value, double expected, double within) {
  if (!(fabs(value - expected) <= within))
    fail_msg("%.12g is not %.12g", value, expected);
}

static int find_node(const cJSON *root, const char *format, const char *part) {
  char name[64];
  snprintf(name, sizeof name, format, part);
  int index = 0;
  const cJSON *node;
  cJSON_ArrayForEach(node, get(root, "nodes")) {
    if (strcmp(get(node, "name")->valuestring, name) == 0)
      return index;
    index++;
  }
  fail_msg("no node %s", name);
  return -1;
}

static const cJSON *file_node(const cJSON *root, int index) { return cJSON_GetArrayItem(get(root, "nodes"), index); }

static const cJSON *rigid(const cJSON *object) { return get(get(object, "extensions"), RIGID); }

static bool has_child(const cJSON *node, int child) {
  const cJSON *item;
  cJSON_ArrayForEach(item, get(node, "children")) {
    if (item->valueint == child)
      return true;
  }
  return false;
}

static bool lists(const cJSON *list, const char *text) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    if (strcmp(item->valuestring, text) == 0)
      return true;
  }
  return false;
}

static void open_all(cJSON *roots[5], BodyDef *bodies[5]) {
  for (int b = 0; b < 5; b++) {
    bodies[b] = open_body(BODIES[b]);
    roots[b] = write_and_parse(bodies[b]);
  }
}

static void close_all(cJSON *roots[5], BodyDef *bodies[5]) {
  for (int b = 0; b < 5; b++) {
    cJSON_Delete(roots[b]);
    body_free(bodies[b]);
  }
}

// Masses and centres of mass are the body's, and the principal moments in their axes are its tensor.
static void masses_and_tensors(void **state) {
  (void)state;
  cJSON *roots[5];
  BodyDef *bodies[5];
  open_all(roots, bodies);
  bodies[0]->parts[3].products[0] = 0.004; // entries off the diagonal, which no body of the project has
  bodies[0]->parts[3].products[1] = -0.007;
  bodies[0]->parts[3].products[2] = 0.002;
  cJSON_Delete(roots[0]);
  roots[0] = write_and_parse(bodies[0]);
  for (int b = 0; b < 5; b++)
    for (int i = 0; i < bodies[b]->part_count; i++) {
      const PartDef *part = &bodies[b]->parts[i];
      const cJSON *motion = get(rigid(file_node(roots[b], find_node(roots[b], "%s", part->name))), "motion");
      double com[3], moments[3], turn[4] = {0, 0, 0, 1};
      assert_near(number(motion, "mass"), part->mass, 1e-12);
      numbers(motion, "centerOfMass", 3, com);
      numbers(motion, "inertiaDiagonal", 3, moments);
      if (part_has_products(part))
        numbers(motion, "inertiaOrientation", 4, turn);
      const mat4s axes = glms_quat_mat4((versors){{(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]}});
      for (int r = 0; r < 3; r++) {
        assert_near(com[r], part->com[r] - part->joint.position[r], 1e-12);
        for (int c = 0; c < 3; c++) {
          double entry = 0;
          for (int k = 0; k < 3; k++)
            entry += (double)axes.raw[k][r] * moments[k] * (double)axes.raw[k][c];
          assert_near(entry, r == c ? part->inertia[r] : part->products[r + c - 1], 1e-6 * part->inertia[0]);
        }
      }
    }
  close_all(roots, bodies);
}

// A joint stands in the parent at the part's place; its limits are the ranges, and axes that do not turn are locked.
static void joints_and_limits(void **state) {
  (void)state;
  cJSON *roots[5];
  BodyDef *bodies[5];
  open_all(roots, bodies);
  for (int b = 0; b < 5; b++)
    for (int i = 1; i < bodies[b]->part_count; i++) {
      const PartDef *part = &bodies[b]->parts[i], *parent = &bodies[b]->parts[part->parent];
      const int at = find_node(roots[b], "%s_joint", part->name), child = find_node(roots[b], "%s", part->name);
      const cJSON *above = file_node(roots[b], find_node(roots[b], "%s", parent->name));
      assert_true(has_child(above, at) && has_child(above, child));
      double place[3], same[3];
      numbers(file_node(roots[b], at), "translation", 3, place);
      numbers(file_node(roots[b], child), "translation", 3, same);
      for (int k = 0; k < 3; k++) {
        assert_near(place[k], part->joint.position[k] - parent->joint.position[k], 1e-12);
        assert_near(same[k], place[k], 0);
      }
      const cJSON *joint = get(rigid(file_node(roots[b], at)), "joint");
      assert_int_equal(get(joint, "connectedNode")->valueint, child);
      const cJSON *def = cJSON_GetArrayItem(get(rigid(roots[b]), "physicsJoints"), get(joint, "joint")->valueint);
      double low[3] = {-M_PI, -M_PI, -M_PI}, high[3] = {M_PI, M_PI, M_PI};
      bool attached = false, driven[3] = {false};
      const cJSON *item;
      cJSON_ArrayForEach(item, get(def, "limits")) {
        const cJSON *axes = cJSON_GetObjectItemCaseSensitive(item, "angularAxes");
        if (axes) {
          low[cJSON_GetArrayItem(axes, 0)->valueint] = number(item, "min");
          high[cJSON_GetArrayItem(axes, 0)->valueint] = number(item, "max");
        } else {
          attached = cJSON_GetArraySize(get(item, "linearAxes")) == 3 && number(item, "max") == 0;
        }
      }
      const cJSON *drives = cJSON_GetObjectItemCaseSensitive(def, "drives");
      cJSON_ArrayForEach(item, drives) {
        driven[get(item, "axis")->valueint] = true;
        assert_near(number(item, "maxForce"), part->joint.strength, 1e-9);
        assert_near(number(item, "stiffness"), part->joint.stiffness, 1e-9);
        assert_near(number(item, "damping"), part->joint.damping, 1e-9);
      }
      assert_true(attached);
      for (int axis = 0; axis < 3; axis++) {
        const bool turns = joint_turns(&part->joint, axis);
        assert_int_equal(driven[axis], turns);
        assert_near(low[axis], turns ? part->joint.limit[axis][0] : 0, 1e-9);
        assert_near(high[axis], turns ? part->joint.limit[axis][1] : 0, 1e-9);
      }
    }
  close_all(roots, bodies);
}

// Colliders have the shapes' sizes and stand where the shapes do; capsules, which stand along y there, are turned.
static void shapes_of_parts(void **state) {
  (void)state;
  cJSON *roots[5];
  BodyDef *bodies[5];
  open_all(roots, bodies);
  for (int b = 0; b < 5; b++)
    for (int i = 0; i < bodies[b]->part_count; i++) {
      const PartDef *part = &bodies[b]->parts[i];
      for (int s = 0; s < part->shape_count; s++) {
        const ShapeDef *shape = &part->shapes[s];
        char format[32] = "%s_collider";
        if (s > 0)
          snprintf(format, sizeof format, "%%s_collider_%d", s + 1);
        const cJSON *node = file_node(roots[b], find_node(roots[b], format, part->name));
        double place[3], turn[4];
        numbers(node, "translation", 3, place);
        numbers(node, "rotation", 4, turn);
        for (int k = 0; k < 3; k++)
          assert_near(place[k], shape->center_m[k] - part->joint.position[k], 1e-12);
        const int index = get(get(get(rigid(node), "collider"), "geometry"), "shape")->valueint;
        const cJSON *item = cJSON_GetArrayItem(get(get(get(roots[b], "extensions"), SHAPES), "shapes"), index);
        const char *kind = get(item, "type")->valuestring;
        const versors rotation = {{(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]}};
        if (shape->kind == SHAPE_CAPSULE) {
          assert_string_equal(kind, "capsule");
          assert_near(number(get(item, kind), "height"), shape->size[1], 1e-12);
          assert_near(number(get(item, kind), "radiusTop"), shape->size[0], 1e-12);
          vec3s axis = GLMS_VEC3_ZERO;
          axis.raw[shape->axis] = 1;
          axis = glms_quat_rotatev(shape_versor(shape), axis);
          const vec3s stands = glms_quat_rotatev(rotation, (vec3s){{0, 1, 0}});
          assert_near(fabs((double)glms_vec3_dot(axis, stands)), 1, 1e-6);
        } else if (shape->kind == SHAPE_BOX) {
          double size[3];
          numbers(get(item, kind), "size", 3, size);
          for (int k = 0; k < 3; k++)
            assert_near(size[k], shape->size[k], 1e-12);
          assert_near(fabs((double)glms_quat_dot(rotation, shape_versor(shape))), 1, 1e-6);
        } else {
          assert_near(number(get(item, kind), "radius"), shape->size[0], 1e-12);
        }
      }
    }
  close_all(roots, bodies);
}

static void filters_of_collisions(void **state) {
  (void)state;
  BodyDef *body = open_body("human");
  cJSON *root = write_and_parse(body);
  for (int i = 0; i < body->part_count; i++) {
    const cJSON *collider =
        get(rigid(file_node(root, find_node(root, "%s_collider", body->parts[i].name))), "collider");
    const cJSON *filter =
        cJSON_GetArrayItem(get(rigid(root), "collisionFilters"), get(collider, "collisionFilter")->valueint);
    assert_true(lists(get(filter, "collisionSystems"), body->parts[i].name));
    const cJSON *without = cJSON_GetObjectItemCaseSensitive(filter, "notCollideWithSystems");
    for (int k = 0; k < body->part_count; k++)
      if (k != i)
        assert_int_equal(lists(without, body->parts[k].name), !body->collides[i][k] && !body->collides[k][i]);
  }
  assert_true(lists(get(root, "extensionsUsed"), RIGID) && lists(get(root, "extensionsUsed"), SHAPES));
  cJSON_Delete(root);
  body_free(body);
}

// The axes of a turned joint are those of a node in the parent and of one in the part, and each has its own limit.
static void turned_joints(void **state) {
  (void)state;
  BodyDef *body = open_body("human");
  const int shin = skeleton_find(&body->skeleton, "shin_l"), hip = skeleton_find(&body->skeleton, "thigh_l");
  JointDef *joint = &body->parts[shin].joint;
  memcpy(joint->turn, (double[]){0, 0, 60}, sizeof joint->turn);
  joint_set_frame(joint);
  body->parts[hip].joint.axis_strength[1] = 12;
  cJSON *root = write_and_parse(body);
  const int in_parent = find_node(root, "%s_joint", "shin_l"), in_part = find_node(root, "%s_joint_end", "shin_l");
  double first[4], second[4];
  numbers(file_node(root, in_parent), "rotation", 4, first);
  numbers(file_node(root, in_part), "rotation", 4, second);
  for (int k = 0; k < 4; k++) {
    const double wanted = k == 2 ? 0.5 : k == 3 ? sqrt(0.75) : 0;
    assert_near(first[k], wanted, 1e-6);
    assert_near(second[k], wanted, 1e-6);
  }
  const cJSON *of_shin = get(rigid(file_node(root, in_parent)), "joint");
  assert_int_equal(get(of_shin, "connectedNode")->valueint, in_part);
  assert_true(has_child(file_node(root, find_node(root, "%s", "shin_l")), in_part));
  const cJSON *of_hip = get(rigid(file_node(root, find_node(root, "%s_joint", "thigh_l"))), "joint");
  const cJSON *drives =
      get(cJSON_GetArrayItem(get(rigid(root), "physicsJoints"), get(of_hip, "joint")->valueint), "drives");
  assert_near(number(cJSON_GetArrayItem(drives, 1), "maxForce"), 12, 0);
  assert_near(number(cJSON_GetArrayItem(drives, 0), "maxForce"), body->parts[hip].joint.strength, 0);
  cJSON_Delete(root);
  body_free(body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_and_tensors),    cmocka_unit_test(joints_and_limits), cmocka_unit_test(shapes_of_parts),
      cmocka_unit_test(filters_of_collisions), cmocka_unit_test(turned_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
