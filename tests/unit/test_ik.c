// Two-bone inverse kinematics, case by case, and legs. Over random limbs: tests/property/test_ik.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/ik.h"
#include "sim/base/rng.h"

static const float RAD = (float)(GLM_PI / 180);

static float uniform(Rng *rng, float low, float high) { return (float)rng_range(rng, (double)low, (double)high); }

static versors random_rotation(Rng *rng) {
  double d[3];
  rng_direction(rng, d);
  return quat_exp(glms_vec3_scale((vec3s){{(float)d[0], (float)d[1], (float)d[2]}}, uniform(rng, 0, 3)));
}

// A limb of bones a and b, bent by an angle about its x axis as a knee is, in any orientation.
static TwoBoneJob make_limb(float a, float b, float bend, versors rotation) {
  versors lower = glms_quat_mul(rotation, quat_exp((vec3s){{bend, 0, 0}}));
  TwoBoneJob job = {.root_rotation = rotation, .mid_rotation = lower, .end_rotation = lower};
  job.mid = glms_quat_rotatev(rotation, (vec3s){{0, -a, 0}});
  job.end = glms_vec3_add(job.mid, glms_quat_rotatev(lower, (vec3s){{0, -b, 0}}));
  return job;
}

static bool is_finite(vec3s p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

static void assert_finite(const TwoBoneJob *job) {
  assert_true(fabsf(glms_quat_norm(job->new_root_rotation) - 1) < 1e-6f);
  assert_true(fabsf(glms_quat_norm(job->new_mid_rotation) - 1) < 1e-6f);
  assert_true(fabsf(glms_quat_norm(job->new_end_rotation) - 1) < 1e-6f);
  assert_true(is_finite(job->new_mid) && is_finite(job->new_end));
  assert_true(isfinite(job->error) && isfinite(job->stretched));
}

static void out_of_reach(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.6f, 0.6f, 0.5f, glms_quat_identity()); // 1 cm short of 1.2 m
  job.target = (vec3s){{0, 0, 5}};
  two_bone_solve(&job);
  assert_false(job.reached);
  assert_int_equal(job.clamped, TWO_BONE_TOO_FAR);
  assert_true(glms_vec3_distance(job.new_end, (vec3s){{0, 0, 1.19f}}) < 1e-5f);
  assert_true(fabsf(job.error - 3.81f) < 1e-5f);

  job = make_limb(0.4f, 0.3f, 0.5f, glms_quat_identity()); // a small limb: 1 % short
  job.target = (vec3s){{3, 0, 4}};
  two_bone_solve(&job);
  assert_true(glms_vec3_distance(job.new_end, (vec3s){{0.6f * 0.693f, 0, 0.8f * 0.693f}}) < 1e-6f);

  job.target = (vec3s){{0, 0, 0.02f}}; // too near: the bones' difference
  two_bone_solve(&job);
  assert_false(job.reached);
  assert_int_equal(job.clamped, TWO_BONE_TOO_NEAR);
  assert_true(glms_vec3_distance(job.new_end, (vec3s){{0, 0, 0.1f}}) < 1e-5f);
  assert_finite(&job);

  job.target = job.root;
  two_bone_solve(&job);
  assert_finite(&job);
  assert_true(fabsf(glms_vec3_norm(job.new_end) - 0.1f) < 1e-5f);
}

