// Writes a report: finds out whether it is of a trace or of a study, builds its page and its data, and writes one file.
#include "scenes/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenes/output/output_file.h"
#include "scenes/report/figure_strip.h"
#include "scenes/report/film_strip.h"
#include "scenes/report/gait_page.h"
#include "scenes/report/human_figures.h"
#include "scenes/report/page.h"
#include "scenes/report/page_dose.h"
#include "scenes/report/page_propagation.h"
#include "scenes/report/page_run.h"
#include "scenes/report/page_study.h"
#include "scenes/report/report_data.h"
#include "scenes/report/report_json.h"
#include "scenes/report/svg_rose.h"

// Reports of traces.

static void add_run_facts(Page *page, const ReportRun *run, const char *input) {
  TraceReader *reader = run->reader;
  page_fact(page, "scene", "%s", trace_text(reader, "scene_name"));
  page_fact(page, "seed", "%s", trace_text(reader, "seed"));
  page_fact(page, "status", "%s", run->status);
  page_fact(page, "simulated", "%.3f s", run->time[run->frame_count - 1]);
  char solver[PARAM_TEXT_SIZE];
  param_write_row(param_find(&world_params, "solver"), &run->def->world, solver, sizeof solver);
  page_fact(page, "step", "%.6g s, solver %s", run->def->world.dt, solver);
  page_fact(page, "frames", "%d, %.6g a second", run->frame_count, run->frame_rate);
  for (int i = 0; i < run->character_count; i++)
    page_fact(page, i == 0 ? "characters" : "", "%s: body %s, %.1f kg, %d parts", run->characters[i].def->name,
              run->characters[i].def->body->name, run->characters[i].def->body->mass,
              run->characters[i].def->body->part_count);
  page_fact(page, "trace", "%s", input);
  page_fact(page, "recorded by", "Stagger %s", trace_text(reader, "stagger_version"));
}

static void add_common_facts(Page *page, const ReportOptions *options) {
  page_fact(page, "report by", "Stagger " STAGGER_VERSION);
  page_fact(page, "command", "%s", options->command);
}

// The picture of a run by stagger-view; NULL: none, and a note on it.
static char *take_picture(const ReportRun *run, const char *trace, size_t *size, Html *notes) {
  const StripPlan plan = strip_plan(run);
  char why[256] = "";
  char *png = film_strip(trace, run->characters[plan.character].def->name, plan.times[0], plan.times[STRIP_MOMENTS - 1],
                         size, why, sizeof why);
  if (!png) {
    html_add(notes, "no pictures, drawn figures instead: ");
    html_add(notes, why);
    html_add(notes, "\n");
  }
  return png;
}

// How the momentum of the hits spread: runs the scene again, with and without each hit.
static bool write_propagation(Page *page, const ReportRun *run, Error *error) {
  static PropagationList list;
  const bool good = propagation_measure(run->def, &list, error);
  if (good) {
    page_begin_section(page, "propagation", "Where the impulses went");
    page_propagation(&page->html, &list);
    page_end_section(page);
  }
  propagation_free(&list);
  return good;
}

// Of scenes that copy an experiment, and where it is asked for: then also on standard output.
static bool write_human(Page *page, HumanFigures *figures, const ReportOptions *options) {
  if (!figures)
    return false;
  page_begin_section(page, "human", "Beside people");
  human_figures_html(figures, &page->html);
  page_end_section(page);
  if (options->human)
    human_figures_print(figures, stdout);
  human_figures_free(figures);
  return true;
}

// Whether the figures beside people's are written alone, as JSON in place of the page.
static bool is_human_json(const ReportOptions *options) {
  return options->human && output_has_ending(options->output, ".json");
}

static bool write_human_json(Page *page, HumanFigures *figures, Error *error) {
  cJSON *json = figures ? human_figures_json(figures) : NULL;
  char *text = json ? cJSON_Print(json) : NULL;
  if (figures && !text)
    error_set(error, "out of memory");
  if (text) {
    human_figures_print(figures, stdout);
    html_add(&page->html, text);
    html_add(&page->html, "\n");
  }
  cJSON_free(text);
  cJSON_Delete(json);
  human_figures_free(figures);
  return text != NULL;
}

