// Of the shipped scenes: a dash whose motion is all procedural, standing feet beside sliding ones, and a spider that is
// struck.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "sim/base/numbers.h"

static const double DEG = RAD_PER_DEGREE;

static Scene *scene_of(SceneDef **def, const char *name, const char *duration, const char *events) {
  Error error = {0};
  const char *overrides[] = {duration, events};
  *def = scene_def_read(name, overrides, events != NULL ? 2 : 1, &error);
  if (!*def) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  return small_scene(*def);
}

static void step(Scene *scene) {
  if (!scene_step(scene))
    fail_msg("%s", scene->world->stop_reason);
}

static Character *character_of(const Scene *scene, const char *name) {
  for (int i = 0; i < scene->character_count; i++)
    if (strcmp(scene->characters[i]->def->name, name) == 0)
      return scene->characters[i];
  fail_msg("there is no character '%s'", name);
  exit(1);
}

// ---- scenes/dash.yaml ----

static const double DASH = 0.5;         // s: the script's first word
static const double STOP = 0.85 + 0.15; // s: the script's second word, and from 6 m/s to rest at 40 m/s^2
static const double MAN_STEADY = 0.1;   // s: damp_seconds of the men's limbs

// A character from before its first dash on.
typedef struct Dasher {
  const Character *character;
  Pose key, rest;                // the clip's only one, and with layers before the dash
  double peak[BODY_MAX_PARTS];   // rad off the key
  double astray[BODY_MAX_PARTS]; // rad off the rest, now
} Dasher;

static void dasher_start(Dasher *dasher, const Scene *scene, const char *name) {
  *dasher = (Dasher){.character = character_of(scene, name)};
  const Clip *clip = dasher->character->def->move;
  assert_int_equal(clip->key_count, 1);
  clip_sample(clip, 0, &dasher->key);
}

static void dasher_watch(Dasher *dasher, double time) {
  const Pose *target = &dasher->character->target;
  if (time <= DASH)
    dasher->rest = *target;
  for (int i = 1; i < target->count; i++) {
    dasher->peak[i] = fmax(dasher->peak[i], (double)quat_angle_between(target->rotation[i], dasher->key.rotation[i]));
    dasher->astray[i] = (double)quat_angle_between(target->rotation[i], dasher->rest.rotation[i]);
  }
}

static int moved_bones(const Dasher *dasher) {
  int count = 0;
  for (int i = 1; i < dasher->key.count; i++)
    count += dasher->peak[i] >= 5 * DEG;
  return count;
}

static bool is_moving(const Dasher *dasher) {
  return dasher->character->root.speed[0] != 0 || dasher->character->root.speed[1] != 0;
}

// The men's limbs have no whip, so that all joints of a chain settle at once; at rest they are in the key's pose. The
// root's stop is where the joints' paths end.
static void check_man(const Dasher *dasher) {
  const Skeleton *skeleton = &dasher->character->def->body->skeleton;
  int chest = skeleton_find(skeleton, "chest"), head = skeleton_find(skeleton, "head");
  double worst = 0;
  for (int i = 1; i < skeleton->count; i++) {
    bool looks = i == chest || i == head;
    assert_true(looks || (double)quat_angle_between(dasher->rest.rotation[i], dasher->key.rotation[i]) < 0.01 * DEG);
    worst = fmax(worst, dasher->astray[i]);
    if (!(dasher->astray[i] < 0.5 * DEG))
      fail_msg("%s of %s is still %.2f deg off its rest", skeleton->names[i], dasher->character->def->name,
               dasher->astray[i] / DEG);
  }
  printf("  %s: %d bones by 5 deg or more; farthest off its rest %.3f s after the stop: %.3f deg\n",
         dasher->character->def->name, moved_bones(dasher), dasher->character->world->time - STOP, worst / DEG);
}

