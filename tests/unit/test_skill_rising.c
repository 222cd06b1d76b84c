// Trials in which getting up is learnt: they begin as a fall has left the pupil, or in the middle of the clip, with
// help that fades; and trials of going that begin after it.
#include "tests/unit/skill_fixture.h"

#include "ragdoll/character/character_fall.h"
#include "scenes/train/skill_task.h"
#include "sim/base/numbers.h"
#include "sim/world/ode_net.h"

#define FALLEN                                                                                                         \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - name: man\n"                                                                                                    \
  "    body: bodies/human.yaml\n"                                                                                      \
  "    balance: {enabled: true}\n"                                                                                     \
  "    assist: {enabled: true, force: 0, torque: 0}\n"                                                                 \
  "    fall: {prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml, force: 600, torque: 150}\n"

// A man who stands and gets up by the skills that come with Stagger.
#define RISEN                                                                                                          \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - name: man\n"                                                                                                    \
  "    body: bodies/human.yaml\n"                                                                                      \
  "    animation: {move: clips/walk.yaml, stand: clips/idle.yaml}\n"                                                   \
  "    skill: [skills/stand.yaml, skills/get_up.yaml]\n"                                                               \
  "    fall: {prone: clips/get_up_supine.yaml, supine: clips/get_up_supine.yaml, match_rate: 300, patience: 1.5}\n"

typedef struct Work {
  SceneDef *scene;
  SkillDef *skill;
  SkillReward reward;
  SkillStage stage;
  SkillTask task;
} Work;

// One copy of the scene, in a stage with a share of trials that begin with a fall, and of help.
static void begin(Work *work, double beginning, double assist) {
  Error error = {0};
  *work = (Work){.scene = read_scene_text(FALLEN)};
  assert_true(ode_prepare());
  work->skill = make_skill(work->scene, "get_up_supine", "rate: 30", 0.02);
  param_defaults(&skill_reward_params, &work->reward);
  param_defaults(&skill_stage_params, &work->stage);
  work->stage.beginning = beginning;
  work->stage.assist = assist;
  work->stage.noise = 0;
  skill_task_init(&work->task, work->scene, work->skill, &work->reward, 1, 4, &error);
  fixture_check(&error);
  skill_task_begin(&work->task, 0, &work->stage, &error);
  fixture_check(&error);
}

static void end(Work *work) {
  assert_false(work->task.broken);
  skill_task_free(&work->task);
  scene_skill_free(work->skill);
  scene_def_free(work->scene);
}

static Character *pupil(const Work *work) { return work->task.trials[0].scene->characters[0]; }

// Decides by the network until the trial ends, or so many times. Returns the sum of the rewards.
static double decide(Work *work, int decisions, float inputs[]) {
  double sum = 0;
  SkillOutcome outcome = {0};
  for (int i = 0; i < decisions && !outcome.ended; i++) {
    float outputs[SKILL_MAX_ACTIONS];
    skill_network_run(&work->skill->network, inputs, outputs);
    outcome = skill_task_step(&work->task, 0, outputs, inputs);
    sum += (double)outcome.reward;
  }
  return sum;
}

static void test_begins_on_the_ground(void **state) {
  (void)state;
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  begin(&work, 1, 0);
  for (int i = 0; i < 3; i++) {
    skill_task_reset(&work.task, 0, inputs);
    const Character *character = pupil(&work);
    assert_int_equal(character->fall.machine.state, FALL_RISING);
    assert_ptr_equal(character->fall.entry.clip, work.skill->clip);
    assert_ptr_equal(character->skill.active, work.skill);
    assert_true((double)character->sensed.pose.position[0].y < 0.3); // m
    assert_int_equal(work.task.trials[0].kept_count, i + 1);
  }
  end(&work);
}

