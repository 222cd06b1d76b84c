// Gait analysis: a motion with known curves, steps and stances gives these values; a motion without steady gait gives
// no strides; comparisons follow their formulas, and norms their sources.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/report/gait.h"
#include "scenes/report/gait_norms.h"
#include "sim/base/numbers.h"

enum { MOST_FRAMES = 2000, MOST_STRIDES = 200, RATE = 100 };

static void assert_close(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance))
    fail_msg("%.9g is not %.9g", value, wanted);
}

// A walk straight ahead: the left foot strikes at whole cycles, the right one half a cycle later. Frames lie around the
// strikes, so that their times are found exactly.
typedef struct Walk {
  double speed, cycle; // m/s, s
  double stance;       // of the cycle
  double step_width;   // m
  double bounce, sway; // m, from lowest to highest
  double way, facing;  // rad
  double lag;          // s: the delay of the feet's touch-down
  int count;           // frames
  double arm_lag;      // of the cycle: of an arm behind the other side's thigh
  double arm_swing;    // deg, from its rearmost to its foremost angle
} Walk;

static const Walk WALK = {1.3, 1.08, 0.62, 0.1, 0.04, 0.06, 0.5, 0.5, 0, 1200, 0.04, 35};

typedef struct Film {
  GaitFrame frames[MOST_FRAMES];
  int count;
} Film;

static double known_angle(int joint, double phase) {
  static const double means[3] = {10, 30, -3}, sizes[3] = {22, 28, 12};
  return means[joint] + sizes[joint] * cos(2 * M_PI * (phase - 0.1 * joint));
}

// The other side's thigh is foremost in the middle of the cycle.
static double known_arm(const Walk *walk, double phase) {
  return -12 + 0.5 * walk->arm_swing * cos(2 * M_PI * (phase - 0.5 - walk->arm_lag));
}

static double known_elbow(double phase) { return 90 + 20 * cos(2 * M_PI * (phase - 0.1)); }

static void put(double point[3], const Walk *walk, double along, double left, double up) {
  point[0] = along * sin(walk->way) + left * cos(walk->way);
  point[1] = up;
  point[2] = along * cos(walk->way) - left * sin(walk->way);
}

static void foot_frame(GaitFrame *frame, const Walk *walk, int side) {
  const double cycles = (frame->time - walk->lag) / walk->cycle - (side == GAIT_RIGHT ? 0.5 : 0);
  const double whole = floor(cycles), phase = cycles - whole, stride = walk->speed * walk->cycle;
  const double swung = phase < walk->stance ? 0 : (phase - walk->stance) / (1 - walk->stance);
  const double along = stride * (whole + swung + (side == GAIT_RIGHT ? 0.5 : 0));
  frame->stands[side] = phase < walk->stance;
  put(frame->place[side], walk, along, (side == GAIT_LEFT ? 0.5 : -0.5) * walk->step_width, 0.1 * swung);
  for (int joint = 0; joint < GAIT_LEG_JOINTS; joint++)
    frame->angle[side][joint] = known_angle(joint, phase);
  frame->angle[side][GAIT_ARM] = known_arm(walk, phase);
  frame->angle[side][GAIT_ELBOW] = known_elbow(phase);
}

static Film *film_make(const Walk *walk) {
  Film *film = calloc(1, sizeof *film);
  film->count = walk->count;
  for (int i = 0; i < walk->count; i++) {
    GaitFrame *frame = &film->frames[i];
    frame->time = (i + 0.5) / RATE;
    const double cycles = frame->time / walk->cycle;
    put(frame->place[GAIT_PELVIS], walk, walk->speed * frame->time, 0.5 * walk->sway * sin(2 * M_PI * cycles),
        0.9 + 0.5 * walk->bounce * cos(4 * M_PI * cycles));
    frame->heading = walk->facing;
    foot_frame(frame, walk, GAIT_LEFT);
    foot_frame(frame, walk, GAIT_RIGHT);
  }
  return film;
}