static bool write_trace_page(Page *page, const ReportRun *run, const ReportOptions *options, const PageFiles *files,
                             Html *notes, Error *error) {
  Html *html = &page->html;
  page_begin(page, files);
  page_run_badges(html, run);
  page_begin_main(page);
  page_begin_section(page, "figures", "Key figures");
  page_run_figures(html, run);
  page_end_section(page);
  html_add(html, "<section id=\"replay\" hidden>\n<h2>Replay</h2>\n</section>\n\n");
  page_begin_section(page, "strip", run->hit_count > 0 ? "The hit that did most" : "The run in pictures");
  size_t size = 0;
  char *png = options->pictures ? take_picture(run, options->input, &size, notes) : NULL;
  page_run_strip(html, run, png, size, notes);
  free(png);
  page_end_section(page);
  page_begin_section(page, "hits", "Hits");
  page_run_hits(html, run, "hits");
  page_end_section(page);
  if (options->propagation && !write_propagation(page, run, error))
    return false;
  if ((options->human || run->def->protocol.name != PROTOCOL_NONE) &&
      !write_human(page, human_figures_run(run, options->human, error), options))
    return false;
  page_begin_section(page, "gait", "Gait beside human gait");
  const bool good = gait_page_run(html, run, error);
  page_end_section(page);
  html_add(html, "<section>\n<h2>Curves</h2>\n");
  page_run_plots_note(html, run);
  html_add(html, "<div id=\"plots\">\n");
  page_run_plots(html, run);
  html_add(html, "</div>\n</section>\n\n");
  page_begin_section(page, "metrics", "Metrics");
  page_run_metrics(html, run);
  page_end_section(page);
  page_begin_section(page, "expectations", "Expectations");
  page_run_expects(html, run);
  page_end_section(page);
  return good;
}

// Data of kind "trace" or "study" without their traces. The caller owns them; NULL: no memory.
static cJSON *begin_data(const Page *page, const char *kind) {
  cJSON *data = cJSON_CreateObject();
  if (data && json_add_text(data, "format", "stagger-report") && json_add_number(data, "version", 2) &&
      json_add_text(data, "kind", kind) && page_describe(page, data) && cJSON_AddArrayToObject(data, "traces"))
    return data;
  cJSON_Delete(data);
  return NULL;
}

static bool add_trace(cJSON *data, const ReportRun *run, Error *error) {
  cJSON *trace = report_trace(run, error);
  return trace && cJSON_AddItemToArray(cJSON_GetObjectItem(data, "traces"), trace);
}

static bool report_run_page(Page *page, const ReportRun *run, const ReportOptions *options, const PageFiles *files,
                            Html *notes, Error *error) {
  if (is_human_json(options))
    return write_human_json(page, human_figures_run(run, true, error), error);
  page->title = run->name;
  page->purpose = run->def->run.purpose;
  add_run_facts(page, run, options->input);
  add_common_facts(page, options);
  page_text(page, "Scene (YAML, with all overrides)", trace_text(run->reader, "scene"));
  if (!write_trace_page(page, run, options, files, notes, error))
    return false;
  char thinned[160] = "";
  if (run->stride > 1)
    snprintf(thinned, sizeof thinned,
             "The run is long: the replay and the interactive curves have every %d. of its %d frames. Tables and the "
             "curves of the page without script are of all frames.",
             run->stride, run->frame_count);
  page_end_main(page, false, thinned);
  cJSON *data = begin_data(page, "trace");
  bool good = data ? add_trace(data, run, error) : error_set(error, "out of memory");
  if (good)
    page_end(page, data, files);
  cJSON_Delete(data);
  return good;
}

static bool report_trace_page(Page *page, const ReportOptions *options, const PageFiles *files, Html *notes,
                              Error *error) {
  Error cause = {0};
  TraceReader *reader = trace_open(options->input, error);
  if (!reader)
    return false;
  SceneDef *def = scene_def_from_trace(reader, &cause);
  ReportRun *run = def ? report_run_read(reader, def, REPORT_MOST_FRAMES, &cause) : NULL;
  bool good = run && report_run_page(page, run, options, files, notes, &cause);
  if (!good)
    error_set(error, "%s: %s", options->input, cause.text);
  report_run_free(run);
  scene_def_free(def);
  trace_reader_close(reader);
  return good;
}

// Reports of studies.

