// Trailing joints: the particle of one joint, and the layer that makes tails and loose limbs of a skeleton trail.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "anim/layers/trailing/trailing.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"

static const double DEG = RAD_PER_DEGREE;
static const double UPRIGHT[4] = {0, 0, 0, 1};
static const double ORIGIN[3] = {0, 0, 0};

// ---- One joint ----

// The published defaults, with a bone of 0.3 m that points backward.
static TrailingJoint make_joint(void) {
  return (TrailingJoint){.rest_offset = {0, 0, -0.3},
                         .damp_seconds = 0.2,
                         .angle_limit = 30 * RAD_PER_DEGREE,
                         .distance = {2.0 / 3, 4.0 / 3}};
}

static TrailingJoint make_free_joint(void) {
  TrailingJoint joint = make_joint();
  joint.angle_limit = 180 * DEG;
  joint.distance[0] = 0;
  joint.distance[1] = 1e9;
  return joint;
}

static void assert_finite(const TrailingState *state, const TrailingSwing *swing) {
  assert_true(finite3(state->particle) && finite3(state->velocity) && finite3(state->direction_l));
  double norm = 0;
  for (int k = 0; k < 4; k++)
    norm += swing->rotation[k] * swing->rotation[k];
  assert_true(fabs(norm - 1) < 1e-12 && isfinite(swing->angle));
}

static void residual_from_rest(void **unused) {
  (void)unused;
  static const double residuals[] = {0.40601, 0.09158, 0.01735};
  TrailingJoint joint = make_joint();
  for (int steps = 1; steps <= 1000; steps *= 10) { // in each damp_seconds
    TrailingState state;
    trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
    state.particle[0] += 0.05;
    for (int i = 0; i < 3 * steps; i++) {
      trailing_step(&joint, ORIGIN, UPRIGHT, joint.damp_seconds / steps, &state);
      assert_true(state.particle[0] > 0 && state.velocity[0] < 0); // comes nearer, never beyond
      if ((i + 1) % steps == 0)
        assert_true(fabs(state.particle[0] / 0.05 - residuals[i / steps]) < 1e-5);
    }
  }
}

static void test_settled_after_three_times_damp_seconds(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  TrailingState state;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
  state.particle[0] = 0.3 * tan(joint.angle_limit);
  assert_true(trailing_swing(&joint, ORIGIN, UPRIGHT, &state).angle > 29.99 * DEG);
  for (int i = 0; i < 36; i++)
    trailing_step(&joint, ORIGIN, UPRIGHT, 1.0 / 60, &state);
  assert_true(trailing_swing(&joint, ORIGIN, UPRIGHT, &state).angle < 1 * DEG);
  for (int i = 0; i < 600; i++)
    trailing_step(&joint, ORIGIN, UPRIGHT, 1.0 / 60, &state);
  assert_memory_equal(state.particle, state.rest, sizeof state.rest); // it arrives
  assert_memory_equal(state.velocity, ORIGIN, sizeof ORIGIN);
}

static void step_invariance(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  TrailingState once;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &once);
  once.particle[0] += 0.07;
  once.particle[1] -= 0.02;
  once.velocity[1] = 0.4;
  TrailingState often = once;
  trailing_step(&joint, ORIGIN, UPRIGHT, 0.1, &once);
  for (int i = 0; i < 100; i++)
    trailing_step(&joint, ORIGIN, UPRIGHT, 0.001, &often);
  for (int k = 0; k < 3; k++) {
    assert_true(fabs(once.particle[k] - often.particle[k]) <= 1e-12);
    assert_true(fabs(once.velocity[k] - often.velocity[k]) <= 1e-12);
  }
}

// The particle's distance behind a rest point that moves at `speed`, in steady state.
static double steady_lag(const TrailingJoint *joint, double speed, double rate, TrailingState *state) {
  trailing_reset(joint, ORIGIN, UPRIGHT, state);
  int steps = (int)(4 * rate);
  for (int i = 1; i <= steps; i++) {
    const double position[3] = {speed * i / rate, 0, 0};
    trailing_step(joint, position, UPRIGHT, 1 / rate, state);
  }
  return state->rest[0] - state->particle[0];
}

