// Foot placement on a hundred random grounds, walking and standing: the shown feet are compared with the true ground
// and with the animation; the same walks without placement are the reference. Prints a table of the worst values for
// each kind of ground.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/terrain/terrain.h"
#include "tests/unit/foot_placement_stroll.h"

// Measures of a walk; lengths in m. The worst of all feet and steps.
typedef struct Findings {
  double sinks, floats; // of supported heels and toes, against the ground; of the points between them, too
  double angle;         // rad between sole and ground, for feet that stand flat
  double slip;          // of the supported part, in a stance
  double lower;         // clearance of swings less that of the animation
  double knee;          // rad/s^2
  double jump;          // per 1/60 s, beyond the animation's own motion
  double drop;          // of the pelvis
  long stances, refused, steps, overhangs;
} Findings;

// A foot in the step before.
typedef struct Before {
  double animated[3], shown[3];
  double bearing[2][2]; // where heel and toe came to be supported
  bool bears[2], stood;
  double knee[2]; // rad, of the last two steps
} Before;

static const double BEARS = 0.001; // m over the animation's ground: lower ends of a sole are supported
static const double CLOSE = 0.003; // m: and are measured against the true ground

static bool true_height(const Stroll *stroll, const double at[3], double *height) {
  return stroll->ground.height(stroll->ground.context, at[0], at[2], GROUND_HIGHEST, height, NULL);
}

static double distance3(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return length3(d);
}

// A standing foot with all of its sole on one surface; "float" is defined for these only.
static bool is_whole(const Stroll *stroll, const PlacedFoot *foot) {
  return !stroll->placed || (foot->ground.supported == FOOT_RAYS && !foot->ground.blocked);
}

static double knee_angle(const Stroll *stroll, const Leg *leg) {
  versors knee = stroll->pose.rotation[leg->knee];
  return 2 * atan2((double)knee.x, (double)knee.w);
}

// Heel and toe of a standing foot: on the ground, and at their places.
static void check_ends(const Stroll *stroll, int l, Before *before, Findings *findings) {
  const Leg *leg = &stroll->body->skeleton.legs[l];
  const PlacedFoot *foot = &stroll->placement.feet[l];
  for (int end = 0; end < 2; end++) {
    double animated[3], shown[3], height;
    sole_point(&stroll->animated, leg, end ? leg->toe_l : leg->heel_l, animated);
    sole_point(&stroll->shown, leg, end ? leg->toe_l : leg->heel_l, shown);
    double over = animated[1] - stroll->step.root_position[1];
    if (over < CLOSE && is_whole(stroll, foot) && true_height(stroll, shown, &height)) {
      double gap = (shown[1] - height) * (stroll->placed ? foot->normal[1] : 1) - over;
      findings->floats = fmax(findings->floats, gap);
      findings->sinks = fmax(findings->sinks, -gap);
    }
    if (over < BEARS && !before->bears[end]) {
      before->bearing[end][0] = shown[0];
      before->bearing[end][1] = shown[2];
    }
    before->bears[end] = over < BEARS;
    if (before->bears[end])
      findings->slip =
          fmax(findings->slip, hypot(shown[0] - before->bearing[end][0], shown[2] - before->bearing[end][1]));
  }
}

// A sole that lies flat, from heel to toe: not penetrated by anything under its arch.
static void check_arch(const Stroll *stroll, const Leg *leg, Findings *findings) {
  enum { PARTS = 20 };
  for (int i = 1; stroll->placed && i < PARTS; i++) {
    double point[3], height;
    sole_point(&stroll->shown, leg, glms_vec3_lerp(leg->heel_l, leg->toe_l, (float)i / PARTS), point);
    if (true_height(stroll, point, &height))
      findings->sinks = fmax(findings->sinks, height - point[1]);
  }
}

