// The look-at layer: the head faces its goal, turns no faster than allowed, never through the back, and its chain is
// read from a file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "anim/layers/look_at/look_at.h"
#include "sim/base/numbers.h"

static const double DEG = RAD_PER_DEGREE;
static const double DT = 1.0 / 240;

enum { PELVIS, ABDOMEN, CHEST, NECK, HEAD, ARM, JOINTS };

// A trunk with a neck, a head and an arm. Its joints' frames are turned against the model's, as in imported skeletons.
static Skeleton make_skeleton(void) {
  static const char *const names[JOINTS] = {"pelvis", "abdomen", "chest", "neck", "head", "arm"};
  static const int parents[JOINTS] = {-1, PELVIS, ABDOMEN, CHEST, NECK, CHEST};
  Skeleton s = {.name = "bust", .count = JOINTS};
  for (int i = 0; i < JOINTS; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = parents[i];
    s.bind_position_l[i] = (vec3s){{0.01f, 0.15f, 0.02f}};
    s.bind_rotation_l[i] = quat_exp((vec3s){{0.3f * (float)i, -0.4f, 0.2f}});
  }
  s.bind_position_l[PELVIS] = (vec3s){{0, 0.9f, 0}};
  return s;
}

// One layer by itself, on a character that stands at a place and heading and shows a pose.
typedef struct Scene {
  Skeleton skeleton;
  LookAtDef def;
  LookAtState state;
  LayerStep step;
  double targets[2][3];
  Pose animation, pose; // in the root's frame; in the world, after the layer
} Scene;

static bool read_layer(Scene *s, const char *text, Error *error) {
  Document document;
  if (!document_parse(&document, "look.yaml", text, error))
    return false;
  param_defaults(look_at_layer.params, &s->def);
  bool ok = param_read(look_at_layer.params, &s->def, document.root, look_at_layer.other_keys, error) &&
            look_at_layer.read(&s->def, document.root, &s->skeleton, error);
  document_free(&document);
  return ok;
}

static void scene_init(Scene *s, const char *text) {
  Error error = {0};
  memset(s, 0, sizeof *s);
  s->skeleton = make_skeleton();
  if (!read_layer(s, text, &error))
    fail_msg("%s", error.text);
  s->animation = pose_bind(&s->skeleton);
  s->step = (LayerStep){.skeleton = &s->skeleton,
                        .dt = DT,
                        .root_position = {3, 0.2, -5},
                        .targets = (const double(*)[3])s->targets,
                        .target_count = 2,
                        .pose_w = &s->pose};
}

static void place(Scene *s) {
  const double *root = s->step.root_position;
  s->pose = s->animation;
  pose_transform(&s->pose, (vec3s){{(float)root[0], (float)root[1], (float)root[2]}},
                 quat_exp((vec3s){{0, (float)s->step.heading, 0}}));
}

static void begin(Scene *s) {
  place(s);
  look_at_layer.init(&s->def, &s->state, &s->step);
}

static void advance(Scene *s) {
  place(s);
  look_at_layer.apply(&s->def, &s->state, &s->step);
}

static void run(Scene *s, double seconds) {
  for (int i = 0; i < seconds / DT; i++)
    advance(s);
}

// Position (m) and facing (unit) of the head of the shown pose, from the pose alone.
static void find_head(const Scene *s, vec3s *eyes, vec3s *forward, vec3s *left) {
  Pose bind = pose_bind(&s->skeleton);
  ModelPose bind_m, pose_w;
  pose_to_model(&s->skeleton, &bind, &bind_m);
  pose_to_model(&s->skeleton, &s->pose, &pose_w);
  versors turn = glms_quat_mul(pose_w.rotation[HEAD], glms_quat_conjugate(bind_m.rotation[HEAD]));
  vec3s eyes_m = {{(float)s->def.eyes[0], (float)s->def.eyes[1], (float)s->def.eyes[2]}};
  *eyes = glms_vec3_add(pose_w.position[HEAD], glms_quat_rotatev(turn, eyes_m));
  *forward = glms_quat_rotatev(turn, (vec3s){{0, 0, 1}});
  *left = glms_quat_rotatev(turn, (vec3s){{1, 0, 0}});
}

