// Unsure senses: the noise has the asked size and time whatever the step, comes from the seed, is saved, and is none
// by default.
#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double TIME = 0.008; // s

static void start(Fixture *f, double dt, double velocity, double trunk, double joints) {
  fixture_init(f);
  f->world_def.dt = dt;
  f->world_def.solver = SOLVER_REDUCED;
  BalanceDef *def = &f->character_def.balance;
  def->enabled = true;
  def->noise_time = TIME;
  def->noise_velocity = velocity;
  def->noise_trunk = trunk;
  def->noise_joints = joints;
  fixture_start(f);
}

// What balance has of a thing, less what it was when balance measured it, at the end of the step before.
typedef struct Errors {
  double velocity, pelvis[2], sole; // m/s; rad about x and z; m ahead
} Errors;

static Errors next_errors(Fixture *f) {
  const Character *c = f->character;
  const Balancer *balance = &c->balance;
  const BalanceLeg *leg = &balance->body.legs[BALANCE_LEFT];
  double sole[3], velocity = c->sensed.com_velocity[2];
  versors pelvis = c->sensed.pose.rotation[0];
  ragdoll_point(c->ragdoll, leg->leg->ankle, leg->leg->sole_l, sole);
  if (!fixture_step(f))
    fail_msg("%s", f->world->stop_reason);
  vec3s turn = quat_log(glms_quat_mul(balance->pelvis, glms_quat_conjugate(pelvis)));
  return (Errors){.velocity = balance->velocity[2] - velocity,
                  .pelvis = {(double)turn.x, (double)turn.z},
                  .sole = balance->feet[BALANCE_LEFT].sole[2] - sole[2]};
}

// Root mean squares over 8 s.
static Errors root_mean_square(Fixture *f) {
  Errors sum = {0};
  int count = (int)(8 / f->world_def.dt);
  for (int i = 0; i < count; i++) {
    Errors errors = next_errors(f);
    sum.velocity += errors.velocity * errors.velocity / count;
    sum.sole += errors.sole * errors.sole / count;
    for (int k = 0; k < 2; k++)
      sum.pelvis[k] += errors.pelvis[k] * errors.pelvis[k] / count;
  }
  return (Errors){sqrt(sum.velocity), {sqrt(sum.pelvis[0]), sqrt(sum.pelvis[1])}, sqrt(sum.sole)};
}

static void near(double value, double wanted, double share) {
  if (fabs(value - wanted) > share * wanted)
    fail_msg("%g, not %g", value, wanted);
}

// 500 independent values give a standard deviation to 3 %.
static void noise_has_the_asked_size(void **state) {
  (void)state;
  Fixture f;
  start(&f, 1.0 / 240, 0.01, 0, 0);
  Errors errors = root_mean_square(&f);
  near(errors.velocity, 0.01, 0.1);
  assert_true(errors.pelvis[0] < 1e-6 && errors.pelvis[1] < 1e-6 && errors.sole < 1e-6);
  double height = f.character->sensed.com[1];
  fixture_end(&f);

  start(&f, 1.0 / 240, 0, 0.5, 0); // the foot is felt where a trunk that leans would have it
  errors = root_mean_square(&f);
  near(errors.pelvis[0], 0.5 * RAD_PER_DEGREE, 0.1);
  near(errors.pelvis[1], 0.5 * RAD_PER_DEGREE, 0.1);
  near(errors.sole, 0.5 * RAD_PER_DEGREE * height, 0.12);
  assert_true(errors.velocity < 1e-9);
  fixture_end(&f);

  start(&f, 1.0 / 240, 0, 0, 0.2); // hip, knee and ankle above the sole
  const BalanceLeg *leg = &f.character->balance.body.legs[BALANCE_LEFT];
  double shin = leg->shin + leg->foot_height, whole = leg->thigh + shin;
  errors = root_mean_square(&f);
  near(errors.sole, 0.2 * RAD_PER_DEGREE * sqrt(whole * whole + shin * shin + leg->foot_height * leg->foot_height),
       0.12);
  assert_true(errors.pelvis[0] < 1e-6 && errors.velocity < 1e-9);
  fixture_end(&f);
}

