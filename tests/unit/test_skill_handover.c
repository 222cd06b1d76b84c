// Going and standing by two skills: the clip that plays at rest, which of the two leads, and trials that begin or end
// with the other one.
#include "tests/unit/skill_fixture.h"

#include "ragdoll/character/character_play.h"
#include "scenes/run/scene_state.h"
#include "scenes/train/skill_task.h"
#include "sim/base/numbers.h"

static const double DT = 1 / 240.0; // s, of the scenes

// A man who is as fast as is wanted at once. Without a network his feet carry him for half a second at least.
#define WALKER(keys)                                                                                                   \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, animation: {move: clips/walk.yaml, stand: clips/idle.yaml},\n"             \
  "     root: {acceleration: 40}, hit_reaction: {enabled: false}" keys "}\n"
#define WALKS "rate: 30, mirror: true, speed: [0.6, 1.8]"

static Character *start_walker(SkillScene *s, const char *text) {
  skill_scene_init(s, text);
  skill_scene_add(s, "walk", WALKS, 0);
  skill_scene_add(s, "idle", "rate: 30, speed: [0, 0]", 0);
  return skill_scene_start(s);
}

// ---- The clip at rest ----

static void test_the_stand_clip_plays_at_rest(void **state) {
  (void)state;
  SkillScene s;
  skill_scene_init(&s, WALKER(", drive: {kinematic: true}"));
  Character *man = skill_scene_start(&s);
  const Clip *clip = s.def->characters[0].stand;
  man->intent.speed = 0;
  step_scene(s.scene, 240);
  for (int i = 0; i < 30; i++) {
    step_scene(s.scene, 1);
    Pose wanted;
    clip_sample(clip, (float)man->play.stand_time, &wanted);
    assert_true(fabs(man->play.stand_time - (241 + i) * DT) < 1e-9);
    for (int k = 0; k < clip->skeleton->count; k++)
      assert_true((double)quat_angle_between(wanted.rotation[k], man->animation_m.rotation[k]) < 1e-5);
  }
  skill_scene_end(&s);
}

// He starts with the step of a foot that passes the other one, whatever the phase in which he stopped.
static void test_a_start_begins_in_a_swing(void **state) {
  (void)state;
  for (int k = 0; k < 5; k++) {
    SkillScene s;
    skill_scene_init(&s, WALKER(", drive: {kinematic: true}, intent: {speed: 1.2}"));
    Character *man = skill_scene_start(&s);
    step_scene(s.scene, 60 + 37 * k);
    man->intent.speed = 0;
    step_scene(s.scene, 360);
    ModelPose model;
    Pose pose;
    clip_sample(man->def->move, (float)man->play.phase_time, &pose);
    pose_to_model(&man->def->body->skeleton, &pose, &model);
    const Leg *legs = man->def->body->skeleton.legs;
    assert_false(clip_contact(man->def->move, 0, (float)man->play.phase_time));
    assert_true(clip_contact(man->def->move, 1, (float)man->play.phase_time));
    assert_true(fabsf(model.position[legs[0].ankle].z - model.position[legs[1].ankle].z) < 0.1f);
    skill_scene_end(&s);
  }
}

// Going from the one to the other moves no joint faster than the clips themselves do by more than a little.
static void test_starts_and_stops_are_smooth(void **state) {
  (void)state;
  SkillScene s;
  skill_scene_init(&s, "world: {dt: 1/240}\n"
                       "characters:\n"
                       "  - {name: man, body: bodies/human.yaml, drive: {kinematic: true}, intent: {speed: 0},\n"
                       "     animation: {move: clips/walk.yaml, stand: clips/idle.yaml}}\n");
  Character *man = skill_scene_start(&s);
  Pose before = man->animation_m;
  double fastest = 0;
  for (int i = 0; i < 960; i++) {
    man->intent.speed = i % 480 < 240 ? 0 : 1.3;
    step_scene(s.scene, 1);
    for (int k = 1; k < man->def->body->part_count; k++)
      fastest = fmax(fastest, (double)quat_angle_between(before.rotation[k], man->animation_m.rotation[k]) / DT /
                                  RAD_PER_DEGREE);
    before = man->animation_m;
  }
  assert_true(fastest > 100 && fastest < 700); // deg/s; a walking knee has 350
  skill_scene_end(&s);
}

