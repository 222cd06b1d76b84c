// Two-bone inverse kinematics: the checks IK2-1, -2, -3, -4, -5 and -7, and legs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/ik.h"
#include "sim/rng.h"

enum { LIMBS = 1000000 };

static const float RAD = (float)(GLM_PI / 180);

static float uniform(Rng *rng, float low, float high) { return (float)rng_range(rng, (double)low, (double)high); }

static vec3s random_direction(Rng *rng) {
  vec3s v;
  do
    v = (vec3s){{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)}};
  while (glms_vec3_norm(v) < 0.1f || glms_vec3_norm(v) > 1);
  return glms_vec3_normalize(v);
}

static versors random_rotation(Rng *rng) {
  return quat_exp(glms_vec3_scale(random_direction(rng), uniform(rng, 0, 3)));
}

// A limb of bones a and b, bent by an angle about its x axis as a knee is, hanging anyhow.
static TwoBoneJob make_limb(float a, float b, float bend, versors rotation) {
  versors lower = glms_quat_mul(rotation, quat_exp((vec3s){{bend, 0, 0}}));
  TwoBoneJob job = {.root_rotation = rotation, .mid_rotation = lower};
  job.mid = glms_quat_rotatev(rotation, (vec3s){{0, -a, 0}});
  job.end = glms_vec3_add(job.mid, glms_quat_rotatev(lower, (vec3s){{0, -b, 0}}));
  return job;
}

static void assert_finite(const TwoBoneJob *job) {
  const versors *q[] = {&job->new_root_rotation, &job->new_mid_rotation};
  for (int i = 0; i < 2; i++) {
    assert_true(fabsf(glms_quat_norm(*q[i]) - 1) < 1e-5f);
    const vec3s *p = i ? &job->new_mid : &job->new_end;
    assert_true(isfinite(p->x) && isfinite(p->y) && isfinite(p->z));
  }
  assert_true(isfinite(job->error));
}

// Where the turned bones really end.
static void follow_bones(const TwoBoneJob *job, vec3s *mid, vec3s *end) {
  vec3s upper = glms_quat_rotatev(glms_quat_conjugate(job->root_rotation), glms_vec3_sub(job->mid, job->root));
  vec3s lower = glms_quat_rotatev(glms_quat_conjugate(job->mid_rotation), glms_vec3_sub(job->end, job->mid));
  *mid = glms_vec3_add(job->root, glms_quat_rotatev(job->new_root_rotation, upper));
  *end = glms_vec3_add(*mid, glms_quat_rotatev(job->new_mid_rotation, lower));
}

static void test_ik2_1_random_limbs_reach(void **state) {
  (void)state;
  Rng rng = rng_make(1, "IK2-1");
  float worst_end = 0, worst_length = 0, worst_bones = 0, worst_hinge = 0;
  for (int i = 0; i < LIMBS; i++) {
    float a = uniform(&rng, 0.1f, 0.6f), b = uniform(&rng, 0.1f, 0.6f), length = a + b;
    TwoBoneJob job = make_limb(a, b, uniform(&rng, 0.1f, 2.8f), random_rotation(&rng));
    float distance = uniform(&rng, fabsf(a - b) + 0.01f * length, 0.998f * length);
    job.target = glms_vec3_scale(random_direction(&rng), distance);
    if (i % 2)
      job.pole = random_direction(&rng);
    two_bone_solve(&job);
    assert_true(job.reached);

    vec3s mid, end;
    follow_bones(&job, &mid, &end);
    worst_end = fmaxf(worst_end, glms_vec3_distance(job.new_end, job.target) / length);
    worst_length = fmaxf(worst_length, fabsf(glms_vec3_norm(job.new_mid) - a) / a);
    worst_length = fmaxf(worst_length, fabsf(glms_vec3_distance(job.new_mid, job.new_end) - b) / b);
    worst_bones = fmaxf(worst_bones, glms_vec3_distance(mid, job.new_mid) / length);
    worst_bones = fmaxf(worst_bones, glms_vec3_distance(end, job.new_end) / length);
    // IK2-5: what was a hinge about x stays one. Where the limb is bent the other way it is still the same axis.
    versors knee = glms_quat_mul(glms_quat_conjugate(job.new_root_rotation), job.new_mid_rotation);
    worst_hinge = fmaxf(worst_hinge, 2 * asinf(fminf(1, hypotf(knee.y, knee.z))));
    if (i % 2) { // the middle lies on the pole's side
      vec3s along = glms_vec3_normalize(job.target);
      vec3s across = glms_vec3_muladds(along, -glms_vec3_dot(job.pole, along), job.pole);
      assert_true(glms_vec3_dot(across, job.new_mid) > -1e-6f);
    }
  }
  assert_true(worst_end <= 1e-5f);
  assert_true(worst_length <= 1e-5f);
  assert_true(worst_bones <= 1e-5f);
  assert_true(worst_hinge <= 0.1f * RAD);
}

