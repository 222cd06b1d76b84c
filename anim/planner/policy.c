// Writes and reads what a planner has learnt: a small YAML file with the table, and hashes of the files that it was
// learnt with.
#include "anim/planner/policy.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_NAME_SIZE = 128 };

bool policy_init(Policy *policy, const PlannerDef *def, bool direct) {
  *policy = (Policy){.direct = direct};
  snprintf(policy->planner, sizeof policy->planner, "%s", def->name);
  return q_table_init(&policy->table, planner_states(def, direct), planner_actions(def));
}

void policy_free(Policy *policy) { q_table_free(&policy->table); }

uint64_t policy_hash(const char *bytes, size_t size) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash;
}

// ---- Writing ----

// Writes a text in double quotes. Characters that are not plain ASCII are escaped (YAML 1.1, 5.7); texts are UTF-8.
static void write_text(const char *key, const char *text, FILE *out) {
  fprintf(out, "%s: \"", key);
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
    if (*c >= ' ' && *c < 0x7f) {
      fprintf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
      c++;
      continue;
    }
    int more = *c < 0x80 ? 0 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : 3; // bytes that follow in the character
    uint32_t code = more > 0 ? *c & (0x3fu >> more) : *c;
    for (c++; more > 0 && (*c & 0xc0) == 0x80; more--)
      code = code << 6 | (*c++ & 0x3fu);
    fprintf(out, "\\U%08" PRIX32, code);
  }
  fprintf(out, "\"");
}

static void write_head(const Policy *policy, FILE *out) {
  fprintf(out,
          "# What `stagger train` learnt: written by it, read by planners. `values` are [action, value, visits].\n");
  fprintf(out, "policy: %s\n", policy->direct ? "direct" : "fuzzy");
  fprintf(out, "planner: %s\n", policy->planner);
  write_text("scene", policy->scene, out);
  fprintf(out, "\nseed: %d\n", policy->seed);
  write_text("version", policy->version, out);
  fprintf(out, "\ndecisions: %ld\nplanned: %ld\nepisodes: %ld\nreward: [%.17g, %ld]\n", policy->decisions,
          policy->planned, policy->episodes, policy->reward_sum, policy->reward_count);
  fprintf(out, "inputs: # FNV-1a\n");
  for (int i = 0; i < policy->input_count; i++) {
    write_text("  - {file", policy->inputs[i].name, out);
    fprintf(out, ", hash: \"%016" PRIx64 "\"}\n", policy->inputs[i].hash);
  }
  fprintf(out, "curve: # decisions, episodes, success, touched, path over shortest, reward a decision\n");
  for (int i = 0; i < policy->point_count; i++) {
    const PolicyPoint *p = &policy->curve[i];
    fprintf(out, "  - [%ld, %ld, %.17g, %.17g, %.17g, %.17g]\n", p->decisions, p->episodes, p->success, p->touched,
            p->path, p->reward);
  }
}

static void write_row(const Policy *policy, const PlannerDef *def, int state, FILE *out) {
  const QTable *table = &policy->table;
  char is[STATE_NAME_SIZE], action[MOVES_NAME_SIZE + 16];
  int best = -1, tried = 0;
  for (int a = 0; a < table->actions; a++)
    if (*q_visits(table, state, a) > 0 && (best < 0 || *q_value(table, state, a) > *q_value(table, state, best)))
      best = a;
  if (best < 0)
    return;
  planner_state_name(def, policy->direct, state, is, sizeof is);
  fprintf(out, "  - {state: %d, is: \"%s\", best: %s,\n     values: [", state, is,
          planner_action_name(def, best, action, sizeof action));
  for (int a = 0; a < table->actions; a++)
    if (*q_visits(table, state, a) > 0)
      fprintf(out, "%s[%d, %.9g, %u]", tried++ > 0 ? ", " : "", a, (double)*q_value(table, state, a),
              *q_visits(table, state, a));
  fprintf(out, "]}\n");
}

char *policy_write(const Policy *policy, const PlannerDef *def) {
  char *text = NULL, action[MOVES_NAME_SIZE + 16];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  write_head(policy, out);
  fprintf(out, "actions: # move/blend\n");
  for (int a = 0; a < policy->table.actions; a++)
    fprintf(out, "  - %s\n", planner_action_name(def, a, action, sizeof action));
  fprintf(out, "states: %d\ntable:\n", policy->table.states);
  for (int state = 0; state < policy->table.states; state++)
    write_row(policy, def, state, out);
  bool whole = !ferror(out);
  if (fclose(out) == 0 && whole)
    return text;
  free(text);
  return NULL;
}

