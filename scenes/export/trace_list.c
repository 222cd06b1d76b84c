// Reads lists of a trace as tables: the columns that belong together, and the frame of each row if it is known.
#include "scenes/export/trace_list.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 4096 };

// The group of a list below the root; "" when the dataset is not a list of numbers: channels, files, texts.
static const char *list_of(TraceReader *reader, const char *path, char group[TRACE_NAME_SIZE]) {
  int shape[2];
  TraceType type;
  const char *slash = strchr(path + 1, '/');
  const int length = slash ? (int)(slash - path - 1) : (int)strlen(path + 1);
  snprintf(group, TRACE_NAME_SIZE, "%.*s", length, path + 1);
  if (trace_channel_shape(reader, path, shape) || !trace_type(reader, path, &type) || strcmp(group, "files") == 0 ||
      strlen(path) >= TRACE_TABLE_PATH_SIZE)
    group[0] = '\0';
  return slash ? slash + 1 : path + 1;
}

typedef struct Names {
  TraceReader *reader;
  char (*names)[TRACE_NAME_SIZE];
  int count, max;
} Names;

static void visit_name(void *context, const char *path) {
  Names *names = context;
  char group[TRACE_NAME_SIZE];
  list_of(names->reader, path, group);
  if (group[0] == '\0' || names->count == names->max)
    return;
  // The lists of a group are consecutive.
  if (names->count == 0 || strcmp(names->names[names->count - 1], group) != 0)
    memcpy(names->names[names->count++], group, sizeof group);
}

int trace_list_tables(TraceReader *reader, char (*names)[TRACE_NAME_SIZE], int max) {
  Names list = {reader, names, 0, max};
  trace_visit(reader, visit_name, &list);
  return list.count;
}

// ---- Reading ----

typedef struct Builder {
  TraceReader *reader;
  const char *name;
  TraceList *list;
  bool failed; // out of memory
} Builder;

static bool read_names(TraceReader *reader, ListColumn *column) {
  char(*names)[TRACE_NAME_SIZE] = calloc(NAMES_MAX, sizeof *names);
  if (!names)
    return false;
  column->name_count = trace_row_names(reader, column->path, names, NAMES_MAX);
  if (column->name_count == 0 || column->type != TRACE_INT32 || column->width != 1) {
    free(names);
    return true;
  }
  column->names = names;
  for (int i = 0; i < column->name_count; i++)
    column->has_owners = column->has_owners || strchr(names[i], '/');
  return true;
}

static void visit_list(void *context, const char *path) {
  Builder *builder = context;
  TraceList *list = builder->list;
  char group[TRACE_NAME_SIZE], description[256];
  const char *rest = list_of(builder->reader, path, group);
  if (builder->failed || group[0] == '\0' || strcmp(group, builder->name) != 0)
    return;
  ListColumn *grown = realloc(list->columns, ((size_t)list->column_count + 1) * sizeof *grown);
  if (!grown) {
    builder->failed = true;
    return;
  }
  list->columns = grown;
  ListColumn *column = &list->columns[list->column_count++];
  *column = (ListColumn){.width = 1};
  snprintf(column->name, sizeof column->name, "%s", rest);
  snprintf(column->path, sizeof column->path, "%s", path);
  trace_describe(builder->reader, path, column->unit, description);
  trace_type(builder->reader, path, &column->type);
  long rows;
  trace_shape(builder->reader, path, &rows, &column->width);
  if (rows < list->rows)
    list->rows = rows;
  builder->failed = !read_names(builder->reader, column);
}

// The columns that identify a row come first.
static int column_rank(const ListColumn *column) {
  static const char *const first[] = {"time", "character", "part"};
  enum { FIRST = sizeof first / sizeof first[0] };
  for (int i = 0; i < FIRST; i++)
    if (strcmp(column->name, first[i]) == 0)
      return i;
  return column->names ? FIRST : FIRST + 1;
}

static int compare_columns(const void *a, const void *b) {
  const ListColumn *one = a, *other = b;
  const int rank = column_rank(one) - column_rank(other);
  return rank != 0 ? rank : strcmp(one->path, other->path);
}

