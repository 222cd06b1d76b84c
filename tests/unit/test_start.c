// How characters start: at rest or with the velocity of their animation, on the ground that the scene means, and not in
// it.
#include "tests/unit/small_scene.h"

#include "scenes/run/start_warnings.h"
#include "sim/base/numbers.h"

static double fastest_part(const Scene *scene) {
  double fastest = 0;
  for (int i = 0; i < scene->world->body_count; i++)
    if (scene->world->bodies[i].owner != WORLD_NO_OWNER)
      fastest = max_d(fastest, length3(dBodyGetLinearVel(scene->world->bodies[i].ode)));
  return fastest;
}

static SceneDef *raised_def(double height, double gravity, const char *more) {
  char text[1024];
  snprintf(text, sizeof text,
           "duration: 1\nworld: {gravity: [0, %g, 0]}\n"
           "characters: [{name: a, body: boxes.yaml, start: {position: [0, %g, 0]}, %s}]\n",
           gravity, height, more);
  return small_def(text);
}

// At any height, with and without gravity.
static void test_starts_off_the_ground_at_rest(void **state) {
  (void)state;
  static const char *const drives[] = {"drive: {enabled: false}", "drive: {enabled: true}",
                                       "assist: {enabled: true, part: base}"};
  static const double heights[] = {0, 0.2, 0.5, 2, 20, 1500, -0.5}, gravities[] = {-9.81, 0, 3};
  for (int d = 0; d < 3; d++)
    for (int h = 0; h < 7; h++)
      for (int g = 0; g < 3; g++) {
        SceneDef *def = raised_def(heights[h], gravities[g], drives[d]);
        Scene *scene = small_scene(def);
        assert_near(scene->characters[0]->root.position[1], heights[h], 1e-12);
        assert_near(fastest_part(scene), 0, 1e-12);
        scene_destroy(scene);
        scene_def_free(def);
      }
}

// Without gravity a body stays where it starts: its root, and as animation alone its body.
static void test_without_gravity_a_start_above_the_ground_lasts(void **state) {
  (void)state;
  SceneDef *def = raised_def(20, 0, "drive: {kinematic: true}");
  Scene *scene = small_scene(def);
  const double before = dBodyGetPosition(scene->world->bodies[0].ode)[1];
  for (int i = 0; i < 48; i++)
    assert_true(scene_step(scene));
  assert_near(scene->characters[0]->root.position[1], 20, 1e-12);
  assert_near(dBodyGetPosition(scene->world->bodies[0].ode)[1], before, 1e-12);
  scene_destroy(scene);
  scene_def_free(def);
}

// The velocity of the animation is the same at any height.
static void test_starts_above_the_ground_with_the_velocity_of_its_animation(void **state) {
  (void)state;
  double velocity[2][3];
  for (int i = 0; i < 2; i++) {
    SceneDef *def = raised_def(i, -9.81, "intent: {speed: 2}, animation: {move: nod.yaml}");
    Scene *scene = small_scene(def);
    memcpy(velocity[i], dBodyGetLinearVel(scene->world->bodies[1].ode), sizeof velocity[i]);
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_near(velocity[0][2], 2, 0.2);
  for (int k = 0; k < 3; k++)
    assert_near(velocity[1][k], velocity[0][k], 1e-4);
}

static double start_height(const char *terrain, double height, double z) {
  char text[1024];
  snprintf(text, sizeof text,
           "duration: 1\n%s\n"
           "characters: [{name: a, body: boxes.yaml, start: {position: [0, %g, %g]}}]\n",
           terrain, height, z);
  SceneDef *def = small_def(text);
  Scene *scene = small_scene(def);
  double root = scene->characters[0]->root.position[1];
  scene_destroy(scene);
  scene_def_free(def);
  return root;
}

// Under a roof it stands on the floor, unless its height is that of the roof; on a ferry and on a bridge over a trench
// it stands on them.
static void test_the_ground_that_is_meant(void **state) {
  (void)state;
  static const char room[] = "platforms: [{name: roof, size: [4, 0.2, 6], center: [0, 2.3, 0]},\n"
                             "            {name: ferry, size: [2, 0.3, 2], center: [0, 0.4, 10]}]\n";
  assert_near(start_height(room, 0, 0), 0, 1e-12);
  assert_near(start_height(room, 0.5, 0), 0.5, 1e-12);
  assert_near(start_height(room, 2.4, 0), 2.4, 1e-12);
  assert_near(start_height(room, 0, 10), 0.55, 1e-12);
  assert_near(start_height(room, 1, 10), 1.55, 1e-12);
  static const char bridge[] = "terrain: {kind: gap, start: 2, length: 3, depth: 4}\n"
                               "platforms: [{name: bridge, size: [2, 0.2, 4], center: [0, -0.1, 3.5]}]\n";
  assert_near(start_height(bridge, 0, 3.5), 0, 1e-12);
}

// The body's lowest point is 0.8 m over its root.
// In a level the height is the world's: above a floor it stays, a little below it he is raised to it.
static void test_heights_in_a_level(void **state) {
  (void)state;
  static const char level[] = "v -4 0.25 -4\nv -4 0.25 4\nv 4 0.25 4\nv 4 0.25 -4\nf 1 2 3 4\n";
  static const double heights[][2] = {{0.25, 0.25}, {0.75, 0.75}, {3, 3}, {0.1, 0.25}, {-0.5, 0.25}};
  for (int i = 0; i < 5; i++) {
    Error error = {0};
    FileSet files = {.sealed = false};
    char text[400];
    files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
    files_put(&files, "level.obj", level, sizeof level - 1);
    files.sealed = true;
    snprintf(text, sizeof text,
             "duration: 1\nterrain: {kind: mesh, file: level.obj}\ncharacters: [{name: a, body: boxes.yaml, start: "
             "{position: [0.5, %g, 0.5]}, drive: {kinematic: true}}]\n",
             heights[i][0]);
    SceneDef *def = scene_def_from_text("small.yaml", text, &files, NULL, 0, &error);
    if (!def) {
      fail_msg("%s", error.text);
      return;
    }
    Scene *scene = small_scene(def);
    assert_near(scene->characters[0]->root.position[1], heights[i][1], 1e-6);
    scene_destroy(scene);
    scene_def_free(def);
  }
}

static void test_refuses_a_start_in_the_ground(void **state) {
  (void)state;
  static const char format[] = "duration: 1\n"
                               "characters:\n"
                               "  - {name: a, body: boxes.yaml, start: {position: [0, %g, 0]}}\n";
  static const double good[] = {-0.3, -0.8, -0.84}, bad[] = {-0.86, -5};
  char text[256];
  Error error = {0};
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text, format, good[i]);
    scene_def_free(small_def(text));
  }
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, format, bad[i]);
    error = (Error){0};
    assert_null(small_def_try(text, NULL, 0, &error));
  }
  assert_string_equal(error.text, "small.yaml:3:51: a would start 4.2 m in the ground: y counts from the ground, "
                                  "allowed is -0.8 m or more");
}

