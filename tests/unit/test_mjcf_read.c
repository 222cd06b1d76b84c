// Models of MuJoCo as bodies: what Stagger writes reads back as the same body; defaults, frames and masses of a model
// written here; errors name the place.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/numbers.h"

static void what_is_written_reads_back(void **state) {
  (void)state;
  static const char *const names[] = {"human", "human_scarf", "lizard", "spider", "winged"};
  BodyDef *human = open_body("human");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    BodyDef *body = open_body(names[i]);
    char *text = model_of(body), notes[4096];
    BodyDef *read = read_good(text, human, notes);
    same_body(read, body);
    assert_string_equal(notes, "");
    free(text);
    body_free(read);
    body_free(body);
  }
  body_free(human);
}

// What robots' models have: an oblique chain of hinges with rotors, a link with three oblique hinges, links that differ
// a little between left and right.
static const char ROBOT[] =
    "<mujoco model='robot'>\n"
    "  <compiler angle='radian'/>\n"
    "  <worldbody><body name='torso_link' pos='0 0 1'><freejoint/>\n"
    "    <inertial pos='0 0 0' mass='5' fullinertia='.05 .06 .07 .001 .002 .003'/><geom size='.1'/>\n"
    "    <body name='left_pitch_link_with_a_long_name' pos='0 .2 0' quat='.976296 .216438 0 0'>\n"
    "      <inertial pos='0 .05 -.01' quat='.8 .4 .3 .2' mass='1' diaginertia='.002 .0015 .001'/><geom size='.03'/>\n"
    "      <joint name='left_pitch' axis='0 1 0' range='-2 1' armature='.05' actuatorfrcrange='-40 40'/>\n"
    "      <body name='left_roll' pos='0 .06 -.02' quat='.976296 0 .216438 0'>\n"
    "        <inertial pos='0 0 -.1' mass='.8' diaginertia='.002 .0015 .001'/><geom size='.03'/>\n"
    "        <joint name='left_roll' axis='1 0 .5' range='-.5 1' armature='.02' actuatorfrcrange='-30 30'/>\n"
    "      </body></body>\n"
    "    <body name='right_pitch' pos='0 -.2 0' quat='.976296 -.216438 0 0'>\n"
    "      <inertial pos='0 -.05 -.01' quat='.8 -.4 .3 -.2' mass='1.001' diaginertia='.002 .0015 .001'/>\n"
    "      <geom size='.03'/>\n"
    "      <joint name='right_pitch' axis='0 1 0' range='-2 1' armature='.05' actuatorfrcrange='-40 40'/></body>\n"
    "    <body name='neck' pos='0 0 .2' quat='.9 .3 .2 .1'>\n"
    "      <inertial pos='0 0 .1' mass='2' diaginertia='.01 .02 .015'/><geom size='.08'/>\n"
    "      <joint name='neck_x' axis='1 0 0' range='-.3 .4' armature='.01' actuatorfrcrange='-10 10'/>\n"
    "      <joint name='neck_y' axis='0 -1 0' range='-.5 .6' armature='.02' actuatorfrcrange='-20 20'/>\n"
    "      <joint name='neck_z' axis='0 0 1' range='-.7 .8' armature='.03' actuatorfrcrange='-30 30'/></body>\n"
    "  </body></worldbody></mujoco>\n";

// v turned by a quaternion w x y z of the file, in our axes: x forward, y left, z up are our z, x, y.
static void file_vector(const double q[4], double x, double y, double z, double out[3]) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), unit[4], v[3] = {x, y, z};
  for (int i = 0; i < 4; i++)
    unit[i] = q[i] / length;
  quaternion_turn(unit, v, v);
  const double size = sqrt(x * x + y * y + z * z);
  out[0] = v[1] / size;
  out[1] = v[2] / size;
  out[2] = v[0] / size;
}