static void lag_at_constant_speed(void **unused) {
  (void)unused;
  TrailingJoint joint = make_free_joint();
  TrailingState state;
  // The rest point moves in a straight line within a step, so that the lag is that of the limit at any rate.
  for (double rate = 15; rate <= 960; rate *= 2)
    assert_true(fabs(steady_lag(&joint, 1, rate, &state) - 0.200) < 0.01 * 0.200);
  // A goal that jumps to the step's end, as published, has a smaller lag at 60 Hz.
  double x = 0, velocity = 0, goal = 0;
  for (int i = 1; i <= 240; i++)
    spring_step(&x, &velocity, goal = i / 60.0, 0.2, 1.0 / 60);
  assert_true(fabs(goal - x - 0.1917) < 0.01 * 0.1917);
}

static void speed_that_reaches_the_limit(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  joint.distance[0] = 0;
  joint.distance[1] = 1e9;
  double speed = 0.3 * tan(joint.angle_limit) / joint.damp_seconds;
  assert_true(fabs(speed - 0.866) < 0.001);
  for (double rate = 30; rate <= 240; rate *= 2) {
    TrailingState state;
    steady_lag(&joint, 0.95 * speed, rate, &state);
    assert_false(state.clamped);
    steady_lag(&joint, 1.05 * speed, rate, &state);
    assert_true(state.clamped);
  }
}

static void check_degenerate(const TrailingJoint *joint, const double position[3], TrailingState *state) {
  static const double steps[] = {0, 1e-7, 1.0 / 60, 1, 1e6};
  for (int i = 0; i < (int)(sizeof steps / sizeof steps[0]); i++) {
    trailing_step(joint, position, UPRIGHT, steps[i], state);
    TrailingSwing swing = trailing_swing(joint, position, UPRIGHT, state);
    assert_finite(state, &swing);
    assert_true(swing.angle <= joint->angle_limit);
  }
}

static void degenerate_set(void **unused) {
  (void)unused;
  TrailingJoint joints[] = {make_joint(), make_free_joint(), make_joint(), make_joint()};
  joints[2].rest_offset[2] = 0; // none
  joints[3].angle_limit = 0;
  static const double particles[][3] = {{0, 0, 0}, {0, 0, 0.3}, {0, 0, -0.3}, {1e-9, 0, 0}, {0, 1e30, -1e30}};
  static const double far_away[3] = {0, 6, -8}, farther[3] = {3e38, -3e38, 3e38};
  for (int j = 0; j < 4; j++) {
    const TrailingJoint *joint = &joints[j];
    TrailingState state;
    for (int i = 0; i < (int)(sizeof particles / sizeof particles[0]); i++) {
      trailing_reset(joint, ORIGIN, UPRIGHT, &state);
      memcpy(state.particle, particles[i], sizeof state.particle);
      check_degenerate(joint, ORIGIN, &state);
    }
    trailing_reset(joint, ORIGIN, UPRIGHT, &state);
    check_degenerate(joint, far_away, &state); // a teleport without reset
    check_degenerate(joint, farther, &state);
    trailing_reset(joint, far_away, UPRIGHT, &state);
    assert_true(trailing_swing(joint, far_away, UPRIGHT, &state).angle < 1e-6);
    check_degenerate(joint, far_away, &state);
    assert_true(trailing_swing(joint, far_away, UPRIGHT, &state).angle < 1e-6);
  }
}

static void test_particle_on_the_joint_comes_off(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  TrailingState state;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
  memset(state.particle, 0, sizeof state.particle);
  trailing_step(&joint, ORIGIN, UPRIGHT, 1e-4, &state); // the spring alone would leave it on the joint
  assert_true(fabs(length3(state.particle) - 0.2) < 1e-3);
}

static void test_particle_next_to_the_joint_has_no_direction(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  TrailingState state;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
  state.particle[0] = 0.05;
  trailing_step(&joint, ORIGIN, UPRIGHT, 1e-3, &state);
  double before = trailing_swing(&joint, ORIGIN, UPRIGHT, &state).rotation[1];
  memcpy(state.particle, (const double[]){-1e-6, 0, 1e-6}, sizeof state.particle); // noise
  assert_true(fabs(trailing_swing(&joint, ORIGIN, UPRIGHT, &state).rotation[1] - before) < 1e-12);
}

