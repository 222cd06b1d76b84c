// Compares two traces bit for bit, dataset by dataset, and reports the first and the largest differences.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/trace_compare_internal.h"

enum { SLAB_BYTES = 1 << 18 }; // bytes read at once

// The difference of one dataset.
typedef struct Difference {
  const char *path;
  const char *problem; // not comparable: in only one trace, or of different shape
  long first_row;      // the first different row, -1: none
  int first_value;     // the value with the largest difference in that row
  double first_a, first_b;
  long rows_a, rows_b, rows_differing;
  double largest; // absolute; infinite when one of the values is not a number
  long largest_row;
  bool is_channel, is_numeric;
} Difference;

// The state of a comparison.
typedef struct Comparison {
  TraceReader *a, *b;
  bool begun;              // compares only the beginnings: neither lengths nor data written at the end of a run count
  Difference *differences; // of the datasets of both, sorted by path
  int count;
} Comparison;

// Values of one slab of rows, as bytes and as numbers.
typedef struct Slab {
  unsigned char *bytes;
  double *numbers;
} Slab;

static double distance(double a, double b) { return isfinite(a) && isfinite(b) ? fabs(a - b) : INFINITY; }

static void note_first(Difference *difference, long row, int value, double a, double b) {
  bool first = difference->first_row < 0;
  if (!first && (difference->first_row != row || distance(a, b) <= distance(difference->first_a, difference->first_b)))
    return;
  difference->first_row = row;
  difference->first_value = value;
  difference->first_a = a;
  difference->first_b = b;
}

// Compares the rows of a slab that begins at row `first`.
static void compare_slab(Difference *difference, const Slab *a, const Slab *b, size_t value_size, int row_size,
                         long first, long count) {
  size_t row_bytes = value_size * (size_t)row_size;
  for (long row = 0; row < count; row++) {
    size_t start = (size_t)row * row_bytes;
    if (memcmp(a->bytes + start, b->bytes + start, row_bytes) == 0)
      continue;
    difference->rows_differing++;
    for (int value = 0; value < row_size; value++) {
      size_t at = start + (size_t)value * value_size;
      if (memcmp(a->bytes + at, b->bytes + at, value_size) == 0)
        continue;
      size_t index = (size_t)row * (size_t)row_size + (size_t)value;
      double number_a = a->numbers ? a->numbers[index] : 0, number_b = b->numbers ? b->numbers[index] : 0;
      note_first(difference, first + row, value, number_a, number_b);
      double apart = distance(number_a, number_b);
      if (apart > difference->largest || difference->largest_row < 0) {
        difference->largest = apart;
        difference->largest_row = first + row;
      }
    }
  }
}

// Compares the rows that both have. False when they cannot be read.
static bool compare_rows(Difference *difference, const ReaderDataset *a, const ReaderDataset *b, hid_t type) {
  size_t value_size = H5Tget_size(type), row_bytes = value_size * (size_t)a->row_size;
  long rows = a->rows < b->rows ? a->rows : b->rows;
  long slab_rows = row_bytes >= SLAB_BYTES ? 1 : row_bytes ? (long)(SLAB_BYTES / row_bytes) : rows;
  size_t values = (size_t)slab_rows * (size_t)a->row_size;
  Slab slabs[2] = {{malloc(values * value_size + 1), NULL}, {malloc(values * value_size + 1), NULL}};
  if (difference->is_numeric)
    for (int i = 0; i < 2; i++)
      slabs[i].numbers = malloc((values + 1) * sizeof(double));
  const ReaderDataset *datasets[2] = {a, b};

  bool ok = slabs[0].bytes && slabs[1].bytes && (!difference->is_numeric || (slabs[0].numbers && slabs[1].numbers));
  for (long first = 0; ok && first < rows; first += slab_rows) {
    long count = rows - first < slab_rows ? rows - first : slab_rows;
    for (int i = 0; ok && i < 2; i++)
      ok = trace_read_rows(datasets[i], type, first, 1, count, slabs[i].bytes);
    if (!ok || memcmp(slabs[0].bytes, slabs[1].bytes, (size_t)count * row_bytes) == 0)
      continue;
    for (int i = 0; ok && difference->is_numeric && i < 2; i++)
      ok = trace_read_rows(datasets[i], H5T_NATIVE_DOUBLE, first, 1, count, slabs[i].numbers);
    if (ok)
      compare_slab(difference, &slabs[0], &slabs[1], value_size, a->row_size, first, count);
  }
  for (int i = 0; i < 2; i++) {
    free(slabs[i].bytes);
    free(slabs[i].numbers);
  }
  return ok;
}

