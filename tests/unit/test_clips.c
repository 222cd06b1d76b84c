// The clips that come with Stagger, on the human body: feet that stand do not slip, sink or float, swinging ones clear
// the ground, knees and ankles stay inside their limits, loops close, sides mirror each other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/clip.h"
#include "ragdoll/body_def.h"

enum { CLIPS = 6, SAMPLES = 600 };

static const char *const names[CLIPS] = {
    "walk", "run", "idle", "run_stagger_left", "run_stagger_forward", "run_stagger_right"};
static const float RAD = (float)(GLM_PI / 180);
static const float G = 9.81f;

static BodyDef *body;
static Clip *clips[CLIPS];

static int load(void **state) {
  (void)state;
  FileSet files = {0};
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  for (int i = 0; i < CLIPS && body; i++) {
    char path[64];
    snprintf(path, sizeof path, "clips/%s.yaml", names[i]);
    clips[i] = clip_read(&files, path, &body->skeleton, &error);
  }
  files_free(&files);
  if (error.text[0])
    print_error("%s\n", error.text);
  return error.text[0] != 0;
}

static int unload(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    clip_free(clips[i]);
  body_free(body);
  return 0;
}

static ModelPose model_at(const Clip *clip, float time) {
  Pose pose;
  clip_sample(clip, time, &pose);
  ModelPose model;
  pose_to_model(&body->skeleton, &pose, &model);
  return model;
}

// A point of a foot's sole over the ground, over which the root moves.
static vec3s sole_point(const Clip *clip, const Leg *leg, vec3s point_l, float time) {
  ModelPose model = model_at(clip, time);
  vec3s p = glms_vec3_add(model.position[leg->ankle], glms_quat_rotatev(model.rotation[leg->ankle], point_l));
  return glms_vec3_muladds(clip->root_velocity_l, time, p);
}

static void test_names_and_rates(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    assert_string_equal(clips[i]->name, names[i]);
    assert_true(clips[i]->loop);
    assert_true(clips[i]->key_count >= 24);
  }
  assert_true(fabsf(clips[0]->root_velocity_l.z - 1.3f) < 1e-6f);
  assert_true(fabsf(clips[1]->root_velocity_l.z - 3.5f) < 1e-6f);
}

static void test_standing_feet_stay(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int c = 0; c < clips[i]->contact_count; c++) {
      const Clip *clip = clips[i];
      const ClipContact *contact = &clip->contacts[c];
      const Leg *leg = &body->skeleton.legs[contact->leg];
      float length = contact->end - contact->begin + (contact->end < contact->begin ? clip->duration : 0);
      vec3s moved = glms_vec3_zero(), last[2] = {{{0, 0, 0}}};
      for (int k = 0; k < SAMPLES; k++) {
        float time = contact->begin + length * (float)k / SAMPLES;
        vec3s now[2] = {sole_point(clip, leg, leg->heel_l, time), sole_point(clip, leg, leg->toe_l, time)};
        float low = fminf(now[0].y, now[1].y);
        if (low < -0.001f || low > 0.001f)
          fail_msg("%s: the standing %s sole is at %.4f m at %.3f s", clip->name, leg->name, (double)low, (double)time);
        int edge = now[0].y + last[0].y < now[1].y + last[1].y ? 0 : 1; // the one that bears
        if (k)
          moved = glms_vec3_add(moved, glms_vec3_sub(now[edge], last[edge]));
        if (hypotf(moved.x, moved.z) > 0.003f)
          fail_msg("%s: the %s foot slips %.4f m", clip->name, leg->name, (double)hypotf(moved.x, moved.z));
        last[0] = now[0];
        last[1] = now[1];
      }
    }
}