static void axes_of_robots_stay(void **state) {
  (void)state;
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_as_is(ROBOT, notes, &error);
  fixture_check(&error);
  assert_string_equal(notes, "");
  assert_int_equal(body->part_count, 5);
  const PartDef *pitch = part(body, "left_pitch_link_with_a_long_nam"), *roll = part(body, "left_roll"),
                *right = part(body, "right_pitch"), *neck = part(body, "neck");
  const double pitched[4] = {.976296, .216438, 0, 0}, rolled[4] = {.976296, 0, .216438, 0}, bent[4] = {.9, .3, .2, .1};
  double axis[3], wanted[3], both[4];
  file_vector(pitched, 0, 1, 0, wanted);
  joint_axis(&pitch->joint, pitch->joint.twist_axis, axis);
  all_near(axis, wanted, 3, "the axis", "left_pitch");
  quaternion_times(pitched, rolled, both);
  file_vector(both, 1, 0, .5, wanted);
  joint_axis(&roll->joint, roll->joint.twist_axis, axis);
  all_near(axis, wanted, 3, "the axis", "left_roll");
  assert_int_equal(roll->joint.kind, JOINT_HINGE);
  near(roll->joint.strength, 30, "strength", "left_roll");
  near(roll->joint.armature[roll->joint.twist_axis], .02, "armature", "left_roll");

  // Three hinges: forward is our z, left our x, and the second one turns about the right.
  const JointDef *ball = &neck->joint;
  assert_int_equal(ball->kind, JOINT_BALL);
  all_near(ball->axis_strength, (const double[]){20, 30, 10}, 3, "axis_strength", "neck");
  near(ball->strength, sqrt(1400), "strength", "neck");
  all_near(ball->armature, (const double[]){.02, .03, .01}, 3, "armature", "neck");
  all_near(ball->limit[2], (const double[]){-.3, .4}, 2, "range", "neck");
  all_near(ball->limit[0], (const double[]){-.6, .5}, 2, "range", "neck");
  file_vector(bent, 1, 0, 0, wanted);
  joint_axis(ball, 2, axis);
  all_near(axis, wanted, 3, "the axis", "neck");

  // Left and right are twins that keep what differs.
  assert_int_equal(body->parts[right->twin].twin, (int)(right - body->parts));
  near(right->mass, 1.001, "mass", "right_pitch");
  near(pitch->mass, 1, "mass", "left_pitch");

  char *text = model_of(body);
  BodyDef *read = read_as_is(text, notes, &error);
  fixture_check(&error);
  same_body(read, body);
  free(text);
  body_free(read);
  body_free(body);
}

// Hinges that are parallel have no common frame: the second one is turned, with a note, and all numbers are finite.
static void parallel_hinges_are_turned(void **state) {
  (void)state;
  static const char model[] = "<mujoco><worldbody><body name='a'><geom size='.1'/><body name='b' pos='0 0 .3'>\n"
                              "<joint axis='.6 0 .8'/><joint axis='-.6 0 -.8'/><geom size='.1'/></body></body>\n"
                              "</worldbody></mujoco>";
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_as_is(model, notes, &error);
  fixture_check(&error);
  assert_non_null(strstr(notes, "is not perpendicular to the others; it is turned by 90 deg"));
  double axis[3];
  joint_axis(&part(body, "b")->joint, 1, axis); // our y and z are the file's z and x
  all_near(axis, (const double[]){0, .8, .6}, 3, "the axis", "b");
  body_free(body);
}

// A hinge that is turned by a quarter keeps its range.
static void turned_hinges_keep_their_ranges(void **state) {
  (void)state;
  static const char model[] =
      "<mujoco><compiler angle='degree'/><worldbody><body name='a'><geom size='.1'/><body name='b' pos='0 0 .3'>\n"
      "<joint axis='0 0 1' range='-20 70'/><joint axis='0 0 1' range='-10 50'/><geom size='.1'/></body></body>\n"
      "</worldbody></mujoco>";
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_as_is(model, notes, &error);
  fixture_check(&error);
  const JointDef *joint = &part(body, "b")->joint;
  all_near(joint->y, (const double[]){-20, 70}, 2, "range", "y of b");
  all_near(joint->x, (const double[]){-10, 50}, 2, "range", "x of b");
  body_free(body);
}

