// Robots of which no body could be made as they are: links without mass, tensors that no body has, more links than
// parts, joints that are held still, looks in the place of collision shapes.
#include "tests/fixture.h"

#include "ragdoll/body/link_body.h"
#include "ragdoll/body/urdf_read.h"
#include "sim/base/numbers.h"

static BodyDef *read_robot(const char *text, char notes[8192]) {
  XmlDocument document;
  Error error = {0};
  assert_true(xml_parse(&document, "r.urdf", text, strlen(text), &error));
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  BodyDef *body = NULL;
  if (urdf_read(model, &document, &error)) {
    snprintf(model->name, sizeof model->name, "robot");
    body = link_body(model, NULL, &error);
  }
  snprintf(notes, 8192, "%s", model->notes.bytes ? model->notes.bytes : "");
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  fixture_check(&error);
  assert_non_null(body);
  return body;
}

static void near(double value, double expected, const char *what) {
  if (!(fabs(value - expected) <= 1e-6 * fabs(expected) + 1e-12))
    fail_msg("%s is %.9g, not %.9g", what, value, expected);
}

static const PartDef *part(const BodyDef *body, const char *name) {
  const int at = skeleton_find(&body->skeleton, name);
  if (at < 0)
    fail_msg("there is no part %s", name);
  return &body->parts[at];
}

static void has_note(const char *notes, const char *note) {
  if (!strstr(notes, note))
    fail_msg("no note says '%s': %s", note, notes);
}

#define INERTIAL(mass, moments)                                                                                        \
  "<inertial><mass value='" mass "'/><inertia " moments " ixy='0' ixz='0' iyz='0'/></inertial>"
#define BALL "<collision><geometry><sphere radius='.1'/></geometry></collision>"
#define ROUND INERTIAL("1", "ixx='.01' iyy='.01' izz='.01'")
#define HINGE(name, parent, child, place)                                                                              \
  "<joint name='" name "' type='revolute'><origin xyz='" place "'/><parent link='" parent "'/><child link='" child     \
  "'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='20' velocity='1'/></joint>\n"

// By its shapes, by a hundredth of the model, and not at all; the least mass of a part.
static void missing_masses_are_found(void **state) {
  (void)state;
  static const char robot[] = "<robot name='r'><link name='base'>" INERTIAL("10", "ixx='1' iyy='1' izz='1'") BALL
      "</link>\n"
      "<link name='solid'><collision><origin xyz='0 0 .2'/><geometry><box size='.1 .2 "
      ".3'/></geometry></collision></link>"
      "<link name='empty'/><link name='tip'/><link name='camera'/><link name='end'>" ROUND BALL "</link>\n"
      "<link name='gram'>" INERTIAL("1e-5", "ixx='1e-9' iyy='1e-9' izz='1e-9'") BALL
      "</link>\n<link name='grain'>" INERTIAL("1e-2", "ixx='4e-8' iyy='2e-7' izz='2.2e-7'") BALL
      "</link>\n" HINGE("j1", "base", "solid", "0 0 .5") HINGE("j2", "base", "empty", ".5 0 0")
          HINGE("j3", "empty", "end", ".5 0 0") HINGE("j4", "end", "tip", ".5 0 0")
              HINGE("j5", "tip", "camera", ".5 0 0") HINGE("j6", "base", "gram", "0 .5 0")
                  HINGE("j7", "base", "grain", "0 .7 0") "</robot>";
  char notes[8192];
  BodyDef *body = read_robot(robot, notes);
  assert_int_equal(body->part_count, 6);
  const PartDef *solid = part(body, "solid");
  near(solid->mass, 6, "the mass of the box");
  near(solid->inertia[0], 6 * (.1 * .1 + .3 * .3) / 12, "its inertia about the left"); // y of the file
  near(solid->com[1] - solid->joint.position[1], .2, "its height");
  near(part(body, "empty")->mass, .01 * (10 + 6 + 1 + 1e-5 + .01), "the mass of the link that carries another one");
  near(part(body, "gram")->mass, .001, "the least mass");
  near(part(body, "gram")->inertia[0], 1e-7, "the inertia of the least mass");
  near(part(body, "grain")->inertia[0], 2e-7, "the inertia of a grain about the left");
  near(part(body, "grain")->inertia[1], 2.2e-7, "that about up");
  near(part(body, "grain")->inertia[2], 1e-7, "the least inertia");
  has_note(notes, "solid has no mass; of its shapes, at 1000 kg/m^3, it has 6 kg");
  has_note(notes, "empty has neither mass nor shape; a ball of 0.17 kg is taken");
  has_note(notes, "camera has neither mass nor shape and is left out\ntip has neither");
  has_note(notes, "gram: its mass of 1e-05 kg is raised to 0.001 kg");
  body_free(body);
}

