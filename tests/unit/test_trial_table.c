// Tables of trials: cells, lines and whole tables read back to the same bits; other files are refused with the place of
// the error.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/sweep/trial_table.h"
#include "sim/base/rng.h"

static const TableColumn COLUMNS[] = {
    {"trial", "", TABLE_NUMBER}, {"status", "", TABLE_TEXT}, {"man.fell", "bool", TABLE_NUMBER}};
enum { COUNT = 3 };

static Table *parse(const char *text) {
  Error error = {0};
  Table *table = table_parse("trials.csv", text, strlen(text), COLUMNS, COUNT, &error);
  assert_string_equal(error.text, "");
  assert_non_null(table);
  return table;
}

static void assert_same_bits(double a, double b) {
  if (isnan(a) && isnan(b)) // there is one kind of them
    return;
  assert_memory_equal(&a, &b, sizeof a);
}

// Cells.

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {17, "17"},
      {-3, "-3"},
      {10000000, "10000000"},
      {0.1, "0.1"},
      {22.5, "22.5"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {1.0 / 240, "0.004166666666666667"},
      {1e300, "1e+300"},
      {DBL_MAX, "1.7976931348623157e+308"},
      {5e-324, "4.94065645841247e-324"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[TABLE_CELL_SIZE], line[64] = "7", csv[128];
    table_number_text(cases[i].value, text);
    assert_string_equal(text, cases[i].text);
    assert_true(table_add_number(line, sizeof line, cases[i].value));
    snprintf(csv, sizeof csv, "trial,status,man.fell\n7,,%s\n", cases[i].text);
    Table *table = parse(csv);
    assert_same_bits(table_number(table, 0, 2), cases[i].value);
    assert_string_equal(line + 2, cases[i].text);
    table_free(table);
  }
}

static void test_texts(void **state) {
  (void)state;
  char line[128] = "";
  assert_true(table_add_number(line, sizeof line, 0));
  assert_true(table_add_text(line, sizeof line, "plain"));
  assert_true(table_add_text(line, sizeof line, ""));
  assert_true(table_add_text(line, sizeof line, "a, \"b\""));
  assert_true(table_add_text(line, sizeof line, "two\nlines\r\tand \x7f"));
  assert_true(table_add_text(line, sizeof line, "M\xc3\xbcller"));
  assert_true(table_add_text(line, sizeof line, "\""));
  assert_string_equal(line, "0,plain,,\"a, \"\"b\"\"\",two lines  and  ,M\xc3\xbcller,\"\"\"\"");
}

// A cell that does not fit leaves the line as it was; one that just fits is appended.
static void test_full_lines(void **state) {
  (void)state;
  char line[8] = "12";
  assert_false(table_add_text(line, sizeof line, "34567"));
  assert_string_equal(line, "12");
  assert_false(table_add_text(line, sizeof line, "3,4"));
  assert_string_equal(line, "12");
  assert_true(table_add_text(line, sizeof line, "3456"));
  assert_string_equal(line, "12,3456");
  assert_false(table_add_number(line, sizeof line, NAN)); // even a comma
  assert_string_equal(line, "12,3456");
}

static void test_header(void **state) {
  (void)state;
  char *header = table_header(COLUMNS, COUNT);
  assert_string_equal(header, "trial,status,man.fell");
  free(header);
  const TableColumn odd[] = {{"a,b", "", TABLE_NUMBER}, {"c\"d", "", TABLE_NUMBER}};
  header = table_header(odd, 2);
  assert_string_equal(header, "\"a,b\",\"c\"\"d\"");
  free(header);
}

// Tables.

static void test_parse(void **state) {
  (void)state;
  Table *table = parse("trial,status,man.fell\n"
                       "0,complete,1\n"
                       "1,\"stopped: \"\"chest\"\", 9 m\",\n"
                       "2,,0.5\n");
  assert_int_equal(table->row_count, 3);
  assert_int_equal(table->column_count, 3);
  assert_int_equal(table_find(table, "man.fell"), 2);
  assert_int_equal(table_find(table, "fell"), -1);
  assert_true(table_number(table, 1, 0) == 1);
  assert_true(isnan(table_number(table, 1, 2)));
  assert_true(isnan(table_number(table, 1, 1)));
  assert_string_equal(table_text(table, 0, 1), "complete");
  assert_string_equal(table_text(table, 1, 1), "stopped: \"chest\", 9 m");
  assert_string_equal(table_text(table, 2, 1), "");
  assert_null(table_text(table, 0, 0));
  table_free(table);
}

