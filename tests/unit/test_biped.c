// The biped walking: its steps, its root and hips, its plans and records. The names of the tests say which check of the
// design they are.
#include "tests/unit/biped_test.h"

static const double DT = 1.0 / 240;

static BipedWalk walk;

// ---- Steps ----

static void step_arc(void **state) {
  (void)state;
  assert_near(biped_step_arc(0), 0, 0);
  assert_near(biped_step_arc(0.25), 1, 1e-9);
  assert_near(biped_step_arc(1), 0, 0);
  assert_true(fabs(biped_step_arc(1) - biped_step_arc(1 - 1e-4)) / 1e-4 < 1e-5);
  for (int i = 0; i <= 1000; i++) {
    double x = i / 1000.0;
    assert_near(biped_step_arc(x), 256.0 / 27 * pow(1 - x, 3) * x, 1e-9);
  }
}

// The highest lift of a swing, and the phase at which it occurs.
static void find_apex(BipedSwingKind kind, double stompiness, double *lift, double *way) {
  *lift = *way = 0;
  for (int i = 0; i <= 100000; i++) {
    BipedSwing swing = biped_swing(kind, stompiness, 0, i / 1e5);
    if (swing.lift <= *lift)
      continue;
    *lift = swing.lift;
    *way = swing.way;
  }
}

static void both_modes(void **state) {
  (void)state;
  double lift, way;
  find_apex(BIPED_SWING_PUBLISHED, 0, &lift, &way);
  assert_near(lift, 0.32768, 1e-4);
  assert_near(way, 0.4, 1e-3);
  find_apex(BIPED_SWING_PUBLISHED, 1, &lift, &way); // version 2: 0.6495 at 120 deg, 3/4 of the way
  assert_near(lift, 0.6495, 1e-4);
  assert_near(way, 0.75, 1e-3);
  find_apex(BIPED_SWING_CORRECTED, 0, &lift, &way);
  assert_near(lift, 1, 1e-6);
  assert_near(way, 0.25, 1e-3);

  // The same as the layer walks.
  static const char *const modes[] = {"{swing: corrected, stompiness: 0}", "{swing: published, stompiness: 0}"};
  static const double apex[] = {1, 0.32768};
  for (int mode = 0; mode < 2; mode++) {
    double highest = 0;
    biped_start_at(&walk, man, modes[mode], DT, 1);
    for (int k = 0; k < 480; k++) {
      biped_go(&walk, DT, 0, 1, 0);
      highest = fmax(highest, walk.biped.feet[0].lift / walk.biped.gait.step_height);
    }
    assert_near(highest, apex[mode], 2e-3); // the top may lie between two time steps
  }
}

// Advances to just before a phase of the left foot, then over it in small steps.
static void go_to_phase(double speed, double phase) {
  for (int k = 0; k < 10000; k++) {
    double way = phase - walk.biped.feet[0].phase;
    way -= floor(way);
    double time = way * 2 / walk.biped.gait.cadence;
    if (time < 1.5 * DT && time > 0.5 * DT) {
      biped_go(&walk, time - 1e-3, 0, speed, 0);
      return;
    }
    biped_go(&walk, DT, 0, speed, 0);
  }
  fail_msg("the phase %g does not come", phase);
}

static void continuous_at_pin_and_unpin(void **state) {
  (void)state;
  // Beyond a foot's own motion in a time step as it comes down, which is zero at 1e-5 s.
  const double step = 2e-5, speeds[] = {0.5, 1.3, 2, 3.5};
  for (int s = 0; s < 4; s++)
    for (int landing = 0; landing < 2; landing++) {
      biped_start_at(&walk, man, "", DT, speeds[s]);
      go_to_phase(speeds[s], landing ? 0 : walk.biped.gait.duty);
      const BipedFoot *foot = &walk.biped.feet[0];
      assert_true(foot->swinging == landing);
      bool changed = false;
      for (int k = 0; k < 100; k++) {
        BipedFoot before = *foot;
        biped_go(&walk, step, 0, speeds[s], 0);
        if (before.swinging == foot->swinging)
          continue;
        changed = true;
        double jump = hypot(foot->place[0] - before.place[0], foot->place[1] - before.place[1]);
        double swing_time = (1 - walk.biped.gait.duty) * 2 / walk.biped.gait.cadence;
        double closing = walk.def.stompiness * walk.biped.gait.step_height * M_PI / swing_time;
        assert_near(hypot(jump, fmax(before.lift - foot->lift - closing * step, 0)), 0, 1e-6);
      }
      assert_true(changed);
    }
}

