// The stepper: the figures that its legs keep to, its file, and disturbances. The names of the tests say which check of
// the design they are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/stepper_fixture.h"

static const double DEG = RAD_PER_DEGREE;
static const double DT = 1.0 / 240;
static const TestGround FLAT = {0};

// The walker of the published figures: units of a metre, a trunk of 3.6 m on legs of 2.4 m.
static Walk *big_walk(const char *yaml) {
  static Walk walk;
  char text[512];
  snprintf(text, sizeof text, "scale: 1\n%s", yaml);
  walk_init(&walk, make_sprawler(4, 12), FLAT, text);
  return &walk;
}

static void walk_for(Walk *walk, double seconds, double velocity_x, double velocity_z, double turn_rate) {
  for (int steps = (int)lround(seconds / DT); steps > 0; steps--)
    walk_on(walk, DT, velocity_x, velocity_z, turn_rate);
}

static void read_or_fail(StepperDef *def, const Skeleton *skeleton, const char *yaml) {
  Error error = {0};
  if (!read_stepper(def, skeleton, yaml, &error))
    fail_msg("%s", error.text);
}

static void allowed_offset(void **state) {
  (void)state;
  StepperDef def;
  Skeleton skeleton = make_sprawler(4, 1);
  read_or_fail(&def, &skeleton, "scale: 1");
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, -1) - 1.5) <= 1e-6);
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, 0) - 1.25) <= 1e-6);
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, 1) - 1) <= 1e-6);
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, -0.5) - 1.375) <= 1e-6);
  read_or_fail(&def, &skeleton, "{scale: 2, offset: [[-1, 2], [1, 1]]}");
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, 0.5) - 2.5) <= 1e-6);
  read_or_fail(&def, &skeleton, "{scale: 1, offset: {smooth: true, keys: [[-1, 2], [1, 1]]}}");
  assert_true(fabs(stepper_allowed(&def, def.bind.unit, 0.5) - (2 - smooth_step(0.75))) <= 1e-6);
}

// Strides over the body in 16 directions, from lift-off to landing.
static void strides_over_the_body(void **state) {
  (void)state;
  double worst_stride = 0, worst_lift_off[2] = {0, 0}, worst_landing = 0, look_ahead = 0;
  for (int direction = 0; direction < 16; direction++) {
    Walk *walk = big_walk("");
    double angle = direction * M_PI / 8, x = sin(angle), z = cos(angle), v = 1, lifted[4] = {0};
    double unit = walk->stepper.stance.unit, start[4] = {0};
    double lagging = stepper_allowed(&walk->def, unit, -z), leading = stepper_allowed(&walk->def, unit, z);
    walk_for(walk, 10, v * x, v * z, 0);
    for (int k = 0; k < 2400; k++) {
      bool before[4];
      for (int i = 0; i < 4; i++)
        before[i] = walk->stepper.feet[i].stepping;
      walk_on(walk, DT, v * x, v * z, 0);
      for (int i = 0; i < 4; i++) {
        const StepperFoot *foot = &walk->stepper.feet[i];
        double left, forward, at = walk->time * v;
        body_offset(walk, i, &left, &forward);
        double along = left * x + forward * z, across = left * z - forward * x;
        if (foot->stepping && !before[i]) {
          lifted[i] = along;
          start[i] = at;
          worst_lift_off[0] = fmin(worst_lift_off[0], -along - lagging);
          worst_lift_off[1] = fmax(worst_lift_off[1], -along - lagging);
          assert_true(fabs(across) < 0.01);
        } else if (!foot->stepping && before[i] && lifted[i] != 0) {
          worst_landing = fmax(worst_landing, fabs(along - leading));
          worst_stride = fmax(worst_stride, fabs(along - lifted[i] - 2.5) / 2.5);
          look_ahead = fmax(look_ahead, at - start[i]);
        }
      }
    }
    assert_int_equal(walk->stepper.escapes, 0);
  }
  printf("  stride 2.5 m within %.2f %%, lift-off %+.1f to %+.1f mm, landing within %.2f mm; a stride over the "
         "ground is longer by v T = %.3f m\n",
         100 * worst_stride, 1e3 * worst_lift_off[0], 1e3 * worst_lift_off[1], 1e3 * worst_landing, look_ahead);
  assert_true(worst_stride <= 0.01);
  assert_true(worst_lift_off[0] >= -1e-6 && worst_lift_off[1] <= 1 * DT + 1e-6);
  assert_true(worst_landing <= 0.01);
}

