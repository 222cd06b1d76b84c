// Aiming with the arms: forearms on the target, the cone, smoothing, and what the file may contain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/layers/arm_aim/arm_aim.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

static const double DT = 1.0 / 60;

// Pelvis, chest and two arms that hang down, as the human body has them.
static Skeleton make_skeleton(void) {
  static const char *const names[] = {"pelvis", "chest",       "upper_arm_l", "forearm_l",
                                      "hand_l", "upper_arm_r", "forearm_r",   "hand_r"};
  static const int parents[] = {-1, 0, 1, 2, 3, 1, 5, 6};
  const vec3s at[] = {{{0, 1, 0}},           {{0, 0.235f, 0}},       {{0.215f, 0.185f, 0}}, {{0, -0.325f, 0}},
                      {{0, -0.255f, 0.01f}}, {{-0.215f, 0.185f, 0}}, {{0, -0.325f, 0}},     {{0, -0.255f, 0.01f}}};
  Skeleton s = {.name = "man", .count = 8};
  for (int i = 0; i < s.count; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = parents[i];
    s.twin[i] = i;
    s.bind_position_l[i] = at[i];
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  return s;
}

typedef struct Fixture {
  Skeleton skeleton;
  ArmAimDef def;
  ArmAimState state;
  double target[3];
  Pose pose;
  LayerStep step;
} Fixture;

static bool read_def(ArmAimDef *def, const Skeleton *skeleton, const char *yaml, Error *error) {
  Document document;
  *def = (ArmAimDef){.arm_count = 0};
  param_defaults(arm_aim_layer.params, def);
  if (!document_parse(&document, "aim.yaml", yaml, error))
    return false;
  bool fine = param_read(arm_aim_layer.params, def, document.root, arm_aim_layer.other_keys, error) &&
              arm_aim_layer.read(def, document.root, skeleton, error);
  document_free(&document);
  return fine;
}

// Two arms of a man who stands turned and leaning, with slightly bent elbows.
static void set_up(Fixture *f, const char *yaml) {
  Error error = {0};
  *f = (Fixture){.skeleton = make_skeleton(), .target = {0.3, 1.4, 2}};
  if (!read_def(&f->def, &f->skeleton, yaml, &error))
    fail_msg("%s", error.text);
  f->pose = pose_bind(&f->skeleton);
  f->pose.rotation[1] = quat_exp((vec3s){{0.1f, 0.05f, 0}});
  f->pose.rotation[3] = f->pose.rotation[6] = quat_exp((vec3s){{-0.3f, 0, 0}});
  f->step = (LayerStep){.skeleton = &f->skeleton, .dt = DT, .target_count = 1, .pose_w = &f->pose};
  f->step.targets = (const double(*)[3]) & f->target;
}

static void begin(Fixture *f) { arm_aim_layer.init(&f->def, &f->state, &f->step); }

// Makes steps, each from the animation's pose; the last pose is kept.
static void run(Fixture *f, int steps) {
  Pose animation = f->pose;
  for (int i = 0; i < steps; i++) {
    f->pose = animation;
    arm_aim_layer.apply(&f->def, &f->state, &f->step);
  }
}

static void aim_at(Fixture *f, double x, double y, double z) {
  const double target[3] = {x, y, z};
  memcpy(f->target, target, sizeof f->target);
  f->def.target_index = 0;
}

static double angle(vec3s a, vec3s b) {
  return (double)atan2f(glms_vec3_norm(glms_vec3_cross(a, b)), glms_vec3_dot(a, b));
}

// An arm as read from the pose alone.
typedef struct Shown {
  vec3s shoulder, hand, forearm;
  double bend_off_hinge; // rad
} Shown;

static Shown show(const Fixture *f, int arm) {
  const int *joints = f->def.arms[arm].joints;
  ModelPose model;
  pose_to_model(&f->skeleton, &f->pose, &model);
  versors elbow = f->pose.rotation[joints[1]];
  return (Shown){model.position[joints[0]], model.position[joints[2]],
                 glms_vec3_sub(model.position[joints[2]], model.position[joints[1]]),
                 2 * asin((double)hypotf(elbow.y, elbow.z))};
}

// Targets all around: the forearms' lines pass through them, elbows stay hinges, arms are 99 % long.
static void forearm_points_at_the_target(void **state) {
  (void)state;
  static Fixture f;
  Rng rng = rng_make(1, "aim");
  for (int i = 0; i < 300; i++) {
    set_up(&f, "{}");
    f.step.heading = rng_range(&rng, -3, 3);
    pose_transform(&f.pose, (vec3s){{3, 0, -2}}, quat_exp((vec3s){{0, (float)f.step.heading, 0}}));
    double d[3];
    rng_direction(&rng, d);
    aim_at(&f, 3 + 3 * d[0], 1.4 + 3 * d[1], -2 + 3 * d[2]);
    if (i % 2)
      f.def.arms[0].pole[1] = f.def.arms[1].pole[1] = -1;
    begin(&f);
    run(&f, 150);
    for (int arm = 0; arm < 2; arm++) {
      Shown shown = show(&f, arm);
      vec3s target = {{(float)f.target[0], (float)f.target[1], (float)f.target[2]}};
      assert_true(angle(shown.forearm, glms_vec3_sub(target, shown.hand)) < 0.01 * RAD_PER_DEGREE);
      assert_true(shown.bend_off_hinge < 0.1 * RAD_PER_DEGREE);
      float length = 0.325f + hypotf(0.255f, 0.01f);
      assert_true(fabsf(glms_vec3_distance(shown.hand, shown.shoulder) / length - 0.99f) < 0.001f);
      assert_true(f.state.arms[arm].error < 0.01 * RAD_PER_DEGREE);
      assert_int_equal(f.state.arms[arm].clamped, ARM_AIM_NOT_CLAMPED);
    }
  }
}

// Along a direction the forearm is parallel to it, to 1e-4 rad, and the hand's distance from the ray is reported.
static void direction_of_the_arm(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{direction: [0.5, 0.2, 1]}");
  f.step.heading = 0.7;
  begin(&f);
  run(&f, 200);
  vec3s ray = glms_quat_rotatev(quat_exp((vec3s){{0, 0.7f, 0}}), (vec3s){{0.5f, 0.2f, 1}});
  for (int arm = 0; arm < 2; arm++) {
    Shown shown = show(&f, arm);
    vec3s reach = glms_vec3_sub(shown.hand, shown.shoulder);
    double beside = (double)(glms_vec3_norm(glms_vec3_cross(reach, ray)) / glms_vec3_norm(ray));
    assert_true(angle(shown.forearm, ray) <= 1e-4);
    assert_true(f.state.arms[arm].error <= 1e-4);
    assert_true(beside > 0.02 && fabs(f.state.arms[arm].hand_distance - beside) < 1e-5);
  }
}

// Not through the point but parallel to the line from the shoulder to it.
static void test_parallel_to_the_line_from_the_shoulder(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{through_point: false}");
  aim_at(&f, 0.5, 1.6, 1.5);
  begin(&f);
  run(&f, 200);
  Shown shown = show(&f, 0);
  vec3s way = glms_vec3_sub((vec3s){{0.5f, 1.6f, 1.5f}}, shown.shoulder);
  assert_true(angle(shown.forearm, way) < 0.01 * RAD_PER_DEGREE);
}

static void test_behind_the_back_is_clamped_at_the_cone(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f,
         "{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l, cone_axis: [1, 0, 1], cone_angle: 70}]}");
  assert_int_equal(f.def.arm_count, 1);
  vec3s axis = glms_quat_rotatev(f.pose.rotation[1], glms_vec3_normalize((vec3s){{1, 0, 1}}));
  for (int i = 0; i < 72; i++) {
    double yaw = i * 5 * RAD_PER_DEGREE;
    aim_at(&f, 0.215 + 4 * sin(yaw), 1.42, 4 * cos(yaw));
    Pose animation = f.pose;
    begin(&f);
    run(&f, 250);
    Shown shown = show(&f, 0);
    f.pose = animation;
    vec3s way = glms_vec3_sub((vec3s){{(float)f.target[0], 1.42f, (float)f.target[2]}}, shown.shoulder);
    bool outside = angle(way, axis) > 70 * RAD_PER_DEGREE;
    assert_int_equal(f.state.arms[0].clamped, outside ? ARM_AIM_AT_CONE : ARM_AIM_NOT_CLAMPED);
    assert_int_equal(f.state.arms[0].error > 0.01 * RAD_PER_DEGREE, outside);
    double aimed = acos(f.state.arms[0].aim.unit[0] * (double)axis.x + f.state.arms[0].aim.unit[1] * (double)axis.y +
                        f.state.arms[0].aim.unit[2] * (double)axis.z);
    assert_true(aimed < 70.01 * RAD_PER_DEGREE);
    if (outside)
      assert_true(aimed > 69.99 * RAD_PER_DEGREE);
  }
}

