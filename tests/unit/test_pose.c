// Poses and rotations: exact values, and the bit-for-bit promises of the blends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/pose.h"
#include "anim/pose_loops.h"

static const vec3s X = {{1, 0, 0}}, Y = {{0, 1, 0}}, Z = {{0, 0, 1}};

static versors turned(vec3s axis, float degrees) {
  return quat_exp(glms_vec3_scale(axis, degrees * (float)(GLM_PI / 180)));
}

static float degrees_between(versors a, versors b) { return quat_angle_between(a, b) * (float)(180 / GLM_PI); }

// A root with a chain of two on one side and a single joint on the other.
static Skeleton small_skeleton(void) {
  Skeleton s = {.name = "small", .count = 4};
  static const char *const names[] = {"root", "upper", "lower", "other"};
  static const int parents[] = {-1, 0, 1, 0};
  static const vec3s positions[] = {{{0, 1, 0}}, {{0.25f, 0, 0}}, {{0, -0.5f, 0}}, {{-0.25f, 0, 0}}};
  for (int i = 0; i < 4; i++) {
    strcpy(s.names[i], names[i]);
    s.parent[i] = parents[i];
    s.twin[i] = i;
    s.bind_position_l[i] = positions[i];
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  return s;
}

static Pose posed(float degrees) {
  Skeleton s = small_skeleton();
  Pose pose = pose_bind(&s);
  pose.position[0] = (vec3s){{0.1f, 1.1f, degrees / 100}};
  pose.rotation[0] = turned(Y, degrees);
  pose.rotation[1] = turned(X, -2 * degrees);
  pose.rotation[2] = turned((vec3s){{0.6f, 0, 0.8f}}, degrees / 2);
  pose.rotation[3] = turned(Z, 3 * degrees);
  return pose;
}

static void assert_same_bits(const Pose *a, const Pose *b) {
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->position, b->position, (size_t)a->count * sizeof a->position[0]);
  assert_memory_equal(a->rotation, b->rotation, (size_t)a->count * sizeof a->rotation[0]);
}

static void assert_close(const Pose *a, const Pose *b, float tolerance) {
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    assert_true(glms_vec3_distance(a->position[i], b->position[i]) <= tolerance);
    assert_true(quat_angle_between(a->rotation[i], b->rotation[i]) <= tolerance);
  }
}

static void assert_vec3(vec3s v, float x, float y, float z) {
  assert_true(fabsf(v.x - x) < 1e-6f);
  assert_true(fabsf(v.y - y) < 1e-6f);
  assert_true(fabsf(v.z - z) < 1e-6f);
}

static void test_find(void **state) {
  (void)state;
  Skeleton s = small_skeleton();
  assert_int_equal(skeleton_find(&s, "root"), 0);
  assert_int_equal(skeleton_find(&s, "other"), 3);
  assert_int_equal(skeleton_find(&s, "othe"), -1);
  assert_int_equal(skeleton_find(&s, ""), -1);
}

static void test_model_space(void **state) {
  (void)state;
  Skeleton s = small_skeleton();
  Pose pose = pose_bind(&s);
  pose.rotation[0] = turned(Y, 90); // X goes to -Z
  pose.rotation[1] = turned(X, 90); // -Y goes to -Z, which the root has turned to -X
  ModelPose model;
  pose_to_model(&s, &pose, &model);
  assert_vec3(model.position[1], 0, 1, -0.25f);
  assert_vec3(model.position[2], -0.5f, 1, -0.25f);
  assert_vec3(model.position[3], 0, 1, 0.25f);
  assert_true(degrees_between(model.rotation[2], glms_quat_mul(turned(Y, 90), turned(X, 90))) < 1e-3f);

  Pose back;
  pose_from_model(&s, &model, &back);
  assert_close(&back, &pose, 1e-6f);
  pose_from_model(&s, &model, &model); // in place
  assert_same_bits(&model, &back);
}

static void test_place(void **state) {
  (void)state;
  Pose pose = posed(20), placed = pose;
  pose_transform(&placed, (vec3s){{10, 0, -3}}, turned(Y, 90));
  assert_vec3(placed.position[0], 10 + pose.position[0].z, pose.position[0].y, -3 - pose.position[0].x);
  assert_true(degrees_between(placed.rotation[0], turned(Y, 110)) < 1e-3f);
  assert_memory_equal(&placed.rotation[1], &pose.rotation[1], 3 * sizeof pose.rotation[0]);
}

