// Lists the scenes and studies that come with Stagger, each with a sentence on its purpose.
#include "scenes/description/scene_list.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/document.h"
#include "sim/base/files.h"

// Copies the entry's texts into one block of memory, which `name` owns. False: no memory.
static bool set_texts(SceneEntry *entry, const char *name, const char *purpose, const char *problem) {
  size_t name_size = strlen(name) + 1, purpose_size = strlen(purpose) + 1;
  size_t problem_size = problem ? strlen(problem) + 1 : 0;
  char *texts = malloc(name_size + purpose_size + problem_size);
  if (!texts)
    return false;
  memcpy(texts, name, name_size);
  memcpy(texts + name_size, purpose, purpose_size);
  if (problem)
    memcpy(texts + name_size + purpose_size, problem, problem_size);
  *entry = (SceneEntry){
      .name = texts, .purpose = texts + name_size, .problem = problem ? texts + name_size + purpose_size : NULL};
  return true;
}

// Adds the file to the list if it is a map with that key, or cannot be read. name: its name in the list. False: no
// memory.
static bool add_file(SceneList *list, FileSet *files, const char *path, const char *name, const char *key) {
  SceneEntry *entry = &list->entries[list->count];
  Error error = {0};
  Document document;
  const File *file = files_read(files, path, &error);
  bool ok = true;
  if (!file || !document_read(&document, name, file, &error)) {
    ok = set_texts(entry, name, "", error.text);
    list->count += ok;
    return ok;
  }
  if (node_find(document.root, key)) {
    const Node *purpose = node_find(document.root, "purpose");
    ok = set_texts(entry, name, purpose && purpose->kind == NODE_SCALAR ? purpose->text : "", NULL);
    list->count += ok;
  }
  document_free(&document);
  return ok;
}

// Adds a body, clip, graph, planner or skill, with the first line of the comment at its beginning. False: no memory.
static bool add_asset(SceneList *list, FileSet *files, const char *path, const char *name) {
  SceneEntry *entry = &list->entries[list->count];
  Error error = {0};
  char line[256] = "";
  const File *file = files_read(files, path, &error);
  const char *text = file ? file->bytes : "";
  text += strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // a byte order mark
  if (text[0] == '#')
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\r\n"), text);
  const bool ok = set_texts(entry, name, line + strspn(line, "# "), file ? NULL : error.text);
  list->count += ok;
  return ok;
}

// Adds the files with that key (NULL: all files) in a subfolder of the scenes folder ("" or "studies/"), with names
// relative to the scenes folder.
static bool read_folder(SceneList *list, const char *below, const char *key, bool *found_any, Error *error) {
  *list = (SceneList){0};
  char pattern[1024];
  snprintf(pattern, sizeof pattern, "%s/%s*.yaml", files_scenes_folder(), below);
  glob_t found;
  *found_any = glob(pattern, 0, NULL, &found) == 0;
  if (!*found_any)
    return true;
  list->entries = calloc(found.gl_pathc, sizeof *list->entries);
  bool ok = list->entries != NULL;
  FileSet files = {0};
  for (size_t i = 0; ok && i < found.gl_pathc; i++) {
    const char *path = found.gl_pathv[i], *slash = strrchr(path, '/');
    char name[512];
    snprintf(name, sizeof name, "%s%s", below, slash ? slash + 1 : path);
    ok = key ? add_file(list, &files, path, name, key) : add_asset(list, &files, path, name);
  }
  files_free(&files);
  globfree(&found);
  if (ok)
    return true;
  scene_list_free(list);
  return error_set(error, "no memory for the list of scenes");
}

bool scene_list_read(SceneList *list, Error *error) {
  bool found_any;
  if (!read_folder(list, "", "characters", &found_any, error))
    return false;
  return found_any || error_set(error, "%s: there are no scenes", files_scenes_folder());
}

bool laboratory_list_read(SceneList *list, Error *error) {
  bool found_any;
  return read_folder(list, "laboratory/", "characters", &found_any, error);
}

bool study_list_read(SceneList *list, Error *error) {
  bool found_any;
  return read_folder(list, "studies/", "axes", &found_any, error);
}

bool asset_list_read(SceneList *list, const char *folder, Error *error) {
  bool found_any;
  char below[64];
  snprintf(below, sizeof below, "%s/", folder);
  return read_folder(list, below, NULL, &found_any, error);
}

void scene_list_free(SceneList *list) {
  for (int i = 0; i < list->count && list->entries; i++)
    free((char *)list->entries[i].name);
  free(list->entries);
  *list = (SceneList){0};
}
