// The legs of a balancing body in a step: how high the leg that carries holds the hips and with which torques, the path
// of the leg that swings, and what it does when it is caught.
#include "tests/unit/balance_walker.h"

// ---- The leg that carries ----

// The height of the hips to aim at, when the stance hip is `low` below what would be wanted on level ground at rest.
static double height_of(Balancer balance, double low) {
  const double level = 0.08 + (balance.walking ? balance.def.walking_stretch : balance.def.leg_stretch - 0.013);
  balance.feet[0].hip[1] = balance.feet[1].hip[1] = level - low;
  BalanceStep step = step_of(&balance);
  balance_stance(&step, (Plane2){.x = -0.1, .z = 0.05});
  return balance.hip_height - level;
}

// It stretches to walking_stretch, 2 cm less for each m/s; in a recovery to leg_stretch less 1.3 cm. The goal is at
// most 2 cm below the hip and 1 cm above it, or 0.3 of what lacks.
static void hips_are_held_at_their_height(void **state) {
  (void)state;
  Balancer balance = walker;
  assert_near(height_of(balance, 0), 0, 1e-12);
  balance.speed.z = -0.5;
  assert_near(height_of(balance, 0), -0.01, 1e-12);
  balance.walking = false;
  assert_near(height_of(balance, 0), 0, 1e-12);
  assert_near(height_of(walker, 0.009), 0, 1e-12);
  assert_near(height_of(walker, 0.02), -0.01, 1e-12);
  assert_near(height_of(walker, 0.1), -0.07, 1e-12);
  assert_near(height_of(walker, -0.019), 0, 1e-12);
  assert_near(height_of(walker, -0.05), 0.03, 1e-12);
}

