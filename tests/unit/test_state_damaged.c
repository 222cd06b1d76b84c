// What is said of states that are damaged anywhere, of worlds, events and characters of many kinds: a number out of its
// range, one that is none, and an end, at every byte. The messages, which name section and range, to the letter; and
// the whole state to nine digits of its sum.
#include "tests/unit/small_scene.h"

#include <limits.h>

#include "ragdoll/character/character_state.h"
#include "sim/base/text_buffer.h"
#include "sim/world/world_state.h"
#include "tests/unit/text_digest.h"

typedef struct Damaged {
  const char *name, *text; // YAML
  int steps;
  uint64_t world, events, characters; // digests of the messages
} Damaged;

#define MAN "body: bodies/human.yaml, "
#define EVENTS                                                                                                         \
  "events: [{character: man, time: 0.02, part: chest, impulse: 40}, {character: man, kind: push, part: chest, "        \
  "deviation: 20, every: [0.02, 0.03], from: 0, until: 1, impulse: 4, duration: 0.05}, {character: man, kind: "        \
  "projectile, time: 0.01, speed: 5, mass: 2, part: head}]\n"
#define PLANNERS                                                                                                       \
  "characters: [{name: man, " MAN                                                                                      \
  "planner: {def: planners/human.yaml, policy: planners/human_policy.yaml, goals: [[0, "                               \
  "5], [2, 5]]}}, {name: other, " MAN "start: {position: [0.5, 0, 3]}, planner: {def: planners/human.yaml, policy: "   \
  "planners/human_policy.yaml, goals: [[0, 0]]}}]\n"

static const Damaged DAMAGED[] = {
    {"balance", "characters: [{name: man, " MAN "balance: {enabled: true, delay: 0.05}}]\n" EVENTS, 24,
     0x671399805626be85, 0x0a3403b3a6dae103, 0x2161ef9aa5cb6dd6},
    {"graph and layers",
     "terrain: {kind: noise, amplitude: 0.05}\ncharacters: [{name: man, " MAN
     "animation: {graph: graphs/human.yaml}, layers: [{kind: foot_placement}, {kind: look_at, chain: [chest, head]}], "
     "intent: {speed: 1}, drive: {noise_joints: 1, noise_trunk: 1}}]\n" EVENTS,
     24, 0xb6a51d2272ec5a65, 0x0a3403b3a6dae103, 0x700b793b36318f3a},
    {"planners", PLANNERS, 24, 0xc5d100e938ac6107, 0x99bfdeb4e125aa31, 0x61842dc998cf875a},
    {"skill", "characters: [{name: man, " MAN "animation: {move: clips/walk.yaml}, skill: skills/walk.yaml}]\n" EVENTS,
     24, 0x0f09af7c1d5d612e, 0x0a3403b3a6dae103, 0xdc2072a209475701},
    {"jump",
     "characters: [{name: man, " MAN "animation: {move: clips/walk.yaml, stand: clips/idle.yaml, jump: clips/jump.yaml}"
     ", fall: {prone: clips/get_up_prone.yaml, supine: clips/get_up_supine.yaml}, intent: {speed: 0}, script: [{time: "
     "0, jump: {distance: 0.4}}]}]\n" EVENTS,
     60, 0x99d320edc6c5f5d7, 0x0a3403b3a6dae103, 0xfc37545883771c7f},
    {"things",
     "world: {solver: reduced}\nplatforms: [{name: p, size: [1, 0.3, 1], center: [-1, 0.4, 0], mass: 3}, {name: r, "
     "size: "
     "[3, 0.2, 3], center: [0, 0.1, 0], radius: 0.5, period: 3}]\nprops: [{name: q, size: [0.3, 0.3, 0.3], mass: 2, "
     "center: [0, 0.5, 1]}]\nropes: [{from: p, at: [0, 0.1, 0], to: q, to_at: [0, 0, 0]}]\ncharacters: [{name: "
     "man, " MAN "layers: [{kind: biped}], start: {position: [0, 0.2, 0]}}]\n" EVENTS,
     24, 0x8e2435646a373cac, 0xdcb21936b245f94a, 0x8c25eaba1f9e9a24},
};
enum { BLOCK = 64, DAMAGED_COUNT = sizeof DAMAGED / sizeof *DAMAGED };

