// What becomes of models of robots of which each attribute is once missing, once no number, once another number, once
// one number too few or too many, and of which each element is once missing: bodies to nine digits, notes and errors to
// the letter.
#include "tests/unit/mjcf_fixture.h"

#include "tests/unit/body_drill.h"
#include "tests/unit/text_digest.h"

static const char MUJOCO[] =
    "<mujoco model='robot'>\n"
    "<compiler angle='degree' eulerseq='zyx' autolimits='true' inertiafromgeom='auto' coordinate='local'/>\n"
    "<default>\n<joint damping='1.5' armature='0.01' range='-60 90'/>\n<geom density='900' contype='1'/>\n"
    "<position kp='7' gear='2'/>\n"
    "<default class='thin'>\n<geom type='capsule' size='0.03'/>\n<joint stiffness='4' range='-20 20'/>\n</default>\n"
    "</default>\n<worldbody>\n"
    "<geom type='plane' size='5 5 1'/>\n"
    "<body name='base' pos='0 0 0.7' euler='0 0 10'>\n<freejoint/>\n"
    "<geom type='box' size='0.12 0.09 0.05' pos='0.01 0 0.02' quat='0.966 0 0.259 0'/>\n"
    "<geom type='ellipsoid' size='0.1 0.07 0.05' pos='0 0.02 0.1'/>\n"
    "<inertial pos='0.01 0 0.02' mass='6' fullinertia='0.05 0.06 0.07 0.001 0.002 -0.001'/>\n"
    "<body name='arm' pos='0 0.15 0' axisangle='1 0 0 -30'>\n"
    "<joint name='shoulder_1' axis='0 1 0' ref='10' limited='true'/>\n"
    "<joint name='shoulder_2' axis='1 0.2 0' pos='0 0.01 0' actuatorfrcrange='-30 20' limited='false'/>\n"
    "<geom class='thin' fromto='0 0 0 0 0.1 -0.25' mass='1.1'/>\n"
    "<geom type='cylinder' size='0.04 0.05' euler='10 20 30' pos='0 0.1 -0.1' contype='0' conaffinity='0'/>\n"
    "<body name='hand' pos='0 0.1 -0.25' xyaxes='0 1 0 -1 0 0.2' childclass='thin'>\n"
    "<joint name='wrist' axis='0 0 1' springref='4'/>\n"
    "<geom size='0.03 0.06' zaxis='0 1 1' pos='0.02 0 0'/>\n"
    "<geom type='sphere' size='0.05' pos='0.1 0 0' mass='0.3'/>\n"
    "<inertial pos='0.02 0.01 0' mass='0.7' diaginertia='0.001 0.002 0.0015' quat='0.9 0.1 0 0.2'/>\n"
    "</body>\n</body>\n"
    "<frame pos='0 -0.02 0' euler='3 0 0'>\n"
    "<body name='leg' pos='0 -0.05 -0.05' euler='5 -10 20'>\n"
    "<joint name='hip' type='ball' range='0 70' damping='2'/>\n"
    "<geom class='thin' size='0.05' fromto='0 0 0 0 0 -0.5'/>\n"
    "<body name='foot_l' pos='0 0 -0.5'>\n"
    "<joint name='ankle' axis='0 1 0' stiffness='10' springref='5' damping='0.2'/>\n"
    "<geom type='box' size='0.12 0.05 0.02' pos='0.05 0 -0.03' density='400'/>\n"
    "<geom type='cylinder' size='0.03' fromto='0 0 0 0.02 0 0.1'/>\n"
    "<site name='foot_l_heel' pos='-0.07 0 -0.05' size='0.01'/>\n<site name='foot_l_toe' pos='0.17 0 -0.05'/>\n"
    "</body>\n</body>\n</frame>\n</body>\n</worldbody>\n"
    "<custom>\n<numeric name='leg_strength' data='55'/>\n</custom>\n"
    "<actuator>\n"
    "<motor joint='shoulder_1' gear='40' ctrlrange='-1 1' ctrllimited='true'/>\n"
    "<position joint='wrist' kp='20' kv='0.3' forcerange='-3 3' forcelimited='true'/>\n"
    "<velocity joint='shoulder_2' kv='2' gear='3' forcerange='-9 8'/>\n"
    "<general joint='ankle' gear='6 0 0 0 0 0' gainprm='12 0' ctrlrange='-0.5 1'/>\n"
    "<motor joint='nobody' gear='3'/>\n"
    "</actuator>\n</mujoco>\n";

