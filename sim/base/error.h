// Errors a user can act on: one sentence that says what is wrong and what is allowed, with the place
// in the file. Programmer errors are asserts; physics trouble is counted by the world (see world.h).
#ifndef STAGGER_SIM_BASE_ERROR_H
#define STAGGER_SIM_BASE_ERROR_H

#include <stdbool.h>

enum { ERROR_TEXT_SIZE = 1024 };

// Zero-initialise (`Error error = {0};`). Empty text means that nothing went wrong.
typedef struct Error {
  char text[ERROR_TEXT_SIZE];
} Error;

// Writes "what went wrong". Keeps the first error when one is there already, since it names the cause.
// Always returns false, so that a function can end with `return error_set(error, ...)`. error may be NULL.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same with a place: "file:line:column: what went wrong". Lines and columns count from 1; line 0: the file alone.
bool error_at(Error *error, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
