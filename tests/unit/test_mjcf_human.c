// Models of MuJoCo that are of a human: their parts are named, and they stand and hang their arms as ours; broken files
// of one do not crash.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/numbers.h"
#include "sim/base/rng.h"

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
                          "    <position joint='arm_z_left' kp='600' forcerange='-60 60'/>\n"
                          "    <position joint='arm_z_right' kp='600' forcerange='-60 60'/>\n"
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
                          "<joint name='arm_z_SIDE' axis='0 0 1' range='-100 100' damping='5'/>"
                          "<geom fromto='0 0 0 0 LONG 0' size='.04'/>"
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
  near(arm->joint.damping, 5, "damping", "upper_arm_l");              // the most of any of its hinges, about all axes
  near(arm->joint.strength, 60 * sqrt(3), "strength", "upper_arm_l"); // of a ball, in any direction
  near(arm->joint.stiffness, 600, "stiffness", "upper_arm_l");
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

// Where soles are marked, legs are what has both marks: neither a hand with one of them nor what stands without.
static void soles_are_marked_at_both_ends(void **state) {
  (void)state;
  static const char HAND[] = "<body name=\"hand_l\" pos=\"0 0 -0.255\">";
  BodyDef *human = open_body("human");
  for (int toe = 0; toe < 2; toe++) {
    char notes[4096], with[200], *text = model_of(human);
    assert_non_null(strstr(text, HAND));
    snprintf(with, sizeof with, "%s<site name=\"palm_%s\" size=\"0.01\" pos=\"0 0 -0.1\"/>", HAND,
             toe ? "toe" : "heel");
    text = replace(text, HAND, with);
    BodyDef *body = read_good(text, human, notes);
    assert_int_equal(body->skeleton.leg_count, 2);
    assert_false(part(body, "hand_l")->foot);
    same_body(body, human);
    body_free(body);
    free(text);
  }
  body_free(human);
}

// Without names that tell he is known by his shape, and is the same, wherever his file has him.
static void a_man_without_names_is_known_anywhere(void **state) {
  (void)state;
  static const char *const words[][2] = {{"'thigh_", "'a_"},     {"'shin_", "'b_"},      {"'foot_", "'c_"},
                                         {"'upper_arm_", "'d_"}, {"'lower_arm_", "'e_"}, {"'pelvis'", "'g'"},
                                         {"'torso'", "'h'"}};
  static const char *const places[] = {"pos='0 0 1.3'", "pos='3 -2 1.3'", "pos='-6 9 -7'"};
  BodyDef *human = open_body("human");
  for (int i = 0; i < 3; i++) {
    char notes[4096], *text = replace(make_man(), places[0], places[i]);
    BodyDef *named = read_good(text, human, notes);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      text = replace(text, words[k][0], words[k][1]);
    BodyDef *body = read_good(text, human, notes);
    same_body(body, named);
    free(text);
    body_free(body);
    body_free(named);
  }
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

// Forearms that are bent by atan(0.1 / 0.25), 21.8 degrees, become straight, as far as the elbows' ranges let them.
static void elbows_straighten_as_far_as_they_bend(void **state) {
  (void)state;
  static const struct {
    const char *hand, *elbow; // of the left side: where the hand is, and the range of the elbow, deg
    double y, z, x[2];        // m, of the hand below the elbow and ahead of it; deg
  } cases[] = {
      {".1 .25 0", "-140 40", -0.2692582, 0, {-161.8014, 18.19859}},
      {".1 .25 0", "-140 10", -0.2635668, 0.05506873, {-150, 0}},
      {"-.1 .25 0", "-40 140", -0.2692582, 0, {-161.8014, 18.19859}},
      {"-.1 .25 0", "-10 140", -0.2635668, 0.05506873, {-150, 0}},
      {"-.1 .25 0", "-140 0", -0.2692582, 0, {-21.80141, 118.1986}},
      {".1 .25 0", "5 140", -0.2692582, 0, {-16.80141, 118.1986}},
  };
  BodyDef *human = open_body("human");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = make_man(), hand[64], elbow[64];
    snprintf(hand, sizeof hand, "<body name='left_hand' pos='%s'>", cases[i].hand);
    snprintf(elbow, sizeof elbow, "<joint axis='0 0 1' range='%s'/>", cases[i].elbow);
    text = replace(text, "<body name='left_hand' pos='0 .3 0'>", hand);
    text = replace(text, "<joint axis='0 0 1' range='-140 0'/>", elbow);
    BodyDef *body = read_good(text, human, NULL);
    const PartDef *fore = part(body, "forearm_l"), *end = part(body, "hand_l");
    near(end->joint.position[1] - fore->joint.position[1], cases[i].y, "height", cases[i].elbow);
    near(end->joint.position[2] - fore->joint.position[2], cases[i].z, "way ahead", cases[i].elbow);
    all_near(fore->joint.x, cases[i].x, 2, "range", cases[i].elbow);
    free(text);
    body_free(body);
  }
  body_free(human);
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
      cmocka_unit_test(who_straddles_and_faces_aside_is_a_man), cmocka_unit_test(legs_on_balls_do_not_hang),
      cmocka_unit_test(a_man_with_classes_stands_as_ours),      cmocka_unit_test(arms_reach_aside_however_elbows_bend),
      cmocka_unit_test(elbows_straighten_as_far_as_they_bend),  cmocka_unit_test(broken_files_are_refused),
      cmocka_unit_test(a_man_without_names_is_known_anywhere),  cmocka_unit_test(soles_are_marked_at_both_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