static const char ROBOT[] =
    "<robot name='arm'>\n<link name='trunk'>\n"
    "<inertial>\n<origin xyz='0 0 0.1' rpy='0 0.2 0'/>\n<mass value='8'/>\n"
    "<inertia ixx='0.2' iyy='0.18' izz='0.1' ixy='0.003' ixz='-0.002' iyz='0.001'/>\n</inertial>\n"
    "<collision>\n<origin xyz='0 0 0.1'/>\n<geometry>\n<box size='0.3 0.2 0.4'/>\n</geometry>\n</collision>\n</link>\n"
    "<link name='upper'>\n<inertial>\n<origin xyz='0 0 -0.15'/>\n<mass value='2'/>\n"
    "<inertia ixx='0.02' iyy='0.02' izz='0.003' ixy='0' ixz='0.001' iyz='0'/>\n</inertial>\n"
    "<collision>\n<origin xyz='0 0 -0.15' rpy='0.1 0 0.2'/>\n<geometry>\n<cylinder radius='0.05' length='0.3'/>\n"
    "</geometry>\n</collision>\n"
    "<collision>\n<geometry>\n<mesh filename='arm.stl'/>\n</geometry>\n</collision>\n</link>\n"
    "<link name='cover'>\n<inertial>\n<origin xyz='0.05 0 0'/>\n<mass value='0.4'/>\n"
    "<inertia ixx='0.001' iyy='0.0015' izz='0.001' ixy='0' ixz='0' iyz='0.0001'/>\n</inertial>\n"
    "<collision>\n<geometry>\n<sphere radius='0.06'/>\n</geometry>\n</collision>\n</link>\n"
    "<link name='lower'>\n<inertial>\n<origin xyz='0 0 -0.12'/>\n<mass value='1.2'/>\n"
    "<inertia ixx='0.01' iyy='0.01' izz='0.001' ixy='0' ixz='0' iyz='0'/>\n</inertial>\n"
    "<collision>\n<origin xyz='0 0 -0.12'/>\n<geometry>\n<cylinder radius='0.04' length='0.2'/>\n</geometry>\n"
    "</collision>\n</link>\n"
    "<joint name='shoulder' type='revolute'>\n<parent link='trunk'/>\n<child link='upper'/>\n"
    "<origin xyz='0 0.2 0.25' rpy='0.3 0 0.5'/>\n<axis xyz='0 1 0.5'/>\n"
    "<limit lower='-1' upper='1.5' effort='40' velocity='6'/>\n<dynamics damping='0.7' friction='0.3'/>\n</joint>\n"
    "<joint name='plate' type='fixed'>\n<parent link='upper'/>\n<child link='cover'/>\n"
    "<origin xyz='0.04 0 -0.1' rpy='0 1.2 0'/>\n</joint>\n"
    "<joint name='elbow' type='continuous'>\n<parent link='upper'/>\n<child link='lower'/>\n"
    "<origin xyz='0 0 -0.3'/>\n<axis xyz='1 0 0'/>\n</joint>\n</robot>\n";

typedef struct Drill {
  const char *name, *text;
  bool urdf;
} Drill;