static void test_blend_ends_are_exact(void **state) {
  (void)state;
  Pose a = posed(17), b = posed(-33), out;
  for (int i = 0; i < b.count; i++) // the same rotations with the other sign must be returned unchanged
    b.rotation[i] = (versors){{-b.rotation[i].x, -b.rotation[i].y, -b.rotation[i].z, -b.rotation[i].w}};
  pose_blend(&a, &b, 0, NULL, &out);
  assert_same_bits(&out, &a);
  pose_blend(&a, &b, 1, NULL, &out);
  assert_same_bits(&out, &b);

  const float mask[] = {0, 1, 0.5f, 0};
  pose_blend(&a, &b, 0.3f, mask, &out);
  assert_memory_equal(&out.rotation[0], &a.rotation[0], sizeof out.rotation[0]);
  assert_memory_equal(&out.rotation[1], &b.rotation[1], sizeof out.rotation[1]);
  assert_memory_equal(&out.rotation[3], &a.rotation[3], sizeof out.rotation[3]);
  assert_true(degrees_between(out.rotation[2], a.rotation[2]) > 1);
}

static void test_blend_goes_the_short_way(void **state) {
  (void)state;
  Pose a = posed(0), b = posed(0), out;
  a.rotation[1] = turned(X, 100);
  b.rotation[1] = turned(X, -100); // 160 deg apart by way of 180
  pose_blend(&a, &b, 0.25f, NULL, &out);
  assert_true(degrees_between(out.rotation[1], turned(X, 140)) < 1e-3f);
  assert_true(fabsf(glms_quat_norm(out.rotation[1]) - 1) < 1e-6f);
}

static void test_blend_many(void **state) {
  (void)state;
  Pose a = posed(10), b = posed(30), c = posed(-20), out, two;
  const Pose *poses[] = {&a, &b, &c};
  const float only_b[] = {0, 1, 0};
  pose_blend_many(poses, only_b, 3, &out);
  assert_same_bits(&out, &b);

  const float half[] = {0.5f, 0.5f, 0}, half_scaled[] = {3, 3, 0};
  pose_blend_many(poses, half, 3, &out);
  pose_blend(&a, &b, 0.5f, NULL, &two);
  assert_close(&out, &two, 1e-6f);
  pose_blend_many(poses, half_scaled, 3, &two);
  assert_close(&out, &two, 1e-6f);

  // Signs of quaternions do not matter.
  for (int i = 0; i < b.count; i++)
    b.rotation[i] = (versors){{-b.rotation[i].x, -b.rotation[i].y, -b.rotation[i].z, -b.rotation[i].w}};
  pose_blend_many(poses, half, 3, &two);
  assert_close(&out, &two, 1e-6f);
}

static void test_additive(void **state) {
  (void)state;
  Pose reference = posed(10), pose = posed(47), difference, out;
  pose_difference(&reference, &reference, &difference);
  for (int i = 0; i < difference.count; i++) {
    assert_true(quat_angle_between(difference.rotation[i], glms_quat_identity()) < 1e-6f);
    assert_vec3(difference.position[i], 0, 0, 0);
  }
  pose_difference(&pose, &reference, &difference);
  pose_add(&reference, &difference, 1, &out);
  assert_close(&out, &pose, 1e-6f);
  pose_add(&reference, &difference, 0, &out);
  assert_same_bits(&out, &reference);
  pose_add(&reference, &difference, 0.5f, &out);
  assert_true(degrees_between(out.rotation[0], turned(Y, 28.5f)) < 1e-3f);
}

// ---- Blocks of four joints and the rest ----

// A chain in which all joints are different.
static Skeleton chain_of(int count) {
  Skeleton s = {.name = "chain", .count = count};
  for (int i = 0; i < count; i++) {
    s.parent[i] = i - 1;
    s.bind_position_l[i] = (vec3s){{0.01f * (float)i, 0.1f, -0.02f * (float)(i % 3)}};
    s.bind_rotation_l[i] = turned(i % 2 ? X : Z, 3 * (float)(i % 7));
  }
  return s;
}

