// Lists that are as long as they can be, to their last entry: nothing is left out, and nothing is read beyond them,
// which the sanitised build tells.
#include "tests/unit/recorded_run.h"

#include "scenes/run/outcome.h"
#include "sim/base/numbers.h"
#include "sim/base/text_buffer.h"
#include "sim/terrain/level.h"
#include "sim/world/rope.h"
#include "sim/world/world_body.h"
#include "tests/unit/renewed_scene.h"

enum { DOLLS = 24, STEPS = 48 };

// ---- A scene ----

// Platforms and props in rows, weightless, each prop with a velocity of its own; ropes between neighbours that are too
// long to pull.
static void put_things(TextBuffer *text) {
  text_print(text, "platforms:\n");
  for (int i = 0; i < SCENE_MAX_PLATFORMS; i++)
    text_print(text, "  - {name: p%d, size: [0.5, 0.2, 0.5], center: [%d, 20, 0], mass: %d}\n", i, i, 1 + i);
  text_print(text, "props:\n");
  for (int i = 0; i < SCENE_MAX_PROPS; i++)
    text_print(text, "  - {name: q%d, size: [0.2, 0.2, 0.2], mass: 2, center: [%d, 30, 0], velocity: [0, %g, 0]}\n", i,
               i, 0.01 * (1 + i));
  text_print(text, "ropes:\n");
  for (int i = 0; i < SCENE_MAX_ROPES; i++)
    text_print(text, "  - {from: q%d, to: p%d, length: 99, stiffness: %d}\n", i % SCENE_MAX_PROPS,
               (i + i / SCENE_MAX_PROPS) % SCENE_MAX_PLATFORMS, 100 + i);
}

static void put_views(TextBuffer *text) {
  text_print(text, "targets:\n");
  for (int i = 0; i < SCENE_MAX_TARGETS; i++)
    text_print(text, "  - {name: t%d, center: [%d, 2, 3]}\n", i, i);
  text_print(text, "cameras:\n");
  for (int i = 0; i < SCENE_MAX_CAMERAS; i++)
    text_print(text, "  - {name: c%d, follow: d%d, eye: [%d, 1, 1]}\n", i, i % DOLLS, i - 40);
  text_print(text, "expect:\n");
  for (int i = 0; i < SCENE_MAX_EXPECTS; i++)
    text_print(text, "  - d%d.hits == 1\n", i % DOLLS);
}

// Each doll is pushed once.
static SceneDef *full_scene(void) {
  TextBuffer text = {0};
  text_print(&text, "duration: 0.2\nworld: {dt: 1/240, gravity: [0, 0, 0]}\ntrace: {rate: 120}\ncharacters:\n");
  for (int i = 0; i < DOLLS; i++)
    text_print(&text, "  - {name: d%d, body: boxes.yaml, start: {position: [%d, 5, 0]}, drive: {enabled: false}}\n", i,
               2 * i);
  text_print(&text, "events:\n");
  for (int i = 0; i < DOLLS; i++)
    text_print(&text, "  - {character: d%d, time: %.4f, part: base, impulse: %d, direction: 0}\n", i, 0.005 * i, 1 + i);
  put_things(&text);
  put_views(&text);
  SceneDef *def = small_def(text.bytes);
  text_free(&text);
  return def;
}

static double momentum_ahead(const Scene *scene, int owner) {
  double sum = 0;
  for (int i = 0; i < scene->world->body_count; i++)
    if (scene->world->bodies[i].owner == owner)
      sum += scene->world->bodies[i].mass * dBodyGetLinearVel(scene->world->bodies[i].ode)[2];
  return sum;
}

static void check_things(const Scene *scene) {
  for (int i = 0; i < SCENE_MAX_PROPS; i++)
    assert_near(world_body_position(scene->world, scene->props[i])[1], 30 + 0.01 * (1 + i) * scene->world->time, 1e-9);
  for (int i = 0; i < SCENE_MAX_PLATFORMS; i++) {
    assert_near(scene->world->bodies[scene->platforms[i]].mass, 1 + i, 1e-9);
    assert_near(world_body_position(scene->world, scene->platforms[i])[0], i, 1e-9);
  }
  for (int i = 0; i < SCENE_MAX_ROPES; i++)
    assert_near(rope_tension(scene->world, i), 0, 0);
}

static void test_a_full_scene(void **state) {
  (void)state;
  SceneDef *def = full_scene();
  assert_int_equal(def->expect_count, SCENE_MAX_EXPECTS);
  assert_int_equal(def->camera_count, SCENE_MAX_CAMERAS);
  Scene *scene = small_scene(def);
  for (int i = 0; i < STEPS; i++) {
    if (i == STEPS / 2)
      scene = renewed_scene(scene, def);
    assert_true(scene_step(scene));
  }
  for (int i = 0; i < DOLLS; i++)
    assert_near(momentum_ahead(scene, i), 1 + i, 1e-9);
  for (int i = 0; i < SCENE_MAX_TARGETS; i++)
    assert_near(scene->targets[i][0], i, 1e-12);
  check_things(scene);
  scene_finish(scene);
  assert_true(outcome_holds(scene));
  for (int i = 0; i < SCENE_MAX_EXPECTS; i++)
    assert_near(outcome_value(scene, &def->expects[i]), 1, 0);
  scene_destroy(scene);
  scene_def_free(def);
}