// Downhill the hips are lower by 0.1 of the slope, which is at most 0.3, and follow it as they pass over the foot;
// uphill they may rise faster. A landing less than 15 cm away, or 10 cm ahead, is no slope.
static void hips_follow_the_slope(void **state) {
  (void)state;
  const double cases[][4] = {// landing: left, ahead, up; slope that it makes
                             {0, 0.3, -0.03, -0.1},       {0, 0.3, -0.3, -0.3},      {0, 0.3, 0.03, 0.1},
                             {0, 0.3, 0.3, 0.3},          {0, 0.151, -0.0151, -0.1}, {0, 0.149, -0.0149, 0},
                             {0.2, 0.101, -0.0101, -0.1}, {0.2, 0.099, -0.0099, 0},  {0, -0.3, -0.03, 0.1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = walker;
    const double slope = cases[i][3];
    balance.landing.ankle[0] = -0.1 + cases[i][0];
    balance.landing.ankle[1] = 0.08 + cases[i][2];
    balance.landing.ankle[2] = cases[i][1];
    balance.feet[1].hip[2] = 0.06; // ahead of its ankle
    balance.duration = 2;          // the landing does not limit it
    const double goal = slope * 0.06 - fmax(0, -slope) * 0.1;
    assert_near(height_of(balance, -goal), goal, 1e-12);
    const double rise = 0.01 + fmax(0, slope) * 0.05;
    assert_near(height_of(balance, 0.015 - goal), fmin(goal, goal - 0.015 + rise), 1e-12);
  }
}

// The hips come no higher than the swing leg reaches its landing from, but for 0.5 m/s that they may still sink.
static void hips_stay_low_enough_to_land(void **state) {
  (void)state;
  Balancer balance = walker;
  const BalanceLeg *leg = &balance.body.legs[BALANCE_LEFT];
  const double reach = 0.9905 * (leg->thigh + leg->shin), level = 0.08 + balance.def.walking_stretch;
  balance.landing.ankle[2] = 0.35;
  balance.step_time = 0.38;
  balance.velocity[2] = 0.5; // so that the hip comes nearer
  const double way = 0.35 - 0.5 * 0.02, limit = 0.08 + sqrt(reach * reach - way * way) + 0.5 * 0.02;
  const double low = level - limit;
  assert_true(low > 0.002);
  assert_near(height_of(balance, low), -low, 1e-9);
  balance.landing.ankle[2] = 0.9; // out of reach
  const double squat = 0.08 + sqrt(0.35) + 0.01;
  assert_near(height_of(balance, level - squat), squat - level, 1e-9);
}

// Gains of hip, knee and ankle. The knee's feed-forward carries the body's weight, and at most 500 N more or less; the
// ankle's grows in the first 0.05 s of the step.
static void stance_leg_carries_the_weight(void **state) {
  (void)state;
  Balancer balance = walker;
  const Leg *leg = balance.body.legs[BALANCE_RIGHT].leg;
  balance.feet[1].hip[1] = balance.feet[0].hip[1] = 0.08 + balance.def.walking_stretch;
  BalanceStep step = step_of(&balance);
  const Plane2 pressure = {.x = -0.1, .z = 0.15};
  balance_stance(&step, pressure);
  const double gains[3][2] = {{1500, 0.1}, {1600, 0.07}, {240, 0.05}};
  const int joints[3] = {leg->hip, leg->knee, leg->ankle};
  for (int i = 0; i < 3; i++) {
    assert_near(goals[joints[i]].stiffness, gains[i][0], 1e-9);
    assert_near(goals[joints[i]].damping, gains[i][0] * gains[i][1], 1e-9);
  }
  // Knee: the force along the leg, at the hip, 5 cm behind the knee.
  const double weight = balance.body.mass * balance.body.gravity;
  assert_near((double)goals[leg->knee].feed_forward_l.x, -0.05 * weight, 0.01);
  assert_near((double)goals[leg->ankle].feed_forward_l.x, 0.15 * weight, 0.01);
  balance.step_time = 0.02;
  step = step_of(&balance);
  balance_stance(&step, pressure);
  assert_near((double)goals[leg->ankle].feed_forward_l.x, 0.4 * 0.15 * weight, 0.01);
  for (int sign = -1; sign <= 1; sign += 2) {
    balance.velocity[1] = -sign * 10; // sinks fast, or rises
    step = step_of(&balance);
    balance_stance(&step, pressure);
    assert_near((double)goals[leg->knee].feed_forward_l.x, -0.05 * (weight + sign * 500), 0.01);
  }
  // The hip holds 0.7 of the weight of all that is not this leg, about the hip.
  double all[3] = {0};
  step = step_of(&balance);
  balance_add_weight_except_leg(&step, BALANCE_RIGHT, balance.feet[1].hip, all);
  balance_stance(&step, pressure);
  assert_near((double)goals[leg->hip].feed_forward_l.z, 0.7 * all[2], 0.01);
  assert_near((double)goals[leg->hip].feed_forward_l.x, 0.7 * all[0], 0.01);
  assert_true(fabs(all[2]) > 10);
}

// A recovering body's foot that lost the ground is held where it last carried, without any torque that leans on the
// ground, which would throw the leg aside; the hips' goal goes on. In walking the ground is met again in no time.
static void leg_without_load_keeps_its_place(void **state) {
  (void)state;
  Balancer balance = walker;
  const BalanceLeg *leg = &balance.body.legs[BALANCE_RIGHT];
  const int joints[3] = {leg->leg->hip, leg->leg->knee, leg->leg->ankle};
  balance.walking = balance.feet[BALANCE_RIGHT].loaded = false;
  const double place[3] = {-0.15, 0.08, 0.03}; // aside of where it is
  memcpy(balance.feet[BALANCE_RIGHT].place, place, sizeof place);
  BalanceStep step = step_of(&balance);
  balance_stance(&step, (Plane2){.x = -0.1, .z = 0.15});
  versors thigh;
  const double knee = balance_leg_reach(leg, balance.feet[BALANCE_RIGHT].hip, place, 0,
                                        BALANCE_REACH * (leg->thigh + leg->shin), &thigh);
  assert_near((double)quat_angle_between(goals[leg->leg->hip].rotation, thigh), 0, 1e-3);
  assert_near((double)quat_angle_between(goals[leg->leg->knee].rotation, glms_quat_identity()), knee, 1e-3);
  for (int i = 0; i < 3; i++)
    assert_near((double)glms_vec3_norm(goals[joints[i]].feed_forward_l), 0, 1e-9);
  assert_near(goals[leg->leg->hip].stiffness, 1000, 1e-9);
  const double held = balance.hip_height;
  balance.feet[BALANCE_RIGHT].loaded = true;
  step = step_of(&balance);
  balance_stance(&step, (Plane2){.x = -0.1, .z = 0.15});
  assert_near(balance.hip_height, held, 1e-12);
  assert_true((double)glms_vec3_norm(goals[leg->leg->knee].feed_forward_l) > 10);
  balance.feet[BALANCE_RIGHT].loaded = false;
  balance.walking = true;
  step = step_of(&balance);
  balance_stance(&step, (Plane2){.x = -0.1, .z = 0.15});
  assert_true((double)glms_vec3_norm(goals[leg->leg->knee].feed_forward_l) > 10);
}

// ---- The leg that swings ----

static void swing(Balancer *balance) {
  BalanceStep step = step_of(balance);
  balance_swing(&step);
}

// One step of the cubic that comes to rest at a place after a time, from rest there.
static double first_velocity(double way, double time, double most) {
  return fmax(-most, fmin(most, 6 * way / (time * time))) * H;
}

// The ankle arrives over its landing after 0.9 of the time that is left, and at the clearance over the ground after
// 0.45 of the step.
static void ankle_goes_to_its_landing(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.landing.ankle[2] = 0.02;
  balance.landing.ankle[0] = 0.14;
  balance.step_time = 0.08;
  swing(&balance);
  const double top = balance.body.legs[0].foot_height + balance.def.clearance; // of an ankle on level ground
  assert_near(balance.swing_velocity[2], first_velocity(0.02, 0.9 * 0.32, 120), 1e-12);
  assert_near(balance.swing_velocity[0], first_velocity(0.04, 0.9 * 0.32, 120), 1e-12);
  assert_near(balance.swing_velocity[1], first_velocity(fmax(top, 0.08 + balance.def.clearance) - 0.08, 0.1, 150),
              1e-9);
  assert_near(balance.swing_ankle[2], balance.swing_velocity[2] * H, 1e-12);
  // A velocity is taken along: the same cubic.
  balance = walker;
  balance.swing_velocity[2] = 1;
  swing(&balance);
  assert_near(balance.swing_velocity[2], 1 - 4 * 1 / (0.9 * 0.2) * H, 1e-12);
}

// Neither it nor its speed changes without limits: 120 m/s^2 and 6 m/s over the ground, 150 m/s^2 and 3 m/s up or down.
static void ankle_has_its_limits(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    Balancer balance = walker;
    balance.landing.ankle[2] = sign * 0.8;
    balance.step_time = 0.39;
    swing(&balance);
    assert_near(balance.swing_velocity[2], sign * 120 * H, 1e-12);
    balance.swing_velocity[2] = sign * 5.99;
    balance.swing_ankle[2] = 0;
    swing(&balance);
    assert_near(balance.swing_velocity[2], sign * 6, 1e-12);
    balance = walker;
    balance.step_time = 0.15; // rises for 0.03 s more
    balance.swing_ankle[1] = sign > 0 ? -1 : 1;
    swing(&balance);
    assert_near(balance.swing_velocity[1], sign * 150 * H, 1e-12);
    balance.swing_velocity[1] = sign * 2.9;
    swing(&balance);
    assert_near(balance.swing_velocity[1], sign * 3, 1e-12);
  }
  // The time over the ground is at least 0.04 s, and down at least 0.03 s.
  Balancer balance = walker;
  balance.landing.ankle[2] = 0.005;
  balance.step_time = 0.399;
  swing(&balance);
  assert_near(balance.swing_velocity[2], first_velocity(0.005, 0.04, 120), 1e-12);
  assert_near(balance.swing_velocity[1], first_velocity(-0.003, 0.03, 150), 1e-12);
}

