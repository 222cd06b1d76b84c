// Platforms: their motion, and the ground that rays find: of platforms, of the terrain and of objects.
#include "sim/world/platform.h"

#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/world/projectile.h"
#include "sim/world/world_ground.h"
#include "tests/terrain_fixture.h"

// The rotation about up by an angle in rad.
#define YAW(angle) ((const double[]){cos(0.5 * (angle)), 0, sin(0.5 * (angle)), 0})

typedef struct Site {
  Terrain *terrain;
  World *world;
  Ground ground;
} Site;

static Site site(void) {
  Site s;
  TerrainDef terrain = default_def();
  terrain.x[0] = terrain.z[0] = -5;
  terrain.x[1] = terrain.z[1] = 5;
  WorldDef def;
  Error error = {0};
  param_defaults(&world_params, &def);
  s.terrain = create(&terrain, 1);
  s.world = world_create(&def, s.terrain, 1, &error);
  assert_non_null(s.world);
  s.ground = world_ground(s.world);
  return s;
}

static void site_end(Site *s) {
  world_destroy(s->world);
  terrain_destroy(s->terrain);
}

static bool cast(const Site *s, unsigned mask, const double origin[3], const double direction[3], double length,
                 GroundHit *hit) {
  return s->ground.ray(s->ground.context, mask, origin, direction, length, hit);
}

static int add(Site *s, double x, double y, double z, double yaw) {
  const double size[3] = {2, 0.4, 1}, place[3] = {x, y, z};
  int body = platform_create(s->world, "box", size, place, YAW(yaw));
  assert_true(body >= 0);
  return body;
}

// ---- Motion ----

static void place_at(double time, double place[3], double *yaw) {
  place[0] = 3 * sin(0.7 * time);
  place[1] = 1 + 0.5 * sin(1.3 * time);
  place[2] = 2 * cos(time);
  *yaw = 2.5 * time + sin(3 * time); // in circles
}

// The same, and it tilts by up to 0.6 rad.
static void tilted_at(double time, double place[3], double rotation[4]) {
  double yaw, tilt = 0.6 * sin(2 * time), axis = 1.1 * time;
  place_at(time, place, &yaw);
  const double tilted[] = {cos(tilt / 2), sin(tilt / 2) * cos(axis), 0, sin(tilt / 2) * sin(axis)};
  quaternion_times(YAW(yaw), tilted, rotation);
}

static void test_motion_is_exact(void **state) {
  (void)state;
  Site s = site();
  double place[3], yaw;
  place_at(0, place, &yaw);
  int body = add(&s, place[0], place[1], place[2], yaw);
  dBodyID ode = s.world->bodies[body].ode;
  for (int step = 1; step <= 2400; step++) {
    place_at(step * s.world->def.dt, place, &yaw);
    assert_true(platform_move(s.world, body, place, YAW(yaw)));
    assert_true(world_step(s.world));
    const dReal *p = dBodyGetPosition(ode), *q = dBodyGetQuaternion(ode);
    for (int i = 0; i < 3; i++)
      assert_near(p[i], place[i], 1e-12);
    assert_near(wrap_angle(2 * atan2(q[2], q[0]) - yaw), 0, 1e-12);
    assert_near(q[1], 0, 0);
    assert_near(q[3], 0, 0);
  }
  site_end(&s);
}

static void test_tilting_is_exact(void **state) {
  (void)state;
  Site s = site();
  double place[3], rotation[4];
  tilted_at(0, place, rotation);
  const double size[3] = {2, 0.4, 1};
  int body = platform_create(s.world, "box", size, place, rotation);
  dBodyID ode = s.world->bodies[body].ode;
  for (int step = 1; step <= 2400; step++) {
    tilted_at(step * s.world->def.dt, place, rotation);
    assert_true(platform_move(s.world, body, place, rotation));
    assert_true(world_step(s.world));
    const dReal *p = dBodyGetPosition(ode), *q = dBodyGetQuaternion(ode);
    double side = q[0] * rotation[0] + q[1] * rotation[1] + q[2] * rotation[2] + q[3] * rotation[3];
    for (int i = 0; i < 3; i++)
      assert_near(p[i], place[i], 1e-12);
    for (int i = 0; i < 4; i++)
      assert_near(q[i] * side, rotation[i], 1e-12);
  }
  site_end(&s);
}

