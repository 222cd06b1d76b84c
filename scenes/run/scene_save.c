// Writes a scene with its overrides to a file, with paths of its files relative to the new place, and reads it back as
// a check.
#include "scenes/run/scene_save.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/output_file.h"

// A character's keys that name files.
static const char *const character_files[] = {"body",
                                              "body.base",
                                              "animation.move",
                                              "animation.stand",
                                              "animation.jump",
                                              "animation.stagger.left",
                                              "animation.stagger.forward",
                                              "animation.stagger.right",
                                              "animation.stagger.backward",
                                              "fall.prone",
                                              "fall.supine"};
enum { CHARACTER_FILES = sizeof character_files / sizeof character_files[0], PATH_SIZE = 160 };

// Assignments that change the paths of files.
typedef struct Renames {
  const char **assignments; // the caller's, then the changes of paths
  int given, count;
} Renames;

static void renames_free(Renames *renames) {
  for (int i = renames->given; i < renames->count; i++)
    free((char *)renames->assignments[i]);
  free(renames->assignments);
}

// The relative path from a folder to a file; the absolute path when they have only the root in common. Links are
// followed.
static bool find_way(const char *folder, const char *file, char *way, size_t size) {
  char from[PATH_MAX + 1], to[PATH_MAX];
  if (!realpath(folder[0] != '\0' ? folder : ".", from) || !realpath(file, to))
    return false;
  size_t shared = 0; // length up to the last slash of the common part
  size_t end = strlen(from);
  if (end > 1)
    memcpy(from + end, "/", 2);
  for (size_t i = 0; from[i] != '\0' && from[i] == to[i]; i++)
    if (from[i] == '/')
      shared = i + 1;
  if (shared <= 1)
    return snprintf(way, size, "%s", to) < (int)size;
  size_t length = 0;
  way[0] = '\0';
  for (const char *c = from + shared; *c != '\0' && length < size; c++)
    if (*c == '/')
      length += (size_t)snprintf(way + length, size - length, "../");
  return length < size && snprintf(way + length, size - length, "%s", to + shared) < (int)(size - length);
}

static bool is_same_file(const File *a, const File *b) {
  return a && b && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// "path='name'", quoted as YAML requires.
static char *make_assignment(const char *path, const char *name) {
  char *assignment = malloc(strlen(path) + 2 * strlen(name) + 4);
  if (!assignment)
    return NULL;
  bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == strlen(name);
  char *end = assignment + sprintf(assignment, plain ? "%s=" : "%s='", path);
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '\'' && !plain)
      *end++ = '\'';
    *end++ = *c;
  }
  if (!plain)
    *end++ = '\'';
  *end = '\0';
  return assignment;
}

// Handles the file at a path of the document: if it is not found from the folder by its name, its path is changed.
static bool rename_file(SceneDef *def, const Node *root, const char *path, const char *folder, Renames *renames,
                        Error *error) {
  const Node *node = node_path(root, path);
  if (!node || node->kind != NODE_SCALAR)
    return true;
  const File *file = files_read(&def->files, node->text, error);
  if (!file)
    return false;
  FileSet there = {0};
  snprintf(there.folder, sizeof there.folder, "%s", folder);
  Error missing = {0};
  bool found = is_same_file(file, files_read(&there, node->text, &missing));
  files_free(&there);
  if (found)
    return true;

  char way[PATH_MAX];
  FileSet named = {0};
  bool good = !def->files.sealed && find_way(folder, file->path, way, sizeof way);
  if (good) { // the file may have changed since it was read
    snprintf(named.folder, sizeof named.folder, "%s", folder);
    good = is_same_file(file, files_read(&named, way, NULL));
    files_free(&named);
  }
  if (!good)
    return error_set(error, "%s: %s would not be found from the folder %s as it was read: %s", path, file->name,
                     folder[0] != '\0' ? folder : ".",
                     missing.text[0] != '\0' ? missing.text : "another file has its name");
  char *assignment = make_assignment(path, way);
  if (!assignment)
    return error_set(error, "%s: out of memory", def->path);
  renames->assignments[renames->count++] = assignment;
  return true;
}

static bool rename_files(SceneDef *def, const Node *root, const char *folder, Renames *renames, Error *error) {
  bool good = def->terrain.kind != TERRAIN_IMAGE || rename_file(def, root, "terrain.image", folder, renames, error);
  if (good && def->terrain.kind == TERRAIN_MESH)
    good = rename_file(def, root, "terrain.file", folder, renames, error);
  for (int i = 0; good && i < def->character_count; i++)
    for (int k = 0; good && k < CHARACTER_FILES; k++) {
      char path[PATH_SIZE];
      snprintf(path, sizeof path, "characters.%d.%s", i, character_files[k]);
      good = rename_file(def, root, path, folder, renames, error);
    }
  return good;
}

// The scene's text for a file in the folder. The caller frees it.
static char *make_text(const SceneDef *given, const char *const *assignments, int count, const char *folder,
                       Error *error) {
  // Reads the scene again, so that its files are those named by the assignments.
  SceneDef *def = scene_def_reread(given, assignments, count, error);
  if (!def)
    return NULL;
  Renames renames = {.given = count, .count = count};
  size_t most = (size_t)count + 1 + (size_t)def->character_count * CHARACTER_FILES;
  renames.assignments = calloc(most, sizeof *renames.assignments);
  Document document = {0};
  char *text = NULL;
  if (!renames.assignments) {
    error_set(error, "%s: out of memory", def->path);
  } else {
    for (int i = 0; i < count; i++)
      renames.assignments[i] = assignments[i];
    if (document_parse(&document, def->path, def->text, error) &&
        rename_files(def, document.root, folder, &renames, error))
      text = document_edit(def->path, def->source, renames.assignments, renames.count, error);
    document_free(&document);
    renames_free(&renames);
  }
  scene_def_free(def);
  return text;
}

bool scene_save(const SceneDef *def, const char *const *assignments, int count, const char *path, Error *error) {
  FileSet files = {0};
  if (strlen(path) >= sizeof def->path || !scene_folder(path, files.folder, sizeof files.folder))
    return error_set(error, "%.60s...: the path is %zu bytes long, at most %zu are allowed", path, strlen(path),
                     sizeof def->path - 1);
  if (!output_check(path, OUTPUT_SCENE, error))
    return false;
  char *text = make_text(def, assignments, count, files.folder, error);
  SceneDef *again = !text ? NULL : scene_def_from_text(path, text, &files, NULL, 0, error);
  bool good = again && output_write(path, text, strlen(text), error);
  scene_def_free(again);
  free(text);
  return good;
}
