// Muscles: a joint's torque follows what its drive asks by the formula, in ODE and in the reduced solver, and a body
// with muscles stands still.
#include "sim/base/numbers.h"
#include "tests/fixture.h"
#include "tests/unit/small_scene.h"

static const MuscleLag LAG = {.rise = 0.01, .fall = 0.04}; // s
static const double STEP = 1.0 / 240, STRENGTH = 50;       // s, N m

static double ask(Muscle *muscle, const MuscleLag *lag, double asked, int steps) {
  double torque = 0;
  for (int i = 0; i < steps; i++)
    torque = muscle_step(muscle, lag, asked, STRENGTH, STEP);
  return torque;
}

static void rises_and_falls_exactly(void **state) {
  (void)state;
  Muscle muscle = {0};
  double peak = 20 * (1 - exp(-5 * STEP / LAG.rise));
  assert_true(fabs(ask(&muscle, &LAG, 20, 5) - peak) < 1e-12);
  assert_true(fabs(ask(&muscle, &LAG, 0, 7) - peak * exp(-7 * STEP / LAG.fall)) < 1e-12);
}

// The other one of the pair rises while the first still pulls.
static void turns_round_exactly(void **state) {
  (void)state;
  Muscle muscle = {0};
  ask(&muscle, &LAG, 20, 200);
  double torque = 20 * exp(-3 * STEP / LAG.fall) - 10 * (1 - exp(-3 * STEP / LAG.rise));
  assert_true(fabs(ask(&muscle, &LAG, -10, 3) - torque) < 1e-9);
  assert_true(fabs(ask(&muscle, &LAG, -10, 400) + 10) < 1e-9);
}

static void is_as_strong_as_the_joint_and_no_faster_than_its_rate(void **state) {
  (void)state;
  Muscle muscle = {0};
  assert_true(fabs(ask(&muscle, &LAG, 900, 4) - STRENGTH * (1 - exp(-4 * STEP / LAG.rise))) < 1e-12);
  assert_true(fabs(ask(&muscle, &LAG, 900, 400) - STRENGTH) < 1e-9);
  const MuscleLag slow = {.rate = 5};
  muscle = (Muscle){0};
  assert_true(fabs(ask(&muscle, &slow, 900, 12) - 5 * STRENGTH * 12 * STEP) < 1e-12);
  assert_true(fabs(ask(&muscle, &slow, 20, 24) - 20) < 1e-12);
  const MuscleLag none = {0};
  assert_true(ask(&muscle, &none, -33, 1) == -33);
}

// The lag begins anew from what the motor has given.
static void goes_on_from_the_given_torque(void **state) {
  (void)state;
  Muscle muscle = {0};
  ask(&muscle, &LAG, 20, 3);
  muscle_gave(&muscle, 5);
  assert_true(fabs(ask(&muscle, &LAG, 20, 2) - (20 - 15 * exp(-2 * STEP / LAG.rise))) < 1e-12);
}

// The torque of an elbow in the air, N m, at the end of each step: asked 8 N m for 24 steps, then none for 24.
static void elbow_torques(Solver solver, double torques[48]) {
  Fixture f;
  fixture_init(&f);
  f.terrain_def.endless = false;
  f.terrain_def.height = -50;
  f.character_def.start.position[1] = 60;
  f.world_def.solver = solver;
  f.character_def.drive.muscle_rise = LAG.rise;
  f.character_def.drive.muscle_fall = LAG.fall;
  fixture_start(&f);
  Character *c = f.character;
  int elbow = fixture_part(&f, "forearm_l");
  for (int i = 0; i < 48; i++) {
    JointGoal goals[BODY_MAX_PARTS];
    drive_follow(f.body, &c->target, &c->target, STEP, goals);
    goals[elbow].stiffness = 1e-5; // N m/rad: the feed-forward is all
    goals[elbow].damping = 0;
    goals[elbow].feed_forward_l = (vec3s){{i < 24 ? -8.0f : 0, 0, 0}};
    drive_apply(&c->drive, c->ragdoll, goals, STEP);
    ragdoll_update_limits(c->ragdoll);
    assert_true(world_step(f.world));
    ragdoll_read_torques(c->ragdoll);
    torques[i] = length3(c->ragdoll->joints[elbow].torque_w);
  }
  fixture_end(&f);
}

