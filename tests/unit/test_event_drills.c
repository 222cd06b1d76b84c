// What drawn events come to: bullets, pushes, thrown balls and pulls, single ones and random lists, at dolls and men
// who turn and fly, and cables that hold men at a lean and let go. The impulses, what they move and what is measured,
// to nine digits.
#include "tests/unit/drill.h"
#include "tests/unit/renewed_scene.h"

#include "ragdoll/character/character_metrics.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"

typedef struct Drill {
  const char *name, *text; // YAML, without the events
  const char *kinds[3];    // of the events
  int scenes, events;
  double seconds; // s
} Drill;

#define DOLLS                                                                                                          \
  "characters: [{name: a, body: boxes.yaml, start: {position: [0, 2, 0], heading: 40}, drive: {enabled: false}}, "     \
  "{name: b, body: boxes.yaml, start: {position: [1, 2, 0], heading: -100}, hit_reaction: {spread: 0.03}}]\n"
#define MEN                                                                                                            \
  "world: {dt: 1/240}\ncharacters: [{name: a, body: bodies/human.yaml, animation: {move: clips/idle.yaml}, start: "    \
  "{heading: 70}, balance: {enabled: true}}, {name: b, body: bodies/human.yaml, start: {position: [2, 0, 0]}, "        \
  "animation: {move: clips/walk.yaml}}]\n"

#define STANDS "body: bodies/human.yaml, animation: {move: clips/idle.yaml}, balance: {enabled: true}"
#define STANDING_MEN                                                                                                   \
  "world: {dt: 1/240}\ncharacters: [{name: a, " STANDS ", start: {heading: 70}}, {name: b, " STANDS ", start: "        \
  "{position: [2, 0, 0], heading: -160}}]\n"

static const Drill DRILLS[] = {
    {"bullets and pushes in flight", "world: {gravity: [0, 0, 0]}\n" DOLLS, {"impulse", "push", "push"}, 160, 3, 0.5},
    {"thrown balls",
     "terrain: {kind: noise, amplitude: 0.4}\n" DOLLS,
     {"projectile", "projectile", "push"},
     20,
     3,
     0.4},
    {"pulls", "world: {gravity: [0, 0, 0]}\n" DOLLS, {"pull", "pull", "impulse"}, 80, 2, 0.5},
    {"men", MEN, {"impulse", "pull", "projectile"}, 4, 3, 0.6},
    {"men at a lean", STANDING_MEN, {"release", "release", "push"}, 8, 2, 1.2},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { IMPULSES, LISTS, CABLES, BODIES, METRICS, SUMS };
static const char *const NAMES[SUMS] = {"impulses", "lists", "cables", "bodies", "metrics"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-0.57378081166, -3.6650025494, 0, 6.6044269559, 3.2584701965},
    {-0.41529823822, -3.4632624825, 0, 8.16914969, 2.9112068705},
    {-0.30023454158, 0.86514522293, 0, 7.3191960567, 3.2087426212},
    {0.90178511703, -0.19010721271, 0, 1.3014113415, 3.5664907244},
    {-1.688080386, 1.2821638911, 0.18905938093, 2.6300733607, 2.7576137067},
};

static void add_range(TextBuffer *text, const char *key, Rng *rng, double low, double high) {
  const double a = rng_range(rng, low, high), b = rng_range(rng, low, high);
  if (rng_index(rng, 2))
    text_print(text, ", %s: %.4g", key, a);
  else
    text_print(text, ", %s: [%.4g, %.4g]", key, fmin(a, b), fmax(a, b));
}

static bool is(const char *kind, const char *other) { return strcmp(kind, other) == 0; }

