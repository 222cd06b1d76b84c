// Wall-clock time, for time limits and progress; no result of a simulation may depend on it.
#ifndef STAGGER_SIM_BASE_WALL_CLOCK_H
#define STAGGER_SIM_BASE_WALL_CLOCK_H

#include <time.h>

// s since an arbitrary moment; never decreases.
static inline double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
