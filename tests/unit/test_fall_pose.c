// The guard of a falling body joint by joint: how far arms, head, trunk and legs bend in a fall to each side.
#include "ragdoll/reaction/fall_pose.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

static Fixture f;
static FallBody fall;
static Pose upright; // the bind pose, facing +z

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  fixture_start(&f);
  assert_true(fall_body_find(&fall, f.body));
  upright = pose_bind(&f.body->skeleton);
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static Pose guard(const Pose *now, double left, double ahead) {
  const FallView view = {.pose_w = now, .way_w = {{(float)left, 0, (float)ahead}}};
  Pose pose = *now;
  fall_guard(&fall, &view, &pose);
  return pose;
}

// Only who has both arms and a head guards himself.
static void nobody_guards_without_arms_or_head(void **state) {
  (void)state;
  static const char *const names[] = {"upper_arm_l", "forearm_l", "upper_arm_r", "forearm_r", "head"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    FallBody found;
    char *name = f.body->skeleton.names[fixture_part(&f, names[i])];
    name[0] = 'X';
    assert_false(fall_body_find(&found, f.body));
    name[0] = names[i][0];
    assert_true(fall_body_find(&found, f.body));
  }
}

static void check_turn(const Pose *pose, int joint, double x, double y, double z, int line) {
  const vec3s turn = glms_vec3_scale(quat_log(pose->rotation[joint]), (float)(1 / RAD_PER_DEGREE));
  if (!(fabs((double)turn.x - x) < 0.01 && fabs((double)turn.y - y) < 0.01 && fabs((double)turn.z - z) < 0.01))
    fail_msg("line %d: %s is turned by %g, %g, %g deg, not %g, %g, %g", line, f.body->parts[joint].name, (double)turn.x,
             (double)turn.y, (double)turn.z, x, y, z);
}
#define assert_turned(pose, joint, x, y, z) check_turn(pose, joint, x, y, z, __LINE__)

// Forward the face turns aside and the trunk straightens; backward chin and trunk curl; sideways they bend away from
// the ground and turn to it. All stay 4 deg inside the joints' ranges, as the chest's -15 deg.
static void head_and_trunk_bend_away(void **state) {
  (void)state;
  const int chest = fall.chest, abdomen = f.body->skeleton.parent[chest];
  Pose pose = guard(&upright, 0, 1);
  assert_turned(&pose, fall.head, -38, -30, 0);
  assert_turned(&pose, chest, -11, 0, 0);
  assert_turned(&pose, abdomen, -12, 0, 0);
  pose = guard(&upright, 0, -1);
  assert_turned(&pose, fall.head, 38, 0, 0);
  assert_turned(&pose, chest, 18, 0, 0);
  assert_turned(&pose, abdomen, 18, 0, 0);
  for (int side = -1; side <= 1; side += 2) {
    pose = guard(&upright, side, 0);
    assert_turned(&pose, fall.head, 0, 0, side * 38);
    assert_turned(&pose, chest, 0, side * 14, side * 12);
    assert_turned(&pose, abdomen, 0, side * 14, side * 12);
    pose = guard(&upright, side * 0.6, 0.8);
    assert_turned(&pose, fall.head, -0.8 * 38, -side * 0.8 * 30, side * 0.6 * 38);
    assert_turned(&pose, abdomen, -0.8 * 12, side * 0.6 * 14, side * 0.6 * 12);
  }
}

