// What walks over odd grounds come to: means over all steps of the placed pose and of its feet, to nine digits. They
// change with any figure of foot placement.
#include "sim/terrain/terrain.h"
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

// Walks over terrains: m of their heights, and of their waves, blocks, stones or steps.
typedef struct Terrace {
  const char *name, *clip;
  double speed, turn; // m/s, rad/s
  TerrainKind kind;
  double height, length;
} Terrace;

static const Terrace TERRACES[] = {
    {"blocks", "clips/walk.yaml", 1.2, 0.25, TERRAIN_BLOCKS, 0.04, 0.2},
    {"small blocks", "clips/walk.yaml", 1, -0.2, TERRAIN_BLOCKS, 0.07, 0.09},
    {"stones", "clips/walk.yaml", 1.3, 0.1, TERRAIN_STONES, 0.5, 0.35},
    {"stairs", "clips/walk.yaml", 1.2, 0.05, TERRAIN_STAIRS, 0.15, 0.3},
    {"hills", "clips/run.yaml", 3, 0.4, TERRAIN_NOISE, 0.12, 0.6},
    {"backward over blocks", "clips/walk_backward.yaml", -1, 0.3, TERRAIN_BLOCKS, 0.05, 0.15},
    {"aside over hills", "clips/side_step_left.yaml", 0.1, 0.5, TERRAIN_NOISE, 0.1, 0.4},
};
enum { TERRACE_COUNT = sizeof TERRACES / sizeof *TERRACES };

static const double OUTCOMES[DRILL_COUNT + TERRACE_COUNT][SUMS] = {
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
    {0.80114186505, 0.14813445052, 0.13782541069, 0.00051559703078, 0.0035490749241, 2, -0.16535150705, 0,
     0.7911514768},
    {0.828472176, 0.1619384635, 0.18320652646, 0.00093986926453, 0.0029425337736, 2, 0.15599439138, 0, 0.29080950666},
    {0.64290298238, 0.11950517635, 0.13130423223, 0.00055569009585, 0, 2, -0.06094218138, 0, 0.92454550031},
    {1.756252391, 1.1172803512, 1.1259771609, 0.0010282182043, 0, 2, -0.033078576442, 0, 0.69261132314},
    {0.78566126883, 0.23858414109, 0.2458102119, 0.0010352164334, 0.0019163911304, 2, -0.11404678068, 0,
     -0.27142170892},
    {0.78494317055, 0.13763862237, 0.14829698267, 0.00011845821686, 0.0014103121797, 2, -0.18676427515, 0, 1.178600261},
    {0.84446125954, 0.077513545305, 0.095742275963, 0.0026985669676, 1.0004911428e-08, 2, -0.22730784621, 0,
     0.95450148186},
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

static Terrain *make_terrain(const Terrace *terrace) {
  Error error = {0};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = terrace->kind;
  def.amplitude = def.rise = def.depth = terrace->height;
  def.wavelength = def.run = def.size = terrace->length;
  def.spacing = 1.3 * terrace->length;
  def.jitter = 0.1 * terrace->length;
  def.start = 0.7;
  def.length = 4;
  def.cell = 0.03;
  def.x[0] = -6, def.x[1] = 6, def.z[0] = -6, def.z[1] = 12;
  Terrain *terrain = terrain_create(&def, 5, NULL, &error);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

// terrain: NULL, and the ground is the drill's stage.
static void run(const Drill *drill, const Terrain *terrain, double sums[SUMS]) {
  stroll_load(&stroll, drill->clip);
  stage = drill->stage;
  stroll.ground =
      terrain ? terrain_ground(terrain) : (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
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
  for (int i = 0; i < DRILL_COUNT + TERRACE_COUNT; i++) {
    double sums[SUMS];
    const Terrace *terrace = i < DRILL_COUNT ? NULL : &TERRACES[i - DRILL_COUNT];
    Terrain *terrain = terrace ? make_terrain(terrace) : NULL;
    const Drill drill =
        terrace ? (Drill){terrace->name, terrace->clip, terrace->speed, terrace->turn, 5, {.pitch = 0}} : DRILLS[i];
    run(&drill, terrain, sums);
    terrain_destroy(terrain);
    wrong += !drill_is_kept(drill.name, NAMES, sums, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
