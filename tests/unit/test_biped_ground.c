// The biped on uneven ground, with foot placement behind it: over bumps, up and down stairs. Its gait is that of level
// ground.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "anim/layers/foot_placement/foot_placement.h"
#include "anim/spring.h"
#include "sim/terrain/terrain.h"
#include "tests/unit/biped_fixture.h"

static const double DT = 1.0 / 240;
static const double BEARS = 0.001;            // m over the biped's own ground: lower ends of its soles are supported
static const double ROOT_SMOOTHING = 0.15;    // s, as a character's root
static const double JUMP_TIME = 1.0 / 60;     // s
static const double MIDDLE[2] = {0.45, 0.55}; // of a swing's time

// Lengths in m; the worst of both feet and all steps.
typedef struct Findings {
  double least_clearance;     // of swings in their middle, over the true ground
  double early;               // lowest of swings from 0.1 to 0.9 of their time: below 0 it is in the ground
  double landing;             // height of the sole's lowest point at touch-down, either way
  double sinks, floats;       // of supported heels and toes, for feet with all of the sole on one surface
  double slip;                // of the supported part, in a stance
  double lower;               // clearance of swings less the biped's own over its own ground
  double jump;                // of a sole per 1/60 s, beyond its own motion
  long landings, overhanging; // the latter with only a part of the sole on one surface
} Findings;

// A foot in the step before.
typedef struct Before {
  bool standing, bears[2];
  double bearing[2][2]; // x and z at which heel and toe came to be supported
  vec3s own, shown;     // middle of the sole
} Before;

static BodyDef *man;
static BipedWalk walk;
static FootPlacementDef placement_def;
static FootPlacement placement;
static ModelPose own; // the biped's pose, before placement
static double height_velocity;

static int load(void **state) {
  (void)state;
  Error error = {0};
  man = read_man();
  param_defaults(&foot_placement_params, &placement_def);
  return foot_placement_read(&placement_def, NULL, &man->skeleton, &error) ? 0 : 1;
}

static int unload(void **state) {
  (void)state;
  body_free(man);
  return 0;
}

