// Models of MuJoCo and robots of URDF that are drawn: what bodies they become, what is said of that, or why they are
// refused, to the letter. Trees of links with all kinds of joints, shapes, inertias, frames and motors.
#include "ragdoll/body/body_write.h"
#include "ragdoll/body/urdf_read.h"
#include "sim/base/rng.h"
#include "tests/unit/mjcf_fixture.h"
#include "tests/unit/text_digest.h"

static Rng rng;

static bool one_in(int count) { return rng_index(&rng, count) == 0; }

static const char *pick(const char *const *words, int count) { return words[rng_index(&rng, count)]; }

// ---- MuJoCo ----

// Numbers of a range as an attribute.
static void put(TextBuffer *text, const char *key, int count, double low, double high) {
  text_print(text, " %s='", key);
  for (int i = 0; i < count; i++)
    text_print(text, "%s%.4g", i > 0 ? " " : "", rng_range(&rng, low, high));
  text_print(text, "'");
}

static void add_frame(TextBuffer *text) {
  static const char *const axes[] = {"1 .2 0 -.1 1 .3", "0 1 .4 -1 .2 .1", ".5 .5 .7 -.7 .1 .2"};
  switch (rng_index(&rng, 6)) {
  case 0:
    put(text, "quat", 4, -1, 1);
    break;
  case 1:
    put(text, "euler", 3, -60, 60);
    break;
  case 2:
    put(text, "axisangle", 4, -1, 60);
    break;
  case 3:
    text_print(text, " xyaxes='%s'", pick(axes, 3));
    break;
  case 4:
    put(text, "zaxis", 3, -1, 1);
    break;
  default:
    break;
  }
}

