// What the layers that look, aim, trail and step come to on bodies that are moved and bent at random, toward goals that
// jump: means over all steps to nine digits. They change with any figure, limit or sign of a layer.
#include "anim/layers/layer_kinds.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drawn_drill.h"

typedef struct Drill {
  const char *name, *body, *kind, *yaml;
  TerrainKind ground;
  double dt, bends, speed; // s, rad of the animation's joints, m/s
} Drill;

static const Drill DRILLS[] = {
    {"look", "human", "look_at",
     "{target: t, chain: [{joint: chest, weight: 0.3}, {joint: head, weight: 0.7}], eyes: [0, 0.15, 0.09]}",
     TERRAIN_FLAT, 1.0 / 120, 0.3, 1.5},
    {"look with limits", "human", "look_at",
     "{target: t, yaw_limit: 70, pitch_limit: 30, rate_limit: 90, damp_seconds: 0.05,"
     " chain: [{joint: abdomen, weight: 1, yaw_limit: 8, pitch_limit: 3}, {joint: chest, weight: 1, yaw_limit: 15}, "
     "head]}",
     TERRAIN_FLAT, 1.0 / 60, 0.2, 1},
    {"look ahead, added", "winged", "look_at",
     "{additive: true, chain: [neck_1, neck_2, head], distance: 3, height: 1, forward: [0, 0.3, 1]}", TERRAIN_FLAT,
     1.0 / 60, 0.3, 2},
    {"aim", "human", "arm_aim", "{target: t}", TERRAIN_FLAT, 1.0 / 120, 0.4, 1},
    {"aim in a cone", "human", "arm_aim",
     "{target: t, through_point: false, reach: 0.8, rate_limit: 200, damp_seconds: 0.05, arms: [{upper_arm: "
     "upper_arm_l,"
     " forearm: forearm_l, hand: hand_l, pole: [0, -1, 0], cone_axis: [0.5, -0.2, 1], cone_angle: 60},"
     " {upper_arm: upper_arm_r, forearm: forearm_r, hand: hand_r, elbow: free, weight: 0.6}]}",
     TERRAIN_FLAT, 1.0 / 60, 0.4, 1},
    {"aim in a direction", "human", "arm_aim", "{direction: [1, 0.2, -0.5]}", TERRAIN_FLAT, 1.0 / 60, 0.8, 1},
    {"tail", "winged", "trailing", "{damp_seconds: 0.15, chain: {from: tail_1, to: tail_2}}", TERRAIN_FLAT, 1.0 / 120,
     0.2, 3},
    {"limbs", "human", "trailing",
     "{damp_seconds: 0.1, angle_limit: 40, whip: 0, gravity: 9, distance: [0.9, 1.1], joints: [upper_arm_l,"
     " {joint: forearm_l, angle_limit: 10, damp_seconds: 0.3}, {joint: head, rest_offset: [0, 0.2, 0.1]}]}",
     TERRAIN_FLAT, 1.0 / 60, 0.3, 3},
    {"wide limbs", "human", "trailing",
     "{angle_limit: 160, whip: 0.5, joints: [abdomen, chest, upper_arm_r, forearm_r]}", TERRAIN_FLAT, 1.0 / 60, 0.3, 5},
    {"lizard", "lizard", "stepper", "{}", TERRAIN_NOISE, 1.0 / 120, 0.02, 0.6},
    {"lizard in a hurry", "lizard", "stepper",
     "{step_time: 0.2, lift: 2, escape: 1.2, keep_up: 0.3, bob: 2, sink: 0.4, sway: [2, 1, 1], bend: 2, lead_time: 0.3,"
     " groups: [[front_left, hind_right], [front_right, hind_left]], spine: [chest], knee: free}",
     TERRAIN_BLOCKS, 1.0 / 60, 0.02, 1.5},
    {"spider", "spider", "stepper",
     "{rest: bind, slope: 0.5, slope_limit: 10, steepest: 20, together: 0.4, settle: 0.6}", TERRAIN_SLOPE, 1.0 / 60,
     0.02, 0.5},
    {"two legs", "human", "stepper", "{angle_limit: 10, scale: 0.2, ray_up: 0.5, ray_down: 1}", TERRAIN_STAIRS,
     1.0 / 60, 0.05, 1},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { POSE, ROOT, CHANNELS, DRAWN, SUMS };
enum { STEPS = 1500 };
static const char *const NAMES[SUMS] = {"pose", "root", "channels", "drawn"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.57805788706, -0.21129796531, -1.0809005291, -0.36109504724},
    {0.5767605661, -0.2112979518, -1.0854305921, -0.67984214629},
    {0.612024335, -0.147265772, -0.93688061003, -4.0997995295},
    {0.47468493875, -0.21129794857, 0.26489642877, 6.7478340424},
    {0.73308621925, -0.21129794494, -0.42389898858, 2.4381148223},
    {0.67545960475, -0.21129795603, -0.293763231, 1.3614772162},
    {0.78005788255, -0.15638450734, -0.081927895046, -3.5740659535},
    {0.25534645293, -0.21129797517, 0.27753395914, 15.061571832},
    {0.96644369437, -0.21129795396, -1.0212189442, 7.5156258233},
    {0.25611360808, -0.048733631183, 0.91231631854, 68.059134579},
    {0.97069400893, -0.048501308939, 1.1684616833, 68.390288541},
    {0.24829324181, -0.047894115966, -0.30780597251, 131.83620826},
    {0.52241442314, -0.17249593631, -1.2551414369, 30.129173292},
};