// The sole's tilt against the plane through the ground under its ends and sides.
static void check_angle(const Stroll *stroll, int l, Findings *findings) {
  const Leg *leg = &stroll->body->skeleton.legs[l];
  double level = stroll->step.root_position[1], ends[2][3], sides[2][3], animated[3];
  sole_point(&stroll->animated, leg, leg->heel_l, animated);
  bool flat = animated[1] - level < BEARS;
  sole_point(&stroll->animated, leg, leg->toe_l, animated);
  if (!flat || animated[1] - level >= BEARS || !is_whole(stroll, &stroll->placement.feet[l]))
    return;
  check_arch(stroll, leg, findings);
  for (int i = 0; i < 2; i++) {
    vec3s side = {{(float)(1 - 2 * i) * leg->half_width, leg->sole_l.y, 0}};
    sole_point(&stroll->shown, leg, i ? leg->toe_l : leg->heel_l, ends[i]);
    sole_point(&stroll->shown, leg, side, sides[i]);
    if (!true_height(stroll, ends[i], &ends[i][1]) || !true_height(stroll, sides[i], &sides[i][1]))
      return;
  }
  vec3s ahead, left;
  for (int k = 0; k < 3; k++) {
    ahead.raw[k] = (float)(ends[1][k] - ends[0][k]);
    left.raw[k] = (float)(sides[0][k] - sides[1][k]);
  }
  vec3s normal = glms_vec3_normalize(glms_vec3_cross(ahead, left));
  vec3s up = glms_quat_rotatev(stroll->shown.rotation[leg->ankle], (vec3s){{0, 1, 0}});
  findings->angle = fmax(findings->angle, acos(fmin((double)glms_vec3_dot(normal, up), 1)));
}

static void check_swing(const Stroll *stroll, int l, Findings *findings) {
  const Leg *leg = &stroll->body->skeleton.legs[l];
  const vec3s points[3] = {leg->heel_l, leg->sole_l, leg->toe_l};
  double animated_least = INFINITY, shown_least = INFINITY;
  for (int i = 0; i < 3; i++) {
    double animated[3], shown[3], height;
    sole_point(&stroll->animated, leg, points[i], animated);
    sole_point(&stroll->shown, leg, points[i], shown);
    animated_least = fmin(animated_least, animated[1] - stroll->step.root_position[1]);
    if (true_height(stroll, shown, &height))
      shown_least = fmin(shown_least, shown[1] - height);
  }
  findings->lower = fmax(findings->lower, animated_least - shown_least);
}

static void check_motion(const Stroll *stroll, int l, double dt, long step, Before *before, Findings *findings) {
  const Leg *leg = &stroll->body->skeleton.legs[l];
  double animated[3], shown[3], knee = knee_angle(stroll, leg);
  sole_point(&stroll->animated, leg, leg->sole_l, animated);
  sole_point(&stroll->shown, leg, leg->sole_l, shown);
  if (step > 0) {
    double beyond = distance3(shown, before->shown) - distance3(animated, before->animated);
    findings->jump = fmax(findings->jump, beyond / (60 * dt));
  }
  if (step > 3)
    findings->knee = fmax(findings->knee, fabs(knee - 2 * before->knee[0] + before->knee[1]) / (dt * dt));
  before->knee[1] = before->knee[0];
  before->knee[0] = knee;
  memcpy(before->animated, animated, sizeof animated);
  memcpy(before->shown, shown, sizeof shown);
}

