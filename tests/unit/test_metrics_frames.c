// Metrics of feet and poses from synthetic frames whose slips and jumps are known.
#include "tests/unit/metrics_run.h"

#include <stdlib.h>

typedef struct Film {
  Metrics *metrics;
  MetricsFrame frame;
  float rotation[3][2][4];
  int count;
} Film;

static void film_start(Film *film) {
  memset(film, 0, sizeof *film);
  film->metrics = metrics_create(50);
  assert_non_null(film->metrics);
  film->frame.joint_count = 2;
  film->frame.foot_count = 1;
  for (int pose = 0; pose < 3; ++pose)
    for (int joint = 0; joint < 2; ++joint)
      film->rotation[pose][joint][3] = 1;
}

static void film_frame(Film *film) {
  for (int pose = 0; pose < 3; ++pose)
    film->frame.rotation[pose] = (const float(*)[4])film->rotation[pose];
  film->frame.time = film->count++ / 64.0;
  metrics_frame(film->metrics, &film->frame);
}

static void film_stance(Film *film, MetricsFoot *foot, const double x[], int count) {
  for (int i = 0; i < count; ++i) {
    foot->planted = true;
    foot->sole[0] = x[i];
    film_frame(film);
  }
  foot->planted = false;
  film_frame(film);
}

static void test_foot_slip(void **state) {
  (void)state;
  // The first two frames and the last do not count, nor does height; the farthest point of a motion counts.
  static const double sliding[] = {9, 8, 1, 1.02, 1.05, 1.01, 7}, still[] = {5, 5, 2, 2.01, 5}, brief[] = {0, 1, 2};
  static const double shortest[] = {0, 1, 2, 3}; // its third frame is the only one that counts
  Film film;
  film_start(&film);
  MetricsFoot *foot = &film.frame.measured_feet[0];
  film_stance(&film, foot, sliding, 7);
  film_stance(&film, foot, still, 5);
  film_stance(&film, foot, brief, 3); // too short to be decided
  film_stance(&film, foot, shortest, 4);
  metrics_finish(film.metrics);
  assert_near(value(film.metrics, "foot_slip_max"), 0.05, TINY);
  assert_near(value(film.metrics, "foot_slip_mean"), (0.05 + 0.01 + 0) / 3, TINY);
  assert_true(isnan(value(film.metrics, "output_foot_slip_max")));
  metrics_destroy(film.metrics);

  // A stance that lasts to the end counts; horizontal means x and z.
  film_start(&film);
  foot = &film.frame.output_feet[0];
  foot->planted = true;
  for (int i = 0; i < 10; ++i) {
    foot->sole[0] = 0.003 * (i > 5);
    foot->sole[1] = 0.1 * i;
    foot->sole[2] = 7 + 0.004 * (i > 5);
    film_frame(&film);
  }
  metrics_finish(film.metrics);
  assert_near(value(film.metrics, "output_foot_slip_max"), 0.005, TINY);
  assert_near(value(film.metrics, "output_foot_slip_mean"), 0.005, TINY);
  assert_true(isnan(value(film.metrics, "foot_slip_mean")));
  metrics_destroy(film.metrics);
}

static void test_skating(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  MetricsFoot *foot = &film.frame.measured_feet[0];
  foot->sole[0] = 3;
  film_frame(&film);
  foot->sole[2] = 0.2 / 64; // just slow enough
  film_frame(&film);
  film.count--; // a second frame of the same time tells nothing of speeds
  film_frame(&film);
  for (int i = 0; i < 20; ++i) {
    if (i < 5)
      foot->sole[2] += 0.21 / 64; // skates
    else if (i < 10)
      foot->sole[2] += 0.19 / 64; // slow enough
    else if (i < 15)
      foot->sole[2] += 2.0 / 64; // fast with the toe up
    foot->toe_clearance = i >= 10 && i < 15 ? 0.05 : 0.049;
    film_frame(&film);
  }
  assert_near(value(film.metrics, "skate_ratio"), 100 * 5 / 21.0, TINY);
  assert_near(value(film.metrics, "output_skate_ratio"), 0, 0);
  metrics_destroy(film.metrics);

  // The frame of landing, low now but not before, belongs to the swing.
  film_start(&film);
  foot = &film.frame.output_feet[0];
  foot->heel_clearance = 0.1;
  film_frame(&film);
  foot->heel_clearance = 0;
  foot->sole[0] = 0.5;
  film_frame(&film);
  assert_near(value(film.metrics, "output_skate_ratio"), 0, 0);
  metrics_destroy(film.metrics);
}

