// The parts of the balance controller: legs, soles on the ground, planned landings, and which bodies it accepts.
#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

static const BalanceLeg LEG = {
    .thigh = 0.43, .shin = 0.42, .foot_height = 0.07, .sole_ahead = 0.05, .half_length = 0.13, .half_width = 0.05};

static vec3s down_by(double length) { return (vec3s){{0, (float)-length, 0}}; }

static void leg_reaches_its_ankle_with_the_knee_ahead(void **state) {
  (void)state;

  Rng rng = rng_make(3, "legs");
  for (int i = 0; i < 500; i++) {
    double yaw = rng_range(&rng, -3, 3), hip[3] = {1, 0.95, -2}, ankle[3];
    Plane2 offset = plane2_turn((Plane2){.x = rng_range(&rng, -0.3, 0.3), .z = rng_range(&rng, -0.4, 0.4)}, yaw);
    ankle[0] = hip[0] + offset.x;
    ankle[1] = hip[1] - rng_range(&rng, 0.4, 0.65);
    ankle[2] = hip[2] + offset.z;
    versors thigh;
    double angle = balance_leg_reach(&LEG, hip, ankle, yaw, 0.84, &thigh);
    versors knee = {{(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)}};
    vec3s middle = glms_quat_rotatev(thigh, down_by(LEG.thigh));
    vec3s end = glms_vec3_add(middle, glms_quat_rotatev(glms_quat_mul(thigh, knee), down_by(LEG.shin)));
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs(hip[axis] + (double)end.raw[axis] - ankle[axis]) < 2e-6);
    // The knee is in front of the line from hip to ankle, and on neither side of it.
    Plane2 knee_at = plane2_turn((Plane2){.x = (double)middle.x, .z = (double)middle.z}, -yaw);
    Plane2 end_at = plane2_turn((Plane2){.x = (double)end.x, .z = (double)end.z}, -yaw);
    double share = (double)(middle.y / end.y);
    assert_true(knee_at.z > share * end_at.z);
    assert_true(fabs(knee_at.x - share * end_at.x) < 1e-5);
  }
}

static void leg_too_short_is_stretched_no_farther_than_allowed(void **state) {
  (void)state;
  const double hip[3] = {0, 2, 0}, ankle[3] = {0, 0, 0};
  versors thigh;
  double angle = balance_leg_reach(&LEG, hip, ankle, 0, 0.84, &thigh);
  assert_true(fabs(angle - balance_knee_angle(&LEG, 0.84)) < 1e-12);
  assert_true(angle > 0.1);
}

static void sole_lies_on_the_plane_of_a_slope(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.terrain_def.kind = TERRAIN_SLOPE;
  f.terrain_def.start = -100;
  f.terrain_def.pitch = 10;
  fixture_start(&f);
  double normal[3], yaw = 0.4, wanted;
  Plane2 ankle = {.x = 0.2, .z = 1.3};
  f.character->ground.height(f.character->ground.context, ankle.x, ankle.z, GROUND_HIGHEST, &wanted, NULL);
  double height = balance_foot_ground(&f.character->ground, &LEG, ankle, wanted + 1, yaw, normal);
  assert_true(fabs(height - wanted) < 1e-6);
  assert_true(fabs(normal[0]) < 1e-5);
  assert_true(fabs(normal[2] + sin(10 * RAD_PER_DEGREE)) < 1e-5);
  vec3s up = glms_quat_rotatev(balance_foot_rotation(normal, yaw), (vec3s){{0, 1, 0}});
  vec3s toes = glms_quat_rotatev(balance_foot_rotation(normal, yaw), (vec3s){{0, 0, 1}});
  assert_true(fabs((double)up.z - normal[2]) < 1e-6);
  assert_true(fabs(atan2((double)toes.x, (double)toes.z) - yaw) < 0.02); // the nearest one that lies in the plane
  fixture_end(&f);
}

