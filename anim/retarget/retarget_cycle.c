// Finds the cleanest cycle of a motion, so that a recorded walk can be repeated: the span whose end poses differ least
// in relation to the poses between them.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget.h"

static const double LEAST_CYCLE = 0.4, LARGEST_CYCLE = 2.5; // s
static const double RATE = 30;                              // Hz, of the frames that are compared
static const double NEIGHBOUR = 0.07;                       // s: the frames this far before and after the ends must be
                                                            // alike, too
static const double WHOLE = 0.25;                           // gap below which the whole motion is taken
static const double CLEAN = 0.5; // largest gap of a cycle; 1 means as different as any two frames are
enum { MOST_FRAMES = 2700, MOST_JOINTS = SKELETON_MAX_JOINTS };

typedef struct CycleSearch {
  const Motion *motion;
  int joints[MOST_JOINTS], joint_count; // matched joints, without the root
} CycleSearch;

static int frame_at(const CycleSearch *search, double time) {
  double frame = floor(time * search->motion->frame_rate + 0.5);
  return (int)fmin(fmax(frame, 0), search->motion->frame_count - 1);
}

// Mean squared angle between the joints of two frames, about rad^2.
static double pose_distance(const CycleSearch *search, double a, double b) {
  const Motion *motion = search->motion;
  const versors *qa = motion->rotation_l + (size_t)frame_at(search, a) * (size_t)motion->joint_count;
  const versors *qb = motion->rotation_l + (size_t)frame_at(search, b) * (size_t)motion->joint_count;
  double sum = 0;
  for (int i = 0; i < search->joint_count; i++) {
    double dot = (double)glms_quat_dot(qa[search->joints[i]], qb[search->joints[i]]);
    sum += 4 * fmax(1 - dot * dot, 0);
  }
  return sum / search->joint_count;
}

// Gap between the ends of a span: 0: they are equal; 1: as different as the poses in between. Neighbours of the ends
// are compared as well, so that the velocities agree.
static double cycle_gap(const CycleSearch *search, double from, double to) {
  double gap = 0, away = 0;
  for (int i = -1; i <= 1; i++) {
    double last = (search->motion->frame_count - 1) / search->motion->frame_rate;
    if (from + i * NEIGHBOUR >= 0 && to + i * NEIGHBOUR <= last)
      gap = fmax(gap, pose_distance(search, from + i * NEIGHBOUR, to + i * NEIGHBOUR));
  }
  for (int i = 1; i < 8; i++)
    away = fmax(away, pose_distance(search, from, from + (to - from) * i / 8));
  return away > 1e-4 ? sqrt(gap / away) : DBL_MAX;
}

bool motion_find_cycle(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from, double to,
                       double *cycle_from, double *cycle_to) {
  CycleSearch search = {.motion = motion};
  for (int i = 1; i < skeleton->count; i++)
    if (map->source[i] >= 0 && map->source[i] != map->source[0])
      search.joints[search.joint_count++] = map->source[i];
  double end = (motion->frame_count - 1) / motion->frame_rate;
  to = to <= from ? end : fmin(to, end);
  if (search.joint_count == 0 || to - from < LEAST_CYCLE)
    return false;
  *cycle_from = from;
  *cycle_to = to;
  if (cycle_gap(&search, from, to) < WHOLE)
    return true;

  double best = CLEAN;
  int frames = (int)fmin((to - from) * RATE, MOST_FRAMES), longest = (int)(LARGEST_CYCLE * RATE);
  for (int i = 0; i < frames; i++)
    for (int j = i + (int)(LEAST_CYCLE * RATE); j <= frames && j - i <= longest; j++) {
      double gap = cycle_gap(&search, from + i / RATE, from + j / RATE);
      if (gap < best) {
        best = gap;
        *cycle_from = from + i / RATE;
        *cycle_to = from + j / RATE;
      }
    }
  return best < CLEAN;
}
