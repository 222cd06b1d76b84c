// Robots of URDF as bodies: frames, fixed links, joined hinges, tensors, efforts; errors name the place; broken files
// do not crash.
#include "tests/fixture.h"

#include "ragdoll/body/link_body.h"
#include "ragdoll/body/urdf_read.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

static BodyDef *read_robot(const char *text, size_t size, char notes[4096], Error *error) {
  XmlDocument document;
  if (!xml_parse(&document, "r.urdf", text, size, error))
    return NULL;
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  BodyDef *body = NULL;
  if (urdf_read(model, &document, error)) {
    snprintf(model->name, sizeof model->name, "robot");
    body = link_body(model, NULL, error);
  }
  if (notes)
    snprintf(notes, 4096, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  return body;
}

static const char ROBOT[] =
    "<robot name='r'>\n"
    "<link name='world'/>\n"
    "<link name='base'><inertial><origin xyz='0 0 .1' rpy='0 0 1.5707963267948966'/><mass value='4'/>\n"
    "  <inertia ixx='.05' iyy='.06' izz='.07' ixy='.001' ixz='.002' iyz='.003'/></inertial>\n"
    "  <collision><geometry><box size='.4 .2 .1'/></geometry></collision></link>\n"
    "<link name='plate'><inertial><mass value='2'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/>\n"
    "  </inertial><collision><geometry><sphere radius='.1'/></geometry></collision></link>\n"
    "<link name='yaw'><inertial><mass value='.5'/><inertia ixx='.001' iyy='.001' izz='.001' ixy='0' ixz='0' iyz='0'/>\n"
    "  </inertial></link>\n"
    "<link name='arm'><inertial><origin xyz='.3 0 0'/><mass value='1'/>\n"
    "  <inertia ixx='.001' iyy='.02' izz='.02' ixy='0' ixz='0' iyz='0'/></inertial>\n"
    "  <collision><origin xyz='.3 0 0' rpy='0 1.5707963267948966 0'/><geometry><cylinder radius='.05' length='.5'/>\n"
    "  </geometry></collision></link>\n"
    "<link name='hand'><inertial><mass value='.4'/><inertia ixx='.001' iyy='.001' izz='.001' ixy='0' ixz='0' "
    "iyz='0'/>\n"
    "  </inertial><collision><geometry><mesh filename='hand.stl'/></geometry></collision></link>\n"
    "<joint name='free' type='floating'><parent link='world'/><child link='base'/></joint>\n"
    "<joint name='weld' type='fixed'><origin xyz='0 0 .3'/><parent link='base'/><child link='plate'/></joint>\n"
    "<joint name='shoulder_yaw' type='continuous'><origin xyz='.2 0 .2'/><parent link='base'/><child link='yaw'/>\n"
    "  <axis xyz='0 0 1'/><limit effort='30' velocity='1'/></joint>\n"
    "<joint name='shoulder_pitch' type='revolute'><origin xyz='0 0 .1' rpy='0 0 1.5707963267948966'/><parent "
    "link='yaw'/>\n"
    "  <child link='arm'/><axis xyz='-1 0 0'/><limit lower='-.5' upper='1' effort='50' velocity='1'/></joint>\n"
    "<joint name='wrist' type='revolute'><origin xyz='.6 0 0'/><parent link='arm'/><child link='hand'/>\n"
    "  <axis xyz='1 0 0'/><limit lower='-1' upper='2' effort='5' velocity='1'/><dynamics damping='9'/></joint>\n"
    "</robot>\n";

static void near(double value, double expected) {
  if (!(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected))))
    fail_msg("%.9g is not %.9g", value, expected);
}

static void all_near(const double *values, const double *expected, int count) {
  for (int i = 0; i < count; i++)
    near(values[i], expected[i]);
}