static void test_weight_zero_is_the_animation(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l, weight: 0},"
             " {upper_arm: upper_arm_r, forearm: forearm_r, hand: hand_r, weight: 0.5}]}");
  aim_at(&f, 0.3, 1.4, 2);
  Pose before = f.pose;
  begin(&f);
  run(&f, 100);
  for (int i = 0; i < f.skeleton.count; i++) {
    bool right_arm = i == 5 || i == 6;
    bool same = true;
    for (int k = 0; k < 4; k++)
      same = same && f.pose.rotation[i].raw[k] == before.rotation[i].raw[k];
    assert_int_equal(same, !right_arm);
    assert_memory_equal(&f.pose.position[i], &before.position[i], sizeof(vec3s));
  }
}

// A step without time gives the same bits again.
static void test_no_time_nothing_moves(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{}");
  aim_at(&f, 1, 1, 1);
  Pose animation = f.pose;
  begin(&f);
  run(&f, 5);
  Pose shown = f.pose;
  ArmAimState before = f.state;
  f.pose = animation;
  f.step.dt = 0;
  arm_aim_layer.apply(&f.def, &f.state, &f.step);
  assert_memory_equal(&f.pose, &shown, sizeof shown);
  assert_memory_equal(&f.state.arms[0].aim, &before.arms[0].aim, sizeof(AimDirection));
}

