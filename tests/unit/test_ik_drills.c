// What limbs reach that are drawn: two bones toward targets near, far and behind, aims, legs of the human's body, poses
// in a mirror, springs, curves, and arcs of jumps. To nine digits.
#include "anim/curve.h"
#include "anim/ik.h"
#include "anim/jump_arc.h"
#include "anim/mirror.h"
#include "anim/spring.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

static bool one_in(Rng *rng, int count) { return rng_index(rng, count) == 0; }

static vec3s drawn(Rng *rng, double range) {
  vec3s v;
  for (int k = 0; k < 3; k++)
    v.raw[k] = (float)rng_range(rng, -range, range);
  return v;
}

static versors turned(Rng *rng, double range) { return quat_exp(drawn(rng, range)); }

// A limb bent or straight, with bones of unlike length; now and then one has none.
static TwoBoneJob draw_limb(Rng *rng) {
  const float upper = one_in(rng, 15) ? 0 : (float)rng_range(rng, 0.1, 0.5), lower = (float)rng_range(rng, 0.1, 0.5);
  TwoBoneJob job = {.mode = one_in(rng, 2) ? TWO_BONE_FREE : TWO_BONE_HINGE, .keep_end_rotation = one_in(rng, 2)};
  job.root_rotation = turned(rng, 1);
  job.mid_rotation = glms_quat_mul(job.root_rotation, one_in(rng, 4) ? glms_quat_identity() : turned(rng, 0.8));
  job.end_rotation = turned(rng, 1);
  job.root = drawn(rng, 1);
  job.mid = glms_vec3_add(job.root, glms_quat_rotatev(job.root_rotation, (vec3s){{0, -upper, 0}}));
  job.end = glms_vec3_add(job.mid, glms_quat_rotatev(job.mid_rotation, (vec3s){{0, -lower, 0}}));
  const double far = one_in(rng, 3) ? 1.2 : 0.6;
  job.target = glms_vec3_add(job.root, drawn(rng, far * (double)(upper + lower)));
  job.pole = one_in(rng, 2) ? glms_vec3_zero() : drawn(rng, 1);
  job.hinge = one_in(rng, 2) ? glms_vec3_zero() : drawn(rng, 1);
  job.soft = one_in(rng, 2) ? 0 : (float)rng_range(rng, 0, 0.5);
  job.stretch = one_in(rng, 2) ? 1 : (float)rng_range(rng, 0.5, 2);
  return job;
}

static void add_limb(DrillSum *sum, const TwoBoneJob *job) {
  drill_add_floats(sum, job->new_root_rotation.raw, 4);
  drill_add_floats(sum, job->new_mid_rotation.raw, 4);
  drill_add_floats(sum, job->new_end_rotation.raw, 4);
  drill_add_floats(sum, job->new_mid.raw, 3);
  drill_add_floats(sum, job->new_end.raw, 3);
  const double figures[] = {(double)job->stretched, job->reached, job->pole_fallback, job->clamped, (double)job->error};
  drill_add_all(sum, figures, 5);
}

static void draw_limbs(Rng *rng, DrillSum *sum) {
  TwoBoneJob job = draw_limb(rng);
  two_bone_solve(&job);
  add_limb(sum, &job);
}

static void draw_aims(Rng *rng, DrillSum *sum) {
  AimJob job = {.limb = draw_limb(rng)};
  job.direction = one_in(rng, 6) ? glms_vec3_zero() : drawn(rng, 2);
  job.distance = one_in(rng, 2) ? 0 : (float)rng_range(rng, 0.1, 5);
  job.reach = (float)rng_range(rng, 0.3, 1.1);
  two_bone_aim(&job);
  add_limb(sum, &job.limb);
  drill_add(sum, (double)job.hand_distance);
}

static Fixture f;

static void draw_legs(Rng *rng, DrillSum *sum) {
  const Skeleton *skeleton = &f.body->skeleton;
  Pose pose = pose_bind(skeleton);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = glms_quat_mul(pose.rotation[i], turned(rng, 0.4));
  const Leg *leg = &skeleton->legs[rng_index(rng, skeleton->leg_count)];
  const vec3s ankle = glms_vec3_add(pose.position[0], glms_vec3_add((vec3s){{0, -0.6f, 0}}, drawn(rng, 0.4)));
  const versors foot = turned(rng, 0.6);
  const int way = rng_index(rng, 3);
  const float missing = way == 0   ? leg_reach(skeleton, leg, ankle, foot, &pose)
                        : way == 1 ? leg_reach_hinged(skeleton, leg, ankle, foot, &pose)
                                   : leg_reach_sprawled(skeleton, leg, ankle, foot, drawn(rng, 1), &pose);
  drill_add(sum, (double)missing);
  Pose mirrored;
  mirror_pose(skeleton, &pose, &mirrored);
  for (int i = 0; i < pose.count; i++) {
    drill_add_floats(sum, pose.rotation[i].raw, 4);
    drill_add_floats(sum, mirrored.rotation[i].raw, 4);
  }
  drill_add_floats(sum, mirrored.position[0].raw, 3);
}

