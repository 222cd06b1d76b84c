// Placed feet on real platforms: a standing foot moves with its platform exactly, also while the root is not on it yet.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "sim/base/numbers.h"

static const char PLATFORMS[] =
    "platforms:\n"
    "  - {name: ferry, size: [2, 0.3, 2], center: [0, 0.3, 0], loop: true,\n"
    "     path: [[0, 0, 0, 0], [3, 1, 0, 0], [6, 0, 0, 0.4], [8, 0, 0, 0]]}\n"
    "  - {name: disc, size: [2, 0.2, 2], center: [4, 0.2, -0.4], turn: 40}\n"
    "  - {name: lift, size: [1.6, 0.2, 1.6], center: [-4, 0.8, 0], rise: 0.5, period: 6.5}\n"
    "  - {name: band, size: [9, 0.2, 2.2], center: [-14, 0.05, 3], path: [[0, 0, 0, 0], [12, 6, 0, 0]]}\n";

enum { RIDERS = 3, WALKER = 3, MEN = 4 };

static SceneDef *men_def(void) {
  static const char how[] = "body: bodies/human.yaml, drive: {kinematic: true}, layers: [{kind: foot_placement}]";
  char text[4096];
  snprintf(text, sizeof text,
           "duration: 7\n%scharacters:\n"
           "  - {name: ferry, %s}\n"
           "  - {name: disc, start: {position: [4, 0, 0]}, %s}\n"
           "  - {name: lift, start: {position: [-4, 0, 0]}, %s}\n"
           "  - {name: walker, start: {position: [-14, 0, 0]}, animation: {move: clips/walk.yaml}, "
           "intent: {speed: 1.2}, %s}\n",
           PLATFORMS, how, how, how, how);
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  SceneDef *def = scene_def_from_text("men.yaml", text, &files, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

// Heel or toe as shown.
static void end_of(const Character *character, int foot, int end, double point[3]) {
  const Leg *leg = &character->def->body->skeleton.legs[foot];
  ModelPose pose;
  pose_to_model(&character->def->body->skeleton, &character->target, &pose);
  vec3s turned = glms_quat_rotatev(pose.rotation[leg->ankle], end ? leg->toe_l : leg->heel_l);
  vec3s place = glms_vec3_add(pose.position[leg->ankle], turned);
  for (int k = 0; k < 3; k++)
    point[k] = (double)place.raw[k];
}

// The foot's position on the platform of that man's index.
static void on_platform(const Scene *scene, int man, const double point[3], double local[3]) {
  dVector3 place;
  dBodyGetPosRelPoint(scene->world->bodies[scene->platforms[man]].ode, point[0], point[1], point[2], place);
  memcpy(local, place, 3 * sizeof *local);
}

static void test_standing_feet_ride_along(void **state) {
  (void)state;
  SceneDef *def = men_def();
  Scene *scene = small_scene(def);
  double start[RIDERS][2][3], slip = 0, gap = 0;
  for (long step = 0; step < def->step_count; step++) {
    assert_true(scene_step(scene));
    for (int man = 0; man < RIDERS; man++)
      for (int foot = 0; foot < 2; foot++) {
        double point[3], place[3];
        end_of(scene->characters[man], foot, 0, point);
        on_platform(scene, man, point, place);
        if (step == 0)
          memcpy(start[man][foot], place, sizeof place);
        slip = fmax(slip, hypot(place[0] - start[man][foot][0], place[2] - start[man][foot][2]));
        gap = fmax(gap, fabs(place[1] - def->platforms[man].size[1] / 2));
      }
  }
  if (!(slip < 1e-4) || !(gap < 1e-3))
    fail_msg("slip %.3f mm, %.3f mm off the platform", 1e3 * slip, 1e3 * gap);
  scene_destroy(scene);
  scene_def_free(def);
}

// Onto a band that moves aside, over it and down again: each stance stays on its ground.
static void test_walking_over_a_band(void **state) {
  (void)state;
  SceneDef *def = men_def();
  Scene *scene = small_scene(def);
  const Character *walker = scene->characters[WALKER];
  const double half = def->platforms[WALKER].size[2] / 2;
  double start[2][2][3], slip = 0, gap = 0;
  bool bore[2][2] = {{false}}, on_band[2][2];
  int stances = 0;
  for (long step = 0; step < def->step_count && scene_step(scene); step++)
    for (int foot = 0; foot < 2; foot++)
      for (int end = 0; end < 2; end++) {
        const FootPlan *plan = &walker->foot_plans[foot];
        double point[3], place[3], height;
        end_of(walker, foot, end, point);
        on_platform(scene, WALKER, point, place);
        bool bears = plan->standing && (end ? plan->toe : plan->heel) < 0.001;
        if (bears && !bore[foot][end])
          on_band[foot][end] = fabs(place[2]) < half;
        if (!on_band[foot][end] || !bears)
          memcpy(place, point, sizeof place);
        if (bears && !bore[foot][end]) {
          memcpy(start[foot][end], place, sizeof place);
          stances += on_band[foot][end];
        }
        bore[foot][end] = bears;
        if (!bears)
          continue;
        slip = fmax(slip, hypot(place[0] - start[foot][end][0], place[2] - start[foot][end][2]));
        if (walker->ground.height(walker->ground.context, point[0], point[2], GROUND_HIGHEST, &height, NULL))
          gap = fmax(gap, fabs(point[1] - height));
      }
  if (!(slip < 0.002) || !(gap < 0.005))
    fail_msg("slip %.2f mm, %.2f mm off the ground", 1e3 * slip, 1e3 * gap);
  // The metrics agree, also for stances that begin or end while the root is on other ground than the foot.
  double judged = NAN;
  scene_finish(scene);
  assert_true(metrics_value(walker->judged->metrics, "output_foot_slip_max", &judged));
  if (!(judged < 0.002))
    fail_msg("judged to slip by %.2f mm", 1e3 * judged);
  assert_in_range(stances, 6, 10); // heels and toes of three or four steps
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_standing_feet_ride_along),
      cmocka_unit_test(test_walking_over_a_band),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