// Straight behind the joint any axis would do: it keeps the axis of the present rotation.
static void test_opposite_particle_keeps_its_side(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  for (int side = -1; side <= 1; side += 2) {
    TrailingState state;
    trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
    state.particle[0] = side * 0.05;
    trailing_step(&joint, ORIGIN, UPRIGHT, 1e-3, &state);
    double about = trailing_swing(&joint, ORIGIN, UPRIGHT, &state).rotation[1];
    memcpy(state.particle, (const double[]){0, 0, 0.3}, sizeof state.particle);
    TrailingSwing swing = trailing_swing(&joint, ORIGIN, UPRIGHT, &state);
    assert_true(fabs(swing.angle - joint.angle_limit) < 1e-12);
    assert_true(swing.rotation[1] * about > 0 && fabs(swing.rotation[0]) < 1e-12);
  }
}

// Only the velocity that would leave the distances is removed: no energy is added to the spring.
static void test_distance_takes_radial_velocity(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  TrailingState state;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
  memcpy(state.particle, (const double[]){0, 0, -0.5}, sizeof state.particle);
  memcpy(state.velocity, (const double[]){0.1, 0, -20}, sizeof state.velocity);
  trailing_step(&joint, ORIGIN, UPRIGHT, 1e-3, &state);
  assert_true(fabs(length3(state.particle) - 0.4) < 1e-12);
  double radial = 0;
  for (int k = 0; k < 3; k++)
    radial += state.velocity[k] * state.particle[k] / 0.4;
  assert_true(fabs(radial) < 1e-9 && state.velocity[0] > 0.09);
}

static void test_gravity_deflects_to_the_equilibrium(void **unused) {
  (void)unused;
  TrailingJoint joint = make_joint();
  joint.gravity = 9.81;
  TrailingState state;
  trailing_reset(&joint, ORIGIN, UPRIGHT, &state);
  double deflection = 9.81 * 0.2 * 0.2 / 4, expected = atan2(deflection, 0.3);
  assert_true(fabs(trailing_swing(&joint, ORIGIN, UPRIGHT, &state).angle - expected) < 1e-12);
  for (int i = 0; i < 100; i++)
    trailing_step(&joint, ORIGIN, UPRIGHT, 0.01, &state);
  assert_true(fabs(state.particle[1] + deflection) < 1e-12); // it began at rest
}

// ---- The layer ----

static const char *const JOINTS[][2] = {
    {"pelvis", ""},           {"spine", "pelvis"},          {"chest", "spine"},           {"neck", "chest"},
    {"head", "neck"},         {"upper_arm_l", "chest"},     {"forearm_l", "upper_arm_l"}, {"hand_l", "forearm_l"},
    {"upper_arm_r", "chest"}, {"forearm_r", "upper_arm_r"}, {"hand_r", "forearm_r"},      {"tail_1", "pelvis"},
    {"tail_2", "tail_1"},     {"tail_3", "tail_2"},         {"tail_4", "tail_3"},         {"tail_5", "tail_4"},
    {"tail_6", "tail_5"},
};
static const float PLACES[][3] = {
    {0, 1, 0},      {0, 0.15f, 0},  {0, 0.2f, 0},      {0, 0.25f, 0},  {0, 0.1f, 0},   {0.18f, 0.2f, 0},
    {0, -0.3f, 0},  {0, -0.25f, 0}, {-0.18f, 0.2f, 0}, {0, -0.3f, 0},  {0, -0.25f, 0}, {0, 0, -0.1f},
    {0, 0, -0.12f}, {0, 0, -0.12f}, {0, 0, -0.12f},    {0, 0, -0.12f}, {0, 0, -0.12f},
};

