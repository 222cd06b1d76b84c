// Writes CSV value by value, or reads it back and compares: the same calls do both, so that they cannot differ.
#include "scenes/export/csv_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void csv_read_back(CsvText *csv) {
  csv->is_reading = true;
  csv->in_row = false;
  csv->cursor = csv->text.bytes ? csv->text.bytes : "";
}

bool csv_is_at_end(const CsvText *csv) { return *csv->cursor == '\0'; }

// Handles the separator between fields and rows.
static void pass(CsvText *csv, char separator) {
  if (!csv->is_reading)
    text_append(&csv->text, &separator, 1);
  else if (*csv->cursor == separator)
    csv->cursor++;
  else
    csv->differences++;
}

static void begin_field(CsvText *csv) {
  if (csv->in_row)
    pass(csv, ',');
  csv->in_row = true;
}

void csv_end_row(CsvText *csv) {
  pass(csv, '\n');
  csv->in_row = false;
  csv->rows += csv->is_reading;
}

// ---- Texts ----

// Spreadsheets take a text that begins like a formula for one, so it is preceded by an apostrophe. No name written by
// Stagger begins so, but a name in a trace from elsewhere may.
static const char *guard_of(const char *text) { return strchr("=+-@\t\r", text[0]) && text[0] != '\0' ? "'" : ""; }

static void write_text(TextBuffer *buffer, const char *text) {
  if (text[strcspn(text, ",\"\r\n")] == '\0') {
    text_print(buffer, "%s%s", guard_of(text), text);
    return;
  }
  text_print(buffer, "\"%s", guard_of(text));
  for (const char *c = text; *c != '\0'; c++)
    text_append(buffer, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
  text_append(buffer, "\"", 1);
}

// The next character of a quoted field; '\0' at its end.
static char read_quoted(const char **cursor) {
  const char c = **cursor;
  if (c == '\0')
    return '\0';
  (*cursor)++;
  if (c != '"')
    return c;
  if (**cursor != '"')
    return '\0';
  (*cursor)++;
  return '"';
}

// Whether the next field is this text; moves to the end of the field.
static bool read_text(const char **cursor, const char *text) {
  bool same = true;
  if (**cursor == '"') {
    *cursor += 1 + strlen(guard_of(text));
    for (char c; (c = read_quoted(cursor)) != '\0';) {
      same = same && *text == c;
      text += *text != '\0';
    }
    return same && *text == '\0';
  }
  *cursor += strlen(guard_of(text));
  const size_t length = strcspn(*cursor, ",\n");
  same = strlen(text) == length && memcmp(*cursor, text, length) == 0;
  *cursor += length;
  return same;
}

void csv_put_text(CsvText *csv, const char *text) {
  begin_field(csv);
  if (!csv->is_reading)
    write_text(&csv->text, text);
  else
    csv->differences += !read_text(&csv->cursor, text);
}

// ---- Numbers ----

bool csv_is_empty(TraceType type, const void *value) {
  return !value || (type == TRACE_FLOAT32 && isnan(*(const float *)value)) ||
         (type == TRACE_FLOAT64 && isnan(*(const double *)value));
}

static void write_number(TextBuffer *text, TraceType type, const void *value) {
  switch (type) {
  case TRACE_FLOAT32:
    text_float32(text, *(const float *)value);
    break;
  case TRACE_FLOAT64:
    text_float64(text, *(const double *)value);
    break;
  case TRACE_UINT8:
    text_print(text, "%u", *(const uint8_t *)value);
    break;
  case TRACE_INT32:
    text_print(text, "%" PRId32, *(const int32_t *)value);
    break;
  case TRACE_UINT64:
    text_print(text, "%" PRIu64, *(const uint64_t *)value);
    break;
  }
}

// Whether the next number has the same bits as `value`; moves to the end of the field.
static bool read_number(const char **cursor, TraceType type, const void *value) {
  char *end = NULL;
  bool same = false;
  if (type == TRACE_FLOAT32) {
    same = text_same_float32(strtof(*cursor, &end), *(const float *)value);
  } else if (type == TRACE_FLOAT64) {
    same = text_same_float64(strtod(*cursor, &end), *(const double *)value);
  } else if (type == TRACE_UINT64) {
    same = strtoull(*cursor, &end, 10) == *(const uint64_t *)value;
  } else {
    const long number = strtol(*cursor, &end, 10);
    same = number == (type == TRACE_UINT8 ? *(const uint8_t *)value : *(const int32_t *)value);
  }
  same = same && end != *cursor;
  *cursor = end;
  return same;
}

void csv_put_number(CsvText *csv, TraceType type, const void *value) {
  begin_field(csv);
  if (!csv->is_reading) {
    if (!csv_is_empty(type, value))
      write_number(&csv->text, type, value);
    return;
  }
  csv->numbers += value != NULL;
  if (!csv_is_empty(type, value))
    csv->differences += !read_number(&csv->cursor, type, value);
}
