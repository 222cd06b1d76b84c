// Evaluates fuzzy rules by Mamdani's or Sugeno's method: memberships of the inputs, strengths of the rules, and the
// resulting outputs.
#include "anim/planner/fuzzy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fuzzy_output(const FuzzyController *fuzzy, const char *name) {
  for (int i = 0; i < fuzzy->output_count; i++)
    if (strcmp(fuzzy->outputs[i].name, name) == 0)
      return i;
  return -1;
}

double fuzzy_membership(const FuzzyTerm *term, double value) {
  const double *c = term->corners;
  if (value < c[0] || value > c[3])
    return 0;
  if (value < c[1])
    return (value - c[0]) / (c[1] - c[0]);
  if (value > c[2])
    return (c[3] - value) / (c[3] - c[2]);
  return 1;
}

static double clause_strength(const FuzzyClause *clause, const FuzzyVariable *variable, double value) {
  double strength = 0;
  for (int i = 0; i < variable->term_count; i++)
    if (clause->terms >> i & 1u)
      strength = fmax(strength, fuzzy_membership(&variable->terms[i], value));
  return clause->negated ? 1 - strength : strength;
}

static double rule_strength(const FuzzyController *fuzzy, const FuzzyRule *rule, const double *inputs) {
  double strength = 1;
  for (int i = 0; i < rule->clause_count; i++) {
    const FuzzyClause *clause = &rule->clauses[i];
    const FuzzyVariable *variable = &fuzzy->inputs[clause->input];
    // NaN gives the lower end
    double value = fmin(fmax(inputs[clause->input], variable->range[0]), variable->range[1]);
    double one = clause_strength(clause, variable, value);
    strength = fuzzy->conjunction == FUZZY_MIN ? fmin(strength, one) : strength * one;
  }
  return strength * rule->weight;
}

static double weighted_mean(const FuzzyController *fuzzy, int output, const double *strengths) {
  const FuzzyVariable *variable = &fuzzy->outputs[output];
  double sum = 0, weights = 0;
  for (int i = 0; i < fuzzy->rule_count; i++) {
    int term = fuzzy->rules[i].conclusions[output];
    if (term < 0)
      continue;
    sum += strengths[i] * variable->terms[term].corners[0];
    weights += strengths[i];
  }
  return weights > 0 ? sum / weights : variable->fallback;
}

// The centroid of the union of clipped terms, by the trapezoidal rule over the output's range.
static double centroid(const FuzzyController *fuzzy, int output, const double *strengths) {
  enum { SAMPLES = 200 };
  const FuzzyVariable *variable = &fuzzy->outputs[output];
  double cut[FUZZY_MAX_TERMS] = {0}, moment = 0, area = 0;
  for (int i = 0; i < fuzzy->rule_count; i++) {
    int term = fuzzy->rules[i].conclusions[output];
    if (term >= 0)
      cut[term] = fmax(cut[term], strengths[i]);
  }
  for (int k = 0; k <= SAMPLES; k++) {
    double x = variable->range[0] + (variable->range[1] - variable->range[0]) * k / SAMPLES, height = 0;
    for (int i = 0; i < variable->term_count; i++)
      height = fmax(height, fmin(cut[i], fuzzy_membership(&variable->terms[i], x)));
    height *= k == 0 || k == SAMPLES ? 0.5 : 1;
    moment += height * x;
    area += height;
  }
  return area > 0 ? moment / area : variable->fallback;
}

void fuzzy_evaluate(const FuzzyController *fuzzy, const double *inputs, double *outputs, double *strengths) {
  for (int i = 0; i < fuzzy->rule_count; i++)
    strengths[i] = rule_strength(fuzzy, &fuzzy->rules[i], inputs);
  for (int i = 0; i < fuzzy->output_count; i++)
    outputs[i] = fuzzy->method == FUZZY_SUGENO ? weighted_mean(fuzzy, i, strengths) : centroid(fuzzy, i, strengths);
}

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

const char *fuzzy_rule_text(const FuzzyController *fuzzy, int index, char *text, size_t size) {
  const FuzzyRule *rule = &fuzzy->rules[index];
  text[0] = '\0';
  for (int i = 0; i < rule->clause_count; i++) {
    const FuzzyClause *clause = &rule->clauses[i];
    const FuzzyVariable *variable = &fuzzy->inputs[clause->input];
    append(text, size, "%s%s is%s", i == 0 ? "if " : " and ", variable->name, clause->negated ? " not" : "");
    const char *joint = " ";
    for (int t = 0; t < variable->term_count; t++)
      if (clause->terms >> t & 1u) {
        append(text, size, "%s%s", joint, variable->terms[t].name);
        joint = " or ";
      }
  }
  const char *joint = rule->clause_count > 0 ? " then " : "";
  for (int o = 0; o < fuzzy->output_count; o++)
    if (rule->conclusions[o] >= 0) {
      const FuzzyVariable *variable = &fuzzy->outputs[o];
      append(text, size, "%s%s is %s", joint, variable->name, variable->terms[rule->conclusions[o]].name);
      joint = ", ";
    }
  if (rule->weight < 1)
    append(text, size, " (weight %g)", rule->weight);
  return text;
}
