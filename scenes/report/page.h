// A report's page as a whole: what stands around the sections of runs and studies.
#ifndef STAGGER_SCENES_REPORT_PAGE_H
#define STAGGER_SCENES_REPORT_PAGE_H

#include <cjson/cJSON.h>

#include "scenes/report/html.h"
#include "scenes/report/page_files.h"

enum { PAGE_MOST_FACTS = 32, PAGE_MOST_TEXTS = 4 };

// Names and values of the provenance of the data.
typedef struct PageFact {
  char name[48], value[512];
} PageFact;

typedef struct PageText {
  const char *title, *text; // "scene" and the file's text
} PageText;

typedef struct Page {
  Html html;
  const char *title, *purpose;
  PageFact facts[PAGE_MOST_FACTS];
  int fact_count;
  PageText texts[PAGE_MOST_TEXTS];
  int text_count;
} Page;

void page_fact(Page *page, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void page_text(Page *page, const char *title, const char *text);

// <!DOCTYPE ...> up to the header, which stays open for badges; page_begin_main closes it.
void page_begin(Page *page, const PageFiles *files);
void page_begin_main(Page *page);

void page_begin_section(Page *page, const char *id, const char *title);
void page_end_section(Page *page);

// Texts in <details>, provenance, and how to read all this. note: what the data leave out, "" for nothing.
void page_end_main(Page *page, bool is_study, const char *note);

// Title, purpose, provenance and texts in the data.
bool page_describe(const Page *page, cJSON *data);

// The data and the script, and the page's end.
void page_end(Page *page, const cJSON *data, const PageFiles *files);

#endif