// ---- Reading ----

static const Node *required(const Node *map, const char *key, Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    node_error(map, error, "'%s' is missing here", key);
  return node;
}

static bool read_text(const Node *map, const char *key, char text[POLICY_NAME_SIZE], Error *error) {
  const Node *node = required(map, key, error);
  return node && node_text(node, text, POLICY_NAME_SIZE, error);
}

// Reads an integer from 0 to `most`.
static bool read_count(const Node *map, const char *key, int most, int *count, Error *error) {
  const Node *node = required(map, key, error);
  if (!node || !node_int(node, count, error))
    return false;
  return (*count >= 0 && *count <= most) ||
         node_error(node, error, "'%s' must lie in 0 .. %d, not %d", key, most, *count);
}

static bool read_long(const Node *map, const char *key, long *count, Error *error) {
  int value;
  if (!read_count(map, key, INT_MAX, &value, error))
    return false;
  *count = value;
  return true;
}

// A number of a row: its name and its limits.
typedef struct Column {
  const char *name;
  double low, high;
  bool whole;
} Column;

static bool read_columns(const Node *list, const Column *columns, int count, double *values, Error *error) {
  if (!node_reals(list, values, count, error))
    return false;
  for (int i = 0; i < count; i++) {
    const Column *c = &columns[i];
    if (values[i] < c->low || values[i] > c->high || (c->whole && values[i] != floor(values[i])))
      return node_error(node_at(list, i), error, "the %s must be a %snumber in %.10g .. %.10g, not %.10g", c->name,
                        c->whole ? "whole " : "", c->low, c->high, values[i]);
  }
  return true;
}

// Gives the children of a list, which may be empty.
static bool read_list(const Node *map, const char *key, int most, const Node **first, Error *error) {
  const Node *node = required(map, key, error);
  if (!node)
    return false;
  *first = NULL;
  bool empty = node->kind == NODE_SCALAR && node->text[0] == '\0';
  if (!empty && (node->kind != NODE_LIST || node->count > most))
    return node_error(node, error, "'%s' must be a list of at most %d items", key, most);
  *first = empty ? NULL : node->first;
  return true;
}

// Reads sixteen hexadecimal digits.
static bool read_hash(const Node *map, uint64_t *hash, Error *error) {
  char text[POLICY_NAME_SIZE];
  if (!read_text(map, "hash", text, error))
    return false;
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return node_error(node_find(map, "hash"), error, "'hash' must be 16 digits of 0 to 9 and a to f");
  *hash = strtoull(text, NULL, 16);
  return true;
}

static bool read_inputs(Policy *policy, const Node *map, Error *error) {
  static const char *const keys[] = {"file", "hash", NULL};
  const Node *item = NULL;
  if (!read_list(map, "inputs", POLICY_MAX_INPUTS, &item, error))
    return false;
  for (; item; item = item->next) {
    PolicyInput *input = &policy->inputs[policy->input_count++];
    if (item->kind != NODE_MAP)
      return node_error(item, error, "expected {file, hash}");
    if (!node_check_keys(item, keys, error) || !read_text(item, "file", input->name, error) ||
        !read_hash(item, &input->hash, error))
      return false;
  }
  return true;
}

static bool read_curve(Policy *policy, const Node *map, Error *error) {
  static const Column columns[] = {{"decisions", 0, INT_MAX, true},
                                   {"episodes", 0, INT_MAX, true},
                                   {"share of successes", 0, 1, false},
                                   {"share of touches", 0, 1, false},
                                   {"path over the shortest", 0, DBL_MAX, false},
                                   {"reward", -DBL_MAX, DBL_MAX, false}};
  const Node *item = NULL;
  if (!read_list(map, "curve", POLICY_MAX_POINTS, &item, error))
    return false;
  for (; item; item = item->next) {
    double v[6];
    if (!read_columns(item, columns, 6, v, error))
      return false;
    policy->curve[policy->point_count++] = (PolicyPoint){(long)v[0], (long)v[1], v[2], v[3], v[4], v[5]};
  }
  return true;
}

