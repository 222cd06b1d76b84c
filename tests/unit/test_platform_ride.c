// Men on platforms that move: a standing man moves along, feet stay where they stand, and his own motion is relative to
// the platform.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "sim/base/numbers.h"

// A ferry that moves back and forth at 0.5 m/s at most, a disc that turns, a lift.
static const char PLATFORMS[] =
    "platforms:\n"
    "  - {name: ferry, size: [2, 0.3, 2], center: [0, 0.3, 0], loop: true,\n"
    "     path: [[0, 0, 0, 0], [3, 1, 0, 0], [6, 0, 0, 0.4], [8, 0, 0, 0]]}\n"
    "  - {name: disc, size: [2, 0.2, 2], center: [4, 0.2, -0.4], turn: 40}\n"
    "  - {name: lift, size: [1.6, 0.2, 1.6], center: [-4, 0.8, 0], rise: 0.5, period: 6.5}\n";

static const char MEN[] = "characters:\n"
                          "  - {name: ferry, body: bodies/human.yaml, %s}\n"
                          "  - {name: disc, body: bodies/human.yaml, start: {position: [4, 0, 0]}, %s}\n"
                          "  - {name: lift, body: bodies/human.yaml, start: {position: [-4, 0, 0]}, %s}\n";

static SceneDef *men_def(const char *how) {
  char text[2048];
  size_t length = (size_t)snprintf(text, sizeof text, "duration: 8\n%s", PLATFORMS);
  snprintf(text + length, sizeof text - length, MEN, how, how, how);
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  SceneDef *def = scene_def_from_text("men.yaml", text, &files, NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return def;
}

// The place of a foot on the platform that has its man's name.
static void foot_place(const Scene *scene, int man, int foot, double place[3]) {
  const double *sole = scene->characters[man]->judged->feet[foot].position;
  dVector3 point;
  dBodyGetPosRelPoint(scene->world->bodies[scene->platforms[man]].ode, sole[0], sole[1], sole[2], point);
  memcpy(place, point, 3 * sizeof *place);
}

// Runs it and checks that no foot leaves its place on the platform.
static void check_feet_stay(Scene *scene, double settle, double most) {
  double start[3][2][3] = {{{0}}}, farthest = 0;
  double turned = scene->characters[1]->root.heading;
  for (long step = 1; step <= scene->def->step_count; step++) {
    assert_true(scene_step(scene));
    for (int man = 0; man < 3; man++) {
      Character *character = scene->characters[man];
      assert_false(character->sensed.fallen || character->down);
      if (!character->drive.def.kinematic && scene->world->time > settle)
        assert_true(character->judged->support_margin > 0.03);
      character_measure_feet(character);
      for (int foot = 0; foot < 2; foot++) {
        double place[3];
        foot_place(scene, man, foot, place);
        if ((double)step * scene->world->def.dt < settle)
          memcpy(start[man][foot], place, sizeof place);
        double x = place[0] - start[man][foot][0], z = place[2] - start[man][foot][2];
        farthest = fmax(farthest, hypot(x, z));
        assert_near(place[1], scene->def->platforms[man].size[1] / 2, 2e-3);
      }
    }
  }
  if (farthest >= most)
    fail_msg("a foot slips by %.3f mm", 1000 * farthest);
  // 8 s at 40 deg/s, of which half a second is lost to the ease at the beginning.
  assert_near(scene->characters[1]->root.heading - turned, 40 * 7.5 * RAD_PER_DEGREE, 1e-6);
  assert_near(scene->characters[0]->root.heading, 0, 0);
}

static double metric(const Scene *scene, int man, const char *name) {
  double value = NAN;
  assert_true(metrics_value(scene->characters[man]->judged->metrics, name, &value));
  return value;
}

static void test_powered_men_are_carried(void **state) {
  (void)state;
  SceneDef *def = men_def("assist: {enabled: false}");
  Scene *scene = small_scene(def);
  check_feet_stay(scene, 0.25, 1e-3);
  scene_finish(scene);
  for (int man = 0; man < 3; man++) {
    assert_near(metric(scene, man, "fell"), 0, 0);
    assert_near(metric(scene, man, "assist_impulse"), 0, 0);
    assert_true(metric(scene, man, "foot_slip_max") < 1e-3); // over the ground, not in the world
    assert_true(metric(scene, man, "distance") < 0.1);
    assert_near(metric(scene, man, "hits"), 0, 0);
    assert_true(scene->characters[man]->sensed.foot_loaded[0] && scene->characters[man]->sensed.foot_loaded[1]);
  }
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_animated_men_are_carried(void **state) {
  (void)state;
  SceneDef *def = men_def("drive: {kinematic: true}");
  Scene *scene = small_scene(def);
  check_feet_stay(scene, 0.01, 1e-3);
  scene_destroy(scene);
  scene_def_free(def);
}

// Legs that step by themselves need not do so.
static void test_feet_of_the_stepper_are_carried(void **state) {
  (void)state;
  SceneDef *def = men_def("drive: {kinematic: true}, layers: [{kind: stepper}]");
  Scene *scene = small_scene(def);
  check_feet_stay(scene, 0.01, 1e-3);
  scene_destroy(scene);
  scene_def_free(def);
}

static Scene *tilting_scene(SceneDef **def) {
  static const char TEXT[] =
      "duration: 4\n"
      "platforms: [{name: floor, size: [4, 0.1, 2], center: [0, 0.25, 0], hinge: [0, 0.13, 0],\n"
      "  tilts: [[0.5, 0, 0], [1, 10, 0], [2, 10, 0], [2.5, -5, 3]]}]\n"
      "characters:\n"
      "  - {name: balances, body: bodies/human.yaml, balance: {enabled: true}}\n"
      "  - {name: shown, body: bodies/human.yaml, start: {position: [1, 0, 0]}, drive: {kinematic: true},\n"
      "     layers: [{kind: foot_placement}]}\n";
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  *def = scene_def_from_text("tilting.yaml", TEXT, &files, NULL, 0, &error);
  if (!*def) {
    fail_msg("%s", error.text);
    exit(1);
  }
  return small_scene(*def);
}

// The impulses of gravity and of its contacts in the last step change the momentum of a character that nothing else
// holds. before: velocity of its centre of mass, m/s.
static void check_momentum(const Scene *scene, int man, const double before[3]) {
  const Character *character = scene->characters[man];
  double mass = character->def->body->mass, impulse[3] = {0, -mass * 9.81 * scene->world->def.dt, 0};
  for (int i = 0; i < scene->world->contact_count; i++) {
    const Contact *contact = &scene->world->contacts[i];
    bool is_own = scene->world->bodies[contact->body].owner == man;
    for (int k = 0; is_own && k < 3; k++)
      impulse[k] += contact->impulse[k];
  }
  for (int k = 0; k < 3; k++)
    assert_near(mass * (character->sensed.com_velocity[k] - before[k]), impulse[k], 1e-6); // N s, of 3.1 in a step
}

// Men on a floor that tilts: soles keep their places on it and lie on it, and what they slip is measured over the
// floor.
static void test_feet_on_a_floor_that_tilts(void **state) {
  (void)state;
  const double slips[2] = {1e-4, 3e-3}; // m
  SceneDef *def;
  Scene *scene = tilting_scene(&def);
  double start[2][2][3] = {{{0}}};
  for (long step = 1; step <= def->step_count; step++) {
    double before[3];
    memcpy(before, scene->characters[0]->sensed.com_velocity, sizeof before);
    assert_true(scene_step(scene));
    check_momentum(scene, 0, before);
    for (int man = 0; man < 2; man++) {
      character_measure_feet(scene->characters[man]);
      for (int foot = 0; foot < 2; foot++) {
        const double *sole = scene->characters[man]->judged->feet[foot].position;
        dVector3 place;
        dBodyGetPosRelPoint(scene->world->bodies[scene->platforms[0]].ode, sole[0], sole[1], sole[2], place);
        if (scene->world->time < 0.4)
          memcpy(start[man][foot], place, sizeof start[man][foot]);
        assert_near(place[1], 0.05, 2e-3);
        assert_true(hypot(place[0] - start[man][foot][0], place[2] - start[man][foot][2]) < slips[man]);
      }
    }
  }
  scene_finish(scene);
  for (int man = 0; man < 2; man++) {
    assert_near(metric(scene, man, "fell"), 0, 0);
    assert_true(metric(scene, man, "foot_slip_max") < slips[man]);
    assert_true(metric(scene, man, "foot_angle_error_rms") < 0.1); // deg, to the floor
  }
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_a_tilting_floor_twice_is_the_same(void **state) {
  (void)state;
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    SceneDef *def;
    Scene *scene = tilting_scene(&def);
    for (long step = 0; step < def->step_count; step++)
      assert_true(scene_step(scene));
    hash[i] = world_hash(scene->world);
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_true(hash[0] == hash[1]);
}

static void test_the_same_run_twice_is_the_same(void **state) {
  (void)state;
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    SceneDef *def = men_def("assist: {enabled: true}");
    Scene *scene = small_scene(def);
    for (int step = 0; step < 240; step++)
      assert_true(scene_step(scene));
    hash[i] = world_hash(scene->world);
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_true(hash[0] == hash[1]);
}

// Other men on a platform change nothing, to the last bit: they are no common system of equations.
static void test_neighbours_do_not_matter(void **state) {
  (void)state;
  static const char *const SCENES[2] = {
      "platforms: [{name: p, size: [9, 0.2, 2], center: [0, 0.1, 0], turn: 30}]\n"
      "characters: [{name: a, body: boxes.yaml}]\n",
      "platforms: [{name: p, size: [9, 0.2, 2], center: [0, 0.1, 0], turn: 30}]\n"
      "characters: [{name: a, body: boxes.yaml}, {name: b, body: boxes.yaml, start: {position: [3, 0, 0]}}]\n"};
  double com[2][3];
  for (int i = 0; i < 2; i++) {
    SceneDef *def = small_def(SCENES[i]);
    Scene *scene = small_scene(def);
    for (int step = 0; step < 480; step++)
      assert_true(scene_step(scene));
    memcpy(com[i], scene->characters[0]->sensed.com, sizeof com[i]);
    assert_true(scene->world->contact_count >= 4 * (i + 1));
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_memory_equal(com[0], com[1], sizeof com[0]);
}

// Walks over a platform that moves to the left, and down again: it carries him for as long as he is on it.
static void test_the_root_goes_over_a_platform(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 6\n"
                            "platforms: [{name: band, size: [20, 0.1, 2], center: [0, 0, 2], path: [[0, 0, 0, 0],\n"
                            "  [10, 5, 0, 0]]}]\n"
                            "characters: [{name: doll, body: boxes.yaml, drive: {kinematic: true},\n"
                            "  intent: {speed: 1}}]\n");
  Scene *scene = small_scene(def);
  const Character *doll = scene->characters[0];
  double way = 0;
  while (scene_step(scene) && scene->world->time < 5) {
    const double *root = doll->root.position, *ground = doll->root.ground_velocity;
    bool on = root[2] > 1.02 && root[2] < 2.98;
    if (on)
      assert_near(ground[0], dBodyGetLinearVel(scene->world->bodies[0].ode)[0], 0);
    if (root[2] < 0.98 || root[2] > 3.02)
      assert_near(ground[0], 0, 0);
    way += ground[0] * scene->world->def.dt;
    assert_near(root[0], way, 1e-9);
    assert_near(doll->root.velocity[0], 0, 1e-9); // over the ground
    assert_near(doll->root.velocity[2], 1, 1e-9);
    if (root[2] > 2 && on)
      assert_near(root[1], 0.05, 2e-3);
  }
  assert_near(doll->root.position[2], 5, 0.02);
  assert_in_range((int)(1000 * way), 500, 1500);
  scene_destroy(scene);
  scene_def_free(def);
}

// On a disc the intent's heading turns along; off it, the heading is in world coordinates again.
static void test_the_intent_turns_along(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 12\n"
                            "platforms: [{name: disc, size: [2, 0.1, 2], turn: 30, center: [0, 0, 0]}]\n"
                            "characters: [{name: doll, body: boxes.yaml, drive: {kinematic: true},\n"
                            "  script: [{time: 4, speed: 1}]}]\n");
  Scene *scene = small_scene(def);
  const Character *doll = scene->characters[0];
  while (scene_step(scene) && scene->world->time < 4)
    assert_near(doll->root.heading, character_wanted_heading(doll), 1e-9);
  double on_disc = doll->root.heading;
  assert_near(on_disc, 30 * (scene->world->time - 0.5) * RAD_PER_DEGREE, 1e-6);
  while (scene_step(scene) && scene->world->time < 10) {
  }
  assert_true(length3(doll->root.position) > 2);
  assert_near(remainder(doll->root.heading, 2 * M_PI), 0, 1e-6);
  assert_near(character_wanted_heading(doll), 0, 0);
  scene_destroy(scene);
  scene_def_free(def);
}

// A man who falls onto a platform has fallen; and a platform that bumps into somebody is no hit.
static void test_lying_and_being_pushed(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 3\n"
                            "platforms: [{name: box, size: [4, 0.5, 4], center: [0, 0.5, 0]},\n"
                            "  {name: ram, size: [1, 0.5, 0.5], center: [0, 1.5, -3], path: [[1, 0, 0, 0],\n"
                            "  [2, 0, 0, 2.8]]}]\n"
                            "characters: [{name: doll, body: boxes.yaml, drive: {enabled: false}}]\n");
  Scene *scene = small_scene(def);
  bool struck = false;
  for (long step = 0; step < def->step_count; step++) {
    assert_true(scene_step(scene));
    assert_int_equal(scene->world->impulse_count, 0);
    for (int i = 0; i < scene->world->contact_count; i++)
      struck |= scene->world->contacts[i].other == scene->platforms[1] && scene->world->contacts[i].approach > 0.5;
  }
  assert_true(struck);
  assert_true(scene->characters[0]->down);
  scene_finish(scene);
  assert_near(metric(scene, 0, "hits"), 0, 0);
  assert_near(metric(scene, 0, "fell"), 1, 0);
  scene_destroy(scene);
  scene_def_free(def);
}

// A man who falls on a moving ferry comes to rest on it: rest is relative to the ground that carries him. A limp body
// keeps its velocity, and for a standing one the ferry's velocity is no fall.
static void test_a_man_comes_to_lie_on_a_moving_platform(void **state) {
  (void)state;
  static const char TEXT[] =
      "duration: 9\n"
      "platforms:\n"
      "  - {name: ferry, size: [8, 0.3, 8], center: [0, 0.3, 0], path: [[0, 0, 0, 0], [3, 1.5, 0, 0], [10, 12, 0, "
      "0]]}\n"
      "characters:\n"
      "  - {name: man, body: bodies/human.yaml, fall: {enabled: true, get_up: false}}\n"
      "  - {name: other, body: bodies/human.yaml, start: {position: [0, 0, 2]}, assist: {enabled: true},\n"
      "     fall: {enabled: true, get_up: false}}\n"
      "events: [{kind: push, character: man, time: 3, part: chest, impulse: 130, duration: 0.1, direction: 180}]\n";
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  Error error = {0};
  SceneDef *def = scene_def_from_text("ferry.yaml", TEXT, &files, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  Scene *scene = small_scene(def);
  const FallMachine *machine = &scene->characters[0]->fall.machine;
  double fell = INFINITY, lay = INFINITY;
  for (long step = 1; step <= scene->def->step_count; step++) {
    assert_true(scene_step(scene));
    assert_false(scene->characters[1]->down);
    assert_true(scene->world->time > 3 || machine->state == FALL_UPRIGHT);
    if (machine->state == FALL_FALLING)
      fell = fmin(fell, scene->world->time);
    if (machine->state == FALL_LYING)
      lay = fmin(lay, scene->world->time);
  }
  print_message("fell at %.2f s, lay at %.2f s\n", fell, lay);
  assert_true(fell > 3 && fell < 4 && lay < fell + 3.5);
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_powered_men_are_carried),
      cmocka_unit_test(test_animated_men_are_carried),
      cmocka_unit_test(test_feet_of_the_stepper_are_carried),
      cmocka_unit_test(test_the_same_run_twice_is_the_same),
      cmocka_unit_test(test_feet_on_a_floor_that_tilts),
      cmocka_unit_test(test_a_tilting_floor_twice_is_the_same),
      cmocka_unit_test(test_neighbours_do_not_matter),
      cmocka_unit_test(test_the_root_goes_over_a_platform),
      cmocka_unit_test(test_the_intent_turns_along),
      cmocka_unit_test(test_lying_and_being_pushed),
      cmocka_unit_test(test_a_man_comes_to_lie_on_a_moving_platform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
