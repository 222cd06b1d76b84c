// Reads, checks, writes, compares and copies structs by means of their parameter tables.
#include "sim/base/param.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 256 }; // rows of a table and other keys

static const char *const NO_KEYS[] = {NULL};

// The length of the choice at `text` in "a|b|c".
static size_t choice_length(const char *text) { return strcspn(text, "|"); }

static const char *choice_next(const char *text) {
  text += choice_length(text);
  return *text == '|' ? text + 1 : text;
}

// The index of a name among the choices, -1 when it is not one of them.
static int choice_find(const char *choices, const char *name) {
  int index = 0;
  for (const char *choice = choices; *choice != '\0'; choice = choice_next(choice), index++)
    if (strlen(name) == choice_length(choice) && strncmp(name, choice, choice_length(choice)) == 0)
      return index;
  return -1;
}

// The allowed values of a row, as the end of a sentence: "0.0001 to 0.02 s".
static void describe_allowed(const Param *row, char *text, size_t size) {
  bool has_unit = row->unit[0] != '\0' && strcmp(row->unit, "-") != 0;
  const char *gap = has_unit ? " " : "", *unit = has_unit ? row->unit : "";
  switch (row->type) {
  case PARAM_BOOL:
    snprintf(text, size, "true and false");
    break;
  case PARAM_INT:
    snprintf(text, size, "whole numbers from %.10g to %.10g%s%s", row->min, row->max, gap, unit);
    break;
  case PARAM_REAL:
    snprintf(text, size, "%.10g to %.10g%s%s", row->min, row->max, gap, unit);
    break;
  case PARAM_RANGE:
    snprintf(text, size, "a number or [low, high], from %.10g to %.10g%s%s", row->min, row->max, gap, unit);
    break;
  case PARAM_VECTOR:
    snprintf(text, size, "[x, y, z], each from %.10g to %.10g%s%s", row->min, row->max, gap, unit);
    break;
  case PARAM_CHOICE:
    text[0] = '\0';
    for (const char *choice = row->unit; *choice != '\0'; choice = choice_next(choice)) {
      size_t length = strlen(text);
      snprintf(text + length, size - length, "%s%.*s", length > 0 ? ", " : "", (int)choice_length(choice), choice);
    }
    break;
  case PARAM_TEXT:
    snprintf(text, size, "texts of at most %d bytes", PARAM_TEXT_SIZE - 1);
    break;
  }
}

// The value as the user has written it, shortened; lists of plain values in full, since rows accept these.
static void describe_value(const Node *node, char *text, size_t size) {
  if (node->kind == NODE_SCALAR) {
    const char *quote = node->quoted ? "\"" : "";
    snprintf(text, size, "%s%.60s%s", quote, node->text, quote);
    return;
  }
  bool is_short = node->kind == NODE_LIST && node->count <= 4;
  for (const Node *item = node->first; is_short && item; item = item->next)
    is_short = item->kind == NODE_SCALAR && strlen(item->text) <= 20;
  if (!is_short) {
    snprintf(text, size, node->kind == NODE_LIST ? "a list of %d" : "a map of %d", node->count);
    return;
  }
  size_t length = (size_t)snprintf(text, size, "[");
  for (const Node *item = node->first; item; item = item->next)
    length += (size_t)snprintf(text + length, size - length, "%s%s", item->text, item->next ? ", " : "");
  snprintf(text + length, size - length, "]");
}

// section: the prefix of the row's name in messages, "" at the top level.
static bool row_error(const char *section, const Param *row, const Node *node, Error *error) {
  char value[160], allowed[400];
  describe_value(node, value, sizeof value);
  describe_allowed(row, allowed, sizeof allowed);
  return node_error(node, error, "%s%s%s is %s, allowed are %s", section, section[0] != '\0' ? "." : "", row->name,
                    value, allowed);
}

