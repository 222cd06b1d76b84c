// `stagger reference` names every dataset and attribute of a trace, as it is, and nothing else.
#include "tests/unit/small_scene.h"

#include "sim/world/projectile.h"

enum { MOST_ROWS = 160, CELLS = 5, CELL_SIZE = 400, MOST_NODES = 128 };

// A row of the reference's tables.
typedef struct Row {
  char cells[CELLS][CELL_SIZE];
  bool seen;
} Row;

typedef struct Table {
  Row rows[MOST_ROWS];
  int count;
} Table;

static Table datasets, layers, attributes, fields;
static TraceReader *reader;

// Reading the reference.

// Cells between bars, without the backquotes of names; "\|" is a bar.
static void add_row(Table *table, const char *line) {
  assert_true(table->count < MOST_ROWS);
  Row *row = &table->rows[table->count++];
  const char *c = line + 2;
  for (int i = 0; i < CELLS && *c != '\0'; i++) {
    char *cell = row->cells[i];
    size_t size = 0;
    for (; *c != '\0' && *c != '|' && size + 1 < CELL_SIZE; c++) {
      if (*c == '\\')
        c++;
      if (*c != '`' || i > 1)
        cell[size++] = *c;
    }
    while (size > 0 && cell[size - 1] == ' ')
      cell[--size] = '\0';
    if (*c == '|')
      c += c[1] == ' ' ? 2 : 1;
  }
}

static int read_reference(void **state) {
  (void)state;
  char command[600], line[2048];
  if (!getenv("STAGGER")) {
    print_message("STAGGER does not name the program\n");
    return -1;
  }
  snprintf(command, sizeof command, "'%s' reference", getenv("STAGGER"));
  FILE *out = popen(command, "r"); // NOLINT(cert-env33-c): the program under test
  Table *table = NULL;
  while (out && fgets(line, sizeof line, out)) {
    if (line[0] == '#')
      table = strcmp(line, "### Datasets\n") == 0             ? &datasets
              : strcmp(line, "### Datasets of layers\n") == 0 ? &layers
              : strcmp(line, "### Attributes\n") == 0         ? &attributes
              : strcmp(line, "### Fields of /events\n") == 0  ? &fields
                                                              : NULL;
    else if (table && strncmp(line, "| ", 2) == 0 && strncmp(line, "| dataset", 9) != 0 &&
             strncmp(line, "| of ", 5) != 0)
      add_row(table, line);
  }
  return !out || pclose(out) != 0;
}

// A trace with everything: a graph, an assist, feet, contacts, a hit, a ball that comes later, ropes, states.

static int record_trace(void **state) {
  static const char *const overrides[] = {"duration=0.3",
                                          "expect=[]",
                                          "events=[{time: 0.05, impulse: 5}]",
                                          "characters.man.assist.enabled=true",
                                          "trace.states=0.1",
                                          "platforms=[{name: board, mass: 5, center: [9, 1, 9]}]",
                                          "ropes=[{from: board, to_at: [9, 2, 9]}, {from: board, to_at: [8, 2, 9]}]"};
  char path[32];
  small_file(path);
  Error error = {0};
  SceneDef *def = scene_def_read("idle", overrides, 7, &error);
  assert_string_equal(error.text, "");
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  for (long i = 0; i < def->step_count; i++) {
    if (i == def->step_count / 2)
      assert_true(projectile_create(scene->world, &(Projectile){1, 0.1, {3, 2, 0}, {0, 0, 0}, 1000, 0}) >= 0);
    assert_true(scene_step(scene));
  }
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);
  reader = trace_open(path, &error);
  remove(path);
  return !reader || read_reference(state);
}

static int close_trace(void **state) {
  (void)state;
  trace_reader_close(reader);
  return 0;
}

// Comparing.

// A path in the reference's form: "/characters/NAME/state", "/files/...".
static void generalize(const char *path, char general[CELL_SIZE]) {
  static const char *const own[][2] = {{"/characters/man", "/characters/NAME"},
                                       {"/objects/ball_1", "/objects/NAME"},
                                       {"/objects/board", "/objects/NAME"}};
  snprintf(general, CELL_SIZE, "%s", path);
  for (int i = 0; i < 3; i++) {
    size_t length = strlen(own[i][0]);
    if (strncmp(path, own[i][0], length) == 0)
      snprintf(general, CELL_SIZE, "%s%s", own[i][1], path + length);
  }
  if (strncmp(path, "/files/", 7) == 0)
    snprintf(general, CELL_SIZE, "/files/...");
}

static Row *find_row(Table *table, const char *name) {
  for (int i = 0; i < table->count; i++)
    if (strcmp(table->rows[i].cells[0], name) == 0)
      return &table->rows[i];
  return NULL;
}

static Row *find_dataset(const char *path) {
  char general[CELL_SIZE];
  generalize(path, general);
  Row *row = find_row(&datasets, general);
  return row ? row : find_row(&layers, general);
}