static void add_geom(TextBuffer *text) {
  static const char *const types[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
  const char *type = pick(types, 5);
  text_print(text, "<geom type='%s'", type);
  put(text, "size", 3, 0.02, 0.2);
  if ((strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) && one_in(2)) {
    put(text, "fromto", 6, -0.3, 0.3);
  } else {
    put(text, "pos", 3, -0.1, 0.1);
    add_frame(text);
  }
  if (one_in(3))
    put(text, "mass", 1, 0.2, 3);
  else if (one_in(2))
    put(text, "density", 1, 300, 1500);
  text_print(text, "%s/>", one_in(8) ? " contype='0' conaffinity='0'" : "");
}

static int joints, bodies;

static void add_joint(TextBuffer *text, bool ball) {
  static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1", "0 -1 0", "1 .2 0", ".3 .4 -.5"};
  text_print(text, "<joint name='j%d' type='%s'", joints++, ball ? "ball" : "hinge");
  if (!ball)
    text_print(text, " axis='%s'", pick(axes, 6));
  if (!one_in(4)) {
    const double low = ball ? 0 : rng_range(&rng, -120, 10);
    text_print(text, " range='%.4g %.4g'", low, low + rng_range(&rng, 10, 90));
  }
  if (one_in(2))
    put(text, "pos", 3, -0.03, 0.03);
  if (one_in(3))
    put(text, "stiffness", 1, 0, 20);
  if (one_in(3))
    put(text, "springref", 1, -20, 20);
  if (one_in(2))
    put(text, "damping", 1, 0, one_in(8) ? 1e6 : 3);
  if (one_in(3))
    put(text, "armature", 1, 0, 0.02);
  if (one_in(6))
    text_print(text, " actuatorfrcrange='-12 34'");
  text_print(text, "/>");
}

static void add_body(TextBuffer *text, int depth, const char *name) {
  static const char *const names[] = {"arm", "thigh", "hip_yaw", "hip_roll", "left_foot", "right_foot", "knee", "link"};
  text_print(text, "<body name='%s_%d'", name, bodies++);
  put(text, "pos", 3, -0.3, depth == 0 ? 1 : 0.1);
  add_frame(text);
  text_print(text, ">%s", depth == 0 && one_in(2) ? "<freejoint/>" : "");
  const bool ball = one_in(8);
  const int count = depth == 0 || one_in(6) ? 0 : ball ? 1 : 1 + (one_in(4) ? rng_index(&rng, 3) : 0);
  for (int i = 0; i < count; i++)
    add_joint(text, ball);
  if (one_in(4)) {
    text_print(text, "<inertial");
    put(text, "pos", 3, -0.05, 0.05);
    put(text, "mass", 1, 0.5, 4);
    static const char *const tensors[] = {".05 .06 .07 .001 .002 .003", ".05 .06 .07 -.01 .01 .02",
                                          ".02 .05 .04 .005 -.004 .01", ".05 .06 .07 .04 0 0"};
    text_print(text, " fullinertia='%s'/>", tensors[one_in(12) ? 2 + rng_index(&rng, 2) : rng_index(&rng, 2)]);
  }
  const int geoms = 1 + rng_index(&rng, 3), children = depth == 0 ? 2 : depth < 4 ? rng_index(&rng, 3) : 0;
  for (int i = 0; i < geoms; i++)
    add_geom(text);
  if (one_in(5))
    text_print(text, "<camera name='c%d'/><light pos='0 0 1'/><site name='s%d'/>", bodies, bodies);
  for (int i = 0; i < children; i++)
    add_body(text, depth + 1, pick(names, 8));
  text_print(text, "</body>");
}

static void add_actuator(TextBuffer *text, int joint) {
  static const char *const kinds[] = {"motor", "position", "velocity", "general"};
  const char *kind = pick(kinds, 4);
  text_print(text, "<%s joint='j%d'", kind, joint);
  if (one_in(2))
    put(text, "gear", 1, -90, 90);
  if (one_in(2))
    text_print(text, " ctrlrange='-1 2'%s", one_in(2) ? " ctrllimited='true'" : "");
  if (one_in(2))
    text_print(text, " forcerange='-30 40'%s", one_in(3) ? " forcelimited='false'" : "");
  if (strcmp(kind, "position") == 0)
    put(text, "kp", 1, 10, 300);
  if (kind[0] == 'p' || kind[0] == 'v')
    put(text, "kv", 1, 0, 9);
  if (kind[0] == 'g')
    put(text, "gainprm", 1, -50, 50);
  text_print(text, "/>");
}

static void draw_mjcf(TextBuffer *text) {
  joints = bodies = 0;
  text_print(text, "<mujoco model='drawn'><compiler angle='degree' eulerseq='%s' autolimits='true'/>",
             one_in(2) ? "xyz" : "ZYX");
  text_print(text, "<default><geom density='900'/></default><worldbody>");
  add_body(text, 0, "base");
  text_print(text, "</worldbody><actuator>");
  for (int i = 0; i < joints; i++)
    if (!one_in(5))
      add_actuator(text, i);
  text_print(text, "</actuator></mujoco>");
}

// ---- URDF ----

static void add_origin(TextBuffer *text, double range) {
  if (one_in(4))
    return;
  text_print(text, "<origin");
  put(text, "xyz", 3, -range, range);
  put(text, "rpy", 3, -2, 2);
  text_print(text, "/>");
}

static void add_collision(TextBuffer *text) {
  text_print(text, "<collision>");
  add_origin(text, 0.1);
  text_print(text, "<geometry>");
  const int kind = rng_index(&rng, 3);
  text_print(text, "<%s", kind == 0 ? "box" : kind == 1 ? "cylinder" : "sphere");
  if (kind == 0) {
    put(text, "size", 3, 0.03, 0.3);
  } else {
    put(text, "radius", 1, 0.03, 0.1);
    if (kind == 1)
      put(text, "length", 1, 0.02, 0.5);
  }
  text_print(text, "/></geometry></collision>");
}

static void add_link(TextBuffer *text, int number) {
  text_print(text, "<link name='l%d'>", number);
  if (number == 0 || !one_in(25)) {
    text_print(text, "<inertial>");
    add_origin(text, 0.05);
    text_print(text, "<mass");
    put(text, "value", 1, 0.3, 5);
    static const char *const products[] = {"ixy='.001' ixz='.002' iyz='-.003'", "ixy='.02' ixz='-.01' iyz='.01'",
                                           "ixy='0' ixz='.04' iyz='0'"};
    text_print(text, "/><inertia ixx='.05' iyy='.06' izz='.07' %s/></inertial>", products[one_in(9) ? 2 : one_in(2)]);
    const int shapes = rng_index(&rng, 3);
    for (int i = 0; i < shapes; i++)
      add_collision(text);
  }
  text_print(text, "</link>");
}

static void draw_urdf(TextBuffer *text) {
  static const char *const types[] = {"revolute", "continuous", "fixed", "revolute"}, *const axes[] = {"1 0 0", "0 1 0",
                                                                                                       "0 0 -1",
                                                                                                       ".5 .5 .7"};
  const int count = 2 + rng_index(&rng, 9);
  text_print(text, "<robot name='drawn'>");
  for (int i = 0; i < count; i++)
    add_link(text, i);
  for (int i = 1; i < count; i++) {
    const char *type = pick(types, 4), *axis = pick(axes, 4);
    text_print(text, "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>", i, type, rng_index(&rng, i),
               i);
    add_origin(text, one_in(3) ? 0.05 : 0.3);
    text_print(text, "<axis xyz='%s'/><limit", axis);
    put(text, "lower", 1, -2, 0.2);
    put(text, "upper", 1, 0.5, 1.5);
    put(text, "effort", 1, 0, one_in(5) ? 0 : 80);
    text_print(text, " velocity='3'/>");
    if (one_in(2)) {
      text_print(text, "<dynamics");
      put(text, "damping", 1, 0, 2);
      text_print(text, " friction='.2'/>");
    }
    text_print(text, "</joint>");
  }
  text_print(text, "</robot>");
}

// ---- What they become ----

static bool read_document(LinkModel *model, const XmlDocument *document, bool robot, Error *error) {
  return robot ? urdf_read(model, document, error) : mjcf_read(model, document, error);
}

// Adds the body, or the error, and the notes. Returns whether it became a body.
static bool add_model(const TextBuffer *source, bool robot, const BodyDef *human, TextBuffer *told) {
  XmlDocument document;
  Error error = {0};
  BodyDef *body = NULL;
  LinkModel *model = calloc(1, sizeof *model);
  assert_non_null(model);
  if (!xml_parse(&document, "model.xml", source->bytes, source->size, &error))
    fail_msg("%s", error.text);
  model->as_is = one_in(3);
  if (read_document(model, &document, robot, &error)) {
    snprintf(model->name, sizeof model->name, "drawn");
    body = link_body(model, one_in(2) ? human : NULL, &error);
  }
  text_print(told, "%s%s", error.text, model->notes.bytes ? model->notes.bytes : "");
  if (body)
    body_write(body, "drawn", told);
  const bool read = body != NULL;
  body_free(body);
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  return read;
}

static const struct {
  const char *name;
  bool robot;
  int least;     // so many of the models become bodies
  uint64_t kept; // digest
} SETS[] = {{"models of MuJoCo", false, 40, 0x7d04161db80e0677},
            {"more models of MuJoCo", false, 40, 0x0b1ed7db43bfb470},
            {"robots of URDF", true, 40, 0x491eff93117c1bd9}};

static void models_to_the_letter(void **state) {
  (void)state;
  enum { MODELS = 80 };
  BodyDef *human = open_body("human");
  int wrong = 0;
  for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
    TextBuffer told = {0};
    int read = 0;
    rng = rng_make(1, SETS[i].name);
    for (int n = 0; n < MODELS; n++) {
      TextBuffer source = {0};
      if (SETS[i].robot)
        draw_urdf(&source);
      else
        draw_mjcf(&source);
      read += add_model(&source, SETS[i].robot, human, &told);
      text_free(&source);
    }
    assert_false(told.failed);
    if (read < SETS[i].least)
      fail_msg("%s: only %d bodies", SETS[i].name, read);
    wrong += !text_is_kept(SETS[i].name, told.bytes, SETS[i].kept);
    text_free(&told);
  }
  body_free(human);
  assert_int_equal(wrong, 0);
}

