// Laws of look-at chains for random skeletons, chains, animations, goals and parameters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "anim/layers/look_at/look_at.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"

enum { CASES = 2000, JOINTS = 14 };
static const double DEG = RAD_PER_DEGREE, FALL = 100 * RAD_PER_DEGREE;

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

static versors random_rotation(Rng *rng, double largest) {
  return quat_exp(random_vector(rng, rng_range(rng, 0, largest)));
}

// Any tree with short bones in any frames.
static Skeleton random_skeleton(Rng *rng) {
  Skeleton s = {.name = "random", .count = 2 + rng_index(rng, JOINTS - 1)};
  for (int i = 0; i < s.count; i++) {
    snprintf(s.names[i], sizeof s.names[i], "joint_%d", i);
    s.parent[i] = i == 0 ? -1 : rng_index(rng, 3) == 0 ? rng_index(rng, i) : i - 1;
    s.bind_position_l[i] = random_vector(rng, 0.1);
    s.bind_rotation_l[i] = random_rotation(rng, M_PI);
  }
  return s;
}

// A chain of some of the joints up to the last, with random shares.
static LookChain random_chain(const Skeleton *skeleton, Rng *rng) {
  int path[JOINTS], joints[JOINTS] = {0}, length = 0, count = 0;
  for (int i = skeleton->count - 1; i > 0; i = skeleton->parent[i])
    path[length++] = i;
  while (length > 0)
    if (--length == 0 || rng_index(rng, 2) == 0)
      joints[count++] = path[length];
  LookChain chain = look_chain_make(skeleton, joints, count);
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += chain.share[k] = rng_index(rng, 4) == 0 && k < count - 1 ? 0 : rng_range(rng, 0.1, 1);
  for (int k = 0; k < count; k++)
    chain.share[k] /= sum;
  look_chain_head(&chain, skeleton, random_vector(rng, 1), random_vector(rng, 0.1));
  return chain;
}

// The bind pose, each joint turned by up to `bend` rad, somewhere in the world.
static Pose random_pose(const Skeleton *skeleton, double bend, Rng *rng) {
  Pose pose = pose_bind(skeleton);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = glms_quat_normalize(glms_quat_mul(pose.rotation[i], random_rotation(rng, bend)));
  pose.position[0] = random_vector(rng, 10);
  return pose;
}

static void find_head(const LookChain *chain, const Skeleton *skeleton, const Pose *pose, vec3s *eyes, vec3s *forward) {
  ModelPose pose_w;
  pose_to_model(skeleton, pose, &pose_w);
  int head = chain->joint[chain->count - 1];
  *eyes = glms_vec3_add(pose_w.position[head], glms_quat_rotatev(pose_w.rotation[head], chain->eyes_l));
  *forward = glms_quat_rotatev(pose_w.rotation[head], chain->forward_l);
}

static double angle_between(vec3s a, vec3s b) {
  return atan2((double)glms_vec3_norm(glms_vec3_cross(a, b)), (double)glms_vec3_dot(a, b));
}

// The head faces the requested direction in any pose; joints without a share and outside the chain stay.
static void test_chain_faces_any_direction(void **state) {
  (void)state;
  Rng rng = rng_make(1, "directions");
  double largest = 0;
  for (int n = 0; n < 5 * CASES; n++) {
    Skeleton skeleton = random_skeleton(&rng);
    LookChain chain = random_chain(&skeleton, &rng);
    Pose before = random_pose(&skeleton, rng_range(&rng, 0, M_PI), &rng), after = before;
    double yaw = rng_range(&rng, -M_PI, M_PI), pitch = rng_range(&rng, -M_PI / 2, M_PI / 2), side = 0;
    double heading = rng_range(&rng, -10, 10);
    look_chain_turn(&chain, &skeleton, heading, yaw, pitch, &side, &after);
    vec3s eyes, forward,
        wanted = {
            {(float)(cos(pitch) * sin(heading + yaw)), (float)sin(pitch), (float)(cos(pitch) * cos(heading + yaw))}};
    find_head(&chain, &skeleton, &after, &eyes, &forward);
    largest = fmax(largest, angle_between(forward, wanted));
    for (int i = 0; i < skeleton.count; i++) {
      double share = 0;
      for (int k = 0; k < chain.count; k++)
        share += chain.joint[k] == i ? chain.share[k] : 0;
      if (share == 0)
        assert_memory_equal(&after.rotation[i], &before.rotation[i], sizeof(versors));
    }
    assert_memory_equal(after.position, before.position, sizeof after.position);
  }
  print_message("largest error %.2g rad\n", largest);
  assert_true(largest < 1e-5);
}

