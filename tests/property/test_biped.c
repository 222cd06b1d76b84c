// Laws of the biped for any motion: standing feet stand, no foot jumps, no leg is longer than it is.
#include "tests/unit/biped_test.h"

#include "anim/mirror.h"
#include "sim/base/rng.h"

static const double DT = 1.0 / 240;

static BipedWalk walk;

// How a body moves: speeds to the left and ahead, turn.
typedef struct Way {
  double wanted[2], velocity[2], turn_rate, acceleration; // m/s, rad/s, m/s^2
} Way;

static void go_way(Way *way, double dt) {
  for (int k = 0; k < 2; k++) {
    double most = way->acceleration * dt, change = way->wanted[k] - way->velocity[k];
    way->velocity[k] += fmin(fmax(change, -most), most);
  }
  double c = cos(walk.step.heading), s = sin(walk.step.heading), x = way->velocity[0], z = way->velocity[1];
  biped_go(&walk, dt, c * x + s * z, c * z - s * x, way->turn_rate);
}

static void check_finite(void) {
  for (int i = 0; i < walk.pose.count; i++) {
    for (int k = 0; k < 4; k++)
      assert_true(isfinite(walk.pose.rotation[i].raw[k]));
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(walk.pose.position[i].raw[k]));
  }
}

// ---- Standing feet ----

// A thousand steps at 0.5 to 2 m/s, half of them in turns.
static void no_slip(void **state) {
  (void)state;
  Rng rng = rng_make(1, "slip");
  Way way = {.acceleration = 1.5};
  biped_start(&walk, man, "");
  while (walk.biped.steps < 1000) {
    if (rng_unit(&rng) < 0.003) {
      way.wanted[1] = rng_range(&rng, 0.5, 2);
      way.turn_rate = rng_unit(&rng) < 0.5 ? rng_range(&rng, -1, 1) : 0;
    }
    Biped before = walk.biped;
    go_way(&way, DT);
    for (int i = 0; i < BIPED_LEGS; i++) {
      const BipedFoot *foot = &walk.biped.feet[i], *last = &before.feet[i];
      if (!foot->swinging && !last->swinging)
        assert_true(hypot(foot->place[0] - last->place[0], foot->place[1] - last->place[1]) <= 1e-6);
    }
  }
}

// The same in the output pose: edges on which feet stand, and soles on the ground.
static void soles_on_the_ground(void **state) {
  (void)state;
  Rng rng = rng_make(2, "soles");
  Way way = {.acceleration = 1.5};
  biped_start(&walk, man, "");
  double places[BIPED_LEGS][2] = {{0}};
  for (int k = 0; k < 240 * 60; k++) {
    if (k % 480 == 0) {
      way.wanted[0] = rng_range(&rng, -0.5, 0.5);
      way.wanted[1] = rng_range(&rng, -0.8, 3);
      way.turn_rate = rng_range(&rng, -0.8, 0.8);
    }
    Biped before = walk.biped;
    go_way(&way, DT);
    for (int i = 0; i < BIPED_LEGS; i++) {
      const Leg *leg = &walk.skeleton.legs[i];
      const BipedFoot *foot = &walk.biped.feet[i];
      vec3s heel = shown_point(&walk, i, leg->heel_l), toe = shown_point(&walk, i, leg->toe_l);
      vec3s edge = foot->pitch > 0 ? heel : toe;
      double low = fmin((double)heel.y, (double)toe.y);
      assert_true(low > -1e-3);
      bool same = (foot->pitch > 0) == (before.feet[i].pitch > 0);
      if (!foot->swinging) {
        assert_true(low < 1e-3);
        if (k > 0 && !before.feet[i].swinging && same)
          assert_near(hypot((double)edge.x - places[i][0], (double)edge.z - places[i][1]), 0, 1e-3);
      }
      places[i][0] = (double)edge.x;
      places[i][1] = (double)edge.z;
    }
  }
}

// ---- Changes of speed ----