// The goal jumps right behind: the speed stays within its limit, nothing flips, and it is reached without overshoot.
static void test_a_goal_that_jumps(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{rate_limit: 200}");
  aim_at(&f, 0.2, 1.42, 3);
  Pose animation = f.pose;
  begin(&f);
  run(&f, 200);
  aim_at(&f, 0.2, 1.42, -3);
  double last[3], gap = M_PI;
  memcpy(last, f.state.arms[0].aim.unit, sizeof last);
  vec3s hand = show(&f, 0).hand;
  for (int i = 0; i < 200; i++) {
    f.pose = animation;
    arm_aim_layer.apply(&f.def, &f.state, &f.step);
    const double *unit = f.state.arms[0].aim.unit;
    double moved = sqrt(pow(unit[0] - last[0], 2) + pow(unit[1] - last[1], 2) + pow(unit[2] - last[2], 2));
    assert_true(moved <= 200 * RAD_PER_DEGREE * DT * 1.0001);
    memcpy(last, unit, sizeof last);
    vec3s now = show(&f, 0).hand;
    assert_true(glms_vec3_distance(now, hand) <
                0.05f); // 0.57 m of arm at 200 deg/s: 3.3 cm, and the rotation of the bend's plane
    hand = now;
    double left = angle((vec3s){{(float)unit[0], (float)unit[1], (float)unit[2]}},
                        glms_vec3_sub((vec3s){{0.2f, 1.42f, -3}}, show(&f, 0).shoulder));
    assert_true(left <= gap + 1e-5);
    gap = left;
  }
  assert_true(gap < 1e-4);
}

