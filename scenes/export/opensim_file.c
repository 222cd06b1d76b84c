// Writes and reads OpenSim's .sto and .mot files: header, labels, rows of tab-separated numbers.
#include "scenes/export/opensim_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_label(const OpensimTable *table, const char *label) {
  for (int i = 0; i < table->columns; i++)
    if (strcmp(table->labels[i], label) == 0)
      return true;
  return false;
}

int opensim_add_column(OpensimTable *table, const char *format, ...) {
  if (table->columns == table->capacity) {
    const int capacity = table->capacity > 0 ? 2 * table->capacity : 64;
    char(*grown)[OPENSIM_LABEL_SIZE] = realloc(table->labels, (size_t)capacity * sizeof *grown);
    if (!grown)
      return -1;
    table->labels = grown;
    table->capacity = capacity;
  }
  va_list arguments;
  va_start(arguments, format);
  char label[OPENSIM_LABEL_SIZE - 12]; // with room for a number
  vsnprintf(label, sizeof label, format, arguments);
  va_end(arguments);
  snprintf(table->labels[table->columns], OPENSIM_LABEL_SIZE, "%s", label);
  for (int i = 2; has_label(table, table->labels[table->columns]); i++)
    snprintf(table->labels[table->columns], OPENSIM_LABEL_SIZE, "%s_%d", label, i);
  return table->columns++;
}

bool opensim_allocate(OpensimTable *table, int rows) {
  table->rows = rows;
  table->values = calloc((size_t)rows * (size_t)table->columns + 1, sizeof *table->values);
  return table->values != NULL;
}

void opensim_free(OpensimTable *table) {
  free(table->labels);
  free(table->values);
  *table = (OpensimTable){0};
}

void opensim_copy_line(char *line, size_t size, const char *text) {
  snprintf(line, size, "%s", text);
  for (char *c = line; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '_';
}

void opensim_title(const char *scene, const char *character, const char *pose, char *title, size_t size) {
  char name[256];
  opensim_copy_line(name, sizeof name, scene);
  const char *dot = strrchr(name, '.');
  snprintf(title, size, "%.*s_%s_%s", (int)(dot ? dot - name : (long)strlen(name)), name, character, pose);
}

void opensim_write(TextBuffer *text, const char *name, bool in_degrees, const char *comments,
                   const OpensimTable *table) {
  text_print(text, "%s\nversion=1\nnRows=%d\nnColumns=%d\ninDegrees=%s\n\n%s\nendheader\n", name, table->rows,
             table->columns, in_degrees ? "yes" : "no", comments);
  for (int c = 0; c < table->columns; c++)
    text_print(text, "%s%c", table->labels[c], c < table->columns - 1 ? '\t' : '\n');
  for (int r = 0; r < table->rows; r++)
    for (int c = 0; c < table->columns; c++) {
      text_float64(text, table->values[(size_t)r * (size_t)table->columns + (size_t)c]);
      text_append(text, c < table->columns - 1 ? "\t" : "\n", 1);
    }
}

// ---- Reading ----

// The value after "key="; NULL when the line has another key.
static const char *value_of(const char *line, const char *key) {
  const size_t length = strlen(key);
  return strncmp(line, key, length) == 0 && line[length] == '=' ? line + length + 1 : NULL;
}

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line == '\n' ? line + 1 : line;
}

bool opensim_read_header(OpensimReader *reader, const char *bytes, Error *error) {
  static const char END[] = "endheader";
  *reader = (OpensimReader){.cursor = bytes};
  while (strncmp(reader->cursor, END, sizeof END - 1) != 0) {
    const char *line = reader->cursor, *value;
    if (*line == '\0')
      return error_set(error, "there is no line 'endheader'");
    if ((value = value_of(line, "nRows")))
      reader->rows = (int)strtol(value, NULL, 10);
    else if ((value = value_of(line, "nColumns")))
      reader->columns = (int)strtol(value, NULL, 10);
    else if ((value = value_of(line, "inDegrees")))
      reader->in_degrees = strncmp(value, "yes", 3) == 0;
    reader->cursor = next_line(line);
  }
  reader->cursor = next_line(reader->cursor);
  return (reader->rows > 0 && reader->columns > 0) || error_set(error, "nRows or nColumns is missing");
}

bool opensim_read_label(OpensimReader *reader, char label[OPENSIM_LABEL_SIZE]) {
  if (*reader->cursor == '\n')
    reader->cursor++;
  else if (*reader->cursor != '\0') {
    reader->cursor += *reader->cursor == '\t';
    const size_t length = strcspn(reader->cursor, "\t\n");
    snprintf(label, OPENSIM_LABEL_SIZE, "%.*s", (int)length, reader->cursor);
    reader->cursor += length;
    return true;
  }
  return false;
}

bool opensim_read_row(OpensimReader *reader, double *values) {
  for (int c = 0; c < reader->columns; c++) {
    char *end;
    values[c] = strtod(reader->cursor, &end);
    const char separator = c < reader->columns - 1 ? '\t' : '\n';
    if (end == reader->cursor || *end != separator)
      return false;
    reader->cursor = end + 1;
  }
  return true;
}
