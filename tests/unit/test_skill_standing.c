// What skills of standing need: a network that sees the world in a mirror by the side to which the body sways, pushes
// that last and grow, starts in motion, and rewards that leave a moved body alone.
#include "tests/unit/skill_fixture.h"

#include "scenes/train/skill_task.h"
#include "sim/base/numbers.h"

#define STANDER                                                                                                        \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, animation: {move: clips/idle.yaml}, hit_reaction: {enabled: false}}\n"
#define SWAYS "rate: 30, mirror_sway: 0.2"

// ---- The mirror ----

static void push_pelvis(SkillScene *s, double left, double size) {
  ActiveEvent push = {.kind = EVENT_PUSH, .part = 0, .size = size, .spread = 0.1, .impulse_w = {left * size, 0, 0}};
  events_strike(&s->scene->events, &push);
}

static void test_the_side_of_sway_is_seen(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    SkillScene s;
    skill_scene_init(&s, STANDER);
    skill_scene_add(&s, "idle", SWAYS, 0.01);
    Character *man = skill_scene_start(&s);
    step_scene(s.scene, 24);
    assert_false(man->skill.sways_left);
    push_pelvis(&s, side, 40);
    step_scene(s.scene, 32);
    assert_int_equal(man->skill.sways_left, side > 0);
    assert_int_equal(man->skill.sights[0].mirrored, side > 0);
    skill_scene_end(&s);
  }
}

// Without the key the same motion is not seen in a mirror; nor is slow motion with it.
static void test_no_mirror_without_fast_sway(void **state) {
  (void)state;
  static const char *const controls[] = {"rate: 30", "rate: 30, mirror_sway: 5"};
  for (int k = 0; k < 2; k++) {
    SkillScene s;
    skill_scene_init(&s, STANDER);
    skill_scene_add(&s, "idle", controls[k], 0.01);
    Character *man = skill_scene_start(&s);
    push_pelvis(&s, 1, 60);
    for (int i = 0; i < 60; i++) {
      step_scene(s.scene, 1);
      assert_false(man->skill.sights[0].mirrored);
    }
    skill_scene_end(&s);
  }
}

// ---- Trials ----

typedef struct Work {
  SceneDef *scene;
  SkillDef *skill;
  SkillReward reward;
  SkillTask task;
} Work;

static SkillStage still(void) {
  SkillStage stage;
  param_defaults(&skill_stage_params, &stage);
  stage.noise = 0;
  return stage;
}

static void begin(Work *work, const SkillStage *stage) {
  Error error = {0};
  *work = (Work){.scene = read_scene_text(STANDER)};
  work->skill = make_skill(work->scene, "idle", SWAYS, 0);
  param_defaults(&skill_reward_params, &work->reward);
  work->reward.calm = 0.3;
  skill_task_init(&work->task, work->scene, work->skill, &work->reward, 1, 3, &error);
  fixture_check(&error);
  skill_task_begin(&work->task, 0, stage, &error);
  fixture_check(&error);
}

static void end(Work *work) {
  assert_false(work->task.broken);
  skill_task_free(&work->task);
  scene_skill_free(work->skill);
  scene_def_free(work->scene);
}

// Sums of the pushes of a trial, N s: on the pelvis, on other parts as shares of the largest that they may get, and how
// many steps they took.
typedef struct Pushes {
  double pelvis, share;
  int steps;
} Pushes;

static Pushes sum_pushes(const SkillStage *stage, double hit_share) {
  Work work;
  Pushes pushes = {0};
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, stage);
  work.task.hit_share = hit_share;
  work.skill->params.rate = 240; // a decision for each step, so that each can be looked at
  skill_task_reset(&work.task, 0, inputs);
  work.task.trials[0].next_hit = 0.05;
  for (int i = 0; i < 80 && !skill_task_step(&work.task, 0, outputs, inputs).ended; i++) {
    const World *world = work.task.trials[0].scene->world;
    for (int k = 0; k < world->impulse_count; k++) {
      const Impulse *hit = &world->impulses[k];
      double size = hypot(hit->impulse[0], hypot(hit->impulse[1], hit->impulse[2]));
      int part = world->bodies[hit->body].part;
      assert_int_equal(hit->source, IMPULSE_PUSH);
      pushes.steps++;
      if (part == 0)
        pushes.pelvis += size;
      else
        pushes.share += size / (5 * work.skill->body->parts[part].mass);
    }
  }
  end(&work);
  return pushes;
}