// Of the sole's middle, over the ground, averaged over a millisecond before and after lift-off.
static void velocity_at_lift_off(void **state) {
  (void)state;
  const double speeds[] = {0.5, 1.3, 2};
  for (int s = 0; s < 3; s++) {
    biped_start_at(&walk, man, "", DT, speeds[s]);
    go_to_phase(speeds[s], walk.biped.gait.duty);
    const double step = 5e-4;
    vec3s before = shown_sole(&walk, 0);
    vec3s last = {{0, 0, 0}};
    for (int k = 0; k < 6; k++) {
      biped_go(&walk, step, 0, speeds[s], 0);
      vec3s sole = shown_sole(&walk, 0), velocity = glms_vec3_scale(glms_vec3_sub(sole, before), (float)(1 / step));
      if (k > 0)
        assert_true((double)glms_vec3_distance(velocity, last) <= 0.1);
      last = velocity;
      before = sole;
    }
    if (!walk.biped.feet[0].swinging)
      fail_msg("no lift-off at %g m/s: phase %g of %g", speeds[s], walk.biped.feet[0].phase, walk.biped.gait.duty);
  }
}

static double closing_speed(double stompiness) {
  const double h = 1e-6;
  BipedSwing before = biped_swing(BIPED_SWING_CORRECTED, stompiness, 0, 1 - h);
  return before.lift / h; // in step heights per swing
}

static void closing_speed_at_landing(void **state) {
  (void)state;
  assert_near(closing_speed(1), M_PI, 1e-4);
  assert_true(closing_speed(0) < 1e-4);
  assert_true(closing_speed(0.25) > closing_speed(0) && closing_speed(0.5) > closing_speed(0.25));
  assert_true(closing_speed(1) > closing_speed(0.5));

  // Of the sole's lowest point, as the layer walks.
  const double speeds[] = {0.5, 1.3, 3.5};
  for (int s = 0; s < 3; s++) {
    biped_start_at(&walk, man, "{stompiness: 0}", DT, speeds[s]);
    go_to_phase(speeds[s], 0);
    for (int k = 0; k < 20 && walk.biped.feet[0].swinging; k++) {
      double lift = walk.biped.feet[0].lift;
      biped_go(&walk, 1e-4, 0, speeds[s], 0);
      assert_true(fabs(walk.biped.feet[0].lift - lift) / 1e-4 <= 0.05);
    }
    assert_false(walk.biped.feet[0].swinging);
  }
}

// Walks until the left foot lands; returns its distance from its place of rest then, along the motion (z). It landed
// within the step, when the root was a little behind.
static double landing_lead(double speed) {
  bool swung = false;
  for (int k = 0; k < 2000; k++) {
    biped_go(&walk, DT, 0, speed, 0);
    const BipedFoot *foot = &walk.biped.feet[0];
    if (swung && !foot->swinging) {
      double since = foot->phase * 2 / walk.biped.gait.cadence;
      return foot->place[1] - (walk.step.root_position[2] - speed * since + walk.def.legs[0].rest[1]);
    }
    swung = foot->swinging;
  }
  fail_msg("no foot lands");
  return 0;
}

static void landing_place(void **state) {
  (void)state;
  static const char *const modes[] = {"{step_lead: 0.15}", "{step_lead: 0.15, swing: published}"};
  for (int mode = 0; mode < 2; mode++)
    for (double speed = 0.5; speed <= 2; speed += 0.5) {
      biped_start_at(&walk, man, modes[mode], DT, speed);
      assert_near(landing_lead(speed), 0.15 * speed, 1e-6);
    }

  // A foot that lands half a stance ahead is at its place of rest at mid-stance; without that it is not.
  const double speed = 0.4;
  char yaml[64];
  biped_start_at(&walk, man, "", DT, speed);
  double stance = walk.biped.gait.duty * 2 / walk.biped.gait.cadence;
  assert_near(walk.biped.feet[0].asymmetry, speed * (walk.biped.gait.lead - 0.5 * stance), 1e-5);
  snprintf(yaml, sizeof yaml, "{step_lead: %.9f}", 0.5 * stance);
  biped_start_at(&walk, man, yaml, DT, speed);
  assert_near(walk.biped.feet[0].asymmetry, 0, 1e-5);
}