static char *warnings_of(const char *text) {
  SceneDef *def = small_def(text);
  Scene *scene = small_scene(def);
  const uint64_t before = world_hash(scene->world);
  char *warnings = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&warnings, &size);
  assert_non_null(out);
  start_warnings(scene, out);
  fclose(out);
  assert_true(world_hash(scene->world) == before);
  scene_destroy(scene);
  scene_def_free(def);
  return warnings;
}

static void check_warnings(const char *text, const char *wanted) {
  char *warnings = warnings_of(text);
  assert_string_equal(warnings, wanted);
  free(warnings);
}

#define IN_EACH_OTHER "small.yaml: warning: base of a starts 0.15 m inside of base of b"

// Both names, the parts, and the depth; once for each pair.
static void test_warns_of_bodies_inside_of_each_other(void **state) {
  (void)state;
#define TWO(more) "duration: 1\n" more "characters: [{name: a, body: boxes.yaml}, {name: b, body: boxes.yaml, "
  check_warnings(TWO("") "start: {position: [0.05, 0, 0]}}]\n", IN_EACH_OTHER
                 ": they are driven apart, which 'world.solver: reduced' does far faster [starts_inside]\n");
  check_warnings(TWO("world: {solver: reduced}\n") "start: {position: [0.05, 0, 0]}}]\n",
                 IN_EACH_OTHER " [starts_inside]\n");
  check_warnings(TWO("") "start: {position: [0.19, 0, 0]}}]\n", ""); // 1 cm
  check_warnings(TWO("") "start: {position: [1, 0, 0]}}]\n", "");
}

// Kinematic bodies are not driven apart.
static void test_animation_may_be_inside_of_each_other(void **state) {
  (void)state;
  check_warnings("duration: 1\n"
                 "characters: [{name: a, body: boxes.yaml, drive: {kinematic: true}},\n"
                 "             {name: b, body: boxes.yaml, drive: {kinematic: true}}]\n",
                 "");
}

static void test_warns_of_props_platforms_and_ground(void **state) {
  (void)state;
#define ONE "characters: [{name: a, body: boxes.yaml}]\n"
  check_warnings("duration: 1\n" ONE "props: [{name: post, size: [0.1, 4, 0.1], center: [0.12, 2, 0], fixed: true}]\n",
                 "small.yaml: warning: base of a starts 0.03 m inside of post: they are driven apart, which "
                 "'world.solver: reduced' does far faster [starts_inside]\n");
  check_warnings("duration: 1\n" ONE "platforms: [{name: table, size: [1, 0.2, 1], center: [0, 1.15, 0]}]\n",
                 "small.yaml: warning: base of a starts 0.15 m inside of table [starts_inside]\n");
  check_warnings("duration: 1\nterrain: {kind: stairs, start: 0.01, rise: 0.5, run: 0.05, steps: 3, cell: 0.025}\n" ONE,
                 "small.yaml: warning: base of a starts 0.70 m inside of the ground [starts_inside]\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_starts_off_the_ground_at_rest),
      cmocka_unit_test(test_without_gravity_a_start_above_the_ground_lasts),
      cmocka_unit_test(test_starts_above_the_ground_with_the_velocity_of_its_animation),
      cmocka_unit_test(test_the_ground_that_is_meant),
      cmocka_unit_test(test_heights_in_a_level),
      cmocka_unit_test(test_refuses_a_start_in_the_ground),
      cmocka_unit_test(test_warns_of_bodies_inside_of_each_other),
      cmocka_unit_test(test_animation_may_be_inside_of_each_other),
      cmocka_unit_test(test_warns_of_props_platforms_and_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
