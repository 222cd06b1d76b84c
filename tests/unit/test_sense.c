// What a planner senses: goal, obstacles and their motion in the frame of its character, ground that cannot be walked
// on, and the best way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>

#include <cmocka.h>

#include "anim/planner/sense.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "sim/terrain/terrain.h"
#include "tests/unit/drill.h"

static SenseDef def;
static const SensePlace here = {.x = 0, .z = 0, .heading = 0, .y = 0};

static int begin(void **state) {
  (void)state;
  param_defaults(&sense_params, &def);
  return 0;
}

static void near_at(double is, double wanted, double most, int line) {
  if (!(fabs(is - wanted) <= most))
    fail_msg("line %d: %.9g, not %.9g", line, is, wanted);
}
#define assert_near(is, wanted, most) near_at(is, wanted, most, __LINE__)

// A sense of a far goal straight ahead.
static Sense walking(double speed) { return sense_make(&here, (const double[2]){0, 20}, speed); }

static void add(Sense *sense, double left, double forward, double radius, double going_left, double going_forward) {
  sense_add(sense, &here, (const double[2]){left, forward}, (const double[2]){going_left, going_forward}, radius);
}

static double input_of(const Sense *sense, SenseInput input) {
  double inputs[SENSE_INPUT_COUNT];
  sense_inputs(sense, &def, inputs);
  return inputs[input];
}

// ---- Places ----

// Left and forward are those of the character: one who faces +x has +z on his right.
static void goal_and_obstacles_are_seen_from_the_character(void **state) {
  (void)state;
  const SensePlace place = {.x = 1, .z = 2, .heading = M_PI / 2};
  Sense sense = sense_make(&place, (const double[2]){4, 6}, 1.2);
  assert_near(sense.goal_distance, 5, 1e-12);
  assert_near(sense.goal_bearing, -atan2(4, 3), 1e-12);
  assert_near(sense.speed, 1.2, 0);
  sense_add(&sense, &place, (const double[2]){3, 1}, (const double[2]){0.5, -0.25}, 0.4);
  const SenseObstacle *o = &sense.obstacles[0];
  assert_near(o->forward, 2, 1e-12);
  assert_near(o->left, 1, 1e-12);
  assert_near(o->velocity_forward, 0.5, 1e-12);
  assert_near(o->velocity_left, 0.25, 1e-12);
  assert_near(o->radius, 0.4, 0);
  assert_near(input_of(&sense, SENSE_GOAL_BEARING), -atan2(4, 3) / RAD_PER_DEGREE, 1e-9);
  assert_near(input_of(&sense, SENSE_GOAL_DISTANCE), 5, 1e-12);
}

// Of more obstacles than there is room for the nearest ones are kept, by their borders.
static void nearest_obstacles_are_kept(void **state) {
  (void)state;
  Sense sense = walking(1);
  for (int i = 0; i < SENSE_MAX_OBSTACLES; i++)
    add(&sense, 0, 5 + (i * 7) % SENSE_MAX_OBSTACLES, 0.5, 0, 0); // the farthest one is at 52
  add(&sense, 0, 100, 48.5, 0, 0);                                // its border is at 51.5, that of the farthest too
  double most = 0;
  for (int i = 0; i < SENSE_MAX_OBSTACLES; i++)
    most = fmax(most, sense.obstacles[i].forward);
  assert_near(most, 52, 0);
  add(&sense, 0, 100, 49, 0, 0);
  int large = 0, gone = 1;
  for (int i = 0; i < SENSE_MAX_OBSTACLES; i++) {
    large += sense.obstacles[i].radius == 49;
    gone &= sense.obstacles[i].forward != 52;
  }
  assert_true(sense.count == SENSE_MAX_OBSTACLES && large == 1 && gone);
  double distance;
  const int nearest = sense_nearest(&sense, &def, &distance);
  assert_near(sense.obstacles[nearest].forward, 5, 0);
  assert_near(distance, 5 - 0.5 - 0.3, 1e-12);
  sense = walking(1);
  assert_int_equal(sense_nearest(&sense, &def, &distance), -1);
  assert_near(distance, SENSE_FAR, 0);
}

