// Metrics of foot placement, standing and gait from synthetic feet whose figures are known.
#include "tests/unit/metrics_run.h"

// Steps of 1/256 s, a frame after every fourth of them: 1/64 s.
typedef struct Walk {
  Run run;
  MetricsFrame frame;
} Walk;

static const float UNTURNED[1][4] = {{0, 0, 0, 1}};

static void walk_start(Walk *walk) {
  memset(walk, 0, sizeof *walk);
  run_start(&walk->run);
  walk->frame.joint_count = 1;
  walk->frame.foot_count = 2;
  for (int i = 0; i < 3; ++i)
    walk->frame.rotation[i] = UNTURNED;
  for (int i = 0; i < 2; ++i) {
    walk->frame.plans[i].known = true;
    walk->frame.output_feet[i].standing = walk->frame.output_feet[i].planted = true;
    walk->frame.measured_feet[i] = walk->frame.output_feet[i];
  }
}

static void walk_frame(Walk *walk) {
  for (int i = 0; i < 4; ++i)
    run_step(&walk->run);
  walk->frame.time = walk->run.step.time;
  metrics_frame(walk->run.metrics, &walk->frame);
}

static void walk_frames(Walk *walk, int count) {
  for (int i = 0; i < count; ++i)
    walk_frame(walk);
}

static double walk_value(const Walk *walk, const char *name) { return value(walk->run.metrics, name); }

static void walk_end(Walk *walk) { metrics_destroy(walk->run.metrics); }

static void set_clearance(MetricsFoot *foot, double heel, double middle, double toe) {
  foot->heel_clearance = heel;
  foot->sole_clearance = middle;
  foot->toe_clearance = toe;
}

// Refusals

static void test_refusals_by_reason(void **state) {
  (void)state;
  static const char *const names[FOOT_REFUSAL_COUNT] = {"",          "no_ground",    "too_high", "too_low",
                                                        "too_steep", "out_of_reach", "crossing"};
  Walk walk;
  walk_start(&walk);
  for (int reason = 1; reason < FOOT_REFUSAL_COUNT; ++reason)
    for (int i = 0; i < reason; ++i)
      metrics_refusal(walk.run.metrics, (FootRefusal)reason);
  for (int reason = 1; reason < FOOT_REFUSAL_COUNT; ++reason) {
    char name[64];
    snprintf(name, sizeof name, "foot_refusals_%s", names[reason]);
    assert_near(walk_value(&walk, name), reason, 0);
  }
  assert_near(walk_value(&walk, "foot_refusals"), 1 + 2 + 3 + 4 + 5 + 6, 0);
  walk_end(&walk);
}

// Soles of the body

static void test_soles_of_the_body(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsFoot *body = &walk.frame.measured_feet[1];
  body->depth = 0.002;
  body->gap = 0.007;
  walk.frame.measured_feet[0].angle_error = body->angle_error = RADIANS(5);
  body->knee_angle = 0.5;
  walk_frames(&walk, 2);
  body->knee_angle += RADIANS(2);
  walk_frame(&walk);
  walk.frame.plans[1].toe = 0.02; // the flat phase is over
  walk_frame(&walk);
  assert_near(walk_value(&walk, "body_foot_penetration_max"), 0.002, TINY);
  assert_near(walk_value(&walk, "body_foot_float_max"), 0.007, TINY);
  assert_near(walk_value(&walk, "body_foot_angle_error_rms"), 5, TINY);
  assert_near(walk_value(&walk, "body_knee_pop_max"), 2 * 64 * 64, 1e-6);
  assert_near(walk_value(&walk, "foot_penetration_max"), 0, 0);
  assert_near(walk_value(&walk, "foot_float_max"), 0, 0);
  assert_near(walk_value(&walk, "foot_angle_error_rms"), 0, 0);
  assert_near(walk_value(&walk, "knee_pop_max"), 0, 0);
  walk_end(&walk);
}

// Swings

