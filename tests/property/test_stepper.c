// Laws of the stepper on 4, 6 and 8 legs, on flat, sloping and rough ground, in any direction of motion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sim/base/rng.h"
#include "tests/unit/stepper_fixture.h"

static const double DEG = RAD_PER_DEGREE;

// Motion of the body: speed in units/s, direction relative to its front, turn rate.
typedef struct Motion {
  const char *name;
  double speed, direction, turn_rate;
} Motion;

static const Motion motions[] = {
    {"straight", 6, 0, 0},
    {"fast", 14, 0, 0},
    {"backward", 6, 180, 0},
    {"left", 6, 90, 0},
    {"diagonal", 6, -135, 0},
    {"turn on the spot", 0, 0, 90},
    {"curve", 6, 0, 40},
    {"run in a curve", 14, 0, -60},
    {"spiral sideways", 6, 90, 40},
};

typedef struct GroundCase {
  const char *name;
  TestGround ground;
} GroundCase;

static const GroundCase grounds[] = {
    {"flat", {.pitch = 0}},
    {"15 deg", {.pitch = 15 * RAD_PER_DEGREE}},
    {"rough", {.rough = 0.012}},
};

enum { MOTIONS = sizeof motions / sizeof motions[0], GROUNDS = sizeof grounds / sizeof grounds[0] };

// Measures of a walk.
typedef struct Findings {
  int least_planted;
  long steps, moved;                        // steps; standing feet whose place changed
  double longest_escape;                    // s
  double nearest;                           // share of the gap between neighbours at rest, along it; negative: crossed
  double off_ground, missing;               // m, of standing soles in the pose
  double bob_speed, sink_speed, sway_speed; // m/s, rad/s
} Findings;

static bool are_neighbours(const StepperDef *def, int a, int b) {
  const double *p = def->bind.legs[a].reference, *q = def->bind.legs[b].reference;
  return (p[0] > 0) == (q[0] > 0) || fabs(p[1] - q[1]) < 1e-3;
}

static void check_gaps(const Walk *walk, Findings *findings) {
  for (int a = 0; a < walk->def.count; a++)
    for (int b = 0; b < a; b++) {
      if (!are_neighbours(&walk->def, a, b))
        continue;
      const double *p = walk->stepper.stance.legs[a].reference, *q = walk->stepper.stance.legs[b].reference;
      double gap[2] = {p[0] - q[0], p[1] - q[1]}, xa, za, xb, zb;
      body_offset(walk, a, &xa, &za);
      body_offset(walk, b, &xb, &zb);
      double width2 = gap[0] * gap[0] + gap[1] * gap[1];
      double along = gap[0] * (xa - xb) + gap[1] * (za - zb);
      findings->nearest = fmin(findings->nearest, 1 + along / width2);
    }
}

static void check_feet(const Walk *walk, const StepperFoot *before, double *escaped, Findings *findings) {
  for (int i = 0; i < walk->def.count; i++) {
    const StepperFoot *foot = &walk->stepper.feet[i];
    escaped[i] = foot->escaped ? escaped[i] + walk->step.dt : 0;
    findings->longest_escape = fmax(findings->longest_escape, escaped[i]);
    if (foot->stepping)
      continue;
    if (!before[i].stepping)
      for (int k = 0; k < 3; k++)
        findings->moved += foot->place[k] != before[i].place[k];
    vec3s sole = shown_sole(walk, i);
    double height = 0;
    test_height(&walk->shape, (double)sole.x, (double)sole.z, GROUND_HIGHEST, &height, NULL);
    findings->off_ground = fmax(findings->off_ground, fabs((double)sole.y - height));
    findings->missing = fmax(findings->missing, (double)foot->missing);
  }
}

static void note_step(const Walk *walk, const Stepper *before, double *escaped, Findings *findings) {
  const Stepper *now = &walk->stepper;
  double dt = walk->step.dt;
  check_feet(walk, before->feet, escaped, findings);
  check_gaps(walk, findings);
  int planted = count_planted(walk);
  findings->least_planted = planted < findings->least_planted ? planted : findings->least_planted;
  findings->bob_speed = fmax(findings->bob_speed, fabs(now->bob.value - before->bob.value) / dt);
  findings->sink_speed = fmax(findings->sink_speed, fabs(now->sunk - before->sunk) / dt);
  for (int axis = 0; axis < 3; axis++)
    findings->sway_speed = fmax(findings->sway_speed, fabs(now->sway[axis].value - before->sway[axis].value) / dt);
  findings->sway_speed = fmax(findings->sway_speed, fabs(now->bend.value - before->bend.value) / dt);
  for (int i = 0; i < walk->pose.count; i++)
    for (int k = 0; k < 4; k++)
      assert_true(isfinite(walk->pose.rotation[i].raw[k]));
}