// Straight, folded, huge and missing bones, targets on the root, poles along the limb, in both modes.
static void degenerate_limbs(void **state) {
  (void)state;
  const float lengths[] = {0, 1e-8f, 0.3f, 0.5f}, bends[] = {0, 1e-5f, 1, (float)GLM_PI};
  const vec3s targets[] = {{{0, 0, 0}}, {{0, -0.6f, 0}}, {{0, 0.6f, 0}}, {{0, -0.8f, 0}}, {{1e-9f, 0, 0}}, {{0, 0, 9}}};
  const vec3s poles[] = {{{0, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  const vec3s hinges[] = {{{0, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  for (int i = 0; i < 4 * 4 * 4 * 6 * 3 * 3 * 2; i++) {
    float a = lengths[i % 4], b = lengths[i / 4 % 4];
    TwoBoneJob job = make_limb(a, b, bends[i / 16 % 4], glms_quat_identity());
    job.target = targets[i / 64 % 6];
    job.pole = poles[i / 384 % 3];
    job.hinge = hinges[i / 1152 % 3];
    job.mode = i / 3456 ? TWO_BONE_HINGE : TWO_BONE_FREE;
    two_bone_solve(&job);
    assert_finite(&job);
    assert_true(fabsf(glms_vec3_norm(job.new_mid) - a) < 2e-6f);
    assert_true(fabsf(glms_vec3_distance(job.new_mid, job.new_end) - b) < 2e-6f);

    AimJob aim = {.limb = job, .direction = job.target, .reach = 0.99f, .distance = i % 5 ? 0 : 0.5f};
    two_bone_aim(&aim);
    assert_finite(&aim.limb);
    assert_true(isfinite(aim.hand_distance));
    assert_true(fabsf(glms_vec3_norm(aim.limb.new_mid) - a) < 2e-6f);
    assert_true(fabsf(glms_vec3_distance(aim.limb.new_mid, aim.limb.new_end) - b) < 2e-6f);
  }
  for (float size = 1e-30f; size < 1e31f; size *= 1e5f) {
    TwoBoneJob job = make_limb(size, 0.5f * size, 0.5f, glms_quat_identity());
    job.target = (vec3s){{0.3f * size, size, 0}};
    job.pole = (vec3s){{0, 0, 1 / size}};
    two_bone_solve(&job);
    assert_finite(&job);
  }
}

// Assumptions are reported: a straight limb bends about its hinge, as knees do, and as elbows do about -x.
static void test_straight_limb_bends_about_its_hinge(void **state) {
  (void)state;
  for (int elbow = 0; elbow < 2; elbow++)
    for (TwoBoneMode mode = TWO_BONE_FREE; mode <= TWO_BONE_HINGE; mode++) {
      TwoBoneJob job = make_limb(0.4f, 0.4f, 0, glms_quat_identity());
      job.hinge = (vec3s){{elbow ? -1 : 0, 0, 0}};
      job.mode = mode;
      job.target = (vec3s){{0, -0.5f, 0}};
      two_bone_solve(&job);
      assert_true(job.reached);
      assert_int_equal(job.pole_fallback, mode == TWO_BONE_FREE);
      assert_true(fabsf(job.new_mid.x) < 1e-6f && (elbow ? -1 : 1) * job.new_mid.z > 0.3f);
      job.pole = (vec3s){{1, -3, 0}}; // with a pole the hinge turns there
      two_bone_solve(&job);
      assert_false(job.pole_fallback);
      assert_true(fabsf(job.new_mid.z) < 1e-6f && job.new_mid.x > 0.3f);
      vec3s hinge = glms_quat_rotatev(job.new_mid_rotation, (vec3s){{1, 0, 0}});
      assert_true(fabsf(hinge.z) > 0.999999f);
      job.pole = (vec3s){{0, -3, 0}}; // a pole along the limb has no effect
      two_bone_solve(&job);
      assert_true(job.pole_fallback);
      assert_true(fabsf(job.new_mid.x) < 1e-6f && (elbow ? -1 : 1) * job.new_mid.z > 0.3f);
    }
}

static void test_end_rotation_is_carried_or_kept(void **state) {
  (void)state;
  Rng rng = rng_make(3, "end");
  for (int i = 0; i < 1000; i++) {
    TwoBoneJob job = make_limb(0.4f, 0.3f, uniform(&rng, 0.2f, 2), random_rotation(&rng));
    versors local = random_rotation(&rng);
    job.end_rotation = glms_quat_mul(job.mid_rotation, local);
    job.target = glms_quat_rotatev(random_rotation(&rng), (vec3s){{0, 0.5f, 0}});
    two_bone_solve(&job);
    versors carried = glms_quat_mul(job.new_mid_rotation, local);
    assert_true(quat_angle_between(carried, job.new_end_rotation) < 2e-6f);
    job.keep_end_rotation = true;
    two_bone_solve(&job);
    assert_memory_equal(&job.new_end_rotation, &job.end_rotation, sizeof job.end_rotation);
  }
}

// ---- Moving targets ----

typedef struct Path {
  TwoBoneJob job;
  vec3s last;
  float most; // m the middle moved in a step
  int fallbacks;
} Path;

// The target one step on: 1 m/s at 240 Hz.
static void follow_path(Path *path, vec3s target) {
  bool first = path->job.new_mid.x == 0 && path->job.new_mid.y == 0 && path->job.new_mid.z == 0;
  path->job.target = target;
  two_bone_solve(&path->job);
  if (!first)
    path->most = fmaxf(path->most, glms_vec3_distance(path->job.new_mid, path->last));
  path->last = path->job.new_mid;
  path->fallbacks += path->job.pole_fallback;
}

// Through full extension, through the root and out on the other side. (With bones of different length the folded limb
// must turn with the target at the root; equal ones fold and unfold.)
static void continuity(void **state) {
  (void)state;
  const float lengths[][2] = {{0.42f, 0.42f}, {0.2f, 0.6f}, {0.3f, 0.25f}, {0.5f, 0.5f}};
  for (int limb = 0; limb < 4; limb++)
    for (int with_pole = 0; with_pole < 2; with_pole++)
      for (TwoBoneMode mode = TWO_BONE_FREE; mode <= TWO_BONE_HINGE; mode++) {
        float a = lengths[limb][0], b = lengths[limb][1];
        Path path = {.job = make_limb(a, b, 0.6f, glms_quat_identity())};
        path.job.mode = mode;
        if (with_pole)
          path.job.pole = (vec3s){{0, 0, 1}};
        vec3s along = glms_vec3_normalize(path.job.end);
        float until = a == b ? -1.2f : fabsf(a - b) + 0.02f;
        for (float s = 1.2f; s > until; s -= 1.0f / 240)
          follow_path(&path, glms_vec3_scale(along, s));
        assert_true(path.most <= 0.02f);
        assert_int_equal(path.fallbacks, 0);
      }
  // A straight limb reports that it used its hinge, in every step.
  Path path = {.job = make_limb(0.42f, 0.42f, 0, glms_quat_identity())};
  for (int i = 0; i < 480; i++)
    follow_path(&path, (vec3s){{0, -1 + (float)i / 240, 0}});
  assert_true(path.most <= 0.02f);
  assert_int_equal(path.fallbacks, 480);
}

// Softened, the end never stops suddenly: its speed changes by less in a step than without, and so does the middle's.
static void test_soft_reach_has_no_snap(void **state) {
  (void)state;
  float jerk[2];
  for (int soft = 0; soft < 2; soft++) {
    TwoBoneJob job = make_limb(0.42f, 0.42f, 0.6f, glms_quat_identity());
    job.soft = soft ? 0.05f : 0;
    float reach = 0, speed = 1, before = 0;
    jerk[soft] = 0;
    for (int i = 0; i < 1000; i++) {
      job.target = (vec3s){{0, 0, 0.7f + 0.0002f * (float)i}};
      two_bone_solve(&job);
      float now = job.new_end.z;
      assert_true(now >= reach && now <= 0.84f * 0.99f + 1e-6f);
      if (i > 1)
        jerk[soft] = fmaxf(jerk[soft], fabsf((now - reach) / 0.0002f - speed));
      speed = i > 0 ? (now - reach) / 0.0002f : 1;
      reach = now;
      assert_true(job.error >= before - 1e-6f);
      before = job.error;
      if (i == 600) // 0.82 m: within the last 5 % of 0.8316 m
        assert_int_equal(job.clamped, soft ? TWO_BONE_SOFTENED : TWO_BONE_NOT_CLAMPED);
    }
    assert_int_equal(job.clamped, TWO_BONE_TOO_FAR);
    assert_true(fabsf(reach - 0.84f * 0.99f) < 1e-6f);
  }
  assert_true(jerk[0] > 0.9f && jerk[1] < 0.01f);
}

static void test_stretch(void **state) {
  (void)state;
  TwoBoneJob job = make_limb(0.4f, 0.4f, 0.6f, glms_quat_identity());
  job.stretch = 1.25f;
  job.soft = 0.04f;
  float last = 1;
  for (int i = 0; i < 500; i++) {
    float distance = 0.7f + 0.001f * (float)i;
    job.target = (vec3s){{0, 0, distance}};
    two_bone_solve(&job);
    assert_int_equal(job.reached, distance <= 0.792f * 1.25f + 1e-6f);
    assert_true(job.stretched >= last - 1e-6f && job.stretched - last < 0.002f);
    last = job.stretched;
    assert_true(fabsf(glms_vec3_norm(job.new_mid) - 0.4f * job.stretched) < 1e-6f);
    assert_true(fabsf(glms_vec3_distance(job.new_mid, job.new_end) - 0.4f * job.stretched) < 1e-6f);
    assert_true(fabsf(glms_vec3_distance(job.new_end, job.target) - job.error) < 1e-6f);
  }
  assert_true(last == 1.25f);
}

static void numbers_of_limbs(void **state) {
  (void)state;
  for (TwoBoneMode mode = TWO_BONE_FREE; mode <= TWO_BONE_HINGE; mode++) {
    TwoBoneJob job = make_limb(0.4f, 0.4f, 1, glms_quat_identity());
    job.mode = mode;
    job.target = (vec3s){{0, 0, 0.4f}};
    job.pole = (vec3s){{0, 2, 0}};
    two_bone_solve(&job);
    assert_true(glms_vec3_distance(job.new_mid, (vec3s){{0, 0.34641016f, 0.2f}}) < 1e-6f);
    assert_true(glms_vec3_distance(job.new_end, job.target) < 1e-6f);
    assert_true(fabsf(glms_vec3_angle(job.new_mid, job.target) - 60 * RAD) < 1e-5f);
  }
}

// ---- Aiming ----

// An arm of two equal bones at 99 %: the distance of its end from the ray follows from the law of cosines.
static void numbers_of_aiming(void **state) {
  (void)state;
  AimJob aim = {.limb = make_limb(0.3f, 0.3f, 0.8f, glms_quat_identity()), .reach = 0.99f};
  aim.direction = (vec3s){{0, 0, 2}};
  two_bone_aim(&aim);
  vec3s hand = aim.limb.new_end;
  assert_true(aim.limb.reached);
  assert_true(fabsf(glms_vec3_norm(hand) - 0.99f * 0.6f) < 1e-6f);
  float bend = acosf(2 * 0.99f * 0.99f - 1); // of the elbow
  assert_true(fabsf(aim.hand_distance - 0.3f * sinf(bend)) < 1e-5f);
  assert_true(fabsf(hypotf(hand.x, hand.y) - aim.hand_distance) < 1e-6f);
}

// A point nearer than the arm reaches: reported, without a jump, and the hand stays on the ray.
static void test_aim_at_a_point_that_is_near(void **state) {
  (void)state;
  AimJob aim = {.limb = make_limb(0.3f, 0.25f, 0.8f, glms_quat_identity()), .reach = 0.99f};
  aim.direction = (vec3s){{1, 1, 1}};
  vec3s last = {{0}};
  for (int i = 0; i < 400; i++) {
    aim.distance = 1 - 0.0025f * (float)i;
    two_bone_aim(&aim);
    bool near = aim.distance < 0.99f * 0.55f;
    assert_int_equal(aim.limb.clamped, near ? TWO_BONE_TOO_NEAR : TWO_BONE_NOT_CLAMPED);
    if (near)
      assert_true(aim.hand_distance < 1e-6f && aim.limb.error > 0.01f);
    if (i > 0)
      assert_true(glms_vec3_distance(aim.limb.new_end, last) < 0.01f);
    last = aim.limb.new_end;
  }
}

static void test_debug_drawing(void **state) {
  (void)state;
  static DebugDraw draw;
  TwoBoneJob job = make_limb(0.4f, 0.3f, 0.5f, glms_quat_identity());
  job.target = (vec3s){{0, 0, 0.5f}};
  two_bone_solve(&job);
  two_bone_debug(&job, &draw);
  int count = draw.count;
  assert_true(count > 0);
  for (int i = 0; i < count; i++)
    assert_int_equal(draw.items[i].group, DEBUG_IK);
  // The arrow shows the side to which the limb bends, across the line from root to end; with a pole, the pole.
  const vec3s mid = job.new_mid, across = glms_vec3_scale((vec3s){{mid.x, mid.y, 0}}, 0.15f / hypotf(mid.x, mid.y));
  for (int i = 0; i < 3; i++) {
    assert_true(fabsf(draw.items[0].a[i] - mid.raw[i]) < 1e-6f);
    assert_true(fabsf(draw.items[0].b[i] - mid.raw[i] - across.raw[i]) < 1e-5f);
  }
  job.pole = (vec3s){{0, 3, 4}};
  static DebugDraw with_pole;
  two_bone_debug(&job, &with_pole);
  assert_true(fabsf(with_pole.items[0].b[1] - mid.y - 0.09f) < 1e-6f);
  assert_true(fabsf(with_pole.items[0].b[2] - mid.z - 0.12f) < 1e-6f);
  job.target.z = 5;
  two_bone_solve(&job);
  two_bone_debug(&job, &draw);
  assert_true(draw.count > 2 * count); // what was missed, in red
  assert_string_equal(draw.items[draw.count - 1].text, "too far, 4307 mm");
}

// ---- Legs ----

// Pelvis, thigh, shin and foot of the left side; the shin's joint is turned in the bind pose to test that too.
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
    pose_transform(&pose, (vec3s){{uniform(&rng, -5, 5), 0, uniform(&rng, -5, 5)}},
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

// The ankle is there already: nothing moves.
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

// Sprawled: the thigh outward, the shin down, so that the knee's axis lies along z. Any goal within reach is reached,
// the plane of the bend is carried along, and a bend about z stays one.
static void test_leg_that_sprawls(void **state) {
  (void)state;
  Skeleton s = leg_skeleton(0);
  assert_true(leg_is_hinged(&s, &s.legs[0]));
  s.bind_position_l[2] = (vec3s){{0.4f, 0.05f, 0}};
  s.bind_position_l[3] = (vec3s){{0.05f, -0.4f, 0}};
  assert_false(leg_is_hinged(&s, &s.legs[0]));
  s.bind_rotation_l[2] = quat_exp((vec3s){{0, 0.5f * GLM_PIf, 0}}); // the same knee with its x axis along -z: a hinge
  s.bind_position_l[3] = (vec3s){{0, -0.4f, 0.05f}};
  assert_true(leg_is_hinged(&s, &s.legs[0]));
  s.bind_rotation_l[2] = glms_quat_identity();
  s.bind_position_l[3] = (vec3s){{0.05f, -0.4f, 0}};

  Rng rng = rng_make(12, "sprawled");
  for (int i = 0; i < 1000; i++) {
    Pose pose = pose_bind(&s);
    ModelPose before, after;
    pose_to_model(&s, &pose, &before);
    vec3s way = {{uniform(&rng, 0.2f, 0.5f), uniform(&rng, -0.5f, -0.1f), i % 2 ? uniform(&rng, -0.2f, 0.2f) : 0}};
    vec3s ankle = glms_vec3_add(before.position[1], way);
    versors foot = random_rotation(&rng);
    assert_true(leg_reach(&s, &s.legs[0], ankle, foot, &pose) < 5e-6f);
    pose_to_model(&s, &pose, &after);
    assert_true(glms_vec3_distance(after.position[3], ankle) < 1e-5f);
    assert_true(quat_angle_between(after.rotation[3], foot) < 1e-5f);
    assert_true(hypotf(pose.rotation[2].x, pose.rotation[2].y) < 1e-5f);
    assert_true(i % 2 || fabsf(after.position[2].z - after.position[1].z) < 1e-5f);
    vec3s line = glms_vec3_sub(after.position[2], after.position[1]);
    assert_true(line.x * way.y < way.x * line.y); // the knee over the way to the foot
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(out_of_reach),
      cmocka_unit_test(degenerate_limbs),
      cmocka_unit_test(test_straight_limb_bends_about_its_hinge),
      cmocka_unit_test(test_end_rotation_is_carried_or_kept),
      cmocka_unit_test(continuity),
      cmocka_unit_test(test_soft_reach_has_no_snap),
      cmocka_unit_test(test_stretch),
      cmocka_unit_test(numbers_of_limbs),
      cmocka_unit_test(numbers_of_aiming),
      cmocka_unit_test(test_aim_at_a_point_that_is_near),
      cmocka_unit_test(test_debug_drawing),
      cmocka_unit_test(test_leg_reach),
      cmocka_unit_test(test_leg_that_sprawls),
      cmocka_unit_test(test_leg_out_of_reach),
      cmocka_unit_test(test_leg_identity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
