// Who leads a body that has a skill and balance: the skill while it moves as it is to, balance from a blow until then.
#include "tests/unit/skill_fixture.h"

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_lead.h"
#include "ragdoll/character/character_skill.h"
#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"

#define WALKER(skills, keys)                                                                                           \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, animation: {move: clips/walk.yaml, stand: clips/idle.yaml},\n"             \
  "     skill: [" skills "], balance: {enabled: true}, intent: {speed: 1.2}" keys "}\n"
#define BOTH "skills/stroll.yaml, skills/stand.yaml"

static Character *start(SkillScene *s, const char *text) {
  skill_scene_init(s, text);
  return skill_scene_start(s);
}

// Over 0.2 s, from the man's right, N s.
static void push_left(SkillScene *s, double size) {
  ActiveEvent push = {.kind = EVENT_PUSH,
                      .part = 0,
                      .size = size,
                      .start = s->scene->world->time,
                      .spread = 0.2,
                      .impulse_w = {size, 0, 0}};
  events_strike(&s->scene->events, &push);
}

// Steps until balance leads, or no longer does; the number of steps, -1: not within `most`.
static int steps_until(SkillScene *s, bool balance, int most) {
  for (int i = 0; i <= most; i++) {
    if (s->scene->characters[0]->lead.balance == balance)
      return i;
    step_scene(s->scene, 1);
  }
  return -1;
}

static void test_a_skill_leads_a_calm_body(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ", script: [{time: 1.5, speed: 0}, {time: 3.5, speed: 1}]"));
  for (int i = 0; i < 5 * 240; i++) {
    step_scene(s.scene, 1);
    assert_false(man->lead.balance);
    assert_non_null(man->skill.active);
  }
  assert_false(man->down);
  skill_scene_end(&s);
}

static void test_balance_catches_and_gives_back(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ""));
  step_scene(s.scene, 480);
  push_left(&s, 55);
  int caught = steps_until(&s, true, 48);
  assert_in_range(caught, 12, 48); // 0.5 m/s of a body of 75 kg take 38 N s of 55
  assert_true(man->lead.catches && character_balances(man));
  int given_back = steps_until(&s, false, 8 * 240);
  assert_true(given_back > 240 * man->balance.def.calm_time - 2);
  step_scene(s.scene, 1);
  assert_ptr_equal(man->skill.active, man->def->skills[0]);
  step_scene(s.scene, 480);
  assert_false(man->down);
  assert_true(man->root.speed[0] > 1);
  skill_scene_end(&s);
}

// A body is expected to come to the speed of its root within half a second, exponentially, whatever the step.
static void test_a_body_follows_its_root(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ""));
  for (int steps = 1; steps <= 8; steps *= 2) {
    man->root.heading = 0.7;
    man->root.speed[0] = 1.5;
    man->root.speed[1] = -0.4;
    man->lead.velocity[0] = man->lead.velocity[1] = 0;
    for (int i = 0; i < steps; i++)
      character_lead_step(man, 0.5 / steps);
    const double share = 1 - exp(-1);
    assert_true(fabs(man->lead.velocity[0] - share * (1.5 * sin(0.7) - 0.4 * cos(0.7))) < 1e-12);
    assert_true(fabs(man->lead.velocity[1] - share * (1.5 * cos(0.7) + 0.4 * sin(0.7))) < 1e-12);
  }
  skill_scene_end(&s);
}

// The lead depends on the error of the velocity, not on that there was a blow.
static void test_a_skill_bears_what_is_small(void **state) {
  (void)state;
  SkillScene s;
  start(&s, WALKER(BOTH, ""));
  step_scene(s.scene, 480);
  push_left(&s, 12);
  assert_int_equal(steps_until(&s, true, 480), -1);
  skill_scene_end(&s);
}

// Where no skill is for standing, balance stands, and the skill walks.
static void test_balance_leads_where_no_skill_does(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER("skills/stroll.yaml", ", script: [{time: 1.5, speed: 0}]"));
  step_scene(s.scene, 240);
  assert_false(man->lead.balance || character_only_balances(man));
  step_scene(s.scene, 480);
  assert_true(man->lead.balance && !man->lead.catches);
  assert_null(man->skill.active);
  step_scene(s.scene, 480);
  assert_true(!man->down && fabs(man->sensed.com_velocity[2]) < 0.05);
  skill_scene_end(&s);
}

