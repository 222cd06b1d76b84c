// Turns of links: the shortest one between two directions, and frames that are given by axes half a turn away.
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_between_directions),
      cmocka_unit_test(axes_half_a_turn_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
