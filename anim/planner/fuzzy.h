// A fuzzy controller: input numbers become memberships in named terms; rules such as "if way is left and ahead is near
// then turn is hard_left" give output numbers. There are two kinds, by `method`:
//   sugeno    outputs' terms are numbers; an output is their mean, weighted by the rules' strengths (Takagi and Sugeno
//             1985, of order zero)
//   mamdani   outputs' terms are shapes, cut off at the rules' strengths; an output is the centroid of their union
//             (Mamdani and Assilian 1975)
// The strength of a rule is the conjunction of its clauses, by `and`: their minimum or their product; times the rule's
// weight.
#ifndef STAGGER_ANIM_PLANNER_FUZZY_H
#define STAGGER_ANIM_PLANNER_FUZZY_H

#include "sim/base/document.h"

enum {
  FUZZY_NAME_SIZE = 32,
  FUZZY_MAX_VARIABLES = 12, // number of inputs, and of outputs
  FUZZY_MAX_TERMS = 12,     // of each variable
  FUZZY_MAX_RULES = 96,
};

// A trapezoid: 0 up to the first corner, 1 from the second to the third, 0 from the fourth on. Two equal corners make a
// step, four equal ones a single number.
typedef struct FuzzyTerm {
  char name[FUZZY_NAME_SIZE];
  double corners[4];
} FuzzyTerm;

typedef struct FuzzyVariable {
  char name[FUZZY_NAME_SIZE], unit[FUZZY_NAME_SIZE];
  double range[2]; // inputs are clamped to it
  double fallback; // value of an output that no rule determines
  FuzzyTerm terms[FUZZY_MAX_TERMS];
  int term_count;
} FuzzyVariable;

// "way is left or hard_left": the maximum of the memberships; "way is not left": 1 minus the membership.
typedef struct FuzzyClause {
  int input;
  unsigned terms; // bit i: term i
  bool negated;
} FuzzyClause;

typedef struct FuzzyRule {
  char name[FUZZY_NAME_SIZE];
  FuzzyClause clauses[FUZZY_MAX_VARIABLES];
  int clause_count;
  int conclusions[FUZZY_MAX_VARIABLES]; // term of each output, -1: the rule does not affect it
  double weight;                        // 0 .. 1
} FuzzyRule;

typedef enum FuzzyMethod { FUZZY_SUGENO, FUZZY_MAMDANI } FuzzyMethod;
typedef enum FuzzyAnd { FUZZY_MIN, FUZZY_PRODUCT } FuzzyAnd;

// Immutable after it has been read.
typedef struct FuzzyController {
  FuzzyMethod method;
  FuzzyAnd conjunction;
  FuzzyVariable inputs[FUZZY_MAX_VARIABLES], outputs[FUZZY_MAX_VARIABLES];
  int input_count, output_count;
  FuzzyRule rules[FUZZY_MAX_RULES];
  int rule_count;
} FuzzyController;

// Reads a map with the keys method, and, inputs, outputs, rules (format: scenes/planners/README.md). Errors: terms that
// no rule uses, rules with unknown terms, corners that do not rise, shapes where numbers are expected and vice versa.
bool fuzzy_read(FuzzyController *fuzzy, const Node *map, Error *error);

// The index of the output with that name, -1 when there is none.
int fuzzy_output(const FuzzyController *fuzzy, const char *name);

// Membership of a value in a term, 0 .. 1.
double fuzzy_membership(const FuzzyTerm *term, double value);

// inputs: [input_count]; values that are not finite count as the range's lower end. outputs: [output_count]. strengths:
// of the rules, 0 .. 1, [rule_count].
void fuzzy_evaluate(const FuzzyController *fuzzy, const double *inputs, double *outputs, double *strengths);

// Writes the rule as a sentence; returns text.
const char *fuzzy_rule_text(const FuzzyController *fuzzy, int rule, char *text, size_t size);

#endif