// The nearest is that of the nearest border; without one its distance is far and its bearing 0.
static void nearest_obstacle_is_an_input(void **state) {
  (void)state;
  Sense sense = walking(1);
  assert_near(input_of(&sense, SENSE_OBSTACLE_DISTANCE), SENSE_FAR, 0);
  assert_near(input_of(&sense, SENSE_OBSTACLE_BEARING), 0, 0);
  add(&sense, 2, 2, 0.1, 0, 0);
  add(&sense, -3, 0, 1, 0, 0);
  assert_near(input_of(&sense, SENSE_OBSTACLE_DISTANCE), 3 - 1 - 0.3, 1e-12);
  assert_near(input_of(&sense, SENSE_OBSTACLE_BEARING), -90, 1e-9);
}

static void lead_turns_the_velocity(void **state) {
  (void)state;
  SenseDef leads = def;
  leads.lead = 0.5;
  double led[2];
  sense_lead(&leads, (const double[2]){0, 2}, 1, led);
  assert_near(led[0], 2 * sin(0.5), 1e-12);
  assert_near(led[1], 2 * cos(0.5), 1e-12);
}

// ---- Times ----

// Until bodies of 0.3 m and the obstacle's radius touch, if all keep their velocity.
static void contact_time_is_that_of_the_first_touch(void **state) {
  (void)state;
  const struct {
    double left, forward, going_left, going_forward, time;
  } cases[] = {{0, 3, 0, 0, (3 - 0.8) / 1.5},
               {0, 3, 0, -0.5, (3 - 0.8) / 2},
               {0, 3, 0, 1.5, SENSE_FAR},
               {0, -3, 0, 0, SENSE_FAR},
               {0.79, 3, 0, 0, (3 - sqrt(0.8 * 0.8 - 0.79 * 0.79)) / 1.5},
               {0.81, 3, 0, 0, SENSE_FAR},
               {0, 0.7, 0, 0, 0},
               {0, -0.7, 0, 0, SENSE_FAR},
               {3, 3, -1.5, 0, (3 - 0.8 / sqrt(2)) / 1.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sense sense = walking(1.5);
    add(&sense, cases[i].left, cases[i].forward, 0.5, cases[i].going_left, cases[i].going_forward);
    add(&sense, 0, 30, 0.5, 0, 1.5); // another one that goes along
    near_at(input_of(&sense, SENSE_CONTACT_TIME), cases[i].time, 1e-9, (int)i);
  }
}

// Until the nearest approach of what moves and comes nearer than the margin, which grows with its speed up to 0.5 m/s;
// and its bearing.
static void approach_time_is_of_what_moves(void **state) {
  (void)state;
  const double margin = 0.3 + 0.5 + def.margin; // without moving_margin
  const struct {
    double left, forward, going_left, going_forward, time;
  } cases[] = {{4, 0, -1, 0, 4}, // meets him where he stands
               {4, margin - 0.01, -1, 0, 4},
               {4, margin + 0.01, -1, 0, SENSE_FAR},
               {4, 0, -0.09, 0, SENSE_FAR}, // as good as at rest
               {4, 0, -0.11, 0, 4 / 0.11},
               {4, 0, 1, 0, SENSE_FAR}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sense sense = walking(0);
    add(&sense, cases[i].left, cases[i].forward, 0.5, cases[i].going_left, cases[i].going_forward);
    near_at(input_of(&sense, SENSE_APPROACH_TIME), cases[i].time, 1e-9, (int)i);
    if (cases[i].time < SENSE_FAR)
      near_at(input_of(&sense, SENSE_APPROACH_BEARING), atan2(cases[i].left, cases[i].forward) / RAD_PER_DEGREE, 1e-9,
              (int)i);
  }
  const double moving = def.moving_margin, speeds[][2] = {{0.25, 0.5}, {0.5, 1}, {2, 1}}; // share of 0.2 m
  def.moving_margin = 0.2;
  for (int i = 0; i < 3; i++)
    for (int k = -1; k <= 1; k += 2) {
      Sense sense = walking(0);
      add(&sense, 1, margin + 0.2 * speeds[i][1] + k * 0.01, 0.5, -speeds[i][0], 0);
      near_at(input_of(&sense, SENSE_APPROACH_TIME), k < 0 ? 1 / speeds[i][0] : SENSE_FAR, 1e-9, i);
    }
  def.moving_margin = moving;
  Sense sense = walking(1); // he comes to it as well
  add(&sense, 2, 2, 0.5, -1, 0);
  add(&sense, -5, 5, 0.5, 1, 0);
  assert_near(input_of(&sense, SENSE_APPROACH_TIME), 2, 1e-9);
  assert_near(input_of(&sense, SENSE_APPROACH_BEARING), 45, 1e-9);
}

// ---- Ground ----

typedef struct Cliff {
  double z, drop; // m: the ground ends there, or steps down
} Cliff;

static bool cliff_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)x, (void)from, (void)normal;
  const Cliff *cliff = context;
  *height = z > cliff->z ? -cliff->drop : 0;
  return !(z > cliff->z && cliff->drop == INFINITY);
}