static SkillStage pushed(double size, double pelvis) {
  SkillStage stage = still();
  stage.hits = 1;
  stage.impulse[0] = stage.impulse[1] = size;
  stage.every[0] = stage.every[1] = 10;
  stage.push_time[0] = stage.push_time[1] = 0.1;
  stage.pelvis = pelvis;
  return stage;
}

static void test_pushes_last_and_grow(void **state) {
  (void)state;
  SkillStage stage = pushed(20, 1);
  Pushes full = sum_pushes(&stage, 1), half = sum_pushes(&stage, 0.5);
  assert_in_range(full.steps, 24, 25); // 0.1 s at 240 Hz
  assert_true(fabs(full.pelvis - 20) < 0.05 && full.share == 0);
  assert_true(fabs(half.pelvis - 10) < 0.05);
}

// A push that would be a blow to a light part is limited.
static void test_light_parts_are_pushed_less(void **state) {
  (void)state;
  SkillStage stage = pushed(900, 0);
  Pushes pushes = sum_pushes(&stage, 1);
  assert_true(pushes.pelvis == 0 || pushes.share == 0); // chance may choose the pelvis
  assert_true(pushes.pelvis > 0 || fabs(pushes.share - 1) < 0.05);
}

// rad by which a hip is turned from the target's, about x, y and z.
static vec3s hip_turn(const Character *man, int leg) {
  versors rotation[BODY_MAX_PARTS];
  const int hip = man->def->body->skeleton.legs[leg].hip;
  ragdoll_joint_rotations(man->ragdoll, rotation);
  return quat_log(glms_quat_mul(rotation[hip], glms_quat_conjugate(man->target.rotation[hip])));
}

// A leg that swings aside is as far from the body as this will go in 0.35 s, and 0.1 .. 0.3 more.
static void test_starts_in_motion(void **state) {
  (void)state;
  double least = 1, most = 0;
  SkillStage stage = still();
  stage.start_speed = 1.2;
  Work work;
  begin(&work, &stage);
  int moved = 0, swung = 0, sides[2] = {0};
  for (int i = 0; i < 60; i++) {
    float inputs[SKILL_MAX_INPUTS];
    double place[3], velocity[3];
    skill_task_reset(&work.task, 0, inputs);
    const Character *man = work.task.trials[0].scene->characters[0];
    ragdoll_center_of_mass(man->ragdoll, place, velocity);
    double speed = hypot(velocity[0], velocity[2]);
    assert_true(speed < 1.4 && fabs(velocity[1]) < 0.2);
    moved += speed > 0.05;
    sides[velocity[0] > 0] += speed > 0.05;
    float turned = 0;
    for (int leg = 0; leg < 2; leg++) // of the hips, x and z: the target stands
      for (int axis = 0; axis < work.skill->table.axis_count; axis++)
        if (work.skill->table.axis_part[axis] == work.skill->body->skeleton.legs[leg].hip)
          turned = fmaxf(turned, fabsf(inputs[work.skill->table.error_at + axis]));
    swung += turned > 0.05f;
    assert_true(turned < 1);
    for (int leg = 0; leg < 2; leg++) {
      const double aside = fabs((double)hip_turn(man, leg).z), share = fabs(velocity[0]) / speed;
      if (aside < 0.05 || share < 0.7)
        continue;
      const double more = aside / share - 0.35 * speed;
      least = fmin(least, more);
      most = fmax(most, more);
    }
  }
  assert_true(least > 0.05 && least < 0.15 && most > 0.2 && most < 0.32); // the speed is the centre of mass', about
  assert_in_range(moved, 18, 42);
  assert_in_range(swung, 6, 26);
  assert_true(sides[0] > 4 && sides[1] > 4);
  end(&work);
}