// A hand on its own shoulder points nowhere: its arm begins as a hanging one.
static void test_a_folded_arm_hangs(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{}");
  f.skeleton.bind_position_l[4] = f.skeleton.bind_position_l[3];
  f.pose.position[4] = f.pose.position[3];
  f.pose.rotation[1] = glms_quat_identity();
  f.pose.rotation[3] = glms_quat(GLM_PIf, 1, 0, 0);
  begin(&f);
  const double down[3] = {0, -1, 0};
  assert_memory_equal(f.state.arms[0].aim.unit, down, sizeof down);
}

// A goal right opposite is reached at the limit of 5 rad/s or slower, over up; one straight up or down over the front.
static void test_a_goal_right_opposite(void **state) {
  (void)state;
  static const double goals[][3] = {{0, 0, 1},      {0, 0, -1}, {1, 0, 0}, {-1, 0, 0},
                                    {0.6, 0, -0.8}, {0, 1, 0},  {0, -1, 0}};
  for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
    const double *goal = goals[i], over[3] = {0, goal[1] == 0, goal[1] != 0};
    AimDirection aim = {.unit = {-goal[0], -goal[1], -goal[2]}};
    double before = -1;
    for (int k = 0; k < 240; k++) {
      aim_direction_step(&aim, goal, 0.2, 5, DT);
      const double toward = dot3(aim.unit, goal), up = dot3(aim.unit, over);
      assert_true(fabs(hypot(toward, up) - 1) < 1e-9); // in the plane, and a unit vector
      assert_true(up > -1e-9 && (toward > before || toward > 1 - 1e-9));
      assert_true(acos(fmin(before, 1)) - acos(fmin(toward, 1)) < 5 * DT + 1e-9);
      before = toward;
    }
    assert_true(before > 1 - 1e-9);
  }
}

// Arms swing through hanging while they aim straight up: their roll is undefined there, and must not turn all around.
static void test_an_arm_right_away_from_the_aim_does_not_whirl(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{direction: [0, 1, 0], rate_limit: 360}");
  f.pose.rotation[1] = glms_quat_identity();
  Pose animation = f.pose;
  versors last[2];
  begin(&f);
  for (int i = 0; i < 600; i++) {
    double swing = 20 * RAD_PER_DEGREE * sin(2 * M_PI * i * DT), sway = 1 * RAD_PER_DEGREE * sin(3 * i * DT);
    f.pose = animation;
    f.pose.rotation[2] = f.pose.rotation[5] = quat_exp((vec3s){{(float)swing, 0, (float)sway}});
    arm_aim_layer.apply(&f.def, &f.state, &f.step);
    for (int arm = 0; arm < 2; arm++) {
      versors now = f.pose.rotation[f.def.arms[arm].joints[0]];
      if (i > 120) // raised; the aim itself is at rest
        assert_true((double)quat_angle_between(now, last[arm]) < 1.05 * 360 * RAD_PER_DEGREE * DT);
      last[arm] = now;
      assert_true(i < 120 || f.state.arms[arm].error < 0.01 * RAD_PER_DEGREE);
    }
  }
}

