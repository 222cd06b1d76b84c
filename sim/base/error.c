// Writes the text of errors; the first one stays.
#include "sim/base/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

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