static const Drill DRILLS[] = {{"mujoco", MUJOCO, false}, {"urdf", ROBOT, true}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { TOLD = BODY_SUMS, GOOD, SUMS };
static const char *const NAMES[SUMS] = {BODY_SUM_NAMES, "told", "good"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.030936689006, -0.39246002512, 0.015039297686, -0.0085185009871, 0.011689115126, 0.00024543429582,
     0.017225231655, -0.025225961149},
    {-0.017781088661, -0.91297322546, 0.027970210048, -0.0090233323512, 0.0047308554258, -0.005972582431,
     -0.012817758003, 0.00154320756},
};

typedef enum Edit { MISSING, NO_NUMBER, OTHER, OPPOSITE, NONE, FEWER, MORE, EDITS } Edit;

// A text of which one span is another.
static void put_edited(TextBuffer *text, const char *whole, const char *from, const char *to, const char *other) {
  text_print(text, "%.*s%s%s", (int)(from - whole), whole, other, to);
}

// The value of an attribute as an edit makes it; false: the edit has no meaning here.
static bool edit_value(const char *value, int length, Edit edit, char *other, size_t size) {
  const char *last = value + length;
  while (last > value && last[-1] != ' ')
    last--;
  char *end;
  const double first = strtod(value, &end);
  const bool number = end > value;
  if (edit == NO_NUMBER)
    snprintf(other, size, "x");
  else if (edit == OTHER && number)
    snprintf(other, size, "%.9g%.*s", 1.25 * first, (int)(value + length - end), end);
  else if (edit == OPPOSITE && number)
    snprintf(other, size, "%.*s%.9g", (int)(last - value), value, -1.5 * strtod(last, NULL));
  else if (edit == NONE && number)
    snprintf(other, size, "0%.*s", (int)(value + length - end), end);
  else if (edit == FEWER && last > value)
    snprintf(other, size, "%.*s", (int)(last - value - 1), value);
  else if (edit == MORE)
    snprintf(other, size, "%.*s 1", length, value);
  else
    return false;
  return true;
}

static bool look(const Drill *drill, const char *text, DrillSum sums[SUMS]) {
  char notes[4096] = "";
  Error error = {0};
  BodyDef *body = drill->urdf ? read_robot(text, notes, &error) : read_as_is(text, notes, &error);
  if (body)
    drill_add_body(body, sums);
  drill_add(&sums[TOLD], (double)(text_digest(notes) % 1000) / 1000);
  drill_add(&sums[TOLD], (double)(text_digest(error.text) % 1000) / 1000);
  drill_add(&sums[GOOD], body != NULL);
  body_free(body);
  return body != NULL;
}

static void edit_attribute(const Drill *drill, const char *name, const char *value, const char *end,
                           DrillSum sums[SUMS]) {
  for (int edit = 0; edit < EDITS; edit++) {
    TextBuffer text = {0};
    char other[100];
    if (edit == MISSING)
      put_edited(&text, drill->text, name, end + 1, "");
    else if (edit_value(value, (int)(end - value), (Edit)edit, other, sizeof other))
      put_edited(&text, drill->text, value, end, other);
    if (text.bytes)
      look(drill, text.bytes, sums);
    text_free(&text);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  DrillSum sums[SUMS] = {{0}};
  if (!look(drill, drill->text, sums))
    fail_msg("%s is no model", drill->name);
  for (const char *at = strchr(drill->text, '='); at; at = strchr(at + 1, '=')) {
    const char *name = at, *end = strchr(at + 2, '\'');
    while (name[-1] != ' ')
      name--;
    edit_attribute(drill, name, at + 2, end, sums);
  }
  for (const char *line = drill->text; *line != '\0'; line = strchr(line, '\n') + 1) {
    const char *end = strchr(line, '\n');
    if (end[-2] != '/')
      continue;
    TextBuffer text = {0};
    put_edited(&text, drill->text, line, end, "");
    look(drill, text.bytes, sums);
    text_free(&text);
  }
  for (int k = 0; k < SUMS; k++)
    means[k] = sums[k].sum / (double)sums[GOOD].count;
}

static void edits_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edits_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
