// Contacts of clips found from height and speed (A4), against those that our own clips were made with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/retarget/retarget_internal.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"

enum { CLIPS = 6 };

static const char *const names[CLIPS] = {
    "walk", "run", "idle", "run_stagger_left", "run_stagger_forward", "run_stagger_right"};

static FileSet files;
static BodyDef *body;

static int load(void **state) {
  (void)state;
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  if (!body)
    print_error("%s\n", error.text);
  return !body;
}

static int unload(void **state) {
  (void)state;
  body_free(body);
  files_free(&files);
  return 0;
}

static Clip *read_clip(const char *name) {
  char path[64];
  snprintf(path, sizeof path, "clips/%s.yaml", name);
  Error error = {0};
  Clip *clip = clip_read(&files, path, &body->skeleton, &error);
  if (!clip)
    fail_msg("%s", error.text);
  return clip;
}

// Keys from one time of a loop to another, the short way.
static double keys_between(const Clip *clip, float a, float b) {
  return fabs(remainder((double)(a - b), (double)clip->duration)) / clip_key_step(clip);
}

static void test_finds_the_given_contacts_within_2_keys(void **state) {
  (void)state;
  for (int i = 0; i < CLIPS; i++) {
    Clip *clip = read_clip(names[i]);
    ClipContact given[CLIP_MAX_MARKS];
    int count = clip->contact_count;
    memcpy(given, clip->contacts, sizeof given);
    clip_find_contacts(clip);
    assert_int_equal(clip->contact_count, count);
    for (int c = 0; c < count; c++) {
      const ClipContact *found = &clip->contacts[c];
      assert_int_equal(found->leg, given[c].leg);
      if (keys_between(clip, found->begin, given[c].begin) > 2 || keys_between(clip, found->end, given[c].end) > 2)
        fail_msg("%s: %.3f .. %.3f s was found for %.3f .. %.3f s", names[i], (double)found->begin, (double)found->end,
                 (double)given[c].begin, (double)given[c].end);
    }
    clip_free(clip);
  }
}

// A loop's contacts do not depend on where it begins.
static void test_contacts_turn_with_the_loop(void **state) {
  (void)state;
  Clip *clip = read_clip("walk"), *turned = read_clip("walk");
  int shift = clip->key_count / 3;
  for (int k = 0; k < clip->key_count; k++)
    turned->keys[k] = clip->keys[(k + shift) % clip->key_count];
  clip_find_contacts(clip);
  clip_find_contacts(turned);
  assert_int_equal(turned->contact_count, clip->contact_count);
  float late = (float)(shift * clip_key_step(clip));
  for (int c = 0; c < clip->contact_count; c++) {
    assert_true(keys_between(clip, turned->contacts[c].begin + late, clip->contacts[c].begin) < 0.01);
    assert_true(keys_between(clip, turned->contacts[c].end + late, clip->contacts[c].end) < 0.01);
  }
  clip_free(clip);
  clip_free(turned);
}

static void test_feet_in_the_air_have_none(void **state) {
  (void)state;
  Clip *clip = read_clip("idle");
  for (int k = 0; k < clip->key_count; k++)
    clip->keys[k].position[0].y += 0.2f;
  clip_find_contacts(clip);
  assert_int_equal(clip->contact_count, 0);
  clip_free(clip);
}

// Not a loop: contacts end with the clip.
static void test_ends_of_a_clip(void **state) {
  (void)state;
  Clip *clip = read_clip("idle");
  clip->loop = false;
  clip_find_contacts(clip);
  assert_int_equal(clip->contact_count, 2);
  for (int c = 0; c < 2; c++) {
    assert_true(clip->contacts[c].begin == 0);
    assert_true(clip->contacts[c].end == clip->duration);
  }
  clip->key_count = 1; // a still pose
  clip_find_contacts(clip);
  assert_int_equal(clip->contact_count, 2);
  clip_free(clip);
}

// The root's arc agrees with small steps along it.
static void test_root_path(void **state) {
  (void)state;
  Clip clip = {.root_velocity_l = {{0.3f, 0.1f, 1.2f}}, .root_turn_rate = 0.8f};
  double x = 0, z = 0, heading = 0, dt = 1e-4;
  for (int i = 0; i < 30000; i++) {
    double middle = heading + 0.8 * dt / 2;
    x += dt * (0.3 * cos(middle) + 1.2 * sin(middle));
    z += dt * (1.2 * cos(middle) - 0.3 * sin(middle));
    heading += 0.8 * dt;
  }
  vec3s position;
  versors rotation;
  clip_root_at(&clip, 3, &position, &rotation);
  assert_true(fabs((double)position.x - x) < 1e-4 && fabs((double)position.z - z) < 1e-4);
  assert_true(fabs((double)position.y - 0.3) < 1e-6);
  vec3s ahead = glms_quat_rotatev(rotation, (vec3s){{0, 0, 1}});
  assert_true(fabs(atan2((double)ahead.x, (double)ahead.z) - 2.4) < 1e-5);
}