static void groups_take_turns(void **state) {
  (void)state;
  static Walk walk;
  for (int legs = 2; legs <= 8; legs += 2)
    for (int pace = 1; pace <= 4; pace++) {
      walk_init(&walk, make_walker(legs), FLAT, "");
      double v = 3 * pace * walk.stepper.stance.unit;
      for (int k = 0; k < 2400; k++) {
        long escapes = walk.stepper.escapes;
        walk_on(&walk, DT, 0.3 * v * sin(k / 400.0), v * fmin(1, k / 200.0), 0.4 * sin(k / 300.0));
        int in_air[2] = {0, 0};
        for (int i = 0; i < legs; i++)
          in_air[walk.def.legs[i].group] += walk.stepper.feet[i].stepping;
        assert_true(in_air[0] == 0 || in_air[1] == 0);
        assert_true(count_planted(&walk) >= legs / 2);
        assert_int_equal(walk.stepper.escapes, escapes);
      }
      assert_true(walk.stepper.steps >= 5 * legs);
    }
}

// The second group never gets its turn.
static void feet_escape_in_time(void **state) {
  (void)state;
  double worst = 0;
  for (int direction = 0; direction < 16; direction++) {
    Walk *walk = big_walk("groups: [[front_l, hind_r]]");
    double angle = direction * M_PI / 8, v = 2;
    for (int k = 0; k < 4800; k++) {
      walk_on(walk, DT, v * sin(angle), v * cos(angle), 0);
      assert_true(count_planted(walk) >= 2);
      for (int i = 0; i < 4; i++) {
        const StepperFoot *foot = &walk->stepper.feet[i];
        if (!foot->stepping)
          worst = fmax(worst, foot->distance - 1.5 * foot->allowed);
      }
    }
    assert_true(walk->stepper.escapes >= 10);
  }
  printf("  at most %.1f mm beyond the escape distance (v dt is %.1f mm)\n", 1e3 * worst, 2e3 * DT);
  assert_true(worst <= 2 * DT);
}

static void standing_feet_stay_on_the_ground(void **state) {
  (void)state;
  static Walk walk;
  float slip = 0, gap = 0;
  double tilt = 0;
  for (int legs = 4; legs <= 8; legs += 2) {
    walk_init(&walk, make_walker(legs), (TestGround){.pitch = 0.1, .rough = 0.01}, "");
    StepperFoot before[SKELETON_MAX_LEGS];
    vec3s stood[SKELETON_MAX_LEGS];
    for (int k = 0; k < 2400; k++) {
      memcpy(before, walk.stepper.feet, sizeof before);
      walk_on(&walk, DT, 0.05, 5 * walk.stepper.stance.unit * fmin(1, k / 200.0), 0.2);
      for (int i = 0; i < legs; i++) {
        const StepperFoot *foot = &walk.stepper.feet[i];
        vec3s sole = shown_sole(&walk, i);
        bool stands = !foot->stepping && !before[i].stepping;
        if (stands)
          assert_memory_equal(foot->place, before[i].place, sizeof foot->place);
        if (!foot->stepping) {
          vec3s up = glms_quat_rotatev(walk.shown.rotation[walk.def.legs[i].leg.ankle], (vec3s){{0, 1, 0}});
          vec3s normal = {{(float)foot->normal[0], (float)foot->normal[1], (float)foot->normal[2]}};
          double height = 0;
          test_height(&walk.shape, (double)sole.x, (double)sole.z, GROUND_HIGHEST, &height, NULL);
          tilt = fmax(tilt, (double)glms_vec3_norm(glms_vec3_cross(up, normal)));
          gap = fmaxf(gap, fabsf(sole.y - (float)height));
          if (stands && k > 0)
            slip = fmaxf(slip, glms_vec3_distance(sole, stood[i]));
        }
        stood[i] = sole;
      }
    }
  }
  printf("  slip %.5f mm a step, %.5f mm off the ground, %.4f deg off its normal\n", 1e3 * (double)slip,
         1e3 * (double)gap, tilt / DEG);
  assert_true(slip <= 0.001f && gap <= 0.01f && tilt <= 1 * DEG);
}

