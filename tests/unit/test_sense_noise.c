// Unsure senses of reflexes and skills: the noise has the asked size and time whatever the step, each sees it where it
// should, it is saved, and there is none by default.
#include "tests/unit/skill_fixture.h"

#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"

static const double TIME = 0.008; // s

static void near(double value, double wanted, double share) {
  if (!(fabs(value - wanted) <= share * wanted))
    fail_msg("%g, not %g", value, wanted);
}

// 1000 independent values of each: standard deviations to 2 %, and 1/e is left after a time constant.
static void noise_has_the_asked_size_and_time(void **state) {
  (void)state;
  enum { MOST = 8000, PARTS = 3 };
  static double turn[MOST];
  static const int rates[] = {250, 1000};
  const DriveDef def = {.noise_joints = 0.2, .noise_trunk = 1, .noise_turn = 3, .noise_time = TIME};
  for (int k = 0; k < 2; k++) {
    SenseNoise noise;
    sense_noise_init(&noise, 5, 0);
    const int count = 8 * rates[k], later = (int)lround(TIME * rates[k]);
    double joint = 0, trunk = 0, square = 0, product = 0;
    for (int i = 0; i < count; i++) {
      sense_noise_step(&noise, &def, PARTS, 1.0 / rates[k]);
      joint += pow((double)sense_noise_joint(&noise, &def, 2).y, 2) / count;
      trunk += pow((double)sense_noise_trunk(&noise, &def).z, 2) / count;
      turn[i] = (double)sense_noise_turn(&noise, &def).x;
      square += turn[i] * turn[i];
      product += i >= later ? turn[i] * turn[i - later] : 0;
    }
    near(sqrt(joint), 0.2 * RAD_PER_DEGREE, 0.1);
    near(sqrt(trunk), 1 * RAD_PER_DEGREE, 0.1);
    near(sqrt(square / count), 3 * RAD_PER_DEGREE, 0.1);
    near(product / square, exp(-1), 0.15);
  }
}

static void default_is_exact(void **state) {
  (void)state;
  DriveDef def;
  param_defaults(&drive_params, &def);
  SenseNoise noise, before;
  sense_noise_init(&noise, 5, 0);
  before = noise;
  assert_false(sense_noise_is_on(&def));
  sense_noise_step(&noise, &def, BODY_MAX_PARTS, 0.01);
  assert_memory_equal(&noise, &before, sizeof noise); // nothing is drawn
  assert_true(glms_vec3_norm(sense_noise_turn(&noise, &def)) == 0);
  assert_true(glms_vec3_norm(sense_noise_joint(&noise, &def, 1)) == 0);
}

// The reflex of an elbow of 10 N m/rad answers to an angle that is sensed too large by turning it back, and that of the
// head to a turn that it only senses.
static void reflexes_answer_to_it(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  const int elbow = fixture_part(&f, "forearm_l"), head = fixture_part(&f, "head");
  f.body->parts[elbow].joint.reflex_stiffness = 10;
  f.body->parts[elbow].joint.reflex_damping = 0;
  DriveDef def = f.character->drive.def;
  def.reflex_delay = 0;
  float strength[BODY_MAX_PARTS];
  for (int k = 0; k < BODY_MAX_PARTS; k++)
    strength[k] = 1;
  static SenseNoise noise;
  static Reflexes reflexes;
  sense_noise_init(&noise, 5, 0);
  JointGoal goals[3][BODY_MAX_PARTS] = {{{.stiffness = 0}}};
  for (int i = 0; i < 3; i++) {
    def.noise_joints = i == 1;
    def.noise_turn = i == 2;
    reflexes = (Reflexes){0};
    drive_follow(f.body, &f.character->target, &f.character->target, 1.0 / 240, goals[i]);
    reflexes_step(&reflexes, &def, &noise, f.character->ragdoll, &f.character->target, strength, 1.0 / 240, goals[i]);
  }
  const vec3s error = sense_noise_joint(&noise, &(DriveDef){.noise_joints = 1}, elbow);
  const vec3s elbow_torque = glms_vec3_sub(goals[1][elbow].feed_forward_l, goals[0][elbow].feed_forward_l);
  for (int axis = 0; axis < 3; axis++)
    assert_true(fabs((double)elbow_torque.raw[axis] + 10 * (double)error.raw[axis]) < 1e-5);
  assert_true(glms_vec3_norm(error) > 0.001f);
  const vec3s head_torque = glms_vec3_sub(goals[2][head].feed_forward_l, goals[0][head].feed_forward_l);
  assert_true(glms_vec3_dot(head_torque, sense_noise_turn(&noise, &def)) < 0);
  fixture_end(&f);
}

