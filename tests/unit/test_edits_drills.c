// What becomes of an edit of every parameter of a scene with all kinds of things, by drawn values, good and bad, while
// it runs: what is said, what counts as changed, the overrides and the text, to the letter, and the run to nine digits.
#include "tests/unit/drill.h"
#include "tests/unit/edited_scene.h"

#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/text_digest.h"

static const char RICH[] =
    "# Many things.\n"
    "purpose: Many things.\n"
    "seed: 2\n"
    "duration: 1\n"
    "world: {dt: 1/120} # short\n"
    "terrain: {kind: noise, amplitude: 0.02}\n"
    "platforms: [{name: p, size: [1, 0.3, 1], center: [-2, 0.3, 0], radius: 0.4, period: 3}]\n"
    "props: [{name: q, size: [0.3, 0.3, 0.3], mass: 2, center: [0, 0.5, 2]}]\n"
    "characters:\n"
    "  - name: man\n"
    "    body: bodies/human.yaml\n"
    "    animation: {move: clips/walk.yaml, stand: clips/idle.yaml} # he walks\n"
    "    layers: [{kind: foot_placement}, {kind: look_at, chain: [chest, head], weight: 0.5}]\n"
    "    intent: {speed: 0.8}\n"
    "    assist: {enabled: true}\n"
    "    responses: {enabled: true}\n"
    "  - {name: doll, body: boxes.yaml, start: {position: [1, 0.2, 0]}, assist: {part: base}}\n"
    "  - {name: biped, body: bodies/human.yaml, start: {position: [-1, 0, 0]}, layers: [{kind: biped}]}\n"
    "events:\n"
    "  - {character: doll, time: 0.1, part: top, impulse: 3}\n"
    "  - {character: man, kind: push, part: chest, every: [0.2, 0.3], from: 0.1, until: 1, impulse: 40}\n"
    "  - {character: man, kind: projectile, part: head, time: 0.3, mass: 0.5}\n"
    "expect: [man.fell == 0]\n";

enum { RUNS, SUMS };
static const char *const NAMES[SUMS] = {"runs"};
static const double OUTCOMES[1][SUMS] = {{-0.013125006563}};
static const uint64_t TOLD = 0x8521e0b3e9ec845f,
                      FILES = 0x166a249c7e9bfe2c; // digests of what is said, and of the edited texts

static void draw_text(const Param *row, const void *values, Rng *rng, char *text, size_t size) {
  const int kind = rng_index(rng, 8);
  const double share = rng_unit(rng), least = fmax(row->min, -20), most = fmin(row->max, 20);
  param_write_row(row, values, text, size);
  if (kind == 0)
    snprintf(text, size, "%s", share < 0.5 ? "none of it" : "[1, 2, 3, 4]");
  else if (kind == 1 || row->type == PARAM_TEXT || row->type == PARAM_CHOICE)
    return; // as it is
  else if (row->type == PARAM_BOOL)
    snprintf(text, size, "%s", share < 0.5 ? "true" : "false");
  else if (row->type == PARAM_INT)
    snprintf(text, size, "%d", (int)fmin(fmax(row->min + kind - 3, row->min - 1), row->max + 1));
  else if (row->type == PARAM_VECTOR)
    snprintf(text, size, "[%.4g, %.4g, 0.1]", least + share * (most - least), share);
  else if (row->type == PARAM_RANGE)
    snprintf(text, size, "[%.4g, %.4g]", least, least + share * fmin(most - least, 1));
  else
    snprintf(text, size, "%.4g",
             kind == 2   ? row->max * 1.01 + 1
             : kind == 3 ? row->min
                         : least + share * fmin(most - least, 2));
}

// Edits one parameter, and passes it on to the scene that runs.
static void edit(Edits *edits, Scene *scene, int index, const Param *row, Rng *rng, TextBuffer *told) {
  const EditGroup *group = edits_group(edits, index);
  char text[200], now[200];
  Error error = {0}, retuned = {0};
  const bool offered = edits_is_offered(group, row), live = edits_is_live(group, row);
  draw_text(row, group->values, rng, text, sizeof text);
  const bool done = edits_set(edits, index, row, text, &error);
  if (done && live)
    scene_retune(scene, group, row, &retuned);
  param_write_row(row, group->values, now, sizeof now);
  text_print(told, "%s.%s %s: %d%d%d %d %d %s; %s %s\n", group->path, row->name, text, offered, live, done,
             edits_is_changed(edits, index, row), edits_change_count(edits), now, error.text, retuned.text);
}

static void tell_files(const Edits *edits, TextBuffer *files) {
  Error error = {0};
  char *text = edits_text(edits, &error);
  const char *const *overrides;
  for (int i = 0, count = edits_overrides(edits, &overrides); i < count; i++)
    text_print(files, "%s\n", overrides[i]);
  text_print(files, "%s%s%d\n", text ? text : "", error.text, edits_unsaved(edits));
  free(text);
}

static void step(Scene *scene, int count, DrillSum *sum) {
  for (int i = 0; i < count && !scene->world->stopped && scene_step(scene); i++)
    for (int k = 0; k < scene->world->body_count; k++)
      drill_add_all(sum, dBodyGetPosition(scene->world->bodies[k].ode), 3);
}

static void every_parameter_is_edited(void **state) {
  (void)state;
  Rng rng = rng_make(1, "edits");
  TextBuffer told = {0}, texts = {0};
  Error error = {0};
  FileSet files = {0};
  DrillSum sum = {0};
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  SceneDef *def = shipped_def("rich", RICH, &files);
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  for (int i = 0; i < edits_group_count(edits); i++) {
    const ParamTable *table = edits_group(edits, i)->table;
    text_print(&told, "%s, %d\n", edits_group(edits, i)->title, edits_group(edits, i)->character);
    for (int k = 0; k < table->count; k++)
      edit(edits, scene, i, &table->rows[k], &rng, &told);
    step(scene, 1, &sum);
    if (i % 7 == 3)
      tell_files(edits, &texts);
  }
  text_print(&told, "%d %s\n", edits_revert_all(edits, scene, &error), error.text);
  text_print(&told, "%d\n", edits_change_count(edits));
  step(scene, 10, &sum);
  tell_files(edits, &texts);
  const double means[SUMS] = {sum.sum / (double)sum.count};
  const bool same = drill_is_kept("edits", NAMES, means, OUTCOMES[0], SUMS);
  const bool as_told = text_is_kept("what is said", told.bytes, TOLD),
             as_written = text_is_kept("texts", texts.bytes, FILES);
  assert_true(same && as_told && as_written);
  text_free(&told);
  text_free(&texts);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_parameter_is_edited)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