static void a_robot_becomes_a_body(void **state) {
  (void)state;
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_robot(ROBOT, strlen(ROBOT), notes, &error);
  fixture_check(&error);
  assert_int_equal(body->part_count, 3);
  const PartDef *base = &body->parts[0], *arm = &body->parts[1], *hand = &body->parts[2];

  // The plate is a part of the base, which stands on its box: .05 up. A quarter of a turn about up exchanges x and y.
  assert_string_equal(base->name, "base");
  near(base->mass, 6);
  all_near(base->joint.position, (const double[]){0, .05, 0}, 3);
  all_near(base->com, (const double[]){0, .05 + (4 * .1 + 2 * .3) / 6, 0}, 3);
  const double apart = 4.0 * 2 / 6 * .2 * .2; // of the two masses, .2 m over each other
  all_near(base->inertia, (const double[]){.05 + .01 + apart, .07 + .01, .06 + .01 + apart}, 3);
  // Of the file's products xz turns to yz, yz to -xz, xy to -xy; ours are left-up, left-forward, up-forward.
  all_near(base->products, (const double[]){.002, -.001, -.003}, 3);
  assert_int_equal(base->shape_count, 2);
  all_near(base->shapes[0].size, (const double[]){.2, .1, .4}, 3);

  // Two hinges across each other are one joint, where their axes are nearest: .3 up. The arm reaches to the left.
  assert_string_equal(arm->name, "arm");
  assert_int_equal(arm->joint.kind, JOINT_UNIVERSAL);
  assert_int_equal(arm->joint.twist_axis, 2);
  all_near(arm->joint.position, (const double[]){0, .35, .2}, 3);
  near(arm->mass, 1.5);
  near(arm->joint.strength, hypot(50, 30)); // as the norm over axes, each of which has its own limit
  all_near(arm->joint.axis_strength, (const double[]){50, 30, 0}, 3);
  near(arm->joint.stiffness, 50 / (3 * RAD_PER_DEGREE));
  all_near(arm->joint.y, (const double[]){-180, 180}, 2);
  all_near(arm->joint.x, (const double[]){-1 / RAD_PER_DEGREE, .5 / RAD_PER_DEGREE}, 2);
  assert_int_equal(arm->shapes[0].kind, SHAPE_CAPSULE);
  assert_int_equal(arm->shapes[0].axis, 0);
  all_near(arm->shapes[0].size, (const double[]){.05, .4}, 2);
  all_near(arm->shapes[0].center_m, (const double[]){.3, .35, .2}, 3);

  // The mesh of the hand is a box of its inertia.
  assert_int_equal(hand->joint.kind, JOINT_HINGE);
  assert_int_equal(hand->joint.twist_axis, 0);
  all_near(hand->joint.x, (const double[]){-1 / RAD_PER_DEGREE, 2 / RAD_PER_DEGREE}, 2);
  near(hand->joint.damping, 9);
  near(hand->shapes[0].size[0], sqrt(12 * .0005 / .4));
  assert_non_null(strstr(notes, "yaw and arm are one part, with a joint of 2 axes"));
  assert_non_null(strstr(notes, "hand: the mesh is replaced by a box"));
  body_free(body);
}

// Damping of the robot's wrist, N m s/rad.
static double damping_of(const char *given) {
  char text[sizeof ROBOT + 8];
  const char *at = strstr(ROBOT, "'9'");
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s'%s'%s", (int)(at - ROBOT), ROBOT, given, at + 3);
  Error error = {0};
  BodyDef *body = read_robot(text, strlen(text), NULL, &error);
  fixture_check(&error);
  const double damping = body->parts[2].joint.damping;
  body_free(body);
  return damping;
}

static void damping_below_0_is_none(void **state) {
  (void)state;
  assert_true(damping_of("-9") == damping_of("0"));
  assert_true(damping_of("-9") > 0); // of an actuator of that strength
}

static void errors_name_the_place(void **state) {
  (void)state;
  static const struct {
    const char *old, *by, *error;
  } cases[] = {
      {"type='continuous'", "type='screw'",
       "<joint>: type is 'screw', allowed are revolute, continuous, spherical, fixed, prismatic, planar"},
      {"<link name='world'/>", "<xacro:include filename='x'/>",
       "r.urdf:2:1: <xacro:include>: is of xacro's macros, which are not read; `xacro FILE > robot.urdf`"},
      {"<box size='.4 .2 .1'/>", "<cone/>",
       "r.urdf:5:14: <geometry>: allowed are box, cylinder, capsule, sphere, mesh"},
      {"<box size='.4 .2 .1'/>", "<box size='.4 .2'/>", "r.urdf:5:24: <box>: size has 2 numbers, needed are 3"},
      {"radius='.05'", "radius='inf'", "<cylinder>: radius: 'inf' is not a finite number"},
      {"<mass value='4'/>", "", "<inertial>: <mass> is missing"},
      {"<child link='arm'/>", "<child link='leg'/>", "<child>: there is no link 'leg'"},
      {"<child link='arm'/>", "<child link='base'/>", "there are more than 128 links, or they form a circle"},
      {"<limit lower='-.5' upper='1' effort='50' velocity='1'/>", "", "<joint>: <limit> is missing"},
      {"<robot name='r'>", "<robot name='r'", "r.urdf:2:1: not well-formed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[sizeof ROBOT + 64];
    const char *at = strstr(ROBOT, cases[i].old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ROBOT), ROBOT, cases[i].by, at + strlen(cases[i].old));
    Error error = {0};
    assert_null(read_robot(text, strlen(text), NULL, &error));
    if (!strstr(error.text, cases[i].error) || strncmp(error.text, "r.urdf:", 7) != 0)
      fail_msg("'%s' is not '%s'", error.text, cases[i].error);
  }
}

static void broken_files_are_refused(void **state) {
  (void)state;
  enum { TRIALS = 800 };
  static const char letters[] = "<>/'\"= -.0123456789enaxyz";
  const size_t size = strlen(ROBOT);
  int good = 0, bad = 0;
  Rng rng = rng_make(12, "urdf");
  for (int trial = 0; trial < TRIALS; trial++) {
    char copy[sizeof ROBOT];
    memcpy(copy, ROBOT, sizeof copy);
    const size_t length = trial % 5 == 0 ? (size_t)rng_index(&rng, (int)size) : size;
    for (int k = rng_index(&rng, 3); k >= 0; k--)
      copy[rng_index(&rng, (int)size)] = letters[rng_index(&rng, (int)sizeof letters - 1)];
    Error error = {0};
    BodyDef *body = read_robot(copy, length, NULL, &error);
    assert_true(!body == (error.text[0] != 0));
    *(body ? &good : &bad) += 1;
    body_free(body);
  }
  assert_true(good > TRIALS / 20 && bad > TRIALS / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_becomes_a_body),
      cmocka_unit_test(damping_below_0_is_none),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(broken_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
