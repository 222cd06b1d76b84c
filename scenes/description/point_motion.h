// The motion of a point of a scene: at rest, on a horizontal circle, up and down, along a path of keys, or the sum of
// these.
#ifndef STAGGER_SCENES_DESCRIPTION_POINT_MOTION_H
#define STAGGER_SCENES_DESCRIPTION_POINT_MOTION_H

#include "sim/base/document.h"
#include "sim/base/param.h"

enum { MOTION_MAX_KEYS = 64 };

// Rows for a table with a `center` and, outside the table, a `path`.
#define POINT_MOTION_PARAMS(ROW, T)                                                                                    \
  ROW(T, REAL, radius, "0", 0, 1000, "m", "Radius of a horizontal circle about `center`; 0: none.")                    \
  ROW(T, REAL, rise, "0", 0, 1000, "m", "Amplitude of its vertical motion, which has one period per round.")           \
  ROW(T, REAL, period, "4", 0.01, 100000, "s",                                                                         \
      "Duration of a round, which begins in front (+Z) and goes to the left.")                                         \
  ROW(T, BOOL, loop, "false", 0, 1, "", "Whether `path` (and `tilts`) is repeated; otherwise its end is kept.")

typedef struct MotionPath {
  double keys[MOTION_MAX_KEYS][4]; // s, then m relative to the center
  int count;                       // 0: no path
} MotionPath;

typedef struct PointMotion {
  double radius, rise, period; // as in the rows
  bool loop;
  const MotionPath *path;
  double ease; // s in which circular motion accelerates; a path then rests at each key. 0: full speed at once, and
               // linear between keys
} PointMotion;

// Reads keys [[time, x, y, z], ...] (s, m; of speeds m/s); list may be NULL. name: of the list, for errors. Errors:
// times that decrease, too many keys, numbers out of range.
bool motion_path_read(MotionPath *path, const char *name, const Node *list, Error *error);

// The same for keys [[time, pitch, roll], ...] (s, deg), which become x and y of the keys; z is 0.
bool motion_tilts_read(MotionPath *tilts, const char *name, const Node *list, Error *error);

// How far a point has come by then, m, since time 0, whose velocity follows the keys: linearly between them, m/s, and
// as the first before and the last after them.
void motion_path_travel(const MotionPath *speeds, double time, double way[3]);

// The time (s) to use for circular motion: less than `time`, because of the acceleration.
double point_motion_rounds_time(double time, double ease);

// Position of the point relative to its center, m, at a time (s, not negative).
void point_motion_offset(const PointMotion *motion, double time, double offset[3]);

#endif
