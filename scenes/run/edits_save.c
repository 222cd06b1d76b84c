// Writes a scene with its edits and added events, unless somebody else has changed the file meanwhile.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/output/output_file.h"
#include "scenes/run/edits_internal.h"
#include "scenes/run/scene_save.h"

static uint64_t hash_text(const char *text) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3); // FNV-1a
  return hash;
}

// Hash of the changes, independent of the order in which they were made; 0 for none. Events are hashed in order.
static uint64_t hash_changes(const Edits *edits) {
  uint64_t hash = 0;
  for (int i = edits->own_count; i < edits->override_count; i++)
    hash += hash_text(edits->overrides[i]);
  for (int i = 0; i < edits->event_count; i++)
    hash += hash_text(edits->events[i]) * (uint64_t)(2 * i + 3);
  return hash;
}

bool edits_unsaved(const Edits *edits) { return hash_changes(edits) != edits->saved; }

// Overrides and appended events in one list, which the caller frees.
static const char **list_assignments(const Edits *edits, int *count, Error *error) {
  *count = edits->override_count + edits->event_count;
  const char **list = calloc((size_t)*count + 1, sizeof *list);
  if (!list) {
    error_set(error, "%s: out of memory", edits->def->path);
    return NULL;
  }
  for (int i = 0; i < edits->override_count; i++)
    list[i] = edits->overrides[i];
  for (int i = 0; i < edits->event_count; i++)
    list[edits->override_count + i] = edits->events[i];
  return list;
}

char *edits_text(const Edits *edits, Error *error) {
  int count;
  const char **list = list_assignments(edits, &count, error);
  char *text = !list ? NULL : document_edit(edits->def->path, edits->def->source, list, count, error);
  free(list);
  return text;
}

// Hash of a file's text; 0: it cannot be read.
static uint64_t hash_file(const char *path) {
  FileSet files = {0};
  char *full = realpath(path, NULL); // which is not looked up in the folder of scenes
  const File *file = full ? files_read(&files, full, NULL) : NULL;
  char *text = file ? strndup(file->bytes, file->size) : NULL;
  const uint64_t hash = text ? hash_text(text) : 0;
  free(text);
  free(full);
  files_free(&files);
  return hash;
}

// Whether the file is still as it was read or last saved here; others may be replaced.
static bool is_as_known(const Edits *edits, const char *path) {
  if (access(path, F_OK) != 0)
    return true;
  if (edits->saved_path[0] != '\0' && output_is_same(path, edits->saved_path))
    return hash_file(path) == edits->saved_text;
  return !output_is_same(path, edits->def->path) || hash_file(path) == hash_text(edits->def->source);
}

bool edits_save(Edits *edits, const char *path, Error *error) {
  if (!is_as_known(edits, path))
    return error_set(error, "%s: was changed on the disk since it was read; save under another name, or open it again",
                     path);
  int count;
  const char **list = list_assignments(edits, &count, error);
  bool good = list && scene_save(edits->def, list, count, path, error);
  if (good) {
    edits->saved = hash_changes(edits);
    edits->saved_text = hash_file(path);
    snprintf(edits->saved_path, sizeof edits->saved_path, "%s", path);
  }
  free(list);
  return good;
}
