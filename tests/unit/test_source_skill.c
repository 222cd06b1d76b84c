// The viewer says which skill leads the followed character, at the present moment of a run and only then.
#include "tests/unit/small_scene.h"

#include "scenes/description/scene_skill.h"
#include "scenes/train/skill_file.h"
#include "viewer/source/source.h"

static const char SKILL[] = "name: nodding\nbody: boxes.yaml\nclip: nod.yaml\nnetwork: nodding.safetensors\n";
static const char SCENE[] = "duration: 1\n"
                            "characters:\n"
                            "  - {name: led, body: boxes.yaml, skill: skill.yaml, animation: {move: nod.yaml}}\n"
                            "  - {name: free, body: boxes.yaml, animation: {move: nod.yaml}}\n";

static char folder[] = "/tmp/stagger_source_skill_XXXXXX";
static const char *const FILES[][2] = {
    {"boxes.yaml", BOXES}, {"nod.yaml", NOD}, {"skill.yaml", SKILL}, {"scene.yaml", SCENE}};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

// A network whose actions are all 0.
static void write_network(void) {
  Error error = {0};
  SkillDef *skill;
  char name[512];
  SceneDef *def = scene_skill_alone(path_of("skill.yaml"), &skill, name, &error);
  assert_non_null(def);
  assert_string_equal(name, "nodding.safetensors");
  SkillNetwork network;
  NetworkShape shape = {skill->table.input_count, {2, 2}, skill->table.action_count};
  assert_true(skill_network_init(&network, shape, &error));
  SkillRecord record = {.seed = 1};
  File description = {"skill.yaml", "skill.yaml", (char *)SKILL, sizeof SKILL - 1};
  assert_true(skill_file_write(path_of(name), skill, &network, &description, &def->files, &record, &error));
  skill_network_free(&network);
  scene_skill_free(skill);
  scene_def_free(def);
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  for (int i = 0; i < FILE_COUNT; i++) {
    FILE *file = fopen(path_of(FILES[i][0]), "w");
    if (!file || fputs(FILES[i][1], file) < 0 || fclose(file) != 0)
      return -1;
  }
  write_network();
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++)
    unlink(path_of(FILES[i][0]));
  unlink(path_of("nodding.safetensors"));
  return rmdir(folder);
}

// The caption's line on the skill, for a character at a time.
static const char *line_for(Source *source, int character, double time) {
  static Picture picture;
  Error error = {0};
  picture_clear(&picture);
  SourceLook look = {.subject = character};
  assert_true(source_picture(source, time, &look, &picture, &error));
  return picture.lead;
}

static void test_the_leading_skill_is_named(void **state) {
  (void)state;
  Error error = {0};
  Source *source = source_open(path_of("scene.yaml"), NULL, 0, &error);
  assert_non_null(source);
  assert_true(source_run_to(source, 0.5, &error));
  assert_true(source_refresh(source, &error));
  assert_string_equal(source_skill(source, 0, 0.5), "nodding");
  assert_string_equal(line_for(source, 0, 0.5), "skill nodding");
  assert_null(source_skill(source, 1, 0.5));
  assert_string_equal(line_for(source, 1, 0.5), "");
  assert_null(source_skill(source, 2, 0.5));  // there is no such character
  assert_null(source_skill(source, 0, 0.25)); // the past is not known
  assert_string_equal(line_for(source, 0, 0.25), "");
  assert_true(source_close(source, &error));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_leading_skill_is_named)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
