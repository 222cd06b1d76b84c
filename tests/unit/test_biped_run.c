// The biped running, and between walking and running. The names of the tests say which check of the design they are.
#include "tests/unit/biped_test.h"

static const double DT = 1.0 / 240, FINE = 1.0 / 1920;

static BipedWalk walk;

static bool stands(int leg) { return !walk.biped.feet[leg].swinging; }

// Shares of a cycle at a steady speed.
typedef struct Shares {
  double stance, both, none, pelvis; // m: vertical range
} Shares;

static Shares measure_cycle(double speed) {
  biped_start_at(&walk, man, "", DT, speed);
  int steps = (int)lround(2 / walk.biped.gait.cadence / FINE), stance = 0, both = 0, none = 0;
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < steps; k++) {
    biped_go(&walk, FINE, 0, speed, 0);
    stance += stands(0);
    both += stands(0) && stands(1);
    none += !stands(0) && !stands(1);
    low = fmin(low, (double)walk.pose.position[0].y);
    high = fmax(high, (double)walk.pose.position[0].y);
  }
  return (Shares){(double)stance / steps, (double)both / steps, (double)none / steps, high - low};
}

static void support_and_flight(void **state) {
  (void)state;
  for (double speed = 2.51; speed < 6; speed += 0.35) {
    Shares shares = measure_cycle(speed);
    assert_true(shares.both == 0 && shares.none > 0);
  }
  for (double speed = 0.2; speed < 1.8; speed += 0.2) {
    Shares shares = measure_cycle(speed);
    assert_true(shares.none == 0 && shares.both > 0);
  }
}

static void share_of_stance(void **state) {
  (void)state;
  assert_near(measure_cycle(3.5).stance, 0.35, 0.03);
}

static void figures_of_running(void **state) {
  (void)state;
  Shares shares = measure_cycle(3.9);
  assert_true(shares.stance >= 0.35 && shares.stance <= 0.39);
  assert_true(shares.pelvis >= 0.06 && shares.pelvis <= 0.10);
}

static void cadence_rises_with_speed(void **state) {
  (void)state;
  double last = 0;
  for (double speed = 0.3; speed <= 6; speed += 0.1) {
    const double ahead[2] = {0, speed};
    double cadence = biped_gait(&walk.def, ahead, 0, speed > 2.1).cadence;
    assert_true(cadence > last && cadence <= 3.2);
    last = cadence;
  }
  for (double speed = 2.5; speed <= 6; speed += 0.5) {
    biped_start_at(&walk, man, "", DT, speed);
    long steps = walk.biped.steps;
    biped_go_on(&walk, DT, 10, speed);
    assert_true((double)(walk.biped.steps - steps) <= 32);
  }
}

// The edge on which a foot stands, m.
static vec3s standing_edge(int leg) {
  const Leg *l = &walk.skeleton.legs[leg];
  return shown_point(&walk, leg, walk.biped.feet[leg].pitch > 0 ? l->heel_l : l->toe_l);
}

static void walk_run_walk(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 1.3);
  double speed = 1.3, slip[2] = {0, 0};
  bool ran = false;
  for (int k = 0; k < 2400; k++) {
    Biped before = walk.biped;
    const vec3s edges[2] = {standing_edge(0), standing_edge(1)};
    speed += (k < 1200 ? 1 : -1) * (k % 1200 < 720 ? DT : 0);
    biped_go(&walk, DT, 0, speed, 0);
    ran |= walk.biped.gait.running > 0.99;
    double way = walk.biped.hip_phase - before.hip_phase;
    way -= 2 * floor(0.5 * way);
    assert_true(way > 0 && way < 3.2 * DT);
    for (int i = 0; i < 2; i++) {
      const BipedFoot *foot = &walk.biped.feet[i], *last = &before.feet[i];
      slip[i] = foot->swinging || last->swinging ? 0 : slip[i];
      if (!foot->swinging && !last->swinging) {
        assert_true(foot->place[0] == last->place[0] && foot->place[1] == last->place[1]);
        if ((foot->pitch > 0) == (last->pitch > 0))
          slip[i] += (double)glms_vec3_distance(edges[i], standing_edge(i));
      }
      assert_true(slip[i] <= 0.01);
    }
  }
  assert_true(ran && walk.biped.gait.running < 0.01);
}

