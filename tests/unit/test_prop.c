// Props of a scene: obstacles, things that fall and swing, balls that events throw, and characters that collide: their
// hits, and how traces and pictures show them.
#include "ragdoll/character/character_metrics.h"
#include "scenes/run/scene_state.h"
#include "tests/unit/recorded_run.h"

#include "sim/base/numbers.h"

static SceneDef *doll_and(const char *rest) {
  char text[1500];
  snprintf(text, sizeof text, "characters: [{name: doll, body: boxes.yaml, start: {position: [0, -0.3, 0]}}]\n%s",
           rest);
  return small_def(text);
}

static void assert_refused(const char *rest, const char *expected) {
  char text[1500];
  snprintf(text, sizeof text, "characters: [{name: doll, body: boxes.yaml}]\n%s", rest);
  Error error = {0};
  assert_null(small_def_try(text, NULL, 0, &error));
  if (!strstr(error.text, expected))
    fail_msg("\"%s\" is not in \"%s\"", expected, error.text);
}

static const dReal *place(const Scene *scene, int prop) {
  return dBodyGetPosition(scene->world->bodies[scene->props[prop]].ode);
}

static void run_to(Scene *scene, double time) {
  while (scene->world->time < time - 1e-9)
    assert_true(scene_step(scene));
}

static void test_held_fixed_and_falling(void **state) {
  (void)state;
  SceneDef *def = doll_and("props:\n"
                           "  - {name: wall, size: [1, 2, 0.1], center: [3, 1, 0], yaw: 90, fixed: true}\n"
                           "  - {name: late, shape: ball, size: [0.2, 9, 9], center: [5, 3, 0], release: 1}\n"
                           "  - {name: thrown, center: [8, 3, 0], velocity: [2, 1, 0]}\n");
  Scene *scene = small_scene(def);
  run_to(scene, 0.5);
  assert_near(place(scene, 1)[1], 3, 1e-12);
  // Half a second of free fall; the semi-implicit integrator is g h t / 2 behind.
  assert_near(place(scene, 2)[0], 8 + 2 * 0.5, 1e-6);
  assert_near(place(scene, 2)[1], 3 + 1 * 0.5 - 9.81 * 0.5 * (0.5 + 1.0 / 240) / 2, 1e-6);
  run_to(scene, 1.5);
  assert_near(place(scene, 1)[1], 3 - 9.81 * 0.5 * (0.5 + 1.0 / 240) / 2, 1e-6);
  run_to(scene, 2);
  assert_near(place(scene, 0)[0], 3, 0);
  assert_near(place(scene, 0)[1], 1, 0);
  assert_near(place(scene, 1)[1], 0.1, 0.01); // lies on the ground
  scene_destroy(scene);
  scene_def_free(def);
}

// A physical pendulum of a ball on a rod: T = 2 pi sqrt((L^2 + 2/5 r^2) / (g L)) for small swings.
static void test_a_pendulum_swings_in_its_time(void **state) {
  (void)state;
  SceneDef *def = doll_and("duration: 10\nprops:\n"
                           "  - {name: bag, shape: ball, size: [0.4, 1, 1], mass: 20, center: [0.1, 3, 5], "
                           "anchor: [0, 5, 5]}\n");
  Scene *scene = small_scene(def);
  double length = hypot(2, 0.1), crossings[3], before = 0.1;
  int count = 0;
  while (count < 3) {
    assert_true(scene_step(scene));
    double x = place(scene, 0)[0];
    assert_near(hypot(x, place(scene, 0)[1] - 5), length, 1e-4);
    if (x * before < 0)
      crossings[count++] = scene->world->time - (1.0 / 240) * x / (x - before);
    before = x;
  }
  double period = 2 * M_PI * sqrt((length * length + 0.4 * 0.2 * 0.2) / (9.81 * length));
  assert_near(crossings[2] - crossings[0], period, 0.003 * period);
  scene_destroy(scene);
  scene_def_free(def);
}

