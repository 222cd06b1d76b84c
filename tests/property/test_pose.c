// Laws of poses and rotations for random input.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <cmocka.h>

#include "anim/pose.h"
#include "anim/pose_loops.h"
#include "sim/base/rng.h"

enum { CASES = 5000, JOINTS = 20 };

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

static versors random_rotation(Rng *rng) {
  return quat_exp(random_vector(rng, rng_range(rng, 0, rng_index(rng, 8) ? GLM_PI : 1e-4)));
}

// Any tree: every joint's parent comes before it.
static Skeleton random_skeleton(Rng *rng) {
  Skeleton s = {.name = "random", .count = 1 + rng_index(rng, JOINTS)};
  for (int i = 0; i < s.count; i++) {
    s.parent[i] = i ? rng_index(rng, i) : -1;
    s.bind_position_l[i] = random_vector(rng, 0.3);
    s.bind_rotation_l[i] = random_rotation(rng);
  }
  return s;
}

static Pose random_pose(const Skeleton *skeleton, Rng *rng) {
  Pose pose = pose_bind(skeleton);
  pose.position[0] = random_vector(rng, 2);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = random_rotation(rng);
  return pose;
}

static float distance(const Pose *a, const Pose *b) {
  float largest = 0;
  for (int i = 0; i < a->count; i++)
    largest = fmaxf(largest, fmaxf(glms_vec3_distance(a->position[i], b->position[i]),
                                   quat_angle_between(a->rotation[i], b->rotation[i])));
  return largest;
}

static void test_local_and_model_space(void **state) {
  (void)state;
  Rng rng = rng_make(1, "spaces");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng);
    Pose pose = random_pose(&s, &rng), back;
    ModelPose model, placed;
    pose_to_model(&s, &pose, &model);
    pose_from_model(&s, &model, &back);
    assert_true(distance(&pose, &back) < 5e-6f);
    // Moving the root moves the whole body rigidly.
    vec3s at = random_vector(&rng, 5);
    versors turn = random_rotation(&rng);
    pose_transform(&pose, at, turn);
    pose_to_model(&s, &pose, &placed);
    for (int i = 0; i < s.count; i++) {
      vec3s wanted = glms_vec3_add(at, glms_quat_rotatev(turn, model.position[i]));
      assert_true(glms_vec3_distance(placed.position[i], wanted) < 1e-5f);
    }
  }
}

// p turned by the unit quaternion q: p + w t + v x t with t = 2 v x p.
static vec3s turned(versors q, vec3s p) {
  vec3s v = {{q.x, q.y, q.z}}, t = glms_vec3_cross(v, p);
  t = glms_vec3_add(t, t);
  return glms_vec3_add(glms_vec3_add(p, glms_vec3_scale(t, q.w)), glms_vec3_cross(v, t));
}

static versors unit(versors q) {
  float scale = 1 / sqrtf((q.x * q.x + q.z * q.z) + (q.y * q.y + q.w * q.w));
  return (versors){{q.x * scale, q.y * scale, q.z * scale, q.w * scale}};
}

// Computation by blocks and with kept values gives the bits of joint after joint, in place too.
static void test_joint_by_joint(void **state) {
  (void)state;
  Rng rng = rng_make(8, "joints");
  for (int n = 0; n < CASES / 5; n++) {
    Skeleton s = random_skeleton(&rng);
    for (int i = 1; i < s.count; i++)
      s.parent[i] = rng_index(&rng, 2) ? i - 1 : s.parent[i]; // chains, and branches
    Pose pose = random_pose(&s, &rng), model;
    pose_to_model(&s, &pose, &model);

    versors product[JOINTS] = {pose.rotation[0]}, rotation[JOINTS] = {pose.rotation[0]};
    vec3s position[JOINTS] = {pose.position[0]};
    for (int i = 1; i < s.count; i++) {
      int parent = s.parent[i];
      product[i] = glms_quat_mul(product[parent], pose.rotation[i]);
      rotation[i] = unit(product[i]);
      position[i] = glms_vec3_add(position[parent], turned(rotation[parent], pose.position[i]));
    }
    pose_to_model(&s, &pose, &pose);
    assert_memory_equal(model.rotation, rotation, (size_t)s.count * sizeof rotation[0]);
    assert_memory_equal(model.position, position, (size_t)s.count * sizeof position[0]);
    assert_memory_equal(pose.rotation, rotation, (size_t)s.count * sizeof rotation[0]);
    assert_memory_equal(pose.position, position, (size_t)s.count * sizeof position[0]);
  }
}

