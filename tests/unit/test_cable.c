// The cable that holds a man at a lean: its force is that of statics, it lets go at its time, and saved states keep it.
// The cable that draws him by a given way: it pulls along the way alone, while it moves.
#include "tests/unit/small_scene.h"

#include "ragdoll/character/character_metrics.h"
#include "scenes/run/scene_state.h"
#include "sim/base/numbers.h"
#include "sim/world/world_body.h"

typedef struct Lean {
  SceneDef *def;
  Scene *scene;
} Lean;

static Lean start(const char *lean, const char *direction) {
  const char *const overrides[] = {"world.solver=reduced", "events.0.time=8", lean, direction};
  Error error = {0};
  Lean held = {.def = scene_def_read("laboratory/lean_release", overrides, 4, &error)};
  if (!held.def)
    fail_msg("%s", error.text);
  held.scene = small_scene(held.def);
  return held;
}

static void end(Lean *held) {
  scene_destroy(held->scene);
  scene_def_free(held->def);
}

static void run_until(Scene *scene, double time) {
  while (scene->world->time < time - scene->world->def.dt / 2)
    assert_true(scene_step(scene));
}

static double metric(const Scene *scene, const char *name) {
  double value = NAN;
  assert_true(metrics_value(scene->characters[0]->judged->metrics, name, &value));
  return value;
}

// The cable's impulse on the man in the last step; NULL: it did not pull.
static const Impulse *cable_of(const World *world) {
  for (int i = 0; i < world->impulse_count; i++)
    if (world->impulses[i].source == IMPULSE_CABLE)
      return &world->impulses[i];
  return NULL;
}

// At rest the ground's force is opposite to the cable's, and the weight's moment about the pressure is that of the
// cable.
static void check_statics(const Scene *scene, double ahead, double left) {
  const World *world = scene->world;
  const Impulse *cable = cable_of(world);
  assert_non_null(cable);
  double ground[3] = {0}, moment[3] = {0};
  for (int i = 0; i < world->contact_count; i++) {
    const Contact *contact = &world->contacts[i];
    double turn[3];
    cross3(contact->position, contact->impulse, turn);
    for (int k = 0; k < 3; k++) {
      ground[k] += contact->impulse[k] / world->def.dt;
      moment[k] += turn[k] / world->def.dt;
    }
  }
  double force[3], turn[3], weight[3] = {0, -scene->characters[0]->def->body->mass * 9.81, 0}, fall[3];
  for (int k = 0; k < 3; k++)
    force[k] = cable->impulse[k] / world->def.dt;
  cross3(cable->point, force, turn);
  cross3(scene->characters[0]->sensed.com, weight, fall);
  for (int k = 0; k < 3; k += 2) {
    assert_near(ground[k] + force[k], 0, 0.5);        // N
    assert_near(moment[k] + turn[k] + fall[k], 0, 1); // N m
  }
  assert_near(force[1], 0, 1e-12);
  assert_near(force[0] * ahead - force[2] * left, 0, 1e-9); // along the lean
  assert_true(force[2] * ahead + force[0] * left < -50);
}

static void test_holds_by_statics_and_lets_go(void **state) {
  (void)state;
  Lean held = start("events.0.lean=12", "events.0.direction=0");
  run_until(held.scene, 7.9);
  check_statics(held.scene, 1, 0);
  assert_false(held.scene->characters[0]->down);
  assert_int_equal((int)metric(held.scene, "hits"), 0); // it is no hit
  double force = length3(cable_of(held.scene->world)->impulse) / held.scene->world->def.dt;
  run_until(held.scene, 8 + 2 * held.scene->world->def.dt);
  assert_null(cable_of(held.scene->world));
  assert_near(metric(held.scene, "release_lean"), 12, 0.5);
  assert_near(metric(held.scene, "release_force"), force / (held.def->characters[0].body->mass * 9.81), 1e-3);
  run_until(held.scene, 11);
  assert_int_equal((int)metric(held.scene, "fell"), 0);
  assert_int_equal((int)metric(held.scene, "reaction_steps"), 1);
  assert_near(metric(held.scene, "release_lean_recovered"), metric(held.scene, "release_lean"), 1e-12);
  end(&held);
}

static void test_holds_backward(void **state) {
  (void)state;
  Lean held = start("events.0.lean=8", "events.0.direction=180");
  run_until(held.scene, 7.9);
  check_statics(held.scene, -1, 0);
  end(&held);
}

static void test_saved_cable_continues(void **state) {
  (void)state;
  Lean held = start("events.0.lean=12", "events.0.direction=0");
  run_until(held.scene, 5); // the winch still gives way
  size_t size = scene_state_size(held.scene);
  void *bytes = malloc(size);
  Error error = {0};
  assert_true(scene_state_save(held.scene, bytes, size, &error));
  run_until(held.scene, 8.5);
  uint64_t hash = world_hash(held.scene->world);
  double lean = metric(held.scene, "release_lean");
  assert_true(scene_state_restore(held.scene, bytes, size, &error));
  run_until(held.scene, 8.5);
  assert_true(world_hash(held.scene->world) == hash);
  assert_near(metric(held.scene, "release_lean"), lean, 0);
  free(bytes);
  end(&held);
}

static void refused(const char *event, const char *message) {
  char text[1024];
  snprintf(text, sizeof text, "characters: [{name: doll, body: boxes.yaml}]\nevents: [%s]\n", event);
  Error error = {0};
  assert_null(small_def_try(text, NULL, 0, &error));
  if (!strstr(error.text, message))
    fail_msg("'%s' is not in: %s", message, error.text);
}

