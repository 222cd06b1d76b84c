// Lays plates under all places that carry the body, and turns its ground reactions into their channels.
#include "scenes/export/force_plates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/export/ground_reaction.h"
#include "scenes/export/trace_list.h"
#include "sim/base/numbers.h"

static const double MARGIN = 0.2; // m around the places that carried the body
static const double MM_PER_M = 1000;

// Where plates lie, m, Stagger's axes.
typedef struct Area {
  double low[2], high[2]; // x and z
  double height;          // mean of the places, weighted by force
} Area;

static bool has_contacts(TraceReader *reader) {
  enum { MOST = 32 };
  char names[MOST][TRACE_NAME_SIZE];
  const int count = trace_list_tables(reader, names, MOST);
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], "contacts") == 0)
      return true;
  return false;
}

static Area find_area(const GroundReactions *reactions, const TraceMotion *motion) {
  Area area = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  double weight = 0;
  double x[2] = {INFINITY, -INFINITY}, z[2] = {INFINITY, -INFINITY};
  trace_motion_bounds(motion, x, z);
  for (int axis = 0; axis < 2; axis++) {
    area.low[axis] = axis == 0 ? x[0] : z[0];
    area.high[axis] = axis == 0 ? x[1] : z[1];
  }
  for (int i = 0; i < reactions->frame_count * reactions->group_count; i++) {
    const GroundReaction *reaction = &reactions->values[i];
    const double size = length3(reaction->force);
    if (!(size > 0))
      continue;
    area.height += size * reaction->point[1];
    weight += size;
    for (int axis = 0; axis < 2; axis++) {
      area.low[axis] = fmin(area.low[axis], reaction->point[2 * axis]);
      area.high[axis] = fmax(area.high[axis], reaction->point[2 * axis]);
    }
  }
  area.height = weight > 0 ? area.height / weight : 0;
  for (int axis = 0; axis < 2; axis++) {
    area.low[axis] -= MARGIN;
    area.high[axis] += MARGIN;
  }
  return area;
}

// Stagger's z, x and y are the laboratory's x, y and z.
static void place_corners(ForcePlates *plates, const Area *area) {
  const double forward[] = {area->high[1], area->low[1]}, left[] = {area->low[0], area->high[0]};
  static const int CORNERS[FORCE_PLATE_CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; // +x +y, -x +y, -x -y, +x -y
  for (int i = 0; i < FORCE_PLATE_CORNERS; i++) {
    plates->corners[i][0] = (float)(MM_PER_M * forward[CORNERS[i][0]]);
    plates->corners[i][1] = (float)(MM_PER_M * left[CORNERS[i][1]]);
    plates->corners[i][2] = (float)(MM_PER_M * area->height);
  }
}

static void to_plate(const double v[3], double scale, float out[3]) {
  out[0] = (float)(scale * v[2]);
  out[1] = (float)(-scale * v[0]);
  out[2] = (float)(-scale * v[1]);
}

static void fill_channels(const GroundReaction *reaction, const double middle[3], float channels[]) {
  const double arm[3] = {reaction->point[0] - middle[0], reaction->point[1] - middle[1],
                         reaction->point[2] - middle[2]};
  double moment[3];
  cross3(arm, reaction->force, moment);
  for (int k = 0; k < 3; k++)
    moment[k] += reaction->torque[k];
  to_plate(reaction->force, 1, channels);
  to_plate(moment, MM_PER_M, channels + 3);
}

static bool fill_plates(ForcePlates *plates, const GroundReactions *reactions, const TraceMotion *motion,
                        Error *error) {
  const Skeleton *skeleton = &motion->body->skeleton;
  const size_t rows = (size_t)reactions->frame_count * (size_t)reactions->group_count;
  plates->values = malloc((rows + 1) * sizeof *plates->values);
  if (!plates->values)
    return error_set(error, "out of memory");
  plates->count = reactions->group_count;
  plates->frame_count = reactions->frame_count;
  for (int i = 0; i < plates->count; i++)
    snprintf(plates->names[i], sizeof plates->names[i], "%s",
             i < skeleton->leg_count ? motion->body->parts[skeleton->legs[i].ankle].name : "others");
  const Area area = find_area(reactions, motion);
  const double middle[3] = {(area.low[0] + area.high[0]) / 2, area.height, (area.low[1] + area.high[1]) / 2};
  place_corners(plates, &area);
  for (size_t i = 0; i < rows; i++)
    fill_channels(&reactions->values[i], middle, plates->values[i]);
  return true;
}

bool force_plates_read(ForcePlates *plates, TraceReader *reader, const TraceMotion *motion, Error *error) {
  *plates = (ForcePlates){.count = 0};
  if (!has_contacts(reader))
    return true;
  GroundReactions *reactions = ground_reactions_under(reader, motion, error);
  const bool good = reactions && fill_plates(plates, reactions, motion, error);
  ground_reactions_free(reactions);
  return good;
}

void force_plates_free(ForcePlates *plates) {
  free(plates->values);
  *plates = (ForcePlates){.count = 0};
}
