// Skills with random networks, in scenes of a running man.
#ifndef STAGGER_TESTS_SKILL_FIXTURE_H
#define STAGGER_TESTS_SKILL_FIXTURE_H

#include "tests/fixture.h"

#include "ragdoll/character/character_skill.h"
#include "scenes/description/scene_skill.h"
#include "scenes/run/scene.h"
#include "sim/base/rng.h"

enum { MAX_SKILLS_HERE = 3 };

typedef struct SkillScene {
  SceneDef *def;
  SkillDef *skills[MAX_SKILLS_HERE];
  int skill_count;
  Scene *scene;
} SkillScene;

#define RUNNER(keys)                                                                                                   \
  "world: {dt: 1/240, solver: reduced}\n"                                                                              \
  "characters:\n"                                                                                                      \
  "  - {name: runner, body: bodies/human.yaml, animation: {move: clips/run.yaml}" keys "}\n"

static inline SceneDef *read_scene_text(const char *text) {
  Error error = {0};
  FileSet files = {0};
  snprintf(files.folder, sizeof files.folder, "%s", files_scenes_folder());
  SceneDef *def = scene_def_from_text("test.yaml", text, &files, NULL, 0, &error);
  fixture_check(&error);
  return def;
}

// A skill for the first character, with random weights of this size.
static inline SkillDef *make_skill(SceneDef *def, const char *clip, const char *control, double size) {
  Error error = {0};
  char text[512], network[512], name[] = "test_skill.yaml";
  int length = snprintf(text, sizeof text,
                        "{name: %.20s, body: bodies/human.yaml, clip: clips/%s.yaml, network: none, control: {%s}}\n",
                        clip, clip, control);
  const File file = {.name = name, .path = name, .bytes = text, .size = (size_t)length};
  SkillDef *skill = scene_skill_description(def, &file, def->characters[0].body, network, &error);
  fixture_check(&error);
  assert_string_equal(network, "none");
  NetworkShape shape = {skill->table.input_count, {16, 16}, skill->table.action_count};
  skill_network_init(&skill->network, shape, &error);
  fixture_check(&error);
  Rng rng = rng_make(7, clip);
  for (size_t i = 0; i < network_size(shape); i++)
    skill->network.weights[i] = (float)rng_range(&rng, -size, size);
  return skill;
}

static inline void skill_scene_init(SkillScene *s, const char *text) {
  *s = (SkillScene){.def = read_scene_text(text)};
}

// More than one before skill_scene_start.
static inline SkillDef *skill_scene_add(SkillScene *s, const char *clip, const char *control, double size) {
  CharacterDef *character = &s->def->characters[0];
  SkillDef *skill = make_skill(s->def, clip, control, size);
  s->skills[s->skill_count++] = skill;
  character->skills[character->skill_count++] = skill;
  return skill;
}

static inline Character *skill_scene_start(SkillScene *s) {
  Error error = {0};
  s->scene = scene_create(s->def, &error);
  fixture_check(&error);
  return s->scene->characters[0];
}

static inline void skill_scene_end(SkillScene *s) {
  scene_destroy(s->scene);
  for (int i = 0; i < s->skill_count; i++)
    scene_skill_free(s->skills[i]);
  scene_def_free(s->def);
}

static inline void step_scene(Scene *scene, int steps) {
  for (int i = 0; i < steps; i++)
    if (!scene_step(scene))
      fail_msg("%s", scene->world->stop_reason);
}

#endif