static GaitStride strides[MOST_STRIDES];

static int find_of(const Film *film, int pose, GaitStride *list, int most) {
  const GaitMotion motion = {film->count, film->frames};
  return gait_find_strides(&motion, -INFINITY, INFINITY, pose, list, most);
}

static int find(const Film *film) { return find_of(film, 0, strides, MOST_STRIDES); }

static int strides_of(const Walk *walk) {
  Film *film = film_make(walk);
  const int count = find(film);
  free(film);
  return count;
}

static void add_walk(const Walk *walk, int pose, GaitStride *list, int *count) {
  Film *film = film_make(walk);
  *count += find_of(film, pose, list + *count, MOST_STRIDES - *count);
  free(film);
}

static void test_a_known_walk(void **state) {
  (void)state;
  Film *film = film_make(&WALK);
  const int count = find(film);
  assert_int_equal(count, 10 + 10); // 11.1 cycles: left from 1.08 to 11.88 s, right from 0.54 to 11.34 s
  for (int i = 0; i < count; i++) {
    const double *figures = strides[i].figures;
    assert_false(strides[i].runs);
    assert_int_equal(strides[i].side, i % 2 == 0 ? GAIT_RIGHT : GAIT_LEFT);
    assert_close(strides[i].begin, 0.54 * (i + 1), 1e-9);
    assert_close(strides[i].end - strides[i].begin, 1.08, 1e-9);
    assert_close(figures[GAIT_STRIDE_TIME], 1.08, 1e-9);
    assert_close(figures[GAIT_CADENCE], 120 / 1.08, 1e-6);
    assert_close(figures[GAIT_SPEED], 1.3, 1e-6);
    assert_close(figures[GAIT_STEP_LENGTH], 1.3 * 0.54, 1e-9);
    assert_close(figures[GAIT_STEP_WIDTH], 0.1, 1e-9);
    assert_close(figures[GAIT_STANCE], 62, 0.5 / 1.08); // toe-off lies between frames
    assert_close(figures[GAIT_SWING], 38, 0.5 / 1.08);
    assert_close(figures[GAIT_DOUBLE_SUPPORT], 24, 1 / 1.08);
    assert_close(figures[GAIT_FLIGHT], 0, 1e-9);
    assert_close(figures[GAIT_PELVIS_VERTICAL], 0.04, 5e-4);
    assert_close(figures[GAIT_PELVIS_LATERAL], 0.06, 5e-4);
    for (int joint = 0; joint < GAIT_LEG_JOINTS; joint++)
      for (int k = 0; k < GAIT_POINTS - 1; k++) // at 100 % a frame of the next stride counts as well
        assert_close(strides[i].curves.degrees[joint][k], known_angle(joint, k / 50.0), 0.02);
    assert_close(figures[GAIT_HIP_FLEXION], 32, 0.02);
    assert_close(figures[GAIT_HIP_EXTENSION], -12, 0.02);
    assert_close(figures[GAIT_KNEE_LOADING], 58, 0.02); // this curve's peak, at 10 %
    assert_close(figures[GAIT_ANKLE_PLANTARFLEXION], -15, 0.02);
  }
  free(film);
}

