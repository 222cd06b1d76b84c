// Which joints are taken for limbs of drawn figures whose joints have no telling names: of all proportions near what
// still counts as a pair of legs or arms, a handle, a step or a middle. Joint for joint.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ragdoll/body/body_def.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/motion_fixture.h"
#include "tests/unit/text_digest.h"

enum { FIGURES = 1500, MOST = 40 };

static const uint64_t KEPT = 0x56bee3d115ecafd1;

typedef struct Figure {
  Motion *motion;
  Rng *rng;
} Figure;

static int add(Figure *figure, int parent, float x, float y, float z) {
  Motion *motion = figure->motion;
  const int index = motion->joint_count++;
  MotionJoint *joint = &motion->joints[index];
  assert_true(index < MOST);
  snprintf(joint->name, sizeof joint->name, "n%d", index);
  joint->parent = parent;
  joint->bind_position_l = (vec3s){{x, y, z}};
  joint->bind_rotation_l = glms_quat_identity();
  return index;
}

static float draw(Figure *figure, double low, double high) { return (float)rng_range(figure->rng, low, high); }

// A chain of two or three bones below a joint, after a short one now and then, with an end now and then. bend: rad, of
// a leg that is raised.
static void add_limb(Figure *figure, int parent, float side, float aside, float first, float second, bool leg,
                     float bend) {
  int at = parent;
  if (rng_index(figure->rng, 3) == 0)
    at = add(figure, at, side * aside * 0.3f, 0, draw(figure, -0.02, 0.02));
  if (rng_index(figure->rng, 4) == 0)
    at = add(figure, at, side * draw(figure, 0.02, 0.25), 0, 0);
  at = add(figure, at, side * aside, leg ? -0.02f : 0.05f, 0);
  const float lean = leg ? 0 : draw(figure, -1, 1);
  at = add(figure, at, side * (leg ? 0 : first * fabsf(lean)), -first * (1 - fabsf(lean)), draw(figure, -0.03, 0.03));
  const float back = draw(figure, -0.03, 0.03) - second * sinf(bend);
  at = add(figure, at, side * (leg ? 0 : second * fabsf(lean)), -second * (1 - fabsf(lean)) * cosf(bend), back);
  if (rng_index(figure->rng, 2))
    add(figure, at, 0, leg ? -0.05f : 0, leg ? 0.15f : 0.05f);
}

static void draw_figure(Figure *figure) {
  const float leg = draw(figure, 0.1, 0.5), other_leg = leg * draw(figure, 0.6, 1.1), arm = draw(figure, 0.1, 0.4);
  const int root = add(figure, -1, 0, 2, 0);
  int hips = root;
  if (rng_index(figure->rng, 2))
    hips = add(figure, root, 0, 0.05f, 0);
  const float raised = rng_index(figure->rng, 2) ? 0 : draw(figure, 0, 3);
  add_limb(figure, hips, 1, draw(figure, 0.01, 0.2), leg, leg, true, 0);
  add_limb(figure, hips, -1, draw(figure, 0.01, 0.2), other_leg, other_leg, true, raised);
  const float fold = rng_index(figure->rng, 3) ? 0 : draw(figure, 0, 3.1); // rad: the trunk forward
  const float low = draw(figure, 0.1, 0.3), off = draw(figure, -0.02, 0.02), high = draw(figure, 0.1, 0.4);
  const int spine = add(figure, hips, 0, low * cosf(fold), low * sinf(fold));
  const int chest = add(figure, spine, off, high * cosf(fold), high * sinf(fold));
  add_limb(figure, chest, 1, draw(figure, 0.02, 0.2), arm, arm, false, 0);
  const float other_arm = arm * draw(figure, 0.6, 1.2);
  add_limb(figure, chest, -1, draw(figure, 0.02, 0.2), other_arm, arm, false, 0);
  const int neck = add(figure, chest, draw(figure, -0.05, 0.05), 0.1f, 0);
  const int head = rng_index(figure->rng, 3) ? add(figure, neck, 0, 0.1f, 0) : neck;
  for (int s = -1; s <= 1 && rng_index(figure->rng, 2); s += 2)
    add(figure, head, (float)s * draw(figure, 0.03, 0.1), 0.05f, 0);
}

static void pose_figure(Motion *motion, Rng *rng) {
  motion->frame_count = 3;
  for (int f = 0; f < motion->frame_count; f++)
    for (int i = 0; i < motion->joint_count; i++) {
      motion->position_l[f * motion->joint_count + i] = motion->joints[i].bind_position_l;
      motion->rotation_l[f * motion->joint_count + i] = quat_exp((vec3s){{(float)rng_range(rng, -0.4, 0.4), 0, 0}});
    }
}

static void limbs_of_drawn_figures(void **state) {
  (void)state;
  FileSet files = {0};
  Error error = {0};
  Rng rng = rng_make(1, "figures");
  TextBuffer told = {0};
  BodyDef *body = body_read(&files, "bodies/human.yaml", &error);
  assert_non_null(body);
  int found = 0;
  for (int n = 0; n < FIGURES; n++) {
    Figure figure = {motion_of_size(MOST, 3, 30), &rng};
    figure.motion->joint_count = 0;
    draw_figure(&figure);
    pose_figure(figure.motion, &rng);
    RetargetMap map;
    error = (Error){0};
    const bool good = retarget_map(&map, figure.motion, &body->skeleton, NULL, &error);
    text_print(&told, "%d %s %s:", good, good ? map.rig : "", error.text);
    for (int i = 0; good && i < body->skeleton.count; i++)
      text_print(&told, " %d", map.source[i]);
    char how[RETARGET_HOW_SIZE] = "";
    const bool fits = good && retarget_posture_fits(figure.motion, &map, &body->skeleton, how);
    text_print(&told, " %d %s\n", fits, how);
    found += good;
    motion_free(figure.motion);
  }
  assert_true(found > FIGURES / 4 && found < FIGURES);
  assert_true(text_is_kept("limbs", told.bytes, KEPT));
  text_free(&told);
  body_free(body);
  files_free(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(limbs_of_drawn_figures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