// Four lanes and eight give the bits of joint after joint, in place, and write nothing beyond.
static void test_loops(void **state) {
  (void)state;
  const PoseLoops *widths[] = {&pose_loops_4, pose_loops()}; // the same if the processor has no eight lanes
  Rng rng = rng_make(9, "loops");
  for (int n = 0; n < CASES / 5; n++) {
    Skeleton s = {.count = JOINTS};
    Pose a = random_pose(&s, &rng), b = random_pose(&s, &rng), line = a, mix = a, arc[2] = {a, a}, same = a;
    int count = rng_index(&rng, JOINTS);
    float t = (float)rng_unit(&rng);
    for (int i = 0; i < count; i++) {
      versors p = a.rotation[i], q = b.rotation[i];
      float wa = 1 - t, wb = copysignf(t, (p.x * q.x + p.z * q.z) + (p.y * q.y + p.w * q.w));
      mix.rotation[i] =
          unit((versors){{wa * p.x + wb * q.x, wa * p.y + wb * q.y, wa * p.z + wb * q.z, wa * p.w + wb * q.w}});
      same.rotation[i] = unit(p);
      for (int k = 0; k < 3; k++)
        line.position[i].raw[k] = a.position[i].raw[k] + t * (b.position[i].raw[k] - a.position[i].raw[k]);
    }
    for (int k = 0; k < 2; k++) {
      Pose out = a;
      widths[k]->lerp(out.position, b.position, t, count, out.position);
      assert_memory_equal(out.position, line.position, sizeof out.position);
      widths[k]->mix(out.rotation, b.rotation, t, count, out.rotation);
      assert_memory_equal(out.rotation, mix.rotation, sizeof out.rotation);
      out = a;
      widths[k]->normalize(out.rotation, count);
      assert_memory_equal(out.rotation, same.rotation, sizeof out.rotation);
      widths[k]->slerp(arc[k].rotation, b.rotation, t, count, arc[k].rotation);
    }
    assert_memory_equal(arc[0].rotation, arc[1].rotation, sizeof arc[0].rotation);
    assert_memory_equal(&arc[0].rotation[count], &a.rotation[count], (size_t)(JOINTS - count) * sizeof a.rotation[0]);
  }
}

static void test_blends(void **state) {
  (void)state;
  Rng rng = rng_make(2, "blends");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng);
    Pose a = random_pose(&s, &rng), b = random_pose(&s, &rng), there, back;
    float w = (float)rng_unit(&rng);
    pose_blend(&a, &b, w, NULL, &there);
    pose_blend(&b, &a, 1 - w, NULL, &back);
    for (int i = 0; i < s.count; i++) {
      float whole = quat_angle_between(a.rotation[i], b.rotation[i]);
      float part = quat_angle_between(a.rotation[i], there.rotation[i]);
      assert_true(fabsf(part - w * whole) < 1e-5f);
      if (whole < 3.1f) // beyond, both ways are equally long
        assert_true(quat_angle_between(there.rotation[i], back.rotation[i]) < 1e-3f);
      assert_true(fabsf(glms_quat_norm(there.rotation[i]) - 1) < 1e-6f);
    }
    // The mean of many poses does not depend on their order, and is never farther away than the poses themselves.
    const Pose *two[] = {&a, &b}, *turned[] = {&b, &a};
    const float weights[] = {w, 1 - w}, other[] = {1 - w, w};
    Pose mean, mean_turned;
    pose_blend_many(two, weights, 2, &mean);
    pose_blend_many(turned, other, 2, &mean_turned);
    for (int i = 0; i < s.count; i++) {
      float whole = quat_angle_between(a.rotation[i], b.rotation[i]);
      assert_true(quat_angle_between(mean.rotation[i], a.rotation[i]) <= whole + 1e-5f);
      if (whole < 3.1f)
        assert_true(quat_angle_between(mean.rotation[i], mean_turned.rotation[i]) < 1e-5f);
    }
  }
}

