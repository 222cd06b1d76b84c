// The skills of a character: which of them leads, when it decides, what the root does meanwhile, that a run is the same
// to the bit, and that no hidden hand helps the body.
#include "tests/unit/skill_fixture.h"

#include "ragdoll/character/character_metrics.h"
#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"

static const double DT = 1 / 240.0; // s, of the scenes
#define CONTROL "rate: 30, mirror: true, speed: [2.5, 4.5]"
#define GET_UP ", fall: {prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml}"

static Character *start_runner(SkillScene *s, const char *text, const char *control) {
  skill_scene_init(s, text);
  skill_scene_add(s, "run", control, 0.1);
  return skill_scene_start(s);
}

// Runs until he falls, lies, and gets up for a while; all of it with a skill for each clip, which sees late.
static Character *start_late(SkillScene *s, const char *delay) {
  char run[128], rise[128];
  snprintf(run, sizeof run, "%s, delay: %s", CONTROL, delay);
  snprintf(rise, sizeof rise, "rate: 30, delay: %s", delay);
  skill_scene_init(s, RUNNER(", intent: {speed: 3.5}" GET_UP));
  skill_scene_add(s, "run", run, 0.1);
  skill_scene_add(s, "get_up_prone", rise, 0.05);
  skill_scene_add(s, "get_up_supine", rise, 0.05);
  return skill_scene_start(s);
}

// ---- Which skill leads ----

static void test_the_skill_of_the_clip_leads(void **state) {
  (void)state;
  SkillScene s;
  Character *runner = start_late(&s, "0");
  int moving = 0, falling = 0, rising = 0;
  assert_false(character_has_skill(runner)); // not before the first step
  for (int i = 0; i < 2400 && rising < 100; i++) {
    const bool down = runner->down, rises = down && runner->fall.machine.state == FALL_RISING;
    const Clip *clip = rises ? runner->fall.entry.clip : down ? NULL : runner->def->move;
    step_scene(s.scene, 1);
    const SkillDef *active = runner->skill.active;
    assert_true(character_has_skill(runner) == (active != NULL));
    assert_true(active ? active->clip == clip : !clip);
    moving += !down;
    rising += rises;
    falling += down && !rises;
    if (!active)
      assert_true(character_skill_pace(runner) == 1);
  }
  assert_true(moving > 20 && falling > 20 && rising == 100);
  skill_scene_end(&s);
}

static void test_none_leads_a_limp_or_kinematic_body(void **state) {
  (void)state;
  const char *const texts[] = {RUNNER(", intent: {speed: 3.5}, drive: {enabled: false}"),
                               RUNNER(", intent: {speed: 3.5}, drive: {kinematic: true}")};
  for (int k = 0; k < 2; k++) {
    SkillScene s;
    Character *runner = start_runner(&s, texts[k], CONTROL);
    for (int i = 0; i < 60; i++) {
      step_scene(s.scene, 1);
      assert_false(character_has_skill(runner));
    }
    skill_scene_end(&s);
  }
}

// ---- Decisions ----

static void test_decisions_come_at_the_exact_rate(void **state) {
  (void)state;
  const struct {
    const char *control;
    int steps;
  } rates[] = {{"rate: 30", 8}, {"rate: 50", 5}, {"rate: 240", 1}, {"rate: 7", 34}};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
    SkillScene s;
    Character *runner = start_runner(&s, RUNNER(", intent: {speed: 3.5}"), rates[k].control);
    const size_t size = (size_t)s.skills[0]->table.action_count * sizeof(float);
    float before[SKILL_MAX_ACTIONS] = {0};
    for (int i = 0; i < 80; i++) {
      step_scene(s.scene, 1);
      bool decided = memcmp(before, runner->skill.actions, size) != 0;
      assert_true(decided == (i % rates[k].steps == 0));
      assert_int_equal(runner->skill.steps_left, rates[k].steps - 1 - i % rates[k].steps);
      memcpy(before, runner->skill.actions, size);
    }
    skill_scene_end(&s);
  }
}

