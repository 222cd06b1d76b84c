// What a planner has learnt, as a small readable file: the table and its origin.
#ifndef STAGGER_ANIM_PLANNER_POLICY_H
#define STAGGER_ANIM_PLANNER_POLICY_H

#include "anim/planner/planner.h"

enum { POLICY_MAX_INPUTS = 64, POLICY_MAX_POINTS = 64, POLICY_NAME_SIZE = 128 };

// A file with which the table was learnt.
typedef struct PolicyInput {
  char name[POLICY_NAME_SIZE];
  uint64_t hash; // of its bytes, FNV-1a
} PolicyInput;

// The table's performance on fields that are not used for training, after a number of decisions.
typedef struct PolicyPoint {
  long decisions, episodes;
  double success, touched; // shares of the fields
  double path;             // length of the path relative to the shortest one, mean of the successes; 0: there were none
  double reward;           // mean reward of a decision since the last point
} PolicyPoint;

typedef struct Policy {
  bool direct; // the table is one over the whole state
  QTable table;
  char planner[POLICY_NAME_SIZE], scene[POLICY_NAME_SIZE], version[POLICY_NAME_SIZE];
  int seed;
  long decisions, episodes; // so far
  long planned;             // number of decisions of the complete training
  double reward_sum;        // sum since the last point of the curve
  long reward_count;
  PolicyInput inputs[POLICY_MAX_INPUTS];
  int input_count;
  PolicyPoint curve[POLICY_MAX_POINTS];
  int point_count;
} Policy;

// An empty table of the planner's size. False: no memory. Free with policy_free.
bool policy_init(Policy *policy, const PlannerDef *def, bool direct);
void policy_free(Policy *policy);

// Reads a policy from a text; `name` is its name in errors. Errors: those of YAML, a table with other states or actions
// than the planner has, numbers out of range, rows out of order. Values are restored to the last bit.
bool policy_read(Policy *policy, const PlannerDef *def, const char *name, const char *text, Error *error);

// The policy as text, which the caller frees. NULL: no memory.
char *policy_write(const Policy *policy, const PlannerDef *def);

uint64_t policy_hash(const char *bytes, size_t size);

#endif