static void walk_on(Stroll *stroll, double dt, double duration, Findings *findings) {
  Before feet[STROLL_LEGS];
  memset(feet, 0, sizeof feet);
  for (long i = 0; (double)i * dt < duration; i++) {
    stroll_on(stroll, dt);
    for (int l = 0; l < STROLL_LEGS; l++) {
      const PlacedFoot *foot = &stroll->placement.feet[l];
      const FootPlan *plan = &stroll->plans[l];
      bool carried = !stroll->placed || foot->ground.found;
      findings->steps++;
      findings->stances += plan->standing && !feet[l].stood;
      findings->refused += plan->refused_now;
      findings->overhangs += plan->standing && stroll->placed && !is_whole(stroll, foot);
      if (plan->standing && carried) {
        check_ends(stroll, l, &feet[l], findings);
        check_angle(stroll, l, findings);
      } else {
        feet[l].bears[0] = feet[l].bears[1] = false;
        if (carried && !plan->standing)
          check_swing(stroll, l, findings);
      }
      check_motion(stroll, l, dt, i, &feet[l], findings);
      feet[l].stood = plan->standing;
    }
    findings->drop = fmax(findings->drop, stroll->placement.drop);
    for (int k = 0; k < stroll->pose.count; k++)
      for (int c = 0; c < 4; c++)
        assert_true(isfinite(stroll->pose.rotation[k].raw[c]));
  }
}

static void worse(Findings *worst, const Findings *found) {
  double *a[] = {&worst->sinks, &worst->floats, &worst->angle, &worst->slip,
                 &worst->lower, &worst->knee,   &worst->jump,  &worst->drop};
  const double *b[] = {&found->sinks, &found->floats, &found->angle, &found->slip,
                       &found->lower, &found->knee,   &found->jump,  &found->drop};
  for (int i = 0; i < 8; i++)
    *a[i] = fmax(*a[i], *b[i]);
  worst->stances += found->stances;
  worst->refused += found->refused;
  worst->steps += found->steps;
  worst->overhangs += found->overhangs;
}

static void print_row(const char *name, const Findings *f, double flat_knee) {
  printf("  %-20s %7.1f %7.1f %7.2f %7.2f %7.1f %7.2f %7.1f %7.0f %7.1f%% %4ld/%ld\n", name, 1e3 * f->sinks,
         1e3 * f->floats, f->angle / RAD_PER_DEGREE, 1e3 * f->slip, 1e3 * f->lower, f->knee / flat_knee, 1e3 * f->jump,
         1e3 * f->drop, 100.0 * (double)f->overhangs / (double)(f->steps ? f->steps : 1), f->refused, f->stances);
}

static void print_head(const char *title) {
  printf("%s\n  %-20s %7s %7s %7s %7s %7s %7s %7s %7s %8s %s\n", title, "", "sinks", "floats", "angle", "slip", "lower",
         "knee", "jump", "pelvis", "overhang", "refused");
  printf("  %-20s %7s %7s %7s %7s %7s %7s %7s %7s\n", "", "mm", "mm", "deg", "mm", "mm", "x flat", "mm", "mm");
}

// ---- Grounds ----

typedef enum Kind { NOISE, SLOPE, UPSTAIRS, DOWNSTAIRS, BLOCKS, KINDS } Kind;

static const char *const kind_names[KINDS] = {"noise", "slope", "stairs up", "stairs down", "blocks"};

static TerrainDef random_ground(Kind kind, Rng *rng) {
  static const TerrainKind kinds[KINDS] = {TERRAIN_NOISE, TERRAIN_SLOPE, TERRAIN_STAIRS, TERRAIN_STAIRS,
                                           TERRAIN_BLOCKS};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = (int)kinds[kind];
  def.x[0] = -3;
  def.x[1] = 3;
  def.z[0] = -3;
  def.z[1] = 16;
  def.cell = kind == NOISE ? 0.05 : kind == SLOPE ? 0.5 : 0.02;
  def.start = 2;
  def.flat_radius = 0.6;
  def.steps = 200;
  def.wavelength = rng_range(rng, 0.6, 2);
  def.amplitude = kind == NOISE ? rng_range(rng, 0.01, 0.05) * def.wavelength : rng_range(rng, 0.02, 0.06);
  def.pitch = rng_range(rng, -30, 30);
  def.roll = rng_range(rng, -15, 15) * cos(def.pitch * RAD_PER_DEGREE);
  def.rise = rng_range(rng, 0.1, 0.2) * (kind == DOWNSTAIRS ? -1 : 1);
  def.run = 0.02 * rng_index(rng, 11) + 0.36;
  return def;
}