// Of a chain, with NAN beyond its count.
static Pose chain_pose(int count, float degrees) {
  Skeleton s = chain_of(count);
  Pose pose = pose_bind(&s);
  for (int i = 0; i < SKELETON_MAX_JOINTS; i++) {
    pose.position[i].x += degrees / 50;
    pose.rotation[i] = glms_quat_mul(pose.rotation[i], turned(Y, degrees + (float)i));
  }
  for (int i = count; i < SKELETON_MAX_JOINTS; i++) {
    pose.position[i] = (vec3s){{NAN, NAN, NAN}};
    pose.rotation[i] = (versors){{NAN, NAN, NAN, NAN}};
  }
  return pose;
}

enum { JOB_BLEND, JOB_MASKED, JOB_MANY, JOB_DIFFERENCE, JOB_ADD, JOB_TO_MODEL, JOB_FROM_MODEL, JOBS };

static void run_job(int job, const Skeleton *skeleton, const Pose *a, const Pose *b, Pose *out) {
  float mask[SKELETON_MAX_JOINTS];
  for (int i = 0; i < a->count; i++)
    mask[i] = (float)(i % 5) / 4;
  const Pose *poses[] = {a, b, a};
  const float weights[] = {0.2f, 0.5f, 0.3f};
  switch (job) {
  case JOB_BLEND:
    pose_blend(a, b, 0.3f, NULL, out);
    break;
  case JOB_MASKED:
    pose_blend(a, b, 0, mask, out);
    break;
  case JOB_MANY:
    pose_blend_many(poses, weights, 3, out);
    break;
  case JOB_DIFFERENCE:
    pose_difference(a, b, out);
    break;
  case JOB_ADD:
    pose_add(a, b, 0.4f, out);
    break;
  case JOB_TO_MODEL:
    pose_to_model(skeleton, a, out);
    break;
  case JOB_FROM_MODEL:
    pose_from_model(skeleton, a, out);
    break;
  }
}

// Skeletons of every size: each joint has the bits that it has in the largest skeleton, for any data beyond the last
// one, which stay untouched.
static void test_every_count(void **state) {
  (void)state;
  Skeleton largest = chain_of(SKELETON_MAX_JOINTS);
  Pose a = chain_pose(SKELETON_MAX_JOINTS, 10), b = chain_pose(SKELETON_MAX_JOINTS, -40), whole;
  for (int job = 0; job < JOBS; job++) {
    run_job(job, &largest, &a, &b, &whole);
    for (int count = 1; count <= SKELETON_MAX_JOINTS; count++) {
      Skeleton s = chain_of(count);
      Pose few_a = chain_pose(count, 10), few_b = chain_pose(count, -40), out, untouched;
      memset(&out, 0x5a, sizeof out);
      untouched = out;
      run_job(job, &s, &few_a, &few_b, &out);
      assert_int_equal(out.count, count);
      size_t joints = (size_t)count, rest = SKELETON_MAX_JOINTS - joints;
      assert_memory_equal(out.position, whole.position, joints * sizeof out.position[0]);
      assert_memory_equal(out.rotation, whole.rotation, joints * sizeof out.rotation[0]);
      assert_memory_equal(out.position + joints, untouched.position + joints, rest * sizeof out.position[0]);
      assert_memory_equal(out.rotation + joints, untouched.rotation + joints, rest * sizeof out.rotation[0]);
    }
  }
}

static void test_in_place(void **state) {
  (void)state;
  for (int job = 0; job < JOBS; job++)
    for (int count = 1; count < 12; count++) {
      Skeleton s = chain_of(count);
      const Pose a = chain_pose(count, 10), b = chain_pose(count, -40);
      Pose out, into_a = a, into_b = b;
      run_job(job, &s, &a, &b, &out);
      run_job(job, &s, &into_a, &b, &into_a);
      run_job(job, &s, &a, &into_b, &into_b);
      assert_same_bits(&into_a, &out);
      assert_same_bits(&into_b, &out);
    }
}