static double angle_between(vec3s a, vec3s b) {
  return atan2((double)glms_vec3_norm(glms_vec3_cross(a, b)), (double)glms_vec3_dot(a, b));
}

// The angle (rad) between the facing of the shown pose's head and a point.
static double head_error(const Scene *s, const double point[3]) {
  vec3s eyes, forward, left;
  find_head(s, &eyes, &forward, &left);
  vec3s way = {
      {(float)(point[0] - (double)eyes.x), (float)(point[1] - (double)eyes.y), (float)(point[2] - (double)eyes.z)}};
  return angle_between(forward, way);
}

// Puts target 0 at an angle (rad against +Z) and height around the root.
static void put_target(Scene *s, double yaw, double distance, double height) {
  s->def.target_index = 0;
  s->targets[0][0] = s->step.root_position[0] + distance * sin(yaw);
  s->targets[0][1] = s->step.root_position[1] + height;
  s->targets[0][2] = s->step.root_position[2] + distance * cos(yaw);
}

// Trunk, neck and head bent and turned, as an animation has them.
static void bend(Scene *s, double amount) {
  for (int i = ABDOMEN; i < JOINTS; i++) {
    vec3s turn = {{(float)(amount * 0.3), (float)(amount * 0.2 * i), (float)(-amount * 0.1)}};
    s->animation.rotation[i] = glms_quat_mul(s->skeleton.bind_rotation_l[i], quat_exp(turn));
  }
}

static const char CHAIN[] =
    "chain: [{joint: abdomen, weight: 1}, {joint: chest, weight: 2}, {joint: neck, weight: 3},\n"
    "  {joint: head, weight: 4}]\neyes: [0, 0.1, 0.09]\n";

// ---- The goal ----

// Everything turned about up and moved: the body looks alike, turned and moved.
static void test_any_place_and_heading(void **state) {
  (void)state;
  static Scene scene, image;
  const double turn = 2.2, at[2] = {4, -3};
  scene_init(&scene, CHAIN);
  scene_init(&image, CHAIN);
  for (int i = 0; i < 2; i++) {
    Scene *s = i ? &image : &scene;
    s->step.root_position[0] = i ? at[0] : 0;
    s->step.root_position[2] = i ? at[1] : 0;
    s->step.heading = i ? turn : 0;
    bend(s, 0.5);
    put_target(s, s->step.heading, 3, 1.6);
    begin(s);
  }
  for (int k = 0; k < 720; k++) {
    double yaw = 1.2 * sin(k * DT * 4), rate = 0.8 * cos(k * DT * 3); // to both sides, while the body turns
    Scene *both[] = {&scene, &image};
    for (int i = 0; i < 2; i++) {
      both[i]->step.heading += rate * DT;
      both[i]->step.turn_rate = rate;
      put_target(both[i], yaw + (i ? turn : 0), 3, 1.6 + 0.3 * yaw);
      advance(both[i]);
    }
    versors back = quat_exp((vec3s){{0, (float)-turn, 0}});
    vec3s eyes[2], forward[2], left[2];
    for (int i = 0; i < 2; i++)
      find_head(both[i], &eyes[i], &forward[i], &left[i]);
    assert_true(angle_between(forward[0], glms_quat_rotatev(back, forward[1])) < 1e-3);
    assert_true(angle_between(left[0], glms_quat_rotatev(back, left[1])) < 1e-3);
    vec3s moved = glms_quat_rotatev(back, glms_vec3_sub(eyes[1], (vec3s){{(float)at[0], 0, (float)at[1]}}));
    assert_true((double)glms_vec3_distance(eyes[0], moved) < 1e-4);
  }
}

