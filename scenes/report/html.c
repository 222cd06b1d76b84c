// Appends markup, escaped text, numbers and base64 to a page under construction.
#include "scenes/report/html.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base64.h"

static const char REPLACEMENT[] = "\xef\xbf\xbd"; // U+FFFD

void html_add(Html *html, const char *markup) { text_append(html, markup, strlen(markup)); }

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
    if (entity)
      html_add(html, entity);
    else
      text_append(html, text, size);
    text += size > 0 ? size : 1;
  }
}

void html_element(Html *html, const char *tag, const char *kind, const char *text) {
  text_print(html, "<%s", tag);
  if (kind)
    text_print(html, " class=\"%s\"", kind);
  html_add(html, ">");
  html_text(html, text);
  text_print(html, "</%s>", tag);
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

void html_base64(Html *html, const void *bytes, size_t size) {
  if (!text_reserve(html, base64_size(size)))
    return;
  base64_write(bytes, size, html->bytes + html->size);
  html->size += base64_size(size);
  html->bytes[html->size] = '\0';
}

void html_json(Html *html, const char *json) {
  for (;;) {
    size_t plain = strcspn(json, "<");
    text_append(html, json, plain);
    if (json[plain] == '\0')
      return;
    html_add(html, "\\u003c");
    json += plain + 1;
  }
}