static void moves_a_joint_exactly(void **state) {
  (void)state;
  const Solver solvers[] = {SOLVER_STEP, SOLVER_REDUCED};
  for (int k = 0; k < 2; k++) {
    double torques[48], peak = 8 * (1 - exp(-24 * STEP / LAG.rise));
    elbow_torques(solvers[k], torques);
    for (int i = 0; i < 48; i++) {
      double wanted = i < 24 ? 8 * (1 - exp(-(i + 1) * STEP / LAG.rise)) : peak * exp(-(i - 23) * STEP / LAG.fall);
      if (fabs(torques[i] - wanted) > 1e-4)
        fail_msg("solver %d, step %d: %g N m, not %g", (int)solvers[k], i, torques[i], wanted);
    }
  }
}

// With a lag of stiffness and damping as well he would tremble: 900 W.
static void stands_still(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  f.character_def.drive.muscle_rise = LAG.rise;
  f.character_def.drive.muscle_fall = LAG.fall;
  fixture_start(&f);
  double power = 0;
  for (int i = 0; i < 480; i++) {
    assert_true(fixture_step(&f));
    for (int k = 1; i >= 240 && k < f.body->part_count; k++)
      power += fabs(f.character->ragdoll->joints[k].power) / 240;
  }
  print_message("%g W\n", power);
  assert_true(power < 1);
  assert_false(f.character->sensed.fallen);
  fixture_end(&f);
}

// The world's hash after half a second in which a hinge of some strength is driven far, by muscles.
static uint64_t driven_by(const char *strength) {
  char body[1200];
  FileSet files = {.sealed = false};
  Error error = {0};
  const char *joint = strstr(BOXES, "joint: {kind: ball");
  const int length = snprintf(body, sizeof body,
                              "%.*sjoint: {kind: hinge, twist_axis: x, position: [0, 1.2, 0], %s}\n    shapes: "
                              "[{sphere: 0.1, center: [0, 1.4, 0]}]\n",
                              (int)(joint - BOXES), BOXES, strength);
  files_put(&files, "hinged.yaml", body, (size_t)length);
  files_put(&files, "nod.yaml", NOD, sizeof NOD - 1);
  files.sealed = true;
  SceneDef *def =
      scene_def_from_text("hinge.yaml",
                          "duration: 0.5\nworld: {gravity: [0, 0, 0]}\ncharacters: [{name: doll, body: "
                          "hinged.yaml, animation: {move: nod.yaml}, intent: {speed: 1}, drive: {stiffness: 4, "
                          "muscle_rise: 0.08, muscle_fall: 0.1, muscle_rate: 20}}]\n",
                          &files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    return 0;
  }
  Scene *scene = small_scene(def);
  for (long i = 0; i < def->step_count; i++)
    assert_true(scene_step(scene));
  const uint64_t hash = world_hash(scene->world);
  scene_destroy(scene);
  scene_def_free(def);
  return hash;
}

// About a single axis the strength of that axis is the joint's, also for how fast its muscles follow.
static void test_muscles_have_the_strength_of_their_axis(void **state) {
  (void)state;
  const uint64_t weak = driven_by("strength: 3");
  assert_true(driven_by("strength: 30, axis_strength: [3, 0, 0]") == weak);
  assert_true(driven_by("strength: 3, axis_strength: [30, 0, 0]") == weak);
  assert_true(driven_by("strength: 30") != weak);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_muscles_have_the_strength_of_their_axis),
      cmocka_unit_test(rises_and_falls_exactly),
      cmocka_unit_test(turns_round_exactly),
      cmocka_unit_test(is_as_strong_as_the_joint_and_no_faster_than_its_rate),
      cmocka_unit_test(goes_on_from_the_given_torque),
      cmocka_unit_test(moves_a_joint_exactly),
      cmocka_unit_test(stands_still),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