// Upper arms to the sides, forearms down: they bend about the front, mirrored, and not about a human's axis.
static void test_elbows_bend_as_in_the_bind_pose(void **state) {
  (void)state;
  static ArmAimDef def;
  Error error = {0};
  Skeleton skeleton = make_skeleton();
  assert_true(read_def(&def, &skeleton, "{}", &error)); // straight and hanging: forward
  assert_true(def.arms[0].hinge.x == -1 && def.arms[1].hinge.x == -1);
  skeleton.bind_position_l[3] = (vec3s){{0.16f, 0, 0}};
  skeleton.bind_position_l[6] = (vec3s){{-0.16f, 0, 0}};
  assert_true(read_def(&def, &skeleton, "{}", &error));
  for (int arm = 0; arm < 2; arm++) {
    assert_true(fabsf(def.arms[arm].hinge.x) < 0.1f);
    assert_true(def.arms[arm].hinge.z * (arm == 0 ? -1.0f : 1.0f) > 0.99f);
  }
  const char *yaml = "{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l, elbow_axis: [-1, 0, 0]}]}";
  assert_false(read_def(&def, &skeleton, yaml, &error));
  assert_string_equal(error.text, "aim.yaml:1:80: 'elbow_axis' lies along 'upper_arm_l': the elbow cannot bend about "
                                  "it; without it the bind pose's is taken");
}

static void test_frame_rate_does_not_matter(void **state) {
  (void)state;
  AimDirection slow = {.unit = {0, 0, 1}, .velocity = {0, 0.5, 0}}, fast = slow;
  const double goal[3] = {0.6, 0.64, 0.48};
  for (int i = 0; i < 10; i++)
    aim_direction_step(&slow, goal, 0.2, 1000, 1.0 / 30);
  for (int i = 0; i < 80; i++)
    aim_direction_step(&fast, goal, 0.2, 1000, 1.0 / 240);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(slow.unit[i] - fast.unit[i]) < 1e-3);
  // From rest the motion is straight, and exact to rounding: 1.7 % remains after three times damp_seconds.
  AimDirection once = {.unit = {0, 0, 1}}, often = once;
  aim_direction_step(&once, goal, 0.2, 1000, 0.6);
  for (int i = 0; i < 600; i++)
    aim_direction_step(&often, goal, 0.2, 1000, 0.001);
  double left = 0, whole = acos(0.48), dot = 0;
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(once.unit[i] - often.unit[i]) < 1e-9);
    dot += once.unit[i] * goal[i];
  }
  left = acos(dot);
  assert_true(fabs(left / whole - 0.01735) < 1e-4);
}

// A target that flies through the body, the shoulder, the hand, and into the sky: everything stays finite.
static void test_targets_anywhere_are_safe(void **state) {
  (void)state;
  static Fixture f;
  Rng rng = rng_make(2, "anywhere");
  set_up(&f, "{}");
  Pose animation = f.pose;
  begin(&f);
  for (int i = 0; i < 20000; i++) {
    double d[3], size = pow(10, rng_range(&rng, -8, 9));
    rng_direction(&rng, d);
    vec3s at = i % 7 ? (vec3s){{0.215f, 1.42f, 0}} : f.state.arms[0].hand;
    aim_at(&f, (double)at.x + size * d[0], (double)at.y + size * d[1], (double)at.z + size * d[2]);
    if (i % 11 == 0)
      memcpy(f.target, (double[3]){(double)at.x, (double)at.y, (double)at.z}, sizeof f.target);
    f.step.dt = i % 13 ? DT : (double[]){0, 1e-9, 1, 1000}[i / 13 % 4];
    f.step.teleported = i % 17 == 0;
    f.pose = animation;
    arm_aim_layer.apply(&f.def, &f.state, &f.step);
    for (int joint = 0; joint < f.skeleton.count; joint++)
      assert_true(fabsf(glms_quat_norm(f.pose.rotation[joint]) - 1) < 1e-5f);
    assert_true(isfinite(f.state.arms[0].error) && isfinite(f.state.arms[1].hand_distance));
  }
}

static void test_teleport_snaps(void **state) {
  (void)state;
  static Fixture f;
  set_up(&f, "{}");
  Pose animation = f.pose;
  aim_at(&f, 2, 1.4, 2);
  begin(&f);
  run(&f, 200);
  f.pose = animation;
  aim_at(&f, -2, 1.4, 2);
  f.step.teleported = true;
  arm_aim_layer.apply(&f.def, &f.state, &f.step);
  assert_true(f.state.arms[0].error < 0.01 * RAD_PER_DEGREE);
}

