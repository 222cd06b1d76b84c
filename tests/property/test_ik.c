// Two-bone inverse kinematics over a million random limbs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <cmocka.h>

#include "anim/ik.h"
#include "sim/base/rng.h"

enum { LIMBS = 1000000 };

static const float RAD = (float)(GLM_PI / 180);

static float uniform(Rng *rng, float low, float high) { return (float)rng_range(rng, (double)low, (double)high); }

static vec3s random_direction(Rng *rng) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)d[0], (float)d[1], (float)d[2]}};
}

static versors random_rotation(Rng *rng) {
  float axis_angle = uniform(rng, 0, (float)GLM_PI);
  vec3s v = glms_vec3_scale(random_direction(rng), sinf(axis_angle / 2));
  return (versors){{v.x, v.y, v.z, cosf(axis_angle / 2)}};
}

static versors turn_x(float angle) { return (versors){{sinf(angle / 2), 0, 0, cosf(angle / 2)}}; }

// A limb of bones a and b, bent by an angle about its x axis as a knee is, in any orientation.
static TwoBoneJob make_limb(Rng *rng, float a, float b, float bend) {
  versors upper = random_rotation(rng), lower = glms_quat_mul(upper, turn_x(bend));
  TwoBoneJob job = {.root_rotation = upper, .mid_rotation = lower, .end_rotation = lower};
  job.mid = glms_quat_rotatev(upper, (vec3s){{0, -a, 0}});
  job.end = glms_vec3_add(job.mid, glms_quat_rotatev(lower, (vec3s){{0, -b, 0}}));
  return job;
}

// The actual ends of the rotated bones.
static void follow_bones(const TwoBoneJob *job, vec3s *mid, vec3s *end) {
  vec3s upper = glms_quat_rotatev(glms_quat_conjugate(job->root_rotation), glms_vec3_sub(job->mid, job->root));
  vec3s lower = glms_quat_rotatev(glms_quat_conjugate(job->mid_rotation), glms_vec3_sub(job->end, job->mid));
  *mid = glms_vec3_add(job->root, glms_quat_rotatev(job->new_root_rotation, upper));
  *end = glms_vec3_add(*mid, glms_quat_rotatev(job->new_mid_rotation, lower));
}

// The angle between the middle joint's rotation and one about its x axis, rad.
static float off_hinge(const TwoBoneJob *job) {
  versors turn = glms_quat_mul(glms_quat_conjugate(job->new_root_rotation), job->new_mid_rotation);
  return 2 * asinf(fminf(1, hypotf(turn.y, turn.z)));
}

// The largest of a kind of error.
static void note(float *worst, float error) {
  if (!(error <= *worst)) // includes NaN
    *worst = error;
}

// The solver computes in double but takes and returns floats, so that the tolerance of 1e-12 for double cannot be
// tested from outside; tested are the one for float, 1e-5 of the limb, and lengths to 1e-6 of it.
// In both modes, with and without a pole: the end is on the target, bones keep their lengths, rotations agree with
// positions, the bend is on the pole's side, and the hinge turns about its axis only.
static void random_limbs_reach(void **state) {
  (void)state;
  Rng rng = rng_make(1, "reach");
  float worst_end = 0, worst_length = 0, worst_bones = 0, worst_hinge = 0;
  for (int i = 0; i < LIMBS; i++) {
    float a = uniform(&rng, 0.1f, 0.6f), b = uniform(&rng, 0.1f, 0.6f), length = a + b;
    TwoBoneJob job = make_limb(&rng, a, b, uniform(&rng, 0.1f, 2.8f));
    job.mode = i / 2 % 2 ? TWO_BONE_HINGE : TWO_BONE_FREE;
    float distance = uniform(&rng, fabsf(a - b) + 2e-5f * length, length - fmaxf(0.01f, 0.011f * length));
    job.target = glms_vec3_scale(random_direction(&rng), distance);
    if (i % 2)
      job.pole = random_direction(&rng);
    two_bone_solve(&job);
    assert_true(job.reached && !job.pole_fallback);

    vec3s mid, end;
    follow_bones(&job, &mid, &end);
    note(&worst_end, glms_vec3_distance(job.new_end, job.target) / length);
    note(&worst_end, job.error / length);
    note(&worst_length, fabsf(glms_vec3_norm(job.new_mid) - a) / length);
    note(&worst_length, fabsf(glms_vec3_distance(job.new_mid, job.new_end) - b) / length);
    note(&worst_bones, glms_vec3_distance(mid, job.new_mid) / length);
    note(&worst_bones, glms_vec3_distance(end, job.new_end) / length);
    note(&worst_hinge, off_hinge(&job));
    if (i % 2) {
      vec3s along = glms_vec3_normalize(job.target);
      vec3s across = glms_vec3_muladds(along, -glms_vec3_dot(job.pole, along), job.pole);
      assert_true(glms_vec3_dot(across, job.new_mid) > -1e-6f);
    }
  }
  assert_true(worst_end <= 1e-5f);
  assert_true(worst_length <= 1e-6f);
  assert_true(worst_bones <= 1e-5f);
  assert_true(worst_hinge <= 0.1f * RAD);
}

