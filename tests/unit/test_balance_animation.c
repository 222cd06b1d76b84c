// A balancing man with an animation on top: his weight, pelvis, trunk and arms follow it, his feet stay.
#include "tests/unit/small_scene.h"

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/character/character_graph.h"
#include "sim/base/numbers.h"

static SceneDef *read_named(const char *name, const char *const *overrides, int count) {
  Error error = {0};
  SceneDef *def = scene_def_read(name, overrides, count, &error);
  assert_string_equal(error.text, "");
  return def;
}

static SceneDef *read_scene(void) { return read_named("stand_idle", NULL, 0); }

static void run(Scene *scene, double seconds) {
  for (int i = (int)(seconds / scene->world->def.dt + 0.5); i > 0; i--)
    if (!scene_step(scene))
      fail_msg("%s", scene->world->stop_reason);
}

// How far the feet have gone since they were remembered, m.
static double feet_moved(const Character *man, double feet[2][3], bool remember) {
  double most = 0;
  for (int i = 0; i < 2; i++) {
    const double *sole = man->balance.feet[i].sole;
    for (int axis = 0; axis < 3; axis++)
      most = fmax(most, fabs(sole[axis] - feet[i][axis]));
    if (remember)
      memcpy(feet[i], sole, sizeof feet[i]);
  }
  return most;
}

// The bind pose shifts nothing, to the last bit; a clip and its mirror image shift equally to either side.
static void shift_is_read_from_the_pose(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = read_scene();
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  const char *const names[] = {"clips/idle_shift_left.yaml", "clips/idle_shift_right.yaml"};
  BalanceCommand command[3] = {{.heading = 0}};
  for (int i = 0; i < 2; i++) {
    Pose pose;
    Clip *clip = clip_read(&def->files, names[i], &man->def->body->skeleton, &error);
    assert_string_equal(error.text, "");
    clip_sample(clip, 0, &pose);
    clip_free(clip);
    balance_read_animation(&man->balance, man->ragdoll, &pose, &command[i]);
  }
  Pose bind = pose_bind(&man->def->body->skeleton);
  balance_read_animation(&man->balance, man->ragdoll, &bind, &command[2]);
  assert_true(command[2].shift.x == 0 && command[2].shift.z == 0);
  assert_true(command[2].tilt.x == 0 && command[2].tilt.y == 0 && command[2].tilt.z == 0);
  assert_true(command[0].shift.x > 0.025 && command[0].shift.x < 0.06); // m: the clip's pelvis moves by 0.055
  assert_near(command[1].shift.x, -command[0].shift.x, 1e-4);
  assert_near(command[1].shift.z, command[0].shift.z, 1e-4);
  assert_near((double)command[0].tilt.z, 3.5 * RAD_PER_DEGREE, 0.002);
  scene_destroy(scene);
  scene_def_free(def);
}

// Every second: the centre of mass against the animation's, and the feet.
static void weight_and_pose_follow_the_idle(void **state) {
  (void)state;
  SceneDef *def = read_scene();
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  double feet[2][3] = {{0}}, low = 0, high = 0, lag = 0, off = 0;
  run(scene, 1);
  feet_moved(man, feet, true);
  for (int i = 0; i < 40; i++) {
    run(scene, 1);
    const Balancer *balance = &man->balance;
    double middle = (balance->feet[0].sole[0] + balance->feet[1].sole[0]) / 2, side = man->sensed.com[0] - middle;
    low = fmin(low, side);
    high = fmax(high, side);
    lag += fabs(side - balance->shift.x) / 40;
    for (int k = 1; k < man->def->body->part_count; k++)
      off = fmax(off, (double)man->sensed.joint_error[k]);
    assert_true(feet_moved(man, feet, false) < 1e-4);
  }
  if (!(low < -0.02 && high > 0.02 && lag < 0.006 && off < 4 * RAD_PER_DEGREE))
    fail_msg("weight from %g to %g m, %g m behind in the mean; joints off by up to %g rad", low, high, lag, off);
  assert_int_equal(man->balance.steps + man->balance.realigning_steps, 0);
  scene_destroy(scene);
  scene_def_free(def);
}