// A human with a tail.
static Skeleton make_skeleton(void) {
  Skeleton s = {.name = "imp", .count = sizeof JOINTS / sizeof JOINTS[0]};
  for (int i = 0; i < s.count; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", JOINTS[i][0]);
    s.parent[i] = skeleton_find(&s, JOINTS[i][1]);
    s.twin[i] = i;
    memcpy(s.bind_position_l[i].raw, PLACES[i], sizeof PLACES[i]);
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.parent[0] = -1;
  return s;
}

static bool read_layer(const char *yaml, const Skeleton *skeleton, TrailingDef *def, Error *error) {
  static const char *const others[] = {"kind", "joints", "chain", NULL};
  Document document;
  assert_true(document_parse(&document, "scene.yaml", yaml, error));
  param_defaults(&trailing_params, def);
  bool ok = param_read(&trailing_params, def, document.root, others, error) &&
            trailing_layer.read(def, document.root, skeleton, error);
  document_free(&document);
  return ok;
}

static TrailingDef make_layer(const char *yaml, const Skeleton *skeleton) {
  Error error = {0};
  TrailingDef def = {0};
  if (!read_layer(yaml, skeleton, &def, &error))
    fail_msg("%s", error.text);
  return def;
}

static const TrailingMember *find_member(const TrailingDef *def, const Skeleton *skeleton, const char *name) {
  for (int i = 0; i < def->count; i++)
    if (def->members[i].joint == skeleton_find(skeleton, name))
      return &def->members[i];
  fail_msg("%s does not trail", name);
  return NULL;
}

static void test_reads_joints_and_chains(void **unused) {
  (void)unused;
  Skeleton skeleton = make_skeleton();
  TrailingDef def = make_layer("kind: trailing\n"
                               "damp_seconds: 0.3\n"
                               "chain: {from: tail_1, to: tail_6, angle_limit: 20}\n"
                               "joints:\n"
                               "  - hand_l\n"
                               "  - {joint: chest, damp_seconds: 0.1, rest_offset: [0, 0.5, 0]}\n"
                               "  - neck\n",
                               &skeleton);
  assert_int_equal(def.count, 9);
  for (int i = 1; i < def.count; i++)
    assert_true(def.members[i].joint > def.members[i - 1].joint); // parents first
  const TrailingMember *tail = find_member(&def, &skeleton, "tail_3");
  assert_true(fabs(tail->rest_offset[2] + 0.12) < 1e-7 && tail->angle_limit == 20 && tail->damp_seconds == 0);
  // Continues its parent's bone, as it has no child.
  assert_true(fabs(find_member(&def, &skeleton, "tail_6")->rest_offset[2] + 0.12) < 1e-7);
  assert_true(fabs(find_member(&def, &skeleton, "hand_l")->rest_offset[1] + 0.25) < 1e-7);
  const TrailingMember *chest = find_member(&def, &skeleton, "chest");
  assert_true(chest->rest_offset[1] == 0.5 && chest->damp_seconds == 0.1 && chest->angle_limit < 0);
  assert_int_equal(trailing_layer.rows(&def), 9);
  assert_string_equal(trailing_layer.row_name(&def, &skeleton, 0), "chest");
}

// The bone of a joint leads to the child that trails with it, before any other child.
static void test_bones_lead_along_the_layer(void **unused) {
  (void)unused;
  Skeleton skeleton = make_skeleton();
  TrailingDef alone = make_layer("joints: [chest]", &skeleton);
  assert_true(fabs(alone.members[0].rest_offset[1] - 0.25) < 1e-7); // to the neck
  TrailingDef arm = make_layer("chain: [{from: chest, to: forearm_r}]", &skeleton);
  assert_true(fabs(arm.members[0].rest_offset[0] + 0.18) < 1e-7);
}

static void test_errors_at_their_nodes(void **unused) {
  (void)unused;
  static const char *const cases[][2] = {
      {"kind: trailing", "scene.yaml:1:1: no joints are given"},
      {"joints: [tail_1, tial_2]", "scene.yaml:1:18: 'imp' has no joint 'tial_2', did you mean 'tail_2'?"},
      {"joints: [xyzzy]", "1:10: 'imp' has no joint 'xyzzy'"},
      {"joints: [tail_1, pelvis]", "1:18: 'pelvis' is the root joint, which has no parent"},
      {"chain: {from: pelvis, to: tail_2}", "1:15: 'pelvis' is the root joint"},
      {"joints: []", "1:9: expected a list of joints"},
      {"joints: tail_1", "1:9: expected a list of joints"},
      {"joints: [tail_1, tail_1]", "1:18: the joint 'tail_1' trails already, by line 1"},
      {"joints: [[tail_1]]", "1:10:"},
      {"joints:\n  - {rest_offset: [0, 0, 1]}", "2:5: 'joint' is missing"},
      {"joints:\n  - {joint: head, stiffness: 3}", "2:19:"},
      {"joints:\n  - {joint: head, rest_offset: [0, 0, 0]}", "2:32: rest_offset is 0 m long"},
      {"joints:\n  - {joint: head, rest_offset: [0, 0]}", "2:32:"},
      {"joints:\n  - {joint: head, damp_seconds: 0}", "damp_seconds is 0, allowed are 0.01 to 10 s"},
      {"joints:\n  - {joint: head, angle_limit: 180}", "angle_limit is 180, allowed are 0 to 170 deg"},
      {"chain: {from: tail_4, to: tail_2}", "1:27: 'tail_2' is not a descendant of 'tail_4'"},
      {"chain: {from: tail_1, to: tail_7}", "1:27: 'imp' has no joint 'tail_7', did you mean"},
      {"chain: {from: tail_1}", "'to' is missing, expected {from: tail_1, to: tail_6}"},
      {"chain: tail_1", "1:8: expected a chain of joints"},
      {"chain: []", "1:8: expected a chain of joints"},
      {"chain: {from: tail_1, to: tail_3}\njoints: [tail_2]", "trails already"},
      {"joints: [tail_1]\ndistance: [1.1, 2]", "2:11: distance is [1.1, 2], but 1"},
      {"joints: [tail_1]\ndamp_secs: 1", "damp_secs"},
  };
  Skeleton skeleton = make_skeleton();
  for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
    Error error = {0};
    TrailingDef def;
    if (read_layer(cases[i][0], &skeleton, &def, &error) || !strstr(error.text, cases[i][1]))
      fail_msg("%s\ngives: %s", cases[i][0], error.text);
  }
}

