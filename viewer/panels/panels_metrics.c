// The panel of the run's present metrics: groups of rows, a column for each trace or character.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/run/outcome.h"
#include "viewer/panels/panels.h"

#define METRICS_PERIOD 0.25 // s between two computations

// For several traces: the followed character of each. Otherwise the characters of the run, as many as fit.
static void choose_columns(App *app) {
  Panels *panels = app->panels;
  const SceneDef *def = app->sources[0]->def;
  panels->column_count = 0;
  bool all = app->source_count == 1 && def->character_count <= METRIC_COLUMNS;
  int count = all ? def->character_count : app->source_count;
  for (int i = 0; i < count && i < METRIC_COLUMNS; i++) {
    MetricColumn *column = &panels->columns[panels->column_count];
    column->source = all ? 0 : i;
    column->character = all ? i : app->subject;
    if (column->character < app->sources[column->source]->def->character_count)
      panels->column_count++;
  }
}

static bool columns_fit(const App *app) {
  const Panels *panels = app->panels;
  for (int i = 0; i < panels->column_count; i++)
    if (panels->columns[i].source >= app->source_count ||
        panels->columns[i].character >= app->sources[panels->columns[i].source]->def->character_count)
      return false;
  return panels->column_count > 0;
}

static void compute(App *app) {
  Panels *panels = app->panels;
  choose_columns(app);
  for (int i = 0; i < panels->column_count; i++) {
    MetricColumn *column = &panels->columns[i];
    for (int row = 0; row < METRIC_ROW_COUNT; row++)
      column->values[row] = source_metric(app->sources[column->source], column->character, row);
  }
}

static void draw_title(const App *app, const MetricColumn *column) {
  if (app->source_count > 1) {
    const char name[2] = {(char)('A' + column->source), '\0'};
    gui_text_color(panels_source_color(column->source), "%s", name);
    gui_tooltip(app->sources[column->source]->path);
    return;
  }
  const char *name = app->sources[0]->def->characters[column->character].name;
  if (column->character == app->subject)
    gui_text_color(GUI_ACCENT, "%s", name);
  else
    gui_text_dim("%s", name);
}

// A row that applies to no column is left out.
static bool row_applies(const Panels *panels, int row) {
  for (int i = 0; i < panels->column_count; i++)
    if (!isnan(panels->columns[i].values[row]))
      return true;
  return false;
}

static void draw_row(const Panels *panels, int row) {
  const char *unit = "";
  char text[64], label[64];
  snprintf(label, sizeof label, "%s", metric_rows[row].name);
  for (char *c = label; *c != '\0'; c++)
    *c = *c == '_' ? ' ' : *c;
  gui_cell();
  gui_text_wrapped("%s", label);
  char tooltip[512];
  snprintf(tooltip, sizeof tooltip, "%s\n%s", metric_rows[row].name, metric_rows[row].doc);
  gui_tooltip(tooltip);
  for (int i = 0; i < panels->column_count; i++) {
    outcome_metric_text(&metric_rows[row], panels->columns[i].values[row], text, sizeof text, &unit);
    gui_cell();
    gui_text_right(text);
  }
  gui_cell();
  gui_text_dim("%s", unit);
}

static void draw_group(const Panels *panels, const char *group, const float *widths) {
  if (!gui_table_begin(group, panels->column_count + 2, widths, true))
    return;
  for (int row = 0; row < METRIC_ROW_COUNT; row++)
    if (strcmp(metric_rows[row].group, group) == 0 && row_applies(panels, row))
      draw_row(panels, row);
  gui_table_end();
}

static bool group_applies(const Panels *panels, const char *group) {
  for (int row = 0; row < METRIC_ROW_COUNT; row++)
    if (strcmp(metric_rows[row].group, group) == 0 && row_applies(panels, row))
      return true;
  return false;
}

void panel_metrics(App *app) {
  Panels *panels = app->panels;
  panels->metrics_age += app->frame_time;
  if (panels->metrics_age >= METRICS_PERIOD || !columns_fit(app)) {
    panels->metrics_age = 0;
    compute(app);
  }
  float em = gui_em(), widths[METRIC_COLUMNS + 2] = {0};
  for (int i = 0; i < panels->column_count; i++)
    widths[1 + i] = 4.2f * em;
  widths[1 + panels->column_count] = 3.7f * em;

  bool titled = panels->column_count > 1;
  if (titled && gui_table_begin("titles", panels->column_count + 2, widths, false)) {
    gui_cell();
    for (int i = 0; i < panels->column_count; i++) {
      gui_cell();
      draw_title(app, &panels->columns[i]);
    }
    gui_cell();
    gui_table_end();
  }
  if (gui_child_begin("rows", 0)) {
    panel_reasons(app);
    const char *group = "";
    for (int row = 0; row < METRIC_ROW_COUNT; row++) {
      if (strcmp(group, metric_rows[row].group) == 0)
        continue;
      group = metric_rows[row].group;
      if (group_applies(panels, group) && gui_header(group, true))
        draw_group(panels, group, widths);
    }
  }
  gui_child_end();
}
