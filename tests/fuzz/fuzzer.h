// What every fuzzer needs.
#ifndef STAGGER_TESTS_FUZZER_H
#define STAGGER_TESTS_FUZZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check(bool ok) {
  if (!ok)
    abort();
}

#endif