static void test_joint_without_a_bone_needs_an_offset(void **unused) {
  (void)unused;
  Skeleton skeleton = make_skeleton();
  int head = skeleton_find(&skeleton, "head");
  skeleton.bind_position_l[head] = glms_vec3_zero();
  Error error = {0};
  TrailingDef def;
  assert_false(read_layer("joints: [head]", &skeleton, &def, &error));
  assert_non_null(strstr(error.text, "the bone of 'head' has no length"));
}

typedef struct Rig {
  Skeleton skeleton;
  TrailingDef def;
  TrailingLayer layer;
  Pose animated, pose; // without trailing and with it
  LayerStep step;
} Rig;

static void rig_init(Rig *rig, const char *yaml) {
  memset(rig, 0, sizeof *rig);
  rig->skeleton = make_skeleton();
  rig->def = make_layer(yaml, &rig->skeleton);
  rig->animated = rig->pose = pose_bind(&rig->skeleton);
  rig->step = (LayerStep){.skeleton = &rig->skeleton, .dt = 1.0 / 60, .pose_w = &rig->pose};
  trailing_layer.init(&rig->def, &rig->layer, &rig->step);
}

static void rig_step(Rig *rig) {
  rig->pose = rig->animated;
  trailing_layer.apply(&rig->def, &rig->layer, &rig->step);
}

// rad: by how much a joint is rotated from the animation.
static double rig_swing(const Rig *rig, const char *name) {
  int joint = skeleton_find(&rig->skeleton, name);
  return (double)quat_angle_between(rig->pose.rotation[joint], rig->animated.rotation[joint]);
}

static const char TAIL[] = "chain: {from: tail_1, to: tail_6}";
static const char CALM_TAIL[] = "chain: {from: tail_1, to: tail_6}\nwhip: 0";

static void test_rest_leaves_the_pose_alone(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  rig.animated.position[0] = (vec3s){{123.4f, 5.6f, -78.9f}};
  rig.animated.rotation[0] = quat_exp((vec3s){{0.3f, 0.2f, -0.4f}});
  for (int i = 0; i < 300; i++)
    rig_step(&rig);
  assert_memory_equal(&rig.pose, &rig.animated, sizeof rig.pose);
}

