// What drawn trainings come to, decision by decision: rewards and their terms, inputs, ends of trials, help that fades
// and hits that grow, for one who runs and one who walks on slopes. To nine digits.
#include "tests/unit/skill_fixture.h"

#include "scenes/train/skill_task.h"
#include "sim/world/ode_net.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name, *scene, *clip, *control; // YAML
  SkillStage stage;
  double light, steps, shortfall, calm; // of the reward
  double actions;                       // size of the weights of the network that acts
} Drill;

#define BUMPY                                                                                                          \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "terrain: {kind: noise, amplitude: 0.05, wavelength: 0.8, cell: 0.1, x: [-12, 12], z: [-5, 60]}\n"

#define STAGE(...)                                                                                                     \
  {                                                                                                                    \
    .episode = 3, .friction = {0.6, 1}, .strength = {0.8, 1.1}, .mass = {0.9, 1.1}, .push = {120, 220},                \
    .impulse = {2, 15}, .every = {0.05, 0.2}, .beginning = 0.3, .noise = 0.4, __VA_ARGS__                              \
  }

static const Drill DRILLS[] = {
    {"runs",
     BUMPY
     "characters:\n  - {name: runner, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: "
     "3.5}}\n",
     "run", "rate: 30, mirror: true, speed: [2.5, 4.5]",
     STAGE(.speed = {2.5, 4.5}, .turning = 0.5, .hits = 0.75, .roughness = 1, .pacing = 0.5, .feet = 0.3, .growth = 1),
     0.3, 0.1, 0, 0, 0.05},
    {"walks on a slope, with delay",
     BUMPY
     "characters:\n  - {name: walker, body: bodies/human.yaml, animation: {move: clips/walk.yaml}, intent: {speed: "
     "1.2}}\n",
     "walk", "rate: 40, speed: [0.8, 1.8]",
     STAGE(.speed = {0.8, 1.8}, .slope = {-8, 8}, .delay = {0, 0.03}, .hits = 0.5, .push_time = {0.05, 0.2},
           .pelvis = 0.5, .growth = 0.2, .start_speed = 0.5, .deviation = {0, 1}),
     0, 0, 2, 0.2, 0.2},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS, TRIALS = 4 };

enum { REWARDS, TERMS, INPUTS, STATES, SUMS };
static const char *const NAMES[SUMS] = {"rewards", "terms", "inputs", "states"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.41388815943, -220.94978657, -0.13035808919, -0.41379756199},
    {0.3063763939, -69.773706977, 0.39079189211, 0.23015346748},
};

static void begin(const Drill *drill, SkillTask *task, SceneDef **scene, SkillDef **skill) {
  Error error = {0};
  SkillReward reward;
  *scene = read_scene_text(drill->scene);
  *skill = make_skill(*scene, drill->clip, drill->control, drill->actions);
  param_defaults(&skill_reward_params, &reward);
  reward.light = drill->light;
  reward.steps = drill->steps;
  reward.shortfall = drill->shortfall;
  reward.calm = drill->calm;
  skill_task_init(task, *scene, *skill, &reward, TRIALS, 5, &error);
  fixture_check(&error);
  skill_task_begin(task, 0, &drill->stage, &error);
  fixture_check(&error);
}

static void decide(SkillTask *task, int trial, float inputs[], DrillSum sums[SUMS]) {
  float outputs[SKILL_MAX_ACTIONS];
  double terms[SKILL_TERMS];
  skill_network_run(&task->skill->network, inputs, outputs);
  const SkillOutcome outcome = skill_task_step(task, trial, outputs, inputs);
  drill_add(&sums[REWARDS], (double)outcome.reward);
  drill_add(&sums[REWARDS], outcome.ended + 2 * outcome.failed);
  if (outcome.ended)
    skill_task_reset(task, trial, inputs);
  drill_add_floats(&sums[INPUTS], inputs, task->skill->table.input_count);
  skill_task_terms(task, terms);
  for (int i = 0; i < SKILL_TERMS; i++)
    drill_add(&sums[TERMS], isfinite(terms[i]) ? terms[i] : -1);
  drill_add(&sums[STATES], task->assist);
  drill_add(&sums[STATES], task->hit_share);
  drill_add(&sums[STATES], task->trials[trial].time);
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { ROUNDS = 45 };
  SkillTask task;
  SceneDef *scene;
  SkillDef *skill;
  static float inputs[TRIALS][SKILL_MAX_INPUTS];
  begin(drill, &task, &scene, &skill);
  for (int i = 0; i < scene->characters[0].body->part_count; i++)
    means[STATES] += (double)task.part_weight[i] * cos(i);
  for (int i = 0; i < TRIALS; i++)
    skill_task_reset(&task, i, inputs[i]);
  for (int n = 0; n < ROUNDS; n++) {
    DrillSum sums[SUMS] = {{0}};
    for (int i = 0; i < TRIALS; i++)
      decide(&task, i, inputs[i], sums);
    if (n % 10 == 9) {
      skill_task_gather(&task);
      skill_task_fade(&task);
    }
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / ROUNDS;
  }
  assert_false(task.broken);
  skill_task_free(&task);
  scene_skill_free(skill);
  scene_def_free(scene);
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  assert_true(ode_prepare());
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
