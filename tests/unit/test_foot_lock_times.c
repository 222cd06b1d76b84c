// How fast held feet of the shown pose settle and released ones return: each limit and time constant by itself.
#include "anim/spring.h"
#include "ragdoll/shown/foot_lock.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

static Fixture f;
static Pose bent; // stands with bent knees

static bool level(const void *context, double x, double z, double from, double *height, double normal_w[3]) {
  (void)context, (void)x, (void)z, (void)from, (void)normal_w;
  *height = 0;
  return true;
}

static const Ground ground = {.height = level};

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  fixture_start(&f);
  bent = pose_bind(&f.body->skeleton);
  for (int i = 0; i < 2; i++) {
    const Leg *leg = &f.body->skeleton.legs[i];
    bent.rotation[leg->hip] = quat_exp((vec3s){{-0.4f, 0, 0}});
    bent.rotation[leg->knee] = quat_exp((vec3s){{0.8f, 0, 0}});
    bent.rotation[leg->ankle] = quat_exp((vec3s){{-0.4f, 0, 0}});
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

// One step of a pose that is the animation's, but for the left foot.
static Pose apply(FootLock *lock, const Pose *pose, bool stands, double dt) {
  const bool standing[SKELETON_MAX_LEGS] = {stands, stands}, turns[SKELETON_MAX_LEGS] = {false};
  Pose output = *pose;
  foot_lock_apply(lock, &f.body->skeleton, &ground, pose, standing, turns, dt, &output);
  return output;
}

static FootLock locked(vec3s shift, vec3s turn) {
  FootLock lock;
  foot_lock_init(&lock);
  lock.shown[0] = (FootOffset){shift, quat_exp(turn)};
  lock.rest[0].held = lock.active[0] = true;
  return lock;
}

// A released foot goes to its place with the spring of 0.08 s; at the release it has at most 0.5 m/s and 1.2 rad/s.
static void released_foot_returns(void **state) {
  (void)state;
  for (int held = 0; held < 2; held++) {
    FootLock lock = locked(GLMS_VEC3_ZERO, GLMS_VEC3_ZERO);
    FootRelease *rest = &lock.rest[0];
    rest->held = held;
    rest->shift[0] = 0.03;
    rest->shift_velocity[0] = 2;
    rest->turn[1] = 0.2;
    rest->turn_velocity[1] = -3;
    double shift = 0.03, speed = held ? 0.5 : 2, turn = 0.2, rate = held ? -1.2 : -3;
    for (int i = 0; i < 3; i++) {
      apply(&lock, &bent, false, DT);
      spring_step(&shift, &speed, 0, 0.08, DT);
      spring_step(&turn, &rate, 0, 0.08, DT);
      assert_near(rest->shift[0], shift, 1e-12);
      assert_near(rest->turn[1], turn, 1e-12);
      assert_near((double)lock.shown[0].shift_w.x, shift, 1e-6);
      assert_near((double)quat_log(lock.shown[0].turn_w).y, turn, 1e-6);
    }
  }
}

// It has arrived when it is nearer than 0.1 mm and 1 mrad: from then on the pose is the blend's.
static void released_foot_arrives(void **state) {
  (void)state;
  const double cases[][3] = {{0.99e-4, 0, 0}, {1.01e-4, 0, 1}, {0, 0.99e-3, 0}, {0, 1.01e-3, 1}};
  for (int i = 0; i < 4; i++) {
    FootLock lock = locked(GLMS_VEC3_ZERO, GLMS_VEC3_ZERO);
    lock.rest[0].shift[2] = cases[i][0];
    lock.rest[0].turn[0] = cases[i][1];
    apply(&lock, &bent, false, 1e-6);
    assert_int_equal(lock.active[0], cases[i][2] > 0);
  }
}

// A held foot keeps its place over the ground; its height and tilt settle with 0.08 s, at most at 1.2 rad/s.
static void held_foot_settles(void **state) {
  (void)state;
  const double left = exp(-DT / 0.08);
  FootLock lock = locked((vec3s){{0.01f, 0.02f, -0.015f}}, GLMS_VEC3_ZERO);
  apply(&lock, &bent, true, DT);
  assert_near((double)lock.shown[0].shift_w.x, 0.01, 1e-6);
  assert_near((double)lock.shown[0].shift_w.z, -0.015, 1e-6);
  assert_near((double)lock.shown[0].shift_w.y, 0.02 * left, 1e-6);
  const double tilts[][2] = {{0.02, 0.02 * left}, {0.09, 0.09 * left}, {0.11, 0.11 - 1.2 * DT}};
  for (int i = 0; i < 3; i++) {
    lock = locked(GLMS_VEC3_ZERO, (vec3s){{(float)tilts[i][0], 0, 0}});
    apply(&lock, &bent, true, DT);
    assert_near((double)quat_log(lock.shown[0].turn_w).x, tilts[i][1], 2e-6);
  }
}

// It keeps its heading, up to 7 deg beside the blend; what is more goes at 1.2 rad/s.
static void held_foot_keeps_its_heading(void **state) {
  (void)state;
  const double most = 7 * RAD_PER_DEGREE,
               cases[][2] = {{0.1, 0.1}, {-0.12, -0.12}, {0.125, most}, {-0.2, -0.2 + 1.2 * DT}};
  for (int i = 0; i < 4; i++) {
    FootLock lock = locked(GLMS_VEC3_ZERO, (vec3s){{0, (float)cases[i][0], 0}});
    apply(&lock, &bent, true, DT);
    assert_near((double)quat_log(lock.shown[0].turn_w).y, cases[i][1], 2e-6);
  }
}

// A foot that lands with a speed comes to rest with 0.012 s.
static void landing_foot_comes_to_rest(void **state) {
  (void)state;
  FootLock lock = locked(GLMS_VEC3_ZERO, GLMS_VEC3_ZERO);
  lock.rest[0].slide_w = (vec3s){{0.5f, 0.7f, -0.2f}};
  double gone = 0, speed = 0.5;
  for (int i = 0; i < 4; i++) {
    apply(&lock, &bent, true, DT);
    speed *= exp(-DT / 0.012);
    gone += speed * DT;
    assert_near((double)lock.rest[0].slide_w.x, speed, 1e-6);
    assert_near((double)lock.shown[0].shift_w.x, gone, 1e-6);
    assert_near((double)lock.shown[0].shift_w.z, -0.4 * gone, 1e-6);
  }
}

// A foot 4 cm from where the animation has it does not stand there, and is not held.
static void lost_foot_is_not_held(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    FootLock lock = locked((vec3s){{0, 0, i == 0 ? 0.039f : 0.041f}}, GLMS_VEC3_ZERO);
    apply(&lock, &bent, true, DT);
    assert_int_equal(lock.rest[0].held, i == 0);
  }
}

