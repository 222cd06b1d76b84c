// Contacts of a trace from which no ground reactions can be made: each column that is missing, has another type or
// another width is refused.
#include "tests/unit/trace_fixture.h"

#include "scenes/export/ground_reaction.h"

enum { COLUMNS = 4 };

// A column of the list of contacts.
typedef struct Column {
  const char *path; // NULL: left out
  TraceType type;
  int width; // 0: one value
  bool is_named;
} Column;

static const Column GOOD[COLUMNS] = {{"/contacts/part", TRACE_INT32, 0, true},
                                     {"/contacts/other", TRACE_INT32, 0, false},
                                     {"/contacts/position", TRACE_FLOAT64, 3, false},
                                     {"/contacts/impulse", TRACE_FLOAT64, 3, false}};

// Writes one contact, of zeros, in these columns.
static void write_contact(TraceFixture *trace, const Column columns[COLUMNS], bool has_frames) {
  static const char *const NAMES[] = {"doll/base"};
  static const double zeros[8] = {0};
  int lists[COLUMNS], frames[2] = {0};
  trace_fixture_start(trace, 10);
  for (int i = 0; i < 2 && has_frames; i++)
    frames[i] =
        trace_fixture_channel(trace, i == 0 ? "/contacts/first" : "/contacts/count", TRACE_INT32, 0, 0, "-", NULL);
  for (int i = 0; i < COLUMNS; i++)
    if (columns[i].path)
      lists[i] = trace_fixture_list(trace, columns[i].path, columns[i].type, columns[i].width, "-",
                                    columns[i].is_named ? NAMES : NULL, columns[i].is_named);
  for (int i = 0; i < 2 && has_frames; i++)
    *(int32_t *)trace_row(trace->writer, frames[i]) = i;
  trace_end_frame(trace->writer, 0);
  for (int i = 0; i < COLUMNS; i++)
    if (columns[i].path)
      trace_append(trace->writer, lists[i], zeros, 1);
  trace_fixture_read(trace);
}

static bool is_read(const Column columns[COLUMNS], bool has_frames, Error *error) {
  static const double time[1] = {0}, places[8][3] = {{0}};
  SceneDef *def = small_def("characters: [{name: doll, body: boxes.yaml}]\n");
  TraceFixture trace;
  write_contact(&trace, columns, has_frames);
  GroundReactions *reactions =
      ground_reactions_read(trace.reader, "doll", def->characters[0].body, time, places, error);
  ground_reactions_free(reactions);
  trace_fixture_end(&trace);
  scene_def_free(def);
  return reactions != NULL;
}

static void assert_refused(const Column columns[COLUMNS], bool has_frames, const char *what) {
  Error error = {0};
  if (is_read(columns, has_frames, &error) || !strstr(error.text, "the trace's /contacts are invalid"))
    fail_msg("%s: %s", what, error.text);
}

static void invalid_contacts_are_refused(void **state) {
  (void)state;
  Error error = {0};
  if (!is_read(GOOD, true, &error))
    fail_msg("%s", error.text);
  assert_refused(GOOD, false, "no frames");
  for (int i = 0; i < COLUMNS; i++) {
    Column columns[COLUMNS];
    memcpy(columns, GOOD, sizeof columns);
    columns[i].path = NULL;
    assert_refused(columns, true, GOOD[i].path);
    if (i == 0) {
      columns[i] = (Column){GOOD[i].path, TRACE_INT32, 0, false};
      assert_refused(columns, true, "a part without names");
      continue;
    }
    columns[i] = (Column){GOOD[i].path, i == 1 ? TRACE_FLOAT64 : TRACE_FLOAT32, GOOD[i].width, false};
    assert_refused(columns, true, "another type");
    for (int width = 2; width <= 4 && i > 1; width += 2) {
      columns[i] = (Column){GOOD[i].path, TRACE_FLOAT64, width, false};
      assert_refused(columns, true, "another width");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(invalid_contacts_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
