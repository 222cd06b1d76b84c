// The trials in which skills learn: random numbers, state, rewards, ends, hits and the keys of stages.
#include "tests/unit/skill_fixture.h"

#include "anim/mirror.h"
#include "scenes/train/skill_test.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"
#include "sim/world/ode_net.h"

enum { TRIALS = 4 };
#define BUMPY                                                                                                          \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "terrain: {kind: noise, amplitude: 0.05, wavelength: 0.8, cell: 0.1, x: [-12, 12], z: [-5, 60]}\n"                   \
  "characters:\n"                                                                                                      \
  "  - {name: runner, body: bodies/human.yaml, animation: {move: clips/run.yaml}, intent: {speed: 3.5}}\n"

typedef struct Work {
  SceneDef *scene;
  SkillDef *skill;
  SkillReward reward;
  SkillStage stage;
  SkillTask task;
} Work;

// All that differs from trial to trial.
static const SkillStage LIVELY = {.episode = 3,
                                  .speed = {2.5, 4.5},
                                  .turning = 0.5,
                                  .hits = 0.75,
                                  .impulse = {2, 15},
                                  .every = {0.05, 0.2},
                                  .roughness = 1,
                                  .friction = {0.6, 1},
                                  .strength = {0.8, 1.1},
                                  .mass = {0.9, 1.1},
                                  .noise = 0.4};

static void begin(Work *work, const SkillStage *stage, int seed) {
  Error error = {0};
  *work = (Work){.scene = read_scene_text(BUMPY), .stage = *stage};
  assert_true(ode_prepare());
  work->skill = make_skill(work->scene, "run", "rate: 30, mirror: true, speed: [2.5, 4.5]", 0.05);
  param_defaults(&skill_reward_params, &work->reward);
  skill_task_init(&work->task, work->scene, work->skill, &work->reward, TRIALS, seed, &error);
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

static SkillStage calm(void) {
  SkillStage stage;
  param_defaults(&skill_stage_params, &stage);
  stage.noise = 0;
  return stage;
}

static Character *pupil(const Work *work, int index) { return work->task.trials[index].scene->characters[0]; }

// Makes decisions by the network, with a new trial where one ends. Returns a mixture of all rewards and inputs.
static uint64_t decide(Work *work, int index, int decisions, float inputs[]) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < decisions; i++) {
    float outputs[SKILL_MAX_ACTIONS];
    skill_network_run(&work->skill->network, inputs, outputs);
    SkillOutcome outcome = skill_task_step(&work->task, index, outputs, inputs);
    if (outcome.ended)
      skill_task_reset(&work->task, index, inputs);
    hash = hash * 1099511628211u ^ state_checksum(&outcome.reward, sizeof outcome.reward);
    hash = hash * 1099511628211u ^ world_hash(work->task.trials[index].scene->world);
    hash = hash * 1099511628211u ^ state_checksum(inputs, sizeof *inputs * (size_t)work->skill->table.input_count);
  }
  return hash;
}

// ---- Random numbers ----

static void test_same_seed_same_trials(void **state) {
  (void)state;
  uint64_t hashes[3][2];
  for (int k = 0; k < 3; k++) {
    Work work;
    begin(&work, &LIVELY, k == 2 ? 6 : 5);
    for (int i = 0; i < 2; i++) {
      float inputs[SKILL_MAX_INPUTS];
      skill_task_reset(&work.task, i, inputs);
      hashes[k][i] = decide(&work, i, 40, inputs);
    }
    end(&work);
  }
  assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
  for (int i = 0; i < 2; i++)
    assert_true(hashes[0][i] != hashes[2][i]);
  assert_true(hashes[0][0] != hashes[0][1]); // nor are two copies the same
}

// A stage depends on its number, not on what was done before.
static void test_a_stage_begins_anew(void **state) {
  (void)state;
  Work work;
  Error error = {0};
  float inputs[SKILL_MAX_INPUTS];
  uint64_t hashes[3];
  SkillStage level = LIVELY; // not the ground alone differs
  level.roughness = 0;
  begin(&work, &level, 5);
  for (int k = 0; k < 3; k++) {
    assert_true(skill_task_begin(&work.task, k == 1 ? 1 : 0, &work.stage, &error));
    skill_task_reset(&work.task, 0, inputs);
    hashes[k] = decide(&work, 0, 10, inputs);
  }
  assert_true(hashes[0] == hashes[2] && hashes[0] != hashes[1]);
  end(&work);
}

