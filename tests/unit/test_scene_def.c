// Scene files: defaults, overrides, assets, and that a scene's text reads back to the same scene.
#include "tests/unit/small_scene.h"

static const char SCENE[] = "purpose: Two dolls.\n"
                            "seed: 7\n"
                            "duration: 2.5\n"
                            "world: {dt: 1/500, gravity: [0, -9.8, 0]}\n"
                            "terrain: {kind: slope, pitch: 10}\n"
                            "characters:\n"
                            "  - name: a\n"
                            "    body: boxes.yaml\n"
                            "    start: {position: [1, 2, 3], heading: 45}\n"
                            "    animation: {move: nod.yaml, stagger: {left: nod.yaml}}\n"
                            "    drive: {strength: 0.5}\n"
                            "    assist: {enabled: true, part: top, force: 20}\n"
                            "    hit_reaction: {falloff: 0.25, strength_drop: [[0, 0], [2, 1]], tones: {top: -0.5},\n"
                            "      stagger: {dv: [[0, 0], [1, 1]], direction: [[0, 1], [180, 0]]}, mask: [top]}\n"
                            "  - {name: b-2, body: boxes.yaml, intent: {speed: 1}}\n"
                            "events:\n"
                            "  - {character: b-2, time: 1, part: [top, base], impulse: [2, 3], point: [0, 0.1, 0]}\n"
                            "  - {character: a, kind: push, every: [1, 2], until: 9, impulse: 4, duration: 0.2}\n"
                            "trace: {rate: 100}\n"
                            "expect: [a.fell == 0, b-2.distance > 1]\n";

static void test_values_and_defaults(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  assert_string_equal(def->name, "small");
  assert_string_equal(def->run.purpose, "Two dolls.");
  assert_int_equal(def->run.seed, 7);
  assert_true(def->run.duration == 2.5);
  assert_true(def->world.dt == 1.0 / 500);
  assert_true(def->world.gravity[1] == -9.8);
  assert_true(def->world.friction == 0.9); // default
  assert_int_equal(def->terrain.kind, TERRAIN_SLOPE);
  assert_int_equal(def->steps_per_frame, 5);
  assert_int_equal(def->step_count, 1250);

  assert_int_equal(def->character_count, 2);
  const CharacterDef *a = &def->characters[0], *b = &def->characters[1];
  assert_string_equal(a->name, "a");
  assert_true(a->start.position[0] == 1 && a->start.position[1] == 2 && a->start.position[2] == 3);
  assert_true(a->start.heading == 45);
  assert_true(a->drive.strength == 0.5 && b->drive.strength == 1);
  assert_true(a->assist.enabled && !b->assist.enabled);
  assert_string_equal(a->assist.part, "top");
  assert_true(b->intent.speed == 1);
  assert_true(a->hit_reaction.falloff == 0.25);
  assert_int_equal(a->hit_reaction.strength_drop.by_dv.count, 2);
  assert_int_equal(a->hit_reaction.stagger.by_direction.count, 2);
  assert_true(a->hit_reaction.mask[0] == 0 && a->hit_reaction.mask[1] == 1);
  assert_true(a->hit_reaction.tones[0] == 0 && a->hit_reaction.tones[1] == -0.5f);
  HitReactionDef standard = hit_reaction_def_default();
  assert_memory_equal(&a->hit_reaction.blend, &standard.blend, sizeof standard.blend);
  assert_memory_equal(&b->hit_reaction, &standard, sizeof standard);

  // Every file is read once and shared.
  assert_ptr_equal(a->body, b->body);
  assert_int_equal(def->asset_count, 2); // a body and a clip
  assert_ptr_equal(a->move, a->stagger[STAGGER_LEFT]);
  assert_null(a->stagger[STAGGER_RIGHT]);
  assert_null(b->move);
  assert_int_equal(def->files.count, 2);
  scene_def_free(def);
}

static void test_events_and_expectations(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  assert_int_equal(def->event_count, 2);
  const EventDef *shot = &def->events[0], *push = &def->events[1];
  assert_int_equal(shot->target, 1);
  assert_int_equal(shot->part_count, 2);
  assert_int_equal(shot->parts[0], 1);
  assert_int_equal(shot->parts[1], 0);
  assert_true(shot->impulse[0] == 2 && shot->impulse[1] == 3);
  assert_true(shot->has_point && shot->point[1] == 0.1);
  assert_false(shot->repeated);
  assert_int_equal(push->kind, EVENT_PUSH);
  assert_int_equal(push->target, 0);
  assert_int_equal(push->part_count, 2); // any
  assert_true(push->repeated && push->until == 9);
  assert_true(push->impulse[0] == 4 && push->impulse[1] == 4);
  assert_int_equal(def->expect_count, 2);
  assert_int_equal(def->expects[1].character, 1);
  assert_string_equal(def->expects[1].metric, "distance");
  scene_def_free(def);
}

static void test_overrides_are_in_the_text(void **state) {
  (void)state;
  static const char *const overrides[] = {"world.dt=1/200",
                                          "characters.a.drive.strength=0.25",
                                          "events.0.impulse=12",
                                          "characters.b-2.assist.enabled=true",
                                          "characters.b-2.assist.part=base",
                                          "seed=9"};
  Error error = {0};
  SceneDef *def = small_def_try(SCENE, overrides, 6, &error);
  assert_string_equal(error.text, "");
  SceneDef *again = def ? small_def(def->text) : NULL;
  if (!def || !again)
    return; // not reached: small_def fails the test; the analyser does not know
  const SceneDef *defs[2] = {def, again};
  for (int i = 0; i < 2; i++) {
    assert_true(defs[i]->world.dt == 1.0 / 200);
    assert_true(defs[i]->characters[0].drive.strength == 0.25);
    assert_true(defs[i]->characters[1].assist.enabled);
    assert_true(defs[i]->events[0].impulse[0] == 12 && defs[i]->events[0].impulse[1] == 12);
    assert_int_equal(defs[i]->run.seed, 9);
  }
  assert_string_equal(def->text, again->text);
  scene_def_free(def);
  scene_def_free(again);
}