// A decision is made of what was seen `delay` before it, or of the first that was seen.
static void test_decisions_are_made_of_what_was_seen(void **state) {
  (void)state;
  const struct {
    const char *control;
    int late; // steps
  } cases[] = {{"rate: 30", 0},
               {"rate: 30, delay: 0.0167", 4},
               {"rate: 30, delay: 0.0333", 8},
               {"rate: 30, delay: 0.05", 12},
               {"rate: 30, delay: 0.125", 30},
               {"rate: 240, delay: 0.0125", 3}};
  enum { STEPS = 96 };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SkillScene s;
    Character *runner = start_runner(&s, RUNNER(", intent: {speed: 3.5}"), cases[k].control);
    const size_t size = (size_t)s.skills[0]->table.input_count * sizeof(float);
    float(*seen)[SKILL_MAX_INPUTS] = calloc(STEPS, sizeof *seen);
    for (int i = 0; i < STEPS; i++) {
      character_skill_look(runner);
      character_skill_measure(runner, seen[i]);
      if (runner->skill.steps_left == 0)
        assert_memory_equal(character_skill_inputs(runner), seen[i < cases[k].late ? 0 : i - cases[k].late], size);
      step_scene(s.scene, 1);
    }
    free(seen);
    skill_scene_end(&s);
  }
}

static void test_looking_again_changes_nothing(void **state) {
  (void)state;
  SkillScene s, other;
  Character *runner = start_runner(&s, RUNNER(", intent: {speed: 3.5}"), CONTROL);
  start_runner(&other, RUNNER(", intent: {speed: 3.5}"), CONTROL);
  for (int i = 0; i < 100; i++) {
    character_skill_look(runner);
    const CharacterSkill seen = runner->skill;
    character_skill_look(runner);
    character_skill_look(runner);
    assert_memory_equal(&seen, &runner->skill, sizeof seen);
    step_scene(s.scene, 1);
    step_scene(other.scene, 1);
    assert_int_equal(world_hash(s.scene->world), world_hash(other.scene->world));
  }
  skill_scene_end(&s);
  skill_scene_end(&other);
}

// Outputs that are given act as the same outputs of the network do, also in the mirrored half of the cycle.
static void test_given_outputs_act_as_the_networks(void **state) {
  (void)state;
  SkillScene s, given, others;
  Character *runner = start_runner(&s, RUNNER(", intent: {speed: 3.5}"), CONTROL);
  Character *led = start_runner(&given, RUNNER(", intent: {speed: 3.5}"), CONTROL);
  Character *misled = start_runner(&others, RUNNER(", intent: {speed: 3.5}"), CONTROL);
  int mirrored = 0;
  for (int i = 0; i < 160; i++) {
    character_skill_look(led);
    character_skill_look(misled);
    if (led->skill.steps_left == 0) {
      float outputs[SKILL_MAX_ACTIONS];
      skill_network_run(&s.skills[0]->network, character_skill_inputs(led), outputs);
      mirrored += led->skill.sights[0].mirrored;
      character_skill_decide(led, outputs);
      outputs[3] += 0.5f;
      character_skill_decide(misled, outputs);
    }
    step_scene(s.scene, 1);
    step_scene(given.scene, 1);
    step_scene(others.scene, 1);
    assert_int_equal(world_hash(s.scene->world), world_hash(given.scene->world));
    assert_memory_equal(runner->skill.actions, led->skill.actions, sizeof runner->skill.actions);
  }
  assert_in_range(mirrored, 3, 17);
  assert_true(world_hash(s.scene->world) != world_hash(others.scene->world));
  skill_scene_end(&s);
  skill_scene_end(&given);
  skill_scene_end(&others);
}

