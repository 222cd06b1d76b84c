// Thrown balls: their momentum passes to what they hit, is reported and felt as a hit; resting contact is no hit.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "sim/base/numbers.h"
#include "sim/world/projectile.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

typedef struct Flight {
  Terrain *terrain;
  World *world;
  int target; // a box of 2 kg that belongs to character 0
} Flight;

// A box of 0.2 x 0.4 x 0.3 m at height 5, nothing else.
static Flight flight_start(double gravity, double height) {
  Flight f;
  Error error = {0};
  FileSet files = {0};
  TerrainDef terrain_def;
  WorldDef world_def;
  param_defaults(&terrain_params, &terrain_def);
  param_defaults(&world_params, &world_def);
  world_def.gravity[1] = gravity;
  f.terrain = terrain_create(&terrain_def, 1, &files, &error);
  f.world = world_create(&world_def, f.terrain, 1, &error);
  fixture_check(&error);
  dBodyID body = dBodyCreate(f.world->ode);
  dMass mass;
  dMassSetBoxTotal(&mass, 2, 0.2, 0.4, 0.3);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, 0, height, 0);
  dGeomSetBody(dCreateBox(f.world->space, 0.2, 0.4, 0.3), body);
  f.target = world_add_body(f.world, (WorldBody){.ode = body, .owner = 0, .name = "box"});
  return f;
}

static void flight_end(Flight *f) {
  world_destroy(f->world);
  terrain_destroy(f->terrain);
}

static const double *velocity(const World *world, int body) { return dBodyGetLinearVel(world->bodies[body].ode); }

static Projectile ball_at(double height, double speed) {
  return (Projectile){.mass = 3, .radius = 0.11, .position = {0, height, -1}, .velocity = {0, 0, speed}, .event = 42};
}

// Head on: momentum is kept to the last digits, the two separate or stay together, and the box's gain is reported.
static void test_momentum_goes_over(void **state) {
  (void)state;
  Flight f = flight_start(0, 5);
  Projectile thrown = ball_at(5, 8);
  int ball = projectile_create(f.world, &thrown);
  assert_int_equal(ball, 1);
  double given[3] = {0};
  int hits = 0;
  for (int i = 0; i < 120; i++) {
    assert_true(world_step(f.world));
    for (int k = 0; k < f.world->impulse_count; k++) {
      const Impulse *impulse = &f.world->impulses[k];
      assert_int_equal(impulse->body, f.target);
      assert_int_equal(impulse->source, IMPULSE_CONTACT);
      assert_int_equal(impulse->event, 42);
      assert_near(impulse->point[2], -0.15, 0.04);
      hits++;
      for (int j = 0; j < 3; j++)
        given[j] += impulse->impulse[j];
    }
  }
  const double *box = velocity(f.world, f.target), *after = velocity(f.world, ball);
  assert_near(2 * box[2] + 3 * after[2], 3 * 8, 1e-9);
  // All of the box's gain is in the reports, except for what the contact's softness returns afterwards.
  assert_int_equal(hits, 1);
  assert_near(given[2], 2 * box[2], 0.02 * 2 * box[2]);
  // Without restitution both would move at 4.8 m/s; the push out of the penetration separates them by at most 1 m/s.
  assert_true(box[2] >= after[2] - 0.05 && box[2] - after[2] <= 1 + 1e-9);
  flight_end(&f);
}

// From all sides, off centre, too: at every hit all of the box's gain so far is in the reports. Afterwards the two may
// slide against each other slowly, which is no hit.
static void test_reports_sum_to_the_change_of_momentum(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    Flight f = flight_start(0, 5);
    double angle = k * M_PI / 4;
    Projectile thrown = {.mass = 1, .radius = 0.1, .event = 1};
    thrown.position[0] = -sin(angle), thrown.position[1] = 5.03, thrown.position[2] = -cos(angle);
    thrown.velocity[0] = 10 * sin(angle), thrown.velocity[2] = 10 * cos(angle);
    int ball = projectile_create(f.world, &thrown);
    double given[3] = {0}, at_hit[3] = {0};
    for (int i = 0; i < 60; i++) {
      assert_true(world_step(f.world));
      for (int n = 0; n < f.world->impulse_count; n++)
        for (int j = 0; j < 3; j++)
          given[j] += f.world->impulses[n].impulse[j];
      if (f.world->impulse_count > 0)
        for (int j = 0; j < 3; j++)
          at_hit[j] = 2 * velocity(f.world, f.target)[j];
    }
    assert_true(length3(given) > 3);
    for (int j = 0; j < 3; j++) {
      assert_near(given[j], at_hit[j], 1e-9);
      assert_near(given[j], thrown.velocity[j] - velocity(f.world, ball)[j], 0.12 * length3(given));
    }
    flight_end(&f);
  }
}

