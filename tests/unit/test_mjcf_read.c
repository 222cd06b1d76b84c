// Models of MuJoCo as bodies: what Stagger writes reads back as the same body; defaults, frames and masses of a model
// written here; errors name the place; broken files do not crash.
#include "tests/fixture.h"

#include "ragdoll/body/body_mjcf.h"
#include "ragdoll/body/link_body.h"
#include "ragdoll/body/mjcf_read.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

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

static bool as_is; // whether models are read so

// The notes are printed into a text of the caller's, which may be NULL. NULL on error.
static BodyDef *read_model(const char *text, size_t size, const BodyDef *human, char notes[4096], Error *error) {
  XmlDocument document;
  if (!xml_parse(&document, "m.xml", text, size, error))
    return NULL;
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  model->as_is = as_is;
  BodyDef *body = NULL;
  if (mjcf_read(model, &document, error)) {
    snprintf(model->name, sizeof model->name, "model");
    body = link_body(model, human, error);
  }
  if (notes)
    snprintf(notes, 4096, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  return body;
}

static BodyDef *read_as_is(const char *text, char notes[4096], Error *error) {
  as_is = true;
  BodyDef *body = read_model(text, strlen(text), NULL, notes, error);
  as_is = false;
  return body;
}

static BodyDef *read_good(const char *text, const BodyDef *human, char notes[4096]) {
  Error error = {0};
  BodyDef *body = read_model(text, strlen(text), human, notes, &error);
  fixture_check(&error);
  assert_non_null(body);
  return body;
}

static char *model_of(const BodyDef *body) {
  TextBuffer text = {0};
  body_write_mjcf(body, &text);
  assert_false(text.failed);
  return text.bytes;
}

static void near(double value, double expected, const char *what, const char *where) {
  if (!(fabs(value - expected) <= 1e-6 * fmax(1, fabs(expected))))
    fail_msg("%s of %s is %.9g, not %.9g", what, where, value, expected);
}

static void all_near(const double *values, const double *expected, int count, const char *what, const char *where) {
  assert_non_null(values);
  for (int i = 0; values && expected && i < count; i++)
    near(values[i], expected[i], what, where);
}

static void same_shape(const ShapeDef *read, const ShapeDef *shape, const char *where) {
  static const int sizes[] = {3, 2, 1};
  assert_int_equal(read->kind, shape->kind);
  all_near(read->size, shape->size, sizes[shape->kind], "a shape's size", where);
  all_near(read->center_m, shape->center_m, 3, "a shape's centre", where);
  all_near(read->turn, shape->turn, 3, "a shape's turn", where);
  if (shape->kind == SHAPE_CAPSULE)
    assert_int_equal(read->axis, shape->axis);
}

static void same_part(const BodyDef *read_body, const PartDef *read, const BodyDef *body, const PartDef *part) {
  const char *name = part->name;
  near(read->mass, part->mass, "mass", name);
  all_near(read->com, part->com, 3, "com", name);
  all_near(read->inertia, part->inertia, 3, "inertia", name);
  all_near(read->products, part->products, 3, "products", name);
  all_near(read->joint.position, part->joint.position, 3, "position", name);
  assert_int_equal(read->joint.kind, part->joint.kind);
  assert_int_equal(read->shape_count, part->shape_count);
  for (int i = 0; i < part->shape_count; i++)
    same_shape(&read->shapes[i], &part->shapes[i], name);
  assert_string_equal(read_body->parts[read->twin].name, body->parts[part->twin].name);
  if (part->parent < 0)
    return;
  assert_string_equal(read_body->parts[read->parent].name, body->parts[part->parent].name);
  assert_int_equal(read->joint.twist_axis, part->joint.twist_axis);
  for (int axis = 0; axis < 3; axis++)
    if (joint_turns(&part->joint, axis))
      all_near(read->joint.limit[axis], part->joint.limit[axis], 2, "range", name);
  near(read->joint.strength, part->joint.strength, "strength", name);
  near(read->joint.stiffness, part->joint.stiffness, "stiffness", name);
  near(read->joint.damping, part->joint.damping, "damping", name);
  all_near(read->joint.turn, part->joint.turn, 3, "turn", name);
  all_near(read->joint.axis_strength, part->joint.axis_strength, 3, "axis_strength", name);
  all_near(read->joint.armature, part->joint.armature, 3, "armature", name);
}

static void same_body(const BodyDef *read, const BodyDef *body) {
  assert_int_equal(read->part_count, body->part_count);
  for (int i = 0; i < body->part_count; i++) {
    const int at = skeleton_find(&read->skeleton, body->parts[i].name);
    assert_true(at >= 0);
    same_part(read, &read->parts[at], body, &body->parts[i]);
  }
  assert_int_equal(read->skeleton.leg_count, body->skeleton.leg_count);
  for (int i = 0; i < body->skeleton.leg_count; i++) {
    const Leg *leg = &body->skeleton.legs[i];
    const int at = skeleton_find_leg(&read->skeleton, leg->name);
    assert_true(at >= 0);
    const Leg *found = &read->skeleton.legs[at];
    assert_string_equal(read->parts[found->hip].name, body->parts[leg->hip].name);
    assert_string_equal(read->parts[found->ankle].name, body->parts[leg->ankle].name);
    near((double)found->half_width, (double)leg->half_width, "half_width", leg->name);
    for (int k = 0; k < 3; k++) {
      near((double)found->heel_l.raw[k], (double)leg->heel_l.raw[k], "heel", leg->name);
      near((double)found->toe_l.raw[k], (double)leg->toe_l.raw[k], "toe", leg->name);
    }
  }
}

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

static const PartDef *part(const BodyDef *body, const char *name) {
  const int at = skeleton_find(&body->skeleton, name);
  if (at < 0)
    fail_msg("there is no part %s", name);
  return &body->parts[at];
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

static const char HIP[] = "<joint axis='1 0 0' range='-60 60'/><joint axis='0 1 0' range='-60 60'/>"
                          "<joint axis='0 0 1' range='-40 40'/>";

static void add_limbs(TextBuffer *text, char side, double sign, const char *hip) {
  text_print(text,
             "<body name='%cfemur' pos='0 %g -.05' quat='.98480775301 %g 0 0'>%s"
             "<geom type='capsule' fromto='0 0 -.06 0 0 -.34' size='.05'/>\n"
             "<body name='%ctibia' pos='0 0 -.4'><joint axis='0 1 0' range='0 150'/>"
             "<geom type='capsule' fromto='0 0 -.05 0 0 -.35' size='.04'/>\n"
             "<body name='%cfoot' pos='0 0 -.4'><joint axis='0 1 0' range='-40 40'/>"
             "<geom type='box' pos='.04 0 -.03' size='.1 .04 .02'/>\n"
             "<body name='%ctoes' pos='.14 0 -.03'><joint axis='0 1 0' range='-40 40'/>"
             "<geom type='box' pos='.03 0 0' size='.03 .04 .02'/></body></body></body></body>\n",
             side, .1 * sign, .17364817767 * sign, hip, side, side, side);
  text_print(text,
             "<body name='%chumerus' pos='0 %g .45'>"
             "<joint axis='1 0 0' range='-90 90'/><joint axis='0 1 0' range='-90 90'/>"
             "<geom type='capsule' fromto='0 0 -.05 0 0 -.25' size='.04'/>\n"
             "<body name='%cradius' pos='0 0 -.3'><joint axis='0 1 0' range='-140 0'/>"
             "<geom type='capsule' fromto='0 0 -.05 0 0 -.25' size='.03'/></body></body>\n",
             side, .2 * sign, side);
}

// Turned by 90 deg about up in its file, with legs that straddle by 20 deg, toes, and the side as a letter of the name.
static BodyDef *read_straddling(const char *hip, const BodyDef *human, char notes[4096]) {
  TextBuffer text = {0};
  text_print(&text, "<mujoco><worldbody><body name='hips' quat='.70710678119 0 0 .70710678119'><freejoint/>\n"
                    "<geom type='box' pos='0 0 .2' size='.1 .12 .2'/>\n");
  add_limbs(&text, 'l', 1, hip);
  add_limbs(&text, 'r', -1, hip);
  text_print(&text, "</body></worldbody></mujoco>");
  BodyDef *body = read_good(text.bytes, human, notes);
  text_free(&text);
  return body;
}

static void who_straddles_and_faces_aside_is_a_man(void **state) {
  (void)state;
  char notes[4096];
  BodyDef *human = open_body("human");
  BodyDef *body = read_straddling(HIP, human, notes);
  assert_non_null(strstr(notes, "the model faces aside; it is turned by 90 deg"));
  assert_non_null(strstr(notes, "lfemur: the leg straddles by 20 deg and hangs"));
  assert_non_null(strstr(notes, "ltoes becomes a part of lfoot"));
  assert_int_equal(body->part_count, 11);
  const PartDef *thigh = part(body, "thigh_l"), *shin = part(body, "shin_l"), *foot = part(body, "foot_l");
  const double *hip = thigh->joint.position;
  assert_true(hip[0] > 0);
  all_near(shin->joint.position, (const double[]){hip[0], .45, hip[2]}, 3, "place", "shin_l");
  all_near(foot->joint.position, (const double[]){hip[0], .05, hip[2]}, 3, "place", "foot_l");
  near(hip[1], .85, "height", "thigh_l");
  assert_int_equal(shin->joint.twist_axis, 0);
  assert_false(shin->joint.turned);
  assert_int_equal(foot->shape_count, 2);
  assert_int_equal(body->skeleton.leg_count, 2);
  body_free(body);
  body_free(human);
}

// Legs on balls stay where they are; their hips move over the knees.
static void legs_on_balls_do_not_hang(void **state) {
  (void)state;
  char notes[4096];
  BodyDef *human = open_body("human");
  BodyDef *body = read_straddling("<joint type='ball' range='0 80'/>", human, notes);
  assert_null(strstr(notes, "straddles"));
  near(part(body, "shin_l")->joint.position[0], .1 + .4 * sin(20 * RAD_PER_DEGREE), "distance", "shin_l");
  body_free(body);
  body_free(human);
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

// A man with his torso first, arms in T, classes, and what else published models have.
static const char MAN[] = "<mujoco model='man'>\n"
                          "  <compiler angle='degree'/>\n"
                          "  <default>\n"
                          "    <motor ctrlrange='-2 2' ctrllimited='true'/>\n"
                          "    <default class='body'>\n"
                          "      <geom type='capsule' size='.05' density='1000'/>\n"
                          "      <joint damping='3' range='-40 40'/>\n"
                          "      <default class='knee'><joint axis='0 -1 0' range='-150 0'/></default>\n"
                          "    </default>\n"
                          "  </default>\n"
                          "  <worldbody>\n"
                          "    <geom type='plane' size='9 9 1'/>\n"
                          "    <body name='torso' pos='0 0 1.3' childclass='body'>\n"
                          "      <freejoint/>\n"
                          "      <geom type='box' size='.1 .2 .15'/>\n"
                          "      <body name='pelvis' pos='0 0 -.35'>\n"
                          "        <joint name='waist' axis='0 1 0' pos='0 0 .15' range='-30 70'/>\n"
                          "        <inertial pos='0 0 0' mass='10' fullinertia='.05 .06 .07 .001 .002 .003'/>\n"
                          "        <geom type='sphere' size='.1'/>\n"
                          "        LEG_left LEG_right\n"
                          "      </body>\n"
                          "      ARM_left ARM_right\n"
                          "    </body>\n"
                          "  </worldbody>\n"
                          "  <actuator>\n"
                          "    <motor joint='waist' gear='100'/>\n"
                          "    <position joint='knee_left' kp='900' forcerange='-80 80'/>\n"
                          "  </actuator>\n"
                          "</mujoco>\n";

static const char LEG[] =
    "<body name='thigh_SIDE' pos='0 Y -.05'><joint name='hip_x_SIDE' axis='1 0 0'/>"
    "<joint name='hip_z_SIDE' axis='0 0 1'/><joint name='hip_y_SIDE' axis='0 1 0' range='-90 30'/>"
    "<geom fromto='0 0 -.05 0 0 -.35'/>"
    "<body name='shin_SIDE' pos='0 0 -.4'><joint name='knee_SIDE' class='knee'/>"
    "<geom fromto='0 0 -.05 0 0 -.35' mass='3'/>"
    "<body name='foot_SIDE' pos='0 0 -.4' axisangle='0 0 1 90'><joint axis='-1 0 0' range='-20 50'/>"
    "<geom type='box' size='.04 .1 .02' pos='0 -.05 -.03'/></body></body></body>";

static const char ARM[] = "<body name='upper_arm_SIDE' pos='0 Y .1'><joint axis='1 0 0' range='-100 100'/>"
                          "<joint axis='0 0 1' range='-100 100'/><geom fromto='0 0 0 0 LONG 0' size='.04'/>"
                          "<body name='lower_arm_SIDE' pos='0 LONG 0'><joint axis='0 0 1' range='ELBOW'/>"
                          "<geom fromto='0 0 0 0 LONG 0' size='.03'/><body name='SIDE_hand' pos='0 LONG 0'>"
                          "<geom type='sphere' size='.04'/></body></body></body>";

// Replaces all of a word.
static char *replace(char *text, const char *word, const char *by) {
  TextBuffer out = {0};
  const char *at = text;
  for (const char *found; (found = strstr(at, word)); at = found + strlen(word)) {
    text_append(&out, at, (size_t)(found - at));
    text_append(&out, by, strlen(by));
  }
  text_append(&out, at, strlen(at));
  free(text);
  return out.bytes;
}

static char *make_man(void) {
  char *text = strdup(MAN);
  for (int side = 0; side < 2; side++) {
    text = replace(text, side ? "LEG_right" : "LEG_left", LEG);
    text = replace(text, side ? "ARM_right" : "ARM_left", ARM);
    text = replace(text, "SIDE", side ? "right" : "left");
    text = replace(text, "Y", side ? "-.1" : ".1");
    text = replace(text, "LONG", side ? "-.3" : ".3");
    text = replace(text, "ELBOW", side ? "0 140" : "-140 0");
  }
  return text;
}

static void a_man_with_classes_stands_as_ours(void **state) {
  (void)state;
  BodyDef *human = open_body("human");
  char *text = make_man(), notes[4096];
  BodyDef *body = read_good(text, human, notes);
  assert_int_equal(body->part_count, 14);
  assert_int_equal(body->skeleton.leg_count, 2);
  assert_string_equal(body->parts[0].name, "pelvis");
  assert_non_null(strstr(notes, "pelvis, which carries the legs, becomes the first part"));
  assert_true(skeleton_lacks(&body->skeleton, "head") && skeleton_lacks(&body->skeleton, "abdomen"));
  assert_false(skeleton_lacks(&body->skeleton, "chest"));

  // The inertial: xx yy zz xy xz yz of forward, left, up are those of our z, x, y.
  const PartDef *pelvis = part(body, "pelvis"), *chest = part(body, "chest");
  all_near(pelvis->inertia, (const double[]){.06, .07, .05}, 3, "inertia", "pelvis");
  all_near(pelvis->products, (const double[]){.003, .001, .002}, 3, "products", "pelvis");
  near(pelvis->mass, 10, "mass", "pelvis");
  near(chest->mass, 1000 * .2 * .4 * .3, "mass", "chest");
  near(chest->inertia[1], chest->mass * (.2 * .2 + .4 * .4) / 12, "inertia", "chest");
  // Seen from the pelvis the waist turns the other way round.
  assert_int_equal(chest->joint.kind, JOINT_HINGE);
  all_near(chest->joint.x, (const double[]){-70, 30}, 2, "range", "chest");
  near(chest->joint.strength, 200, "strength", "chest"); // 2 times the gear
  near(chest->joint.stiffness, 200 / (3 * RAD_PER_DEGREE), "stiffness", "chest");

  // The foot's lowest point is at -.05 below the ankle, on the ground; it points forward, a quarter of a turn on.
  const PartDef *thigh = part(body, "thigh_l"), *shin = part(body, "shin_l"), *foot = part(body, "foot_l");
  all_near(foot->joint.position, (const double[]){.1, .05, 0}, 3, "position", "foot_l");
  all_near(foot->shapes[0].size, (const double[]){.08, .04, .2}, 3, "size", "foot_l");
  all_near(foot->shapes[0].center_m, (const double[]){.1, .02, .05}, 3, "centre", "foot_l");
  assert_false(foot->shapes[0].turned);
  all_near(foot->joint.x, (const double[]){-50, 20}, 2, "range", "foot_l"); // -x of the turned frame is right
  assert_true(foot->foot);
  all_near(shin->joint.x, (const double[]){0, 150}, 2, "range", "shin_l");
  near(shin->joint.strength, 80, "strength", "shin_l");
  near(shin->joint.stiffness, 900, "stiffness", "shin_l");
  near(shin->joint.damping, 3, "damping", "shin_l");
  near(shin->mass, 3, "mass", "shin_l");
  assert_int_equal(thigh->joint.kind, JOINT_BALL);
  assert_int_equal(thigh->joint.twist_axis, 0);
  all_near(thigh->joint.x, (const double[]){-90, 30}, 2, "range", "thigh_l");
  assert_string_equal(body->parts[thigh->twin].name, "thigh_r");

  // Arms in T hang, and elbows bend forward.
  const PartDef *forearm = part(body, "forearm_l"), *arm = part(body, "upper_arm_l");
  all_near(forearm->joint.position, (const double[]){.1, arm->joint.position[1] - .3, 0}, 3, "position", "forearm_l");
  all_near(forearm->joint.x, (const double[]){-140, 0}, 2, "range", "forearm_l");
  assert_int_equal(arm->joint.kind, JOINT_BALL);
  // A hand that is fixed stays a part, which does not turn.
  const PartDef *hand = part(body, "hand_l");
  assert_int_equal(hand->joint.kind, JOINT_HINGE);
  all_near(hand->joint.x, (const double[]){0, 0}, 2, "range", "hand_l");
  all_near(hand->joint.position, (const double[]){.1, arm->joint.position[1] - .6, 0}, 3, "position", "hand_l");
  near(arm->shapes[0].size[1], .3, "length", "upper_arm_l");
  assert_int_equal(arm->shapes[0].axis, 1);

  // And back: the same body again.
  char *again = model_of(body);
  BodyDef *read = read_good(again, human, notes);
  same_body(read, body);
  free(again);
  free(text);
  body_free(read);
  body_free(body);
  body_free(human);
}

// Arms in T whose elbows bend up hang turned by a quarter: they reach as far as those that bend
// forward, and are twisted by a quarter.
static void arms_reach_aside_however_elbows_bend(void **state) {
  (void)state;
  BodyDef *human = open_body("human");
  const PartDef *arms[2];
  BodyDef *bodies[2];
  for (int i = 0; i < 2; i++) {
    char *text = make_man();
    if (i == 1)
      text = replace(text, "<joint axis='0 0 1' range='-140 0'/>", "<joint axis='1 0 0' range='0 140'/>");
    if (i == 1)
      text = replace(text, "<joint axis='0 0 1' range='0 140'/>", "<joint axis='1 0 0' range='-140 0'/>");
    bodies[i] = read_good(text, human, NULL);
    free(text);
    arms[i] = part(bodies[i], "upper_arm_l");
  }
  all_near(arms[1]->joint.x, arms[0]->joint.x, 2, "range", "x of upper_arm_l");
  all_near(arms[1]->joint.z, arms[0]->joint.z, 2, "range", "z of upper_arm_l");
  near(arms[1]->joint.y[1], 90 + arms[0]->joint.y[1], "range", "y of upper_arm_l");
  for (int i = 0; i < 2; i++)
    body_free(bodies[i]);
  body_free(human);
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
      {"<geom size='.1'/><body name='b'><joint type='slide'/><geom size='.1'/></body>",
       "m.xml:2:33: <joint>: type is 'slide', allowed are hinge, ball and, of the first body, free"},
      {"<geom size='one'/>", "m.xml:2:1: <geom>: size: 'one' is not a finite number"},
      {"<geom size='nan'/>", "m.xml:2:1: <geom>: size: 'nan' is not a finite number"},
      {"<geom size='-1'/>", "m.xml:2:1: <geom>: size is -1 m, allowed is above 0 up to 10"},
      {"<geom type='cone' size='1'/>",
       "m.xml:2:1: <geom>: type is 'cone', allowed are sphere, capsule, box, cylinder, ellipsoid"},
      {"<geom type='mesh' mesh='m'/>", "m.xml:2:1: <geom>: meshes are not read, and the body 'a' has no <inertial>"},
      {"<geom size='.1' class='x'/>", "m.xml:2:1: <geom>: there is no <default class=\"x\">"},
      {"<geom size='.1' quat='1 0 0'/>", "m.xml:2:1: <geom>: quat has 3 numbers, needed are 4"},
      {"<geom size='.1' quat='1 0 0 0' euler='0 0 0'/>", "m.xml:2:1: <geom>: has both quat and euler"},
      {"<inertial pos='0 0 0' mass='1' diaginertia='1 1 9'/><geom size='.1'/>", "not a valid one"},
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

// Truncations and mutations: a body or an error, never a crash.
static void broken_files_are_refused(void **state) {
  (void)state;
  enum { TRIALS = 1500 };
  static const char letters[] = "<>/'\"= -.0123456789enaxyz";
  BodyDef *human = open_body("human");
  char *text = make_man();
  const size_t size = strlen(text);
  int good = 0, bad = 0;
  Rng rng = rng_make(11, "mjcf");
  for (int trial = 0; trial < TRIALS; trial++) {
    char *copy = strdup(text);
    size_t length = size;
    if (trial % 5 == 0)
      length = (size_t)rng_index(&rng, (int)size);
    for (int k = rng_index(&rng, 4); k >= 0; k--)
      copy[rng_index(&rng, (int)size)] = letters[rng_index(&rng, (int)sizeof letters - 1)];
    Error error = {0};
    BodyDef *body = read_model(copy, length, human, NULL, &error);
    assert_true(!body == (error.text[0] != 0));
    *(body ? &good : &bad) += 1;
    body_free(body);
    free(copy);
  }
  assert_true(good > TRIALS / 20 && bad > TRIALS / 20);
  free(text);
  body_free(human);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_reads_back),
      cmocka_unit_test(axes_of_robots_stay),
      cmocka_unit_test(parallel_hinges_are_turned),
      cmocka_unit_test(turned_hinges_keep_their_ranges),
      cmocka_unit_test(what_is_fixed_is_merged),
      cmocka_unit_test(arms_reach_aside_however_elbows_bend),
      cmocka_unit_test(who_straddles_and_faces_aside_is_a_man),
      cmocka_unit_test(legs_on_balls_do_not_hang),
      cmocka_unit_test(a_man_with_classes_stands_as_ours),
      cmocka_unit_test(masses_of_geoms_are_those_of_solids),
      cmocka_unit_test(orientations_agree),
      cmocka_unit_test(errors_name_the_place),
      cmocka_unit_test(meshes_become_boxes),
      cmocka_unit_test(broken_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