// root + distance * facing + height * up.
static void look_target_formula(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, "chain: [head]\ndistance: 1.7\nheight: 0.35\n");
  for (int i = 0; i < 36; i++) {
    double facing = i * 10 * DEG, goal[3];
    s.step.wanted_heading = facing;
    s.step.heading = 1;
    look_at_goal(&s.def, &s.step, goal);
    assert_true(fabs(goal[0] - (3 + 1.7 * sin(facing))) < 1e-6);
    assert_true(fabs(goal[1] - (0.2 + 0.35)) < 1e-6);
    assert_true(fabs(goal[2] - (-5 + 1.7 * cos(facing))) < 1e-6);
  }
  // The intent's gaze turns the facing: 30 deg to the left of 40 deg, 20 deg up.
  double goal[3];
  s.step.wanted_heading = 40 * DEG;
  s.step.look_yaw = 30 * DEG;
  s.step.look_pitch = 20 * DEG;
  look_at_goal(&s.def, &s.step, goal);
  assert_true(fabs(goal[0] - (3 + 1.7 * cos(20 * DEG) * sin(70 * DEG))) < 1e-6);
  assert_true(fabs(goal[1] - (0.2 + 0.35 + 1.7 * sin(20 * DEG))) < 1e-6);
  assert_true(fabs(goal[2] - (-5 + 1.7 * cos(20 * DEG) * cos(70 * DEG))) < 1e-6);
  // A target has priority over the wanted facing.
  put_target(&s, 1, 4, 2);
  look_at_goal(&s.def, &s.step, goal);
  assert_memory_equal(goal, s.targets[0], sizeof goal);
  s.def.target_index = 2; // there is none
  look_at_goal(&s.def, &s.step, goal);
  assert_true(fabs(goal[1] - (0.2 + 0.35 + 1.7 * sin(20 * DEG))) < 1e-6);
}

// The head of a body that will turn by 80 deg is there long before it.
static void test_head_turns_before_the_body(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  s.def.height = 1.5;
  begin(&s);
  s.step.wanted_heading = 80 * DEG;
  run(&s, 1);
  vec3s eyes, forward, left;
  find_head(&s, &eyes, &forward, &left);
  assert_true(s.step.heading == 0 && atan2((double)forward.x, (double)forward.z) > 75 * DEG);
  // The body follows at 90 deg/s: the head stays on its goal meanwhile.
  while (s.step.heading < 80 * DEG) {
    s.step.heading += 90 * DEG * DT;
    advance(&s);
    assert_true(head_error(&s, s.state.goal_w) < 0.5 * DEG);
  }
}

// The goal ahead moves with the root: a runner's head does not lag behind it.
static void test_running_body(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  s.def.height = 1.2;
  s.step.wanted_heading = 50 * DEG;
  begin(&s);
  for (int i = 0; i < 720; i++) {
    s.step.root_position[0] += 3 * DT;
    s.step.root_position[2] += 4 * DT;
    advance(&s);
    assert_true(i < 360 || head_error(&s, s.state.goal_w) < 0.02 * DEG);
  }
  // So does a target that is fixed in the world, though it moves past the eyes.
  put_target(&s, 30 * DEG, 4, 1);
  run(&s, 2);
  for (int i = 0; i < 180; i++) {
    s.step.root_position[2] += 3 * DT;
    advance(&s);
    assert_true(head_error(&s, s.targets[0]) < 0.02 * DEG);
  }
}

// ---- Accuracy ----

static void head_within_half_a_degree(void **state) {
  (void)state;
  Scene s;
  double largest = 0;
  scene_init(&s, CHAIN);
  s.def.yaw_limit = 120; // the eyes see a near goal at the side farther behind than the root does
  bend(&s, 0.7);
  for (int yaw = -80; yaw <= 80; yaw += 20)
    for (int high = 0; high < 3; high++)
      for (int far = 0; far < 3; far++) {
        put_target(&s, yaw * DEG, far == 0 ? 0.8 : far == 1 ? 2 : 50, 0.9 + 0.4 * high);
        begin(&s);
        run(&s, 2.5);
        double error = head_error(&s, s.targets[0]);
        largest = fmax(largest, error);
        assert_true(fabs(s.state.error - error) < 1e-4);
      }
  print_message("largest error %.4f deg\n", largest / DEG);
  assert_true(largest < 0.5 * DEG);
}

// The head stays on the goal for any animation of the chain; with `additive` the animation's own motion stays visible.
static void test_animation_below(void **state) {
  (void)state;
  Scene s;
  for (int additive = 0; additive < 2; additive++) {
    scene_init(&s, CHAIN);
    s.def.additive = s.def.chain.additive = additive == 1;
    put_target(&s, 40 * DEG, 3, 1.6);
    begin(&s);
    run(&s, 2.5);
    assert_true(head_error(&s, s.targets[0]) < 0.5 * DEG); // the animated head looks ahead
    double largest = 0;
    for (int i = 0; i < 480; i++) {
      bend(&s, 0.5 * sin(2 * M_PI * i / 240));
      advance(&s);
      largest = fmax(largest, head_error(&s, s.targets[0]));
    }
    assert_true(additive == 1 ? largest > 10 * DEG : largest < 0.5 * DEG);
  }
}

