// Reads expectations, and evaluates them for a metric's value.
#include "scenes/description/expect.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "sim/metrics/metrics.h"

// Longer operators first: "<" would match the beginning of "<=".
static const struct {
  const char *text;
  ExpectOp op;
} operators[] = {
    {"<=", EXPECT_AT_MOST}, {">=", EXPECT_AT_LEAST}, {"==", EXPECT_EQUAL},
    {"!=", EXPECT_NOT},     {"<", EXPECT_LESS},      {">", EXPECT_MORE},
};

static const char FORM[] = "expected 'metric op value' with one of < <= > >= == !=, e.g. 'runner.distance > 60'";

static const char *skip_space(const char *text) {
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

bool expect_number(const char *text, double *value) {
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    *value = text[0] == 't';
    return true;
  }
  char *end;
  *value = strtod(text, &end);
  return end != text && *skip_space(end) == '\0' && isfinite(*value);
}

static bool find_metric(Expect *expect, const char *name, const Node *node, Error *error) {
  const char *names[metric_row_count];
  for (int i = 0; i < metric_row_count; i++) {
    names[i] = metric_rows[i].name;
    if (strcmp(name, names[i]) == 0) {
      snprintf(expect->metric, sizeof expect->metric, "%s", name);
      return true;
    }
  }
  const char *close = closest_name(name, names, metric_row_count);
  if (close)
    return node_error(node, error, "there is no metric '%s', did you mean '%s'?", name, close);
  return node_error(node, error, "there is no metric '%s'; 'stagger reference' lists them", name);
}

bool expect_split(const char *text, char *name, size_t size, ExpectOp *op, const char **value) {
  text = skip_space(text);
  size_t length = strcspn(text, " \t<>=!");
  snprintf(name, size, "%.*s", (int)length, text);
  text = skip_space(text + length);
  for (size_t i = 0; length > 0 && i < sizeof operators / sizeof operators[0]; i++) {
    size_t width = strlen(operators[i].text);
    if (strncmp(text, operators[i].text, width) != 0)
      continue;
    *op = operators[i].op;
    *value = skip_space(text + width);
    return true;
  }
  return false;
}

bool expect_read(Expect *expect, const Node *node, const CharacterDef *characters, int count, Error *error) {
  *expect = (Expect){0};
  if (!node_text(node, expect->text, sizeof expect->text, error))
    return false;
  char name[PARAM_TEXT_SIZE]; // [character.]metric
  const char *value;
  if (!expect_split(expect->text, name, sizeof name, &expect->op, &value) || !expect_number(value, &expect->value))
    return node_error(node, error, "'%s': %s", expect->text, FORM);

  char *dot = strchr(name, '.');
  if (!dot && count != 1)
    return node_error(node, error, "'%s': with several characters, say whose metric it is: '%s.%s'", expect->text,
                      count > 0 ? characters[0].name : "character", name);
  if (!dot)
    return find_metric(expect, name, node, error);
  *dot = '\0';
  expect->character = lookup_character(name, characters, count, node, error);
  return expect->character >= 0 && find_metric(expect, dot + 1, node, error);
}

bool expect_holds(const Expect *expect, double measured) {
  if (isnan(measured))
    return false;
  switch (expect->op) {
  case EXPECT_LESS:
    return measured < expect->value;
  case EXPECT_AT_MOST:
    return measured <= expect->value;
  case EXPECT_MORE:
    return measured > expect->value;
  case EXPECT_AT_LEAST:
    return measured >= expect->value;
  case EXPECT_EQUAL:
    return measured == expect->value;
  case EXPECT_NOT:
    return measured != expect->value;
  }
  return false;
}
