// Turns of links: the shortest one between two directions, and frames that are given by axes half a turn away. Which
// hinges that follow each other are joined.
#include "tests/fixture.h"

#include "ragdoll/body/mjcf_read.h"
#include "sim/base/numbers.h"

static void near(double value, double expected, const char *what) {
  if (!(fabs(value - expected) <= 1e-12))
    fail_msg("%s: %.15g is not %.15g", what, value, expected);
}

static void turns_between_directions(void **state) {
  (void)state;
  static const struct {
    double from[3], to[3], angle; // deg
    const char *what;
  } cases[] = {
      {{1, 0, 0}, {1, 0, 0}, 0, "none"},          {{0, 2, 0}, {0, 0, 3}, 90, "y to z"},
      {{0, 0, 1}, {1, 0, 0}, 90, "z to x"},       {{1, 1, 0}, {3, 0, 0}, 45, "between x and y to x"},
      {{1, 0, 0}, {-1, 0, 0}, 180, "x to -x"},    {{0, 1, 0}, {0, -2, 0}, 180, "y to -y"},
      {{0, 0, -1}, {0, 0, 1}, 180, "-z to z"},    {{-3, 0, 4}, {3, 0, -4}, 180, "between -x and z to the other side"},
      {{-4, 3, 0}, {4, -3, 0}, 180, "mostly -x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double rotation[4], turned[3];
    rotation_between(cases[i].from, cases[i].to, rotation);
    quaternion_turn(rotation, cases[i].from, turned);
    for (int k = 0; k < 3; k++)
      near(turned[k] / length3(cases[i].from), cases[i].to[k] / length3(cases[i].to), cases[i].what);
    near(length3(rotation + 1), sin(cases[i].angle / 2 * RAD_PER_DEGREE), cases[i].what);
  }
}

// The places of three spheres on the axes of a body, in a frame that is given by an attribute.
static void place_axes(const char *attribute, double places[3][3]) {
  char text[512];
  XmlDocument document;
  Error error = {0};
  snprintf(text, sizeof text,
           "<mujoco><worldbody><body name='a' %s><geom size='.1' pos='1 0 0'/><geom size='.1' pos='0 1 0'/>"
           "<geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>",
           attribute);
  assert_true(xml_parse(&document, "m.xml", text, strlen(text), &error));
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  mjcf_read(model, &document, &error);
  fixture_check(&error);
  assert_int_equal(model->links[0].shape_count, 3);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      places[i][k] = model->links[0].shapes[i].frame.place[k];
  text_free(&model->notes);
  free(model);
  xml_free(&document);
}

// Half a turn about n takes x to 2 (n x) n - x: signs that the real part of the quaternion, 0, does not tell.
static void axes_half_a_turn_away(void **state) {
  (void)state;
  static const int about[][3] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},  {1, 1, 0},  {1, -1, 0},  {1, 0, 1},
                                 {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 2, -2}, {-2, 1, -2}, {2, -2, 1}};
  for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
    const int *n = about[i], square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    char quat[64], axes[128];
    double expected[3][3], places[3][3];
    snprintf(quat, sizeof quat, "quat='0 %d %d %d'", n[0], n[1], n[2]);
    snprintf(axes, sizeof axes, "xyaxes='%d %d %d %d %d %d'", 2 * n[0] * n[0] - square, 2 * n[0] * n[1],
             2 * n[0] * n[2], 2 * n[0] * n[1], 2 * n[1] * n[1] - square, 2 * n[1] * n[2]);
    place_axes(quat, expected);
    place_axes(axes, places);
    for (int k = 0; k < 9; k++)
      if (!(fabs(places[k / 3][k % 3] - expected[k / 3][k % 3]) <= 1e-7)) // roots of numbers near 0
        fail_msg("%s is not %s", axes, quat);
  }
}