static void test_clearance_loss(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsPlan *plan = &walk.frame.plans[0];
  MetricsFoot *output = &walk.frame.output_feet[0], *body = &walk.frame.measured_feet[0];
  walk_frame(&walk); // stands
  assert_true(isnan(walk_value(&walk, "foot_clearance_loss_max")));
  output->standing = output->planted = false;
  plan->clearance = 0.08;
  plan->progress = 0.1; // the first and the last that count
  set_clearance(output, 0.075, 0.1, 0.11);
  set_clearance(body, 0.3, 0.3, 0.3);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.005, TINY);
  plan->progress = 0.9;
  set_clearance(output, 0.074, 0.1, 0.11);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.006, TINY);
  plan->progress = 0.5;
  set_clearance(output, 0.09, 0.1, 0.11); // more than in the animation: no loss
  set_clearance(body, 0.3, 0.3, 0.3);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.006, TINY);
  assert_near(walk_value(&walk, "body_foot_clearance_loss_max"), 0, 0);
  set_clearance(output, 0.11, 0.1, 0.07); // each end alone, and the middle
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.01, TINY);
  set_clearance(output, 0.2, 0.05, 0.2);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.03, TINY);
  set_clearance(output, 0.04, 0.05, 0.2);
  set_clearance(body, -0.01, 0.05, 0.2);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.04, TINY);
  assert_near(walk_value(&walk, "body_foot_clearance_loss_max"), 0.09, TINY);

  // Not at the ends of a swing, nor for a foot without a plan, nor over the void.
  set_clearance(output, -1, -1, -1);
  set_clearance(body, -1, -1, -1);
  plan->progress = 0.0999;
  walk_frame(&walk);
  plan->progress = 0.9001;
  walk_frame(&walk);
  plan->progress = 0.5;
  plan->known = false;
  walk_frame(&walk);
  plan->known = true;
  set_clearance(output, HUGE_VAL, HUGE_VAL, HUGE_VAL);
  set_clearance(body, HUGE_VAL, HUGE_VAL, HUGE_VAL);
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_clearance_loss_max"), 0.04, TINY);
  assert_near(walk_value(&walk, "body_foot_clearance_loss_max"), 0.09, TINY);
  walk_end(&walk);
}

static void test_foot_jumps(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsPlan *plan = &walk.frame.plans[1];
  MetricsFoot *output = &walk.frame.output_feet[1];
  walk_frame(&walk);
  assert_true(isnan(walk_value(&walk, "foot_jump_max")));
  // With the animation, in any direction, or less than it.
  plan->animated[2] += 0.05;
  output->sole[0] += 0.03, output->sole[1] += 0.04;
  walk_frame(&walk);
  plan->animated[2] += 0.05;
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_jump_max"), 0, TINY);
  // 3 cm beyond the animation's 2 cm in 1/64 s; in 1/60 s that is a little more.
  plan->animated[0] -= 0.02;
  output->sole[1] += 0.05;
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_jump_max"), 0.03 * 64 / 60, TINY);
  // A pose shown as physics jumps as the body does, and a foot without a plan was not placed.
  plan->physical = true;
  output->sole[0] += 1;
  walk_frame(&walk);
  plan->physical = false;
  output->sole[0] += 1;
  walk_frame(&walk);
  plan->known = false;
  output->sole[0] += 1;
  walk_frame(&walk);
  assert_near(walk_value(&walk, "foot_jump_max"), 0.03 * 64 / 60, TINY);
  walk_end(&walk);
}

// Standing

// An ankle that moves to and fro between two places a frame apart: its RMS is half their distance.
static void sway(Walk *walk, MetricsFoot *foot, double distance, int frames) {
  for (int i = 0; i < frames; ++i) {
    foot->ankle[0] = i % 2 ? distance : 0;
    walk_frame(walk);
  }
}

