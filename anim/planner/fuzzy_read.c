// Reads fuzzy controllers (format: scenes/planners/README.md).
#include <stdio.h>
#include <string.h>

#include "anim/planner/fuzzy.h"

static bool is_kind(const Node *node, NodeKind kind, const char *expected, Error *error) {
  if (node->kind == kind)
    return true;
  return node_error(node, error, "expected %s", expected);
}

static const Node *required(const Node *map, const char *key, NodeKind kind, const char *expected, Error *error) {
  const Node *node = node_find(map, key);
  if (!node) {
    node_error(map, error, "'%s' is missing here", key);
    return NULL;
  }
  return is_kind(node, kind, expected, error) ? node : NULL;
}

static bool read_name(const Node *node, char name[FUZZY_NAME_SIZE], Error *error) {
  if (!node_check_name(node, node->key, error))
    return false;
  if (snprintf(name, FUZZY_NAME_SIZE, "%s", node->key) < FUZZY_NAME_SIZE)
    return true;
  return node_key_error(node, error, "the name is too long; at most %d characters", FUZZY_NAME_SIZE - 1);
}

// Reads one of several words.
static bool read_choice(const Node *map, const char *key, const char *const *words, int *choice, Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return true;
  for (int i = 0; i < 2; i++)
    if (node->kind == NODE_SCALAR && strcmp(node->text, words[i]) == 0) {
      *choice = i;
      return true;
    }
  return node_error(node, error, "'%s' must be %s or %s", key, words[0], words[1]);
}

// ---- Variables and their terms ----

static bool read_shape(const Node *node, FuzzyTerm *term, Error *error) {
  double *c = term->corners;
  if (node->kind != NODE_LIST || (node->count != 3 && node->count != 4))
    return node_error(node, error, "expected the corners of a triangle or trapezoid, three or four numbers that rise");
  if (!node_reals(node, c, node->count, error))
    return false;
  if (node->count == 3) {
    c[3] = c[2];
    c[2] = c[1];
  }
  if (c[0] <= c[1] && c[1] <= c[2] && c[2] <= c[3] && c[0] < c[3])
    return true;
  return node_error(node, error, "the corners of a term must rise");
}

static bool read_number(const Node *node, FuzzyTerm *term, Error *error) {
  double value;
  if (node->kind != NODE_SCALAR)
    return node_error(node, error, "the terms of an output are numbers with 'method: sugeno', shapes with 'mamdani'");
  if (!node_real(node, &value, error))
    return false;
  for (int i = 0; i < 4; i++)
    term->corners[i] = value;
  return true;
}

static bool read_terms(const Node *map, FuzzyVariable *variable, bool shapes, Error *error) {
  const Node *terms = required(map, "terms", NODE_MAP, "a map of terms", error);
  if (!terms)
    return false;
  if (terms->count < 1 || terms->count > FUZZY_MAX_TERMS)
    return node_error(terms, error, "expected 1 to %d terms", FUZZY_MAX_TERMS);
  for (const Node *item = terms->first; item; item = item->next) {
    FuzzyTerm *term = &variable->terms[variable->term_count++];
    if (!read_name(item, term->name, error))
      return false;
    if (strcmp(term->name, "not") == 0)
      return node_key_error(item, error, "'not' cannot be the name of a term");
    if (!(shapes ? read_shape(item, term, error) : read_number(item, term, error)))
      return false;
    if (term->corners[3] < variable->range[0] || term->corners[0] > variable->range[1])
      return node_error(item, error, "the term lies outside of the range %g .. %g", variable->range[0],
                        variable->range[1]);
  }
  return true;
}

