// A walking balancer in the middle of a step, whose legs are tested one step of the simulation at a time.
#ifndef STAGGER_TESTS_BALANCE_WALKER_H
#define STAGGER_TESTS_BALANCE_WALKER_H

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double H = 1.0 / 1024; // s

static Fixture f;
static Balancer walker; // in the middle of a step of the left foot, on level ground at 0, heading for +z
static JointGoal goals[BODY_MAX_PARTS];

static inline int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  walker = f.character->balance;
  walker.body.length = walker.body.time = walker.body.force = 1;
  walker.mode = BALANCE_STEPPING;
  walker.swing = BALANCE_LEFT;
  walker.heading = walker.turn_rate = 0;
  walker.step_time = 0.2;
  walker.duration = 0.4;
  walker.walking = true;
  walker.speed = (Plane2){.x = 0, .z = 0};
  walker.pelvis = glms_quat_identity();
  walker.has_swing_goal = false;
  walker.trip = (BalanceTrip){.high_steps = 0};
  for (int axis = 0; axis < 3; axis++)
    walker.velocity[axis] = walker.swing_velocity[axis] = 0;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double x = i == BALANCE_LEFT ? 0.1 : -0.1;
    walker.feet[i] = (BalanceFoot){
        .hip = {x, 0.9, 0}, .knee = {x, 0.5, 0.05}, .ankle = {x, 0.08, 0}, .sole = {x, 0, 0.05}, .loaded = i == 1};
  }
  walker.landing = (BalanceLanding){.ankle = {0.1, 0.08, 0}, .normal = {0, 1, 0}};
  memcpy(walker.swing_ankle, walker.feet[BALANCE_LEFT].ankle, sizeof walker.swing_ankle);
  return 0;
}

static inline int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static inline BalanceStep step_of(Balancer *balance) {
  memset(goals, 0, sizeof goals);
  return (BalanceStep){.balance = balance,
                       .ragdoll = f.character->ragdoll,
                       .ground = &f.character->ground,
                       .h = H,
                       .goals = goals,
                       .pelvis = glms_quat_identity()};
}

static inline void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

#endif
