// Reads tables of trials: strictly, and fast enough for a million trials.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/sweep/trial_table.h"

enum { LONGEST_QUOTE = 60 }; // bytes of a cell that messages quote at most

typedef struct Parser {
  const char *name;
  const char *line_start;
  char *at;  // the next byte
  char *end; // end of the last complete line
  long line; // counted from 1
  Error *error;
} Parser;

static bool parse_error(const Parser *parser, const char *at, const char *message) {
  return error_at(parser->error, parser->name, (int)parser->line, (int)(at - parser->line_start) + 1, "%s", message);
}

// Takes one cell, which is terminated in place by a zero byte, and the comma or line's end after it. NULL and an error
// when its quotes are wrong.
static char *take_cell(Parser *parser, bool *last) {
  char *cell = parser->at, *c = cell, *to;
  if (*c == '"') {
    cell = to = ++c;
    while (*c != '\n' && (*c != '"' || c[1] == '"')) {
      c += *c == '"';
      *to++ = *c++;
    }
    if (*c != '"') {
      parse_error(parser, parser->at, "a quoted cell is not closed in its line");
      return NULL;
    }
    c++;
  } else {
    while (*c != ',' && *c != '\n' && *c != '"')
      c++;
    to = c > cell && *c == '\n' && c[-1] == '\r' ? c - 1 : c;
  }
  if (*c == '\r' && c[1] == '\n')
    c++;
  if (*c != ',' && *c != '\n') {
    parse_error(parser, c, "expected a comma or the end of the line; a cell with quotes in it is quoted as a whole");
    return NULL;
  }
  *last = *c == '\n';
  *to = '\0';
  parser->at = c + 1;
  return cell;
}

// Fast path for few digits: the result is exact if it is the quotient of two integers that are exact in double, since a
// division rounds only once (Clinger 1990, How to read floating point numbers accurately). False: strtod must be used.
static bool read_short_number(const char *text, double *value) {
  static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  bool negative = *text == '-';
  const char *c = text + negative;
  uint64_t digits = 0;
  int count = 0, behind = 0;
  for (; *c >= '0' && *c <= '9' && count < 16; c++, count++)
    digits = 10 * digits + (uint64_t)(*c - '0');
  if (*c == '.' && count > 0)
    for (c++; *c >= '0' && *c <= '9' && count < 16; c++, count++, behind++)
      digits = 10 * digits + (uint64_t)(*c - '0');
  if (*c != '\0' || count == 0 || count > 15)
    return false;
  *value = (double)digits / powers[behind];
  *value = negative ? -*value : *value;
  return true;
}

// An empty cell is NAN. Hexadecimal numbers, spaces and "nan", which strtod accepts, are errors.
static bool read_number(const char *text, double *value) {
  if (*text == '\0') {
    *value = NAN;
    return true;
  }
  if (read_short_number(text, value))
    return true;
  const char *c = text + (*text == '-');
  if (strcmp(c, "inf") == 0) {
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
  }
  char *end;
  if (*c < '0' || *c > '9' || c[strspn(c, "0123456789.e+-")] != '\0')
    return false;
  *value = strtod(text, &end);
  return *end == '\0';
}

static bool parse_header(Parser *parser, const TableColumn *columns, int count) {
  bool last = false;
  for (int i = 0; i < count; i++) {
    const char *start = last ? parser->at - 1 : parser->at; // not after the line's end
    char *cell = last ? NULL : take_cell(parser, &last);
    if (!cell && !last)
      return false;
    char message[256];
    if (!cell || strcmp(cell, columns[i].name) != 0) {
      snprintf(message, sizeof message, "column %d is '%.*s', not '%s': this is not a table of the same study", i + 1,
               LONGEST_QUOTE, cell ? cell : "", columns[i].name);
      return parse_error(parser, start, message);
    }
  }
  return last || parse_error(parser, parser->at, "more columns than the study has");
}

static bool parse_row(Parser *parser, const TableColumn *columns, int count, double *numbers, char **texts) {
  bool last = false;
  char message[256];
  for (int i = 0; i < count; i++) {
    const char *start = parser->at;
    if (last) {
      snprintf(message, sizeof message, "%d cells, expected are %d", i, count);
      return parse_error(parser, start - 1, message);
    }
    char *cell = take_cell(parser, &last);
    if (!cell)
      return false;
    numbers[i] = NAN;
    if (columns[i].kind == TABLE_TEXT) {
      texts[i] = cell;
    } else if (!read_number(cell, &numbers[i])) {
      snprintf(message, sizeof message, "%s is '%.*s', expected is a number", columns[i].name, LONGEST_QUOTE, cell);
      return parse_error(parser, start, message);
    }
  }
  snprintf(message, sizeof message, "more than %d cells", count);
  return last || parse_error(parser, parser->at, message);
}

static long count_lines(const char *text, const char *end) {
  long lines = 0;
  for (const char *c = text; c < end && (c = memchr(c, '\n', (size_t)(end - c))); c++)
    lines++;
  return lines;
}

// Allocates `rows` rows, and a copy of the text in which cells are terminated.
static Table *make_table(const char *text, size_t size, const TableColumn *columns, int count, long rows) {
  Table *table = calloc(1, sizeof *table);
  if (!table)
    return NULL;
  table->column_count = count;
  table->columns = calloc((size_t)count + 1, sizeof *table->columns);
  table->numbers = calloc((size_t)rows * (size_t)count + 1, sizeof *table->numbers);
  table->texts = calloc((size_t)rows * (size_t)count + 1, sizeof *table->texts);
  table->memory = malloc(size + 1);
  if (!table->columns || !table->numbers || !table->texts || !table->memory) {
    table_free(table);
    return NULL;
  }
  memcpy(table->columns, columns, (size_t)count * sizeof *columns);
  memcpy(table->memory, text, size);
  ((char *)table->memory)[size] = '\0';
  return table;
}

Table *table_parse(const char *name, const char *text, size_t size, const TableColumn *columns, int count,
                   Error *error) {
  const char *zero = memchr(text, '\0', size);
  while (size > 0 && text[size - 1] != '\n') // an unfinished last line
    size--;
  const long lines = count_lines(text, text + size);
  if (lines == 0) {
    error_at(error, name, 1, 1, "the first line, the names of the columns, is missing");
    return NULL;
  }
  if (zero && zero < text + size) {
    error_at(error, name, (int)count_lines(text, zero) + 1, 1, "a zero byte, so this is not CSV");
    return NULL;
  }
  Table *table = make_table(text, size, columns, count, lines - 1);
  if (!table) {
    error_set(error, "%s: no memory for %ld rows of %d columns", name, lines - 1, count);
    return NULL;
  }
  char *start = table->memory;
  Parser parser = {.name = name, .line_start = start, .at = start, .end = start + size, .line = 1, .error = error};
  bool good = parse_header(&parser, columns, count);
  while (good && parser.at < parser.end) {
    parser.line++;
    parser.line_start = parser.at;
    size_t first = (size_t)table->row_count * (size_t)count;
    good = parse_row(&parser, columns, count, table->numbers + first, table->texts + first);
    table->row_count += good;
  }
  if (good)
    return table;
  table_free(table);
  return NULL;
}
