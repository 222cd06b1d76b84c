// Sets the text of errors; an earlier error is kept.
#include "sim/base/error.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

bool error_set(Error *error, const char *format, ...) {
  if (!error || error->text[0] != '\0')
    return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return false;
}

bool error_at(Error *error, const char *file, int line, int column, const char *format, ...) {
  if (!error || error->text[0] != '\0')
    return false;
  char message[ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (line == 0)
    return error_set(error, "%s: %s", file, message);
  return error_set(error, "%s:%d:%d: %s", file, line, column, message);
}

bool error_unwritten(Error *error) {
  if (error)
    error->unwritten = true;
  return false;
}

bool error_next(Error *error) {
  if (!error || !error->list)
    return false;
  if (error->text[0] == '\0') // it has been moved to the list already
    return true;
  ErrorList *list = error->list;
  if (list->count < ERROR_LIST_MOST)
    memcpy(list->texts[list->count++], error->text, sizeof error->text);
  else
    list->left_out++;
  error->text[0] = '\0';
  return true;
}

// The line and column of an error "file:line:column: ..." as one number; errors without a line come first.
static long long error_place(const char *text) {
  const char *colon = strchr(text, ':');
  int line = 0, column = 0;
  if (!colon || sscanf(colon, ":%d:%d: ", &line, &column) != 2)
    return 0;
  return (long long)line * INT_MAX + column;
}

static bool is_before(const char *a, const char *b, const char *file, size_t length) {
  return strncmp(a, file, length) == 0 && (strncmp(b, file, length) != 0 || error_place(a) < error_place(b));
}

void error_list_sort(ErrorList *list) {
  char file[ERROR_TEXT_SIZE], moved[ERROR_TEXT_SIZE];
  const size_t length = list->count > 0 ? strcspn(list->texts[0], ":") : 0;
  memcpy(file, list->texts[0], sizeof file);
  for (int i = 1; i < list->count; i++) {
    memcpy(moved, list->texts[i], sizeof moved);
    int k = i;
    for (; k > 0 && is_before(moved, list->texts[k - 1], file, length); k--)
      memcpy(list->texts[k], list->texts[k - 1], sizeof moved);
    memcpy(list->texts[k], moved, sizeof moved);
  }
}
