// Dijkstra's algorithm on a grid over the map of resting obstacles, from the goal outward, so that every free cell
// stores its path length to the goal.
#include "anim/planner/route.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/numbers.h"

enum { SIDE = 96, CELLS = SIDE * SIDE, QUEUE = 8 * CELLS };

static const double FINEST = 0.2; // m: least size of a cell
static const double AROUND = 2;   // m: the map extends this far beyond obstacles and places
static const double NEAREST = 1;  // m: largest distance from a place to the free cell that represents it

typedef struct QueueItem {
  float length; // m to the goal
  int cell;
} QueueItem;

// The map for a body of that radius (m).
typedef struct RouteMap {
  const RouteObstacle *obstacles;
  int count;
  double radius;
} RouteMap;

typedef struct Grid {
  double origin[2], cell; // m
  bool blocked[CELLS];
  float length[CELLS]; // m to the goal; HUGE_VALF: not reached
  QueueItem queue[QUEUE];
  int queued;
} Grid;

// ---- Lines ----

static double distance_to_line(const double point[2], const double from[2], const double to[2]) {
  const double way[2] = {to[0] - from[0], to[1] - from[1]}, arm[2] = {point[0] - from[0], point[1] - from[1]};
  double square = way[0] * way[0] + way[1] * way[1];
  double share = square > 0 ? min_d(max_d((arm[0] * way[0] + arm[1] * way[1]) / square, 0), 1) : 0;
  return hypot(arm[0] - share * way[0], arm[1] - share * way[1]);
}

bool route_is_free(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double to[2]) {
  for (int i = 0; i < count; i++) {
    const RouteObstacle *obstacle = &obstacles[i];
    double reach = obstacle->radius + radius,
           begin = hypot(from[0] - obstacle->position[0], from[1] - obstacle->position[1]);
    if (distance_to_line(obstacle->position, from, to) < min_d(reach, begin - 1e-6)) // a body that is too near already
                                                                                     // may move away
      return false;
  }
  return true;
}

// ---- The grid ----

static void place_of(const Grid *grid, int cell, double place[2]) {
  const int column = cell % SIDE, row = cell / SIDE;
  place[0] = grid->origin[0] + grid->cell * (column + 0.5);
  place[1] = grid->origin[1] + grid->cell * (row + 0.5);
}

static void include(const double place[2], double around, double low[2], double high[2]) {
  for (int k = 0; k < 2; k++) {
    low[k] = min_d(low[k], place[k] - around);
    high[k] = max_d(high[k], place[k] + around);
  }
}

static void block(Grid *grid, const RouteObstacle *obstacle, double radius) {
  double reach = obstacle->radius + radius;
  int first[2], last[2];
  for (int k = 0; k < 2; k++) {
    double middle = obstacle->position[k] - grid->origin[k];
    first[k] = (int)max_d(floor((middle - reach) / grid->cell), 0);
    last[k] = (int)min_d(floor((middle + reach) / grid->cell), SIDE - 1);
  }
  for (int z = first[1]; z <= last[1]; z++)
    for (int x = first[0]; x <= last[0]; x++) {
      double place[2];
      place_of(grid, z * SIDE + x, place);
      grid->blocked[z * SIDE + x] |= hypot(place[0] - obstacle->position[0], place[1] - obstacle->position[1]) < reach;
    }
}

static void lay_grid(Grid *grid, const RouteObstacle *obstacles, int count, double radius, const double from[2],
                     const double goal[2]) {
  double low[2] = {from[0], from[1]}, high[2] = {from[0], from[1]};
  include(from, AROUND, low, high);
  include(goal, AROUND, low, high);
  for (int i = 0; i < count; i++)
    include(obstacles[i].position, obstacles[i].radius + radius + AROUND, low, high);
  grid->cell = max_d(FINEST, max_d(high[0] - low[0], high[1] - low[1]) / SIDE);
  for (int k = 0; k < 2; k++)
    grid->origin[k] = 0.5 * (low[k] + high[k] - SIDE * grid->cell);
  for (int i = 0; i < CELLS; i++) {
    grid->blocked[i] = false;
    grid->length[i] = HUGE_VALF;
  }
  for (int i = 0; i < count; i++)
    block(grid, &obstacles[i], radius);
}

// ---- The queue: a binary heap, the shortest length first ----

