// Compares the attributes of two traces.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/trace_compare_internal.h"

void report_print(Report *report, const char *format, ...) {
  if (report->length + 1 >= report->size)
    return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(report->text + report->length, report->size - report->length, format, arguments);
  va_end(arguments);
  size_t room = report->size - report->length - 1;
  report->length += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room;
}

void report_numbers(Report *report, double a, double b) {
  char texts[2][32];
  for (int digits = 6; digits <= 17 && (digits == 6 || strcmp(texts[0], texts[1]) == 0); digits++) {
    snprintf(texts[0], sizeof texts[0], "%.*g", digits, a);
    snprintf(texts[1], sizeof texts[1], "%.*g", digits, b);
  }
  report_print(report, "%s against %s", texts[0], texts[1]);
}

typedef struct AttributeVisit {
  Report *report;
  TraceReader *own, *other;
  const char *object;  // its path
  const char *ignored; // the name of an attribute that is not compared; NULL: all are compared
  bool mirrored;       // from the second trace to the first: only attributes that the first one lacks are reported
  int differing;
} AttributeVisit;

// Attributes that depend on the machine's speed.
static bool is_wall_time(const char *name) { return strstr(name, "realtime") || strstr(name, "wall"); }

// Compares texts of variable length, which HDF5 allocates separately.
static bool equal_texts(hid_t a, hid_t b, hid_t type, hid_t space, size_t count) {
  char **texts_a = calloc(count, sizeof *texts_a), **texts_b = calloc(count, sizeof *texts_b);
  bool equal = texts_a && texts_b && H5Aread(a, type, texts_a) >= 0 && H5Aread(b, type, texts_b) >= 0;
  for (size_t i = 0; equal && i < count; i++)
    equal = strcmp(texts_a[i] ? texts_a[i] : "", texts_b[i] ? texts_b[i] : "") == 0;
  if (texts_a)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts_a);
  if (texts_b)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts_b);
  free(texts_a);
  free(texts_b);
  return equal;
}

static bool equal_bytes(hid_t a, hid_t b, hid_t type, size_t count) {
  size_t size = H5Tget_size(type);
  char *bytes_a = calloc(count, size), *bytes_b = calloc(count, size);
  bool equal = bytes_a && bytes_b && H5Aread(a, type, bytes_a) >= 0 && H5Aread(b, type, bytes_b) >= 0 &&
               memcmp(bytes_a, bytes_b, count * size) == 0;
  free(bytes_a);
  free(bytes_b);
  return equal;
}

static bool equal_attributes(hid_t a, hid_t b, hid_t type) {
  hid_t space_a = H5Aget_space(a), space_b = H5Aget_space(b);
  hssize_t count = H5Sget_simple_extent_npoints(space_a);
  bool equal = H5Sextent_equal(space_a, space_b) > 0 && count >= 0;
  if (equal && count > 0)
    equal = H5Tis_variable_str(type) > 0 ? equal_texts(a, b, type, space_a, (size_t)count)
                                         : equal_bytes(a, b, type, (size_t)count);
  H5Sclose(space_b);
  H5Sclose(space_a);
  return equal;
}

// Whether the other trace has the same attribute with the same value.
static bool is_same(hid_t object, const char *name, const AttributeVisit *visit) {
  hid_t a = H5Aopen(object, name, H5P_DEFAULT);
  hid_t b = H5Aopen_by_name(visit->other->hdf5, visit->object, name, H5P_DEFAULT, H5P_DEFAULT);
  hid_t type_a = H5Aget_type(a), type_b = H5Aget_type(b);
  bool same = H5Tequal(type_a, type_b) > 0 && equal_attributes(a, b, type_a);
  H5Tclose(type_b);
  H5Tclose(type_a);
  H5Aclose(b);
  H5Aclose(a);
  return same;
}

static bool read_number(const char *text, double *number) {
  char *end;
  *number = strtod(text, &end);
  return end != text && *end == '\0';
}

// Reports the values of numbers and short texts, but not of scenes and lists.
static void report_values(const AttributeVisit *visit, const char *name) {
  char a[64], b[64];
  trace_value_text(visit->own, visit->object, name, a, sizeof a);
  trace_value_text(visit->other, visit->object, name, b, sizeof b);
  bool has_brief = a[0] != '\0' && b[0] != '\0' && strlen(a) + 1 < sizeof a && strlen(b) + 1 < sizeof b;
  double numbers[2];
  if (!has_brief || strpbrk(a, "\n") || strpbrk(b, "\n") || strcmp(a, b) == 0)
    return;
  if (read_number(a, &numbers[0]) && read_number(b, &numbers[1])) {
    report_print(visit->report, ": ");
    report_numbers(visit->report, numbers[0], numbers[1]);
  } else {
    report_print(visit->report, ": '%s' against '%s'", a, b);
  }
}

static herr_t compare_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  (void)info;
  AttributeVisit *visit = context;
  if (is_wall_time(name) || (visit->ignored && strcmp(name, visit->ignored) == 0))
    return 0;
  bool in_both = H5Aexists_by_name(visit->other->hdf5, visit->object, name, H5P_DEFAULT) > 0;
  if (in_both && (visit->mirrored || is_same(object, name, visit)))
    return 0;
  visit->differing++;
  report_print(visit->report, "attribute %s of %s ", name, visit->object);
  if (in_both) {
    report_print(visit->report, "differs");
    report_values(visit, name);
  } else {
    report_print(visit->report, "is in the %s trace only", visit->mirrored ? "second" : "first");
  }
  report_print(visit->report, "\n");
  return 0;
}

int compare_attributes(TraceReader *a, TraceReader *b, const char *object, const char *ignored, Report *report) {
  TraceReader *readers[2] = {a, b};
  int differing = 0;
  for (int i = 0; i < 2; i++) {
    AttributeVisit visit = {report, readers[i], readers[1 - i], object, ignored, i == 1, 0};
    if (strcmp(object, "/") == 0 || H5Lexists(readers[i]->hdf5, object, H5P_DEFAULT) > 0)
      H5Aiterate_by_name(readers[i]->hdf5, object, H5_INDEX_NAME, H5_ITER_INC, NULL, compare_attribute, &visit,
                         H5P_DEFAULT);
    differing += visit.differing;
  }
  return differing;
}