// ---- Which leads ----

static void test_each_leads_at_its_speed(void **state) {
  (void)state;
  const struct {
    double from, to; // m/s
    bool stands;
  } cases[] = {{0, 0, true},      {0, 0.25, true},    {0, 0.35, false},
               {1.2, 1.2, false}, {1.2, 0.35, false}, {1.2, 0.25, true}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SkillScene s;
    Character *man = start_walker(&s, WALKER(""));
    const CharacterPlace place = {.speed = cases[k].from};
    assert_true(character_place(man, &place, NULL));
    step_scene(s.scene, 12);
    assert_ptr_equal(man->skill.active, s.skills[cases[k].from == 0]);
    man->intent.speed = cases[k].to;
    step_scene(s.scene, 12);
    assert_false(man->down);
    assert_ptr_equal(man->skill.active, s.skills[cases[k].stands]);
    assert_true(character_rests(man) == cases[k].stands);
    if (cases[k].stands)
      assert_true(man->root.speed[0] == 0);
    skill_scene_end(&s);
  }
}

// At rest is who is to go slower than half of the skill's slowest, or has got up less than a second ago, and is no
// faster than that slowest; without a skill, both at 1 cm/s.
static void test_who_rests(void **state) {
  (void)state;
  static const struct {
    double ahead, aside, speed, strafe; // m/s: wanted, of the skill's slowest; and of the root
    FallReason reason;
    double time; // s since he stood up
    bool rests;
  } cases[] = {
      {0, 0, 0, 0, FALL_NOTHING, 0, true},           {0.499, 0, 0, 0, FALL_NOTHING, 0, true},
      {0.501, 0, 0, 0, FALL_NOTHING, 0, false},      {-0.501, 0, 0, 0, FALL_NOTHING, 0, false},
      {0, 0.501, 0, 0, FALL_NOTHING, 0, false},      {0.36, 0.36, 0, 0, FALL_NOTHING, 0, false},
      {0.35, 0.35, 0, 0, FALL_NOTHING, 0, true},     {0, 0, 1, 0, FALL_NOTHING, 0, true},
      {0, 0, 1.001, 0, FALL_NOTHING, 0, false},      {0, 0, 0.71, 0.71, FALL_NOTHING, 0, false},
      {0, 0, 0.7, 0.7, FALL_NOTHING, 0, true},       {2, 0, 1, 0, FALL_STANDING, 0.999, true},
      {2, 0, 1.001, 0, FALL_STANDING, 0.999, false}, {2, 0, 0, 0, FALL_STANDING, 1, false},
      {2, 0, 0, 0, FALL_CAUGHT, 0.5, false},
  };
  for (int skilled = 0; skilled < 2; skilled++) {
    SkillScene s;
    skill_scene_init(&s, WALKER(""));
    if (skilled)
      skill_scene_add(&s, "walk", WALKS, 0);
    Character *man = skill_scene_start(&s);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      const double slowest = skilled ? 0.6 : 0.01, wanted = skilled ? slowest : 2 * slowest;
      man->intent.speed = cases[k].ahead * wanted;
      man->intent.strafe = cases[k].aside * wanted;
      man->root.speed[0] = cases[k].speed * slowest;
      man->root.speed[1] = cases[k].strafe * slowest;
      man->fall.machine = (FallMachine){.state = FALL_UPRIGHT, .reason = cases[k].reason, .time = cases[k].time};
      if (character_rests(man) != cases[k].rests)
        fail_msg("case %zu, skilled %d", k, skilled);
      man->fall.machine.state = FALL_LYING;
      assert_true(character_rests(man) == (cases[k].rests && cases[k].ahead < 1));
    }
    skill_scene_end(&s);
  }
}

