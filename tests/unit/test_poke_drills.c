// What drawn interference comes to: bullets, pushes, thrown balls and drags at bodies, objects, platforms and nothing.
// The forces and what they move to nine digits, the events that are written to the letter.
#include "tests/unit/small_scene.h"

#include "scenes/run/poke.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/drill.h"
#include "tests/unit/text_digest.h"

typedef struct Drill {
  const char *name, *text;
  double ball_speed, drag_force, frequency; // m/s, N, Hz
  long steps;
  uint64_t events; // digest of their texts
} Drill;

#define DOLLS                                                                                                          \
  "characters: [{name: doll, body: boxes.yaml, start: {position: [0, 0.2, 0]}}, {name: other, body: boxes.yaml, "      \
  "start: {position: [0.6, 0, 0.2], heading: 130}, hit_reaction: {spread: 0.05}}]\n"                                   \
  "platforms: [{name: p, size: [1, 0.3, 1], center: [-1, 0.4, 0]}]\nprops: [{name: q, size: [0.3, 0.3, 0.3], mass: "   \
  "2, "                                                                                                                \
  "center: [0, 0.5, 1]}]\n"

static const Drill DRILLS[] = {
    {"dolls", DOLLS, 12, 600, 1.5, 400, 0x607311d6e2bbcfab},
    {"dolls in flight", DOLLS "world: {gravity: [0, 0, 0]}\n", 3, 50, 4, 400, 0x362a5b51af8ba67d},
    {"dolls under fast balls", DOLLS "world: {max_speed: 20}\n", 50, 100, 1, 300, 0xb7bc1ff6c7bede16},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { DONE, DRAGS, BALLS, BODIES, SUMS };
static const char *const NAMES[SUMS] = {"done", "drags", "balls", "bodies"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {3.8664140026, -12.176787764, -0.58543898772, 19.537369161},
    {4.21296156, -10.516246755, -1.1361906166, -6.2117215759},
    {3.39606246, -7.7104319464, 0.13591636047, 13.367457413},
};

// On a body near its centre, or on no body at all.
static WorldHit draw_hit(const Scene *scene, Rng *rng) {
  const World *world = scene->world;
  WorldHit hit = {.body = rng_index(rng, world->body_count + 2) - 1};
  if (rng_index(rng, 4))
    hit.body = scene->characters[rng_index(rng, 2)]->ragdoll->body[rng_index(rng, 2)];
  const bool there = hit.body >= 0 && hit.body < world->body_count;
  for (int k = 0; k < 3; k++)
    hit.point[k] = (there ? dBodyGetPosition(world->bodies[hit.body].ode)[k] : 1) + rng_range(rng, -0.15, 0.15);
  if (rng_index(rng, 20) == 0)
    hit.point[1] += rng_index(rng, 2) ? 9 : 10.5;
  return hit;
}

static void draw_direction(Rng *rng, double direction[3]) {
  rng_direction(rng, direction);
  const int kind = rng_index(rng, 12);
  for (int k = 0; k < 3; k++)
    direction[k] *= kind == 0 ? 0 : 3;
  if (kind == 1)
    direction[0] = direction[2] = 0;
}

static int act(Poke *poke, Scene *scene, Rng *rng, TextBuffer *events) {
  char text[400] = "";
  double direction[3], from[3];
  WorldHit hit = draw_hit(scene, rng);
  bool done = true;
  draw_direction(rng, direction);
  for (int k = 0; k < 3; k++)
    from[k] = rng_range(rng, -3, 3) + (k == 1 ? 4 : 0);
  const int drawn = rng_index(rng, 14), kind = drawn < 9 ? drawn : drawn % 4;
  if (kind == 0)
    done = poke_shoot(poke, scene, &hit, direction, text, sizeof text);
  else if (kind == 1)
    done = poke_push(poke, scene, &hit, direction, text, rng_index(rng, 2) ? sizeof text : 100);
  else if (kind == 2)
    done = poke_throw(poke, scene, from, direction);
  else if (kind == 3)
    done = poke_throw_at(poke, scene, from, &hit);
  else if (kind == 4 || kind == 5)
    poke_drag_begin(poke, scene, &hit);
  else if (kind == 6)
    poke_drag_move(poke, from);
  else if (kind == 7)
    poke_drag_carry(poke, direction);
  else
    poke_drag_end(poke);
  text_print(events, "%s%s", text, text[0] != '\0' ? "\n" : "");
  return 10 * kind + done;
}

static void add(const Poke *poke, const Scene *scene, DrillSum sums[SUMS]) {
  const World *world = scene->world;
  const Drag *drag = &poke->drag;
  const double state[] = {drag->active, drag->body, poke->balls.count, world->impulse_count};
  drill_add_all(&sums[DRAGS], state, 4);
  drill_add_all(&sums[DRAGS], drag->goal_w, 3);
  drill_add_all(&sums[DRAGS], drag->point_l, 3);
  drill_add_all(&sums[DRAGS], drag->goal_velocity_w, 3);
  for (int k = 0; k < 3; k++)
    drill_add(&sums[DRAGS], 0.01 * drag->force_w[k]);
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    const double told[] = {impulse->body, (double)impulse->source, impulse->event};
    drill_add_all(&sums[DRAGS], told, 3);
  }
  for (int i = 0; i < poke->balls.count; i++) {
    drill_add(&sums[BALLS], poke->balls.bodies[i]);
    drill_add(&sums[BALLS], poke->balls.busy_until[i]);
  }
  for (int i = 0; i < world->body_count; i++)
    for (int k = 0; k < 3; k++) {
      drill_add(&sums[BODIES], dBodyGetPosition(world->bodies[i].ode)[k]);
      drill_add(&sums[BODIES], dBodyGetLinearVel(world->bodies[i].ode)[k]);
    }
}

static bool is_as_kept(int number) {
  const Drill *drill = &DRILLS[number];
  SceneDef *def = small_def(drill->text);
  Scene *scene = small_scene(def);
  Rng rng = rng_make(1, drill->name);
  TextBuffer events = {0};
  Poke poke;
  double means[SUMS] = {0};
  poke_init(&poke);
  poke.def.ball_speed = drill->ball_speed;
  poke.def.drag_force = drill->drag_force;
  poke.def.drag_frequency = drill->frequency;
  for (long n = 0; n < drill->steps && !scene->world->stopped; n++) {
    DrillSum sums[SUMS] = {{0}};
    if (n % 5 == 0)
      drill_add(&sums[DONE], act(&poke, scene, &rng, &events));
    poke_step(&poke, scene);
    assert_true(scene_step(scene));
    add(&poke, scene, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (double)drill->steps;
  }
  const bool kept = drill_is_kept(drill->name, NAMES, means, OUTCOMES[number], SUMS);
  const bool same = text_is_kept(drill->name, events.bytes, drill->events);
  text_free(&events);
  scene_destroy(scene);
  scene_def_free(def);
  return kept && same;
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++)
    wrong += !is_as_kept(i);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
