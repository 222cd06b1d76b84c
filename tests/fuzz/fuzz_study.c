// How to run: ./dev fuzz
// Any bytes are read as a study of a small scene. A refused study must come with an error; an accepted one must have a
// plan: overrides for its first and its last trial, a header line, rows that read back as a table of its columns, and a
// choice of traces among its trials. Some bytes are read as a table of trials, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzzer.h"

#include "scenes/sweep/trial.h"

static const char BODY[] = "name: box\n"
                           "parts:\n"
                           "  - name: base\n"
                           "    mass: 4\n"
                           "    com: [0, 1, 0]\n"
                           "    inertia: [0.05, 0.06, 0.07]\n"
                           "    joint: {kind: root, position: [0, 1, 0]}\n"
                           "    shapes: [{box: [0.2, 0.4, 0.3], center: [0, 1, 0]}]\n";

static const char SCENE[] = "duration: 0.01\n"
                            "characters: [{name: man, body: box.yaml}]\n"
                            "events: [{time: 0, part: base, impulse: 1}]\n";

enum { MOST_TRIALS = 100000 }; // of a study whose choice of traces is tried

static StudyDef *read_study(const char *text, Error *error) {
  FileSet files = {0};
  files_put(&files, "box.yaml", BODY, sizeof BODY - 1);
  files_put(&files, "scene.yaml", SCENE, sizeof SCENE - 1);
  files.sealed = true;
  return study_from_text("fuzz.yaml", text, &files, error);
}

// The header and the rows of the first and the last trial, read back.
static void check_table(const StudyDef *study) {
  static char text[4 * TRIAL_LINE_SIZE], line[TRIAL_LINE_SIZE];
  char *header = table_header(study->columns, study->column_count);
  check(header != NULL);
  int length = snprintf(text, sizeof text, "%s\n", header);
  free(header);
  for (int i = 0; i < 2; i++) {
    trial_lost(study, i * (study->trial_count - 1), "crashed: \"signal\" 11", line, sizeof line);
    length += snprintf(text + length, sizeof text - (size_t)length, "%s\n", line);
  }
  Error error = {0};
  Table *table = table_parse("fuzz.csv", text, (size_t)length, study->columns, study->column_count, &error);
  check(table && table->row_count == 2 && table_sort(table, &error));
  check(table_number(table, 0, 0) == 0);
  int count;
  long *kept = study->trial_count <= MOST_TRIALS ? study_kept(study, table, &count, &error) : NULL;
  check(!kept || (count > 0 && kept[0] >= 0 && kept[count - 1] < study->trial_count));
  free(kept);
  table_free(table);
}

static void check_plan(const StudyDef *study) {
  StudyTrial first, last;
  study_trial(study, 0, &first);
  study_trial(study, study->trial_count - 1, &last);
  check(study->trial_count == study->cell_count * study->run.repeats);
  check(first.cell == 0 && last.cell == study->cell_count - 1 && last.repeat == study->run.repeats - 1);
  check(first.override_count == study->axis_count + 1 && last.seed == study->run.seed + last.repeat);
}

// The same bytes as a table: refused with an error, or written and read again to the same text.
static void check_csv(const char *text, size_t size) {
  static const TableColumn columns[] = {{"a", "", TABLE_NUMBER}, {"b", "", TABLE_TEXT}};
  Error error = {0};
  Table *table = table_parse("fuzz.csv", text, size, columns, 2, &error);
  check((table != NULL) == (error.text[0] == '\0'));
  if (!table)
    return;
  size_t once, twice;
  char *written = table_csv(table, &once);
  check(written != NULL);
  Table *again = table_parse("fuzz.csv", written, once, columns, 2, &error);
  check(again && again->row_count == table->row_count);
  char *rewritten = table_csv(again, &twice);
  check(rewritten && once == twice && memcmp(written, rewritten, once) == 0);
  free(rewritten);
  free(written);
  table_free(again);
  check(table_sort(table, &error));
  table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  Error error = {0};
  StudyDef *study = read_study(text, &error);
  check((study != NULL) == (error.text[0] == '\0'));
  if (study) {
    check_plan(study);
    check_table(study);
  }
  study_free(study);
  check_csv(text, size);
  free(text);
  return 0;
}
