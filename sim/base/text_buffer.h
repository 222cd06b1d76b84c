// Growing text in memory, with numbers in the fewest digits that read back the same bits.
#ifndef STAGGER_SIM_BASE_TEXT_BUFFER_H
#define STAGGER_SIM_BASE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

// Zero-initialise. Once memory has run out nothing more is added: check `failed` when everything has been written.
typedef struct TextBuffer {
  char *bytes; // terminated by '\0', which size does not include; NULL before anything is written
  size_t size, capacity;
  bool failed;
} TextBuffer;

// Makes room for `more` bytes and the '\0'. False when there is no memory: nothing more is added.
bool text_reserve(TextBuffer *text, size_t more);

void text_append(TextBuffer *text, const char *bytes, size_t size);
void text_print(TextBuffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Decimal numbers; "nan", "inf", "-inf" for values that are not finite.
void text_float32(TextBuffer *text, float value);
// The shortest decimal form of at least 15 digits that reads back the same double; returns its length. size: at least
// 32.
int text_shortest_double(char *text, size_t size, double value);
void text_float64(TextBuffer *text, double value);

// Whether two numbers have the same bits: 0 and -0 differ.
bool text_same_float32(float a, float b);
bool text_same_float64(double a, double b);

void text_free(TextBuffer *text);

#endif