static void highest_in_the_middle_of_a_step(void **state) {
  (void)state;
  Walk *walk = big_walk("keep_up: 0");
  int apexes = 0;
  for (int k = 0; k < 4800; k++) {
    walk_on(walk, DT, 0, 1, 0);
    for (int i = 0; i < 4; i++) {
      const StepperFoot *foot = &walk->stepper.feet[i];
      if (!foot->stepping || foot->progress == 0)
        assert_true(fabs(foot->lift) <= 1e-6);
      if (foot->stepping && fabs(foot->progress - 0.5) < 1e-6) {
        assert_true(fabs(foot->lift - 0.5) <= 0.005);
        apexes++;
      }
      assert_true(foot->lift <= 0.5 + 1e-9);
    }
  }
  assert_true(apexes >= 10);
}

static void landing_under_acceleration(void **state) {
  (void)state;
  double worst = 0, moved = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    Walk *walk = big_walk("");
    double v = 2.5 - 1.5 * sign, first[4] = {0};
    walk_for(walk, 6, 0, v, 0);
    for (int k = 0; k < 330; k++) {
      StepperFoot before[4];
      memcpy(before, walk->stepper.feet, sizeof before);
      v += 2 * sign * DT;
      walk_on(walk, DT, 0, v, 0);
      for (int i = 0; i < 4; i++) {
        const StepperFoot *foot = &walk->stepper.feet[i];
        double left, forward;
        body_offset(walk, i, &left, &forward);
        if (foot->stepping && !before[i].stepping)
          first[i] = foot->landing[2];
        if (foot->stepping || !before[i].stepping)
          continue;
        worst = fmax(worst, hypot(left, forward - 1));
        moved = fmax(moved, first[i] != 0 ? fabs(foot->place[2] - first[i]) : 0);
      }
    }
  }
  printf("  landings %.3f mm off at +-2 m/s^2; they moved by up to %.0f mm in a step\n", 1e3 * worst, 1e3 * moved);
  assert_true(worst <= 0.02);
}

// Feet placed about the root by an angle each, nothing else moves.
static double sway_of(const double *angles) {
  static Walk walk;
  walk_init(&walk, make_walker(2), FLAT, "{sway_limit: 90, settle: 1}");
  for (int i = 0; i < 2; i++) {
    const double *rest = walk.stepper.stance.legs[i].reference;
    double s = sin(angles[i]), c = cos(angles[i]), *place = walk.stepper.feet[i].place;
    place[0] = c * rest[0] + s * rest[1];
    place[2] = c * rest[1] - s * rest[0];
  }
  walk_on(&walk, DT, 0, 0, 0);
  return walk.stepper.sway[0].goal;
}

static void sway_is_the_mean_angle(void **state) {
  (void)state;
  assert_true(fabs(sway_of((double[]){10 * DEG, 10 * DEG}) - 10 * DEG) < 1e-9);
  assert_true(fabs(sway_of((double[]){10 * DEG, -10 * DEG})) < 1e-9);
  assert_true(fabs(fabs(stepper_mean_angle((double[]){179 * DEG, -179 * DEG}, 2)) - 180 * DEG) < 1e-9);
  assert_true(fabs(stepper_mean_angle((double[]){170 * DEG, -150 * DEG}, 2) + 170 * DEG) < 1e-9);
  assert_true(stepper_mean_angle((double[]){0, M_PI}, 2) == 0);
  assert_true(stepper_mean_angle(NULL, 0) == 0);
}

