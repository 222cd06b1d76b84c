// What drawn models of humans from MuJoCo come to: hips beside their legs, slanted and straddling legs, bent and raised
// arms, toes, joints of one to three hinges and what they are driven by. Bodies to nine digits, notes to the letter.
#include "tests/unit/mjcf_fixture.h"

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/unit/body_drill.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name;
  double aside, slant, straddle, bend, raise; // m; deg: the most
  bool toes, damped, as_is, odd;              // odd: shoulders may be balls, elbows have no hinge, one or two
} Drill;

static const Drill DRILLS[] = {
    {"straight", 0, 0, 0, 0, 0, false, false, false, false},
    {"hips beside their legs", 0.22, 0, 0, 0, 0, false, true, false, false},
    {"hips nearly over their knees", 0.04, 0, 0, 0, 0, false, false, false, false},
    {"slanted legs", 0.04, 8, 2, 0, 0, true, false, false, false},
    {"legs that straddle", 0.01, 2, 45, 0, 0, true, true, false, false},
    {"bent elbows", 0, 0, 0, 50, 8, false, true, false, false},
    {"raised arms", 0, 0, 0, 8, 120, false, false, false, false},
    {"all of it", 0.1, 5, 12, 30, 90, true, true, false, false},
    {"as it is", 0.1, 5, 12, 30, 90, true, true, true, false},
    {"other arms", 0, 0, 0, 30, 90, false, false, false, true},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { NOTES = BODY_SUMS, SUMS };
static const char *const NAMES[SUMS] = {BODY_SUM_NAMES, "notes"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {72.29888038, 30.347624831, -1.343250163, -4.7599521474, 0.39546141937, -4.3856715566, 0.37612144887},
    {72.406031755, 30.397145054, -1.1276078688, -4.7639666789, 0.37651107058, -4.4630390458, 0.27373192693},
    {72.069139069, 30.311963309, -1.4615294703, -4.0343027358, 0.36943640315, -4.4353320341, 0.28731410473},
    {71.920190319, 30.612806281, -0.87105982783, -3.5159817275, 0.74162520872, -4.4532842184, 0.27035451277},
    {72.355523496, 30.559504262, -1.1001404443, -4.9871393211, 0.72329031635, -4.473310769, 0.32701426138},
    {72.423516788, 30.116535589, -2.5254082063, -4.261162245, 0.45473751761, -4.3570691909, 0.25264898884},
    {71.809080114, 30.665486526, -0.66779471791, -2.2714082749, 0.49271144617, -4.5173421168, 0.38682350049},
    {71.822676553, 30.57108049, -1.8069871848, -1.294362286, 0.45627930292, -4.5655238201, 0.29780895303},
    {71.74810314, 30.67402901, -2.0084957202, -1.2159140504, 0.42413520668, -4.5867992826, 0.34169461679},
    {49.154286592, 30.618224057, -1.3454107009, -3.5946567595, 0.17348019389, -4.1420426828, 0.26316455747},
};

// One to three hinges at a place, about the axes from `first` on.
static void add_hinges(TextBuffer *text, const char *name, int first, int count, Rng *rng, bool damped) {
  static const char *const axes[3] = {"0 1 0", "1 0 0", "0 0 1"};
  for (int i = 0; i < count; i++) {
    const double low = -rng_range(rng, 20, 90), high = rng_range(rng, 20, 140);
    text_print(text, "<joint name='%s_%d' axis='%s' range='%.4g %.4g'", name, i, axes[(first + i) % 3], low, high);
    if (damped)
      text_print(text, " damping='%.3g' stiffness='%.3g' armature='%.3g'", rng_range(rng, 0, 5), rng_range(rng, 0, 20),
                 rng_index(rng, 2) ? 0 : rng_range(rng, 0.001, 0.2));
    text_print(text, "/>");
  }
}

static void open_part(TextBuffer *text, const char *name, char side, double x, double y, double z) {
  text_print(text, "<body name='%s_%c' pos='%.5g %.5g %.5g'>", name, side, x, y, z);
}

// x is ahead, y to the left and z up.
static void add_leg(TextBuffer *text, const Drill *drill, char side, double offsets[2], double angles[2], Rng *rng) {
  const double sign = side == 'l' ? 1 : -1, along = angles[0] * RAD_PER_DEGREE, across = angles[1] * RAD_PER_DEGREE;
  open_part(text, "thigh", side, 0, 0.1 * sign, -0.05);
  add_hinges(text, side == 'l' ? "hip_l" : "hip_r", 0, 3, rng, drill->damped);
  const double x = 0.4 * sin(along) + offsets[0], y = sign * (0.4 * sin(across) + offsets[1]),
               z = -0.4 * cos(along) * cos(across);
  text_print(text, "<geom type='capsule' fromto='0 0 -.05 %.5g %.5g %.5g' size='.06'/>", 0.8 * x, 0.8 * y, 0.8 * z);
  open_part(text, "shin", side, x, y, z);
  add_hinges(text, side == 'l' ? "knee_l" : "knee_r", 0, 1, rng, drill->damped);
  const double down = -0.4 * cos(across), aside = sign * 0.4 * sin(across);
  text_print(text, "<geom type='capsule' fromto='0 0 -.05 0 %.5g %.5g' size='.045'/>", 0.8 * aside, 0.8 * down);
  open_part(text, "foot", side, 0, aside, down);
  add_hinges(text, side == 'l' ? "ankle_l" : "ankle_r", 0, 1 + rng_index(rng, 2), rng, drill->damped);
  text_print(text, "<geom type='box' pos='.04 0 -.04' size='.11 .04 .02' mass='%.3g'/>", rng_range(rng, 0.5, 2));
  if (drill->toes && rng_index(rng, 2))
    text_print(text,
               "<body name='toes_%c' pos='.15 0 -.04'><joint axis='0 1 0' range='-40 40'/>"
               "<geom type='box' pos='.03 0 0' size='.03 .04 .02'/></body>",
               side);
  text_print(text, "</body></body></body>\n");
}

static void add_arm(TextBuffer *text, const Drill *drill, char side, double raise, double bend, Rng *rng) {
  const double sign = side == 'l' ? 1 : -1, up = raise * RAD_PER_DEGREE, bent = bend * RAD_PER_DEGREE;
  open_part(text, "upper_arm", side, 0, 0.2 * sign, 0.4);
  if (drill->odd && rng_index(rng, 2))
    text_print(text, "<joint name='shoulder_%c' type='ball'/>", side);
  else
    add_hinges(text, side == 'l' ? "shoulder_l" : "shoulder_r", rng_index(rng, 3), 2 + rng_index(rng, 2), rng,
               drill->damped);
  const double y = 0.3 * sin(up) * sign, z = -0.3 * cos(up);
  text_print(text, "<geom type='capsule' fromto='0 0 0 0 %.5g %.5g' size='.04'/>", y, z);
  open_part(text, "forearm", side, 0, y, z);
  add_hinges(text, side == 'l' ? "elbow_l" : "elbow_r", 0, drill->odd ? rng_index(rng, 3) : 1, rng, drill->damped);
  const double ahead = 0.27 * sin(bent);
  text_print(text, "<geom type='capsule' fromto='0 0 0 %.5g %.5g %.5g' size='.03'/>", ahead, 0.9 * y * cos(bent),
             0.9 * z * cos(bent));
  open_part(text, "hand", side, ahead, 0.9 * y * cos(bent), 0.9 * z * cos(bent));
  text_print(text, "<geom type='sphere' pos='0 0 -.05' size='.05'/></body></body></body>\n");
}

// Motors of most joints, as torques or as servos.
static void add_motors(TextBuffer *text, Rng *rng) {
  static const char *const joints[] = {"hip_l_0",   "hip_l_1",      "hip_l_2",      "hip_r_0",      "hip_r_1",
                                       "hip_r_2",   "knee_l_0",     "knee_r_0",     "ankle_l_0",    "ankle_r_0",
                                       "elbow_l_0", "elbow_r_0",    "shoulder_l_0", "shoulder_l_1", "shoulder_r_0",
                                       "back_0",    "shoulder_r_1", "neck_0"};
  text_print(text, "<actuator>");
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
    if (rng_index(rng, 3) == 0)
      text_print(text, "<position joint='%s' kp='%.4g' forcerange='%.4g %.4g'/>", joints[i], rng_range(rng, 5, 300),
                 -rng_range(rng, 5, 150), rng_range(rng, 5, 150));
    else if (rng_index(rng, 4))
      text_print(text, "<motor joint='%s' gear='%.4g' ctrlrange='-1 %.4g'/>", joints[i], rng_range(rng, 5, 200),
                 rng_range(rng, 0.4, 1.5));
  text_print(text, "</actuator>");
}

static void write_man(TextBuffer *text, const Drill *drill, Rng *rng) {
  double offsets[2], angles[2];
  for (int k = 0; k < 2; k++)
    offsets[k] = rng_index(rng, 2) ? rng_range(rng, -1, 1) * drill->aside : 0;
  angles[0] = rng_range(rng, -1, 1) * drill->slant;
  angles[1] = rng_range(rng, 0, 1) * drill->straddle;
  const double raise = rng_range(rng, 0, 1) * drill->raise, bend = rng_range(rng, 0, 1) * drill->bend;
  const double facing = rng_index(rng, 3) ? 0 : rng_range(rng, -3, 3);
  text_print(text,
             "<mujoco><worldbody><body name='pelvis' quat='%.9g 0 0 %.9g'><freejoint/>"
             "<geom type='box' pos='0 0 .05' size='.1 .12 .1' mass='%.3g'/>\n",
             cos(facing / 2), sin(facing / 2), rng_range(rng, 6, 12));
  add_leg(text, drill, 'l', offsets, angles, rng);
  add_leg(text, drill, 'r', offsets, angles, rng);
  text_print(text, "<body name='chest' pos='0 0 .15'>");
  add_hinges(text, "back", 0, 1 + rng_index(rng, 3), rng, drill->damped);
  text_print(text, "<geom type='box' pos='0 0 .2' size='.1 .15 .2'/>\n");
  add_arm(text, drill, 'l', raise, bend, rng);
  add_arm(text, drill, 'r', raise, bend, rng);
  text_print(text, "<body name='head' pos='0 0 .45'>");
  add_hinges(text, "neck", 1, 1, rng, drill->damped);
  text_print(text, "<geom type='sphere' pos='0 0 .12' size='.1'/></body></body></body></worldbody>");
  if (drill->damped)
    add_motors(text, rng);
  text_print(text, "</mujoco>");
}

static void run(const Drill *drill, const BodyDef *human, double means[SUMS]) {
  enum { MODELS = 60 };
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < MODELS; n++) {
    TextBuffer text = {0};
    char notes[4096] = "";
    DrillSum sums[SUMS] = {{0}};
    Error error = {0};
    write_man(&text, drill, &rng);
    as_is = drill->as_is;
    BodyDef *body = read_model(text.bytes, strlen(text.bytes), human, notes, &error);
    as_is = false;
    if (body)
      drill_add_body(body, sums);
    drill_add(&sums[NOTES], (double)(text_digest(notes) % 1000) / 1000);
    drill_add(&sums[NOTES], (double)(text_digest(error.text) % 1000) / 1000);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / MODELS;
    body_free(body);
    text_free(&text);
  }
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  BodyDef *human = open_body("human");
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(&DRILLS[i], human, means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  body_free(human);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
