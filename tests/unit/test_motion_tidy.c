// BVH files as various programs write them: all are the same motion as one in the plain form.
#include "tests/fixture.h"

#include "anim/motion/motion_internal.h"

static const char PLAIN[] = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n"
                            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                            "\tJOINT Spine\n\t{\n\t\tOFFSET 0 2 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                            "\t\tJOINT Head\n\t\t{\n\t\t\tOFFSET 0 3 1\n"
                            "\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                            "\t\t\tEnd Site\n\t\t\t{\n\t\t\t\tOFFSET 0 1 0\n\t\t\t}\n\t\t}\n\t}\n}\n"
                            "MOTION\nFrames: 2\nFrame Time: 0.04\n"
                            "1 9 2 10 20 30 5 6 7 8 9 10\n2 8 3 -10 -20 -30 -5 -6 -7 -8 -9 -10\n";

// The text with every `old` replaced, which must be there; freed by the caller.
static char *with(const char *text, const char *old, const char *by) {
  TextBuffer out = {0};
  assert_non_null(strstr(text, old));
  for (const char *at; (at = strstr(text, old)); text = at + strlen(old))
    text_print(&out, "%.*s%s", (int)(at - text), text, by);
  text_print(&out, "%s", text);
  assert_false(out.failed);
  return out.bytes;
}

static Motion *read_bvh(const char *text, Error *error) {
  const File file = {.name = "m.bvh", .path = "m.bvh", .bytes = (char *)text, .size = strlen(text)};
  const MotionOptions options = {.unit = 1, .up_axis = 1, .front_axis = 2};
  return motion_read(&file, &options, error);
}

static void assert_same(const Motion *motion, const Motion *plain, const char *what) {
  assert_int_equal(motion->joint_count, plain->joint_count);
  assert_int_equal(motion->frame_count, plain->frame_count);
  assert_true(motion->frame_rate == plain->frame_rate);
  for (int i = 0; i < plain->joint_count * plain->frame_count; i++) {
    const float off = glms_vec3_distance(motion->position_l[i], plain->position_l[i]);
    if (!(off < 1e-6f && fabsf(glms_quat_dot(motion->rotation_l[i], plain->rotation_l[i])) > 1 - 1e-6f))
      fail_msg("%s: joint %d of frame %d", what, i % plain->joint_count, i / plain->joint_count);
  }
}

static void dialects_are_the_same_motion(void **state) {
  (void)state;
  static const struct {
    const char *old, *by, *joint, *name; // a joint of PLAIN and what it is called
  } cases[] = {
      {"HIERARCHY", "\xef\xbb\xbfHIERARCHY", "Spine", "Spine"},
      {"HIERARCHY", "# by hand\n\nHierarchy", "Spine", "Spine"},
      {"JOINT Head\n", "// comment\nJOINT Head\n", "Head", "Head"},
      {"JOINT Spine", "Joint  Lower Spine\t", "Spine", "Lower_Spine"},
      {"Spine\n\t{", "Spine {", "Spine", "Spine"},
      {"ROOT Hips", "ROOT Actor 001:Hips", "Hips", "Actor_001:Hips"},
      {"End Site", "End Site_Head", "Head", "Head"},
      {"End Site", "END SITE", "Head", "Head"},
      {"Zrotation", "ZRotation", "Spine", "Spine"},
      {"Yposition", "yposition", "Spine", "Spine"},
      {"OFFSET", "offset", "Spine", "Spine"},
      {"CHANNELS", "Channels", "Spine", "Spine"},
      {"MOTION", "Motion", "Spine", "Spine"},
      {"Frames: 2", "Frames:2", "Spine", "Spine"},
      {"Frame Time: ", "Frame Time:", "Spine", "Spine"},
      {"\n", "\r\n", "Spine", "Spine"},
  };
  Error error = {0};
  Motion *plain = read_bvh(PLAIN, &error);
  fixture_check(&error);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = with(PLAIN, cases[i].old, cases[i].by);
    Motion *motion = read_bvh(text, &error);
    if (!motion) {
      fail_msg("'%s': %s", cases[i].by, error.text);
      return;
    }
    assert_same(motion, plain, cases[i].by);
    for (int j = 0; j < plain->joint_count; j++)
      if (strcmp(plain->joints[j].name, cases[i].joint) == 0)
        assert_string_equal(motion->joints[j].name, cases[i].name);
    motion_free(motion);
    free(text);
  }
  motion_free(plain);
}

// What is in the plain form is not touched.
static void the_plain_form_stays(void **state) {
  (void)state;
  char notes[256] = "";
  assert_null(motion_tidy_bvh(PLAIN, notes, sizeof notes));
  assert_string_equal(notes, "");
  char *text = with(PLAIN, "Frames: 2", "");
  assert_null(motion_tidy_bvh(text, notes, sizeof notes)); // what is no BVH file is left to others
  free(text);
}