// Down to the ankles as in the whole model; other joints stay untouched.
static void test_legs_to_model(void **state) {
  (void)state;
  Skeleton s = chain_of(23);
  s.leg_count = 2;
  s.legs[0].ankle = 9;
  s.legs[1].ankle = 14;
  s.parent[12] = 4;
  bool placed[SKELETON_MAX_JOINTS] = {true};
  for (int i = 0; i < s.leg_count; i++)
    for (int joint = s.legs[i].ankle; joint > 0; joint = s.parent[joint])
      placed[joint] = true;
  Pose pose = chain_pose(23, 40), whole, legs, untouched;
  memset(&legs, 0x5a, sizeof legs);
  untouched = legs;
  pose_to_model(&s, &pose, &whole);
  pose_legs_to_model(&s, &pose, &legs);
  for (int i = 0; i < s.count; i++) {
    const Pose *expected = placed[i] ? &whole : &untouched;
    assert_memory_equal(&legs.position[i], &expected->position[i], sizeof legs.position[i]);
    assert_memory_equal(&legs.rotation[i], &expected->rotation[i], sizeof legs.rotation[i]);
  }
}

// One joint alone has the bits that it has among all.
static void test_turn_of_one_joint(void **state) {
  (void)state;
  Skeleton s = chain_of(23);
  s.parent[12] = 4;
  const Pose pose = chain_pose(23, 40);
  versors all[SKELETON_MAX_JOINTS];
  pose_turn_to_model(&s, &pose, all);
  for (int i = 0; i < s.count; i++) {
    const versors one = pose_turn_joint(&s, &pose, i);
    assert_memory_equal(&one, &all[i], sizeof one);
  }
}

// Small and large turns, either way round, of four and of eight joints at once and of the rest: each as quat_log alone.
static void check_turns(const PoseLoops *loops) {
  enum { MOST = 21 };
  versors from[MOST], to[MOST];
  for (int i = 0; i < MOST; i++) {
    const vec3s axis = glms_vec3_normalize((vec3s){{1, (float)i - 7, 3 - 0.5f * (float)i}});
    from[i] = turned(Y, 20 * (float)i);
    to[i] = glms_quat_mul(turned(axis, i % 3 == 0 ? 0.01f * (float)i : 17 * (float)i), from[i]);
    if (i % 2)
      to[i] = quat_negate(to[i]);
  }
  to[4] = from[4];
  for (int count = 0; count <= MOST; count++) {
    vec3s turns[MOST + 1] = {0};
    turns[count] = X;
    loops->turns(from, to, count, turns);
    for (int i = 0; i < count; i++) {
      const vec3s alone = quat_log(glms_quat_mul(to[i], glms_quat_conjugate(from[i])));
      assert_memory_equal(&turns[i], &alone, sizeof alone);
    }
    assert_memory_equal(&turns[count], &X, sizeof X); // untouched
  }
}

static void test_turns(void **state) {
  (void)state;
  check_turns(&pose_loops_4);
  check_turns(pose_loops());
}

// One weight for all, and the same one for each but the last.
static void test_masked_blend_is_the_same(void **state) {
  (void)state;
  Pose a = chain_pose(61, 5), b = chain_pose(61, 80), one, each;
  for (int step = 0; step <= 8; step++) {
    float mask[SKELETON_MAX_JOINTS];
    for (int i = 0; i < a.count; i++)
      mask[i] = i < 60 ? (float)step / 8 : 0.3f;
    pose_blend(&a, &b, (float)step / 8, NULL, &one);
    pose_blend(&a, &b, 0, mask, &each);
    each.position[60] = one.position[60];
    each.rotation[60] = one.rotation[60];
    assert_same_bits(&each, &one);
  }
}

// A negative part of a difference goes the other way.
static void test_additive_backwards(void **state) {
  (void)state;
  Pose reference = posed(0), pose = posed(0), difference, out;
  pose.rotation[1] = turned(X, 120);
  pose_difference(&pose, &reference, &difference);
  for (int i = 0; i < difference.count; i++) // with the other sign
    difference.rotation[i] = glms_quat_mul(difference.rotation[i], (versors){{0, 0, 0, -1}});
  pose_add(&reference, &difference, -0.75f, &out);
  assert_true(degrees_between(out.rotation[1], turned(X, -90)) < 1e-4f);
  assert_true(degrees_between(out.rotation[2], turned(X, 0)) < 1e-4f);
  pose_add(&reference, &difference, -1, &out);
  assert_true(degrees_between(out.rotation[1], turned(X, -120)) < 1e-4f);
}

