// Changes of a running scene: what is accepted, what acts at once, and what remains after a reset.
#include "tests/unit/edited_scene.h"

static void assert_refused(Edits *edits, const char *path, const char *name, const char *text, const char *message) {
  Error error = {0};
  int group = find_group(edits, path);
  const Param *row = find_row(edits, group, name);
  char before[256], after[256];
  param_write_row(row, edits_group(edits, group)->values, before, sizeof before);
  bool was_changed = edits_is_changed(edits, group, row);
  assert_false(edits_set(edits, group, row, text, &error));
  assert_string_equal(error.text, message);
  param_write_row(row, edits_group(edits, group)->values, after, sizeof after);
  assert_string_equal(after, before);
  assert_int_equal(edits_is_changed(edits, group, row), was_changed);
}

// Sets a value, and passes it to the running scene.
static void tune(Edits *edits, Scene *scene, const char *path, const char *name, const char *text) {
  Error error = {0};
  set(edits, path, name, text);
  int group = find_group(edits, path);
  if (!scene_retune(scene, edits_group(edits, group), find_row(edits, group, name), &error))
    fail_msg("%s", error.text);
}

// The list.

static void test_groups(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  assert_int_equal(edits_group_count(edits), 1 + scene_section_count + 2 * character_section_count + 2);
  const EditGroup *drive = edits_group(edits, find_group(edits, "characters.b.drive"));
  assert_string_equal(drive->title, "b: drive");
  assert_int_equal(drive->character, 1);
  assert_ptr_equal(drive->values, &def->characters[1].drive);
  const EditGroup *push = edits_group(edits, find_group(edits, "events.1"));
  assert_int_equal(push->character, 1);
  assert_int_equal(edits_group(edits, find_group(edits, "world"))->character, -1);
  edits_destroy(edits);
  scene_def_free(def);
}

static bool is_offered(const Edits *edits, const char *path, const char *name) {
  int group = find_group(edits, path);
  return edits_is_offered(edits_group(edits, group), find_row(edits, group, name));
}

static bool is_live(const Edits *edits, const char *path, const char *name) {
  int group = find_group(edits, path);
  return edits_is_live(edits_group(edits, group), find_row(edits, group, name));
}

static void test_what_is_offered_and_live(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  assert_true(is_live(edits, "world", "gravity") && is_live(edits, "characters.a.drive", "strength"));
  assert_true(is_live(edits, "characters.a.root", "leash") && is_live(edits, "events.0", "impulse"));
  assert_false(is_live(edits, "world", "dt") || is_live(edits, "", "seed") || is_live(edits, "terrain", "kind"));
  assert_false(is_live(edits, "characters.a.start", "heading") || is_live(edits, "trace", "rate"));
  assert_false(is_live(edits, "events.0", "time") || is_live(edits, "characters.a.assist", "part"));
  assert_true(is_live(edits, "characters.a.balance", "trigger") && !is_live(edits, "characters.a.balance", "enabled"));
  assert_true(is_offered(edits, "events.0", "time") && !is_offered(edits, "events.0", "every"));
  assert_true(!is_offered(edits, "events.1", "time") && is_offered(edits, "events.1", "every"));
  assert_true(!is_offered(edits, "events.0", "duration") && is_offered(edits, "events.1", "duration"));
  assert_false(is_offered(edits, "events.0", "character"));
  edits_destroy(edits);
  scene_def_free(def);
}

// Values.

// Another value that the row allows, near the present one.
static void other_value(const Param *row, const void *values, char *text, size_t size) {
  const char *field = (const char *)values + row->offset;
  double now = row->type == PARAM_INT ? *(const int *)(const void *)field : 0;
  if (row->type == PARAM_REAL || row->type == PARAM_RANGE || row->type == PARAM_VECTOR)
    now = *(const double *)(const void *)field;
  double step = row->type == PARAM_INT ? 1 : fmin(0.01 * (row->max - row->min), 0.1 + 0.1 * fabs(now));
  double other = now + step <= row->max ? now + step : now - step;
  switch (row->type) {
  case PARAM_BOOL:
    snprintf(text, size, *(const bool *)field ? "false" : "true");
    break;
  case PARAM_INT:
    snprintf(text, size, "%d", (int)other);
    break;
  case PARAM_REAL:
    snprintf(text, size, "%.17g", other);
    break;
  case PARAM_RANGE: // terrain's x and z must keep an extent
    snprintf(text, size, "[%.17g, %.17g]", now, other < now ? now : ((const double *)(const void *)field)[1] + step);
    if (((const double *)(const void *)field)[1] + step > row->max)
      snprintf(text, size, "[%.17g, %.17g]", now, fmax(now, ((const double *)(const void *)field)[1] - step));
    break;
  case PARAM_VECTOR:
    snprintf(text, size, "[%.17g, 1, -2]", other);
    break;
  case PARAM_CHOICE:
    snprintf(text, size, "%.*s", (int)strcspn(row->unit, "|"), row->unit);
    if (*(const int *)(const void *)field == 0)
      snprintf(text, size, "%.*s", (int)strcspn(strchr(row->unit, '|') + 1, "|"), strchr(row->unit, '|') + 1);
    break;
  case PARAM_TEXT:
    snprintf(text, size, strcmp(row->name, "part") == 0 ? (strcmp(field, "top") == 0 ? "base" : "top") : "'#: \"x'");
    break;
  }
}

