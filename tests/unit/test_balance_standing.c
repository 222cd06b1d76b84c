// A balancing body on both feet: where it wants to stand, how its feet share the weight, how high it stands, and how it
// leans on a cable.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double H = 0.004; // s

static Fixture f;
static Balancer calm; // stands at its goal, facing +z, feet 20 cm apart
static JointGoal goals[BODY_MAX_PARTS];

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  calm = f.character->balance;
  calm.body.length = calm.body.time = calm.body.force = 1;
  calm.mode = BALANCE_STANDING;
  calm.shifting_to_swing = -1;
  calm.pelvis = glms_quat_identity();
  calm.reference = calm.xi = (Plane2){.x = 0, .z = 0.05 + calm.def.standing_place};
  for (int axis = 0; axis < 3; axis++)
    calm.velocity[axis] = calm.tilt[axis] = 0;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double x = i == BALANCE_LEFT ? 0.1 : -0.1;
    calm.feet[i] = (BalanceFoot){.hip = {x, 0.9, 0},
                                 .knee = {x, 0.5, 0},
                                 .ankle = {x, 0.08, 0},
                                 .place = {x, 0.08, 0},
                                 .sole = {x, 0, 0.05},
                                 .loaded = true};
  }
  calm.com[0] = 0, calm.com[1] = 1, calm.com[2] = calm.reference.z;
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static BalanceStep stand(Balancer *balance) {
  memset(goals, 0, sizeof goals);
  BalanceStep step = {.balance = balance,
                      .ragdoll = f.character->ragdoll,
                      .ground = &f.character->ground,
                      .h = H,
                      .goals = goals,
                      .pelvis = glms_quat_identity()};
  balance_stand(&step);
  return step;
}

static void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

// ---- Where it wants to stand ----

// The reference goes to its place with a time constant of 0.35 s, after a step that caught the body with 0.12 s:
// between the feet; before a step 3.3 cm inward of the sole that will carry; with staggered feet over the one nearer to
// xi. After a step it goes at 7 cm/s at most, until a foot is to be unloaded or it would be slower anyway.
static void reference_goes_to_its_place(void **state) {
  (void)state;
  const struct {
    int swing;
    bool recovering, staggered;
    double xi, x, z, time; // where it goes, in which time
  } cases[] = {{-1, false, false, 0, 0, 0.05 - 0.013, 0.35},  {0, false, false, 0, -0.1 + 0.033, 0.05, 0.35},
               {1, false, false, 0, 0.1 - 0.033, 0.05, 0.35}, {0, true, false, 0, -0.1 + 0.033, 0.05, 0.12},
               {-1, true, false, 0, 0, 0.05 - 0.013, 0.35},   {-1, false, true, 0.01, 0.1, 0.05, 0.35},
               {-1, false, true, -0.01, -0.1, 0.05, 0.35}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int settling = 0; settling < 2; settling++) {
      Balancer balance = calm;
      balance.reference = (Plane2){.x = 0.03, .z = -0.02};
      balance.xi.x = cases[i].xi;
      balance.shifting_to_swing = cases[i].swing;
      balance.recovering = cases[i].recovering;
      balance.staggered = cases[i].staggered;
      balance.settling = settling;
      stand(&balance);
      const double way = hypot(cases[i].x - 0.03, cases[i].z + 0.02);
      const bool slow = settling && cases[i].swing < 0 && way / cases[i].time > 0.07;
      const double share = slow ? 0.07 * H / way : H / cases[i].time;
      assert_near(balance.reference.x, 0.03 + share * (cases[i].x - 0.03), 1e-12);
      assert_near(balance.reference.z, -0.02 + share * (cases[i].z + 0.02), 1e-12);
      assert_true(balance.settling == slow);
    }
  Balancer near = calm;
  near.reference = (Plane2){.x = 0.0244, .z = 0.05 - 0.013}; // 7 cm/s times 0.35 s are 2.45 cm
  near.settling = true;
  stand(&near);
  assert_false(near.settling);
  Balancer balance = calm;
  balance.shift = (Plane2){.x = 0.02, .z = 0.01}; // the animation's
  stand(&balance);
  assert_near(balance.reference.x, H / 0.35 * 0.02, 1e-12);
  assert_near(balance.reference.z, calm.reference.z + H / 0.35 * 0.01, 1e-12);
}

