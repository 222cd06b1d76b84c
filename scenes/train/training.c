// One learner: explores, is rewarded for meeting the demand smoothly, and updates its table.
#include "scenes/train/training.h"

#include <math.h>
#include <stdio.h>

#include "sim/base/numbers.h"

PARAM_TABLE(training_params, TrainingDef, TRAINING_PARAMS, "training", "How a planner learns.")

// ---- Description ----

bool training_read(TrainingDef *training, FieldDef *field, FileSet *files, const char *planner_file, Error *error) {
  const File *file = files_read(files, planner_file, error);
  Document document;
  if (!file || !document_read(&document, planner_file, file, error))
    return false;
  bool good = param_read_section(&training_params, training, document.root, error) &&
              param_read_section(&field_params, field, document.root, error);
  document_free(&document);
  return good;
}

// ---- Learning ----

// The results of a walker since its last decision.
typedef struct Learner {
  Training *training;
  Rng *rng;
  int state, action;       // -1: none yet
  double reward, duration; // discounted to the time of the decision; s since then
  double left;             // m to the goal at the last step
} Learner;

static double exploration(const Training *training) {
  const TrainingDef *def = training->def;
  double share = (double)training->policy->decisions / def->decisions;
  return def->explore + (def->explore_end - def->explore) * fmin(share, 1);
}

// Updates the table with the result of the last decision. next < 0: it was the last one.
static void learn(Learner *learner, int next, const bool *allowed) {
  const TrainingDef *def = learner->training->def;
  Policy *policy = learner->training->policy;
  if (learner->action < 0)
    return;
  QLearning learning = {.rate = def->rate, .discount = def->discount};
  q_learn(&policy->table, &learning, learner->state, learner->action, learner->reward, learner->duration, next,
          allowed);
  policy->reward_sum += learner->reward;
  policy->reward_count++;
}

static int choose(void *context, const Planner *planner, int state, const bool *allowed) {
  Learner *learner = context;
  const Training *training = learner->training;
  Policy *policy = training->policy;
  learn(learner, state, allowed);
  int action = q_explore(&policy->table, state, allowed, exploration(training), learner->rng);
  const PlannerDef *def = planner->def;
  const MoveChange *change = moves_change(&def->moves, planner->move, action / def->blends.count);
  learner->state = state;
  learner->action = action;
  learner->reward = -training->def->jolt * (double)change->jolt / def->blends.values[action % def->blends.count];
  learner->duration = 0;
  policy->decisions++;
  return action;
}

static double goal_left(const FieldWalker *walker) {
  double way[2] = {walker->goal[0] - walker->place.x, walker->goal[1] - walker->place.z};
  return length_2d(way);
}

// Reward of a step of dt for meeting the demand.
static double demand_reward(const TrainingDef *def, const Planner *planner, double turn, double speed, double dt) {
  double turn_error = fabs(turn - planner->demand_turn) / (M_PI / 2);
  return -(def->turn_error * turn_error + def->speed_error * fabs(speed - planner->demand_speed)) * dt;
}

// Reward for approaching the goal, for a table over the whole state.

static double goal_reward(Learner *learner, const FieldWalker *walker, double dt) {
  const TrainingDef *def = learner->training->def;
  double left = goal_left(walker), gained = learner->left - left;
  learner->left = left;
  return def->progress * gained - def->waiting * dt + (walker->reached ? def->arrival : 0) -
         (walker->touched ? def->touch : 0);
}

static void add_reward(Learner *learner, double reward, double dt) {
  learner->reward += pow(learner->training->def->discount, learner->duration) * reward;
  learner->duration += dt;
}

static void begin_learners(Training *training, Field *field, Learner *learners, int count, Rng *rng) {
  for (int i = 0; i < count; i++) {
    FieldWalker *walker = &field->walkers[i];
    learners[i] = (Learner){.training = training, .rng = rng, .state = -1, .action = -1, .left = goal_left(walker)};
    walker->planner.choose = choose;
    walker->planner.context = &learners[i];
  }
}

// Runs an episode on a field, up to the first touch or until all have ended.
static void run_field(Training *training, Field *field, Rng *rng) {
  const int count = field->walker_count;
  Learner learners[FIELD_MAX_WALKERS];
  begin_learners(training, field, learners, count, rng);
  double dt = training->def->dt;
  for (bool touched = false; !touched && !field_is_over(field);) {
    bool there[FIELD_MAX_WALKERS] = {false};
    for (int i = 0; i < count; i++)
      there[i] = field->walkers[i].reached;
    field_step(field, dt);
    for (int i = 0; i < count; i++) {
      FieldWalker *walker = &field->walkers[i];
      Learner *learner = &learners[i];
      if (there[i])
        continue;
      double reward = walker->planner.direct ? goal_reward(learner, walker, dt)
                                             : demand_reward(training->def, &walker->planner, walker->turn,
                                                             length_2d(walker->velocity), dt);
      add_reward(learner, reward, dt);
      touched |= walker->touched;
      if (walker->planner.direct && (walker->reached || walker->touched))
        learn(learner, -1, NULL);
    }
  }
  for (int i = 0; i < count; i++)
    field->walkers[i].planner.context = NULL; // the learners' memory ends here
}