static Terrain *make_ground(const TerrainDef *def, uint64_t seed) {
  Error error = {0};
  Terrain *terrain = terrain_create(def, seed, NULL, &error);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

static Findings walk_over(Stroll *stroll, const Terrain *terrain, double speed, double time, bool placed) {
  Findings findings = {0};
  stroll->ground = terrain_ground(terrain);
  stroll->placed = placed;
  stroll->speed = speed;
  stroll_start(stroll, 0.05, 0, 0, time);
  walk_on(stroll, 1.0 / 60, fmin(8, 12 / speed), &findings);
  return findings;
}

// The largest knee acceleration of the same walk on level ground.
static double flat_knee(Stroll *stroll, double speed, double time) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  Terrain *terrain = make_ground(&def, 1);
  Findings findings = walk_over(stroll, terrain, speed, time, false);
  terrain_destroy(terrain);
  return findings.knee;
}

static bool within_limits(const Findings *f) {
  return f->sinks < 0.005 && f->floats < 0.005 && f->angle < 3 * RAD_PER_DEGREE && f->slip < 0.002 && f->lower < 0.01 &&
         f->knee < 1.5 && f->jump < 0.02;
}

static void test_hundred_grounds(void **state) {
  (void)state;
  static Stroll stroll;
  Rng rng = rng_make(31, "grounds");
  Findings worst[2][KINDS];
  memset(worst, 0, sizeof worst);
  double flat[KINDS] = {0};
  int bad = 0;
  stroll_load(&stroll, "clips/walk.yaml");
  for (int n = 0; n < 100; n++) {
    Kind kind = (Kind)(n % KINDS);
    TerrainDef def = random_ground(kind, &rng);
    // Stairs are not taken at the pace of a walk.
    bool stairs = kind == UPSTAIRS || kind == DOWNSTAIRS;
    double speed = stairs ? rng_range(&rng, 0.5, 0.8) : rng_range(&rng, 0.8, 1.4), time = rng_range(&rng, 0, 1);
    double knee = flat_knee(&stroll, speed, time);
    Terrain *terrain = make_ground(&def, (uint64_t)n);
    for (int placed = 0; placed < 2; placed++) {
      Findings found = walk_over(&stroll, terrain, speed, time, placed == 1);
      found.knee /= knee;
      worse(&worst[placed][kind], &found);
      if (placed == 0 || within_limits(&found))
        continue;
      bad++;
      char name[64];
      snprintf(name, sizeof name, "%s %d", kind_names[kind], n);
      print_row(name, &found, 1);
      printf("    at %.2f m/s; pitch %.1f roll %.1f, amplitude %.3f wavelength %.2f, rise %.3f run %.2f\n", speed,
             def.pitch, def.roll, def.amplitude, def.wavelength, def.rise, def.run);
    }
    terrain_destroy(terrain);
    flat[kind] = 1;
  }
  for (int placed = 0; placed < 2; placed++) {
    print_head(placed ? "with placement" : "without");
    for (int kind = 0; kind < KINDS; kind++)
      print_row(kind_names[kind], &worst[placed][kind], flat[kind]);
  }
  stroll_free(&stroll);
  assert_int_equal(bad, 0);
}