// Of a piece, the strides that begin in its time are found in the frames within reach of it, with the same bits.
static void test_pieces_have_the_strides_of_the_whole(void **state) {
  (void)state;
  static GaitStride all[MOST_STRIDES];
  Walk walk = WALK;
  walk.count = MOST_FRAMES;
  Film *film = film_make(&walk);
  const int count = find_of(film, 0, all, MOST_STRIDES);
  assert_true(count > 30);
  int found = 0;
  for (double from = 0; from < (double)MOST_FRAMES / RATE; from += 0.7) {
    const int first = (int)fmax(0, (from - GAIT_REACH) * RATE);
    const int end = (int)fmin(MOST_FRAMES, ceil((from + 0.7 + GAIT_REACH) * RATE));
    const GaitMotion piece = {end - first, &film->frames[first]};
    found += gait_find_strides(&piece, from, from + 0.7, 0, &strides[found], MOST_STRIDES - found);
  }
  assert_int_equal(found, count);
  for (int i = 0; i < count; i++) {
    assert_int_equal(strides[i].side, all[i].side);
    assert_true(strides[i].begin == all[i].begin && strides[i].end == all[i].end);
    assert_memory_equal(strides[i].figures, all[i].figures, sizeof all[i].figures);
    assert_memory_equal(&strides[i].curves, &all[i].curves, sizeof all[i].curves);
  }
  free(film);
}

static void assert_arms(const Walk *walk, double match, double lag) {
  const int count = strides_of(walk);
  assert_int_equal(count, 20);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < GAIT_POINTS; k++) {
      assert_close(strides[i].curves.degrees[GAIT_ARM][k], known_arm(walk, k / 50.0), 0.02);
      assert_close(strides[i].curves.degrees[GAIT_ELBOW][k], known_elbow(k / 50.0), 0.05);
    }
    assert_close(strides[i].figures[GAIT_ARM_SWING], walk->arm_swing, 0.03);
    assert_close(strides[i].figures[GAIT_ELBOW_SWING], 40, 0.03);
    assert_close(strides[i].figures[GAIT_ELBOW_MEAN], 90, 0.01);
    assert_close(strides[i].figures[GAIT_ARM_MATCH], match, 1e-3);
    assert_close(strides[i].figures[GAIT_ARM_LAG], lag, 0.02);
  }
}

static void test_arms_swing_with_the_other_leg(void **state) {
  (void)state;
  Walk walk = WALK;
  assert_arms(&walk, cos(2 * M_PI * 0.04), 4);
  walk.arm_lag = 0;
  assert_arms(&walk, 1, 0);
  walk.arm_lag = -0.06; // ahead of it
  assert_arms(&walk, cos(2 * M_PI * 0.06), -6);
  walk.arm_lag = 0.24;
  assert_arms(&walk, cos(2 * M_PI * 0.24), 24);
}

// The arm goes with the leg of its own side, and the mean of such strides is not that of arms in step.
static void test_arms_out_of_phase(void **state) {
  (void)state;
  static GaitStride list[MOST_STRIDES];
  static GaitGroup groups[GAIT_MAX_GROUPS];
  int count = 0;
  Walk early = WALK, late = WALK;
  early.arm_lag = 0.48;
  late.arm_lag = -0.48; // 52 % late
  assert_arms(&early, cos(2 * M_PI * 0.48), 48);
  assert_arms(&late, cos(2 * M_PI * 0.48), 52);
  add_walk(&early, 0, list, &count);
  add_walk(&late, 0, list, &count);
  assert_int_equal(gait_group(list, count, groups), 1);
  assert_close(groups[0].poses[0].mean[GAIT_ARM_LAG], 50, 0.02);
  assert_close(groups[0].poses[0].mean[GAIT_ARM_SWING], 35, 0.03);
  assert_close(groups[0].poses[0].curve.degrees[GAIT_ELBOW][5], 110, 0.05);
}

static void test_arms_that_hang_have_no_phase(void **state) {
  (void)state;
  Walk walk = WALK;
  walk.arm_swing = 0.9;
  assert_int_equal(strides_of(&walk), 20);
  assert_close(strides[3].figures[GAIT_ARM_SWING], 0.9, 0.01);
  assert_close(strides[3].figures[GAIT_ELBOW_MEAN], 90, 0.01);
  assert_true(isnan(strides[3].figures[GAIT_ARM_MATCH]) && isnan(strides[3].figures[GAIT_ARM_LAG]));

  // They count in no mean, and the others do.
  static GaitStride list[4];
  static GaitGroup groups[GAIT_MAX_GROUPS];
  memcpy(list, strides, sizeof list);
  list[0].figures[GAIT_ARM_LAG] = 3;
  list[2].figures[GAIT_ARM_LAG] = 5;
  assert_int_equal(gait_group(list, 4, groups), 1);
  assert_int_equal(groups[0].poses[0].count, 4);
  assert_close(groups[0].poses[0].mean[GAIT_ARM_LAG], 4, 1e-12);
  assert_close(groups[0].poses[0].deviation[GAIT_ARM_LAG], sqrt(2), 1e-12);
  assert_true(isnan(groups[0].poses[0].mean[GAIT_ARM_MATCH]));
}