static double leg_length(const Pose *pose) {
  ModelPose model;
  pose_to_model(&f.body->skeleton, pose, &model);
  const Leg *leg = &f.body->skeleton.legs[0];
  return (double)glms_vec3_distance(model.position[leg->hip], model.position[leg->ankle]);
}

static double knee_of(const Pose *pose) {
  return (double)quat_angle_between(pose->rotation[f.body->skeleton.legs[0].knee], glms_quat_identity());
}

// The knee turns at most at 1.5 rad/s beyond that of the blend: so a foot that is held 3.5 cm higher goes there slowly.
static void knee_bends_softly(void **state) {
  (void)state;
  FootLock lock = locked((vec3s){{0, 0.035f, 0}}, GLMS_VEC3_ZERO);
  const double blend = knee_of(&bent);
  for (int i = 1; i <= 4; i++) {
    const Pose output = apply(&lock, &bent, true, DT);
    assert_near(lock.rest[0].bend, i * 1.5 * DT, 1e-9);
    assert_near(knee_of(&output) - blend, i * 1.5 * DT, 2e-3);
  }
}

// A place that is farther from the hip than the blend has it stretches the leg only as far as it gives, to 0.99 of its
// length, or 3 mm.
static void leg_gives_way_before_it_is_stretched(void **state) {
  (void)state;
  const Skeleton *skeleton = &f.body->skeleton;
  const double whole = (double)skeleton_leg_length(skeleton, &skeleton->legs[0]);
  for (int i = 0; i < 2; i++) {
    Pose straight = bent;
    const float half = i == 0 ? 0.25f : 0.1f;
    straight.rotation[skeleton->legs[0].hip] = quat_exp((vec3s){{-half, 0, 0}});
    straight.rotation[skeleton->legs[0].knee] = quat_exp((vec3s){{2 * half, 0, 0}});
    straight.rotation[skeleton->legs[0].ankle] = quat_exp((vec3s){{-half, 0, 0}});
    ModelPose model;
    pose_to_model(skeleton, &straight, &model);
    const vec3s hip = model.position[skeleton->legs[0].hip];
    const vec3s away = glms_vec3_sub(model.position[skeleton->legs[0].ankle], hip);
    const double now = leg_length(&straight), shift = 0.039;
    const double wanted = (double)glms_vec3_norm(glms_vec3_add(away, (vec3s){{(float)shift, 0, 0}}));
    FootLock lock = locked((vec3s){{(float)shift, 0, 0}}, GLMS_VEC3_ZERO);
    Pose output = straight;
    for (int k = 0; k < 240; k++)
      output = apply(&lock, &straight, true, DT);
    const double give = fmax(0.003, 0.99 * whole - now);
    assert_true(wanted > now);
    assert_near(leg_length(&output), now + give * (1 - exp((now - wanted) / give)), 2e-5);
  }
}