static void test_moves_and_turns_of_the_character_trail(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  for (int i = 1; i <= 6; i++) { // sideways
    rig.animated.position[0].x = 0.02f * (float)i;
    rig_step(&rig);
  }
  ModelPose model;
  pose_to_model(&rig.skeleton, &rig.pose, &model);
  int root = skeleton_find(&rig.skeleton, "tail_1"), tip = skeleton_find(&rig.skeleton, "tail_6");
  assert_true(rig_swing(&rig, "tail_1") > 5 * DEG);
  assert_true(model.position[tip].x < model.position[root].x - 0.05f);

  rig_init(&rig, TAIL);
  for (int i = 1; i <= 6; i++) { // to the left, about up: the tail moves to the character's right
    rig.animated.rotation[0] = quat_exp((vec3s){{0, (float)(i * 5 * DEG), 0}});
    rig_step(&rig);
  }
  assert_true(rig_swing(&rig, "tail_1") > 5 * DEG);
  versors seen = rig.pose.rotation[root]; // rotated back against the character's turn
  assert_true(quat_log(seen).y < 0);
}

static void test_teleport_starts_at_rest(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  rig.animated.position[0].x = 0.1f;
  rig_step(&rig);
  assert_true(rig_swing(&rig, "tail_1") > 5 * DEG);
  rig.animated.position[0] = (vec3s){{10, 3, -4}};
  rig.step.teleported = true;
  rig_step(&rig);
  for (int i = 0; i < rig.def.count; i++)
    assert_true(rig.layer.angles[i] < 1e-6);
  rig.step.teleported = false;
  rig_step(&rig);
  assert_memory_equal(&rig.pose, &rig.animated, sizeof rig.pose);
}

static void step_invariance_of_the_layer(void **unused) {
  (void)unused;
  Rig once, often;
  rig_init(&once, TAIL);
  once.layer.joints[5].particle[0] += 0.03;
  often = once;
  often.step.skeleton = &often.skeleton;
  often.step.pose_w = &often.pose;
  once.step.dt = 0.1;
  often.step.dt = 0.001;
  rig_step(&once);
  for (int i = 0; i < 100; i++)
    rig_step(&often);
  assert_true(rig_swing(&once, "tail_6") > 3 * DEG);
  for (int i = 0; i < once.pose.count; i++)
    assert_true(quat_angle_between(once.pose.rotation[i], often.pose.rotation[i]) <= 1e-5f);
}

static void twice_in_a_frame_is_once(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, "joints: [upper_arm_l, forearm_l, head]\nchain: {from: tail_1, to: tail_6}");
  int clamped = 0;
  for (int i = 1; i <= 200; i++) {
    float t = 0.05f * (float)i;
    rig.animated.position[0] = (vec3s){{sinf(t), 1 + 0.1f * sinf(7 * t), 3 * cosf(0.7f * t)}};
    rig.animated.rotation[0] = quat_exp((vec3s){{0.2f * sinf(3 * t), t, 0}});
    rig.step.dt = 1.0 / 60;
    rig_step(&rig);
    Pose first = rig.pose;
    TrailingLayer state = rig.layer;
    rig.step.dt = 0;
    rig_step(&rig);
    assert_memory_equal(&rig.pose, &first, sizeof first);
    assert_memory_equal(&rig.layer, &state, sizeof state);
    assert_memory_equal(rig.pose.position, rig.animated.position, sizeof first.position);
    for (int j = 0; j < rig.pose.count; j++)
      if (strncmp(rig.skeleton.names[j], "tail", 4) != 0 &&
          !strstr("upper_arm_l forearm_l head", rig.skeleton.names[j]))
        assert_memory_equal(&rig.pose.rotation[j], &rig.animated.rotation[j], sizeof rig.pose.rotation[j]);
    for (int j = 0; j < rig.def.count; j++)
      clamped += rig.layer.joints[j].clamped;
  }
  assert_true(clamped > 100);
}

// A pose that is shown in zero time has no effect on later ones.
static void test_no_time_no_mark(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  rig.animated.position[0].x = 0.03f;
  rig_step(&rig);
  TrailingLayer before = rig.layer;
  rig.animated.position[0].x = 5;
  rig.step.dt = 0;
  rig_step(&rig);
  for (int i = 0; i < rig.def.count; i++)
    assert_true(rig.layer.angles[i] <= 30 * DEG);
  memcpy(rig.layer.angles, before.angles, sizeof before.angles);
  assert_memory_equal(&rig.layer, &before, sizeof before);
}

