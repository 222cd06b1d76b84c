// Finds characters, parts and other names of a scene; an error lists the existing names or the most similar one.
#include "scenes/description/lookup.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, MOST_FILES = 256, PATH_SIZE = 1024 };

int lookup_name(const char *what, const char *name, const char *where, const char *const *names, int count,
                Error *error) {
  for (int i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  error_set(error, "there is no %s '%s'%s%s", what, name, where, name_hint(name, names, count).text);
  return -1;
}

static int lookup_at(const Node *node, const char *what, const char *name, const char *where, const char *const *names,
                     int count, Error *error) {
  Error problem = {0};
  int index = lookup_name(what, name, where, names, count, &problem);
  if (index < 0)
    node_error(node, error, "%s", problem.text);
  return index;
}

int lookup_character(const char *name, const CharacterDef *characters, int count, const Node *node, Error *error) {
  const char *names[MOST_NAMES] = {NULL};
  if (count > MOST_NAMES)
    count = MOST_NAMES;
  for (int i = 0; i < count; i++)
    names[i] = characters[i].name;
  return lookup_at(node, "character", name, "", names, count, error);
}

int lookup_part(const char *name, const BodyDef *body, const Node *node, Error *error) {
  const char *names[BODY_MAX_PARTS] = {NULL};
  char where[64];
  int count = body->part_count < BODY_MAX_PARTS ? body->part_count : BODY_MAX_PARTS;
  for (int i = 0; i < count; i++)
    names[i] = body->parts[i].name;
  snprintf(where, sizeof where, " in body '%s'", body->name);
  return lookup_at(node, "part", name, where, names, count, error);
}

// ---- Files ----

// Names of files from which the most similar one is chosen.
typedef struct Candidates {
  char *names[MOST_FILES];
  int count;
} Candidates;

static void add_candidates(Candidates *candidates, const char *folder, const char *subfolder, bool bare) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s%s%s", folder[0] != '\0' ? folder : ".", subfolder[0] != '\0' ? "/" : "", subfolder);
  DIR *directory = opendir(path);
  if (!directory)
    return;
  for (struct dirent *entry; (entry = readdir(directory)) && candidates->count < MOST_FILES;) {
    char *name = entry->d_name[0] != '.' ? strdup(entry->d_name) : NULL;
    if (!name)
      continue;
    char *ending = strrchr(name, '.');
    if (bare && ending && strcmp(ending, ".yaml") == 0)
      *ending = '\0';
    candidates->names[candidates->count++] = name;
  }
  closedir(directory);
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

bool lookup_file(const char *name, const char *const *folders, int count, bool bare, char *close, size_t size) {
  char subfolder[512] = "";
  const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
  if (slash)
    snprintf(subfolder, sizeof subfolder, "%.*s", (int)(slash - name), name);
  Candidates candidates = {0};
  for (int i = 0; i < count && name[0] != '/'; i++)
    add_candidates(&candidates, folders[i], subfolder, bare && !strchr(last, '.'));
  qsort(candidates.names, (size_t)candidates.count, sizeof candidates.names[0], compare_names);
  const char *closest = closest_name(last, (const char *const *)candidates.names, candidates.count);
  const bool found = closest && strcmp(closest, last) != 0;
  snprintf(close, size, "%s%s%s", subfolder, slash ? "/" : "", found ? closest : "");
  for (int i = 0; i < candidates.count; i++)
    free(candidates.names[i]);
  return found;
}
