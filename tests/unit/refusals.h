// When memory runs out, at whichever allocation. The program's own malloc, calloc and realloc replace libc's and refuse
// one call; shared libraries other than Stagger's are left alone. HDF5, which may be part of the program, does not
// stand it. A test of it includes this first of all, and runs only without the address sanitizer, which has its own
// malloc
// (`#ifndef __SANITIZE_ADDRESS__`).
#ifndef STAGGER_TESTS_REFUSALS_H
#define STAGGER_TESTS_REFUSALS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/base/error.h"

// libc's own functions, under their other names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static volatile long left = -1; // calls until one is refused; below 0: none is
static volatile size_t items;   // above 0: only calls of calloc for as many count

// Whether a place in the code is in the program or in Stagger's libraries.
static bool is_ours(void *caller) {
  Dl_info from, here;
  return dladdr(caller, &from) && dladdr((void *)(uintptr_t)&left, &here) &&
         (from.dli_fbase == here.dli_fbase || strstr(from.dli_fname, "libstagger"));
}

// The same; answers are kept, as dladdr takes long.
static bool is_known_as_ours(void *caller) {
  static struct {
    void *caller;
    bool ours;
  } known[4096];
  const size_t place = (size_t)((uintptr_t)caller * 0x9e3779b97f4a7c15ull >> 52);
  if (known[place].caller != caller) {
    known[place].ours = is_ours(caller);
    known[place].caller = caller;
  }
  return known[place].ours;
}

static bool refuses(void *caller, size_t count) {
  return left >= 0 && (items == 0 || count == items) && is_known_as_ours(caller) && left-- == 0;
}

void *malloc(size_t size) { return refuses(__builtin_return_address(0), 0) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return refuses(__builtin_return_address(0), count) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return refuses(__builtin_return_address(0), 0) ? NULL : __libc_realloc(memory, size);
}

typedef bool Attempt(void *context, Error *error);

// Tries with the first allocation refused, then with the second, and so on, until none is; beyond the 100th those that
// are `stride` apart. Returns how many there are; *good: how many attempts have succeeded in spite of a refusal.
static inline int refuse_some(Attempt *attempt, void *context, int stride, int *good) {
  *good = 0;
  for (int n = 0; n < 1000000; n += n < 100 ? 1 : stride) {
    Error error = {0};
    left = n;
    const bool succeeds = attempt(context, &error);
    const bool refused = left < 0;
    left = -1;
    if (succeeds == (error.text[0] != '\0'))
      fail_msg("allocation %d: %s '%s'", n, succeeds ? "good, and" : "bad, but", error.text);
    *good += refused && succeeds;
    if (!refused) {
      if (!succeeds)
        fail_msg("with all of %d allocations: %s", n, error.text);
      return n;
    }
  }
  fail_msg("there is no end of allocations");
  return 0;
}

static inline int refuse_each(Attempt *attempt, void *context, int *good) {
  return refuse_some(attempt, context, 1, good);
}

#endif