static void test_soles(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  film.frame.foot_count = 2;
  MetricsFoot *foot = &film.frame.output_feet[1];
  foot->depth = foot->lift = foot->gap = 0.5; // does not stand: does not count
  foot->angle_error = 1;
  film_frame(&film);
  assert_true(isnan(value(film.metrics, "foot_penetration_max")));
  assert_true(isnan(value(film.metrics, "foot_float_max")));
  foot->standing = foot->planted = true;
  foot->depth = 0.004, foot->lift = 0, foot->gap = 0.001;
  foot->angle_error = RADIANS(3);
  film_frame(&film);
  foot->depth = 0, foot->gap = 0.006;
  foot->angle_error = RADIANS(4);
  film_frame(&film);
  foot->gap = 0.001;
  foot->angle_error = RADIANS(5);
  film_frame(&film);
  assert_near(value(film.metrics, "foot_penetration_max"), 0.004, TINY);
  assert_near(value(film.metrics, "foot_float_max"), 0.006, TINY);
  assert_near(value(film.metrics, "foot_angle_error_rms"), sqrt(50 / 3.0), TINY);
  metrics_destroy(film.metrics);

  // A sole that floats throughout penetrates by 0; it never lies flat, so that its stance counts when it is over.
  film_start(&film);
  film.frame.output_feet[0] = (MetricsFoot){.standing = true, .planted = true, .lift = 0.01, .gap = 0.02};
  film_frame(&film);
  assert_near(value(film.metrics, "foot_penetration_max"), 0, 0);
  assert_near(value(film.metrics, "foot_float_max"), 0.01, TINY);
  film.frame.output_feet[0].planted = false;
  film_frame(&film);
  assert_near(value(film.metrics, "foot_float_max"), 0.02, TINY);
  metrics_destroy(film.metrics);
}

// Gaps under a foot that stands throughout, in mm, frame by frame; the animation has its heel up in the frames with
// negative gaps. Returns the float so far, mm, and after finish too.
static double float_of(const int gaps[], int count, double *finished) {
  Film film;
  film_start(&film);
  MetricsFoot *foot = &film.frame.measured_feet[0];
  MetricsPlan *plan = &film.frame.plans[0];
  plan->known = foot->standing = true;
  for (int i = 0; i < count; ++i) {
    foot->gap = abs(gaps[i]) / 1000.0;
    plan->heel = gaps[i] < 0 ? 0.004 : 0.002;
    film_frame(&film);
  }
  double floats = 1000 * value(film.metrics, "body_foot_float_max");
  metrics_finish(film.metrics);
  *finished = 1000 * value(film.metrics, "body_foot_float_max");
  metrics_destroy(film.metrics);
  return floats;
}

static void test_rolling_is_no_float(void **state) {
  (void)state;
  double finished;
  // Heel strike, flat, and early off the heel: nothing while the animation is flat, nor while it rolls itself.
  static const int stride[] = {40, 20, 4, 1, 3, 15, 30, -50, -90};
  assert_near(float_of(stride, 9, &finished), 4, TINY);
  assert_near(finished, 4, TINY);
  // A foot that comes down again has not rolled off.
  static const int rocks[] = {30, 4, 0, 12, 18, 2, 30, -50};
  assert_near(float_of(rocks, 8, &finished), 18, TINY);
  // A foot that never comes down floats all the time.
  static const int tiptoe[] = {30, 20, 25, -40};
  assert_near(float_of(tiptoe, 4, &finished), 30, TINY);
  assert_near(float_of(tiptoe, 3, &finished), 0, TINY); // not over yet: it may still come down
  assert_near(finished, 0, TINY);
  // 5 mm are down.
  static const int least[] = {5, 9, -50};
  assert_near(float_of(least, 3, &finished), 5, TINY);
  // No roll is a quarter of a second, 16 frames here, ahead of the animation.
  int hangs[20] = {0};
  for (int i = 2; i < 18; ++i)
    hangs[i] = 9;
  assert_near(float_of(hangs, 18, &finished), 0, TINY);
  hangs[18] = 9;
  assert_near(float_of(hangs, 19, &finished), 9, TINY);
  int never[20];
  for (int i = 0; i < 20; ++i)
    never[i] = 7;
  assert_near(float_of(never, 20, &finished), 0, TINY);
  assert_near(finished, 7, TINY);
  assert_near(float_of(never, 17, &finished), 0, TINY);
  assert_near(finished, 0, TINY);
}