static void test_a_body_without_arms(void **state) {
  (void)state;
  static GaitGroup groups[GAIT_MAX_GROUPS];
  Film *film = film_make(&WALK);
  for (int i = 0; i < film->count; i++)
    for (int side = 0; side < GAIT_SIDES; side++)
      film->frames[i].angle[side][GAIT_ARM] = film->frames[i].angle[side][GAIT_ELBOW] = NAN;
  const int count = find(film);
  assert_int_equal(count, 20);
  for (int i = 0; i < count; i++) {
    assert_close(strides[i].figures[GAIT_HIP_FLEXION], 32, 0.02);
    for (int f = GAIT_LEG_FIGURES; f < GAIT_FIGURES; f++)
      assert_true(isnan(strides[i].figures[f]));
  }
  assert_int_equal(gait_group(strides, count, groups), 1);
  assert_close(groups[0].poses[0].mean[GAIT_HIP_FLEXION], 32, 0.02);
  for (int f = GAIT_LEG_FIGURES; f < GAIT_FIGURES; f++)
    assert_true(isnan(groups[0].poses[0].mean[f]));
  free(film);
}

static void test_a_run_flies(void **state) {
  (void)state;
  Walk run = WALK;
  run.speed = 3.5;
  run.cycle = 0.7;
  run.stance = 0.35;
  const int count = strides_of(&run);
  assert_true(count > 20);
  for (int i = 0; i < count; i++) {
    assert_true(strides[i].runs);
    assert_close(strides[i].figures[GAIT_FLIGHT], 30, 1.5);
    assert_close(strides[i].figures[GAIT_DOUBLE_SUPPORT], 0, 1e-9);
  }
}

static void test_only_steady_gait_counts(void **state) {
  (void)state;
  Walk walk = WALK;
  walk.speed = 0.2; // hardly moves
  assert_int_equal(strides_of(&walk), 0);
  walk = WALK;
  walk.facing += 90 * RAD_PER_DEGREE; // sideways
  assert_int_equal(strides_of(&walk), 0);
  walk.facing += 90 * RAD_PER_DEGREE; // backward
  assert_int_equal(strides_of(&walk), 0);

  Film *film = film_make(&WALK);
  for (int i = 0; i < WALK.count; i++) { // gets faster by 0.4 m/s^2
    const double time = film->frames[i].time, more = 0.2 * time * time;
    film->frames[i].place[GAIT_PELVIS][0] += more * sin(WALK.way);
    film->frames[i].place[GAIT_PELVIS][2] += more * cos(WALK.way);
  }
  const int faster = find(film);
  for (int i = 0; i < faster; i++) // only if 0.2 m/s from half to half are less than a tenth
    assert_true(strides[i].figures[GAIT_SPEED] > 2.1);
  free(film);

  film = film_make(&WALK);
  for (int i = 0; i < WALK.count; i++) // turns by 30 deg/s
    film->frames[i].heading += 0.5 * film->frames[i].time;
  assert_int_equal(find(film), 0);
  free(film);

  film = film_make(&WALK);
  film->frames[605].disturbed = true; // a hit at 6 s: the strides around it
  assert_int_equal(find(film), 20 - 2);
  for (int i = 0; i < 18; i++)
    assert_true(strides[i].end < 6.06 || strides[i].begin > 6.04);
  free(film);
}