// A skill sees the noise in what it has of trunk and joints, and nowhere else.
static void skills_see_it(void **state) {
  (void)state;
  SkillScene s;
  skill_scene_init(&s, RUNNER(", intent: {speed: 3.5}"));
  skill_scene_add(&s, "run", "rate: 30, speed: [2.5, 4.5]", 0.1);
  Character *runner = skill_scene_start(&s);
  step_scene(s.scene, 1);
  const SkillTable *table = &runner->skill.active->table;
  float exact[SKILL_MAX_INPUTS], unsure[SKILL_MAX_INPUTS];
  character_skill_measure(runner, exact);
  DriveDef *def = &runner->drive.def;
  def->noise_joints = 0.5;
  character_skill_measure(runner, unsure);
  for (int i = 0; i < table->input_count; i++) {
    const int axis = i - table->error_at;
    const bool is_error = axis >= 0 && axis < table->axis_count;
    const vec3s noise = sense_noise_joint(&runner->senses, def, is_error ? table->axis_part[axis] : 1);
    const double wanted = is_error ? -(double)noise.raw[table->axis[axis]] : 0;
    assert_true(fabs((double)(unsure[i] - exact[i]) - wanted) < 1e-6);
  }
  def->noise_joints = 0;
  def->noise_turn = 10;
  character_skill_measure(runner, unsure);
  double turned = 0;
  for (int i = 0; i < table->input_count; i++) {
    const bool is_turn = i >= SKILL_TURN && i < SKILL_TURN + 3;
    turned += is_turn ? pow((double)(unsure[i] - exact[i]), 2) : 0;
    assert_true(is_turn || unsure[i] == exact[i]);
  }
  assert_true(fabs(sqrt(turned) - (double)glms_vec3_norm(sense_noise_turn(&runner->senses, def))) < 1e-5);
  def->noise_turn = 0;
  def->noise_trunk = 2;
  character_skill_measure(runner, unsure);
  for (int i = 0; i < table->input_count; i++) {
    const bool is_tilt = i >= SKILL_TILT && i < SKILL_VELOCITY;
    assert_true(is_tilt || unsure[i] == exact[i]);
  }
  assert_true(fabsf(unsure[SKILL_UP] - exact[SKILL_UP]) + fabsf(unsure[SKILL_UP + 2] - exact[SKILL_UP + 2]) > 1e-3f);
  skill_scene_end(&s);
}

// A walker with reflexes and a skill goes on from a saved state to the bit.
static void noise_is_saved(void **state) {
  (void)state;
  static const char *const overrides[] = {"characters.0.drive={noise_joints: 0.2, noise_trunk: 1, noise_turn: 2}",
                                          "world.solver=reduced"};
  Error error = {0};
  SceneDef *def[2];
  Scene *scenes[2];
  for (int i = 0; i < 2; i++) {
    def[i] = scene_def_read("walk_skill.yaml", overrides, 2, &error);
    scenes[i] = def[i] ? scene_create(def[i], &error) : NULL;
    fixture_check(&error);
    if (!scenes[i])
      exit(1); // not reached
  }
  step_scene(scenes[0], 100);
  const size_t size = scene_state_size(scenes[0]);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  assert_true(scene_state_save(scenes[0], bytes, size, &error));
  assert_true(scene_state_restore(scenes[1], bytes, size, &error));
  free(bytes);
  for (int i = 0; i < 2; i++)
    step_scene(scenes[i], 120);
  const Character *a = scenes[0]->characters[0], *b = scenes[1]->characters[0];
  assert_memory_equal(a->senses.turn, b->senses.turn, sizeof a->senses.turn);
  assert_memory_equal(a->sensed.com, b->sensed.com, sizeof a->sensed.com);
  for (int i = 0; i < 2; i++) {
    scene_destroy(scenes[i]);
    scene_def_free(def[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_has_the_asked_size_and_time),
      cmocka_unit_test(default_is_exact),
      cmocka_unit_test(reflexes_answer_to_it),
      cmocka_unit_test(skills_see_it),
      cmocka_unit_test(noise_is_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
