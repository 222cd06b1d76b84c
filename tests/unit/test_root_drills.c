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
    {"body",
     "terrain: {kind: noise, amplitude: 0.03}\nevents: [{kind: impulse, time: 0.4, character: man, part: chest, "
     "impulse: 15, "
     "direction: 100}, {kind: push, time: 0.8, character: man, part: pelvis, impulse: 20, duration: 0.1, direction: "
     "-30}]",
     MAN "animation: {graph: graphs/human.yaml}, assist: {enabled: true, force: 600, torque: 150}", 1.2, 2.5, 200},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { ROOT, WANTED, TARGET, SHOWN, FEET, PLANS, JUDGED, METRICS, SUMS };
static const char *const NAMES[SUMS] = {"root", "wanted", "target", "shown", "feet", "plans", "judged", "metrics"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.7909995791, -8.2552880788, -1.0844461855, -1.0844461855, 0.50295719693, 1.6791750813, -0.27395556371,
     -0.48448729209},
    {-0.91988059142, 0.25922503919, 0.21907766801, 0.21907766801, 1.7032123663, 1.505681537, 0.71848431417,
     1.1879409029},
    {2.8636859028, 37.732445806, -1.7695381158, -1.7695381158, -4.6758381502, 1.3870152352, -0.90122202865,
     0.55621006863},
    {0.17252914821, 41.360229629, 0.20827352534, 0.20827352534, 0.6864971388, 1.1347962733, -1.1497634283,
     0.63328830528},
    {-2.5671063003, 17.529563656, -0.4722721518, -0.4722721518, 0.010669755299, 1.3607704598, -0.6462428968,
     -0.12183310176},
    {-0.49051970764, 74.569234112, 0.56445588679, 0.56445588679, 1.2720723013, 1.1093974274, 0.11538704684,
     0.48523110867},
    {-0.26488538896, -46.838113862, -0.95263809469, -0.95263809469, 0.32373832741, 1.6552113691, -0.24161478959,
     -0.20118442309},
    {-0.0069918402795, 23.706611799, 0.18123309251, 0.18123309251, 1.0959627795, 1.6663158921, -0.61617895316,
     1.2790458406},
    {-0.91009450737, 12.681390401, -1.131206234, -1.131206234, 0.36084781179, 1.7332385584, 0.15405139289,
     3.3225641353},
    {-0.53845982654, -14.842641354, 0.075977153045, 0.075977153045, -0.62685878944, -0.48559278279, 0.83924186329,
     -0.20491658279},
    {-1.5148011301, -30.107868552, -2.4348656612, -2.4348656612, -3.0276484003, 1.0398078957, -0.36228812036,
     1.7161129049},
    {-0.067887093045, -11.169746892, -0.8329169709, -0.84706960912, 0.74975247129, 1.2902837984, -1.6545376439,
     2.1325258034},
    {0.27586109814, 27.76119686, 0.035718479895, 0.13469586208, 0.95528026694, 1.0657310939, -1.1760458179,
     2.3378911441},
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
      text_print(text, ", look_yaw: %.4g, look_pitch: %.4g", 88 * value, -60 * value);
    else
      text_print(text, ", event: %s", events[rng_index(&rng, 5)]);
    text_print(text, "}");
  }
  text_print(text, "]");
}

static SceneDef *read_drill(const Drill *drill) {
  TextBuffer text = {0};
  FileSet files = {0};
  text_print(&text, "seed: 2\nduration: %g\nworld: {dt: 1/120}\n%s\ncharacters:\n  - {name: man, %s, ", drill->seconds,
             drill->world, drill->character);
  add_script(drill, &text);
  text_print(&text, "}\n");
  SceneDef *def = shipped_def("drill", text.bytes, &files);
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
  const CharacterMetrics *judged = c->judged;
  const double seen[] = {judged->support_margin,  judged->pressure[0],      judged->pressure[1], c->play.moving,
                         c->play.look.goal_pitch, c->play.look.goal_yaw,    c->sensed.fallen,    c->sensed.com[0],
                         c->sensed.com[1],        c->sensed.com_velocity[1]};
  for (int i = 0; i < 10; i++)
    drill_add(&sums[JUDGED], isnan(seen[i]) ? -1 : seen[i]);
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
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
