// Fields and training: shortest paths, the same bits again and after a stop, and the shipped policy on fields that it
// was not trained on.
#include "planner_fixture.h"

#include "scenes/train/training.h"
#include "sim/base/numbers.h"

static void read_training(PlannerFixture *f, TrainingDef *training, FieldDef *field) {
  Error error = {0};
  if (!training_read(training, field, &f->clips.files, "planners/human.yaml", &error))
    fail_msg("%s", error.text);
}

static void the_shortest_way_goes_round(void **state) {
  (void)state;
  FieldDef def;
  param_defaults(&field_params, &def);
  Field field = {.def = &def};
  const double from[2] = {0, 0}, to[2] = {0, 10};
  assert_true(fabs(field_shortest(&field, from, to, 0.3) - 10) < 1e-12);
  field.obstacles[field.obstacle_count++] = (FieldObstacle){.position = {0, 5}, .radius = 1.2};
  double angle = acos(1.5 / 5); // tangents from 5 m before and behind to a disc of 1.5 m, and the arc between
  double exact = 2 * sqrt(25 - 1.5 * 1.5) + 1.5 * (M_PI - 2 * angle);
  double found = field_shortest(&field, from, to, 0.3);
  assert_true(found >= exact - 1e-9 && found < exact * 1.003);
  for (int i = -20; i <= 20; i++) // a wall that ends 10 m to either side
    field.obstacles[field.obstacle_count++] = (FieldObstacle){.position = {0.5 * i, 7}, .radius = 0.2};
  found = field_shortest(&field, from, to, 0.3);
  assert_true(found > hypot(10, 7) + hypot(10, 3));
  assert_true(field_shortest(&field, from, (double[]){0, 5}, 0.3) == 0); // inside of the disc
}

static void fields_are_clear_and_repeat(void **state) {
  PlannerFixture *f = *state;
  TrainingDef training;
  FieldDef def;
  read_training(f, &training, &def);
  for (int k = 0; k < 20; k++) {
    Field a, b;
    char name[32];
    snprintf(name, sizeof name, "field.%d", k);
    field_make(&a, &def, f->def, NULL, false, NULL, 3, name);
    field_make(&b, &def, f->def, NULL, false, NULL, 3, name);
    assert_int_equal(a.obstacle_count, b.obstacle_count);
    assert_memory_equal(a.obstacles, b.obstacles, (size_t)a.obstacle_count * sizeof a.obstacles[0]);
    assert_true(a.obstacle_count > 10 && a.walkers[0].shortest > 9);
    int at_rest = a.obstacle_count - a.moving_count;
    for (int i = 0; i < at_rest; i++)
      for (int j = 0; j < i; j++) {
        const FieldObstacle *o = &a.obstacles[i], *p = &a.obstacles[j];
        double gap = hypot(o->position[0] - p->position[0], o->position[1] - p->position[1]) - o->radius - p->radius;
        assert_true(gap >= def.gap);
      }
  }
}

// A walker alone starts at the origin in any direction, with his goal ahead; several start on a circle, each with his
// goal on its other side, and look there.
static void walkers_start_as_told(void **state) {
  PlannerFixture *f = *state;
  TrainingDef training;
  FieldDef def;
  int quarters[4] = {0};
  read_training(f, &training, &def);
  def.walkers = 1;
  for (int seed = 0; seed < 200; seed++) {
    Field field;
    field_make(&field, &def, f->def, NULL, false, NULL, seed, "alone");
    const FieldWalker *walker = &field.walkers[0];
    assert_true(walker->place.x == 0 && walker->place.z == 0 && walker->goal[0] == 0);
    assert_true(walker->goal[1] >= def.goal[0] && walker->goal[1] <= def.goal[1]);
    quarters[(int)floor((walker->place.heading + M_PI) / (M_PI / 2)) % 4]++;
  }
  for (int i = 0; i < 4; i++)
    assert_in_range(quarters[i], 30, 70);
  def.walkers = 6;
  Field field;
  field_make(&field, &def, f->def, NULL, false, NULL, 3, "circle");
  for (int i = 0; i < 6; i++) {
    const FieldWalker *walker = &field.walkers[i];
    double middle = field.walkers[0].goal[1] / 2; // he starts near the origin and looks ahead
    double way[2] = {walker->goal[0] - walker->place.x, walker->goal[1] - walker->place.z};
    assert_true(fabs(wrap_angle(atan2(way[0], way[1]) - walker->place.heading)) < 0.1);
    assert_true(fabs(hypot(walker->goal[0], walker->goal[1] - middle) - middle) < 0.6);
  }
}

