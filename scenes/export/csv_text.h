// Text of a CSV file (RFC 4180, lines end with LF): written value by value, then read back through the same calls,
// which compare what stands there with what should.
#ifndef STAGGER_SCENES_EXPORT_CSV_TEXT_H
#define STAGGER_SCENES_EXPORT_CSV_TEXT_H

#include "sim/base/text_buffer.h"
#include "sim/trace/trace.h"

// Zero-initialise to write. Then csv_read_back, and the same calls again.
typedef struct CsvText {
  TextBuffer text;
  bool is_reading;
  const char *cursor; // in the text: what is read next
  bool in_row;        // a field of the row has come
  long numbers;       // read
  long rows;          // read, with the header
  long differences;   // fields that read back to something else
} CsvText;

void csv_read_back(CsvText *csv);

// The next field. A number is in the type's own precision, NaN and NULL are empty fields.
void csv_put_text(CsvText *csv, const char *text);
void csv_put_number(CsvText *csv, TraceType type, const void *value);
void csv_end_row(CsvText *csv);
bool csv_is_empty(TraceType type, const void *value); // whether a number's field is

// Whether everything was read.
bool csv_is_at_end(const CsvText *csv);

#endif
