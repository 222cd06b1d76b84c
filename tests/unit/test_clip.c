// Clips: sampling, and reading from YAML with errors that name the place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/clip.h"

static const float RAD = (float)(GLM_PI / 180);

static Skeleton walker_skeleton(void) {
  static const char *const names[] = {"pelvis", "thigh_l", "shin_l", "foot_l"};
  Skeleton s = {.name = "walker", .count = 4, .leg_count = 1};
  for (int i = 0; i < 4; i++) {
    strcpy(s.names[i], names[i]);
    s.parent[i] = i - 1;
    s.bind_position_l[i] = (vec3s){{0, i ? -0.4f : 0.9f, 0}};
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.legs[0] = (Leg){.name = "left", .hip = 1, .knee = 2, .ankle = 3};
  return s;
}

static Clip *read_text(const Skeleton *skeleton, const char *text, Error *error) {
  FileSet files = {.sealed = true};
  files_put(&files, "test.yaml", text, strlen(text));
  Clip *clip = clip_read(&files, "test.yaml", skeleton, error);
  files_free(&files);
  return clip;
}

static Clip *read_good(const Skeleton *skeleton, const char *text) {
  Error error = {0};
  Clip *clip = read_text(skeleton, text, &error);
  if (!clip)
    fail_msg("%s", error.text);
  return clip;
}

static const char LOOP[] = "name: step\n"
                           "loop: true\n"
                           "duration: 0.8\n"
                           "root_velocity: [0, 0, 1.5]\n"
                           "root_turn_rate: 90\n"
                           "safe: [0.1, 0.5]\n"
                           "contacts:\n"
                           "  left: [[0, 0.2], [0.7, 0.1]]\n"
                           "marks: {left_strike: 0.7, end: 0.8}\n"
                           "root_position: [[0, 1, 0], [0, 1.2, 0], [0, 1, 0], [0, 0.8, 0]]\n"
                           "root_rotation: [0, 90, 0]\n"
                           "joints:\n"
                           "  thigh_l: [[0, 0, 0], [-40, 0, 0], [0, 0, 0], [40, 0, 0]]\n"
                           "  shin_l: [[30, 0, 0]]\n";

static void test_reads_all_fields(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, LOOP);
  assert_string_equal(clip->name, "step");
  assert_true(clip->loop);
  assert_true(clip->duration == 0.8f);
  assert_int_equal(clip->key_count, 4);
  assert_true(clip->root_velocity_l.z == 1.5f && clip->root_velocity_l.x == 0);
  assert_true(fabsf(clip->root_turn_rate - 90 * RAD) < 1e-6f);
  assert_true(clip->safe_from == 0.1f && clip->safe_to == 0.5f);
  assert_int_equal(clip->contact_count, 2);
  assert_int_equal(clip->mark_count, 2);
  assert_string_equal(clip->marks[0].name, "left_strike");
  assert_true(clip->marks[0].time == 0.7f && clip->marks[1].time == 0.8f);
  assert_true(clip->keys[3].position[0].y == 0.8f);
  assert_true(quat_angle_between(clip->keys[2].rotation[0], quat_exp((vec3s){{0, 90 * RAD, 0}})) < 1e-6f);
  assert_true(quat_angle_between(clip->keys[1].rotation[1], quat_exp((vec3s){{-40 * RAD, 0, 0}})) < 1e-6f);
  for (int k = 0; k < 4; k++) {
    assert_true(quat_angle_between(clip->keys[k].rotation[2], quat_exp((vec3s){{30 * RAD, 0, 0}})) < 1e-6f);
    assert_true(clip->keys[k].rotation[3].w == 1); // not named: the bind pose
    assert_true(clip->keys[k].position[2].y == -0.4f);
  }
  clip_free(clip);
}

static void test_defaults(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, "name: still\nduration: 2\n");
  assert_false(clip->loop);
  assert_int_equal(clip->key_count, 1);
  assert_true(clip->safe_from == 0 && clip->safe_to == 2);
  Pose pose;
  clip_sample(clip, 1.3f, &pose);
  assert_int_equal(pose.count, 4);
  assert_true(pose.position[0].y == 0.9f && pose.rotation[0].w == 1);
  assert_false(clip_contact(clip, 0, 1));
  clip_free(clip);
}