// Random commands. Returns how much faster a foot is than three times the body's speed and 2 m/s, m/s. Checks legs.
static double worst_pop(double acceleration, unsigned seed, bool sideways) {
  Rng rng = rng_make(seed, "pops");
  Way way = {.acceleration = acceleration};
  double worst = -INFINITY;
  biped_start(&walk, man, "");
  for (int k = 0; k < 240 * 30; k++) {
    if (k % 180 == 60) {
      way.wanted[0] = sideways ? rng_range(&rng, -0.6, 0.6) : 0;
      way.wanted[1] = sideways ? rng_range(&rng, -1, 1.5) : rng_range(&rng, 0, 4.5);
      way.turn_rate = sideways ? rng_range(&rng, -1.5, 1.5) : 0;
      if (rng_unit(&rng) < 0.25)
        way.wanted[0] = way.wanted[1] = 0;
    }
    vec3s soles[BIPED_LEGS];
    for (int i = 0; i < BIPED_LEGS; i++)
      soles[i] = shown_sole(&walk, i);
    go_way(&way, DT);
    double most = 3 * hypot(way.velocity[0], way.velocity[1]) + 2;
    for (int i = 0; i < BIPED_LEGS; i++) {
      double speed = k > 0 ? (double)glms_vec3_distance(soles[i], shown_sole(&walk, i)) / DT : 0;
      worst = fmax(worst, speed - most);
      assert_true(shown_stretch(&walk, i) <= 0.99);
    }
    check_finite();
  }
  return worst;
}

static void no_pops(void **state) {
  (void)state;
  const double accelerations[] = {1.5, 4, 10, 1e6};
  for (int a = 0; a < 4; a++)
    for (unsigned seed = 1; seed <= 4; seed++) {
      double worst = worst_pop(accelerations[a], seed, seed % 2 == 0 && a < 2);
      if (!(worst < 0))
        fail_msg("a foot is %.2f m/s too fast: %g m/s^2, seed %u", worst, accelerations[a], seed);
    }
  assert_true(walk.biped.unpinned > 0); // feet whose stance is given up are counted
}

// In a steady walk no stance is given up.
static void steady_walkers_give_up_no_stance(void **state) {
  (void)state;
  for (double speed = -1; speed <= 6; speed += 0.25) {
    biped_start_at(&walk, man, "", DT, speed);
    long before = walk.biped.unpinned;
    biped_go_on(&walk, DT, 3, speed);
    if (walk.biped.unpinned != before)
      fail_msg("%ld feet let go at %g m/s", walk.biped.unpinned - before, speed);
  }
}

// ---- Stopping and turning ----

static double off_rest(int leg) {
  const BipedLeg *l = &walk.def.legs[leg];
  double c = cos(walk.step.heading), s = sin(walk.step.heading), x = l->rest[0], z = l->rest[1];
  return hypot(walk.biped.feet[leg].place[0] - walk.step.root_position[0] - (c * x + s * z),
               walk.biped.feet[leg].place[1] - walk.step.root_position[2] - (c * z - s * x));
}

// From any phase, forward, backward and sideways.
static void stopping(void **state) {
  (void)state;
  const double ways[][2] = {{0, 1.3}, {0, 2}, {0, 3.5}, {0, -0.8}, {0.5, 0}, {-0.3, 0.6}};
  for (int w = 0; w < 6; w++)
    for (int start = 0; start < 12; start++) {
      Way way = {.acceleration = 1.5 + 0.5 * (start % 3), .wanted = {ways[w][0], ways[w][1]}};
      biped_start(&walk, man, "");
      for (int k = 0; k < 1100 + 21 * start; k++)
        go_way(&way, DT);
      way.wanted[0] = way.wanted[1] = 0;
      while (hypot(way.velocity[0], way.velocity[1]) >= 0.05)
        go_way(&way, DT);
      for (int k = 0; k < 240; k++)
        go_way(&way, DT);
      for (int leg = 0; leg < BIPED_LEGS; leg++)
        if (!(hypot(off_rest(leg), walk.biped.feet[leg].lift) <= 0.02))
          fail_msg("foot %d is %.3f m off after %g, %g m/s, start %d", leg, off_rest(leg), ways[w][0], ways[w][1],
                   start);
      for (int k = 0; k < 60; k++)
        go_way(&way, DT);
      assert_true(walk.biped.standing);
    }
}