// The pupil is where the clip is, and moves as it does.
static void test_begins_in_the_middle(void **state) {
  (void)state;
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  begin(&work, 0, 0);
  double lowest = HUGE_VAL, highest = 0;
  for (int i = 0; i < 12; i++) {
    skill_task_reset(&work.task, 0, inputs);
    const Character *character = pupil(&work);
    const SkillTable *table = &work.skill->table;
    for (int k = 0; k < table->axis_count; k++)
      assert_true(fabsf(inputs[table->error_at + k]) < 1e-3f);
    for (int k = 0; k < 3; k++)
      assert_true(fabsf(inputs[SKILL_TILT + k]) < 1e-3f);
    lowest = fmin(lowest, (double)character->fall.clip_time);
    highest = fmax(highest, (double)character->fall.clip_time);
  }
  assert_true(highest - lowest > 0.5 * (double)work.skill->clip->duration);
  assert_int_equal(work.task.trials[0].kept_count, SKILL_MOST_KEPT);
  end(&work);
}

// The hand never gives more than its share of the scene's limits, and nothing without a share.
static void test_help_has_its_limits(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Work work;
    float inputs[SKILL_MAX_INPUTS];
    begin(&work, 1, k == 0 ? 0 : 0.5);
    skill_task_reset(&work.task, 0, inputs);
    double most = 0;
    for (int i = 0; i < 20 && pupil(&work)->skill.active; i++) {
      decide(&work, 1, inputs);
      const double *f = pupil(&work)->assist.force_w;
      most = fmax(most, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
    }
    if (k == 0)
      assert_true(most == 0);
    else
      assert_true(most > 100 && most < 300.1); // N
    end(&work);
  }
}

// Fades or grows after some trials, of which a share of those that began lying has failed.
static void fade(SkillTask *task, int rises, double failed) {
  task->trials[0].ends = rises;
  task->trials[0].failures = (int)(rises * failed);
  skill_task_fade(task);
}

static void test_help_fades(void **state) {
  (void)state;
  SkillTrial trial = {0};
  SkillTask task = {.assist = 1, .stage = {.assist = 1}, .trials = &trial, .trial_count = 1};
  fade(&task, 40, 0.35); // neither few nor many fail
  assert_true(task.assist == 1);
  fade(&task, 10, 0); // too few to tell: they count later
  assert_true(task.assist == 1 && trial.ends == 10);
  fade(&task, 40, 0.1);
  assert_true(task.assist < 1 && task.assist > 0.9);
  assert_int_equal(trial.ends, 0);
  double before = task.assist;
  fade(&task, 40, 0.9);
  assert_true(task.assist > before && task.assist <= 1);
  for (int i = 0; i < 200; i++)
    fade(&task, 40, 0.1);
  assert_true(task.assist == 0);
  fade(&task, 40, 0.9); // what was learnt without help stays without
  assert_true(task.assist == 0);
}

// By how much, from which share of failures on, and from how many tries of all trials together.
static void test_how_help_fades(void **state) {
  (void)state;
  static const struct {
    int ends, failures; // of 3 trials together
    double from, to;
  } cases[] = {
      {19, 0, 0.5, 0.5},                 // too few
      {20, 0, 0.5, 0.95 * 0.5 - 0.005},  // few fail
      {99, 29, 0.5, 0.95 * 0.5 - 0.005}, // less than 0.3
      {99, 30, 0.5, 0.5},                // more than that
      {99, 49, 0.5, 0.5},                // less than half
      {99, 50, 0.5, 0.5 * 1.03},         // more than that
      {99, 99, 0.79, 0.8},               // the stage's at most
      {99, 0, 0.005, 0},                 // and nothing at least
      {30, 9, 0.5, 0.5},
      {30, 15, 0.5, 0.5}, // the limits themselves
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SkillTrial trials[3] = {
        {.ends = cases[i].ends / 2, .failures = cases[i].failures / 2},
        {.ends = 0},
        {.ends = cases[i].ends - cases[i].ends / 2, .failures = cases[i].failures - cases[i].failures / 2}};
    SkillTask task = {.assist = cases[i].from, .stage = {.assist = 0.8}, .trials = trials, .trial_count = 3};
    skill_task_fade(&task);
    assert_true(fabs(task.assist - cases[i].to) < 1e-12);
    const int left = trials[0].ends + trials[1].ends + trials[2].ends;
    assert_int_equal(left, cases[i].ends < 20 ? cases[i].ends : 0);
    assert_true(cases[i].ends < 20 || trials[0].failures + trials[2].failures == 0);
  }
}