static void test_standing_jitter(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsFoot *output = &walk.frame.output_feet[0], *body = &walk.frame.measured_feet[1];
  output->ankle[1] = 1000; // far from the origin no precision is lost
  walk.run.step.intended_velocity[2] = 0.1;
  sway(&walk, output, 0.2, 128); // walks
  walk.run.step.intended_velocity[2] = 0.09;
  walk.run.step.intended_turn_rate = 0.1;
  sway(&walk, output, 0.2, 128); // turns
  walk.run.step.intended_turn_rate = -0.09;
  sway(&walk, output, 0.2, 63); // has not stood for 1 s
  assert_true(isnan(walk_value(&walk, "standing_jitter_rms")));
  sway(&walk, output, 0.002, 64);
  assert_true(isnan(walk_value(&walk, "standing_jitter_rms"))); // the window is not over
  sway(&walk, output, 0.004, 64);
  assert_near(walk_value(&walk, "standing_jitter_rms"), 0.001, TINY);
  sway(&walk, body, 0.008, 1);
  assert_near(walk_value(&walk, "standing_jitter_rms"), 0.002, TINY);
  assert_near(walk_value(&walk, "body_standing_jitter_rms"), 0, 0);
  sway(&walk, body, 0.008, 200);
  assert_near(walk_value(&walk, "body_standing_jitter_rms"), 0.004, TINY);

  // A foot that leaves the ground ends its second, and so does a hit, after which 1 s must pass.
  sway(&walk, output, 1, 32);
  output->planted = false;
  sway(&walk, output, 1, 32);
  output->planted = true;
  sway(&walk, output, 1, 40);
  run_hit(&walk.run, 5, "chest");
  sway(&walk, output, 1, 63);
  sway(&walk, output, 0.002, 65);
  assert_near(walk_value(&walk, "standing_jitter_rms"), 0.002, TINY);
  walk_end(&walk);
}

static void test_feet_supported(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsFoot *output = walk.frame.output_feet, *body = walk.frame.measured_feet;
  set_clearance(&output[0], 1, 1, 1); // floats, but in its first second
  walk_frames(&walk, 63);
  assert_true(isnan(walk_value(&walk, "feet_supported_share")));
  set_clearance(&output[0], 0.02, 0.0049, 0.02); // rests on its middle
  walk_frames(&walk, 10);
  assert_near(walk_value(&walk, "feet_supported_share"), 1, 0);
  set_clearance(&output[0], 0.02, 0.0051, 0.02);
  walk_frames(&walk, 6);
  set_clearance(&output[0], -0.0051, 0, 0.02); // sunk in
  body[1].standing = false;
  walk_frames(&walk, 4);
  assert_near(walk_value(&walk, "feet_supported_share"), 0.5, TINY);
  assert_near(walk_value(&walk, "body_feet_supported_share"), 0.8, TINY);
  // Feet that are not to stand, or without a known plan, are not counted.
  output[0].standing = false;
  walk.frame.plans[1].known = false;
  walk_frames(&walk, 20);
  walk.frame.plans[1].known = true;
  body[1].standing = true;
  walk_frames(&walk, 20);
  assert_near(walk_value(&walk, "feet_supported_share"), 0.75, TINY);
  assert_near(walk_value(&walk, "body_feet_supported_share"), 0.9, TINY);
  walk_end(&walk);
}

// Gait

// Frames of a cycle of 64 frames (1 s) in which both poses walk: the left foot stands for `stance` frames from the
// first one on, the right one half a cycle later; each lands 1.4 m ahead. The root is highest at mid-stance.
static void walk_cycle(Walk *walk, int stance, int frames) {
  for (int i = 0; i < frames; ++i) {
    for (int foot = 0; foot < 2; ++foot) {
      const int phase = (i + 32 * foot) % 64;
      MetricsFoot *body = &walk->frame.measured_feet[foot];
      const bool lands = phase == 0 && !body->standing;
      body->standing = phase < stance;
      body->sole[2] += lands ? 1.4 : 0;
      walk->frame.output_feet[foot] = *body;
    }
    for (int pose = 0; pose < 3; ++pose)
      walk->frame.root_position[pose][1] = (float)(i % 32) / 32 * (pose == 1 ? 0.0625F : 0.03125F) + 3;
    walk->frame.ground_height = 2;
    walk_frame(walk);
  }
}

