// Finds the tables of a trace from the shapes of its channels, and reads their values row by row.
#include "scenes/export/trace_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t trace_type_size(TraceType type) {
  switch (type) {
  case TRACE_FLOAT32:
  case TRACE_INT32:
    return 4;
  case TRACE_FLOAT64:
  case TRACE_UINT64:
    return 8;
  case TRACE_UINT8:
    return 1;
  }
  return 0;
}

// ---- The table of a channel ----

typedef struct Place {
  char table[TRACE_NAME_SIZE], owner[TRACE_NAME_SIZE];
  const char *owner_key;
  char column[TRACE_TABLE_PATH_SIZE], channel[TRACE_TABLE_PATH_SIZE];
  TraceType type;
  int rows, width;
  bool has_rows; // rows with names within a frame
} Place;

// Splits off the first name of a path and returns the rest: "joints/torque" gives "joints" and "torque".
static const char *split_path(const char *path, char *name, size_t size) {
  const size_t length = strcspn(path, "/");
  snprintf(name, size, "%.*s", (int)length, path);
  return path[length] == '/' ? path + length + 1 : path + length;
}

static void join_words(const char *path, char *name, size_t size) {
  snprintf(name, size, "%s", path);
  for (char *c = name; *c != '\0'; c++)
    if (*c == '/')
      *c = '_';
}

static void place_rows(TraceReader *reader, const char *path, Place *place) {
  int shape[2];
  char first[1][TRACE_NAME_SIZE];
  trace_channel_shape(reader, path, shape);
  place->has_rows = shape[1] > 0 || (shape[0] > 0 && trace_row_names(reader, path, first, 1) == 1);
  place->rows = place->has_rows ? shape[0] : 1;
  place->width = !place->has_rows ? shape[0] : shape[1];
  if (place->width == 0)
    place->width = 1;
}

static void place_in_group(Place *place, bool is_object) {
  char group[TRACE_NAME_SIZE];
  const char *rest = split_path(place->channel, group, sizeof group);
  // The values of poses belong to joints.
  const bool is_pose = strcmp(group, "pose") == 0 && rest[0] != '\0';
  snprintf(place->table, sizeof place->table, "%s%s", is_object ? "object_" : "", is_pose ? "joints" : group);
  join_words(rest[0] != '\0' ? rest : group, place->column, sizeof place->column);
}

// False for a dataset that does not have one row per frame, or is an index into a list.
static bool find_place(TraceReader *reader, const char *path, Place *place) {
  int shape[2];
  char group[TRACE_NAME_SIZE];
  *place = (Place){.owner_key = ""};
  if (!trace_channel_shape(reader, path, shape) || !trace_type(reader, path, &place->type) ||
      strlen(path) >= TRACE_TABLE_PATH_SIZE || strcmp(path, trace_time_channel.path) == 0)
    return false;
  const char *rest = split_path(path + 1, group, sizeof group);
  const bool is_character = strcmp(group, "characters") == 0, is_object = strcmp(group, "objects") == 0;
  if (strcmp(group, "contacts") == 0)
    return false;
  if (is_character || is_object) {
    place->owner_key = is_character ? "character" : "object";
    rest = split_path(rest, place->owner, sizeof place->owner);
  } else {
    rest = path + 1;
  }
  snprintf(place->channel, sizeof place->channel, "%s", rest);
  place_rows(reader, path, place);
  if (place->has_rows) {
    place_in_group(place, is_object);
  } else {
    snprintf(place->table, sizeof place->table, "%s", is_character ? "character" : is_object ? "objects" : "world");
    join_words(strncmp(rest, "pose/", 5) == 0 ? rest + 5 : rest, place->column, sizeof place->column);
  }
  return true;
}

