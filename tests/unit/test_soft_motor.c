// The soft motor: its exact formulas, their effect in a step of ODE, and how a limit is shared over axes.
#include "tests/fixture.h"

#include "ragdoll/body/soft_motor.h"
#include "sim/base/rng.h"

static bool close_to(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(1, fmax(fabs(a), fabs(b))); }

static void test_formulas(void **state) {
  (void)state;
  // d = h kp + kd = 0.01 * 200 + 3 = 5
  SoftAxis axis = soft_axis(200, 3, 0.1, 2, -1, 4, 0.01);
  assert_true(close_to(axis.speed, (200 * 0.1 + 3 * 2 + 4) / 5));
  assert_true(close_to(axis.cfm, 1.0 / 5));
  assert_true(close_to(axis.force, 200 * 0.1 + 3 * (2 - -1) + 4));
}

static void test_spring_alone_and_damper_alone(void **state) {
  (void)state;
  SoftAxis spring = soft_axis(100, 0, 0.5, 7, 7, 0, 0.01); // without a damper velocities do not matter
  assert_true(close_to(spring.speed, 50) && close_to(spring.cfm, 1) && close_to(spring.force, 50));
  SoftAxis damper = soft_axis(0, 4, 0.5, 3, 1, 0, 0.01); // without a spring the error does not matter
  assert_true(close_to(damper.speed, 3) && close_to(damper.cfm, 0.25) && close_to(damper.force, 8));
}

static void test_zero_gains_give_no_torque(void **state) {
  (void)state;
  SoftAxis axis = soft_axis(0, 0, 0.5, 3, 1, 9, 0.01);
  assert_true(axis.speed == 0 && axis.force == 0);
  assert_true(axis.cfm > 0); // no division by zero in ODE
}

static void test_at_the_target_there_is_no_torque(void **state) {
  (void)state;
  SoftAxis axis = soft_axis(1000, 50, 0, 2, 2, 0, 1.0 / 240);
  assert_true(axis.force == 0);
}

static void test_shares(void **state) {
  (void)state;
  double shares[3];
  const SoftAxis one[1] = {{.force = -7}};
  soft_share_limit(one, 1, 20, shares);
  assert_true(shares[0] == 20); // one axis has it all, for any demand

  const SoftAxis three_four[2] = {{.force = 3}, {.force = -4}};
  soft_share_limit(three_four, 2, 10, shares);
  assert_true(close_to(shares[0], 6) && close_to(shares[1], 8));

  // An axis with a small demand keeps 0.3 before scaling: 1 and 0.3 of sqrt(1.09).
  const SoftAxis lopsided[2] = {{.force = 5}, {.force = 0}};
  soft_share_limit(lopsided, 2, 10, shares);
  assert_true(close_to(shares[0], 10 / sqrt(1.09)) && close_to(shares[1], 3 / sqrt(1.09)));

  const SoftAxis idle[3] = {{0}};
  soft_share_limit(idle, 3, 9, shares);
  for (int i = 0; i < 3; i++)
    assert_true(close_to(shares[i], 9 / sqrt(3)));
  soft_share_limit(three_four, 2, 0, shares);
  assert_true(shares[0] == 0 && shares[1] == 0);
}

// Property, random axes over many magnitudes: the shares lie on the sphere of the limit, none is negative, none is
// unused, signs do not matter, and a larger demand gets no less.
static void test_shares_of_random_axes(void **state) {
  (void)state;
  Rng rng = rng_make(1, "soft_motor");
  for (int run = 0; run < 20000; run++) {
    int count = 1 + run % 3;
    SoftAxis axes[3] = {{0}}, flipped[3];
    double shares[3], of_flipped[3], sum = 0, limit = pow(10, rng_range(&rng, -3, 4));
    for (int i = 0; i < count; i++) {
      double size = rng_range(&rng, 0, 1) < 0.1 ? 0 : pow(10, rng_range(&rng, -6, 6));
      axes[i].force = rng_range(&rng, -1, 1) < 0 ? -size : size;
      flipped[i] = (SoftAxis){.force = -axes[i].force};
    }
    soft_share_limit(axes, count, limit, shares);
    soft_share_limit(flipped, count, limit, of_flipped);
    for (int i = 0; i < count; i++) {
      sum += shares[i] * shares[i];
      assert_true(shares[i] == of_flipped[i]);
      assert_true(shares[i] >= 0.3 / sqrt(1 + 2 * 0.3 * 0.3) * limit * (1 - 1e-12));
      for (int k = 0; k < count; k++)
        if (fabs(axes[i].force) > fabs(axes[k].force))
          assert_true(shares[i] >= shares[k]);
    }
    assert_true(fabs(sum / (limit * limit) - 1) < 1e-12);
  }
}