// The head's left axis stays as level as in the animation, for any gaze.
static void test_no_roll(void **state) {
  (void)state;
  Scene s;
  vec3s eyes, forward, left;
  scene_init(&s, CHAIN);
  for (int yaw = -80; yaw <= 80; yaw += 40)
    for (int pitch = -50; pitch <= 50; pitch += 25) {
      put_target(&s, yaw * DEG, 10, 1.5 + 10 * tan(pitch * DEG));
      begin(&s);
      run(&s, 2);
      find_head(&s, &eyes, &forward, &left);
      assert_true(fabsf(left.y) < 1e-4f);
    }
}

// ---- Nothing without a request ----

// The animation stays, bit for bit, with weight 0, with a joint's weight 0, and if an additive look is straight ahead.
static void weight_zero_is_the_animation(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, "chain: [{joint: chest, weight: 0}, neck, {joint: head, weight: 2}]\n");
  bend(&s, 1);
  put_target(&s, 60 * DEG, 2, 1);
  begin(&s);
  Pose before = s.pose, out;
  run(&s, 1);
  pose_blend(&before, &s.pose, 0, NULL, &out);
  assert_memory_equal(out.rotation, before.rotation, JOINTS * sizeof(versors));
  assert_memory_equal(out.position, before.position, JOINTS * sizeof(vec3s));
  assert_memory_equal(&s.pose.rotation[CHEST], &before.rotation[CHEST], sizeof(versors));
  assert_true(quat_angle_between(s.pose.rotation[HEAD], before.rotation[HEAD]) > 0.1f);

  double side = 0;
  Pose same = before;
  s.def.chain.additive = true;
  look_chain_turn(&s.def.chain, &s.skeleton, 0.7, 0, 0, &side, &same);
  assert_memory_equal(&same, &before, sizeof same);
}

static void test_no_time_changes_nothing(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  bend(&s, 0.5);
  put_target(&s, 100 * DEG, 1, 1.2);
  begin(&s);
  run(&s, 0.1);
  LookAtState before = s.state;
  Pose shown = s.pose;
  s.step.dt = 0;
  for (int i = 0; i < 3; i++) {
    advance(&s);
    assert_memory_equal(&s.state, &before, sizeof before);
    assert_memory_equal(&s.pose, &shown, sizeof shown);
  }
}

// ---- Motion ----

// Angular speed of the head between two poses, rad/s, from its rotations.
static double head_rate(const Scene *s, const Pose *before) {
  ModelPose a, b;
  pose_to_model(&s->skeleton, before, &a);
  pose_to_model(&s->skeleton, &s->pose, &b);
  return (double)quat_angle_between(a.rotation[HEAD], b.rotation[HEAD]) / s->step.dt;
}

// Goals that jump, near and far, above and behind: the head's rate stays within the limit.
static void head_rate_within_limit(void **state) {
  (void)state;
  static const double limits[] = {90, 360, 2000};
  for (int n = 0; n < 3; n++) {
    Scene s;
    scene_init(&s, CHAIN);
    bend(&s, 0.6);
    s.def.rate_limit = limits[n];
    double largest = 0;
    put_target(&s, 0, 2, 1.5);
    begin(&s);
    for (int i = 0; i < 2400; i++) {
      if (i % 100 == 0)
        put_target(&s, (i / 100 * 137 % 360) * DEG, i % 300 == 0 ? 0.6 : 5, 0.2 + i / 100 % 4 * 0.7);
      Pose before = s.pose;
      advance(&s);
      largest = fmax(largest, head_rate(&s, &before));
    }
    print_message("limit %g deg/s, largest rate %.2f deg/s\n", limits[n], largest / DEG);
    assert_true(largest < limits[n] * DEG * 1.0005);        // floats
    assert_true(n == 2 || largest > 0.9 * limits[n] * DEG); // and the limit is reached
  }
}