typedef void Save(Scene *scene, StateStream *stream);

static void save_world(Scene *scene, StateStream *stream) { world_state(scene->world, stream); }

static void save_events(Scene *scene, StateStream *stream) {
  events_state(&scene->events, scene->world, scene->characters, scene->character_count, stream);
}

static void save_characters(Scene *scene, StateStream *stream) {
  for (int i = 0; i < scene->character_count; i++)
    character_state(scene->characters[i], stream);
}

// Restores what is damaged, and notes what is said of it, if it is not NULL. Returns whether it is refused.
static bool is_refused(Scene *scene, Save *save, const unsigned char *bytes, size_t size, size_t at, TextBuffer *said) {
  Error error = {0};
  StateStream stream = state_stream_restore(bytes, size, &error);
  save(scene, &stream);
  assert_true(stream.failed == (error.text[0] != '\0'));
  if (stream.failed && said)
    text_print(said, "%zu %s\n", at, error.text);
  return stream.failed;
}

// Damages some bytes with what is no number of a list, nor true or false, nor any number as the bytes of a double.
static void damage(unsigned char *bytes, size_t size, size_t at, size_t end) {
  static const int none = INT_MAX;
  for (; at + sizeof none <= size && at < end; at += sizeof none)
    memcpy(bytes + at, &none, sizeof none);
}

// All damages of which a number may begin in a block of bytes; most blocks have nothing that is checked.
static void damage_block(Scene *scene, Save *save, const unsigned char *good, size_t size, size_t at,
                         TextBuffer *said) {
  static unsigned char bytes[1 << 20];
  bool checked = false;
  memcpy(bytes, good, size);
  for (size_t i = 0; i < sizeof(int) && !checked; i++) {
    damage(bytes, size, at + i, at + BLOCK);
    checked = is_refused(scene, save, bytes, size, at, NULL);
    memcpy(bytes + at, good + at, size - at < 2 * BLOCK ? size - at : 2 * BLOCK);
  }
  for (size_t k = at; checked && k < at + BLOCK; k++) {
    damage(bytes, size, k, k + sizeof(double));
    is_refused(scene, save, bytes, size, k, said);
    memcpy(bytes + at, good + at, size - at < 2 * BLOCK ? size - at : 2 * BLOCK);
  }
}

static bool is_as_kept(const char *name, Scene *scene, Save *save, uint64_t kept) {
  static unsigned char good[1 << 20];
  TextBuffer said = {0};
  StateStream stream = state_stream_save(good, sizeof good, NULL);
  save(scene, &stream);
  assert_false(stream.failed);
  for (size_t at = 0; at < stream.at; at += BLOCK) {
    damage_block(scene, save, good, stream.at, at, &said);
    is_refused(scene, save, good, at, at, &said); // cut short
  }
  assert_false(is_refused(scene, save, good, stream.at, 0, NULL));
  const uint64_t digest = text_digest(said.bytes);
  if (digest != kept)
    printf("%s: 0x%016llx of %zu bytes, not 0x%016llx\n", name, (unsigned long long)digest, said.size,
           (unsigned long long)kept);
  text_free(&said);
  return digest == kept;
}

static void damage_is_told(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DAMAGED_COUNT; i++) {
    const Damaged *damaged = &DAMAGED[i];
    FileSet files = {0};
    SceneDef *def = shipped_def(damaged->name, damaged->text, &files);
    Scene *scene = small_scene(def);
    for (int k = 0; k < damaged->steps; k++)
      assert_true(scene_step(scene));
    wrong += !is_as_kept(damaged->name, scene, save_world, damaged->world);
    wrong += !is_as_kept(damaged->name, scene, save_events, damaged->events);
    wrong += !is_as_kept(damaged->name, scene, save_characters, damaged->characters);
    scene_destroy(scene);
    scene_def_free(def);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damage_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
