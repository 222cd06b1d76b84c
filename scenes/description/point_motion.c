// Reads the motion of a point and evaluates it: circles, up and down motion, and paths of keys, which may repeat.
#include "scenes/description/point_motion.h"

#include <math.h>

#include "sim/base/numbers.h"

static const double MOST = 360000, MOST_TILT = 45; // s and m; deg

typedef struct KeyForm {
  const char *name, *numbers;
  int count; // of numbers beside the time
  double most;
} KeyForm;

static bool read_keys(MotionPath *path, const Node *list, const KeyForm *form, Error *error) {
  path->count = 0;
  if (!list)
    return true;
  if (list->kind != NODE_LIST || list->count > MOTION_MAX_KEYS)
    return node_error(list, error, "'%s' is a list of up to %d keys [time, %s]", form->name, MOTION_MAX_KEYS,
                      form->numbers);
  for (const Node *item = list->first; item; item = item->next) {
    double *key = path->keys[path->count];
    if (!node_reals(item, key, 1 + form->count, error))
      return false;
    for (int i = 0; i <= form->count; i++) {
      const double most = i == 0 ? MOST : form->most;
      if (fabs(key[i]) > most)
        return node_error(item, error, "%g is out of range, allowed is -%g to %g", key[i], most, most);
    }
    if (path->count > 0 && key[0] < key[-4])
      return node_error(item, error, "%g s comes before %g s, the key above it", key[0], key[-4]);
    path->count++;
  }
  return true;
}

bool motion_path_read(MotionPath *path, const char *name, const Node *list, Error *error) {
  const KeyForm form = {name, "x, y, z", 3, MOST};
  return read_keys(path, list, &form, error);
}

bool motion_tilts_read(MotionPath *tilts, const char *name, const Node *list, Error *error) {
  const KeyForm form = {name, "pitch, roll", 2, MOST_TILT};
  return read_keys(tilts, list, &form, error);
}

// The keys' value at a time, linear between them.
static void value_at(const MotionPath *path, double time, double value[3]) {
  const double(*keys)[4] = path->keys;
  int next = 0;
  while (next < path->count && keys[next][0] <= time)
    next++;
  int from = next > 0 ? next - 1 : 0, to = next < path->count ? next : path->count - 1;
  double span = keys[to][0] - keys[from][0], share = span > 0 ? (time - keys[from][0]) / span : 0;
  for (int i = 0; i < 3; i++)
    value[i] = keys[from][1 + i] + share * (keys[to][1 + i] - keys[from][1 + i]);
}

// Between two keys the mean of the velocities at both ends is exact.
void motion_path_travel(const MotionPath *speeds, double time, double way[3]) {
  double at = 0, before[3], after[3];
  way[0] = way[1] = way[2] = 0;
  for (int next = 0; speeds->count > 0 && at < time; next++) {
    double end = next < speeds->count ? fmin(time, speeds->keys[next][0]) : time;
    if (end <= at)
      continue;
    value_at(speeds, at, before);
    value_at(speeds, end, after);
    for (int i = 0; i < 3; i++)
      way[i] += (end - at) * (before[i] + after[i]) / 2;
    at = end;
  }
}

// The integral of a speed that increases to 1 as smooth_step does.
double point_motion_rounds_time(double time, double ease) {
  if (time >= ease)
    return time - ease / 2;
  double share = time / ease;
  return ease * share * share * share * (1 - share / 2);
}

static void place_on_path(const PointMotion *motion, double time, double offset[3]) {
  const double(*keys)[4] = motion->path->keys;
  int last = motion->path->count - 1;
  double begin = keys[0][0], length = keys[last][0] - begin;
  if (motion->loop && length > 0 && time > begin)
    time = begin + fmod(time - begin, length);
  int next = 0;
  while (next <= last && keys[next][0] <= time)
    next++;
  int from = next > 0 ? next - 1 : 0, to = next <= last ? next : last;
  double span = keys[to][0] - keys[from][0], share = span > 0 ? (time - keys[from][0]) / span : 0;
  if (motion->ease > 0)
    share = smooth_step(share);
  for (int i = 0; i < 3; i++)
    offset[i] = keys[from][1 + i] + share * (keys[to][1 + i] - keys[from][1 + i]);
}

void point_motion_offset(const PointMotion *motion, double time, double offset[3]) {
  double turn = 2 * M_PI * point_motion_rounds_time(time, motion->ease) / motion->period;
  for (int i = 0; i < 3; i++)
    offset[i] = 0;
  if (motion->path->count > 0)
    place_on_path(motion, time, offset);
  offset[0] += motion->radius * sin(turn);
  offset[1] += motion->rise * sin(turn);
  offset[2] += motion->radius * cos(turn);
}