// Targets anywhere, near and far: finite, on the ray at the nearest or farthest reach, lengths kept.
static void random_limbs_out_of_reach(void **state) {
  (void)state;
  Rng rng = rng_make(2, "out of reach");
  int far = 0, near = 0;
  for (int i = 0; i < LIMBS / 4; i++) {
    float a = uniform(&rng, 0.01f, 0.9f), b = uniform(&rng, 0.01f, 0.9f), length = a + b;
    TwoBoneJob job = make_limb(&rng, a, b, uniform(&rng, 0, (float)GLM_PI));
    job.mode = i % 2 ? TWO_BONE_HINGE : TWO_BONE_FREE;
    vec3s direction = random_direction(&rng);
    job.target = glms_vec3_scale(direction, i % 3 ? uniform(&rng, 0, 4) : uniform(&rng, 0, fabsf(a - b)));
    two_bone_solve(&job);
    float farthest = length - fminf(fminf(0.01f, 0.01f * length), fminf(a, b)), wanted = glms_vec3_norm(job.target);
    float reach = fminf(fmaxf(wanted, fabsf(a - b) + 1e-5f * length), farthest);
    if (wanted > 1e-5f) // a nearer target has no direction
      assert_true(glms_vec3_distance(job.new_end, glms_vec3_scale(direction, reach)) <= 1e-5f);
    assert_true(fabsf(glms_vec3_norm(job.new_mid) - a) <= 1e-6f * length);
    assert_true(fabsf(glms_vec3_distance(job.new_mid, job.new_end) - b) <= 1e-6f * length);
    assert_true(fabsf(job.error - fabsf(wanted - reach)) <= 1e-5f);
    far += job.clamped == TWO_BONE_TOO_FAR;
    near += job.clamped == TWO_BONE_TOO_NEAR;
  }
  assert_true(far > 10000 && near > 10000);
}

static void identity(void **state) {
  (void)state;
  Rng rng = rng_make(4, "identity");
  float worst = 0;
  for (int i = 0; i < LIMBS / 4; i++) {
    float a = uniform(&rng, 0.2f, 0.5f), b = uniform(&rng, 0.2f, 0.5f);
    TwoBoneJob job = make_limb(&rng, a, b, uniform(&rng, 0.3f, 2.8f));
    job.mode = i % 2 ? TWO_BONE_HINGE : TWO_BONE_FREE;
    job.target = job.end;
    two_bone_solve(&job);
    if (!job.reached) // within 1 % of the limb's length
      continue;
    note(&worst, quat_angle_between(job.new_root_rotation, job.root_rotation));
    note(&worst, quat_angle_between(job.new_mid_rotation, job.mid_rotation));
    note(&worst, quat_angle_between(job.new_end_rotation, job.end_rotation));
    assert_true(glms_vec3_distance(job.new_mid, job.mid) <= 1e-6f);
  }
  assert_true(worst <= 1e-6f);
}