// A ball lies on a box that lies on the ground; then the box is put on a ball. There is no hit.
static void test_resting_contact_is_no_hit(void **state) {
  (void)state;
  Flight f = flight_start(-9.81, 0.2);
  Projectile thrown = {.mass = 3, .radius = 0.11, .position = {0, 0.4 + 0.11, 0}};
  int ball = projectile_create(f.world, &thrown);
  double pressing = 0;
  for (int i = 0; i < 240; i++) {
    assert_true(world_step(f.world));
    assert_int_equal(f.world->impulse_count, 0);
    pressing = 0;
    for (int k = 0; k < f.world->contact_count; k++)
      if (f.world->contacts[k].other != WORLD_GROUND)
        pressing += fabs(f.world->contacts[k].impulse[1]);
  }
  assert_near(pressing, 3 * 9.81 * DT, 1e-3);

  dBodySetPosition(f.world->bodies[ball].ode, 0, 0.11, 0);
  dBodySetPosition(f.world->bodies[f.target].ode, 0, 0.22 + 0.2, 0);
  for (int i = 0; i < 20; i++) {
    assert_true(world_step(f.world));
    assert_int_equal(f.world->impulse_count, 0);
  }
  flight_end(&f);
}

static void test_balls_touch_each_other_and_the_ground(void **state) {
  (void)state;
  Flight f = flight_start(-9.81, 5);
  Projectile left = {.mass = 1, .radius = 0.1, .position = {3, 0.1, -1}, .velocity = {0, 0, 4}};
  Projectile right = {.mass = 1, .radius = 0.1, .position = {3, 0.1, 1}, .velocity = {0, 0, -4}};
  int a = projectile_create(f.world, &left), b = projectile_create(f.world, &right);
  for (int i = 0; i < 240; i++)
    assert_true(world_step(f.world));
  const dReal *p = dBodyGetPosition(f.world->bodies[a].ode), *q = dBodyGetPosition(f.world->bodies[b].ode);
  assert_true(p[2] <= -0.09 && q[2] >= 0.09);
  assert_near(p[1], 0.1, 0.01);
  assert_near(q[1], 0.1, 0.01);
  flight_end(&f);
}

// A second throw is a new ball in the same body.
static void test_relaunch(void **state) {
  (void)state;
  Flight f = flight_start(0, 5);
  Projectile thrown = ball_at(5, 8);
  int ball = projectile_create(f.world, &thrown);
  for (int i = 0; i < 60; i++)
    assert_true(world_step(f.world));
  Projectile again = {.mass = 0.5, .radius = 0.3, .position = {4, 2, 1}, .velocity = {0, 1, 0}, .event = 43};
  assert_true(projectile_relaunch(f.world, ball, &again));
  assert_int_equal(f.world->body_count, 2);
  assert_int_equal(f.world->bodies[ball].event, 43);
  assert_near(f.world->bodies[ball].mass, 0.5, 0);
  for (int i = 0; i < 24; i++)
    assert_true(world_step(f.world));
  dBodyID body = f.world->bodies[ball].ode;
  assert_near(dBodyGetPosition(body)[1], 2.1, 1e-12);
  assert_near(length3(dBodyGetAngularVel(body)), 0, 0);
  WorldHit hit;
  assert_true(world_cast(f.world, (double[]){4, 8, 1}, (double[]){0, -1, 0}, 10, &hit));
  assert_int_equal(hit.body, ball);
  assert_near(hit.distance, 8 - 2.1 - 0.3, 1e-9);

  assert_false(projectile_relaunch(f.world, f.target, &again)); // no ball
  assert_false(projectile_relaunch(f.world, -1, &again));
  assert_false(projectile_relaunch(f.world, 2, &again));
  f.world->bodies[ball].owner = 0; // the head of somebody
  assert_false(projectile_relaunch(f.world, ball, &again));
  f.world->bodies[ball].owner = WORLD_NO_OWNER;
  assert_true(projectile_relaunch(f.world, ball, &again));
  dGeomDestroy(dBodyGetFirstGeom(body)); // without a shape
  assert_false(projectile_relaunch(f.world, ball, &again));
  flight_end(&f);
}