static void test_bad_numbers_are_refused(void **state) {
  (void)state;
  Site s = site();
  const double size[3] = {1, 1, 1}, flat[3] = {1, 0, 1}, bad[3] = {1, NAN, 1}, place[3] = {0, 1, 0};
  assert_int_equal(platform_create(s.world, "a", flat, place, YAW(0)), -1);
  assert_int_equal(platform_create(s.world, "a", bad, place, YAW(0)), -1);
  assert_int_equal(platform_create(s.world, "a", size, bad, YAW(0)), -1);
  assert_int_equal(platform_create(s.world, "a", size, place, (const double[]){INFINITY, 0, 0, 0}), -1);
  assert_int_equal(platform_create(s.world, "a", size, place, (const double[4]){0}), -1);
  int body = platform_create(s.world, "a", size, place, YAW(0));
  assert_int_equal(body, 0);
  assert_true(platform_move(s.world, body, (const double[3]){0, 1, 0.01}, YAW(0)));
  assert_false(platform_move(s.world, body, bad, YAW(0))); // stands then
  assert_false(platform_move(s.world, body, place, YAW(NAN)));
  assert_false(platform_move(s.world, 1, place, YAW(0)));
  assert_false(platform_move(s.world, -1, place, YAW(0)));
  assert_true(world_step(s.world));
  assert_near(dBodyGetPosition(s.world->bodies[body].ode)[2], 0, 0);
  for (int i = 1; i < PLATFORM_MAX; i++)
    assert_int_equal(platform_create(s.world, "a", size, place, YAW(0)), i);
  assert_int_equal(platform_create(s.world, "a", size, place, YAW(0)), -1);
  site_end(&s);
}

// ---- Rays ----

// By brute force: where the ray meets each of the six faces of a box; INFINITY: nowhere.
static double meet_faces(const WorldPlatform *box, const double origin[3], const double direction[3],
                         double normal[3]) {
  const dReal *r = box->rotation;
  double nearest = INFINITY;
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) {
      double gap = 0, rate = 0, point[3], within = -INFINITY;
      for (int i = 0; i < 3; i++) {
        double face = box->position[i] + side * box->half[axis] * r[4 * i + axis];
        gap += (face - origin[i]) * r[4 * i + axis];
        rate += direction[i] * r[4 * i + axis];
      }
      double t = gap / rate;
      for (int i = 0; i < 3; i++)
        point[i] = origin[i] + t * direction[i] - box->position[i];
      for (int other = 0; other < 3; other++)
        if (other != axis)
          within = fmax(within, fabs(r[other] * point[0] + r[4 + other] * point[1] + r[8 + other] * point[2]) -
                                    box->half[other]);
      if (!(t >= 0 && t < nearest && within <= 0))
        continue;
      nearest = t;
      for (int i = 0; i < 3; i++)
        normal[i] = side * r[4 * i + axis];
    }
  return nearest;
}

static void random_vector(Rng *rng, double reach, double v[3]) {
  for (int i = 0; i < 3; i++)
    v[i] = rng_range(rng, -reach, reach);
}

static void test_rays_against_brute_force(void **state) {
  (void)state;
  Site s = site();
  Rng rng = rng_make(3, "rays");
  for (int i = 0; i < 12; i++) {
    double size[3], place[3];
    for (int k = 0; k < 3; k++)
      size[k] = rng_range(&rng, 0.2, 3);
    random_vector(&rng, 4, place);
    double rotation[4], tilt = rng_range(&rng, -1, 1);
    const double tilted[] = {cos(tilt), sin(tilt), 0, 0};
    quaternion_times(YAW(rng_range(&rng, -4, 4)), i % 2 ? tilted : YAW(0), rotation);
    assert_true(platform_create(s.world, "box", size, place, rotation) >= 0);
  }
  int hits = 0, insides = 0;
  for (int n = 0; n < 20000; n++) {
    double origin[3], direction[3], length = rng_range(&rng, 0.1, 8);
    random_vector(&rng, 6, origin);
    random_vector(&rng, 1, direction);
    if (n % 4 == 0)
      direction[0] = direction[2] = 0; // straight up or down
    double size = length3(direction);
    for (int i = 0; i < 3; i++)
      direction[i] /= size;
    double nearest = INFINITY, normal[3] = {0}, own[3] = {0};
    bool inside = false;
    for (int i = 0; i < s.world->platform_count; i++) {
      const WorldPlatform *box = &s.world->platforms[i];
      double back[3] = {-direction[0], -direction[1], -direction[2]};
      double t = meet_faces(box, origin, direction, own);
      inside |= isfinite(t) && isfinite(meet_faces(box, origin, back, (double[3]){0}));
      if (t < nearest) {
        nearest = t;
        memcpy(normal, own, sizeof normal);
      }
    }
    GroundHit hit;
    bool met = cast(&s, GROUND_PLATFORMS, origin, direction, length, &hit);
    assert_int_equal(met, inside || nearest <= length);
    insides += inside;
    if (!met)
      continue;
    hits++;
    assert_near(hit.distance, inside ? 0 : nearest, 1e-12);
    assert_int_equal(hit.kind, GROUND_PLATFORMS);
    for (int i = 0; i < 3; i++) {
      assert_near(hit.position_w[i], origin[i] + hit.distance * direction[i], 0);
      assert_near(hit.normal_w[i], inside ? hit.normal_w[i] : normal[i], 1e-12);
    }
    assert_near(length3(hit.normal_w), 1, 1e-12);
  }
  assert_in_range(hits, 1500, 12000);
  assert_in_range(insides, 200, 3000);
  site_end(&s);
}