static void test_reading(void **state) {
  (void)state;
  const char *const wrong[][2] = {
      {"{arms: [{upper_arm: upper_arm_l, forearm: forearm_x, hand: hand_l}]}",
       "aim.yaml:1:43: 'man' has no joint 'forearm_x', did you mean 'forearm_l'?"},
      {"{arms: [{upper_arm: upper_arm_l, forearm: forearm_r, hand: hand_r}]}",
       "aim.yaml:1:43: 'forearm_r' is no child of 'upper_arm_l'"},
      {"{arms: [{upper_arm: upper_arm_l, hand: hand_r}]}", "aim.yaml:1:9: an arm needs 'forearm'"},
      {"{arms: [{upper_arm: pelvis, forearm: chest, hand: upper_arm_l}]}",
       "aim.yaml:1:21: 'pelvis' is the root joint, which has no parent"},
      {"{arms: [7]}", "aim.yaml:1:9: an arm is a map: {upper_arm: ..., forearm: ..., hand: ...}"},
      {"{arms: []}", "aim.yaml:1:8: expected a list of 1 to 8 arms: [{upper_arm: ..., forearm: ..., hand: ...}]"},
      {"{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l}, {upper_arm: upper_arm_l, forearm: "
       "forearm_l, hand: hand_l}]}",
       "aim.yaml:1:69: 'upper_arm_l' is turned by the arm of 'upper_arm_l' already"},
      {"{direction: [0, 0, 0]}", "aim.yaml:1:13: 'direction' has no direction"},
  };
  Skeleton skeleton = make_skeleton();
  static ArmAimDef def;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    Error error = {0};
    assert_false(read_def(&def, &skeleton, wrong[i][0], &error));
    assert_string_equal(error.text, wrong[i][1]);
  }
  Error error = {0};
  assert_true(read_def(&def, &skeleton, "{}", &error));
  assert_int_equal(arm_aim_layer.rows(&def), 2);
  assert_string_equal(arm_aim_layer.row_name(&def, &skeleton, 1), "upper_arm_r");
  assert_int_equal(def.target_index, -1);
  snprintf(skeleton.names[3], sizeof skeleton.names[3], "wing");
  snprintf(skeleton.names[6], sizeof skeleton.names[6], "wing_r");
  assert_false(read_def(&def, &skeleton, "{}", &error));
}

static void test_trace_and_drawing(void **state) {
  (void)state;
  static Fixture f;
  static DebugDraw draw;
  set_up(&f, "{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l, cone_angle: 60}]}");
  aim_at(&f, 0.2, 1.42, -3);
  begin(&f);
  run(&f, 100);
  float values[1];
  arm_aim_layer.record(&f.def, &f.state, 2, values);
  assert_true(values[0] == ARM_AIM_AT_CONE);
  arm_aim_layer.record(&f.def, &f.state, 0, values);
  assert_true((double)values[0] > 100 * RAD_PER_DEGREE);
  arm_aim_layer.debug(&f.def, &f.state, &f.step, &draw);
  int red = 0, groups[DEBUG_GROUP_COUNT] = {0};
  for (int i = 0; i < draw.count; i++) {
    groups[draw.items[i].group]++;
    red += draw.items[i].color == 0xd62728ff;
  }
  assert_true(groups[DEBUG_IK] > 0 && groups[DEBUG_LOOK] > 0 && red > 0);
  assert_int_equal(groups[DEBUG_IK] + groups[DEBUG_LOOK], draw.count);
}

// The next of the items that are drawn: a shape between two places, its size and its colour.
static void check_item(const DebugDraw *draw, int *next, DebugShape shape, vec3s from, vec3s to, float size,
                       uint32_t color) {
  assert_true(*next < draw->count);
  const DebugItem *item = &draw->items[(*next)++];
  assert_int_equal(item->shape, shape);
  assert_int_equal(item->color, color);
  assert_true(item->size == size);
  for (int i = 0; i < 3; i++) {
    assert_true(fabsf(item->a[i] - from.raw[i]) < 1e-6f);
    if (shape == DEBUG_LINE || shape == DEBUG_ARROW)
      assert_true(fabsf(item->b[i] - to.raw[i]) < 1e-6f);
  }
}