static void test_walking(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  walk_cycle(&walk, 40, 64 * 2 + 1);
  assert_true(isnan(walk_value(&walk, "cadence"))); // left 1, right 1
  walk_end(&walk);

  walk_start(&walk);
  walk_cycle(&walk, 40, 64 * 6 + 1);
  assert_near(walk_value(&walk, "stance_share"), 40 / 64.0, TINY);
  assert_near(walk_value(&walk, "output_stance_share"), 40 / 64.0, TINY);
  assert_near(walk_value(&walk, "double_support_share"), 16 / 64.0, TINY);
  assert_near(walk_value(&walk, "cadence"), 120, TINY);
  assert_near(walk_value(&walk, "step_length"), 0.7, TINY);
  assert_near(walk_value(&walk, "pelvis_range"), 0.03125 * 31 / 32, 1e-6);
  assert_near(walk_value(&walk, "body_pelvis_range"), 0.0625 * 31 / 32, 1e-6);
  walk_end(&walk);
}

static void test_running(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  walk_cycle(&walk, 24, 64 * 4 + 1);
  assert_near(walk_value(&walk, "stance_share"), 24 / 64.0, TINY);
  assert_near(walk_value(&walk, "double_support_share"), 0, 0);
  assert_near(walk_value(&walk, "cadence"), 120, TINY);
  walk_end(&walk);
}

static void test_double_support_needs_two_feet(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  walk.frame.foot_count = 3;
  walk_cycle(&walk, 40, 64 * 6 + 1);
  assert_true(isnan(walk_value(&walk, "double_support_share")));
  assert_near(walk_value(&walk, "cadence"), 180, TINY);
  walk_end(&walk);
}

// Feet that rock in place, stand for long, or flicker, make no strides.
static void test_no_strides(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  MetricsFoot *body = &walk.frame.measured_feet[0];
  for (int i = 0; i < 10; ++i) { // 2 cm
    body->standing = false;
    walk_frames(&walk, 8);
    body->standing = true;
    body->sole[0] += 0.02;
    walk_frames(&walk, 8);
  }
  for (int i = 0; i < 5; ++i) { // 3.1 s
    body->standing = false;
    walk_frames(&walk, 8);
    body->standing = true;
    body->sole[0] += 0.7;
    walk_frames(&walk, 191);
  }
  for (int i = 0; i < 10; ++i) { // 47 ms
    body->standing = false;
    walk_frames(&walk, 3);
    body->standing = true;
    body->sole[0] += 0.7;
    walk_frames(&walk, 8);
  }
  assert_true(isnan(walk_value(&walk, "cadence")));
  assert_true(isnan(walk_value(&walk, "stance_share")));
  walk_end(&walk);
}

// A body on the ground does not stand, swing, walk or jump.
static void test_fallen_feet_are_not_judged(void **state) {
  (void)state;
  Walk walk;
  walk_start(&walk);
  walk.run.step.fallen = true;
  walk.frame.plans[0] = (MetricsPlan){.known = true, .progress = 0.5, .clearance = 1};
  walk.frame.output_feet[1].sole[0] = 1;
  walk_cycle(&walk, 40, 64 * 6 + 1);
  static const char *const names[] = {"foot_clearance_loss_max", "foot_jump_max", "standing_jitter_rms",
                                      "feet_supported_share",    "cadence",       "pelvis_range"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (!isnan(walk_value(&walk, names[i])))
      fail_msg("%s is %g", names[i], walk_value(&walk, names[i]));
  walk_end(&walk);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals_by_reason),
      cmocka_unit_test(test_soles_of_the_body),
      cmocka_unit_test(test_clearance_loss),
      cmocka_unit_test(test_foot_jumps),
      cmocka_unit_test(test_standing_jitter),
      cmocka_unit_test(test_feet_supported),
      cmocka_unit_test(test_walking),
      cmocka_unit_test(test_running),
      cmocka_unit_test(test_double_support_needs_two_feet),
      cmocka_unit_test(test_no_strides),
      cmocka_unit_test(test_fallen_feet_are_not_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
