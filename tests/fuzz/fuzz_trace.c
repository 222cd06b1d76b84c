// How to run: ./dev fuzz
// The bytes edit a valid trace through HDF5's own functions: datasets and attributes are removed, or replaced by
// another type, shape or text. The file remains readable by HDF5, but is not what a run writes. Every reader of traces
// reads it, and either succeeds or reports an error. Damage inside HDF5's own structures is not tested here.
#include <hdf5.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "run_scene.h"

#include "scenes/export/export.h"
#include "scenes/report/report.h"

static const char BODY[] = "name: boxes\n"
                           "parts:\n"
                           "  - {name: base, mass: 4, com: [0, 1, 0], inertia: [0.05, 0.06, 0.07],\n"
                           "     joint: {kind: root, position: [0, 1, 0]}, shapes: [{box: [0.2, 0.4, 0.3],\n"
                           "     center: [0, 1, 0]}]}\n"
                           "  - {name: top, parent: base, mass: 2, com: [0, 1.4, 0], inertia: [0.02, 0.02, 0.02],\n"
                           "     joint: {kind: ball, position: [0, 1.2, 0]}, shapes: [{sphere: 0.1,\n"
                           "     center: [0, 1.4, 0]}]}\n";
static const char SCENE[] = "duration: 0.1\n"
                            "characters: [{name: man, body: body.yaml}]\n"
                            "props: [{name: ball, shape: ball, size: [0.2, 0.2, 0.2], center: [0, 0.5, 0]}]\n"
                            "events: [{time: 0.02, part: base, impulse: 5}]\n";

enum { MOST_PLACES = 128, MOST_NAMES = 64, MOST_VALUES = 1 << 16 };

static char folder[] = "/tmp/fuzz_trace_XXXXXX", sound[64], edited[64], page[64], unfinished[64];
static TraceWriter *unfinished_writer;
static char *places[MOST_PLACES], *names[MOST_NAMES]; // of datasets and groups; of attributes
static int place_count, name_count;

static void add_text(char **list, int *count, int most, const char *text) {
  for (int i = 0; i < *count; i++)
    if (strcmp(list[i], text) == 0)
      return;
  if (*count < most)
    list[(*count)++] = strdup(text);
}

static void add_name(void *context, const char *name) {
  (void)context;
  add_text(names, &name_count, MOST_NAMES, name);
}

static void add_place(void *context, const char *path) {
  add_text(places, &place_count, MOST_PLACES, path);
  trace_visit_attributes(context, path, add_name, NULL);
}

// The valid trace, and its contents.
static void prepare(void) {
  static const char *const groups[] = {"/", "/metrics", "/contacts", "/hits", "/characters/man/parts", "/objects/ball"};
  check(mkdtemp(folder) != NULL);
  snprintf(sound, sizeof sound, "%s/sound.h5", folder);
  snprintf(edited, sizeof edited, "%s/edited.h5", folder);
  snprintf(page, sizeof page, "%s/page.html", folder);
  snprintf(unfinished, sizeof unfinished, "%s/unfinished.h5", folder);
  FileSet files = {0};
  files_put(&files, "body.yaml", BODY, sizeof BODY - 1);
  files.sealed = true;
  SceneDef *def = scene_def_from_text("small.yaml", SCENE, &files, NULL, 0, NULL);
  Scene *scene = def ? scene_create(def, NULL) : NULL;
  check(scene != NULL);
  const TraceInfo info = scene_trace_info(def);
  TraceWriter *trace = trace_create(sound, &info, NULL);
  check(trace && scene_record(scene, trace, NULL));
  while (scene->world->steps < def->step_count && scene_step(scene))
    continue;
  scene_finish(scene);
  check(trace_close(trace, "complete", NULL));
  // While a trace is being written no file is probed in a child process first, which takes the most time here.
  check((unfinished_writer = trace_create(unfinished, &info, NULL)) != NULL);
  scene_destroy(scene);
  scene_def_free(def);
  TraceReader *reader = trace_open(sound, NULL);
  check(reader != NULL);
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
    add_place(reader, groups[i]);
  trace_visit(reader, add_place, reader);
  trace_reader_close(reader);
}