// The entry for a dataset that only one of the traces has.
static Difference single_dataset(const ReaderDataset *dataset, bool in_first) {
  return (Difference){.path = dataset->path,
                      .problem = in_first ? "is in the first trace only" : "is in the second trace only"};
}

static Difference compare_datasets(const ReaderDataset *a, const ReaderDataset *b) {
  Difference difference = {.first_row = -1, .largest_row = -1};
  difference.path = a->path;
  difference.rows_a = a->rows;
  difference.rows_b = b->rows;
  difference.is_channel = a->is_channel && b->is_channel;
  hid_t type_a = H5Dget_type(a->id), type_b = H5Dget_type(b->id);
  H5T_class_t class = H5Tget_class(type_a);
  difference.is_numeric = class == H5T_FLOAT || class == H5T_INTEGER;
  if (H5Tequal(type_a, type_b) <= 0 || a->row_size != b->row_size || a->row_values != b->row_values)
    difference.problem = "has another type or shape";
  else if (!compare_rows(&difference, a, b, type_a))
    difference.problem = "cannot be read: a trace is damaged";
  H5Tclose(type_b);
  H5Tclose(type_a);
  return difference;
}

static bool lengths_differ(const Comparison *comparison) {
  return comparison->a->frame_count != comparison->b->frame_count;
}

// Different lengths of the runs are reported once; additional rows of the longer one are not a difference of a dataset.
static bool differs(const Comparison *comparison, const Difference *difference) {
  bool rows_count = !comparison->begun && !lengths_differ(comparison);
  return difference->problem || difference->first_row >= 0 || (rows_count && difference->rows_a != difference->rows_b);
}

// The first row at which the two differ, or that only one of them has.
static long divergence(const Difference *difference) {
  if (difference->first_row >= 0)
    return difference->first_row;
  return difference->rows_a < difference->rows_b ? difference->rows_a : difference->rows_b;
}

static bool is_of_parts(const Difference *difference) { return strstr(difference->path, "/parts/") != NULL; }

// Order of the report: channels before lists, since their rows have times; then the earlier row; then the bodies before
// quantities computed from them.
static bool comes_before(const Difference *a, const Difference *b) {
  if (a->is_channel != b->is_channel)
    return a->is_channel;
  if (divergence(a) != divergence(b))
    return divergence(a) < divergence(b);
  return is_of_parts(a) && !is_of_parts(b);
}

// The word for a row of a dataset.
static const char *row_word(const char *path) {
  return strstr(path, "/parts/")                              ? "part"
         : strstr(path, "/joints/") || strstr(path, "/pose/") ? "joint"
         : strstr(path, "/feet/")                             ? "foot"
         : strstr(path, "/graph/")                            ? "node"
                                                              : "row";
}

// Prints which value of a row it is: "part 5 (thigh_r), x".
static void print_place(Report *report, TraceReader *reader, const ReaderDataset *dataset, int value) {
  int row = value / dataset->row_values, column = value % dataset->row_values, columns = dataset->row_values;
  char(*names)[TRACE_NAME_SIZE] = malloc((size_t)(row + 1) * sizeof *names);
  bool named = names && trace_row_names(reader, dataset->path, names, row + 1) > row;
  if (named || columns > 1)
    report_print(report, ", %s %d%s%s%s", row_word(dataset->path), row, named ? " (" : "", named ? names[row] : "",
                 named ? ")" : "");
  else { // a single vector
    column = value;
    columns = dataset->row_size;
  }
  free(names);
  if (columns == 3 || columns == 4)
    report_print(report, ", %c", "xyzw"[column]);
  else if (columns > 1)
    report_print(report, ", value %d", column);
}

static void print_first(Report *report, TraceReader *reader, const Difference *difference) {
  long row = divergence(difference);
  report_print(report, "first difference: %s %ld", difference->is_channel ? "frame" : "row", row);
  double time;
  if (difference->is_channel && trace_read_column(reader, "/time", TRACE_FLOAT64, row, 1, &time, NULL))
    report_print(report, " (%.6g s)", time);
  report_print(report, ", %s", difference->path);
  if (difference->first_row < 0) {
    report_print(report, ", which %s trace has not\n",
                 difference->rows_a < difference->rows_b ? "the first" : "the second");
    return;
  }
  const ReaderDataset *dataset = trace_find_dataset(reader, difference->path);
  if (dataset->row_size > 1)
    print_place(report, reader, dataset, difference->first_value);
  char unit[32], description[256];
  trace_describe(reader, difference->path, unit, description);
  bool has_unit = unit[0] != '\0' && strcmp(unit, "-") != 0;
  if (difference->is_numeric) {
    report_print(report, ": ");
    report_numbers(report, difference->first_a, difference->first_b);
    report_print(report, "%s%s", has_unit ? " " : "", has_unit ? unit : "");
  }
  report_print(report, "\n");
}