// The character's position after `t` s of a dash forward: 0.1 s up to 6 m/s, 0.2 s at that, 0.1 s down to rest.
static double dash(double t) {
  static const double SPEED = 6, RISE = 0.1, HOLD = 0.2;
  double rising = fmin(t, RISE), holding = fmin(fmax(t - RISE, 0), HOLD),
         falling = fmin(fmax(t - RISE - HOLD, 0), RISE);
  return SPEED * (rising * rising / (2 * RISE) + holding + falling - falling * falling / (2 * RISE));
}

static const double DASH_TIME = 0.4; // s

// Neck and head turn toward the dash's target, each by half of the angle.
static void look(Pose *pose, const Skeleton *skeleton, double yaw) {
  versors half = quat_exp((vec3s){{0, (float)(yaw / 2), 0}});
  pose->rotation[skeleton_find(skeleton, "neck")] = pose->rotation[skeleton_find(skeleton, "head")] = half;
}

// A dash of one key: all motion of the limbs comes from trailing and looking. No whip: all joints settle at once.
static void no_whip_after_a_dash(void **unused) {
  (void)unused;
  static const char *const moved[] = {"neck", "head", "upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r"};
  for (double rate = 30; rate <= 240; rate *= 2) {
    Rig rig;
    double peaks[6] = {0}, yaw = 0, yaw_velocity = 0;
    rig_init(&rig, "chain: [{from: upper_arm_l, to: forearm_l}, {from: upper_arm_r, to: forearm_r}]\nwhip: 0");
    Pose key = rig.animated;
    rig.step.dt = 1 / rate;
    int frames = (int)ceil((DASH_TIME + 3.32 * rig.def.damp_seconds) * rate) + 1;
    for (int i = 1; i <= frames; i++) {
      double t = i / rate;
      rig.animated.position[0].z = (float)dash(t);
      spring_step(&yaw, &yaw_velocity, t < DASH_TIME ? 40 * DEG : 0, 0.15, rig.step.dt);
      look(&rig.animated, &rig.skeleton, yaw);
      rig_step(&rig);
      for (int k = 0; k < 6; k++) {
        int joint = skeleton_find(&rig.skeleton, moved[k]);
        double angle = (double)quat_angle_between(rig.pose.rotation[joint], key.rotation[joint]);
        peaks[k] = fmax(peaks[k], angle);
        if (i == frames && !(angle < 0.5 * DEG))
          fail_msg("%s is still %.2f deg away at %.0f Hz", moved[k], angle / DEG, rate);
      }
    }
    for (int k = 0; k < 6; k++)
      if (!(peaks[k] >= 5 * DEG))
        fail_msg("%s moved by %.2f deg only at %.0f Hz", moved[k], peaks[k] / DEG, rate);
  }
}

// s after a sudden sideways motion of the character at which a joint of the tail swings farthest.
static double time_of_peak(const char *yaml, const char *name) {
  Rig rig;
  rig_init(&rig, yaml);
  rig.animated.position[0].x = 0.01f;
  double peak = 0, time = 0;
  for (int i = 1; i <= 120; i++) {
    rig_step(&rig);
    double swing = rig_swing(&rig, name);
    if (swing > peak) {
      peak = swing;
      time = i / 60.0;
    }
  }
  return time;
}

static void test_whip_sends_a_wave_down_the_chain(void **unused) {
  (void)unused;
  assert_true(time_of_peak(CALM_TAIL, "tail_1") == time_of_peak(CALM_TAIL, "tail_4"));
  assert_true(time_of_peak(TAIL, "tail_1") == time_of_peak(CALM_TAIL, "tail_1"));
  assert_true(time_of_peak(TAIL, "tail_4") > time_of_peak(TAIL, "tail_1") + 0.05);
}

// A tail that lags behind a sudden turn: its end stays about where it was.
static void test_end_of_the_tail_stays_behind(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  ModelPose model;
  pose_to_model(&rig.skeleton, &rig.pose, &model);
  int tip = skeleton_find(&rig.skeleton, "tail_6");
  vec3s start = model.position[tip];
  for (int i = 1; i <= 6; i++) { // 30 deg in 0.1 s
    rig.animated.rotation[0] = quat_exp((vec3s){{0, (float)(i * 5 * DEG), 0}});
    rig_step(&rig);
  }
  pose_to_model(&rig.skeleton, &rig.pose, &model);
  assert_true(fabsf(model.position[tip].x - start.x) < 0.05f); // the animation moved it by 0.35 m
}

