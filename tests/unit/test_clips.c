// The shipped gaits and the idle: standing feet do not slip, sink or float, swinging ones clear the ground, knees and
// ankles stay inside their limits, loops close, sides mirror each other.
#include "clip_set.h"

enum { CLIPS = 13, SAMPLES = 600 };
enum {
  WALK,
  RUN,
  IDLE,
  RUN_LEFT,
  RUN_FORWARD,
  RUN_RIGHT,
  RUN_BACKWARD,
  WALK_LEFT,
  WALK_FORWARD,
  WALK_RIGHT,
  WALK_BACKWARD,
  BACKWARD,
  PUNCH
};

static const char *const names[CLIPS] = {"walk",
                                         "run",
                                         "idle",
                                         "run_stagger_left",
                                         "run_stagger_forward",
                                         "run_stagger_right",
                                         "run_stagger_backward",
                                         "walk_stagger_left",
                                         "walk_stagger_forward",
                                         "walk_stagger_right",
                                         "walk_stagger_backward",
                                         "walk_backward",
                                         "run_punch"};
static const float G = 9.81f;

static Clip *clips[CLIPS];

static bool runs(int clip) { return strncmp(names[clip], "run", 3) == 0; }

static int load(void **state) {
  (void)state;
  bool good = load_body();
  for (int i = 0; i < CLIPS && good; i++)
    good = (clips[i] = load_clip(names[i])) != NULL;
  return !good;
}

static int unload(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    clip_free(clips[i]);
  free_body();
  return 0;
}

static void test_names_and_rates(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    assert_string_equal(clips[i]->name, names[i]);
    assert_true(clips[i]->loop);
    assert_true(clips[i]->key_count >= 24);
  }
  for (int i = 0; i < CLIPS; i++) {
    float speed = i == IDLE ? 0 : i == BACKWARD ? -1.0f : runs(i) ? 3.5f : 1.3f;
    assert_true(fabsf(clips[i]->root_velocity_l.z - speed) < 1e-6f);
  }
  // Backward in shorter steps at the walk's cadence.
  assert_true(clips[BACKWARD]->duration == clips[WALK]->duration);
}

static void test_standing_feet_stay(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    assert_feet_stay(clips[i], 0.003f, i < WALK_LEFT ? 0.001f : 0.0015f);
}

static void test_swinging_feet_clear_the_ground(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int l = 0; l < 2; l++) {
      const Clip *clip = clips[i];
      const Leg *leg = &body->skeleton.legs[l];
      float least = runs(i) ? 0.06f : 0.02f; // over bumps of 1.5 cm
      int since_contact = 0, swing = 0;
      float lows[2 * SAMPLES];
      for (int k = 0; k < 2 * SAMPLES; k++) { // two cycles, so that one swing is whole
        float time = clip->duration * (float)k / SAMPLES;
        lows[k] = fminf(sole_point(clip, leg, leg->heel_l, time).y, sole_point(clip, leg, leg->toe_l, time).y);
        assert_true(lows[k] >= (i < WALK_LEFT ? -0.001f : -0.0015f));
        since_contact = clip_contact(clip, l, time) ? 0 : since_contact + 1;
        if (since_contact > swing)
          swing = since_contact;
        bool lands = since_contact > 0 && clip_contact(clip, l, time + clip->duration / SAMPLES);
        if (lands && k >= SAMPLES) // the middle 70 % of the swing that ends here
          for (int j = k - swing * 85 / 100; j <= k - swing * 15 / 100; j++)
            if (lows[j] < least)
              fail_msg("%s: the %s foot clears only %.4f m", clip->name, leg->name, (double)lows[j]);
      }
    }
}

static void test_joints_stay_in_their_limits(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    assert_joints_in_limits(clips[i], 2 * RAD);
}

static void test_knees_never_lock(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int k = 0; k < SAMPLES; k++)
      for (int l = 0; l < 2; l++) {
        Pose pose;
        clip_sample(clips[i], clips[i]->duration * (float)k / SAMPLES, &pose);
        assert_true(quat_log(pose.rotation[body->skeleton.legs[l].knee]).x > 8 * RAD);
      }
}

// Whether a joint belongs to a leg whose foot begins to stand at a key.
static bool leg_strikes(const Clip *clip, int joint, int key) {
  for (int c = 0; c < clip->contact_count; c++) {
    const Leg *leg = &body->skeleton.legs[clip->contacts[c].leg];
    bool in_leg = joint == leg->hip || joint == leg->knee || joint == leg->ankle;
    float dt = key_interval(clip);
    if (in_leg && fabsf(clip->contacts[c].begin - (float)key * dt) < dt / 2)
      return true;
  }
  return false;
}