// Reads `count` numbers within the row's limits; stores either all or none.
static bool read_numbers(const Param *row, double *field, int count, const Node *node) {
  double values[3];
  bool single = row->type == PARAM_REAL || (row->type == PARAM_RANGE && node->kind == NODE_SCALAR);
  if (single ? !node_real(node, values, NULL) : !node_reals(node, values, count, NULL))
    return false;
  for (int i = 1; single && i < count; i++)
    values[i] = values[0];
  for (int i = 0; i < count; i++)
    if (values[i] < row->min || values[i] > row->max)
      return false;
  memcpy(field, values, (size_t)count * sizeof *field);
  return true;
}

static bool read_row(const char *section, const Param *row, void *values, const Node *node, Error *error) {
  char *field = (char *)values + row->offset;
  bool ok = false;
  switch (row->type) {
  case PARAM_BOOL:
    ok = node_bool(node, (bool *)field, NULL);
    break;
  case PARAM_INT: {
    int value;
    ok = node_int(node, &value, NULL) && value >= row->min && value <= row->max;
    if (ok)
      memcpy(field, &value, sizeof value);
    break;
  }
  case PARAM_REAL:
    ok = read_numbers(row, (double *)(void *)field, 1, node);
    break;
  case PARAM_RANGE: {
    double range[2];
    ok = read_numbers(row, range, 2, node);
    if (ok && range[0] > range[1])
      return node_error(node, error, "%s%s%s is [%.10g, %.10g], but low must not be above high", section,
                        section[0] != '\0' ? "." : "", row->name, range[0], range[1]);
    if (ok)
      memcpy(field, range, sizeof range);
    break;
  }
  case PARAM_VECTOR:
    ok = read_numbers(row, (double *)(void *)field, 3, node);
    break;
  case PARAM_CHOICE: {
    int index = node->kind == NODE_SCALAR ? choice_find(row->unit, node->text) : -1;
    ok = index >= 0;
    if (ok)
      memcpy(field, &index, sizeof index);
    break;
  }
  case PARAM_TEXT:
    ok = node_text(node, field, PARAM_TEXT_SIZE, NULL);
    break;
  }
  return ok || row_error(section, row, node, error);
}

bool param_read_row(const Param *row, void *values, const Node *node, Error *error) {
  return read_row("", row, values, node, error);
}

// The value of a row by default, as if read from a file: a number or a word, "" for an empty text, or a list of up to
// three numbers. Nothing is allocated, so that it never fails.
typedef struct DefaultValue {
  char text[64];
  Node value, items[4];
} DefaultValue;

static const Node *default_value(const Param *row, DefaultValue *made) {
  const char *text = row->default_text;
  const bool is_list = text[0] == '[', is_empty = strcmp(text, "\"\"") == 0;
  snprintf(made->text, sizeof made->text, "%s", is_empty ? "" : text);
  made->value = (Node){.kind = is_list ? NODE_LIST : NODE_SCALAR, .file = "", .text = made->text, .quoted = is_empty};
  Node **next = &made->value.first;
  char *rest = made->text;
  for (char *item; is_list && made->value.count < 4 && (item = strtok_r(rest, "[, ]", &rest));) {
    made->items[made->value.count] = (Node){.file = "", .text = item};
    *next = &made->items[made->value.count++];
    next = &(*next)->next;
  }
  return &made->value;
}

void param_defaults(const ParamTable *table, void *values) {
  for (int i = 0; i < table->count; i++) {
    const Param *row = &table->rows[i];
    DefaultValue made;
    Error error = {0};
    bool ok = read_row(table->name, row, values, default_value(row, &made), &error);
    if (!ok) // an error in a table of our own source
      fprintf(stderr, "default of %s: %s\n", row->name, error.text);
    assert(ok);
  }
}

const Param *param_find(const ParamTable *table, const char *name) {
  for (int i = 0; i < table->count; i++)
    if (strcmp(table->rows[i].name, name) == 0)
      return &table->rows[i];
  return NULL;
}