static double head_yaw(const Scene *s) {
  vec3s eyes, forward, left;
  find_head(s, &eyes, &forward, &left);
  return atan2((double)forward.x, (double)forward.z);
}

// From one end to the other: over the front, steadily, no faster than allowed, without overshoot.
static void goal_jump_of_180_degrees(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  put_target(&s, 90 * DEG, 3, 1.5);
  begin(&s);
  run(&s, 2);
  put_target(&s, -90 * DEG, 3, 1.5);
  double last = head_yaw(&s), rate = 0;
  assert_true(last > 80 * DEG);
  for (int i = 0; i < 480; i++) {
    Pose before = s.pose;
    advance(&s);
    double yaw = head_yaw(&s);
    assert_true(yaw < last + 1e-5 && fabs(yaw) < 91 * DEG);
    rate = fmax(rate, head_rate(&s, &before));
    last = yaw;
  }
  assert_true(rate < 360 * DEG * 1.0005);
  assert_true(head_error(&s, s.targets[0]) < 0.5 * DEG);
}

// A goal that moves to and fro behind does not make the head swing; one that continues around does, once a round, over
// the front.
static void test_goal_behind(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  put_target(&s, 120 * DEG, 3, 1.5);
  begin(&s);
  run(&s, 1);
  for (int i = 0; i < 2400; i++) {
    put_target(&s, (180 + 12 * sin(i * 0.02)) * DEG, 3, 1.5);
    advance(&s);
    assert_true(head_yaw(&s) > 85 * DEG);
  }
  int swings = 0;
  double last = head_yaw(&s);
  for (int i = 0; i < 5 * 960; i++) { // 5 rounds of 4 s
    put_target(&s, (180 + 90 * i * DT) * DEG, 3, 1.5);
    advance(&s);
    double yaw = head_yaw(&s);
    assert_true(fabs(yaw) < 91 * DEG && fabs(yaw - last) <= 360 * DEG * DT * 1.001);
    swings += last > 0 && yaw <= 0; // back from left to right
    last = yaw;
  }
  assert_int_equal(swings, 5);
}

static void test_teleport_snaps(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  put_target(&s, 0, 3, 1.5);
  begin(&s);
  run(&s, 1);
  s.step.root_position[0] = -40;
  s.step.heading = 2;
  put_target(&s, 2 - 70 * DEG, 2, 1.4);
  s.step.teleported = true;
  advance(&s);
  assert_true(head_error(&s, s.targets[0]) < 0.5 * DEG);
  assert_true(s.state.gaze.yaw_velocity == 0 && s.state.gaze.pitch_velocity == 0);
  s.step.teleported = false;
  Pose before = s.pose;
  advance(&s);
  assert_true(head_rate(&s, &before) < 0.01);
}

// It begins at the animated head's facing, so that it fades in without a jump.
static void test_begins_as_animated(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  bend(&s, 1);
  put_target(&s, -60 * DEG, 3, 1);
  begin(&s);
  Pose before = s.pose;
  s.step.dt = 0;
  advance(&s);
  for (int i = 0; i < JOINTS; i++)
    assert_true(quat_angle_between(s.pose.rotation[i], before.rotation[i]) < 1e-6f);
}

// The heading turns by 180 deg in one step while the pose still faces the old way: the head continues from its place.
static void test_heading_jumps(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  put_target(&s, 180 * DEG, 4, 1.5);
  s.targets[0][0] = s.step.root_position[0]; // straight behind
  begin(&s);
  run(&s, 1);
  s.step.heading = M_PI;
  s.animation.rotation[0] = glms_quat_mul(quat_exp((vec3s){{0, (float)M_PI, 0}}), s.animation.rotation[0]);
  for (int i = 0; i < 480; i++) {
    Pose before = s.pose;
    advance(&s);
    assert_true(head_rate(&s, &before) < 360 * DEG * 1.0005);
  }
  assert_true(head_error(&s, s.targets[0]) < 0.5 * DEG);
}

