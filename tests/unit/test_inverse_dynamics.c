// Inverse dynamics against weights and levers, free fall, and the motion of ODE's bodies under the torques.
#include "tests/fixture.h"

#include "ragdoll/body/inverse_dynamics.h"
#include "sim/base/numbers.h"

static const double GRAVITY[3] = {0, -9.80665, 0};
static const char *const ARM[] = {"upper_arm_l", "forearm_l", "hand_l"};

static void setup(Fixture *f) {
  fixture_init(f);
  fixture_start(f);
}

// Left arm raised to the side by an angle, rad; all else as in the bind pose.
static Pose raised(const Fixture *f, double angle) {
  Pose pose = pose_bind(&f->body->skeleton);
  pose.rotation[fixture_part(f, ARM[0])] = quat_exp((vec3s){{0, 0, (float)angle}});
  return pose;
}

// N m about z at the left shoulder by the weights of the arm's parts, and its moment of inertia about it, kg m^2.
static double weigh_arm(const Fixture *f, double angle, double *inertia) {
  const double *shoulder = f->body->parts[fixture_part(f, ARM[0])].joint.position;
  double torque = 0;
  *inertia = 0;
  for (int i = 0; i < 3; i++) {
    const PartDef *part = &f->body->parts[fixture_part(f, ARM[i])];
    double x = part->com[0] - shoulder[0], y = part->com[1] - shoulder[1];
    torque += part->mass * -GRAVITY[1] * (x * cos(angle) - y * sin(angle));
    *inertia += part->inertia[2] + part->mass * (x * x + y * y);
  }
  return torque;
}

static void an_arm_at_rest_is_held_by_its_weight_times_its_lever(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  for (int i = 0; i <= 6; i++) {
    double angle = i * 15 * RAD_PER_DEGREE, inertia, wanted = weigh_arm(&f, angle, &inertia);
    Pose pose = raised(&f, angle);
    vec3s torque[BODY_MAX_PARTS];
    inverse_dynamics(f.character->ragdoll, pose.rotation, NULL, GRAVITY, torque);
    double found = (double)torque[fixture_part(&f, ARM[0])].z;
    assert_true(fabs(found - wanted) < 1e-4 * (1 + fabs(wanted)));
  }
  fixture_end(&f);
}

static void an_accelerated_arm_takes_its_inertia_in_addition(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  double angle = 0.7, inertia, weight = weigh_arm(&f, angle, &inertia);
  Pose pose = raised(&f, angle);
  PoseMotion motion = {0};
  motion.turn_change[fixture_part(&f, ARM[0])].z = 5;
  vec3s torque[BODY_MAX_PARTS];
  inverse_dynamics(f.character->ragdoll, pose.rotation, &motion, GRAVITY, torque);
  assert_true(fabs((double)torque[fixture_part(&f, ARM[0])].z - weight - 5 * inertia) < 1e-4 * weight);
  fixture_end(&f);
}

static void free_fall_needs_no_torque(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  Pose pose = raised(&f, 1.2);
  PoseMotion motion = {.acceleration = {{0, (float)GRAVITY[1], 0}}};
  vec3s torque[BODY_MAX_PARTS];
  inverse_dynamics(f.character->ragdoll, pose.rotation, &motion, GRAVITY, torque);
  for (int i = 1; i < f.body->part_count; i++)
    assert_true((double)glms_vec3_norm(torque[i]) < 1e-5);
  fixture_end(&f);
}

static void joints_through_which_the_ground_acts_get_none(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  Pose pose = raised(&f, 0.7);
  int carrying = 0;
  vec3s torque[BODY_MAX_PARTS];
  memset(torque, 1, sizeof torque);
  inverse_dynamics(f.character->ragdoll, pose.rotation, NULL, GRAVITY, torque);
  for (int i = 1; i < f.body->part_count; i++) {
    carrying += f.body->parts[i].carries;
    assert_true(!f.body->parts[i].carries || glms_vec3_norm(torque[i]) == 0);
  }
  assert_int_equal(carrying, 6);
  fixture_end(&f);
}

// Differences of a pose that swings, and of a jump, which is limited.
static void motion_is_found_from_three_moments(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  int arm = fixture_part(&f, ARM[0]), count = f.body->part_count;
  double h = 1.0 / 240, place[3] = {0};
  PoseMotion motion = {0};
  Pose previous = raised(&f, 0);
  for (int i = 0; i < 240; i++) {
    double t = (i + 1) * h;
    Pose pose = raised(&f, 0.5 * sin(6 * t));
    place[1] = 0.1 * sin(9 * t);
    pose_motion_step(&motion, count, &pose, &previous, place, h);
    if (i == 0)
      assert_true(glms_vec3_norm(motion.turn_change[arm]) == 0 && motion.acceleration.y == 0);
    if (i > 3) {
      assert_true(fabs((double)motion.turn[arm].z - 3 * cos(6 * (t - h / 2))) < 0.005);
      assert_true(fabs((double)motion.turn_change[arm].z + 18 * sin(6 * (t - h))) < 0.2);
      assert_true(fabs((double)motion.acceleration.y + 8.1 * sin(9 * (t - h))) < 0.02);
    }
    previous = pose;
  }
  Pose far = raised(&f, 2.5);
  pose_motion_step(&motion, count, &far, &previous, place, h);
  assert_true((double)glms_vec3_norm(motion.turn[arm]) <= 30.001);
  assert_true((double)glms_vec3_norm(motion.turn_change[arm]) <= 400.001);
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arm_at_rest_is_held_by_its_weight_times_its_lever),
      cmocka_unit_test(an_accelerated_arm_takes_its_inertia_in_addition),
      cmocka_unit_test(free_fall_needs_no_torque),
      cmocka_unit_test(joints_through_which_the_ground_acts_get_none),
      cmocka_unit_test(motion_is_found_from_three_moments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
