// Where cycles of motions are looked for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ragdoll/body/body_def.h"
#include "tests/unit/motion_fixture.h"

// A motion of 94 s, in the bind pose but for the chest, which turns slowly away and in the end circles twice in a
// second each: its only cycle is beyond the first 90 s, and within 90 s from the 50th on.
static void test_the_first_90_seconds_are_searched(void **state) {
  (void)state;
  enum { FRAMES = 2821, CIRCLES = 2760, PERIOD = 30 };
  FileSet files = {0};
  Error error = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  assert_string_equal(error.text, "");
  const Skeleton *skeleton = &body->skeleton;
  const Pose bind = pose_bind(skeleton);
  Motion *motion = motion_of_size(skeleton->count, FRAMES, 30);
  for (int j = 0; j < skeleton->count; j++) {
    MotionJoint *to = &motion->joints[j];
    snprintf(to->name, sizeof to->name, "%s", skeleton->names[j]);
    to->parent = skeleton->parent[j];
    to->bind_position_l = skeleton->bind_position_l[j];
    to->bind_rotation_l = skeleton->bind_rotation_l[j];
  }
  const int chest = skeleton_find(skeleton, "chest");
  for (int f = 0; f < FRAMES; f++) {
    for (int j = 0; j < skeleton->count; j++) {
      motion->position_l[f * skeleton->count + j] = bind.position[j];
      motion->rotation_l[f * skeleton->count + j] = bind.rotation[j];
    }
    const float angle = (float)(2 * M_PI * (f - CIRCLES) / PERIOD);
    motion->rotation_l[f * skeleton->count + chest] =
        quat_exp(f < CIRCLES ? (vec3s){{0, 0.001f * (float)(CIRCLES - f), 0}}
                             : (vec3s){{0.4f * sinf(angle), 0, 0.4f * cosf(angle)}});
  }
  RetargetMap map;
  double from = 0, to = 0;
  assert_true(retarget_map(&map, motion, skeleton, NULL, &error));
  assert_false(motion_find_cycle(motion, &map, skeleton, 0, 0, &from, &to));
  assert_true(motion_find_cycle(motion, &map, skeleton, 50, 0, &from, &to));
  assert_true(from >= CIRCLES / 30.0 - 1e-9 && fabs(to - from - 1) < 1e-9);
  motion_free(motion);
  body_free(body);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_first_90_seconds_are_searched)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