// What counts for the help are trials that began lying, and whether they failed.
static void test_what_counts_for_the_help(void **state) {
  (void)state;
  for (int lies = 0; lies < 2; lies++) {
    Work work;
    float inputs[SKILL_MAX_INPUTS];
    begin(&work, lies, 0);
    skill_task_reset(&work.task, 0, inputs);
    pupil(&work)->drive.def.strength = 0.02;
    decide(&work, 360, inputs);
    assert_int_equal(work.task.trials[0].ends, lies);
    assert_int_equal(work.task.trials[0].failures, lies);
    end(&work);
  }
}

// The clip waits for a body that cannot follow it; after a while that begins anew, and the trial has failed.
static void test_who_does_not_follow_has_failed(void **state) {
  (void)state;
  Work work;
  float inputs[SKILL_MAX_INPUTS], outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, 1, 0);
  skill_task_reset(&work.task, 0, inputs);
  pupil(&work)->drive.def.strength = 0.02;
  SkillOutcome outcome = {0};
  double latest = 0;
  for (int i = 0; i < 360 && !outcome.ended; i++) {
    outcome = skill_task_step(&work.task, 0, outputs, inputs);
    latest = fmax(latest, (double)pupil(&work)->fall.clip_time);
  }
  assert_true(outcome.ended && outcome.failed);
  assert_true(latest < 0.6 * (double)work.skill->clip->duration);
  assert_int_equal(pupil(&work)->fall.machine.tries, 1);
  end(&work);
}

// Whether a try has failed when the pupil, in the middle of the clip, is suddenly that much lower than its target.
static bool fails_below(float lower) {
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, 0, 0);
  work.skill->params.rate = 240; // a decision for each step
  do
    skill_task_reset(&work.task, 0, inputs);
  while (pupil(&work)->sensed.pose.position[0].y < 0.6f);
  Character *character = pupil(&work);
  Pose lowered = character->sensed.pose;
  lowered.position[0].y += -inputs[SKILL_HEIGHT] - lower;
  ragdoll_set_pose(character->ragdoll, &lowered, &lowered, work.task.trials[0].scene->world->def.dt);
  const SkillOutcome outcome = skill_task_step(&work.task, 0, outputs, inputs);
  assert_true(fabs((double)(inputs[SKILL_HEIGHT] + lower)) < 0.01);
  assert_int_equal(outcome.ended, outcome.failed);
  end(&work);
  return outcome.failed;
}

// Getting up has failed when the pelvis is 25 cm lower than its target.
static void test_who_lags_has_failed(void **state) {
  (void)state;
  assert_false(fails_below(0.23f));
  assert_true(fails_below(0.27f));
}

// Whether a try has failed when the pupil is suddenly turned away from its target, about the vertical: on the ground,
// or when the target's pelvis is off it.
static bool fails_turned(double angle, bool on_ground) {
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, 0, 0);
  work.skill->params.rate = 240; // a decision for each step
  do
    skill_task_reset(&work.task, 0, inputs);
  while (character_fall_on_ground(pupil(&work)) != on_ground);
  Character *character = pupil(&work);
  Pose turned = character->sensed.pose;
  turned.position[0].y += 0.5f; // where nothing is touched
  turned.rotation[0] = glms_quat_mul(quat_exp((vec3s){{0, (float)angle, 0}}), turned.rotation[0]);
  ragdoll_set_pose(character->ragdoll, &turned, &turned, work.task.trials[0].scene->world->def.dt);
  const SkillOutcome outcome = skill_task_step(&work.task, 0, outputs, inputs);
  assert_true(fabs(fabs((double)inputs[SKILL_TILT + 1]) - fabs(angle)) < 0.03);
  assert_int_equal(outcome.ended, outcome.failed);
  end(&work);
  return outcome.failed;
}

