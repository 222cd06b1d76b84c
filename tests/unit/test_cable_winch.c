// The winch of a cable that holds a man at a lean: how fast it gives way, when it stops, and how the man feels it.
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_sense.h"
#include "sim/base/numbers.h"
#include "sim/world/world_body.h"

static const double PULL = 5, STIFFNESS = 3e4;  // N, N/m: the cable always pulls a little
static const double FASTEST = 0.08, TIME = 0.2; // m/s, s: it comes to rest as an exponential
static const double NEAR = 0.005;               // rad: then it is locked

typedef struct Held {
  SceneDef *def;
  Scene *scene;
  Cable *cable;
} Held;

static Held hold(const char *lean) {
  const char *const overrides[] = {"world.solver=reduced", "events.0.time=8", lean};
  Error error = {0};
  Held held = {.def = scene_def_read("laboratory/lean_release", overrides, 3, &error)};
  if (!held.def)
    fail_msg("%s", error.text);
  held.scene = small_scene(held.def);
  held.cable = &held.scene->events.sources[0].cable;
  return held;
}

static void let_go(Held *held) {
  scene_destroy(held->scene);
  scene_def_free(held->def);
}

// From the middle of the ankles to the centre of mass: forward and up, m.
static void find_line(const Scene *scene, double *forward, double *up) {
  const Character *man = scene->characters[0];
  const Skeleton *skeleton = &man->def->body->skeleton;
  double ankles[2][3];
  for (int i = 0; i < 2; i++)
    ragdoll_point(man->ragdoll, skeleton->legs[i].ankle, GLMS_VEC3_ZERO, ankles[i]);
  *forward = man->sensed.com[2] - mix_d(ankles[0][2], ankles[1][2], 0.5);
  *up = man->sensed.com[1] - mix_d(ankles[0][1], ankles[1][1], 0.5);
}

// m, forward: of the man's point at the beginning of the coming step.
static double point_of(const Held *held) {
  const Character *man = held->scene->characters[0];
  double point[3];
  world_body_point_to_world(held->scene->world, man->ragdoll->body[held->cable->part], held->cable->point_l, point);
  return point[2];
}

// The centre of mass is to go on by an arc to the lean: the winch gives way by that over 0.2 s, at most by 0.08 m/s,
// and never so far that the cable does not pull. Once the man leans as he should it moves no more.
static void test_gives_way_at_its_pace_until_the_lean(void **state) {
  (void)state;
  Held held = hold("events.0.lean=9");
  const double h = held.scene->world->def.dt, lean = 9 * RAD_PER_DEGREE;
  int fast = 0, slow = 0, rests = 0;
  assert_true(scene_step(held.scene));
  while (held.scene->world->time < 6) {
    double forward, up;
    find_line(held.scene, &forward, &up);
    const double lack = lean - atan2(forward, up), before = held.cable->end, at = point_of(&held);
    const bool rested = held.cable->reached;
    assert_true(scene_step(held.scene));
    const double wanted = fmin(FASTEST, lack * up / TIME), taut = at - PULL / STIFFNESS;
    assert_near(held.cable->end, rested ? before : fmin(before + h * wanted, taut), 1e-12);
    assert_true(held.cable->reached == (rested || lack < NEAR));
    fast += !rested && wanted == FASTEST;
    slow += !rested && wanted < FASTEST && before + h * wanted < taut;
    rests += rested;
  }
  assert_true(fast > 100 && slow > 20 && rests > 100);
  let_go(&held);
}

// A man who leans farther than he should is not drawn back: the winch takes up slack, and is locked at once.
static void test_does_not_draw_back(void **state) {
  (void)state;
  Held held = hold("events.0.lean=9");
  while (held.scene->world->time < 2)
    assert_true(scene_step(held.scene));
  double forward, up;
  find_line(held.scene, &forward, &up);
  assert_true(atan2(forward, up) > 0.02); // rad
  const World *world = held.scene->world;
  const Character *man = held.scene->characters[0];
  Cable other;
  Impulse impulse;
  cable_attach(&other, world, man, held.cable->part, held.cable->point_l, (Plane2){.x = 0, .z = 1}, 0.001);
  const double at = point_of(&held);
  assert_near(other.end, at, 1e-12);
  cable_pull(&other, world, man, &impulse);
  assert_true(other.reached);
  assert_near(other.end, at - PULL / STIFFNESS, 1e-12);
  cable_pull(&other, world, man, &impulse);
  assert_near(other.end, at - PULL / STIFFNESS, 1e-12);
  let_go(&held);
}

// The smoothed force follows that of the cable within 0.1 s.
static void test_force_is_a_mean_of_a_tenth_of_a_second(void **state) {
  (void)state;
  Held held = hold("events.0.lean=9");
  const World *world = held.scene->world;
  double mean = 0;
  for (int i = 0; i < 480; i++) {
    assert_true(scene_step(held.scene));
    double force = 0;
    for (int k = 0; k < world->impulse_count; k++)
      force += world->impulses[k].source == IMPULSE_CABLE ? -world->impulses[k].impulse[2] / world->def.dt : 0;
    assert_true(force >= PULL * (1 - 1e-9));
    mean += world->def.dt / 0.1 * (force - mean);
    assert_near(held.cable->force, mean, 1e-6 * mean);
  }
  let_go(&held);
}

// A force of F at a height above the ground turns him as if his weight W stood aside by F times the height over W, also
// where the ground is not at 0. Another's cable he does not feel.
static void test_is_felt_about_the_ground(void **state) {
  (void)state;
  Held held = hold("events.0.lean=9");
  for (int i = 0; i < 60; i++)
    assert_true(scene_step(held.scene));
  World *world = held.scene->world;
  Character *man = held.scene->characters[0];
  const double weight = man->def->body->mass * 9.81, h = world->def.dt;
  man->root.position[1] = 0.25; // m
  world->impulse_count = 3;
  for (int i = 0; i < 3; i++)
    world->impulses[i] = (Impulse){.body = man->ragdoll->body[i],
                                   .point = {0.1, 1.25 - 0.5 * i, 0.2},
                                   .impulse = {(3 - i) * h, 0, (i - 7) * h}, // 3, 2, 1 N; -7, -6, -5 N
                                   .source = i < 2 ? IMPULSE_CABLE : IMPULSE_PUSH};
  character_sense(man);
  assert_near(man->sensed.held[0], (3 * 1.0 + 2 * 0.5) / weight, 1e-12);
  assert_near(man->sensed.held[1], -(7 * 1.0 + 6 * 0.5) / weight, 1e-12);
  const int owner = world->bodies[man->ragdoll->body[0]].owner;
  world->bodies[man->ragdoll->body[0]].owner = WORLD_NO_OWNER;
  character_sense(man);
  assert_near(man->sensed.held[0], 2 * 0.5 / weight, 1e-12);
  world->bodies[man->ragdoll->body[0]].owner = owner;
  let_go(&held);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gives_way_at_its_pace_until_the_lean),
      cmocka_unit_test(test_does_not_draw_back),
      cmocka_unit_test(test_force_is_a_mean_of_a_tenth_of_a_second),
      cmocka_unit_test(test_is_felt_about_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
