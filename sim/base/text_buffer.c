// Growing text, with numbers in the shortest decimal form that reads back the same bits.
#include "sim/base/text_buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096, NUMBER_SIZE = 40 };

bool text_reserve(TextBuffer *text, size_t more) {
  if (text->failed || more > SIZE_MAX / 4) {
    text->failed = true;
    return false;
  }
  size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
  while (capacity - text->size <= more)
    capacity *= 2;
  if (capacity == text->capacity)
    return true;
  char *grown = realloc(text->bytes, capacity);
  if (!grown) {
    text->failed = true;
    return false;
  }
  text->bytes = grown;
  text->capacity = capacity;
  return true;
}

void text_append(TextBuffer *text, const char *bytes, size_t size) {
  if (!text_reserve(text, size))
    return;
  if (size > 0)
    memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

void text_print(TextBuffer *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size < 0 || !text_reserve(text, (size_t)size))
    return;
  va_start(arguments, format);
  vsnprintf(text->bytes + text->size, (size_t)size + 1, format, arguments);
  va_end(arguments);
  text->size += (size_t)size;
}

// 9 digits distinguish any two floats and 17 any two doubles; numbers chosen by people usually need fewer.

void text_float32(TextBuffer *text, float value) {
  char digits[NUMBER_SIZE];
  int size = snprintf(digits, sizeof digits, "%.6g", (double)value);
  if (strtof(digits, NULL) != value && isfinite(value))
    size = snprintf(digits, sizeof digits, "%.9g", (double)value);
  text_append(text, digits, (size_t)size);
}

int text_shortest_double(char *text, size_t size, double value) {
  int length = snprintf(text, size, "%.15g", value);
  for (int digits = 16; digits <= 17 && isfinite(value) && strtod(text, NULL) != value; digits++)
    length = snprintf(text, size, "%.*g", digits, value);
  return length;
}

void text_float64(TextBuffer *text, double value) {
  char digits[NUMBER_SIZE];
  const int size = text_shortest_double(digits, sizeof digits, value);
  text_append(text, digits, (size_t)size);
}

bool text_same_float32(float a, float b) {
  uint32_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  return bits[0] == bits[1];
}

bool text_same_float64(double a, double b) {
  uint64_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  return bits[0] == bits[1];
}

void text_free(TextBuffer *text) {
  free(text->bytes);
  *text = (TextBuffer){0};
}
