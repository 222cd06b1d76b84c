#include "anim/planner/policy.h"

#include <inttypes.h>
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

static void write_head(const Policy *policy, FILE *out) {
  fprintf(out,
          "# What `stagger train` learnt: written by it, read by planners. `values` are [action, value, visits].\n");
  fprintf(out, "policy: %s\n", policy->direct ? "direct" : "fuzzy");
  fprintf(out, "planner: %s\nscene: \"%s\"\nseed: %d\nversion: \"%s\"\n", policy->planner, policy->scene, policy->seed,
          policy->version);
  fprintf(out, "decisions: %ld\nplanned: %ld\nepisodes: %ld\nreward: [%.17g, %ld]\n", policy->decisions,
          policy->planned, policy->episodes, policy->reward_sum, policy->reward_count);
  fprintf(out, "inputs: # FNV-1a\n");
  for (int i = 0; i < policy->input_count; i++)
    fprintf(out, "  - {file: \"%s\", hash: \"%016" PRIx64 "\"}\n", policy->inputs[i].name, policy->inputs[i].hash);
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
  if (out == NULL)
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
  if (node == NULL)
    node_error(map, error, "'%s' is missing here", key);
  return node;
}

static bool read_text(const Node *map, const char *key, char text[POLICY_NAME_SIZE], Error *error) {
  const Node *node = required(map, key, error);
  return node != NULL && node_text(node, text, POLICY_NAME_SIZE, error);
}

static bool read_count(const Node *map, const char *key, long *count, Error *error) {
  const Node *node = required(map, key, error);
  int value;
  if (node == NULL || !node_int(node, &value, error))
    return false;
  *count = value;
  return value >= 0 || node_error(node, error, "'%s' must not be negative", key);
}

// The children of a list, which may be empty.
static bool read_list(const Node *map, const char *key, int most, const Node **first, Error *error) {
  const Node *node = required(map, key, error);
  if (node == NULL)
    return false;
  *first = NULL;
  bool empty = node->kind == NODE_SCALAR && node->text[0] == '\0';
  if (!empty && (node->kind != NODE_LIST || node->count > most))
    return node_error(node, error, "'%s' must be a list of at most %d items", key, most);
  *first = empty ? NULL : node->first;
  return true;
}

static bool read_inputs(Policy *policy, const Node *map, Error *error) {
  const Node *item = NULL;
  if (!read_list(map, "inputs", POLICY_MAX_INPUTS, &item, error))
    return false;
  for (; item != NULL; item = item->next) {
    PolicyInput *input = &policy->inputs[policy->input_count++];
    char hash[POLICY_NAME_SIZE];
    if (item->kind != NODE_MAP)
      return node_error(item, error, "expected {file, hash}");
    if (!read_text(item, "file", input->name, error) || !read_text(item, "hash", hash, error))
      return false;
    input->hash = strtoull(hash, NULL, 16);
  }
  return true;
}

static bool read_curve(Policy *policy, const Node *map, Error *error) {
  const Node *item = NULL;
  if (!read_list(map, "curve", POLICY_MAX_POINTS, &item, error))
    return false;
  for (; item != NULL; item = item->next) {
    double v[6];
    if (!node_reals(item, v, 6, error))
      return false;
    policy->curve[policy->point_count++] = (PolicyPoint){(long)v[0], (long)v[1], v[2], v[3], v[4], v[5]};
  }
  return true;
}

static bool read_head(Policy *policy, const Node *map, Error *error) {
  char kind[POLICY_NAME_SIZE];
  long seed;
  double reward[2];
  const Node *rewards = required(map, "reward", error);
  if (rewards == NULL || !node_reals(rewards, reward, 2, error) || !read_text(map, "policy", kind, error) ||
      !read_text(map, "planner", policy->planner, error) || !read_text(map, "scene", policy->scene, error) ||
      !read_text(map, "version", policy->version, error) || !read_count(map, "seed", &seed, error) ||
      !read_count(map, "decisions", &policy->decisions, error) ||
      !read_count(map, "planned", &policy->planned, error) || !read_count(map, "episodes", &policy->episodes, error))
    return false;
  policy->seed = (int)seed;
  policy->reward_sum = reward[0];
  policy->reward_count = (long)reward[1];
  policy->direct = strcmp(kind, "direct") == 0;
  if (!policy->direct && strcmp(kind, "fuzzy") != 0)
    return node_error(node_find(map, "policy"), error, "'policy' must be fuzzy or direct");
  return read_inputs(policy, map, error) && read_curve(policy, map, error);
}

static bool check_actions(const PlannerDef *def, const Node *map, Error *error) {
  const Node *list = required(map, "actions", error);
  if (list == NULL)
    return false;
  if (list->kind != NODE_LIST || list->count != planner_actions(def))
    return node_error(list, error, "the policy has other moves than the planner '%s', which has %d: train it anew",
                      def->name, planner_actions(def));
  int action = 0;
  char name[MOVES_NAME_SIZE + 16];
  for (const Node *item = list->first; item != NULL; item = item->next, action++) {
    planner_action_name(def, action, name, sizeof name);
    if (item->kind != NODE_SCALAR || strcmp(item->text, name) != 0)
      return node_error(item, error, "the policy's move %d is not the planner's, '%s': train it anew", action, name);
  }
  return true;
}

static bool read_row(Policy *policy, const Node *row, Error *error) {
  const Node *values = row->kind == NODE_MAP ? node_find(row, "values") : NULL;
  long state;
  if (values == NULL || values->kind != NODE_LIST)
    return node_error(row, error, "expected {state, is, best, values}");
  if (!read_count(row, "state", &state, error))
    return false;
  if (state >= policy->table.states)
    return node_error(row, error, "there are %d states", policy->table.states);
  for (const Node *item = values->first; item != NULL; item = item->next) {
    double v[3];
    if (!node_reals(item, v, 3, error))
      return false;
    if (!(v[0] >= 0 && v[0] < policy->table.actions && v[2] >= 0 && v[2] <= UINT32_MAX))
      return node_error(item, error, "expected [action, value, visits] of one of %d actions", policy->table.actions);
    *q_value(&policy->table, (int)state, (int)v[0]) = (float)v[1];
    *q_visits(&policy->table, (int)state, (int)v[0]) = (uint32_t)v[2];
  }
  return true;
}

static bool read_table(Policy *policy, const PlannerDef *def, const Node *map, Error *error) {
  const Node *states = required(map, "states", error), *row = NULL;
  int count;
  if (states == NULL || !node_int(states, &count, error) || !check_actions(def, map, error))
    return false;
  if (count != planner_states(def, policy->direct))
    return node_error(states, error, "the policy has %d states, the planner '%s' has %d: train it anew", count,
                      def->name, planner_states(def, policy->direct));
  if (!q_table_init(&policy->table, count, planner_actions(def)))
    return error_set(error, "no memory for a table of %d states", count);
  if (!read_list(map, "table", count, &row, error))
    return false;
  for (; row != NULL; row = row->next)
    if (!read_row(policy, row, error))
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