static void remove_files(void) {
  trace_close(unfinished_writer, "interrupted", NULL);
  unlink(sound);
  unlink(edited);
  unlink(page);
  unlink(unfinished);
  rmdir(folder);
}

static void copy_sound(void) {
  static char bytes[1 << 22];
  static size_t size;
  FILE *file = size == 0 ? fopen(sound, "rb") : NULL;
  if (file) {
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  check(size > 0 && size < sizeof bytes && (file = fopen(edited, "wb")));
  check(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

// The bytes as they are used up.
typedef struct Bytes {
  const uint8_t *data;
  size_t size;
} Bytes;

static unsigned next(Bytes *bytes, unsigned below) {
  if (bytes->size == 0)
    return 0;
  bytes->size--;
  return *bytes->data++ % below;
}

static hid_t next_type(Bytes *bytes) {
  hid_t type;
  switch (next(bytes, 8)) {
  case 0:
    type = H5Tcopy(H5T_NATIVE_DOUBLE);
    break;
  case 1:
    type = H5Tcopy(H5T_NATIVE_FLOAT);
    break;
  case 2:
    type = H5Tcopy(H5T_NATIVE_INT8);
    break;
  case 3:
    type = H5Tcopy(H5T_STD_U64BE);
    break;
  case 4:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1 + next(bytes, 80));
    break;
  case 5:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    break;
  case 6:
    type = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &(hsize_t){1 + next(bytes, 9)});
    break;
  default:
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "time", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "part", 8, H5T_NATIVE_INT64);
  }
  return type;
}

static hid_t next_space(Bytes *bytes) {
  static const hsize_t lengths[] = {0, 1, 2, 3, 4, 6, 7, 25, 64, 300};
  hsize_t dims[4];
  const unsigned rank = next(bytes, 6);
  if (rank == 5)
    return H5Screate(H5S_NULL);
  for (unsigned i = 0; i < rank; i++)
    dims[i] = lengths[next(bytes, i < 2 ? 10 : 5)];
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple((int)rank, dims, NULL);
}

static void put_dataset(hid_t file, const char *path, Bytes *bytes) {
  const hid_t type = next_type(bytes), space = next_space(bytes);
  hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const char *rows = next(bytes, 2) ? "frame" : "list", *const *value = &rows;
  const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
  H5Tset_size(text, H5T_VARIABLE);
  hid_t attribute = H5Acreate2(dataset, "rows", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, text, value);
  H5Aclose(attribute);
  H5Dclose(dataset);
  H5Sclose(scalar);
  H5Tclose(text);
  H5Sclose(space);
  H5Tclose(type);
}

static void put_attribute(hid_t object, const char *name, Bytes *bytes) {
  const hid_t type = next_type(bytes), space = next_space(bytes);
  static double values[MOST_VALUES];
  for (int i = 0; i < 16; i++)
    values[i] = (double[]){0, -1, 1e300, 7, 0.5, -1e9}[next(bytes, 6)];
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Tis_variable_str(type) <= 0 && H5Aget_storage_size(attribute) <= sizeof values)
    H5Awrite(attribute, type, values);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

// A text of the next bytes.
static void put_text(hid_t object, const char *name, Bytes *bytes) {
  char text[256] = "";
  size_t length = next(bytes, sizeof text);
  if (length > bytes->size)
    length = bytes->size;
  memcpy(text, bytes->data, length);
  bytes->data += length;
  bytes->size -= length;
  const char *value = text;
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, &value);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static void edit(hid_t file, Bytes *bytes) {
  const unsigned kind = next(bytes, 5);
  const char *place = places[next(bytes, (unsigned)place_count)];
  if (kind < 2) {
    H5Ldelete(file, place, H5P_DEFAULT);
    if (kind == 1)
      put_dataset(file, place, bytes);
    return;
  }
  const char *name = names[next(bytes, (unsigned)name_count)];
  hid_t object = H5Oopen(file, place, H5P_DEFAULT);
  H5Adelete(object, name);
  if (kind == 3)
    put_attribute(object, name, bytes);
  else if (kind == 4)
    put_text(object, name, bytes);
  H5Oclose(object);
}

