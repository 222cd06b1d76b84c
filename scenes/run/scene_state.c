// A scene's state as bytes: a head that says what it is and whether it is whole, then the world, the characters and the
// events, each by their own function.
#include "scenes/run/scene_state.h"

#include <stdlib.h>
#include <string.h>

#include "sim/world/world_state.h"

// The head. It is compared before anything is touched.
typedef struct StateHead {
  char magic[16];       // "Stagger state" and the version of the format
  uint64_t scene;       // hash of the description's text
  uint64_t size, check; // bytes behind the head, and their hash
  int64_t steps;        // done so far
} StateHead;

static const char MAGIC[16] = "Stagger state 1";

static uint64_t scene_hash(const Scene *scene) {
  const char *text = scene->def->text;
  return state_hash(state_hash(STATE_HASH, text, strlen(text)), STAGGER_VERSION, strlen(STAGGER_VERSION));
}

// ---- What a scene consists of ----

static void scene_state(Scene *scene, StateStream *stream) {
  world_state(scene->world, stream);
  for (int i = 0; i < scene->character_count && !state_failed(stream); i++)
    character_state(scene->characters[i], stream);
  events_state(&scene->events, stream);
  state_section(stream, "the targets", sizeof scene->targets);
  STATE(stream, scene->targets);
}

// Counting and saving read alone; the functions of modules are the same in both directions.
static Scene *read_only(const Scene *scene) { return (Scene *)(uintptr_t)scene; }

size_t scene_state_size(const Scene *scene) {
  StateStream stream = state_counter();
  scene_state(read_only(scene), &stream);
  return sizeof(StateHead) + stream.at;
}

bool scene_state_save(const Scene *scene, void *buffer, size_t size, Error *error) {
  if (size < sizeof(StateHead))
    return error_set(error, "a state needs %zu bytes, not %zu", scene_state_size(scene), size);
  unsigned char *body = (unsigned char *)buffer + sizeof(StateHead);
  StateStream stream = state_saver(body, size - sizeof(StateHead));
  scene_state(read_only(scene), &stream);
  if (state_failed(&stream))
    return error_set(error, "a state needs %zu bytes, not %zu", scene_state_size(scene), size);
  StateHead head = {.scene = scene_hash(scene),
                    .size = stream.at,
                    .check = state_hash(STATE_HASH, body, stream.at),
                    .steps = scene->world->steps};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  memcpy(buffer, &head, sizeof head);
  return true;
}

// ---- Restoring ----

static bool check_head(const Scene *scene, const void *buffer, size_t size, StateHead *head, Error *error) {
  if (size < sizeof *head || memcmp(buffer, MAGIC, 13) != 0)
    return error_set(error, "this is no state of a scene");
  memcpy(head, buffer, sizeof *head);
  if (memcmp(head->magic, MAGIC, sizeof MAGIC) != 0)
    return error_set(error, "this state has another format: this program reads '%s'", MAGIC);
  if (head->scene != scene_hash(scene))
    return error_set(error,
                     "this state is of another scene than %s, of other overrides or of another version of Stagger",
                     scene->def->name);
  const unsigned char *body = (const unsigned char *)buffer + sizeof *head;
  if (head->size > size - sizeof *head || state_hash(STATE_HASH, body, head->size) != head->check)
    return error_set(error, "this state is damaged or cut short");
  return true;
}

static bool restore(Scene *scene, const unsigned char *body, size_t size, Error *error) {
  StateStream stream = state_restorer(body, size);
  scene_state(scene, &stream);
  if (!state_failed(&stream) && stream.at != size)
    error_set(&stream.error, "the state does not fit: it is longer than the scene's");
  if (state_failed(&stream))
    return error_set(error, "%s", stream.error.text);
  scene->record_failed = false;
  return true;
}

bool scene_state_restore(Scene *scene, const void *buffer, size_t size, Error *error) {
  StateHead head;
  if (scene->world->broken)
    return error_set(error, "the scene was stopped in the middle of a step and takes no state any more");
  if (!check_head(scene, buffer, size, &head, error))
    return false;
  // What the scene is now, for the case that the state does not fit after all.
  const size_t present_size = scene_state_size(scene);
  unsigned char *present = malloc(present_size);
  if (!present || !scene_state_save(scene, present, present_size, error)) {
    free(present);
    return error_set(error, "out of memory for a state of %zu bytes", present_size);
  }
  bool good = restore(scene, (const unsigned char *)buffer + sizeof head, head.size, error);
  if (!good)
    restore(scene, present + sizeof head, present_size - sizeof head, NULL);
  free(present);
  return good;
}
