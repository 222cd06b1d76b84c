// What the functions of the leading root make of drawn roots, bodies and clips: where it goes, falls and rises, how far
// it waits for its body, and what clips add to it, to nine digits.
#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_root.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

enum { GONE, HEIGHTS, ADDED, FRAMES, TURNS, SUMS };
static const char *const NAMES[SUMS] = {"gone", "heights", "added", "frames", "turns"};

typedef struct Drill {
  const char *name;
  double drop, apart; // m: the most by which the ground lies lower, and by which the body is off
  bool airborne;
} Drill;

static const Drill DRILLS[] = {{"level", 0, 0.2, false},
                               {"over steps", 0.4, 0.3, false},
                               {"over cliffs", 3, 0.1, false},
                               {"in the air", 1, 0.2, true},
                               {"far from its body", 0.1, 3, false}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.2004632559, -0.16525293747, 0.92942578384, 0.22579677514, 0.2967975216},
    {-0.46472330901, -0.2325534746, 0.62070104786, 0.35453601283, 0.2030633639},
    {0.59022106986, -0.3504096739, 1.1140266943, 0.28814980144, 0.23056781279},
    {0.67966597043, -0.16746883239, 1.2102025012, 0.26288364457, 0.31156290144},
    {-0.78558852649, -0.33590624566, 1.0493655053, 1.9565516655, 0.21969036079},
};

static versors draw_turn(Rng *rng) {
  return quat_exp((vec3s){{(float)rng_range(rng, -1, 1), (float)rng_range(rng, -3, 3), (float)rng_range(rng, -1, 1)}});
}

static void draw(Character *character, const Drill *drill, Rng *rng) {
  RootState *root = &character->root;
  *root = (RootState){.heading = rng_range(rng, -4, 4),
                      .turn_rate = rng_range(rng, -2, 2),
                      .speed = {rng_range(rng, -1, 4), rng_range(rng, -0.5, 0.5)},
                      .airborne = drill->airborne};
  GraphOutput *graph = &character->play.graph;
  graph->root_motion.turn = rng_index(rng, 2) ? (float)rng_range(rng, -0.02, 0.02) : 0;
  graph->root_turn = (float)(rng_index(rng, 4) ? 0 : rng_range(rng, -3, 3));
  const bool shifts = rng_index(rng, 3);
  for (int k = 0; k < 3; k++) {
    root->position[k] = rng_range(rng, -5, 5);
    root->velocity[k] = rng_range(rng, -2, 2);
    const double off = drill->apart * rng_range(rng, -1, 1);
    character->target.position[0].raw[k] = (float)(root->position[k] + rng_range(rng, -0.1, 0.1));
    character->sensed.pose.position[0].raw[k] = (float)(root->position[k] + off);
    graph->root_motion.shift_l.raw[k] = shifts ? (float)rng_range(rng, -0.02, 0.02) : 0;
  }
  character->target.rotation[0] = draw_turn(rng);
}

static void go(const Character *character, const Drill *drill, Rng *rng, DrillSum sums[SUMS]) {
  const RootState *root = &character->root;
  RootMotion motion = character_root_rest(character);
  motion.heading += rng_range(rng, -3.5, 3.5);
  motion.speed[0] = root->speed[0];
  motion.speed[1] = root->speed[1];
  const RootStep step = {.before = *root,
                         .ground = root->position[1] - drill->drop * rng_range(rng, -0.1, 1),
                         .over_void = rng_index(rng, 8) == 0,
                         .dt = rng_index(rng, 2) ? 1.0 / 60 : 1.0 / 240};
  character_root_go(character, &step, &motion);
  drill_add_all(&sums[GONE], motion.position, 3);
  drill_add_all(&sums[GONE], motion.velocity, 3);
  drill_add(&sums[GONE], motion.turn_rate / 100);
  drill_add(&sums[GONE], motion.airborne);
  character_root_rise(character, step.ground, root->position[1] - 0.1, step.dt, &motion);
  drill_add(&sums[HEIGHTS], motion.position[1]);
  drill_add(&sums[HEIGHTS], motion.velocity[1] / 10);
}

static void add_clips(Character *character, Rng *rng, DrillSum sums[SUMS]) {
  const RootState *root = &character->root;
  double own[3];
  character_root_own_velocity(character, own);
  drill_add_all(&sums[ADDED], own, 3);
  character_root_add_clips(character, rng_index(rng, 5) ? 1.0 / 120 : 0);
  const double values[] = {root->heading, root->turn_rate, root->speed[0], root->speed[1]};
  drill_add_all(&sums[ADDED], values, 4);
  drill_add_all(&sums[ADDED], root->position, 3);
  drill_add_all(&sums[ADDED], root->velocity, 3);
}

static void add_frame(Character *character, Rng *rng, DrillSum sums[SUMS]) {
  drill_add(&sums[FRAMES], character_root_gap(character));
  Pose pose = character->target;
  character_root_frame(character, &pose);
  drill_add_floats(&sums[FRAMES], pose.position[0].raw, 3);
  drill_add_floats(&sums[FRAMES], pose.rotation[0].raw, 4);
  drill_add(&sums[TURNS], character_turn_between(draw_turn(rng), draw_turn(rng)));
  double velocity[2];
  character_root_velocity(character->root.heading, character->root.speed, velocity);
  drill_add_all(&sums[TURNS], velocity, 2);
}

static void run(const Drill *drill, Character *character, double means[SUMS]) {
  enum { COUNT = 400 };
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < COUNT; n++) {
    DrillSum sums[SUMS] = {{0}};
    draw(character, drill, &rng);
    go(character, drill, &rng, sums);
    add_frame(character, &rng, sums);
    add_clips(character, &rng, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / COUNT;
  }
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  SceneDef *def =
      small_def("characters: [{name: doll, body: boxes.yaml, root: {leash: 0.3, ground_smoothing: 0.1}}]\n");
  Scene *scene = small_scene(def);
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(&DRILLS[i], scene->characters[0], means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  scene_destroy(scene);
  scene_def_free(def);
  assert_int_equal(wrong, 0);
}

// Before its first step nobody knows where the ground carries the feet.
static void nothing_carries_before_the_first_step(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = small_def("characters: [{name: doll, body: boxes.yaml}]\n");
  CharacterMetrics *judged = character_metrics_create(&def->characters[0], &error);
  assert_non_null(judged);
  assert_true(isnan(judged->support_margin) && isnan(judged->pressure[0]) && isnan(judged->pressure[1]));
  character_metrics_destroy(judged);
  character_metrics_destroy(NULL);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(nothing_carries_before_the_first_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