// Runs a drill: the demand is to turn to a heading and move at a speed, both of which change from time to time, mostly
// a little, sometimes completely. They change before a decision, so that the result of a move is due to the move.
static void run_drill(Training *training, Rng *rng) {
  const TrainingDef *def = training->def;
  const PlannerLevels *turns = &training->planner->turns, *speeds = &training->planner->speeds;
  const double gain = 2; // 1/s: demanded turn rate per angle
  Planner planner = planner_make(training->planner, &training->policy->table, false);
  Learner learner = {.training = training, .rng = rng, .state = -1, .action = -1};
  planner.choose = choose;
  planner.context = &learner;
  double left = 0, speed = 0, decided = 0; // rad left to turn; m/s; s
  double time = 0;
  while (time < def->drill_time) {
    bool due = planner_is_due(&planner);
    if (due && rng_unit(rng) < -expm1((decided - time) / def->drill_change)) {
      double most = rng_unit(rng) < 0.3 ? M_PI : M_PI / 4;
      left = rng_range(rng, -most, most);
      speed = speeds->values[rng_index(rng, speeds->count)];
    }
    planner.demand_turn =
        fmin(fmax(gain * left, turns->values[0] * RAD_PER_DEGREE), turns->values[turns->count - 1] * RAD_PER_DEGREE);
    planner.demand_speed = speed;
    PlannerStep step = planner_step(&planner, NULL, def->dt);
    double velocity[2] = {step.left, step.forward};
    add_reward(&learner, demand_reward(def, &planner, step.turn, length_2d(velocity), def->dt), def->dt);
    left = wrap_angle(left - step.turn * def->dt);
    time += def->dt;
  }
}

static void add_point(Training *training) {
  Policy *policy = training->policy;
  FieldScore score = training_try(training, "check", training->def->check_fields);
  policy->curve[policy->point_count++] = (PolicyPoint){
      .decisions = policy->decisions,
      .episodes = policy->episodes,
      .success = (double)score.succeeded / score.walkers,
      .touched = (double)score.touched / score.walkers,
      .path = score.path,
      .reward = policy->reward_count > 0 ? policy->reward_sum / (double)policy->reward_count : 0,
  };
  policy->reward_sum = 0;
  policy->reward_count = 0;
}

bool training_is_done(const Training *training) { return training->policy->decisions >= training->def->decisions; }

bool training_episode(Training *training) {
  Policy *policy = training->policy;
  char name[64];
  snprintf(name, sizeof name, "explore.%ld", policy->episodes);
  Rng rng = rng_make((uint64_t)training->seed, name);
  if (!policy->direct && rng_unit(&rng) < training->def->drill) {
    run_drill(training, &rng);
  } else {
    Field field;
    snprintf(name, sizeof name, "train.%ld", policy->episodes);
    field_make(&field, training->field, training->planner, &policy->table, policy->direct, training->ground,
               training->seed, name);
    run_field(training, &field, &rng);
  }
  policy->episodes++;
  double due = (double)training->def->decisions * (policy->point_count + 1) / training->def->points;
  if ((double)policy->decisions < due || policy->point_count == POLICY_MAX_POINTS)
    return false;
  add_point(training);
  return true;
}

// ---- Trying ----

static void count_step(const Field *field, double dt, FieldScore *score) {
  for (int i = 0; i < field->walker_count; i++) {
    const Planner *planner = &field->walkers[i].planner;
    if (field->walkers[i].reached)
      continue;
    for (int r = 0; r < planner->def->fuzzy.rule_count; r++)
      score->fired[r] += planner->strengths[r] * dt;
    const FieldWalker *walker = &field->walkers[i];
    score->seconds += dt;
    score->turn_error += fabs(walker->turn - planner->demand_turn) / RAD_PER_DEGREE * dt;
    score->speed_error += fabs(length_2d(walker->velocity) - planner->demand_speed) * dt;
  }
}

static void count_walkers(const Field *field, FieldScore *score) {
  for (int i = 0; i < field->walker_count; i++) {
    const FieldWalker *walker = &field->walkers[i];
    score->walkers++;
    score->reached += walker->reached;
    score->touched += walker->touched;
    score->decisions += walker->planner.decisions;
    score->unknown += walker->planner.unknown;
    if (!walker->reached || walker->touched)
      continue;
    score->succeeded++;
    score->path += walker->shortest > 0 ? walker->way / walker->shortest : 1;
  }
}

FieldScore training_try(const Training *training, const char *set, int count) {
  FieldScore score = {0};
  const Policy *policy = training->policy;
  for (int k = 0; k < count; k++) {
    char name[64];
    Field field;
    snprintf(name, sizeof name, "%s.%d", set, k);
    field_make(&field, training->field, training->planner, &policy->table, policy->direct, training->ground,
               training->seed, name);
    while (!field_is_over(&field)) {
      field_step(&field, training->def->dt);
      count_step(&field, training->def->dt, &score);
    }
    count_walkers(&field, &score);
  }
  score.path /= score.succeeded > 0 ? score.succeeded : 1;
  score.turn_error /= score.seconds > 0 ? score.seconds : 1;
  score.speed_error /= score.seconds > 0 ? score.seconds : 1;
  return score;
}

FieldScore training_crowds(const Training *training, int count) {
  FieldDef circle = *training->field;
  circle.walkers = training->def->crowd;
  circle.obstacles = circle.moving = 0;
  Training crossing = *training;
  crossing.field = &circle;
  return training_try(&crossing, "crowd", count);
}
