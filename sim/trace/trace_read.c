// Reading traces: opens and checks a file, finds its datasets, and reads rows and attributes.
#define _GNU_SOURCE // memmem
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/reserve.h"
#include "sim/trace/hdf5_format.h"
#include "sim/trace/hdf5_open.h"
#include "sim/trace/hdf5_probe.h"
#include "sim/trace/trace_internal.h"

static const double LATEST_TIME = 1e9; // s, limit for a frame

enum { LARGEST_FILE = 16 << 20, LARGEST_FILES = 64 << 20 }; // bytes of embedded files

// ---- Attributes ----

// Removes control characters, since traces may come from elsewhere and texts go to terminals and tables. Line breaks
// are kept where several lines are allowed.
static void clean_text(char *text, bool one_line) {
  for (char *c = text; *c != '\0'; c++)
    if (((unsigned char)*c < ' ' && (one_line || !strchr("\n\r\t", *c))) || *c == 0x7f)
      *c = ' ';
}

// The text of an open attribute, with numbers formatted; NULL for other types. The caller frees it.
static char *read_text(hid_t attribute) {
  hid_t type = H5Aget_type(attribute);
  H5T_class_t class = H5Tget_class(type);
  hid_t space = H5Aget_space(attribute);
  bool is_scalar = H5Sget_simple_extent_npoints(space) == 1;
  H5Sclose(space);

  char *text = NULL, number[64] = "";
  double real;
  uint64_t whole;
  if (!is_scalar)
    ;
  else if (class == H5T_STRING && H5Tis_variable_str(type) > 0) {
    hid_t memory = trace_text_type();
    H5Tset_cset(memory, H5Tget_cset(type));
    char *shared = NULL; // owned by HDF5
    if (H5Aread(attribute, memory, &shared) >= 0)
      text = strdup(shared ? shared : "");
    H5free_memory(shared);
    H5Tclose(memory);
  } else if (class == H5T_STRING) {
    text = calloc(1, H5Tget_size(type) + 1);
    if (text && H5Aread(attribute, type, text) < 0)
      text[0] = '\0';
  } else if (class == H5T_FLOAT && H5Aread(attribute, H5T_NATIVE_DOUBLE, &real) >= 0)
    snprintf(number, sizeof number, "%.17g", real);
  else if (class == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE &&
           H5Aread(attribute, H5T_NATIVE_UINT64, &whole) >= 0)
    snprintf(number, sizeof number, "%llu", (unsigned long long)whole);
  else if (class == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_INT64, &whole) >= 0)
    snprintf(number, sizeof number, "%lld", (long long)whole);
  H5Tclose(type);
  return text ? text : number[0] ? strdup(number) : NULL;
}

// The text of an object's attribute. The caller frees it; NULL when there is none.
static char *read_object_text(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0)
    return NULL;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  char *text = read_text(attribute);
  H5Aclose(attribute);
  return text;
}

static void copy_text(char *to, size_t size, hid_t object, const char *name) {
  char *text = read_object_text(object, name);
  snprintf(to, size, "%s", text ? text : "");
  clean_text(to, true);
  free(text);
}

const char *trace_text(TraceReader *reader, const char *attribute) {
  for (int i = 0; i < reader->text_count; i++)
    if (strcmp(reader->texts[i].name, attribute) == 0)
      return reader->texts[i].text;
  ReaderText *texts = realloc(reader->texts, (size_t)(reader->text_count + 1) * sizeof *texts);
  if (!texts)
    return "";
  reader->texts = texts;
  hid_t root = H5Gopen2(reader->hdf5, "/", H5P_DEFAULT);
  ReaderText text = {strdup(attribute), read_object_text(root, attribute)};
  H5Gclose(root);
  if (!text.name || !text.text) {
    free(text.name);
    free(text.text);
    return "";
  }
  clean_text(text.text, false);
  texts[reader->text_count++] = text;
  return text.text;
}

double trace_number(TraceReader *reader, const char *attribute) {
  double number = NAN;
  return trace_values(reader, "/", attribute, &number, 1) == 1 ? number : NAN;
}

void trace_value_text(TraceReader *reader, const char *path, const char *attribute, char *text, size_t size) {
  hid_t object = H5Oopen(reader->hdf5, path, H5P_DEFAULT);
  char *read = object >= 0 ? read_object_text(object, attribute) : NULL;
  H5Oclose(object);
  snprintf(text, size, "%s", read ? read : "");
  clean_text(text, false);
  free(read);
}