static bool island_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  (void)from, (void)normal;
  *height = 0;
  return hypot(x, z) < *(const double *)context;
}

// Along lines each 15 deg to 90 deg on both sides the ground is looked at each 0.25 m: where it ends or is steeper than
// 35 deg over half a metre there is an obstacle, as wide as the lines are apart.
static void edge_is_a_row_of_obstacles(void **state) {
  (void)state;
  const double drops[] = {INFINITY, 0.351, 0.349}; // m: 35 deg over half a metre are 0.350
  for (int i = 0; i < 3; i++) {
    const Cliff cliff = {.z = 1.1, .drop = drops[i]};
    const Ground ground = {.context = &cliff, .height = cliff_height};
    Sense sense = walking(1);
    sense_ground(&sense, &here, &def, &ground);
    assert_int_equal(sense.count, i == 2 ? 0 : 9); // within 2.5 m: up to 60 deg
    for (int k = 0; k < sense.count; k++) {
      const SenseObstacle *o = &sense.obstacles[k];
      const double bearing = (k - 4) * 15 * RAD_PER_DEGREE, way = 0.25 * ceil(1.1 / cos(bearing) / 0.25 - 1e-9);
      assert_near(o->radius, way * tan(7.5 * RAD_PER_DEGREE), 1e-9);
      assert_near(hypot(o->left, o->forward), way + o->radius, 1e-9);
      assert_near(atan2(o->left, o->forward), bearing, 1e-9);
    }
  }
  const double island = 1.1;
  const Ground around = {.context = &island, .height = island_height};
  Sense all = walking(1);
  sense_ground(&all, &here, &def, &around);
  assert_int_equal(all.count, 13);
  assert_near(all.obstacles[0].forward, 0, 1e-9);
  assert_near(all.obstacles[12].forward, 0, 1e-9);
  const Cliff near = {.z = 0.2, .drop = INFINITY}, under = {.z = -1, .drop = INFINITY};
  Ground ground = {.context = &near, .height = cliff_height};
  Sense sense = walking(1);
  sense_ground(&sense, &here, &def, &ground);
  assert_near(sense.obstacles[sense.count / 2].radius, 0.05, 1e-12); // the least
  sense = walking(1);
  ground.context = &under; // he hangs in the air: no direction is better
  sense_ground(&sense, &here, &def, &ground);
  assert_int_equal(sense.count, 0);
}

// ---- The best way ----