// Standing on each ground: both feet supported, no jitter, no slip.
static void test_standing(void **state) {
  (void)state;
  static Stroll stroll;
  Rng rng = rng_make(32, "grounds");
  Findings worst = {0};
  stroll_load(&stroll, "clips/idle.yaml");
  for (int n = 0; n < 60; n++) {
    TerrainDef def = random_ground((Kind)(n % KINDS), &rng);
    def.flat_radius = 0;
    Terrain *terrain = make_ground(&def, (uint64_t)n);
    stroll.ground = terrain_ground(terrain);
    stroll_start(&stroll, rng_range(&rng, -1, 1), rng_range(&rng, 3.5, 8), rng_range(&rng, -3, 3), 0);
    Findings settling = {0}, found = {0};
    walk_on(&stroll, 1.0 / 60, 2, &settling);
    walk_on(&stroll, 1.0 / 60, 6, &found);
    if (!(found.sinks < 0.005) || !(found.floats < 0.005) || !(found.angle < 3 * RAD_PER_DEGREE) ||
        !(found.slip < 0.0005) || found.refused > 0) {
      print_row(kind_names[n % KINDS], &found, 1);
      fail_msg("standing on ground %d", n);
    }
    worse(&worst, &found);
    terrain_destroy(terrain);
  }
  print_head("standing");
  print_row("all", &worst, 1);
  stroll_free(&stroll);
}

// ---- Moving ground ----

typedef struct Platform {
  const Terrain *terrain;
  double place[3], velocity[3];
} Platform;

static bool platform_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                         double length, GroundHit *hit) {
  const Platform *platform = context;
  double local[3];
  for (int k = 0; k < 3; k++)
    local[k] = origin[k] - platform->place[k];
  if (!(mask & GROUND_PLATFORMS) || !terrain_ray(platform->terrain, local, direction, length, hit))
    return false;
  for (int k = 0; k < 3; k++) {
    hit->position_w[k] += platform->place[k];
    hit->velocity_w[k] = platform->velocity[k];
  }
  return true;
}

static bool platform_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  const Platform *platform = context;
  if (!terrain_height(platform->terrain, x - platform->place[0], z - platform->place[2], height, normal))
    return false;
  *height += platform->place[1];
  return true;
}

// Feet on a rough platform that moves to and fro, up and down: they slip no more than on ground at rest.
static void test_moving_platform(void **state) {
  (void)state;
  static Stroll stroll;
  Rng rng = rng_make(33, "platform");
  double worst_slip = 0, worst_gap = 0;
  stroll_load(&stroll, "clips/walk.yaml");
  for (int n = 0; n < 10; n++) {
    TerrainDef def = random_ground(NOISE, &rng);
    Terrain *terrain = make_ground(&def, (uint64_t)n);
    Platform platform = {.terrain = terrain};
    stroll.ground = (Ground){.context = &platform, .ray = platform_ray, .height = platform_height};
    stroll.speed = n % 2 ? 1.2 : 0;
    double dt = 1.0 / 60, start[STROLL_LEGS][2][2], amplitude = rng_range(&rng, 0.2, 0.6);
    bool bears[STROLL_LEGS][2] = {{false}};
    stroll_start(&stroll, 0, 0, 0, 0.2);
    for (int i = 0; i < 360; i++) {
      // Like platforms of a world: a ray finds them where they are at the beginning of the step, with their velocity.
      double time = i * dt,
             velocity[3] = {amplitude * sin(time), 0.3 * amplitude * sin(1.7 * time), amplitude * sin(0.7 * time)};
      memcpy(platform.velocity, velocity, sizeof velocity);
      stroll.drift[0] = platform.velocity[0];
      stroll.drift[1] = platform.velocity[2];
      stroll_on(&stroll, dt);
      for (int k = 0; k < 3; k++)
        platform.place[k] += platform.velocity[k] * dt;
      for (int l = 0; l < STROLL_LEGS; l++)
        for (int end = 0; end < 2; end++) {
          const Leg *leg = &stroll.body->skeleton.legs[l];
          double animated[3], shown[3], height;
          sole_point(&stroll.animated, leg, end ? leg->toe_l : leg->heel_l, animated);
          sole_point(&stroll.shown, leg, end ? leg->toe_l : leg->heel_l, shown);
          double over = animated[1] - stroll.step.root_position[1];
          bool bearing = stroll.plans[l].standing && over < BEARS;
          const double on[2] = {shown[0] - platform.place[0], shown[2] - platform.place[2]};
          if (bearing && !bears[l][end])
            memcpy(start[l][end], on, sizeof on);
          bears[l][end] = bearing;
          if (!bearing)
            continue;
          worst_slip = fmax(worst_slip, hypot(on[0] - start[l][end][0], on[1] - start[l][end][1]));
          assert_true(platform_height(&platform, shown[0], shown[2], GROUND_HIGHEST, &height, NULL));
          worst_gap = fmax(worst_gap, fabs(shown[1] - height - over));
        }
    }
    terrain_destroy(terrain);
  }
  printf("  on a moving platform: slip %.2f mm, %.2f mm off it\n", 1e3 * worst_slip, 1e3 * worst_gap);
  stroll_free(&stroll);
  assert_true(worst_slip < 0.002 && worst_gap < 0.005);
}

