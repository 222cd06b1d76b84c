// Rays into the world: they meet the nearest shape at its exact distance, and change nothing.
#include "tests/unit/small_scene.h"

#include "sim/base/numbers.h"
#include "tests/fixture.h"

// A flying doll: a box of 0.2 x 0.4 x 0.3 m with its centre at y = 6, and on it a ball of 0.1 m at y = 6.4.
enum { BASE = 0, TOP = 1 };

typedef struct Still {
  SceneDef *def;
  Scene *scene;
} Still;

static Still still(void) {
  Still s = {.def = small_def(SMALL_FLIGHT)};
  s.scene = small_scene(s.def);
  return s;
}

static void still_end(Still *s) {
  scene_destroy(s->scene);
  scene_def_free(s->def);
}

static void check_hit(const World *world, const double origin[3], const double direction[3], int body, double distance,
                      const double normal[3]) {
  WorldHit hit;
  assert_true(world_cast(world, origin, direction, 100, &hit));
  assert_int_equal(hit.body, body);
  assert_near(hit.distance, distance, 1e-6); // poses start in single precision
  double length = length3(direction);
  for (int i = 0; i < 3; i++) {
    assert_near(hit.point[i], origin[i] + hit.distance * direction[i] / length, 1e-9);
    assert_near(hit.normal[i], normal[i], 1e-5);
  }
}

static void test_shapes_are_met_at_their_surface(void **state) {
  (void)state;
  Still s = still();
  const World *world = s.scene->world;
  check_hit(world, (double[]){0, 6, 2}, (double[]){0, 0, -1}, BASE, 2 - 0.15, (double[]){0, 0, 1});
  check_hit(world, (double[]){-3, 6.1, 0.1}, (double[]){1, 0, 0}, BASE, 3 - 0.1, (double[]){-1, 0, 0});
  check_hit(world, (double[]){0, 6.4, 2}, (double[]){0, 0, -1}, TOP, 2 - 0.1, (double[]){0, 0, 1});
  check_hit(world, (double[]){0, 9, 0}, (double[]){0, -1, 0}, TOP, 3 - 0.4 - 0.1, (double[]){0, 1, 0});
  check_hit(world, (double[]){0, 0.5, 0}, (double[]){0, 1, 0}, BASE, 5.8 - 0.5, (double[]){0, -1, 0});
  // A length of the direction other than 1 does not matter.
  check_hit(world, (double[]){0, 6, 2}, (double[]){0, 0, -7}, BASE, 2 - 0.15, (double[]){0, 0, 1});
  still_end(&s);
}

static void test_the_ground_is_met_behind_the_shapes(void **state) {
  (void)state;
  Still s = still();
  const World *world = s.scene->world;
  check_hit(world, (double[]){0, 1.5, 0}, (double[]){0, -1, 0}, WORLD_GROUND, 1.5, (double[]){0, 1, 0});
  check_hit(world, (double[]){1, 3, 0}, (double[]){0, -3, 4}, WORLD_GROUND, 5, (double[]){0, 1, 0});
  check_hit(world, (double[]){0, 9, 0.14}, (double[]){0, -1, 0}, BASE, 3 - 0.2, (double[]){0, 1, 0});
  check_hit(world, (double[]){0, 9, 0.16}, (double[]){0, -1, 0}, WORLD_GROUND, 9, (double[]){0, 1, 0});
  still_end(&s);
}

static void test_misses(void **state) {
  (void)state;
  Still s = still();
  WorldHit hit = {.body = 77};
  assert_false(world_cast(s.scene->world, (double[]){0, 6, 2}, (double[]){0, 0, 1}, 100, &hit));
  assert_false(world_cast(s.scene->world, (double[]){0, 6, 2}, (double[]){0, 0, -1}, 1.8, &hit)); // ends before it
  assert_false(world_cast(s.scene->world, (double[]){0.2, 6, 2}, (double[]){0, 0, -1}, 100, &hit));
  assert_int_equal(hit.body, 77);
  still_end(&s);
}

static void test_bad_numbers_are_refused(void **state) {
  (void)state;
  Still s = still();
  const World *world = s.scene->world;
  const double good[3] = {0, 6, 2}, forward[3] = {0, 0, -1}, bad[] = {NAN, INFINITY, -INFINITY};
  WorldHit hit;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double origin[3] = {0, 6, 2}, direction[3] = {0, 0, -1};
      origin[k] = direction[k] = bad[i];
      assert_false(world_cast(world, origin, forward, 10, &hit));
      assert_false(world_cast(world, good, direction, 10, &hit));
    }
    assert_false(world_cast(world, good, forward, bad[i], &hit));
  }
  assert_false(world_cast(world, good, (double[]){0, 0, 0}, 10, &hit));
  assert_false(world_cast(world, good, forward, 0, &hit));
  assert_false(world_cast(world, good, forward, -1, &hit));
  assert_true(world_cast(world, good, forward, 10, &hit));
  still_end(&s);
}

// Rays from anywhere agree with each other about the human body: a hit lies on the ray's path.
static void test_rays_meet_a_human_consistently(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int part = 0; part < f.body->part_count; part++) {
    const dReal *p = dBodyGetPosition(f.world->bodies[f.character->ragdoll->body[part]].ode);
    for (int k = 0; k < 12; k++) {
      double angle = k * M_PI / 6;
      double direction[3] = {sin(angle), -0.3, cos(angle)}, origin[3];
      for (int i = 0; i < 3; i++)
        origin[i] = p[i] - 5 * direction[i];
      WorldHit hit;
      assert_true(world_cast(f.world, origin, direction, 10, &hit));
      assert_true(hit.distance <= 5 * length3(direction) + 0.2);
      double out = 0;
      for (int i = 0; i < 3; i++)
        out += hit.normal[i] * direction[i];
      assert_true(out <= 1e-9);
    }
  }
  fixture_end(&f);
}

static uint64_t hash_of_run(bool casting) {
  Fixture f;
  fixture_init(&f);
  f.character_def.start.position[1] = 0.05;
  fixture_start(&f);
  uint64_t hash = 0;
  for (int i = 0; i < 240; i++) {
    fixture_step(&f);
    hash = hash * 31 + world_hash(f.world);
    for (int k = 0; casting && k < 20; k++) {
      WorldHit hit;
      world_cast(f.world, (double[]){0.05 * k - 0.5, 1, 3}, (double[]){0, 0.02 * k - 0.3, -1}, 10, &hit);
    }
  }
  fixture_end(&f);
  return hash;
}

static void test_rays_change_nothing(void **state) {
  (void)state;
  assert_true(hash_of_run(false) == hash_of_run(true));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shapes_are_met_at_their_surface),
      cmocka_unit_test(test_the_ground_is_met_behind_the_shapes),
      cmocka_unit_test(test_misses),
      cmocka_unit_test(test_bad_numbers_are_refused),
      cmocka_unit_test(test_rays_meet_a_human_consistently),
      cmocka_unit_test(test_rays_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