// The centre of mass in each flight, against a parabola of 9.81 m/s^2; and the hips' own acceleration.
static void flight_is_a_parabola(void **state) {
  (void)state;
  const double speeds[] = {2.6, 3.5, 4.5};
  for (int s = 0; s < 3; s++) {
    biped_start_at(&walk, man, "", DT, speeds[s]);
    double heights[256], hips[256];
    int count = 0, flights = 0;
    for (int k = 0; k < 960; k++) {
      biped_go(&walk, FINE, 0, speeds[s], 0);
      bool flies = !stands(0) && !stands(1);
      if (flies && count < 256) {
        heights[count] = (double)center_of_mass(&walk).y;
        hips[count++] = (double)walk.pose.position[0].y;
        continue;
      }
      // Through both ends of the flight.
      double time = (count - 1) * FINE;
      for (int i = 0; i < count && count > 10; i++) {
        double t = i * FINE, slope = (heights[count - 1] - heights[0]) / time + 0.5 * 9.81 * time;
        assert_near(heights[i], heights[0] + slope * t - 0.5 * 9.81 * t * t, 0.01);
      }
      if (count > 24 && count < 256) { // over the flight's halves, except for the steps in which it begins and ends
        int last = count - 3, half = (last - 2) / 2;
        double bend = hips[2 + 2 * half] - 2 * hips[2 + half] + hips[2];
        assert_near(bend / (half * half * FINE * FINE), -9.81, 0.05 * 9.81);
        flights++;
      }
      count = 0;
    }
    assert_true(flights > 0);
  }
}

// The amplitude in the hips' height of a wave that is highest at mid-stance.
static double phase_of_hips(double speed) {
  biped_start_at(&walk, man, "", DT, speed);
  double sum = 0;
  for (int k = 0; k < (int)(2 / walk.biped.gait.cadence / DT); k++) {
    biped_go(&walk, DT, 0, speed, 0);
    double from_middle = walk.biped.feet[0].phase - 0.5 * walk.biped.gait.duty;
    sum += (double)walk.pose.position[0].y * cos(4 * M_PI * from_middle);
  }
  return sum;
}

static void pelvis_phase(void **state) {
  (void)state;
  assert_true(phase_of_hips(1.3) > 0.1 && phase_of_hips(1.8) > 0.1);
  assert_true(phase_of_hips(2.6) < -0.1 && phase_of_hips(3.5) < -0.1 && phase_of_hips(5) < -0.1);
}

static void test_hysteresis(void **state) {
  (void)state;
  double change = sqrt(0.5 * 9.81 * (walk.def.leg_length + walk.def.ankle_height)); // m/s
  assert_near(change, 2.1, 0.05);
  biped_start_at(&walk, man, "", DT, change * 1.03);
  bool ran = walk.biped.runs;
  assert_true(ran); // a start at a speed takes the gait of that speed
  biped_go_on(&walk, DT, 2, change * 0.97);
  assert_true(walk.biped.runs);
  biped_go_on(&walk, DT, 2, change * 0.9);
  assert_false(walk.biped.runs);
  biped_go_on(&walk, DT, 2, change * 1.03);
  assert_false(walk.biped.runs);
  biped_go_on(&walk, DT, 2, change * 1.1);
  assert_true(walk.biped.runs);
}

// Another size: the same gait, slower.
static void test_dynamic_similarity(void **state) {
  (void)state;
  BipedDef small = walk.def;
  Skeleton half = man->skeleton;
  for (int i = 0; i < half.count; i++)
    half.bind_position_l[i] = glms_vec3_scale(half.bind_position_l[i], 0.5f);
  for (int i = 0; i < half.leg_count; i++) {
    half.legs[i].sole_l = glms_vec3_scale(half.legs[i].sole_l, 0.5f);
    half.legs[i].heel_l = glms_vec3_scale(half.legs[i].heel_l, 0.5f);
    half.legs[i].toe_l = glms_vec3_scale(half.legs[i].toe_l, 0.5f);
  }
  Error error = {0};
  assert_true(read_biped(&small, &half, "", &error));
  const double fast[2] = {0, 1.3}, slow[2] = {0, 1.3 * sqrt(0.5)};
  BipedGait tall = biped_gait(&walk.def, fast, 0, 0), child = biped_gait(&small, slow, 0, 0);
  assert_near(child.cadence, tall.cadence * sqrt(2), 1e-6);
  assert_near(child.duty, tall.duty, 1e-6);
  assert_near(child.step_height, 0.5 * tall.step_height, 1e-6);
  assert_near(child.low, 0.5 * tall.low, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(support_and_flight),
      cmocka_unit_test(share_of_stance),
      cmocka_unit_test(figures_of_running),
      cmocka_unit_test(cadence_rises_with_speed),
      cmocka_unit_test(walk_run_walk),
      cmocka_unit_test(flight_is_a_parabola),
      cmocka_unit_test(pelvis_phase),
      cmocka_unit_test(test_hysteresis),
      cmocka_unit_test(test_dynamic_similarity),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