static void bob_is_the_mean_height(void **state) {
  (void)state;
  static Walk walk;
  walk_init(&walk, make_walker(4), FLAT, "{bob: 1}");
  double highest = 0;
  for (int k = 0; k < 2400; k++) {
    walk_on(&walk, DT, 0.02, 0.2, 0.1);
    double mean = 0;
    for (int i = 0; i < 4; i++)
      mean += (walk.stepper.feet[i].place[1] + walk.stepper.feet[i].lift) / 4;
    assert_true(fabs(walk.stepper.bob.goal - mean) <= 1e-6);
    highest = fmax(highest, mean);
  }
  assert_true(highest > 0.005);
  double worst = 0;
  walk_init(&walk, make_walker(4), (TestGround){.pitch = 15 * DEG}, "{bob: 0}");
  for (int k = 0; k < 2400; k++) {
    walk_on(&walk, DT, 0, 0.2, 0);
    worst = fmax(worst, fabs(walk.stepper.bob.value));
  }
  printf("  standing feet only, 15 deg: bob %.3f mm, lean %.2f deg\n", 1e3 * worst, -walk.stepper.lean[0].value / DEG);
  assert_true(worst <= 0.01);
  assert_true(fabs(walk.stepper.lean[0].value + 15 * DEG) < 0.2 * DEG);
}

static void any_number_of_legs(void **state) {
  (void)state;
  static const int groups[][8] = {{0, 1}, {0, 1, 1, 0}, {0, 1, 1, 0, 0, 1}, {0, 1, 1, 0, 0, 1, 1, 0}};
  static Walk walk;
  for (int legs = 2; legs <= 8; legs += 2) {
    walk_init(&walk, make_walker(legs), FLAT, "");
    assert_int_equal(walk.def.group_count, 2);
    for (int i = 0; i < legs; i++)
      assert_int_equal(walk.def.legs[i].group, groups[legs / 2 - 1][i]);
    walk_for(&walk, 10, 0, 4 * walk.stepper.stance.unit, 0);
    assert_true(walk.stepper.steps > 10 * legs);
    assert_int_equal(walk.stepper.escapes, 0);
  }
}

static float largest_turn(const Pose *a, const Pose *b) {
  float largest = 0;
  for (int i = 0; i < a->count; i++)
    largest = fmaxf(largest, quat_angle_between(a->rotation[i], b->rotation[i]));
  return largest;
}

// A step of 1/60 s of the layer list: the layer's pose and the clip's, blended. `layer` is left as it was while the
// weight is 0. The clip crouches and spreads the legs.
static void blended_step(Walk *walk, double weight, bool begins, Pose *clip, Pose *layer) {
  place_bind(walk);
  walk->pose.position[0].y -= 0.02f;
  for (int i = 0; i < walk->def.count; i++)
    walk->pose.rotation[walk->def.legs[i].leg.hip] = quat_exp((vec3s){{0.1f, 0, i % 2 ? 0.35f : -0.35f}});
  *clip = walk->pose;
  if (!(weight > 0))
    return;
  if (begins)
    stepper_init(&walk->def, &walk->stepper, &walk->step);
  stepper_apply(&walk->def, &walk->stepper, &walk->step);
  *layer = walk->pose;
  pose_blend(clip, layer, (float)weight, NULL, &walk->pose);
}

