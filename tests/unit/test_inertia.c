// Inertialization: the curve, and transitions of streams of poses that are interrupted at any time (A8).
#include "anim/clip.h"
#include "anim/graph/inertia.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

enum { JOINTS = 6, WAVES = 3, STREAMS = 4 };

// ---- The curve ----

static vec3s along_x(float x) { return (vec3s){{x, 0, 0}}; }

static float x_at(const InertiaCurve *curve, float t) { return inertia_value(curve, t).x; }

// Value, velocity and acceleration: the given ones (acceleration 0) at the beginning, zero at the end.
static void test_ends_of_the_curve(void **state) {
  (void)state;
  static const float starts[][2] = {{1, 0}, {0.4f, 2}, {-0.4f, 3}, {0, 1}, {1, -1}, {0.01f, -3}};
  const float h = 1e-3f;
  for (int n = 0; n < 6; n++) {
    float x0 = starts[n][0], v0 = starts[n][1];
    InertiaCurve c = inertia_curve(along_x(x0), along_x(v0), 0.4f);
    assert_true(x_at(&c, 0) == x0);
    float scale = fabsf(v0) + fabsf(x0) / c.time;
    assert_true(fabsf((x_at(&c, h) - x0) / h - v0) < 60 * (h / c.time) * (h / c.time) * scale + 1e-3f);
    float before = x_at(&c, c.time - h); // about 10 (h/T)^3 of the whole size
    assert_true(fabsf(before) < 20 * powf(h / c.time, 3) * scale * c.time + 1e-9f);
    assert_true(x_at(&c, c.time) == 0 && x_at(&c, 1) == 0);
  }
}

// A value at rest decays without turning; the known middle of 10 u^3 - 15 u^4 + 6 u^5.
static void test_at_rest(void **state) {
  (void)state;
  InertiaCurve c = inertia_curve(along_x(2), along_x(0), 0.5f);
  assert_true(c.time == 0.5f);
  assert_true(fabsf(x_at(&c, 0.25f) - 1) < 1e-6f);
  for (float t = 0; t < 0.5f; t += 0.01f)
    assert_true(x_at(&c, t + 0.01f) <= x_at(&c, t));
}

// Toward zero: shortened so that it does not cross zero, to a third at most; then it crosses by little.
static void test_overshoot(void **state) {
  (void)state;
  for (int n = 0; n <= 100; n++) {
    float x0 = 0.01f * (float)n, v0 = -2, time = 0.6f;
    InertiaCurve c = inertia_curve(along_x(x0), along_x(v0), time);
    assert_true(c.time >= time / 3 && c.time <= time);
    float lowest = 0;
    for (float t = 0; t < c.time; t += 0.002f)
      lowest = fminf(lowest, x_at(&c, t));
    assert_true(lowest > -0.07f * time * 2);
    if (2.5f * x0 >= -v0 * time / 3)
      assert_true(lowest > -1e-6f);
  }
  // Away from zero: never through it, and not far away.
  for (int n = 0; n <= 100; n++) {
    InertiaCurve c = inertia_curve(along_x(0.01f * (float)n), along_x(2), 0.6f);
    for (float t = 0; t < 0.6f; t += 0.002f)
      assert_true(x_at(&c, t) >= 0 && x_at(&c, t) < 0.01f * (float)n + 0.15f * 2 * 0.6f);
  }
}

// ---- Streams of poses ----

// Smooth motion: a few sines for each joint's rotation vector and position.
typedef struct Stream {
  vec3s turn[JOINTS][WAVES], move[JOINTS][WAVES];
  float rate[JOINTS][WAVES], phase[JOINTS][WAVES]; // rad/s, rad
  versors middle[JOINTS];
} Stream;

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

static Stream random_stream(Rng *rng) {
  Stream s;
  for (int i = 0; i < JOINTS; i++) {
    s.middle[i] = quat_exp(random_vector(rng, rng_range(rng, 0, i == 0 ? 3 : 1.2))); // the root anywhere
    for (int k = 0; k < WAVES; k++) {
      s.turn[i][k] = random_vector(rng, rng_range(rng, 0, 0.3));
      s.move[i][k] = random_vector(rng, rng_range(rng, 0, 0.05));
      s.rate[i][k] = (float)rng_range(rng, 1, 9);
      s.phase[i][k] = (float)rng_range(rng, 0, 6.3);
    }
  }
  return s;
}

