// The trained planner in random fields generated in another way than those of its training and validation: a jittered
// grid with holes, goals on all sides, heavy and slight obstacles side by side. Six seeds of a hundred fields.
#include "tests/unit/planner_fixture.h"

#include "scenes/train/training.h"

enum { SEEDS = 6, FIELDS = 100, CELLS = 7 };
static const double CELL = 2.4;  // m
static const double CLEAR = 1.3; // m around start and goal
static const double GAP = 0.9;   // m between two obstacles, at least: a body of 0.3 m fits through
static const double TAKEN = 0.6; // share of the cells
static const double MOVING = 30; // of 100 fields: three characters that move straight on without avoiding anything

static bool is_free(const Field *field, const double place[2], double radius) {
  const FieldWalker *walker = &field->walkers[0];
  if (hypot(place[0] - walker->place.x, place[1] - walker->place.z) < radius + CLEAR ||
      hypot(place[0] - walker->goal[0], place[1] - walker->goal[1]) < radius + CLEAR)
    return false;
  for (int i = 0; i < field->obstacle_count; i++) {
    const FieldObstacle *other = &field->obstacles[i];
    if (hypot(place[0] - other->position[0], place[1] - other->position[1]) < radius + other->radius + GAP)
      return false;
  }
  return true;
}

static void add(Field *field, double x, double z, double radius, double speed, double way) {
  double place[2] = {x, z};
  if (field->obstacle_count == FIELD_MAX_OBSTACLES || !is_free(field, place, radius))
    return;
  field->obstacles[field->obstacle_count++] =
      (FieldObstacle){.position = {x, z}, .velocity = {speed * sin(way), speed * cos(way)}, .radius = radius};
  field->moving_count += speed > 0;
}

// A grid of cells about the start, of which each may hold an obstacle anywhere in it.
static void make_grid(Field *field, Rng *rng) {
  FieldWalker *walker = &field->walkers[0];
  double bearing = rng_range(rng, -M_PI, M_PI), distance = rng_range(rng, 6, 12);
  walker->goal[0] = distance * sin(bearing);
  walker->goal[1] = distance * cos(bearing);
  walker->place = (SensePlace){.heading = rng_range(rng, -M_PI, M_PI)};
  for (int i = 0; i < CELLS * CELLS; i++) {
    double x = (i % CELLS - CELLS / 2 + rng_range(rng, -0.5, 0.5)) * CELL; // NOLINT(bugprone-integer-division)
    double z = (i / CELLS - CELLS / 2 + rng_range(rng, -0.5, 0.5)) * CELL; // NOLINT(bugprone-integer-division)
    double radius = rng_unit(rng) < 0.3 ? rng_range(rng, 0.7, 1.1) : rng_range(rng, 0.15, 0.5);
    if (rng_unit(rng) < TAKEN)
      add(field, x, z, radius, 0, 0);
  }
  bool moving = rng_range(rng, 0, 100) < MOVING;
  for (int i = 0; i < 3; i++) {
    double x = rng_range(rng, -8, 8), z = rng_range(rng, -8, 8), speed = rng_range(rng, 0.3, 0.8);
    double way = rng_range(rng, -M_PI, M_PI);
    if (moving)
      add(field, x, z, 0.3, speed, way);
  }
}

static void goals_are_reached_in_fields_generated_in_another_way(void **state) {
  PlannerFixture *f = *state;
  TrainingDef def;
  FieldDef plain;
  Policy policy = {0};
  Error error = {0};
  param_defaults(&training_params, &def);
  param_defaults(&field_params, &plain);
  plain.obstacles = plain.moving = 0;
  const File *file = files_read(&f->clips.files, "planners/human_policy.yaml", &error);
  if (!file || !policy_read(&policy, f->def, file->name, file->bytes, &error))
    fail_msg("%s", error.text);
  long obstacles = 0;
  for (int seed = 1; seed <= SEEDS; seed++) {
    int reached = 0, untouched = 0;
    for (int k = 0; k < FIELDS; k++) {
      static Field field;
      char name[32];
      snprintf(name, sizeof name, "grid.%d", k);
      Rng rng = rng_make((uint64_t)seed, name);
      field_make(&field, &plain, f->def, &policy.table, policy.direct, NULL, seed, name);
      make_grid(&field, &rng);
      obstacles += field.obstacle_count;
      while (!field_is_over(&field))
        field_step(&field, def.dt);
      reached += field.walkers[0].reached;
      untouched += field.walkers[0].reached && !field.walkers[0].touched;
    }
    print_message("seed %d: %d of %d reach the goal, %d of them untouched\n", seed, reached, FIELDS, untouched);
    if (untouched < 95 * FIELDS / 100)
      fail_msg("seed %d: only %d of %d reach the goal untouched", seed, untouched, FIELDS);
  }
  assert_true(obstacles > 8L * SEEDS * FIELDS); // the fields are not empty
  policy_free(&policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goals_are_reached_in_fields_generated_in_another_way),
  };
  return cmocka_run_group_tests(tests, planner_set_up, planner_tear_down);
}
