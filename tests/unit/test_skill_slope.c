// Skills that see how the ground rises around the pelvis; and networks that have learnt without, from which those learn
// on.
#include "tests/unit/skill_fixture.h"

#include <unistd.h>

#include "scenes/train/skill_file.h"

#define STANDING                                                                                                       \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - {name: man, body: bodies/human.yaml, balance: {enabled: true}}\n"

// A slope with a step and an edge.
typedef struct Land {
  double base;    // m at the origin
  double rise[2]; // m/m along x and z
  double step;    // m by which it is higher where x > 0.1
  double edge;    // m: beyond this x there is no ground
} Land;

static bool land_height(const void *context, double x, double z, double from, double *height, double normal_w[3]) {
  (void)normal_w;
  (void)from;
  const Land *land = context;
  *height = land->base + land->rise[0] * x + land->rise[1] * z + (x > 0.1 ? land->step : 0);
  return x <= land->edge;
}

// A man who stands at the origin, and a skill that sees the slope.
typedef struct Sight {
  SkillScene scene;
  Character *character;
  SkillDef *skill;
  JointGoal goals[BODY_MAX_PARTS];
  float strength[BODY_MAX_PARTS];
  double foot_force[SKELETON_MAX_LEGS][3];
  float last[SKILL_MAX_ACTIONS];
} Sight;

static void open_sight(Sight *sight) {
  *sight = (Sight){.skill = NULL};
  skill_scene_init(&sight->scene, STANDING);
  sight->skill = make_skill(sight->scene.def, "get_up_supine", "rate: 30, slope: true", 0.1);
  sight->scene.skills[sight->scene.skill_count++] = sight->skill;
  sight->character = skill_scene_start(&sight->scene);
}

static void look(const Sight *sight, const Land *land, double heading, bool mirrored, float inputs[]) {
  const Ground ground = {.height = land_height, .context = land};
  SkillView view = {.ragdoll = sight->character->ragdoll,
                    .ground = &ground,
                    .goals = sight->goals,
                    .strength = sight->strength,
                    .foot_force = (const double(*)[3])sight->foot_force,
                    .pelvis = glms_quat_identity(),
                    .target_m = &sight->character->target,
                    .heading = heading,
                    .mirrored = mirrored};
  skill_observe(sight->skill, &view, sight->last, inputs);
}

static void assert_rises(const Sight *sight, const Land *land, double heading, double ahead, double left) {
  float inputs[SKILL_MAX_INPUTS];
  const int at = sight->skill->table.input_count - SKILL_SLOPE_INPUTS;
  look(sight, land, heading, false, inputs);
  if (!(fabs((double)inputs[at] - ahead) < 1e-6 && fabs((double)inputs[at + 1] - left) < 1e-6))
    fail_msg("it sees a rise of %g ahead and %g to the left, not %g and %g", (double)inputs[at], (double)inputs[at + 1],
             ahead, left);
}

// The key adds two inputs behind all others, and changes none of those.
static void test_the_key_adds_two_inputs(void **state) {
  (void)state;
  SceneDef *def = read_scene_text(STANDING);
  SkillDef *without = make_skill(def, "get_up_supine", "rate: 30", 0.1);
  SkillDef *with = make_skill(def, "get_up_supine", "rate: 30, slope: true", 0.1);
  const SkillTable *table = &with->table;
  const int before = without->table.input_count;
  assert_int_equal(before, 157);
  assert_int_equal(table->input_count, before + 2);
  assert_memory_equal(table->inputs, without->table.inputs, (size_t)before * sizeof *table->inputs);
  assert_string_equal(table->inputs[before].name, "ground rise ahead");
  assert_string_equal(table->inputs[before + 1].name, "ground rise left");
  for (int i = before; i < before + 2; i++)
    assert_int_equal(table->inputs[i].twin, i);
  scene_skill_free(without);
  scene_skill_free(with);
  scene_def_free(def);
}