static bool read_values(TraceReader *reader, TraceList *list, Error *error) {
  for (int i = 0; i < list->column_count; i++) {
    ListColumn *column = &list->columns[i];
    column->values = calloc((size_t)list->rows * (size_t)column->width + 1, trace_type_size(column->type));
    if (!column->values)
      return error_set(error, "out of memory");
    if (!trace_read(reader, column->path, column->type, 0, list->rows, column->values, error))
      return false;
  }
  return true;
}

// A run that was killed may leave rows whose frame was not written, and frames whose rows were not.
static bool read_frames(TraceReader *reader, const char *name, TraceList *list, Error *error) {
  char first_path[TRACE_TABLE_PATH_SIZE], count_path[TRACE_TABLE_PATH_SIZE];
  int shape[2];
  snprintf(first_path, sizeof first_path, "/%s/first", name);
  snprintf(count_path, sizeof count_path, "/%s/count", name);
  if (!trace_channel_shape(reader, first_path, shape) || !trace_channel_shape(reader, count_path, shape))
    return true;
  const int frames = trace_frame_count(reader);
  int32_t *first = calloc((size_t)frames + 1, sizeof *first), *count = calloc((size_t)frames + 1, sizeof *count);
  list->frame = malloc(((size_t)list->rows + 1) * sizeof *list->frame);
  const bool has_memory = first && count && list->frame;
  if (!has_memory)
    error_set(error, "out of memory");
  const bool good = has_memory && trace_read_column(reader, first_path, TRACE_INT32, 0, frames, first, error) &&
                    trace_read_column(reader, count_path, TRACE_INT32, 0, frames, count, error);
  for (long r = 0; good && r < list->rows; r++)
    list->frame[r] = -1;
  for (int f = 0; good && f < frames; f++)
    for (long r = first[f]; r >= 0 && r < (long)first[f] + count[f] && r < list->rows; r++)
      list->frame[r] = f;
  free(count);
  free(first);
  return good;
}

TraceList *trace_list_read(TraceReader *reader, const char *name, Error *error) {
  TraceList *list = calloc(1, sizeof *list);
  if (!list) {
    error_set(error, "out of memory");
    return NULL;
  }
  list->rows = LONG_MAX;
  Builder builder = {.reader = reader, .name = name, .list = list};
  trace_visit(reader, visit_list, &builder);
  bool good = !builder.failed || error_set(error, "out of memory");
  if (good && list->column_count == 0)
    good = error_set(error, "the trace has no lists '%s'", name);
  if (good)
    qsort(list->columns, (size_t)list->column_count, sizeof *list->columns, compare_columns);
  if (good && read_values(reader, list, error) && read_frames(reader, name, list, error))
    return list;
  trace_list_free(list);
  return NULL;
}

void trace_list_free(TraceList *list) {
  if (!list)
    return;
  for (int i = 0; i < list->column_count; i++) {
    free(list->columns[i].names);
    free(list->columns[i].values);
  }
  free(list->columns);
  free(list->frame);
  free(list);
}

const ListColumn *trace_list_column(const TraceList *list, const char *name) {
  for (int i = 0; i < list->column_count; i++)
    if (strcmp(list->columns[i].name, name) == 0)
      return &list->columns[i];
  return NULL;
}

void trace_list_text(const ListColumn *column, long row, char owner[TRACE_NAME_SIZE], char text[TRACE_NAME_SIZE]) {
  const int32_t index = ((const int32_t *)column->values)[row];
  owner[0] = text[0] = '\0';
  if (index == -1 && strcmp(column->path, "/contacts/other") == 0)
    snprintf(text, TRACE_NAME_SIZE, "ground");
  if (index < 0 || index >= column->name_count)
    return;
  const char *name = column->names[index], *slash = column->has_owners ? strchr(name, '/') : NULL;
  if (slash)
    snprintf(owner, TRACE_NAME_SIZE, "%.*s", (int)(slash - name), name);
  snprintf(text, TRACE_NAME_SIZE, "%s", slash ? slash + 1 : name);
}
