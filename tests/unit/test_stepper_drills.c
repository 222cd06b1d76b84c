// What walkers on two to eight legs come to that are led by drawn velocities and turns, over waves, slopes and edges
// and on a ground that drives, turns and jumps up and down: feet, bodies and plans, to nine digits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "tests/unit/drill.h"
#include "tests/unit/stepper_fixture.h"

typedef struct Drill {
  const char *name, *yaml;
  int legs;
  double dt, speed, turn; // s, m/s, rad/s: the fastest
  TestGround shape;
  double drive, spin, jump; // m/s, rad/s: of the ground; leg lengths by which it rises or falls at once, at most
} Drill;

static const Drill DRILLS[] = {
    {"two legs", "", 2, 1.0 / 120, 2, 2, {.rough = 0.05}, 0, 0, 0},
    {"two legs on a ferry", "{lead_time: 0.4, together: 0.5}", 2, 1.0 / 60, 1, 1, {.pitch = 0.1}, 0.4, 0.5, 0.25},
    {"four legs", "", 4, 1.0 / 120, 0.6, 3, {.rough = 0.02, .pitch = -0.2}, 0, 0, 0},
    {"four legs that hurry",
     "{step_time: 0.3, keep_up: 0.4, escape: 1.1}",
     4,
     1.0 / 60,
     1.5,
     3,
     {.rough = 0.01},
     0,
     0,
     0},
    {"six legs on a turntable", "{settle: 0.5, angle_limit: 12}", 6, 1.0 / 120, 0.3, 1, {.rough = 0.01}, 0.2, 1, 0.3},
    {"six legs at an edge", "", 6, 1.0 / 120, 0.4, 1, {.edge = 0.5, .pitch = 0.1}, 0, 0, 0},
    {"eight legs", "{bob: 2, sway: [2, 1, 3], bend: 2, sway_limit: 4}", 8, 1.0 / 120, 0.5, 2, {.rough = 0.03}, 0, 0, 0},
    {"eight legs, steep",
     "{steepest: 25, slope_limit: 15, sink: 0.5}",
     8,
     1.0 / 60,
     0.3,
     1,
     {.pitch = 0.4, .rough = 0.01},
     0.1,
     -0.3,
     0.15}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { FEET, STEPS, BODY, POSE, PLANS, SUMS };
static const char *const NAMES[SUMS] = {"feet", "steps", "body", "pose", "plans"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {2.64586785, 24.608584884, -0.020292387981, 0.42850677706, -0.22228607719},
    {2.1371064044, 36.970590026, 0.15105068618, 0.28126247612, -0.75215242362},
    {3.99671008, 75.094562921, -0.17709768175, 0.039943448839, -1.3581531108},
    {5.467154846, 257.61736133, 0.0060714820717, 0.24707047281, -0.41816689802},
    {5.3747770527, 92.664603826, 0.029092326198, -0.73910604589, -2.6161641879},
    {8.0280067897, 83.243460285, 0.091775689796, -1.010136373, -2.1341392161},
    {12.851944017, 224.38305364, -0.013649374379, 0.060921378236, -1.6208881455},
    {12.527177451, 125.69167388, 0.24990299954, -0.43311400203, -2.7962746161},
};

// The ground of the fixture, raised and in motion.
typedef struct Ferry {
  const TestGround *shape;
  double rise, velocity[3], spin; // m, m/s, rad/s
} Ferry;

static bool ferry_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  const Ferry *ferry = context;
  const bool found = test_height(ferry->shape, x, z, from, height, normal);
  *height += found ? ferry->rise : 0;
  return found;
}

static bool ferry_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                      double length, GroundHit *hit) {
  const Ferry *ferry = context;
  const double lowered[3] = {origin[0], origin[1] - ferry->rise, origin[2]};
  if (!test_ray(ferry->shape, mask, lowered, direction, length, hit))
    return false;
  hit->position_w[1] += ferry->rise;
  memcpy(hit->velocity_w, ferry->velocity, sizeof hit->velocity_w);
  hit->turn_rate = ferry->spin;
  return true;
}