// After its time it comes down to 3 mm below the ground; later it is looking for it at 0.5 m/s, 5 m/s more for each m
// that it lands lower than the other foot stands.
static void foot_looks_for_the_ground(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.step_time = 0.2; // 0.45 of the step are over
  swing(&balance);
  assert_near(balance.swing_velocity[1], first_velocity(-0.003, 0.2, 150), 1e-12);
  balance.step_time = 0.4;
  swing(&balance);
  assert_near(balance.swing_velocity[1], -0.5, 1e-12);
  balance.feet[1].ankle[1] += 0.1;
  swing(&balance);
  assert_near(balance.swing_velocity[1], -1, 1e-12);
}

// A foot that lands beside an edge of 6 cm or more goes 3 cm over it until its heel has passed.
static void heel_passes_an_edge(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    Balancer balance = walker;
    const double depth = i == 0 ? 0.059 : 0.061, ankle = balance.body.legs[0].foot_height - depth;
    balance.landing.ankle[1] = ankle;
    swing(&balance);
    const double goal = i == 0 ? ankle - 0.003 : ankle + depth + 0.03, time = i == 0 ? 0.2 : 0.03;
    assert_near(balance.swing_velocity[1], first_velocity(goal - 0.08, time, 150), 1e-9);
  }
}