static bool read_variable(const Node *node, FuzzyVariable *variable, bool output, bool shapes, Error *error) {
  static const char *const input_keys[] = {"range", "unit", "terms", NULL};
  static const char *const output_keys[] = {"range", "unit", "terms", "fallback", NULL};
  if (!is_kind(node, NODE_MAP, "a map with range and terms", error) ||
      !node_check_keys(node, output ? output_keys : input_keys, error) || !read_name(node, variable->name, error))
    return false;
  const Node *range = required(node, "range", NODE_LIST, "[lowest, highest]", error), *unit = node_find(node, "unit");
  const Node *fallback = node_find(node, "fallback");
  if (!range || !node_reals(range, variable->range, 2, error))
    return false;
  if (variable->range[0] >= variable->range[1])
    return node_error(range, error, "the range must rise");
  if (unit && !node_text(unit, variable->unit, sizeof variable->unit, error))
    return false;
  if (fallback && !node_real(fallback, &variable->fallback, error))
    return false;
  return read_terms(node, variable, shapes, error);
}

static bool read_variables(const Node *map, const char *key, bool shapes, FuzzyVariable *variables, int *count,
                           Error *error) {
  const Node *list = required(map, key, NODE_MAP, "a map of variables", error);
  if (!list)
    return false;
  if (list->count < 1 || list->count > FUZZY_MAX_VARIABLES)
    return node_error(list, error, "expected 1 to %d %s", FUZZY_MAX_VARIABLES, key);
  for (const Node *item = list->first; item; item = item->next)
    if (!read_variable(item, &variables[(*count)++], strcmp(key, "outputs") == 0, shapes, error))
      return false;
  return true;
}

// ---- Rules ----

static int find_term(const FuzzyVariable *variable, const Node *node, const char *word, Error *error) {
  const char *names[FUZZY_MAX_TERMS];
  for (int i = 0; i < variable->term_count; i++) {
    names[i] = variable->terms[i].name;
    if (strcmp(names[i], word) == 0)
      return i;
  }
  node_error(node, error, "'%s' has no term '%s'%s", variable->name, word,
             name_hint(word, names, variable->term_count).text);
  return -1;
}

static int find_variable(const FuzzyVariable *variables, int count, const Node *item, Error *error) {
  const char *names[FUZZY_MAX_VARIABLES + 1] = {NULL};
  for (int i = 0; i < count; i++) {
    names[i] = variables[i].name;
    if (strcmp(names[i], item->key) == 0)
      return i;
  }
  node_key_error(item, error, "unknown variable '%s'%s", item->key, name_hint(item->key, names, count).text);
  return -1;
}

// Reads a clause: "left", "not left" or [left, hard_left].
static bool read_clause(const FuzzyController *fuzzy, const Node *item, FuzzyClause *clause, Error *error) {
  clause->input = find_variable(fuzzy->inputs, fuzzy->input_count, item, error);
  if (clause->input < 0)
    return false;
  if (item->kind == NODE_MAP)
    return node_error(item, error, "expected a term, 'not' a term, or a list of terms");
  const FuzzyVariable *variable = &fuzzy->inputs[clause->input];
  for (const Node *word = item->kind == NODE_LIST ? item->first : item; word;
       word = item->kind == NODE_LIST ? word->next : NULL) {
    if (!is_kind(word, NODE_SCALAR, "a term", error))
      return false;
    clause->negated = item->kind == NODE_SCALAR && strncmp(word->text, "not ", 4) == 0;
    int term = find_term(variable, word, word->text + (clause->negated ? 4 : 0), error);
    if (term < 0)
      return false;
    clause->terms |= 1u << term;
  }
  return true;
}

static bool read_conclusions(const FuzzyController *fuzzy, const Node *then, FuzzyRule *rule, Error *error) {
  for (int i = 0; i < FUZZY_MAX_VARIABLES; i++)
    rule->conclusions[i] = -1;
  if (then->count == 0)
    return node_error(then, error, "a rule must set a term of an output");
  for (const Node *item = then->first; item; item = item->next) {
    int output = find_variable(fuzzy->outputs, fuzzy->output_count, item, error);
    if (output < 0 || !is_kind(item, NODE_SCALAR, "a term", error))
      return false;
    rule->conclusions[output] = find_term(&fuzzy->outputs[output], item, item->text, error);
    if (rule->conclusions[output] < 0)
      return false;
  }
  return true;
}