// ---- Any input ----

// Any finite input gives a finite pose.
static bool wild_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                     double length, GroundHit *hit) {
  Rng *rng = (Rng *)(uintptr_t)context;
  (void)mask;
  (void)direction;
  if (rng_index(rng, 4) == 0)
    return false;
  hit->distance = rng_range(rng, 0, length);
  for (int k = 0; k < 3; k++) {
    hit->position_w[k] = origin[k];
    hit->velocity_w[k] = rng_range(rng, -1, 1) * pow(10, rng_range(rng, -3, 6));
  }
  hit->position_w[1] -= hit->distance;
  hit->turn_rate = rng_range(rng, -1, 1) * pow(10, rng_range(rng, -3, 6));
  rng_direction(rng, hit->normal_w);
  return true;
}

static bool wild_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from;
  Rng *rng = (Rng *)(uintptr_t)context;
  const double up[3] = {0, 1, 0};
  (void)x;
  (void)z;
  *height = rng_range(rng, -1, 1);
  if (normal)
    memcpy(normal, up, sizeof up);
  return rng_index(rng, 4) != 0;
}

static void test_wild_input(void **state) {
  (void)state;
  static Stroll stroll;
  Rng rng = rng_make(34, "wild");
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &rng, .ray = wild_ray, .height = wild_height};
  static const double dts[] = {0, 1e-9, 1e-3, 1.0 / 60, 1, 100};
  for (int n = 0; n < 100; n++) {
    stroll_start(&stroll, 0, 0, rng_range(&rng, -9, 9), rng_range(&rng, 0, 1));
    for (int k = 0; k < 60; k++) {
      double size = pow(10, rng_range(&rng, -12, 5)), direction[3];
      rng_direction(&rng, direction);
      for (int axis = 0; axis < 3; axis++) {
        stroll.step.root_velocity[axis] = size * direction[axis];
        stroll.step.ground_velocity[axis] = size * direction[2 - axis];
        stroll.step.root_position[axis] += rng_range(&rng, -1, 1) * (k % 7 == 0 ? size : 0.01);
      }
      stroll.step.heading += direction[0];
      stroll.step.teleported = rng_index(&rng, 20) == 0;
      stroll.step.dt = dts[rng_index(&rng, 6)];
      stroll.step.pelvis_drop = size;
      stroll.time = rng_range(&rng, 0, 1);
      stroll_animate(&stroll);
      for (int l = 0; l < STROLL_LEGS; l++) {
        stroll.plans[l].known = rng_index(&rng, 3) != 0;
        stroll.plans[l].time_left *= pow(10, rng_range(&rng, -3, 3));
        stroll.plans[l].landing[rng_index(&rng, 2)] += size * direction[1];
      }
      foot_placement_apply(&stroll.def, &stroll.placement, &stroll.step);
      for (int i = 0; i < stroll.pose.count; i++)
        for (int axis = 0; axis < 4; axis++)
          assert_true(isfinite(stroll.pose.rotation[i].raw[axis]) && isfinite(stroll.pose.position[i].raw[axis % 3]));
    }
  }
  stroll_free(&stroll);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hundred_grounds),
      cmocka_unit_test(test_standing),
      cmocka_unit_test(test_moving_platform),
      cmocka_unit_test(test_wild_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