// A kill truncates the last line; a program may have changed line ends.
static void test_line_ends(void **state) {
  (void)state;
  Table *table = parse("trial,status,man.fell\n0,a,1\n1,b,1");
  assert_int_equal(table->row_count, 1);
  table_free(table);
  table = parse("trial,status,man.fell\n0,a,1\n1,\"b");
  assert_int_equal(table->row_count, 1);
  table_free(table);
  table = parse("trial,status,man.fell\n");
  assert_int_equal(table->row_count, 0);
  assert_true(table_sort(table, NULL));
  size_t size;
  char *csv = table_csv(table, &size);
  assert_string_equal(csv, "trial,status,man.fell\n");
  free(csv);
  table_free(table);
  table = parse("trial,status,man.fell\r\n0,\"a\",1\r\n1,b,\r\n");
  assert_int_equal(table->row_count, 2);
  assert_string_equal(table_text(table, 0, 1), "a");
  assert_true(isnan(table_number(table, 1, 2)));
  table_free(table);
}

static void test_parse_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"", "trials.csv:1:1: the first line, the names of the columns, is missing"},
      {"trial,status,man.fell", "trials.csv:1:1: the first line, the names of the columns, is missing"},
      {"trial,state,man.fell\n",
       "trials.csv:1:7: column 2 is 'state', not 'status': this is not a table of the same study"},
      {"trial,status\n", "trials.csv:1:13: column 3 is '', not 'man.fell': this is not a table of the same study"},
      {"trial,status,man.fell,x\n", "trials.csv:1:23: more columns than the study has"},
      {"trial,status,man.fell\n0,a\n", "trials.csv:2:4: 2 cells, expected are 3"},
      {"trial,status,man.fell\n0,a,1\n\n", "trials.csv:3:1: 1 cells, expected are 3"},
      {"trial,status,man.fell\n0,a,1,2\n", "trials.csv:2:7: more than 3 cells"},
      {"trial,status,man.fell\n0,a,yes\n", "trials.csv:2:5: man.fell is 'yes', expected is a number"},
      {"trial,status,man.fell\n0,a, 1\n", "trials.csv:2:5: man.fell is ' 1', expected is a number"},
      {"trial,status,man.fell\n0,a,0x1\n", "trials.csv:2:5: man.fell is '0x1', expected is a number"},
      {"trial,status,man.fell\n0,a,nan\n", "trials.csv:2:5: man.fell is 'nan', expected is a number"},
      {"trial,status,man.fell\n0,a,1e\n", "trials.csv:2:5: man.fell is '1e', expected is a number"},
      {"trial,status,man.fell\n0,a,--1\n", "trials.csv:2:5: man.fell is '--1', expected is a number"},
      {"trial,status,man.fell\n0,a,infinity\n", "trials.csv:2:5: man.fell is 'infinity', expected is a number"},
      {"trial,status,man.fell\n0,\"a,1\n", "trials.csv:2:3: a quoted cell is not closed in its line"},
      {"trial,status,man.fell\n0,\"a\"b,1\n",
       "trials.csv:2:6: expected a comma or the end of the line; a cell with quotes in it is quoted as a whole"},
      {"trial,status,man.fell\n0,a\"b,1\n",
       "trials.csv:2:4: expected a comma or the end of the line; a cell with quotes in it is quoted as a whole"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    assert_null(table_parse("trials.csv", cases[i].text, strlen(cases[i].text), COLUMNS, COUNT, &error));
    assert_string_equal(error.text, cases[i].error);
  }
  static const char ZERO[] = "trial,status,man.fell\n0,a\0b,1\n";
  Error error = {0};
  assert_null(table_parse("trials.csv", ZERO, sizeof ZERO - 1, COLUMNS, COUNT, &error));
  assert_string_equal(error.text, "trials.csv:2:1: a zero byte, so this is not CSV");
}

