// Models of MuJoCo as others write them: files in several pieces, global coordinates, slide joints, servos, worlds of
// several bodies.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/numbers.h"

// Reads a file of several pieces, of which the first one is "dir/m.xml". pieces: names and texts in turn, up to NULL.
static BodyDef *read_pieces(const char *const *pieces, char notes[4096], Error *error) {
  FileSet files = {.sealed = true};
  for (int i = 0; pieces[i]; i += 2)
    assert_non_null(files_put(&files, pieces[i], pieces[i + 1], strlen(pieces[i + 1])));
  XmlDocument document = {0};
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  BodyDef *body = NULL;
  if (xml_parse(&document, pieces[0], pieces[1], strlen(pieces[1]), error) &&
      mjcf_include(model, &document, &files, error) && mjcf_read(model, &document, error)) {
    snprintf(model->name, sizeof model->name, "model");
    body = link_body(model, NULL, error);
  }
  snprintf(notes, 4096, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  files_free(&files);
  return body;
}

// The classes, the body and the actuators are in other files; one of those includes another one, from its own folder.
static void included_files_are_read(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "dir/m.xml",
      "<mujoco><include file='parts/classes.xml'/><worldbody><geom type='plane' size='1 1 1'/>\n"
      "<include file='parts/robot.xml'/></worldbody><actuator><include file='motors.xml'/></actuator></mujoco>",
      "dir/parts/classes.xml",
      "<mujocoinclude><default><default class='thin'><geom type='capsule' size='.02'/></default></default>\n"
      "<compiler angle='radian'/></mujocoinclude>",
      "dir/parts/robot.xml",
      "<x><body name='a'><geom size='.1'/><include file='arm.xml'/></body></x>",
      "dir/parts/arm.xml",
      "<x><body name='b' pos='0 0 .2'><joint name='j' axis='0 1 0' range='-1 .5'/>\n"
      "<geom class='thin' fromto='0 0 0 0 0 .3'/></body></x>",
      "dir/motors.xml",
      "<x><motor joint='j' ctrllimited='true' ctrlrange='-7 7'/></x>",
      NULL};
  char notes[4096];
  Error error = {0};
  BodyDef *body = read_pieces(pieces, notes, &error);
  fixture_check(&error);
  const PartDef *arm = part(body, "b");
  near(arm->joint.strength, 7, "strength", "b");
  all_near(arm->joint.limit[0], (const double[]){-1, .5}, 2, "range", "b");
  assert_int_equal(arm->shapes[0].kind, SHAPE_CAPSULE);
  near(arm->shapes[0].size[0], .02, "radius", "b");
  body_free(body);
}

static void what_cannot_be_included_is_told(void **state) {
  (void)state;
  char notes[4096];
  Error error = {0};
  static const char *const missing[] = {
      "dir/m.xml",
      "<mujoco><include file='sky.xml'/><worldbody><body name='a'><geom size='.1'/></body></worldbody>\n</mujoco>",
      NULL};
  BodyDef *body = read_pieces(missing, notes, &error);
  fixture_check(&error);
  assert_non_null(strstr(notes, "dir/m.xml:1: the included file 'sky.xml' is not there, and what it has is left out"));
  body_free(body);

  static const char *const circle[] = {"m.xml", "<mujoco>\n<include file='n.xml'/></mujoco>", "n.xml",
                                       "<x><include file='m.xml'/></x>", NULL};
  assert_null(read_pieces(circle, notes, &error));
  assert_non_null(strstr(error.text, "<include>: more than 64 files are included, or they include each other"));

  static const char *const broken[] = {"m.xml", "<mujoco><include file='n.xml'/></mujoco>", "n.xml", "<x>\n<y></x>",
                                       NULL};
  error = (Error){0};
  assert_null(read_pieces(broken, notes, &error));
  assert_non_null(strstr(error.text, "n.xml:2:"));

  static const char *const unnamed[] = {"m.xml", "<mujoco><include/></mujoco>", NULL};
  error = (Error){0};
  assert_null(read_pieces(unnamed, notes, &error));
  assert_non_null(strstr(error.text, "m.xml:1:9: <include>: 'file' is missing"));
}

// The same arm twice: its places in the world's frame, and in those of bodies and frames.
static void global_coordinates_are_the_worlds(void **state) {
  (void)state;
  static const char global[] =
      "<mujoco><compiler coordinate='global'/><worldbody><body name='a'><geom size='.1' pos='0 0 1'/>\n"
      "<body name='b'><joint axis='0 1 0' pos='0 .2 1.1'/>\n"
      "<geom type='capsule' fromto='0 .2 1.1 0 .2 1.5' size='.05'/>\n"
      "<body name='c' pos='0 .2 1.5'><joint axis='0 1 0'/><geom size='.06' pos='0 .2 1.6'/></body></body></body>\n"
      "</worldbody></mujoco>";
  static const char local[] =
      "<mujoco><worldbody><body name='a' pos='0 0 1'><geom size='.1'/>\n"
      "<body name='b' pos='0 .2 .3'><joint axis='0 1 0' pos='0 0 -.2'/>\n"
      "<geom type='capsule' fromto='0 0 -.2 0 0 .2' size='.05'/>\n"
      "<body name='c' pos='0 0 .2'><joint axis='0 1 0'/><geom size='.06' pos='0 0 .1'/></body></body></body>\n"
      "</worldbody></mujoco>";
  BodyDef *one = read_good(global, NULL, NULL), *other = read_good(local, NULL, NULL);
  same_body(one, other);
  near(one->parts[1].joint.position[0], .2, "place", "b");
  near(one->parts[2].joint.position[1] - one->parts[1].joint.position[1], .4, "height", "c");
  body_free(one);
  body_free(other);
}

