// The idle randomizer: draws, easing, holds, overlays, and that it does not repeat itself.
#include "anim/graph/idle.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 60;

static IdleDef defaults(void) {
  IdleDef def;
  param_defaults(&idle_params, &def);
  return def;
}

// ---- Draws ----

enum { BINS = 20 };

// For uniform draws, chi squared of 20 bins is above 36.2 once in 100 times.
static void assert_uniform(const double *draws, int count, const double range[2]) {
  int bins[BINS] = {0};
  for (int i = 0; i < count; i++) {
    assert_true(draws[i] >= range[0] && draws[i] <= range[1]);
    int bin = (int)((draws[i] - range[0]) / (range[1] - range[0]) * BINS);
    bins[bin < BINS ? bin : BINS - 1]++;
  }
  double expected = (double)count / BINS, sum = 0;
  for (int i = 0; i < BINS; i++)
    sum += (bins[i] - expected) * (bins[i] - expected) / expected;
  assert_true(sum < 36.2);
}

static double mean(const double *draws, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += draws[i] / count;
  return sum;
}

// 10 000 draws of everything, and their means.
static void test_draws(void **state) {
  (void)state;
  enum { DRAWS = 10000 };
  static double target[DRAWS], transition[DRAWS], hold[DRAWS];
  IdleDef def = defaults();
  static Idle idle;
  idle_init(&idle, &def, 11, "draws");
  const double *targets[] = {def.shift, def.look_x, def.look_y, def.overlay};
  const double *times[] = {def.shift_time, def.look_time, def.look_time, def.overlay_time};
  const double *holds[] = {def.shift_hold, def.look_hold, def.look_hold, def.overlay_hold};
  for (int k = 0; k < 4; k++) {
    IdleChannel *channel = k == 0 ? &idle.shift : k == 3 ? &idle.overlay : &idle.look;
    double begin = -1;
    for (int n = 0; n < DRAWS;) {
      idle_step(&idle, 1, 1);
      if (channel->begin == begin)
        continue;
      begin = channel->begin;
      target[n] = channel->target[k == 2];
      transition[n] = channel->transition;
      hold[n++] = channel->hold;
    }
    assert_uniform(target, DRAWS, targets[k]);
    assert_uniform(transition, DRAWS, times[k]);
    assert_uniform(hold, DRAWS, holds[k]);
    double middle = (targets[k][0] + targets[k][1]) / 2;
    assert_true(fabs(mean(target, DRAWS) - middle) < 0.05 * fmin(1, targets[k][1] - middle));
  }
}

// The first draws of the article have ranges of their own, without a reason; here they have those of all others.
static void test_first_draw(void **state) {
  (void)state;
  IdleDef def = defaults();
  static Idle idle;
  for (uint64_t seed = 0; seed < 200; seed++) {
    idle_init(&idle, &def, seed, "first");
    assert_true(idle.shift.value[0] == 0 && idle.look.value[0] == 0 && idle.overlay.value[0] == 0);
    idle_step(&idle, 2, 0);
    assert_true(fabs(idle.shift.target[0]) <= 0.8);
    assert_true(idle.shift.transition >= 3 && idle.shift.transition < 5);
    assert_true(idle.look.transition >= 2 && idle.look.transition < 4);
    assert_true(idle.shift.value[0] == 0 && idle.shift.velocity[0] == 0);
  }
}

// What may be requested is what the published clamps allow.
static void test_clamps(void **state) {
  (void)state;
  const Param *x = param_find(&idle_params, "look_x"), *y = param_find(&idle_params, "look_y");
  const Param *shift = param_find(&idle_params, "shift");
  assert_true(x->min == -0.9 && x->max == 0.9 && y->min == -0.2 && y->max == 0.2);
  assert_true(shift->min == -1 && shift->max == 1);
}

// ---- Time ----