static char *train(PlannerFixture *f, bool direct, int stop_at) {
  TrainingDef def;
  FieldDef field;
  Policy policy;
  read_training(f, &def, &field);
  def.decisions = 1500;
  def.points = 3;
  def.check_fields = 2;
  assert_true(policy_init(&policy, f->def, direct));
  policy.planned = def.decisions;
  Training training = {&def, &field, f->def, NULL, 1, &policy};
  while (!training_is_done(&training)) {
    training_episode(&training);
    if (stop_at == 0 || policy.decisions < stop_at)
      continue;
    char *text = policy_write(&policy, f->def); // continues with the values of a file
    policy_free(&policy);
    Error error = {0};
    if (!policy_read(&policy, f->def, "half.yaml", text, &error))
      fail_msg("%s", error.text);
    free(text);
    stop_at = 0;
  }
  assert_int_equal(policy.point_count, 3);
  char *text = policy_write(&policy, f->def);
  policy_free(&policy);
  return text;
}

static void a_stop_changes_nothing(void **state) {
  PlannerFixture *f = *state;
  for (int direct = 0; direct < 2; direct++) {
    char *whole = train(f, direct, 0), *stopped = train(f, direct, 600);
    assert_string_equal(whole, stopped);
    free(whole);
    free(stopped);
  }
}

static void it_reaches_goals_it_has_not_seen(void **state) {
  PlannerFixture *f = *state;
  TrainingDef def;
  FieldDef field;
  Policy policy = {0};
  Error error = {0};
  read_training(f, &def, &field);
  const File *file = files_read(&f->clips.files, "planners/human_policy.yaml", &error);
  if (!file || !policy_read(&policy, f->def, file->name, file->bytes, &error))
    fail_msg("%s", error.text);
  for (int i = 0; i < policy.input_count; i++) { // it was learnt with the shipped files
    const File *input = files_read(&f->clips.files, policy.inputs[i].name, &error);
    if (!input || policy_hash(input->bytes, input->size) != policy.inputs[i].hash)
      fail_msg("%s has changed: train the policy anew", policy.inputs[i].name);
  }
  Training training = {&def, &field, f->def, NULL, 1, &policy};
  FieldScore score = training_try(&training, "test", 100);
  if (score.succeeded < 95 || score.path > 1.3)
    fail_msg("%d of 100 reach the goal untouched, by ways %.3f times the shortest", score.succeeded, score.path);
  assert_true(score.unknown <= score.decisions / 100);
  assert_true(planner_states(f->def, true) >= 20 * planner_states(f->def, false));
  policy_free(&policy);
}