static void phases(void **state) {
  (void)state;
  for (double hips = -7.3; hips < 7.3; hips += 0.0173) {
    double left = biped_foot_phase(hips, 0), right = biped_foot_phase(hips, 0.5);
    assert_true(left >= 0 && left < 1 && right >= 0 && right < 1);
    assert_near(fabs(left - right), 0.5, 1e-12);
  }
  biped_start_at(&walk, man, "", DT, 1.3);
  for (int k = 0; k < 2000; k++) { // the phase is turned back three times as fast as it advances
    walk.biped.hip_phase -= 3 * walk.biped.gait.cadence * DT;
    biped_go(&walk, DT, 0, 1.3, 0);
    double difference = fabs(walk.biped.feet[0].phase - walk.biped.feet[1].phase);
    assert_near(difference, 0.5, 1e-12);
    for (int i = 0; i < walk.pose.count; i++)
      for (int axis = 0; axis < 4; axis++)
        assert_true(isfinite(walk.pose.rotation[i].raw[axis]));
    assert_true(shown_stretch(&walk, 0) <= 0.99 && shown_stretch(&walk, 1) <= 0.99);
  }
  biped_go_on(&walk, DT, 4, 1.3); // and it walks on
  assert_near(walk.biped.gait.duty, 0.62, 0.005);
}

// ---- Root and hips ----

static void bounce_and_sway(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 1.3);
  int steps = (int)lround(20 / walk.biped.gait.cadence / DT), rises[2] = {0, 0};
  bool above[2] = {false, false};
  double mean = 0;
  for (int k = 0; k < steps; k++) {
    biped_go(&walk, DT, 0, 1.3, 0);
    mean += (double)walk.pose.position[0].y / steps;
  }
  for (int k = 0; k < steps; k++) { // twenty steps: ten cycles
    biped_go(&walk, DT, 0, 1.3, 0);
    const bool now[2] = {(double)walk.pose.position[0].y > mean, walk.pose.position[0].x > 0};
    for (int i = 0; i < 2; i++) {
      rises[i] += k > 0 && now[i] && !above[i];
      above[i] = now[i];
    }
  }
  assert_int_equal(rises[0], 20);
  assert_int_equal(rises[1], 10);
}

static void still_at_rest(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 1.3);
  biped_go_on(&walk, DT, 4, 0);
  assert_near(walk.biped.gait.moving, 0, 1e-9);
  Pose still = walk.pose;
  biped_go_on(&walk, DT, 1, 0);
  assert_memory_equal(still.rotation[1].raw, walk.pose.rotation[1].raw, sizeof still.rotation[1].raw);
  for (int i = 0; i < still.count; i++) {
    assert_true(quat_angle_between(still.rotation[i], walk.pose.rotation[i]) < 1e-4f);
    assert_true(glms_vec3_distance(still.position[i], walk.pose.position[i]) < 1e-5f);
  }
  assert_true(fabsf(still.position[0].x) < 1e-5f);
}

// Whether who sets out, and then goes on at a lower speed, m/s and rad/s, comes to stand within 10 s.
static bool stops_at(double speed, double turn_rate) {
  biped_start(&walk, man, "");
  biped_go(&walk, DT, 0.3 * sin(walk.step.heading), 0.3 * cos(walk.step.heading), 0.3);
  assert_false(walk.biped.standing);
  for (int k = 0; k < (int)lround(10 / DT); k++) {
    biped_go(&walk, DT, speed * sin(walk.step.heading), speed * cos(walk.step.heading), turn_rate);
    if (walk.biped.standing)
      return true;
  }
  return false;
}

// Whether who stands steps at once.
static bool sets_out_at(double speed, double turn_rate) {
  biped_start(&walk, man, "");
  assert_true(walk.biped.standing);
  biped_go(&walk, DT, 0, speed, turn_rate);
  return !walk.biped.standing;
}

static void stops_and_sets_out_by_speed_and_turn(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_true(stops_at(0.049 * sign, 0) && !stops_at(0.051 * sign, 0));
    assert_true(stops_at(0, 0.049 * sign) && !stops_at(0, 0.051 * sign));
    assert_true(!sets_out_at(0.079 * sign, 0) && sets_out_at(0.081 * sign, 0));
    assert_true(!sets_out_at(0, 0.099 * sign) && sets_out_at(0, 0.101 * sign));
  }
}

// The foot that swings as who stands sets out.
static int first_at(double speed, double turn_rate) {
  assert_true(sets_out_at(speed, turn_rate));
  assert_true(walk.biped.feet[0].swinging != walk.biped.feet[1].swinging);
  return walk.biped.feet[1].swinging;
}