// Every row of every group: set, kept over a reading of the scene, over writing and reading, and taken back.
static void test_every_row(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  int rows = 0;
  for (int i = 0; i < edits_group_count(edits); i++) {
    const EditGroup *group = edits_group(edits, i);
    for (int k = 0; k < group->table->count; k++) {
      const Param *row = &group->table->rows[k];
      if (!edits_is_offered(group, row))
        continue;
      char before[256], text[256], value[256], again[256];
      Error error = {0};
      param_write_row(row, group->values, before, sizeof before);
      other_value(row, group->values, text, sizeof text);
      if (!edits_set(edits, i, row, text, &error))
        fail_msg("%s.%s=%s: %s", group->path, row->name, text, error.text);
      param_write_row(row, group->values, value, sizeof value);
      assert_string_not_equal(value, before);
      assert_true(edits_is_changed(edits, i, row) && edits_unsaved(edits));

      SceneDef *reread = edits_reread(edits, NULL, 0, &error);
      char *written = edits_text(edits, &error);
      if (!reread || !written)
        fail_msg("%s.%s=%s: %s", group->path, row->name, text, error.text);
      SceneDef *saved = small_def(written);
      SceneDef *readings[] = {reread, saved};
      for (int n = 0; n < 2; n++) {
        Edits *there = make_edits(readings[n]);
        param_write_row(row, edits_group(there, i)->values, again, sizeof again);
        assert_string_equal(again, value);
        edits_destroy(there);
        scene_def_free(readings[n]);
      }
      free(written);

      assert_true(edits_revert(edits, i, row, &error));
      param_write_row(row, group->values, again, sizeof again);
      assert_string_equal(again, before);
      assert_false(edits_is_changed(edits, i, row) || edits_unsaved(edits));
      rows++;
    }
  }
  assert_true(rows > 100);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_bad_values(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  assert_refused(edits, "characters.a.drive", "strength", "3e9",
                 "characters.a.drive: strength is 3e9, allowed are 0 to 10");
  assert_refused(edits, "", "seed", "-1", "run: seed is -1, allowed are whole numbers from 0 to 2147483647");
  assert_refused(edits, "world", "gravity", "[0, 1]",
                 "world: gravity is [0, 1], allowed are [x, y, z], each from -100 to 100 m/s^2");
  assert_refused(edits, "events.0", "impulse", "[3, 2]", "events.0: impulse is [3, 2], but low must not be above high");
  assert_refused(edits, "world", "solver", "magic", "world: solver is magic, allowed are step, iterative, reduced");
  assert_refused(edits, "characters.a.drive", "enabled", "",
                 "characters.a.drive: enabled is \"\", allowed are true and "
                 "false");
  // Values that depend on each other.
  assert_refused(edits, "characters.a.assist", "part", "tail",
                 "--set characters.a.assist.part=tail: there is no part 'tail' in body 'boxes', allowed are base, top");
  assert_refused(edits, "terrain", "kind", "image",
                 "--set terrain.kind=image: 'image' is missing: a terrain of kind image needs a PNG file");
  assert_refused(edits, "events.1", "until", "0.05", "--set events.1.until=0.05: 0.05 s is before 'from', 0.1 s");
  assert_refused(edits, "events.0", "character", "b", "events.0: character cannot be changed in the running scene");
  assert_refused(edits, "events.0", "every", "1", "events.0: every cannot be changed in the running scene");
  assert_false(edits_unsaved(edits));
  // An earlier edit stays.
  set(edits, "characters.a.drive", "strength", "2");
  assert_refused(edits, "characters.a.drive", "strength", "-2",
                 "characters.a.drive: strength is -2, allowed are 0 to 10");
  assert_true(def->characters[0].drive.strength == 2);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_back_to_the_same_is_no_change(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  set(edits, "characters.a.assist", "force", "25");
  set(edits, "characters.a.assist", "force", "20.0");
  assert_false(edits_unsaved(edits));
  set(edits, "world", "dt", "1/200");
  assert_true(def->world.dt == 1.0 / 200);
  set(edits, "world", "dt", "1/240");
  const char *const *overrides;
  assert_int_equal(edits_overrides(edits, &overrides), 0);
  edits_destroy(edits);
  scene_def_free(def);
}

// The running scene.

static void test_no_edit_changes_nothing(void **state) {
  (void)state;
  SceneDef *plain = small_def(SCENE), *def = small_def(SCENE);
  uint64_t wanted = run_def(plain, 240);
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  for (int step = 0; step < 240; step++) {
    for (int i = 0; i < edits_group_count(edits); i++)
      for (int k = 0; k < edits_group(edits, i)->table->count; k++)
        assert_true(scene_retune(scene, edits_group(edits, i), &edits_group(edits, i)->table->rows[k], NULL));
    run(scene, 1);
  }
  assert_true(world_hash(scene->world) == wanted);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(plain);
  scene_def_free(def);
}

static void test_world_at_once(void **state) {
  (void)state;
  SceneDef *def = small_def("characters: [{name: doll, body: boxes.yaml, start: {position: [0, 50, 0]}}]\n");
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  const Character *doll = scene->characters[0];
  double dt = def->world.dt;
  run(scene, 10);
  double before = doll->sensed.com_velocity[1];
  tune(edits, scene, "world", "gravity", "[0, 3, 0]");
  run(scene, 1);
  assert_near(doll->sensed.com_velocity[1] - before, 3 * dt, 1e-12);
  tune(edits, scene, "world", "dt", "1/100"); // with the next reset
  run(scene, 1);
  assert_true(scene->world->def.dt == dt && scene->world->time == 12 * dt);
  tune(edits, scene, "world", "solver", "iterative");
  tune(edits, scene, "world", "iterations", "77");
  assert_int_equal(dWorldGetQuickStepNumIterations(scene->world->ode), 77);
  tune(edits, scene, "world", "correction_speed", "0.25");
  assert_true(dWorldGetContactMaxCorrectingVel(scene->world->ode) == 0.25);
  run(scene, 1);
  tune(edits, scene, "world", "max_speed", "1");
  for (int i = 0; i < 240 && scene_step(scene); i++)
    ;
  assert_true(scene->world->stopped);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// The largest joint error in a second, and the lowest that the body's centre of mass gets above its root.
static void run_second(Scene *scene, double *error, double *height) {
  const Character *runner = scene->characters[0];
  *error = 0;
  *height = INFINITY;
  for (int step = 0; step < 240; step++) {
    run(scene, 1);
    *height = fmin(*height, runner->sensed.com[1] - runner->root.position[1]);
    for (int i = 1; i < runner->def->body->part_count; i++)
      *error = fmax(*error, (double)runner->sensed.joint_error[i]);
  }
}

static void test_drive_at_once(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = scene_def_read("hit_assist", NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  double before[2], weak[2], weaker[2];
  run(scene, 120);
  run_second(scene, &before[0], &before[1]);
  tune(edits, scene, "characters.runner.drive", "strength", "0.3");
  run_second(scene, &weak[0], &weak[1]);
  tune(edits, scene, "characters.runner.drive", "strength", "0.1");
  run_second(scene, &weaker[0], &weaker[1]);
  assert_true(before[0] < 0.15 && weak[0] > 0.3);                        // rad: joints lag behind
  assert_true(weak[1] < before[1] - 0.005 && weaker[1] < weak[1] - 0.1); // m: the body sags, then sinks down
  tune(edits, scene, "characters.runner.hit_reaction", "falloff", "0.125");
  assert_true(scene->characters[0]->hit_reaction.def.falloff == 0.125);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// A man who balances stands lower and steps more often as soon as these are set; whether he balances waits for a reset.
static void test_balance_at_once(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = scene_def_read("walk_free", NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  const Character *man = scene->characters[0];
  run(scene, 100);
  double height = man->sensed.com[1];
  tune(edits, scene, "characters.man.balance", "leg_stretch", "0.79");
  run(scene, 110);
  assert_true(man->sensed.com[1] < height - 0.015);
  run(scene, 430);
  int steps = man->balance.steps;
  run(scene, 480);
  int slow = man->balance.steps - steps;
  tune(edits, scene, "characters.man.balance", "step_time", "0.4");
  tune(edits, scene, "characters.man.balance", "enabled", "false");
  run(scene, 120);
  steps = man->balance.steps;
  run(scene, 480);
  assert_true(man->balance.steps - steps > slow);
  assert_true(man->balance.def.enabled);
  assert_false(man->sensed.fallen);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// Turned on, an assist first holds a weightless doll against nothing, then against gravity; turned off, it lets go.
static void test_assist_at_once(void **state) {
  (void)state;
  SceneDef *def = small_def("characters:\n"
                            "  - {name: doll, body: boxes.yaml, assist: {part: base}}\n"
                            "world: {gravity: [0, 0, 0]}\n");
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  const Character *doll = scene->characters[0];
  run(scene, 10);
  double height = doll->sensed.com[1];
  tune(edits, scene, "characters.doll.assist", "enabled", "true");
  run(scene, 10);
  assert_near(doll->assist.force_w[1], 0, 0.1); // it has not been thrown at its target
  tune(edits, scene, "characters.doll.assist", "frequency", "5");
  tune(edits, scene, "world", "gravity", "[0, -9.81, 0]");
  double hold = 0;
  for (int i = 0; i < 120; i++) {
    run(scene, 1);
    hold = doll->assist.force_w[1];
  }
  double depth = height - doll->sensed.com[1];
  assert_true(hold > 20);
  assert_true(depth < 0.2);
  tune(edits, scene, "characters.doll.assist", "enabled", "false");
  double speed = doll->sensed.com_velocity[1];
  run(scene, 24);
  assert_near(doll->sensed.com_velocity[1] - speed, -9.81 * 24 * def->world.dt, 1e-9);
  tune(edits, scene, "characters.doll.assist", "enabled", "true");
  run(scene, 1);
  assert_true(doll->assist.force_w[1] > 20);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// The keyboard's speed stays while the heading is edited, and an edit of the speed acts.
static void test_intent_by_row(void **state) {
  (void)state;
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  scene->characters[0]->intent = (Intent){.speed = 1.5, .heading = 10};
  tune(edits, scene, "characters.a.drive", "strength", "2");
  tune(edits, scene, "characters.a.intent", "heading", "45");
  assert_true(scene->characters[0]->intent.speed == 1.5 && scene->characters[0]->intent.heading == 45);
  tune(edits, scene, "characters.a.intent", "speed", "0.5");
  assert_true(scene->characters[0]->intent.speed == 0.5);
  assert_true(scene->characters[1]->intent.speed == 0);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// A row of an event acts from the next event on.
static void test_event_at_once(void **state) {
  (void)state;
  SceneDef *def = small_def(SMALL_FLIGHT "events: [{every: 0.1, part: base, point: [0, 0, 0], impulse: 6}]\n");
  Edits *edits = make_edits(def);
  Scene *scene = small_scene(def);
  run(scene, 12);
  assert_near(scene->characters[0]->sensed.com_velocity[2], 1, 1e-9); // 6 N s on 6 kg
  tune(edits, scene, "events.0", "impulse", "12");
  run(scene, 24);
  assert_near(scene->characters[0]->sensed.com_velocity[2], 3, 1e-9);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

// All are taken back: the running scene continues as one without edits, and its original description stays.
static void test_all_back(void **state) {
  (void)state;
  Error error = {0};
  static const char *const given[] = {"world.friction=0.5"};
  SceneDef *def = small_def_try(SCENE, given, 1, &error);
  Edits *edits = make_edits(def);
  uint64_t untouched = run_def(def, 60);
  Scene *scene = small_scene(def);
  assert_int_equal(edits_change_count(edits), 0);
  tune(edits, scene, "world", "friction", "0.9");
  tune(edits, scene, "world", "gravity", "[0, -1, 0]");
  tune(edits, scene, "characters.a.drive", "strength", "0.1");
  tune(edits, scene, "characters.a.assist", "force", "25");
  tune(edits, scene, "events.0", "impulse", "30");
  set(edits, "world", "dt", "1/300"); // waits for a reset
  assert_true(edits_add_event(edits, "{character: a, time: 1, part: top, impulse: 3}", &error));
  assert_int_equal(edits_change_count(edits), 6);
  assert_true(edits_revert_all(edits, scene, &error));
  assert_int_equal(edits_change_count(edits), 0);
  assert_int_equal(edits_event_count(edits), 1);
  for (int i = 0; i < edits_group_count(edits); i++)
    for (int k = 0; k < edits_group(edits, i)->table->count; k++)
      assert_true(param_is_equal(&edits_group(edits, i)->table->rows[k], edits_group(edits, i)->values,
                                 edits_opened(edits, i)));
  assert_true(def->world.friction == 0.5 && def->world.dt == 1.0 / 240);
  assert_true(run(scene, 60) == untouched);
  scene_destroy(scene);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_added_events_are_taken_away(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  static const char *const events[] = {"{character: a, time: 1, part: top, impulse: 3}",
                                       "{character: b, time: 0.5, part: base, impulse: 4}",
                                       "{character: a, time: 0.25, part: base, impulse: 5}"};
  for (int i = 0; i < 3; i++)
    assert_true(edits_add_event(edits, events[i], &error));
  edits_remove_event(edits, 1);
  assert_int_equal(edits_event_count(edits), 2);
  assert_string_equal(edits_event(edits, 0), events[0]);
  assert_string_equal(edits_event(edits, 1), events[2]);
  char *text = edits_text(edits, &error);
  assert_non_null(text);
  assert_non_null(strstr(text, "time: 0.25"));
  assert_null(strstr(text, "time: 0.5"));
  free(text);
  assert_true(edits_unsaved(edits));
  edits_remove_event(edits, 0);
  edits_remove_event(edits, 0);
  assert_int_equal(edits_event_count(edits), 0);
  assert_false(edits_unsaved(edits));
  edits_destroy(edits);
  scene_def_free(def);
}

// Resets.

// A value cannot go back to where another edit does not allow it: then nothing changes.
static void test_refused_revert(void **state) {
  (void)state;
  Error error = {0};
  SceneDef *def = small_def(SCENE);
  Edits *edits = make_edits(def);
  const int world = find_group(edits, "world");
  set(edits, "world", "dt", "1/960");
  set(edits, "trace", "rate", "960");
  assert_false(edits_revert(edits, world, find_row(edits, world, "dt"), &error));
  assert_non_null(strstr(error.text, "trace.rate: 960 Hz is faster than the steps of"));
  assert_true(def->world.dt == 1.0 / 960 && def->record.rate == 960);
  assert_true(edits_is_changed(edits, world, find_row(edits, world, "dt")));
  assert_int_equal(edits_change_count(edits), 2);
  edits_destroy(edits);
  scene_def_free(def);
}

static void test_reset_keeps_edits(void **state) {
  (void)state;
  Error error = {0};
  static const char *const given[] = {"world.friction=0.5"}, *const seed[] = {"seed=9"};
  SceneDef *def = small_def_try(SCENE, given, 1, &error);
  Edits *edits = make_edits(def);
  set(edits, "world", "dt", "1/300");
  set(edits, "characters.b.drive", "strength", "0.5");
  SceneDef *again = edits_reread(edits, seed, 1, &error);
  assert_non_null(again);
  assert_true(edits_attach(edits, again, &error));
  scene_def_free(def);
  assert_true(again->world.dt == 1.0 / 300 && again->world.friction == 0.5 && again->run.seed == 9);
  int group = find_group(edits, "characters.b.drive");
  assert_ptr_equal(edits_group(edits, group)->values, &again->characters[1].drive);
  assert_true(again->characters[1].drive.strength == 0.5);
  assert_true(edits_revert(edits, group, find_row(edits, group, "strength"), &error));
  assert_true(again->characters[1].drive.strength == 1);
  const char *const *overrides;
  assert_int_equal(edits_overrides(edits, &overrides), 2);
  assert_string_equal(overrides[0], given[0]);
  assert_string_equal(overrides[1], "world.dt=1/300");

  static const char *const others[] = {SMALL_FLIGHT, "# Of as many groups.\n"};
  for (int i = 0; i < 2; i++) {
    char text[sizeof SCENE + 100];
    snprintf(text, sizeof text, "%s%s", others[i], i == 0 ? "" : SCENE);
    SceneDef *other = small_def(text);
    assert_false(edits_attach(edits, other, &error));
    assert_string_equal(error.text, "small.yaml: is another scene than the one that was edited");
    scene_def_free(other);
  }
  edits_destroy(edits);
  scene_def_free(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_what_is_offered_and_live),
      cmocka_unit_test(test_every_row),
      cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_back_to_the_same_is_no_change),
      cmocka_unit_test(test_no_edit_changes_nothing),
      cmocka_unit_test(test_world_at_once),
      cmocka_unit_test(test_drive_at_once),
      cmocka_unit_test(test_balance_at_once),
      cmocka_unit_test(test_assist_at_once),
      cmocka_unit_test(test_intent_by_row),
      cmocka_unit_test(test_event_at_once),
      cmocka_unit_test(test_all_back),
      cmocka_unit_test(test_added_events_are_taken_away),
      cmocka_unit_test(test_refused_revert),
      cmocka_unit_test(test_reset_keeps_edits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
