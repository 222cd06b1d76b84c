// Internals of the comparison of two traces, and its report. Public: trace_compare in trace.h.
#ifndef STAGGER_SIM_TRACE_TRACE_COMPARE_INTERNAL_H
#define STAGGER_SIM_TRACE_TRACE_COMPARE_INTERNAL_H

#include "sim/trace/trace_internal.h"

// A text of limited size.
typedef struct Report {
  char *text;
  size_t size, length;
} Report;

void report_print(Report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "1.5 against 2", with enough digits to distinguish them.
void report_numbers(Report *report, double a, double b);

// Reports the attributes of an object that differ, or that only one of the traces has, and returns their number. Those
// that depend on the machine's speed do not count, nor does `ignored` (NULL: none is ignored).
int compare_attributes(TraceReader *a, TraceReader *b, const char *object, const char *ignored, Report *report);

#endif