static void test_masks(void **state) {
  (void)state;
  Site s = site();
  add(&s, 0, 1, 0, 0.3);
  const Projectile ball = {.mass = 1, .radius = 0.2, .position = {0, 2, 0}};
  assert_true(projectile_create(s.world, &ball) >= 0);
  const double origin[3] = {0, 3, 0}, down[3] = {0, -1, 0}, nan[3] = {NAN, 3, 0};
  GroundHit hit;
  const struct {
    unsigned mask, kind;
    double distance;
  } cases[] = {{GROUND_ALL, GROUND_PROPS, 0.8},
               {GROUND_PROPS, GROUND_PROPS, 0.8},
               {GROUND_TERRAIN | GROUND_PLATFORMS, GROUND_PLATFORMS, 1.8},
               {GROUND_TERRAIN, GROUND_TERRAIN, 3}};
  for (int i = 0; i < 4; i++) {
    assert_true(cast(&s, cases[i].mask, origin, down, 5, &hit));
    assert_near(hit.distance, cases[i].distance, 1e-9);
    assert_int_equal(hit.kind, cases[i].kind);
    assert_near(hit.normal_w[1], 1, 1e-9);
    assert_false(cast(&s, cases[i].mask, origin, down, cases[i].distance - 0.01, &hit));
    assert_false(cast(&s, cases[i].mask, nan, down, 5, &hit));
    assert_false(cast(&s, cases[i].mask, origin, down, NAN, &hit));
  }
  assert_true(cast(&s, GROUND_PLATFORMS, origin, down, 1.8, &hit)); // as long as the distance
  assert_false(cast(&s, 0, origin, down, 5, &hit));
  site_end(&s);
}

// The velocity is that of the very point in the coming step: the step moves the point by it, for any turn.
static void check_velocity(bool tilts) {
  Site s = site();
  double place[3], rotation[4], yaw;
  place_at(0, place, &yaw);
  int body = add(&s, place[0], place[1], place[2], yaw);
  dBodyID ode = s.world->bodies[body].ode;
  Rng rng = rng_make(1, "velocity");
  for (int step = 1; step <= 240; step++) {
    place_at(step * s.world->def.dt, place, &yaw);
    memcpy(rotation, YAW(yaw), sizeof rotation);
    if (tilts)
      tilted_at(step * s.world->def.dt, place, rotation);
    platform_move(s.world, body, place, rotation);
    const dReal *p = dBodyGetPosition(ode);
    const double origin[3] = {p[0] + rng_range(&rng, -0.3, 0.3), p[1] + 1, p[2] + rng_range(&rng, -0.3, 0.3)};
    const double down[3] = {0, -1, 0};
    GroundHit hit;
    assert_true(cast(&s, GROUND_ALL, origin, down, 2, &hit));
    assert_near(hit.turn_rate, dBodyGetAngularVel(ode)[1], 0);
    dVector3 point_l, after;
    dBodyGetPosRelPoint(ode, hit.position_w[0], hit.position_w[1], hit.position_w[2], point_l);
    assert_true(world_step(s.world));
    dBodyGetRelPointPos(ode, point_l[0], point_l[1], point_l[2], after);
    for (int i = 0; i < 3; i++)
      assert_near(hit.position_w[i] + hit.velocity_w[i] * s.world->def.dt, after[i], 1e-13);
  }
  site_end(&s);
}

static void test_velocity_of_the_ground(void **state) {
  (void)state;
  check_velocity(false);
  check_velocity(true);
}

