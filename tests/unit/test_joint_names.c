// What joints are called by programs for motion capture and by makers of robots: what each name means, and that names
// of actors before those of joints do not count.
#include "tests/fixture.h"

#include "anim/retarget/retarget_internal.h"
#include "ragdoll/body/body_def.h"
#include "tests/unit/motion_fixture.h"

// Of the left side; the right one is called by `right`.
static const struct {
  const char *maker, *left, *right;
  const char *names[6]; // thigh, shin, foot, upper arm, forearm, hand; NULL: has none
} MAKERS[] = {
    {"Sony mocopi", "l_", "r_", {"?up_leg", "?low_leg", "?foot", "?up_arm", "?low_arm", "?hand"}},
    {"OptiTrack", "L", "R", {"?Thigh", "?Shin", "?Foot", "?UArm", "?FArm", "?Hand"}},
    {"Xsens", "Left", "Right", {"?Hip", "?Knee", "?Ankle", NULL, "?Elbow", "?Wrist"}},
    {"three.js' samples", "Left", "Right", {"?UpLeg", "?LowLeg", "?Foot", "?UpArm", "?LowArm", "?Hand"}},
    {"Reallusion", "L_", "R_", {"?Thigh", "?Calf", "?Foot", "?Upperarm", "?Forearm", "?Hand"}},
    {"Boston Dynamics", "l_", "r_", {"?uleg", "?lleg", "?foot", "?uarm", "?larm", "?hand"}},
    {"Booster", "Left_", "Right_", {"?Hip", "?Shank", "?Ankle", NULL, "?Elbow", "?hand"}},
    {"Robotis", "l_", "r_", {"?hip", "?knee", "?ank", NULL, NULL, NULL}},
};
static const Role ROLES[] = {ROLE_THIGH, ROLE_SHIN, ROLE_FOOT, ROLE_UPPER_ARM, ROLE_FOREARM, ROLE_HAND};

static bool means(const char *name, Role role, Side side) {
  JointMeaning meanings[4];
  const int count = joint_meanings(name, meanings, 4);
  for (int i = 0; i < count; i++)
    if (meanings[i].role == role && meanings[i].side == side)
      return true;
  return false;
}

static void makers_names_are_known(void **state) {
  (void)state;
  for (size_t m = 0; m < sizeof MAKERS / sizeof *MAKERS; m++)
    for (int i = 0; i < 6; i++)
      for (int side = 0; side < 2 && MAKERS[m].names[i]; side++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", side == 0 ? MAKERS[m].left : MAKERS[m].right, MAKERS[m].names[i] + 1);
        if (!means(name, ROLES[i], side == 0 ? SIDE_LEFT : SIDE_RIGHT))
          fail_msg("%s: %s", MAKERS[m].maker, name);
      }
}

// A name with several meanings gives as many as are wanted, the first ones, and writes nothing behind them.
static void no_more_meanings_than_wanted(void **state) {
  (void)state;
  static const char *const several[] = {"shoulder_l", "RightShoulder"};
  for (int i = 0; i < 2; i++)
    for (int most = 0; most < 4; most++) {
      JointMeaning meanings[4] = {{ROLE_COUNT, SIDE_COUNT, 7},
                                  {ROLE_COUNT, SIDE_COUNT, 7},
                                  {ROLE_COUNT, SIDE_COUNT, 7},
                                  {ROLE_COUNT, SIDE_COUNT, 7}};
      const int count = joint_meanings(several[i], meanings, most);
      assert_int_equal(count, most < 2 ? most : 2);
      for (int k = 0; k < 4; k++)
        assert_int_equal(meanings[k].role, k >= count ? ROLE_COUNT : k == 0 ? ROLE_CLAVICLE : ROLE_UPPER_ARM);
    }
}

// Names in all but the root and the ends that the reader of BVH makes.
static void names_of_actors_do_not_count(void **state) {
  (void)state;
  static const char *const names[] = {"Hips",        "LeftUpLeg", "LeftLeg",     "LeftFoot", "RightUpLeg",
                                      "RightLeg",    "RightFoot", "Spine",       "Head",     "LeftArm",
                                      "LeftForeArm", "RightArm",  "RightForeArm"};
  static const int parents[] = {-1, 0, 1, 2, 0, 4, 5, 0, 7, 7, 9, 7, 11};
  static const char *const prefixes[] = {"", "Joe_", "Actor 7:", "x-"};
  FileSet files = {0};
  Error error = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  fixture_check(&error);
  for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++)
    for (int root = 0; root < 2; root++) {
      Motion *motion = motion_of_size(14, 1, 30);
      for (int i = 0; i < 13; i++) {
        snprintf(motion->joints[i].name, MOTION_NAME_SIZE, "%s%s", i > 0 || root ? prefixes[p] : "", names[i]);
        motion->joints[i].parent = parents[i];
        motion->joints[i].bind_rotation_l = motion->rotation_l[i] = glms_quat_identity();
      }
      snprintf(motion->joints[13].name, MOTION_NAME_SIZE, "EndSite_%sHead", prefixes[p]);
      motion->joints[13].parent = 8;
      motion->joints[13].bind_rotation_l = motion->rotation_l[13] = glms_quat_identity();
      RetargetMap map;
      if (!retarget_map(&map, motion, &body->skeleton, NULL, &error))
        fail_msg("'%s': %s", prefixes[p], error.text);
      assert_int_equal(map.source[skeleton_find(&body->skeleton, "thigh_l")], 1);
      assert_int_equal(map.source[skeleton_find(&body->skeleton, "foot_r")], 6);
      assert_int_equal(map.source[skeleton_find(&body->skeleton, "forearm_r")], 12);
      motion_free(motion);
    }
  body_free(body);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(makers_names_are_known),
      cmocka_unit_test(no_more_meanings_than_wanted),
      cmocka_unit_test(names_of_actors_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