// A layer on a body that goes about.
typedef struct Course {
  const Drill *drill;
  const LayerKind *kind;
  void *def, *state;
  LayerStep step;
  Pose animation, pose;
  double targets[2][3], phase[SKELETON_MAX_JOINTS], turn_rate, velocity[2]; // velocity: m/s to the left, ahead
  Rng rng;
} Course;

static void read_layer(Course *course, const Skeleton *skeleton) {
  Error error = {0};
  Document document = {.root = NULL};
  const Drill *drill = course->drill;
  course->kind = layer_kind_find(drill->kind);
  course->def = calloc(1, course->kind->def_size);
  course->state = calloc(1, course->kind->state_size);
  assert_true(course->def && course->state && document_parse(&document, drill->name, drill->yaml, &error));
  param_defaults(course->kind->params, course->def);
  if (!param_read(course->kind->params, course->def, document.root, course->kind->other_keys, &error) ||
      !course->kind->read(course->def, document.root, skeleton, &error))
    fail_msg("%s: %s", drill->name, error.text);
  document_free(&document);
  if (course->kind->target_offset > 0 && strstr(drill->yaml, "target:"))
    *(int *)(void *)((char *)course->def + course->kind->target_offset) = 1;
}

// Goes on by one step; now and then it turns, and the goal jumps: far, near, above, behind.
static void move(Course *course, int number, double time) {
  LayerStep *step = &course->step;
  const Drill *drill = course->drill;
  Rng *rng = &course->rng;
  if (number % 40 == 0) {
    course->velocity[0] = rng_range(rng, -0.3, 0.3) * drill->speed;
    course->velocity[1] = rng_range(rng, -0.3, 1) * drill->speed;
    if (rng_index(rng, 4) == 0)
      course->velocity[0] = course->velocity[1] = 0;
    course->turn_rate = rng_index(rng, 2) ? rng_range(rng, -2, 2) : 0;
    step->wanted_heading = step->heading + rng_range(rng, -2, 2);
    step->look_yaw = rng_range(rng, -1.5, 1.5);
    step->look_pitch = rng_range(rng, -0.8, 0.8);
    double way[3];
    rng_direction(rng, way);
    const double far = rng_index(rng, 3) ? rng_range(rng, 1, 20) : 0.3;
    for (int k = 0; k < 3; k++)
      course->targets[1][k] = step->root_position[k] + (k == 1 ? 1.2 : 0) + far * way[k];
  }
  step->dt = number % 97 == 50 ? 0 : drill->dt;
  step->teleported = number % 400 == 399;
  step->turn_rate = course->turn_rate;
  step->heading += course->turn_rate * step->dt + (step->teleported ? 1.3 : 0);
  const double s = sin(step->heading), c = cos(step->heading);
  step->root_velocity[0] = c * course->velocity[0] + s * course->velocity[1];
  step->root_velocity[2] = c * course->velocity[1] - s * course->velocity[0];
  for (int k = 0; k < 3; k += 2)
    step->root_position[k] += step->root_velocity[k] * step->dt - (step->teleported ? 2 : 0);
  step->wanted_velocity[0] = step->root_velocity[0];
  step->wanted_velocity[1] = step->root_velocity[2];
  step->ground->height(step->ground->context, step->root_position[0], step->root_position[2], GROUND_HIGHEST,
                       &step->root_position[1], NULL);
  course->pose = pose_bind(step->skeleton);
  for (int i = 1; i < course->pose.count; i++) {
    const double angle = drill->bends * sin(3 * time + course->phase[i]);
    const vec3s turn = {{(float)angle, (float)(0.5 * angle), (float)(drill->bends * cos(2 * time + course->phase[i]))}};
    course->pose.rotation[i] = glms_quat_mul(course->pose.rotation[i], quat_exp(turn));
  }
  course->animation = course->pose;
  const vec3s place = {{(float)step->root_position[0], (float)step->root_position[1], (float)step->root_position[2]}};
  pose_transform(&course->pose, place, quat_exp((vec3s){{0, (float)step->heading, 0}}));
}