// The clip takes over for a second, moves the root by 0.17 m, and ends; the body stands before, walks after.
static void takeover_by_a_clip(void **state) {
  (void)state;
  static Walk walk;
  walk_init(&walk, make_walker(4), FLAT, "");
  Pose last = walk.pose, layer = walk.pose, layer_before, clip;
  double worst = 0, beyond = 0, weight = 1, begun = 0;
  for (int k = 0; k < 360; k++) {
    double t = k / 60.0, before = weight;
    weight = t < 1.5 ? smooth_step(1.5 - t) : smooth_step(t - 2.5);
    double speed = t > 1.5 && t < 2.5 ? 0.27 * sin(M_PI * (t - 1.5)) : t > 4 ? 0.2 * fmin(t - 4, 1) : 0;
    walk.step.dt = 1.0 / 60;
    walk.step.root_velocity[2] = speed;
    walk.step.root_position[2] += speed * walk.step.dt;
    layer_before = layer;
    bool begins = weight > 0 && !(before > 0);
    blended_step(&walk, weight, begins, &clip, &layer);
    if (begins)
      begun = (double)largest_turn(&layer, &clip);
    bool steps = false;
    for (int i = 0; i < 4; i++)
      steps = steps || walk.stepper.feet[i].stepping;
    double turned = (double)largest_turn(&walk.pose, &last);
    // The legs' own steps are faster; beyond them the blend adds nothing.
    if (weight > 0 && !begins)
      beyond = fmax(beyond, turned - (double)largest_turn(&layer, &layer_before));
    if (k > 0 && t < 4 && !steps)
      worst = fmax(worst, turned);
    last = walk.pose;
  }
  printf("  joints turn by at most %.2f deg in 1/60 s, %.2f deg more than in steps; the layer begins %.1f deg "
         "off the clip\n",
         worst / DEG, beyond / DEG, begun / DEG);
  assert_true(walk.stepper.steps > 8);
  assert_true(worst <= 1 * DEG && beyond <= 1 * DEG);
}

// ---- Its file ----

static void expect_error(const char *yaml, const char *text) {
  StepperDef def;
  Error error = {0};
  Skeleton skeleton = make_sprawler(4, 1);
  assert_false(read_stepper(&def, &skeleton, yaml, &error));
  if (!strstr(error.text, text))
    fail_msg("'%s' is not in '%s'", text, error.text);
}

static void test_errors(void **state) {
  (void)state;
  expect_error("groups: []", "walker.yaml:1:9: expected 1 to 8 groups of legs");
  expect_error("groups: [front_l]", "expected a group of legs");
  expect_error("groups: [[front_l, frnt_r]]", "did you mean 'front_r'?");
  expect_error("groups: [[frnt_r]]", "did you mean 'front_r'?");
  expect_error("groups: [[front_l], [front_l]]", "'front_l' is in a group already");
  expect_error("spine: [chst]", "did you mean 'chest'?");
  expect_error("spine: [chest, chest]", "does not lie behind");
  expect_error("spine: [shin_front_l]", "'shin_front_l' is not on the way from the hind legs to the front legs");
  expect_error("spine: chest", "expected up to 8 joints");
  expect_error("height: [[0, 0], [1, 1]]", "must begin with [0, 0] and end with [1, 0]");
  expect_error("offset: [[0, 0]]", "y of the curve is 0");
  expect_error("knee: round", "knee");
  expect_error("step_time: -1", "step_time");
  expect_error("step_time: 0.05", "walker.yaml:1:12: step_time_min is 0.06 s, more than step_time, 0.05 s");
  expect_error("step_time_min: 0.3", "walker.yaml:1:16: step_time_min is 0.3 s, more than step_time, 0.25 s");
  Skeleton none = make_sprawler(4, 1);
  none.leg_count = 0;
  StepperDef def;
  Error error = {0};
  assert_false(read_stepper(&def, &none, "", &error));
  assert_non_null(strstr(error.text, "has no legs"));
}

static void test_knees(void **state) {
  (void)state;
  StepperDef def;
  Skeleton biped = make_biped(), sprawler = make_sprawler(4, 1);
  read_or_fail(&def, &biped, "");
  assert_true(def.legs[0].hinge && def.legs[1].hinge);
  read_or_fail(&def, &biped, "knee: free");
  assert_false(def.legs[0].hinge);
  assert_true(def.bind.legs[0].pole_p.z > 0.9f); // forward
  read_or_fail(&def, &sprawler, "");
  for (int i = 0; i < 4; i++) {
    assert_false(def.legs[i].hinge);
    const StepperRestLeg *rest = &def.bind.legs[i];
    assert_true(rest->pole_p.y > 0.5f && rest->pole_p.x * (float)rest->reference[0] > 0);
  }
}