// Feet bounce when they strike; a stance of one frame is ignored; a foot that steps twice makes no stride.
static void test_contacts_are_cleaned(void **state) {
  (void)state;
  Film *film = film_make(&WALK);
  for (int i = 3; i < WALK.count; i++) // in the third frame of a stance it is in the air
    if (film->frames[i].stands[0] && film->frames[i - 1].stands[0] && film->frames[i - 2].stands[0] &&
        !film->frames[i - 3].stands[0]) {
      film->frames[i].stands[0] = false;
      i += 4;
    }
  assert_int_equal(find(film), 20);
  assert_close(strides[1].figures[GAIT_STANCE], 62, 0.5 / 1.08);
  free(film);

  film = film_make(&WALK);
  for (int i = 0; i < WALK.count; i++)
    if (fabs(fmod(film->frames[i].time / WALK.cycle, 1) - 0.8) < 0.01) // scrapes in mid-swing
      film->frames[i].stands[0] = true;
  assert_int_equal(find(film), 20);
  free(film);

  for (int frames = 5; frames <= 7; frames += 2) { // less than 0.06 s is none, more is
    film = film_make(&WALK);
    for (int i = 0; i < WALK.count; i++) {
      const int since = (int)floor(100 * WALK.cycle * (fmod(film->frames[i].time / WALK.cycle, 1) - 0.78));
      if (since >= 0 && since < frames)
        film->frames[i].stands[0] = true;
    }
    const int kept = find(film);
    assert_true(frames == 5 ? kept == 20 : kept < 20);
    for (int i = 0; i < kept && frames == 7; i++)
      assert_int_equal(strides[i].side, GAIT_LEFT);
    free(film);
  }

  film = film_make(&WALK);
  for (int i = 0; i < WALK.count; i++)
    if (fabs(fmod(film->frames[i].time / WALK.cycle, 1) - 0.81) < 0.06) // really steps there
      film->frames[i].stands[0] = true;
  const int count = find(film);
  for (int i = 0; i < count; i++) // the right foot's strides have two steps of the left one
    assert_int_equal(strides[i].side, GAIT_LEFT);
  free(film);
}

static void test_stances_by_the_sole(void **state) {
  (void)state;
  static GaitFrame frames[300];
  for (int i = 0; i < 300; i++) { // 0.6 s on a ground at 0.3 m that rises, 0.4 s in the air
    const double phase = fmod(i / 100.0, 1);
    frames[i].time = i / 100.0;
    frames[i].height[GAIT_RIGHT] =
        0.3 + 0.02 * floor(i / 100.0) + (phase < 0.6 ? 0 : 0.1 * sin(M_PI * (phase - 0.6) / 0.4));
    frames[i].speed[GAIT_RIGHT] = phase < 0.6 ? 0.02 : 2.5;
  }
  gait_find_stances(frames, 300, GAIT_RIGHT);
  for (int i = 0; i < 300; i++)
    assert_int_equal(frames[i].stands[GAIT_RIGHT], fmod(i / 100.0, 1) < 0.6);
}

// A foot that has rested at height 0 for 3 s, but for one frame at 1.5 s.
static GaitFrame *rest_but_once(double height, double speed) {
  static GaitFrame frames[300];
  memset(frames, 0, sizeof frames);
  for (int i = 0; i < 300; i++)
    frames[i].time = i / 100.0;
  frames[150].height[GAIT_LEFT] = height;
  frames[150].speed[GAIT_LEFT] = speed;
  gait_find_stances(frames, 300, GAIT_LEFT);
  return frames;
}