static void turn_in_place(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2)
    for (double rate = 30; rate <= 180; rate += 30) {
      double most = 0;
      biped_start(&walk, man, "");
      Way way = {.turn_rate = side * rate * RAD_PER_DEGREE};
      for (int k = 0; k < (int)lround(180 / rate / DT); k++) {
        go_way(&way, DT);
        for (int leg = 0; leg < BIPED_LEGS; leg++)
          most = fmax(most, fabs(wrap_angle(walk.biped.feet[leg].yaw - walk.step.heading)));
      }
      if (!(most <= 45 * RAD_PER_DEGREE))
        fail_msg("%.1f deg off at %g deg/s", most / RAD_PER_DEGREE, rate);
      way.turn_rate = 0;
      for (int k = 0; k < 300; k++)
        go_way(&way, DT);
      assert_near(walk.step.heading, side * M_PI, 1e-9);
      for (int leg = 0; leg < BIPED_LEGS; leg++)
        assert_true(off_rest(leg) < 0.02);
    }
}

// ---- Disturbances that must not change the gait ----

static void ground_that_moves(void **state) {
  (void)state;
  biped_start(&walk, man, "");
  walk.step.ground_velocity[0] = 0.7;
  walk.step.ground_velocity[2] = -0.4;
  Way way = {.acceleration = 1.5, .wanted = {0, 1.2}};
  for (int k = 0; k < 2400; k++) {
    Biped before = walk.biped;
    if (k == 1200)
      way.wanted[1] = 0;
    go_way(&way, DT);
    for (int i = 0; i < BIPED_LEGS; i++) {
      const BipedFoot *foot = &walk.biped.feet[i], *last = &before.feet[i];
      if (foot->swinging || last->swinging)
        continue;
      assert_near(foot->place[0] - last->place[0], 0.7 * DT, 1e-12);
      assert_near(foot->place[1] - last->place[1], -0.4 * DT, 1e-12);
    }
  }
  assert_true(walk.biped.standing && off_rest(0) < 0.02 && off_rest(1) < 0.02);
}

static void carried_and_teleported(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 1.3);
  const RootRebase rebase = {.pivot = {1, 0, 2}, .turn = 0.8, .shift = {0.3, 0, -0.2}};
  BipedWalk other = walk;
  root_rebase_point(&rebase, walk.step.root_position);
  walk.step.heading += rebase.turn;
  biped_layer.rebase(&walk.def, &walk.biped, &rebase);
  for (int k = 0; k < 240; k++) { // a carried walker moves as one that is not, at another place
    biped_go(&walk, DT, 1.3 * sin(walk.step.heading), 1.3 * cos(walk.step.heading), 0);
    BipedWalk kept = walk;
    walk = other;
    walk.step.skeleton = &walk.skeleton;
    walk.step.pose_w = &walk.pose;
    walk.step.plans = walk.plans;
    biped_go(&walk, DT, 0, 1.3, 0);
    other = walk;
    walk = kept;
    for (int i = 0; i < BIPED_LEGS; i++) {
      double place[3] = {other.biped.feet[i].place[0], 0, other.biped.feet[i].place[1]};
      root_rebase_point(&rebase, place);
      assert_near(walk.biped.feet[i].place[0], place[0], 1e-9);
      assert_near(walk.biped.feet[i].place[1], place[2], 1e-9);
      assert_true(walk.biped.feet[i].swinging == other.biped.feet[i].swinging);
    }
  }

  walk.step.root_position[0] += 100;
  walk.step.teleported = true;
  biped_go(&walk, DT, 0, 0, 0);
  walk.step.teleported = false;
  assert_true(walk.biped.standing && off_rest(0) < 0.02 && off_rest(1) < 0.02);
}

