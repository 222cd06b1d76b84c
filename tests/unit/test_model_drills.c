// What drawn models of robots come to that are read from MuJoCo and URDF: trees of links with shapes, masses, frames
// and hinges written in all ways. Bodies to nine digits; notes and errors to the letter.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/unit/body_drill.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *compiler; // attributes
  int links;
  bool urdf, inertial, motors;
  double bad; // share of numbers beyond what is allowed
} Drill;

static const Drill DRILLS[] = {
    {"mjcf", "", 6, false, false, false, 0},
    {"mjcf in radians", "angle='radian' eulerseq='zyx'", 6, false, true, true, 0},
    {"mjcf with masses", "inertiafromgeom='false' autolimits='false'", 5, false, true, true, 0},
    {"mjcf with mistakes", "", 4, false, true, true, 0.02},
    {"urdf", "", 6, true, true, false, 0},
    {"a long urdf", "", 14, true, true, false, 0},
    {"urdf with mistakes", "", 4, true, true, false, 0.02},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { NOTES = BODY_SUMS, SUMS };
static const char *const NAMES[SUMS] = {BODY_SUM_NAMES, "notes"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {2.3102451351, 73.564837833, 5.4447662744, -2.3951297235, -0.23751605447, 0.060094647534, 0.29271071528},
    {2.5790767053, 46.793849053, 5.8247415195, -2.0173769756, -0.24197011071, 0.076601498588, 0.29933086144},
    {0.80905033703, 7.6255895096, 7.1681490108, -1.2134837618, -0.55239934017, 0.25134304773, 0.32610049472},
    {-0.017927739378, 6.8150516467, 1.8327213139, 0.045696403771, -0.10778956307, 0.054836436462, 0.18789193429},
    {1.5684999063, 8.8812368706, 8.7424351804, -1.8475430703, -0.67827457789, 0.11493912212, 0.33463209154},
    {21.58294521, 18.604176209, 7.3352290953, -1.6911935111, -0.21749335107, -0.29444378895, 0.29106034081},
    {-0.13768286341, -0.52053662141, 2.5018205441, -0.76087538788, -0.12155506463, 0.10112445728, 0.17362845613},
};

static double draw(const Drill *drill, Rng *rng, double low, double high) {
  return rng_range(rng, low, high) * (rng_unit(rng) < drill->bad ? -1e4 : 1);
}

// Some numbers of an attribute.
static void put(TextBuffer *text, const Drill *drill, const char *key, int count, double low, double high, Rng *rng) {
  text_print(text, " %s='", key);
  for (int i = 0; i < count; i++)
    text_print(text, "%s%.5g", i > 0 ? " " : "", draw(drill, rng, low, high));
  text_print(text, "'");
}

// ---- MuJoCo ----

static void put_turn(TextBuffer *text, const Drill *drill, Rng *rng) {
  static const char *const keys[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  static const int counts[] = {4, 4, 3, 6, 3};
  const int kind = rng_index(rng, 6);
  const bool radian = strstr(drill->compiler, "radian") != NULL;
  if (kind < 5)
    put(text, drill, keys[kind], counts[kind], -1, kind == 2 && !radian ? 90 : 1, rng);
}

static void put_geom(TextBuffer *text, const Drill *drill, Rng *rng) {
  static const char *const kinds[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid"};
  static const int sizes[] = {1, 2, 2, 3, 3};
  const int kind = rng_index(rng, 5);
  const bool spans = (kind == 1 || kind == 2) && rng_index(rng, 2);
  text_print(text, "<geom type='%s'", kinds[kind]);
  put(text, drill, "size", spans ? 1 : sizes[kind], 0.02, 0.2, rng);
  if (spans) {
    put(text, drill, "fromto", 6, -0.3, 0.3, rng);
  } else {
    put(text, drill, "pos", 3, -0.2, 0.2, rng);
    put_turn(text, drill, rng);
  }
  const int weight = rng_index(rng, 4);
  if (weight == 0)
    put(text, drill, "mass", 1, 0.1, 3, rng);
  else if (weight == 1)
    put(text, drill, "density", 1, 300, 3000, rng);
  if (rng_index(rng, 6) == 0)
    text_print(text, " contype='0' conaffinity='0'");
  text_print(text, "/>");
}

static void put_joints(TextBuffer *text, const Drill *drill, int link, Rng *rng) {
  const double unit = strstr(drill->compiler, "radian") ? RAD_PER_DEGREE : 1;
  const int kind = rng_index(rng, 5), count = kind == 0 ? 0 : kind == 1 ? 1 : 1 + rng_index(rng, 3);
  for (int i = 0; i < count; i++) {
    text_print(text, "<joint name='j%d_%d'", link, i);
    if (kind == 1)
      text_print(text, " type='ball'");
    else
      put(text, drill, "axis", 3, -1, 1, rng);
    if (rng_index(rng, 3) && kind != 1)
      text_print(text, " range='%.5g %.5g'%s", draw(drill, rng, -120, 20) * unit, draw(drill, rng, 25, 150) * unit,
                 rng_index(rng, 2) ? " limited='true'" : "");
    else if (rng_index(rng, 2) && kind == 1)
      text_print(text, " range='0 %.5g' limited='true'", draw(drill, rng, 20, 120) * unit);
    if (rng_index(rng, 3) == 0)
      put(text, drill, "pos", 3, -0.1, 0.1, rng);
    if (rng_index(rng, 3) == 0)
      put(text, drill, "armature", 1, 0, 0.3, rng);
    if (rng_index(rng, 3) == 0)
      put(text, drill, "damping", 1, 0, 10, rng);
    if (rng_index(rng, 4) == 0)
      text_print(text, " actuatorfrcrange='%.5g %.5g'", draw(drill, rng, -90, -5), draw(drill, rng, 5, 90));
    if (rng_index(rng, 6) == 0 && kind != 1)
      put(text, drill, "ref", 1, -10 * unit, 10 * unit, rng);
    text_print(text, "/>");
  }
}

static void put_inertial(TextBuffer *text, const Drill *drill, Rng *rng) {
  text_print(text, "<inertial");
  put(text, drill, "pos", 3, -0.1, 0.1, rng);
  put(text, drill, "mass", 1, 0.2, 5, rng);
  if (rng_index(rng, 2)) {
    put(text, drill, "diaginertia", 3, 0.01, 0.019, rng);
    put_turn(text, drill, rng);
  } else {
    text_print(text, " fullinertia='%.5g .02 .02 %.5g %.5g %.5g'", draw(drill, rng, 0.015, 0.03),
               draw(drill, rng, -0.004, 0.004), draw(drill, rng, -0.004, 0.004), draw(drill, rng, -0.004, 0.004));
  }
  text_print(text, "/>");
}

static void put_body(TextBuffer *text, const Drill *drill, int *link, Rng *rng) {
  const int own = (*link)++;
  text_print(text, "<body name='b%d'", own);
  put(text, drill, "pos", 3, -0.3, 0.3, rng);
  put_turn(text, drill, rng);
  text_print(text, ">");
  if (own == 0)
    text_print(text, "<freejoint/>");
  else
    put_joints(text, drill, own, rng);
  if (drill->inertial && (rng_index(rng, 2) || strstr(drill->compiler, "false")))
    put_inertial(text, drill, rng);
  for (int i = 0, count = 1 + rng_index(rng, 3); i < count; i++)
    put_geom(text, drill, rng);
  while (*link < drill->links && (own == 0 || rng_index(rng, 2)))
    put_body(text, drill, link, rng);
  text_print(text, "</body>\n");
}

static void put_mjcf(TextBuffer *text, const Drill *drill, Rng *rng) {
  int link = 0;
  text_print(text, "<mujoco><compiler %s/><default><geom density='%.4g'/><joint damping='%.4g'/></default><worldbody>",
             drill->compiler, rng_range(rng, 400, 1500), rng_range(rng, 0, 2));
  put_body(text, drill, &link, rng);
  text_print(text, "</worldbody>");
  if (drill->motors) {
    static const char *const kinds[] = {"motor gear='%.5g' ctrlrange='-1 0.7'",
                                        "position kp='%.5g' forcerange='-40 30'", "position kp='%.5g' kv='3'",
                                        "velocity kv='%.5g'"};
    text_print(text, "<actuator>");
    for (int i = 1; i < drill->links; i++)
      if (strstr(text->bytes, "_0'") && rng_index(rng, 2)) {
        char name[16], kind[80];
        snprintf(name, sizeof name, "'j%d_0'", i);
        snprintf(kind, sizeof kind, kinds[rng_index(rng, 4)], draw(drill, rng, 5, 100));
        if (strstr(text->bytes, name))
          text_print(text, "<%s joint=%s/>", kind, name);
      }
    text_print(text, "</actuator>");
  }
  text_print(text, "</mujoco>");
}

// ---- URDF ----

static void put_origin(TextBuffer *text, const Drill *drill, Rng *rng) {
  if (rng_index(rng, 4) == 0)
    return;
  text_print(text, "<origin");
  put(text, drill, "xyz", 3, -0.3, 0.3, rng);
  if (rng_index(rng, 2))
    put(text, drill, "rpy", 3, -1.5, 1.5, rng);
  text_print(text, "/>");
}

static void put_link(TextBuffer *text, const Drill *drill, int link, Rng *rng) {
  text_print(text, "<link name='l%d'>", link);
  if (drill->inertial) {
    text_print(text, "<inertial>");
    put_origin(text, drill, rng);
    text_print(text, "<mass value='%.5g'/><inertia ixx='%.5g' iyy='.02' izz='.02' ixy='%.5g' ixz='%.5g' iyz='%.5g'/>",
               draw(drill, rng, 0.2, 5), draw(drill, rng, 0.015, 0.03), draw(drill, rng, -0.003, 0.003),
               draw(drill, rng, -0.003, 0.003), draw(drill, rng, -0.003, 0.003));
    text_print(text, "</inertial>");
  }
  for (int i = 0, count = 1 + rng_index(rng, 2); i < count; i++) {
    text_print(text, "<collision>");
    put_origin(text, drill, rng);
    const int kind = rng_index(rng, 3);
    text_print(text, "<geometry><%s", kind == 0 ? "box" : kind == 1 ? "cylinder" : "sphere");
    if (kind == 0)
      put(text, drill, "size", 3, 0.05, 0.4, rng);
    else
      put(text, drill, "radius", 1, 0.03, 0.2, rng);
    if (kind == 1)
      put(text, drill, "length", 1, 0.05, 0.6, rng);
    text_print(text, "/></geometry></collision>");
  }
  text_print(text, "</link>\n");
}

static void put_urdf(TextBuffer *text, const Drill *drill, Rng *rng) {
  static const char *const types[] = {"revolute", "revolute", "continuous", "fixed"};
  text_print(text, "<robot name='r'>");
  for (int i = 0; i < drill->links; i++)
    put_link(text, drill, i, rng);
  for (int i = 1; i < drill->links; i++) {
    text_print(text, "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>", i, types[rng_index(rng, 4)],
               rng_index(rng, i), i);
    put_origin(text, drill, rng);
    if (rng_index(rng, 4)) {
      text_print(text, "<axis");
      put(text, drill, "xyz", 3, -1, 1, rng);
      text_print(text, "/>");
    }
    text_print(text, "<limit lower='%.5g' upper='%.5g' effort='%.5g' velocity='3'/>", draw(drill, rng, -2, 0.2),
               draw(drill, rng, 0.3, 2.5), draw(drill, rng, 0, 150));
    if (rng_index(rng, 2))
      text_print(text, "<dynamics damping='%.5g'/>", draw(drill, rng, 0, 5));
    text_print(text, "</joint>\n");
  }
  text_print(text, "</robot>");
}

// ---- Both ----

static void run(const Drill *drill, double means[SUMS]) {
  enum { MODELS = 200 };
  Rng rng = rng_make(1, drill->name);
  int good = 0;
  for (int n = 0; n < MODELS; n++) {
    TextBuffer text = {0};
    char notes[4096] = "";
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    (drill->urdf ? put_urdf : put_mjcf)(&text, drill, &rng);
    BodyDef *body = drill->urdf ? read_robot(text.bytes, notes, &error) : read_as_is(text.bytes, notes, &error);
    if (body)
      drill_add_body(body, sums);
    good += body != NULL;
    drill_add(&sums[NOTES], (double)(text_digest(notes) % 1000) / 1000);
    drill_add(&sums[NOTES], (double)(text_digest(error.text) % 1000) / 1000);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / MODELS;
    body_free(body);
    text_free(&text);
  }
  assert_true(good > MODELS / 8 && (drill->bad == 0 || good < MODELS));
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