// From key to key, around the loop's end too: angular velocities without jolts, the root's without jumps. The strike of
// a foot is a true impact: it comes down at up to 1.15 m/s and stands one key (1/86 s) later. A knee bent by k shortens
// the leg by THIGH SHIN sin k / length, 0.08 m/rad at the runners' 21 deg, so it alone would change by 1.15 / 0.08 * 86
// rad/s^2 = 71 000 deg/s^2. The centre of mass moves evenly, so the other 60 kg take up the 0.9 m/s that the leg's 15
// kg lose in that key: 2 G in addition to gravity, hence 3.5 G for the pelvis.
static void test_motion_is_smooth(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    const Clip *clip = clips[i];
    float dt = key_interval(clip);
    for (int k = 0; k < clip->key_count; k++) {
      const Pose *a = &clip->keys[k], *b = &clip->keys[(k + 1) % clip->key_count],
                 *c = &clip->keys[(k + 2) % clip->key_count];
      bool strike = false;
      for (int j = 0; j < a->count; j++) {
        vec3s first = quat_log(glms_quat_mul(glms_quat_conjugate(a->rotation[j]), b->rotation[j]));
        vec3s second = quat_log(glms_quat_mul(glms_quat_conjugate(b->rotation[j]), c->rotation[j]));
        float change = glms_vec3_distance(first, second) / (dt * dt);
        bool struck = leg_strikes(clip, j, (k + 1) % clip->key_count);
        strike |= struck;
        float most = struck ? 80000 : i == PUNCH ? 65000 : 45000; // a blow is no arm swing
        if (change > most * RAD)
          fail_msg("%s: %s changes its angular velocity by %.0f deg/s^2", clip->name, body->skeleton.names[j],
                   (double)(change / RAD));
      }
      vec3s v1 = glms_vec3_sub(b->position[0], a->position[0]), v2 = glms_vec3_sub(c->position[0], b->position[0]);
      assert_true(glms_vec3_distance(v1, v2) / (dt * dt) < (strike ? 3.5f : 2.0f) * G);
    }
  }
}

static void test_pelvis_heights(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    float low = 9, high = 0;
    for (int k = 0; k < clips[i]->key_count; k++) {
      low = fminf(low, clips[i]->keys[k].position[0].y);
      high = fmaxf(high, clips[i]->keys[k].position[0].y);
    }
    float least = i == IDLE ? 0 : i == BACKWARD ? 0.02f : runs(i) ? 0.06f : 0.03f;
    float most = i == IDLE ? 0.01f : runs(i) ? 0.10f : 0.05f;
    assert_true(high - low >= least && high - low <= most);
  }
}

// Of the whole body, including its limbs.
static void test_forward_speed_is_steady(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    const Clip *clip = clips[i];
    float least = 9, most = -9;
    for (int k = 0; k < clip->key_count && clip->root_velocity_l.z != 0; k++) {
      float here = center_of_mass(&clip->keys[k]).z;
      float rate = (center_of_mass(&clip->keys[(k + 1) % clip->key_count]).z - here) / key_interval(clip);
      least = fminf(least, rate);
      most = fmaxf(most, rate);
    }
    assert_true(most - least < 0.05f);
  }
}

static void test_runner_flies_as_a_projectile(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    const Clip *clip = clips[i];
    if (!runs(i))
      continue;
    float dt = key_interval(clip);
    int flying = 0;
    for (int k = 1; k + 1 < clip->key_count; k++) {
      bool stands = false;
      for (int n = -1; n <= 1; n++)
        for (int l = 0; l < 2; l++)
          stands |= clip_contact(clip, l, (float)(k + n) * dt);
      if (stands)
        continue;
      float before = center_of_mass(&clip->keys[k - 1]).y, here = center_of_mass(&clip->keys[k]).y,
            after = center_of_mass(&clip->keys[k + 1]).y;
      assert_true(fabsf((before - 2 * here + after) / (dt * dt) + G) < 0.1f * G);
      flying++;
    }
    assert_true(flying >= 4);
  }
}

static void test_stance_shares(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int c = 0; c < clips[i]->contact_count; c++) {
      const ClipContact *contact = &clips[i]->contacts[c];
      float share = (contact->end - contact->begin) / clips[i]->duration;
      share += share < 0 ? 1 : 0;
      if (runs(i))
        assert_true(share >= 0.35f && share <= 0.39f);
      else if (i != IDLE)
        assert_true(share >= 0.60f && share <= 0.64f);
    }
}