// ---- How the feet share the weight ----

// Weights by the ankles' torques: the force's arm times the force, as the centre of mass is over the pressure.
static void weights_of(Balancer balance, double weights[2], double places[2]) {
  const double weight = balance.body.mass * balance.body.gravity;
  stand(&balance);
  for (int pass = 0; pass < 2; pass++) { // hips at their goal, so that nothing lifts
    Balancer again = balance;
    again.feet[0].hip[1] = again.feet[1].hip[1] = balance.hip_height;
    again.omega = 0; // no force to the sides
    stand(&again);
  }
  for (int i = 0; i < 2; i++) {
    const Leg *leg = balance.body.legs[i].leg;
    const double about_x = (double)goals[leg->ankle].feed_forward_l.x,
                 about_z = (double)goals[leg->ankle].feed_forward_l.z;
    // At a knee straight over the ankle the arm is the same.
    assert_near((double)goals[leg->knee].feed_forward_l.x, about_x, 1e-3);
    places[i] = about_x / weight; // m times share of the weight
    weights[i] = about_z / weight;
  }
}

// xi to a side moves the pressure 1 + standing_gain as far; each foot carries at least a tenth, unless one is about to
// be lifted. The pressure stays 1 cm inside the soles.
static void feet_share_the_weight(void **state) {
  (void)state;
  const double gain = 1 + calm.def.standing_gain;
  const BalanceLeg *leg = &calm.body.legs[0];
  const struct {
    double aside, ahead; // m, of xi from the reference
    int swing;
  } cases[] = {{0, 0, -1},     {0.02, 0, -1},  {-0.02, 0.01, -1}, {0.05, 0.02, -1},
               {-0.05, 0, -1}, {0.05, 0.1, 0}, {-0.2, -0.1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    double weights[2], places[2];
    balance.shifting_to_swing = cases[i].swing;
    if (cases[i].swing >= 0) // the reference stays where it is
      balance.reference = (Plane2){.x = (cases[i].swing == 0 ? -1 : 1) * (0.1 - 0.033), .z = 0.05};
    balance.xi = plane2_add(balance.reference, (Plane2){.x = cases[i].aside, .z = cases[i].ahead});
    weights_of(balance, weights, places);
    const Plane2 wanted =
        plane2_add(balance.reference, (Plane2){.x = gain * cases[i].aside, .z = gain * cases[i].ahead});
    const double least = cases[i].swing >= 0 ? 0 : 0.1;
    const double right = fmax(least, fmin(1 - least, (0.1 - wanted.x) / 0.2)), share[2] = {1 - right, right};
    const double room = leg->half_length - 0.01, ahead = 0.05 + fmax(-room, fmin(room, wanted.z - 0.05));
    const double wide = leg->half_width - 0.01, rest = wanted.x - (0.1 - 0.2 * right);
    const double beside = fmax(-wide, fmin(wide, rest));
    for (int k = 0; k < 2; k++) {
      assert_near(places[k], share[k] * ahead, 1e-5);
      assert_near(weights[k], -share[k] * beside, 1e-5);
    }
  }
}

// ---- How high it stands ----

// Hips are leg_stretch over ankles that are under them; legs that reach to a side make them lower, and an unloaded one
// may be 18 cm too short. The goal of the hips is at most 5 cm from where they are.
static void hips_are_over_the_ankles(void **state) {
  (void)state;
  const double stretch = calm.def.leg_stretch, hip_left = calm.body.legs[0].hip_left;
  Balancer balance = calm;
  BalanceStep step = stand(&balance);
  const double beside = 0.1 - hip_left;
  assert_near(balance.hip_height, 0.08 + sqrt(stretch * stretch - beside * beside), 1e-9);
  assert_near(step.hips.x, 0, 1e-12);
  assert_near(step.hips.z, 0, 1e-12);
  const double lacks[][4] = {{0.03, 0.02, 0.03, 0.02}, {0.2, -0.2, 0.05, -0.05}};
  for (int i = 0; i < 2; i++) {
    balance = calm;
    balance.com[0] = calm.reference.x - lacks[i][0];
    balance.com[2] = calm.reference.z - lacks[i][1];
    step = stand(&balance);
    assert_near(step.hips.x, lacks[i][2], 1e-12);
    assert_near(step.hips.z, lacks[i][3], 1e-12);
    double lowest = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
      const double aside = lacks[i][2] + (k ? -1 : 1) * (hip_left - 0.1), ahead = lacks[i][3];
      lowest = fmin(lowest, 0.08 + sqrt(stretch * stretch - aside * aside - ahead * ahead));
    }
    assert_near(balance.hip_height, lowest, 1e-9);
  }
  // The left foot stands on a step of 30 cm: the right leg carries a tenth, and is too short by 0.8 of 18 cm at most.
  balance = calm;
  balance.xi.x = 0.3;
  balance.feet[BALANCE_LEFT].ankle[1] = 0.38;
  stand(&balance);
  assert_near(balance.hip_height, 0.08 + sqrt(stretch * stretch - beside * beside) + 0.8 * 0.18, 1e-9);
  balance.feet[BALANCE_RIGHT].ankle[1] = 0.38 - 0.01; // now neither is
  stand(&balance);
  assert_near(balance.hip_height, 0.38 + sqrt(stretch * stretch - beside * beside), 1e-9);
}