// Free ground: straight to the goal, as far as is looked.
static void free_way_leads_to_the_goal(void **state) {
  (void)state;
  Sense sense = sense_make(&here, (const double[2]){-10, 10}, 1.4);
  assert_near(input_of(&sense, SENSE_WAY), -45, 1e-9);
  assert_near(input_of(&sense, SENSE_AHEAD), def.horizon, 1e-9);
}

// An obstacle in the way is passed by tens of degrees, on the right where both sides are alike.
static void way_goes_around_an_obstacle(void **state) {
  (void)state;
  Sense sense = walking(1.4);
  add(&sense, 0, 3, 0.5, 0, 0);
  const double way = input_of(&sense, SENSE_WAY);
  assert_true(way < -9 && way > -41);
  assert_near(fmod(way, 10), 0, 1e-9);
  add(&sense, -1.2, 3, 0.5, 0, 0); // now the left side is wider
  assert_true(input_of(&sense, SENSE_WAY) > 9);
}

// A way that leaves less than the margin costs more than one a little aside.
static void way_keeps_its_margin(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    Sense sense = walking(1.4);
    add(&sense, side * 0.65, 2, 0.3, 0, 0); // 5 cm beside the body
    assert_near(input_of(&sense, SENSE_WAY), -side * 10, 1e-9);
    sense = walking(1.4);
    add(&sense, side * 0.85, 2, 0.3, 0, 0); // 25 cm
    assert_near(input_of(&sense, SENSE_WAY), 0, 1e-9);
  }
}

// A wall all around ends every way where the body would touch it, in strides of 0.3 m: at 1.9 m.
static void way_ends_at_a_wall(void **state) {
  (void)state;
  Sense sense = walking(1.4);
  for (int i = 0; i < 36; i++)
    add(&sense, 2.5 * sin(i * M_PI / 18), 2.5 * cos(i * M_PI / 18), 0.3, 0, 0);
  assert_near(input_of(&sense, SENSE_AHEAD), 1.8, 1e-9);
  Sense there = sense_make(&here, (const double[2]){0, 0}, 0); // at the goal
  assert_near(input_of(&there, SENSE_GOAL_DISTANCE), 0, 0);
  assert_near(input_of(&there, SENSE_AHEAD), def.horizon, 1e-9);
}

// What goes away with him does not stand in his way, and what comes does before it is there.
static void moving_obstacles_are_where_they_will_be(void **state) {
  (void)state;
  Sense sense = walking(1.4);
  add(&sense, 0, 2, 0.5, 0, 1.4);
  assert_near(input_of(&sense, SENSE_WAY), 0, 1e-9);
  sense = walking(1.4);
  add(&sense, 3, 3, 0.5, -1.4, 0); // crosses where he would be then
  assert_true(fabs(input_of(&sense, SENSE_WAY)) > 9);
  sense = walking(1.4);
  add(&sense, 3, 3, 0.5, 1.4, 0);
  assert_near(input_of(&sense, SENSE_WAY), 0, 1e-9);
}

// ---- Drawn surroundings: the means to nine digits ----

enum { GROUNDS = 3 };
static const char *const GROUND_NAMES[GROUNDS] = {"flat", "stairs", "gap"};
static const double OUTCOMES[GROUNDS][SENSE_INPUT_COUNT] = {
    {-1.9584877507, -0.41705258154, -2.3021087241, 0.016008483884, -5.6057773202, -0.1251436927, 0.26039780888,
     1.6640060865, -0.47792993084},
    {-3.1412555878, -0.61077033239, -4.1853077468, -0.062387046962, -4.9077599005, -0.32837413894, -1.8713066881,
     -3.1611801462, 2.1233678101},
    {8.3289426725, 0.20081991462, 12.569151512, 0.069398360739, -2.9824982034, 1.2531118075, 2.4916075443, 5.385750046,
     -2.8696892325},
};