// The same seed and name give the same idle, bit for bit; another one another.
static void test_same_seed(void **state) {
  (void)state;
  IdleDef def = defaults();
  static Idle a, b, other, named;
  idle_init(&a, &def, 5, "ann");
  idle_init(&b, &def, 5, "ann");
  idle_init(&other, &def, 6, "ann");
  idle_init(&named, &def, 5, "bob");
  for (int n = 0; n < 36000; n++) {
    idle_step(&a, 3, DT);
    idle_step(&b, 3, DT);
    idle_step(&other, 3, DT);
    idle_step(&named, 3, DT);
    assert_memory_equal(&a.shift.value, &b.shift.value, sizeof a.shift.value);
    assert_memory_equal(&a.look.value, &b.look.value, sizeof a.look.value);
    assert_memory_equal(&a.overlay.value, &b.overlay.value, sizeof a.overlay.value);
    assert_int_equal(a.overlay_index, b.overlay_index);
  }
  assert_true(a.shift.target[0] != other.shift.target[0] && a.shift.target[0] != named.shift.target[0]);
}

// The same idle in steps of any length, and if other channels draw more or less.
static void test_step_length(void **state) {
  (void)state;
  IdleDef def = defaults(), busy = defaults();
  busy.look_time[0] = busy.look_time[1] = 0.5;
  static Idle fast, slow;
  idle_init(&fast, &def, 5, "ann");
  idle_init(&slow, &busy, 5, "ann");
  for (int n = 1; n <= 240 * 300; n++) {
    idle_step(&fast, 3, 1.0 / 240);
    if (n % 8)
      continue;
    idle_step(&slow, 3, 1.0 / 30);
    assert_true(fabs(fast.shift.value[0] - slow.shift.value[0]) < 1e-9);
    assert_true(fabs(fast.overlay.value[0] - slow.overlay.value[0]) < 1e-9);
  }
  idle_step(&fast, 3, -1); // nothing happens
  idle_step(&fast, 3, (double)NAN);
  assert_true(fabs(fast.shift.value[0] - slow.shift.value[0]) < 1e-9);
}

// ---- Motion ----

// The channel's values between two steps: no faster than 15/8 of the mean speed, velocity continuous and the
// derivative of the value (C1).
static void check_channel(const IdleChannel *now, const IdleChannel *before, double dt) {
  for (int k = 0; k < now->width; k++) {
    double way = fabs(now->target[k] - now->from[k]), way_before = fabs(before->target[k] - before->from[k]);
    double fastest = 1.875 * fmax(way / now->transition, before->transition > 0 ? way_before / before->transition : 0);
    double speed = (now->value[k] - before->value[k]) / dt;
    assert_true(fabs(speed) <= fastest + 1e-6);
    assert_true(fabs(now->velocity[k]) <= fastest + 1e-6);
    assert_true(fabs(speed - (now->velocity[k] + before->velocity[k]) / 2) < 1e-3);
    // The largest acceleration is 5.78 way/T^2.
    double bend = 5.78 * fmax(way / (now->transition * now->transition),
                              before->transition > 0 ? way_before / (before->transition * before->transition) : 0);
    assert_true(fabs(now->velocity[k] - before->velocity[k]) <= bend * dt + 1e-6);
  }
}

// Held exactly, at rest; no faster than allowed and continuous in velocity, in all channels; the overlay changes only
// while nothing of it shows.
static void test_motion(void **state) {
  (void)state;
  IdleDef def = defaults();
  static Idle idle, before;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    idle_init(&idle, &def, seed, "motion");
    idle_step(&idle, 3, DT);
    int holding = 0, switches = 0;
    for (int n = 0; n < 36000; n++) {
      before = idle;
      idle_step(&idle, 3, DT);
      check_channel(&idle.shift, &before.shift, DT);
      check_channel(&idle.look, &before.look, DT);
      check_channel(&idle.overlay, &before.overlay, DT);
      assert_true(fabs(idle.shift.value[0]) <= 0.8 && fabs(idle.look.value[0]) <= 0.8);
      assert_true(fabs(idle.look.value[1]) <= 0.15 && idle.overlay.value[0] >= 0 && idle.overlay.value[0] <= 1);
      if (idle.shift.age >= idle.shift.transition) {
        assert_true(idle.shift.value[0] == idle.shift.target[0] && idle.shift.velocity[0] == 0);
        holding++;
      }
      if (idle.overlay_index != before.overlay_index) {
        assert_true(idle.overlay.value[0] == 0);
        switches++;
      }
      assert_true(idle.overlay_index >= 0 && idle.overlay_index < 3);
    }
    assert_true(holding > 36000 * 0.35 && holding < 36000 * 0.6); // 3.5 of 7.5 s
    assert_true(switches > 20 && switches < 80);
  }
}

