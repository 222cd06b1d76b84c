// Stands for libFuzzer in the tests: each file named is an input. The last name printed is the failed one.
#include <stdio.h>

#include "fuzzer.h"

static void run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  check(file && fseek(file, 0, SEEK_END) == 0);
  const long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1); // as long as the input, so that reading past its end is detected
  check(size >= 0 && data && fread(data, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
}

int main(int argc, char *argv[]) {
  check(argc > 1);
  for (int i = 1; i < argc; i++) {
    fprintf(stderr, "%s\n", argv[i]);
    run_file(argv[i]);
  }
  return 0;
}
