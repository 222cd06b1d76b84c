// What readers make of traces of which each group, channel, list and attribute is once missing, of another type,
// shorter or of another value: what is said, and how it compares with the trace as it was, to the letter.
#include "tests/unit/recorded_run.h"

#include <hdf5.h>

#include "scenes/description/trace_motion.h"
#include "scenes/report/report_run.h"
#include "sim/base/text_buffer.h"
#include "tests/unit/text_digest.h"

static const char SCENE[] =
    "seed: 4\nduration: 0.2\nworld: {dt: 1/100}\ntrace: {rate: 50, states: 0.1}\n"
    "characters: [{name: doll, body: boxes.yaml, animation: {move: nod.yaml}, start: {position: [0, 0.3, 0]}, drive: "
    "{strength: 0.5}}]\n"
    "props: [{name: crate, size: [0.3, 0.2, 0.4], mass: 3, center: [0.6, 1, 0.3]}]\n"
    "events: [{kind: impulse, time: 0.05, character: doll, part: top, impulse: 1}]\nexpect: [doll.fell == 0]\n";

typedef enum Edit { MISSING, OTHER_TYPE, SHORTER, OTHER_VALUE, EDITS } Edit;

enum { MOST = 4000, NAME_SIZE = 120 };

// Objects, and attributes of them.
typedef struct Listed {
  char object[NAME_SIZE], attribute[NAME_SIZE]; // "": the object itself
} Listed;

static Listed listed[MOST];
static int listed_count;
static const uint64_t KEPT[EDITS + 1] = {0x01739f5c40530789, 0x2e5f4afb2be7b26c, 0xba5cb584073ebd34, 0x898ff7cc6c21e763,
                                         0x23fe12eb0b676b4d};

// Adds an attribute of an object, or the object itself, unless two of that name are in the list already.
static void list(const char *object, const char *attribute) {
  int alike = 0;
  for (int i = 0; i < listed_count && attribute[0] != '\0'; i++)
    alike += strcmp(listed[i].attribute, attribute) == 0;
  assert_true(listed_count < MOST);
  if (alike < 2) {
    snprintf(listed[listed_count].object, NAME_SIZE, "/%s", strcmp(object, ".") == 0 ? "" : object);
    snprintf(listed[listed_count++].attribute, NAME_SIZE, "%s", attribute);
  }
}

static herr_t list_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  (void)object, (void)info;
  list(context, name);
  return 0;
}

static herr_t list_object(hid_t file, const char *name, const H5L_info_t *info, void *context) {
  (void)info, (void)context;
  list(name, "");
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, list_attribute, (void *)(uintptr_t)name);
  return H5Oclose(object);
}

// ---- Edits ----

static void put_bytes(hid_t file, const char *name, int rank, const hsize_t dims[]) {
  const hid_t space = H5Screate_simple(rank, dims, NULL);
  const hid_t made = H5Dcreate2(file, name, H5T_NATIVE_INT8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0)
    H5Dclose(made);
  H5Sclose(space);
}

