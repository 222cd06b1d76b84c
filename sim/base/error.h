// Errors a user can act on: one sentence that says what is wrong and what is allowed, with the place
// in the file. Programmer errors are asserts; physics trouble is counted by the world (see world.h).
#ifndef STAGGER_SIM_BASE_ERROR_H
#define STAGGER_SIM_BASE_ERROR_H

#include <stdbool.h>

enum { ERROR_TEXT_SIZE = 1024 };

// Zero-initialise (`Error error = {0};`). Empty text means that nothing went wrong.
typedef struct Error {
  char text[ERROR_TEXT_SIZE];
  struct ErrorList *list; // where error_next keeps one error after the other; NULL: reading ends at the first
  bool unwritten;         // a result could not be written, as on a full disk: no fault of the input
} Error;

enum { ERROR_LIST_MOST = 64 };

// All errors of a file, for programs that report more than the first. Further ones are counted in `left_out`.
typedef struct ErrorList {
  int count, left_out;
  char texts[ERROR_LIST_MOST][ERROR_TEXT_SIZE];
} ErrorList;

// Writes "what went wrong". Keeps the first error when one is there already, since it names the cause.
// Always returns false, so that a function can end with `return error_set(error, ...)`. error may be NULL.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same with a place: "file:line:column: what went wrong". Lines and columns count from 1; line 0: the file alone.
bool error_at(Error *error, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Says of an error that was set that a result could not be written. Returns false. error may be NULL.
bool error_unwritten(Error *error);

// Called where reading could go on behind an error: at the next key or item. With a list the error moves into it, and
// true is returned; without one the error stays, and false says that reading ends.
bool error_next(Error *error);

// Sorts the list by line and column; errors of other files than the first one's stay behind it, in their order.
void error_list_sort(ErrorList *list);

#endif
