// Time that passes outside of the simulation, from which no result may come: for time limits and progress.
#ifndef STAGGER_SIM_BASE_WALL_CLOCK_H
#define STAGGER_SIM_BASE_WALL_CLOCK_H

#include <time.h>

// s since some moment; never goes back.
static inline double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
