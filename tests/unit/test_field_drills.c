// What drawn fields for the training of planners come to: walkers, obstacles at rest and moving, on flat and on limited
// ground, as they are made and as their walkers go. To nine digits.
// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "scenes/train/field.h"
#include "tests/unit/drill.h"
#include "tests/unit/planner_fixture.h"

typedef struct Drill {
  const char *name;
  FieldDef def;
  bool limited; // the ground ends
  int fields;
  double seconds;
} Drill;

static const Drill DRILLS[] = {
    {"one among discs", {{5, 9}, 8, 12, {0.3, 0.8}, 0.4, 3, {0.3, 0.8}, 1, 0.6, 4}, false, 60, 3},
    {"a crowd", {{4, 5}, 4, 3, {0.2, 0.4}, 0.8, 2, {0.1, 1.2}, 6, 0.5, 30}, false, 20, 3},
    {"two at the ground's end", {{3, 6}, 3, 6, {0.1, 0.3}, 0.1, 0, {0.3, 0.8}, 2, 0.6, 30}, true, 40, 3},
    {"no room", {{2, 3}, 2, 48, {0.4, 0.9}, 0.1, 16, {0, 2}, 1, 1, 2.5}, false, 40, 3},
    {"goals that are near", {{0.3, 1.6}, 3, 2, {0.2, 0.3}, 0.1, 1, {0.1, 0.4}, 2, 0.6, 8}, false, 40, 2},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { MADE, SENSES, WALKERS, OBSTACLES, ENDS, SUMS };
static const char *const NAMES[SUMS] = {"made", "senses", "walkers", "obstacles", "ends"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {-5.2877850148, -1.0663716795, 0.62263483191, -2.8863450866, 1.8648299048},
    {-7.3436689371, -1.2693083661, 6.4881772827, -0.42112397533, 1.8648299048},
    {4.6563271533, 0.98398654055, 7.0748039635, 2.2661945167, 1.8648299048},
    {0.92260446839, -0.77388714528, -0.17620801113, 0.22746162143, 1.3174986765},
    {1.6934527521, -0.08947271689, 0.94900723918, 0.099821483426, 0.74261256692},
};

static const PlannerFixture *fixture;

static bool ends(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)context, (void)from, (void)normal;
  *height = 0;
  return x > -2 && x < 1.5 && z > -1 && z < 4;
}

static void add_obstacles(const Field *field, DrillSum *sum) {
  for (int i = 0; i < field->obstacle_count; i++) {
    drill_add_all(sum, field->obstacles[i].position, 2);
    drill_add_all(sum, field->obstacles[i].velocity, 2);
    drill_add(sum, field->obstacles[i].radius);
  }
}

static void add_walkers(const Field *field, DrillSum *sum) {
  for (int i = 0; i < field->walker_count; i++) {
    const FieldWalker *walker = &field->walkers[i];
    const double state[] = {walker->place.x,    walker->place.z, walker->place.heading, walker->place.y,
                            walker->turn,       walker->way,     walker->shortest,      walker->reached,
                            walker->touched,    walker->goal[0], walker->goal[1],       walker->velocity[0],
                            walker->velocity[1]};
    drill_add_all(sum, state, sizeof state / sizeof *state);
  }
}

static void add_sense(const Sense *sense, DrillSum *sum) {
  drill_add(sum, sense->goal_bearing);
  drill_add(sum, sense->goal_distance);
  drill_add(sum, sense->speed);
  for (int i = 0; i < sense->count; i++) {
    const SenseObstacle *obstacle = &sense->obstacles[i];
    const double told[] = {obstacle->left, obstacle->forward, obstacle->radius, obstacle->velocity_left,
                           obstacle->velocity_forward};
    drill_add_all(sum, told, 5);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  static Field field;
  const Ground ground = {.height = ends};
  const int steps = (int)(drill->seconds * 10);
  for (int n = 0; n < drill->fields; n++) {
    DrillSum made = {0}, end = {0};
    field_make(&field, &drill->def, fixture->def, NULL, false, drill->limited ? &ground : NULL, n, drill->name);
    add_obstacles(&field, &made);
    add_walkers(&field, &made);
    for (int k = 0; k < steps && !field_is_over(&field); k++) {
      DrillSum sums[SUMS] = {{0}};
      const Sense sense = field_sense(&field, k % field.walker_count);
      field_step(&field, 0.1);
      add_sense(&sense, &sums[SENSES]);
      add_walkers(&field, &sums[WALKERS]);
      add_obstacles(&field, &sums[OBSTACLES]);
      for (int s = SENSES; s <= OBSTACLES; s++)
        means[s] += sums[s].sum / (steps * drill->fields);
    }
    drill_add(&end, field.time);
    drill_add(&end, field_is_over(&field));
    means[MADE] += made.sum / drill->fields;
    means[ENDS] += end.sum / drill->fields;
  }
}

static void drills_come_to(void **state) {
  fixture = *state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, planner_set_up, planner_tear_down);
}
