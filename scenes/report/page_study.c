// Writes the page of a study. Its results are drawn by the page's script from the data; without the script here.
#include "scenes/report/page_study.h"

#include <math.h>
#include <stdio.h>

#include "scenes/report/page_dose.h"
#include "scenes/report/page_run.h"
#include "scenes/report/study_plain.h"

// Header and provenance.

static void add_badges(Html *html, const StudyResults *results) {
  const ReportFolder *folder = results->folder;
  char text[128];
  const long done = folder->table->row_count, all = folder->study->trial_count;
  const bool complete = report_folder_is_complete(folder);
  snprintf(text, sizeof text, complete ? "complete: %ld trials" : "%ld of %ld trials so far", done, all);
  page_badge(html, complete ? "good" : "warn", text);
  if (results->incomplete > 0) {
    snprintf(text, sizeof text, "%ld trial%s not complete", results->incomplete,
             results->incomplete == 1 ? " is" : "s are");
    page_badge(html, "bad", text);
  }
  const SummaryRow *held = report_folder_whole(folder, "ok", "");
  if (held && isfinite(held->share) && folder->study->scene->expect_count > 0) {
    snprintf(text, sizeof text, "expectations hold in %.1f %%", 100 * held->share);
    page_badge(html, held->share >= 1 ? "good" : "warn", text);
  }
}

void page_study_facts(Page *page, const ReportFolder *folder) {
  const StudyDef *study = folder->study;
  const cJSON *info = folder->info, *run;
  const char *scene = cJSON_GetStringValue(cJSON_GetObjectItem(info, "scene_file"));
  const char *version = cJSON_GetStringValue(cJSON_GetObjectItem(info, "stagger_version"));
  page_fact(page, "study", "%s", folder->path);
  page_fact(page, "scene", "%s", scene ? scene : study->scene_path);
  page_fact(page, "status", "%s", report_folder_status(folder));
  page_fact(page, "trials", "%ld of %ld: %ld cells, %d repeats", folder->table->row_count, study->trial_count,
            study->cell_count, study->run.repeats);
  page_fact(page, "seeds", "%d to %d", study->run.seed, study->run.seed + study->run.repeats - 1);
  for (int i = 0; i < study->axis_count; i++)
    page_fact(page, i == 0 ? "axes" : "", "%s: %s, %d values", study->axes[i].name, study->axes[i].key,
              study->axes[i].count);
  page_fact(page, "traces", "%d kept, %d in this page%s", folder->kept_count, folder->trace_count,
            folder->kept_count > REPORT_MOST_TRACES ? ", spread evenly over their list" : "");
  page_fact(page, "run by", "Stagger %s", version ? version : "(unknown)");
  cJSON_ArrayForEach(run, cJSON_GetObjectItem(info, "runs")) {
    const char *command = cJSON_GetStringValue(cJSON_GetObjectItem(run, "command"));
    const double workers = cJSON_GetNumberValue(cJSON_GetObjectItem(run, "workers"));
    const double trials = cJSON_GetNumberValue(cJSON_GetObjectItem(run, "trials"));
    const double seconds = cJSON_GetNumberValue(cJSON_GetObjectItem(run, "wall_time"));
    page_fact(page, "sweep", "%s (%.0f workers, %.0f trials in %.1f s)", command ? command : "", workers, trials,
              seconds);
  }
}

// Which of the kept traces are in the page, when not all are.
static void choice_of_traces(Html *html, const ReportFolder *folder) {
  if (folder->kept_count <= REPORT_MOST_TRACES)
    return;
  text_print(html, "<p class=\"note\">%d of the %d kept traces are in this page, ", folder->trace_count,
             folder->kept_count);
  html_add(html, "spread evenly over their list from the lowest to the highest number of a trial. "
                 "<code>stagger report</code> of any other trace in the study's folder makes a page of it.</p>\n");
}

// Traces that were kept.

