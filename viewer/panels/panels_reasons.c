// Why the followed character is where it is: who leads its root, what acts on its body, what was refused.
#include <stdio.h>

#include "viewer/panels/panels.h"
#include "viewer/source/reasons.h"

static void draw_reason(const Reason *reason) {
  gui_cell();
  gui_text_dim("%s", reason->what);
  gui_tooltip(reason->doc);
  gui_cell();
  if (reason->notable)
    gui_text_wrapped_color(GUI_WARM, reason->text);
  else
    gui_text_wrapped("%s", reason->text);
  gui_tooltip(reason->doc);
}

static void draw_source(const App *app, int index, const char *who) {
  const Source *source = app->sources[index];
  Reasons reasons;
  float widths[2] = {5.2f * gui_em(), 0};
  reasons_find(source, app->subject, app_time(app, source), &reasons);
  if (app->source_count > 1)
    gui_text_color(panels_source_color(index), "%c  %s", 'A' + index, who);
  gui_push_id(index);
  if (gui_table_begin("reasons", 2, widths, true)) {
    for (int i = 0; i < reasons.count; i++)
      draw_reason(&reasons.rows[i]);
    gui_table_end();
  }
  gui_pop_id();
}

void panel_reasons(App *app) {
  const SceneDef *def = app->sources[0]->def;
  if (app->subject >= def->character_count)
    return;
  const char *who = def->characters[app->subject].name;
  char title[128];
  snprintf(title, sizeof title, "Why %.60s is there###reasons", who);
  if (!gui_header(title, true))
    return;
  for (int i = 0; i < app->source_count; i++)
    if (app->subject < app->sources[i]->def->character_count)
      draw_source(app, i, who);
}
