// What mixing bodies with their animation comes to, over drawn poses near and far from each other and all weights. To
// nine digits.
#include "ragdoll/shown/physics_blend.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

enum { LEAST, FOLLOWED, MIXED, SUMS };
static const char *const NAMES[SUMS] = {"least", "followed", "mixed"};
static const double OUTCOMES[1][SUMS] = {
    {-22.364981575, 37.749610555, 53.488522779},
};

// Turns all joints by angles up to one, rad, and moves the root by ways up to one, m.
static void shake(Pose *pose, Rng *rng, double angle, double way) {
  for (int i = 0; i < pose->count; i++) {
    vec3s turn;
    for (int k = 0; k < 3; k++)
      turn.raw[k] = (float)rng_range(rng, -angle, angle);
    pose->rotation[i] = glms_quat_mul(pose->rotation[i], quat_exp(turn));
  }
  for (int k = 0; k < 3; k++)
    pose->position[0].raw[k] += (float)rng_range(rng, -way, way);
}

static void add_pose(DrillSum *sum, const Pose *pose) {
  for (int i = 0; i < pose->count; i++) {
    drill_add_floats(sum, pose->position[i].raw, 3);
    drill_add_floats(sum, pose->rotation[i].raw, 4);
  }
}

static void blends_come_to(void **state) {
  enum { DRAWS = 4000 };
  static const double near[] = {0, 0.004, 0.02, 0.05, 0.1, 0.4}; // rad
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  Rng rng = rng_make(5, "blends");
  DrillSum sums[SUMS] = {{0}};
  for (int k = 0; k < DRAWS; k++) {
    Pose target = pose_bind(skeleton), before_target;
    shake(&target, &rng, k % 3 ? 0.3 : 0.02, 1);
    before_target = target;
    shake(&before_target, &rng, 0.02, 0.01);
    Pose measured = target, before_measured;
    const double off = near[rng_index(&rng, 6)];
    shake(&measured, &rng, off, 0.5 * near[rng_index(&rng, 6)]);
    before_measured = measured;
    shake(&before_measured, &rng, 0.02, 0.01);
    float weights[BODY_MAX_PARTS], goals[BODY_MAX_PARTS];
    assert_true(skeleton->count < BODY_MAX_PARTS);
    weights[skeleton->count] = 0.25f; // stays
    goals[skeleton->count] = 1;
    physics_blend_least(skeleton, &target, &measured, weights);
    drill_add_floats(&sums[LEAST], weights, skeleton->count);
    for (int i = 0; i < skeleton->count; i++) {
      weights[i] = (float)fmin(fmax(rng_range(&rng, -0.3, 1.3), 0), 1);
      goals[i] = k % 2 ? weights[i] : (float)rng_index(&rng, 2);
    }
    const BlendPair before = {&before_target, &before_measured}, now = {&target, &measured};
    const float turn = (float)rng_range(&rng, 0.01, 0.4), shift = (float)rng_range(&rng, 0.001, 0.1);
    physics_blend_follow(skeleton, &before, &now, goals, turn, shift, weights);
    drill_add_floats(&sums[FOLLOWED], weights, skeleton->count);
    assert_true(weights[skeleton->count] == 0.25f);
    Pose mixed;
    physics_blend(skeleton, &target, &measured, weights, &mixed);
    add_pose(&sums[MIXED], &mixed);
  }
  double means[SUMS];
  for (int k = 0; k < SUMS; k++)
    means[k] = sums[k].sum;
  assert_true(drill_is_kept("blends", NAMES, means, OUTCOMES[0], SUMS));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blends_come_to)};
  return cmocka_run_group_tests(tests, fixture_set_up_body, fixture_tear_down_body);
}