static bool read_head(Policy *policy, const Node *map, Error *error) {
  static const Column columns[] = {{"sum of rewards", -DBL_MAX, DBL_MAX, false}, {"count of them", 0, INT_MAX, true}};
  char kind[POLICY_NAME_SIZE];
  double reward[2];
  const Node *rewards = required(map, "reward", error);
  if (!rewards || !read_columns(rewards, columns, 2, reward, error) || !read_text(map, "policy", kind, error) ||
      !read_text(map, "planner", policy->planner, error) ||
      !node_check_name(node_find(map, "planner"), policy->planner, error) ||
      !read_text(map, "scene", policy->scene, error) || !read_text(map, "version", policy->version, error) ||
      !read_count(map, "seed", INT_MAX, &policy->seed, error) ||
      !read_long(map, "decisions", &policy->decisions, error) || !read_long(map, "planned", &policy->planned, error) ||
      !read_long(map, "episodes", &policy->episodes, error))
    return false;
  policy->reward_sum = reward[0];
  policy->reward_count = (long)reward[1];
  policy->direct = strcmp(kind, "direct") == 0;
  if (!policy->direct && strcmp(kind, "fuzzy") != 0)
    return node_error(node_find(map, "policy"), error, "'policy' must be fuzzy or direct");
  return read_inputs(policy, map, error) && read_curve(policy, map, error);
}

static bool check_actions(const PlannerDef *def, const Node *map, Error *error) {
  const Node *list = required(map, "actions", error);
  if (!list)
    return false;
  if (list->kind != NODE_LIST || list->count != planner_actions(def))
    return node_error(list, error, "the policy has other moves than the planner '%s', which has %d: train it anew",
                      def->name, planner_actions(def));
  int action = 0;
  char name[MOVES_NAME_SIZE + 16];
  for (const Node *item = list->first; item; item = item->next, action++) {
    planner_action_name(def, action, name, sizeof name);
    if (item->kind != NODE_SCALAR || strcmp(item->text, name) != 0)
      return node_error(item, error, "the policy's move %d is not the planner's, '%s': train it anew", action, name);
  }
  return true;
}

// States rise from row to row, and actions rise within a row, so that none occurs twice.
static bool read_row(Policy *policy, const Node *row, int *last_state, Error *error) {
  static const char *const keys[] = {"state", "is", "best", "values", NULL};
  QTable *table = &policy->table;
  const Column columns[] = {
      {"action", 0, table->actions - 1, true}, {"value", -1e36, 1e36, false}, {"count of visits", 0, UINT32_MAX, true}};
  const Node *values = node_find(row, "values");
  int state, last_action = -1;
  if (!values || values->kind != NODE_LIST)
    return node_error(row, error, "expected {state, is, best, values: [[action, value, visits], ...]}");
  if (!node_check_keys(row, keys, error) || !read_count(row, "state", table->states - 1, &state, error))
    return false;
  if (state <= *last_state)
    return node_error(node_find(row, "state"), error, "states must rise, but %d follows %d", state, *last_state);
  *last_state = state;
  for (const Node *item = values->first; item; item = item->next) {
    double v[3];
    if (!read_columns(item, columns, 3, v, error))
      return false;
    const int action = (int)v[0];
    if (action <= last_action)
      return node_error(item->first, error, "actions must rise, but %d follows %d", action, last_action);
    last_action = action;
    *q_value(table, state, action) = (float)v[1];
    *q_visits(table, state, action) = (uint32_t)v[2];
  }
  return true;
}

static bool read_table(Policy *policy, const PlannerDef *def, const Node *map, Error *error) {
  const Node *states = required(map, "states", error), *row = NULL;
  int count, last_state = -1;
  if (!states || !node_int(states, &count, error) || !check_actions(def, map, error))
    return false;
  if (count != planner_states(def, policy->direct))
    return node_error(states, error, "the policy has %d states, the planner '%s' has %d: train it anew", count,
                      def->name, planner_states(def, policy->direct));
  if (!q_table_init(&policy->table, count, planner_actions(def)))
    return error_set(error, "no memory for a table of %d states", count);
  if (!read_list(map, "table", count, &row, error))
    return false;
  for (; row; row = row->next)
    if (!read_row(policy, row, &last_state, error))
      return false;
  return true;
}

bool policy_read(Policy *policy, const PlannerDef *def, const char *name, const char *text, Error *error) {
  static const char *const keys[] = {"policy",    "planner", "scene",    "seed",   "version",
                                     "decisions", "planned", "episodes", "reward", "inputs",
                                     "curve",     "actions", "states",   "table",  NULL};
  *policy = (Policy){0};
  Document document;
  if (!document_parse(&document, name, text, error))
    return false;
  bool good = node_check_keys(document.root, keys, error) && read_head(policy, document.root, error) &&
              read_table(policy, def, document.root, error);
  document_free(&document);
  if (!good)
    policy_free(policy);
  return good;
}