// The key for the names of a table's rows.
static void name_rows(const char *table, char key[TRACE_NAME_SIZE]) {
  static const char *const known[][2] = {{"feet", "foot"}, {"graph", "track"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(table, known[i][0]) == 0) {
      snprintf(key, TRACE_NAME_SIZE, "%s", known[i][1]);
      return;
    }
  const size_t length = strlen(table);
  const bool plural = length > 1 && table[length - 1] == 's';
  snprintf(key, TRACE_NAME_SIZE, plural ? "%.*s" : "%.*s_row", (int)(length - plural), table);
}

// ---- Building ----

typedef struct Builder {
  TraceTable *table;
  const char *character;
  bool failed; // out of memory
} Builder;

// Appends a zeroed entry to an array of *count; NULL when memory has run out.
static void *add_entry(void *array_pointer, int *count, size_t size) {
  void **array = array_pointer;
  char *grown = realloc(*array, ((size_t)*count + 1) * size);
  if (!grown)
    return NULL;
  *array = grown;
  memset(grown + (size_t)*count * size, 0, size);
  return grown + (size_t)(*count)++ * size;
}

static int find_name(char (*names)[TRACE_NAME_SIZE], int count, const char *name) {
  int i = 0;
  while (i < count && strcmp(names[i], name) != 0)
    i++;
  return i < count ? i : -1;
}

static int owner_of(TraceTable *table, const Place *place) {
  for (int i = 0; i < table->owner_count; i++)
    if (strcmp(table->owners[i].name, place->owner) == 0)
      return i;
  TraceTableOwner *owner = add_entry(&table->owners, &table->owner_count, sizeof *table->owners);
  if (!owner)
    return -1;
  memcpy(owner->name, place->owner, sizeof owner->name);
  return table->owner_count - 1;
}

static int column_of(TraceTable *table, const Place *place, const char *unit) {
  for (int i = 0; i < table->column_count; i++)
    if (strcmp(table->columns[i].channel, place->channel) == 0 && strcmp(table->columns[i].unit, unit) == 0 &&
        table->columns[i].width == place->width)
      return i;
  TraceTableColumn *column = add_entry(&table->columns, &table->column_count, sizeof *table->columns);
  if (!column)
    return -1;
  memcpy(column->name, place->column, sizeof column->name);
  memcpy(column->channel, place->channel, sizeof column->channel);
  snprintf(column->unit, sizeof column->unit, "%s", unit);
  column->width = place->width;
  return table->column_count - 1;
}

// Rows without names are numbered.
static bool read_row_names(TraceReader *reader, TraceTableChannel *channel, bool has_rows) {
  channel->names = calloc((size_t)channel->rows + 1, sizeof *channel->names);
  if (!channel->names)
    return false;
  if (has_rows && trace_row_names(reader, channel->path, channel->names, channel->rows) != channel->rows)
    for (int i = 0; i < channel->rows; i++)
      snprintf(channel->names[i], sizeof channel->names[i], "%d", i);
  return true;
}

static bool add_rows(TraceTableOwner *owner, const TraceTableChannel *channel) {
  for (int i = 0; i < channel->rows; i++) {
    if (find_name(owner->rows, owner->row_count, channel->names[i]) >= 0)
      continue;
    char(*name)[TRACE_NAME_SIZE] = add_entry(&owner->rows, &owner->row_count, sizeof *owner->rows);
    if (!name)
      return false;
    memcpy(*name, channel->names[i], sizeof *name);
  }
  return true;
}

static bool add_channel(TraceTable *table, const char *path, const Place *place) {
  char unit[TRACE_TABLE_UNIT_SIZE], description[256];
  trace_describe(table->reader, path, unit, description);
  TraceTableChannel *channel = add_entry(&table->channels, &table->channel_count, sizeof *table->channels);
  if (!channel)
    return false;
  snprintf(channel->path, sizeof channel->path, "%s", path);
  channel->type = place->type;
  channel->rows = place->rows;
  channel->width = place->width;
  channel->owner = owner_of(table, place);
  channel->column = column_of(table, place, unit);
  return channel->owner >= 0 && channel->column >= 0 && read_row_names(table->reader, channel, place->has_rows) &&
         add_rows(&table->owners[channel->owner], channel);
}

static void visit_channel(void *context, const char *path) {
  Builder *builder = context;
  TraceTable *table = builder->table;
  Place place;
  if (builder->failed || !find_place(table->reader, path, &place) || strcmp(place.table, table->name) != 0)
    return;
  if (builder->character && strcmp(place.owner_key, "character") == 0 && strcmp(place.owner, builder->character) != 0)
    return;
  table->owner_key = place.owner_key;
  if (place.has_rows)
    name_rows(table->name, table->row_key);
  builder->failed = !add_channel(table, path, &place);
}

// Finds the channel of each cell, and allocates a block of frames.
static bool index_channels(TraceTable *table) {
  const size_t cells = (size_t)table->owner_count * (size_t)table->column_count;
  table->channel_at = malloc((cells + 1) * sizeof *table->channel_at);
  for (size_t i = 0; table->channel_at && i < cells; i++)
    table->channel_at[i] = -1;
  bool good = table->channel_at != NULL;
  for (int i = 0; good && i < table->channel_count; i++) {
    TraceTableChannel *channel = &table->channels[i];
    const TraceTableOwner *owner = &table->owners[channel->owner];
    channel->row_of = calloc((size_t)owner->row_count + 1, sizeof *channel->row_of);
    channel->values = calloc((size_t)TABLE_BLOCK_FRAMES * (size_t)channel->rows * (size_t)channel->width,
                             trace_type_size(channel->type));
    good = channel->row_of && channel->values;
    for (int r = 0; good && r < owner->row_count; r++)
      channel->row_of[r] = find_name(channel->names, channel->rows, owner->rows[r]);
    table->channel_at[channel->owner * table->column_count + channel->column] = i;
  }
  return good;
}

typedef struct Names {
  TraceReader *reader;
  char (*names)[TRACE_NAME_SIZE];
  int count, max;
} Names;

static void visit_name(void *context, const char *path) {
  Names *names = context;
  Place place;
  if (names->count < names->max && find_place(names->reader, path, &place) &&
      find_name(names->names, names->count, place.table) < 0)
    memcpy(names->names[names->count++], place.table, sizeof place.table);
}

int trace_table_list(TraceReader *reader, char (*names)[TRACE_NAME_SIZE], int max) {
  Names list = {reader, names, 0, max};
  trace_visit(reader, visit_name, &list);
  return list.count;
}

static bool no_table(const char *name, const char *character, Error *error) {
  if (character)
    return error_set(error, "the trace has no table '%s' of '%s'", name, character);
  return error_set(error, "the trace has no table '%s'", name);
}

TraceTable *trace_table_open(TraceReader *reader, const char *name, const char *character, Error *error) {
  TraceTable *table = calloc(1, sizeof *table);
  if (!table) {
    error_set(error, "out of memory");
    return NULL;
  }
  table->reader = reader;
  table->owner_key = "";
  snprintf(table->name, sizeof table->name, "%s", name);
  Builder builder = {.table = table, .character = character};
  trace_visit(reader, visit_channel, &builder);
  bool good = !builder.failed && index_channels(table);
  if (!good)
    error_set(error, "out of memory");
  if (good && (table->channel_count > 0 || no_table(name, character, error)))
    return table;
  trace_table_close(table);
  return NULL;
}

void trace_table_close(TraceTable *table) {
  if (!table)
    return;
  for (int i = 0; i < table->channel_count; i++) {
    free(table->channels[i].names);
    free(table->channels[i].row_of);
    free(table->channels[i].values);
  }
  for (int i = 0; i < table->owner_count; i++)
    free(table->owners[i].rows);
  free(table->channel_at);
  free(table->channels);
  free(table->owners);
  free(table->columns);
  free(table);
}

// ---- Values ----

bool trace_table_load(TraceTable *table, long first, int count, Error *error) {
  for (int i = 0; i < table->channel_count; i++) {
    TraceTableChannel *channel = &table->channels[i];
    if (!trace_read(table->reader, channel->path, channel->type, first, count, channel->values, error))
      return false;
  }
  return true;
}

const void *trace_table_value(const TraceTable *table, int frame, int owner, int row, int column, TraceType *type) {
  const int index = table->channel_at[owner * table->column_count + column];
  if (index < 0)
    return NULL;
  const TraceTableChannel *channel = &table->channels[index];
  const int own = channel->row_of[row];
  if (own < 0)
    return NULL;
  *type = channel->type;
  const size_t at = ((size_t)frame * (size_t)channel->rows + (size_t)own) * (size_t)channel->width;
  return channel->values + at * trace_type_size(channel->type);
}