static void trace_title(Html *html, const ReportFolder *folder, const ReportRun *run) {
  text_print(html, "<summary>Trial %ld", run->trial);
  for (int i = 0; i < folder->study->axis_count && run->trial < folder->study->trial_count; i++) {
    char value[PARAM_TEXT_SIZE];
    study_value(folder->study, i, run->trial, value);
    html_add(html, i == 0 ? ": " : ", ");
    html_text(html, folder->study->axes[i].name);
    html_add(html, " ");
    html_text(html, value);
    html_add(html, folder->study->axes[i].unit[0] != '\0' ? " " : "");
    html_text(html, folder->study->axes[i].unit);
  }
  text_print(html, ", seed %d ", run->def->run.seed);
  page_run_badges(html, run);
  html_add(html, "</summary>\n");
}

static void add_traces(Html *html, const ReportFolder *folder, Html *notes) {
  if (folder->trace_count < folder->kept_count)
    text_print(html, "<p class=\"note\">%d of the %d traces that were kept.</p>\n", folder->trace_count,
               folder->kept_count);
  for (int i = 0; i < folder->trace_count; i++) {
    const ReportRun *run = folder->traces[i].run;
    text_print(html, "<details%s>", i == 0 ? " open" : "");
    trace_title(html, folder, run);
    page_run_strip(html, run, NULL, 0, notes);
    page_run_hits(html, run, "trial-hits");
    html_add(html, "</details>\n");
  }
}

// The page.

// What the figures are.
static void add_notes(Html *html, const StudyResults *results) {
  html_add(html, "<p class=\"note\">With each value its interval for 95 %: Wilson's of shares, by the bootstrap of "
                 "medians, both with repeats as clusters, since a repeat has the same seed in all cells. Medians of "
                 "fewer than 6 repeats have none.");
  if (results->incomplete > 0)
    html_add(html, " Trials that are not complete count in status and ok alone.");
  if (results->repeats_alike)
    html_add(html, " <strong>All repeats of a cell came to the same: nothing in the scene seems to depend on the seed, "
                   "and intervals mean nothing.</strong>");
  html_add(html, "</p>\n");
}

typedef void (*Draw)(Html *html, const StudyResults *results);

typedef void (*Draw)(Html *html, const StudyResults *results);

// A section of results, which the script fills; without script it is drawn here, or left out.
static void add_results(Page *page, const char *id, const char *title, const StudyResults *results, Draw draw) {
  if (results && !draw)
    return;
  page_begin_section(page, id, title);
  if (results)
    draw(&page->html, results);
  page_end_section(page);
}

// The replay, and the curves that go with it: for the script alone.
static void add_replay(Page *page, const ReportFolder *folder) {
  Html *html = &page->html;
  html_add(html, "<section id=\"replay\" hidden>\n<h2>Replay</h2>\n");
  choice_of_traces(html, folder);
  html_add(html, "</section>\n\n<section id=\"plots\" hidden>\n<h2>Curves of the replay</h2>\n");
  page_run_plots_note(html, folder->traces[0].run);
  html_add(html, "</section>\n\n");
}

void page_study(Page *page, const StudyResults *results, const PageFiles *files, Html *notes) {
  Html *html = &page->html;
  const ReportFolder *folder = results->folder;
  const StudyResults *drawn = files->script ? NULL : results; // here
  page_begin(page, files);
  add_badges(html, results);
  page_begin_main(page);
  if (!drawn)
    html_add(html, "<noscript><p class=\"note\">The results of this study are drawn by the page's script. Its data are "
                   "JSON at the end of the page; the study's folder has them in summary.csv.</p></noscript>\n");
  page_begin_section(page, "figures", "Key figures");
  if (drawn)
    study_plain_tables(html, results);
  add_notes(html, results);
  page_end_section(page);
  if (results->direction_count > 0)
    add_results(page, "directions", "Over directions", drawn, study_plain_directions);
  page_dose(page, folder, notes);
  add_results(page, "study-plots", "Over the axes", drawn, study_plain_plots);
  if (folder->trace_count > 0)
    add_replay(page, folder);
  add_results(page, "summary", "What it comes to", drawn, NULL);
  add_results(page, "trials", "Trials", drawn, NULL);
  if (folder->trace_count > 0) {
    page_begin_section(page, "kept", "Trials with a trace");
    add_traces(html, folder, notes);
    page_end_section(page);
  }
}