// Stands for 3 s in a pose with the thighs turned, given in the root's frame.
static void stand_in(Walk *walk, const Pose *pose_m) {
  for (int k = 0; k < 180; k++) {
    walk->step.dt = 1.0 / 60;
    walk->pose = *pose_m;
    stepper_apply(&walk->def, &walk->stepper, &walk->step);
  }
}

// Legs that are spread in the first animation stand and stay there; the animation at a restart of the layer, and the
// bind pose, do not matter.
static void test_stands_as_it_starts(void **state) {
  (void)state;
  static Walk walk;
  for (int bind = 0; bind < 2; bind++) {
    walk_init(&walk, make_sprawler(8, 1), FLAT, bind ? "rest: bind" : "");
    Pose spread = walk.pose, other = walk.pose;
    for (int i = 0; i < 8; i++) {
      const Leg *leg = &walk.skeleton.legs[i];
      int pair = i / 2;
      float side = i % 2 ? -1 : 1, fan = 0.5f - 0.33f * (float)pair;
      spread.rotation[leg->hip] = quat_exp((vec3s){{0, -side * fan, 0}});
      spread.rotation[leg->ankle] = quat_exp((vec3s){{0, side * fan, 0}});
      other.rotation[leg->hip] = quat_exp((vec3s){{0, 0.3f, 0}});
    }
    walk.step.animation_m = walk.step.pose_w = &spread;
    walk.stepper = (Stepper){0};
    stepper_init(&walk.def, &walk.stepper, &walk.step);
    ModelPose model;
    pose_to_model(&walk.skeleton, bind ? &walk.pose : &spread, &model);
    for (int again = 0; again < 2; again++) {
      for (int i = 0; i < 8; i++) {
        vec3s ankle = model.position[walk.skeleton.legs[i].ankle];
        const double *reference = walk.stepper.stance.legs[i].reference;
        assert_true(fabs(reference[0] - (double)ankle.x) < 1e-6 && fabs(reference[1] - (double)ankle.z) < 1e-6);
      }
      walk.step.animation_m = &other;
      stepper_init(&walk.def, &walk.stepper, &walk.step);
    }
    walk.step.pose_w = &walk.pose;
    stand_in(&walk, &spread);
    assert_int_equal(walk.stepper.steps > 0, bind);
    if (!bind)
      assert_true(largest_turn(&walk.pose, &spread) < 1e-3f);
  }
}

// A unit follows the size of the body.
static void test_any_size(void **state) {
  (void)state;
  StepperDef small, large;
  Skeleton mouse = make_sprawler(4, 0.1f), dragon = make_sprawler(4, 30);
  read_or_fail(&small, &mouse, "");
  read_or_fail(&large, &dragon, "");
  assert_true(fabs(large.bind.unit / small.bind.unit - 300) < 0.1);
  static Walk walk;
  walk_init(&walk, dragon, FLAT, "");
  walk_for(&walk, 10, 0, 6 * walk.stepper.stance.unit, 0);
  assert_true(walk.stepper.steps > 30 && walk.stepper.escapes == 0);
}

// ---- Disturbances ----

static void test_edge_of_the_ground(void **state) {
  (void)state;
  static Walk walk;
  long refusals = 0;
  for (int n = 0; n < 10; n++) { // the edge meets different phases of the gait
    double edge = 1 + 0.01 * n;
    walk_init(&walk, make_walker(4), (TestGround){.edge = edge}, "");
    while (walk.step.root_position[2] + walk.stepper.stance.legs[0].reference[1] < edge - 0.01) {
      walk_on(&walk, DT, 0, 0.2, 0);
      for (int i = 0; i < 4; i++)
        if (!walk.stepper.feet[i].stepping)
          assert_true(walk.stepper.feet[i].place[2] <= edge);
    }
    walk_for(&walk, 3, 0, 0, 0);
    refusals += walk.stepper.refusals;
    walk_for(&walk, 10, 0, 0.2, 0); // and on over the void
    for (int i = 0; i < 4; i++)
      assert_true(fabs(walk.stepper.feet[i].place[1]) < 1e-9);
  }
  assert_true(refusals > 0);
}

