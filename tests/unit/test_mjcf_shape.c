// Models with a man's shape whose names do not tell, or tell half: who is a man by his shape or by the user's table,
// and who is none.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/document.h"

// What the links of a limb are called: the names of human, words of one actor, letters and numbers.
typedef enum Names { NAMED, PREFIXED, LETTERS } Names;

// A limb of three links along z or y, in T. limb: 0, 1: legs, 2, 3: arms, left and right.
static void add_limb(TextBuffer *text, Names names, int limb, const char *at, const char *along, double length) {
  static const char *const words[] = {"thigh", "shin", "foot", "upper_arm", "forearm", "hand"};
  char step[32], name[48];
  for (int i = 0; i < 3; i++) {
    snprintf(step, sizeof step, along, length);
    if (names == LETTERS && limb < 2 && i == 2) // ahead of the shin, as of a knee that bends the wrong way
      snprintf(step, sizeof step, ".05 0 %g", -length);
    if (names == LETTERS)
      snprintf(name, sizeof name, "%c%d", "abcd"[limb], i);
    else
      snprintf(name, sizeof name, "%s%s_%c", names == PREFIXED ? "joe_7_" : "", words[limb / 2 * 3 + i],
               "lr"[limb % 2]);
    text_print(text,
               "<body name='%s' pos='%s'><joint axis='0 1 0' range='-60 60'/><geom fromto='0 0 0 %s' "
               "type='capsule' size='.04'/>\n",
               name, i == 0 ? at : step, step);
  }
  text_print(text, "</body></body></body>\n");
}

static void add_legs(TextBuffer *text, Names names) {
  add_limb(text, names, 0, "0 .1 -.05", "0 0 -%g", .4);
  add_limb(text, names, 1, "0 -.1 -.05", "0 0 -%g", .4);
}

static void add_arms(TextBuffer *text, Names names) {
  add_limb(text, names, 2, "0 .2 .3", "0 %g 0", .25);
  add_limb(text, names, 3, "0 -.2 .3", "0 -%g 0", .25);
}

// trunk_first: the chest carries the pelvis, and not the other way round. Its text, to be freed.
static char *make_model(Names legs, Names arms, bool trunk_first) {
  TextBuffer text = {0};
  const char *prefix = legs == PREFIXED ? "joe_7_" : "";
  text_print(&text, "<mujoco><worldbody><body name='%sm'><freejoint/><geom type='box' size='.1 .12 .1'/>\n", prefix);
  if (trunk_first)
    add_arms(&text, arms);
  else
    add_legs(&text, legs);
  text_print(&text,
             "<body name='%sn' pos='0 0 %s'><joint axis='0 1 0' range='-30 30'/><geom type='box' size='.1 .15 .1'/>\n",
             prefix, trunk_first ? "-.2" : ".2");
  if (trunk_first)
    add_legs(&text, legs);
  else
    add_arms(&text, arms);
  text_print(&text, "</body></body></worldbody></mujoco>");
  return text.bytes;
}

// All limbs have the names of human, on their own sides.
static void assert_human(const BodyDef *body, const char *what) {
  static const char *const limbs[] = {"thigh", "shin", "foot", "upper_arm", "forearm", "hand"};
  for (int i = 0; i < 6; i++)
    for (int side = 0; side < 2; side++) {
      char name[32];
      snprintf(name, sizeof name, "%s_%c", limbs[i], "lr"[side]);
      const int at = skeleton_find(&body->skeleton, name);
      if (at < 0 || !(body->parts[at].joint.position[0] * (side == 0 ? 1 : -1) > .05))
        fail_msg("%s: there is no %s on its side", what, name);
    }
  assert_string_equal(body->parts[0].name, "pelvis");
}