// Who turns begins with the foot of that side, if 0.1 m of way a radian is more than half of the way ahead; of a turn
// of 1.25 rad/s it is as much as of 0.25 m/s.
static void turns_begin_with_the_foot_of_their_side(void **state) {
  (void)state;
  assert_int_equal(first_at(0.25, 1.2), first_at(0.25, -1.2));
  for (int sign = -1; sign <= 1; sign += 2) {
    const double side = walk.def.legs[first_at(0.25, 1.3 * sign)].side;
    assert_true(side * sign > 0);
  }
}

// Who goes aside begins with the foot of that side, wherever he faces.
static void side_steps_begin_with_the_foot_of_their_side(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    const double heading = i - 6, aside = i % 2 ? 0.3 : -0.3; // rad; m/s to his left
    biped_start(&walk, man, i % 4 < 2 ? "" : "swing: published");
    walk.step.heading = heading;
    place_bind(&walk);
    biped_init(&walk.def, &walk.biped, &walk.step);
    biped_go(&walk, DT, aside * cos(heading), -aside * sin(heading), 0);
    assert_true(walk.biped.feet[0].swinging != walk.biped.feet[1].swinging);
    assert_true(walk.def.legs[walk.biped.feet[1].swinging].side * aside > 0);
  }
}

static void phase_goes_on(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 0.5);
  double speed = 0.5, acceleration = 2.5;
  for (int k = 0; k < 6000; k++) {
    double before = walk.biped.hip_phase;
    speed += acceleration * DT;
    if (speed > 4.5 || speed < 0.3)
      acceleration = -acceleration;
    biped_go(&walk, DT, 0, speed, 0);
    double way = walk.biped.hip_phase - before;
    way -= 2 * floor(0.5 * way);
    if (!(way > 0 && way <= 3.2 * DT))
      fail_msg("%.4f steps/s at %.2f m/s after %.2f s", way / DT, speed, k * DT);
  }
}

static double pelvis_pitch(void) {
  vec3s up = glms_quat_rotatev(walk.pose.rotation[0], (vec3s){{0, 1, 0}});
  return atan2((double)up.z, (double)up.y) / RAD_PER_DEGREE;
}

// At 1 m/s^2, beyond what the pelvis does without leaning.
static void leans_as_it_speeds_up(void **state) {
  (void)state;
  double pitch[2];
  for (int i = 0; i < 2; i++) {
    double speed = 0.8;
    biped_start_at(&walk, man, i ? "{lean: 0}" : "", DT, speed);
    for (int k = 0; k < 288; k++)
      biped_go(&walk, DT, 0, speed += DT, 0);
    pitch[i] = pelvis_pitch();
  }
  assert_near(pitch[0] - pitch[1], 5.8, 0.3);

  // To the side it leans as well, and no farther than the limit.
  biped_start_at(&walk, man, "", DT, 3);
  for (int k = 0; k < 480; k++)
    biped_go(&walk, DT, 3 * sin(walk.step.heading), 3 * cos(walk.step.heading), 2);
  double lean = hypot(walk.biped.lean[0].value, walk.biped.lean[1].value) / RAD_PER_DEGREE;
  assert_in_range((int)lround(lean * 100), 1400, 1500);
}

static void lowest_in_double_support(void **state) {
  (void)state;
  for (double speed = 0.8; speed < 1.8; speed += 0.25) {
    biped_start_at(&walk, man, "", DT, speed);
    double lowest = INFINITY, at = 0, middle = 0.5 * (walk.biped.gait.duty - 0.5);
    for (int k = 0; k < (int)(2 / walk.biped.gait.cadence / DT); k++) {
      biped_go(&walk, DT, 0, speed, 0);
      if ((double)walk.pose.position[0].y >= lowest)
        continue;
      lowest = (double)walk.pose.position[0].y;
      at = fmod(walk.biped.feet[0].phase, 0.5);
    }
    assert_near(remainder(at - middle, 0.5), 0, 0.05);
  }
}

// ---- Plans and records ----

static void test_plans(void **state) {
  (void)state;
  double height = 0.4;
  biped_start_at(&walk, man, "", DT, 1.3);
  walk.step.root_position[1] = height; // a platform rises
  double planned[2] = {0, 0};
  bool swung = false;
  for (int k = 0; k < 600; k++) {
    biped_go(&walk, DT, 0, 1.3, 0);
    const FootPlan *plan = &walk.plans[0];
    assert_true(plan->known && !plan->on_ground);
    assert_true(plan->progress >= 0 && plan->progress <= 1 && plan->time_left <= 0.6);
    vec3s sole = shown_sole(&walk, 0);
    if (plan->standing) {
      assert_near(plan->progress, 1, 0);
      assert_true((double)sole.y >= height - 1e-4);
      if (swung) // it stands where it was to land
        assert_near(hypot(plan->landing[0] - planned[0], plan->landing[1] - planned[1]), 0, 1e-3);
    }
    swung = !plan->standing;
    memcpy(planned, plan->landing, sizeof planned);
  }
  walk.step.plans = NULL;
  biped_go_on(&walk, DT, 0.1, 1.3);
}