// What is fixed to a link becomes a part of it, with its shapes and mass.
static void what_is_fixed_is_merged(void **state) {
  (void)state;
  static const char model[] = "<mujoco><worldbody><body name='a'><geom size='.1'/><body name='b' pos='0 0 .3'>\n"
                              "<joint axis='0 0 1'/><geom size='.1' mass='2'/>\n"
                              "<body name='c' pos='.2 0 0'><geom type='box' size='.1 .2 .3' mass='3'/>\n"
                              "<geom size='.05' pos='0 0 .4' mass='0'/></body></body></body></worldbody></mujoco>";
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_as_is(model, notes, &error);
  fixture_check(&error);
  assert_int_equal(body->part_count, 2);
  const PartDef *b = part(body, "b");
  assert_int_equal(b->shape_count, 3);
  near(b->mass, 5, "mass", "b");
  near(b->com[0], 0, "centre", "b");
  near(b->com[2], 0.2 * 3 / 5, "centre", "b"); // our y and z are the file's z and x
  const double ball = 0.4 * 2 * 0.01 + 2 * 0.12 * 0.12, box = (0.01 + 0.04) + 3 * 0.08 * 0.08;
  near(b->inertia[1], ball + box, "inertia", "b");
  near(b->shapes[0].center_m[2], 0, "centre", "the ball");
  near(b->shapes[1].center_m[2], 0.2, "centre", "the box");
  near(b->shapes[2].center_m[1] - b->shapes[1].center_m[1], 0.4, "height", "the small ball");
  body_free(body);
}

// A capsule's moments about its middle: a cylinder and two half balls, here by summing thin slices.
static void masses_of_geoms_are_those_of_solids(void **state) {
  (void)state;
  const double r = 0.1, length = 0.3, density = 700;
  double mass = 0, along = 0, across = 0;
  enum { SLICES = 200000 };
  for (int i = 0; i < SLICES; i++) {
    const double width = (length + 2 * r) / SLICES, z = -length / 2 - r + (i + 0.5) * width;
    const double beyond = fmax(fabs(z) - length / 2, 0), square = r * r - beyond * beyond;
    const double slice = density * M_PI * square * width;
    mass += slice;
    along += slice * square / 2;
    across += slice * (square / 4 + z * z);
  }
  BodyDef *body = read_good("<mujoco><worldbody><body name='a'><geom type='capsule' size='.1 .15' density='700' "
                            "euler='90 0 0'/></body></worldbody></mujoco>",
                            NULL, NULL);
  near(body->parts[0].mass, mass, "mass", "a");
  near(body->parts[0].inertia[0], along, "inertia", "a"); // z turned about forward lies aside
  near(body->parts[0].inertia[1], across, "inertia", "a");
  assert_int_equal(body->parts[0].shapes[0].axis, 0);
  body_free(body);
  // An ellipsoid's are a ball's, stretched; a box of its volume stands for it. The file's x, y and z are our z, x and
  // y.
  body = read_good("<mujoco><worldbody><body name='a'><geom type='ellipsoid' size='.1 .2 .3' density='700'/></body>"
                   "</worldbody></mujoco>",
                   NULL, NULL);
  const double volume = 4 * M_PI / 3 * 0.1 * 0.2 * 0.3, halves[3] = {0.2, 0.3, 0.1};
  near(body->parts[0].mass, 700 * volume, "mass", "ellipsoid");
  for (int k = 0; k < 3; k++) {
    const double one = halves[(k + 1) % 3], other = halves[(k + 2) % 3];
    near(body->parts[0].inertia[k], 700 * volume * (one * one + other * other) / 5, "inertia", "ellipsoid");
    near(body->parts[0].shapes[0].size[k], 2 * halves[k] * cbrt(M_PI / 6), "size", "ellipsoid");
  }
  body_free(body);
}

static void orientations_agree(void **state) {
  (void)state;
  static const char *const ways[] = {"quat='.9238795 0 0 .3826834'", "axisangle='0 0 1 45'", "euler='0 0 45'",
                                     "xyaxes='1 1 0 -1 1 0'"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name='a' %s><geom type='box' size='.3 .2 .1' pos='1 0 0'/></body></worldbody>"
             "</mujoco>",
             ways[i]);
    BodyDef *body = read_good(text, NULL, NULL);
    const ShapeDef *shape = &body->parts[0].shapes[0];
    all_near(shape->center_m, (const double[]){sqrt(.5), .1, sqrt(.5)}, 3, "centre", ways[i]);
    all_near(shape->turn, (const double[]){0, M_PI / 4, 0}, 3, "turn", ways[i]);
    all_near(shape->size, (const double[]){.4, .2, .6}, 3, "size", ways[i]);
    near(shape_half_size(shape, 0), .5 * sqrt(.5), "extent", ways[i]);
    const double m = body->parts[0].mass, x = m * (.2 * .2 + .6 * .6) / 12, z = m * (.2 * .2 + .4 * .4) / 12;
    near(body->parts[0].products[1], (x - z) / 2 * -1, "products", ways[i]);
    body_free(body);
  }
}