static void test_rise_ahead_and_to_the_left(void **state) {
  (void)state;
  Sight sight;
  open_sight(&sight);
  const Land level = {.edge = 9}, slope = {.rise = {0.1, -0.25}, .edge = 9};
  assert_rises(&sight, &level, 0.7, 0, 0);
  assert_rises(&sight, &slope, 0, -0.25, 0.1);
  assert_rises(&sight, &slope, M_PI / 2, 0.1, 0.25); // he faces x, and -z is at his left
  assert_rises(&sight, &slope, M_PI, 0.25, -0.1);
  assert_rises(&sight, &slope, 0.3, 0.1 * sin(0.3) - 0.25 * cos(0.3), 0.1 * cos(0.3) + 0.25 * sin(0.3));
  skill_scene_end(&sight.scene);
}

// A wall is no steeper than 45 deg, and where the ground ends it goes on at the height that it has under the pelvis.
static void test_steps_and_edges_have_limits(void **state) {
  (void)state;
  Sight sight;
  open_sight(&sight);
  const Land wall = {.step = 1, .edge = 9}, edge = {.base = 0.5, .rise = {0.5, 0}, .edge = 0.1}, nothing = {.edge = -9};
  assert_rises(&sight, &wall, 0, 0, 1);
  assert_rises(&sight, &wall, M_PI, 0, -1);
  assert_rises(&sight, &edge, 0, 0, 0.25);
  assert_rises(&sight, &nothing, 0, 0, 0);
  skill_scene_end(&sight.scene);
}

static void test_left_changes_sign_in_a_mirror(void **state) {
  (void)state;
  Sight sight;
  float plain[SKILL_MAX_INPUTS], mirrored[SKILL_MAX_INPUTS];
  open_sight(&sight);
  const Land slope = {.rise = {0.1, -0.25}, .edge = 9};
  const int at = sight.skill->table.input_count - SKILL_SLOPE_INPUTS;
  look(&sight, &slope, 0.4, false, plain);
  look(&sight, &slope, 0.4, true, mirrored);
  assert_true(mirrored[at] == plain[at] && plain[at] != 0);
  assert_true(mirrored[at + 1] == -plain[at + 1] && plain[at + 1] != 0);
  skill_scene_end(&sight.scene);
}

// ---- Learning on from a network that has not seen the slope ----

typedef struct Files {
  SceneDef *def;
  SkillDef *without, *with; // the same skill, which sees no slope and sees it; the latter has no network
  char path[64];
} Files;

// Writes the network of the one that sees no slope.
static void write_network(const Files *files) {
  Error error = {0};
  char name[] = "test_skill.yaml", text[] = "{}";
  const File description = {.name = name, .path = name, .bytes = text, .size = 2};
  const SkillRecord record = {.samples = 1};
  skill_file_write(files->path, files->without, &files->without->network, &description, &files->def->files, &record,
                   &error);
  fixture_check(&error);
}

static void open_files(Files *files) {
  *files = (Files){.def = read_scene_text(STANDING)};
  snprintf(files->path, sizeof files->path, "test_skill_slope_%d.safetensors", (int)getpid());
  files->without = make_skill(files->def, "get_up_supine", "rate: 30", 0.1);
  files->with = make_skill(files->def, "get_up_supine", "rate: 30, slope: true", 0.1);
  skill_network_free(&files->with->network);
  for (int i = 0; i < files->without->table.input_count; i++) {
    files->without->network.mean[i] = 0.01f * (float)i;
    files->without->network.scale[i] = 1 + 0.1f * (float)i;
  }
  write_network(files);
}

static void close_files(Files *files) {
  unlink(files->path);
  scene_skill_free(files->without);
  scene_skill_free(files->with);
  scene_def_free(files->def);
}