// A body that moves to a side, and its mirror image.
static void make_pair(Rng *rng, Balancer *one, Balancer *other) {
  *one = (Balancer){.omega = 3.2,
                    .walking = rng_range(rng, 0, 1) < 0.5,
                    .heading = rng_range(rng, -1, 1),
                    .turn_rate = rng_range(rng, -0.5, 0.5)};
  one->speed.z = rng_range(rng, -1, 1.5);
  one->speed.x = rng_range(rng, -0.3, 0.3);
  one->xi.z = rng_range(rng, -0.4, 0.4);
  one->xi.x = rng_range(rng, -0.4, 0.4);
  param_defaults(&balance_params, &one->def);
  one->body.length = one->body.time = 1;
  one->body.gravity = 9.81;
  one->body.legs[BALANCE_LEFT].side = 1;
  one->body.legs[BALANCE_RIGHT].side = -1;
  for (int axis = 0; axis < 3; axis += 2)
    one->com[axis] = rng_range(rng, -0.1, 0.1);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    one->body.legs[i].thigh = LEG.thigh;
    one->body.legs[i].shin = LEG.shin;
    one->feet[i].hip[0] = one->com[0] + (i ? -0.09 : 0.09);
    one->feet[i].hip[2] = one->com[2];
    one->feet[i].sole[0] = (i ? -0.1 : 0.1) + rng_range(rng, -0.1, 0.1);
    one->feet[i].sole[2] = rng_range(rng, -0.2, 0.2);
  }
  *other = *one;
  other->heading = -one->heading;
  other->turn_rate = -one->turn_rate;
  other->speed.x = -one->speed.x;
  other->xi.x = -one->xi.x;
  other->com[0] = -one->com[0];
  for (int i = 0; i < BALANCE_LEGS; i++) {
    other->feet[i].sole[0] = -one->feet[1 - i].sole[0];
    other->feet[i].sole[2] = one->feet[1 - i].sole[2];
    other->feet[i].hip[0] = -one->feet[1 - i].hip[0];
    other->feet[i].hip[2] = one->feet[1 - i].hip[2];
  }
}

static void mirrored_plan_is_the_mirror_image(void **state) {
  (void)state;

  Rng rng = rng_make(3, "plans");
  for (int i = 0; i < 500; i++) {
    Balancer one, other;
    make_pair(&rng, &one, &other);
    Plane2 pressure = plane2_of(one.feet[BALANCE_RIGHT].sole), mirrored = {.x = -pressure.x, .z = pressure.z}, a, b;
    double time = rng_range(&rng, 0.05, 0.5);
    double beyond = balance_plan(&one, BALANCE_LEFT, time, 0.5, pressure, &a);
    assert_true(fabs(balance_plan(&other, BALANCE_RIGHT, time, 0.5, mirrored, &b) - beyond) < 1e-12);
    assert_true(fabs(a.z - b.z) < 1e-12 && fabs(a.x + b.x) < 1e-12);
  }
}

// A foot put there brings the body to rest: xi is over it when it lands, but for 2 cm to its side. By then the landing
// has taken the body's fall, 0.5 m/s now and 1 m/s^2 more until then, and with it that part of the body's motion that
// lies along the leg.
static void recovery_goes_to_where_xi_will_be(void **state) {
  (void)state;

  Rng rng = rng_make(3, "recovery");
  Balancer balance, mirror;
  make_pair(&rng, &balance, &mirror);
  balance.walking = false;
  balance.def.overshoot = 1;
  balance.heading = balance.turn_rate = 0;
  const double stance[3] = {-0.1, 0, 0};
  memcpy(balance.feet[BALANCE_RIGHT].sole, stance, sizeof stance);
  balance.xi = (Plane2){.x = 0.05, .z = 0.15};
  Plane2 sole, pressure = {.x = -0.1, .z = 0.05};
  const double growth = exp(3.2 * 0.3), falls[][2] = {{0, 0.3}, {0.4, 0.3}, {-0.5, 0.8}}; // m/s up; down at landing
  const Plane2 xi = {.x = -0.1 + 0.15 * growth, .z = 0.05 + 0.10 * growth};
  const Plane2 center = lipm_center(plane2_of(balance.com), balance.xi, pressure, 3.2, 0.3);
  for (int i = 0; i < 3; i++) {
    const double share = falls[i][1] * 3.2 / 9.81;
    balance.velocity[1] = falls[i][0];
    assert_true(balance_plan(&balance, BALANCE_LEFT, 0.3, 0.36, pressure, &sole) == 0);
    assert_true(fabs(sole.z - (xi.z + share * (center.z - xi.z))) < 1e-12);
    assert_true(fabs(sole.x - (xi.x + share * (center.x - xi.x) + 0.02)) < 1e-12);
  }
}