static Pose stream_pose(const Stream *s, double time) {
  Pose pose = {.count = JOINTS};
  for (int i = 0; i < JOINTS; i++) {
    vec3s turn = glms_vec3_zero();
    for (int k = 0; k < WAVES; k++) {
      float wave = (float)sin((double)s->rate[i][k] * time + (double)s->phase[i][k]);
      turn = glms_vec3_muladds(s->turn[i][k], wave, turn);
      pose.position[i] = glms_vec3_muladds(s->move[i][k], wave, pose.position[i]);
    }
    pose.rotation[i] = glms_quat_mul(s->middle[i], quat_exp(turn));
  }
  return pose;
}

static vec3s turn_rate(const Pose *now, const Pose *before, int joint, float dt) {
  versors d = glms_quat_mul(now->rotation[joint], glms_quat_conjugate(before->rotation[joint]));
  return glms_vec3_scale(quat_log(d), 1 / dt);
}

static vec3s move_rate(const Pose *now, const Pose *before, int joint, float dt) {
  return glms_vec3_scale(glms_vec3_sub(now->position[joint], before->position[joint]), 1 / dt);
}

// The largest measured values of any joint.
typedef struct Seen {
  float turn, move;               // rad/s, m/s
  float turn_jump, move_jump;     // change of these from step to step, anywhere
  float turn_switch, move_switch; // in the steps around switches
} Seen;

// A stream whose source changes at random times, also during transitions.
static Seen run_streams(uint64_t seed, float dt, double seconds) {
  Rng rng = rng_make(seed, "streams");
  Stream streams[STREAMS];
  for (int i = 0; i < STREAMS; i++)
    streams[i] = random_stream(&rng);
  Inertia inertia = {0};
  Seen seen = {0};
  int source = 0;
  double switch_at = 0.25;
  Pose shown = stream_pose(&streams[0], -(double)dt), before = stream_pose(&streams[0], -2 * (double)dt);
  vec3s turned[JOINTS], moved[JOINTS];
  for (int i = 0; i < JOINTS; i++) {
    turned[i] = turn_rate(&shown, &before, i, dt);
    moved[i] = move_rate(&shown, &before, i, dt);
  }
  for (int n = 0; n * (double)dt < seconds; n++) {
    double now = n * (double)dt;
    bool switches = now > switch_at - 1e-6;
    if (switches) {
      source = (source + 1 + rng_index(&rng, STREAMS - 1)) % STREAMS;
      Pose next = stream_pose(&streams[source], now - (double)dt);
      Pose next_before = stream_pose(&streams[source], now - 2 * (double)dt);
      inertia_begin(&inertia, &shown, &before, &next, &next_before, dt, (float)rng_range(&rng, 0.2, 0.5));
      switch_at = now + (7 + rng_index(&rng, 140)) / 240.0; // the same moments in steps of any size
    }
    Pose pose = stream_pose(&streams[source], now);
    inertia_apply(&inertia, dt, &pose);
    before = shown;
    shown = pose;
    for (int i = 0; i < JOINTS; i++) {
      vec3s turn = turn_rate(&shown, &before, i, dt), move = move_rate(&shown, &before, i, dt);
      float turn_jump = glms_vec3_distance(turn, turned[i]), move_jump = glms_vec3_distance(move, moved[i]);
      seen.turn = fmaxf(seen.turn, glms_vec3_norm(turn));
      seen.move = fmaxf(seen.move, glms_vec3_norm(move));
      seen.turn_jump = fmaxf(seen.turn_jump, turn_jump);
      seen.move_jump = fmaxf(seen.move_jump, move_jump);
      if (switches) {
        seen.turn_switch = fmaxf(seen.turn_switch, turn_jump);
        seen.move_switch = fmaxf(seen.move_switch, move_jump);
      }
      turned[i] = turn;
      moved[i] = move;
    }
  }
  return seen;
}