// The momentum of the doll in a world without weight is that of its hits, and the ball has lost it.
static void test_a_thrown_ball_arrives_as_described(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 1\nworld: {gravity: [0, 0, 0]}\n"
                            "characters: [{name: doll, body: boxes.yaml, start: {position: [0, 5, 0], heading: 90}, "
                            "intent: {heading: 90}}]\n"
                            "events: [{kind: projectile, time: 0.25, part: base, point: [0, 0, 0], direction: 90, "
                            "mass: 0.5, speed: 6, radius: 0.05, distance: 3}]\n");
  Scene *scene = small_scene(def);
  run_to(scene, 0.25);
  assert_true(scene->events.balls.count == 0);
  assert_true(scene_step(scene));
  assert_int_equal(scene->events.balls.count, 1);
  const WorldBody *ball = &scene->world->bodies[scene->events.balls.bodies[0]];
  // The doll faces +x, its left is -z: the ball comes from +z.
  const dReal *from = dBodyGetPosition(ball->ode), *velocity = dBodyGetLinearVel(ball->ode);
  assert_near(from[2], 3 - 6.0 / 240, 1e-9);
  assert_near(velocity[2], -6, 1e-9);
  double hit = -1, given = 0;
  while (scene->world->time < 1) {
    assert_true(scene_step(scene));
    for (int i = 0; i < scene->world->impulse_count; i++) {
      if (hit < 0)
        hit = scene->world->time;
      assert_int_equal(scene->world->impulses[i].source, IMPULSE_CONTACT);
      given += scene->world->impulses[i].impulse[2];
    }
  }
  // It touches the box, 0.1 m to its side, when its middle has come to 0.15 m.
  double touch = 0.25 + (3 - 0.1 - 0.05) / 6;
  assert_true(hit > touch && hit < touch + 2.5 / 240); // felt in the step after their first contact
  assert_near(given, 0.5 * (dBodyGetLinearVel(ball->ode)[2] + 6) * -1, 0.05 * 3);
  assert_true(given < -2);
  scene_destroy(scene);
  scene_def_free(def);
}

// A ball thrown at a doll that flies and falls meets it.
static void test_a_ball_leads_its_target(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 1\n"
                            "characters: [{name: doll, body: boxes.yaml, start: {position: [0, 20, 0]}, "
                            "drive: {enabled: false}}]\n"
                            "events:\n"
                            "  - {kind: push, time: 0, part: base, impulse: 12, duration: 0.05, direction: 90}\n"
                            "  - {kind: push, time: 0, part: top, impulse: 6, duration: 0.05, direction: 90}\n"
                            "  - {kind: projectile, time: 0.3, part: base, direction: 180, mass: 1, speed: 12}\n");
  Scene *scene = small_scene(def);
  int hits = 0;
  for (int i = 0; i < 240; i++) {
    assert_true(scene_step(scene));
    for (int k = 0; k < scene->world->impulse_count; k++)
      hits += scene->world->impulses[k].source == IMPULSE_CONTACT;
  }
  assert_true(hits > 0);
  scene_destroy(scene);
  scene_def_free(def);
}

// The impulses between two characters are equal and opposite, and a hit for both.
static void test_characters_collide(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 1\nworld: {gravity: [0, 0, 0]}\n"
                            "characters:\n"
                            "  - {name: a, body: boxes.yaml, start: {position: [0, 5, 0]}}\n"
                            "  - {name: b, body: boxes.yaml, start: {position: [0, 5, 1]}}\n"
                            "events: [{kind: push, character: a, time: 0, part: base, impulse: 18, duration: 0.02}]\n");
  Scene *scene = small_scene(def);
  double sum[2] = {0};
  for (int i = 0; i < 200; i++) {
    assert_true(scene_step(scene));
    for (int k = 0; k < scene->world->impulse_count; k++) {
      const Impulse *impulse = &scene->world->impulses[k];
      if (impulse->source != IMPULSE_CONTACT)
        continue;
      int owner = scene->world->bodies[impulse->body].owner;
      assert_int_equal(impulse->event, -2 - (1 - owner));
      assert_int_equal(scene->world->bodies[impulse->striker].owner, 1 - owner);
      sum[owner] += impulse->impulse[2];
    }
  }
  assert_true(sum[1] > 3);
  assert_near(sum[0] + sum[1], 0, 1e-9);
  double hits;
  assert_true(metrics_value(scene->characters[1]->judged->metrics, "hits", &hits) && hits >= 1);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_a_trace_has_them(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, doll_and("duration: 0.5\n"
                                 "platforms: [{name: floor, center: [9, 0, 9]}]\n"
                                 "props:\n"
                                 "  - {name: crate, size: [0.3, 0.4, 0.5], mass: 7, center: [2, 3, 0]}\n"
                                 "  - {name: bag, shape: ball, size: [0.4, 1, 1], center: [4, 3, 0]}\n"
                                 "events: [{kind: projectile, time: 0.1, part: base, mass: 0.5, speed: 20}]\n"));
  static const struct {
    const char *path, *shape;
    double size, mass, number;
  } wanted[] = {{"/objects/floor", "box", 2, 0, 2},
                {"/objects/crate", "box", 0.3, 7, 3},
                {"/objects/bag", "sphere", 0.4, 10, 4},
                {"/objects/ball_1", "sphere", 0.12, 0.5, 5}};
  for (int i = 0; i < 4; i++) {
    char shape[16];
    double size[3], mass, number;
    trace_value_text(run.reader, wanted[i].path, "shape", shape, sizeof shape);
    assert_string_equal(shape, wanted[i].shape);
    assert_int_equal(trace_values(run.reader, wanted[i].path, "size", size, 3), 3);
    assert_near(size[0], wanted[i].size, 1e-12);
    assert_int_equal(trace_values(run.reader, wanted[i].path, "mass", &mass, 1), 1);
    assert_near(mass, wanted[i].mass, 1e-12);
    assert_int_equal(trace_values(run.reader, wanted[i].path, "number", &number, 1), 1);
    assert_near(number, wanted[i].number, 0);
  }
  int count, hits = 0;
  TraceEvent *events = trace_events(run.reader, &count);
  for (int i = 0; i < count; i++)
    hits += strcmp(events[i].kind, "projectile") == 0;
  free(events);
  assert_true(hits > 0);
  recorded_run_end(&run);
}

