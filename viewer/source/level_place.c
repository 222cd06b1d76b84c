// Looks for a place to stand at the points of a grid over a level, on each floor at a point.
#include "viewer/source/level_place.h"

#include <math.h>
#include <stdlib.h>

enum { GRID = 41, MOST_FLOORS = 6, DIRECTIONS = 8 };

static const double WIDEST = 80;                    // m: side of the searched square around the middle
static const double SOLES = 0.35, EVEN = 0.02;      // m: radius of the ground that is level, largest difference there
static const double HEADROOM = 2, ELBOW_ROOM = 0.6; // m
static const double KNEE = 0.4, CHEST = 1.3;        // m: heights at which walls are looked for
static const double ROOF = 1;                       // m above the lowest place

typedef struct Spot {
  double place[3]; // m
  bool open;       // no floor or roof is above it
} Spot;

static void look_around(int direction, double out[3]) {
  double angle = 2 * M_PI * direction / DIRECTIONS;
  out[0] = sin(angle);
  out[1] = 0;
  out[2] = cos(angle);
}

// Whether the ground around a place is level, at the same height.
static bool is_level(const Level *level, const double place[3]) {
  for (int i = 0; i < DIRECTIONS; i++) {
    double side[3], height;
    look_around(i, side);
    if (!level_height(level, place[0] + SOLES * side[0], place[2] + SOLES * side[2], place[1] + KNEE, &height, NULL) ||
        fabs(height - place[1]) > EVEN)
      return false;
  }
  return true;
}

static bool is_roomy(const Level *level, const double place[3]) {
  const double up[3] = {0, 1, 0}, heights[2] = {KNEE, CHEST};
  double distance, normal[3], from[3] = {place[0], place[1] + EVEN, place[2]};
  if (level_ray(level, from, up, HEADROOM, &distance, normal))
    return false;
  for (int i = 0; i < 2 * DIRECTIONS; i++) {
    double side[3];
    look_around(i / 2, side);
    from[1] = place[1] + heights[i % 2];
    if (level_ray(level, from, side, ELBOW_ROOM, &distance, normal))
      return false;
  }
  return true;
}

// Adds the places on all floors at a point. Returns the number of spots.
static int add_floors(const Level *level, double x, double z, Spot *spots, int count) {
  double from = level->high[1] + 1;
  for (int floor = 0; floor < MOST_FLOORS; floor++) {
    Spot spot = {.place = {x, 0, z}, .open = floor == 0};
    if (!level_height(level, x, z, from, &spot.place[1], NULL))
      break;
    if (is_level(level, spot.place) && is_roomy(level, spot.place))
      spots[count++] = spot;
    from = spot.place[1] - EVEN;
  }
  return count;
}

// The one to take among the spots that are open, or among those that are not. NULL: there is none.
static const Spot *nearest(const Spot *spots, int count, bool open, const double middle[2]) {
  double lowest = HUGE_VAL, best = HUGE_VAL;
  for (int i = 0; i < count; i++)
    if (spots[i].open == open)
      lowest = fmin(lowest, spots[i].place[1]);
  const Spot *found = NULL;
  for (int i = 0; i < count; i++) {
    double away = hypot(spots[i].place[0] - middle[0], spots[i].place[2] - middle[1]);
    if (spots[i].open != open || spots[i].place[1] > lowest + ROOF || away >= best)
      continue;
    best = away;
    found = &spots[i];
  }
  return found;
}

bool level_place(const Level *level, double place[3]) {
  Spot *spots = malloc(sizeof *spots * GRID * GRID * MOST_FLOORS);
  if (!spots)
    return false;
  double middle[2], side[2];
  for (int i = 0; i < 2; i++) {
    middle[i] = (level->low[2 * i] + level->high[2 * i]) / 2;
    side[i] = fmin(level->high[2 * i] - level->low[2 * i], WIDEST);
  }
  int count = 0;
  for (int row = 0; row < GRID; row++)
    for (int column = 0; column < GRID; column++)
      count = add_floors(level, middle[0] + side[0] * ((column + 0.5) / GRID - 0.5),
                         middle[1] + side[1] * ((row + 0.5) / GRID - 0.5), spots, count);
  const Spot *found = nearest(spots, count, true, middle);
  if (!found)
    found = nearest(spots, count, false, middle);
  for (int i = 0; found && i < 3; i++)
    place[i] = found->place[i];
  free(spots);
  return found != NULL;
}