static void dash_of_the_scene(void **state) {
  (void)state;
  static const char *const names[] = {"man", "man_back", "bird", "bird_aside"};
  Dasher dashers[4];
  SceneDef *def;
  Scene *scene = scene_of(&def, "dash.yaml", "duration=1.5", NULL);
  for (int i = 0; i < 4; i++)
    dasher_start(&dashers[i], scene, names[i]);
  double frame = scene->world->def.dt, settled = STOP + 3.32 * MAN_STEADY + frame, stopped = 0;
  while (scene->world->time + frame <= settled + 1e-9) {
    step(scene);
    for (int i = 0; i < 4; i++)
      dasher_watch(&dashers[i], scene->world->time);
    if (is_moving(&dashers[0]))
      stopped = scene->world->time;
  }
  assert_near(stopped + frame, STOP, frame + 1e-9);
  for (int i = 0; i < 4; i++)
    assert_true(moved_bones(&dashers[i]) >= 6);
  check_man(&dashers[0]);
  check_man(&dashers[1]);
  scene_destroy(scene);
  scene_def_free(def);
}

// Birds' wings are chains with whip: a joint follows one that still moves. The time from the stop until no joint of a
// character is 0.5 deg off its rest any more; at most 3.32 damp_seconds for each joint of its longest chain.
static void all_dashers_settle(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double damp;
    int chain;
  } dashers[] = {{"man", 0.1, 1}, {"man_back", 0.1, 1}, {"bird", 0.12, 3}, {"bird_aside", 0.12, 3}};
  Dasher watched[4];
  double settled[4] = {0};
  SceneDef *def;
  Scene *scene = scene_of(&def, "dash.yaml", "duration=2.9", NULL);
  for (int i = 0; i < 4; i++)
    dasher_start(&watched[i], scene, dashers[i].name);
  for (long k = 0; k < def->step_count; k++) {
    step(scene);
    for (int i = 0; i < 4; i++) {
      dasher_watch(&watched[i], scene->world->time);
      for (int j = 1; j < watched[i].key.count; j++)
        if (watched[i].astray[j] >= 0.5 * DEG)
          settled[i] = scene->world->time;
    }
  }
  for (int i = 0; i < 4; i++) {
    double time = settled[i] - STOP;
    printf("  %s is at rest %.3f s after the stop\n", dashers[i].name, time);
    assert_true(time > 0.05); // it trails
    assert_true(time <= 3.32 * dashers[i].damp * dashers[i].chain + scene->world->def.dt);
  }
  scene_destroy(scene);
  scene_def_free(def);
}

// ---- scenes/lizard.yaml ----

static double slip_of(const Scene *scene, const char *name) {
  double slip;
  assert_true(metrics_value(character_of(scene, name)->judged->metrics, "output_foot_slip_mean", &slip));
  return slip;
}

// As animation, legs that step by themselves against a blend space of clips; beside it the same legs on a body that
// they carry. The drill up to after its first turn: forward, then to the left.
static void slip_against_a_blend_space(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = scene_of(&def, "lizard.yaml", "duration=8", NULL);
  for (long i = 0; i < def->step_count; i++)
    step(scene);
  double blended = slip_of(scene, "blended"), animated = slip_of(scene, "animated"),
         powered = slip_of(scene, "powered");
  printf("  a foot slips in a stance by %.1f mm blended, %.2g mm by its own legs, %.1f mm powered: ratios %.3g, "
         "%.3g\n",
         1e3 * blended, 1e3 * animated, 1e3 * powered, blended / animated, blended / powered);
  assert_true(blended > 0.01);
  assert_true(blended >= 20 * animated);
  // Bodies that are carried by their legs give way, and are shown as they do: 5.1 mm of 46.6.
  assert_true(powered <= blended / 8);
  scene_destroy(scene);
  scene_def_free(def);
}

// ---- scenes/spider.yaml, struck ----

// Legs whose knees are no hinges about x are shown part animated, part physical, and still bend as legs of a spider.
static void test_legs_of_a_struck_spider_do_not_jump(void **state) {
  (void)state;
  SceneDef *def;
  Scene *scene = scene_of(&def, "spider.yaml", "duration=2", "events=[{time: 1, part: prosoma, impulse: 8}]");
  for (long i = 0; i < def->step_count; i++)
    step(scene);
  double jump; // deg
  assert_true(metrics_value(scene->characters[0]->judged->metrics, "output_jump_max_angle", &jump));
  assert_true(jump > 0 && jump < 2);
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dash_of_the_scene),
      cmocka_unit_test(all_dashers_settle),
      cmocka_unit_test(slip_against_a_blend_space),
      cmocka_unit_test(test_legs_of_a_struck_spider_do_not_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
