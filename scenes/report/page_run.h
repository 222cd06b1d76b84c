// The sections of a report's page about one run.
#ifndef STAGGER_SCENES_REPORT_PAGE_RUN_H
#define STAGGER_SCENES_REPORT_PAGE_RUN_H

#include "scenes/report/html.h"
#include "scenes/report/report_run.h"

enum { PAGE_MOST_CHARACTERS = 4 }; // with curves of their own

// A coloured label; kind: its class, "good", "warn" or "bad".
void page_badge(Html *html, const char *kind, const char *text);

// <figure class="card"> with a name, a value with its unit, and a line below it ("" for none).
void page_card(Html *html, const char *name, const char *value, const char *unit, const char *below);

void page_run_badges(Html *html, const ReportRun *run);
void page_run_figures(Html *html, const ReportRun *run); // key figures

// Picture of stagger-view (PNG, may be NULL) or stick figures. notes: a sentence is added when nothing can be drawn.
void page_run_strip(Html *html, const ReportRun *run, const char *png, size_t png_size, Html *notes);

// kind: class of the table; the page's script links the times in tables of class "hits" to its replay.
void page_run_hits(Html *html, const ReportRun *run, const char *kind);
void page_run_plots_note(Html *html, const ReportRun *run); // what curves and metrics are of
void page_run_plots(Html *html, const ReportRun *run);      // within <div id="plots">
void page_run_metrics(Html *html, const ReportRun *run);
void page_run_expects(Html *html, const ReportRun *run);

#endif