static void test_ik2_2_out_of_reach(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.4f, 0.3f, 0.5f, glms_quat_identity());
  job.target = (vec3s){{0, 0, 5}};
  two_bone_solve(&job);
  assert_false(job.reached);
  assert_true(glms_vec3_distance(job.new_end, (vec3s){{0, 0, 0.999f * 0.7f}}) < 1e-6f);
  assert_true(fabsf(job.error - (5 - 0.6993f)) < 1e-5f);

  job.target = (vec3s){{0, 0, 0.02f}}; // too near: the bones' difference
  two_bone_solve(&job);
  assert_false(job.reached);
  assert_true(glms_vec3_distance(job.new_end, (vec3s){{0, 0, 0.1f}}) < 1e-6f);
  assert_finite(&job);

  job.target = job.root;
  two_bone_solve(&job);
  assert_finite(&job);
  assert_true(fabsf(glms_vec3_norm(job.new_end) - 0.1f) < 1e-6f);
}

static void test_ik2_2_degenerate_limbs(void **state) {
  (void)state;
  const float lengths[] = {0, 1e-8f, 0.3f, 0.5f}, bends[] = {0, 1e-5f, 1, (float)GLM_PI};
  const vec3s targets[] = {{{0, 0, 0}}, {{0, -0.6f, 0}}, {{0, 0.6f, 0}}, {{0, -0.8f, 0}}, {{1e-9f, 0, 0}}, {{0, 0, 9}}};
  const vec3s poles[] = {{{0, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  for (int i = 0; i < 4 * 4 * 4 * 6 * 3; i++) {
    float a = lengths[i % 4], b = lengths[i / 4 % 4];
    TwoBoneJob job = make_limb(a, b, bends[i / 16 % 4], glms_quat_identity());
    job.target = targets[i / 64 % 6];
    job.pole = poles[i / 384];
    two_bone_solve(&job);
    assert_finite(&job);
    assert_true(fabsf(glms_vec3_norm(job.new_mid) - a) < 2e-6f);
    assert_true(fabsf(glms_vec3_distance(job.new_mid, job.new_end) - b) < 2e-6f);
  }
}

// A straight limb bends as a knee does: its middle goes forward.
static void test_straight_limb_bends_about_x(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.4f, 0.4f, 0, glms_quat_identity());
  job.target = (vec3s){{0, -0.6f, 0}};
  two_bone_solve(&job);
  assert_true(job.new_mid.z > 0.2f && fabsf(job.new_mid.x) < 1e-6f);
}

// The target at 1 m/s, 240 Hz, through full extension and close by the root. (Of bones of different length the shorter
// one must turn about with the target there; equal ones fold and unfold.)
static void test_ik2_3_continuity(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.42f, 0.42f, 0.6f, glms_quat_identity());
  job.pole = (vec3s){{0, 0, 1}};
  vec3s last = {{0, 0, 0}};
  for (int i = 0; i <= 480; i++) {
    job.target = (vec3s){{0.02f, 1 - (float)i / 240, 0}};
    two_bone_solve(&job);
    if (i) {
      assert_true(glms_vec3_distance(job.new_mid, last) < 0.03f); // most where it leaves 99.9 % of its length
    }
    last = job.new_mid;
  }
}

static void test_ik2_4_identity(void **state) {
  (void)state;
  Rng rng = rng_make(4, "IK2-4");
  for (int i = 0; i < 10000; i++) {
    TwoBoneJob job = make_limb(uniform(&rng, 0.2f, 0.5f), uniform(&rng, 0.2f, 0.5f), uniform(&rng, 0.2f, 2.5f),
                               random_rotation(&rng));
    job.target = job.end;
    two_bone_solve(&job);
    assert_true(quat_angle_between(job.new_root_rotation, job.root_rotation) <= 3e-6f);
    assert_true(quat_angle_between(job.new_mid_rotation, job.mid_rotation) <= 3e-6f);
    assert_true(glms_vec3_distance(job.new_mid, job.mid) <= 1e-6f);
  }
}

static void test_ik2_7_numbers(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.4f, 0.4f, 1, glms_quat_identity());
  job.target = (vec3s){{0, 0, 0.4f}};
  job.pole = (vec3s){{0, 2, 0}};
  two_bone_solve(&job);
  assert_true(glms_vec3_distance(job.new_mid, (vec3s){{0, 0.34641016f, 0.2f}}) < 1e-6f);
  assert_true(glms_vec3_distance(job.new_end, job.target) < 1e-6f);
}

// ---- Legs ----