// No step goes farther than the leg reaches from where its hip will be, and what is cut off is reported.
static void step_stays_within_the_legs_reach(void **state) {
  (void)state;

  Rng rng = rng_make(3, "reach");
  double leg = 0.9905 * (LEG.thigh + LEG.shin), most = sqrt(leg * leg - 0.7 * 0.7);
  int cut = 0;
  for (int i = 0; i < 2000; i++) {
    Balancer one, other;
    make_pair(&rng, &one, &other);
    one.walking = false; // whose pendulum is the plain one
    Plane2 pressure = plane2_of(one.feet[BALANCE_RIGHT].sole), com = plane2_of(one.com), sole;
    double time = rng_range(&rng, 0.05, 0.4);
    double beyond = balance_plan(&one, BALANCE_LEFT, time, 0.36, pressure, &sole);
    Plane2 way = plane2_sub(lipm_center(com, one.xi, pressure, one.omega, time), com);
    double distance = plane2_length(plane2_sub(sole, plane2_add(plane2_of(one.feet[BALANCE_LEFT].hip), way)));
    assert_true(distance < most + 1e-9);
    if (distance > most - 1e-9) {
      cut++;
      assert_true(beyond > 0);
    }
  }
  assert_true(cut > 50 && cut < 1800); // both kinds are tested
}

// Far beyond the stance leg, the body crosses its foot: well in front of that leg, or well behind it.
static void foot_crosses_before_or_behind_the_stance_leg(void **state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2) {
    Rng rng = rng_make(3, "crossing");
    Balancer balance, mirror;
    make_pair(&rng, &balance, &mirror);
    balance.walking = false;
    balance.heading = balance.turn_rate = 0;
    const double stance[3] = {-0.1, 0, 0}, hip[3] = {-0.03, 0, 0};
    memcpy(balance.feet[BALANCE_RIGHT].sole, stance, sizeof stance);
    memcpy(balance.feet[BALANCE_LEFT].hip, hip, sizeof hip);
    memcpy(balance.com, stance, sizeof stance);
    balance.xi = (Plane2){.x = -0.3, .z = way * 0.2};
    Plane2 sole, pressure = {.x = -0.1, .z = 0};
    balance_plan(&balance, BALANCE_LEFT, 0.25, 0.36, pressure, &sole);
    assert_true(sole.x < -0.1 && way * sole.z >= 0.28 - 1e-9);
    balance.xi = (Plane2){.x = -0.05, .z = way * 0.2}; // over its own side of it
    balance_plan(&balance, BALANCE_LEFT, 0.25, 0.36, pressure, &sole);
    assert_true(sole.x >= -0.1 + 0.16 - 1e-9);
  }
}