// Each stance that begins elsewhere than planned is reported once, with its reason, which stays while the foot stands.
static void test_refused_stances_are_reported(void **state) {
  (void)state;
  static const struct {
    TestGround shape;
    FootRefusal reason;
  } grounds[] = {{{.edge = 0.35}, FOOT_NO_GROUND}, {{.pitch = 0.1}, FOOT_TOO_STEEP}, {{.pitch = 0}, FOOT_NOT_REFUSED}};
  for (int n = 0; n < 3; n++) {
    static Walk walk;
    FootPlan plans[SKELETON_MAX_LEGS] = {{0}};
    long told = 0;
    walk_init(&walk, make_walker(4), grounds[n].shape, n == 1 ? "steepest: 5" : "");
    walk.step.plans = plans;
    for (int i = 0; i < 600; i++) {
      bool stood[SKELETON_MAX_LEGS];
      for (int k = 0; k < 4; k++)
        stood[k] = plans[k].standing;
      walk_on(&walk, DT, 0, i < 500 ? 0.2 : 0, 0);
      for (int k = 0; k < 4; k++) {
        told += plans[k].refused_now;
        assert_true(!plans[k].refused_now || (plans[k].standing && !stood[k]));
        assert_true(plans[k].refusal == FOOT_NOT_REFUSED || plans[k].refusal == grounds[n].reason);
      }
    }
    assert_true(told == walk.stepper.refusals && (told > 0) == (n < 2));
    walk.step.dt = 0; // the same again is not new
    place_bind(&walk);
    stepper_layer.apply(&walk.def, &walk.stepper, &walk.step);
    for (int k = 0; k < 4; k++)
      assert_false(plans[k].refused_now);
  }
}

static void test_stands_and_settles(void **state) {
  (void)state;
  static Walk walk;
  walk_init(&walk, make_walker(4), FLAT, "");
  walk_for(&walk, 2, 0, 0, 0);
  assert_int_equal(walk.stepper.steps, 0);
  Pose bind = pose_bind(&walk.skeleton);
  for (int i = 0; i < bind.count; i++) // standing in its bind pose changes nothing
    assert_true(quat_angle_between(walk.pose.rotation[i], bind.rotation[i]) < 1e-3f);
  walk_for(&walk, 3.3, 0.1, 0.2, 0.2);
  walk_for(&walk, 2, 0, 0, 0);
  long steps = walk.stepper.steps;
  for (int i = 0; i < 4; i++)
    assert_true(walk.stepper.feet[i].distance <= walk.def.settle * walk.stepper.feet[i].allowed);
  walk_for(&walk, 5, 0, 0, 0);
  assert_int_equal(walk.stepper.steps, steps);
}

static void test_same_again(void **state) {
  (void)state;
  static Walk walk, other;
  walk_init(&walk, make_walker(6), (TestGround){.rough = 0.01}, "");
  walk_init(&other, make_walker(6), (TestGround){.rough = 0.01}, "");
  for (int k = 0; k < 1000; k++) {
    walk_on(&walk, DT, 0.05, 0.15, 0.3);
    walk_on(&other, DT, 0.05, 0.15, 0.3);
    assert_memory_equal(&walk.stepper, &other.stepper, sizeof walk.stepper);
    if (k % 100 != 0)
      continue;
    Pose first = other.pose;
    walk_on(&other, 0, 0.05, 0.15, 0.3); // no time: the same state again
    assert_memory_equal(&first.rotation, &other.pose.rotation, sizeof first.rotation[0] * (size_t)first.count);
    assert_memory_equal(&walk.stepper.bob, &other.stepper.bob, sizeof walk.stepper.bob);
  }
}