// A base with a chain of links on it, with a hinge each at the same place, each twice as heavy as the one before, about
// the axes of an icosahedron, any two of which are 63 deg apart.
static LinkModel *make_chain(int count) {
  const double golden = (1 + sqrt(5)) / 2, size = hypot(1, golden);
  const double axes[6][3] = {{0, 1, golden},  {0, 1, -golden}, {1, golden, 0},
                             {1, -golden, 0}, {golden, 0, 1},  {-golden, 0, 1}};
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  model->count = count + 1;
  for (int i = 0; i <= count; i++) {
    Link *link = &model->links[i];
    snprintf(link->name, sizeof link->name, "link_%d", i);
    link->parent = i - 1;
    link->mass = 1 << i;
    link->joint_count = i > 0;
    snprintf(link->joints[0].name, sizeof link->joints[0].name, "%s", i % 2 ? "hip_yaw" : "hip_roll");
    for (int k = 0; k < 3 && i > 0; k++)
      link->joints[0].axis[k] = axes[i - 1][k] / size;
  }
  return model;
}

static void free_model(LinkModel *model) {
  text_free(&model->notes);
  free(model);
}

// At most three are joined, the first of which does not hang on the base.
static void hinges_are_joined_by_three(void **state) {
  (void)state;
  static const int joints[7][4] = {{0}, {0, 1}, {0, 2}, {0, 3}, {0, 3, 1}, {0, 3, 2}, {0, 3, 3}};
  for (int count = 1; count <= 6; count++) {
    LinkModel *model = make_chain(count);
    links_join_hinges(model);
    assert_int_equal(model->count, 1 + (count + 2) / 3);
    for (int i = 1; i < model->count; i++) {
      assert_int_equal(model->links[i].joint_count, joints[count][i]);
      assert_int_equal(model->links[i].parent, i - 1);
    }
    free_model(model);
  }
}

// Whether the second and third link become one.
static bool is_joined(LinkModel *model) {
  const int before = model->count;
  links_join_hinges(model);
  const bool joined = model->count < before;
  free_model(model);
  return joined;
}

// How far apart, how far across, how heavy and of what kind two hinges may be to be joined.
static void limits_of_joining(void **state) {
  (void)state;
  static const struct {
    const char *first, *second;
    double apart, cosine, mass; // m; between the axes; of the link above, the one below weighs 1 kg
    bool joined;
  } cases[] = {{"hip_yaw", "hip_roll", 0.1999, 0, 1, true},    {"hip_yaw", "hip_roll", 0.2001, 0, 1, false},
               {"HipYaw", "hip_roll_joint", 0.19, 0, 1, true}, {"hip_yaw", "knee", 0.0799, 0, 1, true},
               {"hip_yaw", "knee", 0.0801, 0, 1, false},       {"hip_yaw", "knee", 0, 0.499, 1, true},
               {"hip_yaw", "knee", 0, -0.501, 1, false},       {"hip_yaw", "knee", 0, 0.501, 1, false},
               {"hip_yaw", "knee", 0, 0, 1.499, true},         {"hip_yaw", "knee", 0, 0, 1.501, false},
               {"hip_yaw", "knee", 0, 0.5, 1, true},           {"hip_yaw", "knee", 0, 0, 1.5, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int axis = 0; axis < 3; axis++) {
      LinkModel *model = make_chain(2);
      LinkJoint *a = &model->links[1].joints[0], *b = &model->links[2].joints[0];
      snprintf(a->name, sizeof a->name, "%s", cases[i].first);
      snprintf(b->name, sizeof b->name, "%s", cases[i].second);
      memset(a->axis, 0, sizeof a->axis);
      memset(b->axis, 0, sizeof b->axis);
      a->axis[axis] = 1;
      b->axis[axis] = cases[i].cosine;
      b->axis[(axis + 1) % 3] = sqrt(1 - cases[i].cosine * cases[i].cosine);
      b->place[axis] = cases[i].apart;
      model->links[1].mass = cases[i].mass;
      model->links[2].mass = 1;
      if (is_joined(model) != cases[i].joined)
        fail_msg("case %d", (int)i);
    }
  LinkModel *model = make_chain(2); // a ball is joined with nothing, on either side
  model->links[1].joints[0].ball = true;
  assert_false(is_joined(model));
  model = make_chain(2);
  model->links[2].joints[0].ball = true;
  assert_false(is_joined(model));
  model = make_chain(3); // something else hangs on the link above
  model->links[3].parent = 1;
  assert_false(is_joined(model));
  model = make_chain(2); // a model that has joints of several axes itself
  model->links[0].joint_count = 2;
  assert_false(is_joined(model));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_between_directions),
      cmocka_unit_test(axes_half_a_turn_away),
      cmocka_unit_test(hinges_are_joined_by_three),
      cmocka_unit_test(limits_of_joining),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