int trace_values(TraceReader *reader, const char *path, const char *attribute, double *values, int max) {
  hid_t object = H5Oopen(reader->hdf5, path, H5P_DEFAULT);
  hid_t id = H5Aopen(object, attribute, H5P_DEFAULT); // fails where there is no object, or no such attribute
  H5Oclose(object);
  hid_t type = H5Aget_type(id), space = H5Aget_space(id);
  H5T_class_t class = H5Tget_class(type);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  H5Tclose(type);

  int read = 0;
  double *all = NULL;
  if ((class == H5T_FLOAT || class == H5T_INTEGER) && count > 0)
    all = calloc((size_t)count, sizeof *all);
  if (all && H5Aread(id, H5T_NATIVE_DOUBLE, all) >= 0) {
    read = count < max ? (int)count : max;
    memcpy(values, all, (size_t)read * sizeof *all);
  }
  free(all);
  H5Aclose(id);
  return read;
}

// ---- Opening ----

bool trace_is_hdf5(const char *path) { return hdf5_is_file(path); }

bool trace_is_trace(const char *path) { return hdf5_has_format(path, TRACE_FORMAT); }

bool trace_is_remnant(const char *path) {
  enum { MOST = 1 << 20 };
  FILE *file = trace_is_hdf5(path) ? fopen(path, "rb") : NULL;
  char *bytes = file ? malloc(MOST) : NULL;
  const size_t size = bytes ? fread(bytes, 1, MOST, file) : 0;
  const bool found = size > 0 && memmem(bytes, size, TRACE_FORMAT, strlen(TRACE_FORMAT));
  free(bytes);
  if (file)
    fclose(file);
  return found;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const ReaderDataset *)a)->path, ((const ReaderDataset *)b)->path);
}

const ReaderDataset *trace_find_dataset(const TraceReader *reader, const char *path) {
  ReaderDataset key = {.path = (char *)(uintptr_t)path};
  if (reader->dataset_count == 0)
    return NULL;
  return bsearch(&key, reader->datasets, (size_t)reader->dataset_count, sizeof key, compare_paths);
}

// The shape of an open dataset. False when traces have no such shape.
static bool read_shape(ReaderDataset *dataset) {
  hsize_t dims[H5S_MAX_RANK];
  hid_t space = H5Dget_space(dataset->id);
  int rank = H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  if (rank < 1 || rank > TRACE_MAX_RANK || dims[0] > LONG_MAX)
    return false;
  hsize_t size = 1;
  for (int i = 1; i < rank; i++) {
    if (dims[i] > INT_MAX || size * dims[i] > INT_MAX)
      return false;
    size *= dims[i];
  }
  dataset->rows = (long)dims[0];
  dataset->row_size = (int)size;
  dataset->row_values = rank == TRACE_MAX_RANK ? (int)dims[2] : 1;
  char rows[16];
  copy_text(rows, sizeof rows, dataset->id, TRACE_ROWS);
  dataset->is_channel = strcmp(rows, TRACE_ROWS_FRAME) == 0;
  return true;
}

#if !H5_VERSION_GE(1, 12, 0)
typedef H5O_info_t H5O_info1_t;
#endif

static herr_t add_dataset(hid_t hdf5, const char *name, const H5O_info1_t *info, void *context) {
  TraceReader *reader = context;
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  if (!reserve(&reader->datasets, &reader->dataset_capacity, reader->dataset_count + 1, sizeof *reader->datasets))
    return -1;
  size_t size = strlen(name) + 2;
  ReaderDataset dataset = {.path = malloc(size)};
  if (!dataset.path)
    return -1;
  snprintf(dataset.path, size, "/%s", name);
  dataset.id = hdf5_open_dataset(hdf5, name);
  if (dataset.id < 0 || !read_shape(&dataset)) {
    free(dataset.path);
    H5Dclose(dataset.id);
    return dataset.id < 0 ? -1 : 0;
  }
  reader->datasets[reader->dataset_count++] = dataset;
  return 0;
}

// A killed run may leave channels with more rows than /time, the last of which are not written: these are ignored. The
// frames are those that all channels have.
static void count_frames(TraceReader *reader) {
  long frames = INT_MAX;
  for (int i = 0; i < reader->dataset_count; i++)
    if (reader->datasets[i].is_channel && reader->datasets[i].rows < frames)
      frames = reader->datasets[i].rows;
  reader->frame_count = trace_find_dataset(reader, "/time") ? (int)frames : 0;
  for (int i = 0; i < reader->dataset_count; i++)
    if (reader->datasets[i].is_channel && strcmp(reader->datasets[i].path, "/time") != 0)
      reader->datasets[i].rows = reader->frame_count;
}