// One key counts for the whole clip, written with brackets of its own or without.
static void test_one_key_is_for_all(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  static const char *const keys[] = {"[0, 1.1, 0.2]", "[[0, 1.1, 0.2]]"};
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "name: one\nduration: 1\nroot_position: %s\njoints: {thigh_l: [[0, 0, 0], [10, 0, 0], [20, 0, 0]]}\n",
             keys[i]);
    Clip *clip = read_good(&s, text);
    assert_int_equal(clip->key_count, 3);
    for (int k = 0; k < clip->key_count; k++)
      assert_true(clip->keys[k].position[0].y == 1.1f && clip->keys[k].position[0].z == 0.2f);
    clip_free(clip);
  }
}

static void test_angles_turn_x_then_z_then_y(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  s.bind_rotation_l[1] = quat_exp((vec3s){{0.3f, 0.1f, 0}}); // angles count from the bind pose
  Clip *clip = read_good(&s, "name: a\nduration: 1\njoints: {thigh_l: [[-35, 50, 20]]}\n");
  versors x = quat_exp((vec3s){{-35 * RAD, 0, 0}}), y = quat_exp((vec3s){{0, 50 * RAD, 0}}),
          z = quat_exp((vec3s){{0, 0, 20 * RAD}});
  versors wanted = glms_quat_mul(s.bind_rotation_l[1], glms_quat_mul(glms_quat_mul(x, z), y));
  assert_true(quat_angle_between(clip->keys[0].rotation[1], wanted) < 1e-6f);
  clip_free(clip);
}

static float thigh_angle(const Clip *clip, float time) {
  Pose pose;
  clip_sample(clip, time, &pose);
  return quat_log(pose.rotation[1]).x / RAD;
}

static void test_sampling_of_a_loop(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, LOOP);
  Pose pose;
  clip_sample(clip, 0.1f, &pose);
  assert_true(fabsf(pose.position[0].y - 1.1f) < 1e-6f);
  assert_true(fabsf(thigh_angle(clip, 0.1f) + 20) < 1e-3f);
  clip_sample(clip, 0.7f, &pose); // between the last key and the first
  assert_true(fabsf(pose.position[0].y - 0.9f) < 1e-6f);
  assert_true(fabsf(thigh_angle(clip, 0.7f) - 20) < 1e-3f);
  const float times[] = {0, 0.05f, 0.31f, 0.799f};
  for (int i = 0; i < 4; i++)
    for (int turn = -3; turn <= 3; turn++)
      assert_true(fabsf(thigh_angle(clip, times[i] + 0.8f * (float)turn) - thigh_angle(clip, times[i])) < 1e-3f);
  assert_true(isfinite(thigh_angle(clip, NAN)) && isfinite(thigh_angle(clip, 1e30f)));
  clip_free(clip);
}

static void test_sampling_of_a_clip_with_ends(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, "name: a\nduration: 2\njoints: {thigh_l: [[0, 0, 0], [10, 0, 0], [40, 0, 0]]}\n");
  assert_true(fabsf(thigh_angle(clip, 0.5f) - 5) < 1e-3f);
  assert_true(fabsf(thigh_angle(clip, 1) - 10) < 1e-3f);
  assert_true(fabsf(thigh_angle(clip, 2) - 40) < 1e-3f);
  assert_true(fabsf(thigh_angle(clip, 99) - 40) < 1e-3f);
  assert_true(thigh_angle(clip, -1) == 0);
  clip_free(clip);
}

// Keys whose quaternions have opposite signs (340 deg and 20 deg about x) are 40 deg apart.
static void test_sampling_goes_the_short_way(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, "name: a\nduration: 1\njoints: {thigh_l: [[340, 0, 0], [20, 0, 0]]}\n");
  assert_true(fabsf(thigh_angle(clip, 0.5f)) < 1e-3f);
  clip_free(clip);
}