// A single overlay never has to replace another one.
static void test_one_or_no_overlay(void **state) {
  (void)state;
  IdleDef def = defaults();
  def.overlay[0] = 0.5;
  static Idle idle;
  for (int count = 0; count < 2; count++) {
    idle_init(&idle, &def, 3, "overlay");
    for (int n = 0; n < 36000; n++) {
      idle_step(&idle, count, DT);
      assert_int_equal(idle.overlay_index, 0);
      assert_true(n < 600 || idle.overlay.value[0] >= 0.5);
    }
  }
}

// ---- Not repeating ----

// The largest autocorrelation over lags from..to (samples) of all samples, or of the local peaks only.
static double autocorrelation(const double *x, int count, int from, int to, bool peaks) {
  static double r[36001];
  double middle = mean(x, count), square = 0, largest = 0;
  for (int i = 0; i < count; i++)
    square += (x[i] - middle) * (x[i] - middle);
  for (int lag = from - 1; lag <= to + 1; lag++) {
    double sum = 0;
    for (int i = lag; i < count; i++)
      sum += (x[i] - middle) * (x[i - lag] - middle);
    r[lag] = sum / square;
  }
  for (int lag = from; lag <= to; lag++) {
    bool peak = r[lag] > r[lag - 1] && r[lag] > r[lag + 1];
    if (peaks ? peak && r[lag] > largest : fabs(r[lag]) > largest)
      largest = fabs(r[lag]);
  }
  return largest;
}

// Over 10 minutes no peak above 0.2 beyond 5 s, in any channel of any of 25 seeds. Independent draws fail this in 4
// of 10 runs, which is why targets are chosen against repetition.
static void test_ten_minutes_do_not_repeat(void **state) {
  (void)state;
  enum { RATE = 4, COUNT = 600 * RATE };
  static double x[4][COUNT];
  static Idle idle;
  IdleDef def = defaults();
  double worst[4] = {0};
  for (uint64_t seed = 1; seed <= 25; seed++) {
    idle_init(&idle, &def, seed, "repeat");
    for (int n = 0; n < COUNT; n++) {
      idle_step(&idle, 1 + (int)(seed % 3), 1.0 / RATE);
      x[0][n] = idle.shift.value[0];
      x[1][n] = idle.look.value[0];
      x[2][n] = idle.look.value[1];
      x[3][n] = idle.overlay.value[0];
    }
    for (int k = 0; k < 4; k++)
      worst[k] = fmax(worst[k], autocorrelation(x[k], COUNT, 5 * RATE, COUNT / 2, true));
  }
  if (getenv("SHOW_FIGURES"))
    printf("largest peaks: shift %.3f, look %.3f and %.3f, overlay %.3f\n", worst[0], worst[1], worst[2], worst[3]);
  for (int k = 0; k < 4; k++)
    assert_true(worst[k] < 0.2);
}

// Gestures do not repeat themselves, and means hold, over an hour.
static void test_an_hour(void **state) {
  (void)state;
  enum { COUNT = 3600 };
  static double x[COUNT], looks[2][COUNT];
  static Idle idle;
  IdleDef def = defaults();
  for (uint64_t seed = 1; seed <= 10; seed++) {
    idle_init(&idle, &def, seed, "hour");
    for (int n = 0; n < COUNT; n++) {
      idle_step(&idle, 2, 1);
      x[n] = idle.shift.value[0];
      looks[0][n] = idle.look.value[0];
      looks[1][n] = idle.look.value[1];
    }
    assert_true(autocorrelation(x, COUNT, 20, 120, false) < 0.2);
    assert_true(fabs(mean(x, COUNT)) < 0.05);
    assert_true(fabs(mean(looks[0], COUNT)) < 0.05 && fabs(mean(looks[1], COUNT)) < 0.05);
  }
}