static void draw_springs(Rng *rng, DrillSum *sum) {
  double x = rng_range(rng, -2, 2), velocity = rng_range(rng, -5, 5);
  Spring spring = {.value = x, .velocity = velocity};
  const double damp = one_in(rng, 8) ? 0 : rng_range(rng, 0.001, 1);
  for (int i = 0; i < 4; i++) {
    const double goal = rng_range(rng, -1, 1), dt = one_in(rng, 6) ? 0 : rng_range(rng, 0, 0.3);
    spring_step(&x, &velocity, goal, fmax(damp, 1e-3), dt);
    spring_follow(&spring, goal, damp, dt);
    const double figures[] = {x, velocity, spring.value, spring.velocity, spring.goal};
    drill_add_all(sum, figures, 5);
  }
}

static void draw_curves(Rng *rng, DrillSum *sum) {
  Curve curve = {.count = 1 + rng_index(rng, 5), .smooth = one_in(rng, 2)};
  double x = rng_range(rng, -1, 1);
  for (int i = 0; i < curve.count; i++) {
    curve.x[i] = x;
    curve.y[i] = rng_range(rng, -3, 3);
    x += one_in(rng, 6) ? 0 : rng_range(rng, 0.1, 1);
  }
  for (int i = 0; i < 6; i++)
    drill_add(sum, curve_value(&curve, rng_range(rng, -2, 4)));
  for (int i = 0; i < curve.count; i++)
    drill_add(sum, curve_value(&curve, curve.x[i]));
}

static void draw_jumps(Rng *rng, DrillSum *sum) {
  JumpArc arc = {.take_off = 0};
  const double gravity = one_in(rng, 3) ? 1.6 : 9.81;
  JumpGoal goal = {.distance = rng_range(rng, 0, 2.4)};
  goal.rise = one_in(rng, 2) ? 0 : rng_range(rng, 0, 0.6);
  drill_add(sum, jump_arc_find(&goal, one_in(rng, 3) ? 0 : rng_range(rng, -1.5, 0.5), gravity, &arc));
  for (int i = 0; i < 2; i++) {
    double ahead, above;
    jump_arc_place(&arc, rng_range(rng, -0.1, 1.2), &ahead, &above);
    const double figures[] = {ahead, above, jump_arc_duration(&arc)};
    drill_add_all(sum, figures, 3);
    const double speed = rng_range(rng, -3, 6), up = rng_range(rng, -2, 4), height = rng_range(rng, 0, 2);
    jump_arc_fall(speed, up, height, rng_range(rng, -1, 0.5), gravity, &arc);
  }
}

static const struct {
  const char *name;
  void (*draw)(Rng *rng, DrillSum *sum);
} DRILLS[] = {{"limbs", draw_limbs},     {"aims", draw_aims},     {"legs", draw_legs},
              {"springs", draw_springs}, {"curves", draw_curves}, {"jumps", draw_jumps}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static const double OUTCOMES[1][DRILL_COUNT] = {
    {0.49748534107, 0.33442689329, -0.46075321616, 0.18592265477, 0.061242537201, 1.0553172165},
};

static void drills_come_to(void **state) {
  (void)state;
  enum { DRAWS = 12000 };
  double means[DRILL_COUNT] = {0};
  const char *names[DRILL_COUNT];
  fixture_init(&f);
  for (int i = 0; i < DRILL_COUNT; i++) {
    Rng rng = rng_make(1, DRILLS[i].name);
    names[i] = DRILLS[i].name;
    for (int n = 0; n < DRAWS; n++) {
      DrillSum sum = {0};
      DRILLS[i].draw(&rng, &sum);
      means[i] += sum.sum / DRAWS;
    }
  }
  const bool same = drill_is_kept("drawn", names, means, OUTCOMES[0], DRILL_COUNT);
  body_free(f.body);
  files_free(&f.files);
  assert_true(same);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