static void push(Grid *grid, int cell, float length) {
  if (grid->queued == QUEUE)
    return; // cannot happen: each cell is entered from at most eight others
  int at = grid->queued++;
  while (at > 0 && grid->queue[(at - 1) / 2].length > length) {
    grid->queue[at] = grid->queue[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  grid->queue[at] = (QueueItem){length, cell};
}

static QueueItem pop(Grid *grid) {
  QueueItem first = grid->queue[0], last = grid->queue[--grid->queued];
  int at = 0;
  for (int next = 1; next < grid->queued; next = 2 * at + 1) {
    if (next + 1 < grid->queued && grid->queue[next + 1].length < grid->queue[next].length)
      next++;
    if (grid->queue[next].length >= last.length)
      break;
    grid->queue[at] = grid->queue[next];
    at = next;
  }
  grid->queue[at] = last;
  return first;
}

// The neighbour in one of eight directions; -1: none. A diagonal step is possible only if both cells beside it are
// free.
static int neighbour(const Grid *grid, int cell, int direction, double *step) {
  static const int ways[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  int right = ways[direction][0], ahead = ways[direction][1];
  bool diagonal = right != 0 && ahead != 0;
  int x = cell % SIDE + right, z = cell / SIDE + ahead;
  if (x < 0 || x >= SIDE || z < 0 || z >= SIDE || grid->blocked[z * SIDE + x])
    return -1;
  if (diagonal && (grid->blocked[cell + right] || grid->blocked[cell + SIDE * ahead]))
    return -1;
  *step = grid->cell * (diagonal ? sqrt(2) : 1);
  return z * SIDE + x;
}

// Computes the lengths of all cells' paths to the goal's cell.
static void flood(Grid *grid, int goal) {
  grid->length[goal] = 0;
  push(grid, goal, 0);
  while (grid->queued > 0) {
    QueueItem item = pop(grid);
    if (item.length > grid->length[item.cell])
      continue; // a shorter path to it has been found since
    for (int i = 0; i < 8; i++) {
      double step;
      int next = neighbour(grid, item.cell, i, &step);
      float length = next < 0 ? 0 : item.length + (float)step;
      if (next < 0 || length >= grid->length[next])
        continue;
      grid->length[next] = length;
      push(grid, next, length);
    }
  }
}

// The free cell nearest to a place; -1: none within NEAREST.
static int cell_near(const Grid *grid, const double place[2]) {
  int best = -1;
  double least = NEAREST;
  for (int i = 0; i < CELLS; i++) {
    double at[2];
    place_of(grid, i, at);
    double away = hypot(at[0] - place[0], at[1] - place[1]);
    if (grid->blocked[i] || away > least)
      continue;
    least = away;
    best = i;
  }
  return best;
}

// The cell at which the path from a place begins: of the cells within NEAREST that are in a free straight line, the one
// with the shortest total path. -1: there is none.
static int first_cell(const Grid *grid, const RouteMap *map, const double place[2]) {
  int best = -1;
  double least = HUGE_VAL;
  for (int i = 0; i < CELLS; i++) {
    double at[2];
    place_of(grid, i, at);
    double away = hypot(at[0] - place[0], at[1] - place[1]), whole = away + (double)grid->length[i];
    if (away > NEAREST || !(whole < least) || !route_is_free(map->obstacles, map->count, map->radius, place, at))
      continue;
    least = whole;
    best = i;
  }
  return best;
}

// The next cell on the shortest path; -1 at the goal.
static int next_cell(const Grid *grid, int cell) {
  int best = -1;
  float least = grid->length[cell];
  for (int i = 0; i < 8; i++) {
    double step;
    int next = neighbour(grid, cell, i, &step);
    if (next >= 0 && grid->length[next] < least) {
      least = grid->length[next];
      best = next;
    }
  }
  return best;
}

static bool search(Grid *grid, const RouteMap *map, const double from[2], const double goal[2], double waypoint[2],
                   double *length) {
  lay_grid(grid, map->obstacles, map->count, map->radius, from, goal);
  int end = cell_near(grid, goal);
  if (end < 0)
    return false;
  flood(grid, end);
  int cell = first_cell(grid, map, from);
  if (cell < 0)
    return false;
  place_of(grid, cell, waypoint);
  *length = (double)grid->length[cell] + hypot(waypoint[0] - from[0], waypoint[1] - from[1]);
  while ((cell = next_cell(grid, cell)) >= 0) {
    double place[2];
    place_of(grid, cell, place);
    if (!route_is_free(map->obstacles, map->count, map->radius, from, place))
      break;
    waypoint[0] = place[0];
    waypoint[1] = place[1];
  }
  return true;
}

bool route_find(const RouteObstacle *obstacles, int count, double radius, const double from[2], const double goal[2],
                double waypoint[2], double *length) {
  const RouteMap map = {obstacles, count, radius};
  if (!isfinite(from[0] + from[1] + goal[0] + goal[1]))
    return false;
  Grid *grid = calloc(1, sizeof *grid);
  if (!grid)
    return false;
  bool found = search(grid, &map, from, goal, waypoint, length);
  free(grid);
  return found;
}