static void a_mans_shape_makes_a_man(void **state) {
  (void)state;
  static const struct {
    Names legs, arms;
    bool trunk_first;
    const char *what;
  } cases[] = {{NAMED, NAMED, false, "names"},
               {PREFIXED, PREFIXED, false, "an actor's names"},
               {LETTERS, LETTERS, false, "no names"},
               {NAMED, LETTERS, false, "named legs"},
               {LETTERS, NAMED, false, "named arms"},
               {NAMED, NAMED, true, "names, the trunk first"},
               {LETTERS, LETTERS, true, "no names, the trunk first"}};
  BodyDef *human = open_body("human");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = make_model(cases[i].legs, cases[i].arms, cases[i].trunk_first);
    char notes[4096];
    BodyDef *body = read_good(text, human, notes);
    assert_null(strstr(notes, "the model faces aside"));
    assert_int_equal(body->part_count, 14);
    assert_human(body, cases[i].what);
    assert_int_equal(body->skeleton.leg_count, 2);
    // Its ankles are 44 cm high: a clip's pelvis stands as high as its own, not as that of legs of such a length.
    const double hip = part(body, "thigh_l")->joint.position[1], human_hip = part(human, "thigh_l")->joint.position[1];
    near((double)body->skeleton.clip_scale * human_hip, hip, "the height of clips", cases[i].what);
    near(body->parts[0].joint.position[1], hip, "the height of the pelvis", cases[i].what);
    body_free(body);
    free(text);
  }
  body_free(human);
}

// Without names a leg is three links: of four it is not known which one is the foot. With names what follows the foot
// are toes, also if all names begin with that of an actor.
static void legs_of_four_links_need_names(void **state) {
  (void)state;
  static const char toe[] = "<body name='joe_7_t' pos='0 0 -.4'><joint axis='0 1 0'/><geom type='sphere' size='.05'/>"
                            "</body>\n";
  BodyDef *human = open_body("human");
  for (int names = PREFIXED; names <= LETTERS; names++) {
    char *plain = make_model((Names)names, (Names)names, false);
    const char *at = strstr(plain, names == LETTERS ? "<body name='b2'" : "<body name='joe_7_foot_r'");
    assert_non_null(at);
    const char *end = strstr(at, "</body>");
    TextBuffer text = {0};
    text_print(&text, "%.*s%s%s", (int)(end - plain), plain, toe, end);
    BodyDef *body = read_good(text.bytes, human, NULL);
    if (names == PREFIXED)
      assert_human(body, "an actor's names, with a toe");
    else
      assert_int_equal(skeleton_find(&body->skeleton, "thigh_r"), -1);
    body_free(body);
    text_free(&text);
    free(plain);
  }
  body_free(human);
}

// Four legs are no man's, whatever they are called; their links keep their names.
static void animals_are_no_men(void **state) {
  (void)state;
  BodyDef *human = open_body("human");
  for (int names = NAMED; names <= LETTERS; names++) {
    TextBuffer text = {0};
    text_print(&text, "<mujoco><worldbody><body name='m'><freejoint/><geom type='box' size='.4 .12 .1'/>\n");
    add_limb(&text, (Names)names, 0, "-.4 .1 -.05", "0 0 -%g", .4);
    add_limb(&text, (Names)names, 1, "-.4 -.1 -.05", "0 0 -%g", .4);
    add_limb(&text, (Names)names, 2, ".4 .1 -.05", "0 0 -%g", .4);
    add_limb(&text, (Names)names, 3, ".4 -.1 -.05", "0 0 -%g", .4);
    text_print(&text, "</body></worldbody></mujoco>");
    BodyDef *body = read_good(text.bytes, human, NULL);
    assert_string_equal(body->parts[0].name, "m");
    assert_int_equal(body->skeleton.leg_count, 4);
    body_free(body);
    text_free(&text);
  }
  body_free(human);
}

