// A saved scene: a head, by which a state is identified and checked before anything is changed, then the world, the
// events and the characters, each by the function of its module.
#include "scenes/run/scene_state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/character/character_state.h"
#include "sim/world/world_state.h"

enum { STATE_VERSION = 1 };
static const char MAGIC[8] = "STAGSTA";

typedef struct Head {
  char magic[8];
  uint64_t version, checksum; // checksum of all bytes after these two fields
  uint64_t size, description; // bytes, including the head; SceneDef.hash
  int64_t steps;
  char program[24]; // version of the program
} Head;

static const size_t CHECKED_FROM = offsetof(Head, size);

static uint64_t checksum(const void *bytes, size_t size) {
  return state_checksum((const unsigned char *)bytes + CHECKED_FROM, size - CHECKED_FROM);
}

// ---- What follows the head ----

// The sums of a recorded scene's present frame: with a length of its own, so that a scene without recording can skip
// it.
static void recording_state(Scene *scene, StateStream *stream) {
  int size = 0, frame = scene->def->steps_per_frame;
  state_section(stream, "recording", 1);
  if (!state_restores(stream) && scene->recorder) {
    StateStream counter = state_stream_count();
    recorder_state(scene->recorder, &counter);
    size = (int)counter.at;
  }
  state_int(stream, &frame, 1, INT_MAX);
  state_int(stream, &size, 0, INT_MAX);
  bool same_frames = frame == scene->def->steps_per_frame;
  if (size > 0 && scene->recorder && same_frames)
    recorder_state(scene->recorder, stream);
  else if (size > 0)
    state_pass(stream, (size_t)size);
}

static void body_of_state(Scene *scene, StateStream *stream) {
  world_state(scene->world, stream);
  events_state(&scene->events, scene->world, scene->characters, scene->character_count, stream);
  state_section(stream, "scene", 2);
  state_finite(stream, scene->targets[0], 3 * scene->def->target_count);
  state_finite(stream, scene->props_struck, scene->def->prop_count);
  state_same(stream, scene->character_count, "characters");
  for (int i = 0; i < scene->character_count && !stream->failed; i++)
    character_state(scene->characters[i], stream);
  recording_state(scene, stream);
  state_section(stream, "end", 1);
}

// ---- Saving ----

// Streams that count or save do not change the scene.
static Scene *unchanged(const Scene *scene) { return (Scene *)scene; }

size_t scene_state_size(const Scene *scene) {
  StateStream stream = state_stream_count();
  body_of_state(unchanged(scene), &stream);
  return stream.failed ? 0 : sizeof(Head) + stream.at;
}

bool scene_state_save(const Scene *scene, void *bytes, size_t size, Error *error) {
  Error cause = {0};
  size_t room = size < sizeof(Head) ? 0 : size - sizeof(Head);
  StateStream stream = state_stream_save((unsigned char *)bytes + (size - room), room, &cause);
  body_of_state(unchanged(scene), &stream);
  if (stream.failed) {
    size_t needed = scene_state_size(scene);
    return needed > size ? error_set(error, "a state needs %zu bytes, not %zu", needed, size)
                         : error_set(error, "%s", cause.text);
  }
  Head head = {.version = STATE_VERSION,
               .size = sizeof(Head) + stream.at,
               .description = scene->def->hash,
               .steps = scene->world->steps,
               .program = STAGGER_VERSION};
  memcpy(head.magic, MAGIC, sizeof head.magic);
  memcpy(bytes, &head, sizeof head);
  head.checksum = checksum(bytes, head.size);
  memcpy(bytes, &head, sizeof head);
  return true;
}

// ---- Restoring ----

// All checks that do not need the scene. The bytes may be longer than the state.
static bool read_head(const void *bytes, size_t size, Head *head, Error *error) {
  if (size < sizeof *head || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
    return error_set(error, "these %zu bytes are no state of a scene", size);
  memcpy(head, bytes, sizeof *head);
  if (head->version != STATE_VERSION)
    return error_set(error, "the state is of version %lu; this program restores version %d",
                     (unsigned long)head->version, STATE_VERSION);
  if (head->size < sizeof *head || head->size > size)
    return error_set(error, "the state is cut short: %zu of %lu bytes are there", size, (unsigned long)head->size);
  if (checksum(bytes, head->size) != head->checksum)
    return error_set(error, "the state is damaged: its checksum does not match");
  return true;
}

long scene_state_steps(const void *bytes, size_t size) {
  Head head = {0};
  return read_head(bytes, size, &head, NULL) ? (long)head.steps : -1;
}

static bool check_scene(const Scene *scene, const Head *head, Error *error) {
  if (strncmp(head->program, STAGGER_VERSION, sizeof head->program) != 0)
    return error_set(error, "the state was saved by Stagger %.*s; this is Stagger %s", (int)sizeof head->program,
                     head->program, STAGGER_VERSION);
  if (head->description != scene->def->hash)
    return error_set(error, "the state is of another scene than %s, or of that with other parameters",
                     scene->def->path);
  if (scene->world->broken)
    return error_set(error, "the scene was stopped in the middle of a step: make it anew to restore a state");
  return true;
}

bool scene_state_fits(const Scene *scene, const void *bytes, size_t size, Error *error) {
  Head head = {0};
  return read_head(bytes, size, &head, error) && check_scene(scene, &head, error);
}

static bool restore(Scene *scene, const void *bytes, size_t size, Error *error) {
  StateStream stream = state_stream_restore((const unsigned char *)bytes + sizeof(Head), size - sizeof(Head), error);
  body_of_state(scene, &stream);
  if (!stream.failed && stream.at != stream.size)
    state_fail(&stream, "%zu bytes follow its end", stream.size - stream.at);
  return !stream.failed;
}

// After a forged state: restores the scene's former state, or stops the scene if there is none.
static void go_back(Scene *scene, const void *before, size_t size) {
  if (before && restore(scene, before, size, NULL))
    return;
  scene->world->stopped = true;
  snprintf(scene->world->stop_reason, sizeof scene->world->stop_reason, "a state could not be restored");
}

bool scene_state_restore(Scene *scene, const void *bytes, size_t size, Error *error) {
  Head head = {0};
  if (!read_head(bytes, size, &head, error) || !check_scene(scene, &head, error))
    return false;
  size_t before_size = scene_state_size(scene);
  void *before = malloc(before_size + 1);
  if (!before || !scene_state_save(scene, before, before_size, error)) {
    free(before);
    return error_set(error, "out of memory for the state of %s", scene->def->path);
  }
  bool good = restore(scene, bytes, head.size, error);
  if (good)
    scene->record_failed = false;
  else
    go_back(scene, before, before_size);
  free(before);
  return good;
}
