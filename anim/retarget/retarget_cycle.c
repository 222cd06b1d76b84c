// Finds the cleanest cycle of a motion, so that a recorded walk can be repeated: the span whose end poses differ least
// in relation to the poses between them; and whether it is the cycle of a gait.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "anim/retarget/retarget.h"

static const double LEAST_CYCLE = 0.4, LARGEST_CYCLE = 2.5; // s
static const double RATE = 30;                              // Hz, of the frames that are compared
static const double NEIGHBOUR = 0.07;                       // s: the frames this far before and after the ends must be
                                                            // alike, too
static const double WHOLE = 0.25;                           // gap below which the whole motion is taken
static const double CLEAN = 0.5;   // largest gap of a cycle; 1 means as different as any two frames are
static const double STRIDE = 0.12; // of the leg's length: in a gait each ankle comes this far before the other
static const double UPRIGHT = 0.6; // of the leg's length: the hips' least mean height over the lower ankle in a gait
static const double ALIKE = 0.3;   // gap below which a frame of the motion counts as one of the cycle
static const double MOSTLY = 0.65; // share of a gait's motion that is alike
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

static CycleSearch search_of(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton) {
  CycleSearch search = {.motion = motion};
  for (int i = 1; i < skeleton->count; i++)
    if (map->source[i] >= 0 && map->source[i] != map->source[0])
      search.joints[search.joint_count++] = map->source[i];
  return search;
}

static double span_end(const Motion *motion, double from, double to) {
  double end = (motion->frame_count - 1) / motion->frame_rate;
  return to <= from ? end : fmin(to, end);
}

bool motion_find_cycle(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from, double to,
                       double *cycle_from, double *cycle_to) {
  CycleSearch search = search_of(motion, map, skeleton);
  to = span_end(motion, from, to);
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

// ---- Gaits ----

// How far the left ankle is before the right one, and how high the hips are over the lower ankle, of the leg's length.
typedef struct Stance {
  double ahead, height;
} Stance;

static Stance stance_at(const Motion *motion, int joints[2][3], double time, vec3s *positions, versors *rotations) {
  double frame = fmin(fmax(floor(time * motion->frame_rate + 0.5), 0), motion->frame_count - 1);
  motion_place(motion, (int)frame, positions, rotations);
  vec3s hips[2], ankles[2];
  float length = 0;
  for (int s = 0; s < 2; s++) {
    hips[s] = positions[joints[s][0]];
    ankles[s] = positions[joints[s][2]];
    vec3s knee = positions[joints[s][1]];
    length += (glms_vec3_distance(hips[s], knee) + glms_vec3_distance(knee, ankles[s])) / 2;
  }
  vec3s left = glms_vec3_sub(hips[0], hips[1]), forward = {{-left.z, 0, left.x}};
  if (!(length > 0 && glms_vec3_norm(forward) > 0))
    return (Stance){0, 0};
  forward = glms_vec3_normalize(forward);
  return (Stance){(double)(glms_vec3_dot(glms_vec3_sub(ankles[0], ankles[1]), forward) / length),
                  (double)(((hips[0].y + hips[1].y) / 2 - fminf(ankles[0].y, ankles[1].y)) / length)};
}

// Whether the feet pass each other in a cycle, under hips that are high.
static bool strides(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from, double to) {
  int joints[2][3];
  for (int s = 0; s < 2; s++) {
    const Leg *leg = &skeleton->legs[s];
    const int ours[3] = {leg->hip, leg->knee, leg->ankle};
    for (int i = 0; i < 3; i++)
      joints[s][i] = map->source[ours[i]];
    if (joints[s][0] < 0 || joints[s][1] < 0 || joints[s][2] < 0)
      return false;
  }
  vec3s *positions = malloc((size_t)motion->joint_count * sizeof *positions);
  versors *rotations = malloc((size_t)motion->joint_count * sizeof *rotations);
  double least = DBL_MAX, most = -DBL_MAX, height = 0;
  int samples = (int)fmax(floor((to - from) * RATE), 8);
  for (int i = 0; positions && rotations && i < samples; i++) {
    Stance stance = stance_at(motion, joints, from + (to - from) * i / samples, positions, rotations);
    least = fmin(least, stance.ahead);
    most = fmax(most, stance.ahead);
    height += stance.height / samples;
  }
  free(positions);
  free(rotations);
  return least < -STRIDE && most > STRIDE && height > UPRIGHT;
}

// The share of the motion between two times whose poses are like one of the cycle's.
static double share_alike(const CycleSearch *search, double from, double to, double cycle_from, double cycle_to) {
  int frames = (int)fmin(fmax((to - from) * RATE, 1), MOST_FRAMES), alike = 0;
  int cycle_frames = (int)fmax((cycle_to - cycle_from) * RATE, 1);
  double away = 0;
  for (int i = 1; i < 8; i++)
    away = fmax(away, pose_distance(search, cycle_from, cycle_from + (cycle_to - cycle_from) * i / 8));
  for (int i = 0; i < frames; i++) {
    double nearest = DBL_MAX, time = from + (to - from) * i / frames;
    for (int k = 0; k < cycle_frames && nearest > ALIKE * ALIKE * away; k++)
      nearest = fmin(nearest, pose_distance(search, time, cycle_from + (cycle_to - cycle_from) * k / cycle_frames));
    alike += nearest <= ALIKE * ALIKE * away;
  }
  return (double)alike / frames;
}

bool motion_cycle_is_gait(const Motion *motion, const RetargetMap *map, const Skeleton *skeleton, double from,
                          double to, double cycle_from, double cycle_to) {
  if (skeleton->leg_count < 2)
    return false;
  CycleSearch search = {.motion = motion}; // by the legs alone: who walks may do anything with his arms
  for (int s = 0; s < 2; s++) {
    search.joints[search.joint_count++] = map->source[skeleton->legs[s].hip];
    search.joints[search.joint_count++] = map->source[skeleton->legs[s].knee];
  }
  to = span_end(motion, from, to);
  return strides(motion, map, skeleton, cycle_from, cycle_to) &&
         share_alike(&search, from, to, cycle_from, cycle_to) > MOSTLY;
}