static void test_read(void **state) {
  (void)state;
  Error error = {0};
  BipedDef def;
  assert_true(read_biped(&def, &man->skeleton, "", &error));
  assert_int_equal(def.spine_count, 2);
  assert_int_equal(def.arm_count, 2);
  assert_string_equal(man->skeleton.names[def.spine[1].joint], "chest");
  assert_string_equal(man->skeleton.names[def.head.joint], "head");
  assert_near(def.size, 1, 0.005);
  assert_true(def.legs[0].side > 0 && def.legs[1].side < 0);
  assert_false(read_biped(&def, &man->skeleton, "{cadence: 3}", &error));
  assert_non_null(strstr(error.text, "biped.yaml:1:"));
  assert_non_null(strstr(error.text, "0.5 to 2"));
  Skeleton one = man->skeleton;
  one.leg_count = 1;
  error = (Error){0};
  assert_false(read_biped(&def, &one, "{cadence: 1}", &error));
  if (!strstr(error.text, "has 1 legs, a biped has two"))
    fail_msg("%s", error.text);
}

// The feet in the trace and in the picture are those of the pose.
static void test_recorded_and_drawn(void **state) {
  (void)state;
  enum { PHASE, PLANTED, PROGRESS, LIFT, PITCH, STRETCH, CHANNELS };
  static DebugDraw draw;
  int swings = 0;
  biped_start_at(&walk, man, "", DT, 1.3);
  assert_int_equal(biped_layer.rows(&walk.def), BIPED_LEGS);
  for (int k = 0; k < 120; k++) {
    biped_go(&walk, DT, 0, 1.3, 0);
    float values[CHANNELS][BIPED_LEGS];
    for (int c = 0; c < CHANNELS; c++)
      biped_layer.record(&walk.def, &walk.biped, c, values[c]);
    debug_clear(&draw);
    biped_layer.debug(&walk.def, &walk.biped, &walk.step, &draw);
    int arrows = 0, swinging = 0;
    for (int i = 0; i < draw.count; i++)
      arrows += draw.items[i].shape == DEBUG_ARROW;
    for (int leg = 0; leg < BIPED_LEGS; leg++) {
      assert_string_equal(biped_layer.row_name(&walk.def, &walk.skeleton, leg), leg == 0 ? "left" : "right");
      bool planted = values[PLANTED][leg] == 1;
      swinging += !planted;
      assert_true(values[PHASE][leg] >= 0 && values[PHASE][leg] < 1);
      assert_true(planted ? values[LIFT][leg] == 0 : values[PROGRESS][leg] >= 0 && values[PROGRESS][leg] <= 1);
      assert_near(values[STRETCH][leg], shown_stretch(&walk, leg), 1e-4);
      float lowest = fminf(shown_point(&walk, leg, walk.skeleton.legs[leg].heel_l).y,
                           shown_point(&walk, leg, walk.skeleton.legs[leg].toe_l).y);
      assert_near(values[LIFT][leg] + walk.biped.feet[leg].extra, lowest, 1e-4); // lifted into reach
    }
    assert_int_equal(arrows, swinging);
    swings += swinging;
  }
  assert_true(swings > 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_arc),
      cmocka_unit_test(both_modes),
      cmocka_unit_test(continuous_at_pin_and_unpin),
      cmocka_unit_test(velocity_at_lift_off),
      cmocka_unit_test(closing_speed_at_landing),
      cmocka_unit_test(landing_place),
      cmocka_unit_test(phases),
      cmocka_unit_test(bounce_and_sway),
      cmocka_unit_test(still_at_rest),
      cmocka_unit_test(stops_and_sets_out_by_speed_and_turn),
      cmocka_unit_test(turns_begin_with_the_foot_of_their_side),
      cmocka_unit_test(side_steps_begin_with_the_foot_of_their_side),
      cmocka_unit_test(phase_goes_on),
      cmocka_unit_test(leans_as_it_speeds_up),
      cmocka_unit_test(lowest_in_double_support),
      cmocka_unit_test(test_plans),
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_recorded_and_drawn),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