// Hits grow while few of them fell the pupil, and shrink where many do, never below what the stage begins with.
static void test_hits_grow(void **state) {
  (void)state;
  SkillTrial trial = {0};
  SkillTask task = {.hit_share = 0.3, .stage = {.growth = 0.3}, .trials = &trial, .trial_count = 1};
  const struct {
    int ends, failures, strikes;
    double from, to; // the share of hits, then
  } rounds[] = {{10, 0, 40, 0.3, 0.3},    {40, 15, 80, 0.3, 0.31}, {40, 25, 100, 0.31, 0.31},
                {40, 38, 100, 0.31, 0.3}, {40, 40, 60, 0.3, 0.3},  {40, 0, 0, 0.3, 0.3}};
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
    assert_true(fabs(task.hit_share - rounds[i].from) < 1e-9);
    trial.ends = rounds[i].ends;
    trial.failures = rounds[i].failures;
    trial.strikes = rounds[i].strikes;
    skill_task_fade(&task);
    assert_true(fabs(task.hit_share - rounds[i].to) < 1e-9);
    assert_true(task.assist == 0);
  }
}

// ---- Reward ----

// Terms of the first decision after the whole body has been set in motion, in a pose other than the target's.
static void terms_of(double speed, double terms[SKILL_TERMS]) {
  Work work;
  SkillStage stage = still();
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  begin(&work, &stage);
  skill_task_reset(&work.task, 0, inputs);
  Character *man = work.task.trials[0].scene->characters[0];
  Pose now = man->target, next;
  static const char *const arms[] = {"upper_arm_l", "upper_arm_r"}; // weak: the pelvis stays where it is
  for (int i = 0; i < 2; i++)
    now.rotation[skeleton_find(&work.skill->body->skeleton, arms[i])] = quat_exp((vec3s){{-1.5f, 0, 0}});
  next = now;
  next.position[0].z += (float)(speed * man->world->def.dt);
  ragdoll_set_pose(man->ragdoll, &now, &next, man->world->def.dt);
  skill_task_step(&work.task, 0, outputs, inputs);
  skill_task_terms(&work.task, terms);
  end(&work);
}

static void test_a_moved_body_is_left_alone(void **state) {
  (void)state;
  double calm[SKILL_TERMS], moved[SKILL_TERMS];
  terms_of(0, calm);
  terms_of(1.5, moved);
  assert_true(calm[SKILL_TERM_POSE] < 0.5);
  assert_true(fabs(moved[SKILL_TERM_POSE] - 0.6) < 0.02 && fabs(moved[SKILL_TERM_ENDS] - 0.6) < 0.02);
  assert_true(moved[SKILL_TERM_VELOCITY] < calm[SKILL_TERM_VELOCITY]);
}

// A foot that comes down counts once, one that stands does not.
static void test_steps_are_counted(void **state) {
  (void)state;
  Work work;
  SkillStage stage = still();
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  double terms[SKILL_TERMS];
  begin(&work, &stage);
  skill_task_reset(&work.task, 0, inputs);
  for (int i = 0; i < 3; i++)
    skill_task_step(&work.task, 0, outputs, inputs);
  skill_task_terms(&work.task, terms);
  assert_true(terms[SKILL_TERM_STEPS] == 0);
  SkillTrial *trial = &work.task.trials[0];
  for (int leg = 0; leg < 2; leg++)
    trial->swung[leg] = leg == 0 ? 0.2 : 0.01; // s in the air: a step, and a tremor
  skill_task_step(&work.task, 0, outputs, inputs);
  skill_task_terms(&work.task, terms);
  assert_true(terms[SKILL_TERM_STEPS] == 1 && trial->swung[0] == 0);
  end(&work);
}