// A step of zero time gives the same pose again, and any finite input gives finite outputs.
static void odd_steps(void **state) {
  (void)state;
  biped_start_at(&walk, man, "", DT, 3.5);
  Pose shown = walk.pose;
  biped_go(&walk, 0, 0, 3.5, 0);
  assert_memory_equal(shown.rotation, walk.pose.rotation, sizeof shown.rotation);
  assert_memory_equal(shown.position, walk.pose.position, sizeof shown.position);

  Rng rng = rng_make(3, "odd");
  for (int run = 0; run < 200; run++) {
    const char *const modes[] = {"", "{swing: published, stompiness: 1}", "{step_lead: 2, cadence: 2, sink: 0}"};
    biped_start(&walk, man, modes[run % 3]);
    for (int k = 0; k < 60; k++) {
      double size = pow(10, rng_range(&rng, -6, 6)), dt = pow(10, rng_range(&rng, -6, 1));
      walk.step.ground_velocity[0] = rng_unit(&rng) < 0.1 ? size * rng_range(&rng, -1, 1) : 0;
      biped_go(&walk, dt, size * rng_range(&rng, -1, 1), size * rng_range(&rng, -1, 1), rng_range(&rng, -20, 20));
      check_finite();
    }
  }
}

// The pose does not depend on the time step.
static void rates_agree(void **state) {
  (void)state;
  double places[2][3];
  for (int i = 0; i < 2; i++) {
    double dt = i ? 1.0 / 600 : 1.0 / 60;
    Way way = {.acceleration = 1.5, .wanted = {0, 1.3}};
    biped_start(&walk, man, "");
    for (int k = 0; k < (int)lround(5 / dt); k++)
      go_way(&way, dt);
    places[i][0] = walk.biped.hip_phase;
    places[i][1] = walk.biped.gait.low;
    places[i][2] = (double)walk.pose.position[0].y;
  }
  double difference = remainder(places[0][0] - places[1][0], 2);
  assert_near(difference, 0, 0.1);
  assert_near(places[0][1], places[1][1], 1e-4);
  assert_near(places[0][2], places[1][2], 0.01);
}

// ---- Symmetry ----

static BipedWalk image;

// The image goes as the walk does, at velocities in the body's frame; side: -1 with left and right exchanged.
static void image_goes_along(const Way *way, double side) {
  double c = cos(image.step.heading), s = sin(image.step.heading), x = side * way->velocity[0], z = way->velocity[1];
  biped_go(&image, DT, c * x + s * z, c * z - s * x, side * way->turn_rate);
}

static void change_way(Way *way, Rng *rng) {
  way->wanted[0] = rng_range(rng, -0.5, 0.5);
  way->wanted[1] = rng_range(rng, -0.8, 4);
  way->turn_rate = rng_range(rng, -1, 1);
  if (rng_unit(rng) < 0.3) // stands, or turns on the spot
    way->wanted[0] = way->wanted[1] = 0;
}

// Of two poses, relative to their roots.
static void check_same_pose(const Pose *a, const LayerStep *at_a, const Pose *b, const LayerStep *at_b, int k) {
  const versors back[2] = {{{0, (float)-sin(at_a->heading / 2), 0, (float)cos(at_a->heading / 2)}},
                           {{0, (float)-sin(at_b->heading / 2), 0, (float)cos(at_b->heading / 2)}}};
  const LayerStep *steps[2] = {at_a, at_b};
  Pose poses[2] = {*a, *b};
  for (int i = 0; i < 2; i++) {
    for (int axis = 0; axis < 3; axis++)
      poses[i].position[0].raw[axis] -= (float)steps[i]->root_position[axis];
    poses[i].position[0] = glms_quat_rotatev(back[i], poses[i].position[0]);
    poses[i].rotation[0] = glms_quat_mul(back[i], poses[i].rotation[0]);
  }
  double apart = (double)glms_vec3_distance(poses[0].position[0], poses[1].position[0]), turned = 0;
  for (int i = 0; i < a->count; i++)
    turned = fmax(turned, (double)quat_angle_between(poses[0].rotation[i], poses[1].rotation[i]));
  // Rounding grows, and in the end lets a foot land a step sooner or later.
  if (!(apart < 5e-3 && turned < 0.15))
    fail_msg("step %d: the roots are %.2g m apart, a joint is turned by %.2g rad", k, apart, turned);
}