// The last action alone: the clip plays faster or slower by as much as it says.
static void test_pace(void **state) {
  (void)state;
  for (int k = -1; k <= 1; k++) {
    SkillScene s;
    Character *runner = start_runner(&s, RUNNER(", intent: {speed: 3.5}"), CONTROL);
    float outputs[SKILL_MAX_ACTIONS] = {0};
    const SkillDef *skill = s.skills[0];
    outputs[skill->table.action_count - 1] = (float)k;
    character_skill_look(runner);
    character_skill_decide(runner, outputs);
    double before = runner->play.phase_time;
    step_scene(s.scene, 1);
    double pace = 1 + k * skill->params.pace;
    assert_true(fabs(character_skill_pace(runner) - pace) < 1e-12);
    double clip = runner->root.speed[0] / (double)skill->clip->root_velocity_l.z;
    assert_true(fabs(runner->play.phase_time - before - pace * clip * DT) < 1e-9);
    skill_scene_end(&s);
  }
}

// A scene begins with the motion of its animation, whatever the first decision will be.
static void test_start_does_not_depend_on_the_network(void **state) {
  (void)state;
  SkillScene s, other;
  skill_scene_init(&s, RUNNER(", intent: {speed: 3.5}"));
  skill_scene_init(&other, RUNNER(", intent: {speed: 3.5}"));
  skill_scene_add(&s, "run", CONTROL, 0.1);
  skill_scene_add(&other, "run", CONTROL, 1);
  skill_scene_start(&s);
  skill_scene_start(&other);
  assert_int_equal(world_hash(s.scene->world), world_hash(other.scene->world));
  step_scene(s.scene, 1);
  step_scene(other.scene, 1);
  assert_true(world_hash(s.scene->world) != world_hash(other.scene->world));
  skill_scene_end(&s);
  skill_scene_end(&other);
}

// ---- The root ----

static void check_root_follows(const char *text, const char *control, bool skilled, double time) {
  SkillScene s;
  skill_scene_init(&s, text);
  if (skilled)
    skill_scene_add(&s, "run", control, 0.3);
  Character *runner = skill_scene_start(&s);
  double farthest = 0;
  for (int i = 0; i < 100; i++) {
    assert_false(runner->down);
    vec3s gap = glms_vec3_sub(runner->sensed.pose.position[0], runner->target.position[0]);
    double share = time > 0 ? -expm1(-DT / time) : 0;
    step_scene(s.scene, 1);
    const RootRebase *rebase = &runner->root.rebase;
    assert_true(fabs(rebase->shift[0] - share * (double)gap.x) < 1e-9);
    assert_true(fabs(rebase->shift[2] - share * (double)gap.z) < 1e-9);
    assert_true(rebase->turn == 0);
    farthest = fmax(farthest, hypot((double)gap.x, (double)gap.z));
  }
  assert_true(farthest > 0.005);
  skill_scene_end(&s);
}

static void test_the_root_follows_the_body(void **state) {
  (void)state;
  check_root_follows(RUNNER(", intent: {speed: 3.5}"), CONTROL, true, 0.2);
  check_root_follows(RUNNER(", intent: {speed: 3.5}, root: {follow: 0.5}"), CONTROL, true, 0.5);
  check_root_follows(RUNNER(", intent: {speed: 3.5}"), CONTROL, false, 0);
}

// The speed to which the root comes within 0.3 s.
static double speed_reached(const char *text, bool skilled, double *sideways) {
  SkillScene s;
  skill_scene_init(&s, text);
  if (skilled)
    skill_scene_add(&s, "run", CONTROL, 0.02);
  Character *runner = skill_scene_start(&s);
  step_scene(s.scene, 72);
  assert_false(runner->down);
  double speed = runner->root.speed[0];
  *sideways = runner->root.speed[1];
  skill_scene_end(&s);
  return speed;
}

static void test_speed_is_limited_to_the_skills(void **state) {
  (void)state;
  double sideways;
  assert_true(fabs(speed_reached(RUNNER(", intent: {speed: 5}"), true, &sideways) - 4.5) < 1e-9);
  assert_true(fabs(speed_reached(RUNNER(", intent: {speed: 2}"), true, &sideways) - 2.5) < 1e-9);
  assert_true(fabs(speed_reached(RUNNER(", intent: {speed: 3}"), true, &sideways) - 3) < 1e-9);
  speed_reached(RUNNER(", intent: {speed: 3, strafe: 1}"), true, &sideways);
  assert_true(fabs(sideways) < 1e-9);
  speed_reached(RUNNER(", intent: {speed: 3, strafe: 1}"), false, &sideways);
  assert_true(sideways > 0.5);
}

