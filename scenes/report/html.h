// Markup of pages as text that grows: markup as it is, all else escaped.
#ifndef STAGGER_SCENES_REPORT_HTML_H
#define STAGGER_SCENES_REPORT_HTML_H

#include "sim/base/text_buffer.h"

// text_append and text_print add what is markup already, html_text what others wrote.
typedef TextBuffer Html;

void html_add(Html *html, const char *markup);

// Text for between tags and in quoted attributes: & < > " ' become entities; bytes that are no UTF-8, and characters
// that XML does not have, become U+FFFD.
void html_text(Html *html, const char *text);

// <tag class="...">text</tag>; kind NULL: without a class.
void html_element(Html *html, const char *tag, const char *kind, const char *text);

// A number with as many digits as `step` asks for (0.25: two; 0: four digits in all); never "-0".
void html_number(Html *html, double value, double step);

void html_base64(Html *html, const void *bytes, size_t size);

// JSON for a <script> element: every < becomes \u003c, so that no text in it ends the element.
void html_json(Html *html, const char *json);

#endif