// No joint turns by more than its limits; shares add up to the whole turn where limits allow.
static void test_limits_of_joints(void **state) {
  (void)state;
  Rng rng = rng_make(2, "limits");
  for (int n = 0; n < 5 * CASES; n++) {
    Skeleton skeleton = random_skeleton(&rng);
    LookChain chain = random_chain(&skeleton, &rng);
    chain.additive = true;
    double yaw = rng_range(&rng, -2, 2), pitch = 0, side = 0, allowed = 0;
    bool is_pitch = rng_index(&rng, 2) == 0; // a single joint's turn is the angle between two rotations
    for (int k = 0; k < chain.count; k++) {
      chain.yaw_limit[k] = chain.pitch_limit[k] = rng_range(&rng, 0, 1);
      allowed += chain.share[k] > 0 ? chain.yaw_limit[k] : 0;
    }
    if (is_pitch) {
      pitch = fmax(-1.5, fmin(yaw, 1.5));
      yaw = 0;
    }
    Pose before = random_pose(&skeleton, 1, &rng), after = before;
    look_chain_turn(&chain, &skeleton, 0, yaw, pitch, &side, &after);
    double sum = 0;
    for (int k = 0; k < chain.count; k++) {
      int joint = chain.joint[k];
      double turn = (double)quat_angle_between(before.rotation[joint], after.rotation[joint]);
      assert_true(turn < chain.yaw_limit[k] + 1e-5);
      sum += turn;
    }
    assert_true(fabs(sum - fmin(fabs(yaw + pitch), allowed)) < 1e-4);
  }
}

// One random layer that looks at target 0.
typedef struct Looker {
  Skeleton skeleton;
  LookAtDef def;
  LookAtState state;
  LayerStep step;
  double target[1][3];
  Pose animation, pose;
} Looker;

static void looker_init(Looker *l, double bend, Rng *rng) {
  memset(l, 0, sizeof *l);
  l->skeleton = random_skeleton(rng);
  param_defaults(look_at_layer.params, &l->def);
  l->def.chain = random_chain(&l->skeleton, rng);
  l->def.yaw_limit = 180;
  l->def.pitch_limit = 90;
  l->animation = random_pose(&l->skeleton, bend, rng);
  l->pose = l->animation;
  l->step = (LayerStep){.skeleton = &l->skeleton,
                        .dt = 1.0 / 240,
                        .heading = rng_range(rng, -M_PI, M_PI),
                        .targets = (const double(*)[3])l->target,
                        .target_count = 1,
                        .pose_w = &l->pose};
}

static void set_target(Looker *l, const double from[3], vec3s offset) {
  for (int i = 0; i < 3; i++)
    l->target[0][i] = from[i] + (double)offset.raw[i];
}

static void advance(Looker *l) {
  l->pose = l->animation;
  look_at_layer.apply(&l->def, &l->state, &l->step);
}

// How far the chain can move the eyes, m.
static double reach(const Looker *l) {
  LookChainPose at = look_chain_pose(&l->def.chain, &l->skeleton, 0, &l->animation);
  double sum = 0;
  for (int k = 0; k < l->def.chain.count; k++)
    sum += (double)glms_vec3_norm(at.link[k]);
  return sum;
}

// The head faces any goal that is not too near for the chain (2.5 of its lengths), too steep or too far back.
static void head_within_half_a_degree(void **state) {
  (void)state;
  Rng rng = rng_make(3, "goals");
  double largest = 0;
  int count = 0;
  for (int n = 0; n < 2 * CASES; n++) {
    Looker l;
    looker_init(&l, rng_range(&rng, 0, 2), &rng);
    look_at_layer.init(&l.def, &l.state, &l.step);
    set_target(&l, l.state.eyes_w, random_vector(&rng, reach(&l) * rng_range(&rng, 2.5, 20)));
    l.step.teleported = true;
    advance(&l);
    vec3s eyes, forward, goal = {{(float)l.target[0][0], (float)l.target[0][1], (float)l.target[0][2]}};
    find_head(&l.def.chain, &l.skeleton, &l.pose, &eyes, &forward);
    double error = angle_between(forward, glms_vec3_sub(goal, eyes));
    assert_true(fabs(error - l.state.error) < 1e-4);
    if (fabs(l.state.gaze.pitch) > 60 * DEG || fabs(l.state.side) > 150 * DEG)
      continue;
    largest = fmax(largest, error);
    count++;
  }
  print_message("%d goals, largest error %.2g deg\n", count, largest / DEG);
  assert_true(count > CASES && largest < 0.5 * DEG);
}