static void test_threads_change_nothing(void **state) {
  (void)state;
  SkillScore scores[2];
  Error error = {0};
  for (int k = 0; k < 2; k++) {
    Work work;
    begin(&work, &LIVELY, 3);
    WorkerPool *pool = worker_pool_create(k == 0 ? 1 : 3, &error);
    fixture_check(&error);
    scores[k] = skill_test(&work.task, &work.skill->network, 11, pool);
    worker_pool_destroy(pool);
    end(&work);
  }
  assert_int_equal(scores[0].trials, 11);
  assert_true(scores[0].lasted < 11 && scores[0].seconds > 1 && scores[0].reward > 0);
  assert_true(fabs(scores[0].to_failure - scores[0].seconds / (11 - scores[0].lasted)) < 1e-9);
  assert_memory_equal(&scores[0], &scores[1], sizeof scores[0]);
}

// ---- State ----

// Saved between any two decisions, also where the network sees the world in a mirror, a trial goes on with the same
// bits in another copy of the same task.
static void test_restored_in_the_middle(void **state) {
  (void)state;
  Work work, other;
  Error error = {0};
  begin(&work, &LIVELY, 8);
  begin(&other, &LIVELY, 8);
  float inputs[SKILL_MAX_INPUTS], seen[SKILL_MAX_INPUTS], elsewhere[SKILL_MAX_INPUTS];
  skill_task_reset(&work.task, 1, inputs);
  skill_task_reset(&other.task, 1, elsewhere);
  decide(&other, 1, 30, elsewhere);
  int mirrored = 0;
  for (int k = 0; k < 24; k++) {
    StateStream count = state_stream_count();
    skill_task_state(&work.task, 1, &count);
    void *bytes = malloc(count.at);
    StateStream save = state_stream_save(bytes, count.at, &error);
    skill_task_state(&work.task, 1, &save);
    fixture_check(&error);
    assert_true(save.at == count.at);
    mirrored += pupil(&work, 1)->skill.sights[0].mirrored;
    memcpy(seen, inputs, sizeof seen);
    uint64_t rest = decide(&work, 1, 4, inputs);
    StateStream restore = state_stream_restore(bytes, count.at, &error);
    skill_task_state(&other.task, 1, &restore);
    fixture_check(&error);
    void *again = malloc(count.at); // saved from there, it is the same state
    StateStream second = state_stream_save(again, count.at, &error);
    skill_task_state(&other.task, 1, &second);
    fixture_check(&error);
    assert_true(second.at == count.at);
    assert_memory_equal(again, bytes, count.at);
    free(again);
    double terms[2][SKILL_TERMS];
    if (decide(&other, 1, 4, seen) != rest)
      fail_msg("restored after %d decisions it goes on differently", 4 * k);
    if (k % 4 == 3) {
      skill_task_terms(&work.task, terms[0]);
      skill_task_terms(&other.task, terms[1]);
      assert_memory_equal(terms[0], terms[1], sizeof terms[0]);
    }
    free(bytes);
  }
  assert_in_range(mirrored, 3, 21);
  end(&work);
  end(&other);
}

static void test_a_state_cut_short_is_refused(void **state) {
  (void)state;
  Work work;
  Error error = {0};
  float inputs[SKILL_MAX_INPUTS];
  begin(&work, &LIVELY, 8);
  skill_task_reset(&work.task, 0, inputs);
  StateStream count = state_stream_count();
  skill_task_state(&work.task, 0, &count);
  unsigned char *bytes = malloc(count.at);
  StateStream save = state_stream_save(bytes, count.at, &error);
  skill_task_state(&work.task, 0, &save);
  for (size_t size = 1; size < count.at; size += count.at / 7) {
    Error cause = {0};
    StateStream restore = state_stream_restore(bytes, size, &cause);
    skill_task_state(&work.task, 0, &restore);
    assert_true(restore.failed && cause.text[0] != '\0');
  }
  free(bytes);
  end(&work);
}

// ---- Rewards ----

