// Quiet standing: the centre of pressure sways as people's does, by the seed, and not at all by default.
#include "sim/base/numbers.h"
#include "tests/fixture.h"

enum { RATE = 30, SECONDS = 60, SAMPLES = RATE * SECONDS };

// Centre of pressure of 48 young adults, eyes open, firm ground, 60 s: mean and standard deviation over 144 trials
// (Santos and Duarte 2016, PeerJ 4:e2648, data set BDS, low-passed at 10 Hz).
static const double AREA[2] = {3.069, 4.049};      // cm^2 of the 95 % ellipse
static const double VELOCITY[2] = {0.909, 0.302};  // cm/s
static const double FREQUENCY[2] = {0.236, 0.089}; // Hz

static void start(Fixture *f, double sway) {
  fixture_init(f);
  f->world_def.dt = 1.0 / 120;
  f->character_def.balance.enabled = true;
  f->character_def.balance.sway = sway;
  fixture_start(f);
}

static void step(Fixture *f) {
  if (!fixture_step(f))
    fail_msg("%s", f->world->stop_reason);
}

// The centre of pressure, averaged over 1/RATE s: ahead and left, m.
static void next_pressure(Fixture *f, double pressure[2]) {
  double sum[2] = {0}, load = 0;
  for (int i = 0; i < (int)(1 / (f->world_def.dt * RATE) + 0.5); i++) {
    step(f);
    for (int k = 0; k < f->world->contact_count; k++) {
      const Contact *contact = &f->world->contacts[k];
      sum[0] += contact->impulse[1] * contact->position[2];
      sum[1] += contact->impulse[1] * contact->position[0];
      load += contact->impulse[1];
    }
  }
  pressure[0] = sum[0] / load;
  pressure[1] = sum[1] / load;
}

// Measures of the centre of pressure as Prieto et al. define them (1996, IEEE Trans. Biomed. Eng. 43:956-966).
typedef struct Sway {
  double velocity;     // m/s along the path
  double area;         // m^2 of the ellipse that holds 95 %
  double frequency;    // Hz: of a circle of the mean distance at that velocity
  double ahead, aside; // m: standard deviations
} Sway;

static Sway measure(double pressure[SAMPLES][2]) {
  double mean[2] = {0}, c[3] = {0}, distance = 0, path = 0;
  for (int i = 0; i < SAMPLES; i++)
    for (int k = 0; k < 2; k++)
      mean[k] += pressure[i][k] / SAMPLES;
  for (int i = 0; i < SAMPLES; i++) {
    double a = pressure[i][0] - mean[0], b = pressure[i][1] - mean[1];
    c[0] += a * a / SAMPLES;
    c[1] += b * b / SAMPLES;
    c[2] += a * b / SAMPLES;
    distance += hypot(a, b) / SAMPLES;
    if (i > 0)
      path += hypot(pressure[i][0] - pressure[i - 1][0], pressure[i][1] - pressure[i - 1][1]);
  }
  Sway sway = {.velocity = path / SECONDS, .ahead = sqrt(c[0]), .aside = sqrt(c[1])};
  sway.area = M_PI * 5.991 * sqrt(c[0] * c[1] - c[2] * c[2]); // chi^2 of two at 95 %
  sway.frequency = sway.velocity / (2 * M_PI * distance);
  return sway;
}

static bool is_human(double value, const double band[2]) { return fabs(value - band[0]) < band[1]; }

static void sways_as_people_do(void **state) {
  (void)state;
  static double pressure[SAMPLES][2];
  Fixture f;
  start(&f, 1);
  for (int i = 0; i < 600; i++)
    step(&f);
  const Balancer *balance = &f.character->balance;
  double feet[2][3], moved = 0;
  for (int i = 0; i < 2; i++)
    memcpy(feet[i], balance->feet[i].sole, sizeof feet[i]);
  for (int i = 0; i < SAMPLES; i++) {
    next_pressure(&f, pressure[i]);
    assert_false(f.character->sensed.fallen);
  }
  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 3; axis++)
      moved = fmax(moved, fabs(balance->feet[i].sole[axis] - feet[i][axis]));
  Sway sway = measure(pressure);
  double area = sway.area * 1e4, velocity = sway.velocity * 100;
  print_message("%.2f cm^2, %.2f cm/s, %.2f Hz, %.1f mm ahead, %.1f mm aside\n", area, velocity, sway.frequency,
                1000 * sway.ahead, 1000 * sway.aside);
  assert_true(is_human(area, AREA) && area > 0.9); // their distribution is skewed: a quiet one of them has 0.94
  assert_true(is_human(velocity, VELOCITY));
  assert_true(is_human(sway.frequency, FREQUENCY));
  assert_true(sway.ahead > sway.aside);
  assert_int_equal(balance->steps + balance->realigning_steps, 0);
  assert_true(moved < 1e-4);
  fixture_end(&f);
}

// Two men side by side sway independently, and each in the same way again; without the parameter neither does.
static void sway_depends_on_seed_and_index(void **state) {
  (void)state;
  double place[4][2];
  for (int i = 0; i < 4; i++) {
    Fixture f;
    Error error = {0};
    start(&f, i == 3 ? 0 : 1);
    if (i == 2) { // another man in the same world
      character_destroy(f.character);
      f.character = character_create(&f.character_def, f.world, terrain_ground(f.terrain), NULL, 0, 1, &error);
      fixture_check(&error);
    }
    for (int k = 0; k < 240; k++)
      step(&f);
    place[i][0] = f.character->sensed.com[0];
    place[i][1] = f.character->sensed.com[2];
    if (i == 3)
      assert_true(fabs(f.character->sensed.com[0]) < 1e-6);
    fixture_end(&f);
  }
  assert_memory_equal(place[0], place[1], sizeof place[0]);
  assert_true(fabs(place[0][0] - place[2][0]) > 1e-5 && fabs(place[0][1] - place[2][1]) > 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sways_as_people_do),
      cmocka_unit_test(sway_depends_on_seed_and_index),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
