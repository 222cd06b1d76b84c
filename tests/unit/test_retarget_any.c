// Any motion plays right, or is refused with its reason: rest poses that do not stand, motions that are no gait,
// figures that stand otherwise than the body, joints far beyond their ranges.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/retarget/clip_import.h"
#include "ragdoll/body/body_def.h"
#include "scenes/description/scene_assets.h"
#include "tests/unit/motion_fixture.h"

static const float RAD = (float)(GLM_PI / 180);

static FileSet files;
static BodyDef *body, *lizard;
static RetargetLimits limits;

static int load(void **state) {
  (void)state;
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  lizard = body_read(&files, "bodies/lizard.yaml", &error);
  if (!body || !lizard) {
    print_error("%s\n", error.text);
    return 1;
  }
  limits = scene_limits(body);
  return 0;
}

static int unload(void **state) {
  (void)state;
  body_free(body);
  body_free(lizard);
  files_free(&files);
  return 0;
}

static Clip *own_clip(const char *name, const BodyDef *of) {
  Error error = {0};
  Clip *clip = clip_read(&files, name, &of->skeleton, &error);
  if (!clip)
    fail_msg("%s", error.text);
  return clip;
}

static int joint(const char *name) { return skeleton_find(&body->skeleton, name); }

// Puts a motion into a file set as BVH, and a clip file that names it with more lines.
static void put_motion(FileSet *set, const Motion *motion, const char *lines) {
  char *bvh = motion_write_bvh(motion), yaml[400];
  assert_non_null(bvh);
  files_put(set, "made.bvh", bvh, strlen(bvh));
  free(bvh);
  int length = snprintf(yaml, sizeof yaml, "import: made.bvh\n%s", lines);
  files_put(set, "made.yaml", yaml, (size_t)length);
}

static Clip *load_made(const Motion *motion, const char *lines, RetargetReport *report, Error *error) {
  FileSet set = {0};
  put_motion(&set, motion, lines);
  *error = (Error){0};
  Clip *clip = clip_load(&set, "made.yaml", &body->skeleton, &limits, report, error);
  files_free(&set);
  return clip;
}

// ---- Rest poses ----

static Clip *retarget_walk(Motion *motion, const RetargetOptions *options, RetargetReport *report) {
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, motion, &body->skeleton, NULL, &error));
  Clip *clip = retarget(motion, &map, &body->skeleton, &limits, options, report, &error);
  if (!clip)
    fail_msg("%s", error.text);
  return clip;
}

static void turn_rest(Motion *motion, const char *name, float x) {
  versors *rest = &motion->joints[joint(name)].bind_rotation_l;
  *rest = glms_quat_mul(*rest, quat_exp((vec3s){{x * RAD, 0, 0}}));
}

// RMS of the angles between the joints of two clips, deg.
static double difference(const Clip *a, const Clip *b) {
  double sum = 0;
  assert_int_equal(a->key_count, b->key_count);
  for (int k = 0; k < a->key_count; k++)
    for (int i = 0; i < body->part_count; i++)
      sum += pow((double)quat_angle_between(a->keys[k].rotation[i], b->keys[k].rotation[i]), 2);
  return sqrt(sum / (a->key_count * body->part_count)) * 180 / M_PI;
}

// A walk is the same clip whatever pose its file rests in: with feet pointed by 60 deg, and as one sits.
static void test_rest_poses_that_do_not_stand(void **state) {
  (void)state;
  Clip *walk = own_clip("clips/walk.yaml", body);
  RetargetOptions options = retarget_options_default();
  options.loop = true;
  RetargetReport report;
  Motion *standing = motion_from_clip(walk, 1, 60, 1, 0, true);
  Clip *wanted = retarget_walk(standing, &options, &report);
  assert_true(report.reference == RETARGET_REST && report.sole_tilt_max < 5 * (double)RAD);

  Motion *pointed = motion_from_clip(walk, 1, 60, 1, 0, true);
  turn_rest(pointed, "foot_l", 60);
  turn_rest(pointed, "foot_r", 60);
  Clip *clip = retarget_walk(pointed, &options, &report);
  assert_true(fabs(report.sole_tilt_max - 60 * (double)RAD) < 5 * (double)RAD);
  double off = difference(clip, wanted);
  print_message("rest with pointed feet: %.2f deg\n", off);
  assert_true(off < 1.5);
  clip_free(clip);
  motion_free(pointed);

  Motion *sitting = motion_from_clip(walk, 1, 60, 1, 0, true);
  for (int s = 0; s < 2; s++) {
    char name[16];
    snprintf(name, sizeof name, "thigh_%c", "lr"[s]);
    turn_rest(sitting, name, -90);
    snprintf(name, sizeof name, "shin_%c", "lr"[s]);
    turn_rest(sitting, name, 90);
  }
  turn_rest(sitting, "abdomen", 40);
  turn_rest(sitting, "chest", 40);
  clip = retarget_walk(sitting, &options, &report);
  assert_true(report.reference >= 0);
  off = difference(clip, wanted);
  print_message("rest as one sits and bows: %.2f deg\n", off);
  assert_true(off < 5);
  clip_free(clip);
  options.reference = RETARGET_REST; // with that pose as the reference the trunk leans back
  clip = retarget_walk(sitting, &options, &report);
  assert_true(difference(clip, wanted) > 10);
  clip_free(clip);
  motion_free(sitting);
  clip_free(wanted);
  motion_free(standing);
  clip_free(walk);
}

