// What a character's feet report to the metrics and the trace: plans, refusals, clearances.
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_feet.h"
#include "ragdoll/character/character_metrics.h"
#include "ragdoll/character/character_platform.h"
#include "scenes/record/record.h"

// A man who stands on level ground at 0, alone in his scene; plans of feet stay as a test sets them until a step.
typedef struct Stander {
  SceneDef *def;
  Scene *scene;
  Character *character;
} Stander;

static Stander standing_man(void) {
  static const char *const overrides[] = {"expect=[]"};
  Error error = {0};
  Stander man = {.def = scene_def_read("stand", overrides, 1, &error)};
  assert_string_equal(error.text, "");
  man.scene = small_scene(man.def);
  man.character = man.scene->characters[0];
  return man;
}

static void leave(const Stander *man) {
  scene_destroy(man->scene);
  scene_def_free(man->def);
}

static double metric(const Character *character, const char *name) {
  double value = -1;
  assert_true(metrics_value(character->judged->metrics, name, &value));
  return value;
}

// One frame later.
static void judge(const Stander *man) {
  man->scene->world->time += 1.0 / 60;
  character_sample_metrics(man->character);
}

// Before anything was judged no foot carries load.
static void test_nothing_is_known_at_first(void **state) {
  (void)state;
  Error error = {0};
  Stander man = standing_man();
  CharacterMetrics *fresh = character_metrics_create(man.character->def, &error);
  assert_non_null(fresh);
  assert_true(isnan(fresh->support_margin) && isnan(fresh->pressure[0]) && isnan(fresh->pressure[1]));
  character_metrics_destroy(fresh);
  leave(&man);
}

static void test_refusals_are_counted_when_they_begin(void **state) {
  (void)state;
  static const char *const names[FOOT_REFUSAL_COUNT] = {
      "foot_refusals",           "foot_refusals_no_ground",    "foot_refusals_too_high", "foot_refusals_too_low",
      "foot_refusals_too_steep", "foot_refusals_out_of_reach", "foot_refusals_crossing"};
  Stander man = standing_man();
  Character *character = man.character;
  FootPlan *plans = character->foot_plans;
  assert_near(metric(character, "foot_refusals"), 0, 0);
  for (int reason = 0; reason < FOOT_REFUSAL_COUNT; reason++) {
    plans[0] = (FootPlan){.known = true, .refused_now = true, .refusal = (FootRefusal)reason};
    plans[1] = (FootPlan){.known = true, .refused_now = false, .refusal = (FootRefusal)reason};
    character_count_refusals(character);
    plans[1].known = false;
    plans[1].refused_now = true;
    for (int i = 0; i < reason; i++)
      character_count_refusals(character);
  }
  for (int reason = 1; reason < FOOT_REFUSAL_COUNT; reason++)
    assert_near(metric(character, names[reason]), 1 + reason, 0);
  assert_near(metric(character, names[0]), 2 + 3 + 4 + 5 + 6 + 7, 0);
  leave(&man);
}

static void test_the_trace_has_the_plans(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  Error error = {0};
  Stander man = standing_man();
  FootPlan *plans = man.character->foot_plans;
  TraceInfo info = scene_trace_info(man.def);
  TraceWriter *writer = trace_create(path, &info, &error);
  Recorder *recorder = recorder_create(writer, man.scene->world, man.scene->characters, 1, &error);
  assert_non_null(recorder);
  plans[0] = (FootPlan){.known = true, .standing = true, .progress = 1, .refusal = FOOT_CROSSES};
  plans[1] = (FootPlan){.known = true, .progress = 0.25, .refusal = FOOT_NOT_REFUSED};
  assert_true(recorder_frame(recorder, false));
  man.scene->world->time += 0.1; // a trace's times rise
  plans[1] = (FootPlan){.known = false, .standing = true, .progress = 0.5, .refusal = FOOT_TOO_LOW};
  assert_true(recorder_frame(recorder, false));
  recorder_destroy(recorder);
  assert_true(trace_close(writer, "complete", &error));
  leave(&man);

  TraceReader *reader = trace_open(path, &error);
  remove(path);
  unsigned char standing[2][2];
  float progress[2][2];
  int refusal[2][2];
  assert_true(trace_read(reader, "/characters/stander/feet/standing", TRACE_UINT8, 0, 2, standing, &error) &&
              trace_read(reader, "/characters/stander/feet/progress", TRACE_FLOAT32, 0, 2, progress, &error) &&
              trace_read(reader, "/characters/stander/feet/refusal", TRACE_INT32, 0, 2, refusal, &error));
  trace_reader_close(reader);
  assert_memory_equal(standing, ((const unsigned char[2][2]){{1, 0}, {1, 0}}), sizeof standing);
  assert_memory_equal(progress, ((const float[2][2]){{1, 0.25F}, {1, 0}}), sizeof progress);
  assert_memory_equal(refusal, ((const int[2][2]){{FOOT_CROSSES, 0}, {FOOT_CROSSES, 0}}), sizeof refusal);
}