static void test_teleport(void **state) {
  (void)state;
  static Walk walk;
  walk_init(&walk, make_walker(4), FLAT, "");
  walk_for(&walk, 3, 0, 0.2, 0);
  walk.step.root_position[0] += 50;
  walk.step.heading = 2;
  walk.step.teleported = true;
  walk_on(&walk, DT, 0, 0, 0);
  assert_int_equal(walk.stepper.steps, 0);
  assert_int_equal(count_planted(&walk), 4);
  for (int i = 0; i < 4; i++) // floats, 50 m away
    assert_true(walk.stepper.feet[i].distance < 1e-4 && fabs(walk.stepper.feet[i].angle) < 1e-4);
}

static void test_layer(void **state) {
  (void)state;
  static Walk walk;
  static DebugDraw draw;
  walk_init(&walk, make_walker(4), FLAT, "");
  walk_for(&walk, 3, 0, 0.2, 0);
  const LayerKind *kind = &stepper_layer;
  assert_int_equal(kind->rows(&walk.def), 4);
  assert_string_equal(kind->row_name(&walk.def, &walk.skeleton, 3), "hind_r");
  for (int channel = 0; channel < kind->channel_count; channel++) {
    float values[4];
    kind->record(&walk.def, &walk.stepper, channel, values);
    for (int i = 0; i < 4; i++) {
      const StepperFoot *foot = &walk.stepper.feet[i];
      const double wanted[] = {foot->distance, foot->stepping ? 0 : 1, foot->progress, foot->escaped,
                               (double)foot->missing};
      assert_true(fabs((double)values[i] - wanted[channel]) < 1e-6);
    }
  }
  kind->debug(&walk.def, &walk.stepper, &walk.step, &draw);
  assert_true(draw.count >= 4 * 26);
  for (int i = 0; i < draw.count; i++)
    assert_int_equal(draw.items[i].group, DEBUG_FEET);
  kind->debug(&walk.def, &walk.stepper, &walk.step, NULL);
}

// The front moves to the side to which its feet point, the hind end to the other.
static void test_spine(void **state) {
  (void)state;
  static Walk walk;
  walk_init(&walk, make_walker(4), FLAT, "spine: [chest]");
  double most[2] = {0, 0};
  for (int k = 0; k < 2400; k++) {
    walk_on(&walk, DT, 0, 0.2, 0);
    for (int i = 0; i < 2; i++) { // trunk, chest
      vec3s front = glms_quat_rotatev(walk.shown.rotation[i], (vec3s){{0, 0, 1}});
      double yaw = atan2((double)front.x, (double)front.z);
      most[i] = fmax(most[i], fabs(yaw));
      if (fabs(walk.stepper.bend.value) > 3 * DEG)
        assert_true((yaw > 0) == (i == 1 ? walk.stepper.bend.value > 0 : walk.stepper.bend.value < 0));
    }
  }
  assert_true(most[0] > 2 * DEG && most[1] > 2 * DEG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allowed_offset),
      cmocka_unit_test(strides_over_the_body),
      cmocka_unit_test(groups_take_turns),
      cmocka_unit_test(feet_escape_in_time),
      cmocka_unit_test(standing_feet_stay_on_the_ground),
      cmocka_unit_test(highest_in_the_middle_of_a_step),
      cmocka_unit_test(landing_under_acceleration),
      cmocka_unit_test(sway_is_the_mean_angle),
      cmocka_unit_test(bob_is_the_mean_height),
      cmocka_unit_test(any_number_of_legs),
      cmocka_unit_test(takeover_by_a_clip),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_knees),
      cmocka_unit_test(test_stands_as_it_starts),
      cmocka_unit_test(test_any_size),
      cmocka_unit_test(test_edge_of_the_ground),
      cmocka_unit_test(test_refused_stances_are_reported),
      cmocka_unit_test(test_stands_and_settles),
      cmocka_unit_test(test_same_again),
      cmocka_unit_test(test_teleport),
      cmocka_unit_test(test_layer),
      cmocka_unit_test(test_spine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
