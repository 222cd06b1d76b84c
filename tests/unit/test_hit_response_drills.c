// What responses to hits come to: of drawn responses their sizes, distances and metrics, and of men, lizards and dolls
// who are struck, while they stand, walk and run, all that is recorded beside the twin. To nine digits.
#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

#include "scenes/run/hit_response.h"
#include "sim/base/rng.h"

typedef struct Drill {
  const char *name, *text; // YAML
} Drill;

#define MAN "body: bodies/human.yaml, "
#define HIT(who, where, more) "events: [{character: " who ", part: " where ", time: 0.1, " more "}]\n"

static const Drill DRILLS[] = {
    {"a shin", "characters: [{name: a, " MAN "balance: {enabled: true}}]\n" HIT("a", "shin_l", "impulse: 12")},
    {"a chest", "characters: [{name: a, " MAN "balance: {enabled: true}, responses: {enabled: true}}]\n" HIT(
                    "a", "chest", "kind: push, impulse: 40, direction: 60")},
    {"a head of two",
     "characters: [{name: b, " MAN "start: {position: [3, 0, 0]}}, {name: a, " MAN
     "animation: {move: clips/run.yaml}, intent: {speed: 3}, start: {heading: 130}, assist: {enabled: true}}]\n" HIT(
         "a", "head", "kind: projectile, mass: 0.5, speed: 12, distance: 1")},
    {"a runner",
     "characters: [{name: a, " MAN "animation: {move: clips/run.yaml}, intent: {speed: 3.5}, assist: {enabled: true, "
     "force: 800}, start: {heading: -50}}]\n" HIT("a", "thigh_r",
                                                  "kind: push, impulse: 30, direction: 90, duration: 0.05")},
    {"a lizard",
     "characters: [{name: a, body: bodies/lizard.yaml, layers: [{kind: stepper}], intent: {speed: 0.4}}]\n" HIT(
         "a", "chest", "impulse: 2, direction: -80")},
    {"a doll", "characters: [{name: a, body: boxes.yaml}]\n" HIT("a", "top", "impulse: 3")},
    {"nobody", "characters: [{name: a, " MAN "balance: {enabled: true}}]\n"},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { ROTATIONS, ONSETS, PARTS, WHO, METRICS, SUMS };
static const char *const NAMES[SUMS] = {"rotations", "onsets", "parts", "who", "metrics"};
static const double OUTCOMES[DRILL_COUNT + 1][SUMS] = {
    {0.00054571473695, -0.37463247291, -0.0092367980607, 17.654033485, 1.9269090579},
    {-0.3838202912, -0.4441524249, -0.11488385616, 26.815641417, 4.9354318325},
    {0.38239535773, 1.6159453412, -0.089873363185, 24.997770702, 8.0528303842},
    {0.26963882051, 1.6239577496, -0.040629064296, 19.46534773, 0.93048182752},
    {0.0069603797268, -1.1619587251, 1.5319577802, 23.204026058, -0.38813931766},
    {2.0440118586, -0.56034474923, 1.5319577802, 27.861515376, -0.28259749016},
    {0, 0, 0, 1.8008305584, 1.4296801716},
    {-0.15309897029, -0.41486663292, 0.36752209507, 25.832116893, 6.9164646251},
};

static double known(double value) { return isnan(value) ? -1 : isinf(value) ? -2 : value; }

static void add_metrics(const MetricsHitResponse *m, DrillSum *sum) {
  double values[sizeof *m / sizeof(double)];
  memcpy(values, m, sizeof *m);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    drill_add(sum, known(values[i]));
}

static void add_response(const HitResponse *response, DrillSum sums[SUMS]) {
  const double who[] = {response->frame_count, response->time,        response->character,
                        response->part,        response->joint_count, response->head_joint};
  drill_add_all(&sums[WHO], who, 6);
  for (int i = 0; i < response->joint_count; i++) {
    drill_add(&sums[ONSETS], known(response->torque_onset[i]));
    drill_add(&sums[ONSETS], known(response->command_onset[i]));
    drill_add(&sums[WHO], response->leg_joint[i] + 2 * response->struck_leg[i]);
  }
  for (int f = 0; f < response->frame_count; f++) {
    for (int i = 0; i < response->joint_count; i++)
      drill_add_floats(&sums[ROTATIONS], response->rotation[f][i], 3);
    drill_add(&sums[PARTS], known((double)response->trunk[f]));
    drill_add(&sums[PARTS], known((double)response->head[f]));
  }
  const MetricsHitResponse metrics = hit_response_metrics(response);
  add_metrics(&metrics, &sums[METRICS]);
}

static void run(const Drill *drill, double means[SUMS]) {
  static HitResponse response;
  FileSet files = {0};
  Error error = {0};
  DrillSum sums[SUMS] = {{0}};
  char text[1000];
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  snprintf(text, sizeof text, "seed: 5\nduration: 1\nworld: {dt: 1/200}\n%s", drill->text);
  SceneDef *def = shipped_def(drill->name, text, &files);
  Scene *scene = small_scene(def);
  HitResponseWatch *watch = hit_response_watch(def, &response, &error);
  assert_non_null(watch);
  for (long i = 0; i < def->step_count; i++) {
    assert_true(scene_step(scene));
    hit_response_step(watch, scene);
  }
  hit_response_end(watch);
  add_response(&response, sums);
  for (int k = 0; k < SUMS; k++)
    means[k] = sums[k].sum;
  scene_destroy(scene);
  scene_def_free(def);
}

static double draw_onset(Rng *rng) { return rng_index(rng, 3) ? rng_unit(rng) : (double)NAN; }

static void draw_response(HitResponse *response, Rng *rng) {
  *response = (HitResponse){.frame_count = rng_index(rng, 4) ? HIT_RESPONSE_FRAMES : rng_index(rng, 40),
                            .joint_count = 1 + rng_index(rng, 6),
                            .pressure_shift = draw_onset(rng),
                            .pressure_onset = draw_onset(rng),
                            .placement = {draw_onset(rng), draw_onset(rng)},
                            .removed = {draw_onset(rng), draw_onset(rng)}};
  response->head_joint = rng_index(rng, response->joint_count) - 1;
  for (int i = 0; i < response->joint_count; i++) {
    response->torque_onset[i] = i > 0 ? draw_onset(rng) : (double)NAN;
    response->command_onset[i] = i > 0 ? draw_onset(rng) : (double)NAN;
    response->leg_joint[i] = rng_index(rng, 2);
    response->struck_leg[i] = rng_index(rng, 2);
  }
  const bool human = rng_index(rng, 2), still = rng_index(rng, 5) == 0;
  for (int f = 0; f < response->frame_count; f++) {
    for (int i = 0; i < response->joint_count; i++)
      for (int k = 0; k < 3; k++)
        response->rotation[f][i][k] = still ? 0 : (float)rng_range(rng, -1, 1);
    response->trunk[f] = !human ? (float)NAN : still ? 0 : (float)rng_unit(rng);
    response->head[f] = !human ? (float)NAN : (float)rng_unit(rng);
  }
}

static void run_drawn(double means[SUMS]) {
  enum { DRAWS = 1000 };
  static HitResponse responses[2];
  Rng rng = rng_make(1, "drawn responses");
  for (int n = 0; n < DRAWS; n++) {
    DrillSum sums[SUMS] = {{0}};
    for (int i = 0; i < 2; i++)
      draw_response(&responses[i], &rng);
    if (rng_index(&rng, 2)) {
      responses[1].frame_count = responses[0].frame_count;
      responses[1].joint_count = responses[0].joint_count;
    }
    add_response(&responses[0], sums);
    const ResponseFrames a = hit_response_frames(&responses[0]), b = hit_response_frames(&responses[1]);
    drill_add(&sums[METRICS], known(response_size(&a)));
    drill_add(&sums[METRICS], known(response_distance(&a, &b)));
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / DRAWS;
  }
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i <= DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    if (i < DRILL_COUNT)
      run(&DRILLS[i], means);
    else
      run_drawn(means);
    wrong += !drill_is_kept(i < DRILL_COUNT ? DRILLS[i].name : "drawn", NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