static void errors_name_the_place(void **state) {
  (void)state;
  static const struct {
    const char *body, *error;
  } cases[] = {
      {"<geom size='.1'/><body name='b'><joint type='screw'/><geom size='.1'/></body>",
       "m.xml:2:33: <joint>: type is 'screw', allowed are hinge, ball, slide and, of the first body, free"},
      {"<geom size='.1'/><body name='b'><freejoint/><geom size='.1'/></body>",
       "m.xml:2:33: <freejoint>: a free joint is allowed on the first body only"},
      {"<geom size='one'/>", "m.xml:2:1: <geom>: size: 'one' is not a finite number"},
      {"<geom size='nan'/>", "m.xml:2:1: <geom>: size: 'nan' is not a finite number"},
      {"<geom size='-1'/>", "m.xml:2:1: <geom>: size is -1 m, allowed is above 0 up to 10"},
      {"<geom type='cone' size='1'/>",
       "m.xml:2:1: <geom>: type is 'cone', allowed are sphere, capsule, box, cylinder, ellipsoid"},
      {"<geom type='mesh' mesh='m'/>", "m.xml:2:1: <geom>: meshes are not read, and the body 'a' has no <inertial>"},
      {"<geom size='.1' class='x'/>", "m.xml:2:1: <geom>: there is no <default class=\"x\">"},
      {"<geom size='.1' quat='1 0 0'/>", "m.xml:2:1: <geom>: quat has 3 numbers, needed are 4"},
      {"<geom size='.1' quat='1 0 0 0' euler='0 0 0'/>", "m.xml:2:1: <geom>: has both quat and euler"},
      {"<inertial pos='0 0 0' mass='1e4' diaginertia='1 1 1'/><geom size='.1'/>", "not a valid one"},
      {"<tree/>", "m.xml:2:1: <tree>: is not read in a body; allowed are body, joint"},
      {"<body name='b'><joint/></body><geom size='.1'/>", "m.xml:2:1: <body>: 'b' has no mass"},
      {"<geom size='.1'>", "m.xml:2:19: mismatched tag"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    Error error = {0};
    snprintf(text, sizeof text, "<mujoco><worldbody><body name='a'>\n%s</body></worldbody></mujoco>", cases[i].body);
    assert_null(read_model(text, strlen(text), NULL, NULL, &error));
    if (!strstr(error.text, cases[i].error))
      fail_msg("'%s' is not '%s'", error.text, cases[i].error);
  }
  Error error = {0};
  static const char robot[] = "<robot/>", doctype[] = "<!DOCTYPE mujoco [<!ENTITY a 'b'>]><mujoco/>";
  assert_null(read_model(robot, strlen(robot), NULL, NULL, &error));
  assert_non_null(strstr(error.text, "m.xml:1:1: <robot>: is not a model of MuJoCo"));
  error = (Error){0};
  assert_null(read_model(doctype, strlen(doctype), NULL, NULL, &error));
  if (!strstr(error.text, "m.xml:1:18: a document type"))
    fail_msg("%s", error.text);
}

static void meshes_become_boxes(void **state) {
  (void)state;
  char notes[4096];
  BodyDef *body =
      read_good("<mujoco><worldbody><body name='a'><inertial pos='0 0 0' mass='12' diaginertia='.05 .1 .13'/>"
                "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                NULL, notes);
  // (b^2 + c^2) m / 12 = I: squares of the edges are .09, .04, .01 forward, left, up.
  all_near(body->parts[0].shapes[0].size, (const double[]){.2, .1, .3}, 3, "size", "a");
  assert_non_null(strstr(notes, "a: the mesh is replaced by a box with the link's inertia, 0.2 x 0.1 x 0.3 m"));
  body_free(body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_reads_back), cmocka_unit_test(axes_of_robots_stay),
      cmocka_unit_test(parallel_hinges_are_turned), cmocka_unit_test(turned_hinges_keep_their_ranges),
      cmocka_unit_test(what_is_fixed_is_merged),    cmocka_unit_test(masses_of_geoms_are_those_of_solids),
      cmocka_unit_test(orientations_agree),         cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(meshes_become_boxes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