// Where the body crosses its foot and what it takes that for: 15 cm for crossing, the way that it lands farther ahead
// than xi is, to 28 cm, and twice the way that it lands less far beyond the stance foot, to 20 cm.
static void crossing_has_its_price(void **state) {
  (void)state;
  const double cases[][5] = {// wanted, m left and ahead of the stance sole; where it lands; the price
                             {-0.25, 0.25, -0.2, 0.28, 0.15 + 0.03 + 0.1},
                             {-0.1, 0.2, -0.1, 0.28, 0.15 + 0.08},
                             {-0.1, -0.2, -0.1, -0.28, 0.15 + 0.08},
                             {-0.1, 0.3, -0.1, 0.3, 0.15},
                             {0.09, 0.2, 0.16, 0.2, 0},
                             {0.17, 0.2, 0.17, 0.2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Rng rng = rng_make(3, "price");
    Balancer balance, mirror;
    make_pair(&rng, &balance, &mirror);
    balance.walking = false;
    balance.heading = balance.turn_rate = 0;
    balance.def.overshoot = 1;
    const double stance[3] = {-0.1, 0, 0}, *wanted = cases[i], lost = 0.25 * 3.2 / 9.81; // by the blow of landing
    const double growth = (1 - lost) * exp(3.2 * 0.25) + lost * sinh(3.2 * 0.25);
    const double hip[3] = {-0.2, 0, 0.9 * wanted[1]};
    memcpy(balance.feet[BALANCE_RIGHT].sole, stance, sizeof stance);
    memcpy(balance.feet[BALANCE_LEFT].hip, hip, sizeof hip);
    memcpy(balance.com, stance, sizeof stance);
    balance.xi = (Plane2){.x = -0.1 + (wanted[0] - 0.02) / growth, .z = wanted[1] / growth};
    Plane2 sole, pressure = {.x = -0.1, .z = 0};
    double price = balance_plan(&balance, BALANCE_LEFT, 0.25, 0.36, pressure, &sole);
    if (!(fabs(sole.x + 0.1 - wanted[2]) < 1e-9 && fabs(sole.z - wanted[3]) < 1e-9 && fabs(price - wanted[4]) < 1e-9))
      fail_msg("%g, %g: lands at %g, %g for %g", wanted[0], wanted[1], sole.x + 0.1, sole.z, price);
  }
}

// Hip and knee, and knee and ankle, may be 2 cm apart, ahead and aside, and no more.
static void legs_hang_straight(void **state) {
  (void)state;
  static const char *const joints[] = {"thigh_r", "foot_r"};
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  BalanceDef def;
  param_defaults(&balance_params, &def);
  def.enabled = true;
  for (int i = 0; i < 16; i++) {
    const int axis = i & 1 ? 2 : 0, sign = i & 2 ? 1 : -1;
    const bool far = i & 4;
    double *place = f.body->parts[fixture_part(&f, joints[i / 8])].joint.position, before = place[axis];
    const double *knee = f.body->parts[fixture_part(&f, "shin_r")].joint.position;
    Balancer balance;
    Error error = {0};
    place[axis] = knee[axis] + sign * (far ? 0.0201 : 0.0199);
    assert_int_equal(balance_init(&balance, &def, f.character->ragdoll, 0, &error), !far);
    assert_true(!far || strstr(error.text, "must hang straight"));
    place[axis] = before;
  }
  fixture_end(&f);
}

static void other_bodies_are_refused(void **state) {
  (void)state;
  static const char *const bodies[] = {"bodies/lizard.yaml", "bodies/spider.yaml", "bodies/winged.yaml"};
  for (int i = 0; i < 3; i++) {
    Fixture f;
    Error error = {0};
    fixture_init(&f);
    BodyDef *body = body_read(&f.files, bodies[i], &error);
    fixture_check(&error);
    f.character_def.body = body;
    fixture_start(&f);
    BalanceDef def;
    Balancer balance;
    param_defaults(&balance_params, &def);
    def.enabled = true;
    bool taken = balance_init(&balance, &def, f.character->ragdoll, 0, &error);
    assert_false(taken);
    assert_non_null(strstr(error.text, "balance"));
    fixture_end(&f);
    body_free(body);
  }
}

// A body that turns while it steps lands as one that has turned: ahead and left are those of the landing.
static void plan_turns_with_the_body(void **state) {
  (void)state;
  Rng rng = rng_make(5, "turns");
  double largest = 0;
  for (int i = 0; i < 500; i++) {
    Balancer one, other;
    make_pair(&rng, &one, &other);
    double time = rng_range(&rng, 0.05, 0.5);
    Balancer turned = one, still = one;
    turned.heading += turned.turn_rate * time;
    turned.turn_rate = still.turn_rate = 0;
    Plane2 pressure = plane2_of(one.feet[BALANCE_RIGHT].sole), a, b, c;
    double beyond = balance_plan(&one, BALANCE_LEFT, time, 0.5, pressure, &a);
    assert_true(fabs(balance_plan(&turned, BALANCE_LEFT, time, 0.5, pressure, &b) - beyond) < 1e-12);
    assert_true(plane2_length(plane2_sub(a, b)) < 1e-12);
    balance_plan(&still, BALANCE_LEFT, time, 0.5, pressure, &c);
    largest = fmax(largest, plane2_length(plane2_sub(a, c)));
  }
  assert_true(largest > 0.05); // it makes a difference
}

// The foot points to where the body will face in the middle of its stance, turned by at most 0.6 rad against the other.
static void landing_foot_turns_the_way_the_body_does(void **state) {
  (void)state;
  static const double rates[] = {0.5, -0.5, 1.5, -1.5};
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 4; i++) {
    Rng rng = rng_make(3, "landing");
    Balancer balance, mirror;
    make_pair(&rng, &balance, &mirror);
    for (int k = 0; k < BALANCE_LEGS; k++) {
      balance.body.legs[k] = LEG;
      balance.body.legs[k].side = k == BALANCE_LEFT ? 1 : -1;
      balance.feet[k].hip[1] = 0.9;
    }
    const double stance[3] = {-0.1, 0, 0}, hip[3] = {0.09, 0.9, 0}, com[3] = {0, 0.9, 0};
    memcpy(balance.feet[BALANCE_RIGHT].sole, stance, sizeof stance);
    memcpy(balance.feet[BALANCE_LEFT].hip, hip, sizeof hip);
    memcpy(balance.com, com, sizeof com);
    balance.swing = BALANCE_LEFT;
    balance.walking = false;
    balance.xi = (Plane2){.x = 0.02, .z = 0.05};
    balance.duration = 0.4;
    balance.step_time = 0.1;
    balance.heading = 0.2;
    balance.feet[BALANCE_RIGHT].yaw = 0.1;
    balance.turn_rate = rates[i];
    balance_plan_landing(&balance, &f.character->ground, (Plane2){.x = -0.1, .z = 0});
    double heading = 0.2 + rates[i] * (0.3 + 0.2), wanted = fmax(0.1 - 0.6, fmin(0.1 + 0.6, heading));
    assert_true(fabs(balance.duration - 0.4) < 1e-12); // no shortened step
    assert_true(fabs(balance.landing.yaw - wanted) < 1e-12);
  }
  fixture_end(&f);
}