// Backward it sits down, forward the knees give way, sideways the near leg bends under the body and the other one stays
// apart from it.
static void legs_bend(void **state) {
  (void)state;
  const Leg *left = &f.body->skeleton.legs[0], *right = &f.body->skeleton.legs[1];
  const struct {
    double way[2], near[3], far[3], ankle; // deg: hip, knee, and the hip to the side, of the left and the right leg
  } cases[] = {{{0, 1}, {-25, 50, 0}, {-25, 50, 0}, 0},
               {{0, -1}, {-70, 95, 0}, {-70, 95, 0}, -10},
               {{1, 0}, {-45, 85, 0}, {-20, 40, -15}, 0},
               {{-1, 0}, {-20, 40, 15}, {-45, 85, 0}, 0},
               {{0.6, -0.8},
                {-(0.8 * 70 + 0.6 * 45) / 1.4, (0.8 * 95 + 0.6 * 85) / 1.4, 0},
                {-(0.8 * 70 + 0.6 * 20) / 1.4, (0.8 * 95 + 0.6 * 40) / 1.4, -15 * 0.6 / 1.4},
                -10 * 0.8 / 1.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Pose pose = guard(&upright, cases[i].way[0], cases[i].way[1]);
    assert_turned(&pose, left->hip, cases[i].near[0], 0, cases[i].near[2]);
    assert_turned(&pose, right->hip, cases[i].far[0], 0, cases[i].far[2]);
    assert_turned(&pose, left->knee, cases[i].near[1], 0, 0);
    assert_turned(&pose, right->knee, cases[i].far[1], 0, 0);
    assert_turned(&pose, left->ankle, cases[i].ankle, 0, 0);
    assert_turned(&pose, right->ankle, cases[i].ankle, 0, 0);
  }
  Pose squatting = upright;
  squatting.rotation[left->hip] = quat_exp((vec3s){{(float)(-80 * RAD_PER_DEGREE), 0, 0}});
  squatting.rotation[left->knee] = quat_exp((vec3s){{(float)(100 * RAD_PER_DEGREE), 0, 0}});
  Pose pose = guard(&squatting, 0, 1); // what is bent already stays
  assert_turned(&pose, left->hip, -80, 0, 0);
  assert_turned(&pose, left->knee, 100, 0, 0);
  assert_turned(&pose, right->knee, 50, 0, 0);
  Pose level = upright; // that falls toward its head: to neither of its sides
  level.rotation[0] = quat_exp((vec3s){{(float)M_PI_2, 0, 0}});
  pose = guard(&level, 0, 1);
  assert_true(fabsf(quat_log(pose.rotation[left->knee]).x) < 0.2f);
}

// Where an arm points, in the chest's frame.
static vec3s arm_of(const FallView *view, int side) {
  Pose pose = *view->pose_w;
  fall_guard(&fall, view, &pose);
  assert_turned(&pose, fall.forearms[side], -25, 0, 0);
  return glms_quat_rotatev(pose.rotation[fall.arms[side]], (vec3s){{0, -1, 0}});
}

static vec3s toward(double x, double y, double z, int side) {
  const double length = sqrt(x * x + y * y + z * z);
  return glms_vec3_normalize((vec3s){{(float)(x / length + (side == 0 ? 0.15 : -0.15)), (float)(y / length),
                                      (float)(z / length + 0.4 * fabs(x) / length)}});
}

// The arms reach to where the shoulders come down: as far as these go until they have fallen to the ground; a little
// apart, and before the body. A shoulder counts as at least 10 cm high.
static void arms_reach_for_the_ground(void **state) {
  (void)state;
  vec3s shoulder;
  versors rotation;
  pose_joint_transform(&f.body->skeleton, &upright, fall.arms[0], &shoulder, &rotation);
  const struct {
    double left, ahead, speed, rise, ground;
  } cases[] = {{0, 1, 0, 0, 0},    {0, 1, 2, 0, 0},  {0, 1, 2, -1.5, 0}, {1, 0, 1.5, 0, 0},
               {0, -1, 1, 0, 0.2}, {0, 1, -3, 0, 0}, {0, 1, 1, 0, 1.36}, {0.6, 0.8, 1, 0.5, 0.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int side = 0; side < 2; side++) {
      const double speed = cases[i].speed, rise = cases[i].rise,
                   height = fmax((double)shoulder.y - cases[i].ground, 0.1);
      const FallView view = {
          .pose_w = &upright,
          .way_w = {{(float)cases[i].left, 0, (float)cases[i].ahead}},
          .chest_velocity_w = {{(float)(speed * cases[i].left), (float)rise, (float)(speed * cases[i].ahead)}},
          .ground_height = cases[i].ground};
      const double way = fmax(0, speed) * (rise + sqrt(rise * rise + 2 * 9.80665 * height)) / 9.80665;
      const vec3s wanted = toward(way * cases[i].left, -height, way * cases[i].ahead, side);
      if (!(glms_vec3_distance(arm_of(&view, side), wanted) < 2e-3f))
        fail_msg("case %d, arm %d", (int)i, side);
    }
}

// A joint moves at its rate, slower near its goal, which it reaches: a share of h / 0.06 s of the way.
static void joints_approach_their_goal(void **state) {
  (void)state;
  const int knee = f.body->skeleton.legs[0].knee;
  double rates[BODY_MAX_PARTS];
  for (int i = 0; i < f.body->part_count; i++)
    rates[i] = 2;
  const double cases[][3] = {// way, h; moved, rad
                             {1, 0.01, 0.02},
                             {0.06, 0.01, 0.01},
                             {0.121, 0.01, 0.02},
                             {0.01, 0.06, 0.01},
                             {0.01, 1, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pose goal = upright, pose = upright;
    goal.rotation[knee] = quat_exp((vec3s){{(float)cases[i][0], 0, 0}});
    fall_pose_approach(f.body, &goal, rates, cases[i][1], &pose);
    assert_true(fabs((double)quat_log(pose.rotation[knee]).x - cases[i][2]) < 1e-5);
  }
}

// The knees of who lies on his belly come down at 2.5 rad/s until they are bent by 10 deg; on his back they stay.
static void shins_come_down(void **state) {
  (void)state;
  const int knee = f.body->skeleton.legs[1].knee;
  const double cases[][3] = {{1, M_PI_2, 1 - 0.025},
                             {1, -M_PI_2, 1},
                             {1, 0.5236, 1 - 0.0125},
                             {0.18, M_PI_2, 10 * RAD_PER_DEGREE},
                             {0.1, M_PI_2, 0.1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pose lies = upright;
    lies.rotation[0] = quat_exp((vec3s){{(float)cases[i][1], 0, 0}}); // pitched forward: on the belly
    lies.rotation[knee] = quat_exp((vec3s){{(float)cases[i][0], 0, 0}});
    Pose pose = lies;
    fall_pose_yield(&fall, &lies, 0.01, 0.35, false, &pose);
    if (!(fabs((double)quat_log(pose.rotation[knee]).x - cases[i][2]) < 1e-4))
      fail_msg("case %d: %g", (int)i, (double)quat_log(pose.rotation[knee]).x);
  }
}

// What muscles hold goes to how the body lies with the time constant; the head stays up if it is held.
static void muscles_let_go(void **state) {
  (void)state;
  for (int head_up = 0; head_up < 2; head_up++) {
    Pose lies = upright, pose = upright;
    lies.rotation[fall.head] = lies.rotation[fall.arms[0]] = quat_exp((vec3s){{0.4f, 0, 0}});
    fall_pose_yield(&fall, &lies, 0.1, 0.35, head_up, &pose);
    const double gone = 0.4 * (1 - exp(-0.1 / 0.35));
    assert_true(fabs((double)quat_log(pose.rotation[fall.arms[0]]).x - gone) < 1e-5);
    assert_true(fabs((double)quat_log(pose.rotation[fall.head]).x - (head_up ? 0 : gone)) < 1e-5);
  }
}

// ---- Drawn poses: the means to nine digits ----

static vec3s drawn(Rng *rng, double range) {
  vec3s v;
  for (int k = 0; k < 3; k++)
    v.raw[k] = (float)rng_range(rng, -range, range);
  return v;
}

// Any way up, with its joints bent at random; half of them by so much that they are out of their ranges.
static Pose drawn_pose(Rng *rng) {
  Pose pose = upright;
  double axis[3];
  rng_direction(rng, axis);
  const double most = rng_index(rng, 2) ? 0.4 : 1.7;
  for (int i = 1; i < pose.count; i++)
    pose.rotation[i] = quat_exp(drawn(rng, most));
  pose.rotation[0] = quat_exp(
      glms_vec3_scale((vec3s){{(float)axis[0], (float)axis[1], (float)axis[2]}}, (float)rng_range(rng, 0, M_PI)));
  pose.position[0].y *= (float)rng_unit(rng);
  return pose;
}

enum { GUARD, APPROACH, LET_GO, BETWEEN, DISTANCE, COST, SUMS };
static const char *const NAMES[SUMS] = {"guard", "approach", "yield", "between", "distance", "cost of getting up"};
static const double OUTCOMES[1][SUMS] = {
    {0.2472396787, -0.054187130795, -0.073082779783, -0.11687699376, 2.2156201965, 0.041814274933},
};

static void add_pose(DrillSum *sum, const Pose *pose) {
  for (int i = 0; i < pose->count; i++)
    drill_add_floats(sum, pose->rotation[i].raw, 4);
}

static void add_draw(Rng *rng, const Clip *const clips[GET_UP_COUNT], double means[SUMS]) {
  const Pose now = drawn_pose(rng), goal = drawn_pose(rng);
  const double heading = rng_range(rng, -M_PI, M_PI), h = rng_index(rng, 2) ? 0.004 : 0.05;
  const FallView view = {.pose_w = &now,
                         .way_w = {{(float)sin(heading), 0, (float)cos(heading)}},
                         .chest_velocity_w = drawn(rng, 3),
                         .ground_height = rng_range(rng, -0.3, 1)};
  DrillSum sums[SUMS] = {{0}};
  double rates[BODY_MAX_PARTS];
  for (int i = 0; i < f.body->part_count; i++)
    rates[i] = rng_range(rng, 0.5, 20);
  Pose pose = now;
  fall_guard(&fall, &view, &pose);
  add_pose(&sums[GUARD], &pose);
  pose = now;
  fall_pose_approach(f.body, &goal, rates, h, &pose);
  add_pose(&sums[APPROACH], &pose);
  pose = now;
  const double time = rng_range(rng, 0.05, 0.5);
  fall_pose_yield(&fall, &goal, h, time, rng_index(rng, 2), &pose);
  add_pose(&sums[LET_GO], &pose);
  fall_pose_between(f.body, &now, &goal, (float)rng_unit(rng), &pose);
  add_pose(&sums[BETWEEN], &pose);
  drill_add(&sums[DISTANCE], (double)fall_pose_distance(f.body, &now, &goal));
  if (rng_index(rng, 20) == 0) {
    const GetUpEntry entry = get_up_match(&fall, clips, &now, rng_range(rng, -0.2, 0.2));
    drill_add(&sums[COST], (double)entry.cost);
    drill_add(&sums[COST], (double)entry.time);
    drill_add(&sums[COST], entry.mirrored + 2 * (entry.clip == clips[1]));
  }
  for (int k = 0; k < SUMS; k++)
    means[k] += sums[k].sum;
}

static void drawn_poses_come_to(void **state) {
  (void)state;
  enum { DRAWS = 600 };
  Error error = {0};
  Clip *clips[GET_UP_COUNT];
  for (int i = 0; i < GET_UP_COUNT; i++) {
    clips[i] = clip_read(&f.files, i == GET_UP_PRONE ? "clips/get_up_prone.yaml" : "clips/get_up_supine.yaml",
                         &f.body->skeleton, &error);
    fixture_check(&error);
  }
  Rng rng = rng_make(5, "falls");
  double means[SUMS] = {0};
  for (int i = 0; i < DRAWS; i++)
    add_draw(&rng, (const Clip *const *)clips, means);
  for (int k = 0; k < SUMS; k++)
    means[k] /= DRAWS;
  const bool same = drill_matches("drawn poses", NAMES, means, OUTCOMES[0], SUMS);
  if (!same)
    drill_print(means, SUMS);
  for (int i = 0; i < GET_UP_COUNT; i++)
    clip_free(clips[i]);
  assert_true(same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_guards_without_arms_or_head),
      cmocka_unit_test(head_and_trunk_bend_away),
      cmocka_unit_test(legs_bend),
      cmocka_unit_test(arms_reach_for_the_ground),
      cmocka_unit_test(joints_approach_their_goal),
      cmocka_unit_test(shins_come_down),
      cmocka_unit_test(muscles_let_go),
      cmocka_unit_test(drawn_poses_come_to),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