static void test_heights(void **state) {
  (void)state;
  Site s = site();
  add(&s, 0, 1, 0, M_PI / 2); // 1 m along x, 2 m along z
  add(&s, 0, -3, 0, 0);       // below the ground
  double height, normal[3];
  assert_true(s.ground.height(s.ground.context, 0.49, 0.99, GROUND_HIGHEST, &height, normal));
  assert_near(height, 1.2, 1e-12);
  assert_near(normal[1], 1, 0);
  assert_true(s.ground.height(s.ground.context, 0.51, 0, GROUND_HIGHEST, &height, NULL));
  assert_near(height, 0, 0);
  assert_true(s.ground.height(s.ground.context, 0, 1.01, GROUND_HIGHEST, &height, normal));
  assert_near(height, 0, 0);
  // It begins 0.8 m up: from below it is a roof.
  assert_true(s.ground.height(s.ground.context, 0.49, 0.99, 0.79, &height, normal));
  assert_near(height, 0, 0);
  assert_true(s.ground.height(s.ground.context, 0.49, 0.99, 0.81, &height, normal));
  assert_near(height, 1.2, 1e-12);
  site_end(&s);
}

// A box of 2 by 0.4 by 1 m that rises to the left by 30 deg: its upper side is a slope through a known point.
static void test_heights_of_a_tilted_platform(void **state) {
  (void)state;
  Site s = site();
  const double size[3] = {2, 0.4, 1}, place[3] = {0, 1, 0}, angle = M_PI / 6;
  platform_create(s.world, "box", size, place, (const double[]){cos(angle / 2), 0, 0, sin(angle / 2)});
  double height, normal[3];
  const double down[3] = {0, -1, 0};
  for (double x = -0.7; x < 0.71; x += 0.2) {
    double expected = 1 + 0.2 / cos(angle) + x * tan(angle);
    assert_true(s.ground.height(s.ground.context, x, 0.49, GROUND_HIGHEST, &height, normal));
    assert_near(height, expected, 1e-12);
    assert_near(normal[0], -sin(angle), 1e-12);
    assert_near(normal[1], cos(angle), 1e-12);
    GroundHit hit;
    assert_true(cast(&s, GROUND_ALL, (const double[]){x, 3, 0.49}, down, 5, &hit));
    assert_near(hit.position_w[1], expected, 1e-12);
    assert_near(hit.normal_w[0], -sin(angle), 1e-12);
    // Its lower side is 0.4 / cos(30 deg) below: from there it is a roof.
    double lower = expected - 0.4 / cos(angle);
    assert_true(s.ground.height(s.ground.context, x, 0.49, lower - 1e-9, &height, NULL));
    assert_near(height, 0, 0);
    assert_true(s.ground.height(s.ground.context, x, 0.49, lower + 1e-9, &height, NULL));
    assert_near(height, expected, 1e-12);
  }
  assert_true(s.ground.height(s.ground.context, 0.5, 0.51, GROUND_HIGHEST, &height, NULL)); // beside it
  assert_near(height, 0, 0);
  site_end(&s);
}

// ---- Contacts ----

// A box of 5 kg.
static dBodyID add_box(Site *s, const double middle[3], const double rotation[4]) {
  dBodyID box = dBodyCreate(s->world->ode);
  dMass mass;
  dMassSetBoxTotal(&mass, 5, 0.4, 0.1, 0.4);
  dBodySetMass(box, &mass);
  dGeomSetBody(dCreateBox(s->world->space, 0.4, 0.1, 0.4), box);
  dBodySetPosition(box, middle[0], middle[1], middle[2]);
  dBodySetQuaternion(box, rotation);
  world_add_body(s->world, (WorldBody){.ode = box, .owner = WORLD_NO_OWNER, .event = -1, .name = "box", .mass = 5});
  return box;
}

// A ball lies on a platform that carries it up and along; its contacts are with ground and no hits.
static void test_a_ball_is_carried(void **state) {
  (void)state;
  Site s = site();
  int body = add(&s, 0, 1, 0, 0);
  const Projectile thrown = {.mass = 2, .radius = 0.1, .position = {0, 1.3, 0}};
  int ball = projectile_create(s.world, &thrown);
  for (int step = 1; step <= 480; step++) {
    double time = step * s.world->def.dt, way = time < 1 ? time * time / 2 : time - 0.5;
    const double place[3] = {0, 1 + 0.5 * way, 0};
    platform_move(s.world, body, place, YAW(0));
    assert_true(world_step(s.world));
    for (int i = 0; i < s.world->contact_count; i++) {
      assert_int_equal(s.world->contacts[i].body, ball);
      assert_int_equal(s.world->contacts[i].other, body);
      assert_true(s.world->contacts[i].normal[1] > 0.999);
    }
    assert_int_equal(s.world->impulse_count, 0);
    const dReal *p = dBodyGetPosition(s.world->bodies[ball].ode);
    assert_near(p[1], place[1] + 0.3, 2e-3);
  }
  assert_int_equal(s.world->contact_count, 1);
  assert_near(s.world->contacts[0].impulse[1], 2 * 9.81 * s.world->def.dt, 1e-3);
  site_end(&s);
}