// The fist moves as fast as in the clip. This moves the feet a little, but the man does not fall.
static void strikes_without_a_fall(void **state) {
  (void)state;
  SceneDef *def = read_scene();
  Scene *scene = small_scene(def);
  Character *man = scene->characters[0];
  int hand = skeleton_find(&def->characters[0].body->skeleton, "hand_r");
  double feet[2][3] = {{0}}, reach = 0;
  run(scene, 2);
  feet_moved(man, feet, true);
  for (int strike = 0; strike < 2; strike++) {
    character_graph_event(man, "punch");
    for (int i = 0; i < 60; i++) {
      run(scene, 0.05);
      double place[3];
      ragdoll_point(man->ragdoll, hand, GLMS_VEC3_ZERO, place);
      reach = fmax(reach, place[2] - man->sensed.com[2]);
      assert_false(man->sensed.fallen);
    }
  }
  double moved = feet_moved(man, feet, false);
  if (!(reach > 0.4 && moved < 0.1 && length3(man->sensed.com_velocity) < 0.05))
    fail_msg("reached %g m ahead, feet moved by %g m", reach, moved);
  assert_int_equal(man->balance.mode, BALANCE_STANDING);
  scene_destroy(scene);
  scene_def_free(def);
}

static int count_self_contacts(const World *world) {
  int count = 0;
  for (int i = 0; i < world->contact_count; i++)
    count += world->contacts[i].other != WORLD_GROUND;
  return count;
}

// rad that an upper arm points forward, in the world.
static double arm_pitch(const Character *man, const char *part) {
  int joint = skeleton_find(&man->def->body->skeleton, part);
  vec3s along = glms_quat_rotatev(balance_part_rotation(man->ragdoll, joint), (vec3s){{0, -1, 0}});
  return atan2((double)along.z, (double)-along.y);
}

// Arms swing against the legs, about 30 deg from end to end (Murray, Sepic and Barnard 1967, Phys. Ther. 47:272-284:
// 32 deg in free walking), and touch nothing.
static void check_arms(const char *speed, const char *animation) {
  char script[96];
  snprintf(script, sizeof script, "characters.man.script=[{time: 0.2, speed: %s}]", speed);
  const char *const overrides[] = {"world.dt=1/120", "expect=[]", script, animation};
  SceneDef *def = read_named("walk_free", overrides, 4);
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  const BalanceFoot *feet = man->balance.feet;
  double low = HUGE_VAL, high = -HUGE_VAL, with[2] = {0}, both = 0;
  int touches = 0;
  run(scene, 4);
  for (int i = 0; i < 600; i++) {
    run(scene, scene->world->def.dt);
    double left = arm_pitch(man, "upper_arm_l"), arms = left - arm_pitch(man, "upper_arm_r");
    double legs = feet[BALANCE_LEFT].ankle[2] - feet[BALANCE_RIGHT].ankle[2];
    low = fmin(low, left);
    high = fmax(high, left);
    with[0] += arms * arms;
    with[1] += legs * legs;
    both += arms * legs;
    touches += count_self_contacts(scene->world);
  }
  double range = (high - low) / RAD_PER_DEGREE, correlation = both / sqrt(with[0] * with[1]);
  if (!(correlation < -0.85 && range > 24 && range < 45 && touches == 0 && !man->sensed.fallen))
    fail_msg("%s m/s, %s: arms swing %g deg, with the legs %g, %d contacts", speed, animation, range, correlation,
             touches);
  scene_destroy(scene);
  scene_def_free(def);
}

static void arms_swing_against_the_legs(void **state) {
  (void)state;
  check_arms("1", "characters.man.animation={}");
  check_arms("1.4", "characters.man.animation={}");
  check_arms("1", "characters.man.animation={move: clips/walk.yaml}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shift_is_read_from_the_pose),
      cmocka_unit_test(weight_and_pose_follow_the_idle),
      cmocka_unit_test(strikes_without_a_fall),
      cmocka_unit_test(arms_swing_against_the_legs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