static double height_of_doll(const Scene *scene) { return dBodyGetPosition(scene->characters[0]->ragdoll->ode[0])[1]; }

// A shelf gives way 0.25 s after the doll has fallen on it, also in a scene that was restored meanwhile; what is no
// character stays on it.
static void test_obstacles_give_way(void **state) {
  (void)state;
  SceneDef *def = doll_and("props:\n"
                           "  - {name: shelf, size: [2, 0.1, 1], center: [0.5, 0.3, 0], fixed: true, blocks: 0.25}\n"
                           "  - {name: stone, shape: ball, size: [0.2, 1, 1], center: [1.2, 0.5, 0]}\n");
  Scene *scenes[2] = {small_scene(def), small_scene(def)};
  Error error = {0};
  run_to(scenes[0], 0.1);
  while (scenes[0]->props_struck[0] < 0)
    run_to(scenes[0], scenes[0]->world->time + 1.0 / 240);
  const double struck = scenes[0]->props_struck[0];
  run_to(scenes[0], struck + 0.2);
  const size_t size = scene_state_size(scenes[0]);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  assert_true(scene_state_save(scenes[0], bytes, size, &error));
  assert_true(scene_state_restore(scenes[1], bytes, size, &error));
  for (int i = 0; i < 2; i++) {
    run_to(scenes[i], struck + 0.25);
    assert_true(height_of_doll(scenes[i]) > 0.35);
    const double before = height_of_doll(scenes[i]);
    run_to(scenes[i], struck + 0.35);
    // Free fall of 0.1 s, at least.
    assert_true(height_of_doll(scenes[i]) < before - 0.9 * 9.81 * 0.1 * 0.1 / 2);
    run_to(scenes[i], struck + 1);
    assert_near(place(scenes[i], 1)[1], 0.45, 0.01);
  }
  assert_true(world_hash(scenes[0]->world) == world_hash(scenes[1]->world));
  assert_true(scene_state_restore(scenes[0], bytes, size, &error)); // back to where it still blocks
  run_to(scenes[0], struck + 0.25);
  assert_true(height_of_doll(scenes[0]) > 0.35);
  free(bytes);
  for (int i = 0; i < 2; i++)
    scene_destroy(scenes[i]);
  scene_def_free(def);
}

static void test_what_is_refused(void **state) {
  (void)state;
  assert_refused("props: [{}]\n", "small.yaml:2:9: a prop needs a 'name'");
  assert_refused("props: [{name: ball_1}]\n", "'ball_1' is what traces call a ball");
  assert_refused("props: [{name: a}, {name: a}]\n", "there is a prop 'a' already");
  assert_refused("platforms: [{name: a}]\nprops: [{name: a}]\n", "there is a platform 'a' already");
  assert_refused("props: [{name: a, fixed: true, release: 1}]\n", "'release' belongs to a prop that is not 'fixed'");
  assert_refused("props: [{name: a, center: [1, 2, 3], anchor: [1, 2, 3]}]\n", "the anchor is at the prop's center");
  assert_refused("props: [{name: a, anchor: [1, 2]}]\n", "small.yaml:2:27");
  assert_refused("props: [{name: a, velocity: [90, 90, 0]}]\n", "is more than world.max_speed, 100 m/s");
  assert_refused("props: [{name: a, mass: 0}]\n", "props.mass is 0, allowed are 0.001 to 100000 kg");
  assert_refused("props: {a: 1}\n", "'props' must be a list");
  assert_refused("events: [{kind: projectile, time: 1, impulse: 3}]\n", "comes from its 'mass' and 'speed'");
  assert_refused("events: [{time: 1, impulse: 3, mass: 2}]\n", "'mass' belongs to an event of kind projectile");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_held_fixed_and_falling),
      cmocka_unit_test(test_a_pendulum_swings_in_its_time),
      cmocka_unit_test(test_a_thrown_ball_arrives_as_described),
      cmocka_unit_test(test_a_ball_leads_its_target),
      cmocka_unit_test(test_characters_collide),
      cmocka_unit_test(test_a_trace_has_them),
      cmocka_unit_test(test_obstacles_give_way),
      cmocka_unit_test(test_what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
