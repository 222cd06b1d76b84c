// Events: where and when they strike, how much they give, and that random ones are repeatable.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

static const double DT = 1.0 / 240;

// A flying scene with events.
static SceneDef *flight(const char *events) {
  char text[2048];
  snprintf(text, sizeof text, "%sevents:\n%s", SMALL_FLIGHT, events);
  return small_def(text);
}

static void momentum(const Scene *scene, double p[3]) {
  p[0] = p[1] = p[2] = 0;
  for (int i = 0; i < scene->world->body_count; i++) {
    const dReal *v = dBodyGetLinearVel(scene->world->bodies[i].ode);
    for (int k = 0; k < 3; k++)
      p[k] += scene->world->bodies[i].mass * v[k];
  }
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void test_share(void **state) {
  (void)state;
  for (int kind = EVENT_IMPULSE; kind <= EVENT_PUSH; kind++) {
    assert_true(event_share((EventKind)kind, 0.1, -0.01) == 0);
    assert_true(event_share((EventKind)kind, 0.1, 0) == 0);
    assert_true(event_share((EventKind)kind, 0.1, 0.1) == 1);
    assert_true(event_share((EventKind)kind, 0.1, 5) == 1);
  }
  assert_near(event_share(EVENT_PUSH, 0.1, 0.025), 0.25, 1e-15);
  assert_near(event_share(EVENT_IMPULSE, 0.1, 0.025), 0.125, 1e-15); // triangle: half of 1/4 * 1
  assert_near(event_share(EVENT_IMPULSE, 0.1, 0.05), 0.5, 1e-15);
  assert_near(event_share(EVENT_IMPULSE, 0.1, 0.075), 0.875, 1e-15);
  assert_true(event_share(EVENT_IMPULSE, 0, 0) == 1);
}

// Direction and elevation, in the frame of a character that faces `heading`.
static void check_direction(double heading, double direction, double elevation, const double wanted[3]) {
  char text[1024];
  snprintf(text, sizeof text,
           "world: {gravity: [0, 0, 0]}\ncharacters:\n"
           "  - {name: doll, body: boxes.yaml, start: {position: [0, 5, 0], heading: %g}, intent: {heading: %g}}\n"
           "events: [{time: 0, part: base, impulse: 8, direction: %g, elevation: %g}]\n",
           heading, heading, direction, elevation);
  SceneDef *def = small_def(text);
  Scene *scene = small_scene(def);
  events_step(&scene->events, scene->world, scene->characters, NULL);
  assert_int_equal(scene->world->pending_count, 1);
  for (int k = 0; k < 3; k++)
    assert_near(scene->world->pending[0].impulse[k], 8 * wanted[k], 1e-12);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_direction_is_in_the_characters_frame(void **state) {
  (void)state;
  const double s = sqrt(0.5);
  check_direction(0, 0, 0, (double[3]){0, 0, 1});
  check_direction(0, 90, 0, (double[3]){1, 0, 0}); // X points left
  check_direction(0, 180, 0, (double[3]){0, 0, -1});
  check_direction(0, -90, 0, (double[3]){-1, 0, 0});
  check_direction(90, 0, 0, (double[3]){1, 0, 0});
  check_direction(90, 90, 0, (double[3]){0, 0, -1});
  check_direction(0, 0, 90, (double[3]){0, 1, 0});
  check_direction(0, 0, -45, (double[3]){0, -s, s});
}

// Deviations turn a push, for each seed by its own angle, and change no other random number.
static void test_deviation_turns_and_nothing_else(void **state) {
  (void)state;
  double least = INFINITY, most = -INFINITY;
  for (int seed = 1; seed <= 40; seed++) {
    double p[2][3];
    for (int deviates = 0; deviates < 2; deviates++) {
      char text[512];
      snprintf(text, sizeof text,
               "seed: %d\nworld: {gravity: [0, 0, 0]}\ncharacters: [{name: doll, body: boxes.yaml}]\n"
               "events: [{time: 0, part: base, impulse: [5, 8], direction: 90%s}]\n",
               seed, deviates ? ", deviation: [-10, 10]" : "");
      SceneDef *def = small_def(text);
      Scene *scene = small_scene(def);
      events_step(&scene->events, scene->world, scene->characters, NULL);
      memcpy(p[deviates], scene->world->pending[0].impulse, sizeof p[0]);
      scene_destroy(scene);
      scene_def_free(def);
    }
    assert_near(length(p[0]), length(p[1]), 1e-12);
    assert_near(p[0][2], 0, 1e-12);
    const double turn = atan2(-p[1][2], p[1][0]) * 180 / M_PI; // to the left of 90 deg
    least = fmin(least, turn);
    most = fmax(most, turn);
  }
  assert_true(least > -10 && least < -7 && most > 7 && most < 10);
}

static void test_an_impulse_changes_momentum_by_itself(void **state) {
  (void)state;
  SceneDef *def = flight("  - {time: 0.02, part: top, impulse: 10, direction: 30, elevation: 20}\n");
  Scene *scene = small_scene(def);
  double before[3], after[3];
  momentum(scene, before);
  for (int i = 0; i < 12; i++)
    assert_true(scene_step(scene));
  momentum(scene, after);
  const double wanted[3] = {10 * sin(M_PI / 6) * cos(M_PI / 9), 10 * sin(M_PI / 9), 10 * cos(M_PI / 6) * cos(M_PI / 9)};
  for (int k = 0; k < 3; k++)
    assert_near(after[k] - before[k], wanted[k], 1e-9);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_an_event_falls_into_the_step_of_its_time(void **state) {
  (void)state;
  SceneDef *def = flight("  - {time: 0.0125, part: base, impulse: 1}\n"   // exactly the beginning of step 3
                         "  - {time: 0.0126, part: base, impulse: 2}\n"); // within it
  Scene *scene = small_scene(def);
  for (int step = 0; step < 6; step++) {
    assert_true(scene_step(scene));
    assert_int_equal(scene->world->impulse_count, step == 3 ? 2 : 0);
  }
  scene_destroy(scene);
  scene_def_free(def);
}

// A push of 0.1 s gives 24 equal steps of 1/240 s that add up to the whole, wherever it begins.
static void check_push(const char *event, int steps, bool equal) {
  SceneDef *def = flight(event);
  Scene *scene = small_scene(def);
  double sum = 0;
  int count = 0, number = -1;
  for (int i = 0; i < 60; i++) {
    events_step(&scene->events, scene->world, scene->characters, NULL);
    for (int k = 0; k < scene->world->pending_count; k++) {
      const Impulse *impulse = &scene->world->pending[k];
      if (equal)
        assert_near(impulse->impulse[2], 12.0 / steps, 1e-9);
      if (number >= 0)
        assert_int_equal(impulse->event, number);
      number = impulse->event;
      sum += impulse->impulse[2];
      count++;
    }
    assert_true(world_step(scene->world));
  }
  assert_int_equal(count, steps);
  assert_near(sum, 12, 1e-12);
  assert_int_equal(scene->events.active_count, 0);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_a_push_is_spread_evenly(void **state) {
  (void)state;
  check_push("  - {kind: push, time: 0.05, part: base, impulse: 12, duration: 0.1}\n", 24, true);
  for (int step = 0; step < 30; step++) { // no small remainder is left to a 25th step, however the times are rounded
    char event[128];
    snprintf(event, sizeof event, "  - {kind: push, time: %d/240, part: base, impulse: 12, duration: 0.1}\n", step);
    check_push(event, 24, true);
  }
  check_push("  - {kind: push, time: 0.0513, part: base, impulse: 12, duration: 0.1}\n", 25, false);
  check_push("  - {kind: push, time: 0.05, part: base, impulse: 12, duration: 0.001}\n", 1, true);
}

static void test_a_bullet_is_spread_as_a_triangle(void **state) {
  (void)state;
  SceneDef *def =
      small_def("world: {gravity: [0, 0, 0]}\n"
                "characters:\n"
                "  - {name: doll, body: boxes.yaml, start: {position: [0, 5, 0]}, hit_reaction: {spread: 0.05}}\n"
                "events: [{time: 0, part: base, impulse: 12}]\n");
  Scene *scene = small_scene(def);
  double given[16] = {0}, sum = 0;
  for (int i = 0; i < 16; i++) {
    events_step(&scene->events, scene->world, scene->characters, NULL);
    for (int k = 0; k < scene->world->pending_count; k++)
      given[i] += scene->world->pending[k].impulse[2];
    sum += given[i];
    world_step(scene->world);
  }
  assert_near(sum, 12, 1e-12);
  // 12 steps: up to the middle, down again, symmetric.
  for (int i = 0; i < 6; i++) {
    assert_near(given[i], 12 * (2.0 * (i + 1) * (i + 1) - 2.0 * i * i) / 144, 1e-9);
    assert_near(given[i], given[11 - i], 1e-9);
  }
  for (int i = 12; i < 16; i++)
    assert_true(given[i] == 0);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_a_point_is_in_the_parts_frame(void **state) {
  (void)state;
  SceneDef *def = small_def("world: {gravity: [0, 0, 0]}\n"
                            "characters:\n"
                            "  - {name: doll, body: boxes.yaml, start: {position: [3, 5, 0], heading: 90}}\n"
                            "events: [{time: 0, part: base, impulse: 1, point: [0.1, 0.2, 0.3]}]\n");
  Scene *scene = small_scene(def);
  events_step(&scene->events, scene->world, scene->characters, NULL);
  // A quarter turn to the left takes left (x) backward (-z) and forward (z) to the left (x).
  const double wanted[3] = {3 + 0.3, 5 + 1 + 0.2, -0.1};
  for (int k = 0; k < 3; k++)
    assert_near(scene->world->pending[0].point[k], wanted[k], 1e-5);
  scene_destroy(scene);
  scene_def_free(def);
}

// Bullets pass the centre of mass at right angles by at most 30 % of the shape's smallest half-size; pushes act at it.
static void test_bullets_scatter_around_the_center_of_mass(void **state) {
  (void)state;
  SceneDef *def = flight("  - {every: 0.01, part: any, impulse: 1e-6, direction: [0, 360], elevation: [-60, 60]}\n"
                         "  - {kind: push, every: 0.01, part: any, impulse: 1e-6, duration: 0.001}\n");
  Scene *scene = small_scene(def);
  static const double most[2] = {0.3 * 0.1, 0.3 * 0.1}; // box of 0.2 m, sphere of 0.1 m
  double largest = 0;
  int bullets[2] = {0}, pushes = 0;
  for (int i = 0; i < 960; i++) {
    events_step(&scene->events, scene->world, scene->characters, NULL);
    for (int k = 0; k < scene->world->pending_count; k++) {
      const Impulse *impulse = &scene->world->pending[k];
      const dReal *com = dBodyGetPosition(scene->world->bodies[impulse->body].ode);
      double offset[3], along = 0;
      for (int j = 0; j < 3; j++) {
        offset[j] = impulse->point[j] - com[j];
        along += offset[j] * impulse->impulse[j] / length(impulse->impulse);
      }
      if (impulse->source == IMPULSE_PUSH) {
        assert_near(length(offset), 0, 1e-12);
        pushes++;
        continue;
      }
      assert_near(along, 0, 1e-9);
      assert_true(length(offset) <= most[impulse->body] + 1e-12);
      largest = fmax(largest, length(offset));
      bullets[impulse->body]++;
    }
    world_step(scene->world);
  }
  assert_true(bullets[0] > 150 && bullets[1] > 150 && pushes > 300);
  assert_true(largest > 0.028);
  scene_destroy(scene);
  scene_def_free(def);
}

// Times and sizes of the bullets of a list.
typedef struct Shots {
  double time[64], size[64];
  int count;
} Shots;

static Shots shoot(const char *events, int seed, int only) {
  Shots shots = {0};
  SceneDef *def = flight(events);
  def->run.seed = seed;
  Scene *scene = small_scene(def);
  for (int i = 0; i < 2400; i++) {
    events_step(&scene->events, scene->world, scene->characters, NULL);
    for (int k = 0; k < scene->world->pending_count && shots.count < 64; k++) {
      double size = length(scene->world->pending[k].impulse);
      if (only && size > 1)
        continue;
      shots.time[shots.count] = scene->world->time;
      shots.size[shots.count++] = size;
    }
    world_step(scene->world);
  }
  scene_destroy(scene);
  scene_def_free(def);
  return shots;
}

static const char LIST[] = "  - {every: [0.5, 1.5], from: 1, until: 8, part: [base, top], impulse: [0.1, 0.2]}\n";

static void test_random_lists_keep_their_ranges(void **state) {
  (void)state;
  for (int seed = 1; seed <= 5; seed++) {
    Shots shots = shoot(LIST, seed, 0);
    assert_true(shots.count >= 5 && shots.count <= 15);
    assert_near(shots.time[0], 1, 1e-9);
    for (int i = 0; i < shots.count; i++) {
      assert_true(shots.time[i] <= 8);
      assert_true(shots.size[i] >= 0.1 && shots.size[i] < 0.2);
      if (i > 0)
        assert_true(shots.time[i] - shots.time[i - 1] >= 0.5 - DT && shots.time[i] - shots.time[i - 1] <= 1.5 + DT);
    }
  }
  Shots three = shoot("  - {every: 0.25, from: 0.5, count: 3, part: any, impulse: 0.1}\n", 1, 0);
  assert_int_equal(three.count, 3);
  for (int i = 0; i < 3; i++)
    assert_near(three.time[i], 0.5 + 0.25 * i, 1e-9);
}

static void test_chance_is_repeatable(void **state) {
  (void)state;
  Shots first = shoot(LIST, 3, 0), again = shoot(LIST, 3, 0), other = shoot(LIST, 4, 0);
  assert_memory_equal(&first, &again, sizeof first);
  assert_memory_not_equal(&first, &other, sizeof first);
}

// Another event changes neither the times nor the sizes of the first list.
static void test_events_draw_their_own_numbers(void **state) {
  (void)state;
  char both[512];
  snprintf(both, sizeof both, "%s  - {every: [0.1, 0.4], part: any, impulse: [2, 3], direction: [0, 360]}\n", LIST);
  Shots alone = shoot(LIST, 3, 1), beside = shoot(both, 3, 1);
  assert_memory_equal(&alone, &beside, sizeof alone);
}

static void test_nothing_changes_nothing(void **state) {
  (void)state;
  SceneDef *hit_def = flight("  - {every: [0.01, 0.1], part: any, impulse: 0, direction: [0, 360]}\n"
                             "  - {kind: push, time: 0.1, part: top, impulse: 0, duration: 0.2}\n");
  SceneDef *free_def = small_def(SMALL_FLIGHT);
  Scene *hit = small_scene(hit_def), *free_scene = small_scene(free_def);
  for (int i = 0; i < 240; i++) {
    assert_true(scene_step(hit) && scene_step(free_scene));
    assert_true(world_hash(hit->world) == world_hash(free_scene->world));
    assert_int_equal(hit->world->impulse_count, 0);
  }
  int hits;
  metrics_hits(hit->characters[0]->judged->metrics, &hits);
  assert_int_equal(hits, 0);
  scene_destroy(hit);
  scene_destroy(free_scene);
  scene_def_free(hit_def);
  scene_def_free(free_def);
}

static void test_metrics_see_each_hit_once(void **state) {
  (void)state;
  SceneDef *def = flight("  - {time: 0.5, part: top, impulse: 3}\n"
                         "  - {kind: push, time: 1, part: base, impulse: 12, duration: 0.1}\n");
  Scene *scene = small_scene(def);
  for (int i = 0; i < 480; i++)
    assert_true(scene_step(scene));
  scene_finish(scene);
  int count;
  const MetricsHit *hits = metrics_hits(scene->characters[0]->judged->metrics, &count);
  assert_int_equal(count, 2);
  assert_string_equal(hits[0].part, "top");
  assert_string_equal(hits[1].part, "base");
  assert_near(hits[0].time, 0.5, 1e-9);
  assert_near(hits[1].time, 1, 1e-9);
  assert_near(hits[0].impulse, 3, 1e-9);
  assert_near(hits[1].impulse, 12, 1e-9);
  scene_destroy(scene);
  scene_def_free(def);
}

static void test_an_overflow_is_counted(void **state) {
  (void)state;
  SceneDef *def = flight("  - {kind: push, every: 0.001, part: any, impulse: 1e-6, duration: 60}\n");
  Scene *scene = small_scene(def);
  for (int i = 0; i < 240; i++)
    assert_true(scene_step(scene));
  assert_int_equal(scene->events.active_count, EVENTS_MAX_ACTIVE);
  assert_true(scene->events.dropped > 700);
  scene_destroy(scene);
  scene_def_free(def);
}

// A ball that would start under the ground starts on it: no part of its radius is in it.
static void test_a_ball_begins_on_the_ground(void **state) {
  (void)state;
  static const double elevations[] = {60, 18.5, -30};
  for (int i = 0; i < 3; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "characters: [{name: doll, body: boxes.yaml}]\n"
             "events: [{kind: projectile, time: 0, part: base, radius: 0.12, mass: 0.5, speed: 12, distance: 3,"
             " direction: 0, elevation: %g}]\n",
             elevations[i]);
    SceneDef *def = small_def(text);
    Scene *scene = small_scene(def);
    int before = scene->world->body_count;
    events_step(&scene->events, scene->world, scene->characters, NULL);
    assert_true(scene->world->body_count > before || scene->events.dropped == 0);
    dBodyID ball = NULL;
    for (int k = 0; k < scene->world->body_count; k++)
      if (scene->world->bodies[k].owner == WORLD_NO_OWNER && fabs(scene->world->bodies[k].mass - 0.5) < 1e-9)
        ball = scene->world->bodies[k].ode;
    assert_non_null(ball);
    const dReal *p = dBodyGetPosition(ball);
    if (i < 2)
      assert_near(p[1], 0.12, 1e-9);
    else
      assert_true(p[1] > 2);
    scene_destroy(scene);
    scene_def_free(def);
  }
}

// As many events as a scene can have, each in a step of its own: each happens once, in its step, with its impulse.
static void test_as_many_as_there_can_be(void **state) {
  (void)state;
  static char text[EVENTS_MAX * 64];
  int length = 0;
  for (int i = 0; i < EVENTS_MAX; i++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "  - {time: %.6f, part: base, impulse: 0.0%d, direction: 0}\n", (i + 0.5) * DT, 1 + i % 7);
  char whole[sizeof text + 512];
  snprintf(whole, sizeof whole, "%sevents:\n%s", SMALL_FLIGHT, text);
  SceneDef *def = small_def(whole);
  Scene *scene = small_scene(def);
  assert_int_equal(scene->events.count, EVENTS_MAX);
  double before[3], after[3];
  for (int i = 0; i < EVENTS_MAX; i++) {
    momentum(scene, before);
    assert_true(scene_step(scene));
    momentum(scene, after);
    assert_near(after[2] - before[2], 0.01 * (1 + i % 7), 1e-9);
    assert_int_equal(scene->events.started, i + 1);
  }
  assert_true(scene_step(scene));
  assert_int_equal(scene->events.started, EVENTS_MAX);
  scene_destroy(scene);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_share),
      cmocka_unit_test(test_direction_is_in_the_characters_frame),
      cmocka_unit_test(test_deviation_turns_and_nothing_else),
      cmocka_unit_test(test_an_impulse_changes_momentum_by_itself),
      cmocka_unit_test(test_an_event_falls_into_the_step_of_its_time),
      cmocka_unit_test(test_a_push_is_spread_evenly),
      cmocka_unit_test(test_a_bullet_is_spread_as_a_triangle),
      cmocka_unit_test(test_a_point_is_in_the_parts_frame),
      cmocka_unit_test(test_bullets_scatter_around_the_center_of_mass),
      cmocka_unit_test(test_random_lists_keep_their_ranges),
      cmocka_unit_test(test_chance_is_repeatable),
      cmocka_unit_test(test_events_draw_their_own_numbers),
      cmocka_unit_test(test_nothing_changes_nothing),
      cmocka_unit_test(test_metrics_see_each_hit_once),
      cmocka_unit_test(test_an_overflow_is_counted),
      cmocka_unit_test(test_as_many_as_there_can_be),
      cmocka_unit_test(test_a_ball_begins_on_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
