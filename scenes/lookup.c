#include "scenes/lookup.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 64 };

int lookup_name(const char *what, const char *name, const char *where, const char *const *names, int count,
                Error *error) {
  for (int i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  const char *close = closest_name(name, names, count);
  if (close != NULL) {
    error_set(error, "there is no %s '%s'%s, did you mean '%s'?", what, name, where, close);
    return -1;
  }
  char all[512] = "";
  for (int i = 0; i < count && strlen(all) < sizeof all - 1; i++) {
    size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", names[i]);
  }
  error_set(error, "there is no %s '%s'%s, allowed are %s", what, name, where, all);
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