// Sets the body of a trial exactly to its target, moving as that does; and the inputs that it sees then.
static void set_on_target(Work *work, int index, const Pose *measured, const Pose *next, float inputs[]) {
  Character *character = pupil(work, index);
  ragdoll_set_pose(character->ragdoll, measured, next, work->task.trials[index].scene->world->def.dt);
  character->skill.looked = false;
  character_skill_look(character);
  memcpy(inputs, character_skill_inputs(character), sizeof *inputs * (size_t)work->skill->table.input_count);
}

// The terms of the reward of one decision without outputs, that begins with the body turned out of its target.
static void terms_of(const SkillStage *stage, double arm, double terms[SKILL_TERMS], float *reward) {
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, stage, 2);
  skill_task_reset(&work.task, 0, inputs);
  Character *character = pupil(&work, 0);
  Pose pose = character->target;
  int joint = skeleton_find(&character->def->body->skeleton, "upper_arm_l");
  if (arm != 0) {
    pose.rotation[joint] = glms_quat_mul(quat_exp((vec3s){{(float)arm, 0, 0}}), pose.rotation[joint]);
    set_on_target(&work, 0, &pose, NULL, inputs);
  }
  SkillOutcome outcome = skill_task_step(&work.task, 0, outputs, inputs);
  assert_false(outcome.ended);
  *reward = outcome.reward;
  skill_task_terms(&work.task, terms);
  end(&work);
}

// A trial begins on its target, so one decision later it is still close to it; the farther the body is turned away, the
// smaller is what it gets.
static void test_reward_falls_with_the_error(void **state) {
  (void)state;
  SkillStage stage = calm();
  double terms[4][SKILL_TERMS];
  float reward[4];
  const double arms[4] = {0, 0.4, 0.8, 1.2};
  for (int k = 0; k < 4; k++)
    terms_of(&stage, arms[k], terms[k], &reward[k]);
  assert_true(terms[0][SKILL_TERM_POSE] > 0.97 && terms[0][SKILL_TERM_ENDS] > 0.97 && terms[0][SKILL_TERM_ROOT] > 0.97);
  for (int k = 1; k < 4; k++) {
    assert_true(terms[k][SKILL_TERM_POSE] < terms[k - 1][SKILL_TERM_POSE]);
    assert_true(terms[k][SKILL_TERM_ENDS] < terms[k - 1][SKILL_TERM_ENDS]);
    assert_true(reward[k] < reward[k - 1]);
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < SKILL_TERMS; i++)
      assert_true(terms[k][i] >= 0 && (i >= SKILL_TERM_CHANGE || terms[k][i] <= 1));
}

// A clip of one pose in the air, in which no foot stands.
static void freeze_clip(SceneDef *scene) {
  for (int i = 0; i < scene->asset_count; i++)
    if (scene->assets[i].kind == ASSET_CLIP) {
      Clip *clip = scene->assets[i].object;
      clip->keys[0].position[0].y += 0.05f;
      for (int k = 1; k < clip->key_count; k++)
        clip->keys[k] = clip->keys[0];
      clip->contact_count = 0;
    }
}

// A body that stays weightless in the very pose of its target gets all there is.
static void test_all_terms_are_1_on_the_target(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *scene = read_scene_text("world: {dt: 1/240, solver: reduced, gravity: [0, 0, 0]}\n"
                                    "characters:\n"
                                    "  - {name: man, body: bodies/human.yaml, animation: {move: clips/idle.yaml}}\n");
  SkillDef *skill = make_skill(scene, "idle", "", 0);
  SkillReward reward;
  SkillStage stage = calm();
  SkillTask task;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  double terms[SKILL_TERMS];
  freeze_clip(scene);
  param_defaults(&skill_reward_params, &reward);
  reward.light = 0.3;
  assert_true(skill_task_init(&task, scene, skill, &reward, 1, 1, &error));
  double full = 0.07 * skill->body->mass, least = 1;
  for (int i = 0; i < skill->body->part_count; i++) { // what a part counts
    const PartDef *part = &skill->body->parts[i];
    const double weight = part->carries ? 1 : fmax(0.3, fmin(1, part->mass / full));
    assert_float_equal(task.part_weight[i], weight, 1e-6);
    least = fmin(least, part->mass / full);
  }
  assert_true(least < 0.3);
  skill_task_free(&task);
  reward.light = 0;
  assert_true(skill_task_init(&task, scene, skill, &reward, 1, 1, &error));
  assert_true(skill_task_begin(&task, 0, &stage, &error));
  skill_task_reset(&task, 0, inputs);
  SkillOutcome outcome = skill_task_step(&task, 0, outputs, inputs);
  skill_task_terms(&task, terms);
  assert_false(outcome.ended);
  for (int i = 0; i < SKILL_TERM_CHANGE; i++)
    if (!(fabs(terms[i] - 1) < 1e-5))
      fail_msg("%s is %.9g on the target", skill_term_names[i], terms[i]);
  assert_true(terms[SKILL_TERM_CHANGE] == 0 && terms[SKILL_TERM_POWER] < 0.01);
  double sum = reward.pose + reward.rates + reward.ends + reward.root + reward.velocity + reward.contacts;
  assert_true(fabs((double)outcome.reward - sum) < 1e-5);
  skill_task_free(&task);
  scene_skill_free(skill);
  scene_def_free(scene);
}

