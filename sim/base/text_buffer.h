// Text in memory that grows as it is written, and numbers in the fewest digits from which the same bits are read.
#ifndef STAGGER_SIM_BASE_TEXT_BUFFER_H
#define STAGGER_SIM_BASE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

// Zero-initialise. Once memory has run out nothing is added any more: look at `failed` when all is written.
typedef struct TextBuffer {
  char *bytes; // ends with '\0', which size does not count; NULL while nothing was written
  size_t size, capacity;
  bool failed;
} TextBuffer;

// Makes room for `more` bytes and the '\0'. False when there is none: nothing is added from then on.
bool text_reserve(TextBuffer *text, size_t more);

void text_append(TextBuffer *text, const char *bytes, size_t size);
void text_print(TextBuffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Decimal numbers: not finite ones as "nan", "inf", "-inf".
void text_float32(TextBuffer *text, float value);
// The shortest decimal form of at least 15 digits that reads back to the same double; returns its length. size: at
// least 32.
int text_shortest_double(char *text, size_t size, double value);
void text_float64(TextBuffer *text, double value);

// Whether a number that was read has the very bits of the one that was written: 0 has not those of -0.
bool text_same_float32(float a, float b);
bool text_same_float64(double a, double b);

void text_free(TextBuffer *text);

#endif