// It decides as before to the bit, on any slope, and could learn to see it.
static void test_it_decides_as_before(void **state) {
  (void)state;
  Files files;
  Error error = {0};
  float inputs[SKILL_MAX_INPUTS], before[SKILL_MAX_ACTIONS], after[SKILL_MAX_ACTIONS];
  open_files(&files);
  skill_file_read_before(files.path, files.with, &error);
  fixture_check(&error);
  const SkillNetwork *network = &files.with->network;
  assert_int_equal(network->shape.inputs, files.with->table.input_count);
  Rng rng = rng_make(3, "inputs");
  for (int k = 0; k < 20; k++) {
    for (int i = 0; i < network->shape.inputs; i++)
      inputs[i] = (float)rng_range(&rng, -1, 1);
    skill_network_run(&files.without->network, inputs, before);
    skill_network_run(network, inputs, after);
    assert_memory_equal(before, after, (size_t)network->shape.outputs * sizeof *before);
  }
  for (int i = network->shape.inputs - SKILL_SLOPE_INPUTS; i < network->shape.inputs; i++)
    assert_true(network->mean[i] == 0 && fabsf(network->scale[i] - 10) < 1e-5f);
  close_files(&files);
}

// A scene wants all inputs, and so does a training whose skill does not see the slope.
static void test_only_learning_on_may_lack_them(void **state) {
  (void)state;
  Files files;
  Error error = {0};
  open_files(&files);
  assert_false(skill_file_read(files.path, files.with, &error));
  assert_non_null(strstr(error.text, "tensor 'mean' has the shape 157, wanted is 159"));
  assert_null(files.with->network.weights);
  skill_network_free(&files.without->network);
  error = (Error){0};
  assert_true(skill_file_read_before(files.path, files.without, &error));
  close_files(&files);
}

// A skill that does not see the slope lacks nothing.
static void test_no_others_may_be_missing(void **state) {
  (void)state;
  Files files;
  Error error = {0};
  open_files(&files);
  SkillDef *without = files.without;
  skill_network_free(&without->network);
  const int count = without->table.input_count;
  without->table.input_count = count - SKILL_SLOPE_INPUTS;
  skill_network_init(&without->network, (NetworkShape){count - SKILL_SLOPE_INPUTS, {4, 4}, 27}, &error);
  write_network(&files);
  skill_network_free(&without->network);
  without->table.input_count = count;
  assert_false(skill_file_read_before(files.path, without, &error));
  assert_non_null(strstr(error.text, "tensor 'mean' has the shape 155, wanted is 157"));
  assert_false(skill_file_read_before(files.path, files.with, &error));
  close_files(&files);
}

// The inputs must be the skill's but for the last two: not as many others, nor fewer.
static void test_other_inputs_are_refused(void **state) {
  (void)state;
  static const struct {
    int renamed;
    const char *name;
  } changes[] = {{0, "pelvis depth"}, {156, "last pac"}, {156, "last pace\nmore"}, {3, ""}};
  Files files;
  open_files(&files);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    Error error = {0};
    SkillChannel *input = &files.without->table.inputs[changes[i].renamed], kept = *input;
    snprintf(input->name, sizeof input->name, "%s", changes[i].name);
    write_network(&files);
    *input = kept;
    assert_false(skill_file_read_before(files.path, files.with, &error));
    if (!strstr(error.text, ".safetensors: its inputs are not those of the skill without 'ground rise ahead' and "
                            "'ground rise left'"))
      fail_msg("%zu: %s", i, error.text);
    assert_null(files.with->network.weights);
  }
  close_files(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_key_adds_two_inputs),     cmocka_unit_test(test_rise_ahead_and_to_the_left),
      cmocka_unit_test(test_steps_and_edges_have_limits), cmocka_unit_test(test_left_changes_sign_in_a_mirror),
      cmocka_unit_test(test_it_decides_as_before),        cmocka_unit_test(test_only_learning_on_may_lack_them),
      cmocka_unit_test(test_no_others_may_be_missing),    cmocka_unit_test(test_other_inputs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