// Getting up has failed when the pelvis, off the ground, is turned away from its target by 1.3 rad; who rolls over on
// the ground may be turned more.
static void test_who_is_turned_away_has_failed(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_false(fails_turned(sign * 1.25, false));
    assert_true(fails_turned(sign * 1.35, false));
    assert_false(fails_turned(sign * 1.35, true));
  }
}

// A stage after another begins with falls of its own.
static void test_stage_after_stage(void **state) {
  (void)state;
  Work work;
  Error error = {0};
  float inputs[SKILL_MAX_INPUTS];
  begin(&work, 1, 0);
  for (int stage = 0; stage < 3; stage++) {
    assert_true(stage == 0 || skill_task_begin(&work.task, stage, &work.stage, &error));
    assert_int_equal(work.task.trials[0].kept_count, 0);
    for (int i = 0; i < 2; i++)
      skill_task_reset(&work.task, 0, inputs);
    assert_int_equal(work.task.trials[0].kept_count, 2);
  }
  end(&work);
}

// Help or not, the place where it gets up comes to the body: no hand draws a body that leads itself to a place.
static void test_help_holds_no_place(void **state) {
  (void)state;
  for (int helped = 0; helped < 2; helped++) {
    Work work;
    float inputs[SKILL_MAX_INPUTS];
    begin(&work, 1, helped);
    skill_task_reset(&work.task, 0, inputs);
    Character *character = pupil(&work);
    character_fall_rise_at(character, 0.55); // on hands and knees
    decide(&work, 1, inputs);
    double before = (double)character->sensed.pose.position[0].x;
    character->root.position[0] += 0.3; // m
    decide(&work, 10, inputs);
    assert_int_equal(character->fall.machine.state, FALL_RISING);
    double is = (double)character->sensed.pose.position[0].x;
    assert_true(fabs(is - before) < 0.1);
    assert_true(fabs((double)character->target.position[0].x - is) < 0.05);
    end(&work);
  }
}

// Who learns to walk begins where he has got up by the skill for that, and is to set off: he was down, and is not.
static void test_begins_after_getting_up(void **state) {
  (void)state;
  Error error = {0};
  Work work = {.scene = read_scene_text(RISEN)};
  float inputs[SKILL_MAX_INPUTS];
  work.skill = make_skill(work.scene, "walk", "rate: 30, mirror: true, speed: [0.6, 1.8]", 0);
  param_defaults(&skill_reward_params, &work.reward);
  param_defaults(&skill_stage_params, &work.stage);
  work.stage.risen = 1;
  work.stage.push[0] = work.stage.push[1] = 200; // N s
  work.stage.speed[0] = 0.8, work.stage.speed[1] = 1.2;
  work.stage.noise = 0;
  skill_task_init(&work.task, work.scene, work.skill, &work.reward, 1, 5, &error);
  fixture_check(&error);
  skill_task_begin(&work.task, 0, &work.stage, &error);
  fixture_check(&error);
  for (int i = 0; i < SKILL_MOST_KEPT + 2; i++) {
    skill_task_reset(&work.task, 0, inputs);
    const Character *character = pupil(&work);
    assert_true(!character->down && character->fall.machine.reason == FALL_STANDING);
    assert_true(character->intent.speed >= 0.8 && character->intent.speed <= 1.2);
    assert_true((double)character->sensed.pose.position[0].y > 0.7); // m
    assert_true(work.task.trials[0].kept_count == i + 1 || i >= SKILL_MOST_KEPT);
    decide(&work, 1, inputs);
    assert_ptr_equal(character->skill.active, work.skill);
  }
  end(&work);
}

