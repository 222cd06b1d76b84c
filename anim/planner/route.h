// The shortest path to a goal around resting obstacles, on a map of them. It leads out of traps that the local search
// for a direction (sense.h) cannot avoid, since that looks ahead only a limited distance.
#ifndef STAGGER_ANIM_PLANNER_ROUTE_H
#define STAGGER_ANIM_PLANNER_ROUTE_H

#include <stdbool.h>

// A round obstacle at rest, seen from above. World frame, m.
typedef struct RouteObstacle {
  double position[2], radius; // x and z
} RouteObstacle;

// Whether a body of that radius (m) can move from one place to the other on a straight line.
bool route_is_free(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double to[2]);

// Finds the shortest path from a place to a goal by Dijkstra's algorithm on a grid of at most 96 x 96 cells, no finer
// than 0.2 m, over all obstacles and 2 m around them. Obstacles are enlarged by the body's radius; a place inside one
// is represented by the nearest free cell within 1 m. True when there is a path: `length` is its length (m), and
// `waypoint` the farthest place on it that can be reached from the beginning in a free straight line.
bool route_find(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double goal[2],
                double waypoint[2], double *length);

#endif
