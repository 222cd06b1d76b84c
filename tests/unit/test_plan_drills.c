// What planners come to who go to goals among pillars, steps, ledges and each other, and to goals that cannot be
// reached: what they sense, demand and decide, which way they take, and where they are. To nine digits.
#include "tests/unit/drill.h"
#include "tests/unit/renewed_scene.h"

typedef struct Drill {
  const char *name, *world, *goals[2]; // YAML; of one or two men
  double seconds;
} Drill;

static const Drill DRILLS[] = {
    {"among pillars",
     "props: [{name: a, size: [0.6, 2, 0.6], center: [0.2, 1, 3], fixed: true}, {name: b, size: [0.5, 2, 0.5], center: "
     "[-1.4, 1, 5], yaw: 30, fixed: true}, {name: c, shape: ball, size: [1, 1, 1], center: [1.3, 0.5, 5], fixed: "
     "true}]",
     {"[[0, 7], [3, 4]]", NULL},
     9},
    {"each other", "terrain: {kind: flat}", {"[[0, 8]]", "[[0, -1], [2, 0]]"}, 7},
    {"over steps and ledges",
     "terrain: {kind: kerb, start: 2, rise: 0.15, cell: 0.1}\nplatforms: [{name: high, size: [2, 0.6, 1], center: "
     "[0.5, 0.3, "
     "4]}, {name: low, size: [3, 0.2, 1], center: [-1, 0.15, 5.5]}, {name: roof, size: [3, 0.2, 3], center: [3, 2.4, "
     "3]}]",
     {"[[0, 7], [3, 3]]", NULL},
     9},
    {"no way",
     "platforms: [{name: n, size: [4, 1.5, 0.3], center: [0, 0.7, 5]}, {name: s, size: [4, 1.5, 0.3], center: [0, "
     "0.7, 2]}, {name: e, size: [0.3, 1.5, 3], center: [2, 0.7, 3.5]}, {name: w, size: [0.3, 1.5, 3], center: "
     "[-2, 0.7, 3.5]}]",
     {"[[0, 3.5], [3, 0]]", NULL},
     6},
    {"a way that opens",
     "platforms: [{name: n, size: [4, 1.5, 0.3], center: [0, 0.7, 5]}, {name: s, size: [4, 1.5, 0.3], center: [0, "
     "0.7, 2], path: [[0, 0, 0, 0], [1.5, 0, 0, 0], [2.5, 6, 0, 0], [20, 6, 0, 0]]}, {name: e, size: [0.3, 1.5, 3], "
     "center: [2, 0.7, 3.5]}, {name: w, size: [0.3, 1.5, 3], center: [-2, 0.7, 3.5]}]",
     {"[[0, 3.5], [3, 0]]", NULL},
     7},
    {"what moves slowly",
     "platforms: [{name: a, size: [2.5, 1.5, 0.4], center: [0.2, 0.75, 3], radius: 0.36, period: 30}, {name: b, size: "
     "[1.5, 1.5, 0.4], center: [-0.5, 0.75, 5.5], radius: 0.2, period: 30}]",
     {"[[0, 8]]", NULL},
     7},
    {"a wall that moves slowly",
     "platforms: [{name: a, size: [7, 1.5, 0.4], center: [0, 0.75, 3], radius: 0.36, period: 30}]",
     {"[[0, 6]]", NULL},
     5},
    {"a wall of the ground",
     "terrain: {kind: kerb, start: 0.12, rise: 0.5, cell: 0.1}",
     {"[[1, 6], [-2, 0]]", NULL},
     6},

};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { SENSED, DEMAND, DECISIONS, PLAN, TARGET, SUMS };
static const char *const NAMES[SUMS] = {"sensed", "demand", "decisions", "plan", "target"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {19.731087992, -0.37196173602, -15.138210645, 4.3345757209, -0.085296379352},
    {12.102791523, -1.6445414776, 16.092530173, 9.2758404374, -1.2204888535},
    {21.520884608, -0.4293299006, -15.285962539, 4.5813812611, -0.11680230117},
    {27.739447809, 2.7377497844, -9.650743211, -2.2732985362, -0.077534236248},
    {13.979662037, 0.032871934444, -12.500637622, 1.7551593882, -0.066319239137},
    {23.859791773, -0.6033538404, -14.079258913, 4.5437009194, -0.13933176249},
    {26.454595544, -0.73614305379, -11.534858372, 4.255081355, 0.10560490137},
    {16.167603101, -0.31908160603, -12.383127637, 2.8556346457, -0.14603065058},
};

#define PLANS "planner: {def: planners/human.yaml, policy: planners/human_policy.yaml, goals: "

static SceneDef *read_drill(const Drill *drill) {
  FileSet files = {0};
  char text[2500];
  size_t length = (size_t)snprintf(text, sizeof text, "seed: 2\nduration: %g\nworld: {dt: 1/60}\n%s\ncharacters:\n",
                                   drill->seconds, drill->world);
  for (int i = 0; i < 2 && drill->goals[i]; i++)
    length +=
        (size_t)snprintf(text + length, sizeof text - length,
                         "  - {name: m%d, body: bodies/human.yaml, drive: {kinematic: true}, start: {position: [%g, 0, "
                         "%g], heading: %d}, " PLANS "%s}}\n",
                         i, 0.3 * i, 7.0 * i, 170 * i, drill->goals[i]);
  return shipped_def(drill->name, text, &files);
}

static double told(double value) { return isfinite(value) ? value / (1 + 0.05 * fabs(value)) : -2; }

static void add(const Character *man, DrillSum sums[SUMS]) {
  const CharacterPlan *plan = &man->plan;
  const Planner *planner = &plan->planner;
  for (int i = 0; i < SENSE_INPUT_COUNT; i++)
    drill_add(&sums[SENSED], told(planner->inputs[i]));
  const double demand[] = {planner->demand_turn, planner->demand_speed, planner->blend, planner->first_pace,
                           planner->time,        planner->since,        planner->due};
  for (int i = 0; i < 7; i++)
    drill_add(&sums[DEMAND], told(demand[i]));
  const double decided[] = {planner->move, planner->state, planner->action, (double)planner->decisions,
                            (double)planner->unknown};
  for (int i = 0; i < 5; i++)
    drill_add(&sums[DECISIONS], told(decided[i]));
  const double values[] = {plan->fresh,   plan->detours,   plan->stuck,           plan->stuck_time,
                           plan->reached, plan->clearance, (double)plan->changes, man->root.heading};
  for (int i = 0; i < 8; i++)
    drill_add(&sums[PLAN], told(values[i]));
  drill_add_all(&sums[PLAN], man->root.position, 3);
  drill_add_all(&sums[PLAN], man->root.velocity, 3);
  for (int i = 0; i < man->target.count; i++)
    drill_add_floats(&sums[TARGET], man->target.rotation[i].raw, 4);
}

static void run(const Drill *drill, double means[SUMS]) {
  SceneDef *def = read_drill(drill);
  Scene *scene = small_scene(def);
  for (long i = 0; i < def->step_count; i++) {
    DrillSum sums[SUMS] = {{0}};
    if (i % 200 == 99)
      scene = renewed_scene(scene, def);
    assert_true(scene_step(scene));
    for (int c = 0; c < scene->character_count; c++)
      add(scene->characters[c], sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (double)def->step_count;
  }
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
