// Tabular Q-learning (Watkins 1989) for actions with a duration: Q(s, a) is the expected reward of action a in state s
// followed by the best actions, where future rewards are discounted by `discount` per second (Bradtke and Duff 1995).
#ifndef STAGGER_ANIM_PLANNER_QLEARNING_H
#define STAGGER_ANIM_PLANNER_QLEARNING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/rng.h"

typedef struct QTable {
  int states, actions;
  float *values;    // [states * actions]; 0 where nothing has been learnt
  uint32_t *visits; // [states * actions]; number of updates of each value
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

// Parameters of the learning.
typedef struct QLearning {
  double rate;     // 0 .. 1: least share by which a value moves toward an observation
  double discount; // 0 .. 1: value now of a reward one second later
} QLearning;

// The best of the allowed actions (NULL: all); the first one if several are equal; -1: none is allowed.
int q_best(const QTable *table, int state, const bool *allowed);

// The best action or, with the probability `exploration`, a random allowed one.
int q_explore(const QTable *table, int state, const bool *allowed, double exploration, Rng *rng);

// Updates the table after an action that gave a reward (discounted to its beginning) and led after `duration` s to the
// state `next`, in which `allowed` actions are possible; next < 0: the episode ended. The learning rate is 1 / visits
// until that is below learning->rate, so that the first values are means.
void q_learn(QTable *table, const QLearning *learning, int state, int action, double reward, double duration, int next,
             const bool *allowed);

#endif
