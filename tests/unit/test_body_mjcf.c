// Bodies as models of MuJoCo: the numbers of the file are those of the body, in the other frame.
#include "tests/fixture.h"

#include "ragdoll/body/body_mjcf.h"

static const char *const BODIES[] = {"human", "lizard", "spider", "winged", "human_scarf"};

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

static char *model_of(const BodyDef *body) {
  TextBuffer text = {0};
  body_write_mjcf(body, &text);
  assert_false(text.failed);
  char *copy = strndup(text.bytes, text.size);
  assert_non_null(copy);
  text_free(&text);
  return copy;
}

// The text after a key, from a place on; fails where there is none.
static const char *after(const char *from, const char *key) {
  const char *found = strstr(from, key);
  if (!found)
    fail_msg("there is no %s", key);
  return found + strlen(key);
}

static void read_numbers(const char *from, const char *key, int count, double values[]) {
  const char *at = after(from, key);
  for (int i = 0; i < count; i++) {
    char *end;
    values[i] = strtod(at, &end);
    assert_ptr_not_equal(at, end);
    at = end;
  }
}

static const char *find_part(const char *model, const char *name) {
  char key[64];
  snprintf(key, sizeof key, "<body name=\"%s\"", name);
  return after(model, key);
}

static void assert_near(double value, double expected) {
  if (!(fabs(value - expected) <= 1e-8 * (1 + fabs(expected))))
    fail_msg("%.12g is not %.12g", value, expected);
}

// A vector of the file is that of the body: x, y, z of MuJoCo are the body's z, x, y.
static void assert_vector(const double of_file[3], const double of_body[3]) {
  assert_near(of_file[0], of_body[2]);
  assert_near(of_file[1], of_body[0]);
  assert_near(of_file[2], of_body[1]);
}

static void masses_and_places_are_the_body_s(void **state) {
  (void)state;
  for (size_t b = 0; b < sizeof BODIES / sizeof *BODIES; b++) {
    BodyDef *body = open_body(BODIES[b]);
    char *model = model_of(body);
    for (int i = 0; i < body->part_count; i++) {
      const PartDef *part = &body->parts[i];
      const char *at = find_part(model, part->name);
      double pos[3], mass, com[3], inertia[3], place[3], center[3];
      read_numbers(at, " pos=\"", 3, pos);
      const char *inertial = after(at, "<inertial");
      read_numbers(inertial, " mass=\"", 1, &mass);
      read_numbers(inertial, " pos=\"", 3, com);
      read_numbers(inertial, " diaginertia=\"", 3, inertia);
      for (int k = 0; k < 3; k++) {
        place[k] = part->joint.position[k] - (i > 0 ? body->parts[part->parent].joint.position[k] : 0);
        center[k] = part->com[k] - part->joint.position[k];
      }
      assert_vector(pos, place);
      assert_near(mass, part->mass);
      assert_vector(com, center);
      assert_vector(inertia, part->inertia);
    }
    free(model);
    body_free(body);
  }
}

// A hinge for each axis that turns, the twist last; about its axis, within its range, with the joint's gains.
static void joints_turn_about_the_body_s_axes(void **state) {
  (void)state;
  static const char *const axes[] = {"0 1 0", "0 0 1", "1 0 0"};
  for (size_t b = 0; b < sizeof BODIES / sizeof *BODIES; b++) {
    BodyDef *body = open_body(BODIES[b]);
    char *model = model_of(body);
    for (int i = 1; i < body->part_count; i++) {
      const JointDef *joint = &body->parts[i].joint;
      const char *twist = NULL, *swing = NULL;
      for (int axis = 0; axis < 3; axis++) {
        char key[64], line[64];
        snprintf(key, sizeof key, "<joint name=\"%s_%c\"", body->parts[i].name, "xyz"[axis]);
        assert_true(joint_turns(joint, axis) == (strstr(model, key) != NULL));
        if (!joint_turns(joint, axis))
          continue;
        const char *at = after(model, key);
        snprintf(line, sizeof line, " axis=\"%s\"", axes[axis]);
        assert_ptr_equal(after(at, line), at + strlen(line));
        double range[2], damping, kp, force[2];
        read_numbers(at, " damping=\"", 1, &damping);
        assert_near(damping, joint->damping);
        if (joint->limit[axis][1] - joint->limit[axis][0] < 6.28) {
          read_numbers(at, " range=\"", 2, range);
          assert_near(range[0], joint->limit[axis][0]);
          assert_near(range[1], joint->limit[axis][1]);
        }
        snprintf(key, sizeof key, "<position name=\"%s_%c\"", body->parts[i].name, "xyz"[axis]);
        read_numbers(after(model, key), " kp=\"", 1, &kp);
        read_numbers(after(model, key), " forcerange=\"", 2, force);
        assert_near(kp, joint->stiffness);
        assert_near(force[0], -joint->strength);
        assert_near(force[1], joint->strength);
        *(axis == joint->twist_axis ? &twist : &swing) = at;
      }
      if (twist && swing)
        assert_true(twist > swing);
    }
    free(model);
    body_free(body);
  }
}

static void shapes_are_the_body_s(void **state) {
  (void)state;
  BodyDef *body = open_body("human");
  char *model = model_of(body);
  double box[3], center[3], ends[6], radius;
  const char *pelvis = find_part(model, "pelvis");
  read_numbers(pelvis, "<geom type=\"box\" size=\"", 3, box);
  read_numbers(after(pelvis, "<geom"), " pos=\"", 3, center);
  assert_vector(box, (const double[]){0.15, 0.08, 0.095});
  assert_vector(center, (const double[]){0, 0.045, 0});
  const ShapeDef *skull = &body->parts[skeleton_find(&body->skeleton, "head")].shapes[0];
  read_numbers(find_part(model, "head"), "<geom type=\"capsule\" size=\"", 1, &radius);
  read_numbers(find_part(model, "head"), " fromto=\"", 6, ends);
  assert_near(radius, skull->size[0]);
  assert_near(ends[5] - ends[2], skull->size[1]);
  assert_near(ends[2] + 1.50 + skull->size[1] / 2, skull->center_m[1]);
  assert_near(ends[0], skull->center_m[2]);
  free(model);
  body_free(body);
}

// MuJoCo itself lets no part touch its parent.
static void parts_that_touch_are_the_body_s(void **state) {
  (void)state;
  int pairs = 0;
  for (size_t b = 0; b < sizeof BODIES / sizeof *BODIES; b++) {
    BodyDef *body = open_body(BODIES[b]);
    char *model = model_of(body);
    for (int i = 0; i < body->part_count; i++)
      for (int k = i + 1; k < body->part_count; k++) {
        char line[128];
        snprintf(line, sizeof line, "<exclude body1=\"%s\" body2=\"%s\"/>", body->parts[i].name, body->parts[k].name);
        const bool excluded = !body->collides[i][k] && body->parts[k].parent != i;
        assert_true(excluded == (strstr(model, line) != NULL));
        pairs += excluded;
      }
    free(model);
    body_free(body);
  }
  assert_true(pairs > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_and_places_are_the_body_s),
      cmocka_unit_test(joints_turn_about_the_body_s_axes),
      cmocka_unit_test(shapes_are_the_body_s),
      cmocka_unit_test(parts_that_touch_are_the_body_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
