// What a planner has learnt, as a small readable file: the table, and where it comes from.
#ifndef STAGGER_ANIM_PLANNER_POLICY_H
#define STAGGER_ANIM_PLANNER_POLICY_H

#include "anim/planner/planner.h"

enum { POLICY_MAX_INPUTS = 64, POLICY_MAX_POINTS = 64, POLICY_NAME_SIZE = 128 };

// A file that the table was learnt with.
typedef struct PolicyInput {
  char name[POLICY_NAME_SIZE];
  uint64_t hash; // of its bytes, FNV-1a
} PolicyInput;

// How good the table was on fields on which it is not trained, after so many decisions.
typedef struct PolicyPoint {
  long decisions, episodes;
  double success, touched; // shares of the fields
  double path;             // length of the way over the shortest one, of those that succeeded; 0: none did
  double reward;           // mean a decision since the point before
} PolicyPoint;

typedef struct Policy {
  bool direct; // over the whole state
  QTable table;
  char planner[POLICY_NAME_SIZE], scene[POLICY_NAME_SIZE], version[POLICY_NAME_SIZE];
  int seed;
  long decisions, episodes; // so far
  long planned;             // decisions in all
  double reward_sum;        // since the last point of the curve
  long reward_count;
  PolicyInput inputs[POLICY_MAX_INPUTS];
  int input_count;
  PolicyPoint curve[POLICY_MAX_POINTS];
  int point_count;
} Policy;

// An empty table of the planner's size. False: no memory. Free with policy_free.
bool policy_init(Policy *policy, const PlannerDef *def, bool direct);
void policy_free(Policy *policy);

// Reads a policy from a text that is called `name` in errors. Errors: those of YAML, a table of other states or actions
// than the planner has, numbers out of range, rows out of order. Values come back to the last bit.
bool policy_read(Policy *policy, const PlannerDef *def, const char *name, const char *text, Error *error);

// The text. The caller frees it; NULL: no memory.
char *policy_write(const Policy *policy, const PlannerDef *def);

uint64_t policy_hash(const char *bytes, size_t size);

#endif