// Gains; and the height is held by 400 N at most.
static void legs_have_their_gains(void **state) {
  (void)state;
  Balancer balance = calm;
  const Leg *leg = calm.body.legs[0].leg;
  stand(&balance);
  const int joints[3] = {leg->hip, leg->knee, leg->ankle};
  const double stiffness[3] = {1000, 800, 300};
  for (int i = 0; i < 3; i++) {
    assert_near(goals[joints[i]].stiffness, stiffness[i], 1e-9);
    assert_near(goals[joints[i]].damping, 0.1 * stiffness[i], 1e-9);
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    balance = calm;
    balance.omega = 0;
    balance.velocity[1] = -sign * 100;
    stand(&balance);
    const double force = calm.body.mass * calm.body.gravity + sign * 400;
    assert_near((double)goals[leg->ankle].feed_forward_l.x, 0.5 * force * calm.reference.z, 0.01);
  }
  // The force to the sides goes by the pendulum: m omega^2 for each m from the pressure to the centre of mass.
  balance = calm;
  balance.com[2] += 0.02;
  balance.feet[0].hip[1] = balance.feet[1].hip[1] = 0;
  stand(&balance);
  const double about_x = (double)goals[leg->ankle].feed_forward_l.x;
  balance.omega = 0;
  stand(&balance);
  const double pull = calm.body.mass * calm.omega * calm.omega * 0.02 / 2;
  assert_near(about_x - (double)goals[leg->ankle].feed_forward_l.x, 0.08 * pull, 0.01);
}

// ---- Leaning on a cable ----

// A moment of the cable that shifts the body by more than 0.5 mm is a cable. What is along it is left to the cable.
static void cable_takes_what_is_along_it(void **state) {
  (void)state;
  Balancer balance = calm;
  balance.held = (Plane2){.x = 0, .z = 4.9e-4};
  assert_false(balance_is_held(&balance));
  const Plane2 way = {.x = 0.3, .z = 0.4};
  assert_near(balance_without_cable(&balance, way).z, 0.4, 0);
  balance.held = (Plane2){.x = 0, .z = -5.1e-4};
  assert_true(balance_is_held(&balance));
  assert_near(balance_without_cable(&balance, way).x, 0.3, 1e-12);
  assert_near(balance_without_cable(&balance, way).z, 0, 1e-12);
  balance.held = (Plane2){.x = 0.03, .z = 0.04};
  const Plane2 left = balance_without_cable(&balance, (Plane2){.x = 0.04, .z = -0.03}); // across it
  assert_near(left.x, 0.04, 1e-12);
  assert_near(left.z, -0.03, 1e-12);
}