// The controller's legs are those of the body file.
static void legs_are_those_of_the_body(void **state) {
  (void)state;
  Fixture f;
  Error error = {0};
  fixture_init(&f);
  fixture_start(&f);
  BalanceDef def;
  Balancer balance;
  param_defaults(&balance_params, &def);
  def.enabled = true;
  bool taken = balance_init(&balance, &def, f.character->ragdoll, 0, &error);
  fixture_check(&error);
  assert_true(taken);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &balance.body.legs[i];
    const Leg *own = leg->leg;
    assert_true(leg->side == (i == BALANCE_LEFT ? 1 : -1) && leg->side * leg->hip_left > 0.05);
    assert_true(fabs(2 * leg->half_length - (double)glms_vec3_distance(own->toe_l, own->heel_l)) < 1e-3);
    assert_true(fabs(leg->half_width - (double)own->half_width) < 1e-9);
    double height = leg->thigh + leg->shin + leg->foot_height;
    assert_true(fabs(height - f.body->parts[own->hip].joint.position[1]) < 1e-3);
    assert_true(leg->thigh > 0.35 && leg->shin > 0.35 && leg->foot_height > 0.03);
  }
  fixture_end(&f);
}

// A body of length and time 1 whose ankles stand `ahead` (m) of each other, in a heading.
static Balancer strider(double ahead, double heading) {
  Balancer balance = {.heading = heading, .body = {.length = 1, .time = 1, .arms = {1, 2}}};
  balance.def.arm_swing = 0.8;
  balance.def.arm_spread = 0.9;
  Plane2 left = plane2_turn((Plane2){.x = 0.1, .z = ahead / 2}, heading);
  balance.feet[BALANCE_LEFT].ankle[0] = left.x;
  balance.feet[BALANCE_LEFT].ankle[2] = left.z;
  balance.feet[BALANCE_RIGHT].ankle[0] = -left.x;
  balance.feet[BALANCE_RIGHT].ankle[2] = -left.z;
  balance.omega = 3.2;
  return balance;
}

static Pose hanging_arms(void) {
  Pose pose = {0};
  for (int i = 0; i < 3; i++)
    pose.rotation[i] = glms_quat_identity();
  return pose;
}