// Changes the last bytes of a data set.
static bool change_value(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const bool plain = H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER;
  double *values = calloc((size_t)count + 1, sizeof *values);
  bool good = plain && count > 0 && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  values[count / 2] = values[count / 2] + 1;
  good = good && H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  free(values);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

static bool edit_dataset(hid_t file, const char *name, hid_t dataset, Edit edit) {
  const hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  hsize_t dims[8] = {0};
  assert_true(rank < 8);
  H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  if (edit == OTHER_VALUE)
    return change_value(dataset);
  if (rank == 0 || dims[0] == 0)
    return false;
  if (edit == SHORTER)
    return dims[0]--, H5Dset_extent(dataset, dims) >= 0;
  if (H5Ldelete(file, name, H5P_DEFAULT) < 0)
    return false;
  put_bytes(file, name, rank, dims);
  return true;
}

static bool edit_object(hid_t file, const char *name, Edit edit) {
  if (edit == MISSING)
    return H5Ldelete(file, name, H5P_DEFAULT) >= 0;
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  const bool done = H5Iget_type(object) == H5I_DATASET && edit_dataset(file, name, object, edit);
  H5Oclose(object);
  return done;
}

static bool edit_attribute(hid_t object, const char *name, Edit edit) {
  if (edit == SHORTER)
    return false;
  const hid_t before = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(before);
  const bool text = H5Tget_class(type) == H5T_STRING;
  H5Tclose(type);
  H5Aclose(before);
  if ((edit == OTHER_VALUE && text) || H5Adelete(object, name) < 0)
    return false;
  if (edit == MISSING)
    return true;
  const hid_t space = H5Screate(H5S_SCALAR);
  const bool number = text || edit == OTHER_VALUE; // else two letters
  const hid_t letters = H5Tcopy(H5T_C_S1);
  H5Tset_size(letters, 2);
  const hid_t made = H5Acreate2(object, name, number ? H5T_NATIVE_DOUBLE : letters, space, H5P_DEFAULT, H5P_DEFAULT);
  const double value = 7;
  const bool good = H5Awrite(made, number ? H5T_NATIVE_DOUBLE : letters, number ? (const void *)&value : "no") >= 0;
  H5Aclose(made);
  H5Tclose(letters);
  H5Sclose(space);
  return good;
}

// ---- What is made of it ----

// Adds a text without the file's name.
static void say(TextBuffer *told, const char *text, const char *path) {
  for (const char *at; (at = strstr(text, path)); text = at + strlen(path))
    text_print(told, "%.*s", (int)(at - text), text);
  text_print(told, "%s\n", text);
}

static void look_at(TraceReader *reader, const Listed *item, TextBuffer *told) {
  char unit[32] = "", doc[256] = "", value[64] = "";
  long rows = -1;
  int size = -1, shape[2] = {-1, -1};
  TraceType type = TRACE_FLOAT64;
  double numbers[4] = {0};
  if (item->attribute[0] != '\0') {
    trace_value_text(reader, item->object, item->attribute, value, sizeof value);
    const int count = trace_values(reader, item->object, item->attribute, numbers, 4);
    const bool version = strcmp(value, STAGGER_VERSION) == 0;
    text_print(told, "%s %d %.9g %.9g\n", version ? "version" : value, count, numbers[0], numbers[1]);
    return;
  }
  const bool there = trace_shape(reader, item->object, &rows, &size);
  const bool typed = there && trace_type(reader, item->object, &type);
  const bool shaped = there && trace_channel_shape(reader, item->object, shape);
  if (there)
    trace_describe(reader, item->object, unit, doc);
  text_print(told, "%d%d%d %ld %d %d %d %d %s %s\n", there, typed, shaped, rows, size, typed ? (int)type : -1, shape[0],
             shape[1], unit, doc);
}

// item: looked at for itself; NULL: each is.
static void look(TraceReader *whole, const char *path, const Listed *item, TextBuffer *told) {
  Error error = {0};
  char report[2000] = "";
  TraceReader *reader = trace_open(path, &error);
  say(told, error.text, path);
  if (!reader)
    return;
  const bool same = trace_compare(whole, reader, report, sizeof report);
  text_print(told, "%d frames, %d\n", trace_frame_count(reader), same);
  say(told, report, path);
  if (!item || item->attribute[0] != '\0') {
    text_print(told, "%d ", trace_compare_begun(reader, whole, report, sizeof report));
    say(told, report, path);
  }
  for (int i = 0; i < listed_count; i++)
    if (!item || item == &listed[i])
      look_at(reader, &listed[i], told);
  int count = 0;
  free(trace_events(reader, &count));
  SceneDef *def = scene_def_from_trace(reader, &error);
  text_print(told, "%d events\n", count);
  say(told, error.text, path);
  error = (Error){0};
  ReportRun *run = def ? report_run_read(reader, def, 100, &error) : NULL;
  say(told, error.text, path);
  for (int i = 0; run && i < run->character_count; i++)
    text_print(told, "%d plots, %s\n", run->characters[i].plot_count, run->characters[i].strategy);
  error = (Error){0};
  TraceMotion *motion = def ? trace_motion_read(reader, def, NULL, TRACE_POSE_OUTPUT, &error) : NULL;
  say(told, error.text, path);
  trace_motion_free(motion);
  report_run_free(run);
  scene_def_free(def);
  trace_reader_close(reader);
}

static void copy_file(const char *from, const char *to) {
  static char bytes[4 << 20];
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  const size_t size = fread(bytes, 1, sizeof bytes, in);
  assert_true(size < sizeof bytes && fwrite(bytes, 1, size, out) == size);
  fclose(in);
  fclose(out);
}

static void each_edit(const RecordedRun *run, Edit edit, TextBuffer *told) {
  char path[32];
  small_file(path);
  for (int i = edit; i < listed_count; i += EDITS + 2) { // a whole reading takes 20 ms
    copy_file(run->path, path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    const bool whole = listed[i].attribute[0] == '\0';
    const hid_t object = whole ? -1 : H5Oopen(file, listed[i].object, H5P_DEFAULT);
    const bool done = whole ? listed[i].object[1] != '\0' && edit_object(file, listed[i].object, edit)
                            : edit_attribute(object, listed[i].attribute, edit);
    if (!whole)
      H5Oclose(object);
    assert_true(H5Fclose(file) >= 0);
    if (!done)
      continue;
    text_print(told, "-- %s %s\n", listed[i].object, listed[i].attribute);
    look(run->reader, path, &listed[i], told);
  }
  remove(path);
}

static void list_all(const char *trace) {
  char path[32];
  small_file(path);
  copy_file(trace, path); // which no reader holds open
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  list_object(file, ".", NULL, NULL);
  assert_true(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, list_object, NULL) >= 0);
  H5Fclose(file);
  remove(path);
}

static void edited_traces_are_understood_or_refused(void **state) {
  (void)state;
  static const char *const names[] = {"missing", "of another type", "shorter", "of another value", "as it was"};
  RecordedRun run;
  int wrong = 0;
  recorded_run_of(&run, small_def(SCENE));
  list_all(run.path);
  for (int edit = 0; edit <= EDITS; edit++) {
    TextBuffer told = {0};
    if (edit < EDITS)
      each_edit(&run, (Edit)edit, &told);
    else
      look(run.reader, run.path, NULL, &told);
    wrong += !text_is_kept(names[edit], told.bytes, KEPT[edit]);
    text_free(&told);
  }
  recorded_run_end(&run);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edited_traces_are_understood_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
