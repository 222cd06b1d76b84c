// Errors for the user: one sentence that says what is wrong and what is allowed, with the place in the file.
// Programming errors are asserts; numerical problems are counted by the world (see world.h).
#ifndef STAGGER_SIM_BASE_ERROR_H
#define STAGGER_SIM_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum { ERROR_TEXT_SIZE = 1024 };

// Zero-initialise (`Error error = {0};`), or where that would take too long, see error_clear. An empty text means no
// error.
typedef struct Error {
  char text[ERROR_TEXT_SIZE];
  struct ErrorList *list; // collects errors, see error_next; NULL: reading ends at the first one
  bool unwritten;         // a result could not be written, for example on a full disk; the input is not at fault
} Error;

// No error; of the text only its end is written.
static inline void error_clear(Error *error) {
  error->text[0] = '\0';
  error->list = NULL;
  error->unwritten = false;
}

enum { ERROR_LIST_MOST = 64 };

// All errors of a file, for programs that report more than the first. Errors beyond the limit are counted in
// `left_out`.
typedef struct ErrorList {
  int count, left_out;
  char texts[ERROR_LIST_MOST][ERROR_TEXT_SIZE];
} ErrorList;

// Sets the text. An earlier error is kept, since it is closer to the cause. Always returns false, so that a function
// can end with `return error_set(error, ...)`. error may be NULL.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same with a place: "file:line:column: what went wrong". Lines and columns count from 1; line 0: only the file is
// named.
bool error_at(Error *error, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Marks an error that has been set: a result could not be written. Returns false. error may be NULL.
bool error_unwritten(Error *error);

// To be called where reading can continue after an error, at the next key or item. With a list the error is moved into
// it and true is returned; without one the error is kept and false is returned: reading ends.
bool error_next(Error *error);

// Sorts the list by line and column; errors of other files than the first one's follow in their order.
void error_list_sort(ErrorList *list);

#endif