// Points without a direction: at the eyes, straight up, straight down, very far. The pose stays finite and steady.
static void test_degenerate_goals(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  static const double offsets[][3] = {
      {0, 0, 0},     {0, 3, 0},     {0, -3, 0},      {1e-9, 0, 0},         {0, 1e300, 0},
      {1e300, 0, 0}, {0, 0, -1e12}, {1e-12, 1e9, 0}, {-1.7e308, 0, 1e308}, {0, 1e-300, 0}};
  begin(&s);
  s.def.target_index = 0;
  for (int i = 0; i < (int)(sizeof offsets / sizeof offsets[0]); i++)
    for (int n = 0; n < 240; n++) {
      vec3s eyes, forward, left;
      find_head(&s, &eyes, &forward, &left);
      for (int k = 0; k < 3; k++)
        s.targets[0][k] = (double)eyes.raw[k] + offsets[i][k];
      Pose before = s.pose;
      advance(&s);
      for (int k = 0; k < JOINTS; k++)
        assert_true(isfinite(glms_quat_norm(s.pose.rotation[k])));
      assert_true(isfinite(s.state.error) && head_rate(&s, &before) < 361 * DEG);
    }
}

// A goal within the neck, about which nodding moves the eyes: the head does not jerk to and fro.
static void test_goal_within_the_body(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  begin(&s);
  s.def.target_index = 0;
  for (int i = 0; i < 3; i++)
    s.targets[0][i] = s.state.eyes_w[i];
  double rate = 0, jerk = 0;
  for (int i = 0; i < 960; i++) {
    bend(&s, 0.1 * sin(2 * M_PI * i / 240));
    Pose before = s.pose;
    double last = rate;
    advance(&s);
    rate = head_rate(&s, &before);
    jerk = fmax(jerk, fabs(rate - last));
  }
  print_message("largest change of the head's speed in a step: %.1f deg/s\n", jerk / DEG);
  assert_true(jerk < 60 * DEG);
}

// ---- The file, the trace, the picture ----

static void expect_error(const char *text, const char *expected) {
  Scene s;
  Error error = {0};
  memset(&s, 0, sizeof s);
  s.skeleton = make_skeleton();
  assert_false(read_layer(&s, text, &error));
  if (strcmp(error.text, expected) != 0)
    fail_msg("\"%s\", expected \"%s\"", error.text, expected);
}

static void test_reading(void **state) {
  (void)state;
  Scene s;
  scene_init(&s,
             "target: ball\nchain: [chest, {joint: neck, weight: 2, yaw_limit: 30}, {joint: head, pitch_limit: 0}]\n");
  assert_int_equal(s.def.chain.count, 3);
  assert_int_equal(s.def.chain.joint[1], NECK);
  assert_true(s.def.chain.share[0] == 0.25 && s.def.chain.share[1] == 0.5 && s.def.chain.share[2] == 0.25);
  assert_true(s.def.chain.yaw_limit[1] == 30 * DEG && isinf(s.def.chain.pitch_limit[1]));
  assert_true(s.def.chain.pitch_limit[2] == 0);
  assert_string_equal(s.def.target, "ball");
  assert_int_equal(s.def.target_index, -1);
  assert_true(s.def.damp_seconds == 0.15 && s.def.rate_limit == 360 && s.def.yaw_limit == 90);
  scene_init(&s, "target: none\nchain: [chest, head]\n"); // with the neck between them
  assert_string_equal(s.def.target, "");

  expect_error("distance: 1\n", "look.yaml:1:1: a look_at layer needs a 'chain': [neck, head]");
  expect_error("chain: []\n",
               "look.yaml:1:8: expected a list of 1 to 16 joints from the trunk to the head: [neck, head]");
  expect_error("chain: [hed]\n", "look.yaml:1:9: 'bust' has no joint 'hed', did you mean 'head'?");
  expect_error("chain: [wing_l]\n",
               "look.yaml:1:9: 'bust' has no joint 'wing_l', allowed are pelvis, abdomen, chest, neck, head, arm");
  expect_error("chain: [head, neck]\n",
               "look.yaml:1:15: 'neck' is not a descendant of 'head': a chain goes from the trunk to the head");
  expect_error("chain: [head, head]\n",
               "look.yaml:1:15: 'head' is not a descendant of 'head': a chain goes from the trunk to the head");
  expect_error("chain: [pelvis, head]\n",
               "look.yaml:1:9: 'pelvis' is the root joint, which would turn the whole body with the head");
  expect_error("chain: [{joint: head, weight: -1}]\n", "look.yaml:1:31: weight is -1, allowed are 0 to 1000");
  expect_error("chain: [{joint: head, weight: 0}]\n",
               "look.yaml:1:8: all weights of the chain are 0, so that nothing would turn");
  expect_error("chain: [{joint: head, yaw_limit: 200}]\n",
               "look.yaml:1:34: yaw_limit is 200, allowed are 0 to 180 deg");
  expect_error("chain: [{weight: 1}]\n", "look.yaml:1:9: which 'joint'?");
  expect_error("chain: [head]\nforward: [0, 0, 0]\n", "look.yaml:2:10: 'forward' has no direction");
  expect_error("chain: [head]\nyaw_limit: 181\n", "look.yaml:2:12: look_at.yaw_limit is 181, allowed are 0 to 180 deg");
}