// Pelvis, thigh, shin and foot of the left side; the shin's joint is turned in the bind pose to try that too.
static Skeleton leg_skeleton(float knee_bind) {
  Skeleton s = {.name = "leg", .count = 4, .leg_count = 1};
  const vec3s at[] = {{{0, 0.93f, 0}}, {{0.09f, 0, 0}}, {{0, -0.429f, 0}}, {{0, -0.431f, 0}}};
  for (int i = 0; i < 4; i++) {
    s.parent[i] = i - 1;
    s.bind_position_l[i] = at[i];
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.bind_rotation_l[2] = quat_exp((vec3s){{knee_bind, 0, 0}});
  s.legs[0] = (Leg){.name = "left", .hip = 1, .knee = 2, .ankle = 3};
  return s;
}

static void test_leg_reach(void **state) {
  (void)state;
  Rng rng = rng_make(9, "legs");
  for (int i = 0; i < 10000; i++) {
    Skeleton s = leg_skeleton(i % 2 ? 0.2f : 0);
    Pose pose = pose_bind(&s);
    pose_place(&pose, (vec3s){{uniform(&rng, -5, 5), 0, uniform(&rng, -5, 5)}},
               quat_exp((vec3s){{0, uniform(&rng, -3, 3), 0}}));
    pose.rotation[1] = quat_exp((vec3s){{uniform(&rng, -0.5f, 0.3f), 0, 0}});
    ModelPose before, after;
    pose_to_model(&s, &pose, &before);
    vec3s ankle =
        glms_vec3_add(before.position[1],
                      (vec3s){{uniform(&rng, -0.1f, 0.1f), uniform(&rng, -0.8f, -0.5f), uniform(&rng, -0.25f, 0.25f)}});
    versors foot = random_rotation(&rng);
    float error = leg_reach(&s, &s.legs[0], ankle, foot, &pose);
    pose_to_model(&s, &pose, &after);
    assert_true(error < 5e-6f);
    assert_true(glms_vec3_distance(after.position[3], ankle) < 1e-5f);
    assert_true(quat_angle_between(after.rotation[3], foot) < 1e-5f);
    // A pure hinge, bent as knees bend.
    versors knee = glms_quat_mul(glms_quat_conjugate(s.bind_rotation_l[2]), pose.rotation[2]);
    assert_true(hypotf(knee.y, knee.z) < 1e-6f);
    assert_true(after.position[2].y > fminf(after.position[1].y, after.position[3].y) - 0.431f);
    vec3s thigh = glms_vec3_sub(after.position[2], after.position[1]);
    vec3s shin = glms_vec3_sub(after.position[3], after.position[2]);
    vec3s axis = glms_quat_rotatev(after.rotation[2], (vec3s){{1, 0, 0}});
    assert_true(glms_vec3_dot(glms_vec3_cross(thigh, shin), axis) > 0);
  }
}

static void test_leg_out_of_reach(void **state) {
  (void)state;
  Skeleton s = leg_skeleton(0);
  Pose pose = pose_bind(&s);
  float error = leg_reach(&s, &s.legs[0], (vec3s){{0.09f, -0.07f, 0}}, glms_quat_identity(), &pose);
  assert_true(fabsf(error - (1.0f - 0.999f * 0.86f)) < 1e-5f);
  error = leg_reach(&s, &s.legs[0], (vec3s){{0.09f, 0.93f, 0}}, glms_quat_identity(), &pose); // on the hip
  assert_true(isfinite(error) && error < 0.01f);
}

// The ankle where it is already: nothing moves.
static void test_leg_identity(void **state) {
  (void)state;
  Skeleton s = leg_skeleton(0);
  Pose pose = pose_bind(&s);
  pose.rotation[1] = quat_exp((vec3s){{-0.4f, 0.1f, 0.1f}});
  pose.rotation[2] = quat_exp((vec3s){{0.7f, 0, 0}});
  Pose before = pose;
  ModelPose model;
  pose_to_model(&s, &pose, &model);
  leg_reach(&s, &s.legs[0], model.position[3], model.rotation[3], &pose);
  for (int i = 0; i < s.count; i++)
    assert_true(quat_angle_between(pose.rotation[i], before.rotation[i]) < 5e-6f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ik2_1_random_limbs_reach),
      cmocka_unit_test(test_ik2_2_out_of_reach),
      cmocka_unit_test(test_ik2_2_degenerate_limbs),
      cmocka_unit_test(test_straight_limb_bends_about_x),
      cmocka_unit_test(test_ik2_3_continuity),
      cmocka_unit_test(test_ik2_4_identity),
      cmocka_unit_test(test_ik2_7_numbers),
      cmocka_unit_test(test_leg_reach),
      cmocka_unit_test(test_leg_out_of_reach),
      cmocka_unit_test(test_leg_identity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