// Knees and elbows as bodies have them: the hinge is x, bones are not exactly perpendicular to it, and the input is a
// little off or bent the wrong way.
static void pure_hinges(void **state) {
  (void)state;
  Rng rng = rng_make(5, "hinges");
  float worst_hinge = 0, worst_end = 0;
  for (int i = 0; i < LIMBS / 4; i++) {
    vec3s upper_l = {{uniform(&rng, -0.03f, 0.03f), -0.42f, uniform(&rng, -0.03f, 0.03f)}};
    vec3s lower_l = {{uniform(&rng, -0.03f, 0.03f), -0.4f, uniform(&rng, -0.03f, 0.03f)}};
    bool elbow = i % 2;
    TwoBoneJob job = {.mode = TWO_BONE_HINGE, .hinge = {{elbow ? -2 : 1, 0, 0}}};
    job.root = glms_vec3_scale(random_direction(&rng), 2);
    job.root_rotation = random_rotation(&rng);
    job.mid_rotation = glms_quat_mul(job.root_rotation, turn_x(uniform(&rng, -0.1f, 2) * (elbow ? -1 : 1)));
    job.mid = glms_vec3_add(job.root, glms_quat_rotatev(job.root_rotation, upper_l));
    job.end = glms_vec3_add(job.mid, glms_quat_rotatev(job.mid_rotation, lower_l));
    job.target = glms_vec3_add(job.root, glms_vec3_scale(random_direction(&rng), uniform(&rng, 0.1f, 0.79f)));
    if (i % 3 == 0)
      job.pole = random_direction(&rng);
    two_bone_solve(&job);
    assert_true(job.reached);
    note(&worst_hinge, off_hinge(&job));
    vec3s mid, end;
    follow_bones(&job, &mid, &end);
    note(&worst_end, glms_vec3_distance(end, job.target) / 0.82f);
    // Bent in the hinge's direction.
    vec3s x = glms_quat_rotatev(job.new_mid_rotation, (vec3s){{1, 0, 0}});
    float side = glms_vec3_dot(glms_vec3_cross(glms_vec3_sub(mid, job.root), glms_vec3_sub(end, mid)), x);
    assert_true(elbow ? side < 0 : side > 0);
  }
  assert_true(worst_hinge <= 0.1f * RAD);
  assert_true(worst_end <= 1e-5f);
}

static float angle_between(vec3s a, vec3s b) {
  return atan2f(glms_vec3_norm(glms_vec3_cross(a, b)), glms_vec3_dot(a, b));
}

static void random_arms_aim(void **state) {
  (void)state;
  Rng rng = rng_make(6, "aim");
  float worst_angle = 0, worst_line = 0, worst_reach = 0, worst_bones = 0, worst_hinge = 0, worst_hand = 0;
  for (int i = 0; i < LIMBS / 2; i++) {
    float a = uniform(&rng, 0.1f, 0.6f), b = uniform(&rng, 0.1f, 0.6f), length = a + b;
    AimJob aim = {.limb = make_limb(&rng, a, b, uniform(&rng, 0.1f, 2.8f)), .reach = 0.99f};
    aim.limb.mode = i / 2 % 2 ? TWO_BONE_HINGE : TWO_BONE_FREE;
    aim.direction = glms_vec3_scale(random_direction(&rng), uniform(&rng, 0.1f, 3));
    aim.distance = i % 2 ? uniform(&rng, 1, 1.5f) * length : 0;
    if (i / 4 % 2)
      aim.limb.pole = random_direction(&rng);
    two_bone_aim(&aim);
    assert_true(aim.limb.reached);
    vec3s mid, hand, ray = glms_vec3_normalize(aim.direction);
    follow_bones(&aim.limb, &mid, &hand);
    vec3s forearm = glms_vec3_sub(hand, mid), aim_at = ray;
    if (aim.distance > 0) {
      aim_at = glms_vec3_sub(glms_vec3_scale(ray, aim.distance), hand);
      vec3s miss = glms_vec3_cross(aim_at, glms_vec3_normalize(forearm));
      note(&worst_line, glms_vec3_norm(miss) / length); // the point's distance from the forearm's line
    } else {
      note(&worst_angle, angle_between(forearm, aim_at));
    }
    note(&worst_reach, fabsf(glms_vec3_norm(hand) / length - 0.99f));
    note(&worst_bones, glms_vec3_distance(mid, aim.limb.new_mid) / length);
    note(&worst_bones, glms_vec3_distance(hand, aim.limb.new_end) / length);
    note(&worst_hinge, off_hinge(&aim.limb));
    note(&worst_hand, fabsf(glms_vec3_norm(glms_vec3_cross(hand, ray)) - aim.hand_distance) / length);
  }
  assert_true(worst_angle <= 1e-4f);
  assert_true(worst_line <= 1e-5f);
  assert_true(worst_reach <= 0.001f * 0.99f);
  assert_true(worst_bones <= 1e-5f);
  assert_true(worst_hinge <= 0.1f * RAD);
  assert_true(worst_hand <= 1e-5f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_limbs_reach), cmocka_unit_test(random_limbs_out_of_reach), cmocka_unit_test(identity),
      cmocka_unit_test(pure_hinges),        cmocka_unit_test(random_arms_aim),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