// The arm swings back as its leg goes forward, by arm_swing (rad) for 1 m between the ankles, up to 0.7 rad, and out to
// the side by a tenth of that.
static void arms_swing_against_the_legs(void **state) {
  (void)state;
  const double cases[][3] = {{0.5, 1, 0.4}, {0.5, 0.5, 0.2}, {-0.6, 1, -0.48}, {0, 1, 0}, {3, 1, 0.7}, {-3, 1, -0.7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = strider(cases[i][0], 0.8);
    Pose pose = hanging_arms();
    balance_move_arms(&balance, cases[i][1], 1.0 / 240, &pose);
    for (int side = 0; side < 2; side++) {
      vec3s arm = glms_quat_rotatev(pose.rotation[1 + side], (vec3s){{0, -1, 0}});
      double back = side == BALANCE_LEFT ? cases[i][2] : -cases[i][2];
      const double out = (side == BALANCE_LEFT ? 0.1 : -0.1) * fabs(back);
      assert_true(fabs(atan2((double)arm.x, (double)-arm.y) - out) < 1e-6);
      assert_true(fabs(atan2((double)-arm.z, -(double)arm.y / cos(out)) - back) < 1e-6);
    }
  }
}

// A step in walking that has to catch the body spreads the arms within 0.15 s; they are lowered in 1 s.
static void arms_spread_to_catch_a_step(void **state) {
  (void)state;
  Balancer balance = strider(0, 0);
  balance.error = (Plane2){.x = 1, .z = 0};
  for (int i = 0; i < 3; i++) { // not while standing, nor in steps of one who does not walk
    balance.walking = i == 1;
    balance.mode = i == 2 ? BALANCE_STEPPING : BALANCE_STANDING;
    Pose pose = hanging_arms();
    balance_move_arms(&balance, 1, 0.03, &pose);
    assert_true(balance.arms_spread == 0);
  }
  balance.walking = true;
  for (int i = 1; i <= 6; i++) {
    Pose pose = hanging_arms();
    balance_move_arms(&balance, 1, 0.03, &pose);
    assert_true(fabs(balance.arms_spread - fmin(1, i * 0.2)) < 1e-12);
    for (int side = 0; side < 2; side++) {
      vec3s arm = glms_quat_rotatev(pose.rotation[1 + side], (vec3s){{0, -1, 0}});
      double out = (side == BALANCE_LEFT ? 1 : -1) * 0.9 * balance.arms_spread;
      assert_true(fabs(atan2((double)arm.x, (double)-arm.y) - out) < 1e-6);
    }
  }
  balance.error.x = 0.1 + 0.15 / 2; // half way from a calm error to a great one
  for (int i = 1; i <= 30; i++) {
    Pose pose = hanging_arms();
    balance_move_arms(&balance, 1, 0.03, &pose);
    assert_true(fabs(balance.arms_spread - fmax(0.5, 1 - i * 0.03)) < 1e-9);
  }
  balance.step_speed.z = balance.speed.z - 0.16; // he goes faster, to which his body comes by the end of the step
  for (int i = 1; i <= 30; i++) {
    Pose pose = hanging_arms();
    balance_move_arms(&balance, 1, 0.03, &pose);
    assert_true(fabs(balance.arms_spread - fmax(0.5 - 0.05 / 0.15, 0.5 - i * 0.03)) < 1e-9);
  }
}

// The pelvis follows the animation's tilt about each axis alike, in 0.3 s, up to 0.2 rad, while the man stands.
static void pelvis_follows_the_tilt_of_the_animation(void **state) {
  (void)state;
  Balancer balance = strider(0, 0);
  const BalanceCommand command = {.tilt = {{0.1f, -0.5f, 0.15f}}};
  const double goal[3] = {(double)0.1f, -0.2, (double)0.15f};
  double left = 1;
  for (int i = 0; i < 60; i++) {
    balance_follow_animation(&balance, &command, 0.03);
    left *= 0.9;
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs(balance.tilt[axis] - (1 - left) * goal[axis]) < 1e-12);
  }
  balance.mode = BALANCE_STEPPING;
  balance_follow_animation(&balance, &command, 0.3);
  for (int axis = 0; axis < 3; axis++)
    assert_true(fabs(balance.tilt[axis]) < 1e-12);
}