// A head whose beak points to the side faces with the beak.
static void test_forward_axis(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, "chain: [chest, neck, head]\nforward: [0.2, 0, 0.2]\nyaw_limit: 180\n");
  put_target(&s, 100 * DEG, 3, 1.4);
  begin(&s);
  run(&s, 2);
  vec3s eyes, forward, left;
  find_head(&s, &eyes, &forward, &left);
  vec3s beak = glms_vec3_normalize(glms_vec3_add(forward, left));
  const double *goal = s.targets[0];
  vec3s way = {{(float)goal[0] - eyes.x, (float)goal[1] - eyes.y, (float)goal[2] - eyes.z}};
  assert_true(angle_between(beak, way) < 0.5 * DEG);
}

static void test_trace_and_picture(void **state) {
  (void)state;
  Scene s;
  scene_init(&s, CHAIN);
  put_target(&s, 30 * DEG, 3, 1.9);
  begin(&s);
  run(&s, 2);
  float values[3];
  assert_int_equal(look_at_layer.channel_count, 3);
  assert_int_equal(look_at_layer.rows(&s.def), 1);
  assert_string_equal(look_at_layer.row_name(&s.def, &s.skeleton, 0), "head");
  for (int i = 0; i < 3; i++)
    look_at_layer.record(&s.def, &s.state, i, &values[i]);
  assert_string_equal(look_at_layer.channels[1].name, "pitch");
  vec3s eyes, forward, left;
  find_head(&s, &eyes, &forward, &left);
  assert_true(fabsf(values[0] - atan2f(forward.x, forward.z)) < 1e-4f);
  assert_true(fabsf(values[1] - asinf(forward.y)) < 1e-4f);
  assert_true(values[2] < 0.5f * (float)DEG);

  DebugDraw *draw = calloc(1, sizeof *draw);
  assert_non_null(draw);
  look_at_layer.debug(&s.def, &s.state, &s.step, draw);
  assert_int_equal(draw->count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(draw->items[i].group, DEBUG_LOOK);
    const float *at = draw->items[i].shape == DEBUG_POINT ? draw->items[i].a : draw->items[i].b;
    for (int k = 0; k < 3; k++) // the head is there: both lines end at the goal
      assert_true(fabs((double)at[k] - s.targets[0][k]) < 0.03);
  }
  free(draw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_place_and_heading),
      cmocka_unit_test(look_target_formula),
      cmocka_unit_test(test_head_turns_before_the_body),
      cmocka_unit_test(test_running_body),
      cmocka_unit_test(head_within_half_a_degree),
      cmocka_unit_test(test_animation_below),
      cmocka_unit_test(test_no_roll),
      cmocka_unit_test(weight_zero_is_the_animation),
      cmocka_unit_test(test_no_time_changes_nothing),
      cmocka_unit_test(head_rate_within_limit),
      cmocka_unit_test(goal_jump_of_180_degrees),
      cmocka_unit_test(test_goal_behind),
      cmocka_unit_test(test_teleport_snaps),
      cmocka_unit_test(test_begins_as_animated),
      cmocka_unit_test(test_heading_jumps),
      cmocka_unit_test(test_degenerate_goals),
      cmocka_unit_test(test_goal_within_the_body),
      cmocka_unit_test(test_reading),
      cmocka_unit_test(test_forward_axis),
      cmocka_unit_test(test_trace_and_picture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
