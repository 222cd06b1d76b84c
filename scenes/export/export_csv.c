// Tidy tables (Wickham 2014, J Stat Softw 59:10: a variable is a column, an observation a row) as CSV.
//
// Columns that identify a row come first and have plain names: time (s), character, joint. Columns of values are named
// after channel, component and unit: torque_x_N_m, linear_velocity_x_m_per_s, error_rad. "/" becomes _per_, "m^2"
// becomes m2; values without unit have no suffix; rotations have x y z w. Lists that are not per frame begin with the
// number of the row, from 0.
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/export/csv_text.h"
#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"
#include "scenes/export/trace_list.h"
#include "scenes/export/trace_table.h"

enum { NAME_SIZE = TRACE_TABLE_PATH_SIZE + TRACE_TABLE_UNIT_SIZE + 64 };

static const char ALL_TABLES[] = "all", EVENTS[] = "events", JOINTS[] = "joints";

// ---- Names of columns ----

static const char *component_name(int component, int width, char number[16]) {
  static const char *const axes[] = {"x", "y", "z", "w"};
  if (width == 1)
    return "";
  if (width == 3 || width == 4)
    return axes[component];
  snprintf(number, 16, "%d", component);
  return number;
}

static bool has_unit(const char *unit) { return unit[0] != '\0' && strcmp(unit, "-") != 0; }

// Appends a unit: "m/s^2" as "m_per_s2".
static void append_unit(char *name, size_t size, const char *unit) {
  size_t length = strlen(name);
  for (const char *c = unit; *c != '\0' && length < size; c++) {
    char one[2] = {*c == ' ' ? '_' : *c, '\0'};
    const char *part = *c == '/' ? "_per_" : *c == '^' ? "" : one;
    length += (size_t)snprintf(name + length, size - length, "%s", part);
  }
}

static void put_column_name(CsvText *csv, const char *base, const char *component, const char *unit) {
  char name[NAME_SIZE];
  // Times identify rows, in seconds everywhere, so they have no suffix.
  const bool plain = !has_unit(unit) || strcmp(base, "time") == 0;
  snprintf(name, sizeof name, "%s%s%s%s", base, component[0] != '\0' ? "_" : "", component, plain ? "" : "_");
  if (!plain)
    append_unit(name, sizeof name, unit);
  csv_put_text(csv, name);
}

static void put_column_names(CsvText *csv, const char *base, int width, const char *unit) {
  char number[16];
  for (int k = 0; k < width; k++)
    put_column_name(csv, base, component_name(k, width, number), unit);
}

// ---- Tables with a row for each frame and name ----

static void put_numbers(CsvText *csv, TraceType type, const void *values, int width) {
  for (int k = 0; k < width; k++)
    csv_put_number(csv, type, values ? (const char *)values + (size_t)k * trace_type_size(type) : NULL);
}

static void put_table_header(CsvText *csv, const TraceTable *table) {
  csv_put_text(csv, "time");
  if (table->owner_key[0] != '\0')
    csv_put_text(csv, table->owner_key);
  if (table->row_key[0] != '\0')
    csv_put_text(csv, table->row_key);
  for (int i = 0; i < table->column_count; i++)
    put_column_names(csv, table->columns[i].name, table->columns[i].width, table->columns[i].unit);
  csv_end_row(csv);
}

static void put_row(CsvText *csv, const TraceTable *table, double time, int frame, int owner, int row) {
  csv_put_number(csv, TRACE_FLOAT64, &time);
  if (table->owner_key[0] != '\0')
    csv_put_text(csv, table->owners[owner].name);
  if (table->row_key[0] != '\0')
    csv_put_text(csv, table->owners[owner].rows[row]);
  for (int i = 0; i < table->column_count; i++) {
    TraceType type = TRACE_FLOAT64;
    const void *values = trace_table_value(table, frame, owner, row, i, &type);
    put_numbers(csv, type, values, table->columns[i].width);
  }
  csv_end_row(csv);
}

// Writes a row for each single value: all tables fit under the same header.
static void put_long_rows(CsvText *csv, const TraceTable *table, double time, int frame, int owner, int row) {
  for (int i = 0; i < table->column_count; i++) {
    const TraceTableColumn *column = &table->columns[i];
    TraceType type;
    const char *values = trace_table_value(table, frame, owner, row, i, &type);
    char number[16];
    for (int k = 0; values && k < column->width; k++) {
      csv_put_number(csv, TRACE_FLOAT64, &time);
      csv_put_text(csv, table->owners[owner].name);
      csv_put_text(csv, column->channel);
      csv_put_text(csv, table->owners[owner].rows[row]);
      csv_put_text(csv, component_name(k, column->width, number));
      csv_put_number(csv, type, values + (size_t)k * trace_type_size(type));
      csv_put_text(csv, has_unit(column->unit) ? column->unit : "");
      csv_end_row(csv);
    }
  }
}

