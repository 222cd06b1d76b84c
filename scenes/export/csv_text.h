// Text of a CSV file (RFC 4180, lines end with LF). It is written value by value and then read back through the same
// calls, which compare each field with the value.
#ifndef STAGGER_SCENES_EXPORT_CSV_TEXT_H
#define STAGGER_SCENES_EXPORT_CSV_TEXT_H

#include "sim/base/text_buffer.h"
#include "sim/trace/trace.h"

// Zero-initialise for writing; then call csv_read_back and repeat the same calls.
typedef struct CsvText {
  TextBuffer text;
  bool is_reading;
  const char *cursor; // position of reading in the text
  bool in_row;        // a field of the row has been written or read
  long numbers;       // numbers read
  long rows;          // rows read, with the header
  long differences;   // fields that were read back with another value
} CsvText;

void csv_read_back(CsvText *csv);

// Puts the next field. Numbers have their type's own precision; NaN and NULL become empty fields.
void csv_put_text(CsvText *csv, const char *text);
void csv_put_number(CsvText *csv, TraceType type, const void *value);
void csv_end_row(CsvText *csv);
bool csv_is_empty(TraceType type, const void *value); // whether a number becomes an empty field

// Whether the whole text has been read back.
bool csv_is_at_end(const CsvText *csv);

#endif
