// What characters come to who are led by drawn intents: roots, feet, graphs and layers on even and uneven ground, on
// platforms and in jumps; moved by their animation alone or, for a second, by their joints. To nine digits.
#include "ragdoll/character/character_metrics.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/drill.h"
#include "tests/unit/renewed_scene.h"

typedef struct Drill {
  const char *name, *world, *character; // YAML: terrain and platforms; of the character
  double seconds, speed, turns;         // s; m/s, deg: of the fastest intent, and of the largest turn
} Drill;

#define MAN "body: bodies/human.yaml, "
#define SHOWN_ALONE ", drive: {kinematic: true}"

static const Drill DRILLS[] = {
    {"clip", "terrain: {kind: flat}", MAN "animation: {move: clips/walk.yaml, stand: clips/idle.yaml}" SHOWN_ALONE, 6,
     1.8, 200},
    {"run on waves", "terrain: {kind: noise, amplitude: 0.1}",
     MAN "animation: {move: clips/run.yaml}, root: {acceleration: 3, turn_rate: 90}" SHOWN_ALONE, 5, 4, 200},
    {"graph", "terrain: {kind: slope, pitch: 8, start: -20}",
     MAN "animation: {graph: graphs/human.yaml}, layers: [{kind: foot_placement}]" SHOWN_ALONE, 8, 3.5, 200},
    {"stairs", "terrain: {kind: stairs, rise: 0.12, start: 0.5}",
     MAN "animation: {graph: graphs/locomotion.yaml}, layers: [{kind: foot_placement}, {kind: look_at, chain: [chest, "
         "head]}]" SHOWN_ALONE,
     5, 1.5, 60},
    {"biped", "terrain: {kind: blocks, amplitude: 0.03}", MAN "layers: [{kind: biped}]" SHOWN_ALONE, 6, 2.5, 200},
    {"ferry",
     "terrain: {kind: flat}\nplatforms: [{name: p, size: [6, 0.4, 6], center: [0, 0.2, 0], radius: 1, period: "
     "7, turn: 15}]",
     MAN "start: {position: [0.3, 0.4, 0.5]}, animation: {graph: graphs/human.yaml}, layers: [{kind: "
         "foot_placement}]" SHOWN_ALONE,
     5, 0.8, 200},
    {"gap", "terrain: {kind: gap, start: 1.6, length: 0.4, cell: 0.1}",
     MAN
     "root: {jump: 0.9}, animation: {move: clips/walk.yaml, stand: clips/idle.yaml, jump: clips/jump.yaml}" SHOWN_ALONE,
     6, 1.3, 3},
    {"cliff", "terrain: {kind: kerb, start: 1.5, rise: -0.5, cell: 0.1}",
     MAN "animation: {move: clips/walk.yaml, stand: clips/idle.yaml}" SHOWN_ALONE, 5, 1.5, 20},
    {"start and stop", "terrain: {kind: flat}", MAN "animation: {graph: graphs/start_stop.yaml}" SHOWN_ALONE, 5, 1.3,
     60},
    {"attack", "terrain: {kind: noise, amplitude: 0.02}",
     "body: bodies/lizard.yaml, animation: {graph: graphs/lizard_attack.yaml}, layers: [{kind: stepper, name: legs}, "
     "{kind: trailing, name: tail, chain: {from: tail_1, to: tail_2}}]" SHOWN_ALONE,
     6, 0.5, 90},
    {"planned", "terrain: {kind: flat}\nprops: [{name: a, size: [0.5, 2, 0.5], center: [0.2, 1, 2], fixed: true}]",
     MAN "planner: {def: planners/human.yaml, policy: planners/human_policy.yaml, goals: [[0, 4], [2, 1]]}" SHOWN_ALONE,
     6, 1, 0},
    {"skill", "terrain: {kind: flat}",
     MAN "animation: {move: clips/walk.yaml}, skill: skills/walk.yaml, intent: {speed: 1.2}", 1, 1.6, 40},
    {"body", "terrain: {kind: noise, amplitude: 0.03}",
     MAN "animation: {graph: graphs/human.yaml}, assist: {enabled: true, force: 600, torque: 150}", 1.2, 2.5, 200},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { ROOT, WANTED, TARGET, SHOWN, FEET, PLANS, METRICS, SUMS };
static const char *const NAMES[SUMS] = {"root", "wanted", "target", "shown", "feet", "plans", "metrics"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.7909995791, -6.0262206653, -1.0775972423, -1.0775972423, 0.50295719693, 1.6791750813, -0.48466487086},
    {-0.91988059142, 5.3134899874, 0.18403522929, 0.18403522929, 1.7032123663, 1.505681537, 1.1883170559},
    {2.8636859028, 39.221662616, -1.7673638003, -1.7673638003, -4.6758381502, 1.3870152352, 0.55619240605},
    {0.17252914821, 37.264913293, 0.10310104003, 0.10310104003, 0.6864971388, 1.1347962733, 0.63336283828},
    {-2.5671063003, 16.991284417, -0.47475461437, -0.47475461437, 0.010669755299, 1.3607704598, -0.12190136189},
    {-0.49051970764, 75.376854742, 0.56948308147, 0.56948308147, 1.2720723013, 1.1093974274, 0.48505887524},
    {-0.26488538896, -42.708466625, -0.9738785037, -0.9738785037, 0.32373832741, 1.6552113691, -0.20128666624},
    {-0.0069918402795, 21.667158971, 0.13693082452, 0.13693082452, 1.0959627795, 1.6663158921, 1.2796003133},
    {-0.91009450737, 13.459253597, -1.1231044345, -1.1231044345, 0.36084781179, 1.7332385584, 3.3338263981},
    {-0.53845982654, -12.209173259, 0.093933527158, 0.093933527158, -0.62685878944, -0.48559278279, -0.20512751547},
    {-1.5148011301, -27.346027, -2.4506429848, -2.4506429848, -3.0276484003, 1.0398078957, 1.7160318645},
    {-0.06815805398, -10.087359484, -0.8261935677, -0.83949044649, 0.74869701584, 1.290275028, 2.1349294742},
    {0.27586109814, 25.261669599, 0.0040261546429, 0.13230735923, 0.95806376385, 1.0657310956, 1.6533192993},
};