// Checks that times increase, so that other code may divide by their differences.
static bool check_times(TraceReader *reader, const char *path, Error *error) {
  enum { BLOCK = 4096 }; // frames
  double times[BLOCK] = {0}, last = -LATEST_TIME;
  for (int first = 0; first < reader->frame_count; first += BLOCK) {
    const int left = reader->frame_count - first, count = left < BLOCK ? left : BLOCK;
    Error cause = {0};
    if (!trace_read_column(reader, "/time", TRACE_FLOAT64, first, count, times, &cause))
      return error_set(error, "%s: %s", path, cause.text);
    for (int i = 0; i < count; i++) {
      if (!(times[i] >= -LATEST_TIME && times[i] <= LATEST_TIME))
        return error_set(error, "%s: /time of frame %d is %g s, allowed is from %g to %g", path, first + i, times[i],
                         -LATEST_TIME, LATEST_TIME);
      if (first + i > 0 && !(times[i] > last))
        return error_set(error, "%s: the trace's times do not rise in frame %d: %g s after %g s", path, first + i,
                         times[i], last);
      last = times[i];
    }
    if (count < BLOCK)
      break;
  }
  return true;
}

static bool read_contents(TraceReader *reader, const char *path, Error *error) {
  if (strcmp(trace_text(reader, "format"), TRACE_FORMAT) != 0)
    return error_set(error, "%s: not a Stagger trace (its attribute 'format' is not \"" TRACE_FORMAT "\")", path);
  double version = trace_number(reader, "format_version");
  if (!(version >= 1 && version <= TRACE_FORMAT_VERSION))
    return error_set(error, "%s: its trace format is %g, this version of Stagger reads up to %d", path, version,
                     TRACE_FORMAT_VERSION);
  if (H5Ovisit2(reader->hdf5, H5_INDEX_NAME, H5_ITER_INC, add_dataset, reader, H5O_INFO_BASIC) < 0)
    return error_set(error, "%s: the trace is damaged", path);
  if (reader->dataset_count > 0)
    qsort(reader->datasets, (size_t)reader->dataset_count, sizeof *reader->datasets, compare_paths);
  count_frames(reader);
  return check_times(reader, path, error);
}

// HDF5 crashes on some damaged files, so only files that have passed a test in a child process are opened here.
static TraceReader *open_sound(const char *path, Error *error) {
  TraceReader *reader = calloc(1, sizeof *reader);
  if (!reader) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  reader->hdf5 = hdf5_open(path, error);
  if (reader->hdf5 >= 0 && read_contents(reader, path, error))
    return reader;
  trace_reader_close(reader);
  return NULL;
}

static void try_to_open(const char *path) { trace_reader_close(open_sound(path, NULL)); }

TraceReader *trace_open(const char *path, Error *error) {
  trace_silence_hdf5();
  if (access(path, R_OK) != 0)
    error_set(error, "%s: cannot be read: %s", path, strerror(errno));
  else if (!hdf5_is_file(path))
    error_set(error, "%s: not an HDF5 file, a trace of Stagger is wanted", path);
  else if (!hdf5_survives(path, try_to_open))
    error_set(error, "%s: the file is damaged, HDF5 crashes on it", path);
  else
    return open_sound(path, error);
  return NULL;
}

void trace_reader_close(TraceReader *reader) {
  if (!reader)
    return;
  for (int i = 0; i < reader->dataset_count; i++) {
    H5Dclose(reader->datasets[i].id);
    free(reader->datasets[i].path);
  }
  for (int i = 0; i < reader->text_count; i++) {
    free(reader->texts[i].name);
    free(reader->texts[i].text);
  }
  if (reader->hdf5 >= 0)
    H5Fclose(reader->hdf5);
  free(reader->datasets);
  free(reader->texts);
  free(reader);
}

// ---- Datasets ----

int trace_frame_count(const TraceReader *reader) { return reader->frame_count; }

bool trace_shape(TraceReader *reader, const char *path, long *rows, int *row_size) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  *rows = dataset ? dataset->rows : 0;
  *row_size = dataset ? dataset->row_size : 0;
  return dataset != NULL;
}

bool trace_channel_shape(TraceReader *reader, const char *path, int shape[2]) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  shape[0] = shape[1] = 0;
  if (!dataset || !dataset->is_channel)
    return false;
  hsize_t dims[TRACE_MAX_RANK] = {0};
  hid_t space = H5Dget_space(dataset->id);
  H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  shape[0] = (int)dims[1];
  shape[1] = (int)dims[2];
  return true;
}