static void test_bad_throws_are_refused(void **state) {
  (void)state;
  Flight f = flight_start(0, 5);
  Projectile good = ball_at(5, 8), bad[12];
  for (int i = 0; i < 12; i++)
    bad[i] = good;
  bad[0].mass = NAN, bad[1].mass = 0, bad[2].mass = -1, bad[3].mass = INFINITY, bad[4].mass = 1e6;
  bad[5].radius = NAN, bad[6].radius = 0, bad[7].radius = 100;
  bad[8].position[1] = NAN, bad[9].velocity[0] = NAN, bad[10].velocity[2] = INFINITY;
  bad[11].velocity[2] = f.world->def.max_speed * 1.001;
  int ball = projectile_create(f.world, &good);
  uint64_t before = world_hash(f.world);
  for (int i = 0; i < 12; i++) {
    assert_int_equal(projectile_create(f.world, &bad[i]), -1);
    assert_false(projectile_relaunch(f.world, ball, &bad[i]));
  }
  assert_int_equal(f.world->body_count, 2);
  assert_true(world_hash(f.world) == before);
  flight_end(&f);
}

static void test_a_full_world_takes_no_ball(void **state) {
  (void)state;
  Flight f = flight_start(0, 5);
  Projectile ball = {.mass = 1, .radius = 0.1, .position = {0, 50, 0}};
  while (f.world->body_count < WORLD_MAX_BODIES) {
    ball.position[0] += 1;
    assert_true(projectile_create(f.world, &ball) >= 0);
  }
  assert_int_equal(projectile_create(f.world, &ball), -1);
  assert_int_equal(f.world->body_count, WORLD_MAX_BODIES);
  flight_end(&f);
}

// Neither an endless fall nor the spin of a small ball on the ground stops the run.
static void test_a_ball_never_stops_the_run(void **state) {
  (void)state;
  Flight f = flight_start(-9.81, 0.2);
  Projectile spinning = {.mass = 0.05, .radius = 0.02, .position = {2, 0.02, 0}, .velocity = {0, -1, 50}};
  int ball = projectile_create(f.world, &spinning);
  double spin = 0;
  for (int i = 0; i < 480; i++) {
    assert_true(world_step(f.world));
    spin = fmax(spin, length3(dBodyGetAngularVel(f.world->bodies[ball].ode)));
  }
  assert_true(spin > 300 && spin <= f.world->def.max_angular_speed);

  spinning.position[1] = 1e5;
  assert_true(projectile_relaunch(f.world, ball, &spinning));
  for (int i = 0; i < 240 * 20; i++)
    assert_true(world_step(f.world));
  assert_true(length3(velocity(f.world, ball)) > 70); // falls freely until then
  flight_end(&f);
}

// A character that is hit by a ball staggers as by a bullet, and the metrics count it.
static void test_a_character_feels_it(void **state) {
  (void)state;
  SceneDef *def = small_def(SMALL_FLIGHT);
  Scene *scene = small_scene(def);
  Projectile ball = {.mass = 1,
                     .radius = 0.1,
                     .position = {0, 6, -0.6},
                     .velocity = {0, 0, 6},
                     .event = events_number(&scene->events)};
  assert_int_equal(projectile_create(scene->world, &ball), 2);
  double given = 0, first = 0;
  float strength = 1;
  for (int i = 0; i < 120; i++) {
    double start = scene->world->time;
    assert_true(scene_step(scene));
    for (int k = 0; k < scene->world->impulse_count; k++) {
      if (given == 0)
        first = start;
      given += length3(scene->world->impulses[k].impulse);
    }
    strength = fminf(strength, scene->characters[0]->hit_reaction.strength[1]);
  }
  assert_true(given > 3 && strength < 0.9f);
  scene_finish(scene);
  int count;
  const MetricsHit *hits = metrics_hits(scene->characters[0]->judged->metrics, &count);
  assert_true(count >= 1);
  assert_string_equal(hits[0].part, "base");
  assert_near(hits[0].time, first, 1e-9);
  double counted = 0;
  for (int i = 0; i < count; i++)
    counted += hits[i].impulse;
  assert_near(counted, given, 1e-9);
  scene_destroy(scene);
  scene_def_free(def);
}