static void test_shortest_arc(void **state) {
  (void)state;
  assert_vec3(glms_quat_rotatev(quat_shortest_arc(X, Y), X), 0, 1, 0);
  assert_true(degrees_between(quat_shortest_arc(X, Y), turned(Z, 90)) < 1e-3f);
  assert_true(degrees_between(quat_shortest_arc(Y, Y), glms_quat_identity()) < 1e-4f);
  const vec3s axes[] = {X, Y, Z, {{-0.6f, 0.8f, 0}}};
  for (int i = 0; i < 4; i++) { // opposite, and almost opposite
    vec3s opposite = glms_vec3_negate(axes[i]);
    versors q = quat_shortest_arc(axes[i], opposite);
    assert_true(glms_vec3_distance(glms_quat_rotatev(q, axes[i]), opposite) < 1e-6f);
    vec3s almost = glms_vec3_normalize(glms_vec3_add(opposite, (vec3s){{1e-4f, 2e-4f, -1e-4f}}));
    q = quat_shortest_arc(axes[i], almost);
    assert_true(glms_vec3_distance(glms_quat_rotatev(q, axes[i]), almost) < 1e-6f);
  }
  assert_true(degrees_between(quat_shortest_arc(glms_vec3_zero(), Y), glms_quat_identity()) == 0);
}

static void test_log_and_exp(void **state) {
  (void)state;
  assert_vec3(quat_log(turned(Y, 90)), 0, (float)GLM_PI_2, 0);
  versors far = turned(Y, 270); // the short way is -90
  assert_vec3(quat_log(far), 0, -(float)GLM_PI_2, 0);
  assert_vec3(quat_log(glms_quat_identity()), 0, 0, 0);
  assert_vec3(quat_log(quat_exp((vec3s){{1e-5f, 0, 0}})), 1e-5f, 0, 0);
  assert_true(fabsf(quat_angle_between(turned(X, 10), turned(X, 55)) - 45 * (float)(GLM_PI / 180)) < 1e-6f);
}

static void test_swing_twist(void **state) {
  (void)state;
  versors swing, twist, q = glms_quat_mul(turned(X, 40), turned(Y, 70));
  quat_swing_twist(q, Y, &swing, &twist);
  assert_true(degrees_between(twist, turned(Y, 70)) < 1e-3f);
  assert_true(degrees_between(swing, turned(X, 40)) < 1e-3f);
  quat_swing_twist(turned(X, 180), Y, &swing, &twist); // the twist is undefined: none
  assert_true(degrees_between(twist, glms_quat_identity()) < 0.01f);
  assert_true(degrees_between(swing, turned(X, 180)) < 0.01f);
}

static void test_slerp(void **state) {
  (void)state;
  versors a = turned(X, 30), b = turned(Y, -80), far = {{-b.x, -b.y, -b.z, -b.w}};
  versors start = quat_slerp(a, far, 0), end = quat_slerp(a, far, 1);
  assert_memory_equal(&start, &a, sizeof a);
  assert_memory_equal(&end, &far, sizeof far);
  float whole = quat_angle_between(a, b);
  for (int k = 1; k < 10; k++) { // constant speed
    float part = quat_angle_between(a, quat_slerp(a, far, (float)k / 10));
    assert_true(fabsf(part - whole * (float)k / 10) < 1e-5f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find),
      cmocka_unit_test(test_model_space),
      cmocka_unit_test(test_place),
      cmocka_unit_test(test_blend_ends_are_exact),
      cmocka_unit_test(test_blend_goes_the_short_way),
      cmocka_unit_test(test_blend_many),
      cmocka_unit_test(test_additive),
      cmocka_unit_test(test_additive_backwards),
      cmocka_unit_test(test_every_count),
      cmocka_unit_test(test_in_place),
      cmocka_unit_test(test_masked_blend_is_the_same),
      cmocka_unit_test(test_legs_to_model),
      cmocka_unit_test(test_turn_of_one_joint),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_shortest_arc),
      cmocka_unit_test(test_log_and_exp),
      cmocka_unit_test(test_swing_twist),
      cmocka_unit_test(test_slerp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