bool param_read(const ParamTable *table, void *values, const Node *map, const char *const *other_keys, Error *error) {
  if (!map || (map->kind == NODE_SCALAR && map->text[0] == '\0')) // absent, or `world:` without content
    return true;
  const char *keys[MOST_KEYS + 1];
  int count = 0;
  for (int i = 0; i < table->count && count < MOST_KEYS; i++)
    keys[count++] = table->rows[i].name;
  for (const char *const *key = other_keys ? other_keys : NO_KEYS; *key && count < MOST_KEYS; key++)
    keys[count++] = *key;
  assert(count < MOST_KEYS);
  keys[count] = NULL;
  bool good = node_check_keys(map, keys, error);
  if (!good && !error_next(error))
    return false;
  for (const Node *child = map->first; child; child = child->next) {
    const Param *row = param_find(table, child->key);
    if (!row || read_row(table->name, row, values, child, error))
      continue;
    good = false;
    if (!error_next(error))
      return false;
  }
  return good;
}

bool param_read_section(const ParamTable *table, void *values, const Node *map, Error *error) {
  const Node *node = node_find(map, table->name);
  param_defaults(table, values);
  if (node && node->kind != NODE_MAP)
    return node_error(node, error, "'%s' must be a map of keys and values", table->name);
  return param_read(table, values, node, NULL, error);
}

size_t param_size(const Param *row) {
  static const size_t sizes[] = {
      [PARAM_BOOL] = sizeof(bool),        [PARAM_INT] = sizeof(int),           [PARAM_REAL] = sizeof(double),
      [PARAM_RANGE] = 2 * sizeof(double), [PARAM_VECTOR] = 3 * sizeof(double), [PARAM_CHOICE] = sizeof(int),
      [PARAM_TEXT] = PARAM_TEXT_SIZE,
  };
  return sizes[row->type];
}

bool param_is_equal(const Param *row, const void *a, const void *b) {
  const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
  return row->type == PARAM_TEXT ? strcmp(x, y) == 0 : memcmp(x, y, param_size(row)) == 0;
}

void param_copy(const Param *row, void *to, const void *from) {
  memcpy((char *)to + row->offset, (const char *)from + row->offset, param_size(row));
}

// The shortest text that reads back as the same number.
static void write_real(double value, char *text, size_t size) {
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      return;
  }
}

// Writes a text in double quotes, with special characters escaped.
static void write_text(const char *value, char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, "\"");
  for (const char *c = value; *c != '\0' && length < size; c++) {
    const char *format = *c == '"' || *c == '\\' ? "\\%c" : (unsigned char)*c < ' ' || *c == 0x7f ? "\\x%02x" : "%c";
    length += (size_t)snprintf(text + length, size - length, format, *c);
  }
  if (length < size)
    snprintf(text + length, size - length, "\"");
}

void param_write_row(const Param *row, const void *values, char *text, size_t size) {
  const void *field = (const char *)values + row->offset;
  char number[3][32];
  int count = row->type == PARAM_REAL ? 1 : row->type == PARAM_RANGE ? 2 : row->type == PARAM_VECTOR ? 3 : 0;
  for (int i = 0; i < count; i++)
    write_real(((const double *)field)[i], number[i], sizeof number[i]);
  switch (row->type) {
  case PARAM_BOOL:
    snprintf(text, size, "%s", *(const bool *)field ? "true" : "false");
    break;
  case PARAM_INT:
    snprintf(text, size, "%d", *(const int *)field);
    break;
  case PARAM_REAL:
    snprintf(text, size, "%s", number[0]);
    break;
  case PARAM_RANGE:
    snprintf(text, size, "[%s, %s]", number[0], number[1]);
    break;
  case PARAM_VECTOR:
    snprintf(text, size, "[%s, %s, %s]", number[0], number[1], number[2]);
    break;
  case PARAM_CHOICE: {
    const char *choice = row->unit;
    for (int i = *(const int *)field; i > 0 && *choice != '\0'; i--)
      choice = choice_next(choice);
    snprintf(text, size, "%.*s", (int)choice_length(choice), choice);
    break;
  }
  case PARAM_TEXT:
    write_text(field, text, size);
    break;
  }
}