// A goal near or far, few or many obstacles at rest and in motion, some of which touch the body.
static Sense drawn_sense(Rng *rng, const SensePlace *place) {
  const double far = rng_index(rng, 3) ? 12 : 0.3;
  const double goal[2] = {place->x + rng_range(rng, -far, far), place->z + rng_range(rng, -far, far)};
  Sense sense = sense_make(place, goal, rng_range(rng, 0.2, 2));
  const int count = rng_index(rng, rng_index(rng, 3) ? 6 : 60);
  for (int i = 0; i < count; i++) {
    const double away = rng_index(rng, 3) ? 6 : 1;
    const double position[2] = {place->x + rng_range(rng, -away, away), place->z + rng_range(rng, -away, away)};
    const double fast = rng_index(rng, 2) ? 0 : rng_index(rng, 3) ? 1.5 : 0.15;
    const double velocity[2] = {rng_range(rng, -fast, fast), rng_range(rng, -fast, fast)};
    sense_add(&sense, place, position, velocity, rng_range(rng, 0.1, 0.8));
  }
  return sense;
}

static void drawn_surroundings_come_to(void **state) {
  (void)state;
  enum { DRAWS = 200 };
  int wrong = 0;
  for (int g = 0; g < GROUNDS; g++) {
    static const TerrainKind kinds[GROUNDS] = {TERRAIN_FLAT, TERRAIN_STAIRS, TERRAIN_GAP};
    Error error = {0};
    TerrainDef terrain_def;
    param_defaults(&terrain_params, &terrain_def);
    terrain_def.kind = kinds[g];
    terrain_def.rise = 0.45;
    terrain_def.start = 1;
    Terrain *terrain = terrain_create(&terrain_def, 1, NULL, &error);
    assert_non_null(terrain);
    const Ground ground = terrain_ground(terrain);
    Rng rng = rng_make(1, GROUND_NAMES[g]);
    double means[SENSE_INPUT_COUNT] = {0};
    for (int n = 0; n < DRAWS; n++) {
      SensePlace place = {.x = rng_range(&rng, -3, 3), .z = rng_range(&rng, -3, 3), .heading = rng_range(&rng, -4, 4)};
      ground.height(ground.context, place.x, place.z, GROUND_HIGHEST, &place.y, NULL);
      Sense sense = drawn_sense(&rng, &place);
      sense_ground(&sense, &place, &def, &ground);
      double inputs[SENSE_INPUT_COUNT], led[2];
      sense_inputs(&sense, &def, inputs);
      sense_lead(&def, (const double[2]){0.5, inputs[SENSE_AHEAD]}, place.heading, led);
      inputs[SENSE_GOAL_DISTANCE] += led[0] + 2 * led[1];
      for (int k = 0; k < SENSE_INPUT_COUNT; k++)
        means[k] += inputs[k] * cos(0.9 * n) / DRAWS;
    }
    wrong += !drill_is_kept(GROUND_NAMES[g], sense_input_names, means, OUTCOMES[g], SENSE_INPUT_COUNT);
    terrain_destroy(terrain);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goal_and_obstacles_are_seen_from_the_character),
      cmocka_unit_test(nearest_obstacles_are_kept),
      cmocka_unit_test(nearest_obstacle_is_an_input),
      cmocka_unit_test(lead_turns_the_velocity),
      cmocka_unit_test(contact_time_is_that_of_the_first_touch),
      cmocka_unit_test(approach_time_is_of_what_moves),
      cmocka_unit_test(edge_is_a_row_of_obstacles),
      cmocka_unit_test(free_way_leads_to_the_goal),
      cmocka_unit_test(way_goes_around_an_obstacle),
      cmocka_unit_test(way_keeps_its_margin),
      cmocka_unit_test(way_ends_at_a_wall),
      cmocka_unit_test(moving_obstacles_are_where_they_will_be),
      cmocka_unit_test(drawn_surroundings_come_to),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