static void test_reference_of_a_clip_file(void **state) {
  (void)state;
  Clip *walk = own_clip("clips/walk.yaml", body), *clip, *plain;
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  Error error;
  RetargetReport report;
  plain = load_made(motion, "", &report, &error);
  clip = load_made(motion, "reference: {head: [-10, 0, 0]}", &report, &error);
  if (!clip || !plain) {
    fail_msg("%s", error.text);
    return;
  }
  int head = joint("head");
  versors turn = glms_quat_mul(glms_quat_conjugate(plain->keys[0].rotation[head]), clip->keys[0].rotation[head]);
  assert_true(fabsf(quat_log(turn).x + 10 * RAD) < 0.5f * RAD);
  clip_free(clip);
  clip_free(plain);
  clip = load_made(motion, "reference: 0.5", &report, &error);
  assert_true(clip && report.reference == 0.5);
  clip_free(clip);
  static const struct {
    const char *line, *wrong;
  } bad[] = {{"reference: 77", "`reference` is 77 s, but the motion ends at"},
             {"reference: soon", "made.yaml:2:12: "},
             {"reference: -1", "made.yaml:2:12: expected rest, or a time of the motion in s"},
             {"reference: [1]", "made.yaml:2:12: expected rest, a time in s, or a map"},
             {"reference: {hat: [0, 0, 0]}", "'human' has no joint 'hat'"},
             {"reference: {head: [0, 0, 400]}", "an angle must lie within -180 .. 180 deg, not 400"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_null(load_made(motion, bad[i].line, &report, &error));
    if (!strstr(error.text, bad[i].wrong))
      fail_msg("%s: %s", bad[i].line, error.text);
  }
  motion_free(motion);
  clip_free(walk);
}

// ---- Gaits and other motions ----

static void check_part(const char *name, int cycles, bool is_gait) {
  Clip *own = own_clip(name, body);
  Motion *motion = motion_from_clip(own, cycles, 60, 1, 0, true);
  motion->frame_count -= 12; // so that the ends do not meet
  Error error;
  RetargetReport report;
  char note[300];
  Clip *clip = load_made(motion, "", &report, &error);
  if (!clip) {
    fail_msg("%s", error.text);
    return;
  }
  retarget_note_text(&report, note, sizeof note);
  if (is_gait) {
    assert_true(clip->loop && report.is_cut); // a cycle, or two
    assert_true(fabsf(remainderf(clip->duration, own->duration)) < 0.05f);
    assert_non_null(strstr(note, "the cleanest cycle of a gait"));
  } else {
    if (clip->loop || report.is_cut || note[0] != '\0')
      fail_msg("%s: takes %g of %g s; %s", name, report.to - report.from, report.recorded, note);
    assert_true(fabs((double)clip->duration - (motion->frame_count - 1) / motion->frame_rate) < 0.02);
  }
  clip_free(clip);
  motion_free(motion);
  clip_free(own);
}

// A recording of a gait is cut to its cleanest cycle, and that is said; others play whole, once, though they have
// cycles.
static void test_only_gaits_are_cut(void **state) {
  (void)state;
  check_part("clips/walk.yaml", 3, true);
  check_part("clips/run.yaml", 4, true);
  check_part("clips/get_up_prone.yaml", 1, false);
  check_part("clips/stand_stagger_left.yaml", 3, false);
}

// ---- What does not fit ----

static void check_refused(const Motion *motion, const char *why) {
  Error error;
  RetargetReport report;
  assert_null(load_made(motion, "", &report, &error));
  if (!strstr(error.text, why) || !strstr(error.text, "made.bvh: ") || !strstr(error.text, "`force: true`"))
    fail_msg("%s", error.text);
  Clip *clip = load_made(motion, "force: true", &report, &error);
  if (!clip)
    fail_msg("%s", error.text);
  clip_free(clip);
}

// Of a figure without arms it is not known how high it carries its hands, which is no reason to refuse it.
static void test_hands_of_no_arms_are_unknown(void **state) {
  (void)state;
  static Skeleton armless;
  armless = body->skeleton;
  assert_true(retarget_skeleton_posture(&armless).hands > 0);
  for (int i = 0; i < armless.count; i++)
    if (strstr(armless.names[i], "hand") || strstr(armless.names[i], "arm"))
      snprintf(armless.names[i], sizeof armless.names[i], "thing%d", i);
  assert_true(retarget_skeleton_posture(&armless).hands == -1);
  assert_true(retarget_skeleton_posture(&armless).trunk >= 0);
  for (int l = 0; l < armless.leg_count; l++) // legs without a length have no direction
    armless.bind_position_l[armless.legs[l].knee] = armless.bind_position_l[armless.legs[l].ankle] = glms_vec3_zero();
  assert_true(retarget_skeleton_posture(&armless).trunk == -1);
}

static void test_a_creature_on_four_legs_is_refused_by_a_man(void **state) {
  (void)state;
  Clip *walk = own_clip("clips/lizard_walk.yaml", lizard);
  Motion *motion = motion_from_clip(walk, 1, 30, 3, 0, true);
  check_refused(motion, "its figure stands otherwise than 'human'");
  motion_free(motion);
  clip_free(walk);
}

static void test_joints_far_beyond_their_ranges_are_refused(void **state) {
  (void)state;
  Clip *walk = own_clip("clips/walk.yaml", body);
  Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
  for (int f = 0; f < motion->frame_count; f++)
    motion->rotation_l[f * motion->joint_count + joint("head")] = quat_exp((vec3s){{0, 170 * RAD, 0}});
  check_refused(motion, "joints must be mismatched: head 100 deg");
  motion_free(motion);
  clip_free(walk);
}

// Less than a tenth of the keys may be there.
static void test_joints_may_be_far_beyond_for_a_moment(void **state) {
  (void)state;
  static const struct {
    double share;
    bool fits;
  } cases[] = {{0.05, true}, {0.09, true}, {0.12, false}, {0.19, false}};
  Clip *idle = own_clip("clips/idle.yaml", body);
  for (int i = 0; i < 4; i++) {
    Motion *motion = motion_from_clip(idle, 1, 30, 1, 0, true);
    RetargetReport report;
    Error error;
    for (int f = 0; f < (int)(cases[i].share * motion->frame_count); f++)
      motion->rotation_l[f * motion->joint_count + joint("head")] = quat_exp((vec3s){{0, 170 * RAD, 0}});
    Clip *clip = load_made(motion, "loop: false", &report, &error);
    if ((clip != NULL) != cases[i].fits)
      fail_msg("%g of the keys: %s", cases[i].share, error.text);
    clip_free(clip);
    motion_free(motion);
  }
  clip_free(idle);
}

// ---- What is seen ----

// A straight arm that is twisted far beyond its range shows nothing of it; with a bent elbow the forearm does.
static void test_twists_are_seen_by_what_hangs_on_them(void **state) {
  (void)state;
  Clip *walk = own_clip("clips/walk.yaml", body);
  const int arm = joint("upper_arm_l"), forearm = joint("forearm_l");
  RetargetOptions options = retarget_options_default();
  for (int bent = 0; bent < 2; bent++) {
    RetargetReport report;
    Motion *motion = motion_from_clip(walk, 1, 60, 1, 0, true);
    for (int f = 0; f < motion->frame_count; f++) {
      motion->rotation_l[f * motion->joint_count + arm] = quat_exp((vec3s){{0, 160 * RAD, 0}});
      motion->rotation_l[f * motion->joint_count + forearm] = quat_exp((vec3s){{bent ? -90 * RAD : 0, 0, 0}});
    }
    Clip *clip = retarget_walk(motion, &options, &report);
    assert_true(report.joint_excess[arm] > RETARGET_FAR);
    assert_true(bent ? report.joint_far[arm] > 0.99 : report.joint_far[arm] == 0);
    clip_free(clip);
    motion_free(motion);
  }
  clip_free(walk);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twists_are_seen_by_what_hangs_on_them),
      cmocka_unit_test(test_rest_poses_that_do_not_stand),
      cmocka_unit_test(test_reference_of_a_clip_file),
      cmocka_unit_test(test_only_gaits_are_cut),
      cmocka_unit_test(test_hands_of_no_arms_are_unknown),
      cmocka_unit_test(test_a_creature_on_four_legs_is_refused_by_a_man),
      cmocka_unit_test(test_joints_far_beyond_their_ranges_are_refused),
      cmocka_unit_test(test_joints_may_be_far_beyond_for_a_moment),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