static bool read_rule(FuzzyController *fuzzy, const Node *node, Error *error) {
  static const char *const keys[] = {"name", "if", "then", "weight", NULL};
  FuzzyRule *rule = &fuzzy->rules[fuzzy->rule_count];
  snprintf(rule->name, sizeof rule->name, "rule_%d", ++fuzzy->rule_count);
  rule->weight = 1;
  if (!is_kind(node, NODE_MAP, "a rule: {if: {...}, then: {...}}", error) || !node_check_keys(node, keys, error))
    return false;
  const Node *name = node_find(node, "name"), *weight = node_find(node, "weight");
  const Node *condition = required(node, "if", NODE_MAP, "a map of inputs and terms", error);
  const Node *then = condition ? required(node, "then", NODE_MAP, "a map of outputs and terms", error) : NULL;
  if (!then)
    return false;
  if (name && !node_text(name, rule->name, sizeof rule->name, error))
    return false;
  if (weight && !node_real(weight, &rule->weight, error))
    return false;
  if (rule->weight <= 0 || rule->weight > 1)
    return node_error(weight, error, "a weight must be above 0 and at most 1");
  for (const Node *item = condition->first; item; item = item->next)
    if (!read_clause(fuzzy, item, &rule->clauses[rule->clause_count++], error))
      return false;
  return read_conclusions(fuzzy, then, rule, error);
}

// A term that no rule uses is an error: most likely its name is misspelt in a rule.
static bool check_terms(const FuzzyController *fuzzy, const Node *map, Error *error) {
  for (int v = 0; v < fuzzy->input_count; v++) {
    unsigned used = 0;
    for (int r = 0; r < fuzzy->rule_count; r++)
      for (int c = 0; c < fuzzy->rules[r].clause_count; c++)
        used |= fuzzy->rules[r].clauses[c].input == v ? fuzzy->rules[r].clauses[c].terms : 0;
    const Node *variable = node_find(node_find(map, "inputs"), fuzzy->inputs[v].name);
    for (int t = 0; t < fuzzy->inputs[v].term_count; t++)
      if (!(used >> t & 1u))
        return node_key_error(node_find(node_find(variable, "terms"), fuzzy->inputs[v].terms[t].name), error,
                              "no rule asks for the term '%s'", fuzzy->inputs[v].terms[t].name);
  }
  return true;
}

bool fuzzy_read(FuzzyController *fuzzy, const Node *map, Error *error) {
  static const char *const keys[] = {"method", "and", "inputs", "outputs", "rules", NULL};
  static const char *const methods[] = {"sugeno", "mamdani"}, *const conjunctions[] = {"min", "product"};
  int method = FUZZY_SUGENO, conjunction = FUZZY_MIN;
  *fuzzy = (FuzzyController){0};
  if (!is_kind(map, NODE_MAP, "a fuzzy controller", error) || !node_check_keys(map, keys, error) ||
      !read_choice(map, "method", methods, &method, error) ||
      !read_choice(map, "and", conjunctions, &conjunction, error))
    return false;
  fuzzy->method = (FuzzyMethod)method;
  fuzzy->conjunction = (FuzzyAnd)conjunction;
  if (!read_variables(map, "inputs", true, fuzzy->inputs, &fuzzy->input_count, error) ||
      !read_variables(map, "outputs", method == FUZZY_MAMDANI, fuzzy->outputs, &fuzzy->output_count, error))
    return false;
  const Node *rules = required(map, "rules", NODE_LIST, "a list of rules", error);
  if (!rules)
    return false;
  if (rules->count < 1 || rules->count > FUZZY_MAX_RULES)
    return node_error(rules, error, "expected 1 to %d rules", FUZZY_MAX_RULES);
  for (const Node *rule = rules->first; rule; rule = rule->next)
    if (!read_rule(fuzzy, rule, error))
      return false;
  return check_terms(fuzzy, map, error);
}