// Within 4 cm of where it rests within 1 s, and slower than 0.5 m/s; it rests when it is slower than half of that.
static void test_limits_of_a_stance(void **state) {
  (void)state;
  assert_true(rest_but_once(0.0399, 0.499)[150].stands[GAIT_LEFT]);
  assert_false(rest_but_once(0.0401, 0)[150].stands[GAIT_LEFT]);
  assert_false(rest_but_once(0, 0.501)[150].stands[GAIT_LEFT]);
  const GaitFrame *frames = rest_but_once(-1, 0.251); // passes deeper
  for (int i = 0; i < 300; i++)
    assert_true(frames[i].stands[GAIT_LEFT]);
  frames = rest_but_once(-1, 0.249);
  for (int i = 0; i < 300; i++)
    assert_int_equal(frames[i].stands[GAIT_LEFT], i < 50 || i == 150 || i > 250);
}

static void test_groups(void **state) {
  (void)state;
  static GaitStride list[MOST_STRIDES];
  static GaitGroup groups[GAIT_MAX_GROUPS];
  int count = 0;
  Walk fast = WALK, run = WALK, brief = WALK;
  fast.speed = 1.8;
  run.speed = 1.85;
  run.stance = 0.4;
  brief.speed = 0.8;
  brief.count = 250; // two strides
  add_walk(&run, 0, list, &count);
  add_walk(&WALK, 0, list, &count);
  add_walk(&fast, 2, list, &count);
  add_walk(&WALK, 2, list, &count);
  add_walk(&brief, 2, list, &count);
  assert_int_equal(gait_group(list, count, groups), 3);
  assert_close(groups[0].speed, 1.3, 1e-6);
  assert_int_equal(groups[0].poses[0].count, 20);
  assert_int_equal(groups[0].poses[1].count, 0);
  assert_int_equal(groups[0].poses[2].count, 20);
  assert_close(groups[0].poses[0].mean[GAIT_STEP_LENGTH], 1.3 * 0.54, 1e-9);
  assert_close(groups[0].poses[0].deviation[GAIT_STEP_LENGTH], 0, 1e-9);
  assert_close(groups[0].poses[2].curve.degrees[GAIT_KNEE][5], 58, 0.02);
  assert_close(groups[1].speed, 1.8, 1e-6);
  assert_false(groups[1].runs);
  assert_true(groups[2].runs);
  assert_int_equal(groups[2].poses[0].count, 20);

  // Standard deviation of figures and curves: 1, 2, 3.
  for (int i = 0; i < 3; i++) {
    list[i] = (GaitStride){.pose = 1};
    list[i].figures[GAIT_STANCE] = i + 1;
    list[i].curves.degrees[GAIT_HIP][7] = 10 * (i + 1);
  }
  assert_int_equal(gait_group(list, 3, groups), 1);
  assert_close(groups[0].poses[1].mean[GAIT_STANCE], 2, 1e-12);
  assert_close(groups[0].poses[1].deviation[GAIT_STANCE], 1, 1e-12);
  assert_close(groups[0].poses[1].curve_deviation.degrees[GAIT_HIP][7], 10, 1e-12);
  assert_int_equal(gait_group(list, 2, groups), 0);
}

// Feet of a physical body that come down late seem to fly; the animation classifies it as a walk.
static void test_the_leading_pose_says_what_gait_it_is(void **state) {
  (void)state;
  static GaitStride list[MOST_STRIDES];
  static GaitGroup groups[GAIT_MAX_GROUPS];
  int count = 0;
  Walk late = WALK;
  late.stance = 0.45;
  late.lag = 0.1;
  add_walk(&WALK, 2, list, &count);
  const int leading = count;
  add_walk(&late, 1, list, &count);
  assert_true(list[leading].runs);
  gait_settle(list, count, 2);
  for (int i = 0; i < count; i++)
    assert_false(list[i].runs);
  assert_int_equal(gait_group(list, count, groups), 1);
  assert_close(groups[0].poses[1].mean[GAIT_STANCE], 45, 0.5);
}