static double largest_turn_rate(const char *text, bool skilled) {
  SkillScene s;
  skill_scene_init(&s, text);
  if (skilled)
    skill_scene_add(&s, "run", CONTROL ", turn_rate: 50", 0.02);
  Character *runner = skill_scene_start(&s);
  double most = 0;
  for (int i = 0; i < 60; i++) {
    step_scene(s.scene, 1);
    most = fmax(most, fabs(runner->root.turn_rate));
  }
  skill_scene_end(&s);
  return most / RAD_PER_DEGREE;
}

static void test_turn_rate_is_limited_to_the_skills(void **state) {
  (void)state;
  assert_true(fabs(largest_turn_rate(RUNNER(", intent: {speed: 3, heading: 90}"), true) - 50) < 1e-6);
  assert_true(fabs(largest_turn_rate(RUNNER(", intent: {speed: 3, heading: 90}"), false) - 180) < 1e-6);
  assert_true(fabs(largest_turn_rate(RUNNER(", intent: {speed: 3, heading: 90}, root: {turn_rate: 30}"), true) - 30) <
              1e-6);
}

// ---- The same bits ----

// Saved at any step - before a decision, between two, while he falls or gets up - a run continues with the same bits.
static void check_restored(const char *delay) {
  enum { MOST = 32, LATER = 40 };
  const int wanted[] = {0, 1, 2, 7, 8, 9, 15, 16, 60, 100, 131, 200, 300};
  struct {
    void *bytes;
    size_t size;
    int step;
    uint64_t later;
  } saved[MOST];
  int count = 0, rising = 0, leads = 0;
  Error error = {0};
  SkillScene s, twice, other;
  Character *runner = start_late(&s, delay);
  start_late(&twice, delay);
  start_late(&other, delay);
  size_t next = 0;
  for (int i = 0; rising < 160; i++) {
    assert_true(i < 2400);
    rising += runner->down && runner->fall.machine.state == FALL_RISING;
    bool due = (next < sizeof wanted / sizeof *wanted && i == wanted[next]) || rising == 1 || rising == 21 ||
               rising == 22 || rising == 110;
    if (due && count < MOST) {
      next += next < sizeof wanted / sizeof *wanted && i == wanted[next];
      size_t size = scene_state_size(s.scene);
      saved[count].bytes = malloc(size);
      saved[count].size = size;
      saved[count].step = i;
      assert_true(scene_state_save(s.scene, saved[count].bytes, size, &error));
      leads += runner->skill.active != NULL;
      count++;
    }
    step_scene(s.scene, 1);
    step_scene(twice.scene, 1);
    assert_int_equal(world_hash(s.scene->world), world_hash(twice.scene->world));
    for (int k = 0; k < count; k++)
      if (i + 1 == saved[k].step + LATER)
        saved[k].later = world_hash(s.scene->world);
  }
  assert_true(count > 10 && leads > 5);
  for (int k = count - 1; k >= 0; k--) {
    if (!scene_state_restore(other.scene, saved[k].bytes, saved[k].size, &error))
      fail_msg("%s", error.text);
    step_scene(other.scene, LATER);
    if (world_hash(other.scene->world) != saved[k].later)
      fail_msg("restored at step %d it goes on differently", saved[k].step);
    free(saved[k].bytes);
  }
  skill_scene_end(&s);
  skill_scene_end(&twice);
  skill_scene_end(&other);
}

static void test_restored_at_any_step(void **state) {
  (void)state;
  check_restored("0");
  check_restored("0.05");
}

// ---- No hidden hand ----

