// The shortest way to a goal around what stands still, over the known map: the way out of a trap that the search for
// the best direction (sense.h) does not find, since it looks only so far ahead.
#ifndef STAGGER_ANIM_PLANNER_ROUTE_H
#define STAGGER_ANIM_PLANNER_ROUTE_H

#include <stdbool.h>

// A round obstacle at rest, seen from above. World, m.
typedef struct RouteObstacle {
  double position[2], radius; // x and z
} RouteObstacle;

// Whether a body of that radius (m) gets from one place to another on the straight line between them.
bool route_is_free(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double to[2]);

// Finds the shortest way from a place to a goal by Dijkstra's algorithm on a grid of at most 96 x 96 cells, no finer
// than 0.2 m, over all obstacles and 2 m around them. Obstacles grow by the body's radius; a place inside of one counts
// as the free cell that is nearest to it within 1 m. True when there is a way: `length` is its length (m), and
// `waypoint` the farthest place on it that is on a straight free line from the beginning. Otherwise false.
bool route_find(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double goal[2],
                double waypoint[2], double *length);

#endif