// Balls from all sides, thrown from 3 m at 5 m/s, which takes 0.6 s: far more than 16 are in flight, and none vanishes
// before it strikes.
static void test_balls_in_flight_stay(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 4\n"
                            "characters: [{name: doll, body: boxes.yaml, drive: {kinematic: true}}]\n"
                            "events: [{kind: projectile, part: base, every: 0.02, until: 1.99, direction: [0, 360],\n"
                            "          mass: 0.1, speed: 5}]\n");
  Scene *scene = small_scene(def);
  bool struck[100] = {false};
  int most = 0, hits = 0;
  for (int i = 0; i < 3 * 240; i++) {
    assert_true(scene_step(scene));
    most = scene->events.balls.count > most ? scene->events.balls.count : most;
    for (int k = 0; k < scene->world->impulse_count; k++)
      struck[scene->world->impulses[k].event] = true;
  }
  for (int i = 0; i < 100; i++)
    hits += struck[i];
  assert_int_equal(scene->events.started, 100);
  assert_int_equal(scene->events.dropped, 0);
  assert_true(most >= 40 && most <= 50); // those of 0.85 s
  if (hits < 95)                         // some strike each other
    fail_msg("%d of 100 balls hit", hits);
  scene_destroy(scene);
  scene_def_free(def);
}

// Beyond the largest number in flight the others are counted, and those in flight stay.
static void test_balls_beyond_the_most_are_counted(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 2\n" SMALL_FLIGHT
                            "events: [{kind: projectile, part: base, every: 0.001, until: 0.3995, mass: 0.001,\n"
                            "          distance: 9, speed: 5, radius: 0.005}]\n");
  Scene *scene = small_scene(def);
  for (int i = 0; i < 100; i++)
    assert_true(scene_step(scene));
  const Events *events = &scene->events;
  assert_int_equal(events->balls.count, PROJECTILE_MAX);
  assert_int_equal(events->started, 400);
  assert_int_equal(events->dropped, 400 - PROJECTILE_MAX);
  scene_destroy(scene);
  scene_def_free(def);
}

// The ring keeps the order of throws: the oldest ball is always the one that is thrown again.
static void test_the_oldest_is_thrown_again(void **state) {
  (void)state;
  Flight f = flight_start(0, 5);
  static Projectiles balls;
  balls = (Projectiles){.count = 0};
  Projectile ball = {.mass = 1, .radius = 0.01, .position = {50, 5, 0}, .event = 1};
  int thrown[200] = {0}, count = 0;
  for (int i = 0; i < 200; i++) {
    ball.arrival = i % 90 < 60 ? 0.1 : 0.5; // fewer in flight, then more
    ball.position[2] = i;
    int body = projectiles_throw(&balls, f.world, &ball);
    assert_true(body >= 0);
    int oldest = thrown[0], found = -1;
    for (int k = 0; k < count; k++)
      if (thrown[k] == body)
        found = k;
    assert_true(found <= 0); // a new one, or the oldest
    if (found == 0) {
      assert_int_equal(body, oldest);
      memmove(thrown, thrown + 1, (size_t)(--count) * sizeof *thrown);
    }
    thrown[count++] = body;
    assert_true(world_step(f.world) && world_step(f.world));
  }
  assert_int_equal(count, balls.count);
  assert_true(count > PROJECTILE_KEPT && count < 100);
  flight_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_balls_in_flight_stay),
      cmocka_unit_test(test_balls_beyond_the_most_are_counted),
      cmocka_unit_test(test_the_oldest_is_thrown_again),
      cmocka_unit_test(test_momentum_goes_over),
      cmocka_unit_test(test_reports_sum_to_the_change_of_momentum),
      cmocka_unit_test(test_resting_contact_is_no_hit),
      cmocka_unit_test(test_balls_touch_each_other_and_the_ground),
      cmocka_unit_test(test_relaunch),
      cmocka_unit_test(test_bad_throws_are_refused),
      cmocka_unit_test(test_a_full_world_takes_no_ball),
      cmocka_unit_test(test_a_ball_never_stops_the_run),
      cmocka_unit_test(test_a_character_feels_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