static void test_comparison(void **state) {
  (void)state;
  double a[GAIT_POINTS], b[GAIT_POINTS], deviation[GAIT_POINTS], flat[GAIT_POINTS];
  for (int i = 0; i < GAIT_POINTS; i++) {
    a[i] = 10 * sin(2 * M_PI * i / 50);
    b[i] = 3 - 2 * a[i];
    deviation[i] = 2;
    flat[i] = 5;
  }
  GaitFit fit = gait_compare(a, a, deviation);
  assert_close(fit.correlation, 1, 1e-12);
  assert_close(fit.rms, 0, 1e-12);
  assert_close(fit.within_1, 1, 1e-12);
  assert_close(gait_compare(b, a, deviation).correlation, -1, 1e-12);
  assert_true(isnan(gait_compare(flat, a, deviation).correlation));
  for (int i = 0; i < GAIT_POINTS; i++)
    b[i] = a[i] + (i < 10 ? 1 : i < 25 ? -3 : 5);
  fit = gait_compare(b, a, deviation);
  assert_close(fit.within_1, 0.2, 1e-12);
  assert_close(fit.within_2, 0.5, 1e-12);
  assert_close(fit.rms, sqrt((10 * 1 + 15 * 9 + 25 * 25) / 50.0), 1e-12);
}

static void test_norms(void **state) {
  (void)state;
  const double leg = 0.93; // 0.5 of the root of g l is 1.51 m/s
  assert_string_equal(gait_norm(false, 0.5, leg)->name, "very slow");
  assert_string_equal(gait_norm(false, 0.9, leg)->name, "slow");
  assert_string_equal(gait_norm(false, 1.3, leg)->name, "free speed");
  assert_string_equal(gait_norm(false, 1.3, 0.5)->name, "fast"); // for a child
  assert_string_equal(gait_norm(false, 1.7, leg)->name, "fast");
  assert_string_equal(gait_norm(false, 2.2, leg)->name, "very fast");

  // Peaks as in the sources; people's hips are flexed by their pelvis' tilt.
  double mean[GAIT_POINTS], deviation[GAIT_POINTS], second[GAIT_POINTS];
  const GaitNorm *norm = gait_norm(false, 1.3, leg);
  gait_norm_curve(norm, GAIT_KNEE, mean, deviation, second);
  assert_close(mean[36], 59.1, 1e-9); // at 72 %
  assert_close(second[36], 64.8, 1e-9);
  assert_close(gait_norm_range(GAIT_KNEE_SWING, norm, false, 1.3).high, 59.1 + 2 * deviation[36], 1e-9);
  gait_norm_curve(norm, GAIT_HIP, mean, deviation, second);
  assert_close(mean[45], 36.7 - norm->pelvis_tilt, 1e-9);
  for (int slow = 0; slow < 2; slow++) {
    gait_norm_curve(gait_norm(slow, slow ? 0.5 : 4, leg), GAIT_ANKLE, mean, deviation, second);
    for (int i = 0; i < GAIT_POINTS; i++)
      assert_true(deviation[i] > 0 && fabs(mean[i]) < 40);
  }
  gait_norm_curve(gait_norm(true, 3.3, leg), GAIT_KNEE, mean, deviation, second);
  assert_close(mean[34], 105.6, 1e-9); // at 68 %
  assert_close(second[35], 92.7, 1e-9);

  assert_close(gait_norm_range(GAIT_CADENCE, norm, false, 1.3).high, 126.2, 1e-12);
  assert_close(gait_norm_range(GAIT_STANCE, norm, false, 1.0).low, 55.6, 1e-12);
  assert_null(gait_norm_range(GAIT_CADENCE, norm, false, 0.5).source);
  assert_null(gait_norm_range(GAIT_SPEED, norm, false, 1.3).source);
  const GaitRange step = gait_norm_range(GAIT_STEP_LENGTH, norm, true, 3.96);
  assert_close(0.5 * (step.low + step.high), 3.96 * 0.345, 1e-9);
}