// A body whose contact flickers has one flat phase nevertheless.
static void test_flicker_does_not_end_a_flat_phase(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  MetricsFoot *foot = &film.frame.measured_feet[0];
  film.frame.plans[0].known = foot->standing = true;
  film_frame(&film);
  foot->standing = false;
  film_frame(&film);
  foot->standing = true;
  foot->gap = 0.03;
  film_frame(&film);
  film.frame.plans[0].heel = 0.01;
  film_frame(&film);
  assert_near(value(film.metrics, "body_foot_float_max"), 0, 0);
  metrics_destroy(film.metrics);
}

// A sole without any ground contact floats even while it rolls; in the air with the animation it does not.
static void test_lifted_soles_float(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  MetricsFoot *foot = &film.frame.output_feet[0];
  MetricsPlan *plan = &film.frame.plans[0];
  *foot = (MetricsFoot){.standing = true, .lift = 0.05, .gap = 0.2};
  *plan = (MetricsPlan){.known = true, .heel = 0.1, .toe = 0.003};
  film_frame(&film);
  assert_near(value(film.metrics, "foot_float_max"), 0, 0);
  plan->toe = 0.002;
  film_frame(&film);
  assert_near(value(film.metrics, "foot_float_max"), 0.05, TINY);
  foot->lift = 0.06; // the other end
  plan->heel = 0.002, plan->toe = 0.1;
  film_frame(&film);
  assert_near(value(film.metrics, "foot_float_max"), 0.06, TINY);
  metrics_destroy(film.metrics);
}

// An animation whose heel is up by 3 mm is not flat.
static void test_lifted_heels_are_not_flat(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  film.frame.output_feet[0] = (MetricsFoot){.standing = true, .gap = 0.02};
  film.frame.plans[0] = (MetricsPlan){.known = true, .heel = 0.003};
  for (int i = 0; i < 40; ++i)
    film_frame(&film);
  film.frame.plans[0].heel = 0.1;
  film_frame(&film);
  assert_near(value(film.metrics, "foot_float_max"), 0, 0);
  metrics_destroy(film.metrics);
}

static void test_knee_pop(void **state) {
  (void)state;
  Film film;
  film_start(&film);
  film.frame.foot_count = 2;
  double *knee = &film.frame.output_feet[0].knee_angle;
  *knee = 0.5;
  film_frame(&film);
  *knee = 0.6;
  film_frame(&film);
  assert_true(isnan(value(film.metrics, "knee_pop_max")));
  *knee = 0.7; // steady
  film_frame(&film);
  assert_near(value(film.metrics, "knee_pop_max"), 0, 1e-6);
  *knee = 0.8 - RADIANS(1); // 1 deg behind in 1/64 s
  film_frame(&film);
  assert_near(value(film.metrics, "knee_pop_max"), 64 * 64, 1e-6);
  *knee += 0.1 - RADIANS(1); // at the new speed
  film_frame(&film);
  assert_near(value(film.metrics, "knee_pop_max"), 64 * 64, 1e-6);
  // A second frame of the same time, as after a cut, begins anew.
  *knee = 0;
  film.count--;
  film_frame(&film);
  *knee = 0.5;
  film_frame(&film);
  assert_near(value(film.metrics, "knee_pop_max"), 64 * 64, 1e-6);
  *knee = 1;
  film_frame(&film);
  assert_near(value(film.metrics, "knee_pop_max"), 64 * 64, 1e-6);
  metrics_destroy(film.metrics);
}

// The angle between any two rotations, small or large, about any axis, of quaternions of any length and sign.
static void test_angles_between_rotations(void **state) {
  (void)state;
  static const double degrees[] = {0.01, 1, 5, 11, 12, 40, 90, 170};
  static const double base[4] = {0.3, -0.5, 0.6, 0.55}, axes[3][3] = {{1, 0, 0}, {0.6, 0, 0.8}, {-0.48, 0.6, 0.64}};
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k) {
      const double half = RADIANS(degrees[i]) / 2, size = k == 1 ? -0.7 : 1.3;
      const double t[4] = {sin(half) * axes[k][0], sin(half) * axes[k][1], sin(half) * axes[k][2], cos(half)};
      const double *b = base;
      const double turned[4] = {
          b[3] * t[0] + b[0] * t[3] + b[1] * t[2] - b[2] * t[1], b[3] * t[1] - b[0] * t[2] + b[1] * t[3] + b[2] * t[0],
          b[3] * t[2] + b[0] * t[1] - b[1] * t[0] + b[2] * t[3], b[3] * t[3] - b[0] * t[0] - b[1] * t[1] - b[2] * t[2]};
      float rotation[2][1][4], position[2][1][3] = {{{1, 2, 3}}, {{1.1F, 2.2F, 2.8F}}};
      for (int c = 0; c < 4; ++c) {
        rotation[0][0][c] = (float)b[c];
        rotation[1][0][c] = (float)(size * turned[c]);
      }
      Film film;
      film_start(&film);
      film.frame.part_count = 1;
      for (int pose = 0; pose < 2; ++pose) {
        film.frame.part_position[pose] = (const float(*)[3])position[pose];
        film.frame.part_rotation[pose] = (const float(*)[4])rotation[pose];
      }
      film_frame(&film);
      assert_near(value(film.metrics, "shown_error_max_angle"), degrees[i], 3e-5);
      assert_near(value(film.metrics, "shown_error_max_distance"), 0.3, 1e-6);
      metrics_destroy(film.metrics);
    }
}

