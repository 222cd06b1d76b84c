// Tabular Q-learning (Watkins 1989) for actions that last: Q(s, a) is the reward to be expected of action a in state s
// and the best ones after it, where the future counts less by `discount` a second (Bradtke and Duff 1995).
#ifndef STAGGER_ANIM_PLANNER_QLEARNING_H
#define STAGGER_ANIM_PLANNER_QLEARNING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/rng.h"

typedef struct QTable {
  int states, actions;
  float *values;    // [states * actions]; 0 where nothing has been learnt
  uint32_t *visits; // [states * actions]; updates of each
} QTable;

// False: no memory, or no states or actions. Free with q_table_free.
bool q_table_init(QTable *table, int states, int actions);
void q_table_free(QTable *table);

static inline float *q_value(const QTable *table, int state, int action) {
  return &table->values[state * table->actions + action];
}
static inline uint32_t *q_visits(const QTable *table, int state, int action) {
  return &table->visits[state * table->actions + action];
}

// How it is learnt.
typedef struct QLearning {
  double rate;     // 0 .. 1: so far a value goes toward what was seen, at least
  double discount; // 0 .. 1: worth of a reward a second later
} QLearning;

// The best of the allowed actions (NULL: all), of equals the first; -1: none is allowed.
int q_best(const QTable *table, int state, const bool *allowed);

// The best one, or with the probability `exploration` any of the allowed ones.
int q_explore(const QTable *table, int state, const bool *allowed, double exploration, Rng *rng);

// An action brought a reward (discounted to its beginning) and after `duration` s a state in which `allowed` actions
// are open; next < 0: the end. The step is 1 / visits until that is less than the rate, so that first values are means.
void q_learn(QTable *table, const QLearning *learning, int state, int action, double reward, double duration, int next,
             const bool *allowed);

#endif
