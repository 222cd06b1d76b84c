// Looks up nodes in a document's tree, and converts their texts to values.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/document.h"

enum { LONGEST_GUESS = 63 }; // characters of the longest word for which a similar name is looked for

const Node *node_find(const Node *map, const char *key) {
  if (!map || map->kind != NODE_MAP)
    return NULL;
  for (const Node *child = map->first; child; child = child->next)
    if (strcmp(child->key, key) == 0)
      return child;
  return NULL;
}

const Node *node_at(const Node *list, int index) {
  if (!list || list->kind != NODE_LIST || index < 0)
    return NULL;
  const Node *child = list->first;
  while (child && index-- > 0)
    child = child->next;
  return child;
}

static bool is_step(const char *text, const char *step, size_t length) {
  return text && strlen(text) == length && memcmp(text, step, length) == 0;
}

static bool has_text(const Node *item, const char *key, const char *step, size_t length) {
  const Node *own = node_find(item, key);
  return own && is_step(own->text, step, length);
}

static const Node *item_of_name(const Node *list, const char *step, size_t length) {
  const Node *item = list->first;
  while (item && !has_text(item, "name", step, length))
    item = item->next;
  return item;
}

// The item without a name whose kind is `step`; NULL when there are several.
static const Node *item_of_kind(const Node *list, const char *step, size_t length) {
  const Node *found = NULL;
  int count = 0;
  for (const Node *item = list->first; item; item = item->next)
    if (!node_find(item, "name") && has_text(item, "kind", step, length)) {
      found = item;
      count++;
    }
  return count == 1 ? found : NULL;
}

// In a map by key; in a list by index, by the item's `name:` or, without a name, by its `kind:`.
const Node *node_step(const Node *parent, const char *step, size_t length) {
  if (parent->kind == NODE_LIST && length < 9 && strspn(step, "0123456789") >= length)
    return node_at(parent, atoi(step));
  if (parent->kind == NODE_LIST) {
    const Node *named = item_of_name(parent, step, length);
    return named ? named : item_of_kind(parent, step, length);
  }
  for (const Node *child = parent->first; child; child = child->next)
    if (is_step(child->key, step, length))
      return child;
  return NULL;
}

const Node *node_path(const Node *root, const char *path) {
  for (size_t length; root; path += length + 1) {
    length = strcspn(path, ".");
    root = node_step(root, path, length);
    if (path[length] == '\0')
      break;
  }
  return root;
}