// Any bits and any printable text, written and read.
static void test_round_trip(void **state) {
  (void)state;
  enum { ROWS = 500 };
  Rng rng = rng_make(3, "table");
  char *text = calloc(ROWS + 1, 256), *end = text, *kept[ROWS];
  double numbers[ROWS];
  end += sprintf(end, "trial,status,man.fell\n");
  for (int i = 0; i < ROWS; i++) {
    char line[256] = "", word[24] = "";
    for (int k = rng_index(&rng, 20); k > 0; k--)
      word[strlen(word)] = (char)(' ' + rng_index(&rng, '~' - ' ' + 1));
    uint64_t bits = rng_next(&rng);
    if (i % 3 == 0)
      numbers[i] = (double)rng_index(&rng, 2000000) / 1000; // of few digits
    else
      memcpy(&numbers[i], &bits, sizeof bits);
    kept[i] = strdup(word);
    assert_true(table_add_number(line, sizeof line, i));
    assert_true(table_add_text(line, sizeof line, word));
    assert_true(table_add_number(line, sizeof line, numbers[i]));
    end += sprintf(end, "%s\n", line);
  }
  Table *table = parse(text);
  assert_int_equal(table->row_count, ROWS);
  for (int i = 0; i < ROWS; i++) {
    assert_same_bits(table_number(table, i, 2), numbers[i]);
    assert_string_equal(table_text(table, i, 1), kept[i]);
    free(kept[i]);
  }
  size_t size;
  char *again = table_csv(table, &size);
  assert_int_equal(size, strlen(again));
  assert_string_equal(again, text);
  free(again);
  free(text);
  table_free(table);
}

static void test_sort(void **state) {
  (void)state;
  Table *table = parse("trial,status,man.fell\n5,a,1\n2,b,1\n5,c,0\n0,d,\n2,e,1\n,f,\n,g,\n");
  Error error = {0};
  assert_true(table_sort(table, &error));
  size_t size;
  char *csv = table_csv(table, &size);
  assert_string_equal(csv, "trial,status,man.fell\n0,d,\n2,b,1\n5,a,1\n,f,\n,g,\n");
  free(csv);
  table_free(table);
}

// HDF5, as Python sees it.
static void test_hdf5(void **state) {
  (void)state;
  if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) {
    print_message("SKIP: there is no /usr/bin/python3 with h5py\n");
    skip();
  }
  char folder[] = "/tmp/stagger_test_XXXXXX", path[64], command[1024];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/trials.h5", folder);
  Table *table = parse("trial,status,man.fell\n0,complete,0.30000000000000004\n1,\"M\xc3\xbcller, \",\n2,,inf\n");
  Error error = {0};
  for (int i = 0; i < 2; i++) // also over an older one
    assert_true(table_write_hdf5(table, NULL, path, &error));
  snprintf(command, sizeof command,
           "/usr/bin/python3 - '%s' <<'END'\n"
           "import h5py, sys, math\n"
           "f = h5py.File(sys.argv[1])\n"
           "assert f.attrs['format'] == 'stagger-trials' and f.attrs['format_version'] == 1\n"
           "assert list(f.attrs['columns']) == ['trial', 'status', 'man.fell'] and len(f) == 3\n"
           "assert f['man.fell'].attrs['unit'] == 'bool' and f['man.fell'].attrs['kind'] == 'number'\n"
           "assert f['status'].attrs['kind'] == 'text'\n"
           "fell = f['man.fell'][:]\n"
           "assert fell.dtype == 'float64' and fell[0] == 0.1 + 0.2 and math.isnan(fell[1]) and fell[2] == math.inf\n"
           "assert list(f['status'].asstr()) == ['complete', 'M\\u00fcller, ', '']\n"
           "assert list(f['trial']) == [0, 1, 2]\n"
           "END\n",
           path);
  assert_int_equal(system(command), 0);
  table_free(table);
  table = parse("trial,status,man.fell\n"); // no rows
  assert_true(table_write_hdf5(table, NULL, path, &error));
  snprintf(path, sizeof path, "%s/none/trials.h5", folder);
  assert_false(table_write_hdf5(table, NULL, path, &error));
  assert_non_null(strstr(error.text, "cannot be written: No such file or directory"));
  table_free(table);
  snprintf(command, sizeof command, "rm '%s/trials.h5' && rmdir '%s'", folder, folder); // nothing else is left
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),      cmocka_unit_test(test_texts),      cmocka_unit_test(test_full_lines),
      cmocka_unit_test(test_header),       cmocka_unit_test(test_parse),      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_parse_errors), cmocka_unit_test(test_round_trip), cmocka_unit_test(test_sort),
      cmocka_unit_test(test_hdf5),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
