// Errors of the public interface, and the look-up of characters and parts by index.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/library/library_internal.h"

struct StaggerError {
  Error cause;
};

bool library_fail(StaggerError **error, const Error *cause) {
  if (!error)
    return false;
  *error = malloc(sizeof **error);
  if (*error)
    (*error)->cause = *cause;
  return false;
}

bool library_error(StaggerError **error, const char *format, ...) {
  Error cause = {0};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause.text, sizeof cause.text, format, arguments);
  va_end(arguments);
  return library_fail(error, &cause);
}

const char *stagger_error_text(const StaggerError *error) { return error ? error->cause.text : ""; }

void stagger_error_free(StaggerError *error) { free(error); }

Character *library_character(const StaggerScene *scene, int character, StaggerError **error) {
  int count = scene->scene->character_count;
  if (character >= 0 && character < count)
    return scene->scene->characters[character];
  library_error(error, "there is no character %d: the scene has %d", character, count);
  return NULL;
}

Character *library_part(const StaggerScene *scene, int character, int part, StaggerError **error) {
  Character *found = library_character(scene, character, error);
  if (!found || (part >= 0 && part < found->def->body->part_count))
    return found;
  library_error(error, "there is no part %d: %s has %d", part, found->def->name, found->def->body->part_count);
  return NULL;
}