// The root is put elsewhere together with its body.
static void rebase(Course *course) {
  LayerStep *step = &course->step;
  const RootRebase way = {.pivot = {0.3, 0, -0.2}, .turn = 0.7, .shift = {1, 0, 2}};
  root_rebase_point(&way, step->root_position);
  root_rebase_point(&way, course->targets[1]);
  step->heading += way.turn;
  if (course->kind->rebase)
    course->kind->rebase(course->def, course->state, &way);
}

static void add(const Course *course, double means[SUMS]) {
  DrillSum sums[SUMS] = {{0}};
  const LayerStep *step = &course->step;
  for (int i = 0; i < course->pose.count; i++)
    drill_add_floats(&sums[POSE], course->pose.rotation[i].raw, 4);
  for (int k = 0; k < 3; k++)
    drill_add(&sums[ROOT], (double)course->pose.position[0].raw[k] - step->root_position[k]);
  const int rows = course->kind->rows(course->def);
  for (int c = 0; c < course->kind->channel_count; c++) {
    float values[4 * SKELETON_MAX_JOINTS] = {0};
    course->kind->record(course->def, course->state, c, values);
    drill_add_floats(&sums[CHANNELS], values, rows * course->kind->channels[c].width);
  }
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum / STEPS;
}

// Every tenth picture of the layer.
static void add_drawn(const Course *course, int number, double means[SUMS]) {
  static DebugDraw draw;
  DrillSum sum = {0};
  if (number % 10 != 0 || !course->kind->debug)
    return;
  debug_clear(&draw);
  course->kind->debug(course->def, course->state, &course->step, &draw);
  drill_add_drawn(&sum, &draw);
  means[DRAWN] += 10 * sum.sum / STEPS;
}

static void save_layer(Course *course, StateStream *stream) { course->kind->state(course->def, course->state, stream); }

static void renew(Course *course) {
  Course fresh = *course;
  fresh.state = calloc(1, course->kind->state_size);
  assert_non_null(fresh.state);
  DRILL_RENEW(course, &fresh, save_layer);
  free(course->state);
  course->state = fresh.state;
}

static void run(const Drill *drill, const Skeleton *skeleton, const Ground *ground, double means[SUMS]) {
  static Course course;
  FootPlan plans[SKELETON_MAX_LEGS] = {{0}};
  memset(&course, 0, sizeof course);
  course.drill = drill;
  course.rng = rng_make(11, drill->name);
  read_layer(&course, skeleton);
  for (int i = 0; i < skeleton->count; i++)
    course.phase[i] = rng_range(&course.rng, 0, 6);
  course.step = (LayerStep){.skeleton = skeleton,
                            .ground = ground,
                            .targets = (const double(*)[3])course.targets,
                            .target_count = 2,
                            .animation_m = &course.animation,
                            .pose_w = &course.pose,
                            .plans = strcmp(drill->kind, "stepper") == 0 ? plans : NULL};
  for (int i = 0; i < STEPS; i++) {
    if (i % 333 == 200)
      rebase(&course);
    move(&course, i, i * drill->dt);
    if (i == 0)
      course.kind->init(course.def, course.state, &course.step);
    course.kind->apply(course.def, course.state, &course.step);
    if (i % 250 == 125)
      renew(&course);
    add(&course, means);
    add_drawn(&course, i, means);
  }
  free(course.def);
  free(course.state);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    Error error = {0};
    FileSet files = {0};
    snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
    char path[64];
    snprintf(path, sizeof path, "bodies/%s.yaml", DRILLS[i].body);
    BodyDef *body = body_read(&files, path, &error);
    fixture_check(&error);
    TerrainDef def;
    param_defaults(&terrain_params, &def);
    def.kind = DRILLS[i].ground;
    def.pitch = 15;
    def.amplitude = 0.04;
    def.cell = 0.1;
    def.rise = 0.08;
    Terrain *terrain = terrain_create(&def, 3, &files, &error);
    fixture_check(&error);
    const Ground ground = terrain_ground(terrain);
    double means[SUMS] = {0};
    run(&DRILLS[i], &body->skeleton, &ground, means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
    terrain_destroy(terrain);
    body_free(body);
    files_free(&files);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