// The reward is the same whether or not the network sees the second half of the cycle in a mirror.
static void test_reward_does_not_depend_on_the_mirror(void **state) {
  (void)state;
  Work plain, mirror;
  float inputs[SKILL_MAX_INPUTS], mirrored[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  int differ = 0;
  begin(&plain, &LIVELY, 4);
  begin(&mirror, &LIVELY, 4);
  plain.skill->params.mirror = false;
  for (int i = 0; i < TRIALS; i++) {
    skill_task_reset(&plain.task, i, inputs);
    skill_task_reset(&mirror.task, i, mirrored);
    for (int k = 0; k < 15; k++) {
      SkillOutcome a = skill_task_step(&plain.task, i, outputs, inputs);
      SkillOutcome b = skill_task_step(&mirror.task, i, outputs, mirrored);
      assert_true(fabsf(a.reward - b.reward) < 1e-6f);
      assert_true(a.ended == b.ended && a.failed == b.failed);
      if (a.ended)
        break;
      differ += fabsf(inputs[SKILL_VELOCITY] - mirrored[SKILL_VELOCITY]) > 1e-6f;
    }
  }
  assert_true(differ > 5);
  end(&plain);
  end(&mirror);
}

static void test_changing_actions_and_pace_cost(void **state) {
  (void)state;
  SkillStage stage = calm();
  Work work;
  float inputs[SKILL_MAX_INPUTS], outputs[SKILL_MAX_ACTIONS] = {0};
  double terms[SKILL_TERMS], reward = 0, wanted;
  begin(&work, &stage, 2);
  const SkillTable *table = &work.skill->table;
  outputs[0] = 0.25f;
  outputs[table->action_count - 1] = 1; // the pace is not a change, it has a cost of its own
  for (int k = 0; k < 2; k++) {         // first a change, then none
    if (k == 0)
      skill_task_reset(&work.task, 0, inputs);
    reward = (double)skill_task_step(&work.task, 0, outputs, inputs).reward;
    skill_task_terms(&work.task, terms);
    double weight = (double)work.task.part_weight[table->axis_part[table->action_axis[0]]];
    assert_true(fabs(terms[SKILL_TERM_CHANGE] - (k == 0 ? weight * 0.0625 : 0)) < 1e-9);
    const SkillReward *share = &work.reward;
    wanted = share->pose * terms[SKILL_TERM_POSE] + share->rates * terms[SKILL_TERM_RATES] +
             share->ends * terms[SKILL_TERM_ENDS] + share->root * terms[SKILL_TERM_ROOT] +
             share->velocity * terms[SKILL_TERM_VELOCITY] + share->contacts * terms[SKILL_TERM_CONTACTS] -
             share->change * terms[SKILL_TERM_CHANGE] - share->power * terms[SKILL_TERM_POWER] -
             share->hurry * work.skill->params.pace * work.skill->params.pace;
    assert_true(fabs(reward - wanted) < 1e-6);
  }
  end(&work);
}

// ---- Ends ----

static void test_time_out_is_no_failure(void **state) {
  (void)state;
  SkillStage stage = calm();
  stage.episode = 0.25;
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, &stage, 2);
  skill_task_reset(&work.task, 0, inputs);
  SkillOutcome outcome = {0};
  int decisions = 0;
  for (; !outcome.ended; decisions++)
    outcome = skill_task_step(&work.task, 0, outputs, inputs);
  assert_int_equal(decisions, 8); // of 8 steps of 1/240 s each
  assert_true(!outcome.failed && outcome.reward > 0);
  end(&work);
}

