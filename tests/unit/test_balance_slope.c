// Slopes: a body starts with its soles flat on them, knows how steep they are in any step, and uphill lands on its toes
// where its ankle would come to the end of its range.
#include "anim/layers/foot_plan.h"
#include "tests/unit/balance_walker.h"

// ---- The start ----

typedef struct Start {
  TerrainKind kind;
  double pitch, heading; // deg
} Start;

static void start_on(Fixture *at, const Start *start) {
  fixture_init(at);
  at->terrain_def.kind = (int)start->kind;
  at->terrain_def.pitch = start->pitch;
  at->terrain_def.start = -10;
  at->character_def.start.heading = start->heading;
  at->character_def.balance.enabled = true;
  fixture_start(at);
}

// m: the height of a point over the terrain.
static double over(const Fixture *at, vec3s point) {
  double height;
  assert_true(terrain_height(at->terrain, (double)point.x, (double)point.z, &height, NULL));
  return (double)point.y - height;
}

static FootPoints sole_of(const Fixture *at, int leg) {
  const Skeleton *skeleton = &at->body->skeleton;
  ModelPose model;
  pose_to_model(skeleton, &at->character->sensed.pose, &model);
  int ankle = skeleton->legs[leg].ankle;
  return foot_points(&skeleton->legs[leg], model.position[ankle], model.rotation[ankle]);
}

// Up, down and across: heel, toes and both sides of the soles are on the ground, and the ankles over the places that
// they have on level ground. A leg reaches 99.9 % of its length, which is 1 mm short.
static void soles_start_flat_on_a_slope(void **state) {
  (void)state;
  const Start starts[] = {{TERRAIN_SLOPE, 20, 0},   {TERRAIN_SLOPE, 20, 180}, {TERRAIN_SLOPE, 12, 90},
                          {TERRAIN_SLOPE, -15, 40}, {TERRAIN_SLOPE, 8, -130}, {TERRAIN_SLOPE, 1, 0}};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    Fixture level, sloped;
    start_on(&level, &(Start){TERRAIN_FLAT, 0, starts[i].heading});
    start_on(&sloped, &starts[i]);
    for (int leg = 0; leg < 2; leg++) {
      const FootPoints sole = sole_of(&sloped, leg), flat = sole_of(&level, leg);
      const float half_width = sloped.body->skeleton.legs[leg].half_width;
      for (int side = -1; side <= 1; side++) {
        vec3s aside = glms_vec3_scale(sole.left, (float)side * half_width);
        assert_near(over(&sloped, glms_vec3_add(sole.heel, aside)), 0, 2e-3);
        assert_near(over(&sloped, glms_vec3_add(sole.toe, aside)), 0, 2e-3);
      }
      assert_true((double)glms_vec3_distance((vec3s){{sole.sole.x, 0, sole.sole.z}},
                                             (vec3s){{flat.sole.x, 0, flat.sole.z}}) < 0.03);
    }
    const double ground = sloped.character->root.position[1];
    const double sunk =
        (double)(level.character->sensed.pose.position[0].y - sloped.character->sensed.pose.position[0].y) + ground;
    const double side = fabs(sin(starts[i].heading * M_PI / 180) * tan(starts[i].pitch * M_PI / 180));
    assert_near(sunk, 0.09 * side, 0.025); // to the lower foot, 9 cm from the middle
    fixture_end(&sloped);
    fixture_end(&level);
  }
}

static void assert_same_start(const Fixture *a, const Fixture *b) {
  assert_memory_equal(&a->character->sensed.pose.position[0], &b->character->sensed.pose.position[0], sizeof(vec3s));
  assert_memory_equal(a->character->sensed.pose.rotation, b->character->sensed.pose.rotation,
                      sizeof(versors) * (size_t)a->body->part_count);
}