// The weight shifts to the sides by 0.8 of half the distance of the soles, ahead by 5 cm, and only while he stands.
static void weight_shifts_within_the_feet(void **state) {
  (void)state;
  Balancer balance = strider(0, 0);
  balance.feet[BALANCE_LEFT].sole[0] = 0.1;
  balance.feet[BALANCE_RIGHT].sole[0] = -0.1;
  const double shifts[][4] = {{0.05, 0.03, 0.05, 0.03}, {0.5, 0.03, 0.08, 0.03}, {-0.02, -0.4, -0.02, -0.05}};
  for (int i = 0; i < 3; i++) {
    const BalanceCommand command = {.shift = {.x = shifts[i][0], .z = shifts[i][1]}};
    balance.mode = BALANCE_STANDING;
    balance_follow_animation(&balance, &command, 0.03);
    assert_true(fabs(balance.shift.x - shifts[i][2]) < 1e-12 && fabs(balance.shift.z - shifts[i][3]) < 1e-12);
    balance.mode = BALANCE_STEPPING;
    balance_follow_animation(&balance, &command, 0.03);
    assert_true(balance.shift.x == 0 && balance.shift.z == 0);
  }
}

// Joints of the spine turn by at most 1 rad/s from the step before; what is slower stays, and so do other joints.
static void spine_bends_no_faster_than_it_may(void **state) {
  (void)state;
  Balancer balance = strider(0, 0);
  balance.body.spine_count = 2;
  balance.body.spine[0] = 1;
  balance.body.spine[1] = 2;
  Pose before = {0}, pose = {0};
  const float turned[] = {0.5f, 0.5f, 0.02f};
  const double left[] = {0.5, 0.05, 0.02}; // after 0.05 s
  for (int i = 0; i < 3; i++) {
    before.rotation[i] = quat_exp((vec3s){{0, 0.3f, 0}});
    pose.rotation[i] = quat_exp((vec3s){{0, 0.3f + turned[i], 0}});
  }
  balance_calm_spine(&balance, &pose, &before, 0.05);
  for (int i = 0; i < 3; i++)
    assert_true(fabs((double)quat_log(pose.rotation[i]).y - 0.3 - left[i]) < 1e-5);
}

// The back goes up to where the body branches, and arms are its limbs there that have a twin.
static void back_and_arms_are_those_of_the_body(void **state) {
  (void)state;
  for (int arms = 0; arms < 2; arms++) {
    Fixture f;
    Error error = {0};
    BalanceBody built;
    fixture_init(&f);
    const int left = skeleton_find(&f.body->skeleton, "upper_arm_l"), right = f.body->parts[left].twin;
    if (!arms) {
      f.body->parts[left].twin = left;
      f.body->parts[right].twin = right;
    }
    fixture_start(&f);
    assert_true(balance_init_body(&built, f.character->ragdoll, &error));
    assert_int_equal(built.arms[BALANCE_LEFT], arms ? left : -1);
    assert_int_equal(built.arms[BALANCE_RIGHT], arms ? right : -1);
    assert_int_equal(built.spine_count, 2);
    assert_int_equal(built.spine[0], skeleton_find(&f.body->skeleton, "abdomen"));
    assert_int_equal(built.spine[1], skeleton_find(&f.body->skeleton, "chest"));
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leg_reaches_its_ankle_with_the_knee_ahead),
      cmocka_unit_test(leg_too_short_is_stretched_no_farther_than_allowed),
      cmocka_unit_test(sole_lies_on_the_plane_of_a_slope),
      cmocka_unit_test(mirrored_plan_is_the_mirror_image),
      cmocka_unit_test(recovery_goes_to_where_xi_will_be),
      cmocka_unit_test(step_stays_within_the_legs_reach),
      cmocka_unit_test(foot_crosses_before_or_behind_the_stance_leg),
      cmocka_unit_test(crossing_has_its_price),
      cmocka_unit_test(legs_hang_straight),
      cmocka_unit_test(other_bodies_are_refused),
      cmocka_unit_test(plan_turns_with_the_body),
      cmocka_unit_test(landing_foot_turns_the_way_the_body_does),
      cmocka_unit_test(legs_are_those_of_the_body),
      cmocka_unit_test(back_and_arms_are_those_of_the_body),
      cmocka_unit_test(arms_swing_against_the_legs),
      cmocka_unit_test(arms_spread_to_catch_a_step),
      cmocka_unit_test(pelvis_follows_the_tilt_of_the_animation),
      cmocka_unit_test(weight_shifts_within_the_feet),
      cmocka_unit_test(spine_bends_no_faster_than_it_may),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