// Whether an object exists: its values are NaN before and after its time.
static bool is_there(const TraceTable *table, int frame, int owner, int row) {
  if (strcmp(table->owner_key, "object") != 0)
    return true;
  for (int i = 0; i < table->column_count; i++) {
    TraceType type;
    const char *values = trace_table_value(table, frame, owner, row, i, &type);
    for (int k = 0; values && k < table->columns[i].width; k++)
      if (!csv_is_empty(type, values + (size_t)k * trace_type_size(type)))
        return true;
  }
  return false;
}

typedef void PutRow(CsvText *csv, const TraceTable *table, double time, int frame, int owner, int row);

static bool put_frames(CsvText *csv, TraceTable *table, PutRow *put, Error *error) {
  const int frames = trace_frame_count(table->reader);
  for (int first = 0; first < frames && !csv->text.failed; first += TABLE_BLOCK_FRAMES) {
    const int count = frames - first < TABLE_BLOCK_FRAMES ? frames - first : TABLE_BLOCK_FRAMES;
    double time[TABLE_BLOCK_FRAMES];
    if (!trace_table_load(table, first, count, error) ||
        !trace_read_column(table->reader, trace_time_channel.path, TRACE_FLOAT64, first, count, time, error))
      return false;
    for (int f = 0; f < count; f++)
      for (int owner = 0; owner < table->owner_count; owner++)
        for (int row = 0; row < table->owners[owner].row_count; row++)
          if (is_there(table, f, owner, row))
            put(csv, table, time[f], f, owner, row);
  }
  return true;
}

static bool put_table(CsvText *csv, TraceReader *reader, const ExportOptions *options, const char *name, Error *error) {
  TraceTable *table = trace_table_open(reader, name, options->character, error);
  if (!table)
    return false;
  put_table_header(csv, table);
  const bool good = put_frames(csv, table, put_row, error);
  trace_table_close(table);
  return good;
}

static bool put_all(CsvText *csv, TraceReader *reader, const ExportOptions *options, Error *error) {
  static const char *const header[] = {"time", "owner", "channel", "row", "component", "value", "unit"};
  char names[TRACE_TABLES_MAX][TRACE_NAME_SIZE];
  const int count = trace_table_list(reader, names, TRACE_TABLES_MAX);
  for (size_t i = 0; i < sizeof header / sizeof header[0]; i++)
    csv_put_text(csv, header[i]);
  csv_end_row(csv);
  for (int i = 0; i < count; i++) {
    Error missing = {0}; // the character may lack this channel
    TraceTable *table = trace_table_open(reader, names[i], options->character, &missing);
    const bool good = !table || put_frames(csv, table, put_long_rows, error);
    trace_table_close(table);
    if (!good)
      return false;
  }
  return true;
}

// ---- Lists ----

// Name of the column for the owners of a column's names; false when the list has them elsewhere, or there are none.
static bool owner_column(const TraceList *list, const ListColumn *column, char name[NAME_SIZE]) {
  const bool is_part = strcmp(column->name, "part") == 0;
  snprintf(name, NAME_SIZE, "%s%scharacter", is_part ? "" : column->name, is_part ? "" : "_");
  return column->has_owners && !trace_list_column(list, name);
}

static void put_list_header(CsvText *csv, const TraceList *list) {
  char name[NAME_SIZE];
  csv_put_text(csv, list->frame ? "time" : "row");
  for (int i = 0; i < list->column_count; i++) {
    const ListColumn *column = &list->columns[i];
    if (owner_column(list, column, name))
      csv_put_text(csv, name);
    put_column_names(csv, column->name, column->width, column->unit);
  }
  csv_end_row(csv);
}

static void put_list_row(CsvText *csv, const TraceList *list, const double *time, long row) {
  const uint64_t number = (uint64_t)row;
  if (list->frame)
    csv_put_number(csv, TRACE_FLOAT64, &time[list->frame[row]]);
  else
    csv_put_number(csv, TRACE_UINT64, &number);
  for (int i = 0; i < list->column_count; i++) {
    const ListColumn *column = &list->columns[i];
    if (!column->names) {
      const size_t at = (size_t)row * (size_t)column->width * trace_type_size(column->type);
      put_numbers(csv, column->type, (const char *)column->values + at, column->width);
      continue;
    }
    char owner[TRACE_NAME_SIZE], text[TRACE_NAME_SIZE], name[NAME_SIZE];
    trace_list_text(column, row, owner, text);
    if (owner_column(list, column, name))
      csv_put_text(csv, owner);
    csv_put_text(csv, text);
  }
  csv_end_row(csv);
}

// Whether a row belongs to a character, or to none in particular.
static bool is_about(const TraceList *list, long row, const char *character) {
  bool tells = false;
  for (int i = 0; i < list->column_count; i++) {
    const ListColumn *column = &list->columns[i];
    const bool is_character = column->names && strcmp(column->name, "character") == 0;
    if (!is_character && !column->has_owners)
      continue;
    char owner[TRACE_NAME_SIZE], text[TRACE_NAME_SIZE];
    trace_list_text(column, row, owner, text);
    if (strcmp(is_character ? text : owner, character) == 0)
      return true;
    tells = true;
  }
  return !tells;
}

