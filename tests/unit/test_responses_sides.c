// Responses know no left from right and no north from south: the mirror image of a blow has the mirror image of the
// answer, wherever he faces; and the directions of ducking, bowing and looking.
#include "anim/mirror.h"
#include "tests/fixture.h"

#include "ragdoll/response/responses.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

static const double H = 1.0 / 240;

typedef struct Struck {
  const char *part;   // of his left side or his middle
  double impulse[3];  // N s, in his frame
  double point[3];    // m from the part's centre of mass, in his frame
  double off, beyond; // m to his left and ahead: where his balance goes; as in ResponseStep
} Struck;

// The answer at the end of some seconds: joints relative to their parents.
typedef struct Answer {
  Pose pose;
  float tension[BODY_MAX_PARTS], strength[BODY_MAX_PARTS];
  bool lifts[SKELETON_MAX_LEGS];
} Answer;

static void turn3(double heading, double side, const double v[3], double turned[3]) {
  Plane2 level = plane2_turn((Plane2){.x = side * v[0], .z = v[2]}, heading);
  turned[0] = level.x;
  turned[1] = v[1];
  turned[2] = level.z;
}

static int part_of_side(const Fixture *f, const char *name, double side) {
  int part = fixture_part(f, name);
  return side > 0 ? part : f->body->skeleton.twin[part];
}

// A man who stands in his bind pose with that heading; side: -1 with left and right exchanged.
static void answer(const Struck *struck, double heading, double side, double seconds, Answer *answer) {
  Fixture f;
  fixture_init(&f);
  ResponsesDef def = f.character_def.responses;
  def.enabled = true;
  def.variation = 0;
  f.character_def.start.heading = f.character_def.intent.heading = heading / RAD_PER_DEGREE;
  fixture_start(&f);
  const Ragdoll *ragdoll = f.character->ragdoll;
  static Responses responses;
  responses_init(&responses, &def, f.body, 1, 0);
  int part = part_of_side(&f, struck->part, side);
  double impulse[3], point[3];
  turn3(heading, side, struck->impulse, impulse);
  turn3(heading, side, struck->point, point);
  const dReal *center = dBodyGetPosition(ragdoll->ode[part]);
  for (int k = 0; k < 3; k++)
    point[k] += center[k];
  responses_strike(&responses, ragdoll, part, 1, impulse, point);
  for (int i = 0; i < (int)(seconds / H); i++) {
    answer->pose = pose_bind(&f.body->skeleton);
    pose_transform(&answer->pose, vec3_from_ode((const dReal[]){0, 0, 0}), quat_exp((vec3s){{0, (float)heading, 0}}));
    const ResponseStep step = {.ragdoll = ragdoll,
                               .heading = heading,
                               .h = H,
                               .off = {.x = side * struck->off, .z = struck->off},
                               .beyond = struck->beyond,
                               .pose_w = &answer->pose};
    responses_step(&responses, &step);
  }
  memcpy(answer->tension, responses.tension, sizeof answer->tension);
  memcpy(answer->strength, responses.strength, sizeof answer->strength);
  memcpy(answer->lifts, responses.lifts, sizeof answer->lifts);
  fixture_end(&f);
}

static const Struck BLOWS[] = {
    {"chest", {8, 0, -40}, {0.08, 0.05, 0.1}, 0, 0},     {"abdomen", {-30, 5, -30}, {0.03, 0, 0.1}, 0.05, 0.2},
    {"head", {15, 0, -15}, {0.02, 0, 0.08}, 0, 0},       {"upper_arm_l", {-25, 0, 5}, {0.04, 0, 0}, 0.02, 0},
    {"thigh_l", {-20, 0, -30}, {0.03, 0, 0.06}, 0.1, 1}, {"shin_l", {4, 0, -18}, {0, -0.05, 0.05}, 0, 0},
};
enum { BLOW_COUNT = sizeof BLOWS / sizeof BLOWS[0] };
static const double TIMES[] = {0.15, 0.45, 0.9}; // s: ducks; bows and reaches; looks and guards

static double joint_apart(const Pose *a, const Pose *b) {
  double worst = 0;
  for (int i = 1; i < a->count; i++)
    worst = fmax(worst, (double)quat_angle_between(a->rotation[i], b->rotation[i]));
  return worst;
}

static void any_heading(void **state) {
  (void)state;
  for (int i = 0; i < BLOW_COUNT; i++)
    for (int t = 0; t < 3; t++) {
      Answer ahead, turned;
      answer(&BLOWS[i], 0, 1, TIMES[t], &ahead);
      answer(&BLOWS[i], i % 2 ? 2.3 : -0.9, 1, TIMES[t], &turned);
      double apart = joint_apart(&ahead.pose, &turned.pose);
      if (!(apart < 2e-3))
        fail_msg("%s after %g s: joints differ by %.2g rad", BLOWS[i].part, TIMES[t], apart);
    }
}

static void either_side(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  for (int i = 0; i < BLOW_COUNT; i++)
    for (int t = 0; t < 3; t++) {
      Answer left, right;
      Pose mirrored;
      answer(&BLOWS[i], 0, 1, TIMES[t], &left);
      answer(&BLOWS[i], 0, -1, TIMES[t], &right);
      mirror_pose(skeleton, &right.pose, &mirrored);
      double apart = joint_apart(&left.pose, &mirrored);
      if (!(apart < 2e-3))
        fail_msg("%s after %g s: joints differ by %.2g rad", BLOWS[i].part, TIMES[t], apart);
      for (int joint = 1; joint < skeleton->count; joint++) {
        int twin = skeleton->twin[joint];
        assert_true(fabsf(left.tension[joint] - right.tension[twin]) < 1e-5f);
        assert_true(fabsf(left.strength[joint] - right.strength[twin]) < 1e-5f);
      }
      for (int leg = 0; leg < skeleton->leg_count; leg++)
        assert_int_equal(left.lifts[leg], right.lifts[mirror_leg(skeleton, leg)]);
    }
  fixture_end(&f);
}

// Where a part's own direction points in the world.
static vec3s points(const Fixture *f, const Pose *pose, const char *part, vec3s own) {
  vec3s position;
  versors rotation;
  pose_joint_transform(&f->body->skeleton, pose, fixture_part(f, part), &position, &rotation);
  return glms_quat_rotatev(rotation, own);
}

static void ducks_bows_and_looks_the_right_way(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const vec3s up = {{0, 1, 0}}, front = {{0, 0, 1}};
  Answer found;
  answer(&BLOWS[0], 0, 1, 0.17, &found); // the head goes down first
  assert_true(points(&f, &found.pose, "head", front).y < -0.1f);

  const Struck belly = {"abdomen", {0, 0, -60}, {0, 0, 0.1}, 0, 0};
  answer(&belly, 0, 1, 0.6, &found);
  assert_true(points(&f, &found.pose, "chest", up).z > 0.3f); // bowed over it

  const Struck from_left = {"chest", {-60, 0, 0}, {0.1, 0, 0}, 0, 0};
  answer(&from_left, 0, 1, 0.6, &found);
  assert_true(points(&f, &found.pose, "chest", up).x < -0.1f); // bent away from it

  for (int side = -1; side <= 1; side += 2) { // a light one, which leaves the eyes free: he looks where it came from
    const Struck light = {"upper_arm_l", {-14, 0, -6}, {0.04, 0, 0}, 0, 0};
    answer(&light, 0, side, 0.9, &found);
    assert_true((float)side * points(&f, &found.pose, "head", front).x > 0.1f);
  }
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_heading),
      cmocka_unit_test(either_side),
      cmocka_unit_test(ducks_bows_and_looks_the_right_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