// A box slides until friction has stopped it: on a platform with a friction of its own by that, otherwise by the
// world's.
static void test_friction(void **state) {
  (void)state;
  const double frictions[] = {0.1, -1, 0}, size[3] = {4, 0.2, 4}, place[3] = {0, 1, 0}, time = 0.25;
  for (int i = 0; i < 3; i++) {
    Site s = site();
    platform_set_friction(s.world, platform_create(s.world, "floor", size, place, YAW(0)), frictions[i]);
    dBodyID box = add_box(&s, (const double[]){0, 1.149, 0}, YAW(0));
    dBodySetLinearVel(box, 1, 0, 0);
    for (int step = 0; step < (int)(time / s.world->def.dt + 0.5); step++)
      assert_true(world_step(s.world));
    double slowed = frictions[i] < 0 ? 1 : frictions[i] * 9.81 * time;
    assert_near(dBodyGetLinearVel(box)[0], 1 - slowed, 0.01);
    site_end(&s);
  }
}

// A box rests 0.8 m from the middle of a floor that tilts by 15 deg and back: it moves as that place of the floor does,
// and the impulses of its contacts and of gravity are its change of momentum. With both solvers.
static void check_box_on_tilting_floor(int solver) {
  Site s = site();
  WorldDef def = s.world->def;
  def.solver = solver;
  world_retune(s.world, &def);
  const double size[3] = {4, 0.2, 4}, place[3] = {0, 1, 0}, dt = s.world->def.dt;
  int floor = platform_create(s.world, "floor", size, place, YAW(0));
  dBodyID box = add_box(&s, (const double[]){0.8, 1.15 - 1e-4, 0}, YAW(0));
  double fastest = 0;
  for (int step = 1; step <= 480; step++) {
    double angle = M_PI / 12 * (1 - cos(M_PI * step * dt)) / 2; // up to 15 deg after 1 s
    double before[3], impulse[3] = {0, -5 * 9.81 * dt, 0};
    memcpy(before, dBodyGetLinearVel(box), sizeof before);
    platform_move(s.world, floor, place, (const double[]){cos(angle / 2), 0, 0, sin(angle / 2)});
    assert_true(world_step(s.world));
    for (int i = 0; i < s.world->contact_count; i++)
      for (int k = 0; k < 3; k++)
        impulse[k] += s.world->contacts[i].impulse[k];
    const dReal *velocity = dBodyGetLinearVel(box), *p = dBodyGetPosition(box), *spin = dBodyGetAngularVel(box);
    dVector3 of_floor;
    dBodyGetPointVel(s.world->bodies[floor].ode, p[0], p[1], p[2], of_floor);
    for (int k = 0; k < 3; k++) {
      assert_near(5 * (velocity[k] - before[k]), impulse[k], 1e-9);
      if (step > 24) // it has come to rest on the floor
        assert_near(velocity[k], of_floor[k], 3e-3);
    }
    assert_near(spin[2], dBodyGetAngularVel(s.world->bodies[floor].ode)[2], 0.01);
    fastest = fmax(fastest, length3(velocity));
    dVector3 on_floor;
    dBodyGetPosRelPoint(s.world->bodies[floor].ode, p[0], p[1], p[2], on_floor);
    assert_near(on_floor[0], 0.8, 2e-3);
    assert_near(on_floor[1], 0.15, 2e-3);
  }
  assert_true(fastest > 0.3); // m/s: 0.41 rad/s at 0.8 m
  site_end(&s);
}

static void test_a_box_rests_on_a_tilting_floor(void **state) {
  (void)state;
  check_box_on_tilting_floor(SOLVER_STEP);
  check_box_on_tilting_floor(SOLVER_REDUCED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_motion_is_exact),
      cmocka_unit_test(test_tilting_is_exact),
      cmocka_unit_test(test_heights_of_a_tilted_platform),
      cmocka_unit_test(test_a_box_rests_on_a_tilting_floor),
      cmocka_unit_test(test_bad_numbers_are_refused),
      cmocka_unit_test(test_rays_against_brute_force),
      cmocka_unit_test(test_masks),
      cmocka_unit_test(test_velocity_of_the_ground),
      cmocka_unit_test(test_heights),
      cmocka_unit_test(test_a_ball_is_carried),
      cmocka_unit_test(test_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