// Every count of joints: blocks of four and the remainder give the same bits, and nothing is written beyond.
static void test_sampling_of_every_count(void **state) {
  (void)state;
  static Pose keys[2], whole;
  for (int i = 0; i < SKELETON_MAX_JOINTS; i++) {
    keys[0].position[i] = (vec3s){{(float)i, 1, 0.3f}};
    keys[1].position[i] = (vec3s){{0, (float)i, -0.7f}};
    keys[0].rotation[i] = quat_exp((vec3s){{0.1f * (float)i, 0, 0.2f}});
    keys[1].rotation[i] = quat_exp((vec3s){{0, 1 - 0.1f * (float)i, 0.2f}});
  }
  Clip clip = {.duration = 1, .key_count = 2, .keys = keys};
  keys[0].count = keys[1].count = SKELETON_MAX_JOINTS;
  clip_sample(&clip, 0.4f, &whole);
  for (int i = 0; i < SKELETON_MAX_JOINTS; i++) {
    assert_true(fabsf(glms_quat_norm(whole.rotation[i]) - 1) < 3e-7f);
    assert_true(fabsf(whole.position[i].y - (0.6f + 0.4f * (float)i)) < 1e-5f);
  }
  for (int count = 1; count <= SKELETON_MAX_JOINTS; count++) {
    Pose pose, untouched;
    memset(&pose, 0x5a, sizeof pose);
    untouched = pose;
    keys[0].count = keys[1].count = count;
    clip_sample(&clip, 0.4f, &pose);
    assert_int_equal(pose.count, count);
    size_t joints = (size_t)count, rest = SKELETON_MAX_JOINTS - joints;
    assert_memory_equal(pose.position, whole.position, joints * sizeof pose.position[0]);
    assert_memory_equal(pose.rotation, whole.rotation, joints * sizeof pose.rotation[0]);
    assert_memory_equal(pose.position + joints, untouched.position + joints, rest * sizeof pose.position[0]);
    assert_memory_equal(pose.rotation + joints, untouched.rotation + joints, rest * sizeof pose.rotation[0]);
  }
}

static void test_contacts(void **state) {
  (void)state;
  Skeleton s = walker_skeleton();
  Clip *clip = read_good(&s, LOOP);
  assert_true(clip_contact(clip, 0, 0.15f));
  assert_false(clip_contact(clip, 0, 0.2f)); // [begin, end)
  assert_false(clip_contact(clip, 0, 0.5f));
  assert_true(clip_contact(clip, 0, 0.7f)); // over the loop's end
  assert_true(clip_contact(clip, 0, 0.85f));
  assert_false(clip_contact(clip, 1, 0.15f));
  clip_free(clip);
}