// ---- As published ----
// Speed = (target - current)/transition; after the transition it falls by 2 per s^2: the value goes v^2/4 beyond its
// target. The face's snap to its target tests the weight shift's time.

// The published formulas do not hold a value exactly.
static void test_published_weight_overshoots(void **state) {
  (void)state;
  const double dt = 1e-4;
  for (int n = 1; n <= 8; n++) {
    double target = 0.1 * n, transition = 1 + 0.1 * n, speed = target / transition, v = speed, x = 0, t = 0;
    for (; t < transition; t += dt)
      x += v * dt;
    for (; v > 0; v -= 2 * dt)
      x += v * dt;
    assert_true(fabs(x - target - speed * speed / 4) < 2e-3 * speed);
  }
}

// The published face breaks the rule that holds here; its test must fail.
static void test_published_face_jumps(void **state) {
  (void)state;
  static Idle idle;
  IdleDef def = defaults();
  idle_init(&idle, &def, 1, "face");
  double x = 0, timer = 0, shift_timer = 0, largest_excess = 0;
  idle_step(&idle, 1, 0);
  for (int n = 0; n < 36000; n++) {
    Idle before = idle;
    idle_step(&idle, 1, DT);
    timer = before.overlay.begin == idle.overlay.begin ? timer + DT : 0;
    shift_timer = before.shift.begin == idle.shift.begin ? shift_timer + DT : 0;
    double speed = (idle.overlay.target[0] - idle.overlay.from[0]) / idle.overlay.transition, was = x;
    if (shift_timer > idle.shift.transition) // the wrong timer
      x = idle.overlay.target[0];
    else if (timer < idle.overlay.transition)
      x += speed * DT;
    largest_excess = fmax(largest_excess, fabs(x - was) / DT - fabs(speed));
  }
  assert_true(largest_excess > 10); // per second; a jump of a sixth and more in one step
}

// An overlay fades when less than the idle is shown, without a jump, and the next one does not come at once.
static void test_overlays_are_interrupted(void **state) {
  (void)state;
  IdleDef def = defaults();
  static Idle idle;
  idle_init(&idle, &def, 3, "interrupted");
  while (idle_overlay_weight(&idle, 0) < 0.5)
    idle_step(&idle, 1, DT);
  double before = idle_overlay_weight(&idle, 0);
  for (int i = 0; i < 20; i++) {
    idle_show(&idle, 0.6, DT);
    idle_step(&idle, 1, DT);
    double weight = idle_overlay_weight(&idle, 0);
    assert_true(before - weight < 0.1);
    before = weight;
  }
  assert_true(before == 0);
  double rest = 0;
  while (idle_overlay_weight(&idle, 0) == 0 && rest < 60) {
    idle_show(&idle, 1, DT);
    idle_step(&idle, 1, DT);
    rest += DT;
  }
  assert_true(rest > def.overlay_time[0] - DT && rest < def.overlay_time[1] + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_draws),
      cmocka_unit_test(test_first_draw),
      cmocka_unit_test(test_clamps),
      cmocka_unit_test(test_same_seed),
      cmocka_unit_test(test_step_length),
      cmocka_unit_test(test_motion),
      cmocka_unit_test(test_one_or_no_overlay),
      cmocka_unit_test(test_ten_minutes_do_not_repeat),
      cmocka_unit_test(test_an_hour),
      cmocka_unit_test(test_published_weight_overshoots),
      cmocka_unit_test(test_published_face_jumps),
      cmocka_unit_test(test_overlays_are_interrupted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
