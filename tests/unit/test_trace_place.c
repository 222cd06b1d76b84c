// The report of two traces says where they first differ: the row by its word and its name, and the value in it.
#include "tests/fixture.h"

#include <unistd.h>

#include "sim/trace/trace.h"

// A channel of a trace, the number of the value that differs, and how it is called.
typedef struct Place {
  const char *path;
  int rows, columns, value;
  bool is_named;
  const char *text;
} Place;

static const Place PLACES[] = {
    {"/a/single", 0, 0, 0, false, "/a/single: 0 against 1 m\n"},
    {"/a/two", 2, 0, 1, false, "/a/two, value 1: 0 against 1 m\n"},
    {"/a/vector", 3, 0, 0, false, "/a/vector, x: 0 against 1 m\n"},
    {"/a/vector", 3, 0, 2, false, "/a/vector, z: 0 against 1 m\n"},
    {"/a/rotation", 4, 0, 3, false, "/a/rotation, w: 0 against 1 m\n"},
    {"/a/many", 5, 0, 4, false, "/a/many, value 4: 0 against 1 m\n"},
    {"/a/many", 5, 0, 0, false, "/a/many, value 0: 0 against 1 m\n"},
    {"/a/rows", 3, 3, 7, false, "/a/rows, row 2, y: 0 against 1 m\n"},
    {"/a/rows", 3, 2, 3, false, "/a/rows, row 1, value 1: 0 against 1 m\n"},
    {"/a/rows", 3, 5, 4, false, "/a/rows, row 0, value 4: 0 against 1 m\n"},
    {"/a/rows", 3, 0, 1, true, "/a/rows, row 1 (two): 0 against 1 m\n"},
    {"/a/parts/x", 3, 4, 7, true, "/a/parts/x, part 1 (two), w: 0 against 1 m\n"},
    {"/a/joints/x", 3, 0, 2, true, "/a/joints/x, joint 2 (three): 0 against 1 m\n"},
    {"/a/pose/x", 3, 3, 0, true, "/a/pose/x, joint 0 (one), x: 0 against 1 m\n"},
    {"/a/feet/x", 3, 0, 0, true, "/a/feet/x, foot 0 (one): 0 against 1 m\n"},
    {"/a/graph/x", 3, 0, 0, true, "/a/graph/x, node 0 (one): 0 against 1 m\n"},
};

// A frame of zeros, but for one value, and another that begins with a larger one.
static TraceReader *trace_of(const Place *place, float value, char path[32]) {
  static const char *const NAMES[] = {"one", "two", "three"};
  static const TraceInfo info = {.scene_name = "a.yaml", .scene = "", .dt = 0.01, .frame_rate = 100};
  const TraceChannel channel = {place->path, TRACE_FLOAT32, {place->rows, place->columns},
                                "m",         "For a test.", place->is_named ? NAMES : NULL};
  Error error = {0};
  snprintf(path, 32, "/tmp/stagger_test_XXXXXX");
  close(mkstemp(path));
  TraceWriter *writer = trace_create(path, &info, &error);
  const int index = trace_channel(writer, &channel, &error);
  ((float *)trace_row(writer, index))[place->value] = value;
  trace_end_frame(writer, 0);
  ((float *)trace_row(writer, index))[0] = 3 * value;
  trace_end_frame(writer, 0.01);
  assert_true(trace_close(writer, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  return reader;
}

static void places_have_words(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
    char paths[2][32], report[4096];
    TraceReader *a = trace_of(&PLACES[i], 0, paths[0]), *b = trace_of(&PLACES[i], 1, paths[1]);
    assert_false(trace_compare(a, b, report, sizeof report));
    const char *first = strstr(report, "first difference: frame 0 (0 s), ");
    if (!first || strncmp(first + 33, PLACES[i].text, strlen(PLACES[i].text)) != 0)
      fail_msg("no '%s' in\n%s", PLACES[i].text, report);
    trace_reader_close(a);
    trace_reader_close(b);
    for (int k = 0; k < 2; k++)
      unlink(paths[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_have_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
