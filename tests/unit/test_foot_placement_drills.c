// What walks over odd grounds come to: means over all steps of the placed pose and of its feet, to nine digits. They
// change with any figure of foot placement.
#include "tests/unit/drill.h"
#include "tests/unit/foot_placement_fixture.h"

#define DT (1.0 / 120) // s

typedef struct Drill {
  const char *name, *clip;
  double speed, turn, seconds; // m/s, rad/s, s
  Stage stage;
} Drill;

enum { ROOT_HEIGHT, LEFT_HEIGHT, RIGHT_HEIGHT, NUDGE, DIP, WEIGHT, TURN, REFUSED, POSE, SUMS };
static const char *const NAMES[SUMS] = {"root height", "left height", "right height", "nudge", "dip",
                                        "weight",      "turn",        "refusals",     "pose"};

static const Drill DRILLS[] = {
    {"level", "clips/walk.yaml", 1.3, 0, 2, {.pitch = 0}},
    {"uphill", "clips/walk.yaml", 1.2, 0, 3, {.pitch = 0.2}},
    {"downhill", "clips/walk.yaml", 1.2, 0, 3, {.pitch = -0.25}},
    {"across a slope", "clips/walk.yaml", 1.3, 0.2, 3, {.roll = 0.2, .pitch = 0.05}},
    {"waves", "clips/walk.yaml", 1.3, -0.3, 5, {.wave = 0.02}},
    {"rough", "clips/walk.yaml", 1.0, 0, 5, {.wave = 0.06}},
    {"a step up", "clips/walk.yaml", 1.1, 0, 4, {.step_at = 2, .step_rise = 0.2}},
    {"a step down", "clips/walk.yaml", 1.1, 0, 4, {.step_at = 2, .step_rise = -0.2}},
    {"a wall", "clips/walk.yaml", 1.1, 0, 3, {.step_at = 1.5, .step_rise = 0.7}},
    {"a beam", "clips/walk.yaml", 1.3, 0, 4, {.ridge_from = 1.9, .ridge_to = 2.05, .ridge_rise = 0.15}},
    {"a hole", "clips/walk.yaml", 1.3, 0, 4, {.hole_from = 1.9, .hole_to = 2.3}},
    {"a cliff", "clips/walk.yaml", 1.3, 0.1, 4, {.cliff_from = 1, .cliff_at = 0.03}},
    {"a ferry that turns", "clips/walk.yaml", 1.3, 0, 3, {.velocity = {0.3, 0.1, -0.2}, .turn_rate = 0.3}},
    {"a run over waves", "clips/run.yaml", 3.5, 0.3, 4, {.wave = 0.03, .pitch = 0.05}},
    {"a run up a step", "clips/run.yaml", 3.3, 0, 2, {.step_at = 3, .step_rise = 0.15}},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.90089495331, 0.12623327027, 0.12835085988, 0, 0, 2, -1.6387769398e-05, 0, 0.09677011469},
    {1.1861624744, 0.47227850573, 0.48754742175, 3.1572000593e-09, 0, 2, -2.8208048514e-05, 0, 0.43825396283},
    {0.31456459678, -0.32649104103, -0.31037246394, 6.1861036429e-09, 0, 2, -2.8208048514e-05, 0, 0.79401469173},
    {1.033126394, 0.29805922086, 0.28703368766, 1.7475006714e-07, 0, 2, -0.11857111673, 0, 0.27167358947},
    {0.84159850051, 0.12767552257, 0.13884067208, 8.3812459494e-05, 0, 2, 0.18282630126, 0, 0.11888246199},
    {0.79662860582, 0.15835339819, 0.12182722695, 4.5776336426e-06, 0.000299743332, 2, -2.5929260894e-05, 0,
     0.51299970939},
    {0.96754571473, 0.22137399971, 0.25007472035, 0, 0, 2, 5.5739211537e-06, 0, 0.31196041753},
    {0.73538537311, 0.04299741347, 0.019637998069, 1.4978811814e-18, 0, 2, 5.5739211537e-06, 0, 0.36037232371},
    {1.1328634186, 0.52125732319, 0.47422281218, 0.013853739089, 0, 1.8721064815, -1.2920293613e-05, 0.14444444444,
     0.60993212576},
    {0.87246938186, 0.13450612693, 0.1391636185, 0.00024961777392, 0, 2, -1.2228075281e-06, 0, 0.27604538091},
    {0.90019435671, 0.12261884032, 0.12910987735, 0, 0, 2, -1.2228075281e-06, 0, 0.084009536682},
    {0.89264679638, 0.12261968053, 0.12972785269, 0, 0, 0.78125, -0.19383787237, 1.2666666667, 0.25881691606},
    {0.87432194203, 0.13058987541, 0.13396213866, 0.0011369431256, 0, 2, 0.1444011033, 0, 0.29588899022},
    {1.0522016171, 0.5487739056, 0.5559672129, 0.0028007102598, 0, 2, -0.07289599953, 0, -0.14745824107},
    {0.89583489348, 0.30370931303, 0.32562276299, 0, 0, 2, 8.8209356072e-06, 0, -0.54237790306},
};

static Stroll stroll;
static Stage stage;

static void add(double sums[SUMS]) {
  double height[STROLL_LEGS];
  for (int i = 0; i < STROLL_LEGS; i++) {
    const PlacedFoot *foot = &stroll.placement.feet[i];
    const Leg *leg = &stroll.body->skeleton.legs[i];
    height[i] = (double)stroll.shown.position[leg->ankle].y;
    sums[NUDGE] += length3(foot->nudge);
    sums[DIP] += foot->dip;
    sums[WEIGHT] += foot->weight;
    sums[TURN] += foot->turn;
    sums[REFUSED] += foot->refusal != FOOT_NOT_REFUSED;
  }
  sums[ROOT_HEIGHT] += (double)stroll.pose.position[0].y;
  sums[LEFT_HEIGHT] += height[0];
  sums[RIGHT_HEIGHT] += height[1];
  sums[POSE] += drill_fold(&stroll.pose, &stroll.shown, stroll.step.root_position);
}

static void run(const Drill *drill, double sums[SUMS]) {
  stroll_load(&stroll, drill->clip);
  stage = drill->stage;
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  stroll.speed = drill->speed;
  stroll.turn_rate = drill->turn;
  stroll.drift[0] = stage.velocity[0];
  stroll.drift[1] = stage.velocity[2];
  stroll_start(&stroll, 0, 0, 0, 0);
  memset(sums, 0, SUMS * sizeof *sums);
  const int steps = (int)lround(drill->seconds / DT);
  for (int k = 0; k < steps; k++) {
    stroll_on(&stroll, DT);
    add(sums);
  }
  for (int i = 0; i < SUMS; i++)
    sums[i] /= steps;
  stroll_free(&stroll);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double sums[SUMS];
    run(&DRILLS[i], sums);
    const bool same = drill_matches(DRILLS[i].name, NAMES, sums, OUTCOMES[i], SUMS);
    if (!same) {
      printf("    ");
      drill_print(sums, SUMS);
      printf(",\n");
    }
    wrong += !same;
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