static void test_without_balance_nobody_catches(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ", drive: {strength: 0.98}"));
  man->balance.def.enabled = false;
  step_scene(s.scene, 480);
  push_left(&s, 55);
  assert_int_equal(steps_until(&s, true, 240), -1);
  skill_scene_end(&s);
}

// ---- The take-over itself ----

// A body that walks with one foot in the air, taken over in the middle of its step.
static void test_a_foot_in_the_air_swings_on(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ""));
  step_scene(s.scene, 480);
  for (int tries = 0; man->sensed.foot_loaded[0] || !man->sensed.foot_loaded[1]; tries++) {
    assert_true(tries < 240);
    step_scene(s.scene, 1);
  }
  step_scene(s.scene, 12);
  man->balance.steps = 7;
  character_balance_take_over(man, 1 / 240.0);
  const Balancer *balance = &man->balance;
  assert_true(balance->mode == BALANCE_STEPPING && balance->walking);
  assert_int_equal(balance->swing, BALANCE_LEFT);
  assert_int_equal(balance->steps, 8);
  assert_true(balance->step_time > 0.05 && balance->step_time <= 0.6 * balance->duration);
  assert_true(balance->speed.z == man->root.speed[0] && balance->heading == man->root.heading);
  double ankle[3];
  ragdoll_point(man->ragdoll, balance->body.legs[BALANCE_LEFT].leg->ankle, GLMS_VEC3_ZERO, ankle);
  assert_memory_equal(balance->swing_ankle, ankle, sizeof ankle);
  skill_scene_end(&s);
}

// Of a body that stands, a foot that is on the ground without load may take it: balance decides with which it steps.
static void test_a_standing_body_is_taken_over_standing(void **state) {
  (void)state;
  SkillScene s;
  Character *man = start(&s, WALKER(BOTH, ""));
  const CharacterPlace place = {.speed = 0};
  assert_true(character_place(man, &place, NULL));
  step_scene(s.scene, 120);
  for (int k = 0; k < 2; k++) {
    man->sensed.foot_loaded[1] = k == 0;
    character_balance_take_over(man, 1 / 240.0);
    assert_true(man->balance.mode == BALANCE_STANDING && !man->balance.walking);
  }
  skill_scene_end(&s);
}

static void test_restored_while_balance_catches(void **state) {
  (void)state;
  SkillScene s, other;
  Error error = {0};
  start(&s, WALKER(BOTH, ""));
  Character *again = start(&other, WALKER(BOTH, ""));
  step_scene(s.scene, 240);
  push_left(&s, 50);
  assert_true(steps_until(&s, true, 240) > 0);
  step_scene(s.scene, 60);
  size_t size = scene_state_size(s.scene);
  void *bytes = malloc(size);
  assert_true(scene_state_save(s.scene, bytes, size, &error) && scene_state_restore(other.scene, bytes, size, &error));
  free(bytes);
  assert_true(again->lead.balance && again->lead.catches);
  for (int i = 0; i < 8 * 240 && again->lead.balance; i++) {
    step_scene(s.scene, 1);
    step_scene(other.scene, 1);
    assert_int_equal(world_hash(s.scene->world), world_hash(other.scene->world));
  }
  assert_false(again->lead.balance);
  skill_scene_end(&s);
  skill_scene_end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_skill_leads_a_calm_body),
      cmocka_unit_test(test_balance_catches_and_gives_back),
      cmocka_unit_test(test_a_body_follows_its_root),
      cmocka_unit_test(test_a_skill_bears_what_is_small),
      cmocka_unit_test(test_balance_leads_where_no_skill_does),
      cmocka_unit_test(test_without_balance_nobody_catches),
      cmocka_unit_test(test_a_foot_in_the_air_swings_on),
      cmocka_unit_test(test_a_standing_body_is_taken_over_standing),
      cmocka_unit_test(test_restored_while_balance_catches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