// Without whip a chain settles as fast as a single joint does.
static void test_chain_settles_after_three_times_damp_seconds(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, CALM_TAIL);
  for (int i = 1; i <= 60 + 36; i++) {
    if (i <= 60)
      rig.animated.position[0].x = 0.1f * (float)i;
    rig_step(&rig);
    if (i == 60)
      assert_true(rig_swing(&rig, "tail_1") > 29.9 * DEG && rig_swing(&rig, "tail_2") > 20 * DEG);
  }
  for (int i = 0; i < rig.def.count; i++)
    assert_true(rig.layer.angles[i] < 1 * DEG);
}

static void test_records_swings(void **unused) {
  (void)unused;
  Rig rig;
  rig_init(&rig, TAIL);
  for (int i = 1; i <= 20; i++) {
    rig.animated.position[0].x = 0.1f * (float)i;
    rig_step(&rig);
  }
  float swing[6], clamped[6];
  assert_int_equal(trailing_layer.channel_count, 2);
  trailing_layer.record(&rig.def, &rig.layer, 0, swing);
  trailing_layer.record(&rig.def, &rig.layer, 1, clamped);
  assert_true(fabs((double)swing[0] - rig_swing(&rig, "tail_1")) < 1e-5);
  assert_true(fabs((double)swing[0] - 30 * DEG) < 1e-6 && clamped[0] == 1);
  assert_true(swing[5] < 30 * DEG || clamped[5] == 1);
}

static void test_draws_the_cone_where_it_clamps(void **unused) {
  (void)unused;
  static DebugDraw draw;
  Rig rig;
  rig_init(&rig, "joints: [tail_1]");
  debug_clear(&draw);
  trailing_layer.debug(&rig.def, &rig.layer, &rig.step, &draw);
  int free_items = draw.count;
  assert_true(free_items > 0 && draw.items[0].group == DEBUG_IK);
  rig.animated.position[0].x = 1;
  rig_step(&rig);
  debug_clear(&draw);
  trailing_layer.debug(&rig.def, &rig.layer, &rig.step, &draw);
  assert_true(draw.count > free_items + 12);
  for (int i = 0; i < draw.count; i++)
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(draw.items[i].a[k]) && isfinite(draw.items[i].b[k]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residual_from_rest),
      cmocka_unit_test(test_settled_after_three_times_damp_seconds),
      cmocka_unit_test(step_invariance),
      cmocka_unit_test(lag_at_constant_speed),
      cmocka_unit_test(speed_that_reaches_the_limit),
      cmocka_unit_test(degenerate_set),
      cmocka_unit_test(test_particle_on_the_joint_comes_off),
      cmocka_unit_test(test_particle_next_to_the_joint_has_no_direction),
      cmocka_unit_test(test_opposite_particle_keeps_its_side),
      cmocka_unit_test(test_distance_takes_radial_velocity),
      cmocka_unit_test(test_gravity_deflects_to_the_equilibrium),
      cmocka_unit_test(test_reads_joints_and_chains),
      cmocka_unit_test(test_bones_lead_along_the_layer),
      cmocka_unit_test(test_errors_at_their_nodes),
      cmocka_unit_test(test_joint_without_a_bone_needs_an_offset),
      cmocka_unit_test(test_rest_leaves_the_pose_alone),
      cmocka_unit_test(test_moves_and_turns_of_the_character_trail),
      cmocka_unit_test(test_teleport_starts_at_rest),
      cmocka_unit_test(step_invariance_of_the_layer),
      cmocka_unit_test(twice_in_a_frame_is_once),
      cmocka_unit_test(test_no_time_no_mark),
      cmocka_unit_test(no_whip_after_a_dash),
      cmocka_unit_test(test_whip_sends_a_wave_down_the_chain),
      cmocka_unit_test(test_end_of_the_tail_stays_behind),
      cmocka_unit_test(test_chain_settles_after_three_times_damp_seconds),
      cmocka_unit_test(test_records_swings),
      cmocka_unit_test(test_draws_the_cone_where_it_clamps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
