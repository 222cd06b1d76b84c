// Which joints a figure has by their names, whether it is taken for a human one, and how tall it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "anim/motion/motion_internal.h"
#include "tests/unit/motion_fixture.h"

typedef struct Bone {
  const char *name;
  int parent;
  float place[3]; // m, in the world, of the rest pose
} Bone;

enum { BONES = 6 };

// A man 1 m from ankles to head, and a beast: the same joints, but its trunk is level and its hands are on the ground.
static const Bone MAN[BONES] = {{"hips", -1, {0, 0.5f, 0}},        {"left_foot", 0, {0.1f, 0, 0}},
                                {"right_foot", 0, {-0.1f, 0, 0}},  {"head", 0, {0, 1, 0}},
                                {"left_hand", 3, {0.4f, 0.8f, 0}}, {"right_hand", 3, {-0.4f, 0.8f, 0}}};
static const Bone BEAST[BONES] = {{"hips", -1, {0, 0.5f, 0}},        {"left_foot", 0, {0.1f, 0, 0}},
                                  {"right_foot", 0, {-0.1f, 0, 0}},  {"head", 0, {0, 0.5f, 0.7f}},
                                  {"left_hand", 3, {0.1f, 0, 0.5f}}, {"right_hand", 3, {-0.1f, 0, 0.5f}}};

static Motion *figure_of_bones(const Bone *bones) {
  Motion *motion = motion_of_size(BONES, 1, 30);
  for (int i = 0; i < BONES; i++) {
    MotionJoint *joint = &motion->joints[i];
    const Bone *parent = bones[i].parent >= 0 ? &bones[bones[i].parent] : NULL;
    snprintf(joint->name, sizeof joint->name, "%s", bones[i].name);
    joint->parent = bones[i].parent;
    joint->bind_rotation_l = glms_quat_identity();
    for (int axis = 0; axis < 3; axis++)
      joint->bind_position_l.raw[axis] = bones[i].place[axis] - (parent ? parent->place[axis] : 0);
  }
  return motion;
}

// Whether bones are taken for a human figure, and their stature, m.
static bool is_human(const Bone *bones, double *stature) {
  Motion *motion = figure_of_bones(bones);
  const Figure figure = motion_figure(motion);
  *stature = figure_stature(motion, &figure);
  motion_free(motion);
  return figure.is_human;
}

static bool is_human_without(const Bone *bones, int lacking) {
  Bone changed[BONES];
  double stature;
  memcpy(changed, bones, sizeof changed);
  changed[lacking].name = "thing";
  return is_human(changed, &stature);
}

static void man_is_human_and_beast_is_not(void **state) {
  (void)state;
  double stature;
  assert_true(is_human(MAN, &stature));
  assert_false(is_human(BEAST, &stature));
  assert_true(stature == 0);
  for (int lacking = 1; lacking < BONES; lacking++) {
    assert_false(is_human_without(MAN, lacking)); // every one of them is needed
    assert_false(is_human_without(BEAST, lacking));
  }
}

// The trunk continues the line of the legs within a cosine of 0.8; hands are above 0.3 of the head's height.
static void posture_tells_a_man_from_a_beast(void **state) {
  (void)state;
  const float leans[][3] = {{0, 0.41f, 0.28f}, {0, 0.39f, 0.32f}}; // the trunk of 0.5 m: cosines of 0.83 and 0.77
  double stature;
  for (int i = 0; i < 2; i++) {
    Bone bones[BONES];
    memcpy(bones, MAN, sizeof bones);
    bones[3].place[1] = 0.5f + leans[i][1];
    bones[3].place[2] = leans[i][2];
    assert_int_equal(is_human(bones, &stature), i == 0);
  }
  for (int hand = 4; hand < BONES; hand++)
    for (int i = 0; i < 2; i++) {
      Bone bones[BONES];
      memcpy(bones, MAN, sizeof bones);
      bones[hand].place[1] = i == 0 ? 0.31f : 0.29f;
      assert_int_equal(is_human(bones, &stature), i == 0);
    }
}

// From ankle to head along the bones is 0.84 of the stature; where the neck is the last joint, 0.79.
static void stature_is_that_of_the_bones(void **state) {
  (void)state;
  Bone bones[BONES];
  const double path = sqrt(0.1 * 0.1 + 0.5 * 0.5) + 0.5;
  double stature;
  assert_true(is_human(MAN, &stature));
  assert_true(fabs(stature - path / 0.84) < 1e-6);
  memcpy(bones, MAN, sizeof bones);
  bones[3].name = "neck";
  assert_true(is_human(bones, &stature));
  assert_true(fabs(stature - path / 0.79) < 1e-6);
}

// Feet of which one hangs from a root of its own have no joint in common: the first joint stands for the hips, and the
// bones are measured up to each root.
static void a_figure_may_have_two_roots(void **state) {
  (void)state;
  Bone bones[BONES];
  memcpy(bones, MAN, sizeof bones);
  bones[1].parent = -1; // the left foot
  Motion *motion = figure_of_bones(bones);
  const Figure figure = motion_figure(motion);
  assert_true(figure.is_human);
  assert_int_equal(figure.hips, 0);
  assert_true(fabs(figure_stature(motion, &figure) - (0.1 + 0.5 + 0.5) / 0.84) < 1e-6);
  motion_free(motion);
}

// Names say the side by a word or by a letter that stands alone.
static void names_say_the_side(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int side;
  } cases[] = {{"LeftFoot", 1},
               {"mixamorig:RightFoot", -1},
               {"Foot.L", 1},
               {"Bip01 R Foot", -1},
               {"b_l_arm", 1},
               {"lThigh", 1},
               {"RHipJoint", -1},
               {"r", -1},
               {"left_to_right", 0},
               {"Leg", 0},
               {"ROOT", 0},
               {"lower", 0},
               {"", 0},
               {"pelvis", 0},
               {"ear_l", 1},
               {"left:hand", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (motion_side(cases[i].name) != cases[i].side)
      fail_msg("%s: %d", cases[i].name, motion_side(cases[i].name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(man_is_human_and_beast_is_not),
      cmocka_unit_test(posture_tells_a_man_from_a_beast),
      cmocka_unit_test(stature_is_that_of_the_bones),
      cmocka_unit_test(a_figure_may_have_two_roots),
      cmocka_unit_test(names_say_the_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