static void turn_joint(Film *film, int pose, int joint, double degrees) {
  const double half = RADIANS(degrees) / 2;
  float *q = film->rotation[pose][joint];
  q[0] = 0, q[1] = (float)sin(half), q[2] = 0, q[3] = (float)cos(half);
}

static void test_output_jumps(void **state) {
  (void)state;
  enum { TARGET, MEASURED, OUTPUT };
  Film film;
  film_start(&film);
  film_frame(&film);
  assert_true(isnan(value(film.metrics, "output_jump_max_angle")));

  // Motion with the target, with the measured pose, or less is no jump.
  turn_joint(&film, TARGET, 1, 30);
  turn_joint(&film, OUTPUT, 1, 30);
  film.frame.root_position[MEASURED][2] = film.frame.root_position[OUTPUT][2] = 1;
  film_frame(&film);
  film.frame.root_position[TARGET][0] = 2;
  film.frame.root_position[OUTPUT][0] = 1;
  for (int i = 0; i < 4; ++i) // the same rotation with the other sign
    film.rotation[OUTPUT][1][i] = -film.rotation[OUTPUT][1][i];
  film_frame(&film);
  assert_near(value(film.metrics, "output_jump_max_angle"), 0, 1e-4);
  assert_near(value(film.metrics, "output_jump_max_distance"), 0, TINY);

  // Another joint's motion does not count: 7 deg beyond the 5 deg that its own target turned.
  turn_joint(&film, MEASURED, 0, 90);
  turn_joint(&film, TARGET, 1, 25);
  turn_joint(&film, OUTPUT, 1, 18);
  film.frame.root_position[TARGET][1] = 0.5F;
  film.frame.root_position[MEASURED][1] = -0.25F;
  film.frame.root_position[OUTPUT][1] = 0.75F;
  film_frame(&film);
  assert_near(value(film.metrics, "output_jump_max_angle"), 7, 1e-4);
  assert_near(value(film.metrics, "output_jump_max_distance"), 0.25, TINY);
  film_frame(&film);
  assert_near(value(film.metrics, "output_jump_max_angle"), 7, 1e-4);
  assert_near(value(film.metrics, "output_jump_max_distance"), 0.25, TINY);
  turn_joint(&film, OUTPUT, 0, 8); // the root counts, too
  film_frame(&film);
  assert_near(value(film.metrics, "output_jump_max_angle"), 8, 1e-4);
  // Another number of joints is another body: nothing is compared.
  film.frame.joint_count = 1;
  film.frame.root_position[OUTPUT][1] = 9;
  turn_joint(&film, OUTPUT, 0, 60);
  film_frame(&film);
  assert_near(value(film.metrics, "output_jump_max_angle"), 8, 1e-4);
  assert_near(value(film.metrics, "output_jump_max_distance"), 0.25, TINY);
  metrics_destroy(film.metrics);
}

static void test_target_jumps(void **state) {
  (void)state;
  // Joint 1 of the target, deg: starts suddenly, moves fast, reverses, stops suddenly; then it jumps by 5 deg during a
  // slow motion of 1 deg in a frame.
  static const double smooth[] = {0, 0, 20, 40, 60, 40, 20, 20, 20}, jump[] = {21, 22, 28, 29, 30};
  Film film;
  film_start(&film);
  for (int i = 0; i < 9; ++i) {
    turn_joint(&film, 0, 1, smooth[i]);
    turn_joint(&film, 2, 1, smooth[i]);
    film.frame.root_position[0][0] = (float)(i > 4);
    film_frame(&film);
    assert_true((i < 3) == isnan(value(film.metrics, "target_jump_max_angle")));
  }
  assert_near(value(film.metrics, "target_jump_max_angle"), 0, 1e-4);
  assert_near(value(film.metrics, "target_jump_max_distance"), 1, TINY);
  for (int i = 0; i < 5; ++i) {
    turn_joint(&film, 0, 1, jump[i]);
    turn_joint(&film, 2, 1, jump[i]);
    film_frame(&film);
  }
  assert_near(value(film.metrics, "target_jump_max_angle"), 5, 1e-4);
  assert_near(value(film.metrics, "output_jump_max_angle"), 0, 1e-4);
  metrics_destroy(film.metrics);
}

