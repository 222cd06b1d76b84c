// Laws of mirroring for random skeletons and poses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <cmocka.h>

#include "anim/mirror.h"
#include "sim/base/rng.h"

enum { CASES = 2000, JOINTS = 40 };

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

static versors random_rotation(Rng *rng) { return quat_exp(random_vector(rng, rng_range(rng, 0, GLM_PI))); }

// Any tree of twins and joints in the middle. Positions in the model may be symmetric; frames have any orientation.
static Skeleton random_skeleton(Rng *rng, bool symmetric) {
  Skeleton s = {.name = "random", .parent = {-1}};
  int wanted = 1 + rng_index(rng, JOINTS);
  ModelPose bind_m = {0};
  while (s.count < wanted) {
    int i = s.count, parent = i ? rng_index(rng, i) : -1;
    bool pair = i > 0 && (s.twin[parent] != parent || rng_index(rng, 2));
    for (int side = 0; side <= (pair ? 1 : 0); side++) {
      int k = i + side, twin = pair ? i + 1 - side : i;
      s.parent[k] = side && parent >= 0 ? s.twin[parent] : parent;
      s.twin[k] = twin;
      bind_m.position[k] = random_vector(rng, 0.5);
      bind_m.rotation[k] = random_rotation(rng);
      if (symmetric && side)
        bind_m.position[k] = mirror_vector(bind_m.position[i]);
      if (symmetric && !pair)
        bind_m.position[k].x = 0;
    }
    s.count += 1 + pair;
  }
  Pose bind;
  bind_m.count = s.count;
  pose_from_model(&s, &bind_m, &bind);
  for (int i = 0; i < s.count; i++) {
    s.bind_position_l[i] = bind.position[i];
    s.bind_rotation_l[i] = bind.rotation[i];
  }
  return s;
}

static Pose random_pose(const Skeleton *skeleton, Rng *rng) {
  Pose pose = pose_bind(skeleton);
  for (int i = 0; i < pose.count; i++) {
    pose.position[i] = glms_vec3_add(pose.position[i], random_vector(rng, 0.1));
    pose.rotation[i] = random_rotation(rng);
  }
  return pose;
}

static float distance(const Pose *a, const Pose *b) {
  float largest = 0;
  for (int i = 0; i < a->count; i++)
    largest = fmaxf(largest, fmaxf(glms_vec3_distance(a->position[i], b->position[i]),
                                   quat_angle_between(a->rotation[i], b->rotation[i])));
  return largest;
}

// For symmetric skeletons and others.
static void test_twice_is_the_identity(void **state) {
  (void)state;
  Rng rng = rng_make(1, "twice");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng, n % 2);
    Pose pose = random_pose(&s, &rng), once, twice;
    mirror_pose(&s, &pose, &once);
    mirror_pose(&s, &once, &twice);
    assert_true(distance(&pose, &twice) <= 1e-6f);
  }
}

// Positions are the reflections of the twins' positions, and so are rotations from the bind pose.
static void test_model_space_is_reflected(void **state) {
  (void)state;
  Rng rng = rng_make(2, "model");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng, true);
    Pose pose = random_pose(&s, &rng), mirrored, bind = pose_bind(&s);
    ModelPose before, after, bind_m;
    mirror_pose(&s, &pose, &mirrored);
    pose_to_model(&s, &pose, &before);
    pose_to_model(&s, &mirrored, &after);
    pose_to_model(&s, &bind, &bind_m);
    for (int i = 0; i < s.count; i++) {
      int twin = s.twin[i];
      assert_true(glms_vec3_distance(after.position[i], mirror_vector(before.position[twin])) < 1e-5f);
      versors turn = glms_quat_mul(after.rotation[i], glms_quat_conjugate(bind_m.rotation[i]));
      versors twin_turn = glms_quat_mul(before.rotation[twin], glms_quat_conjugate(bind_m.rotation[twin]));
      assert_true(quat_angle_between(turn, mirror_rotation(twin_turn)) < 1e-5f);
    }
  }
}

// Bones keep their lengths and the bind pose stays itself, whether it is symmetric or not.
static void test_bind_pose_stays(void **state) {
  (void)state;
  Rng rng = rng_make(3, "bind");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng, n % 2);
    s.bind_position_l[0].x = 0;
    Pose pose = pose_bind(&s), mirrored;
    mirror_pose(&s, &pose, &mirrored);
    assert_true(distance(&pose, &mirrored) < 2e-6f);
    for (int i = 0; i < pose.count; i++)
      pose.rotation[i] = random_rotation(&rng);
    mirror_pose(&s, &pose, &mirrored);
    for (int i = 1; i < pose.count; i++)
      assert_true(glms_vec3_distance(mirrored.position[i], s.bind_position_l[i]) < 1e-6f);
  }
}

// Mirroring and blending may be done in either order.
static void test_commutes_with_blending(void **state) {
  (void)state;
  Rng rng = rng_make(4, "blend");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng, n % 2);
    Pose a = random_pose(&s, &rng), b = random_pose(&s, &rng), blended, a_mirrored, b_mirrored, other;
    for (int i = 0; i < s.count; i++) // less than half a turn, where both ways are equally long
      b.rotation[i] = glms_quat_mul(a.rotation[i], quat_exp(random_vector(&rng, 2)));
    float weight = (float)rng_unit(&rng);
    pose_blend(&a, &b, weight, NULL, &blended);
    mirror_pose(&s, &blended, &blended);
    mirror_pose(&s, &a, &a_mirrored);
    mirror_pose(&s, &b, &b_mirrored);
    pose_blend(&a_mirrored, &b_mirrored, weight, NULL, &other);
    assert_true(distance(&blended, &other) < 1e-5f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twice_is_the_identity),
      cmocka_unit_test(test_model_space_is_reflected),
      cmocka_unit_test(test_bind_pose_stays),
      cmocka_unit_test(test_commutes_with_blending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