// A man who stands on the spot while the root goes on beneath him, as in a hand-made walk, and is lifted by 7 cm for a
// moment. From then on his heels are up, as he turned about his toes: that takes the middle of his soles ahead. Beyond
// a quarter of the root's way meanwhile, 4 of 15 cm, he has swung; before that the foot drags, and stands all the time.
static void test_the_middle_of_the_sole_swings(void **state) {
  (void)state;
  enum { KEYS = 60, LIFTED = 20, DOWN = 28 };
  static const struct {
    float heel; // rad
    bool swings;
  } cases[] = {{0, false}, {0.35f, false}, {0.6f, false}, {1.1f, true}};
  for (int i = 0; i < 4; i++) {
    Clip *clip = read_clip("idle");
    clip->keys = realloc(clip->keys, KEYS * sizeof *clip->keys);
    assert_non_null(clip->keys);
    const Leg *leg = &body->skeleton.legs[0];
    clip->loop = false;
    clip->key_count = KEYS;
    clip->duration = (KEYS - 1) / 30.0f;
    clip->root_velocity_l = (vec3s){{0, 0, 0.5f}};
    clip->root_turn_rate = 0;
    const Pose stands = clip->keys[0];
    vec3s soles[2], raised[2];
    for (int k = 0; k < KEYS; k++) {
      Pose *pose = &clip->keys[k];
      *pose = stands;
      sole_points(&body->skeleton, leg, pose, soles);
      if (k >= DOWN)
        pose->rotation[leg->ankle] =
            glms_quat_mul(pose->rotation[leg->ankle], quat_exp((vec3s){{cases[i].heel, 0, 0}}));
      sole_points(&body->skeleton, leg, pose, raised);
      pose->position[0] = glms_vec3_add(pose->position[0], glms_vec3_sub(soles[1], raised[1]));
      pose->position[0].y += k >= LIFTED && k < DOWN ? 0.07f : 0;
      pose->position[0].z -= 0.5f * (float)k / 30;
    }
    bool foot[KEYS];
    contacts_find_keys(clip, 0, foot);
    int stood = 0;
    for (int k = 0; k < KEYS; k++)
      stood += foot[k];
    if ((stood < KEYS) != cases[i].swings)
      fail_msg("heel up by %g rad: stands at %d of %d keys", (double)cases[i].heel, stood, KEYS);
    clip_free(clip);
  }
}

// ---- Altered clips: the means to nine digits ----

enum { COUNT, BEGINS, ENDS, MARKS, SUMS };
static const char *const NAMES[SUMS] = {"number", "begin", "end", "marks"};
static const double OUTCOMES[CLIPS][SUMS] = {
    {0.59052946986, -0.19480259212, -0.03865413348, 8.1085987046},
    {0.015540249207, 0.0026217159128, 0.0036802836307, 1.6809686302},
    {0.80809295875, 0, -11.141474008, 0},
    {0.18648299048, -0.017501711565, -0.14927587955, 7.6677961703},
    {0.10878174445, -0.010765678575, -0.09636309427, 5.5157121529},
    {0.10878174445, -0.0065407231386, -0.053953658, 5.510353679},
};

// Clips that are raised, quickened, cut short, driven faster or slower over the ground, and whose feet tremble.
static void alter(Clip *clip, Rng *rng) {
  const float raised = (float)rng_range(rng, -0.03, 0.08), faster = (float)rng_range(rng, 0.3, 1.6);
  clip->duration *= (float)rng_range(rng, 0.4, 2.5);
  clip->root_velocity_l = glms_vec3_scale(clip->root_velocity_l, faster);
  clip->root_turn_rate = rng_index(rng, 2) ? (float)rng_range(rng, -1, 1) : 0;
  clip->loop = rng_index(rng, 2);
  if (rng_index(rng, 3) == 0)
    clip->key_count -= rng_index(rng, clip->key_count / 2);
  const float trembles = rng_index(rng, 2) ? 0.1f : 0;
  for (int k = 0; k < clip->key_count; k++) {
    clip->keys[k].position[0].y += raised;
    for (int l = 0; l < clip->skeleton->leg_count; l++) {
      versors *ankle = &clip->keys[k].rotation[clip->skeleton->legs[l].ankle];
      *ankle = glms_quat_mul(*ankle, quat_exp((vec3s){{trembles * (float)rng_range(rng, -1, 1), 0, 0}}));
    }
  }
}

static void altered_clips_come_to(void **state) {
  (void)state;
  enum { DRAWS = 40 };
  int wrong = 0;
  for (int i = 0; i < CLIPS; i++) {
    Rng rng = rng_make(1, names[i]);
    double means[SUMS] = {0};
    for (int n = 0; n < DRAWS; n++) {
      Clip *clip = read_clip(names[i]);
      const int keys = clip->key_count;
      alter(clip, &rng);
      clip_find_contacts(clip);
      contacts_mark(clip);
      DrillSum sums[SUMS] = {{0}};
      drill_add(&sums[COUNT], clip->contact_count);
      for (int c = 0; c < clip->contact_count; c++) {
        drill_add(&sums[BEGINS], (double)clip->contacts[c].begin);
        drill_add(&sums[ENDS], (double)clip->contacts[c].end);
        drill_add(&sums[ENDS], (double)contact_length(clip, &clip->contacts[c]));
      }
      for (int m = 0; m < clip->mark_count; m++)
        drill_add(&sums[MARKS], (double)clip->marks[m].time + clip->marks[m].name[0]);
      for (int k = 0; k < SUMS; k++)
        means[k] += sums[k].sum / DRAWS;
      clip->key_count = keys;
      clip_free(clip);
    }
    wrong += !drill_is_kept(names[i], NAMES, means, OUTCOMES[i], SUMS);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_finds_the_given_contacts_within_2_keys),
      cmocka_unit_test(test_contacts_turn_with_the_loop),
      cmocka_unit_test(test_feet_in_the_air_have_none),
      cmocka_unit_test(test_ends_of_a_clip),
      cmocka_unit_test(test_root_path),
      cmocka_unit_test(test_the_middle_of_the_sole_swings),
      cmocka_unit_test(altered_clips_come_to),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
