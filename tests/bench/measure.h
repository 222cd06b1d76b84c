// What several benchmarks need: a clock, medians, and counts of instructions by another process.
#ifndef STAGGER_TESTS_MEASURE_H
#define STAGGER_TESTS_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// s of processor time used by this thread.
static inline double thread_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// For qsort: doubles, rising.
static inline int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Instructions that a function takes when the program runs with these arguments under callgrind; negative when that is
// not possible.
static inline double callgrind_instructions(const char *program, const char *arguments, const char *function) {
  char command[1024], line[256];
  snprintf(command, sizeof command,
           "valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=%s '%s' %s 2>&1", function,
           program, arguments);
  FILE *output = popen(command, "r");
  double count = -1;
  while (output && fgets(line, sizeof line, output)) {
    const char *collected = strstr(line, "Collected :");
    if (collected)
      count = strtod(collected + strlen("Collected :"), NULL);
  }
  if (output)
    pclose(output);
  return count;
}

#endif
