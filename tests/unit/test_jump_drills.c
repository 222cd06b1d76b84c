// What jumps of many kinds come to: from a stand and on the way, up and down ledges, over gaps, over blocks. To nine
// digits.
#include "sim/base/text_buffer.h"
#include "tests/unit/drill.h"
#include "tests/unit/small_scene.h"

typedef struct Drill {
  const char *name, *world, *character; // YAML: terrain; more of the character
} Drill;

#define CLIPS "animation: {move: clips/walk.yaml, stand: clips/idle_breathe.yaml, jump: clips/jump.yaml}"
#define FEET ", layers: [{kind: foot_placement}]"

static const Drill DRILLS[] = {
    {"short", "", CLIPS ", intent: {speed: 0}, script: [{time: 0.1, jump: {distance: 0.2}}]"},
    {"far", "", CLIPS ", intent: {speed: 0}, script: [{time: 0.3, jump: {distance: 1.5, rise: 0.1}}]"},
    {"up", "platforms: [{name: ledge, size: [3, 0.3, 4], center: [0, 0.15, 2.6]}]",
     CLIPS ", intent: {speed: 0}, script: [{time: 0.2, jump: {distance: 0.9, rise: 0.1}}]"},
    {"high", "platforms: [{name: ledge, size: [3, 0.5, 4], center: [0, 0.25, 2.25]}]",
     CLIPS ", intent: {speed: 0}, script: [{time: 0.2, jump: {distance: 0.55}}]"},
    {"down", "platforms: [{name: ledge, size: [3, 0.8, 4], center: [0, 0.4, -1.7]}]",
     "start: {position: [0, 0.8, 0]}, " CLIPS ", intent: {speed: 0}, script: [{time: 0.2, jump: {distance: 1}}]"},
    {"on the way", "terrain: {kind: noise, amplitude: 0.03}",
     CLIPS FEET ", intent: {speed: 1.2}, script: [{time: 0.5, heading: 15}, {time: 0.9, jump: {distance: 0.9}}]"},
    {"aside", "terrain: {kind: blocks, amplitude: 0.03}",
     CLIPS FEET
     ", intent: {speed: 0.9}, script: [{time: 0.8, heading: -40, jump: {distance: 0.7, rise: 0.15}}, {time: 2.2, "
     "jump: {distance: 0.5}}]"},
    {"kerb", "terrain: {kind: kerb, start: 1.5, rise: 0.2, cell: 0.1}",
     CLIPS FEET ", intent: {speed: 1}, script: [{time: 0.6, jump: {distance: 0.9}}]"},
    {"gap at a run", "terrain: {kind: gap, start: 1.8, length: 0.9, cell: 0.1}",
     "animation: {graph: graphs/human.yaml, jump: clips/jump.yaml}" FEET ", root: {jump: 1.4}, intent: {speed: 3}"},
    {"gap at the feet", "terrain: {kind: gap, start: 0.55, length: 0.6, cell: 0.05}",
     CLIPS FEET ", root: {jump: 1.2}, intent: {speed: 1}"},
    {"off a ledge", "platforms: [{name: ledge, size: [3, 0.8, 4], center: [0, 0.4, -1.7]}]",
     "start: {position: [0, 0.8, 0]}, " CLIPS ", intent: {speed: 1.4}"},
    {"off a ledge without weight", "platforms: [{name: ledge, size: [3, 0.8, 4], center: [0, 0.4, -1.7]}]",
     "start: {position: [0, 0.8, 0]}, " CLIPS ", intent: {speed: 1.4}"},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { ROOT, POSE, PLANS, TIMES, SUMS };
static const char *const NAMES[SUMS] = {"root", "pose", "plans", "times"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.081533334985, -0.30172193075, -0.38668726281, 0.17462067909},
    {-0.49469638547, -0.90654235936, -0.34012907996, 0.14730368313},
    {-0.39463249351, -0.68367586022, -0.34806625692, 0.16917114671},
    {-0.29802893121, -0.46892851408, -0.36872984644, 0.14730368313},
    {-0.14431496146, -0.36095077159, -0.31958537484, 0.037833192844},
    {-0.6736219722, -1.4325770124, -0.29329237586, 0.17825695612},
    {-0.67843278943, -1.1131380442, -0.55585213232, 0.14329785761},
    {-0.73383007058, -1.2271111389, -0.60272123902, 0.17800209525},
    {-1.2238996844, -1.9194875532, -0.6784629176, 0.1626993989},
    {-0.57474306742, -1.0618925193, -0.44696644329, 0.16288526512},
    {-0.65021168588, -1.4275983164, -0.39631688912, 0.0033720999299},
    {-1.5053486775, -2.5447453091, 0.24305604232, -0.90407214202},
};

// Without weight nobody falls.
static bool is_weightless(const Drill *drill) { return strstr(drill->name, "without weight") != NULL; }

static SceneDef *read_drill(const Drill *drill) {
  TextBuffer text = {0};
  FileSet files = {0};
  text_print(&text,
             "seed: 4\nduration: 3.2\nworld: {dt: 1/120%s}\n%s\ncharacters:\n  - {name: man, body: bodies/human.yaml, "
             "drive: {kinematic: true}, %s}\n",
             is_weightless(drill) ? ", gravity: [0, 0, 0]" : "", drill->world, drill->character);
  SceneDef *def = shipped_def("drill", text.bytes, &files);
  text_free(&text);
  return def;
}

static void add(const Character *c, double means[SUMS], long steps) {
  DrillSum sums[SUMS] = {{0}};
  drill_add_all(&sums[ROOT], c->root.position, 3);
  drill_add_all(&sums[ROOT], c->root.velocity, 3);
  drill_add(&sums[ROOT], c->root.heading);
  drill_add_floats(&sums[POSE], c->target.position[0].raw, 3);
  for (int i = 0; i < c->target.count; i++)
    drill_add_floats(&sums[POSE], c->target.rotation[i].raw, 4);
  for (int i = 0; i < c->def->body->skeleton.leg_count; i++) {
    const FootPlan *plan = &c->foot_plans[i];
    const double plans[] = {plan->known,      plan->on_ground,  plan->standing,    plan->progress, plan->time_left,
                            plan->landing[0], plan->landing[1], plan->landing_yaw, plan->heel,     plan->toe};
    drill_add_all(&sums[PLANS], plans, sizeof plans / sizeof *plans);
  }
  const double times[] = {c->jump.active, c->jump.active ? c->jump.time : 0, c->root.airborne};
  drill_add_all(&sums[TIMES], times, 3);
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum / (double)steps;
}

static void run(const Drill *drill, double means[SUMS]) {
  SceneDef *def = read_drill(drill);
  Scene *scene = small_scene(def);
  bool jumped = false;
  for (long i = 0; i < def->step_count; i++) {
    assert_true(scene_step(scene));
    add(scene->characters[0], means, def->step_count);
    jumped = jumped || scene->characters[0]->root.airborne;
  }
  if (!jumped && !is_weightless(drill))
    fail_msg("%s: does not jump", drill->name);
  scene_destroy(scene);
  scene_def_free(def);
}

static void jumps_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(jumps_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