// ---- Drawn by a given way ----

static Lean start_pull(const char *travel) {
  const char *const overrides[] = {"world.solver=reduced", "events.0.time=0.2", travel};
  Error error = {0};
  Lean drawn = {.def = scene_def_read("laboratory/waist_pull_travel", overrides, 3, &error)};
  if (!drawn.def)
    fail_msg("%s", error.text);
  drawn.scene = small_scene(drawn.def);
  return drawn;
}

// The impulse of the pull in all steps until then, N s.
static double draw_until(Scene *scene, double time) {
  double sum = 0;
  while (scene->world->time < time - scene->world->def.dt / 2) {
    assert_true(scene_step(scene));
    for (int i = 0; i < scene->world->impulse_count; i++) {
      const double *impulse = scene->world->impulses[i].impulse;
      if (scene->world->impulses[i].source != IMPULSE_PUSH)
        continue;
      assert_true(impulse[0] >= 0 && fabs(impulse[1]) < 1e-12 && fabs(impulse[2]) < 1e-12 * (1 + impulse[0]));
      sum += impulse[0];
    }
  }
  return sum;
}

static void test_pulls_along_its_way_and_lets_go(void **state) {
  (void)state;
  double before = 0;
  for (int i = 0; i < 3; i++) {
    const char *const travels[] = {"events.0.travel=0.05", "events.0.travel=0.1", "events.0.travel=0.2"};
    Lean drawn = start_pull(travels[i]);
    assert_near(draw_until(drawn.scene, 0.2), 0, 0);
    double sum = draw_until(drawn.scene, 0.6);
    assert_true(sum > before + 10);
    assert_near(draw_until(drawn.scene, 1), 0, 0);
    assert_int_equal((int)metric(drawn.scene, "hits"), 1);
    before = sum;
    end(&drawn);
  }
  Lean still = start_pull("events.0.travel=0");
  assert_near(draw_until(still.scene, 1), 0, 0);
  end(&still);
}

// The force is that of the formula in cable.h: at rest and without damping, of the stretch.
static void test_force_is_the_springs(void **state) {
  (void)state;
  Lean drawn = start_pull("events.0.travel=0");
  const World *world = drawn.scene->world;
  const Plane2 way = {.x = -1, .z = 0};
  const int body = drawn.scene->characters[0]->ragdoll->body[0];
  double point[3], mobility[3][3];
  world_body_point_to_world(world, body, (const double[3]){0}, point);
  world_body_mobility(world, body, point, mobility);
  const double h = world->def.dt, mass = 75, resist = 2 * sqrt(3e4 * mass) + 3e4 * h;
  const double wanted = 3e4 * 0.01 / (1 + resist * h * mobility[0][0]);
  assert_near(cable_force(world, body, point, way, -point[0] - 0.01, 0, mass, 0), wanted, 1e-6 * wanted);
  assert_near(cable_force(world, body, point, way, -point[0] + 0.01, 0, mass, 0), 0, 0); // slack
  assert_near(cable_force(world, body, point, way, -point[0] + 0.01, 0, mass, 7), 7, 0);
  end(&drawn);
}

static void test_saved_pull_continues(void **state) {
  (void)state;
  Lean drawn = start_pull("events.0.travel=0.2");
  run_until(drawn.scene, 0.4);
  size_t size = scene_state_size(drawn.scene);
  void *bytes = malloc(size);
  Error error = {0};
  assert_true(scene_state_save(drawn.scene, bytes, size, &error));
  double sum = draw_until(drawn.scene, 1);
  uint64_t hash = world_hash(drawn.scene->world);
  assert_true(scene_state_restore(drawn.scene, bytes, size, &error));
  assert_near(draw_until(drawn.scene, 1), sum, 0);
  assert_true(world_hash(drawn.scene->world) == hash);
  free(bytes);
  end(&drawn);
}

static void test_refuses(void **state) {
  (void)state;
  const char *const sideways = "events.0.direction=[0, 50]";
  Error error = {0};
  assert_null(scene_def_read("laboratory/lean_release", &sideways, 1, &error));
  assert_non_null(strstr(error.text, "50 deg is a lean to a side; a release leans forward or backward, within 45 deg"));
  refused("{kind: release, time: 1, impulse: 5}", "small.yaml:2:35: a release has a 'lean', no impulse");
  refused("{kind: release, every: 1}", "a release happens once, at a 'time'");
  refused("{kind: release, time: 1, elevation: 5}", "'elevation' belongs to an event of kind impulse");
  refused("{kind: pull, time: 1, impulse: 5}", "a pull has a 'travel', and takes the impulse that it needs");
  refused("{kind: pull, time: 1, elevation: 5}", "impulse, push or projectile; a cable is level");
  refused("{kind: push, time: 1, impulse: 5, travel: 1}", "'travel' belongs to an event of kind pull");
  refused("{kind: push, time: 1, impulse: 5, lean: 5}", "'lean' belongs to an event of kind release");
  refused("{kind: release, time: 1, lean: 50}", "0 to 45 deg");
  refused("{kind: release, time: 1, part: base}",
          "a release needs a character that balances by itself: set doll's balance.enabled");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_holds_by_statics_and_lets_go),
      cmocka_unit_test(test_holds_backward),
      cmocka_unit_test(test_saved_cable_continues),
      cmocka_unit_test(test_pulls_along_its_way_and_lets_go),
      cmocka_unit_test(test_force_is_the_springs),
      cmocka_unit_test(test_saved_pull_continues),
      cmocka_unit_test(test_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