// A8: no jump in value beyond speed times dt, and the velocity after a switch is the one before within 5 %.
static void test_interrupted_at_any_time(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Seen coarse = run_streams(seed, 1.0f / 240, 8), fine = run_streams(seed, 1.0f / 960, 8);
    if (getenv("SHOW_FIGURES"))
      printf("turn %.2f/%.2f rad/s, switch %.1f/%.1f %%, jump %.1f/%.1f %%; move switch %.1f/%.1f %%\n",
             (double)coarse.turn, (double)fine.turn, (double)(100 * coarse.turn_switch / coarse.turn),
             (double)(100 * fine.turn_switch / fine.turn), (double)(100 * coarse.turn_jump / coarse.turn),
             (double)(100 * fine.turn_jump / fine.turn), (double)(100 * coarse.move_switch / coarse.move),
             (double)(100 * fine.move_switch / fine.move));
    assert_true(coarse.turn_switch < 0.05f * coarse.turn && fine.turn_switch < 0.0125f * fine.turn);
    assert_true(coarse.move_switch < 0.05f * coarse.move && fine.move_switch < 0.0125f * fine.move);
    // A jump would have the same size in smaller steps, and a speed would grow.
    assert_true(fine.turn_jump < 0.4f * coarse.turn_jump);
    assert_true(fine.turn < 1.1f * coarse.turn && fine.move < 1.1f * coarse.move);
  }
}

static void test_first_and_last_pose(void **state) {
  (void)state;
  Rng rng = rng_make(5, "ends");
  const float dt = 1.0f / 60;
  for (int n = 0; n < 200; n++) {
    Stream old = random_stream(&rng), new = random_stream(&rng);
    Pose shown = stream_pose(&old, 1), before = stream_pose(&old, 1 - (double)dt);
    Pose next = stream_pose(&new, 1), next_before = stream_pose(&new, 1 - (double)dt), pose = next;
    Inertia inertia;
    inertia_begin(&inertia, &shown, &before, &next, &next_before, dt, 0.25f);
    inertia_apply(&inertia, 0, &pose);
    for (int i = 0; i < JOINTS; i++) {
      assert_true(glms_vec3_distance(pose.position[i], shown.position[i]) < 1e-6f);
      assert_true(quat_angle_between(pose.rotation[i], shown.rotation[i]) < 2e-6f);
    }
    for (int k = 1; k <= 16; k++) { // 0.267 s
      pose = next;
      inertia_apply(&inertia, dt, &pose);
    }
    assert_memory_equal(&pose, &next, sizeof pose);
  }
}

// No time, or no offset: the new pose, bit for bit. Without earlier poses the offset begins at rest.
static void test_nothing_to_do(void **state) {
  (void)state;
  Rng rng = rng_make(6, "nothing");
  Stream stream = random_stream(&rng), other = random_stream(&rng);
  Pose a = stream_pose(&stream, 0), b = stream_pose(&stream, 0.1), c = stream_pose(&other, 0), pose = b;
  Inertia inertia = {0};
  inertia_apply(&inertia, 0.01f, &pose); // never begun
  assert_memory_equal(&pose, &b, sizeof pose);
  inertia_begin(&inertia, &a, NULL, &c, NULL, 0.01f, 0);
  inertia_apply(&inertia, 0.01f, &pose);
  assert_memory_equal(&pose, &b, sizeof pose);
  inertia_begin(&inertia, &c, NULL, &c, NULL, 0.01f, 1);
  for (int i = 0; i < JOINTS; i++)
    assert_true(glms_vec3_norm(inertia.rotation[i].value) < 1e-6f);
  inertia_begin(&inertia, &a, NULL, &c, NULL, 0, 1);
  for (int i = 0; i < JOINTS; i++) {
    assert_true(glms_vec3_norm(inertia.rotation[i].velocity) == 0);
    assert_true(inertia.rotation[i].time == 1);
  }
}

// Half a turn apart, the short way flips from one moment to the next; the velocity does not.
static void test_half_a_turn(void **state) {
  (void)state;
  const float dt = 1.0f / 60;
  Pose next = {.count = 1, .rotation = {glms_quat_identity()}};
  Pose shown = next, before = next;
  before.rotation[0] = glms_quat(GLM_PIf - 0.01f, 0, 1, 0);
  shown.rotation[0] = glms_quat(GLM_PIf + 0.01f, 0, 1, 0);
  Inertia inertia;
  inertia_begin(&inertia, &shown, &before, &next, &next, dt, 0.3f);
  assert_true(fabsf(inertia.rotation[0].velocity.y - 0.02f / dt) < 1e-3f);
  Pose pose = next;
  inertia_apply(&inertia, dt, &pose);
  assert_true(glms_vec3_norm(turn_rate(&pose, &shown, 0, dt)) < 2); // not 2 pi / dt
}

