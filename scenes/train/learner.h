// Learns a controller by trial: proximal policy optimisation (PPO, Schulman et al. 2017) with generalised advantage
// estimation (Schulman et al. 2016), in environments about which it knows nothing but their inputs and rewards.
//
// The result depends on the definition, the task and the seed alone, to the bit, and not on the number of threads: each
// environment has its own random numbers, and all sums have a fixed order.
//
// Under MPI the environments are shared out among the ranks, see rank_share.h: each rank steps its own, and rank 0
// learns from the samples of all. Each rank has a learner of the same definition, task and seed, and all call
// learner_iterate, learner_share and learner_gather together. The result is the same to the bit for any number of
// ranks.
//
// No action that is not a number reaches an environment: 0 is sent instead. A reward or an input that is not finite
// ends the episode as failed, with a reward of 0; inputs of a reset that are not finite become 0. A minibatch whose
// gradient is not finite changes nothing. All are counted in the report.
#ifndef STAGGER_SCENES_TRAIN_LEARNER_H
#define STAGGER_SCENES_TRAIN_LEARNER_H

#include "ragdoll/skill/skill_network.h"
#include "sim/base/param.h"
#include "sim/base/state.h"

#define LEARNER_PARAMS(ROW, T)                                                                                         \
  ROW(T, INT, hidden_first, "256", 1, NETWORK_MAX_HIDDEN, "-", "Units in the first hidden layer of both networks.")    \
  ROW(T, INT, hidden_second, "128", 1, NETWORK_MAX_HIDDEN, "-", "Units in the second hidden layer of both networks.")  \
  ROW(T, INT, environments, "64", 1, 4096, "-", "Number of environments.")                                             \
  ROW(T, INT, horizon, "64", 1, 4096, "-", "Decisions in each environment before each learning.")                      \
  ROW(T, INT, epochs, "5", 1, 100, "-", "How often each sample is learnt from.")                                       \
  ROW(T, INT, minibatch, "1024", 8, 65536, "-", "Samples in one step of the weights.")                                 \
  ROW(T, REAL, gamma, "0.98", 0, 0.9999, "-", "Discount of a reward for each decision that it lies ahead.")            \
  ROW(T, REAL, lambda, "0.95", 0, 1, "-", "Discount of later errors of the critic in the estimate of advantages.")     \
  ROW(T, REAL, clip, "0.2", 0.01, 1, "-", "Change of an action's likelihood beyond which it gains nothing more.")      \
  ROW(T, REAL, rate, "3e-4", 1e-6, 0.1, "-", "First step size.")                                                       \
  ROW(T, RANGE, rate_limits, "[2e-5, 2e-3]", 1e-7, 0.1, "-", "Limits of the step size.")                               \
  ROW(T, REAL, kl, "0.03", 1e-4, 1, "-",                                                                               \
      "Kullback-Leibler divergence from the policy that drew the actions, to which the step size is adapted.")         \
  ROW(T, REAL, deviation, "0.18", 1e-3, 10, "-", "First standard deviation of actions.")                               \
  ROW(T, RANGE, deviation_limits, "[0.08, 0.4]", 1e-3, 10, "-", "Limits of the standard deviation of actions.")        \
  ROW(T, REAL, bound, "0.001", 0, 10, "-", "Cost of the square of mean actions beyond +-2.")                           \
  ROW(T, REAL, entropy, "0", 0, 1, "-", "Gain for the logarithm of each standard deviation.")                          \
  ROW(T, REAL, gradient_norm, "1", 1e-3, 1e6, "-", "Longer gradients of a network are shortened to this.")             \
  ROW(T, REAL, normalization_samples, "2e7", 1, 1e12, "-",                                                             \
      "Samples after which the mean and scale of inputs stay as they are.")                                            \
  ROW(T, REAL, given_samples, "1e6", 1, 1e12, "-",                                                                     \
      "Samples for which the mean and scale of a network that is given at the start count.")

typedef struct LearnerDef {
  LEARNER_PARAMS(PARAM_FIELD, LearnerDef)
} LearnerDef;

extern const ParamTable learner_params;

typedef struct LearningStep {
  float reward; // about 0 to 1
  bool ended;   // the episode ends with this decision
  bool failed;  // with `ended`: nothing follows. Otherwise the episode was cut short, and the critic says what would
                // follow
} LearningStep;

// Independent environments. The functions are called by several threads, for one environment by one thread at a time.
typedef struct LearningTask {
  int inputs, outputs, environments; // the last at least as many as the learner uses
  void *context;
  void (*begin_thread)(void *context); // once in each thread before its first environment, as ODE needs it; may be NULL
  void (*reset)(void *context, int environment, float inputs[]);                              // begins an episode
  LearningStep (*step)(void *context, int environment, const float action[], float inputs[]); // one decision
  void (*state)(void *context, int environment, StateStream *stream); // saves or restores an environment
} LearningTask;

typedef struct LearnerReport {
  int64_t samples;                 // so far
  int iterations;                  // so far
  int episodes, failures;          // that ended in this iteration, and those of them that failed
  double episode_length;           // mean of those, decisions
  double reward;                   // mean of a decision
  double kl, clipped;              // means over minibatches: divergence, and share of samples beyond the clip
  double value_loss;               // mean squared error of the critic, of rewards times (1 - gamma)
  double rate, deviation;          // step size, and mean standard deviation of actions, at the end
  int invalid, skipped;            // rewards, inputs and actions that were not finite, and minibatches left out
  double collecting_s, learning_s; // s of wall time
} LearnerReport;

typedef struct Learner Learner;

// Begins with random networks. The task's functions must outlive the learner; its environments are reset by the first
// iteration. threads: 1 or more. NULL with an error when numbers do not fit together, or memory or threads are out.
Learner *learner_create(const LearnerDef *def, const LearningTask *task, uint64_t seed, int threads, Error *error);
void learner_destroy(Learner *learner);

// Continues with an existing actor, before the first iteration. deviations: [outputs], limited as the definition says;
// NULL: as the definition says. critic: NULL for a fresh one; it sees its inputs through the actor's mean and scale.
bool learner_start_from(Learner *learner, const SkillNetwork *actor, const float deviations[],
                        const SkillNetwork *critic, Error *error);

// One iteration: collects environments x horizon samples, then learns from them. Always called by the same thread,
// which is one of those that work. All ranks get the same report.
void learner_iterate(Learner *learner, LearnerReport *report);

// Copies what rank 0 has learnt to all ranks, as each iteration does at its beginning.
void learner_share(Learner *learner);

// Before learner_state saves: rank 0 gets the states of the other ranks' environments. An error is that of rank 0.
bool learner_gather(Learner *learner, Error *error);

// The networks at present; valid until the next iteration changes them. The critic has the same inputs and one output.
// On other ranks than 0 they are those of the last learner_share.
const SkillNetwork *learner_network(const Learner *learner);
const SkillNetwork *learner_critic(const Learner *learner);

// Standard deviation of an output's actions.
double learner_deviation(const Learner *learner, int output);

// Saves or restores all on which the future depends, between iterations, the environments included. Only rank 0 saves;
// all ranks restore. To be restored in a learner of the same definition and task; the uninterrupted run and the
// continued one are equal to the bit. After an error the learner is to be destroyed.
void learner_state(Learner *learner, StateStream *stream);

#endif