// The change of momentum in a step that weight, ground and hits do not explain, as a force in N.
static double unexplained(const World *world, double mass, const double before[3], const double after[3]) {
  double rest[3];
  for (int i = 0; i < 3; i++)
    rest[i] = after[i] - before[i] - mass * world->def.gravity[i] * DT;
  for (int k = 0; k < world->contact_count; k++)
    for (int i = 0; i < 3 && world->contacts[k].other == WORLD_GROUND; i++)
      rest[i] -= world->contacts[k].impulse[i];
  for (int k = 0; k < world->impulse_count; k++)
    for (int i = 0; i < 3; i++)
      rest[i] -= world->impulses[k].impulse[i];
  return sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]) / DT;
}

static void test_no_hidden_hand(void **state) {
  (void)state;
  SkillScene s;
  skill_scene_init(
      &s, RUNNER(", intent: {speed: 3.5, heading: 30}" GET_UP) "events:\n"
                                                               "  - {kind: impulse, character: runner, part: any, "
                                                               "from: 0.1, every: [0.1, 0.2], impulse: [2, 10], "
                                                               "direction: [0, 360]}\n");
  skill_scene_add(&s, "run", CONTROL, 0.1);
  skill_scene_add(&s, "get_up_prone", "rate: 30", 0.05);
  skill_scene_add(&s, "get_up_supine", "rate: 30", 0.05);
  Character *runner = skill_scene_start(&s);
  const double origin[3] = {0, 0, 0};
  double before[3], after[3], angular[3], worst = 0, assist = -1;
  int hits = 0, led = 0;
  ragdoll_momentum(runner->ragdoll, origin, after, angular);
  for (int i = 0; i < 1200; i++) {
    memcpy(before, after, sizeof before);
    step_scene(s.scene, 1);
    ragdoll_momentum(runner->ragdoll, origin, after, angular);
    worst = fmax(worst, unexplained(s.scene->world, runner->def->body->mass, before, after));
    hits += s.scene->world->impulse_count;
    led += character_has_skill(runner);
  }
  assert_true(hits > 5 && led > 60);
  assert_true(worst < 1e-6);
  assert_true(metrics_value(runner->judged->metrics, "assist_impulse", &assist));
  assert_true(assist == 0);
  skill_scene_end(&s);
}

// The hand that helps a body up helps none that gets up by a skill.
static void test_who_gets_up_by_a_skill_has_no_help(void **state) {
  (void)state;
  for (int skilled = 0; skilled < 2; skilled++) {
    SkillScene s;
    skill_scene_init(&s,
                     RUNNER(", intent: {speed: 3.5}, assist: {enabled: true, force: 0, torque: 0}, "
                            "fall: {prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml, force: 600}"));
    skill_scene_add(&s, "run", CONTROL, 0.1);
    for (int i = 0; i < 2 && skilled; i++)
      skill_scene_add(&s, i == 0 ? "get_up_prone" : "get_up_supine", "rate: 30", 0.05);
    Character *runner = skill_scene_start(&s);
    double most = 0;
    int rising = 0;
    for (int i = 0; rising < 300; i++) {
      assert_true(i < 4800);
      step_scene(s.scene, 1);
      const double *f = runner->assist.force_w;
      most = fmax(most, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
      rising += runner->down && runner->fall.machine.state == FALL_RISING;
    }
    assert_true(skilled ? most == 0 : most > 100); // N
    skill_scene_end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_skill_of_the_clip_leads),
      cmocka_unit_test(test_none_leads_a_limp_or_kinematic_body),
      cmocka_unit_test(test_decisions_come_at_the_exact_rate),
      cmocka_unit_test(test_looking_again_changes_nothing),
      cmocka_unit_test(test_decisions_are_made_of_what_was_seen),
      cmocka_unit_test(test_given_outputs_act_as_the_networks),
      cmocka_unit_test(test_pace),
      cmocka_unit_test(test_start_does_not_depend_on_the_network),
      cmocka_unit_test(test_the_root_follows_the_body),
      cmocka_unit_test(test_speed_is_limited_to_the_skills),
      cmocka_unit_test(test_turn_rate_is_limited_to_the_skills),
      cmocka_unit_test(test_restored_at_any_step),
      cmocka_unit_test(test_no_hidden_hand),
      cmocka_unit_test(test_who_gets_up_by_a_skill_has_no_help),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