// ---- Numbers at their limits ----

static void numbers_at_their_limits(void **state) {
  (void)state;
#define MJCF(inside) "<mujoco><worldbody><body name='a'>" inside "</body></worldbody></mujoco>"
#define BALL "<geom size='.1'/>"
#define URDF(mass, shape)                                                                                              \
  "<robot name='r'><link name='a'><inertial><mass value='" mass "'/>"                                                  \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>" shape                   \
  "</geometry></collision></link></robot>"
  static const struct {
    const char *text;
    bool robot, good;
  } cases[] = {
      {MJCF("<geom size='10' mass='1'/>"), false, true},
      {MJCF("<geom size='10.001' mass='1'/>"), false, false},
      {MJCF("<geom size='0' mass='1'/>"), false, false},
      {MJCF("<geom type='box' size='.1 .1 10' mass='1'/>"), false, true},
      {MJCF("<geom type='box' size='.1 .1 10.001' mass='1'/>"), false, false},
      {MJCF("<geom type='capsule' size='.1 10' mass='1'/>"), false, true},
      {MJCF("<geom type='capsule' size='.1 10.001' mass='1'/>"), false, false},
      {MJCF("<geom size='.1' mass='1e5'/>"), false, true},
      {MJCF("<geom size='.1' mass='100001'/>"), false, false},
      {MJCF(BALL "<geom size='.1' mass='0'/>"), false, true},
      {MJCF(BALL "<inertial pos='0 0 0' mass='1e5' diaginertia='1 1 1'/>"), false, true},
      {MJCF(BALL "<inertial pos='0 0 0' mass='100001' diaginertia='1 1 1'/>"), false, false},
      {MJCF(BALL "<inertial pos='0 0 0' mass='0' diaginertia='1 1 1'/>"), false, true},
      {MJCF(BALL "<inertial pos='0 0 0' mass='-1e-9' diaginertia='1 1 1'/>"), false, false},
      {MJCF(BALL "<body name='b'><joint armature='100'/>" BALL "</body>"), false, true},
      {MJCF(BALL "<body name='b'><joint armature='100.01'/>" BALL "</body>"), false, false},
      {MJCF(BALL "<body name='b'><joint armature='0'/>" BALL "</body>"), false, true},
      {MJCF(BALL "<body name='b'><joint armature='-1e-9'/>" BALL "</body>"), false, false},
      {URDF("1e5", "<sphere radius='10'/>"), true, true},
      {URDF("100001", "<sphere radius='1'/>"), true, false},
      {URDF("-1e-9", "<sphere radius='1'/>"), true, false},
      {URDF("1", "<sphere radius='10.001'/>"), true, false},
      {URDF("1", "<sphere radius='0'/>"), true, false},
      {URDF("1", "<box size='10 .1 10'/>"), true, true},
      {URDF("1", "<box size='.1 10.001 .1'/>"), true, false},
      {URDF("1", "<cylinder radius='1' length='10'/>"), true, true},
      {URDF("1", "<cylinder radius='1' length='10.001'/>"), true, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    XmlDocument document;
    Error error = {0};
    LinkModel *model = calloc(1, sizeof *model);
    assert_non_null(model);
    assert_true(xml_parse(&document, "model.xml", cases[i].text, strlen(cases[i].text), &error));
    if (read_document(model, &document, cases[i].robot, &error) != cases[i].good)
      fail_msg("%s: %s", cases[i].text, error.text);
    text_free(&model->notes);
    free(model);
    xml_free(&document);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_to_the_letter),
      cmocka_unit_test(numbers_at_their_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
