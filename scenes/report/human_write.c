// Writes the figures beside people's: as a table for people, as JSON, and as a section of a page.
#include "scenes/report/human_figures.h"

#include <math.h>
#include <stdio.h>

#include "scenes/report/page_run.h"
#include "scenes/report/report_json.h"

// "inside", "outside", or "-" where it does not count.
static const char *verdict(const HumanFigure *figure) {
  return figure->band->confidence == HUMAN_RECALLED ? "-" : figure->fits ? "inside" : "outside";
}

// Three digits, or all before the point: "0.312", "3880".
static void number_text(double value, char text[32]) {
  snprintf(text, 32, fabs(value) < 999.5 ? "%.3g" : "%.0f", value);
}

// "0.312 (0.25 to 0.4)": of a study with the quantiles of 10 and 90 %.
static void value_text(const HumanFigure *figure, char *text, size_t size) {
  char value[32], low[32], high[32];
  number_text(figure->value, value);
  number_text(figure->low, low);
  number_text(figure->high, high);
  const bool has_range = isfinite(figure->low) && figure->count > 1;
  snprintf(text, size, has_range ? "%s (%s to %s)" : "%s", value, low, high);
}

// The share of trials inside, "" of a run.
static void inside_text(const HumanFigure *figure, char *text, size_t size) {
  text[0] = '\0';
  if (figure->band->kind == HUMAN_VALUE && figure->count > 1)
    snprintf(text, size, "%ld of %ld", figure->inside, figure->count);
}

// ---- For people ----

static void print_figure(const HumanFigures *figures, const HumanFigure *figure, FILE *file) {
  const HumanBand *band = figure->band;
  char value[96], inside[48];
  value_text(figure, value, sizeof value);
  inside_text(figure, inside, sizeof inside);
  fprintf(file, "  %-8s %-48s %-24s %-8s people: %s\n", verdict(figure), band->check, value, band->unit, band->shown);
  fprintf(file, "  %-8s %s%s%s, %s (%s; %s)\n", "", figures->is_study ? inside : "",
          figures->is_study && inside[0] != '\0' ? " trials inside; " : "", figure->character, band->people,
          band->source, human_confidence_names[band->confidence]);
}

void human_figures_print(const HumanFigures *figures, FILE *file) {
  fprintf(file, "Beside people (protocol: %s)%s\n", figures->protocol,
          figures->is_study ? ": median of trials (10 % to 90 %)" : "");
  for (int i = 0; i < figures->count; i++)
    print_figure(figures, &figures->list[i], file);
  if (figures->count == 0)
    fprintf(file, "  no figure of people fits this %s\n", figures->is_study ? "study" : "run");
  else
    fprintf(file, "  inside: %d of %d figures that were read in their sources or derived from them\n", figures->fitting,
            figures->counted);
}

// ---- JSON ----

static bool add_band(cJSON *object, const HumanBand *band) {
  const double limits[2] = {band->low, band->high};
  return json_add_text(object, "check", band->check) && json_add_text(object, "metric", band->metric) &&
         json_add_text(object, "unit", band->unit) && json_add_numbers(object, "band", limits, 2) &&
         json_add_text(object, "human", band->shown) && json_add_text(object, "people", band->people) &&
         json_add_text(object, "source", band->source) &&
         json_add_text(object, "confidence", human_confidence_names[band->confidence]) &&
         cJSON_AddBoolToObject(object, "counted", band->confidence != HUMAN_RECALLED);
}

static bool add_figure(cJSON *list, const HumanFigure *figure) {
  cJSON *object = cJSON_CreateObject();
  return object && cJSON_AddItemToArray(list, object) && add_band(object, figure->band) &&
         json_add_text(object, "character", figure->character) && json_add_number(object, "value", figure->value) &&
         json_add_number(object, "low", figure->low) && json_add_number(object, "high", figure->high) &&
         cJSON_AddBoolToObject(object, "inside", figure->fits) &&
         json_add_number(object, "trials", (double)figure->count) &&
         json_add_number(object, "trials_inside", (double)figure->inside);
}

cJSON *human_figures_json(const HumanFigures *figures) {
  cJSON *json = cJSON_CreateObject(), *score = NULL, *list = NULL;
  bool good =
      json && json_add_text(json, "format", "stagger-human") && json_add_text(json, "protocol", figures->protocol) &&
      (score = cJSON_AddObjectToObject(json, "score")) != NULL && json_add_number(score, "inside", figures->fitting) &&
      json_add_number(score, "of", figures->counted) && (list = cJSON_AddArrayToObject(json, "figures")) != NULL;
  for (int i = 0; good && i < figures->count; i++)
    good = add_figure(list, &figures->list[i]);
  if (good)
    return json;
  cJSON_Delete(json);
  return NULL;
}

// ---- Page ----

static void add_row(Html *html, const HumanFigures *figures, const HumanFigure *figure) {
  const HumanBand *band = figure->band;
  const bool counts = band->confidence != HUMAN_RECALLED;
  char value[96], inside[48];
  value_text(figure, value, sizeof value);
  inside_text(figure, inside, sizeof inside);
  html_add(html, "<tr><td>");
  page_badge(html, !counts ? "warn" : figure->fits ? "good" : "bad", counts ? verdict(figure) : "not counted");
  html_add(html, "</td>");
  html_element(html, "td", NULL, band->check);
  html_element(html, "td", NULL, figure->character);
  html_element(html, "td", "number", value);
  if (figures->is_study)
    html_element(html, "td", "number", inside);
  html_element(html, "td", "number", band->shown);
  html_element(html, "td", "unit", band->unit);
  html_element(html, "td", NULL, band->people);
  html_add(html, "<td>");
  html_text(html, band->source);
  text_print(html, " (%s)</td></tr>\n", human_confidence_names[band->confidence]);
}

void human_figures_html(const HumanFigures *figures, Html *html) {
  if (figures->count == 0) {
    text_print(html, "<p class=\"note\">No figure of people fits this %s.</p>\n", figures->is_study ? "study" : "run");
    return;
  }
  text_print(html,
             "<p class=\"note\">Inside: %d of %d figures. A figure with a standard deviation is inside within two of "
             "them; figures that were recalled and not read do not count.%s</p>\n",
             figures->fitting, figures->counted,
             figures->is_study ? " Of trials: the median, with the quantiles of 10 and 90 %." : "");
  html_add(html, "<div class=\"scroll\"><table class=\"human\"><thead><tr><th scope=\"col\">verdict</th>"
                 "<th scope=\"col\">figure</th><th scope=\"col\">of</th><th scope=\"col\" class=\"number\">here</th>");
  if (figures->is_study)
    html_add(html, "<th scope=\"col\" class=\"number\">trials inside</th>");
  html_add(html, "<th scope=\"col\" class=\"number\">people</th><th scope=\"col\"></th><th scope=\"col\">whose</th>"
                 "<th scope=\"col\">source</th></tr></thead><tbody>\n");
  for (int i = 0; i < figures->count; i++)
    add_row(html, figures, &figures->list[i]);
  html_add(html, "</tbody></table></div>\n");
}