// A moment larger than the sum of the two others, as hand-written files have, is met by as much as it takes.
static void impossible_tensors_are_raised(void **state) {
  (void)state;
  static const char robot[] = "<robot name='r'><link name='base'>" INERTIAL("10", "ixx='1' iyy='1' izz='1'") BALL
      "</link>\n<link name='wrong'>" INERTIAL("1", "ixx='.1' iyy='.2' izz='.5'") BALL
      "</link><link name='none'>" INERTIAL("4", "ixx='0' iyy='0' izz='0'") BALL
      "</link>\n"
      "<link name='turned'><inertial><mass value='1'/><inertia ixx='.3' iyy='.3' izz='.1' "
      "ixy='.2' ixz='0' iyz='0'/></inertial>" BALL "</link>\n" HINGE("j1", "base", "wrong", "0 0 .5")
          HINGE("j2", "base", "none", ".5 0 0") HINGE("j3", "base", "turned", "0 .5 0") "</robot>";
  char notes[8192];
  BodyDef *body = read_robot(robot, notes);
  const PartDef *wrong = part(body, "wrong"); // left, up, forward: the file's y, z, x
  const double more = .2 + 2e-6 * .8;
  near(wrong->inertia[0], .2 + more, "the moment about the left");
  near(wrong->inertia[1], .5 + more, "the moment about up");
  near(wrong->inertia[2], .1 + more, "the moment about forward");
  const double radius = cbrt(3 * 4 / (4 * M_PI * 1000));
  near(part(body, "none")->inertia[1], .4 * 4 * radius * radius, "the moment of a ball");
  // Its moments are .5, .1 and .1: as much as above, but of axes between those of the file.
  near(part(body, "turned")->inertia[0], .3 + .3 + 2e-6 * .7, "the moment of a turned tensor");
  near(part(body, "turned")->products[1], .2, "its product"); // left and forward
  has_note(notes, "wrong: no body has its moments of inertia; each is raised by 0.2 kg m^2");
  has_note(notes, "none has no moments of inertia; those of a ball of its mass are taken");
  assert_null(strstr(notes, "base: no body"));
  body_free(body);
}

// Many fingers: the lightest ends become parts of what carries them, also of a palm that is lighter than they are.
static void check_fingers(const char *palm) {
  enum { FINGERS = 50 };
  TextBuffer text = {0};
  const bool has_palm = palm[0] != '\0';
  text_print(&text, "<robot name='r'><link name='base'>" INERTIAL("10", "ixx='1' iyy='1' izz='1'") BALL "</link>%s\n",
             palm);
  for (int i = 0; i < FINGERS; i++)
    text_print(&text,
               "<link name='f%d'><inertial><mass value='%g'/><inertia ixx='.001' iyy='.001' izz='.001' ixy='0' ixz='0' "
               "iyz='0'/></inertial>" BALL "</link>\n"
               "<joint name='j%d' type='revolute'><origin xyz='%g 0 0'/><parent link='%s'/><child link='f%d'/>"
               "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='2' velocity='1'/></joint>\n",
               i, .01 * (1 + i), i, .1 * i, has_palm ? "palm" : "base", i);
  text_print(&text, "</robot>");
  char notes[8192];
  BodyDef *body = read_robot(text.bytes, notes);
  text_free(&text);
  assert_int_equal(body->part_count, BODY_MAX_PARTS);
  const int held = FINGERS + 1 + has_palm - BODY_MAX_PARTS;
  double light = has_palm ? .005 : 10;
  for (int i = 0; i < held; i++)
    light += .01 * (1 + i);
  near(body->parts[has_palm].mass, light, "the mass of what carries them with the lightest");
  char last[8], first[8], note[128];
  snprintf(last, sizeof last, "f%d", held - 1);
  snprintf(first, sizeof first, "f%d", held);
  snprintf(note, sizeof note,
           "a body has at most 32 parts: the joints of the %d lightest ends, such as f0, are held still", held);
  assert_true(skeleton_find(&body->skeleton, last) < 0 && skeleton_find(&body->skeleton, first) > 0);
  has_note(notes, note);
  body_free(body);
}

static void fingers_beyond_the_parts_are_held_still(void **state) {
  (void)state;
  check_fingers("");
  check_fingers("<link name='palm'>" INERTIAL("5e-3", "ixx='1e-5' iyy='1e-5' izz='1e-5'") BALL
                "</link>" HINGE("wrist", "base", "palm", "0 0 1"));
}

