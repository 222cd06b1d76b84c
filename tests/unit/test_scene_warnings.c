// What is odd but allowed: keys of the terrain that its kind does not read, and layers that move the same joints.
#include "tests/unit/small_scene.h"

#include "scenes/description/scene_warnings.h"

// The warnings of a scene; freed by the caller.
static char *warnings_of(const SceneDef *def) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  scene_warnings(def, out);
  fclose(out);
  return text;
}

// Another value than the default, near to it.
static void change(const Param *row, TerrainDef *def) {
  char *field = (char *)def + row->offset;
  double *reals = (double *)(void *)field;
  if (row->type == PARAM_INT)
    *(int *)(void *)field += 1;
  else if (row->type == PARAM_TEXT)
    snprintf(field, PARAM_TEXT_SIZE, "%s", "other.png");
  else
    reals[0] = row->type == PARAM_RANGE ? -0.5 : reals[0] + 0.45;
}

static bool is_same_ground(const Terrain *a, const Terrain *b) {
  size_t size = sizeof *a->heights * (size_t)a->columns * (size_t)a->rows;
  return memcmp(a->heights, b->heights, size) == 0;
}

static bool is_of_every_kind(const char *key) {
  static const char *const keys[] = {"kind", "x", "z", "cell", "height", "endless"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (strcmp(key, keys[i]) == 0)
      return true;
  return false;
}

// Ground on which every key that is read has an effect.
static TerrainDef telling_ground(int kind) {
  TerrainDef terrain;
  param_defaults(&terrain_params, &terrain);
  terrain.kind = kind;
  terrain.x[0] = -3, terrain.x[1] = 3, terrain.z[0] = -2, terrain.z[1] = 10;
  terrain.cell = 0.05;
  terrain.pitch = terrain.roll = 5;
  terrain.spacing = 2;
  return terrain;
}

// A key has no effect, with a warning, exactly if another value of it leaves the ground as it is.
static void test_keys_of_the_terrain_that_do_nothing(void **state) {
  (void)state;
  static const char *const kinds[] = {"flat", "slope", "stairs", "blocks", "noise", "image", "stones", "gap", "kerb"};
  SceneDef *def = small_def("duration: 1\ncharacters: [{name: a, body: boxes.yaml}]\n");
  Error error = {0};
  int read_keys = 0;
  for (int kind = 0; kind < (int)(sizeof kinds / sizeof kinds[0]); kind++) {
    if (kind == TERRAIN_IMAGE) // needs a file
      continue;
    const TerrainDef plain = telling_ground(kind);
    Terrain *ground = terrain_create(&plain, 1, NULL, &error);
    for (int i = 0; i < terrain_params.count; i++) {
      const Param *row = &terrain_params.rows[i];
      if (is_of_every_kind(row->name))
        continue;
      def->terrain = plain;
      change(row, &def->terrain);
      Terrain *other = terrain_create(&def->terrain, 1, NULL, &error);
      bool reads = !is_same_ground(ground, other);
      char *text = warnings_of(def), wanted[128];
      snprintf(wanted, sizeof wanted, "terrain.%s does nothing: terrain of kind %s does not read it [terrain_key]\n",
               row->name, kinds[kind]);
      if ((!strstr(text, wanted)) != reads)
        fail_msg("%s of kind %s %s, but said is '%s'", row->name, kinds[kind], reads ? "counts" : "does nothing", text);
      read_keys += reads;
      free(text);
      terrain_destroy(other);
    }
    terrain_destroy(ground);
  }
  assert_int_equal(read_keys, 2 + 1 + 5 + 3 + 4 + 6 + 4 + 4); // slope, stairs, blocks, noise, stones, gap, kerb
  scene_def_free(def);
}

static void assert_warnings(const char *character, const char *wanted) {
  char text[512];
  snprintf(text, sizeof text, "duration: 9\ncharacters: [{name: a, body: boxes.yaml, %s}]\n", character);
  SceneDef *def = small_def(text);
  char *warnings = warnings_of(def);
  assert_string_equal(warnings, wanted);
  free(warnings);
  scene_def_free(def);
}

// Two active layers; of those that a script fades one may replace the other.
static void test_layers_that_move_the_same(void **state) {
  (void)state;
  assert_warnings("layers: [{kind: trailing, joints: [top]}, {kind: trailing, name: b, joints: [top]}]",
                  "small.yaml: warning: layers 'trailing' and 'b' of a, both of kind trailing, move the same: top "
                  "[layers_equal]\n");
  assert_warnings("layers: [{kind: trailing, joints: [top]}, {kind: look_at, chain: [top]}]", "");
  assert_warnings("layers: [{kind: trailing, joints: [top]}, {kind: trailing, name: b, joints: [top], weight: 0}]", "");
  assert_warnings("layers: [{kind: trailing, joints: [top]}, {kind: trailing, name: b, joints: [top]}], "
                  "script: [{time: 1, layers: {b: 0}}]",
                  "");
}

// A step that is taken away from a script in memory fades nothing any more.
static void test_fades_end_with_the_script(void **state) {
  (void)state;
  SceneDef *def = small_def("duration: 9\n"
                            "characters:\n"
                            "  - name: a\n"
                            "    body: boxes.yaml\n"
                            "    layers: [{kind: trailing, joints: [top]}, {kind: trailing, name: b, joints: [top]}]\n"
                            "    script: [{time: 1, speed: 0}, {time: 2, layers: {b: 0}}]\n");
  for (int count = 2; count >= 0; count--) {
    def->characters[0].script.count = count;
    char *warnings = warnings_of(def);
    assert_true((strstr(warnings, "[layers_equal]") != NULL) == (count < 2));
    free(warnings);
  }
  scene_def_free(def);
}

static void test_speeds_that_balance_does_not_have(void **state) {
  (void)state;
  assert_warnings("intent: {speed: 3}", "");
  assert_warnings("balance: {enabled: true}, intent: {speed: 1.5}, script: [{time: 0.5, speed: -0.4}]", "");
  assert_warnings(
      "balance: {enabled: true}, script: [{time: 0.2, speed: 1}, {time: 0.5, speed: 3}]",
      "small.yaml: warning: a should walk at 3 m/s; a character that balances by itself walks at -0.4 to 1.5 "
      "m/s [speed_range]\n");
  static const char *const outside[] = {"3", "-1"}; // whichever step has it
  for (int i = 0; i < 2; i++) {
    char keys[160], warning[200];
    snprintf(keys, sizeof keys, "balance: {enabled: true}, script: [{time: 0.2, speed: %s}, {time: 0.5, speed: 1}]",
             outside[i]);
    snprintf(warning, sizeof warning,
             "small.yaml: warning: a should walk at %s m/s; a character that balances by itself walks at -0.4 to 1.5 "
             "m/s [speed_range]\n",
             outside[i]);
    assert_warnings(keys, warning);
  }
  assert_warnings(
      "balance: {enabled: true}, intent: {speed: -1}",
      "small.yaml: warning: a should walk at -1 m/s; a character that balances by itself walks at -0.4 to 1.5 "
      "m/s [speed_range]\n");
}

static char *warnings_of_text(const char *text) {
  Error error = {0};
  FileSet files = {0};
  SceneDef *def = scene_def_from_text("small.yaml", text, &files, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  char *warnings = warnings_of(def);
  scene_def_free(def);
  return warnings;
}

// A speed without locomotion lets the body fall; a clip that moves waits for a speed.
static void test_speeds_without_locomotion(void **state) {
  (void)state;
  static const struct {
    const char *character, *warning;
  } cases[] = {
      {"intent: {speed: 1}", "a should move at 1 m/s, but nothing moves its legs"},
      {"script: [{time: 0.1, strafe: -2}]", "a should move at 2 m/s, but nothing moves its legs"},
      {"intent: {speed: 1}, balance: {enabled: true}", NULL},
      {"intent: {speed: 1}, layers: [{kind: biped}]", NULL},
      {"intent: {speed: 1}, animation: {move: clips/walk.yaml}", NULL},
      {"animation: {move: clips/walk.yaml}, script: [{time: 0.1, speed: 1}]", NULL},
      {"animation: {move: clips/walk.yaml}", NULL},
      {"animation: {move: clips/walk.yaml}, intent: {speed: 0}",
       "a stands still: its 'move' keeps step with the speed of 'intent', which is 0; as it was made it goes at 1.3 "
       "m/s"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text, "duration: 1\ncharacters: [{name: a, body: bodies/human.yaml, %s}]\n",
             cases[i].character);
    char *warnings = warnings_of_text(text);
    if (cases[i].warning)
      assert_non_null(strstr(warnings, cases[i].warning));
    else
      assert_string_equal(warnings, "");
    free(warnings);
  }
}

// A clip moves at its own speed if the scene gives none, and stands if it does not move.
static void test_a_clip_moves_at_its_own_speed(void **state) {
  (void)state;
  static const struct {
    const char *character;
    double speed, strafe; // m/s
  } cases[] = {
      {"animation: {move: clips/walk.yaml}", 1.3, 0},
      {"animation: {move: clips/side_step_left.yaml}", 0, 0.5},
      {"animation: {move: clips/walk.yaml}, intent: {speed: 0.4}", 0.4, 0},
      {"animation: {move: clips/walk.yaml}, intent: {speed: 0}", 0, 0},
      {"animation: {move: clips/walk.yaml}, intent: {strafe: 0.2}", 0, 0.2},
      {"animation: {move: clips/walk.yaml}, script: [{time: 0.1, speed: 1}]", 0, 0},
      {"animation: {move: clips/idle.yaml}", 0, 0},
      {"animation: {graph: graphs/human.yaml}", 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text, "duration: 1\ncharacters: [{name: a, body: bodies/human.yaml, %s}]\n",
             cases[i].character);
    Error error = {0};
    FileSet files = {0};
    SceneDef *def = scene_def_from_text("small.yaml", text, &files, NULL, 0, &error);
    if (!def) {
      fail_msg("%s: %s", cases[i].character, error.text);
      return;
    }
    const Intent *intent = &def->characters[0].intent;
    assert_float_equal(intent->speed, cases[i].speed, 1e-3);
    assert_float_equal(intent->strafe, cases[i].strafe, 1e-3);
    scene_def_free(def);
  }
}

// A box and a ball beside it; the centre of mass is in neither's middle.
static const char SIGN[] =
    "name: sign\n"
    "parts:\n"
    "  - name: post\n"
    "    mass: 4\n"
    "    com: [0.02, 1.1, -0.03]\n"
    "    inertia: [0.05, 0.06, 0.07]\n"
    "    joint: {kind: root, position: [0, 1, 0]}\n"
    "    shapes: [{box: [0.2, 0.4, 0.3], center: [0, 1, 0]}, {sphere: 0.1, center: [1, 1, 0]}]\n";

// What is said of a bullet at a point of the world, m.
static char *warnings_of_point(double x, double y, double z) {
  char text[256];
  Error error = {0};
  FileSet files = {0};
  files_put(&files, "sign.yaml", SIGN, sizeof SIGN - 1);
  files.sealed = true;
  snprintf(text, sizeof text,
           "duration: 1\ncharacters: [{name: a, body: sign.yaml}]\n"
           "events: [{time: 0.1, impulse: 1, part: post, point: [%.9f, %.9f, %.9f]}]\n",
           x - 0.02, y - 1.1, z + 0.03);
  SceneDef *def = scene_def_from_text("small.yaml", text, &files, NULL, 0, &error);
  if (!def)
    fail_msg("%s", error.text);
  char *warnings = warnings_of(def);
  scene_def_free(def);
  return warnings;
}

static void assert_point(double x, double y, double z, const char *distance) {
  char wanted[128] = "", *warnings = warnings_of_point(x, y, z);
  if (distance)
    snprintf(wanted, sizeof wanted, "small.yaml: warning: events.0: its point is %s m outside of post [event_point]\n",
             distance);
  assert_string_equal(warnings, wanted);
  free(warnings);
}

// More than 5 cm outside of the nearest shape, on any side.
static void test_points_of_events(void **state) {
  (void)state;
  static const double half[3] = {0.1, 0.2, 0.15};
  for (int axis = 0; axis < 3; axis++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double near[3] = {0, 1, 0}, far[3] = {0, 1, 0};
      near[axis] += sign * (half[axis] + 0.05 - 1e-6);
      far[axis] += sign * (half[axis] + 0.05 + 1e-6);
      assert_point(near[0], near[1], near[2], NULL);
      assert_point(far[0], far[1], far[2], "0.05");
    }
  assert_point(0, 1, 0, NULL); // within
  assert_point(-0.1 - 0.028, 1.2 + 0.028, 0.15 + 0.028, NULL);
  assert_point(-0.1 - 0.029, 1.2 + 0.029, 0.15 + 0.029, "0.05"); // 29 mm times the root of three
  assert_point(0.9, 1.1, -0.1, NULL);                            // of the ball
  assert_point(1, 1.1 + 0.3, 0, "0.3");
  assert_point(0.4, 1, 0, "0.3"); // the box is nearer
  assert_point(0.6, 1, 0, "0.3"); // the ball
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_keys_of_the_terrain_that_do_nothing),
      cmocka_unit_test(test_layers_that_move_the_same),
      cmocka_unit_test(test_fades_end_with_the_script),
      cmocka_unit_test(test_speeds_that_balance_does_not_have),
      cmocka_unit_test(test_speeds_without_locomotion),
      cmocka_unit_test(test_a_clip_moves_at_its_own_speed),
      cmocka_unit_test(test_points_of_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