// Prints the first step after which the bodies differ, by the hashes of their states.
static void print_steps(Report *report, TraceReader *a, const Difference *hashes) {
  long rows = hashes->rows_a < hashes->rows_b ? hashes->rows_a : hashes->rows_b;
  double dt = trace_number(a, "dt");
  if (hashes->first_row >= 0)
    report_print(report, "first step that differs: %ld of %ld, which ends at %.6f s\n", hashes->first_row + 1, rows,
                 (double)(hashes->first_row + 1) * dt);
  else
    report_print(report, "steps: the %ld that both have left all bodies in the same state, up to %.6f s\n", rows,
                 (double)rows * dt);
}

static void write_event(const TraceEvent *event, char *text, size_t size) {
  const float *j = event->impulse;
  double impulse = sqrt((double)j[0] * (double)j[0] + (double)j[1] * (double)j[1] + (double)j[2] * (double)j[2]);
  snprintf(text, size, "%s of %.6g N s on %s at %.6g s", event->kind, impulse, event->part, event->time);
}

// The time of a trace's last frame, s.
static double end_time(TraceReader *reader) {
  double time = 0;
  if (reader->frame_count > 0)
    trace_read_column(reader, "/time", TRACE_FLOAT64, reader->frame_count - 1, 1, &time, NULL);
  return time;
}

// A difference of hits may be the cause of all others. Hits after the end of the shorter run do not count.
static void print_events(Report *report, const Comparison *comparison, long row) {
  TraceReader *readers[2] = {comparison->a, comparison->b};
  double end = fmin(end_time(comparison->a), end_time(comparison->b));
  TraceEvent *events[2];
  int counts[2];
  for (int i = 0; i < 2; i++)
    events[i] = trace_events(readers[i], &counts[i]);
  bool in_both = !lengths_differ(comparison) && !comparison->begun;
  for (int i = 0; i < 2; i++)
    in_both = in_both || (row < counts[i] && events[i][row].time < end);
  char texts[2][160] = {"none", "none"};
  for (int i = 0; i < 2; i++)
    if (row < counts[i])
      write_event(&events[i][row], texts[i], sizeof texts[i]);
  if (in_both && strcmp(texts[0], texts[1]) == 0)
    report_print(report, "first event that differs: %s, in its point, direction or last digits\n", texts[0]);
  else if (in_both)
    report_print(report, "first event that differs: %s against %s\n", texts[0], texts[1]);
  free(events[0]);
  free(events[1]);
}

// Prints the first difference, from which others may follow.
static void print_story(Report *report, const Comparison *comparison) {
  const Difference *first = NULL;
  for (int i = 0; i < comparison->count; i++) {
    const Difference *difference = &comparison->differences[i];
    if (difference->problem)
      continue;
    if (strcmp(difference->path, "/step_hash") == 0)
      print_steps(report, comparison->a, difference);
    else if (strcmp(difference->path, TRACE_EVENTS) == 0 &&
             (difference->first_row >= 0 || difference->rows_a != difference->rows_b))
      print_events(report, comparison, divergence(difference));
    else if (differs(comparison, difference) && (!first || comes_before(difference, first)))
      first = difference;
  }
  if (first)
    print_first(report, first->rows_a >= first->rows_b ? comparison->a : comparison->b, first);
}

static void print_table(Report *report, const Comparison *comparison) {
  report_print(report, "%-52s %12s %14s %10s\n", "dataset", "rows differ", "by at most", "in row");
  for (int i = 0; i < comparison->count; i++) {
    const Difference *difference = &comparison->differences[i];
    if (!differs(comparison, difference))
      continue;
    if (difference->problem)
      report_print(report, "%-52s %s\n", difference->path, difference->problem);
    else if (difference->first_row < 0)
      report_print(report, "%-52s %12d\n", difference->path, 0);
    else if (difference->is_numeric && strcmp(difference->path, "/step_hash") != 0)
      report_print(report, "%-52s %12ld %14.6g %10ld\n", difference->path, difference->rows_differing,
                   difference->largest, difference->largest_row);
    else
      report_print(report, "%-52s %12ld %14s %10ld\n", difference->path, difference->rows_differing, "-",
                   difference->first_row);
    if (!difference->problem && difference->rows_a != difference->rows_b && !lengths_differ(comparison))
      report_print(report, "%-52s %ld rows against %ld\n", "", difference->rows_a, difference->rows_b);
  }
}