// ---- Against plain formulas in double ----

typedef struct Turn {
  double x, y, z, w;
} Turn;

static Turn turn_of(versors q) {
  double length = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
  return (Turn){q.x / length, q.y / length, q.z / length, q.w / length};
}

static Turn turn_mul(Turn a, Turn b) {
  return (Turn){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static double turn_angle(Turn a, Turn b) { // rad between two rotations
  Turn d = turn_mul((Turn){-a.x, -a.y, -a.z, a.w}, b);
  return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static Turn turn_slerp(Turn a, Turn b, double t) {
  double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, sign = cosine < 0 ? -1 : 1;
  double angle = acos(fmin(fabs(cosine), 1)), wa = 1 - t, wb = t;
  if (angle > 1e-6) {
    wa = sin((1 - t) * angle) / sin(angle);
    wb = sin(t * angle) / sin(angle);
  }
  wb *= sign;
  return (Turn){wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w};
}

// The largest error of a blended rotation is the one that pose.h promises, over all angles and weights.
static void test_blend_is_slerp(void **state) {
  (void)state;
  Rng rng = rng_make(5, "slerp");
  double largest = 0;
  for (int n = 0; n < CASES; n++) {
    Pose a = {.count = JOINTS}, b = a, out;
    for (int i = 0; i < JOINTS; i++) {
      a.rotation[i] = random_rotation(&rng);
      b.rotation[i] = glms_quat_mul(a.rotation[i], random_rotation(&rng));
    }
    float weight = (float)rng_unit(&rng);
    pose_blend(&a, &b, weight, NULL, &out);
    for (int i = 0; i < JOINTS; i++) {
      Turn exact = turn_slerp(turn_of(a.rotation[i]), turn_of(b.rotation[i]), weight);
      largest = fmax(largest, turn_angle(turn_of(out.rotation[i]), exact));
    }
  }
  assert_true(largest < 5e-7);
}

// A part of a difference is a part of its angle about its axis.
static void test_add_is_a_part_of_the_angle(void **state) {
  (void)state;
  Rng rng = rng_make(6, "parts");
  double largest = 0;
  for (int n = 0; n < CASES; n++) {
    Pose base = {.count = JOINTS}, difference = base, out;
    double angles[JOINTS];
    vec3s axes[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
      angles[i] = rng_range(&rng, -3.1, 3.1);
      axes[i] = random_vector(&rng, 1);
      base.rotation[i] = random_rotation(&rng);
      difference.rotation[i] = quat_exp(glms_vec3_scale(axes[i], (float)angles[i]));
    }
    float weight = (float)rng_range(&rng, -1, 1);
    pose_add(&base, &difference, weight, &out);
    for (int i = 0; i < JOINTS; i++) {
      double half = (double)weight * angles[i] / 2;
      Turn part = {sin(half) * axes[i].x, sin(half) * axes[i].y, sin(half) * axes[i].z, cos(half)};
      Turn exact = turn_mul(turn_of(base.rotation[i]), part);
      largest = fmax(largest, turn_angle(turn_of(out.rotation[i]), exact));
    }
  }
  assert_true(largest < 1e-6);
}

// The longest chain there is: errors do not accumulate beyond rounding.
static void test_long_chains(void **state) {
  (void)state;
  Rng rng = rng_make(7, "chains");
  for (int n = 0; n < CASES / 10; n++) {
    Skeleton s = {.count = SKELETON_MAX_JOINTS};
    for (int i = 0; i < s.count; i++)
      s.parent[i] = i - 1;
    Pose pose = {.count = s.count}, model;
    for (int i = 0; i < s.count; i++) {
      pose.position[i] = random_vector(&rng, 0.1);
      pose.rotation[i] = random_rotation(&rng);
    }
    pose_to_model(&s, &pose, &model);
    Turn turn = turn_of(pose.rotation[0]);
    double at[3] = {pose.position[0].x, pose.position[0].y, pose.position[0].z};
    for (int i = 1; i < s.count; i++) {
      vec3s p = pose.position[i];
      Turn back = {-turn.x, -turn.y, -turn.z, turn.w},
           offset = turn_mul(turn_mul(turn, (Turn){p.x, p.y, p.z, 0}), back);
      at[0] += offset.x;
      at[1] += offset.y;
      at[2] += offset.z;
      turn = turn_mul(turn, turn_of(pose.rotation[i]));
      assert_true(turn_angle(turn_of(model.rotation[i]), turn) < 5e-6);
      assert_true(fabsf(glms_quat_norm(model.rotation[i]) - 1) < 5e-7f);
      assert_true(fabs(at[0] - model.position[i].x) + fabs(at[1] - model.position[i].y) +
                      fabs(at[2] - model.position[i].z) <
                  1e-5);
    }
  }
}

static void test_additive(void **state) {
  (void)state;
  Rng rng = rng_make(3, "additive");
  for (int n = 0; n < CASES; n++) {
    Skeleton s = random_skeleton(&rng);
    Pose reference = random_pose(&s, &rng), pose = random_pose(&s, &rng), difference, out;
    pose_difference(&pose, &reference, &difference);
    pose_add(&reference, &difference, 1, &out);
    assert_true(distance(&out, &pose) < 1e-6f);
  }
}

static void test_rotations(void **state) {
  (void)state;
  Rng rng = rng_make(4, "rotations");
  for (int n = 0; n < 20 * CASES; n++) {
    versors q = random_rotation(&rng), swing, twist;
    assert_true(quat_angle_between(quat_exp(quat_log(q)), q) < 1e-6f);
    assert_true(glms_vec3_norm(quat_log(q)) <= (float)GLM_PI + 1e-6f);

    vec3s axis = random_vector(&rng, 1), to = random_vector(&rng, 1);
    quat_swing_twist(q, axis, &swing, &twist);
    assert_true(quat_angle_between(glms_quat_mul(swing, twist), q) < 2e-6f);
    assert_true(fabsf(swing.x * axis.x + swing.y * axis.y + swing.z * axis.z) < 1e-5f); // no twist remains

    if (n % 2) // almost opposite
      to = glms_vec3_normalize(glms_vec3_sub(random_vector(&rng, rng_range(&rng, 0, 1e-3)), axis));
    versors arc = quat_shortest_arc(axis, to);
    assert_true(glms_vec3_distance(glms_quat_rotatev(arc, axis), to) < 1e-6f);
    float angle = atan2f(glms_vec3_norm(glms_vec3_cross(axis, to)), glms_vec3_dot(axis, to));
    assert_true(fabsf(quat_angle_between(arc, glms_quat_identity()) - angle) < 2e-6f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local_and_model_space),
      cmocka_unit_test(test_joint_by_joint),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_blends),
      cmocka_unit_test(test_blend_is_slerp),
      cmocka_unit_test(test_long_chains),
      cmocka_unit_test(test_additive),
      cmocka_unit_test(test_add_is_a_part_of_the_angle),
      cmocka_unit_test(test_rotations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
