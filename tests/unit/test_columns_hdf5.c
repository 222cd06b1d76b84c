// Tables as HDF5: of no, one and several rows, what was written is what is read, whatever lies between the rows.
#include "tests/unit/small_scene.h"

#include <hdf5.h>

#include "sim/trace/columns_hdf5.h"

enum { MOST_ROWS = 7, STRIDE = 3 };

typedef struct Seen {
  char text[200];
} Seen;

static void see(void *context, const char *name, const char *unit, bool is_text, long rows) {
  Seen *seen = context;
  const size_t length = strlen(seen->text);
  snprintf(seen->text + length, sizeof seen->text - length, "%s|%s|%s|%ld;", name, unit, is_text ? "text" : "number",
           rows);
}

static void tables_come_back(void **state) {
  (void)state;
  static const char *const texts[MOST_ROWS * STRIDE] = {"a", "", "", "four", "", "", "", "", "",  "a word",
                                                        "",  "", "", "",     "", "", "", "", "é", "none"};
  double numbers[MOST_ROWS * STRIDE];
  const char *filled[MOST_ROWS * STRIDE];
  for (int i = 0; i < MOST_ROWS * STRIDE; i++) {
    numbers[i] = 0.5 * i;
    filled[i] = texts[i] ? texts[i] : "";
  }
  for (long rows = 0; rows <= MOST_ROWS; rows++) {
    const HdfColumn columns[] = {{"way", "m", numbers, NULL}, {"what", "", NULL, filled}, {"time", "s", numbers, NULL}};
    char path[32], wanted[200];
    int cause = 0;
    Seen seen = {""};
    small_file(path);
    assert_true(columns_write_hdf5(path, "stagger-made", 1, columns, 3, rows, STRIDE, NULL, &cause));
    assert_true(columns_are_hdf5(path, "stagger-made") && !columns_are_hdf5(path, "stagger-trials"));
    assert_true(columns_visit_hdf5(path, see, &seen));
    snprintf(wanted, sizeof wanted, "way|m|number|%ld;what||text|%ld;time|s|number|%ld;", rows, rows, rows);
    assert_string_equal(seen.text, wanted);
    long count = -1;
    size_t size = 0;
    char *read = columns_read_texts(path, "what", &count, &size);
    assert_int_equal(read ? count : 0, rows);
    for (long i = 0; read && i < rows; i++)
      assert_string_equal(read + (size_t)i * size, filled[i * STRIDE]);
    free(read);
    assert_null(columns_read_texts(path, "way", &count, &size));
    assert_null(columns_read_texts(path, "nothing", &count, &size));
    remove(path);
  }
}

// ---- A block beside the columns ----

enum { BLOCK_ROWS = 5, HIGH = 2, WIDE = 3, FAILS_FROM_NONE = -1 };

static const char *const LABELS[WIDE] = {"hip", "knee of the left", "é"};

// context: the row that cannot be read.
static bool read_block_row(void *context, long row, int16_t *values) {
  for (int i = 0; i < HIGH * WIDE; i++)
    values[i] = (int16_t)(100 * row + i - 200);
  return row != *(const int *)context;
}

static bool write_with_block(const char *path, int failing, bool labelled) {
  const double numbers[BLOCK_ROWS] = {4, 3, 2, 1, 0};
  const HdfColumn column = {"trial", "", numbers, NULL};
  const HdfBlock block = {.name = "turns",
                          .unit = "rad",
                          .doc = "What it is.",
                          .scale = 0.25,
                          .rank = 2,
                          .dims = {HIGH, WIDE},
                          .labels = labelled ? LABELS : NULL,
                          .label_dim = 1,
                          .context = &failing,
                          .read = read_block_row};
  int cause = 0;
  return columns_write_hdf5(path, "stagger-made", 1, &column, 1, BLOCK_ROWS, 1, &block, &cause);
}

// The texts of an attribute, of which there are `count`.
static void texts_are(hid_t object, const char *name, int count, const char *const *wanted) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  const hid_t space = H5Aget_space(attribute);
  char *texts[WIDE] = {NULL};
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(count <= WIDE && H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, texts) >= 0);
  for (int i = 0; i < count; i++)
    assert_string_equal(texts[i], wanted[i]);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
}

// Row by row, with what its numbers mean and, if they are given, the names along one of its dimensions.
static void a_block_comes_back(void **state) {
  (void)state;
  for (int labelled = 0; labelled < 2; labelled++) {
    char path[32];
    small_file(path);
    assert_true(write_with_block(path, FAILS_FROM_NONE, labelled));
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, "turns", H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset), scale = H5Aopen(dataset, "scale", H5P_DEFAULT);
    hsize_t dims[4] = {0};
    assert_int_equal(H5Sget_simple_extent_dims(space, dims, NULL), 3);
    assert_true(dims[0] == BLOCK_ROWS && dims[1] == HIGH && dims[2] == WIDE);
    int16_t values[BLOCK_ROWS][HIGH * WIDE];
    assert_true(H5Dread(dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    for (int row = 0; row < BLOCK_ROWS; row++)
      for (int i = 0; i < HIGH * WIDE; i++)
        assert_int_equal(values[row][i], 100 * row + i - 200);
    double scaled = 0;
    assert_true(H5Aread(scale, H5T_NATIVE_DOUBLE, &scaled) >= 0);
    assert_true(scaled == 0.25);
    texts_are(dataset, "unit", 1, (const char *const[]){"rad"});
    texts_are(dataset, "doc", 1, (const char *const[]){"What it is."});
    assert_int_equal(H5Aexists(dataset, "labels") > 0, labelled);
    if (labelled)
      texts_are(dataset, "labels", WIDE, LABELS);
    H5Aclose(scale);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    remove(path);
  }
}

// A row that cannot be read, the first or the last one, leaves no file that passes for a whole one.
static void a_block_that_cannot_be_read_is_told(void **state) {
  (void)state;
  for (int row = 0; row < BLOCK_ROWS; row += BLOCK_ROWS - 1) {
    char path[32];
    small_file(path);
    assert_false(write_with_block(path, row, true));
    remove(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_come_back), cmocka_unit_test(a_block_comes_back),
                                     cmocka_unit_test(a_block_that_cannot_be_read_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