// A finger that slides is a part of its hand, and what hangs on it stays where it is.
static void slide_joints_are_held_still(void **state) {
  (void)state;
  static const char model[] =
      "<mujoco><worldbody><body name='a'><geom size='.1' mass='2'/>\n"
      "<body name='lift' pos='0 0 .3'><joint type='slide' name='up' axis='0 0 1'/><geom size='.1' mass='3'/>\n"
      "<body name='arm' pos='0 0 .2'><joint axis='0 1 0'/><geom size='.1'/></body></body></body></worldbody></mujoco>";
  char notes[4096];
  BodyDef *body = read_good(model, NULL, notes);
  assert_int_equal(body->part_count, 2);
  near(body->parts[0].mass, 5, "mass", "a");
  near(part(body, "arm")->joint.position[1] - body->parts[0].joint.position[1], .5, "height", "arm");
  assert_non_null(strstr(notes, "lift: its slide joint 'up' is held still"));
  body_free(body);
}

// Of several bodies the one with most joints; where it is turned by a frame, and where there are several, a free one.
static void the_body_with_most_joints_is_taken(void **state) {
  (void)state;
  static const char model[] =
      "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body>\n"
      "<frame pos='0 0 1' euler='0 0 90'><body name='robot'><geom size='.1'/>\n"
      "<body name='arm' pos='.3 0 0'><joint axis='1 0 0'/><geom size='.1'/></body></body></frame>\n"
      "<body name='door'><joint axis='0 0 1'/><geom size='.2'/></body>\n"
      "<body name='post'><geom size='.2'/></body></worldbody></mujoco>";
  char notes[4096];
  BodyDef *body = read_good(model, NULL, notes);
  assert_non_null(strstr(notes, "of the 4 bodies of the world 'robot' is taken, which has the most joints"));
  // The frame turns forward to the left, our x.
  near(part(body, "arm")->joint.position[0] - body->parts[0].joint.position[0], .3, "place", "arm");
  body_free(body);

  static const char balls[] = "<mujoco><worldbody><body name='post'><geom size='.1'/></body>\n"
                              "<body name='one'><freejoint/><geom size='.1'/></body>\n"
                              "<body name='two'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  body = read_good(balls, NULL, notes);
  assert_string_equal(body->parts[0].name, "one");
  body_free(body);
}

// A position servo is stiff whether it is written as <position> or as <general>; a damping ratio damps.
static void servos_are_stiff(void **state) {
  (void)state;
  static const struct {
    const char *actuator;
    double stiffness, damping, strength;
  } cases[] = {
      {"<position joint='j' kp='80' kv='6' forcerange='-30 30'/>", 80, 6, 30},
      {"<general joint='j' gainprm='80' biastype='affine' biasprm='0 -80 -6' forcerange='-30 30' ctrlrange='-1 1'/>",
       80, 6, 30},
      {"<general class='servo' joint='j' ctrlrange='-1 1'/>", 50, 4, 20},
      {"<position joint='j' kp='80' dampratio='1' forcerange='-30 30'/>", 80, 4, 30},
      {"<position joint='j' kp='80' gear='2' forcerange='-30 30' kv='1'/>", 320, 4, 60},
      {"<general joint='j' gainprm='40' ctrlrange='-1 1'/>", 40 / (3 * RAD_PER_DEGREE), 2 / (3 * RAD_PER_DEGREE), 40},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><default><default class='servo'><general gainprm='50' biastype='affine' biasprm='0 -50 -4' "
             "forcerange='-20 20'/></default></default>\n"
             "<worldbody><body name='a'><geom size='.1'/><body name='b' pos='0 0 .3'><joint name='j' axis='0 1 0'/>\n"
             "<geom size='.1'/></body></body></worldbody><actuator>%s</actuator></mujoco>",
             cases[i].actuator);
    BodyDef *body = read_good(text, NULL, NULL);
    const JointDef *joint = &part(body, "b")->joint;
    near(joint->stiffness, cases[i].stiffness, "stiffness", cases[i].actuator);
    near(joint->damping, cases[i].damping, "damping", cases[i].actuator);
    near(joint->strength, cases[i].strength, "strength", cases[i].actuator);
    body_free(body);
  }
}

// Boxes and ellipsoids between two points are as wide as thick; a ball between two points is an error.
static void boxes_reach_between_points(void **state) {
  (void)state;
  BodyDef *body = read_good("<mujoco><worldbody><body name='a'><geom type='box' fromto='0 0 0 .4 0 0' size='.05'/>"
                            "</body></worldbody></mujoco>",
                            NULL, NULL);
  const ShapeDef *shape = &body->parts[0].shapes[0];
  all_near(shape->size, (const double[]){.1, .1, .4}, 3, "size", "a"); // forward is our z
  near(shape->center_m[2], .2, "centre", "a");
  near(body->parts[0].mass, 1000 * .1 * .1 * .4, "mass", "a");
  body_free(body);
  Error error = {0};
  static const char ball[] = "<mujoco><worldbody><body name='a'><geom fromto='0 0 0 .4 0 0' size='.05'/></body>"
                             "</worldbody></mujoco>";
  assert_null(read_model(ball, strlen(ball), NULL, NULL, &error));
  assert_non_null(strstr(error.text, "<geom>: fromto has no meaning for a sphere"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(included_files_are_read),
      cmocka_unit_test(what_cannot_be_included_is_told),
      cmocka_unit_test(global_coordinates_are_the_worlds),
      cmocka_unit_test(slide_joints_are_held_still),
      cmocka_unit_test(the_body_with_most_joints_is_taken),
      cmocka_unit_test(servos_are_stiff),
      cmocka_unit_test(boxes_reach_between_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