// A body of inertia 1 about z on an ODE motor of one axis with the given parameters; one step of length h.
typedef struct Spinner {
  dWorldID world;
  dBodyID body;
  dJointID motor;
  dJointFeedback feedback;
} Spinner;

static void spinner_create(Spinner *spinner, double velocity) {
  dInitODE2(0);
  dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
  *spinner = (Spinner){.world = dWorldCreate()};
  spinner->body = dBodyCreate(spinner->world);
  dMass mass;
  dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
  dBodySetMass(spinner->body, &mass);
  dBodySetAngularVel(spinner->body, 0, 0, velocity);
  spinner->motor = dJointCreateAMotor(spinner->world, 0);
  dJointAttach(spinner->motor, spinner->body, 0);
  dJointSetAMotorNumAxes(spinner->motor, 1);
  dJointSetAMotorAxis(spinner->motor, 0, 0, 0, 0, 1);
  dJointSetFeedback(spinner->motor, &spinner->feedback);
}

// ODE solves the header's formula: torque = clamp(kp (error - h w) + kd (goal - w) + feed-forward), w after the step.
static void test_ode_solves_the_implicit_spring(void **state) {
  (void)state;
  Rng rng = rng_make(2, "soft_motor");
  for (int run = 0; run < 300; run++) {
    double h = 1.0 / 240, kp = pow(10, rng_range(&rng, -1, 5)), kd = pow(10, rng_range(&rng, -2, 3));
    double error = rng_range(&rng, -1, 1), goal = rng_range(&rng, -10, 10), velocity = rng_range(&rng, -10, 10);
    double forward = rng_range(&rng, -5, 5), limit = run % 2 ? 1e9 : pow(10, rng_range(&rng, -1, 3));
    Spinner spinner;
    spinner_create(&spinner, velocity);
    SoftAxis axis = soft_axis(kp, kd, error, goal, velocity, forward, h);
    dJointSetAMotorParam(spinner.motor, dParamVel, axis.speed);
    dJointSetAMotorParam(spinner.motor, dParamCFM, axis.cfm);
    dJointSetAMotorParam(spinner.motor, dParamFMax, limit);
    dWorldStep(spinner.world, h);
    double w = dBodyGetAngularVel(spinner.body)[2], torque = spinner.feedback.t1[2];
    double asked = kp * (error - h * w) + kd * (goal - w) + forward;
    double expected = fmax(-limit, fmin(limit, asked));
    assert_true(fabs(torque - expected) < 1e-7 * fmax(1, fabs(expected)));
    assert_true(fabs(w - (velocity + h * torque)) < 1e-12 * fmax(1, fabs(w))); // inertia 1
    dWorldDestroy(spinner.world);
  }
}

// For any stiffness and step length, the spring never swings farther out than it began.
static void test_stable_for_all_gains(void **state) {
  (void)state;
  for (double kp = 1; kp <= 1e9; kp *= 10)
    for (double h = 1e-4; h <= 0.02; h *= 3) {
      Spinner spinner;
      spinner_create(&spinner, 0);
      double angle = 1;
      for (int i = 0; i < 200; i++) {
        double velocity = dBodyGetAngularVel(spinner.body)[2];
        SoftAxis axis = soft_axis(kp, 0, -angle, 0, velocity, 0, h);
        dJointSetAMotorParam(spinner.motor, dParamVel, axis.speed);
        dJointSetAMotorParam(spinner.motor, dParamCFM, axis.cfm);
        dJointSetAMotorParam(spinner.motor, dParamFMax, dInfinity);
        dWorldStep(spinner.world, h);
        angle += h * dBodyGetAngularVel(spinner.body)[2];
        assert_true(fabs(angle) <= 1 + 1e-9);
      }
      dWorldDestroy(spinner.world);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formulas),
      cmocka_unit_test(test_spring_alone_and_damper_alone),
      cmocka_unit_test(test_zero_gains_give_no_torque),
      cmocka_unit_test(test_at_the_target_there_is_no_torque),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_shares_of_random_axes),
      cmocka_unit_test(test_ode_solves_the_implicit_spring),
      cmocka_unit_test(test_stable_for_all_gains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