// A script that changes speed and heading three times in a second, now and then with an event or a look aside.
static void add_script(const Drill *drill, TextBuffer *text) {
  Rng rng = rng_make(1, drill->name);
  static const char *const events[] = {"punch", "turn_back", "land", "stumble", "attack"};
  text_print(text, "script: [");
  for (int i = 0; i < (int)(3 * drill->seconds); i++) {
    text_print(text, "%s{time: %.4g", i > 0 ? ", " : "", 0.1 + i / 3.0);
    const int kind = rng_index(&rng, 8);
    const double value = rng_range(&rng, -1, 1), most = rng_index(&rng, 4) ? drill->speed : 0;
    if (kind < 3)
      text_print(text, ", speed: %.4g", most * (value > -0.5 ? fabs(value) : 0.4 * value));
    else if (kind < 5)
      text_print(text, ", heading: %.4g", drill->turns * value);
    else if (kind == 5)
      text_print(text, ", strafe: %.4g", 0.3 * value);
    else if (kind == 6)
      text_print(text, ", look_yaw: %.4g, look_pitch: %.4g", 80 * value, -40 * value);
    else
      text_print(text, ", event: %s", events[rng_index(&rng, 5)]);
    text_print(text, "}");
  }
  text_print(text, "]");
}

static SceneDef *read_drill(const Drill *drill) {
  TextBuffer text = {0};
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  text_print(&text, "seed: 2\nduration: %g\nworld: {dt: 1/120}\n%s\ncharacters:\n  - {name: man, %s, ", drill->seconds,
             drill->world, drill->character);
  add_script(drill, &text);
  text_print(&text, "}\n");
  SceneDef *def = scene_def_from_text("drill.yaml", text.bytes, &files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s\n%s", error.text, text.bytes);
    exit(1);
  }
  text_free(&text);
  return def;
}

static void add_pose(DrillSum *sum, const Pose *pose) {
  drill_add_floats(sum, pose->position[0].raw, 3);
  for (int i = 0; i < pose->count; i++)
    drill_add_floats(sum, pose->rotation[i].raw, 4);
}

static void add(const Character *c, double means[SUMS], long steps) {
  assert_true(c->play.moving >= 0 && c->play.moving <= 1 && c->sensed.drag_time >= 0);
  DrillSum sums[SUMS] = {{0}};
  const double root[] = {c->root.heading, c->root.turn_rate, c->root.speed[0], c->root.speed[1]};
  drill_add_all(&sums[ROOT], c->root.position, 3);
  drill_add_all(&sums[ROOT], c->root.velocity, 3);
  drill_add_all(&sums[ROOT], root, 4);
  const double wanted[] = {c->intent.speed, c->intent.strafe, c->intent.heading, c->intent.look_yaw};
  drill_add_all(&sums[WANTED], wanted, 4);
  add_pose(&sums[TARGET], &c->target);
  add_pose(&sums[SHOWN], &c->shown.pose);
  for (int i = 0; i < c->def->body->skeleton.leg_count; i++) {
    const FootState *foot = &c->judged->feet[i];
    drill_add_all(&sums[FEET], foot->position, 3);
    const double state[] = {foot->ground_height, foot->clearance, foot->planted, foot->flat, (double)foot->phase};
    drill_add_all(&sums[FEET], state, 5);
    const FootPlan *plan = &c->foot_plans[i];
    const double plans[] = {plan->known, plan->standing, plan->progress, plan->known ? plan->time_left : 0,
                            plan->known ? (double)plan->refusal : 0};
    drill_add_all(&sums[PLANS], plans, 5);
  }
  for (int k = 0; k < METRICS; k++)
    means[k] += sums[k].sum / (double)steps;
}

static void run(const Drill *drill, double means[SUMS]) {
  SceneDef *def = read_drill(drill);
  Scene *scene = small_scene(def);
  for (long i = 0; i < def->step_count; i++) {
    if (i == def->step_count / 2)
      scene = renewed_scene(scene, def);
    assert_true(scene_step(scene));
    add(scene->characters[0], means, def->step_count);
  }
  const Character *character = scene->characters[0];
  scene_finish(scene);
  DrillSum metrics = {0};
  for (int i = 0; i < metric_row_count; i++) {
    double value = NAN;
    metrics_value(character->judged->metrics, metric_rows[i].name, &value);
    drill_add(&metrics, isnan(value) ? -1 : value / (1 + fabs(value)));
  }
  means[METRICS] = metrics.sum;
  scene_destroy(scene);
  scene_def_free(def);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++) {
    double means[SUMS] = {0};
    run(&DRILLS[i], means);
    wrong += !drill_is_kept(DRILLS[i].name, NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