bool node_error(const Node *node, Error *error, const char *format, ...) {
  char message[ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_at(error, node->file, node->line, node->column, "%s", message);
}

bool node_key_error(const Node *node, Error *error, const char *format, ...) {
  char message[ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  bool has_key = node->key != NULL;
  return error_at(error, node->file, has_key ? node->key_line : node->line, has_key ? node->key_column : node->column,
                  "%s", message);
}

static bool node_expected(const Node *node, Error *error, const char *what) {
  if (node->kind == NODE_SCALAR)
    return node_error(node, error, "expected %s, got %s%.60s%s", what, node->quoted ? "\"" : "", node->text,
                      node->quoted ? "\"" : "");
  return node_error(node, error, "expected %s, got a %s", what, node->kind == NODE_LIST ? "list" : "map");
}

// Skips [+-]digits[.digits][e[+-]digits]; strtod alone would also accept hexadecimal numbers, infinities and spaces.
static const char *skip_number(const char *text) {
  const char *c = text + (*text == '+' || *text == '-');
  size_t whole = strspn(c, "0123456789"), part = 0;
  c += whole;
  if (*c == '.') {
    part = strspn(c + 1, "0123456789");
    c += 1 + part;
  }
  if (whole + part == 0)
    return text;
  if (*c == 'e' || *c == 'E') {
    const char *digits = c + 1 + (c[1] == '+' || c[1] == '-');
    size_t count = strspn(digits, "0123456789");
    return count > 0 ? digits + count : text;
  }
  return c;
}

bool node_real(const Node *node, double *value, Error *error) {
  const char *what = "a number";
  if (node->kind != NODE_SCALAR || node->quoted)
    return node_expected(node, error, what);
  const char *end = skip_number(node->text);
  double number = strtod(node->text, NULL);
  if (end != node->text && *end == '/') {
    const char *divisor = end + 1;
    end = skip_number(divisor);
    if (end == divisor)
      return node_expected(node, error, what);
    number /= strtod(divisor, NULL);
  }
  if (end == node->text || *end != '\0')
    return node_expected(node, error, what);
  if (!isfinite(number))
    return node_expected(node, error, "a finite number");
  *value = number;
  return true;
}

bool node_int(const Node *node, int *value, Error *error) {
  const char *what = "a whole number";
  if (node->kind != NODE_SCALAR || node->quoted)
    return node_expected(node, error, what);
  const char *digits = node->text + (node->text[0] == '+' || node->text[0] == '-');
  if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0')
    return node_expected(node, error, what);
  errno = 0;
  long number = strtol(node->text, NULL, 10);
  if (errno != 0 || number < INT_MIN || number > INT_MAX)
    return node_expected(node, error, "a whole number from -2147483648 to 2147483647");
  *value = (int)number;
  return true;
}

bool node_bool(const Node *node, bool *value, Error *error) {
  bool plain = node->kind == NODE_SCALAR && !node->quoted, yes = plain && strcmp(node->text, "true") == 0;
  if (!yes && !(plain && strcmp(node->text, "false") == 0))
    return node_expected(node, error, "true or false");
  *value = yes;
  return true;
}

bool node_text(const Node *node, char *text, size_t size, Error *error) {
  if (node->kind != NODE_SCALAR)
    return node_expected(node, error, "text");
  size_t length = strlen(node->text);
  if (length >= size)
    return node_error(node, error, "the text is %zu bytes long, at most %zu are allowed", length, size - 1);
  memcpy(text, node->text, length + 1);
  return true;
}

bool node_reals(const Node *node, double *values, int count, Error *error) {
  char what[64];
  snprintf(what, sizeof what, "a list of %d numbers", count);
  if (node->kind != NODE_LIST)
    return node_expected(node, error, what);
  if (node->count != count)
    return node_error(node, error, "expected %s, got a list of %d", what, node->count);
  for (const Node *item = node->first; item; item = item->next)
    if (!node_real(item, values++, error))
      return false;
  return true;
}

// The list in the map that has an item of that name, or NULL: `runner` is one of `characters`.
static const char *list_with_item(const Node *map, const char *name) {
  for (const Node *child = map->first; child; child = child->next)
    if (child->kind == NODE_LIST && node_step(child, name, strlen(name)))
      return child->key;
  return NULL;
}

bool node_check_keys(const Node *map, const char *const *keys, Error *error) {
  if (map->kind != NODE_MAP)
    return node_expected(map, error, "keys and values (key: value)");
  int count = 0;
  while (keys[count])
    count++;
  for (const Node *child = map->first; child; child = child->next) {
    int i = 0;
    while (i < count && strcmp(keys[i], child->key) != 0)
      i++;
    if (i < count)
      continue;
    const char *list = list_with_item(map, child->key);
    if (list)
      return node_key_error(child, error, "unknown key '%s', did you mean '%s.%s'?", child->key, list, child->key);
    const char *in = map->key ? " in " : "", *where = map->key ? map->key : "";
    return node_key_error(child, error, "unknown key '%s'%s%s%s", child->key, in, where,
                          name_hint(child->key, keys, count).text);
  }
  return true;
}

static const char NAME_RULE[] = "'%s' cannot be a name: a letter, then letters, digits, '_' or '-'";

static bool is_name(const char *name) {
  bool sane = isalpha((unsigned char)name[0]) != 0;
  for (const char *c = name; *c != '\0'; c++)
    sane = sane && (isalnum((unsigned char)*c) || *c == '_' || *c == '-');
  return sane;
}

bool node_check_name(const Node *node, const char *name, Error *error) {
  return is_name(name) || node_error(node, error, NAME_RULE, name);
}

bool node_check_key_name(const Node *node, Error *error) {
  return is_name(node->key) || node_key_error(node, error, NAME_RULE, node->key);
}

// Number of steps that turn one word into the other: a character inserted, deleted, changed, or swapped with its
// neighbour (optimal string alignment: Damerau 1964). Both words have at most LONGEST_GUESS characters.
static int edit_distance(const char *a, const char *b) {
  int rows[3][LONGEST_GUESS + 1];
  int *before = rows[0], *above = rows[1], *row = rows[2];
  int width = (int)strlen(b);
  for (int j = 0; j <= width; j++)
    above[j] = j;
  for (int i = 1; a[i - 1] != '\0'; i++) {
    row[0] = i;
    for (int j = 1; j <= width; j++) {
      int best = above[j - 1] + (a[i - 1] != b[j - 1]);
      best = above[j] + 1 < best ? above[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    int *spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[width];
}

const char *closest_name(const char *word, const char *const *names, int count) {
  size_t length = strlen(word);
  if (length > LONGEST_GUESS)
    return NULL;
  if (length > 5 && strcmp(word + length - 5, ".yaml") == 0)
    length -= 5; // an ending that most files share makes no two of them alike
  // One error is allowed in a short word, and one more for every three further characters.
  int best = (int)(length + 1) / 3 + 1;
  const char *closest = NULL;
  for (int i = 0; i < count; i++) {
    int distance = strlen(names[i]) > LONGEST_GUESS ? INT_MAX : edit_distance(word, names[i]);
    if (distance < best) {
      best = distance;
      closest = names[i];
    }
  }
  return closest;
}

NameHint name_hint(const char *word, const char *const *names, int count) {
  NameHint hint = {""};
  const char *close = closest_name(word, names, count), *comma = ", allowed are ";
  if (close)
    snprintf(hint.text, sizeof hint.text, ", did you mean '%s'?", close);
  size_t length = 0, room = sizeof hint.text - sizeof ", ...";
  for (int i = 0; i < count && !close; i++, comma = ", ") {
    const char *name = length + strlen(comma) + strlen(names[i]) <= room ? names[i] : "...";
    length += (size_t)snprintf(hint.text + length, sizeof hint.text - length, "%s%s", comma, name);
    if (name != names[i])
      break;
  }
  return hint;
}