static void assert_same_phase(const Clip *a, const Clip *b) {
  assert_true(a->duration == b->duration);
  assert_int_equal(a->key_count, b->key_count);
  assert_memory_equal(&a->root_velocity_l, &b->root_velocity_l, sizeof a->root_velocity_l);
  assert_int_equal(a->contact_count, b->contact_count);
  assert_memory_equal(a->contacts, b->contacts, sizeof a->contacts);
  for (int i = 0; i < b->mark_count; i++) {
    assert_string_equal(a->marks[i].name, b->marks[i].name);
    assert_true(a->marks[i].time == b->marks[i].time);
  }
}

// The unstable gaits can be blended with the steady ones: same time, speed, contacts and strikes. So can the blow.
static void test_unstable_gaits_keep_the_phase(void **state) {
  (void)state;
  for (int i = RUN_LEFT; i <= RUN_BACKWARD; i++)
    assert_same_phase(clips[i], clips[RUN]);
  for (int i = WALK_LEFT; i <= WALK_BACKWARD; i++)
    assert_same_phase(clips[i], clips[WALK]);
  assert_same_phase(clips[PUNCH], clips[RUN]);
}

static void test_sides_mirror_each_other(void **state) {
  (void)state;
  static const int pairs[][2] = {{WALK, WALK},
                                 {RUN, RUN},
                                 {RUN_FORWARD, RUN_FORWARD},
                                 {RUN_BACKWARD, RUN_BACKWARD},
                                 {RUN_LEFT, RUN_RIGHT},
                                 {WALK_FORWARD, WALK_FORWARD},
                                 {WALK_BACKWARD, WALK_BACKWARD},
                                 {WALK_LEFT, WALK_RIGHT},
                                 {BACKWARD, BACKWARD}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const Clip *a = clips[pairs[i][0]], *b = clips[pairs[i][1]];
    assert_mirrors(a, b, a->key_count / 2); // half a cycle later
  }
}

static void test_unstable_gaits_lean(void **state) {
  (void)state;
  int chest = skeleton_find(&body->skeleton, "chest");
  float forward[CLIPS] = {0}, left[CLIPS] = {0};
  for (int i = 0; i < CLIPS; i++)
    for (int k = 0; k < SAMPLES; k++) {
      ModelPose model = model_at(clips[i], clips[i]->duration * (float)k / SAMPLES);
      vec3s up = glms_quat_rotatev(model.rotation[chest], (vec3s){{0, 1, 0}});
      forward[i] += asinf(up.z) / RAD / SAMPLES;
      left[i] += asinf(up.x) / RAD / SAMPLES;
    }
  assert_true(forward[RUN] > 5 && forward[RUN] < 12 && fabsf(left[RUN]) < 0.1f);
  assert_true(left[RUN_LEFT] > 10 && left[RUN_RIGHT] < -10 && fabsf(left[RUN_LEFT] + left[RUN_RIGHT]) < 0.01f);
  assert_true(forward[RUN_FORWARD] > 22 && forward[RUN_FORWARD] < 30 && fabsf(left[RUN_FORWARD]) < 0.1f);
  assert_true(forward[RUN_BACKWARD] < -8 && fabsf(left[RUN_BACKWARD]) < 0.1f);
  assert_true(left[WALK_LEFT] > 9 && left[WALK_RIGHT] < -9 && fabsf(left[WALK_LEFT] + left[WALK_RIGHT]) < 0.01f);
  assert_true(forward[WALK_FORWARD] > 18 && forward[WALK_BACKWARD] < -8);
  // Pushed to the left, the left foot lands 12 cm further out.
  const Leg *leg = &body->skeleton.legs[0];
  for (int gait = 0; gait < 2; gait++) {
    const Clip *pushed = clips[gait ? WALK_LEFT : RUN_LEFT], *steady = clips[gait ? WALK : RUN];
    float aside = sole_point(pushed, leg, leg->sole_l, 0.1f).x - sole_point(steady, leg, leg->sole_l, 0.1f).x;
    assert_true(aside > 0.11f && aside < 0.14f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_and_rates),
      cmocka_unit_test(test_standing_feet_stay),
      cmocka_unit_test(test_swinging_feet_clear_the_ground),
      cmocka_unit_test(test_joints_stay_in_their_limits),
      cmocka_unit_test(test_knees_never_lock),
      cmocka_unit_test(test_motion_is_smooth),
      cmocka_unit_test(test_pelvis_heights),
      cmocka_unit_test(test_forward_speed_is_steady),
      cmocka_unit_test(test_runner_flies_as_a_projectile),
      cmocka_unit_test(test_stance_shares),
      cmocka_unit_test(test_unstable_gaits_keep_the_phase),
      cmocka_unit_test(test_sides_mirror_each_other),
      cmocka_unit_test(test_unstable_gaits_lean),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