// The same fields, walked once more and counted here.
static FieldScore walk_fields(const Training *training, const FieldDef *def, const char *set, int count) {
  FieldScore score = {0};
  for (int k = 0; k < count; k++) {
    char name[32];
    Field field;
    snprintf(name, sizeof name, "%s.%d", set, k);
    field_make(&field, def, training->planner, &training->policy->table, training->policy->direct, training->ground,
               training->seed, name);
    while (!field_is_over(&field)) {
      const double dt = training->def->dt;
      field_step(&field, dt);
      for (int i = 0; i < field.walker_count; i++) {
        const FieldWalker *walker = &field.walkers[i];
        if (walker->reached)
          continue;
        score.seconds += dt;
        score.turn_error += dt * fabs(walker->turn - walker->planner.demand_turn) / RAD_PER_DEGREE;
        score.speed_error += dt * fabs(hypot(walker->velocity[0], walker->velocity[1]) - walker->planner.demand_speed);
        for (int r = 0; r < training->planner->fuzzy.rule_count; r++)
          score.fired[r] += dt * walker->planner.strengths[r];
      }
    }
    for (int i = 0; i < field.walker_count; i++) {
      const FieldWalker *walker = &field.walkers[i];
      const bool succeeded = walker->reached && !walker->touched;
      score.walkers++;
      score.reached += walker->reached;
      score.touched += walker->touched;
      score.succeeded += succeeded;
      score.decisions += walker->planner.decisions;
      score.unknown += walker->planner.unknown;
      if (succeeded) // who has no way round resting obstacles needs no longer one
        score.path += walker->shortest > 0 ? walker->way / walker->shortest : 1;
    }
  }
  return score;
}

static void assert_score(const FieldScore *score, const FieldScore *sums, int rules) {
  assert_int_equal(score->walkers, sums->walkers);
  assert_int_equal(score->reached, sums->reached);
  assert_int_equal(score->touched, sums->touched);
  assert_int_equal(score->succeeded, sums->succeeded);
  assert_int_equal(score->decisions, sums->decisions);
  assert_int_equal(score->unknown, sums->unknown);
  assert_true(fabs(score->seconds - sums->seconds) < 1e-9 * sums->seconds);
  assert_true(fabs(score->turn_error * sums->seconds - sums->turn_error) < 1e-9 * sums->turn_error);
  assert_true(fabs(score->speed_error * sums->seconds - sums->speed_error) < 1e-9 * sums->speed_error);
  assert_true(fabs(score->path * sums->succeeded - sums->path) < 1e-9 * sums->path || sums->succeeded == 0);
  for (int r = 0; r < rules; r++)
    assert_true(fabs(score->fired[r] - sums->fired[r]) <= 1e-9 * sums->fired[r]);
}

// Sums over walkers until they reach their goals, means of time and of those that succeeded: in fields, in crowds, and
// of a walker whose time is over before he can be anywhere.
static void scores_are_sums_over_walkers(void **state) {
  PlannerFixture *f = *state;
  TrainingDef def;
  FieldDef field;
  Policy policy = {0};
  read_training(f, &def, &field);
  assert_true(policy_init(&policy, f->def, false));
  Training training = {&def, &field, f->def, NULL, 5, &policy};
  def.crowd = 4;
  FieldDef circle = field;
  circle.walkers = def.crowd;
  circle.obstacles = circle.moving = 0;
  const FieldScore tried = training_try(&training, "test", 3), crowds = training_crowds(&training, 2);
  const FieldScore alone = walk_fields(&training, &field, "test", 3),
                   crossing = walk_fields(&training, &circle, "crowd", 2);
  assert_true(alone.seconds > 10 && alone.fired[0] > 0 && alone.turn_error > 0 && alone.speed_error > 0);
  assert_int_equal(crossing.walkers, 8);
  assert_score(&tried, &alone, f->def->fuzzy.rule_count);
  assert_score(&crowds, &crossing, f->def->fuzzy.rule_count);
  field.time = 1;
  const FieldScore none = training_try(&training, "test", 2);
  assert_true(none.walkers == 2 && none.reached == 0 && none.succeeded == 0 && none.path == 0);
  assert_true(fabs(none.seconds - 2) < 2 * def.dt + 1e-9 && none.turn_error > 0);
  policy_free(&policy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shortest_way_goes_round),
      cmocka_unit_test(fields_are_clear_and_repeat),
      cmocka_unit_test(walkers_start_as_told),
      cmocka_unit_test(a_stop_changes_nothing),
      cmocka_unit_test(it_reaches_goals_it_has_not_seen),
      cmocka_unit_test(scores_are_sums_over_walkers),
  };
  return cmocka_run_group_tests(tests, planner_set_up, planner_tear_down);
}