bool trace_type(TraceReader *reader, const char *path, TraceType *type) {
  static const TraceType TYPES[] = {TRACE_FLOAT32, TRACE_FLOAT64, TRACE_UINT8, TRACE_INT32, TRACE_UINT64};
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  bool known = false;
  hid_t of_file = dataset ? H5Dget_type(dataset->id) : H5I_INVALID_HID;
  for (size_t i = 0; dataset && !known && i < sizeof TYPES / sizeof TYPES[0]; i++) {
    *type = TYPES[i];
    known = H5Tequal(of_file, trace_native_type(TYPES[i])) > 0;
  }
  H5Tclose(of_file);
  return known;
}

static bool read_block(const ReaderDataset *dataset, hid_t type, long first, long step, long count, void *values) {
  hsize_t start[TRACE_MAX_RANK] = {(hsize_t)first}, steps[TRACE_MAX_RANK] = {(hsize_t)step, 1, 1}, size[TRACE_MAX_RANK];
  hid_t file_space = H5Dget_space(dataset->id);
  int rank = H5Sget_simple_extent_dims(file_space, size, NULL);
  size[0] = (hsize_t)count;
  hid_t memory_space = H5Screate_simple(rank, size, NULL);
  bool ok = H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, steps, size, NULL) >= 0 &&
            H5Dread(dataset->id, type, memory_space, file_space, H5P_DEFAULT, values) >= 0;
  H5Sclose(memory_space);
  H5Sclose(file_space);
  return ok;
}

// HDF5 takes some kB for each chunk that a read touches, which for all those of an hour is more than their values take.
bool trace_read_rows(const ReaderDataset *dataset, hid_t type, long first, long step, long count, void *values) {
  enum { BLOCK = 4096 }; // rows
  const long most = step < BLOCK ? BLOCK / step : 1;
  const size_t row_bytes = (size_t)dataset->row_size * H5Tget_size(type);
  bool ok = true;
  for (long done = 0; ok && done < count && row_bytes > 0; done += most)
    ok = read_block(dataset, type, first + done * step, step, count - done < most ? count - done : most,
                    (char *)values + (size_t)done * row_bytes);
  return ok;
}

static bool read_numbers(TraceReader *reader, const char *path, TraceType type, long first, long step, long count,
                         void *values, Error *error) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  if (!dataset)
    return error_set(error, "%s: the trace has no such dataset", path);
  const long span = count > 0 ? (count - 1) * step + 1 : count;
  if (first < 0 || count < 0 || first > dataset->rows || span > dataset->rows - first)
    return error_set(error, "%s: %ld rows from row %ld on are asked for, the trace has %ld", path, span, first,
                     dataset->rows);
  if (!trace_read_rows(dataset, trace_native_type(type), first, step, count, values))
    return error_set(error, "%s: cannot be read as numbers, or the trace is damaged", path);
  return true;
}

bool trace_read(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                Error *error) {
  return read_numbers(reader, path, type, first, 1, count, values, error);
}

bool trace_read_every(TraceReader *reader, const char *path, TraceType type, long step, long count, void *values,
                      Error *error) {
  return read_numbers(reader, path, type, 0, step, count, values, error);
}

bool trace_read_column(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                       Error *error) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  if (dataset && dataset->row_size != 1)
    return error_set(error, "%s: the trace has %d values in a row there, not one", path, dataset->row_size);
  return trace_read(reader, path, type, first, count, values, error);
}

TraceEvent *trace_events(TraceReader *reader, int *count) {
  *count = 0;
  const ReaderDataset *dataset = trace_find_dataset(reader, TRACE_EVENTS);
  if (!dataset || dataset->rows == 0 || dataset->rows > INT_MAX || dataset->row_size != 1)
    return NULL;
  TraceEvent *events = calloc((size_t)dataset->rows, sizeof *events);
  hid_t type = trace_event_type();
  bool ok = events && trace_read_rows(dataset, type, 0, 1, dataset->rows, events);
  H5Tclose(type);
  if (!ok) {
    free(events);
    return NULL;
  }
  *count = (int)dataset->rows;
  for (int i = 0; i < *count; i++) {
    char *const texts[] = {events[i].kind, events[i].character, events[i].part};
    for (int k = 0; k < 3; k++) {
      texts[k][TRACE_NAME_SIZE - 1] = '\0';
      clean_text(texts[k], true);
    }
  }
  return events;
}

