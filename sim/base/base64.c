// Writes bytes as base64.
#include "sim/base/base64.h"

#include <stdint.h>
#include <stdlib.h>

size_t base64_size(size_t size) { return (size / 3 + (size % 3 > 0)) * 4; }

void base64_write(const void *all, size_t size, char *text) {
  static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *bytes = all;
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t group = (uint32_t)bytes[i] << 16;
    group |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
    group |= left > 2 ? (uint32_t)bytes[i + 2] : 0;
    *text++ = DIGITS[group >> 18];
    *text++ = DIGITS[group >> 12 & 63];
    *text++ = left > 1 ? DIGITS[group >> 6 & 63] : '=';
    *text++ = left > 2 ? DIGITS[group & 63] : '=';
  }
}

char *base64_text(const void *bytes, size_t size) {
  char *text = calloc(base64_size(size) + 1, 1);
  if (text)
    base64_write(bytes, size, text);
  return text;
}