// A scene's text has the same meaning after writing and reading it.
static void test_text_round_trip(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE), *again = small_def(def->text);
  assert_string_equal(def->text, again->text);
  assert_memory_equal(&def->run, &again->run, sizeof def->run);
  assert_memory_equal(&def->world, &again->world, sizeof def->world);
  assert_memory_equal(&def->terrain, &again->terrain, sizeof def->terrain);
  assert_memory_equal(def->events, again->events, sizeof def->events);
  assert_memory_equal(def->expects, again->expects, sizeof def->expects);
  for (int i = 0; i < def->character_count; i++) {
    const CharacterDef *a = &def->characters[i], *b = &again->characters[i];
    assert_string_equal(a->name, b->name);
    assert_memory_equal(&a->start, &b->start, sizeof a->start);
    assert_memory_equal(&a->drive, &b->drive, sizeof a->drive);
    assert_memory_equal(&a->assist, &b->assist, sizeof a->assist);
    assert_memory_equal(&a->hit_reaction, &b->hit_reaction, sizeof a->hit_reaction);
  }
  scene_def_free(def);
  scene_def_free(again);
}

// A trace contains all files of its scene.
static void test_scene_of_a_trace(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = small_def(SCENE);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_string_equal(error.text, "");
  assert_true(scene_record(scene, writer, &error));
  uint64_t hashes[40];
  for (int i = 0; i < 40; i++) {
    assert_true(scene_step(scene));
    hashes[i] = world_hash(scene->world);
  }
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));

  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  SceneDef *again = scene_def_from_trace(reader, &error);
  assert_string_equal(error.text, "");
  assert_string_equal(again->text, def->text);
  assert_string_equal(again->name, "small");
  assert_true(again->files.sealed);
  Scene *replay = small_scene(again);
  uint64_t recorded[40];
  assert_true(trace_read(reader, "/step_hash", TRACE_UINT64, 0, 40, recorded, &error));
  for (int i = 0; i < 40; i++) {
    assert_true(scene_step(replay));
    assert_true(world_hash(replay->world) == hashes[i]);
    assert_true(recorded[i] == hashes[i]);
  }
  assert_int_equal(trace_frame_count(reader), 9); // at 0 and after every fifth step
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_destroy(replay);
  scene_def_free(def);
  scene_def_free(again);
  remove(path);
}

// Intervals are whole numbers of steps, the nearest to what is wanted, and one at least. A rate may be a little above
// that of the steps, as it is where both were rounded.
static void test_times_are_whole_steps(void **state) {
  (void)state;
  static const struct {
    const char *dt, *rate, *duration, *states;
    int per_frame; // 0: refused
    long steps, per_state;
    const char *largest; // of a rate that is refused
  } times[] = {
      {"1/240", "60", "2", "0.5", 4, 480, 120, NULL},
      {"0.004", "62.5", "1", "0", 4, 250, 0, NULL},
      {"1/240", "97", "1.001", "0.0061", 2, 240, 2, NULL},
      {"1/240", "95", "1.003", "0.019", 3, 241, 6, NULL},
      {"0.002", "55.5555556", "0.001", "0.0001", 9, 1, 9, NULL},
      {"1/240", "240", "0.01", "0.01", 1, 2, 2, NULL},
      {"1/240", "240.002", "0.0105", "0.0105", 1, 3, 3, NULL},
      {"1/240", "240.003", "1", "0", 0, 0, 0, "240"},
      {"0.002", "501", "1", "0", 0, 0, 0, "500"},
  };
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    char text[512], refusal[128] = "";
    snprintf(
        text, sizeof text,
        "trace: {rate: %s, states: %s}\nworld: {dt: %s}\nduration: %s\ncharacters: [{name: a, body: boxes.yaml}]\n",
        times[i].rate, times[i].states, times[i].dt, times[i].duration);
    if (times[i].largest)
      snprintf(refusal, sizeof refusal,
               "small.yaml:1:15: trace.rate: %s Hz is faster than the steps of %g s; largest is %s", times[i].rate,
               1 / strtod(times[i].largest, NULL), times[i].largest);
    Error error = {0};
    SceneDef *def = small_def_try(text, NULL, 0, &error);
    assert_string_equal(error.text, refusal);
    if (def) {
      assert_int_equal(def->steps_per_frame, times[i].per_frame);
      assert_int_equal(def->step_count, times[i].steps);
      assert_int_equal(def->steps_per_state, times[i].per_state);
    }
    scene_def_free(def);
  }
}

// The sections' tables have no key twice, and none that a scene reads otherwise.
static void test_sections_are_complete(void **state) {
  (void)state;
  for (int i = 0; i < character_section_count; i++) {
    const ParamTable *table = character_sections[i].table;
    assert_string_equal(table->name, character_sections[i].key);
    for (int k = 0; k < table->count; k++)
      assert_ptr_equal(param_find(table, table->rows[k].name), &table->rows[k]);
  }
  for (int i = 0; i < scene_section_count; i++)
    assert_string_equal(scene_sections[i].table->name, scene_sections[i].key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_and_defaults),       cmocka_unit_test(test_events_and_expectations),
      cmocka_unit_test(test_overrides_are_in_the_text), cmocka_unit_test(test_text_round_trip),
      cmocka_unit_test(test_scene_of_a_trace),          cmocka_unit_test(test_times_are_whole_steps),
      cmocka_unit_test(test_sections_are_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