// Who is faster than the slowest that the skill of walking can go is led by that until he has slowed down.
static void test_walking_slows_down_first(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start_walker(&s, WALKER(""));
  const CharacterPlace place = {.speed = 1.6};
  assert_true(character_place(man, &place, NULL));
  man->intent.speed = 0;
  int slowing = 0;
  for (int i = 0; i < 40; i++) {
    step_scene(s.scene, 1);
    if (man->skill.active == s.skills[1])
      break;
    slowing++;
    assert_true(man->root.speed[0] >= 0.6);
  }
  assert_in_range(slowing, 6, 8); // 1 m/s by 40 m/s^2: 25 ms
  skill_scene_end(&s);
}

static void test_without_the_other_clip_it_walks_on(void **state) {
  (void)state;
  SkillScene s;
  skill_scene_init(
      &s, "world: {dt: 1/240, solver: reduced}\n"
          "characters:\n"
          "  - {name: man, body: bodies/human.yaml, animation: {move: clips/walk.yaml}, intent: {speed: 0}}\n");
  skill_scene_add(&s, "walk", WALKS, 0);
  Character *man = skill_scene_start(&s);
  step_scene(s.scene, 60);
  assert_false(character_rests(man));
  assert_ptr_equal(man->skill.active, s.skills[0]);
  assert_true(fabs(man->root.speed[0] - 0.6) < 1e-9);
  skill_scene_end(&s);
}

static void test_restored_before_and_after_a_handover(void **state) {
  (void)state;
  enum { STEPS = 100, EVERY = 13 };
  Error error = {0};
  SkillScene s, other;
  Character *man = start_walker(&s, WALKER(", script: [{time: 0.1, speed: 0.8}, {time: 0.25, speed: 0}]"));
  Character *again = start_walker(&other, WALKER(", script: [{time: 0.1, speed: 0.8}, {time: 0.25, speed: 0}]"));
  int changes = 0;
  const SkillDef *before = NULL;
  for (int i = 0; i < STEPS; i++) {
    if (i % EVERY == 0) {
      const size_t size = scene_state_size(s.scene);
      void *bytes = malloc(size);
      assert_true(scene_state_save(s.scene, bytes, size, &error) &&
                  scene_state_restore(other.scene, bytes, size, &error));
      free(bytes);
    }
    step_scene(s.scene, 1);
    step_scene(other.scene, 1);
    assert_int_equal(world_hash(s.scene->world), world_hash(other.scene->world));
    assert_true(man->play.stand_time == again->play.stand_time);
    changes += before && man->skill.active != before;
    before = man->skill.active;
  }
  assert_int_equal(changes, 2);
  skill_scene_end(&s);
  skill_scene_end(&other);
}

// ---- Trials ----

typedef struct Work {
  SceneDef *scene;
  SkillDef *walk, *idle;
  SkillReward reward;
  SkillTask task;
  float inputs[SKILL_MAX_INPUTS];
} Work;

static void begin(Work *work, const char *text, double standing, double pacing) {
  Error error = {0};
  *work = (Work){.scene = read_scene_text(text)};
  CharacterDef *pupil = &work->scene->characters[0];
  work->walk = make_skill(work->scene, "walk", WALKS, 0);
  work->idle = make_skill(work->scene, "idle", "rate: 30, speed: [0, 0]", 0);
  pupil->skills[pupil->skill_count++] = work->idle;
  SkillStage stage;
  param_defaults(&skill_stage_params, &stage);
  stage.standing = standing;
  stage.pacing = pacing;
  stage.speed[0] = 0.8;
  stage.speed[1] = 1.2;
  param_defaults(&skill_reward_params, &work->reward);
  skill_task_init(&work->task, work->scene, work->walk, &work->reward, 1, 3, &error);
  fixture_check(&error);
  skill_task_begin(&work->task, 0, &stage, &error);
  fixture_check(&error);
  // a copy of the scene is read from its file, which has no skill
  CharacterDef *copy = &work->task.trials[0].def->characters[0];
  copy->skills[copy->skill_count++] = work->idle;
}

static void end(Work *work) {
  skill_task_free(&work->task);
  scene_skill_free(work->walk);
  scene_skill_free(work->idle);
  scene_def_free(work->scene);
}