static const char PROP[] = "ROOT Prop\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
                           "End Site\n{\nOFFSET 0 1 0\n}\n}\n";

// A prop before or after the actor, with columns of its own.
static void of_several_figures_the_largest_is_read(void **state) {
  (void)state;
  Error error = {0};
  Motion *plain = read_bvh(PLAIN, &error);
  fixture_check(&error);
  for (int first = 0; first < 2; first++) {
    char both[128 + sizeof PROP];
    snprintf(both, sizeof both, first ? "%sROOT Hips" : "%sMOTION", PROP);
    char *head = with(PLAIN, first ? "ROOT Hips" : "MOTION", both);
    char *one = with(head, "1 9 2 10 20 30 5 6 7 8 9 10\n",
                     first ? "77 78 79 1 9 2 10 20 30 5 6 7 8 9 10\n" : "1 9 2 10 20 30 5 6 7 8 9 10 77 78 79\n");
    char *text = with(one, "2 8 3 -10 -20 -30 -5 -6 -7 -8 -9 -10\n",
                      first ? "77 78 79 2 8 3 -10 -20 -30 -5 -6 -7 -8 -9 -10\n"
                            : "2 8 3 -10 -20 -30 -5 -6 -7 -8 -9 -10 77 78 79\n");
    Motion *motion = read_bvh(text, &error);
    fixture_check(&error);
    assert_same(motion, plain, first ? "a prop before" : "a prop after");
    assert_non_null(
        strstr(motion->warnings, "There are 2 figures: that of 'Hips', which has the most joints, is read."));
    motion_free(motion);
    free(text);
    free(one);
    free(head);
  }
  motion_free(plain);
}

// Truncations and mutations of a file with faults: a motion or an error, never a crash.
static void broken_files_are_refused(void **state) {
  (void)state;
  char notes[256];
  const size_t size = sizeof PLAIN - 1;
  for (size_t cut = 0; cut < size; cut++) {
    char *text = strdup(PLAIN), *tidy;
    assert_non_null(text);
    text[cut] = '\0';
    free(motion_tidy_bvh(text, notes, sizeof notes));
    memcpy(text, PLAIN, size);
    for (const char *c = "{}\n \tR:e#"; *c != '\0'; c++) {
      text[cut] = *c;
      tidy = motion_tidy_bvh(text, notes, sizeof notes);
      if (tidy)
        assert_true(strlen(tidy) < 2 * size);
      free(tidy);
    }
    free(text);
  }
}

// Formats that are not read say so, and what else there is; markers say why not.
static void other_endings_are_named(void **state) {
  (void)state;
  static const struct {
    const char *name, *error; // NULL: left to others
  } cases[] = {
      {"a.trc", "a.trc: has markers on a body and no joints, whose angles are needed: allowed are .bvh, .fbx"},
      {"a.C3D", "a.C3D: has markers on a body and no joints"},
      {"b/a.amc", "b/a.amc: is no motion file by its ending, allowed are .bvh, .fbx, .gltf, .glb, .vrm, .vrma"},
      {"a.usd", "a.usd: is no motion file by its ending"},
      {"a.yaml", NULL},
      {"a.bvh", NULL},
      {"trc", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Error error = {0};
    assert_int_equal(motion_check_ending(cases[i].name, &error), !cases[i].error);
    if (cases[i].error && strncmp(error.text, cases[i].error, strlen(cases[i].error)) != 0)
      fail_msg("'%s' is not '%s'", error.text, cases[i].error);
  }
  assert_true(motion_is_known("a.vrm") && motion_is_known("a.VRMA") && !motion_is_known("a.trc"));
}

// The binary form of glTF under the ending of an avatar.
static void avatars_are_gltf(void **state) {
  (void)state;
  static const char json[] =
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
      "\"nodes\":[{\"name\":\"hip\",\"children\":[1]},{\"name\":\"leg\",\"translation\":[0,1,0]}]}  ";
  char bytes[20 + sizeof json] = "glTF";
  const uint32_t size = (sizeof json - 1) & ~3u, head[] = {2, 20 + size, size, 0x4e4f534a};
  memcpy(bytes + 4, head, sizeof head);
  memcpy(bytes + 20, json, size);
  const File file = {.name = "a.vrm", .path = "a.vrm", .bytes = bytes, .size = 20 + size};
  Error error = {0};
  assert_null(motion_read(&file, NULL, &error));
  assert_string_equal(error.text, "a.vrm: there is no skeleton in it"); // it was read
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dialects_are_the_same_motion),
      cmocka_unit_test(the_plain_form_stays),
      cmocka_unit_test(of_several_figures_the_largest_is_read),
      cmocka_unit_test(broken_files_are_refused),
      cmocka_unit_test(other_endings_are_named),
      cmocka_unit_test(avatars_are_gltf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