static void joints_that_do_not_turn_are_held_still(void **state) {
  (void)state;
  static const char robot[] = "<robot name='r'><link name='base'>" INERTIAL(
      "10",
      "ixx='1' iyy='1' izz='1'") "\n"
                                 "<visual><geometry><box size='.1 .2 .3'/></geometry></visual></link>\n"
                                 "<link name='lift'>" ROUND BALL "</link><link name='arm'>" ROUND
                                 "<collision><geometry><capsule radius='.05' "
                                 "length='.4'/></geometry></collision></link>\n"
                                 "<link name='lens'><visual><geometry><box size='.1 .1 "
                                 ".1'/></geometry></visual></link>\n"
                                 "<joint name='up' type='prismatic'><origin xyz='0 0 .5'/><parent link='base'/><child "
                                 "link='lift'/></joint>\n"
                                 "<joint name='lens' type='fixed'><parent link='base'/><child link='lens'/></joint>\n"
                                 "<joint name='turn' type='continuous'><origin xyz='0 0 .5'/><parent "
                                 "link='lift'/><child link='arm'/>"
                                 "<mimic joint='up'/></joint></robot>";
  char notes[8192];
  BodyDef *body = read_robot(robot, notes);
  assert_int_equal(body->part_count, 2);
  near(body->parts[0].mass, 11, "the mass of the base with its lift");
  assert_int_equal(body->parts[0].shape_count, 2); // the lens, which only looks, does not collide
  near(body->parts[0].shapes[0].size[1], .3, "the height of the box");
  const ShapeDef *capsule = &part(body, "arm")->shapes[0];
  assert_int_equal(capsule->kind, SHAPE_CAPSULE);
  near(capsule->size[1], .4, "the capsule's length without its ends");
  has_note(notes, "the prismatic joint 'up' is held still");
  has_note(notes, "base has no <collision>; it collides as it looks");
  has_note(notes, "1 joint that mimics another one is free");
  has_note(notes, "no legs are found");
  body_free(body);
}

// An arm of bullet's kind: hinges on links of no mass, the arm itself fixed to the last one; and a ball joint.
static void links_of_hinges_take_the_arms_name(void **state) {
  (void)state;
  static const char robot[] =
      "<robot name='r'><link name='base'>" ROUND BALL "</link><link name='l1'><inertial><mass value='0'/>"
      "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='l2'/>\n"
      "<link name='arm'>" ROUND BALL "</link><link name='hand'>" ROUND BALL "</link><link name='glove'>" ROUND BALL
      "</link>\n"
      "<joint name='z' type='continuous'><parent link='base'/><child link='l1'/><axis xyz='0 0 1'/></joint>\n"
      "<joint name='y' type='continuous'><parent link='l1'/><child link='l2'/><axis xyz='0 1 0'/></joint>\n"
      "<joint name='f' type='fixed'><origin xyz='0 0 .1'/><parent link='l2'/><child link='arm'/></joint>\n"
      "<joint name='b' type='spherical'><origin xyz='0 0 .2'/><parent link='arm'/><child link='hand'/>"
      "<axis xyz='0 0 0'/><limit effort='7'/></joint>\n"
      "<joint name='g' type='fixed'><parent link='hand'/><child link='glove'/></joint></robot>";
  char notes[8192];
  BodyDef *body = read_robot(robot, notes);
  assert_int_equal(body->part_count, 3);
  assert_int_equal(part(body, "arm")->joint.kind, JOINT_UNIVERSAL);
  near(part(body, "arm")->mass, 1, "the mass of the arm");
  const PartDef *hand = part(body, "hand"); // not the glove
  assert_int_equal(hand->joint.kind, JOINT_BALL);
  near(hand->joint.strength, 7, "the strength of the ball joint");
  near(hand->joint.position[1] - part(body, "arm")->joint.position[1], .3, "the height of the ball joint");
  body_free(body);
}

// Hinges across each other whose names are of three letters are of one limb: joined where the first ones lie 14 cm
// apart, and where a link weighs up to twice what hangs on it.
static void short_names_tell_limbs(void **state) {
  (void)state;
  static const char *const names[][2] = {{"LAP", "LAR"}, {"LAP", "LHR"}, {"lap", "lar"}};
  for (int i = 0; i < 3; i++) {
    TextBuffer text = {0};
    text_print(&text,
               "<robot name='r'><link name='base'>" ROUND BALL
               "</link><link name='shin'>" INERTIAL("1.9", "ixx='.01' iyy='.01' izz='.01'") BALL
               "</link><link name='foot'>" ROUND BALL "</link>\n"
               "<joint name='%s' type='revolute'><parent link='base'/><child link='shin'/><axis xyz='0 1 0'/>"
               "<limit lower='-1' upper='1' effort='20'/></joint>\n"
               "<joint name='%s' type='revolute'><origin xyz='0 0 -.14'/><parent link='shin'/><child link='foot'/>"
               "<axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='20'/></joint></robot>",
               names[i][0], names[i][1]);
    char notes[8192];
    BodyDef *body = read_robot(text.bytes, notes);
    assert_int_equal(body->part_count, i == 0 ? 2 : 3);
    body_free(body);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(missing_masses_are_found),
      cmocka_unit_test(impossible_tensors_are_raised),
      cmocka_unit_test(fingers_beyond_the_parts_are_held_still),
      cmocka_unit_test(joints_that_do_not_turn_are_held_still),
      cmocka_unit_test(short_names_tell_limbs),
      cmocka_unit_test(links_of_hinges_take_the_arms_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