static void test_a_fall_is_a_failure(void **state) {
  (void)state;
  SkillStage stage = calm();
  stage.strength[0] = stage.strength[1] = 0.1;
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, &stage, 2);
  for (int i = 0; i < TRIALS; i++) {
    skill_task_reset(&work.task, i, inputs);
    SkillOutcome outcome = {0};
    int decisions = 0;
    for (; !outcome.ended; decisions++) {
      outcome = skill_task_step(&work.task, i, outputs, inputs);
      assert_true(outcome.ended || outcome.reward > 0);
    }
    assert_true(outcome.failed && outcome.reward == 0);
    assert_in_range(decisions, 3, 60);
    skill_task_reset(&work.task, i, inputs); // the next one begins upright
    assert_true(inputs[SKILL_UP + 1] > 0.9f && work.task.trials[i].time == 0);
  }
  end(&work);
}

// ---- Hits ----

typedef struct Hits {
  int count, on_feet;
  double least, most, steepest; // N s; share of a hit that points up or down
} Hits;

static Hits count_hits(const SkillStage *stage, int decisions) {
  Work work;
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  Hits hits = {.least = HUGE_VAL};
  begin(&work, stage, 9);
  work.skill->params.rate = 240; // a decision for each step, so that each can be looked at
  skill_task_reset(&work.task, 0, inputs);
  for (int i = 0; i < decisions; i++) {
    if (skill_task_step(&work.task, 0, outputs, inputs).ended)
      skill_task_reset(&work.task, 0, inputs);
    const World *world = work.task.trials[0].scene->world;
    for (int k = 0; k < world->impulse_count; k++) {
      const Impulse *hit = &world->impulses[k];
      int part = world->bodies[hit->body].part;
      double size = sqrt(hit->impulse[0] * hit->impulse[0] + hit->impulse[1] * hit->impulse[1] +
                         hit->impulse[2] * hit->impulse[2]);
      assert_int_equal(hit->source, IMPULSE_BULLET);
      hits.count++;
      for (int leg = 0; leg < work.skill->body->skeleton.leg_count; leg++)
        hits.on_feet += part == work.skill->body->skeleton.legs[leg].ankle;
      hits.least = fmin(hits.least, size);
      hits.most = fmax(hits.most, size);
      hits.steepest = fmax(hits.steepest, fabs(hit->impulse[1]) / size);
    }
  }
  end(&work);
  return hits;
}

static void test_hits_are_as_asked_for(void **state) {
  (void)state;
  SkillStage stage = calm();
  assert_int_equal(count_hits(&stage, 600).count, 0);
  stage.hits = 1;
  stage.impulse[0] = 3;
  stage.impulse[1] = 6;
  stage.every[0] = 0.05;
  stage.every[1] = 0.06;
  Hits hits = count_hits(&stage, 3600);
  assert_true(hits.count > 20 && hits.least >= 3 - 1e-9 && hits.most < 6 + 1e-9 && hits.most - hits.least > 2);
  assert_true(hits.on_feet < hits.count / 2);
  assert_true(hits.steepest > 0.1 && hits.steepest < sin(20.1 * RAD_PER_DEGREE));
  stage.feet = 1;
  hits = count_hits(&stage, 3600);
  assert_true(hits.count > 20 && hits.on_feet == hits.count);
}

// ---- Stages ----