// In all cases the gaze keeps to its rate in the world, everything is finite, and a step of zero time changes nothing.
static void head_rate_within_limit(void **state) {
  (void)state;
  Rng rng = rng_make(4, "rates");
  for (int n = 0; n < CASES / 10; n++) {
    Looker l;
    looker_init(&l, 1, &rng);
    l.def.rate_limit = rng_range(&rng, 30, 1000);
    l.def.damp_seconds = rng_range(&rng, 0.01, 0.5);
    l.def.yaw_limit = rng_range(&rng, 20, 180);
    l.def.pitch_limit = rng_range(&rng, 20, 90);
    l.def.target_index = rng_index(&rng, 2) - 1;
    l.step.dt = rng_range(&rng, 1e-3, 0.05);
    look_at_layer.init(&l.def, &l.state, &l.step);
    double rate = l.def.rate_limit * DEG * l.step.dt, turning = 0;
    for (int i = 0; i < 200; i++) {
      if (i % 20 == 0) {
        set_target(&l, l.state.eyes_w, random_vector(&rng, pow(10, rng_range(&rng, -3, 3))));
        l.step.wanted_heading = rng_range(&rng, -10, 10);
        turning = rng_range(&rng, -6, 6) * l.step.dt;
      }
      l.step.heading += turning;
      if (rng_index(&rng, 50) == 0)
        l.step.heading += rng_range(&rng, -3, 3);
      l.animation.rotation[rng_index(&rng, l.skeleton.count)] = random_rotation(&rng, M_PI);
      LookAtState before = l.state;
      double turned = look_wrap(l.step.heading - before.heading);
      advance(&l);
      double yaw = look_wrap(l.state.gaze.yaw - before.gaze.yaw + turned),
             pitch = l.state.gaze.pitch - before.gaze.pitch;
      double carried = fabs(turned) < 0.5 ? fabs(turned) : 0; // a larger angle is no rotation of the body
      assert_true(hypot(yaw, pitch) <= fmax(rate, carried) + 1e-9);
      assert_true(isfinite(l.state.error));
      for (int k = 0; k < l.skeleton.count; k++)
        assert_true(fabsf(glms_quat_norm(l.pose.rotation[k]) - 1) < 1e-5f);

      LookAtState after = l.state;
      Pose shown = l.pose;
      double dt = l.step.dt;
      l.step.dt = 0;
      advance(&l);
      assert_memory_equal(&l.state, &after, sizeof after);
      assert_memory_equal(&l.pose, &shown, sizeof shown);
      l.step.dt = dt;
    }
  }
}

// Where no input jumps the shown pose does not jump either, also when the character falls to any side, until the head
// faces up or down and beyond, and gets up again, one turn in 4 s.
static void test_falling_is_continuous(void **state) {
  (void)state;
  Rng rng = rng_make(5, "falling");
  double largest = 0;
  for (int n = 0; n < CASES / 20; n++) {
    Looker l;
    looker_init(&l, 0, &rng);
    look_chain_head(&l.def.chain, &l.skeleton, (vec3s){{0, 0, 1}}, random_vector(&rng, 0.1));
    l.def.yaw_limit = 70;
    l.def.pitch_limit = 50;
    double side = rng_range(&rng, 0, 2 * M_PI);
    vec3s axis = {{(float)cos(side), 0, (float)sin(side)}};
    versors upright = glms_quat_mul(quat_exp((vec3s){{0, (float)l.step.heading, 0}}), l.animation.rotation[0]);
    look_at_layer.init(&l.def, &l.state, &l.step);
    set_target(&l, l.state.eyes_w, random_vector(&rng, 3));
    Pose last = l.pose;
    for (int i = 0; i < 960; i++) {
      double angle = FALL * sin(2 * M_PI * i / 960);
      l.animation.rotation[0] =
          glms_quat_normalize(glms_quat_mul(quat_exp(glms_vec3_scale(axis, (float)angle)), upright));
      advance(&l);
      for (int k = 1; k < l.skeleton.count && i > 0; k++)
        largest = fmax(largest, (double)quat_angle_between(l.pose.rotation[k], last.rotation[k]));
      last = l.pose;
    }
  }
  print_message("largest step of a joint %.2f deg\n", largest / DEG);
  assert_true(largest < 5 * DEG); // the body falls and rises by up to 0.65 deg a step
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain_faces_any_direction), cmocka_unit_test(test_limits_of_joints),
      cmocka_unit_test(head_within_half_a_degree),      cmocka_unit_test(head_rate_within_limit),
      cmocka_unit_test(test_falling_is_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