static void add(const Walk *walk, const FootPlan *plans, DrillSum sums[SUMS]) {
  const Stepper *stepper = &walk->stepper;
  for (int i = 0; i < walk->def.count; i++) {
    const StepperFoot *foot = &stepper->feet[i];
    for (int k = 0; k < 3; k++) {
      drill_add(&sums[FEET], foot->place[k] - walk->step.root_position[k]);
      drill_add(&sums[FEET], foot->landing[k] - walk->step.root_position[k]);
      drill_add(&sums[FEET], foot->normal[k]);
    }
    drill_add_floats(&sums[FEET], foot->rotation.raw, 4);
    const double values[] = {foot->lift,     foot->clearance, foot->progress, foot->yaw,
                             foot->distance, foot->allowed,   foot->angle,    foot->landing_yaw};
    drill_add_all(&sums[FEET], values, 8);
    const double states[] = {foot->stepping,        foot->escaped, foot->taken,          foot->settled,
                             (double)foot->refusal, foot->landed,  (double)foot->missing};
    drill_add_all(&sums[STEPS], states, 7);
    const FootPlan *plan = &plans[i];
    const double planned[] = {
        plan->known,       plan->standing,    plan->progress, plan->landing[0] - walk->step.root_position[0],
        plan->landing_yaw, plan->refused_now, plan->time_left};
    drill_add_all(&sums[PLANS], planned, 7);
  }
  const double body[] = {stepper->bob.value,     stepper->sink.value,    stepper->lean[0].value,
                         stepper->lean[1].value, stepper->sway[0].value, stepper->sway[1].value,
                         stepper->sway[2].value, stepper->bend.value,    stepper->sunk};
  drill_add_all(&sums[BODY], body, 9);
  drill_add(&sums[STEPS], stepper->active + stepper->active_moved + stepper->standing);
  for (int i = 0; i < walk->pose.count; i++)
    drill_add_floats(&sums[POSE], walk->pose.rotation[i].raw, 4);
}

// What leads the walker, for a while.
typedef struct Lead {
  double velocity[2], turn; // m/s, x and z; rad/s
} Lead;

static void choose(const Drill *drill, const Walk *walk, Rng *rng, Ferry *ferry, Lead *lead) {
  *lead = (Lead){{0, 0}, 0};
  if (rng_index(rng, 3))
    for (int k = 0; k < 2; k++)
      lead->velocity[k] = rng_range(rng, -drill->speed, drill->speed);
  if (rng_index(rng, 2))
    lead->turn = rng_range(rng, -drill->turn, drill->turn);
  if (rng_index(rng, 2))
    ferry->rise = rng_range(rng, -drill->jump, drill->jump) * walk->def.leg_length;
  ferry->velocity[0] = drill->drive;
  ferry->velocity[2] = -0.5 * drill->drive;
  ferry->spin = rng_index(rng, 2) ? drill->spin : 0;
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { COUNT = 1200 };
  static Walk walk;
  FootPlan plans[SKELETON_MAX_LEGS];
  Rng rng = rng_make(1, drill->name);
  Ferry ferry = {.shape = &walk.shape};
  Lead lead = {{0, 0}, 0};
  walk_init(&walk, make_walker(drill->legs), drill->shape, drill->yaml);
  walk.ground = (Ground){.context = &ferry, .ray = ferry_ray, .height = ferry_height};
  walk.step.plans = plans;
  for (int n = 0; n < COUNT; n++) {
    DrillSum sums[SUMS] = {{0}};
    if (n % 30 == 0)
      choose(drill, &walk, &rng, &ferry, &lead);
    memset(plans, 0, sizeof plans);
    memcpy(walk.step.ground_velocity, ferry.velocity, sizeof ferry.velocity);
    walk_on(&walk, drill->dt, lead.velocity[0], lead.velocity[1], lead.turn);
    add(&walk, plans, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / COUNT;
  }
  const double counts[] = {(double)walk.stepper.steps, (double)walk.stepper.escapes, (double)walk.stepper.refusals};
  DrillSum counted = {0};
  drill_add_all(&counted, counts, 3);
  means[STEPS] += counted.sum;
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