// Saved in the middle and restored in a task that has done other things, the trial and those after it are the same.
static void test_restored_in_the_middle(void **state) {
  (void)state;
  Work work, other;
  Error error = {0};
  float inputs[SKILL_MAX_INPUTS], seen[SKILL_MAX_INPUTS], elsewhere[SKILL_MAX_INPUTS];
  begin(&work, 0.5, 0.5);
  begin(&other, 0.5, 0.2);
  skill_task_reset(&work.task, 0, inputs);
  skill_task_reset(&work.task, 0, inputs);
  skill_task_reset(&other.task, 0, elsewhere);
  decide(&work, 3, inputs);
  StateStream count = state_stream_count();
  skill_task_state(&work.task, 0, &count);
  void *bytes = malloc(count.at);
  StateStream save = state_stream_save(bytes, count.at, &error);
  skill_task_state(&work.task, 0, &save);
  fixture_check(&error);
  memcpy(seen, inputs, sizeof seen);
  StateStream restore = state_stream_restore(bytes, count.at, &error);
  skill_task_state(&other.task, 0, &restore);
  fixture_check(&error);
  other.task.assist = work.task.assist;
  assert_true(decide(&work, 30, inputs) == decide(&other, 30, seen));
  for (int i = 0; i < 3; i++) {
    skill_task_reset(&work.task, 0, inputs);
    skill_task_reset(&other.task, 0, seen);
    assert_memory_equal(inputs, seen, sizeof *seen * (size_t)work.skill->table.input_count);
  }
  free(bytes);
  end(&work);
  end(&other);
}

// Every second copy has a slope, and it is under the pupil from the start: he does not fall on level ground before it.
static void test_falls_on_slopes(void **state) {
  (void)state;
  Error error = {0};
  Work work = {.scene = read_scene_text(FALLEN)};
  assert_true(ode_prepare());
  work.skill = make_skill(work.scene, "get_up_supine", "rate: 30", 0.02);
  param_defaults(&skill_reward_params, &work.reward);
  param_defaults(&skill_stage_params, &work.stage);
  work.stage.slope[0] = 9;
  work.stage.slope[1] = 11;
  work.stage.noise = 0;
  skill_task_init(&work.task, work.scene, work.skill, &work.reward, 2, 4, &error);
  skill_task_begin(&work.task, 0, &work.stage, &error);
  fixture_check(&error);
  for (int i = 0; i < 2; i++) {
    const Character *man = work.task.trials[i].scene->characters[0];
    double height[3], at[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    for (int k = 0; k < 3; k++)
      assert_true(man->ground.height(man->ground.context, at[k][0], at[k][1], 1000, &height[k], NULL));
    double steep = atan(hypot(height[1] - height[0], height[2] - height[0])) / RAD_PER_DEGREE;
    assert_true(i == 0 ? steep == 0 : steep > 8.5 && steep < 11.5);
  }
  for (int k = 0; k < 6;
       k++) { // a body on its target is neither too high nor too low there, though its root is elsewhere
    float inputs[SKILL_MAX_INPUTS];
    work.task.stage.beginning = 0;
    skill_task_reset(&work.task, 1, inputs);
    assert_true(fabsf(inputs[SKILL_HEIGHT]) < 0.02f); // m
  }
  end(&work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_begins_on_the_ground),   cmocka_unit_test(test_begins_in_the_middle),
      cmocka_unit_test(test_help_has_its_limits),    cmocka_unit_test(test_help_fades),
      cmocka_unit_test(test_how_help_fades),         cmocka_unit_test(test_begins_after_getting_up),
      cmocka_unit_test(test_restored_in_the_middle), cmocka_unit_test(test_who_does_not_follow_has_failed),
      cmocka_unit_test(test_help_holds_no_place),    cmocka_unit_test(test_what_counts_for_the_help),
      cmocka_unit_test(test_who_lags_has_failed),    cmocka_unit_test(test_who_is_turned_away_has_failed),
      cmocka_unit_test(test_stage_after_stage),      cmocka_unit_test(test_falls_on_slopes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
