// The frame of a report's page: head, style, facts, sections, and the script at the end.
#include "scenes/report/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_json.h"

void page_fact(Page *page, const char *name, const char *format, ...) {
  if (page->fact_count == PAGE_MOST_FACTS)
    return;
  PageFact *fact = &page->facts[page->fact_count++];
  snprintf(fact->name, sizeof fact->name, "%s", name);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fact->value, sizeof fact->value, format, arguments);
  va_end(arguments);
}

void page_text(Page *page, const char *title, const char *text) {
  if (page->text_count < PAGE_MOST_TEXTS)
    page->texts[page->text_count++] = (PageText){title, text};
}

// Adds the style unescaped; only the end tag of its element must not occur in it.
static void add_style(Html *html, const File *style) {
  if (!style || strstr(style->bytes, "</"))
    return;
  html_add(html, "<style>\n");
  html_add(html, style->bytes);
  html_add(html, "</style>\n");
}

void page_begin(Page *page, const PageFiles *files) {
  Html *html = &page->html;
  html_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta name=\"generator\" content=\"Stagger " STAGGER_VERSION "\">\n<title>");
  html_text(html, page->title);
  html_add(html, " \xe2\x80\x93 Stagger report</title>\n");
  add_style(html, files->style);
  add_style(html, files->script_style);
  html_add(html, "</head>\n<body>\n<header>\n");
  html_element(html, "h1", NULL, page->title);
  html_add(html, "\n");
  if (page->purpose[0] != '\0')
    html_element(html, "p", "purpose", page->purpose);
  html_add(html, "\n<p class=\"badges\">");
}

void page_begin_main(Page *page) { html_add(&page->html, "</p>\n</header>\n<main>\n"); }

void page_begin_section(Page *page, const char *id, const char *title) {
  text_print(&page->html, "<section id=\"%s\">\n", id);
  html_element(&page->html, "h2", NULL, title);
  html_add(&page->html, "\n");
}

void page_end_section(Page *page) { html_add(&page->html, "</section>\n\n"); }

// The last sections.

static void add_texts(Page *page) {
  Html *html = &page->html;
  page_begin_section(page, "texts", "What was run");
  for (int i = 0; i < page->text_count; i++) {
    html_add(html, "<details><summary>");
    html_text(html, page->texts[i].title);
    html_add(html, "</summary>\n<pre>");
    html_text(html, page->texts[i].text);
    html_add(html, "</pre></details>\n");
  }
  page_end_section(page);
}

static void add_facts(Page *page) {
  Html *html = &page->html;
  page_begin_section(page, "provenance", "Provenance");
  html_add(html, "<table class=\"facts\"><tbody>\n");
  for (int i = 0; i < page->fact_count; i++) {
    html_add(html, "<tr><th scope=\"row\">");
    html_text(html, page->facts[i].name);
    html_add(html, "</th>");
    html_element(html, "td", NULL, page->facts[i].value);
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table>\n");
  page_end_section(page);
}

static const char READING[] =
    "<p>All is in SI units. The world is right-handed: y up, z forward, x to the left; rotations are quaternions x y z "
    "w. Every character has three poses: the <em>target</em> that its drives aim at, the <em>measured</em> one of its "
    "physical body, and the <em>output</em> that is shown, a mixture of both. The pose error is the angle between "
    "measured and target joints. The <em>assist</em> is a hidden hand on the body; its force and torque are told in "
    "full, so that nothing stands by magic. The margin of stability is the distance from the extrapolated centre of "
    "mass (x + v / sqrt(g / l)) to the border of the base of support, negative outside; it has gaps where no foot "
    "carries. Point at a name in a table to read what it means.</p>\n";

static const char READING_TRACE[] =
    "<p>The trace is an HDF5 file with every channel at full precision; <code>stagger inspect</code> lists them, "
    "<code>stagger export</code> writes tables and motion files. In Python:</p>\n"
    "<pre>import h5py\n"
    "with h5py.File(\"trace.h5\") as trace:\n"
    "    time = trace[\"time\"][:]                                # s\n"
    "    who = next(iter(trace[\"characters\"].values()))\n"
    "    error = who[\"joints/error\"][:]                         # rad, [frame, joint]\n"
    "    names = list(who[\"joints/error\"].attrs[\"names\"])\n"
    "    force = who[\"assist/force\"][:]                         # N, [frame, xyz]\n"
    "    hits = {name: column[:] for name, column in trace[\"hits\"].items()}</pre>\n";

static const char READING_STUDY[] =
    "<p>Intervals are for 95 %. A repeat has the same seed in all cells, so that its trials are not independent: "
    "repeats "
    "are clusters. Shares have Wilson's score interval with an effective number of trials, by the design effect of the "
    "clusters (Kish; Korn and Graubard 1998); medians have the percentile interval, with expanded percentiles, of "
    "10000 "
    "bootstrap resamples of clusters, and none of fewer than 6. In a cell every trial is a cluster of its own. A share "
    "or "
    "median is of the n trials that are complete and to which its metric applies: the recovery time of those who "
    "recovered. The study's folder has every trial "
    "in <code>trials.csv</code>, and what it comes to in <code>summary.csv</code>. In Python:</p>\n"
    "<pre>import pandas\n"
    "trials = pandas.read_csv(\"trials.csv\")\n"
    "print(trials.describe())</pre>\n";

static const char READING_DATA[] =
    "<p>The data of this page stand in its element <code>#stagger-data</code> as JSON, with arrays as base64, little "
    "endian.</p>\n";

void page_end_main(Page *page, bool is_study, const char *note) {
  Html *html = &page->html;
  add_texts(page);
  add_facts(page);
  page_begin_section(page, "reading", "How to read this");
  html_add(html, READING);
  html_add(html, is_study ? READING_STUDY : READING_TRACE);
  html_add(html, READING_DATA);
  if (note[0] != '\0')
    html_element(html, "p", "note", note);
  page_end_section(page);
  html_add(html, "</main>\n");
}

// The data.

bool page_describe(const Page *page, cJSON *data) {
  cJSON *facts = NULL, *texts = NULL;
  bool good = json_add_text(data, "title", page->title) && json_add_text(data, "purpose", page->purpose) &&
              (facts = cJSON_AddArrayToObject(data, "provenance")) &&
              (texts = cJSON_AddArrayToObject(data, "texts")) != NULL;
  for (int i = 0; good && i < page->fact_count; i++) {
    const char *row[] = {page->facts[i].name, page->facts[i].value};
    good = cJSON_AddItemToArray(facts, cJSON_CreateStringArray(row, 2));
  }
  for (int i = 0; good && i < page->text_count; i++) {
    cJSON *text = cJSON_CreateObject();
    good = text && cJSON_AddItemToArray(texts, text) && json_add_text(text, "name", page->texts[i].title) &&
           json_add_text(text, "text", page->texts[i].text);
  }
  return good;
}

void page_end(Page *page, const cJSON *data, const PageFiles *files) {
  Html *html = &page->html;
  char *json = cJSON_PrintUnformatted(data);
  html_add(html, "<script type=\"application/json\" id=\"stagger-data\">");
  if (json)
    html_json(html, json);
  html->failed = html->failed || !json;
  free(json);
  html_add(html, "</script>\n");
  if (files->script) {
    html_add(html, "<script>\n");
    html_add(html, files->script->bytes);
    html_add(html, "\n</script>\n");
  }
  html_add(html, "</body>\n</html>\n");
}