// A trial that begins at rest begins when he has just been told to go, after up to 2 s led by the other skill.
static void test_trials_begin_with_a_start(void **state) {
  (void)state;
  Work work;
  begin(&work, WALKER(", assist: {enabled: true}"), 1, 0);
  double longest = 0;
  for (int i = 0; i < 12; i++) {
    skill_task_reset(&work.task, 0, work.inputs);
    assert_false(work.task.broken);
    const Scene *scene = work.task.trials[0].scene;
    const Character *man = scene->characters[0];
    assert_ptr_equal(man->skill.active, work.walk);
    assert_true(man->root.speed[0] == 0 && man->play.moving == 0);
    assert_true(man->intent.speed >= 0.8 && man->intent.speed <= 1.2);
    longest = fmax(longest, scene->world->time);
  }
  assert_true(longest > 1 && longest < 2 + 2 * DT);
  end(&work);
}

// The skill that learns takes the place of the one that the scene has for its clip.
static void test_trials_replace_the_scenes_skill(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *scene = read_scene_text("world: {dt: 1/240, solver: reduced}\n"
                                    "characters:\n"
                                    "  - {name: man, body: bodies/human.yaml, animation: {move: clips/walk.yaml,\n"
                                    "     stand: clips/idle.yaml}, skill: [skills/walk.yaml, skills/stand.yaml]}\n");
  SkillDef *walk = make_skill(scene, "walk", WALKS, 0);
  SkillReward reward;
  SkillStage stage;
  param_defaults(&skill_reward_params, &reward);
  param_defaults(&skill_stage_params, &stage);
  stage.speed[0] = stage.speed[1] = 1.2;
  SkillTask task;
  skill_task_init(&task, scene, walk, &reward, 1, 3, &error);
  fixture_check(&error);
  skill_task_begin(&task, 0, &stage, &error);
  fixture_check(&error);
  float inputs[SKILL_MAX_INPUTS];
  skill_task_reset(&task, 0, inputs);
  const CharacterDef *pupil = &task.trials[0].def->characters[0];
  assert_int_equal(pupil->skill_count, 2);
  assert_ptr_equal(pupil->skills[0], walk);
  assert_string_equal(pupil->skills[1]->name, "stand");
  assert_ptr_equal(task.trials[0].scene->characters[0]->skill.active, walk);
  skill_task_free(&task);
  scene_skill_free(walk);
  scene_def_free(scene);
}

// A trial ends well when he is told to stop, the other skill takes over, and he stays up for 1.5 s; otherwise badly.
static void test_trials_end_with_a_stop(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    Work work;
    begin(&work, k == 0 ? WALKER(", assist: {enabled: true}") : WALKER(""), 0, 0);
    skill_task_reset(&work.task, 0, work.inputs);
    SkillTrial *trial = &work.task.trials[0];
    Character *man = trial->scene->characters[0];
    if (k == 1)
      man->drive.def.strength = 0.02; // he cannot stand; the other is held
    man->intent.speed = 0;
    float outputs[SKILL_MAX_ACTIONS] = {0};
    SkillOutcome outcome = {0};
    int decisions = 0;
    while (!outcome.ended && decisions++ < 10)
      outcome = skill_task_step(&work.task, 0, outputs, work.inputs);
    assert_true(outcome.ended);
    assert_true(outcome.failed == (k == 1));
    assert_true(outcome.reward == (k == 1 ? 0.f : 1.f));
    assert_int_equal(trial->failures, k);
    end(&work);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_stand_clip_plays_at_rest),
      cmocka_unit_test(test_a_start_begins_in_a_swing),
      cmocka_unit_test(test_starts_and_stops_are_smooth),
      cmocka_unit_test(test_each_leads_at_its_speed),
      cmocka_unit_test(test_who_rests),
      cmocka_unit_test(test_walking_slows_down_first),
      cmocka_unit_test(test_without_the_other_clip_it_walks_on),
      cmocka_unit_test(test_restored_before_and_after_a_handover),
      cmocka_unit_test(test_trials_begin_with_a_start),
      cmocka_unit_test(test_trials_replace_the_scenes_skill),
      cmocka_unit_test(test_trials_end_with_a_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