// The foot turns to its landing as it goes, and its joints get their gains; the goal's rate is at most 15 rad/s.
static void swing_leg_turns(void **state) {
  (void)state;
  Balancer balance = walker;
  const Leg *leg = balance.body.legs[BALANCE_LEFT].leg;
  balance.lift_yaw = 0.1;
  balance.landing.yaw = 0.5;
  balance.step_time = 0.18; // half of 0.9 of the step
  swing(&balance);
  assert_near(balance.swing_yaw, 0.3, 1e-12);
  const double gains[3][2] = {{1000, 0.07}, {800, 0.07}, {300, 0.05}};
  const int joints[3] = {leg->hip, leg->knee, leg->ankle};
  for (int i = 0; i < 3; i++) {
    assert_near(goals[joints[i]].stiffness, gains[i][0], 1e-9);
    assert_near(goals[joints[i]].damping, gains[i][0] * gains[i][1], 1e-9);
    assert_near((double)glms_vec3_norm(goals[joints[i]].angular_velocity_l), 0, 0); // nothing to compare with yet
  }
  balance.swing_goal[1] = quat_exp((vec3s){{1, 0, 0}}); // far from where it is to go
  swing(&balance);
  assert_near(fabs((double)goals[leg->knee].angular_velocity_l.x), 15, 1e-4);
  balance.step_time = 0.4;
  swing(&balance);
  assert_near(balance.swing_yaw, 0.5, 1e-12);
}