// Parts of the shown pose against those of the body. The bounds of what looks alike are 8 deg and 4 cm.
static void test_shown_pose_against_the_body(void **state) {
  (void)state;
  enum { BODY, SHOWN, PARTS = 2 };
  static const double looks[][4] = {{0, 0.0399, 0, 0}, {0, 0, 7.9, 0}, {0.0401, 0, 0, 1}, {0, 0, 8.1, 1}, {0, 0, 0, 0}};
  float position[2][PARTS][3] = {{{1, 2, 3}, {4, 5, 6}}, {{0}}}, rotation[2][PARTS][4] = {{{0}}};
  Film film;
  film_start(&film);
  film.frame.part_count = PARTS;
  int count = (int)(sizeof looks / sizeof *looks), beyond = 0;
  double angles2 = 0;
  assert_true(isnan(value(film.metrics, "shown_error_max_angle")));
  for (int i = -1; i < count; ++i) { // the first frame has no time
    const double *look = looks[i < 0 ? 3 : i];
    memcpy(position[SHOWN], position[BODY], sizeof position[SHOWN]);
    position[SHOWN][0][1] += (float)look[0];
    position[SHOWN][1][2] -= (float)look[1];
    for (int part = 0; part < PARTS; ++part) {
      double half = part == 1 ? RADIANS(look[2]) / 2 : 0;
      rotation[BODY][part][3] = rotation[SHOWN][part][3] = 1;
      rotation[SHOWN][part][0] = (float)sin(half);
      rotation[SHOWN][part][3] = (float)cos(half);
    }
    for (int pose = 0; pose < 2; ++pose) {
      film.frame.part_position[pose] = (const float(*)[3])position[pose];
      film.frame.part_rotation[pose] = (const float(*)[4])rotation[pose];
    }
    angles2 += look[2] * look[2];
    beyond += i >= 0 && look[3] > 0;
    film_frame(&film);
  }
  assert_near(value(film.metrics, "shown_error_max_angle"), 8.1, 1e-4);
  assert_near(value(film.metrics, "shown_error_rms_angle"), sqrt(angles2 / (PARTS * (count + 1))), 1e-4);
  assert_near(value(film.metrics, "shown_error_max_distance"), 0.0401, 1e-6);
  assert_near(value(film.metrics, "shown_error_max_root"), 0.0401, 1e-6);
  assert_near(value(film.metrics, "shown_error_time"), beyond / 64.0, TINY);
  metrics_destroy(film.metrics);
}

static void test_fallen_body_has_no_stances(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.fallen = true;
  run_until(&run, 0.1);
  Film film;
  film_start(&film);
  metrics_destroy(film.metrics);
  film.metrics = run.metrics;
  film.frame.output_feet[0] = film.frame.measured_feet[0] =
      (MetricsFoot){.standing = true, .planted = true, .depth = 1};
  for (int i = 0; i < 10; ++i) {
    film.frame.measured_feet[0].sole[0] = i;
    film_frame(&film);
  }
  metrics_finish(run.metrics);
  assert_true(isnan(value(run.metrics, "foot_slip_max")));
  assert_true(isnan(value(run.metrics, "skate_ratio")));
  assert_true(isnan(value(run.metrics, "foot_penetration_max")));
  metrics_destroy(run.metrics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_foot_slip),
      cmocka_unit_test(test_skating),
      cmocka_unit_test(test_soles),
      cmocka_unit_test(test_rolling_is_no_float),
      cmocka_unit_test(test_flicker_does_not_end_a_flat_phase),
      cmocka_unit_test(test_lifted_soles_float),
      cmocka_unit_test(test_lifted_heels_are_not_flat),
      cmocka_unit_test(test_knee_pop),
      cmocka_unit_test(test_angles_between_rotations),
      cmocka_unit_test(test_output_jumps),
      cmocka_unit_test(test_target_jumps),
      cmocka_unit_test(test_shown_pose_against_the_body),
      cmocka_unit_test(test_fallen_body_has_no_stances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