static void test_keys_of_a_stage_take_effect(void **state) {
  (void)state;
  Work work;
  SkillStage stage = calm();
  float inputs[SKILL_MAX_INPUTS];
  stage.friction[0] = 0.4;
  stage.friction[1] = 0.6;
  stage.strength[0] = 0.7;
  stage.strength[1] = 0.9;
  stage.speed[0] = 2.6;
  stage.speed[1] = 4.4;
  stage.mass[0] = 0.9;
  stage.mass[1] = 1.1;
  begin(&work, &stage, 1);
  double low[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[4] = {0};
  for (int i = 0; i < 8; i++) {
    skill_task_reset(&work.task, i % TRIALS, inputs);
    const Character *character = pupil(&work, i % TRIALS);
    dMass chest;
    dBodyGetMass(character->ragdoll->ode[2], &chest);
    const PartDef *part = &work.skill->body->parts[2];
    const double drawn[4] = {character->world->def.friction, character->drive.def.strength, character->root.speed[0],
                             chest.mass / part->mass};
    for (int k = 0; k < 3; k++)
      assert_true(fabs(chest.I[5 * k] - drawn[3] * part->inertia[k]) < 1e-12);
    assert_true(character->root.heading == 0 && character->intent.speed == drawn[2]);
    for (int k = 0; k < 4; k++) {
      low[k] = fmin(low[k], drawn[k]);
      high[k] = fmax(high[k], drawn[k]);
    }
  }
  assert_true(low[0] >= 0.4 && high[0] < 0.6 && high[0] - low[0] > 0.05);
  assert_true(low[1] >= 0.7 && high[1] < 0.9 && high[1] - low[1] > 0.05);
  assert_true(low[2] >= 2.6 && high[2] < 4.4 && high[2] - low[2] > 0.5);
  assert_true(low[3] >= 0.9 && high[3] < 1.1 && high[3] - low[3] > 0.05);
  end(&work);
  stage = calm();
  begin(&work, &stage, 1); // a speed of 0 is the clip's own
  skill_task_reset(&work.task, 0, inputs);
  assert_true(fabs(pupil(&work, 0)->root.speed[0] - (double)work.skill->clip->root_velocity_l.z) < 1e-9);
  end(&work);
}

// The largest height of the ground of a copy, m, where trials begin.
static double roughest(const Work *work, int index) {
  const Ground *ground = &pupil(work, index)->ground;
  double most = 0;
  for (int i = 0; i < 400; i++) {
    double height = 0;
    int row = i / 20, column = i % 20;
    assert_true(ground->height(ground->context, -2 + 0.2 * column, 1 + row, GROUND_HIGHEST, &height, NULL));
    most = fmax(most, fabs(height));
  }
  return most;
}

static void test_roughness(void **state) {
  (void)state;
  Work work;
  Error error = {0};
  SkillStage stage = calm();
  double heights[2][TRIALS];
  begin(&work, &stage, 1);
  for (int i = 0; i < TRIALS; i++)
    assert_true(roughest(&work, i) == 0);
  stage.roughness = 2;
  for (int number = 1; number <= 4; number++) { // stages 1, 2, 1, 2
    assert_true(skill_task_begin(&work.task, 1 + (number + 1) % 2, &stage, &error));
    for (int i = 0; i < TRIALS; i++) {
      double height = roughest(&work, i);
      assert_true(height > 0 && height <= 2 * 0.05 * 1.5); // amplitude times roughness, of noise up to about 1
      if (number <= 2)
        heights[number - 1][i] = height;
      else
        assert_true(heights[number - 3][i] == height); // the same stage has the same ground
    }
  }
  for (int i = 0; i < TRIALS; i++) {
    assert_true(heights[0][i] != heights[1][i]);
    for (int k = 0; k < i; k++)
      assert_true(heights[0][i] != heights[0][k]);
  }
  end(&work);
}

// The largest turn that is wanted in trials, and the largest heading with which they begin, deg.
static double largest_turn(double turning, double *first) {
  Work work;
  SkillStage stage = calm();
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  double most = 0;
  stage.turning = turning;
  begin(&work, &stage, 1);
  *first = 0;
  for (int i = 0; i < 20; i++) {
    int copy = i % TRIALS;
    skill_task_reset(&work.task, copy, inputs);
    double heading = pupil(&work, copy)->intent.heading;
    *first = fmax(*first, fabs(heading));
    work.task.trials[copy].next_turn = 0; // the untrained body falls before its time
    for (int k = 0; k < 10 && !skill_task_step(&work.task, copy, outputs, inputs).ended; k++)
      most = fmax(most, fabs(remainder(pupil(&work, copy)->intent.heading - heading, 360)));
  }
  assert_true(most < 3 * work.skill->params.turn_rate);
  end(&work);
  return most;
}

// Every second copy has a slope of the size that is asked for, each in a direction of its own.
static void test_slopes(void **state) {
  (void)state;
  Work work;
  SkillStage stage = calm();
  stage.slope[0] = 6;
  stage.slope[1] = 7;
  begin(&work, &stage, 4);
  const TerrainDef *slopes[2] = {&work.task.trials[1].def->terrain, &work.task.trials[3].def->terrain};
  for (int i = 0; i < 2; i++) {
    double size = hypot(slopes[i]->pitch, slopes[i]->roll);
    assert_int_equal(slopes[i]->kind, TERRAIN_SLOPE);
    assert_true(size >= 6 && size <= 7 && slopes[i]->pitch >= 0 && fabs(slopes[i]->roll) > 0.1);
    assert_int_equal(work.task.trials[2 * i].def->terrain.kind, TERRAIN_FLAT);
  }
  assert_true(slopes[0]->roll != slopes[1]->roll);
  end(&work);
}

// Stairs are as high as the roughness says, and lead up or down.
static void test_stairs(void **state) {
  (void)state;
  Error error = {0};
  Work work;
  SkillStage stage = calm();
  begin(&work, &stage, 4);
  work.scene->terrain.kind = TERRAIN_STAIRS;
  work.scene->terrain.rise = 0.1;
  stage.roughness = 0.5;
  assert_true(skill_task_begin(&work.task, 1, &stage, &error));
  for (int i = 0; i < TRIALS; i++) {
    const TerrainDef *ground = &work.task.trials[i].def->terrain;
    assert_int_equal(ground->kind, TERRAIN_STAIRS);
    assert_true(fabs(ground->rise) > 0 && fabs(ground->rise) <= 0.05);
    assert_true((ground->rise > 0) == (i < 2));
  }
  end(&work);
}

static void test_turning(void **state) {
  (void)state;
  double first;
  assert_true(largest_turn(0, &first) == 0 && first == 0);
  assert_true(largest_turn(1, &first) > 10 && first > 10);
}

// Trials that differ in their noise only begin with angular velocities that differ by as much.
static void test_noise(void **state) {
  (void)state;
  Work work, noisy;
  SkillStage stage = calm();
  float inputs[SKILL_MAX_INPUTS];
  double sum = 0;
  int count = 0;
  begin(&work, &stage, 1);
  stage.noise = 0.4;
  begin(&noisy, &stage, 1);
  for (int i = 0; i < TRIALS; i++) {
    skill_task_reset(&work.task, i, inputs);
    skill_task_reset(&noisy.task, i, inputs);
    for (int part = 0; part < work.skill->body->part_count; part++)
      for (int axis = 0; axis < 3; axis++, count++) {
        double difference = dBodyGetAngularVel(pupil(&noisy, i)->ragdoll->ode[part])[axis] -
                            dBodyGetAngularVel(pupil(&work, i)->ragdoll->ode[part])[axis];
        sum += difference * difference;
      }
  }
  double deviation = sqrt(sum / count);
  assert_true(deviation > 0.33 && deviation < 0.47);
  end(&work);
  end(&noisy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_seed_same_trials),
      cmocka_unit_test(test_a_stage_begins_anew),
      cmocka_unit_test(test_threads_change_nothing),
      cmocka_unit_test(test_restored_in_the_middle),
      cmocka_unit_test(test_a_state_cut_short_is_refused),
      cmocka_unit_test(test_reward_falls_with_the_error),
      cmocka_unit_test(test_all_terms_are_1_on_the_target),
      cmocka_unit_test(test_reward_does_not_depend_on_the_mirror),
      cmocka_unit_test(test_changing_actions_and_pace_cost),
      cmocka_unit_test(test_time_out_is_no_failure),
      cmocka_unit_test(test_a_fall_is_a_failure),
      cmocka_unit_test(test_hits_are_as_asked_for),
      cmocka_unit_test(test_keys_of_a_stage_take_effect),
      cmocka_unit_test(test_roughness),
      cmocka_unit_test(test_slopes),
      cmocka_unit_test(test_stairs),
      cmocka_unit_test(test_turning),
      cmocka_unit_test(test_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