// Whichever way it faces and wherever it is, it moves alike.
static void any_place_and_heading(void **state) {
  (void)state;
  Rng rng = rng_make(4, "headings");
  long steps = 0;
  for (int run = 0; run < 12; run++) {
    Way way = {.acceleration = 2};
    biped_start(&walk, man, "");
    biped_start(&image, man, "");
    image.step.heading = rng_range(&rng, -3, 3);
    image.step.root_position[0] = rng_range(&rng, -5, 5);
    image.step.root_position[1] = 0.5;
    image.step.root_position[2] = rng_range(&rng, -5, 5);
    place_bind(&image);
    biped_init(&image.def, &image.biped, &image.step);
    for (int k = 0; k < 240 * 3; k++) {
      if (k % 180 == 0)
        change_way(&way, &rng);
      go_way(&way, DT);
      image_goes_along(&way, 1);
      check_same_pose(&walk.pose, &walk.step, &image.pose, &image.step, k);
    }
    steps += walk.biped.steps;
  }
  assert_true(steps > 36);
}

static void mirror_foot(const BipedFoot *from, BipedFoot *to) {
  *to = *from;
  to->place[0] = -from->place[0];
  to->from[0] = -from->from[0];
  to->landing[0] = -from->landing[0];
  to->yaw = -from->yaw;
  to->from_yaw = -from->from_yaw;
  to->landing_yaw = -from->landing_yaw;
}

// Begun as the mirror image, and sent the mirrored way, it remains the mirror image.
static void left_and_right_are_alike(void **state) {
  (void)state;
  const char *const modes[] = {"", "{toe_out: 10, sway: 2, twist: 2, lean: 2}", "{step_lead: 0.2, stompiness: 1}"};
  Rng rng = rng_make(5, "mirror");
  long steps = 0;
  for (int run = 0; run < 12; run++) {
    Way way = {.acceleration = 2};
    biped_start(&walk, man, modes[run % 3]);
    biped_start(&image, man, modes[run % 3]);
    for (int i = 0; i < BIPED_LEGS; i++)
      mirror_foot(&walk.biped.feet[i], &image.biped.feet[1 - i]);
    image.biped.hip_phase = fmod(walk.biped.hip_phase + 1, 2);
    for (int k = 0; k < 240 * 3; k++) {
      if (k % 180 == 0)
        change_way(&way, &rng);
      go_way(&way, DT);
      image_goes_along(&way, -1);
      Pose mirrored;
      mirror_pose(&walk.skeleton, &image.pose, &mirrored);
      LayerStep at = image.step;
      at.heading = -at.heading;
      at.root_position[0] = -at.root_position[0];
      check_same_pose(&walk.pose, &walk.step, &mirrored, &at, k);
    }
    steps += walk.biped.steps;
  }
  assert_true(steps > 36);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_slip),
      cmocka_unit_test(soles_on_the_ground),
      cmocka_unit_test(no_pops),
      cmocka_unit_test(steady_walkers_give_up_no_stance),
      cmocka_unit_test(stopping),
      cmocka_unit_test(turn_in_place),
      cmocka_unit_test(ground_that_moves),
      cmocka_unit_test(carried_and_teleported),
      cmocka_unit_test(odd_steps),
      cmocka_unit_test(rates_agree),
      cmocka_unit_test(any_place_and_heading),
      cmocka_unit_test(left_and_right_are_alike),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