static void test_swinging_feet_clear_the_ground(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++)
    for (int l = 0; l < 2; l++) {
      const Clip *clip = clips[i];
      const Leg *leg = &body->skeleton.legs[l];
      float least = strcmp(clip->name, "walk") ? 0.06f : 0.02f; // over bumps of 1.5 cm
      int since_contact = 0, swing = 0;
      float lows[2 * SAMPLES];
      for (int k = 0; k < 2 * SAMPLES; k++) { // two cycles, so that one swing is whole
        float time = clip->duration * (float)k / SAMPLES;
        lows[k] = fminf(sole_point(clip, leg, leg->heel_l, time).y, sole_point(clip, leg, leg->toe_l, time).y);
        assert_true(lows[k] >= -0.001f);
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

// Of q = Rx Rz Ry.
static float angle_about_y(versors q) { return atan2f(2 * (q.x * q.z + q.y * q.w), 1 - 2 * (q.y * q.y + q.z * q.z)); }

static void test_joints_stay_in_their_limits(void **state) {
  (void)state;
  const float margin = 2 * RAD;
  for (int i = 0; i < CLIPS; i++)
    for (int k = 0; k < clips[i]->key_count; k++)
      for (int j = 1; j < body->part_count; j++) {
        const JointDef *joint = &body->parts[j].joint;
        vec3s axis = {{0, 0, 0}};
        axis.raw[joint->twist_axis] = 1;
        versors swing, twist;
        quat_swing_twist(clips[i]->keys[k].rotation[j], axis, &swing, &twist);
        vec3s s = quat_log(swing), t = quat_log(twist);
        for (int a = 0; a < 3; a++) {
          bool hinge = joint->kind == JOINT_HINGE, twisting = a == joint->twist_axis;
          float angle = twisting ? t.raw[a] : s.raw[a];
          if (joint->kind == JOINT_UNIVERSAL && twisting) // q = Rx Rz: nothing about y
            assert_true(fabsf(angle_about_y(clips[i]->keys[k].rotation[j])) < 0.1f * RAD);
          else if (hinge && !twisting)
            assert_true(fabsf(angle) < 0.1f * RAD);
          else if (angle < (float)joint->limit[a][0] + (hinge ? 0 : margin) ||
                   angle > (float)joint->limit[a][1] - (hinge ? 0 : margin))
            fail_msg("%s: %s turns %.1f deg about %c", names[i], body->parts[j].name, (double)(angle / RAD), "xyz"[a]);
        }
      }
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

static float key_interval(const Clip *clip) { return clip->duration / (float)clip->key_count; }

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

// From key to key, around the loop's end too: angular velocities without jolts, the root's without jumps. Where a foot
// strikes there is a true impact: it comes down at up to 1.15 m/s and stands one key (1/86 s) later. A knee bent k
// shortens the leg by THIGH SHIN sin k / length, 0.08 m/rad at the runners' 21 deg, so it alone would change by
// 1.15 / 0.08 * 86 rad/s^2 = 71 000 deg/s^2. The centre of mass goes on evenly, so the other 60 kg take up the 0.9 m/s
// that the leg's 15 kg lose in that key: 2 G on top of gravity, hence 3.5 G for the pelvis.
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
        if (change > (struck ? 80000 : 45000) * RAD)
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
  static const float least[CLIPS] = {0.03f, 0.06f, 0, 0.06f, 0.06f, 0.06f};
  static const float most[CLIPS] = {0.05f, 0.10f, 0.01f, 0.10f, 0.10f, 0.10f};
  for (int i = 0; i < CLIPS; i++) {
    float low = 9, high = 0;
    for (int k = 0; k < clips[i]->key_count; k++) {
      low = fminf(low, clips[i]->keys[k].position[0].y);
      high = fmaxf(high, clips[i]->keys[k].position[0].y);
    }
    assert_true(high - low >= least[i] && high - low <= most[i]);
  }
}

static vec3s center_of_mass(const Pose *pose) {
  ModelPose model;
  pose_to_model(&body->skeleton, pose, &model);
  vec3s center = glms_vec3_zero();
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    vec3s at_l;
    for (int a = 0; a < 3; a++)
      at_l.raw[a] = (float)(part->com[a] - part->joint.position[a]);
    vec3s at = glms_vec3_add(model.position[i], glms_quat_rotatev(model.rotation[i], at_l));
    center = glms_vec3_muladds(at, (float)(part->mass / body->mass), center);
  }
  return center;
}

// Of the whole body, whatever the limbs do.
static void test_forward_speed_is_steady(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    const Clip *clip = clips[i];
    float least = 9, most = -9;
    for (int k = 0; k < clip->key_count && clip->root_velocity_l.z > 0; k++) {
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
    if (strncmp(clip->name, "run", 3) != 0)
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
      if (strcmp(names[i], "walk") == 0)
        assert_true(share >= 0.60f && share <= 0.64f);
      else if (strcmp(names[i], "idle") != 0)
        assert_true(share >= 0.35f && share <= 0.39f);
    }
}

// The unstable runs can be blended with the run: same time, speed, contacts and marks.
static void test_unstable_runs_keep_the_run_s_phase(void **state) {
  (void)state;
  const Clip *run = clips[1];
  for (int i = 3; i < CLIPS; i++) {
    assert_true(clips[i]->duration == run->duration);
    assert_int_equal(clips[i]->key_count, run->key_count);
    assert_memory_equal(&clips[i]->root_velocity_l, &run->root_velocity_l, sizeof run->root_velocity_l);
    assert_int_equal(clips[i]->contact_count, run->contact_count);
    assert_memory_equal(clips[i]->contacts, run->contacts, sizeof run->contacts);
    assert_int_equal(clips[i]->mark_count, run->mark_count);
    assert_memory_equal(clips[i]->marks, run->marks, sizeof run->marks);
  }
}

// Key k of one clip is the mirror image of the key half a cycle later of the other.
static void assert_mirrors(const Clip *a, const Clip *b) {
  for (int k = 0; k < a->key_count; k++) {
    const Pose *p = &a->keys[k], *q = &b->keys[(k + a->key_count / 2) % a->key_count];
    assert_true(fabsf(p->position[0].x + q->position[0].x) < 1e-6f);
    assert_true(fabsf(p->position[0].y - q->position[0].y) < 1e-6f);
    for (int j = 0; j < p->count; j++) {
      versors twin = q->rotation[body->skeleton.twin[j]];
      versors mirrored = {{twin.x, -twin.y, -twin.z, twin.w}};
      assert_true(quat_angle_between(p->rotation[j], mirrored) < 1e-6f);
    }
  }
}

static void test_sides_mirror_each_other(void **state) {
  (void)state;
  assert_mirrors(clips[0], clips[0]);
  assert_mirrors(clips[1], clips[1]);
  assert_mirrors(clips[4], clips[4]);
  assert_mirrors(clips[3], clips[5]);
}

static void test_unstable_runs_lean(void **state) {
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
  assert_true(forward[1] > 5 && forward[1] < 12 && fabsf(left[1]) < 0.1f);
  assert_true(left[3] > 10 && left[5] < -10 && fabsf(left[3] + left[5]) < 0.01f);
  assert_true(forward[4] > 22 && forward[4] < 30 && fabsf(left[4]) < 0.1f);
  // Pushed to the left, the left foot lands 12 cm further out.
  const Leg *leg = &body->skeleton.legs[0];
  float aside = sole_point(clips[3], leg, leg->sole_l, 0.1f).x - sole_point(clips[1], leg, leg->sole_l, 0.1f).x;
  assert_true(aside > 0.11f && aside < 0.14f);
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
      cmocka_unit_test(test_unstable_runs_keep_the_run_s_phase),
      cmocka_unit_test(test_sides_mirror_each_other),
      cmocka_unit_test(test_unstable_runs_lean),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
