#include "scenes/report/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char REPLACEMENT[] = "\xef\xbf\xbd"; // U+FFFD

void html_free(Html *html) {
  free(html->text);
  *html = (Html){0};
}

// Room for `size` more bytes and the zero byte.
static bool make_room(Html *html, size_t size) {
  if (html->failed || size > SIZE_MAX / 2 - html->size - 1) {
    html->failed = true;
    return false;
  }
  if (html->size + size + 1 <= html->capacity)
    return true;
  size_t capacity = 2 * (html->size + size + 1);
  char *text = realloc(html->text, capacity);
  if (text == NULL) {
    html->failed = true;
    return false;
  }
  html->text = text;
  html->capacity = capacity;
  return true;
}

void html_add_bytes(Html *html, const char *bytes, size_t size) {
  if (!make_room(html, size))
    return;
  if (size > 0)
    memcpy(html->text + html->size, bytes, size);
  html->size += size;
  html->text[html->size] = '\0';
}

void html_add(Html *html, const char *markup) { html_add_bytes(html, markup, strlen(markup)); }

void html_format(Html *html, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size >= 0 && make_room(html, (size_t)size)) {
    vsnprintf(html->text + html->size, (size_t)size + 1, format, again);
    html->size += (size_t)size;
  }
  va_end(again);
}

// Bytes of the character that a text begins with, 0 when they are no UTF-8.
static size_t character_size(const unsigned char *text) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least; // code point: shorter forms of it are refused
  } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  for (size_t size = 1; size <= 4; size++) {
    if ((text[0] & forms[size - 1].mask) != forms[size - 1].lead)
      continue;
    uint32_t code = text[0] & (unsigned char)~forms[size - 1].mask;
    for (size_t i = 1; i < size; i++) {
      if ((text[i] & 0xc0) != 0x80)
        return 0;
      code = code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff, none = code == 0xfffe || code == 0xffff;
    bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    return code < forms[size - 1].least || code > 0x10ffff || surrogate || none || control ? 0 : size;
  }
  return 0;
}

void html_text(Html *html, const char *text) {
  while (*text != '\0') {
    size_t size = character_size((const unsigned char *)text);
    const char *entity = size == 0       ? REPLACEMENT
                         : *text == '&'  ? "&amp;"
                         : *text == '<'  ? "&lt;"
                         : *text == '>'  ? "&gt;"
                         : *text == '"'  ? "&quot;"
                         : *text == '\'' ? "&#39;"
                                         : NULL;
    if (entity != NULL)
      html_add(html, entity);
    else
      html_add_bytes(html, text, size);
    text += size > 0 ? size : 1;
  }
}

void html_element(Html *html, const char *tag, const char *kind, const char *text) {
  html_format(html, "<%s", tag);
  if (kind != NULL)
    html_format(html, " class=\"%s\"", kind);
  html_add(html, ">");
  html_text(html, text);
  html_format(html, "</%s>", tag);
}

void html_number(Html *html, double value, double step) {
  int digits = step > 0 && step < 1 ? (int)ceil(-log10(step) - 1e-6) : 0;
  // A step of 0.25 needs the digit after its first one.
  double scaled = step * pow(10, digits);
  if (step > 0 && fabs(scaled - round(scaled)) > 1e-6)
    digits++;
  char text[64];
  snprintf(text, sizeof text, step > 0 ? "%.*f" : "%.*g", step > 0 ? digits : 4, value);
  if (strspn(text, "-0.") == strlen(text) && text[0] == '-')
    memmove(text, text + 1, strlen(text));
  html_add(html, text);
}

static void encode_base64(const unsigned char *bytes, size_t size, char *text) {
  static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

static size_t base64_size(size_t size) { return (size / 3 + (size % 3 > 0)) * 4; }

void html_base64(Html *html, const void *bytes, size_t size) {
  if (!make_room(html, base64_size(size)))
    return;
  encode_base64(bytes, size, html->text + html->size);
  html->size += base64_size(size);
  html->text[html->size] = '\0';
}

char *base64_text(const void *bytes, size_t size) {
  char *text = calloc(base64_size(size) + 1, 1);
  if (text != NULL)
    encode_base64(bytes, size, text);
  return text;
}

void html_json(Html *html, const char *json) {
  for (;;) {
    size_t plain = strcspn(json, "<");
    html_add_bytes(html, json, plain);
    if (json[plain] == '\0')
      return;
    html_add(html, "\\u003c");
    json += plain + 1;
  }
}