// After one time constant 1/e of an error is left, by any step.
static void noise_has_the_asked_time(void **state) {
  (void)state;
  const int rates[] = {250, 750};
  for (int k = 0; k < 2; k++) {
    Fixture f;
    start(&f, 1.0 / rates[k], 0.01, 0, 0);
    enum { MOST = 6000 };
    static double errors[MOST];
    int count = 8 * rates[k], later = (int)(TIME * rates[k] + 0.5);
    double square = 0, product = 0;
    for (int i = 0; i < count; i++) {
      errors[i] = next_errors(&f).velocity;
      square += errors[i] * errors[i];
      product += i >= later ? errors[i] * errors[i - later] : 0;
    }
    print_message("%d Hz: %.3f\n", rates[k], product / square);
    assert_true(fabs(product / square - exp(-1)) < 0.06);
    assert_true(fabs(sqrt(square / count) - 0.01) < 0.001);
    fixture_end(&f);
  }
}

static void noise_is_the_seeds(void **state) {
  (void)state;
  Errors first[2];
  for (int i = 0; i < 2; i++) {
    Fixture f;
    start(&f, 1.0 / 240, 0.01, 1, 0.2);
    for (int k = 0; k < 50; k++)
      first[i] = next_errors(&f);
    fixture_end(&f);
  }
  assert_memory_equal(&first[0], &first[1], sizeof first[0]);
}

static void default_is_exact(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  for (int i = 0; i < 20; i++) {
    Errors errors = next_errors(&f);
    assert_true(errors.velocity == 0 && errors.sole == 0);
  }
  fixture_end(&f);
}

static Scene *open_scene(SceneDef **def) {
  const char *const overrides[] = {"characters.man.balance={enabled: true, delay: 0.1, noise_velocity: 0.003, "
                                   "noise_trunk: 1, noise_joints: 0.2}",
                                   "characters.man.drive={muscle_rise: 0.01, muscle_fall: 0.04, muscle_rate: 30}",
                                   "events.0.time=0.2", "world.solver=reduced"};
  Error error = {0};
  *def = scene_def_read("stand_push.yaml", overrides, 4, &error);
  Scene *scene = *def ? scene_create(*def, &error) : NULL;
  if (!scene) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return scene;
}

static void steps(Scene *scene, int count) {
  for (int i = 0; i < count; i++)
    assert_true(scene_step(scene));
}

// Noise and muscles go on from a saved state to the bit, in another scene too.
static void nerves_and_muscles_are_saved(void **state) {
  (void)state;
  SceneDef *def[2];
  Scene *scenes[2] = {open_scene(&def[0]), open_scene(&def[1])};
  Error error = {0};
  steps(scenes[0], 100); // in the middle of the push's response
  size_t size = scene_state_size(scenes[0]);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  assert_true(scene_state_save(scenes[0], bytes, size, &error));
  assert_true(scene_state_restore(scenes[1], bytes, size, &error));
  free(bytes);
  for (int i = 0; i < 2; i++)
    steps(scenes[i], 120);
  const Character *a = scenes[0]->characters[0], *b = scenes[1]->characters[0];
  assert_memory_equal(a->balance.noise.value, b->balance.noise.value, sizeof a->balance.noise.value);
  assert_memory_equal(a->drive.muscles, b->drive.muscles, sizeof a->drive.muscles);
  assert_memory_equal(a->sensed.com, b->sensed.com, sizeof a->sensed.com);
  for (int i = 0; i < 2; i++) {
    scene_destroy(scenes[i]);
    scene_def_free(def[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_has_the_asked_size),     cmocka_unit_test(noise_has_the_asked_time),
      cmocka_unit_test(noise_is_the_seeds),           cmocka_unit_test(default_is_exact),
      cmocka_unit_test(nerves_and_muscles_are_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
