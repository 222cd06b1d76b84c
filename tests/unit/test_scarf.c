// The shipped scene of a scarf: the parts of the body, not only their animation, trail behind a runner and come down
// when he stops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "scenes/run/scene.h"
#include "sim/base/files.h"

static int part_of(const BodyDef *body, const char *name) {
  for (int i = 0; i < body->part_count; i++)
    if (strcmp(body->parts[i].name, name) == 0)
      return i;
  fail_msg("there is no %s", name);
  return 0;
}

// How far the last part's joint is behind the first one's, against the heading, and below it: m, of a pose.
static void find_end(const Character *character, const Pose *pose_w, double *behind, double *below) {
  ModelPose model;
  pose_to_model(&character->def->body->skeleton, pose_w, &model);
  vec3s first = model.position[part_of(character->def->body, "scarf_1")];
  vec3s way = glms_vec3_sub(model.position[part_of(character->def->body, "scarf_6")], first);
  *behind = -(double)way.x * sin(character->root.heading) - (double)way.z * cos(character->root.heading);
  *below = -(double)way.y;
}

static void mean_end(Scene *scene, double from, double to, double *behind, double *below, double *off) {
  const Character *character = scene->characters[0];
  int count = 0;
  *behind = *below = *off = 0;
  while (scene->world->time < to) {
    assert_true(scene_step(scene));
    if (scene->world->time < from)
      continue;
    double target[2], measured[2];
    find_end(character, &character->target, &target[0], &target[1]);
    find_end(character, &character->sensed.pose, &measured[0], &measured[1]);
    *behind += measured[0];
    *below += measured[1];
    *off += hypot(measured[0] - target[0], measured[1] - target[1]);
    count++;
  }
  *behind /= count;
  *below /= count;
  *off /= count;
}

static void test_a_physical_scarf_trails(void **state) {
  (void)state;
  Error error = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/scarf.yaml", files_scenes_folder());
  SceneDef *def = scene_def_read(path, NULL, 0, &error);
  assert_string_equal(error.text, "");
  Scene *scene = scene_create(def, &error);
  assert_non_null(scene);
  double behind, below, off;
  mean_end(scene, 3, 5, &behind, &below, &off);
  printf("  running: the end is %.3f m behind and %.3f m below, %.3f m off its target\n", behind, below, off);
  assert_true(behind > 0.4 && below > 0.1 && off < 0.05);
  mean_end(scene, 11, 12, &behind, &below, &off);
  printf("  standing: the end is %.3f m behind and %.3f m below, %.3f m off its target\n", behind, below, off);
  assert_true(behind < 0.15 && below > 0.5 && off < 0.1);
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_physical_scarf_trails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