static void read_attribute(void *context, const char *name) { check(context && name[0] != '\0'); }

static void read_place(void *context, const char *path) {
  static double values[MOST_VALUES];
  TraceReader *reader = context;
  long rows;
  int size, shape[2];
  TraceType type;
  Error error = {0};
  char unit[32], description[256], row_names[40][TRACE_NAME_SIZE];
  bool is_dataset = trace_shape(reader, path, &rows, &size);
  trace_channel_shape(reader, path, shape);
  trace_type(reader, path, &type);
  if (is_dataset && (long)MOST_VALUES / (size > 0 ? size : 1) >= rows)
    check(trace_read(reader, path, TRACE_FLOAT64, 0, rows, values, &error) || error.text[0] != '\0');
  check(trace_row_names(reader, path, row_names, 40) <= 40);
  trace_describe(reader, path, unit, description);
  trace_visit_attributes(reader, path, read_attribute, reader);
  for (int i = 0; i < name_count; i++) {
    check(trace_values(reader, path, names[i], values, 8) <= 8);
    trace_value_text(reader, path, names[i], description, sizeof description);
  }
}

static void read_places(TraceReader *reader) {
  for (int i = 0; i < place_count; i++)
    read_place(reader, places[i]);
  int count;
  free(trace_events(reader, &count));
}

static void compare(TraceReader *reader) {
  static char report[1 << 14];
  TraceReader *other = trace_open(sound, NULL);
  trace_compare(reader, other, report, sizeof report);
  trace_compare_begun(other, reader, report, sizeof report);
  trace_reader_close(other);
}

static void export(TraceReader *reader, Bytes *bytes) {
  static const char *const tables[] = {"joints", "parts", "contacts", "events", "hits", "feet", "time", "objects"};
  Error error = {0};
  SceneDef *def = scene_def_from_trace(reader, &error);
  check((def != NULL) == (error.text[0] == '\0'));
  if (def) {
    const ExportFormat *format = &export_formats[next(bytes, (unsigned)export_format_count)];
    ExportOptions options = {.pose = (TracePose)next(bytes, TRACE_POSE_COUNT)};
    if (strcmp(format->name, "csv") == 0)
      options.table = tables[next(bytes, 8)];
    ExportResult result = {0};
    check(format->make(reader, def, &options, &result, &error) == (error.text[0] == '\0'));
    free(result.bytes);
  }
  scene_def_free(def);
}

static void report(void) {
  char notes[1024];
  Error error = {0};
  const ReportOptions options = {.input = edited, .output = page, .command = ""};
  check(report_write(&options, notes, sizeof notes, &error) == (error.text[0] == '\0'));
}

// One of the readers of traces.
static void read_trace(Bytes *bytes) {
  const unsigned who = next(bytes, 8);
  if (who == 0) {
    report();
    return;
  }
  Error error = {0};
  TraceReader *reader = trace_open(edited, &error);
  check((reader != NULL) == (error.text[0] == '\0'));
  if (!reader)
    return;
  if (who < 4)
    export(reader, bytes);
  else if (who == 4)
    compare(reader);
  else
    read_places(reader);
  trace_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (place_count == 0) {
    prepare();
    atexit(remove_files);
  }
  copy_sound();
  Bytes readers = {data, size < 3 ? size : 3}, bytes = {data + readers.size, size - readers.size};
  const hid_t file = H5Fopen(edited, H5F_ACC_RDWR, H5P_DEFAULT);
  check(file >= 0);
  for (int i = 0; i < 8 && bytes.size > 0; i++)
    edit(file, &bytes);
  check(H5Fclose(file) >= 0);
  read_trace(&readers);
  return 0;
}
