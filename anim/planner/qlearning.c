// The table of tabular Q-learning: the best action known in a state, random actions for exploration, and the update
// after an action.
#include "anim/planner/qlearning.h"

#include <math.h>
#include <stdlib.h>

bool q_table_init(QTable *table, int states, int actions) {
  *table = (QTable){0};
  if (states < 1 || actions < 1)
    return false;
  size_t count = (size_t)states * (size_t)actions;
  table->states = states;
  table->actions = actions;
  table->values = calloc(count, sizeof *table->values);
  table->visits = calloc(count, sizeof *table->visits);
  if (table->values && table->visits)
    return true;
  q_table_free(table);
  return false;
}

void q_table_free(QTable *table) {
  free(table->values);
  free(table->visits);
  *table = (QTable){0};
}

int q_best(const QTable *table, int state, const bool *allowed) {
  int best = -1;
  for (int action = 0; action < table->actions; action++)
    if ((!allowed || allowed[action]) && (best < 0 || *q_value(table, state, action) > *q_value(table, state, best)))
      best = action;
  return best;
}

int q_explore(const QTable *table, int state, const bool *allowed, double exploration, Rng *rng) {
  if (rng_unit(rng) >= exploration)
    return q_best(table, state, allowed);
  int count = 0;
  for (int action = 0; action < table->actions; action++)
    count += !allowed || allowed[action];
  if (count == 0)
    return -1;
  int chosen = rng_index(rng, count), action = -1;
  do
    action++;
  while (!(!allowed || allowed[action]) || chosen-- > 0);
  return action;
}

void q_learn(QTable *table, const QLearning *learning, int state, int action, double reward, double duration, int next,
             const bool *allowed) {
  int best = next >= 0 ? q_best(table, next, allowed) : -1;
  double future = best >= 0 ? pow(learning->discount, duration) * (double)*q_value(table, next, best) : 0;
  uint32_t visits = ++*q_visits(table, state, action);
  double step = fmax(learning->rate, 1 / (double)visits);
  float *value = q_value(table, state, action);
  *value = (float)((double)*value + step * (reward + future - (double)*value));
}