// The trace has all of it, and the scene that is read from it is the same.
static void test_its_trace(void **state) {
  (void)state;
  RecordedRun run;
  recorded_run_of(&run, full_scene());
  const SceneDef *def = run.def;
  if (!def)
    exit(1); // not reached, which fail_msg does not tell the analyzers
  assert_true(def->platform_count == SCENE_MAX_PLATFORMS && def->prop_count == SCENE_MAX_PROPS);
  assert_true(def->rope_count == SCENE_MAX_ROPES && def->target_count == SCENE_MAX_TARGETS);
  Error error = {0};
  double last[3] = {0};
  const int frames = trace_frame_count(run.reader);
  for (int i = 0; i < SCENE_MAX_PROPS; i++) {
    char path[64];
    snprintf(path, sizeof path, "/objects/q%d/position", i);
    assert_true(trace_read(run.reader, path, TRACE_FLOAT64, frames - 1, 1, last, &error));
    assert_near(last[0], i, 1e-6);
    assert_near(last[1], 30 + 0.01 * (1 + i) * 0.2, 1e-6);
  }
  recorded_run_end(&run);
}

static void test_one_more_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *list, *item;
    int most;
  } lists[] = {{"targets", "{name: t%d}", SCENE_MAX_TARGETS},
               {"cameras", "{name: c%d}", SCENE_MAX_CAMERAS},
               {"platforms", "{name: p%d}", SCENE_MAX_PLATFORMS},
               {"props", "{name: q%d}", SCENE_MAX_PROPS},
               {"expect", "fell == 0 # %d\n", SCENE_MAX_EXPECTS},
               {"events", "{time: 0.%d, part: base, impulse: 1}", EVENTS_MAX}};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    for (int more = 0; more < 2; more++) {
      TextBuffer text = {0};
      Error error = {0};
      text_print(&text, "characters: [{name: doll, body: boxes.yaml}]\n%s:\n", lists[k].list);
      for (int i = 0; i < lists[k].most + more; i++) {
        text_print(&text, "  - ");
        char item[64];
        snprintf(item, sizeof item, lists[k].item, i);
        text_print(&text, "%s\n", item);
      }
      SceneDef *def = small_def_try(text.bytes, NULL, 0, &error);
      if ((def != NULL) == (more == 1))
        fail_msg("%d %s: %s", lists[k].most + more, lists[k].list, error.text);
      scene_def_free(def);
      text_free(&text);
    }
}

// ---- A face ----

// A star of `count` corners, every other one at half the distance of 10 m; its area.
static double put_star(TextBuffer *text, int count) {
  double area = 0, before[2] = {0};
  for (int i = 0; i <= count; i++) {
    const double turn = 2 * M_PI * (i % count) / count, r = i % count % 2 ? 5 : 10;
    const double here[2] = {r * cos(turn), r * sin(turn)};
    if (i < count)
      text_print(text, "v %.9g 0 %.9g\n", here[0], -here[1]);
    area += i > 0 ? (before[0] * here[1] - before[1] * here[0]) / 2 : 0;
    memcpy(before, here, sizeof before);
  }
  text_print(text, "f");
  for (int i = 0; i < count; i++)
    text_print(text, " %d", 1 + i);
  text_print(text, "\n");
  return area;
}

static double area_of(const Level *level) {
  double sum = 0;
  for (int i = 0; i < level->count; i++) {
    double sides[2][3], across[3];
    for (int k = 0; k < 6; k++)
      sides[k / 3][k % 3] = (double)level->triangles[i][1 + k / 3][k % 3] - (double)level->triangles[i][0][k % 3];
    cross3(sides[0], sides[1], across);
    sum += across[1] / 2;
  }
  return sum;
}

static void test_a_face_of_most_corners(void **state) {
  (void)state;
  for (int count = 1024; count <= 1026; count += 2) {
    TextBuffer text = {0};
    const double area = put_star(&text, count);
    char name[] = "star.obj";
    const File file = {.name = name, .path = name, .bytes = text.bytes, .size = text.size};
    Error error = {0};
    Level *level = level_read(&file, 1, 0, &error);
    if (count == 1024) {
      assert_non_null(level);
      assert_near(area_of(level), area, 1e-3);
    } else {
      assert_null(level);
      assert_non_null(strstr(error.text, "star.obj:1027:1: a face with more than 1024 corners"));
    }
    level_destroy(level);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_full_scene),
      cmocka_unit_test(test_its_trace),
      cmocka_unit_test(test_one_more_is_refused),
      cmocka_unit_test(test_a_face_of_most_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
