// The shipped scene of an attack: a clip with root motion takes the whole body over from the layers and gives it back.
// Flavour: an additive animation shows on top of the layers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes/run/scene.h"
#include "sim/base/files.h"

static const double DEG = M_PI / 180;
// s: events of the scene; when layers come back, and when all is back
static const double SHAKE = 2, SHAKEN = 3.6, ATTACK = 6, RETURN = 7.8, LAST = 8.6;
static const double TRAVEL = 0.3; // m: the clip's root motion
enum { STEPS_A_FRAME = 4 };       // of 1/240 s
enum { ANIMATED, POWERED };       // characters of the scene

static Scene *start(SceneDef **def, const char *const *overrides, int count) {
  Error error = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/lizard_attack.yaml", files_scenes_folder());
  *def = scene_def_read(path, overrides, count, &error);
  Scene *scene = *def ? scene_create(*def, &error) : NULL;
  if (!scene)
    fail_msg("%s", error.text);
  return scene;
}

static void frame(Scene *scene) {
  for (int i = 0; i < STEPS_A_FRAME; i++)
    if (!scene_step(scene))
      fail_msg("%s", scene->world->stop_reason);
}

static void run_to(Scene *scene, double time) {
  while (scene->world->time < time - 1e-6)
    frame(scene);
}

// The soles' positions, m: the body's own, or those of the animation if there is no body.
static void find_soles(const Character *character, vec3s *soles) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const Pose *pose = character->drive.def.kinematic ? &character->target : &character->sensed.pose;
  ModelPose pose_w;
  pose_to_model(skeleton, pose, &pose_w);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    soles[i] = glms_vec3_add(pose_w.position[leg->ankle], glms_quat_rotatev(pose_w.rotation[leg->ankle], leg->sole_l));
  }
}

// What a takeover does to the target pose.
typedef struct Takeover {
  double beyond;           // rad in 1/60 s: the most that a joint turns beyond what the clips turn it in that time
  double slide;            // m: the farthest that a standing sole moves over the ground in all, from the event on
  double return_slide;     // m: the part of it while the layers come back
  int stood;               // frames of the return in which the least standing sole stands
  double travel;           // m: the root's motion ahead
  float least[LAYERS_MAX]; // weights of the layers at their least
} Takeover;

static double turned(const Pose *a, const Pose *b, int joint) {
  return (double)quat_angle_between(a->rotation[joint], b->rotation[joint]);
}

// The motion of the soles that are on the ground before and after a frame.
typedef struct Standing {
  double slides[SKELETON_MAX_LEGS]; // m
  int frames[SKELETON_MAX_LEGS];
} Standing;

static void add_frame(const vec3s *before, const vec3s *after, int count, Standing *standing) {
  for (int i = 0; i < count; i++)
    if (before[i].y < 0.001f && after[i].y < 0.001f) {
      standing->slides[i] += hypot((double)(after[i].x - before[i].x), (double)(after[i].z - before[i].z));
      standing->frames[i]++;
    }
}

static Takeover watch(Scene *scene, const Character *character) {
  int legs = character->def->body->skeleton.leg_count;
  Takeover takeover = {0};
  vec3s soles[SKELETON_MAX_LEGS];
  Standing whole = {0}, back = {0};
  double start_z = character->root.position[2];
  for (int i = 0; i < character->layers.count; i++)
    takeover.least[i] = 1;
  find_soles(character, soles);
  while (scene->world->time < LAST - 1e-6) {
    Pose target = character->target, clip = character->play.graph.pose;
    vec3s before[SKELETON_MAX_LEGS];
    memcpy(before, soles, sizeof soles);
    frame(scene);
    for (int i = 0; i < target.count; i++) {
      double by_clip = turned(&character->play.graph.pose, &clip, i);
      takeover.beyond = fmax(takeover.beyond, turned(&character->target, &target, i) - by_clip);
    }
    find_soles(character, soles);
    add_frame(before, soles, legs, &whole);
    if (scene->world->time > RETURN)
      add_frame(before, soles, legs, &back);
    for (int i = 0; i < character->layers.count; i++)
      takeover.least[i] = fminf(takeover.least[i], character->layers.layers[i].weight);
  }
  takeover.stood = back.frames[0];
  for (int i = 0; i < legs; i++) {
    takeover.slide = fmax(takeover.slide, whole.slides[i]);
    takeover.return_slide = fmax(takeover.return_slide, back.slides[i]);
    takeover.stood = back.frames[i] < takeover.stood ? back.frames[i] : takeover.stood;
  }
  takeover.travel = character->root.position[2] - start_z;
  return takeover;
}