// Its pressure is 1.5 cm toward the cable's anchor from the reference, or more where that stops a fall away from the
// lean.
static void pressure_leans_on_the_cable(void **state) {
  (void)state;
  Balancer balance = calm;
  balance.held = (Plane2){.x = 0, .z = -0.1}; // held from behind
  balance.xi = plane2_add(balance.reference, balance.held);
  const Plane2 usual = plane2_add(balance.reference, (Plane2){.x = 0.02, .z = 0.3});
  Plane2 pressure = balance_lean_pressure(&balance, usual);
  assert_near(pressure.x, balance.reference.x + 0.02, 1e-12);
  assert_near(pressure.z, balance.reference.z - 0.015, 1e-12);
  balance.xi.z -= 0.03; // falls toward the anchor
  pressure = balance_lean_pressure(&balance, usual);
  assert_near(pressure.z, balance.reference.z - 0.03 * (1 + balance.def.standing_gain), 1e-12);
  balance.xi.z += 0.2;
  assert_near(balance_lean_pressure(&balance, usual).z, balance.reference.z - 0.015, 1e-12);
}

// In the frame of the feet, wherever they point to.
static void lean_is_seen_from_the_feet(void **state) {
  (void)state;
  Balancer balance = calm;
  balance.held = (Plane2){.x = 0, .z = -0.1};
  balance.lean = (Plane2){.x = 0, .z = 0};
  for (int k = 0; k < 2; k++) {
    balance.feet[k].hip[2] += 0.1;
    balance.feet[k].yaw = k == 0 ? 0.5 : 0.1; // 0.3 to the left, in the mean
  }
  balance_lean(&balance, 0.15);
  const double angle = atan2(0.1, 0.82);
  assert_near(balance.lean.x, -angle * sin(0.3), 1e-12);
  assert_near(balance.lean.z, angle * cos(0.3), 1e-12);
}

// The pelvis follows the lean of the legs, up to 0.7 rad, in 0.15 s while it is held and stands; then it fades.
static void pelvis_leans_with_the_legs(void **state) {
  (void)state;
  const double ways[][3] = {{0.1, 0, 0.1}, {0, -0.2, 0.2}, {2, 0, 2}};
  for (int i = 0; i < 3; i++) {
    Balancer balance = calm;
    balance.held = (Plane2){.x = 0, .z = -0.1};
    balance.lean = (Plane2){.x = 0, .z = 0};
    for (int k = 0; k < 2; k++) {
      balance.feet[k].hip[0] += ways[i][1];
      balance.feet[k].hip[2] += ways[i][0];
    }
    const double angle = fmin(0.7, atan2(ways[i][2], 0.82)), size = hypot(ways[i][0], ways[i][1]);
    balance_lean(&balance, 0.015);
    assert_near(balance.lean.x, 0.1 * angle * ways[i][1] / size, 1e-12);
    assert_near(balance.lean.z, 0.1 * angle * ways[i][0] / size, 1e-12);
    const vec3s turn = quat_log(balance_lean_turn(&balance));
    assert_near((double)turn.x, balance.lean.z, 1e-6);
    assert_near((double)turn.z, -balance.lean.x, 1e-6);
    const Plane2 before = balance.lean;
    balance.mode = BALANCE_STEPPING;
    balance_lean(&balance, 0.015);
    assert_near(balance.lean.z, 0.9 * before.z, 1e-12);
    balance.mode = BALANCE_STANDING;
    balance.held = (Plane2){.x = 0, .z = 0};
    balance_lean(&balance, 1);
    assert_near(plane2_length(balance.lean), 0, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_goes_to_its_place),  cmocka_unit_test(feet_share_the_weight),
      cmocka_unit_test(hips_are_over_the_ankles),     cmocka_unit_test(legs_have_their_gains),
      cmocka_unit_test(cable_takes_what_is_along_it), cmocka_unit_test(pressure_leans_on_the_cable),
      cmocka_unit_test(pelvis_leans_with_the_legs),   cmocka_unit_test(lean_is_seen_from_the_feet),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