// The line from the shoulder to the goal, where the forearm points now, and the side to which the elbow points.
static void test_each_item_that_is_drawn(void **state) {
  (void)state;
  static const uint32_t blue = 0x1899b8ff, pale = 0x1899b880, brown = 0xb8651bff, red = 0xd62728ff;
  static const vec3s shoulder = {{0.2f, 1.4f, 0}}, elbow = {{0.2f, 1.1f, 0}}, hand = {{0.2f, 1.1f, 0.25f}};
  static const vec3s goal = {{0.2f, 1.1f, 2.25f}}, beside = {{1.7f, 1.1f, 0.25f}}, out = {{0.2f, 0.95f, -0.125f}};
  static Fixture f;
  static DebugDraw draw;
  set_up(&f, "{arms: [{upper_arm: upper_arm_l, forearm: forearm_l, hand: hand_l}]}");
  begin(&f);
  for (int clamped = 0; clamped < 2; clamped++) { // the goal is ahead of the forearm, then beside it
    f.state.arms[0] = (AimedArm){.shoulder = shoulder,
                                 .elbow = elbow,
                                 .hand = hand,
                                 .goal = clamped ? beside : goal,
                                 .error = 90 * RAD_PER_DEGREE,
                                 .pole_fallback = clamped,
                                 .clamped = clamped ? ARM_AIM_AT_CONE : ARM_AIM_NOT_CLAMPED};
    debug_clear(&draw);
    arm_aim_layer.debug(&f.def, &f.state, &f.step, &draw);
    int next = 0;
    const vec3s ahead = {{0.2f, 1.1f, clamped ? 1.75f : 2.25f}}; // as far along the forearm as the goal is
    check_item(&draw, &next, DEBUG_LINE, shoulder, f.state.arms[0].goal, 0.008f, clamped ? red : blue);
    check_item(&draw, &next, DEBUG_POINT, f.state.arms[0].goal, goal, 0.03f, clamped ? red : blue);
    check_item(&draw, &next, DEBUG_LINE, hand, ahead, 0.004f, pale);
    if (clamped) {
      assert_string_equal(draw.items[next].text, "hand_l at its cone, 90 deg");
      check_item(&draw, &next, DEBUG_LABEL, beside, beside, 0, red);
    }
    check_item(&draw, &next, DEBUG_POINT, hand, hand, 0.02f, brown);
    check_item(&draw, &next, DEBUG_ARROW, elbow, out, 0.01f, clamped ? red : brown);
    assert_int_equal(draw.count, next);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forearm_points_at_the_target),
      cmocka_unit_test(direction_of_the_arm),
      cmocka_unit_test(test_parallel_to_the_line_from_the_shoulder),
      cmocka_unit_test(test_behind_the_back_is_clamped_at_the_cone),
      cmocka_unit_test(test_weight_zero_is_the_animation),
      cmocka_unit_test(test_no_time_nothing_moves),
      cmocka_unit_test(test_a_goal_that_jumps),
      cmocka_unit_test(test_a_folded_arm_hangs),
      cmocka_unit_test(test_a_goal_right_opposite),
      cmocka_unit_test(test_an_arm_right_away_from_the_aim_does_not_whirl),
      cmocka_unit_test(test_elbows_bend_as_in_the_bind_pose),
      cmocka_unit_test(test_frame_rate_does_not_matter),
      cmocka_unit_test(test_targets_anywhere_are_safe),
      cmocka_unit_test(test_teleport_snaps),
      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_trace_and_drawing),
      cmocka_unit_test(test_each_item_that_is_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