static void test_plans_are_judged(void **state) {
  (void)state;
  Stander man = standing_man();
  Character *character = man.character;
  FootPlan *plans = character->foot_plans;
  // His feet stand on the ground, at 0; the animation has one of them 30 cm over its own.
  plans[0] = (FootPlan){.known = true, .progress = 0.5, .animated = {0, 0.3, 0}, .clearance = 0.3};
  judge(&man);
  assert_near(metric(character, "foot_clearance_loss_max"), 0.3, 1e-3);
  assert_near(metric(character, "body_foot_clearance_loss_max"), 0.3, 1e-3);

  // The animation moves by 4 cm, and the shown pose by 10 cm; a leg that is shown as the body is, with all below it,
  // does not count.
  judge(&man);
  plans[0].animated[2] += 0.04;
  character->shown.pose.position[0].y += 0.1F;
  judge(&man);
  assert_near(metric(character, "foot_jump_max"), 0.1, 1e-6); // the other foot does not move by itself
  character->shown.blend[0] = 0.01F;
  character->shown.pose.position[0].y += 0.5F;
  judge(&man);
  assert_near(metric(character, "foot_jump_max"), 0.1, 1e-6);
  leave(&man);
}

// If nothing reports where a foot was before placement, it is where the target has it.
static void test_plans_without_foot_placement(void **state) {
  (void)state;
  Stander man = standing_man();
  Character *character = man.character;
  for (int i = 0; i < 2; i++)
    character->foot_plans[i] = (FootPlan){.known = true, .progress = 0.5, .on_ground = i == 1};
  for (int frame = 0; frame < 3; frame++) {
    character->target.position[0].y += 0.2F;
    character->shown.pose = character->target;
    judge(&man);
  }
  assert_near(metric(character, "foot_jump_max"), 0, 1e-6);
  assert_near(metric(character, "foot_clearance_loss_max"), 0, 1e-6);
  assert_near(metric(character, "body_foot_clearance_loss_max"), 0.6, 1e-3);
  leave(&man);
}

// Refusals counted for a stance on the level ground that is shown `up` m over it, of these plans.
static double refusals_of(FootPlan plan, float up, float blend) {
  Stander man = standing_man();
  man.character->foot_plans[0] = plan;
  man.character->foot_plans[1] = (FootPlan){.known = false};
  man.character->shown.pose.position[0].y += up;
  man.character->shown.blend[0] = blend;
  for (int i = 0; i < 3; i++)
    judge(&man);
  const double count = metric(man.character, "foot_refusals_no_ground");
  assert_near(metric(man.character, "foot_refusals"), count, 0);
  leave(&man);
  return count;
}

// A stance that nobody refused but is shown 5 cm over the ground counts as one without ground: once, and only where the
// animation has the foot on its own ground and nothing of the body is shown.
static void test_a_stance_in_the_air_counts_once(void **state) {
  (void)state;
  const FootPlan stance = {.known = true, .standing = true, .animated = {0.1, 0, 0.2}, .heel = 0.002, .toe = 0.02};
  assert_near(refusals_of(stance, 0.06F, 0), 1, 0);
  assert_near(refusals_of(stance, 0.04F, 0), 0, 0);
  assert_near(refusals_of(stance, 0.06F, 0.01F), 0, 0); // shown as the body is
  for (int i = 0; i < 5; i++) {
    FootPlan plan = stance;
    plan.known = i != 0;
    plan.standing = i != 1;
    plan.on_ground = i == 2;
    plan.animated[0] = plan.animated[2] = i == 3 ? 0 : 0.1;
    plan.heel = i == 4 ? 0.004 : 0.002;
    assert_near(refusals_of(plan, 0.06F, 0), 0, 0);
  }
}

// One foot on a disc that turns, measured again and again while the root stays beside it: a foot fixed to the disc does
// not slip on it, and one fixed in the world does.
static void test_feet_ride_with_what_they_stand_on(void **state) {
  (void)state;
  SceneDef *def = small_def("platforms: [{name: disc, size: [2, 0.2, 2], center: [2, 0, 0], turn: 30}]\n"
                            "characters: [{name: doll, body: boxes.yaml}]\n");
  Scene *scene = small_scene(def);
  FootPlatform on = {0}, beside = {0};
  const WorldPlatform *disc = &scene->world->platforms[0];
  const double local[3] = {-0.5, 0.1, 0.3}, away[2] = {-5, 0};
  double most = 0, least = HUGE_VAL;
  while (scene->world->time < 1) {
    const dReal *r = disc->rotation;
    double point[3], still[3] = {2, 0.1, 0.7}, aside[3] = {2, 0.1, 0.7};
    for (int k = 0; k < 3; k++)
      point[k] = disc->position[k] + r[4 * k] * local[0] + r[4 * k + 1] * local[1] + r[4 * k + 2] * local[2];
    foot_platform_frame(&on, scene->world, (const double[2]){point[0], point[2]}, GROUND_HIGHEST);
    foot_platform_frame(&beside, scene->world, away, GROUND_HIGHEST);
    foot_platform_point(&on, point);
    foot_platform_point(&on, still);
    foot_platform_point(&beside, aside);
    most = fmax(most, hypot(point[0] - 1.5, point[2] - 0.3));
    least = hypot(still[0] - 2, still[2] - 0.7);
    assert_near(hypot(aside[0] - 2, aside[2] - 0.7), 0, 0);
    for (int i = 0; i < 8; i++)
      assert_true(scene_step(scene));
  }
  assert_near(most, 0, 1e-9);
  assert_true(least > 0.1);
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_is_known_at_first),
      cmocka_unit_test(test_refusals_are_counted_when_they_begin),
      cmocka_unit_test(test_the_trace_has_the_plans),
      cmocka_unit_test(test_plans_are_judged),
      cmocka_unit_test(test_plans_without_foot_placement),
      cmocka_unit_test(test_a_stance_in_the_air_counts_once),
      cmocka_unit_test(test_feet_ride_with_what_they_stand_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