static Findings walk_along(int legs, const Motion *motion, const TestGround *ground, double dt) {
  static Walk walk;
  walk_init(&walk, make_walker(legs), *ground, "spine: [chest]");
  Findings findings = {.least_planted = legs, .nearest = INFINITY};
  double escaped[SKELETON_MAX_LEGS] = {0};
  for (int k = 0; k < (int)(12 / dt); k++) {
    Stepper before = walk.stepper;
    double ramp = smooth_step(walk.time / 0.5), speed = ramp * motion->speed * walk.stepper.stance.unit;
    double course = walk.step.heading + motion->direction * DEG;
    walk_on(&walk, dt, speed * sin(course), speed * cos(course), ramp * motion->turn_rate * DEG);
    note_step(&walk, &before, escaped, &findings);
  }
  findings.steps = walk.stepper.steps;
  return findings;
}

static void worse(Findings *worst, const Findings *found) {
  worst->longest_escape = fmax(worst->longest_escape, found->longest_escape);
  worst->nearest = fmin(worst->nearest, found->nearest);
  worst->off_ground = fmax(worst->off_ground, found->off_ground);
  worst->missing = fmax(worst->missing, found->missing);
  worst->bob_speed = fmax(worst->bob_speed, found->bob_speed);
  worst->sink_speed = fmax(worst->sink_speed, found->sink_speed);
  worst->sway_speed = fmax(worst->sway_speed, found->sway_speed);
}

static void test_every_way(void **state) {
  (void)state;
  Findings worst = {.nearest = INFINITY};
  for (int legs = 4; legs <= 8; legs += 2)
    for (int m = 0; m < MOTIONS; m++)
      for (int g = 0; g < GROUNDS; g++)
        for (int rate = 60; rate <= 240; rate += 180) {
          Findings found = walk_along(legs, &motions[m], &grounds[g].ground, 1.0 / rate);
          bool good = found.moved == 0 && found.steps >= 5 * legs && 2 * found.least_planted >= legs &&
                      found.longest_escape <= 0.25 && found.nearest > 0.1 && found.off_ground <= 0.01 &&
                      found.bob_speed <= 0.25 && found.sink_speed <= 0.25 && found.sway_speed <= 4;
          worse(&worst, &found);
          if (!good)
            fail_msg("%d legs, %s, %s, %d Hz: %ld steps, %ld feet slipped, %d planted, escaped for %.3f s, %.2f of a "
                     "gap, %.1f mm off the ground (%.1f mm missing), bob %.2f m/s, sinking %.2f m/s, sway %.1f rad/s",
                     legs, motions[m].name, grounds[g].name, rate, found.steps, found.moved, found.least_planted,
                     found.longest_escape, found.nearest, 1e3 * found.off_ground, 1e3 * found.missing, found.bob_speed,
                     found.sink_speed, found.sway_speed);
        }
  printf("  worst of all: escaped for %.3f s, %.2f of a gap, %.2f mm off the ground, bob %.3f m/s, sinking %.3f m/s, "
         "sway %.2f rad/s\n",
         worst.longest_escape, worst.nearest, 1e3 * worst.off_ground, worst.bob_speed, worst.sink_speed,
         worst.sway_speed);
}

// Speeds and turn rates change all the time, with bounded acceleration.
static void test_random_ways(void **state) {
  (void)state;
  static Walk walk;
  Rng rng = rng_make(5, "ways");
  for (int n = 0; n < 40; n++) {
    int legs = 2 + 2 * rng_index(&rng, 4);
    walk_init(&walk, make_walker(legs), (TestGround){.rough = legs == 2 ? 0 : rng_range(&rng, 0, 0.01)}, "");
    double velocity[2] = {0, 0}, turn_rate = 0, wanted[3] = {0, 0, 0}, dt = 1.0 / 60, unit = walk.stepper.stance.unit;
    for (int k = 0; k < 1200; k++) {
      Stepper before = walk.stepper;
      if (k % 60 == 0) {
        double speed = rng_range(&rng, 0, 10) * unit * rng_index(&rng, 2), course = rng_range(&rng, -4, 4);
        wanted[0] = speed * sin(course);
        wanted[1] = speed * cos(course);
        wanted[2] = rng_range(&rng, -1, 1) * rng_index(&rng, 2);
      }
      for (int axis = 0; axis < 2; axis++)
        velocity[axis] += fmin(fmax(wanted[axis] - velocity[axis], -20 * unit * dt), 20 * unit * dt);
      turn_rate += fmin(fmax(wanted[2] - turn_rate, -4 * dt), 4 * dt);
      walk_on(&walk, dt, velocity[0], velocity[1], turn_rate);
      assert_true(2 * count_planted(&walk) >= legs);
      for (int i = 0; i < legs; i++) {
        const StepperFoot *foot = &walk.stepper.feet[i];
        if (!foot->stepping && !before.feet[i].stepping)
          assert_memory_equal(foot->place, before.feet[i].place, sizeof foot->place);
        double way = hypot(foot->place[0] - before.feet[i].place[0], foot->place[2] - before.feet[i].place[2]);
        assert_true(way <= 80 * unit * dt * 3);
        assert_true(foot->distance <= 3 * foot->allowed);
      }
    }
  }
}