static double range_of(const double curve[GAIT_POINTS]) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < GAIT_POINTS; i++) {
    low = fmin(low, curve[i]);
    high = fmax(high, curve[i]);
  }
  return high - low;
}

static double mean_of(const double curve[GAIT_POINTS]) {
  double sum = 0;
  for (int i = 0; i < GAIT_POINTS - 1; i++)
    sum += curve[i] / (GAIT_POINTS - 1);
  return sum;
}

static void test_norms_of_arms(void **state) {
  (void)state;
  double mean[GAIT_POINTS], deviation[GAIT_POINTS], second[GAIT_POINTS];
  const GaitNorm *run = gait_norm(true, 3.3, 0.93), *walk = gait_norm(false, 1.3, 0.93);
  assert_true(gait_norm_has(run, GAIT_ARM) && gait_norm_has(run, GAIT_KNEE) && gait_norm_has(walk, GAIT_KNEE));
  assert_false(gait_norm_has(walk, GAIT_ELBOW));
  gait_norm_curve(walk, GAIT_ARM, mean, deviation, second);
  assert_true(isnan(mean[0]) && isnan(deviation[25]) && isnan(second[50]));

  // Ranges begin and end a tenth beyond what the curves show. BMClab's left arm, which is in no curve, is bent most.
  gait_norm_curve(run, GAIT_ARM, mean, deviation, second);
  const GaitRange swing = gait_norm_range(GAIT_ARM_SWING, run, true, 3.3);
  assert_close(swing.low, 0.9 * range_of(mean), 0.05);
  assert_close(swing.high, 1.1 * range_of(second), 0.05);
  assert_true(deviation[0] > 2 && deviation[0] < 5);
  gait_norm_curve(run, GAIT_ELBOW, mean, deviation, second);
  const GaitRange elbow = gait_norm_range(GAIT_ELBOW_SWING, run, true, 3.3);
  assert_close(elbow.low, 0.9 * range_of(second), 0.05);
  assert_close(elbow.high, 1.1 * range_of(mean), 0.05);
  const GaitRange bent = gait_norm_range(GAIT_ELBOW_MEAN, run, true, 3.3);
  assert_close(bent.low, 0.9 * fmin(mean_of(mean), mean_of(second)), 0.05);
  assert_close(bent.high, 1.1 * 106.3, 1e-9);
  assert_close(gait_norm_range(GAIT_ARM_MATCH, run, true, 3.3).high, 1, 1e-12);

  assert_close(gait_norm_range(GAIT_ELBOW_SWING, walk, false, 1.3).high, 29.7 + 2 * 10.2, 1e-9);
  assert_null(gait_norm_range(GAIT_ELBOW_SWING, walk, false, 0.8).source);
  assert_null(gait_norm_range(GAIT_ARM_SWING, walk, false, 1.3).source);
  assert_null(gait_norm_range(GAIT_ELBOW_MEAN, walk, false, 1.3).source);
  assert_null(gait_norm_range(GAIT_ARM_MATCH, walk, false, 1.3).source);
  assert_null(gait_norm_range(GAIT_ARM_LAG, run, true, 3.3).source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_known_walk),
      cmocka_unit_test(test_pieces_have_the_strides_of_the_whole),
      cmocka_unit_test(test_arms_swing_with_the_other_leg),
      cmocka_unit_test(test_arms_out_of_phase),
      cmocka_unit_test(test_arms_that_hang_have_no_phase),
      cmocka_unit_test(test_a_body_without_arms),
      cmocka_unit_test(test_a_run_flies),
      cmocka_unit_test(test_only_steady_gait_counts),
      cmocka_unit_test(test_contacts_are_cleaned),
      cmocka_unit_test(test_stances_by_the_sole),
      cmocka_unit_test(test_limits_of_a_stance),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_the_leading_pose_says_what_gait_it_is),
      cmocka_unit_test(test_comparison),
      cmocka_unit_test(test_norms),
      cmocka_unit_test(test_norms_of_arms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