static Takeover take_over(int index) {
  SceneDef *def;
  Scene *scene = start(&def, NULL, 0);
  const Character *character = scene->characters[index];
  run_to(scene, ATTACK);
  Takeover takeover = watch(scene, character);
  printf("  %s: joints turn by at most %.2f deg in 1/60 s beyond the clips; standing soles slide %.1f mm, %.2f mm "
         "of it in the %d frames of the return; the root goes %.2f mm\n",
         character->def->name, takeover.beyond / DEG, 1e3 * takeover.slide, 1e3 * takeover.return_slide, takeover.stood,
         1e3 * takeover.travel);
  for (int i = 0; i < character->layers.count; i++) {
    assert_true(takeover.least[i] == 0);
    assert_true(character->layers.layers[i].weight == 1);
  }
  scene_destroy(scene);
  scene_def_free(def);
  return takeover;
}

static void root_motion_takeover(void **state) {
  (void)state;
  Takeover takeover = take_over(ANIMATED);
  assert_true(takeover.beyond <= 1 * DEG && takeover.stood > 30);
  assert_true(takeover.slide < 0.005 && takeover.return_slide < 0.0005);
  assert_true(fabs(takeover.travel - TRAVEL) < 1e-5);
}

// By its feet alone it does not get as far as the clip, and its root stays with it.
static void root_motion_takeover_powered(void **state) {
  (void)state;
  Takeover takeover = take_over(POWERED);
  assert_true(takeover.beyond <= 1 * DEG && takeover.stood > 30);
  assert_true(takeover.return_slide < 0.0005);
  assert_true(takeover.travel > 0.15 && takeover.travel < TRAVEL);
}

// ---- Flavour ----

static int joint_of(const Character *character, const char *name) {
  const BodyDef *body = character->def->body;
  for (int i = 0; i < body->part_count; i++)
    if (strcmp(body->parts[i].name, name) == 0)
      return i;
  fail_msg("there is no %s", name);
  return 0;
}

// Beside the same walk without it: the head shakes, the feet do not react, and no effect remains.
static void test_flavour_shows_on_top_of_layers(void **state) {
  (void)state;
  static const char *const calm_walk[] = {"characters.animated.script=[{time: 1, speed: 0.5}]"};
  SceneDef *shaken_def, *calm_def;
  Scene *shaken = start(&shaken_def, NULL, 0), *calm = start(&calm_def, calm_walk, 1);
  const Character *a = shaken->characters[ANIMATED], *b = calm->characters[ANIMATED];
  int head = joint_of(a, "head"), legs = a->def->body->skeleton.leg_count;
  double most = 0, feet = 0;
  while (shaken->world->time < SHAKEN) {
    frame(shaken);
    frame(calm);
    double apart = turned(&a->target, &b->target, head);
    assert_true(shaken->world->time > SHAKE || apart < 0.01 * DEG);
    most = fmax(most, apart);
    vec3s soles[2][SKELETON_MAX_LEGS];
    find_soles(a, soles[0]);
    find_soles(b, soles[1]);
    for (int i = 0; i < legs; i++)
      feet = fmax(feet, (double)glms_vec3_distance(soles[0][i], soles[1][i]));
  }
  run_to(shaken, SHAKEN + 0.3);
  run_to(calm, SHAKEN + 0.3);
  printf("  flavour: the head turns by %.1f deg more than without, soles are %.3f mm apart\n", most / DEG, 1e3 * feet);
  assert_true(most > 10 * DEG);
  assert_true(feet < 1e-4);
  assert_true(turned(&a->target, &b->target, head) < 0.1 * DEG);
  scene_destroy(shaken);
  scene_destroy(calm);
  scene_def_free(shaken_def);
  scene_def_free(calm_def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(root_motion_takeover),
      cmocka_unit_test(root_motion_takeover_powered),
      cmocka_unit_test(test_flavour_shows_on_top_of_layers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