// Starts again over another place of its ground, with another heading.
static void start_at(Walk *walk, double x, double z, double heading) {
  walk->step.root_position[0] = x;
  walk->step.root_position[2] = z;
  walk->step.heading = heading;
  test_height(&walk->shape, x, z, GROUND_HIGHEST, &walk->step.root_position[1], NULL);
  place_bind(walk);
  stepper_init(&walk->def, &walk->stepper, &walk->step);
}

// The same ground elsewhere and turned, the same way over it: every point of the body is turned and moved alike.
static void test_any_place_and_heading(void **state) {
  (void)state;
  static Walk walk, image;
  Rng rng = rng_make(7, "headings");
  for (int n = 0; n < 8; n++) {
    int legs = 2 + 2 * (n % 4);
    TestGround ground = {.pitch = legs == 2 ? 0 : 0.1, .rough = legs == 2 ? 0 : 0.006}, moved = ground;
    moved.turn = rng_range(&rng, -3, 3);
    moved.at[0] = rng_range(&rng, -2, 2);
    moved.at[1] = rng_range(&rng, -2, 2);
    const char *yaml = legs == 2 ? "" : "spine: [chest]";
    walk_init(&walk, make_walker(legs), ground, yaml);
    walk_init(&image, make_walker(legs), moved, yaml);
    start_at(&image, moved.at[0], moved.at[1], moved.turn);
    double unit = walk.stepper.stance.unit, velocity[2] = {0}, wanted[3] = {0}, turned[2];
    for (int k = 0; k < 600; k++) {
      if (k % 100 == 0)
        for (int i = 0; i < 3; i++)
          wanted[i] = rng_range(&rng, -1, 1) * (i < 2 ? 8 * unit : 1);
      for (int axis = 0; axis < 2; axis++)
        velocity[axis] += fmin(fmax(wanted[axis] - velocity[axis], -0.2 * unit), 0.2 * unit);
      walk_on(&walk, 1.0 / 60, velocity[0], velocity[1], wanted[2]);
      turn_level(moved.turn, velocity, turned);
      walk_on(&image, 1.0 / 60, turned[0], turned[1], wanted[2]);
      for (int i = 0; i < walk.pose.count; i++) {
        double place[2] = {(double)walk.shown.position[i].x, (double)walk.shown.position[i].z};
        turn_level(moved.turn, place, place);
        double x = place[0] + moved.at[0] - (double)image.shown.position[i].x;
        double z = place[1] + moved.at[1] - (double)image.shown.position[i].z;
        double y = (double)walk.shown.position[i].y - (double)image.shown.position[i].y;
        if (!(hypot(hypot(x, z), y) < 2e-5))
          fail_msg("%d legs, step %d: %s is %.2g m off", legs, k, walk.skeleton.names[i], hypot(hypot(x, z), y));
      }
    }
    assert_true(walk.stepper.steps > 2 * legs);
  }
}

// Any finite input gives a finite pose.
static void test_wild_input(void **state) {
  (void)state;
  static Walk walk;
  Rng rng = rng_make(6, "wild");
  for (int n = 0; n < 300; n++) {
    int legs = 2 + 2 * rng_index(&rng, 4);
    Skeleton skeleton = make_walker(legs);
    if (n % 5 == 0) // almost no legs, all at one place
      for (int i = 0; i < skeleton.count; i++)
        skeleton.bind_position_l[i] = glms_vec3_zero();
    walk_init(&walk, skeleton, (TestGround){.rough = rng_range(&rng, 0, 3), .edge = rng_range(&rng, -1, 1)}, "");
    for (int k = 0; k < 60; k++) {
      static const double dts[] = {0, 1e-9, 1e-3, 1.0 / 60, 1, 100};
      double size = pow(10, rng_range(&rng, -12, 5)), direction[3];
      rng_direction(&rng, direction);
      walk.step.teleported = rng_index(&rng, 20) == 0;
      walk_on(&walk, dts[rng_index(&rng, 6)], size * direction[0], size * direction[2], size * direction[1]);
      for (int i = 0; i < walk.pose.count; i++)
        for (int axis = 0; axis < 4; axis++)
          assert_true(isfinite(walk.pose.rotation[i].raw[axis]) && isfinite(walk.pose.position[i].raw[axis % 3]));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_way),
      cmocka_unit_test(test_random_ways),
      cmocka_unit_test(test_any_place_and_heading),
      cmocka_unit_test(test_wild_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