static bool report_folder_page(Page *page, const ReportFolder *folder, const ReportOptions *options,
                               const PageFiles *files, Html *notes, Error *error) {
  const StudyDef *study = folder->study;
  if (is_human_json(options))
    return write_human_json(page, human_figures_study(study, folder->table, error), error);
  StudyResults *results = study_results_create(folder, error);
  if (!results)
    return false;
  page->title = folder->name;
  page->purpose = study->run.purpose[0] != '\0' ? study->run.purpose : study->scene->run.purpose;
  page_study_facts(page, folder);
  add_common_facts(page, options);
  page_text(page, "Study (YAML)", study->text);
  page_text(page, "Scene (YAML, before the axes' values are set)", study->scene->text);
  page_study(page, results, files, notes);
  const bool human = options->human || study->scene->protocol.name != PROTOCOL_NONE;
  bool good = !human || write_human(page, human_figures_study(study, folder->table, error), options);
  page_end_main(page, true, "");
  cJSON *data = good ? begin_data(page, "study") : NULL;
  cJSON *object = data ? report_study(results, error) : NULL;
  good = object && cJSON_AddItemToObject(data, "study", object);
  for (int i = 0; good && i < folder->trace_count; i++)
    good = add_trace(data, folder->traces[i].run, error);
  if (good)
    page_end(page, data, files);
  else if (!data && error->text[0] == '\0')
    error_set(error, "out of memory");
  cJSON_Delete(data);
  study_results_destroy(results);
  return good;
}

static bool report_study_page(Page *page, const ReportOptions *options, const PageFiles *files, Html *notes,
                              Error *error) {
  ReportFolder *folder = report_folder_read(options->input, notes, error);
  bool good = folder && report_folder_page(page, folder, options, files, notes, error);
  report_folder_close(folder);
  return good;
}

// The picture of a study's doses, or of its directions, alone.

static bool write_picture(const ReportOptions *options, Error *error) {
  if (!output_check(options->output, OUTPUT_SVG, error))
    return false;
  ReportFolder *folder = report_folder_open(options->input, error);
  if (!folder)
    return false;
  Html html = {0};
  char success[256];
  DirectionTable *table = direction_table_create(folder->study, folder->table, -1);
  study_results_success(folder->study, success, sizeof success);
  bool good = page_dose_picture(&html, folder);
  if (!good && table)
    svg_rose(&html, table, success, true);
  good = (good || table) && !html.failed;
  direction_table_destroy(table);
  if (!good)
    error_set(error,
              "%s: a picture is made of studies with an axis of directions over a full turn, and of studies of "
              "responses over parts and impulses",
              options->input);
  good = good && output_write(options->output, html.bytes, html.size, error);
  text_free(&html);
  report_folder_close(folder);
  return good;
}

// Reports of either kind.

bool report_write(const ReportOptions *options, char *notes, int size, Error *error) {
  struct stat found;
  notes[0] = '\0';
  if (stat(options->input, &found) != 0)
    return error_set(error, "%s: %s; wanted is a trace, or the folder in which 'stagger sweep' has run a study",
                     options->input, strerror(errno));
  if (output_has_ending(options->output, ".svg"))
    return write_picture(options, error);
  if (!output_check(options->output, is_human_json(options) ? OUTPUT_HUMAN : OUTPUT_HTML, error))
    return false;
  Page *page = calloc(1, sizeof *page);
  if (!page)
    return error_set(error, "out of memory");
  PageFiles files;
  Html remarks = {0};
  page_files_read(&files);
  if (!files.style)
    html_add(&remarks, "no style: report.css was not found\n");
  if (!files.script)
    html_add(&remarks, "no replay and no interactive plots: the page's script was not built (it needs npm)\n");
  bool good = S_ISDIR(found.st_mode) ? report_study_page(page, options, &files, &remarks, error)
                                     : report_trace_page(page, options, &files, &remarks, error);
  if (good && (page->html.failed || remarks.failed))
    good = error_set(error, "%s: out of memory", options->output);
  good = good && output_write(options->output, page->html.bytes, page->html.size, error);
  if (good && remarks.bytes)
    snprintf(notes, (size_t)size, "%s", remarks.bytes);
  text_free(&remarks);
  text_free(&page->html);
  page_files_free(&files);
  free(page);
  return good;
}