// "[T, joints, 3]": whether it has a row per frame, and the number of values in it.
static void check_shape(const char *path, const char *told) {
  static char names[MOST_NODES][TRACE_NAME_SIZE];
  int rows = trace_row_names(reader, path, names, MOST_NODES), values = 1, size, shape[2];
  char text[CELL_SIZE];
  snprintf(text, sizeof text, "%s", told);
  const char *first = strtok(text, "[], "); // NOLINT(concurrency-mt-unsafe): one thread
  assert_true(trace_channel_shape(reader, path, shape) == (strcmp(first, "T") == 0));
  for (const char *word; (word = strtok(NULL, "[], "));) { // NOLINT(concurrency-mt-unsafe)
    int number = atoi(word);
    if (number == 0 && rows == 0)
      fail_msg("%s: %s, but its rows have no names", path, told);
    values *= number > 0 ? number : rows;
  }
  long count;
  assert_true(trace_shape(reader, path, &count, &size));
  if (values != size)
    fail_msg("%s: %s, but it has %d values in a row", path, told, size);
}

static void check_type(const char *path, const char *told) {
  static const char *const names[] = {"float32", "float64", "uint8", "int32", "uint64"};
  TraceType type;
  assert_string_equal(trace_type(reader, path, &type) ? names[type] : "record", told);
}

static void check_dataset(void *context, const char *path) {
  (void)context;
  Row *row = find_dataset(path);
  if (!row) {
    fail_msg("the reference does not name %s", path);
    return;
  }
  row->seen = true;
  char unit[32], description[256];
  trace_describe(reader, path, unit, description);
  assert_string_equal(row->cells[3], unit);
  assert_string_equal(row->cells[4], description);
  check_type(path, row->cells[1]);
  check_shape(path, row->cells[2]);
}

static void check_all_seen(const Table *table, int cell) {
  for (int i = 0; i < table->count; i++)
    if (!table->rows[i].seen)
      fail_msg("the trace has no %s %s", table->rows[i].cells[0], table->rows[i].cells[cell]);
}

static void test_datasets(void **state) {
  (void)state;
  assert_true(datasets.count > 50);
  trace_visit(reader, check_dataset, NULL);
  check_all_seen(&datasets, 1);
}

// Whether the reference's words for some objects mean that path.
static bool means(const char *where, const char *path) {
  const Row *dataset = find_dataset(path);
  bool is_file = strncmp(path, "/files/", 7) == 0;
  if (strcmp(where, "every dataset") == 0)
    return dataset != NULL;
  if (strcmp(where, "every dataset but /files/...") == 0)
    return dataset && !is_file;
  if (strcmp(where, "joints, parts, feet, nodes, rows, layers, ropes") == 0)
    return dataset && (strstr(dataset->cells[2], ", joints") || strstr(dataset->cells[2], ", parts") ||
                       strstr(dataset->cells[2], ", feet") || strstr(dataset->cells[2], ", nodes") ||
                       strstr(dataset->cells[2], ", rows") || strstr(dataset->cells[2], ", layers") ||
                       strstr(dataset->cells[2], ", ropes"));
  char general[CELL_SIZE];
  generalize(path, general);
  size_t length = strlen(where);
  return where[length - 1] == '*' ? strncmp(general, where, length - 1) == 0 : strcmp(general, where) == 0;
}

// The reference's name of an attribute.
static const char *general_name(const char *path, const char *name) {
  if (strcmp(path, "/metrics") != 0 || strncmp(name, "man.", 4) != 0)
    return name;
  return strcmp(name, "man.recovery_strategy") == 0 ? "CHARACTER.recovery_strategy" : "CHARACTER.METRIC";
}

static void check_attribute(void *context, const char *name) {
  const char *path = context, *told = general_name(path, name);
  bool found = false;
  for (int i = 0; i < attributes.count; i++) {
    Row *row = &attributes.rows[i];
    if (strcmp(row->cells[1], told) != 0 || !means(row->cells[0], path))
      continue;
    found = row->seen = true;
    assert_true(strlen(row->cells[2]) > 0 && strlen(row->cells[4]) > 0);
  }
  if (!found)
    fail_msg("the reference does not name the attribute %s of %s", name, path);
}

static void visit_attributes(void *context, const char *path) {
  (void)context;
  trace_visit_attributes(reader, path, check_attribute, (void *)(uintptr_t)path);
}

static void test_attributes(void **state) {
  (void)state;
  assert_true(attributes.count > 25);
  trace_visit(reader, visit_attributes, NULL);
  visit_attributes(NULL, "/");
  visit_attributes(NULL, "/metrics");
  visit_attributes(NULL, "/objects/ball_1");
  check_all_seen(&attributes, 1);
}

// All fields are read by name, so that the names are those of the file.
static void test_event_fields(void **state) {
  (void)state;
  assert_int_equal(fields.count, 6);
  assert_int_equal(fields.count, trace_event_field_count);
  int count;
  TraceEvent *events = trace_events(reader, &count);
  assert_int_equal(count, 1);
  assert_string_equal(events[0].kind, "impulse");
  assert_string_equal(events[0].character, "man");
  free(events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_datasets),
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_event_fields),
  };
  return cmocka_run_group_tests(tests, record_trace, close_trace);
}