// ---- Attributes ----

// For runs of different lengths most metrics differ, which is reported in one line.
static int compare_metrics(const Comparison *comparison, Report *report) {
  Report nowhere = {NULL, 0, 0};
  int differing = compare_attributes(comparison->a, comparison->b, "/metrics", NULL,
                                     lengths_differ(comparison) ? &nowhere : report);
  if (lengths_differ(comparison) && differing > 0)
    report_print(report, "metrics: %d differ, of runs of different lengths\n", differing);
  return differing;
}

// Attributes of a dataset that both have, and of the object to which it belongs.
static int compare_described(const Comparison *comparison, const char *path, Report *report) {
  int differing = compare_attributes(comparison->a, comparison->b, path, NULL, report);
  static const char OBJECTS[] = "/objects/", POSITION[] = "/position";
  size_t length = strlen(path), tail = sizeof POSITION - 1;
  char group[256];
  if (strncmp(path, OBJECTS, sizeof OBJECTS - 1) != 0 || length - tail >= sizeof group ||
      strcmp(path + length - tail, POSITION) != 0)
    return differing;
  snprintf(group, sizeof group, "%.*s", (int)(length - tail), path);
  return compare_attributes(comparison->a, comparison->b, group, NULL, report) + differing;
}

static int compare_all_attributes(const Comparison *comparison, Report *report) {
  int differing = compare_attributes(comparison->a, comparison->b, "/", comparison->begun ? "status" : NULL, report);
  if (!comparison->begun)
    differing += compare_metrics(comparison, report);
  for (int i = 0; i < comparison->count; i++) {
    const char *path = comparison->differences[i].path;
    if (trace_find_dataset(comparison->a, path) && trace_find_dataset(comparison->b, path))
      differing += compare_described(comparison, path, report);
  }
  return differing;
}

// The union of the datasets of both, sorted by path. False: no memory.
static bool compare_all_datasets(Comparison *comparison) {
  const TraceReader *a = comparison->a, *b = comparison->b;
  Difference *differences = calloc((size_t)(a->dataset_count + b->dataset_count) + 1, sizeof *differences);
  int *count = &comparison->count;
  comparison->differences = differences;
  for (int i = 0, j = 0; differences && (i < a->dataset_count || j < b->dataset_count);) {
    int order = i == a->dataset_count   ? 1
                : j == b->dataset_count ? -1
                                        : strcmp(a->datasets[i].path, b->datasets[j].path);
    if (order < 0)
      differences[(*count)++] = single_dataset(&a->datasets[i++], true);
    else if (order > 0)
      differences[(*count)++] = single_dataset(&b->datasets[j++], false);
    else
      differences[(*count)++] = compare_datasets(&a->datasets[i++], &b->datasets[j++]);
  }
  return differences != NULL;
}

// True when all datasets are equal.
static bool print_datasets(Report *report, const Comparison *comparison) {
  bool same = true, told = lengths_differ(comparison) && !comparison->begun;
  for (int i = 0; i < comparison->count; i++)
    same = same && !differs(comparison, &comparison->differences[i]);
  if (told)
    report_print(report, "lengths: %d frames, up to %.6g s, against %d, up to %.6g s; what both have is compared\n",
                 comparison->a->frame_count, end_time(comparison->a), comparison->b->frame_count,
                 end_time(comparison->b));
  if (!same || told)
    print_story(report, comparison);
  if (!same)
    print_table(report, comparison);
  else if (told)
    report_print(report, "datasets: in what both have they are the same\n");
  return same && !told;
}

static bool compare(TraceReader *a, TraceReader *b, bool begun, char *text, size_t size) {
  Report report = {text, size, 0};
  if (size > 0)
    text[0] = '\0';
  Comparison comparison = {.a = a, .b = b, .begun = begun};
  if (!compare_all_datasets(&comparison)) {
    report_print(&report, "out of memory\n");
    return false;
  }
  bool same = print_datasets(&report, &comparison);
  same = compare_all_attributes(&comparison, &report) == 0 && same;
  free(comparison.differences);
  if (same && !begun)
    report_print(&report, "identical: %d frames, %d datasets\n", a->frame_count, comparison.count);
  return same;
}

bool trace_compare(TraceReader *a, TraceReader *b, char *report, size_t size) {
  return compare(a, b, false, report, size);
}

bool trace_compare_begun(TraceReader *a, TraceReader *b, char *report, size_t size) {
  return compare(a, b, true, report, size);
}