// The decay depends on the time alone: 30 Hz and 240 Hz show the same at the same moments.
static void test_frame_rates(void **state) {
  (void)state;
  Rng rng = rng_make(7, "rates");
  for (int n = 0; n < 50; n++) {
    Stream old = random_stream(&rng), new = random_stream(&rng);
    const double begin = rng_range(&rng, 0, 5), dt = 1.0 / 240;
    Pose shown = stream_pose(&old, begin), before = stream_pose(&old, begin - dt);
    Pose next = stream_pose(&new, begin), next_before = stream_pose(&new, begin - dt);
    Pose early = stream_pose(&old, begin - 8 * dt), next_early = stream_pose(&new, begin - 8 * dt);
    Inertia fast, slow, guessed;
    inertia_begin(&fast, &shown, &before, &next, &next_before, (float)dt, 0.4f);
    slow = fast;
    inertia_begin(&guessed, &shown, &early, &next, &next_early, (float)(8 * dt), 0.4f); // velocity at 30 Hz too
    for (int k = 1; k <= 120; k++) {
      Pose a = stream_pose(&new, begin + k * dt), b = a, c = a;
      inertia_apply(&fast, (float)dt, &a);
      if (k % 8)
        continue;
      inertia_apply(&slow, (float)(8 * dt), &b);
      inertia_apply(&guessed, (float)(8 * dt), &c);
      for (int i = 0; i < JOINTS; i++) {
        assert_true(glms_vec3_distance(a.position[i], b.position[i]) < 1e-5f);
        assert_true(quat_angle_between(a.rotation[i], b.rotation[i]) < 1e-5f);
        assert_true(glms_vec3_distance(a.position[i], c.position[i]) < 0.03f);
        assert_true(quat_angle_between(a.rotation[i], c.rotation[i]) < 0.1f);
      }
    }
  }
}

// Real clips: from any of them to any other at any time no joint moves faster than clips and offset explain.
static void test_clips(void **state) {
  (void)state;
  static const char *const names[] = {"clips/walk.yaml", "clips/run.yaml", "clips/idle.yaml"};
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  Clip *clips[3];
  for (int i = 0; i < 3; i++) {
    clips[i] = clip_read(&files, names[i], &body->skeleton, &error);
    fixture_check(&error);
  }
  Rng rng = rng_make(9, "clips");
  const float dt = 1.0f / 240;
  for (int n = 0; n < 200; n++) {
    const Clip *from = clips[rng_index(&rng, 3)], *to = clips[rng_index(&rng, 3)];
    float t = (float)rng_range(&rng, 0, 2), u = (float)rng_range(&rng, 0, 2);
    Pose before, shown, next_before, next, pose;
    clip_sample(from, t - dt, &before);
    clip_sample(from, t, &shown);
    clip_sample(to, u - dt, &next_before);
    clip_sample(to, u, &next);
    clip_sample(to, u + dt, &pose);
    vec3s own[SKELETON_MAX_JOINTS];
    for (int i = 0; i < pose.count; i++)
      own[i] = turn_rate(&pose, &next, i, dt);
    Inertia inertia;
    inertia_begin(&inertia, &shown, &before, &next, &next_before, dt, 0.3f);
    inertia_apply(&inertia, dt, &pose);
    for (int i = 0; i < pose.count; i++) {
      // Keys are connected by straight lines, so that the new clip's own velocity may change in this step.
      vec3s bend = glms_vec3_sub(own[i], turn_rate(&next, &next_before, i, dt));
      vec3s was = turn_rate(&shown, &before, i, dt), is = turn_rate(&pose, &shown, i, dt);
      float speed = glms_vec3_norm(was) + glms_vec3_norm(own[i]);
      assert_true(glms_vec3_distance(is, was) <= glms_vec3_norm(bend) + 0.05f * speed + 0.02f);
    }
  }
  for (int i = 0; i < 3; i++)
    clip_free(clips[i]);
  body_free(body);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ends_of_the_curve),
      cmocka_unit_test(test_at_rest),
      cmocka_unit_test(test_overshoot),
      cmocka_unit_test(test_interrupted_at_any_time),
      cmocka_unit_test(test_first_and_last_pose),
      cmocka_unit_test(test_nothing_to_do),
      cmocka_unit_test(test_half_a_turn),
      cmocka_unit_test(test_frame_rates),
      cmocka_unit_test(test_clips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