static void save_and_restore(FootLock *lock) {
  static unsigned char bytes[4096];
  StateStream save = state_stream_save(bytes, sizeof bytes, NULL);
  foot_lock_state(lock, &f.body->skeleton, &save);
  assert_false(save.failed);
  foot_lock_init(lock);
  StateStream restore = state_stream_restore(bytes, save.at, NULL);
  foot_lock_state(lock, &f.body->skeleton, &restore);
  assert_false(restore.failed);
}

// A step in which the body is so far to the left of the animation, m.
static void move_foot(FootLock *lock, double place, bool stands) {
  const bool standing[SKELETON_MAX_LEGS] = {stands, stands}, turns[SKELETON_MAX_LEGS] = {false};
  Pose output = bent;
  output.position[0].x += (float)place;
  foot_lock_apply(lock, &f.body->skeleton, &ground, &bent, standing, turns, DT, &output);
}

// A foot that lands goes on from where it was, with the speed of the last step before, however many there were in which
// no foot was held, and whether or not it was saved meanwhile.
static void landing_foot_goes_on(void **state) {
  (void)state;
  for (int steps = 1; steps < 5; steps++)
    for (int saved = 0; saved <= steps; saved++) {
      FootLock lock;
      foot_lock_init(&lock);
      double place = 0, way = 0; // m, of the last step
      for (int i = 0; i < steps; i++) {
        way = 0.0003 * (1 + i % 3);
        place += way;
        move_foot(&lock, place, false);
        if (saved == i + 1)
          save_and_restore(&lock);
      }
      move_foot(&lock, place + 0.001, true);
      assert_near((double)lock.shown[0].shift_w.x, place + way * exp(-DT / 0.012), 1e-7);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(released_foot_returns),      cmocka_unit_test(released_foot_arrives),
      cmocka_unit_test(held_foot_settles),          cmocka_unit_test(held_foot_keeps_its_heading),
      cmocka_unit_test(landing_foot_comes_to_rest), cmocka_unit_test(lost_foot_is_not_held),
      cmocka_unit_test(knee_bends_softly),          cmocka_unit_test(leg_gives_way_before_it_is_stretched),
      cmocka_unit_test(landing_foot_goes_on),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