static void test_errors_name_the_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *place, *cause;
  } cases[] = {
      {"duration: 1\n", "test.yaml:1:1", "name"},
      {"name: a\n", "test.yaml:1:1", "duration"},
      {"name: =1+1\nduration: 1\n", "test.yaml:1:7", "'=1+1' cannot be a name"},
      {"name: a\nduration: 1\nmarks: {a b: 0}\n", "test.yaml:3:9", "'a b' cannot be a name"},
      {"name: a\nduration: 0\n", "test.yaml:2:11", "above 0"},
      {"name: a\nduration: -1\n", "test.yaml:2:11", "above 0"},
      {"name: a\nduration: .nan\n", "test.yaml:2:11", ""},
      {"name: a\nduration: 1\nlop: true\n", "test.yaml:3:1", "loop"},
      {"name: a\nduration: 1\nloop: 3\n", "test.yaml:3:7", ""},
      {"name: a\nduration: 1\njoints: {thig_l: [[0, 0, 0]]}\n", "test.yaml:3:10", "did you mean 'thigh_l'"},
      {"name: a\nduration: 1\njoints: {wheel: [[0, 0, 0]]}\n", "test.yaml:3:10", "no joint 'wheel'"},
      {"name: a\nduration: 1\njoints: {pelvis: [[0, 0, 0]]}\n", "test.yaml:3:10", "root_rotation"},
      {"name: a\nduration: 1\njoints: [1]\n", "test.yaml:3:9", "map"},
      {"name: a\nduration: 1\njoints: {thigh_l: []}\n", "test.yaml:3:19", "list of keys"},
      {"name: a\nduration: 1\njoints: {thigh_l: 3}\n", "test.yaml:3:19", "list of keys"},
      {"name: a\nduration: 1\njoints: {thigh_l: [[0, 0]]}\n", "test.yaml:3:20", "3"},
      {"name: a\nduration: 1\njoints: {thigh_l: [[0, 0, x]]}\n", "test.yaml:3:27", "number"},
      {"name: a\nduration: 1\njoints: {thigh_l: [[0, 0, .inf]]}\n", "test.yaml:3:27", ""},
      {"name: a\nduration: 1\njoints: {thigh_l: [[0, 0, 1e30]]}\n", "test.yaml:3:27", "large"},
      {"name: a\nduration: 1\nroot_position: [[0, 0, 0], [0, 0, 0]]\n"
       "joints:\n  thigh_l: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n",
       "test.yaml:5:12", "3 keys, but 'root_position' in line 3 has 2"},
      {"name: a\nduration: 1\ncontacts: {lefd: [[0, 0.5]]}\n", "test.yaml:3:12", "did you mean 'left'"},
      {"name: a\nduration: 1\ncontacts: {left: [[0, 1.5]]}\n", "test.yaml:3:23", "outside"},
      {"name: a\nduration: 1\ncontacts: {left: [[0.5, 0.2]]}\n", "test.yaml:3:25", "before the beginning"},
      {"name: a\nduration: 1\ncontacts: {left: [0.5]}\n", "test.yaml:3:19", "[begin, end]"},
      {"name: a\nduration: 1\nmarks: {strike: -0.1}\n", "test.yaml:3:17", "outside"},
      {"name: a\nduration: 1\nmarks: {a_name_that_is_far_too_long_to_be_kept: 0}\n", "test.yaml:3:9", "too long"},
      {"name: a\nduration: 1\nsafe: [0.5, 0.2]\n", "test.yaml:3:13", "before the beginning"},
      {"name: a\nduration: 1\naccelerates: [0.5, 0.2]\n", "test.yaml:3:20", "before the beginning"},
      {"name: a\nduration: 1\nloop: true\naccelerates: [0.2, 0.5]\n", "test.yaml:4:14", "plays once"},
      {"name: a\nduration: 1\nroot_velocity: [1, 2]\n", "test.yaml:3:16", "3"},
  };
  Skeleton s = walker_skeleton();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    Clip *clip = read_text(&s, cases[i].text, &error);
    if (clip || strncmp(error.text, cases[i].place, strlen(cases[i].place)) != 0 || !strstr(error.text, cases[i].cause))
      fail_msg("%s\nexpected %s ... %s\ngot      %s", cases[i].text, cases[i].place, cases[i].cause, error.text);
  }
  Error error = {0};
  FileSet none = {.sealed = true};
  assert_null(clip_read(&none, "absent.yaml", &s, &error));
  assert_non_null(strstr(error.text, "absent.yaml"));
}

static void test_too_many_contacts(void **state) {
  (void)state;
  char text[2048] = "name: a\nduration: 1\ncontacts:\n  left:\n";
  for (int i = 0; i <= CLIP_MAX_MARKS; i++)
    strcat(text, "    - [0, 0.5]\n");
  Skeleton s = walker_skeleton();
  Error error = {0};
  assert_null(read_text(&s, text, &error));
  assert_non_null(strstr(error.text, "test.yaml:37:7: a clip has at most 32 contacts"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_all_fields),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_one_key_is_for_all),
      cmocka_unit_test(test_angles_turn_x_then_z_then_y),
      cmocka_unit_test(test_sampling_of_a_loop),
      cmocka_unit_test(test_sampling_of_a_clip_with_ends),
      cmocka_unit_test(test_sampling_goes_the_short_way),
      cmocka_unit_test(test_sampling_of_every_count),
      cmocka_unit_test(test_contacts),
      cmocka_unit_test(test_errors_name_the_place),
      cmocka_unit_test(test_too_many_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