// What a touch-down costs by the extrapolated centre of mass, in the first decision after the body has been set in
// motion: the shortfall, m.
static double shortfall_at(double speed) {
  Work work;
  SkillStage stage = still();
  float inputs[SKILL_MAX_INPUTS];
  const float outputs[SKILL_MAX_ACTIONS] = {0};
  double terms[2][SKILL_TERMS];
  float reward[2];
  for (int costs = 0; costs < 2; costs++) {
    begin(&work, &stage);
    work.task.reward.shortfall = costs;
    skill_task_reset(&work.task, 0, inputs);
    for (int i = 0; i < 3; i++) // the feet come to stand
      skill_task_step(&work.task, 0, outputs, inputs);
    skill_task_terms(&work.task, terms[costs]);
    Character *man = work.task.trials[0].scene->characters[0];
    Pose now = man->sensed.pose, next = now;
    next.position[0].z += (float)(speed * man->world->def.dt);
    ragdoll_set_pose(man->ragdoll, &now, &next, man->world->def.dt);
    work.task.trials[0].swung[0] = 0.2; // s in the air
    reward[costs] = skill_task_step(&work.task, 0, outputs, inputs).reward;
    skill_task_terms(&work.task, terms[costs]);
    end(&work);
  }
  assert_true(terms[0][SKILL_TERM_SHORTFALL] == 0); // not asked for, not computed
  assert_true(fabs((double)(reward[0] - reward[1]) - terms[1][SKILL_TERM_SHORTFALL]) < 1e-6);
  return terms[1][SKILL_TERM_SHORTFALL];
}

// At speed v the extrapolated centre of mass is v sqrt(l / g) ahead of the centre of mass, with l of about 0.95 m.
static void test_short_steps_cost(void **state) {
  (void)state;
  const double eigen_time = sqrt(0.95 / 9.81);
  assert_true(shortfall_at(0) == 0);
  double slow = shortfall_at(1), fast = shortfall_at(1.5);
  assert_true(slow > 0.05 && slow < eigen_time);
  assert_true(fabs(fast - slow - 0.5 * eigen_time) < 0.02);
}

// ---- Commands ----

static void test_the_wanted_speed_changes(void **state) {
  (void)state;
  for (int pacing = 0; pacing <= 1; pacing++) {
    Work work;
    SkillStage stage = still();
    stage.speed[0] = 0.5;
    stage.speed[1] = 1.5;
    stage.pacing = pacing;
    stage.standing = 0.3;
    float inputs[SKILL_MAX_INPUTS];
    const float outputs[SKILL_MAX_ACTIONS] = {0};
    int zero = 0, changes = 0;
    begin(&work, &stage);
    skill_task_reset(&work.task, 0, inputs);
    SkillTrial *trial = &work.task.trials[0];
    const Character *man = trial->scene->characters[0];
    for (int i = 0; i < 90; i++) {
      double before = man->intent.speed;
      trial->next_pace = 0;
      if (skill_task_step(&work.task, 0, outputs, inputs).ended) {
        skill_task_reset(&work.task, 0, inputs);
        continue;
      }
      assert_true(man->intent.speed == 0 || (man->intent.speed >= 0.5 && man->intent.speed <= 1.5));
      changes += man->intent.speed != before;
      zero += man->intent.speed == 0;
    }
    assert_true(pacing == 1 ? changes > 40 && zero > 10 && zero < 50 : changes == 0);
    end(&work);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_side_of_sway_is_seen),   cmocka_unit_test(test_no_mirror_without_fast_sway),
      cmocka_unit_test(test_pushes_last_and_grow),       cmocka_unit_test(test_light_parts_are_pushed_less),
      cmocka_unit_test(test_starts_in_motion),           cmocka_unit_test(test_hits_grow),
      cmocka_unit_test(test_a_moved_body_is_left_alone), cmocka_unit_test(test_steps_are_counted),
      cmocka_unit_test(test_short_steps_cost),           cmocka_unit_test(test_the_wanted_speed_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