// The user's table says which links are which; links that are not there, and tables that make no man, are errors.
static void a_table_names_the_links(void **state) {
  (void)state;
  static const struct {
    const char *table, *error;
  } cases[] = {
      {"{thigh_l: b0, shin_l: b1, foot_l: b2, thigh_r: a0, shin_r: a1, foot_r: a2, upper_arm_l: d0, forearm_l: d1, "
       "hand_l: d2, "
       "upper_arm_r: c0, forearm_r: c1, hand_r: c2}",
       NULL},
      {"{thigh_l: b9}", "the motion has no joint 'b9'"},
      {"{thigh_l: a0, shin_l: a1, foot_l: a2, thigh_r: b0, shin_r: b1, foot_r: b2}",
       "the links are no human's: needed are thigh, shin, foot, upper_arm and forearm of both sides"},
  };
  BodyDef *human = open_body("human");
  char *text = make_model(LETTERS, LETTERS, false);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    XmlDocument document;
    Document table;
    Error error = {0};
    assert_true(xml_parse(&document, "m.xml", text, strlen(text), &error));
    const File file = {
        .name = "t.yaml", .path = "t.yaml", .bytes = (char *)cases[i].table, .size = strlen(cases[i].table)};
    assert_true(document_read(&table, "t.yaml", &file, &error));
    LinkModel *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->joints = table.root;
    assert_true(mjcf_read(model, &document, &error));
    snprintf(model->name, sizeof model->name, "model");
    BodyDef *body = link_body(model, human, &error);
    if (cases[i].error && !strstr(error.text, cases[i].error))
      fail_msg("'%s' is not '%s'", error.text, cases[i].error);
    if (!cases[i].error) {
      fixture_check(&error);
      assert_human(body, "a table"); // the model is turned by half a turn, so that its left is that of the table
      assert_non_null(strstr(model->notes.bytes, "the model faces aside; it is turned by 180 deg"));
    }
    body_free(body);
    text_free(&model->notes);
    free(model);
    document_free(&table);
    xml_free(&document);
  }
  free(text);
  body_free(human);
}

// Takes the joints of both feet out.
static void fix_feet(char *text) {
  for (int side = 0; side < 2; side++) {
    char *foot = strstr(text, side == 0 ? "<body name='foot_l'" : "<body name='foot_r'");
    assert_non_null(foot);
    char *joint = strstr(foot, "<joint"), *end = strstr(joint, "/>") + 2;
    memset(joint, ' ', (size_t)(end - joint));
  }
}

// Feet that are fixed to the shins of a biped, as of gym's humanoid, stay parts; other ends become parts of theirs.
static void fixed_feet_stay_feet(void **state) {
  (void)state;
  BodyDef *human = open_body("human");
  char *text = make_model(NAMED, NAMED, false);
  fix_feet(text);
  char notes[4096];
  BodyDef *body = read_good(text, human, notes);
  assert_human(body, "fixed feet");
  assert_non_null(strstr(notes, "foot_l, fixed to shin_l, stays a part, on a locked hinge"));
  const PartDef *foot = part(body, "foot_r");
  assert_int_equal(foot->joint.kind, JOINT_HINGE);
  all_near(foot->joint.limit[foot->joint.twist_axis], (const double[]){0, 0}, 2, "range", "foot_r");
  assert_int_equal(body->skeleton.leg_count, 2);
  body_free(body);

  // Without a human to be fitted to, they become parts of the shins, and there are no legs of three parts.
  body = read_good(text, NULL, notes);
  assert_int_equal(skeleton_find(&body->skeleton, "foot_l"), -1);
  assert_int_equal(body->skeleton.leg_count, 0);
  assert_non_null(strstr(notes, "no legs are found"));
  body_free(body);
  free(text);

  // A pelvis that carries both chains is no hip of theirs.
  text = make_model(NAMED, NAMED, true);
  fix_feet(text);
  body = read_good(text, NULL, notes);
  assert_int_equal(body->skeleton.leg_count, 0);
  body_free(body);
  free(text);
  body_free(human);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mans_shape_makes_a_man),      cmocka_unit_test(animals_are_no_men),
      cmocka_unit_test(legs_of_four_links_need_names), cmocka_unit_test(a_table_names_the_links),
      cmocka_unit_test(fixed_feet_stay_feet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
