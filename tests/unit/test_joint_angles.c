// The coordinates of joints that turn about one of their axes, round and round: they follow without a jump, also from
// piece to piece, and no other coordinate moves.
#include "tests/unit/small_scene.h"

#include "scenes/export/joint_angles.h"
#include "sim/base/numbers.h"

enum { FRAMES = 100, PIECE = 30 };

static versors turn_about(int axis, double angle) {
  versors turn = {{0, 0, 0, (float)cos(angle / 2)}};
  turn.raw[axis] = (float)sin(angle / 2);
  return turn;
}

// One coordinate of one joint goes to `end` rad; all others stay.
static void check_coordinate(const JointAngles *angles, const AngleGroup *group, int which, double end) {
  const int joints = angles->body->part_count, count = angles->count;
  const AngleGroup *last = &angles->groups[angles->group_count - 1];
  const int own = last->is_extra ? last->first : count; // those of the back as a whole repeat others
  TraceMotion motion = {.body = angles->body, .joint_count = joints};
  versors *rotations = calloc((size_t)FRAMES * (size_t)joints, sizeof *rotations);
  double *values = calloc((size_t)FRAMES * (size_t)count, sizeof *values);
  assert_true(rotations && values);
  for (int f = 0; f < FRAMES; f++)
    for (int i = 0; i < joints; i++)
      rotations[f * joints + i] =
          i == group->joint ? turn_about(group->axes[which], end * f / (FRAMES - 1)) : glms_quat_identity();
  for (int first = 0; first < FRAMES; first += PIECE) {
    double *rows = &values[first * count];
    motion.rotation = rotations + first * joints;
    motion.frame_count = FRAMES - first < PIECE ? FRAMES - first : PIECE;
    joint_angles_measure(angles, &motion, first > 0 ? rows - count : NULL, rows, (size_t)count);
  }
  for (int f = 0; f < FRAMES; f++)
    for (int i = 0; i < own; i++) {
      const bool is_it = i == group->first + which;
      const double is = values[f * count + i] * angles->sign[i], wanted = is_it ? end * f / (FRAMES - 1) : 0;
      if (!(fabs(is - wanted) < 1e-5))
        fail_msg("%s, frame %d: %g, not %g rad, as %s turns", angles->names[i], f, is, wanted,
                 angles->names[group->first + which]);
    }
  free(rotations);
  free(values);
}

// A middle angle of three goes no farther than to where the outer ones are not known.
static void coordinates_follow_their_joints(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = scene_def_read("stand", NULL, 0, &error);
  assert_non_null(def);
  JointAngles *angles = calloc(1, sizeof *angles);
  joint_angles_init(angles, def->characters[0].body);
  int kinds[4] = {0};
  for (int g = 0; g < angles->group_count; g++) {
    const AngleGroup *group = &angles->groups[g];
    kinds[group->count] += !group->is_extra;
    for (int which = 0; which < group->count && !group->is_extra; which++)
      for (int sense = -1; sense <= 1; sense += 2)
        check_coordinate(angles, group, which, sense * (group->count == 3 && which == 1 ? 1.5 : 15));
  }
  assert_true(kinds[1] > 0 && kinds[2] > 0 && kinds[3] > 0);
  free(angles);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coordinates_follow_their_joints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