// The ankle passes the stance leg on its own side: nearer than 13 cm it only goes to the other side, or on, once it is
// 22 cm before or behind it.
static void foot_goes_around_the_stance_leg(void **state) {
  (void)state;
  const struct {
    double now[2], landing[2], goal[2];                   // m left and ahead of the stance ankle
  } cases[] = {{{0.2, -0.3}, {0.05, 0.3}, {0.13, 0.3}},   // it has to pass first
               {{0.2, 0.23}, {-0.05, 0.3}, {-0.05, 0.3}}, // it has passed
               {{0.2, 0.21}, {-0.05, 0.3}, {0.13, 0.3}},
               {{0.2, 0.23}, {-0.05, 0.21}, {0.13, 0.21}}, // the landing is beside the leg
               {{0.05, -0.25}, {0.2, 0.3}, {0.2, -0.22}},  // it gets out from behind the leg first
               {{0.05, -0.25}, {0.2, -0.3}, {0.2, -0.3}},
               {{0.12, 0.25}, {0.2, 0}, {0.2, 0.22}},
               {{0.14, 0.25}, {0.2, 0}, {0.2, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = walker;
    const double x = balance.feet[1].ankle[0];
    balance.duration = 10; // so slow that no limit acts
    balance.swing_ankle[0] = x + cases[i].now[0];
    balance.swing_ankle[2] = cases[i].now[1];
    balance.landing.ankle[0] = x + cases[i].landing[0];
    balance.landing.ankle[2] = cases[i].landing[1];
    swing(&balance);
    const double time = 0.9 * 9.8, left = cases[i].goal[0] - cases[i].now[0],
                 ahead = cases[i].goal[1] - cases[i].now[1];
    if (!(fabs(balance.swing_velocity[0] - first_velocity(left, time, 120)) < 1e-9 &&
          fabs(balance.swing_velocity[2] - first_velocity(ahead, time, 120)) < 1e-9))
      fail_msg("case %d", (int)i);
  }
}

// Ground that rises ahead by `slope`, and by `riser` m at 0.2 m ahead.
typedef struct Hill {
  double slope, riser;
} Hill;

static bool hill_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                     double length, GroundHit *hit) {
  (void)mask;
  (void)direction;
  (void)length;
  const Hill *hill = context;
  const double z = origin[2], height = hill->slope * z + (z > 0.2 ? hill->riser : 0);
  *hit = (GroundHit){.position_w = {origin[0], height, z}, .normal_w = {0, 1, 0}, .distance = origin[1] - height};
  return true;
}

// A balancer in the air over a hill, whose left foot lands 0.3 m ahead; its right one is at 0.
static Balancer on_hill(double slope) {
  Balancer balance = walker;
  const double length = sqrt(1 + slope * slope);
  balance.landing.ankle[1] += 0.3 * slope;
  balance.landing.ankle[2] = 0.3;
  balance.landing.sloped = slope != 0;
  balance.landing.normal[1] = 1 / length;
  balance.landing.normal[2] = -slope / length;
  return balance;
}

static void swing_over(Balancer *balance, const Hill *hill) {
  BalanceStep step = step_of(balance);
  Ground ground = {.context = hill, .ray = hill_ray};
  step.ground = &ground;
  balance_swing(&step);
}

// A foot waits before a riser of 3 cm, on a slope as on level ground, but not because the ground rises: that slope
// lifts the ground before its toes by more than that.
static void foot_waits_for_a_riser_not_for_a_slope(void **state) {
  (void)state;
  const struct {
    Hill hill;
    bool waits;
  } cases[] = {{{0, 0}, false}, {{0, 0.03}, true}, {{0.3, 0}, false}, {{0.3, 0.03}, true}, {{0, 0.01}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = on_hill(cases[i].hill.slope);
    balance.duration = 2; // so slow that no limit acts
    swing_over(&balance, &cases[i].hill);
    const double on = first_velocity(0.3, 0.9 * (2 - 0.2), 120);
    if (fabs(balance.swing_velocity[2] - (cases[i].waits ? 0 : on)) > 1e-9)
      fail_msg("case %d: %g m/s", (int)i, balance.swing_velocity[2]);
  }
}

static double pitch_of_goal(const Balancer *balance) {
  const int joint = balance->body.legs[BALANCE_LEFT].leg->ankle, knee = balance->body.legs[BALANCE_LEFT].leg->knee;
  versors sole = glms_quat_mul(balance_part_rotation(f.character->ragdoll, knee), goals[joint].rotation);
  vec3s front = glms_quat_rotatev(sole, (vec3s){{0, 0, 1}});
  return atan2((double)front.y, (double)front.z);
}

// Downhill the sole is parallel to the ground from half of the step on and keeps its direction as the shin turns;
// uphill it turns as the step goes on, from level.
static void sole_turns_to_a_slope(void **state) {
  (void)state;
  const Leg *leg = walker.body.legs[BALANCE_LEFT].leg;
  dBodyID shin = f.character->ragdoll->ode[leg->knee];
  dBodySetAngularVel(shin, 2, 0, 0);
  for (int sign = -1; sign <= 1; sign += 2) {
    const Hill hill = {.slope = sign * 0.3};
    Balancer balance = on_hill(hill.slope);
    balance.step_time = 0.2; // half of it
    swing_over(&balance, &hill);
    const double share = sign < 0 ? 1 : 0.5, along = share * 0.3 / sqrt(1.09), up = share / sqrt(1.09) + 1 - share;
    assert_near(pitch_of_goal(&balance), sign * atan2(along, up), 1e-5);
    vec3s spin = goals[leg->ankle].angular_velocity_l;
    assert_near((double)glms_vec3_norm(spin), sign < 0 ? 2 : 0, 1e-6);
    vec3s turned = glms_quat_rotatev(balance_part_rotation(f.character->ragdoll, leg->knee), spin);
    assert_near((double)turned.x, sign < 0 ? -2 : 0, 1e-5);
  }
  Balancer balance = on_hill(-0.3); // at the end of level ground the sole begins level
  balance.step_time = 0.1;
  const Hill level = {.slope = 0};
  swing_over(&balance, &level);
  assert_near(pitch_of_goal(&balance), -atan2(0.5 * 0.3 / sqrt(1.09), 0.5 / sqrt(1.09) + 0.5), 1e-5);
  dBodySetAngularVel(shin, 0, 0, 0);
}

// The slope ahead is the lesser of the ground's and that between the feet: stairs are none, nor is a tilted tread.
static void stairs_are_no_slope(void **state) {
  (void)state;
  Balancer balance = on_hill(0.3);
  assert_near(balance_slope_ahead(&balance), 0.3, 1e-12);
  balance.landing.ankle[1] -= 0.03;
  assert_near(balance_slope_ahead(&balance), 0.2, 1e-12);
  balance.landing.ankle[1] -= 0.09; // lower than the other foot
  assert_near(balance_slope_ahead(&balance), 0, 0);
  balance = on_hill(-0.2);
  assert_near(balance_slope_ahead(&balance), -0.2, 1e-12);
  balance.landing.ankle[1] -= 0.1;
  assert_near(balance_slope_ahead(&balance), -0.2, 1e-12);
  balance.landing.sloped = false; // but an edge
  assert_near(balance_slope_ahead(&balance), 0, 0);
}

// ---- A caught foot ----

// Whether the reflex of a foot that was caught at that time of a step of 0.4 s raises it, and how long the step is
// then.
static bool raises(double at, double *duration) {
  Balancer balance = walker;
  balance.step_time = at;
  const BalanceCommand caught = {.foot_caught = {true, false}};
  balance_update_trip(&balance, &caught, 0.01);
  for (int i = 1; i <= 8; i++) { // the reflex takes 0.08 s
    assert_int_equal(balance.trip.high_steps, 0);
    balance.step_time += 0.01;
    balance_update_trip(&balance, &caught, 0.01 + 1e-9);
  }
  assert_int_equal(balance.trip.high_steps, 3);
  *duration = balance.duration;
  return balance.trip.raising;
}

// Before 0.6 of the step the foot is raised and has at least 0.3 s; after it, it is put down in 0.08 s.
static void caught_foot_is_raised_or_put_down(void **state) {
  (void)state;
  double duration;
  assert_true(raises(0.05, &duration));
  assert_near(duration, 0.13 + 0.3, 1e-9);
  assert_true(raises(0.041, &duration));
  Balancer leaving = walker; // it touched the riser before which it stood
  leaving.step_time = 0.039;
  balance_update_trip(&leaving, &(BalanceCommand){.foot_caught = {true, false}}, 0.01);
  assert_false(leaving.trip.caught);
  assert_true(raises(0.159, &duration));
  assert_false(raises(0.161, &duration));
  assert_near(duration, 0.241 + 0.08, 1e-9);
  assert_false(raises(0.3, &duration));
  assert_near(duration, 0.4, 1e-9);
}

// It rises in place for 0.1 s and stays up for 0.1 s more. For three steps feet go 12 cm higher.
static void raised_foot_stays_up(void **state) {
  (void)state;
  const double cases[][3] = {{0.08, 1, 0.2}, {0.179, 1, 0.101}, {0.181, 0, 0.099}, {0.27, 0, 0.01}, {0.3, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int raising = 0; raising < 2; raising++) {
      Balancer balance = walker;
      bool in_place;
      balance.trip = (BalanceTrip){.caught = true, .raising = raising, .time = cases[i][0]};
      assert_near(balance_raise_left(&balance, &in_place), raising ? cases[i][2] : 0, 1e-12);
      assert_int_equal(in_place, raising && cases[i][1] > 0);
    }
  Balancer balance = walker;
  balance.trip.high_steps = 3;
  for (int step = 3; step >= 0; step--) {
    assert_near(balance_clearance(&balance), balance.def.clearance + (step > 0 ? 0.15 : 0), 1e-12);
    balance_trip_begin_step(&balance);
  }
  assert_int_equal(balance.trip.high_steps, 0);
  balance.trip = (BalanceTrip){.caught = true, .raising = true, .time = 0.3};
  balance_trip_begin_step(&balance); // the next step begins anew
  assert_true(!balance.trip.caught && !balance.trip.raising && balance.trip.time == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hips_are_held_at_their_height),
      cmocka_unit_test(hips_follow_the_slope),
      cmocka_unit_test(hips_stay_low_enough_to_land),
      cmocka_unit_test(stance_leg_carries_the_weight),
      cmocka_unit_test(leg_without_load_keeps_its_place),
      cmocka_unit_test(ankle_goes_to_its_landing),
      cmocka_unit_test(ankle_has_its_limits),
      cmocka_unit_test(foot_looks_for_the_ground),
      cmocka_unit_test(swing_leg_turns),
      cmocka_unit_test(heel_passes_an_edge),
      cmocka_unit_test(foot_goes_around_the_stance_leg),
      cmocka_unit_test(foot_waits_for_a_riser_not_for_a_slope),
      cmocka_unit_test(sole_turns_to_a_slope),
      cmocka_unit_test(stairs_are_no_slope),
      cmocka_unit_test(caught_foot_is_raised_or_put_down),
      cmocka_unit_test(raised_foot_stays_up),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