static bool put_list(CsvText *csv, TraceReader *reader, const ExportOptions *options, const char *name, Error *error) {
  TraceList *list = trace_list_read(reader, name, error);
  const int frames = trace_frame_count(reader);
  double *time = calloc((size_t)frames + 1, sizeof *time);
  bool good =
      list && (time || error_set(error, "out of memory")) &&
      (frames == 0 || trace_read_column(reader, trace_time_channel.path, TRACE_FLOAT64, 0, frames, time, error));
  if (good)
    put_list_header(csv, list);
  for (long r = 0; good && r < list->rows && !csv->text.failed; r++) {
    const bool has_frame = !list->frame || list->frame[r] >= 0;
    if (has_frame && (!options->character || is_about(list, r, options->character)))
      put_list_row(csv, list, time, r);
  }
  free(time);
  trace_list_free(list);
  return good;
}

static bool put_events(CsvText *csv, TraceReader *reader, const ExportOptions *options) {
  int count;
  TraceEvent *events = trace_events(reader, &count);
  csv_put_text(csv, "time");
  csv_put_text(csv, "kind");
  csv_put_text(csv, "character");
  csv_put_text(csv, "part");
  put_column_names(csv, "point", 3, "m");
  put_column_names(csv, "impulse", 3, "N s");
  csv_end_row(csv);
  for (int i = 0; i < count && !csv->text.failed; i++) {
    const TraceEvent *event = &events[i];
    if (options->character && strcmp(event->character, options->character) != 0)
      continue;
    csv_put_number(csv, TRACE_FLOAT64, &event->time);
    csv_put_text(csv, event->kind);
    csv_put_text(csv, event->character);
    csv_put_text(csv, event->part);
    put_numbers(csv, TRACE_FLOAT32, event->point, 3);
    put_numbers(csv, TRACE_FLOAT32, event->impulse, 3);
    csv_end_row(csv);
  }
  free(events);
  return true;
}

// ---- Choosing and checking ----

typedef enum TableKind { KIND_FRAMES, KIND_LIST, KIND_EVENTS, KIND_ALL } TableKind;

static bool find_kind(TraceReader *reader, const char *name, TableKind *kind, Error *error) {
  char names[2 * TRACE_TABLES_MAX + 2][TRACE_NAME_SIZE];
  const char *allowed[2 * TRACE_TABLES_MAX + 2];
  const int frames = trace_table_list(reader, names, TRACE_TABLES_MAX);
  int count = frames + trace_list_tables(reader, names + frames, TRACE_TABLES_MAX);
  snprintf(names[count++], TRACE_NAME_SIZE, "%s", EVENTS);
  snprintf(names[count++], TRACE_NAME_SIZE, "%s", ALL_TABLES);
  for (int i = 0; i < count; i++)
    allowed[i] = names[i];
  const int found = lookup_name("table", name, " in the trace", allowed, count, error);
  *kind = found < frames ? KIND_FRAMES : found < count - 2 ? KIND_LIST : found < count - 1 ? KIND_EVENTS : KIND_ALL;
  return found >= 0;
}

static bool check_character(const SceneDef *def, const char *character, Error *error) {
  const char *names[SCENE_MAX_CHARACTERS];
  for (int i = 0; i < def->character_count; i++)
    names[i] = def->characters[i].name;
  return !character || lookup_name("character", character, " in the trace", names, def->character_count, error) >= 0;
}

static bool put_kind(CsvText *csv, TableKind kind, const char *name, TraceReader *reader, const ExportOptions *options,
                     Error *error) {
  switch (kind) {
  case KIND_FRAMES:
    return put_table(csv, reader, options, name, error);
  case KIND_LIST:
    return put_list(csv, reader, options, name, error);
  case KIND_EVENTS:
    return put_events(csv, reader, options);
  case KIND_ALL:
    return put_all(csv, reader, options, error);
  }
  return false;
}

bool export_csv(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result, Error *error) {
  const char *name = options->table ? options->table : JOINTS;
  TableKind kind;
  CsvText csv = {.is_reading = false};
  if (!check_character(def, options->character, error) || !find_kind(reader, name, &kind, error))
    return false;
  bool good = put_kind(&csv, kind, name, reader, options, error);
  if (good && csv.text.failed)
    good = error_set(error, "out of memory: table '%s' is too long", name);
  csv_read_back(&csv);
  if (!good || !put_kind(&csv, kind, name, reader, options, error)) {
    text_free(&csv.text);
    return false;
  }
  const long differences = csv.differences + !csv_is_at_end(&csv);
  *result = (ExportResult){.bytes = csv.text.bytes, .size = csv.text.size};
  snprintf(result->contents, sizeof result->contents, "table %s%s%s, %ld rows", name, options->character ? " of " : "",
           options->character ? options->character : "", csv.rows - 1);
  round_trip_tell_bits(csv.numbers, differences, result->round_trip, sizeof result->round_trip);
  return true;
}