static Terrain *make_ground(TerrainKind kind, double rise, uint64_t seed) {
  Error error = {0};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = (int)kind;
  def.x[0] = -2;
  def.x[1] = 2;
  def.z[0] = -2;
  def.z[1] = 30;
  def.cell = 0.02;
  def.amplitude = 0.1;
  def.wavelength = 2;
  def.flat_radius = 0.6;
  def.rise = rise;
  def.run = 0.3;
  def.steps = 200;
  Terrain *terrain = terrain_create(&def, seed, NULL, &error);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

// A point of a foot, and its height over the ground: the biped's own level one, or the true one.
static double own_height(const Leg *leg, vec3s point_l) {
  vec3s point = glms_vec3_add(own.position[leg->ankle], glms_quat_rotatev(own.rotation[leg->ankle], point_l));
  return (double)point.y - walk.step.root_position[1];
}

static double true_height(int leg, vec3s point_l) {
  vec3s point = shown_point(&walk, leg, point_l);
  double height = 0;
  const Ground *ground = walk.step.ground;
  assert_true(ground->height(ground->context, (double)point.x, (double)point.z, GROUND_HIGHEST, &height, NULL));
  return (double)point.y - height;
}

static void place_feet(void) {
  pose_to_model(&walk.skeleton, &walk.pose, &own);
  foot_placement_apply(&placement_def, &placement, &walk.step);
  pose_to_model(&walk.skeleton, &walk.pose, &walk.shown);
}

static void start(const Ground *ground) {
  biped_start(&walk, man, "");
  walk.step.ground = ground;
  height_velocity = 0;
  placement = (FootPlacement){.begun = false};
  foot_placement_init(&placement_def, &placement, &walk.step);
}

// The root follows the ground as a character's does.
static void go(double speed) {
  LayerStep *step = &walk.step;
  double height = step->root_position[1], goal = height;
  step->ground->height(step->ground->context, step->root_position[0], step->root_position[2], GROUND_HIGHEST, &goal,
                       NULL);
  double next = height;
  spring_step(&next, &height_velocity, goal, ROOT_SMOOTHING, DT);
  step->root_velocity[1] = (next - height) / DT;
  biped_go(&walk, DT, 0, speed, 0);
  place_feet();
}

static double lowest_true(int l) {
  const Leg *leg = &walk.skeleton.legs[l];
  return fmin(fmin(true_height(l, leg->heel_l), true_height(l, leg->toe_l)), true_height(l, leg->sole_l));
}

static double lowest_own(const Leg *leg) {
  return fmin(fmin(own_height(leg, leg->heel_l), own_height(leg, leg->toe_l)), own_height(leg, leg->sole_l));
}

static void check_swing(int l, Findings *findings) {
  double progress = walk.plans[l].progress, lowest = lowest_true(l);
  if (progress > MIDDLE[0] && progress < MIDDLE[1])
    findings->least_clearance = fmin(findings->least_clearance, lowest);
  if (progress > 0.1 && progress < 0.9)
    findings->early = fmin(findings->early, lowest);
  findings->lower = fmax(findings->lower, lowest_own(&walk.skeleton.legs[l]) - lowest);
}

// Heel and toe of a standing foot, where the biped has them on its own ground.
static void check_stance(int l, Before *before, Findings *findings) {
  const Leg *leg = &walk.skeleton.legs[l];
  const FootGround *ground = &placement.feet[l].ground;
  const bool whole = ground->supported == FOOT_RAYS && !ground->blocked;
  for (int end = 0; end < 2; end++) {
    vec3s point_l = end ? leg->toe_l : leg->heel_l, point = shown_point(&walk, l, point_l);
    bool bears = own_height(leg, point_l) < BEARS;
    if (bears && !before->bears[end]) {
      before->bearing[end][0] = (double)point.x;
      before->bearing[end][1] = (double)point.z;
    }
    before->bears[end] = bears;
    if (!bears)
      continue;
    findings->slip = fmax(findings->slip,
                          hypot((double)point.x - before->bearing[end][0], (double)point.z - before->bearing[end][1]));
    double height = true_height(l, point_l);
    findings->sinks = whole ? fmax(findings->sinks, -height) : findings->sinks;
    findings->floats = whole ? fmax(findings->floats, height) : findings->floats;
  }
}

static void check_foot(int l, bool first, Before *before, Findings *findings) {
  const Leg *leg = &walk.skeleton.legs[l];
  const FootPlan *plan = &walk.plans[l];
  vec3s own_sole = glms_vec3_add(own.position[leg->ankle], glms_quat_rotatev(own.rotation[leg->ankle], leg->sole_l));
  vec3s sole = shown_sole(&walk, l);
  assert_int_equal(plan->refusal, FOOT_NOT_REFUSED);
  if (plan->standing && !before->standing && !first) {
    const FootGround *ground = &placement.feet[l].ground;
    findings->landing = fmax(findings->landing, fabs(lowest_true(l)));
    findings->landings++;
    findings->overhanging += ground->supported < FOOT_RAYS || ground->blocked;
  }
  if (plan->standing)
    check_stance(l, before, findings);
  else
    before->bears[0] = before->bears[1] = false;
  if (!plan->standing)
    check_swing(l, findings);
  if (!first) {
    double way = (double)glms_vec3_distance(sole, before->shown),
           own_way = (double)glms_vec3_distance(own_sole, before->own);
    findings->jump = fmax(findings->jump, (way - own_way) * JUMP_TIME / DT);
  }
  before->standing = plan->standing;
  before->own = own_sole;
  before->shown = sole;
}

static Findings walk_over(const Terrain *terrain, double speed, double seconds) {
  Findings findings = {.least_clearance = INFINITY, .early = INFINITY};
  Before before[BIPED_LEGS] = {{false}};
  static Ground ground;
  ground = terrain_ground(terrain);
  start(&ground);
  for (int k = 0; k < (int)(seconds / DT); k++) {
    go(speed);
    for (int l = 0; l < BIPED_LEGS; l++)
      check_foot(l, k == 0, &before[l], &findings);
  }
  return findings;
}

static void print_findings(const char *name, const Findings *f) {
  printf("  %-22s mid %5.1f early %5.1f landing %4.1f sinks %4.1f floats %4.1f slip %4.2f lower %4.1f jump %4.1f mm, "
         "%ld of %ld overhang\n",
         name, 1e3 * f->least_clearance, 1e3 * f->early, 1e3 * f->landing, 1e3 * f->sinks, 1e3 * f->floats,
         1e3 * f->slip, 1e3 * f->lower, 1e3 * f->jump, f->overhanging, f->landings);
}

// ---- Bumps ----

static void uneven_ground(void **state) {
  (void)state;
  const double speeds[] = {0.8, 1.3, 1.8};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    Terrain *terrain = make_ground(TERRAIN_NOISE, 0, seed);
    for (int s = 0; s < 3; s++) {
      Findings found = walk_over(terrain, speeds[s], 20 / speeds[s]);
      char name[64];
      snprintf(name, sizeof name, "noise %d at %.1f m/s", (int)seed, speeds[s]);
      print_findings(name, &found);
      assert_true(found.landings > 20);
      assert_true(found.least_clearance >= 0.02);
      assert_true(found.early > 0);
      assert_true(found.landing <= 0.005);
    }
    terrain_destroy(terrain);
  }
}

// ---- Stairs ----

static void walks_stairs(void **state) {
  (void)state;
  const double rises[] = {0.1, 0.17, 0.2, -0.1, -0.17, -0.2};
  for (int i = 0; i < 6; i++) {
    Terrain *terrain = make_ground(TERRAIN_STAIRS, rises[i], 1);
    Findings found = walk_over(terrain, 0.5, 20);
    char name[64];
    snprintf(name, sizeof name, "stairs of %.2f m", rises[i]);
    print_findings(name, &found);
    assert_true(found.landings > 20);
    assert_true(found.landing <= 0.005);
    assert_true(found.early > 0);
    assert_true(found.sinks < 0.005 && found.floats < 0.005);
    assert_true(found.slip < 0.002);
    assert_true(found.lower < 0.01);
    assert_true(found.jump < 0.02);
    terrain_destroy(terrain);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uneven_ground),
      cmocka_unit_test(walks_stairs),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