int trace_row_names(TraceReader *reader, const char *path, char (*names)[TRACE_NAME_SIZE], int max) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  if (!dataset || H5Aexists(dataset->id, "names") <= 0)
    return 0;
  hid_t attribute = H5Aopen(dataset->id, "names", H5P_DEFAULT);
  hid_t space = H5Aget_space(attribute), file_type = H5Aget_type(attribute), type = trace_text_type();
  hssize_t total = H5Sget_simple_extent_npoints(space);
  char **texts = total > 0 && H5Tis_variable_str(file_type) > 0 ? calloc((size_t)total, sizeof *texts) : NULL;
  int count = 0;
  H5Tset_cset(type, H5Tget_cset(file_type));
  if (texts && H5Aread(attribute, type, texts) >= 0) {
    for (; count < total && count < max; count++) {
      snprintf(names[count], TRACE_NAME_SIZE, "%s", texts[count] ? texts[count] : "");
      clean_text(names[count], true);
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
  }
  free(texts);
  H5Tclose(type);
  H5Tclose(file_type);
  H5Sclose(space);
  H5Aclose(attribute);
  return count;
}

void trace_visit(TraceReader *reader, void (*visit)(void *context, const char *path), void *context) {
  for (int i = 0; i < reader->dataset_count; i++)
    visit(context, reader->datasets[i].path);
}

typedef struct AttributeVisitor {
  void (*visit)(void *context, const char *name);
  void *context;
} AttributeVisitor;

static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  (void)object, (void)info;
  const AttributeVisitor *visitor = context;
  visitor->visit(visitor->context, name);
  return 0;
}

void trace_visit_attributes(TraceReader *reader, const char *path, void (*visit)(void *context, const char *name),
                            void *context) {
  AttributeVisitor visitor = {visit, context};
  H5Aiterate_by_name(reader->hdf5, path, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, &visitor, H5P_DEFAULT);
}

void trace_describe(TraceReader *reader, const char *path, char unit[32], char description[256]) {
  const ReaderDataset *dataset = trace_find_dataset(reader, path);
  unit[0] = description[0] = '\0';
  if (!dataset)
    return;
  copy_text(unit, 32, dataset->id, "unit");
  copy_text(description, 256, dataset->id, "description");
}

// A file may have at most 16 MiB, and all files together 64 MiB, unless the trace itself is as large: a dataset of a
// few bytes can claim any size.
static bool check_file_size(const TraceReader *reader, const ReaderDataset *dataset, hsize_t *total, Error *error) {
  hsize_t trace_size = 0;
  H5Fget_filesize(reader->hdf5, &trace_size);
  const hsize_t size = (hsize_t)dataset->rows, most = (hsize_t)LARGEST_FILE, most_of_all = (hsize_t)LARGEST_FILES;
  *total = size > HSIZE_UNDEF - *total ? HSIZE_UNDEF : *total + size;
  if (size > (trace_size > most ? trace_size : most))
    return error_set(error, "%s: the file has %llu bytes, at most 16 MiB are allowed in a trace of %llu bytes",
                     dataset->path, (unsigned long long)size, (unsigned long long)trace_size);
  if (*total > (trace_size > most_of_all ? trace_size : most_of_all))
    return error_set(error,
                     "%s: with this one the trace's files have %llu bytes, at most 64 MiB are allowed in a "
                     "trace of %llu bytes",
                     dataset->path, (unsigned long long)*total, (unsigned long long)trace_size);
  return true;
}

static bool read_file(const ReaderDataset *dataset, const char *short_name, FileSet *files, Error *error) {
  size_t size = (size_t)dataset->rows;
  char *name = read_object_text(dataset->id, "name");
  char *bytes = malloc(size + 1);
  bool ok = bytes && dataset->row_size == 1 && trace_read_rows(dataset, H5T_NATIVE_UINT8, 0, 1, dataset->rows, bytes) &&
            files_put(files, name ? name : short_name, bytes, size);
  free(bytes);
  free(name);
  return ok || error_set(error, "%s: the file cannot be read from the trace", dataset->path);
}

bool trace_files(TraceReader *reader, FileSet *files, Error *error) {
  static const char FOLDER[] = "/files/";
  hsize_t total = 0;
  for (int i = 0; i < reader->dataset_count; i++) {
    const ReaderDataset *dataset = &reader->datasets[i];
    if (strncmp(dataset->path, FOLDER, sizeof FOLDER - 1) != 0)
      continue;
    if (!check_file_size(reader, dataset, &total, error) ||
        !read_file(dataset, dataset->path + sizeof FOLDER - 1, files, error))
      return false;
  }
  files->sealed = true;
  return true;
}