static void add_event(TextBuffer *text, const Drill *drill, int index, Rng *rng) {
  const bool men = strstr(drill->text, "human") != NULL;
  const char *kind = drill->kinds[rng_index(rng, 3)];
  static const char *const dolls[] = {"base", "top", "[base, top]"}, *const people[] = {"pelvis", "chest", "head"};
  const int part = rng_index(rng, 3), whom = index % 2;
  const char *parts = is(kind, "release") ? "pelvis" : men ? people[part] : dolls[part];
  text_print(text, "%s{kind: %s, character: %c, part: %s", index > 0 ? ", " : "", kind, "ab"[whom], parts);
  const bool holds = is(kind, "release"); // a man who can lean forward and backward alone
  add_range(text, "direction", rng, holds ? -20 : -180, holds ? 20 : 180);
  if (rng_index(rng, 2))
    add_range(text, "deviation", rng, holds ? -10 : -40, holds ? 20 : 60);
  if (is(kind, "release")) {
    add_range(text, "lean", rng, 0.1, 6);
    add_range(text, "time", rng, 0.3, 1.1);
  } else if (is(kind, "pull")) {
    add_range(text, "travel", rng, 0, 0.3);
    add_range(text, "duration", rng, 0.05, 0.3);
    add_range(text, "time", rng, 0, 0.3);
  } else {
    if (rng_index(rng, 3))
      text_print(text, ", point: [%.4g, %.4g, 0.02]", rng_range(rng, -0.1, 0.1), rng_range(rng, -0.1, 0.1));
    add_range(text, "elevation", rng, -40, 80);
    if (rng_index(rng, 2))
      text_print(text, ", every: [%.4g, 0.2], from: %.4g, until: %.4g, count: %d", rng_range(rng, 0.02, 0.1),
                 rng_range(rng, 0, 0.2), rng_range(rng, 0.2, 0.5), 1 + rng_index(rng, 5));
    else
      add_range(text, "time", rng, 0, 0.3);
  }
  if (is(kind, "projectile")) {
    add_range(text, "mass", rng, 0.2, 3);
    add_range(text, "speed", rng, 4, 20);
    add_range(text, "radius", rng, 0.03, 0.2);
    add_range(text, "distance", rng, 0.5, 3);
  } else if (is(kind, "impulse") || is(kind, "push")) {
    add_range(text, "impulse", rng, 0, 12);
    if (is(kind, "push"))
      add_range(text, "duration", rng, 0.01, 0.3);
  }
  text_print(text, "}");
}

static void add(const Scene *scene, DrillSum sums[SUMS]) {
  const World *world = scene->world;
  const Events *events = &scene->events;
  for (int i = 0; i < world->impulse_count; i++) {
    const Impulse *impulse = &world->impulses[i];
    const double told[] = {impulse->body, (double)impulse->source, impulse->event};
    drill_add_all(&sums[IMPULSES], told, 3);
    drill_add_all(&sums[IMPULSES], impulse->point, 3);
    drill_add_all(&sums[IMPULSES], impulse->impulse, 3);
  }
  const double counts[] = {events->active_count, events->started, (double)events->dropped, events->balls.count};
  drill_add_all(&sums[LISTS], counts, 4);
  for (int i = 0; i < events->count; i++) {
    const EventSource *source = &events->sources[i];
    const double state[] = {source->next, source->left};
    drill_add_all(&sums[LISTS], state, 2);
    const Cable *cable = &source->cable;
    const double held[] = {cable->attached, cable->reached, cable->end, 0.01 * cable->force, cable->lean};
    drill_add_all(&sums[CABLES], held, 5);
  }
  for (int i = 0; i < events->active_count; i++) {
    const ActiveEvent *event = &events->active[i];
    const double state[] = {event->size, event->from, event->start, event->spread, event->given, event->number};
    drill_add_all(&sums[LISTS], state, 6);
  }
  for (int i = 0; i < world->body_count; i++) {
    drill_add_all(&sums[BODIES], dBodyGetPosition(world->bodies[i].ode), 3);
    drill_add_all(&sums[BODIES], dBodyGetLinearVel(world->bodies[i].ode), 3);
  }
}

static double metrics_of(const Scene *scene) {
  DrillSum sum = {0};
  for (int c = 0; c < scene->character_count; c++)
    for (int i = 0; i < metric_row_count; i++) {
      double value = NAN;
      metrics_value(scene->characters[c]->judged->metrics, metric_rows[i].name, &value);
      drill_add(&sum, isnan(value) ? -1 : value / (1 + fabs(value)));
    }
  return sum.sum;
}

static void run_one(const Drill *drill, Rng *rng, double means[SUMS]) {
  FileSet files = {0};
  TextBuffer text = {0};
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  text_print(&text, "seed: %d\nduration: %g\n%sevents: [", rng_index(rng, 1000), drill->seconds, drill->text);
  for (int i = 0; i < drill->events; i++)
    add_event(&text, drill, i, rng);
  text_print(&text, "]\n");
  SceneDef *def = shipped_def(drill->name, text.bytes, &files);
  Scene *scene = small_scene(def);
  for (long n = 0; n < def->step_count; n++) {
    DrillSum sums[SUMS] = {{0}};
    if (n == def->step_count / 2)
      scene = renewed_scene(scene, def);
    assert_true(scene_step(scene));
    add(scene, sums);
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / (double)(def->step_count * drill->scenes);
  }
  scene_finish(scene);
  means[METRICS] += metrics_of(scene) / drill->scenes;
  scene_destroy(scene);
  scene_def_free(def);
  text_free(&text);
}

static void run(const Drill *drill, double means[SUMS]) {
  Rng rng = rng_make(1, drill->name);
  for (int i = 0; i < drill->scenes; i++)
    run_one(drill, &rng, means);
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