// Who stands across an edge, starts in the air or does not balance has the pose of his animation.
static void others_start_as_they_are(void **state) {
  (void)state;
  Fixture level, edge;
  start_on(&level, &(Start){TERRAIN_FLAT, 0, 0});
  fixture_init(&edge);
  edge.terrain_def.kind = TERRAIN_KERB;
  edge.terrain_def.rise = -0.1;
  edge.terrain_def.start = 0.05;
  edge.character_def.balance.enabled = true;
  fixture_start(&edge);
  assert_same_start(&edge, &level);
  fixture_end(&edge);
  for (int i = 0; i < 2; i++) {
    fixture_init(&edge);
    edge.terrain_def.kind = TERRAIN_SLOPE;
    edge.terrain_def.pitch = 10;
    edge.terrain_def.start = -10;
    edge.character_def.balance.enabled = i == 0;
    edge.character_def.start.position[1] = i == 0 ? 1 : 0;
    fixture_start(&edge);
    edge.character->sensed.pose.position[0].y = level.character->sensed.pose.position[0].y;
    assert_same_start(&edge, &level);
    fixture_end(&edge);
  }
  fixture_end(&level);
}

// ---- The step ----

// The walker about to land so far ahead, m, on a slope.
static Balancer on_slope(double slope, double ahead) {
  Balancer balance = walker;
  const double length = sqrt(1 + slope * slope);
  balance.speed.z = 0.3;
  balance.landing.ankle[1] += ahead * slope;
  balance.landing.ankle[2] = ahead;
  balance.landing.sloped = true;
  balance.landing.normal[1] = 1 / length;
  balance.landing.normal[2] = -slope / length;
  return balance;
}

// A step of less than 15 cm is too short to measure the slope from foot to foot; the ground's is taken.
static void short_steps_know_the_slope(void **state) {
  (void)state;
  const double ahead[] = {-0.3, -0.05, 0, 0.05, 0.09, 0.3};
  for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      Balancer balance = on_slope(sign * 0.25, ahead[i]);
      assert_near(balance_slope_ahead(&balance), sign * 0.25, 1e-12);
      balance.landing.sloped = false;
      assert_near(balance_slope_ahead(&balance), 0, 0);
    }
}

// rad: between shin and sole, from upright, of a leg whose foot lies flat on a slope: the knee is where two circles
// meet.
static double bend_of(const BalanceLeg *leg, double hip_ahead, double hip_up, double slope) {
  const double distance = hypot(hip_ahead, hip_up);
  const double along = (leg->shin * leg->shin - leg->thigh * leg->thigh + distance * distance) / (2 * distance);
  const double aside = sqrt(leg->shin * leg->shin - along * along);
  const double knee_ahead = (along * hip_ahead + aside * hip_up) / distance;
  const double knee_up = (along * hip_up - aside * hip_ahead) / distance;
  const double length = sqrt(1 + slope * slope);
  return acos((knee_up - slope * knee_ahead) / (leg->shin * length)); // to the ground's normal
}

// Uphill the toes point down by what the ankle would be bent over 0.59 rad, at most by 0.4 rad; not downhill.
static void uphill_a_foot_lands_on_its_toes(void **state) {
  (void)state;
  const double slopes[] = {0.1, 0.25, 0.36, 0.55}, ahead[] = {0.12, 0.2, 0.3}, speeds[] = {0, 0.3};
  int level = 0, between = 0, most = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      for (int m = 0; m < 2; m++) {
        Balancer balance = on_slope(slopes[i], ahead[k]);
        balance.feet[BALANCE_LEFT].hip[1] = 0.8;
        balance.velocity[2] = speeds[m];
        const double hip_ahead = 0.2 * speeds[m] - ahead[k], hip_up = 0.8 - balance.landing.ankle[1];
        const double over_most = bend_of(&balance.body.legs[BALANCE_LEFT], hip_ahead, hip_up, slopes[i]) - 0.59;
        const double wanted = fmax(0, fmin(0.4, over_most));
        assert_near(balance_landing_pitch(&balance), wanted, 1e-9);
        level += wanted == 0;
        most += wanted == 0.4;
        between += wanted > 0 && wanted < 0.4;
        balance.landing.sloped = false;
        assert_near(balance_landing_pitch(&balance), 0, 0);
        balance.landing.sloped = true;
        balance.speed.z = -0.3;
        assert_near(balance_landing_pitch(&balance), 0, 0);
      }
  assert_true(level > 0 && between > 0 && most > 0);
  Balancer down = on_slope(-0.36, 0.3);
  assert_near(balance_landing_pitch(&down), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(soles_start_flat_on_a_slope),
      cmocka_unit_test(others_start_as_they_are),
      cmocka_unit_test(short_steps_know_the_slope),
      cmocka_unit_test(uphill_a_foot_lands_on_its_toes),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
