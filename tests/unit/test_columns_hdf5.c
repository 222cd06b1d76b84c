// Tables as HDF5: of no, one and several rows, what was written is what is read, whatever lies between the rows.
#include "tests/unit/small_scene.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_come_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
